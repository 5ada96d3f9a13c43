// Text as CSV cells: quoted where a reader would not get the same text back otherwise (RFC 4180, section 2).
package import Bytes

extension ByteBuffer {
  /// Adds the bytes from `start` up to, without, `end` as one cell; the delimiters between cells and the row ends are the caller's.
  ///
  /// A cell with the delimiter, a quote, CR or LF is quoted, and so is one that begins or ends with a blank or begins with `=`.
  /// Quotes are doubled. Traps where the range is none of the span.
  package mutating func appendCSVCell(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, delimiter: UInt8) {
    guard start < end else { return }
    let isPlain = ByteScan.isPlainCSV(bytes, start, end, delimiter: delimiter)
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
    for i in start..<end where bytes[i] == ASCII.quote {
      append(bytes, runStart, i)
      append(ASCII.quote)
      runStart = i
    }
    append(bytes, runStart, end)
    append(ASCII.quote)
  }
}

extension ByteScan {
  /// True if the bytes, at least one, can stand in a cell without quotes.
  package static func isPlainCSV(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, delimiter: UInt8) -> Bool {
    let first = bytes[start]
    if first == ASCII.equals || ASCII.isBlank(first) || ASCII.isBlank(bytes[end &- 1]) { return false }
    let delimiters = ones &* UInt64(delimiter)
    var i = start
    while i &+ 8 <= end {
      let word = word(bytes, i)
      let marked =
        marks(word, equalTo: ones &* 34) | marks(word, equalTo: ones &* 10) | marks(word, equalTo: ones &* 13)
        | marks(word, equalTo: delimiters)
      if marked & highs != 0 { return false }
      i &+= 8
    }
    while i < end {
      let byte = bytes[i]
      if byte == 34 || byte == 10 || byte == 13 || byte == delimiter { return false }
      i &+= 1
    }
    return true
  }
}
