// Writes a card anew after the steps: lines that nothing touched byte for byte, the others from their values.

internal import CardSyntax
internal import Bytes

extension CardDraft {
  /// Writes the card into `engine.writer.lines.output`. With `keepsBytes` lines are copied byte for byte, else with right folds and line ends.
  mutating func write(keepsBytes: Bool) {
    settleSharedLabels()
    settleSecondForms()
    scratch.begin(source: [], version: version)
    engine.writer.begin(scratch)
    useGroups()
    notesLabels = units.indices.contains { mayAskForLabels($0) }
    let keepsBytes = keepsBytes || version == .v21
    if isOrdered {
      mark(lines: 0)
      if places.count != units.count { order() }
      for place in places { write(place & 0xFFFF_FFFF, keepsBytes) }
    } else {
      writeInPlace(keepsBytes)
    }
    endRun()
    engine.writer.end()
  }

  /// Notes the groups of the card, so that no new one gets such a name.
  private mutating func useGroups() {
    let bytes = engine.card.bytes
    for line in engine.card.range where engine.card.hasGroup(line) {
      engine.writer.lines.groups.use(bytes.span, Int(engine.card.lines[line].groupStart), Int(engine.card.lines[line].groupEnd))
    }
  }

  /// Sorts `places` by the table's order, the units of one field by the card's; true where the units stand in that order already.
  @discardableResult
  mutating func order() -> Bool {
    var groups: [String: Int]?
    var (last, isSorted) = (0, true)
    places.removeAll(keepingCapacity: true)
    for unit in units.indices {
      var place = units[unit].field
      if !units[unit].traits.contains(.claimed), let line = units[unit].line {
        let number = engine.card.lines[line].number
        // Further lines of a field follow those that it holds.
        place = FieldNames.target(number).map { Int($0.field) } ?? Person.unclaimedField
        // A label goes with what it labels, even where no field holds that.
        if number == FieldNames.label {
          let known = groups ?? fieldsOfGroups()
          groups = known
          place = known[engine.card.group(line).lowercased()] ?? place
        }
      }
      if place < last { isSorted = false }
      last = place
      places.append(place << 32 | unit)
    }
    if !isSorted { places.sort() }
    return isSorted
  }

  /// The field of the first line in each group that has one.
  private func fieldsOfGroups() -> [String: Int] {
    var found: [String: Int] = [:]
    for line in engine.card.range {
      guard let target = FieldNames.target(engine.card.lines[line].number) else { continue }
      let group = engine.card.group(line).lowercased()
      if !group.isEmpty, found[group] == nil { found[group] = Int(target.field) }
    }
    return found
  }

  /// Is the line an N without a value, which older versions ask for?
  func isEmptyName(_ line: Int) -> Bool {
    guard engine.card[link: line].role == .extra, let target = FieldNames.target(engine.card.lines[line].number) else { return false }
    return Int(target.field) == CardWriter.name && target.alias == 0 && engine.card.isBlank(line)
  }

  private mutating func write(_ unit: Int, _ keepsBytes: Bool) {
    guard units[unit].isAsWritten else { return writeChanged(unit) }
    if let line = units[unit].line { copyOnce(line, keepsBytes) }
    for i in units[unit].companionStart..<units[unit].companionEnd { copyOnce(companionLines[i], keepsBytes) }
  }

  /// Copies a line that may serve several units: it is written once.
  private mutating func copyOnce(_ line: Int, _ keepsBytes: Bool) {
    let place = line - engine.card.range.lowerBound
    if marks[place] == 0 { copy(line, keepsBytes) }
    marks[place] = 1
  }

  private mutating func mark(lines mark: Int) {
    marks.fill(mark, count: engine.card.range.count)
  }

  private mutating func writeInPlace(_ keepsBytes: Bool) {
    // Per line: the unit that it begins (its number), that copies it (-1), or that leaves it out (-2).
    mark(lines: -2)
    let base = engine.card.range.lowerBound
    for unit in units.indices where units[unit].isAsWritten {
      if let line = units[unit].line { marks[line - base] = -1 }
      for i in units[unit].companionStart..<units[unit].companionEnd { marks[companionLines[i] - base] = -1 }
    }
    var made: [Int] = []
    for unit in units.indices where !units[unit].isAsWritten {
      if let line = units[unit].line { marks[line - base] = unit } else { made.append(unit) }
    }
    // What a step made stands before what comes after it in the table.
    for line in engine.card.range {
      while let unit = made.first, Int(engine.card[link: line].field) > units[unit].field, engine.card[link: line].role == .primary {
        writeChanged(unit)
        made.removeFirst()
      }
      let mark = marks[line - base]
      if mark >= 0 { writeChanged(mark) } else if mark == -1 { copy(line, keepsBytes) }
    }
    for unit in made { writeChanged(unit) }
  }

  // MARK: Lines that stay

  /// Writes a right line as it stands; lines that follow each other go in one piece.
  private mutating func copy(_ line: Int, _ keepsBytes: Bool) {
    let entry = engine.card.lines[line]
    if notesLabels, entry.number == FieldNames.label { engine.writer.noteLabel(engine.card.text(line), of: engine.card.group(line)) }
    if !keepsBytes, entry.flags.hasAny(of: .unevenLines) {
      endRun()
      return engine.refold(line)
    }
    if run.end != Int(entry.rawStart) {
      endRun()
      run.start = Int(entry.rawStart)
    }
    run.end = Int(entry.rawEnd)
  }

  /// Writes what was to be copied so far.
  private mutating func endRun() {
    if run.end > run.start {
      let bytes = engine.card.bytes
      engine.writer.lines.copy(bytes.span, run.start, run.end)
    }
    run = (0, 0)
  }

  // MARK: Lines that are written anew

  private mutating func writeChanged(_ unit: Int) {
    endRun()
    switch units[unit].state {
    case .asWritten, .gone: return
    case .text(let start, let end): write(unit, start, end)
    case .changed:
      switch content(unit) {
      case .unclaimed(let text)?: text.write(as: text.name, origin: version, to: &engine.writer.lines)
      case .value(let value)?:
        let record = Self.record(of: value, units[unit].field, version)
        guard record.tokens.count > 1 else { return }
        engine.writer.writeNext(units[unit].field, 1, of: record, preferredGroup: group(unit))
      case nil: return
      }
    }
  }

  /// The group of a unit's line; nil where it has none.
  private func group(_ unit: Int) -> String? {
    guard let line = units[unit].line, engine.card.lines[line].groupEnd > engine.card.lines[line].groupStart else { return nil }
    return engine.card.group(line)
  }

  /// May a unit be written anew with a label of its group? One that gets another text alone keeps what it has.
  private func mayAskForLabels(_ unit: Int) -> Bool {
    switch units[unit].state {
    case .asWritten, .gone: false
    case .text: units[unit].hasCompanions || units[unit].line.map { engine.card.hasGroup($0) } ?? false
    case .changed: true
    }
  }

  /// What the written form of a line with another text depends on besides its head; nil where that is more than a number says.
  private func textContext(_ unit: Int, _ line: Int) -> UInt64? {
    guard options.profile == nil, !units[unit].hasCompanions, !engine.card.hasGroup(line), !engine.card.parameterSet(line).has(.label),
      !engine.card.lines[line].flags.hasAny(of: .mended)
    else { return nil }
    let (start, end) = engine.card.valueRange(line)
    let bytes = engine.card.bytes
    return engine.card.headContext(line) | (PhoneText.hasScheme(bytes.span, start, end) ? 1 &<< 24 : 0)
  }

  /// Writes a line with the text `texts[start ..< end]`: behind the head that lines like it have got, where no byte of the text needs an
  /// escape; else from the record of the line with that text in it, from which the head is learnt.
  private mutating func write(_ unit: Int, _ start: Int, _ end: Int) {
    guard let line = units[unit].line else { return }
    let number = units[unit].field
    let context = texts.withBytes { Escaping.firstSpecial(in: $0, from: start, to: end) == end } ? textContext(unit, line) : nil
    let known = context.flatMap { textHeads.value(of: line, engine.card, $0) }
    if let known, known.isSome, engine.writer.begin(known, of: number) {
      Self.appendValue(texts, start, end, to: &engine.writer.lines)
      return engine.writer.end(known)
    }
    let field = field(unit)
    scratch.begin(source: engine.card.bytes, version: version)
    scratch.field(number)
    scratch.open(list: true)
    scratch.open()
    let first = scratch.tokens.count
    field.read(line, engine.card, &scratch)
    let text = texts.withBytes { $0.text(start, end) }
    if !scratch.replaceText(.value, from: first, with: text) { scratch.text(.value, made: text) }
    Annotations.read(line, engine.card, field, details: false, &engine.labels, into: &scratch)
    scratch.close()
    scratch.close()
    let mark = KnownHead.Mark(engine.writer, number)
    engine.writer.writeNext(number, 1, of: scratch, preferredGroup: group(unit))
    guard let context, known == nil else { return }
    var value = ByteBuffer(capacity: 64)
    value.append(ASCII.colon)
    value.append(text: text)
    if let learned = KnownHead.learned(engine.writer, since: mark, number, value: value) {
      textHeads.keep(learned, for: line, engine.card, context)
    }
  }

  private static func appendValue(_ text: borrowing ByteBuffer, _ start: Int, _ end: Int, to lines: inout LineWriter) {
    lines.beginValue()
    text.withBytes { lines.append(written: $0, start, end) }
  }

  /// The record of one value.
  private static func record(of value: DraftValue, _ number: Int, _ version: CardVersion) -> Record {
    let field = Person.fields[number]
    var record = Record()
    record.begin(source: [], version: version)
    record.field(number)
    switch field.layout {
    case .one:
      value.tree.send(as: .none, to: &record)
      guard !value.annotations.isEmpty else { return record }
      record.field(Person.detailsField)
      record.open()
      record.key(field.key)
      record.open()
      value.annotations.send(to: &record)
      record.close()
      record.close()
    case .many:
      record.open(list: true)
      record.open()
      if case .object(let parts) = value.tree {
        for part in parts { part.value.send(as: part.member, to: &record) }
      } else {
        value.tree.send(as: .value, to: &record)
      }
      value.annotations.send(to: &record)
      record.close()
      record.close()
    case .texts:
      record.open(list: true)
      let texts = if case .list(let values) = value.tree { values } else { [value.tree] }
      for text in texts {
        if value.annotations.isEmpty {
          text.send(as: .none, to: &record)
        } else {
          record.open()
          text.send(as: .value, to: &record)
          value.annotations.send(to: &record)
          record.close()
        }
      }
      record.close()
    case .unclaimed: break
    }
    return record
  }

  /// Where accounts are written in two forms, the second stands in a line of its own: if one account is written anew, all are, both forms.
  private mutating func settleSecondForms() {
    guard options.profile.map({ $0.messaging != .standard }) == true else { return }
    let accounts = units.indices.filter { keepsForm(of: field($0)) }
    guard accounts.contains(where: { units[$0].isChanged }) else { return }
    for unit in accounts where units[unit].isAsWritten {
      if let value = read(unit) { set(unit, .value(value)) }
    }
    for unit in units.indices where !units[unit].traits.contains(.claimed) {
      guard let line = units[unit].line, engine.card[link: line].role == .duplicate,
        let target = FieldNames.target(engine.card.lines[line].number), keepsForm(of: Person.fields[Int(target.field)])
      else { continue }
      leaveOut(unit)
    }
  }

  /// A label line may serve several values: where one of them is written anew, all are.
  private mutating func settleSharedLabels() {
    guard companionLines.count > 0, units.indices.contains(where: { units[$0].isChanged && units[$0].hasCompanions }) else { return }
    var owners: [Int: [Int]] = [:]
    for unit in units.indices {
      for i in units[unit].companionStart..<units[unit].companionEnd { owners[companionLines[i], default: []].append(unit) }
    }
    for sharers in owners.values where sharers.count > 1 {
      guard sharers.contains(where: { units[$0].isChanged }) else { continue }
      for unit in sharers where units[unit].isAsWritten {
        if let value = read(unit) { set(unit, .value(value)) }
      }
    }
  }
}
