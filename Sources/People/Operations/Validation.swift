// What is wrong with a card, by the rules of its version (RFC 6350, RFC 2426, vCard 2.1).

package import CardSyntax
internal import Bytes

/// Checks cards against the rules of the version they declare, or of another.
package struct Validator: ~Copyable {
  private var card = CardView()
  private let version: CardVersion?
  private var findings: [Diagnostic] = []

  /// A validator; `version` is the version to check against, nil for each card's own.
  package init(against version: CardVersion? = nil) { self.version = version }

  /// Everything that is wrong with the card at `index`, what the parser found included, in the order of lines.
  package mutating func validate(_ batch: CardBatch, _ index: Int) -> [Diagnostic] {
    card.sort(batch, index)
    findings = Array(batch[index].diagnostics)
    let version = version ?? card.version
    for line in card.range { check(line, version) }
    checkCardinality(version)
    checkNames(version)
    return findings.enumerated().sorted { a, b in
      (a.element.line ?? 0, a.offset) < (b.element.line ?? 0, b.offset)
    }.map { $0.element }
  }

  private mutating func add(_ rule: Rule, _ message: String, at line: Int?, property: String? = nil) {
    findings.append(
      Diagnostic(
        rule, message, line: line.map { card.physicalLine($0) } ?? card.physicalLine,
        property: property ?? line.map { card.name($0).uppercased() }, contact: card.number))
  }

  private mutating func check(_ line: Int, _ version: CardVersion) {
    let entry = card.lines[line]
    if version == .v40, entry.number == FieldNames.version, line != card.range.lowerBound {
      add(.versionPlace, "VERSION must be the first line of the card", at: line)
    }
    if entry.flags.contains(.longLine), version != .v21 { add(.lineLength, "longer than 75 octets", at: line) }
    if entry.flags.contains(.bareLineBreak) { add(.lineBreak, "does not end in CRLF", at: line) }
    var found = Findings(quick: false)
    LineCheck.check(line, card, in: version, &found)
    var seen = Set<String>()
    for finding in found.list where finding.rule.id != "control-character" || seen.insert(finding.rule.id).inserted {
      if !seen.insert(finding.rule.id + finding.message).inserted { continue }
      add(finding.rule, finding.message, at: line)
    }
    let link = card[link: line]
    if card.valueRange(line).start == card.valueRange(line).end, link.role == .extra, FieldNames.target(entry.number) != nil {
      let field = FieldNames.target(entry.number).map { Person.fields[Int($0.field)].key }
      if field != Person.fields[CardWriter.fullName].key { add(.emptyValue, "no value", at: line) }
    } else if let target = FieldNames.target(entry.number), link.role == .extra, Person.fields[Int(target.field)].kind is GeoKind {
      add(.value, "no place: \(card.rawValue(line))", at: line)
    }
  }

  private mutating func checkCardinality(_ version: CardVersion) {
    for number in 1..<Person.detailsField {
      let field = Person.fields[number]
      guard field.isOne, field.cardinality(in: version).isSingle else { continue }
      let lines = card.range.filter { line in
        guard let target = FieldNames.target(card.lines[line].number), Int(target.field) == number else { return false }
        return field.names[Int(target.alias)].text.uppercased() == field.name(in: version).uppercased()
      }
      guard lines.count > 1 else { continue }
      let alternatives = Set(lines.compactMap { card.value(.altID, of: $0) })
      if version == .v40, alternatives.count == 1, lines.allSatisfy({ card.value(.altID, of: $0) != nil }) { continue }
      let isSame = Set(lines.map { card.rawValue($0) }).count == 1
      let isHarmless = isSame || field.prefersLatest || field.key == "productID"
      for line in lines.dropFirst() {
        findings.append(
          Diagnostic(
            .cardinality, "\(card.name(line).uppercased()) stands \(lines.count) times; \(version.text) allows one",
            line: card.physicalLine(line),
            property: card.name(line).uppercased(), contact: card.number, severity: isHarmless ? .info : .warning))
      }
    }
  }

  private mutating func checkNames(_ version: CardVersion) {
    if card.first[CardWriter.fullName] < 0, version != .v21 { add(.missingFullName, "no FN, or an empty one", at: nil, property: "FN") }
    guard version != .v40 else { return }
    let hasName = card.range.contains { line in
      guard let target = FieldNames.target(card.lines[line].number) else { return false }
      return Int(target.field) == CardWriter.name && target.alias == 0
    }
    if !hasName { add(.missingName, "no N", at: nil, property: "N") }
  }
}
