// Reads a card into a record: field by field in the table's order, line by line in the card's.

package import CardSyntax
internal import Bytes

/// Reads cards into a record that it keeps and reuses.
package struct CardReader: ~Copyable {
  package var card = CardView()
  package var record = Record()
  /// Lines that only say again what another line says are passed over; else they are kept as `unclaimed`.
  package var omitsDuplicates = false
  /// Values alone are read, nothing of what their lines carry besides.
  package var omitsAnnotations = false
  var labels = LabelMemo()
  /// How deep this card is nested in others (AGENT).
  private let depth: Int

  package init(depth: Int = 0) { self.depth = depth }

  /// Reads the card at `index` of `batch`; fields that are not in `fields` are passed over.
  package mutating func read(_ batch: CardBatch, _ index: Int, only fields: FieldSet = .all) {
    card.sort(batch, index, only: fields)
    record.begin(source: card.bytes, version: card.version)
    record.depth = depth
    Self.read(card, fields, omitsDuplicates: omitsDuplicates, omitsAnnotations: omitsAnnotations, &labels, into: &record)
  }

  /// Reads a sorted card. (In a method of the reader, the card would be copied for each line that is read while the record changes.)
  private static func read(
    _ card: borrowing CardView, _ fields: FieldSet, omitsDuplicates: Bool, omitsAnnotations: Bool, _ labels: inout LabelMemo,
    into record: inout Record
  ) {
    if fields.has(0), let declared = card.declared {
      record.field(0)
      record.text(.none, made: declared.text)
    }
    let unclaimed = Person.unclaimedField
    // The fields of one value whose lines carry more than that.
    var detailed = FieldSet.none
    var wanted = card.present.intersection(fields)
    while let number = wanted.removeFirst() {
      guard number != unclaimed else { continue }
      let hasMore = read(field: number, card, omitsAnnotations: omitsAnnotations, &labels, into: &record)
      if hasMore { detailed.insert(number) }
    }
    if fields.has(Person.detailsField), !detailed.isEmpty, !omitsAnnotations { readDetails(detailed, card, &labels, into: &record) }
    if fields.has(unclaimed), card.first[unclaimed] >= 0 {
      readUnclaimed(unclaimed, card, omitsDuplicates: omitsDuplicates, into: &record)
    }
  }

  /// Reads the lines of a field; true where it holds one value, whose line carries more.
  private static func read(
    field number: Int, _ card: borrowing CardView, omitsAnnotations: Bool, _ labels: inout LabelMemo, into record: inout Record
  ) -> Bool {
    let field = Person.fields[number]
    switch field.layout {
    case .one:
      guard let line = firstPrimary(number, card) else { return false }
      record.field(number)
      let before = record.tokens.count
      field.read(line, card, &record)
      guard record.tokens.count > before else {
        record.truncate(to: before - 1)
        return false
      }
      return !Annotations.areMissing(line, card, field)
    case .many:
      record.field(number)
      record.open(list: true)
      var line = Int(card.first[number])
      while line >= 0 {
        if card[link: line].role == .primary {
          record.open()
          field.read(line, card, &record)
          record.close(
            carrying: omitsAnnotations ? 0 : Annotations.read(line, card, field, details: false, &labels, into: &record))
        }
        line = card.next(line)
      }
      record.close()
    case .texts:
      record.field(number)
      record.open(list: true)
      var line = Int(card.first[number])
      while line >= 0 {
        if card[link: line].role == .primary {
          if omitsAnnotations {
            field.read(line, card, &record)
          } else {
            readTexts(line, card, field, &labels, into: &record)
          }
        }
        line = card.next(line)
      }
      record.close()
    case .unclaimed: break
    }
    return false
  }

  private static func firstPrimary(_ field: Int, _ card: borrowing CardView) -> Int? {
    var line = Int(card.first[field])
    while line >= 0 {
      if card[link: line].role == .primary { return line }
      line = card.next(line)
    }
    return nil
  }

  /// The texts of one line: plain where the line carries nothing else, else each with what the line carries.
  static func readTexts(
    _ line: Int, _ card: borrowing CardView, _ field: Field, _ labels: inout LabelMemo, into record: inout Record
  ) {
    let mark = record.tokens.count
    if !Annotations.areMissing(line, card, field) { record.open() }
    Annotations.read(line, card, field, details: false, &labels, into: &record)
    if record.tokens.count > mark { record.close() }
    let isPlain = record.tokens.count <= mark + 2
    record.truncate(to: mark)
    field.read(line, card, &record)
    guard !isPlain else { return }
    let texts = (mark..<record.tokens.count).map { record.tokens[$0] }
    record.truncate(to: mark)
    for text in texts {
      record.open()
      record.append(text, as: .value)
      Annotations.read(line, card, field, details: false, &labels, into: &record)
      record.close()
    }
  }

  /// What the lines of fields of one value carry besides it.
  private static func readDetails(
    _ fields: FieldSet, _ card: borrowing CardView, _ labels: inout LabelMemo, into record: inout Record
  ) {
    var fields = fields
    let mark = record.tokens.count
    record.field(Person.detailsField)
    record.open()
    let begin = record.tokens.count
    while let number = fields.removeFirst() {
      guard let line = firstPrimary(number, card) else { continue }
      let field = Person.fields[number]
      let place = record.tokens.count
      record.key(field.key)
      record.open()
      Annotations.read(line, card, field, details: true, &labels, into: &record)
      record.close()
      if record.tokens.count == place + 3 { record.truncate(to: place) }
    }
    record.close()
    if record.tokens.count == begin + 1 { record.truncate(to: mark) }
  }

  // MARK: Unclaimed lines

  private static func readUnclaimed(_ number: Int, _ card: borrowing CardView, omitsDuplicates: Bool, into record: inout Record) {
    let mark = record.tokens.count
    record.field(number)
    record.open(list: true)
    let begin = record.tokens.count
    var line = Int(card.first[number])
    while line >= 0 {
      if card[link: line].role != .companion, !(omitsDuplicates && isDuplicate(line, card)) {
        read(unclaimed: line, card, into: &record)
      }
      line = card.next(line)
    }
    record.close()
    if record.tokens.count == begin + 1 { record.truncate(to: mark) }
  }

  /// Does the line say again what another one says, or is it the label of such a line?
  private static func isDuplicate(_ line: Int, _ card: borrowing CardView) -> Bool {
    if card[link: line].role == .duplicate { return true }
    guard card.lines[line].number == FieldNames.label else { return false }
    let group = card.group(line).lowercased()
    let others = card.range.filter { $0 != line && card.group($0).lowercased() == group }
    return !others.isEmpty && others.allSatisfy { card[link: $0].role == .duplicate }
  }

  /// A line as a jCard array (RFC 7095): name, parameters, `unknown`, the value as written.
  package static func read(unclaimed line: Int, _ card: borrowing CardView, into record: inout Record) {
    let entry = card.lines[line]
    record.open(list: true)
    record.text(.none, made: card.name(line))
    record.open()
    if entry.groupEnd > entry.groupStart {
      record.key("group")
      record.text(.none, made: card.group(line))
    }
    let kept = card.parameterRange(line).filter { i in
      let known = card.parameters[i].known
      return known != .charset && (known != .encoding || entry.flags.contains(.base64))
    }
    for (first, repeats) in Repeats(kept, card) {
      var values: [String] = []
      for i in repeats { card.forEachValue(card.parameters[i]) { values.append($0) } }
      record.unclaimedParameter(Annotations.parameterName(card.parameters[first], card), values)
    }
    record.close()
    record.text(.none, made: "unknown")
    let (start, end) = card.valueRange(line)
    if entry.flags.contains(.nestedCard) {
      record.text(.none, made: nestedCardText(card.rawValue(line)))
    } else {
      record.text(.none, start, end, .plain)
    }
    record.close()
  }

  /// The lines of a nested card as one value, as 3.0 writes it.
  private static func nestedCardText(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\r": break
      case "\n": result += "\\n"
      case "\\", ";", ",": result += "\\" + String(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
