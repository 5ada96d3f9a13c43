// Persons from seeds: every field of the table, with nasty values. A new row is filled as soon as its kind has a value here.
internal import Bytes
package import CardSyntax
package import People

/// Makes values, records and persons that look random and are the same for the same seed.
package struct PersonGenerator {
  /// What must be able to hold what is made.
  package enum Reach {
    /// 4.0 alone.
    case v40
    /// 3.0 and 4.0: no double quote in a parameter.
    case since30
    /// Every version: besides, no backslash (2.1 has no escape for it), no line break in a parameter, one text in a part.
    case everyVersion

    /// What can be held by `version`.
    package init(_ version: CardVersion) {
      switch version {
      case .v21: self = .everyVersion
      case .v30: self = .since30
      case .v40: self = .v40
      }
    }
  }

  package var random: Seeded
  private let reach: Reach
  /// Agents are not nested deeper than this.
  private var depth = 0

  package init(_ seed: UInt64, reach: Reach) {
    random = Seeded(seed)
    self.reach = reach
  }

  /// The person of a seed.
  package static func person(_ seed: Int, reach: Reach) -> Person {
    var generator = PersonGenerator(UInt64(seed), reach: reach)
    return Person(generator.record())
  }

  private mutating func text() -> String { held(NastyText.text(&random)) }
  private mutating func line() -> String { held(NastyText.text(&random, lines: false)) }
  /// A text without what not every version of the reach holds.
  private func held(_ text: String) -> String { reach == .everyVersion ? text.replacing("\\", with: "/") : text }
  private mutating func parameterText() -> String {
    let text = held(NastyText.text(&random, lines: reach != .everyVersion))
    return reach == .v40 ? text : text.replacing("\"", with: "'")
  }
  private mutating func uri(_ scheme: String? = nil) -> String { NastyText.uri(&random, scheme: scheme) }
  private mutating func texts(_ limit: Int = 2) -> [String] {
    let count = reach == .everyVersion ? random.below(2) : random.below(limit + 1)
    return (0..<count).map { _ in text() }
  }
  private mutating func maybe(_ text: String) -> String { random.oneIn(2) ? text : "" }

  // MARK: Values

  /// A value of a kind; nil for kinds that this generator does not know.
  private mutating func value(of kind: any ValueKind) -> Any? {
    switch kind {
    case is URIKind: return uri()
    case is IdentifierKind: return random.oneIn(2) ? uri("urn") : line()
    case is KindKind: return random.pick(["individual", "group", "org", "location", "application", "device", "x-ship"])
    case is RelatedKind: return random.oneIn(2) ? uri("urn") : text()
    case is TimeZoneKind: return random.pick(["Europe/London", "-05:00", "+12:45", "Z", "https://example.com/tz", "half past nine"])
    case is TextListKind: return kind.defaultValueType(in: .v40) == "uri" ? uri("urn") : text()
    // xCard takes blanks around a language tag for indentation.
    case is TextKind: return kind.valueTypes(in: .v40).contains("language-tag") ? "x" + text() + "-x" : text()
    case is NameKind: return name()
    case is MediaKind: return media()
    case is DateKind: return date()
    case is GenderKind: return gender()
    case is PhoneKind: return phone()
    case is InstantMessageKind: return instantMessage()
    case is SocialProfileKind: return socialProfile()
    case is AddressKind: return address()
    case is OrganizationKind: return organization()
    case is GeoKind: return location()
    case is AgentKind: return agent()
    default: return nil
    }
  }

  /// Puts a value of a kind into a record; false for kinds that this generator does not know.
  package mutating func send(_ kind: any ValueKind, to record: inout Record) -> Bool {
    func put<Kind: ValueKind>(_ kind: Kind, _ value: Any) -> Bool {
      guard let value = value as? Kind.Value else { return false }
      kind.send(value, to: &record)
      return true
    }
    guard let value = value(of: kind) else { return false }
    return put(kind, value)
  }

  private mutating func name() -> PersonName {
    var name = PersonName(given: text())
    name.prefix = texts(1)
    name.middle = texts(3)
    name.family = texts()
    name.suffix = texts()
    if random.oneIn(4) { (name.family2, name.generation) = (texts(), texts()) }
    // A comma divides the texts of SORT-AS.
    if random.oneIn(3) {
      name.sortAs = (0..<1 + random.below(2)).map { _ in parameterText().filter { $0 != "," } + "s" }
    }
    if random.oneIn(4) { (name.phoneticGiven, name.phoneticMiddle, name.phoneticFamily) = ("p" + text(), "", maybe("p" + text())) }
    return name
  }

  private mutating func media() -> Media {
    switch random.below(4) {
    case 0: return Media(uri: uri(), mediaType: random.pick(["", "image/jpeg", "image/png", "image/avif", "application/x-thing"]))
    case 1:
      let head: [UInt8] = random.pick([[0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], Array("GIF89a".utf8), Array("OggS".utf8)])
      return Media(bytes: head + bytes())
    case 2:
      return Media(bytes: [1] + bytes(), mediaType: random.pick(["", "image/jpeg", "audio/basic", "application/pgp-keys", "image/x-own"]))
    default: return random.oneIn(2) ? Media(uri: line().filter { $0 != ":" } + "t") : Media(bytes: [0, 255])
    }
  }

  private mutating func bytes() -> [UInt8] {
    let count = random.oneIn(10) ? 400 : random.below(20)
    return (0..<count).map { _ in UInt8(random.below(256)) }
  }

  private mutating func date() -> PartialDate {
    let (year, month, day) = (1900 + random.below(200), 1 + random.below(12), 1 + random.below(28))
    switch random.below(9) {
    case 0: return PartialDate(month: month, day: day)
    case 1: return PartialDate(year: year)
    case 2: return PartialDate(year: year, month: month)
    case 3: return PartialDate(day: day)
    case 4: return PartialDate(month: month)
    case 5: return PartialDate(year: year, month: month, day: day, time: random.pick(["15:20:00Z", "08:00:00-05:00", "23:59:59"]))
    case 6: return PartialDate("circa " + text())
    default: return PartialDate(year: year, month: month, day: day)
    }
  }

  private mutating func gender() -> Gender {
    let sex = random.pick(["male", "female", "other", "none", "unknown", ""])
    return Gender(sex: sex, identity: sex.isEmpty || random.oneIn(2) ? text() : "")
  }

  private mutating func phone() -> PhoneNumber {
    let number = random.pick(["+1 206 555 0100", "+44-7700-900123", "(020) 7946 0601", "*100#", "555 0100,,12", "+1 (555) 0100 x12"])
    // A semicolon in a number could begin an extension.
    let odd = text().map { $0 == ";" ? "," : String($0) }.joined()
    return PhoneNumber(random.oneIn(3) ? "n" + odd : number, extension: random.oneIn(4) ? "\(random.below(1000))" : "")
  }

  private mutating func instantMessage() -> InstantMessage {
    let handle = "mira\(random.below(100))@example.net"
    switch random.below(5) {
    case 0: return InstantMessage(service: "", handle: "mira \(random.below(100))")
    case 1: return InstantMessage(service: "wave", handle: handle, uri: "https:" + handle)
    case 2: return InstantMessage(service: "google-talk", handle: handle, uri: "xmpp:" + handle)
    case 3: return InstantMessage(service: "icq", handle: "12345", uri: "icq:12345")
    default: return InstantMessage(service: "xmpp", handle: handle, uri: "xmpp:" + handle)
    }
  }

  private mutating func socialProfile() -> SocialProfile {
    let service = random.pick(["mastodon", "Flickr", "x-own", "two words", "linkedin"])
    switch random.below(4) {
    case 0: return SocialProfile(service: service, username: parameterText())
    case 1: return SocialProfile(service: service, username: parameterText(), uri: uri("https"))
    case 2: return SocialProfile(service: "", uri: uri("https"))
    default: return SocialProfile(service: service, uri: uri("https"))
    }
  }

  private mutating func address() -> PostalAddress {
    var address = PostalAddress(
      street: "s" + text(), city: maybe(text()), region: maybe(text()), postalCode: maybe("BS1 4ZZ"), country: maybe(text()))
    if random.oneIn(4) { (address.poBox, address.extended) = (text(), text()) }
    if reach != .everyVersion, random.oneIn(6) { address[.street] = [text(), text()] }
    if random.oneIn(3) { address.countryCode = random.pick(["gb", "us", "de"]) }
    if random.oneIn(3) { address.formatted = "f" + text() }
    if random.oneIn(4) { address.timeZone = random.pick(["Europe/London", "-05:00"]) }
    if random.oneIn(4) { address.location = location() }
    if random.oneIn(4) {
      for part in PostalAddress.Part.allCases.dropFirst(7) where random.oneIn(2) {
        address[part] = (0..<1 + random.below(2)).map { _ in parameterText() }
      }
    }
    return address
  }

  private mutating func organization() -> Organization {
    let name = random.oneIn(5) ? "" : "o" + text()
    let units = (0..<random.below(3) + (name.isEmpty ? 1 : 0)).map { _ in text() + "u" }
    return Organization(name, units: units, sortAs: random.oneIn(4) ? parameterText() : "")
  }

  private mutating func location() -> Location {
    let texts = ["0", "51.4545", "-2.5879", "-0.000001", "89.999999", "12.30"]
    var place = Location(random.pick(texts), random.pick(texts + ["179.5", "-120.25"])) ?? Location(latitude: 1, longitude: 2)
    if random.oneIn(4) { place.more = random.pick([";u=35", ";crs=wgs84;u=1", ",12.5"]) }
    return place
  }

  private mutating func agent() -> Agent {
    depth += 1
    defer { depth -= 1 }
    return .card(Person(record()))
  }

  // MARK: What lines carry besides

  private mutating func parameters(_ record: inout Record, language: Bool = false) {
    var found: [(String, [String])] = []
    if language { found.append(("language", [random.pick(["en", "de-CH", "zh-Hant"])])) }
    if random.oneIn(3) { found.append(("x-own", (0..<1 + random.below(3)).map { _ in parameterText() })) }
    if random.oneIn(6) { found.append(("altid", ["\(1 + random.below(9))"])) }
    if random.oneIn(9) { found.append(("x-empty-not", [""])) }
    guard !found.isEmpty else { return }
    record.open(.parameters)
    for (name, values) in found {
      record.key(name)
      record.open(list: true)
      for value in values { record.text(.none, made: value) }
      record.close()
    }
    record.close()
  }

  /// Labels: words that TYPE has in every version, then at most one that only a label line can say.
  private mutating func labels(_ types: Field.Types) -> [String] {
    var words = random.oneIn(2) ? [random.pick(["home", "work"])] : []
    switch types {
    case .phone:
      let more = reach == .everyVersion ? [] : ["main", "iphone", "text"]
      if random.oneIn(2) { words.append(random.pick(["mobile", "fax", "pager", "car", "video"] + more)) }
    case .relation: if random.oneIn(2) { words.append(random.pick(["spouse", "child", "friend", "mother", "agent", "younger-sister"])) }
    default: break
    }
    if types != .relation, random.oneIn(4) {
      words.append(random.oneIn(2) ? random.pick(["other", "school", "boat house", "Ferienhaus", "x", "Anniversary 2"]) : "l" + line())
    }
    return words
  }

  /// Labels that are TYPE words in every version.
  private static let typeWords: Set<String> = ["home", "work", "mobile", "fax", "pager", "car", "video"]

  /// Identifiers that PROP-ID holds. Some values get `1.1` instead, which is for PID.
  package static let identifiers = ["p7", "ID-4"]

  /// Puts labels, preference, language, parameters, group and identifier into the open object.
  package mutating func sendAnnotations(_ field: Field, to record: inout Record) {
    let labels = labels(field.types)
    if !labels.isEmpty {
      record.open(.labels, list: true)
      for label in labels { record.text(.none, made: label) }
      record.close()
    }
    if random.oneIn(4) { record.number(.preference, "\(1 + random.below(100))") }
    if random.oneIn(6) { record.text(.language, made: random.pick(["en", "pt-BR", "sr-Latn"])) }
    if random.oneIn(3) { parameters(&record) }
    // A group with a label of its own is the label's; an address with a country code has such a group in older versions.
    if labels.allSatisfy({ Self.typeWords.contains($0) }), field.key != "addresses", random.oneIn(8) {
      record.text(.group, made: random.pick(["g", "item9", "Home-2"]) + "\(random.below(1000))")
    }
    if random.oneIn(8) { record.text(.id, made: random.pick(Self.identifiers + ["1.1"])) }
  }

  // MARK: Records

  /// The value of one field of the table, with what its lines carry; false for kinds that this generator does not know.
  package mutating func send(field number: Int, to record: inout Record, annotated: Bool = true) -> Bool {
    let field = Person.fields[number]
    record.field(number)
    switch field.layout {
    case .one: return send(field.kind, to: &record)
    case .many, .texts:
      let isTexts = if case .texts = field.layout { true } else { false }
      record.open(list: true)
      for _ in 0..<(random.oneIn(3) ? 1 + random.below(4) : 1) {
        if isTexts, !annotated || random.oneIn(2) {
          guard send(field.kind, to: &record) else { return false }
          continue
        }
        record.open()
        guard send(field.kind, to: &record) else { return false }
        if annotated { sendAnnotations(field, to: &record) }
        record.close()
      }
      record.close()
    case .unclaimed:
      record.open(list: true)
      for place in 0..<1 + random.below(3) {
        var parameters: [(String, [String])] = []
        if random.oneIn(3) { parameters.append((random.pick(["X-Bar", "x-own"]), (0..<1 + random.below(2)).map { _ in parameterText() })) }
        UnclaimedText(
          name: random.pick(["X-Thing", "X-UPPER-\(place)", "x-lower", "VND-63-SENSITIVITY"]), group: random.oneIn(4) ? "u\(place)" : nil,
          parameters: parameters, value: line()
        ).send(to: &record)
      }
      record.close()
    }
    return true
  }

  /// A whole contact: a full name, and of the other fields some or nearly all.
  package mutating func record() -> Record {
    var record = Record()
    record.begin(source: [], version: .v40)
    let share = depth > 0 ? 2 : random.pick([1, 2, 4, 12])
    var details: [Int] = []
    for number in Person.fields.indices where number != 0 && number != Person.detailsField {
      let field = Person.fields[number]
      guard field.key == "fullName" || random.below(12) < share, !(field.kind is AgentKind && depth > 1) else { continue }
      guard send(field: number, to: &record) else { continue }
      // The address book of a card with several languages says so in parameters; a kind may speak for them itself.
      if field.isOne, random.oneIn(5), number != Person.unclaimedField { details.append(number) }
    }
    guard !details.isEmpty else { return record }
    // Details stand before the unclaimed lines in the table.
    var whole = Record()
    whole.begin(source: [], version: .v40)
    whole.append(range: 0, record.tokens.count, of: record)
    whole.field(Person.detailsField)
    whole.open()
    for number in details {
      let before = whole.tokens.count
      whole.key(Person.fields[number].key)
      whole.open()
      let start = whole.tokens.count
      parameters(&whole, language: random.oneIn(3))
      if random.oneIn(3) { whole.text(.group, made: "d\(number)") }
      let isEmpty = whole.tokens.count == start
      whole.close()
      if isEmpty { whole.truncate(to: before) }
    }
    whole.close()
    return whole
  }
}

extension String {
  /// The text with every scalar `old` exchanged.
  fileprivate func replacing(_ old: Unicode.Scalar, with new: Unicode.Scalar) -> String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0 == old ? new : $0 }))
  }
}
