// A JSON value as a flat table of its tokens: what stands where, and where each value ends.
package import Bytes

/// The tokens of a JSON value, one behind the other, by their places in the bytes; no text is made. Its memory is used again for the
/// next value.
///
/// It takes what `JSONReader` takes and nothing else, but does not say what is wrong: whoever needs to know asks a `JSONReader`.
package struct JSONTape: ~Copyable, Sendable {
  /// What a token is.
  package enum Kind: UInt8, BitwiseCopyable, Sendable { case object, array, key, string, number, `true`, `false`, null }

  /// A value, or the key before one.
  package struct Token: BitwiseCopyable, Sendable {
    package var kind: Kind
    /// There are backslashes in a key or string.
    package var hasEscapes = false
    /// Where it stands: keys and strings without their quotes, objects and arrays with all that is in them.
    package var start: Int, end: Int
    /// The number of the token behind it: behind all that is in it, and of a key behind its value.
    package var next = 0
  }

  private enum Expectation { case value, valueOrEnd, key, keyOrEnd, commaOrEnd }

  /// The tokens, in the order of the text.
  package private(set) var tokens: [Token] = []
  private var open: [Int] = []

  package init() {}

  /// Reads the value that begins at `start`, blanks before it apart; gives the place behind it, nil where it is not right.
  package mutating func read(_ bytes: Span<UInt8>, from start: Int, maximumDepth: Int) -> Int? {
    tokens.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    var expectation = Expectation.value
    // A byte order mark is passed over.
    let hasMark = start + 3 <= bytes.count && bytes[start] == 0xEF && bytes[start + 1] == 0xBB && bytes[start + 2] == 0xBF
    var i = hasMark ? start + 3 : start
    while true {
      i = Self.firstNoBlank(bytes, i)
      guard i < bytes.count else { return nil }
      let byte = bytes[i]
      switch expectation {
      case .keyOrEnd where byte == 0x7D, .valueOrEnd where byte == 0x5D: i = close(i)
      case .key, .keyOrEnd:
        guard byte == ASCII.quote, let end = readString(bytes, i, .key) else { return nil }
        i = Self.firstNoBlank(bytes, end)
        guard i < bytes.count, bytes[i] == ASCII.colon else { return nil }
        i &+= 1
        expectation = .value
        continue
      case .value, .valueOrEnd:
        if byte == 0x7B || byte == 0x5B {
          guard open.count < maximumDepth else { return nil }
          open.append(tokens.count)
          tokens.append(Token(kind: byte == 0x7B ? .object : .array, start: i, end: i))
          expectation = byte == 0x7B ? .keyOrEnd : .valueOrEnd
          i &+= 1
          continue
        }
        guard let end = byte == ASCII.quote ? readString(bytes, i, .string) : readWord(bytes, i) else { return nil }
        i = end
        finish(tokens.count &- 1)
      case .commaOrEnd:
        guard let last = open.last else { return nil }
        let isObject = tokens[last].kind == .object
        if byte == ASCII.comma {
          expectation = isObject ? .key : .value
          i &+= 1
          continue
        }
        guard byte == (isObject ? 0x7D : 0x5D) else { return nil }
        i = close(i)
      }
      if open.isEmpty { return i }
      expectation = .commaOrEnd
    }
  }

  /// The place of the first byte that is no blank.
  package static func firstNoBlank(_ bytes: Span<UInt8>, _ start: Int) -> Int {
    var i = start
    while i < bytes.count, bytes[i] <= ASCII.space, bytes[i] == ASCII.space || bytes[i] == 10 || bytes[i] == 13 || bytes[i] == 9 { i &+= 1 }
    return i
  }

  /// Ends the innermost object or array.
  private mutating func close(_ place: Int) -> Int {
    if let token = open.popLast() {
      tokens[token].end = place &+ 1
      finish(token)
    }
    return place &+ 1
  }

  /// Notes what stands behind a value, and behind the key before it.
  private mutating func finish(_ token: Int) {
    tokens[token].next = tokens.count
    if token > 0, tokens[token &- 1].kind == .key { tokens[token &- 1].next = tokens.count }
  }

  private mutating func readString(_ bytes: Span<UInt8>, _ start: Int, _ kind: Kind) -> Int? {
    var token = Token(kind: kind, start: start &+ 1, end: 0)
    var i = start &+ 1
    while true {
      i = ByteScan.stopInJSONString(bytes, i, bytes.count)
      guard i < bytes.count else { return nil }
      if bytes[i] == ASCII.quote { break }
      guard bytes[i] == ASCII.backslash, i &+ 1 < bytes.count else { return nil }
      token.hasEscapes = true
      switch bytes[i &+ 1] {
      case ASCII.quote, ASCII.backslash, ASCII.slash, 0x62, 0x66, 0x6E, 0x72, 0x74: i &+= 2
      case 0x75:
        guard i &+ 6 <= bytes.count else { return nil }
        for place in i &+ 2..<i &+ 6 where ASCII.hexValue(bytes[place]) == nil { return nil }
        i &+= 6
      default: return nil
      }
    }
    token.end = i
    tokens.append(token)
    return i &+ 1
  }

  /// Reads a number, or `true`, `false`, `null`.
  private mutating func readWord(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
    let (kind, word): (Kind, JSONWord) =
      switch bytes[start] {
      case 0x74: (.true, Self.trueWord)
      case 0x66: (.false, Self.falseWord)
      case 0x6E: (.null, Self.nullWord)
      default: (.number, Self.nullWord)
      }
    let wordEnd = start + word.bytes.count
    guard let end = kind == .number ? Self.numberEnd(bytes, start) : wordEnd <= bytes.count ? wordEnd : nil,
      kind == .number || word.isAt(start, end, bytes)
    else { return nil }
    tokens.append(Token(kind: kind, start: start, end: end))
    return end
  }

  private static let trueWord: JSONWord = "true", falseWord: JSONWord = "false", nullWord: JSONWord = "null"

  /// The place behind the number that begins at `start` (RFC 8259, section 6).
  private static func numberEnd(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
    func digitsEnd(_ start: Int) -> Int? {
      var i = start
      while i < bytes.count, ASCII.isDigit(bytes[i]) { i &+= 1 }
      return i > start ? i : nil
    }
    let first = bytes[start] == ASCII.dash ? start + 1 : start
    guard var end = first < bytes.count && bytes[first] == 48 ? first + 1 : digitsEnd(first) else { return nil }
    if end < bytes.count, bytes[end] == ASCII.dot {
      guard let stop = digitsEnd(end + 1) else { return nil }
      end = stop
    }
    if end < bytes.count, bytes[end] | 32 == 0x65 {
      let isSigned = end + 1 < bytes.count && (bytes[end + 1] == 43 || bytes[end + 1] == ASCII.dash)
      guard let stop = digitsEnd(end + (isSigned ? 2 : 1)) else { return nil }
      end = stop
    }
    return end
  }

  /// Adds the text of a key or string, or a number as it is written.
  package func appendText(of token: Int, _ bytes: [UInt8], to output: inout ByteBuffer) {
    let token = tokens[token]
    if token.kind == .number { return output.append(bytes.span, token.start, token.end) }
    var reader = JSONReader(bytes, from: token.start - 1, to: token.end + 1)
    do throws(DataSyntaxError) { _ = try reader.next() } catch { return }
    reader.text.withBytes { output.append($0) }
  }

  /// The text of a key or string, or a number as it is written.
  package func text(of token: Int, _ bytes: [UInt8]) -> String {
    if !tokens[token].hasEscapes { return bytes.span.text(tokens[token].start, tokens[token].end) }
    var output = ByteBuffer(capacity: 64)
    appendText(of: token, bytes, to: &output)
    return output.text()
  }

  /// Does a key or string say this, without escapes?
  @inline(__always)
  package func says(_ word: JSONWord, _ token: Int, _ bytes: Span<UInt8>) -> Bool {
    let token = tokens[token]
    return token.end &- token.start == word.bytes.count && (token.kind == .key || token.kind == .string)
      && word.isAt(token.start, token.end, bytes)
  }
}

/// A word that keys and strings are compared with.
package struct JSONWord: Sendable, ExpressibleByStringLiteral {
  fileprivate let bytes: [UInt8]
  private let head: UInt64

  package init(_ text: String) {
    let bytes = Array(text.utf8)
    (self.bytes, head) = (bytes, Words.loadUpTo8(bytes.span, 0, bytes.count))
  }

  package init(stringLiteral text: String) { self.init(text) }

  @inline(__always)
  fileprivate func isAt(_ start: Int, _ end: Int, _ text: Span<UInt8>) -> Bool {
    Words.loadUpTo8(text, start, end) == head
      && (bytes.count <= 8 || Words.areEqual(text, start &+ 8, bytes.span, 8, count: bytes.count &- 8))
  }
}

/// Finds the lines of places in bytes; the bytes are looked at once, and only where somebody asks.
package struct LineTable: Sendable {
  private let bytes: [UInt8]
  private let firstLine: Int
  /// Where the lines behind the first begin.
  private var starts: [Int]?

  /// A table for bytes whose first line has this number.
  package init(_ bytes: [UInt8] = [], firstLine: Int = 1) { (self.bytes, self.firstLine) = (bytes, firstLine) }

  /// The line of a place; CRLF, LF and CR end a line.
  package mutating func line(at place: Int) -> Int {
    let starts = self.starts ?? Self.starts(bytes)
    self.starts = starts
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return firstLine + low
  }

  private static func starts(_ bytes: [UInt8]) -> [Int] {
    var found: [Int] = []
    var i = 0
    while true {
      i = ByteSearch.firstIndex(of: ASCII.lineFeed, or: ASCII.carriageReturn, in: bytes.span, from: i, to: bytes.count)
      guard i < bytes.count else { return found }
      i += bytes[i] == ASCII.carriageReturn && i + 1 < bytes.count && bytes[i + 1] == ASCII.lineFeed ? 2 : 1
      found.append(i)
    }
  }
}
