// The verbs, each declared once: what it does, how it is called, what its help says.

/// A verb of the command.
enum Verb: String, CaseIterable, Sendable {
  case convert
  case extract
  case filter
  case validate
  case normalize
  case edit
  case split
  case join
  case dedupe
  case diff
  case photos
  case stats
  case fields
  case completions
  case help

  /// What the table says about it.
  var row: VerbRow { VerbRow.all.first { $0.verb == self } ?? VerbRow.all[0] }
}

/// What may stand beside a verb's options.
enum VerbOperands: Sendable {
  /// Files, folders, `-`.
  case inputs
  case none
  /// Exactly two files, folders, or `-`.
  case two(String, String)
  /// Exactly one of the words.
  case word(String, [String])
  /// At most one of the words.
  case topic(String, [String])

  /// What the usage line shows.
  var usage: String {
    switch self {
    case .inputs: "[file | folder | -]..."
    case .none: ""
    case .two(let first, let second): "\(first) \(second)"
    case .word(let name, _): name
    case .topic(let name, _): "[\(name)]"
    }
  }

  /// The words that completions offer.
  var words: [String] {
    switch self {
    case .word(_, let words), .topic(_, let words): words
    default: []
    }
  }
}

/// A command line to try, and what it is good for.
struct Example: Sendable {
  let command: String
  let purpose: String

  init(_ command: String, _ purpose: String) { (self.command, self.purpose) = (command, purpose) }
}

/// One verb: summary for lists, paragraphs for its own help.
struct VerbRow: Sendable {
  let verb: Verb
  let summary: String
  let operands: VerbOperands
  /// What `--to` may name; empty where the verb has no such option.
  var outputs: [FormatName] = []
  let paragraphs: [String]
  let examples: [Example]
  let exitStatus: String

  /// What operands are, for the help of verbs.
  static let inputs = """
    Operands are files; folders, which stand for every *.vcf and *.vcard below them (with --from: that format's extensions; hidden \
    ones and links to folders are passed over); and - for stdin, which is also read when nothing is named.
    """

  /// The formats that verbs write which pass contacts on.
  static let contactFormats: [FormatName] = [.vcard, .vcard4, .vcard3, .vcard21, .json, .jsonl, .jcard, .jscontact, .xcard, .csv, .tsv]

  /// What is copied as it stands, for the help of verbs.
  static let copies = """
    Contacts stay in the format of their input, and cards are copied byte for byte, unless --to, --for, --fold or the extension of -o \
    asks for another form.
    """

  /// All verbs, in the order in which help lists them.
  static let all: [VerbRow] = [
    convert, extract, filter, validate, normalize, edit, split, join, dedupe, diff, photos, stats, fields, completions, help,
  ]

  /// The line after "Usage:".
  var usage: String {
    let options = verb == .help ? "[--man]" : "[options]"
    return ["vcard", verb.rawValue, options, operands.usage].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
