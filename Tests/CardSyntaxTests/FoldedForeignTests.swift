// A line whose head and folded value are both in no UTF-8: it is decoded by itself, not with all that follows.
import CardSyntax
import Testing

@Suite struct FoldedForeignTests {
  @Test func onlyTheLineItselfIsDecoded() {
    var bytes = Array("BEGIN:VCARD\r\nVERSION:3.0\r\nADR;X-NOTE=caf".utf8)
    bytes.append(0xE9)
    bytes += Array(":;;Hafenstra".utf8)
    bytes.append(0xDF)
    bytes += Array("e\r\n  7;Ulm;;;\r\nTEL:+1 555 0100\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:3.0\r\nFN:Next\r\nEND:VCARD\r\n".utf8)
    let cards = Array(Cards(bytes))
    #expect(cards.count == 2)
    #expect(cards.first?["ADR"].first?.value == ";;Hafenstraße 7;Ulm;;;")
    #expect(cards.first?["ADR"].first?.parameters.first?.values == ["café"])
    #expect(cards.first?["TEL"].first?.value == "+1 555 0100")
  }
}
