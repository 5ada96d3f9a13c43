// Values in other languages, and how values are spoken: localizations of a Card (RFC 9555 2.3.11, 2.3.15).

internal import CardSyntax

/// Which properties of a card say the same as others.
struct JSContactAlternates {
  /// Properties that say the same as another one in another language, or how it is spoken, by their places.
  private(set) var mains: [Int: Int] = [:]
  /// The language of the card where the full name alone tells it, in its usual spelling.
  private(set) var language: String?

  private static let fullName = JSContactRow.name("fullName")

  init(_ properties: [PropertyText]) {
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
        self.language = language
      }
      for i in places where i != first && (language(i) != nil || properties[i].parameter("phonetic") != nil) { mains[i] = first }
    }
  }

  /// A language tag in its usual letter case (RFC 5646 2.1.1).
  static func canonical(language tag: String) -> String {
    tag.split(separator: "-", omittingEmptySubsequences: false).enumerated().map { i, part in
      i > 0 && part.count == 2 ? part.uppercased() : i > 0 && part.count == 4 ? part.lowercased().capitalizedFirst : part.lowercased()
    }.joined(separator: "-")
  }
}

/// Adds what properties say in other languages to a Card, as patches of these languages.
struct JSContactLocalizer {
  /// What the localizations of each language patch.
  private var patched: [String: JSONPatchPointers] = [:]

  /// Adds what differs from the main property as patches of its language.
  mutating func localize(_ i: Int, _ main: Int, in card: inout JSONObject, _ writer: inout JSContactWriter) {
    let (original, mainProperty) = (writer.property(i), writer.property(main))
    var property = original
    let language = property.take("language")?.first
    guard let path = writer.path(of: main), let mainObject = card.object(at: path), language != "" else { return writer.keep(i) }
    let object = JSContactParameters.withoutLanguage(mainObject)
    if property.parameter("phonetic") != nil {
      if !speak(property, language, path, of: mainProperty, in: &card) { writer.keep(i) }
      return
    }
    guard let language else { return writer.keep(i) }
    if let id = property.parameter("prop-id")?.first, id == mainProperty.parameter("prop-id")?.first { _ = property.take("prop-id") }
    let isFull = property.name == JSContactRow.name("fullName")
    let isName = property.name == JSContactName.property
    if isFull, let altID = property.parameter("altid"), altID == mainProperty.parameter("altid") ?? [] {
      // The one parameter that a full name can keep is the ALTID of the other.
      _ = property.take("altid")
    }
    let (other, back) = Self.object(of: property)
    guard let other, back?.saysTheSame(as: property) == true else { return writer.keep(i) }
    var patches: [(String, JSONTree)] = []
    for (key, value) in other.members where object[key] != value { patches.append((JSONPointer.text(path + [key]), value)) }
    // The label of a group is that of all lines in it, and of no other.
    let sharesLabel = original.group?.lowercased() == mainProperty.group?.lowercased()
    for (key, _) in object.members
    where other[key] == nil && !(sharesLabel && key == "label") && !isFull && !(isName && key == "full") {
      patches.append((JSONPointer.text(path + [key]), .null))
    }
    guard !patches.isEmpty else {
      // A full name of the same text takes the place of the member when it is read; so the first one has to stand there, too.
      let isSame = isFull && mainObject["full"]?.text == property.text
      if isSame, !writer.keptNames.contains(where: { writer.property($0).text == property.text }) { writer.keep(main) }
      return writer.keep(i)
    }
    if !add(patches, language, to: &card) { writer.keep(i) }
  }

  /// The object of a property, and the property of that object.
  private static func object(of property: PropertyText) -> (JSONObject?, back: PropertyText?) {
    switch property.name {
    case JSContactRow.name("fullName"):
      let saysMore = !property.parameters.isEmpty || property.group != nil
      return (saysMore ? nil : JSONObject([("full", .string(property.text))]), property)
    case JSContactName.property:
      let object = JSContactName.object(of: property)
      var copy = object
      return (object, JSContactName.properties(of: &copy)?.name)
    case JSContactAddress.property:
      let object = JSContactAddress.object(of: property)
      var copy = object ?? JSONObject()
      return (object, JSContactAddress.properties(of: &copy)?.address)
    default:
      guard let row = JSContactRow.of(property: property.name) else { return (nil, nil) }
      let object = row.object(of: property)
      var copy = object ?? JSONObject()
      return (object, row.property(of: &copy))
    }
  }

  /// Adds how a name or address is spoken: to it, or as patches where that is another language. False where it cannot be said.
  private mutating func speak(
    _ property: PropertyText, _ language: String?, _ path: [String], of main: PropertyText, in card: inout JSONObject
  ) -> Bool {
    var property = property
    let isName = property.name == JSContactName.property
    let list = isName ? JSContactName.list(main) : JSContactAddress.list(main)
    let system = property.take("phonetic") ?? []
    let script = property.take("script") ?? []
    let order = property.take("jscomps")
    _ = property.parameter("altid") == main.parameter("altid") ? property.take("altid") : nil
    guard let texts = JSContactComponents.phonetic(property, of: list), property.parameters.isEmpty, property.group == nil,
      system.count == 1, script.count < 2, order == nil || order == main.parameter("jscomps"),
      system[0].lowercased() != "script" || !script.isEmpty, !list.parts.isEmpty
    else { return false }
    let hasSystem = system[0].lowercased() != "script"
    if let language {
      var patches: [(String, JSONTree)] = []
      if hasSystem { patches.append((JSONPointer.text(path + ["phoneticSystem"]), .string(system[0]))) }
      if let script = script.first { patches.append((JSONPointer.text(path + ["phoneticScript"]), .string(script))) }
      for (k, text) in texts.enumerated() {
        if let text { patches.append((JSONPointer.text(path + ["components", "\(k)", "phonetic"]), .string(text))) }
      }
      return add(patches, language, to: &card)
    }
    guard card.object(at: path)?["phoneticSystem"] == nil, card.object(at: path)?["phoneticScript"] == nil else { return false }
    card.change(path[...]) { object in
      if hasSystem { object["phoneticSystem"] = .string(system[0]) }
      if let script = script.first { object["phoneticScript"] = .string(script) }
      JSContactComponents.set(texts, in: &object)
    }
    return true
  }

  /// Adds patches of a language, all or none: none may say what another one says, or lie inside it.
  private mutating func add(_ patches: [(String, JSONTree)], _ language: String, to card: inout JSONObject) -> Bool {
    let paths = patches.map { JSONPointer.path($0.0) }
    guard paths.allSatisfy({ patched[language, default: JSONPatchPointers()].isFree($0) }) else { return false }
    for path in paths { _ = patched[language, default: JSONPatchPointers()].insert(path) }
    card.change(["localizations", language]) { object in for (pointer, value) in patches { object[pointer] = value } }
    return true
  }
}
