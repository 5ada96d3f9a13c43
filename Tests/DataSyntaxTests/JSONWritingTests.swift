// JSON strings: what is escaped, what is not, and that pieces and whole texts give the same.
import Bytes
import DataSyntax
import TestSupport
import Testing

@Suite struct JSONWritingTests {
  /// The bytes as a JSON string.
  private func written(_ bytes: [UInt8]) -> String {
    var out = ByteBuffer()
    out.appendJSONString(bytes.span, 0, bytes.count)
    return out.text()
  }

  @Test(arguments: [
    ("", "\"\""), ("plain", "\"plain\""), ("a\"b\\c", #""a\"b\\c""#), ("\n\r\t", #""\n\r\t""#),
    ("\u{0}\u{1}\u{8}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u0008\\u001f\u{7F}\""), ("a/b", "\"a/b\""),
    ("Zoë 猫 😀 e\u{301}\u{2028}", "\"Zoë 猫 😀 e\u{301}\u{2028}\""),
    ("long enough for words \" then more text", #""long enough for words \" then more text""#),
  ])
  func escapesWhatMustBe(_ text: String, _ wanted: String) {
    let fromBytes = written(Array(text.utf8))
    #expect(Array(fromBytes.utf8) == Array(wanted.utf8))
    var out = ByteBuffer()
    out.appendJSONString(text)
    let fromText = out.text()
    #expect(Array(fromText.utf8) == Array(wanted.utf8))
    out.removeAll()
    out.append("\"")
    out.appendJSONEscaped(text)
    out.append("\"")
    let pieces = out.text()
    #expect(pieces == fromText)
  }

  @Test(
    arguments: [
      [0xFF], [0x61, 0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x98, 0x41],
      [0xC0, 0xAF], [0xF5, 0x80, 0x80, 0x80],
      [0xE2, 0x82], [0xE2, 0x82, 0xE2, 0x82, 0xAC], [0x80, 0x80, 0x41, 0xF4, 0x90, 0x80, 0x80], [0xE0, 0x80, 0x80],
      [0xF0, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func repairsAsStringsDo(_ bytes: [UInt8]) {
    #expect(written(bytes) == "\"" + String(decoding: bytes, as: UTF8.self) + "\"")
  }

  @Test func repairsRandomBytesAsStringsDo() {
    var random = Seeded(7)
    let alphabet: [UInt8] = [0x41, 0x7A, 0x80, 0xBF, 0xC3, 0xE2, 0x82, 0xAC, 0xED, 0xA0, 0xF0, 0x9F, 0x98, 0xF4, 0x90, 0xFF]
    for _ in 0..<3_000 {
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      #expect(written(bytes) == "\"" + String(decoding: bytes, as: UTF8.self) + "\"")
    }
  }

  @Test func findsAByteAtEveryPlace() {
    for length in 0..<40 {
      for place in 0..<length {
        for (byte, escape) in [(34, "\\\""), (92, "\\\\"), (10, "\\n"), (0, "\\u0000"), (31, "\\u001f")] as [(UInt8, String)] {
          var bytes = [UInt8](repeating: 0x61, count: length)
          bytes[place] = byte
          let wanted = "\"" + String(repeating: "a", count: place) + escape + String(repeating: "a", count: length - place - 1) + "\""
          #expect(written(bytes) == wanted)
        }
      }
    }
  }

  @Test func writesOnlyTheRange() {
    let bytes = Array("ab\"cd\"ef".utf8)
    var out = ByteBuffer()
    out.appendJSONString(bytes.span, 1, 4)
    out.appendJSONEscaped(bytes.span, 5, 5)
    let text = out.text()
    #expect(text == #""b\"c""#)
  }

  @Test func everyByteComesBackThroughTheReader() throws {
    let text = String(String.UnicodeScalarView((0..<0x500).compactMap(Unicode.Scalar.init)))
    var out = ByteBuffer()
    out.appendJSONString(text)
    var reader = JSONReader(out.array())
    let token = try reader.next()
    let back = reader.text.text()
    #expect(token == .string)
    #expect(Array(back.utf8) == Array(text.utf8))
  }
}
