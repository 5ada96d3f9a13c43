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

  /// The four bytes from `position` on, the first lowest; traps where the span has fewer.
  @inlinable @inline(__always) public static func load4(_ bytes: Span<UInt8>, _ position: Int) -> UInt32 {
    unsafe UInt32(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt32.self))
  }

  /// A word whose `count` (0 to 7) lowest bytes are 0xFF.
  @inlinable @inline(__always) public static func low(_ count: Int) -> UInt64 { (1 &<< (UInt64(truncatingIfNeeded: count) &* 8)) &- 1 }

  /// The word with its ASCII letters in upper case.
  @inlinable @inline(__always) public static func uppercased(_ word: UInt64) -> UInt64 {
    let low = word & ~highs
    let lower = (low &+ ones &* (0x80 - 0x61)) ^ (low &+ ones &* (0x80 - 0x7B))
    return word ^ (lower & ~word & highs) &>> 2
  }

  /// The bytes from `position` up to, without, `end`, eight at most, as a word whose higher bytes are 0.
  @inlinable @inline(__always) public static func loadUpTo8(_ bytes: Span<UInt8>, _ position: Int, _ end: Int) -> UInt64 {
    let count = end &- position
    if count >= 8 { return load(bytes, position) }
    if position &+ 8 <= bytes.count { return load(bytes, position) & low(count) }
    var word: UInt64 = 0
    var i = end
    while i > position {
      i &-= 1
      word = word &<< 8 | UInt64(bytes[i])
    }
    return word
  }

  /// Are `count` bytes the same in two spans, from these places on?
  @inlinable
  public static func areEqual(_ bytes: Span<UInt8>, _ start: Int, _ others: Span<UInt8>, _ otherStart: Int, count: Int) -> Bool {
    var i = 0
    while i &+ 8 <= count {
      if load(bytes, start &+ i) != load(others, otherStart &+ i) { return false }
      i &+= 8
    }
    return i >= count || loadUpTo8(bytes, start &+ i, start &+ count) == loadUpTo8(others, otherStart &+ i, otherStart &+ count)
  }

  /// A number that differs for most runs of bytes. It is no defence against who chooses the bytes.
  @inlinable
  public static func hash(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: end &- start) &* 0x9E37_79B9_7F4A_7C15
    var i = start
    while i < end {
      hash = mixed(hash, loadUpTo8(bytes, i, end))
      i &+= 8
    }
    return hash
  }

  /// A hash with one more word in it.
  @inlinable @inline(__always) public static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0xFF51_AFD7_ED55_8CCD
    return product ^ product &>> 32
  }

  /// The byte in every byte of a word.
  @inlinable @inline(__always) public static func repeating(_ byte: UInt8) -> UInt64 { ones &* UInt64(byte) }

  /// A word whose lowest high bit marks the first zero byte (higher marks may be false), 0 if there is none.
  @inlinable @inline(__always) public static func zeroMarks(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }

  /// A word whose high bits mark the bytes that are `byte`, no others.
  @inlinable @inline(__always) public static func exactMarks(_ word: UInt64, of byte: UInt8) -> UInt64 {
    let difference = word ^ repeating(byte)
    return ~(((difference & ~highs) &+ ~highs) | difference) & highs
  }

  /// A word whose high bits mark the capital letters of ASCII, no others.
  @inlinable @inline(__always) public static func capitalMarks(_ word: UInt64) -> UInt64 {
    let low = word & ~highs
    return ((low &+ ones &* (0x80 - 0x41)) ^ (low &+ ones &* (0x80 - 0x5B))) & ~word & highs
  }

  /// A word whose high bits mark the bytes below `limit`, which is at most 128, no others.
  @inlinable @inline(__always) public static func exactMarks(below limit: UInt8, _ word: UInt64) -> UInt64 {
    ~(((word & ~highs) &+ repeating(128 &- limit)) | word) & highs
  }

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

  /// Writes a number over the four bytes from `position` on, lowest byte first; traps where there are fewer.
  @inlinable
  public mutating func replace(at position: Int, with number: UInt32) {
    precondition(position >= 0 && position <= used &- 4)
    unsafe UnsafeMutableRawPointer(base + position).storeBytes(of: number.littleEndian, as: UInt32.self)
  }
}
