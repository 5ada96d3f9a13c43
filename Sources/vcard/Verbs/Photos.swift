// `vcard photos`: pictures as files, files as pictures, pictures off.
import Bytes
import CardSyntax
import DataSyntax
import Files
import People

func runPhotos(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  let options = invocation.options
  if options.pictureFolder != nil || options.stripsPictures || options.pictureLimit != nil {
    return try changePictures(invocation, console: &console)
  }
  guard !options.isInPlace, let folder = options.output, !folder.isStandard else {
    throw UsageError("say into which folder the pictures go with -o, or what to do with --attach, --strip or --max-bytes")
  }
  if let idle = options.given.first(where: { [.to, .for, .fold].contains($0) }) {
    throw UsageError("\(idle.spelling) is for the contacts that --attach, --strip and --max-bytes write; here only pictures are")
  }
  let store = try PictureStore(folder, isDryRun: options.isDryRun)
  var reader = CardReader()
  var list = OutputStream()
  let fields = FieldSet(Person.pictureFields)
  var count = 0
  for file in try Inputs.files(of: invocation, outputFolder: folder) {
    var input = try InputStream(file.path)
    var number = 0
    count += try Contacts.read(file, &input, invocation, console: &console) { contact, source, console in
      store.begin(contact, of: source)
      let pictures: [Picture]
      switch contact {
      case .card(let batch, let index):
        reader.read(batch, index, only: fields)
        pictures = reader.record.pictures()
      case .record: pictures = source.record.pictures()
      }
      for picture in pictures {
        if let reference = picture.reference {
          let message = "the picture is a reference, which is not followed: \(reference)"
          Contacts.tell([Diagnostic(.pictureReference, message, line: contact.line, contact: number)], file, console: &console)
        } else {
          let path = try store.write(picture)
          if options.isDryRun { console.wouldWrite(path) }
          if !options.isDryRun { try list.write(text: line(path, picture.media, file, number, options.report)) }
        }
      }
      number += 1
    }
  }
  try list.finish()
  return count == 0 ? max(1, console.status) : console.status
}

/// What is printed of a picture that became a file: path, media type, bytes; as JSON also whose it is.
private func line(_ path: FilePath, _ media: Media, _ source: InputFile, _ contact: Int, _ form: ReportForm?) -> String {
  let type = media.mediaType.isEmpty ? "application/octet-stream" : media.mediaType
  guard form == .json else { return "\(path)\t\(type)\t\(media.bytes.count)\n" }
  var json = ByteBuffer(capacity: 256)
  for (key, text) in [("{\"path\":", path.text), (",\"mediaType\":", type), (",\"file\":", source.path.text)] {
    json.append(text: key)
    json.appendJSONString(text)
  }
  json.append(text: ",\"contact\":\(contact),\"bytes\":\(media.bytes.count)}\n")
  return json.text()
}

/// `--strip`, `--attach`, `--max-bytes`, in that order; the contacts are what is written.
private func changePictures(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  let options = invocation.options
  let files = try options.pictureFolder.map { folder in try PictureFiles(folder) }
  var editor = CardEditor(width: options.foldWidth, encoding: options.encoding)
  let limit = options.stripsPictures ? nil : options.pictureLimit
  let total = try ContactOutputs.run(invocation, keepsText: true, console: &console) { contact, source, file, output, console in
    let photo = try files?.photo(for: contact, of: source, &console)
    let strips = options.stripsPictures
    var takenOff = 0
    func isMeant(_ record: borrowing Record, _ place: Int) -> Bool {
      if strips { return true }
      guard let limit, record.pictureSize(place) > limit else { return false }
      takenOff += 1
      return true
    }
    switch contact {
    case .card(let batch, let index):
      var (current, place) = (batch, index)
      if strips, let edited = editor.remove(from: Person.pictureFields, of: current, place, where: isMeant) {
        (current, place) = (edited, 0)
      }
      if let photo, let edited = editor.apply([photo], to: current, place) { (current, place) = (edited, 0) }
      if !strips, limit != nil, let edited = editor.remove(from: Person.pictureFields, of: current, place, where: isMeant) {
        (current, place) = (edited, 0)
      }
      if current !== batch { output.isChanged = true }
      try output.write(.card(current, place), of: source, file, &console)
    case .record:
      var edited: KeptRecord?
      func change(_ next: KeptRecord?) { if let next { edited = next } }
      if strips { change(Edit.removing(from: Person.pictureFields, of: source.record, where: isMeant)) }
      if let photo { change(edited.map { photo.applied(to: $0.record) } ?? photo.applied(to: source.record)) }
      if !strips, limit != nil {
        change(
          edited.map { Edit.removing(from: Person.pictureFields, of: $0.record, where: isMeant) }
            ?? Edit.removing(from: Person.pictureFields, of: source.record, where: isMeant))
      }
      if let edited {
        output.isChanged = true
        try output.write(edited.record, file, &console)
      } else {
        try output.write(contact, of: source, file, &console)
      }
    }
    if takenOff > 0, let limit {
      let message = "\(takenOff) of the contact's pictures larger than \(limit) bytes; taken off"
      Contacts.tell([Diagnostic(.pictureTakenOff, message, line: contact.line)], file, console: &console)
    }
  }
  return total.read == 0 ? max(1, console.status) : console.status
}

/// The pictures in a folder, found by the names of contacts. Names are only compared with those that the folder has: nothing that a card
/// says becomes a path.
private final class PictureFiles {
  /// The largest file that is attached: as base64 it still fits a content line.
  private static let limit = Limits().contentLine / 4 * 3 - 1024

  private let folder: FilePath
  private var files: [String: [UInt8]] = [:]
  private var names = PictureNames()

  init(_ folder: FilePath) throws {
    guard let status = try FileSystem.status(folder) else { throw StreamError.notFound(folder) }
    if !status.isFolder { throw UsageError("--attach: \(folder) is no folder") }
    self.folder = folder
    let entries = try FileSystem.entries(of: folder).filter { !$0.isFolder && $0.name.first != ASCII.dot }
    for entry in entries.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      let dot = entry.name.lastIndex(of: ASCII.dot) ?? entry.name.count
      let key = FileNames.key(String(decoding: entry.name[..<dot], as: UTF8.self))
      if files[key] == nil { files[key] = entry.name }
    }
  }

  /// The change that sets the photo of a contact; nil where the folder has no file for it, or one that is no picture.
  func photo(for contact: Contact, of source: borrowing ContactSource, _ console: inout Console) throws -> Edit? {
    let stem = names.stem(contact, of: source)
    var keys = [stem]
    let uid = names.uid
    if !uid.isEmpty {
      keys = [FileNames.safe(uid), FileNames.safe(uidKey(uid)), stem]
    }
    guard let name = keys.compactMap({ files[FileNames.key($0)] }).first else { return nil }
    let path = folder.appending(name)
    guard let status = try FileSystem.status(path), status.isRegular else { return nil }
    var buffer = ByteBuffer(capacity: 1)
    if status.size <= Self.limit {
      var input = try InputStream(path)
      while try input.read(into: &buffer) {}
    }
    let bytes = buffer.array()
    guard let type = MediaType.ofBytes(bytes[...]), type.hasPrefix("image/"), let edit = try? Edit(photo: bytes, mediaType: type) else {
      let reason = status.size > Self.limit ? "larger than \(Self.limit) bytes" : "no picture of a known kind"
      console.report(
        Finding(file: path.text, severity: .error, rule: Rule.noPicture.id, message: "\(reason); not attached", leavesOut: true))
      return nil
    }
    return edit
  }
}

extension VerbRow {
  /// What the command says of `photos`.
  static let photos = VerbRow(
    verb: .photos, summary: "write the pictures as files, or attach pictures from files", operands: .inputs, outputs: contactFormats,
    paragraphs: [
      """
      -o names the folder for the pictures. Each file is named after the contact's full name, made safe as for 'vcard help split', \
      with the extension of what its bytes are; for each a line with path, media type and bytes is printed, with --report json an \
      object that also names the file and the contact it is from. A picture that is a \
      reference is reported; nothing is fetched, and no path found in a card is opened.
      """,
      """
      --attach DIR, --strip and --max-bytes write the contacts instead, to -o or in place. --attach sets the photo of each contact \
      for which DIR has a file named by its UID (with or without urn:uuid:) or by its full name, made safe; --strip takes all \
      pictures off, --max-bytes those that are larger. All other lines are copied byte for byte \
      unless --to, --for or --fold asks for more.
      """,
      inputs,
      """
      Contacts flow one at a time, whatever the input's size; only the names of the files are kept.
      """,
    ],
    examples: [
      Example("vcard photos contacts.vcf -o pictures/", "the pictures as files"),
      Example("vcard photos --attach pictures/ -i --backup .old contacts.vcf", "pictures from files into the contacts"),
      Example("vcard photos --max-bytes 200000 contacts.vcf > small.vcf", "large pictures off"),
    ],
    exitStatus: "0 done; 1 done, but an error was found or no contact came in; 2 not done; 130 interrupted.")
}
