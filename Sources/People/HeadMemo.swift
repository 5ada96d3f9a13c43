// What was worked out for the heads of lines (all before the value): address books write the same few over and over.

internal import Bytes
internal import CardSyntax

/// Values by the numbers that a parser gives to heads. One reader of cards owns it; the cards of another parser begin it anew.
struct HeadMemo<Value>: ~Copyable {
  private struct Slot {
    /// For whom the value is: whatever it depends on besides the head. 0 in a free slot.
    var context: UInt64 = 0
    var value: Value?
  }

  private var slots: [Slot] = []
  /// Who numbered the heads, kept alive so that no other parser is taken for it.
  private var numbering: HeadNumbering?
  private var numberingID: ObjectIdentifier?

  init() {}

  /// The value that was kept for the head of a line and what else it depends on, which `context` tells; nil where none was.
  @inline(__always)
  func value(of line: Int, _ card: borrowing CardView, _ context: UInt64) -> Value? {
    let number = Int(card.lines[line].head)
    guard number < slots.count, slots[number].context == context &+ 1, card.numbering == numberingID else { return nil }
    return slots[number].value
  }

  /// Keeps a value; heads without a number have none.
  mutating func keep(_ value: Value, for line: Int, _ card: borrowing CardView, _ context: UInt64) {
    let number = Int(card.lines[line].head)
    guard number > 0 else { return }
    if card.numbering != numberingID {
      (numbering, numberingID) = (card.batch?.numbering, card.numbering)
      slots.removeAll(keepingCapacity: true)
    }
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

  /// Are the heads of the lines numbered by this parser?
  @inline(__always)
  func isNumbered(by numbering: HeadNumbering?) -> Bool { numbering.map { ObjectIdentifier($0) } == self.numbering }
}
