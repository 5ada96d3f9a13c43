// The normal form of telephone numbers: E.164 where it is sure, and a key that compares.

internal import Bytes

/// Reads telephone numbers as somebody in one region dials them. Nothing is guessed: a national number is read only where the region is
/// known, and a number that could mean two things, or is too short or too long, is left alone.
package struct PhoneNumbering: Sendable {
  private let home: PhoneCountry?

  /// The numbering of a region, an ISO 3166 code of two letters; without one only international numbers are read. Nil for a region that
  /// has no telephone numbers.
  package init?(region: String?) {
    guard let region else {
      home = nil
      return
    }
    guard let country = PhoneCountry.of(region: region) else { return nil }
    home = country
  }

  /// A number in its normal form.
  package struct Reading: Sendable, Hashable {
    /// `+`, calling code, national number: at most 15 digits.
    package var e164: String
    /// The extension, pauses or parameters behind it, as typed, with the blanks before them; empty where there are none.
    package var tail: String
    /// Both, as a value holds them.
    package var text: String { e164 + tail }
  }

  /// Reads a number, with or without `tel:`; nil where it is not sure.
  package func read(_ text: String) -> Reading? {
    guard let typed = PhoneText(text), let e164 = e164(typed) else { return nil }
    return Reading(e164: e164, tail: typed.tail)
  }

  /// Adds a number in its normal form, with what stands behind it; false, and nothing added, where it is not sure.
  func append(_ typed: borrowing PhoneText, to output: inout ByteBuffer) -> Bool {
    if Self.isWholeNumber(typed) {
      output.append(UInt8(ascii: "+"))
      typed.digits.withBytes { output.append($0) }
    } else {
      guard let e164 = e164(typed) else { return false }
      output.append(text: e164)
    }
    if !typed.tail.isEmpty { output.append(text: typed.tail) }
    return true
  }

  /// Is it a calling code and a number of it that needs no mending?
  private static func isWholeNumber(_ typed: borrowing PhoneText) -> Bool {
    typed.isInternational && typed.digits.withBytes { isWholeNumber($0, 0, $0.count) }
  }

  /// Are the bytes a number in E.164 and nothing else? Told without reading it; false where that takes a closer look.
  static func isInNormalForm(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    let start = PhoneText.hasScheme(bytes, start, end) ? start + 4 : start
    return start < end && bytes[start] == UInt8(ascii: "+") && isWholeNumber(bytes, start + 1, end)
  }

  /// Are the bytes a calling code and a number of it that needs no mending?
  private static func isWholeNumber(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard end - start > 4, end - start <= 15 else { return false }
    for i in start..<end where !ASCII.isDigit(bytes[i]) { return false }
    var code = 0
    for i in start..<start + 3 {
      code = code * 10 + Int(bytes[i] & 15)
      guard let counts = wholeNumbers[code].counts else { continue }
      // A trunk prefix that was kept begins none.
      return bytes[i + 1] != wholeNumbers[code].trunk && counts.has(end - i - 1)
    }
    return false
  }

  /// Of each calling code how many digits its numbers have, none where it has ways of its own, and the trunk prefix that may have been
  /// kept; nil for other numbers.
  private static let wholeNumbers: [(counts: DigitCounts?, trunk: UInt8?)] = (0..<1000).map { code in
    guard let country = PhoneCountry.of(code: code) else { return (nil, nil) }
    return ([52, 54, 370, 375].contains(code) ? DigitCounts() : country.all, country.trunk.utf8.first)
  }

  /// The number alone as E.164, without its extension; nil where it is not sure.
  package func e164(_ text: String) -> String? {
    guard let typed = PhoneText(text) else { return nil }
    return e164(typed)
  }

  /// A key that is equal for equal numbers: the digits of the E.164 form, else the digits as typed; then, behind `x`, those of the extension.
  /// Text that is no number (letters, service codes) is its own key, without blanks and in lower case.
  package func key(_ text: String, extension digits: String = "") -> String {
    guard let typed = PhoneText(text) else {
      return String(text.lowercased().filter { !$0.isWhitespace }) + (digits.isEmpty ? "" : "x" + digits)
    }
    if typed.tail.isEmpty, digits.isEmpty, Self.isWholeNumber(typed) { return typed.digits.text() }
    let main = e164(typed).map { String($0.dropFirst()) } ?? typed.digits.text()
    let behind = String(decoding: typed.tailDigits, as: UTF8.self) + String(digits.filter { $0.isASCII && $0.isNumber })
    return behind.isEmpty ? main : main + "x" + behind
  }

  // MARK: International numbers

  private func e164(_ typed: borrowing PhoneText) -> String? {
    let digits = typed.digits.text()
    if Self.isWholeNumber(typed) { return "+" + digits }
    return typed.isInternational ? Self.international(digits[...]) : dialled(digits[...])
  }

  /// A number that begins with a calling code.
  private static func international(_ digits: Substring) -> String? {
    for length in 1...3 where digits.utf8.count > length {
      // Calling codes are prefix-free.
      guard let code = Int(digits.prefix(length)), let country = PhoneCountry.of(code: code) else { continue }
      return complete(withoutTrunk(mended(digits.dropFirst(length), of: country), of: country), of: country)
    }
    return nil
  }

  /// Takes off a trunk prefix that was kept, as in `+44 (0)20`.
  private static func withoutTrunk(_ number: Substring, of country: PhoneCountry) -> Substring {
    // Inside Belarus the 8 is dialled before a 0; an 8 behind the calling code is part of the number.
    if country.code == "375" { return number }
    for trunk in trunks(of: country) where number.hasPrefix(trunk) && country.all.has(number.utf8.count - trunk.utf8.count) {
      return number.dropFirst(trunk.count)
    }
    return number
  }

  /// Puts calling code and number together where they can be a number.
  private static func complete(_ number: Substring, of country: PhoneCountry, _ counts: DigitCounts? = nil) -> String? {
    guard (counts ?? country.all).has(number.utf8.count), country.code.utf8.count + number.utf8.count <= 15 else { return nil }
    // Where 0 is dialled before numbers, none begins with 0.
    if country.trunk == "0", number.hasPrefix("0") { return nil }
    return "+" + country.code + number
  }

  /// Lithuania has dialled 8 before it dialled 0.
  private static func trunks(of country: PhoneCountry) -> [String] {
    switch country.code {
    case "370": ["0", "8"]
    case "375": ["80", "8"]
    default: country.trunk.isEmpty ? [] : [country.trunk]
    }
  }

  /// Older and national ways to write a number that a table of prefixes cannot tell.
  private static func mended(_ number: Substring, of country: PhoneCountry) -> Substring {
    switch country.code {
    case "52" where number.utf8.count == 11 && number.hasPrefix("1"): number.dropFirst()
    case "54": argentine(number)
    default: number
    }
  }

  /// Mobiles of Argentina are dialled with 15 behind the area code, from abroad with 9 before it.
  private static func argentine(_ number: Substring) -> Substring {
    guard number.utf8.count == 12 else { return number }
    let areas = number.hasPrefix("11") ? [2] : [3, 4]
    for area in areas where number.dropFirst(area).hasPrefix("15") {
      return "9" + number.prefix(area) + number.dropFirst(area + 2)
    }
    return number
  }

  // MARK: National numbers

  /// A number as it is dialled at home.
  private func dialled(_ digits: Substring) -> String? {
    var readings = Set<String>()
    let prefixes = home?.internationalPrefixes ?? []
    for pattern in prefixes {
      guard let rest = Self.removing(pattern, from: digits), let found = Self.international(rest) else { continue }
      readings.insert(found)
    }
    // Most of the world dials 00; where a carrier is named behind it, both readings must be the same.
    if digits.hasPrefix("00"), let found = Self.international(digits.dropFirst(2)) {
      if readings.isEmpty, let home, let national = Self.national(digits, in: home) { readings.insert(national) }
      readings.insert(found)
    }
    if readings.isEmpty { return home.flatMap { Self.national(digits, in: $0) } }
    return readings.count == 1 ? readings.first : nil
  }

  /// What follows a prefix; nil where the number does not begin with it.
  private static func removing(_ pattern: String, from digits: Substring) -> Substring? {
    var rest = digits
    var pattern = Substring(pattern)
    while let first = pattern.first {
      guard let digit = rest.first else { return nil }
      if first == "[" {
        let members = pattern.dropFirst().prefix { $0 != "]" }
        pattern = pattern.dropFirst(members.count + 2)
        guard isMember(digit, of: members) else { return nil }
      } else {
        guard first == digit else { return nil }
        pattern = pattern.dropFirst()
      }
      rest = rest.dropFirst()
    }
    return rest
  }

  /// Is the digit one of a class such as `14-689`?
  private static func isMember(_ digit: Character, of members: Substring) -> Bool {
    var rest = members
    while let low = rest.popFirst() {
      var high = low
      if rest.first == "-" {
        rest = rest.dropFirst()
        high = rest.popFirst() ?? low
      }
      if digit >= low && digit <= high { return true }
    }
    return false
  }

  private static func national(_ digits: Substring, in country: PhoneCountry) -> String? {
    for trunk in trunks(of: country) where digits.hasPrefix(trunk) {
      let number = withoutCarrier(mended(digits.dropFirst(trunk.count), of: country), of: country)
      if let found = complete(number, of: country) { return found }
    }
    switch country.code {
    case "1":
      // The trunk prefix is dialled with some numbers only; no area code begins with 0 or 1.
      guard let first = digits.first, first > "1" else { return nil }
      return complete(digits, of: country)
    case "52":
      for prefix in ["044", "045", "01"] where digits.hasPrefix(prefix) {
        if let found = complete(digits.dropFirst(prefix.count), of: country) { return found }
      }
    default: break
    }
    if country.trunk.isEmpty { return complete(digits, of: country, country.ordinary) }
    // Where a trunk prefix is dialled, a number without it may lack its area code; in some countries its length shows that it does not.
    if let usual = withoutTrunkPrefix[country.code], usual.counts.has(digits.utf8.count), let first = digits.first,
      usual.first.contains(first)
    {
      return complete(digits, of: country)
    }
    return nil
  }

  /// Countries where people leave the trunk prefix out: how many digits such numbers have, which is more than a local number has, and
  /// what they begin with.
  private static let withoutTrunkPrefix: [String: (counts: DigitCounts, first: String)] = [
    "7": (DigitCounts("10"), "3456789"), "55": (DigitCounts("10-11"), "123456789"), "57": (DigitCounts("10"), "36"),
    "86": (DigitCounts("11"), "1"), "91": (DigitCounts("10"), "6789"), "591": (DigitCounts("8"), "234567"),
    "995": (DigitCounts("9"), "345"),
  ]

  /// In Brazil the carrier of a long-distance call is dialled behind the trunk prefix.
  private static func withoutCarrier(_ number: Substring, of country: PhoneCountry) -> Substring {
    guard country.code == "55", !country.all.has(number.utf8.count), country.all.has(number.utf8.count - 2) else { return number }
    return brazilianCarriers.contains(String(number.prefix(2))) ? number.dropFirst(2) : number
  }

  private static let brazilianCarriers: Set<String> = ["12", "14", "15", "21", "23", "24", "25", "31", "41", "43", "55", "65", "99"]
}
