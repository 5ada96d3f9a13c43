// Address books in which each person is known: who is in them, and the same people as four programs export them.
import People
import TestSupport

/// A person, company or namesake of the book, with all that exports may tell of them. No two share a value but those that are said to.
struct KnownPerson {
  /// A telephone number: calling code and national number in groups, and how it is labelled.
  struct Phone: Hashable {
    let code: String, groups: [String], label: String
    var `extension` = ""

    /// What a number is known by: its digits, and behind `x` those of the extension.
    var key: String { code + groups.joined() + (self.extension.isEmpty ? "" : "x" + self.extension) }
  }

  struct Email: Hashable {
    let address: String, label: String
  }

  struct Address: Hashable {
    let street: String, city: String, postalCode: String, country: String, label: String
  }

  let number: Int
  var given = "", middle = "", family = "", suffix = ""
  var isCompany = false
  var phones: [Phone] = []
  var emails: [Email] = []
  var addresses: [Address] = []
  /// Notes begin with `note` and the number of the person.
  var notes: [String] = []
  var birthday = ""
  var anniversary: String?
  var organization = "", unit = ""
  var jabber: String?
  var url: String?
  var spouse: String?
  var nickname: String?
  /// A picture in base64.
  var photo: String?
  /// Others have the family's number too: a name cut down to an initial could be anybody's.
  var isOfFamily = false
}

extension KnownPerson {
  private static let givens = ["Anna", "Mira", "José", "Zoë", "Björn", "Łucja", "Chloé", "Tomás", "Ingrid", "Søren", "Nadia", "Piet"]
  private static let families = ["Müller", "Okafor", "O'Neil", "van der Berg", "Żak", "Núñez", "Smith-Jones", "Lee", "Ångström", "Haddad"]
  private static let labels = ["mobile", "home", "work", "Allotment", "Räuberhöhle"]

  /// A book of so many people: some of one family with one number and address, some a father and his son of the same name, some of one
  /// company, whose number is theirs too, and often people of the same name who have nothing to do with each other.
  static func book(of count: Int, _ random: inout Seeded) -> [KnownPerson] {
    var people: [KnownPerson] = []
    while people.count < count {
      let first = people.count
      switch random.below(8) {
      case 0:
        // A family: one number and one address, each a name of their own.
        let landline = Phone(code: "44", groups: ["20", "7946", "\(1000 + first)"], label: "home")
        let given = random.below(givens.count)
        for place in 0..<3 {
          var one = KnownPerson(first + place, &random)
          (one.family, one.given, one.middle, one.isOfFamily) = (families[first % 10], givens[(given + place) % givens.count], "", true)
          one.phones.append(landline)
          one.addresses = people.count > first ? people[first].addresses : one.addresses
          people.append(one)
        }
      case 1:
        var (father, son) = (KnownPerson(first, &random), KnownPerson(first + 1, &random))
        father.phones.append(Phone(code: "44", groups: ["20", "7946", "\(1000 + first)"], label: "home"))
        (son.given, son.middle, son.family, son.suffix) = (father.given, father.middle, father.family, "Jr.")
        son.phones.append(father.phones[father.phones.count - 1])
        (father.isOfFamily, son.isOfFamily) = (true, true)
        people += [father, son]
      case 2:
        // A company and two who work there: the switchboard is everybody's, with an extension it is one's own.
        var company = KnownPerson(first, &random)
        company.isCompany = true
        (company.birthday, company.anniversary, company.jabber, company.spouse) = ("", nil, nil, nil)
        (company.organization, company.unit) = ("Tern & Vale \(first)", "")
        let board = Phone(code: "44", groups: ["117", "496", "\(1000 + first)"], label: "work")
        company.phones.append(board)
        people.append(company)
        let given = random.below(givens.count)
        for place in 1...2 {
          var one = KnownPerson(first + place, &random)
          (one.given, one.organization) = (givens[(given + place) % givens.count], company.organization)
          one.phones.append(board)
          one.phones.append(Phone(code: board.code, groups: board.groups, label: "work", extension: "\(10 + place)"))
          people.append(one)
        }
      default: people.append(KnownPerson(first, &random))
      }
    }
    return people
  }

  private init(_ number: Int, _ random: inout Seeded) {
    self.number = number
    given = random.pick(Self.givens)
    middle = random.pick(["", "Maria", "Lou"])
    family = random.pick(Self.families)
    for place in 0...random.below(3) {
      let label = random.pick(Self.labels)
      switch place {
      case 0: phones.append(Phone(code: "44", groups: ["7700", "\(910_000 + number)"], label: label))
      case 1: phones.append(Phone(code: "1", groups: ["\(206 + number % 90)", "555", "0\(100 + number / 90)"], label: label))
      default: phones.append(Phone(code: "49", groups: ["30", "23125\(1000 + number)"], label: label))
      }
    }
    for place in 0...random.below(2) { emails.append(Email(address: "p\(number).\(place)@example.com", label: random.pick(Self.labels))) }
    for place in 0..<random.below(3) {
      let street = random.pick(["\(number) Quay Lane", "Flat \(number)\nOld Mill; rear", "Łódzka \(number), m. 3"])
      addresses.append(
        Address(
          street: street, city: random.pick(["Bristol", "Łódź"]), postalCode: "BS\(place) \(number)", country: "UK",
          label: place == 0 ? "home" : "work"))
    }
    for place in 0...random.below(2) {
      let text = NastyText.text(&random).replacing("\\", with: "/")
      notes.append("note \(number).\(place): \(text).")
    }
    birthday = "19\(50 + number % 50)-0\(1 + number % 9)-1\(number % 10)"
    if random.oneIn(3) { anniversary = "20\(10 + number % 10)-08-30" }
    (organization, unit) = random.oneIn(2) ? ("Heron, \(number % 7) & Co", "Optics; east") : ("", "")
    if random.oneIn(3) { jabber = "p\(number)@example.net" }
    if random.oneIn(3) { url = "https://example.com/p\(number)" }
    if random.oneIn(4) { nickname = "Nick; \(number)" }
    if random.oneIn(4) { photo = "/9j/" + String(repeating: "\(1000 + number)", count: 50) }
    if random.oneIn(4) { spouse = "Sam \(number)" }
  }
}

/// A program that exports address books.
enum Exporter: CaseIterable {
  case iPhone, android, google, plain

  /// What the file is called.
  var fileName: String { "\(self)" }
}

/// One contact of an export, and what it tells.
struct ExportedContact {
  private(set) var text = ""
  /// What it tells, less than all there is.
  private(set) var told: KnownPerson
  private(set) var fullName = ""
  private(set) var uid: String?
  private let exporter: Exporter
  private var items = 0

  /// Some of what is known of a person, or all of it; with the first number or the first address in any case.
  init(of person: KnownPerson, by exporter: Exporter, isWhole: Bool, _ random: inout Seeded) {
    (told, self.exporter) = (person, exporter)
    if !isWhole {
      let keepsPhone = random.oneIn(2)
      told.phones = person.phones.filter { ($0 == person.phones[0] && keepsPhone) || random.oneIn(2) }
      told.emails = person.emails.filter { ($0 == person.emails[0] && !keepsPhone) || random.oneIn(2) }
      told.addresses = person.addresses.filter { _ in random.oneIn(2) }
      told.notes = [random.pick(person.notes)]
      if random.oneIn(2) { (told.birthday, told.anniversary, told.unit) = ("", nil, "") }
      if random.oneIn(2) { (told.jabber, told.url, told.spouse, told.nickname, told.photo) = (nil, nil, nil, nil, nil) }
      if random.oneIn(2), !person.isCompany { (told.organization, told.unit) = ("", "") }
    }
    write(isWhole: isWhole, &random)
  }

  // MARK: Lines

  private mutating func line(_ head: String, _ value: String) {
    let lineBreak = exporter == .google ? "\n" : "\r\n"
    text += head + ":" + value + lineBreak
  }

  /// A line of text components.
  private mutating func line(_ head: String, _ parts: [String]) {
    guard exporter == .android else {
      let escaped = parts.map {
        $0.replacing("\\", with: "\\\\").replacing(",", with: "\\,").replacing(";", with: "\\;").replacing("\n", with: "\\n")
      }
      return line(head, escaped.joined(separator: ";"))
    }
    if parts.allSatisfy({ part in part.utf8.allSatisfy { $0 > 31 && $0 < 127 && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") } }) {
      return line(head, parts.joined(separator: ";"))
    }
    line(head + ";CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE", parts.map(Self.quotedPrintable).joined(separator: ";"))
  }

  /// Android encodes every byte. A semicolon inside a part has a backslash before it.
  private static func quotedPrintable(_ text: String) -> String {
    text.replacing(";", with: "\\;").utf8.map { "=" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }

  /// A line with a label.
  private mutating func line(_ name: String, _ label: String, _ parts: [String], isPhone: Bool = false) {
    let word = ["mobile": "CELL", "home": "HOME", "work": "WORK"][label]
    switch (exporter, word) {
    case (.android, let word?): line("\(name);\(word)", parts)
    case (.android, nil):
      let isPlain = label.utf8.allSatisfy { $0 < 127 }
      line(
        name + ";" + (isPlain ? "X-" + label : "X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,\(Self.quotedPrintable(label)))"), parts)
    case (.iPhone, let word?): line("\(name);type=\(word)" + (isPhone ? ";type=VOICE" : ""), parts)
    case (.google, let word?): line("\(name);TYPE=\(word)", parts)
    case (.plain, let word?): line("\(name);TYPE=\(word.lowercased())", parts)
    case (_, nil):
      items += 1
      line("item\(items).\(name)", parts)
      line("item\(items).X-ABLabel", [label])
    }
  }

  /// A line with a label of Apple's.
  private mutating func line(apple name: String, _ label: String, _ parts: [String]) {
    items += 1
    line("item\(items).\(name)", parts)
    line("item\(items).X-ABLabel", ["_$!<\(label)>!$_"])
  }

  // MARK: Values as people write them

  private mutating func write(isWhole: Bool, _ random: inout Seeded) {
    line("BEGIN", "VCARD")
    line("VERSION", exporter == .android ? "2.1" : exporter == .plain ? "4.0" : "3.0")
    if exporter == .iPhone { line("PRODID", "-//Apple Inc.//iPhone OS 18.4.1//EN") }
    if exporter == .plain {
      uid = "urn:uuid:\(String(random.next(), radix: 16))"
      line("UID", uid ?? "")
    }
    writeName(&random)
    for phone in told.phones { writePhone(phone, &random) }
    for email in told.emails {
      line(
        "EMAIL", email.label,
        [random.pick([email.address, email.address.uppercased(), email.address.replacing("example", with: "Example")])])
    }
    for address in told.addresses {
      let country = isWhole || random.oneIn(2) ? address.country : ""
      line("ADR", address.label, ["", "", address.street, address.city, "", address.postalCode, country])
    }
    for note in told.notes { line("NOTE", [note]) }
    if !told.birthday.isEmpty { line("BDAY", exporter == .plain ? told.birthday.filter { $0 != "-" } : told.birthday) }
    if !told.organization.isEmpty { line("ORG", [told.organization] + (told.unit.isEmpty ? [] : [told.unit])) }
    if let date = told.anniversary {
      switch exporter {
      case .android: line("X-ANDROID-CUSTOM", "vnd.android.cursor.item/contact_event;\(date);1;;;;;;;;;;;;;")
      case .plain: line("ANNIVERSARY", date.filter { $0 != "-" })
      default: line(apple: "X-ABDATE", "Anniversary", [date])
      }
    }
    if let spouse = told.spouse {
      switch exporter {
      case .android: line("X-ANDROID-CUSTOM", "vnd.android.cursor.item/relation;\(spouse);14;;;;;;;;;;;;;")
      case .plain: line("RELATED;TYPE=spouse;VALUE=text", [spouse])
      default: line(apple: "X-ABRELATEDNAMES", "Spouse", [spouse])
      }
    }
    if let jabber = told.jabber {
      switch exporter {
      case .iPhone: line("IMPP;X-SERVICE-TYPE=Jabber;type=HOME;type=pref", "xmpp:" + jabber)
      case .android: line("X-JABBER;HOME", jabber)
      case .google: line("X-JABBER", jabber)
      case .plain: line("IMPP;TYPE=home", "xmpp:" + jabber)
      }
    }
    if let url = told.url {
      switch exporter {
      case .iPhone: line(apple: "URL;type=pref", "HomePage", [url])
      case .google: line("URL", url.replacing(":", with: "\\:"))
      default: line("URL", url)
      }
    }
    if let nickname = told.nickname {
      if exporter == .android {
        line("X-ANDROID-CUSTOM", ["vnd.android.cursor.item/nickname", nickname, "1", "", "", "", "", "", "", "", "", "", "", "", "", ""])
      } else {
        line("NICKNAME", [nickname])
      }
    }
    if let photo = told.photo {
      switch exporter {
      case .android: line("PHOTO;ENCODING=BASE64;JPEG", photo + "\r\n")
      case .plain: line("PHOTO", "data:image/jpeg;base64," + photo)
      default: line("PHOTO;ENCODING=b;TYPE=JPEG", photo)
      }
    }
    line("END", "VCARD")
  }

  /// Letters without their marks.
  private static func bare(_ text: String) -> String {
    let marks: [Character: String] = [
      "é": "e", "ë": "e", "ö": "o", "Ł": "L", "á": "a", "ø": "o", "ü": "u", "Ż": "Z", "ú": "u", "ñ": "n", "Å": "A", "ó": "o",
    ]
    return text.map { marks[$0] ?? String($0) }.joined().replacing("'", with: "")
  }

  private mutating func writeName(_ random: inout Seeded) {
    guard !told.isCompany else {
      fullName = told.organization
      line("FN", [fullName])
      if exporter != .plain { line("N", ";;;;") }
      if exporter == .iPhone { line("X-ABShowAs", "COMPANY") }
      if exporter == .plain { line("KIND", "org") }
      return
    }
    var (given, middle, family, prefix, isReversed) = (told.given, told.middle, told.family, "", false)
    switch random.below(7) {
    case 0: middle = ""
    case 1: isReversed = true
    case 2: (given, middle, family) = (given.uppercased(), "", family.uppercased())
    case 3 where !told.isOfFamily: (given, middle) = (given.prefix(1) + ".", "")
    case 4: prefix = "Dr."
    case 5: (given, middle, family) = (Self.bare(given), "", Self.bare(family))
    default: break
    }
    func joined(_ words: [String]) -> String { words.filter { !$0.isEmpty }.joined(separator: " ") }
    fullName = isReversed ? family + ", " + joined([given, middle]) : joined([prefix, given, middle, family])
    if !told.suffix.isEmpty { fullName += (exporter == .google ? ", " : " ") + told.suffix }
    line("FN", [fullName])
    line("N", [family, given, middle, prefix, told.suffix])
  }

  private mutating func writePhone(_ phone: KnownPerson.Phone, _ random: inout Seeded) {
    let (code, groups, digits) = (phone.code, phone.groups, phone.groups.joined())
    let international = "+\(code) " + groups.joined(separator: " ")
    let more = phone.extension.isEmpty ? "" : random.pick([" x", " ext. "]) + phone.extension
    var ways = [international, "+\(code)\(digits)", "00\(code) \(digits)", "+\(code)-" + groups.joined(separator: "-")]
    switch code {
    case "44":
      ways += [
        "0" + groups.joined(separator: " "), "0\(digits)", "+44 (0)" + groups.joined(separator: " "),
        "(0\(groups[0])) \(groups[1])" + groups.dropFirst(2).map { " " + $0 }.joined(),
      ]
    case "1": ways += ["+1 (\(groups[0])) \(groups[1])-\(groups[2])", "+1.\(groups.joined(separator: "."))"]
    default: ways += ["+49 (0)\(groups[0])/\(groups[1])"]
    }
    var written = random.pick(ways)
    switch exporter {
    // What is copied from a web page or a message has such blanks and marks.
    case .iPhone: written = random.pick([written, written.replacing(" ", with: "\u{A0}"), "\u{202A}\(written)\u{202C}"])
    case .plain where random.oneIn(2):
      let parameters = phone.extension.isEmpty ? "" : ";ext=" + phone.extension
      let uri = "tel:+\(code)-" + groups.joined(separator: "-") + parameters
      switch ["mobile": "cell", "home": "home", "work": "work"][phone.label] {
      case let word?: line("TEL;VALUE=uri;TYPE=\"\(word),voice\"", uri)
      case nil:
        items += 1
        line("item\(items).TEL;VALUE=uri", uri)
        line("item\(items).X-ABLabel", [phone.label])
      }
      return
    default: break
    }
    line("TEL", phone.label, [written + more], isPhone: true)
  }
}
