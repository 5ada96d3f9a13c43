// What differs between two contacts, and what makes no difference.
import CardSyntax
import People
import Testing

private func person(_ text: String) throws -> Person { try #require(Array(Persons(text)).first) }

/// The keys of the fields that differ, with `-` and `+` for values of one side alone.
private func differences(_ left: Person, _ right: Person) throws -> [String] {
  var comparison = ContactComparison(numbering: try numbering())
  let found = comparison.differences(Record(left), Record(right))
  #expect((comparison.fingerprint(Record(left)) == comparison.fingerprint(Record(right))) == found.isEmpty)
  return found.map { (($0.left == nil) ? "+" : ($0.right == nil) ? "-" : "") + Person.fields[$0.field].key }
}

@Suite struct ComparisonTests {
  @Test func spellingMakesNoDifference() throws {
    let left = try person(
      card(
        "FN:Ann Lowe|N:Lowe;Ann;;;|UID:A-1|REV:2020-01-01T00:00:00Z|PRODID:a|item1.TEL:555-0101|item1.X-ABLabel:_$!<Mobile>!$_|NOTE:x|KIND:individual"
      ))
    let right = try person(
      "BEGIN:VCARD\r\nVERSION:4.0\r\nPRODID:b\r\nNOTE:x\r\nTEL;TYPE=cell:555-\r\n 0101\r\nUID:urn:uuid:a-1\r\nN:Lowe;Ann;;;\r\nFN:Ann Lowe\r\nEND:VCARD\r\n"
    )
    #expect(try differences(left, right) == [])
  }

  @Test func valuesLabelsAndPartsMake() throws {
    let left = try person(card("FN:Ann|N:Lowe;Ann;;;|TEL;TYPE=HOME:555-0101|TEL:555-0102|BDAY:1980-02-03|CATEGORIES:a,b|X-ODD:1"))
    let right = try person(card("FN:Ann|N:Lowe;Ann;Marie;;|TEL;TYPE=WORK:5550101|TEL:555-0103|CATEGORIES:b,c|X-ODD:2"))
    #expect(
      try differences(left, right) == [
        "name", "-birthday", "phones", "-phones", "+phones", "-categories", "+categories", "-unclaimed", "+unclaimed",
      ])
  }

  @Test func howOftenAValueStandsCounts() throws {
    let left = try person(card("FN:Ann|TEL:555-0101|TEL:555-0101"))
    #expect(try differences(left, try person(card("FN:Ann|TEL:555-0101"))) == ["-phones"])
  }

  /// A contact converted to another version is the same contact.
  @Test(arguments: sampleNames) func convertedItIsTheSame(_ name: String) throws {
    for person in Persons(try sampleBytes(name)) {
      for version in [CardVersion.v30, .v40] {
        var comparison = ContactComparison(numbering: try numbering())
        var reader = CardReader()
        reader.omitsDuplicates = true
        var parser = CardParser(names: FieldNames.table)
        let text = Array(person.vCard(version).utf8)
        parser.feed(text.span)
        parser.finish()
        let next = parser.nextBatch()
        let batch = try #require(next)
        reader.read(batch, 0)
        let old = Record(person)
        let found = comparison.differences(old, reader.record)
          // A line that another one says as well is written once in another version.
          .filter { Person.fields[$0.field].key != "unclaimed" }
        #expect(found.map { Person.fields[$0.field].key } == [], "\(name) \(version.text): \(person.fullName ?? "")")
      }
    }
  }

  @Test func pairsAreOneToOne() throws {
    var matcher = ContactMatcher(numbering: try numbering())
    let left = [
      card("FN:Ann|UID:1|EMAIL:a@example.com"), card("FN:Ann|EMAIL:a@example.com|NOTE:old"), card("FN:Bo|TEL:555-0100"),
      card("UID:7|REV:2020-01-01"),
    ]
    let right = [
      card("FN:Ann|EMAIL:a@example.com|NOTE:new"), card("FN:ann|UID:1|EMAIL:a@example.com"), card("FN:Cy|TEL:555-0100"),
      card("UID:7|N:;;;;"),
    ]
    var comparison = ContactComparison(numbering: try numbering())
    var fingerprints: [[UInt64]] = []
    for text in left + right {
      let record = Record(try person(text))
      matcher.add(record)
      fingerprints.append(comparison.fingerprint(record))
    }
    let pairs = ContactPairs(matcher, leftCount: 4, fingerprints: fingerprints)
    #expect(pairs.partners == [5, 4, nil, 7, 1, 0, nil, 3])
    #expect(pairs.differ == [true, true, false, false, true, true, false, false])
  }
}
