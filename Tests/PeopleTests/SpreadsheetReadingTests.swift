// Foreign spreadsheets become contacts: every header of our tables, several languages, code pages, dates, and what Excel leaves behind.
import CardSyntax
import Testing

@testable import People

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The persons in a text of some format, and what was found.
func persons(
  _ bytes: [UInt8], _ format: ContactFormat = .csv, map: ColumnMap? = nil, encoding: String? = nil, piece: Int = 1 << 20
) -> (persons: [Person], findings: [Diagnostic]) {
  var source = ContactSource(format, encoding: encoding, map: map)
  var found: [Person] = []
  var findings: [Diagnostic] = []
  func take(_ source: inout ContactSource) {
    while source.next() != nil { found.append(Person(source.record)) }
    findings += source.takeFindings()
  }
  var start = 0
  while start < bytes.count {
    let end = min(start + piece, bytes.count)
    source.feed(Array(bytes[start..<end]).span)
    take(&source)
    start = end
  }
  source.finish()
  take(&source)
  return (found, findings)
}

func persons(_ text: String, _ format: ContactFormat = .csv, map: ColumnMap? = nil) -> (persons: [Person], findings: [Diagnostic]) {
  persons(Array(text.utf8), format, map: map)
}

/// The text in Windows-1252; its letters are all in ISO 8859-1.
private func western(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

@Suite struct SpreadsheetReadingTests {
  /// Every header that the tables know, in every language.
  private static let headers: [(name: String, heads: [String])] = {
    var found = SheetVocabulary.english.map { ($0.dialect.name, SheetVocabulary.rows($0.dialect.columns).map(\.name)) }
    found.append(("Outlook, 92 columns", SheetDialect.outlookExport.split(separator: "|").map(String.init)))
    for languages in [SheetLanguages.outlook, .thunderbird, .liveMail] {
      let order = languages.order.split(separator: "|").map(String.init)
      for (code, list) in languages.names {
        let names = list.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        #expect(names.count == order.count, "\(code)")
        found.append((code, zip(names, order).map { $0.isEmpty ? $1 : $0 }))
      }
    }
    return found
  }()

  @Test func everyHeaderOfTheTablesIsKnownInAnyOrder() {
    for (name, heads) in Self.headers {
      for order in [heads, heads.reversed()] {
        let header = SheetHeader(order)
        #expect(header.dialect != nil && header.guessed.isEmpty && header.knownCount == heads.count, "\(name)")
      }
      for meaning in SheetHeader(heads).meanings.compactMap({ $0 }) {
        #expect(meaning == "-" || SheetColumn(0, meaning) != nil, "\(meaning)")
      }
    }
    #expect(SheetDialect.outlookExport.split(separator: "|").count == 92 && SheetDialect.thunderbirdExport.count == 37)
  }

  @Test func aLanguageMeansWhatEnglishMeans() {
    for languages in [SheetLanguages.outlook, .thunderbird, .liveMail] {
      let order = languages.order.split(separator: "|").map(String.init)
      let english = SheetHeader(order).meanings
      for (code, list) in languages.names {
        let heads = zip(list.split(separator: "|", omittingEmptySubsequences: false).map(String.init), order).map { $0.isEmpty ? $1 : $0 }
        #expect(SheetHeader(heads).meanings == english, "\(code)")
      }
    }
  }

  @Test func googleJoinsValuesAndMarksThePrimary() throws {
    let text = """
      First Name,Last Name,Birthday,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Label,\
      Address 1 - Street,Address 1 - City,Address 1 - Country,Event 1 - Label,Event 1 - Value,Custom Field 1 - Label,Custom Field 1 - Value
      Mira,Okafor,--04-14,* myContacts ::: Sailing ::: * starred,* Work,m@example.com ::: o@example.com,Work Fax,+1 206 555 0100,Home,\
      12 Quay Lane ::: 5 High St,Bristol :::,::: United States,Anniversary,2001-05-06,Boat,Sisu
      Bo,Berg,,,b@example.com,Home,Mobile,,,,,,,,,
      """
    let (people, findings) = persons(text)
    let mira = try #require(people.first)
    #expect(mira.fullName == "Mira Okafor" && mira.birthday == PartialDate("--04-14") && mira.anniversary == PartialDate("2001-05-06"))
    #expect(mira.emails == [Labeled("m@example.com", .work, preference: 1), Labeled("o@example.com", .work)])
    #expect(mira.phones == [Labeled("+1 206 555 0100", .work, .fax)])
    #expect(mira.categories.map(\.value) == ["Sailing", "starred"])
    #expect(
      mira.addresses == [
        Labeled(PostalAddress(street: "12 Quay Lane", city: "Bristol"), .home),
        Labeled(PostalAddress(street: "5 High St", country: "United States"), .home),
      ])
    #expect(mira.unclaimed.map(\.name) == ["X-BOAT"] && mira.unclaimed.map(\.value) == ["Sisu"])
    #expect(people[1].emails == [Labeled("b@example.com", .home)])
    #expect(findings.map(\.rule.id) == ["misplaced-cell"] && findings[0].line == 3)
  }

  @Test func aGermanOutlookExportIsRead() throws {
    let text = """
      Nachname;Vorname;Anrede;Firma;Telefon (privat);Mobiltelefon;Straße geschäftlich;Straße geschäftlich 2;Ort geschäftlich;Geburtstag;Jahrestag;\
      E-Mail-Adresse;E-Mail-Typ;E-Mail: Angezeigter Name;Geschlecht;Kategorien;Privat;Priorität;Notizen\r
      Größer;Jörg;Dr.;Bäckerei;030 555 0111;0170 5550123;Am Tor 5;Hof;Köln;03.04.1979;0.0.00;j@example.com;SMTP;Jörg Größer (j@example.com);\
      Männlich;Freunde;Falsch;Normal;"a\r\nb"\r\n
      """
    let (people, findings) = persons(western(text))
    let person = try #require(people.first)
    #expect(person.name == PersonName(prefix: "Dr.", given: "Jörg", family: "Größer") && person.birthday == PartialDate("1979-04-03"))
    #expect(person.anniversary == nil && person.gender?.sex == "male" && person.classification == nil && person.unclaimed.isEmpty)
    #expect(person.phones == [Labeled("030 555 0111", .home), Labeled("0170 5550123", .mobile)])
    #expect(person.addresses.first?.value.street == "Am Tor 5\nHof" && person.notes.first?.value == "a\nb")
    #expect(findings.map(\.rule.id) == ["charset-assumed"])
    for version in [CardVersion.v30, .v40] {
      let again = try #require(Array(Persons(person.vCard(version))).first)
      #expect(again.name == person.name && again.phones == person.phones && again.addresses == person.addresses)
    }
  }

  @Test func rowsThatAreNobodyAreToldOrPassedOver() {
    let text = "Prénom,Nom,Société\r\nÉlodie,Bézier,Générique,,\r\n\r\nPrénom,Nom,Société\r\n,,\r\nÈve\r\nA,B,C,D\r\n"
    let (people, findings) = persons(western(text))
    #expect(people.map(\.fullName) == ["Élodie Bézier", "Ève", "A B"])
    #expect(findings.map { "\($0.rule.id) \($0.line ?? 0)" } == ["charset-assumed 1", "ragged-row 6", "ragged-row 7"])
    #expect(findings.map(\.severity) == [.warning, .info, .warning])
  }

  @Test func aFrenchOutlookExportRepeatsItsTitle() throws {
    let text = """
      Titre;Prénom;Nom;Société;Titre;Téléphone (bureau);Rue (bureau);Ville (bureau);Anniversaire\r
      M.;Élodie;Bézier;Générique;Directrice;01 55 50 12 34;5 rue du Port;Brest;05/06/1980\r\n
      """
    let person = try #require(persons(western(text)).persons.first)
    #expect(
      person.fullName == "M. Élodie Bézier" && person.titles.map(\.value) == ["Directrice"] && person.birthday == PartialDate("1980-06-05"))
    #expect(person.addresses == [Labeled(PostalAddress(street: "5 rue du Port", city: "Brest"), .work)])
  }

  @Test(arguments: [1, 7, 1 << 20]) func linkedInHasAPreambleAndClosedAccounts(_ piece: Int) {
    let text = """
      Notes:
      "Some addresses are missing, as you may notice."

      First Name,Last Name,URL,Email Address,Company,Position,Connected On
      Mira,Okafor,https://example.com/mira,,Tern,Surveyor,15 Jun 2026
      ,,,,,,16 Jun 2026
      """
    let (people, findings) = persons(Array(text.utf8), piece: piece)
    #expect(people.count == 1 && people[0].dates.first?.value == PartialDate("2026-06-15") && people[0].urls.count == 1)
    #expect(findings.map(\.rule.id) == ["preamble", "nameless-row"] && findings[1].line == 6)
  }

  /// What a row of Google's shared contacts asks for is no part of the contact, but nothing that may get lost.
  @Test func sharedContactsKeepTheirAction() {
    let text = """
      Action,ID,Name,E-mail Address,Notes,E-mail 2 Address,Mobile Phone,Pager,Company,Job Title,Home Phone,Home Address,Business Phone
      delete,24f,Mira Okafor,mira@example.com,,,+1 555 0100,,Tern,Surveyor
      """
    let people = persons(text).persons
    #expect(people.first?.unclaimed.map { $0.name + ":" + $0.value } == ["X-GOOGLE-ACTION:delete", "X-GOOGLE-ID:24f"])
  }

  @Test func theColumnTellsTheOrderOfItsDates() {
    func dates(_ cells: [String], head: String = "First Name,Birthday") -> ([String], [String]) {
      let (people, findings) = persons(head + "\n" + cells.map { "A,\"\($0)\"\n" }.joined())
      return (people.map { $0.birthday?.iso ?? "" }, findings.map(\.rule.id))
    }
    #expect(dates(["13/2/1980", "3/4/1981"]) == (["1980-02-13", "1981-04-03"], []))
    #expect(dates(["2/13/1980", "3/4/81", "3/4/05"]) == (["1980-02-13", "1981-03-04", "2005-03-04"], []))
    #expect(dates(["3/4/1981"]) == (["1981-03-04"], ["date-order"]))
    #expect(dates(["3.4.1981", "1. 12. 1980"]) == (["1981-04-03", "1980-12-01"], []))
    #expect(dates(["0/0/00", "0000-00-00", "00.00.00", "1/1/4501", ""]) == (["", "", "", "", ""], []))
    #expect(
      dates(["June 5, 1980", "5 juin 1980", "12-Mar", "4/13/1979 0:00", "1979年4月13日"]).0 == [
        "1980-06-05", "1980-06-05", "--03-12", "1979-04-13", "1979-04-13",
      ])
    #expect(dates(["spring", "31/31/1980"]).0 == ["spring", "31/31/1980"])
  }

  @Test(
    arguments: [
      ("windows-1251", [0xC0, 0xED, 0xED, 0xE0, 0x2C, 0xCF, 0xE5, 0xF2, 0xF0, 0xEE, 0xE2, 0xE0], "Анна Петрова"),
      ("CP932", [0x82, 0xB3, 0x82, 0xAD, 0x82, 0xE7, 0x2C, 0x8E, 0x52, 0x93, 0x63], "さくら 山田"),
      ("windows-1250", [0x42, 0xB3, 0x61, 0xBF, 0x65, 0x6A, 0x2C, 0x4B], "Błażej K"),
      ("windows-1252", [0xC9, 0x6C, 0x6F, 0x64, 0x69, 0x65, 0x2C, 0x42, 0xE9, 0x7A], "Élodie Béz"),
    ] as [(String, [UInt8], String)])
  func theBytesTellTheCodePage(_ name: String, _ row: [UInt8], _ fullName: String) {
    let (people, findings) = persons(Array("First Name,Last Name\n".utf8) + row)
    #expect(people.map(\.fullName) == [fullName])
    #expect(findings.map(\.rule.id) == ["charset-assumed"] && findings[0].message.contains(name))
  }

  @Test func whatASpreadsheetDidIsUndoneOrSaid() {
    let (people, findings) = persons(
      "First Name,Mobile Phone,Notes\nA,4.91705E+12,\nB,\"=\"\"0170\"\"\",'=x\nC,'+49 170,'90s\nD,#NAME?,\nE,491705550189,x\u{A0}\n")
    #expect(people.map { $0.phones.first?.value.number ?? "" } == ["4.91705E+12", "0170", "+49 170", "", "491705550189"])
    #expect(people.map { $0.notes.first?.value ?? "" } == ["", "=x", "'90s", "", "x"])
    #expect(findings.map { "\($0.rule.id) \($0.line ?? 0)" } == ["spreadsheet-damage 2", "spreadsheet-damage 5"])
    #expect(findings.map(\.leftOut) == [false, true])
    // No number begins with + or 0: something took them off, perhaps.
    let bare = persons("First Name,Mobile Phone\nA,491705550189\nB,447700900123\n").findings
    #expect(bare.map(\.rule.id) == ["spreadsheet-damage"] && bare[0].severity == .info && bare[0].line == 2)
    #expect(persons("First Name,Mobile Phone\nA,491705550189\nB,+447700900123\n").findings.isEmpty)
    #expect(persons("First Name,Mobile Phone\nA,2065550100\n").findings.isEmpty)
    #expect(persons("Vorname;Mobiltelefon\nA;1705550100\n").findings.map(\.rule.id) == ["spreadsheet-damage"])
  }

  @Test func anUnknownHeaderIsGuessedOrMapped() throws {
    let text = "Name,E-Mail,Handy,Phone (work) 2,PLZ,Ort,Colour\nMira Okafor,m@example.com,0170,030,12345,Köln,blue\n"
    let (people, findings) = persons(text)
    let person = try #require(people.first)
    #expect(person.fullName == "Mira Okafor" && person.phones == [Labeled("0170", .mobile), Labeled("030", .work)])
    #expect(person.addresses.map(\.value) == [PostalAddress(city: "Köln", postalCode: "12345")])
    #expect(person.unclaimed.map(\.name) == ["X-COLOUR"])
    #expect(findings.map(\.rule.id) == ["guessed-columns", "kept-column"])
    let guess = try #require(findings.first?.message.split(separator: ": ").last)
    // The guess is a map that reads the same.
    let again = persons(text, map: try ColumnMap(String(guess)))
    #expect(again.persons == people && again.findings.map(\.rule.id) == ["kept-column"])
    let mapped = persons(text, map: try ColumnMap("# comment\nColour=notes\nHandy=-,\"Phone (work) 2\"=phones.\"boat house\"\n"))
    #expect(mapped.persons.first?.notes.map(\.value) == ["blue"] && mapped.persons.first?.phones == [Labeled("030", "boat house")])
    #expect(throws: ColumnMap.Problem.self) { try ColumnMap("Colour=nothing") }
    #expect(throws: ColumnMap.Problem.self) { try ColumnMap("Colour") }
  }

  @Test func pathsAndListsOfAddressesAreUnderstoodAmongOtherColumns() throws {
    let (people, findings) = persons("First Name,E-mail Address,phones.work\nA,\"a@example.com; b@example.com\",0170\n")
    #expect(people.map { $0.emails.map(\.value) } == [["a@example.com", "b@example.com"]])
    #expect(people[0].phones == [Labeled("0170", .work)] && findings.isEmpty)
  }

  @Test(arguments: [
    ("outlook-german", ["Dr. Jörg Kößler", "Zoë Weiß"]), ("google", ["Prof. Anaya R. Deshpande-Quill", "Tidewater Bakery"]),
  ])
  func theSamplesAreRead(_ name: String, _ fullNames: [String]) {
    let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var count = 0
    if let file = unsafe fopen("/\(folder)/samples/\(name).csv", "rb") {
      count = unsafe bytes.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, file) }
      unsafe fclose(file)
    }
    let (people, findings) = persons(Array(bytes[..<count]))
    #expect(people.map(\.fullName) == fullNames)
    #expect(findings.allSatisfy { $0.rule.id == "charset-assumed" })
  }

  @Test func aFileWithoutHeaderNeedsAMap() throws {
    let text = "John Doe,john@example.com\nJane Doe,jane@example.com\n"
    let refused = persons(text)
    #expect(refused.persons.isEmpty && refused.findings.map(\.rule.id) == ["unknown-column"] && refused.findings[0].leftOut)
    let mapped = persons(text, map: try ColumnMap("1=fullName,2=email"))
    #expect(mapped.persons.map(\.fullName) == ["John Doe", "Jane Doe"] && mapped.persons[1].emails.map(\.value) == ["jane@example.com"])
    #expect(mapped.findings.isEmpty)
  }

  @Test func ldifIsRead() throws {
    let text = """
      version: 1

      dn: cn=Mira Okafor,mail=mira@example.net
      objectclass: top
      givenName: Mira
      sn: Okafor
      cn:: TWlyYSDDlmthZm9y
      mail: mira@example.net
      mozillaSecondEmail: m@example.com
      modifytimestamp: 1700000000
      telephoneNumber: +44 20 7946 0999
      mozillaHomeStreet: Quay
       Lane
      birthyear: 1979
      birthmonth: 4
      birthday: 14

      dn: cn=Sailing
      objectclass: groupOfNames
      cn: Sailing
      member: cn=Mira Okafor,mail=mira@example.net
      """
    let (people, findings) = persons(text, .ldif)
    let mira = try #require(people.first)
    #expect(mira.fullName == "Mira Ökafor" && mira.emails.map(\.value) == ["mira@example.net", "m@example.com"])
    #expect(mira.birthday == PartialDate("1979-04-14") && mira.revision?.iso == "2023-11-14T22:13:20Z")
    #expect(mira.phones == [Labeled("+44 20 7946 0999", .work)] && mira.addresses.first?.value.street == "QuayLane")
    #expect(people.count == 2 && people[1].kind == "group" && people[1].members.map(\.value) == ["mailto:mira@example.net"])
    #expect(findings.isEmpty)
    for piece in [1, 5] { #expect(persons(Array(text.utf8), .ldif, piece: piece).persons == people) }
  }

  @Test func anyBytesAreTaken() {
    var state = UInt64(7)
    let sample = Array("First Name,E-mail 1 - Value,Phone 1 - Label,Birthday\n\"A ::: b\",x@y ::: z,* Work,3/4/80\n".utf8)
    for _ in 0..<300 {
      var bytes = sample
      for _ in 0..<4 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 25)
      }
      _ = persons(bytes)
      _ = persons(bytes, .ldif)
    }
  }
}
