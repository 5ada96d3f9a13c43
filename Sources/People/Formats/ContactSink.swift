// Writes contacts in any format, one after the other.

package import Bytes
package import CardSyntax
internal import Files
internal import DataSyntax

/// Writes contacts. What is written is in `output`, which the caller empties from time to time.
package struct ContactSink: ~Copyable {
  package var output = ByteBuffer(capacity: 1 << 16)
  private var findings: [Diagnostic] = []
  private let format: ContactFormat
  private let keepsPhotos: Bool
  private let copying: Copying
  /// Gives the references that stand for pictures; nil where these stay in the contacts.
  private let storesPicture: ((Picture) -> String)?
  private let converter: Boxed<CardConverter>
  private let writer: Boxed<CardWriter>
  private let reader = Boxed(CardReader())
  private let table: TableWriter?
  private let reparser = Boxed(CardParser(names: FieldNames.table))
  private let jcard = Boxed(JCardWriter())
  private let xcard = Boxed(XCardWriter())
  private let jscontact = Boxed(JSContactWriter())
  private let fields: FieldSet
  /// A record without its pictures.
  private let bare = Boxed(Record())
  /// A jCard document is one card or an array of them: the first card is held until it is known which.
  private var held = ByteBuffer()
  private var count = 0
  private var leftOutPhotos = 0
  private let width: Int?

  /// What becomes of a card that is written as a card.
  package enum Copying: Sendable {
    /// It is written in the sink's version.
    case none
    /// It is written anew in its own version.
    case version
    /// It is copied byte for byte; what lacks an END gets one, so that the next card is not part of it.
    case bytes
    /// It is copied byte for byte, whatever it lacks.
    case exactBytes
  }

  /// A sink for a format. `width` is where vCard lines are folded; `columns` are those that somebody names for a csv or tsv; with
  /// `spreadsheets` cells are safe from these; `storesPicture` gives the references that stand for pictures.
  package init(
    _ format: ContactFormat, photos: Bool = true, width: Int? = Folding.width, copying: Copying = .none, columns: [FieldPath] = [],
    spreadsheets: Bool = false, profile: WriterProfile? = nil, storesPicture: ((Picture) -> String)? = nil
  ) {
    self.format = format
    self.storesPicture = storesPicture
    self.copying = copying
    self.width = width
    keepsPhotos = photos
    let version = format.version ?? .v40
    converter = Boxed(CardConverter(version: version, width: width, profile: profile))
    writer = Boxed(CardWriter(version: version, width: width, profile: profile))
    converter.value.omitsPhotos = !photos
    converter.value.storesPicture = storesPicture
    writer.value.omitsPhotos = !photos
    table = TableWriter(format, columns: columns, spreadsheets: spreadsheets)
    fields = photos ? .all : .withoutPictures
  }

  /// Writes what stands before the first contact.
  package mutating func begin() {
    (count, leftOutPhotos) = (0, 0)
    switch format {
    case .json, .jscontact: output.append("[")
    case .xcard: XCardWriter.begin(&output)
    default: table?.begin(&output)
    }
  }

  /// Writes a contact that was read from `source`.
  package mutating func write(_ contact: Contact, of source: borrowing ContactSource) {
    switch contact {
    case .card(let batch, let index): write(card: batch, index)
    case .record:
      if let storesPicture, let stored = source.record.storingPictures(storesPicture) {
        write(record: stored.record)
      } else {
        write(record: source.record)
      }
    }
    count += 1
  }

  private mutating func write(card batch: CardBatch, _ index: Int) {
    switch format {
    case .vcard21, .vcard3, .vcard4, .jcard, .jscontact, .xcard:
      if copying != .none, !format.isSibling {
        if copying != .version { return copy(batch[index], batch[index].rawBytes) }
        useVersion(batch[index].version)
      }
      // What is right needs no text of its own: its lines are written as they were read.
      if format.isSibling, converter.value.isWhole(batch, index) { return writeSibling(batch, index) }
      converter.value.convert(batch, index)
      if !converter.value.writer.findings.isEmpty { add(converter.value.takeFindings(), of: converter.value.contactName) }
      if format.isSibling { return writeSibling(converter.value.writer.takeOutput()) }
      Self.move(&converter.value.writer.lines.output, to: &output)
    default:
      let reader = reader
      reader.value.read(batch, index, only: fields)
      if !keepsPhotos, reader.value.card.hasPhoto { leftOutPhotos += 1 }
      if let storesPicture, let stored = reader.value.record.storingPictures(storesPicture) { return write(data: stored.record) }
      write(data: reader.value.record)
    }
  }

  private mutating func useVersion(_ version: CardVersion) {
    guard converter.value.writer.version != version else { return }
    converter.value = CardConverter(version: version, width: width)
    converter.value.omitsPhotos = !keepsPhotos
  }

  /// Writes a card that is copied, with these bytes instead of its own.
  package mutating func write(_ bytes: [UInt8], insteadOf card: Card) {
    copy(card, bytes[...])
    count += 1
  }

  private mutating func copy(_ card: Card, _ raw: ArraySlice<UInt8>) {
    let lineBreak: StaticString =
      raw.firstIndex(of: ASCII.lineFeed).map { $0 > raw.startIndex && raw[$0 - 1] == ASCII.carriageReturn } == false ? "\n" : "\r\n"
    output.append(raw)
    if copying == .exactBytes { return }
    endLine(lineBreak)
    if !card.hasEnd {
      output.append("END:VCARD")
      output.append(lineBreak)
    }
  }

  /// Adds text between cards as it is; a table has no place for any.
  package mutating func write(textBetween text: [UInt8]) {
    if table == nil { output.append(text) }
  }

  private mutating func endLine(_ lineBreak: StaticString) {
    guard let last = output.isEmpty ? nil : output[output.count - 1], last != ASCII.lineFeed, last != ASCII.carriageReturn else { return }
    output.append(lineBreak)
  }

  /// Writes a record as a contact; where cards are copied, as a card of `version`, if one is named.
  package mutating func write(contact record: borrowing Record, version: CardVersion? = nil) {
    if copying != .none, let version { writer.value.lines.version = version }
    write(record: record)
    if copying != .none, version != nil { writer.value.lines.version = format.version ?? .v40 }
    count += 1
  }

  private mutating func write(record: borrowing Record) {
    switch format {
    case .vcard21, .vcard3, .vcard4, .jcard, .jscontact, .xcard:
      writer.value.write(record)
      if !writer.value.findings.isEmpty {
        for i in writer.value.findings.indices where writer.value.findings[i].contact == nil { writer.value.findings[i].contact = count }
        let told = writer.value.findings
        writer.value.findings.removeAll(keepingCapacity: true)
        add(told, of: FullName.shown(record))
      }
      if format.isSibling { return writeSibling(writer.value.takeOutput()) }
      Self.move(&writer.value.lines.output, to: &output)
    default:
      guard !keepsPhotos, Person.pictureFields.contains(where: { record.value(ofField: $0) != nil }) else { return write(data: record) }
      leftOutPhotos += 1
      let bare = bare
      bare.value.begin(copying: record, only: fields)
      write(data: bare.value)
    }
  }

  private mutating func write(data record: borrowing Record) {
    switch format {
    case .json:
      if count > 0 { output.append(",") }
      output.append("\n")
      JSONFormat().write(record, to: &output)
    case .jsonl:
      JSONFormat().write(record, to: &output)
      output.append("\n")
    case .vcard21, .vcard3, .vcard4, .jcard, .jscontact, .xcard: break
    default:
      table?.write(record, to: &output)
      if let told = table?.takeFindings(), !told.isEmpty { add(told, of: FullName.shown(record)) }
    }
  }

  /// Adds findings about a contact.
  private mutating func add(_ told: [Diagnostic], of name: String) {
    for var finding in told {
      finding.contactName = name.isEmpty ? nil : name
      findings.append(finding)
    }
  }

  private static func move(_ source: inout ByteBuffer, to target: inout ByteBuffer) {
    if target.isEmpty { return swap(&source, &target) }
    source.withBytes { target.append($0) }
    source.removeAll()
  }

  /// Writes a card of 4.0 in another syntax.
  private mutating func writeSibling(_ text: [UInt8]) {
    reparser.value.feed(text.span)
    while let batch = reparser.value.nextBatch() {
      for index in 0..<batch.count {
        writeSibling(batch, index)
      }
    }
  }

  private mutating func writeSibling(_ batch: CardBatch, _ index: Int) {
    switch format {
    case .jscontact: writeJSContact(batch, index)
    case .xcard: writeXCard(batch, index)
    default: writeJCard(batch, index)
    }
  }

  private mutating func writeJCard(_ batch: CardBatch, _ index: Int) {
    if count == 0 { return jcard.value.write(batch, index, to: &held) }
    if count == 1 {
      output.append("[")
      Self.move(&held, to: &output)
    }
    output.append(",\n")
    jcard.value.write(batch, index, to: &output)
  }

  private mutating func writeXCard(_ batch: CardBatch, _ index: Int) {
    xcard.value.write(batch, index, to: &output)
    for name in xcard.value.changedNames {
      findings.append(
        Diagnostic(
          .converted, "\(name) is no name that XML can have; written with x- before it", property: name.uppercased(), contact: count))
    }
  }

  private mutating func writeJSContact(_ batch: CardBatch, _ index: Int) {
    if count > 0 { output.append(",") }
    output.append("\n")
    jscontact.value.write(batch, index, to: &output)
  }

  /// Can what two sinks of a format have written be put together?
  package static func canJoin(_ format: ContactFormat) -> Bool {
    switch format {
    case .vcard21, .vcard3, .vcard4, .json, .jsonl: true
    default: false
    }
  }

  /// What a sink has counted.
  package struct Tally: Sendable {
    package var contacts = 0
    var photos = 0

    package init() {}
  }

  /// What was counted since the last call, for a sink that goes on from there.
  package mutating func takeTally() -> Tally {
    var tally = Tally()
    (tally.contacts, tally.photos) = (count, leftOutPhotos)
    (count, leftOutPhotos) = (0, 0)
    return tally
  }

  /// Adds what another sink of the same format has written, without what stands before and behind contacts.
  package mutating func add(_ written: Span<UInt8>, _ tally: Tally) {
    if format == .json, count > 0, tally.contacts > 0 { output.append(",") }
    output.append(written)
    count += tally.contacts
    leftOutPhotos += tally.photos
  }

  /// Puts rows into a temporary file where many of them wait for their columns, so that memory stays small. Say so from time to time.
  package func spill() throws(StreamError) { try table?.spill() }

  /// Adds the next of the rows that waited to the output, after `end`; false where none are left.
  package mutating func nextRows() throws(StreamError) -> Bool { try table?.nextRows(&output) ?? false }

  /// Writes what stands behind the last contact. Rows that waited for their columns come after it: `nextRows` gives them.
  package mutating func end() {
    table?.end(&output)
    if let told = table?.takeFindings() { findings += told }
    switch format {
    case .xcard: XCardWriter.end(&output)
    case .json, .jscontact: if count > 0 { output.append("\n]\n") } else { output.append("]\n") }
    case .jcard:
      switch count {
      case 0: output.append("[]\n")
      case 1:
        Self.move(&held, to: &output)
        output.append("\n")
      default: output.append("]\n")
      }
    default: break
    }
    if let leftOut = table?.leftOut, leftOut > 0 {
      findings.append(
        Diagnostic(.columnLimit, "\(leftOut) values were left out: a row has \(CSVColumns.limit) cells at most", leftOut: true))
    }
    if leftOutPhotos > 0 {
      findings.append(
        Diagnostic(
          .photosLeftOut,
          "the pictures of \(leftOutPhotos) contact\(leftOutPhotos == 1 ? "" : "s") were left out (--photos inline keeps them)"))
    }
  }

  /// The findings since the last call.
  package mutating func takeFindings() -> [Diagnostic] {
    defer { findings = [] }
    return findings
  }
}
