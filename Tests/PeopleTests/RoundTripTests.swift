// Generated persons through every format and version, and mixes of them: what comes back is what went in.
//
// Each test goes through seeds 1 to 1000; `VCARD_SEEDS=50000 swift test --filter RoundTripTests` takes more. Failures name their seed.
import CardSyntax
import People
import TestSupport
import Testing

@Suite struct RoundTripTests {
  /// The seeds of a test, in parts that run side by side.
  static let parts = 0..<8

  /// Persons of one part of the seeds, some in one document, so that contacts stand beside others.
  private func forEachPerson(part: Int, of share: Int = 1, reach: PersonGenerator.Reach, _ body: (Int, Person) -> Void) {
    for seed in stride(from: part + 1, through: max(8, Checkout.seeds / share), by: Self.parts.count) {
      body(seed, PersonGenerator.person(seed, reach: reach))
    }
  }

  private func check(_ seed: Int, _ found: [Person], _ wanted: Person, _ text: @autoclosure () -> String) {
    #expect(found.count == 1, "seed \(seed)")
    guard let found = found.first?.withoutTraces, found != wanted.withoutTraces else { return }
    Issue.record("seed \(seed)\n\(difference(found, wanted.withoutTraces))\n\(text())")
  }

  @Test(arguments: writtenVersions, parts) func cards(_ version: CardVersion, _ part: Int) {
    forEachPerson(part: part, reach: .init(version)) { seed, person in
      let text = person.vCard(version)
      let document = Document(version.format, Array(text.utf8))
      check(seed, document.persons, person, text)
    }
  }

  /// A card that was written is right: writing it again in its version changes no byte.
  @Test(arguments: writtenVersions, parts) func writtenCardsAreRight(_ version: CardVersion, _ part: Int) {
    forEachPerson(part: part, of: 4, reach: .init(version)) { seed, person in
      let text = person.vCard(version)
      let again = Document(version.format, Array(text.utf8)).converted(to: version.format).document.text
      if version == .v21 {
        // The two lines of an anniversary may change places, since lines of 2.1 are never copied.
        func lines(_ text: String) -> [Substring] { text.split(separator: "\r\n").sorted() }
        #expect(lines(again) == lines(text), "seed \(seed)")
      } else {
        #expect(again == text, "seed \(seed)")
      }
      // 2.1 is not folded (vCard 2.1 2.1.3), only its quoted-printable has lines of a width.
      for line in text.utf8.split(separator: 10) where version != .v21 { #expect(line.count <= 76, "seed \(seed)") }
    }
  }

  @Test(arguments: [ContactFormat.json, .jsonl, .csv, .tsv], parts) func data(_ format: ContactFormat, _ part: Int) {
    forEachPerson(part: part, of: format == .json || format == .csv ? 1 : 4, reach: .v40) { seed, person in
      let document = Document([person]).converted(to: format).document
      check(seed, document.persons, person, document.text)
    }
  }

  static let ways: [[ContactFormat]] = [
    [.vcard4, .vcard3, .vcard4], [.vcard3, .vcard4, .vcard3], [.vcard4, .json, .vcard3, .csv, .vcard4],
    [.vcard3, .jsonl, .csv, .vcard3, .tsv, .json], [.vcard3, .vcard21, .json, .vcard4],
  ]

  /// 4.0 to 3.0 to 4.0, 3.0 to 4.0 to 3.0, and by way of 2.1, JSON and CSV: the same person.
  @Test(arguments: ways, parts) func versions(_ way: [ContactFormat], _ part: Int) {
    travel(way, part, of: 4)
  }

  /// 4.0 to 2.1 and back, with all that 2.1 has no form for: lists in components, backslashes, line breaks in parameters.
  @Test(arguments: parts) func byWayOf21(_ part: Int) {
    travel([.vcard4, .vcard21, .vcard4], part)
  }

  private func travel(_ way: [ContactFormat], _ part: Int, of share: Int = 1) {
    forEachPerson(part: part, of: share, reach: .since30) { seed, person in
      var document = Document([person]).converted(to: way[0]).document
      var steps = document.text
      for format in way.dropFirst() {
        document = document.converted(to: format).document
        steps += "\n" + document.text
      }
      check(seed, document.persons, person, steps)
    }
  }
}
