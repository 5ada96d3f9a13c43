// Where the components of a structured value stand, and their texts in a parameter where the value cannot hold them as they are.

internal import Bytes
internal import CardSyntax

/// The components of a value that semicolons divide, as places; of more than 18, which no property has, the first 18.
package struct Components {
  /// How many the value has.
  package private(set) var count = 0
  /// A comma that no backslash escapes may stand in the value.
  package private(set) var hasComma = false
  private let start: Int
  private var ends = InlineArray<18, UInt32>(repeating: 0)

  /// The components of the value in `bytes[start ..< end]`.
  init(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    self.start = start
    var commas: UInt64 = 0
    var i = start
    while i < end {
      let word = Words.loadUpTo8(bytes, i, end)
      commas |= Words.exactMarks(word, of: ASCII.comma)
      var marks = Words.exactMarks(word, of: ASCII.semicolon)
      let backslash = Words.zeroMarks(word ^ Words.repeating(ASCII.backslash))
      // What stands behind a backslash divides nothing, and is looked at no more.
      let place = backslash == 0 ? 8 : Words.firstMark(backslash)
      if place < 8 { marks &= Words.low(place) }
      while marks != 0 {
        append(i &+ Words.firstMark(marks))
        marks &= marks &- 1
      }
      i &+= place < 8 ? place &+ 2 : 8
    }
    append(end)
    hasComma = commas != 0
  }

  private mutating func append(_ end: Int) {
    if count < ends.count { ends[count] = UInt32(truncatingIfNeeded: end) }
    count &+= 1
  }

  /// How many can be asked for.
  package var known: Int { min(count, ends.count) }

  /// Where the component of this number, from 0, stands.
  package subscript(number: Int) -> (start: Int, end: Int) { (number == 0 ? start : Int(ends[number - 1]) + 1, Int(ends[number])) }
}

/// The texts of components in one parameter: X-ADR-PARTS, which keeps in older versions what RFC 9554 adds to ADR, and X-PARTS, which
/// keeps in 2.1 components of several texts, and backslashes that readers would take for escapes.
package struct PartsText {
  private let parts: [[String]]

  /// X-PARTS of a line of 2.1; nil where it has none.
  init?(_ line: Int, _ card: borrowing CardView) {
    guard card.version == .v21, let text = card.value(.xParts, of: line) else { return nil }
    parts = Self.split(text)
  }

  /// The texts of the component of this number, where the component still is as it was written for them; nil else.
  func texts(_ number: Int, _ range: (start: Int, end: Int), _ card: borrowing CardView) -> [String]? {
    guard number < parts.count else { return nil }
    let texts = parts[number].filter { !$0.isEmpty }
    let written = LineWriter.component21(texts)
    guard written.count == range.end - range.start else { return nil }
    for i in 0..<written.count where written[i] != card.bytes[range.start + i] { return nil }
    return texts
  }

  /// X-PARTS is of no use to a version that can say it all.
  static func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    if version != .v21, card.version == .v21, card.parameter(.xParts, of: line) != nil {
      findings.add(.parameter, "X-PARTS keeps what \(version.text) can say")
    }
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = ["|": "|", "/": "/", "\\": "b", "\n": "n", "\"": "q"]
  private static let meanings: [Unicode.Scalar: Unicode.Scalar] = Dictionary(uniqueKeysWithValues: escapes.map { ($1, $0) })

  /// The parts as one text, which `|` divides; `/;` divides the texts of a part. `//`, `/|`, `/b`, `/n` and `/q` are a slash, a bar, a
  /// backslash, a line break and a double quote.
  static func join(_ parts: [[String]]) -> String {
    func escaped(_ text: String) -> String {
      text.replacing("\r\n", with: "\n").unicodeScalars.map { scalar in escapes[scalar].map { "/\($0)" } ?? String(scalar) }.joined()
    }
    return parts.map { $0.map(escaped).joined(separator: "/;") }.joined(separator: "|")
  }

  /// The parts of such a text.
  static func split(_ text: String) -> [[String]] {
    var found: [[String]] = [[""]]
    var isEscaped = false
    for scalar in text.unicodeScalars {
      let last = found.count - 1
      switch (scalar, isEscaped) {
      case ("/", false):
        isEscaped = true
        continue
      case ("|", false): found.append([""])
      case (";", true): found[last].append("")
      default: found[last][found[last].count - 1].unicodeScalars.append(isEscaped ? meanings[scalar] ?? scalar : scalar)
      }
      isEscaped = false
    }
    return found
  }
}

extension LineWriter {
  /// In 2.1, adds the parameter that keeps components which it could not give back.
  mutating func exactParts(_ parts: @autoclosure () -> [[String]]) {
    guard version == .v21 else { return }
    let parts = parts()
    guard parts.contains(where: { $0.count > 1 || $0.contains { Self.isAmbiguous21($0, atEnd: true) } }) else { return }
    parameter(KnownParameter.xParts.name, PartsText.join(parts))
    note(
      .notCarried, "2.1 has no lists in components, and no escape for a backslash; the components are kept in \(KnownParameter.xParts.name)"
    )
  }
}
