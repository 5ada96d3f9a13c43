// xCard (RFC 6351): both ways, what is not to the letter, and hostile XML.
import CardSyntax
import People
import Testing

private let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<vcards xmlns=\"urn:ietf:params:xml:ns:vcard-4.0\">\n"

/// The lines of the card of an xCard with these properties, without BEGIN, VERSION and END.
private func lines(_ properties: String) -> [String] {
  convert(head + "<vcard><fn><text>A</text></fn>\(properties)</vcard></vcards>", .xcard, to: .vcard4).lines.filter {
    !["BEGIN:VCARD", "VERSION:4.0", "FN:A", "END:VCARD"].contains($0)
  }
}

/// The element of a property in the xCard of a card with this line.
private func element(_ line: String) -> String? {
  let text = convert("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:A\r\n\(line)\r\nEND:VCARD\r\n", .vcard4, to: .xcard).text
  let start = head + "<vcard>\n<fn><text>A</text></fn>\n"
  guard text.hasPrefix(start), text.hasSuffix("\n</vcard>\n</vcards>\n") else { return text }
  return String(text.dropFirst(start.count).dropLast("\n</vcard>\n</vcards>\n".count))
}

@Suite struct XCardTests {
  @Test(arguments: [
    (
      "<n><surname>Perreault</surname><given>Simon</given><additional/><prefix/><suffix>ing. jr</suffix><suffix>M.Sc.</suffix></n>",
      "N:Perreault;Simon;;;ing. jr,M.Sc."
    ),
    ("<bday><date>--0203</date></bday>", "BDAY:--0203"),
    ("<anniversary><date-time>20090808T1430-0500</date-time></anniversary>", "ANNIVERSARY:20090808T1430-0500"),
    ("<gender><sex>F</sex><identity>x; y</identity></gender>", #"GENDER:F;x\; y"#), ("<gender><sex>M</sex></gender>", "GENDER:M"),
    ("<lang><parameters><pref><integer>1</integer></pref></parameters><language-tag>fr</language-tag></lang>", "LANG;PREF=1:fr"),
    ("<org><text>ABC; Inc</text><text>North</text></org>", #"ORG:ABC\; Inc;North"#),
    ("<categories><text>a</text><text>b, c</text></categories>", #"CATEGORIES:a,b\, c"#),
    (
      "<adr><pobox/><ext/><street>a</street><street>b, c</street><locality>City</locality><region/><code>1</code><country/></adr>",
      #"ADR:;;a,b\, c;City;;1;"#
    ),
    (
      "<tel><parameters><type><text>work</text><text>voice</text></type></parameters><uri>tel:+1-418-656-9254;ext=102</uri></tel>",
      "TEL;TYPE=work,voice;VALUE=uri:tel:+1-418-656-9254;ext=102"
    ),
    ("<note><text>a &lt; b &amp; c\nd</text></note>", #"NOTE:a < b & c\nd"#),
    (
      "<x-file><parameters><mediatype><text>image/jpeg</text></mediatype><x-a><unknown>1</unknown></x-a></parameters><unknown>a\\,b;c</unknown></x-file>",
      #"X-FILE;MEDIATYPE=image/jpeg;X-A=1:a\,b;c"#
    ),
    ("<x-n><integer>5</integer></x-n>", "X-N;VALUE=integer:5"), ("<x-b><boolean>true</boolean></x-b>", "X-B;VALUE=boolean:TRUE"),
    ("<clientpidmap><sourceid>1</sourceid><uri>urn:uuid:1</uri></clientpidmap>", "CLIENTPIDMAP:1;urn:uuid:1"),
    (
      "<a xmlns=\"http://www.w3.org/1999/xhtml\" href=\"x\">My &amp; page!</a>",
      "XML:<a xmlns=\"http://www.w3.org/1999/xhtml\" href=\"x\">My &amp; page!</a>"
    ),
    (
      "<group name=\"g1\">\n<tel><text>1</text></tel>\n<x-ablabel><unknown>Boat</unknown></x-ablabel>\n</group>",
      "g1.TEL:1\r\ng1.X-ABLabel:Boat"
    ),
  ]) func propertiesBothWays(_ xml: String, _ line: String) {
    #expect(lines(xml) == line.split(separator: "\r\n").map(String.init))
    #expect(element(line) == xml)
  }

  /// An XML value that is no element of another namespace is text (RFC 6350 6.1.5).
  @Test(arguments: [
    "<a>no namespace</a>", "<a xmlns=\"u\">", "<a xmlns=\"urn:ietf:params:xml:ns:vcard-4.0\"/>", "</vcard>", "<p:a xmlns=\"u\"/>", "text",
  ])
  func xmlThatIsNoneIsEscaped(_ value: String) {
    let written = element("XML:" + value)
    #expect(written == "<xml><text>" + value.replacing("<", with: "&lt;").replacing(">", with: "&gt;") + "</text></xml>")
    #expect(lines(written ?? "") == ["XML:" + value])
  }

  /// Escapes of vCard are undone and those of XML done in one pass; empty texts stand, and what is no separator ends nothing.
  @Test(arguments: [
    (#"X-A:a\nb & c"#, #"<x-a><unknown>a\nb &amp; c</unknown></x-a>"#),
    (#"NOTE:\\<\,>"\n;,\x\"#, "<note><text>\\&lt;,&gt;\"\n;,\\x\\</text></note>"),
    (#"NICKNAME:a\,b,c"#, "<nickname><text>a,b</text><text>c</text></nickname>"),
    (
      #"N:a,\,b;;c;;\;"#,
      "<n><surname>a</surname><surname>,b</surname><given/><additional>c</additional><prefix/><suffix>;</suffix></n>"
    ),
    (
      "ADR;LABEL=\"x ^'&^n\":;;;;;;",
      "<adr><parameters><label><text>x \"&amp;\n</text></label></parameters><pobox/><ext/><street/><locality/><region/><code/><country/></adr>"
    ),
    (#"ORG:a;;b\;c"#, "<org><text>a</text><text/><text>b;c</text></org>"),
    ("GENDER:;x;y", "<gender><sex/><identity>x</identity><identity>y</identity></gender>"),
    ("CLIENTPIDMAP:1;a;b", "<clientpidmap><sourceid>1</sourceid><uri>a;b</uri></clientpidmap>"),
    ("BDAY:20240229", "<bday><date>20240229</date></bday>"), ("BDAY:T10", "<bday><time>10</time></bday>"),
    ("X-B;VALUE=boolean:TRUE", "<x-b><boolean>true</boolean></x-b>"),
    (
      "X-C;VALUE=x-a-type-of-a-name-that-is-rather-long:1",
      "<x-c><x-a-type-of-a-name-that-is-rather-long>1</x-a-type-of-a-name-that-is-rather-long></x-c>"
    ),
  ]) func textsOfValues(_ line: String, _ xml: String) {
    #expect(element(line) == xml)
    // The second time it is written from what is remembered.
    let lines = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:A\r\n\(line)\r\nX-D:\r\nX-E:1\r\nEND:VCARD\r\n"
    let text = convert(lines + lines, .vcard4, to: .xcard).text
    #expect(text.split(separator: xml + "\n", omittingEmptySubsequences: false).count == 3)
  }

  /// A namespace that was declared further out goes with the element.
  @Test func foreignElementsTakeTheirNamespacesAlong() {
    let text =
      "<v:vcards xmlns:v=\"urn:ietf:params:xml:ns:vcard-4.0\" xmlns:e=\"http://example.com/e\"><v:vcard><v:fn><v:text>A</v:text></v:fn>"
      + "<e:color>red</e:color></v:vcard></v:vcards>"
    let converted = convert(text, .xcard, to: .vcard4)
    #expect(converted.lines.contains("XML:<e:color xmlns:e=\"http://example.com/e\">red</e:color>") && converted.findings.isEmpty)
  }

  /// What is not to the letter, and how it is taken.
  @Test(arguments: [
    ("<note>bare</note>", "NOTE:bare", Severity.warning), ("<bday><date>1985-04-12</date></bday>", "BDAY:19850412", nil),
    ("<bday><time>102200</time></bday>", "BDAY:T102200", nil),
    ("<tel><parameters><type>work</type></parameters><text>1</text></tel>", "TEL;TYPE=work:1", .warning),
    ("<url><uri>\n  https://example.com\n</uri></url>", "URL:https://example.com", nil),
    ("<note><text>a<b>c</b></text></note>", "NOTE:ac", .warning), ("<note><text>&nbsp;x</text></note>", "NOTE:&nbsp;x", .warning),
    ("<NOTE><Text>x</Text></NOTE>", "NOTE:x", nil), ("<note><text><![CDATA[a<b]]></text></note>", "NOTE:a<b", nil),
    ("<group><note><text>x</text></note></group>", "NOTE:x", .warning),
  ]) func readsWhatIsNotToTheLetter(_ xml: String, _ line: String, _ severity: Severity?) {
    #expect(lines(xml) == [line])
    let found = convert(head + "<vcard><fn><text>A</text></fn>\(xml)</vcard></vcards>", .xcard, to: .json).findings
    #expect(found.map(\.severity).max() == severity)
    for finding in found { #expect(finding.message.hasPrefix("vcard") && (finding.line ?? 0) >= 3) }
  }

  @Test func damageCostsItsOwnCard() {
    let card = "<vcard><fn><text>A</text></fn></vcard>"
    for broken in [
      "<vcard><fn><text>B</fn></vcard>", "<vcard><fn><text>B</text></fn>", "<vcard><fn <text>B</text></fn></vcard>", "<x></y>",
    ] {
      let converted = convert(head + card + "\n" + broken + card + "</vcards>", .xcard, to: .vcard4)
      #expect(converted.lines.filter { $0 == "FN:A" }.count == 2, "\(broken)")
      #expect(converted.findings.contains { $0.severity == .error && $0.line == 4 }, "\(broken)")
    }
    let inside = convert(
      head + "<vcard><fn><text>A</text></fn><note><text>x</text></note>\n<tel a><text>1</text></tel></vcard></vcards>", .xcard, to: .vcard4)
    #expect(inside.lines.contains("NOTE:x") && inside.findings.contains { $0.line == 4 && $0.leftOut })
    #expect(convert("hello", .xcard, to: .vcard4).findings.map(\.severity) == [.error])
    #expect(convert(head + "</vcards>", .xcard, to: .xcard).text == head + "</vcards>\n")
  }

  /// No entity is expanded, no document type is read.
  @Test func entitiesAreNotExpanded() {
    let text =
      "<!DOCTYPE x [<!ENTITY a \"AAAAAAAAAA\"><!ENTITY b \"&a;&a;&a;\"><!ENTITY f SYSTEM \"file:///etc/passwd\">]>\n<vcards "
      + "xmlns=\"urn:ietf:params:xml:ns:vcard-4.0\"><vcard><fn><text>&b;&f;</text></fn></vcard></vcards>"
    let converted = convert(text, .xcard, to: .vcard4)
    #expect(converted.lines.contains("FN:&b;&f;") && converted.findings.contains { $0.severity == .warning })
  }

  @Test func encodingsAreRead() {
    let text =
      "<?xml version='1.0' encoding='iso-8859-1'?><vcards xmlns='urn:ietf:params:xml:ns:vcard-4.0'><vcard><fn><text>Zo\u{EB}</text></fn></vcard></vcards>"
    let latin = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    #expect(convert(latin, .xcard, to: .vcard4).lines.contains("FN:Zo\u{EB}"))
    let units = text.replacing("iso-8859-1", with: "UTF-16").utf16
    let wide: [UInt8] = [0xFF, 0xFE] + units.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    for piece in [1, 7, wide.count] { #expect(convert(wide, .xcard, to: .vcard4, piece: piece).lines.contains("FN:Zo\u{EB}")) }
  }

  @Test func noValueBecomesALine() {
    let converted = convert(
      head
        + "<vcard><fn><text>A&#13;&#10;X-EVIL:1&#0;</text></fn><group name=\"g&#10;X-EVIL:1\"><url><uri>x:&#10;X-EVIL:1</uri></url></group><end><text>VCARD</text></end>"
        + "<x-u><unknown>\nX-EVIL:1</unknown></x-u></vcard></vcards>", .xcard, to: .vcard4)
    #expect(!converted.lines.contains { $0.hasPrefix("X-EVIL") } && converted.lines.filter { $0 == "END:VCARD" }.count == 1)
    let json = convert("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:A<b>&\"]]>\r\nEND:VCARD\r\n", .vcard4, to: .xcard)
    #expect(json.text.contains("<fn><text>A&lt;b&gt;&amp;\"]]&gt;</text></fn>"))
  }

  @Test func hostileTextNeverCrashes() {
    let card = Array(
      (head
        + "<vcard><group name='g'><fn><parameters><a><text>b</text></a></parameters><text>A&amp;&#xd800;</text></fn></group><n><surname>x</surname></n><y:z xmlns:y='u'/>"
        + "<![CDATA[x]]><!-- c --></vcard></vcards>").utf8)
    for end in card.indices { _ = convert(Array(card[..<end]), .xcard, to: .xcard) }
    for place in card.indices {
      for mask: UInt8 in [0x5A, 0x02, 0x80] {
        var damaged = card
        damaged[place] ^= mask
        _ = convert(damaged, .xcard, to: .vcard4)
      }
    }
    let deep = head + "<vcard>" + String(repeating: "<x-a>", count: 10_000)
    #expect(convert(deep, .xcard, to: .vcard4).findings.contains { $0.severity == .error && $0.line == 3 })
    let many = head + "<vcard><fn><text>A</text></fn>" + String(repeating: "<note><text>x</text></note>", count: 3000) + "</vcard></vcards>"
    #expect(convert(many, .xcard, to: .vcard4, piece: 100).lines.count == 3004)
  }
}
