// Twelve exports of four programs become one address book: `normalize`, then `dedupe`, find exactly the known people and lose nothing.
import Bytes
import CardSyntax
import Files
import People
import TestSupport
import Testing

@testable import vcard

/// What all exports together tell of one person.
private struct Told {
  var phones: [String: Set<Label>] = [:]
  var emails: [String: Set<Label>] = [:]
  var addresses: [[String]: Set<Label>] = [:]
  var notes: Set<String> = []
  var names: Set<String> = []
  var uids: Set<String> = []
  var birthday: String?, anniversary: String?, organization: [String] = [], jabber: String?, url: String?, spouse: String?
  var nickname: String?, photo: String?
  var count = 0

  mutating func add(_ contact: ExportedContact) {
    let told = contact.told
    count += 1
    for phone in told.phones { phones[phone.key, default: []].insert(Label(phone.label)) }
    for email in told.emails { emails[email.address, default: []].insert(Label(email.label)) }
    // One export tells all of each address.
    for address in told.addresses {
      let parts = [address.street, address.city, address.postalCode, address.country]
      addresses[parts, default: []].insert(Label(address.label))
    }
    notes.formUnion(told.notes)
    names.insert(contact.fullName)
    if let uid = contact.uid { uids.insert(uid) }
    if !told.birthday.isEmpty { birthday = told.birthday }
    anniversary = told.anniversary ?? anniversary
    if !told.organization.isEmpty {
      let units = told.unit.isEmpty ? Array(organization.dropFirst()) : [told.unit]
      organization = [told.organization] + units
    }
    jabber = told.jabber ?? jabber
    url = told.url ?? url
    spouse = told.spouse ?? spouse
    nickname = told.nickname ?? nickname
    photo = told.photo ?? photo
  }
}

extension Person {
  /// Whose notes these are, by the number that they begin with; nil where they are several people's.
  fileprivate var owner: Int? {
    let owners = Set(notes.map { Int($0.value.dropFirst(5).prefix { $0 != "." }) })
    return owners.count == 1 ? owners.first ?? nil : nil
  }

  /// Each value once, with its labels.
  private func labels<Value, Key>(_ values: [Labeled<Value>], _ key: (Value) -> Key) -> [Key: Set<Label>] {
    var found: [Key: Set<Label>] = [:]
    for value in values {
      let key = key(value.value)
      if found.updateValue(Set(value.labels), forKey: key) != nil { Issue.record("\(key) stands twice in \(fullName ?? "")") }
    }
    return found
  }

  fileprivate func compare(with told: Told, _ number: Int) {
    #expect(
      labels(phones) { phone in
        let digits = phone.number.filter { $0.isNumber || $0 == "x" }
        return phone.extension.isEmpty ? digits : digits + "x" + phone.extension
      } == told.phones, "\(number)")
    #expect(labels(emails) { $0.lowercased() } == told.emails, "\(number)")
    #expect(labels(addresses) { [$0.street, $0.city, $0.postalCode, $0.country] } == told.addresses, "\(number)")
    #expect(notes.count == told.notes.count && Set(notes.map(\.value)) == told.notes, "\(number)")
    // Full names and identifiers that differ from the first stand beside it.
    func beside(_ name: String) -> [String] {
      unclaimed.filter { $0.name == name }.map { $0.value.replacing("\\,", with: ",") }
    }
    #expect(Set([fullName ?? ""] + beside("FN")) == told.names, "\(number)")
    #expect(Set([uid].compactMap { $0 } + beside("X-OTHER-UID")) == told.uids, "\(number)")
    #expect(unclaimed.allSatisfy { ["FN", "X-OTHER-UID", "X-OTHER-N"].contains($0.name) }, "\(number): \(unclaimed)")
    #expect(birthday == told.birthday.flatMap { PartialDate($0) }, "\(number)")
    #expect(anniversary == told.anniversary.flatMap { PartialDate($0) }, "\(number)")
    #expect(dates.isEmpty)
    #expect(organizations.map { [$0.value.name] + $0.value.units } == (told.organization.isEmpty ? [] : [told.organization]), "\(number)")
    #expect(instantMessages.map(\.value.handle) == [told.jabber].compactMap { $0 }, "\(number)")
    #expect(urls.map(\.value) == [told.url].compactMap { $0 }, "\(number)")
    #expect(related.map(\.value) == [told.spouse].compactMap { $0 }, "\(number)")
    #expect(nicknames.map(\.value) == [told.nickname].compactMap { $0 }, "\(number)")
    let pictures = photos.map { photo in
      var text = ByteBuffer()
      Base64.encode(photo.value.bytes.span, 0, photo.value.bytes.count, to: &text)
      return text.text()
    }
    #expect(pictures == [told.photo].compactMap { $0 }, "\(number)")
  }
}

@Suite struct TwelveExportsTests {
  @Test(arguments: 1...max(2, Checkout.seeds / 300)) func becomeOneBook(_ seed: Int) throws {
    var random = Seeded(UInt64(seed))
    let people = KnownPerson.book(of: 150, &random)
    var files = Array(repeating: [String](), count: 12)
    var told = Array(repeating: Told(), count: people.count)
    for person in people {
      // The export that knows all of a person connects those that know little.
      let whole = random.below(files.count)
      for place in files.indices where place == whole || random.oneIn(3) {
        let contact = ExportedContact(of: person, by: Exporter.allCases[place % 4], isWhole: place == whole, &random)
        files[place].append(contact.text)
        told[person.number].add(contact)
      }
    }
    try withFolder { folder in
      let exports = folder.file("exports")
      try FileSystem.makeFolders(exports)
      for (place, cards) in files.enumerated() {
        let name = "\(Exporter.allCases[place % 4].fileName)-\(place).vcf"
        try writeFile(exports.file(name), cards.shuffled(using: &random).joined())
      }
      let normalizing = try Finished("normalize --region GB %/exports -o %/clean/", in: folder)
      #expect(normalizing.status == 0)
      let merging = try Finished("dedupe -t vcard4 %/clean -o %/book.vcf", in: folder)
      #expect(merging.status == 0)
      let cardCount = told.reduce(0) { $0 + $1.count }
      #expect(merging.errors.contains("\(cardCount) contacts, \(people.count) people"))
      let text = try readFile(folder.file("book.vcf"))
      var found: [Int: Int] = [:]
      for person in Persons(text) {
        guard let number = person.owner else {
          Issue.record("several people are one: \(person.notes.map(\.value))")
          continue
        }
        found[number, default: 0] += 1
        #expect(person.version == .v40)
        person.compare(with: told[number], number)
      }
      #expect(found.count == people.count && found.values.allSatisfy { $0 == 1 })
      // Nothing is left to do, and what was written is right.
      let again = try Finished("dedupe %/book.vcf", in: folder)
      #expect(again.output == text)
      #expect(try Finished("validate %/book.vcf", in: folder).status == 0)
    }
  }
}
