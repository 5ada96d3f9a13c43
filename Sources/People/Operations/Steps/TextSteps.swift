// The steps of normalizing that look at one text at a time: white space, e-mail addresses, URLs, wrongly decoded text.

internal import Bytes
internal import CardSyntax

extension NormalizationStep {
  // MARK: White space

  /// Takes white space off texts and their parts.
  static func trim(_ draft: inout CardDraft) {
    let bytes = draft.engine.card.bytes
    let escapes = draft.version != .v21
    for unit in draft.units.indices {
      let traits = draft.units[unit].traits
      guard traits.contains(.claimed), !traits.contains(.media) else { continue }
      // Only values of several parts have blanks inside that may go.
      let isWhole = traits.contains(.whole)
      if let (start, end) = draft.written(unit), isWhole || !draft.units[unit].hasCompanions,
        !hasLooseBlank(bytes.span, start, end, divided: !isWhole, escapes: escapes)
      {
        continue
      }
      guard var value = draft.value(unit) else { continue }
      let trimmed = value.tree.mapped { _, text in withoutOuterBlanks(text) }
      guard trimmed != value.tree else { continue }
      value.tree = trimmed
      draft.change(unit, value, "white space was taken off")
    }
  }

  /// May a value begin or end with white space or, with `divided`, one of its parts? With `escapes` no part ends at a separator behind a
  /// backslash.
  private static func hasLooseBlank(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, divided: Bool, escapes: Bool) -> Bool {
    guard end > start else { return false }
    if mayBeginBlank(bytes, start, end) || mayEndBlank(bytes, start, end) { return true }
    guard divided else { return false }
    let last = end - 1
    var word = start + 1
    while word < last {
      let text = Words.loadUpTo8(bytes, word, last)
      var separators = Words.exactMarks(text, of: ASCII.semicolon) | Words.exactMarks(text, of: ASCII.comma)
      while separators != 0 {
        let i = word + Words.firstMark(separators)
        separators &= separators &- 1
        if mayBeginBlank(bytes, i + 1, end) || mayEndBlank(bytes, start, i), !(escapes && isEscaped(bytes, start, i)) { return true }
      }
      word += 8
    }
    return false
  }

  /// Stands an odd number of backslashes before the byte?
  private static func isEscaped(_ bytes: Span<UInt8>, _ start: Int, _ position: Int) -> Bool {
    var first = position
    while first > start, bytes[first - 1] == ASCII.backslash { first -= 1 }
    return (position - first) % 2 == 1
  }

  @inline(__always)
  private static func mayBeginBlank(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    switch bytes[start] {
    case 0...32, 0xC2: true
    case ASCII.backslash: start + 1 < end && bytes[start + 1] | 32 == UInt8(ascii: "n")
    case 0x80...: start + 3 <= end && mayBeBlank(bytes, start)
    default: false
    }
  }

  /// Do three bytes begin like white space beyond ASCII: U+1680, U+2000 to U+205F, U+3000, U+FEFF?
  private static func mayBeBlank(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
    switch (bytes[start], bytes[start + 1]) {
    case (0xE1, 0x9A), (0xE2, 0x80), (0xE2, 0x81), (0xE3, 0x80), (0xEF, 0xBB): true
    default: false
    }
  }

  @inline(__always)
  private static func mayEndBlank(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    let last = bytes[end - 1]
    if last <= 32 { return true }
    if last | 32 == UInt8(ascii: "n") { return end - start > 1 && bytes[end - 2] == ASCII.backslash }
    guard last >= 0x80 else { return false }
    return end - start > 1 && bytes[end - 2] == 0xC2 || end - start > 2 && mayBeBlank(bytes, end - 3)
  }

  private static func withoutOuterBlanks(_ text: String) -> String {
    func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace || scalar == "\u{FEFF}" }
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let last = scalars.last, isBlank(first) || isBlank(last) else { return text }
    guard let start = scalars.firstIndex(where: { !isBlank($0) }), let end = scalars.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(scalars[start...end])
  }

  // MARK: E-mail addresses

  /// Takes `mailto:` off e-mail addresses and writes their domains in small letters.
  static func unifyEmails(_ draft: inout CardDraft) {
    let bytes = draft.engine.card.bytes
    let emails = DraftTraits.emails
    for unit in draft.units.indices where draft.units[unit].field == emails {
      if let (start, end) = draft.written(unit), isUsualAddress(bytes.span, start, end) { continue }
      guard var value = draft.value(unit), let old = value.tree.plainText else { continue }
      let address = normalized(email: old)
      guard address != old else { continue }
      value.tree.plainText = address
      value.annotations.parameters.removeAll { $0.name == "value" }
      draft.change(unit, value, "\(old) is written as \(address)")
    }
  }

  /// Are all letters small ones of ASCII, and is there no scheme?
  private static func isUsualAddress(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var i = start
    while i < end {
      let word = Words.loadUpTo8(bytes, i, end)
      if word & Words.highs | Words.capitalMarks(word) | Words.zeroMarks(word ^ Words.repeating(ASCII.colon)) != 0 { return false }
      i += 8
    }
    return true
  }

  /// An e-mail address with its domain in small letters and without `mailto:`; text that is none stays.
  static func normalized(email text: String) -> String {
    var address = text[...]
    if address.lowercased().hasPrefix("mailto:"), !address.contains("?"), !address.contains("%") { address = address.dropFirst(7) }
    guard let at = address.lastIndex(of: "@"), !address.contains(where: \.isWhitespace), at > address.startIndex else { return text }
    return address[...at] + address[address.index(after: at)...].lowercased()
  }

  // MARK: URLs

  /// Writes scheme and host of URLs in small letters (RFC 3986 6.2.2.1), and gives a bare host the scheme that it is typed without.
  static func unifyURLs(_ draft: inout CardDraft) {
    guard draft.traits.contains(.uri) else { return }
    let bytes = draft.engine.card.bytes
    for unit in draft.units.indices where draft.units[unit].traits.contains(.uri) {
      if let (start, end) = draft.written(unit), isUsualURL(bytes.span, start, end) { continue }
      guard let old = draft.text(unit) else { continue }
      let url = normalized(url: old)
      guard url != old, var value = draft.value(unit), value.annotations.values("value")?.first?.lowercased() != "text" else { continue }
      value.tree.plainText = url
      draft.change(unit, value, "\(old) is written as \(url)")
    }
  }

  /// Is the value a web address whose scheme and host are in small letters? What a step has changed is looked at.
  private static func isUsualURL(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var slashes = 0
    for i in start..<end {
      let byte = bytes[i]
      if byte == ASCII.slash { slashes += 1 }
      if slashes == 3 { return true }
      if byte >= 0x80 || byte == ASCII.backslash || byte <= 32 || ASCII.lowercased(byte) != byte { return false }
      if slashes == 0, byte == ASCII.dot { return false }
    }
    return slashes == 2
  }

  /// A URL with scheme and host in small letters; text that is none stays.
  static func normalized(url text: String) -> String {
    guard !text.contains(where: \.isWhitespace) else { return text }
    guard let scheme = text.uriScheme, text.dropFirst(scheme.count + 1).first.map({ !$0.isNumber }) ?? true else {
      return isBareHost(text) ? "http://" + lowercasingHost(text[...]) : text
    }
    let rest = text.dropFirst(scheme.count + 1)
    guard rest.hasPrefix("//") else { return scheme.lowercased() + ":" + rest }
    return scheme.lowercased() + "://" + lowercasingHost(rest.dropFirst(2))
  }

  private static func lowercasingHost(_ text: Substring) -> String {
    let authority = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let user = authority.lastIndex(of: "@").map { authority[...$0] } ?? ""
    return user + authority.dropFirst(user.count).lowercased() + text.dropFirst(authority.count)
  }

  /// Is the text a host, perhaps with a path, as people type it?
  private static func isBareHost(_ text: String) -> Bool {
    let host = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count >= 2, let top = labels.last, top.count >= 2, top.allSatisfy(\.isLetter) else { return false }
    guard labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }) else { return false }
    return !["html", "htm", "php", "pdf", "jpg", "jpeg", "png", "gif", "txt", "vcf"].contains(top.lowercased())
  }

  // MARK: Wrongly decoded text

  /// Puts text right that was decoded with Windows-1252 where it was UTF-8. Only whole values are changed, and only where all of it is
  /// UTF-8 then: `João Ãvila` stays.
  static func mendMojibake(_ draft: inout CardDraft) {
    let bytes = draft.engine.card.bytes
    for unit in draft.units.indices {
      if var text = draft.unclaimed(unit) {
        guard let mended = Mojibake.mended(text.value) else { continue }
        text.value = mended
        draft.change(unit, text, "text that was decoded with the wrong character set was put right")
        continue
      }
      if !draft.units[unit].traits.isDisjoint(with: [.media, .uri]) { continue }
      if let (start, end) = draft.written(unit), !draft.units[unit].hasCompanions,
        ByteSearch.firstHighBit(in: bytes.span, from: start, to: end) == end
      {
        continue
      }
      guard var value = draft.value(unit) else { continue }
      var isMended = false
      let tree = value.tree.mapped { _, text in
        guard let mended = Mojibake.mended(text) else { return text }
        isMended = true
        return mended
      }
      for i in value.annotations.labels.indices {
        guard let mended = Mojibake.mended(value.annotations.labels[i]) else { continue }
        value.annotations.labels[i] = mended
        isMended = true
      }
      guard isMended else { continue }
      value.tree = tree
      draft.change(unit, value, "text that was decoded with the wrong character set was put right")
    }
  }
}

/// Text in UTF-8 that was read as Windows-1252 (or ISO 8859-1) and saved again.
enum Mojibake {
  /// The byte of each character that Windows-1252 has above ASCII.
  private static let bytes: [UInt32: UInt8] = {
    var found: [UInt32: UInt8] = [:]
    for (index, unit) in CodePage.latin1.upperHalf.enumerated() { found[UInt32(unit)] = UInt8(0x80 + index) }
    // ISO 8859-1 has control characters where Windows-1252 has marks.
    for byte in UInt8(0x80)...0x9F where found[UInt32(byte)] == nil { found[UInt32(byte)] = byte }
    return found
  }()

  /// The text as it was meant; nil where it is no such text. What was damaged twice is mended twice.
  static func mended(_ text: String) -> String? {
    var result: String?
    var current = text
    while let next = once(current), result != next {
      result = next
      current = next
    }
    return result
  }

  private static func once(_ text: String) -> String? {
    var encoded: [UInt8] = []
    var isASCII = true
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        encoded.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        guard let byte = bytes[scalar.value] else { return nil }
        encoded.append(byte)
        isASCII = false
      }
    }
    guard !isASCII, let decoded = String(validating: encoded, as: UTF8.self) else { return nil }
    return decoded.unicodeScalars.contains { (0x80...0x9F).contains($0.value) || $0.value == 0xFFFD } ? nil : decoded
  }
}
