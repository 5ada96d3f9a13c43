// A property of vCard as an object of JSContact, both ways: all that follow the table.

extension JSContactRow {
  // MARK: From vCard

  /// The object of a property, without its label; nil where it has none.
  func object(of property: PropertyText) -> JSONObject? {
    var property = property
    var object = JSONObject()
    let text = property.text
    if parts.contains(.units) {
      setUnits(&object, &property)
    } else {
      guard property.values.count == 1, property.values[0].count == 1, property.values[0][0].count == 1 else { return nil }
      if parts.contains(.service), !parts.contains(.uri), text.uriScheme == nil {
        object["user"] = .string(text)
      } else {
        guard !parts.contains(.uri) || text.uriScheme != nil else { return nil }
        object[value] = .string(text)
      }
    }
    if let kind { object["kind"] = .string(kind) }
    if parts.contains(.service) {
      if let service = takeText("service-type", of: &property) { object["service"] = service }
      if object["user"] == nil, let user = takeText("username", of: &property) { object["user"] = user }
      if parts.contains(.uri) { object["vCardName"] = .string(self.property) }
    }
    if parts.contains(.author) { setAuthor(&object, &property) }
    if parts.contains(.contexts) { object["contexts"] = JSContactParameters.takeSet(Self.contextWords, of: &property) }
    if parts.contains(.features) { object["features"] = JSContactParameters.takeSet(Self.featureWords, of: &property) }
    if parts.contains(.pref) { object["pref"] = JSContactParameters.takeNumber("pref", of: &property, upTo: 100) }
    if parts.contains(.mediaType) { object["mediaType"] = takeText("mediatype", of: &property) }
    if parts.contains(.listAs) { object["listAs"] = JSContactParameters.takeNumber("index", of: &property, upTo: .max) }
    if parts.contains(.level), let level = property.parameter("level"), level.count == 1 {
      let word = Self.levels.first { kind == "expertise" && $0.level == level[0].lowercased() }?.word ?? level[0].lowercased()
      if Self.levels.contains(where: { $0.word == word }) {
        object["level"] = .string(word)
        _ = property.take("level")
      }
    }
    if object["user"] != nil, object[value] == nil, property.type == "text" {
      property.type = JSContactParameters.impliedType(self.property, text)
    }
    object["vCardParams"] = JSContactParameters.rest(of: property)
    return object
  }

  private static var contextWords: [(type: String, key: String)] { contexts.map { ($0.type, $0.context) } }
  private static var featureWords: [(type: String, key: String)] { features.map { ($0.type, $0.feature) } }

  private func takeText(_ name: String, of property: inout PropertyText) -> JSONTree? {
    guard let values = property.parameter(name), values.count == 1 else { return nil }
    _ = property.take(name)
    return .string(values[0])
  }

  private func setUnits(_ object: inout JSONObject, _ property: inout PropertyText) {
    let texts = (property.values.first ?? []).map { $0.first ?? "" }
    var sortAs = property.parameter("sort-as") ?? []
    if sortAs.count > texts.count { sortAs = [] } else { _ = property.take("sort-as") }
    if let name = texts.first, !name.isEmpty || texts.count < 2 { object["name"] = .string(name) }
    var units: [JSONTree] = []
    for (i, text) in texts.enumerated().dropFirst() {
      var unit = JSONObject([("name", .string(text))])
      if i < sortAs.count, !sortAs[i].isEmpty { unit["sortAs"] = .string(sortAs[i]) }
      units.append(.object(unit))
    }
    if !units.isEmpty { object["units"] = .array(units) }
    if let first = sortAs.first, !first.isEmpty { object["sortAs"] = .string(first) }
  }

  private func setAuthor(_ object: inout JSONObject, _ property: inout PropertyText) {
    if let created = property.parameter("created"), created.count == 1, let utc = UTCDateTime.text(PartialDate(created[0])) {
      object["created"] = .string(utc)
      _ = property.take("created")
    }
    var author = JSONObject()
    author["name"] = takeText("author-name", of: &property)
    author["uri"] = takeText("author", of: &property)
    if !author.isEmpty { object["author"] = .object(author) }
  }

  // MARK: To vCard

  /// The property of an object, which loses all that the property says; nil, with nothing lost, where it has no value. The label stays.
  func property(of object: inout JSONObject) -> PropertyText? {
    var property = PropertyText()
    property.name = self.property
    if parts.contains(.units) {
      guard takeUnits(&object, &property) else { return nil }
    } else if let text = object[value]?.text, !parts.contains(.uri) || text.uriScheme != nil {
      object[value] = nil
      property.values = [[[text]]]
    } else if parts.contains(.service), !parts.contains(.uri), object[value] == nil, let user = object.takeText("user") {
      property.values = [[[user]]]
    } else {
      return nil
    }
    property.type = JSContactParameters.impliedType(property.name, property.text)
    if object["@type"]?.text == type { object["@type"] = nil }
    if object["kind"]?.text == kind { object["kind"] = nil }
    if object["vCardName"]?.text?.lowercased() == self.property { object["vCardName"] = nil }
    var types: [String] = []
    if parts.contains(.contexts) { types += JSContactParameters.takeTypes(Self.contextWords, "contexts", of: &object) }
    if parts.contains(.features) { types += JSContactParameters.takeTypes(Self.featureWords, "features", of: &object) }
    if !types.isEmpty { property.parameters.append(("type", types)) }
    if parts.contains(.pref) { JSContactParameters.takeNumber("pref", of: &object, as: "pref", upTo: 100, to: &property) }
    if parts.contains(.mediaType) { add(object.takeText("mediaType"), "mediatype", to: &property) }
    if parts.contains(.listAs) { JSContactParameters.takeNumber("listAs", of: &object, as: "index", upTo: .max, to: &property) }
    if parts.contains(.level), let word = object["level"]?.text, let level = Self.levels.first(where: { $0.word == word }) {
      object["level"] = nil
      add(kind == "expertise" ? level.level : word, "level", to: &property)
    }
    if parts.contains(.service) {
      add(object.takeText("service"), "service-type", to: &property)
      add(object.takeText("user"), "username", to: &property)
    }
    if parts.contains(.author) { takeAuthor(&object, &property) }
    JSContactParameters.takeRest(of: &object, to: &property)
    return property
  }

  private func add(_ text: String?, _ name: String, to property: inout PropertyText) {
    if let text { property.parameters.append((name, [text])) }
  }

  private func takeUnits(_ object: inout JSONObject, _ property: inout PropertyText) -> Bool {
    var components = [object["name"]?.text ?? ""]
    var sortAs = [object["sortAs"]?.text ?? ""]
    var hasAll = true
    if let units = object["units"]?.elements {
      for unit in units {
        guard var members = unit.members, let name = members.takeText("name") else {
          hasAll = false
          continue
        }
        components.append(name)
        sortAs.append(members.takeText("sortAs") ?? "")
        if members["@type"]?.text == "OrgUnit" { members["@type"] = nil }
        if !members.isEmpty { hasAll = false }
      }
      if hasAll { object["units"] = nil }
    }
    guard components.contains(where: { !$0.isEmpty }) || object["name"]?.text != nil else { return false }
    if object["name"]?.text != nil { object["name"] = nil }
    if object["sortAs"]?.text != nil { object["sortAs"] = nil }
    while sortAs.last?.isEmpty == true { sortAs.removeLast() }
    if !sortAs.isEmpty { property.parameters.append(("sort-as", sortAs)) }
    property.values = [components.map { [$0] }]
    return true
  }

  private func takeAuthor(_ object: inout JSONObject, _ property: inout PropertyText) {
    if let created = object["created"]?.text, let date = UTCDateTime.basic(created) {
      object["created"] = nil
      add(date, "created", to: &property)
    }
    guard var author = object["author"]?.members else { return }
    add(author.takeText("name"), "author-name", to: &property)
    add(author.takeText("uri"), "author", to: &property)
    if author["@type"]?.text == "Author" { author["@type"] = nil }
    object["author"] = author.isEmpty ? nil : .object(author)
  }
}

extension UTCDateTime {
  /// vCard's form of a point in time; nil where the text is none, or where vCard cannot hold it to the letter.
  static func basic(_ text: String) -> String? {
    let date = PartialDate(text)
    guard self.text(date) == text else { return nil }
    return date.basic
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
