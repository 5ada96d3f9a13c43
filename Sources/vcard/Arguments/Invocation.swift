// What a command line asks for, as plain values: the verb, its operands, its options.
import Bytes
import People
import CardSyntax
import Files

/// Wrong usage: said on stderr as `vcard: error: ...` with status 2.
struct UsageError: Error, Hashable {
  let message: String
  /// The verb whose help would have told.
  var verb: Verb?

  init(_ message: String, verb: Verb? = nil) { (self.message, self.verb) = (message, verb) }
}

/// A command line, understood.
struct Invocation: Sendable {
  var verb: Verb
  /// Files, folders, `-`, or words, in their order.
  var operands: [FilePath] = []
  var options = Options()
}

/// `--photos`.
enum PhotoPlace: Hashable, Sendable {
  case inline, omit
  case folder(FilePath)
}

/// `--by` of split.
enum Grouping: String, CaseIterable, Sendable {
  case categories, organization, initial
}

/// `--by` of dedupe.
enum MatchWord: String, CaseIterable, Sendable {
  case uid, email, phone, name
}

/// `--report`.
enum ReportForm: String, Sendable {
  case text, json
}

/// `--color`.
enum ColorUse: String, Sendable {
  case auto, always, never
}

/// `--fold`.
enum FoldWidth: Hashable, Sendable {
  case off
  /// Octets in a physical line.
  case width(Int)
}

/// All options of all verbs, each with what it is when nobody says anything.
struct Options: Sendable {
  var from: FormatName?
  var to: FormatName?
  var output: FilePath?
  var isInPlace = false
  var backupSuffix: [UInt8]?
  var isDryRun = false
  var encoding: String?
  var map: String?
  var photos: PhotoPlace?
  var profile: WriterProfile?
  var fold: FoldWidth?
  var columns: [String] = []
  var isForSpreadsheets = false

  var isStrict = false
  var report: ReportForm?
  var jobs: Int?
  var isQuiet = false
  var color = ColorUse.auto
  var showsProgress = false

  var fields: [String] = []
  var hasHeader = true
  var limit: Int?
  var listsAllValues = false
  var required: [String] = []
  var writesE164 = false

  var listsSteps = false
  var onlySteps: [String] = [], skippedSteps: [String] = [], addedSteps: [String] = []
  var groupForm: String?

  var listsCandidates = false
  /// `--merge`: the contacts to merge, a list for each time that the option was given.
  var merges: [[Int]] = []

  /// `--region`: the country that national telephone numbers belong to.
  var region: String?

  /// What edit is to do, in the order of the command line: the option, and what follows it.
  var edits: [(option: OptionID, text: String)] = []
  var pictureFolder: FilePath?
  var stripsPictures = false
  var pictureLimit: Int?
  var had: [String] = []
  var lacked: [String] = []
  var conditions: [String] = []
  var wantsAny = false
  var isInverted = false
  /// `--by`: what to put together (`split`), or the keys to match by (`dedupe`).
  var byWords: [String] = []
  var contactsPerFile: Int?

  var checkedVersion: FormatName?
  var listsRules = false
  var ignoredRules: [String] = []
  var errorRules: [String] = []

  var wantsManual = false
  var wantsHelp = false
  var wantsVersion = false

  /// Octets of a physical line that is written; nil for no folding.
  var foldWidth: Int? {
    switch fold {
    case .off?: nil
    case .width(let octets)?: octets
    case nil: Folding.width
    }
  }

  /// Which options were given, in their order.
  private(set) var given: [OptionID] = []

  /// Takes one option; `value` is empty for those that have none.
  mutating func take(_ row: OptionRow, _ value: [UInt8]) throws(UsageError) {
    given.append(row.id)
    let name = row.id.spelling
    let text = String(decoding: value, as: UTF8.self)
    switch row.id {
    case .from: from = try FormatUse.input.format(text, for: name)
    case .to: to = try FormatUse.output.format(text, for: name)
    case .as: checkedVersion = try FormatUse.version.format(text, for: name)
    case .output: output = FilePath(bytes: try nonEmpty(value, name))
    case .backup:
      backupSuffix = try nonEmpty(value, name)
      if value.contains(ASCII.slash) { throw UsageError("\(name): '\(text)' holds a slash") }
    case .encoding: encoding = String(decoding: try nonEmpty(value, name), as: UTF8.self)
    case .map: map = String(decoding: try nonEmpty(value, name), as: UTF8.self)
    case .photos: photos = try Self.photoPlace(try nonEmpty(value, name), name)
    case .fold: fold = text == "off" ? .off : .width(try Self.number(text, name, atLeast: 16, orElse: " or 'off'"))
    case .jobs: jobs = try Self.number(text, name, atLeast: 1)
    case .set, .add: edits.append((row.id, text))
    case .remove: edits += try Self.list(text, name).map { (row.id, $0) }
    case .attach: pictureFolder = FilePath(bytes: try nonEmpty(value, name))
    case .strip: stripsPictures = true
    case .maxBytes: pictureLimit = try Self.number(text, name, atLeast: 0)
    case .has: had += try Self.list(text, name)
    case .lacks: lacked += try Self.list(text, name)
    case .where: conditions.append(text)
    case .any: wantsAny = true
    case .not: isInverted = true
    case .by: byWords += try Self.list(text, name)
    case .count: contactsPerFile = try Self.number(text, name, atLeast: 1)
    case .limit: limit = try Self.number(text, name, atLeast: 0)
    case .report: report = ReportForm(rawValue: try Self.choice(text, row))
    case .color: color = ColorUse(rawValue: try Self.choice(text, row)) ?? .auto
    case .for: profile = WriterProfile.Reader(rawValue: try Self.choice(text, row)).map { WriterProfile($0) }
    case .columns: columns += try Self.list(text, name)
    case .excel: isForSpreadsheets = true
    case .fields: fields += try Self.list(text, name)
    case .require: required += try Self.list(text, name)
    case .e164: writesE164 = true
    case .steps: listsSteps = true
    case .only: onlySteps += try Self.list(text, name)
    case .skip: skippedSteps += try Self.list(text, name)
    case .with: addedSteps += try Self.list(text, name)
    case .groups: groupForm = try Self.choice(text, row)
    case .region: region = text
    case .merge: merges.append(try Self.list(text, name).map { number throws(UsageError) in try Self.number(number, name, atLeast: 0) })
    case .candidates: listsCandidates = true
    case .ignore: ignoredRules += try Self.list(text, name)
    case .error: errorRules += try Self.list(text, name)
    case .inPlace: isInPlace = true
    case .dryRun: isDryRun = true
    case .strict: isStrict = true
    case .quiet: isQuiet = true
    case .progress: showsProgress = true
    case .noHeader: hasHeader = false
    case .all: listsAllValues = true
    case .rules: listsRules = true
    case .man: wantsManual = true
    case .help: wantsHelp = true
    case .version: wantsVersion = true
    }
  }

  /// Refuses rule names that no rule has; `known` are the library's ids.
  func checkRules(known: [String]) throws(UsageError) {
    for (option, ids) in [(OptionID.ignore, ignoredRules), (.error, errorRules)] {
      let allowed = option == .error ? known + ["warnings"] : known
      for id in ids where !allowed.contains(id) {
        let hint = NearestName.of(id, among: allowed).map { "did you mean '\($0)'?" } ?? "'vcard validate --rules' lists them"
        throw UsageError("\(option.spelling): unknown rule '\(id)'; \(hint)")
      }
    }
  }

  private func nonEmpty(_ value: [UInt8], _ name: String) throws(UsageError) -> [UInt8] {
    if value.isEmpty { throw UsageError("\(name): the value is empty") }
    return value
  }

  private static func number(_ text: String, _ name: String, atLeast least: Int, orElse: String = "") throws(UsageError) -> Int {
    guard text.utf8.allSatisfy({ ASCII.isDigit($0) }), let number = Int(text), number >= least else {
      throw UsageError("\(name): '\(text)' is no number from \(least) up\(orElse)")
    }
    return number
  }

  /// What `split` puts together.
  func grouping() throws(UsageError) -> Grouping? {
    guard let word = byWords.first else { return nil }
    if byWords.count > 1 { throw UsageError("\(OptionID.by.spelling) takes one word here, not \(byWords.joined(separator: ","))") }
    return Grouping(rawValue: try Self.choice(word, among: Grouping.allCases.map(\.rawValue), for: OptionID.by.spelling))
  }

  /// The keys that `dedupe` matches by; all where none is named.
  func matchWords() throws(UsageError) -> [MatchWord] {
    if byWords.isEmpty { return MatchWord.allCases }
    let known = MatchWord.allCases.map(\.rawValue)
    var words: [MatchWord] = []
    for word in byWords {
      if let found = MatchWord(rawValue: try Self.choice(word, among: known, for: OptionID.by.spelling)) { words.append(found) }
    }
    return words
  }

  private static func choice(_ text: String, _ row: OptionRow) throws(UsageError) -> String {
    try choice(text, among: row.value.words, for: row.id.spelling)
  }

  private static func choice(_ text: String, among words: [String], for option: String) throws(UsageError) -> String {
    if words.contains(text) { return text }
    let hint = NearestName.of(text, among: words).map { "did you mean '\($0)'?" } ?? "it is one of \(words.joined(separator: ", "))"
    throw UsageError("\(option): unknown choice '\(text)'; \(hint)")
  }

  /// A word that is nearly a choice is refused, so that a slip makes no folder.
  private static func photoPlace(_ value: [UInt8], _ name: String) throws(UsageError) -> PhotoPlace {
    let text = String(decoding: value, as: UTF8.self)
    switch text {
    case "inline": return .inline
    case "omit": return .omit
    default:
      if !value.contains(ASCII.slash), let near = NearestName.of(text, among: ["inline", "omit"]) {
        throw UsageError("\(name): unknown choice '\(text)'; did you mean '\(near)'? A folder of that name is './\(text)'")
      }
      return .folder(FilePath(bytes: value))
    }
  }

  /// The parts between commas; a comma inside double quotes belongs to a custom label, as in `phones."boat, house"`.
  private static func list(_ text: String, _ name: String) throws(UsageError) -> [String] {
    var parts: [[UInt8]] = [[]]
    var isQuoted = false
    for byte in text.utf8 {
      if byte == ASCII.quote { isQuoted.toggle() }
      if byte == ASCII.comma, !isQuoted {
        parts.append([])
      } else {
        parts[parts.count - 1].append(byte)
      }
    }
    let words = parts.map { part in
      let start = part.firstIndex { $0 != ASCII.space } ?? part.endIndex
      let end = part.lastIndex { $0 != ASCII.space } ?? part.startIndex - 1
      return start > end ? "" : String(decoding: part[start...end], as: UTF8.self)
    }
    if words.contains("") { throw UsageError("\(name): an entry of '\(text)' is empty") }
    return words
  }
}
