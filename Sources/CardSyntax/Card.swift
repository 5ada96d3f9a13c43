// A card and its content lines, as views into the batch that they were parsed in.

internal import Bytes

/// A vCard: its content lines in order, as they were written. It holds its batch alive; keep `detached()` for a long time.
public struct Card: Sendable {
  /// The batch that it stands in.
  public let batch: CardBatch
  /// Its place in the batch.
  public let index: Int

  init(batch: CardBatch, index: Int) {
    self.batch = batch
    self.index = index
  }

  package var entry: CardEntry { batch.cards[index] }

  /// The version that the card was read as: the one it declares, else the one it looks like.
  public var version: CardVersion { entry.version }

  /// The version that the card declares; nil where it has no VERSION that is known.
  public var declaredVersion: CardVersion? { entry.declared }

  /// Its number in the input, from 0.
  public var number: Int { batch.firstCard + index }

  /// The physical line of its BEGIN:VCARD, from 1.
  public var line: Int { batch.firstPhysicalLine + Int(entry.line) }

  /// Its content lines in order, VERSION included, BEGIN and END not.
  public var lines: ContentLines { ContentLines(card: self) }

  /// What was found wrong while it was parsed.
  public var diagnostics: ArraySlice<Diagnostic> {
    let first = Int(entry.firstDiagnostic)
    return batch.diagnostics[first..<first + Int(entry.diagnosticCount)]
  }

  /// Does the input say where it ends? Where not, the end of the input or the next BEGIN:VCARD ended it.
  public var hasEnd: Bool { entry.diagnosticCount == 0 || !diagnostics.contains { $0.rule == .missingEnd } }

  /// The bytes that it was read from, from BEGIN to behind END (in UTF-8 where the input was in UTF-16).
  public var rawBytes: ArraySlice<UInt8> { batch.bytes[Int(entry.rawStart)..<Int(entry.rawEnd)] }

  /// The lines of one name, in any letter case, in order.
  public subscript(name: String) -> [ContentLine] {
    let wanted = name.uppercased()
    return lines.filter { $0.name.uppercased() == wanted }
  }

  /// The same card in a batch of its own, so that the rest of its batch can be freed.
  public func detached() -> Card {
    var parser = CardParser()
    parser.feed(rawBytes.span)
    parser.finish()
    return parser.next() ?? self
  }
}

/// The content lines of a card.
public struct ContentLines: RandomAccessCollection, Sendable {
  let card: Card
  /// The place of the first line: always 0.
  public var startIndex: Int { 0 }
  /// The place behind the last line, which is how many there are: VERSION counts, BEGIN and END do not.
  public var endIndex: Int { Int(card.entry.lineCount) }
  /// The line at a place; one outside the range is a programming error.
  public subscript(position: Int) -> ContentLine {
    precondition(position >= 0 && position < endIndex)
    return ContentLine(card: card, index: Int(card.entry.firstLine) + position)
  }
}

/// One content line: group, name, parameters, value (RFC 6350 3.3).
public struct ContentLine: Sendable {
  let card: Card
  let index: Int

  private var entry: LineEntry { card.batch.lines[index] }

  private func string(_ start: UInt32, _ end: UInt32) -> String {
    String(decoding: card.batch.bytes[Int(start)..<Int(end)], as: UTF8.self)
  }

  /// The group before the name, such as `item1`; nil where there is none.
  public var group: String? { entry.groupStart == entry.groupEnd ? nil : string(entry.groupStart, entry.groupEnd) }

  /// The property's name as written.
  public var name: String { string(entry.nameStart, entry.nameEnd) }

  /// The value: unfolded, quoted-printable and charset undone, still escaped; base64 stays base64.
  public var value: String { string(entry.valueStart, entry.valueEnd) }

  /// The value as one text, escapes undone (RFC 6350 3.4). Use it where the value is no list and has no components.
  public var text: String {
    var output = ByteBuffer()
    let bytes = card.batch.bytes
    Escaping.unescape(bytes.span, Int(entry.valueStart), Int(entry.valueEnd), version: card.version, to: &output)
    return output.text()
  }

  /// The physical line where it starts, from 1.
  public var line: Int { card.batch.firstPhysicalLine + Int(entry.line) }

  /// The bytes that it was read from, line breaks included.
  public var rawBytes: ArraySlice<UInt8> { card.batch.bytes[Int(entry.rawStart)..<Int(entry.rawEnd)] }

  /// Its parameters in order; a bare word of 2.1 is a TYPE, an ENCODING or a VALUE.
  public var parameters: [Parameter] {
    let first = Int(entry.firstParameter)
    return (first..<first + Int(entry.parameterCount)).map { Parameter(of: card, $0) }
  }
}

/// One parameter of a content line.
public struct Parameter: Sendable, Hashable {
  /// The name as written; of a bare word the name that it stands for.
  public let name: String
  /// Its values, quotes and carets undone.
  public let values: [String]

  init(of card: Card, _ index: Int) {
    let entry = card.batch.parameters[index]
    let bytes = card.batch.bytes
    name =
      entry.isBare
      ? entry.known.name : String(decoding: bytes[Int(entry.nameStart)..<Int(entry.nameEnd)], as: UTF8.self)
    var found: [String] = []
    let span = bytes.span
    if entry.isBare {
      let words = bytes[Int(entry.valueStart)..<Int(entry.valueEnd)].split(separator: ASCII.comma)
      found = words.map { String(decoding: $0, as: UTF8.self) }
    } else {
      ParameterText.forEachValue(span, Int(entry.valueStart), Int(entry.valueEnd)) { start, end in
        var output = ByteBuffer()
        ParameterText.unescape(
          span, start, end, version: card.version, keepsBackslashes: entry.known == .jsComps, to: &output)
        found.append(output.text())
      }
    }
    values = found
  }
}
