// Our own CSV: a header of paths, one row a contact.

internal import Bytes
internal import CardSyntax
internal import DataSyntax
internal import Files

/// Writes contacts as rows. The columns are those that somebody names, or those that the contacts need, so that their rows wait for the
/// last contact.
package struct CSVFormat: ~Copyable {
  private let delimiter: UInt8
  /// Is the output meant for spreadsheets: with a byte order mark, and with an apostrophe before what they would run or spoil?
  private let isForSpreadsheets: Bool
  private var columns = CSVColumns()
  /// The named columns: a cell that no part of a value fills is looked up by its path.
  private let paths: [FieldPath]
  /// Which of the named columns have a text in this row.
  private var isFilled: [Bool]
  private var rows: LooseRows
  /// How many bytes the cells may have that are kept in `carried`: larger ones seldom come again, and would take much memory.
  private static let mostKept = 1 << 10
  /// What waits in rows of the cells that tell what values carry, by the column and the number of what they carry.
  private var carried = NumberMemo<[UInt8]>()
  /// Where the columns stand, once that is known.
  private var layout: LooseRows.Layout?
  /// Values that no column could hold.
  private(set) var leftOut = 0

  /// A writer for named columns; where none are named, for those that the contacts need.
  init(paths: [FieldPath], delimiter: UInt8, spreadsheets: Bool) {
    (self.paths, self.delimiter, isForSpreadsheets) = (paths, delimiter, spreadsheets)
    rows = LooseRows(delimiter: delimiter)
    isFilled = Array(repeating: false, count: paths.count)
    for (place, path) in paths.enumerated() {
      if let column = path.csvColumn { columns.take(column, as: place + 1) }
    }
  }

  /// Writes the header row, if the columns are known.
  mutating func begin(_ output: inout ByteBuffer) {
    guard !paths.isEmpty else { return }
    writeHeader(paths.map(\.text), to: &output)
    layout = LooseRows.Layout(places: [0] + Array(paths.indices), count: paths.count)
  }

  /// Writes the row of a contact, or lets it wait.
  mutating func write(_ record: borrowing Record, to output: inout ByteBuffer) {
    rows.beginRow()
    // A row of empty cells is no contact; an empty cell in quotes makes it one.
    if record.tokens.isEmpty { rows.addEmptyCell(CSVColumns.first) }
    record.giveCells(to: &self)
    for place in paths.indices {
      if !isFilled[place] {
        rows.beginCell(place + 1)
        CSVCell.append(texts: paths[place].values(in: record), escaped: paths[place].namesList, to: &rows.text)
        endCell()
      }
      isFilled[place] = false
    }
    rows.endRow()
    if let layout { rows.take(layout, to: &output) }
  }

  /// Ends a cell; `isPlain` where it is known that no byte of it needs quotes.
  private mutating func endCell(isPlain: Bool = false) {
    let isForSpreadsheets = isForSpreadsheets
    rows.endCell(isPlain: isPlain) { bytes, start, end in
      CSVCell.needsApostrophe(bytes, start, end) || isForSpreadsheets && CSVCell.isUnsafe(bytes, start, end)
    }
  }

  /// Puts rows into a temporary file where many of them wait.
  mutating func spill() throws(StreamError) {
    if layout == nil { try rows.spill() }
  }

  /// Says that there are no more contacts: the header row is written, if it is not yet.
  mutating func end(_ output: inout ByteBuffer) {
    guard layout == nil else { return }
    let (header, layout) = columns.settled()
    writeHeader(header.map(\.path), to: &output)
    self.layout = layout
  }

  /// Writes the next of the rows that waited; false where none are left.
  mutating func nextRows(_ output: inout ByteBuffer) throws(StreamError) -> Bool {
    guard let layout else { return false }
    return try rows.next(layout, to: &output)
  }

  private func writeHeader(_ names: [String], to output: inout ByteBuffer) {
    if isForSpreadsheets { output.append("\u{FEFF}") }
    for (number, name) in names.enumerated() {
      if number > 0 { output.append(delimiter) }
      output.appendCSVCell(name, delimiter: delimiter)
    }
    output.append("\r\n")
  }

  /// The text that a cell stands for: without an apostrophe that is there for readers alone.
  package static func shown(_ cell: String) -> String {
    let bytes = Array(cell.utf8)
    return CSVCell.needsApostrophe(bytes.span, 0, bytes.count) ? String(cell.dropFirst()) : cell
  }
}

extension CSVFormat: CSVCellTaker {
  mutating func take(_ column: CSVColumn, _ place: Int, _ form: CSVCellForm, of record: borrowing Record) {
    let number = paths.isEmpty ? columns.note(column) : columns.number(of: column)
    guard number > 0 else {
      if paths.isEmpty { leftOut += 1 }
      return
    }
    rows.beginCell(number)
    var isPlain = false
    switch form {
    case .text:
      isPlain = appendPlain(place, of: record, isOfList: false)
      if !isPlain { record.append(place, to: &rows.text) }
    case .listText:
      isPlain = appendPlain(place, of: record, isOfList: true)
      if !isPlain { CSVCell.append(listText: place, of: record, to: &rows.text) }
    case .list: CSVCell.append(list: place, of: record, to: &rows.text)
    case .parameters: CSVCell.append(parameters: place, of: record, to: &rows.text)
    case .lines: CSVCell.append(lines: place, of: record, to: &rows.text)
    case .agent: CSVCell.append(agent: place, of: record, to: &rows.text)
    }
    if !paths.isEmpty, rows.text.count > rows.cellStart { isFilled[number - 1] = true }
    endCell(isPlain: isPlain)
  }

  /// Adds a text to the cell that was begun where no byte of it needs quotes or an escape; false, and nothing added, for any other.
  private mutating func appendPlain(_ place: Int, of record: borrowing Record, isOfList: Bool) -> Bool {
    let (delimiter, divider) = (delimiter, isOfList ? ASCII.semicolon : ASCII.quote)
    return record.append(place, to: &rows.text) { block in
      let marks = block.marks(of: delimiter) | block.marks(of: divider) | block.marks(of: ASCII.quote)
      return marks | block.marks(of: ASCII.backslash) | block.marks(below: 32)
    }
  }

  mutating func take(_ column: CSVColumn, carrying number: UInt32, _ cells: (inout CSVFormat) -> Void) {
    guard paths.isEmpty, column.number <= CSVColumns.limit else { return cells(&self) }
    let key = UInt64(number) &<< 32 | UInt64(column.field) &<< 24 | UInt64(column.number)
    if let known = carried.value(of: key) { return rows.text.append(known) }
    let (start, leftOut) = (rows.text.count, leftOut)
    cells(&self)
    guard leftOut == self.leftOut, rows.text.count - start <= Self.mostKept else { return }
    carried.keep(rows.text.array(from: start), for: key)
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
