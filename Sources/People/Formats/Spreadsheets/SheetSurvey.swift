// A look at the first megabytes of a spreadsheet before its first contact is read: the header's row, the code page, the order of dates.

internal import Bytes
internal import CardSyntax
internal import DataSyntax

/// What the beginning of a CSV text tells about the whole.
struct SheetSurvey: ~Copyable {
  /// How many bytes are looked at: memory is bounded, and evidence beyond is not needed.
  static let length = 4 << 20
  /// How many rows may stand above the header.
  private static let longestPreamble = 12

  /// The header is one of paths: the text is of our own dialect.
  private(set) var isOwn = false
  /// How many rows that are not empty stand before the header.
  private(set) var preambleRows = 0
  /// The header of a foreign dialect; nil where the text has no row.
  private(set) var header: SheetHeader?
  /// What cells are in that are no UTF-8.
  private(set) var encoding: TextEncoding = .windows1252
  /// The order of day and month, by column.
  private(set) var orders: [Int: SheetDate.Order] = [:]
  /// The columns whose dates could be read either way, and were by what is usual.
  private(set) var openColumns: [Int] = []
  /// The byte between cells.
  private(set) var delimiter: UInt8?
  /// The file has no header row: all rows are contacts.
  private(set) var hasNoHeader = false

  /// Looks at a text. `encoding` is what somebody knows, `map` what somebody mapped.
  init(_ text: borrowing ByteBuffer, encoding named: TextEncoding?, map: ColumnMap?) {
    var rows = CSVReader(delimiter: nil, scoring: { Self.score($0) })
    text.withBytes { rows.feed($0) }
    rows.finish()
    var head: [(cells: [[UInt8]], number: Int)] = []
    var row = CSVRow()
    var number = 0
    while head.count < Self.longestPreamble, Self.next(&rows, &row) {
      if row.allEmpty { continue }
      head.append((Self.bytes(row), number))
      number += 1
    }
    delimiter = rows.delimiter
    guard let first = head.first else { return }
    if let named { encoding = named }
    if map?.hasNumbersAlone == true {
      hasNoHeader = true
      var made = SheetHeader(unknown: (0..<first.cells.count).map { "column \($0 + 1)" })
      if let map { made.apply(map) }
      header = made
    } else {
      chooseHeader(head, isNamed: named != nil, map)
    }
    guard let header else { return }
    survey(text, header, isNamed: named != nil)
  }

  private static func next(_ rows: inout CSVReader, _ row: inout CSVRow) -> Bool {
    while true {
      do throws(DataSyntaxError) { return try rows.next(into: &row) } catch { continue }
    }
  }

  private static func bytes(_ row: borrowing CSVRow) -> [[UInt8]] {
    (0..<row.cellCount).map { cell in
      row.withCell(cell) { span in
        var bytes: [UInt8] = []
        bytes.append(contentsOf: span, 0, span.count)
        return bytes
      }
    }
  }

  // MARK: The header

  /// How well cells look like a header.
  static func score(_ cells: [String]) -> Int {
    let own = CSVRowReader.known(in: cells)
    return own == cells.count || cells.count == 1 && own == 0 ? own : max(own, SheetHeader(cells).knownCount)
  }

  /// Are the cells a header of our own: paths, and not just words that happen to be paths as well?
  static func isOwn(_ cells: [String]) -> Bool {
    let heads = cells.map(SheetHeader.trimmed).filter { !$0.isEmpty }
    if CSVLongReader.isHeader(heads) { return true }
    let known = CSVRowReader.known(in: heads)
    guard known * 2 > heads.count else { return false }
    if CSVRowReader(header: heads).unknownColumns.isEmpty { return true }
    return heads.contains { FieldPath($0) != nil && ($0.contains(".") || $0.dropFirst().contains(where: \.isUppercase)) }
  }

  private mutating func chooseHeader(_ rows: [(cells: [[UInt8]], number: Int)], isNamed: Bool, _ map: ColumnMap?) {
    for (cells, number) in rows {
      let plain = cells.map { String(decoding: $0, as: UTF8.self) }
      if number == 0, map == nil, Self.isOwn(plain) {
        isOwn = true
        return
      }
      var header = understood(cells, isNamed: isNamed)
      if let map { header.apply(map) }
      let isKnown = header.knownCount * 2 > header.headCount && (number == 0 || header.knownCount > 2 && header.dialect != nil)
      if number == 0 || isKnown {
        self.header = header
        preambleRows = number
      }
      // A row of one cell, such as `Notes:`, may stand above a table rather than head it.
      if isKnown, number > 0 || header.headCount > 1 { return }
    }
    guard preambleRows == 0, map == nil, let header, header.knownCount * 2 <= header.headCount else { return }
    // A header has no addresses and numbers, and some name that says something.
    hasNoHeader =
      header.knownCount == 0 || header.heads.contains { $0.contains("@") || $0.count { $0.isNumber } > 4 }
      || header.heads.allSatisfy { Int($0) != nil }
  }

  /// The header in the encoding in which most of its names are known.
  private mutating func understood(_ cells: [[UInt8]], isNamed: Bool) -> SheetHeader {
    func decoded(_ encoding: TextEncoding) -> [String] {
      var decoder = TextDecoder()
      return cells.map { Self.text($0, encoding, &decoder) }
    }
    guard !isNamed, !cells.allSatisfy({ UTF8Check.isValid($0.span, 0, $0.count) }) else { return SheetHeader(decoded(encoding)) }
    var best = SheetHeader(decoded(encoding))
    for name in CodePageEvidence.candidates {
      guard let candidate = TextEncoding(named: name), candidate != encoding else { continue }
      let header = SheetHeader(decoded(candidate))
      let (known, knownBest) = (header.knownCount - header.guessed.count, best.knownCount - best.guessed.count)
      if known > knownBest {
        best = header
        encoding = candidate
      }
    }
    return best
  }

  /// A cell as text: UTF-8 if it is that, else by the encoding.
  static func text(_ bytes: [UInt8], _ encoding: TextEncoding, _ decoder: inout TextDecoder) -> String {
    if UTF8Check.isValid(bytes.span, 0, bytes.count) { return String(decoding: bytes, as: UTF8.self) }
    var output = ByteBuffer(capacity: bytes.count * 2)
    _ = decoder.decode(bytes.span, 0, bytes.count, as: encoding, to: &output)
    return output.text()
  }

  // MARK: The rows

  private mutating func survey(_ text: borrowing ByteBuffer, _ header: SheetHeader, isNamed: Bool) {
    let dateColumns = SheetPlan(header).dateColumns
    var evidence: [Int: SheetDate.Evidence] = [:]
    var pages = CodePageEvidence()
    var rows = CSVReader(delimiter: delimiter)
    text.withBytes { rows.feed($0) }
    rows.finish()
    var row = CSVRow()
    var number = 0
    while Self.next(&rows, &row) {
      if row.allEmpty { continue }
      number += 1
      if !hasNoHeader, number <= preambleRows + 1 { continue }
      for column in dateColumns where !row.isEmpty(column) {
        evidence[column, default: SheetDate.Evidence()].note(SheetCell.text(row.cell(column)))
      }
      for cell in 0..<row.cellCount { row.withCell(cell) { pages.note($0) } }
    }
    if !isNamed, encoding == .windows1252, let page = pages.encoding { encoding = page }
    decideOrders(dateColumns, evidence, header)
  }

  /// Each column by its own dates, else by those of the others, else by what is usual where the file comes from.
  private mutating func decideOrders(_ columns: [Int], _ evidence: [Int: SheetDate.Evidence], _ header: SheetHeader) {
    let told = Set(columns.compactMap { evidence[$0]?.order })
    let common = told.count == 1 ? told.first : nil
    let isEnglish = header.language.isEmpty && header.heads.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
    let usual = header.dialect?.dates ?? (isEnglish && delimiter != ASCII.semicolon || header.language == "ja" ? .monthDay : .dayMonth)
    let isSure = header.dialect?.dates != nil || !header.language.isEmpty
    for column in columns {
      let own = evidence[column]
      orders[column] = own?.order ?? common ?? usual
      if own?.order == nil, common == nil, !isSure, (own?.open ?? 0) > 0 { openColumns.append(column) }
    }
  }
}
