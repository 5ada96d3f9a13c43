// Rows of a table wait until all columns are known, in memory or in a file, and stand in order then.
import Bytes
import TestSupport
import Testing

@testable import People

@Suite struct WaitingRowsTests {
  /// More rows than wait in memory; what only one contact has comes first, in the middle and last.
  private static let people: [Person] = (0..<4000).map { number in
    var person = Person()
    person.fullName = "Person \(number)"
    person.emails = [Labeled("p\(number)@example.com", "work")]
    person.notes = [Labeled(String(repeating: "a, \"b\"; ", count: 20) + "\n\(number)")]
    if number == 2000 { person.nicknames = [Labeled("Ünal")] }
    if number == 3999 { person.uid = "last" }
    return person
  }

  private static func table(_ format: ContactFormat, spills: Bool) throws -> String {
    var sink = ContactSink(format)
    sink.begin()
    for person in people {
      sink.write(contact: Record(person))
      if spills { try sink.spill() }
    }
    sink.end()
    while try sink.nextRows() {}
    return sink.output.text()
  }

  @Test(arguments: [ContactFormat.csv, .tsv, .googleCSV, .outlookCSV])
  func rowsComeBackFromTheFile(_ format: ContactFormat) throws {
    let waited = try Self.table(format, spills: false)
    #expect(try Self.table(format, spills: true) == waited)
    let found = Document(.csv, Array(waited.utf8)).persons
    #expect(found.count == Self.people.count && found.map(\.fullName) == Self.people.map(\.fullName))
    // Outlook's table has no column for it.
    if format != .outlookCSV { #expect(found[2000].nicknames.map(\.value) == ["Ünal"]) }
  }

  /// The columns stand in the order of the fields, whichever contact needs them first; a contact without anything is an empty cell in
  /// quotes.
  @Test func columnsThatComeLateStandInOrder() {
    let cards = """
      BEGIN:VCARD\r\nVERSION:4.0\r\nFN:A\r\nNOTE:n\\, m\r\nEND:VCARD\r
      BEGIN:VCARD\r\nVERSION:4.0\r\nUID:u\r\nFN:B\r\nTEL;PREF=1:1\r\nTEL;TYPE=work:2\r\nEND:VCARD\r\n
      """
    let table = Document(.vcard4, Array(cards.utf8)).converted(to: .csv).document.text
    #expect(
      table == """
        version,uid,fullName,phones.1.value,phones.1.preference,phones.2.value,phones.2.labels,notes.1.value\r
        4.0,,A,,,,,"n, m"\r
        4.0,u,B,1,1,2,work,\r\n
        """)
    #expect(
      Document(.jsonl, Array("{\"fullName\":\"A\"}\n{}\n{\"uid\":\"u\"}\n".utf8)).converted(to: .csv).document.text
        == "uid,fullName\r\n,A\r\n\"\",\r\nu,\r\n")
  }
}
