// What the texts of some properties have to be: language tags, words of a fixed set, pairs, XML, JSON.

internal import Bytes
internal import CardSyntax

/// The grammar that a text value has to be in.
package enum TextSyntax: Sendable, Hashable {
  case any
  /// A language tag (RFC 5646).
  case languageTag
  /// One of these words, in any letter case, or one that begins with `x-`.
  case words([String])
  /// Any text, whose lines may have LEVEL with one of these words.
  case ranked([String])
  /// A text, or with VALUE=uri a URI.
  case place
  /// `1;urn:uuid:...` (RFC 6350 6.7.7).
  case pidMap
  /// An XML element (RFC 6350 6.1.5).
  case xml
  /// A JSON value; JSPTR says of what (RFC 9555 3.2.1).
  case json

  /// Has the grammar no commas and backslashes?
  var isRaw: Bool { self == .languageTag }

  /// Reports what keeps a line's value from being in the grammar.
  func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    switch self {
    case .any, .place, .ranked: break
    case .languageTag:
      let text = card.text(line)
      if !ValueSyntax.isLanguageTag(text) {
        let isMeant = ValueSyntax.isLanguageTag(text.replacing("_", with: "-"))
        findings.add(.value, "\(ValueSyntax.excerpt(text)) is no language tag such as en or pt-BR", isMeant ? .warning : .error)
      }
    case .words(let words):
      let text = card.text(line)
      if !words.contains(where: { $0.lowercased() == text.lowercased() }), !ValueSyntax.isExtension(text) {
        findings.add(.value, "\(ValueSyntax.excerpt(text)) is none of \(words.joined(separator: ", "))", .warning)
      }
    case .pidMap:
      let pieces = card.rawValue(line).split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
      guard pieces.count == 2, ValueSyntax.isNumber(pieces[0]), Int(pieces[0]) ?? 0 > 0 else {
        return findings.add(.value, "\(ValueSyntax.excerpt(card.rawValue(line))) is not a number from 1 up, a semicolon and a URI")
      }
      if let fault = ValueSyntax.uriFault(String(pieces[1])) {
        findings.add(.uri, "\(ValueSyntax.excerpt(pieces[1])) is no URI: it \(fault)")
      }
    case .xml:
      let text = card.text(line)
      if !ValueSyntax.looksLikeElement(text.trimming()) { findings.add(.value, "\(ValueSyntax.excerpt(text)) is no XML element") }
    case .json:
      if card.parameter(.jsPtr, of: line) == nil { findings.add(.parameterMissing, "JSPTR has to say which property this is") }
    }
  }
}

extension String {
  /// The text without blanks and line breaks around it.
  fileprivate func trimming() -> Substring {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
