// Texts, URIs and lists of texts: the values of most properties.

package import CardSyntax
package import Bytes

/// One text (RFC 6350 4.1), such as a note.
package struct TextKind: ValueKind {
  /// What the text has to be, for validators; readers and writers take any.
  let syntax: TextSyntax
  package init(_ syntax: TextSyntax = .any) { self.syntax = syntax }

  package func valueTypes(in version: CardVersion) -> [String] {
    switch syntax {
    case .languageTag: ["language-tag", "text"]
    case .place where version == .v40: ["text", "uri"]
    default: version == .v30 ? ["text", "ptext"] : ["text"]
    }
  }

  package var accepts: ParameterSet { if case .ranked = syntax { ParameterSet(.level) } else { [] } }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    record.text(record.valueMember, valueOf: line, card)
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    guard let place = record.valuePlace(index) else { return }
    if case .place = syntax, line.version == .v40, context.valueType == "uri" { return line.raw(place, of: record) }
    line.text(place, of: record)
  }

  package func writePlain(_ index: Int, of record: borrowing Record, in version: CardVersion, to line: inout ByteBuffer) -> Bool {
    guard let place = record.valuePlace(index) else { return false }
    line.append(ASCII.colon)
    // A place may be a URI, which has no escapes.
    let shape: Escaping.Shape? = if case .place = syntax { nil } else { LineWriter.Place.whole.plainShape(in: version) }
    return record.appendPlain(place, escaping: shape, to: &line)
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let (start, end) = card.valueRange(line)
    if card.lines[line].flags.contains(.base64) {
      // 2.1 may encode any text like this.
      if version == .v21, findings.isValidating { return }
      findings.add(.encoding, "base64 is no encoding for text")
    }
    if findings.isValidating {
      if card.valueType(line) == "uri", valueTypes(in: version).contains("uri") {
        return URIKind.check(line, card, in: version, &findings)
      }
      syntax.check(line, card, in: version, &findings)
      if syntax.isRaw { return }
    }
    Self.check(
      card.bytes.span, start, end, from: card.version, to: version, separators: version == .v21 ? [] : version == .v30 ? .all : .comma,
      &findings)
  }

  package func plainValues(_ line: Int, _ card: borrowing CardView, in version: CardVersion, isValidating: Bool) -> PlainValues {
    switch syntax {
    case .any, .ranked: .text(in: version, from: card.version)
    case .place: .none
    default: isValidating ? .none : .text(in: version, from: card.version)
    }
  }

  /// Separators that have to be escaped.
  struct Separators: OptionSet {
    var rawValue: UInt8
    static let comma = Separators(rawValue: 1)
    static let semicolon = Separators(rawValue: 2)
    static let all: Separators = [.comma, .semicolon]
  }

  /// Looks for separators that should be escaped, escapes that are none, and control characters.
  static func check(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, from origin: CardVersion, to version: CardVersion, separators: Separators,
    _ findings: inout Findings
  ) {
    var i = Escaping.firstSpecial(in: bytes, from: start, to: end)
    while i < end {
      let byte = bytes[i]
      switch byte {
      case ASCII.backslash:
        let next = i + 1 < end ? bytes[i + 1] : 0
        if origin == .v21 || version == .v21 {
          if origin != version, next != UInt8(ascii: "n"), next != UInt8(ascii: "N"), next != ASCII.comma, next != ASCII.semicolon {
            findings.add(.escape, "a backslash that vCard 2.1 leaves alone")
          }
        } else if next == ASCII.colon || next == ASCII.quote {
          if version == .v40 { findings.add(.escape, "a character escaped that needs no escape") }
        } else if Escaping.meaning(of: next, version) == nil {
          findings.add(.escape, "a backslash that escapes nothing")
        }
        i &+= 1
      case ASCII.comma: if separators.contains(.comma) { findings.add(.separator, "a comma that is not escaped") }
      case ASCII.semicolon: if separators.contains(.semicolon) { findings.add(.separator, "a semicolon that is not escaped") }
      case ASCII.tab: break
      default: findings.add(.control, "a control character")
      }
      i = Escaping.firstSpecial(in: bytes, from: i &+ 1, to: end)
    }
  }
}

extension Record {
  /// Adds the whole value of a line as one text, base64 undone.
  package mutating func text(_ member: Member, valueOf line: Int, _ card: borrowing CardView) {
    if card.lines[line].flags.contains(.base64) { return text(member, made: card.text(line)) }
    let (start, end) = card.valueRange(line)
    text(member, start, end)
  }
}

/// One URI (RFC 6350 4.2), such as a web page. It is written as it is, without escapes.
package struct URIKind: ValueKind {
  /// A number stands before the URI (CLIENTPIDMAP).
  let isPIDMap: Bool
  package init(pidMap: Bool = false) { isPIDMap = pidMap }

  package func defaultValueType(in version: CardVersion) -> String? { "uri" }
  package func valueTypes(in version: CardVersion) -> [String] { ["uri"] }
  package var accepts: ParameterSet { ParameterSet(.mediaType) }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    record.text(record.valueMember, valueOf: line, card)
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    guard let place = record.valuePlace(index) else { return }
    if context.annotations.values("value")?.first?.lowercased() == "text" { return line.text(place, of: record) }
    line.raw(place, of: record)
  }

  package func writePlain(_ index: Int, of record: borrowing Record, in version: CardVersion, to line: inout ByteBuffer) -> Bool {
    guard let place = record.valuePlace(index) else { return false }
    line.append(ASCII.colon)
    return record.appendPlain(place, to: &line)
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    if card.lines[line].flags.contains(.base64) { findings.add(.encoding, "base64 is no encoding for a URI") }
    if isPIDMap, findings.isValidating { return TextSyntax.pidMap.check(line, card, in: version, &findings) }
    Self.check(line, card, in: version, &findings)
  }

  package func plainValues(_ line: Int, _ card: borrowing CardView, in version: CardVersion, isValidating: Bool) -> PlainValues {
    isValidating && isPIDMap || card.valueType(line) == "text" ? .none : .uri(strict: isValidating)
  }

  static func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let (start, end) = card.valueRange(line)
    let span = card.bytes.span
    if findings.isValidating { return checkSyntax(line, card, in: version, &findings) }
    var i = Escaping.firstSpecial(in: span, from: start, to: end)
    while i < end {
      if span[i] == ASCII.backslash, version == .v40 || card.version != version {
        findings.add(.escape, "a backslash in a URI")
      } else if span[i] < 32 || span[i] == 127 {
        findings.add(.control, "a control character")
      }
      i = Escaping.firstSpecial(in: span, from: i &+ 1, to: end)
    }
  }

  /// Is the value a URI by RFC 3986? A comma or semicolon may be escaped: 4.0 asks for it of all values (errata 3845, 3846), and older
  /// versions do not say.
  private static func checkSyntax(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let (start, end) = card.valueRange(line)
    if ValueSyntax.isPlainURI(card.bytes.span, start, end) { return }
    guard end - start < 4096 || card.text(start, start + 5).lowercased() != "data:" else { return }
    let text = card.rawValue(line)
    if let control = text.unicodeScalars.first(where: { $0.value < 32 || $0.value == 127 }) {
      return findings.add(.control, "a control character (\(control.value))")
    }
    var plain = text.replacing("\\,", with: ",").replacing("\\;", with: ";")
    if plain.contains("\\") {
      let unescaped = card.text(line)
      if ValueSyntax.uriFault(unescaped) == nil {
        // Apple and Google escape the colon.
        let isHabit = version != .v40 && plain.replacing("\\:", with: ":") == unescaped
        return findings.add(.escape, "a backslash in a URI", isHabit ? .info : .warning)
      }
      plain = unescaped
    }
    if let fault = ValueSyntax.uriFault(plain) ?? ValueSyntax.telFault(plain) {
      findings.add(.uri, "\(ValueSyntax.excerpt(plain)) is no URI: it \(fault)")
    }
  }
}

/// Several texts in one line, divided by commas (CATEGORIES, NICKNAME), or one a line (MEMBER).
package struct TextListKind: ValueKind {
  /// Whether the texts are URIs, one a line.
  let isURI: Bool
  package init(uri: Bool = false) { isURI = uri }

  package func defaultValueType(in version: CardVersion) -> String? { isURI ? "uri" : "text" }
  package func valueTypes(in version: CardVersion) -> [String] { [isURI ? "uri" : "text"] }
  package var accepts: ParameterSet { isURI ? ParameterSet(.mediaType) : [] }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    let (start, end) = card.valueRange(line)
    if card.lines[line].flags.contains(.base64) { return record.text(.none, made: card.text(line)) }
    if isURI { return record.text(.none, start, end) }
    card.split(start, end, at: ASCII.comma) { _, from, to in
      if to > from { record.text(.none, from, to) }
    }
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    guard let place = record.valuePlace(index) else { return }
    if isURI { return line.raw(place, of: record) }
    if standsAlone(index, of: record, in: line.version) { line.undivided(place, of: record) } else { line.text(place, of: record, .item) }
  }

  /// In 2.1, a text with a backslash that would be taken for an escape, or would hide the comma behind it.
  package func standsAlone(_ index: Int, of record: borrowing Record, in version: CardVersion) -> Bool {
    version == .v21 && !isURI && record.valuePlace(index).map { LineWriter.isAmbiguous21(record.string($0), atEnd: true) } ?? false
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let (start, end) = card.valueRange(line)
    if isURI { return URIKind.check(line, card, in: version, &findings) }
    TextKind.check(card.bytes.span, start, end, from: card.version, to: version, separators: version == .v30 ? .semicolon : [], &findings)
    guard version != .v21, end > start else { return }
    if card.bytes[start] == ASCII.comma || card.bytes[end - 1] == ASCII.comma { findings.add(.emptyItem, "an empty text in a list") }
  }

  package func plainValues(_ line: Int, _ card: borrowing CardView, in version: CardVersion, isValidating: Bool) -> PlainValues {
    isURI ? .uri(strict: isValidating) : .list(in: version, from: card.version)
  }
}

extension ValueKind where Self == TextKind {
  package static var text: Self { Self() }
  /// A language tag (RFC 5646).
  package static var languageTag: Self { Self(.languageTag) }
  /// One of these words, in any letter case, a registered one, or one of one's own.
  package static func words(_ words: String...) -> Self { Self(.words(words)) }
  /// A text whose lines may have LEVEL with one of these words (RFC 6715 3.2).
  package static func ranked(_ levels: String...) -> Self { Self(.ranked(levels)) }
  /// A place: a text, or with VALUE=uri a URI (RFC 6474).
  package static var place: Self { Self(.place) }
  /// An XML element (RFC 6350 6.1.5).
  package static var xml: Self { Self(.xml) }
  /// JSON of a JSContact property, which JSPTR names (RFC 9555 3.2.1).
  package static var json: Self { Self(.json) }
}
extension ValueKind where Self == URIKind {
  package static var uri: Self { Self() }
  /// A number and the URI of the client that it stands for (RFC 6350 6.7.7).
  package static var pidMap: Self { Self(pidMap: true) }
}
