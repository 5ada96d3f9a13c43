// The JSON tokenizer: tokens, texts, places, grammar, limits, and that no bytes crash it.
import Bytes
import DataSyntax
import TestSupport
import Testing

@Suite struct JSONReaderTests {
  /// All tokens with their texts, or the fault that ends them.
  private func tokens(_ bytes: [UInt8], maximumDepth: Int = 128) -> [String] {
    var reader = JSONReader(bytes, maximumDepth: maximumDepth)
    var found: [String] = []
    while true {
      do {
        let token = try reader.next()
        switch token {
        case .end: return found
        case .key: found.append("key " + reader.text.text())
        case .string: found.append("string " + reader.text.text())
        case .number: found.append("number " + reader.text.text())
        case .beginObject: found.append("{")
        case .endObject: found.append("}")
        case .beginArray: found.append("[")
        case .endArray: found.append("]")
        case .true: found.append("true")
        case .false: found.append("false")
        case .null: found.append("null")
        }
      } catch {
        found.append("! " + told(error))
        return found
      }
    }
  }

  private func tokens(_ text: String) -> [String] { tokens(Array(text.utf8)) }

  @Test func readsAllTokens() {
    let found = tokens("\u{FEFF} {\"a\" : [1, -2.5e+3, true,false , null, \"x\"], \"a\": {}, \"\": []}\r\n")
    #expect(
      found == [
        "{", "key a", "[", "number 1", "number -2.5e+3", "true", "false", "null", "string x", "]", "key a", "{", "}", "key ", "[", "]", "}",
      ])
    #expect(tokens(" 0 ") == ["number 0"])
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u00E9\u732b""#, "Aéé猫"), (#""\ud83d\ude00!""#, "😀!"),
    (#""\ud83d""#, "\u{FFFD}"), (#""\ude00x""#, "\u{FFFD}x"),
    (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ud83dx\ude00""#, "\u{FFFD}x\u{FFFD}"),
    (#""\ud83d\n""#, "\u{FFFD}\n"), (#""\u0000""#, "\u{0}"), (#""\uffff""#, "\u{FFFF}"), ("\"Zoë 猫 😀\"", "Zoë 猫 😀"),
  ])
  func unescapes(_ json: String, _ wanted: String) throws {
    var reader = JSONReader(Array(json.utf8))
    let token = try reader.next()
    let text = reader.text.array()
    #expect(token == .string)
    #expect(text == Array(wanted.utf8))
    let end = try reader.next()
    #expect(end == .end)
    let again = try reader.next()
    #expect(again == .end)
  }

  @Test func repairsInvalidUTF8() {
    let bytes: [UInt8] = [34, 0x61, 0xFF, 0x62, 0xC3, 34]
    #expect(tokens(bytes) == ["string a\u{FFFD}b\u{FFFD}"])
    #expect(tokens([34, 0xED, 0xA0, 0x80, 34]) == ["string \u{FFFD}\u{FFFD}\u{FFFD}"])
  }

  @Test(arguments: [
    "", " ", "{", "[", "[1", "[1,", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "\"abc", "\"abc\\", "\"\\u12", "\"\\u12g4\"", "\"\\x\"",
    "\"a\nb\"",
    "[1,]", "[,1]", "[1 2]", "[1}", "{]", "{1:2}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{\"a\":1,}", "{,}", "{\"a\",1}",
    "01", "-", "1.", "1.e5", ".5", "+1",
    "1e", "1e+", "-a", "tru", "True", "nul", "NaN", "1 2", "{} {}", "[]]", "'a'", "[1]x", "\"\\ud83d\\u\"", "/*c*/1", ",", ":",
  ])
  func refusesWhatIsNoJSON(_ text: String) {
    let found = tokens(text)
    #expect(found.last?.hasPrefix("! ") == true, "\(found)")
  }

  @Test func hugeNumbersStayText() {
    let number = "-" + String(repeating: "9", count: 10_000) + "." + String(repeating: "1", count: 100) + "E-999999999999"
    #expect(tokens("[\(number)]") == ["[", "number \(number)", "]"])
  }

  @Test func tellsPlaces() throws {
    var reader = JSONReader(Array("xx{\r\n \"a\":\r\r  [1,\n\"é\", true]}".utf8), from: 2, firstLine: 10)
    var places: [String] = []
    while true {
      let token = try reader.next()
      if token == .end { break }
      places.append("\(reader.line):\(reader.column)")
    }
    #expect(places == ["10:1", "11:2", "13:3", "13:4", "14:1", "14:7", "14:11", "14:12"])
  }

  @Test func faultsTellPlacesAndStay() {
    #expect(tokens("{\n  \"a\": tru\n}").last == "! 2:11 Expected `true`")
    #expect(tokens("[1,\r\"abc").last == "! 2:1 A string is not closed")
    #expect(tokens("[1\n\n 2]").last == "! 3:2 Expected a comma or the end of the array")
    var reader = JSONReader(Array("[}".utf8))
    var faults: [DataSyntaxError] = []
    for _ in 0..<4 {
      do { _ = try reader.next() } catch { faults.append(error) }
    }
    #expect(faults.count == 3)
    #expect(Set(faults.map(told)).count == 1)
  }

  @Test func readsARangeOnly() {
    let bytes = Array("[1],[2]".utf8)
    var reader = JSONReader(bytes, from: 4, to: 7)
    var count = 0
    while let token = try? reader.next(), token != .end { count += 1 }
    #expect(count == 3)
    for (from, to) in [(-5, 3), (3, 1), (100, 200), (0, -1)] {
      var odd = JSONReader(bytes, from: from, to: to)
      _ = try? odd.next()
    }
  }

  @Test func skipsValues() throws {
    var reader = JSONReader(Array(#"{"a":{"b":[1,{"c":2}]},"d":[[]],"e":"text","f":3}"#.utf8))
    var seen: [String] = []
    _ = try reader.next()
    while try reader.next() == .key {
      let key = reader.text.text()
      seen.append(key)
      if key == "d" { _ = try reader.next() }
      try reader.skipValue()
      let depth = reader.depth
      #expect(depth == 1)
    }
    let last = reader.lastToken
    #expect(seen == ["a", "d", "e", "f"])
    #expect(last == .endObject)
    var broken = JSONReader(Array("[[1,".utf8))
    _ = try broken.next()
    #expect(throws: DataSyntaxError.self) { try broken.skipValue() }
  }

  @Test func limitsDepth() {
    let open = String(repeating: "[", count: 128), close = String(repeating: "]", count: 128)
    #expect(tokens(open + close).count == 256)
    #expect(tokens("[" + open + close + "]").last == "! 1:129 The JSON text nests deeper than 128 levels")
    let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
    #expect(tokens(Array(deep.utf8), maximumDepth: 20_000).last == "! 1:129 The JSON text nests deeper than 128 levels")
    #expect(tokens(String(repeating: "{\"a\":", count: 10_000)).last?.hasPrefix("! ") == true)
  }

  static let sample = Array("\u{FEFF}{\"a\":[1,-2.5e3,true,null,\"x\\u00e9\\ud83d\\ude00\\n猫\"],\r\n\"b\":{\"c\":{}}}".utf8)

  @Test func noBytesCrash() {
    for end in 0..<Self.sample.count {
      #expect(tokens(Array(Self.sample[..<end])).last?.hasPrefix("! ") == true)
    }
    for place in Self.sample.indices {
      for byte in UInt8.min...UInt8.max {
        var bytes = Self.sample
        bytes[place] = byte
        _ = tokens(bytes)
      }
    }
    var random = Seeded(3)
    let alphabet = Array("{}[]\",:\\u1e-.tfn \n\u{E9}".utf8)
    for _ in 0..<20_000 {
      _ = tokens((0..<Int.random(in: 0...30, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 })
    }
  }

  /// Counting lines from the start each time would take hours here.
  @Test func askingForLinesStaysLinear() {
    let bytes = Array(("[" + String(repeating: "1,\n", count: 400_000) + "1]").utf8)
    var reader = JSONReader(bytes)
    var line = 0
    while let token = try? reader.next(), token != .end { line = reader.line }
    #expect(line == 400_001)
  }
}
