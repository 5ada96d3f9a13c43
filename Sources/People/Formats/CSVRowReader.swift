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
  /// The text of the cell read last.
  private var text = ByteBuffer(capacity: 256)
  /// What cells of parameters hold, by their text.
  private var parameterMemo = ByteMemo<[ParameterValues]>()

  /// How many cells of a header row are paths.
  package static func known(in cells: [String]) -> Int { cells.count { FieldPath(trimmed($0)) != nil } }

  private static func trimmed(_ text: String) -> String { String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }

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
    for columns in fields {
      read(columns, row, into: &record)
      // A nested card that says no version is one of its contact's version.
      if columns.field == 0, let index = record.value(ofField: 0), let version = CardVersion(record.string(index)) {
        record.version = version
      }
    }
    readDetails(row, into: &record)
    moveUnclaimedLast(&record)
    return !record.tokens.isEmpty
  }

  private mutating func read(_ columns: FieldColumns, _ row: borrowing CSVRow, into record: inout Record) {
    let mark = record.tokens.count
    record.field(columns.field)
    switch CSVColumns.layouts[columns.field] {
    case .details: break
    case .unclaimed: readLines(columns, row, into: &record)
    case .agent:
      if let cell = columns.whole?.cell, !row.isEmpty(cell) {
        record.open()
        take(row, cell)
        CSVCell.read(agent: text.text(), depth: record.depth, into: &record)
        record.close()
      }
    case .one:
      if let cell = columns.whole?.cell, !row.isEmpty(cell) {
        take(row, cell)
        record.text(.none, made: text)
      } else if let entry = columns.entries.first {
        read(entry, row, into: &record)
      }
    case .texts, .many:
      record.open(list: true)
      if let whole = columns.whole, !row.isEmpty(whole.cell) { readList(whole, row, into: &record) }
      for entry in columns.entries { read(entry, row, into: &record) }
      record.close()
    }
    let isEmpty = record.tokens.count == mark + 1 || record.isEmptyValue(mark + 1)
    if isEmpty { record.truncate(to: mark) }
  }

  /// A cell that all values share.
  private mutating func readList(_ whole: Part, _ row: borrowing CSVRow, into record: inout Record) {
    take(row, whole.cell)
    for text in CSVCell.texts(text) where !text.isEmpty {
      if whole.member == .none {
        record.text(.none, made: text)
      } else {
        record.open()
        record.text(whole.member, made: text)
        record.close()
      }
    }
  }

  /// The parts of one value.
  private mutating func read(_ entry: Entry, _ row: borrowing CSVRow, into record: inout Record) {
    guard entry.parts.contains(where: { !row.isEmpty($0.cell) && !Self.isAnnotation($0.member) }) else {
      if let part = entry.parts.first(where: { !row.isEmpty($0.cell) }) {
        report(.emptyValue, "\(part.member.key) without a value; left out", row.line, leftOut: true)
      }
      return
    }
    record.open()
    var isLabelled = false
    var i = 0
    while i < entry.parts.count {
      let part = entry.parts[i]
      if Self.isAnnotation(part.member), !isLabelled {
        isLabelled = true
        readLabels(entry, row, into: &record)
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
      while i < entry.parts.count, entry.parts[i].member == part.member {
        add(entry.parts[i].inner, row, entry.parts[i].cell, into: &record)
        i += 1
      }
      record.close()
      if record.isEmptyValue(mark) { record.truncate(to: mark) }
    }
    if !isLabelled { readLabels(entry, row, into: &record) }
    record.close()
  }

  /// The labels that the path says, and those of the cell.
  private mutating func readLabels(_ entry: Entry, _ row: borrowing CSVRow, into record: inout Record) {
    var labels = entry.labels
    if let part = entry.parts.first(where: { $0.member == .labels }), !row.isEmpty(part.cell) {
      take(row, part.cell)
      if labels.isEmpty { return addList(.labels, into: &record) }
      labels += CSVCell.texts(text)
    }
    guard !labels.isEmpty else { return }
    record.open(.labels, list: true)
    for label in labels { record.text(.none, made: label) }
    record.close()
  }

  private static func isAnnotation(_ member: Member) -> Bool {
    (Member.labels.rawValue...Member.property.rawValue).contains(member.rawValue)
  }

  /// One part; nothing for an empty cell.
  private mutating func add(_ member: Member, _ row: borrowing CSVRow, _ cell: Int, into record: inout Record) {
    guard !row.isEmpty(cell) else { return }
    take(row, cell)
    if member == .parameters { return addParameters(into: &record) }
    if CSVCell.numbers.contains(member) {
      let text = text.text()
      guard Self.isNumber(text) else {
        return report(.wrongMember, "\(member.key) is no number: \(text.prefix(40)); left out", row.line, leftOut: true)
      }
      return record.number(member, text)
    }
    if CSVColumns.isListMember[Int(member.rawValue)] { addList(member, into: &record) } else { record.text(member, made: text) }
  }

  /// The texts of the cell: a list, or one text where the part need not be a list.
  private mutating func addList(_ member: Member, into record: inout Record) {
    let isOne = text.withBytes { bytes in
      ByteSearch.firstIndex(of: ASCII.semicolon, or: ASCII.backslash, in: bytes, from: 0, to: bytes.count) == bytes.count
    }
    if isOne, !CSVCell.alwaysLists.contains(member) { return record.text(member, made: text) }
    let texts = isOne ? [] : CSVCell.texts(text)
    if texts.count == 1, !CSVCell.alwaysLists.contains(member) { return record.text(member, made: texts[0]) }
    record.open(member, list: true)
    if isOne { record.text(.none, made: text) }
    for text in texts { record.text(.none, made: text) }
    record.close()
  }

  /// The parameters of the cell. Few cells are new: what the others hold is remembered.
  private mutating func addParameters(into record: inout Record) {
    if let known = parameterMemo.value(of: text) { return record.send(known) }
    let found = CSVCell.parameters(text.text())
    parameterMemo.keep(found, for: text)
    record.send(found)
  }

  /// A decimal number as JSON has it.
  static func isNumber(_ text: String) -> Bool {
    var digits = Substring(text)
    if digits.first == "-" { digits = digits.dropFirst() }
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { ASCII.isDigit($0) } }
      && (parts.first == "0" || parts.first?.first != "0")
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
    if let cell = columns.whole?.cell, !row.isEmpty(cell) {
      take(row, cell)
      CSVCell.read(lines: text.text(), into: &record)
    }
    for (name, cell) in columns.lines where !row.isEmpty(cell) {
      take(row, cell)
      UnclaimedText(name: name, group: nil, parameters: [], value: text.text()).send(to: &record)
    }
    record.close()
  }

  // MARK: Cells

  /// Takes the text of a cell without the apostrophe that protects it.
  private mutating func take(_ row: borrowing CSVRow, _ cell: Int) {
    text.removeAll()
    let isUTF8 = row.withCell(cell) { span in
      let start = CSVCell.needsApostrophe(span, 0, span.count) ? 1 : 0
      if UTF8Check.isValid(span, start, span.count) {
        text.append(span, start, span.count)
        return true
      }
      _ = decoder.decode(span, start, span.count, as: fallback, to: &text)
      return false
    }
    if !isUTF8, !saidCharset {
      saidCharset = true
      report(.assumedCharset, "text is no UTF-8; it was read as \(fallback.name), here and below", row.line, leftOut: false)
    }
  }

  private mutating func report(_ rule: Rule, _ message: String, _ line: Int, leftOut: Bool) {
    findings.append(Diagnostic(rule, message, line: line, leftOut: leftOut))
  }
}
