// Rows of a table whose cells are made before it is known where their columns stand.

internal import Bytes
internal import DataSyntax
internal import Files

/// Rows of cells, each behind the number of its column. Where the columns of a table depend on all its contacts, rows wait here until these
/// have been seen: a few in memory, many in a temporary file. They are put in order when they are taken.
struct LooseRows: ~Copyable {
  /// Where columns stand.
  struct Layout {
    /// The place in a row, from 0, of each column by its number.
    let places: [Int]
    /// How many cells a row has.
    let count: Int
  }

  /// How many bytes of rows wait in memory before they go to the file.
  private static let room = InputStream.chunkSize

  /// What was written: of each row its length, then the cells: number, length, text. The cell that was begun last ends with it.
  var text = ByteBuffer(capacity: 1 << 12)
  private let delimiter: UInt8
  private var rowStart = 0
  /// Where the text of the cell that was begun last starts.
  private(set) var cellStart = 0
  private var file: FileDescriptor?
  /// What the file is read with; empty until then.
  private var chunk: [UInt8] = []
  private var cells: [Cell] = []
  private var spare = ByteBuffer(capacity: 256)

  init(delimiter: UInt8) { self.delimiter = delimiter }

  /// A cell of a row in its place.
  private struct Cell {
    let place: Int, start: Int, end: Int
  }

  // MARK: Filling

  mutating func beginRow() {
    rowStart = text.count
    text.append(word: 0, count: 4)
  }

  /// Begins a cell; its text goes to `text`.
  mutating func beginCell(_ column: Int) {
    text.append(word: UInt64(UInt32(truncatingIfNeeded: column)), count: 8)
    cellStart = text.count
  }

  /// Ends a cell: its text is quoted where that is needed, with an apostrophe before it where `isUnsafe` says so. Nothing is left of an empty
  /// one. `isPlain` tells that no byte of it, but for blanks at its ends, needs quotes.
  @inline(__always)
  mutating func endCell(
    isPlain: Bool = false, _ isUnsafe: (Span<UInt8>, _ start: Int, _ end: Int) -> Bool = { _, _, _ in false }
  ) {
    let (start, end, delimiter) = (cellStart, text.count, delimiter)
    guard end > start else { return text.truncate(to: start - 8) }
    let (needsPrefix, needsQuotes) = text.withBytes { bytes in
      (
        isUnsafe(bytes, start, end),
        ByteScan.hasOpenEnds(bytes, start, end) || !isPlain && !ByteScan.isPlainCSV(bytes, start, end, delimiter: delimiter)
      )
    }
    if needsPrefix || needsQuotes { rewriteCell(hasPrefix: needsPrefix) }
    text.replace(at: start - 4, with: UInt32(truncatingIfNeeded: text.count - start))
  }

  private mutating func rewriteCell(hasPrefix: Bool) {
    spare.removeAll()
    if hasPrefix { spare.append(ASCII.apostrophe) }
    text.withBytes { spare.append($0, cellStart, $0.count) }
    text.truncate(to: cellStart)
    spare.withBytes { text.appendCSVCell($0, 0, $0.count, delimiter: delimiter) }
  }

  /// A cell that is there without any text, in quotes.
  mutating func addEmptyCell(_ column: Int) {
    beginCell(column)
    text.append("\"\"")
    text.replace(at: cellStart - 4, with: 2)
  }

  mutating func endRow() { text.replace(at: rowStart, with: UInt32(truncatingIfNeeded: text.count - rowStart)) }

  /// Puts rows into the temporary file where many of them wait.
  mutating func spill() throws(StreamError) {
    if text.count >= Self.room { try store() }
  }

  private mutating func store() throws(StreamError) {
    let file = if let file = file.take() { file } else { try TemporaryFile.anonymous() }
    let waiting = text.array()
    text.removeAll()
    text.releaseSpare()
    try file.writeAll(waiting.span)
    self.file = consume file
  }

  // MARK: Taking

  /// Adds the rows in memory to the output.
  mutating func take(_ layout: Layout, to output: inout ByteBuffer) {
    var cells: [Cell] = []
    swap(&cells, &self.cells)
    let taken = text.withBytes { Self.write($0, layout, delimiter, &cells, to: &output) }
    text.removeFirst(taken)
    swap(&cells, &self.cells)
  }

  /// Adds the next of all rows to the output; false where none are left. None can be filled after this.
  mutating func next(_ layout: Layout, to output: inout ByteBuffer) throws(StreamError) -> Bool {
    guard file != nil else {
      let isLast = text.isEmpty
      take(layout, to: &output)
      return !isLast
    }
    if chunk.isEmpty {
      try store()
      try file?.seek(to: 0)
      chunk = [UInt8](repeating: 0, count: InputStream.chunkSize)
    }
    guard let count = try file?.readChunk(into: &chunk), count > 0 else { return false }
    let read = chunk
    text.append(read.span, 0, count)
    take(layout, to: &output)
    return true
  }

  /// Adds all rows that are whole to the output; returns how many bytes they took.
  private static func write(
    _ bytes: Span<UInt8>, _ layout: Layout, _ delimiter: UInt8, _ cells: inout [Cell], to output: inout ByteBuffer
  ) -> Int {
    var start = 0
    while start + 4 <= bytes.count {
      let end = start + number(bytes, start)
      guard end <= bytes.count else { break }
      write(bytes, start + 4, end, layout, delimiter, &cells, to: &output)
      start = end
    }
    return start
  }

  private static func write(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ layout: Layout, _ delimiter: UInt8, _ cells: inout [Cell],
    to output: inout ByteBuffer
  ) {
    let rowStart = output.count
    var (i, last, place) = (start, -1, 0)
    while i < end {
      let cell = cell(bytes, i, layout)
      // Most rows are in order, since that of the columns is that of the fields.
      guard cell.place > last else {
        output.truncate(to: rowStart)
        place = writeUnordered(bytes, start, end, layout, delimiter, &cells, to: &output)
        break
      }
      last = cell.place
      write(cell, bytes, at: &place, delimiter, to: &output)
      i = cell.end
    }
    output.append(repeating: delimiter, count: layout.count - 1 - place)
    output.append("\r\n")
  }

  /// Adds the cells of a row in order; returns the place of the last one.
  private static func writeUnordered(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ layout: Layout, _ delimiter: UInt8, _ cells: inout [Cell],
    to output: inout ByteBuffer
  ) -> Int {
    cells.removeAll(keepingCapacity: true)
    var i = start
    while i < end {
      cells.append(cell(bytes, i, layout))
      i = cells[cells.count - 1].end
    }
    cells.sort { ($0.place, $0.start) < ($1.place, $1.start) }
    var place = 0
    for (number, cell) in cells.enumerated() {
      // Of several cells in one place the last counts.
      if number + 1 < cells.count, cells[number + 1].place == cell.place { continue }
      write(cell, bytes, at: &place, delimiter, to: &output)
    }
    return place
  }

  @inline(__always)
  private static func write(_ cell: Cell, _ bytes: Span<UInt8>, at place: inout Int, _ delimiter: UInt8, to output: inout ByteBuffer) {
    while place < cell.place {
      output.append(delimiter)
      place &+= 1
    }
    output.append(bytes, cell.start, cell.end)
  }

  @inline(__always)
  private static func cell(_ bytes: Span<UInt8>, _ start: Int, _ layout: Layout) -> Cell {
    let head = Words.load(bytes, start)
    let text = start &+ 8
    return Cell(place: layout.places[Int(head & 0xFFFF_FFFF)], start: text, end: text &+ Int(head &>> 32))
  }

  private static func number(_ bytes: Span<UInt8>, _ position: Int) -> Int { Int(Words.loadUpTo8(bytes, position, position + 4)) }
}
