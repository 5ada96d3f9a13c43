// A growing run of plain values: what tables and tapes are made of that are filled for every card anew.

/// A growable run of plain values, filled from the end. It is owned by one reader or writer at a time and frees its memory by itself.
///
/// Unsafe by measure: adding a value of 12 bytes to an array costs about 40 instructions (is the array shared? is there room?), here 8, and
/// a contact is read into a hundred of them. Every store is preceded by a look at the room,
/// every access by a check of its place.
@safe
public struct Tape<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  @usableFromInline var room: Int
  @usableFromInline var used = 0

  /// An empty run with room for `capacity` values.
  @inlinable
  public init(capacity: Int = 16) {
    room = max(capacity, 1)
    unsafe base = UnsafeMutablePointer<Element>.allocate(capacity: room)
  }

  deinit { unsafe base.deallocate() }

  /// How many values are held.
  @inlinable @inline(__always) public var count: Int { used }
  /// True when no value is held.
  @inlinable @inline(__always) public var isEmpty: Bool { used == 0 }
  /// The places of the values.
  @inlinable @inline(__always) public var indices: Range<Int> { 0..<used }
  /// The last value; nil where there is none.
  @inlinable public var last: Element? { used > 0 ? unsafe base[used - 1] : nil }

  /// Adds a value.
  @inlinable @inline(__always)
  public mutating func append(_ value: Element) {
    if used == room { grow() }
    unsafe base[used] = value
    used &+= 1
  }

  /// Holds a value so many times, and nothing else.
  @inlinable
  public mutating func fill(_ value: Element, count: Int) {
    precondition(count >= 0)
    while room < count { grow() }
    unsafe base.update(repeating: value, count: count)
    used = count
  }

  /// Growth doubles, so that adding stays linear.
  @inline(never)
  @usableFromInline
  mutating func grow() {
    room *= 2
    let fresh = UnsafeMutablePointer<Element>.allocate(capacity: room)
    unsafe fresh.update(from: base, count: used)
    unsafe base.deallocate()
    unsafe base = fresh
  }

  /// The value at `place`; traps outside `0 ..< count`.
  @inlinable @inline(__always)
  public subscript(place: Int) -> Element {
    get {
      precondition(place >= 0 && place < used)
      return unsafe base[place]
    }
    set {
      precondition(place >= 0 && place < used)
      unsafe base[place] = newValue
    }
  }

  /// Forgets everything from `length` on; a length at or above `count` changes nothing.
  @inlinable
  public mutating func truncate(to length: Int) {
    precondition(length >= 0)
    if length < used { used = length }
  }

  /// The values as an array with as much room as there is here: arrays made one after the other have the same size, so that memory which
  /// one gives back fits the next.
  @inlinable
  public func array() -> [Element] {
    unsafe Array(unsafeUninitializedCapacity: room) { buffer, count in
      if let target = buffer.baseAddress { unsafe target.initialize(from: base, count: used) }
      count = used
    }
  }

  /// The values from `first` on, as an array.
  @inlinable
  public func array(from first: Int) -> [Element] {
    precondition(first >= 0 && first <= used)
    return unsafe Array(UnsafeBufferPointer(start: base + first, count: used - first))
  }

  /// Forgets all values and keeps the memory.
  @inlinable public mutating func removeAll() { used = 0 }
}
