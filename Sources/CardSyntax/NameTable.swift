// Known names to numbers, from bytes, without regard to ASCII case.

internal import Bytes

/// A fixed set of names, each with a number, found from bytes without making a `String`: the first and the last eight bytes of a
/// name, in upper case, and its length are the key; longer names are then compared in full.
public struct NameTable: Sendable {
  private struct Entry: BitwiseCopyable {
    var head: UInt64 = 0, tail: UInt64 = 0
    var length: UInt32 = 0
    var number: UInt16 = 0
    var name: UInt16 = 0
  }
  private var entries: [Entry]
  private let names: [[UInt8]]
  private let mask: Int

  /// A table of `names`; the number of a name is what stands beside it and must not be 0. Of equal names the first counts.
  public init(_ names: [(name: String, number: UInt16)]) {
    var size = 16
    while size < names.count * 4 { size *= 2 }
    mask = size - 1
    entries = Array(repeating: Entry(), count: size)
    self.names = names.map { $0.name.utf8.map(ASCII.uppercased) }
    for (index, name) in self.names.enumerated() {
      guard !name.isEmpty, number(of: name.span, 0, name.count) == 0 else { continue }
      let (head, tail) = Self.packed(name.span, 0, name.count)
      var slot = Self.slot(head, tail, name.count) & mask
      while entries[slot].number != 0 { slot = (slot + 1) & mask }
      entries[slot] = Entry(
        head: head, tail: tail, length: UInt32(name.count), number: names[index].number, name: UInt16(truncatingIfNeeded: index))
    }
  }

  /// The number of the name in `bytes[start ..< end]`; 0 for a name that is not in the table.
  public func number(of bytes: Span<UInt8>, _ start: Int, _ end: Int) -> UInt16 {
    let length = end - start
    guard length > 0 else { return 0 }
    let (head, tail) = Self.packed(bytes, start, end)
    var slot = Self.slot(head, tail, length) & mask
    while true {
      let entry = entries[slot]
      if entry.number == 0 { return 0 }
      if entry.head == head && entry.tail == tail && entry.length == UInt32(truncatingIfNeeded: length) {
        if length <= 16 || isSame(names[Int(entry.name)], bytes, start) { return entry.number }
      }
      slot = (slot + 1) & mask
    }
  }

  private func isSame(_ name: [UInt8], _ bytes: Span<UInt8>, _ start: Int) -> Bool {
    for i in 0..<name.count where name[i] != ASCII.uppercased(bytes[start + i]) { return false }
    return true
  }

  /// The first and the last eight bytes in upper case; names of less than eight bytes have no last ones.
  @inline(__always)
  private static func packed(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> (UInt64, UInt64) {
    let length = end &- start
    if length >= 8 { return (Words.uppercased(Words.load(bytes, start)), Words.uppercased(Words.load(bytes, end &- 8))) }
    return (Words.uppercased(Words.loadUpTo8(bytes, start, end)), 0)
  }

  @inline(__always)
  private static func slot(_ head: UInt64, _ tail: UInt64, _ length: Int) -> Int {
    let mixed = (head ^ (tail &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(truncatingIfNeeded: length)) &* 0xFF51_AFD7_ED55_8CCD
    return Int(truncatingIfNeeded: mixed >> 40)
  }
}
