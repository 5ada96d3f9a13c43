// Numbers for runs of bytes: what is known of many contacts is kept once, and compared as a number.

internal import Bytes

/// Gives equal bytes the same number, from 0 up. All bytes stand in one run, so that a key costs little more than itself.
package struct KeyTable: Sendable {
  private var bytes: [UInt8] = []
  /// Where each key begins; one entry more than there are keys.
  private var starts: [Int] = [0]
  /// By hash, the number of a key plus one below the upper half of its hash; 0 where a slot is free. The count is a power of two. The
  /// hash is there so that other keys need not be looked at, which stand far away.
  private var slots: [UInt64] = Array(repeating: 0, count: 1024)
  private let seed = UInt64.random(in: 1...(.max))

  package init() {}

  /// How many keys there are.
  package var count: Int { starts.count - 1 }

  /// The number of these bytes; they get one if they have none.
  package mutating func number(of key: Span<UInt8>) -> Int {
    if count * 3 >= slots.count * 2 { grow() }
    let mask = slots.count - 1
    let hash = ByteHash.hash(key, seed: seed) &>> 32
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let number = Int(slots[slot] & 0xFFFF_FFFF) - 1
      if slots[slot] &>> 32 == hash, isEqual(number, key) { return number }
      slot = (slot + 1) & mask
    }
    bytes.append(contentsOf: key, 0, key.count)
    starts.append(bytes.count)
    slots[slot] = hash &<< 32 | UInt64(count)
    return count - 1
  }

  /// The number of a text.
  package mutating func number(of text: String) -> Int {
    let utf8 = text.utf8
    return number(of: utf8.span)
  }

  /// The text of a key.
  package func text(_ number: Int) -> String { String(decoding: bytes[starts[number]..<starts[number + 1]], as: UTF8.self) }

  /// The first byte of a key; 0 where it is empty.
  package func firstByte(_ number: Int) -> UInt8 { starts[number] < starts[number + 1] ? bytes[starts[number]] : 0 }

  private func isEqual(_ number: Int, _ key: Span<UInt8>) -> Bool {
    let start = starts[number]
    guard starts[number + 1] - start == key.count else { return false }
    return Words.areEqual(key, 0, bytes.span, start, count: key.count)
  }

  private mutating func grow() {
    var grown = Array(repeating: UInt64(0), count: slots.count * 2)
    let mask = grown.count - 1
    for entry in slots where entry != 0 {
      var slot = Int(truncatingIfNeeded: entry &>> 32) & mask
      while grown[slot] != 0 { slot = (slot + 1) & mask }
      grown[slot] = entry
    }
    slots = grown
  }
}

/// A fast hash of bytes. Its seeds differ from run to run, so that no input can be made to collide.
package enum ByteHash {
  /// The hash of some bytes.
  package static func hash(_ bytes: Span<UInt8>, seed: UInt64) -> UInt64 {
    var value = mix(seed ^ UInt64(bytes.count), 0x9E37_79B9_7F4A_7C15)
    var i = 0
    while i &+ 8 <= bytes.count {
      value = mix(value ^ Words.load(bytes, i), seed | 1)
      i &+= 8
    }
    return mix(value ^ Words.loadUpTo8(bytes, i, bytes.count), 0xD6E8_FEB8_6659_FD93)
  }

  /// Both halves of a product, folded.
  @inline(__always)
  package static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
