// What is known of the heads of lines never tells in what is written: many contacts together become what each becomes alone.
import CardSyntax
import People
import TestSupport
import Testing

@Suite struct KnownHeadTests {
  private static let heads = [
    "TEL", "TEL;TYPE=CELL,PREF", "TEL;CELL;PREF", "TEL;TYPE=CELL;PREF=1", "TEL;TYPE=HOME;PREF=2", "TEL;VALUE=uri", "TEL;X-VALUE=uri",
    "EMAIL;TYPE=INTERNET,OTHER", "EMAIL;INTERNET", "item1.EMAIL;TYPE=x-boat-house", "EMAIL;TYPE=home", "ADR;TYPE=HOME", "ADR;LABEL=\"a b\"",
    "ADR;LABEL=\"c d\";CC=de", "ADR;X-CC=de", "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE", "ORG", "ORG;SORT-AS=\"A\"", "URL;TYPE=HOME",
    "URL;VALUE=text", "UID", "UID;VALUE=text", "UID;CHARSET=UTF-8", "BDAY", "BDAY;VALUE=date", "REV", "REV;CHARSET=UTF-8", "NOTE",
    "NOTE;LANGUAGE=en", "NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8", "NOTE;X-ALTID=1", "CATEGORIES;TYPE=x", "NICKNAME;TYPE=work",
    "X-ANDROID-CUSTOM", "X-ANDROID-CUSTOM;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE", "X-FOO;TYPE=a", "X-OTHER-BDAY", "BIRTHPLACE;VALUE=uri",
    "X-BIRTHPLACE;X-VALUE=uri", "RELATED;TYPE=friend", "IMPP", "KIND", "GENDER", "X-ABDATE", "ANNIVERSARY", "CLASS", "MEMBER", "LANG", "TZ",
    "GEO", "item2.URL", "item2.X-ABLabel", "item2.TEL;TYPE=HOME", "TITLE;LANGUAGE=de", "LABEL;TYPE=HOME", "SORT-STRING",
  ]
  private static let item = "vnd.android.cursor.item/"
  private static let values = [
    "", "a", "a;b", "a,b", "a\\,b", "a\\;b", "a\\;b,c", "a\\nb", "a\\Nb", "a\\\\b", "a\\:b", "a\tb", "tel:+1-2", "+4 955 499",
    "+49;ext=5", "abc:def", "urn:uuid:1", "x y:z", "http://a.b/c,d;e", ";;1 Main St;Town;;123;Land", ";;1 Main St, 2;Town;;123;Land",
    "Doe;Jane;;;", "Doe,Roe;Jane;;;", "Doe\\;Jane;;;;", "1985-04-12", "19850412", "1604-04-12", "1985-02-30", "1985-04-12T10:00:00Z",
    "19850412T100000Z", "--0412", "Müller;Jörg;;;", "a,,b", ",a", "Acme, Inc.;Sales", "Acme;", "en", "48.1;16.3", "Home", "=41=C3=A9",
    item + "nickname;Bob;1;;;;;;;;;;;;;", item + "nickname;Bob, Rob;3;;;;;;;;;;;;;", item + "nickname;Rob;2;;;;;;;;;;;;;",
    item + "relation;Ann;0;boss;;;;;;;;;;;", item + "relation;Ann;14;;;;;;;;;;;;", item + "contact_event;1985-04-12;3;;;;;;;;;;;;",
    String(repeating: "word ", count: 30) + "end",
  ]

  /// Cards of a version with lines of these heads and values.
  private static func cards(_ version: CardVersion, _ count: Int, seed: UInt64) -> [String] {
    var random = Seeded(seed)
    return (0..<count).map { number in
      var lines = ["BEGIN:VCARD", "VERSION:\(version.text)", "FN:Name \(number)", "N:Doe;J\(number);;;"]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        lines.append("\(heads.randomElement(using: &random) ?? ""):\(values.randomElement(using: &random) ?? "")")
      }
      return lines.joined(separator: "\r\n") + "\r\nEND:VCARD\r\n"
    }
  }

  private func messages(_ findings: [Diagnostic]) -> [String] { findings.map { "\($0.rule.id): \($0.message)" } }

  @Test(arguments: writtenVersions, writtenVersions) func cardsBecomeTogetherWhatEachBecomesAlone(
    _ origin: CardVersion, _ target: CardVersion
  ) {
    let cards = Self.cards(origin, 150, seed: UInt64(origin.rawValue) &* 3 &+ UInt64(target.rawValue))
    let alone = cards.map { Document(origin.format, Array($0.utf8)).converted(to: target.format) }
    let together = Document(origin.format, Array(cards.joined().utf8)).converted(to: target.format)
    #expect(together.document.text == alone.map(\.document.text).joined())
    #expect(messages(together.findings).sorted() == alone.flatMap { messages($0.findings) }.sorted())
  }

  @Test(arguments: writtenVersions, writtenVersions) func recordsBecomeTogetherWhatEachBecomesAlone(
    _ origin: CardVersion, _ target: CardVersion
  ) {
    let cards = Self.cards(origin, 100, seed: 100 &+ UInt64(origin.rawValue) &* 3 &+ UInt64(target.rawValue))
    let records = cards.map { Document(origin.format, Array($0.utf8)).converted(to: .jsonl).document }
    let alone = records.map { $0.converted(to: target.format).document.text }
    let together = Document(.jsonl, records.flatMap(\.bytes)).converted(to: target.format).document.text
    #expect(together == alone.joined())
  }

  @Test(arguments: writtenVersions, writtenVersions) func rowsBecomeTogetherWhatEachBecomesAlone(
    _ origin: CardVersion, _ target: CardVersion
  ) {
    let cards = Self.cards(origin, 100, seed: 300 &+ UInt64(origin.rawValue) &* 3 &+ UInt64(target.rawValue))
    let table = Document(origin.format, Array(cards.joined().utf8)).converted(to: .csv).document
    let tables = cards.map { Document(origin.format, Array($0.utf8)).converted(to: .csv).document }
    for format in [ContactFormat.jsonl, target.format] {
      let alone = tables.map { $0.converted(to: format).document.text }
      #expect(table.converted(to: format).document.text == alone.joined())
    }
  }

  @Test(arguments: writtenVersions, writtenVersions) func cardsAreJudgedTogetherAsEachIsAlone(_ origin: CardVersion, _ judged: CardVersion)
  {
    let cards = Self.cards(origin, 150, seed: 200 &+ UInt64(origin.rawValue) &* 3 &+ UInt64(judged.rawValue))
    func found(_ text: String) -> [String] {
      var source = ContactSource(origin.format)
      let bytes = Array(text.utf8)
      source.feed(bytes.span)
      source.finish()
      var validator = Validator(against: judged)
      var found: [Diagnostic] = []
      while case .card(let batch, let index) = source.next() { found += validator.validate(batch, index) }
      return messages(found)
    }
    #expect(found(cards.joined()) == cards.flatMap(found))
  }
}
