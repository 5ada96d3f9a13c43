// The options, each declared once: parser, help, manual page and completions all read this table.
import People

/// An option by its long name.
enum OptionID: String, CaseIterable, Sendable {
  case fields
  case all, require, limit
  case e164
  case steps, only, skip, with, groups
  case noHeader = "no-header"
  case set, add, remove
  case attach, strip
  case maxBytes = "max-bytes"
  case by, count, candidates, merge
  case has, lacks, `where`, any, not
  case `as`, rules, ignore, error
  case from, to, output
  case inPlace = "in-place"
  case backup, `for`, fold, columns, excel, photos, encoding, map
  case dryRun = "dry-run"
  case region
  case strict, report, jobs, quiet, color, progress
  case man, help, version

  /// What the table says about it.
  var row: OptionRow { OptionRow.all.first { $0.id == self } ?? OptionRow.all[0] }
  /// `--dry-run`.
  var spelling: String { "--" + rawValue }
}

/// What follows an option.
enum OptionValue: Sendable {
  /// Nothing: it is said or not.
  case none
  case text(String)
  /// A list, separated by commas; the option may come again and adds to it.
  case list(String)
  /// The same, of words that completions offer.
  case listOf([String])
  /// One text; the option may come again and adds another one.
  case terms(String)
  case file(String)
  case choice([String])
  /// One of the words, or else what the placeholder names.
  case choiceOr([String], String)
  case format(FormatUse)

  /// What help shows for the value; nil where there is none.
  var placeholder: String? {
    switch self {
    case .none: nil
    case .text(let name), .terms(let name), .file(let name): name
    case .list(let name): name + ",..."
    case .listOf: "WORD,..."
    case .choice(let words): words.joined(separator: "|")
    case .choiceOr(let words, let name): (words + [name]).joined(separator: "|")
    case .format: "FORMAT"
    }
  }

  /// The words that completions offer.
  var words: [String] {
    switch self {
    case .choice(let words), .choiceOr(let words, _), .listOf(let words): words
    case .format(let use): use.formats.map(\.rawValue)
    default: []
    }
  }

  /// True where a file or folder may stand.
  var isPath: Bool {
    switch self {
    case .file: true
    case .choiceOr(_, let name): name == "DIR"
    default: false
    }
  }

  /// True where giving the option again adds to its value; elsewhere the last one counts, as in an alias that is overridden.
  var isRepeatable: Bool {
    switch self {
    case .list, .listOf, .terms: true
    default: false
    }
  }
}

/// One option: how it is written, what it takes, which verbs know it, and the sentence that help says about it.
struct OptionRow: Sendable {
  let id: OptionID
  let short: Character?
  let value: OptionValue
  let verbs: [Verb]
  /// True where help lists it under "Shared options", false under the verb's own.
  let isShared: Bool
  let help: String

  private init(
    _ id: OptionID, _ short: Character? = nil, _ value: OptionValue = .none, _ verbs: [Verb], shared: Bool = false, _ help: String
  ) {
    (self.id, self.short, self.value, self.verbs, isShared, self.help) = (id, short, value, verbs, shared, help)
  }

  private static let writers: [Verb] = [.convert, .extract, .filter, .normalize, .edit, .split, .join, .dedupe, .photos]
  private static let cardWriters: [Verb] = writers.filter { $0 != .extract }
  private static let replacers: [Verb] = [.convert, .filter, .normalize, .edit, .dedupe, .photos]
  private static let selectors: [Verb] = [.filter, .edit]
  private static let readers: [Verb] = writers + [.validate, .diff, .stats]

  /// All options: each verb's own ones, then the shared ones, in the order in which help lists them.
  static let all: [OptionRow] = [writing, printing, normalizing, matching, validating, choosing, pictures, input, talking].flatMap { $0 }

  /// How contacts are written.
  private static let writing: [OptionRow] = [
    OptionRow(
      .for, nil, .choice(WriterProfile.Reader.allCases.map(\.rawValue)), cardWriters,
      "Write vCards the way one reader needs them (see 'vcard help formats')."),
    OptionRow(
      .fold, nil, .text("N|off"), cardWriters,
      "Fold vCard lines at N octets instead of 75, or not at all."),
    OptionRow(
      .columns, nil, .list("PATH"), [.convert],
      "Write these columns of CSV or a table, in this order, instead of all that some contact needs; the input is then read once."),
    OptionRow(
      .excel, nil, .none, [.convert],
      "Write CSV for spreadsheets: a byte order mark, and an apostrophe before cells that they would run or spoil."),
  ]

  /// What extract prints.
  private static let printing: [OptionRow] = [
    OptionRow(
      .fields, "F", .list("PATH"), [.extract],
      "Print these parts of a contact (see 'vcard help paths') instead of fullName,email,phone."),
    OptionRow(
      .all, nil, .none, [.extract],
      "Print one row per value: the n-th values side by side, single ones repeated."),
    OptionRow(.require, nil, .list("PATH"), [.extract], "Leave out contacts that have no such value."),
    OptionRow(.limit, nil, .text("N"), [.extract], "Stop after N contacts."),
    OptionRow(.noHeader, nil, .none, [.extract], "Print no header line."),
    OptionRow(
      .e164, nil, .none, [.extract],
      "Print telephone numbers in E.164; one that is not sure is printed as it is."),
  ]

  /// What normalize does.
  private static let normalizing: [OptionRow] = [
    OptionRow(.steps, nil, .none, [.normalize], "List the steps with one sentence each and do nothing else."),
    OptionRow(.only, nil, .list("STEP"), [.normalize], "Run these steps and no others."),
    OptionRow(.skip, nil, .list("STEP"), [.normalize], "Leave these steps out."),
    OptionRow(.with, nil, .list("STEP"), [.normalize], "Run these steps too, which only run when asked for."),
    OptionRow(
      .groups, nil, .choice(["categories", "cards"]), [.normalize],
      "Let 'groups' make categories of group cards (as is usual), or group cards of categories."),
  ]

  /// What dedupe does.
  private static let matching: [OptionRow] = [
    OptionRow(.candidates, nil, .none, [.dedupe], "List the contacts that may be the same person, and do nothing else."),
    OptionRow(
      .merge, nil, .list("N"), [.dedupe],
      "Merge these contacts and no others (numbers as in the plan, from 0); give it again for a further group."),
  ]

  /// What validate looks for.
  private static let validating: [OptionRow] = [
    OptionRow(
      .as, nil, .format(.version), [.validate],
      "Check against this version of vCard instead of the one that each card declares."),
    OptionRow(.ignore, nil, .list("ID"), [.validate], "Pass over findings of these rules."),
    OptionRow(
      .error, nil, .list("ID"), [.validate],
      "Make findings of these rules errors; 'warnings' stands for every warning."),
    OptionRow(.rules, nil, .none, [.validate], "List all rules with one sentence each and do nothing else."),
  ]

  /// Which contacts are meant, and how they are edited.
  private static let choosing: [OptionRow] = [
    OptionRow(.set, nil, .terms("PATH=VALUE"), [.edit], "Change the value that the path names, or add it."),
    OptionRow(.add, nil, .terms("PATH=VALUE"), [.edit], "Add a value, unless it is there."),
    OptionRow(.remove, nil, .list("PATH"), [.edit], "Take off all that the path names."),
    OptionRow(.has, nil, .list("PATH"), selectors, "Take contacts that have a value there."),
    OptionRow(.lacks, nil, .list("PATH"), selectors, "Take contacts that have no value there."),
    OptionRow(
      .where, nil, .terms("CONDITION"), selectors,
      "Take contacts with a value like that: PATH=GLOB, PATH!=GLOB, PATH~REGEX, PATH<DATE, PATH>DATE."),
    OptionRow(.any, nil, .none, selectors, "One condition is enough."),
    OptionRow(.not, nil, .none, selectors, "Take the contacts that do not match."),
  ]

  /// Pictures, files of split, the manual page.
  private static let pictures: [OptionRow] = [
    OptionRow(.attach, nil, .file("DIR"), [.photos], "Set photos from the files of this folder, named by UID or full name."),
    OptionRow(.strip, nil, .none, [.photos], "Take all pictures off."),
    OptionRow(.maxBytes, nil, .text("N"), [.photos], "Take pictures of more than N bytes off."),
    OptionRow(
      .by, nil, .listOf(Grouping.allCases.map(\.rawValue) + MatchWord.allCases.map(\.rawValue)), [.split, .dedupe],
      "split: put contacts of one category, organization, or first letter of the family name into one file. dedupe: match by these keys alone."
    ),
    OptionRow(.count, nil, .text("N"), [.split], "Put N contacts into each file."),
    OptionRow(.man, nil, .none, [.help], "Print the manual page (roff), as for: vcard help --man | man -l -"),

  ]

  /// Shared: what is read and written.
  private static let input: [OptionRow] = [
    OptionRow(
      .from, "f", .format(.input), readers, shared: true,
      "The input's format, where the file name does not tell it."),
    OptionRow(
      .to, "t", .format(.output), writers, shared: true,
      "The output's format, where the file name does not tell it."),
    OptionRow(
      .output, "o", .file("PATH"), writers, shared: true,
      "Write to this file, or into this folder where PATH ends in / or is one; - is stdout, as is saying nothing."),
    OptionRow(
      .inPlace, "i", .none, replacers, shared: true,
      "Replace each input file, in its own format or by another version of vCard."),
    OptionRow(
      .backup, nil, .text("SUFFIX"), replacers, shared: true,
      "With --in-place, keep each old file under its name and SUFFIX."),
    OptionRow(
      .photos, nil, .choiceOr(["inline", "omit"], "DIR"), [.convert, .extract], shared: true,
      "Write photos inside the output, leave them out, or write them as files of a folder, with references to them."),
    OptionRow(
      .encoding, nil, .text("NAME"), readers, shared: true,
      "The input's character encoding, where its bytes do not tell it."),
    OptionRow(
      .map, nil, .text("FILE|MAP"), readers, shared: true,
      "What the columns of a foreign CSV hold: Column=path,... or a file of such lines (see 'vcard help formats')."),
  ]

  /// Shared: what is said on the way.
  private static let talking: [OptionRow] = [
    OptionRow(.dryRun, "n", .none, writers, shared: true, "Say which files would be written, and write nothing."),
    OptionRow(
      .region, nil, .text("CC"), [.extract, .normalize, .dedupe, .diff], shared: true,
      "The country (ISO 3166, such as GB) that national telephone numbers belong to; it is never guessed."),
    OptionRow(
      .strict, nil, .none, readers, shared: true,
      "End with status 2 at the first error, or the first value that would be left out."),
    OptionRow(
      .report, nil, .choice(["text", "json"]), readers + [.fields], shared: true,
      "Print every finding, as text or as one JSON object a line; without it notes are summed up at the end."),
    OptionRow(
      .jobs, nil, .text("N"), readers, shared: true,
      "Convert with N threads (default: one for each processor, 4 at most); the output is the same for every N."),
    OptionRow(.quiet, "q", .none, readers + [.fields], shared: true, "Say nothing but errors."),
    OptionRow(
      .color, nil, .choice(["auto", "always", "never"]), readers + [.fields], shared: true,
      "Color messages: on a terminal (unless NO_COLOR is set), always, or never."),
    OptionRow(.progress, nil, .none, readers, shared: true, "Show progress on stderr even where it is no terminal."),
    OptionRow(.help, "h", .none, Verb.allCases, shared: true, "Print help, for the verb if one is named."),
    OptionRow(.version, nil, .none, Verb.allCases, shared: true, "Print the version."),
  ]

  /// The option's own rows of a verb, or the shared ones that it takes.
  static func rows(of verb: Verb, shared: Bool) -> [OptionRow] { all.filter { $0.isShared == shared && $0.verbs.contains(verb) } }

  /// `-f, --from FORMAT`, with room for the short name where there is none.
  var usage: String {
    let names = short.map { "-\($0), \(id.spelling)" } ?? "    \(id.spelling)"
    return value.placeholder.map { "\(names) \($0)" } ?? names
  }
}
