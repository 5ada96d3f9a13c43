// Validation by RFC 6350 and its extensions: right lines and cards, and wrong ones with the rule that they break.
import CardSyntax
import Testing

@testable import People

struct Validation40Tests {
  @Test(arguments: [
    // Dates and times (4.3, errata 3484).
    "BDAY:19531015T231000Z", "BDAY:1985-04", "BDAY:1985", "BDAY:--0412", "BDAY:---12", "BDAY:--04", "BDAY:T102200", "BDAY:T1022",
    "BDAY:T10", "BDAY:T-2200", "BDAY:T--00", "BDAY:T102200Z", "BDAY:T102200-0800", "BDAY:--1022T1400", "BDAY:---22T14", "BDAY:20000229",
    "BDAY;VALUE=text:circa 1800", "BDAY;VALUE=text;LANGUAGE=en:circa 1800", "BDAY;VALUE=date-and-or-time;CALSCALE=gregorian:19960415",
    "ANNIVERSARY:20090808T1430-0500", "DEATHDATE:19980818", "REV:19951031T222710Z", "REV:19951031T222710",
    "REV;VALUE=timestamp:19951031T222710-05",
    "CREATED:20220705T093412Z",
    // Names and addresses.
    "N:Public;John;Quinlan;Mr.;Esq.", "N:Stevenson;John;Philip,Paul;Dr.;Jr.,M.D.,A.C.P.;;Jr.",
    "N;SORT-AS=\"Harten,Rene\":van der Harten;Rene;J.;Sir;R.D.O.N.",
    "ADR;GEO=\"geo:12.3457,78.910\";LABEL=\"Mr. John\\nMain Street\":;;123 Main Street;Any Town;CA;91921-1234;U.S.A.",
    "ADR;CC=US;TYPE=billing:;;123 Main Street;Any Town;CA;91921-1234;U.S.A;;;;123;Main Street;;;;;;",
    "NICKNAME:Jim,Jimmie", "ORG;SORT-AS=ABC:ABC\\, Inc.;North American Division;Marketing", "ORG:ABC;",
    // Telephones, mail, messaging, the web.
    "TEL;VALUE=uri;PREF=1;TYPE=\"voice,home\":tel:+1-555-555-5555;ext=5555", "TEL;TYPE=main-number:+1 555 0100",
    "TEL;TYPE=x-boat:+1 555 0100",
    "TEL;VALUE=uri;TYPE=home:tel:+33-01-23-45-67", "TEL;VALUE=uri:sip:mira@example.com", "EMAIL;TYPE=work;PREF=100:mira@example.com",
    "IMPP;PREF=1:xmpp:mira@example.com", "IMPP;SERVICE-TYPE=Jabber;USERNAME=mira:xmpp:mira@example.com",
    "URL:https://example.com/~mira?a=1,2&b=%20",
    "SOCIALPROFILE;SERVICE-TYPE=Mastodon:https://example.com/@mira", "SOCIALPROFILE;SERVICE-TYPE=SomeSite;VALUE=text:mira94",
    "CONTACT-URI;PREF=1:mailto:contact@example.com", "LANG;TYPE=work;PREF=1:fr", "LANG;VALUE=language-tag:zh-Hant-TW",
    // Places and zones.
    "GEO:geo:37.386013,-122.082932", "GEO:geo:37.386013\\,-122.082932", "GEO:geo:48.2010,16.3695,183;crs=wgs84;u=40", "TZ:America/New_York",
    "TZ;VALUE=utc-offset:-0500", "TZ;VALUE=utc-offset:+05", "BIRTHPLACE:Babies'R'Us Hospital",
    "BIRTHPLACE;VALUE=uri:geo:46.769307\\,-71.283079",
    // Media.
    "PHOTO:https://example.com/mira.png", "PHOTO:data:image/gif;base64,R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=",
    "PHOTO;MEDIATYPE=image/png:ftp://example.com/mira", "KEY;VALUE=text:mQENBFoP",
    "KEY;MEDIATYPE=application/pgp-keys:ftp://example.com/keys/mira",
    "LOGO;LANGUAGE=en:https://example.com/logo.png", "SOUND:CID:JOHNQPUBLIC.part8.19960229T080000.xyzMail@example.com",
    // The rest.
    "GENDER:M", "GENDER:M;Fellow", "GENDER:;it's complicated", "GENDER:O;intersex", "KIND:individual", "KIND:x-robot", "KIND:application",
    "UID:urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1", "UID;VALUE=text:mira-4711", "CATEGORIES:INTERNET,IETF",
    "NOTE:Two\\nlines\\, \\; \\\\",
    "RELATED;TYPE=friend:urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "RELATED;TYPE=co-worker;VALUE=text:Please ask for Sam",
    "PRODID:-//EXAMPLE//NONSGML Version 1//EN",
    "EXPERTISE;LEVEL=beginner;INDEX=2:chinese literature", "HOBBY;INDEX=1;LEVEL=high:reading", "INTEREST;LEVEL=medium:r&b music",
    "ORG-DIRECTORY;INDEX=1:https://directory.example.com", "GRAMGENDER;LANGUAGE=de:feminine", "LANGUAGE:de-AT",
    "PRONOUNS;LANGUAGE=en;PREF=1:xe/xir",
    "NOTE;AUTHOR=\"mailto:mira@example.com\";CREATED=20221122T151823Z:Hello", "NOTE;AUTHOR-NAME=Mira;PROP-ID=n_1-a;DERIVED=true:Hello",
    "N;ALTID=1;PHONETIC=script;SCRIPT=Latn;LANGUAGE=yue:syun1;zung1;man4;;",
    "XML:<config xmlns=\"https://example.com/c\"><a>1</a></config>",
    "X-FOO;X-BAR=\"1;2\":any,thing;at\\all", "item1.TEL:+1 555 0100", "FBURL;PREF=1:https://example.com/busy",
    "CALADRURI:mailto:mira@example.com",
    "FN;ALTID=1;LANGUAGE=fr:Mira", "TITLE;ALTID=1;LANGUAGE=fr:Patron", "SOURCE;PID=1:ldap://ldap.example.com/cn=Mira",
  ])
  func rightLine(_ line: String) { expectRight(.v40, line) }

  @Test(arguments: [
    ("BDAY:1985-04-12", Rule.dateForm, Severity.warning), ("BDAY:19850431", .value, .error), ("BDAY:20010229", .value, .error),
    ("BDAY:circa 1800", .value, .error), ("BDAY:T-2200Z", .dateForm, .warning), ("BDAY:19531015T10:22:00", .dateForm, .warning),
    ("BDAY:198504", .value, .error), ("BDAY:19531015T250000", .value, .error), ("BDAY;VALUE=date:19850412", .valueType, .info),
    ("REV:1995-10-31T22:27:10Z", .dateForm, .warning), ("REV:19951031", .dateForm, .warning), ("REV:yesterday", .value, .error),
    ("REV;VALUE=text:yesterday", .valueType, .warning), ("CREATED:19951031T2227", .dateForm, .warning),
    ("N:Public;John", .components, .warning), ("N:a;b;c;d;e;f", .components, .warning), ("ADR:;;Main Street;Town", .components, .warning),
    ("GENDER:Q", .value, .error), ("GENDER:male", .value, .warning), ("GENDER:M;a;b", .components, .warning),
    ("KIND:person", .value, .warning), ("KIND:Group", .letterCase, .info), ("GRAMGENDER:female", .value, .warning),
    ("LANG:en_US", .value, .warning), ("LANG:english language", .value, .error), ("LANGUAGE:deutsch-und-mehr", .value, .error),
    ("URL:www.example.com", .uri, .warning), ("URL:https://example.com/a b", .uri, .warning),
    ("URL:https://example.com/%zz", .uri, .warning),
    ("URL:https://example.com/\u{e9}", .uri, .warning), ("IMPP:mira", .uri, .warning), ("TEL;VALUE=uri:tel:+1 555 0100", .uri, .warning),
    ("TEL:tel:+1-555-0100", .valueType, .info), ("GEO:37.386013;-122.082932", .uri, .warning), ("GEO:geo:97.1,12", .value, .error),
    ("GEO:home", .value, .error), ("TZ;VALUE=utc-offset:-05:00", .dateForm, .warning), ("TZ;VALUE=utc-offset:Berlin", .value, .error),
    ("TZ:-0500", .valueType, .info), ("UID:mira-4711", .valueType, .info), ("RELATED:Sam Okafor", .uri, .warning),
    ("CLIENTPIDMAP:x;urn:uuid:1", .value, .error), ("CLIENTPIDMAP:1;uuid", .uri, .warning), ("XML:no element", .value, .error),
    ("PHOTO;ENCODING=b:R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=", .encoding, .warning),
    ("PHOTO:data:image/gif;base64,R0lGODdhAQABA!!!", .base64, .error), ("PHOTO:data:image/gif;base64,R0lGODdhAQABAA", .base64, .warning),
    ("PHOTO:mira.png", .uri, .warning), ("SOCIALPROFILE;VALUE=text:mira", .parameterMissing, .warning),
    ("JSPROP:\"a\"", .parameterMissing, .warning),
  ])
  func wrongValue(_ line: String, _ rule: Rule, _ severity: Severity) { expectWrong(.v40, line, rule, severity) }

  @Test(arguments: [
    ("TEL;PREF=0:+1 555 0100", Rule.parameterValue, Severity.warning), ("TEL;PREF=101:+1 555 0100", .parameterValue, .warning),
    ("TEL;PREF=high:+1 555 0100", .parameterValue, .warning), ("TEL;PREF=1;PREF=2:+1 555 0100", .parameterRepeated, .warning),
    ("EMAIL;PID=a:mira@example.com", .parameterValue, .warning), ("EMAIL;PID=1.2.3:mira@example.com", .parameterValue, .warning),
    ("EMAIL;PID=1.7:mira@example.com", .pidMap, .warning), ("BDAY;PID=1:19850412", .parameterPlace, .warning),
    ("UID;PREF=1:urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1", .parameterPlace, .warning),
    ("N;TYPE=home:a;b;;;", .parameterPlace, .warning),
    ("SOURCE;TYPE=work:https://example.com", .parameterPlace, .warning), ("TEL;SORT-AS=a:+1 555 0100", .parameterPlace, .warning),
    ("EMAIL;LABEL=a:mira@example.com", .parameterPlace, .warning), ("TEL;GEO=\"geo:1,2\":+1 555 0100", .parameterPlace, .warning),
    ("NOTE;CALSCALE=gregorian:a", .parameterPlace, .warning), ("NOTE;LEVEL=high:a", .parameterPlace, .warning),
    ("NOTE;MEDIATYPE=text/plain:a", .parameterPlace, .warning), ("TEL;SERVICE-TYPE=x:+1 555 0100", .parameterPlace, .warning),
    ("HOBBY;LEVEL=expert:reading", .parameterValue, .warning), ("HOBBY;INDEX=0:reading", .parameterValue, .warning),
    ("BDAY;CALSCALE=hebrew:57450101", .parameterValue, .info), ("ADR;CC=USA:;;a;b;c;d;e", .parameterValue, .warning),
    ("NOTE;LANGUAGE=en_US:a", .parameterValue, .warning), ("NOTE;CREATED=2022-11-22:a", .parameterValue, .warning),
    ("NOTE;DERIVED=yes:a", .parameterValue, .warning), ("NOTE;AUTHOR=Mira:a", .parameterValue, .warning),
    ("NOTE;PROP-ID=a b:a", .parameterValue, .warning), ("PHOTO;MEDIATYPE=png:https://example.com/a", .parameterValue, .warning),
    ("N;PHONETIC=ipa:a;b;;;", .parameterMissing, .warning), ("N;ALTID=1;PHONETIC=script:a;b;;;", .parameterMissing, .warning),
    ("N;ALTID=1;PHONETIC=morse:a;b;;;", .parameterValue, .warning), ("NOTE;SCRIPT=Latin:a", .parameterValue, .warning),
    ("TEL;TYPE=home,,work:+1 555 0100", .parameterValue, .info),
    ("TEL;TYPE=mobile:+1 555 0100", .typeWord, .warning), ("TEL;TYPE=pref:+1 555 0100", .typeWord, .warning),
    ("EMAIL;TYPE=internet:mira@example.com", .typeWord, .warning), ("EMAIL;TYPE=cell:mira@example.com", .typeWord, .warning),
    ("RELATED;TYPE=uncle;VALUE=text:Sam", .typeWord, .warning), ("PHOTO;TYPE=JPEG:https://example.com/a.jpg", .typeWord, .warning),
    ("IMPP;TYPE=skype:skype:mira", .typeWord, .info), ("TEL;HOME:+1 555 0100", .parameter, .warning),
    ("NOTE;VALUE=uri:https://example.com", .valueType, .warning), ("URL;VALUE=text:https://example.com", .valueType, .warning),
    ("EMAIL;VALUE=unknown:mira@example.com", .valueType, .warning), ("NOTE;CHARSET=UTF-8:a", .parameter, .info),
    ("NOTE;ENCODING=8BIT:a", .parameter, .warning), ("NOTE;FOO=1:a", .unknownParameter, .info), ("NOTE;X_FOO=1:a", .nameSyntax, .warning),
    ("NOTE;ENCODING=QUOTED-PRINTABLE:a=20b", .encoding, .warning), ("NOTE;X-FOO=a\u{1}:a", .control, .warning),
  ])
  func wrongParameter(_ line: String, _ rule: Rule, _ severity: Severity) { expectWrong(.v40, line, rule, severity) }

  @Test(arguments: [
    ("NOTE:one, two", Rule.separator, Severity.warning), ("NOTE:a\\qb", .escape, .warning), ("NOTE:a\u{7}b", .control, .warning),
    ("CATEGORIES:a,,b,", .emptyItem, .info), ("TEL:", .emptyValue, .info), ("ADR:;;;;;;", .emptyValue, .info),
    ("FOO:bar", .unknownProperty, .info),
    ("AGENT:x", .unknownProperty, .info), ("LABEL:x", .unknownProperty, .info), ("CLASS:PUBLIC", .unknownProperty, .info),
    ("SORT-STRING:x", .unknownProperty, .info), ("X_FOO:bar", .nameSyntax, .warning),
    ("NOTE :a", .nameSyntax, .warning), ("MEMBER:urn:uuid:1", .memberWithoutGroup, .warning),
    ("NOTE:" + String(repeating: "a", count: 71), .lineLength, .info), ("VERSION:4.0", .cardinality, .warning),
    ("VERSION:3.0", .cardinality, .error),
  ])
  func wrongLine(_ line: String, _ rule: Rule, _ severity: Severity) {
    expectWrong(.v40, line, rule, severity)
  }

  @Test func alternativesCountAsOne() {
    expectRight(.v40, "N;ALTID=1;LANGUAGE=jp:a;b;;;", "N;ALTID=1;LANGUAGE=en:c;d;;;")
    expectRight(.v40, "BDAY;ALTID=1:1985", "BDAY;ALTID=1;VALUE=text:in the eighties")
    for second in ["N:c;d;;;", "N;ALTID=2:c;d;;;"] {
      let found = validate(card(.v40, "N;ALTID=1;LANGUAGE=jp:a;b;;;", second))
      #expect(found.map(\.rule.id) == ["cardinality"] && found.first?.line == 5 && found.first?.severity == .warning, "\(found)")
    }
  }

  @Test(arguments: [
    "BDAY:1985", "GENDER:M", "UID:urn:uuid:1", "KIND:org", "PRODID:a", "REV:19951031T222710Z", "DEATHDATE:1985", "LANGUAGE:de",
  ])
  func oneAtMost(_ line: String) {
    let found = validate(card(.v40, line, line))
    #expect(found.map(\.rule.id) == ["cardinality"] && found.first?.line == 5, "\(found)")
  }

  @Test func furtherLinesAreJudgedToo() {
    let found = validate(card(.v40, "BDAY:1985", "BDAY:never"))
    #expect(found.map { "\($0.line ?? 0) \($0.rule.id)" } == ["5 value-syntax", "5 cardinality"], "\(found)")
  }

  @Test func sourcesOfIdentifiers() {
    expectRight(.v40, "EMAIL;PID=4.2,5.1:mira@example.com", "CLIENTPIDMAP:1;urn:uuid:3eef374e", "CLIENTPIDMAP:2;urn:uuid:42bcd5a7")
    let found = validate(card(.v40, "CLIENTPIDMAP:1;urn:uuid:3eef374e", "CLIENTPIDMAP:1;urn:uuid:42bcd5a7"))
    #expect(found.map(\.rule.id) == ["pid-map"] && found.first?.line == 5, "\(found)")
  }

  @Test func grammaticalGendersDifferInLanguage() {
    expectRight(.v40, "GRAMGENDER;LANGUAGE=de:feminine", "GRAMGENDER;LANGUAGE=fr:feminine")
    let found = validate(card(.v40, "GRAMGENDER;LANGUAGE=de:feminine", "GRAMGENDER;LANGUAGE=DE:neuter"))
    #expect(found.map(\.rule.id) == ["cardinality"] && found.first?.line == 5, "\(found)")
  }

  @Test func aParameterWithoutValueIsToldOnce() {
    for line in ["TITLE;PREF=:a", "TEL;CELL=:+1 555 0100"] {
      #expect(validate(card(.v40, line)).map(\.rule.id) == ["parameter-empty"], "\(line)")
    }
  }

  @Test func membersBelongToGroups() { expectRight(.v40, "KIND:group", "MEMBER:urn:uuid:1") }

  @Test func structure() {
    func rules(_ text: String) -> [String] { validate(text).map { "\($0.line ?? 0) \($0.severity.name) \($0.rule.id)" } }
    #expect(rules("BEGIN:VCARD\r\nFN:a\r\nVERSION:4.0\r\nEND:VCARD\r\n") == ["3 warning version-place"])
    #expect(rules("BEGIN:VCARD\r\nVERSION:4\r\nFN:a\r\nEND:VCARD\r\n") == ["2 warning unknown-version"])
    #expect(rules("BEGIN:VCARD\r\nVERSION:4.0\r\nEND:VCARD\r\n") == ["1 warning missing-fn"])
    #expect(rules("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:\r\nEND:VCARD\r\n") == ["1 warning missing-fn"])
    #expect(rules("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:a\r\n\r\n\r\nNOTE:b\r\nEND:VCARD\r\n") == ["4 info blank-line"])
    #expect(rules("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:a\nNOTE:b\nEND:VCARD\n") == ["3 info line-break"])
    #expect(rules("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:a\r\n") == ["3 warning missing-end"])
    #expect(rules("END:VCARD\r\n" + card(.v40)) == ["1 error missing-begin"])
    #expect(rules("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:a\r\n" + card(.v40)) == ["4 warning missing-end"])
  }

  @Test func foldsInsideCharacters() {
    let inside = Array("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:a\r\nNOTE:b".utf8) + [0xC3, 13, 10, 32, 0xA9] + Array("\r\nEND:VCARD\r\n".utf8)
    #expect(validate(inside).map { "\($0.line ?? 0) \($0.rule.id)" } == ["4 folded-character"])
    expectRight(.v40, "NOTE:" + String(repeating: "a", count: 60) + "\r\n  b\r\n c")
  }

  @Test func manyLinesAreJudgedInLinearTime() {
    func seconds(_ count: Int) -> Duration {
      let lines = (0..<count).map { "FOO\($0);TYPE=a;PID=1.\($0 + 1):a\r\n" }.joined()
      let text = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:a\r\n" + lines + "END:VCARD\r\n"
      return ContinuousClock().measure { #expect(validate(text).count == count * 2) }
    }
    let small = seconds(200)
    #expect(seconds(4000) < small * 120)
  }

  @Test func anotherVersion() {
    let text = card(.v30, "TEL;TYPE=CELL,PREF:+1 555 0100", "PHOTO;ENCODING=b;TYPE=GIF:R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=")
    #expect(validate(text).isEmpty)
    let found = Set(validate(text, as: .v40).map { "\($0.line ?? 0) \($0.rule.id)" })
    #expect(found.isSuperset(of: ["5 type-word", "6 encoding-version"]), "\(found)")
  }
}
