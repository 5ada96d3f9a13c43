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
  struct Line: BitwiseCopyable {
    let facts: JSContactFacts
    /// Its place in the batch, and its value there.
    let place: Int
    let value: Piece
    var group = 0
    /// The identifier of its object in the draft, quotes and all, and where the object ends, without its brace; -1 where it has none.
    var key = Piece(), objectEnd = -1
    /// The next address of the group.
    var nextAddress = -1
    /// Its object is the name.
    var isName = false
    /// Some place of an event found its event.
    var isPlaced = false
    /// The object tells a place or a zone already.
    var hasCoordinates = false, hasTimeZone = false

    var hasObject: Bool { objectEnd >= 0 }
  }

  /// A group of lines; the first is that of the lines in none.
  struct Group: BitwiseCopyable {
    /// The number of its name.
    var name = 0
    /// The line that labels it, and how many others are in it.
    var label = -1, count = 0
    var isLabelUsed = false
    /// The first organization, and how many there are.
    var organization = -1, organizationCount = 0
    /// The last address, and the first ones that may take coordinates, or a zone; -1 where there is none.
    var lastAddress = -1
    var coordinatesMark = -1, timeZoneMark = -1
  }

  /// What a container begins with, and the number of the one around it; -1 for the Card.
  struct ContainerStart: BitwiseCopyable {
    var text: Piece
    var outer: Int
  }

  var heads = JSContactHeads()
  var templates = JSONTemplates()
  private var jcard = JCardWriter()
  var draft = JSONDraft()
  var value = JSContactValue()
  var scratch = ByteBuffer()
  /// The words for Apple's labels, as JSON strings.
  private var appleLabels = ByteMemo<[UInt8]>()
  /// What goes to `vCardProps`, each with a comma behind it, and which lines are among it.
  private(set) var kept = ByteBuffer()
  private(set) var keptNames: [Int] = []

  var batch: CardBatch?
  var index = 0
  var version = CardVersion.v40
  var lines = Tape<Line>(capacity: 64)
  var groups = Tape<Group>()
  /// The groups by the numbers of their names; 0 for names of no group of the card.
  private var groupPlaces = Tape<Int>()
  /// The objects of containers in the draft, by their numbers, and the places of texts, which may be anything; -1 where there is none yet.
  var containers = Tape<Int>()
  var texts = Tape<Int>()
  var counters = Tape<Int>()
  /// What containers, and made identifiers, begin with.
  private var containerStarts = Tape<ContainerStart>()
  private(set) var prefixes = Tape<Piece>()
  /// Identifiers that properties ask for, by container.
  var reserved: [Int: Set<String>] = [:]
  /// Lines that say the same as others in another language, or how these are spoken.
  private(set) var alternates: [Int: Int] = [:]
  /// Some address or place is in a group; there are places, or titles in groups.
  var hasPlaceGroups = false, hasPlaces = false, hasGroupedTitles = false
  var hasUID = false, hasFull = false, hasComponents = false, isNameDerived = false
  private var hasPatches = false
  /// Events that are there already, a bit each, and whether places of some stand in the card.
  var seenEvents = 0, hasEventPlaces = false

  /// Writes the Card of the card at `index` of a batch.
  mutating func write(_ batch: CardBatch, _ index: Int, to output: inout ByteBuffer) {
    begin(batch, index)
    defer { end() }
    let bytes = batch.bytes
    readLines(batch, index)
    for i in lines.indices where alternates.isEmpty || alternates[i] == nil { convert(i, batch, bytes.span) }
    if hasPlaces { for i in lines.indices where isPlace(i) { convert(place: i, batch, bytes.span) } }
    if hasEventPlaces || hasGroupedTitles { setOrganizations() }
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
        output.append(kept, 0, kept.count - 1)
        output.append(UInt8(ascii: "]"))
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  private var keptText: String { kept.withBytes { $0.text(0, $0.count - 1) } }

  private mutating func begin(_ batch: CardBatch, _ index: Int) {
    if heads.areMany || templates.areMany {
      heads.removeAll()
      templates.removeAll()
    }
    if prefixes.isEmpty {
      for prefix in JSContactHead.prefixes { prefixes.append(templates.add("\"\(prefix)-")) }
      for container in JSContactContainer.all {
        containerStarts.append(ContainerStart(text: templates.add(container.start), outer: container.outer ?? -1))
      }
    }
    (self.batch, self.index, version) = (batch, index, batch.cards[index].version)
    draft.begin("{\"@type\":\"Card\",\"version\":\"1.0\"")
    containers.fill(-1, count: containerStarts.count)
    texts.fill(-1, count: JSContactText.all.count)
    counters.fill(0, count: prefixes.count)
    groups.append(Group())
    texts[JSContactText.uid] = draft.reserve(in: 0)
    heads.begin(batch)
    jcard.begin(batch, version)
  }

  private mutating func end() {
    batch = nil
    for i in groups.indices where groups[i].name > 0 { groupPlaces[groups[i].name] = 0 }
    lines.removeAll()
    groups.removeAll()
    if !reserved.isEmpty { reserved.removeAll() }
    if !alternates.isEmpty { alternates.removeAll() }
    (seenEvents, hasEventPlaces) = (0, false)
    kept.removeAll()
    kept.releaseSpare()
    if !keptNames.isEmpty { keptNames.removeAll(keepingCapacity: true) }
    (hasPlaceGroups, hasPlaces, hasGroupedTitles) = (false, false, false)
    (hasUID, hasFull, hasComponents, isNameDerived, hasPatches) = (false, false, false, false, false)
  }

  /// Looks at all lines: their groups, the identifiers they ask for, whether some are there for others.
  private mutating func readLines(_ batch: CardBatch, _ index: Int) {
    let card = batch.cards[index]
    let entries = batch.lines
    var (names, fullNames, asksForAlternates, hasLanguage) = (0, 0, false, false)
    var language: String?
    for place in Int(card.firstLine)..<Int(card.firstLine + card.lineCount) {
      let entry = entries[place]
      let facts = heads.facts(entry) ?? heads.read(place, of: batch[index])
      if facts.kind == .version { continue }
      let i = lines.count
      var line = Line(facts: facts, place: place, value: Piece(start: Int(entry.valueStart), end: Int(entry.valueEnd)))
      if facts.group > 0 {
        line.group = group(facts.group)
        if facts.kind == .groupLabel, facts.traits.contains(.hasNoParameters), groups[line.group].label < 0 {
          groups[line.group].label = i
        } else {
          groups[line.group].count += 1
        }
      }
      switch facts.kind {
      case .name: names += 1
      case .fullName:
        fullNames += 1
        if language == nil { language = heads[facts.head].line.parameter("language")?.first }
      case .address, .location, .timeZone:
        if facts.group > 0 { hasPlaceGroups = true }
        if facts.kind == .address { add(address: i, to: line.group) } else { hasPlaces = true }
      case .row where facts.group > 0:
        if facts.traits.contains(.isTitle) { hasGroupedTitles = true }
        if facts.traits.contains(.isOrganization) {
          if groups[line.group].organizationCount == 0 { groups[line.group].organization = i }
          groups[line.group].organizationCount += 1
        }
      case .text where facts.text == JSContactText.language: hasLanguage = true
      case .patch: hasPatches = true
      case .place: hasEventPlaces = true
      default: break
      }
      if facts.traits.contains(.asksForID), let id = heads[facts.head].id {
        reserved[Int(facts.container), default: []].insert(id)
      }
      if facts.traits.contains(.hasAltID) { asksForAlternates = true }
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
      texts[JSContactText.language] = draft.reserve(in: 0)
      draft.begin(reserved: texts[JSContactText.language])
      draft.bytes.append("\"language\":")
      draft.bytes.appendJSONString(JSContactAlternates.canonical(language: language))
      draft.endReserved()
    }
  }

  /// The group whose name has this number.
  private mutating func group(_ name: Int) -> Int {
    while groupPlaces.count <= name { groupPlaces.append(0) }
    if groupPlaces[name] == 0 {
      groupPlaces[name] = groups.count
      groups.append(Group(name: name))
    }
    return groupPlaces[name]
  }

  private mutating func add(address i: Int, to group: Int) {
    let last = groups[group].lastAddress
    if last < 0 {
      (groups[group].coordinatesMark, groups[group].timeZoneMark) = (i, i)
    } else {
      lines[last].nextAddress = i
    }
    groups[group].lastAddress = i
  }

  private func isPlace(_ i: Int) -> Bool { lines[i].facts.kind == .location || lines[i].facts.kind == .timeZone }

  // MARK: Lines

  /// A line as a property. That of a label that was taken has its text.
  func property(_ i: Int) -> PropertyText {
    guard let batch else { return PropertyText() }
    let line = batch[index].lines[lines[i].place - Int(batch.cards[index].firstLine)]
    var property = PropertyText(line, of: version)
    if groups[lines[i].group].label == i { property.values = [[[line.text]]] }
    return property
  }

  /// Keeps a line as it is.
  mutating func keep(_ i: Int) {
    guard let batch else { return }
    if lines[i].facts.kind == .fullName { keptNames.append(i) }
    jcard.write(batch.lines[lines[i].place], of: batch, version, to: &kept)
    kept.append(ASCII.comma)
  }

  mutating func keep(_ property: PropertyText) {
    JCardFormat.write(property, to: &kept)
    kept.append(ASCII.comma)
  }

  /// Keeps the labels that nothing took.
  private mutating func keepLabels() {
    var labels: [Int] = []
    for group in groups.indices where groups[group].label >= 0 && !groups[group].isLabelUsed { labels.append(groups[group].label) }
    guard !labels.isEmpty else { return }
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
    let uid = ContentUID.urn(of: lines.indices.map { property($0) })
    draft.begin(reserved: texts[JSContactText.uid])
    draft.bytes.append("\"uid\":")
    draft.bytes.appendJSONString(uid)
    draft.endReserved()
  }

  /// A member of a container follows, whose object is given; the container begins where it is missing.
  @discardableResult
  mutating func begin(memberOf container: Int) -> Int {
    if containers[container] < 0 { beginContainer(container) }
    draft.begin(memberOf: containers[container])
    return containers[container]
  }

  private mutating func beginContainer(_ number: Int) {
    let start = containerStarts[number]
    if start.outer >= 0, containers[start.outer] < 0 { beginContainer(start.outer) }
    containers[number] = draft.beginObject(in: start.outer < 0 ? 0 : containers[start.outer])
    draft.bytes.append(templates.texts, start.text.start, start.text.end)
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
  @inline(__always)
  mutating func template(
    _ i: Int, _ kind: UInt64?, _ context: Context = [], _ make: (JSContactHead, PropertyText, JSONTemplate.StandIns) -> JSONTemplate?
  ) -> JSONTemplates.Template? {
    let key = kind.map { $0 &<< 8 | context.rawValue }
    let number = key.flatMap { templates.number(lines[i].facts.head, $0) } ?? makeTemplate(i, kind, key, context, make)
    let template = templates[number]
    return template.exists ? template : nil
  }

  @inline(never)
  private mutating func makeTemplate(
    _ i: Int, _ kind: UInt64?, _ key: UInt64?, _ context: Context,
    _ make: (JSContactHead, PropertyText, JSONTemplate.StandIns) -> JSONTemplate?
  ) -> Int {
    let facts = lines[i].facts
    let head = heads[facts.head]
    guard let kind else {
      var property = self.property(i)
      if facts.cut == .list, value.count > 0 { property.values = [[[plain(value.texts[0])]]] }
      return templates.add(make(head, changed(property, context), .none), of: facts.head, nil)
    }
    var property = head.line
    property.values = standIns(facts, kind)
    let isDate = facts.kind == .date || facts.form == .utc
    return templates.add(make(head, changed(property, context), isDate ? .dates : .texts), of: facts.head, key)
  }

  func changed(_ property: PropertyText, _ context: Context) -> PropertyText {
    var property = property
    if context.contains(.takesID) { _ = property.take("prop-id") }
    if context.contains(.dropsGroup) { property.group = nil }
    return property
  }

  /// Values that stand for those of a kind.
  private func standIns(_ facts: JSContactFacts, _ kind: UInt64) -> [[[String]]] {
    if facts.kind == .date { return [[[StandIn.day]]] }
    if facts.form == .utc { return [[[StandIn.time]]] }
    let count = kind >> 32
    if count > 0 { return [(0..<count).map { [StandIn.text(Int($0), kind >> $0 & 1 == 1 ? .plain : .empty)] }] }
    return [[[StandIn.text(0, StandIn.Form(rawValue: UInt8(truncatingIfNeeded: kind)) ?? .plain)]]]
  }

  func plain(_ text: Piece) -> String {
    guard let batch else { return "" }
    var output = ByteBuffer(capacity: text.end - text.start + 1)
    let bytes = batch.bytes
    Escaping.unescape(bytes.span, text.start, text.end, version: version, to: &output)
    return output.text()
  }

  /// Writes a template with the texts of the line.
  mutating func fill(_ template: JSONTemplates.Template, _ i: Int, _ batch: CardBatch, _ bytes: Span<UInt8>) {
    var from = template.text.start
    for number in template.firstHole..<template.lastHole {
      let hole = templates.holes[number]
      draft.bytes.append(templates.texts, from, hole.place)
      from = hole.place
      switch hole.hole {
      case .value(let number):
        let text = value.texts[Int(number)]
        draft.bytes.appendJSON(escaped: bytes, text.start, text.end, version)
      case .label:
        scratch.removeAll()
        batch.appendLabel(of: batch.lines[lines[i].place], version, to: &scratch)
        scratch.withBytes { draft.bytes.appendJSONString($0, 0, $0.count) }
      case .groupLabel where hasAppleLabel(lines[i].group): appendAppleLabel(i, bytes)
      case .groupLabel, .writtenGroupLabel:
        let text = lines[groups[lines[i].group].label].value
        draft.bytes.appendJSONString(escaped: bytes, text.start, text.end, version)
      case .year: draft.bytes.append(decimal: value.day.year)
      case .month: draft.bytes.append(decimal: value.day.month)
      case .day: draft.bytes.append(decimal: value.day.day)
      case .time:
        draft.bytes.append(ASCII.quote)
        _ = DateNumbers.appendWhole(bytes, value.texts[0].start, value.texts[0].end, except: -1, to: &draft.bytes)
        draft.bytes.append(ASCII.quote)
      }
    }
    draft.bytes.append(templates.texts, from, template.text.end)
  }

  /// Adds the word for the label of a line's group, which is one of Apple's.
  private mutating func appendAppleLabel(_ i: Int, _ bytes: Span<UInt8>) {
    let text = lines[groups[lines[i].group].label].value
    scratch.removeAll()
    scratch.append(bytes, text.start, text.end)
    if let known = appleLabels.value(of: scratch) { return draft.bytes.append(known) }
    var word = ByteBuffer(capacity: 64)
    word.appendJSONString(Label.plain(appleLabel: label(i)))
    appleLabels.keep(word.array(), for: scratch)
    draft.bytes.append(word.array())
  }

  /// The label of the group of a line.
  func label(_ i: Int) -> String { plain(lines[groups[lines[i].group].label].value) }

  // MARK: Patches

  /// JSPROP properties are one patch: it is applied as a whole or not at all (RFC 9555 3.2.1).
  private mutating func applyPatches(to card: inout JSONObject) {
    let all = lines.indices.filter { lines[$0].facts.kind == .patch }
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
