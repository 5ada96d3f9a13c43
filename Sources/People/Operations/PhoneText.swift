// A telephone number as people type it: its digits, and what stands behind them (extensions, pauses, parameters of tel URIs).

internal import Bytes

/// The parts of a typed number. Nothing of the text is lost: `tail` is what follows the number, as it was written. It is reused from number
/// to number.
struct PhoneText: ~Copyable {
  /// The digits in ASCII, in their order, a trunk prefix in parentheses among them.
  private(set) var digits = ByteBuffer(capacity: 32)
  /// The number began with `+`.
  private(set) var isInternational = false
  /// Extension, pauses and parameters behind the number, with the blanks before them; empty where there is nothing.
  private(set) var tail = ""
  /// The digits of the tail.
  private(set) var tailDigits: [UInt8] = []

  init() {}

  /// The parts of a number; nil where `read` finds none.
  init?(_ text: String) {
    let utf8 = text.utf8
    let bytes = utf8.span
    if !read(bytes, 0, bytes.count) { return nil }
  }

  /// Reads a number, with or without `tel:`; false where the text is something else too: letters, a service code such as `*100#`, two
  /// numbers.
  mutating func read(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    if ByteSearch.firstIndex(of: UInt8(ascii: "%"), in: bytes, from: start, to: end) == end { return readDecoded(bytes, start, end) }
    let decoded = Self.decoded(bytes, start, end)
    return readDecoded(decoded.span, 0, decoded.count)
  }

  private mutating func readDecoded(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    digits.removeAll()
    isInternational = false
    if !tail.isEmpty { (tail, tailDigits) = ("", []) }
    var i = Self.hasScheme(bytes, start, end) ? start + 4 : start
    var last = i
    scan: while i < end {
      let (meaning, length) = Self.meaning(bytes, i, end)
      switch meaning {
      case .digit(let digit):
        digits.append(digit)
        last = i + length
      case .plus:
        guard digits.isEmpty, !isInternational else { return false }
        isInternational = true
      case .separator: break
      case .other: break scan
      }
      i += length
    }
    guard !digits.isEmpty else { return false }
    guard i < end else { return true }
    // A closing parenthesis belongs to what it closes, blanks to what follows.
    while last < i, bytes[last] == UInt8(ascii: ")") { last += 1 }
    tail = bytes.text(last, end)
    guard let found = Self.digits(ofTail: bytes.text(i, end).lowercased()) else { return false }
    tailDigits = found
    takeContext()
    return true
  }

  // MARK: Scalars

  /// Do the bytes begin with `tel:`, and go on?
  static func hasScheme(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    end - start > 4 && bytes[start + 3] == ASCII.colon && ASCII.lowercased(bytes[start]) == UInt8(ascii: "t")
      && ASCII.lowercased(bytes[start + 1]) == UInt8(ascii: "e") && ASCII.lowercased(bytes[start + 2]) == UInt8(ascii: "l")
  }

  private enum Meaning { case digit(UInt8), plus, separator, other }

  /// What the character that begins at `position` of UTF-8 means, and how many bytes it has.
  @inline(__always)
  private static func meaning(_ bytes: Span<UInt8>, _ position: Int, _ end: Int) -> (Meaning, length: Int) {
    let lead = bytes[position]
    if ASCII.isDigit(lead) { return (.digit(lead), 1) }
    return isSeparator(lead) ? (.separator, 1) : rareMeaning(bytes, position, end)
  }

  private static func rareMeaning(_ bytes: Span<UInt8>, _ position: Int, _ end: Int) -> (Meaning, length: Int) {
    let lead = bytes[position]
    if lead < 0x80 { return (meaning(of: Unicode.Scalar(lead)), 1) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for i in position + 1..<min(position + length, end) { value = value << 6 | UInt32(bytes[i] & 0x3F) }
    return (meaning(of: Unicode.Scalar(value) ?? "\u{FFFD}"), length)
  }

  @inline(__always)
  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func meaning(of scalar: Unicode.Scalar) -> Meaning {
    switch scalar {
    case "0"..."9": return .digit(UInt8(truncatingIfNeeded: scalar.value))
    case "+", "\u{FF0B}": return .plus
    case _ where scalar.isASCII && isSeparator(UInt8(truncatingIfNeeded: scalar.value)): return .separator
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
  private static func decoded(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> [UInt8] {
    var result: [UInt8] = []
    var i = start
    while i < end {
      if bytes[i] == UInt8(ascii: "%"), i + 2 < end, let high = ASCII.hexValue(bytes[i + 1]), let low = ASCII.hexValue(bytes[i + 2]) {
        result.append(high << 4 | low)
        i += 3
      } else {
        result.append(bytes[i])
        i += 1
      }
    }
    // What is no UTF-8 now is no text.
    return Array(String(decoding: result, as: UTF8.self).utf8)
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
    let own = digits.array()
    digits.removeAll()
    digits.append(Array(prefix))
    digits.append(own)
    isInternational = true
    let others = parts.filter { $0 != context }
    tail = others.map { ";" + $0 }.joined()
    tailDigits = others.joined().utf8.filter { ASCII.isDigit($0) }
  }
}
