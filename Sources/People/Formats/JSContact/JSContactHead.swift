// What the heads of lines (all before the value) say to JSContact, worked out once for each.

internal import Bytes
internal import CardSyntax

/// An object of the Card that gets its members from several lines: a map of objects, the name.
struct JSContactContainer: Sendable {
  let path: [String]
  /// What it begins with: its key and a brace.
  var start: String { "\"\(path.last ?? "")\":{" }
  /// The number of the container around it; nil in the Card itself.
  let outer: Int?

  private init(_ path: [String], outer: Int?) {
    (self.path, self.outer) = (path, outer)
  }

  /// All of them; their places are their numbers.
  static let all: [JSContactContainer] = {
    var found = ["addresses", "anniversaries", "keywords", "members", "relatedTo", "name", "speakToAs"].map {
      JSContactContainer([$0], outer: nil)
    }
    for path in JSContactRow.maps {
      let outer = path.count > 1 ? found.firstIndex { $0.path == path.dropLast() } : nil
      found.append(JSContactContainer(path, outer: outer))
    }
    return found
  }()

  /// The number of the container at a path of keys.
  static func number(_ path: [String]) -> Int { all.firstIndex { $0.path == path } ?? 0 }
  static let name = number(["name"]), speakToAs = number(["speakToAs"])
}

/// What is asked of the head of each line.
struct JSContactFacts: BitwiseCopyable {
  /// What becomes of the property.
  enum Kind: UInt8, BitwiseCopyable {
    /// An entry of a map, as its row says; a text of the Card.
    case row, text
    case fullName, name, address, location, timeZone, date, place
    /// Categories, members, related: their values are keys.
    case keys, relation
    case version, groupLabel, patch
    /// Nothing that JSContact has: it is kept as it is.
    case other
  }

  /// What holds for some heads.
  struct Traits: OptionSet, BitwiseCopyable {
    let rawValue: UInt16
    /// The group's label belongs to the object.
    static let takesLabel = Traits(rawValue: 1)
    /// The object is an organization, or belongs to one.
    static let isOrganization = Traits(rawValue: 2), isTitle = Traits(rawValue: 4)
    /// PROP-ID can be an identifier.
    static let hasRightID = Traits(rawValue: 8)
    /// It has an ALTID, and is a property that may stand for another of its name in another language.
    static let hasAltID = Traits(rawValue: 16)
    /// The property becomes an entry of a map and has a PROP-ID.
    static let asksForID = Traits(rawValue: 32)
    /// There are parameters, or a group; no parameter at all, not even VALUE.
    static let saysMore = Traits(rawValue: 64), hasNoParameters = Traits(rawValue: 128)
    /// Stand-ins may be used beside what it says; also those for dates.
    static let takesStandIns = Traits(rawValue: 256), takesDates = Traits(rawValue: 512)
    /// The value has the type text; it is a member of a group, whose values have types of their own.
    static let isText = Traits(rawValue: 1024), isMember = Traits(rawValue: 2048)
  }

  /// The number of the head.
  var head = 0
  var kind = Kind.other
  var traits: Traits = []
  var cut = PropertyShape.Cut.whole
  /// Which text of the Card it is, by its place among all, and its form.
  var text: Int8 = -1, form: JSContactText.Form?
  /// Which of the anniversaries with a place it is, or whose place, by its place among all; -1 for others.
  var event: Int8 = -1
  /// The container of its object, and what the identifiers made for it begin with.
  var container: UInt8 = 0, prefix: UInt8 = 0
  /// The number of the group's name in lower case; 0 for none.
  var group = 0
}

/// The head of a line, for whoever makes something of lines that have it.
final class JSContactHead {
  /// The property without its values.
  let line: PropertyText
  let row: JSContactRow?
  let anniversary: JSContactAnniversary?
  /// PROP-ID.
  let id: String?
  fileprivate(set) var facts = JSContactFacts()

  init(_ property: PropertyText, hasLabel: Bool, hasNoParameters: Bool) {
    var line = property
    line.values = []
    if hasLabel, let place = line.parameters.firstIndex(where: { $0.name == "label" }) {
      line.parameters[place].values = [StandIn.text(JSONTemplate.Hole.labelNumber)]
    }
    self.line = line
    let name = line.name
    row = JSContactRow.of(property: name)
    anniversary = JSContactAnniversary.all.first { $0.date == name }
    id = line.parameter("prop-id")?.first
    facts.text = Int8(JSContactText.all.firstIndex { $0.property == name } ?? -1)
    facts.form = facts.text < 0 ? nil : JSContactText.all[Int(facts.text)].form
    facts.kind = Self.kind(name, isText: facts.text >= 0, isRow: row != nil, isDate: anniversary != nil)
    facts.cut = PropertyShape.of(name)?.cut ?? .whole
    facts.event = Int8(JSContactAnniversary.all.firstIndex { $0.place != nil && ($0.date == name || $0.place == name) } ?? -1)
    let prefix = setContainer()
    let said = property.parameters.flatMap(\.values) + [line.group ?? ""]
    let hasAlternatives = [.name, .fullName, .address, .row].contains(facts.kind)
    for (trait, isTrue) in [
      (JSContactFacts.Traits.takesLabel, row?.parts.contains(.label) == true), (.isOrganization, row?.parts.contains(.units) == true),
      (.isTitle, row?.path == ["titles"]), (.hasRightID, id.map { JSContactWriter.isID($0) } ?? false),
      (.hasAltID, hasAlternatives && line.parameter("altid") != nil), (.asksForID, id != nil && !prefix.isEmpty),
      (.saysMore, !line.parameters.isEmpty || line.group != nil), (.hasNoParameters, hasNoParameters),
      (.takesStandIns, !said.contains { StandIn.isIn($0) }), (.takesDates, !said.contains { StandIn.isDateIn($0) }),
      (.isText, line.type == "text"), (.isMember, name == JSContactRow.name("members")),
    ] where isTrue { facts.traits.insert(trait) }
  }

  private static func kind(_ name: String, isText: Bool, isRow: Bool, isDate: Bool) -> JSContactFacts.Kind {
    if isText { return .text }
    if isRow { return .row }
    if isDate { return .date }
    if JSContactAnniversary.all.contains(where: { $0.place == name }) { return .place }
    return kinds[name] ?? .other
  }

  private static let kinds: [String: JSContactFacts.Kind] = [
    JSContactRow.name("fullName"): .fullName, JSContactName.property: .name, JSContactAddress.property: .address,
    JSContactAddress.location: .location, JSContactAddress.timeZone: .timeZone, JSContactRow.name("members"): .keys,
    JSContactRow.name("categories"): .keys, JSContactRow.name("related"): .relation, "version": .version,
    JSContactWriter.label: .groupLabel, JSContactWriter.jsonProperty: .patch,
  ]

  /// What made identifiers begin with; each belongs to one map.
  static let prefixes = Array(Set(JSContactRow.all.map(\.prefix))).sorted() + ["ADDR", "ANNIVERSARY"]

  /// Finds the container of the object, and gives what the identifiers made for it begin with: nothing where it has none.
  private func setContainer() -> String {
    var (path, prefix): ([String]?, String) = (nil, "")
    switch facts.kind {
    case .row: (path, prefix) = (row?.path, row?.prefix ?? "")
    case .address, .location, .timeZone: (path, prefix) = (["addresses"], "ADDR")
    case .date: (path, prefix) = (["anniversaries"], "ANNIVERSARY")
    case .keys: path = [line.name == JSContactRow.name("members") ? "members" : "keywords"]
    case .relation: path = ["relatedTo"]
    case .name, .fullName: path = ["name"]
    default: break
    }
    facts.container = UInt8(JSContactContainer.number(path ?? []))
    facts.prefix = UInt8(Self.prefixes.firstIndex(of: prefix) ?? 0)
    return prefix
  }
}

/// The heads of the lines of cards.
struct JSContactHeads: ~Copyable {
  private var known = NumberedHeads<JSContactFacts>()
  private var heads: [JSContactHead] = []
  private var groupNumbers: [String: Int] = [:]

  /// Are there so many that it is time to forget them? They are more than two parsers can number.
  var areMany: Bool { heads.count > 3000 }

  /// Says whose lines follow.
  mutating func begin(_ batch: CardBatch) { known.begin(batch) }

  /// Forgets all heads.
  mutating func removeAll() {
    known = NumberedHeads()
    heads.removeAll()
    groupNumbers.removeAll()
  }

  /// A head by its number.
  subscript(number: Int) -> JSContactHead { heads[number] }

  /// What there is to know of the head of a line of a card; nil where it has to be read.
  @inline(__always)
  func facts(_ entry: LineEntry) -> JSContactFacts? { known.value(of: entry) }

  /// Reads the head of a line; `place` is its place in the batch.
  mutating func read(_ place: Int, of card: Card) -> JSContactFacts {
    let entry = card.batch.lines[place]
    let property = PropertyText(card.lines[place - Int(card.batch.cards[card.index].firstLine)], of: card.version)
    let labels = (Int(entry.firstParameter)..<Int(entry.firstParameter + entry.parameterCount)).filter {
      card.batch.parameters[$0].known == .label
    }
    let hasLabel = labels.count == 1 && property.parameter("label")?.count == 1
    let head = JSContactHead(property, hasLabel: hasLabel, hasNoParameters: entry.parameterCount == 0)
    head.facts.head = heads.count
    if let group = property.group?.lowercased() {
      head.facts.group = groupNumbers[group] ?? groupNumbers.count + 1
      groupNumbers[group] = head.facts.group
    }
    heads.append(head)
    // A number stands for heads of any LABEL.
    if hasLabel || labels.isEmpty { known.keep(head.facts, for: entry) }
    return head.facts
  }
}
