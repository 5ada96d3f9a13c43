// When two values are the same one, whatever they are labelled and however they are spelled.

package import Bytes
internal import CardSyntax

/// Writes values as bytes that are equal for equal values: telephone numbers and e-mail addresses in their normal form, identifiers
/// without `urn:uuid:`, entries of text lists without letter case, all else as it is. What a line carries besides its value is no part.
package struct ValueIdentity: Sendable {
  /// How telephone numbers are read.
  package let numbering: PhoneNumbering

  package init(numbering: PhoneNumbering) { self.numbering = numbering }

  /// Adds the identity of the value or element at `index` of the field `number`; nothing for a value that says nothing.
  package func append(_ number: Int, _ index: Int, of record: borrowing Record, to output: inout ByteBuffer) {
    switch Self.forms[number] {
    case .line:
      guard let line = UnclaimedText(record, at: index), !line.isBlank else { return }
      output.append(text: line.name.uppercased() + "\u{0}" + line.value)
    case .phone:
      guard let place = record.valuePlace(index) else { return }
      output.append(text: phone(record.string(place), record.string(.extension, of: index)))
    case .account:
      // The URI says the same as service and handle, where these are known.
      let handle = record.string(.handle, of: index) ?? ""
      guard !handle.isEmpty else { return Self.appendParts(index, of: record, to: &output) }
      output.append(text: (record.string(.service, of: index) ?? "") + "\u{0}" + handle)
    case .email:
      if let place = record.valuePlace(index) { Self.append(lowercasing: place, without: "mailto:", of: record, to: &output) }
    case .identifier:
      if let place = record.valuePlace(index) { Self.append(lowercasing: place, without: "urn:uuid:", of: record, to: &output) }
    case .word: if let place = record.valuePlace(index) { Self.append(lowercasing: place, of: record, to: &output) }
    case .parts: Self.appendParts(index, of: record, to: &output)
    }
  }

  /// What makes values of a field the same.
  private enum Form {
    case line, phone, account, email, identifier, word, parts
  }

  /// The form of each field, by its number.
  private static let forms: [Form] = Person.fields.map { field in
    switch field.layout {
    case .unclaimed: .line
    case .texts(let perLine): perLine ? .identifier : .word
    case .one: field.kind is IdentifierKind ? .identifier : .parts
    case .many where field.kind is PhoneKind: .phone
    case .many where field.kind is RelatedKind: .identifier
    case .many where field.kind is InstantMessageKind: .account
    case .many: field.key == "emails" ? .email : .parts
    }
  }

  /// A telephone number with its extension, in a form that compares.
  package func phone(_ number: String, _ digits: String?) -> String { numbering.key(number, extension: digits ?? "") }

  /// An identifier: no `urn:uuid:`, no letter case where it is one.
  package static func identifier(_ text: String) -> String {
    let text = text.trimmed
    let lower = text.lowercased()
    return lower.hasPrefix("urn:uuid:") ? String(lower.dropFirst(9)) : lower
  }

  /// Adds a text without letter case, without blanks around it, and without a prefix (in lower case) if it has that.
  private static func append(
    lowercasing index: Int, without prefix: StaticString? = nil, of record: borrowing Record, to output: inout ByteBuffer
  ) {
    let start = output.count
    record.append(index, to: &output)
    var isASCII = true
    for i in start..<output.count {
      if output[i] >= 0x80 { isASCII = false }
      output[i] = ASCII.lowercased(output[i])
    }
    if !isASCII {
      output.truncate(to: start)
      output.append(text: record.string(index).trimmed.lowercased())
    }
    while output.count > start, ASCII.isSpace(output[output.count - 1]) { output.truncate(to: output.count - 1) }
    var first = start
    while first < output.count, ASCII.isSpace(output[first]) { first += 1 }
    if let prefix, output.has(prefix, at: first) { first += prefix.utf8CodeUnitCount }
    guard first > start else { return }
    for i in first..<output.count { output[start + i - first] = output[i] }
    output.truncate(to: output.count - (first - start))
  }

  /// What a line carries besides its value.
  package static func isAnnotation(_ member: Member) -> Bool {
    switch member {
    case .labels, .preference, .language, .parameters, .group, .id, .property: true
    default: false
    }
  }

  /// Fields of a contact inside another one that say nothing of a person.
  private static let tellsNothing = [Person.field("version"), Person.field("revision"), Person.field("productID"), Person.detailsField]

  /// All parts of a value that say something, each with its name.
  static func appendParts(_ index: Int, of record: borrowing Record, to output: inout ByteBuffer) {
    let isObject = record.tokens[index].operation == .openObject
    var i = isObject ? index + 1 : index
    let end = isObject ? Int(record.tokens[index].start) : record.next(index)
    while i < end {
      let token = record.tokens[i]
      // In a contact inside another one there are fields, too.
      if isObject, isAnnotation(token.member) || token.operation == .field && tellsNothing.contains(Int(token.start)) {
        i = record.next(i)
        continue
      }
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

extension ByteBuffer {
  /// Do these bytes stand at `position`?
  fileprivate func has(_ text: StaticString, at position: Int) -> Bool {
    let bytes = Array(text.description.utf8)
    guard position + bytes.count <= count else { return false }
    for (i, byte) in bytes.enumerated() where self[position + i] != byte { return false }
    return true
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
