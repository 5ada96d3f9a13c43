// The walk over CSV bytes that fills rows; it can stop and go on at any byte.
import Bytes

/// The state of a CSV text between two bytes. It fills `row` and says when that is complete.
struct CSVMachine: ~Copyable, Sendable {
  /// Where the walk is: before a row; before a cell; in a cell without quotes or behind its closing quote; in a quoted cell;
  /// behind a quote in a quoted cell, which ends it unless another follows.
  private enum Phase { case rowStart, cellStart, plain, quoted, quoteInQuoted }

  /// The byte between cells.
  var delimiter: UInt8
  /// The next byte to look at.
  var cursor = 0
  /// The row that is being filled.
  var row = CSVRow()
  /// The line where a quote opens that was never closed.
  private(set) var unterminatedQuoteLine: Int?
  /// How many cells a row may have.
  let maximumCells: Int

  private let maximumRowBytes: Int
  private var phase = Phase.rowStart
  private var line = 1
  private var quoteLine = 0
  private var isCellQuoted = false
  private var fault: DataSyntaxError?
  /// One or two CRs that were just passed. The first ended a line at once; an LF next belongs to them, as CRLF or CR CR LF; if none
  /// comes, the second one ended an empty line.
  private var carriageReturns = 0

  /// A machine at the start of a text.
  init(delimiter: UInt8, maximumCells: Int, maximumRowBytes: Int) {
    self.delimiter = delimiter
    self.maximumCells = max(maximumCells, 1)
    self.maximumRowBytes = max(maximumRowBytes, 1)
  }

  /// Takes notice of a first line that is no row and ended with `byte`.
  mutating func passFirstLine(endedBy byte: UInt8) {
    line = 2
    carriageReturns = byte == ASCII.carriageReturn ? 1 : 0
  }

  /// The fault of the row that was completed last, once.
  mutating func takeFault() -> DataSyntaxError? {
    defer { fault = nil }
    return fault
  }

  /// Walks to the end of a row; false where the bytes end first.
  mutating func advance(_ bytes: Span<UInt8>) -> Bool {
    while cursor < bytes.count {
      switch phase {
      case .rowStart:
        if walkRowStart(bytes[cursor]) { return true }
      case .cellStart:
        isCellQuoted = bytes[cursor] == ASCII.quote
        if isCellQuoted {
          quoteLine = line
          cursor += 1
        }
        phase = isCellQuoted ? .quoted : .plain
      case .plain:
        if walkPlain(bytes) { return true }
      case .quoted: walkQuoted(bytes)
      case .quoteInQuoted:
        phase = bytes[cursor] == ASCII.quote ? .quoted : .plain
        if phase == .quoted {
          store(ASCII.quote)
          cursor += 1
        }
      }
    }
    return false
  }

  /// Completes the row that the end of the text cuts off; false if there is none.
  mutating func finish() -> Bool {
    if phase == .rowStart {
      guard carriageReturns == 2 else { return false }
      fillEmptyRow()
      carriageReturns = 0
      return true
    }
    if phase == .quoted {
      unterminatedQuoteLine = quoteLine
      if carriageReturns == 2 { store(ASCII.lineFeed) }
      carriageReturns = 0
    }
    if phase == .cellStart { isCellQuoted = false }
    endCell()
    phase = .rowStart
    return true
  }

  /// Passes over what is left of the last line end, or begins a row; true if CRs turn out to be an empty row.
  private mutating func walkRowStart(_ byte: UInt8) -> Bool {
    if carriageReturns > 0 {
      if byte == ASCII.lineFeed {
        carriageReturns = 0
        cursor += 1
        return false
      }
      let hasEmptyRow = carriageReturns == 2
      if hasEmptyRow { fillEmptyRow() }
      if byte == ASCII.carriageReturn {
        carriageReturns = 2
        line += 1
        cursor += 1
        return hasEmptyRow
      }
      carriageReturns = 0
      if hasEmptyRow { return true }
    }
    row.begin(line: line, separator: delimiter)
    phase = .cellStart
    return false
  }

  /// The row that an empty line is; its line end was counted already.
  private mutating func fillEmptyRow() {
    row.begin(line: line - 1, separator: delimiter)
    row.endCell(wasQuoted: false)
  }

  /// Walks through cells without quotes, which are stored together; true at the end of the row.
  private mutating func walkPlain(_ bytes: Span<UInt8>) -> Bool {
    let (start, count, delimiter) = (cursor, bytes.count, self.delimiter)
    let isStored = fault == nil
    var seen: UInt64 = 0
    var isTooLong = false
    var i = start
    var stop: UInt8?
    scan: while i < count {
      let word = Words.loadUpTo8(bytes, i, count)
      seen |= word
      // Line breaks are found among the control characters, which are rare.
      var marks = Words.exactMarks(word, of: delimiter) | Words.exactMarks(below: 32, word)
      while marks != 0 {
        let place = i &+ Words.firstMark(marks)
        marks &= marks &- 1
        // The zeros behind the last byte are marked, too.
        guard place < count else { break }
        let byte = bytes[place]
        guard byte == delimiter || byte == ASCII.lineFeed || byte == ASCII.carriageReturn else { continue }
        if isStored, row.cellCount < maximumCells {
          row.endCell(ahead: place &- start, wasQuoted: isCellQuoted)
        } else {
          isTooLong = true
        }
        isCellQuoted = false
        // A quote behind a delimiter begins a cell of another kind.
        if byte == delimiter, place &+ 1 < count, bytes[place &+ 1] != ASCII.quote { continue }
        i = place &+ 1
        stop = byte
        break scan
      }
      i &+= 8
    }
    i = min(i, count)
    cursor = i
    if isStored { store(start, i, of: bytes, mayHaveHighBits: seen & Words.highs != 0, isTooLong: isTooLong) }
    guard let stop else { return false }
    guard stop == delimiter else {
      line += 1
      carriageReturns = stop == ASCII.carriageReturn ? 1 : 0
      phase = .rowStart
      return true
    }
    phase = .cellStart
    return false
  }

  /// Stores cells that have ended and what is there of the next one; `isTooLong` where some had no room.
  private mutating func store(_ start: Int, _ end: Int, of bytes: Span<UInt8>, mayHaveHighBits: Bool, isTooLong: Bool) {
    if isTooLong { return fail("A row has more than \(maximumCells) cells") }
    row.append(cells: bytes, start, end, mayHaveHighBits: mayHaveHighBits)
    if row.byteCount > maximumRowBytes { fail("A row is larger than \(maximumRowBytes) bytes") }
  }

  /// Walks through a quoted cell up to its next quote.
  private mutating func walkQuoted(_ bytes: Span<UInt8>) {
    let count = bytes.count
    while cursor < count {
      if carriageReturns > 0 {
        if takeCarriageReturns(bytes[cursor]) { continue }
      }
      let stop = ByteScan.lineEnd(or: ASCII.quote, bytes, cursor, count)
      store(bytes, cursor, stop)
      cursor = stop
      guard stop < count else { return }
      cursor += 1
      if bytes[stop] == ASCII.quote {
        phase = .quoteInQuoted
        return
      }
      store(ASCII.lineFeed)
      line += 1
      if bytes[stop] == ASCII.carriageReturn { carriageReturns = 1 }
    }
  }

  /// Looks at the byte behind one or two CRs in a quoted cell; true if it is passed over.
  private mutating func takeCarriageReturns(_ byte: UInt8) -> Bool {
    if byte != ASCII.lineFeed && carriageReturns == 2 { store(ASCII.lineFeed) }
    if byte == ASCII.carriageReturn {
      line += 1
      carriageReturns = 2
    } else {
      carriageReturns = 0
    }
    let isPassed = byte == ASCII.carriageReturn || byte == ASCII.lineFeed
    if isPassed { cursor += 1 }
    return isPassed
  }

  // MARK: Filling the row, within limits

  /// Adds bytes to the cell.
  private mutating func store(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    guard start < end && fault == nil else { return }
    guard row.byteCount + (end - start) <= maximumRowBytes else { return fail("A row is larger than \(maximumRowBytes) bytes") }
    row.append(bytes, start, end)
  }

  /// Adds a byte to the cell.
  private mutating func store(_ byte: UInt8) {
    guard fault == nil else { return }
    guard row.byteCount < maximumRowBytes else { return fail("A row is larger than \(maximumRowBytes) bytes") }
    row.append(byte)
  }

  /// Ends the cell.
  private mutating func endCell() {
    guard fault == nil else { return }
    guard row.cellCount < maximumCells else { return fail("A row has more than \(maximumCells) cells") }
    row.endCell(wasQuoted: isCellQuoted)
  }

  /// Remembers the fault of this row and frees what was stored of it.
  private mutating func fail(_ message: String) {
    fault = DataSyntaxError(message: message, line: row.line, column: 1)
    row.begin(line: row.line, separator: delimiter)
  }
}
