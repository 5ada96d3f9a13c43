// How the rows of the table are made: a row binds a property to a member of the person and to the kind of its value.

package import CardSyntax
package import Bytes

extension [Field.Name] {
  /// A property of 4.0; older versions have it with `X-` before its name.
  static func since40(_ name: String) -> [Field.Name] { [.init(name, .v40), .init("X-" + name, .v21, .v30)] }
}

/// UID: a URI, or text where it is none (RFC 6350 6.7.6).
package struct IdentifierKind: ValueKind {
  package var parameters: ParameterSet { ParameterSet(.value) }
  package func valueTypes(in version: CardVersion) -> [String] { version == .v40 ? ["uri", "text"] : ["text"] }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    record.text(record.valueMember, valueOf: line, card)
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    guard let place = record.valuePlace(index) else { return line.beginValue() }
    let text = record.string(place)
    if line.version == .v40, text.looksLikeURI { return line.raw(place, of: record) }
    if line.version == .v40 { line.parameter("VALUE", "text") }
    line.text(place, of: record)
  }

  /// In 4.0, URIs: other texts have another head.
  package func writePlain(_ index: Int, of record: borrowing Record, in version: CardVersion, to line: inout ByteBuffer) -> Bool {
    line.append(ASCII.colon)
    let start = line.count
    guard let place = record.valuePlace(index), record.appendPlain(place, to: &line) else { return false }
    return version != .v40 || line.withBytes { ValueSyntax.looksLikeURI($0, start, $0.count) }
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let type = card.valueType(line)
    let isURI = card.looksLikeURI(line)
    if version == .v40, type == "text", isURI { findings.add(.valueType, "a URI that is marked as text", .info) }
    if version == .v40, !isURI, type != "text", card.version != .v40 || findings.isValidating {
      findings.add(.valueType, "a UID that is no URI needs VALUE=text", .info)
    }
    if version != .v40, type != nil, type != "text" || card.version == .v40 {
      findings.add(.valueType, "VALUE=\(type ?? "") is none of this version")
    }
    TextKind().check(line, card, in: version, &findings)
  }

  package func plainValues(_ line: Int, _ card: borrowing CardView, in version: CardVersion, isValidating: Bool) -> PlainValues {
    let type = card.valueType(line)
    let isText = type == "text"
    guard version == .v40 else {
      return type == nil || isText && card.version != .v40 ? .identifier(uri: .right, other: .right) : .none
    }
    let wantsType = card.version != .v40 || isValidating
    return .identifier(uri: isText ? .foreign : .right, other: isText || !wantsType ? .right : .foreign)
  }
}

extension ValueKind where Self == IdentifierKind {
  package static var uid: Self { Self() }
}

extension Field {
  private static func cardinalities(
    _ names: [Name], _ now: Cardinality, _ older: Cardinality, registered: Set<CardVersion>
  ) -> [CardVersion: Cardinality] {
    var found: [CardVersion: Cardinality] = [:]
    for version in registered {
      let isOwn = names.first.map { $0.versions.isEmpty || $0.versions.contains(version) } ?? true
      if isOwn { found[version] = version == .v40 ? now : older }
    }
    return found
  }

  // The members are named by closures, since a key path costs time where it is made, and most runs need none.

  /// A field of one value.
  static func one<K: ValueKind>(
    _ key: String, _ names: [Name], at member: @autoclosure @escaping @Sendable () -> WritableKeyPath<Person, K.Value?>,
    _ kind: K, _ cardinality: Cardinality = .one,
    older: Cardinality? = nil, adopts label: String? = nil, latest: Bool = false, registered: Set<CardVersion> = [.v21, .v30, .v40],
    note: String
  ) -> Field {
    Field(
      key: key, singular: key, names: names, layout: .one, kind: kind, types: .general, adoptedLabel: label, prefersLatest: latest,
      cardinality: cardinalities(names, cardinality, older ?? cardinality, registered: registered), note: note,
      take: { record, index, person in person[keyPath: member()] = kind.take(index, of: record) },
      send: { person, number, record in
        guard let value = person[keyPath: member()] else { return }
        record.field(number)
        kind.send(value, to: &record)
      })
  }

  /// A field of many values, each in a line of its own.
  static func many<K: ValueKind>(
    _ key: String, _ singular: String, _ names: [Name],
    at member: @autoclosure @escaping @Sendable () -> WritableKeyPath<Person, [Labeled<K.Value>]>, _ kind: K,
    types: Types = .general, registered: Set<CardVersion> = [.v21, .v30, .v40], note: String
  ) -> Field {
    Field(
      key: key, singular: singular, names: names, layout: .many, kind: kind, types: types, adoptedLabel: nil, prefersLatest: false,
      cardinality: cardinalities(names, .many, .many, registered: registered), note: note,
      take: { record, index, person in person[keyPath: member()] = Labeled.take(index, of: record, kind) },
      send: { person, number, record in Labeled.send(person[keyPath: member()], number, kind, to: &record, plain: false) })
  }

  /// A field of texts: several in a line, or (`perLine`) one a line.
  static func texts(
    _ key: String, _ singular: String, _ names: [Name], perLine: Bool = false,
    at member: @autoclosure @escaping @Sendable () -> WritableKeyPath<Person, [Labeled<String>]>, note: String
  ) -> Field {
    let kind = TextListKind(uri: perLine)
    return Field(
      key: key, singular: singular, names: names, layout: .texts(perLine: perLine), kind: kind, types: perLine ? .none : .general,
      adoptedLabel: nil,
      prefersLatest: false, cardinality: cardinalities(names, .many, .many, registered: [.v21, .v30, .v40]), note: note,
      take: { record, index, person in person[keyPath: member()] = Labeled.take(index, of: record, kind) },
      send: { person, number, record in Labeled.send(person[keyPath: member()], number, kind, to: &record, plain: true) })
  }

  /// The version that the card declared.
  static func version(note: String) -> Field {
    Field(
      key: "version", singular: "version", names: [], layout: .one, kind: TextKind(), types: .general, adoptedLabel: nil,
      prefersLatest: false, cardinality: cardinalities([], .exactlyOne, .exactlyOne, registered: [.v21, .v30, .v40]), note: note,
      take: { record, index, person in
        if let place = record.valuePlace(index), let version = CardVersion(record.string(place)) { person.version = version }
      },
      send: { person, number, record in
        guard let version = person.version else { return }
        record.field(number)
        record.text(.none, made: version.text)
      })
  }

  /// What the lines of fields of one value carry besides.
  static func details(at member: any WritableKeyPath<Person, [Details]> & Sendable) -> Field {
    Field(
      key: "details", singular: "details", names: [], layout: .one, kind: TextKind(), types: .general, adoptedLabel: nil,
      prefersLatest: false,
      cardinality: [:], note: "Parameters, group and identifier of the fields of one value.",
      take: { record, index, person in
        guard record.tokens[index].operation == .openObject else { return }
        for place in record.elements(index) where record.tokens[place].operation == .key {
          let annotations = Annotations(record, at: place + 1)
          var details = Details(field: record.string(place))
          details.parameters = annotations.parameters.map { ParameterValues($0.name, $0.values) }
          (details.group, details.id, details.property) = (annotations.group ?? "", annotations.id ?? "", annotations.property ?? "")
          person[keyPath: member].append(details)
        }
      },
      send: { person, number, record in
        guard !person[keyPath: member].isEmpty else { return }
        record.field(number)
        record.open()
        for details in person[keyPath: member] {
          record.key(details.field)
          record.open()
          record.send(details.parameters)
          for (member, text) in [(Member.group, details.group), (.id, details.id), (.property, details.property)] where !text.isEmpty {
            record.text(member, made: text)
          }
          record.close()
        }
        record.close()
      })
  }

  /// The lines that no other field holds.
  static func unclaimed(at member: any WritableKeyPath<Person, [UnclaimedLine]> & Sendable) -> Field {
    Field(
      key: "unclaimed", singular: "unclaimed", names: [], layout: .unclaimed, kind: TextKind(), types: .general, adoptedLabel: nil,
      prefersLatest: false, cardinality: [:], note: "Lines that no other field holds, as they were written.",
      take: { record, index, person in
        for place in record.elements(index) {
          if let line = UnclaimedText(record, at: place) {
            person[keyPath: member].append(
              UnclaimedLine(
                line.name, group: line.group ?? "", parameters: line.parameters.map { ParameterValues(asWritten: $0.name, $0.values) },
                value: line.value))
          }
        }
      },
      send: { person, number, record in
        guard !person[keyPath: member].isEmpty else { return }
        record.field(number)
        record.open(list: true)
        for line in person[keyPath: member] {
          UnclaimedText(
            name: line.name, group: line.group.isEmpty ? nil : line.group, parameters: line.parameters.map { ($0.name, $0.values) },
            value: line.value
          ).send(to: &record)
        }
        record.close()
      })
  }
}

extension ParameterValues {
  init(asWritten name: String, _ values: [String]) {
    self.init("", values)
    self.name = name
  }
}

extension Record {
  /// Adds a `parameters` part, if there are any.
  mutating func send(_ parameters: [ParameterValues]) {
    guard !parameters.isEmpty else { return }
    open(.parameters)
    for parameter in parameters {
      key(parameter.name)
      open(list: true)
      for value in parameter.values { text(.none, made: value) }
      close()
    }
    close()
  }
}

extension Labeled {
  /// The values of a list in a record; what the kind cannot take is passed over.
  static func take<K: ValueKind>(_ index: Int, of record: borrowing Record, _ kind: K) -> [Labeled] where K.Value == Value {
    var count = 0
    record.forEachElement(index) { _ in count += 1 }
    var found: [Labeled] = []
    found.reserveCapacity(count)
    record.forEachElement(index) { place in
      guard let value = kind.take(place, of: record) else { return }
      found.append(Labeled(value, annotatedAs: place, in: record))
    }
    return found
  }

  /// A value with what stands besides it in the object at `index`, as `Annotations` has it.
  private init(_ value: Value, annotatedAs index: Int, in record: borrowing Record) {
    self.init(value)
    guard record.tokens[index].operation == .openObject else { return }
    record.forEachElement(index) { place in
      switch record.tokens[place].member {
      case .labels: record.forEachElement(place) { labels.append(Label(stringLiteral: record.string($0))) }
      case .preference: preference = record.smallNumber(place)
      case .language: language = record.string(place)
      case .group: group = record.string(place)
      case .id: id = record.string(place)
      case .property: property = record.string(place)
      case .parameters:
        parameters = Annotations(record, at: index).parameters.map { ParameterValues($0.name, $0.values) }
      default: break
      }
    }
  }

  /// Puts the values into the record; with `plain`, a value without annotations is a text, not an object.
  static func send<K: ValueKind>(_ values: [Labeled], _ number: Int, _ kind: K, to record: inout Record, plain: Bool)
  where K.Value == Value {
    guard !values.isEmpty else { return }
    record.field(number)
    record.open(list: true)
    for value in values {
      let isPlain =
        plain && value.labels.isEmpty && value.preference == nil && value.language.isEmpty && value.parameters.isEmpty
        && value.group.isEmpty
        && value.id.isEmpty && value.property.isEmpty
      if isPlain {
        kind.send(value.value, to: &record)
        continue
      }
      record.open()
      kind.send(value.value, to: &record)
      if !value.labels.isEmpty {
        record.open(.labels, list: true)
        for label in value.labels { record.text(.none, made: label.text) }
        record.close()
      }
      if let preference = value.preference { record.number(.preference, String(preference)) }
      if !value.language.isEmpty { record.text(.language, made: value.language) }
      record.send(value.parameters)
      for (member, text) in [(Member.group, value.group), (.id, value.id), (.property, value.property)] where !text.isEmpty {
        record.text(member, made: text)
      }
      record.close()
    }
    record.close()
  }
}

extension Person {
  /// The person that a record holds.
  package init(_ record: borrowing Record) {
    self.init()
    var i = 0
    while i < record.tokens.count {
      if record.tokens[i].operation == .field, i + 1 < record.tokens.count {
        Self.fields[Int(record.tokens[i].start)].take(record, i + 1, &self)
      }
      i = record.next(i)
    }
  }
}

extension Record {
  /// The record of a person.
  package init(_ person: Person) {
    self.init()
    begin(source: [], version: person.version ?? .v40)
    for (number, field) in Person.fields.enumerated() { field.send(person, number, &self) }
  }

  /// Takes the fields of another record that are in `fields`.
  package mutating func begin(copying other: borrowing Record, only fields: FieldSet) {
    begin(source: [], version: other.version)
    depth = other.depth
    var i = 0
    while i < other.tokens.count {
      let next = other.next(i)
      if other.tokens[i].operation == .field, fields.has(Int(other.tokens[i].start)) { append(range: i, next, of: other) }
      i = next
    }
  }

  /// Takes the fields that stand in the object at `index` of another record.
  package mutating func begin(copying other: borrowing Record, fieldsOf index: Int) {
    begin(source: other.source, version: other.version)
    depth = other.depth + 1
    guard other.tokens[index].operation == .openObject else { return }
    let (start, end) = (index + 1, Int(other.tokens[index].start))
    adopt(other, start, end)
  }
}
