// Which contacts are meant: conditions on the values that paths name.

internal import Bytes
internal import CardSyntax

/// Why a text is no condition.
package struct ConditionError: Error, Hashable {
  /// What is wrong, for people.
  package let message: String
}

/// A condition that a contact fulfils or not.
package struct Condition {
  private enum Test {
    case has
    case lacks
    case equals(Glob)
    case differs(Glob)
    case contains(Regex<AnyRegexOutput>)
    case containsNot(Regex<AnyRegexOutput>)
    /// Earlier or later than a date, or, where `orEqual`, no later or no earlier.
    case date(PartialDate, isEarlier: Bool, orEqual: Bool)
  }

  /// What the condition looks at.
  package let path: FieldPath
  private let test: Test

  /// The contact has a value there.
  package init(has path: FieldPath) { (self.path, test) = (path, .has) }

  /// The contact has no value there.
  package init(lacks path: FieldPath) { (self.path, test) = (path, .lacks) }

  /// `PATH=GLOB`, `PATH!=GLOB`, `PATH~REGEX`, `PATH!~REGEX`, and `<`, `<=`, `>`, `>=` between a path and a date.
  ///
  /// A condition on several values holds if it holds for one of them; `!=` and `!~` hold if no value is like that, so also where there is
  /// none. A glob (`*`, `?`, `[a-z]`, `\` before what is meant literally) is compared with the whole value, a regular expression is found
  /// anywhere in it; letter case counts (`~(?i)...` ignores it).
  package init(_ text: String) throws(ConditionError) {
    guard let (name, sign, value) = Self.parts(text) else {
      throw ConditionError(message: "'\(text)' is no condition: PATH=GLOB, PATH!=GLOB, PATH~REGEX, PATH<DATE or PATH>DATE")
    }
    do throws(FieldPathError) { path = try FieldPath(typed: name) } catch { throw ConditionError(message: error.message) }
    if value.isEmpty { throw ConditionError(message: "'\(text)' compares with nothing; --has and --lacks ask for a value at all") }
    switch sign {
    case "=", "==": test = .equals(Glob(value))
    case "!=": test = .differs(Glob(value))
    case "~", "!~":
      guard let regex = try? Regex(value) else { throw ConditionError(message: "'\(value)' is no regular expression") }
      test = sign == "~" ? .contains(regex) : .containsNot(regex)
    default:
      let date = PartialDate(value)
      guard date.isDate else { throw ConditionError(message: "'\(value)' is no date, and \(sign) compares dates") }
      test = .date(date, isEarlier: sign.hasPrefix("<"), orEqual: sign.hasSuffix("="))
    }
  }

  /// The path, the sign and the rest; a sign inside a quoted label is part of the path.
  private static func parts(_ text: String) -> (path: String, sign: String, value: String)? {
    var isQuoted = false
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      if character == "\"" { isQuoted.toggle() }
      if !isQuoted, "=!~<>".contains(character) {
        var end = text.index(after: index)
        let next = end < text.endIndex ? text[end] : " "
        if next == "=", character != "~" { end = text.index(after: end) }
        if character == "!" {
          guard next == "=" || next == "~" else { return nil }
          if next == "~" { end = text.index(after: end) }
        }
        let path = text[..<index].trimmingBlanks
        return path.isEmpty ? nil : (String(path), String(text[index..<end]), String(text[end...].trimmingBlanks))
      }
      index = text.index(after: index)
    }
    return nil
  }

  /// Does the contact fulfil it?
  package func holds(for record: borrowing Record) -> Bool {
    switch test {
    case .has: return path.hasValue(in: record)
    case .lacks: return !path.hasValue(in: record)
    case .equals(let glob): return path.values(in: record).contains { glob.matches($0) }
    case .differs(let glob): return !path.values(in: record).contains { glob.matches($0) }
    case .contains(let regex): return path.values(in: record).contains { $0.firstMatch(of: regex) != nil }
    case .containsNot(let regex): return !path.values(in: record).contains { $0.firstMatch(of: regex) != nil }
    case .date(let date, let isEarlier, let orEqual):
      return path.values(in: record).contains { text in
        let value = PartialDate(text)
        guard value.isDate, let order = value.order(against: date) else { return false }
        return order == 0 ? orEqual : (order < 0) == isEarlier
      }
    }
  }
}

/// Several conditions, as the options of a command line put them together.
package struct Selection {
  private let conditions: [Condition]
  private let wantsAny: Bool
  private let isInverted: Bool
  /// The fields that have to be read.
  package let fields: FieldSet
  /// Does what stands beside values, such as their labels, matter?
  package let readsAnnotations: Bool

  /// All conditions must hold, or (`any`) one of them; `inverted` chooses the other contacts. Without a condition every contact is chosen.
  package init(_ conditions: [Condition], any: Bool, inverted: Bool) {
    (self.conditions, wantsAny, isInverted) = (conditions, any, inverted)
    fields = FieldPath.fields(for: conditions.map(\.path))
    readsAnnotations = conditions.contains { $0.path.readsAnnotations }
  }

  /// Is every contact chosen, whatever it is like?
  package var isEverything: Bool { conditions.isEmpty && !isInverted }

  /// Is the contact chosen?
  package func chooses(_ record: borrowing Record) -> Bool {
    if conditions.isEmpty { return !isInverted }
    for i in conditions.indices where conditions[i].holds(for: record) == wantsAny { return wantsAny != isInverted }
    return wantsAny == isInverted
  }
}

extension PartialDate {
  /// -1, 0 or 1 for earlier, equal, later, as far as the parts tell that `other` has: every day of 1980 equals `1980`. A date without
  /// a year compares by month and day. Nil where a part is missing that would decide.
  package func order(against other: PartialDate) -> Int? {
    if isWhole, other.isWhole, let (mine, its) = moments(other) { return mine == its ? 0 : mine < its ? -1 : 1 }
    for (mine, its) in [(year, other.year), (month, other.month), (day, other.day)] {
      guard let its else { continue }
      guard let mine else { return nil }
      if mine != its { return mine < its ? -1 : 1 }
    }
    return 0
  }

  /// Both as seconds, where both have a time; a time without a zone is taken for UTC.
  private func moments(_ other: PartialDate) -> (Double, Double)? {
    guard let mine = seconds, let its = other.seconds else { return nil }
    return (mine, its)
  }

  /// Seconds since some day; nil where the day or the time is not whole.
  private var seconds: Double? {
    guard let year, let month, let day, !time.isEmpty, !time.hasPrefix("-") else { return nil }
    let shifted = month > 2 ? year : year - 1
    let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (153 * ((month + 9) % 12) + 2) / 5 + day
    let zoneStart = time.lastIndex { $0 == "Z" || $0 == "+" || $0 == "-" } ?? time.endIndex
    let clock = time[..<zoneStart].split(separator: ":").map { Double($0) ?? 0 }
    let zone = time[zoneStart...]
    let offset = zone.dropFirst().split(separator: ":").map { Double($0) ?? 0 }
    let ahead = zone.hasPrefix("-") ? -1.0 : 1.0
    let seconds = zip(clock, [3600.0, 60, 1]).reduce(0.0) { $0 + $1.0 * $1.1 }
    return Double(days) * 86400 + seconds - ahead * zip(offset, [3600.0, 60]).reduce(0.0) { $0 + $1.0 * $1.1 }
  }
}

extension StringProtocol {
  /// The text without blanks at its ends.
  fileprivate var trimmingBlanks: SubSequence {
    let start = firstIndex { $0 != " " } ?? endIndex
    let end = self[start...].lastIndex { $0 != " " }
    return end.map { self[start...$0] } ?? self[endIndex..<endIndex]
  }
}
