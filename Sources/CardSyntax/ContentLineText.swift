// The grammar of one content line: group, name, parameters, colon (RFC 6350 3.3, RFC 2425 5.8.2, vCard 2.1 2.1.1).

import Bytes

/// What is wrong with the form of a head.
struct HeadFaults: OptionSet, BitwiseCopyable {
  var rawValue: UInt8
  static let quote = HeadFaults(rawValue: 1)
  static let comma = HeadFaults(rawValue: 2)
  static let escape = HeadFaults(rawValue: 4)
  static let empty = HeadFaults(rawValue: 8)

  /// The rules that they break.
  var rules: [Rule] {
    let all: [(HeadFaults, Rule)] = [
      (.quote, .parameterQuote), (.comma, .parameterComma), (.escape, .parameterEscape), (.empty, .parameterEmpty),
    ]
    return all.filter { contains($0.0) }.map { $0.1 }
  }
}

/// What the part of a line before its value says.
struct LineHead: BitwiseCopyable {
  var groupStart = 0, groupEnd = 0
  var nameStart = 0, nameEnd = 0
  /// The name's number in the table of names; 0 for names it does not have.
  var number: UInt16 = 0
  /// Where the value begins; nil where the line has no colon outside quotes, or no name before it.
  var valueStart: Int?
  /// Where the head ends, colon included; the value may be put elsewhere, unfolded or decoded.
  var end = 0
  var firstParameter = 0
  var isQuotedPrintable = false, isBase64 = false
  /// The CHARSET parameter's place in the table, nil where there is none.
  var charset: Int?
  var isOdd = false
  /// A quote opens a parameter value and does not close in these bytes.
  var hasOpenQuote = false
  /// Reported once the line is known to be one.
  var faults: HeadFaults = []
}

/// The names and words that heads of lines are read with, at hand for every line.
struct HeadTables: Sendable {
  /// The names of properties.
  let names: NameTable
  private let parameters = KnownParameter.table
  private let known = Self.known
  fileprivate let bareWords = Self.bareWords
  fileprivate let encodings = Self.encodings

  /// The words that vCard 2.1 lets stand without a name and that are no types.
  private static let bareWords = NameTable([
    ("QUOTED-PRINTABLE", 1), ("BASE64", 1), ("7BIT", 1), ("8BIT", 1), ("INLINE", 2), ("URL", 2), ("CONTENT-ID", 2), ("CID", 2),
  ])
  private static let encodings = NameTable([
    ("QUOTED-PRINTABLE", 1), ("Q", 1), ("QP", 1), ("QUOTED_PRINTABLE", 1), ("B", 2), ("BASE64", 2), ("BASE-64", 2),
  ])

  private static let known = KnownParameter.allCases

  init(_ names: NameTable) { self.names = names }

  /// The parameter that `bytes[start ..< end]` names, in any letter case.
  func parameter(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> KnownParameter {
    known[Int(parameters.number(of: bytes, start, end))]
  }
}

enum ContentLineText {
  /// Reads the head of the line in `bytes[start ..< end]`, appending its parameters; offsets in entries get `base` added.
  static func head(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ tables: borrowing HeadTables, base: Int, parameters: inout Tape<ParameterEntry>
  ) -> LineHead {
    var head = LineHead()
    head.firstParameter = parameters.count
    var i = ByteSearch.firstIndex(of: ASCII.colon, or: ASCII.semicolon, in: bytes, from: start, to: end)
    guard i < end else { return head }
    head.number = tables.names.number(of: bytes, start, i)
    (head.groupStart, head.groupEnd, head.nameStart, head.nameEnd) = (start &+ base, start &+ base, start &+ base, i &+ base)
    if head.number == 0, !readName(bytes, start, i, tables, base: base, &head) { return head }
    while i < end, bytes[i] == ASCII.semicolon {
      guard let next = parameter(bytes, i + 1, end, tables, base: base, &parameters, &head) else { return head }
      i = next
    }
    if i < end {
      head.end = i + 1 + base
      head.valueStart = head.end
    }
    return head
  }

  /// Reads a name that may be in a group or have blanks behind it; false where `bytes[start ..< end]` is none.
  private static func readName(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ tables: borrowing HeadTables, base: Int, _ head: inout LineHead
  ) -> Bool {
    var i = start
    var dot = -1
    var isName = true
    while i < end {
      let byte = bytes[i]
      switch byte {
      case ASCII.dot: dot = i
      case ASCII.dash, UInt8(ascii: "_"), ASCII.slash: break
      case ASCII.space, ASCII.tab: if !isExtension(bytes, dot < 0 ? start : dot + 1, i) { isName = false }
      default: if !ASCII.isLetter(byte) && !ASCII.isDigit(byte) { isName = false }
      }
      i &+= 1
    }
    var nameEnd = i
    while nameEnd > start, ASCII.isBlank(bytes[nameEnd - 1]) { nameEnd -= 1 }
    if !isName { isName = isToken(bytes, start, nameEnd) }
    guard isName, nameEnd > dot + 1, nameEnd > start else { return false }
    let nameStart = dot < 0 ? start : dot + 1
    (head.nameStart, head.nameEnd) = (nameStart + base, nameEnd + base)
    head.groupEnd = (dot < 0 ? start : dot) + base
    if nameStart > start || nameEnd < end { head.number = tables.names.number(of: bytes, nameStart, nameEnd) }
    return true
  }

  private static func isExtension(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    end - start >= 2 && bytes[start] | 32 == UInt8(ascii: "x") && bytes[start + 1] == ASCII.dash
  }

  /// A name with blanks around it only.
  private static func isToken(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var i = start
    while i < end {
      let byte = bytes[i]
      guard
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.dash || byte == ASCII.dot || byte == UInt8(ascii: "_")
          || byte == ASCII.slash
      else { return false }
      i += 1
    }
    return end > start
  }

  /// Reads one parameter from `start`; gives the place of the `;` or `:` that ends it, nil where the line ends first.
  private static func parameter(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ tables: borrowing HeadTables, base: Int, _ parameters: inout Tape<ParameterEntry>,
    _ head: inout LineHead
  ) -> Int? {
    var start = start
    while start < end, ASCII.isBlank(bytes[start]) { start += 1 }
    var i = start
    var nested = false
    find: while i < end {
      if ASCII.isLetter(bytes[i]) {
        i &+= 1
        continue
      }
      switch bytes[i] {
      case ASCII.equals where !nested: break find
      case ASCII.semicolon, ASCII.colon: break find
      case UInt8(ascii: "("): nested = true  // Samsung: X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=42)
      default: break
      }
      i &+= 1
    }
    guard i < end else { return nil }
    if bytes[i] != ASCII.equals {
      bare(bytes, start, i, tables, base: base, &parameters, &head)
      return i
    }
    var entry = ParameterEntry()
    var nameEnd = i
    while nameEnd > start, ASCII.isBlank(bytes[nameEnd - 1]) { nameEnd -= 1 }
    entry.nameStart = UInt32(start + base)
    entry.nameEnd = UInt32(nameEnd + base)
    entry.known = tables.parameter(bytes, start, nameEnd)
    i &+= 1
    let valueStart = i
    var pieceStart = true
    while i < end {
      let byte = bytes[i]
      if ASCII.isLetter(byte) {
        pieceStart = false
      } else if byte == ASCII.quote {
        entry.isPlain = false
        let close = pieceStart ? ByteSearch.firstIndex(of: ASCII.quote, in: bytes, from: i + 1, to: end) : end
        if close < end {
          i = close
        } else {
          head.faults.insert(.quote)
          head.isOdd = true
          if pieceStart { head.hasOpenQuote = true }
        }
        pieceStart = false
      } else if byte == ASCII.comma {
        if startsParameter(bytes, i + 1, end, tables) {
          head.faults.insert(.comma)
          head.isOdd = true
          finish(&entry, bytes, valueStart, i, tables, base: base, &parameters, &head)
          return parameter(bytes, i + 1, end, tables, base: base, &parameters, &head)
        }
        pieceStart = true
      } else if byte == ASCII.semicolon || byte == ASCII.colon {
        finish(&entry, bytes, valueStart, i, tables, base: base, &parameters, &head)
        return i
      } else {
        if byte == ASCII.backslash || byte == ASCII.caret {
          entry.isPlain = false
          if byte == ASCII.backslash, i + 1 < end, bytes[i + 1] == ASCII.comma, entry.known == .type {
            head.faults.insert(.escape)
            head.isOdd = true
          }
        }
        pieceStart = false
      }
      i &+= 1
    }
    return nil
  }

  /// Does a known parameter with its `=` stand here (`PREF=1,TYPE=HOME`)?
  private static func startsParameter(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ tables: borrowing HeadTables) -> Bool {
    var i = start
    while i < end, ASCII.isLetter(bytes[i]) || bytes[i] == ASCII.dash { i += 1 }
    guard i < end, i > start, i - start < 20, bytes[i] == ASCII.equals else { return false }
    return tables.parameter(bytes, start, i) != .other
  }

  private static func finish(
    _ entry: inout ParameterEntry, _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ tables: borrowing HeadTables, base: Int,
    _ parameters: inout Tape<ParameterEntry>, _ head: inout LineHead
  ) {
    var start = start
    var end = end
    while start < end, ASCII.isBlank(bytes[start]) { start += 1 }
    while end > start, ASCII.isBlank(bytes[end - 1]) { end -= 1 }
    entry.valueStart = UInt32(start + base)
    entry.valueEnd = UInt32(end + base)
    if start == end && !isExtension(bytes, Int(entry.nameStart) - base, Int(entry.nameEnd) - base) {
      head.isOdd = true
      head.faults.insert(.empty)
      switch entry.known {
      case .type, .encoding, .charset, .value, .language: return
      default:  // `CELL=`, `PREF=`: a word with a stray sign
        return bare(bytes, Int(entry.nameStart) - base, Int(entry.nameEnd) - base, tables, base: base, &parameters, &head)
      }
    }
    if entry.known == .encoding { note(encoding: bytes, start, end, tables, &head) }
    if entry.known == .charset { head.charset = parameters.count }
    parameters.append(entry)
  }

  private static func bare(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ tables: borrowing HeadTables, base: Int, _ parameters: inout Tape<ParameterEntry>,
    _ head: inout LineHead
  ) {
    var end = end
    while end > start, ASCII.isBlank(bytes[end - 1]) { end -= 1 }
    guard end > start else {
      head.faults.insert(.empty)
      head.isOdd = true
      return
    }
    var entry = ParameterEntry()
    entry.isBare = true
    entry.nameStart = UInt32(start + base)
    entry.nameEnd = UInt32(start + base)
    entry.valueStart = UInt32(start + base)
    entry.valueEnd = UInt32(end + base)
    switch tables.bareWords.number(of: bytes, start, end) {
    case 1:
      entry.known = .encoding
      note(encoding: bytes, start, end, tables, &head)
    case 2: entry.known = .value
    default: entry.known = .type
    }
    parameters.append(entry)
  }

  private static func note(
    encoding bytes: Span<UInt8>, _ start: Int, _ end: Int, _ tables: borrowing HeadTables, _ head: inout LineHead
  ) {
    var start = start
    var end = end
    if end - start >= 2, bytes[start] == ASCII.quote, bytes[end - 1] == ASCII.quote { (start, end) = (start + 1, end - 1) }
    switch tables.encodings.number(of: bytes, start, end) {
    case 1: head.isQuotedPrintable = true
    case 2: head.isBase64 = true
    default: break
    }
  }
}
