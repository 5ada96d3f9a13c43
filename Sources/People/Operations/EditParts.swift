// Changes to parts of values: a component of an address, the year of a date.

internal import Bytes

extension Edit {
  /// A date with one of its parts changed or taken off; what would be no date is left as it was.
  func appendDate(_ place: Int?, of record: borrowing Record, _ field: Field, to result: inout Record) {
    guard let part = path.datePart else { return }
    let old = place.flatMap { record.valuePlace($0) }
    let before = old.map { record.string($0) } ?? ""
    var date = PartialDate(before)
    date.text = ""
    date[part] = action == .remove ? nil : Int(text)
    if action == .remove, !date.isDate { return }
    let iso = date.iso
    let isLost = !PartialDate(iso).isDate || PartialDate(iso)[part] != date[part]
    let after = isLost ? before : iso
    if after.isEmpty { return }
    if field.isOne { return result.text(.none, made: after) }
    result.open()
    result.text(.value, made: after)
    if let place {
      for part in record.elements(place) where record.tokens[place].operation == .openObject && record.tokens[part].member.isAnnotation {
        result.append(range: part, record.next(part), of: record)
      }
    } else {
      appendLabels(to: &result)
    }
    result.close()
  }

  func appendParts(_ place: Int?, of record: borrowing Record, _ field: Field, to result: inout Record) {
    let mark = result.tokens.count
    appendObject(place, of: record, path.components[...], as: .none, to: &result)
    if place == nil, !field.isOne {
      result.reopen(mark)
      appendLabels(to: &result)
      result.close()
    }
    let isLeft = result.elements(mark).contains { !result.tokens[$0].member.isAnnotation }
    if !isLeft { result.truncate(to: mark) }
  }

  /// Writes an object with the part that the members name changed or taken off, its parts in their usual order.
  private func appendObject(
    _ place: Int?, of record: borrowing Record, _ members: ArraySlice<Member>, as member: Member, to result: inout Record
  ) {
    guard let wanted = members.first else { return }
    result.open(member)
    var isWritten = action == .remove && members.count == 1
    var parts: [Int] = []
    if let place {
      if record.tokens[place].operation == .openObject {
        parts = record.elements(place)
      } else if record.tokens[place].operation == .text, wanted != .value {
        result.append(range: place, place + 1, of: record, as: .value)
      }
    }
    for part in parts {
      let own = record.tokens[part].member
      if own == wanted {
        if !isWritten { appendPart(part, of: record, members, to: &result) }
        isWritten = true
      } else {
        if !isWritten, wanted.comesBefore(own), action != .remove {
          appendPart(nil, of: record, members, to: &result)
          isWritten = true
        }
        result.append(range: part, record.next(part), of: record)
      }
    }
    if !isWritten, action != .remove { appendPart(nil, of: record, members, to: &result) }
    result.close()
  }

  private func appendPart(_ place: Int?, of record: borrowing Record, _ members: ArraySlice<Member>, to result: inout Record) {
    guard let member = members.first else { return }
    if members.count > 1 {
      let mark = result.tokens.count
      appendObject(place, of: record, members.dropFirst(), as: member, to: &result)
      if result.tokens.count == mark + 2 { result.truncate(to: mark) }
      return
    }
    switch member {
    case .preference: result.number(member, text)
    case .location: if let place = Location(uri: text) { GeoKind.send(place, as: .location, to: &result) }
    case .labels, .units:
      result.open(member, list: true)
      for item in text.split(separator: ";") {
        let trimmed = item.drop { $0 == " " }
        if !trimmed.isEmpty { result.text(.none, made: trimmed) }
      }
      result.close()
    default: result.text(member, made: text)
    }
  }
}

extension Member {
  /// Is it usual to write it before `other`? Parts of the value in the order of their list, then what is said about it.
  fileprivate func comesBefore(_ other: Member) -> Bool {
    isAnnotation == other.isAnnotation ? rawValue < other.rawValue : other.isAnnotation
  }
}
