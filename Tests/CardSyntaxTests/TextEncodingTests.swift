// Encodings: labels, code pages against the C library, UTF-16, damage, and streams in chunks of every size.
import Bytes
@testable import CardSyntax
import TestSupport
import Testing

@Suite struct TextEncodingTests {
  /// Decodes bytes and says whether all had a meaning; what comes out must be UTF-8.
  func decode(_ bytes: [UInt8], _ label: String) throws -> (text: [UInt8], clean: Bool) {
    let encoding = try #require(TextEncoding(named: label), "\(label)")
    var decoder = TextDecoder()
    var buffer = ByteBuffer()
    let clean = decoder.decode(bytes.span, 0, bytes.count, as: encoding, to: &buffer)
    let text = buffer.array()
    let valid = UTF8Check.isValid(text.span, 0, text.count)
    #expect(valid)
    return (text, clean)
  }

  func encode(_ text: String, _ label: String) throws -> (bytes: [UInt8], clean: Bool) {
    let encoding = try #require(TextEncoding(named: label), "\(label)")
    let utf8 = Array(text.utf8)
    var buffer = ByteBuffer()
    let clean = TextEncoding.encode(utf8.span, 0, utf8.count, as: encoding, to: &buffer)
    return (buffer.array(), clean)
  }

  @Test(arguments: [
    ("utf8", "UTF-8"), ("UTF-8", "UTF-8"), ("utf-8", "UTF-8"), (" \"Utf_8\" ", "UTF-8"), ("'utf-8'", "UTF-8"), ("us-ascii", "US-ASCII"),
    ("ANSI_X3.4-1968", "US-ASCII"), ("latin1", "ISO-8859-1"), ("LATIN1", "ISO-8859-1"), ("ISO_8859-1:1987", "ISO-8859-1"),
    ("cp1252", "windows-1252"), ("Windows-1252", "windows-1252"), ("x-cp1252", "windows-1252"), ("ansi", "windows-1252"),
    ("macintosh", "macintosh"), ("x-mac-roman", "macintosh"), ("ISO-8859-15", "ISO-8859-15"), ("win-1250", "windows-1250"),
    ("UTF-16LE", "UTF-16LE"), ("utf16", "UTF-16"), ("unicode", "UTF-16"), ("shift_jis", "CP932"), ("SJIS", "CP932"), ("x-sjis", "CP932"),
    ("gb2312", "GB18030"), ("euc-kr", "CP949"), ("koi8-r", "KOI8-R"), ("iso-8859-2", "ISO-8859-2"), ("windows-1253", "WINDOWS-1253"),
    ("x-iso-8859-2", "ISO-8859-2"), ("codepage 437", "CP437"),
  ]) func labels(_ label: String, _ name: String) {
    #expect(TextEncoding(named: label)?.name == name)
    let bytes = Array(label.utf8)
    let same = TextEncoding(named: bytes.span)
    #expect(same == TextEncoding(named: label))
    var decoder = TextDecoder()
    for _ in 0..<2 {
      let remembered = decoder.encoding(named: bytes.span)
      #expect(remembered == same)
    }
  }

  @Test(arguments: [
    "", " ", "\"\"", "x", "none", "x-unknown", "8bit", "UTF-8//TRANSLIT", "//", "../x", "char", "wchar_t", "INTERNAL", "\u{0}", "é",
  ])
  func unknownLabels(_ label: String) {
    #expect(TextEncoding(named: label) == nil)
    let long = [UInt8](repeating: 0x41, count: 100_000)
    let none = TextEncoding(named: long.span)
    #expect(none == nil)
  }

  @Test(arguments: [
    ("windows-1252", "CP1252"), ("windows-1250", "CP1250"), ("windows-1251", "CP1251"), ("iso-8859-15", "ISO-8859-15"),
    ("macintosh", "MACINTOSH"), ("latin1", "ISO-8859-1"),
  ]) func codePagesAgreeWithTheLibrary(_ ours: String, _ theirs: String) throws {
    let library = try #require(Iconv(from: theirs))
    for byte in UInt8.min...UInt8.max {
      // Where we knowingly differ: browsers' reading of ISO 8859-1, and Apple's own table.
      if ours == "latin1" && (0x80..<0xA0).contains(byte) || ours == "macintosh" && (byte == 0xC6 || byte == 0xF0) { continue }
      let one = [byte]
      var buffer = ByteBuffer()
      let clean = library.convert(one.span, 0, 1, last: true, to: &buffer).clean
      let wanted = buffer.array()
      let found = try decode(one, ours)
      #expect(found.text == wanted && found.clean == clean, "\(byte)")
      guard clean else { continue }
      let back = try encode(String(decoding: found.text, as: Unicode.UTF8.self), ours)
      #expect(back.bytes == one && back.clean, "\(byte)")
    }
  }

  @Test func latin1HasTheQuotesOfWindows() throws {
    let quotes = try decode([0x93, 0x41, 0x94, 0x80, 0x81], "iso-8859-1")
    #expect(String(decoding: quotes.text, as: Unicode.UTF8.self) == "“A”€\u{81}" && quotes.clean)
    let strict = try encode("é€", "iso-8859-1")
    #expect(strict.bytes == [0xE9, 0x3F] && !strict.clean)
    let ascii = try decode([0x41, 0xE9], "us-ascii")
    #expect(ascii.text == Array("Aé".utf8))
  }

  @Test(arguments: [
    ("shift_jis", "山田太郎 ｱｲｳ ①"), ("euc-jp", "山田太郎"), ("iso-2022-jp", "山田 and 太郎"), ("gb18030", "王小明 😀"), ("big5", "王小明"),
    ("euc-kr", "김철수"), ("koi8-r", "Иван Петров"), ("iso-8859-2", "Łukasz Žák"), ("windows-1253", "Γιώργος"), ("utf-7", "Míra + 山"),
    ("utf-32le", "Míra 😀"), ("windows-1255", "שלום"), ("tis-620", "สมชาย"), ("utf-16le", "Míra 😀"), ("utf-16be", "Míra 😀"),
    ("macintosh", "Møller ©"), ("windows-1251", "Иван Петров"),
  ]) func otherCharsetsGoAround(_ label: String, _ text: String) throws {
    let coded = try encode(text, label)
    #expect(coded.clean)
    let plain = try decode(coded.bytes, label)
    #expect(plain.text == Array(text.utf8) && plain.clean)
    // As a stream in pieces, and cut at every byte.
    let encoding = try #require(TextEncoding(named: label))
    for size in [1, 2, 3, 7, 1000] { #expect(stream(coded.bytes, size, forced: encoding).text == Array(text.utf8), "\(size)") }
    for end in 0..<coded.bytes.count { _ = try decode(Array(coded.bytes.prefix(end)), label) }
  }

  @Test func whatDoesNotFitIsAsked() throws {
    for (label, wanted) in [("windows-1252", "a?b?"), ("us-ascii", "a?b?"), ("shift_jis", "a?b?"), ("koi8-r", "a?b?")] {
      let coded = try encode("a😀b\u{1F3F4}", label)
      #expect(coded.bytes == Array(wanted.utf8) && !coded.clean, "\(label)")
    }
    let shifted = try encode("山😀田", "iso-2022-jp")
    let back = try decode(shifted.bytes, "iso-2022-jp")
    #expect(back.text == Array("山?田".utf8) && !shifted.clean)
  }

  @Test func longForeignTextPassesTheBlock() throws {
    let text = String(repeating: "山田太郎 and more; ", count: 2000)
    let coded = try encode(text, "shift_jis")
    let plain = try decode(coded.bytes, "shift_jis")
    #expect(plain.text == Array(text.utf8) && plain.clean)
    let damaged = try decode([0x41, 0xFF, 0x42, 0x81], "shift_jis")
    #expect(damaged.text == Array("A\u{FFFD}B\u{FFFD}".utf8) && !damaged.clean)
  }

  @Test func everyScalarGoesThroughUTF16() throws {
    for label in ["UTF-16LE", "UTF-16BE"] {
      var text = String.UnicodeScalarView()
      for number in UInt32(1)...0x10_FFFF { if let scalar = Unicode.Scalar(number), number != 0xFEFF { text.append(scalar) } }
      let coded = try encode(String(text), label)
      let units = String(text).utf16.flatMap { unit -> [UInt8] in
        let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        return label == "UTF-16LE" ? bytes : bytes.reversed()
      }
      #expect(coded.bytes == units)
      let plain = try decode(coded.bytes, label)
      #expect(plain.text == Array(String(text).utf8) && plain.clean)
    }
  }

  @Test(
    arguments: [
      ([0x00], "\u{FFFD}", false), ([0x41, 0x00, 0x42], "A\u{FFFD}", false), ([0x00, 0xD8], "\u{FFFD}", false),
      ([0x00, 0xDC, 0x41, 0x00], "\u{FFFD}A", false), ([0x00, 0xD8, 0x41, 0x00], "\u{FFFD}A", false),
      ([0x00, 0xD8, 0x00, 0xD8, 0x00, 0xDC], "\u{FFFD}\u{10000}", false), ([0x3D, 0xD8, 0x00, 0xDE], "😀", true),
      ([0xFF, 0xFE, 0x41, 0x00], "A", true),
    ] as [([UInt8], String, Bool)]) func damagedUTF16(_ bytes: [UInt8], _ text: String, _ clean: Bool) throws
  {
    let found = try decode(bytes, "UTF-16LE")
    #expect(found.text == Array(text.utf8) && found.clean == clean)
    for size in [1, 2, 3] { #expect(stream(bytes, size, forced: .utf16LittleEndian).text == Array(text.utf8)) }
  }

  @Test func randomBytesAlwaysGiveUTF8() throws {
    var random = Seeded(13)
    let labels = [
      "utf-8", "us-ascii", "latin1", "cp1252", "cp1251", "mac", "utf-16", "utf-16be", "shift_jis", "euc-jp", "iso-2022-jp", "gb18030",
      "big5", "big5-hkscs", "euc-kr", "utf-7", "utf-32", "ucs-4", "windows-1258", "koi8-u", "iso-2022-kr",
    ]
    for label in labels {
      for _ in 0..<200 {
        let bytes = (0..<random.below(50)).map { _ in random.below(5) == 0 ? 0x1B : UInt8(random.below(256)) }
        let whole = try decode(bytes, label)
        // The same text comes out of a stream, whatever its chunks; without a label's own rule for ASCII and marks.
        guard let encoding = TextEncoding(named: label), label != "us-ascii", !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { continue }
        for size in [1, 2, 3, 7] {
          #expect(stream(bytes, size, forced: encoding).text == whole.text, "\(label) \(size) \(bytes)")
        }
      }
    }
  }

  /// What a stream decoder makes of bytes in chunks of a size.
  func stream(_ bytes: [UInt8], _ size: Int, forced: TextEncoding? = nil) -> (text: [UInt8], name: String?, passes: Bool, repaired: Bool) {
    var decoder = StreamDecoder(forced: forced)
    var buffer = ByteBuffer()
    var position = 0
    while position < bytes.count {
      let chunk = Array(bytes[position..<min(position + size, bytes.count)])
      decoder.decode(chunk.span, to: &buffer)
      position += size
    }
    decoder.finish(to: &buffer)
    return (buffer.array(), decoder.detected, decoder.passesThrough, decoder.repaired)
  }

  static let card = "BEGIN:VCARD\r\nVERSION:2.1\r\nN:Оkафор;Míra 😀\r\nEND:VCARD\r\n"

  @Test(arguments: [1, 2, 3, 7, 64, 65, 1000]) func streams(_ size: Int) throws {
    let utf8 = Array(Self.card.utf8)
    for text in [
      utf8, Array(utf8.prefix(1)), Array(utf8.prefix(5)), [], Array("é".utf8), [0xEF], [0xEF, 0xBB], [0xFF], [0, 0, 0, 0], [0x41, 0],
    ] {
      let plain = stream(text, size)
      #expect(plain.text == text && plain.name == nil && plain.passes)
      let marked = stream([0xEF, 0xBB, 0xBF] + text, size)
      #expect(marked.text == text && marked.name == nil && marked.passes)
    }
    // A mark inside stays for the parser.
    let joined = utf8 + [0xEF, 0xBB, 0xBF] + utf8
    #expect(stream(joined, size).text == joined)
    for (label, mark) in [("UTF-16LE", [0xFF, 0xFE]), ("UTF-16BE", [0xFE, 0xFF])] as [(String, [UInt8])] {
      let coded = try encode(Self.card, label).bytes
      for bytes in [coded, mark + coded] {
        let found = stream(bytes, size)
        #expect(found.text == utf8 && found.name == label && !found.passes && !found.repaired)
        let cut = stream(Array(bytes.dropLast()), size)
        #expect(cut.text == utf8.dropLast() + Array("\u{FFFD}".utf8) && cut.repaired)
        let forced = stream(bytes, size, forced: TextEncoding(named: "utf-16"))
        #expect(forced.text == utf8 && forced.name == "UTF-16")
      }
      #expect(stream(mark, size).text == [])
      let short = try encode("AB", label).bytes
      #expect(stream(short, size).text == [0x41, 0x42])
    }
  }

  @Test(arguments: [1, 2, 3, 7, 1000]) func forcedStreams(_ size: Int) throws {
    let latin = try encode("Míra “Straße”\r\n", "windows-1252").bytes
    let found = stream(latin, size, forced: .windows1252)
    #expect(found.text == Array("Míra “Straße”\r\n".utf8) && found.name == "windows-1252" && !found.passes)
    let damaged = stream(Array("a😀".utf8).dropLast() + [0x41, 0xFF], size, forced: .utf8)
    #expect(damaged.text == Array("a\u{FFFD}A\u{FFFD}".utf8) && damaged.repaired)
    let whole = stream(Array("\u{FEFF}Míra 😀".utf8), size, forced: .utf8)
    #expect(whole.text == Array("Míra 😀".utf8) && !whole.repaired)
    let ascii = stream([0x41, 0xE9], size, forced: TextEncoding(named: "ascii"))
    #expect(ascii.text == [0x41, 0xE9] && ascii.passes)
  }
}
