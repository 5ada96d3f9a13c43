// One row of a CSV text: its cells end to end in one buffer that is used again for the next row.
package import Bytes

/// The cells of a row without quotes and escapes. A cell beyond the last is empty, so that short rows need no care.
package struct CSVRow: ~Copyable, Sendable {
  /// The bytes of all cells, end to end.
  package private(set) var bytes = ByteBuffer(capacity: 1 << 10)
  /// Where each cell ends, times two; plus one if it began with a quote.
  private var ends: [Int] = []

  /// The physical line where the row starts, counted from 1.
  package internal(set) var line = 0

  /// A row without cells, to be filled by `CSVReader.next(into:)`.
  package init() {}

  /// How many cells the row has; an empty line has one, which is empty.
  package var cellCount: Int { ends.count }

  /// True if all cells are empty.
  package var allEmpty: Bool { bytes.isEmpty }

  /// True if the cell is empty or beyond the last.
  package func isEmpty(_ cell: Int) -> Bool {
    let range = range(of: cell)
    return range.start == range.end
  }

  /// True if the cell began with a quote.
  package func wasQuoted(_ cell: Int) -> Bool { ends.indices.contains(cell) && ends[cell] & 1 == 1 }

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
  package func range(of cell: Int) -> (start: Int, end: Int) {
    guard cell >= 0, cell < ends.count else { return (0, 0) }
    return (cell == 0 ? 0 : ends[cell &- 1] &>> 1, ends[cell] &>> 1)
  }

  // MARK: Filling, for the reader

  /// How many bytes all cells hold.
  var byteCount: Int { bytes.count }

  /// Forgets all cells and keeps the memory.
  mutating func removeAll() {
    bytes.removeAll()
    ends.removeAll(keepingCapacity: true)
  }

  /// Adds bytes to the cell that is not ended yet.
  mutating func append(_ more: Span<UInt8>, _ start: Int, _ end: Int) { bytes.append(more, start, end) }

  /// Adds a byte to the cell that is not ended yet.
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Ends the cell; the bytes that follow belong to the next one.
  mutating func endCell(wasQuoted: Bool) {
    ends.append(bytes.count &<< 1 | (wasQuoted ? 1 : 0))
  }
}
