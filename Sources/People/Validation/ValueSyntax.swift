// The grammars that values and parameters share: tokens, language tags, URIs, media types, offsets.

internal import Bytes
internal import CardSyntax

/// Says whether a text is in a grammar. Nothing here looks at what is behind a text: no tag is looked up, no URI followed.
package enum ValueSyntax {
  /// Letters, digits and hyphens: a name (RFC 6350 3.3, `iana-token`).
  static func isToken(_ text: some StringProtocol) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isTokenByte) }

  static func isTokenByte(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.dash }

  /// A word of one's own, `x-...`.
  static func isExtension(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8.prefix(3))
    return bytes.count == 3 && bytes[0] | 32 == UInt8(ascii: "x") && bytes[1] == ASCII.dash && isToken(text)
  }

  /// Digits only.
  static func isNumber(_ text: some StringProtocol) -> Bool { !text.isEmpty && text.utf8.allSatisfy(ASCII.isDigit) }

  // MARK: Language tags (RFC 5646 2.1)

  private static let irregular: Set<String> = [
    "en-gb-oed", "i-ami", "i-bnn", "i-default", "i-enochian", "i-hak", "i-klingon", "i-lux", "i-mingo", "i-navajo", "i-pwn", "i-tao",
    "i-tay", "i-tsu", "sgn-be-fr", "sgn-be-nl", "sgn-ch-de",
  ]

  /// Is it a well-formed language tag, such as `en`, `zh-Hant` or `de-AT`?
  static func isLanguageTag(_ text: some StringProtocol) -> Bool {
    let lower = text.lowercased()
    if irregular.contains(lower) { return true }
    let tags = lower.split(separator: "-", omittingEmptySubsequences: false).map { Array($0.utf8) }
    guard tags.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) } }) else { return false }
    func isAlphabetic(_ tag: [UInt8]) -> Bool { tag.allSatisfy(ASCII.isLetter) }
    var i = 0
    func at(_ test: ([UInt8]) -> Bool) -> Bool { i < tags.count && test(tags[i]) }
    if tags[0] == [UInt8(ascii: "x")] { return tags.count > 1 }
    guard tags[0].count > 1, isAlphabetic(tags[0]) else { return false }
    i = 1
    if tags[0].count <= 3 {
      var extended = 0
      while extended < 3, at({ $0.count == 3 && isAlphabetic($0) }) { (i, extended) = (i + 1, extended + 1) }
    }
    if at({ $0.count == 4 && isAlphabetic($0) }) { i += 1 }
    if at({ $0.count == 2 && isAlphabetic($0) || $0.count == 3 && $0.allSatisfy(ASCII.isDigit) }) { i += 1 }
    while at({ $0.count >= 5 || $0.count == 4 && ASCII.isDigit($0[0]) }) { i += 1 }
    while at({ $0.count == 1 }) {
      let isPrivate = tags[i] == [UInt8(ascii: "x")]
      i += 1
      var count = 0
      while at({ isPrivate || $0.count > 1 }) { (i, count) = (i + 1, count + 1) }
      guard count > 0 else { return false }
    }
    return i == tags.count
  }

  // MARK: URIs (RFC 3986)

  /// Is it a URI, as far as its looks tell: a scheme, no blanks, no control characters (RFC 3986 2)?
  static func looksLikeURI(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard start < end, ASCII.isLetter(bytes[start]) else { return false }
    var i = start
    while i < end, isTokenByte(bytes[i]) || bytes[i] == UInt8(ascii: "+") || bytes[i] == ASCII.dot { i += 1 }
    guard i < end, bytes[i] == ASCII.colon else { return false }
    return ByteSearch.firstMarked(in: bytes, from: i, to: end) { $0.marks(below: 33) | $0.marks(of: 127) } == end
  }

  /// Is it surely a URI? One with percent escapes or backslashes, or a tel URI that is not of digits alone, needs a closer look.
  static func isPlainURI(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var i = start
    while i < end, isTokenByte(bytes[i]) || bytes[i] == UInt8(ascii: "+") || bytes[i] == ASCII.dot { i += 1 }
    guard i < end - 1, i > start, bytes[i] == ASCII.colon, ASCII.isLetter(bytes[start]) else { return false }
    let isTel = i - start == 3 && bytes[start] | 32 == UInt8(ascii: "t") && bytes[i - 1] | 32 == UInt8(ascii: "l")
    i += 1
    if isTel {
      if bytes[i] == UInt8(ascii: "+") { i += 1 }
      guard i < end, ASCII.isDigit(bytes[i]) else { return false }
      while i < end, ASCII.isDigit(bytes[i]) || bytes[i] == ASCII.dash { i += 1 }
      return i == end
    }
    while i < end {
      let byte = bytes[i]
      if ASCII.isLetter(byte) || ASCII.isDigit(byte) {
        i += 1
        continue
      }
      switch byte {
      case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "&")...UInt8(ascii: "/"), ASCII.colon, ASCII.semicolon,
        ASCII.equals, UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "~"):
        i += 1
      default: return false
      }
    }
    return true
  }

  /// What keeps a text from being a URI, to be read behind "it"; nil for a URI. A URI has characters beyond ASCII percent-encoded.
  static func uriFault(_ text: String) -> String? {
    guard let scheme = text.uriScheme else { return "has no scheme such as https:" }
    if text.utf8.count == scheme.utf8.count + 1 { return "ends behind its scheme" }
    let bytes = Array(text.utf8)
    for (i, byte) in bytes.enumerated() {
      if byte >= 0x80 { return "has characters beyond ASCII, which have to be percent-encoded" }
      switch byte {
      case 37:
        let isHex = i + 2 < bytes.count && ASCII.hexValue(bytes[i + 1]) != nil && ASCII.hexValue(bytes[i + 2]) != nil
        if !isHex { return "has a % without two hexadecimal digits behind it" }
      case ASCII.space: return "has a blank"
      case UInt8(ascii: "<"), UInt8(ascii: ">"), ASCII.quote, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "|"), ASCII.backslash,
        ASCII.caret, UInt8(ascii: "`"):
        return "has a \(String(UnicodeScalar(byte))), which has to be percent-encoded"
      default: break
      }
    }
    return nil
  }

  /// What keeps a tel URI from being one by RFC 3966, to be read behind "it"; nil where nothing does.
  static func telFault(_ text: String) -> String? {
    guard text.lowercased().hasPrefix("tel:") else { return nil }
    let number = text.dropFirst(4).utf8.prefix { $0 != ASCII.semicolon }
    let isGlobal = number.first == UInt8(ascii: "+")
    let digits = isGlobal ? number.dropFirst() : number
    let allowed = isGlobal ? "-.()" : "-.()*#abcdefABCDEF"
    guard digits.contains(where: ASCII.isDigit), digits.allSatisfy({ ASCII.isDigit($0) || allowed.utf8.contains($0) }) else {
      return "has other characters than digits, hyphens, points and parentheses in its number"
    }
    return nil
  }

  /// `type/subtype`, perhaps with parameters.
  static func isMediaType(_ text: some StringProtocol) -> Bool {
    let pieces = text.split(separator: ";", omittingEmptySubsequences: false)
    let names = (pieces.first ?? "").split(separator: "/", omittingEmptySubsequences: false)
    func isName(_ name: Substring) -> Bool {
      !name.isEmpty && name.utf8.allSatisfy { isTokenByte($0) || "!#$&.+^_".utf8.contains($0) }
    }
    guard names.count == 2, names.allSatisfy({ isName(Substring($0)) }) else { return false }
    return pieces.dropFirst().allSatisfy { piece in
      let sides = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return sides.count == 2 && isName(Substring(sides[0].drop { $0 == " " })) && !sides[1].isEmpty
    }
  }

  // MARK: Offsets from UTC

  /// `-0500` or `-05` (4.0), `-05:00` (3.0), any of them (2.1).
  static func isOffset(_ text: some StringProtocol, in version: CardVersion) -> Bool {
    let bytes = Array(text.utf8)
    guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == ASCII.dash else { return false }
    let hasColon = bytes.count == 6 && bytes[3] == ASCII.colon
    let digits = bytes.dropFirst().filter { $0 != ASCII.colon }
    guard digits.allSatisfy(ASCII.isDigit), digits.count == 4 || digits.count == 2, hasColon || digits.count + 1 == bytes.count else {
      return false
    }
    func pair(_ at: Int) -> Int { Int(digits[at] - 48) * 10 + Int(digits[at + 1] - 48) }
    guard pair(0) <= 23, digits.count < 4 || pair(2) <= 59 else { return false }
    switch version {
    case .v40: return !hasColon
    case .v30: return hasColon
    case .v21: return true
    }
  }

  // MARK: XML and JSON, at a glance

  /// Begins and ends it like one XML element?
  static func looksLikeElement(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count > 3 && bytes[0] == UInt8(ascii: "<") && ASCII.isLetter(bytes[1]) && bytes[bytes.count - 1] == UInt8(ascii: ">")
  }

  /// A text, shortened for a message.
  static func excerpt(_ text: some StringProtocol) -> String { text.count > 48 ? String(text.prefix(45)) + "..." : String(text) }
}
