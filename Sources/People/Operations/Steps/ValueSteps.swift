// The steps of normalizing for telephone numbers, dates and media.

internal import Bytes
internal import CardSyntax

extension NormalizationStep {
  // MARK: Telephone numbers

  /// Writes telephone numbers in E.164 where they are sure.
  static func unifyPhones(_ draft: inout CardDraft) {
    guard let numbering = draft.options.numbering ?? PhoneNumbering(region: nil) else { return }
    for unit in draft.units(of: DraftTraits.phones) {
      if draft.withBytes(unit, otherwise: false, PhoneNumbering.isInNormalForm) { continue }
      guard let old = draft.text(unit), let reading = numbering.read(old), reading.text != old else { continue }
      draft.change(unit, text: reading.text, "\(old) is written as \(reading.text)")
    }
  }

  // MARK: Dates

  /// Writes dates in the version's usual form.
  static func unifyDates(_ draft: inout CardDraft) {
    for unit in draft.units.indices where draft.units[unit].field != Person.unclaimedField {
      let traits = draft.traits(unit)
      guard traits.isDate || traits.isTimestamp, !draft.isUsualDate(unit), var value = draft.value(unit),
        let old = value.tree.plainText
      else { continue }
      if !traits.isTimestamp, DateText.meansNothing(old) {
        draft.remove(unit, "\(old) stands for no date; it was left out")
        continue
      }
      let date = traits.isTimestamp ? PartialDate(old) : DateText.date(old)
      guard date.isDate, date.iso != old || draft.isInOtherForm(unit, date) else { continue }
      value.tree.plainText = date.iso
      draft.change(unit, value, "\(old) is written as a date of \(draft.version.text)")
    }
  }

  // MARK: Media

  /// Gives pictures, logos, sounds and keys the media type of their bytes.
  static func retypeMedia(_ draft: inout CardDraft) {
    for unit in draft.units.indices where draft.units[unit].field != Person.unclaimedField {
      let field = draft.field(unit)
      guard draft.traits(unit).isMedia, draft.units[unit].isAsWritten, let line = draft.units[unit].line else { continue }
      var found = Findings(quick: false)
      field.kind.check(line, draft.engine.card, in: draft.version, &found)
      guard found.list.contains(where: { $0.rule == .mediaType }), let value = draft.value(unit) else { continue }
      draft.change(unit, value, "the media type is that of the bytes now")
    }
  }
}

extension CardDraft {
  /// Is a date plainly in the form of its version, so that it need not be read?
  fileprivate func isUsualDate(_ unit: Int) -> Bool {
    let (version, isTimestamp) = (version, traits(unit).isTimestamp)
    return withBytes(unit, otherwise: false) { bytes, start, end in
      guard (8...20).contains(end - start), bytes[start] == UInt8(ascii: "1") || bytes[start] == UInt8(ascii: "2") else { return false }
      var digits = 0
      for i in start..<end {
        if ASCII.isDigit(bytes[i]) { digits += 1 }
        if bytes[i] >= 0x80 || bytes[i] < 32 || bytes[i] == ASCII.backslash { return false }
      }
      let isUTC = isTimestamp && bytes[end - 1] == UInt8(ascii: "Z")
      return switch (version, end - start) {
      case (.v40, 8): digits == 8
      case (.v40, 16): digits == 14 && isUTC
      case (.v30, 10): digits == 8 && bytes[start + 4] == ASCII.dash
      case (.v30, 20): digits == 14 && isUTC
      default: false
      }
    }
  }

  /// Is a whole date written in another form than the one that is usual in the version?
  fileprivate func isInOtherForm(_ unit: Int, _ date: PartialDate) -> Bool {
    guard units[unit].isAsWritten, let line = units[unit].line, version != .v40, date.isWhole else { return false }
    let text = engine.card.text(line)
    return text != date.iso && !date.iso.isEmpty && engine.card.value(.xAppleOmitYear, of: line) == nil
  }
}

/// Dates as people and programs type them, where only one reading is possible.
enum DateText {
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
  ]

  /// The date; not a date (`isDate` is false) where the text is none or may be read in two ways.
  static func date(_ text: String) -> PartialDate {
    var date = PartialDate(text)
    if date.isDate {
      // A birthday at midnight is a day.
      if date.isWhole, ["00:00:00", "00:00:00Z", "00:00", "00:00Z"].contains(date.time) { date.time = "" }
      return date
    }
    return numeric(text) ?? worded(text) ?? date
  }

  /// Is it one of the dates that programs write for none?
  static func meansNothing(_ text: String) -> Bool {
    let day = text.prefix { $0 != "T" && $0 != " " }
    return ["0000-00-00", "00000000", "0/0/00", "0/0/0000", "00/00/0000", "0001-01-01", "00010101"].contains(String(day))
  }

  /// `1979/04/14`, `1979.4.14`, `14.4.1979`; `14/04/1979` only where one of both cannot be a month.
  private static func numeric(_ text: String) -> PartialDate? {
    guard let separator = text.first(where: { !$0.isNumber }), separator == "/" || separator == "." || separator == "-" else { return nil }
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.count <= 4 && $0.utf8.allSatisfy(ASCII.isDigit) }) else { return nil }
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    if parts[0].count == 4 { return whole(numbers[0], numbers[1], numbers[2]) }
    guard parts[2].count == 4 else { return nil }
    let (first, second, year) = (numbers[0], numbers[1], numbers[2])
    // With dots it is always the day that comes first.
    if separator == "." || first > 12 || first == second { return whole(year, second, first) }
    return second > 12 ? whole(year, first, second) : nil
  }

  /// `14 April 1979`, `April 14, 1979`, `14. Apr 1979`.
  private static func worded(_ text: String) -> PartialDate? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "." }
    guard words.count == 3, let year = Int(words[2]), words[2].count == 4 else { return nil }
    for (name, day) in [(words[0], words[1]), (words[1], words[0])] {
      guard let day = Int(day), name.count >= 3 else { continue }
      let matches = months.indices.filter { months[$0].hasPrefix(name.lowercased()) }
      if matches.count == 1 { return whole(year, matches[0] + 1, day) }
    }
    return nil
  }

  private static func whole(_ year: Int, _ month: Int, _ day: Int) -> PartialDate? {
    let date = PartialDate(PartialDate(year: year, month: month, day: day).iso)
    return date.isWhole ? date : nil
  }
}
