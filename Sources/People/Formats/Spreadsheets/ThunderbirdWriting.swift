// A contact as a row of Thunderbird's CSV, and as an LDIF entry: one value each, what finds no place into the notes.

internal import CardSyntax

extension SheetDialect {
  private static let thunderbirdPhones: [PhoneColumn] = [
    ("Work Phone", [["work"]]), ("Home Phone", [["home"]]),
    ("Mobile Number", [["mobile"], ["mobile", "work"], ["mobile", "home"], ["iphone"], ["mobile", "iphone"]]),
    ("Fax Number", [["fax"]]), ("Fax Number", [["work", "fax"], ["home", "fax"], ["other", "fax"]]),
    ("Pager Number", [["pager"], ["work", "pager"], ["home", "pager"]]), ("Work Phone", [[], ["other"], ["main"], ["work", "main"]]),
    ("Home Phone", [[], ["other"], ["main"]]),
  ]

  /// The row of a person.
  static func thunderbirdRow(_ person: Person) -> SheetRow {
    var row = SheetRow(person)
    let fullName = person.fullName ?? person.name?.formatted ?? ""
    row.put("Display Name", fullName)
    row.rest.fullName = nil
    if let name = row.rest.name {
      row.put("First Name", SheetRow.joined(name.given))
      row.put("Last Name", SheetRow.joined(name.family + name.family2.filter { !name.family.contains($0) }))
      var left = name
      (left.given, left.family, left.family2, left.sortAs) = ([], [], [], [])
      // The other parts stand in the name that is shown.
      let words = Set(fullName.split(separator: " ").map(String.init))
      for part in [\PersonName.prefix, \.middle, \.suffix, \.generation] {
        left[keyPath: part].removeAll { text in text.split(separator: " ").allSatisfy { words.contains(String($0)) } }
      }
      if left.phoneticGiven + left.phoneticMiddle + left.phoneticFamily != "" { row.leaveOut("name.phonetic") }
      (left.phoneticGiven, left.phoneticMiddle, left.phoneticFamily) = ("", "", "")
      row.rest.name = left.formatted.isEmpty && left.generation.isEmpty ? nil : left
    }
    row.put("Nickname", row.take(\.nicknames)?.value)
    row.sortByPreference(\.emails)
    row.put("Primary Email", row.take(\.emails)?.value)
    row.put("Secondary Email", row.take(\.emails)?.value)
    row.put("Screen Name", row.take(\.instantMessages) { $0.value.service == "aim" && !$0.value.handle.isEmpty }?.value.handle)
    putPhones(&row, thunderbirdPhones)
    for (label, prefix) in [(Label?.some(.home), "Home"), (.some(.work), "Work"), (nil, "Home"), (nil, "Work")] {
      putThunderbirdAddress(&row, label, prefix)
    }
    row.putOrganization("Organization", "Department", "Job Title")
    row.put("Web Page 1", row.take(\.urls) { $0.has(.work) }?.value)
    row.put("Web Page 2", row.take(\.urls) { $0.has(.home) }?.value)
    for column in ["Web Page 1", "Web Page 2"] where row.isFree(column) {
      row.put(column, row.take(\.urls) { $0.labels.isEmpty || $0.has(.homepage) }?.value)
    }
    if let birthday = row.rest.birthday, birthday.isDate, birthday.time.isEmpty {
      row.put("Birth Year", birthday.year.map(String.init))
      row.put("Birth Month", birthday.month.map(String.init))
      row.put("Birth Day", birthday.day.map(String.init))
      row.rest.birthday = nil
    }
    for number in 1...4 { row.put("Custom \(number)", row.takeLine("X-CUSTOM\(number)")) }
    return row
  }

  private static func putThunderbirdAddress(_ row: inout SheetRow, _ label: Label?, _ prefix: String) {
    let columns = [" Address", " Address 2", " City", " State", " ZipCode", " Country"].map { prefix + $0 }
    guard columns.allSatisfy({ row.isFree($0) }),
      let address = row.take(\.addresses, where: { label.map($0.has) ?? $0.labels.allSatisfy { $0 == .other } })?.value
    else { return }
    var street = address.street
    if !address.poBox.isEmpty { street += (street.isEmpty ? "" : "\n") + address.poBox }
    if street.isEmpty, address.city.isEmpty { street = address.formatted }
    row.put(columns[0], street)
    row.put(columns[1], address.extended)
    row.put(columns[2], address.city)
    row.put(columns[3], address.region)
    row.put(columns[4], address.postalCode)
    row.put(columns[5], address.country.isEmpty ? address.countryCode.uppercased() : address.country)
  }
}
