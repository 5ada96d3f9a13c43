// The formats that contacts are read from and written in, and the file names that stand for them.

package import CardSyntax
internal import Bytes

/// A format of contacts. All of them are read and written; what is read tells its format by itself in nearly all cases.
public enum ContactFormat: String, Sendable, Hashable, CaseIterable {
  /// vCard 2.1, the older form that phones and Outlook write. Reading takes every version, whichever of the three is named.
  case vcard21 = "vcard2.1"
  /// vCard 3.0 (RFC 2426).
  case vcard3
  /// vCard 4.0 (RFC 6350).
  case vcard4
  /// The JSON record: an array of objects with named members, one a line; see `Person.json`.
  case json
  /// JSON Lines: the same objects, one a line, without an array around them.
  case jsonl
  /// jCard (RFC 7095), the standard's own JSON: one card, or an array of them.
  case jcard
  /// JSContact (RFC 9553), converted by the rules of RFC 9555: an array of Cards.
  case jscontact
  /// xCard (RFC 6351), vCard as XML.
  case xcard
  /// CSV: written with paths such as `emails.1.value` as columns, read from spreadsheets of any program.
  case csv
  /// The same, separated by tabs.
  case tsv
  /// LDIF (RFC 2849), entries of a directory, as Thunderbird has them.
  case ldif
  /// The spreadsheet that Google Contacts imports.
  case googleCSV = "google-csv"
  /// The spreadsheet that Outlook imports.
  case outlookCSV = "outlook-csv"
  /// The spreadsheet that Thunderbird imports.
  case thunderbirdCSV = "thunderbird-csv"
  /// CSV with one row a value, for joining with other tables.
  case csvLong = "csv-long"

  /// Are contacts written as rows, or as entries of attributes?
  package var isTable: Bool {
    switch self {
    case .csv, .tsv, .ldif, .googleCSV, .outlookCSV, .thunderbirdCSV, .csvLong: true
    case .vcard21, .vcard3, .vcard4, .json, .jsonl, .jcard, .jscontact, .xcard: false
    }
  }

  /// The vCard version of a card format.
  package var version: CardVersion? {
    switch self {
    case .vcard21: .v21
    case .vcard3: .v30
    case .vcard4: .v40
    default: nil
    }
  }

  /// Holds it the properties of a vCard in another syntax?
  var isSibling: Bool {
    switch self {
    case .jcard, .jscontact, .xcard: true
    default: false
    }
  }

  /// What stands between the cells of a row.
  var delimiter: UInt8 { self == .tsv ? ASCII.tab : ASCII.comma }

  /// Are pictures written where nobody says whether? Not in tables, but for columns that somebody names; Google's table has a column for
  /// the address of a picture.
  package func keepsPhotos(inNamedColumns hasColumns: Bool = false) -> Bool { !isTable || hasColumns || self == .googleCSV }
}

extension ContactFormat {
  /// The extensions of file names that stand for the format, the one for new files first; none where the name tells less than the bytes.
  package var fileExtensions: [String] {
    switch self {
    case .vcard21, .vcard3, .vcard4: ["vcf", "vcard"]
    case .json: ["json"]
    case .jsonl: ["jsonl", "ndjson"]
    case .xcard: ["xml"]
    case .csv: ["csv"]
    case .tsv: ["tsv"]
    case .ldif: ["ldif"]
    case .jcard, .jscontact, .googleCSV, .outlookCSV, .thunderbirdCSV, .csvLong: []
    }
  }

  /// The format that an extension (without dot, in any letter case) stands for; nil where it tells nothing. Of vCards it is 4.0.
  package init?(fileExtension: String) {
    let text = fileExtension.lowercased()
    let known: [ContactFormat] = [.vcard4] + Self.allCases
    guard let format = known.first(where: { $0.fileExtensions.contains(text) }) else { return nil }
    self = format
  }

  /// The format of an input: what its file's extension says, else what its first bytes say. `.json` may be any of the JSON formats.
  package init(fileExtension: String, first: Span<UInt8>) {
    if let known = ContactFormat(fileExtension: fileExtension), known != .json { self = known } else { self = SniffedFormat.of(first) }
  }
}
