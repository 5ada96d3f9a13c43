// The keys of the record and of its parts, found from bytes.

internal import Bytes

/// Numbers of keys, by their texts, in which letter case counts. A key has 16 bytes at most; longer ones are compared in full.
struct KeyNumbers: Sendable {
  private struct Slot: BitwiseCopyable {
    var head: UInt64 = 0, tail: UInt64 = 0
    /// One more than the number; 0 in a free slot.
    var number = 0
  }

  private var slots: [Slot]
  private let keys: [[UInt8]]
  private let mask: Int

  /// The number of a key is its place; an empty one is not found.
  init(_ keys: [String]) {
    self.keys = keys.map { Array($0.utf8) }
    var size = 16
    while size < keys.count * 4 { size *= 2 }
    mask = size - 1
    slots = Array(repeating: Slot(), count: size)
    for (number, key) in self.keys.enumerated() where !key.isEmpty {
      let (head, tail) = Self.ends(key.span, 0, key.count)
      var place = Self.place(head, tail) & mask
      while slots[place].number != 0 { place = (place + 1) & mask }
      slots[place] = Slot(head: head, tail: tail, number: number + 1)
    }
  }

  /// The number of the key in `bytes[start ..< end]`; nil for any other text.
  func number(of bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
    let (head, tail) = Self.ends(bytes, start, end)
    var place = Self.place(head, tail) & mask
    while slots[place].number != 0 {
      let number = slots[place].number &- 1
      if slots[place].head == head, slots[place].tail == tail, isSame(number, bytes, start, end) { return number }
      place = (place &+ 1) & mask
    }
    return nil
  }

  @inline(__always)
  private func isSame(_ number: Int, _ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    let key = keys[number]
    guard key.count == end &- start else { return false }
    return key.count <= 16 || Words.areEqual(bytes, start, key.span, 0, count: key.count)
  }

  /// The first and the last eight bytes; those of a shorter text twice.
  @inline(__always)
  private static func ends(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> (UInt64, UInt64) {
    (Words.loadUpTo8(bytes, start, end), Words.loadUpTo8(bytes, max(start, end &- 8), end))
  }

  @inline(__always)
  private static func place(_ head: UInt64, _ tail: UInt64) -> Int {
    Int(truncatingIfNeeded: Words.mixed(head, tail) &>> 24)
  }

  /// The fields of the person, by their places in the table.
  static let fields = KeyNumbers(Person.fields.map(\.key))
  /// The parts of values, by their places among all.
  static let members = KeyNumbers(Member.allCases.map(\.key))
}
