// What the verbs that copy contacts write to: contacts as they came, or in another format, into one output.
import Bytes
import CardSyntax
import Files
import People

/// One output of a verb that copies what it does not change.
///
/// Its format is the input's unless `--to`, `--for`, or an extension of `-o` that is none of vCard, asks for another. Cards are copied byte
/// for byte unless `--to`, `--for` or `--fold` asks for more. Rows of a table wait in a temporary file until all columns are known.
struct ContactOutput: ~Copyable {
  /// What the command line says about a format; the rest is known with the first contact.
  struct Choice {
    let to: ContactFormat?
    /// The output is named like a vCard: what came in another form becomes one.
    private let isNamedCard: Bool
    let width: Int?
    private let profile: WriterProfile?
    let isRefolded: Bool
    /// The text between cards is copied, too.
    let keepsText: Bool
    private let isInPlace: Bool

    init(_ options: Options, keepsText: Bool) throws(UsageError) {
      let named = options.output.flatMap { FormatName.ofExtension($0.fileExtension.lowercased()) }
      let isOther = named.map { !$0.isCard } ?? false
      isNamedCard = named?.isCard == true
      let asked = options.profile == nil ? options.to ?? (isOther ? named : nil) : try Contacts.outputFormat(options, named: named)
      to = asked?.format
      profile = options.profile
      width = options.foldWidth
      isRefolded = options.fold != nil
      self.keepsText = keepsText
      isInPlace = options.isInPlace
    }

    /// Are cards copied byte for byte?
    var isCopying: Bool { to == nil && !isRefolded }
    /// The format that contacts of an input are written in.
    func format(for input: ContactFormat) -> ContactFormat { to ?? (isNamedCard && input.version == nil ? .vcard4 : input) }
    /// The sink for contacts of an input.
    func sink(for input: ContactFormat) -> ContactSink {
      let format = format(for: input)
      let copying: ContactSink.Copying = to != nil ? .none : isRefolded ? .version : keepsText ? .exactBytes : .bytes
      return ContactSink(format, photos: keepsPhotos(in: format), width: width, copying: copying, profile: profile)
    }

    /// A table that comes in with pictures keeps them.
    func keepsPhotos(in format: ContactFormat) -> Bool { to == nil || !format.isTable }

    /// Refuses what cannot be replaced: another program's table would come back as one of ours, and a file keeps its format.
    func check(_ input: ContactFormat) throws(UsageError) {
      guard isInPlace else { return }
      if format(for: input).isTable { throw UsageError("--in-place does not replace tables (\(input.rawValue)); say -o") }
      if to != nil, input.version == nil { throw UsageError("--in-place makes no vCard of \(input.rawValue); say -o") }
    }
  }

  private let choice: Choice
  private var sink: ContactSink?
  /// What `sink` was made for.
  private var sinkInput: ContactFormat?
  private var isBegun = false
  private var stream: OutputStream?
  private var lastByte: UInt8 = ASCII.lineFeed
  /// Something differs from the input.
  var isChanged = false
  /// Contacts stand where they say they do; false for those that were gathered first.
  var knowsPlaces = true
  /// How many contacts were written.
  private(set) var count = 0

  /// An output; without a stream nothing is written (`--dry-run`).
  init(_ stream: consuming OutputStream?, _ choice: Choice) {
    self.stream = consume stream
    self.choice = choice
  }

  /// Readies the output for contacts of that format; the first one decides.
  mutating func begin(_ format: ContactFormat) throws {
    guard !isBegun else { return }
    try choice.check(format)
    if sink == nil || sinkInput != format { sink = choice.sink(for: format) }
    (sinkInput, isBegun) = (format, true)
    sink?.begin()
  }

  /// Goes on with another output; the one before is finished.
  mutating func begin(next stream: consuming OutputStream?) {
    self.stream = consume stream
    if let sinkInput, choice.format(for: sinkInput).isTable { sink = nil }
    (isBegun, isChanged, count, lastByte) = (false, false, 0, ASCII.lineFeed)
  }

  /// Writes a contact that was read from `source`.
  mutating func write(_ contact: Contact, of source: borrowing ContactSource, _ file: InputFile, _ console: inout Console) throws {
    try begin(source.format)
    sink?.write(contact, of: source)
    try wrote(file, &console)
  }

  /// Writes a record that was made from a contact of the input; where cards are copied, as a card of `version`, if one is named.
  mutating func write(
    _ record: borrowing Record, version: CardVersion? = nil, _ file: InputFile, _ console: inout Console
  ) throws {
    sink?.write(contact: record, version: version)
    try wrote(file, &console)
  }

  /// Writes a card with these bytes instead of its own. Call it only where cards are copied byte for byte.
  mutating func write(_ bytes: [UInt8], insteadOf card: Card, _ file: InputFile, _ console: inout Console) throws {
    sink?.write(bytes, insteadOf: card)
    try wrote(file, &console)
  }

  /// Writes what stands between cards, if that is copied. A file's last line is ended before the next file.
  mutating func write(textBetween text: [UInt8]) throws {
    guard choice.keepsText, choice.isCopying, isBegun else { return }
    var text = text
    if count > 0, text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
    sink?.write(textBetween: text)
    try flush(atLeast: 1 << 16)
  }

  /// Says that the next contacts come from another file.
  mutating func beginFile() throws {
    guard count > 0, choice.keepsText, choice.isCopying else { return }
    try flush(atLeast: 1)
    if lastByte != ASCII.lineFeed, lastByte != ASCII.carriageReturn { sink?.write(textBetween: [ASCII.carriageReturn, ASCII.lineFeed]) }
  }

  private mutating func wrote(_ file: InputFile, _ console: inout Console) throws {
    count += 1
    tellFindings(file, &console)
    if console.mustStop { throw RunStopped() }
    try flush(atLeast: 1 << 16)
  }

  private mutating func flush(atLeast least: Int) throws {
    try sink?.spill()
    guard let size = sink?.output.count, size >= least, var writing = sink.take() else { return }
    if size > 0 { lastByte = writing.output[size - 1] }
    if stream != nil { try stream?.write(&writing.output) } else { writing.output.removeAll() }
    sink = consume writing
  }

  /// Ends the output.
  mutating func finish(_ file: InputFile?, _ console: inout Console) throws {
    sink?.end()
    if let file { tellFindings(file, &console) }
    while try sink?.nextRows() == true { try flush(atLeast: 1 << 16) }
    try flush(atLeast: 1)
    try stream?.finish()
  }

  private mutating func tellFindings(_ file: InputFile, _ console: inout Console) {
    var findings = sink?.takeFindings() ?? []
    if !knowsPlaces { for i in findings.indices { (findings[i].line, findings[i].contact) = (nil, nil) } }
    Contacts.tell(findings, file, console: &console)
  }
}

/// The outputs of a run, and the files that each is made from.
enum ContactOutputs {
  /// Runs `body` over every contact of the input files; it writes what is to be written. Each input becomes an output of its own
  /// with `-i` and with `-o FOLDER/`, else all become one. A file that would be replaced by what it holds already is left alone.
  /// Returns how many contacts came in and went out.
  static func run(
    _ invocation: Invocation, keepsText: Bool, console: inout Console,
    _ body: (Contact, borrowing ContactSource, InputFile, inout ContactOutput, inout Console) throws -> Void
  ) throws -> (read: Int, written: Int) {
    let options = invocation.options
    let choice = try ContactOutput.Choice(options, keepsText: keepsText)
    var folder: FilePath?
    if case .folder(let path) = OutputTarget(options.output) { folder = path }
    let files = try Inputs.files(of: invocation, outputFolder: folder)
    var outputs: [(files: [InputFile], path: FilePath?)] = [(files, options.output)]
    if options.isInPlace {
      outputs = files.map { ([$0], $0.path) }
    } else if let folder {
      let given = choice.to.map { Contacts.fileExtension(of: $0) }
      let paths = try Inputs.outputs(for: files, in: folder, fileExtension: given)
      outputs = zip(files, paths).map { ([$0], $1) }
    }
    var total = (read: 0, written: 0)
    for (files, path) in outputs {
      if folder != nil, let path, !options.isDryRun { try FileSystem.makeFolders(path.folder) }
      var output = ContactOutput(
        options.isDryRun ? nil : try stream(path, backupSuffix: options.isInPlace ? options.backupSuffix : nil), choice)
      for file in files {
        var input = try InputStream(file.path)
        try output.beginFile()
        total.read += try Contacts.read(
          file, &input, invocation, console: &console, keepsText: true,
          between: { source in
            try output.begin(source.format)
            try output.write(textBetween: source.takeTextBetween())
          },
          { contact, source, console in try body(contact, source, file, &output, &console) })
      }
      total.written += output.count
      let isKept = options.isInPlace && !output.isChanged && choice.isCopying
      if isKept { continue }
      try output.finish(files.first, &console)
      if options.isDryRun, let path, !path.isStandard { console.wouldWrite(path) }
    }
    return total
  }

  private static func stream(_ path: FilePath?, backupSuffix: [UInt8]?) throws(StreamError) -> OutputStream {
    guard let path else { return OutputStream() }
    return try OutputStream(path, backupSuffix: backupSuffix)
  }
}
