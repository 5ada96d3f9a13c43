// Places and time zones: GEO and TZ (RFC 6350 6.5, RFC 2426 3.4, RFC 5870).

package import CardSyntax
internal import Bytes

/// A place on the earth, in degrees of WGS 84.
public struct Location: Sendable, Hashable {
  /// Degrees as they were written, so that no digit is lost; north and east are positive.
  public let latitudeText: String, longitudeText: String
  /// What a geo URI says besides (`;u=35`); empty where it says nothing.
  public var more = ""

  /// Degrees north.
  public var latitude: Double { Double(latitudeText) ?? 0 }
  /// Degrees east.
  public var longitude: Double { Double(longitudeText) ?? 0 }

  /// A place.
  public init(latitude: Double, longitude: Double) { (latitudeText, longitudeText) = ("\(latitude)", "\(longitude)") }

  /// A place from its numbers as text; nil where they are no numbers.
  public init?(_ latitude: some StringProtocol, _ longitude: some StringProtocol) {
    func number(_ text: some StringProtocol) -> String? {
      let trimmed = String(text).filter { $0 != " " && $0 != "\t" }
      let digits = trimmed.hasPrefix("+") ? trimmed.dropFirst() : trimmed[...]
      guard !digits.isEmpty, digits.utf8.count < 40, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }),
        let value = Double(digits), abs(value) <= 360
      else { return nil }
      // The form that JSON takes as well: a digit before and behind the point, no leading zeros.
      var text = String(digits)
      let sign = text.hasPrefix("-") ? "-" : ""
      if !sign.isEmpty { text.removeFirst() }
      if text.hasPrefix(".") { text = "0" + text }
      if text.hasSuffix(".") { text.removeLast() }
      while text.count > 1, text.hasPrefix("0"), !text.hasPrefix("0.") { text.removeFirst() }
      return sign + text
    }
    guard let first = number(latitude), let second = number(longitude) else { return nil }
    (latitudeText, longitudeText) = (first, second)
  }

  /// A place from a geo URI, or from `lat;lon` and `lat,lon`. A first number above 90 can only be the longitude.
  public init?(uri text: String) {
    var rest = text[...]
    if rest.lowercased().hasPrefix("geo:") { rest = rest.dropFirst(4) }
    let isURI = rest.startIndex != text.startIndex
    let numbers = rest.split(omittingEmptySubsequences: false) { $0 == "," || $0 == ";" }
    guard numbers.count >= 2, var place = Location(numbers[0], numbers[1]) else { return nil }
    if abs(place.latitude) > 90 {
      guard !isURI, let turned = Location(numbers[1], numbers[0]), abs(turned.latitude) <= 90 else { return nil }
      place = turned
    }
    if numbers.count > 2 {
      guard isURI else { return nil }
      place.more = String(rest[numbers[1].endIndex...])
    }
    self = place
  }

  init?(_ record: borrowing Record, at index: Int) {
    if let uri = record.string(.uri, of: index), let place = Location(uri: uri) {
      self = place
      return
    }
    guard let latitude = record.string(.latitude, of: index), let longitude = record.string(.longitude, of: index) else { return nil }
    self.init(latitude, longitude)
  }

  /// `geo:48.198634,16.371648`.
  public var uri: String { "geo:\(latitudeText),\(longitudeText)\(more)" }
}

package struct GeoKind: ValueKind {
  package init() {}

  package func defaultValueType(in version: CardVersion) -> String? { version == .v40 ? "uri" : "float" }
  package func valueTypes(in version: CardVersion) -> [String] { [version == .v40 ? "uri" : "float"] }
  package var accepts: ParameterSet { ParameterSet(.mediaType) }

  package var parameters: ParameterSet { ParameterSet(.xGeo) }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    guard var place = Location(uri: card.text(line)) else { return }
    if let whole = card.value(.xGeo, of: line).flatMap({ Location(uri: $0) }), whole.latitude == place.latitude,
      whole.longitude == place.longitude
    {
      place.more = whole.more
    }
    Self.send(place, as: .none, to: &record)
  }

  static func send(_ place: Location, as member: Member, to record: inout Record) {
    record.open(member)
    record.number(.latitude, place.latitudeText)
    record.number(.longitude, place.longitudeText)
    if !place.more.isEmpty { record.text(.uri, made: place.uri) }
    record.close()
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    guard let place = take(index, of: record) else { return line.beginValue() }
    // Older versions have the two numbers alone.
    if line.version != .v40, !place.more.isEmpty { line.parameter(KnownParameter.xGeo.name, place.uri) }
    switch line.version {
    case .v40: line.raw(place.uri)
    case .v30: line.raw(place.latitudeText + ";" + place.longitudeText)
    case .v21: line.raw(place.latitudeText + "," + place.longitudeText)
    }
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    if findings.isValidating { return validate(line, card, in: version, &findings) }
    let text = card.rawValue(line)
    if text.contains("\\") { findings.add(.escapedSeparators, "the separator of GEO is escaped") }
    let separators = text.filter { $0 == ";" || $0 == "," }
    switch version {
    case .v40:
      if !text.lowercased().hasPrefix("geo:") { findings.add(.uri, "no geo URI: \(text)") }
      if card.parameter(.xGeo, of: line) != nil { findings.add(.parameter, "X-GEO has a form of its own in 4.0") }
    case .v30: if separators != ";" || text.contains(":") { findings.add(.value, "no two numbers divided by a semicolon: \(text)") }
    case .v21: if separators.count != 1 || text.contains(":") { findings.add(.value, "no two numbers: \(text)") }
    }
    let first = text.split { $0 == ";" || $0 == "," }.first.flatMap { Double($0.filter { $0 != " " }) }
    if let first, abs(first) > 90 { findings.add(.value, "the first number of GEO is the latitude, at most 90") }
  }

  /// Are there two numbers, in the version's form, that are degrees?
  private func validate(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let text = card.text(line)
    let shown = ValueSyntax.excerpt(text)
    let isGeo = text.lowercased().hasPrefix("geo:")
    if version == .v40, !isGeo, ValueSyntax.uriFault(text) == nil { return }
    let numbers = text.dropFirst(isGeo ? 4 : 0).split(omittingEmptySubsequences: false) { $0 == "," || $0 == ";" }
    let degrees = numbers.prefix(2).compactMap { Double($0.filter { $0 != " " }) }
    // 2.1 names the longitude first, and most of its writers do not.
    let mostFirst = version == .v21 ? 180.0 : 90
    guard degrees.count == 2, isGeo || numbers.count == 2, Location(numbers[0], numbers[1]) != nil, abs(degrees[0]) <= mostFirst,
      abs(degrees[1]) <= 180
    else {
      let isTurned = degrees.count == 2 && abs(degrees[1]) <= 90 && abs(degrees[0]) <= 180
      return findings.add(.value, isTurned ? "\(shown): the latitude, from -90 to 90, comes first" : "\(shown) is no place on the earth")
    }
    if version == .v40 {
      if !isGeo { findings.add(.uri, "\(shown) is written geo:\(numbers[0]),\(numbers[1]) in 4.0") }
      if text.contains(" ") { findings.add(.uri, "\(shown) is no URI: it has a blank") }
      return
    }
    let raw = card.rawValue(line)
    if raw.contains("\\") { findings.add(.escapedSeparators, "the separator of GEO is escaped: \(ValueSyntax.excerpt(raw))") }
    let separator: Character = version == .v30 ? ";" : ","
    if isGeo || !text.contains(separator) {
      // Semicolons are what most writers of 2.1 have.
      let isHabit = version == .v21 && !isGeo
      findings.add(.value, "\(shown): \(version.text) divides the two numbers with a \(separator)", isHabit ? .info : .warning)
    }
  }

  package var readsAnyText: Bool { false }

  package func isEmpty(_ line: Int, _ card: borrowing CardView) -> Bool { Location(uri: card.text(line)) == nil }

  package func readsAsValue(_ index: Int, of record: borrowing Record) -> Bool { false }
  package func readable(_ index: Int, of record: borrowing Record) -> String {
    take(index, of: record).map { $0.latitudeText + "," + $0.longitudeText } ?? ""
  }

  package func take(_ index: Int, of record: borrowing Record) -> Location? {
    Location(record, at: index)
  }

  package func send(_ value: Location, to record: inout Record) { Self.send(value, as: .none, to: &record) }
}

/// A time zone: a name (`Europe/London`) or an offset (`-05:00`).
package struct TimeZoneKind: ValueKind {
  package init() {}

  package var parameters: ParameterSet { ParameterSet(.value) }
  package var accepts: ParameterSet { ParameterSet(.mediaType) }
  package func valueTypes(in version: CardVersion) -> [String] {
    version == .v40 ? ["text", "uri", "utc-offset"] : ["utc-offset", "text"]
  }

  /// An offset as `-05:00`; nil for anything else.
  private func offset(_ text: String) -> String? {
    guard let sign = text.first, sign == "+" || sign == "-" else { return text == "Z" ? "Z" : nil }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), digits.count == 2 || digits.count == 4 else { return nil }
    return String(sign) + digits.prefix(2) + ":" + (digits.count == 4 ? digits.suffix(2) : "00")
  }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    let text = card.text(line)
    record.text(record.valueMember, made: card.valueType(line) == "text" ? text : offset(text) ?? text)
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    guard let place = record.valuePlace(index) else { return line.beginValue() }
    let text = record.string(place)
    if let offset = offset(text) {
      if line.version == .v40 { line.parameter("VALUE", "utc-offset") }
      return line.raw(line.version == .v40 ? offset.filter { $0 != ":" } : offset)
    }
    if line.version == .v40, text.uriScheme != nil {
      line.parameter("VALUE", "uri")
      return line.raw(text)
    }
    if line.version == .v30 { line.parameter("VALUE", "text") }
    line.text(place, of: record)
  }

  package func writeLines(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    var context = context
    if context.origin != line.version, let own = context.field.ownName, context.alias == 0 || context.alias == own {
      // 2.1 has nothing but offsets.
      let isName = line.version == .v21 && record.valuePlace(index).map { offset(record.string($0)) == nil } ?? false
      if isName { line.note(.notCarried, "2.1 has no names of time zones; kept as \(context.field.names[own].text)") }
      context = context.named(isName ? own : 0)
    }
    context.begin(&line)
    write(index, of: record, context, to: &line)
    line.end()
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    if findings.isValidating { return validate(line, card, in: version, &findings) }
    let text = card.text(line)
    let type = card.valueType(line)
    let isOffset = type != "text" && offset(text) != nil
    switch version {
    case .v40:
      if isOffset && (type != "utc-offset" || text.contains(":")) { findings.add(.valueType, "an offset needs VALUE=utc-offset") }
      if !isOffset, let type, type != "text", type != "uri" { findings.add(.valueType, "no offset: \(text)") }
    case .v30:
      if !isOffset && type != "text" { findings.add(.valueType, "a zone that is no offset needs VALUE=text") }
      if isOffset, !text.contains(":"), text != "Z" { findings.add(.valueType, "3.0 writes an offset as -05:00") }
      if isOffset, type != nil, type != "utc-offset" { findings.add(.valueType, "VALUE=\(type ?? "")") }
    case .v21: if type != nil { findings.add(.valueType, "2.1 has offsets only") }
    }
    TextKind().check(line, card, in: version, &findings)
  }

  /// An offset in the version's form, or a name that says that it is one.
  private func validate(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    guard card[link: line].alias == 0 else { return TextKind().check(line, card, in: version, &findings) }
    let text = card.text(line)
    let shown = ValueSyntax.excerpt(text)
    let type = card.valueType(line)
    let isOffset = ValueSyntax.isOffset(text, in: .v21)
    switch (version, type) {
    case (.v40, "uri"): return URIKind.check(line, card, in: version, &findings)
    case (.v40, "utc-offset"), (.v30, nil), (.v30, "utc-offset"):
      if ValueSyntax.isOffset(text, in: version) { return }
      let form = version == .v40 ? "-0500" : "-05:00"
      if isOffset { return findings.add(.dateForm, "\(shown): \(version.text) writes offsets as in \(form)") }
      if version == .v30, type == nil {
        return findings.add(.valueType, "\(shown) is no offset such as \(form); other text needs VALUE=text")
      }
      findings.add(.value, "\(shown) is no offset such as \(form)")
    case (.v40, nil): if isOffset { findings.add(.valueType, "\(shown) counts as a zone's name without VALUE=utc-offset", .info) }
    case (.v21, nil):
      if !ValueSyntax.isOffset(text, in: version) { findings.add(.value, "\(shown): 2.1 writes zones as offsets, as in -05:00", .warning) }
    default: break
    }
    TextKind().check(line, card, in: version, &findings)
  }
}

extension ValueKind where Self == GeoKind {
  package static var location: Self { Self() }
}
extension ValueKind where Self == TimeZoneKind {
  package static var timeZone: Self { Self() }
}
