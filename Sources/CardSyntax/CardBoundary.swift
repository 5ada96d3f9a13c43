// Where a file of cards may be cut so that its parts can be read by themselves.

internal import Bytes

/// The place between two cards. It is only taken where a line `END:VCARD` stands right before a line `BEGIN:VCARD`: whatever the parser
/// made of the lines before, no card goes on there.
package enum CardBoundary {
  /// The line that begins every part but the first, and ends every part but the last, so that its reader sees that a card begins.
  package static var beginLine: StaticString { "BEGIN:VCARD" }

  /// The last place behind `from` where the bytes may be cut; nil where there is none.
  package static func last(in bytes: Span<UInt8>, from: Int) -> Int? {
    let word = beginLine
    let length = word.utf8CodeUnitCount
    var i = bytes.count - length - 1
    while i > from {
      if bytes[i - 1] == ASCII.lineFeed, bytes[i] | 32 == UInt8(ascii: "b"), stands(word, in: bytes, at: i),
        ASCII.isLineEnd(bytes[i + length])
      {
        var end = i - 1
        if end > from, bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
        let start = end - 9
        if start > from, ASCII.isLineEnd(bytes[start - 1]), stands("END:VCARD", in: bytes, at: start) { return i }
      }
      i -= 1
    }
    return nil
  }

  private static func stands(_ word: StaticString, in bytes: Span<UInt8>, at start: Int) -> Bool {
    guard start >= 0, start + word.utf8CodeUnitCount <= bytes.count else { return false }
    return word.withUTF8Buffer { letters in
      for k in 0..<letters.count where unsafe ASCII.uppercased(bytes[start + k]) != letters[k] { return false }
      return true
    }
  }
}

extension ASCII {
  fileprivate static func isLineEnd(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }
}
