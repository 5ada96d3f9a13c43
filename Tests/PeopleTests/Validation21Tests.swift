// Validation by the vCard 2.1 specification: right lines and wrong ones with the rule that they break.
import CardSyntax
import Testing

@testable import People

struct Validation21Tests {
  @Test(arguments: [
    "BDAY:19950415", "BDAY:1995-04-15", "REV:19951031T222710", "REV:1995-10-31T22:27:10Z", "TEL;PREF;WORK;MSG;FAX:+1-800-555-1234",
    "TEL;TYPE=HOME;TYPE=VOICE:+1 555 0100", "ADR;DOM;HOME:P.O. Box 101;Suite 101;123 Main Street;Any Town;CA;91921-1234;",
    "ADR;WORK;PARCEL;POSTAL;DOM:Suite 101;1 Central St.;Any Town;NC;27654",
    "LABEL;DOM;POSTAL;ENCODING=QUOTED-PRINTABLE:P. O. Box 456=0D=0A=\r\n123 Main Street",
    "EMAIL;INTERNET:mira@example.com", "EMAIL;CIS:1234,56", "MAILER:ccMail 2.2", "TZ:-0500", "TZ:-05:00", "GEO:-17.87,37.24",
    "TITLE:V.P., Research and Development",
    "PHOTO;ENCODING=BASE64;TYPE=GIF:\r\n R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=\r\n",
    "PHOTO;VALUE=URL;GIF:http://example.com/a.gif",
    "LOGO;VALUE=CONTENT-ID:<logo@example.com>", "ORG:ABC, Inc.;North American Division;Marketing",
    "NOTE;ENCODING=QUOTED-PRINTABLE:a=\r\nb=C3=A9",
    "SOUND:JON Q PUBLIK", "SOUND;VALUE=URL:file:///multimed/audio/jqpublic.wav", "URL:http://example.com/a",
    "UID:19950401-080045-40000F192713-0052",
    "KEY;ENCODING=BASE64;X509:R0lGODdh\r\n", "KEY;PGP:text", "X-ABC-VIDEO;QTIME:any",
    "NOTE;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Andr=E9",
    "NOTE;LANGUAGE=fr-CA:a, b; c", "A.B.TEL:+1 555 0100", "NOTE:a\\b",
    "AGENT:\r\nBEGIN:VCARD\r\nVERSION:2.1\r\nN:Friday;Fred\r\nTEL;WORK;VOICE:+1-213-555-1234\r\nEND:VCARD",
  ])
  func rightLine(_ line: String) { expectRight(.v21, line) }

  @Test(arguments: [
    ("BDAY:--0415", Rule.dateForm, Severity.info), ("BDAY:spring", .value, .error), ("TZ:GMT+1", .value, .warning),
    ("GEO:200,37", .value, .error),
    ("GEO:37.24;-17.87", .value, .info), ("PHOTO:R0lGODdh", .value, .error),
    ("PHOTO;VALUE=uri:http://example.com/a.gif", .valueType, .warning),
    ("PHOTO;GIF:http://example.com/a.gif", .valueType, .info), ("TEL;TYPE=MOBILE:+1 555 0100", .typeWord, .info),
    ("TEL;INTERNET:+1 555 0100", .typeWord, .info),
    ("NOTE;PREF=1:a", .parameter, .warning), ("NOTE;LANGUAGE=en_US:a", .parameterValue, .warning),
    ("NOTE;FOO=1:a", .unknownParameter, .info),
    ("ADR:1;2;3;4;5;6;7;8", .components, .info), ("ADR:1;2;3;4;5;6;7;8;9", .components, .warning), ("TEL:", .emptyValue, .info),
    ("NOTE:a\u{7}b", .control, .warning),
    ("URL:example", .uri, .warning), ("ANNIVERSARY:19950415", .unknownProperty, .info), ("FOO:bar", .unknownProperty, .info),
    ("PHOTO;ENCODING=b;GIF:R0lGODdh", .encoding, .warning), ("AGENT:Fred", .value, .error),
    ("BDAY;VALUE=text:spring", .valueType, .warning),
  ])
  func wrongLine(_ line: String, _ rule: Rule, _ severity: Severity) { expectWrong(.v21, line, rule, severity) }

  @Test func nestedCardsAreJudgedAtTheirLines() {
    let found = validate(card(.v21, "AGENT:\r\nBEGIN:VCARD\r\nVERSION:2.1\r\nN:Friday\r\nBDAY:never\r\nEND:VCARD", "NOTE:b"))
    #expect(found.map { "\($0.line ?? 0) \($0.rule.id)" } == ["9 value-syntax"], "\(found)")
    #expect(found.first?.message.hasPrefix("in AGENT: ") == true)
  }

  @Test func structure() {
    func rules(_ text: String) -> [String] { validate(text).map { "\($0.line ?? 0) \($0.severity.name) \($0.rule.id)" } }
    #expect(rules("BEGIN:VCARD\r\nVERSION:2.1\r\nN:Martin;Stephen\r\nEND:VCARD\r\n") == [])
    #expect(rules("BEGIN:VCARD\r\nVERSION:2.1\r\nFN:a\r\nEND:VCARD\r\n") == ["1 warning missing-n"])
    #expect(rules("BEGIN:VCARD\r\nVERSION:2.1\r\nN:a\r\n\r\nNOTE:" + String(repeating: "a", count: 90) + "\r\nEND:VCARD\r\n") == [])
  }
}
