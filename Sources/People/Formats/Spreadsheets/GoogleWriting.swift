// A contact as a row of Google Contacts' CSV of 2024: fixed columns, numbered groups, and fields of the user's own for all the rest.

internal import CardSyntax

extension SheetDialect {
  /// The fixed columns, in their order.
  static let googleFixed = [
    "First Name", "Middle Name", "Last Name", "Phonetic First Name", "Phonetic Middle Name", "Phonetic Last Name", "Name Prefix",
    "Name Suffix", "Nickname", "File As", "Organization Name", "Organization Title", "Organization Department", "Birthday", "Notes",
    "Photo", "Labels",
  ]

  /// The groups and their parts, in their order.
  static let googleGroups: [(name: String, parts: [String])] = [
    ("E-mail", ["Label", "Value"]), ("Phone", ["Label", "Value"]),
    ("Address", ["Label", "Formatted", "Street", "City", "PO Box", "Region", "Postal Code", "Country", "Extended Address"]),
    ("Relation", ["Label", "Value"]), ("Website", ["Label", "Value"]), ("Event", ["Label", "Value"]), ("Custom Field", ["Label", "Value"]),
  ]

  /// The row of a person.
  static func googleRow(_ person: Person) -> SheetRow {
    var row = SheetRow(person)
    putGoogleName(&row)
    row.putOrganization("Organization Name", "Organization Department", "Organization Title")
    row.put("Nickname", row.rest.nicknames.map { unjoined($0.value) }.joined(separator: " ::: "))
    row.rest.nicknames = []
    if let birthday = row.rest.birthday, birthday.time.isEmpty, birthday.month != nil, birthday.day != nil {
      row.put("Birthday", birthday.iso)
      row.rest.birthday = nil
    }
    row.put("Notes", row.takeNotes())
    row.put("Photo", row.take(\.photos) { $0.value.uri?.lowercased().hasPrefix("http") == true }?.value.uri)
    putGoogleLabels(&row)
    putGoogleGroups(&row)
    for line in row.rest.unclaimed { row.add("Custom Field", ["Label": SheetRow.title(of: line), "Value": SheetRow.plain(line.value)]) }
    row.rest.unclaimed = []
    for (path, text) in row.takeLeftPaths() { row.add("Custom Field", ["Label": path, "Value": text]) }
    return row
  }

  /// A value without the sign that divides values.
  static func unjoined(_ text: String) -> String { text.contains(":::") ? text.replacing(":::", with: "::") : text }

  private static func putGoogleName(_ row: inout SheetRow) {
    if let name = row.rest.name {
      row.put("Name Prefix", SheetRow.joined(name.prefix))
      row.put("First Name", SheetRow.joined(name.given))
      row.put("Middle Name", SheetRow.joined(name.middle))
      row.put("Last Name", SheetRow.joined(name.family))
      row.put("Name Suffix", SheetRow.joined(name.suffix))
      row.put("Phonetic First Name", name.phoneticGiven)
      row.put("Phonetic Middle Name", name.phoneticMiddle)
      row.put("Phonetic Last Name", name.phoneticFamily)
      row.put("File As", name.sortAs.joined(separator: ", "))
      var left = PersonName()
      (left.family2, left.generation) = (
        name.family2.filter { !$0.isEmpty && !name.family.contains($0) }, name.generation.filter { !name.suffix.contains($0) }
      )
      row.rest.name = left == PersonName() ? nil : left
    }
    let made = shownName(row)
    guard let fullName = row.rest.fullName else { return }
    // The service shows the parts of a name; one without parts is the first name, and of a company nothing is needed.
    if row.isFree("First Name"), row.isFree("Last Name") {
      if row.rest.organizations.first?.value.name != fullName { row.put("First Name", fullName) }
      row.rest.fullName = nil
    } else if fullName == made {
      row.rest.fullName = nil
    }
  }

  /// The name that the cells make.
  private static func shownName(_ row: SheetRow) -> String {
    let cells = ["Name Prefix", "First Name", "Middle Name", "Last Name", "Name Suffix"].compactMap { row.cells[$0] }
    return cells.joined(separator: " ")
  }

  private static func putGoogleLabels(_ row: inout SheetRow) {
    let names = row.rest.categories.map(\.value).filter { !$0.isEmpty && $0 != "myContacts" }
    row.put("Labels", (["* myContacts"] + names.map { systemGroups.contains($0) ? "* " + $0 : unjoined($0) }).joined(separator: " ::: "))
    row.rest.categories = []
  }

  private static func label<Value>(_ value: Labeled<Value>) -> String {
    let cell = unjoined(labelCell(value.labels.map(\.text)))
    return value.preference == 1 ? "* " + cell : cell
  }

  private static func putGoogleGroups(_ row: inout SheetRow) {
    for email in row.rest.emails { row.add("E-mail", ["Label": label(email), "Value": unjoined(email.value)]) }
    for phone in row.rest.phones { row.add("Phone", ["Label": label(phone), "Value": unjoined(phone.value.description)]) }
    for address in row.rest.addresses {
      let value = address.value
      let parts = [
        "Formatted": value.formatted.isEmpty ? SheetRow.envelope(value) : value.formatted, "Street": value.street, "City": value.city,
        "PO Box": value.poBox, "Region": value.region, "Postal Code": value.postalCode,
        "Country": value.country.isEmpty ? value.countryCode.uppercased() : value.country, "Extended Address": value.extended,
      ]
      row.add("Address", parts.mapValues(unjoined).merging(["Label": label(address)]) { a, _ in a })
    }
    for relation in row.rest.related { row.add("Relation", ["Label": label(relation), "Value": unjoined(relation.value)]) }
    for url in row.rest.urls { row.add("Website", ["Label": label(url), "Value": unjoined(url.value)]) }
    for profile in row.rest.socialProfiles where profile.value.uri?.lowercased().hasPrefix("http") == true {
      row.add("Website", ["Label": profile.value.service.capitalizedFirst, "Value": unjoined(profile.value.uri ?? "")])
    }
    if let day = row.rest.anniversary { row.add("Event", ["Label": "Anniversary", "Value": day.iso]) }
    for day in row.rest.dates { row.add("Event", ["Label": label(day), "Value": day.value.iso]) }
    for account in row.rest.instantMessages where isPlain(account) {
      row.add("Custom Field", ["Label": serviceName(account.value.service), "Value": unjoined(account.value.handle)])
    }
    row.rest.instantMessages.removeAll(where: isPlain)
    row.rest.socialProfiles.removeAll { $0.value.uri?.lowercased().hasPrefix("http") == true }
    (row.rest.emails, row.rest.phones, row.rest.addresses, row.rest.related, row.rest.urls) = ([], [], [], [], [])
    (row.rest.anniversary, row.rest.dates) = (nil, [])
  }

  /// A service's word as people write it.
  private static func serviceName(_ word: String) -> String {
    switch word {
    case "xmpp": "Jabber"
    case "google-talk": "Google Talk"
    case "aim", "icq", "msn", "qq", "irc", "sip", "sms": word.uppercased()
    default: word.capitalizedFirst
    }
  }

  /// Does an account's service and name say all of it?
  private static func isPlain(_ account: Labeled<InstantMessage>) -> Bool {
    account.labels.isEmpty && !account.value.handle.isEmpty && MessagingService.word(account.value.service) == account.value.service
  }
}
