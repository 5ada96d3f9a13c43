// Finds where values begin and end in a stream of JSON, and where to go on after a faulty one.
import Bytes

/// The state of a walk over a stream of JSON, kept between chunks. Offsets count from the first byte that is still held.
struct JSONValueScanner: Sendable {
  /// What a step found.
  enum Outcome: Equatable {
    case needsBytes
    case value(start: Int, end: Int, line: Int)
    case fault(DataSyntaxError)
  }

  /// Where the walk is: between values; in text that is none, up to the next value; behind the `[` that may begin a list or a value;
  /// in a number or word; in an object or array outside of strings; in a string; the last three again in a value that is given up.
  enum Phase { case between, garbage, opening, word, structure, string, brokenWord, brokenStructure, brokenString }

  /// What may come in the top-level array, if there is one.
  enum Place { case topLevel, firstElement, afterElement, afterComma }

  private let rule: JSONArrayRule
  private let maximumValueBytes: Int
  /// How deep a value may nest.
  let maximumDepth: Int

  /// Where the walk is.
  var phase = Phase.between
  /// Where that is in the top-level array.
  var place = Place.topLevel
  /// The next byte to look at.
  var cursor = 0
  /// How many bytes of the stream are held no more; with an offset, this gives the place in the stream.
  var dropped = 0
  /// The physical line of the cursor.
  private var line = 1
  /// The place in the stream where that line begins.
  var lineStart = 0
  /// The place in the stream behind the last CR, so that the LF of a CRLF counts no line.
  private var carriageReturnEnd = -1
  /// True if the line has only blanks so far; kept between values and in those that are given up.
  var lineIsBlank = true

  /// Where the value begins that the walk is in, and the place to tell for it.
  var valueStart = 0
  private var valueLine = 1
  private var valueColumn = 1
  /// How far the line is indented where the value begins.
  var indentation = 0
  /// What is open in the value.
  var nesting = JSONNesting()
  /// How many levels are open beyond what `nesting` holds, in a value that is given up.
  var overflow = 0
  /// True if a line may begin another value before the faulty one has ended.
  var resumesAtLines = false
  /// True if the gap between two values was complained of.
  private var hasComplained = false
  private var arrayLine = 1
  private var arrayColumn = 1

  /// A walk that begins at the first byte of a stream.
  init(rule: JSONArrayRule, maximumValueBytes: Int, maximumDepth: Int) {
    self.rule = rule
    self.maximumValueBytes = max(maximumValueBytes, 1)
    self.maximumDepth = min(max(maximumDepth, 1), JSONNesting.capacity)
  }

  /// The bytes before this offset are needed no more.
  var firstNeeded: Int {
    switch phase {
    case .between, .garbage, .brokenWord, .brokenStructure, .brokenString: cursor
    case .opening, .word, .structure, .string: valueStart
    }
  }

  /// Takes notice that the first `count` bytes, none of them needed, are gone.
  mutating func forget(_ count: Int) {
    cursor -= count
    valueStart -= count
    dropped += count
  }

  /// Walks on to the end of a value, to a fault, or to the end of the bytes.
  mutating func advance(_ bytes: Span<UInt8>) -> Outcome {
    while cursor < bytes.count {
      let found =
        switch phase {
        case .between: walkBetween(bytes)
        case .garbage: walkGarbage(bytes)
        case .opening: walkOpening(bytes)
        case .word, .brokenWord: walkWord(bytes)
        case .structure, .string: walkValue(bytes)
        case .brokenStructure, .brokenString: walkBroken(bytes)
        }
      if let found { return found }
    }
    return .needsBytes
  }

  /// What the end of the stream makes of the rest, once all bytes were walked over.
  mutating func finish(count: Int) -> Outcome {
    let last = phase
    phase = .between
    cursor = count
    switch last {
    case .word:
      if place != .topLevel { place = .afterElement }
      return .value(start: valueStart, end: count, line: valueLine)
    case .structure, .string, .opening:
      place = .topLevel
      return valueFault("The JSON text ends before the value that begins here is complete")
    case .between, .garbage:
      guard place != .topLevel else { return .needsBytes }
      place = .topLevel
      return .fault(DataSyntaxError(message: "The array that begins here is not closed", line: arrayLine, column: arrayColumn))
    case .brokenWord, .brokenStructure, .brokenString:
      place = .topLevel
      return .needsBytes
    }
  }

  // MARK: Between values

  /// Takes one byte of what stands between values, and sees the next value begin.
  private mutating func walkBetween(_ bytes: Span<UInt8>) -> Outcome? {
    let byte = bytes[cursor]
    switch byte {
    case ASCII.space, ASCII.tab, 0x1E: cursor += 1
    case ASCII.lineFeed, ASCII.carriageReturn: endLine(byte)
    case 0xEF, 0xBB, 0xBF:
      cursor += 1
      if lineIsBlank { lineStart += 1 }
    case 0x5B where place == .topLevel:
      beginValue()
      phase = .opening
      cursor += 1
    case 0x7B, 0x5B, ASCII.quote, ASCII.dash, 48...57, 0x74, 0x66, 0x6E:
      if place == .afterElement && !hasComplained { return complain("Expected a comma between the elements of the array") }
      beginValue()
      phase = byte == ASCII.quote ? .string : byte | 0x20 == 0x7B ? .structure : .word
      if phase == .structure { nesting.open(isObject: byte == 0x7B) }
      cursor += 1
    case ASCII.comma where place != .topLevel:
      let fault = place == .afterElement ? nil : complain("Expected an element of the array before the comma")
      place = .afterComma
      cursor += 1
      return fault
    case 0x5D where place != .topLevel:
      let fault = place != .afterComma ? nil : complain("Expected an element of the array after the comma")
      place = .topLevel
      lineIsBlank = false
      hasComplained = false
      cursor += 1
      return fault
    default:
      phase = .garbage
      return complain("Expected a JSON value")
    }
    return nil
  }

  /// Looks at the first byte in a top-level array, which says whether the array is a value or a list of values.
  private mutating func walkOpening(_ bytes: Span<UInt8>) -> Outcome? {
    let byte = bytes[cursor]
    if cursor - valueStart <= maximumValueBytes {
      if ASCII.isBlank(byte) {
        cursor += 1
        return nil
      }
      if byte == ASCII.lineFeed || byte == ASCII.carriageReturn {
        endLine(byte)
        return nil
      }
    }
    // A run of blanks beyond the limit makes a list, so that they need not be kept.
    if byte == ASCII.quote && rule == .unlessFirstElementIsString {
      nesting.open(isObject: false)
      phase = .structure
    } else {
      place = .firstElement
      arrayLine = valueLine
      arrayColumn = valueColumn
      phase = .between
    }
    return nil
  }

  /// Walks through a number or a word.
  private mutating func walkWord(_ bytes: Span<UInt8>) -> Outcome? {
    let count = phase == .word ? endOfAllowed(bytes.count) : bytes.count
    while cursor < count {
      switch bytes[cursor] {
      case 0...32, ASCII.comma, ASCII.colon, ASCII.quote, 0x5B, 0x5D, 0x7B, 0x7D:
        if phase == .word { return endValue() }
        giveUp()
        return nil
      default: cursor &+= 1
      }
    }
    return phase == .word ? limitReached(count, .brokenWord) : nil
  }

  /// Notes that a value begins at the cursor.
  private mutating func beginValue() {
    valueStart = cursor
    valueLine = line
    valueColumn = dropped + cursor - lineStart + 1
    if lineIsBlank { indentation = valueColumn - 1 }
    lineIsBlank = false
    hasComplained = false
    resumesAtLines = false
    nesting = JSONNesting()
    overflow = 0
  }

  /// Gives out the value that ends at the cursor.
  private mutating func endValue() -> Outcome {
    phase = .between
    if place != .topLevel { place = .afterElement }
    if cursor - valueStart > maximumValueBytes { return tooLarge }
    return .value(start: valueStart, end: cursor, line: valueLine)
  }

  // MARK: In a value

  /// Walks through an object, array or string: the hot loop, which looks at strings and brackets only.
  private mutating func walkValue(_ bytes: Span<UInt8>) -> Outcome? {
    var inString = phase == .string
    var i = cursor
    let count = endOfAllowed(bytes.count)
    while i < count {
      if inString {
        i = ByteScan.stopInJSONString(bytes, i, count)
        guard i < count else { break }
        let byte = bytes[i]
        if byte == ASCII.quote {
          i &+= 1
          inString = false
          if nesting.isEmpty {
            cursor = i
            return endValue()
          }
        } else if byte == ASCII.backslash {
          guard i &+ 1 < count else {
            phase = .string
            cursor = i
            return limitReached(count, .brokenString) ?? .needsBytes
          }
          i &+= bytes[i &+ 1] < 0x20 ? 1 : 2
        } else if byte == ASCII.lineFeed || byte == ASCII.carriageReturn || byte == 0x1E {
          cursor = i
          return breakOff("A line ends inside a string", .brokenString)
        } else {
          i &+= 1
        }
        continue
      }
      let byte = bytes[i]
      if byte == ASCII.quote {
        i &+= 1
        inString = true
      } else if byte | 0x20 == 0x7B {
        cursor = i
        guard follows(bytes, i) else {
          resumesAtLines = true
          lineIsBlank = opensLine(bytes, i)
          phase = .brokenStructure
          return valueFault("The value that begins here is not closed before the next one begins")
        }
        guard nesting.depth < maximumDepth else {
          phase = .brokenStructure
          return placeFault("The JSON value nests deeper than \(maximumDepth) levels")
        }
        nesting.open(isObject: byte == 0x7B)
        i &+= 1
      } else if byte | 0x20 == 0x7D {
        guard nesting.endsWith(object: byte == 0x7D) else {
          cursor = i
          return breakOff(byte == 0x7D ? "A `}` closes what is no object" : "A `]` closes what is no array", .brokenStructure)
        }
        nesting.close()
        i &+= 1
        if nesting.isEmpty {
          cursor = i
          return endValue()
        }
      } else if byte < 0x20 {
        cursor = i
        if byte == ASCII.lineFeed || byte == ASCII.carriageReturn {
          endLine(byte)
        } else if byte == 0x1E {
          phase = .brokenStructure
          return valueFault("The value that begins here is not closed before the next record separator")
        }
        i &+= 1
      } else {
        i &+= 1
      }
    }
    cursor = i
    phase = inString ? .string : .structure
    return limitReached(count, inString ? .brokenString : .brokenStructure)
  }

  /// True if an object or array may begin at `i`: after `[` or `,` in an array, after `:` in an object.
  private func follows(_ bytes: Span<UInt8>, _ i: Int) -> Bool {
    var before = i &- 1
    while before > valueStart && (bytes[before] == 32 || bytes[before] &- 9 < 5) { before &-= 1 }
    guard before >= valueStart else { return true }
    let byte = bytes[before]
    return nesting.endsWith(object: true) ? byte == ASCII.colon : byte == ASCII.comma || byte == 0x5B
  }

  /// Where the walk over a value must stop: one byte behind the largest value, so that chunks of any size stop there alike.
  private func endOfAllowed(_ count: Int) -> Int {
    count - valueStart > maximumValueBytes ? valueStart + maximumValueBytes + 1 : count
  }

  /// Gives up a value that is too large by the end of the bytes, if it is.
  private mutating func limitReached(_ count: Int, _ broken: Phase) -> Outcome? {
    guard count - valueStart > maximumValueBytes else { return nil }
    phase = broken
    return tooLarge
  }

  // MARK: Lines and faults

  /// Passes over a CR or LF and counts the line that it ends; the LF of a CRLF counts nothing.
  mutating func endLine(_ byte: UInt8) {
    let end = dropped + cursor + 1
    if byte == ASCII.carriageReturn || carriageReturnEnd != end - 1 { line += 1 }
    if byte == ASCII.carriageReturn { carriageReturnEnd = end }
    lineStart = end
    lineIsBlank = true
    cursor += 1
  }

  /// The fault of a value beyond the limit.
  private var tooLarge: Outcome { valueFault("The JSON value that begins here is larger than \(maximumValueBytes) bytes") }

  /// A fault between values; only the first one in a gap is told, the others cost no line of their own.
  private mutating func complain(_ message: String) -> Outcome? {
    guard !hasComplained else { return nil }
    hasComplained = true
    return placeFault(message)
  }

  /// A fault that is told at the beginning of the value.
  private func valueFault(_ message: String) -> Outcome {
    .fault(DataSyntaxError(message: message, line: valueLine, column: valueColumn))
  }

  /// A fault that is told at the cursor.
  func placeFault(_ message: String) -> Outcome {
    .fault(DataSyntaxError(message: message, line: line, column: dropped + cursor - lineStart + 1))
  }
}
