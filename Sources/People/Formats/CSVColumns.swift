// The columns of our own CSV: paths, in the table's order; which ones a book of contacts needs.

internal import Bytes

/// One column: a field, the number of the value, the part of it.
struct CSVColumn: Hashable, Sendable, Comparable {
  var field: Int
  /// Counted from 1; 0 where the field has one value, or all share the cell.
  var number = 0
  var member = Member.none
  /// The part of the part (`location.latitude`).
  var inner = Member.none

  /// The path that heads the column.
  var path: String {
    var path = Person.fields[field].key
    if number > 0 { path += ".\(number)" }
    if member != .none { path += "." + member.key }
    if inner != .none { path += "." + inner.key }
    return path
  }

  static func < (a: CSVColumn, b: CSVColumn) -> Bool {
    (a.field, a.number, rank(a.member, a.inner)) < (b.field, b.number, rank(b.member, b.inner))
  }

  /// The order of the parts of a value: what is said about it stands behind it.
  static func rank(_ member: Member, _ inner: Member) -> Int {
    let isAnnotation = (Member.labels.rawValue...Member.property.rawValue).contains(member.rawValue)
    return (isAnnotation ? 1 << 16 : 0) + Int(member.rawValue) << 8 + Int(inner.rawValue)
  }
}

/// The columns that the contacts of a book need, collected contact by contact.
struct CSVColumns: Sendable {
  /// How the values of a field stand in cells.
  enum Layout { case one, texts, many, details, unclaimed, agent }

  /// The layout of every field.
  static let layouts: [Layout] = Person.fields.enumerated().map { number, field in
    if number == Person.detailsField { return .details }
    if field.kind is AgentKind { return .agent }
    switch field.layout {
    case .one: return .one
    case .texts: return .texts
    case .many: return .many
    case .unclaimed: return .unclaimed
    }
  }
  /// The most columns that a row may have.
  static let limit = 20_000

  /// The number that no column has; what stands under it stands first in the row.
  static let first = 0

  /// The numbers of the columns, from 1 in the order in which they were needed: by field, number of the value and part; 0 elsewhere.
  private var numbers: [[UInt32]] = Array(repeating: [], count: Person.fields.count)
  /// The same for parts of parts.
  private var innerNumbers: [CSVColumn: UInt32] = [:]
  /// The columns by their numbers.
  private var noted: [CSVColumn] = []

  private static let stride = Member.allCases.count

  /// The number of a column; 0 where nobody needed it.
  func number(of column: CSVColumn) -> Int {
    if column.inner != .none { return Int(innerNumbers[column] ?? 0) }
    let index = column.number * Self.stride + Int(column.member.rawValue)
    return index < numbers[column.field].count ? Int(numbers[column.field][index]) : 0
  }

  /// The number of a column that a contact needs; 0 where a row has no room for more.
  mutating func note(_ column: CSVColumn) -> Int {
    let known = number(of: column)
    guard known == 0, column.number <= Self.limit, noted.count < Self.limit else { return known }
    noted.append(column)
    take(column, as: noted.count)
    return noted.count
  }

  /// Gives a column a number, if it has none.
  mutating func take(_ column: CSVColumn, as number: Int) {
    guard self.number(of: column) == 0 else { return }
    if column.inner != .none {
      innerNumbers[column] = UInt32(number)
      return
    }
    let missing = (column.number + 1) * Self.stride - numbers[column.field].count
    if missing > 0 { numbers[column.field] += Array(repeating: 0, count: missing) }
    numbers[column.field][column.number * Self.stride + Int(column.member.rawValue)] = UInt32(number)
  }

  /// The columns that were noted, in order, and where each stands; a table has one at least.
  func settled() -> (columns: [CSVColumn], layout: LooseRows.Layout) {
    let order = noted.indices.sorted { noted[$0] < noted[$1] }
    var places = [Int](repeating: 0, count: noted.count + 1)
    for (place, index) in order.enumerated() { places[index + 1] = place }
    let columns = noted.isEmpty ? Person.field("fullName").map { [CSVColumn(field: $0)] } ?? [] : order.map { noted[$0] }
    return (columns, LooseRows.Layout(places: places, count: max(columns.count, 1)))
  }
}
