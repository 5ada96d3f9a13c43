// Changes to contacts: a value set, added or taken off where a path says.

internal import Bytes
internal import CardSyntax
internal import DataSyntax

/// Why a text is no change.
package struct EditError: Error, Hashable {
  /// What is wrong, for people.
  package let message: String
}

/// A change to a contact.
package struct Edit: Sendable {
  /// What is done.
  package enum Action: String, Sendable {
    /// The value that the path names is changed; where there is none, it is added. Of several it is the preferred one, else the first.
    case set
    /// A value is added, unless it is there; to a field of one value only where it has none.
    case add
    /// All that the path names is taken off.
    case remove
  }

  let action: Action
  let path: FieldPath
  /// The text for a component or an unclaimed line.
  let text: String
  /// The whole value, as the first entry of its field; empty where `text` says all.
  let value: KeptRecord

  /// Sets the contact's photo: of several the preferred one, else the first.
  package init(photo bytes: [UInt8], mediaType: String) throws(EditError) {
    let field = Person.pictureFields.first ?? 0
    guard let path = FieldPath(Person.fields[field].singular) else { throw EditError(message: "there are no photos") }
    var value = Record()
    value.begin(source: [], version: .v40)
    value.open()
    MediaKind().send(Media(bytes: bytes, mediaType: mediaType), to: &value)
    value.close()
    (action, self.path, text) = (.set, path, "")
    self.value = KeptRecord(value)
  }

  /// Takes off all that a path names.
  package init(remove path: FieldPath) throws(EditError) {
    try Self.check(path)
    (action, self.path, text, value) = (.remove, path, "", KeptRecord(Record()))
  }

  /// Sets or adds, from `PATH=VALUE`.
  ///
  /// A value is written as people read it; a date as in the record. The parts of a name, an address, an organization or a gender are
  /// divided by semicolons in the order of vCard, or named one by one by the path (`name.given=Mira`).
  package init(_ action: Action, _ text: String) throws(EditError) {
    var isQuoted = false
    let sign = text.firstIndex {
      if $0 == "\"" { isQuoted.toggle() }
      return $0 == "=" && !isQuoted
    }
    guard let sign else { throw EditError(message: "'\(text)' is not PATH=VALUE") }
    let path: FieldPath
    do throws(FieldPathError) { path = try FieldPath(typed: String(text[..<sign])) } catch { throw EditError(message: error.message) }
    try Self.check(path)
    let value = String(text[text.index(after: sign)...])
    if value.isEmpty { throw EditError(message: "'\(text)' has no value; --remove takes values off") }
    if action == .add, path.place != nil { throw EditError(message: "a value that is added has no number yet: \(path.text)") }
    let isUnclaimed = path.field == Person.unclaimedField
    if isUnclaimed, path.lineName == nil { throw EditError(message: "say which line, as in unclaimed.X-FOO=...") }
    if let last = path.components.last { try Self.check(value, for: last) }
    if path.datePart != nil, Int(value).map({ (1...9999).contains($0) }) != true {
      throw EditError(message: "'\(value)' is no part of a date")
    }
    (self.action, self.path, self.text) = (action, path, value)
    let isWhole = !isUnclaimed && path.components.isEmpty && path.datePart == nil
    self.value = KeptRecord(isWhole ? try Self.read(value, for: path) : Record())
  }

  private static func check(_ path: FieldPath) throws(EditError) {
    if [0, Person.detailsField].contains(path.field) || Person.fields[path.field].kind is AgentKind {
      throw EditError(message: "\(path.text) cannot be edited")
    }
    let field = Person.fields[path.field]
    guard let first = path.components.first, !(first.isAnnotation && !field.isOne) else { return }
    if !field.kind.editableParts.contains(first) { throw EditError(message: "\(field.key) has no part called \(first.key)") }
  }

  private static func check(_ text: String, for member: Member) throws(EditError) {
    switch member {
    case .preference:
      if !(1...100).contains(Int(text) ?? 0) { throw EditError(message: "a preference is a number from 1 to 100") }
    case .location:
      if Location(uri: text) == nil { throw EditError(message: "'\(text)' is no place; places are LATITUDE,LONGITUDE") }
    case .latitude, .longitude: throw EditError(message: "a place is set whole, as LATITUDE,LONGITUDE")
    case .parameters, .data, .group, .id, .property, .none: throw EditError(message: "\(member.key) cannot be edited")
    default: break
    }
  }

  /// The value as its kind reads it from a line of 4.0.
  private static func read(_ text: String, for path: FieldPath) throws(EditError) -> Record {
    let field = Person.fields[path.field]
    let isStructured = field.kind is NameKind || field.kind is AddressKind || field.kind is OrganizationKind || field.kind is GenderKind
    if field.kind is NameKind || field.kind is AddressKind, !text.contains(";") {
      throw EditError(
        message: "\(path.text) has parts: name one (as in \(path.text).\(field.kind is NameKind ? "given" : "city")), or divide all by ;")
    }
    var card = ByteBuffer()
    card.append("BEGIN:VCARD\r\nVERSION:4.0\r\n")
    card.append(text: field.name(in: .v40) + ":")
    let bytes = Array(text.utf8)
    _ = Escaping.escape(bytes.span, 0, bytes.count, isStructured ? .commas : [.commas, .backslashes], to: &card)
    card.append("\r\nEND:VCARD\r\n")
    var parser = CardParser(names: FieldNames.table)
    card.withBytes { parser.feed($0) }
    parser.finish()
    var reader = CardReader()
    if let batch = parser.nextBatch(), batch.count == 1 { reader.read(batch, 0, only: FieldSet([path.field])) }
    guard let index = reader.record.value(ofField: path.field), let first = reader.record.elements(index).first ?? Optional(index) else {
      throw EditError(message: "'\(text)' is no value for \(path.text)")
    }
    if field.kind is DateKind, let place = reader.record.valuePlace(field.isOne ? index : first),
      !PartialDate(reader.record.string(place)).isDate
    {
      throw EditError(message: "'\(text)' is no date for \(path.text); dates are 1979-04-14, --04-14, 1979, 2024-01-31T10:00:00Z")
    }
    if field.key == "emails", !text.contains("@") { throw EditError(message: "'\(text)' is no e-mail address") }
    var value = Record()
    value.begin(source: [], version: .v40)
    let place = field.isOne ? index : first
    value.append(range: place, reader.record.next(place), of: reader.record)
    return value
  }
}

// MARK: What happens to a contact

/// What a change means for the entries of its field in one contact.
struct EditPlan {
  /// The entries that are changed or taken off, by their numbers in the field.
  var targets: Set<Int> = []
  /// A new entry is added.
  var adds = false

  var isEmpty: Bool { targets.isEmpty && !adds }
}

extension Edit {
  /// What the change means for a contact of which `record` has at least the path's field.
  func plan(for record: borrowing Record) -> EditPlan {
    switch action {
    case .set:
      if let best = path.bestEntry(in: record) { return EditPlan(targets: [best]) }
      return EditPlan(adds: true)
    case .add:
      if Person.fields[path.field].isOne {
        guard let index = record.value(ofField: path.field) else { return EditPlan(adds: true) }
        // A part may be missing from a value that is there.
        let isMissing = !path.components.isEmpty && path.components.count == 1 && record.part(path.components[0], of: index) == nil
        return isMissing ? EditPlan(targets: [0]) : EditPlan()
      }
      return EditPlan(adds: !path.values(in: record).contains(text))
    case .remove: return EditPlan(targets: Set(path.entries(in: record)))
    }
  }

  /// The contact after the change; nil where it changes nothing.
  package func applied(to record: borrowing Record) -> KeptRecord? { applied(to: record, plan(for: record)) }

  /// The contact without the values of these fields that `isMeant` accepts; nil where there are none. `isMeant` gets the record and the
  /// place of a value in it.
  package static func removing(
    from fields: [Int], of record: borrowing Record, where isMeant: (borrowing Record, Int) -> Bool
  ) -> KeptRecord? {
    var result: KeptRecord?
    for field in fields {
      guard let index = record.value(ofField: field), let path = FieldPath(Person.fields[field].key), let edit = try? Edit(remove: path)
      else { continue }
      let entries = record.elements(index)
      let plan = EditPlan(targets: Set(entries.indices.filter { isMeant(record, entries[$0]) }))
      result = (result.map { edit.applied(to: $0.record, plan) } ?? edit.applied(to: record, plan)) ?? result
    }
    return result
  }

  private func applied(to record: borrowing Record, _ plan: EditPlan) -> KeptRecord? {
    if plan.isEmpty { return nil }
    var result = Record()
    result.begin(source: [], version: record.version)
    result.depth = record.depth
    var isWritten = false
    var isGone = false
    var i = 0
    while i < record.tokens.count {
      let next = record.next(i)
      let number = record.tokens[i].operation == .field ? Int(record.tokens[i].start) : -1
      if number > path.field, !isWritten {
        isWritten = true
        if plan.adds { isGone = !appendField(nil, of: record, plan, to: &result) }
      }
      if number == path.field {
        isWritten = true
        isGone = !appendField(i + 1, of: record, plan, to: &result)
      } else if number == Person.detailsField, isGone {
        appendDetails(i + 1, of: record, to: &result)
      } else {
        result.append(range: i, next, of: record)
      }
      i = next
    }
    if !isWritten, plan.adds { _ = appendField(nil, of: record, plan, to: &result) }
    return Self.isSame(record, result) ? nil : KeptRecord(result)
  }

  /// The contact after several changes, one after the other; nil where they change nothing.
  package static func applied(_ edits: [Edit], to record: borrowing Record) -> KeptRecord? {
    var result: KeptRecord?
    for edit in edits { result = (result.map { edit.applied(to: $0.record) } ?? edit.applied(to: record)) ?? result }
    return result
  }

  /// Do both records say the same?
  static func isSame(_ a: borrowing Record, _ b: borrowing Record) -> Bool {
    var first = ByteBuffer()
    var second = ByteBuffer()
    JSONFormat().write(a, to: &first)
    JSONFormat().write(b, to: &second)
    return first.array() == second.array()
  }

  /// Without the field's own entry: nothing is left that it could speak of.
  private func appendDetails(_ index: Int, of record: borrowing Record, to result: inout Record) {
    let mark = result.tokens.count
    result.field(Person.detailsField)
    result.open()
    for place in record.elements(index) where record.tokens[place].operation == .key {
      if record.string(place) != Person.fields[path.field].key { result.append(range: place, record.next(place), of: record) }
    }
    result.close()
    if result.tokens.count == mark + 3 { result.truncate(to: mark) }
  }

  /// Writes the field after the change; `index` is its value in `record`, nil where it has none. False where nothing is left.
  func appendField(_ index: Int?, of record: borrowing Record, _ plan: EditPlan, to result: inout Record) -> Bool {
    let field = Person.fields[path.field]
    let mark = result.tokens.count
    result.field(path.field)
    if field.isOne {
      if index == nil || plan.targets.contains(0) {
        appendEntry(index, of: record, field, to: &result)
      } else if let index {
        result.append(range: index, record.next(index), of: record)
      }
    } else {
      result.open(list: true)
      let entries = index.map { record.elements($0) } ?? []
      for (number, place) in entries.enumerated() {
        if plan.targets.contains(number) {
          appendEntry(place, of: record, field, to: &result)
        } else {
          result.append(range: place, record.next(place), of: record)
        }
      }
      if plan.adds { appendEntry(nil, of: record, field, to: &result) }
      result.close()
    }
    if result.tokens.count == mark + 1 || !field.isOne && result.tokens.count == mark + 3 {
      result.truncate(to: mark)
      return false
    }
    return true
  }

  /// Writes one entry after the change; nothing where it is taken off. `place` is the old one, nil for a new one.
  private func appendEntry(_ place: Int?, of record: borrowing Record, _ field: Field, to result: inout Record) {
    if case .unclaimed = field.layout { return appendLine(place, of: record, to: &result) }
    if path.datePart != nil { return appendDate(place, of: record, field, to: &result) }
    if !path.components.isEmpty { return appendParts(place, of: record, field, to: &result) }
    if action == .remove { return }
    if field.isOne { return result.append(range: 0, value.record.next(0), of: value.record) }
    var plain: Int?
    if case .texts = field.layout { plain = value.record.valuePlace(0) }
    let hasMore = place.map { !Annotations(record, at: $0).isEmpty } ?? !path.labels.isEmpty
    if let plain, !hasMore { return result.append(range: plain, plain + 1, of: value.record, as: .none) }
    result.open()
    if let plain {
      result.append(range: plain, plain + 1, of: value.record, as: .value)
    } else {
      for part in value.record.elements(0) where !value.record.tokens[part].member.isAnnotation {
        result.append(range: part, value.record.next(part), of: value.record)
      }
    }
    if let place, record.tokens[place].operation == .openObject {
      for part in record.elements(place) where record.tokens[part].member.isAnnotation {
        // What parameters say of a picture (where its face is) is not true of another one.
        if record.tokens[part].member == .parameters, field.kind is MediaKind { continue }
        result.append(range: part, record.next(part), of: record)
      }
    } else {
      appendLabels(to: &result)
    }
    result.close()
  }

  func appendLabels(to result: inout Record) {
    guard !path.labels.isEmpty else { return }
    result.open(.labels, list: true)
    for label in path.labels { result.text(.none, made: label) }
    result.close()
  }

  /// An unclaimed line with another value.
  private func appendLine(_ place: Int?, of record: borrowing Record, to result: inout Record) {
    guard action != .remove else { return }
    var line =
      place.flatMap { UnclaimedText(record, at: $0) } ?? UnclaimedText(name: path.lineName ?? "", group: nil, parameters: [], value: "")
    line.value = text
    line.send(to: &result)
  }
}
