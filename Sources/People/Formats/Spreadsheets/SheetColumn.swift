// What one column of a foreign spreadsheet holds, from the path that a table, a map or a guess gives it.

internal import CardSyntax

/// A column: the field, the value and the part of it that its cells fill, or a word for what no path says.
struct SheetColumn: Sendable {
  /// What a cell is.
  enum Role: Sendable, Hashable {
    case value, label, service
    /// A line that no field claims.
    case line(String)
    /// Something that has to be put together with other cells.
    case special(Special, String)
  }

  /// What a meaning that begins with `=` stands for.
  enum Special: String, Sendable, CaseIterable {
    case year, month, day, initials, primaryPhone, structuredName, sensitivity, `private`
    /// Numbered, as are the rest: the kind of an e-mail address, the name beside it, a field of the user's own.
    case emailType, emailName, customLabel, customValue
  }

  let cell: Int
  let field: Int
  /// The labels, and the number, that tell the values of a field apart.
  let labels: [String]
  let slot: Int
  let member: Member
  let inner: Member
  let role: Role
  /// The messaging service or network that the path names.
  var service = ""
  /// Which line of its part a cell is: headers may be sorted by name.
  var line = 0

  /// The column of a meaning: a path of our own, perhaps with `#` and the number of a line, or `=` and a special word; nil for `-` and for
  /// what is no path to one text.
  init?(_ cell: Int, _ meaning: String) {
    self.cell = cell
    var meaning = meaning
    if let mark = meaning.lastIndex(of: "#"), let number = Int(meaning[meaning.index(after: mark)...]) {
      line = number
      meaning = String(meaning[..<mark])
    }
    if meaning.hasPrefix("=") {
      let word = meaning.dropFirst()
      guard let known = Special.allCases.first(where: { word.hasPrefix($0.rawValue) }) else { return nil }
      role = .special(known, String(word.dropFirst(known.rawValue.count)))
      (field, labels, slot, member, inner) = (-1, [], 0, .none, .none)
      return
    }
    guard meaning != "-", let path = FieldPath(meaning), path.components.count <= 2 else { return nil }
    if path.field == Person.unclaimedField, path.lineName == nil { return nil }
    let row = Person.fields[path.field]
    field = path.field
    if let name = path.lineName {
      (role, labels, slot, member, inner) = (.line(name), [], 0, .none, .none)
      return
    }
    slot = path.place ?? 0
    inner = path.components.count > 1 ? path.components[1] : .none
    var labels = path.labels
    if row.key == "instantMessages" || row.key == "socialProfiles", let first = labels.first {
      if let word = MessagingService.word(first) ?? (row.key == "socialProfiles" ? first : nil) {
        service = word
        labels.removeFirst()
      }
    }
    self.labels = labels
    switch path.components.first {
    case .labels?: (member, role) = (.labels, .label)
    case .service?: (member, role) = (.service, .service)
    case let named?: (member, role) = (named, .value)
    case nil:
      role = .value
      switch row.key {
      case "instantMessages": member = .handle
      case "socialProfiles": member = .username
      default:
        guard CSVColumns.layouts[path.field] != .details, CSVColumns.layouts[path.field] != .agent, let text = row.kind.textMember else {
          return nil
        }
        member = text
      }
    }
  }
}

/// Columns that somebody mapped by hand: `Column=path`, one a line or divided by commas.
package struct ColumnMap: Sendable {
  /// What was wrong with a map.
  package struct Problem: Error {
    package let message: String
  }

  private var meanings: [String: String] = [:]
  private var places: [Int: String] = [:]

  /// Do numbers alone name the columns? Then the file has no header row.
  package var hasNumbersAlone: Bool { meanings.isEmpty && !places.isEmpty }

  /// Reads a map. A name or path with a comma stands in quotes; `#` begins a comment line; a path `-` leaves the column out; a number
  /// names a column by its place, from 1, in a file without a header.
  package init(_ text: String) throws(Problem) {
    for line in text.split(whereSeparator: \.isNewline) where !SheetHeader.trimmed(String(line)).hasPrefix("#") {
      for entry in Self.entries(String(line)) {
        if entry.name.isEmpty && entry.path == nil { continue }
        guard let path = entry.path, !entry.name.isEmpty else { throw Problem(message: "'\(entry.name)' is not Column=path") }
        guard path == "-" || SheetColumn(0, path) != nil else {
          throw Problem(message: "'\(path)' names no part of a contact that a cell can hold (see 'vcard help paths')")
        }
        if let number = Int(entry.name), number > 0, !entry.wasQuoted {
          places[number - 1] = path
        } else {
          meanings[SheetVocabulary.plain(entry.name)] = path
        }
      }
    }
    if meanings.isEmpty && places.isEmpty { throw Problem(message: "the map is empty") }
  }

  private static func entries(_ line: String) -> [(name: String, path: String?, wasQuoted: Bool)] {
    var found: [(name: String, path: String?, wasQuoted: Bool)] = []
    var (name, path, wasQuoted, isOpen) = ("", String?.none, false, false)
    for c in line + "," {
      switch c {
      // Quotes of a path belong to it: phones."boat house".
      case "\"":
        isOpen.toggle()
        if path == nil { wasQuoted = true } else { path?.append(c) }
      case "," where !isOpen:
        found.append((SheetHeader.trimmed(name), path.map(SheetHeader.trimmed), wasQuoted))
        (name, path, wasQuoted) = ("", nil, false)
      case "=" where !isOpen && path == nil: path = ""
      default: if path == nil { name.append(c) } else { path?.append(c) }
      }
    }
    return found
  }

  /// A column's name as a map has it.
  static func quoted(_ name: String) -> String {
    name.contains { $0 == "," || $0 == "=" || $0 == "#" } || Int(name) != nil
      ? "\"\(name.filter { $0 != "\"" })\"" : name.filter { $0 != "\"" }
  }

  /// What the column of a plain name, or at a place, holds; nil where the map says nothing.
  func meaning(of name: String, place: Int) -> String? { meanings[name] ?? places[place] }
}
