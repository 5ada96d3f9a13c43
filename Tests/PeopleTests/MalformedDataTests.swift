// JSON and XML that is cut off, nested wrongly or too deep, or holds what no text should: nothing crashes, and each fault is told.
import Bytes
import CardSyntax
import People
import TestSupport
import Testing

@Suite struct MalformedDataTests {
  /// Two contacts in each format, as files of ours.
  static let formats: [ContactFormat] = [.json, .jsonl, .jcard, .jscontact, .xcard]

  private static func document(_ format: ContactFormat) -> [UInt8] {
    let cards = """
      BEGIN:VCARD
      VERSION:4.0
      UID:urn:uuid:1
      FN:Zoë \\"Ab\\", 😀
      N:Ab;Zoë;;;
      item1.TEL;TYPE=work;PREF=1:+1 555 0100
      item1.X-ABLabel:<boat> & "house"
      ADR:;;1 Way;Town;;;
      X-OWN;X-A=b:c\\\\d
      END:VCARD
      BEGIN:VCARD
      VERSION:4.0
      FN:Second
      BDAY:--0412
      END:VCARD

      """
    return Document(.vcard4, Array(cards.utf8)).converted(to: format).document.bytes
  }

  /// Whatever is cut off is told with a line, and the contacts before it are read.
  @Test(arguments: formats) func cutAtEveryByte(_ format: ContactFormat) {
    let bytes = Self.document(format)
    let whole = convert(bytes, format, to: .vcard4)
    #expect(whole.count == 2 && whole.findings.allSatisfy { $0.severity == .info })
    for end in 1..<bytes.count {
      let cut = convert(Array(bytes[..<end]), format, to: .vcard4)
      // Line breaks at the end are nothing, and a line of JSON Lines is complete without its own.
      let rest = bytes[end...].filter { $0 > 32 }
      let isWhole = rest.isEmpty || format == .jsonl && (bytes[end] == 10 || bytes[end - 1] == 10)
      #expect(cut.findings.contains { $0.severity == .error && $0.leftOut } != isWhole, "cut at \(end)")
      for finding in cut.findings where finding.severity == .error { #expect((finding.line ?? 0) > 0, "cut at \(end)") }
    }
  }

  /// Data that is no base64 (RFC 4648 section 4) is told, and no byte of it is lost.
  @Test(arguments: [
    (ContactFormat.json, "[{\"fullName\":\"A\",\"photos\":[{\"mediaType\":\"image/png\",\"data\":\"no base64!\"}]}]"),
    (.csv, "fullName,photos.1.mediaType,photos.1.data\r\nA,image/png,no base64!\r\n"),
  ]) func dataThatIsNoBase64(_ format: ContactFormat, _ text: String) {
    let card = convert(Array(text.utf8), format, to: .vcard4)
    #expect(card.text.contains("PHOTO:data:image/png;base64,no base64!\r\n"))
    #expect(card.findings.contains { $0.rule.id == "base64-damaged" && $0.line != nil })
    let right = convert(Array(text.replacing("no base64!", with: "bm9uZQ==").utf8), format, to: .vcard4)
    #expect(right.findings.isEmpty)
  }

  @Test(arguments: formats) func everyByteFlipped(_ format: ContactFormat) {
    let bytes = Self.document(format)
    for place in bytes.indices {
      for mask: UInt8 in [0x01, 0x20, 0x5A, 0x80] {
        var damaged = bytes
        damaged[place] ^= mask
        _ = convert(damaged, format, to: .json)
      }
    }
  }

  /// 10,000 levels cost their own contact alone.
  @Test(arguments: [
    (ContactFormat.json, "[{\"fullName\":\"A\",\"details\":", "[", "]", "},\n{\"fullName\":\"B\"}]"),
    (.json, "[{\"fullName\":\"A\",\"agent\":{\"fullName\":\"C\"", ",\"agent\":{\"uid\":\"1\"", "}", "}},\n{\"fullName\":\"B\"}]"),
    (.jsonl, "{\"fullName\":\"A\",\"x\":1", ",\"y\":{\"z\":1", "}", "}\n{\"fullName\":\"B\"}\n"),
    (.jcard, "[[\"vcard\",[[\"fn\",{},\"text\",", "[", "]", "]]],\n[\"vcard\",[[\"fn\",{},\"text\",\"B\"]]]]"),
    (
      .jscontact, "[{\"@type\":\"Card\",\"uid\":\"1\",\"x\":1", ",\"y\":{\"z\":1", "}",
      "},\n{\"@type\":\"Card\",\"name\":{\"full\":\"B\"}}]"
    ),
    (
      .xcard, "<vcards xmlns=\"urn:ietf:params:xml:ns:vcard-4.0\"><vcard>", "<x>", "</x>",
      "</vcard>\n<vcard><fn><text>B</text></fn></vcard></vcards>"
    ),
  ]) func tooDeep(_ format: ContactFormat, _ head: String, _ open: String, _ close: String, _ tail: String) {
    let text = head + String(repeating: open, count: 10_000) + String(repeating: close, count: 10_000) + tail
    let converted = convert(text, format, to: .vcard4)
    #expect(converted.lines.filter { $0.hasPrefix("FN") } == ["FN:B"])
    #expect(converted.findings.contains { $0.rule.id == "data-syntax" && $0.line == 1 && $0.leftOut })
    // Never closed at all.
    let opened = convert(head + String(repeating: open, count: 10_000), format, to: .vcard4)
    #expect(opened.findings.contains { $0.severity == .error && $0.line == 1 })
  }

  /// What is wrong with JSON or XML, and where: line and column, and the contact behind it is read.
  @Test(arguments: [
    (ContactFormat.json, "[{\"fullName\":\"A\",\n \"emails\":[}]},", "{\"fullName\":\"B\"}]", 2),
    (.json, "[{\"fullName\":\"A\"},\n{\"x\":]},", "{\"fullName\":\"B\"}]", 2),
    (.json, "[\n5, \"x\", null, true,", "{\"fullName\":\"B\"}]", 2),
    (.json, "[{\"fullName\":\n01},", "{\"fullName\":\"B\"}]", 2),
    (.jsonl, "\n{\"fullName\":tru}\n", "{\"fullName\":\"B\"}", 2),
    (.jcard, "[[\"vcard\",[[\"fn\",{},\"text\",\"A\"],\n[\"tel\",{,},\"text\",\"1\"]]],", "[\"vcard\",[[\"fn\",{},\"text\",\"B\"]]]]", 2),
    (.jscontact, "[{\"@type\":\"Card\",\n\"name\":{\"full\":\"A\"\"x\"}},", "{\"@type\":\"Card\",\"name\":{\"full\":\"B\"}}]", 2),
    (
      .xcard, "<vcards xmlns=\"urn:ietf:params:xml:ns:vcard-4.0\">\n<vcard><fn><text>A</fn></text></vcard>",
      "<vcard><fn><text>B</text></fn></vcard></vcards>", 2
    ),
    (
      .xcard, "<vcards xmlns=\"urn:ietf:params:xml:ns:vcard-4.0\">\n<vcard><fn><text>A</text></fn></vcards>",
      "<vcard><fn><text>B</text></fn></vcard></vcards>", 2
    ),
  ]) func wrongNesting(_ format: ContactFormat, _ wrong: String, _ right: String, _ line: Int) {
    let converted = convert(wrong + right, format, to: .json)
    #expect(converted.text.contains("\"fullName\":\"B\""))
    #expect(converted.findings.contains { $0.severity == .error && $0.line == line && $0.leftOut })
  }

  @Test func columnsAreTold() {
    let found = convert("[{\"fullName\":\"A\",\n \"emails\": tru}]", .json, to: .json).findings
    #expect(found.map(\.message) == ["Expected `true` (column 15); the record was left out"])
  }

  /// The place of a fault of XML, in an element or between them, wherever the element begins and however the bytes arrive.
  @Test(arguments: [
    ("<vcard>\n<fn><text>A</text></fn>\n <tel x><text>1</text></tel></vcard>", 4, 2),
    ("<vcard><fn><text>A</text></fn><note><text>1</text><text a=1/></note></vcard>", 2, 51),
    ("  <vcard><fn><text>A</fn></text></vcard>", 2, 21), ("\n <x/>  words\n <x/>", 3, 8), ("<x></y></x>", 2, 4),
    ("<vcard>\r\n<fn>\r\n<text>1</text></tel></vcard>", 4, 15),
  ]) func columnsOfXML(_ text: String, _ line: Int, _ column: Int) {
    let document = "<vcards xmlns=\"urn:ietf:params:xml:ns:vcard-4.0\">\n" + text + "</vcards>"
    for piece in [nil, 1, 7] as [Int?] {
      let found = convert(Array(document.utf8), .xcard, to: .json, piece: piece).findings.first { $0.rule.id == "data-syntax" }
      #expect(found?.line == line && found?.message.contains("(column \(column))") == true, "\(found?.line ?? 0) \(found?.message ?? "")")
    }
  }

  /// A key that comes twice is told; the first is taken.
  @Test(arguments: [
    (ContactFormat.json, "{\"fullName\":\"A\",\n\"fullName\":\"B\"}"),
    (.json, "{\"fullName\":\"A\",\"phones\":[{\n\"value\":\"1\",\"value\":\"2\"}]}"),
    (.json, "{\"fullName\":\"A\",\"name\":{\n\"given\":\"A\",\"given\":[\"B\"]}}"),
    (.jscontact, "{\"@type\":\"Card\",\"version\":\"1.0\",\"uid\":\"1\",\"name\":{\"full\":\"A\",\n\"full\":\"B\"}}"),
  ]) func keysThatComeTwice(_ format: ContactFormat, _ text: String) {
    let converted = convert(text, format, to: .vcard4)
    #expect(converted.lines.contains("FN:A") && !converted.lines.dropFirst(2).contains { $0.hasSuffix("B") || $0.hasSuffix("2") })
    let found = converted.findings.filter { $0.severity > .info }
    #expect(found.count == 1 && found.allSatisfy { $0.message.contains("twice") && $0.line == 2 && $0.leftOut })
  }

  /// A value of another shape than its field has is told, not dropped; what is right beside it is kept.
  @Test(arguments: [
    ("\"fullName\":[\"A\"]", "fullName should be a text; left out"),
    ("\"fullName\":{\"value\":{}}", "value of fullName should be a text; left out"),
    ("\"name\":\"A\"", "name should be an object; left out"),
    ("\"name\":{\"given\":{}}", "given of name should be a text or an array of texts; left out"),
    ("\"name\":{\"city\":\"x\"}", "name has no part called \"city\"; left out"),
    ("\"name\":{\"phonetic\":\"x\"}", "phonetic of name should be an object; left out"),
    ("\"phones\":[[\"1\"]]", "phones should be a text or an object; left out"),
    ("\"phones\":[{\"value\":[\"1\"]}]", "value of phones should be a text; left out"),
    ("\"phones\":[{\"value\":\"1\",\"labels\":{}}]", "labels of phones should be a text or an array of texts; left out"),
    ("\"phones\":[{\"value\":\"1\",\"parameters\":[]}]", "parameters of phones should be an object; left out"),
    ("\"phones\":[{\"value\":\"1\",\"preference\":1e400}]", "preference of phones should be a number from 1 to 100; left out"),
    (
      "\"phones\":[{\"value\":\"1\",\"preference\":99999999999999999999}]",
      "preference of phones should be a number from 1 to 100; left out"
    ),
    ("\"location\":\"1,2\"", "location should be an object; left out"), ("\"details\":[1]", "details should be an object; left out"),
    ("\"details\":{\"phones\":{}}", "no field of one value is called \"phones\"; left out"),
    ("\"details\":{\"uid\":7}", "uid of details should be an object; left out"),
    ("\"unclaimed\":[1]", "an element of unclaimed should be an array of a name, parameters, a type and a value; left out"),
    ("\"unclaimed\":[[\"X\"]]", "an element of unclaimed should be an array of a name, parameters, a type and a value; left out"),
    ("\"nothing\":1", "no field is called \"nothing\"; left out"),
  ]) func valuesOfAnotherShape(_ member: String, _ message: String) {
    let converted = convert("{\"uid\":\"u\",\n\(member),\"notes\":[\"kept\"]}", .json, to: .json)
    let found = converted.findings.filter { $0.severity > .info }
    #expect(found.map(\.message) == [message])
    #expect(found.allSatisfy { $0.line == 2 && $0.leftOut })
    #expect(converted.text.contains("\"uid\":\"u\"") && converted.text.contains("\"notes\":[\"kept\"]"))
  }

  /// A text stands for an object that has it as its foremost part.
  @Test func textsForObjects() {
    let text =
      #"{"fullName":"A","emails":"a@example.com","organizations":["Tern"],"addresses":["12 Quay"],"photos":["http://x"],"phones":[5]}"#
    #expect(
      convert(text, .json, to: .vcard4).lines == [
        "BEGIN:VCARD", "VERSION:4.0", "FN:A", "PHOTO:http://x", "TEL:5", "EMAIL:a@example.com", "ADR;LABEL=12 Quay:;;;;;;", "ORG:Tern",
        "END:VCARD",
      ])
  }

  /// Numbers stay as they are written, and halves of characters become U+FFFD.
  @Test func hugeNumbersAndLoneSurrogates() {
    let number = String(repeating: "9", count: 5000) + "e-99999"
    let record = convert(
      "{\"fullName\":\(number),\"phones\":[\(number)],\"notes\":[\"\\ud83d\",\"\\ude00x\",\"\\ud83d\\ude00\"]}", .json, to: .vcard4)
    #expect(
      record.lines.filter { !$0.hasPrefix("FN") } == [
        "BEGIN:VCARD", "VERSION:4.0", "TEL:" + number, "NOTE:\u{FFFD}", "NOTE:\u{FFFD}x", "NOTE:😀", "END:VCARD",
      ])
    let card = convert(
      "{\"@type\":\"Card\",\"version\":\"1.0\",\"uid\":\"1\",\"name\":{\"full\":\"\\ud83d\"},\"x\":\(number)}", .jscontact, to: .vcard4)
    #expect(card.lines.contains("FN:\u{FFFD}") && card.lines.contains("JSPROP;JSPTR=x:" + number))
    let years =
      "{\"@type\":\"Card\",\"version\":\"1.0\",\"uid\":\"1\",\"anniversaries\":{\"a\":{\"kind\":\"birth\",\"date\":{\"year\":\(number)}}}}"
    #expect(convert(years, .jscontact, to: .vcard4).text.contains(number))
    let jcard = convert("[\"vcard\",[[\"fn\",{},\"text\",\"\\ud83d\"],[\"x-a\",{},\"integer\",\(number)]]]", .jcard, to: .vcard4)
    #expect(jcard.lines.contains("FN:\u{FFFD}") && jcard.lines.contains("X-A;VALUE=integer:" + number))
    let xcard = convert(
      "<vcards xmlns=\"urn:ietf:params:xml:ns:vcard-4.0\"><vcard><fn><text>&#xD83D;&#\(String(repeating: "9", count: 5000));</text></fn></vcard></vcards>",
      .xcard,
      to: .vcard4)
    #expect(xcard.lines.contains { $0.hasPrefix("FN:\u{FFFD}&#999") } && xcard.findings.contains { $0.severity == .warning })
  }

  /// What comes out is UTF-8 whatever bytes went in, also where the text of a card is written without another look at it.
  @Test func outputIsAlwaysUTF8() {
    var random = Seeded(41)
    let pieces: [[UInt8]] =
      [
        "BEGIN:VCARD\r\n", "VERSION:2.1\n", "VERSION:4.0\r\n", "END:VCARD\r\n", "FN:", "item1.", "TEL;TYPE=", "NOTE:", "\r\n", " ", "\n\t",
        ":", ";", "=", "PHOTO;ENCODING=b:/9j/", "\r\n QUJD", "NOTE;ENCODING=QUOTED-PRINTABLE:", "=C3", "=\r\n", ";CHARSET=UTF-8", "X-Ü",
        "é", "😀",
        "ADR;LABEL=\"", "\"", "N:", "BDAY:2001", "AGENT:\n",
      ].map { Array($0.utf8) } + [[0xC3], [0xE9], [0xF0, 0x9F], [0x80], [0xFF], [0xED, 0xA0, 0x80], [0xC0, 0xAF]]
    for _ in 0..<600 {
      var bytes = Array("BEGIN:VCARD\r\nVERSION:\(random.oneIn(2) ? "3.0" : "4.0")\r\nFN:A\r\n".utf8)
      for _ in 0..<random.below(40) { bytes += random.pick(pieces) }
      bytes += Array("\r\nEND:VCARD\r\n".utf8)
      for format in [ContactFormat.json, .jcard, .xcard, .csv, .vcard3] {
        let written = Document(.vcard4, bytes).converted(to: format).document.bytes
        let isUTF8 = UTF8Check.isValid(written.span, 0, written.count)
        #expect(isUTF8, "\(String(decoding: bytes, as: UTF8.self)) to \(format)")
      }
    }
  }
}
