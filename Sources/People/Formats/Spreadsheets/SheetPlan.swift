// Which columns of a foreign spreadsheet make up which values of a contact.

internal import CardSyntax

/// The columns of a header by what they fill: the values of fields, lines, and things that have to be put together.
struct SheetPlan: Sendable {
  /// The columns of one value.
  struct Entry: Sendable {
    let labels: [String], slot: Int, service: String
    /// The parts of the value, in the order of their lines.
    fileprivate(set) var values: [SheetColumn] = []
    /// The cells that say what the value is for, and by which service.
    fileprivate(set) var label: Int?
    fileprivate(set) var serviceCell: Int?
    /// May its cells hold several values, divided by ` ::: `?
    fileprivate(set) var joinsValues = false
  }

  /// The columns of one field.
  struct FieldColumns: Sendable {
    let field: Int
    fileprivate(set) var entries: [Entry] = []
  }

  private(set) var fields: [FieldColumns] = []
  /// Lines that no field claims, by their names.
  private(set) var lines: [(name: String, cell: Int)] = []
  /// What has to be put together with other cells.
  private(set) var specials: [(special: SheetColumn.Special, number: String, cell: Int)] = []
  private var specialCells: [String: Int] = [:]
  /// Columns that nobody knows, which become lines of their own.
  private(set) var keptColumns: [(cell: Int, head: String, line: String)] = []

  init(_ header: SheetHeader) {
    var places: [Key: (field: Int, entry: Int)] = [:]
    for (cell, meaning) in header.meanings.enumerated() where !header.heads[cell].isEmpty {
      guard let meaning else {
        let line = Self.lineName(header.heads[cell], cell)
        keptColumns.append((cell, header.heads[cell], line))
        lines.append((line, cell))
        continue
      }
      guard let column = SheetColumn(cell, meaning) else { continue }
      switch column.role {
      case .line(let name): lines.append((name, cell))
      case .special(let special, let number):
        specials.append((special, number, cell))
        specialCells[special.rawValue + number] = cell
      case .value, .label, .service:
        // The numbered groups alone are lists: a note may well hold the sign that divides them.
        add(column, joins: header.dialect?.joinsValues == true && SheetDialect.groupMeaning(header.heads[cell]) != nil, &places)
      }
    }
    for i in fields.indices { Self.sort(&fields[i].entries) }
  }

  /// What tells the values of a field apart.
  private struct Key: Hashable {
    let field: Int, labels: [String], slot: Int, service: String
  }

  /// Adds a column to those of its value; `places` says where each field and value stands.
  private mutating func add(_ column: SheetColumn, joins: Bool, _ places: inout [Key: (field: Int, entry: Int)]) {
    let whole = Key(field: column.field, labels: [], slot: -1, service: "")
    let key =
      Person.fields[column.field].isOne
      ? whole : Key(field: column.field, labels: column.labels, slot: column.slot, service: column.service)
    if places[whole] == nil {
      places[whole] = (fields.count, 0)
      fields.append(FieldColumns(field: column.field))
      if key == whole { fields[fields.count - 1].entries.append(Entry(labels: [], slot: 0, service: "")) }
    }
    guard let field = places[whole]?.field else { return }
    if places[key] == nil {
      places[key] = (field, fields[field].entries.count)
      fields[field].entries.append(Entry(labels: column.labels, slot: column.slot, service: column.service))
    }
    guard let entry = places[key]?.entry else { return }
    if joins { fields[field].entries[entry].joinsValues = true }
    switch column.role {
    case .label: fields[field].entries[entry].label = column.cell
    case .service: fields[field].entries[entry].serviceCell = column.cell
    case .value, .line, .special: fields[field].entries[entry].values.append(column)
    }
  }

  /// Puts the values that numbers alone tell apart in the order of these, and the lines of a part in theirs, wherever their columns stand.
  private static func sort(_ entries: inout [Entry]) {
    let places = entries.indices.filter { entries[$0].labels.isEmpty && entries[$0].service.isEmpty }
    let sorted = places.map { entries[$0] }.sorted { $0.slot < $1.slot }
    for (place, entry) in zip(places, sorted) { entries[place] = entry }
    for i in entries.indices { entries[i].values.sort { $0.line < $1.line } }
  }

  /// The cell of something that has to be put together; nil where no column holds it.
  func cell(_ special: SheetColumn.Special, _ number: String = "") -> Int? { specialCells[special.rawValue + number] }

  /// The columns that hold dates.
  var dateColumns: [Int] {
    fields.filter { Person.fields[$0.field].kind is DateKind }.flatMap { $0.entries.flatMap(\.values) }.map(\.cell)
  }

  /// A line's name for a column that nobody knows.
  static func lineName(_ head: String, _ cell: Int) -> String {
    var name = ""
    for c in head.uppercased() {
      if c.isASCII, c.isLetter || c.isNumber { name.append(c) } else if name.last != "-", !name.isEmpty { name.append("-") }
    }
    while name.last == "-" { name.removeLast() }
    return "X-" + (name.isEmpty ? "COLUMN-\(cell + 1)" : String(name.prefix(60)))
  }
}
