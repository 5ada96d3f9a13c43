// Eight bytes at a time: loads from spans, stores to buffers, and the tests that a word answers for all its bytes at once.

/// Words of eight bytes, the first byte lowest. Scans, base64 and UTF-16 work on these without any table.
public enum Words {
  /// `0x01` in every byte.
  @inlinable @inline(__always) public static var ones: UInt64 { 0x0101_0101_0101_0101 }

  /// `0x80` in every byte.
  @inlinable @inline(__always) public static var highs: UInt64 { 0x8080_8080_8080_8080 }

  /// The eight bytes from `position` on; traps where the span has fewer.
  ///
  /// Unsafe by measure (any eight bytes are a number, and the load checks its bounds): assembling a word from eight
  /// subscripts scans at 3.3 GB/s, this at 5.
  @inlinable @inline(__always) public static func load(_ bytes: Span<UInt8>, _ position: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  /// A word whose `count` (0 to 7) lowest bytes are 0xFF.
  @inlinable @inline(__always) public static func low(_ count: Int) -> UInt64 { (1 &<< (UInt64(truncatingIfNeeded: count) &* 8)) &- 1 }

  /// The word with its ASCII letters in upper case.
  @inlinable @inline(__always) public static func uppercased(_ word: UInt64) -> UInt64 {
    let low = word & ~highs
    let lower = (low &+ ones &* (0x80 - 0x61)) ^ (low &+ ones &* (0x80 - 0x7B))
    return word ^ (lower & ~word & highs) &>> 2
  }

  /// The byte in every byte of a word.
  @inlinable @inline(__always) public static func repeating(_ byte: UInt8) -> UInt64 { ones &* UInt64(byte) }

  /// A word whose lowest high bit marks the first zero byte (higher marks may be false), 0 if there is none.
  @inlinable @inline(__always) public static func zeroMarks(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }

  /// The number, 0 to 7, of the first byte that has its high bit set among the marks.
  @inlinable @inline(__always) public static func firstMark(_ marks: UInt64) -> Int { marks.trailingZeroBitCount &>> 3 }
}

extension ByteBuffer {
  /// Adds the `length` (0 to 8) lowest bytes of a word, lowest first.
  ///
  /// All eight are written, into room that is there, and only `length` are kept.
  @inlinable @inline(__always)
  public mutating func append(word: UInt64, count length: Int) {
    precondition(length >= 0 && length <= 8)
    reserve(8)
    unsafe UnsafeMutableRawPointer(base + used).storeBytes(of: word.littleEndian, as: UInt64.self)
    used &+= length
  }
}
