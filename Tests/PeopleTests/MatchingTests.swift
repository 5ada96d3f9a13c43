// Who is the same person, who might be, and who is not.
import CardSyntax
import People
import Testing

/// A card's lines.
func card(_ lines: String) -> String {
  "BEGIN:VCARD\nVERSION:3.0\n" + lines.split(separator: "|").joined(separator: "\n") + "\nEND:VCARD\n"
}

/// The numbering of a region that exists.
func numbering(_ region: String? = nil) throws -> PhoneNumbering { try #require(PhoneNumbering(region: region)) }

/// The plan for some contacts.
func plan(_ cards: [String], by keys: Set<MatchKey> = Set(MatchKey.allCases), region: String? = nil) throws -> MatchPlan {
  var matcher = ContactMatcher(by: keys, numbering: try numbering(region))
  for card in cards { for person in Persons(card) { matcher.add(Record(person)) } }
  return matcher.plan()
}

extension MatchPlan {
  var members: [[Int]] { groups.map(\.members) }
  var reasons: [String] { groups.map(\.reason) }
  var pairs: [[Int]] { candidates.map { [$0.first, $0.second] } }
}

@Suite struct MatchingTests {
  @Test func theSameIdentifier() throws {
    let found = try plan([
      card("FN:Mira Okafor|UID:urn:uuid:0A1B2C3D-0000-4000-A000-000000000001"), card("FN:Sam|UID:x"),
      card("FN:Mira Lund|UID:0a1b2c3d-0000-4000-a000-000000000001"),
    ])
    #expect(found.members == [[0, 2]] && found.reasons == ["uid"] && found.pairs.isEmpty)
  }

  @Test func anAddressWithAFittingName() throws {
    let found = try plan([
      card("FN:Okafor\\, Mira|EMAIL:Mira@Example.com"), card("FN:Bo Lee|TEL:+44 20 7946 0018"),
      card("FN:M. Okafor|EMAIL:mailto:mira@example.com"),
      card("FN:B. Lee|TEL:+44 (0)20 7946-0018"), card("FN:Someone Else|EMAIL:mira@example.com"),
    ])
    #expect(found.members == [[0, 2], [1, 3]] && found.reasons == ["email", "phone"])
    #expect(found.pairs == [[0, 4]])
    let evidence = try #require(found.groups[0].evidence.first)
    #expect((evidence.first, evidence.second, evidence.key, evidence.text) == (0, 2, .email, "mira@example.com"))
  }

  /// National numbers are read only where somebody says of which country they are.
  @Test func nationalNumbersNeedTheirRegion() throws {
    let cards = [card("FN:Bo Lee|TEL:020 7946 0018"), card("FN:Bo Lee|TEL:+442079460018")]
    #expect(try plan(cards).members == [])
    #expect(try plan(cards).pairs == [[0, 1]])
    #expect(try plan(cards, region: "GB").members == [[0, 1]])
  }

  @Test func equalApartFromIdentifiersAndOrder() throws {
    let found = try plan([
      card("FN:Toni|NOTE:tea|ORG:Mill|UID:1|REV:2024-08-15T10:00:00Z|PRODID:a"), card("ORG:Mill|PRODID:b|NOTE:tea|FN:Toni|UID:2"),
      card("FN:Toni|NOTE:coffee|ORG:Mill|UID:3"),
    ])
    #expect(found.members == [[0, 1]] && found.reasons == ["equal"] && found.pairs == [[0, 2]])
    // Contacts without any value say nothing.
    #expect(try plan([card("UID:1|N:;;;;"), card("UID:2|N:;;;;")]).members == [])
  }

  @Test func namesakesAndSwitchboards() throws {
    let found = try plan([
      card("FN:John Smith|TEL:+1 555 0216"), card("FN:John Smith|TEL:+1 555 0217"), card("FN:Info|ORG:Acme|TEL:+1 555 0218"),
      card("FN:Mia Ray|ORG:Acme|TEL:+1 555 0218"), card("FN:Acme|ORG:Acme|TEL:+1 555 0218"),
    ])
    #expect(found.members == [])
    #expect(found.pairs == [[0, 1], [2, 3], [2, 4], [3, 4]])
    #expect(found.candidates.map(\.key) == [.name, .phone, .phone, .phone])
  }

  @Test func generationsAreDifferentPeople() throws {
    let found = try plan([
      card("N:Smith;John;;;|TEL:555-0100"), card("N:Smith;John;;;Jr.|TEL:555-0100"), card("FN:John Smith II|TEL:5550100"),
    ])
    #expect(found.members == [] && found.pairs == [[0, 1], [0, 2], [1, 2]])
  }

  /// In a group every two fit each other: initials that fit two people belong to neither.
  @Test func initialsThatFitTwo() throws {
    let found = try plan([
      card("FN:J. Smith|TEL:555-0100"), card("FN:John Smith|TEL:555-0100"), card("FN:Jane Smith|TEL:555-0100"),
      card("FN:John P. Smith|TEL:555-0100"),
    ])
    #expect(found.members == [[1, 3]])
    #expect(found.pairs == [[0, 1], [0, 2], [1, 2]])
    let chain = try plan([
      card("FN:John Paul Smith|TEL:555-0100"), card("FN:John Smith|TEL:555-0100|EMAIL:j@example.com"),
      card("FN:J. Smith|EMAIL:j@example.com|TEL:555-0101"),
      card("FN:Jane Smith|TEL:555-0101"),
    ])
    #expect(chain.members == [[0, 1]])
  }

  /// Members need no key in common if a chain of keys connects them and every two names fit.
  @Test func chainsOfKeys() throws {
    let found = try plan([
      card("FN:Mira Okafor|TEL:555-0100"), card("FN:Mira Okafor|EMAIL:m@example.com"),
      card("FN:M. Okafor|TEL:555-0100|EMAIL:m@example.com"),
    ])
    #expect(found.members == [[0, 1, 2]])
    #expect(found.groups[0].evidence.map { [$0.first, $0.second] }.sorted { $0[0] < $1[0] } == [[0, 2], [1, 2]])
  }

  @Test func whoHasNoNameJoinsOnePerson() throws {
    let found = try plan([
      card("FN:Mira Okafor|EMAIL:m@example.com"), card("EMAIL:m@example.com|TEL:555-0100"),
      card("FN:m2@example.com|TEL:555-0100|EMAIL:m2@example.com"),
      card("FN:Bo Lee|TEL:555-0111"), card("FN:Ann Lee|TEL:555-0111"), card("TEL:555-0111"), card("TEL:555-0122"),
      card("TEL:5550122|NOTE:x"),
    ])
    #expect(found.members == [[0, 1, 2], [6, 7]])
    #expect(found.pairs == [[3, 4], [3, 5], [4, 5]])
  }

  @Test func keysCanBeLimited() throws {
    let cards = [
      card("FN:Mira Okafor|EMAIL:m@example.com|UID:1"), card("FN:Mira Okafor|EMAIL:m@example.com|UID:2|TEL:555-0100"),
      card("FN:M. Okafor|TEL:555-0100"),
    ]
    #expect(try plan(cards).members == [[0, 1, 2]])
    #expect(try plan(cards, by: [.email]).members == [[0, 1]])
    #expect(try plan(cards, by: [.phone]).members == [[1, 2]])
    #expect(try plan(cards, by: [.uid]).members == [])
    let byName = try plan(cards, by: [.name])
    #expect(byName.members == [] && byName.pairs == [[0, 1]])
    #expect(try plan([cards[0], cards[0]], by: [.email, .uid]).members == [[0, 1]])
  }

  /// A number that many share makes as many pairs as people, not as pairs of people.
  @Test func aLargeSwitchboardStaysLinear() throws {
    var cards: [String] = []
    for i in 0..<400 { cards.append(card("FN:Given\(i) Family\(i)|TEL:+1 555 0100|EMAIL:all@example.com")) }
    cards.append(card("FN:Given7 Family7|TEL:+1 555 0100"))
    let found = try plan(cards)
    #expect(found.members == [[7, 400]])
    #expect(found.pairs.count == 399)
  }

  @Test func mergesWhatIsNamed() throws {
    var matcher = ContactMatcher(numbering: try numbering())
    for text in [card("FN:A|TEL:555-0100"), card("FN:B"), card("FN:C|TEL:555-0100"), card("FN:D|UID:1"), card("FN:E|UID:1")] {
      for person in Persons(text) { matcher.add(Record(person)) }
    }
    let found = matcher.plan(merging: [[2, 0], [1, 2]])
    #expect(found.members == [[0, 1, 2]] && found.reasons == ["phone"])
    #expect(matcher.plan(merging: [[0, 1]]).reasons == ["named"])
  }
}
