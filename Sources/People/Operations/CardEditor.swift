// Changes to cards that rewrite the lines of what is changed, and copy all others byte for byte.

package import CardSyntax
internal import Bytes

/// Edits cards. A value that is changed is written anew in the card's own version, with the line breaks of the card; new values stand
/// behind the others of their field, else before the END.
package struct CardEditor: ~Copyable {
  private var reader = CardReader()
  private var labels = LabelMemo()
  private var scratch = Record()
  private let width: Int?
  private let encoding: String?

  /// An editor; `width` is for the lines it writes, `encoding` what lines of unknown encoding are in (`CardParser`).
  package init(width: Int? = Folding.width, encoding: String? = nil) { (self.width, self.encoding) = (width, encoding) }

  /// The card after all changes, one after the other, as a batch of its own; nil where they change nothing.
  package mutating func apply(_ edits: [Edit], to batch: CardBatch, _ index: Int) -> CardBatch? {
    var (current, place) = (batch, index)
    var isChanged = false
    for edit in edits {
      guard let bytes = apply(edit, to: current, place), let fresh = parse(bytes, of: batch[index]) else { continue }
      (current, place) = (fresh, 0)
      isChanged = true
    }
    return isChanged ? current : nil
  }

  /// The card without the values of these fields that `isMeant` accepts, as a batch of its own; nil where there are none. `isMeant` gets
  /// a record and the place of a value in it.
  package mutating func remove(
    from fields: [Int], of batch: CardBatch, _ index: Int, where isMeant: (borrowing Record, Int) -> Bool
  ) -> CardBatch? {
    reader.read(batch, index, only: FieldSet(fields))
    var changes = LineChanges()
    for field in fields {
      guard let value = reader.record.value(ofField: field) else { continue }
      let entries = reader.record.elements(value)
      for (line, numbers) in lines(of: field) where numbers.allSatisfy({ $0 < entries.count && isMeant(reader.record, entries[$0]) }) {
        drop(line, &changes)
      }
    }
    return changes.isEmpty ? nil : parse(changes.applied(to: batch[index]), of: batch[index])
  }

  private func parse(_ bytes: [UInt8], of card: Card) -> CardBatch? {
    var parser = CardParser(names: FieldNames.table, encoding: encoding)
    parser.begin(line: card.line, card: card.number)
    parser.feed(bytes.span)
    parser.finish()
    while let batch = parser.nextBatch() { if batch.count > 0 { return batch } }
    return nil
  }

  // MARK: One change

  private mutating func apply(_ edit: Edit, to batch: CardBatch, _ index: Int) -> [UInt8]? {
    let number = edit.path.field
    reader.read(batch, index, only: FieldSet([number]))
    let plan = edit.plan(for: reader.record)
    if plan.isEmpty { return nil }
    var changes = LineChanges()
    let lines = lines(of: number)
    for (line, entries) in lines {
      let targets = entries.filter { plan.targets.contains($0) }.map { $0 - (entries.first ?? 0) }
      if !targets.isEmpty { change(line, EditPlan(targets: Set(targets)), edit, &changes) }
    }
    if plan.adds { add(edit, behind: lines.last?.line, batch[index], &changes) }
    guard !changes.isEmpty else { return nil }
    let bytes = changes.applied(to: batch[index])
    return bytes[...] == batch[index].rawBytes ? nil : bytes
  }

  /// The lines of a field and, of each, the numbers of its entries among those of the field.
  private mutating func lines(of number: Int) -> [(line: Int, entries: Range<Int>)] {
    var found: [(line: Int, entries: Range<Int>)] = []
    var count = 0
    var line = Int(reader.card.first[number])
    let layout = Person.fields[number].layout
    while line >= 0 {
      let role = reader.card[link: line].role
      var entries = 1
      switch layout {
      case .one: entries = role == .primary && count == 0 ? 1 : 0
      case .many: entries = role == .primary ? 1 : 0
      case .unclaimed: entries = role != .companion ? 1 : 0
      case .texts: entries = role == .primary ? texts(line, number) : 0
      }
      if entries > 0 { found.append((line, count..<count + entries)) }
      count += entries
      line = reader.card.next(line)
    }
    return found
  }

  private mutating func texts(_ line: Int, _ number: Int) -> Int {
    read(line, number)
    return scratch.elements(1).count
  }

  /// Reads one line into `scratch`, as the only one of its field.
  private mutating func read(_ line: Int, _ number: Int) {
    let field = Person.fields[number]
    scratch.begin(source: reader.card.bytes, version: reader.card.version)
    scratch.field(number)
    switch field.layout {
    case .one:
      field.kind.read(line, reader.card, into: &scratch)
      let end = scratch.tokens.count
      scratch.field(Person.detailsField)
      scratch.open()
      scratch.key(field.key)
      scratch.open()
      Annotations.read(line, reader.card, field, details: true, &labels, into: &scratch)
      scratch.close()
      scratch.close()
      if scratch.tokens.count == end + 6 { scratch.truncate(to: end) }
    case .many:
      scratch.open(list: true)
      scratch.open()
      field.kind.read(line, reader.card, into: &scratch)
      Annotations.read(line, reader.card, field, details: false, &labels, into: &scratch)
      scratch.close()
      scratch.close()
    case .texts:
      scratch.open(list: true)
      CardReader.readTexts(line, reader.card, field, &labels, into: &scratch)
      scratch.close()
    case .unclaimed:
      scratch.open(list: true)
      CardReader.read(unclaimed: line, reader.card, into: &scratch)
      scratch.close()
    }
  }

  private mutating func change(_ line: Int, _ plan: EditPlan, _ edit: Edit, _ changes: inout LineChanges) {
    read(line, edit.path.field)
    guard scratch.tokens.count > 1 else { return }
    var result = Record()
    result.begin(source: [], version: reader.card.version)
    guard edit.appendField(1, of: scratch, plan, to: &result) else { return drop(line, &changes) }
    if let details = scratch.value(ofField: Person.detailsField) {
      result.append(range: details - 1, scratch.next(details), of: scratch)
    }
    if Edit.isSame(scratch, result) { return }
    let entry = reader.card.lines[line]
    let group = entry.groupEnd > entry.groupStart ? reader.card.group(line) : nil
    let shared = sharedLabel(line)
    let text = written(result, edit.path.field, group: group, label: shared.map { reader.card.text($0) })
    drop(line, &changes)
    changes.insert(text, at: Int(entry.rawStart))
  }

  private mutating func add(_ edit: Edit, behind last: Int?, _ card: Card, _ changes: inout LineChanges) {
    var result = Record()
    result.begin(source: [], version: reader.card.version)
    guard edit.appendField(nil, of: Record(), EditPlan(adds: true), to: &result) else { return }
    var place = changes.placeOfEnd(of: card)
    // Behind base64 and nested cards blank lines may stand that belong to them.
    if let last, reader.card.lines[last].flags.isDisjoint(with: [.base64, .nestedCard]) {
      place = ([last] + companions(last)).map { Int(reader.card.lines[$0].rawEnd) }.max() ?? place
    }
    if Person.fields[edit.path.field].isOne, let empty = emptyLine(of: edit.path.field) {
      place = Int(reader.card.lines[empty].rawStart)
      changes.remove(range(of: empty))
    }
    changes.insert(written(result, edit.path.field, group: nil, label: nil), at: place)
  }

  /// A line that has the field's name and no value, such as the empty N of 3.0.
  private func emptyLine(of number: Int) -> Int? {
    reader.card.range.first { line in
      guard let target = FieldNames.target(reader.card.lines[line].number), Int(target.field) == number, target.alias == 0 else {
        return false
      }
      return reader.card[link: line].role == .extra && Person.fields[number].kind.isEmpty(line, reader.card)
    }
  }

  /// The lines of a field of a record, in the card's version.
  private func written(_ record: borrowing Record, _ number: Int, group: String?, label: String?) -> [UInt8] {
    var writer = CardWriter(version: reader.card.version, width: width)
    writer.prepare(record)
    for line in reader.card.range where reader.card.lines[line].groupEnd > reader.card.lines[line].groupStart {
      writer.lines.groups.use(reader.card.group(line))
    }
    if let group, let label { writer.noteLabel(label, of: group) }
    if let index = record.value(ofField: number) { writer.write(number, index, of: record, preferredGroup: group) }
    return writer.takeOutput()
  }

  // MARK: Lines that belong together

  /// Takes a line and those that tell more of it away; a label that other lines share stays.
  private func drop(_ line: Int, _ changes: inout LineChanges) {
    changes.remove(range(of: line))
    let shared = sharedLabel(line)
    for companion in companions(line) where companion != shared { changes.remove(range(of: companion)) }
  }

  private func range(of line: Int) -> Range<Int> { Int(reader.card.lines[line].rawStart)..<Int(reader.card.lines[line].rawEnd) }

  /// The label line of a line, where another one has it as well.
  private func sharedLabel(_ line: Int) -> Int? {
    let label = Int(reader.card[link: line].label)
    guard label >= 0 else { return nil }
    let isShared = reader.card.range.contains {
      $0 != line && reader.card[link: $0].role == .primary && Int(reader.card[link: $0].label) == label
    }
    return isShared ? label : nil
  }

  private func companions(_ line: Int) -> [Int] {
    let link = reader.card[link: line]
    var found = [link.label, link.companion, link.secondCompanion].map { Int($0) }.filter { $0 >= 0 }
    if Person.fields[Int(link.field)].isOne {
      var other = Int(reader.card.first[Int(link.field)])
      while other >= 0 {
        if other != line, reader.card[link: other].role == .companion, Int(link.field) != Person.unclaimedField { found.append(other) }
        other = reader.card.next(other)
      }
    }
    return found
  }
}

/// Ranges of a card's bytes that are taken away, and texts that are put between them.
private struct LineChanges {
  private var removed: [Range<Int>] = []
  private var inserted: [(place: Int, text: [UInt8])] = []

  var isEmpty: Bool { removed.isEmpty && inserted.isEmpty }

  mutating func remove(_ range: Range<Int>) { removed.append(range) }
  mutating func insert(_ text: [UInt8], at place: Int) { inserted.append((place, text)) }

  /// Where the END line of a card begins; behind its last byte where it has none.
  func placeOfEnd(of card: Card) -> Int {
    let raw = card.rawBytes
    guard card.hasEnd else { return raw.endIndex }
    let last = raw.lastIndex { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn } ?? raw.startIndex
    let before = raw[...last].lastIndex { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }
    return before.map { $0 + 1 } ?? raw.startIndex
  }

  /// The card's bytes after the changes; new lines end as the card's first line does.
  func applied(to card: Card) -> [UInt8] {
    let raw = card.rawBytes
    let feed = raw.firstIndex(of: ASCII.lineFeed)
    let hasReturns = feed.map { $0 > raw.startIndex && raw[$0 - 1] == ASCII.carriageReturn } ?? true
    var result: [UInt8] = []
    result.reserveCapacity(raw.count + inserted.reduce(0) { $0 + $1.text.count })
    let cuts = removed.sorted { $0.lowerBound < $1.lowerBound }
    let texts = inserted.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }.map(\.element)
    var (cut, text, position) = (0, 0, raw.startIndex)
    while position < raw.endIndex || text < texts.count {
      if text < texts.count, texts[text].place <= position {
        if let last = result.last, last != ASCII.lineFeed, last != ASCII.carriageReturn {
          result += hasReturns ? [ASCII.carriageReturn, ASCII.lineFeed] : [ASCII.lineFeed]
        }
        result += hasReturns ? texts[text].text : texts[text].text.filter { $0 != ASCII.carriageReturn }
        text += 1
      } else if cut < cuts.count, cuts[cut].lowerBound <= position {
        position = max(position, cuts[cut].upperBound)
        cut += 1
      } else {
        var end = raw.endIndex
        if cut < cuts.count { end = min(end, cuts[cut].lowerBound) }
        if text < texts.count { end = min(end, texts[text].place) }
        result += raw[position..<end]
        position = end
      }
    }
    return result
  }
}
