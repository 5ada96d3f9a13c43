// A date as it stands in a text, found and written without a String: its numbers, and the places of what is copied.

internal import Bytes

/// A date of which parts may be missing, or a time, or both, in any of the forms of vCard and ISO 8601. Missing numbers are -1.
struct DateNumbers: BitwiseCopyable {
  var year = -1, month = -1, day = -1
  private(set) var clock: Clock?

  /// A time of day and its zone. Parts may be missing from the front (`--00`, `-2200`).
  struct Clock: BitwiseCopyable {
    /// How many parts are missing at the front.
    fileprivate var lead = 0
    fileprivate var count = 0
    fileprivate var numbers = (0, 0, 0)
    /// Where the digits behind the point stand.
    fileprivate var fraction = (start: 0, end: 0)
    /// `Z`, `+`, `-`; 0 where no zone is said.
    fileprivate var zone: UInt8 = 0
    fileprivate var zoneDigits: (UInt8, UInt8, UInt8, UInt8) = (48, 48, 48, 48)
  }

  /// Are year, month and day all known?
  var isWhole: Bool { year >= 0 && month >= 0 && day >= 0 }

  /// No date at all.
  static let none = DateNumbers()

  private init() {}

  /// The date in `bytes[start ..< end]`, blanks around it apart; nil where it is none.
  init?(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    self.init()
    var (start, end) = (start, end)
    while start < end, ASCII.isBlank(bytes[start]) { start &+= 1 }
    while end > start, ASCII.isBlank(bytes[end &- 1]) { end &-= 1 }
    var stop = start
    while stop < end, bytes[stop] | 32 != UInt8(ascii: "t"), bytes[stop] != ASCII.space { stop &+= 1 }
    guard readDay(bytes, start, stop) || stop == start && stop < end else { return nil }
    guard month <= 12, month != 0, day <= 31, day != 0 else { return nil }
    if month > 0, day > Self.days(month, year) { return nil }
    if stop < end {
      guard let clock = Clock(bytes, stop &+ 1, end) else { return nil }
      self.clock = clock
    }
  }

  /// Adds the date in `bytes[start ..< end]` in ISO 8601 extended form where it is a whole one in basic form, with or without a whole time
  /// in UTC: `19790414`, `19790414T152000Z`. False, and nothing added, for others, which may be right as well. Most dates of cards are
  /// such, and these are read eight bytes at a time.
  static func appendWhole(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, except placeholder: Int, to output: inout ByteBuffer) -> Bool {
    let count = end &- start
    guard count == 8 || count == 16 else { return false }
    let text = Words.load(bytes, start)
    guard let pairs = pairs(text) else { return false }
    let (year, month, day) = (pairs.0 &* 100 &+ pairs.1, pairs.2, pairs.3)
    guard month >= 1, month <= 12, day >= 1, day <= days(month, year), year != placeholder else { return false }
    var clock: UInt64 = 0
    if count == 16 {
      clock = Words.load(bytes, start &+ 8)
      guard let time = clockPairs(clock), time.hour <= 24, time.minute <= 59, time.second <= 60 else { return false }
    }
    let dash = UInt64(ASCII.dash)
    output.append(word: text & 0xFFFF_FFFF | dash &<< 32 | (text &>> 32 & 0xFFFF) &<< 40 | dash &<< 56, count: 8)
    output.append(word: text &>> 48 | UInt64(UInt8(ascii: "T")) &<< 16 | (clock &>> 8 & 0xFFFF) &<< 24, count: count == 8 ? 2 : 5)
    guard count == 16 else { return true }
    let colon = UInt64(ASCII.colon)
    output.append(word: colon | (clock &>> 24 & 0xFFFF) &<< 8 | colon &<< 24 | (clock &>> 40) &<< 32, count: 7)
    return true
  }

  /// The whole day that `bytes[start ..< end]` tells in vCard's basic form and nothing else, `19790414`; nil for all others.
  static func wholeDay(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> DateNumbers? {
    guard end &- start == 8, let pairs = pairs(Words.load(bytes, start)) else { return nil }
    var date = DateNumbers()
    (date.year, date.month, date.day) = (pairs.0 &* 100 &+ pairs.1, pairs.2, pairs.3)
    return date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= days(date.month, date.year) ? date : nil
  }

  /// The numbers of the four pairs of digits that eight bytes are; nil where one is no digit.
  private static func pairs(_ text: UInt64) -> (Int, Int, Int, Int)? {
    let high = Words.repeating(0xF0)
    guard text & high == Words.repeating(0x30), (text &+ Words.repeating(6)) & high == Words.repeating(0x30) else { return nil }
    let digits = text & Words.repeating(0x0F)
    let pairs = digits &* 10 &+ digits &>> 8
    func pair(_ number: UInt64) -> Int { Int(truncatingIfNeeded: pairs &>> (number &* 16) & 0xFF) }
    return (pair(0), pair(1), pair(2), pair(3))
  }

  /// The numbers of `T152000Z`; nil for eight bytes of another form.
  private static func clockPairs(_ text: UInt64) -> (hour: Int, minute: Int, second: Int)? {
    guard text & 0xFF == UInt64(UInt8(ascii: "T")), text &>> 56 == UInt64(UInt8(ascii: "Z")),
      let pairs = pairs(text &>> 8 & 0xFFFF_FFFF_FFFF | 0x3030 &<< 48)
    else { return nil }
    return (pairs.0, pairs.1, pairs.2)
  }

  /// Is it a point in time in UTC with nothing left out, in vCard's basic form?
  static func isTime(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard end - start == 16, let day = wholeDay(bytes, start, start + 8), day.year > 0, let time = clockPairs(Words.load(bytes, start + 8))
    else { return false }
    return time.hour <= 23 && time.minute <= 59 && time.second <= 59
  }

  private static func days(_ month: Int, _ year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year < 0 || year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  private mutating func readDay(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    func number(_ at: Int, _ length: Int) -> Int { Self.number(bytes, start &+ at, length) }
    func dash(_ at: Int) -> Bool { bytes[start &+ at] == ASCII.dash }
    let count = end - start
    switch count {
    case 8: (year, month, day) = (number(0, 4), number(4, 2), number(6, 2))
    case 10 where dash(4) && dash(7): (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
    case 7 where dash(4) && !dash(0): (year, month) = (number(0, 4), number(5, 2))
    case 7 where dash(0) && dash(1) && dash(4): (month, day) = (number(2, 2), number(5, 2))
    case 6 where dash(0) && dash(1): (month, day) = (number(2, 2), number(4, 2))
    case 5 where dash(0) && dash(1) && dash(2): day = number(3, 2)
    case 4 where dash(0) && dash(1): month = number(2, 2)
    case 4: year = number(0, 4)
    default: return false
    }
    switch count {
    case 8, 10: return year >= 0 && month >= 0 && day >= 0
    case 7 where !dash(0): return year >= 0 && month >= 0
    case 6, 7: return month >= 0 && day >= 0
    case 5: return day >= 0
    default: return max(year, month) >= 0
    }
  }

  /// The number in `length` digits; -1 where some are none.
  fileprivate static func number(_ bytes: Span<UInt8>, _ start: Int, _ length: Int) -> Int {
    var value = 0
    for i in start..<start + length {
      guard ASCII.isDigit(bytes[i]) else { return -1 }
      value = value * 10 + Int(bytes[i] - 48)
    }
    return value
  }

  // MARK: Writing

  /// Parts of a time, from the last: the seconds alone, also the minutes, the whole time.
  enum TimePart: String { case seconds, minutes, hours }

  /// Fills in what a whole time lacks at its end with zeros: 3.0 has no times without seconds, and REV of 4.0 no days without a time
  /// (then `wantsTime`). Returns from which part on the zeros stand for nothing; nil where nothing lacked.
  mutating func fillTime(wantsTime: Bool = false) -> TimePart? {
    guard isWhole else { return nil }
    if let part = clock?.fill() { return part }
    guard clock == nil, wantsTime else { return nil }
    clock = .midnight
    return .hours
  }

  /// Takes off what `fillTime` filled in, where nobody has changed it since.
  mutating func omitTime(from part: TimePart) {
    guard part == .hours else {
      clock?.omit(part)
      return
    }
    if clock?.isMidnight == true { clock = nil }
  }

  /// Does the time, where there is one, begin with the hour?
  var hasWholeStart: Bool { clock.map { $0.lead == 0 } ?? true }

  /// Does the time, where there is one, tell hours, minutes and seconds?
  var hasWholeTime: Bool { clock.map { $0.lead + $0.count == 3 } ?? true }

  /// Has the time a fraction of a second?
  var hasFraction: Bool { clock.map { $0.fraction.end > $0.fraction.start } ?? false }

  /// Adds the ISO 8601 extended form (`1979-04-14T15:20:00Z`) or, with `isBasic`, that of RFC 6350 (`19790414T152000Z`). `source` is
  /// what the date was read from.
  func append(isBasic: Bool, from source: Span<UInt8>, to output: inout ByteBuffer) {
    Self.append(year, month, day, isBasic: isBasic, to: &output)
    if let clock {
      output.append(UInt8(ascii: "T"))
      clock.append(isBasic: isBasic, from: source, to: &output)
    }
  }

  /// Adds a day of which parts may be missing (-1).
  static func append(_ year: Int, _ month: Int, _ day: Int, isBasic: Bool, to output: inout ByteBuffer) {
    if year >= 0 {
      if year < 1000 { output.append("0") }
      if year < 100 { output.append("0") }
      if year < 100 { append(two: year, to: &output) } else { output.append(decimal: year) }
      guard month >= 0 else { return }
      if !isBasic || day < 0 { output.append(ASCII.dash) }
      append(two: month, to: &output)
      guard day >= 0 else { return }
      if !isBasic { output.append(ASCII.dash) }
      append(two: day, to: &output)
    } else if month >= 0 {
      output.append("--")
      append(two: month, to: &output)
      guard day >= 0 else { return }
      if !isBasic { output.append(ASCII.dash) }
      append(two: day, to: &output)
    } else if day >= 0 {
      output.append("---")
      append(two: day, to: &output)
    }
  }

  /// Adds a number below 100 in two digits; larger ones as they are.
  fileprivate static func append(two number: Int, to output: inout ByteBuffer) {
    guard number < 100 else { return output.append(decimal: number) }
    output.append(UInt8(truncatingIfNeeded: 48 + number / 10))
    output.append(UInt8(truncatingIfNeeded: 48 + number % 10))
  }
}

extension DateNumbers.Clock {
  fileprivate static let midnight: Self = {
    var clock = Self()
    (clock.count, clock.zone) = (3, UInt8(ascii: "Z"))
    return clock
  }()

  fileprivate var isMidnight: Bool { lead == 0 && count == 3 && numbers == (0, 0, 0) && zone == UInt8(ascii: "Z") && fraction == (0, 0) }

  /// Counts the missing minutes and seconds of a time as zero.
  fileprivate mutating func fill() -> DateNumbers.TimePart? {
    guard lead == 0, count < 3 else { return nil }
    defer { count = 3 }
    return count == 2 ? .seconds : .minutes
  }

  fileprivate mutating func omit(_ part: DateNumbers.TimePart) {
    guard lead == 0, count == 3, fraction == (0, 0), numbers.2 == 0 else { return }
    if part == .seconds { count = 2 } else if numbers.1 == 0 { count = 1 }
  }

  /// The time in `bytes[start ..< end]`, in basic or extended form; nil for anything else.
  init?(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    var i = start
    while i < end, bytes[i] == ASCII.dash, i < start + 2 {
      lead += 1
      i &+= 1
    }
    var digits = 0
    while i < end, ASCII.isDigit(bytes[i]) || bytes[i] == ASCII.colon {
      if bytes[i] != ASCII.colon {
        let digit = Int(bytes[i] - 48)
        switch digits / 2 {
        case 0: numbers.0 = numbers.0 * 10 + digit
        case 1: numbers.1 = numbers.1 * 10 + digit
        case 2: numbers.2 = numbers.2 * 10 + digit
        default: return nil
        }
        digits += 1
      }
      i &+= 1
    }
    count = digits / 2
    guard digits % 2 == 0, count >= 1, count + lead <= 3, isInRange else { return nil }
    if i < end, bytes[i] == ASCII.dot || bytes[i] == ASCII.comma {
      let from = i &+ 1
      i = from
      while i < end, ASCII.isDigit(bytes[i]) { i &+= 1 }
      guard i > from else { return nil }
      fraction = (from, i)
    }
    guard readZone(bytes, i, end) else { return nil }
  }

  private var isInRange: Bool {
    func fits(_ number: Int, _ place: Int) -> Bool { number <= (place == 0 ? 24 : place == 1 ? 59 : 60) }
    return fits(numbers.0, lead) && (count < 2 || fits(numbers.1, lead + 1)) && (count < 3 || fits(numbers.2, lead + 2))
  }

  private mutating func readZone(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard start < end else { return true }
    let first = bytes[start]
    if first | 32 == UInt8(ascii: "z"), end == start + 1 {
      zone = UInt8(ascii: "Z")
      return true
    }
    guard first == UInt8(ascii: "+") || first == ASCII.dash else { return false }
    zone = first
    var digits = 0
    for i in start + 1..<end where bytes[i] != ASCII.colon {
      guard ASCII.isDigit(bytes[i]) else { return false }
      switch digits {
      case 0: zoneDigits.0 = bytes[i]
      case 1: zoneDigits.1 = bytes[i]
      case 2: zoneDigits.2 = bytes[i]
      case 3: zoneDigits.3 = bytes[i]
      default: return false
      }
      digits += 1
    }
    return digits == 2 || digits == 4
  }

  /// Adds `15:20:00.5-05:00`; with `isBasic` `152000-0500`, without the fraction.
  func append(isBasic: Bool, from source: Span<UInt8>, to output: inout ByteBuffer) {
    output.append(repeating: ASCII.dash, count: lead)
    for place in 0..<count {
      if place > 0, !isBasic { output.append(ASCII.colon) }
      DateNumbers.append(two: place == 0 ? numbers.0 : place == 1 ? numbers.1 : numbers.2, to: &output)
    }
    if !isBasic, fraction.end > fraction.start {
      output.append(ASCII.dot)
      output.append(source, fraction.start, fraction.end)
    }
    guard zone != 0 else { return }
    output.append(zone)
    guard zone != UInt8(ascii: "Z") else { return }
    output.append(zoneDigits.0)
    output.append(zoneDigits.1)
    if !isBasic { output.append(ASCII.colon) }
    output.append(zoneDigits.2)
    output.append(zoneDigits.3)
  }
}
