// The table, row by row: every member of the person has a row, and every row reads what it writes.
import Bytes
import CardSyntax
import TestSupport
import Testing

@testable import People

@Suite struct TableTests {
  /// The rows that a card can hold lines of, by key, so that a failure names its row.
  static let rows = Person.fields.map(\.key)

  /// The seeds of each row.
  static let seeds = 0..<40

  /// A record with one field, made from a seed.
  static func record(_ number: Int, seed: Int, reach: PersonGenerator.Reach) throws -> Record {
    var generator = PersonGenerator(UInt64(seed), reach: reach)
    var record = Record()
    record.begin(source: [], version: .v40)
    if number != Person.field("fullName") {
      record.field(Person.field("fullName") ?? 0)
      record.text(.none, made: "A")
    }
    let isKnown = generator.send(field: number, to: &record)
    try #require(isKnown, "PersonGenerator has no value for the kind of \(Person.fields[number].key)")
    return record
  }

  @Test func everyMemberHasARow() {
    let members = Mirror(reflecting: Person()).children.compactMap(\.label)
    #expect(Set(members) == Set(Self.rows))
    #expect(members == Self.rows)
    #expect(Set(Self.rows).count == Self.rows.count)
    // Numbers of fields are kept in a byte, and sets of them in 128 bits.
    #expect(Person.fields.count < 128)
  }

  /// What a path names in a record is what people read of the values, for every kind.
  @Test(arguments: rows) func pathsNameWhatPeopleRead(_ key: String) throws {
    let number = try #require(Person.field(key))
    let path = try #require(FieldPath(key))
    let field = Person.fields[number]
    guard number != Person.detailsField, number != Person.unclaimedField, number != 0 else { return }
    for seed in Self.seeds {
      let record = try Self.record(number, seed: seed, reach: .v40)
      guard let index = record.value(ofField: number) else { continue }
      let isText = record.tokens[index].operation == .text
      let places = field.isOne || isText ? [index] : record.elements(index)
      var wanted = places.map { record.tokens[$0].operation == .openObject ? field.kind.readable($0, of: record) : record.string($0) }
      if key == "emails" { wanted.removeAll { !$0.contains("@") } }
      let found = path.values(in: record)
      #expect(found == wanted.filter { !$0.isEmpty }, "seed \(seed)")
      var row = RowTexts()
      row.add(path, in: record)
      var cell = ""
      row.withCell(0) { cell = $0.text($1, $2) }
      #expect(cell == found.joined(separator: "; "))
      for (place, text) in found.enumerated() {
        row.withCell(0, place) { cell = $0.text($1, $2) }
        #expect(cell == text)
      }
      var first = ""
      path.withFirstValue(in: record) { first = $0.text($1, $2) }
      #expect(first == found.first ?? "")
    }
  }

  /// The keys are listed beside the cases.
  @Test func keysAreTheNamesOfCases() {
    for member in Member.allCases.dropFirst() { #expect(member.key == "\(member)") }
    #expect(Member.none.key.isEmpty)
  }

  @Test func rowsAreWhole() {
    var owners: [String: String] = [:]
    for field in Person.fields {
      #expect(field.note.hasSuffix(".") && !field.singular.isEmpty, "\(field.key)")
      for name in field.names where name.role != .adopted {
        // Lines of one name may belong to several fields if their values tell to which.
        let item = if case .item(let item) = name.role { " " + item } else { "" }
        let owner = owners.updateValue(field.key, forKey: name.text.uppercased() + item)
        #expect(owner == nil, "\(name.text) is a name of \(owner ?? "") and of \(field.key)")
      }
      // A version writes one name of a field, not two.
      for version in CardVersion.allCases { #expect(field.names.count { $0.versions.contains(version) } <= 1, "\(field.key)") }
    }
  }

  /// A value goes from the record to the person's own member, and to no other, and back.
  @Test(arguments: rows) func takesWhatItSends(_ key: String) throws {
    let number = try #require(Person.field(key))
    guard number != 0, number != Person.detailsField else { return }
    var named = Person()
    if key != "fullName" { named.fullName = "A" }
    let empty = Dictionary(uniqueKeysWithValues: Mirror(reflecting: named).children.map { ($0.label ?? "", "\($0.value)") })
    for seed in Self.seeds {
      let record = try Self.record(number, seed: seed, reach: .v40)
      let person = Person(record)
      let changed = Mirror(reflecting: person).children.filter { empty[$0.label ?? ""] != "\($0.value)" }.map { $0.label ?? "" }
      #expect(changed == [key])
      #expect(Person(Record(person)) == person)
    }
  }

  static let walks = writtenVersions.flatMap { version in rows.map { (version, $0) } }

  /// A value, with labels, parameters, group and identifier, comes back from a card of every version.
  @Test(arguments: walks) func readsWhatItWrites(_ version: CardVersion, _ key: String) throws {
    let number = try #require(Person.field(key))
    guard number != 0, number != Person.detailsField else { return }
    for seed in Self.seeds {
      let record = try Self.record(number, seed: seed, reach: .init(version))
      var writer = CardWriter(version: version)
      writer.write(record)
      let text = writer.takeOutput()
      let found = Document(version.format, text).persons.first ?? Person()
      let (back, wanted) = (json(Record(found.withoutTraces), only: number), json(Record(Person(record).withoutTraces), only: number))
      #expect(back == wanted, "seed \(seed)\n\(String(decoding: text, as: UTF8.self))")
      // What is written is right for its version, and a line that is right is copied.
      // (The nested cards of 2.1 are written anew, which puts unclaimed lines behind the others.)
      if key == "agent", version == .v21 { continue }
      let again = Document(version.format, text).converted(to: version.format)
      #expect(again.document.text == String(decoding: text, as: UTF8.self), "seed \(seed)")
    }
  }

  /// What a line of a field of one value carries besides stands in `details`.
  @Test(arguments: walks) func keepsDetails(_ version: CardVersion, _ key: String) throws {
    let number = try #require(Person.field(key))
    let field = Person.fields[number]
    guard field.isOne, number != 0, number != Person.detailsField else { return }
    var record = try Self.record(number, seed: 3, reach: .everyVersion)
    record.field(Person.detailsField)
    record.open()
    record.key(key)
    record.open()
    record.open(.parameters)
    for (name, value) in [("language", "de-CH"), ("x-own", "a, b; c: d")] {
      record.key(name)
      record.open(list: true)
      record.text(.none, made: value)
      record.close()
    }
    record.close()
    record.text(.group, made: "team")
    record.close()
    record.close()
    var writer = CardWriter(version: version)
    writer.write(record)
    let text = writer.takeOutput()
    let details = Document(version.format, text).persons.first?.details.filter { $0.field == key } ?? []
    var wanted = Person(record).details
    wanted[0].property = details.first?.property ?? ""
    #expect(details == wanted, "\(String(decoding: text, as: UTF8.self))")
  }

  /// Every name that a property goes by is read as the field, and written again under that name in a card of the same version.
  @Test(arguments: walks) func keepsEveryName(_ version: CardVersion, _ key: String) throws {
    let number = try #require(Person.field(key))
    let field = Person.fields[number]
    guard !field.names.isEmpty else { return }
    // Media of 3.0 and 4.0, an agent, a gender: what the names of the field have in common is a value of its own version.
    for (alias, name) in field.names.enumerated() where name.role == .value && alias != field.nameIndex(in: version) {
      let value =
        key == "gender"
        ? (name.text == "X-WAB-GENDER" ? "1" : "F")
        : key == "kind" ? "x-ship" : key == "agent" ? "BEGIN:VCARD\\nFN:A\\nEND:VCARD" : "2001-05-06"
      let card = "BEGIN:VCARD\r\nVERSION:\(version.text)\r\nFN:A\r\nN:A;;;;\r\n\(name.text):\(value)\r\nEND:VCARD\r\n"
      let document = Document(version.format, Array(card.utf8))
      let person = try #require(document.persons.first)
      #expect(person.unclaimed.isEmpty, "\(name.text)")
      let wanted = Mirror(reflecting: person).children.filter { $0.label == key }.map { "\($0.value)" }
      #expect(wanted != Mirror(reflecting: Person()).children.filter { $0.label == key }.map { "\($0.value)" }, "\(name.text)")
      // A cell of CSV holds an agent's card, and no name for its line.
      let tables: [[ContactFormat]] = key == "agent" ? [] : [[.csv, version.format]]
      for way: [ContactFormat] in [[version.format], [.json, version.format]] + tables {
        let text = document.converted(through: way).text
        let names = [name.text.uppercased(), name.text.uppercased().replacingBlanks]
        #expect(
          names.contains { text.uppercased().contains("\r\n" + $0 + ":") || text.uppercased().contains("\r\n" + $0 + ";") },
          "\(way)\n\(text)")
      }
    }
  }
}

extension String {
  /// A name as it is written: blanks become dashes.
  fileprivate var replacingBlanks: String { String(map { $0 == " " ? "-" : $0 }) }
}
