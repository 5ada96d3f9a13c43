// Text as JSON strings: what must be escaped is escaped, and nothing else (RFC 8259, section 7).
public import Bytes

extension ByteBuffer {
  /// Adds the bytes from `start` up to, without, `end` as a JSON string with its quotes.
  ///
  /// `"`, `\` and control characters are escaped; UTF-8 stays as it is; what is no UTF-8 becomes U+FFFD. Traps where the range is none
  /// of the span.
  package mutating func appendJSONString(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    append(ASCII.quote)
    appendJSONEscaped(bytes, start, end)
    append(ASCII.quote)
  }

  /// Adds bytes as the inside of a JSON string, without quotes, so that a string can be put together from pieces.
  ///
  /// A character that is cut in two by a border between pieces becomes U+FFFD.
  package mutating func appendJSONEscaped(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    guard UTF8Check.isValid(bytes, start, end) else {
      var repaired = ByteBuffer(capacity: end &- start)
      UTF8Check.appendRepaired(bytes, start, end, to: &repaired)
      return repaired.withBytes { appendJSONEscaped($0, 0, $0.count) }
    }
    var i = appendJSONRun(bytes, start, end)
    while i < end {
      appendJSONEscape(bytes[i])
      i = appendJSONRun(bytes, i &+ 1, end)
    }
  }

  /// Adds bytes that are UTF-8 up to the first that needs an escape, and gives where that stands: `end` where none does.
  @inlinable @inline(__always)
  package mutating func appendJSONRun(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    append(bytes, start, end, upTo: ByteScan.marksOfEscapes)
  }

  /// Adds a text as a JSON string with its quotes.
  package mutating func appendJSONString(_ text: String) {
    let utf8 = text.utf8
    let span = utf8.span
    appendJSONString(span, 0, span.count)
  }

  /// Adds a text as the inside of a JSON string, without quotes.
  package mutating func appendJSONEscaped(_ text: String) {
    let utf8 = text.utf8
    let span = utf8.span
    appendJSONEscaped(span, 0, span.count)
  }

  /// Adds the escape of a quote, a backslash or a control character.
  package mutating func appendJSONEscape(_ byte: UInt8) {
    switch byte {
    case ASCII.quote: append("\\\"")
    case ASCII.backslash: append("\\\\")
    case ASCII.lineFeed: append("\\n")
    case ASCII.carriageReturn: append("\\r")
    case ASCII.tab: append("\\t")
    default:
      append("\\u00")
      append(48 &+ byte &>> 4)
      let low = byte & 15
      append(low < 10 ? 48 &+ low : 87 &+ low)
    }
  }
}
