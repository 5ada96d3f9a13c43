// Text as CSV cells: quoted where a reader would not get the same text back otherwise (RFC 4180, section 2).
package import Bytes

extension ByteBuffer {
  /// Adds the bytes from `start` up to, without, `end` as one cell; the delimiters between cells and the row ends are the caller's.
  ///
  /// A cell with the delimiter, a quote, CR or LF is quoted, and so is one that begins or ends with a blank or begins with `=`.
  /// Quotes are doubled. Traps where the range is none of the span.
  package mutating func appendCSVCell(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, delimiter: UInt8) {
    guard start < end else { return }
    let isPlain = !ByteScan.hasOpenEnds(bytes, start, end) && ByteScan.isPlainCSV(bytes, start, end, delimiter: delimiter)
    if isPlain { append(bytes, start, end) } else { appendQuotedCSVCell(bytes, start, end) }
  }

  /// Adds a text as one cell.
  package mutating func appendCSVCell(_ text: String, delimiter: UInt8) {
    let utf8 = text.utf8
    let span = utf8.span
    appendCSVCell(span, 0, span.count, delimiter: delimiter)
  }

  /// Adds a cell in quotes.
  package mutating func appendQuotedCSVCell(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    append(ASCII.quote)
    var runStart = start
    while true {
      let quote = ByteSearch.firstIndex(of: ASCII.quote, in: bytes, from: runStart, to: end)
      append(bytes, runStart, quote)
      guard quote < end else { break }
      append(ASCII.quote)
      append(ASCII.quote)
      runStart = quote &+ 1
    }
    append(ASCII.quote)
  }
}

extension ByteScan {
  /// True if a cell of the bytes, at least one, begins or ends with what only quotes keep as it is.
  @inlinable @inline(__always)
  package static func hasOpenEnds(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    let (first, last) = (bytes[start], bytes[end &- 1])
    // An equals sign, blanks and tabs.
    return first == 0x3D || first == 0x20 || first == 0x09 || last == 0x20 || last == 0x09
  }

  /// True if all of the bytes can stand in a cell without quotes, its ends apart.
  package static func isPlainCSV(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, delimiter: UInt8) -> Bool {
    ByteSearch.firstMarked(in: bytes, from: start, to: end) {
      $0.marks(of: ASCII.quote) | $0.marks(of: ASCII.lineFeed) | $0.marks(of: ASCII.carriageReturn) | $0.marks(of: delimiter)
    } == end
  }
}
