// Contacts of any format that is read, one after the other, from bytes that arrive piece by piece.

internal import Bytes
package import CardSyntax
internal import DataSyntax

/// A contact that was read: a card as it stands, or a record.
package enum Contact {
  case card(CardBatch, Int)
  /// The record is the source's `record`.
  case record
}

/// Reads contacts. One is in memory at a time; damage becomes findings.
package struct ContactSource: ~Copyable {
  /// The contact read last, unless it is a card.
  package private(set) var record = Record()
  /// What was wrong, since the last call of `takeFindings`.
  private var findings: [Diagnostic] = []
  private let cards: Boxed<CardParser>
  private var batch: CardBatch?
  private var position = 0
  /// How many findings of the batch were taken.
  private var told = 0
  private let splitter = Boxed(JSONValueSplitter(splitsArrays: .always))
  private let stream: Boxed<StreamDecoder>
  private let decoded = Boxed(ByteBuffer())
  private let json = Boxed(JSONRecordReader())
  private let table: Boxed<CSVSource>
  /// There where the format is one of its own.
  private let siblings: Boxed<SiblingReader>?
  private let entries: Boxed<LDIFSource>
  /// The format that is read.
  package let format: ContactFormat
  private var count = 0
  private let keepsTextBetween: Bool
  private var between: [UInt8] = []
  /// Where in the batch the text begins that stands between the card read last and the next one.
  private var betweenStart = 0
  private var isAtStart = true

  /// A source. `encoding` names what the bytes are in where they do not tell it; `map` what the columns of a foreign spreadsheet hold.
  /// With `keepsTextBetween` the source gives what stands between the cards of a vCard, too.
  package init(
    _ format: ContactFormat, encoding: String? = nil, keepsTextBetween: Bool = false, map: ColumnMap? = nil
  ) {
    self.format = format
    self.keepsTextBetween = keepsTextBetween
    cards = Boxed(CardParser(names: FieldNames.table, encoding: encoding))
    stream = Boxed(StreamDecoder(forced: encoding.flatMap { TextEncoding(named: $0) }))
    siblings = format.isSibling ? Boxed(SiblingReader(format, encoding: encoding)) : nil
    table = Boxed(CSVSource(encoding: encoding, map: map))
    entries = Boxed(LDIFSource(encoding: encoding))
  }

  /// Do these bytes, the first of an input, begin with a CSV header?
  package static func isCSV(_ bytes: Span<UInt8>) -> Bool { CSVSource.hasHeader(bytes) }

  /// Do these bytes, the first of an input, begin with an LDIF entry?
  package static func isLDIF(_ bytes: Span<UInt8>) -> Bool { LDIFSource.hasEntry(bytes) }

  /// Are findings inside cards among those to take? A validator has them from the cards.
  package var tellsCardFindings = true

  /// Begins again with a part of an input of cards, as `CardParser.begin` does.
  package mutating func begin(hadByteOrderMark: Bool) {
    cards.value.begin(hadByteOrderMark: hadByteOrderMark)
    (batch, position, findings, told) = (nil, 0, [], 0)
  }

  /// How many lines of cards have been read.
  package var linesRead: Int { cards.value.linesRead }

  /// Takes the next bytes.
  package mutating func feed(_ bytes: Span<UInt8>) {
    switch format {
    case .json, .jsonl: feedJSON(bytes)
    case .jcard, .jscontact, .xcard: siblings?.value.feed(bytes)
    case .csv, .tsv, .googleCSV, .outlookCSV, .thunderbirdCSV, .csvLong: table.value.feed(bytes)
    case .ldif: entries.value.feed(bytes)
    case .vcard21, .vcard3, .vcard4: cards.value.feed(bytes)
    }
  }

  /// Says that no more bytes come.
  package mutating func finish() {
    switch format {
    case .json, .jsonl: finishJSON()
    case .jcard, .jscontact, .xcard: siblings?.value.finish()
    case .csv, .tsv, .googleCSV, .outlookCSV, .thunderbirdCSV, .csvLong: table.value.finish()
    case .ldif: entries.value.finish()
    case .vcard21, .vcard3, .vcard4: cards.value.finish()
    }
  }

  /// The findings since the last call.
  package mutating func takeFindings() -> [Diagnostic] {
    defer { findings = [] }
    return findings
  }

  /// The next contact; nil where more bytes are needed or none is left.
  package mutating func next() -> Contact? {
    switch format {
    case .json, .jsonl: nextJSON()
    case .jcard, .jscontact, .xcard: nextSibling()
    case .csv, .tsv, .googleCSV, .outlookCSV, .thunderbirdCSV, .csvLong, .ldif: nextRow()
    case .vcard21, .vcard3, .vcard4: nextCard()
    }
  }

  private mutating func nextCard() -> Contact? {
    while true {
      if let batch, position < batch.count {
        if keepsTextBetween { passText(of: batch, to: Int(batch.cards[position].rawStart), from: Int(batch.cards[position].rawEnd)) }
        let entry = batch.cards[position]
        tellFindings(of: batch, to: Int(entry.firstDiagnostic))
        let behind = Int(entry.firstDiagnostic + entry.diagnosticCount)
        if tellsCardFindings { tellFindings(of: batch, to: behind) }
        told = max(told, behind)
        position += 1
        return .card(batch, position - 1)
      }
      if let batch { tellFindings(of: batch, to: batch.diagnostics.count) }
      if keepsTextBetween, let batch { passText(of: batch, to: batch.inputEnd, from: batch.inputEnd) }
      guard let fresh = cards.value.nextBatch() else { return nil }
      (batch, position, betweenStart, told) = (fresh, 0, 0, 0)
    }
  }

  /// Takes the findings of a batch in their order, those between cards where they stand.
  private mutating func tellFindings(of batch: CardBatch, to end: Int) {
    if told < end { findings += batch.diagnostics[told..<end] }
    told = max(told, end)
  }

  // MARK: Between cards

  /// What stood between the cards since the last call: blank lines, text outside cards, at the start a byte order mark.
  package mutating func takeTextBetween() -> [UInt8] {
    defer { between.removeAll(keepingCapacity: true) }
    return between
  }

  private mutating func passText(of batch: CardBatch, to end: Int, from next: Int) {
    if isAtStart, cards.value.hadByteOrderMark { between += [0xEF, 0xBB, 0xBF] }
    isAtStart = false
    if betweenStart < end { between += batch.bytes[betweenStart..<end] }
    betweenStart = next
  }

  private mutating func nextSibling() -> Contact? {
    guard let siblings else { return nil }
    let card = siblings.value.next(number: count)
    findings += siblings.value.takeFindings().map { numbered($0) }
    guard let card else { return nil }
    count += 1
    return .card(card, 0)
  }

  private mutating func feedJSON(_ bytes: Span<UInt8>) {
    if stream.value.passesThrough { return splitter.value.feed(bytes) }
    stream.value.decode(bytes, to: &decoded.value)
    passDecoded()
  }

  private mutating func finishJSON() {
    stream.value.finish(to: &decoded.value)
    passDecoded()
    splitter.value.finish()
    if let detected = stream.value.detected {
      findings.append(Diagnostic(.transcoded, "the input is \(detected); it was read as such", line: 1))
    }
  }

  private mutating func passDecoded() {
    decoded.value.withBytes { splitter.value.feed($0) }
    decoded.value.removeAll()
  }

  private mutating func nextJSON() -> Contact? {
    while true {
      do throws(DataSyntaxError) {
        guard let value = try splitter.value.next() else { return nil }
        let isRecord = json.value.read(value.bytes, line: value.line, into: &record)
        findings += json.value.findings.map { numbered($0) }
        if isRecord {
          count += 1
          return .record
        }
      } catch {
        findings.append(
          numbered(Diagnostic(.dataSyntax, error.told + "; what could not be read was left out", line: error.line, leftOut: true)))
      }
    }
  }

  private mutating func nextRow() -> Contact? {
    let isContact = format == .ldif ? entries.value.next(into: &record) : table.value.next(into: &record)
    findings += (format == .ldif ? entries.value.takeFindings() : table.value.takeFindings()).map { numbered($0) }
    guard isContact else { return nil }
    count += 1
    return .record
  }

  private func numbered(_ finding: Diagnostic) -> Diagnostic {
    var finding = finding
    finding.contact = finding.contact ?? count
    return finding
  }
}
