// What is UTF-8 and what is not: the strict test, the repair with U+FFFD, and characters written as UTF-8.

/// Strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF. Ranges must lie in the span.
public enum UTF8Check {
  /// True when `start ..< end` is UTF-8 from end to end.
  public static func isValid(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    validPrefix(bytes, start, end) == end
  }

  /// The end of the longest prefix of `start ..< end` that is UTF-8: `end` itself when all is valid.
  public static func validPrefix(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    var position = start
    while position < end {
      let high = Words.loadUpTo8(bytes, position, end) & Words.highs
      if high == 0 {
        position &+= 8
        continue
      }
      position &+= Words.firstMark(high)
      if position &+ 4 <= bytes.count {
        let length = knownLength(Words.load4(bytes, position))
        if length > 0, position &+ length <= end {
          position &+= length
          continue
        }
      }
      let length = step(bytes, position, end)
      if length < 0 { return position }
      position &+= length
    }
    return end
  }

  /// The length of the character of several bytes that four bytes, the first lowest, begin with; 0 where there is none.
  @inline(__always)
  private static func knownLength(_ four: UInt32) -> Int {
    if four & 0xC0E0 == 0x80C0 { return four & 0x1E != 0 ? 2 : 0 }
    if four & 0xC0C0F0 == 0x8080E0 {
      let first = four & 0x200F
      return first != 0 && first != 0x200D ? 3 : 0
    }
    guard four & 0xC0C0_C0F8 == 0x8080_80F0 else { return 0 }
    let lead = four & 7
    return lead < 4 ? (four & 0x3007 != 0 ? 4 : 0) : (lead == 4 && four & 0x3000 == 0 ? 4 : 0)
  }

  /// Copies `start ..< end`; each maximal ill-formed part (Unicode 3.9, as WHATWG and Swift's `String` do) becomes one U+FFFD.
  public static func appendRepaired(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to buffer: inout ByteBuffer) {
    var position = start
    while position < end {
      let valid = validPrefix(bytes, position, end)
      buffer.append(bytes, position, valid)
      if valid == end { return }
      buffer.append("\u{FFFD}")
      position = valid &- step(bytes, valid, end)
    }
  }

  /// Writes one character; U+FFFD for what is none (surrogates, numbers above U+10FFFF).
  @inlinable
  public static func append(scalar: UInt32, to buffer: inout ByteBuffer) {
    if scalar < 0x80 { return buffer.append(UInt8(truncatingIfNeeded: scalar)) }
    let tail = UInt64(scalar & 0x3F | 0x80)
    if scalar < 0x800 { return buffer.append(word: UInt64(scalar &>> 6 | 0xC0) | tail &<< 8, count: 2) }
    let middle = UInt64(scalar &>> 6 & 0x3F | 0x80)
    if scalar < 0x10000 {
      if scalar & 0xF800 == 0xD800 { return buffer.append("\u{FFFD}") }
      return buffer.append(word: UInt64(scalar &>> 12 | 0xE0) | middle &<< 8 | tail &<< 16, count: 3)
    }
    if scalar > 0x10FFFF { return buffer.append("\u{FFFD}") }
    let high = UInt64(scalar &>> 12 & 0x3F | 0x80)
    buffer.append(word: UInt64(scalar &>> 18 | 0xF0) | high &<< 8 | middle &<< 16 | tail &<< 24, count: 4)
  }

  /// The end of the last whole character of `start ..< end`: less than `end` only where a valid character is cut off by it.
  public static func wholeCharacters(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    var lead = end &- 1
    while lead >= start && lead > end &- 4 {
      let byte = bytes[lead]
      if byte & 0xC0 != 0x80 {
        let needed = byte < 0xC2 || byte > 0xF4 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        return needed > end &- lead && step(bytes, lead, end) == lead &- end ? lead : end
      }
      lead &-= 1
    }
    return end
  }

  /// The character at `position`, which must begin valid UTF-8, and its length.
  public static func scalar(_ bytes: Span<UInt8>, _ position: Int) -> (value: UInt32, length: Int) {
    let lead = UInt32(bytes[position])
    if lead < 0x80 { return (lead, 1) }
    let second = UInt32(bytes[position &+ 1] & 0x3F)
    if lead < 0xE0 { return ((lead & 0x1F) &<< 6 | second, 2) }
    let third = UInt32(bytes[position &+ 2] & 0x3F)
    if lead < 0xF0 { return ((lead & 0x0F) &<< 12 | second &<< 6 | third, 3) }
    let fourth = UInt32(bytes[position &+ 3] & 0x3F)
    return ((lead & 0x07) &<< 18 | second &<< 12 | third &<< 6 | fourth, 4)
  }

  /// The length of the character at `position`, or, negative, that of the ill-formed part that stands there.
  public static func step(_ bytes: Span<UInt8>, _ position: Int, _ end: Int) -> Int {
    let lead = bytes[position]
    if lead < 0x80 { return 1 }
    if lead < 0xC2 || lead > 0xF4 { return -1 }
    guard position &+ 1 < end else { return -1 }
    let second = bytes[position &+ 1]
    if lead < 0xE0 { return second & 0xC0 == 0x80 ? 2 : -1 }
    let lowest: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
    let highest: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
    guard second >= lowest && second <= highest else { return -1 }
    guard position &+ 2 < end && bytes[position &+ 2] & 0xC0 == 0x80 else { return -2 }
    if lead < 0xF0 { return 3 }
    guard position &+ 3 < end && bytes[position &+ 3] & 0xC0 == 0x80 else { return -3 }
    return 4
  }
}
