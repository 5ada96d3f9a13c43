// A telephone number as people type it: its digits, and what stands behind them (extensions, pauses, parameters of tel URIs).

internal import Bytes

/// The parts of a typed number. Nothing of the text is lost: `tail` is what follows the number, as it was written.
struct PhoneText {
  /// The digits in ASCII, in their order, a trunk prefix in parentheses among them.
  private(set) var digits: [UInt8] = []
  /// The number began with `+`.
  private(set) var isInternational = false
  /// Extension, pauses and parameters behind the number, with the blanks before them; empty where there is nothing.
  private(set) var tail = ""
  /// The digits of the tail.
  private(set) var tailDigits: [UInt8] = []

  /// Reads a number, with or without `tel:`; nil where the text is something else too: letters, a service code such as `*100#`, two
  /// numbers.
  init?(_ text: String) {
    let text = Self.decoded(text)
    let bytes = text.utf8.span
    var i = Self.hasScheme(bytes, 0, bytes.count) ? 4 : 0
    var end = i
    scan: while i < bytes.count {
      let (scalar, length) = Self.scalar(bytes, i)
      switch Self.meaning(of: scalar) {
      case .digit(let digit):
        digits.append(digit)
        end = i + length
      case .plus:
        guard digits.isEmpty, !isInternational else { return nil }
        isInternational = true
      case .separator: break
      case .other: break scan
      }
      i += length
    }
    guard !digits.isEmpty else { return nil }
    guard i < bytes.count else { return }
    // A closing parenthesis belongs to what it closes, blanks to what follows.
    while end < i, bytes[end] == UInt8(ascii: ")") { end += 1 }
    tail = bytes.text(end, bytes.count)
    guard let found = Self.digits(ofTail: bytes.text(i, bytes.count).lowercased()) else { return nil }
    tailDigits = found
    takeContext()
  }

  // MARK: Scalars

  /// Do the bytes begin with `tel:`, and go on?
  static func hasScheme(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    end - start > 4 && bytes[start + 3] == ASCII.colon && ASCII.lowercased(bytes[start]) == UInt8(ascii: "t")
      && ASCII.lowercased(bytes[start + 1]) == UInt8(ascii: "e") && ASCII.lowercased(bytes[start + 2]) == UInt8(ascii: "l")
  }

  /// The character that begins at `position` of UTF-8, and how many bytes it has.
  private static func scalar(_ bytes: Span<UInt8>, _ position: Int) -> (Unicode.Scalar, length: Int) {
    let lead = bytes[position]
    if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for i in position + 1..<min(position + length, bytes.count) { value = value << 6 | UInt32(bytes[i] & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }

  private enum Meaning { case digit(UInt8), plus, separator, other }

  private static func meaning(of scalar: Unicode.Scalar) -> Meaning {
    switch scalar {
    case "0"..."9": return .digit(UInt8(truncatingIfNeeded: scalar.value))
    case "+", "\u{FF0B}": return .plus
    case " ", "\t", "-", ".", "/", "(", ")", "[", "]", "~": return .separator
    case "\u{00A0}", "\u{00AD}", "\u{2007}", "\u{2009}", "\u{200B}"..."\u{200F}", "\u{2010}"..."\u{2015}", "\u{202A}"..."\u{202F}",
      "\u{2060}", "\u{2066}"..."\u{2069}", "\u{2212}", "\u{FF0D}", "\u{FEFF}":
      return .separator
    default:
      guard scalar.value >= 0x80, let value = scalar.properties.numericValue, scalar.properties.numericType == .decimal else {
        return .other
      }
      return .digit(UInt8(ascii: "0") + UInt8(value))
    }
  }

  /// `%23` as `#`: tel URIs may write so, and no typed number holds a percent sign.
  private static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var i = 0
    while i < bytes.count {
      if bytes[i] == UInt8(ascii: "%"), i + 2 < bytes.count, let high = ASCII.hexValue(bytes[i + 1]), let low = ASCII.hexValue(bytes[i + 2])
      {
        result.append(high << 4 | low)
        i += 3
      } else {
        result.append(bytes[i])
        i += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  // MARK: The tail

  /// Words that stand before an extension, longer ones first.
  private static let extensionWords = ["extension", "extn", "ext", "anexo", "доб", "int", "x", "#"]

  /// The digits of what follows a number; nil where it, in lower case, is neither extension, pause nor parameter.
  private static func digits(ofTail text: String) -> [UInt8]? {
    if text.hasPrefix(";"), isParameters(text) { return text.utf8.filter { ASCII.isDigit($0) } }
    var rest = Substring(text)
    if let word = extensionWords.first(where: { text.hasPrefix($0) }) {
      rest = rest.dropFirst(word.count)
      while let c = rest.first, c == "." || c == ":" || c == " " { rest = rest.dropFirst() }
      guard let first = rest.utf8.first, ASCII.isDigit(first) else { return nil }
    }
    // Pauses, and the digits that are dialled after them.
    var found: [UInt8] = []
    for scalar in rest.unicodeScalars {
      switch meaning(of: scalar) {
      case .digit(let digit): found.append(digit)
      case .separator: break
      case .plus: return nil
      case .other: if !",;pw*#".unicodeScalars.contains(scalar) { return nil }
      }
    }
    return found.isEmpty || found.count > 20 ? nil : found
  }

  /// `;ext=12;isub=4`: parameters of a tel URI.
  private static func isParameters(_ text: String) -> Bool {
    text.dropFirst().split(separator: ";", omittingEmptySubsequences: false).allSatisfy { part in
      let name = part.prefix { $0 != "=" }
      return name.count < part.count && !name.isEmpty
        && name.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.dash }
    }
  }

  /// `;phone-context=+44` says where a number belongs, and is no part of the tail then (RFC 3966 5.1.5).
  private mutating func takeContext() {
    guard !isInternational, tail.hasPrefix(";") else { return }
    let parts = tail.split(separator: ";")
    guard let context = parts.first(where: { $0.lowercased().hasPrefix("phone-context=+") }) else { return }
    let prefix = context.dropFirst("phone-context=+".count).utf8.filter { $0 != ASCII.dash && $0 != ASCII.dot }
    guard !prefix.isEmpty, prefix.allSatisfy({ ASCII.isDigit($0) }) else { return }
    digits = prefix + digits
    isInternational = true
    let others = parts.filter { $0 != context }
    tail = others.map { ";" + $0 }.joined()
    tailDigits = others.joined().utf8.filter { ASCII.isDigit($0) }
  }
}
