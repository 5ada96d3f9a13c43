// What the validation tests share: cards with one line to look at, and what is found in it.
import Bytes
import CardSyntax
import Testing

@testable import People

/// A finding, reduced to what a test says of it.
struct Found: Hashable, CustomStringConvertible {
  var line: Int
  var severity: Severity
  var rule: String
  var description: String { "\(line) \(severity.name) \(rule)" }
}

/// Everything that is found in a text.
func validate(_ text: String, as version: CardVersion? = nil) -> [Diagnostic] { validate(Array(text.utf8), as: version) }

/// Everything that is found in bytes.
func validate(_ bytes: [UInt8], as version: CardVersion? = nil) -> [Diagnostic] {
  var source = ContactSource(.vcard4)
  source.tellsCardFindings = false
  source.feed(bytes.span)
  source.finish()
  var validator = Validator(against: version)
  var found: [Diagnostic] = []
  while let contact = source.next() {
    if case .card(let batch, let index) = contact { found += validator.validate(batch, index) }
  }
  return found + source.takeFindings()
}

/// A card of `version` whose lines after VERSION are the ones that it needs and then `lines`, from physical line 5 on (4 in 4.0).
func card(_ version: CardVersion, _ lines: String...) -> String {
  let needed = version == .v40 ? "FN:Mira Okafor\r\n" : "N:Okafor;Mira;;;\r\nFN:Mira Okafor\r\n"
  return "BEGIN:VCARD\r\nVERSION:\(version.text)\r\n\(needed)\(lines.map { $0 + "\r\n" }.joined())END:VCARD\r\n"
}

/// Expects that nothing above info is found in a card with these lines.
func expectRight(_ version: CardVersion, _ lines: String..., location: SourceLocation = #_sourceLocation) {
  let text = "BEGIN:VCARD\r\nVERSION:\(version.text)\r\n" + (version == .v40 ? "" : "N:Okafor;Mira;;;\r\n") + "FN:Mira Okafor\r\n"
  let found = validate(text + lines.map { $0 + "\r\n" }.joined() + "END:VCARD\r\n").filter { $0.severity > .info }
  #expect(found.isEmpty, "\(lines): \(found.map { "\($0.rule.id): \($0.message)" })", sourceLocation: location)
}

/// Expects exactly one finding in a card with this line, of this rule and severity, at its physical line.
func expectWrong(
  _ version: CardVersion, _ line: String, _ rule: Rule, _ severity: Severity? = nil, location: SourceLocation = #_sourceLocation
) {
  let found = validate(card(version, line))
  let wanted = Found(line: version == .v40 ? 4 : 5, severity: severity ?? rule.severity, rule: rule.id)
  let got = found.map { Found(line: $0.line ?? 0, severity: $0.severity, rule: $0.rule.id) }
  #expect(got == [wanted], "\(line): \(found.map(\.message))", sourceLocation: location)
}
