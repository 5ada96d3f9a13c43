// Looking for the next byte that matters.
public import Bytes

/// Searches over bytes that JSON and CSV share. All of them take a range of the span and never read outside it.
@usableFromInline package enum ByteScan {
  /// Marks the bytes that interrupt a JSON string: `"`, `\` and control characters.
  @inlinable @inline(__always)
  package static func marksOfEscapes(_ block: ByteBlock) -> ByteBlock.Marks {
    block.marks(of: ASCII.quote) | block.marks(of: ASCII.backslash) | block.marks(below: 32)
  }

  /// Where the run of bytes ends that stand in a JSON string as they are and need no look at UTF-8:
  /// at the first `"`, `\`, control character or byte above 0x7F, else at `end`.
  @inline(__always)
  package static func endOfPlainJSON(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    ByteSearch.firstMarked(in: bytes, from: start, to: end) { marksOfEscapes($0) | $0.highMarks }
  }

  /// Where the body of a JSON string is interrupted: at the first `"`, `\` or control character, else at `end`.
  @inline(__always)
  package static func stopInJSONString(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    ByteSearch.firstMarked(in: bytes, from: start, to: end, marksOfEscapes)
  }

  /// Where the first CR, LF or `other` stands, else `end`.
  @inline(__always)
  package static func lineEnd(or other: UInt8, _ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    ByteSearch.firstMarked(in: bytes, from: start, to: end) {
      $0.marks(of: ASCII.lineFeed) | $0.marks(of: ASCII.carriageReturn) | $0.marks(of: other)
    }
  }
}

extension ByteBuffer {
  /// Adds U+FFFD, the sign for what could not be read.
  package mutating func appendReplacementCharacter() { append("\u{FFFD}") }
}
