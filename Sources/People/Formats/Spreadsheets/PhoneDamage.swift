// Phone numbers that went through a spreadsheet: rounded, made a day, without their plus sign or zeros.

internal import Bytes
internal import CardSyntax

/// Looks at the phone numbers of a file, one after the other.
struct PhoneDamage: Sendable {
  /// Numbers that look as if they lost what stood before their digits, the line of the first, and numbers that did not.
  private var bare = 0, firstLine = 0, whole = 0

  /// How many digits a number has at least that must begin with + or 0.
  private let fewestDigits: Int

  /// `language` is the header's: where numbers inside the country begin with 0, one without it is worth a word; elsewhere it takes as many
  /// digits as there are with a country's code.
  init(language: String) { fewestDigits = ["de", "fr", "ja", "nl", "sv", "tr"].contains(language) ? 8 : 11 }

  /// What a spreadsheet did to a number beyond repair; nil for a number that looks right.
  mutating func damage(of number: String, line: Int) -> String? {
    if Self.isRounded(number) { return "phone number \(number) was rounded by a spreadsheet: its last digits are gone; kept as it stands" }
    if Self.isDay(number) { return "phone number \(number) was made a day by a spreadsheet; kept as it stands" }
    let digits = number.hasPrefix("+") ? number.utf8.dropFirst() : number.utf8[...]
    guard digits.allSatisfy({ ASCII.isDigit($0) }) else { return nil }
    if number.hasPrefix("+") || number.hasPrefix("0") {
      whole += 1
    } else if digits.count >= fewestDigits {
      if bare == 0 { firstLine = line }
      bare += 1
    }
    return nil
  }

  /// What is to be said when all rows are read: the `+` or the zeros are probably gone.
  var closingFinding: Diagnostic? {
    guard bare > 0, whole == 0 else { return nil }
    return Diagnostic(
      .spreadsheetDamage,
      "\(bare) phone numbers are digits alone and none begins with + or 0: a spreadsheet may have taken these off; kept as they stand",
      line: firstLine, severity: .info)
  }

  /// Is it a number of which a spreadsheet dropped the last digits (`4.91705E+12`)?
  private static func isRounded(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let e = bytes.firstIndex(where: { $0 | 32 == UInt8(ascii: "e") }), e > 0, e + 2 < bytes.count, bytes[e + 1] == UInt8(ascii: "+")
    else {
      return false
    }
    return bytes[..<e].allSatisfy { ASCII.isDigit($0) || $0 == ASCII.dot || $0 == ASCII.comma }
      && bytes[(e + 2)...].allSatisfy { ASCII.isDigit($0) }
  }

  /// Is it a number that a spreadsheet took for a day (`12-Mar`)?
  private static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-")
    guard parts.count == 2, parts[0].count <= 2, parts[0].allSatisfy(\.isNumber), parts[1].count == 3 else { return false }
    return parts[1].allSatisfy { $0.isLetter && $0.isASCII }
  }
}
