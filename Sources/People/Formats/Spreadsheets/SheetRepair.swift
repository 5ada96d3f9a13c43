// What is done to the values of a row once they are read: lists divided, words of flags understood, what follows from the rest left out.

internal import Bytes
internal import CardSyntax
internal import DataSyntax

/// The finishing of a person that was read from a row.
enum SheetRepair {
  /// Puts things where a person has them, and makes the full name where the row has none.
  static func settle(_ person: inout Person) {
    for i in person.addresses.indices {
      let address = person.addresses[i].value
      let hasParts = ![address.poBox, address.extended, address.street, address.city, address.region, address.postalCode, address.country]
        .allSatisfy(\.isEmpty)
      // An envelope that says what the parts say is one that a program made.
      if hasParts, address.formatted == SheetRow.envelope(address) { person.addresses[i].value.formatted = "" }
      // A whole address in one text goes into the street, where all programs show it.
      if !hasParts, !address.formatted.isEmpty {
        (person.addresses[i].value.street, person.addresses[i].value.formatted) = (address.formatted, "")
      }
    }
    if person.anniversary == nil, let day = person.dates.firstIndex(where: { $0.has("anniversary") && $0.labels.count == 1 }) {
      person.anniversary = person.dates.remove(at: day).value
    }
    var seen = Set<String>()
    person.categories = person.categories.filter { seen.insert($0.value).inserted }
    if (person.fullName ?? "").isEmpty {
      let candidates = [person.name?.formatted, person.organizations.first?.value.name, person.nicknames.first?.value]
      person.fullName = candidates.compactMap { $0 }.first { !$0.isEmpty }
    }
  }

  /// The texts of a list: of groups without the service's own ones, which stand for being shown at all.
  static func list(_ cell: String, isGroups: Bool, joined: Bool) -> [String] {
    var texts = [cell]
    if joined {
      texts = SheetRowReader.joined(cell)
    } else if isGroups {
      texts = cell.split { $0 == (cell.contains(";") ? ";" : ",") }.map { SheetHeader.trimmed(String($0)) }
    }
    guard isGroups else { return texts.filter { !$0.isEmpty } }
    return texts.compactMap { text in
      let isSystems = text.hasPrefix("* ")
      let name = isSystems ? SheetHeader.trimmed(String(text.dropFirst(2))) : text
      if name == "myContacts" || isSystems && ["my contacts", "other contacts"].contains(name.lowercased()) { return nil }
      return name.isEmpty ? nil : isSystems && SheetDialect.systemGroups.contains(name.lowercased()) ? name.lowercased() : name
    }
  }

  private static let sexes: [(sex: String, words: [String])] = [
    (
      "male",
      [
        "male", "m", "männlich", "masculin", "homme", "masculino", "hombre", "maschile", "maschio", "mannelijk", "man", "mężczyzna",
        "мужской", "mand", "erkek", "男性", "男",
      ]
    ),
    (
      "female",
      [
        "female", "f", "weiblich", "féminin", "femme", "femenino", "mujer", "feminino", "femminile", "femmina", "vrouwelijk", "vrouw",
        "kobieta", "женский", "kvinna", "kvinde", "kadın", "女性", "女",
      ]
    ),
    (
      "",
      [
        "unspecified", "keine angabe", "keine angaben", "nicht angegeben", "non spécifié", "non précisé", "sin especificar",
        "no especificado", "non specificato", "niet opgegeven", "nieokreślona",
        "não especificado", "не указан", "ospecificerad", "ikke angivet", "belirtilmemiş", "未指定", "指定なし", "unbestimmt",
      ]
    ),
  ]

  /// Puts a gender into a record; nothing for words that say it is not told.
  static func gender(_ text: String, to raw: inout Record) {
    let word = SheetHeader.trimmed(text).lowercased()
    let known = sexes.first { $0.words.contains(word) }
    if let known, known.sex.isEmpty { return }
    raw.open()
    if let known { raw.text(.sex, made: known.sex) } else { raw.text(.identity, made: text) }
    raw.close()
  }

  /// The access class that a flag of Outlook stands for; nil for what is normal.
  static func classification(_ text: String) -> String? {
    switch SheetHeader.trimmed(text).lowercased() {
    case "private", "personal", "privat", "true", "wahr", "vrai", "privé": "PRIVATE"
    case "confidential", "vertraulich", "confidentiel": "CONFIDENTIAL"
    default: nil
    }
  }

  /// Are these the initials that follow from the name?
  static func areInitials(_ text: String, of name: PersonName?) -> Bool {
    guard let name else { return false }
    let letters = text.filter(\.isLetter).lowercased()
    let given = name.given.joined(separator: " "), middle = name.middle.joined(separator: " "), family = name.family.joined(separator: " ")
    func first(_ texts: [String]) -> String {
      texts.flatMap { $0.split(separator: " ") }.compactMap { $0.first.map(String.init) }.joined().lowercased()
    }
    return [
      first([given, middle, family]), first([given, family]),
      [given, middle, family].compactMap { $0.first.map(String.init) }.joined().lowercased(),
    ].contains(letters)
  }

  /// A name in one cell, its parts divided as in a vCard, or the whole of it.
  static func name(_ text: String) -> PersonName? {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { SheetHeader.trimmed(String($0)) }
    guard parts.count > 1 else { return nil }
    func part(_ i: Int) -> String { i < parts.count ? parts[i] : "" }
    return PersonName(prefix: part(3), given: part(1), middle: part(2), family: part(0), suffix: part(4))
  }

  /// Does the name shown beside an address say nothing that the contact does not say?
  static func isDerived(_ text: String, _ person: Person) -> Bool {
    if person.emails.contains(where: { text.contains($0.value) }) { return true }
    let name = SheetVocabulary.plain(text)
    return name == SheetVocabulary.plain(person.fullName ?? "") || name == SheetVocabulary.plain(person.name?.formatted ?? "")
  }

  // MARK: Our own paths as labels

  /// Is a label the path of a column of our own?
  static func isPath(_ label: String) -> Bool {
    guard let first = label.split(separator: ".").first, Person.field(String(first)) != nil else { return false }
    return CSVRowReader(header: [label]).unknownColumns.isEmpty
  }

  /// Reads cells of our own dialect into the person, whose own values go before.
  static func take(_ cells: [(path: String, text: String)], into person: inout Person) {
    var reader = CSVRowReader(header: cells.map(\.path))
    var bytes = ByteBuffer(capacity: 256)
    for (number, cell) in cells.enumerated() {
      if number > 0 { bytes.append(ASCII.comma) }
      // The reader takes a protecting apostrophe off.
      let text = Array(cell.text.utf8)
      let isProtected = CSVCell.needsApostrophe(text.span, 0, text.count)
      bytes.appendCSVCell(isProtected ? "'" + cell.text : cell.text, delimiter: ASCII.comma)
    }
    bytes.append("\n")
    var rows = CSVReader(delimiter: ASCII.comma)
    bytes.withBytes { rows.feed($0) }
    rows.finish()
    var row = CSVRow()
    var record = Record()
    guard (try? rows.next(into: &row)) == true, reader.read(row, into: &record) else { return }
    merge(Person(record), into: &person)
  }

  /// Adds the values of a person to those of another.
  private static func merge(_ more: Person, into person: inout Person) {
    if var name = person.name, let added = more.name {
      for part in [\PersonName.prefix, \.given, \.middle, \.family, \.family2, \.generation, \.suffix, \.sortAs]
      where name[keyPath: part].isEmpty {
        name[keyPath: part] = added[keyPath: part]
      }
      person.name = name
    }
    var joined = Record()
    joined.begin(source: [], version: .v40)
    let a = Record(person)
    let b = Record(more)
    for number in Person.fields.indices {
      let places = (a.value(ofField: number), b.value(ofField: number))
      guard let first = places.0 ?? places.1 else { continue }
      joined.field(number)
      guard let left = places.0, let right = places.1, a.tokens[left].operation == .openList else {
        if places.0 != nil { joined.append(range: first, a.next(first), of: a) } else { joined.append(range: first, b.next(first), of: b) }
        continue
      }
      joined.open(list: true)
      for place in a.elements(left) { joined.append(range: place, a.next(place), of: a) }
      for place in b.elements(right) { joined.append(range: place, b.next(place), of: b) }
      joined.close()
    }
    person = Person(joined)
  }
}
