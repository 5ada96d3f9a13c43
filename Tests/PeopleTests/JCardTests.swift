// jCard (RFC 7095): what is read, also where it is not to the letter, and what comes back.
import CardSyntax
import People
import Testing

/// The lines of the card of a jCard with these properties, without BEGIN, VERSION and END.
private func lines(_ properties: String) -> [String] {
  let converted = convert("[\"vcard\",[[\"version\",{},\"text\",\"4.0\"],[\"fn\",{},\"text\",\"A\"],\(properties)]]", .jcard, to: .vcard4)
  return converted.lines.filter { !["BEGIN:VCARD", "VERSION:4.0", "FN:A", "END:VCARD"].contains($0) }
}

/// The property of the jCard of a card with this line.
private func property(_ line: String) -> String? {
  let text = convert("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:A\r\n\(line)\r\nEND:VCARD\r\n", .vcard4, to: .jcard).text
  let head = "[\"vcard\",[[\"version\",{},\"text\",\"4.0\"],[\"fn\",{},\"text\",\"A\"],"
  guard text.hasPrefix(head), text.hasSuffix("]]\n") else { return nil }
  return String(text.dropFirst(head.count).dropLast(3))
}

@Suite struct JCardTests {
  /// RFC 7095 3.3 to 3.6 and 5: both ways, the same property.
  @Test(arguments: [
    (#"["tel",{"group":"item1","type":["work","voice"]},"text","+1 555 0191"]"#, "item1.TEL;TYPE=work,voice:+1 555 0191"),
    (#"["note",{},"text","a, b; c\\d\nnext"]"#, #"NOTE:a\, b; c\\d\nnext"#),
    (#"["categories",{},"text","computers","came,ras"]"#, #"CATEGORIES:computers,came\,ras"#),
    (
      #"["adr",{},"text",["","",["My Street","Left, Side"],"Home;town","PA","18252","U.S.A."]]"#,
      #"ADR:;;My Street,Left\, Side;Home\;town;PA;18252;U.S.A."#
    ),
    (#"["org",{},"text",["ABC; Inc","Unit, One"]]"#, #"ORG:ABC\; Inc;Unit\, One"#),
    (#"["org",{},"text","ABC; Inc"]"#, #"ORG:ABC\; Inc"#),
    (#"["gender",{},"text",["F","grrrl"]]"#, "GENDER:F;grrrl"),
    (#"["bday",{},"date-and-or-time","--04-12"]"#, "BDAY:--0412"),
    (#"["anniversary",{},"date-and-or-time","2010-09-07T15:20:00-05:00"]"#, "ANNIVERSARY:20100907T152000-0500"),
    (#"["rev",{},"timestamp","1996-11-30T21:26:09Z"]"#, "REV:19961130T212609Z"),
    (#"["lang",{"pref":"1"},"language-tag","fr"]"#, "LANG;PREF=1:fr"),
    (#"["tz",{},"utc-offset","-05:00"]"#, "TZ;VALUE=utc-offset:-0500"),
    (#"["x-karma-points",{},"integer",42]"#, "X-KARMA-POINTS;VALUE=integer:42"),
    (#"["x-grade",{},"float",1.3]"#, "X-GRADE;VALUE=float:1.3"),
    (#"["x-non-smoking",{},"boolean",true]"#, "X-NON-SMOKING;VALUE=boolean:TRUE"),
    (#"["x-time",{},"time","12:30:00"]"#, "X-TIME;VALUE=time:123000"),
    (#"["x-tea",{},"unknown","Oolong;Assam\\,India\\\\x"]"#, #"X-TEA:Oolong;Assam\,India\\x"#),
    (#"["x-text",{},"text","a;b, c"]"#, #"X-TEXT;VALUE=text:a;b\, c"#),
    (#"["email",{"x-a":"say \"hi\"\n^"},"text","a@example.com"]"#, "EMAIL;X-A=say ^'hi^'^n^^:a@example.com"),
    (#"["url",{},"uri","https://example.com/a,b;c"]"#, "URL:https://example.com/a,b;c"),
  ]) func propertiesBothWays(_ jcard: String, _ line: String) {
    #expect(lines(jcard) == [line])
    #expect(property(line) == jcard)
  }

  /// A line's folds, line ends and the place of VERSION are no matter of a jCard.
  @Test func linesOfAnyFormGiveTheSameProperties() {
    let lines = ["FN:A", "item1.TEL;TYPE=home;PREF=1:+1 555 0100", "item1.X-ABLabel:Desk", "item2.TEL;TYPE=home;PREF=1:+1 555 0101"]
    let right = convert((["BEGIN:VCARD", "VERSION:4.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n"), .vcard4, to: .jcard)
    for text in [
      (["BEGIN:VCARD", "VERSION:4.0"] + lines + ["END:VCARD", ""]).joined(separator: "\n"),
      (["BEGIN:VCARD"] + lines + ["version:4.0", "END:VCARD", ""]).joined(separator: "\r\n"),
      (["BEGIN:VCARD", "VERSION:4.0"] + lines.map { $0.prefix(3) + "\r\n " + $0.dropFirst(3) } + ["END:VCARD", ""]).joined(
        separator: "\r\n"),
    ] {
      #expect(convert(text, .vcard4, to: .jcard).text == right.text)
    }
    #expect(right.text.contains(#"["tel",{"group":"item2","type":"home","pref":"1"},"text","+1 555 0101"]"#))
  }

  /// A parameter that comes twice has all its values, where it came first; the words of one quoted TYPE are several.
  @Test func repeatsOfAParameterAreOne() {
    #expect(
      property("TEL;X-A=1;TYPE=home;X-B=2;x-a=3;TYPE=\"cell,voice\":1")
        == #"["tel",{"x-a":["1","3"],"type":["home","cell","voice"],"x-b":"2"},"text","1"]"#)
  }

  /// What servers send that is not to the letter, and how it is taken: the line, and the severity of what is said about it.
  @Test(arguments: [
    (#"["tel",null,"uri","tel:+1-555-0100"]"#, "TEL;VALUE=uri:tel:+1-555-0100", Severity.warning),
    (#"["tel",[],"text","+1 555 0100"]"#, "TEL:+1 555 0100", .warning),
    (#"["note","text","No parameters"]"#, "NOTE:No parameters", .warning),
    (#"["note",{},"No type"]"#, "NOTE:No type", .warning),
    (#"["tel",{},"text",15550100]"#, "TEL:15550100", nil),
    (#"["adr",{},"text",["","",null,"City",null,"1",7]]"#, "ADR:;;;City;;1;7", nil),
    (#"["adr",{},"text",["","",[["a",["b"]]],"C","","",""]]"#, "ADR:;;a,b;C;;;", .warning),
    (#"["bday",{},"date-and-or-time","circa 1800"]"#, "BDAY;VALUE=text:circa 1800", .warning),
    (#"["item1.email",{},"text","a@example.com"]"#, "item1.EMAIL:a@example.com", .warning),
    (#"["email",{"pref":1,"type":null},"text","a@example.com"]"#, "EMAIL;PREF=1:a@example.com", nil),
    (#"["x-n",{},"integer",4.2e1]"#, "X-N;VALUE=integer:42", nil),
    (#"["x-n",{},"float",15e-4]"#, "X-N;VALUE=float:0.0015", nil),
    (#"["x-n",{},"integer",1e999999999]"#, "X-N;VALUE=integer:1e999999999", .warning),
    (#"["TEL",{"TYPE":"Work"},"TEXT","+1 555 0100"]"#, "TEL;TYPE=Work:+1 555 0100", nil),
  ]) func readsWhatIsNotToTheLetter(_ jcard: String, _ line: String, _ severity: Severity?) {
    #expect(lines(jcard) == [line])
    let found = convert("[\"vcard\",[[\"version\",{},\"text\",\"4.0\"],[\"fn\",{},\"text\",\"A\"],\(jcard)]]", .jcard, to: .json).findings
    #expect(found.map(\.severity).max() == severity)
    for finding in found { #expect(finding.message.hasPrefix("/1/2") && finding.line == 1) }
  }

  /// A member that is no property costs only itself.
  @Test(arguments: [
    "5", "{\"a\":[1]}", "[]", "[5,[6]]", "\"tel\"", "null", "[\"end\",{},\"text\",\"vcard\"]", "[\"\\n\",{},\"text\",\"x\"]",
  ])
  func skipsWhatIsNoProperty(_ wrong: String) {
    #expect(lines("\(wrong),[\"note\",{},\"text\",\"kept\"]") == ["NOTE:kept"])
    let found = convert("[\"vcard\",\n[[\"version\",{},\"text\",\"4.0\"],\n\(wrong)]]", .jcard, to: .json).findings
    #expect(found.contains { $0.severity == .error && $0.leftOut && $0.line == 3 && $0.message.hasPrefix("/1/1") })
  }

  @Test func readsSingleCardsArraysAndStreams() {
    let one = #"["vcard",[["version",{},"text","4.0"],["fn",{},"text","A"]]]"#
    for (text, count) in [(one, 1), ("[\(one),\(one)]", 2), ("\(one)\n\(one)\n[\(one)]", 3), ("[[\(one)],[[\(one)]]]", 2), ("[]", 0)] {
      #expect(convert(text, .jcard, to: .vcard4).count == count, "\(text)")
      let whole = convert(text, .jcard, to: .json)
      for piece in [1, 2, 7] { #expect(convert(text, .jcard, to: .json, piece: piece).text == whole.text) }
    }
    #expect(convert("[\"vcardstream\",\(one),\(one)]", .jcard, to: .vcard4).count == 2)
  }

  @Test func theVersionMayStandAnywhereOrBeMissing() {
    let late = convert(
      #"["vcard",[["fn",{},"text","A"],["email",{"x-a":"^n"},"text","a@b"],["version",{},"text","3.0"]]]"#, .jcard, to: .json)
    #expect(late.text.contains(#""version":"3.0""#) && late.text.contains(#""x-a":["^n"]"#) && late.findings.isEmpty)
    let missing = convert(#"["vcard",[["fn",{},"text","A"]]]"#, .jcard, to: .vcard4)
    #expect(missing.text == "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:A\r\nEND:VCARD\r\n")
    #expect(missing.findings.map(\.severity) == [.warning])
  }

  @Test func propertiesOutsideTheirListAreRead() {
    let flat = convert(#"["vcard",["version",{},"text","4.0"],["fn",{},"text","A"]]"#, .jcard, to: .vcard4)
    #expect(flat.text == "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:A\r\nEND:VCARD\r\n")
  }

  /// A syntax error ends its card, not the others; what was read before it is kept.
  @Test func aSyntaxErrorCostsTheRestOfItsCard() {
    let text =
      "[[\"vcard\",[[\"fn\",{},\"text\",\"A\"],\n[\"tel\",{},\"text\",+1],[\"note\",{},\"text\",\"x\"]]],\n"
      + "[\"vcard\",[[\"version\",{},\"text\",\"4.0\"],[\"fn\",{},\"text\",\"B\"]]]]"
    let converted = convert(text, .jcard, to: .vcard4)
    #expect(converted.lines.filter { $0.hasPrefix("FN") } == ["FN:A", "FN:B"])
    #expect(converted.findings.contains { $0.rule.id == "data-syntax" && $0.line == 2 && $0.leftOut })
  }

  @Test func noValueBecomesALine() {
    let text =
      #"["vcard",[["version",{},"text","4.0"],["fn",{"x\r\ny":"a\r\nX-EVIL:1"},"text","A\r\nX-EVIL:1"],["url",{},"uri","x:\r\nX-EVIL:1"],"#
      + #"["x-u",{},"unknown","\nX-EVIL:1\u0000"],["x\nx-evil:1",{"group":"g.X-EVIL:1\r\n"},"text","1"]]]"#
    let converted = convert(text, .jcard, to: .vcard4)
    #expect(!converted.lines.contains { $0.hasPrefix("X-EVIL") || $0.utf8.contains(0) })
    #expect(converted.findings.contains { $0.rule.id == "dropped-characters" && $0.message.hasPrefix("/1/2") })
  }

  @Test func hostileTextNeverCrashes() {
    let card = Array(
      #"[["vcard",[["version",{},"text","4.0"],["fn",{"a":["b"]},"text","A\ud83d"],["adr",{},"text",["",["x","y"]]]]],["vcard",[]]]"#.utf8)
    for end in card.indices {
      let cut = convert(Array(card[..<end]), .jcard, to: .jcard)
      #expect(cut.count > 0 || end == 0 || !cut.findings.isEmpty)
    }
    for place in card.indices {
      for mask: UInt8 in [0x5A, 0x20, 0x80] {
        var damaged = card
        damaged[place] ^= mask
        _ = convert(damaged, .jcard, to: .vcard4)
      }
    }
    let deep = String(repeating: "[", count: 10_000)
    #expect(convert(deep, .jcard, to: .vcard4).findings.contains { $0.severity == .error })
    #expect(convert(deep + String(repeating: "]", count: 10_000), .jcard, to: .vcard4).findings.contains { $0.severity == .error })
    let lone = convert(#"["vcard",[["version",{},"text","4.0"],["fn",{},"text","A\ud83d"]]]"#, .jcard, to: .vcard4)
    #expect(lone.lines.contains("FN:A\u{FFFD}"))
  }
}
