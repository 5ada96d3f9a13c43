// When two values are the same one, whatever they are labelled and however they are spelled.

package import Bytes
internal import CardSyntax

/// Writes values as bytes that are equal for equal values: telephone numbers and e-mail addresses in their normal form, identifiers
/// without `urn:uuid:`, entries of text lists without letter case, all else as it is. What a line carries besides its value is no part.
package struct ValueIdentity: Sendable {
  /// How telephone numbers are read.
  package let numbering: PhoneNumbering

  package init(numbering: PhoneNumbering) { self.numbering = numbering }

  private static let emails = Person.field("emails") ?? 0
  private static let uid = Person.field("uid") ?? 0

  /// Adds the identity of the value or element at `index` of the field `number`; nothing for a value that says nothing.
  package func append(_ number: Int, _ index: Int, of record: borrowing Record, to output: inout ByteBuffer) {
    let field = Person.fields[number]
    switch field.layout {
    case .unclaimed:
      guard let line = UnclaimedText(record, at: index), !line.isBlank else { return }
      output.append(text: line.name.uppercased() + "\u{0}" + line.value)
    case .texts(let perLine):
      guard let place = record.valuePlace(index) else { return }
      let text = record.string(place)
      output.append(text: perLine ? Self.identifier(text) : text.lowercased())
    case .many where field.kind is PhoneKind:
      guard let place = record.valuePlace(index) else { return }
      output.append(text: phone(record.string(place), record.string(.extension, of: index)))
    case .many where field.kind is RelatedKind:
      if let place = record.valuePlace(index) { output.append(text: Self.identifier(record.string(place))) }
    case .many where field.kind is InstantMessageKind:
      // The URI says the same as service and handle, where these are known.
      let handle = record.string(.handle, of: index) ?? ""
      guard !handle.isEmpty else { return Self.appendParts(index, of: record, to: &output) }
      output.append(text: (record.string(.service, of: index) ?? "") + "\u{0}" + handle)
    case .many where number == Self.emails:
      if let place = record.valuePlace(index) { output.append(text: Self.email(record.string(place))) }
    case .one where number == Self.uid:
      if let place = record.valuePlace(index) { output.append(text: Self.identifier(record.string(place))) }
    case .one, .many: Self.appendParts(index, of: record, to: &output)
    }
  }

  /// A telephone number with its extension, in a form that compares.
  package func phone(_ number: String, _ digits: String?) -> String { numbering.key(number, extension: digits ?? "") }

  /// An e-mail address: no `mailto:`, no blanks around it, no letter case.
  package static func email(_ text: String) -> String {
    var text = text.trimmed.lowercased()
    if text.hasPrefix("mailto:") { text.removeFirst(7) }
    return text
  }

  /// An identifier: no `urn:uuid:`, no letter case where it is one.
  package static func identifier(_ text: String) -> String {
    let text = text.trimmed
    let lower = text.lowercased()
    return lower.hasPrefix("urn:uuid:") ? String(lower.dropFirst(9)) : lower
  }

  /// What a line carries besides its value.
  package static func isAnnotation(_ member: Member) -> Bool {
    switch member {
    case .labels, .preference, .language, .parameters, .group, .id, .property: true
    default: false
    }
  }

  /// All parts of a value that say something, each with its name.
  static func appendParts(_ index: Int, of record: borrowing Record, to output: inout ByteBuffer) {
    let isObject = record.tokens[index].operation == .openObject
    var i = isObject ? index + 1 : index
    let end = isObject ? Int(record.tokens[index].start) : record.next(index)
    while i < end {
      if isObject, isAnnotation(record.tokens[i].member) {
        i = record.next(i)
        continue
      }
      let token = record.tokens[i]
      switch token.operation {
      case .text, .number, .key:
        if token.start == token.end { break }
        // The plain text of a field and the `value` of an object are the same.
        output.append(token.member == .none ? Member.value.rawValue : token.member.rawValue)
        record.append(i, to: &output)
        output.append(0)
      case .field: output.append(UInt8(truncatingIfNeeded: token.start))
      case .openList where token.member != .none: output.append(token.member.rawValue)
      case .openObject, .openList, .close: break
      }
      i += 1
    }
  }
}

extension String {
  /// Without blanks and line breaks at both ends.
  package var trimmed: String {
    guard let first = utf8.first, let last = utf8.last, ASCII.isSpace(first) || ASCII.isSpace(last) else { return self }
    var text = self[...]
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}

extension ASCII {
  /// A blank or a line break.
  static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}
