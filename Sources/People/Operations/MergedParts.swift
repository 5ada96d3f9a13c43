// The parts of a value that is put together from several contacts, and the groups of lines that come from several.

internal import Bytes
internal import CardSyntax

/// A value as parts that stand in the records of the contacts which are merged.
struct MergedParts {
  /// A part: its name, and where it stands.
  struct Part {
    let name: Member
    let member: Int
    let index: Int
  }

  /// The contact that the value comes from.
  let member: Int
  private var parts: [Part] = []
  private let isObject: Bool

  /// The value, or the element of a list, at `index`; what its line carries besides is no part.
  init(_ index: Int, of record: borrowing Record, member: Int) {
    self.member = member
    isObject = record.tokens[index].operation == .openObject
    // The parts of an object whose keys are data, or of a whole contact, cannot be told apart by name.
    guard isObject else {
      parts = [Part(name: .value, member: member, index: index)]
      return
    }
    for place in record.elements(index) where !ValueIdentity.isAnnotation(record.tokens[place].member) {
      parts.append(Part(name: record.tokens[place].member, member: member, index: place))
    }
  }

  private static func text(_ part: Part, _ members: [KeptRecord]) -> String {
    let kept = members[part.member]
    return (part.index..<kept.record.next(part.index)).filter {
      kept.record.tokens[$0].operation == .text || kept.record.tokens[$0].operation == .number
    }.map { kept.record.string($0).trimmed }.joined(separator: "\n")
  }

  private func part(_ name: Member, _ members: [KeptRecord]) -> Part? {
    parts.first { $0.name == name && !members[$0.member].record.isEmptyValue($0.index) }
  }

  /// Has `other` no part that differs from the same part here?
  func accepts(_ other: MergedParts, _ members: [KeptRecord]) -> Bool {
    guard isObject, other.isObject else { return false }
    return other.parts.allSatisfy { theirs in
      guard theirs.name != .none else { return false }
      guard let own = part(theirs.name, members), !members[theirs.member].record.isEmptyValue(theirs.index) else { return true }
      return Self.text(own, members) == Self.text(theirs, members)
    }
  }

  /// The text of the part `name`; nil where the value has none.
  func text(_ name: Member, _ members: [KeptRecord]) -> String? { part(name, members).map { Self.text($0, members) } }

  /// Takes the parts that are missing here; false, and nothing taken, where a part differs.
  mutating func take(_ other: MergedParts, _ members: [KeptRecord]) -> Bool {
    guard accepts(other, members) else { return false }
    parts.removeAll { members[$0.member].record.isEmptyValue($0.index) }
    fill(from: other)
    return true
  }

  /// Takes the parts that are missing here.
  mutating func fill(from other: MergedParts) {
    for theirs in other.parts where !parts.contains(where: { $0.name == theirs.name }) { parts.append(theirs) }
  }

  /// Puts the value into a record: the text or list as it was, or an object.
  func send(_ members: [KeptRecord], to record: inout Record) {
    if isObject { record.open() }
    sendParts(members, to: &record, named: isObject)
    if isObject { record.close() }
  }

  /// Puts the parts into the open object of a record.
  func sendParts(_ members: [KeptRecord], to record: inout Record, named: Bool = true) {
    let ordered =
      isObject
      ? parts.enumerated().sorted { ($0.element.name.rawValue, $0.offset) < ($1.element.name.rawValue, $1.offset) }.map(\.element) : parts
    for part in member == ordered.first?.member && ordered.allSatisfy({ $0.member == member }) ? parts : ordered {
      let source = members[part.member]
      let token = source.record.tokens[part.index]
      if named, token.member == .none, part.name == .value, token.operation == .text {
        record.text(.value, made: source.record.string(part.index))
      } else {
        record.append(range: part.index, source.record.next(part.index), of: source.record)
      }
    }
  }
}

/// The names of groups in a merged contact: a group stays one group, and no two contacts share one.
struct MergedGroups {
  private var names: [[String: String]] = []

  init() {}

  init(_ members: [KeptRecord]) {
    var used = Set<String>()
    var fresh = GroupNames()
    let all = members.map { Self.groups(of: $0.record) }
    for group in all.joined() { fresh.use(group) }
    for groups in all {
      var own: [String: String] = [:]
      for group in groups where own[group.lowercased()] == nil {
        own[group.lowercased()] = used.contains(group.lowercased()) ? fresh.fresh() : group
      }
      for name in own.values { used.insert(name.lowercased()) }
      names.append(own)
    }
  }

  /// Every group that a line of the contact stands in.
  private static func groups(of record: borrowing Record) -> [String] {
    var found: [String] = []
    for i in record.tokens.indices where record.tokens[i].operation == .text && record.tokens[i].member == .group {
      found.append(record.string(i))
    }
    if let index = record.value(ofField: Person.unclaimedField) {
      for place in record.elements(index) { if let group = UnclaimedText(record, at: place)?.group { found.append(group) } }
    }
    return found
  }

  /// The name that a group of a contact has in the merged one.
  func name(_ group: String, _ member: Int) -> String { names[member][group.lowercased()] ?? group }

  /// What a line carries, its group renamed.
  func renamed(_ annotations: Annotations, _ member: Int) -> Annotations {
    var annotations = annotations
    annotations.group = annotations.group.map { name($0, member) }
    return annotations
  }
}

extension UnclaimedText {
  /// The lines that a version writes for the value of a field, as lines that no field holds.
  static func lines(
    of number: Int, at index: Int, in record: borrowing Record, _ annotations: Annotations?, version: CardVersion
  ) -> [UnclaimedText] {
    var single = Record()
    single.begin(source: [], version: record.version)
    single.field(number)
    single.append(range: index, record.next(index), of: record)
    if let annotations {
      single.field(Person.detailsField)
      single.open()
      single.key(Person.fields[number].key)
      single.open()
      annotations.send(to: &single)
      single.close()
      single.close()
    }
    var writer = CardWriter(version: version, width: nil)
    writer.begin(single)
    writer.write(number, 1, of: single)
    writer.end()
    var parser = CardParser(names: FieldNames.table)
    parser.feed(writer.takeOutput().span)
    parser.finish()
    var found: [UnclaimedText] = []
    var card = CardView()
    while let batch = parser.nextBatch() {
      for i in 0..<batch.count {
        card.sort(batch, i)
        for line in card.range where card.lines[line].number != FieldNames.version { found.append(UnclaimedText(line, card)) }
      }
    }
    return found
  }
}
