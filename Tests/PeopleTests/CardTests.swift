// Cards through the parser, the table and the writers: single rules of the specifications, and damage.
import Bytes
import CardSyntax
import People
import TestSupport
import Testing

/// The samples of the repository, by name.
let sampleNames = Checkout.samples.map { String($0.dropLast(4)) }

/// The bytes of a sample.
func sampleBytes(_ name: String) throws -> [UInt8] { try Checkout.read("samples/\(name).vcf") }

@Suite struct CardTests {
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
  /// Components of a name that no version knows (RFC 9554 2.2 has seven) stay with the suffixes, once.
  @Test func furtherComponentsOfANameAreKept() throws {
    let card = "BEGIN:VCARD\nVERSION:4.0\nFN:A\nN:a;b;c;d;e;f;g;;h;i,j\nEND:VCARD\n"
    let name = try #require(Array(Persons(card)).first?.name)
    #expect(name.suffix == ["e", "h", "i", "j"] && name.family2 == ["f"] && name.generation == ["g"])
    #expect(convert(card, .vcard4, to: .vcard4).lines.contains("N:a;b;c;d;e,h,i,j;f;g"))
    let json = convert(card, .vcard4, to: .jsonl).text
    #expect(json.contains(#""suffix":["e","h","i","j"]"#) && json.ranges(of: "suffix").count == 1)
  }

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
