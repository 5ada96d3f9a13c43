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
    for line in engine.card.range where engine.card.lines[line].groupEnd > engine.card.lines[line].groupStart {
      engine.writer.lines.groups.use(engine.card.group(line))
    }
    if isOrdered {
      var isWritten = Array(repeating: false, count: engine.card.range.count)
      place()
      places.sort()
      for place in places { write(place & 0xFFFF_FFFF, &isWritten, keepsBytes: keepsBytes) }
    } else {
      writeInPlace(keepsBytes: keepsBytes)
    }
    engine.writer.end()
  }

  /// Do the units stand in the table's order?
  var isInOrder: Bool {
    mutating get {
      place()
      return places.indices.allSatisfy { $0 == 0 || places[$0 - 1] <= places[$0] }
    }
  }

  /// Finds the place of each unit in the table's order, where those of one field stand in the card's order.
  private mutating func place() {
    var groups: [String: Int]?
    places.removeAll(keepingCapacity: true)
    for unit in units.indices {
      var place = units[unit].field
      if place == Person.unclaimedField, let line = units[unit].line {
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
      places.append(place << 32 | unit)
    }
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

  private mutating func write(_ unit: Int, _ isWritten: inout [Bool], keepsBytes: Bool) {
    guard units[unit].isAsWritten else { return writeChanged(unit) }
    if let line = units[unit].line { copyOnce(line, &isWritten, keepsBytes) }
    for i in units[unit].companionStart..<units[unit].companionEnd { copyOnce(companionLines[i], &isWritten, keepsBytes) }
  }

  private mutating func copyOnce(_ line: Int, _ isWritten: inout [Bool], _ keepsBytes: Bool) {
    let place = line - engine.card.range.lowerBound
    if !isWritten[place] { copy(line, keepsBytes) }
    isWritten[place] = true
  }

  private mutating func writeInPlace(keepsBytes: Bool) {
    /// Per line: the unit that it begins (its number), that copies it (-1), or that leaves it out (-2).
    var places = Array(repeating: -2, count: engine.card.range.count)
    let base = engine.card.range.lowerBound
    for unit in units.indices where units[unit].isAsWritten {
      if let line = units[unit].line { places[line - base] = -1 }
      for line in companions(unit) { places[line - base] = -1 }
    }
    var made: [Int] = []
    for unit in units.indices where !units[unit].isAsWritten {
      if let line = units[unit].line { places[line - base] = unit } else { made.append(unit) }
    }
    // What a step made stands before what comes after it in the table.
    for line in engine.card.range {
      while let unit = made.first, Int(engine.card[link: line].field) > units[unit].field, engine.card[link: line].role == .primary {
        writeChanged(unit)
        made.removeFirst()
      }
      let place = places[line - base]
      if place >= 0 { writeChanged(place) } else if place == -1 { copy(line, keepsBytes) }
    }
    for unit in made { writeChanged(unit) }
  }

  private mutating func copy(_ line: Int, _ keepsBytes: Bool) {
    if engine.card.lines[line].number == FieldNames.label { engine.writer.noteLabel(engine.card.text(line), of: engine.card.group(line)) }
    if keepsBytes { engine.copy(line) } else { engine.copyOrRefold(line) }
  }

  private mutating func writeChanged(_ unit: Int) {
    switch content(unit) {
    case .asWritten, .gone: return
    case .text(let text): write(unit, text)
    case .unclaimed(let text): text.write(as: text.name, origin: version, to: &engine.writer.lines)
    case .value(let value):
      let record = Self.record(of: value, units[unit].field, version)
      guard record.tokens.count > 1 else { return }
      engine.writer.writeNext(units[unit].field, 1, of: record, preferredGroup: group(unit))
    }
  }

  /// The group of a unit's line; nil where it has none.
  private func group(_ unit: Int) -> String? {
    guard let line = units[unit].line, engine.card.lines[line].groupEnd > engine.card.lines[line].groupStart else { return nil }
    return engine.card.group(line)
  }

  /// Writes a line with another text: the record of the line with that text in it.
  private mutating func write(_ unit: Int, _ text: String) {
    guard let line = units[unit].line else { return }
    let field = field(unit)
    scratch.begin(source: engine.card.bytes, version: version)
    scratch.field(units[unit].field)
    scratch.open(list: true)
    scratch.open()
    let first = scratch.tokens.count
    field.read(line, engine.card, &scratch)
    if !scratch.replaceText(.value, from: first, with: text) { scratch.text(.value, made: text) }
    Annotations.read(line, engine.card, field, details: false, &engine.labels, into: &scratch)
    scratch.close()
    scratch.close()
    engine.writer.writeNext(units[unit].field, 1, of: scratch, preferredGroup: group(unit))
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
    for unit in units.indices where units[unit].field == Person.unclaimedField {
      guard let line = units[unit].line, engine.card[link: line].role == .duplicate,
        let target = FieldNames.target(engine.card.lines[line].number), keepsForm(of: Person.fields[Int(target.field)])
      else { continue }
      leaveOut(unit)
    }
  }

  /// A label line may serve several values: where one of them is written anew, all are.
  private mutating func settleSharedLabels() {
    guard units.contains(where: { $0.isChanged && $0.hasCompanions }) else { return }
    var owners: [Int: [Int]] = [:]
    for unit in units.indices {
      for line in companions(unit) { owners[line, default: []].append(unit) }
    }
    for sharers in owners.values where sharers.count > 1 {
      guard sharers.contains(where: { units[$0].isChanged }) else { continue }
      for unit in sharers where units[unit].isAsWritten {
        if let value = read(unit) { set(unit, .value(value)) }
      }
    }
  }
}
