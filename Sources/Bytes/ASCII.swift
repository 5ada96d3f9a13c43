// Letters as numbers: the ASCII bytes that the formats are made of, and letter case by hand (never by locale).

/// ASCII codes by name, and the few questions that grammars ask of a byte.
public enum ASCII {
  public static let tab: UInt8 = 9, lineFeed: UInt8 = 10, carriageReturn: UInt8 = 13, space: UInt8 = 32, quote: UInt8 = 34
  public static let apostrophe: UInt8 = 39, comma: UInt8 = 44, dash: UInt8 = 45, dot: UInt8 = 46, slash: UInt8 = 47, colon: UInt8 = 58
  public static let semicolon: UInt8 = 59, equals: UInt8 = 61, backslash: UInt8 = 92, caret: UInt8 = 94

  /// `0` to `9`.
  @inlinable @inline(__always) public static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  /// `A` to `Z` and `a` to `z`.
  @inlinable @inline(__always) public static func isLetter(_ byte: UInt8) -> Bool { (byte | 32) &- 97 < 26 }

  /// Space or tab.
  @inlinable @inline(__always) public static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

  /// The byte in lower case if it is a letter.
  @inlinable @inline(__always) public static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 32 : byte }

  /// The byte in upper case if it is a letter.
  @inlinable @inline(__always) public static func uppercased(_ byte: UInt8) -> UInt8 { byte &- 97 < 26 ? byte & 0xDF : byte }

  /// The value of a hexadecimal digit, nil for any other byte.
  @inlinable public static func hexValue(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte &- 48 }
    let letter = (byte | 32) &- 97
    return letter < 6 ? letter &+ 10 : nil
  }
}
