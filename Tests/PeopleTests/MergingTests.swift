// Contacts that become one: nothing is lost, nothing stands twice.
import CardSyntax
import People
import Testing

/// The contact that some make, and what was said about it.
private func merged(_ cards: [String]) throws -> (person: Person, record: KeptRecord, findings: [Diagnostic]) {
  var merger = ContactMerger(numbering: try numbering())
  let records = cards.flatMap { text in Persons(text).map { KeptRecord(Record($0)) } }
  let record = KeptRecord(merger.merge(records))
  return (Person(record.record), record, merger.takeFindings())
}

@Suite struct MergingTests {
  @Test func equalValuesBecomeOneWithAllLabels() throws {
    let (person, _, findings) = try merged([
      card("FN:Ann|TEL;TYPE=CELL:+1 206 555 0121|EMAIL;TYPE=HOME:ann@example.com|CATEGORIES:Friends"),
      card("FN:Ann|TEL;TYPE=HOME:+1 (206) 555-0121|TEL:+1 206 555 0122|EMAIL;TYPE=WORK,PREF:ANN@example.com|CATEGORIES:friends,Work"),
    ])
    #expect(person.phones.map(\.value.number) == ["+1 206 555 0121", "+1 206 555 0122"])
    #expect(person.phones[0].labels == [.mobile, .home])
    #expect(person.emails.map(\.value) == ["ann@example.com"])
    #expect(person.emails[0].labels == [.home, .work] && person.emails[0].preference == 1)
    #expect(person.categories.map(\.value) == ["Friends", "Work"])
    #expect(findings.isEmpty)
  }

  @Test func anExtensionStandsOnce() throws {
    let cards = [card("FN:Ann|TEL:+44 117 496 0100 x12"), card("FN:Ann|TEL;VALUE=uri:tel:+44-117-496-0100;ext=12")]
    #expect(try merged(cards).person.phones.map(\.value) == [PhoneNumber("+44 117 496 0100 x12")])
    #expect(try merged(cards.reversed()).person.phones.map(\.value) == [PhoneNumber("+44-117-496-0100", extension: "12")])
  }

  @Test func missingPartsAreFilled() throws {
    let (person, _, findings) = try merged([
      card("FN:Ann Lowe|N:Lowe;Ann;;;|ADR;TYPE=HOME:;;12 Quay Lane;Bristol;;;|ORG:Tern|BDAY:1980-02-03"),
      card("FN:Ann Lowe|N:Lowe;Ann;Marie;Dr.;|ADR:;;12 Quay Lane;Bristol;;BS1 4ZZ;United Kingdom|ADR:;;1 Hill;Leeds;;;|ORG:Tern;Survey"),
    ])
    #expect(person.name == PersonName(prefix: "Dr.", given: "Ann", middle: "Marie", family: "Lowe"))
    #expect(person.addresses.map(\.value.postalCode) == ["BS1 4ZZ", ""] && person.addresses[0].labels == [.home])
    #expect(person.organizations.map(\.value) == [Organization("Tern", units: ["Survey"])])
    #expect(person.birthday?.iso == "1980-02-03")
    #expect(findings.isEmpty)
  }

  /// Where a field has room for one value, the first is kept, and the others stand beside it and are told.
  @Test func differingValuesAreKeptAndTold() throws {
    let (person, record, findings) = try merged([
      card("FN:Ann Lowe|N:Lowe;Ann;;;|BDAY:1980-02-03|UID:m-1|REV:2020-01-01T00:00:00Z|PRODID:a"),
      card("FN:Annie|N:Lowe;Annie;;;|BDAY:1980-02-04|UID:m-2|REV:2022-01-01T00:00:00Z|PRODID:b"),
    ])
    #expect(person.birthday?.iso == "1980-02-03" && person.uid == "m-1" && person.productID == "a")
    #expect(person.revision?.iso == "2022-01-01T00:00:00Z")
    var writer = CardWriter(version: .v30)
    writer.write(record.record)
    let text = String(decoding: writer.takeOutput(), as: UTF8.self)
    for line in ["X-OTHER-FN:Annie", "X-OTHER-N:Lowe;Annie;;;", "X-OTHER-BDAY:1980-02-04", "X-OTHER-UID:m-2"] {
      #expect(text.contains("\r\n\(line)\r\n"))
    }
    #expect(!text.contains("PRODID:b") && !text.contains("2020"))
    #expect(findings.map(\.property) == ["UID", "FN", "N", "BDAY"])
    #expect(findings.allSatisfy { $0.rule.id == "merge-conflict" && $0.contact == 1 })
    // In 4.0 there is room for a second full name.
    var newer = CardWriter(version: .v40)
    newer.write(record.record)
    #expect(String(decoding: newer.takeOutput(), as: UTF8.self).contains("\r\nFN:Annie\r\n"))
  }

  @Test func twoLabelsOfOneValueAreTold() throws {
    let (person, _, findings) = try merged([
      card("FN:Ann|item1.EMAIL:ann@example.com|item1.X-ABLabel:Club"), card("FN:Ann|item1.EMAIL:ann@example.com|item1.X-ABLabel:Boat"),
    ])
    #expect(person.emails.map(\.labels) == [["Club", "Boat"]])
    #expect(findings.map(\.property) == ["EMAIL"])
  }

  /// Groups of two cards that have one name stay two groups.
  @Test func groupsDoNotCollide() throws {
    let (person, record, _) = try merged([
      card("FN:Ann|item1.TEL:555-0101|item1.X-NOTE:first|item2.URL:https://example.com/a|item2.X-ABLabel:Blog"),
      card("FN:Ann|item1.TEL:555-0102|item1.X-NOTE:second|ITEM2.URL:https://example.com/b|item2.X-ABLabel:Shop"),
    ])
    #expect(person.phones[0].group == "item1" && person.phones[1].group != "item1" && !person.phones[1].group.isEmpty)
    #expect(person.unclaimed.map(\.group) == [person.phones[0].group, person.phones[1].group])
    var writer = CardWriter(version: .v30)
    writer.write(record.record)
    let again = try #require(Array(Persons(String(decoding: writer.takeOutput(), as: UTF8.self))).first)
    #expect(again.urls.map(\.labels) == [["Blog"], ["Shop"]])
    #expect(again.phones.map(\.group) == again.unclaimed.filter { $0.name == "X-NOTE" }.map(\.group))
  }

  @Test func linesThatNoFieldHoldsAreKept() throws {
    let (person, _, _) = try merged([card("FN:Ann|X-ODD;Z=1:a|X-ODD:b"), card("FN:Ann|x-odd:b|X-ODD:c|X-EMPTY:")])
    #expect(person.unclaimed.map(\.value) == ["a", "b", "c"])
  }

  @Test func identifiersOfValuesStayUnique() throws {
    let (person, _, findings) = try merged([
      "BEGIN:VCARD\nVERSION:4.0\nFN:Ann\nADR;PROP-ID=a1:;;12 Quay Lane;;;;\nTEL;PROP-ID=t1:555-0101\nEND:VCARD\n",
      "BEGIN:VCARD\nVERSION:4.0\nFN:Ann\nADR;PROP-ID=a1:;;;Bristol;;;\nTEL;PROP-ID=t1:555-0102\nEND:VCARD\n",
    ])
    #expect(person.addresses.map(\.value.city) == ["Bristol"] && person.addresses.map(\.value.street) == ["12 Quay Lane"])
    #expect(person.phones.map(\.id) == ["t1", ""])
    #expect(findings.map(\.property) == ["TEL"])
  }

  @Test func aMergedContactHasTheVersionOfItsFirst() throws {
    let (person, record, _) = try merged([
      "BEGIN:VCARD\nVERSION:2.1\nN:Lowe;Ann\nEND:VCARD\n", "BEGIN:VCARD\nVERSION:4.0\nFN:Ann Lowe\nANNIVERSARY:20010506\nEND:VCARD\n",
    ])
    #expect(record.record.version == .v21 && person.version == .v21)
    #expect(person.fullName == "Ann Lowe" && person.anniversary?.iso == "2001-05-06")
  }

  @Test func referencesFollow() throws {
    var identifiers = MergedIdentifiers()
    let parts = [card("FN:Ann|UID:A-1"), card("FN:Ann|UID:urn:uuid:B-2")].flatMap { text in Persons(text).map { KeptRecord(Record($0)) } }
    var merger = ContactMerger(numbering: try numbering())
    identifiers.add(parts, merged: merger.merge(parts))
    let group =
      "BEGIN:VCARD\nVERSION:4.0\nKIND:group\nFN:Crew\nMEMBER:urn:uuid:b-2\nMEMBER:urn:uuid:A-1\nMEMBER:mailto:x@example.com\nEND:VCARD\n"
    let person = try #require(Array(Persons(group)).first)
    let exchanged = identifiers.updated(Record(person))
    let updated = try #require(exchanged)
    #expect(Person(updated.record).members.map(\.value) == ["urn:uuid:A-1", "mailto:x@example.com"])
    let other = try #require(Array(Persons(card("FN:Sam|item1.X-ABRELATEDNAMES:B-2|item1.X-ABLabel:_$!<Friend>!$_"))).first)
    let ofOther = identifiers.updated(Record(other))
    let related = try #require(ofOther)
    #expect(Person(related.record).related.map(\.value) == ["A-1"] && Person(related.record).related[0].labels == ["friend"])
    let ofNobody = identifiers.updated(Record(Person()))
    #expect(ofNobody == nil)
  }

  /// Every field of every kind survives: a contact merged with itself is itself.
  @Test func mergedWithItselfNothingChanges() throws {
    for name in sampleNames {
      for person in Persons(try sampleBytes(name)) {
        var merger = ContactMerger(numbering: try numbering())
        let record = KeptRecord(Record(person))
        let whole = merger.merge([record, record])
        #expect(merger.takeFindings().isEmpty)
        #expect(Person(whole) == person, "\(name): \(person.fullName ?? "")")
      }
    }
  }
}

extension MergingTests {
  /// Thousands of values and lines, half of them on both sides.
  @Test func manyValuesAreMerged() throws {
    func many(_ from: Int) -> String {
      card(
        "FN:Ann|"
          + (from..<from + 3000).map { "ADR;PROP-ID=a\($0):;;\($0) Quay;Bristol;;;|X-ODD:\($0)|X-SOCIALPROFILE:https://example.com/\($0)" }
          .joined(separator: "|"))
    }
    let (person, _, _) = try merged([many(0), many(1500)])
    #expect(person.addresses.count == 4500 && person.socialProfiles.count == 4500)
    #expect(person.unclaimed.map(\.value) == (0..<4500).map(String.init))
  }
}
