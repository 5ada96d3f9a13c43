// What one version of vCard writes of a card of another, and what comes back (dialects E.1 to E.4).
import CardSyntax
import People
import TestSupport
import Testing

@Suite struct VersionTests {
  /// A card of a version with these lines.
  private func card(_ version: CardVersion, _ lines: [String]) -> String {
    let name = version == .v40 ? [] : ["N:Okafor;Mira;;;"]
    return (["BEGIN:VCARD", "VERSION:\(version.text)", "FN:Mira Okafor"] + name + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
  }

  /// The content lines of a text, unfolded, without those that every card has.
  private func lines(_ text: String) -> [String] {
    text.replacing("\r\n ", with: "").split(whereSeparator: \.isNewline).map(String.init).filter { line in
      !["BEGIN:", "VERSION:", "FN:", "N:", "END:"].contains { line.hasPrefix($0) }
    }
  }

  private func converted(_ lines: [String], _ from: CardVersion, through formats: ContactFormat...) -> [String] {
    let start = Document(from.format, Array(card(from, lines).utf8))
    return self.lines(start.converted(through: formats).text)
  }

  /// Every line that the validator warns of in cards of a version with these lines.
  private func warnings(_ lines: [String], _ version: CardVersion) -> [String] {
    var source = ContactSource(version.format)
    let bytes = Array(card(version, lines).utf8)
    source.feed(bytes.span)
    source.finish()
    var found: [String] = []
    var validator = Validator()
    while case .card(let batch, let index) = source.next() {
      found += validator.validate(batch, index).filter { $0.severity > .info }.map { "\($0.property ?? ""): \($0.message)" }
    }
    return found
  }

  private static let v40 = CardVersion.v40, v30 = CardVersion.v30, v21 = CardVersion.v21

  /// Lines of one version, what another one makes of them, and whether they come back as they were.
  static let pairs: [(from: CardVersion, lines: [String], to: CardVersion, written: [String])] = [
    // Words that 4.0 does not have become a label; X-TYPE keeps them.
    (
      v30, ["TEL;TYPE=WhatsApp:+1 206 555 0100"], v40,
      ["item1.TEL;X-TYPE=WhatsApp:+1 206 555 0100", "item1.X-ABLabel:WhatsApp"]
    ),
    (v30, ["EMAIL;TYPE=CELL:m@example.com"], v40, ["item1.EMAIL;X-TYPE=CELL:m@example.com", "item1.X-ABLabel:_$!<Mobile>!$_"]),
    (v30, ["TEL;TYPE=OTHER,VOICE:1"], v40, ["item1.TEL;TYPE=VOICE;X-TYPE=OTHER,VOICE:1", "item1.X-ABLabel:_$!<Other>!$_"]),
    (
      v30, ["item4.TEL;TYPE=WhatsApp:1", "item4.X-ABLabel:boat"], v40,
      ["item4.TEL;TYPE=x-WhatsApp;X-TYPE=WhatsApp:1", "item4.X-ABLabel:boat"]
    ),
    (
      v30, ["IMPP;TYPE=personal,mobile:sip:m@example.com"], v40,
      ["item1.IMPP;TYPE=x-personal;X-TYPE=personal,mobile:sip:m@example.com", "item1.X-ABLabel:_$!<Mobile>!$_"]
    ),
    (
      v30, ["IMPP;TYPE=WhatsApp:x-apple:mira"], v40,
      ["item1.IMPP;X-TYPE=WhatsApp;SERVICE-TYPE=whatsapp:x-apple:mira", "item1.X-ABLabel:WhatsApp"]
    ),
    (v30, ["BDAY;TYPE=home:1979-04-14"], v40, ["BDAY;X-TYPE=home:19790414"]),
    // Several first choices are numbered.
    (
      v30, ["TEL;TYPE=pref:1", "TEL;TYPE=HOME,pref:2", "TEL:3", "EMAIL;TYPE=pref:m@example.com"], v40,
      ["TEL;PREF=1:1", "TEL;TYPE=home;PREF=2;X-TYPE=pref:2", "TEL:3", "EMAIL;PREF=1:m@example.com"]
    ),
    (v40, ["TEL;PREF=30:1", "TEL;PREF=20:2", "TEL:3"], v30, ["TEL;X-PREF=30:1", "TEL;TYPE=pref;X-PREF=20:2", "TEL:3"]),
    (v40, ["TEL;PREF=30:1", "TEL;PREF=20:2", "TEL:3"], v21, ["TEL;X-PREF=30:1", "TEL;PREF;X-PREF=20:2", "TEL:3"]),
    (v40, ["TEL;PREF=1:1", "TEL;PREF=1:2"], v30, ["TEL;TYPE=pref:1", "TEL;TYPE=pref;X-PREF=1:2"]),
    // Types of values.
    (v40, ["TEL;VALUE=uri:tel:+1-206-555-0100;ext=5"], v30, [#"TEL;X-VALUE=uri:+1-206-555-0100\;ext=5"#]),
    (v40, ["TEL;VALUE=uri:tel:+1-206-555-0100;ext=5"], v21, ["TEL;X-VALUE=uri:+1-206-555-0100;ext=5"]),
    (v30, [#"SOUND:Mee-ra\, Oh"#], v40, ["SOUND:data:;charset=utf-8,Mee-ra,%20Oh"]),
    (v40, ["TZ:Europe/London"], v21, ["X-TZ:Europe/London"]),
    (v40, ["TZ;VALUE=utc-offset:-0500"], v21, ["TZ:-05:00"]),
    (v30, ["X-MS-IMADDRESS:m@example.com"], v40, ["X-MS-IMADDRESS:m@example.com"]),
    // Dates and times.
    (v40, ["BDAY:19790414T1530Z"], v30, ["BDAY;X-OMIT-TIME=seconds;VALUE=date-time:1979-04-14T15:30:00Z"]),
    (v40, ["BDAY:1979-04"], v30, ["X-BDAY:1979-04"]),
    (v40, ["BDAY:1979"], v21, ["X-BDAY:1979"]),
    (v40, ["BDAY;VALUE=text:circa 1800"], v30, ["X-BDAY:circa 1800"]),
    (v40, ["BDAY:--0414"], v30, ["BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-14"]),
    (v40, ["ANNIVERSARY:1999"], v30, ["X-ANNIVERSARY:1999"]),
    (
      v40, ["ANNIVERSARY:19990102"], v30,
      ["X-ANNIVERSARY:1999-01-02", "item1.X-ABDATE:1999-01-02", "item1.X-ABLabel:_$!<Anniversary>!$_"]
    ),
    (v30, ["REV:2020-01-02"], v40, ["REV;X-OMIT-TIME=hours:20200102T000000Z"]),
    (v30, ["REV:2017-05-10T14:36:01Z(2)"], v40, ["REV;X-REVISION=2:20170510T143601Z"]),
    (v40, ["BIRTHPLACE;VALUE=uri:geo:1,2"], v30, [#"X-BIRTHPLACE;X-VALUE=uri:geo:1\,2"#]),
    (v40, ["UID;VALUE=text:abc"], v30, ["UID:abc"]),
    (v30, ["CLASS:PRIVATE"], v21, ["X-CLASS:PRIVATE"]),
    (v30, ["X-ALTBDAY;CALSCALE=chinese:007800310318"], v40, ["X-ALTBDAY;CALSCALE=chinese:007800310318"]),
    (v30, ["X-ALTBDAY;CALSCALE=chinese:007800310318"], v21, ["X-ALTBDAY;CALSCALE=chinese:007800310318"]),
    // Structured values of 2.1.
    (
      v40, [#"ORG:C:\\new;R\;D"#], v21,
      [#"ORG;X-PARTS="C:/bnew|R;D":C:\new;R\;D"#]
    ),
  ]

  @Test(arguments: pairs.indices) func anotherVersionKeepsItAndGivesItBack(_ index: Int) {
    let pair = Self.pairs[index]
    let written = converted(pair.lines, pair.from, through: pair.to.format)
    #expect(written == pair.written)
    #expect(converted(pair.lines, pair.from, through: pair.to.format, pair.from.format) == pair.lines)
    #expect(warnings(written, pair.to) == [])
    let person = Document(pair.from.format, Array(card(pair.from, pair.lines).utf8)).persons
    let other = Document(pair.from.format, Array(card(pair.from, pair.lines).utf8)).converted(through: [
      pair.to.format, .json, pair.from.format,
    ]).persons
    #expect(other.map(\.withoutTraces) == person.map(\.withoutTraces))
  }

  @Test func valuesOfCardsOfTheVersionStay() {
    let lines = ["TEL;TYPE=WhatsApp;VALUE=uri:tel:+1-206-555-0100", "EMAIL;TYPE=school:m@example.com"]
    #expect(converted(lines, .v40, through: .vcard4) == lines)
  }

  @Test func picturesThatNothingMarksAreRead() {
    let base64 = "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
    #expect(converted(["PHOTO:" + base64], .v30, through: .vcard4) == ["PHOTO:data:image/jpeg;base64," + base64])
    #expect(converted(["PHOTO;ENCODING=b:?!"], .v30, through: .vcard4) == ["PHOTO:data:;charset=utf-8,?!"])
  }

  /// Our own 3.0 writes an anniversary twice; JSON keeps both lines, and 4.0 needs one.
  @Test func whatOnlySaysAgainIsLeftOutByWayOfJSON() {
    #expect(converted(["ANNIVERSARY:19990102"], .v40, through: .vcard3, .json, .vcard4) == ["ANNIVERSARY:19990102"])
    #expect(
      converted(["ANNIVERSARY:19990102"], .v40, through: .vcard3, .json, .vcard3) == [
        "X-ANNIVERSARY:1999-01-02", "item1.X-ABDATE:1999-01-02", "item1.X-ABLabel:_$!<Anniversary>!$_",
      ])
  }

  @Test func aBackslashBeforeAnExtensionComesBackFrom21() {
    let lines = [#"TEL:n\\;ext=9"#]
    #expect(converted(lines, .v40, through: .vcard21, .vcard4) == lines)
  }

  @Test func everyLabelComesBack() throws {
    var person = Person()
    person.fullName = "Mira Okafor"
    person.phones = [Labeled("555 0100", "boat house", "Zoë's", "home"), Labeled("555 0101", "other", "school")]
    for version in writtenVersions {
      let text = person.vCard(version)
      let found = try #require(Document(version.format, Array(text.utf8)).persons.first)
      #expect(found.phones.map { Set($0.labels) } == person.phones.map { Set($0.labels) }, "\(text)")
    }
  }

  @Test func aQuoteInAParameterIsTold() {
    for version in [CardVersion.v21, .v30] {
      let found = convert(card(.v40, ["NOTE;X-OWN=a^'b:x"]), .vcard4, to: version.format).findings
      #expect(found.contains { $0.rule.id == "dropped-characters" && $0.message.contains("quote") && $0.property == "NOTE" && $0.leftOut })
    }
  }

  /// What is lost for good ends a strict run.
  @Test func whatIsLostIsTold() {
    for (from, line, to) in [
      (CardVersion.v30, "REV:2020-01-02T03:04:05.678Z", CardVersion.v40), (.v40, "NOTE:a\u{7}b", .v30), (.v40, "BDAY:1979", .v30),
    ] {
      let found = convert(card(from, [line]), from.format, to: to.format).findings
      #expect(found.contains { $0.leftOut } == !line.hasPrefix("BDAY"), "\(found)")
    }
  }
}
