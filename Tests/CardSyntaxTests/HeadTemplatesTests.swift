// Heads of lines that come again are read from what is known of them: the same must come out as the first time.
import CardSyntax
import TestSupport
import Testing

@Suite struct HeadTemplatesTests {
  /// All that a line says, as one text.
  private static func described(_ line: ContentLine) -> String {
    let parameters = line.parameters.map { "\($0.name)=\($0.values)" }.joined(separator: ";")
    return "\(line.group ?? "-").\(line.name)[\(parameters)]\(line.value)|\(line.text)"
  }

  private static func cards(_ text: String) -> [Card] {
    var parser = CardParser(names: NameTable([("TEL", 7), ("ADR", 8)]))
    let bytes = Array(text.utf8)
    parser.feed(bytes.span)
    parser.finish()
    var found: [Card] = []
    while let card = parser.next() { found.append(card) }
    return found
  }

  /// Heads that differ in little, or whose parts are easily mistaken, with values of several lengths.
  private static let heads = [
    "TEL", "tel", "TEL;TYPE=home", "TEL;TYPE=work", "TEL;TYPE=\"home,work\"", "TEL;TYPE=\"home\",work", "TEL;TYPE=home;PREF=1",
    "item1.TEL", "item2.TEL", "item1.TEL;TYPE=home", "A.B.TEL", "TEL;HOME;VOICE", "TEL;", "TEL;TYPE=", "TEL;TYPE=a\\,b", "TEL ;TYPE=home",
    "ADR;LABEL=\"1 Main St: a; b\"", "ADR;LABEL=\"2 Main St\"", "ADR;LABEL=\"\"", "ADR;LABEL=\"one\"", "ADR;LABEL=\"1 Main St\";TYPE=home",
    "ADR;TYPE=home;LABEL=\"1 Main St\"", "ADR;TYPE=work;LABEL=\"1 ^nMain\";PREF=1", "ADR;LABEL=\"1 a\",\"2 b\"", "ADR;XLABEL=\"1 Main St\"",
    "ADR;LABEL=\"open: a", "ADR;label=\"1 Main St\";TYPE=home", "ADR;LABEL=1 \"Main\"", "ADR;LABEL=\"1 Main St\"x;TYPE=home",
    "X-A;CHARSET=UTF-8", "X-A;ENCODING=b", "X-A;ENCODING=QUOTED-PRINTABLE", "X-A;X-B=\"a;b\"", "X-A;TYPE=HOME,ENCODING=b",
    "X-\(String(repeating: "LONG", count: 30))", "X-A;TYPE=\(String(repeating: "w,", count: 60))home",
  ]

  @Test(arguments: [CardVersion.v21, .v30, .v40]) func comeAgainTheSame(version: CardVersion) {
    var text = ""
    for value in ["", "1", "QUI=", "a long value with a colon: and a quote\" in it"] {
      text += "BEGIN:VCARD\r\nVERSION:\(version.text)\r\n"
      for head in Self.heads { text += head + ":" + value + "\r\n" }
      // A head that is folded is read again from its unfolded text.
      for head in Self.heads where head.utf8.count > 8 { text += "\(head.prefix(6))\r\n \(head.dropFirst(6)):\(value)\r\n" }
      text += "X-LAST:1\r\nEND:VCARD\r\n"
    }
    let first = Self.cards(text)
    let twice = Self.cards(text + text)
    #expect(first.count == 4 && twice.count == 8)
    for (i, card) in twice.enumerated() {
      // Each card by itself, too, by a parser that knows nothing yet.
      let alone = Self.cards(String(decoding: card.rawBytes, as: UTF8.self))
      #expect(card.lines.map(Self.described) == first[i % 4].lines.map(Self.described), "card \(i)")
      #expect(card.lines.map(Self.described) == alone[0].lines.map(Self.described), "card \(i)")
      #expect(card.diagnostics.map(\.message) == first[i % 4].diagnostics.map(\.message), "card \(i)")
    }
  }

  /// More heads than are kept, and then the first ones again.
  @Test func manyHeads() {
    var text = ""
    for round in 0..<2 {
      text += "BEGIN:VCARD\r\nVERSION:4.0\r\n"
      for i in 0..<3000 { text += "item\(i).TEL;TYPE=x-\(i);PREF=\(i % 100 + 1):\(round)\r\n" }
      text += "END:VCARD\r\n"
    }
    let cards = Self.cards(text)
    #expect(cards.count == 2)
    for (round, card) in cards.enumerated() {
      for (i, line) in card.lines.enumerated().dropFirst() {
        let n = i - 1
        #expect(Self.described(line) == "item\(n).TEL[TYPE=[\"x-\(n)\"];PREF=[\"\(n % 100 + 1)\"]]\(round)|\(round)")
      }
    }
  }
}
