// Sketches of values: numbers that are equal where values are, made at a glance.

internal import Bytes

/// Tells values apart that cannot be equal, so that only the others are read.
enum Sketch {
  /// Of a telephone number: its last six digits.
  static func number(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> UInt64 {
    var (sketch, power, i) = (UInt64(0), UInt64(1), end)
    while i > start, power < 1_000_000 {
      i &-= 1
      guard ASCII.isDigit(bytes[i]) else { continue }
      sketch += UInt64(bytes[i] & 15) * power
      power *= 10
    }
    return sketch
  }

  /// Of a text: its first eight letters and digits, whatever their case, and its last eight.
  static func text(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> UInt64 {
    var (head, tail) = (UInt64(0), UInt64(0))
    var i = start
    while i < end, head >> 56 == 0 {
      let word = lowercased(Words.loadUpTo8(bytes, i, end))
      var marks = letters(word)
      while marks != 0, head >> 56 == 0 {
        let place = UInt64(truncatingIfNeeded: marks.trailingZeroBitCount & 56)
        head = head &<< 8 | word &>> place & 0xFF
        marks &= marks &- 1
      }
      i += 8
    }
    i = end
    while i > start, tail >> 56 == 0 {
      let from = max(i - 8, start)
      let word = lowercased(Words.loadUpTo8(bytes, from, i))
      var marks = letters(word)
      while marks != 0, tail >> 56 == 0 {
        let place = UInt64(truncatingIfNeeded: 63 &- marks.leadingZeroBitCount)
        tail = tail &<< 8 | word &>> (place & 56) & 0xFF
        marks &= ~(1 &<< place)
      }
      i = from
    }
    return Words.mixed(Words.mixed(0, head), tail)
  }

  @inline(__always)
  private static func lowercased(_ word: UInt64) -> UInt64 { word | Words.capitalMarks(word) &>> 2 }

  /// A word whose high bits mark the small letters and the digits; what is not ASCII is a letter.
  @inline(__always)
  private static func letters(_ word: UInt64) -> UInt64 {
    let low = word & ~Words.highs
    let letters = (low &+ Words.repeating(0x80 - 0x61)) ^ (low &+ Words.repeating(0x80 - 0x7B))
    let digits = (low &+ Words.repeating(0x80 - 0x30)) ^ (low &+ Words.repeating(0x80 - 0x3A))
    return (letters | digits | word) & Words.highs
  }
}
