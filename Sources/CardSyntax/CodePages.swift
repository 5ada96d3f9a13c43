// The 8-bit code pages that are at home here: what their bytes above 0x7F mean, and back. All others are the C library's.
internal import Bytes

/// A code page of one byte per character whose lower half is ASCII.
package enum CodePage: UInt8, Sendable, Hashable {
  case latin1, latin9, windows1250, windows1251, windows1252, macRoman

  /// What the bytes 0x80 to 0xFF mean as UTF-16 units; U+FFFD for bytes without a meaning.
  package var upperHalf: [UInt16] {
    switch self {
    case .latin1: Self.latin1Units
    case .latin9: Self.latin9Units
    case .windows1250: Self.windows1250Units
    case .windows1251: Self.windows1251Units
    case .windows1252: Self.windows1252Units
    case .macRoman: Self.macRomanUnits
    }
  }

  /// Writes `start ..< end` as UTF-8; false when a byte had no meaning and U+FFFD stands for it.
  func decode(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to buffer: inout ByteBuffer) -> Bool {
    let units = upperHalf
    var clean = true
    var position = start
    while position < end {
      let high = ByteSearch.firstHighBit(in: bytes, from: position, to: end)
      buffer.append(bytes, position, high)
      position = high
      while position < end && bytes[position] >= 0x80 {
        let unit = units[Int(bytes[position] & 0x7F)]
        if unit == 0xFFFD { clean = false }
        UTF8Check.append(scalar: UInt32(unit), to: &buffer)
        position &+= 1
      }
    }
    return clean
  }

  /// The byte for a character above U+007F, nil if the code page has none.
  ///
  /// ISO 8859-1 is read as Windows-1252 but written as ISO says: 0x80 to 0x9F are not sent to a stranger as typographic quotes.
  func byte(for scalar: UInt32, in units: [UInt16]) -> UInt8? {
    if self == .latin1 { return scalar < 0x100 ? UInt8(truncatingIfNeeded: scalar) : nil }
    guard scalar < 0xFFFD, let index = units.firstIndex(of: UInt16(truncatingIfNeeded: scalar)) else { return nil }
    return UInt8(truncatingIfNeeded: 0x80 &+ index)
  }

  /// Writes valid UTF-8 in the code page; false when a character does not fit and `?` stands for it.
  func encode(_ utf8: Span<UInt8>, _ start: Int, _ end: Int, to buffer: inout ByteBuffer) -> Bool {
    let units = upperHalf
    var fits = true
    var position = start
    while position < end {
      let high = ByteSearch.firstHighBit(in: utf8, from: position, to: end)
      buffer.append(utf8, position, high)
      position = high
      while position < end && utf8[position] >= 0x80 {
        let scalar = UTF8Check.scalar(utf8, position)
        let byte = byte(for: scalar.value, in: units)
        if byte == nil { fits = false }
        buffer.append(byte ?? 0x3F)
        position &+= scalar.length
      }
    }
    return fits
  }

  /// The UTF-16 units of 128 characters of the basic plane.
  private static func units(_ characters: String...) -> [UInt16] {
    var units: [UInt16] = []
    for row in characters { units.append(contentsOf: row.utf16) }
    precondition(units.count == 128)
    return units
  }

  /// 0xA0 to 0xFF of ISO 8859-1.
  private static let latin1Upper =
    "\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ"

  /// ISO 8859-1 as it is found: 0x80 to 0x9F are Windows-1252's characters, and the control characters where that has none.
  private static let latin1Units = units("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}", "\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ", latin1Upper)

  /// Windows-1252, Western Europe.
  private static let windows1252Units = units("€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}", "\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ", latin1Upper)

  /// ISO 8859-15, Western Europe with the euro.
  private static let latin9Units = units(
    "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8A}\u{8B}\u{8C}\u{8D}\u{8E}\u{8F}",
    "\u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9A}\u{9B}\u{9C}\u{9D}\u{9E}\u{9F}",
    "\u{A0}¡¢£€¥Š§š©ª«¬\u{AD}®¯", "°±²³Žµ¶·ž¹º»ŒœŸ¿", "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ", "ÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß", "àáâãäåæçèéêëìíîï", "ðñòóôõö÷øùúûüýþÿ"
  )

  /// Windows-1250, Central Europe.
  private static let windows1250Units = units(
    "€\u{FFFD}‚\u{FFFD}„…†‡\u{FFFD}‰Š‹ŚŤŽŹ", "\u{FFFD}‘’“”•–—\u{FFFD}™š›śťžź", "\u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż", "°±˛ł´µ¶·¸ąş»Ľ˝ľż",
    "ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎ", "ĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß", "ŕáâăäĺćçčéęëěíîď", "đńňóôőö÷řůúűüýţ˙"
  )

  /// Windows-1251, Cyrillic.
  private static let windows1251Units = units(
    "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏ", "ђ‘’“”•–—\u{FFFD}™љ›њќћџ", "\u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї", "°±Ііґµ¶·ё№є»јЅѕї",
    "АБВГДЕЖЗИЙКЛМНОП", "РСТУФХЦЧШЩЪЫЬЭЮЯ", "абвгдежзийклмноп", "рстуфхцчшщъыьэюя"
  )

  /// Apple's Mac OS Roman (0xC6 is U+2206 and 0xF0 the apple, where the GNU C library has Δ and U+E01E).
  private static let macRomanUnits = units(
    "ÄÅÇÉÑÖÜáàâäãåçéè", "êëíìîïñóòôöõúùûü", "†°¢£§•¶ß®©™´¨≠ÆØ", "∞±≤≥¥µ∂∑∏π∫ªºΩæø",
    "¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ", "–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ", "‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ", "\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ"
  )
}
