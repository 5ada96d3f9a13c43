// The parser as a whole: pieces of every size, bytes that come back, versions, line ends, encodings, limits.
import Bytes
import TestSupport
import Testing

@testable import CardSyntax

/// What a parser makes of bytes that arrive in pieces: every line with all it says, and every finding.
func described(_ bytes: [UInt8], size: Int, limits: Limits = Limits()) -> [String] {
  var parser = CardParser(limits: limits)
  var found: [String] = []
  var outside: [String] = []
  func take(_ batch: CardBatch) {
    for index in 0..<batch.count {
      let card = batch[index]
      found.append("card \(card.number) \(card.version.text) \(card.declaredVersion?.text ?? "-") line \(card.line)")
      for line in card.lines {
        let parameters = line.parameters.map { "\($0.name)=\($0.values)" }
        found.append("\(line.line) \(line.group ?? "")|\(line.name)|\(parameters)|\(line.value)|\(line.rawBytes.count)")
      }
      for finding in card.diagnostics { found.append("\(finding.line ?? 0) \(finding.rule.id) \(finding.message)") }
      found.append("raw \(String(decoding: card.rawBytes, as: Unicode.UTF8.self))")
    }
    for finding in batch.diagnosticsOutsideCards { outside.append("outside \(finding.line ?? 0) \(finding.rule.id) \(finding.message)") }
  }
  forEachChunk(of: bytes.count, size: size) { range in
    parser.feed(Array(bytes[range]).span)
    while let batch = parser.nextBatch() { take(batch) }
  }
  parser.finish()
  while let batch = parser.nextBatch() { take(batch) }
  return found + outside
}

/// Damaged and odd files, each a short text.
let oddFiles: [String] = [
  "", "\r\n", "text\r\nBEGIN:VCARD\r\nFN:A\r\nEND:VCARD\r\nmore", "BEGIN:VCARD", "BEGIN:VCARD\r", "BEGIN:VCARD\r\nFN:A\r\n B",
  "END:VCARD\r\n",
  "BEGIN:VCARD\nVERSION:2.1\nN;QUOTED-PRINTABLE:=41=\n=42\nNOTE;ENCODING=QUOTED-PRINTABLE:a=\n\nTEL:1\nEND:VCARD\n",
  "BEGIN:VCARD\nVERSION:2.1\nAGENT:\nBEGIN:VCARD\nVERSION:2.1\nFN:B\nEND:VCARD\nFN:A\nEND:VCARD\n",
  "BEGIN:VCARD\rVERSION:3.0\rFN:A\r\rTEL:1\r\r\nEND:VCARD\r\n\r\nBEGIN:VCARD\r\nVERSION:4.0\r\n",
  "\u{FEFF}BEGIN:VCARD\nVERSION:4.0\nFN:Zoë\nstray line\n continued\n\tagain\nEND:VCARD junk\n\u{FEFF}BEGIN:VCARD\nFN:B\nEND:VCARD\n",
  "BEGIN:VCARD\nVERSION:3.0\nPHOTO;ENCODING=b:AAAA\nBBBB\n CCCC\n\nPHOTO;ENCODING=b:AA AA\nEND:VCARD\n",
  "BEGIN:VCARD\nVERSION:3.0\nTEL;TYPE=\"a:\n b\";X=\"c;d\":1\nTEL;X=\"open:2\nTEL;;:3\nTEL;A=,B=:4\nEND:VCARD\n",
  "BEGIN:VCARD\nVERSION:3.0\nNOTE:x\n END:VCARD\nREV:1\nEND:VCARD\n BEGIN:VCARD\n VERSION:3.0\n FN:B\n END:VCARD\n",
  "BEGIN:VCARD\nVERSION:2.1\nFN;CHARSET=ISO-8859-1:M\u{FC}\nFN;CHARSET=none:x\u{E9}\nEND:VCARD\n\0\0BEGIN:VCARD\n\0FN:\0\nEND:VCARD",
]

@Suite struct ParserTests {
  /// Architecture, section 1: the same cards and findings, however the bytes are cut.
  @Test(arguments: oddFiles.indices) func piecesOfAnySizeGiveTheSame(_ index: Int) {
    let bytes = Array(oddFiles[index].utf8)
    let whole = described(bytes, size: .max)
    for size in chunkSizes { #expect(described(bytes, size: size) == whole, "size \(size)") }
    // In two pieces, cut at every byte.
    for cut in 0..<bytes.count {
      var parser = CardParser()
      var count = 0
      for piece in [bytes[..<cut], bytes[cut...]] {
        parser.feed(Array(piece).span)
        while parser.next() != nil { count += 1 }
      }
      parser.finish()
      while parser.next() != nil { count += 1 }
      #expect(count == whole.count { $0.hasPrefix("card ") }, "cut at \(cut)")
    }
  }

  @Test(arguments: Checkout.samples, chunkSizes) func samplesInPieces(_ name: String, _ size: Int) throws {
    let bytes = try Checkout.read("samples/" + name)
    let whole = described(bytes, size: .max)
    #expect(whole.contains { $0.hasPrefix("card ") } && described(bytes, size: size) == whole)
  }

  /// Architecture, section 1: a card knows the physical bytes it came from; together they are the file, byte for byte.
  @Test(arguments: Checkout.samples) func bytesComeBack(_ name: String) throws {
    let bytes = try Checkout.read("samples/" + name)
    var joined: [UInt8] = []
    for card in Cards(bytes) {
      joined += card.rawBytes
      let lines = card.lines.flatMap { Array($0.rawBytes) }
      let raw = String(decoding: card.rawBytes, as: Unicode.UTF8.self)
      let body = raw.dropFirst("BEGIN:VCARD".count).drop { $0.isNewline }
      #expect(body.hasPrefix(String(decoding: lines, as: Unicode.UTF8.self)))
      #expect(card.detached().lines.map(\.value) == card.lines.map(\.value))
    }
    #expect(joined == bytes)
  }

  /// RFC 6350 3.2 asks for CRLF; files have LF, CR and mixtures. Lines count the same.
  @Test func everyLineEnd() {
    let lines = ["BEGIN:VCARD", "VERSION:3.0", "FN:A", "NOTE:one", " two", "TEL:1", "END:VCARD"]
    let wanted = described(Array(lines.map { $0 + "\n" }.joined().utf8), size: .max).filter { !$0.hasPrefix("raw") }.map {
      String($0.dropLast(3))
    }
    var random = Seeded(4)
    for round in 0..<40 {
      let ends = round < 3 ? [["\r\n"], ["\n"], ["\r"]][round] : ["\r\n", "\n", "\r"]
      var text = ""
      for line in lines { text += line + random.pick(ends) }
      for size in [1, 2, Int.max] {
        let found = described(Array(text.utf8), size: size).filter { !$0.hasPrefix("raw") }.map { String($0.dropLast(3)) }
        #expect(found == wanted, "\(text.debugDescription)")
      }
    }
    // A double carriage return (an old mail gateway's) is one line end more, and no line.
    let doubled = Cards(lines.map { $0 + "\r\r\n" }.joined())
    #expect(doubled.map { $0.lines.map(\.line) } == [[3, 5, 7, 11]])
  }

  /// BOMs and UTF-16 are told by the first bytes.
  @Test(arguments: ["UTF-8", "UTF-16LE", "UTF-16BE"], [true, false])
  func encodingsOfWholeFiles(_ label: String, _ hasMark: Bool) throws {
    let text = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Zoë 漢字 😀\r\nNOTE:a\\nb\r\nEND:VCARD\r\n"
    let encoding = try #require(TextEncoding(named: label))
    var buffer = ByteBuffer()
    let utf8 = Array(((hasMark ? "\u{FEFF}" : "") + text).utf8)
    if encoding.isUTF8 {
      buffer.append(utf8.span, 0, utf8.count)
    } else {
      _ = TextEncoding.encode(utf8.span, 0, utf8.count, as: encoding, to: &buffer)
    }
    let bytes = buffer.array()
    for size in chunkSizes {
      let found = described(bytes, size: size)
      #expect(found.contains { $0.contains("|FN|[]|Zoë 漢字 😀|") })
      #expect(found.contains { $0.contains("charset-transcoded") } == !encoding.isUTF8)
    }
  }

  /// VERSION is read wherever it stands; without one a card is what it looks like (interface, section 1).
  @Test func versions() {
    func version(_ lines: String) -> CardVersion? { Array(Cards("BEGIN:VCARD\n" + lines + "END:VCARD\n")).first?.version }
    #expect(version("FN:A\nVERSION:4.0\n") == .v40)
    #expect(version("FN:A\nversion:2.1\n") == .v21)
    #expect(version("FN:A\n") == .v30)
    #expect(version("N;ENCODING=QUOTED-PRINTABLE:=41\n") == .v21)
    #expect(version("TEL;HOME:1\n") == .v21)
    #expect(version("VERSION:5.0\n") == .v30)
    #expect(version("AGENT:\nBEGIN:VCARD\nVERSION:2.1\nEND:VCARD\nVERSION:3.0\n") == .v30)
  }

  /// The limits of interface section 6: the card is left out with an error at its line, and the run goes on.
  @Test(arguments: chunkSizes) func limits(_ size: Int) {
    var limits = Limits()
    (limits.contentLine, limits.card, limits.properties) = (100, 400, 10)
    func file(_ body: String) -> [UInt8] {
      Array(("BEGIN:VCARD\nVERSION:3.0\nFN:A\n" + body + "END:VCARD\nBEGIN:VCARD\nVERSION:3.0\nFN:B\nEND:VCARD\n").utf8)
    }
    func check(_ body: String, _ rule: String?) {
      let found = described(file(body), size: size, limits: limits)
      #expect(found.count { $0.hasPrefix("card ") } == (rule == nil ? 2 : 1), "\(body.prefix(20))")
      #expect(found.contains { $0.contains("|FN|[]|B|") }, "\(body.prefix(20))")
      if let rule { #expect(found.contains { $0.contains("1 \(rule) ") }, "\(rule): \(found)") }
    }
    check("NOTE:" + String(repeating: "x", count: 80) + "\n", nil)
    check("NOTE:" + String(repeating: "x", count: 120) + "\n", "limit-line")
    check("NOTE:" + String(repeating: "x\n ", count: 60) + "\n", "limit-line")
    check(String(repeating: "TEL:1\n", count: 8), nil)
    check(String(repeating: "TEL:1\n", count: 9), "limit-properties")
    check(String(repeating: "NOTE:" + String(repeating: "x", count: 60) + "\n", count: 7), "limit-card")
    // A card that never ends is passed over without being kept.
    let endless = Array(("BEGIN:VCARD\nVERSION:3.0\n" + String(repeating: "NOTE:0123456789\n", count: 1000)).utf8)
    #expect(!described(endless, size: size, limits: limits).contains { $0.hasPrefix("card ") })
  }
}
