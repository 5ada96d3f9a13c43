// The table of a JSON value's tokens: the same values as the reader takes, and the places of all.
import Bytes
import DataSyntax
import TestSupport
import Testing

@Suite struct JSONTapeTests {
  /// All tokens with their texts; nil where the text is no value.
  private func tokens(_ bytes: [UInt8], maximumDepth: Int = 128) -> [String]? {
    var tape = JSONTape()
    guard let end = tape.read(bytes.span, from: 0, maximumDepth: maximumDepth), JSONTape.firstNoBlank(bytes.span, end) == bytes.count
    else { return nil }
    return tape.tokens.indices.map { token in
      switch tape.tokens[token].kind {
      case .key, .string, .number: "\(tape.tokens[token].kind) " + tape.text(of: token, bytes)
      default: "\(tape.tokens[token].kind)"
      }
    }
  }

  /// The same as a reader says, which tells ends as well.
  private func read(_ bytes: [UInt8]) -> [String]? {
    var reader = JSONReader(bytes)
    var found: [String] = []
    do throws(DataSyntaxError) {
      while true {
        let token = try reader.next()
        switch token {
        case .end: return found
        case .key, .string, .number: found.append("\(token) " + reader.text.text())
        case .beginObject: found.append("object")
        case .beginArray: found.append("array")
        case .endObject, .endArray: break
        case .true, .false, .null: found.append("\(token)")
        }
      }
    } catch {
      return nil
    }
  }

  private static let samples = [
    #"{"a":[1,-0.5e+3,true,false,null,"x\u00e9\n",{}],"b":{"c":[]},"":""}"#, #" [ "\ud83d\ude00" , 0 , 1E5 ] "#, "\u{FEFF}{\"é\":\"猫\"}",
    "[[[[]]]]", "7", "\"\"", "nul", "[01]", "[1,]", #"{"a" 1}"#, #"{"a":1,}"#, #"["\x"]"#, "[\"a\nb\"]", "", "[1 2]", "[]x", "tru",
  ]

  @Test func takesWhatTheReaderTakes() {
    var numbers = Seeded(9)
    let letters = Array("{}[],:\"\\tfn0-1.eE u\u{e9}".utf8)
    for sample in Self.samples {
      let bytes = Array(sample.utf8)
      #expect(tokens(bytes) == read(bytes), "\(sample)")
      for end in bytes.indices { #expect(tokens(Array(bytes[..<end])) == read(Array(bytes[..<end]))) }
      for _ in 0..<300 where !bytes.isEmpty {
        var damaged = bytes
        for _ in 0...numbers.below(2) { damaged[numbers.below(damaged.count)] = numbers.pick(letters) }
        #expect(tokens(damaged) == read(damaged), "\(String(decoding: damaged, as: UTF8.self))")
      }
    }
  }

  @Test func knowsPlaces() {
    let bytes = Array(#" {"ab":[1,"c\n"],"d":{}} "#.utf8)
    var tape = JSONTape()
    #expect(tape.read(bytes.span, from: 0, maximumDepth: 8) == bytes.count - 1)
    let found = tape.tokens.map { String(decoding: bytes[$0.start..<$0.end], as: UTF8.self) }
    #expect(found == [#"{"ab":[1,"c\n"],"d":{}}"#, "ab", #"[1,"c\n"]"#, "1", #"c\n"#, "d", "{}"])
    #expect(tape.tokens.map(\.next) == [7, 5, 5, 4, 5, 7, 7])
    #expect(tape.tokens.map(\.hasEscapes) == [false, false, false, false, true, false, false])
    #expect(tape.says("ab", 1, bytes.span) && !tape.says("ac", 1, bytes.span) && !tape.says("ab", 3, bytes.span))
    #expect(tape.read(bytes.span, from: 7, maximumDepth: 8) == 16 && tape.tokens.count == 3)
  }

  @Test func nestingHasALimit() {
    #expect(tokens(Array("[[[]]]".utf8), maximumDepth: 3)?.count == 3)
    #expect(tokens(Array("[[[]]]".utf8), maximumDepth: 2) == nil)
    #expect(tokens(Array(String(repeating: "[", count: 100_000).utf8)) == nil)
  }

  /// CRLF, LF and CR end a line.
  @Test func countsLines() {
    var lines = LineTable(Array("a\nb\r\nc\rd\n".utf8), firstLine: 5)
    #expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map { lines.line(at: $0) } == [5, 5, 6, 6, 6, 7, 7, 8, 8, 9])
  }
}
