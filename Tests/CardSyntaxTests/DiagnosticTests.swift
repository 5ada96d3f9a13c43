// Every rule of the syntax has a text that breaks it, and names the physical line where the content line starts.
import Testing

@testable import CardSyntax

@Suite struct DiagnosticTests {
  /// A rule, the text of a file, the lines (from 1) that findings of the rule name, and what is wrong with what it says.
  struct Example: CustomTestStringConvertible {
    let rule: Rule
    let bytes: [UInt8]
    let lines: [Int]
    var testDescription: String { rule.id + " at \(lines)" }

    init(_ rule: Rule, _ text: String, _ lines: Int...) { (self.rule, bytes, self.lines) = (rule, Array(text.utf8), lines) }
    init(_ rule: Rule, latin1 text: String, _ lines: Int...) {
      (self.rule, bytes, self.lines) = (rule, text.unicodeScalars.map { UInt8($0.value) }, lines)
    }
  }

  private static func card(_ lines: String) -> String { "BEGIN:VCARD\r\nVERSION:3.0\r\nNOTE:a\r\n b\r\n" + lines + "END:VCARD\r\n" }

  static let examples: [Example] = [
    Example(.missingBegin, "END:VCARD\n" + card("") + "\nEND:VCARD\n", 1, 8),
    Example(.missingEnd, "BEGIN:VCARD\nVERSION:3.0\nFN:A\nBEGIN:VCARD\nVERSION:3.0\nFN:B\n", 4, 6),
    Example(.textOutside, "Subject: cards\n\nhere\n" + card("") + "tail", 1, 9),
    Example(.missingColon, card("FN:A\r\nno property\r\n"), 6),
    Example(.missingVersion, "\nBEGIN:VCARD\nFN:A\nEND:VCARD\n", 2),
    Example(.unknownVersion, "BEGIN:VCARD\nFN:A\nVERSION:3.1\nEND:VCARD\n", 3),
    Example(.assumedCharset, latin1: card("FN:M\u{FC}ller\r\n"), 5),
    Example(.wrongCharset, card("FN;CHARSET=klingon:A\r\n"), 5),
    Example(.brokenQuotedPrintable, card("FN:A\r\nTITLE;ENCODING=QUOTED-PRINTABLE:=4\r\n"), 6),
    Example(.danglingSoftBreak, card("TITLE;ENCODING=QUOTED-PRINTABLE:a=\r\n"), 5),
    Example(.unindentedBase64, card("FN:A\r\nPHOTO;ENCODING=b:AAAA\r\nBBBB\r\n"), 6),
    Example(.parameterEmpty, card("TEL;TYPE=:1\r\nTEL;:2\r\n"), 5, 6),
    Example(.parameterComma, card("TEL;PREF=1,TYPE=home:1\r\n"), 5),
    Example(.parameterEscape, card("TEL;TYPE=HOME\\,FAX:1\r\n"), 5),
    Example(.parameterQuote, card("TEL;TYPE=ho\"me:1\r\nTEL;X=\"open:1\r\n"), 5, 6),
    Example(.trailingText, "BEGIN:VCARD\nVERSION:3.0\nFN:A\nEND:VCARD trailing\n", 4),
  ]

  @Test(arguments: examples) func namesTheLine(_ example: Example) {
    for size in [1, Int.max] {
      var parser = CardParser()
      var found: [Diagnostic] = []
      for start in stride(from: 0, to: example.bytes.count, by: min(size, example.bytes.count)) {
        parser.feed(Array(example.bytes[start..<min(start + min(size, example.bytes.count), example.bytes.count)]).span)
        while let batch = parser.nextBatch() { found += batch.diagnostics }
      }
      parser.finish()
      while let batch = parser.nextBatch() { found += batch.diagnostics }
      #expect(
        found.filter { $0.rule == example.rule }.map { $0.line ?? 0 } == example.lines, "\(found.map { "\($0.line ?? 0) \($0.rule.id)" })")
      #expect(found.allSatisfy { !$0.message.isEmpty && $0.severity == $0.rule.severity })
    }
  }

  /// A rule without an example is a rule without a test. Limits and whole files in other encodings are in ParserTests.
  @Test func everyRuleHasAnExample() {
    let others: Set<Rule> = [.lineTooLong, .cardTooLong, .tooManyProperties, .transcoded]
    #expect(Set(Rule.syntax) == Set(Self.examples.map(\.rule)).union(others))
    #expect(Set(Rule.syntax.map(\.id)).count == Rule.syntax.count)
    for rule in Rule.syntax {
      #expect(rule.id.allSatisfy { $0.isLowercase || $0 == "-" || $0.isNumber } && rule.summary.hasSuffix("."), "\(rule.id)")
    }
  }

  /// A right card has no findings.
  @Test func rightCardsAreSilent() {
    for version in ["3.0", "4.0"] {
      let card = Array(Cards("BEGIN:VCARD\r\nVERSION:\(version)\r\nFN:A\r\nTEL;TYPE=home:1\r\nNOTE:a\r\n b\r\nEND:VCARD\r\n"))
      #expect(card.count == 1 && card[0].diagnostics.isEmpty)
    }
  }
}
