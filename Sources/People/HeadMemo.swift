// What was worked out for the heads of lines (all before the value): address books write the same few over and over.

internal import Bytes
internal import CardSyntax

/// The parser whose numbers of heads something is remembered by. It is kept alive, so that no other one is taken for it.
struct HeadNumberer: ~Copyable {
  private var numbering: HeadNumbering?
  private var id: ObjectIdentifier?

  /// Did it number the heads of the card?
  @inline(__always)
  func numbered(_ card: borrowing CardView) -> Bool { card.numbering == id }

  /// Becomes the card's; false where it was it already.
  mutating func follow(_ card: borrowing CardView) -> Bool {
    if numbered(card) { return false }
    (numbering, id) = (card.batch?.numbering, card.numbering)
    return true
  }
}

/// Values by the numbers that a parser gives to heads. One reader of cards owns it; the cards of another parser begin it anew.
struct HeadMemo<Value>: ~Copyable {
  private struct Slot {
    /// For whom the value is: whatever it depends on besides the head. 0 in a free slot.
    var context: UInt64 = 0
    var value: Value?
  }

  private var slots: [Slot] = []
  private var numberer = HeadNumberer()

  init() {}

  /// The value that was kept for the head of a line and what else it depends on, which `context` tells; nil where none was.
  @inline(__always)
  func value(of line: Int, _ card: borrowing CardView, _ context: UInt64) -> Value? {
    let number = Int(card.lines[line].head)
    guard number < slots.count, slots[number].context == context &+ 1, numberer.numbered(card) else { return nil }
    return slots[number].value
  }

  /// Keeps a value; heads without a number have none.
  mutating func keep(_ value: Value, for line: Int, _ card: borrowing CardView, _ context: UInt64) {
    let number = Int(card.lines[line].head)
    guard number > 0 else { return }
    if numberer.follow(card) { slots.removeAll(keepingCapacity: true) }
    while slots.count <= number { slots.append(Slot()) }
    slots[number] = Slot(context: context &+ 1, value: value)
  }
}

extension CardView {
  /// What most answers depend on besides the head: the field and which of its names, in the lowest 16 bits, then the card's version; from
  /// bit 24 on nothing is set.
  @inline(__always)
  func headContext(_ line: Int) -> UInt64 {
    let link = self[link: line]
    return UInt64(link.field) | UInt64(link.alias) &<< 8 | UInt64(version.rawValue) &<< 16
  }
}
