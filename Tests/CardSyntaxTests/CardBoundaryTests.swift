// Files of cards that are cut where cards end: only where one surely does, and then the parts are what the whole is.
import Bytes
import CardSyntax
import TestSupport
import Testing

@Suite struct CardBoundaryTests {
  private func last(_ text: String, from: Int = 0) -> Int? {
    let bytes = Array(text.utf8)
    return CardBoundary.last(in: bytes.span, from: from)
  }

  @Test func standsBetweenTwoLinesAlone() {
    let whole = "BEGIN:VCARD\r\nFN:A\r\nEND:VCARD\r\nBEGIN:VCARD\r\nFN:B\r\n"
    #expect(last(whole) == 30)
    #expect(last(whole.lowercased()) == 30)
    #expect(last(whole.replacing("\r\n", with: "\n")) == 27)
    #expect(last(whole, from: 30) == nil)
    #expect(last(whole.replacing("\r\n", with: "\r")) == nil)
    #expect(last("FN:A\r\nXEND:VCARD\r\nBEGIN:VCARD\r\n") == nil)
    #expect(last("FN:A\r\nEND:VCARD\r\n\r\nBEGIN:VCARD\r\n") == nil)
    #expect(last("FN:A\r\nEND:VCARD\r\nBEGIN:VCARDS\r\n") == nil)
    #expect(last("FN:A\r\nEND:VCARD\r\nBEGIN:VCARD") == nil)
    #expect(last("") == nil)
  }

  @Test func partsAreReadLikeTheWhole() {
    var random = Seeded(77)
    let lines = [
      "BEGIN:VCARD\r\n", "END:VCARD\r\n", "END:VCARD\r\nBEGIN:VCARD\r\n", "VERSION:2.1\r\n", "VERSION:4.0\r\n", "FN:A\r\n", "AGENT:\r\n",
      "NOTE;ENCODING=QUOTED-PRINTABLE:a=\r\n", "PHOTO;ENCODING=b:AAAA\r\n", " folded\r\n", "no colon\r\n", "\r\n", "AAAA\r\n", "X;Y=\"\r\n",
    ]
    for _ in 0..<4000 {
      let text = (0..<8 + random.below(20)).map { _ in lines[random.below(lines.count)] }.joined()
      let bytes = Array(text.utf8)
      guard let cut = CardBoundary.last(in: bytes.span, from: 0) else { continue }
      var first = CardParser()
      var second = CardParser()
      first.feed(bytes.span.extracting(0..<cut))
      first.feed(Array("\(CardBoundary.beginLine)\r\n".utf8).span)
      second.begin(hadByteOrderMark: false)
      second.feed(bytes.span.extracting(cut..<bytes.count))
      second.finish()
      let (before, after) = (described(&first, 0), described(&second, first.linesRead))
      var whole = CardParser()
      whole.feed(bytes.span)
      whole.finish()
      let all = described(&whole, 0)
      #expect(before.cards + after.cards == all.cards, "\(text)")
      #expect(before.findings + after.findings == all.findings, "\(text)")
    }
  }

  private func described(_ parser: inout CardParser, _ base: Int) -> (cards: [String], findings: [String]) {
    var (cards, findings): ([String], [String]) = ([], [])
    while let batch = parser.nextBatch() {
      for index in 0..<batch.count {
        let card = batch[index]
        cards.append("\(card.version.text) line \(card.line + base) \(card.lines.map { "\($0.name):\($0.value):\($0.line + base)" })")
      }
      findings += batch.diagnostics.map { "\($0.rule.id) \(($0.line ?? 0) + base) \($0.message)" }
    }
    return (cards, findings)
  }
}
