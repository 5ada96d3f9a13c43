// Told by the first bytes: which format an input has.

internal import Bytes
internal import CardSyntax

/// What the beginning of an input says of its format.
package enum SniffedFormat {
  /// The format of an input that begins with these bytes, in UTF-8 or UTF-16; vCard where they tell nothing.
  package static func of(_ first: Span<UInt8>) -> ContactFormat {
    var decoder = StreamDecoder()
    var text = ByteBuffer()
    decoder.decode(first, to: &text)
    decoder.finish(to: &text)
    return text.withBytes { bytes in
      var i = 0
      while i < bytes.count, bytes[i] <= ASCII.space { i += 1 }
      guard i < bytes.count else { return .vcard4 }
      if bytes[i] == UInt8(ascii: "<") { return .xcard }
      if ContactSource.isLDIF(bytes) { return .ldif }
      return json(bytes, from: i) ?? (ContactSource.isCSV(bytes) ? .csv : .vcard4)
    }
  }

  /// The format of JSON text that begins at `start`; nil where no JSON begins there.
  ///
  /// `["vcard"`, in an array or not, is a jCard; an object that says `"@type":"Card"` is JSContact; all else is the record.
  static func json(_ bytes: Span<UInt8>, from start: Int) -> ContactFormat? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") else { return nil }
    var i = start
    while i < bytes.count, bytes[i] <= ASCII.space || bytes[i] == UInt8(ascii: "[") { i += 1 }
    if bytes[start] == UInt8(ascii: "["), begins(with: "\"vcard", bytes, i) { return .jcard }
    return saysCard(bytes, from: i) ? .jscontact : .json
  }

  /// Does the member `@type` with the value `Card` stand anywhere in the beginning? In a string, its quotes would have backslashes.
  private static func saysCard(_ bytes: Span<UInt8>, from start: Int) -> Bool {
    var i = ByteSearch.firstIndex(of: UInt8(ascii: "@"), in: bytes, from: start, to: bytes.count)
    while i < bytes.count {
      if i > start, bytes[i - 1] == ASCII.quote, begins(with: "@type\"", bytes, i) {
        var k = i + 6
        while k < bytes.count, bytes[k] <= ASCII.space || bytes[k] == ASCII.colon { k += 1 }
        if begins(with: "\"card\"", bytes, k) { return true }
      }
      i = ByteSearch.firstIndex(of: UInt8(ascii: "@"), in: bytes, from: i + 1, to: bytes.count)
    }
    return false
  }

  /// Does this text stand at `start`, in any letter case?
  private static func begins(with text: StaticString, _ bytes: Span<UInt8>, _ start: Int) -> Bool {
    let word = Array("\(text)".utf8)
    guard start + word.count <= bytes.count else { return false }
    for (k, byte) in word.enumerated() where ASCII.lowercased(bytes[start + k]) != byte { return false }
    return true
  }
}
