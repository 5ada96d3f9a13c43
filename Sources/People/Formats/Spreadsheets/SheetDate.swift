// Dates as spreadsheets write them: in the order of some country, with two-digit years, months in words, or a sign for none.

internal import Bytes

/// Reading dates of which only the whole column tells the order.
enum SheetDate {
  /// What comes first where the year does not.
  enum Order: Sendable { case dayMonth, monthDay }

  /// What a cell says.
  enum Reading: Equatable {
    case date(PartialDate)
    /// A placeholder for no date, such as `0/0/00`.
    case none
    /// No date at all: it stays as it is.
    case text
  }

  /// What dates show about their order.
  struct Evidence: Sendable {
    var dayMonth = 0, monthDay = 0, open = 0

    /// The order that the dates themselves tell; nil where they could be either or contradict each other.
    var order: Order? {
      dayMonth > 0 && monthDay == 0
        ? .dayMonth : monthDay > 0 && dayMonth == 0 ? .monthDay : dayMonth > monthDay ? .dayMonth : monthDay > dayMonth ? .monthDay : nil
    }

    /// Takes notice of a cell.
    mutating func note(_ text: String) {
      guard let (numbers, divider) = SheetDate.numbers(text), numbers.count == 3, numbers[0].digits < 3 else { return }
      let (a, b) = (numbers[0].value, numbers[1].value)
      if a > 12 && a <= 31 && (1...12).contains(b) {
        dayMonth += 1
      } else if b > 12 && b <= 31 && (1...12).contains(a) {
        monthDay += 1
      } else if a != b, divider != ASCII.dot, a > 0 {
        open += 1
      }
    }
  }

  private static let months: [[String]] = [
    ["jan", "ene", "gen", "sty"], ["feb", "fév", "fev", "lut"], ["mar", "mär", "maa", "mrz", "mrt"], ["apr", "avr", "abr", "kwi"],
    ["may", "mai", "mei", "mag", "maj"], ["jun", "juin", "giu", "cze"], ["jul", "juil", "lug", "lip"], ["aug", "aoû", "aou", "ago", "sie"],
    ["sep", "set", "wrz"], ["oct", "okt", "ott", "out", "paź"], ["nov", "lis"], ["dec", "dez", "déc", "dic", "gru"],
  ]

  /// The month that a word names, by its beginning; nil for other words.
  private static func month(_ word: Substring) -> Int? {
    let lower = word.lowercased()
    guard lower.count >= 3 else { return nil }
    // Juin and juil share their beginning with no shorter word of the other month.
    for (number, starts) in months.enumerated() where starts.contains(where: { $0.count > 3 && lower.hasPrefix($0) }) { return number + 1 }
    return months.firstIndex { starts in starts.contains { lower.hasPrefix($0) } }.map { $0 + 1 }
  }

  /// The numbers of a text that is numbers divided by one sign, and that sign; a time behind them is passed over.
  private static func numbers(_ text: String) -> (numbers: [(value: Int, digits: Int)], divider: UInt8)? {
    var numbers: [(value: Int, digits: Int)] = []
    var (value, digits, divider) = (0, 0, UInt8(0))
    for byte in text.utf8 {
      if ASCII.isDigit(byte) {
        guard digits < 4 else { return nil }
        (value, digits) = (value * 10 + Int(byte - 48), digits + 1)
      } else if byte == ASCII.slash || byte == ASCII.dot || byte == ASCII.dash, numbers.count < 3, divider == 0 || divider == byte {
        guard digits > 0 else { return nil }
        numbers.append((value, digits))
        (value, digits, divider) = (0, 0, byte)
      } else if byte == ASCII.space {
        // `1. 4. 1979` has blanks; behind the year they begin a time.
        if numbers.count == 2, digits > 0 { return (numbers + [(value, digits)], divider) }
      } else {
        return nil
      }
    }
    if digits > 0 { numbers.append((value, digits)) }
    return numbers.count > 1 && numbers.count < 4 ? (numbers, divider) : nil
  }

  /// Two digits stand for a year from 1930 to 2029, as in Windows.
  private static func year(_ number: (value: Int, digits: Int)) -> Int {
    number.digits > 2 ? number.value : number.value + (number.value < 30 ? 2000 : 1900)
  }

  private static func date(_ year: Int?, _ month: Int, _ day: Int) -> Reading {
    func padded(_ n: Int, _ width: Int) -> String { String(repeating: "0", count: max(0, width - "\(n)".count)) + "\(n)" }
    let text = (year.map { padded($0, 4) + "-" } ?? "--") + padded(month, 2) + "-" + padded(day, 2)
    let date = PartialDate(text)
    // Outlook's "none", which some versions write as a day.
    if date.year == 4501 { return .none }
    return date.isDate ? .date(date) : .text
  }

  /// Reads a cell.
  static func read(_ cell: String, _ order: Order) -> Reading {
    var text = SheetHeader.trimmed(cell)
    if text.isEmpty { return .none }
    let plain = PartialDate(text)
    if plain.isDate {
      // A time of day that is midnight comes from a spreadsheet, not from a person.
      if plain.isWhole, plain.time.hasPrefix("00:00") { return .date(PartialDate(year: plain.year, month: plain.month, day: plain.day)) }
      return .date(plain)
    }
    if text.utf8.allSatisfy({
      $0 == 48 || $0 == ASCII.slash || $0 == ASCII.dot || $0 == ASCII.dash || $0 == ASCII.colon || $0 == ASCII.space
    }) {
      return .none
    }
    for sign in ["年", "月", "."] where text.contains("日") || text.contains("月") || sign == "." {
      if sign != "." { text = text.replacing(sign, with: "-") }
    }
    text = String(text.filter { $0 != "日" })
    if let (numbers, divider) = numbers(text) {
      // Nobody writes the month first before a dot.
      let order = divider == ASCII.dot ? .dayMonth : order
      if numbers.count == 3, numbers[0].digits >= 3 { return date(numbers[0].value, numbers[1].value, numbers[2].value) }
      guard numbers.count == 3 else {
        // Day and month alone, as in `14.4.`
        let (a, b) = (numbers[0].value, numbers[1].value)
        if numbers[1].digits > 2 || a == 0 || b == 0 { return .text }
        return order == .monthDay && a <= 12 || b > 12 ? date(nil, a, b) : date(nil, b, a)
      }
      let (a, b) = (numbers[0].value, numbers[1].value)
      let isDayFirst = a > 12 || b <= 12 && order == .dayMonth
      return date(year(numbers[2]), isDayFirst ? b : a, isDayFirst ? a : b)
    }
    return words(text)
  }

  /// A date whose month is a word: `15 Jun 2026`, `June 15, 2026`, `15-Jun-26`, `12-Mar`.
  private static func words(_ text: String) -> Reading {
    let parts = text.split { $0 == " " || $0 == "-" || $0 == "," || $0 == "." || $0 == "/" }
    guard (2...3).contains(parts.count), let place = parts.firstIndex(where: { month($0) != nil }), let month = month(parts[place]) else {
      return .text
    }
    var numbers: [(value: Int, digits: Int)] = []
    for (i, part) in parts.enumerated() where i != place {
      let digits = part.prefix { $0.isASCII && $0.isNumber }
      guard let value = Int(digits), ["", "st", "nd", "rd", "th", "º", "er"].contains(part.dropFirst(digits.count).lowercased()) else {
        return .text
      }
      numbers.append((value, digits.count))
    }
    switch numbers.count {
    case 1 where numbers[0].digits == 4: return .date(PartialDate(year: numbers[0].value, month: month))
    case 1: return date(nil, month, numbers[0].value)
    case 2 where numbers[0].digits == 4: return date(numbers[0].value, month, numbers[1].value)
    default: return date(year(numbers[1]), month, numbers[0].value)
    }
  }
}
