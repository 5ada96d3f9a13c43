// Contacts that wait in a temporary file until all columns of their table are known.
import Bytes
import CardSyntax
import Files
import People

/// Takes contacts, notes the columns they need, and gives the contacts back once, in their order.
struct TableRows: ~Copyable {
  /// The format that the contacts came in.
  let input: ContactFormat
  private let file: FileDescriptor
  private var columns = ColumnCollector(.csv, photos: true)
  private var sink = ContactSink(.jsonl)
  private var source = ContactSource(.jsonl)
  private var isReading = false

  init(_ input: ContactFormat) throws(StreamError) {
    self.input = input
    file = try TemporaryFile.anonymous()
    sink.begin()
  }

  /// Takes a contact that was read from `source`.
  mutating func add(_ contact: Contact, of source: borrowing ContactSource) throws {
    columns.note(contact, of: source)
    sink.write(contact, of: source)
    try store(atLeast: 1 << 16)
  }

  /// Takes a record.
  mutating func add(_ record: borrowing Record) throws {
    columns.note(record)
    sink.write(contact: record)
    try store(atLeast: 1 << 16)
  }

  private mutating func store(atLeast least: Int) throws(StreamError) {
    guard sink.output.count >= least else { return }
    let bytes = sink.output.array()
    try file.writeAll(bytes.span)
    sink.output.removeAll()
  }

  /// How the table is written.
  func format(as format: ContactFormat) -> TableWriter {
    if format == .ldif { return .ldif(LDIFFormat()) }
    return columns.writer(delimiter: format == .tsv ? ASCII.tab : ASCII.comma, spreadsheets: false)
  }

  /// Gives the next contacts; false where none are left. Nothing can be added after this.
  mutating func next(_ body: (Contact, borrowing ContactSource) -> Void) throws -> Bool {
    if !isReading {
      try store(atLeast: 0)
      try file.seek(to: 0)
      isReading = true
    }
    var chunk = [UInt8](repeating: 0, count: InputStream.chunkSize)
    let count = try file.readChunk(into: &chunk)
    if count > 0 { source.feed(chunk.span.extracting(first: count)) } else { source.finish() }
    while let contact = source.next() { body(contact, source) }
    return count > 0
  }
}
