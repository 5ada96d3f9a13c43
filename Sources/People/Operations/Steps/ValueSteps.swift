// The steps of normalizing for telephone numbers, dates and media.

internal import Bytes
internal import CardSyntax

extension NormalizationStep {
  // MARK: Telephone numbers

  /// Writes telephone numbers in E.164 where they are sure.
  static func unifyPhones(_ draft: inout CardDraft) {
    guard draft.traits.contains(.phone), let numbering = draft.options.numbering ?? PhoneNumbering(region: nil) else { return }
    let bytes = draft.engine.card.bytes
    for unit in draft.units.indices where draft.units[unit].traits.contains(.phone) {
      if let (start, end) = draft.written(unit), PhoneNumbering.isInNormalForm(bytes.span, start, end) { continue }
      if let (start, end) = draft.plainNumber(unit) {
        unify(unit, bytes.span, start, end, numbering, &draft)
      } else if var value = draft.value(unit), let old = value.tree.plainText, let new = numbering.read(old)?.text, new != old {
        value.tree.plainText = new
        draft.change(unit, value, "\(old) is written as \(new)")
      }
    }
  }

  /// Writes a number that is all of its value in E.164.
  private static func unify(
    _ unit: Int, _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ numbering: PhoneNumbering, _ draft: inout CardDraft
  ) {
    let place = draft.texts.count
    guard draft.phone.read(bytes, start, end), numbering.append(draft.phone, to: &draft.texts) else { return }
    let isSame = draft.texts.withBytes {
      $0.count - place == end - start && Words.areEqual($0, place, bytes, start, count: end - start)
    }
    if isSame { return }
    let message = draft.wantsText ? "\(bytes.text(start, end)) is written as \(draft.texts.withBytes { $0.text(place, $0.count) })" : ""
    draft.change(unit, textFrom: place, message)
  }

  // MARK: Dates

  /// Writes dates in the version's usual form.
  static func unifyDates(_ draft: inout CardDraft) {
    let bytes = draft.engine.card.bytes
    let version = draft.version
    for unit in draft.units.indices where !draft.units[unit].traits.isDisjoint(with: [.date, .timestamp]) {
      let isTimestamp = draft.units[unit].traits.contains(.timestamp)
      if let (start, end) = draft.written(unit), DateText.isUsual(bytes.span, start, end, version, isTimestamp: isTimestamp) { continue }
      guard var value = draft.value(unit), let old = value.tree.plainText else { continue }
      if !isTimestamp, DateText.meansNothing(old) {
        draft.remove(unit, "\(old) stands for no date; it was left out")
        continue
      }
      let date = isTimestamp ? PartialDate(old) : DateText.date(old)
      guard date.isDate, date.iso != old || draft.isInOtherForm(unit, date) else { continue }
      value.tree.plainText = date.iso
      draft.change(unit, value, "\(old) is written as a date of \(version.text)")
    }
  }

  // MARK: Media

  /// Gives pictures, logos, sounds and keys the media type of their bytes.
  static func retypeMedia(_ draft: inout CardDraft) {
    guard draft.traits.contains(.media) else { return }
    for unit in draft.units.indices where draft.units[unit].traits.contains(.media) && draft.units[unit].isAsWritten {
      guard let line = draft.units[unit].line else { continue }
      var found = Findings(quick: false)
      draft.field(unit).kind.check(line, draft.engine.card, in: draft.version, &found)
      guard found.list.contains(where: { $0.rule == .mediaType }), let value = draft.value(unit) else { continue }
      draft.change(unit, value, "the media type is that of the bytes now")
    }
  }
}

extension CardDraft {
  /// Where in the card's bytes a number stands that is all of its value, as it is, without its scheme; nil for others.
  @inline(__always)
  fileprivate func plainNumber(_ unit: Int) -> (start: Int, end: Int)? {
    guard let (start, end) = written(unit), let line = units[unit].line, !engine.card.lines[line].flags.contains(.base64) else {
      return nil
    }
    let bytes = engine.card.bytes
    guard ByteSearch.firstIndex(of: ASCII.semicolon, or: ASCII.backslash, in: bytes.span, from: start, to: end) == end else { return nil }
    return (PhoneText.hasScheme(bytes.span, start, end) ? start + 4 : start, end)
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

  /// Is a date plainly in the form of a version, so that it need not be read?
  static func isUsual(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ version: CardVersion, isTimestamp: Bool) -> Bool {
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
