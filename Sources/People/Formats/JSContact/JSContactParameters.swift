// Parameters of a property as members of a JSContact object: contexts, features, preference, and vCardParams for all that are left.

/// The parameters that both directions treat alike.
enum JSContactParameters {
  /// The type that a property's value has where nothing is said: told by the value where a URI or a text may stand.
  static func impliedType(_ name: String, _ text: String) -> String {
    let type = PropertyShape.of(name)?.type ?? "unknown"
    if type == "uri" { return text.uriScheme == nil ? "text" : "uri" }
    return name == JSContactRow.name("phones") && text.uriScheme != nil ? "uri" : type
  }

  // MARK: TYPE

  /// Takes the TYPE words out that are keys of a set, and makes the set.
  static func takeSet(_ words: [(type: String, key: String)], of property: inout PropertyText) -> JSONTree? {
    guard let types = property.parameter("type") else { return nil }
    var set = JSONObject()
    var rest: [String] = []
    for type in types {
      if let word = words.first(where: { $0.type == type.lowercased() }), set[word.key] == nil {
        set[word.key] = .bool(true)
      } else {
        rest.append(type)
      }
    }
    guard !set.isEmpty else { return nil }
    if let place = property.parameters.firstIndex(where: { $0.name == "type" }) {
      if rest.isEmpty { property.parameters.remove(at: place) } else { property.parameters[place].values = rest }
    }
    return .object(set)
  }

  /// Takes the keys of a set out of an object that are TYPE words, and gives the words.
  static func takeTypes(_ words: [(type: String, key: String)], _ member: String, of object: inout JSONObject) -> [String] {
    guard var set = object[member]?.members, !set.isEmpty else { return [] }
    var types: [String] = []
    for (key, value) in set.members where value == .bool(true) {
      if let word = words.first(where: { $0.key == key }) {
        types.append(word.type)
        set[key] = nil
      }
    }
    object[member] = set.isEmpty ? nil : .object(set)
    return types
  }

  // MARK: PREF

  /// Takes a parameter out that is a number from 1 on.
  static func takeNumber(_ name: String, of property: inout PropertyText, upTo limit: Int) -> JSONTree? {
    guard let values = property.parameter(name), values.count == 1, let number = Int(values[0]), (1...limit).contains(number),
      "\(number)" == values[0]
    else { return nil }
    _ = property.take(name)
    return .number(values[0])
  }

  /// Takes a number out of an object and adds it as a parameter.
  static func takeNumber(_ member: String, of object: inout JSONObject, as name: String, upTo limit: Int, to property: inout PropertyText) {
    guard let number = object[member]?.count, (1...limit).contains(number) else { return }
    object[member] = nil
    property.parameters.append((name, ["\(number)"]))
  }

  // MARK: vCardParams

  /// All parameters that are left, the group and an unusual type as vCardParams; nil where there is nothing.
  static func rest(of property: PropertyText) -> JSONTree? {
    var object = JSONObject()
    if let group = property.group { object["group"] = .string(group) }
    for (name, values) in property.parameters {
      object[name] = values.count == 1 ? .string(values[0]) : .array(values.map { .string($0) })
    }
    if property.type != impliedType(property.name, property.text) { object["value"] = .string(property.type) }
    return object.isEmpty ? nil : .object(object)
  }

  /// An object without the LANGUAGE of its property.
  static func withoutLanguage(_ object: JSONObject) -> JSONObject {
    guard var rest = object["vCardParams"]?.members, rest["language"] != nil else { return object }
    rest["language"] = nil
    var object = object
    object["vCardParams"] = rest.isEmpty ? nil : .object(rest)
    return object
  }

  /// Takes vCardParams out of an object and adds them to a property. What is no text stays.
  static func takeRest(of object: inout JSONObject, to property: inout PropertyText) {
    guard var rest = object["vCardParams"]?.members, !rest.isEmpty else { return }
    for (name, value) in rest.members {
      let values: [String]
      switch value {
      case .string(let text): values = [text]
      case .array(let elements):
        values = elements.compactMap(\.text)
        guard values.count == elements.count else { continue }
      default: continue
      }
      rest[name] = nil
      let key = name.lowercased()
      switch key {
      case "group": property.group = values.first
      case "value": property.type = values.first?.lowercased() ?? property.type
      default:
        property.parameters.append((key, values))
      }
    }
    property.mergeParameters()
    object["vCardParams"] = rest.isEmpty ? nil : .object(rest)
  }
}

extension PropertyText {
  /// Do two properties say the same, whatever the order of their parameters? Group and PROP-ID do not count.
  func saysTheSame(as other: PropertyText) -> Bool {
    guard name == other.name, type == other.type, values.count == other.values.count else { return false }
    for (own, value) in zip(values, other.values) where own != value {
      // Empty components at the end say nothing.
      func meant(_ value: [[String]]) -> ArraySlice<[String]> {
        let end = value.lastIndex { !$0.allSatisfy(\.isEmpty) } ?? 0
        return value.prefix(end + 1)
      }
      if meant(own) != meant(value) { return false }
    }
    func count(_ property: PropertyText) -> Int { property.parameters.count { $0.name != "prop-id" } }
    guard count(self) == count(other) else { return false }
    return parameters.allSatisfy { name, values in
      if name == "prop-id" { return true }
      guard let others = other.parameter(name) else { return false }
      if values == others { return true }
      return name == "type" && values.map { $0.lowercased() }.sorted() == others.map { $0.lowercased() }.sorted()
    }
  }
}
