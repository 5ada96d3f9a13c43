// Finding bytes: the first of a kind, the first line break, the first byte that is no ASCII.

/// Searches of a span, eight bytes at a time. They trap where the range does not lie in the span.
///
/// Unsafe by measure: the range is checked once, and then no load of eight bytes in it, which saves a third of a scan.
public enum ByteSearch {
  /// The eight bytes at `position`, which the caller knows to be there.
  @inlinable @inline(__always)
  static func load(_ bytes: Span<UInt8>, _ position: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self))
  }

  @inlinable @inline(__always)
  static func checkRange(_ bytes: Span<UInt8>, _ from: Int, _ to: Int) {
    precondition(from >= 0 && to <= bytes.count)
  }

  /// The position of the first byte in `from ..< to` that `marks` gives a high bit (of a word's marks only the lowest has to be right);
  /// `to` when there is none.
  @inlinable @inline(__always)
  public static func firstMarked(in bytes: Span<UInt8>, from: Int, to: Int, _ marks: (UInt64) -> UInt64) -> Int {
    checkRange(bytes, from, to)
    var position = from
    while position &+ 8 <= to {
      let found = marks(load(bytes, position))
      if found != 0 { return position &+ Words.firstMark(found) }
      position &+= 8
    }
    guard position < to else { return to }
    // The zeros that stand for the bytes behind the range may be marked.
    let found = marks(Words.loadUpTo8(bytes, position, to))
    return found == 0 ? to : min(position &+ Words.firstMark(found), to)
  }

  /// The position of the first `byte` in `from ..< to`, `to` when there is none.
  @inlinable
  public static func firstIndex(of byte: UInt8, in bytes: Span<UInt8>, from: Int, to: Int) -> Int {
    firstMarked(in: bytes, from: from, to: to) { Words.zeroMarks($0 ^ Words.repeating(byte)) }
  }

  /// The position of the first byte that is one of two in `from ..< to`, `to` when there is none.
  @inlinable
  public static func firstIndex(of byte: UInt8, or other: UInt8, in bytes: Span<UInt8>, from: Int, to: Int) -> Int {
    firstMarked(in: bytes, from: from, to: to) {
      Words.zeroMarks($0 ^ Words.repeating(byte)) | Words.zeroMarks($0 ^ Words.repeating(other))
    }
  }

  /// The position of the first LF or CR in `from ..< to` (`to` when there is none), and whether a byte above 0x7F stands before it.
  @inlinable
  public static func firstLineBreak(in bytes: Span<UInt8>, from: Int, to: Int) -> (position: Int, sawHighBit: Bool) {
    checkRange(bytes, from, to)
    // Bytes below 14 are rare but for line breaks, and told by one subtraction.
    let limit = Words.repeating(14)
    var position = from
    var seen: UInt64 = 0
    while position &+ 16 <= to {
      let (first, second) = (load(bytes, position), load(bytes, position &+ 8))
      if ((first &- limit) & ~first | (second &- limit) & ~second) & Words.highs != 0 { break }
      seen |= first | second
      position &+= 16
    }
    while position &+ 8 <= to {
      let word = load(bytes, position)
      if (word &- limit) & ~word & Words.highs != 0 {
        let marks = Words.zeroMarks(word ^ Words.repeating(10)) | Words.zeroMarks(word ^ Words.repeating(13))
        if marks != 0 {
          let before = (marks & (0 &- marks)) &- 1
          seen |= word & before
          return (position &+ Words.firstMark(marks), seen & Words.highs != 0)
        }
      }
      seen |= word
      position &+= 8
    }
    while position < to {
      let byte = bytes[position]
      if byte == 10 || byte == 13 { break }
      seen |= UInt64(byte)
      position &+= 1
    }
    return (position, seen & Words.highs != 0)
  }

  /// The position of the first byte below 32 in `from ..< to`, `to` when there is none.
  @inlinable
  public static func firstControl(in bytes: Span<UInt8>, from: Int, to: Int) -> Int {
    firstMarked(in: bytes, from: from, to: to, Words.controlMarks)
  }

  /// The position of the first byte above 0x7F in `from ..< to`, `to` when all is ASCII.
  @inlinable
  public static func firstHighBit(in bytes: Span<UInt8>, from: Int, to: Int) -> Int {
    firstMarked(in: bytes, from: from, to: to) { $0 & Words.highs }
  }
}
