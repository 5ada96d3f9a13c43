// Finding bytes: the first of a kind, the first line break, the first byte that is no ASCII.

/// Searches of a span, sixteen bytes at a time. They trap where the range does not lie in the span.
public enum ByteSearch {
  @inlinable @inline(__always)
  static func checkRange(_ bytes: Span<UInt8>, _ from: Int, _ to: Int) {
    precondition(from >= 0 && to <= bytes.count)
  }

  /// The position of the first byte in `from ..< to` that `marks` marks; `to` when there is none.
  @inlinable @inline(__always)
  public static func firstMarked(in bytes: Span<UInt8>, from: Int, to: Int, _ marks: (ByteBlock) -> ByteBlock.Marks) -> Int {
    checkRange(bytes, from, to)
    var position = from
    // What stands behind the range, or the zeros that stand for what is not there, may be marked.
    while position &+ 16 <= bytes.count {
      if position >= to { return to }
      let found = marks(ByteBlock(bytes, uncheckedAt: position))
      if !found.isEmpty { return min(position &+ found.first, to) }
      position &+= 16
    }
    return position < to ? min(position &+ marks(ByteBlock(bytes, position, to)).first, to) : to
  }

  /// The position of the first `byte` in `from ..< to`, `to` when there is none.
  @inlinable
  public static func firstIndex(of byte: UInt8, in bytes: Span<UInt8>, from: Int, to: Int) -> Int {
    firstMarked(in: bytes, from: from, to: to) { $0.marks(of: byte) }
  }

  /// The position of the first byte that is one of two in `from ..< to`, `to` when there is none.
  @inlinable
  public static func firstIndex(of byte: UInt8, or other: UInt8, in bytes: Span<UInt8>, from: Int, to: Int) -> Int {
    firstMarked(in: bytes, from: from, to: to) { $0.marks(of: byte) | $0.marks(of: other) }
  }

  /// The position of the first LF or CR in `from ..< to` (`to` when there is none), and whether a byte above 0x7F stands before it.
  @inlinable
  public static func firstLineBreak(in bytes: Span<UInt8>, from: Int, to: Int) -> (position: Int, sawHighBit: Bool) {
    checkRange(bytes, from, to)
    var position = from
    var seen = ByteBlock()
    while position &+ 16 <= to {
      let block = ByteBlock(bytes, uncheckedAt: position)
      let breaks = block.marks(of: 10) | block.marks(of: 13)
      if !breaks.isEmpty { return (position &+ breaks.first, seen.hasHighBit || block.hasHighBit(before: breaks)) }
      seen = seen | block
      position &+= 16
    }
    return lastLineBreak(in: bytes, from: position, to: to, sawHighBit: seen.hasHighBit)
  }

  /// `firstLineBreak` where fewer than sixteen bytes are left.
  @inline(never)
  @usableFromInline
  static func lastLineBreak(in bytes: Span<UInt8>, from: Int, to: Int, sawHighBit: Bool) -> (position: Int, sawHighBit: Bool) {
    let block = ByteBlock(bytes, from, to)
    let breaks = block.marks(of: 10) | block.marks(of: 13)
    return (min(from &+ breaks.first, to), sawHighBit || block.hasHighBit(before: breaks))
  }

  /// The position of the first byte below 32 in `from ..< to`, `to` when there is none.
  @inlinable
  public static func firstControl(in bytes: Span<UInt8>, from: Int, to: Int) -> Int {
    firstMarked(in: bytes, from: from, to: to) { $0.marks(below: 32) }
  }

  /// The position of the first byte above 0x7F in `from ..< to`, `to` when all is ASCII.
  @inlinable
  public static func firstHighBit(in bytes: Span<UInt8>, from: Int, to: Int) -> Int {
    firstMarked(in: bytes, from: from, to: to) { $0.highMarks }
  }
}
