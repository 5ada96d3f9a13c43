// Which property of vCard is which member of JSContact: the table that its reader and writer share (RFC 9555).

/// A property that becomes an object in a map of objects: `TEL` an entry of `phones`.
struct JSContactRow: Sendable {
  /// What else the object holds, besides what the row names.
  struct Parts: OptionSet, Sendable {
    let rawValue: Int
    static let contexts = Parts(rawValue: 1)
    static let pref = Parts(rawValue: 2)
    static let label = Parts(rawValue: 4)
    static let mediaType = Parts(rawValue: 8)
    static let listAs = Parts(rawValue: 16)
    static let level = Parts(rawValue: 32)
    static let features = Parts(rawValue: 64)
    static let service = Parts(rawValue: 128)
    static let author = Parts(rawValue: 256)
    /// The value must be a URI.
    static let uri = Parts(rawValue: 512)
    /// The value has components: a name and units.
    static let units = Parts(rawValue: 1024)
    static let resource: Parts = [.contexts, .pref, .label, .mediaType, .uri]
  }

  /// The property's name in lower case.
  let property: String
  /// The path of the map.
  let path: [String]
  /// The name of the object's type.
  let type: String
  /// The object's `kind`; nil where it has none.
  let kind: String?
  /// The member that holds the value.
  let value: String
  /// What made ids begin with.
  let prefix: String
  let parts: Parts

  /// Is the `kind` understood where it is missing?
  var isDefaultKind: Bool { property == Self.name("titles") }

  private init(
    _ field: String, _ path: String..., type: String, kind: String? = nil, value: String, id prefix: String, _ parts: Parts = []
  ) {
    property = Self.name(field)
    (self.path, self.type, self.kind, self.value, self.prefix, self.parts) = (path, type, kind, value, prefix, parts)
  }

  /// The standard property of a field of the person, in lower case.
  static func name(_ field: String) -> String {
    Person.field(field).flatMap { Person.fields[$0].names.first?.text.lowercased() } ?? field
  }

  /// All rows. Where several share a map, `kind` tells them apart, else `vCardName`; the first is meant where nothing is said.
  static let all: [JSContactRow] = [
    JSContactRow("nicknames", "nicknames", type: "Nickname", value: "name", id: "NICK", [.contexts, .pref]),
    JSContactRow("organizations", "organizations", type: "Organization", value: "name", id: "ORG", [.contexts, .units]),
    JSContactRow("titles", "titles", type: "Title", kind: "title", value: "name", id: "TITLE"),
    JSContactRow("roles", "titles", type: "Title", kind: "role", value: "name", id: "TITLE"),
    JSContactRow("pronouns", "speakToAs", "pronouns", type: "Pronouns", value: "pronouns", id: "PRONOUNS", [.contexts, .pref]),
    JSContactRow("emails", "emails", type: "EmailAddress", value: "address", id: "EMAIL", [.contexts, .pref, .label]),
    JSContactRow("phones", "phones", type: "Phone", value: "number", id: "PHONE", [.contexts, .pref, .label, .features]),
    JSContactRow(
      "socialProfiles", "onlineServices", type: "OnlineService", value: "uri", id: "OS", [.contexts, .pref, .label, .service]),
    JSContactRow(
      "instantMessages", "onlineServices", type: "OnlineService", value: "uri", id: "OS", [.contexts, .pref, .label, .service, .uri]),
    JSContactRow("languages", "preferredLanguages", type: "LanguagePref", value: "language", id: "LANG", [.contexts, .pref]),
    JSContactRow("calendars", "calendars", type: "Calendar", kind: "calendar", value: "uri", id: "CAL", .resource),
    JSContactRow("freeBusy", "calendars", type: "Calendar", kind: "freeBusy", value: "uri", id: "FBURL", .resource),
    JSContactRow(
      "schedulingAddresses", "schedulingAddresses", type: "SchedulingAddress", value: "uri", id: "SCHEDULING",
      [.contexts, .pref, .label, .uri]),
    JSContactRow("keys", "cryptoKeys", type: "CryptoKey", value: "uri", id: "KEY", .resource),
    JSContactRow(
      "directories", "directories", type: "Directory", kind: "directory", value: "uri", id: "DIRECTORY", [.resource, .listAs]),
    JSContactRow("sources", "directories", type: "Directory", kind: "entry", value: "uri", id: "ENTRY", [.resource, .listAs]),
    JSContactRow("urls", "links", type: "Link", value: "uri", id: "LINK", .resource),
    JSContactRow("contactURIs", "links", type: "Link", kind: "contact", value: "uri", id: "CONTACT", .resource),
    JSContactRow("photos", "media", type: "Media", kind: "photo", value: "uri", id: "PHOTO", .resource),
    JSContactRow("logos", "media", type: "Media", kind: "logo", value: "uri", id: "LOGO", .resource),
    JSContactRow("sounds", "media", type: "Media", kind: "sound", value: "uri", id: "SOUND", .resource),
    JSContactRow("notes", "notes", type: "Note", value: "note", id: "NOTE", [.author]),
    JSContactRow(
      "expertise", "personalInfo", type: "PersonalInfo", kind: "expertise", value: "value", id: "PERSINFO", [.label, .listAs, .level]),
    JSContactRow(
      "hobbies", "personalInfo", type: "PersonalInfo", kind: "hobby", value: "value", id: "PERSINFO", [.label, .listAs, .level]),
    JSContactRow(
      "interests", "personalInfo", type: "PersonalInfo", kind: "interest", value: "value", id: "PERSINFO", [.label, .listAs, .level]),
  ]

  /// The row of a property; nil for those that become no such object.
  static func of(property: String) -> JSContactRow? { byProperty[property] }
  private static let byPath = Dictionary(grouping: all) { $0.path }
  private static let byProperty = Dictionary(all.map { ($0.property, $0) }) { first, _ in first }

  /// The maps that hold such objects.
  static let maps: [[String]] = {
    var found: [[String]] = []
    for row in all where !found.contains(row.path) { found.append(row.path) }
    return found
  }()

  /// The row of an object in a map; nil where its kind is none of vCard's.
  static func of(_ object: JSONObject, in path: [String]) -> JSContactRow? {
    let rows = byPath[path] ?? []
    let named = object["vCardName"]?.text?.lowercased()
    if let kind = object["kind"] {
      return rows.first { $0.kind == kind.text && (named == nil || $0.property == named) } ?? rows.first { $0.kind == kind.text }
    }
    let plain = rows.filter { $0.kind == nil || $0.isDefaultKind }
    return plain.first { $0.property == named } ?? plain.first
  }

  // MARK: Words

  /// TYPE words that are contexts.
  static let contexts: [(type: String, context: String)] = [("home", "private"), ("work", "work")]
  /// Those that an address has besides (RFC 9554 5).
  static let addressContexts: [(type: String, context: String)] = contexts + [("billing", "billing"), ("delivery", "delivery")]
  /// TYPE words that are features of a phone.
  static let features: [(type: String, feature: String)] = [
    ("cell", "mobile"), ("voice", "voice"), ("fax", "fax"), ("main-number", "main-number"), ("pager", "pager"), ("text", "text"),
    ("textphone", "textphone"), ("video", "video"),
  ]
  /// Levels of expertise (RFC 6715 3.2), which JSContact calls by other words.
  static let levels: [(level: String, word: String)] = [("beginner", "low"), ("average", "medium"), ("expert", "high")]
}

/// The properties that become a text of the Card itself, or of its `speakToAs`.
struct JSContactText: Sendable {
  enum Form: BitwiseCopyable, Sendable { case text, lower, utc }

  let property: String
  let path: [String]
  let form: Form

  static let all: [JSContactText] = [
    JSContactText(property: JSContactRow.name("uid"), path: ["uid"], form: .text),
    JSContactText(property: JSContactRow.name("kind"), path: ["kind"], form: .lower),
    JSContactText(property: "language", path: ["language"], form: .text),
    JSContactText(property: JSContactRow.name("created"), path: ["created"], form: .utc),
    JSContactText(property: JSContactRow.name("revision"), path: ["updated"], form: .utc),
    JSContactText(property: JSContactRow.name("productID"), path: ["prodId"], form: .text),
    JSContactText(property: "gramgender", path: ["speakToAs", "grammaticalGender"], form: .lower),
  ]

  static func of(property: String) -> JSContactText? { byProperty[property] }
  private static let byProperty = Dictionary(all.map { ($0.property, $0) }) { first, _ in first }

  /// The places of some among all.
  static let uid = 0, language = 2, gender = 6

  /// The member's text for a property's; nil where it has none.
  func text(_ text: String) -> String? {
    switch form {
    case .text: text
    case .lower: text.lowercased()
    case .utc: UTCDateTime.text(PartialDate(text))
    }
  }
}

/// JSContact's points in time (RFC 9553 1.4.5).
enum UTCDateTime {
  /// A whole date with its time as UTC; a time without a zone is taken as UTC. Nil for anything else.
  static func text(_ date: PartialDate) -> String? {
    guard date.isWhole, let year = date.year, let month = date.month, let day = date.day, (1...9999).contains(year) else { return nil }
    let digits = Array(date.time.utf8)
    guard digits.count >= 8, digits[2] == 58, digits[5] == 58, let hour = Int(date.time.prefix(2)),
      let minute = Int(date.time.dropFirst(3).prefix(2))
    else { return nil }
    let seconds = date.time.dropFirst(6).prefix(2)
    let zone = date.time.dropFirst(8).drop { $0 == "." || $0.isNumber }
    var shift = 0
    if zone.count == 6, let hours = Int(zone.dropFirst().prefix(2)), let minutes = Int(zone.suffix(2)) {
      shift = (hours * 60 + minutes) * (zone.hasPrefix("-") ? 1 : -1)
    } else if !zone.isEmpty, zone != "Z" {
      return nil
    }
    var total = hour * 60 + minute + shift
    var days = Self.days(year, month, day)
    while total < 0 { (total, days) = (total + 1440, days - 1) }
    while total >= 1440 { (total, days) = (total - 1440, days + 1) }
    let date = Self.date(days)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let four = String(repeating: "0", count: max(0, 4 - "\(date.0)".count)) + "\(date.0)"
    return "\(four)-\(two(date.1))-\(two(date.2))T\(two(total / 60)):\(two(total % 60)):\(seconds)Z"
  }

  /// Days since 1970-01-01 in the Gregorian calendar; years are counted from March, so that a leap day ends them.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let m = (month + 9) % 12
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 719_469
  }

  private static func date(_ days: Int) -> (Int, Int, Int) {
    var year = (days + 719_468) * 400 / 146_097
    while Self.days(year, 3, 1) > days { year -= 1 }
    while Self.days(year + 1, 3, 1) <= days { year += 1 }
    let rest = days - Self.days(year, 3, 1)
    let m = (5 * rest + 2) / 153
    return (m >= 10 ? year + 1 : year, m >= 10 ? m - 9 : m + 3, rest - (153 * m + 2) / 5 + 1)
  }
}
