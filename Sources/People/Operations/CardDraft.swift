// A card while it is normalized: its values in order, each as it stands in the card until a step changes it.

internal import CardSyntax
internal import Bytes

/// A value with what its line carries besides.
struct DraftValue {
  var tree: ValueTree
  var annotations: Annotations

  init(_ tree: ValueTree, _ annotations: Annotations = Annotations()) { (self.tree, self.annotations) = (tree, annotations) }
}

/// What steps have made of a unit of a draft.
enum DraftContent {
  /// Its lines are written anew from a value.
  case value(DraftValue)
  /// An unclaimed line is written anew.
  case unclaimed(UnclaimedText)
}

/// A card that steps change, value by value. What no step has changed is written as it stands.
struct CardDraft: ~Copyable {
  /// The card, and what writes it.
  var engine: CardConverter
  private(set) var units = Tape<DraftUnit>(capacity: 64)
  /// What steps have made of units.
  private var changes: [DraftContent] = []
  /// The texts that steps have given to units.
  var texts = ByteBuffer(capacity: 256)
  /// The lines that tell more of units.
  private(set) var companionLines = Tape<Int>()
  /// What some unit is.
  private(set) var traits: DraftTraits = []
  /// The fields that may hold a value twice: those with several lines or a list of texts, and what no field holds.
  private(set) var repeating = FieldSet.none
  /// Every change, as far as somebody reads of it.
  var report: StepReport
  /// Values are written in the table's order.
  var isOrdered = false
  /// The contact holds nothing, and is left out.
  var isDropped = false
  let options: NormalizationOptions
  /// What is known of TYPE words and label texts: may they stay as they are?
  var canonicalWords = CanonicalWords()
  /// Whether lines with the same head have canonical TYPE words.
  var canonicalHeads = HeadMemo<Bool>()
  /// The heads of lines that got another text.
  var textHeads = HeadMemo<KnownHead>()
  /// What was seen of values that may be equal, for the step that looks for these.
  var sketches: [UInt64] = []
  /// A number that is read.
  var phone = PhoneText()
  /// The step that runs, by its place among all.
  var step = 0
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
  /// What becomes of each line of the card, while it is written.
  var marks = Tape<Int>(capacity: 64)
  /// What is to be copied of the card next.
  var run = (start: 0, end: 0)
  /// A line that is written anew may ask for the labels of groups.
  var notesLabels = false
  private let traitsOfFields = DraftTraits.all
  /// The place of the version's own name among those of each field.
  private let ownNames: [Int]

  init(_ options: NormalizationOptions, version: CardVersion, width: Int?) {
    self.options = options
    report = StepReport(options.telling)
    ownNames = Person.fields.map { $0.nameIndex(in: version) }
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
    if !origins.isEmpty { origins = [] }
    begin(number, line)
  }

  private mutating func begin(_ number: Int, _ line: Int?) {
    self.number = number
    firstLine = line
    rawStart = engine.card.batch.map { Int($0.cards[engine.card.number - $0.firstCard].rawStart) } ?? 0
    isOrdered = false
    isDropped = false
    units.removeAll()
    if !changes.isEmpty { changes.removeAll(keepingCapacity: true) }
    texts.removeAll()
    companionLines.removeAll()
    traits = []
    repeating = .none
    let unclaimed = Person.unclaimedField
    for line in engine.card.range {
      let link = engine.card[link: line]
      switch link.role {
      case .primary: addUnit(Int(link.field), line, link)
      case .extra, .duplicate:
        repeating.insert(unclaimed)
        addUnit(unclaimed, line, [], .asWritten)
      case .companion: break
      }
    }
  }

  /// Adds the unit of a line that is a value of a field.
  private mutating func addUnit(_ field: Int, _ line: Int, _ link: LineLink) {
    var traits = traitsOfFields[field]
    let isSingle = traits.contains(.single)
    if engine.card.hasCompanions(line, link, isSingle: isSingle) {
      for companion in engine.companions(line) { companionLines.append(companion) }
    }
    if link.next >= 0 || traits.contains(.texts) { repeating.insert(field) }
    if Int(link.alias) != ownNames[field] { traits.insert(.renamed) }
    if !isSingle, link.label >= 0 || engine.card.lines[line].parameterCount > 0 { traits.insert(.labelled) }
    addUnit(field, line, traits, .asWritten)
  }

  /// Adds a unit; the companions that no other unit has are its own.
  private mutating func addUnit(_ field: Int, _ line: Int?, _ traits: DraftTraits, _ state: DraftUnit.State) {
    let start = units.last?.companionEnd ?? 0
    self.traits.formUnion(traits)
    units.append(
      DraftUnit(field: field, traits: traits, line: line, companionStart: start, companionEnd: companionLines.count, state: state))
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

  // MARK: Values

  /// The field of a unit.
  func field(_ unit: Int) -> Field { Person.fields[units[unit].field] }

  /// The units of a field, by its key.
  func units(of key: String) -> [Int] { Person.field(key).map { units(of: $0) } ?? [] }

  /// The units of a field, by its number.
  func units(of number: Int) -> [Int] {
    var found: [Int] = []
    for unit in units.indices where units[unit].field == number && units[unit].isThere { found.append(unit) }
    return found
  }

  /// The first unit of a field; nil where it has none.
  func firstUnit(of number: Int) -> Int? {
    for unit in units.indices where units[unit].field == number && units[unit].isThere { return unit }
    return nil
  }

  /// What a step has made of a unit.
  func content(_ unit: Int) -> DraftContent? {
    guard case .changed(let change) = units[unit].state else { return nil }
    return changes[change]
  }

  /// The value of a unit; nil for unclaimed lines, for what was left out, and for nested contacts.
  mutating func value(_ unit: Int) -> DraftValue? {
    switch units[unit].state {
    case .asWritten: return read(unit)
    case .text(let start, let end):
      var value = read(unit)
      value?.tree.plainText = texts.withBytes { $0.text(start, end) }
      return value
    case .changed(let change):
      if case .value(let value) = changes[change] { return value }
      return nil
    case .gone: return nil
    }
  }

  /// The text of a value that is one text, or has one besides other parts; nil for others.
  mutating func text(_ unit: Int) -> String? {
    switch units[unit].state {
    case .asWritten:
      guard readValue(unit) != nil else { return nil }
      let place = scratch.tokens[0].operation == .openObject ? scratch.part(.value, of: 0) : 0
      guard let place, scratch.tokens[place].operation == .text else { return nil }
      return scratch.string(place)
    case .text(let start, let end): return texts.withBytes { $0.text(start, end) }
    case .changed(let change):
      if case .value(let value) = changes[change] { return value.tree.plainText }
      return nil
    case .gone: return nil
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
    let traits = units[unit].traits
    guard let line = units[unit].line, traits.contains(.claimed), !traits.contains(.agent) else { return nil }
    let field = field(unit)
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
    if let content = content(unit) {
      if case .unclaimed(let text) = content { return text }
      return nil
    }
    guard units[unit].isAsWritten, !units[unit].traits.contains(.claimed), let line = units[unit].line else { return nil }
    return UnclaimedText(line, engine.card)
  }

  /// Where in the card's bytes the value of a unit stands that no step has changed; nil for others.
  @inline(__always)
  func written(_ unit: Int) -> (start: Int, end: Int)? {
    guard units[unit].isAsWritten, let line = units[unit].line else { return nil }
    return engine.card.valueRange(line)
  }

  // MARK: Changes

  /// Gives a unit another value, and says so; the message is made only where it is wanted.
  mutating func change(_ unit: Int, _ value: DraftValue, _ message: @autoclosure () -> String) {
    tell(wantsText ? message() : "", unit)
    set(unit, .value(value))
  }

  /// Gives a value that is one text in its line another one, which stands behind `start` in `texts`, and says so.
  mutating func change(_ unit: Int, textFrom start: Int, _ message: String) {
    tell(message, unit)
    units[unit].state = .text(start: start, end: texts.count)
  }

  mutating func set(_ unit: Int, _ content: DraftContent) {
    units[unit].state = .changed(changes.count)
    changes.append(content)
  }

  /// Gives an unclaimed line another text, and says so.
  mutating func change(_ unit: Int, _ text: UnclaimedText, _ message: String) {
    tell(message, unit)
    set(unit, .unclaimed(text))
  }

  /// Leaves a unit out, and says so.
  mutating func remove(_ unit: Int, _ message: String) {
    tell(message, unit)
    leaveOut(unit)
  }

  /// Leaves a unit out whose text another one says.
  mutating func leaveOut(_ unit: Int) { units[unit].state = .gone }

  /// Adds a value that the card did not have, and says so.
  mutating func add(_ value: DraftValue, toField key: String, _ message: String) {
    guard let number = Person.field(key) else { return }
    repeating.insert(number)
    addUnit(number, nil, traitsOfFields[number], .changed(changes.count))
    changes.append(.value(value))
    tell(message, units.count - 1)
  }

  // MARK: What is told

  /// Is a text wanted for what the step does?
  var wantsText: Bool { report.wantsText(step) }

  /// Says what the step did; of the contact as a whole where no unit is named.
  mutating func tell(_ message: String, _ unit: Int? = nil) {
    let line = unit.flatMap { units[$0].line }
    var property = line == nil ? unit.map { field($0).name(in: version) } : nil
    guard wantsText else { return Self.count(step, line, property, engine.card, &report) }
    var place = firstLine
    if let line {
      property = engine.card.name(line).uppercased()
      place = physicalLine(line)
    }
    report.add(step, Diagnostic(NormalizationStep.all[step].rule, message, line: place, property: property, contact: number))
  }

  private static func count(_ step: Int, _ line: Int?, _ property: String?, _ card: borrowing CardView, _ report: inout StepReport) {
    report.count(step, line, card, property: property)
  }

  /// Says that something else than a step changed the card; it is told as the first step's.
  mutating func tellLineBreaks() {
    step = 0
    tell("folds, line ends or the frame were put right")
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
