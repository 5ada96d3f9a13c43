// How dates, times and points in time are written, version by version (RFC 6350 4.3 with errata 3484, RFC 2425 5.8.4, vCard 2.1 2.4).

internal import Bytes
package import CardSyntax

/// The exact forms of dates. `PartialDate` reads more than these.
package enum DateSyntax {
  /// What a right date holds.
  package struct Form: Equatable {
    package var hasDate = false, hasTime = false
    /// With dashes and colons, as before 4.0.
    package var isExtended = false
  }

  /// The form of `text` in `version`; nil where it is in none.
  package static func form(of text: String, in version: CardVersion) -> Form? {
    let bytes = Array(text.utf8)
    let mark = bytes.firstIndex { $0 | 32 == UInt8(ascii: "t") }
    let date = bytes[..<(mark ?? bytes.count)]
    let time = mark.map { bytes[($0 + 1)...] }
    let isRight =
      version == .v40
      ? time.map { isTime40($0, truncated: date.isEmpty) && (date.isEmpty || isDate40(date, reduced: false)) }
        ?? isDate40(date, reduced: true)
      : isDate30(date) && (time.map(isTime30) ?? true)
    return isRight ? Form(hasDate: !date.isEmpty, hasTime: time != nil) : nil
  }

  /// The form of a whole date, such as `19850412` or `19961022T140000Z`, or with dashes and colons; nil for what needs a closer look.
  static func plainForm(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Form? {
    let count = end - start
    let isExtended = count == 10 || count == 20
    guard isExtended || count == 8 || count == 16 else { return nil }
    func pair(_ at: Int) -> Int {
      let (a, b) = (bytes[start &+ at] &- 48, bytes[start &+ at &+ 1] &- 48)
      return a < 10 && b < 10 ? Int(a &* 10 &+ b) : 100
    }
    func has(_ separator: UInt8, _ first: Int, _ second: Int) -> Bool {
      !isExtended || bytes[start &+ first] == separator && bytes[start &+ second] == separator
    }
    let (month, day) = isExtended ? (pair(5), pair(8)) : (pair(4), pair(6))
    // A year that may stand for none is looked at closely, and so are the ends of months.
    let (century, year) = (pair(0), pair(2))
    guard has(ASCII.dash, 4, 7), century < 100, year < 100, century != 16 || year != 4, month > 0, month <= 12, day > 0, day <= 28 else {
      return nil
    }
    var form = Form(hasDate: true, hasTime: false, isExtended: isExtended)
    guard count >= 16 else { return form }
    let (hour, minute, second) = isExtended ? (pair(11), pair(14), pair(17)) : (pair(9), pair(11), pair(13))
    guard bytes[start &+ (isExtended ? 10 : 8)] == UInt8(ascii: "T"), bytes[end &- 1] == UInt8(ascii: "Z"), has(ASCII.colon, 13, 16),
      hour < 24, minute < 60, second < 60
    else { return nil }
    form.hasTime = true
    return form
  }

  /// Adds a date of a form that `plainForm` knows in the basic form or the extended one.
  static func appendPlain(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, isBasic: Bool, to output: inout ByteBuffer) {
    let isExtended = end - start == 10 || end - start == 20
    if isExtended != isBasic { return output.append(bytes, start, end) }
    // Separators stand behind the year and the month, and, where there is a time, behind the hour and the minute.
    let lengths = [4, 2, 5, 2, 3]
    var from = start
    for (number, length) in lengths.enumerated() where from < end {
      if number > 0 {
        if isBasic { from += 1 } else { output.append(number < 3 ? ASCII.dash : ASCII.colon) }
      }
      output.append(bytes, from, min(from + length, end))
      from += length
    }
  }

  /// A complete date with a complete time, as REV has it in 4.0: `19961022T140000Z`.
  package static func isTimestamp40(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 15, bytes[8] | 32 == UInt8(ascii: "t"), bytes[..<8].allSatisfy(ASCII.isDigit),
      isDate40(bytes[..<8], reduced: false)
    else { return false }
    return bytes[9..<15].allSatisfy(ASCII.isDigit) && isTime40(bytes[9...], truncated: false)
  }

  // MARK: Parts

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    bytes.isEmpty || !bytes.allSatisfy(ASCII.isDigit) ? nil : bytes.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  private static func isDay(_ year: Int?, _ month: Int?, _ day: Int) -> Bool {
    guard let month else { return (1...31).contains(day) }
    guard (1...12).contains(month), day >= 1 else { return false }
    let isLeap = year.map { $0 % 4 == 0 && ($0 % 100 != 0 || $0 % 400 == 0) } ?? true
    return day <= [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// `19850412`, `--0412`, `---12`; with `reduced` also `1985-04`, `1985`, `--04`.
  private static func isDate40(_ date: ArraySlice<UInt8>, reduced: Bool) -> Bool {
    let bytes = Array(date)
    func part(_ from: Int, _ length: Int) -> Int? { from + length <= bytes.count ? number(bytes[from..<from + length]) : nil }
    let dashes = bytes.prefix { $0 == ASCII.dash }.count
    switch (dashes, bytes.count) {
    case (0, 8): return part(0, 4).flatMap { y in part(4, 2).flatMap { m in part(6, 2).map { isDay(y, m, $0) } } } ?? false
    case (0, 7) where reduced && bytes[4] == ASCII.dash: return part(0, 4) != nil && part(5, 2).map { (1...12).contains($0) } ?? false
    case (0, 4) where reduced: return part(0, 4) != nil
    case (2, 6): return part(2, 2).flatMap { m in part(4, 2).map { isDay(nil, m, $0) } } ?? false
    case (2, 4) where reduced: return part(2, 2).map { (1...12).contains($0) } ?? false
    case (3, 5): return part(3, 2).map { isDay(nil, nil, $0) } ?? false
    default: return false
    }
  }

  /// `102200`, `1022`, `10`, with a zone or not; with `truncated` also `-2200`, `-22`, `--00`, which have none.
  private static func isTime40(_ time: ArraySlice<UInt8>, truncated: Bool) -> Bool {
    let dashes = time.prefix { $0 == ASCII.dash }.count
    let rest = time.dropFirst(dashes)
    let digits = rest.prefix(while: ASCII.isDigit)
    guard dashes == 0 || truncated && dashes <= 2, digits.count % 2 == 0, digits.count >= 2, digits.count / 2 + dashes <= 3 else {
      return false
    }
    guard areInRange(Array(digits), from: dashes) else { return false }
    let zone = rest.dropFirst(digits.count)
    return zone.isEmpty || dashes == 0 && isZone(zone, colon: false)
  }

  private static func areInRange(_ digits: [UInt8], from first: Int) -> Bool {
    for (k, start) in stride(from: 0, to: digits.count, by: 2).enumerated() {
      let value = Int(digits[start] - 48) * 10 + Int(digits[start + 1] - 48)
      if value > [23, 59, 60][min(k + first, 2)] { return false }
    }
    return true
  }

  private static func isZone(_ zone: ArraySlice<UInt8>, colon: Bool) -> Bool {
    if zone.count == 1, let first = zone.first { return first | 32 == UInt8(ascii: "z") }
    let text = String(decoding: zone, as: UTF8.self)
    return ValueSyntax.isOffset(text, in: .v40) || colon && ValueSyntax.isOffset(text, in: .v30)
  }

  /// `19850412` or `1985-04-12`.
  private static func isDate30(_ date: ArraySlice<UInt8>) -> Bool {
    var bytes = Array(date)
    if bytes.count == 10, bytes[4] == ASCII.dash, bytes[7] == ASCII.dash {
      bytes.remove(at: 7)
      bytes.remove(at: 4)
    }
    return bytes.count == 8 && isDate40(bytes[...], reduced: false) && bytes[0] != ASCII.dash
  }

  /// `102200` or `10:22:00`, with a fraction and a zone or not.
  private static func isTime30(_ time: ArraySlice<UInt8>) -> Bool {
    var bytes = Array(time)
    if bytes.count >= 8, bytes[2] == ASCII.colon, bytes[5] == ASCII.colon {
      bytes.remove(at: 5)
      bytes.remove(at: 2)
    }
    guard bytes.count >= 6, bytes[..<6].allSatisfy(ASCII.isDigit), areInRange(Array(bytes[..<6]), from: 0) else { return false }
    var rest = bytes[6...]
    if let first = rest.first, first == ASCII.comma || first == ASCII.dot {
      let digits = rest.dropFirst().prefix(while: ASCII.isDigit)
      guard !digits.isEmpty else { return false }
      rest = rest.dropFirst(digits.count + 1)
    }
    return rest.isEmpty || isZone(rest, colon: true)
  }
}
