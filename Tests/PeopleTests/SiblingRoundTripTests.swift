// Samples and generated persons as jCard, xCard and JSContact and back: the same person as without the detour.
//
// As RoundTripTests, each test goes through many seeds; VCARD_SEEDS=50000 takes more. Failures name their seed.
import Bytes
import CardSyntax
import People
import TestSupport
import Testing

@Suite struct SiblingRoundTripTests {
  static let siblings: [ContactFormat] = [.jcard, .xcard, .jscontact]
  static let parts = 0..<4

  /// The person without what these formats do not keep: the letter case of names (RFC 7095 3.3 and 3.4, RFC 6351 5).
  private func comparable(_ person: Person) -> Person {
    var person = person.withoutTraces
    for i in person.unclaimed.indices {
      person.unclaimed[i].name = person.unclaimed[i].name.uppercased()
      person.unclaimed[i].parameters = person.unclaimed[i].parameters.map {
        ParameterValues($0.name, $0.name.uppercased() == "VALUE" ? $0.values.map { $0.lowercased() } : $0.values)
      }
    }
    return person
  }

  /// What a person holds, one text for each value, without what JSContact adds and what its maps do not tell: identifiers of values that
  /// had none (`PHONE-1`), which take the place of PID, the order of values and of TYPE words, and the letter case of these (RFC 6350 5).
  private func values(_ person: Person) -> [String: Int] {
    let record = Record(person)
    var found: [String: Int] = [:]
    for (number, field) in Person.fields.enumerated() {
      guard let index = record.value(ofField: number) else { continue }
      for place in record.tokens[index].operation == .openList ? record.elements(index) : [index] {
        let leaves = leaves(of: place, record)
        if !leaves.isEmpty { found[field.key + leaves.sorted().joined(), default: 0] += 1 }
      }
    }
    return found
  }

  /// The texts of a value, each with its path.
  private func leaves(of index: Int, _ record: borrowing Record) -> [String] {
    var found: [String] = []
    var path: [(name: String, isOrdered: Bool, count: Int)] = []
    var key = ""
    for place in index..<record.next(index) {
      let token = record.tokens[place]
      let name = key.isEmpty ? "\(token.member == .none ? .value : token.member)" : key
      switch token.operation {
      case .key: key = record.string(place)
      // A field of an agent.
      case .field: key = Person.fields[Int(token.start)].key
      case .openObject, .openList:
        path.append((name, token.operation == .openList && token.member != .labels && key != "type", 0))
        key = ""
      case .close: path.removeLast()
      case .text, .number:
        let text = record.string(place)
        func isInside(_ key: String) -> Bool { name == key || path.last?.name == key }
        let isIdentifier = token.member == .id || isInside("prop-id")
        let isMade = isIdentifier && !PersonGenerator.identifiers.contains(text) || isInside("pid")
        let isType = isInside("type")
        // A text stands for an object that holds it as its value.
        let names = path.isEmpty ? ["value", name] : path.map { $0.name + ($0.isOrdered ? "\($0.count)" : "") } + [name]
        if !isMade { found.append("\n" + names.joined(separator: ".") + " " + (isType ? text.lowercased() : text)) }
        if !path.isEmpty { path[path.count - 1].count += 1 }
        key = ""
      }
    }
    // A value in another language has the identifier of the one that it stands for (RFC 9555 2.3.11).
    let isAlternative = found.contains { $0.contains(".language ") } && found.contains { $0.contains(".altid") }
    return isAlternative ? found.filter { !$0.contains(".id ") } : found
  }

  private func check(_ source: Document, _ sibling: ContactFormat, _ name: String) {
    let wanted = source.converted(to: .vcard4).document
    let detour = wanted.converted(to: sibling).document
    let found = detour.converted(to: .vcard4).document
    let (a, b) = (found.persons, wanted.persons)
    #expect(a.count == b.count, "\(name)")
    for (var person, expected) in zip(a, b) {
      if sibling == .jscontact {
        // A made UID (RFC 9555 2.1.1).
        if expected.uid == nil { person.uid = nil }
        // The language of the full name is that of the Card (RFC 9555 2.3.11).
        if expected.defaultLanguage == nil { person.defaultLanguage = nil }
        let (x, y) = (values(comparable(person)), values(comparable(expected)))
        let more = x.filter { $0.value > y[$0.key, default: 0] }.keys.sorted()
        let less = y.filter { $0.value > x[$0.key, default: 0] }.keys.sorted()
        if !more.isEmpty || !less.isEmpty { Issue.record("\(name)\nmore \(more)\nless \(less)\n\(detour.text.prefix(4000))") }
      } else {
        let (x, y) = (comparable(person), comparable(expected))
        if x != y { Issue.record("\(name)\n\(difference(x, y))") }
      }
    }
  }

  @Test(arguments: GoldenTests.inputs, siblings) func samples(_ input: String, _ sibling: ContactFormat) throws {
    check(Document(.vcard4, try Checkout.read(input)), sibling, input)
  }

  @Test(arguments: siblings, parts) func persons(_ sibling: ContactFormat, _ part: Int) {
    for seed in stride(from: part + 1, through: max(8, Checkout.seeds / 4), by: Self.parts.count) {
      check(Document([PersonGenerator.person(seed, reach: .v40)]), sibling, "seed \(seed)")
    }
  }
}
