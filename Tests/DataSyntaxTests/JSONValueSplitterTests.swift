// The JSON splitter: arrays, lines, sequences; the same for all chunk sizes; faults cost no other value.
import Bytes
import DataSyntax
import TestSupport
import Testing

@Suite struct JSONValueSplitterTests {
  /// All that comes out, as `line text` or `! line:column message`, for one chunk size.
  private func pieces(
    _ bytes: [UInt8], size: Int, _ rule: JSONArrayRule = .always, maximumBytes: Int = 1 << 20, maximumDepth: Int = 128
  ) -> [String] {
    var splitter = JSONValueSplitter(splitsArrays: rule, maximumValueBytes: maximumBytes, maximumDepth: maximumDepth)
    var found: [String] = []
    func drain(_ splitter: inout JSONValueSplitter) {
      while true {
        do {
          guard let value = try splitter.next() else { return }
          found.append("\(value.line) " + String(decoding: value.bytes, as: UTF8.self))
        } catch {
          found.append("! " + told(error))
        }
      }
    }
    forEachChunk(of: bytes.count, size: size) { range in
      splitter.feed(bytes.span.extracting(range))
      drain(&splitter)
    }
    splitter.finish()
    drain(&splitter)
    return found
  }

  /// The same for all chunk sizes, which must agree.
  private func pieces(_ text: String, _ rule: JSONArrayRule = .always, maximumBytes: Int = 1 << 20, maximumDepth: Int = 128) -> [String] {
    let bytes = Array(text.utf8)
    let all = chunkSizes.map { pieces(bytes, size: $0, rule, maximumBytes: maximumBytes, maximumDepth: maximumDepth) }
    for other in all { #expect(other == all[0], "\(text)") }
    return all[0]
  }

  @Test func splitsArrays() {
    #expect(
      pieces("\u{FEFF} [\n{\"a\":\"]},\\\"\"},\r\n{\"b\":[1,{}]}\n, [2] ,3,\"x\\\\\",null]\n") == [
        "2 {\"a\":\"]},\\\"\"}", "3 {\"b\":[1,{}]}", "4 [2]", "4 3", "4 \"x\\\\\"", "4 null",
      ])
    #expect(pieces("[]").isEmpty)
    #expect(pieces(" [ \n ] ").isEmpty)
    #expect(pieces("[1]") == ["1 1"])
    #expect(pieces("").isEmpty)
  }

  @Test func splitsTopLevelValues() {
    #expect(pieces("{\"a\":1}\n{\"b\":\n2}\r\r{}{}\n") == ["1 {\"a\":1}", "2 {\"b\":\n2}", "5 {}", "5 {}"])
    #expect(pieces("\u{1E}{\"a\":1}\n\u{1E}{\"b\":2}\n") == ["1 {\"a\":1}", "2 {\"b\":2}"])
    #expect(pieces("1 2\ntrue\n\"s\"") == ["1 1", "1 2", "2 true", "3 \"s\""])
    #expect(pieces("[1,2][3]\n{\"a\":[4]}") == ["1 1", "1 2", "1 3", "2 {\"a\":[4]}"])
    #expect(pieces("\u{FEFF}{}\n\u{FEFF}{}") == ["1 {}", "2 {}"])
  }

  @Test func tellsAJCardFromAListOfThem() {
    let card = #"["vcard",[["version",{},"text","4.0"]]]"#
    #expect(pieces(card, .unlessFirstElementIsString) == ["1 " + card])
    #expect(pieces("[\(card),\n\(card)]", .unlessFirstElementIsString) == ["1 " + card, "2 " + card])
    #expect(pieces("[ \n \"vcard\", []]", .unlessFirstElementIsString) == ["1 [ \n \"vcard\", []]"])
    #expect(pieces(card, .always).count == 2)
    #expect(pieces("[]", .unlessFirstElementIsString).isEmpty)
    #expect(pieces("[\"vcard\"", .unlessFirstElementIsString) == ["! 1:1 The JSON text ends before the value that begins here is complete"])
  }

  @Test(arguments: [
    // In JSON Lines the next line goes on.
    ("{\"a\":[1}\n{\"b\":2}\n{\"c\":3}", ["! 1:8 A `}` closes what is no object", "2 {\"b\":2}", "3 {\"c\":3}"]),
    ("{\"a\":1\n{\"b\":2}\n", ["! 1:1 The value that begins here is not closed before the next one begins", "2 {\"b\":2}"]),
    ("{\"a\":\"x\n{\"b\":2}\n", ["! 1:8 A line ends inside a string", "2 {\"b\":2}"]),
    ("{\"a\":[1,\n]]\n{\"b\":2}\n", ["! 2:2 A `]` closes what is no array", "3 {\"b\":2}"]),
    ("{}}\n{\"b\":2}", ["1 {}", "! 1:3 Expected a JSON value", "2 {\"b\":2}"]),
    ("BEGIN:VCARD\nVERSION:3.0\n{}", ["! 1:1 Expected a JSON value", "3 {}"]),
    (
      "\u{1E}{\"a\":1\n\u{1E}{\"b\":2}", ["! 1:2 The value that begins here is not closed before the next record separator", "2 {\"b\":2}"]
    ),
    ("\u{1E}{\"a\":\"1\u{1E}{\"b\":2}", ["! 1:9 A line ends inside a string", "1 {\"b\":2}"]),
    ("\"abc\n{}", ["! 1:5 A line ends inside a string", "2 {}"]),
    // In an array the end that matches, or a line that begins like an element.
    ("[{\"a\":[1},{\"b\":2}]", ["! 1:9 A `}` closes what is no object", "1 {\"b\":2}"]),
    ("[\n{\"a\":\"x},\n{\"b\":2}\n]", ["! 2:10 A line ends inside a string", "3 {\"b\":2}"]),
    (
      "[\n  {\n    \"a\":\n    {},\n    \"b\"\n  {\"c\":2}\n]",
      ["! 2:3 The value that begins here is not closed before the next one begins", "6 {\"c\":2}"]
    ),
    ("[{\"a\":1]\n{\"b\":2}", ["! 1:8 A `]` closes what is no array", "2 {\"b\":2}"]),
    ("[1,,2]", ["1 1", "! 1:4 Expected an element of the array before the comma", "1 2"]),
    ("[1,]", ["1 1", "! 1:4 Expected an element of the array after the comma"]),
    ("[{} {}]", ["1 {}", "! 1:5 Expected a comma between the elements of the array", "1 {}"]),
    ("[xyz, {}]", ["! 1:2 Expected a JSON value", "1 {}"]),
    // What is cut off at the end.
    ("[1", ["1 1", "! 1:1 The array that begins here is not closed"]),
    ("\n[{},\n", ["2 {}", "! 2:1 The array that begins here is not closed"]),
    ("[\n{\"a\":1", ["! 2:1 The JSON text ends before the value that begins here is complete"]),
    ("{}\n{\"a\":\"\\", ["1 {}", "! 2:1 The JSON text ends before the value that begins here is complete"]),
    ("{]\n\"abc\\", ["! 1:2 A `]` closes what is no array"]),
  ])
  func oneFaultCostsOneValue(_ text: String, _ wanted: [String]) {
    #expect(pieces(text) == wanted)
  }

  @Test func complaintsAreFew() {
    #expect(pieces(String(repeating: "]", count: 500) + "\n" + String(repeating: "}", count: 500)).count == 1)
    #expect(pieces("[" + String(repeating: ",", count: 500) + "1]").count == 2)
  }

  @Test func limitsSize() {
    let large = "{\"a\":\"" + String(repeating: "x\\\"", count: 20) + "\",\n\"b\":[{}\n,\n{}]}"
    let fault = "The JSON value that begins here is larger than 32 bytes"
    #expect(pieces("{}\n\(large)\n{\"c\":1}", maximumBytes: 32) == ["1 {}", "! 2:1 " + fault, "6 {\"c\":1}"])
    #expect(pieces("[{},\(large),{\"c\":1}]", maximumBytes: 32) == ["1 {}", "! 1:5 " + fault, "4 {\"c\":1}"])
    #expect(pieces("[1,\(String(repeating: "9", count: 99)),3]", maximumBytes: 32) == ["1 1", "! 1:4 " + fault, "1 3"])
    #expect(pieces("[\"\(String(repeating: "9", count: 99))\",3]", maximumBytes: 32) == ["! 1:2 " + fault, "1 3"])
    #expect(pieces("[\"\(String(repeating: "9", count: 30))\",3]", maximumBytes: 32).count == 2)
    #expect(pieces("[" + String(repeating: " ", count: 99) + "{}]", maximumBytes: 32) == ["1 {}"])
  }

  @Test func limitsDepth() {
    let deep = String(repeating: "[", count: 10_000) + "{}" + String(repeating: "]", count: 10_000)
    #expect(pieces("[\(deep),{\"a\":1}]") == ["! 1:130 The JSON value nests deeper than 128 levels", "1 {\"a\":1}"])
    #expect(pieces("{\"a\":\(deep)}\n{\"b\":1}") == ["! 1:133 The JSON value nests deeper than 128 levels", "2 {\"b\":1}"])
    let just = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    #expect(pieces("[\(just)]") == ["1 " + just])
    #expect(pieces(String(repeating: "[", count: 10_000)).count == 1)
  }

  static let samples = [
    "\u{FEFF}[{\"a\":\"\\\"]\\\\\"},\r\n{\"b\":[1,{}]}, -1.5 ,\"é\"]\n",
    "{\"a\":{\"b\":\"}\"}}\n\u{1E}{\"c\":[\"]\"]}\r[\"vcard\",[[]]]\n",
  ]

  @Test(arguments: samples) func noBytesCrashAndChunksAgree(_ sample: String) {
    let bytes = Array(sample.utf8)
    for rule in [JSONArrayRule.always, .unlessFirstElementIsString] {
      for end in 0...bytes.count {
        let cut = Array(bytes[..<end])
        let all = chunkSizes.map { pieces(cut, size: $0, rule) }
        #expect(all.allSatisfy { $0 == all[0] })
      }
      for place in bytes.indices {
        for byte in [0, 0x0A, 0x0D, 0x1E, 0x22, 0x2C, 0x31, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0xEF, 0xFF] as [UInt8] {
          var changed = bytes
          changed[place] = byte
          let all = [1, 3, 1 << 20].map { pieces(changed, size: $0, rule, maximumBytes: 16, maximumDepth: 2) }
          #expect(all.allSatisfy { $0 == all[0] })
        }
      }
    }
  }

  @Test func randomBytesCrashNothingAndChunksAgree() {
    var random = Seeded(11)
    let alphabet = Array("{{}}[[]]\"\",:\\1t \n\r\u{1E}x".utf8)
    for _ in 0..<5_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      let all = [1, 5, 1 << 20].map { pieces(bytes, size: $0, .unlessFirstElementIsString, maximumBytes: 12, maximumDepth: 3) }
      #expect(all.allSatisfy { $0 == all[0] }, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  /// Reading a value anew with every piece that arrives would take hours here.
  @Test(arguments: [1, 4096]) func workGrowsLinearly(_ size: Int) {
    let count = 300_000
    let inputs = [
      "{\"a\":\"" + String(repeating: "x", count: count) + "\"}", "[" + String(repeating: " ", count: count) + "]",
      "{\"a\":[" + String(repeating: "[],\n", count: count / 4) + "1]}",
    ]
    #expect(inputs.map { pieces(Array($0.utf8), size: size, .unlessFirstElementIsString).count } == [1, 0, 1])
    #expect(pieces(Array(String(repeating: "{}\n", count: count / 3).utf8), size: size, .unlessFirstElementIsString).count == count / 3)
  }
}
