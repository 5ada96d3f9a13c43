// What people read on a terminal is made safe: control, bidi and zero-width characters are shown as escapes.
import Bytes

/// Contacts and file names come from strangers; a terminal would obey what is hidden in them.
enum TerminalText {
  /// How a dangerous character is written.
  enum Form {
    /// `\u{202E}`, and `\xFF` for a byte that is no UTF-8; `\n`, `\r` and `\t` for line breaks and tabs.
    case plain
    /// Inside a JSON string: `\u202e`.
    case json
  }

  /// Adds the bytes to `out`, dangerous characters as escapes, and returns how many bytes were used.
  ///
  /// With `keepingLines`, line breaks (LF, CRLF) and tabs stay what they are. Unless this is the last piece, a character that is
  /// not complete at the end is left for the next one.
  static func escape(
    _ bytes: Span<UInt8>, into out: inout ByteBuffer, keepingLines: Bool, isLast: Bool, form: Form = .plain
  ) -> Int {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte >= 32, byte < 127 {
        out.append(byte)
        index += 1
        continue
      }
      if byte < 128 {
        if byte == ASCII.carriageReturn, keepingLines {
          if index + 1 == bytes.count, !isLast { return index }
          if index + 1 < bytes.count, bytes[index + 1] == ASCII.lineFeed {
            out.append("\r\n")
            index += 2
            continue
          }
        }
        if keepingLines, byte == ASCII.lineFeed || byte == ASCII.tab {
          out.append(byte)
        } else {
          appendEscape(UInt32(byte), into: &out, form: form)
        }
        index += 1
        continue
      }
      switch scalar(bytes, at: index) {
      case .character(let code, let length):
        if isDangerous(code) {
          appendEscape(code, into: &out, form: form)
        } else {
          out.append(bytes, index, index + length)
        }
        index += length
      case .incomplete where !isLast: return index
      case .incomplete, .invalid:
        if form == .json {
          out.append(text: "\u{FFFD}")
        } else {
          out.append("\\x")
          appendHex(UInt32(byte), digits: 2, into: &out, letters: 55)
        }
        index += 1
      }
    }
    return index
  }

  /// The text with dangerous characters as escapes, on one line.
  static func escaped(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var out = ByteBuffer(capacity: bytes.count + 16)
    _ = escape(bytes.span, into: &out, keepingLines: false, isLast: true)
    return out.text()
  }

  /// C1 controls, characters that have no width, and those that turn the direction of writing.
  static func isDangerous(_ code: UInt32) -> Bool {
    switch code {
    case 0...0x1F, 0x7F...0x9F, 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F: true
    case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB: true
    case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF: true
    default: false
    }
  }

  private enum Decoded {
    case character(UInt32, length: Int)
    case incomplete, invalid
  }

  /// The character whose first byte, not ASCII, stands at `index`.
  private static func scalar(_ bytes: Span<UInt8>, at index: Int) -> Decoded {
    let first = bytes[index]
    let length: Int
    var code: UInt32
    switch first {
    case 0xC2...0xDF: (length, code) = (2, UInt32(first & 0x1F))
    case 0xE0...0xEF: (length, code) = (3, UInt32(first & 0x0F))
    case 0xF0...0xF4: (length, code) = (4, UInt32(first & 0x07))
    default: return .invalid
    }
    for offset in 1..<length {
      if index + offset == bytes.count { return .incomplete }
      let next = bytes[index + offset]
      if next & 0xC0 != 0x80 { return .invalid }
      code = code << 6 | UInt32(next & 0x3F)
    }
    let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
    if code < least || code > 0x10FFFF || 0xD800...0xDFFF ~= code { return .invalid }
    return .character(code, length: length)
  }

  private static func appendEscape(_ code: UInt32, into out: inout ByteBuffer, form: Form) {
    switch (code, form) {
    case (9, _): out.append("\\t")
    case (10, _): out.append("\\n")
    case (13, _): out.append("\\r")
    case (_, .plain):
      out.append("\\u{")
      out.append(text: String(code, radix: 16, uppercase: true))
      out.append("}")
    case (0x10000..., .json):
      for unit in [0xD800 + (code - 0x10000) >> 10, 0xDC00 + (code - 0x10000) & 0x3FF] {
        out.append("\\u")
        appendHex(unit, digits: 4, into: &out, letters: 87)
      }
    case (_, .json):
      out.append("\\u")
      appendHex(code, digits: 4, into: &out, letters: 87)
    }
  }

  /// `letters` is what makes a letter of a digit above nine: 55 for upper case, 87 for lower case.
  private static func appendHex(_ number: UInt32, digits: Int, into out: inout ByteBuffer, letters: UInt8) {
    for place in (0..<digits).reversed() {
      let digit = UInt8(truncatingIfNeeded: number >> UInt32(place * 4) & 15)
      out.append(digit < 10 ? 48 + digit : letters + digit)
    }
  }
}
