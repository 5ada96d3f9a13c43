// One row of a CSV text: its cells in one buffer that is used again for the next row.
package import Bytes

/// The cells of a row without quotes and escapes. A cell beyond the last is empty, so that short rows need no care.
package struct CSVRow: ~Copyable, Sendable {
  /// Where a cell stands.
  @usableFromInline
  struct Cell: BitwiseCopyable, Sendable {
    @usableFromInline let start: Int, end: Int
    let wasQuoted: Bool
  }

  /// The bytes of all cells, one separator behind each.
  package private(set) var bytes = ByteBuffer(capacity: 1 << 10)
  @usableFromInline var cells = Tape<Cell>(capacity: 64)
  /// Where the cell that is not ended yet starts.
  private var start = 0
  /// False where all bytes are ASCII, separators too.
  private var mayHaveHighBits = false
  /// Are the separators between cells ASCII?
  private var separatesByASCII = true

  /// The physical line where the row starts, counted from 1.
  package private(set) var line = 0

  /// A row without cells, to be filled by `CSVReader.next(into:)`.
  package init() {}

  /// How many cells the row has; an empty line has one, which is empty.
  package var cellCount: Int { cells.count }

  /// True if all cells are empty.
  package var allEmpty: Bool { byteCount == 0 }

  /// True if the cell is empty or beyond the last.
  @inlinable @inline(__always)
  package func isEmpty(_ cell: Int) -> Bool {
    let range = range(of: cell)
    return range.start == range.end
  }

  /// True if the cell began with a quote.
  package func wasQuoted(_ cell: Int) -> Bool { cells.indices.contains(cell) && cells[cell].wasQuoted }

  /// Are all cells UTF-8?
  package var isUTF8: Bool {
    guard mayHaveHighBits else { return true }
    return bytes.withBytes { bytes in
      if separatesByASCII { return UTF8Check.isValid(bytes, 0, bytes.count) }
      return cells.indices.allSatisfy { UTF8Check.isValid(bytes, cells[$0].start, cells[$0].end) }
    }
  }

  /// Lends the bytes of a cell, as they stood in the text (they need be no UTF-8).
  package func withCell<R, E: Error>(_ cell: Int, _ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    let range = range(of: cell)
    return try bytes.withBytes { (all: Span<UInt8>) throws(E) -> R in try body(all.extracting(range.start..<range.end)) }
  }

  /// The text of a cell; what is no UTF-8 becomes U+FFFD.
  package func cell(_ cell: Int) -> String {
    withCell(cell) { bytes in
      if let utf8 = try? UTF8Span(validating: bytes) { return String(copying: utf8) }
      var copy = ByteBuffer(capacity: bytes.count)
      copy.append(bytes)
      return copy.text()
    }
  }

  /// Where a cell stands in `bytes`; nowhere if it is beyond the last.
  @inlinable @inline(__always)
  package func range(of cell: Int) -> (start: Int, end: Int) {
    guard cell >= 0, cell < cells.count else { return (0, 0) }
    let cell = cells[cell]
    return (cell.start, cell.end)
  }

  // MARK: Filling, for the reader

  /// How many bytes all cells hold.
  var byteCount: Int { bytes.count - cells.count }

  /// Forgets all cells and keeps the memory; the next ones are those of a row at `line`, with `separator` between them.
  package mutating func begin(line: Int, separator: UInt8) {
    bytes.removeAll()
    cells.removeAll()
    start = 0
    mayHaveHighBits = false
    separatesByASCII = separator < 0x80
    self.line = line
  }

  /// Adds bytes to the cell that is not ended yet.
  package mutating func append(_ more: Span<UInt8>, _ start: Int, _ end: Int) {
    mayHaveHighBits = mayHaveHighBits || ByteSearch.firstHighBit(in: more, from: start, to: end) < end
    bytes.append(more, start, end)
  }

  /// Adds an ASCII byte to the cell that is not ended yet.
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Ends the cell; the bytes that follow belong to the next one.
  package mutating func endCell(wasQuoted: Bool) {
    cells.append(Cell(start: start, end: bytes.count, wasQuoted: wasQuoted))
    bytes.append(ASCII.comma)
    start = bytes.count
  }

  /// Ends the cell `ahead` bytes behind those that have been added: it and its separator are among the next ones.
  @inline(__always)
  mutating func endCell(ahead: Int, wasQuoted: Bool) {
    let end = bytes.count &+ ahead
    cells.append(Cell(start: start, end: end, wasQuoted: wasQuoted))
    start = end &+ 1
  }

  /// Adds the bytes of the cells that were ended ahead of them, their separators, and what stands there of the next cell.
  mutating func append(cells more: Span<UInt8>, _ start: Int, _ end: Int, mayHaveHighBits: Bool) {
    if mayHaveHighBits { self.mayHaveHighBits = true }
    bytes.append(more, start, end)
  }
}
