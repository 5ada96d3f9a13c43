// Components of names and addresses between vCard's places and JSContact's kinds, and JSCOMPS, which keeps their order (RFC 9555 3.3.1).

/// The components of N or ADR.
struct JSComponents: Sendable {
  /// The kind of each place of the structured value.
  let kinds: [String]
  /// The places in the order in which an unordered value is read.
  let reading: [Int]
  /// The places that say again what others say: of the place, and of those.
  private let repeats: [(place: Int, of: [Int])]
  /// How many places a value has that uses nothing of RFC 9554.
  let shortCount: Int

  /// N (RFC 9554 2.2): surnames and suffixes say again what the later components say.
  static let name = JSComponents(
    kinds: ["surname", "given", "given2", "title", "credential", "surname2", "generation"], reading: Array(0...6),
    repeats: [(0, [5]), (4, [6])], shortCount: 5)

  /// ADR (RFC 9554 2.1): the extended address and the street are made of the later components.
  static let address = JSComponents(
    kinds: [
      "postOfficeBox", "apartment", "name", "locality", "region", "postcode", "country", "room", "apartment", "floor", "number", "name",
      "building", "block", "subdistrict", "district", "landmark", "direction",
    ], reading: [0, 1, 7, 9, 8, 12, 2, 10, 11, 13, 17, 16, 14, 15, 3, 4, 5, 6], repeats: [(1, extended), (2, street)], shortCount: 7)
  private static let extended = [7, 9, 8, 12]
  private static let street = [10, 11, 13, 17, 16, 14, 15]

  private var isAddress: Bool { shortCount == 7 }

  /// A component of a JSContact value, and its place in the vCard value.
  struct Part: Sendable {
    var kind: String
    var value: String
    var place: Position?
  }

  /// A place in a structured value: which component, and which of its texts.
  struct Position: Sendable, Hashable {
    var component: Int
    var text: Int
  }

  /// A list of components.
  struct List: Sendable {
    var parts: [Part] = []
    var isOrdered = false
    var defaultSeparator: String?
  }

  // MARK: From vCard

  /// The components of a structured value. A JSCOMPS that does not fit the value counts as none.
  func list(_ values: [[String]], order: String?) -> List {
    var places: [Position] = []
    let isLong = isAddress && values.dropFirst(shortCount).contains { $0.contains { !$0.isEmpty } }
    for component in reading where component < values.count {
      if isLong, component == 1 || component == 2 { continue }
      for (text, value) in values[component].enumerated() where !value.isEmpty {
        if !isAddress,
          repeats.contains(where: { $0.place == component && $0.of.contains { $0 < values.count && values[$0].contains(value) } })
        {
          continue
        }
        places.append(Position(component: component, text: text))
      }
    }
    func part(_ place: Position) -> Part {
      Part(kind: kinds[place.component], value: values[place.component][place.text], place: place)
    }
    if let order, let entries = JSOrder(order), let parts = ordered(entries, places.count, values, part) {
      return List(parts: parts, isOrdered: true, defaultSeparator: entries.defaultSeparator)
    }
    return List(parts: places.map(part))
  }

  private func ordered(_ order: JSOrder, _ count: Int, _ values: [[String]], _ part: (Position) -> Part) -> [Part]? {
    var parts: [Part] = []
    var seen = Set<Position>()
    for entry in order.entries {
      switch entry {
      case .separator(let text): parts.append(Part(kind: "separator", value: text))
      case .position(let place):
        guard place.component < min(values.count, kinds.count), place.text < values[place.component].count,
          !values[place.component][place.text].isEmpty, seen.insert(place).inserted
        else { return nil }
        parts.append(part(place))
      }
    }
    return seen.count == count ? parts : nil
  }

  // MARK: To vCard

  /// The structured value of a list, the places of its parts set, and JSCOMPS where the list is ordered. Nil where a kind is unknown.
  func values(_ list: inout List) -> (values: [[String]], order: String?)? {
    let hasOnlyShort = list.parts.allSatisfy { part in part.kind == "separator" || kinds.prefix(shortCount).contains(part.kind) }
    var values = [[String]](repeating: [], count: hasOnlyShort ? shortCount : kinds.count)
    for i in list.parts.indices where list.parts[i].kind != "separator" {
      let kind = list.parts[i].kind
      guard let component = hasOnlyShort ? kinds.firstIndex(of: kind) : kinds.lastIndex(of: kind) else { return nil }
      if !isAddress, kind == "generation", list.isOrdered { values[4].append(list.parts[i].value) }
      list.parts[i].place = Position(component: component, text: values[component].count)
      values[component].append(list.parts[i].value)
    }
    if !hasOnlyShort { repeatOlder(&values, list) }
    if !hasOnlyShort, !isAddress, !list.isOrdered {
      // Unordered, generations stand before the other suffixes; the places of those move.
      let count = values[6].count
      values[4] = values[6] + values[4]
      for i in list.parts.indices where list.parts[i].place?.component == 4 { list.parts[i].place?.text += count }
    }
    for i in values.indices where values[i].isEmpty { values[i] = [""] }
    return (values, list.isOrdered ? JSOrder.text(list) : nil)
  }

  /// What older readers look for: second surnames with the surnames, the street with its number.
  private func repeatOlder(_ values: inout [[String]], _ list: List) {
    if !isAddress {
      values[0] += values[5]
      return
    }
    for (place, sources) in repeats {
      var texts: [String] = []
      if list.isOrdered {
        texts = list.parts.filter { sources.contains($0.place?.component ?? -1) }.map(\.value)
      } else {
        for source in sources { texts += values[source] }
      }
      if !texts.isEmpty { values[place] = [texts.joined(separator: " ")] }
    }
  }
}

/// The value of JSCOMPS: the order of components, and what stands between them.
struct JSOrder {
  enum Entry {
    case position(JSComponents.Position)
    case separator(String)
  }

  var defaultSeparator: String?
  var entries: [Entry] = []

  /// Reads a value; nil where it is not in the grammar.
  init?(_ text: String) {
    var pieces: [String] = [""]
    var isEscaped = false
    for character in text.unicodeScalars {
      if character == ";", !isEscaped {
        pieces.append("")
      } else {
        pieces[pieces.count - 1].unicodeScalars.append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    guard pieces.count > 1 else { return nil }
    for (i, piece) in pieces.enumerated() {
      if piece.hasPrefix("s,") {
        let separator = Self.unescaped(piece.dropFirst(2))
        if i == 0 { defaultSeparator = separator } else { entries.append(.separator(separator)) }
        continue
      }
      if i == 0, piece.isEmpty { continue }
      let numbers = piece.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      guard i > 0, (1...2).contains(numbers.count), let component = numbers[0], component >= 0,
        let text = numbers.count > 1 ? numbers[1] : 0,
        text >= 0
      else { return nil }
      entries.append(.position(JSComponents.Position(component: component, text: text)))
    }
  }

  /// The value for a list whose parts have their places.
  static func text(_ list: JSComponents.List) -> String {
    var pieces = [list.defaultSeparator.map { "s," + escaped($0) } ?? ""]
    for part in list.parts {
      if let place = part.place {
        pieces.append(place.text == 0 ? "\(place.component)" : "\(place.component),\(place.text)")
      } else {
        pieces.append("s," + escaped(part.value))
      }
    }
    return pieces.joined(separator: ";")
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing(",", with: "\\,").replacing(";", with: "\\;").replacing("\n", with: "\\n")
  }

  private static func unescaped(_ text: Substring) -> String {
    var result = ""
    var isEscaped = false
    for character in text.unicodeScalars {
      if isEscaped {
        result.unicodeScalars.append(character == "n" || character == "N" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
