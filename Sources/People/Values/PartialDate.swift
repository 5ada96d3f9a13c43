// Dates of which parts may be missing, with or without a time; and points in time (RFC 6350 4.3, 6.2.5, 6.7.4; RFC 2426 3.1.5).

package import CardSyntax
internal import Bytes

/// A date of which parts may be missing: a birthday without its year, a month of a year; perhaps with a time.
public struct PartialDate: Sendable, Hashable {
  public var year: Int?, month: Int?, day: Int?
  /// The time and its zone in ISO 8601 extended form, such as `15:20:00-05:00`; empty where there is none.
  public var time = ""
  /// A text that is no date (`circa 1800`), as it was written. Then the parts are nil.
  public var text = ""

  /// A date from its parts.
  public init(year: Int? = nil, month: Int? = nil, day: Int? = nil, time: String = "") {
    (self.year, self.month, self.day, self.time) = (year, month, day, time)
  }

  /// Reads a date in any of the forms of vCard and ISO 8601; what is none becomes `text`.
  public init(_ text: String) {
    self.init()
    if !parse(Array(text.utf8)) {
      self = PartialDate()
      self.text = text
    }
  }

  /// Is it a date at all?
  public var isDate: Bool { year != nil || month != nil || day != nil || !time.isEmpty }
  /// Are year, month and day all known?
  public var isWhole: Bool { year != nil && month != nil && day != nil }

  /// A part of a date, by its word in paths.
  enum Part: String, Sendable { case year, month, day }

  /// The number of a part; nil where it is missing.
  subscript(part: Part) -> Int? {
    get {
      switch part {
      case .year: year
      case .month: month
      case .day: day
      }
    }
    set {
      switch part {
      case .year: year = newValue
      case .month: month = newValue
      case .day: day = newValue
      }
    }
  }

  private mutating func parse(_ bytes: [UInt8]) -> Bool {
    let trimmed = bytes.drop { ASCII.isBlank($0) }
    var date = trimmed[...]
    while let last = date.last, ASCII.isBlank(last) { date.removeLast() }
    var clock: ArraySlice<UInt8>?
    if let t = date.firstIndex(where: { $0 | 32 == UInt8(ascii: "t") || $0 == ASCII.space }) {
      clock = date[(t + 1)...]
      date = date[..<t]
    }
    func number(_ slice: ArraySlice<UInt8>) -> Int? {
      slice.isEmpty || !slice.allSatisfy(ASCII.isDigit) ? nil : slice.reduce(0) { $0 * 10 + Int($1 - 48) }
    }
    let digits = Array(date)
    let count = digits.count
    func at(_ from: Int, _ length: Int) -> Int? { from + length <= count ? number(digits[from..<from + length]) : nil }
    func dash(_ i: Int) -> Bool { i < count && digits[i] == ASCII.dash }
    if count == 0 {
      guard clock != nil else { return false }
    } else if count == 8, let y = at(0, 4), let m = at(4, 2), let d = at(6, 2) {
      (year, month, day) = (y, m, d)
    } else if count == 10, dash(4), dash(7), let y = at(0, 4), let m = at(5, 2), let d = at(8, 2) {
      (year, month, day) = (y, m, d)
    } else if count == 7, dash(4), let y = at(0, 4), let m = at(5, 2) {
      (year, month) = (y, m)
    } else if count == 4, let y = at(0, 4) {
      year = y
    } else if count == 6, dash(0), dash(1), let m = at(2, 2), let d = at(4, 2) {
      (month, day) = (m, d)
    } else if count == 7, dash(0), dash(1), dash(4), let m = at(2, 2), let d = at(5, 2) {
      (month, day) = (m, d)
    } else if count == 4, dash(0), dash(1), let m = at(2, 2) {
      month = m
    } else if count == 5, dash(0), dash(1), dash(2), let d = at(3, 2) {
      day = d
    } else {
      return false
    }
    guard (1...12).contains(month ?? 1), (1...31).contains(day ?? 1) else { return false }
    if let month, let day,
      day
        > [31, year.map { $0 % 4 == 0 && ($0 % 100 != 0 || $0 % 400 == 0) } ?? true ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][
          month - 1]
    {
      return false
    }
    guard let clock else { return true }
    guard let time = Self.time(Array(clock)) else { return false }
    self.time = time
    return true
  }

  /// A time in basic or extended form as extended; nil for anything else. Parts may be missing from the front (`--00`, `-2200`).
  private static func time(_ bytes: [UInt8]) -> String? {
    var i = 0
    var clock: [UInt8] = []
    while i < bytes.count, ASCII.isDigit(bytes[i]) || bytes[i] == ASCII.colon || (bytes[i] == ASCII.dash && i < 2) {
      clock.append(bytes[i])
      i += 1
    }
    var fraction: [UInt8] = []
    if i < bytes.count, bytes[i] == ASCII.dot || bytes[i] == ASCII.comma {
      i += 1
      while i < bytes.count, ASCII.isDigit(bytes[i]) {
        fraction.append(bytes[i])
        i += 1
      }
      if fraction.isEmpty { return nil }
    }
    let zoneText = bytes[i...]
    var zone = ""
    if let first = zoneText.first {
      if first | 32 == UInt8(ascii: "z"), zoneText.count == 1 {
        zone = "Z"
      } else if first == UInt8(ascii: "+") || first == ASCII.dash {
        let digits = zoneText.dropFirst().filter { $0 != ASCII.colon }
        guard digits.allSatisfy(ASCII.isDigit), digits.count == 2 || digits.count == 4 else { return nil }
        zone = String(UnicodeScalar(first)) + String(decoding: digits.prefix(2), as: UTF8.self)
        zone += ":" + (digits.count == 4 ? String(decoding: digits.suffix(2), as: UTF8.self) : "00")
      } else {
        return nil
      }
    }
    let lead = clock.prefix { $0 == ASCII.dash }
    let digits = clock.dropFirst(lead.count).filter { $0 != ASCII.colon }
    guard digits.allSatisfy(ASCII.isDigit), digits.count % 2 == 0, digits.count >= 2, digits.count + 2 * lead.count <= 6 else {
      return nil
    }
    var text = String(decoding: lead, as: UTF8.self)
    let limits = [24, 59, 60]
    for (k, start) in stride(from: digits.startIndex, to: digits.endIndex, by: 2).enumerated() {
      let value = Int(digits[start] - 48) * 10 + Int(digits[start + 1] - 48)
      guard value <= limits[min(k + lead.count, 2)] else { return nil }
      if k > 0 { text += ":" }
      text += Self.two(value)
    }
    if !fraction.isEmpty { text += "." + String(decoding: fraction, as: UTF8.self) }
    return text + zone
  }

  fileprivate static func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
  private static func four(_ n: Int) -> String { String(repeating: "0", count: max(0, 4 - "\(n)".count)) + "\(n)" }

  /// ISO 8601 extended: `1979-04-14`, `--04-14`, `1979-04`, `1979`, `---14`, with the time behind a `T`; or the text.
  public var iso: String {
    guard isDate else { return text }
    var result = ""
    switch (year, month, day) {
    case (let y?, let m?, let d?): result = "\(Self.four(y))-\(Self.two(m))-\(Self.two(d))"
    case (let y?, let m?, nil): result = "\(Self.four(y))-\(Self.two(m))"
    case (let y?, nil, _): result = Self.four(y)
    case (nil, let m?, let d?): result = "--\(Self.two(m))-\(Self.two(d))"
    case (nil, let m?, nil): result = "--\(Self.two(m))"
    case (nil, nil, let d?): result = "---\(Self.two(d))"
    case (nil, nil, nil): break
    }
    return time.isEmpty ? result : result + "T" + time
  }

  /// The basic form of RFC 6350: `19790414`, `--0414`, `1979-04`, `1979`, `---14`, with `T152000-0500` behind it; or the text.
  public var basic: String {
    guard isDate else { return text }
    var result = iso
    if let t = result.firstIndex(of: "T") { result = String(result[..<t]) }
    if year != nil && day != nil || year == nil && month != nil && day != nil {
      let lead = result.prefix { $0 == "-" }
      result = lead + result.dropFirst(lead.count).filter { $0 != "-" }
    }
    guard !time.isEmpty else { return result }
    var clock = ""
    var zone = ""
    if let mark = time.lastIndex(where: { $0 == "Z" || $0 == "+" || $0 == "-" }), mark != time.startIndex,
      time[time.startIndex] != "-" || time.distance(from: time.startIndex, to: mark) > 2
    {
      zone = String(time[mark...])
      clock = String(time[..<mark])
    } else {
      clock = time
    }
    clock = clock.filter { $0 != ":" }
    if let dot = clock.firstIndex(of: ".") { clock = String(clock[..<dot]) }
    zone = zone.filter { $0 != ":" }
    return result + "T" + clock + zone
  }
}

/// Dates (BDAY, ANNIVERSARY, X-ABDATE) and, with `isTimestamp`, points in time (REV).
package struct DateKind: ValueKind {
  let isTimestamp: Bool
  package init(timestamp: Bool = false) { isTimestamp = timestamp }

  package var parameters: ParameterSet { ParameterSet(.value, .xAppleOmitYear) }
  package var accepts: ParameterSet { isTimestamp ? [] : ParameterSet(.calscale) }
  package func valueTypes(in version: CardVersion) -> [String] {
    version != .v40 ? ["date", "date-time"] : isTimestamp ? ["timestamp"] : ["date-and-or-time", "text"]
  }
  package var choosesName: Bool { true }

  private func date(_ line: Int, _ card: borrowing CardView) -> PartialDate {
    var date = PartialDate(card.text(line))
    // Apple's placeholder for no year: 1604, named by the parameter or, on a birthday, by itself.
    if let placeholder = card.value(.xAppleOmitYear, of: line).flatMap({ Int($0) }) {
      if date.year == placeholder { date.year = nil }
    } else if !isTimestamp, date.year == 1604, card.version != .v40, date.isWhole {
      date.year = nil
    }
    return date
  }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    record.text(record.valueMember, made: card.valueType(line) == "text" && !isTimestamp ? card.text(line) : date(line, card).iso)
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    guard let place = record.valuePlace(index) else { return line.beginValue() }
    let text = record.string(place)
    let date = PartialDate(text)
    guard date.isDate else {
      if !isTimestamp && line.version == .v40 { line.parameter("VALUE", "text") }
      return line.text(place, of: record)
    }
    if line.version == .v40 { return line.raw(date.basic) }
    if let profile = line.profile, profile.hasCompactDates, date.isWhole { return line.raw(date.basic) }
    if let profile = line.profile, profile.missingYear == .dashes, date.year == nil { return line.raw(date.iso) }
    if isTimestamp { return line.raw(text) }
    if date.year == nil, let month = date.month, let day = date.day, date.time.isEmpty {
      line.parameter(KnownParameter.xAppleOmitYear.name, "1604")
      return line.raw("1604-\(PartialDate.two(month))-\(PartialDate.two(day))")
    }
    if !date.time.isEmpty, date.isWhole { line.parameter("VALUE", "date-time") }
    line.raw(date.iso)
  }

  package func writeLines(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    if let profile = line.profile, profile.isStrict, line.version != .v40 {
      let date = record.valuePlace(index).map { PartialDate(record.string($0)) }
      guard date?.isWhole == true else { return line.strictlyLeftOut.append(context.name) }
    }
    let adopted = context.field.names.firstIndex { $0.role == .adopted }
    if let adopted, line.version != .v40 || context.alias == adopted {
      // Apple reads an anniversary as a labelled date, others as the X- property: an older card gets both, unless one was there.
      if !context.isNamed || context.alias != adopted {
        context.begin(&line)
        write(index, of: record, context, to: &line)
        line.end()
      }
      if !context.isNamed || context.alias == adopted {
        let group = line.groups.fresh()
        line.begin(group: group, name: context.field.names[adopted].text)
        if context.alias == adopted {
          context.annotations.write(context.spelling, field: context.field, origin: context.origin, to: &line, includeLabels: false)
        }
        write(index, of: record, context, to: &line)
        line.end()
        line.label(group, "_$!<" + (context.field.adoptedLabel ?? "").capitalizedFirst + ">!$_")
      }
      return
    }
    context.begin(&line)
    write(index, of: record, context, to: &line)
    line.end()
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    if findings.isValidating { return validate(line, card, in: version, &findings) }
    let type = card.valueType(line)
    let text = card.text(line)
    if type == "text" && version == .v40 { return TextKind().check(line, card, in: version, &findings) }
    let found = PartialDate(text)
    if version == .v40 {
      if let type, type != "date-and-or-time", type != "timestamp" || !isTimestamp {
        findings.add(.valueType, "VALUE=\(type) is none of 4.0")
      }
      if card.parameter(.xAppleOmitYear, of: line) != nil { findings.add(.parameter, "a year that stands for no year") }
      if !found.isDate {
        findings.add(.value, "no date: \(text)")
      } else if found.basic != text {
        findings.add(.dateForm, "a date in another form than 4.0's: \(text)")
      }
      if isTimestamp && !(found.isWhole && !found.time.isEmpty) { findings.add(.value, "no point in time: \(text)") }
      return
    }
    guard found.isDate else {
      findings.add(.value, "no date: \(text)")
      return
    }
    if let type, !["date", "date-time", "timestamp"].contains(type) || type == "timestamp" {
      findings.add(.valueType, "VALUE=\(type) is none of \(version.text)")
    }
    if card.version == .v40, version != .v40, !found.time.isEmpty { findings.add(.dateForm, "a time of 4.0") }
    if !found.isWhole { findings.add(.dateForm, "\(version.text) has no form for a date without its year") }
    if found.year == 1604, !isTimestamp, card.parameter(.xAppleOmitYear, of: line) == nil, version != card.version {
      findings.add(.dateForm, "1604 stands for no year")
    }
  }

  /// Is the date in a form of the version? A form of another is understood; what is no date at all is an error.
  private func validate(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let type = card.valueType(line)
    var text = card.text(line)
    let shown = ValueSyntax.excerpt(text)
    if isTimestamp, text.hasSuffix(")"), let open = text.lastIndex(of: "("), ValueSyntax.isNumber(text[open...].dropFirst().dropLast()) {
      // Evolution counts its changes behind the time.
      findings.add(.dateForm, "\(shown) has a counter behind the time", .info)
      text = String(text[..<open])
    }
    if type == "text" {
      if !isTimestamp { TextKind().check(line, card, in: version, &findings) }
      return
    }
    // A calendar of its own has dates of its own.
    if let calendar = card.value(.calscale, of: line), calendar.lowercased() != "gregorian" { return }
    if isTimestamp, version == .v40 {
      if DateSyntax.isTimestamp40(text) { return }
      let found = PartialDate(text)
      guard found.isWhole else { return findings.add(.value, "\(shown) is no point in time such as 20240131T101500Z") }
      let known = found.basic
      if DateSyntax.isTimestamp40(known) { return findings.add(.dateForm, "\(shown) is written \(known) in 4.0") }
      return findings.add(.dateForm, "\(shown) is \(found.time.isEmpty ? "a day" : "a time without seconds"), not a point in time")
    }
    if let form = DateSyntax.form(of: text, in: version) {
      if version == .v30, let type, type == "date" && form.hasTime || type == "date-time" && !form.hasTime {
        findings.add(.valueType, "VALUE=\(type), but \(shown) is a date \(form.hasTime ? "with" : "without") a time")
      }
      return
    }
    // A year that stands for no year has no place in 4.0.
    let found = version == .v40 && card.parameter(.xAppleOmitYear, of: line) != nil ? date(line, card) : PartialDate(text)
    guard found.isDate else {
      let hint = version == .v40 && !isTimestamp ? "; other text needs VALUE=text" : ""
      return findings.add(.value, "\(shown) is no date\(hint)")
    }
    if version == .v40 {
      let known = found.basic
      let isKnown = DateSyntax.form(of: known, in: version) != nil
      findings.add(.dateForm, isKnown ? "\(shown) is written \(known) in 4.0" : "\(shown) is in no form of 4.0")
    } else if !found.isWhole {
      findings.add(
        .dateForm, "\(shown): \(version.text) has only whole dates",
        text.hasPrefix("--") && found.day != nil && found.month != nil ? .info : .warning)
    } else {
      findings.add(.dateForm, "\(shown) is in no form of \(version.text)")
    }
  }

  package func take(_ index: Int, of record: borrowing Record) -> PartialDate? {
    record.valuePlace(index).map { PartialDate(record.string($0)) }
  }
  package func send(_ value: PartialDate, to record: inout Record) { record.text(record.valueMember, made: value.iso) }
}

extension StringProtocol {
  /// The text with its first letter in upper case.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension ValueKind where Self == DateKind {
  package static var date: Self { Self() }
  package static var timestamp: Self { Self(timestamp: true) }
}
