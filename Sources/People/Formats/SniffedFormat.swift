// Told by the first bytes: which of the formats in JSON an input is.

internal import Bytes

/// What the beginning of an input says of its format.
package enum SniffedFormat {
  /// The format of JSON text that begins at `start`; nil where no JSON begins there.
  ///
  /// `["vcard"`, in an array or not, is a jCard; all else is the record.
  package static func json(_ bytes: Span<UInt8>, from start: Int) -> ContactFormat? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") else { return nil }
    var i = start
    while i < bytes.count, bytes[i] <= ASCII.space || bytes[i] == UInt8(ascii: "[") { i += 1 }
    if bytes[start] == UInt8(ascii: "["), begins(with: "\"vcard", bytes, i) { return .jcard }
    return .json
  }

  /// Does this text stand at `start`, in any letter case?
  private static func begins(with text: StaticString, _ bytes: Span<UInt8>, _ start: Int) -> Bool {
    let word = Array("\(text)".utf8)
    guard start + word.count <= bytes.count else { return false }
    for (k, byte) in word.enumerated() where ASCII.lowercased(bytes[start + k]) != byte { return false }
    return true
  }
}
