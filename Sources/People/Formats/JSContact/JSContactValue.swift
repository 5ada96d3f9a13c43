// The values of lines, cut into the texts that templates leave open.

internal import Bytes
internal import CardSyntax

/// The value of a line, cut into texts.
struct JSContactValue: ~Copyable {
  /// Where the texts stand, escapes and all: so many of them as `count` says.
  private(set) var texts = InlineArray<16, Piece>(repeating: Piece())
  private(set) var count = 0
  /// The day of a date.
  private(set) var day = DateNumbers.none

  /// Cuts the value of a line. What of the value decides what becomes of the line, besides its head, is given as a number; nil where
  /// the value has to be looked at.
  mutating func read(_ facts: JSContactFacts, _ bytes: Span<UInt8>, _ value: Piece) -> UInt64? {
    let (start, end) = (value.start, value.end)
    count = 0
    guard facts.traits.contains(.takesStandIns) else { return nil }
    switch facts.kind {
    case .name: return readComponents(facts.cut, bytes, start, end, limit: JSComponents.name.shortCount)
    case .address: return readComponents(facts.cut, bytes, start, end, limit: JSComponents.address.shortCount)
    case .row where facts.cut != .whole && facts.cut != .list: return readComponents(facts.cut, bytes, start, end, limit: texts.count)
    case .date:
      guard facts.traits.contains(.takesDates), let day = DateNumbers.wholeDay(bytes, start, end) else { return nil }
      self.day = day
      return 0
    case .text:
      add(start, end)
      switch facts.form {
      case .utc: return facts.traits.contains(.takesDates) && DateNumbers.isTime(bytes, start, end) ? 0 : nil
      case .lower:
        // Words of the grammar are in upper case in vCard.
        if facts.text == JSContactText.gender { return nil }
        for i in start..<end where !ASCII.isLetter(bytes[i]) || bytes[i] < 97 { return nil }
        return end > start ? 0 : nil
      default: return UInt64(StandIn.form(bytes, start, end, isEscaped: true).rawValue)
      }
    case .timeZone where !facts.traits.contains(.isText): return nil
    default:
      add(start, end)
      return UInt64(StandIn.form(bytes, start, end, isEscaped: true).rawValue)
    }
  }

  private mutating func add(_ start: Int, _ end: Int) {
    texts[count] = Piece(start: start, end: end)
    count += 1
  }

  /// Takes one text of a list.
  mutating func take(_ facts: JSContactFacts, _ bytes: Span<UInt8>, _ text: Piece) -> UInt64? {
    count = 0
    add(text.start, text.end)
    return facts.traits.contains(.takesStandIns) ? UInt64(StandIn.form(bytes, text.start, text.end, isEscaped: true).rawValue) : nil
  }

  /// Components of one text each: which of them are there.
  private mutating func readComponents(
    _ cut: PropertyShape.Cut, _ bytes: Span<UInt8>, _ start: Int, _ end: Int, limit: Int
  ) -> UInt64? {
    var mask: UInt64 = 0
    var from = start
    var i = start
    while true {
      i = ByteSearch.firstMarked(in: bytes, from: i, to: end) {
        $0.marks(of: ASCII.semicolon) | $0.marks(of: ASCII.comma) | $0.marks(of: ASCII.backslash)
      }
      if i < end, bytes[i] != ASCII.semicolon {
        if bytes[i] == ASCII.comma, cut == .componentLists { return nil }
        i = min(bytes[i] == ASCII.comma ? i &+ 1 : i &+ 2, end)
        continue
      }
      guard count < limit else { return nil }
      if i > from { mask |= 1 &<< UInt64(count) }
      add(from, i)
      guard i < end else { return mask | UInt64(count) &<< 32 }
      i &+= 1
      from = i
    }
  }
}
