// What a conversion says of what it changes: each loss once, with line and contact; and the summary without --report.
import TestSupport
import Testing

@testable import vcard

/// One way in which writing 3.0 changes a card, and what is said of it.
private struct Loss {
  let version: String
  /// What the card has besides; the finding is about the first of these lines.
  let lines: [String]
  let rule: String
  let property: String
  let message: String
  /// The card has no FN, which is the loss.
  var takesName = false
}

private let losses = [
  Loss(version: "3.0", lines: [], rule: "made-fn", property: "FN", message: "no FN; \"%\" was written", takesName: true),
  Loss(
    version: "4.0", lines: ["FN:Another name"], rule: "kept-as-other", property: "FN",
    message: "one FN too many for 3.0; kept as X-OTHER-FN"),
  Loss(
    version: "3.0", lines: ["REV:2020-01-01T00:00:00Z", "REV:2024-01-01T00:00:00Z"], rule: "left-out-duplicate", property: "REV",
    message: "REV is left out: another one is there"),
  Loss(
    version: "4.0", lines: ["X-JABBER:mira@example.net", "IMPP:xmpp:mira@example.net"], rule: "left-out-duplicate", property: "X-JABBER",
    message: "X-JABBER is left out: another line says the same"),
  Loss(
    version: "3.0", lines: ["TITLE:Captain, retired"], rule: "repaired", property: "TITLE",
    message: "TITLE: a comma that is not escaped; written right"),
  Loss(
    version: "4.0", lines: ["RELATED;TYPE=spouse;VALUE=text:Sam Okafor"], rule: "converted", property: "RELATED",
    message: "RELATED is written as X-ABRELATEDNAMES"),
  Loss(version: "4.0", lines: ["HOBBY:Sailing"], rule: "not-carried", property: "HOBBY", message: "3.0 has no HOBBY; kept as X-HOBBY"),
  Loss(
    version: "4.0", lines: ["URL;INDEX=2:https://example.com"], rule: "not-carried", property: "URL",
    message: "URL: 3.0 has no parameter INDEX; kept as X-INDEX"),
  Loss(
    version: "4.0", lines: ["ROLE:a\u{7}b"], rule: "dropped-characters", property: "ROLE",
    message: "ROLE: characters that no line may hold were left out"),
]

/// A file of cards that 3.0 can hold as they are, but for one loss of each kind.
private struct MixedFile {
  private(set) var text = ""
  /// What is lost, in the order of the file.
  private(set) var expected: [(loss: Loss, line: Int, contact: Int, name: String)] = []
  private var line = 1

  init(cards: Int, seed: UInt64) {
    var random = Seeded(seed)
    var places = Set<Int>()
    while places.count < losses.count { places.insert(random.below(cards)) }
    var rest = losses
    for number in 0..<cards {
      let loss = places.contains(number) ? rest.remove(at: random.below(rest.count)) : nil
      add(number, loss, &random)
    }
  }

  private mutating func add(_ number: Int, _ loss: Loss?, _ random: inout Seeded) {
    let version = loss?.version ?? random.pick(["2.1", "3.0", "4.0"])
    let given = random.pick(["Mira", "Jos\u{E9}", "Anh"])
    let name = "\(given) Okafor-\(number)"
    let isOld = version == "2.1"
    func encoded(_ text: String) -> String {
      guard isOld else { return ":" + text }
      return ";CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:" + text.replacing("\u{E9}", with: "=C3=A9")
    }
    var harmless = [
      isOld ? "TEL;CELL:+44 7700 900\(100 + random.below(900))" : "TEL;TYPE=cell:+44 7700 900\(100 + random.below(900))",
      isOld ? "EMAIL;INTERNET:mira\(number)@example.com" : "EMAIL;TYPE=work:mira\(number)@example.com",
      version == "4.0" ? "BDAY:19790414" : "BDAY:1979-04-14", "ADR\(isOld ? ";HOME" : ";TYPE=home"):;;12 Quay Lane;Bristol;;BS1 4ZZ;UK",
      "ORG:Tern & Vale;Survey", "X-OWN:\(number)",
      isOld ? "NOTE:short" : "NOTE:" + String(repeating: "long ", count: 12) + "\r\n  and folded",
    ].filter { _ in !random.oneIn(3) }
    harmless.shuffle(using: &random)
    let place = random.below(harmless.count + 1)
    var lines = ["BEGIN:VCARD", "VERSION:" + version, "N" + encoded("Okafor-\(number);\(given);;;")]
    if loss?.takesName != true { lines.append("FN" + encoded(name)) }
    lines += harmless[..<place]
    let lost = loss?.takesName == true ? 0 : lines.count
    lines += (loss?.lines ?? []) + harmless[place...] + ["END:VCARD"]
    let lineBreak = random.oneIn(4) ? "\n" : "\r\n"
    for (place, content) in lines.enumerated() {
      if let loss, place == lost { expected.append((loss, line, number, name)) }
      let written = content.replacing("\r\n", with: "\n").replacing("\n", with: lineBreak) + lineBreak
      line += written.count { $0 == "\n" || $0 == "\r\n" }
      text += written
    }
  }
}

@Suite struct LossReportTests {
  @Test(arguments: [1, 2, 3] as [UInt64]) func tellsEachLossOnce(_ seed: UInt64) throws {
    try withFolder { folder in
      let file = MixedFile(cards: 500, seed: seed)
      try writeFile(folder.file("mixed.vcf"), file.text)
      #expect(file.expected.count == losses.count)
      for jobs in [1, 3] {
        let found = try Finished("convert -t vcard3 --report text --jobs \(jobs) %/mixed.vcf", in: folder)
        let wanted = file.expected.map { loss, line, _, name in
          "\(folder)/mixed.vcf:\(line): info: \(loss.message.replacing("%", with: name)) (\(name)) [\(loss.rule)]\n"
        }
        #expect(found.errors == wanted.joined())
        // The control character is left out, and nobody asked for that.
        #expect(found.status == 1)
        #expect(found.output.split(separator: "\r\n").count { $0 == "END:VCARD" } == 500)
      }
      let found = try Finished("convert -t vcard3 --report json %/mixed.vcf", in: folder)
      let wanted = file.expected.map { loss, line, contact, name in
        let message = loss.message.replacing("%", with: name).replacing("\"", with: "\\\"")
        return #"{"file":"\#(folder)/mixed.vcf","line":\#(line),"severity":"info","rule":"\#(loss.rule)","message":"\#(message)","#
          + #""property":"\#(loss.property)","contact":\#(contact),"name":"\#(name)"}"# + "\n"
      }
      #expect(found.errors == wanted.joined())
    }
  }

  /// One line a rule, in the order in which the rules came up: how often, of which properties, where first.
  @Test func sumsUpWithoutReport() throws {
    try withFolder { folder in
      let file = MixedFile(cards: 500, seed: 4)
      try writeFile(folder.file("mixed.vcf"), file.text)
      var wanted = ""
      var told: Set<String> = []
      for (loss, line, _, name) in file.expected where told.insert(loss.rule).inserted {
        let properties = file.expected.filter { $0.loss.rule == loss.rule }.map(\.loss.property).sorted()
        let message = loss.message.replacing("%", with: name)
        let more =
          properties.count == 1
          ? " (\(name))" : "; the first of \(properties.count): " + properties.map { $0 + " 1" }.joined(separator: ", ")
        wanted += "\(folder)/mixed.vcf:\(line): info: \(message)\(more) [\(loss.rule)]\n"
      }
      #expect(told.count == 7)
      #expect(try Finished("convert -t vcard3 %/mixed.vcf", in: folder).errors == wanted)
    }
  }
}
