// A card with its lines sorted to the rows of the table: who belongs to whom.

internal import Bytes
package import CardSyntax

/// A card, ready to be walked field by field. It is reused from card to card, so that sorting allocates nothing.
package struct CardView: ~Copyable {
  package private(set) var batch: CardBatch?
  package private(set) var bytes: [UInt8] = []
  package private(set) var lines: [LineEntry] = []
  package private(set) var parameters: [ParameterEntry] = []
  package private(set) var version: CardVersion = .v30
  package private(set) var declared: CardVersion?
  /// The card's lines, as a range of `lines`.
  package private(set) var range: Range<Int> = 0..<0
  /// What is known of each line of the range, by its place in it.
  private var links = Tape<LineLink>(capacity: 64)
  /// The first and last line of each field, -1 where it has none.
  private(set) var first = Tape<Int32>()
  private var last = Tape<Int32>()
  /// The fields that have a line.
  package private(set) var present = FieldSet.none
  /// Who numbered the heads of the lines.
  private(set) var numbering: ObjectIdentifier?
  private let known = FieldNames.links
  private var grouped: [Int32] = []
  private var members: [Int] = []
  /// The places of the lines whose fields are asked for.
  private var asked = Tape<Int32>(capacity: 64)
  /// Which names belong to fields that are asked for, or to items, by number; and which fields those are.
  private var names: [Bool] = []
  private var namesOf = FieldSet.none
  package private(set) var number = 0
  package private(set) var firstPhysicalLine = 1

  package init() {
    first.fill(-1, count: Person.fields.count)
    last.fill(-1, count: Person.fields.count)
  }

  /// Takes a card of a batch. Of fields that are not in `fields` the lines need not be found (pictures apart, whose presence is told).
  package mutating func sort(_ batch: CardBatch, _ index: Int, only fields: FieldSet = .all) {
    if self.batch !== batch {
      self.batch = batch
      bytes = batch.bytes
      lines = batch.lines
      parameters = batch.parameters
      numbering = ObjectIdentifier(batch.numbering)
      firstPhysicalLine = batch.firstPhysicalLine
    }
    let card = batch.cards[index]
    number = batch.firstCard + index
    version = card.version
    declared = card.declared
    range = Int(card.firstLine)..<Int(card.firstLine) + Int(card.lineCount)
    unchain()
    links.removeAll()
    asked.removeAll()
    grouped.removeAll(keepingCapacity: true)
    let areAll = fields.has(Int(Self.unclaimed))
    let wanted = areAll ? .all : fields.union(.pictures)
    if !areAll, takeAsked(wanted) { return settle(wanted) }
    var needsGroups = wanted.hasAny(of: .adopting)
    for line in range {
      let number = Int(lines[line].number)
      links.append(known[number < known.count ? number : 0])
      if number == Int(FieldNames.item) { takeItem(line) }
      let place = line &- range.lowerBound
      let isAsked = areAll || wanted.has(Int(links[place].field))
      if isAsked { asked.append(Int32(truncatingIfNeeded: place)) }
      if lines[line].groupEnd > lines[line].groupStart {
        grouped.append(Int32(truncatingIfNeeded: line))
        if isAsked { needsGroups = true }
      }
    }
    // Groups matter to the lines in them, and to fields that take lines of others by their label.
    if !needsGroups { grouped.removeAll(keepingCapacity: true) }
    if !grouped.isEmpty {
      connectGroups()
      if !areAll { askAgain(wanted) }
    }
    settle(wanted)
    if !grouped.isEmpty { releaseLabels() }
  }

  /// Finds the lines whose fields are asked for, where these lines and their names say all: no such line stands in a group, there are no
  /// items, and no field that is asked for takes lines of others. False, and nothing done, where it is otherwise.
  private mutating func takeAsked(_ wanted: FieldSet) -> Bool {
    if wanted.hasAny(of: .adopting) { return false }
    if namesOf != wanted {
      namesOf = wanted
      names = known.indices.map { $0 == Int(FieldNames.item) || wanted.has(Int(known[$0].field)) }
    }
    for line in range {
      let number = Int(lines[line].number)
      guard number < names.count, names[number] else { continue }
      if number == Int(FieldNames.item) || hasGroup(line) {
        asked.removeAll()
        return false
      }
      asked.append(Int32(truncatingIfNeeded: line &- range.lowerBound))
    }
    // What is known of a name that no field has does for the others.
    links.fill(known[0], count: range.count)
    for i in asked.indices {
      let place = Int(asked[i])
      links[place] = known[Int(lines[range.lowerBound &+ place].number)]
    }
    return true
  }

  /// Finds the lines whose fields are asked for, after some were given to other fields.
  private mutating func askAgain(_ wanted: FieldSet) {
    asked.removeAll()
    for place in links.indices where wanted.has(Int(links[place].field)) { asked.append(Int32(truncatingIfNeeded: place)) }
  }

  /// Puts a line at the end of its field's lines.
  @inline(__always)
  private mutating func chain(_ place: Int) {
    let field = Int(links[place].field)
    let line = Int32(truncatingIfNeeded: range.lowerBound &+ place)
    if first[field] < 0 {
      first[field] = line
      present.insert(field)
    } else {
      links[Int(last[field]) &- range.lowerBound].next = line
    }
    last[field] = line
  }

  /// Forgets which lines fields have.
  @inline(__always)
  private mutating func unchain() {
    while let field = present.removeFirst() { first[field] = -1 }
  }

  /// Gives a line to the field that the kind of its item names; its value is then the item's text.
  private mutating func takeItem(_ line: Int) {
    // A card may be sorted twice: the range of the line itself is its text alone by then.
    let (start, end) = wholeValueRange(line)
    guard let item = AndroidCustom.item(bytes.span, start, end), let target = FieldNames.items[item.kind] else { return }
    var link = LineLink()
    (link.field, link.alias, link.nameRole) = (target.field, target.alias, .item)
    link.readsAnyText = Person.fields[Int(target.field)].kind.readsAnyText
    self[link: line] = link
    lines[line].valueStart = UInt32(truncatingIfNeeded: item.start)
    lines[line].valueEnd = UInt32(truncatingIfNeeded: item.end)
  }

  /// The label that the name of a line says (X-SPOUSE), or its item; nil where it says none.
  package func impliedLabel(_ line: Int) -> String? {
    let names = field(line).names
    let alias = Int(self[link: line].alias)
    guard alias < names.count else { return nil }
    guard case .item(let kind) = names[alias].role else { return names[alias].label }
    let (start, end) = wholeValueRange(line)
    let label = AndroidCustom.item(bytes.span, start, end)?.label ?? ""
    return label.isEmpty || kind.hasSuffix(label) ? nil : label
  }

  /// The range of a line's value, of an item with all its parts.
  package func wholeValueRange(_ line: Int) -> (start: Int, end: Int) {
    guard let batch else { return valueRange(line) }
    return (Int(batch.lines[line].valueStart), Int(batch.lines[line].valueEnd))
  }

  /// Does the card have a picture?
  package var hasPhoto: Bool { Person.pictureFields.contains { first[$0] >= 0 } }

  /// Does a line stand in a group?
  @inline(__always)
  package func hasGroup(_ line: Int) -> Bool { lines[line].groupEnd > lines[line].groupStart }

  /// What is known of a line.
  @inline(__always)
  package subscript(link line: Int) -> LineLink {
    get { links[line - range.lowerBound] }
    set { links[line - range.lowerBound] = newValue }
  }

  /// The line after `line` of the same field; -1 at the end.
  @inline(__always)
  package func next(_ line: Int) -> Int { Int(links[line - range.lowerBound].next) }

  /// The physical line where a line starts, from 1.
  package func physicalLine(_ line: Int) -> Int { firstPhysicalLine + Int(lines[line].line) }

  /// The physical line of the card's BEGIN.
  package var physicalLine: Int {
    guard let batch else { return 0 }
    return firstPhysicalLine + Int(batch.cards[number - batch.firstCard].line)
  }

  // MARK: Groups

  /// Gives the lines of each group the group's X-ABLabel and, to addresses, its X-ABADR.
  private mutating func connectGroups() {
    if grouped.count <= 8 {
      var done: UInt8 = 0
      var members = self.members
      self.members = []
      for i in grouped.indices where done & (1 << UInt8(i)) == 0 {
        members.removeAll(keepingCapacity: true)
        for k in i..<grouped.count where done & (1 << UInt8(k)) == 0 && isSameGroup(Int(grouped[i]), Int(grouped[k])) {
          done |= 1 << UInt8(k)
          members.append(Int(grouped[k]))
        }
        connect(members)
      }
      self.members = members
    } else {
      var members: [String: [Int]] = [:]
      var order: [String] = []
      for line in grouped {
        let name = group(Int(line)).lowercased()
        if members[name] == nil { order.append(name) }
        members[name, default: []].append(Int(line))
      }
      for name in order { connect(members[name] ?? []) }
    }
  }

  private mutating func connect(_ members: [Int]) {
    var label = -1
    var primaries = 0
    var helpers = 0
    for line in members {
      if lines[line].number == FieldNames.label {
        if label < 0 { label = line } else { self[link: line].role = .extra }
        helpers += 1
      } else if nameRole(line) == .groupCompanion {
        helpers += 1
      } else {
        primaries += 1
      }
    }
    for line in members where lines[line].number != FieldNames.label && self[link: line].role == .primary {
      switch nameRole(line) {
      case .value, .adopted, .typeCompanion, .item: break
      case .part, .groupCompanion, .none: continue
      }
      if label >= 0, !adopt(line, label), field(line).isOne { continue }
      self[link: line].label = Int32(truncatingIfNeeded: label)
      self[link: line].groupIsLocal = primaries == 1 && helpers > 0
    }
    joinGroupCompanions(members)
    // A group that a line without an owner stands in as well is more than a label's.
    let isShared = members.contains { nameRole($0) == .groupCompanion && self[link: $0].role != .companion }
    if isShared { for line in members { self[link: line].groupIsLocal = false } }
  }

  /// Gives a line to the field that adopts lines with this label; false where none does.
  private mutating func adopt(_ line: Int, _ label: Int) -> Bool {
    let link = self[link: line]
    let name = field(line).names[Int(link.alias)].text
    for adopter in FieldNames.adopters where adopter.name == name {
      guard Label.plain(appleLabel: text(label)).lowercased() == adopter.label else { continue }
      self[link: line].field = adopter.field
      self[link: line].alias = adopter.alias
      self[link: line].nameRole = .adopted
      self[link: line].isStandardName = false
      return true
    }
    return false
  }

  private mutating func joinGroupCompanions(_ members: [Int]) {
    let companions = members.filter { self[link: $0].role == .primary && nameRole($0) == .groupCompanion }
    guard !companions.isEmpty else { return }
    // The owners that still wait for a companion, by field, the first of them last.
    var waiting: [UInt8: [Int]] = [:]
    for line in members.reversed() where self[link: line].role == .primary && nameRole(line) == .value {
      waiting[self[link: line].field, default: []].append(line)
    }
    for line in companions {
      let number = self[link: line].field
      if let owner = waiting[number]?.last, field(owner).kind.accepts(companion: line, self) {
        waiting[number]?.removeLast()
        self[link: owner].secondCompanion = Int32(truncatingIfNeeded: line)
        self[link: line].role = .companion
      }
    }
  }

  /// The field of a line.
  package func field(_ line: Int) -> Field { Person.fields[Int(self[link: line].field)] }

  @inline(__always)
  private func nameRole(_ line: Int) -> NameRole { self[link: line].nameRole }

  private func isSameGroup(_ a: Int, _ b: Int) -> Bool {
    let (x, y) = (lines[a], lines[b])
    guard x.groupEnd - x.groupStart == y.groupEnd - y.groupStart else { return false }
    for k in 0..<Int(x.groupEnd - x.groupStart)
    where ASCII.lowercased(bytes[Int(x.groupStart) + k]) != ASCII.lowercased(bytes[Int(y.groupStart) + k]) { return false }
    return true
  }

  /// The group of a line; empty where it has none.
  package func group(_ line: Int) -> String {
    String(decoding: bytes[Int(lines[line].groupStart)..<Int(lines[line].groupEnd)], as: UTF8.self)
  }

  // MARK: Roles

  private static let unclaimed = UInt8(Person.fields.count - 1)

  /// Finds empty lines, further lines of fields of one value, and lines that only tell more of another; and puts each to its field's.
  private mutating func settle(_ fields: FieldSet) {
    var (repeated, odd) = (FieldSet.none, FieldSet.none)
    for i in asked.indices {
      let place = Int(asked[i])
      let link = links[place]
      if link.role == .primary {
        let line = range.lowerBound &+ place
        let index = Int(link.field)
        let isText = link.readsAnyText && beginsWithWord(line)
        if link.nameRole == .groupCompanion || !isText && Person.fields[index].kind.isEmpty(line, self) {
          release(line)
        } else {
          if !link.isStandardName { odd.insert(index) }
          if first[index] >= 0 { repeated.insert(index) }
        }
      }
      chain(place)
    }
    var unsettled = repeated.intersection(.single)
    let many = odd.subtracting(.single)
    guard !unsettled.isEmpty || !many.isEmpty else { return }
    unchain()
    while let index = unsettled.removeFirst() { settleOne(index, Person.fields[index]) }
    odd = many
    while let index = odd.removeFirst() { settleMany(index, Person.fields[index], isRepeated: repeated.has(index)) }
    for place in links.indices where fields.has(Int(links[place].field)) {
      links[place].next = -1
      chain(place)
    }
  }

  /// Does the value begin with a letter, a digit, or a character beyond ASCII?
  @inline(__always)
  private func beginsWithWord(_ line: Int) -> Bool {
    let start = Int(lines[line].valueStart)
    guard start < Int(lines[line].valueEnd) else { return false }
    let byte = bytes[start]
    return ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80
  }

  /// Gives a line to `unclaimed`.
  private mutating func release(_ line: Int, _ role: LineLink.Role = .extra) {
    if lines[line].number == FieldNames.item {
      let (start, end) = wholeValueRange(line)
      (lines[line].valueStart, lines[line].valueEnd) = (UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: end))
    }
    self[link: line].role = role
    self[link: line].field = Self.unclaimed
    self[link: line].nameRole = .none
  }

  /// A label whose lines were all given away is one itself, and says again what they say again.
  private mutating func releaseLabels() {
    for place in grouped where self[link: Int(place)].label >= 0 {
      let line = Int(place)
      let label = Int(self[link: line].label)
      switch self[link: line].role {
      case .primary, .companion: self[link: label].isUsed = true
      case .duplicate: self[link: label].isRepeated = true
      case .extra: break
      }
    }
    for place in grouped where lines[Int(place)].number == FieldNames.label && self[link: Int(place)].role == .companion {
      let link = self[link: Int(place)]
      if !link.isUsed { self[link: Int(place)].role = link.isRepeated ? .duplicate : .extra }
    }
  }

  private func primaries(_ field: Int) -> [Int] {
    range.filter { Int(self[link: $0].field) == field && self[link: $0].role == .primary }
  }

  /// One line holds the value: of several the one whose name comes first in the table, or the latest; its parts are its companions.
  private mutating func settleOne(_ index: Int, _ field: Field) {
    let all = primaries(index)
    let values = all.filter { nameRole($0) != .part }
    guard var chosen = values.first ?? all.first else { return }
    let version = version
    for line in values.dropFirst() {
      let isEarlier = rank(line, field, version) < rank(chosen, field, version)
      let isLater = field.prefersLatest && canonicalText(line, field) > canonicalText(chosen, field)
      if field.prefersLatest ? isLater : isEarlier { chosen = line }
    }
    var parts = Set<UInt8>()
    for line in all where line != chosen {
      if nameRole(line) == .part, parts.insert(self[link: line].alias).inserted {
        self[link: line].role = .companion
      } else {
        release(line, canonicalText(line, field) == canonicalText(chosen, field) ? .duplicate : .extra)
      }
    }
  }

  /// How far back in the table a line's name stands; the version's own name comes first.
  private func rank(_ line: Int, _ field: Field, _ version: CardVersion) -> Int {
    let alias = Int(self[link: line].alias)
    return field.nameIndex(in: version) == alias ? -1 : alias
  }

  /// The values of a field of many: companions are joined to theirs, aliases that repeat a value of another name are found.
  private mutating func settleMany(_ index: Int, _ field: Field, isRepeated: Bool) {
    let all = primaries(index)
    let companions = all.filter { nameRole($0) == .typeCompanion }
    if !companions.isEmpty {
      joinTypeCompanions(companions, values: all.filter { nameRole($0) == .value })
    }
    guard isRepeated, all.contains(where: { self[link: $0].alias > 0 && nameRole($0).isValue }) else { return }
    var known: [String: Int] = [:]
    for line in all where self[link: line].alias == 0 {
      if let identity = field.kind.identity(line, self) { known[identity] = line }
    }
    for line in all where self[link: line].alias > 0 && nameRole(line).isValue {
      guard let identity = field.kind.identity(line, self) else { continue }
      if let first = known[identity], first != line { release(line, .duplicate) } else { known[identity] = line }
    }
  }

  /// Gives lines that tell more of values with the same types (LABEL) to theirs: in order where each value has one, else to the value
  /// right before, else to the first that has none; a line without types to any.
  private mutating func joinTypeCompanions(_ companions: [Int], values: [Int]) {
    var places: [Set<String>: [Int]] = [:]
    for line in values { places[typeWords(line), default: []].append(line) }
    var counts: [Set<String>: Int] = [:]
    for line in companions { counts[typeWords(line), default: 0] += 1 }
    var next: [Set<String>: Int] = [:]
    var nextOfAll = 0
    func isFree(_ line: Int) -> Bool { self[link: line].companion < 0 }
    for line in companions {
      let types = typeWords(line)
      var owner: Int?
      if let candidates = places[types] {
        if counts[types] != candidates.count, line > range.lowerBound, isFree(line - 1), nameRole(line - 1) == .value,
          self[link: line - 1].role == .primary, self[link: line - 1].field == self[link: line].field, typeWords(line - 1) == types
        {
          owner = line - 1
        } else {
          var place = next[types] ?? 0
          while place < candidates.count, !isFree(candidates[place]) { place += 1 }
          next[types] = place
          if place < candidates.count { owner = candidates[place] }
        }
      }
      if owner == nil, types.isEmpty {
        while nextOfAll < values.count, !isFree(values[nextOfAll]) { nextOfAll += 1 }
        if nextOfAll < values.count { owner = values[nextOfAll] }
      }
      guard let owner else { continue }
      self[link: owner].companion = Int32(truncatingIfNeeded: line)
      self[link: line].role = .companion
    }
  }

  private func typeWords(_ line: Int) -> Set<String> {
    Set(values(.type, of: line).map { $0.lowercased() }).subtracting(["pref", "voice"])
  }

  /// The value as a text that compares.
  private func canonicalText(_ line: Int, _ field: Field) -> String {
    var record = Record()
    record.begin(source: bytes, version: version)
    field.kind.read(line, self, into: &record)
    var text = ""
    for i in record.tokens.indices where record.tokens[i].operation == .text || record.tokens[i].operation == .number {
      text += record.string(i) + "\n"
    }
    return text
  }
}
