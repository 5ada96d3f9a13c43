// Looking for the next byte that matters, eight bytes at a time.
package import Bytes

/// Searches over bytes that JSON and CSV share. All of them take a range of the span and never read outside it.
package enum ByteScan {
  /// Marks the first byte of a word that interrupts a JSON string: `"`, `\` or a control character.
  @inline(__always)
  static func marksOfEscapes(_ word: UInt64) -> UInt64 {
    Words.zeroMarks(word ^ Words.repeating(ASCII.quote)) | Words.zeroMarks(word ^ Words.repeating(ASCII.backslash))
      | Words.controlMarks(word)
  }

  /// Where the run of bytes ends that stand in a JSON string as they are and need no look at UTF-8:
  /// at the first `"`, `\`, control character or byte above 0x7F, else at `end`.
  @inline(__always)
  package static func endOfPlainJSON(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    ByteSearch.firstMarked(in: bytes, from: start, to: end) { marksOfEscapes($0) | $0 & Words.highs }
  }

  /// Where the body of a JSON string is interrupted: at the first `"`, `\` or control character, else at `end`.
  @inline(__always)
  package static func stopInJSONString(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    ByteSearch.firstMarked(in: bytes, from: start, to: end, marksOfEscapes)
  }

  /// Where the first CR, LF or `other` stands, else `end`.
  @inline(__always)
  package static func lineEnd(or other: UInt8, _ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    ByteSearch.firstMarked(in: bytes, from: start, to: end) { word in
      Words.zeroMarks(word ^ Words.repeating(ASCII.lineFeed)) | Words.zeroMarks(word ^ Words.repeating(ASCII.carriageReturn))
        | Words.zeroMarks(word ^ Words.repeating(other))
    }
  }
}

extension ByteBuffer {
  /// Adds U+FFFD, the sign for what could not be read.
  package mutating func appendReplacementCharacter() { append("\u{FFFD}") }
}
