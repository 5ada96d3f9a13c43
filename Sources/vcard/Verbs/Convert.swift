// `vcard convert`: contacts from any format that is read to any that is written.
import Bytes
import CardSyntax
import Files
import People

func runConvert(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  let options = invocation.options
  let target = OutputTarget(options.output)
  var folder: FilePath?
  if case .folder(let path) = target { folder = path }
  let files = try Inputs.files(of: invocation, outputFolder: folder)
  let named = options.output.flatMap { FormatName.ofExtension($0.fileExtension.lowercased()) }
  let conversion = try Conversion(to: try Contacts.outputFormat(options, named: named), options)
  var outputs: [(files: [InputFile], path: FilePath?)] = [(files, options.output)]
  if options.isInPlace {
    outputs = files.map { ([$0], $0.path) }
  } else if case .folder(let path) = target {
    let paths = try Inputs.outputs(for: files, in: path, fileExtension: conversion.fileExtension)
    outputs = zip(files, paths).map { ([$0], $1) }
  }
  var store: PictureStore?
  if case .folder(let path)? = options.photos, !options.isDryRun { store = try PictureStore(path) }
  var count = 0
  for output in outputs {
    if options.isDryRun {
      if let path = output.path { console.wouldWrite(path) }
      count += 1
      continue
    }
    if folder != nil, let path = output.path { try FileSystem.makeFolders(path.folder) }
    count += try conversion.run(output.files, to: output.path, store, invocation, console: &console)
  }
  return count == 0 ? max(1, console.status) : console.status
}

/// What is converted to, and how.
private struct Conversion {
  let name: FormatName
  private let format: ContactFormat
  private let keepsPhotos: Bool
  private let width: Int?
  private let profile: WriterProfile?
  private let columns: [FieldPath]
  private let isForSpreadsheets: Bool

  /// The extension of files that are written.
  var fileExtension: String { name == .table ? "txt" : name.row.extensions.first ?? Contacts.fileExtension(of: format) }

  init(to name: FormatName, _ options: Options) throws(UsageError) {
    self.name = name
    format = name.format
    switch options.photos {
    case .inline?: keepsPhotos = true
    case .omit?: keepsPhotos = false
    case .folder?: keepsPhotos = true
    case nil: keepsPhotos = format.keepsPhotos(inNamedColumns: !options.columns.isEmpty)
    }
    width = options.foldWidth
    profile = options.profile
    if options.isInPlace, format.version == nil { throw UsageError("-i is for vCards; say -o for other formats") }
    if !options.columns.isEmpty, format != .csv, format != .tsv {
      throw UsageError("\(OptionID.columns.spelling) is for csv, tsv and table, not for \(name.rawValue)")
    }
    if options.isForSpreadsheets, !format.isTable || format == .ldif || name == .table {
      throw UsageError("\(OptionID.excel.spelling) is for csv and tsv, not for \(name.rawValue)")
    }
    var columns: [FieldPath] = []
    for text in options.columns { columns.append(try FieldPath.named(text)) }
    self.columns = columns
    isForSpreadsheets = options.isForSpreadsheets
  }

  /// Converts files into one output; returns how many contacts there were.
  func run(
    _ files: [InputFile], to path: FilePath?, _ store: PictureStore?, _ invocation: Invocation, console: inout Console
  ) throws -> Int {
    let options = invocation.options
    var output =
      try path.map { path throws(StreamError) in
        try OutputStream(path, backupSuffix: options.isInPlace ? options.backupSuffix : nil)
      } ?? OutputStream()
    store?.base = path.map { $0.isStandard ? "." : $0.folder } ?? "."
    var sink = ContactSink(
      format, photos: keepsPhotos, width: width, columns: columns, spreadsheets: isForSpreadsheets, profile: profile,
      storesPicture: store.map { store in { store.reference(to: $0) } })
    sink.begin()
    var layout = name == .table ? TableLayout() : nil
    func write(_ rows: inout ByteBuffer, isLast: Bool = false) throws {
      if layout == nil { try output.write(&rows) } else { try layout?.write(&rows, isLast: isLast, to: &output) }
    }
    var count = 0
    var parallel = ParallelConversion(jobs: jobs(options, storesPictures: store != nil)) { [format, keepsPhotos, width, profile] in
      RunWorker(ContactSink(format, photos: keepsPhotos, width: width, profile: profile))
    }
    for (number, file) in files.enumerated() {
      var stream = try InputStream(file.path)
      let first = parallel.isOn ? try stream.firstChunk() : []
      let isWhole = first.count < InputStream.chunkSize
      let isOfCards = Contacts.inputFormat(file, options, first: first.span).version != nil
      if parallel.isOn, isOfCards, RunCutter.canCut(first.span, isWhole: isWhole) {
        count += try parallel.read(number, files, first, &stream, &sink, &output, console: &console)
        continue
      }
      count += try parallel.drain(files, &sink, &output, console: &console)
      count += try Contacts.read(file, &stream, invocation, console: &console, first: first) { contact, source, console in
        store?.begin(contact, of: source)
        sink.write(contact, of: source)
        try store?.check()
        Contacts.tell(sink.takeFindings(), file, console: &console)
        if console.mustStop { throw RunStopped() }
        if sink.output.count > 1 << 16 { try write(&sink.output) }
        try sink.spill()
      }
    }
    count += try parallel.drain(files, &sink, &output, console: &console)
    sink.end()
    if let file = files.first { Contacts.tell(sink.takeFindings(), file, console: &console) }
    while try sink.nextRows() { try write(&sink.output) }
    try write(&sink.output, isLast: true)
    try output.finish()
    return count
  }

  /// How many threads work. One, where the first finding may end the run, where pictures are numbered, or where parts of the output
  /// cannot be joined.
  private func jobs(_ options: Options, storesPictures: Bool) -> Int {
    if options.isStrict || options.encoding != nil || storesPictures || !ContactSink.canJoin(format) { return 1 }
    return options.jobs ?? min(Process.processorCount, 4)
  }
}

extension VerbRow {
  /// What the command says of `convert`.
  static let convert = VerbRow(
    verb: .convert, summary: "write contacts in another format or version", operands: .inputs,
    outputs: [
      .vcard, .vcard4, .vcard3, .vcard21, .json, .jsonl, .jcard, .jscontact, .xcard, .csv, .tsv, .csvLong, .googleCSV, .outlookCSV,
      .thunderbirdCSV, .ldif, .table,
    ],
    paragraphs: [
      """
      Several inputs become one output, or, with -o FOLDER/, one output file per input. The input's format is told by --from, else \
      by the file's extension, else by its first bytes; the output's by --to, else by the extension of -o, else it is vcard.
      """,
      """
      What is written is right for its version: what was wrong is put right, what the format cannot hold is kept in another form or \
      left out, and stderr says which. Photos are written inline, left out with --photos omit, or, with --photos DIR, written as \
      files of that folder, to which relative references lead; in CSV they are left out unless --photos says otherwise.
      """,
      """
      The columns of CSV are paths (see 'vcard help paths'): all that some contact needs, so that nothing is lost on the way back, or \
      those that --columns names. A table shows the same rows on a screen; its widths are those of the first 1,000.
      """,
      """
      CSV is read in any dialect: the header row tells whether it is our own, Google's, Outlook's, Thunderbird's or another program's; --map \
      says what unknown columns hold. google-csv, outlook-csv, thunderbird-csv and ldif are written for these programs: what has no \
      column goes to a field of one's own or to the notes, or is reported.
      """,
      inputs,
      """
      Contacts flow one at a time, whatever the input's size. The rows of CSV and tables without --columns, of google-csv and outlook-csv \
      wait in a temporary file until all columns are known.
      """,
    ],
    examples: [
      Example("vcard convert contacts.vcf -o contacts.json", "vCard to JSON"),
      Example("vcard convert contacts.vcf -o contacts.csv", "vCard to CSV, for a spreadsheet; and back with: vcard convert contacts.csv"),
      Example("vcard convert export.csv -o contacts.vcf", "what Outlook or Google exported to vCard"),
      Example("vcard convert -t jsonl < contacts.vcf > contacts.jsonl", "vCard to JSON, one object a line"),
      Example("vcard convert -t vcard3 -i --backup .old book/", "a folder of vCards to version 3.0, old files kept"),
    ],
    exitStatus: "0 done; 1 done, but an error was found, a value was left out or no contact came in; 2 not done; 130 interrupted.")
}
