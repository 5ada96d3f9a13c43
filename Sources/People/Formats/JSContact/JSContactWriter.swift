// Writes cards as JSContact Cards (RFC 9553) by the rules of RFC 9555.

internal import Bytes
internal import CardSyntax
internal import DataSyntax

/// Writes the Card objects of cards of 4.0. What JSContact has no member for, or what would not come back as it was, is kept in
/// `vCardProps` and `vCardParams`.
///
/// What becomes of a line is worked out once for all lines that have its head and a value of its kind (`JSContactEntry` and others make
/// objects of properties); then it is a template, and the texts of the value are all that is left to write.
struct JSContactWriter: ~Copyable {
  /// The name of the property that labels its group.
  static let label = LineWriter.labelName.lowercased()
  /// The property that holds what only JSContact knows.
  static let jsonProperty = "jsprop"

  /// A line of the card that is written.
  struct Line {
    let head: JSContactHead
    /// Its place in the batch.
    let place: Int
    var group = 0
    /// Its object in the draft; -1 where it has none.
    var object = -1
    /// Its object is the name.
    var isName = false
    /// Some place of an event found its event.
    var isPlaced = false
    /// The object tells a place or a zone already.
    var hasCoordinates = false, hasTimeZone = false
  }

  /// A group of lines; the first is that of the lines in none.
  struct Group {
    /// The line that labels it, and how many others are in it.
    var label = -1, count = 0
    var isLabelUsed = false
    var organizations: [Int] = []
    /// The addresses; of those before the marks none takes coordinates, or a zone, any more.
    var addresses: [Int] = []
    var coordinatesMark = 0, timeZoneMark = 0
  }

  private var heads = JSContactHeads()
  private var jcard = JCardWriter()
  var draft = JSONDraft()
  var value = JSContactValue()
  var scratch = ByteBuffer()
  /// What goes to `vCardProps`, each with a comma behind it, and which lines are among it.
  private(set) var kept = ByteBuffer()
  private(set) var keptNames: [Int] = []

  var batch: CardBatch?
  var index = 0
  var lines: [Line] = []
  var groups: [Group] = []
  private var groupNumbers: [String: Int] = [:]
  /// The objects of containers and texts in the draft, by their numbers; -1 where there is none yet.
  var containers: [Int] = []
  var texts: [Int] = []
  var counters: [Int] = []
  /// Identifiers that properties ask for, by container.
  var reserved: [Int: Set<String>] = [:]
  /// Lines that say the same as others in another language, or how these are spoken.
  private(set) var alternates: [Int: Int] = [:]
  /// Some address or place is in a group.
  var hasPlaceGroups = false
  var hasUID = false, hasFull = false, hasComponents = false, isNameDerived = false
  private var hasPatches = false
  /// Events that are there already, a bit each, and whether places of some stand in the card.
  var seenEvents = 0, hasEventPlaces = false

  /// Writes the Card of the card at `index` of a batch.
  mutating func write(_ batch: CardBatch, _ index: Int, to output: inout ByteBuffer) {
    begin(batch, index)
    defer { end() }
    for i in lines.indices where alternates[i] == nil && !isPlace(i) { convert(i, batch) }
    for i in lines.indices where isPlace(i) { convert(place: i, batch) }
    setOrganizations()
    if !hasUID { setMadeUID() }
    if !alternates.isEmpty || hasPatches {
      scratch.removeAll()
      draft.write(to: &scratch)
      scratch.append(UInt8(ascii: "}"))
      guard var card = JSONTree(parsing: scratch.text())?.members else { return }
      var localizer = JSContactLocalizer()
      for i in alternates.keys.sorted() {
        if let main = alternates[i] { localizer.localize(i, main, in: &card, &self) }
      }
      keepLabels()
      applyPatches(to: &card)
      if !kept.isEmpty { card["vCardProps"] = JSONTree(parsing: "[" + keptText + "]") }
      JSONTree.object(card).write(to: &output)
    } else {
      keepLabels()
      draft.write(to: &output)
      if !kept.isEmpty {
        output.append(",\"vCardProps\":[")
        kept.withBytes { output.append($0, 0, $0.count - 1) }
        output.append(UInt8(ascii: "]"))
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  private var keptText: String { kept.withBytes { $0.text(0, $0.count - 1) } }

  private mutating func begin(_ batch: CardBatch, _ index: Int) {
    (self.batch, self.index) = (batch, index)
    draft.begin("{\"@type\":\"Card\",\"version\":\"1.0\"")
    Self.reset(&containers, JSContactContainer.all.count, to: -1)
    Self.reset(&texts, JSContactText.all.count, to: -1)
    Self.reset(&counters, JSContactHead.prefixCount, to: 0)
    groups.append(Group())
    texts[JSContactText.uid] = addText("\"uid\":\"\"")
    heads.begin(batch)
    jcard.begin(batch, batch.cards[index].version)
    readLines(batch[index])
  }

  private static func reset(_ numbers: inout [Int], _ count: Int, to start: Int) {
    if numbers.isEmpty { numbers = Array(repeating: start, count: count) }
    for i in numbers.indices { numbers[i] = start }
  }

  private mutating func end() {
    batch = nil
    lines.removeAll(keepingCapacity: true)
    groups.removeAll(keepingCapacity: true)
    if !groupNumbers.isEmpty { groupNumbers.removeAll(keepingCapacity: true) }
    if !reserved.isEmpty { reserved.removeAll() }
    if !alternates.isEmpty { alternates.removeAll() }
    (seenEvents, hasEventPlaces) = (0, false)
    kept.removeAll()
    kept.releaseSpare()
    keptNames.removeAll(keepingCapacity: true)
    (hasPlaceGroups, hasUID, hasFull, hasComponents, isNameDerived, hasPatches) = (false, false, false, false, false, false)
  }

  /// Looks at all lines: their groups, the identifiers they ask for, whether some are there for others.
  private mutating func readLines(_ card: Card) {
    let entry = card.batch.cards[card.index]
    var (names, fullNames, asksForAlternates, hasLanguage) = (0, 0, false, false)
    var language: String?
    for place in Int(entry.firstLine)..<Int(entry.firstLine + entry.lineCount) {
      let head = heads.head(place, of: card)
      if head.kind == .version { continue }
      let i = lines.count
      var line = Line(head: head, place: place)
      if let name = head.group {
        line.group = groupNumbers[name] ?? groups.count
        if line.group == groups.count {
          groups.append(Group())
          groupNumbers[name] = line.group
        }
        if head.kind == .groupLabel, head.hasNoParameters, groups[line.group].label < 0 {
          groups[line.group].label = i
        } else {
          groups[line.group].count += 1
        }
      }
      switch head.kind {
      case .name: names += 1
      case .fullName:
        fullNames += 1
        language = language ?? head.line.parameter("language")?.first
      case .address, .location, .timeZone:
        if head.group != nil { hasPlaceGroups = true }
        if head.kind == .address { groups[line.group].addresses.append(i) }
      case .row where head.group != nil && head.isOrganization: groups[line.group].organizations.append(i)
      case .text where head.text == JSContactText.language: hasLanguage = true
      case .patch: hasPatches = true
      case .place: hasEventPlaces = true
      default: break
      }
      if head.hasID, let id = head.id { reserved[head.container, default: []].insert(id) }
      if head.hasAltID, head.hasAlternatives { asksForAlternates = true }
      lines.append(line)
    }
    if asksForAlternates || names > 1 || fullNames > 1 {
      let found = JSContactAlternates((0..<lines.count).map { property($0) })
      alternates = found.mains
      language = found.language
    } else if hasLanguage {
      language = nil
    }
    // The full name tells the language of the card, where nothing else does.
    if let language {
      let start = draft.bytes.count
      draft.bytes.append("\"language\":")
      draft.bytes.appendJSONString(JSContactAlternates.canonical(language: language))
      texts[JSContactText.language] = draft.add(to: 0, from: start)
    }
  }

  private mutating func addText(_ text: StaticString) -> Int {
    let start = draft.bytes.count
    draft.bytes.append(text)
    return draft.add(to: 0, from: start)
  }

  private func isPlace(_ i: Int) -> Bool { lines[i].head.kind == .location || lines[i].head.kind == .timeZone }

  // MARK: Lines

  /// A line as a property. That of a label that was taken has its text.
  func property(_ i: Int) -> PropertyText {
    guard let batch else { return PropertyText() }
    let line = batch[index].lines[lines[i].place - Int(batch.cards[index].firstLine)]
    var property = PropertyText(line, of: batch.cards[index].version)
    if groups[lines[i].group].label == i { property.values = [[[line.text]]] }
    return property
  }

  /// Keeps a line as it is.
  mutating func keep(_ i: Int) {
    guard let batch else { return }
    if lines[i].head.kind == .fullName { keptNames.append(i) }
    jcard.write(batch.lines[lines[i].place], of: batch, batch.cards[index].version, to: &kept)
    kept.append(ASCII.comma)
  }

  mutating func keep(_ property: PropertyText) {
    JCardFormat.write(property, to: &kept)
    kept.append(ASCII.comma)
  }

  /// Keeps the labels that nothing took.
  private mutating func keepLabels() {
    let labels = groups.filter { $0.label >= 0 && !$0.isLabelUsed }.map(\.label)
    for label in labels.sorted() {
      var property = property(label)
      if property.type == "unknown" { property.values = [[[Self.escaped(property.text)]]] }
      keep(property)
    }
  }

  private static func escaped(_ text: String) -> String {
    var output = ByteBuffer()
    let bytes = Array(text.utf8)
    Escaping.escape(bytes.span, 0, bytes.count, [.commas, .backslashes], to: &output)
    return output.text()
  }

  private mutating func setMadeUID() {
    let start = draft.bytes.count
    draft.bytes.append("\"uid\":")
    draft.bytes.appendJSONString(ContentUID.urn(of: lines.indices.map { property($0) }))
    draft.replace(texts[JSContactText.uid], from: start)
  }

  /// The object of a container, which begins where it is missing.
  mutating func container(_ number: Int) -> Int {
    if containers[number] >= 0 { return containers[number] }
    let container = JSContactContainer.all[number]
    let outer = container.outer.map { self.container($0) } ?? 0
    let start = draft.bytes.count
    draft.bytes.append(container.start)
    containers[number] = draft.add(to: outer, from: start, isObject: true)
    return containers[number]
  }

  // MARK: Templates

  /// What of a line besides head and value decides what becomes of it.
  struct Context: OptionSet {
    let rawValue: UInt64
    /// PROP-ID became the identifier, or is that of another text of the line.
    static let takesID = Context(rawValue: 1)
    /// A group that serves a label alone says nothing.
    static let dropsGroup = Context(rawValue: 2)
    /// The group's label belongs to it; it is written otherwise than it reads.
    static let hasLabel = Context(rawValue: 4)
    static let hasWrittenLabel = Context(rawValue: 8)
    /// Only coordinates, or a zone, for an address that there is.
    static let isBare = Context(rawValue: 16)
  }

  /// The template of a line whose value was read, which gave `kind`; nil where it is kept as it is. `make` makes it of the property.
  func template(
    _ i: Int, _ kind: UInt64?, _ context: Context = [], _ make: (PropertyText, JSONTemplate.StandIns) -> JSONTemplate?
  ) -> JSONTemplate? {
    let head = lines[i].head
    guard let kind else {
      var property = self.property(i)
      if head.cut == .list, value.count > 0 { property.values = [[[plain(value.texts[0])]]] }
      return make(changed(property, context), .none)
    }
    let key = kind << 8 | context.rawValue
    if let known = head.template(key) { return known }
    var property = head.line
    property.values = standIns(head, kind)
    let isDate = head.kind == .date || head.form == .utc
    let template = make(changed(property, context), isDate ? .dates : .texts)
    head.keep(template, key)
    return template
  }

  func changed(_ property: PropertyText, _ context: Context) -> PropertyText {
    var property = property
    if context.contains(.takesID) { _ = property.take("prop-id") }
    if context.contains(.dropsGroup) { property.group = nil }
    return property
  }

  /// Values that stand for those of a kind.
  private func standIns(_ head: JSContactHead, _ kind: UInt64) -> [[[String]]] {
    if head.kind == .date { return [[[StandIn.day]]] }
    if head.form == .utc { return [[[StandIn.time]]] }
    let count = kind >> 32
    if count > 0 { return [(0..<count).map { [StandIn.text(Int($0), kind >> $0 & 1 == 1 ? .plain : .empty)] }] }
    return [[[StandIn.text(0, StandIn.Form(rawValue: UInt8(truncatingIfNeeded: kind)) ?? .plain)]]]
  }

  func plain(_ text: (start: Int, end: Int)) -> String {
    guard let batch else { return "" }
    var output = ByteBuffer(capacity: text.end - text.start + 1)
    let bytes = batch.bytes
    Escaping.unescape(bytes.span, text.start, text.end, version: batch.cards[index].version, to: &output)
    return output.text()
  }

  /// Writes a template with the texts of the line.
  mutating func fill(_ template: JSONTemplate, _ i: Int, _ batch: CardBatch) {
    let bytes = batch.bytes
    let version = batch.cards[index].version
    let text = template.bytes
    var from = 0
    for (place, hole) in template.holes {
      draft.bytes.append(text.span, from, place)
      from = place
      switch hole {
      case .value(let number):
        draft.bytes.appendJSONString(escaped: bytes.span, value.texts[number].start, value.texts[number].end, version)
      case .label:
        scratch.removeAll()
        batch.appendLabel(of: batch.lines[lines[i].place], version, to: &scratch)
        scratch.withBytes { draft.bytes.appendJSONString($0, 0, $0.count) }
      case .groupLabel where hasAppleLabel(lines[i].group): draft.bytes.appendJSONString(Label.plain(appleLabel: label(i)))
      case .groupLabel, .writtenGroupLabel:
        let entry = batch.lines[lines[groups[lines[i].group].label].place]
        draft.bytes.appendJSONString(escaped: bytes.span, Int(entry.valueStart), Int(entry.valueEnd), version)
      case .year: draft.bytes.append(decimal: value.day.year)
      case .month: draft.bytes.append(decimal: value.day.month)
      case .day: draft.bytes.append(decimal: value.day.day)
      case .time:
        let start = value.texts[0].start
        draft.bytes.append(ASCII.quote)
        for (from, to, mark) in [(0, 4, ASCII.dash), (4, 6, ASCII.dash), (6, 11, ASCII.colon), (11, 13, ASCII.colon)] {
          draft.bytes.append(bytes.span, start + from, start + to)
          draft.bytes.append(mark)
        }
        draft.bytes.append(bytes.span, start + 13, start + 16)
        draft.bytes.append(ASCII.quote)
      }
    }
    draft.bytes.append(text.span, from, text.count)
  }

  /// The label of the group of a line.
  func label(_ i: Int) -> String {
    guard let batch else { return "" }
    let entry = batch.lines[lines[groups[lines[i].group].label].place]
    return plain((Int(entry.valueStart), Int(entry.valueEnd)))
  }

  mutating func readValue(_ i: Int, _ batch: CardBatch) -> UInt64? {
    let entry = batch.lines[lines[i].place]
    let bytes = batch.bytes
    return value.read(lines[i].head, bytes.span, Int(entry.valueStart), Int(entry.valueEnd))
  }

  // MARK: Patches

  /// JSPROP properties are one patch: it is applied as a whole or not at all (RFC 9555 3.2.1).
  private mutating func applyPatches(to card: inout JSONObject) {
    let all = lines.indices.filter { lines[$0].head.kind == .patch }
    guard !all.isEmpty else { return }
    var tree = JSONTree.object(card)
    var pointers = JSONPatchPointers()
    for i in all {
      let property = property(i)
      guard let pointer = property.parameter("jsptr")?.joined(separator: ","), let value = JSONTree(parsing: property.text),
        property.parameters.count == 1, property.group == nil
      else { return all.forEach { keep($0) } }
      let path = JSONPointer.path(pointer)
      guard pointers.insert(path), tree.patch(path[...], value) else { return all.forEach { keep($0) } }
    }
    if let members = tree.members { card = members }
  }

  /// Is this an identifier (RFC 9553 1.4.1)?
  static func isID(_ text: String) -> Bool {
    (1...255).contains(text.utf8.count)
      && text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.dash || $0 == UInt8(ascii: "_") }
  }
}
