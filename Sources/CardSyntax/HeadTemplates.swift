// Heads of lines (all before the value) that came before: address books write the same few over and over, and each is read once.

import Bytes

/// Stands for the parser that numbered the heads of a batch: numbers of two parsers have nothing to do with each other.
package final class HeadNumbering: Sendable {
  init() {}
}

/// What heads say, by their bytes. It is a cache: bounded, and every look-up takes a few steps at most, so that no input makes it large or
/// slow; what it does not hold is read from its bytes.
///
/// The text of a LABEL, which no two addresses share, is not part of what a head is known by: it is a gap.
struct HeadTemplates: ~Copyable {
  /// A head; offsets count from its start, those behind the gap without it.
  struct Template: BitwiseCopyable {
    /// Its words in `keys`.
    var key: UInt32 = 0
    /// How many bytes it has, without the gap, and how many of them stand before the gap: all where there is none.
    var length: UInt32 = 0, gap: UInt32 = 0
    /// What it says; its first parameter is a place in `parameters`.
    var head = LineHead()
    var parameterCount = 0
    /// The entry of a line that is whole in one physical line and valid UTF-8; places count from its start. Nothing else has to be done
    /// for the line where `isSimple`.
    var entry = LineEntry()
    var isSimple = false
    /// Heads that followed this one, those that come more often first.
    var followers = InlineArray<4, UInt16>(repeating: 0)
  }

  /// Where the parts of a head are that may be known: up to the gap, from its end on, up to the value.
  private struct Outline {
    var gapStart: Int, gapEnd: Int, end: Int
  }

  /// The bytes of a head in words, those before and behind the gap apart, and a number that differs for most heads. (It is no defence
  /// against who chooses the bytes.)
  private struct Key {
    var words = InlineArray<14, UInt64>(repeating: 0)
    var count = 0
    var hash: UInt64 = 0

    @inline(__always)
    init(_ bytes: Span<UInt8>, _ start: Int, _ outline: Outline) {
      append(bytes, start, outline.gapStart)
      append(bytes, outline.gapEnd, outline.end)
    }

    @inline(__always)
    private mutating func append(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
      var i = start
      while i < end {
        let word = Words.loadUpTo8(bytes, i, end)
        words[count] = word
        count &+= 1
        hash = Words.mixed(hash, word)
        i &+= 8
      }
    }
  }

  /// Longer heads hardly come again, and would not fit into a key.
  private static var lengthLimit: Int { 96 }
  /// How many heads are numbered at most; their numbers are from 1 on.
  private static var limit: Int { 1023 }
  private static var slotCount: Int { 4096 }
  private static var probes: Int { 8 }

  private var slots: [UInt16] = []
  private var templates = Tape<Template>()
  private var parameters = Tape<ParameterEntry>()
  private var keys = Tape<UInt64>()
  /// The head of the line that was read last; 0 where it has no number.
  private var last = 0
  /// How long the gap is of the head that was numbered last.
  private var gap = 0

  /// No head has the number 0.
  init() { templates.append(Template()) }

  /// How many bytes the head that was numbered last has, the colon included.
  @inline(__always)
  func length(_ number: Int) -> Int { Int(templates[number].length) &+ gap }

  /// The number of the head that the line in `bytes[start ..< end]` begins with, where it came before; else 0.
  ///
  /// Cards have their lines in the same order, so most heads are guessed from the line before and found by one comparison, without a
  /// search for their end.
  @inline(__always)
  mutating func number(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    let number = Int(templates[last].followers[0])
    guard number > 0, stands(number, bytes, start, end) else { return guessAgain(bytes, start, end) }
    last = number
    return number
  }

  @inline(never)
  private mutating func guessAgain(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    let followers = templates[last].followers
    for place in 1..<4 where followers[place] > 0 && stands(Int(followers[place]), bytes, start, end) {
      templates[last].followers[place] = followers[place - 1]
      templates[last].followers[place - 1] = followers[place]
      last = Int(followers[place])
      return last
    }
    return search(bytes, start, end)
  }

  private mutating func search(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    guard let outline = Self.outline(bytes, start, end) else { return 0 }
    let number = find(Key(bytes, start, outline), start, outline).number
    if number > 0 { follow(number) }
    gap = outline.gapEnd &- outline.gapStart
    return Int(number)
  }

  /// Does the head ask for nothing else to be done for a line that is whole in one physical line and valid UTF-8?
  @inline(__always)
  func isSimple(_ number: Int) -> Bool { templates[number].isSimple }

  @inline(__always)
  private mutating func stands(_ number: Int, _ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    let (length, before, key) = (Int(templates[number].length), Int(templates[number].gap), Int(templates[number].key))
    guard areWords(key, before, bytes, start, end) else { return false }
    gap = 0
    return before == length || standsAroundGap(key &+ (before &+ 7) &>> 3, length &- before, bytes, start &+ before, end)
  }

  /// Do the `count` bytes at `place` of a head, whose words are from `key` on, stand behind a gap that begins there and ends with a quote?
  private mutating func standsAroundGap(_ key: Int, _ count: Int, _ bytes: Span<UInt8>, _ place: Int, _ end: Int) -> Bool {
    let quote = ByteSearch.firstIndex(of: ASCII.quote, in: bytes, from: place, to: end)
    guard areWords(key, count, bytes, quote, end) else { return false }
    gap = quote &- place
    return true
  }

  /// Do `count` bytes whose words are from `key` on stand at `start`?
  @inline(__always)
  private func areWords(_ key: Int, _ count: Int, _ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard start &+ count <= end, start &+ count &+ 8 <= bytes.count else { return false }
    var (left, place, i) = (count, key, start)
    while left >= 8 {
      if Words.load(bytes, i) != keys[place] { return false }
      i &+= 8
      place &+= 1
      left &-= 8
    }
    return left == 0 || Words.load(bytes, i) & Words.low(left) == keys[place]
  }

  /// Notes which head follows which.
  private mutating func follow(_ number: UInt16) {
    let followers = templates[last].followers
    let isKnown = followers.indices.contains { followers[$0] == number }
    if !isKnown {
      // The last place is the one for newcomers.
      let place = followers.indices.first { followers[$0] == 0 } ?? 3
      templates[last].followers[place] = number
    }
    last = Int(number)
  }

  /// The entry of a line with the head `number`, which is simple, that stands in `bytes[start ..< end]`; its parameters are added.
  @inline(__always)
  func entry(_ number: Int, _ start: Int, _ end: Int, parameters: inout Tape<ParameterEntry>) -> LineEntry {
    var entry = templates[number].entry
    let shift = UInt32(truncatingIfNeeded: start)
    entry.rawStart = shift
    entry.groupStart = shift
    entry.groupEnd &+= shift
    entry.nameStart &+= shift
    entry.nameEnd &+= shift
    entry.valueStart &+= shift &+ UInt32(truncatingIfNeeded: gap)
    entry.valueEnd = UInt32(truncatingIfNeeded: end)
    entry.firstParameter = UInt32(truncatingIfNeeded: parameters.count)
    let first = templates[number].head.firstParameter
    for i in first..<first &+ templates[number].parameterCount {
      var parameter = self.parameters[i]
      if gap > 0 {
        parameter.move(by: shift, gap: UInt32(truncatingIfNeeded: gap), from: templates[number].gap)
      } else {
        parameter.nameStart &+= shift
        parameter.nameEnd &+= shift
        parameter.valueStart &+= shift
        parameter.valueEnd &+= shift
      }
      parameters.append(parameter)
    }
    return entry
  }

  /// The number of a head that came before, else 0; and where in `slots` it stands, or may stand, nil where there is no room.
  private mutating func find(_ key: borrowing Key, _ start: Int, _ outline: Outline) -> (number: UInt16, slot: Int?) {
    if slots.isEmpty { slots = Array(repeating: 0, count: Self.slotCount) }
    var slot = Int(truncatingIfNeeded: key.hash) & (Self.slotCount &- 1)
    for _ in 0..<Self.probes {
      let number = slots[slot]
      if number == 0 { return (0, slot) }
      if isSame(Int(number), key, start, outline) { return (number, slot) }
      slot = (slot &+ 1) & (Self.slotCount &- 1)
    }
    return (0, nil)
  }

  /// Reads the head of the line in `bytes[start ..< end]` as `ContentLineText.head` does, and gives its number, 0 where it has none; `known`
  /// is what `number` said.
  mutating func head(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, known: Int = 0, _ tables: borrowing HeadTables, base: Int,
    parameters: inout Tape<ParameterEntry>
  ) -> (LineHead, number: UInt16) {
    if known > 0 {
      let gapStart = start &+ Int(templates[known].gap)
      let outline = Outline(gapStart: gapStart, gapEnd: gapStart &+ gap, end: start &+ length(known))
      return (use(known, start, outline, base: base, parameters: &parameters), UInt16(truncatingIfNeeded: known))
    }
    guard let outline = Self.outline(bytes, start, end) else {
      last = 0
      return (ContentLineText.head(bytes, start, end, tables, base: base, parameters: &parameters), 0)
    }
    let key = Key(bytes, start, outline)
    let (known, slot) = find(key, start, outline)
    if known > 0 {
      follow(known)
      return (use(Int(known), start, outline, base: base, parameters: &parameters), known)
    }
    let first = parameters.count
    let head = ContentLineText.head(bytes, start, end, tables, base: base, parameters: &parameters)
    guard let slot, templates.count <= Self.limit, head.faults.isEmpty, head.valueStart == outline.end &+ base else {
      last = 0
      return (head, 0)
    }
    let number = UInt16(templates.count)
    slots[slot] = number
    keep(head, key, parameters.array(from: first), bytes, start, outline, base: base)
    follow(number)
    return (head, number)
  }

  /// Finds the value of a line whose quotes all stand around words, but for a LABEL; nil for any other line.
  private static func outline(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Outline? {
    var found = Outline(gapStart: -1, gapEnd: -1, end: 0)
    var i = ByteSearch.firstIndex(of: ASCII.colon, or: ASCII.quote, in: bytes, from: start, to: end)
    while i < end {
      if bytes[i] == ASCII.colon {
        found.end = i &+ 1
        if found.gapStart < 0 { (found.gapStart, found.gapEnd) = (found.end, found.end) }
        return i &- start &- (found.gapEnd &- found.gapStart) < lengthLimit ? found : nil
      }
      guard i > start, bytes[i &- 1] == ASCII.equals || bytes[i &- 1] == ASCII.comma else { return nil }
      let open = i &+ 1
      i = open
      while i < end, ASCII.isLetter(bytes[i]) || bytes[i] == ASCII.comma || bytes[i] == ASCII.dash { i &+= 1 }
      if i < end, bytes[i] != ASCII.quote {
        guard found.gapStart < 0, endsInLabel(bytes, start, open &- 1) else { return nil }
        i = ByteSearch.firstIndex(of: ASCII.quote, in: bytes, from: i, to: end)
        (found.gapStart, found.gapEnd) = (open, i)
      }
      guard i < end else { return nil }
      i = ByteSearch.firstIndex(of: ASCII.colon, or: ASCII.quote, in: bytes, from: i &+ 1, to: end)
    }
    return nil
  }

  /// Does `;LABEL=` end at `end`?
  private static func endsInLabel(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    end &- start > 8 && Words.uppercased(Words.load(bytes, end &- 8)) &>> 8 == 0x3D4C_4542_414C_3B
  }

  @inline(__always)
  private func isSame(_ number: Int, _ key: borrowing Key, _ start: Int, _ outline: Outline) -> Bool {
    let before = outline.gapStart &- start
    guard Int(templates[number].length) == before &+ outline.end &- outline.gapEnd, Int(templates[number].gap) == before else {
      return false
    }
    let place = Int(templates[number].key)
    for i in 0..<key.count where keys[place &+ i] != key.words[i] { return false }
    return true
  }

  /// The head again, for other bytes.
  private func use(
    _ number: Int, _ start: Int, _ outline: Outline, base: Int, parameters: inout Tape<ParameterEntry>
  ) -> LineHead {
    var head = templates[number].head
    let first = head.firstParameter
    let shift = start &+ base
    head.firstParameter = parameters.count
    head.groupStart = shift
    head.groupEnd &+= shift
    head.nameStart &+= shift
    head.nameEnd &+= shift
    head.end = outline.end &+ base
    head.valueStart = head.end
    if let charset = head.charset { head.charset = charset &- first &+ head.firstParameter }
    let from = templates[number].gap
    let gap = UInt32(truncatingIfNeeded: outline.gapEnd &- outline.gapStart)
    for i in first..<first &+ templates[number].parameterCount {
      var entry = self.parameters[i]
      entry.move(by: UInt32(truncatingIfNeeded: shift), gap: gap, from: from)
      parameters.append(entry)
    }
    return head
  }

  private mutating func keep(
    _ head: LineHead, _ key: Key, _ entries: [ParameterEntry], _ bytes: Span<UInt8>, _ start: Int, _ outline: Outline,
    base: Int
  ) {
    let shift = start + base
    var template = Template()
    template.key = UInt32(keys.count)
    for i in 0..<key.count { keys.append(key.words[i]) }
    template.length = UInt32(outline.gapStart - start + outline.end - outline.gapEnd)
    template.gap = UInt32(outline.gapStart - start)
    template.head = head
    template.head.groupEnd -= shift
    template.head.nameStart -= shift
    template.head.nameEnd -= shift
    template.head.valueStart = Int(template.length)
    template.head.firstParameter = parameters.count
    if let charset = head.charset { template.head.charset = charset - head.firstParameter + parameters.count }
    template.parameterCount = entries.count
    let gap = UInt32(outline.gapEnd - outline.gapStart)
    for var entry in entries {
      entry.move(back: UInt32(truncatingIfNeeded: shift), gap: gap, from: template.gap)
      parameters.append(entry)
    }
    let isBare = head.isBase64 || head.isQuotedPrintable || head.charset != nil
    template.isSimple = !isBare && !CardBuilder.isWord("AGENT", bytes, head.nameStart - base, head.nameEnd - base)
    template.entry = LineEntry(
      template.head, valueEnd: outline.end - start, parameters: parameters, isVersion: head.isVersion(bytes, base: base))
    template.entry.head = UInt16(templates.count)
    templates.append(template)
  }
}

extension ParameterEntry {
  /// Moves its places; those behind `from` by the gap as well.
  fileprivate mutating func move(by shift: UInt32, gap: UInt32, from: UInt32) {
    func moved(_ place: UInt32) -> UInt32 { place &+ shift &+ (place > from ? gap : 0) }
    (nameStart, nameEnd, valueStart, valueEnd) = (moved(nameStart), moved(nameEnd), moved(valueStart), moved(valueEnd))
  }

  /// Undoes `move(by:)`.
  fileprivate mutating func move(back shift: UInt32, gap: UInt32, from: UInt32) {
    func moved(_ place: UInt32) -> UInt32 {
      let place = place &- shift
      return place > from ? place &- gap : place
    }
    (nameStart, nameEnd, valueStart, valueEnd) = (moved(nameStart), moved(nameEnd), moved(valueStart), moved(valueEnd))
  }
}
