// A property between a card and its sibling formats (jCard, xCard, JSContact): names, parameters and values with all escapes undone.

internal import Bytes
package import CardSyntax

/// A property as the sibling formats of vCard hold it. Values are plain texts in vCard's spelling (dates in the basic form), cut where
/// the property's value is cut; only the value of type `unknown` is kept as a content line has it (RFC 7095 5).
package struct PropertyText: Sendable {
  /// The name in lower case.
  package var name = ""
  package var group: String?
  /// Names in lower case; VALUE is not among them, it is `type`.
  package var parameters: [(name: String, values: [String])] = []
  /// The value type in lower case; `unknown` where no VALUE says it and the property has no default that is known.
  package var type = "unknown"
  /// The values; each has components, each of them texts: `CATEGORIES` has several values, `ADR` one of seven components.
  package var values: [[[String]]] = []

  package init() {}

  /// A property of one text.
  package init(_ name: String, _ type: String? = nil, _ text: String) {
    self.name = name
    self.type = type ?? PropertyShape.of(name)?.type ?? "text"
    values = [[[text]]]
  }

  /// A property of components.
  package init(_ name: String, components: [[String]]) {
    self.name = name
    type = "text"
    values = [components]
  }

  /// The text of a property that has one; of a structured value the first component, of a list the first text.
  package var text: String { values.first?.first?.first ?? "" }

  /// The values of a parameter, nil where it is not there.
  package func parameter(_ name: String) -> [String]? { parameters.first { $0.name == name }?.values }

  /// Makes repeats of a parameter one.
  package mutating func mergeParameters() {
    guard parameters.count > 1 else { return }
    var places: [String: Int] = [:]
    var merged: [(name: String, values: [String])] = []
    for (name, values) in parameters {
      if let place = places[name] {
        merged[place].values += values
      } else {
        places[name] = merged.count
        merged.append((name, values))
      }
    }
    parameters = merged
  }

  /// Takes a parameter out; nil where it is not there.
  package mutating func take(_ name: String) -> [String]? {
    guard let place = parameters.firstIndex(where: { $0.name == name }) else { return nil }
    return parameters.remove(at: place).values
  }

  /// Is there a character that no content line can hold?
  var hasControlCharacters: Bool {
    var flat = PropertyValues()
    flat.take(values)
    return flat.hasControlCharacters(type)
  }

  // MARK: From a card

  /// The property of a content line of a card of 3.0 or 4.0.
  package init(_ line: ContentLine, of version: CardVersion) {
    name = line.name.lowercased()
    group = line.group
    var declared: String?
    for parameter in line.parameters {
      let key = parameter.name.lowercased()
      if key == "value" {
        declared = parameter.values.first?.lowercased()
        continue
      }
      var values = parameter.values
      if key == "type" { values = values.flatMap { $0.split(separator: ",").map(String.init) } }
      if key == "sort-as" { values = values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } }
      parameters.append((key, values))
    }
    mergeParameters()
    let shape = PropertyShape.of(name)
    type = declared ?? shape?.type(in: version) ?? "unknown"
    let bytes = Array(line.value.utf8)
    guard declared != nil || shape != nil else {
      values = [[[line.value]]]
      return
    }
    switch shape?.cut ?? .whole {
    case .whole: values = [[[Self.plain(bytes, 0, bytes.count, version)]]]
    case .list: values = Self.split(bytes, 0, bytes.count, ASCII.comma).map { [[Self.plain(bytes, $0, $1, version)]] }
    case .components, .pair:
      values = [Self.components(bytes, shape?.cut ?? .components).map { [Self.plain(bytes, $0, $1, version)] }]
    case .componentLists:
      values = [
        Self.split(bytes, 0, bytes.count, ASCII.semicolon).map { start, end in
          Self.split(bytes, start, end, ASCII.comma).map { Self.plain(bytes, $0, $1, version) }
        }
      ]
    }
  }

  private static func split(_ bytes: [UInt8], _ start: Int, _ end: Int, _ separator: UInt8) -> [(Int, Int)] {
    var found: [(Int, Int)] = []
    var from = start
    while true {
      let stop = min(Escaping.firstSeparator(separator, in: bytes.span, from: from, to: end), end)
      found.append((from, stop))
      guard stop < end else { return found }
      from = stop + 1
    }
  }

  private static func components(_ bytes: [UInt8], _ cut: PropertyShape.Cut) -> [(Int, Int)] {
    var found: [(Int, Int)] = []
    var from = 0
    while true {
      let stop = cut.componentEnd(bytes.span, from: from, to: bytes.count, isFirst: found.isEmpty)
      found.append((from, stop))
      guard stop < bytes.count else { return found }
      from = stop + 1
    }
  }

  private static func plain(_ bytes: [UInt8], _ start: Int, _ end: Int, _ version: CardVersion) -> String {
    var text = ByteBuffer(capacity: end - start + 1)
    Escaping.unescape(bytes.span, start, end, version: version, to: &text)
    return text.text()
  }

  // MARK: To a card

  /// Types whose values are no free text and are not escaped.
  private static let plainTypes: Set<String> = [
    "uri", "date", "time", "date-time", "date-and-or-time", "timestamp", "boolean", "integer", "float", "utc-offset", "binary",
  ]

  /// Are values of the type no free text?
  static func isPlain(_ type: String) -> Bool { plainTypes.contains(type) }

  /// Begins the content line of the property, with all that stands before its values.
  func writeHead(to lines: inout LineWriter) {
    let label = LineWriter.labelName
    lines.begin(group: group, name: name == label.lowercased() ? label : name.uppercased())
    for (name, values) in parameters {
      // Several sort keys are one value (RFC 6350 5.9).
      lines.parameter(name.uppercased(), name == "sort-as" ? [values.joined(separator: ",")] : values)
    }
    if type != "unknown", type != PropertyShape.of(name)?.type(in: lines.version) { lines.parameter("VALUE", type) }
    lines.beginValue()
  }
}

extension String {
  /// The text with `\n` for its line breaks, as a content line has them.
  var withEscapedLineBreaks: String {
    guard utf8.contains(ASCII.lineFeed) else { return self }
    var result = ""
    for scalar in unicodeScalars where scalar != "\r" {
      if scalar == "\n" { result += "\\n" } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }
}

/// How the values of a property are cut, and the type they have where VALUE says none. Made from the table and its value kinds.
package struct PropertyShape: Sendable {
  /// Where a value is cut: nowhere, at commas, at semicolons, at the first semicolon, at semicolons and then at commas.
  package enum Cut: BitwiseCopyable, Sendable {
    case whole, list, components, pair, componentLists

    /// Where the component ends that begins at `from`; the second of a pair holds all that follows.
    func componentEnd(_ bytes: Span<UInt8>, from: Int, to end: Int, isFirst: Bool) -> Int {
      if self == .pair, !isFirst { return end }
      return min(Escaping.firstSeparator(ASCII.semicolon, in: bytes, from: from, to: end), end)
    }
  }

  /// The property's name in lower case.
  let name: String
  /// The default type in 4.0.
  package let type: String
  package let cut: Cut
  private let olderType: String
  private let currentForm: ValueForm, olderForm: ValueForm

  private init(_ name: String, type: String, cut: Cut, olderType: String) {
    (self.name, self.type, self.cut, self.olderType) = (name, type, cut, olderType)
    (currentForm, olderForm) = (ValueForm(type), ValueForm(olderType))
  }

  /// The default type in a version.
  package func type(in version: CardVersion) -> String { version == .v40 ? type : olderType }

  /// How values of the default type in a version are spelled.
  func form(in version: CardVersion) -> ValueForm { version == .v40 ? currentForm : olderForm }

  /// Has the value components?
  package var isStructured: Bool { cut == .components || cut == .pair || cut == .componentLists }

  /// The shape of a property by its lower-case name; nil for those that no standard gives a default type.
  package static func of(_ name: String) -> PropertyShape? { shapes[name] }

  /// The shape of the property whose name stands in `bytes[start ..< end]`, in any letter case.
  static func of(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> PropertyShape? {
    let number = Int(numbers.number(of: bytes, start, end))
    return number == 0 ? nil : numbered[number - 1]
  }

  private static let numbered = Array(shapes.values)
  private static let numbers = NameTable(numbered.enumerated().map { ($1.name, UInt16($0 + 1)) })

  private static let shapes: [String: PropertyShape] = {
    var found: [String: PropertyShape] = [:]
    for field in Person.fields {
      guard let name = field.names.first, !name.text.hasPrefix("X-") else { continue }
      let (type, cut): (String, Cut) =
        switch field.kind {
        case is NameKind, is AddressKind: ("text", .componentLists)
        case is OrganizationKind, is GenderKind: ("text", .components)
        case let list as TextListKind: list.isURI ? ("uri", .whole) : ("text", .list)
        case is URIKind, is MediaKind, is GeoKind, is RelatedKind, is InstantMessageKind, is SocialProfileKind, is IdentifierKind:
          ("uri", .whole)
        case let date as DateKind: (date.isTimestamp ? "timestamp" : "date-and-or-time", .whole)
        default: ("text", .whole)
        }
      let older: String
      switch field.kind {
      case let date as DateKind: older = date.isTimestamp ? "date-time" : "date"
      case is MediaKind: older = "binary"
      case is GeoKind: older = "float"
      default: older = type
      }
      let key = name.text.lowercased()
      found[key] = PropertyShape(key, type: type, cut: cut, olderType: older)
    }
    // What the table does not tell: a type of its own (RFC 6350 6.4.4), and properties that no field holds.
    for (name, type, cut) in [
      ("lang", "language-tag", Cut.whole), ("version", "text", .whole), ("clientpidmap", "text", .pair), ("xml", "text", .whole),
      ("language", "language-tag", .whole), ("jsprop", "text", .whole), ("gramgender", "text", .whole),
    ] {
      found[name] = PropertyShape(name, type: type, cut: cut, olderType: type)
    }
    return found
  }()
}
