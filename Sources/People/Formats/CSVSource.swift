// Contacts from CSV text of any dialect: the header row tells it, then comes a contact a row.

internal import Bytes
internal import CardSyntax
internal import DataSyntax

/// Reads contacts from CSV or TSV text that arrives piece by piece.
struct CSVSource: ~Copyable {
  /// How the rows are read: as our own, or as another program's.
  private enum Dialect { case own, long, foreign }

  private var rows = CSVReader(delimiter: ASCII.comma)
  private var stream: StreamDecoder
  private let encoding: TextEncoding?
  private let map: ColumnMap?
  private var dialect: Dialect?
  private var ownReader: Boxed<CSVRowReader>?
  private var sheetReader: SheetRowReader?
  private var longReader = CSVLongReader()
  private var header: [String] = []
  /// The first cell of the header, where it is ASCII; empty where it is not, or holds nothing.
  private var firstHead: [UInt8] = []
  private var row = CSVRow()
  private var decoded = ByteBuffer(capacity: 1 << 16)
  /// The beginning of the text until it has been looked at; nil from then on.
  private var ahead: ByteBuffer? = ByteBuffer(capacity: 1 << 16)
  private var survey: SheetSurvey?
  private var passedRows = 0
  private var findings: [Diagnostic] = []
  private var isFinished = false
  private var saidTranscoded = false
  private var saidCharset = false
  private var decoder = TextDecoder()

  init(encoding: String?, map: ColumnMap? = nil) {
    let named = encoding.flatMap { TextEncoding(named: $0) }
    self.map = map
    stream = StreamDecoder(forced: named?.isUTF16 == true ? named : nil)
    self.encoding = named?.isUTF16 == true || named?.isUTF8 == true ? nil : named
  }

  /// Is one of the first rows of these bytes a header that is known for the most part? A card's first line never is.
  static func hasHeader(_ bytes: Span<UInt8>) -> Bool {
    // By far the likeliest text, and no look at the tables is needed.
    let card = Array("begin:".utf8)
    let mark = bytes.count > 2 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    if bytes.count >= mark + card.count, card.indices.allSatisfy({ ASCII.lowercased(bytes[mark + $0]) == card[$0] }) { return false }
    var source = CSVSource(encoding: nil)
    source.feed(bytes.extracting(first: 1 << 16))
    source.finish()
    guard let survey = source.survey.take() else { return false }
    return survey.isOwn || survey.header.map { $0.knownCount * 2 > $0.headCount } ?? false
  }

  mutating func feed(_ bytes: Span<UInt8>) {
    if ahead == nil, stream.passesThrough { return rows.feed(bytes) }
    stream.decode(bytes, to: &decoded)
    pass(isLast: false)
  }

  mutating func finish() {
    stream.finish(to: &decoded)
    pass(isLast: true)
    rows.finish()
    isFinished = true
  }

  /// Keeps the beginning until it has been looked at, then hands everything on. Our own dialect is known by its first bytes.
  private mutating func pass(isLast: Bool) {
    if var kept = ahead.take() {
      let known = kept.count
      decoded.withBytes { kept.append($0) }
      decoded.removeAll()
      let isFirstLook = known < 1 << 16 && kept.count >= 1 << 16
      if isLast || kept.count >= SheetSurvey.length || isFirstLook {
        let survey = SheetSurvey(kept, encoding: encoding, map: map)
        if isLast || kept.count >= SheetSurvey.length || survey.isOwn {
          rows = CSVReader(delimiter: survey.delimiter ?? ASCII.comma)
          self.survey = consume survey
          kept.withBytes { rows.feed($0) }
          return
        }
      }
      ahead = consume kept
      return
    }
    decoded.withBytes { rows.feed($0) }
    decoded.removeAll()
  }

  mutating func takeFindings() -> [Diagnostic] {
    defer { findings = [] }
    return findings
  }

  /// Reads the next contact; false where more bytes are needed or none is left.
  mutating func next(into record: inout Record) -> Bool {
    if ahead != nil { return false }
    while true {
      do throws(DataSyntaxError) {
        guard try rows.next(into: &row) else { return endOfText(&record) }
      } catch {
        findings.append(Diagnostic(.dataSyntax, error.message + "; the row was left out", line: error.line, leftOut: true))
        continue
      }
      if row.allEmpty, ownReader == nil || !isEmptyContact { continue }
      if dialect == nil {
        passedRows += 1
        let hasNoHeader = survey?.hasNoHeader == true
        if hasNoHeader && map == nil {
          refuseHeaderless()
          continue
        }
        if !hasNoHeader {
          if passedRows > survey?.preambleRows ?? 0 { readHeader() }
          continue
        }
        readHeader()
      }
      if read(into: &record) { return true }
    }
  }

  /// Is a row without any text one that stands for a contact without any value?
  private var isEmptyContact: Bool { row.wasQuoted(0) && !row.wasQuoted(1) }

  /// What is to be told and given at the end, once.
  private mutating func endOfText(_ record: inout Record) -> Bool {
    guard isFinished else { return false }
    isFinished = false
    if let line = rows.unterminatedQuoteLine {
      findings.append(Diagnostic(.dataSyntax, "a quote that opens here is not closed; the cell was read up to the end", line: line))
    }
    if let finding = sheetReader?.closingFinding { findings.append(finding) }
    guard dialect == .long else { return false }
    let isContact = longReader.finish(into: &record)
    findings += longReader.takeFindings()
    return isContact
  }

  // MARK: The header

  private mutating func refuseHeaderless() {
    guard passedRows == 1 else { return }
    findings.append(
      Diagnostic(
        .unknownColumn,
        "the first row is no header that says what the columns hold; the file was not read (say it by number: --map '1=fullName,2=email')",
        line: row.line, severity: .error, leftOut: true))
  }

  private mutating func readHeader() {
    if let detected = stream.detected, !saidTranscoded {
      saidTranscoded = true
      findings.append(Diagnostic(.transcoded, "the input is \(detected); it was read as such", line: 1))
    }
    let page = survey?.encoding ?? .windows1252
    header = (0..<row.cellCount).map { cell(page, $0) }
    firstHead = header.first.map { Array($0.utf8) } ?? []
    if !firstHead.allSatisfy({ $0 < 0x80 }) { firstHead = [] }
    if CSVLongReader.isHeader(header) {
      dialect = .long
      return
    }
    guard let found = survey?.header else {
      let fresh = CSVRowReader(header: header, encoding: encoding?.name)
      for (_, head) in fresh.unknownColumns {
        findings.append(
          Diagnostic(.unknownColumn, "column \"\(head.prefix(60))\" names no field; its cells were left out", line: row.line, leftOut: true)
        )
      }
      dialect = .own
      ownReader = Boxed(fresh)
      return
    }
    let sheet = SheetRowReader(header: found, orders: survey?.orders ?? [:])
    tell(found, sheet.keptColumns)
    dialect = .foreign
    sheetReader = consume sheet
  }

  /// What a reader of the messages should know of a header that is not a program's, or not all of it.
  private mutating func tell(_ found: SheetHeader, _ kept: [(cell: Int, head: String, line: String)]) {
    if let rows = survey?.preambleRows, rows > 0 {
      findings.append(Diagnostic(.preamble, "\(rows) rows above the header were passed over", line: 1))
    }
    if !found.guessed.isEmpty {
      findings.append(
        Diagnostic(
          .guessedColumns,
          "no known program's columns, read as likely; if it is right or nearly so, keep it for --map: \(found.guessedMap)",
          line: row.line))
    }
    for (_, head, line) in kept {
      findings.append(
        Diagnostic(
          .keptColumn, "column \"\(head.prefix(60))\" is no known one; its cells became \(line) lines (--map says better)", line: row.line))
    }
    for column in survey?.openColumns ?? [] where column < found.heads.count {
      let order = survey?.orders[column] == .dayMonth ? "day/month" : "month/day"
      findings.append(
        Diagnostic(
          .dateOrder, "the dates of \"\(found.heads[column].prefix(60))\" do not tell their order; read as \(order)", line: row.line))
    }
  }

  // MARK: Rows

  /// The text of a cell: UTF-8, or of the code page; that is said once.
  private mutating func cell(_ page: TextEncoding, _ number: Int) -> String {
    let text: String? = row.withCell(number) { bytes in
      guard let utf8 = try? UTF8Span(validating: bytes) else { return nil }
      return String(copying: utf8)
    }
    if let text { return text }
    if !saidCharset {
      saidCharset = true
      findings.append(
        Diagnostic(
          .assumedCharset, "text is no UTF-8; it was read as \(page.name), here and below", line: row.line,
          severity: encoding == nil ? nil : .info))
    }
    var output = ByteBuffer(capacity: 256)
    row.withCell(number) { bytes in _ = decoder.decode(bytes, 0, bytes.count, as: page, to: &output) }
    return output.text()
  }

  /// Is the row the header?
  private mutating func isHeaderAgain(_ page: TextEncoding) -> Bool {
    guard row.withCell(0, { first in firstHead.isEmpty || first.count == firstHead.count && first[0] == firstHead[0] }) else {
      return false
    }
    for (number, head) in header.enumerated() {
      guard (dialect == .own ? row.cell(number) : cell(page, number)) == head else { return false }
    }
    return true
  }

  private mutating func read(into record: inout Record) -> Bool {
    let page = survey?.encoding ?? .windows1252
    // Files that were put together repeat their header.
    if survey?.hasNoHeader != true, row.cellCount == header.count, isHeaderAgain(page) { return false }
    if row.cellCount > header.count, (header.count..<row.cellCount).contains(where: { !row.isEmpty($0) }) {
      findings.append(
        Diagnostic(
          .raggedRow, "the row has \(row.cellCount) cells, the header \(header.count); what stands beyond was left out", line: row.line,
          severity: .warning, leftOut: true))
    } else if row.cellCount < header.count {
      findings.append(
        Diagnostic(
          .raggedRow, "the row has \(row.cellCount) cells, the header \(header.count); the missing ones were taken as empty", line: row.line
        ))
    }
    if let own = ownReader {
      let isContact = own.value.read(row, into: &record) || row.allEmpty
      if !own.value.findings.isEmpty { findings += own.value.findings }
      return isContact
    }
    if dialect == .long {
      let cells = (0..<row.cellCount).map { number in
        let text = cell(page, number)
        let bytes = Array(text.utf8)
        return CSVCell.needsApostrophe(bytes.span, 0, bytes.count) ? String(text.dropFirst()) : text
      }
      let isContact = longReader.take(cells, line: row.line, into: &record)
      findings += longReader.takeFindings()
      return isContact
    }
    guard var sheet = sheetReader.take() else { return false }
    let cells = (0..<min(row.cellCount, header.count)).map { cell(page, $0) }
    let isContact = sheet.read(cells, line: row.line, into: &record)
    findings += sheet.findings
    sheetReader = consume sheet
    return isContact
  }
}
