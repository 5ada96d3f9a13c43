// Dates of which parts may be missing, with or without a time; and points in time (RFC 6350 4.3, 6.2.5, 6.7.4; RFC 2426 3.1.5).

package import CardSyntax
package import Bytes

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
    let utf8 = text.utf8
    let bytes = utf8.span
    self.init(bytes, 0, bytes.count)
  }

  /// Reads the date in `bytes[start ..< end]`.
  init(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    guard let date = DateNumbers(bytes, start, end) else {
      self.init()
      text = bytes.text(start, end)
      return
    }
    func known(_ number: Int) -> Int? { number < 0 ? nil : number }
    self.init(year: known(date.year), month: known(date.month), day: known(date.day))
    guard let clock = date.clock else { return }
    var output = ByteBuffer(capacity: 32)
    clock.append(isBasic: false, from: bytes, to: &output)
    time = output.text()
  }

  /// Is it a date at all?
  public var isDate: Bool { year != nil || month != nil || day != nil || !time.isEmpty }
  /// Are year, month and day all known?
  public var isWhole: Bool { year != nil && month != nil && day != nil }

  /// A part of a date, by its word in paths.
  enum Part: String, Sendable, CaseIterable { case year, month, day }

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

  /// ISO 8601 extended: `1979-04-14`, `--04-14`, `1979-04`, `1979`, `---14`, with the time behind a `T`; or the text.
  public var iso: String { written(isBasic: false) }

  /// The basic form of RFC 6350: `19790414`, `--0414`, `1979-04`, `1979`, `---14`, with `T152000-0500` behind it; or the text.
  public var basic: String { written(isBasic: true) }

  private func written(isBasic: Bool) -> String {
    guard isDate else { return text }
    var output = ByteBuffer(capacity: 48)
    DateNumbers.append(year ?? -1, month ?? -1, day ?? -1, isBasic: isBasic, to: &output)
    guard !time.isEmpty else { return output.text() }
    output.append(UInt8(ascii: "T"))
    let utf8 = time.utf8
    let bytes = utf8.span
    if isBasic, let clock = DateNumbers.Clock(bytes, 0, bytes.count) {
      clock.append(isBasic: true, from: bytes, to: &output)
    } else {
      output.append(bytes)
    }
    return output.text()
  }
}

/// Dates (BDAY, ANNIVERSARY, X-ABDATE) and, with `isTimestamp`, points in time (REV).
package struct DateKind: ValueKind {
  let isTimestamp: Bool
  package init(timestamp: Bool = false) { isTimestamp = timestamp }

  package var parameters: ParameterSet { ParameterSet(.value, .xAppleOmitYear, .xOmitTime, .xRevision) }
  package var accepts: ParameterSet { isTimestamp ? [] : ParameterSet(.calscale) }
  package func valueTypes(in version: CardVersion) -> [String] {
    version != .v40 ? ["date", "date-time"] : isTimestamp ? ["timestamp"] : ["date-and-or-time", "text"]
  }
  package var choosesName: Bool { true }

  /// Adds the date of a line in ISO 8601; false where it is none.
  private func append(_ line: Int, _ card: borrowing CardView, to output: inout ByteBuffer) -> Bool {
    if card.lines[line].parameterCount == 0 {
      // On a birthday before 4.0, 1604 says that there is no year.
      let placeholder = isTimestamp || card.version == .v40 ? -1 : 1604
      let (start, end) = card.valueRange(line)
      if DateNumbers.appendWhole(card.bytes.span, start, end, except: placeholder, to: &output) { return true }
    }
    return card.withText(line) { bytes, start, end in
      guard var date = DateNumbers(bytes, start, end) else { return false }
      // Apple's placeholder for no year: 1604, named by the parameter or, on a birthday, by itself.
      if let entry = card.parameter(.xAppleOmitYear, of: line), let placeholder = card.firstNumber(entry) {
        if date.year == placeholder { date.year = -1 }
      } else if !isTimestamp, date.year == 1604, card.version != .v40, date.isWhole {
        date.year = -1
      }
      if let part = card.value(.xOmitTime, of: line).flatMap({ DateNumbers.TimePart(rawValue: $0.lowercased()) }) {
        date.omitTime(from: part)
      }
      date.append(isBasic: false, from: bytes, to: &output)
      return true
    }
  }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    var output = ByteBuffer(capacity: 48)
    if card.valueType(line) == "text" && !isTimestamp || !append(line, card, to: &output) {
      return record.text(record.valueMember, made: card.text(line))
    }
    if isTimestamp, let count = card.value(.xRevision, of: line) { output.append(text: "(\(count))") }
    record.text(record.valueMember, made: output)
  }

  /// The time and the number of a REV behind whose time Evolution counts its changes (`2017-05-10T14:36:01Z(2)`); nil for others.
  private static func counted(_ text: String) -> (time: Substring, count: Substring)? {
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "(") else { return nil }
    let count = text[open...].dropFirst().dropLast()
    return ValueSyntax.isNumber(count) ? (text[..<open], count) : nil
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    guard let place = record.valuePlace(index) else { return line.beginValue() }
    record.withText(place) { bytes, start, end in
      guard var date = DateNumbers(bytes, start, end) else {
        if isTimestamp, line.version == .v40, let (time, count) = Self.counted(record.string(place)),
          DateSyntax.isTimestamp40(PartialDate(String(time)).basic)
        {
          line.parameter(KnownParameter.xRevision.name, String(count))
          return line.raw(PartialDate(String(time)).basic)
        }
        if !isTimestamp && line.version == .v40 { line.parameter("VALUE", "text") }
        return line.text(place, of: record)
      }
      let isCompact = line.version == .v40 || line.profile?.hasCompactDates == true && date.isWhole
      let keepsDashes = line.profile?.missingYear == .dashes && date.year < 0
      // 3.0 has no time without seconds (RFC 2425 5.8.4), and a point in time of 4.0 none at all without a time (RFC 6350 4.3.5).
      var isFilled = false
      if line.version == .v40 ? isTimestamp : context.origin != line.version,
        let part = date.fillTime(wantsTime: line.version == .v40)
      {
        line.parameter(KnownParameter.xOmitTime.name, part.rawValue)
        line.note(.notCarried, "\(line.version.text) wants a whole time here; zeros were filled in")
        isFilled = true
      }
      if date.hasFraction, isCompact { line.note(.notCarried, "fractions of seconds were left out", leftOut: true) }
      if !isTimestamp, !isCompact, !keepsDashes {
        if date.year < 0, date.month >= 0, date.day >= 0, date.clock == nil {
          line.parameter(KnownParameter.xAppleOmitYear.name, "1604")
          date.year = 1604
        } else if date.clock != nil, date.isWhole {
          line.parameter("VALUE", "date-time")
        }
      }
      if isTimestamp, !isCompact, !isFilled { return line.raw(bytes, start, end) }
      var output = ByteBuffer(capacity: 48)
      date.append(isBasic: isCompact, from: bytes, to: &output)
      output.withBytes { line.raw($0, 0, $0.count) }
    }
  }

  /// A whole date; one with a time, or without, where the version has one head for both.
  package func writePlain(_ index: Int, of record: borrowing Record, in version: CardVersion, to line: inout ByteBuffer) -> Bool {
    guard let place = record.valuePlace(index), record.tokens[place].operation == .text || record.tokens[place].operation == .number else {
      return false
    }
    line.append(ASCII.colon)
    var isPlain = false
    record.withText(place) { bytes, start, end in
      guard let form = DateSyntax.plainForm(bytes, start, end) else { return }
      isPlain = version == .v40 ? form.hasTime || !isTimestamp : isTimestamp || !form.hasTime && form.isExtended
      if isPlain { DateSyntax.appendPlain(bytes, start, end, isBasic: version == .v40 || !form.isExtended, to: &line) }
    }
    return isPlain
  }

  package func writeLines(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    if let profile = line.profile, profile.isStrict, line.version != .v40 {
      let date = record.valuePlace(index).map { PartialDate(record.string($0)) }
      guard date?.isWhole == true else { return line.strictlyLeftOut.append(context.name) }
    }
    if !context.isNamed, let own = ownName(index, of: record, context, in: line.version) {
      line.note(.notCarried, "\(line.version.text) has no form for such a date; kept as \(context.field.names[own].text)")
      return writeLine(index, of: record, context.named(own), to: &line)
    }
    let adopted = context.field.names.firstIndex { $0.role == .adopted }
    if let adopted, line.version != .v40 || context.alias == adopted {
      // Apple reads an anniversary as a labelled date, others as the X- property: an older card gets both, unless one was there.
      if !context.isNamed || context.alias != adopted {
        context.begin(&line)
        write(index, of: record, context, to: &line)
        line.end()
      }
      // No reader of labelled dates knows what to do with less than a month and a day.
      let isReadable = context.alias == adopted || fits(index, of: record)
      if !context.isNamed && isReadable || context.isNamed && context.alias == adopted {
        let group = context.preferredGroup ?? line.groups.fresh()
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
    writeLine(index, of: record, context, to: &line)
  }

  private func writeLine(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    context.begin(&line)
    write(index, of: record, context, to: &line)
    line.end()
  }

  /// Can older versions write the date: all of a day, or a day without its year?
  private func fits(_ index: Int, of record: borrowing Record) -> Bool {
    guard let place = record.valuePlace(index) else { return true }
    var fits = false
    record.withText(place) { bytes, start, end in
      guard let date = DateNumbers(bytes, start, end) else { return }
      fits = date.isWhole && date.hasWholeStart || date.clock == nil && date.month >= 0 && date.day >= 0
    }
    return fits
  }

  /// The name of one's own that an older version keeps a date under that it has no form for: a text, a month, a time of any day. A card
  /// of an older version keeps what it has.
  private func ownName(_ index: Int, of record: borrowing Record, _ context: LineContext, in version: CardVersion) -> Int? {
    guard version != .v40, context.origin == .v40, !isTimestamp, let own = context.field.ownName, own != context.alias,
      !fits(index, of: record)
    else { return nil }
    return own
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    if findings.isValidating { return validate(line, card, in: version, &findings) }
    let type = card.valueType(line)
    if version != card.version, card.parameter(.xOmitTime, of: line) != nil { findings.add(.dateForm, "zeros that stand for no time") }
    if type == "text" && version == .v40 { return TextKind().check(line, card, in: version, &findings) }
    let (found, isBasic) = card.withText(line) { bytes, start, end in
      let date = DateNumbers(bytes, start, end)
      return (date, version == .v40 && date.map { Self.isBasic($0, bytes, start, end) } ?? false)
    }
    if version == .v40 {
      if let type, type != "date-and-or-time", type != "timestamp" || !isTimestamp {
        findings.add(.valueType, "VALUE=\(type) is none of 4.0")
      }
      if card.parameter(.xAppleOmitYear, of: line) != nil { findings.add(.parameter, "a year that stands for no year") }
      if found == nil {
        findings.add(.value, "no date: \(card.text(line))")
      } else if !isBasic {
        findings.add(.dateForm, "a date in another form than 4.0's: \(card.text(line))")
      }
      if isTimestamp && !(found.map { $0.isWhole && $0.clock != nil && $0.hasWholeTime } ?? false) {
        findings.add(.value, "no point in time: \(card.text(line))")
      }
      return
    }
    guard let found else {
      findings.add(.value, "no date: \(card.text(line))")
      return
    }
    if let type, !["date", "date-time", "timestamp"].contains(type) || type == "timestamp" {
      findings.add(.valueType, "VALUE=\(type) is none of \(version.text)")
    }
    if card.version == .v40, version != .v40, found.clock != nil { findings.add(.dateForm, "a time of 4.0") }
    if card.version != version, !found.hasWholeTime { findings.add(.dateForm, "a time without seconds") }
    if !found.isWhole { findings.add(.dateForm, "\(version.text) has no form for a date without its year") }
    if found.year == 1604, !isTimestamp, card.parameter(.xAppleOmitYear, of: line) == nil, version != card.version {
      findings.add(.dateForm, "1604 stands for no year")
    }
  }

  package func plainValues(_ line: Int, _ card: borrowing CardView, in version: CardVersion, isValidating: Bool) -> PlainValues {
    guard card.parameterRange(line).isEmpty else { return .none }
    func date(basic: PlainValues.Answer, extended: PlainValues.Answer, hasTime: Bool?) -> PlainValues {
      .date(basic: basic, extended: extended, hasTime: hasTime, isWrittenBasic: version == .v40)
    }
    // A point in time of 4.0 must have a time; where a time comes into older versions, or lacks, the head or another line tells.
    switch (card.version == .v40, version == .v40) {
    case (_, true): return date(basic: .right, extended: .foreign, hasTime: isTimestamp ? true : nil)
    case (true, false): return isTimestamp ? date(basic: .foreign, extended: .foreign, hasTime: true) : .none
    case (false, false): return date(basic: .right, extended: .right, hasTime: isTimestamp || card.version == version ? nil : false)
    }
  }

  /// Is the date in a form of the version? A form of another is understood; what is no date at all is an error.
  private func validate(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let type = card.valueType(line)
    var text = card.text(line)
    let shown = ValueSyntax.excerpt(text)
    // What a property of one's own holds is nobody's rule.
    let isOwn = version != .v40 && ValueSyntax.isExtension(card.name(line))
    if isTimestamp, let counted = Self.counted(text) {
      findings.add(.dateForm, "\(shown) has a counter behind the time", .info)
      text = String(counted.time)
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
    let found = version == .v40 && card.parameter(.xAppleOmitYear, of: line) != nil ? dateOfPlaceholder(line, card) : PartialDate(text)
    guard found.isDate else {
      let hint = version == .v40 && !isTimestamp ? "; other text needs VALUE=text" : ""
      return findings.add(.value, "\(shown) is no date\(hint)", isOwn ? .info : nil)
    }
    if version == .v40 {
      let known = found.basic
      let isKnown = DateSyntax.form(of: known, in: version) != nil
      findings.add(.dateForm, isKnown ? "\(shown) is written \(known) in 4.0" : "\(shown) is in no form of 4.0")
    } else if !found.isWhole {
      findings.add(
        .dateForm, "\(shown): \(version.text) has only whole dates",
        isOwn || text.hasPrefix("--") && found.day != nil && found.month != nil ? .info : .warning)
    } else {
      findings.add(.dateForm, "\(shown) is in no form of \(version.text)", isOwn ? .info : nil)
    }
  }

  /// The date of a line without a year that stands for none.
  private func dateOfPlaceholder(_ line: Int, _ card: borrowing CardView) -> PartialDate {
    var output = ByteBuffer(capacity: 48)
    return PartialDate(append(line, card, to: &output) ? output.text() : card.text(line))
  }

  /// Is the date written in the basic form of 4.0?
  private static func isBasic(_ date: DateNumbers, _ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var output = ByteBuffer(capacity: 48)
    date.append(isBasic: true, from: bytes, to: &output)
    guard output.count == end - start else { return false }
    for i in 0..<output.count where output[i] != bytes[start + i] { return false }
    return true
  }

  package func take(_ index: Int, of record: borrowing Record) -> PartialDate? {
    guard let place = record.valuePlace(index) else { return nil }
    var date = PartialDate()
    record.withText(place) { date = PartialDate($0, $1, $2) }
    return date
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
