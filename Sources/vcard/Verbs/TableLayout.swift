// Contacts as a table for the screen: the rows of our own CSV, laid out in columns.
import Bytes
import DataSyntax
import Files
import People

/// Takes rows as the CSV format writes them, a header first, and prints them as a table.
struct TableLayout: ~Copyable {
  private var reader = CSVReader(delimiter: ASCII.comma)
  private var row = CSVRow()
  private var printer: RowPrinter?

  /// Takes the rows out of a buffer and writes what is laid out; with `isLast` nothing follows.
  mutating func write(_ rows: inout ByteBuffer, isLast: Bool, to output: inout OutputStream) throws {
    rows.withBytes { reader.feed($0) }
    rows.removeAll()
    if isLast { reader.finish() }
    while try reader.next(into: &row) {
      let cells = (0..<row.cellCount).map { CSVFormat.shown(row.cell($0)) }
      if printer == nil { printer = RowPrinter(names: cells, format: .table, header: true) } else { printer?.add(cells) }
    }
    guard var printing = printer.take() else { return }
    if isLast { printing.finish() }
    try output.write(&printing.output)
    printer = consume printing
  }
}
