// `vcard split`: one file per contact, per group of contacts, or per so many contacts.
import Bytes
import CardSyntax
import Files
import People

func runSplit(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  let options = invocation.options
  guard let folder = options.output, !folder.isStandard else { throw UsageError("split writes files: say into which folder with -o") }
  if let status = try FileSystem.status(folder), !status.isFolder { throw UsageError("\(folder) is no folder") }
  let grouping = try options.grouping()
  if grouping != nil, options.contactsPerFile != nil { throw UsageError("--by and --count exclude each other") }
  var writer = SplitWriter(folder, options, grouping, try ContactOutput.Choice(options, keepsText: false))
  let files = try Inputs.files(of: invocation, outputFolder: folder)
  if !options.isDryRun { try FileSystem.makeFolders(folder) }
  var count = 0
  for file in files {
    var input = try InputStream(file.path)
    count += try Contacts.read(file, &input, invocation, console: &console) { contact, source, console in
      try writer.write(contact, of: source, file, &console)
    }
  }
  try writer.finish(&console)
  return count == 0 ? max(1, console.status) : console.status
}

/// Gives each contact to its file.
private struct SplitWriter: ~Copyable {
  private let folder: FilePath
  private let grouping: Grouping?
  private let contactsPerFile: Int?
  private let isDryRun: Bool
  private let choice: ContactOutput.Choice
  private var names = FileNames()
  private var facts: ContactFacts
  /// The sink of the input's format; made anew when that changes.
  private var sink: ContactSink?
  private var sinkInput: ContactFormat?
  /// The file that is being filled (`--count`), how many contacts it has, how many files there were.
  private var part: ContactOutput?
  private var partCount = 0
  private var partNumber = 0
  private var spool: GroupSpool?
  private var lastFile: InputFile?

  init(_ folder: FilePath, _ options: Options, _ grouping: Grouping?, _ choice: ContactOutput.Choice) {
    (self.folder, self.choice, self.grouping, contactsPerFile) = (folder, choice, grouping, options.contactsPerFile)
    isDryRun = options.isDryRun
    facts =
      switch grouping {
      case nil: ContactFacts("fullName")
      case .categories?: ContactFacts("categories")
      case .organization?: ContactFacts("organization.name")
      case .initial?: ContactFacts("name.sortAs", "name.family", "fullName")
      }
  }

  mutating func write(_ contact: Contact, of source: borrowing ContactSource, _ file: InputFile, _ console: inout Console) throws {
    lastFile = file
    if grouping != nil { return try gather(contact, of: source) }
    if contactsPerFile != nil { return try add(contact, of: source, file, &console) }
    let format = choice.format(for: source.format)
    var output = try open(facts.text(contact, of: source), format, &console)
    if format.isTable {
      var table = ContactOutput(output.take(), choice)
      try table.write(contact, of: source, file, &console)
      return try table.finish(file, &console)
    }
    useSink(for: source.format)
    sink?.begin()
    sink?.write(contact, of: source)
    sink?.end()
    Contacts.tell(sink?.takeFindings() ?? [], file, console: &console)
    if console.mustStop { throw RunStopped() }
    try flush(into: &output)
    try output?.finish()
  }

  mutating func finish(_ console: inout Console) throws {
    try closePart(&console)
    try writeGroups(&console)
  }

  /// A new file; nil where nothing is to be written.
  private mutating func open(_ title: String, _ format: ContactFormat, _ console: inout Console) throws -> OutputStream? {
    let name = Array(names.name(for: title, fileExtension: Contacts.fileExtension(of: format)).utf8)
    if isDryRun {
      console.wouldWrite(folder.appending(name))
      return nil
    }
    return try OutputStream(named: name, in: folder)
  }

  private mutating func useSink(for input: ContactFormat) {
    if sinkInput == input { return }
    sink = choice.sink(for: input)
    sinkInput = input
  }

  private mutating func flush(into output: inout OutputStream?) throws {
    guard var writing = sink.take() else { return }
    if output != nil { try output?.write(&writing.output) } else { writing.output.removeAll() }
    sink = consume writing
  }

  // MARK: So many contacts a file

  private mutating func add(
    _ contact: Contact, of source: borrowing ContactSource, _ file: InputFile, _ console: inout Console
  ) throws {
    if partCount == contactsPerFile { try closePart(&console) }
    if partCount == 0 {
      partNumber += 1
      let digits = String(partNumber)
      let title = "contacts-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      let stream = try open(title, choice.format(for: source.format), &console)
      if part == nil { part = ContactOutput(stream, choice) } else { part?.begin(next: stream) }
    }
    partCount += 1
    try part?.write(contact, of: source, file, &console)
  }

  private mutating func closePart(_ console: inout Console) throws {
    guard partCount > 0 else { return }
    try part?.finish(lastFile, &console)
    partCount = 0
  }

  // MARK: Groups

  private mutating func gather(_ contact: Contact, of source: borrowing ContactSource) throws {
    let found = facts.values(contact, of: source)
    let titles: [String]
    switch grouping {
    case .categories?: titles = found[0].isEmpty ? ["uncategorized"] : found[0]
    case .organization?: titles = [found[0].first ?? "no organization"]
    case .initial?, nil: titles = [Self.initial(found.lazy.compactMap(\.first).first ?? "")]
    }
    if spool == nil { spool = try GroupSpool(source.format) }
    try spool?.add(contact, of: source, to: titles)
  }

  /// The first letter of a name, in upper case where the script has one (titlecase leaves Georgian as it is); `0-9` for digits.
  private static func initial(_ name: String) -> String {
    for scalar in name.unicodeScalars {
      if scalar.properties.isAlphabetic { return scalar.properties.titlecaseMapping }
      if scalar.properties.numericType != nil { return "0-9" }
    }
    return "other"
  }

  private mutating func writeGroups(_ console: inout Console) throws {
    guard let spool = spool.take(), let lastFile else { return }
    let format = choice.format(for: spool.input)
    for group in spool.titles.indices {
      var output = try open(spool.titles[group], format, &console)
      if choice.isCopying, spool.isCopied {
        try spool.forEachPiece(of: group) { try output?.write($0) }
      } else {
        var contacts = ContactOutput(output.take(), choice)
        contacts.knowsPlaces = false
        try contacts.begin(spool.input)
        var source = ContactSource(spool.stored)
        try spool.forEachPiece(of: group) { bytes in
          source.feed(bytes)
          while let contact = source.next() { try contacts.write(contact, of: source, lastFile, &console) }
        }
        source.finish()
        while let contact = source.next() { try contacts.write(contact, of: source, lastFile, &console) }
        try contacts.finish(lastFile, &console)
      }
      try output?.finish()
    }
  }
}

extension VerbRow {
  /// What the command says of `split`.
  static let split = VerbRow(
    verb: .split, summary: "write one file per contact, per category or per N contacts", operands: .inputs, outputs: contactFormats,
    paragraphs: [
      """
      -o names the folder, which is made where it is missing. Each file is named after its contact's full name, made safe: no \
      separators, no leading dot, no name that a system keeps for itself, at most \(FileNames.limit) bytes, and none twice, letter case apart \
      (the second Mira Okafor is "Mira Okafor-2.vcf"). Nothing is written outside the folder.
      """,
      """
      --by puts contacts together: by category (a contact stands in the file of each of its categories), by organization, or by \
      the first letter of the family name. --count N makes files of N contacts.
      """,
      copies,
      inputs,
      """
      Contacts flow one at a time, whatever the input's size; only the names of the files are kept. With --by, the contacts are \
      gathered in a temporary file first.
      """,
    ],
    examples: [
      Example("vcard split contacts.vcf -o contacts/", "one file per contact"),
      Example("vcard split --by categories contacts.vcf -o groups/", "one file per category"),
      Example("vcard split --count 500 contacts.vcf -o parts/", "files that a picky importer takes"),
    ],
    exitStatus: "0 done; 1 done, but an error was found or no contact came in; 2 not done; 130 interrupted.")
}
