// A contact as a row of another program's spreadsheet: cells by the names of their columns, and what found none.

internal import Bytes
internal import CardSyntax

/// The cells of a row while they are filled, and the rest of the person that they do not hold.
struct SheetRow {
  /// The text of each fixed column that has one.
  private(set) var cells: [String: String] = [:]
  /// The values of Google's numbered groups: for each a text by part.
  private(set) var groups: [String: [[String: String]]] = [:]
  /// What the cells do not hold yet: values are taken out as they are put into cells.
  var rest: Person
  /// What was left out, for people.
  private(set) var leftOut: [String] = []
  /// Is one of these a value that somebody may miss?
  private(set) var misses = false

  /// A row that has nothing yet of a person. Lines without a value say nothing that a cell could.
  init(_ person: Person) {
    rest = person
    rest.unclaimed.removeAll { $0.value.allSatisfy { $0 == ";" || $0 == " " } }
  }

  /// Fills a column; an empty text leaves it as it is.
  mutating func put(_ column: String, _ text: String?) {
    if let text, !text.isEmpty { cells[column] = text }
  }

  /// Has the column no text yet?
  func isFree(_ column: String) -> Bool { cells[column] == nil }

  /// Adds a value of a group.
  mutating func add(_ group: String, _ parts: [String: String]) { groups[group, default: []].append(parts) }

  // MARK: What all programs have

  /// The texts of a list of name parts in one cell.
  static func joined(_ texts: [String]) -> String { texts.filter { !$0.isEmpty }.joined(separator: " ") }

  /// Takes the first value that fits out of a list of the person.
  mutating func take<Value>(
    _ list: WritableKeyPath<Person, [Labeled<Value>]>, where fits: (Labeled<Value>) -> Bool = { _ in true }
  ) -> Labeled<Value>? {
    guard let place = rest[keyPath: list].firstIndex(where: fits) else { return nil }
    return rest[keyPath: list].remove(at: place)
  }

  /// Takes the line of this name, as plain text.
  mutating func takeLine(_ name: String) -> String? {
    guard let place = rest.unclaimed.firstIndex(where: { $0.name.uppercased() == name && $0.group.isEmpty }) else { return nil }
    return Self.plain(rest.unclaimed.remove(at: place).value)
  }

  /// The text of a line's value, its escapes undone.
  static func plain(_ value: String) -> String {
    let bytes = Array(value.utf8)
    var output = ByteBuffer(capacity: bytes.count + 1)
    Escaping.unescape(bytes.span, 0, bytes.count, version: .v40, to: &output)
    return output.text()
  }

  /// A text as the value of a line.
  static func escaped(_ text: String) -> String {
    var value = ""
    for c in text.unicodeScalars {
      switch c {
      case "\\", ",", ";": value.unicodeScalars.append(contentsOf: ["\\", c])
      case "\n": value += "\\n"
      default: value.unicodeScalars.append(c)
      }
    }
    return value
  }

  /// The e-mails with the preferred ones first, as programs with a first and a second one have them.
  mutating func sortByPreference<Value>(_ list: WritableKeyPath<Person, [Labeled<Value>]>) {
    let sorted = rest[keyPath: list].enumerated().sorted { a, b in
      (a.element.preference ?? 101, a.offset) < (b.element.preference ?? 101, b.offset)
    }
    rest[keyPath: list] = sorted.map(\.element)
  }

  /// All notes as one text.
  mutating func takeNotes() -> String {
    defer { rest.notes = [] }
    return rest.notes.map(\.value).joined(separator: "\n\n")
  }

  /// Company, department and title of the first organization.
  mutating func putOrganization(_ company: String, _ department: String, _ title: String) {
    if let organization = take(\.organizations) {
      put(company, organization.value.name)
      put(department, organization.value.units.joined(separator: ", "))
    }
    put(title, take(\.titles)?.value)
  }

  // MARK: What is left

  /// Fields that say how the card came to be, or nothing to a person: they are not missed.
  private static let technical: Set<String> = ["version", "productID", "revision", "created", "details", "mailer", "sources"]
  /// Fields whose values no cell of text can stand for.
  private static let opaque: Set<String> = ["photos", "logos", "sounds", "keys", "agent", "members", "uid", "kind", "classification"]

  /// What is left as lines of a note, such as `Phone (work): +44 20 7946 0999`; the rest is noted as left out.
  mutating func takeLeftNotes() -> [String] {
    var lines: [String] = []
    let record = Record(rest)
    var i = 0
    while i < record.tokens.count {
      let next = record.next(i)
      let field = Person.fields[Int(record.tokens[i].start)]
      if Self.technical.contains(field.key) || Self.opaque.contains(field.key) {
        leaveOut(field.key)
      } else if case .unclaimed = field.layout {
        for line in rest.unclaimed { lines.append(Self.title(of: line) + ": " + Self.plain(line.value)) }
      } else {
        for place in field.isOne ? [i + 1] : record.elements(i + 1) {
          let text = FieldPath.text(of: place, in: record, field)
          guard !text.isEmpty else { continue }
          var labels = Annotations(record, at: place).labels
          if let service = record.string(.service, of: place) { labels.insert(service, at: 0) }
          lines.append(Self.title(field.singular) + (labels.isEmpty ? "" : " (" + labels.joined(separator: ", ") + ")") + ": " + text)
        }
      }
      i = next
    }
    return lines
  }

  /// What is left as fields of the user's own, each named by its path; the rest is noted as left out.
  mutating func takeLeftPaths() -> [(path: String, text: String)] {
    var found: [(path: String, text: String)] = []
    rest.details = []
    let record = Record(rest)
    for (column, place, form) in record.cells {
      let field = Person.fields[column.field]
      guard !Self.technical.contains(field.key), !Self.opaque.contains(field.key), column.field != Person.unclaimedField else { continue }
      var cell = ByteBuffer(capacity: 64)
      switch form {
      case .text: record.append(place, to: &cell)
      case .listText: CSVCell.append(listText: place, of: record, to: &cell)
      case .list: CSVCell.append(list: place, of: record, to: &cell)
      case .parameters, .lines, .agent: continue
      }
      let path = column.path
      found.append((path.hasSuffix(".value") ? String(path.dropLast(6)) : path, cell.text()))
    }
    var i = 0
    while i < record.tokens.count {
      let field = Person.fields[Int(record.tokens[i].start)]
      if Self.technical.contains(field.key) || Self.opaque.contains(field.key) { leaveOut(field.key) }
      i = record.next(i)
    }
    return found
  }

  /// Notes that something of the person is nowhere in the row.
  mutating func leaveOut(_ what: String) {
    if what == "version" || what == "kind" && rest.kind == "individual" { return }
    leftOut.append(what)
    if !Self.technical.contains(what), !["uid", "photos", "logos"].contains(what) { misses = true }
  }

  /// A field's word as people write it: `instantMessage` as `Instant message`.
  private static func title(_ word: String) -> String {
    var title = ""
    for c in word {
      if c.isUppercase { title += " " + c.lowercased() } else { title.append(c) }
    }
    return title.capitalizedFirst
  }

  /// What a line is called: the label that a spreadsheet gave it, else its name.
  static func title(of line: UnclaimedLine) -> String {
    line.parameters.first { $0.name.uppercased() == "X-LABEL" }?.values.first ?? line.name
  }

  // MARK: Dates and addresses

  /// A whole date as `4/14/1979`; nil for others.
  static func american(_ date: PartialDate?) -> String? {
    guard let date, let year = date.year, let month = date.month, let day = date.day, date.time.isEmpty else { return nil }
    return "\(month)/\(day)/\(year)"
  }

  /// An address as it stands on an envelope.
  static func envelope(_ address: PostalAddress) -> String {
    var place = address.city
    if !address.region.isEmpty { place += (place.isEmpty ? "" : ", ") + address.region }
    if !address.postalCode.isEmpty { place += (place.isEmpty ? "" : " ") + address.postalCode }
    return [address.street, address.extended, address.poBox, place, address.country].filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
