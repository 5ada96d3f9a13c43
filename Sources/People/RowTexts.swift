// The cells of a row, as bytes: what paths name in one contact after the other.

internal import Bytes

/// The texts of a row, column by column, all in one buffer that is used again for every row. Several texts of a column are one cell, with
/// `; ` between them, and can also be asked for one by one.
package struct RowTexts: ~Copyable {
  private var text = ByteBuffer(capacity: 256)
  /// Where each text ends.
  private var ends = Tape<Int>()
  /// How many texts the columns up to each have together.
  private var columns = Tape<Int>()

  package init() {}

  /// Forgets all columns.
  package mutating func removeAll() {
    text.removeAll()
    ends.removeAll()
    columns.removeAll()
  }

  /// How many columns there are.
  package var count: Int { columns.count }

  /// Adds a column of what the path names in a record.
  package mutating func add(_ path: FieldPath, in record: borrowing Record) {
    path.forEachValue(in: record) { value in
      begin()
      switch value {
      case .token(let place): record.append(place, to: &text)
      case .made(let string): text.append(text: string)
      }
      ends.append(text.count)
    }
    columns.append(ends.count)
  }

  /// Adds a column of texts.
  package mutating func add(_ texts: [String]) {
    for string in texts {
      begin()
      text.append(text: string)
      ends.append(text.count)
    }
    columns.append(ends.count)
  }

  /// Divides a text from the one before it in its column.
  private mutating func begin() { if ends.count > first(columns.count) { text.append("; ") } }

  /// The first text of a column.
  private func first(_ column: Int) -> Int { column == 0 ? 0 : columns[column - 1] }

  /// How many texts a column has.
  package func textCount(_ column: Int) -> Int { columns[column] - first(column) }

  /// Lends a cell; with `number` (from 0) that text of it, of a column with one text always this one, nothing where there is none.
  package func withCell(_ column: Int, _ number: Int? = nil, _ body: (Span<UInt8>, _ start: Int, _ end: Int) -> Void) {
    let (first, after) = (first(column), columns[column])
    var (from, to) = (first, after)
    if let number, after - first != 1 { (from, to) = (min(first + number, after), min(first + number + 1, after)) }
    let start = from == 0 ? 0 : ends[from - 1] + (from > first ? 2 : 0)
    let end = to > from ? ends[to - 1] : start
    text.withBytes { body($0, start, end) }
  }
}
