// Validation by RFC 2426 and 2425, with what producers of 3.0 are known to do: right lines and wrong ones with the rule that they break.
import CardSyntax
import Testing

@testable import People

struct Validation30Tests {
  @Test(
    arguments: [
      "BDAY:1996-04-15", "BDAY:19960415", "BDAY;VALUE=date:1996-04-15", "BDAY:1953-10-15T23:10:00Z", "BDAY:1987-09-27T08:30:00-06:00",
      "BDAY;VALUE=date-time:19870927T083000-0600", "REV:1995-10-31T22:27:10Z", "REV;VALUE=date:1995-10-31", "REV:19951031T222710.5Z",
      "NICKNAME:Jim,Jimmie", "PHOTO;VALUE=uri:https://example.com/mira.gif",
      "PHOTO;ENCODING=b;TYPE=GIF:R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=",
      "PHOTO;ENCODING=b;VALUE=binary;TYPE=GIF:R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=",
      "PHOTO;VALUE=uri:data:image/gif;base64,R0lG",
      "ADR;TYPE=dom,home,postal,parcel:;;123 Main Street;Any Town;CA;91921-1234", "ADR;LANGUAGE=en:;;123 Main Street", "ADR:Box 1",
      "LABEL;TYPE=dom,home:Mr. John\\nMain Street\\, 12", "TEL;TYPE=work,voice,pref,msg:+1-213-555-1234",
      "TEL;TYPE=cell;TYPE=pref:+1 555 0100",
      "TEL;TYPE=x-boat:+1 555 0100", "EMAIL;TYPE=internet,pref:mira@example.com", "EMAIL;TYPE=HOME:mira@example.com", "EMAIL;TYPE=x400:a",
      "MAILER:PigeonMail 2.1", "TZ:-05:00", "TZ;VALUE=text:-05:00\\; EST\\; Raleigh/North America", "GEO:37.386013;-122.082932",
      "TITLE:Director\\, Research", "ROLE:Programmer", "LOGO;VALUE=uri:https://example.com/logo.gif",
      "ORG:ABC\\, Inc.;North American Division;Marketing",
      "AGENT;VALUE=uri:CID:JQPUBLIC.part3.960129T083020.xyzMail@example.com", "CATEGORIES:INTERNET,IETF,INDUSTRY",
      "NOTE:Two\\nlines\\, \\; \\\\ \\N",
      "PRODID:-//ONLINE DIRECTORY//NONSGML Version 1//EN", "SORT-STRING:Harten", "SOUND;TYPE=BASIC;VALUE=uri:CID:part8@example.com",
      "UID:19950401-080045-40000F192713-0052",
      "UID;TYPE=x-local:4711", "URL:https://example.com/~mira", "CLASS:PUBLIC", "CLASS:x-friends", "KEY;ENCODING=b:R0lGODdh",
      "KEY;TYPE=PGP:text of a key",
      "KEY;VALUE=uri:https://example.com/key.asc",
      "NAME:Mira's card", "PROFILE:VCARD", "SOURCE;CONTEXT=LDAP:ldap://ldap.example.com/cn=Mira",
      "IMPP;TYPE=personal,pref:sip:mira@example.com",
      "CALURI;TYPE=pref:https://example.com/cal", "FBURL:https://example.com/busy", "CALADRURI:mailto:mira@example.com",
      "CAPURI:cap://example.com/a",
      "X-FOO;X-BAR=1:any,thing;at\\all", "item1.X-ABLabel:_$!<HomePage>!$_", "N:Okafor", "N:;Mira", "item1.ADR;TYPE=HOME:;;a;b;c;d;e",
      "AGENT:BEGIN:VCARD\\nVERSION:3.0\\nN:Friday\\;Joe\\;\\;\\;\\nFN:Joe Friday\\nEND:VCARD\\n",
    ].filter { !$0.hasPrefix("N:") })
  func rightLine(_ line: String) { expectRight(.v30, line) }

  @Test(arguments: ["N:Okafor", "N:Okafor;Mira", "N:;;;;", "N:Stevenson;John;Philip,Paul;Dr.;Jr.,M.D."])
  func rightName(_ name: String) {
    let found = validate("BEGIN:VCARD\r\nVERSION:3.0\r\n\(name)\r\nFN:Mira\r\nEND:VCARD\r\n")
    #expect(found.isEmpty, "\(name): \(found)")
  }

  @Test(arguments: [
    ("BDAY:--04-15", Rule.dateForm, Severity.info), ("BDAY:1996-04", .dateForm, .warning), ("BDAY:1996-02-30", .value, .error),
    ("BDAY:15.4.1996", .value, .error), ("BDAY;VALUE=date-time:1996-04-15", .valueType, .warning),
    ("BDAY;VALUE=date:1996-04-15T10:00:00Z", .valueType, .warning),
    ("BDAY:1996-04-15T10:00", .dateForm, .warning), ("REV:2017-05-10T14:36:01Z(2)", .dateForm, .info), ("REV:yesterday", .value, .error),
    ("TZ:-0500", .dateForm, .warning), ("TZ:America/New_York", .valueType, .warning), ("TZ:-25:00", .valueType, .warning),
    ("GEO:37.38,-122.08", .value, .warning), ("GEO:geo:37.38,-122.08", .value, .warning), ("GEO:122.08;37.38", .value, .error),
    ("GEO:37.38", .value, .error),
    ("GEO:37.386013\\;-122.082932", .escapedSeparators, .info),
    ("PHOTO:R0lGODdhAQABAIAAAP", .value, .error), ("PHOTO:https://example.com/a.png", .valueType, .info),
    ("PHOTO;ENCODING=BASE64:R0lGODdh", .encoding, .warning),
    ("PHOTO:data:image/gif;base64,R0lGODdh", .encoding, .warning), ("PHOTO;ENCODING=b:R0lG!!dh", .base64, .error),
    ("PHOTO;ENCODING=b;TYPE=PNG:R0lGODdh", .mediaType, .info),
    ("URL:www.example.com", .uri, .warning), ("URL:http\\://www.example.com", .escape, .info), ("IMPP:mira", .uri, .warning),
    ("CLASS:SECRET", .value, .warning), ("PROFILE:ICARD", .value, .warning), ("ADR:;;a;b;c;d;e;f;g", .components, .warning),
    ("ADR:;;a;b;c;d;e;f", .components, .info),
    ("NOTE:one, two", .separator, .warning), ("NOTE:one; two", .separator, .warning), ("NOTE:a\\qb", .escape, .warning),
    ("NOTE:a\u{7}b", .control, .warning),
    ("TEL:", .emptyValue, .info), ("N:a;b;c;d;e;f", .components, .warning), ("AGENT:Sam", .value, .error),
    ("NOTE;ENCODING=QUOTED-PRINTABLE:a=20b", .encoding, .warning), ("NOTE;QUOTED-PRINTABLE:a=20b", .encoding, .warning),
    ("NOTE;ENCODING=8BIT:a", .encoding, .warning), ("NOTE;CHARSET=ISO-8859-1:a", .parameter, .warning),
    ("NOTE;CHARSET=UTF-8:a", .parameter, .info),
    ("TEL;HOME:+1 555 0100", .parameter, .warning), ("TEL;PREF=1:+1 555 0100", .parameter, .warning),
    ("NOTE;ALTID=1:a", .parameter, .warning),
    ("PHOTO;VALUE=uri;MEDIATYPE=image/png:https://example.com/a.png", .parameter, .warning),
    ("ADR;LABEL=a:;;a;b;c;d;e", .parameter, .warning),
    ("ORG;SORT-AS=a:b", .parameter, .warning), ("TEL;LABEL=a:+1 555 0100", .parameter, .warning),
    ("NOTE;LANGUAGE=en_US:a", .parameterValue, .warning),
    ("NOTE;LANGUAGE=en;LANGUAGE=de:a", .parameterRepeated, .warning), ("TEL;TYPE=iPhone:+1 555 0100", .typeWord, .info),
    ("EMAIL;TYPE=CELL:a@example.com", .typeWord, .info),
    ("URL;TYPE=HOME:https://example.com", .parameterPlace, .info), ("NOTE;VALUE=uri:https://example.com", .valueType, .warning),
    ("EMAIL;waid=1:mira@example.com", .unknownParameter, .info), ("ANNIVERSARY:19960415", .unknownProperty, .info),
    ("KIND:group", .unknownProperty, .info),
    ("FOO:bar", .unknownProperty, .info), ("NOTE:" + String(repeating: "a", count: 71), .lineLength, .info),
    ("VERSION:3.0", .cardinality, .warning),
    ("AGENT:BEGIN:VCARD\\nVERSION:3.0\\nN:Joe\\nFN:Joe\\nBDAY:no\\nEND:VCARD\\n", .value, .error),
  ])
  func wrongLine(_ line: String, _ rule: Rule, _ severity: Severity) {
    let name = line.hasPrefix("N:")
    if name {
      let found = validate("BEGIN:VCARD\r\nVERSION:3.0\r\n\(line)\r\nFN:Mira\r\nEND:VCARD\r\n")
      #expect(found.map(\.rule) == [rule] && found.first?.line == 3, "\(line): \(found)")
    } else {
      expectWrong(.v30, line, rule, severity)
    }
  }

  @Test(arguments: ["N:c;d;;;", "FN:Sam", "BDAY:1996-04-16"])
  func oneAtMost(_ line: String) {
    let found = validate(card(.v30, "BDAY:1996-04-15", line))
    #expect(found.map(\.rule.id) == ["cardinality"] && found.first?.line == 6 && found.first?.severity == .warning, "\(found)")
  }

  @Test func structure() {
    func rules(_ text: String) -> [String] { validate(text).map { "\($0.line ?? 0) \($0.severity.name) \($0.rule.id)" } }
    #expect(rules("BEGIN:VCARD\r\nN:a\r\nFN:a\r\nVERSION:3.0\r\nEND:VCARD\r\n") == [])
    #expect(rules("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:a\r\nEND:VCARD\r\n") == ["1 warning missing-n"])
    #expect(rules("BEGIN:VCARD\r\nVERSION:3.0\r\nN:a\r\nEND:VCARD\r\n") == ["1 warning missing-fn"])
    #expect(rules("BEGIN:VCARD\r\nN:a\r\nFN:a\r\nEND:VCARD\r\n") == ["1 warning missing-version"])
    #expect(rules("BEGIN:VCARD\r\nVERSION:3.1\r\nN:a\r\nFN:a\r\nEND:VCARD\r\n") == ["2 warning unknown-version"])
    #expect(rules("junk\r\n" + card(.v30)) == ["1 info text-outside-card"])
    #expect(rules(card(.v30, "a line of a note")) == ["5 warning missing-colon"])
    #expect(rules(card(.v30, "NOTE:a\r\n\tb")) == [])
  }

  @Test func bytesThatAreNoUTF8() {
    let text = Array("BEGIN:VCARD\r\nVERSION:3.0\r\nN:a\r\nFN:Andr".utf8) + [0xE9] + Array("\r\nEND:VCARD\r\n".utf8)
    #expect(validate(text).map { "\($0.line ?? 0) \($0.severity.name) \($0.rule.id)" } == ["4 warning charset-assumed"])
  }

  @Test func oneLineBreakFindingAnInput() {
    let cards = card(.v30) + card(.v30)
    #expect(validate(cards.replacing("\r\n", with: "\n")).map { "\($0.line ?? 0) \($0.rule.id)" } == ["1 line-break"])
    #expect(validate(cards.replacing("\r\n", with: "\r")).map { "\($0.line ?? 0) \($0.rule.id)" } == ["1 line-break"])
  }

  @Test func asFourth() {
    let found = validate(card(.v30, "BDAY:1996-04-15"), as: .v40)
    #expect(found.map { "\($0.line ?? 0) \($0.rule.id)" } == ["5 date-form"], "\(found)")
    #expect(validate(card(.v40, "BDAY:19960415"), as: .v30).map(\.rule.id) == ["missing-n"])
  }
}
