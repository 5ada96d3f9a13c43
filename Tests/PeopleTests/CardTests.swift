// Cards through the parser, the table and the writers: what comes back, whatever the bytes and however they are cut.
import Bytes
import CardSyntax
import People
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The samples of the repository, by name.
let sampleNames = [
  "ios", "macos-group", "android-2.1", "google", "outlook-2.1-windows1252", "thunderbird", "nextcloud", "nokia-2.1", "whatsapp",
]

/// A sample is not there.
private struct Missing: Error {}

/// The bytes of a sample.
func sampleBytes(_ name: String) throws -> [UInt8] {
  let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  guard let file = unsafe fopen("/\(folder)/samples/\(name).vcf", "rb") else { throw Missing() }
  defer { unsafe fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  let count = unsafe bytes.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, file) }
  return Array(bytes[..<count])
}

/// What a parser makes of bytes that arrive in pieces.
private func described(_ bytes: [UInt8], piece: Int) -> [String] {
  var parser = CardParser()
  var found: [String] = []
  func take(_ card: Card) {
    found.append("card \(card.version.text) line \(card.line)")
    for line in card.lines { found.append("\(line.group ?? "")|\(line.name)|\(line.parameters)|\(line.value)|\(line.line)") }
    for diagnostic in card.diagnostics { found.append("\(diagnostic.rule.id) \(diagnostic.line ?? 0)") }
  }
  var start = 0
  while start < bytes.count {
    let end = min(start + piece, bytes.count)
    parser.feed(Array(bytes[start..<end]).span)
    while let card = parser.next() { take(card) }
    start = end
  }
  parser.finish()
  while let card = parser.next() { take(card) }
  return found
}

@Suite struct CardTests {
  @Test(arguments: sampleNames) func piecesOfAnySizeGiveTheSameCards(_ name: String) throws {
    let bytes = try sampleBytes(name)
    let whole = described(bytes, piece: bytes.count)
    #expect(whole.contains { $0.hasPrefix("card") })
    for piece in [1, 2, 3, 7, 61] { #expect(described(bytes, piece: piece) == whole) }
  }

  @Test(arguments: sampleNames) func aPersonComesBackFromACardOfItsVersion(_ name: String) throws {
    for person in Persons(try sampleBytes(name)) {
      let version = person.version == .v40 ? CardVersion.v40 : .v30
      let again = try #require(Array(Persons(person.vCard(version))).first)
      // Once written, nothing changes any more.
      #expect(Array(Persons(again.vCard(version))).first == again)
      #expect(again.phones.map(\.value) == person.phones.map(\.value))
      #expect(again.emails.map(\.value) == person.emails.map(\.value))
      #expect(again.addresses.map(\.value) == person.addresses.map(\.value))
      #expect(again.name == person.name)
      #expect(again.photos.map(\.value) == person.photos.map(\.value))
      #expect(again.unclaimed.filter { $0.value != ";;;;" } == person.unclaimed.filter { $0.value != ";;;;" && !$0.value.isEmpty })
    }
  }

  @Test(arguments: sampleNames) func cutAnywhereOrDamagedItNeverCrashes(_ name: String) throws {
    let bytes = try sampleBytes(name)
    for end in stride(from: 0, to: bytes.count, by: 7) { _ = Array(Persons(bytes[..<end])) }
    for place in stride(from: 0, to: bytes.count, by: 11) {
      var damaged = bytes
      damaged[place] ^= 0x5A
      for person in Persons(damaged) { _ = person.json }
    }
  }

  @Test func everyRowHasAUniqueKeyAndReadsWhatItWrites() {
    #expect(Set(Person.fields.map(\.key)).count == Person.fields.count)
    #expect(Person.fields.count < 128)
  }

  /// RFC 6350 3.2: one blank of each fold is dropped, the second is text.
  @Test func unfolds() {
    let card = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:A\r\nNOTE:one\r\n  two\r\nEND:VCARD\r\n"
    #expect(Array(Persons(card)).first?.notes.first?.value == "one two")
  }

  /// RFC 6350 3.4: splitting comes before unescaping.
  @Test func splitsBeforeItUnescapes() {
    let card = "BEGIN:VCARD\nVERSION:4.0\nFN:A\nCATEGORIES:Friends,Smith\\, family\nN:O\\;Neil;Jo;;;\nEND:VCARD\n"
    let person = Array(Persons(card)).first
    #expect(person?.categories.map(\.value) == ["Friends", "Smith, family"])
    #expect(person?.name?.family == ["O;Neil"])
  }

  /// A text cannot make a line of its own, whatever it holds.
  @Test func noValueBecomesALine() {
    var person = Person()
    person.fullName = "Eve\r\nTEL:+1 555 0100\0"
    person.emails = [Labeled("eve@example.com", "x\r\nX-EVIL:1")]
    for version in [CardVersion.v30, .v40] {
      let text = person.vCard(version)
      #expect(!text.contains("\r\nTEL") && !text.contains("\r\nX-EVIL") && !text.contains("\0"))
      #expect(Array(Persons(text)).first?.phones.isEmpty == true)
    }
  }

  /// Dialects of dates: truncated ISO 8601 (RFC 6350 4.3.1) and Apple's placeholder year.
  @Test func datesWithoutAYear() {
    #expect(PartialDate("--0722").iso == "--07-22")
    #expect(PartialDate("1985-04").basic == "1985-04")
    #expect(PartialDate("20100907T152000-0500").iso == "2010-09-07T15:20:00-05:00")
    #expect(PartialDate("2010-09-07T15:20:00-05:00").basic == "20100907T152000-0500")
    #expect(!PartialDate("1985-02-30").isDate)
    let card = "BEGIN:VCARD\nVERSION:3.0\nFN:A\nN:A;;;;\nBDAY;X-APPLE-OMIT-YEAR=1604:1604-06-10\nEND:VCARD\n"
    let person = Array(Persons(card)).first
    #expect(person?.birthday?.iso == "--06-10")
    #expect(person?.vCard(.v40).contains("\r\nBDAY:--0610\r\n") == true)
    #expect(person?.vCard(.v30).contains("\r\nBDAY;X-APPLE-OMIT-YEAR=1604:1604-06-10\r\n") == true)
  }
}
