// Backslashes in values and carets in parameters, undone and done (RFC 6350 3.4, RFC 2426 4, RFC 6868).

public import Bytes

/// The backslash escapes of values. Splitting comes before unescaping: a separator that is escaped does not split.
public enum Escaping {
  /// Writes the text that the escaped `bytes[start ..< end]` stand for. `\n`, `\N` become a line break; `\,`, `\;`, `\:` and `\"` the
  /// character; `\\` one backslash in 3.0 and 4.0, while 2.1 leaves a backslash alone; any other backslash stays.
  @inline(__always)
  public static func unescape(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, version: CardVersion, to output: inout ByteBuffer) {
    var i = start
    while true {
      i = output.append(bytes, i, end) { $0.marks(of: ASCII.backslash) }
      guard i < end else { return }
      if i &+ 1 < end, let byte = meaning(of: bytes[i &+ 1], version) {
        output.append(byte)
      } else {
        // It stands for itself, and so does a backslash behind it.
        output.append(bytes, i, min(i &+ 2, end))
      }
      i = min(i &+ 2, end)
    }
  }

  /// What a backslash and this byte mean together; nil where they mean themselves.
  @inline(__always)
  package static func meaning(of byte: UInt8, _ version: CardVersion) -> UInt8? {
    switch byte {
    case UInt8(ascii: "n"), UInt8(ascii: "N"): ASCII.lineFeed
    case ASCII.comma, ASCII.semicolon, ASCII.colon: byte
    case ASCII.quote: version == .v21 ? nil : byte
    case ASCII.backslash: version == .v21 ? nil : byte
    default: nil
    }
  }

  /// Where the next separator that is not escaped stands in `bytes[start ..< end]`; `end` where there is none.
  @inline(__always)
  public static func firstSeparator(_ separator: UInt8, in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var i = start
    while true {
      i = ByteSearch.firstIndex(of: separator, or: ASCII.backslash, in: bytes, from: i, to: end)
      guard i < end, bytes[i] == ASCII.backslash else { return i }
      i &+= 2
      if i >= end { return end }
    }
  }

  /// Where the first byte stands that means something in a value: a control character, a backslash, comma or semicolon, DEL; `end` where
  /// there is none.
  package static func firstSpecial(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    ByteSearch.firstMarked(in: bytes, from: start, to: end, specialMarks)
  }

  /// Marks the bytes that `firstSpecial` looks for: commas, semicolons, backslashes, DEL and control characters.
  @inlinable @inline(__always)
  package static func specialMarks(_ block: ByteBlock) -> ByteBlock.Marks {
    block.marks(of: 0x2C) | block.marks(of: 0x3B) | block.marks(of: 0x5C) | block.marks(of: 0x7F) | block.marks(below: 32)
  }

  /// How many semicolons stand in a value where no other byte means anything in it, as `firstSpecial` tells; nil where one does, and where
  /// the bytes end too soon to be looked at eight at a time.
  package static func semicolonsOfPlain(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    var i = start
    var count: UInt64 = 0
    while i < end {
      guard i &+ 8 <= bytes.count else { return nil }
      var word = Words.load(bytes, i)
      if end &- i < 8 {
        // Letters stand for the bytes behind the value.
        let own = Words.low(end &- i)
        word = word & own | Words.repeating(UInt8(ascii: "a")) & ~own
      }
      var marks = (word &- Words.repeating(32)) & ~word | Words.zeroMarks(word ^ Words.repeating(ASCII.backslash))
      marks |= Words.zeroMarks(word ^ Words.repeating(ASCII.comma)) | Words.zeroMarks(word ^ Words.repeating(127))
      if marks & Words.highs != 0 { return nil }
      // Here each mark counts, and none may be false.
      let found = Words.exactMarks(word, of: ASCII.semicolon)
      if found != 0 { count &+= (found &>> 7 &* Words.ones) &>> 56 }
      i &+= 8
    }
    return Int(truncatingIfNeeded: count)
  }

  /// What has to be escaped where a text stands.
  public struct Shape: OptionSet, Sendable {
    /// One bit for each kind of character.
    public var rawValue: UInt8
    /// The shape of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Commas.
    public static var commas: Shape { Shape(rawValue: 1) }
    /// Semicolons.
    public static var semicolons: Shape { Shape(rawValue: 2) }
    /// Backslashes.
    public static var backslashes: Shape { Shape(rawValue: 4) }
    /// Commas and semicolons.
    public static var separators: Shape { Shape(rawValue: 3) }
    /// Commas and backslashes.
    public static var text: Shape { Shape(rawValue: 5) }
    /// All three.
    public static var all: Shape { Shape(rawValue: 7) }

    /// Is this character one of them?
    package func escapes(_ byte: UInt8) -> Bool {
      switch byte {
      case ASCII.comma: contains(.commas)
      case ASCII.semicolon: contains(.semicolons)
      case ASCII.backslash: contains(.backslashes)
      default: false
      }
    }
  }

  /// Writes a text as a value: separators and backslashes as `shape` says, line breaks (CRLF, CR, LF) as `\n`; control characters
  /// other than the tab are left out, so that no text can make a line of its own. Returns how many were left out.
  @discardableResult
  public static func escape(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ shape: Shape, to output: inout ByteBuffer) -> Int {
    var from = start
    var i = firstSpecial(in: bytes, from: start, to: end)
    var dropped = 0
    while i < end {
      let byte = bytes[i]
      let isSpecial =
        byte < 32 && byte != ASCII.tab || byte == 127 || byte == ASCII.backslash && shape.contains(.backslashes)
        || byte == ASCII.comma && shape.contains(.commas) || byte == ASCII.semicolon && shape.contains(.semicolons)
      guard isSpecial else {
        i = firstSpecial(in: bytes, from: i &+ 1, to: end)
        continue
      }
      output.append(bytes, from, i)
      if byte == ASCII.lineFeed || byte == ASCII.carriageReturn {
        output.append("\\n")
        if byte == ASCII.carriageReturn, i &+ 1 < end, bytes[i &+ 1] == ASCII.lineFeed { i &+= 1 }
      } else if byte >= 32 && byte != 127 {
        output.append(ASCII.backslash)
        output.append(byte)
      } else {
        dropped += 1
      }
      from = i &+ 1
      i = firstSpecial(in: bytes, from: from, to: end)
    }
    output.append(bytes, min(from, end), end)
    return dropped
  }
}

/// Parameter values: quotes and, in 4.0, the caret encoding of RFC 6868.
public enum ParameterText {
  /// Calls `body` for each value of the comma list in `bytes[start ..< end]`, without quotes; `body` gets the range as written inside
  /// the quotes.
  @inline(__always)
  package static func forEachValue(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ body: (Int, Int) -> Void) {
    var i = start
    while true {
      var from = i
      if i < end, bytes[i] == ASCII.quote {
        let close = ByteSearch.firstIndex(of: ASCII.quote, in: bytes, from: i &+ 1, to: end)
        if close < end {
          from = i &+ 1
          var next = close &+ 1
          while next < end, bytes[next] != ASCII.comma { next &+= 1 }
          body(from, close)
          if next >= end { return }
          i = next &+ 1
          continue
        }
      }
      while i < end, bytes[i] != ASCII.comma { i &+= bytes[i] == ASCII.backslash && i &+ 1 < end && bytes[i &+ 1] != ASCII.comma ? 2 : 1 }
      let stop = min(i, end)
      var to = stop
      if to > from, to < end, bytes[to &- 1] == ASCII.backslash { to &-= 1 }  // TYPE=WORK\,VOICE
      body(from, to)
      if stop >= end { return }
      i = stop &+ 1
    }
  }

  /// Writes the text of one parameter value: caret escapes undone in 4.0 (RFC 6868), `\n` and `\"` as other programs write them.
  /// With `keepsBackslashes` the value has a grammar of its own for them (JSCOMPS, RFC 9555 3.3.1).
  package static func unescape(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, version: CardVersion, keepsBackslashes: Bool = false, to output: inout ByteBuffer
  ) {
    var i = start
    while true {
      i = output.append(bytes, i, end) { $0.marks(of: ASCII.caret) | $0.marks(of: ASCII.backslash) }
      guard i < end else { return }
      let next = i &+ 1 < end ? bytes[i &+ 1] : 0
      if bytes[i] == ASCII.caret {
        let meant: UInt8? =
          switch next {
          case _ where version != .v40: nil
          case UInt8(ascii: "n"), UInt8(ascii: "N"): ASCII.lineFeed
          case ASCII.caret: ASCII.caret
          case ASCII.apostrophe: ASCII.quote
          default: nil
          }
        output.append(meant ?? ASCII.caret)
        i &+= meant == nil ? 1 : 2
        continue
      }
      let meant: UInt8? =
        switch next {
        case _ where keepsBackslashes || i &+ 1 >= end: nil
        case UInt8(ascii: "n"), UInt8(ascii: "N"): ASCII.lineFeed
        case ASCII.comma, ASCII.semicolon, ASCII.quote: next
        case ASCII.backslash where pairs(bytes, i, end, version): next
        default: nil
        }
      output.append(meant ?? ASCII.backslash)
      i &+= meant == nil ? 1 : 2
    }
  }

  /// Writes a text as one parameter value of `version`: quoted where it holds `:`, `;` or `,`; a double quote, a line break and a
  /// by the caret encoding in 4.0, as an apostrophe, `\n` and themselves in the older versions, which have no form of their own for
  /// them. A backslash that readers would take for an escape is doubled, unless the value has a grammar of its own for them. Control characters are left out. False where something could
  /// not be carried.
  @discardableResult
  public static func escape(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, version: CardVersion, keepsBackslashes: Bool = false, to output: inout ByteBuffer
  ) -> Bool {
    var needsQuotes = false
    var plain = start
    while plain < end, ASCII.isLetter(bytes[plain]) || ASCII.isDigit(bytes[plain]) || bytes[plain] == ASCII.dash { plain &+= 1 }
    if plain == end {
      output.append(bytes, start, end)
      return true
    }
    let divider = ByteSearch.firstMarked(in: bytes, from: start, to: end) {
      $0.marks(of: ASCII.colon) | $0.marks(of: ASCII.semicolon) | $0.marks(of: ASCII.comma)
    }
    if divider < end { needsQuotes = true }
    // Behind a comma, `TYPE=VOICE` would be taken for a parameter of its own.
    if output.count > 0, output[output.count - 1] == ASCII.comma {
      for i in start..<end where bytes[i] == ASCII.equals { needsQuotes = true }
    }
    // A backslash at the end would hide the comma behind it.
    if start < end, ASCII.isBlank(bytes[start]) || ASCII.isBlank(bytes[end - 1]) || bytes[end - 1] == ASCII.backslash {
      needsQuotes = true
    }
    if needsQuotes { output.append(ASCII.quote) }
    var isWhole = true
    // Most values have nothing that is written in another way.
    let special = output.append(bytes, start, end) { block in
      let marks = block.marks(of: ASCII.quote) | block.marks(of: ASCII.caret) | block.marks(of: ASCII.backslash)
      return marks | block.marks(of: 127) | block.marks(below: 32)
    }
    for i in special..<end {
      let byte = bytes[i]
      switch byte {
      case ASCII.quote:
        if version == .v40 { output.append("^'") } else { output.append(ASCII.apostrophe) }
        if version != .v40 { isWhole = false }
      case ASCII.lineFeed:
        if version == .v40 { output.append("^n") } else { output.append("\\n") }
      case ASCII.caret where version == .v40: output.append("^^")
      case ASCII.backslash where !keepsBackslashes && i + 1 < end && looksEscaped(bytes, i + 1, end, version):
        output.append(ASCII.backslash)
        output.append(ASCII.backslash)
      case 0..<32 where byte != ASCII.tab, 127: isWhole = isWhole && byte == ASCII.carriageReturn
      default: output.append(byte)
      }
    }
    if needsQuotes { output.append(ASCII.quote) }
    return isWhole
  }

  /// Are the backslashes at `i` pairs, each of which means one? In 2.1, which has no such escape, only those are that stand before what
  /// would be an escape without them.
  private static func pairs(_ bytes: Span<UInt8>, _ i: Int, _ end: Int, _ version: CardVersion) -> Bool {
    guard version == .v21 else { return true }
    var next = i
    while next < end, bytes[next] == ASCII.backslash { next &+= 1 }
    return next < end && isEscapable(bytes[next])
  }

  private static func isEscapable(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "n") || byte == UInt8(ascii: "N") || byte == ASCII.comma || byte == ASCII.semicolon
  }

  /// Would `unescape` take a backslash before `bytes[next]` for an escape? A line break is written `\n` in the older versions.
  private static func looksEscaped(_ bytes: Span<UInt8>, _ next: Int, _ end: Int, _ version: CardVersion) -> Bool {
    var next = next
    if version == .v21 { while next < end, bytes[next] == ASCII.backslash { next &+= 1 } }
    guard next < end else { return false }
    if bytes[next] == ASCII.backslash { return true }
    return isEscapable(bytes[next]) || bytes[next] == ASCII.lineFeed && version != .v40
  }
}
