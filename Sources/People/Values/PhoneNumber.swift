// Telephone numbers: text or tel URI, with an extension (RFC 6350 6.4.1, RFC 3966).

package import CardSyntax
package import Bytes

/// A telephone number as its owner wrote it, and its extension.
public struct PhoneNumber: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The number, without `tel:` and without the extension.
  public var number: String
  /// The extension that a tel URI or `;ext=` names; empty where there is none.
  public var `extension`: String

  /// A number, perhaps with an extension.
  public init(_ number: String, extension: String = "") { (self.number, self.extension) = (number, `extension`) }
  /// A number without an extension, taken as it is written: nothing is cut off a literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// The number and, behind `x`, the extension.
  public var description: String { self.extension.isEmpty ? number : number + " x" + self.extension }
}

package struct PhoneKind: ValueKind {
  package init() {}

  package func valueTypes(in version: CardVersion) -> [String] { version == .v40 ? ["text", "uri"] : ["text", "phone-number"] }
  package var accepts: ParameterSet { ParameterSet(.mediaType) }

  /// Is the value a tel URI?
  private func isURI(_ line: Int, _ card: borrowing CardView) -> Bool {
    let (start, end) = card.valueRange(line)
    return end - start > 4 && card.bytes[start] | 32 == UInt8(ascii: "t") && card.bytes[start + 1] | 32 == UInt8(ascii: "e")
      && card.bytes[start + 2] | 32 == UInt8(ascii: "l") && card.bytes[start + 3] == ASCII.colon
  }

  package var impliesValueType: Bool { true }
  package func impliedValueType(_ line: Int, _ card: borrowing CardView) -> String? { isURI(line, card) ? "uri" : nil }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    let (from, end) = card.valueRange(line)
    let isURI = isURI(line, card)
    let start = isURI ? from + 4 : from
    let span = card.bytes.span
    let isBase64 = card.lines[line].flags.contains(.base64)
    guard isBase64 || ByteSearch.firstIndex(of: ASCII.semicolon, in: span, from: start, to: end) < end else {
      return record.text(.value, start, end)
    }
    let pieces = card.text(start, end, isBase64: isBase64).split(separator: ";", omittingEmptySubsequences: false)
    var number = String(pieces[0])
    var found = ""
    for piece in pieces.dropFirst() {
      if piece.lowercased().hasPrefix("ext="), found.isEmpty, piece.utf8.count > 4 {
        found = String(piece.dropFirst(4))
      } else {
        number += ";" + piece
      }
    }
    record.text(.value, made: number)
    if !found.isEmpty { record.text(.extension, made: found) }
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    guard let place = record.valuePlace(index) else { return line.beginValue() }
    let wantsURI = context.valueType == "uri" && line.version == .v40
    let extra = record.string(.extension, of: index) ?? ""
    if wantsURI {
      record.withText(place) { bytes, start, end in
        if !hasScheme(bytes, start, end) { line.raw("tel:") }
        line.raw(bytes, start, end)
      }
      if !extra.isEmpty { line.raw(";ext=" + extra) }
    } else if extra.isEmpty {
      line.text(place, of: record)
    } else {
      line.text(record.string(place) + ";ext=" + extra)
    }
  }

  package func writePlain(_ index: Int, of record: borrowing Record, in version: CardVersion, to line: inout ByteBuffer) -> Bool {
    guard let place = record.valuePlace(index), !record.contains(ASCII.colon, at: place), record.part(.extension, of: index) == nil else {
      return false
    }
    line.append(ASCII.colon)
    return record.appendPlain(place, to: &line)
  }

  /// Do letters and a colon stand before the number?
  private func hasScheme(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var i = start
    while i < end, ASCII.isLetter(bytes[i]) { i &+= 1 }
    return i > start && i < end && bytes[i] == ASCII.colon
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let type = card.valueType(line)
    let (start, end) = card.valueRange(line)
    if isURI(line, card) {
      if version != .v40 { findings.add(.valueType, "a tel URI is no value of this version") }
      if version == .v40 && type != "uri" { findings.add(.valueType, "a tel URI without VALUE=uri", .info) }
      if version == .v40 { return URIKind.check(line, card, in: version, &findings) }
    }
    if type == "uri" {
      if version == .v40, card.version != .v40, !card.withText(line, hasScheme) {
        findings.add(.uri, "a number without tel: before it")
      }
      if version != .v40 { findings.add(.valueType, "VALUE=uri is no value of TEL in this version") }
      return URIKind.check(line, card, in: version, &findings)
    }
    TextKind.check(
      card.bytes.span, start, end, from: card.version, to: version, separators: version == .v21 ? [] : version == .v30 ? .all : .comma,
      &findings)
  }

  package func plainValues(_ line: Int, _ card: borrowing CardView, in version: CardVersion, isValidating: Bool) -> PlainValues {
    let isURI = card.valueType(line) == "uri"
    // X-VALUE of an older version may ask for a URI.
    if version != card.version, isURI || card.parameterSet(line).has(.other) { return .none }
    return isURI ? version == .v40 ? .uri(strict: isValidating) : .none : .number(in: version, from: card.version)
  }

  package func readsAsValue(_ index: Int, of record: borrowing Record) -> Bool { record.part(.extension, of: index) == nil }

  package func readable(_ index: Int, of record: borrowing Record) -> String {
    take(index, of: record)?.description ?? ""
  }

  package func take(_ index: Int, of record: borrowing Record) -> PhoneNumber? {
    record.valuePlace(index).map { PhoneNumber(record.string($0), extension: record.string(.extension, of: index) ?? "") }
  }

  package func send(_ value: PhoneNumber, to record: inout Record) {
    record.text(.value, made: value.number)
    if !value.extension.isEmpty { record.text(.extension, made: value.extension) }
  }
}

extension ValueKind where Self == PhoneKind {
  package static var phone: Self { Self() }
}
