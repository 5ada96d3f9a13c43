// Made-up address books that overlap, in which each person is known: deduplicating must find exactly them and lose nothing.
import CardSyntax
import People
import Testing

/// A person of whom several cards are made, each written in another way.
private struct Known {
  let given: String, middle: String, family: String
  let phones: [String]
  let emails: [String]
  let note: String

  static let givens = ["Anna", "Mira", "José", "Zoë", "Björn", "Łucja", "Chloé", "Tomás", "Ingrid", "Søren", "Nadia", "Piet"]
  static let families = ["Müller", "Okafor", "O'Neil", "van der Berg", "Żak", "Núñez", "Smith-Jones", "Lee", "Ångström", "Haddad"]

  init(_ number: Int, _ random: inout SeededNumbers) {
    given = Self.givens[random.below(Self.givens.count)]
    middle = ["", "Maria", "Lou"][random.below(3)]
    family = Self.families[random.below(Self.families.count)]
    // Every number and address is one person's alone.
    phones = (0...random.below(2)).map { "+44 7700 9\(String(10_000 + number * 3 + $0))" }
    emails = (0...random.below(2)).map { "p\(number).\($0)@example.com" }
    note = "note \(number)"
  }

  /// The name in one of the ways that people write it.
  private func name(_ random: inout SeededNumbers) -> String {
    let plain = family.filter { $0 != "'" && $0 != "-" }
    switch random.below(6) {
    case 0: return "FN:\(given) \(family)\nN:\(family);\(given);\(middle);;"
    case 1: return "FN:\(family)\\, \(given)\nN:\(family);\(given);;;"
    case 2: return "FN:\(given.uppercased()) \(family.uppercased())\nN:\(family.uppercased());\(given.uppercased());;;"
    case 3: return "FN:\(given.prefix(1)). \(family)\nN:\(family);\(given.prefix(1)).;;;"
    case 4: return "FN:Dr. \(given) \(middle) \(family)\nN:\(family);\(given);\(middle);Dr.;"
    default:
      let (bare, name) = (NameFolding.words(given).joined(), family.contains("'") ? plain : family)
      return "FN:\(bare) \(name)\nN:\(name);\(bare);;;"
    }
  }

  private func phone(_ number: String, _ random: inout SeededNumbers) -> String {
    let digits = number.filter(\.isNumber)
    switch random.below(4) {
    case 0: return number
    case 1: return "+" + digits
    case 2: return "0" + digits.dropFirst(2)
    default: return "+44 (0)\(digits.dropFirst(2).prefix(4))-\(digits.dropFirst(6))"
    }
  }

  /// A card with some of the person's values, at least one of which is the first number or the first address.
  func card(_ random: inout SeededNumbers, isWhole: Bool) -> String {
    var lines = ["BEGIN:VCARD", "VERSION:3.0", name(&random)]
    let leading = random.below(2)
    for (i, number) in phones.enumerated() where isWhole || i == 0 && leading == 0 || random.below(2) == 0 {
      lines.append("TEL;TYPE=\(["CELL", "HOME", "WORK"][random.below(3)]):\(phone(number, &random))")
    }
    for (i, address) in emails.enumerated() where isWhole || i == 0 && leading == 1 || random.below(2) == 0 {
      lines.append("EMAIL:\(random.below(2) == 0 ? address : address.uppercased())")
    }
    lines.append("NOTE:\(note) \(random.below(3))")
    return (lines + ["END:VCARD", ""]).joined(separator: "\n")
  }
}

/// Random numbers that are the same in each run.
struct SeededNumbers {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(truncatingIfNeeded: state >> 33) % limit
  }
}

@Suite struct GroundTruthTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func findsExactlyThePeople(_ seed: UInt64) throws {
    var random = SeededNumbers(seed)
    var cards: [(person: Int, text: String)] = []
    for number in 0..<250 {
      let known = Known(number, &random)
      // One card knows all addresses and numbers, so that the others are connected by it.
      for copy in 0...random.below(4) { cards.append((number, known.card(&random, isWhole: copy == 0))) }
    }
    for i in cards.indices { cards.swapAt(i, random.below(cards.count)) }
    let records = try cards.map { card in KeptRecord(Record(try #require(Array(Persons(card.text)).first))) }
    var matcher = ContactMatcher(numbering: try numbering("GB"))
    for record in records { matcher.add(record.record) }
    let plan = matcher.plan()

    var wanted: [[Int]] = []
    for members in Dictionary(grouping: cards.indices, by: { cards[$0].person }).values where members.count > 1 {
      wanted.append(members.sorted())
    }
    #expect(plan.members == wanted.sorted { $0[0] < $1[0] })

    var merger = ContactMerger(numbering: try numbering("GB"))
    for group in plan.members {
      let parts = group.map { Person(records[$0].record) }
      let whole = Person(merger.merge(group.map { records[$0] }))
      let reader = try numbering("GB")
      #expect(Set(whole.phones.map { reader.key($0.value.number) }) == Set(parts.flatMap(\.phones).map { reader.key($0.value.number) }))
      #expect(whole.phones.count == Set(whole.phones.map { reader.key($0.value.number) }).count)
      #expect(Set(whole.emails.map { $0.value.lowercased() }) == Set(parts.flatMap(\.emails).map { $0.value.lowercased() }))
      #expect(Set(whole.notes.map(\.value)) == Set(parts.flatMap(\.notes).map(\.value)))
      // Full names that differ stand beside the first.
      let names = Set(parts.compactMap(\.fullName))
      #expect(
        names == Set([whole.fullName ?? ""] + whole.unclaimed.filter { $0.name == "FN" }.map { $0.value.replacing("\\,", with: ",") }))
      for part in parts {
        for phone in part.phones {
          let same = whole.phones.first { reader.key($0.value.number) == reader.key(phone.value.number) }
          #expect(same.map { Set($0.labels).isSuperset(of: phone.labels) } == true)
        }
      }
    }
  }

  /// Whatever order the contacts come in, the same people are found.
  @Test func theOrderMakesNoDifference() throws {
    var random = SeededNumbers(9)
    let people = (0..<20).map { Known($0, &random) }
    let texts = (0..<60).map { people[$0 % 20].card(&random, isWhole: false) }
    let records = try texts.map { KeptRecord(Record(try #require(Array(Persons($0)).first))) }
    func groups(_ order: [Int]) throws -> Set<Set<Int>> {
      var matcher = ContactMatcher(numbering: try numbering("GB"))
      for place in order { matcher.add(records[place].record) }
      return Set(matcher.plan().members.map { Set($0.map { order[$0] }) })
    }
    let forward = try groups(Array(records.indices))
    #expect(!forward.isEmpty)
    #expect(try groups(records.indices.reversed()) == forward)
    #expect(try groups(records.indices.map { ($0 * 7) % 60 }) == forward)
  }
}
