// What the heads of lines (all before the value) say to JSContact, worked out once for each.

internal import Bytes
internal import CardSyntax

/// An object of the Card that gets its members from several lines: a map of objects, the name.
struct JSContactContainer: Sendable {
  let path: [String]
  /// What it begins with: its key and a brace.
  let start: [UInt8]
  /// The number of the container around it; nil in the Card itself.
  let outer: Int?

  private init(_ path: [String], outer: Int?) {
    (self.path, self.outer) = (path, outer)
    start = Array("\"\(path.last ?? "")\":{".utf8)
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

/// The head of a line, and what becomes of lines that have it.
final class JSContactHead {
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

  /// The property without its values.
  let line: PropertyText
  let kind: Kind
  let row: JSContactRow?
  /// Which text of the Card it is, by its place among all, and its form.
  let text: Int, form: JSContactText.Form?
  let anniversary: JSContactAnniversary?
  /// The group's label belongs to the object; the object is an organization, or belongs to one.
  let takesLabel: Bool, isOrganization: Bool, isTitle: Bool
  let cut: PropertyShape.Cut
  /// The container of its object, and what the identifiers made for it begin with; prefixes are told apart by number.
  private(set) var container = 0, prefix: [UInt8] = [], prefixNumber = 0
  /// The group in lower case.
  let group: String?
  /// PROP-ID, and whether it can be an identifier.
  let id: String?
  let hasRightID: Bool
  /// The text of a LABEL is left open.
  let hasLabel: Bool
  /// Is it a property of which one may stand for another in another language?
  let hasAlternatives: Bool
  /// Has it an ALTID, so that it may stand for another?
  let hasAltID: Bool
  /// Which of the anniversaries with a place it is, or whose place, by its place among all; -1 for others.
  let event: Int
  /// Are there parameters, or a group? No parameter at all, not even VALUE?
  let saysMore: Bool, hasNoParameters: Bool
  /// May stand-ins be used beside what it says?
  let takesStandIns: Bool, takesDates: Bool
  /// What becomes of lines, by what of their values decides; nil for those that are kept as they are.
  private var templates: [(key: UInt64, template: JSONTemplate?)] = []
  private static let limit = 256

  init(_ property: PropertyText, hasLabel: Bool, hasNoParameters: Bool) {
    var line = property
    line.values = []
    if hasLabel, let place = line.parameters.firstIndex(where: { $0.name == "label" }) {
      line.parameters[place].values = [StandIn.text(JSONTemplate.Hole.labelNumber)]
    }
    self.line = line
    (self.hasLabel, self.hasNoParameters) = (hasLabel, hasNoParameters)
    let name = line.name
    row = JSContactRow.of(property: name)
    text = JSContactText.all.firstIndex { $0.property == name } ?? -1
    form = text < 0 ? nil : JSContactText.all[text].form
    (takesLabel, isOrganization) = (row?.parts.contains(.label) == true, row?.parts.contains(.units) == true)
    isTitle = row?.path == ["titles"]
    anniversary = JSContactAnniversary.all.first { $0.date == name }
    kind = Self.kind(name, isText: text >= 0, isRow: row != nil, isDate: anniversary != nil)
    cut = PropertyShape.of(name)?.cut ?? .whole
    group = line.group?.lowercased()
    id = line.parameter("prop-id")?.first
    hasRightID = id.map { JSContactWriter.isID($0) } ?? false
    saysMore = !line.parameters.isEmpty || line.group != nil
    hasAltID = line.parameter("altid") != nil
    event = JSContactAnniversary.all.firstIndex { $0.place != nil && ($0.date == name || $0.place == name) } ?? -1
    hasAlternatives = kind == .name || kind == .fullName || kind == .address || kind == .row
    let said = property.parameters.flatMap(\.values) + [line.group ?? ""]
    takesStandIns = !said.contains { StandIn.isIn($0) }
    takesDates = !said.contains { StandIn.isDateIn($0) }
    setContainer()
  }

  private static func kind(_ name: String, isText: Bool, isRow: Bool, isDate: Bool) -> Kind {
    if isText { return .text }
    if isRow { return .row }
    if isDate { return .date }
    if JSContactAnniversary.all.contains(where: { $0.place == name }) { return .place }
    return kinds[name] ?? .other
  }

  private static let kinds: [String: Kind] = [
    JSContactRow.name("fullName"): .fullName, JSContactName.property: .name, JSContactAddress.property: .address,
    JSContactAddress.location: .location, JSContactAddress.timeZone: .timeZone, JSContactRow.name("members"): .keys,
    JSContactRow.name("categories"): .keys, JSContactRow.name("related"): .relation, "version": .version,
    JSContactWriter.label: .groupLabel, JSContactWriter.jsonProperty: .patch,
  ]

  private static let prefixes = Array(Set(JSContactRow.all.map(\.prefix))).sorted() + ["ADDR", "ANNIVERSARY"]
  static var prefixCount: Int { prefixes.count }

  private func setContainer() {
    var name = ""
    switch kind {
    case .row: (container, name) = (JSContactContainer.number(row?.path ?? []), row?.prefix ?? "")
    case .address, .location, .timeZone: (container, name) = (JSContactContainer.number(["addresses"]), "ADDR")
    case .date: (container, name) = (JSContactContainer.number(["anniversaries"]), "ANNIVERSARY")
    case .keys: container = JSContactContainer.number([line.name == JSContactRow.name("members") ? "members" : "keywords"])
    case .relation: container = JSContactContainer.number(["relatedTo"])
    case .name, .fullName: container = JSContactContainer.name
    default: break
    }
    prefix = Array("\"\(name)-".utf8)
    prefixNumber = Self.prefixes.firstIndex(of: name) ?? 0
  }

  /// Does the property become an entry of a map, under an identifier?
  var hasID: Bool { prefix.count > 2 }

  /// The template that was kept; nil where none was.
  func template(_ key: UInt64) -> JSONTemplate?? {
    for known in templates where known.key == key { return .some(known.template) }
    return nil
  }

  /// Keeps a template. Values of one head are of few kinds: what comes behind very many is not kept.
  func keep(_ template: JSONTemplate?, _ key: UInt64) { if templates.count < Self.limit { templates.append((key, template)) } }
}

/// The heads of the lines of cards.
struct JSContactHeads: ~Copyable {
  private var known = NumberedHeads<JSContactHead>()

  /// Says whose lines follow.
  mutating func begin(_ batch: CardBatch) { known.begin(batch) }

  /// The head of a line of a card; `place` is its place in the batch.
  mutating func head(_ place: Int, of card: Card) -> JSContactHead {
    let entry = card.batch.lines[place]
    if let head = known.value(of: entry) { return head }
    let property = PropertyText(card.lines[place - Int(card.batch.cards[card.index].firstLine)], of: card.version)
    let labels = (Int(entry.firstParameter)..<Int(entry.firstParameter + entry.parameterCount)).filter {
      card.batch.parameters[$0].known == .label
    }
    let hasLabel = labels.count == 1 && property.parameter("label")?.count == 1
    let head = JSContactHead(property, hasLabel: hasLabel, hasNoParameters: entry.parameterCount == 0)
    // A number stands for heads of any LABEL.
    if hasLabel || labels.isEmpty { known.keep(head, for: entry) }
    return head
  }
}

/// The value of a line, cut into texts.
struct JSContactValue: ~Copyable {
  /// Where the texts stand, escapes and all: so many of them as `count` says.
  private(set) var texts: [(start: Int, end: Int)] = Array(repeating: (0, 0), count: Self.limit)
  private(set) var count = 0
  private static let limit = 16
  /// The day of a date.
  private(set) var day = DateNumbers.none

  /// Cuts the value of a line. What of the value decides what becomes of the line, besides its head, is given as a number; nil where
  /// the value has to be looked at.
  mutating func read(_ head: JSContactHead, _ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> UInt64? {
    count = 0
    guard head.takesStandIns else { return nil }
    switch head.kind {
    case .name: return readComponents(head.cut, bytes, start, end, limit: JSComponents.name.shortCount)
    case .address: return readComponents(head.cut, bytes, start, end, limit: JSComponents.address.shortCount)
    case .row where head.cut != .whole && head.cut != .list: return readComponents(head.cut, bytes, start, end, limit: Self.limit)
    case .date: return head.takesDates ? readDay(bytes, start, end) : nil
    case .text:
      add(start, end)
      switch head.form {
      case .utc: return head.takesDates && DateNumbers.isTime(bytes, start, end) ? 0 : nil
      case .lower:
        // Words of the grammar are in upper case in vCard.
        if head.text == JSContactText.gender { return nil }
        for i in start..<end where !ASCII.isLetter(bytes[i]) || bytes[i] < 97 { return nil }
        return end > start ? 0 : nil
      default: return UInt64(StandIn.form(bytes, start, end, isEscaped: true).rawValue)
      }
    case .timeZone where head.line.type != "text": return nil
    default:
      add(start, end)
      return UInt64(StandIn.form(bytes, start, end, isEscaped: true).rawValue)
    }
  }

  private mutating func add(_ start: Int, _ end: Int) {
    texts[count] = (start, end)
    count += 1
  }

  /// Takes one text of a list.
  mutating func take(_ head: JSContactHead, _ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> UInt64? {
    count = 0
    add(start, end)
    return head.takesStandIns ? UInt64(StandIn.form(bytes, start, end, isEscaped: true).rawValue) : nil
  }

  /// Components of one text each: which of them are there.
  private mutating func readComponents(
    _ cut: PropertyShape.Cut, _ bytes: Span<UInt8>, _ start: Int, _ end: Int, limit: Int
  ) -> UInt64? {
    var mask: UInt64 = 0
    var from = start
    while true {
      let stop = cut.componentEnd(bytes, from: from, to: end, isFirst: count == 0)
      guard count < limit else { return nil }
      if cut == .componentLists, Escaping.firstSeparator(ASCII.comma, in: bytes, from: from, to: stop) < stop { return nil }
      if stop > from { mask |= 1 << UInt64(count) }
      add(from, stop)
      guard stop < end else { return mask | UInt64(count) << 32 }
      from = stop + 1
    }
  }

  private mutating func readDay(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> UInt64? {
    guard end - start == 8, let day = DateNumbers(bytes, start, end), day.isWhole, day.clock == nil else { return nil }
    self.day = day
    return 0
  }
}
