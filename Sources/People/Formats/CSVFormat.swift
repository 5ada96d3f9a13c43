// Our own CSV: a header of paths, one row a contact.

package import Bytes
internal import CardSyntax
internal import DataSyntax

/// Writes contacts as rows. The columns are those that the contacts need, collected in a first pass, or those that somebody names.
package struct CSVFormat: Sendable {
  private let delimiter: UInt8
  /// Is the output meant for spreadsheets: with a byte order mark, and with an apostrophe before what they would run or spoil?
  private let isForSpreadsheets: Bool
  private let header: [String]
  private let columns: CSVColumns
  /// The named columns: a cell that no part of a value fills is looked up by its path.
  private var paths: [FieldPath] = []
  /// Where the text of each cell of the row stands in `text`.
  private var ends: [(start: Int, end: Int)]
  /// Values that no column could hold.
  package private(set) var leftOut = 0

  /// A writer for the columns that were noted.
  package init(_ noted: CSVColumns, delimiter: UInt8, spreadsheets: Bool) {
    var columns = noted
    header = columns.settle().map(\.path)
    (self.columns, self.delimiter, isForSpreadsheets) = (columns, delimiter, spreadsheets)
    ends = Array(repeating: (0, 0), count: header.count)
  }

  /// A writer for named columns.
  package init(paths: [FieldPath], delimiter: UInt8, spreadsheets: Bool) {
    header = paths.map(\.text)
    var columns = CSVColumns()
    for (place, path) in paths.enumerated() {
      if let column = path.csvColumn, columns[column] == 0 { columns[column] = UInt32(place + 1) }
    }
    (self.columns, self.paths, self.delimiter, isForSpreadsheets) = (columns, paths, delimiter, spreadsheets)
    ends = Array(repeating: (0, 0), count: header.count)
  }

  /// Writes the header row.
  package func writeHeader(to output: inout ByteBuffer) {
    if isForSpreadsheets { output.append("\u{FEFF}") }
    for (number, path) in header.enumerated() {
      if number > 0 { output.append(delimiter) }
      output.appendCSVCell(path, delimiter: delimiter)
    }
    output.append("\r\n")
  }

  /// Writes the row of a contact.
  package mutating func writeRow(_ record: borrowing Record, to output: inout ByteBuffer) {
    guard !header.isEmpty else { return output.append("\r\n") }
    for place in ends.indices { ends[place] = (0, 0) }
    var text = ByteBuffer(capacity: 1 << 10)
    record.forEachCell { column, place, form in
      let number = Int(columns[column])
      guard number > 0 else {
        if paths.isEmpty { leftOut += 1 }
        return
      }
      let start = text.count
      switch form {
      case .text: record.append(place, to: &text)
      case .listText: CSVCell.append(listText: place, of: record, to: &text)
      case .list: CSVCell.append(list: place, of: record, to: &text)
      case .parameters: CSVCell.append(parameters: place, of: record, to: &text)
      case .lines: CSVCell.append(lines: place, of: record, to: &text)
      case .agent: CSVCell.append(agent: place, of: record, to: &text)
      }
      ends[number - 1] = (start, text.count)
    }
    for (place, path) in paths.enumerated() where ends[place].start == ends[place].end {
      let start = text.count
      CSVCell.append(texts: path.values(in: record), escaped: path.namesList, to: &text)
      ends[place] = (start, text.count)
    }
    // A row of empty cells is no contact; an empty cell in quotes makes it one.
    if record.tokens.isEmpty { output.append("\"\"") }
    text.withBytes { bytes in
      for (number, range) in ends.enumerated() {
        if number > 0 { output.append(delimiter) }
        append(bytes, range.start, range.end, to: &output)
      }
    }
    output.append("\r\n")
  }

  /// The text that a cell stands for: without an apostrophe that is there for readers alone.
  package static func shown(_ cell: String) -> String {
    let bytes = Array(cell.utf8)
    return CSVCell.needsApostrophe(bytes.span, 0, bytes.count) ? String(cell.dropFirst()) : cell
  }

  private func append(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to output: inout ByteBuffer) {
    let isProtected =
      CSVCell.needsApostrophe(bytes, start, end) || isForSpreadsheets && CSVCell.isUnsafe(bytes, start, end)
    guard isProtected else { return output.appendCSVCell(bytes, start, end, delimiter: delimiter) }
    var cell = ByteBuffer(capacity: end - start + 1)
    cell.append(ASCII.apostrophe)
    cell.append(bytes, start, end)
    cell.withBytes { output.appendCSVCell($0, 0, $0.count, delimiter: delimiter) }
  }
}

extension FieldPath {
  /// Does the path name all values of a field, not one?
  var namesList: Bool { !isSingular && place == nil && components.isEmpty && lineName == nil && !Person.fields[field].isOne }

  /// The column of our own CSV that the path names; nil for paths that choose among values.
  var csvColumn: CSVColumn? {
    guard labels.isEmpty, lineName == nil, components.count <= 2 else { return nil }
    var column = CSVColumn(field: field)
    if let member = components.first { column.member = member }
    if components.count > 1 { column.inner = components[1] }
    switch CSVColumns.layouts[field] {
    case .one, .agent, .unclaimed: return column
    case .details: return nil
    case .texts where namesList: return column
    case .texts, .many:
      guard let place, !isSingular, column.member != .none else { return nil }
      column.number = place
      return column
    }
  }
}
