// Reads rows of our own CSV: a header of paths tells which part of a contact each cell is.

internal import Bytes
package import CardSyntax
package import DataSyntax

/// Reads rows as contacts. The header may hold any path that names a place: `fullName`, `phones.1.value`, `emails.work`, `email`.
package struct CSVRowReader: ~Copyable {
  private typealias Part = CSVRowPlan.Part

  private let plan: CSVRowPlan
  /// Columns whose heads are no paths, by number, with their heads.
  package var unknownColumns: [(number: Int, head: String)] { plan.unknown }
  /// How many columns the header has.
  package let columnCount: Int
  /// What was wrong with the row read last.
  package private(set) var findings: [Diagnostic] = []
  /// What cells are in that are no UTF-8.
  private let fallback: TextEncoding
  private var decoder = TextDecoder()
  private var saidCharset = false
  /// The row read last in UTF-8, where it was in something else, and which of its cells were.
  private var transcoded = CSVRow()
  private var foreignCells: [Bool] = []
  /// What cells hold besides values, by the entry and their texts.
  private var carried = ByteMemo<Record.Excerpt>()
  private var key = ByteBuffer(capacity: 256)
  /// What cells of parameters hold, by their text.
  private var parameters = ByteMemo<Record.Excerpt>()
  /// A text that is put together; it is used again.
  private var text = ByteBuffer(capacity: 256)

  /// How many cells of a header row are paths.
  package static func known(in cells: [String]) -> Int { CSVRowPlan.known(in: cells) }

  /// A reader for the rows below a header. `encoding` names what cells are in that are no UTF-8 (Windows-1252 unless it is known).
  package init(header: [String], encoding: String? = nil) {
    columnCount = header.count
    let named = encoding.flatMap { TextEncoding(named: $0) }
    fallback = named.map { $0.isUTF8 || $0.isUTF16 ? .windows1252 : $0 } ?? .windows1252
    plan = CSVRowPlan(header: header)
  }

  // MARK: Rows

  /// Reads a row. False where it holds nothing.
  package mutating func read(_ row: borrowing CSVRow, into record: inout Record) -> Bool {
    if !findings.isEmpty { findings = [] }
    record.begin(source: [], version: .v40)
    if row.isUTF8 {
      readCells(row, into: &record)
    } else {
      var clean = CSVRow()
      swap(&clean, &transcoded)
      transcode(row, to: &clean)
      readCells(clean, into: &record)
      swap(&clean, &transcoded)
      foreignCells.removeAll(keepingCapacity: true)
    }
    return !record.tokens.isEmpty
  }

  /// Copies a row, its cells in UTF-8. Those that were not lose the apostrophe that protects them.
  private mutating func transcode(_ row: borrowing CSVRow, to clean: inout CSVRow) {
    clean.begin(line: row.line, separator: ASCII.comma)
    row.bytes.withBytes { bytes in
      for cell in 0..<row.cellCount {
        let (start, end) = row.range(of: cell)
        let isForeign = !UTF8Check.isValid(bytes, start, end)
        foreignCells.append(isForeign)
        if isForeign {
          text.removeAll()
          _ = decoder.decode(bytes, CSVCell.needsApostrophe(bytes, start, end) ? start + 1 : start, end, as: fallback, to: &text)
          text.withBytes { clean.append($0, 0, $0.count) }
        } else {
          clean.append(bytes, start, end)
        }
        clean.endCell(wasQuoted: row.wasQuoted(cell))
      }
    }
  }

  private mutating func readCells(_ row: borrowing CSVRow, into record: inout Record) {
    row.bytes.withBytes { bytes in
      // Most texts of the record are cells as they are.
      record.keep(bytes)
      for i in plan.columns.indices { read(plan.columns[i], bytes, row, into: &record) }
      if !plan.details.isEmpty { readDetails(bytes, row, into: &record) }
    }
  }

  /// Reads a field.
  private mutating func read(
    _ columns: CSVRowPlan.Columns, _ bytes: Span<UInt8>, _ row: borrowing CSVRow, into record: inout Record
  ) {
    let mark = record.tokens.count
    record.field(columns.field)
    switch columns.layout {
    case .details: break
    case .unclaimed: readLines(columns.whole, bytes, row, into: &record)
    case .agent:
      if let cell = columns.whole?.cell, !row.isEmpty(cell) {
        record.open()
        CSVCell.read(agent: string(cell, bytes, row), depth: record.depth, into: &record)
        record.close()
      }
    case .one:
      if let cell = columns.whole?.cell, !row.isEmpty(cell) {
        let (start, end) = range(cell, bytes, row)
        record.text(.none, start, end, .made)
        // A nested card that says no version is one of its contact's version.
        if columns.field == 0, let version = CardVersion(bytes, start, end) { record.version = version }
      } else if columns.firstEntry < columns.endOfEntries {
        read(entry: columns.firstEntry, bytes, row, into: &record)
      }
    case .texts, .many:
      record.open(list: true)
      if let whole = columns.whole, !row.isEmpty(whole.cell) { readList(whole, bytes, row, into: &record) }
      for entry in columns.firstEntry..<columns.endOfEntries { read(entry: entry, bytes, row, into: &record) }
      record.close()
    }
    let isEmpty = record.tokens.count == mark + 1 || record.isEmptyValue(mark + 1)
    if isEmpty { record.truncate(to: mark) }
  }

  /// A cell that all values share.
  private mutating func readList(_ whole: Part, _ bytes: Span<UInt8>, _ row: borrowing CSVRow, into record: inout Record) {
    let (start, end) = range(whole.cell, bytes, row)
    CSVCell.forEachText(bytes, start, end) { start, end, isPlain in
      guard start < end else { return }
      if whole.member == .none { return add(.none, bytes, start, end, isPlain: isPlain, into: &record) }
      record.open()
      add(whole.member, bytes, start, end, isPlain: isPlain, into: &record)
      record.close()
    }
  }

  /// The parts of one value and what it carries.
  private mutating func read(entry number: Int, _ bytes: Span<UInt8>, _ row: borrowing CSVRow, into record: inout Record) {
    let entry = plan.entries[number]
    guard (entry.first..<entry.carried).contains(where: { !row.isEmpty(plan.parts[$0].cell) }) else {
      if let place = (entry.carried..<entry.end).first(where: { !row.isEmpty(plan.parts[$0].cell) }) {
        report(.emptyValue, "\(plan.parts[place].member.key) without a value; left out", row.line, leftOut: true)
      }
      return
    }
    record.open()
    var i = entry.first
    while i < entry.carried {
      let part = plan.parts[i]
      guard part.inner != .none else {
        add(part, bytes, row, into: &record)
        i += 1
        continue
      }
      let mark = record.tokens.count
      record.open(part.member)
      repeat {
        add(plan.parts[i], bytes, row, into: &record)
        i += 1
      } while i < entry.carried && plan.parts[i].member == part.member
      record.close()
      if record.isEmptyValue(mark) { record.truncate(to: mark) }
    }
    record.close(carrying: addCarried(number, bytes, row, into: &record))
  }

  /// Adds what the cells of an entry say besides its value; returns the number of that, 0 where it has none. Few such cells are new: what the
  /// others hold is remembered.
  private mutating func addCarried(
    _ number: Int, _ bytes: Span<UInt8>, _ row: borrowing CSVRow, into record: inout Record
  ) -> UInt32 {
    let entry = plan.entries[number]
    var isEmpty = entry.labels == nil
    key.removeAll()
    key.append(word: UInt64(number), count: 4)
    for i in entry.carried..<entry.end {
      let (start, end) = row.range(of: plan.parts[i].cell)
      key.append(word: UInt64(end - start), count: 4)
      key.append(bytes, start, end)
      if start < end { isEmpty = false }
    }
    if isEmpty { return Record.Excerpt.nothing }
    let isKept = foreignCells.isEmpty
    if isKept, let known = carried.value(of: key) {
      record.append(known)
      return known.number
    }
    let (first, told) = (record.tokens.count, findings.count)
    readLabels(entry, bytes, row, into: &record)
    for i in entry.carried..<entry.end where plan.parts[i].member != .labels { add(plan.parts[i], bytes, row, into: &record) }
    // What is wrong with the cells is said of every row.
    guard isKept, findings.count == told else { return 0 }
    let excerpt = record.excerpt(from: first)
    carried.keep(excerpt, for: key)
    return excerpt.number
  }

  /// The labels that the path says, and those of the cell.
  private mutating func readLabels(_ entry: CSVRowPlan.Entry, _ bytes: Span<UInt8>, _ row: borrowing CSVRow, into record: inout Record) {
    let part = (entry.carried..<entry.end).first { plan.parts[$0].member == .labels }.map { plan.parts[$0] }
    let cell = part.flatMap { row.isEmpty($0.cell) ? nil : $0.cell }
    guard entry.labels != nil || cell != nil else { return }
    record.open(.labels, list: true)
    if let labels = entry.labels { for label in plan.labels[labels] { record.text(.none, made: label) } }
    if let cell {
      let (start, end) = range(cell, bytes, row)
      CSVCell.forEachText(bytes, start, end) { add(.none, bytes, $0, $1, isPlain: $2, into: &record) }
    }
    record.close()
  }

  /// One part; nothing for an empty cell.
  private mutating func add(_ part: Part, _ bytes: Span<UInt8>, _ row: borrowing CSVRow, into record: inout Record) {
    guard !row.isEmpty(part.cell) else { return }
    let member = part.inner == .none ? part.member : part.inner
    let (start, end) = range(part.cell, bytes, row)
    switch part.form {
    case .text:
      record.text(member, start, end, .made)
      if member == .data { record.checkData(line: row.line, &findings) }
    case .listOrText where ByteSearch.firstIndex(of: ASCII.semicolon, or: ASCII.backslash, in: bytes, from: start, to: end) == end:
      record.text(member, start, end, .made)
    case .list, .listOrText: addList(member, part.form, bytes, start, end, into: &record)
    case .parameters: addParameters(bytes, start, end, into: &record)
    case .number:
      if Self.isNumber(bytes, start, end) { return record.number(member, start, end) }
      report(.wrongMember, "\(member.key) is no number: \(bytes.text(start, end).prefix(40)); left out", row.line, leftOut: true)
    }
  }

  /// The texts of the cell: a list, or one text where the part need not be a list.
  private mutating func addList(
    _ member: Member, _ form: Part.Form, _ bytes: Span<UInt8>, _ start: Int, _ end: Int, into record: inout Record
  ) {
    var count = 0
    if form == .listOrText { CSVCell.forEachText(bytes, start, end) { _, _, _ in count += 1 } }
    if count == 1 { return CSVCell.forEachText(bytes, start, end) { add(member, bytes, $0, $1, isPlain: $2, into: &record) } }
    record.open(member, list: true)
    CSVCell.forEachText(bytes, start, end) { add(.none, bytes, $0, $1, isPlain: $2, into: &record) }
    record.close()
  }

  /// Adds a text of a list.
  private mutating func add(
    _ member: Member, _ bytes: Span<UInt8>, _ start: Int, _ end: Int, isPlain: Bool, into record: inout Record
  ) {
    if isPlain { return record.text(member, start, end, .made) }
    text.removeAll()
    CSVCell.unescape(bytes, start, end, to: &text)
    record.text(member, made: text)
  }

  /// The parameters of the cell.
  private mutating func addParameters(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, into record: inout Record) {
    text.removeAll()
    text.append(bytes, start, end)
    if let known = parameters.value(of: text) { return record.append(known) }
    let first = record.tokens.count
    record.send(CSVCell.parameters(text.text()))
    parameters.keep(record.excerpt(from: first), for: text)
  }

  /// Is it a decimal number as JSON has it?
  static func isNumber(_ text: String) -> Bool {
    let bytes = text.utf8.span
    return isNumber(bytes, 0, bytes.count)
  }

  private static func isNumber(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    let first = start < end && bytes[start] == ASCII.dash ? start + 1 : start
    var point = first
    while point < end, ASCII.isDigit(bytes[point]) { point += 1 }
    guard point > first, bytes[first] != UInt8(ascii: "0") || point == first + 1 else { return false }
    if point == end { return true }
    guard bytes[point] == ASCII.dot, point + 1 < end else { return false }
    return (point + 1..<end).allSatisfy { ASCII.isDigit(bytes[$0]) }
  }

  /// What the lines of fields of one value carry besides it. It is known only behind all fields; unclaimed lines are the last one.
  private mutating func readDetails(_ bytes: Span<UInt8>, _ row: borrowing CSVRow, into record: inout Record) {
    let mark = record.tokens.count
    record.field(Person.detailsField)
    record.open()
    for (field, number) in plan.details {
      let entry = plan.entries[number]
      guard (entry.first..<entry.end).contains(where: { !row.isEmpty(plan.parts[$0].cell) }) else { continue }
      record.key(Person.fields[field].key)
      record.open()
      for i in entry.first..<entry.end { add(plan.parts[i], bytes, row, into: &record) }
      record.close()
    }
    record.close()
    if record.isEmptyValue(mark + 1) { return record.truncate(to: mark) }
    guard let last = record.value(ofField: Person.unclaimedField), last < mark else { return }
    var ordered = Record()
    ordered.begin(source: [], version: record.version)
    ordered.depth = record.depth
    ordered.append(range: 0, last - 1, of: record)
    ordered.append(range: mark, record.tokens.count, of: record)
    ordered.append(range: last - 1, mark, of: record)
    record = ordered
  }

  private mutating func readLines(_ whole: Part?, _ bytes: Span<UInt8>, _ row: borrowing CSVRow, into record: inout Record) {
    record.open(list: true)
    if let cell = whole?.cell, !row.isEmpty(cell) { CSVCell.read(lines: string(cell, bytes, row), into: &record) }
    for (name, cell) in plan.lines where !row.isEmpty(cell) {
      UnclaimedText(name: name, group: nil, parameters: [], value: string(cell, bytes, row)).send(to: &record)
    }
    record.close()
  }

  // MARK: Cells

  /// Where the text of a cell stands, without the apostrophe that protects it.
  @inline(__always)
  private mutating func range(_ cell: Int, _ bytes: Span<UInt8>, _ row: borrowing CSVRow) -> (start: Int, end: Int) {
    let (start, end) = row.range(of: cell)
    if !foreignCells.isEmpty, cell < foreignCells.count, foreignCells[cell] {
      sayCharset(row.line)
      return (start, end)
    }
    return (CSVCell.needsApostrophe(bytes, start, end) ? start &+ 1 : start, end)
  }

  private mutating func sayCharset(_ line: Int) {
    if saidCharset { return }
    saidCharset = true
    report(.assumedCharset, "text is no UTF-8; it was read as \(fallback.name), here and below", line, leftOut: false)
  }

  private mutating func string(_ cell: Int, _ bytes: Span<UInt8>, _ row: borrowing CSVRow) -> String {
    let (start, end) = range(cell, bytes, row)
    return bytes.text(start, end)
  }

  private mutating func report(_ rule: Rule, _ message: String, _ line: Int, leftOut: Bool) {
    findings.append(Diagnostic(rule, message, line: line, leftOut: leftOut))
  }
}
