// Names: N and its phonetic companion as JSContact's name, both ways (RFC 9555 2.5.5, 2.3.15).

/// What N and ADR have in common in JSContact: components, their order, how they are spoken.
enum JSContactComponents {
  /// Sets the components of a value and says whether they are ordered.
  static func set(_ list: JSComponents.List, in object: inout JSONObject) {
    if !list.parts.isEmpty {
      object["components"] = .array(
        list.parts.map { .object(JSONObject([("kind", .string($0.kind)), ("value", .string($0.value))])) })
    }
    if list.isOrdered { object["isOrdered"] = .bool(true) }
    if let separator = list.defaultSeparator { object["defaultSeparator"] = .string(separator) }
  }

  /// Takes the components out of an object, and the phonetic texts beside them. Components of which not all is understood stay.
  static func take(_ type: String, of object: inout JSONObject) -> (list: JSComponents.List, phonetic: [String?], isWhole: Bool) {
    var list = JSComponents.List()
    var phonetic: [String?] = []
    var isWhole = true
    for element in object["components"]?.elements ?? [] {
      guard var members = element.members, let kind = members.takeText("kind"), let value = members.takeText("value") else {
        isWhole = false
        continue
      }
      list.parts.append(JSComponents.Part(kind: kind, value: value))
      phonetic.append(members.takeText("phonetic"))
      if members["@type"]?.text == type { members["@type"] = nil }
      if !members.isEmpty { isWhole = false }
    }
    if object["components"] != nil, object["components"]?.elements == nil { isWhole = false }
    if case .bool(let isOrdered)? = object["isOrdered"] {
      list.isOrdered = isOrdered && !list.parts.isEmpty
      if !list.parts.isEmpty || !isOrdered { object["isOrdered"] = nil }
    }
    if list.isOrdered { list.defaultSeparator = object.takeText("defaultSeparator") }
    if isWhole { object["components"] = nil }
    return (list, phonetic, isWhole)
  }

  /// The phonetic texts of the parts of a list, from the property that says how another one is spoken. Nil where it says more.
  static func phonetic(_ property: PropertyText, of list: JSComponents.List) -> [String?]? {
    let values = property.values.first ?? []
    var used = 0
    let texts = list.parts.map { part -> String? in
      guard let place = part.place, place.component < values.count, place.text < values[place.component].count else { return nil }
      let text = values[place.component][place.text]
      guard !text.isEmpty else { return nil }
      used += 1
      return text
    }
    return used > 0 && used == values.joined().count { !$0.isEmpty } ? texts : nil
  }

  /// The structured value that holds the phonetic texts of the parts of a list.
  static func values(_ phonetic: [String?], of list: JSComponents.List, like values: [[String]]) -> [[String]] {
    var result = values.map { $0.map { _ in "" } }
    for (part, text) in zip(list.parts, phonetic) {
      if let place = part.place, let text { result[place.component][place.text] = text }
    }
    return result
  }

  /// Sets the phonetic texts of an object's components.
  static func set(_ phonetic: [String?], in object: inout JSONObject) {
    guard let elements = object["components"]?.elements else { return }
    object["components"] = .array(
      zip(elements, phonetic).map { element, text in
        guard var members = element.members, let text else { return element }
        members["phonetic"] = .string(text)
        return .object(members)
      })
  }
}

/// Name objects.
enum JSContactName {
  static let property = JSContactRow.name("name")
  private static let sortKinds = ["surname", "given", "given2", "title", "credential", "surname2", "generation"]

  /// The list of components of an N.
  static func list(_ property: PropertyText) -> JSComponents.List {
    JSComponents.name.list(property.values.first ?? [], order: property.parameter("jscomps")?.joined(separator: ","))
  }

  /// The members of a name that an N says.
  static func object(of property: PropertyText) -> JSONObject {
    var property = property
    var object = JSONObject()
    let list = list(property)
    JSContactComponents.set(list, in: &object)
    if list.isOrdered { _ = property.take("jscomps") }
    if let sortAs = property.parameter("sort-as"), sortAs.count <= sortKinds.count,
      zip(sortAs, sortKinds).allSatisfy({ text, kind in text.isEmpty || list.parts.contains { $0.kind == kind } })
    {
      let pairs = zip(sortKinds, sortAs).filter { !$0.1.isEmpty }.map { ($0.0, JSONTree.string($0.1)) }
      if !pairs.isEmpty, sortAs.last?.isEmpty == false {
        object["sortAs"] = .object(JSONObject(pairs))
        _ = property.take("sort-as")
      }
    }
    object["vCardParams"] = JSContactParameters.rest(of: property)
    return object
  }

  /// Takes the N out of a name, and the one that says how it is spoken; nil where there are no components.
  static func properties(of object: inout JSONObject) -> (name: PropertyText, phonetic: PropertyText?)? {
    let before = object
    var (list, phonetic, _) = JSContactComponents.take("NameComponent", of: &object)
    guard !list.parts.isEmpty, let (values, order) = JSComponents.name.values(&list) else {
      object = before
      return nil
    }
    var property = PropertyText(Self.property, components: values)
    if let order { property.parameters.append(("jscomps", [order])) }
    if var sortAs = object["sortAs"]?.members {
      var texts = sortKinds.map { sortAs.takeText($0) ?? "" }
      while texts.last?.isEmpty == true { texts.removeLast() }
      if !texts.isEmpty { property.parameters.append(("sort-as", texts)) }
      object["sortAs"] = sortAs.isEmpty ? nil : .object(sortAs)
    }
    if object["@type"]?.text == "Name" { object["@type"] = nil }
    JSContactParameters.takeRest(of: &object, to: &property)
    return (property, Self.phonetic(phonetic, list, values, property, &object))
  }

  /// The property that says how another one is spoken; nil where nothing does.
  static func phonetic(
    _ phonetic: [String?], _ list: JSComponents.List, _ values: [[String]], _ main: PropertyText, _ object: inout JSONObject
  ) -> PropertyText? {
    guard phonetic.contains(where: { $0 != nil }) else { return nil }
    var property = PropertyText(main.name, components: JSContactComponents.values(phonetic, of: list, like: values))
    if let order = main.parameter("jscomps") { property.parameters.append(("jscomps", order)) }
    let system = object.takeText("phoneticSystem")
    let script = object.takeText("phoneticScript")
    property.parameters.append(("phonetic", [system ?? "script"]))
    if let script { property.parameters.append(("script", [script])) }
    return property
  }

  /// The full name that the components of a name make; nil where there are none.
  static func full(_ object: JSONObject) -> String? {
    var object = object
    let (list, _, _) = JSContactComponents.take("NameComponent", of: &object)
    var parts = list.parts
    if !list.isOrdered {
      let order = ["title", "given", "given2", "surname", "surname2", "generation", "credential"]
      parts = order.flatMap { kind in parts.filter { $0.kind == kind } }
    }
    var text = ""
    var separator: String?
    for part in parts {
      if part.kind == "separator" {
        separator = (separator ?? "") + part.value
      } else if !part.value.isEmpty {
        if !text.isEmpty { text += separator ?? list.defaultSeparator ?? " " }
        text += part.value
        separator = nil
      }
    }
    return text.isEmpty ? nil : text
  }
}

/// Address objects.
enum JSContactAddress {
  static let property = JSContactRow.name("addresses")
  static let location = JSContactRow.name("location")
  static let timeZone = JSContactRow.name("timeZone")
  private static let words: [(type: String, key: String)] = JSContactRow.addressContexts.map { ($0.type, $0.context) }
  private static let texts = [("label", "full"), ("cc", "countryCode"), ("geo", "coordinates"), ("tz", "timeZone")]

  static func list(_ property: PropertyText) -> JSComponents.List {
    JSComponents.address.list(property.values.first ?? [], order: property.parameter("jscomps")?.joined(separator: ","))
  }

  /// The object of an ADR, a GEO or a TZ; nil where it has none.
  static func object(of property: PropertyText) -> JSONObject? {
    var property = property
    var object = JSONObject()
    switch property.name {
    case location:
      guard property.type == "uri", property.text.lowercased().hasPrefix("geo:") else { return nil }
      object["coordinates"] = .string(property.text)
    case timeZone:
      guard let zone = zone(property), !zone.isEmpty else { return nil }
      object["timeZone"] = .string(zone)
    default:
      let list = list(property)
      JSContactComponents.set(list, in: &object)
      if list.isOrdered { _ = property.take("jscomps") }
      for (name, member) in texts {
        if let values = property.parameter(name), values.count == 1 {
          object[member] = .string(values[0])
          _ = property.take(name)
        }
      }
    }
    object["contexts"] = JSContactParameters.takeSet(words, of: &property)
    object["pref"] = JSContactParameters.takeNumber("pref", of: &property, upTo: 100)
    object["vCardParams"] = JSContactParameters.rest(of: property)
    return object
  }

  /// The zone of a TZ; nil for what is no name of a zone (RFC 9555 2.8.2).
  private static func zone(_ property: PropertyText) -> String? {
    if property.type == "text" { return property.text }
    let text = property.text
    let digits = text.dropFirst()
    guard property.type == "utc-offset", digits.count == 2 || digits.count == 4 && digits.hasSuffix("00"),
      let hours = Int(digits.prefix(2)),
      text.hasPrefix("-") ? hours <= 12 : text.hasPrefix("+") && hours <= 14
    else { return nil }
    return hours == 0 ? "Etc/UTC" : "Etc/GMT" + (text.hasPrefix("-") ? "+" : "-") + "\(hours)"
  }

  private static func offset(_ zone: String) -> String? {
    if zone == "Etc/UTC" { return "+0000" }
    guard zone.hasPrefix("Etc/GMT"), let hours = Int(zone.dropFirst(8)), hours <= 14 else { return nil }
    return (zone.dropFirst(7).hasPrefix("+") ? "-" : "+") + (hours < 10 ? "0" : "") + "\(hours)00"
  }

  /// Takes the property out of an address, and the one that says how it is spoken. An address that only tells coordinates, or only a
  /// zone, is a GEO or a TZ. Nil where vCard has nothing for it.
  static func properties(of object: inout JSONObject) -> (address: PropertyText, phonetic: PropertyText?)? {
    let before = object
    var (list, phonetic, _) = JSContactComponents.take("AddressComponent", of: &object)
    guard let (values, order) = JSComponents.address.values(&list) else {
      object = before
      return nil
    }
    let found = texts.filter { object[$0.1]?.text != nil }.map(\.1)
    guard !list.parts.isEmpty || !found.isEmpty else { return nil }
    var property = PropertyText(Self.property, components: values)
    if list.parts.isEmpty, found == ["coordinates"], let text = object["coordinates"]?.text, text.lowercased().hasPrefix("geo:") {
      property = PropertyText(location, "uri", text)
      object["coordinates"] = nil
    } else if list.parts.isEmpty, found == ["timeZone"], let text = object.takeText("timeZone") {
      property = PropertyText(timeZone, "text", text)
      if object["vCardParams"]?.members?["value"]?.text == "utc-offset" {
        if let offset = offset(text) { property.values = [[[offset]]] }
      }
    } else {
      for (name, member) in texts { if let text = object.takeText(member) { property.parameters.append((name, [text])) } }
      if let order { property.parameters.append(("jscomps", [order])) }
    }
    if object["@type"]?.text == "Address" { object["@type"] = nil }
    let types = JSContactParameters.takeTypes(words, "contexts", of: &object)
    if !types.isEmpty { property.parameters.append(("type", types)) }
    JSContactParameters.takeNumber("pref", of: &object, as: "pref", upTo: 100, to: &property)
    JSContactParameters.takeRest(of: &object, to: &property)
    return (property, JSContactName.phonetic(phonetic, list, values, property, &object))
  }
}
