// `vcard convert`: contacts from any format that is read to any that is written.
import Bytes
import CardSyntax
import People

func runConvert(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  let options = invocation.options
  let target = OutputTarget(options.output)
  var folder: FilePath?
  if case .folder(let path) = target { folder = path }
  let files = try Inputs.files(of: invocation, outputFolder: folder)
  let named = options.output.flatMap { FormatName.ofExtension($0.fileExtension.lowercased()) }
  let format = try Contacts.format(options.to ?? named ?? .vcard)
  if case .folder? = options.photos { throw UsageError("--photos takes inline or omit here; folders are for a later version") }
  if options.isInPlace, format.version == nil { throw UsageError("-i is for vCards; say -o for other formats") }
  var outputs: [(files: [InputFile], path: FilePath?)] = [(files, options.output)]
  if options.isInPlace {
    outputs = files.map { ([$0], $0.path) }
  } else if case .folder(let path) = target {
    let row = FormatRow.all.first { (try? Contacts.format($0.name)) == format }
    let paths = try Inputs.outputs(for: files, in: path, fileExtension: row?.extensions.first ?? "vcf")
    outputs = zip(files, paths).map { ([$0], $1) }
  }
  var count = 0
  for output in outputs {
    if options.isDryRun {
      if let path = output.path { console.wouldWrite(path) }
      count += 1
      continue
    }
    if folder != nil, let path = output.path { try FileSystem.makeFolders(path.folder) }
    count += try convert(output.files, to: output.path, format, invocation, console: &console)
  }
  return count == 0 ? max(1, console.status) : console.status
}

/// Converts files into one output; returns how many contacts there were.
private func convert(
  _ files: [InputFile], to path: FilePath?, _ format: ContactFormat, _ invocation: Invocation, console: inout Console
) throws -> Int {
  let options = invocation.options
  var width: Int? = Folding.width
  switch options.fold {
  case .off?: width = nil
  case .width(let octets)?: width = octets
  case nil: break
  }
  var photos = true
  if case .omit? = options.photos { photos = false }
  var output =
    try path.map { path throws(StreamError) in
      try OutputStream(path, backupSuffix: options.isInPlace ? options.backupSuffix : nil)
    } ?? OutputStream()
  var sink = ContactSink(format, photos: photos, width: width)
  sink.begin()
  var count = 0
  for file in files {
    var input = try InputStream(file.path)
    count += try Contacts.read(file, &input, invocation, console: &console) { contact, source, console in
      sink.write(contact, of: source)
      Contacts.tell(sink.takeFindings(), file, console: &console)
      if console.mustStop { throw RunStopped() }
      if sink.output.count > 1 << 16 { try output.write(&sink.output) }
    }
  }
  sink.end()
  if let file = files.first { Contacts.tell(sink.takeFindings(), file, console: &console) }
  try output.write(&sink.output)
  try output.finish()
  return count
}
