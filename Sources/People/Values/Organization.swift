// Organizations: name and units (RFC 6350 6.6.4).

package import CardSyntax
package import Bytes

/// An organization that a person belongs to.
public struct Organization: Sendable, Hashable {
  /// The organization's name.
  public var name: String
  /// Its units, from the larger to the smaller.
  public var units: [String]
  /// What to sort by.
  public var sortAs: String

  /// An organization.
  public init(_ name: String, units: [String] = [], sortAs: String = "") {
    (self.name, self.units, self.sortAs) = (name, units, sortAs)
  }
}

package struct OrganizationKind: ValueKind {
  package var textMember: Member? { .name }
  package init() {}

  package var parameters: ParameterSet { ParameterSet(.sortAs, .xSortAs, .xParts) }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    let (start, end) = card.valueRange(line)
    var last = -1
    card.split(start, end, at: ASCII.semicolon) { number, from, to in if to > from { last = number } }
    let exact = PartsText(line, card)
    func add(_ member: Member, _ number: Int, _ from: Int, _ to: Int) {
      if let text = exact?.texts(number, (from, to), card)?.first { return record.text(member, made: text) }
      record.text(member, from, to)
    }
    card.split(start, end, at: ASCII.semicolon) { number, from, to in
      if number == 0 {
        if to > from { add(.name, number, from, to) }
        if last > 0 { record.open(.units, list: true) }
      } else if number <= last {
        add(.none, number, from, to)
      }
    }
    if last > 0 { record.close() }
    if card.parameterRange(line).isEmpty { return }
    record.texts(.sortAs, card.values(.sortAs, of: line) + card.values(.xSortAs, of: line))
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    let sortAs = record.texts(.sortAs, of: index)
    if !sortAs.isEmpty { line.parameter((line.version == .v40 ? KnownParameter.sortAs : .xSortAs).name, sortAs) }
    let units = record.part(.units, of: index).map { record.elements($0).map { [record.string($0)] } } ?? []
    line.exactParts([[record.string(.name, of: index) ?? ""]] + units)
    line.beginValue()
    if let name = record.part(.name, of: index) { line.text(name, of: record, .component) }
    guard let units = record.part(.units, of: index) else { return }
    for unit in record.elements(units) {
      line.separator(ASCII.semicolon)
      line.text(unit, of: record, .component)
    }
  }

  package func writePlain(_ index: Int, of record: borrowing Record, in version: CardVersion, to line: inout ByteBuffer) -> Bool {
    guard record.tokens[index].operation == .openObject, record.part(.sortAs, of: index) == nil else { return false }
    line.append(ASCII.colon)
    let shape = LineWriter.Place.component.plainShape(in: version)
    if let name = record.part(.name, of: index), !record.appendPlain(name, escaping: shape, to: &line) { return false }
    guard let units = record.part(.units, of: index) else { return true }
    let end = record.isOpening(units) ? Int(record.tokens[units].start) : units + 1
    var unit = record.isOpening(units) ? units + 1 : units
    while unit < end {
      line.append(ASCII.semicolon)
      if !record.appendPlain(unit, escaping: shape, to: &line) { return false }
      unit = record.next(unit)
    }
    return true
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let (start, end) = card.valueRange(line)
    if version != .v40, card.parameter(.sortAs, of: line) != nil { findings.add(.parameter, "SORT-AS is a parameter of 4.0") }
    if version == .v40, card.parameter(.xSortAs, of: line) != nil { findings.add(.parameter, "X-SORT-AS is SORT-AS in 4.0") }
    PartsText.check(line, card, in: version, &findings)
    if !findings.isValidating, version == .v40, end > start, card.bytes[end - 1] == ASCII.semicolon {
      findings.add(.components, "an empty unit at the end")
    }
    TextKind.check(card.bytes.span, start, end, from: card.version, to: version, separators: version == .v21 ? [] : .comma, &findings)
  }

  package func plainValues(_ line: Int, _ card: borrowing CardView, in version: CardVersion, isValidating: Bool) -> PlainValues {
    card.parameterSet(line).hasAny(of: parameters) ? .none : .units(in: version, from: card.version)
  }

  package func isEmpty(_ line: Int, _ card: borrowing CardView) -> Bool { card.isBlank(line, commas: false) }

  package func readable(_ index: Int, of record: borrowing Record) -> String {
    guard let organization = take(index, of: record) else { return "" }
    return ([organization.name] + organization.units).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  package func take(_ index: Int, of record: borrowing Record) -> Organization? {
    guard record.tokens[index].operation == .openObject else { return nil }
    let units = record.part(.units, of: index).map { record.elements($0).map { record.string($0) } } ?? []
    return Organization(
      record.string(.name, of: index) ?? "", units: units, sortAs: record.texts(.sortAs, of: index).joined(separator: ","))
  }

  package func send(_ value: Organization, to record: inout Record) {
    if !value.name.isEmpty { record.text(.name, made: value.name) }
    if !value.units.isEmpty {
      record.open(.units, list: true)
      for unit in value.units { record.text(.none, made: unit) }
      record.close()
    }
    if !value.sortAs.isEmpty { record.text(.sortAs, made: value.sortAs) }
  }
}

extension ValueKind where Self == OrganizationKind {
  package static var organization: Self { Self() }
}
