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
  /// The fields of one value that were read.
  private var detailed = FieldSet.none
  /// How deep this card is nested in others (AGENT).
  private let depth: Int

  package init(depth: Int = 0) { self.depth = depth }

  /// Reads the card at `index` of `batch`; fields that are not in `fields` are passed over.
  package mutating func read(_ batch: CardBatch, _ index: Int, only fields: FieldSet = .all) {
    card.sort(batch, index, only: fields)
    record.begin(source: card.bytes, version: card.version)
    record.depth = depth
    detailed = .none
    if fields.has(0), let declared = card.declared {
      record.field(0)
      record.text(.none, made: declared.text)
    }
    let unclaimed = Person.unclaimedField
    var wanted = card.present.intersection(fields)
    while let number = wanted.removeFirst() {
      if number != unclaimed { read(field: number) }
    }
    if fields.has(Person.detailsField) { readDetails() }
    if fields.has(unclaimed), card.first[unclaimed] >= 0 { readUnclaimed(unclaimed) }
  }

  private mutating func read(field number: Int) {
    let field = Person.fields[number]
    switch field.layout {
    case .one:
      guard let line = firstPrimary(number) else { return }
      record.field(number)
      let before = record.tokens.count
      field.read(line, card, &record)
      if record.tokens.count == before {
        record.truncate(to: before - 1)
      } else {
        if !Annotations.areMissing(line, card, field) { detailed.insert(number) }
      }
    case .many:
      record.field(number)
      record.open(list: true)
      var line = Int(card.first[number])
      while line >= 0 {
        if card[link: line].role == .primary {
          record.open()
          field.read(line, card, &record)
          if !omitsAnnotations { Annotations.read(line, card, field, details: false, &labels, into: &record) }
          record.close()
        }
        line = card.next(line)
      }
      record.close()
    case .texts: readTexts(number, field)
    case .unclaimed: break
    }
  }

  private func firstPrimary(_ field: Int) -> Int? {
    var line = Int(card.first[field])
    while line >= 0 {
      if card[link: line].role == .primary { return line }
      line = card.next(line)
    }
    return nil
  }

  private mutating func readTexts(_ number: Int, _ field: Field) {
    record.field(number)
    record.open(list: true)
    var line = Int(card.first[number])
    while line >= 0 {
      if card[link: line].role == .primary {
        if omitsAnnotations {
          field.read(line, card, &record)
        } else {
          Self.readTexts(line, card, field, &labels, into: &record)
        }
      }
      line = card.next(line)
    }
    record.close()
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
  private mutating func readDetails() {
    guard !detailed.isEmpty, !omitsAnnotations else { return }
    let mark = record.tokens.count
    record.field(Person.detailsField)
    record.open()
    let begin = record.tokens.count
    while let number = detailed.removeFirst() {
      guard let line = firstPrimary(number) else { continue }
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

  private mutating func readUnclaimed(_ number: Int) {
    let mark = record.tokens.count
    record.field(number)
    record.open(list: true)
    let begin = record.tokens.count
    var line = Int(card.first[number])
    while line >= 0 {
      if card[link: line].role != .companion, !(omitsDuplicates && isDuplicate(line)) {
        Self.read(unclaimed: line, card, into: &record)
      }
      line = card.next(line)
    }
    record.close()
    if record.tokens.count == begin + 1 { record.truncate(to: mark) }
  }

  /// Does the line say again what another one says, or is it the label of such a line?
  private func isDuplicate(_ line: Int) -> Bool {
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
