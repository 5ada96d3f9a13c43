// UTF-16, either byte order, in pieces of any length, to UTF-8 and back.
internal import Bytes

/// UTF-16 in pieces of any length: half a unit and half a pair are remembered for the next piece.
struct UTF16Units {
  private let bigEndian: Bool
  private var oddByte: UInt8?
  private var highSurrogate: UInt32 = 0

  init(bigEndian: Bool) { self.bigEndian = bigEndian }

  /// The reader for a text of UTF-16, and how many bytes its byte order mark takes (0 or 2).
  ///
  /// Without an order in the label nor a mark, the side with more zero bytes tells, in favour of little-endian.
  static func opened(_ kind: TextEncoding.Kind, _ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> (UTF16Units, skip: Int) {
    let marked = end - start >= 2 ? UInt16(bytes[start]) << 8 | UInt16(bytes[start + 1]) : 0
    if marked == 0xFFFE && kind != .utf16BigEndian { return (UTF16Units(bigEndian: false), 2) }
    if marked == 0xFEFF && kind != .utf16LittleEndian { return (UTF16Units(bigEndian: true), 2) }
    guard kind == .utf16 else { return (UTF16Units(bigEndian: kind == .utf16BigEndian), 0) }
    let zeros = zeroCounts(bytes, start, min(end, start + 64))
    return (UTF16Units(bigEndian: zeros.even > zeros.odd), 0)
  }

  /// How many bytes at even and at odd places are zero.
  static func zeroCounts(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> (even: Int, odd: Int) {
    var zeros = (even: 0, odd: 0)
    for position in start..<end where bytes[position] == 0 {
      if (position - start) & 1 == 0 { zeros.even += 1 } else { zeros.odd += 1 }
    }
    return zeros
  }

  /// Writes the piece as UTF-8; false when a lone surrogate became U+FFFD.
  mutating func decode(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to buffer: inout ByteBuffer) -> Bool {
    var clean = true
    var position = start
    if let first = oddByte, position < end {
      oddByte = nil
      take(first, bytes[position], to: &buffer, clean: &clean)
      position += 1
    }
    while position &+ 1 < end {
      if position &+ 8 <= end && highSurrogate == 0 {
        var units = Words.load(bytes, position)
        if bigEndian { units = (units & 0x00FF_00FF_00FF_00FF) &<< 8 | (units &>> 8) & 0x00FF_00FF_00FF_00FF }
        if units & 0xFF80_FF80_FF80_FF80 == 0 {
          units = (units | units &>> 8) & 0x0000_FFFF_0000_FFFF
          buffer.append(word: units | units &>> 16, count: 4)
          position &+= 8
          continue
        }
      }
      take(bytes[position], bytes[position &+ 1], to: &buffer, clean: &clean)
      position &+= 2
    }
    if position < end { oddByte = bytes[position] }
    return clean
  }

  /// Ends the text; false when half a unit or half a pair was left and became U+FFFD.
  mutating func finish(to buffer: inout ByteBuffer) -> Bool {
    let clean = highSurrogate == 0 && oddByte == nil
    if !clean { buffer.append("\u{FFFD}") }
    highSurrogate = 0
    oddByte = nil
    return clean
  }

  /// Takes one unit.
  @inline(__always)
  private mutating func take(_ first: UInt8, _ second: UInt8, to buffer: inout ByteBuffer, clean: inout Bool) {
    let unit = bigEndian ? UInt32(first) << 8 | UInt32(second) : UInt32(second) << 8 | UInt32(first)
    if highSurrogate != 0 {
      let high = highSurrogate
      highSurrogate = 0
      if unit & 0xFC00 == 0xDC00 {
        return UTF8Check.append(scalar: 0x10000 &+ ((high & 0x3FF) &<< 10 | unit & 0x3FF), to: &buffer)
      }
      buffer.append("\u{FFFD}")
      clean = false
    }
    if unit & 0xFC00 == 0xD800 {
      highSurrogate = unit
    } else {
      if unit & 0xFC00 == 0xDC00 { clean = false }
      UTF8Check.append(scalar: unit, to: &buffer)
    }
  }

  /// Writes valid UTF-8 as UTF-16 without a byte order mark.
  static func encode(_ utf8: Span<UInt8>, _ start: Int, _ end: Int, bigEndian: Bool, to buffer: inout ByteBuffer) {
    var position = start
    while position < end {
      let (scalar, length) = UTF8Check.scalar(utf8, position)
      position &+= length
      let pair = scalar >= 0x10000
      let first = UInt16(truncatingIfNeeded: pair ? 0xD7C0 &+ scalar &>> 10 : scalar)
      let second = UInt16(truncatingIfNeeded: 0xDC00 | scalar & 0x3FF)
      let units = UInt64(bigEndian ? first.byteSwapped : first) | UInt64(bigEndian ? second.byteSwapped : second) &<< 16
      buffer.append(word: units, count: pair ? 4 : 2)
    }
  }
}
