// Texts of 2.1, which has no escape for a backslash.

internal import Bytes
internal import CardSyntax

extension LineWriter {
  /// Would a reader of 2.1 take a backslash of this text for an escape: one before `n`, a comma, a semicolon or a colon that is not
  /// the second of two? With `atEnd` a separator comes behind the text.
  package static func isAmbiguous21(_ text: String, atEnd: Bool) -> Bool {
    guard text.utf8.contains(ASCII.backslash) else { return false }
    var buffer = ByteBuffer(capacity: text.utf8.count)
    buffer.append(text: text)
    return isAmbiguous21(buffer, atEnd: atEnd)
  }

  static func isAmbiguous21(_ text: borrowing ByteBuffer, atEnd: Bool) -> Bool {
    text.withBytes { bytes in
      var i = 0
      while i < bytes.count {
        let run = backslashes(bytes, i)
        i += max(run, 1)
        guard run % 2 == 1 else { continue }
        if i < bytes.count ? Escaping.meaning(of: bytes[i], .v21) != nil || bytes[i] < 32 : atEnd { return true }
      }
      return false
    }
  }

  /// How many backslashes stand at `start`, one behind the other.
  private static func backslashes(_ bytes: Span<UInt8>, _ start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] == ASCII.backslash { end &+= 1 }
    return end - start
  }

  /// The texts of a component as `component` writes them in 2.1 and a reader gets them: with line breaks as `\n`.
  static func component21(_ texts: [String]) -> [UInt8] {
    var written = ByteBuffer()
    for (i, text) in texts.enumerated() {
      if i > 0 { written.append(ASCII.comma) }
      var buffer = ByteBuffer(capacity: text.utf8.count)
      buffer.append(text: text)
      _ = escape21(buffer, texts.count > 1 ? .separators : .semicolons, to: &written)
    }
    return written.array().flatMap { $0 == ASCII.lineFeed ? Array("\\n".utf8) : [$0] }
  }

  /// A text for 2.1: separators escaped, line breaks as LF, which quoted-printable encodes in the end. A backslash that would escape the
  /// separator behind it, or the escape of one, is doubled.
  static func escape21(_ text: borrowing ByteBuffer, _ shape: Escaping.Shape, to line: inout ByteBuffer) -> Int {
    text.withBytes { bytes in
      var dropped = 0
      var run = 0
      for i in bytes.indices {
        let byte = bytes[i]
        let isEnd = i + 1 == bytes.count
        run = byte == ASCII.backslash ? run + 1 : 0
        if run % 2 == 1, !shape.isEmpty, isEnd || shape.escapes(bytes[i + 1]) || bytes[i + 1] == ASCII.lineFeed { line.append(byte) }
        switch byte {
        case ASCII.carriageReturn where i + 1 < bytes.count && bytes[i + 1] == ASCII.lineFeed: break
        case ASCII.carriageReturn: line.append(ASCII.lineFeed)
        case ASCII.tab, ASCII.lineFeed: line.append(byte)
        case 0..<32, 127: dropped += 1
        default:
          if shape.escapes(byte) { line.append(ASCII.backslash) }
          line.append(byte)
        }
      }
      return dropped
    }
  }
}
