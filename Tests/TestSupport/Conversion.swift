// Contacts from one format to another, as the command converts them, for the tests of round trips.
internal import Bytes
package import CardSyntax
package import People

/// The versions that vCards are written in.
package let writtenVersions: [CardVersion] = [.v21, .v30, .v40]

extension CardVersion {
  /// The format of cards of this version.
  package var format: ContactFormat {
    switch self {
    case .v21: .vcard21
    case .v30: .vcard3
    case .v40: .vcard4
    }
  }
}

/// Contacts in some format, as bytes.
package struct Document {
  package var format: ContactFormat
  package var bytes: [UInt8]

  package init(_ format: ContactFormat, _ bytes: [UInt8]) { (self.format, self.bytes) = (format, bytes) }

  /// Persons as JSON records.
  package init(_ persons: [Person]) {
    self.init(.json, Array(("[" + persons.map(\.json).joined(separator: ",\n") + "]").utf8))
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  private func forEachContact(_ body: (Contact, borrowing ContactSource) -> Void) -> [Diagnostic] {
    var source = ContactSource(format)
    source.feed(bytes.span)
    source.finish()
    while let contact = source.next() { body(contact, source) }
    return source.takeFindings()
  }

  /// The contacts in another format, pictures included, and what was found on the way.
  package func converted(to target: ContactFormat) -> (document: Document, findings: [Diagnostic]) {
    var sink = ContactSink(target, photos: true)
    sink.begin()
    let findings = forEachContact { sink.write($0, of: $1) }
    sink.end()
    while (try? sink.nextRows()) == true {}
    let bytes = sink.output.array()
    return (Document(target, bytes), findings + sink.takeFindings())
  }

  /// The contacts by way of several formats, one after the other.
  package func converted(through formats: [ContactFormat]) -> Document {
    formats.reduce(self) { $0.converted(to: $1).document }
  }

  /// The persons that it holds.
  package var persons: [Person] {
    var reader = CardReader()
    var found: [Person] = []
    _ = forEachContact { contact, source in
      switch contact {
      case .card(let batch, let index):
        reader.read(batch, index)
        found.append(Person(reader.record))
      case .record: found.append(Person(source.record))
      }
    }
    return found
  }
}

extension Person {
  /// The person without what a version says of itself: the version, the names that its lines had (X-PRONOUNS in 3.0), `x-` before the
  /// parameters that only 4.0 has, the empty N that older versions ask for; in agents as well.
  package var withoutTraces: Person {
    let full = Record(self)
    var record = Record()
    record.begin(source: [], version: full.version)
    for place in full.tokens.indices {
      let token = full.tokens[place]
      switch token.operation {
      case .field: record.field(Int(token.start))
      case .openObject, .openList: record.open(token.member, list: token.operation == .openList)
      case .close: record.close()
      case .key: record.key(full.string(place) == "x-altid" ? "altid" : full.string(place))
      case .number: record.number(token.member, full.string(place))
      case .text: if token.member != .property { record.text(token.member, made: full.string(place)) }
      }
    }
    var person = Person(record)
    person.version = nil
    person.details.removeAll { $0.parameters.isEmpty && $0.group.isEmpty && $0.id.isEmpty }
    person.unclaimed.removeAll { $0.name == "N" && $0.value == ";;;;" && $0.parameters.isEmpty }
    if person.anniversary != nil { person.removeLabelledAnniversary() }
    if let agent { person.agent = .card(agent.person.withoutTraces) }
    return person
  }

  /// Older versions write an anniversary twice: as the property of most readers, and as Apple's labelled date.
  private mutating func removeLabelledAnniversary() {
    let labels = unclaimed.filter { $0.name == "X-ABLabel" && $0.value == "_$!<Anniversary>!$_" }
    for label in labels where unclaimed.contains(where: { $0.name == "X-ABDATE" && $0.group == label.group }) {
      unclaimed.removeAll { $0.group == label.group && ($0.name == "X-ABDATE" || $0 == label) }
    }
  }
}

/// What differs between two persons, field by field, each as JSON from a little before the first difference on.
package func difference(_ found: Person, _ wanted: Person) -> String {
  var lines: [String] = []
  let a = Record(found)
  let b = Record(wanted)
  for (number, field) in Person.fields.enumerated() {
    let (x, y) = (json(a, only: number), json(b, only: number))
    guard x != y else { continue }
    let same = max(0, zip(x, y).prefix { $0 == $1 }.count - 60)
    lines.append("\(field.key):\n  found  \(x.dropFirst(same).prefix(400))\n  wanted \(y.dropFirst(same).prefix(400))")
  }
  return lines.joined(separator: "\n")
}

/// One field of a record as JSON.
package func json(_ record: borrowing Record, only number: Int) -> String {
  var one = Record()
  one.begin(copying: record, only: FieldSet([number]))
  var output = ByteBuffer()
  JSONFormat().write(one, to: &output)
  return output.text()
}
