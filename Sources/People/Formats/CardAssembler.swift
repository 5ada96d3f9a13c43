// Content lines that another format gave, put together to a card that remembers where in the input each line came from.

package import CardSyntax
internal import Bytes

/// Makes cards of properties. The lines are those that `LineWriter` makes, so that nothing in a value can become a line of its own.
package struct CardAssembler: ~Copyable {
  package var lines = LineWriter()
  private var parser = CardParser(names: FieldNames.table)
  private var values = PropertyValues()
  /// The input's line for each physical line of the card in the making.
  private var places: [Int] = []
  private var counted = 0

  package init() {}

  /// Begins a card of a version that stands at a line of the input.
  package mutating func begin(_ version: CardVersion, line: Int) {
    lines.output.removeAll()
    lines.version = version
    places.removeAll(keepingCapacity: true)
    counted = 0
    lines.whole("BEGIN:VCARD")
    if version == .v40 { lines.whole("VERSION:4.0") } else { lines.whole("VERSION:3.0") }
    place(line)
  }

  /// Adds a property that stands at a line of the input. False where characters of it could not be kept.
  @discardableResult
  package mutating func add(_ property: PropertyText, line: Int) -> Bool {
    let dropped = lines.dropped
    property.writeHead(to: &lines)
    values.take(property.values)
    values.write(property.type, PropertyShape.of(property.name), to: &lines)
    lines.end()
    place(line)
    return lines.takeNotes().isEmpty && lines.dropped == dropped && !values.hasControlCharacters(property.type)
  }

  /// Adds the line of a template with the texts of a part of the source, which stands at a line of the input. False as above.
  mutating func add(
    _ template: LineTemplate, _ part: borrowing SourcePart, _ source: Span<UInt8>, group: String? = nil, line: Int
  ) -> Bool {
    let isWhole = lines.write(template, part, source, group: group)
    place(line)
    return isWhole
  }

  /// Adds the line that labels a group.
  package mutating func add(label text: String, group: String, line: Int) {
    lines.label(group, text)
    place(line)
  }

  private mutating func place(_ line: Int) {
    let (from, to) = (counted, lines.output.count)
    let breaks = lines.output.withBytes { bytes in
      var count = 0
      var i = ByteSearch.firstIndex(of: ASCII.lineFeed, in: bytes, from: from, to: to)
      while i < to {
        count += 1
        i = ByteSearch.firstIndex(of: ASCII.lineFeed, in: bytes, from: i + 1, to: to)
      }
      return count
    }
    for _ in 0..<breaks { places.append(line) }
    counted = to
  }

  /// Ends the card. Nil where it is beyond the limits; `findings` gets what the parser says.
  package mutating func finish(line: Int, _ findings: inout [Diagnostic]) -> CardBatch? {
    lines.whole("END:VCARD")
    place(line)
    lines.output.withBytes { parser.feed($0) }
    lines.output.removeAll()
    guard let batch = parser.nextBatch() else { return nil }
    func origin(_ physical: Int) -> Int {
      let index = physical - batch.firstPhysicalLine
      return places.indices.contains(index) ? places[index] : line
    }
    findings += batch.diagnostics.map { finding in
      var finding = finding
      finding.line = finding.line.map(origin)
      return finding
    }
    guard batch.count > 0 else { return nil }
    var entries = batch.lines
    for i in entries.indices {
      entries[i].line = UInt32(truncatingIfNeeded: origin(batch.firstPhysicalLine + Int(entries[i].line)) - 1)
    }
    var cards = batch.cards
    for i in cards.indices {
      cards[i].line = UInt32(truncatingIfNeeded: origin(batch.firstPhysicalLine + Int(cards[i].line)) - 1)
      cards[i].diagnosticCount = 0
    }
    return CardBatch(
      bytes: batch.bytes, lines: entries, parameters: batch.parameters, cards: cards, diagnostics: [], firstPhysicalLine: 1,
      firstCard: batch.firstCard, inputEnd: batch.inputEnd, numbering: batch.numbering)
  }
}
