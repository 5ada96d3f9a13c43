// One JSON value in memory, read token by token (RFC 8259). No tree is built and nothing recurses.
package import Bytes

/// What stands next in a JSON text. The text of a key, string or number is in the reader.
package enum JSONToken: Equatable, Sendable {
  /// A `{`, a `}`, a `[`, a `]`.
  case beginObject, endObject, beginArray, endArray
  /// The name of a member, with its colon.
  case key
  /// A value without parts.
  case string, number, `true`, `false`, null
  /// The value is complete and only blanks followed.
  case end
}

/// Reads one complete JSON value token by token and checks its grammar strictly.
///
/// Member names may come twice; the caller decides. After the first fault every further call throws the same fault.
package struct JSONReader: ~Copyable, Sendable {
  /// What the grammar allows next.
  private enum Expectation: Sendable { case value, valueOrEnd, key, keyOrEnd, commaOrEnd, nothing }

  private let bytes: [UInt8]
  private let limit: Int
  private let maximumDepth: Int
  private var expectation = Expectation.value
  private var nesting = JSONNesting()
  private var failure: DataSyntaxError?
  private var lines: LineCounter

  /// The text of the last key, string or number: unescaped, always valid UTF-8; a number as it was written.
  package private(set) var text = ByteBuffer(capacity: 256)
  /// Strings that are written without escapes are not copied into `text`: then `isInPlace` says that the text stands in the bytes.
  private let leavesInPlace: Bool
  /// The text of the last key or string is `bytes[textStart ..< textEnd]`, which is valid UTF-8, and is not in `text`.
  package private(set) var isInPlace = false
  /// Where the text begins and ends that stands in the bytes.
  package private(set) var textStart = 0, textEnd = 0
  /// The token that `next` returned last; nil before the first.
  package private(set) var lastToken: JSONToken?
  /// Where the last token starts in the bytes.
  package private(set) var tokenStart: Int
  /// Where the last token ends in the bytes.
  package private(set) var position: Int

  /// How many objects and arrays are open.
  package var depth: Int { nesting.depth }
  /// The physical line of the last token; counting costs one pass over the bytes in all, and only if somebody asks.
  package var line: Int { mutating get { lines.place(tokenStart, in: bytes).line } }
  /// The byte of the last token in its line, counted from 1 (in the first line: from `from` on).
  package var column: Int { mutating get { lines.place(tokenStart, in: bytes).column } }

  /// A reader over the bytes from `from` up to, without, `to` (nil: their end); a byte order mark is passed over. Values nest 128 levels
  /// deep at most, whatever `maximumDepth` says.
  package init(
    _ bytes: [UInt8], from: Int = 0, to: Int? = nil, firstLine: Int = 1, maximumDepth: Int = 128, leavesInPlace: Bool = false
  ) {
    let limit = min(max(to ?? bytes.count, 0), bytes.count)
    var start = min(max(from, 0), limit)
    if limit - start >= 3 && bytes[start] == 0xEF && bytes[start + 1] == 0xBB && bytes[start + 2] == 0xBF { start += 3 }
    self.bytes = bytes
    self.limit = limit
    self.maximumDepth = min(maximumDepth, JSONNesting.capacity)
    self.leavesInPlace = leavesInPlace
    tokenStart = start
    position = start
    lines = LineCounter(start: start, line: firstLine)
  }

  /// Passes over the rest of the object or array whose first token was returned last; somebody else has read it, and it ends at `end`.
  package mutating func passOver(to end: Int) {
    _ = leave(lastToken == .beginObject ? .endObject : .endArray)
    position = end
  }

  /// The next token; `.end`, again and again, once the value is complete.
  package mutating func next() throws(DataSyntaxError) -> JSONToken {
    if let failure { throw failure }
    skipBlanks()
    if expectation == .commaOrEnd && position < limit && bytes[position] == ASCII.comma {
      position += 1
      expectation = nesting.endsWith(object: true) ? .key : .value
      skipBlanks()
    }
    tokenStart = position
    let token = try readToken()
    lastToken = token
    return token
  }

  /// Passes over the rest of the value whose first token was returned last; after a key, over the member's value.
  package mutating func skipValue() throws(DataSyntaxError) {
    if lastToken == .key { _ = try next() }
    guard lastToken == .beginObject || lastToken == .beginArray else { return }
    let outside = depth - 1
    while depth > outside { _ = try next() }
  }

  /// Reads the token at the position, where no blank and no comma stands.
  private mutating func readToken() throws(DataSyntaxError) -> JSONToken {
    guard position < limit else {
      if expectation == .nothing { return .end }
      throw fault("The JSON text ends before its value is complete")
    }
    let byte = bytes[position]
    switch expectation {
    case .value: return try readValue(byte)
    case .valueOrEnd: return byte == 0x5D ? leave(.endArray) : try readValue(byte)
    case .keyOrEnd: return byte == 0x7D ? leave(.endObject) : try readKey(byte)
    case .key: return try readKey(byte)
    case .commaOrEnd:
      if nesting.endsWith(object: true) {
        guard byte == 0x7D else { throw fault("Expected a comma or the end of the object") }
        return leave(.endObject)
      }
      guard byte == 0x5D else { throw fault("Expected a comma or the end of the array") }
      return leave(.endArray)
    case .nothing: throw fault("There is text after the end of the value")
    }
  }

  /// Reads a name and its colon.
  private mutating func readKey(_ byte: UInt8) throws(DataSyntaxError) -> JSONToken {
    guard byte == ASCII.quote else { throw fault("Expected the name of a member in quotes") }
    try readString()
    skipBlanks()
    guard position < limit && bytes[position] == ASCII.colon else { throw fault("Expected a colon after the name of a member") }
    position += 1
    expectation = .value
    return .key
  }

  /// Reads a value, or what opens it.
  private mutating func readValue(_ byte: UInt8) throws(DataSyntaxError) -> JSONToken {
    switch byte {
    case 0x7B: return try enter(.beginObject, .keyOrEnd)
    case 0x5B: return try enter(.beginArray, .valueOrEnd)
    case ASCII.quote:
      try readString()
      return finishValue(.string)
    case 0x74: return try readWord("true", .true)
    case 0x66: return try readWord("false", .false)
    case 0x6E: return try readWord("null", .null)
    case ASCII.dash, 48...57:
      try readNumber()
      return finishValue(.number)
    default: throw fault("Expected a value")
    }
  }

  /// Goes one level down.
  private mutating func enter(_ token: JSONToken, _ inside: Expectation) throws(DataSyntaxError) -> JSONToken {
    guard depth < maximumDepth else { throw fault("The JSON text nests deeper than \(maximumDepth) levels") }
    nesting.open(isObject: inside == .keyOrEnd)
    expectation = inside
    position += 1
    return token
  }

  /// Goes one level up.
  private mutating func leave(_ token: JSONToken) -> JSONToken {
    nesting.close()
    position += 1
    return finishValue(token)
  }

  /// Says what may follow a value.
  private mutating func finishValue(_ token: JSONToken) -> JSONToken {
    expectation = nesting.isEmpty ? .nothing : .commaOrEnd
    return token
  }

  /// Reads `true`, `false` or `null`.
  private mutating func readWord(_ word: String, _ token: JSONToken) throws(DataSyntaxError) -> JSONToken {
    for byte in word.utf8 {
      guard position < limit && bytes[position] == byte else { throw fault("Expected `\(word)`") }
      position += 1
    }
    return finishValue(token)
  }

  /// Reads a number as it is written (RFC 8259, section 6).
  private mutating func readNumber() throws(DataSyntaxError) {
    if bytes[position] == ASCII.dash { position += 1 }
    if position < limit && bytes[position] == 48 {
      position += 1
    } else {
      try readDigits("Expected a digit")
    }
    if position < limit && bytes[position] == ASCII.dot {
      position += 1
      try readDigits("Expected a digit after the decimal point")
    }
    if position < limit && bytes[position] | 32 == 0x65 {
      position += 1
      if position < limit && (bytes[position] == 43 || bytes[position] == ASCII.dash) { position += 1 }
      try readDigits("Expected a digit in the exponent")
    }
    isInPlace = false
    text.removeAll()
    text.append(bytes[tokenStart..<position])
  }

  /// Passes over one digit or more.
  private mutating func readDigits(_ complaint: String) throws(DataSyntaxError) {
    guard position < limit && ASCII.isDigit(bytes[position]) else { throw fault(complaint) }
    while position < limit && ASCII.isDigit(bytes[position]) { position += 1 }
  }

  /// Reads a string, which mostly stands in the bytes as it is.
  private mutating func readString() throws(DataSyntaxError) {
    let bytes = self.bytes
    let span = bytes.span
    position += 1
    // The first byte that is no plain ASCII ends most strings; in the others characters are looked at.
    var stop = ByteScan.endOfPlainJSON(span, position, limit)
    if stop < limit, span[stop] >= 0x80 {
      let from = stop
      stop = ByteScan.stopInJSONString(span, from, limit)
      if !UTF8Check.isValid(span, from, stop) { stop = limit }
    }
    if stop < limit, span[stop] == ASCII.quote {
      let start = position
      position = stop + 1
      isInPlace = leavesInPlace
      (textStart, textEnd) = (start, stop)
      if isInPlace { return }
      text.removeAll()
      return text.append(span, start, stop)
    }
    isInPlace = false
    try readEscaped(span)
  }

  /// Reads the rest of a string into `text`.
  private mutating func readEscaped(_ span: Span<UInt8>) throws(DataSyntaxError) {
    text.removeAll()
    while true {
      let stop = ByteScan.endOfPlainJSON(span, position, limit)
      text.append(span, position, stop)
      position = stop
      guard stop < limit else { throw fault("A string is not closed", at: tokenStart) }
      let byte = span[stop]
      if byte == ASCII.quote {
        position += 1
        return
      }
      if byte == ASCII.backslash {
        try readEscape()
      } else if byte < 0x20 {
        throw fault("A control character must be escaped in a string")
      } else {
        readBeyondASCII(span)
      }
    }
  }

  /// Takes all characters beyond ASCII that follow each other, at once where they are UTF-8.
  private mutating func readBeyondASCII(_ span: Span<UInt8>) {
    var runStart = position
    while position < limit && span[position] >= 0x80 {
      let length = UTF8Check.step(span, position, limit)
      if length > 0 {
        position += length
      } else {
        text.append(span, runStart, position)
        text.appendReplacementCharacter()
        position -= length
        runStart = position
      }
    }
    text.append(span, runStart, position)
  }

  /// Reads a backslash and what it stands before.
  private mutating func readEscape() throws(DataSyntaxError) {
    guard position + 1 < limit else { throw fault("A string is not closed", at: tokenStart) }
    switch bytes[position + 1] {
    case ASCII.quote: text.append(ASCII.quote)
    case ASCII.backslash: text.append(ASCII.backslash)
    case ASCII.slash: text.append(ASCII.slash)
    case 0x62: text.append(8)
    case 0x66: text.append(12)
    case 0x6E: text.append(ASCII.lineFeed)
    case 0x72: text.append(ASCII.carriageReturn)
    case 0x74: text.append(ASCII.tab)
    case 0x75: return try readUnicodeEscape()
    default: throw fault("A backslash must be followed by one of \" \\ / b f n r t u")
    }
    position += 2
  }

  /// Reads `\uXXXX`; two surrogates become one character, one alone U+FFFD.
  private mutating func readUnicodeEscape() throws(DataSyntaxError) {
    guard let first = codeUnit(at: position) else { throw fault("Expected four hexadecimal digits after \\u") }
    position += 6
    if first & 0xFC00 == 0xD800, let second = codeUnit(at: position), second & 0xFC00 == 0xDC00 {
      position += 6
      UTF8Check.append(scalar: 0x10000 + (first & 0x3FF) << 10 + second & 0x3FF, to: &text)
    } else {
      UTF8Check.append(scalar: first, to: &text)
    }
  }

  /// The value of the `\uXXXX` at `start`, nil where there is none.
  private func codeUnit(at start: Int) -> UInt32? {
    guard start + 6 <= limit && bytes[start] == ASCII.backslash && bytes[start + 1] == 0x75 else { return nil }
    var unit: UInt32 = 0
    for i in start + 2..<start + 6 {
      guard let digit = ASCII.hexValue(bytes[i]) else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  /// Passes over blanks and line ends.
  @inline(__always)
  private mutating func skipBlanks() {
    if position < limit, bytes[position] > ASCII.space { return }
    skipSomeBlanks()
  }

  private mutating func skipSomeBlanks() {
    while position < limit {
      switch bytes[position] {
      case ASCII.space, ASCII.lineFeed, ASCII.carriageReturn, ASCII.tab: position += 1
      default: return
      }
    }
  }

  /// Remembers what is wrong at `offset` (nil: where reading stands).
  private mutating func fault(_ message: String, at offset: Int? = nil) -> DataSyntaxError {
    var lines = self.lines
    let place = lines.place(offset ?? position, in: bytes)
    let error = DataSyntaxError(message: message, line: place.line, column: place.column)
    failure = error
    return error
  }
}

/// Counts physical lines up to places that come in rising order; each byte is looked at once.
private struct LineCounter: Sendable {
  private var counted: Int
  private var line: Int
  private var lineStart: Int

  /// A counter that begins with `line` at the offset `start`.
  init(start: Int, line: Int) {
    counted = start
    lineStart = start
    self.line = line
  }

  /// Line and column of an offset; CRLF, LF and CR end a line.
  mutating func place(_ offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    let end = min(offset, bytes.count)
    while counted < end {
      counted = ByteSearch.firstIndex(of: ASCII.lineFeed, or: ASCII.carriageReturn, in: bytes.span, from: counted, to: end)
      guard counted < end else { break }
      counted += 1
      if bytes[counted - 1] == ASCII.carriageReturn && counted < bytes.count && bytes[counted] == ASCII.lineFeed { continue }
      line += 1
      lineStart = counted
    }
    return (line, max(offset - lineStart, 0) + 1)
  }
}
