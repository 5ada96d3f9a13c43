// Contacts from CSV text: the header row, then a contact a row.

internal import Bytes
internal import CardSyntax
internal import DataSyntax

/// Reads contacts from CSV or TSV text that arrives piece by piece.
struct CSVSource: ~Copyable {
  private var rows = CSVReader(delimiter: nil, scoring: { CSVRowReader.known(in: $0) })
  private var stream: StreamDecoder
  private let encoding: String?
  private var reader: CSVRowReader?
  private var header: [String] = []
  private var row = CSVRow()
  private var decoded = ByteBuffer(capacity: 1 << 16)
  private var findings: [Diagnostic] = []
  private var isFinished = false
  private var saidTranscoded = false

  init(encoding: String?) {
    self.encoding = encoding
    let named = encoding.flatMap { TextEncoding(named: $0) }
    stream = StreamDecoder(forced: named?.isUTF16 == true ? named : nil)
  }

  /// Is the first row of these bytes a header, most of whose cells are paths? A card's first line never is.
  static func hasHeader(_ bytes: Span<UInt8>) -> Bool {
    var source = CSVSource(encoding: nil)
    source.feed(bytes.extracting(first: 1 << 16))
    source.finish()
    while (try? source.rows.next(into: &source.row)) == true {
      if source.row.allEmpty { continue }
      let cells = (0..<source.row.cellCount).map { source.row.cell($0) }
      return CSVRowReader.known(in: cells) * 2 > cells.count
    }
    return false
  }

  mutating func feed(_ bytes: Span<UInt8>) {
    stream.decode(bytes, to: &decoded)
    pass()
  }

  mutating func finish() {
    stream.finish(to: &decoded)
    pass()
    rows.finish()
    isFinished = true
  }

  private mutating func pass() {
    decoded.withBytes { rows.feed($0) }
    decoded.removeAll()
  }

  mutating func takeFindings() -> [Diagnostic] {
    defer { findings = [] }
    return findings
  }

  /// Reads the next contact; false where more bytes are needed or none is left.
  mutating func next(into record: inout Record) -> Bool {
    while true {
      do throws(DataSyntaxError) {
        guard try rows.next(into: &row) else {
          endOfText()
          return false
        }
      } catch {
        findings.append(Diagnostic(.dataSyntax, error.message + "; the row was left out", line: error.line, leftOut: true))
        continue
      }
      if row.allEmpty, reader == nil || !isEmptyContact { continue }
      guard var reader = reader.take() else {
        readHeader()
        continue
      }
      let isContact = read(&reader, into: &record)
      self.reader = consume reader
      if isContact { return true }
    }
  }

  /// Is a row without any text one that stands for a contact without any value?
  private var isEmptyContact: Bool { row.wasQuoted(0) && !row.wasQuoted(1) }

  private mutating func endOfText() {
    guard isFinished, let line = rows.unterminatedQuoteLine else { return }
    isFinished = false
    findings.append(Diagnostic(.dataSyntax, "a quote that opens here is not closed; the cell was read up to the end", line: line))
  }

  private mutating func readHeader() {
    if let detected = stream.detected, !saidTranscoded {
      saidTranscoded = true
      findings.append(Diagnostic(.transcoded, "the input is \(detected); it was read as such", line: 1))
    }
    header = (0..<row.cellCount).map { row.cell($0) }
    let fresh = CSVRowReader(header: header, encoding: encoding)
    for (_, head) in fresh.unknownColumns {
      findings.append(
        Diagnostic(.unknownColumn, "column \"\(head.prefix(60))\" names no field; its cells were left out", line: row.line, leftOut: true))
    }
    reader = consume fresh
  }

  private mutating func read(_ reader: inout CSVRowReader, into record: inout Record) -> Bool {
    // Files that were put together repeat their header.
    if row.cellCount == header.count, header.indices.allSatisfy({ row.cell($0) == header[$0] }) { return false }
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
    let isContact = reader.read(row, into: &record) || row.allEmpty
    findings += reader.findings
    return isContact
  }
}
