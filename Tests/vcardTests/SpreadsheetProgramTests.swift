// What `--excel` writes, opened and saved by a real spreadsheet program: every value is there afterwards, and no formula was run.
//
// The test asks for LibreOffice Calc as /usr/bin/soffice (Debian: apt-get install --no-install-recommends libreoffice-calc) and is
// skipped where that is not installed. It was checked with LibreOffice 7.4.7: the CSV is opened as UTF-8 with cells of the type
// "standard", with and without its "detect special numbers", and saved as CSV again.
import CardSyntax
import Files
import People
import TestSupport
import Testing

@testable import vcard

@Suite struct SpreadsheetProgramTests {
  private static let program: FilePath = "/usr/bin/soffice"
  static let isInstalled = (try? FileSystem.status(program)) ?? nil != nil

  /// Texts that spreadsheets run, or take for numbers, dates and truth values.
  private static let odd = [
    "=cmd|' /C calc'!A0", "=1+1", "=HYPERLINK(\"http://x\")", "+1", "-2", "-2+3", "@x", "@SUM(1)", "\t=1", "'=1", "''x", "'5", "+", "-",
    "=", "0", "007",
    "00.5", "1", "42", "1e5", "12E3", "1.50", "4.0", "3.14", "-3.14", "12345678901234567890", "1234567890123456", "0.1", "5.", "1979-04-14",
    "--04-14",
    "1/2", "3-4", "12:30", "TRUE", "false", "50%", "$5.00", "1,234", "1.234,5", "#REF!", "NULL", "NaN", "1e", "0x1F", "say \"hi\"", "\"",
    "a\nb",
    "\n\nx\n", ", ; | \t", " lead", "trail ", "漢字", "שלום", "😀 👩‍👩‍👧", "e\u{301}", "ＡＢ", "＝1+1", "＋1", "-(5)", "+(1)-2", "1 2/3", "½",
  ]
  /// What only "detect special numbers" changes, and no apostrophe protects, since reading would not know that it does.
  private static let words: Set<String> = ["TRUE", "false", "$5.00"]
  private static let phones = [
    "+447700900123", "+44 7700 900123", "+44-7700-900123", "+1 (206) 555-0100", "+1.206.555.0100", "00447700900123", "020 7946 0601",
    "0207946",
    "(020) 7946-0601", "555-0100", "112", "*100#", "+44 (0)20/7946", "1-800-555-0100", "0049 30/23125", "+1", "+49/30/23125", "12/2345",
  ]

  /// A book in which each of these texts stands in several fields.
  private func book(_ random: inout Seeded, words: Bool) -> [Person] {
    let odd = Self.odd.filter { words || !Self.words.contains($0) }
    return (0..<60).map { number in
      var person = Person()
      person.fullName = random.pick(odd).filter { $0 != "\n" } + " \(number)"
      if number % 3 == 0 { person.fullName = odd[number % odd.count].filter { $0 != "\n" } + "." }
      var name = PersonName(given: random.pick(odd))
      name.family = [random.pick(odd)]
      person.name = name
      person.phones =
        (0..<3).map { _ in Labeled(PhoneNumber(random.pick(Self.phones)), .work) } + [
          Labeled(PhoneNumber(Self.phones[number % Self.phones.count]))
        ]
      person.notes = [Labeled(odd[number % odd.count]), Labeled(NastyText.text(&random))]
      person.titles = [Labeled(random.pick(odd))]
      person.nicknames = [Labeled(random.pick(odd))]
      person.organizations = [Labeled(Organization("o" + random.pick(odd), units: [random.pick(odd) + "u"]))]
      person.addresses = [
        Labeled(
          PostalAddress(
            street: random.pick(odd), city: random.pick(odd), postalCode: random.pick(["01234", "4", "1e5", "30-999"])))
      ]
      person.birthday = random.pick([PartialDate("1979-04-14"), PartialDate("--02-29"), PartialDate("1979"), PartialDate("1979-04")])
      person.revision = PartialDate("2024-01-31T10:00:0\(number % 10)Z")
      person.location = Location(random.pick(["51.4545", "-2.5879"]), random.pick(["0", "-0.25", "12.30"]))
      return person
    }
  }

  @Test(.enabled(if: isInstalled), arguments: [false, true]) func everyValueIsThereAfterwards(_ detects: Bool) throws {
    var random = Seeded(detects ? 2 : 1)
    let people = book(&random, words: !detects)
    try withFolder { folder in
      try writeFile(folder.file("book.vcf"), people.map { $0.vCard(.v40) }.joined())
      #expect(try Finished("convert -t csv --excel %/book.vcf -o %/book.csv", in: folder).status == 0)
      // 44: comma, 34: quote, 76: UTF-8, 1: from the first line, then: columns, language (en-US), quoted cells as text, special numbers.
      let reading = "--infilter=Text - txt - csv (StarCalc):44,34,76,1,,1033,false,\(detects)"
      let writing = "csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,false,true,false"
      let arguments: [String] = [
        "-env:UserInstallation=file://\(folder)/profile", "--headless", reading, "--convert-to", writing, "--outdir", "\(folder)/saved",
        "\(folder)/book.csv",
      ]
      #expect(try Child(arguments.map { FilePath($0) }, of: Self.program).wait() == 0)
      let saved = try readFile(folder.file("saved/book.csv"))
      #expect(saved.hasPrefix("\u{FEFF}version,") || saved.hasPrefix("version,"))
      #expect(try Finished("convert -f csv -t vcard4 %/saved/book.csv -o %/back.vcf", in: folder).status == 0)
      let back = Array(Persons(try readFile(folder.file("back.vcf"))))
      let wanted = Array(Persons(try readFile(folder.file("book.vcf"))))
      #expect(back.count == wanted.count)
      for (found, person) in zip(back, wanted) where found.withoutTraces != person.withoutTraces {
        Issue.record("\(difference(found.withoutTraces, person.withoutTraces))")
      }
    }
  }
}
