// Base64 and quoted-printable: the vectors of the RFCs, the spellings of the wild, and damage.
import Bytes
import CardSyntax
import TestSupport
import Testing

@Suite struct Base64Tests {
  /// Decodes a text as bytes and says whether it was clean.
  func decode(_ text: String) -> (bytes: [UInt8], clean: Bool) {
    let text = Array(text.utf8)
    var buffer = ByteBuffer()
    let clean = Base64.decode(text.span, 0, text.count, to: &buffer)
    let bytes = buffer.array()
    let count = Base64.decodedCount(text.span, 0, text.count)
    #expect(count == bytes.count)
    for wanted in [0, 1, 3, 8, bytes.count] {
      let prefix = Base64.decodedPrefix(text.span, 0, text.count, count: wanted)
      #expect(prefix == Array(bytes.prefix(wanted)))
    }
    return (bytes, clean)
  }

  func encode(_ bytes: [UInt8]) -> String {
    var buffer = ByteBuffer()
    Base64.encode(bytes.span, 0, bytes.count, to: &buffer)
    return buffer.text()
  }

  func isCanonical(_ text: String) -> Bool {
    let text = Array(text.utf8)
    return Base64.isCanonical(text.span, 0, text.count)
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ]) func vectors(_ plain: String, _ coded: String) {
    #expect(encode(Array(plain.utf8)) == coded)
    let (bytes, clean) = decode(coded)
    #expect(bytes == Array(plain.utf8) && clean)
    #expect(isCanonical(coded))
  }

  @Test func everyLengthAndByteGoesAround() {
    var random = Seeded(5)
    for count in 0..<300 {
      let bytes = (0..<count).map { _ in UInt8(random.below(256)) }
      let coded = encode(bytes)
      #expect(isCanonical(coded))
      let plain = decode(coded)
      #expect(plain.bytes == bytes && plain.clean)
      let folded = coded.utf8.enumerated().map { ($0 % 19 == 18 ? "\r\n  " : "") + String(Unicode.Scalar($1)) }.joined()
      let unfolded = decode(folded)
      #expect(unfolded.bytes == bytes && unfolded.clean)
      let url = decode(String(coded.filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }))
      #expect(url.bytes == bytes && url.clean)
    }
  }

  @Test(arguments: [
    ("Zm9vYg", "foob", true), ("Zm9vYg=", "foob", true), (" Zm9v\n\tYmFy \r\n", "foobar", true), ("Zm9v!YmFy", "foobar", false),
    ("Zm9vY", "foo", false), ("Zm9v=", "foo", false), ("Zg===", "f", false), ("Zg==Zg==", "ff", false), ("Zm9v=YmFy", "foobar", false),
    ("====", "", false), ("Z", "", false), ("Zm9vYmFyZm9vYmFy\\nZm9v", "foobarfoobar", false), ("Zm9v\u{E9}", "foo", false),
  ]) func spellings(_ text: String, _ plain: String, _ clean: Bool) {
    let decoded = decode(text)
    #expect(decoded.bytes.starts(with: Array(plain.utf8)))
    #expect(decoded.clean == clean)
    #expect(!isCanonical(text))
  }

  @Test(arguments: ["Zg==", "Zm8=", "AAAA", "+/+/+/+/", "Zm9vYmFyZm9vYmFy"]) func canonical(_ text: String) { #expect(isCanonical(text)) }

  @Test(arguments: ["Zh==", "Zm9=", "=AAA", "A===", "====", "AA=A", "AAA", "AAAA\n", "AA A", "AAAA-AAA", "AAAAAAA\u{C1}"])
  func notCanonical(_ text: String) { #expect(!isCanonical(text)) }

  @Test func everyByteIsClassified() {
    let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    for byte in UInt8.min...UInt8.max {
      for position in 0..<8 {
        var text = Array("AAAAAAAA".utf8)
        text[position] = byte
        let canonical = Base64.isCanonical(text.span, 0, 8)
        let padded = byte == 0x3D && position == 7
        #expect(canonical == alphabet.contains(byte) || padded, "\(byte) at \(position)")
      }
    }
  }

  @Test func randomTextNeverCrashes() {
    var random = Seeded(9)
    let pool = Array("AZaz09+/-_= \r\n=!".utf8)
    for _ in 0..<20_000 {
      let text = (0..<random.below(40)).map { _ in pool[random.below(pool.count)] }
      _ = decode(String(decoding: text, as: Unicode.UTF8.self))
    }
  }
}

@Suite struct QuotedPrintableTests {
  func decode(_ text: String) -> (text: String, clean: Bool) {
    let text = Array(text.utf8)
    var buffer = ByteBuffer()
    let clean = QuotedPrintable.decode(text.span, 0, text.count, to: &buffer)
    return (buffer.text(), clean)
  }

  func encode(_ text: String, used: Int = 0, lineLimit: Int = 76) -> String {
    let text = Array(text.utf8)
    var buffer = ByteBuffer()
    QuotedPrintable.encode(text.span, 0, text.count, lineLimit: lineLimit, used: used, to: &buffer)
    return buffer.text()
  }

  @Test(arguments: [
    ("", "", true), ("plain", "plain", true), ("M=C3=ADra", "Míra", true), ("M=c3=adra", "Míra", true), ("a=3D=3d b", "a== b", true),
    ("one=0D=0Atwo", "one\r\ntwo", true), ("one=\r\ntwo", "onetwo", true), ("one= \t\ntwo", "onetwo", true), ("a=", "a=", false),
    ("a=4", "a=4", false), ("a=4Gb", "a=4Gb", false), ("a==41", "a=A", false), ("http://x/?a=b&c=zz", "http://x/?a=b&c=zz", false),
    ("=41=42=43", "ABC", true),
  ]) func decodes(_ text: String, _ plain: String, _ clean: Bool) {
    let decoded = decode(text)
    #expect(Array(decoded.text.utf8) == Array(plain.utf8))
    #expect(decoded.clean == clean)
  }

  @Test(arguments: [
    ("", ""), ("plain text", "plain text"), ("Míra", "M=C3=ADra"), ("a=b", "a=3Db"), ("one\r\ntwo", "one=0D=0Atwo"), ("end ", "end=20"),
    ("a \r\n", "a =0D=0A"), ("tab\tbed", "tab=09bed"), (" ", "=20"),
  ]) func encodes(_ plain: String, _ text: String) { #expect(encode(plain, used: 5) == text) }

  @Test func linesKeepTheLimitAndCharactersStayWhole() {
    var random = Seeded(11)
    let pool = ["a", " ", "=", "é", "山", "😀", "\r\n", "word ", "\t", ";"]
    for round in 0..<2_000 {
      let plain = (0..<random.below(120)).map { _ in pool[random.below(pool.count)] }.joined()
      let used = random.below(90)
      let limit = [76, 76, 20, 13, 6, 4][round % 6]
      let coded = encode(plain, used: used, lineLimit: limit)
      let lines = coded.utf8.split(separator: 10, omittingEmptySubsequences: false).map { line in
        line.last == 13 ? Array(line.dropLast()) : Array(line)
      }
      for (index, line) in lines.enumerated() {
        let isFirst = index == 0
        #expect(line.count + (isFirst ? used : 0) <= limit || isFirst && line == [0x3D] || isFirst && line.isEmpty)
        #expect(index == lines.count - 1 || line.last == 0x3D)
        #expect(line.last != 0x20)
        if index > 0 { #expect(line.first != 0x20) }
        if limit >= 13 {
          let whole = decode(String(decoding: index == lines.count - 1 ? line : line.dropLast(), as: Unicode.UTF8.self))
          #expect(!whole.text.unicodeScalars.contains("\u{FFFD}") && whole.clean)
        }
      }
      let back = decode(coded)
      #expect(Array(back.text.utf8) == Array(plain.utf8) && back.clean)
    }
  }

  /// No line behind a soft break looks like a content line, such as END:VCARD.
  @Test func noLineLooksLikeAnother() {
    for text in ["END:VCARD", "begin:vcard", "item1.TEL;X=1:5", "NOTE:x"] {
      for used in 0..<90 {
        let coded = encode(text + " é " + text, used: used)
        for line in coded.split(separator: "\r\n").dropFirst() { #expect(!line.hasPrefix(text.prefix(4)), "\(coded)") }
        #expect(decode(coded).text == text + " é " + text)
      }
    }
  }

  @Test func piecesFollowEachOther() {
    var buffer = ByteBuffer()
    var column = 60
    let piece = Array("Straße".utf8)
    for _ in 0..<20 {
      column = QuotedPrintable.encode(piece.span, 0, piece.count, used: column, to: &buffer)
    }
    let lines = buffer.text().utf8.split(separator: 10)
    #expect(lines.count > 2)
    for (index, line) in lines.enumerated() { #expect(line.count + (index == 0 ? 60 : -1) <= 77) }
    #expect(column == lines.last?.count)
  }

  @Test func rawBytesGoAround() {
    let bytes = (UInt8.min...UInt8.max).map { $0 }
    var coded = ByteBuffer()
    QuotedPrintable.encode(bytes.span, 0, bytes.count, used: 0, to: &coded)
    let text = coded.array()
    var plain = ByteBuffer()
    let clean = QuotedPrintable.decode(text.span, 0, text.count, to: &plain)
    let back = plain.array()
    #expect(clean && back == bytes)
  }
}
