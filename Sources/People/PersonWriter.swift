// Persons into bytes or files of any format, one after the other.

public import CardSyntax
public import Files
internal import Bytes

/// Writes persons in any format, one after the other, as bytes that the caller takes or into a file.
///
/// ```swift
/// var out = try PersonWriter(to: "contacts.json")
/// for try await person in PersonReader("contacts.vcf") { try out.write(person) }
/// try out.finish()
/// ```
///
/// Memory holds one contact and some 64 KiB, however many persons are written. A table (`csv`, `tsv`, `googleCSV`, `outlookCSV`) has
/// columns for what its contacts hold, and these are known with the last one: until `finish` the rows wait, more than a few hundred in a
/// temporary file that nobody else sees. Columns that are named beforehand spare that way; `csvLong`, `thunderbirdCSV` and `ldif` never
/// need it.
///
/// What a format cannot hold is kept in another form or left out, and `diagnostics` say which.
public struct PersonWriter: ~Copyable {
  /// Bytes that wait before they are written to a file.
  private static let room = 1 << 16

  /// The format that is written.
  public let format: ContactFormat
  /// How many persons were written.
  public private(set) var count = 0
  /// What the last call of `write`, `finish` or `takeBytes` changed, kept in another form or left out.
  public private(set) var diagnostics: [Diagnostic] = []
  private let keepsPhotos: Bool
  private var file: OutputFile?
  private let sink: Boxed<ContactSink>
  private var isFinished = false
  /// What went wrong, once something did: what is half written is never taken for whole.
  private var failure: StreamError?

  /// A writer whose bytes the caller takes with `takeBytes`.
  ///
  /// `columns` are those of a `csv` or `tsv`, each the path of a value; other formats have their own. `photos` says whether pictures are
  /// written; where it does not, they are left out of tables, but for columns that are named.
  public init(_ format: ContactFormat, columns: [FieldPath] = [], photos: Bool? = nil) {
    self.init(format, columns: columns, photos: photos, file: nil)
  }

  /// A writer into the file of that path, which has its old content until `finish` has been called, and keeps it if that never happens.
  /// A new file keeps the permissions of the old one; a device or a pipe is written to where it is. `-` is a file like others.
  ///
  /// Without a format the file's extension tells it, and vCard 4.0 is written where that tells nothing. `columns` and `photos` are those of
  /// the other initializer. Fails where the file cannot be written.
  public init(to path: String, _ format: ContactFormat? = nil, columns: [FieldPath] = [], photos: Bool? = nil) throws(StreamError) {
    let target = FilePath(path)
    let told = format ?? ContactFormat(fileExtension: target.fileExtension) ?? .vcard4
    self.init(told, columns: columns, photos: photos, file: try OutputFile(target))
  }

  private init(_ format: ContactFormat, columns: [FieldPath], photos: Bool?, file: consuming OutputFile?) {
    self.format = format
    keepsPhotos = photos ?? format.keepsPhotos(inNamedColumns: !columns.isEmpty)
    self.file = file
    sink = Boxed(ContactSink(format, photos: keepsPhotos, columns: columns))
    sink.value.begin()
  }

  /// Writes a person. Fails where the file cannot be written, or for the table's temporary file; the writer is of no use after that, and
  /// its file is left as it was. Nothing can be written after `finish`, and who tries has made a mistake: the program stops.
  public mutating func write(_ person: Person) throws(StreamError) {
    precondition(!isFinished, "a person is written after finish")
    try guarded { writer throws(StreamError) in
      writer.sink.value.write(contact: Record(person))
      try writer.flush(atLeast: Self.room)
      writer.count += 1
    }
  }

  /// Writes what stands behind the last contact, such as the end of an array, and the rows of a table that waited. A file is on the disk
  /// and has its name after this. Where bytes are taken, `takeBytes` gives the rest. A second call does nothing.
  public mutating func finish() throws(StreamError) {
    if isFinished, failure == nil { return }
    isFinished = true
    try guarded { writer throws(StreamError) in
      writer.sink.value.end()
      guard writer.file != nil else { return }
      while try writer.sink.value.nextRows() { try writer.flush(atLeast: Self.room) }
      try writer.flush(atLeast: 1)
      try writer.file?.finish()
      writer.file = nil
    }
  }

  /// The bytes that are ready, which the writer forgets: after a `write` none or some, after `finish` the rest, piece by piece, until an
  /// empty one is the end. A writer into a file has none.
  public mutating func takeBytes() throws(StreamError) -> [UInt8] {
    var taken: [UInt8] = []
    try guarded { writer throws(StreamError) in
      guard writer.file == nil else { return }
      let sink = writer.sink
      while sink.value.output.isEmpty, writer.isFinished, try sink.value.nextRows() {}
      taken = sink.value.output.array()
      sink.value.output.removeAll()
    }
    return taken
  }

  private mutating func flush(atLeast least: Int) throws(StreamError) {
    try sink.value.spill()
    guard file != nil, sink.value.output.count >= least else { return }
    try file?.write(&sink.value.output)
  }

  /// Runs a step, and keeps what went wrong.
  private mutating func guarded(_ step: (inout PersonWriter) throws(StreamError) -> Void) throws(StreamError) {
    if let failure { throw failure }
    do throws(StreamError) {
      try step(&self)
      diagnostics = sink.value.takeFindings()
    } catch {
      failure = error
      file = nil
      throw error
    }
  }
}
