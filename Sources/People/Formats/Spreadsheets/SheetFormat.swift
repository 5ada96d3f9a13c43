// Writes contacts as the spreadsheets of Google Contacts, Outlook and Thunderbird.

internal import Bytes
internal import CardSyntax
internal import DataSyntax
internal import Files

/// The programs whose spreadsheets are written.
enum SheetTarget: Sendable {
  case google, outlook, thunderbird

  /// The program of a format; nil for formats that are no program's.
  init?(_ format: ContactFormat) {
    switch format {
    case .googleCSV: self = .google
    case .outlookCSV: self = .outlook
    case .thunderbirdCSV: self = .thunderbird
    default: return nil
    }
  }

  /// The row of a person.
  func row(_ person: Person) -> SheetRow {
    switch self {
    case .google: return SheetDialect.googleRow(person)
    case .outlook: return SheetDialect.outlookRow(person)
    case .thunderbird:
      var row = SheetDialect.thunderbirdRow(person)
      SheetDialect.putNotes(&row, "Notes")
      return row
    }
  }
}

/// Writes rows for one program. Google's have as many numbered columns as the contacts need, and Outlook's are in a code page if that has
/// all their characters: these rows wait for the last contact.
struct SheetFormat: ~Copyable {
  private let target: SheetTarget
  private let isForSpreadsheets: Bool
  /// The columns that every table for the program has, then the numbered groups of columns.
  private let names: [String]
  private let groups: [(name: String, parts: [String])]
  /// How many values of each group there are columns for.
  private var counts: [Int]
  /// The columns of groups by their numbers, which go on behind those of the names.
  private var noted: [GroupColumn] = []
  private var numbers: [GroupColumn: Int] = [:]
  private var rows = LooseRows(delimiter: ASCII.comma)
  /// Where the columns stand, once that is known.
  private var layout: LooseRows.Layout?
  /// Outlook reads the code page of the machine, or UTF-8 with a mark.
  private var encoding: TextEncoding
  /// What was left out, since the last call of `takeFindings`.
  private var findings: [Diagnostic] = []
  private var count = 0

  /// The place of a group and of the part in it, and the number of the value.
  private struct GroupColumn: Hashable {
    let group: Int, number: Int, part: Int
  }

  /// How many columns a group may have, so that a row with all groups stays readable.
  private static let mostValues = CSVColumns.limit / 25

  init(_ target: SheetTarget, spreadsheets: Bool) {
    (self.target, isForSpreadsheets) = (target, spreadsheets)
    switch target {
    case .google: names = SheetDialect.googleFixed
    case .outlook: names = SheetDialect.outlookExport.split(separator: "|").map(String.init)
    case .thunderbird: names = SheetDialect.thunderbirdExport
    }
    groups = target == .google ? SheetDialect.googleGroups : []
    counts = Array(repeating: 0, count: groups.count)
    encoding = target == .outlook && !spreadsheets ? .windows1252 : .utf8
  }

  /// Writes the header row, if all columns are known.
  mutating func begin(_ output: inout ByteBuffer) {
    if target == .thunderbird { end(&output) }
  }

  /// Writes the row of a contact, or lets it wait.
  mutating func write(_ record: borrowing Record, to output: inout ByteBuffer) {
    let row = target.row(Person(record))
    rows.beginRow()
    for (place, name) in names.enumerated() { add(row.cells[name], place + 1) }
    for (group, (name, parts)) in groups.enumerated() {
      let values = (row.groups[name] ?? []).prefix(Self.mostValues)
      counts[group] = max(counts[group], values.count)
      for (number, value) in values.enumerated() {
        for (part, name) in parts.enumerated() { add(value[name], GroupColumn(group: group, number: number, part: part)) }
      }
    }
    rows.endRow()
    if !row.leftOut.isEmpty {
      findings.append(
        Diagnostic(.noColumn, "no column for \(row.leftOut.joined(separator: ", ")); left out", contact: count, leftOut: row.misses))
    }
    let more = row.groups.values.reduce(0) { $0 + max(0, $1.count - (groups.isEmpty ? 0 : Self.mostValues)) }
    if more > 0 {
      findings.append(
        Diagnostic(.columnLimit, "\(more) values were left out: a row has \(CSVColumns.limit) cells at most", contact: count, leftOut: true)
      )
    }
    count += 1
    if let layout { rows.take(layout, to: &output) }
  }

  private mutating func add(_ text: String?, _ column: GroupColumn) {
    guard let text, !text.isEmpty else { return }
    if numbers[column] == nil {
      noted.append(column)
      numbers[column] = names.count + noted.count
    }
    add(text, numbers[column] ?? 0)
  }

  private mutating func add(_ text: String?, _ number: Int) {
    guard let text, !text.isEmpty else { return }
    rows.beginCell(number)
    let cell = SheetCell.written(text, forSpreadsheets: isForSpreadsheets)
    // Outlook has whole line ends in its cells.
    rows.text.append(text: target == .outlook ? cell.replacing("\n", with: "\r\n") : cell)
    if encoding != .utf8 { checkEncoding() }
    rows.endCell()
  }

  /// Does the code page have all characters of the cell? All cells are UTF-8 else.
  private mutating func checkEncoding() {
    let (start, encoding) = (rows.cellStart, encoding)
    let fits = rows.text.withBytes { bytes in
      if ByteSearch.firstHighBit(in: bytes, from: start, to: bytes.count) == bytes.count { return true }
      var ignored = ByteBuffer(capacity: bytes.count - start)
      return TextEncoding.encode(bytes, start, bytes.count, as: encoding, to: &ignored)
    }
    if !fits { self.encoding = .utf8 }
  }

  /// Puts rows into a temporary file where many of them wait.
  mutating func spill() throws(StreamError) {
    if layout == nil { try rows.spill() }
  }

  /// Says that there are no more contacts: the header row is written, if it is not yet.
  mutating func end(_ output: inout ByteBuffer) {
    guard layout == nil else { return }
    if isForSpreadsheets || target == .outlook && encoding == .utf8 { output.append("\u{FEFF}") }
    if target == .outlook, encoding == .utf8, !isForSpreadsheets {
      findings.append(Diagnostic(.sheetEncoding, "some characters are none of Windows-1252; the file is UTF-8 with a byte order mark"))
    }
    var header = names
    var places = [0] + Array(names.indices)
    var starts: [Int] = []
    for (group, (name, parts)) in groups.enumerated() {
      starts.append(header.count)
      for number in 0..<counts[group] { header += parts.map { "\(name) \(number + 1) - \($0)" } }
    }
    for column in noted { places.append(starts[column.group] + column.number * groups[column.group].parts.count + column.part) }
    for (number, name) in header.enumerated() {
      if number > 0 { output.append(ASCII.comma) }
      output.appendCSVCell(name, delimiter: ASCII.comma)
    }
    output.append("\r\n")
    layout = LooseRows.Layout(places: places, count: header.count)
  }

  /// Writes the next of the rows that waited; false where none are left.
  mutating func nextRows(_ output: inout ByteBuffer) throws(StreamError) -> Bool {
    guard let layout else { return false }
    guard encoding != .utf8 else { return try rows.next(layout, to: &output) }
    var plain = ByteBuffer()
    let hasMore = try rows.next(layout, to: &plain)
    plain.withBytes { _ = TextEncoding.encode($0, 0, $0.count, as: encoding, to: &output) }
    return hasMore
  }

  /// The findings since the last call.
  mutating func takeFindings() -> [Diagnostic] {
    defer { findings = [] }
    return findings
  }
}
