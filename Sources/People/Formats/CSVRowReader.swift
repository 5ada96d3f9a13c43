// Reads rows of our own CSV: a header of paths tells which part of a contact each cell is.

internal import Bytes
package import CardSyntax
package import DataSyntax

/// Reads rows as contacts. The header may hold any path that names a place: `fullName`, `phones.1.value`, `emails.work`, `email`.
package struct CSVRowReader: ~Copyable {
  /// What a cell is of its entry.
  private struct Part: Sendable {
    let cell: Int
    let member: Member
    let inner: Member
  }

  /// The columns of one value: a part each.
  private struct Entry: Sendable {
    /// The path's labels and number, which tell entries apart.
    let labels: [String], number: Int
    var parts: [Part] = []
  }

  /// The columns of one field.
  private struct FieldColumns: Sendable {
    let field: Int
    /// The cell of a list or of the one text.
    var whole: Part?
    var entries: [Entry] = []
    /// The cells that tell what the line of a field of one value carries besides it.
    var details: [Part] = []
    /// Unclaimed lines by their names, a cell each.
    var lines: [(name: String, cell: Int)] = []
  }

  private var fields: [FieldColumns] = []
  /// Columns whose heads are no paths, by number, with their heads.
  package private(set) var unknownColumns: [(number: Int, head: String)] = []
  /// How many columns the header has.
  package let columnCount: Int
  /// What was wrong with the row read last.
  package private(set) var findings: [Diagnostic] = []
  /// What cells are in that are no UTF-8.
  private let fallback: TextEncoding
  private var decoder = TextDecoder()
  private var saidCharset = false
  /// The text of the cell read last, where it did not stand in the row as it is.
  private var text = ByteBuffer(capacity: 256)
  /// The row read last is ASCII from end to end.
  private var isASCII = false
  /// What cells of parameters hold, by their text.
  private var parameterMemo = ByteMemo<Record.Excerpt>()
  private let hasDetails: Bool

  /// How many cells of a header row are paths.
  package static func known(in cells: [String]) -> Int { cells.count { FieldPath(trimmed($0)) != nil } }

  private static func trimmed(_ text: String) -> String {
    guard text.utf8.first == ASCII.space || text.utf8.last == ASCII.space else { return text }
    return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// A reader for the rows below a header. `encoding` names what cells are in that are no UTF-8 (Windows-1252 unless it is known).
  package init(header: [String], encoding: String? = nil) {
    columnCount = header.count
    let named = encoding.flatMap { TextEncoding(named: $0) }
    fallback = named.map { $0.isUTF8 || $0.isUTF16 ? .windows1252 : $0 } ?? .windows1252
    var byField: [Int: FieldColumns] = [:]
    for (number, cell) in header.enumerated() {
      let head = Self.trimmed(cell)
      guard let path = FieldPath(head), Self.add(path, number, to: &byField[path.field, default: FieldColumns(field: path.field)]) else {
        if !head.isEmpty { unknownColumns.append((number, head)) }
        continue
      }
    }
    fields = byField.values.sorted { $0.field < $1.field }
    hasDetails = fields.contains { !$0.details.isEmpty }
    for i in fields.indices {
      for k in fields[i].entries.indices {
        fields[i].entries[k].parts.sort { CSVColumn.rank($0.member, $0.inner) < CSVColumn.rank($1.member, $1.inner) }
      }
    }
  }

  private static func add(_ path: FieldPath, _ cell: Int, to columns: inout FieldColumns) -> Bool {
    var members = path.components
    let field = Person.fields[path.field]
    if members.count > 2 { return false }
    switch CSVColumns.layouts[path.field] {
    case .details: return false
    case .unclaimed:
      if let name = path.lineName {
        columns.lines.append((name, cell))
      } else {
        columns.whole = Part(cell: cell, member: .none, inner: .none)
      }
    case .agent:
      if let member = members.first {
        guard isDetail(member) else { return false }
        columns.details.append(Part(cell: cell, member: member, inner: .none))
      } else {
        columns.whole = Part(cell: cell, member: .none, inner: .none)
      }
    case .one:
      if let member = members.first, isDetail(member) {
        columns.details.append(Part(cell: cell, member: member, inner: .none))
      } else if members.isEmpty, let member = field.kind.textMember {
        let part = Part(cell: cell, member: member, inner: .none)
        if member == .value { columns.whole = part } else { append(part, [], 0, to: &columns) }
      } else if let member = members.first {
        append(Part(cell: cell, member: member, inner: members.count > 1 ? members[1] : .none), [], 0, to: &columns)
      } else {
        return false
      }
    case .texts where path.namesList && path.labels.isEmpty:
      columns.whole = Part(cell: cell, member: .none, inner: .none)
    case .texts, .many:
      if path.namesList && path.labels.isEmpty {
        columns.whole = Part(cell: cell, member: field.kind.textMember ?? .value, inner: .none)
        return field.kind.textMember != nil
      }
      if members.isEmpty {
        guard let member = field.kind.textMember else { return false }
        members = [member]
      }
      let part = Part(cell: cell, member: members[0], inner: members.count > 1 ? members[1] : .none)
      append(part, path.labels, path.place ?? 0, to: &columns)
    }
    return true
  }

  private static func append(_ part: Part, _ labels: [String], _ number: Int, to columns: inout FieldColumns) {
    let known = columns.entries.firstIndex { $0.labels == labels && $0.number == number }
    if known == nil { columns.entries.append(Entry(labels: labels, number: number)) }
    columns.entries[known ?? columns.entries.count - 1].parts.append(part)
  }

  private static func isDetail(_ member: Member) -> Bool {
    member == .parameters || member == .group || member == .id || member == .property
  }

  // MARK: Rows

  /// Reads a row. False where it holds nothing.
  package mutating func read(_ row: borrowing CSVRow, into record: inout Record) -> Bool {
    findings = []
    record.begin(source: [], version: .v40)
    isASCII = row.bytes.withBytes { ByteSearch.firstHighBit(in: $0, from: 0, to: $0.count) == $0.count }
    for column in fields.indices {
      read(column, row, into: &record)
      // A nested card that says no version is one of its contact's version.
      if fields[column].field == 0, let index = record.value(ofField: 0), let version = CardVersion(record.string(index)) {
        record.version = version
      }
    }
    if hasDetails { readDetails(row, into: &record) }
    moveUnclaimedLast(&record)
    return !record.tokens.isEmpty
  }

  /// Reads a field, by its place in `fields`.
  private mutating func read(_ column: Int, _ row: borrowing CSVRow, into record: inout Record) {
    let mark = record.tokens.count
    let number = fields[column].field
    record.field(number)
    switch CSVColumns.layouts[number] {
    case .details: break
    case .unclaimed: readLines(fields[column], row, into: &record)
    case .agent:
      if let cell = fields[column].whole?.cell, !row.isEmpty(cell) {
        record.open()
        CSVCell.read(agent: string(row, cell), depth: record.depth, into: &record)
        record.close()
      }
    case .one:
      if let cell = fields[column].whole?.cell, !row.isEmpty(cell) {
        withText(row, cell) { record.text(.none, made: $0, $1, $2) }
      } else if !fields[column].entries.isEmpty {
        read(column, entry: 0, row, into: &record)
      }
    case .texts, .many:
      record.open(list: true)
      if let whole = fields[column].whole, !row.isEmpty(whole.cell) { readList(whole, row, into: &record) }
      for entry in fields[column].entries.indices { read(column, entry: entry, row, into: &record) }
      record.close()
    }
    let isEmpty = record.tokens.count == mark + 1 || record.isEmptyValue(mark + 1)
    if isEmpty { record.truncate(to: mark) }
  }

  /// A cell that all values share.
  private mutating func readList(_ whole: Part, _ row: borrowing CSVRow, into record: inout Record) {
    withText(row, whole.cell) { bytes, start, end in
      CSVCell.forEachText(bytes, start, end) { bytes, start, end in
        guard start < end else { return }
        if whole.member == .none { return record.text(.none, made: bytes, start, end) }
        record.open()
        record.text(whole.member, made: bytes, start, end)
        record.close()
      }
    }
  }

  /// The parts of one value, by its place among the entries of a field.
  private mutating func read(_ column: Int, entry: Int, _ row: borrowing CSVRow, into record: inout Record) {
    let count = fields[column].entries[entry].parts.count
    guard hasValue(column, entry, row) else {
      if let part = fields[column].entries[entry].parts.first(where: { !row.isEmpty($0.cell) }) {
        report(.emptyValue, "\(part.member.key) without a value; left out", row.line, leftOut: true)
      }
      return
    }
    record.open()
    var isLabelled = false
    var i = 0
    while i < count {
      let part = fields[column].entries[entry].parts[i]
      if !isLabelled, Self.isAnnotation(part.member) {
        isLabelled = true
        readLabels(column, entry, row, into: &record)
      }
      i += 1
      if part.member == .labels { continue }
      guard part.inner != .none else {
        add(part.member, row, part.cell, into: &record)
        continue
      }
      let mark = record.tokens.count
      record.open(part.member)
      add(part.inner, row, part.cell, into: &record)
      while i < count, fields[column].entries[entry].parts[i].member == part.member {
        add(fields[column].entries[entry].parts[i].inner, row, fields[column].entries[entry].parts[i].cell, into: &record)
        i += 1
      }
      record.close()
      if record.isEmptyValue(mark) { record.truncate(to: mark) }
    }
    if !isLabelled { readLabels(column, entry, row, into: &record) }
    record.close()
  }

  /// Has the row something of a value besides what is said about it?
  private func hasValue(_ column: Int, _ entry: Int, _ row: borrowing CSVRow) -> Bool {
    for i in fields[column].entries[entry].parts.indices {
      let part = fields[column].entries[entry].parts[i]
      if !Self.isAnnotation(part.member), !row.isEmpty(part.cell) { return true }
    }
    return false
  }

  /// The labels that the path says, and those of the cell.
  private mutating func readLabels(_ column: Int, _ entry: Int, _ row: borrowing CSVRow, into record: inout Record) {
    var hasLabels = !fields[column].entries[entry].labels.isEmpty
    if let part = fields[column].entries[entry].parts.first(where: { $0.member == .labels }), !row.isEmpty(part.cell) {
      if !hasLabels { return add(.labels, row, part.cell, into: &record) }
      hasLabels = true
      record.open(.labels, list: true)
      for label in fields[column].entries[entry].labels { record.text(.none, made: label) }
      withText(row, part.cell) { bytes, start, end in
        CSVCell.forEachText(bytes, start, end) { record.text(.none, made: $0, $1, $2) }
      }
      return record.close()
    }
    guard hasLabels else { return }
    record.open(.labels, list: true)
    for label in fields[column].entries[entry].labels { record.text(.none, made: label) }
    record.close()
  }

  private static func isAnnotation(_ member: Member) -> Bool {
    (Member.labels.rawValue...Member.property.rawValue).contains(member.rawValue)
  }

  /// One part; nothing for an empty cell.
  private mutating func add(_ member: Member, _ row: borrowing CSVRow, _ cell: Int, into record: inout Record) {
    guard !row.isEmpty(cell) else { return }
    if member == .parameters { return addParameters(row, cell, into: &record) }
    var isWrong = false
    withText(row, cell) { bytes, start, end in
      if CSVCell.listMembers.contains(member) { return Self.addList(member, bytes, start, end, into: &record) }
      guard CSVCell.numbers.contains(member) else { return record.text(member, made: bytes, start, end) }
      isWrong = !Self.isNumber(bytes, start, end)
      if !isWrong { record.number(member, made: bytes, start, end) }
    }
    if member == .data { record.checkData(line: row.line, &findings) }
    if isWrong { report(.wrongMember, "\(member.key) is no number: \(string(row, cell).prefix(40)); left out", row.line, leftOut: true) }
  }

  /// The texts of the cell: a list, or one text where the part need not be a list.
  private static func addList(_ member: Member, _ bytes: Span<UInt8>, _ start: Int, _ end: Int, into record: inout Record) {
    var count = 0
    if !CSVCell.alwaysLists.contains(member) { CSVCell.forEachText(bytes, start, end) { _, _, _ in count += 1 } }
    if count == 1 { return CSVCell.forEachText(bytes, start, end) { record.text(member, made: $0, $1, $2) } }
    record.open(member, list: true)
    CSVCell.forEachText(bytes, start, end) { record.text(.none, made: $0, $1, $2) }
    record.close()
  }

  /// The parameters of the cell. Few cells are new: what the others hold is remembered.
  private mutating func addParameters(_ row: borrowing CSVRow, _ cell: Int, into record: inout Record) {
    var key = ByteBuffer(capacity: 64)
    withText(row, cell) { key.append($0, $1, $2) }
    if let known = parameterMemo.value(of: key) { return record.append(known) }
    let first = record.tokens.count
    record.send(CSVCell.parameters(key.text()))
    parameterMemo.keep(record.excerpt(from: first), for: key)
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

  private mutating func readDetails(_ row: borrowing CSVRow, into record: inout Record) {
    guard fields.contains(where: { !$0.details.isEmpty }) else { return }
    let mark = record.tokens.count
    record.field(Person.detailsField)
    record.open()
    for columns in fields where columns.details.contains(where: { !row.isEmpty($0.cell) }) {
      record.key(Person.fields[columns.field].key)
      record.open()
      for part in columns.details { add(part.member, row, part.cell, into: &record) }
      record.close()
    }
    record.close()
    if record.isEmptyValue(mark + 1) { record.truncate(to: mark) }
  }

  /// Details are known only behind all fields; unclaimed lines are the last field.
  private func moveUnclaimedLast(_ record: inout Record) {
    guard let last = record.value(ofField: Person.unclaimedField), let details = record.value(ofField: Person.detailsField), last < details
    else { return }
    var ordered = Record()
    ordered.begin(source: [], version: record.version)
    ordered.depth = record.depth
    ordered.append(range: 0, last - 1, of: record)
    ordered.append(range: details - 1, record.tokens.count, of: record)
    ordered.append(range: last - 1, details - 1, of: record)
    record = ordered
  }

  private mutating func readLines(_ columns: FieldColumns, _ row: borrowing CSVRow, into record: inout Record) {
    record.open(list: true)
    if let cell = columns.whole?.cell, !row.isEmpty(cell) { CSVCell.read(lines: string(row, cell), into: &record) }
    for (name, cell) in columns.lines where !row.isEmpty(cell) {
      UnclaimedText(name: name, group: nil, parameters: [], value: string(row, cell)).send(to: &record)
    }
    record.close()
  }

  // MARK: Cells

  /// Lends the text of a cell without the apostrophe that protects it.
  private mutating func withText(_ row: borrowing CSVRow, _ cell: Int, _ body: (Span<UInt8>, Int, Int) -> Void) {
    let (from, end) = row.range(of: cell)
    let isUTF8 = row.bytes.withBytes { bytes in
      let start = CSVCell.needsApostrophe(bytes, from, end) ? from + 1 : from
      if isASCII || UTF8Check.isValid(bytes, start, end) {
        body(bytes, start, end)
        return true
      }
      text.removeAll()
      _ = decoder.decode(bytes, start, end, as: fallback, to: &text)
      return false
    }
    if isUTF8 { return }
    text.withBytes { body($0, 0, $0.count) }
    if !saidCharset {
      saidCharset = true
      report(.assumedCharset, "text is no UTF-8; it was read as \(fallback.name), here and below", row.line, leftOut: false)
    }
  }

  private mutating func string(_ row: borrowing CSVRow, _ cell: Int) -> String {
    var string = ""
    withText(row, cell) { string = $0.text($1, $2) }
    return string
  }

  private mutating func report(_ rule: Rule, _ message: String, _ line: Int, leftOut: Bool) {
    findings.append(Diagnostic(rule, message, line: line, leftOut: leftOut))
  }
}
