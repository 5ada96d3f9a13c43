// Contacts go out as other programs' spreadsheets and come back with all that these can hold; the rest is in notes, or told.
import Bytes
import CardSyntax
import Testing

@testable import People

/// The persons in a format, and what was found on the way.
private func written(_ people: [Person], _ format: ContactFormat, spreadsheets: Bool = false) -> (bytes: [UInt8], findings: [Diagnostic]) {
  let cards = Array(people.map { $0.vCard(.v40) }.joined().utf8)
  var source = ContactSource(.vcard4)
  source.feed(cards.span)
  source.finish()
  var sink = ContactSink(format, photos: format == .googleCSV, spreadsheets: spreadsheets)
  sink.begin()
  while let contact = source.next() { sink.write(contact, of: source) }
  sink.end()
  while (try? sink.nextRows()) == true {}
  let findings = sink.takeFindings()
  return (sink.output.array(), findings)
}

/// What a format makes of persons, there and back; the version is not told again.
private func there(_ people: [Person], _ format: ContactFormat, spreadsheets: Bool = false) -> [Person] {
  persons(written(people, format, spreadsheets: spreadsheets).bytes, format == .ldif ? .ldif : .csv).persons.map { person in
    var person = person
    person.version = nil
    return person
  }
}

/// A generator that gives the same numbers each time.
private struct Dice {
  var state: UInt64

  mutating func roll(_ sides: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % sides
  }

  /// A text with what tables and lists have to quote.
  mutating func text() -> String {
    let words = ["Mira", "O'Brien", "\"Mo\"", "a,b", "c; d", "Ünal", "Łódź", "x\\y", "=1+1", "two words", "-3", "松田", "'t Hof", "'=x"]
    return words[roll(words.count)] + (roll(3) == 0 ? " " + words[roll(words.count)] : "")
  }

  mutating func maybe<T>(_ make: (inout Dice) -> T) -> T? { roll(3) > 0 ? make(&self) : nil }
  mutating func some<T>(_ most: Int, _ make: (inout Dice) -> T) -> [T] { (0..<roll(most + 1)).map { _ in make(&self) } }
  mutating func phone() -> String { ["+44 20 7946 0\(100 + roll(900))", "0\(100 + roll(900)) 555", "2065550\(100 + roll(900))"][roll(3)] }
}

extension Dice {
  /// A person of the parts that all programs have.
  mutating func person() -> Person {
    var person = Person()
    person.name = PersonName(
      prefix: maybe { $0.text() } ?? "", given: text(), middle: maybe { $0.text() } ?? "", family: text(),
      suffix: maybe { _ in "Jr." } ?? "")
    person.fullName = person.name?.formatted
    person.birthday = maybe { PartialDate(year: 1950 + $0.roll(60), month: 1 + $0.roll(12), day: 1 + $0.roll(28)) }
    if roll(2) == 0 { person.organizations = [Labeled(Organization(text(), units: maybe { [$0.text()] } ?? []))] }
    if roll(2) == 0 { person.titles = [Labeled(text())] }
    if roll(2) == 0 { person.notes = [Labeled(text() + "\n" + text())] }
    return person
  }

  mutating func address() -> PostalAddress {
    PostalAddress(
      street: text() + (maybe { "\n" + $0.text() } ?? ""), city: text(), region: text(), postalCode: "0\(roll(9999))",
      country: text())
  }
}

@Suite struct SpreadsheetWritingTests {
  /// What `--excel` puts an apostrophe before: formulas, and what spreadsheets take for sums, numbers, days and times of another spelling.
  @Test(arguments: [ContactFormat.csv, .csvLong, .googleCSV]) func spreadsheetsNeitherRunNorSpoil(_ format: ContactFormat) {
    let unsafe = [
      "=1", "@x", "+1", "-1", "+", "-", "\tx", "\u{FF1D}1", "+447700900123", "+44-7700-900123", "+1.206.555", "+44/20", "-(5)", "-2+3",
      "-1.50", "007",
      "00.5", "1.50", "4.0", "5.", "1e5", "12E3.", "1234567890123456", "1,234", "1/2", "1 2/3", "0049 30/23125", "12:30", "50%", "3-4",
      "3-4-26",
      "12-2345", "1.2.2026", "1 ",
    ]
    let safe = [
      "0", "1", "42", "0.5", "12.25", "-2.5879", "123456789012345", "+44 7700 900123", "+1 (206) 555-0100", "+44 (0)20/7946",
      "020 7946 0601", "555-0100",
      "1-800-555-0100", "1979-04-14", "1979-04", "12 Quay Lane", "x=1", "2nd", "_", "a",
    ]
    for (texts, isProtected) in [(unsafe, true), (safe, false)] {
      for text in texts {
        var person = Person()
        person.fullName = "A"
        person.notes = [Labeled(text)]
        let plain = String(decoding: written([person], format).bytes, as: UTF8.self)
        let protected = String(decoding: written([person], format, spreadsheets: true).bytes, as: UTF8.self)
        #expect(!plain.contains("'"), "\(text)")
        #expect(protected.contains("'" + text) == isProtected, "\(text)")
        #expect(there([person], format, spreadsheets: true).first?.notes == person.notes, "\(text)")
      }
    }
  }

  @Test(arguments: [false, true]) func googleHoldsEverything(_ spreadsheets: Bool) {
    var dice = Dice(state: 11)
    let labels: [[Label]] = [[], [.home], [.work], [.mobile], [.work, .fax], [.home, .fax], ["boat house"], [.pager], [.main]]
    let people = (0..<40).map { _ in
      var person = dice.person()
      person.name?.phoneticGiven = dice.maybe { $0.text() } ?? ""
      person.name?.generation = dice.maybe { _ in ["II"] } ?? []
      person.nicknames = dice.some(2) { Labeled($0.text()) }
      person.anniversary = dice.maybe { PartialDate(year: 1950 + $0.roll(60), month: 5, day: 6) }
      person.dates = dice.some(2) { dice in
        var day = Labeled(PartialDate(month: 3, day: 1 + dice.roll(28)))
        day.labels = ["first met"]
        return day
      }
      func labeled<Value>(_ value: Value, _ dice: inout Dice) -> Labeled<Value> {
        var value = Labeled(value)
        value.labels = labels[dice.roll(labels.count)]
        return value
      }
      person.phones = dice.some(6) { labeled(PhoneNumber($0.phone()), &$0) }
      person.emails = dice.some(4) { labeled("\($0.roll(99))@example.com", &$0) }
      person.urls = dice.some(2) { labeled("https://example.com/\($0.roll(99))", &$0) }
      person.addresses = dice.some(3) { labeled($0.address(), &$0) }
      person.related = dice.some(2) { Labeled($0.text(), .spouse) }
      person.categories = dice.some(2) { Labeled("Group \($0.roll(5))") }
      var seen = Set<String>()
      person.categories = person.categories.filter { seen.insert($0.value).inserted }
      person.instantMessages = dice.some(2) { Labeled(InstantMessage(service: "skype", handle: $0.text())) }
      person.gender = dice.maybe { _ in Gender(sex: "female") }
      person.hobbies = dice.some(2) { labeled($0.text(), &$0) }
      person.languages = dice.some(2) { _ in Labeled("en") }
      person.timeZone = dice.maybe { _ in "Europe/London" }
      person.maidenName = dice.maybe { $0.text() }
      if person.titles.count == 1 { person.titles.append(Labeled("Second; of them")) }
      if person.organizations.count == 1 { person.organizations.append(Labeled(Organization("Other", units: ["A; B", "C"]))) }
      if dice.roll(2) == 0 { person.unclaimed = [UnclaimedLine("X-FOO", value: "bar\\, baz\\nqux")] }
      return person
    }
    let again = there(people, .googleCSV, spreadsheets: spreadsheets)
    #expect(again.count == people.count)
    for (a, b) in zip(again, people) { #expect(a == b) }
  }

  @Test func outlookHoldsWhatItsColumnsHold() {
    var dice = Dice(state: 12)
    let people = (0..<40).map { _ in
      var person = dice.person()
      person.anniversary = dice.maybe { PartialDate(year: 1950 + $0.roll(60), month: 5, day: 13 + $0.roll(9)) }
      if person.birthday?.day ?? 13 < 13 { person.birthday?.day = 20 }
      person.gender = dice.maybe { Gender(sex: $0.roll(2) == 0 ? "female" : "male") }
      person.emails = dice.some(3) { Labeled("\($0.roll(99))@example.com") }
      let phones: [(Label, Label?)] = [
        (.work, .fax), (.work, nil), (.work, nil), (.home, .fax), (.home, nil), (.mobile, nil), (.pager, nil),
      ]
      for (first, second) in phones where dice.roll(2) == 0 {
        var phone = Labeled(PhoneNumber(dice.phone()))
        phone.labels = [first] + (second.map { [$0] } ?? [])
        person.phones.append(phone)
      }
      for label in [Label.work, .home, .other] where dice.roll(2) == 0 { person.addresses.append(Labeled(dice.address(), label)) }
      if dice.roll(2) == 0 { person.urls = [Labeled("https://example.com", .work)] }
      if dice.roll(2) == 0 { person.related = [Labeled("Ann", "child"), Labeled("Bo", "child"), Labeled(dice.text(), "spouse")] }
      if dice.roll(2) == 0 { person.categories = [Labeled("Friends"), Labeled("Choir, old")] }
      if dice.roll(2) == 0 { person.unclaimed = [UnclaimedLine("X-CUSTOM1", value: "a\\, b"), UnclaimedLine("X-CUSTOM4", value: "d")] }
      return person
    }
    for (a, b) in zip(there(people, .outlookCSV), people) { #expect(a == b) }
  }

  @Test(arguments: [ContactFormat.thunderbirdCSV, .ldif]) func thunderbirdHoldsWhatItsColumnsHold(_ format: ContactFormat) {
    var dice = Dice(state: 13)
    let people = (0..<40).map { _ in
      var person = dice.person()
      for part in [\PersonName.prefix, \.middle, \.suffix] { person.name?[keyPath: part] = [] }
      person.fullName = dice.maybe { $0.text() } ?? person.name?.formatted
      person.birthday = dice.maybe { PartialDate(month: 1 + $0.roll(12), day: 1 + $0.roll(28)) } ?? person.birthday
      person.nicknames = dice.some(1) { Labeled($0.text()) }
      person.emails = dice.some(2) { Labeled("\($0.roll(99))@example.com") }
      for label in [Label.work, .home, .fax, .pager, .mobile] where dice.roll(2) == 0 {
        person.phones.append(Labeled(PhoneNumber(dice.phone()), label))
      }
      for label in [Label.home, .work] where dice.roll(2) == 0 {
        var address = dice.address()
        address.extended = dice.maybe { $0.text() } ?? ""
        person.addresses.append(Labeled(address, label))
      }
      for label in [Label.work, .home] where dice.roll(2) == 0 { person.urls.append(Labeled("https://example.com/\(dice.roll(9))", label)) }
      if dice.roll(2) == 0 { person.instantMessages = [Labeled(InstantMessage(service: "aim", handle: "mira"))] }
      if dice.roll(2) == 0 { person.unclaimed = [UnclaimedLine("X-CUSTOM2", value: "a\\; b")] }
      return person
    }
    for (a, b) in zip(there(people, format), people) { #expect(a == b) }
  }

  @Test func rowsOfValuesComeBack() {
    var dice = Dice(state: 14)
    let people = (0..<20).map { _ in
      var person = dice.person()
      person.phones = dice.some(3) { Labeled(PhoneNumber($0.phone()), .work, "boat; house", preference: 1 + $0.roll(9)) }
      person.nicknames = dice.some(2) { Labeled($0.text()) }
      person.addresses = dice.some(2) { Labeled($0.address(), .home) }
      person.unclaimed = dice.some(2) { UnclaimedLine("X-FOO", value: "bar\\, \($0.roll(9))") }
      return person
    }
    for (a, b) in zip(there(people, .csvLong), people) { #expect(a == b) }
  }

  @Test func headersAreToTheLetter() throws {
    func header(_ format: ContactFormat, _ people: [Person]) -> String {
      String(decoding: written(people, format).bytes, as: UTF8.self).split(separator: "\r\n").first.map(String.init) ?? ""
    }
    #expect(header(.outlookCSV, []).replacing(",", with: "|") == SheetDialect.outlookExport)
    #expect(header(.thunderbirdCSV, []).split(separator: ",").map(String.init) == SheetDialect.thunderbirdExport)
    var person = Person()
    person.phones = [Labeled("+1 206 555 0100", .work), Labeled("+1 206 555 0101", .mobile)]
    #expect(
      header(.googleCSV, [Person(), person])
        == SheetDialect.googleFixed.joined(separator: ",") + ",Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value")
  }

  @Test func whatFindsNoColumnIsInTheNotes() throws {
    var person = Person()
    person.fullName = "Mira Okafor"
    person.uid = "urn:uuid:1"
    person.notes = [Labeled("First")]
    person.phones = (1...4).map { Labeled(PhoneNumber("+1 206 555 010\($0)"), .work) } + [Labeled("+1 206 555 0105", "boat house")]
    person.emails = (1...4).map { Labeled("\($0)@example.com") }
    person.emails[3].preference = 1
    person.photos = [Labeled(Media(bytes: [0xFF, 0xD8, 0xFF, 0xE0]))]
    let outlook = try #require(there([person], .outlookCSV).first)
    #expect(outlook.phones.map(\.value.number) == ["+1 206 555 0101", "+1 206 555 0102"])
    #expect(outlook.emails.map(\.value) == ["4@example.com", "1@example.com", "2@example.com"])
    #expect(
      outlook.notes.map(\.value) == [
        "First\n\nPhone (work): +1 206 555 0103\nPhone (work): +1 206 555 0104\nPhone (boat house): +1 206 555 0105\nEmail: 3@example.com"
      ])
    let findings = written([person], .outlookCSV).findings
    #expect(findings.map(\.rule.id) == ["no-column", "photos-left-out"] && findings[0].message.contains("uid") && !findings[0].leftOut)
    let google = try #require(there([person], .googleCSV).first)
    #expect(google.phones == person.phones && google.emails == person.emails)
  }

  @Test func theSignThatDividesValuesDividesNoNote() throws {
    var person = Person()
    person.fullName = "Mira ::: Okafor"
    person.notes = [Labeled("a ::: b")]
    person.related = [Labeled("Sam ::: Kim", .spouse)]
    let again = try #require(there([person], .googleCSV).first)
    #expect(again.fullName == person.fullName && again.notes == person.notes)
    #expect(again.related == [Labeled("Sam :: Kim", .spouse)])
  }

  @Test func outlookGetsItsCodePageWhereThatIsEnough() {
    var person = Person()
    person.name = PersonName(given: "Jörg", family: "Größer")
    let western = written([person], .outlookCSV)
    #expect(western.bytes.contains(0xF6) && !western.bytes.starts(with: [0xEF, 0xBB, 0xBF]) && western.findings.isEmpty)
    person.name?.given = ["Łukasz"]
    let other = written([person], .outlookCSV)
    #expect(other.bytes.starts(with: [0xEF, 0xBB, 0xBF]) && other.findings.map(\.rule.id) == ["sheet-encoding"])
    #expect(persons(other.bytes).persons.first?.name == person.name)
  }

  @Test func ldifEncodesWhatIsNotSafe() {
    var person = Person()
    person.fullName = "Mira, Ökafor"
    person.emails = [Labeled("m@example.com")]
    person.notes = [Labeled(" begins with a blank")]
    let text = String(decoding: written([person], .ldif).bytes, as: UTF8.self)
    #expect(text.hasPrefix("dn:: ") && text.contains("\nmail: m@example.com\n") && text.contains("\ndescription:: IGJl"))
    var group = Person()
    (group.fullName, group.kind) = ("Sailing", "group")
    group.members = [Labeled("mailto:m@example.com")]
    #expect(there([person, group], .ldif).last == group)
  }
}
