// The formats by the names that --from and --to take: extensions, direction, one line each.

import People

/// A format's name on the command line.
enum FormatName: String, CaseIterable, Sendable {
  case vcard, vcard4, vcard3
  case vcard21 = "vcard2.1"
  case json, jsonl, jcard, jscontact, xcard, csv, tsv
  case csvLong = "csv-long"
  case googleCSV = "google-csv"
  case outlookCSV = "outlook-csv"
  case thunderbirdCSV = "thunderbird-csv"
  case ldif, table

  /// What the table says about it.
  var row: FormatRow { FormatRow.all.first { $0.name == self } ?? FormatRow.all[0] }

  /// True for the versions of vCard.
  var isCard: Bool { [.vcard, .vcard4, .vcard3, .vcard21].contains(self) }

  /// The library's format of that name.
  var format: ContactFormat {
    switch self {
    case .vcard, .vcard4: return .vcard4
    case .vcard3: return .vcard3
    case .vcard21: return .vcard21
    case .json: return .json
    case .jsonl: return .jsonl
    case .jcard: return .jcard
    case .jscontact: return .jscontact
    case .xcard: return .xcard
    case .tsv: return .tsv
    case .ldif: return .ldif
    case .googleCSV: return .googleCSV
    case .outlookCSV: return .outlookCSV
    case .thunderbirdCSV: return .thunderbirdCSV
    case .csvLong: return .csvLong
    // The rows of a table are those of CSV.
    case .csv, .table: return .csv
    }
  }

  /// The format that an extension (lower case, without dot) stands for, nil where it tells nothing.
  /// `.json` is the record; as an input its first bytes decide.
  static func ofExtension(_ text: String) -> FormatName? { FormatRow.all.first { $0.extensions.contains(text) }?.name }
}

/// One format: what the parser, the help and the completions know of it.
struct FormatRow: Sendable {
  let name: FormatName
  let isInput: Bool
  let isOutput: Bool
  let summary: String

  /// All formats, in the order in which help lists them.
  static let all: [FormatRow] = [
    FormatRow(name: .vcard, isInput: true, isOutput: true, summary: "vCard: read in any version; out: 4.0"),
    FormatRow(name: .vcard4, isInput: true, isOutput: true, summary: "vCard 4.0 (RFC 6350)"),
    FormatRow(name: .vcard3, isInput: true, isOutput: true, summary: "vCard 3.0 (RFC 2426)"),
    FormatRow(name: .vcard21, isInput: true, isOutput: true, summary: "vCard 2.1"),
    FormatRow(name: .json, isInput: true, isOutput: true, summary: "records in an array, one record a line"),
    FormatRow(name: .jsonl, isInput: true, isOutput: true, summary: "records, one JSON object a line"),
    FormatRow(name: .jcard, isInput: true, isOutput: true, summary: "jCard (RFC 7095)"),
    FormatRow(name: .jscontact, isInput: true, isOutput: true, summary: "JSContact (RFC 9553), an array of Cards"),
    FormatRow(name: .xcard, isInput: true, isOutput: true, summary: "xCard (RFC 6351), vCard as XML"),
    FormatRow(name: .csv, isInput: true, isOutput: true, summary: "spreadsheets of any kind; out: paths"),
    FormatRow(name: .tsv, isInput: true, isOutput: true, summary: "the same, separated by tabs"),
    FormatRow(name: .csvLong, isInput: true, isOutput: true, summary: "one row a value, for joining"),
    FormatRow(name: .googleCSV, isInput: true, isOutput: true, summary: "Google Contacts, of 2024 and later"),
    FormatRow(name: .outlookCSV, isInput: true, isOutput: true, summary: "Outlook, 92 columns"),
    FormatRow(name: .thunderbirdCSV, isInput: true, isOutput: true, summary: "Thunderbird, 37 columns"),
    FormatRow(name: .ldif, isInput: true, isOutput: true, summary: "LDIF, as Thunderbird has it"),
    FormatRow(name: .table, isInput: false, isOutput: true, summary: "columns for reading on a screen"),
  ]

  /// Extensions that stand for the format, the one for new files first. What is made for a screen has none.
  var extensions: [String] { name == .table ? [] : name.format.fileExtensions }

  /// How the format may be used, for help: `in, out`.
  var directions: String { isInput ? isOutput ? "in, out" : "in" : "out" }
}

/// Where a format name stands, which decides what is allowed.
enum FormatUse: Sendable {
  case input, output
  /// A version of vCard to check against.
  case version

  /// The formats that fit.
  var formats: [FormatName] {
    switch self {
    case .input: FormatRow.all.filter(\.isInput).map(\.name)
    case .output: FormatRow.all.filter(\.isOutput).map(\.name)
    case .version: FormatRow.all.map(\.name).filter(\.isCard)
    }
  }

  /// The format of that name.
  func format(_ text: String, for option: String) throws(UsageError) -> FormatName {
    if let format = FormatName(rawValue: text) {
      if formats.contains(format) { return format }
      switch self {
      case .input: throw UsageError("\(option): format '\(text)' is output only, it cannot be read")
      case .output: throw UsageError("\(option): format '\(text)' can only be read, not written")
      case .version: throw UsageError("\(option): '\(text)' is no version of vCard (\(Self.list(formats)))")
      }
    }
    let names = formats.map(\.rawValue)
    let meant = FormatName.ofExtension(text).flatMap { formats.contains($0) ? $0.rawValue : nil }
    guard let near = meant ?? NearestName.of(text, among: names) else {
      throw UsageError("\(option): unknown format '\(text)'; known are \(Self.list(formats))")
    }
    throw UsageError("\(option): unknown format '\(text)'; did you mean '\(near)'?")
  }

  private static func list(_ formats: [FormatName]) -> String { formats.map(\.rawValue).joined(separator: ", ") }
}
