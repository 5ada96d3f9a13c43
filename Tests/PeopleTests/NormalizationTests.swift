// Normalizing: what each step changes and leaves alone, that nothing is lost, and that twice is once.
import Bytes
import CardSyntax
import Testing

@testable import People

/// What normalizing made of some cards.
struct Normalized {
  var text = ""
  var findings: [Diagnostic] = []
  var counts: [StepCount] = []
  var outcomes: [Normalizer.Outcome] = []

  /// The unfolded lines between BEGIN and END, VERSION not among them.
  var lines: [String] {
    text.replacingFolds.split(separator: "\r\n").map(String.init).filter {
      !$0.hasPrefix("BEGIN:") && !$0.hasPrefix("END:") && !$0.hasPrefix("VERSION:")
    }
  }
}

extension String {
  fileprivate var replacingFolds: String {
    var result = ""
    for line in split(separator: "\r\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(" ") { result += line.dropFirst() } else { result += (result.isEmpty ? "" : "\r\n") + line }
    }
    return result
  }
}

/// Normalizes cards; `only` runs these steps alone.
func normalized(
  _ text: String, only: Set<String>? = nil, with added: Set<String> = [], region: String? = nil, to version: CardVersion? = nil,
  groups form: GroupMemberships.Form? = nil, now: String = "", telling: StepTelling = .all
) -> Normalized {
  normalized(Array(text.utf8), only: only, with: added, region: region, to: version, groups: form, now: now, telling: telling)
}

func normalized(
  _ bytes: [UInt8], only: Set<String>? = nil, with added: Set<String> = [], region: String? = nil, to version: CardVersion? = nil,
  groups form: GroupMemberships.Form? = nil, now: String = "", telling: StepTelling = .all
) -> Normalized {
  var options = NormalizationOptions()
  options.steps = (only ?? options.steps).union(added)
  options.numbering = PhoneNumbering(region: region)
  options.version = version
  options.now = now
  options.telling = telling
  func batches() -> [CardBatch] {
    var parser = CardParser(names: FieldNames.table)
    parser.feed(bytes.span)
    parser.finish()
    var found: [CardBatch] = []
    while let batch = parser.nextBatch() { found.append(batch) }
    return found
  }
  if let form {
    var groups = GroupMemberships(form)
    for batch in batches() { for index in 0..<batch.count { groups.note(batch, index) } }
    groups.settle()
    options.groups = groups
  }
  var normalizer = Normalizer(options)
  var output = ByteBuffer()
  var result = Normalized()
  for batch in batches() {
    for index in 0..<batch.count { result.outcomes.append(normalizer.normalize(batch, index, to: &output)) }
  }
  normalizer.writeGroups(to: &output)
  result.findings = normalizer.takeFindings()
  result.counts = normalizer.takeCounts()
  result.text = output.text()
  return result
}

/// The card of Mira Okafor, with these lines behind her name.
private func mira(_ lines: String..., version: String = "3.0", name: String = "N:Okafor;Mira;;;") -> String {
  (["BEGIN:VCARD", "VERSION:\(version)", "FN:Mira Okafor", name] + lines + ["END:VCARD"]).filter { !$0.isEmpty }
    .map { $0 + "\r\n" }.joined()
}

/// What a step makes of one line of a card.
struct LineCase: CustomTestStringConvertible, Sendable {
  let step: String, line: String, result: [String], version: String
  init(_ step: String, _ line: String, _ result: String..., version: String = "3.0") {
    (self.step, self.line, self.result, self.version) = (step, line, result, version)
  }
  var testDescription: String { "\(step): \(line)" }
}

@Suite struct NormalizationTests {
  /// Findings name the contact, with the name that it has, or gets; one that gets none has none.
  @Test func namesTheContact() {
    let nameless = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Vale;Sam;;;\r\nTEL:+44 7700 900123\r\nEND:VCARD\r\n"
    let text = nameless + mira("TEL:+44 7700 900123")
    #expect(Set(normalized(text).findings.map(\.contactName)) == ["Sam Vale", "Mira Okafor"])
    let phones = normalized(text + nameless, only: ["phones"]).findings
    #expect(phones.map(\.contactName) == [nil, "Mira Okafor", nil])
  }

  @Test(arguments: [
    LineCase("trim", "NOTE:  two blanks \\n", "NOTE:two blanks"),
    LineCase("trim", "ORG: Tern & Vale ; Survey", "ORG:Tern & Vale;Survey"),
    LineCase("trim", "NOTE:Hello\\, world", "NOTE:Hello\\, world"),
    LineCase("labels", "TEL;TYPE=mobile:1", "TEL;TYPE=CELL:1"),
    LineCase("labels", "TEL;TYPE=homefax:1", "TEL;TYPE=HOME,FAX:1"),
    LineCase("labels", "TEL;TYPE=cell,VOICE:1", "TEL;TYPE=cell,VOICE:1"),
    LineCase("labels", "ADR;TYPE=dom,home:;;1 Quay Lane;;;;", "ADR;TYPE=dom,home:;;1 Quay Lane;;;;"),
    LineCase("labels", "TEL;TYPE=business:1", "TEL;TYPE=WORK:1"),
    LineCase("labels", "TEL;TYPE=boathouse:1", "TEL;TYPE=boathouse:1"),
    LineCase("aliases", "X-AIM;TYPE=HOME:mira", "IMPP;TYPE=HOME:aim:mira"),
    LineCase("aliases", "X-MS-IMADDRESS:mira", "X-MS-IMADDRESS:mira"),
    LineCase("aliases", "X-EVOLUTION-SPOUSE:Sam", "item1.X-ABRELATEDNAMES:Sam", "item1.X-ABLabel:_$!<Spouse>!$_"),
    LineCase("aliases", "X-ANNIVERSARY:20010506", "ANNIVERSARY:20010506", version: "4.0"),
    LineCase("phones", "TEL;TYPE=HOME:+44 (0)20 7946 0999", "TEL;TYPE=HOME:+442079460999"),
    LineCase("phones", "TEL:+44 20 7946 0999 x12", "TEL:+442079460999 x12"),
    LineCase("phones", "TEL:020 7946 0999", "TEL:020 7946 0999"),
    LineCase("phones", "TEL;VALUE=uri:tel:+44-20-7946-0999;ext=12", "TEL;VALUE=uri:tel:+442079460999;ext=12", version: "4.0"),
    LineCase("emails", "EMAIL:Mira@Example.NET", "EMAIL:Mira@example.net"),
    LineCase("emails", "EMAIL:mailto:mira@example.net", "EMAIL:mira@example.net"),
    LineCase("emails", "EMAIL:nobody", "EMAIL:nobody"),
    LineCase("urls", "URL:HTTP://Example.COM/Path", "URL:http://example.com/Path"),
    LineCase("urls", "URL:www.example.com/Path", "URL:http://www.example.com/Path"),
    LineCase("urls", "URL:see my page", "URL:see my page"),
    LineCase("dates", "BDAY:19790414", "BDAY:1979-04-14"),
    LineCase("dates", "BDAY:14.04.1979", "BDAY:1979-04-14"),
    LineCase("dates", "BDAY:April 14\\, 1979", "BDAY:1979-04-14"),
    LineCase("dates", "BDAY:04/05/1979", "BDAY:04/05/1979"),
    LineCase("dates", "BDAY:14/05/1979", "BDAY:1979-05-14"),
    LineCase("dates", "BDAY;VALUE=date-time:1979-04-14T00:00:00Z", "BDAY:1979-04-14"),
    LineCase("dates", "BDAY:0000-00-00"),
    LineCase("dates", "BDAY;VALUE=text:circa 1800", "BDAY;VALUE=text:circa 1800", version: "4.0"),
    LineCase("empty", "NICKNAME:"),
    LineCase("empty", "X-FOO:"),
    LineCase("empty", "X-FOO;X-BAR=1:", "X-FOO;X-BAR=1:"),
    LineCase("mojibake", "NOTE:GarÃ§on", "NOTE:Garçon"),
    LineCase("mojibake", "NOTE:João Ãvila", "NOTE:João Ãvila"),
  ])
  func changesALine(_ line: LineCase) {
    let result = normalized(mira(line.line, version: line.version), only: [line.step])
    #expect(Array(result.lines.dropFirst(2)) == line.result)
    #expect(normalized(result.text, only: [line.step]).text == result.text)
    #expect(
      result.findings.allSatisfy { $0.severity == .info && $0.rule.id == "normalize-\(line.step)" && $0.line == 5 && $0.contact == 0 })
    #expect(result.findings.isEmpty == (line.result == [line.line]))
  }

  @Test(arguments: [
    ("Peters\\;Jana\\;\\;\\;;;;;", "Peters;Jana;;;"), ("Peters\\;Jana;;;;", "Peters\\;Jana;;;;"), ("Peters;Jana;;;", "Peters;Jana;;;"),
  ])
  func dividesEscapedNames(written: String, right: String) {
    let result = normalized(mira(name: "N:" + written), only: ["names"])
    #expect(result.lines.contains("N:" + right))
  }

  @Test(arguments: [
    ("Dr. Mira Okafor", "N:Okafor;Mira;;Dr.;"), ("Okafor\\, Mira", "N:Okafor;Mira;;;"),
    ("Ludwig van Beethoven", "N:van Beethoven;Ludwig;;;"),
    ("Mira Ada Okafor\\, PhD", "N:Okafor;Mira;Ada;;PhD"), ("Mira", "N:;Mira;;;"), ("mira@example.net", "N:;;;;"), ("Tern & Vale", "N:;;;;"),
  ])
  func makesPartsFromTheFullName(fullName: String, name: String) {
    let text = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\(fullName)\r\nTEL:1\r\nEND:VCARD\r\n"
    let result = normalized(text)
    #expect(result.lines.contains(name))
    #expect(normalized(result.text).text == result.text)
  }

  @Test func leavesCompaniesWithoutParts() {
    let text = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Tidewater Bakery\r\nORG:Tidewater Bakery\r\nEND:VCARD\r\n"
    #expect(normalized(text).lines.contains("N:;;;;"))
  }

  @Test(arguments: [
    ("MIRA OKAFOR", "OKAFOR;MIRA;;;", "Mira Okafor", "Okafor;Mira;;;"),
    ("mary o'neill-mcrae", "o'neill-mcrae;mary;;;", "Mary O'Neill-Mcrae", ""),
    ("Mira OKAFOR", "Okafor;Mira;;;", "Mira OKAFOR", "Okafor;Mira;;;"),
    ("JAN VAN DIJK III", "VAN DIJK;JAN;;;III", "Jan van Dijk III", "van Dijk;Jan;;;III"),
  ])
  func givesNamesCapitalInitials(full: String, name: String, wantedFull: String, wantedName: String) {
    let text = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\(full)\r\nN:\(name)\r\nEND:VCARD\r\n"
    let result = normalized(text, only: ["name-case"])
    #expect(result.lines.first == "FN:\(wantedFull)")
    if !wantedName.isEmpty { #expect(result.lines.last == "N:\(wantedName)") }
    #expect(normalized(result.text, only: ["name-case"]).text == result.text)
  }

  @Test func writesEqualValuesOnce() {
    let result = normalized(
      mira(
        "TEL;TYPE=HOME:+44 20 7946 0999", "TEL;TYPE=pref,CELL:+442079460999", "EMAIL:mira@example.net", "EMAIL;TYPE=WORK:mira@EXAMPLE.net",
        "NOTE:one", "NOTE:two", "NOTE:one", "CATEGORIES:Sailing,Choir,Sailing", "X-FOO:1", "X-FOO:1", "X-FOO:2"),
      only: ["duplicates"])
    #expect(
      Array(result.lines.dropFirst(2)) == [
        "TEL;TYPE=HOME,CELL,pref:+44 20 7946 0999", "EMAIL;TYPE=WORK:mira@example.net", "NOTE:one", "NOTE:two", "CATEGORIES:Sailing,Choir",
        "X-FOO:1", "X-FOO:2",
      ])
  }

  @Test func keepsEqualValuesThatOneLineCannotHold() {
    let text = mira("item1.TEL:1", "item1.X-ABLabel:boat", "item2.TEL:1", "item2.X-ABLabel:hut", "TEL;X-FOO=1:2", "TEL;X-FOO=2:2")
    #expect(normalized(text, only: ["duplicates"]).text == text)
  }

  @Test func leavesContactsWithoutValuesOut() {
    let result = normalized("BEGIN:VCARD\r\nVERSION:3.0\r\nN:;;;;\r\nFN:\r\nUID:7\r\nTEL:\r\nEND:VCARD\r\n" + mira())
    #expect(result.outcomes == [.leftOut, .unchanged])
    #expect(result.text == mira())
  }

  @Test func keepsNamesThatAVersionNeeds() {
    let text = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Tidewater Bakery\r\nN:;;;;\r\nORG:Tidewater Bakery\r\nEND:VCARD\r\n"
    #expect(normalized(text).text == text)
  }

  @Test func ordersPropertiesAndKeepsWhatBelongsTogether() {
    let result = normalized(
      mira("item1.URL:https://example.com", "NOTE:n", "item1.X-ABLabel:blog", "X-FOO:1", "TEL:1", "UID:7"), only: ["order"])
    #expect(
      result.lines == [
        "UID:7", "FN:Mira Okafor", "N:Okafor;Mira;;;", "TEL:1", "item1.URL:https://example.com", "item1.X-ABLabel:blog", "NOTE:n",
        "X-FOO:1",
      ])
  }

  @Test func copiesWhatIsRightAndUntouched() {
    let text = mira("tel;type=Cell;x-b=\"1\";X-A=2:112", "NOTE:a\\:b")
    #expect(normalized(text).text == text)
  }

  @Test func keepsVersionsAndRaisesTheOldest() {
    let old = "BEGIN:VCARD\r\nVERSION:2.1\r\nN:Okafor;Mira\r\nTEL;CELL:1\r\nEND:VCARD\r\n"
    let result = normalized(old + mira() + mira(version: "4.0"))
    #expect(result.text.split(separator: "\r\n").filter { $0.hasPrefix("VERSION") } == ["VERSION:3.0", "VERSION:3.0", "VERSION:4.0"])
    let raised = normalized(old + mira(), to: .v40)
    #expect(raised.text.split(separator: "\r\n").filter { $0.hasPrefix("VERSION") } == ["VERSION:4.0", "VERSION:4.0"])
  }

  @Test func changesNothingElseWithOneStep() {
    let text = "BEGIN:VCARD\nVERSION:3.0\nN:Okafor;Mira\nFN:Mira, Okafor\nTEL:+44 7700 900123\nNOTE:\nEND:VCARD\n"
    let result = normalized(text, only: ["phones"])
    #expect(
      result.text
        == "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Okafor;Mira\nFN:Mira, Okafor\nTEL:+447700900123\r\nNOTE:\nEND:VCARD\r\n")
  }

  @Test func makesIdentifiersFromContent() throws {
    let text = mira("TEL:1")
    let result = normalized(text, with: ["uid"])
    let uid = try #require(result.lines.first)
    #expect(uid.hasPrefix("UID:urn:uuid:") && uid.count == 49)
    #expect(normalized(text, with: ["uid"]).lines.first == uid)
    #expect(normalized(mira("TEL:2"), with: ["uid"]).lines.first != uid)
    let apple = normalized(mira("X-ABUID:7C11\\:ABPerson"), with: ["uid"])
    #expect(apple.lines.contains("UID:7C11:ABPerson"))
  }

  @Test func stampsChangedContactsAlone() {
    let result = normalized(mira("TEL:1") + mira("TEL:+44 7700 900123"), with: ["revision"], now: "2024-01-31T10:00:00Z")
    #expect(result.outcomes == [.unchanged, .changed])
    #expect(result.lines.filter { $0.hasPrefix("REV") } == ["REV:2024-01-31T10:00:00Z"])
    #expect(normalized(result.text, with: ["revision"], now: "2025-01-31T10:00:00Z").text == result.text)
  }

  @Test func namesTheLinesOfRepairedCards() {
    let text =
      "BEGIN:VCARD\r\nVERSION:2.1\r\nN:Okafor;Mira\r\nNOTE;ENCODING=QUOTED-PRINTABLE:a=0D=0A=\r\nb\r\nTEL;CELL:+44 7700 900123\r\nEND:VCARD\r\n"
    let result = normalized(text)
    #expect(result.findings.first { $0.rule.id == "normalize-phones" }?.line == 6)
  }

  // MARK: Groups

  private static let group = """
    BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:uuid:1\r\nFN:Mira\r\nEND:VCARD\r
    BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:uuid:2\r\nFN:Sam\r\nCATEGORIES:Choir\r\nEND:VCARD\r
    BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:uuid:9\r\nKIND:group\r\nFN:Sailing\r\nMEMBER:urn:uuid:1\r\nMEMBER:urn:uuid:2\r\nEND:VCARD\r\n
    """

  @Test func makesCategoriesOfGroupCards() {
    let result = normalized(Self.group, with: ["groups"], groups: .categories)
    #expect(result.outcomes == [.changed, .changed, .leftOut])
    #expect(result.lines.filter { $0.hasPrefix("CATEGORIES") } == ["CATEGORIES:Sailing", "CATEGORIES:Choir,Sailing"])
    #expect(normalized(result.text, with: ["groups"], groups: .categories).text == result.text)
  }

  @Test func keepsGroupCardsThatHoldMore() {
    let stranger = Self.group.replacing("MEMBER:urn:uuid:2", with: "MEMBER:urn:uuid:3")
    let result = normalized(stranger, with: ["groups"], groups: .categories)
    #expect(result.lines.contains("MEMBER:urn:uuid:3"))
    let noted = Self.group.replacing("KIND:group", with: "KIND:group\r\nNOTE:Fridays")
    #expect(normalized(noted, with: ["groups"], groups: .categories).lines.contains("NOTE:Fridays"))
  }

  @Test func makesGroupCardsOfCategories() {
    let result = normalized(Self.group.replacing("Choir", with: "Choir,Sailing,myContacts"), with: ["groups"], groups: .cards)
    #expect(result.lines.filter { $0.hasPrefix("CATEGORIES") } == ["CATEGORIES:myContacts"])
    #expect(result.lines.count { $0.hasPrefix("KIND:group") } == 2)
    #expect(result.lines.filter { $0 == "MEMBER:urn:uuid:2" }.count == 2)
    #expect(normalized(result.text, with: ["groups"], groups: .cards).text == result.text)
  }

  // MARK: All together

  @Test(arguments: [
    "ios", "macos-group", "android-2.1", "google", "outlook-2.1-windows1252", "thunderbird", "nextcloud", "nokia-2.1", "whatsapp",
  ])
  func twiceIsOnce(name: String) throws {
    let bytes = try sampleBytes(name)
    for version in [nil, CardVersion.v30, .v40] {
      let extra: Set<String> = ["uid", "mojibake", "name-case", "revision"]
      for added in [[], extra] {
        let once = normalized(bytes, with: added, region: "GB", to: version, now: "2024-01-31T10:00:00Z")
        let twice = normalized(once.text, with: added, region: "GB", to: version, now: "2025-01-31T10:00:00Z")
        #expect(twice.text == once.text)
        #expect(twice.findings.isEmpty)
        #expect(twice.outcomes.allSatisfy { $0 == .unchanged })
      }
    }
  }

  /// Every step but those that change values on purpose keeps each person as it was.
  @Test(arguments: ["ios", "macos-group", "google", "thunderbird", "nextcloud", "whatsapp"])
  func losesNothing(name: String) throws {
    let bytes = try sampleBytes(name)
    let result = normalized(bytes, only: ["encoding", "version", "trim", "labels", "order"])
    let (before, after) = (Array(Persons(bytes)), Array(Persons(result.text)))
    #expect(before.count == after.count)
    for (a, b) in zip(before, after) {
      var (a, b) = (a, b)
      // Values of one name keep their order, lines of different names need not.
      a.unclaimed.sort { ($0.name, $0.value) < ($1.name, $1.value) }
      b.unclaimed.sort { ($0.name, $0.value) < ($1.name, $1.value) }
      #expect(a.fullName == b.fullName && a.name == b.name && a.notes == b.notes && a.photos == b.photos && a.dates == b.dates)
      #expect(a.phones.map(\.value) == b.phones.map(\.value) && a.phones.map(\.labels) == b.phones.map(\.labels))
      #expect(a.emails.map(\.value) == b.emails.map(\.value) && a.addresses.map(\.value) == b.addresses.map(\.value))
      #expect(a.unclaimed.map(\.value) == b.unclaimed.map(\.value))
    }
  }

  @Test func listsEachStepOnce() {
    let ids = NormalizationStep.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
  }
}
