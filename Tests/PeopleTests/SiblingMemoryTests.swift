// jCard, xCard and JSContact remember what became of lines and parts: what comes out must not depend on what came before.
//
// As RoundTripTests, each test goes through many seeds; VCARD_SEEDS=50000 takes more.
import Bytes
import CardSyntax
import People
import TestSupport
import Testing

@Suite struct SiblingMemoryTests {
  private static let siblings = SiblingRoundTripTests.siblings

  private func persons(_ count: Int) -> [Person] { (1...count).map { PersonGenerator.person($0, reach: .v40) } }

  /// The cards of a text, END:VCARD left out.
  private func cards(_ text: String) -> [String] {
    text.split(separator: "END:VCARD\r\n").map(String.init)
  }

  @Test(arguments: siblings) func readingForgetsNothing(_ sibling: ContactFormat) {
    let persons = persons(max(40, Checkout.seeds / 10))
    let all = Document(persons).converted(to: sibling).document.converted(to: .vcard4).document
    let single = persons.map { Document([$0]).converted(to: sibling).document.converted(to: .vcard4).document.text }
    #expect(cards(all.text) == single.flatMap { cards($0) })
  }

  @Test(arguments: siblings) func writingForgetsNothing(_ sibling: ContactFormat) {
    let persons = persons(max(40, Checkout.seeds / 10))
    // What stands around the contacts is cut off.
    func bodies(_ text: String) -> [Substring] {
      text.split(whereSeparator: \.isNewline).map { line in
        var line = line.hasPrefix("[[") ? line.dropFirst() : line
        if line.hasSuffix(",") { line = line.dropLast() }
        return sibling == .jcard && line.hasSuffix("]]]]") ? line.dropLast() : line
      }.filter { $0.count > 1 }
    }
    let all = bodies(Document(persons).converted(to: sibling).document.text)
    let single = persons.flatMap { bodies(Document([$0]).converted(to: sibling).document.text) }
    #expect(Set(all) == Set(single))
  }

  /// More heads than are remembered: what is forgotten is worked out again.
  @Test(arguments: siblings) func moreHeadsThanAreRemembered(_ sibling: ContactFormat) {
    let all = (0..<1_100).map { i in
      "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:uuid:\(i)\r\nFN:\(i)\r\nTEL;X-P\(i)=1:1\r\ng\(i).EMAIL;X-Q\(i)=2:a@b.c\r\n"
        + "ADR;X-R\(i)=3:;;\(i);;;;\r\nX-S\(i):\(i)\r\nEND:VCARD\r\n"
    }
    func back(_ part: ArraySlice<String>) -> [String] {
      cards(Document(.vcard4, Array(part.joined().utf8)).converted(to: sibling).document.converted(to: .vcard4).document.text)
    }
    let together = back(all[...])
    #expect(together.count == all.count && together == stride(from: 0, to: all.count, by: 100).flatMap { back(all[$0..<$0 + 100]) })
  }

  /// Texts that look like the ones that stand for others are read and written as they are.
  @Test(arguments: siblings) func standInsAreNoTexts(_ sibling: ContactFormat) {
    let mark = "\u{10FFFD}\u{F0000}"
    let card = { (text: String) in
      "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:uuid:0\r\nFN:\(text)\r\nN:\(text);x\(mark);;;\r\nTEL;VALUE=uri;X-A=\(mark):x:\(text)\r\n"
        + "NOTE:\(text)\r\nBDAY;X-B=99991122:99991122\r\nREV:99991122T233445Z\r\nitem1.URL:geo:\(mark)\r\nitem1.X-ABLabel:\(mark)\r\nEND:VCARD\r\n"
    }
    for text in ["A", mark, "x\(mark)y", "A"] {
      let source = Document(.vcard4, Array((card("B") + card(text) + card(mark)).utf8))
      let back = source.converted(to: sibling).document.converted(to: .vcard4).document
      #expect(back.persons.map(\.fullName) == ["B", text, mark])
      #expect(back.persons.map { $0.notes.first?.value } == ["B", text, mark])
      #expect(back.persons.allSatisfy { $0.birthday?.iso == "9999-11-22" && $0.urls.first?.value == "geo:" + mark })
      let twice = back.converted(to: sibling).document.converted(to: .vcard4).document
      #expect(twice.text == back.text)
    }
  }

  /// The text of a LABEL, which is no part of what lines are known by, belongs to its own line.
  @Test(arguments: siblings) func labelsOfOtherLines(_ sibling: ContactFormat) {
    let labels = ["a", "b c", "d;e", "f^ng", "b c"]
    let cards = labels.map { label in
      "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:uuid:0\r\nFN:A\r\nADR;LABEL=\"\(label)\":;;1 Quay;;;;\r\nNOTE;LABEL=\"x \(label)\":n\r\n"
        + "ANNIVERSARY;LABEL=\"\(label) y\":20010203\r\nEND:VCARD\r\n"
    }
    let source = Document(.vcard4, Array(cards.joined().utf8))
    let back = source.converted(to: sibling).document.converted(to: .vcard4).document.text.replacing("\r\n ", with: "").replacing(
      "\"", with: "")
    let found = back.split(separator: "\r\n").filter { $0.contains("LABEL=") }.map { line in
      line.split(separator: "LABEL=").last?.prefix { $0 != ":" && $0 != ";" }
    }
    #expect(
      found.filter { $0 == "b c" }.count == 2 && found.filter { $0 == "x b c" }.count == 2 && found.filter { $0 == "b c y" }.count == 2)
    #expect(found.count == 3 * labels.count && found.contains("f^ng y") && found.contains("x a"))
  }

  /// A JSContact member that differs from others of its shape only in its texts, dates or identifiers.
  @Test func partsOfCards() {
    func card(_ name: String, _ uri: String, _ day: Int, _ id: String) -> String {
      #"{"@type":"Card","version":"1.0","uid":"\#(uri)","name":{"full":"\#(name)","components":[{"kind":"given","value":"\#(name)"}]},"#
        + #""phones":{"\#(id)":{"number":"\#(uri)","label":"Boat"}},"keywords":{"\#(name)":true},"#
        + #""anniversaries":{"\#(id)":{"kind":"birth","date":{"year":1970,"month":1,"day":\#(day)}}},"relatedTo":{"\#(uri)":{"relation":{"friend":true}}}}"#
    }
    let cards = [card("A", "tel:+1", 1, "a"), card("", "tel:+2", 31, "b"), card("C, D", "3", 32, "c_d"), card("E\\n", "x:4", 5, "e")]
    let alone = cards.map { convert($0, .jscontact, to: .vcard4) }
    let together = convert("[" + cards.joined(separator: ",\n") + "]", .jscontact, to: .vcard4)
    #expect(together.lines == alone.flatMap(\.lines))
    #expect(together.findings.map(\.message).sorted() == alone.flatMap { $0.findings.map(\.message) }.sorted())
    #expect(alone[0].lines.contains("BDAY;PROP-ID=a:19700101") && alone[3].lines.contains(#"FN:E\n"#))
    #expect(alone[0].lines.contains("item1.TEL;PROP-ID=a;VALUE=uri:tel:+1") && alone[2].lines.contains("item1.TEL;PROP-ID=c_d:3"))
  }
}
