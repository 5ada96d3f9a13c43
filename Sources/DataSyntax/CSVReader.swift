// A stream of CSV read row by row: RFC 4180, and what spreadsheets and address books write instead.
import Bytes

/// Reads delimited text in chunks of any size; no bytes are an error except those beyond a limit.
///
/// A row ends at CRLF, LF, CR or CR CR LF. A cell that begins with `"` is quoted: two quotes in it are one, line ends in it become LF,
/// and text after its closing quote belongs to it as it stands. Elsewhere a `"` is a character like others. A byte order mark is
/// dropped. A first line `sep=;` sets the delimiter and is no row. Empty lines are rows with one empty cell.
package struct CSVReader: ~Copyable, Sendable {
  /// How many bytes of a first row are looked at to find the delimiter.
  private static var longestHead: Int { 1 << 20 }

  private var pending = ByteBuffer(capacity: 1 << 16)
  private var machine: CSVMachine
  private var isFinished = false
  private var isHeadRead: Bool
  private var head = CSVHead()
  private let scoring: (@Sendable ([String]) -> Int)?

  /// The byte between cells, once it is known: given, named by a `sep=` line, or sniffed when the first row was complete.
  package private(set) var delimiter: UInt8?

  /// The line where a quote opens that the end of the text did not close; its row came out as it is.
  package var unterminatedQuoteLine: Int? { machine.unterminatedQuoteLine }

  /// A reader. Without a delimiter the first row that is not empty decides among `,` `;` TAB `|`: the one whose cells `scoring` likes
  /// best (say, how many header names it knows), then the one that stands there most often outside of quotes.
  package init(
    delimiter: UInt8?, maximumCells: Int = 20_000, maximumRowBytes: Int = 256 << 20, scoring: (@Sendable ([String]) -> Int)? = nil
  ) {
    self.delimiter = delimiter
    self.scoring = scoring
    machine = CSVMachine(delimiter: delimiter ?? ASCII.comma, maximumCells: maximumCells, maximumRowBytes: maximumRowBytes)
    isHeadRead = false
  }

  /// A reader for one row that is tried with a delimiter.
  private init(trying delimiter: UInt8, maximumCells: Int) {
    self.delimiter = delimiter
    scoring = nil
    machine = CSVMachine(delimiter: delimiter, maximumCells: maximumCells, maximumRowBytes: Self.longestHead)
    isHeadRead = true
  }

  /// Takes the next bytes of the text. Call `next` until it returns false before feeding more.
  package mutating func feed(_ chunk: Span<UInt8>) {
    let done = machine.cursor
    if done > 0 && done >= pending.count - done {
      pending.removeFirst(done)
      machine.cursor = 0
    }
    pending.append(chunk)
  }

  /// Says that no bytes follow.
  package mutating func finish() { isFinished = true }

  /// Fills `row` with the next row; false when more bytes are needed or, after `finish`, at the end (then `row` is empty).
  ///
  /// Throws for a row beyond a limit, once; the next call goes on behind that row.
  package mutating func next(into row: inout CSVRow) throws(DataSyntaxError) -> Bool {
    row.begin(line: 0, separator: ASCII.comma)
    if !isHeadRead {
      guard readHead() else { return false }
    }
    var isComplete = pending.withBytes { machine.advance($0) }
    if !isComplete && isFinished { isComplete = machine.finish() }
    guard isComplete else { return false }
    if let fault = machine.takeFault() { throw fault }
    swap(&row, &machine.row)
    return true
  }

  /// Drops a byte order mark, obeys a `sep=` line, finds the delimiter; false when more bytes are needed for that.
  private mutating func readHead() -> Bool {
    let isWhole = isFinished
    let needsRow = delimiter == nil
    guard pending.withBytes({ head.read($0, isWhole: isWhole, needsRow: needsRow, longest: Self.longestHead) }) else { return false }
    machine.cursor = head.firstRowStart
    if let separator = head.separator {
      delimiter = separator
      if let lineEnd = head.separatorLineEnd { machine.passFirstLine(endedBy: lineEnd) }
    } else if delimiter == nil {
      delimiter = bestDelimiter()
    }
    machine.delimiter = delimiter ?? ASCII.comma
    isHeadRead = true
    return true
  }

  /// Splits the first row with each delimiter that is usual, and takes the best.
  private func bestDelimiter() -> UInt8 {
    var best = ASCII.comma
    var bestScore = (known: Int.min, occurrences: -1)
    for candidate in CSVHead.candidates {
      let score = (known: scoring?(firstRow(splitBy: candidate)) ?? 0, occurrences: head.occurrences(of: candidate))
      if score > bestScore { (best, bestScore) = (candidate, score) }
    }
    return best
  }

  /// The cells of the first row that is not empty.
  private func firstRow(splitBy candidate: UInt8) -> [String] {
    var trial = CSVReader(trying: candidate, maximumCells: machine.maximumCells)
    pending.withBytes { trial.feed($0.extracting(head.firstRowStart..<head.firstRowEnd)) }
    trial.finish()
    var row = CSVRow()
    while (try? trial.next(into: &row)) == true {
      if !row.allEmpty { return (0..<row.cellCount).map { row.cell($0) } }
    }
    return []
  }
}

/// What the first bytes of a CSV text say: whether they are a byte order mark, a `sep=` line, and where the first row ends.
private struct CSVHead: Sendable {
  /// The delimiter that a `sep=` line names.
  private(set) var separator: UInt8?
  /// The byte that ends the `sep=` line, or begins its CRLF.
  private(set) var separatorLineEnd: UInt8?
  /// Where the rows begin: behind the mark and the `sep=` line.
  private(set) var firstRowStart = 0
  /// Where the first row that is not empty ends.
  private(set) var firstRowEnd = 0

  /// The bytes that may be the delimiter, the likeliest first.
  static let candidates: [UInt8] = [ASCII.comma, ASCII.semicolon, ASCII.tab, 0x7C]

  private var counts = [0, 0, 0, 0]
  private var cursor = 0
  private var isQuoted = false
  private var mayOpenQuote = true
  private var hasText = false
  private var isMarkRead = false

  /// How often a candidate stands outside of quotes in the first row.
  func occurrences(of candidate: UInt8) -> Int { Self.candidates.firstIndex(of: candidate).map { counts[$0] } ?? 0 }

  /// Reads on; false when more bytes are needed.
  mutating func read(_ bytes: Span<UInt8>, isWhole: Bool, needsRow: Bool, longest: Int) -> Bool {
    if !isMarkRead {
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      var same = 0
      while same < 3 && same < bytes.count && bytes[same] == mark[same] { same += 1 }
      if same < 3 && same == bytes.count && !isWhole { return false }
      firstRowStart = same == 3 ? 3 : 0
      cursor = firstRowStart
      isMarkRead = true
    }
    if cursor == firstRowStart {
      switch readSeparatorLine(bytes, isWhole: isWhole) {
      case .some(true): return true
      case .some(false): break
      case .none: return false
      }
    }
    if !needsRow { return true }
    return findRowEnd(bytes, longest: longest) || isWhole
  }

  /// Looks for `sep=;`, perhaps in quotes, alone in its line: true if it is there, nil if that cannot be told yet.
  private mutating func readSeparatorLine(_ bytes: Span<UInt8>, isWhole: Bool) -> Bool? {
    var i = firstRowStart
    let isInQuotes = i < bytes.count && bytes[i] == ASCII.quote
    if isInQuotes { i += 1 }
    for letter: UInt8 in [0x73, 0x65, 0x70, 0x3D] {
      guard i < bytes.count else { return isWhole ? false : nil }
      guard ASCII.lowercased(bytes[i]) == letter else { return false }
      i += 1
    }
    guard i < bytes.count else { return isWhole ? false : nil }
    let named = bytes[i]
    guard named != ASCII.lineFeed && named != ASCII.carriageReturn && named != ASCII.quote else { return false }
    i += 1
    if isInQuotes {
      guard i < bytes.count else { return isWhole ? false : nil }
      guard bytes[i] == ASCII.quote else { return false }
      i += 1
    }
    guard i < bytes.count || isWhole else { return nil }
    if i < bytes.count {
      guard bytes[i] == ASCII.lineFeed || bytes[i] == ASCII.carriageReturn else { return false }
      separatorLineEnd = bytes[i]
      i += 1
    }
    separator = named
    firstRowStart = i
    return true
  }

  /// Looks for the end of the first row with text; a quote opens a cell behind anything that may be a delimiter.
  private mutating func findRowEnd(_ bytes: Span<UInt8>, longest: Int) -> Bool {
    while cursor < bytes.count {
      let byte = bytes[cursor]
      cursor += 1
      if byte == ASCII.quote && (isQuoted || mayOpenQuote) {
        isQuoted.toggle()
        mayOpenQuote = true
        hasText = true
      } else if !isQuoted && (byte == ASCII.lineFeed || byte == ASCII.carriageReturn) {
        firstRowEnd = cursor
        if hasText { return true }
        mayOpenQuote = true
        counts = [0, 0, 0, 0]
      } else if let candidate = Self.candidates.firstIndex(of: byte) {
        if !isQuoted { counts[candidate] += 1 }
        mayOpenQuote = true
      } else {
        mayOpenQuote = false
        hasText = true
      }
    }
    firstRowEnd = cursor
    return cursor - firstRowStart >= longest
  }
}
