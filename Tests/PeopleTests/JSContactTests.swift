// JSContact (RFC 9553) by the rules of RFC 9555: what a property becomes, and that nothing is lost on the way there and back.
import CardSyntax
import People
import Testing

/// The Card of a card with these lines, without what every Card has.
private func members(_ lines: String..., head: String = "UID:urn:uuid:0\r\n") -> String {
  let text = "BEGIN:VCARD\r\nVERSION:4.0\r\n\(head)\(lines.joined(separator: "\r\n"))\r\nEND:VCARD\r\n"
  let json = convert(text, .vcard4, to: .jscontact).text
  return json.replacing("[\n{\"@type\":\"Card\",\"version\":\"1.0\",\"uid\":\"urn:uuid:0\",", with: "").replacing("}\n]\n", with: "")
}

/// The lines of the card of a Card with these members, without what every card has.
private func lines(_ members: String) -> [String] {
  let converted = convert(#"{"@type":"Card","version":"1.0","uid":"urn:uuid:0",\#(members)}"#, .jscontact, to: .vcard4)
  return converted.lines.filter { !["BEGIN:VCARD", "VERSION:4.0", "UID:urn:uuid:0", "END:VCARD"].contains($0) && !$0.hasPrefix("FN:") }
}

/// A card to JSContact and back.
private func roundTrip(_ card: String) -> [String] {
  let json = convert(card, .vcard4, to: .jscontact).text
  return convert(json, .jscontact, to: .vcard4).lines
}

@Suite struct JSContactTests {
  /// RFC 9555 2.4 to 2.13: both ways.
  @Test(arguments: [
    (
      #""emails":{"E-1":{"address":"a@example.com","contexts":{"work":true},"pref":1}}"#,
      ["EMAIL;TYPE=work;PREF=1;PROP-ID=E-1:a@example.com"]
    ),
    (
      #""phones":{"P":{"number":"tel:+1-555-0100","contexts":{"private":true},"features":{"mobile":true,"voice":true}}}"#,
      ["TEL;TYPE=home,cell,voice;PROP-ID=P;VALUE=uri:tel:+1-555-0100"]
    ),
    (#""phones":{"P":{"number":"+1 555 0100","label":"Boat"}}"#, ["item1.TEL;PROP-ID=P:+1 555 0100", "item1.X-ABLabel:Boat"]),
    (#""onlineServices":{"O":{"uri":"xmpp:alice@example.com","vCardName":"impp"}}"#, ["IMPP;PROP-ID=O:xmpp:alice@example.com"]),
    (
      #""onlineServices":{"O":{"uri":"https://example.com/@foo","service":"Mastodon","user":"foo"}}"#,
      ["SOCIALPROFILE;SERVICE-TYPE=Mastodon;USERNAME=foo;PROP-ID=O:https://example.com/@foo"]
    ),
    (
      #""organizations":{"O":{"name":"ABC, Inc.","units":[{"name":"North"},{"name":"Sales","sortAs":"S"}],"sortAs":"ABC"}}"#,
      [#"ORG;SORT-AS="ABC,,S";PROP-ID=O:ABC\, Inc.;North;Sales"#]
    ),
    (
      #""notes":{"N":{"note":"Closed","created":"2022-11-23T15:01:32Z","author":{"name":"John"}}}"#,
      ["NOTE;CREATED=20221123T150132Z;AUTHOR-NAME=John;PROP-ID=N:Closed"]
    ),
    (
      #""personalInfo":{"I":{"value":"chemistry","kind":"expertise","listAs":1,"level":"high"}}"#,
      ["EXPERTISE;INDEX=1;LEVEL=expert;PROP-ID=I:chemistry"]
    ),
    (#""directories":{"D":{"uri":"https://example.com/d","kind":"entry"}}"#, ["SOURCE;PROP-ID=D:https://example.com/d"]),
    (
      #""calendars":{"C":{"uri":"https://example.com/a.ics","kind":"freeBusy","mediaType":"text/calendar"}}"#,
      ["FBURL;MEDIATYPE=text/calendar;PROP-ID=C:https://example.com/a.ics"]
    ),
    (#""media":{"M":{"uri":"https://example.com/a.gif","kind":"logo"}}"#, ["LOGO;PROP-ID=M:https://example.com/a.gif"]),
    (#""keywords":{"a":true,"b, c":true}"#, [#"CATEGORIES:a,b\, c"#]),
    (
      #""relatedTo":{"urn:uuid:1":{"relation":{"friend":true}},"Please ask Sam":{"relation":{}}}"#,
      ["RELATED;TYPE=friend:urn:uuid:1", "RELATED;VALUE=text:Please ask Sam"]
    ),
    (
      #""speakToAs":{"grammaticalGender":"neuter","pronouns":{"k":{"pronouns":"they/them","pref":2}}}"#,
      ["GRAMGENDER:NEUTER", "PRONOUNS;PREF=2;PROP-ID=k:they/them"]
    ),
    (
      #""anniversaries":{"A":{"kind":"birth","date":{"month":4,"day":15},"place":{"full":"A, B"}},"B":{"kind":"death","date":{"@type":"Timestamp","utc":"2019-10-15T23:10:00Z"}}}"#,
      ["BDAY;PROP-ID=A:--0415", #"BIRTHPLACE:A\, B"#, "DEATHDATE;PROP-ID=B:20191015T231000Z"]
    ),
    (#""addresses":{"A":{"coordinates":"geo:1,2"}}"#, ["GEO;PROP-ID=A:geo:1,2"]),
    (#""addresses":{"A":{"timeZone":"Europe/Oslo"}}"#, ["TZ;PROP-ID=A:Europe/Oslo"]),
    (#""updated":"1995-10-31T22:27:10Z""#, ["REV:19951031T222710Z"]),
    (
      #""emails":{"E":{"address":"a@example.com","vCardParams":{"group":"g","x-foo":"Bar"}}}"#,
      ["g.EMAIL;X-FOO=Bar;PROP-ID=E:a@example.com"]
    ),
    (#""vCardProps":[["x-foo",{"group":"item1","x-bar":"Hello"},"unknown","World\\, raw"]]"#, [#"item1.X-FOO;X-BAR=Hello:World\, raw"#]),
  ]) func membersBothWays(_ json: String, _ expected: [String]) {
    #expect(lines(json) == expected)
    #expect(
      members(expected.joined(separator: "\r\n"), head: "UID:urn:uuid:0\r\nFN:A\r\n").replacing(#""name":{"full":"A"},"#, with: "") == json)
  }

  /// RFC 9555 3.3.1: the order of components and what stands between them.
  @Test func componentsAndTheirOrder() {
    let name =
      #""name":{"components":[{"kind":"given","value":"John"},{"kind":"given2","value":"Philip"},{"kind":"given2","value":"Paul"},"#
      + #"{"kind":"surname","value":"Stevenson"},{"kind":"generation","value":"Jr."},{"kind":"credential","value":"M.D."}],"isOrdered":true}"#
    let line = #"N;JSCOMPS=";1;2;2,1;0;6;4,1":Stevenson;John;Philip,Paul;;Jr.,M.D.;;Jr."#
    #expect(lines(name) == ["FN;DERIVED=TRUE:John Philip Paul Stevenson Jr. M.D.", line])
    #expect(members("FN;DERIVED=TRUE:John Philip Paul Stevenson Jr. M.D.", line) == name)
    let address =
      #""addresses":{"a1":{"components":[{"kind":"number","value":"54321"},{"kind":"separator","value":"; "},"#
      + #"{"kind":"name","value":"Oak St"},{"kind":"locality","value":"Reston"}],"isOrdered":true,"defaultSeparator":", "}}"#
    let written = lines(address)
    #expect(written == [#"ADR;JSCOMPS="s,\, ;10;s,\; ;11;3";PROP-ID=a1:;;54321 Oak St;Reston;;;;;;;54321;Oak St;;;;;;"#])
    #expect(members("FN:A", written[0]) == #""name":{"full":"A"},"# + address)
  }

  /// A JSCOMPS that does not fit its value counts as none, and is kept.
  @Test(arguments: [#";1;0;4,2"#, #";1"#, #";1;0;0"#, "1;0", ";x;0", ";1;9", ";1;0;99999999999999999999"]) func aWrongOrderIsIgnored(
    _ order: String
  ) {
    let card = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:uuid:0\r\nFN:Bo Gus\r\nN;JSCOMPS=\"\(order)\":Gus;Bo;;;\r\nEND:VCARD\r\n"
    let json = convert(card, .vcard4, to: .jscontact).text
    #expect(json.contains(#""components":[{"kind":"surname","value":"Gus"},{"kind":"given","value":"Bo"}]"#) && !json.contains("isOrdered"))
    #expect(convert(json, .jscontact, to: .vcard4).lines.contains("N;JSCOMPS=\"\(order)\":Gus;Bo;;;"))
  }

  /// RFC 9555 2.3.11 and 2.3.15: other languages, and how a name is spoken.
  @Test func languages() {
    let titles = members("FN;LANGUAGE=EN:John Doe", "TITLE;ALTID=1;LANGUAGE=EN:Boss", "TITLE;ALTID=1;LANGUAGE=fr:Patron")
    #expect(titles.contains(#""language":"en""#) && titles.contains(#""localizations":{"fr":{"titles/TITLE-1/name":"Patron"}}"#))
    let spoken = members(
      "LANGUAGE:zh-Hant", "N;ALTID=1;LANGUAGE=zh-Hant:孫;中山;文,逸仙;;",
      "N;ALTID=1;PHONETIC=jyut;SCRIPT=Latn;LANGUAGE=yue:syun1;zung1saan1;man4,jat6sin1;;", head: "UID:urn:uuid:0\r\nFN:A\r\n")
    #expect(
      spoken.contains(
        #""localizations":{"yue":{"name/phoneticSystem":"jyut","name/phoneticScript":"Latn","name/components/0/phonetic":"syun1","#
          + #""name/components/1/phonetic":"zung1saan1","name/components/2/phonetic":"man4","name/components/3/phonetic":"jat6sin1"}}"#))
    let card = """
      BEGIN:VCARD
      VERSION:4.0
      UID:urn:uuid:0
      LANGUAGE:en
      FN:A B
      FN;LANGUAGE=ja:Ｂ Ａ
      N;ALTID=2:B;A;;;
      N;ALTID=2;LANGUAGE=ja:Ｂ;Ａ;;;
      N;PHONETIC=ipa;LANGUAGE=fr;ALTID=2:b;a;;;
      TITLE;ALTID=t;PROP-ID=T:Boss
      TITLE;ALTID=t;LANGUAGE=fr;PROP-ID=T:Patron
      NOTE;LANGUAGE=de;PROP-ID=N:Nur hier
      END:VCARD

      """
    #expect(Set(roundTrip(card)) == Set(card.split(separator: "\n").map(String.init)))
    let patched = #""titles":{"t1":{"name":"novelist","kind":"title"}},"localizations":{"es":{"titles/t1/name":"escritor"}}"#
    #expect(lines(patched) == ["TITLE;PROP-ID=t1;ALTID=1:novelist", "TITLE;LANGUAGE=es;ALTID=1;PROP-ID=t1:escritor"])
  }

  /// RFC 9555 3.1.1 and 3.2.1: what vCard has nothing for is JSPROP, each at a place that is there when it is read.
  @Test(arguments: [
    (#""someUnknownProperty":true"#, #"JSPROP;JSPTR=someUnknownProperty:true"#),
    (#""example.com:foo":{"bar":1234}"#, #"JSPROP;JSPTR="example.com:foo":{"bar":1234}"#),
    (#""phones":{"p":{"features":{"voice":true}}}"#, #"JSPROP;JSPTR=phones:{"p":{"features":{"voice":true}}}"#),
    (#""members":{}"#, #"JSPROP;JSPTR=members:{}"#),
    (#""kind":7"#, #"JSPROP;JSPTR=kind:7"#),
    (
      #""anniversaries":{"a":{"kind":"other","date":{"year":1999}}}"#,
      #"JSPROP;JSPTR=anniversaries:{"a":{"kind":"other"\,"date":{"year":1999}}}"#
    ),
    (#""localizations":{"fr":{"nothing/here":"x"}}"#, #"JSPROP;JSPTR=localizations:{"fr":{"nothing/here":"x"}}"#),
  ]) func whatVCardCannotHoldIsKept(_ json: String, _ line: String) {
    #expect(lines(json) == [line])
    #expect(members("FN:A", line).replacing(#""name":{"full":"A"},"#, with: "") == json)
  }

  @Test func partsThatAreNotUnderstoodAreKeptInTheirPlaces() {
    let card =
      #"{"@type":"Card","version":"1.0","uid":"urn:uuid:0","name":{"full":"A"},"phones":{"p1":{"number":"tel:+33","contexts":{"work":true,"example.com:x":true},"#
      + #""pref":0,"example.com:foo/bar":"tux hux"},"p2":{"number":5}},"updated":"2020-01-01T00:00:00.5Z"}"#
    let written = convert(card, .jscontact, to: .vcard4)
    #expect(
      written.lines.contains(
        #"JSPROP;JSPTR=phones/p1/example.com:foo~1bar:"tux hux""#.replacing(
          "phones/p1/example.com:foo~1bar", with: "\"phones/p1/example.com:foo~1bar\"")))
    #expect(written.lines.contains(#"JSPROP;JSPTR="phones/p1/contexts/example.com:x":true"#))
    #expect(written.findings.contains { $0.message.hasPrefix("/phones/p2: ") && $0.severity == .warning })
    let again = convert(written.text, .vcard4, to: .jscontact).text
    for part in [#""pref":0"#, #""p2":{"number":5}"#, #""updated":"2020-01-01T00:00:00.5Z""#, #""example.com:foo/bar":"tux hux""#] {
      #expect(again.contains(part))
    }
  }

  /// A patch that is not valid is not applied, but kept (RFC 9555 3.2.1).
  @Test func aWrongPatchIsNotApplied() {
    let json = members("FN:A", #"JSPROP;JSPTR="none/there":1"#, "JSPROP;JSPTR=kind:2")
    #expect(!json.contains(#""kind":"#) && json.contains(#""vCardProps":[["jsprop",{"jsptr":"none/there"},"text","1"],"#))
  }

  /// What JSContact has no place for comes back from vCardProps and vCardParams.
  @Test func cardsComeBackAsTheyWere() {
    let card = """
      BEGIN:VCARD
      VERSION:4.0
      UID;VALUE=text:no uri
      KIND;X-A=1:individual
      REV:20200102T030405
      FN;X-A=2:A B
      N;SORT-AS=",B";X-A=3:A;B,C;;;x,y
      NICKNAME;TYPE=work;PREF=50;PROP-ID=NICK-1:Al
      BDAY;VALUE=text:circa 1800
      BIRTHPLACE;VALUE=uri:https://example.com/place
      ANNIVERSARY;CALSCALE=gregorian;PROP-ID=ANNIVERSARY-1:20010203
      TEL;TYPE=home,x-boat;PREF=7;PROP-ID=my-id:+1555
      item4.TEL;PROP-ID=PHONE-1:+1 555 0100
      item4.X-ABLabel:_$!<Main>!$_
      item3.ADR;LABEL=a^nb;CC=US;GEO="geo:1,2";TYPE=work,delivery;PROP-ID=ADDR-1:box;ext;5 Oak St;Reston;VA;20190;USA
      item3.GEO;PROP-ID=ADDR-4:geo:3,4
      item3.X-ABLabel:Depot
      ADR;PROP-ID=ADDR-2:;;other words;Reston;;;;;;;5;Oak St;;;;;;
      TZ;PROP-ID=ADDR-3;VALUE=utc-offset:-0500
      TZ;VALUE=utc-offset:-0530
      MEMBER;PREF=2:urn:uuid:1
      CATEGORIES;X-A=4:one,two
      RELATED;TYPE=friend;PREF=1:urn:uuid:2
      GENDER:F;it's complicated
      g1.ORG;PROP-ID=ORG-1:Example
      g1.TITLE;PROP-ID=TITLE-1:Boss
      PHOTO;PROP-ID=PHOTO-1:data:image/gif;base64,R0lGODlhAQABAAAAACw=
      KEY;VALUE=text:a key
      CLIENTPIDMAP:1;urn:uuid:3
      XML:<a xmlns="x"/>
      X-ÄUSSERST:1
      X-FOO;X-B=c,d:raw\\, text;and more
      END:VCARD

      """.replacing("X-ÄUSSERST:1\n", with: "")
    let (expected, found) = (Set(card.split(separator: "\n").map(String.init)), Set(roundTrip(card)))
    #expect(found.subtracting(expected) == [])
    #expect(expected.subtracting(found) == [])
    let twice = convert(convert(card, .vcard4, to: .jscontact).text, .jscontact, to: .jscontact).text
    #expect(convert(twice, .jscontact, to: .jscontact).text == twice)
  }

  /// RFC 9555 2.1.1: the same each time, and not the same for others.
  @Test func aMadeIdentifierIsTheSameEachTime() {
    func uid(_ name: String, _ revision: String) -> Substring? {
      let card = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:\(name)\r\nREV:\(revision)\r\nEND:VCARD\r\n"
      return convert(card, .vcard4, to: .jscontact).text.split(separator: "\"uid\":\"").last?.prefix { $0 != "\"" }
    }
    #expect(uid("A", "20200101T000000Z") == uid("A", "20210101T000000Z"))
    #expect(uid("A", "20200101T000000Z") != uid("B", "20200101T000000Z"))
    #expect(uid("A", "20200101T000000Z")?.hasPrefix("urn:uuid:") == true && uid("A", "20200101T000000Z")?.count == 45)
  }

  @Test func readsArraysStreamsAndVersion2() {
    let card = #"{"@type":"Card","version":"2.0","name":{"full":"A"}}"#
    #expect(convert("[\(card),\(card)]", .jscontact, to: .vcard4).count == 2)
    #expect(convert("\(card)\n\(card)", .jscontact, to: .vcard4, piece: 3).count == 2)
    #expect(convert(card, .jscontact, to: .vcard4).findings.isEmpty)
    #expect(convert("[]", .jscontact, to: .jscontact).text == "[]\n")
    let odd = convert("{\n\"version\":\"9\",\"a\":1,\n\"a\":2}", .jscontact, to: .jscontact)
    #expect(odd.findings.filter { $0.severity == .warning }.map(\.line) == [3, 1, 2])
  }

  @Test(arguments: [
    "[1,\"x\",null,[],{}]", #"{"@type":"Card","name":5,"phones":[],"emails":{"":{}},"localizations":{"fr":5,"de":{"name":null,"":1}}}"#,
    #"{"@type":"Card","name":{"components":[5,{"kind":"x"},{"kind":"given","value":"\u0000\ud800"}]},"vCardProps":[5,[],["fn"],["end",{},"text","x"],["n",{},"text",[]]]}"#,
    #"{"@type":"Card","anniversaries":{"a":{"kind":"birth","date":{"year":99999999999999999999,"month":-1}}},"members":{"":true,"a\r\nX:1":true},"vCardParams":{"a":{}}}"#,
    #"{"@type":"Card","localizations":{"x":{"name/components/0/phonetic/9/9":{"a":[]},"/":1,"addresses/~2":{}}},"addresses":{"~":{"full":"x"}}}"#,
  ]) func hostileCardsNeverCrash(_ json: String) {
    let written = convert(json, .jscontact, to: .vcard4)
    #expect(!written.lines.contains { $0.hasPrefix("X:") })
    #expect(!written.findings.isEmpty)
    let bytes = Array(json.utf8)
    for end in bytes.indices { _ = convert(Array(bytes[..<end]), .jscontact, to: .jscontact) }
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 0x15
      _ = convert(damaged, .jscontact, to: .vcard4)
    }
  }

  @Test func deepNestingIsRefused() {
    let deep = #"{"@type":"Card","x":"# + String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000) + "}"
    #expect(convert(deep, .jscontact, to: .vcard4).findings.contains { $0.severity == .error && $0.line == 1 })
    let allowed = #"{"@type":"Card","version":"2.0","x":"# + String(repeating: "[", count: 120) + String(repeating: "]", count: 120) + "}"
    #expect(convert(allowed, .jscontact, to: .jscontact).text.contains(String(repeating: "[", count: 120)))
  }
}
