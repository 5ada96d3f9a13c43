// Small memories of what was worked out for runs of bytes and for numbers, for answers that files ask for again and again.

package import Bytes

/// Values by runs of bytes. It is a cache: bounded, so that no input makes it large, and every look-up takes a few steps at most, so that
/// no input makes it slow. What it does not hold is worked out anew.
package struct ByteMemo<Value>: ~Copyable {
  private struct Slot: BitwiseCopyable {
    var hash: UInt64 = 0
    var start: UInt32 = 0, end: UInt32 = 0
    /// One more than the place of the value; 0 in a free slot.
    var value: UInt32 = 0
  }

  private static var slotCount: Int { 1024 }
  private static var probes: Int { 4 }
  private static var keyLimit: Int { 1 << 16 }

  private var slots: [Slot] = []
  private var keys = ByteBuffer(capacity: 256)
  private var values: [Value] = []

  package init() {}

  /// The value that was kept for the bytes of `key`; nil where none was, or it had to make room.
  package func value(of key: borrowing ByteBuffer) -> Value? {
    guard !slots.isEmpty else { return nil }
    let hash = Self.hash(key)
    var place = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
    for _ in 0..<Self.probes {
      let slot = slots[place]
      if slot.value == 0 { return nil }
      if slot.hash == hash, isSame(key, slot) { return values[Int(slot.value) - 1] }
      place = (place + 1) & (Self.slotCount - 1)
    }
    return nil
  }

  /// Keeps a value for the bytes of `key`. Where there is no room for it, everything is forgotten first.
  package mutating func keep(_ value: Value, for key: borrowing ByteBuffer) {
    let count = key.count
    guard count < Self.keyLimit / 16 else { return }
    if slots.isEmpty || keys.count + count > Self.keyLimit || values.count >= Self.slotCount / 2 { forget() }
    let hash = Self.hash(key)
    var place = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
    var steps = 0
    while slots[place].value != 0 {
      place = (place + 1) & (Self.slotCount - 1)
      steps += 1
      if steps == Self.probes {
        forget()
        place = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
      }
    }
    let start = keys.count
    key.withBytes { keys.append($0) }
    values.append(value)
    slots[place] = Slot(
      hash: hash, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: keys.count),
      value: UInt32(truncatingIfNeeded: values.count))
  }

  private mutating func forget() {
    slots = Array(repeating: Slot(), count: Self.slotCount)
    keys.removeAll()
    values.removeAll(keepingCapacity: true)
  }

  private func isSame(_ key: borrowing ByteBuffer, _ slot: Slot) -> Bool {
    let start = Int(slot.start)
    guard key.count == Int(slot.end) - start else { return false }
    return key.withBytes { key in keys.withBytes { Words.areEqual(key, 0, $0, start, count: key.count) } }
  }

  private static func hash(_ key: borrowing ByteBuffer) -> UInt64 { key.withBytes { Words.hash($0, 0, $0.count) } }
}

/// Values by numbers other than 0. It is a cache of a fixed size: what comes later takes the place of what was there.
struct NumberMemo<Value>: ~Copyable {
  private struct Slot {
    var number: UInt64 = 0
    var value: Value?
  }

  private static var slotCount: Int { 1024 }
  private var slots: [Slot] = []

  /// The value that was kept for a number; nil where none was, or it had to make room.
  @inline(__always)
  func value(of number: UInt64) -> Value? {
    let place = Self.place(number)
    guard place < slots.count, slots[place].number == number else { return nil }
    return slots[place].value
  }

  /// Keeps a value for a number.
  mutating func keep(_ value: Value, for number: UInt64) {
    if slots.isEmpty { slots = Array(repeating: Slot(), count: Self.slotCount) }
    slots[Self.place(number)] = Slot(number: number, value: value)
  }

  @inline(__always)
  private static func place(_ number: UInt64) -> Int { Int(truncatingIfNeeded: Words.mixed(0, number) &>> 40) & (slotCount - 1) }
}
