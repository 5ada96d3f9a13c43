// Writes cards as JSContact Cards (RFC 9553) by the rules of RFC 9555.

internal import Bytes
internal import CardSyntax

/// Makes the Card object of a card of 4.0. What JSContact has no member for, or what would not come back as it was, is kept in
/// `vCardProps` and `vCardParams`.
struct JSContactWriter {
  /// The name of the property that labels its group.
  static let label = LineWriter.labelName.lowercased()
  /// The property that holds what only JSContact knows.
  static let jsonProperty = "jsprop"

  private var card = JSONObject()
  private var properties: [PropertyText] = []
  private var kept: [PropertyText] = []
  /// The label of each group, by its name in lower case, and the groups whose labels were taken.
  private var labels: [String: (raw: String, place: Int)] = [:]
  private var groupCounts: [String: Int] = [:]
  private var usedLabels = Set<String>()
  /// Identifiers that properties ask for, by the path of their map.
  private var reserved: [String: Set<String>] = [:]
  private var counters: [String: Int] = [:]
  /// Where the objects of properties stand.
  private var paths: [[String]?] = []
  /// Properties that say the same as another one in another language, or how it is spoken, by their places.
  private var alternates: [Int: Int] = [:]
  /// What the localizations of each language patch.
  private var patched: [String: JSONPatchPointers] = [:]
  /// The addresses and the organizations of each group, by its name in lower case; empty for no group.
  private var addresses: [String: [Int]] = [:]
  private var organizations: [String: [Int]] = [:]
  /// Some address or place is in a group.
  private var hasPlaceGroups = false
  /// Births and deaths that are there already.
  private var seenAnniversaries = Set<String>()
  private var isNameDerived = false

  /// The Card of the card at `index` of a batch.
  static func card(_ batch: CardBatch, _ index: Int) -> JSONObject {
    var writer = JSContactWriter()
    writer.read(batch[index])
    return writer.make()
  }

  private mutating func read(_ card: Card) {
    for line in card.lines {
      var property = PropertyText(line, of: card.version)
      if property.name == "version" { continue }
      let group = property.group?.lowercased()
      if property.name == Self.label, let group, line.parameters.isEmpty, labels[group] == nil {
        property.values = [[[line.text]]]
        labels[group] = (line.text, properties.count)
      } else if let group {
        groupCounts[group, default: 0] += 1
      }
      if let id = property.parameter("prop-id")?.first, let path = mapPath(property) {
        reserved[path.joined(separator: "/"), default: []].insert(id)
      }
      if property.name == JSContactAddress.property { addresses[group ?? "", default: []].append(properties.count) }
      if property.name == Self.organization, let group { organizations[group, default: []].append(properties.count) }
      if property.name == JSContactAddress.property || isPlace(property), group != nil { hasPlaceGroups = true }
      properties.append(property)
    }
    paths = Array(repeating: nil, count: properties.count)
  }

  private static let organization = JSContactRow.name("organizations")

  /// The map that a property becomes an entry of; nil for those that become none.
  private func mapPath(_ property: PropertyText) -> [String]? {
    if property.name == JSContactAddress.property || isPlace(property) { return ["addresses"] }
    if JSContactAnniversary.all.contains(where: { $0.date == property.name }) { return ["anniversaries"] }
    return JSContactRow.of(property: property.name)?.path
  }

  private mutating func make() -> JSONObject {
    card["@type"] = .string("Card")
    card["version"] = .string("1.0")
    card["uid"] = .string("")
    findAlternates()
    for (i, property) in properties.enumerated() where alternates[i] == nil && !isPlace(property) { convert(i, property) }
    for (i, property) in properties.enumerated() where isPlace(property) { convert(place: i, property) }
    setOrganizations()
    for i in alternates.keys.sorted() { if let main = alternates[i] { localize(i, main) } }
    for (group, label) in labels.sorted(by: { $0.value.place < $1.value.place }) where !usedLabels.contains(group) {
      var property = properties[label.place]
      property.values = [[[property.type == "unknown" ? Self.escaped(label.raw) : label.raw]]]
      kept.append(property)
    }
    if card["uid"] == .string("") { card["uid"] = .string(ContentUID.urn(of: properties)) }
    applyPatches()
    if !kept.isEmpty {
      card["vCardProps"] = .array(kept.compactMap { Self.tree(of: $0) })
    }
    return card
  }

  private static func escaped(_ text: String) -> String {
    var output = ByteBuffer()
    let bytes = Array(text.utf8)
    Escaping.escape(bytes.span, 0, bytes.count, [.commas, .backslashes], to: &output)
    return output.text()
  }

  /// The jCard array of a property.
  private static func tree(of property: PropertyText) -> JSONTree? {
    var output = ByteBuffer()
    JCardFormat.write(property, to: &output)
    return JSONTree(parsing: output.text())
  }

  // MARK: Alternatives

  private mutating func findAlternates() {
    let tag = properties.first { $0.name == "language" }?.text.lowercased()
    var groups: [String: [Int]] = [:]
    var order: [String] = []
    for (i, property) in properties.enumerated() {
      let isSingle = property.name == JSContactName.property || property.name == Self.fullName
      guard isSingle || property.name == JSContactAddress.property || JSContactRow.of(property: property.name) != nil else { continue }
      let altID = property.parameter("altid")?.first
      guard altID != nil || isSingle else { continue }
      let key = property.name + " " + (isSingle ? "" : altID ?? "")
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(i)
    }
    var main = tag
    // The full name tells the language of the card, where nothing else does.
    order.sort { $0.hasPrefix(Self.fullName + " ") && !$1.hasPrefix(Self.fullName + " ") }
    for key in order {
      guard let places = groups[key] else { continue }
      func language(_ i: Int) -> String? { properties[i].parameter("language")?.first?.lowercased() }
      func rank(_ i: Int) -> Int {
        (properties[i].parameter("phonetic") != nil ? 8 : 0) + (language(i) == nil ? 0 : language(i) == main ? 1 : 2)
      }
      let lowest = places.map { rank($0) }.min() ?? 0
      guard let first = places.filter({ rank($0) == lowest }).min(by: { properties[$0].parameters.count < properties[$1].parameters.count })
      else { continue }
      if properties[first].name == Self.fullName, main == nil, let language = properties[first].parameter("language")?.first {
        main = language.lowercased()
        card["language"] = .string(Self.canonical(language: language))
      }
      for i in places where i != first && (language(i) != nil || properties[i].parameter("phonetic") != nil) { alternates[i] = first }
    }
  }

  private static let fullName = JSContactRow.name("fullName")

  /// A language tag in its usual letter case (RFC 5646 2.1.1).
  private static func canonical(language tag: String) -> String {
    tag.split(separator: "-", omittingEmptySubsequences: false).enumerated().map { i, part in
      i > 0 && part.count == 2 ? part.uppercased() : i > 0 && part.count == 4 ? part.lowercased().capitalizedFirst : part.lowercased()
    }.joined(separator: "-")
  }

  /// Adds what differs from the main property as patches of its language.
  private mutating func localize(_ i: Int, _ main: Int) {
    let original = properties[i]
    var property = original
    let language = property.take("language")?.first
    guard let path = paths[main], let mainObject = card.object(at: path), language != "" else { return keep(original) }
    let object = JSContactParameters.withoutLanguage(mainObject)
    if property.parameter("phonetic") != nil { return speak(i, property, language, path, of: main) }
    guard let language else { return keep(original) }
    let mainID = properties[main].parameter("prop-id")?.first
    if let id = property.parameter("prop-id")?.first, id == mainID { _ = property.take("prop-id") }
    var other: JSONObject?
    var back: PropertyText?
    if property.name == Self.fullName {
      // The one parameter that a full name can keep is the ALTID of the other.
      if let altID = property.parameter("altid"), altID == properties[main].parameter("altid") ?? [] { _ = property.take("altid") }
      if property.parameters.isEmpty, property.group == nil { other = JSONObject([("full", .string(property.text))]) }
      back = property
    } else if property.name == JSContactName.property {
      other = JSContactName.object(of: property)
      var copy = other ?? JSONObject()
      back = JSContactName.properties(of: &copy)?.name
    } else if property.name == JSContactAddress.property {
      other = JSContactAddress.object(of: property)
      var copy = other ?? JSONObject()
      back = JSContactAddress.properties(of: &copy)?.address
    } else if let row = JSContactRow.of(property: property.name) {
      other = row.object(of: property)
      var copy = other ?? JSONObject()
      back = row.property(of: &copy)
    }
    guard let other, back?.saysTheSame(as: property) == true else { return keep(original) }
    let isFull = property.name == Self.fullName
    let isName = property.name == JSContactName.property
    var patches: [(String, JSONTree)] = []
    for (key, value) in other.members where object[key] != value { patches.append((JSONPointer.text(path + [key]), value)) }
    // The label of a group is that of all lines in it, and of no other.
    let sharesLabel = original.group?.lowercased() == properties[main].group?.lowercased()
    for (key, _) in object.members
    where other[key] == nil && !(sharesLabel && key == "label") && !isFull && !(isName && key == "full") {
      patches.append((JSONPointer.text(path + [key]), .null))
    }
    guard !patches.isEmpty else {
      // A full name of the same text takes the place of the member when it is read; so the first one has to stand there, too.
      let isSame = isFull && mainObject["full"]?.text == property.text
      if isSame, !kept.contains(where: { $0.name == Self.fullName && $0.text == property.text }) { keep(properties[main]) }
      return keep(original)
    }
    if !addPatches(patches, language) { keep(original) }
  }

  /// Adds how a name or address is spoken: to it, or as patches where that is another language.
  private mutating func speak(_ i: Int, _ property: PropertyText, _ language: String?, _ path: [String], of main: Int) {
    var property = property
    let isName = property.name == JSContactName.property
    let list = isName ? JSContactName.list(properties[main]) : JSContactAddress.list(properties[main])
    let system = property.take("phonetic") ?? []
    let script = property.take("script") ?? []
    let order = property.take("jscomps")
    _ = property.parameter("altid") == properties[main].parameter("altid") ? property.take("altid") : nil
    guard let texts = JSContactComponents.phonetic(property, of: list), property.parameters.isEmpty, property.group == nil,
      system.count == 1, script.count < 2, order == nil || order == properties[main].parameter("jscomps"),
      system[0].lowercased() != "script" || !script.isEmpty, !list.parts.isEmpty
    else { return keep(properties[i]) }
    let hasSystem = system[0].lowercased() != "script"
    if let language {
      var patches: [(String, JSONTree)] = []
      if hasSystem { patches.append((JSONPointer.text(path + ["phoneticSystem"]), .string(system[0]))) }
      if let script = script.first { patches.append((JSONPointer.text(path + ["phoneticScript"]), .string(script))) }
      for (k, text) in texts.enumerated() {
        if let text { patches.append((JSONPointer.text(path + ["components", "\(k)", "phonetic"]), .string(text))) }
      }
      if !addPatches(patches, language) { keep(properties[i]) }
      return
    }
    guard card.object(at: path)?["phoneticSystem"] == nil, card.object(at: path)?["phoneticScript"] == nil else {
      return keep(properties[i])
    }
    card.change(path[...]) { object in
      if hasSystem { object["phoneticSystem"] = .string(system[0]) }
      if let script = script.first { object["phoneticScript"] = .string(script) }
      JSContactComponents.set(texts, in: &object)
    }
  }

  /// Adds patches of a language, all or none: none may say what another one says, or lie inside it.
  private mutating func addPatches(_ patches: [(String, JSONTree)], _ language: String) -> Bool {
    let paths = patches.map { JSONPointer.path($0.0) }
    guard paths.allSatisfy({ patched[language, default: JSONPatchPointers()].isFree($0) }) else { return false }
    for path in paths { _ = patched[language, default: JSONPatchPointers()].insert(path) }
    card.change(["localizations", language]) { object in for (pointer, value) in patches { object[pointer] = value } }
    return true
  }

  // MARK: Properties

  private mutating func keep(_ property: PropertyText) { kept.append(property) }

  private func isPlace(_ property: PropertyText) -> Bool {
    property.name == JSContactAddress.location || property.name == JSContactAddress.timeZone
  }

  private mutating func convert(_ i: Int, _ property: PropertyText) {
    if property.name == Self.label, let group = property.group?.lowercased(), labels[group]?.place == i { return }
    if property.name == Self.jsonProperty { return }
    if let text = JSContactText.of(property: property.name) { return set(text, property) }
    if let row = JSContactRow.of(property: property.name) { return convert(i, property, row) }
    for anniversary in JSContactAnniversary.all {
      if property.name == anniversary.date { return set(anniversary, property) }
      if property.name == anniversary.place { return }
    }
    switch property.name {
    case Self.fullName: setFullName(i, property)
    case JSContactName.property: setName(i, property)
    case JSContactAddress.property: addAddress(i, property)
    case Self.member, Self.categories: addKeys(property)
    case Self.related: addRelation(property)
    default: keep(property)
    }
  }

  private static let member = JSContactRow.name("members")
  private static let categories = JSContactRow.name("categories")
  private static let related = JSContactRow.name("related")

  /// Sets a text of the Card. What the text does not tell stands in `vCardProps` as well.
  private mutating func set(_ member: JSContactText, _ property: PropertyText) {
    guard let text = member.text(property.text), !text.isEmpty, let key = member.path.last,
      card.object(at: member.path.dropLast())?[key] == nil || member.path == ["uid"] && card["uid"] == .string("")
        || member.path == ["language"] && card["language"]?.text?.lowercased() == text.lowercased()
    else { return keep(property) }
    card.change(member.path.dropLast()[...]) { $0[key] = .string(text) }
    let hasMore = property.group != nil || property.parameter("prop-id") != nil
    if hasMore || member.property(text)?.saysTheSame(as: property) != true { keep(property) }
  }

  private mutating func setFullName(_ i: Int, _ property: PropertyText) {
    guard card.object(at: ["name"])?["full"] == nil else { return keep(property) }
    paths[i] = ["name"]
    if !isNameDerived, property.parameter("derived")?.first?.lowercased() == "true", property.parameters.count == 1, property.group == nil {
      isNameDerived = true
      // It comes back by itself.
      if let name = properties.enumerated().first(where: { $1.name == JSContactName.property && alternates[$0] == nil })?.element,
        JSContactName.full(JSContactName.object(of: name)) == property.text
      {
        return
      }
    }
    card.change(["name"]) { $0["full"] = .string(property.text) }
    if !property.parameters.isEmpty || property.group != nil || property.type != "text" { keep(property) }
  }

  private mutating func setName(_ i: Int, _ property: PropertyText) {
    guard card.object(at: ["name"])?["components"] == nil else { return keep(property) }
    let object = JSContactName.object(of: withoutLocalGroup(property))
    guard object["components"] != nil else { return keep(property) }
    card.change(["name"]) { name in for (key, value) in object.members { name[key] = value } }
    paths[i] = ["name"]
    var copy = object
    let hasID = property.parameter("prop-id") != nil
    if hasID || JSContactName.properties(of: &copy)?.name.saysTheSame(as: property) != true { keep(property) }
  }

  private mutating func addAddress(_ i: Int, _ property: PropertyText) {
    var property = withoutLocalGroup(property)
    let id = takeID(["addresses"], "ADDR", of: &property)
    guard let object = JSContactAddress.object(of: property) else { return keep(properties[i]) }
    var copy = object
    let back = JSContactAddress.properties(of: &copy)?.address
    let isEmpty = object.members.allSatisfy { $0.key == "vCardParams" || $0.key == "contexts" || $0.key == "pref" }
    let isWhole = back?.saysTheSame(as: property) == true
    // With an identifier that another address has already, the property could not be found by the one it stands under.
    guard !isEmpty, isWhole || property.parameter("prop-id") == nil else { return keep(properties[i]) }
    add(object, ["addresses"], id, i)
    if !isWhole {
      // What the components do not tell stands beside them, under the same identifier.
      var same = property
      same.parameters.append(("prop-id", [id]))
      keep(same)
    }
  }

  /// GEO and TZ belong to the address of their group (RFC 9555 2.8.3), else they are addresses of their own.
  private mutating func convert(place i: Int, _ property: PropertyText) {
    var property = withoutLocalGroup(property)
    guard let object = JSContactAddress.object(of: property) else { return keep(properties[i]) }
    let key = property.name == JSContactAddress.location ? "coordinates" : "timeZone"
    let group = properties[i].group?.lowercased()
    if group != nil || hasPlaceGroups {
      for k in addresses[group ?? ""] ?? [] {
        guard let path = paths[k], card.object(at: path)?[key] == nil else { continue }
        card.change(path[...]) { $0[key] = object[key] }
        return keep(properties[i])
      }
    }
    let id = takeID(["addresses"], "ADDR", of: &property)
    guard let object = JSContactAddress.object(of: property) else { return keep(properties[i]) }
    var copy = object
    guard JSContactAddress.properties(of: &copy)?.address.saysTheSame(as: property) == true else { return keep(properties[i]) }
    add(object, ["addresses"], id, i)
  }

  private mutating func convert(_ i: Int, _ property: PropertyText, _ row: JSContactRow) {
    if property.values.count > 1 {
      // A list: one object for each text; what the line carries goes with each.
      for (k, value) in property.values.enumerated() {
        var one = property
        one.values = [value]
        if k > 0 { _ = one.take("prop-id") }
        convert(i, one, row)
      }
      return
    }
    var plain = withoutLocalGroup(property, hasLabel: row.parts.contains(.label))
    let id = takeID(row.path, row.prefix, of: &plain)
    guard var object = row.object(of: plain) else { return keep(property) }
    var copy = object
    guard let back = row.property(of: &copy), copy.isEmpty, back.saysTheSame(as: plain) else { return keep(property) }
    if row.parts.contains(.label), let group = property.group?.lowercased(), let label = labels[group] {
      let text = Label.plain(appleLabel: label.raw)
      object["label"] = .string(text)
      if text != label.raw {
        var rest = object["vCardParams"]?.members ?? JSONObject()
        rest[Self.label] = .string(label.raw)
        object["vCardParams"] = .object(rest)
      }
      usedLabels.insert(group)
    }
    add(object, row.path, id, i)
  }

  /// A group that serves a label alone says nothing.
  private func withoutLocalGroup(_ property: PropertyText, hasLabel: Bool = false) -> PropertyText {
    guard hasLabel, let group = property.group?.lowercased(), labels[group] != nil, groupCounts[group] == 1 else { return property }
    var property = property
    property.group = nil
    return property
  }

  private mutating func add(_ object: JSONObject, _ path: [String], _ id: String, _ i: Int) {
    card.change(path[...]) { $0[id] = .object(object) }
    paths[i] = path + [id]
  }

  /// The identifier of an object: PROP-ID where it is one and free, else a made one.
  private mutating func takeID(_ path: [String], _ prefix: String, of property: inout PropertyText) -> String {
    let map = card.object(at: path)
    if let id = property.parameter("prop-id")?.first, Self.isID(id), map?[id] == nil {
      _ = property.take("prop-id")
      return id
    }
    // A prefix belongs to one map.
    var number = counters[prefix] ?? 0
    let taken = reserved.isEmpty ? nil : reserved[path.joined(separator: "/")]
    var id = ""
    repeat {
      number += 1
      id = "\(prefix)-\(number)"
    } while map?[id] != nil || taken?.contains(id) == true
    counters[prefix] = number
    return id
  }

  /// Is this an identifier (RFC 9553 1.4.1)?
  static func isID(_ text: String) -> Bool {
    (1...255).contains(text.utf8.count)
      && text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.dash || $0 == UInt8(ascii: "_") }
  }

  private mutating func addKeys(_ property: PropertyText) {
    let member = property.name == Self.member ? "members" : "keywords"
    for value in property.values {
      let text = value.first?.first ?? ""
      if text.isEmpty || property.name == Self.member && property.type != JSContactParameters.impliedType(property.name, text) {
        return keep(property)
      }
    }
    var repeats: [[[String]]] = []
    for value in property.values {
      let text = value.first?.first ?? ""
      if card.object(at: [member])?[text] != nil { repeats.append(value) } else { card.change([member]) { $0[text] = .bool(true) } }
    }
    if !property.parameters.isEmpty || property.group != nil {
      keep(property)
    } else if !repeats.isEmpty {
      var rest = property
      rest.values = repeats
      keep(rest)
    }
  }

  private mutating func addRelation(_ property: PropertyText) {
    let text = property.text
    guard !text.isEmpty, card.object(at: ["relatedTo"])?[text] == nil else { return keep(property) }
    var rest = property
    var relation = JSONObject()
    for type in rest.take("type") ?? [] { relation[type.lowercased()] = .bool(true) }
    var object = JSONObject([("relation", .object(relation))])
    object["vCardParams"] = JSContactParameters.rest(of: rest)
    card.change(["relatedTo"]) { $0[text] = .object(object) }
  }

  private mutating func set(_ anniversary: JSContactAnniversary, _ property: PropertyText) {
    var plain = property
    let id = takeID(["anniversaries"], "ANNIVERSARY", of: &plain)
    let isRepeated = anniversary.place != nil && seenAnniversaries.contains(anniversary.kind)
    guard !isRepeated, var object = anniversary.object(of: plain) else { return keep(property) }
    var copy = object
    guard let back = anniversary.properties(of: &copy)?.date, copy.isEmpty, back.saysTheSame(as: plain) else { return keep(property) }
    seenAnniversaries.insert(anniversary.kind)
    for (i, place) in properties.enumerated() where anniversary.place != nil && place.name == anniversary.place {
      if object["place"] == nil, let address = anniversary.place(of: place) {
        object["place"] = .object(address)
        paths[i] = []
      }
    }
    card.change(["anniversaries"]) { $0[id] = .object(object) }
  }

  /// Titles of a group that has one organization belong to it (RFC 9555 2.9.6). Places without their date are kept.
  private mutating func setOrganizations() {
    let titles = Set([JSContactRow.name("titles"), JSContactRow.name("roles")])
    for (i, property) in properties.enumerated() {
      if JSContactAnniversary.all.contains(where: { $0.place == property.name }), paths[i] == nil { keep(property) }
      guard titles.contains(property.name), let group = property.group?.lowercased(), let path = paths[i] else { continue }
      let owners = organizations[group] ?? []
      if owners.count == 1, let owner = paths[owners[0]], let id = owner.last {
        card.change(path[...]) { $0["organizationId"] = .string(id) }
      }
    }
  }

  /// JSPROP properties are one patch: it is applied as a whole or not at all (RFC 9555 3.2.1).
  private mutating func applyPatches() {
    let all = properties.filter { $0.name == Self.jsonProperty }
    guard !all.isEmpty else { return }
    var tree = JSONTree.object(card)
    var pointers = JSONPatchPointers()
    for property in all {
      guard let pointer = property.parameter("jsptr")?.joined(separator: ","), let value = JSONTree(parsing: property.text),
        property.parameters.count == 1, property.group == nil
      else { return kept += all }
      let path = JSONPointer.path(pointer)
      guard pointers.insert(path), tree.patch(path[...], value) else { return kept += all }
    }
    if let members = tree.members { card = members }
  }
}

extension JSContactText {
  /// The property of a text; nil where it has none.
  func property(_ text: String) -> PropertyText? {
    switch form {
    case .utc:
      guard let basic = UTCDateTime.basic(text) else { return nil }
      return PropertyText(property, nil, basic)
    case .lower:
      let text = property == "gramgender" ? text.uppercased() : text
      return PropertyText(property, "text", text)
    case .text:
      return PropertyText(property, JSContactParameters.impliedType(property, text), text)
    }
  }
}
