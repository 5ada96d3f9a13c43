// Contacts that wait in a temporary file until all columns of their table are known.
internal import Bytes
internal import CardSyntax
internal import Files

/// Takes contacts, notes the columns they need, and gives the contacts back once, in their order.
package struct TableRows: ~Copyable {
  private let file: FileDescriptor
  private var columns: ColumnCollector
  private var sink = ContactSink(.jsonl)
  private let source = Boxed(ContactSource(.jsonl))
  private var chunk: [UInt8] = []

  /// Rows of a table in that format.
  package init(_ format: ContactFormat, photos: Bool) throws(StreamError) {
    file = try TemporaryFile.anonymous()
    columns = ColumnCollector(format, photos: photos)
    sink.begin()
  }

  /// Takes a contact that was read from `source`.
  package mutating func add(_ contact: Contact, of source: borrowing ContactSource) throws(StreamError) {
    columns.note(contact, of: source)
    sink.write(contact, of: source)
    try store(atLeast: 1 << 16)
  }

  /// Takes a record.
  package mutating func add(_ record: borrowing Record) throws(StreamError) {
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
  package func writer() -> TableWriter { columns.writer(spreadsheets: false) }

  /// Gives the next contacts; false where none are left. Nothing can be added after this.
  package mutating func next(_ body: (Contact, borrowing ContactSource) -> Void) throws(StreamError) -> Bool {
    if chunk.isEmpty {
      try store(atLeast: 0)
      try file.seek(to: 0)
      chunk = [UInt8](repeating: 0, count: InputStream.chunkSize)
    }
    let count = try file.readChunk(into: &chunk)
    if count > 0 { source.value.feed(chunk.span.extracting(first: count)) } else { source.value.finish() }
    while let contact = source.value.next() { body(contact, source.value) }
    return count > 0
  }
}
