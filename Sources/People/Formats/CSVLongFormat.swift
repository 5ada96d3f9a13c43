// CSV with one row a value, which is easily joined with other tables, both ways: `contact,field,number,component,labels,preference,value`.

package import Bytes
internal import CardSyntax
internal import DataSyntax

/// Writes contacts as rows of values.
package struct CSVLongFormat: Sendable {
  /// The names of the columns.
  static let header = ["contact", "field", "number", "component", "labels", "preference", "value"]

  private let isForSpreadsheets: Bool
  private var contact = 0

  package init(spreadsheets: Bool) { isForSpreadsheets = spreadsheets }

  /// Writes the header row.
  package func writeHeader(to output: inout ByteBuffer) {
    if isForSpreadsheets { output.append("\u{FEFF}") }
    output.append(text: Self.header.joined(separator: ",") + "\r\n")
  }

  /// Writes the rows of a contact.
  package mutating func writeRows(_ record: borrowing Record, to output: inout ByteBuffer) {
    var walk = Walk()
    for (column, place, form) in record.cells where column.member != .labels && column.member != .preference {
      let field = Person.fields[column.field]
      switch form {
      case .list where column.member == .none:
        // The texts of a list are values of their own.
        for (number, element) in record.elements(place).enumerated() {
          var cell = ByteBuffer(capacity: 64)
          if let text = record.valuePlace(element) { record.append(text, to: &cell) }
          write(field.key, number + 1, "", [], nil, cell, to: &output)
        }
      case .lines:
        for (number, element) in record.elements(place).enumerated() {
          guard let line = UnclaimedText(record, at: element) else { continue }
          var cell = ByteBuffer(capacity: 64)
          cell.append(text: line.value)
          write(field.key, number + 1, line.name, [], nil, cell, to: &output)
        }
      default:
        var cell = ByteBuffer(capacity: 64)
        switch form {
        case .text, .lines: record.append(place, to: &cell)
        case .listText: CSVCell.append(listText: place, of: record, to: &cell)
        case .list: CSVCell.append(list: place, of: record, to: &cell)
        case .parameters: CSVCell.append(parameters: place, of: record, to: &cell)
        case .agent: CSVCell.append(agent: place, of: record, to: &cell)
        }
        var component = column.member == .value ? "" : column.member.key
        if column.inner != .none { component += "." + column.inner.key }
        let annotations = walk.annotations(of: column, in: record)
        write(field.key, column.number, component, annotations.labels, annotations.preference, cell, to: &output)
      }
    }
    contact += 1
  }

  /// The value that a column belongs to, found from the one before: columns come in order.
  private struct Walk {
    var field = -1, number = 0, place = 0

    mutating func annotations(of column: CSVColumn, in record: borrowing Record) -> Annotations {
      guard column.number > 0, let index = field == column.field ? place : record.value(ofField: column.field) else { return Annotations() }
      if field != column.field {
        guard record.tokens[index].operation == .openList else { return Annotations() }
        (field, number, place) = (column.field, 1, index + 1)
      }
      while number < column.number { (number, place) = (number + 1, record.next(place)) }
      return record.tokens[place].operation == .close ? Annotations() : Annotations(record, at: place)
    }
  }

  private func write(
    _ field: String, _ number: Int, _ component: String, _ labels: [String], _ preference: Int?, _ cell: borrowing ByteBuffer,
    to output: inout ByteBuffer
  ) {
    output.append(decimal: contact)
    var list = ByteBuffer(capacity: 32)
    CSVCell.append(texts: labels, escaped: true, to: &list)
    for text in [field, number > 0 ? String(number) : "", component, list.text(), preference.map(String.init) ?? ""] {
      output.append(ASCII.comma)
      output.appendCSVCell(SheetCell.written(text, forSpreadsheets: false), delimiter: ASCII.comma)
    }
    output.append(ASCII.comma)
    cell.withBytes { bytes in
      let isProtected =
        CSVCell.needsApostrophe(bytes, 0, bytes.count) || isForSpreadsheets && CSVCell.isUnsafe(bytes, 0, bytes.count)
      guard isProtected else { return output.appendCSVCell(bytes, 0, bytes.count, delimiter: ASCII.comma) }
      var safe = ByteBuffer(capacity: bytes.count + 1)
      safe.append(ASCII.apostrophe)
      safe.append(bytes)
      safe.withBytes { output.appendCSVCell($0, 0, $0.count, delimiter: ASCII.comma) }
    }
    output.append("\r\n")
  }
}

/// Puts rows of values together to contacts.
struct CSVLongReader: ~Copyable {
  /// The contact's number in the table.
  private var contact: String?
  /// What the contact's rows say, as cells of our own dialect.
  private var paths: [String] = []
  private var cells: [String] = []
  private var known = Set<String>()
  /// The contact has as many cells as a row may have.
  private var isFull = false
  private var findings: [Diagnostic] = []

  /// Is a row the header of such a table?
  static func isHeader(_ cells: [String]) -> Bool { cells.map(SheetHeader.trimmed) == CSVLongFormat.header }

  mutating func takeFindings() -> [Diagnostic] {
    defer { findings = [] }
    return findings
  }

  /// Takes a row; true where it begins another contact, so that the one before is in `record`.
  mutating func take(_ row: [String], line: Int, into record: inout Record) -> Bool {
    guard row.count >= 7 else {
      findings.append(Diagnostic(.raggedRow, "the row has no value; left out", line: line, severity: .warning, leftOut: true))
      return false
    }
    var isContact = false
    if row[0] != contact {
      isContact = finish(into: &record)
      contact = row[0]
    }
    add(row, line)
    return isContact
  }

  /// The last contact; false where there is none.
  mutating func finish(into record: inout Record) -> Bool {
    guard !cells.isEmpty else { return false }
    var person = Person()
    SheetRepair.take(zip(paths, cells).map { ($0, $1) }, into: &person)
    (paths, cells, known, isFull) = ([], [], [], false)
    record = Record(person)
    return !record.tokens.isEmpty
  }

  private mutating func add(_ row: [String], _ line: Int) {
    guard let number = Person.field(row[1]) else {
      findings.append(Diagnostic(.unknownColumn, "\"\(row[1].prefix(60))\" is no field; left out", line: line, leftOut: true))
      return
    }
    let field = Person.fields[number]
    var path = row[1]
    if case .unclaimed = field.layout {
      path += "." + row[3]
    } else {
      if !field.isOne { path += "." + (row[2].isEmpty ? "1" : row[2]) }
      let base = path
      path += row[3].isEmpty ? field.isOne ? "" : ".value" : "." + row[3]
      for (part, text) in [("labels", row[4]), ("preference", row[5])]
      where !text.isEmpty && !field.isOne && known.insert(base + "." + part).inserted {
        paths.append(base + "." + part)
        cells.append(text)
      }
    }
    guard cells.count < CSVColumns.limit else {
      if !isFull {
        findings.append(
          Diagnostic(
            .columnLimit, "the contact has more than \(CSVColumns.limit) values; the others were left out", line: line, leftOut: true))
      }
      isFull = true
      return
    }
    paths.append(path)
    cells.append(row[6])
  }
}
