// Reads rows of foreign spreadsheets: cells are put together to values, values to a person.

internal import Bytes
internal import CardSyntax
internal import DataSyntax

/// Reads the rows below a header that was understood.
struct SheetRowReader: ~Copyable {
  let header: SheetHeader
  private let plan: SheetPlan
  /// The order of day and month, by column.
  private let orders: [Int: SheetDate.Order]
  /// Did a spreadsheet have the cells, so that what it does to them is to be undone?
  private let isSpreadsheet: Bool
  /// What was wrong with the row read last.
  private(set) var findings: [Diagnostic] = []
  private var raw = Record()
  private var person = Person()
  private var texts: [String] = []
  private var row = 0
  private var numbers: PhoneDamage

  /// A reader. `orders` says how the dates of each column are to be read.
  init(header: SheetHeader, orders: [Int: SheetDate.Order], isSpreadsheet: Bool = true) {
    (self.header, self.orders, self.isSpreadsheet) = (header, orders, isSpreadsheet)
    plan = SheetPlan(header)
    numbers = PhoneDamage(language: header.language)
  }

  /// Columns that nobody knows, which become lines of their own.
  var keptColumns: [(cell: Int, head: String, line: String)] { plan.keptColumns }

  // MARK: Rows

  /// Reads a row whose cells are UTF-8. False where it holds no contact.
  mutating func read(_ cells: [String], line: Int, into record: inout Record) -> Bool {
    findings = []
    row = line
    texts = cells
    for i in texts.indices {
      if isSpreadsheet { texts[i] = SheetCell.text(texts[i]) }
      if texts[i].utf8.allSatisfy({ $0 == ASCII.space }) { texts[i] = "" }
      guard isSpreadsheet, texts[i].hasPrefix("#"), SheetCell.isErrorWord(texts[i]) else { continue }
      report(.spreadsheetDamage, "\"\(head(i))\" is \(texts[i]), a spreadsheet's mark of an error; left out", leftOut: true)
      texts[i] = ""
    }
    raw.begin(source: [], version: .v40)
    for columns in plan.fields { read(columns) }
    person = Person(raw)
    for (name, cell) in plan.lines where !text(cell).isEmpty { addLine(name, text(cell)) }
    readSpecials()
    SheetRepair.settle(&person)
    if header.dialect?.name == SheetDialect.linkedIn.name, person.fullName == nil, person.emails.isEmpty {
      report(.namelessRow, "a connection without name and address, a closed account; passed over", leftOut: false)
      return false
    }
    record = Record(person)
    return !record.tokens.isEmpty
  }

  private func text(_ cell: Int) -> String { cell < texts.count ? texts[cell] : "" }
  private func head(_ cell: Int) -> String { cell < header.heads.count ? String(header.heads[cell].prefix(60)) : "" }

  private mutating func report(_ rule: Rule, _ message: String, leftOut: Bool = false, severity: Severity? = nil) {
    findings.append(Diagnostic(rule, message, line: row, severity: severity, leftOut: leftOut))
  }

  private mutating func addLine(_ name: String, _ text: String, label: String = "") {
    let parameters = label.isEmpty ? [] : [ParameterValues(asWritten: "X-LABEL", [label])]
    person.unclaimed.append(UnclaimedLine(name, parameters: parameters, value: SheetRow.escaped(text)))
  }

  // MARK: Fields

  private mutating func read(_ columns: SheetPlan.FieldColumns) {
    let field = Person.fields[columns.field]
    let mark = raw.tokens.count
    raw.field(columns.field)
    switch field.layout {
    case .one: readOne(columns, field)
    case .texts:
      raw.open(list: true)
      for entry in columns.entries { readTexts(entry, field) }
      raw.close()
    case .many:
      raw.open(list: true)
      for entry in columns.entries { readMany(entry, field) }
      raw.close()
    case .unclaimed: break
    }
    if raw.tokens.count == mark + 1 || raw.isEmptyValue(mark + 1) { raw.truncate(to: mark) }
  }

  private mutating func readOne(_ columns: SheetPlan.FieldColumns, _ field: Field) {
    guard let entry = columns.entries.first else { return }
    if field.kind is DateKind {
      if let column = entry.values.first(where: { !text($0.cell).isEmpty }), let date = date(text(column.cell), column.cell) {
        raw.text(.none, made: date)
      }
      return
    }
    if field.kind is GenderKind {
      if let column = entry.values.first(where: { !text($0.cell).isEmpty }) { SheetRepair.gender(text(column.cell), to: &raw) }
      return
    }
    if field.kind.textMember == .value {
      if let column = entry.values.first(where: { !text($0.cell).isEmpty }) { raw.text(.none, made: text(column.cell)) }
      return
    }
    raw.open()
    let texts = texts
    addMembers(entry, of: field) { $0 < texts.count ? texts[$0] : "" }
    raw.close()
  }

  private mutating func readTexts(_ entry: SheetPlan.Entry, _ field: Field) {
    for column in entry.values {
      let cell = text(column.cell)
      guard !cell.isEmpty else { continue }
      for text in SheetRepair.list(cell, isGroups: field.key == "categories", joined: header.dialect?.joinsValues == true) {
        raw.text(.none, made: text)
      }
    }
  }

  /// The parts of a value, each once: cells of one part are put together.
  private mutating func addMembers(_ entry: SheetPlan.Entry, of field: Field, _ pick: (Int) -> String) {
    var parts: [(member: Member, inner: Member, text: String)] = []
    for column in entry.values {
      let text = pick(column.cell)
      guard !text.isEmpty else { continue }
      if let known = parts.firstIndex(where: { $0.member == column.member && $0.inner == column.inner }) {
        parts[known].text += (column.member == .street ? "\n" : " ") + text
      } else {
        parts.append((column.member, column.inner, text))
      }
    }
    parts.sort { CSVColumn.rank($0.member, $0.inner) < CSVColumn.rank($1.member, $1.inner) }
    var i = 0
    while i < parts.count {
      let part = parts[i]
      guard part.inner != .none else {
        add(part.member, part.text)
        i += 1
        continue
      }
      raw.open(part.member)
      while i < parts.count, parts[i].member == part.member {
        add(parts[i].inner, parts[i].text)
        i += 1
      }
      raw.close()
    }
  }

  private mutating func add(_ member: Member, _ text: String) {
    if CSVCell.numbers.contains(member) {
      if CSVRowReader.isNumber(text) {
        raw.number(member, text)
      } else {
        report(.wrongMember, "\(member.key) is no number: \(text.prefix(40)); left out", leftOut: true)
      }
    } else if CSVCell.alwaysLists.contains(member) {
      raw.open(member, list: true)
      raw.text(.none, made: text)
      raw.close()
    } else {
      raw.text(member, made: text)
    }
  }

  private mutating func readMany(_ entry: SheetPlan.Entry, _ field: Field) {
    let (label, service) = (entry.label.map { text($0) } ?? "", entry.serviceCell.map { text($0) } ?? "")
    guard entry.values.contains(where: { !text($0.cell).isEmpty }) else {
      if label.contains("@"), field.key == "emails" { readMisplaced(label, entry) }
      return
    }
    let texts = texts
    guard entry.joinsValues, entry.values.contains(where: { text($0.cell).contains(":::") }) else {
      return addValue(entry, field, label: label, service: service) { $0 < texts.count ? texts[$0] : "" }
    }
    // The cells of all parts are lists then, which belong together by their places.
    var lists: [Int: [String]] = [:]
    for column in entry.values { lists[column.cell] = Self.joined(text(column.cell)) }
    let (labels, services) = (Self.joined(label), Self.joined(service))
    for number in 0..<(lists.values.map(\.count).max() ?? 0) {
      var label = number < labels.count ? labels[number] : labels.count == 1 ? labels[0] : ""
      if number > 0, labels.count == 1, label.hasPrefix("*") { label = String(label.dropFirst()) }
      let service = number < services.count ? services[number] : services.count == 1 ? services[0] : ""
      addValue(entry, field, label: label, service: service) { cell in
        guard let list = lists[cell], number < list.count else { return "" }
        return list[number]
      }
    }
  }

  /// The values of a cell that are divided by ` ::: `.
  static func joined(_ cell: String) -> [String] { cell.parts(dividedBy: ":::").map(SheetHeader.trimmed) }

  /// Adds one value; `pick` gives the text of each of its cells.
  private mutating func addValue(
    _ entry: SheetPlan.Entry, _ field: Field, label: String, service: String, _ pick: (Int) -> String
  ) {
    guard let first = entry.values.first(where: { !pick($0.cell).isEmpty }) else { return }
    let value = pick(first.cell)
    var (labels, isPrimary) = SheetDialect.labels(ofCell: label)
    labels = entry.labels + labels.filter { !entry.labels.contains($0) }
    switch field.key {
    case "emails":
      guard value.contains("@") else { return rejectAddress(value, label, first.cell, &labels, isPrimary) }
      for (number, address) in Self.addresses(value).enumerated() {
        addObject(labels, isPrimary && number == 0) { $0.text(.value, made: address) }
      }
    case "phones":
      guard !checkPhone(value, label, first.cell) else { return }
      addObject(labels, isPrimary) { $0.text(.value, made: value) }
    case "dates":
      guard let date = date(value, first.cell) else { return }
      addObject(labels, isPrimary) { $0.text(.value, made: date) }
    case "related" where labels.contains("child"):
      for name in value.split(whereSeparator: { $0 == ";" || $0 == "," }).map({ SheetHeader.trimmed(String($0)) }) where !name.isEmpty {
        addObject(labels, false) { $0.text(.value, made: name) }
      }
    case "instantMessages":
      let named = entry.service.isEmpty ? MessagingService.word(service) ?? service.lowercased() : entry.service
      addObject(labels, isPrimary) { raw in
        let ofScheme = value.uriScheme.flatMap { MessagingService.ofScheme(String($0)) }
        if let word = named.isEmpty ? ofScheme : named { raw.text(.service, made: word) }
        if ofScheme != nil, let colon = value.firstIndex(of: ":") {
          raw.text(.handle, made: value[value.index(after: colon)...])
          raw.text(.uri, made: value)
        } else {
          raw.text(.handle, made: value)
        }
      }
    case "socialProfiles":
      addObject(labels, isPrimary) { raw in
        if !entry.service.isEmpty || !service.isEmpty { raw.text(.service, made: entry.service.isEmpty ? service : entry.service) }
        raw.text(value.uriScheme == nil ? .username : .uri, made: value)
      }
    default:
      raw.open()
      addMembers(entry, of: field, pick)
      close(labels, isPrimary)
    }
  }

  /// The addresses of a cell: several, if every part between semicolons, commas or line breaks is one.
  private static func addresses(_ cell: String) -> [String] {
    let parts = cell.split { $0 == ";" || $0 == "," || $0 == "\n" }.map { SheetHeader.trimmed(String($0)) }.filter { !$0.isEmpty }
    return parts.count > 1 && parts.allSatisfy { $0.contains("@") && !$0.contains(" ") } ? parts : [cell]
  }

  private mutating func addObject(_ labels: [String], _ isPrimary: Bool, _ body: (inout Record) -> Void) {
    raw.open()
    body(&raw)
    close(labels, isPrimary)
  }

  private mutating func close(_ labels: [String], _ isPrimary: Bool) {
    if !labels.isEmpty {
      raw.open(.labels, list: true)
      for label in labels { raw.text(.none, made: label) }
      raw.close()
    }
    if isPrimary { raw.number(.preference, "1") }
    raw.close()
  }

  private mutating func date(_ text: String, _ cell: Int) -> String? {
    switch SheetDate.read(text, orders[cell] ?? .monthDay) {
    case .none: return nil
    case .date(let date): return date.iso
    case .text: return text
    }
  }

  // MARK: Cells in the wrong place

  private mutating func readMisplaced(_ label: String, _ entry: SheetPlan.Entry) {
    report(.misplacedCell, "\"\(entry.label.map { head($0) } ?? "")\" holds an address; it was taken as the value")
    addObject(entry.labels, false) { $0.text(.value, made: SheetHeader.trimmed(label)) }
  }

  /// An e-mail value without `@`: the label's cell may hold it; what an Exchange server calls an address is kept as a line.
  private mutating func rejectAddress(_ value: String, _ label: String, _ cell: Int, _ labels: inout [String], _ isPrimary: Bool) {
    if label.contains("@") {
      report(.misplacedCell, "\"\(head(cell))\" and its label have changed places; put right")
      let (own, isPrimary) = SheetDialect.labels(ofCell: value)
      return addObject(own, isPrimary) { $0.text(.value, made: SheetHeader.trimmed(label)) }
    }
    if SheetDialect.isLabelWord(value) {
      return report(.misplacedCell, "\"\(head(cell))\" is \"\(value.prefix(60))\", a label and no address; left out", leftOut: true)
    }
    let name = value.lowercased().hasPrefix("/o=") ? "X-EX-ADDRESS" : "X-EMAIL-TEXT"
    report(.misplacedCell, "\"\(head(cell))\" is no e-mail address: \(value.prefix(60)); kept as \(name)")
    pendingLines.append((name, value))
  }
  private var pendingLines: [(name: String, value: String)] = []

  /// Looks at a phone number; true where it was dealt with here.
  private mutating func checkPhone(_ value: String, _ label: String, _ cell: Int) -> Bool {
    guard isSpreadsheet else { return false }
    if SheetDialect.isLabelWord(value), label.contains(where: \.isNumber), !SheetDialect.isLabelWord(label) {
      report(.misplacedCell, "\"\(head(cell))\" and its label have changed places; put right")
      let (own, isPrimary) = SheetDialect.labels(ofCell: value)
      addObject(own, isPrimary) { $0.text(.value, made: SheetHeader.trimmed(label)) }
      return true
    }
    if SheetDialect.isLabelWord(value) {
      report(.misplacedCell, "\"\(head(cell))\" is \"\(value)\", a label's word and no number; kept as it stands")
    } else if let damage = numbers.damage(of: value, line: row) {
      report(.spreadsheetDamage, damage)
    }
    return false
  }

  /// What is to be said when all rows are read.
  var closingFinding: Diagnostic? { numbers.closingFinding }

  // MARK: What several cells tell together

  private mutating func readSpecials() {
    for (name, value) in pendingLines { addLine(name, value) }
    pendingLines = []
    guard !plan.specials.isEmpty else { return }
    func cell(_ special: SheetColumn.Special, _ number: String = "") -> String {
      plan.cell(special, number).map { SheetHeader.trimmed(text($0)) } ?? ""
    }
    readBirthday(cell(.year), cell(.month), cell(.day))
    for (special, number, place) in plan.specials {
      let value = text(place)
      guard !SheetHeader.trimmed(value).isEmpty else { continue }
      switch special {
      case .year, .month, .day, .customLabel: break
      case .initials: if !SheetRepair.areInitials(value, of: person.name) { addLine("X-INITIALS", value) }
      case .primaryPhone: readPrimaryPhone(value)
      case .structuredName: if person.name == nil { person.name = SheetRepair.name(value) }
      case .sensitivity, .private:
        if let word = SheetRepair.classification(value) { person.classification = person.classification ?? word }
      case .emailType: break
      case .emailName:
        if person.fullName == nil, person.name == nil {
          person.fullName = SheetHeader.trimmed(String(value.prefix { $0 != "(" }))
        } else if !SheetRepair.isDerived(value, person) {
          addLine("X-EMAIL-DISPLAY-NAME", value)
        }
      case .customValue: readCustom(value, label: cell(.customLabel, number))
      }
    }
    if !ownCells.isEmpty { SheetRepair.take(ownCells, into: &person) }
    ownCells = []
  }

  /// A day whose year, month and day have a column each.
  private mutating func readBirthday(_ year: String, _ month: String, _ day: String) {
    let parts = [year, month, day].map { Int($0) ?? 0 }
    guard parts.contains(where: { $0 > 0 }), person.birthday == nil else {
      if ![year, month, day].allSatisfy({ $0.isEmpty || Int($0) == 0 }) {
        addLine("X-BIRTHDAY-TEXT", [year, month, day].joined(separator: " "))
      }
      return
    }
    func padded(_ n: Int, _ width: Int) -> String { String(repeating: "0", count: max(0, width - "\(n)".count)) + "\(n)" }
    let (y, m, d) = (parts[0], parts[1], parts[2])
    let date: String
    switch (y > 0, m > 0, d > 0) {
    case (true, true, true): date = padded(y, 4) + "-" + padded(m, 2) + "-" + padded(d, 2)
    case (true, true, false): date = padded(y, 4) + "-" + padded(m, 2)
    case (true, false, false): date = padded(y, 4)
    case (false, true, true): date = "--" + padded(m, 2) + "-" + padded(d, 2)
    case (false, true, false): date = "--" + padded(m, 2)
    case (false, false, true): date = "---" + padded(d, 2)
    default: date = [year, month, day].joined(separator: " ")
    }
    person.birthday = PartialDate(date)
  }

  /// The phone that is called first: the number again, or one of its own; some programs name its kind instead.
  private mutating func readPrimaryPhone(_ value: String) {
    guard value.contains(where: \.isNumber), !checkPhone(value, "", 0) else { return }
    if let known = person.phones.firstIndex(where: { $0.value.number == value }) {
      person.phones[known].preference = 1
    } else {
      person.phones.append(Labeled(PhoneNumber(value), preference: 1))
    }
  }

  /// Cells of our own dialect that stand in fields of the user's own.
  private var ownCells: [(path: String, text: String)] = []

  /// A field of the user's own: one of our paths, if that is its label, else a line.
  private mutating func readCustom(_ value: String, label: String) {
    let names = Self.joined(label)
    for (place, text) in Self.joined(value).enumerated() where !text.isEmpty {
      let name = place < names.count ? names[place] : names.last ?? ""
      if SheetRepair.isPath(name) {
        ownCells.append((name, text))
        continue
      }
      if let service = MessagingService.word(name) {
        person.instantMessages.append(Labeled(InstantMessage(service: service, handle: text)))
        continue
      }
      let isLineName =
        name.lowercased().hasPrefix("x-") && name.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.dash }
      if isLineName { addLine(name, text) } else { addLine(SheetPlan.lineName(name.isEmpty ? "custom" : name, 0), text, label: name) }
    }
  }
}
