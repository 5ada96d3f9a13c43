// A full name for contacts that have none.

/// Full names that are made of what else a contact has.
package enum FullName {
  /// The contact's full name, else the one that is made for it; empty where there is nothing to make one of.
  package static func shown(_ record: borrowing Record) -> String {
    record.value(ofField: CardWriter.fullName).map { record.string($0) } ?? made(from: record) ?? ""
  }

  /// From the name's parts, the organization, a nickname, an e-mail address, a phone number or a messaging handle; empty where there is
  /// none of them.
  package static func made(from record: borrowing Record) -> String? {
    if let index = record.value(ofField: CardWriter.name), let name = NameKind().take(index, of: record), !name.formatted.isEmpty {
      return name.formatted
    }
    for key in ["organizations", "nicknames", "emails", "phones", "instantMessages"] {
      guard let number = Person.field(key), let index = record.value(ofField: number) else { continue }
      for place in record.elements(index) {
        let text: String? =
          switch key {
          case "organizations": record.string(.name, of: place) ?? record.texts(.units, of: place).first
          case "instantMessages": record.string(.handle, of: place)
          default: record.valuePlace(place).map { record.string($0) }
          }
        if let text, !text.isEmpty { return text }
      }
    }
    return ""
  }
}
