// Base64 (RFC 4648), in every spelling that cards hold it in, and back.
package import Bytes

/// Base64, eight characters at a time: decoded by one table (1.5 GB/s; arithmetic on words gave 1.0), encoded by arithmetic (1.6 GB/s).
package enum Base64 {
  /// Decodes `start ..< end`; blanks and line ends do not count, `-` and `_` are `+` and `/`, padding may be missing.
  ///
  /// Returns false when other bytes were skipped, characters follow the padding, or the length is impossible. What was understood
  /// is written all the same.
  package static func decode(_ text: Span<UInt8>, _ start: Int, _ end: Int, to buffer: inout ByteBuffer) -> Bool {
    decode(text, start, end, limit: Int.max, to: &buffer)
  }

  /// The first `count` decoded bytes, or fewer where there are fewer: enough to look at a magic number.
  package static func decodedPrefix(_ text: Span<UInt8>, _ start: Int, _ end: Int, count: Int) -> [UInt8] {
    guard count > 0 else { return [] }
    var buffer = ByteBuffer(capacity: count + 16)
    _ = decode(text, start, end, limit: count, to: &buffer)
    buffer.truncate(to: count)
    return buffer.array()
  }

  /// How many bytes `decode` would write.
  package static func decodedCount(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    if isCanonical(text, start, end) {
      let padding = end == start || text[end - 1] != ASCII.equals ? 0 : text[end - 2] == ASCII.equals ? 2 : 1
      return (end - start) / 4 * 3 - padding
    }
    var count = 0
    var filled = 0
    var padding = 0
    for position in start..<end {
      if sextet(text[position]) < 64 {
        if padding > 0 && filled + padding >= 4 {
          count += max(filled - 1, 0)
          filled = 0
        }
        padding = 0
        filled += 1
        if filled == 4 {
          count += 3
          filled = 0
        }
      } else if text[position] == ASCII.equals {
        padding += 1
      }
    }
    return count + max(filled - 1, 0)
  }

  /// True for text as RFC 4648 section 4 writes it: its alphabet only, full quantums, right padding, unused bits zero, no blanks.
  package static func isCanonical(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard (end - start) & 3 == 0 else { return false }
    guard start < end else { return true }
    var close = end
    if text[close - 1] == ASCII.equals { close -= 1 }
    if close < end && text[close - 1] == ASCII.equals { close -= 1 }
    if close < end {
      let last = sextet(text[close - 1])
      guard last < 64 && last & (end - close == 2 ? 15 : 3) == 0 else { return false }
    }
    var position = start
    while position &+ 8 <= close {
      if !isStandard(Words.load(text, position)) { return false }
      position &+= 8
    }
    while position < close {
      let byte = text[position]
      guard ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x2B || byte == 0x2F else { return false }
      position &+= 1
    }
    return true
  }

  /// Writes `start ..< end` as base64 with padding, without line ends.
  package static func encode(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to buffer: inout ByteBuffer) {
    guard start < end else { return }
    buffer.reserve((end - start + 2) / 3 * 4 + 8)
    var position = start
    while position &+ 8 <= end {
      buffer.append(word: characters(Words.load(bytes, position).byteSwapped &>> 16), count: 8)
      position &+= 6
    }
    while position < end {
      let length = min(end - position, 3)
      var group: UInt64 = 0
      for offset in 0..<3 { group = group &<< 8 | UInt64(offset < length ? bytes[position + offset] : 0) }
      let quantum = characters(group &<< 24)
      buffer.append(word: quantum, count: length + 1)
      buffer.append(repeating: ASCII.equals, count: 3 - length)
      position += length
    }
  }

  /// Decodes until `limit` bytes are there or the text ends.
  private static func decode(_ text: Span<UInt8>, _ start: Int, _ end: Int, limit: Int, to buffer: inout ByteBuffer) -> Bool {
    let began = buffer.count
    buffer.reserve(min((end - start) / 4 * 3, limit) + 16)
    let values = Self.values
    let table = values.span
    precondition(table.count == 256)
    var clean = true
    var padding = 0
    var group: UInt32 = 0
    var filled = 0
    var position = start
    while position < end {
      if filled == 0 && padding == 0 {
        while position &+ 8 <= end {
          let (bytes, found) = sixBytes(Words.load(text, position), table)
          if found & 0xC0 != 0 { break }
          buffer.append(word: bytes, count: 6)
          position &+= 8
          if buffer.count &- began >= limit { return clean }
        }
      }
      // One quantum by hand: the end, a fold, damage.
      while position < end {
        let byte = text[position]
        position &+= 1
        let value = table[Int(byte)]
        if value < 64 {
          if padding > 0 {
            // Data after padding: pieces put together, each ended by itself, or a stray sign.
            clean = false
            if filled + padding >= 4 { close(&group, &filled, to: &buffer) }
            padding = 0
          }
          group = group &<< 6 | UInt32(value)
          filled &+= 1
          if filled == 4 {
            buffer.append(word: UInt64(group.byteSwapped &>> 8), count: 3)
            filled = 0
            group = 0
            break
          }
        } else if byte == ASCII.equals {
          padding &+= 1
        } else if value == 65 {
          clean = false
        }
      }
      if buffer.count &- began >= limit { return clean }
    }
    if filled == 1 || padding > 0 && (filled == 0 || filled + padding > 4) { clean = false }
    close(&group, &filled, to: &buffer)
    return clean
  }

  /// Writes the whole bytes of an unfinished quantum.
  private static func close(_ group: inout UInt32, _ filled: inout Int, to buffer: inout ByteBuffer) {
    if filled == 2 { buffer.append(UInt8(truncatingIfNeeded: group &>> 4)) }
    if filled == 3 { buffer.append(word: UInt64(UInt16(truncatingIfNeeded: group &>> 2).byteSwapped), count: 2) }
    group = 0
    filled = 0
  }

  /// The value of a character of either alphabet; 64 for what does not count (blanks, line ends, padding), 65 for damage.
  private static func sextet(_ byte: UInt8) -> UInt8 { values[Int(byte)] }

  /// `sextet` for every byte.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 65, count: 256)
    for value in 0..<26 {
      values[0x41 + value] = UInt8(value)
      values[0x61 + value] = UInt8(26 + value)
    }
    for digit in 0..<10 { values[0x30 + digit] = UInt8(52 + digit) }
    for character in [0x2B, 0x2D] { values[character] = 62 }
    for character in [0x2F, 0x5F] { values[character] = 63 }
    for character in [0x20, 0x09, 0x0A, 0x0D, 0x3D] { values[character] = 64 }
    return values
  }()

  /// The six bytes of eight characters, first byte lowest, and all values in one: one above 63 means that the bytes mean nothing.
  @inline(__always)
  private static func sixBytes(_ word: UInt64, _ table: Span<UInt8>) -> (bytes: UInt64, found: UInt64) {
    @inline(__always) func value(_ shift: UInt64) -> UInt64 { UInt64(table[Int(word &>> shift & 0xFF)]) }
    let (a, b, c, d) = (value(0), value(8), value(16), value(24))
    let (e, f, g, h) = (value(32), value(40), value(48), value(56))
    let bits = a &<< 58 | b &<< 52 | c &<< 46 | d &<< 40 | e &<< 34 | f &<< 28 | g &<< 22 | h &<< 16
    return (bits.byteSwapped, a | b | c | d | e | f | g | h)
  }

  /// True when all eight characters of a word are of the standard alphabet. Each sum stays within its byte.
  @inline(__always)
  private static func isStandard(_ word: UInt64) -> Bool {
    let ascii = word & ~Words.highs
    let folded = ascii & ~Words.repeating(0x20)
    let letter = (folded &+ Words.repeating(128 - 65)) & ~(folded &+ Words.repeating(128 - 91))
    let digit = (ascii &+ Words.repeating(128 - 48)) & ~(ascii &+ Words.repeating(128 - 58))
    let plus = ~((ascii ^ Words.repeating(0x2B)) &+ Words.repeating(0x7F))
    let slash = ~((ascii ^ Words.repeating(0x2F)) &+ Words.repeating(0x7F))
    return (letter | digit | plus | slash) & ~word & Words.highs == Words.highs
  }

  /// The eight characters of 48 bits, first character lowest.
  @inline(__always)
  private static func characters(_ bits: UInt64) -> UInt64 {
    var spread = bits & 0xFF_FFFF | (bits & 0xFFFF_FF00_0000) &<< 8
    spread = spread & 0x0000_0FFF_0000_0FFF | (spread & 0x00FF_F000_00FF_F000) &<< 4
    spread = spread & 0x003F_003F_003F_003F | (spread & 0x0FC0_0FC0_0FC0_0FC0) &<< 2
    let lower = (spread &+ Words.repeating(128 - 26)) & Words.highs
    let digit = (spread &+ Words.repeating(128 - 52)) & Words.highs
    let sign = (spread &+ Words.repeating(128 - 62)) & Words.highs
    let slash = (spread &+ Words.repeating(128 - 63)) & Words.highs
    // +65; from 26 on +6, from 52 on -75, from 62 on -15, at 63 +3; no sum leaves its byte.
    let raised = spread &+ Words.repeating(65) &+ (lower &>> 5 | lower &>> 6) &+ (slash &>> 6 | slash &>> 7)
    let lowered = raised &- (digit &>> 7) &* 75 &- (sign &>> 3 &- sign &>> 7)
    return lowered.byteSwapped
  }
}
