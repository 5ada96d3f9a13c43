// Identifiers of contacts that became part of another: whoever names them as members or relations names the other from then on.

internal import Bytes
package import CardSyntax

/// Which identifiers have another one now. References to them are exchanged in group cards (MEMBER) and relations (RELATED).
package struct MergedIdentifiers: Sendable {
  private var targets: [String: String] = [:]

  package init() {}

  private static let uid = Person.field("uid") ?? 0
  private static let members = Person.field("members") ?? 0
  private static let related = Person.field("related") ?? 0

  /// True where no identifier has changed.
  package var isEmpty: Bool { targets.isEmpty }

  /// Notes that these contacts are the merged one now.
  package mutating func add(_ records: [KeptRecord], merged: borrowing Record) {
    guard let new = Self.identifier(of: merged) else { return }
    let own = ValueIdentity.identifier(new)
    for kept in records {
      guard let old = Self.identifier(of: kept.record).map(ValueIdentity.identifier), old != own, !old.isEmpty else { continue }
      targets[old] = new
    }
  }

  private static func identifier(of record: borrowing Record) -> String? {
    record.value(ofField: uid).flatMap { record.valuePlace($0) }.map { record.string($0) }
  }

  /// What to write instead of a reference, in the form that the reference has; nil where it stays.
  private func replacement(for reference: String) -> String? {
    guard let new = targets[ValueIdentity.identifier(reference)] else { return nil }
    let bare = new.lowercased().hasPrefix("urn:uuid:") ? String(new.dropFirst(9)) : nil
    if reference.lowercased().hasPrefix("urn:uuid:") { return new.uriScheme == nil ? "urn:uuid:" + new : new }
    return bare ?? new
  }

  // MARK: In records

  /// Exchanges the references of a record; a member that would then stand twice stands once. Nil where there is nothing to exchange.
  package func updated(_ record: borrowing Record) -> KeptRecord? {
    guard !isEmpty else { return nil }
    var hasReference = false
    for number in [Self.members, Self.related] {
      guard let index = record.value(ofField: number) else { continue }
      for place in record.elements(index) {
        if let text = record.valuePlace(place), replacement(for: record.string(text)) != nil { hasReference = true }
      }
    }
    guard hasReference else { return nil }
    var result = Record()
    result.begin(source: [], version: record.version)
    var i = 0
    while i < record.tokens.count {
      let next = record.next(i)
      let number = record.tokens[i].operation == .field ? Int(record.tokens[i].start) : -1
      if number == Self.members || number == Self.related, record.tokens[i + 1].operation == .openList {
        result.field(number)
        result.open(list: true)
        var seen = Set<String>()
        for place in record.elements(i + 1) {
          append(place, of: record, isMember: number == Self.members, &seen, to: &result)
        }
        result.close()
      } else {
        result.append(range: i, next, of: record)
      }
      i = next
    }
    return KeptRecord(result)
  }

  private func append(_ place: Int, of record: borrowing Record, isMember: Bool, _ seen: inout Set<String>, to result: inout Record) {
    let text = record.valuePlace(place).map { record.string($0) } ?? ""
    let new = replacement(for: text)
    if isMember, !seen.insert(ValueIdentity.identifier(new ?? text)).inserted { return }
    guard let new else { return result.append(range: place, record.next(place), of: record) }
    guard record.tokens[place].operation == .openObject else { return result.text(.none, made: new) }
    result.open()
    for part in record.elements(place) {
      if record.tokens[part].member == .value {
        result.text(.value, made: new)
      } else {
        result.append(range: part, record.next(part), of: record)
      }
    }
    result.close()
  }

  // MARK: In cards

  /// May the card refer to another one at all?
  private static func hasReferences(_ batch: CardBatch, _ index: Int) -> Bool {
    let entry = batch.cards[index]
    for line in Int(entry.firstLine)..<Int(entry.firstLine) + Int(entry.lineCount) {
      guard let target = FieldNames.target(batch.lines[line].number) else { continue }
      if Int(target.field) == members || Int(target.field) == related { return true }
    }
    return false
  }

  /// The bytes of a card in which the lines that refer to others are written anew, all others as they stand. Nil where there is nothing
  /// to exchange.
  package func updated(_ batch: CardBatch, _ index: Int) -> [UInt8]? {
    guard !isEmpty, Self.hasReferences(batch, index) else { return nil }
    var card = CardView()
    card.sort(batch, index)
    var output = ByteBuffer()
    var hasChanged = false
    var position = Int(batch.cards[index].rawStart)
    var seen = Set<String>()
    for line in card.range {
      let field = Int(card[link: line].field)
      guard field == Self.members || field == Self.related else { continue }
      let text = card.text(line)
      let new = replacement(for: text)
      let isRepeated = field == Self.members && !seen.insert(ValueIdentity.identifier(new ?? text)).inserted
      guard new != nil || isRepeated && hasChanged else { continue }
      hasChanged = true
      output.append(batch.bytes[position..<Int(card.lines[line].rawStart)])
      position = Int(card.lines[line].rawEnd)
      if let new, !isRepeated { Self.write(line, card, value: new, to: &output) }
    }
    guard hasChanged else { return nil }
    output.append(batch.bytes[position..<Int(batch.cards[index].rawEnd)])
    return output.array()
  }

  /// Writes a line with another value, all else as written.
  private static func write(_ line: Int, _ card: borrowing CardView, value: String, to output: inout ByteBuffer) {
    let entry = card.lines[line]
    let bytes = card.bytes
    var text = ByteBuffer()
    text.append(bytes[Int(entry.groupEnd > entry.groupStart ? entry.groupStart : entry.nameStart)..<Int(entry.nameEnd)])
    for i in card.parameterRange(line) {
      let parameter = card.parameters[i]
      if parameter.known == .charset || parameter.known == .encoding { continue }
      text.append(ASCII.semicolon)
      if !parameter.isBare {
        text.append(bytes[Int(parameter.nameStart)..<Int(parameter.nameEnd)])
        text.append(ASCII.equals)
      }
      text.append(bytes[Int(parameter.valueStart)..<Int(parameter.valueEnd)])
    }
    text.append(ASCII.colon)
    for byte in value.utf8 where byte >= 32 && byte != 127 { text.append(byte) }
    let count = text.count
    text.withBytes { Folding.append($0, 0, count, width: card.version == .v21 ? nil : Folding.width, to: &output) }
  }
}
