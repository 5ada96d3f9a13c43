// Postal addresses: ADR with LABEL, X-ABADR and the components of RFC 9554 (RFC 6350 6.3.1, RFC 2426 3.2.1).

package import CardSyntax
package import Bytes

/// A postal address.
public struct PostalAddress: Sendable, Hashable {
  /// The parts of an address: the seven of ADR, then those that RFC 9554 2.1 adds.
  public enum Part: String, Sendable, CaseIterable {
    case poBox, extended, street, city, region, postalCode, country
    case room, apartment, floor, streetNumber, streetName, building, block, subdistrict, district, landmark, direction
  }

  /// The texts of each part, by its place among all; the last one is not empty.
  private var texts: [[String]] = []

  /// The texts of a part; a part may hold several (RFC 6350 6.3.1), mostly it holds one or none.
  public subscript(part: Part) -> [String] {
    get { part.place < texts.count ? texts[part.place] : [] }
    set {
      while !newValue.isEmpty, texts.count <= part.place { texts.append([]) }
      if part.place < texts.count { texts[part.place] = newValue }
      while texts.last?.isEmpty == true { texts.removeLast() }
    }
  }

  /// The texts of a part as one, divided by commas; empty where there is none. Setting an empty text removes the part.
  public subscript(text part: Part) -> String {
    get { self[part].joined(separator: ",") }
    set { self[part] = newValue.isEmpty ? [] : [newValue] }
  }

  /// The post office box.
  public var poBox: String {
    get { self[text: .poBox] }
    set { self[text: .poBox] = newValue }
  }
  /// Apartment or suite.
  public var extended: String {
    get { self[text: .extended] }
    set { self[text: .extended] = newValue }
  }
  /// Street and number, perhaps in several lines.
  public var street: String {
    get { self[text: .street] }
    set { self[text: .street] = newValue }
  }
  /// The town.
  public var city: String {
    get { self[text: .city] }
    set { self[text: .city] = newValue }
  }
  /// State or province.
  public var region: String {
    get { self[text: .region] }
    set { self[text: .region] = newValue }
  }
  /// The postal code.
  public var postalCode: String {
    get { self[text: .postalCode] }
    set { self[text: .postalCode] = newValue }
  }
  /// The country's name.
  public var country: String {
    get { self[text: .country] }
    set { self[text: .country] = newValue }
  }
  /// ISO 3166 code of the country, in lower case (RFC 8605 3.1); empty where it is not known.
  public var countryCode = ""
  /// The address as it is written on an envelope; empty where it is not known.
  public var formatted = ""
  /// The time zone of the place; empty where it is not known.
  public var timeZone = ""
  /// Where the place is on the earth.
  public var location: Location?

  /// An address from its usual parts; empty ones count as absent.
  public init(street: String = "", city: String = "", region: String = "", postalCode: String = "", country: String = "") {
    for (part, text) in [
      (Part.street, street), (.city, city), (.region, region), (.postalCode, postalCode), (.country, country),
    ] where !text.isEmpty { self[part] = [text] }
  }
}

extension PostalAddress.Part {
  /// The place among all parts.
  fileprivate var place: Int {
    switch self {
    case .poBox: 0
    case .extended: 1
    case .street: 2
    case .city: 3
    case .region: 4
    case .postalCode: 5
    case .country: 6
    case .room: 7
    case .apartment: 8
    case .floor: 9
    case .streetNumber: 10
    case .streetName: 11
    case .building: 12
    case .block: 13
    case .subdistrict: 14
    case .district: 15
    case .landmark: 16
    case .direction: 17
    }
  }

  /// The member of the record that holds the part.
  var member: Member { Self.members[place] }

  private static let members = allCases.map { Member(key: $0.rawValue) ?? .none }
  /// The parts by the members that hold them.
  fileprivate static let ofMembers = Member.allCases.map { member in allCases.first { $0.member == member } }
}

package struct AddressKind: ValueKind {
  package var textMember: Member? { .formatted }
  package init() {}

  package var parameters: ParameterSet { Self.ownParameters }
  private static let ownParameters = ParameterSet(.label, .cc, .geo, .tz, .xTZ, .xGeo, .xCC, .xAdrParts, .xParts)

  package var accepts: ParameterSet { ParameterSet(.phonetic) }

  private static let components: [Member] = [.poBox, .extended, .street, .city, .region, .postalCode, .country]
  private static let usualComponents = ComponentList(components)
  /// The parts that parameters tell in 4.0.
  private static let told = MemberSet([.formatted, .countryCode])
  /// The components that RFC 9554 adds.
  private static let parts: [Member] = [
    .room, .apartment, .floor, .streetNumber, .streetName, .building, .block, .subdistrict, .district, .landmark, .direction,
  ]

  private static let partSet = MemberSet(parts)
  /// All that an address consists of, its text as a whole apart.
  private static let componentSet = MemberSet(components + parts + [.countryCode, .location, .timeZone])

  /// The places of LABEL, X-ABADR and X-SAMSUNGADR among the field's names.
  private static let labelAlias = 1, countryAlias = 2, samsungAlias = 3

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    let link = card[link: line]
    if Int(link.alias) == Self.labelAlias { return record.text(.formatted, made: card.text(line)) }
    let (start, end) = card.valueRange(line)
    let ranges = card.components(start, end)
    let exact = PartsText(line, card)
    for i in 0..<min(ranges.count, 7) {
      record.list(Self.components[i], ranges[i], card, mayBeList: ranges.hasComma, exact?.texts(i, ranges[i], card))
    }
    var formatted: (Int, Int)?
    if ranges.count == 8 {
      if ranges[7].end > ranges[7].start { formatted = ranges[7] }  // Google's eighth component
    } else if ranges.count > 8 {
      for i in 7..<ranges.known { record.list(Self.parts[i - 7], ranges[i], card, mayBeList: ranges.hasComma) }
    }
    let parameters = card.parameterSet(line).intersection(Self.ownParameters)
    if parameters.isEmpty, link.companion < 0, link.secondCompanion < 0, formatted == nil { return }
    if let text = card.value(.xAdrParts, of: line) {
      for (member, texts) in zip(Self.parts, PartsText.split(text)) { record.texts(member, texts.filter { !$0.isEmpty }) }
    }
    if let code = card.value(.cc, of: line) ?? card.value(.xCC, of: line) {
      record.text(.countryCode, made: code.lowercased())
    } else if link.secondCompanion >= 0 {
      record.text(.countryCode, made: card.text(Int(link.secondCompanion)).lowercased())
    }
    if let label = card.onlyPlainValue(.label, of: line) {
      record.text(.formatted, label.start, label.end, .plain)
    } else if parameters.has(.label) {
      // A comma outside of quotes makes no list of the one text.
      record.text(.formatted, made: card.values(.label, of: line).joined(separator: ","))
    } else if link.companion >= 0 {
      record.text(.formatted, made: card.text(Int(link.companion)))
    } else if let formatted {
      record.text(.formatted, formatted.0, formatted.1)
    }
    guard parameters.has(.tz) || parameters.has(.xTZ) || parameters.has(.geo) || parameters.has(.xGeo) else { return }
    if let zone = card.value(.tz, of: line) ?? card.value(.xTZ, of: line) { record.text(.timeZone, made: zone) }
    if let geo = card.value(.geo, of: line) ?? card.value(.xGeo, of: line), let place = Location(uri: geo) {
      GeoKind.send(place, as: .location, to: &record)
    }
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    let hasParts = record.hasPart(of: Self.partSet, index)
    let geo = record.part(.location, of: index).flatMap { Location(record, at: $0) }
    let zone = record.string(.timeZone, of: index) ?? ""
    if line.version == .v40 {
      if let label = record.string(.formatted, of: index), !label.isEmpty { line.parameter("LABEL", label) }
      if let code = record.string(.countryCode, of: index), !code.isEmpty { line.parameter("CC", code) }
      if let geo { line.parameter("GEO", geo.uri) }
      if !zone.isEmpty { line.parameter("TZ", zone) }
    } else {
      if let geo { line.parameter(KnownParameter.xGeo.name, geo.uri) }
      if !zone.isEmpty { line.parameter(KnownParameter.xTZ.name, zone) }
      if hasParts {
        line.parameter(KnownParameter.xAdrParts.name, PartsText.join(Self.parts.map { record.texts($0, of: index) }))
      }
    }
    line.exactParts(Self.components.map { record.texts($0, of: index) })
    for (i, member) in Self.components.enumerated() {
      if i > 0 { line.separator(ASCII.semicolon) }
      line.component(member, of: record, at: index)
    }
    if context.alias == Self.samsungAlias {
      line.separator(ASCII.semicolon)
      if let place = record.part(.formatted, of: index) { line.text(place, of: record, .component) }
      return
    }
    guard hasParts && line.version == .v40 else { return }
    for member in Self.parts {
      line.separator(ASCII.semicolon)
      line.component(member, of: record, at: index)
    }
  }

  package func writeLines(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    let names = context.field.names
    let label = record.part(.formatted, of: index)
    let hasComponents = record.hasPart(of: Self.componentSet, index)
    if context.alias == Self.samsungAlias {
      context.begin(&line)
      write(index, of: record, context, to: &line)
      return line.end()
    }
    if hasComponents || line.version == .v40 || label == nil {
      context.begin(&line, name: names[0].text)
      write(index, of: record, context, to: &line)
      line.end()
    }
    guard line.version != .v40 else { return }
    if let label {
      line.begin(group: hasComponents ? nil : context.group, name: names[Self.labelAlias].text)
      var annotations = Annotations()
      annotations.labels = context.annotations.labels
      annotations.preference = context.annotations.preference
      annotations.write(context.spelling, field: context.field, origin: context.origin, to: &line)
      line.text(label, of: record)
      line.end()
    }
    if let code = record.string(.countryCode, of: index), !code.isEmpty, let group = context.group {
      line.begin(group: group, name: names[Self.countryAlias].text)
      line.text(code)
      line.end()
    }
  }

  package func writePlain(_ index: Int, of record: borrowing Record, in version: CardVersion, to line: inout ByteBuffer) -> Bool {
    let (formatted, code) = (record.part(.formatted, of: index), record.part(.countryCode, of: index))
    guard version == .v40 || formatted == nil && code == nil, Self.append(";LABEL=", formatted, of: record, to: &line),
      Self.append(";CC=", code, of: record, to: &line)
    else { return false }
    line.append(ASCII.colon)
    return Self.usualComponents.appendPlain(
      index, of: record, besides: Self.told, escaping: LineWriter.Place.componentItem.plainShape(in: version), to: &line)
  }

  /// Adds a parameter of 4.0 with a text of the record, if there is one; false where it cannot hold the text.
  private static func append(_ name: StaticString, _ place: Int?, of record: borrowing Record, to line: inout ByteBuffer) -> Bool {
    guard let place, !record.isEmptyValue(place) else { return true }
    guard record.tokens[place].operation == .text else { return false }
    line.append(name)
    var isWhole = false
    record.withText(place) { bytes, start, end in isWhole = ParameterText.escape(bytes, start, end, version: .v40, to: &line) }
    return isWhole
  }

  package func needsGroup(_ index: Int, of record: borrowing Record, in version: CardVersion) -> Bool {
    version != .v40 && record.string(.countryCode, of: index)?.isEmpty == false
  }

  package func accepts(companion line: Int, _ card: borrowing CardView) -> Bool {
    let text = card.text(line)
    return text.count == 2 && text.allSatisfy { $0.isASCII && $0.isLetter }
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    if Int(card[link: line].alias) == Self.labelAlias {
      if version == .v40 { findings.add(.unknownProperty, "no property of 4.0; the parameter LABEL takes its place") }
      return TextKind().check(line, card, in: version, &findings)
    }
    if Int(card[link: line].alias) == Self.countryAlias {
      if version == .v40, card.version != .v40 { findings.add(.unknownProperty, "no property of 4.0; the parameter CC takes its place") }
      return
    }
    let (start, end) = card.valueRange(line)
    var count = 0
    card.split(start, end, at: ASCII.semicolon) { number, _, _ in count = number + 1 }
    let isSamsung = Int(card[link: line].alias) == Self.samsungAlias
    // Older versions may leave components off at the end; a writer gives them all.
    let mayBeFewer = findings.isValidating && version != .v40 && count < 7
    if !(count == 7 || version == .v40 && count == 18 || isSamsung && count == 8 || mayBeFewer) {
      // Google's eighth component is the formatted address.
      findings.add(.components, "\(count) components instead of 7", count == 8 && version != .v40 ? .info : .warning)
    }
    if hasTwoLabels(line, card) { findings.add(.parameterValue, "LABEL is one text; its comma needs quotes") }
    if version != .v40 {
      for known in [KnownParameter.label, .cc, .geo, .tz] where card.parameter(known, of: line) != nil {
        findings.add(.parameter, "\(known.name) is a parameter of 4.0")
      }
    } else if card.version != .v40 {
      for known in [KnownParameter.xTZ, .xGeo, .xCC, .xAdrParts] where card.parameter(known, of: line) != nil {
        findings.add(.parameter, "\(known.name) has a form of its own in 4.0")
      }
    }
    PartsText.check(line, card, in: version, &findings)
    TextKind.check(
      card.bytes.span, start, end, from: card.version, to: version, separators: card.version == .v21 && version != .v21 ? .comma : [],
      &findings)
  }

  package func plainValues(_ line: Int, _ card: borrowing CardView, in version: CardVersion, isValidating: Bool) -> PlainValues {
    let isOwn = version == .v40 && card.version == .v40
    guard card[link: line].alias == 0, isOwn || !card.parameterSet(line).hasAny(of: parameters), !hasTwoLabels(line, card) else {
      return .none
    }
    return .components(Self.components.count, in: version, from: card.version)
  }

  private func hasTwoLabels(_ line: Int, _ card: borrowing CardView) -> Bool {
    var count = 0
    for i in card.parameterRange(line) where card.parameters[i].known == .label {
      card.forEachRange(card.parameters[i]) { _, _, _ in count += 1 }
    }
    return count > 1
  }

  /// Samsung writes an address a second time, with the whole text behind it.
  package func identity(_ line: Int, _ card: borrowing CardView) -> String? {
    let alias = Int(card[link: line].alias)
    guard alias == 0 || alias == Self.samsungAlias else { return nil }
    var parts: [String] = []
    let (start, end) = card.valueRange(line)
    card.split(start, end, at: ASCII.semicolon) { number, from, to in if number < 7 { parts.append(card.text(from, to)) } }
    return parts.joined(separator: ";")
  }

  package func isEmpty(_ line: Int, _ card: borrowing CardView) -> Bool {
    // Parameters may hold all that is known.
    card.isBlank(line) && !card.parameterRange(line).contains { parameters.has(card.parameters[$0].known) }
  }

  package func readable(_ index: Int, of record: borrowing Record) -> String {
    guard let address = take(index, of: record) else { return "" }
    let parts = [address.poBox, address.extended, address.street, address.city, address.region, address.postalCode, address.country]
    let text = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    return text.isEmpty ? address.formatted : text
  }

  package func take(_ index: Int, of record: borrowing Record) -> PostalAddress? {
    guard record.tokens[index].operation == .openObject else { return nil }
    var address = PostalAddress()
    let end = Int(record.tokens[index].start)
    var place = index + 1
    while place < end {
      switch record.tokens[place].member {
      case .countryCode: address.countryCode = record.textOrList(place)
      case .formatted: address.formatted = record.textOrList(place)
      case .timeZone: address.timeZone = record.textOrList(place)
      case .location: address.location = Location(record, at: place)
      case let member:
        if let part = PostalAddress.Part.ofMembers[Int(member.rawValue)] { address[part] = record.texts(at: place) }
      }
      place = record.next(place)
    }
    return address
  }

  package func send(_ value: PostalAddress, to record: inout Record) {
    for part in PostalAddress.Part.allCases { record.texts(part.member, value[part]) }
    for (member, text) in [(Member.countryCode, value.countryCode), (.formatted, value.formatted), (.timeZone, value.timeZone)]
    where !text.isEmpty { record.text(member, made: text) }
    if let location = value.location { GeoKind.send(location, as: .location, to: &record) }
  }
}

extension ValueKind where Self == AddressKind {
  package static var address: Self { Self() }
}
