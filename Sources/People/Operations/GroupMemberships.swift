// Who belongs to which group: group cards and categories made one. The only part of normalizing that looks at several contacts.

internal import Bytes
package import CardSyntax

/// The groups of a whole input: noted in a first reading, used in a second one. It grows with the memberships, not with the contacts' size.
package struct GroupMemberships: Sendable {
  /// What says who belongs to a group in the end.
  package enum Form: Sendable {
    /// CATEGORIES of the members; group cards that hold nothing else are gone.
    case categories
    /// Group cards that list their members; the members' CATEGORIES are gone.
    case cards
  }

  let form: Form
  /// The contacts that are no groups, by the key of their UID.
  private var contacts: Set<String> = []
  private var cards: [GroupCard] = []
  private var cardsByName: [String: Int] = [:]
  private var cardsBySequence: [Int: Int] = [:]
  /// The names of the groups that a contact belongs to, by the key of its UID.
  private var names: [String: [String]] = [:]
  /// The UIDs that contacts without one get, by their place in the input.
  private var madeIdentifiers: [Int: String] = [:]
  private var made: [MadeGroup] = []
  private var madeByName: [String: Int] = [:]
  private var sequence = 0
  private var reader = GroupReader()

  private struct GroupCard: Sendable {
    let name: String
    let members: [String]
    /// It holds a name and members alone.
    let isPlain: Bool
    /// Members that its categories name, and that it does not list.
    var missing: [String] = []
  }

  /// A group that only categories name.
  private struct MadeGroup: Sendable {
    let name: String
    let version: CardVersion
    let firstMember: Int
    var members: [String] = []
    var isWritten = false
  }

  package init(_ form: Form) { self.form = form }

  /// What tells one UID from another: without `urn:uuid:`, in any letter case.
  static func key(_ uid: String) -> String {
    let lower = uid.lowercased()
    return lower.hasPrefix("urn:uuid:") ? String(lower.dropFirst(9)) : lower
  }

  /// The names that a category stands for: Google joins several by ` ::: ` and marks its own with a star.
  static func names(ofCategory text: String) -> [String] {
    guard text.contains(":::") || text.hasPrefix("* ") else { return [text] }
    var found: [String] = []
    for part in text.split(separator: " ") {
      if part == ":::" {
        found.append("")
      } else if found.isEmpty {
        found.append(String(part))
      } else {
        found[found.count - 1] += (found[found.count - 1].isEmpty ? "" : " ") + part
      }
    }
    return found.map { $0.hasPrefix("* ") ? String($0.dropFirst(2)) : $0 }.filter { !$0.isEmpty }
  }

  /// Labels that Google gives by itself, and that are no group of people.
  private static let systemNames: Set<String> = ["mycontacts", "my contacts", "starred", "starred in android"]

  // MARK: The first reading

  /// Notes a card.
  package mutating func note(_ batch: CardBatch, _ index: Int) {
    var reader = CardReader()
    reader.read(batch, index)
    note(reader.record, version: batch[index].version)
  }

  /// Notes the contact of a record.
  package mutating func note(_ record: borrowing Record) { note(record, version: .v40) }

  private mutating func note(_ record: borrowing Record, version: CardVersion) {
    defer { sequence += 1 }
    let found = reader.read(record)
    if found.isGroup {
      cardsBySequence[sequence] = cards.count
      if cardsByName[found.fullName] == nil { cardsByName[found.fullName] = cards.count }
      cards.append(GroupCard(name: found.fullName, members: found.members, isPlain: found.isPlainGroup))
      return
    }
    if !found.uid.isEmpty { contacts.insert(Self.key(found.uid)) }
    guard form == .cards else { return }
    let groups = found.categories.flatMap(Self.names).filter { !Self.systemNames.contains($0.lowercased()) }
    guard !groups.isEmpty else { return }
    var uid = found.uid
    if uid.isEmpty {
      uid = ContentIdentifier.uid(of: record)
      madeIdentifiers[sequence] = uid
    }
    for name in groups {
      if let index = madeByName[name] {
        made[index].members.append(uid)
      } else {
        madeByName[name] = made.count
        made.append(MadeGroup(name: name, version: version == .v21 ? .v30 : version, firstMember: sequence, members: [uid]))
      }
    }
  }

  /// Ends the first reading.
  package mutating func settle() {
    switch form {
    case .categories:
      for card in cards where !card.name.isEmpty {
        for member in card.members where contacts.contains(Self.key(member)) { names[Self.key(member), default: []].append(card.name) }
      }
    case .cards:
      for (index, group) in made.enumerated() {
        guard let card = cardsByName[group.name] else { continue }
        let listed = Set(cards[card].members.map(Self.key))
        cards[card].missing = group.members.filter { !listed.contains(Self.key($0)) }
        made[index].isWritten = true
      }
    }
  }

  // MARK: The second reading

  /// Is the group card at this place all told by categories?
  func isTold(_ sequence: Int) -> Bool {
    guard form == .categories, let index = cardsBySequence[sequence] else { return false }
    let card = cards[index]
    return card.isPlain && !card.name.isEmpty && !card.members.isEmpty && card.members.allSatisfy { contacts.contains(Self.key($0)) }
  }

  /// The members that the group card at this place still needs.
  func missingMembers(_ sequence: Int) -> [String] { cardsBySequence[sequence].map { cards[$0].missing } ?? [] }

  /// Is the contact at this place a group?
  func isGroup(_ sequence: Int) -> Bool { cardsBySequence[sequence] != nil }

  /// The groups of a contact, by its UID.
  func names(of uid: String) -> [String] { names[Self.key(uid)] ?? [] }

  /// The UID that the contact at this place gets.
  func identifier(_ sequence: Int) -> String? { madeIdentifiers[sequence] }

  /// Does a group card take the place of this category?
  func isCard(_ name: String) -> Bool { form == .cards && !Self.systemNames.contains(name.lowercased()) }

  /// The group cards that no card of the input was, and whose first member was among the first `count` contacts; each is given once.
  mutating func takeMadeCards(upTo count: Int) -> [(record: KeptRecord, version: CardVersion)] {
    var found: [(record: KeptRecord, version: CardVersion)] = []
    for index in made.indices where !made[index].isWritten && made[index].firstMember < count {
      made[index].isWritten = true
      var person = Person()
      person.kind = "group"
      person.uid = ContentIdentifier.uid(ofName: made[index].name)
      person.fullName = made[index].name
      person.members = made[index].members.map { Labeled(Self.reference($0)) }
      found.append((KeptRecord(Record(person)), made[index].version))
    }
    return found
  }

  /// A UID as a member is named: a URI.
  static func reference(_ uid: String) -> String { uid.uriScheme == nil ? "urn:uuid:" + uid : uid }
}

/// What groups are made of, read from a record.
private struct GroupReader: Sendable {
  struct Found {
    var uid = "", fullName = ""
    var isGroup = false, isPlainGroup = true
    var members: [String] = [], categories: [String] = []
  }

  private let plain = Set(
    ["version", "uid", "kind", "fullName", "name", "members", "revision", "productID", "details"].compactMap { Person.field($0) })

  func read(_ record: borrowing Record) -> Found {
    var found = Found()
    func texts(_ key: String) -> [String] {
      guard let number = Person.field(key), let index = record.value(ofField: number) else { return [] }
      return record.elements(index).compactMap { place in record.valuePlace(place).map { record.string($0) } }
    }
    found.uid = texts("uid").first ?? ""
    found.fullName = texts("fullName").first ?? FullName.made(from: record) ?? ""
    found.isGroup = texts("kind").first?.lowercased() == "group"
    if found.isGroup { found.members = texts("members") } else { found.categories = texts("categories") }
    var i = 0
    while i < record.tokens.count {
      if record.tokens[i].operation == .field, !plain.contains(Int(record.tokens[i].start)) { found.isPlainGroup = false }
      i = record.next(i)
    }
    return found
  }
}

extension NormalizationStep {
  /// Makes categories of group cards, or group cards of categories.
  static func joinGroups(_ draft: inout CardDraft) {
    guard let groups = draft.options.groups else { return }
    switch groups.form {
    case .categories: useCategories(groups, &draft)
    case .cards: useCards(groups, &draft)
    }
  }

  private static func useCategories(_ groups: GroupMemberships, _ draft: inout CardDraft) {
    if groups.isTold(draft.sequence) {
      draft.isDropped = true
      draft.tell("the group is a category of all its members now; its card was left out")
      return
    }
    var known: Set<String> = []
    changeCategories(&draft) { texts in
      let names = texts.flatMap(GroupMemberships.names)
      known.formUnion(names)
      return names == texts ? nil : names
    }
    let uid = draft.units(of: "uid").first.flatMap { draft.value($0)?.tree.plainText } ?? ""
    let added = groups.names(of: uid).filter { known.insert($0).inserted }
    guard !added.isEmpty, !groups.isGroup(draft.sequence) else { return }
    let message = "became a category: \(added.joined(separator: ", "))"
    for unit in draft.units(of: "categories") {
      guard var value = draft.value(unit), value.annotations.isEmpty, case .list(let texts) = value.tree else { continue }
      value.tree = .list(texts + added.map { .text($0) })
      return draft.change(unit, value, message)
    }
    draft.add(DraftValue(.list(added.map { .text($0) })), toField: "categories", message)
  }

  private static func useCards(_ groups: GroupMemberships, _ draft: inout CardDraft) {
    if groups.isGroup(draft.sequence) {
      let missing = groups.missingMembers(draft.sequence)
      for uid in missing {
        draft.add(
          DraftValue(.list([.text(GroupMemberships.reference(uid))])), toField: "members", "a contact of this category is a member now")
      }
      return
    }
    changeCategories(&draft) { texts in
      let names = texts.flatMap(GroupMemberships.names).filter { !groups.isCard($0) }
      return names == texts ? nil : names
    }
    if let uid = groups.identifier(draft.sequence), draft.units(of: "uid").isEmpty {
      draft.add(DraftValue(.text(uid)), toField: "uid", "a member of a group needs a UID; one was made from the content")
    }
  }

  /// Gives each line of categories other texts, or leaves it out where none remain; nil for no change.
  private static func changeCategories(_ draft: inout CardDraft, _ change: ([String]) -> [String]?) {
    for unit in draft.units(of: "categories") {
      guard var value = draft.value(unit), case .list(let old) = value.tree, let texts = change(old.compactMap(\.plainText)) else {
        continue
      }
      if texts.isEmpty {
        draft.remove(unit, "its categories are group cards now")
      } else {
        value.tree = .list(texts.map { .text($0) })
        draft.change(unit, value, "its categories are divided, or group cards now")
      }
    }
  }
}
