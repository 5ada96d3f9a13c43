// Told by the first bytes: which of the formats in JSON an input is.

internal import Bytes

/// What the beginning of an input says of its format.
package enum SniffedFormat {
  /// The format of JSON text that begins at `start`; nil where no JSON begins there.
  ///
  /// `["vcard"`, in an array or not, is a jCard; an object that says `"@type":"Card"` is JSContact; all else is the record.
  package static func json(_ bytes: Span<UInt8>, from start: Int) -> ContactFormat? {
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
