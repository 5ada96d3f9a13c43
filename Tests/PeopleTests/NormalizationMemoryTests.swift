// Normalizing card after card: what was learnt of some changes nothing in others, and what is only counted is what would be told.
import Bytes
import CardSyntax
import TestSupport
import Testing

@testable import People

@Suite struct NormalizationMemoryTests {
  /// Heads of telephone numbers, and lines that go with them.
  private static let heads: [CardVersion: [String]] = [
    .v21: ["TEL;HOME:", "TEL;CELL;PREF:", "TEL:", "item1.TEL;VOICE:"],
    .v30: [
      "TEL;TYPE=HOME:", "TEL;TYPE=CELL,PREF:", "TEL:", "tel;type=Work;x-b=\"1\":", "item1.TEL:", "item2.TEL;TYPE=HOME:",
      "X-SKYPE-PSTNNUMBER:",
    ],
    .v40: [
      "TEL;VALUE=uri;TYPE=home:tel:", "TEL;TYPE=home:", "TEL;TYPE=\"cell,voice\";PREF=1;VALUE=uri:tel:", "TEL;VALUE=uri:", "TEL:",
      "item1.TEL;VALUE=uri:tel:", "TEL;TYPE=work;LABEL=\"a b\":", "TEL;ALTID=1;LANGUAGE=en:",
    ],
  ]

  private static let numbers = [
    "+44 20 7946 0999", "+44-20-7946-0998", "+442079460997", "+44 (0)20 7946 0996", "+44 20 7946 0995 x12", "020 7946 0994",
    "+1 202 555 0123",
    "+7 495 555 01 23 доб. 12", "+44 20 7946 0999;ext=5", "+44 20 7946\\, 0993", "not a number", "+44 20 7946 0991,,12#",
    "%2B44 20 7946 0992",
  ]

  /// Cards of a version with numbers under all its heads, in another order in each.
  private static func cards(_ version: CardVersion, _ random: inout Seeded) -> [String] {
    (0..<60).map { number in
      var lines = ["BEGIN:VCARD", "VERSION:\(version.text)", "FN:Mira \(number)", "N:Okafor;Mira;;;"]
      for _ in 0...random.below(5) { lines.append(random.pick(heads[version] ?? []) + random.pick(numbers)) }
      if random.oneIn(2) { lines.append("item1.X-ABLabel:Boathouse") }
      if random.oneIn(2) { lines.append("EMAIL:Mira@Example.NET") }
      if random.oneIn(2) { lines.append("NOTE: a long note that has to be folded since it is longer than seventy-five octets are") }
      return (lines + ["END:VCARD"]).map { $0 + "\r\n" }.joined()
    }
  }

  @Test(arguments: CardVersion.allCases, ["", "phones"])
  func learnsNothingWrong(version: CardVersion, step: String) {
    var random = Seeded(7)
    let cards = Self.cards(version, &random)
    let targets: [(CardVersion?, String?)] = [(nil, nil), (.v40, "GB"), (.v30, nil)]
    for (target, region) in targets {
      let only: Set<String>? = step.isEmpty ? nil : target == nil ? [step] : [step, "version"]
      let alone = cards.map { normalized($0, only: only, region: region, to: target).text }
      #expect(normalized(cards.joined(), only: only, region: region, to: target).text == alone.joined())
    }
  }

  /// How many findings there are of each rule and property.
  private static func sums(_ result: Normalized) -> [String: Int] {
    var sums: [String: Int] = [:]
    for finding in result.findings { sums["\(finding.rule.id) \(finding.property ?? "-")", default: 0] += 1 }
    for count in result.counts { sums["\(count.rule.id) \(count.property ?? "-")", default: 0] += count.count }
    return sums
  }

  @Test(arguments: CardVersion.allCases)
  func countsWhatItDoesNotTell(version: CardVersion) {
    var random = Seeded(8)
    let text = Self.cards(version, &random).joined() + Self.cards(.v30, &random).joined()
    let all = normalized(text, with: ["revision", "uid"], now: "2024-01-31T10:00:00Z")
    let firsts = normalized(text, with: ["revision", "uid"], now: "2024-01-31T10:00:00Z", telling: .firsts)
    let none = normalized(text, with: ["revision", "uid"], now: "2024-01-31T10:00:00Z", telling: .nothing)
    #expect(all.text == firsts.text && all.text == none.text && all.outcomes == firsts.outcomes && all.outcomes == none.outcomes)
    #expect(Self.sums(all) == Self.sums(firsts) && all.counts.isEmpty && none.counts.isEmpty)
    #expect(firsts.findings.count < all.findings.count)
    for rule in Set(all.findings.map(\.rule.id)) {
      #expect(all.findings.first { $0.rule.id == rule } == firsts.findings.first { $0.rule.id == rule })
    }
    #expect(none.findings.allSatisfy { !$0.rule.id.hasPrefix("normalize-") })
  }

  /// Blanks are found wherever they stand among the eight bytes that are looked at together.
  @Test func trimsAtEveryPlace() {
    func card(_ line: String) -> String { "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Mira\r\n\(line)\r\nEND:VCARD\r\n" }
    for length in 1..<17 {
      let text = String(repeating: "a", count: length)
      let clean = card("ADR:;;\(text)b;c,\(text);;\(text)\\; d;é")
      #expect(normalized(clean, only: ["trim"]).text == clean)
      for (part, blank) in [("b;", "b ;"), ("b;", "b\\n;"), (";c", "; c"), ("c,", "c\u{A0},"), (";é", ";\u{2003}é"), (";é", "; é")] {
        #expect(normalized(clean.replacing(part, with: blank), only: ["trim"]).text == clean)
      }
    }
  }

  @Test func sketchesAreEqualForEqualValues() {
    func sketch(_ text: String) -> UInt64 {
      let bytes = Array(text.utf8)
      return Sketch.text(bytes.span, 0, bytes.count)
    }
    func number(_ text: String) -> UInt64 {
      let bytes = Array(text.utf8)
      return Sketch.number(bytes.span, 0, bytes.count)
    }
    for text in ["", "a", "Mira Okafor", "mira.okafor@example.net", "Ünal", "0123456789012345678901234567890"] {
      #expect(sketch(text) == sketch(text.uppercased()))
      #expect(sketch("; ," + text + "\\.-") == sketch(text))
      #expect(sketch("x" + text) != sketch(text) && sketch(text + "x") != sketch(text))
    }
    #expect(number("tel:+44-20-7946-0999") == 460_999 && number("+1 (2) 3") == 123 && number("") == 0 && number("007") == 7)
  }
}
