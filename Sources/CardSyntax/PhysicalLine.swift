// Physical lines: where one ends, whatever the program that wrote it ends lines with.

import Bytes

/// One physical line of the input: its text without the line break, and where the next line begins.
package struct PhysicalLine {
  package var start: Int, end: Int, next: Int
  /// How many line breaks its end counts for (CR CR LF counts two, the end of the input none).
  package var breaks: Int
  /// Some byte is 0x80 or above.
  var hasHighBit: Bool

  package var isEmpty: Bool { start == end }

  /// The line that starts at `start`; nil where its end is not in `bytes` yet. CRLF, LF, CR and CR CR LF end a line, and the end of
  /// the input if that is final.
  @inline(__always)
  package static func at(_ start: Int, in bytes: Span<UInt8>, isFinal: Bool) -> PhysicalLine? {
    let found = ByteSearch.firstLineBreak(in: bytes, from: start, to: bytes.count)
    let i = found.position
    guard i < bytes.count else {
      guard isFinal else { return nil }
      return PhysicalLine(start: start, end: i, next: i, breaks: 0, hasHighBit: found.sawHighBit)
    }
    if bytes[i] == ASCII.lineFeed {
      return PhysicalLine(start: start, end: i, next: i &+ 1, breaks: 1, hasHighBit: found.sawHighBit)
    }
    if i &+ 1 < bytes.count, bytes[i &+ 1] == ASCII.lineFeed {
      return PhysicalLine(start: start, end: i, next: i &+ 2, breaks: 1, hasHighBit: found.sawHighBit)
    }
    return afterCarriageReturn(i, start, in: bytes, isFinal: isFinal, hasHighBit: found.sawHighBit)
  }

  @inline(never)
  private static func afterCarriageReturn(
    _ i: Int, _ start: Int, in bytes: Span<UInt8>, isFinal: Bool, hasHighBit: Bool
  ) -> PhysicalLine? {
    var line = PhysicalLine(start: start, end: i, next: i + 1, breaks: 1, hasHighBit: hasHighBit)
    if i + 1 < bytes.count, bytes[i + 1] == ASCII.carriageReturn {
      if i + 2 < bytes.count {
        if bytes[i + 2] == ASCII.lineFeed { (line.next, line.breaks) = (i + 3, 2) }
        return line
      }
      return isFinal ? line : nil
    }
    return i + 1 < bytes.count || isFinal ? line : nil
  }

  /// Is the line, blanks around it and letter case apart, this word? What may follow the word is any text that is not part of a name.
  func says(_ word: StaticString, in bytes: Span<UInt8>) -> (Bool, hasMore: Bool) {
    var i = start
    if end - i >= 3, bytes[i] == 0xEF, bytes[i + 1] == 0xBB, bytes[i + 2] == 0xBF { i += 3 }
    while i < end, ASCII.isBlank(bytes[i]) { i += 1 }
    let length = word.utf8CodeUnitCount
    guard end - i >= length else { return (false, false) }
    let same = word.withUTF8Buffer { letters in
      for k in 0..<length {
        var byte = bytes[i + k]
        if byte == ASCII.space && k > 0 { byte = 0 }
        if unsafe ASCII.uppercased(byte) != letters[k] { return false }
      }
      return true
    }
    guard same else { return (false, false) }
    i += length
    if i < end, ASCII.isLetter(bytes[i]) || ASCII.isDigit(bytes[i]) || bytes[i] == ASCII.dash { return (false, false) }
    while i < end, ASCII.isBlank(bytes[i]) { i += 1 }
    return (true, i < end)
  }

  /// Can the line, which has a first byte, be `BEGIN:VCARD` or `END:VCARD`? This is quickly said of nearly every line.
  @inline(__always)
  func mayBeginOrEnd(in bytes: Span<UInt8>) -> Bool {
    guard start &+ 1 < end else { return false }
    switch bytes[start] | 32 {
    case UInt8(ascii: "e"): return bytes[start &+ 1] | 32 == UInt8(ascii: "n")
    case UInt8(ascii: "b"): return bytes[start &+ 1] | 32 == UInt8(ascii: "e")
    case ASCII.space, ASCII.tab | 32, 0xEF: return true
    default: return false
    }
  }

  /// Can the line, blanks before it apart, be `BEGIN:VCARD` or `END:VCARD`?
  @inline(__always)
  func mayBeBorder(in bytes: Span<UInt8>) -> Bool {
    var i = start
    while i < end, ASCII.isBlank(bytes[i]) { i &+= 1 }
    guard i &+ 1 < end else { return false }
    let (first, second) = (bytes[i] | 32, bytes[i &+ 1] | 32)
    let mayBegin = first == UInt8(ascii: "b") && second == UInt8(ascii: "e")
    return mayBegin || first == UInt8(ascii: "e") && second == UInt8(ascii: "n") || first == 0xEF
  }

  /// `BEGIN:VCARD`.
  @inline(__always)
  func isBegin(in bytes: Span<UInt8>) -> Bool {
    guard end &- start >= 11 else { return false }
    // Nearly every such line is just the word: its first and last eight bytes tell.
    let isPlain =
      end &- start == 11 && Words.uppercased(Words.load(bytes, start)) == 0x4356_3A4E_4947_4542
      && Words.uppercased(Words.load(bytes, start &+ 3)) == 0x4452_4143_563A_4E49
    return isPlain || says("BEGIN:VCARD", in: bytes).0
  }

  /// `END:VCARD`, perhaps with text behind it.
  @inline(__always)
  func isEnd(in bytes: Span<UInt8>) -> Bool {
    guard end &- start >= 9 else { return false }
    let isPlain =
      end &- start == 9 && Words.uppercased(Words.load(bytes, start)) == 0x5241_4356_3A44_4E45
      && bytes[start &+ 8] | 32 == UInt8(ascii: "d")
    return isPlain || says("END:VCARD", in: bytes).0
  }

  /// Is this indented line the first or last of a card that somebody indented, rather than more of the line before it, which may hold
  /// such a text as well (AGENT)? Nothing else stands on it; behind a BEGIN follows VERSION, behind an END a card or nothing. Nil where
  /// that is not told by the bytes that are there.
  func isIndentedBorder(in bytes: Span<UInt8>, isFinal: Bool) -> Bool? {
    guard mayBeBorder(in: bytes) else { return false }
    let (begin, last) = (says("BEGIN:VCARD", in: bytes), says("END:VCARD", in: bytes))
    guard begin.0 && !begin.hasMore || last.0 && !last.hasMore else { return false }
    guard next < bytes.count else { return isFinal ? true : nil }
    guard let following = PhysicalLine.at(next, in: bytes, isFinal: isFinal) else { return nil }
    return begin.0 ? following.says("VERSION", in: bytes).0 : following.isBlank(in: bytes) || following.isBegin(in: bytes)
  }

  /// Only blanks, or nothing.
  func isBlank(in bytes: Span<UInt8>) -> Bool {
    var i = start
    while i < end, ASCII.isBlank(bytes[i]) || bytes[i] == 0 { i += 1 }
    return i == end
  }
}
