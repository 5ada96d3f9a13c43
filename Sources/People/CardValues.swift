// The values of a card's lines: where they stand, what they say, and how they are cut.

internal import Bytes
package import CardSyntax

extension CardView {
  /// The range of a line's value.
  @inline(__always)
  package func valueRange(_ line: Int) -> (start: Int, end: Int) { (Int(lines[line].valueStart), Int(lines[line].valueEnd)) }

  /// The value of a line as written, still escaped.
  package func rawValue(_ line: Int) -> String {
    String(decoding: bytes[Int(lines[line].valueStart)..<Int(lines[line].valueEnd)], as: UTF8.self)
  }

  /// The value of a line as one text, base64 (`ENCODING=b` on a text) undone.
  package func text(_ line: Int) -> String {
    let (start, end) = valueRange(line)
    return text(start, end, isBase64: lines[line].flags.contains(.base64))
  }

  /// Is the value of a line a URI, as far as its looks tell?
  func looksLikeURI(_ line: Int) -> Bool { withText(line) { ValueSyntax.looksLikeURI($0, $1, $2) } }

  /// Lends the value of a line as one text; where nothing has to be undone these are the card's own bytes.
  @inline(__always)
  package func withText<Result>(_ line: Int, _ body: (Span<UInt8>, Int, Int) -> Result) -> Result {
    let (start, end) = valueRange(line)
    let bytes = bytes
    let isBase64 = lines[line].flags.contains(.base64)
    if !isBase64, ByteSearch.firstIndex(of: ASCII.backslash, in: bytes.span, from: start, to: end) == end {
      return body(bytes.span, start, end)
    }
    let text = Array(text(start, end, isBase64: isBase64).utf8)
    return body(text.span, 0, text.count)
  }

  /// The text of a part of a value.
  package func text(_ start: Int, _ end: Int, isBase64: Bool = false) -> String {
    var output = ByteBuffer(capacity: end - start + 1)
    if isBase64 {
      _ = Base64.decode(bytes.span, start, end, to: &output)
    } else {
      Escaping.unescape(bytes.span, start, end, version: version, to: &output)
    }
    return output.text()
  }

  /// The name of a line as written.
  package func name(_ line: Int) -> String {
    String(decoding: bytes[Int(lines[line].nameStart)..<Int(lines[line].nameEnd)], as: UTF8.self)
  }

  /// Cuts a value at a separator that is not escaped; calls `body` with the number and range of each part.
  @inline(__always)
  package func split(_ start: Int, _ end: Int, at separator: UInt8, _ body: (_ number: Int, _ start: Int, _ end: Int) -> Void) {
    let span = bytes.span
    var from = start
    var number = 0
    while true {
      let stop = min(Escaping.firstSeparator(separator, in: span, from: from, to: end), end)
      body(number, from, stop)
      guard stop < end else { return }
      from = stop &+ 1
      number += 1
    }
  }

  /// The components of a value, as places.
  package func components(_ start: Int, _ end: Int) -> Components { Components(bytes.span, start, end) }

  /// Which parameters a line has.
  @inline(__always)
  package func parameterSet(_ line: Int) -> ParameterSet { lines[line].known }

  /// Consists the value of separators and blanks alone?
  package func isBlank(_ line: Int, commas: Bool = true) -> Bool {
    let (start, end) = valueRange(line)
    for i in start..<end where !ASCII.isBlank(bytes[i]) && bytes[i] != ASCII.semicolon && !(commas && bytes[i] == ASCII.comma) {
      return false
    }
    return true
  }
}
