// What the columns of our own CSV are of a contact: the header's paths, put in the order in which a row is read.

internal import Bytes

/// What each cell of a row is of a contact.
struct CSVRowPlan: Sendable {
  /// What a cell is of its value.
  struct Part: BitwiseCopyable {
    /// What stands in the cell.
    enum Form { case text, list, listOrText, number, parameters }

    let cell: Int
    let member: Member
    let inner: Member
    let form: Form

    init(cell: Int, member: Member, inner: Member = .none) {
      (self.cell, self.member, self.inner) = (cell, member, inner)
      let own = inner == .none ? member : inner
      form =
        own == .parameters
        ? .parameters
        : CSVCell.alwaysLists.contains(own)
          ? .list : CSVCell.listMembers.contains(own) ? .listOrText : CSVCell.numbers.contains(own) ? .number : .text
    }
  }

  /// The columns of one value: places in `parts` where its parts begin, then what it carries besides, and where that ends.
  struct Entry: BitwiseCopyable {
    let first: Int, carried: Int, end: Int
    /// The place in `labels` of those that the path names; nil where it names none.
    let labels: Int?
  }

  /// The columns of one field.
  struct Columns: BitwiseCopyable {
    let field: Int
    let layout: CSVColumns.Layout
    /// The cell of a list or of the one text.
    let whole: Part?
    /// Where its values stand in `entries`: from `firstEntry` up to, without, `endOfEntries`.
    let firstEntry: Int, endOfEntries: Int
  }

  /// The fields of the header, in the table's order.
  private(set) var columns: [Columns] = []
  private(set) var entries: [Entry] = []
  private(set) var parts: [Part] = []
  private(set) var labels: [[String]] = []
  /// What the lines of fields of one value carry besides it.
  private(set) var details: [(field: Int, entry: Int)] = []
  /// Unclaimed lines by their names, a cell each.
  private(set) var lines: [(name: String, cell: Int)] = []
  /// Columns whose heads are no paths, by number, with their heads.
  private(set) var unknown: [(number: Int, head: String)] = []

  init(header: [String]) {
    var byField: [Int: Draft] = [:]
    for (number, cell) in header.enumerated() {
      let head = Self.trimmed(cell)
      guard let path = FieldPath(head), byField[path.field, default: Draft()].add(path, number) else {
        if !head.isEmpty { unknown.append((number, head)) }
        continue
      }
    }
    for (field, draft) in byField.sorted(by: { $0.key < $1.key }) {
      let first = entries.count
      for entry in draft.entries { add(entry) }
      columns.append(
        Columns(
          field: field, layout: CSVColumns.layouts[field], whole: draft.whole, firstEntry: first, endOfEntries: entries.count))
      if !draft.details.isEmpty {
        details.append((field, entries.count))
        add(Draft.Entry(labels: [], number: 0, parts: draft.details), isSorted: true)
      }
      lines += draft.lines
    }
  }

  /// How many cells of a header row are paths.
  static func known(in cells: [String]) -> Int { cells.count { FieldPath(trimmed($0)) != nil } }

  private static func trimmed(_ text: String) -> String {
    guard text.utf8.first == ASCII.space || text.utf8.last == ASCII.space else { return text }
    let begin = text.drop { $0 == " " }
    return begin.lastIndex { $0 != " " }.map { String(begin[...$0]) } ?? ""
  }

  private mutating func add(_ draft: Draft.Entry, isSorted: Bool = false) {
    let first = parts.count
    parts += isSorted ? draft.parts : draft.parts.sorted { CSVColumn.rank($0.member, $0.inner) < CSVColumn.rank($1.member, $1.inner) }
    let carried = parts[first...].firstIndex { $0.member.isAnnotation } ?? parts.count
    entries.append(Entry(first: first, carried: carried, end: parts.count, labels: draft.labels.isEmpty ? nil : labels.count))
    if !draft.labels.isEmpty { labels.append(draft.labels) }
  }
}

/// The columns of a field, as they come.
private struct Draft {
  typealias Part = CSVRowPlan.Part

  /// The path's labels and number, which tell entries apart.
  private struct EntryName: Hashable {
    let labels: [String], number: Int
  }

  /// The columns of one value.
  struct Entry {
    let labels: [String], number: Int
    var parts: [Part] = []
  }

  var whole: Part?
  private(set) var entries: [Entry] = []
  private var places: [EntryName: Int] = [:]
  var details: [Part] = []
  var lines: [(name: String, cell: Int)] = []

  /// Adds a column; false where its path names no place.
  mutating func add(_ path: FieldPath, _ cell: Int) -> Bool {
    var members = path.components
    let field = Person.fields[path.field]
    if members.count > 2 { return false }
    switch CSVColumns.layouts[path.field] {
    case .details: return false
    case .unclaimed:
      if let name = path.lineName {
        lines.append((name, cell))
      } else {
        whole = Part(cell: cell, member: .none)
      }
    case .agent:
      if let member = members.first {
        guard Self.isDetail(member) else { return false }
        details.append(Part(cell: cell, member: member))
      } else {
        whole = Part(cell: cell, member: .none)
      }
    case .one:
      if let member = members.first, Self.isDetail(member) {
        details.append(Part(cell: cell, member: member))
      } else if let member = field.kind.textMember, members.isEmpty || members == [member] && member == .value {
        let part = Part(cell: cell, member: member)
        if member == .value { whole = part } else { append(part, [], 0) }
      } else if let member = members.first {
        append(Part(cell: cell, member: member, inner: members.count > 1 ? members[1] : .none), [], 0)
      } else {
        return false
      }
    case .texts where path.namesList && path.labels.isEmpty:
      whole = Part(cell: cell, member: .none)
    case .texts, .many:
      if path.namesList && path.labels.isEmpty {
        whole = Part(cell: cell, member: field.kind.textMember ?? .value)
        return field.kind.textMember != nil
      }
      if members.isEmpty {
        guard let member = field.kind.textMember else { return false }
        members = [member]
      }
      let part = Part(cell: cell, member: members[0], inner: members.count > 1 ? members[1] : .none)
      append(part, path.labels, path.place ?? 0)
    }
    return true
  }

  private mutating func append(_ part: Part, _ labels: [String], _ number: Int) {
    let name = EntryName(labels: labels, number: number)
    let known = places[name] ?? entries.count
    if known == entries.count {
      entries.append(Entry(labels: labels, number: number))
      places[name] = known
    }
    entries[known].parts.append(part)
  }

  private static func isDetail(_ member: Member) -> Bool {
    member == .parameters || member == .group || member == .id || member == .property
  }
}
