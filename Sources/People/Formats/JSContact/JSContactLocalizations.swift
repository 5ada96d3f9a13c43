// Localizations of a Card: patches of one object become a property in another language (RFC 9555 2.3.11).

/// The patches of a Card, by language, and which of them have become properties.
struct JSContactLocalizations {
  private var patches: [(language: String, object: JSONObject)] = []
  private var others = JSONObject()
  private var taken = Set<String>()
  /// The pointers of patches by the object that they are for and the place of their language.
  private var pointers: [String: [Int: [String]]] = [:]

  init() {}

  init(_ card: JSONObject) {
    for (language, value) in card["localizations"]?.members?.members ?? [] {
      guard let object = value.members, !language.isEmpty else {
        others[language] = value
        continue
      }
      for (pointer, _) in object.members {
        if let target = Self.target(of: pointer) {
          pointers[JSONPointer.text(target), default: [:]][patches.count, default: []].append(pointer)
        }
      }
      patches.append((language, object))
    }
  }

  /// The patches that are left, and the languages of which some became properties.
  var rest: (JSONObject, partly: [String]) {
    var rest = others
    for (language, object) in patches where !object.isEmpty || !taken.contains(language) { rest[language] = .object(object) }
    return (rest, patches.map(\.language).filter { taken.contains($0) })
  }

  /// Is there a patch left that counts the components of an object? Then their order must come back.
  func countComponents(of path: [String]) -> Bool {
    guard !pointers.isEmpty else { return false }
    let components = path + ["components"]
    return (pointers[JSONPointer.text(path)] ?? [:]).contains { i, pointers in
      pointers.contains { patches[i].object[$0] != nil && JSONPointer.path($0).starts(with: components) }
    }
  }

  /// An ALTID for each object that is patched: its own, or a number that none has.
  func altIDs(of card: JSONObject) -> [String: String] {
    guard !patches.isEmpty else { return [:] }
    var used = Set<String>()
    func collect(_ object: JSONObject) {
      for (key, value) in object.members {
        if key == "vCardParams", let id = value.members?["altid"]?.text { used.insert(id) }
        if let inner = value.members { collect(inner) }
      }
    }
    collect(card)
    var found: [String: String] = [:]
    var number = 0
    for (_, object) in patches {
      for (pointer, _) in object.members {
        guard let path = Self.target(of: pointer), let object = card.object(at: path) else { continue }
        if path == ["name"], pointer == "name/full" { continue }
        let key = JSONPointer.text(path)
        guard found[key] == nil else { continue }
        if let own = object["vCardParams"]?.members?["altid"]?.text {
          found[key] = own
          continue
        }
        repeat { number += 1 } while used.contains("\(number)")
        found[key] = "\(number)"
      }
    }
    return found
  }

  /// The object that a patch is for: the name, or an entry of a map.
  private static func target(of pointer: String) -> [String]? {
    let path = JSONPointer.path(pointer)
    if path.first == "name" { return ["name"] }
    for map in JSContactRow.maps + [["addresses"]] where path.starts(with: map) && path.count > map.count {
      return Array(path.prefix(map.count + 1))
    }
    return nil
  }

  /// Takes the full names out that are not that of the Card.
  mutating func takeFullNames(unlike main: String?) -> [(language: String, full: String)] {
    guard let main else { return [] }
    var found: [(String, String)] = []
    for i in patches.indices {
      let (language, _) = patches[i]
      if let full = patches[i].object["name/full"]?.text, full != main {
        patches[i].object["name/full"] = nil
        taken.insert(language)
        found.append((language, full))
      }
    }
    return found
  }

  /// Takes the patches of one object out, and gives the properties that they make of it, and whether they stand in the group
  /// that is made for it: one for its label, or for what belongs to an organization.
  mutating func take(_ path: [String], from card: JSONObject) -> [(language: String, property: PropertyText, sharesGroup: Bool)] {
    guard !pointers.isEmpty, let places = pointers[JSONPointer.text(path)], let main = card.object(at: path) else { return [] }
    var found: [(String, PropertyText, Bool)] = []
    for i in places.keys.sorted() {
      let language = patches[i].language
      let own = (places[i] ?? []).filter { $0 != "name/full" }.compactMap { pointer in
        patches[i].object[pointer].map { (key: pointer, value: $0) }
      }
      guard !own.isEmpty else { continue }
      var patched = JSONTree.object(JSContactParameters.withoutLanguage(main))
      var isRight = true
      for (pointer, value) in own {
        let inner = JSONPointer.path(pointer).dropFirst(path.count)
        if inner.isEmpty {
          if value.members != nil, own.count == 1 { patched = value } else { isRight = false }
        } else if !patched.patch(inner, value) {
          isRight = false
        }
      }
      guard isRight, let object = patched.members,
        let property = Self.property(path, JSContactParameters.withoutLanguage(main), object, language)
      else { continue }
      for (pointer, _) in own { patches[i].object[pointer] = nil }
      taken.insert(language)
      let isMade = main["vCardParams"]?.members?["group"] == nil
      found.append((language, property, isMade && object["label"] == main["label"]))
    }
    return found
  }

  /// The property of a patched object; nil where one cannot say all that the patches say.
  private static func property(_ path: [String], _ main: JSONObject, _ object: JSONObject, _ language: String) -> PropertyText? {
    var copy = object
    var property: PropertyText?
    if path == ["name"] || path.first == "addresses" {
      let spoken = ["phoneticSystem", "phoneticScript"]
      func plain(_ object: JSONObject) -> JSONObject {
        var object = object
        for key in spoken { object[key] = nil }
        guard let elements = object["components"]?.elements else { return object }
        object["components"] = .array(
          elements.map { element in
            guard var members = element.members else { return element }
            members["phonetic"] = nil
            return .object(members)
          })
        return object
      }
      let isSpokenOnly = plain(main) == plain(object)
      if path == ["name"] {
        copy["full"] = nil
        guard let (name, phonetic) = JSContactName.properties(of: &copy) else { return nil }
        property = isSpokenOnly ? phonetic : phonetic == nil || plain(object) == object ? name : nil
      } else {
        guard let (address, phonetic) = JSContactAddress.properties(of: &copy), address.name == JSContactAddress.property else {
          return nil
        }
        property = isSpokenOnly ? phonetic : phonetic == nil ? address : nil
      }
    } else if let row = JSContactRow.of(object, in: Array(path.dropLast())) {
      copy["label"] = nil
      guard object["label"] == nil || object["label"] == main["label"] else { return nil }
      property = row.property(of: &copy)
      _ = property?.take(JSContactWriter.label)
    }
    guard copy.isEmpty, var property else { return nil }
    _ = property.take("language")
    property.parameters.append(("language", [language]))
    return property
  }
}
