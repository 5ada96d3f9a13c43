// The parts of XML that reader, splitter and writers share: names, references, escapes (XML 1.0, Namespaces in XML 1.0).
public import Bytes

/// A name with its namespace.
package struct XMLName: Equatable, Sendable {
  /// The prefix as written; empty where there is none.
  package var prefix = ""
  /// The name without its prefix.
  package var local = ""
  /// The namespace that the prefix stands for; empty where none is declared.
  package var namespace = ""
}

enum XMLText {
  /// May the byte stand in a name? Bytes beyond ASCII all may: which characters they are is not looked at.
  static func isNameByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80 || byte == ASCII.dash || byte == ASCII.dot || byte == ASCII.colon
      || byte == UInt8(ascii: "_")
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == ASCII.space || byte == ASCII.tab || byte == ASCII.lineFeed || byte == ASCII.carriageReturn
  }

  /// The end of the name at `start`; `start` itself where none is.
  static func nameEnd(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    guard start < end, !ASCII.isDigit(bytes[start]), bytes[start] != ASCII.dash, bytes[start] != ASCII.dot else { return start }
    var i = start
    while i < end, isNameByte(bytes[i]) { i += 1 }
    return i
  }

  /// Adds text with its references resolved and its line ends made LF; in attributes every blank is a space. The five entities of XML
  /// and character references are resolved, nothing else; other references stay as they are written. False where there was one.
  static func append(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, isAttribute: Bool = false, to output: inout ByteBuffer
  ) -> Bool {
    var isWhole = true
    var from = start
    var i = start
    while i < end {
      let byte = bytes[i]
      switch byte {
      case UInt8(ascii: "&"):
        output.append(bytes, from, i)
        let stop = ByteSearch.firstIndex(of: ASCII.semicolon, in: bytes, from: i, to: min(end, i + 12))
        if stop < min(end, i + 12), resolve(bytes, i + 1, stop, to: &output) {
          i = stop + 1
          from = i
          continue
        }
        isWhole = false
        from = i
      case ASCII.carriageReturn:
        output.append(bytes, from, i)
        output.append(isAttribute ? ASCII.space : ASCII.lineFeed)
        if i + 1 < end, bytes[i + 1] == ASCII.lineFeed { i += 1 }
        from = i + 1
      case ASCII.lineFeed where isAttribute, ASCII.tab where isAttribute:
        output.append(bytes, from, i)
        output.append(ASCII.space)
        from = i + 1
      default: break
      }
      i += 1
    }
    output.append(bytes, from, end)
    return isWhole
  }

  /// Adds what the reference `bytes[start ..< end]` (without `&` and `;`) stands for; false where it is none of XML's own.
  private static func resolve(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to output: inout ByteBuffer) -> Bool {
    guard start < end else { return false }
    if bytes[start] == UInt8(ascii: "#") {
      var value: UInt32 = 0
      let isHex = start + 1 < end && bytes[start + 1] == UInt8(ascii: "x")
      let first = start + (isHex ? 2 : 1)
      guard first < end else { return false }
      for i in first..<end {
        guard let digit = ASCII.hexValue(bytes[i]), isHex || digit < 10 else { return false }
        value = min(value * (isHex ? 16 : 10) + UInt32(digit), 0x110000)
      }
      UTF8Check.append(scalar: value == 0 ? 0xFFFD : value, to: &output)
      return true
    }
    let names: [(String, UInt8)] = [
      ("amp", 38), ("lt", 60), ("gt", 62), ("quot", ASCII.quote), ("apos", ASCII.apostrophe),
    ]
    for (name, byte) in names where matches(name, bytes, start, end) {
      output.append(byte)
      return true
    }
    return false
  }

  /// Is `bytes[start ..< end]` this text?
  static func matches(_ text: String, _ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    end - start == text.utf8.count && begins(with: text, bytes, start, end)
  }

  /// Does `bytes[start ..< end]` begin with this text?
  static func begins(with text: String, _ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard start + text.utf8.count <= end else { return false }
    var i = start
    for byte in text.utf8 {
      if bytes[i] != byte { return false }
      i += 1
    }
    return true
  }

  /// A part of bytes as text.
  static func string(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> String {
    bytes.text(start, max(start, end))
  }
}

extension ByteBuffer {
  /// Adds text of an element, its references resolved and its line ends made LF; false where there is a reference that nobody knows.
  package mutating func append(textOfXML bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    XMLText.append(bytes, start, end, to: &self)
  }

  /// Adds a text as content of an element. Characters that XML cannot hold become U+FFFD.
  package mutating func appendXML(_ text: String) {
    let utf8 = text.utf8
    let bytes = utf8.span
    appendXML(bytes, 0, bytes.count)
  }

  /// Adds a text as the value of an attribute, with its quotes.
  package mutating func appendXMLAttribute(_ text: String) {
    append(ASCII.quote)
    let utf8 = text.utf8
    let bytes = utf8.span
    appendXML(bytes, 0, bytes.count, isAttribute: true)
    append(ASCII.quote)
  }

  /// Adds the text in `bytes[start ..< end]`, which is UTF-8, as content of an element or as the inside of an attribute. Characters that
  /// XML cannot hold become U+FFFD.
  package mutating func appendXML(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, isAttribute: Bool = false) {
    var i = start
    while true {
      i = appendXMLRun(bytes, i, end) { $0.marks(of: isAttribute ? ASCII.quote : 0) }
      guard i < end else { return }
      i = appendXMLCharacter(bytes, i, end, isAttribute: isAttribute)
    }
  }

  /// Adds text up to the first byte that XML does not hold as it is, or that has to be looked at with what follows, or that `others` marks;
  /// gives where that stands: `end` where there is none.
  @inlinable @inline(__always)
  package mutating func appendXMLRun(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, others: (ByteBlock) -> ByteBlock.Marks
  ) -> Int {
    append(bytes, start, end) { block in
      let marks = block.marks(below: 32) | block.marks(of: 38) | block.marks(of: 60) | block.marks(of: 62)
      return marks | block.marks(of: 0xEF) | others(block)
    }
  }

  /// Adds the character that begins at `start`, whatever it is, and gives where the next one begins.
  package mutating func appendXMLCharacter(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, isAttribute: Bool = false) -> Int {
    let escape: StaticString? =
      switch bytes[start] {
      case 38: "&amp;"
      case 60: "&lt;"
      case 62: "&gt;"
      case 34: isAttribute ? "&quot;" : nil
      case 13: "&#13;"
      case 10: isAttribute ? "&#10;" : nil
      case 9: isAttribute ? "&#9;" : nil
      case 0xEF:
        // U+FFFE and U+FFFF are no characters.
        if start &+ 2 < end, bytes[start &+ 1] == 0xBF, bytes[start &+ 2] == 0xBE || bytes[start &+ 2] == 0xBF { "\u{FFFD}" } else { nil }
      case let byte: byte < 32 ? "\u{FFFD}" : nil
      }
    guard let escape else {
      append(bytes[start])
      return start &+ 1
    }
    append(escape)
    return start &+ (bytes[start] == 0xEF ? 3 : 1)
  }

  /// May `bytes[start ..< end]` be the name of an element, without a prefix?
  package static func isXMLName(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard start < end, XMLText.nameEnd(bytes, start, end) == end else { return false }
    for i in start..<end where bytes[i] == ASCII.colon || bytes[i] >= 0x80 { return false }
    return true
  }
}
