// Input that wants to do harm: cut off, damaged, endless, deep. Nothing crashes or hangs, and the work grows with the input.
import Bytes
import TestSupport
import Testing

@testable import CardSyntax

@Suite struct HostileTests {
  private func read(_ bytes: [UInt8]) -> Int {
    var parser = CardParser()
    parser.feed(bytes.span)
    parser.finish()
    var lines = 0
    while let card = parser.next() {
      for line in card.lines { lines += line.parameters.count + (line.value.utf8.count >= 0 ? 1 : 0) }
    }
    return lines
  }

  /// Whatever stands in front of the damage is read as before it.
  @Test(arguments: Checkout.samples) func cutAtEveryByte(_ name: String) throws {
    let bytes = try Checkout.read("samples/" + name)
    let whole = Array(Cards(bytes))
    var ends: [Int] = []
    for card in whole { ends.append((ends.last ?? 0) + card.rawBytes.count) }
    for end in 0..<bytes.count {
      var parser = CardParser()
      parser.feed(Array(bytes[..<end]).span)
      parser.finish()
      var count = 0
      while parser.next() != nil { count += 1 }
      #expect(count >= ends.count { $0 <= end })
    }
  }

  /// Every byte turned into another: the cards that it does not stand in stay what they are.
  @Test(arguments: Checkout.samples) func everyByteFlipped(_ name: String) throws {
    let bytes = try Checkout.read("samples/" + name)
    let count = Cards(bytes).reduce(0) { count, _ in count + 1 }
    var random = Seeded(17)
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] =
        random.oneIn(3) ? random.pick([0, 10, 13, 32, 34, 58, 59, 61, 92, 0xFF]) : damaged[place] ^ UInt8(1 << random.below(8))
      var parser = CardParser()
      parser.feed(damaged.span)
      parser.finish()
      var found = 0
      while parser.next() != nil { found += 1 }
      #expect(found >= count - 2 && found <= count + 1, "byte \(place)")
    }
  }

  @Test func nonsenseOfAllKinds() {
    var random = Seeded(23)
    let pieces =
      [
        "BEGIN:VCARD\r\n", "END:VCARD\r\n", "VERSION:2.1\n", "VERSION:4.0\r\n", "AGENT:\n", "\0", "\r", "\n", " ", "\t", ":", ";", "=",
        "\"", "\\",
        "^", ",", "TEL", "NOTE", ";ENCODING=QUOTED-PRINTABLE", ";ENCODING=b", ";CHARSET=UTF-16LE", ";CHARSET=x", "=\r\n", "=41", "=", "é",
        "😀",
        "X-CUSTOM(", ")", "item1.", ".", "\u{FEFF}", "AAAA", "\r\n ",
      ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xFE, 0xFF], [0xE6, 0xBC]]
    for _ in 0..<3_000 {
      var bytes: [UInt8] = []
      for _ in 0..<random.below(60) { bytes += random.pick(pieces) }
      let size = 1 + random.below(9)
      #expect(described(bytes, size: size) == described(bytes, size: .max), "\(bytes)")
    }
  }

  /// A megabyte of each thing that could cost more than its length. A parser of quadratic effort would need hours here, not a second.
  @Test(arguments: [
    ("a line of 10 MB", "NOTE:", "x", 10 << 20, "\n"), ("blanks", "NOTE:", " ", 10 << 20, "\n"), ("folds", "NOTE:a", "\n b", 400_000, "\n"),
    ("soft breaks", "NOTE;ENCODING=QUOTED-PRINTABLE:", "=\n=41", 250_000, "\n"),
    ("base64 lines", "PHOTO;ENCODING=b:", "\n AAAA", 200_000, "\n\n"),
    ("parameters", "TEL", ";X-A=b", 100_000, ":1\n"), ("bare words", "TEL", ";HOME", 100_000, ":1\n"),
    ("values", "TEL;TYPE=a", ",b", 300_000, ":1\n"),
    ("quotes", "TEL;X=", "\"a\",", 150_000, "b:1\n"), ("odd quotes", "TEL;X=a", "\"", 500_000, ":1\n"),
    ("open quote", "TEL;X=\"", ":;,", 200_000, "\n"),
    ("folded quote", "TEL;X=\"", "a\n ", 200_000, "\":1\n"), ("stray lines", "NOTE:a\n", "stray\n", 100_000, ""),
    ("dots", "", "a.", 300_000, "TEL:1\n"),
    ("backslashes", "NOTE:", "\\", 1 << 20, "\n"), ("empty lines", "", "\n", 1 << 20, ""), ("NULs", "NOTE:", "\0", 1 << 20, "\n"),
    ("ends", "", "END:VCARD\n", 50_000, ""), ("agents", "", "AGENT:\nBEGIN:VCARD\nVERSION:2.1\n", 30_000, ""),
    ("parentheses", "TEL;X-CUSTOM(", "(;", 200_000, "\n"), ("begins", "", "BEGIN:VCARD\n", 20_000, ""),
  ])
  func growsWithTheInput(_ name: String, _ head: String, _ piece: String, _ count: Int, _ tail: String) {
    let body = String(repeating: piece, count: count)
    for version in ["2.1", "3.0"] {
      let bytes = Array("BEGIN:VCARD\nVERSION:\(version)\n\(head)".utf8) + Array(body.utf8) + Array("\(tail)END:VCARD\n".utf8)
      // In pieces as a file is read; a card that is begun anew for each piece would show here.
      var parser = CardParser()
      var cards = 0
      forEachChunk(of: bytes.count, size: 1 << 16) { range in
        parser.feed(Array(bytes[range]).span)
        while parser.next() != nil { cards += 1 }
      }
      parser.finish()
      while parser.next() != nil { cards += 1 }
      #expect(cards >= 1, "\(name)")
    }
  }

  /// AGENT in AGENT, deeper than anyone needs (interface, section 6).
  @Test func deepNesting() {
    for depth in [1, 15, 16, 17, 100, 5_000] {
      let text =
        "BEGIN:VCARD\nVERSION:2.1\n" + String(repeating: "AGENT:\nBEGIN:VCARD\nVERSION:2.1\n", count: depth) + "FN:Inner\n"
        + String(repeating: "END:VCARD\n", count: depth + 1)
      let cards = Array(Cards(text))
      #expect(!cards.isEmpty)
      if depth <= 16 { #expect(cards.count == 1 && cards[0].lines.count == 2 && cards[0].diagnostics.isEmpty, "\(depth)") }
    }
  }
}
