// The parameters of a card's lines: found, counted, and read value by value.

internal import Bytes
package import CardSyntax

extension CardView {
  /// The first parameter of this kind of a line; nil where it has none.
  package func parameter(_ known: KnownParameter, of line: Int) -> ParameterEntry? {
    guard lines[line].known.has(known) else { return nil }
    for i in parameterRange(line) where parameters[i].known == known { return parameters[i] }
    return nil
  }

  /// The parameters of a line, as a range of `parameters`.
  @inline(__always)
  package func parameterRange(_ line: Int) -> Range<Int> {
    let first = Int(lines[line].firstParameter)
    return first..<first + Int(lines[line].parameterCount)
  }

  /// Calls `body` for each value of a parameter, with quotes and escapes undone.
  package func forEachValue(_ entry: ParameterEntry, _ body: (String) -> Void) {
    let version = version
    forEachRange(entry) { start, end, isPlain in
      if isPlain { return body(String(decoding: bytes[start..<end], as: UTF8.self)) }
      var text = ByteBuffer()
      ParameterText.unescape(bytes.span, start, end, version: version, keepsBackslashes: entry.known == .jsComps, to: &text)
      body(text.text())
    }
  }

  /// Calls `body` with the range of each value of a parameter, inside its quotes; where it is not plain its escapes are still to be undone.
  @inline(__always)
  package func forEachRange(_ entry: ParameterEntry, _ body: (_ start: Int, _ end: Int, _ isPlain: Bool) -> Void) {
    let (start, end) = (Int(entry.valueStart), Int(entry.valueEnd))
    if entry.isBare {
      // `TEL;FAX,WORK:` means two words, but in Samsung's `X-CUSTOM(…,…)` commas belong to the word.
      let isOne = ByteSearch.firstIndex(of: UInt8(ascii: "("), in: bytes.span, from: start, to: end) < end
      return isOne ? body(start, end, true) : forEachWord(start, end) { body($0, $1, true) }
    }
    ParameterText.forEachValue(bytes.span, start, end) { from, to in
      guard entry.known == .type && !entry.isPlain else { return body(from, to, entry.isPlain) }
      // TYPE="WORK,FAX" is a list as well, and TYPE="TYPE=WORK" repeats the name.
      forEachWord(from, to) { from, to in
        let isRepeated = to - from >= 5 && bytes[from + 4] == ASCII.equals && text(from, from + 4).lowercased() == "type"
        body(isRepeated ? from + 5 : from, to, true)
      }
    }
  }

  /// Calls `body` with the range of each word between commas.
  private func forEachWord(_ start: Int, _ end: Int, _ body: (Int, Int) -> Void) {
    var begin = start
    for i in start...end where i == end || bytes[i] == ASCII.comma {
      if i > begin { body(begin, i) }
      begin = i + 1
    }
  }

  /// The first value of a parameter, as `forEachRange` gives it.
  package func firstRange(_ entry: ParameterEntry, _ body: (Int, Int, Bool) -> Void) {
    var found: (Int, Int, Bool)?
    forEachRange(entry) { if found == nil { found = ($0, $1, $2) } }
    if let found { body(found.0, found.1, found.2) }
  }

  /// The last value of a parameter, as `forEachRange` gives it.
  package func lastRange(_ entry: ParameterEntry, _ body: (Int, Int, Bool) -> Void) {
    var found: (Int, Int, Bool)?
    forEachRange(entry) { found = ($0, $1, $2) }
    if let found { body(found.0, found.1, found.2) }
  }

  /// The number that is the first value of a parameter; nil for anything else.
  package func firstNumber(_ entry: ParameterEntry) -> Int? {
    var text: String?
    forEachValue(entry) { if text == nil { text = $0 } }
    return text.flatMap { Int($0) }
  }

  /// Does a comma stand in the value of a parameter?
  package func hasComma(_ entry: ParameterEntry) -> Bool {
    let end = Int(entry.valueEnd)
    return ByteSearch.firstIndex(of: ASCII.comma, in: bytes.span, from: Int(entry.valueStart), to: end) < end
  }

  /// The number that is the last value of a parameter; nil for anything else.
  package func number(_ entry: ParameterEntry) -> Int? {
    let (start, end) = (Int(entry.valueStart), Int(entry.valueEnd))
    if end - start == 1, ASCII.isDigit(bytes[start]) { return Int(bytes[start] - 48) }
    var number: Int?
    forEachValue(entry) { number = Int($0) }
    return number
  }

  /// All values of a parameter of a line, of all its repeats.
  package func values(_ known: KnownParameter, of line: Int) -> [String] {
    guard lines[line].known.has(known) else { return [] }
    var found: [String] = []
    for i in parameterRange(line) where parameters[i].known == known { forEachValue(parameters[i]) { found.append($0) } }
    return found
  }

  /// Where the value of a parameter stands that a line has once, with one value and nothing to undone; nil for others.
  package func onlyPlainValue(_ known: KnownParameter, of line: Int) -> (start: Int, end: Int)? {
    guard lines[line].known.has(known) else { return nil }
    var found: (start: Int, end: Int)?
    var count = 0
    for i in parameterRange(line) where parameters[i].known == known {
      let entry = parameters[i]
      var (start, end) = (Int(entry.valueStart), Int(entry.valueEnd))
      let isQuoted = end - start >= 2 && bytes[start] == ASCII.quote && bytes[end - 1] == ASCII.quote
      if isQuoted { (start, end) = (start + 1, end - 1) }
      let span = bytes.span
      guard ByteSearch.firstIndex(of: ASCII.quote, or: ASCII.backslash, in: span, from: start, to: end) == end,
        ByteSearch.firstIndex(of: ASCII.caret, or: isQuoted ? ASCII.caret : ASCII.comma, in: span, from: start, to: end) == end
      else { return nil }
      found = (start, end)
      count += 1
    }
    return count == 1 ? found : nil
  }

  /// The first value of a parameter of a line.
  package func value(_ known: KnownParameter, of line: Int) -> String? {
    guard let entry = parameter(known, of: line) else { return nil }
    var found: String?
    forEachValue(entry) { if found == nil { found = $0 } }
    return found
  }

  /// The VALUE of a line in lower case; 2.1's URL is a `uri`. Nil where it has none.
  package func valueType(_ line: Int) -> String? {
    guard let entry = parameter(.value, of: line) else { return nil }
    let known = Self.valueTypes.number(of: bytes.span, Int(entry.valueStart), Int(entry.valueEnd))
    if known > 0 { return Self.valueTypeTexts[Int(known) - 1] }
    var found: String?
    forEachValue(entry) { if found == nil { found = $0.lowercased() } }
    return found == "url" ? "uri" : found
  }

  /// Value types that come often: they need no text of their own.
  private static let valueTypeTexts = [
    "text", "uri", "date", "time", "date-time", "date-and-or-time", "timestamp", "boolean", "integer", "float", "utc-offset",
    "language-tag", "phone-number", "binary", "vcard", "unknown",
  ]
  private static let valueTypes = NameTable(
    valueTypeTexts.enumerated().map { ($1, UInt16($0 + 1)) } + [("url", UInt16((valueTypeTexts.firstIndex(of: "uri") ?? 0) + 1))])
}
