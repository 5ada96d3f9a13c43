// Quoted-printable (RFC 2045 section 6.7) as vCard 2.1 uses it, and back.
package import Bytes

/// Quoted-printable: bytes that are no plain ASCII written as `=XX`, lines broken by `=` at their end.
package enum QuotedPrintable {
  /// Decodes `start ..< end`, whose lines are joined already; a soft break that is still there is dropped.
  ///
  /// An `=` without two hexadecimal digits stays as it is and makes the result false. The bytes are raw: no charset is applied.
  package static func decode(_ text: Span<UInt8>, _ start: Int, _ end: Int, to buffer: inout ByteBuffer) -> Bool {
    var clean = true
    var position = start
    while position < end {
      if text[position] != ASCII.equals {
        let sign = ByteSearch.firstIndex(of: ASCII.equals, in: text, from: position, to: end)
        buffer.append(text, position, sign)
        position = sign
        continue
      }
      if position &+ 2 < end, let high = ASCII.hexValue(text[position &+ 1]), let low = ASCII.hexValue(text[position &+ 2]) {
        buffer.append(high &<< 4 | low)
        position &+= 3
      } else {
        let next = softBreakEnd(text, position &+ 1, end)
        if next == nil {
          clean = false
          buffer.append(ASCII.equals)
        }
        position = next ?? position &+ 1
      }
    }
    return clean
  }

  /// Where the next line begins if only blanks and a line end stand at `position`; nil if it is no soft break.
  private static func softBreakEnd(_ text: Span<UInt8>, _ position: Int, _ end: Int) -> Int? {
    var position = position
    while position < end && ASCII.isBlank(text[position]) { position += 1 }
    guard position < end else { return nil }
    if text[position] == ASCII.lineFeed { return position + 1 }
    guard text[position] == ASCII.carriageReturn else { return nil }
    return position + 1 < end && text[position + 1] == ASCII.lineFeed ? position + 2 : position + 1
  }

  /// Encodes `start ..< end`, with soft breaks (`=` CR LF) so that no line passes `lineLimit`, and returns the columns used in the last.
  ///
  /// `used` says how many columns of the first line are taken. Encoded are `=`, control characters (so CR LF is `=0D=0A`), all that
  /// is no ASCII, a blank at the end, and at the start of a line a blank (which readers take for a fold) and the first letter of what
  /// looks like a content line (`END:VCARD`), since readers forgive a soft break before one. There is always room left for one more `=`, so that pieces can follow each other. A UTF-8 character is not broken where the limit allows it.
  @discardableResult
  package static func encode(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, lineLimit: Int = 76, used: Int = 0, to buffer: inout ByteBuffer
  ) -> Int {
    let limit = max(lineLimit, 4) - 1
    var column = used
    var isBroken = false
    var position = start
    while position < end {
      let length = limit >= 12 ? characterLength(bytes, position, end) : 1
      let byte = bytes[position]
      let isBlank = byte == ASCII.space
      var encoded = byte <= 0x1F || byte >= 0x7F || byte == ASCII.equals || isBlank && position == end - 1
      if column + (encoded ? 3 * length : 1) > limit && column > 0 {
        buffer.append("=\r\n")
        column = 0
        isBroken = true
      }
      if column == 0, isBlank || isBroken && looksLikeHead(bytes, position, end) { encoded = true }
      if encoded {
        for index in position..<position + length { append(hex: bytes[index], to: &buffer) }
        column += 3 * length
      } else {
        buffer.append(byte)
        column += 1
      }
      position += length
    }
    return column
  }

  /// Do a name and the colon or semicolon behind it stand here?
  private static func looksLikeHead(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var i = start
    while i < end, i - start < 60, ASCII.isLetter(bytes[i]) || ASCII.isDigit(bytes[i]) || bytes[i] == ASCII.dash || bytes[i] == ASCII.dot {
      i += 1
    }
    return i > start && i < end && (bytes[i] == ASCII.colon || bytes[i] == ASCII.semicolon)
  }

  /// How many bytes belong to the UTF-8 character at `position`, 1 where there is none.
  private static func characterLength(_ bytes: Span<UInt8>, _ position: Int, _ end: Int) -> Int {
    let lead = bytes[position]
    guard lead >= 0xC2 && lead <= 0xF4 else { return 1 }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard position + length <= end else { return 1 }
    for index in position + 1..<position + length where bytes[index] & 0xC0 != 0x80 { return 1 }
    return length
  }

  /// Adds `=` and two upper-case hexadecimal digits.
  private static func append(hex byte: UInt8, to buffer: inout ByteBuffer) {
    let high = UInt64(byte &>> 4), low = UInt64(byte & 15)
    let digits = (high &+ (high > 9 ? 55 : 48)) &<< 8 | (low &+ (low > 9 ? 55 : 48)) &<< 16
    buffer.append(word: UInt64(ASCII.equals) | digits, count: 3)
  }
}
