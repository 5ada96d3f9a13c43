// Paths that somebody typed: what they may name, and what is said where they name nothing.
import Testing

@testable import People

@Suite struct FieldPathTests {
  @Test(arguments: [
    "fullName", "emails", "email", "emails.2", "emails.work.value", "phones.mobile.1.extension", "phones.\"boat house\"", "phone.labels",
    "name.family", "name.sortAs", "name.phonetic.given", "name.pronunciation.family", "addresses.home.1.city", "address.location.latitude",
    "organization.units", "photo.mediaType", "photos.1.uri", "keys.value", "birthday.year", "dates.1.month", "revision.day",
    "birthday.parameters",
    "location.longitude", "gender.sex", "instantMessages.service", "socialProfile.username", "categories", "notes.language",
    "unclaimed.X-FOO", "unclaimed", "agent", "emails.city club",
  ])
  func names(_ text: String) throws { #expect(try FieldPath(typed: text).text == text) }

  @Test(arguments: [
    ("fullName.city", "fullName.city names nothing that a contact can have; fullName has no parts"),
    ("fullName.first", "fullName.first names nothing that a contact can have; fullName has no parts"),
    (
      "organization.city",
      "organization.city names nothing that a contact can have; parts of each are name, units, sortAs, labels, preference, language, "
        + "parameters, group, id"
    ),
    ("birthday.city", "birthday.city names nothing that a contact can have; parts of birthday are year, month, day"),
    ("gender.year", "gender.year names nothing that a contact can have; parts of gender are sex, identity"),
    ("location.city", "location.city names nothing that a contact can have; parts of location are latitude, longitude, uri"),
    (
      "phones.work.1.city",
      "phones.work.1.city names nothing that a contact can have; parts of each are value, extension, labels, preference, language, "
        + "parameters, group, id"
    ),
    ("nobody", "no field is called nobody; 'vcard fields' lists them"), ("", "no field is called ; 'vcard fields' lists them"),
  ])
  func refuses(_ text: String, _ message: String) {
    #expect(throws: FieldPathError(message: message)) { try FieldPath(typed: text) }
  }

  @Test func listsPartsOfParts() {
    #expect {
      try FieldPath(typed: "name.phonetic.city")
    } throws: { error in
      let message = (error as? FieldPathError)?.message ?? ""
      return message.contains("sortAs, phonetic.given, phonetic.middle, phonetic.family, pronunciation.given")
    }
  }

  /// Whatever a value of a field can have in a record may be asked for.
  @Test func namesAllPartsOfTheTable() throws {
    for field in Person.fields where !field.isOne {
      for part in field.kind.parts { #expect(try FieldPath(typed: "\(field.key).1.\(part.key)").number == Person.field(field.key)) }
    }
  }
}
