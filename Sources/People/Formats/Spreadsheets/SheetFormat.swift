// Writes contacts as the spreadsheets of Google Contacts, Outlook and Thunderbird.

package import Bytes
package import CardSyntax
internal import DataSyntax

/// The programs whose spreadsheets are written.
package enum SheetTarget: Sendable {
  case google, outlook, thunderbird

  /// The program of a format; nil for formats that are no program's.
  package init?(_ format: ContactFormat) {
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

/// What the contacts of a book need of a spreadsheet, collected in a first pass.
package struct SheetNeeds: Sendable {
  /// How many columns of each numbered group.
  private(set) var groups: [String: Int] = [:]
  /// Does the code page of Western Windows hold every character?
  private(set) var fitsWindows1252 = true

  /// How many columns a group may have, so that a row with all groups stays readable.
  private static let mostValues = CSVColumns.limit / 25

  package init() {}

  /// Notes what a contact needs.
  package mutating func note(_ record: borrowing Record, for target: SheetTarget) {
    let row = target.row(Person(record))
    for (group, values) in row.groups { groups[group] = max(groups[group] ?? 0, min(values.count, Self.mostValues)) }
    guard target == .outlook, fitsWindows1252 else { return }
    var ignored = ByteBuffer(capacity: 256)
    for cell in row.cells.values where !cell.utf8.allSatisfy({ $0 < 0x80 }) {
      let bytes = Array(cell.utf8)
      if !TextEncoding.encode(bytes.span, 0, bytes.count, as: .windows1252, to: &ignored) { fitsWindows1252 = false }
      ignored.removeAll()
    }
  }
}

/// Writes rows for one program.
package struct SheetFormat: Sendable {
  private let target: SheetTarget
  private let isForSpreadsheets: Bool
  /// The columns: names of fixed ones, or group, number and part.
  private let columns: [(name: String, group: String, number: Int, part: String)]
  /// How many values of each group there are columns for.
  private let groups: [String: Int]
  /// Outlook reads the code page of the machine, or UTF-8 with a mark.
  private let encoding: TextEncoding
  /// What was left out, since the last call of `takeFindings`.
  private var findings: [Diagnostic] = []
  private var count = 0

  package init(_ target: SheetTarget, _ needs: SheetNeeds, spreadsheets: Bool) {
    (self.target, isForSpreadsheets) = (target, spreadsheets)
    var names: [String] = []
    var columns: [(name: String, group: String, number: Int, part: String)] = []
    switch target {
    case .google: names = SheetDialect.googleFixed
    case .outlook: names = SheetDialect.outlookExport.split(separator: "|").map(String.init)
    case .thunderbird: names = SheetDialect.thunderbirdExport
    }
    columns = names.map { ($0, "", 0, "") }
    if target == .google {
      for (group, parts) in SheetDialect.googleGroups {
        for number in 0..<(needs.groups[group] ?? 0) {
          for part in parts { columns.append(("\(group) \(number + 1) - \(part)", group, number, part)) }
        }
      }
    }
    self.columns = columns
    groups = needs.groups
    encoding = target == .outlook && needs.fitsWindows1252 && !spreadsheets ? .windows1252 : .utf8
  }

  /// Writes the header row.
  package mutating func writeHeader(to output: inout ByteBuffer) {
    if isForSpreadsheets || target == .outlook && encoding == .utf8 { output.append("\u{FEFF}") }
    if target == .outlook, encoding == .utf8, !isForSpreadsheets {
      findings.append(Diagnostic(.sheetEncoding, "some characters are none of Windows-1252; the file is UTF-8 with a byte order mark"))
    }
    for (number, column) in columns.enumerated() {
      if number > 0 { output.append(ASCII.comma) }
      output.appendCSVCell(column.name, delimiter: ASCII.comma)
    }
    output.append("\r\n")
  }

  /// Writes the row of a contact.
  package mutating func writeRow(_ record: borrowing Record, to output: inout ByteBuffer) {
    let row = target.row(Person(record))
    for (number, column) in columns.enumerated() {
      if number > 0 { output.append(ASCII.comma) }
      let values = column.group.isEmpty ? [] : row.groups[column.group] ?? []
      let text = column.group.isEmpty ? row.cells[column.name] : column.number < values.count ? values[column.number][column.part] : nil
      guard let text, !text.isEmpty else { continue }
      write(SheetCell.written(text, forSpreadsheets: isForSpreadsheets), to: &output)
    }
    output.append("\r\n")
    if !row.leftOut.isEmpty {
      findings.append(
        Diagnostic(.noColumn, "no column for \(row.leftOut.joined(separator: ", ")); left out", contact: count, leftOut: row.misses))
    }
    let more = row.groups.reduce(0) { $0 + max(0, $1.value.count - (groups[$1.key] ?? 0)) }
    if more > 0 {
      findings.append(
        Diagnostic(.columnLimit, "\(more) values were left out: a row has \(CSVColumns.limit) cells at most", contact: count, leftOut: true)
      )
    }
    count += 1
  }

  private func write(_ text: String, to output: inout ByteBuffer) {
    // Outlook has whole line ends in its cells.
    let text = target == .outlook ? text.replacing("\n", with: "\r\n") : text
    guard encoding != .utf8, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return output.appendCSVCell(text, delimiter: ASCII.comma) }
    let bytes = Array(text.utf8)
    var encoded = ByteBuffer(capacity: bytes.count)
    _ = TextEncoding.encode(bytes.span, 0, bytes.count, as: encoding, to: &encoded)
    encoded.withBytes { output.appendCSVCell($0, 0, $0.count, delimiter: ASCII.comma) }
  }

  /// The findings since the last call.
  package mutating func takeFindings() -> [Diagnostic] {
    defer { findings = [] }
    return findings
  }
}
