// Looking for the next byte that matters, eight bytes at a time, and telling UTF-8 from what is none.
package import Bytes

/// Searches over bytes that JSON and CSV share. All of them take a range of the span and never read outside it.
///
/// Eight bytes are held in one word; a subtraction marks, in the highest bit of each byte, those that match. A mark above a true one
/// may be false (the subtraction borrows), hence only the lowest is used.
package enum ByteScan {
  /// One in each byte of a word.
  @inline(__always) package static var ones: UInt64 { 0x0101_0101_0101_0101 }
  /// The highest bit of each byte of a word.
  @inline(__always) package static var highs: UInt64 { 0x8080_8080_8080_8080 }

  /// The eight bytes from `position` on, the first one lowest. The one check of the range lets the compiler load them at once.
  @inline(__always)
  package static func word(_ bytes: Span<UInt8>, _ position: Int) -> UInt64 {
    let part = bytes.extracting(position..<position &+ 8)
    let low = UInt64(part[0]) | UInt64(part[1]) &<< 8 | UInt64(part[2]) &<< 16 | UInt64(part[3]) &<< 24
    let high = UInt64(part[4]) | UInt64(part[5]) &<< 8 | UInt64(part[6]) &<< 16 | UInt64(part[7]) &<< 24
    return low | high &<< 32
  }

  /// Marks the bytes of a word that equal the byte that `pattern` repeats.
  @inline(__always)
  package static func marks(_ word: UInt64, equalTo pattern: UInt64) -> UInt64 {
    let difference = word ^ pattern
    return (difference &- ones) & ~difference
  }

  /// Marks the control characters of a word, the bytes below 0x20.
  @inline(__always)
  package static func marksOfControls(_ word: UInt64) -> UInt64 { (word &- ones &* 0x20) & ~word }

  /// Where the run of bytes ends that stand in a JSON string as they are and need no look at UTF-8:
  /// at the first `"`, `\`, control character or byte above 0x7F, else at `end`.
  @inline(__always)
  package static func endOfPlainJSON(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    var i = start
    while i &+ 8 <= end {
      let word = word(bytes, i)
      let marked =
        (marks(word, equalTo: ones &* 34) | marks(word, equalTo: ones &* 92) | marksOfControls(word) | word) & highs
      if marked != 0 { return i &+ marked.trailingZeroBitCount &>> 3 }
      i &+= 8
    }
    if i < end && end &- start >= 8 {
      // The last word overlaps the one before; the zeros that are shifted in count as controls, at `end`.
      let word = word(bytes, end &- 8) &>> UInt64(truncatingIfNeeded: (8 &- (end &- i)) &* 8)
      let marked =
        (marks(word, equalTo: ones &* 34) | marks(word, equalTo: ones &* 92) | marksOfControls(word) | word) & highs
      return i &+ marked.trailingZeroBitCount &>> 3
    }
    while i < end {
      let byte = bytes[i]
      if byte == 34 || byte == 92 || byte &- 32 > 95 { return i }
      i &+= 1
    }
    return end
  }

  /// Where the body of a JSON string is interrupted: at the first `"`, `\` or control character, else at `end`.
  @inline(__always)
  package static func stopInJSONString(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    var i = start
    while i &+ 8 <= end {
      let word = word(bytes, i)
      let marked = (marks(word, equalTo: ones &* 34) | marks(word, equalTo: ones &* 92) | marksOfControls(word)) & highs
      if marked != 0 { return i &+ marked.trailingZeroBitCount &>> 3 }
      i &+= 8
    }
    while i < end {
      let byte = bytes[i]
      if byte == 34 || byte == 92 || byte < 32 { return i }
      i &+= 1
    }
    return end
  }

  /// Where the first CR, LF or `other` stands, else `end`.
  @inline(__always)
  package static func lineEnd(or other: UInt8, _ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    let others = ones &* UInt64(other)
    var i = start
    while i &+ 8 <= end {
      let word = word(bytes, i)
      let marked = (marks(word, equalTo: ones &* 10) | marks(word, equalTo: ones &* 13) | marks(word, equalTo: others)) & highs
      if marked != 0 { return i &+ marked.trailingZeroBitCount &>> 3 }
      i &+= 8
    }
    while i < end {
      let byte = bytes[i]
      if byte == 10 || byte == 13 || byte == other { return i }
      i &+= 1
    }
    return end
  }

  /// How many bytes the character at `start` takes; where it is no UTF-8, less than zero: minus the number of bytes that one U+FFFD
  /// stands for (the longest beginning of a character, else one byte, as `String(decoding:as:)` counts).
  package static func lengthOfCharacter(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    guard start < end else { return 0 }
    let lead = bytes[start]
    if lead < 0x80 { return 1 }
    let length: Int
    var lowest: UInt8 = 0x80
    var highest: UInt8 = 0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, lowest) = (3, 0xA0)
    case 0xED: (length, highest) = (3, 0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, lowest) = (4, 0x90)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, highest) = (4, 0x8F)
    default: return -1
    }
    var have = 1
    while have < length {
      guard start &+ have < end else { return -have }
      let byte = bytes[start &+ have]
      guard byte >= lowest && byte <= highest else { return -have }
      (lowest, highest) = (0x80, 0xBF)
      have &+= 1
    }
    return length
  }
}

extension ByteBuffer {
  /// Adds U+FFFD, the sign for what could not be read.
  package mutating func appendReplacementCharacter() { append("\u{FFFD}") }

  /// Adds the UTF-8 of a scalar value below 0x110000; a surrogate becomes U+FFFD.
  package mutating func appendUTF8(_ scalar: UInt32) {
    guard let scalar = Unicode.Scalar(scalar) else { return appendReplacementCharacter() }
    for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(unit) }
  }
}
