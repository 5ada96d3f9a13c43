// A card while it is normalized: its values in order, each as it stands in the card until a step changes it.

internal import CardSyntax
internal import Bytes

/// A value with what its line carries besides.
struct DraftValue {
  var tree: ValueTree
  var annotations: Annotations

  init(_ tree: ValueTree, _ annotations: Annotations = Annotations()) { (self.tree, self.annotations) = (tree, annotations) }
}

/// A line of a draft, with the lines that tell more of it.
struct DraftUnit {
  enum Content {
    /// The lines are copied.
    case asWritten
    /// They are written anew from a value.
    case value(DraftValue)
    /// An unclaimed line that is written anew.
    case unclaimed(UnclaimedText)
    /// They are left out.
    case gone
  }

  /// The field in the table; `unclaimed` for lines that no field holds.
  let field: Int
  /// The line of the value; nil where a step made the value.
  let line: Int?
  /// The lines that tell more of it.
  let companions: [Int]
  fileprivate(set) var content: Content

  /// Is it still part of the card?
  var isThere: Bool { if case .gone = content { false } else { true } }
}

/// What steps ask of a field's kind, found out once: a cast costs more than the step that asks.
struct DraftTraits: Sendable {
  /// A text, URI or number: no parts.
  let isWhole: Bool
  let isPhone: Bool, isURI: Bool, isMedia: Bool, isAgent: Bool, isDate: Bool, isTimestamp: Bool

  /// The traits of each field, by its number.
  static let all: [DraftTraits] = Person.fields.map { DraftTraits($0.kind) }

  private init(_ kind: any ValueKind) {
    isPhone = kind is PhoneKind
    isURI = kind is URIKind
    isWhole = kind is TextKind || isPhone || isURI
    isMedia = kind is MediaKind
    isAgent = kind is AgentKind
    isTimestamp = (kind as? DateKind)?.isTimestamp ?? false
    isDate = kind is DateKind && !isTimestamp
  }
}

/// A card that steps change, value by value. What no step has changed is written as it stands.
struct CardDraft: ~Copyable {
  /// The card, and what writes it.
  var engine: CardConverter
  private(set) var units: [DraftUnit] = []
  /// Every change, with its line.
  private(set) var findings: [Diagnostic] = []
  /// Values are written in the table's order.
  var isOrdered = false
  /// The contact holds nothing, and is left out.
  var isDropped = false
  let options: NormalizationOptions
  /// What is known of TYPE words and label texts: may they stay as they are?
  var canonicalWords = CanonicalWords()
  /// The rule of the step that runs.
  var rule: Rule
  /// The contact's number in its input, from 0.
  private(set) var number = 0
  /// The contact's place among all that are normalized, over all inputs.
  var sequence = 0
  private var origins: [(offset: Int, line: Int)] = []
  private var firstLine: Int?
  private var rawStart = 0
  private var scratch = Record()

  init(_ options: NormalizationOptions, version: CardVersion, width: Int?, rule: Rule) {
    self.options = options
    self.rule = rule
    engine = CardConverter(version: version, width: width, profile: options.profile)
  }

  /// Takes a card. Where its text was written from another, `origins` says which physical lines its lines came from.
  mutating func begin(
    _ batch: CardBatch, _ index: Int, number: Int, line: Int?, origins: [(offset: Int, line: Int)]
  ) {
    engine.card.sort(batch, index)
    self.number = number
    self.origins = origins
    firstLine = line
    rawStart = Int(batch.cards[index].rawStart)
    isOrdered = false
    isDropped = false
    units.removeAll(keepingCapacity: true)
    for line in engine.card.range {
      let link = engine.card[link: line]
      switch link.role {
      case .primary: units.append(DraftUnit(field: Int(link.field), line: line, companions: engine.companions(line), content: .asWritten))
      case .extra, .duplicate: units.append(DraftUnit(field: Person.unclaimedField, line: line, companions: [], content: .asWritten))
      case .companion: break
      }
    }
  }

  /// The version of the card.
  var version: CardVersion { engine.writer.version }

  /// Are accounts with messaging services written as their reader wants them, whatever steps think best?
  func keepsForm(of field: Field) -> Bool {
    field.kind is InstantMessageKind && options.profile.map { $0.messaging != .standard } == true
  }

  /// The record of the card as it was before the steps.
  func record() -> Record? {
    guard let batch = engine.card.batch else { return nil }
    var reader = CardReader()
    reader.read(batch, engine.card.number - batch.firstCard)
    return reader.record
  }

  /// The findings since the last call.
  mutating func takeFindings() -> [Diagnostic] {
    defer { findings = [] }
    return findings
  }

  // MARK: Values

  /// The field of a unit.
  func field(_ unit: Int) -> Field { Person.fields[units[unit].field] }

  /// What the kind of a unit's field is.
  func traits(_ unit: Int) -> DraftTraits { DraftTraits.all[units[unit].field] }

  /// The units of a field, by its key.
  func units(of key: String) -> [Int] { Person.field(key).map { units(of: $0) } ?? [] }

  /// The units of a field, by its number.
  func units(of number: Int) -> [Int] {
    var found: [Int] = []
    for unit in units.indices where units[unit].field == number && units[unit].isThere { found.append(unit) }
    return found
  }

  /// The value of a unit; nil for unclaimed lines, for what was left out, and for nested contacts.
  mutating func value(_ unit: Int) -> DraftValue? {
    switch units[unit].content {
    case .value(let value): return value
    case .unclaimed, .gone: return nil
    case .asWritten: return read(unit)
    }
  }

  private mutating func read(_ unit: Int) -> DraftValue? {
    guard let line = units[unit].line, units[unit].field != Person.unclaimedField else { return nil }
    let field = field(unit)
    if DraftTraits.all[units[unit].field].isAgent { return nil }
    scratch.begin(source: engine.card.bytes, version: engine.card.version)
    var isDetailed = false
    switch field.layout {
    case .one:
      isDetailed = true
      field.kind.read(line, engine.card, into: &scratch)
    case .many:
      scratch.open()
      field.kind.read(line, engine.card, into: &scratch)
      scratch.close()
    case .texts:
      scratch.open(list: true)
      field.kind.read(line, engine.card, into: &scratch)
      scratch.close()
    case .unclaimed: return nil
    }
    let place = scratch.tokens.count
    guard place > 0 else { return nil }
    scratch.open()
    Annotations.read(line, engine.card, field, details: isDetailed, &engine.labels, into: &scratch)
    scratch.close()
    return DraftValue(ValueTree(scratch, at: 0), Annotations(scratch, at: place))
  }

  /// The unclaimed line of a unit; nil for units of a field.
  func unclaimed(_ unit: Int) -> UnclaimedText? {
    switch units[unit].content {
    case .unclaimed(let text): return text
    case .value, .gone: return nil
    case .asWritten:
      guard units[unit].field == Person.unclaimedField, let line = units[unit].line else { return nil }
      return UnclaimedText(line, engine.card)
    }
  }

  /// The text of a value that no step has changed, where it is short, plain ASCII without escapes; nil for others.
  func shortText(_ unit: Int) -> String? {
    guard case .asWritten = units[unit].content, let line = units[unit].line else { return nil }
    let (start, end) = engine.card.valueRange(line)
    guard end - start < 64 else { return nil }
    let bytes = engine.card.bytes
    for i in start..<end where bytes[i] >= 0x80 || bytes[i] < 32 || bytes[i] == ASCII.backslash { return nil }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// What `body` says of the bytes of a value that no step has changed; `otherwise` where a step has.
  func withBytes(_ unit: Int, otherwise: Bool = true, _ body: (Span<UInt8>, _ start: Int, _ end: Int) -> Bool) -> Bool {
    guard case .asWritten = units[unit].content, let line = units[unit].line else { return otherwise }
    let (start, end) = engine.card.valueRange(line)
    return body(engine.card.bytes.span, start, end)
  }

  // MARK: Changes

  /// Gives a unit another value, and says so.
  mutating func change(_ unit: Int, _ value: DraftValue, _ message: String) {
    report(message, unit)
    units[unit].content = .value(value)
  }

  /// Gives an unclaimed line another text, and says so.
  mutating func change(_ unit: Int, _ text: UnclaimedText, _ message: String) {
    report(message, unit)
    units[unit].content = .unclaimed(text)
  }

  /// Leaves a unit out, and says so.
  mutating func remove(_ unit: Int, _ message: String) {
    report(message, unit)
    units[unit].content = .gone
  }

  /// Adds a value that the card did not have, and says so.
  mutating func add(_ value: DraftValue, toField key: String, _ message: String) {
    guard let number = Person.field(key) else { return }
    units.append(DraftUnit(field: number, line: nil, companions: [], content: .value(value)))
    report(message, units.count - 1)
  }

  /// Says what a step did; of the contact as a whole where no unit is named.
  mutating func report(_ message: String, _ unit: Int? = nil) {
    var property: String?
    var line = firstLine
    if let unit {
      if let first = units[unit].line {
        property = engine.card.name(first).uppercased()
        line = physicalLine(first)
      } else {
        property = field(unit).name(in: version)
      }
    }
    findings.append(Diagnostic(rule, message, line: line, property: property, contact: number))
  }

  private func physicalLine(_ line: Int) -> Int? {
    guard firstLine != nil else { return nil }
    if origins.isEmpty { return engine.card.physicalLine(line) }
    let offset = Int(engine.card.lines[line].rawStart) - rawStart
    var low = 0
    var high = origins.count
    while low < high {
      let middle = (low + high) / 2
      if origins[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? origins[low - 1].line : firstLine
  }

  // MARK: Writing

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
      for unit in order() { write(unit, &isWritten, keepsBytes: keepsBytes) }
    } else {
      writeInPlace(keepsBytes: keepsBytes)
    }
    engine.writer.end()
  }

  /// Do the units stand in the table's order?
  var isInOrder: Bool { order().elementsEqual(units.indices) }

  /// Units in the table's order, those of one field in the card's.
  private func order() -> [Int] {
    var groups: [String: Int]?
    let places = units.indices.map { unit -> Int in
      guard units[unit].field == Person.unclaimedField, let line = units[unit].line else { return units[unit].field }
      // A label goes with what it labels, even where no field holds that.
      if engine.card.lines[line].number == FieldNames.label {
        if groups == nil { groups = fieldsOfGroups() }
        if let owner = groups?[engine.card.group(line).lowercased()] { return owner }
      }
      // Further lines of a field follow those that it holds.
      return FieldNames.target(engine.card.lines[line].number).map { Int($0.field) } ?? Person.unclaimedField
    }
    return units.indices.sorted { (places[$0], $0) < (places[$1], $1) }
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
    guard case .asWritten = units[unit].content else { return writeChanged(unit) }
    if let line = units[unit].line { copyOnce(line, &isWritten, keepsBytes) }
    for line in units[unit].companions { copyOnce(line, &isWritten, keepsBytes) }
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
    for unit in units.indices {
      guard case .asWritten = units[unit].content else { continue }
      if let line = units[unit].line { places[line - base] = -1 }
      for line in units[unit].companions { places[line - base] = -1 }
    }
    var made: [Int] = []
    for unit in units.indices {
      if case .asWritten = units[unit].content { continue }
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
    switch units[unit].content {
    case .asWritten, .gone: return
    case .unclaimed(let text): text.write(as: text.name, origin: version, to: &engine.writer.lines)
    case .value(let value):
      let record = Self.record(of: value, units[unit].field, version)
      guard record.tokens.count > 1 else { return }
      let group = units[unit].line.map { engine.card.group($0) } ?? ""
      engine.writer.writeNext(units[unit].field, 1, of: record, preferredGroup: group.isEmpty ? nil : group)
    }
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
    guard accounts.contains(where: { if case .value = units[$0].content { true } else { false } }) else { return }
    for unit in accounts {
      if case .asWritten = units[unit].content, let value = read(unit) { units[unit].content = .value(value) }
    }
    for unit in units.indices where units[unit].field == Person.unclaimedField {
      guard let line = units[unit].line, engine.card[link: line].role == .duplicate,
        let target = FieldNames.target(engine.card.lines[line].number), keepsForm(of: Person.fields[Int(target.field)])
      else { continue }
      units[unit].content = .gone
    }
  }

  /// A label line may serve several values: where one of them is written anew, all are.
  private mutating func settleSharedLabels() {
    guard units.contains(where: { if case .value = $0.content { !$0.companions.isEmpty } else { false } }) else { return }
    var owners: [Int: [Int]] = [:]
    for unit in units.indices {
      for line in units[unit].companions { owners[line, default: []].append(unit) }
    }
    for sharers in owners.values where sharers.count > 1 {
      let isChanged = sharers.contains { if case .value = units[$0].content { true } else { false } }
      guard isChanged else { continue }
      for unit in sharers {
        if case .asWritten = units[unit].content, let value = read(unit) { units[unit].content = .value(value) }
      }
    }
  }
}
