// A card while it is normalized: its values in order, each as it stands in the card until a step changes it.

internal import CardSyntax
internal import Bytes

/// A value with what its line carries besides.
struct DraftValue {
  var tree: ValueTree
  var annotations: Annotations

  init(_ tree: ValueTree, _ annotations: Annotations = Annotations()) { (self.tree, self.annotations) = (tree, annotations) }
}

/// What is written for a unit of a draft.
enum DraftContent {
  /// The lines are copied.
  case asWritten
  /// They are written anew from a value.
  case value(DraftValue)
  /// They are written anew with another text; all else is as the line has it.
  case text(String)
  /// An unclaimed line that is written anew.
  case unclaimed(UnclaimedText)
  /// They are left out.
  case gone
}

/// A line of a draft, with the lines that tell more of it. What a step has made of it stands in the draft, so that looking through the
/// units copies nothing.
struct DraftUnit: BitwiseCopyable {
  /// The field in the table; `unclaimed` for lines that no field holds.
  let field: Int
  /// The line of the value; nil where a step made the value.
  let line: Int?
  /// Where the lines that tell more of it stand among those of the draft.
  let companionStart: Int, companionEnd: Int
  /// Where the draft has what is written instead.
  var change: Int

  static let asWritten = -1, gone = -2

  /// Is it still part of the card?
  var isThere: Bool { change != Self.gone }

  /// Has no step changed it?
  var isAsWritten: Bool { change == Self.asWritten }

  /// Is it written anew?
  var isChanged: Bool { change >= 0 }

  /// Do other lines tell more of it?
  var hasCompanions: Bool { companionEnd > companionStart }
}

/// What steps ask of a field's kind, found out once: a cast costs more than the step that asks.
struct DraftTraits: Sendable {
  /// A text, URI or number: no parts.
  let isWhole: Bool
  let isPhone: Bool, isURI: Bool, isMedia: Bool, isAgent: Bool, isDate: Bool, isTimestamp: Bool

  static let phones = Person.field("phones") ?? 0
  static let emails = Person.field("emails") ?? 0

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
  /// What steps have made of units.
  private var changes: [DraftContent] = []
  /// The lines that tell more of units.
  var companionLines: [Int] = []
  /// The fields that have units.
  private var held = FieldSet.none
  /// Every change, with its line.
  private(set) var findings: [Diagnostic] = []
  /// Values are written in the table's order.
  var isOrdered = false
  /// The contact holds nothing, and is left out.
  var isDropped = false
  let options: NormalizationOptions
  /// What is known of TYPE words and label texts: may they stay as they are?
  var canonicalWords = CanonicalWords()
  /// Whether lines with the same head have canonical TYPE words.
  var canonicalHeads = HeadMemo<Bool>()
  /// What was seen of values that may be equal, for the step that looks for these.
  var sketches: [UInt64] = []
  /// The rule of the step that runs.
  var rule: Rule
  /// The contact's number in its input, from 0.
  private(set) var number = 0
  /// The contact's place among all that are normalized, over all inputs.
  var sequence = 0
  private var origins: [(offset: Int, line: Int)] = []
  private var firstLine: Int?
  private var rawStart = 0
  var scratch = Record()
  /// The places of units in the table's order, each behind the number of its unit.
  var places: [Int] = []

  init(_ options: NormalizationOptions, version: CardVersion, width: Int?, rule: Rule) {
    self.options = options
    self.rule = rule
    engine = CardConverter(version: version, width: width, profile: options.profile)
  }

  /// Takes a card that was written from another one; `origins` says which physical lines its lines came from.
  mutating func begin(_ batch: CardBatch, _ index: Int, number: Int, line: Int?, origins: [(offset: Int, line: Int)]) {
    engine.card.sort(batch, index)
    self.origins = origins
    begin(number, line)
  }

  /// Takes a card that is sorted already, and gives its own for it.
  mutating func begin(_ sorted: inout CardView, number: Int, line: Int?) {
    swap(&sorted, &engine.card)
    origins = []
    begin(number, line)
  }

  private mutating func begin(_ number: Int, _ line: Int?) {
    self.number = number
    firstLine = line
    rawStart = engine.card.batch.map { Int($0.cards[engine.card.number - $0.firstCard].rawStart) } ?? 0
    isOrdered = false
    isDropped = false
    units.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
    companionLines.removeAll(keepingCapacity: true)
    held = .none
    for line in engine.card.range {
      let link = engine.card[link: line]
      switch link.role {
      case .primary:
        companionLines += engine.companions(line)
        addUnit(Int(link.field), line, DraftUnit.asWritten)
      case .extra, .duplicate: addUnit(Person.unclaimedField, line, DraftUnit.asWritten)
      case .companion: break
      }
    }
  }

  /// Adds a unit; the companions that no other unit has are its own.
  private mutating func addUnit(_ field: Int, _ line: Int?, _ change: Int) {
    held.insert(field)
    let start = units.last?.companionEnd ?? 0
    units.append(DraftUnit(field: field, line: line, companionStart: start, companionEnd: companionLines.count, change: change))
  }

  /// The version of the card.
  var version: CardVersion { engine.writer.version }

  /// Are accounts with messaging services written as their reader wants them, whatever steps think best?
  func keepsForm(of field: Field) -> Bool {
    options.profile.map { $0.messaging != .standard } == true && field.kind is InstantMessageKind
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
    guard held.has(number) else { return [] }
    var found: [Int] = []
    found.reserveCapacity(4)
    for unit in units.indices where units[unit].field == number && units[unit].isThere { found.append(unit) }
    return found
  }

  /// What is written for a unit.
  func content(_ unit: Int) -> DraftContent {
    switch units[unit].change {
    case DraftUnit.asWritten: .asWritten
    case DraftUnit.gone: .gone
    case let change: changes[change]
    }
  }

  /// The lines that tell more of a unit.
  func companions(_ unit: Int) -> ArraySlice<Int> { companionLines[units[unit].companionStart..<units[unit].companionEnd] }

  /// The value of a unit; nil for unclaimed lines, for what was left out, and for nested contacts.
  mutating func value(_ unit: Int) -> DraftValue? {
    switch content(unit) {
    case .value(let value): return value
    case .unclaimed, .gone: return nil
    case .asWritten: return read(unit)
    case .text(let text):
      var value = read(unit)
      value?.tree.plainText = text
      return value
    }
  }

  /// The text of a value that is one text, or has one besides other parts; nil for others.
  mutating func text(_ unit: Int) -> String? {
    switch content(unit) {
    case .value(let value): return value.tree.plainText
    case .text(let text): return text
    case .unclaimed, .gone: return nil
    case .asWritten:
      guard readValue(unit) != nil else { return nil }
      let place = scratch.tokens[0].operation == .openObject ? scratch.part(.value, of: 0) : 0
      guard let place, scratch.tokens[place].operation == .text else { return nil }
      return scratch.string(place)
    }
  }

  mutating func read(_ unit: Int) -> DraftValue? {
    guard let line = readValue(unit) else { return nil }
    let place = scratch.tokens.count
    scratch.open()
    Annotations.read(line, engine.card, field(unit), details: field(unit).isOne, &engine.labels, into: &scratch)
    scratch.close()
    return DraftValue(ValueTree(scratch, at: 0), Annotations(scratch, at: place))
  }

  /// Reads the value of a unit's line, without what the line carries besides, and gives the line; nil where it has none.
  private mutating func readValue(_ unit: Int) -> Int? {
    guard let line = units[unit].line, units[unit].field != Person.unclaimedField else { return nil }
    let field = field(unit)
    if DraftTraits.all[units[unit].field].isAgent { return nil }
    scratch.begin(source: engine.card.bytes, version: engine.card.version)
    switch field.layout {
    case .one: field.read(line, engine.card, &scratch)
    case .many:
      scratch.open()
      field.read(line, engine.card, &scratch)
      scratch.close()
    case .texts:
      scratch.open(list: true)
      field.read(line, engine.card, &scratch)
      scratch.close()
    case .unclaimed: return nil
    }
    return scratch.tokens.isEmpty ? nil : line
  }

  /// The unclaimed line of a unit; nil for units of a field.
  func unclaimed(_ unit: Int) -> UnclaimedText? {
    if units[unit].isAsWritten, units[unit].field != Person.unclaimedField { return nil }
    switch content(unit) {
    case .unclaimed(let text): return text
    case .value, .text, .gone: return nil
    case .asWritten:
      guard units[unit].field == Person.unclaimedField, let line = units[unit].line else { return nil }
      return UnclaimedText(line, engine.card)
    }
  }

  /// What `body` says of the bytes of a value that no step has changed; `otherwise` where a step has.
  func withBytes(_ unit: Int, otherwise: Bool = true, _ body: (Span<UInt8>, _ start: Int, _ end: Int) -> Bool) -> Bool {
    guard units[unit].isAsWritten, let line = units[unit].line else { return otherwise }
    let (start, end) = engine.card.valueRange(line)
    return body(engine.card.bytes.span, start, end)
  }

  // MARK: Changes

  /// Gives a unit another value, and says so.
  mutating func change(_ unit: Int, _ value: DraftValue, _ message: String) {
    report(message, unit)
    set(unit, .value(value))
  }

  /// Gives a value another text, and says so.
  mutating func change(_ unit: Int, text: String, _ message: String) {
    // Parts that the text is put together with are left to the value as a whole.
    let isPlain =
      !withBytes(unit) { bytes, start, end in
        ByteSearch.firstIndex(of: ASCII.semicolon, or: ASCII.backslash, in: bytes, from: start, to: end) < end
      }
    if isPlain, case .many = field(unit).layout {
      report(message, unit)
      return set(unit, .text(text))
    }
    guard var value = value(unit) else { return }
    value.tree.plainText = text
    change(unit, value, message)
  }

  mutating func set(_ unit: Int, _ content: DraftContent) {
    units[unit].change = changes.count
    changes.append(content)
  }

  /// Gives an unclaimed line another text, and says so.
  mutating func change(_ unit: Int, _ text: UnclaimedText, _ message: String) {
    report(message, unit)
    set(unit, .unclaimed(text))
  }

  /// Leaves a unit out, and says so.
  mutating func remove(_ unit: Int, _ message: String) {
    report(message, unit)
    leaveOut(unit)
  }

  /// Leaves a unit out whose text another one says.
  mutating func leaveOut(_ unit: Int) { units[unit].change = DraftUnit.gone }

  /// Adds a value that the card did not have, and says so.
  mutating func add(_ value: DraftValue, toField key: String, _ message: String) {
    guard let number = Person.field(key) else { return }
    addUnit(number, nil, changes.count)
    changes.append(.value(value))
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
}
