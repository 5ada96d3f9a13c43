// A contact as a row of Outlook's CSV of 92 columns: each value into the column of its labels, what finds none into the notes.

internal import CardSyntax

extension SheetDialect {
  /// The row of a person.
  static func outlookRow(_ person: Person) -> SheetRow {
    var row = SheetRow(person)
    putOutlookName(&row)
    row.putOrganization("Company", "Department", "Job Title")
    for (label, prefix) in [("work", "Business"), ("home", "Home"), ("other", "Other"), ("", "Other"), ("", "Business"), ("", "Home")] {
      putOutlookAddress(&row, label, prefix)
    }
    putPhones(&row, outlookPhones)
    row.sortByPreference(\.emails)
    for number in 1...3 {
      guard let email = row.take(\.emails) else { break }
      let prefix = number == 1 ? "E-mail" : "E-mail \(number)"
      row.put(prefix + " Address", email.value)
      row.put(prefix + " Type", "SMTP")
      row.put(prefix + " Display Name", person.fullName.map { "\($0) (\(email.value))" } ?? email.value)
    }
    putOutlookDates(&row)
    let hasWork = person.urls.contains { $0.has(.work) }
    row.put("Web Page", row.take(\.urls) { hasWork ? $0.has(.work) : $0.labels.isEmpty || $0.has(.homepage) }?.value)
    putOutlookPeople(&row)
    // What reading would divide goes to the notes.
    row.put("Categories", row.rest.categories.map(\.value).filter { !$0.contains(";") }.joined(separator: ";"))
    row.put("Hobby", row.rest.hobbies.map(\.value).joined(separator: ", "))
    row.rest.categories.removeAll { !$0.value.contains(";") }
    row.rest.hobbies = []
    row.put("Profession", row.take(\.roles)?.value)
    row.put("Language", row.take(\.languages)?.value)
    row.put("Internet Free Busy", row.take(\.freeBusy)?.value)
    let secrecy = person.classification?.uppercased() ?? ""
    row.rest.classification = nil
    row.put("Sensitivity", secrecy == "PRIVATE" ? "Private" : secrecy == "CONFIDENTIAL" ? "Confidential" : "Normal")
    row.put("Private", secrecy == "PRIVATE" ? "True" : "False")
    row.put("Priority", "Normal")
    if !row.rest.unclaimed.isEmpty { for (column, line) in outlookLines where row.isFree(column) { row.put(column, row.takeLine(line)) } }
    putNotes(&row, "Notes")
    return row
  }

  /// The columns of lines that no field claims.
  private static let outlookLines: [(column: String, line: String)] = SheetVocabulary.rows(outlook.columns).compactMap { name, meaning in
    meaning.hasPrefix("unclaimed.") && outlookExport.split(separator: "|").contains { $0 == name }
      ? (name, String(meaning.dropFirst(10))) : nil
  }

  /// Notes, and below them what found no column.
  static func putNotes(_ row: inout SheetRow, _ column: String) {
    let notes = row.takeNotes()
    row.put(column, ([notes] + [row.takeLeftNotes().joined(separator: "\n")]).filter { !$0.isEmpty }.joined(separator: "\n\n"))
  }

  private static func putOutlookName(_ row: inout SheetRow) {
    let fullName = row.rest.fullName ?? ""
    row.rest.fullName = nil
    guard let name = row.rest.name else {
      // Without parts the whole name is the last one, as Outlook itself takes it; a company's name stands in its own column.
      if row.rest.organizations.first?.value.name != fullName { row.put("Last Name", fullName) }
      return
    }
    row.put("Title", SheetRow.joined(name.prefix))
    row.put("First Name", SheetRow.joined(name.given))
    row.put("Middle Name", SheetRow.joined(name.middle))
    row.put("Last Name", SheetRow.joined(name.family + name.family2.filter { !name.family.contains($0) }))
    row.put("Suffix", SheetRow.joined(name.suffix + name.generation.filter { !name.suffix.contains($0) }))
    if name.formatted.isEmpty { row.put("Last Name", fullName) }
    if name.phoneticGiven + name.phoneticMiddle + name.phoneticFamily != "" { row.leaveOut("name.phonetic") }
    row.rest.name = nil
  }

  private static func putOutlookAddress(_ row: inout SheetRow, _ label: String, _ prefix: String) {
    let columns = [" Street", " City", " State", " Postal Code", " Country/Region", " Address PO Box"].map { prefix + $0 }
    guard columns.allSatisfy({ row.isFree($0) }), prefix != "Business" || row.isFree("Office Location") else { return }
    guard let address = row.take(\.addresses, where: { label.isEmpty ? $0.labels.isEmpty : $0.has(Label(label)) })?.value else { return }
    var lines = address.street.split(separator: "\n").map(String.init)
    if prefix == "Business" {
      row.put("Office Location", address.extended)
    } else if !address.extended.isEmpty {
      lines.append(address.extended)
    }
    if lines.isEmpty, address.city.isEmpty { lines = address.formatted.split(separator: "\n").map(String.init) }
    row.put(columns[0], lines.first)
    if lines.count > 1 { row.put(columns[0] + " 2", lines[1]) }
    if lines.count > 2 { row.put(columns[0] + " 3", lines[2...].joined(separator: ", ")) }
    row.put(columns[1], address.city)
    row.put(columns[2], address.region)
    row.put(columns[3], address.postalCode)
    row.put(columns[4], address.country.isEmpty ? address.countryCode.uppercased() : address.country)
    row.put(columns[5], address.poBox)
  }

  private static func putOutlookDates(_ row: inout SheetRow) {
    if let birthday = SheetRow.american(row.rest.birthday) {
      row.put("Birthday", birthday)
      row.rest.birthday = nil
    }
    if let day = SheetRow.american(row.rest.anniversary) {
      row.put("Anniversary", day)
      row.rest.anniversary = nil
    }
    if let gender = row.rest.gender, gender.identity.isEmpty, ["male", "female"].contains(gender.sex) {
      row.put("Gender", gender.sex.capitalizedFirst)
      row.rest.gender = nil
    } else if row.rest.gender == nil {
      row.put("Gender", "Unspecified")
    }
  }

  private static func putOutlookPeople(_ row: inout SheetRow) {
    for (label, column) in [
      (Label.spouse, "Spouse"), ("manager", "Manager's Name"), ("assistant", "Assistant's Name"), ("referred by", "Referred By"),
    ] {
      row.put(column, row.take(\.related) { $0.has(label) && $0.value.uriScheme == nil }?.value)
    }
    let children = row.rest.related.filter { $0.has("child") && !$0.value.contains { ",;".contains($0) } && $0.value.uriScheme == nil }
    row.put("Children", children.map(\.value).joined(separator: "; "))
    row.rest.related.removeAll { children.contains($0) }
  }

  // MARK: Phones

  /// A column of phones, and the labels that it is for; nil asks for a phone without labels that is called first.
  typealias PhoneColumn = (column: String, labels: [Set<String>]?)

  private static let outlookPhones: [PhoneColumn] = [
    ("Primary Phone", nil), ("Business Phone", [["work"]]), ("Business Phone 2", [["work"]]), ("Home Phone", [["home"]]),
    ("Home Phone 2", [["home"]]),
    ("Mobile Phone", [["mobile"], ["mobile", "home"], ["mobile", "work"], ["iphone"], ["mobile", "iphone"]]),
    ("Business Fax", [["work", "fax"]]), ("Home Fax", [["home", "fax"]]), ("Other Fax", [["other", "fax"], ["fax"]]),
    ("Company Main Phone", [["work", "main"]]), ("Pager", [["pager"], ["work", "pager"], ["home", "pager"]]), ("Car Phone", [["car"]]),
    ("ISDN", [["isdn"]]), ("Callback", [["callback"]]), ("Assistant's Phone", [["assistant"]]), ("Radio Phone", [["radio"]]),
    ("TTY/TDD Phone", [["textphone"]]), ("Telex", [["telex"]]), ("Other Phone", [["other"], []]), ("Primary Phone", [["main"]]),
  ]

  /// Puts each phone into the column of its labels; what finds none stays.
  static func putPhones(_ row: inout SheetRow, _ columns: [PhoneColumn]) {
    for (column, labels) in columns where row.isFree(column) {
      let phone = row.take(\.phones) { phone in
        guard let labels else { return phone.labels.isEmpty && phone.preference == 1 }
        return labels.contains(Set(phone.labels.map { $0.text.lowercased() }))
      }
      row.put(column, phone?.value.description)
    }
  }
}
