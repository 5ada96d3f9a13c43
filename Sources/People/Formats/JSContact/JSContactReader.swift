// Reads JSContact Cards (RFC 9553) as cards of 4.0 by the rules of RFC 9555.

package import CardSyntax
internal import Bytes
internal import DataSyntax

/// Reads JSContact Cards. A member that vCard has nothing for, or that is not as it should be, is kept as a JSPROP property, so that
/// the way back gives the Card again.
package struct JSContactReader: ~Copyable {
  /// What was wrong with the value read last.
  package private(set) var findings: [Diagnostic] = []
  private var assembler = CardAssembler()
  private var tape = JSONTape()
  private var parts = JSContactParts()
  private let maximumDepth = Limits().dataNesting

  package init() {}

  /// Reads one JSON value, a Card; it is added to `cards`. What is no object becomes a finding.
  package mutating func read(_ bytes: [UInt8], line: Int, into cards: inout [CardBatch]) {
    findings = []
    let end = tape.read(bytes.span, from: 0, maximumDepth: maximumDepth)
    guard let end, JSONTape.firstNoBlank(bytes.span, end) == bytes.count else { return noteFault(bytes, line: line) }
    guard tape.tokens[0].kind == .object else {
      findings.append(Diagnostic(.wrongMember, "no object, so no Card; left out", line: line, leftOut: true))
      return
    }
    var lines = LineTable(bytes, firstLine: line)
    assembler.begin(.v40, line: line)
    if !parts.write(tape, bytes, &lines, to: &assembler, &findings) {
      findings = []
      assembler.begin(.v40, line: line)
      convert(bytes, line: line, &lines)
    }
    if let card = assembler.finish(line: line, &findings) { cards.append(card) }
  }

  private mutating func noteFault(_ bytes: [UInt8], line: Int) {
    var reader = JSONReader(bytes, firstLine: line, maximumDepth: maximumDepth)
    do throws(DataSyntaxError) {
      while try reader.next() != .end {}
    } catch {
      findings.append(Diagnostic(.dataSyntax, error.told + "; the Card was left out", line: error.line, leftOut: true))
    }
  }

  /// Converts the Card on the tape as a whole.
  private mutating func convert(_ bytes: [UInt8], line: Int, _ lines: inout LineTable) {
    var builder = JSONTreeBuilder()
    guard case .object(let object) = builder.tree(of: 0, tape, bytes, { lines.line(at: tape.tokens[$0].start) }) else { return }
    for (pointer, line) in builder.repeated {
      findings.append(
        Diagnostic(.wrongMember, "/\(pointer): the member comes twice; the first was taken", line: line, severity: .warning, leftOut: true))
    }
    var conversion = JSContactConversion(object, line: line)
    conversion.convert()
    findings += conversion.findings
    for entry in conversion.entries {
      switch entry {
      case .property(let property, let line):
        if !assembler.add(property, line: line) {
          findings.append(
            Diagnostic(.droppedCharacters, "control characters were left out", line: line, property: property.name.uppercased()))
        }
      case .label(let group, let text, let line): assembler.add(label: text, group: group, line: line)
      }
    }
  }
}

extension PropertyText {
  /// Does the property carry anything beside its value?
  fileprivate var saysMore: Bool { !parameters.isEmpty || group != nil }
}

/// One Card on its way to the lines of a card. What has been converted is taken out of the object; what is left becomes JSPROP.
struct JSContactConversion {
  /// A line of the card.
  enum Entry {
    case property(PropertyText, line: Int)
    case label(group: String, text: String, line: Int)
  }

  private(set) var entries: [Entry] = []
  private(set) var findings: [Diagnostic] = []
  private var card: JSONObject
  private let original: JSONObject
  private let line: Int
  /// Paths of objects that will be there when the card is converted back.
  private var existing = JSONPathSet()
  private var kept: [PropertyText] = []
  private var groups = GroupNames()
  private var localizations = JSContactLocalizations()
  private var altIDs: [String: String] = [:]
  /// The groups that organizations share with their titles, by their identifiers.
  private var organizationGroups: [String: String] = [:]

  /// Names of groups are made behind `group`.
  init(_ card: JSONObject, line: Int, groupsAfter group: String? = nil) {
    (self.card, original, self.line) = (card, card, line)
    if let group { groups.use(group) }
  }

  /// Converts all.
  mutating func convert() {
    checkHead()
    takeProperties()
    localizations = JSContactLocalizations(card)
    altIDs = localizations.altIDs(of: card)
    takeGroups()
    dropWhatPropertiesSay()
    for text in JSContactText.all { take(text) }
    takeName()
    for row in Self.order where row.path != ["speakToAs", "pronouns"] { takeMap(row) }
    takeMap(JSContactRow.of(property: JSContactRow.name("pronouns")))
    takeAddresses()
    takeAnniversaries()
    takeKeys("members", Self.member)
    takeKeys("keywords", Self.categories)
    takeRelations()
    for property in kept { add(property, ["vCardProps"]) }
    keepLocalizations()
    if card["speakToAs"]?.members?.members.allSatisfy({ $0.key == "@type" && $0.value.text == "SpeakToAs" }) == true {
      card["speakToAs"] = nil
    }
    for (key, value) in card.members { keepRest([key], value) }
  }

  private static let member = JSContactRow.name("members")
  private static let categories = JSContactRow.name("categories")
  private static let related = JSContactRow.name("related")
  /// Properties of `vCardProps` that may say what a member says.
  private static let replacing: Set<String> = Set(
    JSContactText.all.map(\.property) + [
      fullName, JSContactName.property, JSContactAddress.property, JSContactAddress.location, JSContactAddress.timeZone, member, categories,
    ])

  /// May a property of `vCardProps` with this name, in lower case, say what a member says?
  static func mayReplaceMember(_ name: String) -> Bool { replacing.contains(name) }
  private static let fullName = JSContactRow.name("fullName")
  /// One row for each map.
  private static let order: [JSContactRow] = JSContactRow.maps.compactMap { path in JSContactRow.all.first { $0.path == path } }

  // MARK: Output

  private mutating func add(_ property: PropertyText, _ path: [String]) {
    entries.append(.property(property, line: line(of: path)))
  }

  /// The line of the member at a path, down to the parts of entries of the Card's maps.
  private func line(of path: [String]) -> Int { original.line(at: path.prefix(3)) ?? original.line(at: path.prefix(1)) ?? line }

  private mutating func note(_ path: [String], _ message: String, _ severity: Severity = .warning) {
    findings.append(
      Diagnostic(.wrongMember, "/\(JSONPointer.text(path)): \(message)", line: line(of: path), severity: severity))
  }

  private mutating func exists(_ path: [String]) { existing.insert(path) }

  /// Keeps what is left of a value as JSPROP: as few properties as can be, each at a place that will be there (RFC 9555 3.2.1).
  private mutating func keepRest(_ path: [String], _ value: JSONTree) {
    if existing.contains(path), let object = value.members {
      for (key, value) in object.members { keepRest(path + [key], value) }
      return
    }
    var property = PropertyText(JSContactWriter.jsonProperty, "text", value.compact)
    property.parameters.append(("jsptr", [JSONPointer.text(path)]))
    add(property, path)
  }

  // MARK: The Card

  private mutating func checkHead() {
    let type = card.take("@type")
    if type?.text != "Card" { note(["@type"], "the object does not say that it is a Card; read as one") }
    let version = card.take("version")
    if version?.text == "1.0", card["uid"]?.text == nil { note(["uid"], "a Card of version 1.0 without uid") }
    if version?.text != "1.0", version?.text != "2.0" { note(["version"], "not a version of JSContact that is known; read as 1.0") }
  }

  /// Takes the properties of vCardProps.
  private mutating func takeProperties() {
    guard let elements = card["vCardProps"]?.elements else { return }
    var rest: [JSONTree] = []
    var properties = JCardPropertyReader()
    for (i, element) in elements.enumerated() {
      var reader = JSONReader(Array(element.compact.utf8))
      properties.findings = []
      properties.prefix = "/vCardProps/\(i)"
      var property: PropertyText?
      do throws(DataSyntaxError) {
        if try reader.next() == .beginArray, try properties.read(&reader) { property = properties.property }
      } catch {
        property = nil
      }
      for var finding in properties.findings {
        finding.line = line(of: ["vCardProps"])
        finding.leftOut = false
        findings.append(finding)
      }
      if let property { kept.append(property) } else { rest.append(element) }
    }
    kept.removeAll { $0.name == "version" }
    card["vCardProps"] = rest.isEmpty ? nil : .array(rest)
  }

  /// Notes the groups that are there, and finds those of organizations.
  private mutating func takeGroups() {
    var groups = self.groups
    func use(_ object: JSONObject) {
      object.forEach { key, value in
        guard let inner = value.members else { return }
        if key == "vCardParams", let group = inner["group"]?.text { groups.use(group) } else { use(inner) }
      }
    }
    use(card)
    for property in kept { if let group = property.group { groups.use(group) } }
    self.groups = groups
    let organizations = card.object(at: ["organizations"])
    for (_, title) in card.object(at: ["titles"])?.members ?? [] {
      guard let id = title.members?["organizationId"]?.text, let owner = organizations?[id]?.members, organizationGroups[id] == nil else {
        continue
      }
      organizationGroups[id] = owner["vCardParams"]?.members?["group"]?.text ?? self.groups.fresh()
    }
  }

  /// Takes members off that a property of vCardProps says better: it holds parameters, or a spelling, that the member cannot hold.
  private mutating func dropWhatPropertiesSay() {
    guard !kept.isEmpty else { return }
    // The address of each place, by group and value.
    var addressIDs: [String: String] = [:]
    for (id, address) in card.object(at: ["addresses"])?.members ?? [] {
      let group = address.members?["vCardParams"]?.members?["group"]?.text?.lowercased() ?? ""
      for key in ["coordinates", "timeZone"] {
        if let text = address.members?[key]?.text, addressIDs["\(key) \(group) \(text)"] == nil {
          addressIDs["\(key) \(group) \(text)"] = id
        }
      }
    }
    // Places first: an address that got them is compared without them.
    let places = kept.filter { $0.name == JSContactAddress.location || $0.name == JSContactAddress.timeZone }
    for property in places + kept.filter({ $0.name != JSContactAddress.location && $0.name != JSContactAddress.timeZone }) {
      if let text = JSContactText.of(property: property.name), let key = text.path.last {
        let parent = text.path.dropLast()
        if let value = card.object(at: parent)?[key]?.text, value == text.text(property.text) { card.change(parent) { $0[key] = nil } }
        continue
      }
      switch property.name {
      case Self.fullName:
        if card.object(at: ["name"])?["full"]?.text == property.text { card.change(["name"]) { $0["full"] = nil } }
        exists(["name"])
      case JSContactName.property:
        let object = JSContactName.object(of: property)
        let name = card.object(at: ["name"]) ?? JSONObject()
        guard object["components"] != nil, object.members.allSatisfy({ name[$0.key] == $0.value }) else { continue }
        card.change(["name"]) { name in for (key, _) in object.members { name[key] = nil } }
        exists(["name"])
      case JSContactAddress.property:
        var plain = property
        guard let id = plain.take("prop-id")?.first, let object = card.object(at: ["addresses", id]),
          object == JSContactAddress.object(of: plain)
        else { continue }
        card.change(["addresses"]) { $0[id] = nil }
        exists(["addresses"])
      case JSContactAddress.location, JSContactAddress.timeZone:
        let key = property.name == JSContactAddress.location ? "coordinates" : "timeZone"
        guard let value = JSContactAddress.object(of: property)?[key] else { continue }
        let group = property.group?.lowercased() ?? ""
        if let id = addressIDs["\(key) \(group) \(value.text ?? "")"] { card.change(["addresses", id]) { $0[key] = nil } }
      case Self.member where property.saysMore, Self.categories where property.saysMore:
        let key = property.name == Self.member ? "members" : "keywords"
        for value in property.values { card.change([key]) { $0[value.first?.first ?? ""] = nil } }
      default: break
      }
    }
    for key in ["members", "keywords"] where card[key]?.members?.isEmpty == true && original[key]?.members?.isEmpty == false {
      card[key] = nil
    }
  }

  private mutating func take(_ text: JSContactText) {
    guard let key = text.path.last, let value = card.object(at: text.path.dropLast())?[key]?.text, !value.isEmpty,
      let property = text.property(value), text.text(property.text) == value
    else { return }
    card.change(text.path.dropLast()[...]) { $0[key] = nil }
    if text.path.count > 1 { exists(Array(text.path.dropLast())) }
    add(property, text.path)
  }

  // MARK: The name

  private mutating func takeName() {
    guard var name = card["name"]?.members else {
      if existing.contains(["name"]) { addFullNames(main: original.object(at: ["name"])?["full"]?.text) }
      return
    }
    let whole = original.object(at: ["name"]) ?? JSONObject()
    let full = name.takeText("full")
    if let full {
      add(PropertyText(Self.fullName, "text", full), ["name", "full"])
      exists(["name"])
    } else if whole["full"] == nil, let made = JSContactName.full(name) {
      var property = PropertyText(Self.fullName, "text", made)
      property.parameters.append(("derived", ["TRUE"]))
      add(property, ["name"])
    }
    addFullNames(main: whole["full"]?.text)
    let components = name["components"]
    if let (property, phonetic) = JSContactName.properties(of: &name) {
      exists(["name"])
      addAll(property, phonetic, ["name"], id: nil)
      if let components, localizations.countComponents(of: ["name"]) { name["components"] = components }
    } else if full != nil, name["@type"]?.text == "Name" {
      name["@type"] = nil
    }
    card["name"] = name.isEmpty ? nil : .object(name)
  }

  /// Adds the full name in other languages.
  private mutating func addFullNames(main: String?) {
    for (language, full) in localizations.takeFullNames(unlike: main) {
      var property = PropertyText(Self.fullName, "text", full)
      property.parameters.append(("language", [language]))
      if let altID = kept.first(where: { $0.name == Self.fullName })?.parameter("altid") { property.parameters.append(("altid", altID)) }
      add(property, ["localizations", language])
    }
  }

  // MARK: Maps

  /// Adds a property, how it is spoken, and what localizations make of it.
  private mutating func addAll(_ property: PropertyText, _ phonetic: PropertyText?, _ path: [String], id: String?) {
    var property = property
    if let id, property.parameter("prop-id") == nil { property.parameters.append(("prop-id", [id])) }
    let altID =
      (altIDs.isEmpty ? nil : altIDs[JSONPointer.text(path)]) ?? (phonetic == nil ? nil : property.parameter("altid")?.first ?? "1")
    if let altID, property.parameter("altid") == nil { property.parameters.append(("altid", [altID])) }
    add(property, path)
    if var phonetic {
      if let altID { phonetic.parameters.append(("altid", [altID])) }
      add(phonetic, path)
    }
    for var other in localizations.take(path, from: original) {
      if let altID, other.property.parameter("altid") == nil { other.property.parameters.append(("altid", [altID])) }
      if let id, other.property.parameter("phonetic") == nil, other.property.parameter("prop-id") == nil {
        other.property.parameters.append(("prop-id", [id]))
      }
      if other.sharesGroup { other.property.group = other.property.group ?? property.group }
      add(other.property, ["localizations", other.language])
    }
  }

  private mutating func takeMap(_ row: JSContactRow?) {
    guard let path = row?.path, let map = card.object(at: path), !map.isEmpty else { return }
    var rest = map
    for (id, value) in map.members {
      guard let whole = value.members, let row = JSContactRow.of(whole, in: path) else {
        note(path + [id], "not an object that vCard has a property for; kept as JSPROP")
        continue
      }
      var object = whole
      let label = row.parts.contains(.label) ? object.takeText("label") : nil
      guard var property = row.property(of: &object) else {
        note(path + [id], "\(row.value) is missing, or not as it should be; kept as JSPROP")
        continue
      }
      exists(path)
      exists(path + [id])
      if path == ["titles"], let owner = object["organizationId"]?.text, let group = organizationGroups[owner],
        property.group == nil || property.group?.lowercased() == group.lowercased()
      {
        property.group = group
        object["organizationId"] = nil
      }
      if path == ["organizations"], property.group == nil { property.group = organizationGroups[id] }
      if object["contexts"] != nil, whole["contexts"] != object["contexts"] { exists(path + [id, "contexts"]) }
      if object["features"] != nil, whole["features"] != object["features"] { exists(path + [id, "features"]) }
      if object["author"] != nil, whole["author"] != object["author"] { exists(path + [id, "author"]) }
      var raw = property.take(JSContactWriter.label)?.first
      if let label {
        if raw.map({ Label.plain(appleLabel: $0) }) != label { raw = label }
        if property.group == nil { property.group = groups.fresh() }
      }
      addAll(property, nil, path + [id], id: id)
      if let raw, label != nil, let group = property.group {
        entries.append(.label(group: group, text: raw, line: line(of: path + [id, "label"])))
      }
      rest[id] = object.isEmpty ? nil : .object(object)
    }
    setRest(path, rest)
  }

  private mutating func setRest(_ path: [String], _ rest: JSONObject) {
    if path.count == 1 {
      card[path[0]] = rest.isEmpty ? nil : .object(rest)
    } else {
      let isThere = existing.contains(path)
      card.change(path.dropLast()) { $0[path[path.count - 1]] = rest.isEmpty ? nil : .object(rest) }
      if isThere { exists(Array(path.dropLast())) }
    }
  }

  private mutating func takeAddresses() {
    guard let map = card.object(at: ["addresses"]), !map.isEmpty else { return }
    var rest = map
    for (id, value) in map.members {
      guard var object = value.members, let (property, phonetic) = JSContactAddress.properties(of: &object) else {
        note(["addresses", id], "nothing that vCard has a property for; kept as JSPROP")
        continue
      }
      exists(["addresses"])
      exists(["addresses", id])
      if object["contexts"] != nil, value.members?["contexts"] != object["contexts"] { exists(["addresses", id, "contexts"]) }
      addAll(property, phonetic, ["addresses", id], id: id)
      if let components = value.members?["components"], localizations.countComponents(of: ["addresses", id]) {
        object["components"] = components
      }
      rest[id] = object.isEmpty ? nil : .object(object)
    }
    setRest(["addresses"], rest)
  }

  private mutating func takeAnniversaries() {
    guard let map = card.object(at: ["anniversaries"]), !map.isEmpty else { return }
    var rest = map
    var seen = Set<String>()
    for (id, value) in map.members {
      guard var object = value.members, let kind = JSContactAnniversary.all.first(where: { $0.kind == object["kind"]?.text }),
        kind.place == nil || !seen.contains(kind.kind),
        let (date, place) = kind.properties(of: &object)
      else {
        note(["anniversaries", id], "a date that vCard has no property for; kept as JSPROP", .info)
        continue
      }
      seen.insert(kind.kind)
      exists(["anniversaries"])
      exists(["anniversaries", id])
      addAll(date, nil, ["anniversaries", id], id: id)
      if let place {
        exists(["anniversaries", id, "place"])
        add(place, ["anniversaries", id, "place"])
      }
      rest[id] = object.isEmpty ? nil : .object(object)
    }
    setRest(["anniversaries"], rest)
  }

  private mutating func takeKeys(_ member: String, _ name: String) {
    guard let map = card.object(at: [member]), !map.isEmpty else { return }
    var rest = map
    let texts = map.members.filter { $0.value == .bool(true) && !$0.key.isEmpty }.map(\.key)
    for text in texts { rest[text] = nil }
    if !texts.isEmpty {
      exists([member])
      if name == Self.categories {
        var property = PropertyText(name, "text", "")
        property.values = texts.map { [[$0]] }
        add(property, [member])
      } else {
        for text in texts { add(PropertyText(name, JSContactParameters.impliedType(name, text), text), [member, text]) }
      }
    }
    card[member] = rest.isEmpty ? nil : .object(rest)
  }

  private mutating func takeRelations() {
    guard let map = card.object(at: ["relatedTo"]), !map.isEmpty else { return }
    var rest = map
    for (text, value) in map.members {
      guard var object = value.members, !text.isEmpty else { continue }
      var property = PropertyText(Self.related, JSContactParameters.impliedType(Self.related, text), text)
      if var relation = object["relation"]?.members {
        let types = relation.members.filter { $0.value == .bool(true) && $0.key == $0.key.lowercased() && !$0.key.contains(",") }.map(\.key)
        for type in types { relation[type] = nil }
        if !types.isEmpty { property.parameters.append(("type", types)) }
        object["relation"] = relation.isEmpty ? nil : .object(relation)
      }
      if object["@type"]?.text == "Relation" { object["@type"] = nil }
      JSContactParameters.takeRest(of: &object, to: &property)
      exists(["relatedTo"])
      exists(["relatedTo", text])
      exists(["relatedTo", text, "relation"])
      add(property, ["relatedTo", text])
      rest[text] = object.isEmpty ? nil : .object(object)
    }
    card["relatedTo"] = rest.isEmpty ? nil : .object(rest)
  }

  /// Puts the patches that became no property back.
  private mutating func keepLocalizations() {
    guard let all = card["localizations"]?.members, !all.isEmpty else { return }
    let (rest, isPartly) = localizations.rest
    card["localizations"] = rest.isEmpty ? nil : .object(rest)
    if !isPartly.isEmpty { exists(["localizations"]) }
    for language in isPartly { exists(["localizations", language]) }
  }
}
