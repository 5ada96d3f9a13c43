// Google Contacts as a spreadsheet: the columns of 2024 and before, their numbered groups, and the words of its labels.

internal import Bytes
internal import CardSyntax

extension SheetDialect {
  /// Google Contacts, both generations: their fixed columns do not contradict each other.
  static let google = SheetDialect(
    name: "Google Contacts",
    columns: """
      First Name=name.given|Middle Name=name.middle|Last Name=name.family|Phonetic First Name=name.phonetic.given|\
      Phonetic Middle Name=name.phonetic.middle|Phonetic Last Name=name.phonetic.family|Name Prefix=name.prefix|\
      Name Suffix=name.suffix|Nickname=nicknames|File As=name.sortAs|Organization Name=organizations.1.name|\
      Organization Title=titles.1|Organization Department=organizations.1.units|Birthday=birthday|Notes=notes.1|Photo=photos.1.uri|\
      Labels=categories|\
      Name=fullName|Given Name=name.given|Additional Name=name.middle|Family Name=name.family|Yomi Name=unclaimed.X-PHONETIC-NAME|\
      Given Name Yomi=name.phonetic.given|Additional Name Yomi=name.phonetic.middle|Family Name Yomi=name.phonetic.family|\
      Initials==initials|Short Name=unclaimed.X-SHORT-NAME|Maiden Name=maidenName|Gender=gender|Location=unclaimed.X-LOCATION|\
      Billing Information=unclaimed.X-BILLING-INFORMATION|Directory Server=unclaimed.X-DIRECTORY-SERVER|Mileage=unclaimed.X-MILEAGE|\
      Occupation=roles.1|Hobby=hobbies.1|Sensitivity==sensitivity|Priority=-|Subject=unclaimed.X-SUBJECT|Language=languages.1|\
      Group Membership=categories
      """, hasGroups: true, joinsValues: true)

  /// khard, whose columns are numbered in the same way.
  static let khard = SheetDialect(
    name: "khard",
    columns: """
      Formatted name=fullName|Kind=kind|Prefix=name.prefix|First name=name.given|Additional 1=name.middle|Additional 2=name.middle#2|\
      Additional 3=name.middle#3|Last name=name.family|Suffix=name.suffix|Nickname=nicknames|Anniversary=anniversary|Birthday=birthday|\
      Organisation 1=organizations.1.name|Organisation 2=organizations.2.name|Organisation 3=organizations.3.name|Title=titles.1|\
      Role=roles.1|Categories 1=categories|Categories 2=categories|Categories 3=categories|Webpage=urls.1|Note=notes.1
      """, hasGroups: true)

  /// What stands in a column of a group, by the group and the part.
  private static let groups: [String: [String: String]] = {
    let rows: [(group: String, parts: String)] = [
      ("email", "label=emails.#.labels|value=emails.#.value"), ("phone", "label=phones.#.labels|value=phones.#.value"),
      (
        "address",
        """
        label=addresses.#.labels|formatted=addresses.#.formatted|street=addresses.#.street|city=addresses.#.city|\
        pobox=addresses.#.poBox|box=addresses.#.poBox|region=addresses.#.region|postalcode=addresses.#.postalCode|\
        code=addresses.#.postalCode|country=addresses.#.country|extendedaddress=addresses.#.extended|extended=addresses.#.extended
        """
      ),
      ("relation", "label=related.#.labels|value=related.#.value"), ("website", "label=urls.#.labels|value=urls.#.value"),
      ("event", "label=dates.#.labels|value=dates.#.value"), ("customfield", "label==customLabel#|value==customValue#"),
      ("im", "label=instantMessages.#.labels|service=instantMessages.#.service|value=instantMessages.#.handle"),
      (
        "organization",
        """
        label=organizations.#.labels|name=organizations.#.name|yominame=unclaimed.X-PHONETIC-ORG|title=titles.#.value|\
        department=organizations.#.units|symbol=unclaimed.X-ORG-SYMBOL|location=unclaimed.X-ORG-LOCATION|\
        jobdescription=unclaimed.X-JOB-DESCRIPTION
        """
      ),
      ("externalid", "label==customLabelID#|value==customValueID#"), ("jot", "label=notes.9#.labels|value=notes.9#.value"),
    ]
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        (row.group, Dictionary(uniqueKeysWithValues: SheetVocabulary.rows(row.parts).map { ($0.name, $0.meaning) }))
      })
  }()

  /// What a column such as `Phone 2 - Label` holds; nil for heads that are none of a group.
  static func groupMeaning(_ head: String) -> String? {
    guard head.utf8.contains(ASCII.dash) else { return nil }
    let halves = head.parts(dividedBy: " - ")
    guard halves.count == 2 else { return nil }
    var group = Substring(halves[0])
    var number = ""
    while let last = group.last, last.isASCII, last.isNumber, number.count < 6 {
      number = String(last) + number
      group.removeLast()
    }
    guard group.last == " ", !number.isEmpty, number.count < 6 else { return nil }
    var part = SheetVocabulary.plain(halves[1])
    if part == "type" { part = "label" }
    return groups[SheetVocabulary.plain(String(group))]?[part].map { $0.parts(dividedBy: "#").joined(separator: number) }
  }

  /// The words of labels, and the labels that they stand for; words of one's own stay as they are.
  private static let labelWords: [(word: String, labels: [String])] = [
    ("Home", ["home"]), ("Work", ["work"]), ("Other", ["other"]), ("Mobile", ["mobile"]), ("Main", ["main"]),
    ("Home Fax", ["home", "fax"]),
    ("Work Fax", ["work", "fax"]), ("Other Fax", ["other", "fax"]), ("Fax", ["fax"]), ("Pager", ["pager"]),
    ("Work Mobile", ["work", "mobile"]),
    ("Work Pager", ["work", "pager"]), ("Company Main", ["work", "main"]), ("Home Page", ["homepage"]), ("TTY TDD", ["textphone"]),
    ("School", ["school"]), ("Car", ["car"]), ("ISDN", ["isdn"]), ("Telex", ["telex"]), ("iPhone", ["iphone"]),
    ("Apple Watch", ["apple-watch"]), ("Anniversary", ["anniversary"]),
  ]
  private static let labelsByWord: [String: [String]] = Dictionary(
    labelWords.map { ($0.word.lowercased(), $0.labels) } + [
      ("cell", ["mobile"]), ("homepage", ["homepage"]), ("home mobile", ["home", "mobile"]),
    ],
    uniquingKeysWith: { a, _ in a })
  private static let wordsByLabels: [Set<String>: String] = Dictionary(
    labelWords.map { (Set($0.labels), $0.word) }, uniquingKeysWith: { a, _ in a })

  /// The labels of a label cell, and whether it marks the primary value (`* Work`).
  static func labels(ofCell text: String) -> (labels: [String], isPrimary: Bool) {
    var word = SheetHeader.trimmed(text)
    let isPrimary = word.hasPrefix("* ") || word == "*"
    if isPrimary { word = SheetHeader.trimmed(String(word.dropFirst())) }
    if word.isEmpty { return ([], isPrimary) }
    let lower = word.lowercased()
    if let known = labelsByWord[lower] { return (known, isPrimary) }
    if Label.words.contains(where: { $0.label == lower }) { return ([lower], isPrimary) }
    return (Label.labels(ofApple: word), isPrimary)
  }

  /// Is a text nothing but a label's word?
  static func isLabelWord(_ text: String) -> Bool { labelsByWord[text.lowercased()] != nil || text.hasPrefix("* ") }

  /// The label cell for labels: Google's word, else the words in a row.
  static func labelCell(_ labels: [String]) -> String {
    if labels.isEmpty { return "" }
    if let word = wordsByLabels[Set(labels)] { return word }
    return labels.map { label in wordsByLabels[[label]] ?? (Label.words.contains { $0.label == label } ? label.capitalizedFirst : label) }
      .joined(separator: " ")
  }

  /// The groups that the service itself makes; in a cell they carry a star.
  static let systemGroups = ["starred", "friends", "family", "coworkers"]
}

extension String {
  /// The parts between occurrences of `divider`, which is not empty.
  func parts(dividedBy divider: String) -> [String] {
    let (bytes, sign) = (Array(utf8), Array(divider.utf8))
    var found: [String] = []
    var (start, i) = (0, 0)
    while i + sign.count <= bytes.count {
      if bytes[i] == sign[0], bytes[i..<i + sign.count].elementsEqual(sign) {
        found.append(String(decoding: bytes[start..<i], as: UTF8.self))
        i += sign.count
        start = i
      } else {
        i += 1
      }
    }
    return found + [String(decoding: bytes[start...], as: UTF8.self)]
  }
}
