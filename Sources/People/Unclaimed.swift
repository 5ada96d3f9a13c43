// Lines that no field holds: as they stand in a record, and how they are written in each version.

package import CardSyntax
internal import Bytes

/// A line as it was written: what a jCard array of type `unknown` holds (RFC 7095 5).
package struct UnclaimedText {
  package var name: String
  package var group: String?
  /// Names as written.
  package var parameters: [(name: String, values: [String])]
  package var value: String

  package init(name: String, group: String?, parameters: [(name: String, values: [String])], value: String) {
    (self.name, self.group, self.parameters, self.value) = (name, group, parameters, value)
  }

  /// The line in the array at `index` of a record; nil where it is no such array.
  package init?(_ record: borrowing Record, at index: Int) {
    guard record.tokens[index].operation == .openList else { return nil }
    let parts = record.elements(index)
    guard parts.count >= 4, record.tokens[parts[0]].operation == .text, record.tokens[parts[1]].operation == .openObject else { return nil }
    name = record.string(parts[0])
    parameters = []
    for place in record.elements(parts[1]) where record.tokens[place].operation == .key {
      let values = record.elements(place + 1).map { record.string($0) }
      if record.string(place).lowercased() == "group" { group = values.first } else { parameters.append((record.string(place), values)) }
    }
    value = record.string(parts[3])
  }

  /// The line of a card.
  package init(_ line: Int, _ card: borrowing CardView) {
    var record = Record()
    record.begin(source: card.bytes, version: card.version)
    CardReader.read(unclaimed: line, card, into: &record)
    self = UnclaimedText(record, at: 0) ?? UnclaimedText(name: card.name(line), group: nil, parameters: [], value: card.rawValue(line))
  }

  /// Puts the array into a record.
  package func send(to record: inout Record) {
    record.open(list: true)
    record.text(.none, made: name)
    record.open()
    if let group {
      record.key("group")
      record.text(.none, made: group)
    }
    for (name, values) in parameters { record.unclaimedParameter(name, values) }
    record.close()
    record.text(.none, made: "unknown")
    record.text(.none, made: value)
    record.close()
  }

  /// Is it the empty N or FN that a card has because its version asks for one?
  var isEmptyName: Bool {
    guard let (number, _) = Self.field(name.uppercased()), number == CardWriter.name || number == CardWriter.fullName else { return false }
    return isBlank
  }

  /// Can a line of this name say again what a field holds, or label such a line?
  var mayRepeat: Bool {
    let bytes = Array(name.utf8)
    let number = FieldNames.table.number(of: bytes.span, 0, bytes.count)
    return FieldNames.target(number) != nil || number == FieldNames.item
  }

  /// Does the value hold nothing but separators?
  var isBlank: Bool { value.utf8.allSatisfy { $0 == ASCII.semicolon || $0 == ASCII.comma || $0 == ASCII.space } }

  func values(_ name: String) -> [String]? { parameters.first { $0.name.lowercased() == name }?.values }
}

extension Record {
  /// Adds a parameter of a line as RFC 7095 has it: one value as a text, several as a list.
  mutating func unclaimedParameter(_ name: String, _ values: [String]) {
    key(name)
    if values.count == 1 { return text(.none, made: values[0]) }
    open(list: true)
    for value in values { text(.none, made: value) }
    close()
  }
}

/// What becomes of an unclaimed line in a version.
package enum UnclaimedFate: Equatable {
  /// It is written under this name.
  case written(name: String)
  /// It is left out, for this reason.
  case leftOut(String)
}

extension UnclaimedText {
  private static let otherPrefix = "X-OTHER-"

  /// Decides under which name the line may stand in `version`. `has` tells whether the card has a value of its own in a field.
  package func fate(in version: CardVersion, from origin: CardVersion, keepsEmptyName: Bool = false, has: (Int) -> Bool) -> UnclaimedFate {
    let upper = name.uppercased()
    if upper.hasPrefix(Self.otherPrefix), let (number, field) = Self.field(String(upper.dropFirst(Self.otherPrefix.count))) {
      // It returns where the version has room: for many, or for alternatives of one value.
      let room = field.cardinality(in: version)
      let hasRoom = room == .many || room == .atLeastOne || version == .v40 && room == .one && (values("altid") ?? values("x-altid")) != nil
      if hasRoom || !has(number) { return .written(name: field.name(in: version)) }
      return .written(name: name)
    }
    guard let (number, field) = Self.field(upper) else { return .written(name: name) }
    if isBlank {
      let isName = field.key == "fullName" || field.key == "name"
      if isName && (version == .v40 || has(number) || field.key == "fullName" || !keepsEmptyName) { return .leftOut("") }
      return .written(name: name)
    }
    guard field.isOne, has(number) else { return .written(name: name) }
    let room = field.cardinality(in: version)
    let isRenamed = upper != field.name(in: version).uppercased()
    // Another name for the same is kept; what was the name in the card's version is one value too many in this one.
    let isForeign = upper != field.name(in: origin).uppercased() && upper != field.names[0].text.uppercased()
    if isRenamed, (version == .v40) == (origin == .v40) || isForeign {
      return .written(name: name)
    }
    if !isRenamed, !room.isSingle { return .written(name: name) }
    if version == .v40, values("altid") != nil || (origin != .v40 && values("x-altid") != nil) { return .written(name: name) }
    if field.prefersLatest || field.key == "productID" { return .leftOut("another one is there") }
    return .written(name: Self.otherPrefix + upper)
  }

  /// Does the text of `version` know a property of this name?
  static func isKnown(_ name: String, in version: CardVersion) -> Bool {
    guard !name.uppercased().hasPrefix("X-"), let (_, field) = field(name.uppercased()) else { return false }
    return field.cardinality(in: version) != .unknown
  }

  private static func field(_ name: String) -> (Int, Field)? {
    let bytes = Array(name.utf8)
    guard let target = FieldNames.target(FieldNames.table.number(of: bytes.span, 0, bytes.count)) else { return nil }
    let field = Person.fields[Int(target.field)]
    return field.names[Int(target.alias)].role == .value ? (Int(target.field), field) : nil
  }

  /// Writes the line under `name`.
  package func write(as name: String, origin: CardVersion, to line: inout LineWriter) {
    line.begin(group: group, name: name)
    for (name, values) in parameters {
      let lower = name.lowercased()
      if Annotations.changesBetweenVersions(lower) || lower == "type" && (line.version != .v30 || origin == .v40) {
        var annotations = Annotations()
        annotations.parameters = [(lower, values)]
        annotations.write(Label.Written(), field: Person.fields[Person.unclaimedField], origin: origin, to: &line, includeLabels: false)
      } else if lower == "value", line.version == .v21, origin != .v21 {
        line.parameter(LineRules.valueTypes21.contains(values.first?.lowercased() ?? "") ? name : "X-VALUE", values)
      } else if lower != "value" || values.first?.lowercased() != "unknown" {
        line.parameter(name, values)
      }
    }
    line.written(value)
    line.end()
  }
}
