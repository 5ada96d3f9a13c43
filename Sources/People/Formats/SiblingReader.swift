// Reads the formats that hold a vCard's properties in another syntax (jCard, JSContact, xCard): each contact becomes a card.

internal import Bytes
internal import CardSyntax
internal import DataSyntax

/// Reads cards from a sibling format of vCard; one contact is in memory at a time.
struct SiblingReader: ~Copyable {
  private var splitter = JSONValueSplitter(splitsArrays: .unlessFirstElementIsString)
  private var jcard = JCardReader()
  private var jscontact = JSContactReader()
  /// Cards of the value read last that are not given out yet, the last one first.
  private var waiting: [CardBatch] = []
  private var findings: [Diagnostic] = []

  init() {}

  /// Takes the next bytes.
  mutating func feed(_ bytes: Span<UInt8>, _ format: ContactFormat) {
    splitter.feed(bytes)
  }

  /// Says that no more bytes come.
  mutating func finish() {
    splitter.finish()
  }

  /// The findings since the last call.
  mutating func takeFindings() -> [Diagnostic] {
    defer { findings = [] }
    return findings
  }

  /// The next contact, a batch of one card that counts as the input's `number`th; nil where more bytes are needed or none is left.
  mutating func next(_ format: ContactFormat, number: Int) -> CardBatch? {
    while true {
      if let card = waiting.popLast() { return card.numbered(number) }
      do throws(DataSyntaxError) {
        guard let value = try splitter.next() else { return nil }
        if format == .jscontact {
          jscontact.read(value.bytes, line: value.line, into: &waiting)
          findings += jscontact.findings
        } else {
          jcard.read(value.bytes, line: value.line, into: &waiting)
          findings += jcard.findings
        }
        waiting.reverse()
      } catch {
        findings.append(Diagnostic(.dataSyntax, error.message + "; what could not be read was left out", line: error.line, leftOut: true))
      }
    }
  }
}

extension CardBatch {
  /// The same cards, counted from `number` on.
  func numbered(_ number: Int) -> CardBatch {
    if firstCard == number { return self }
    return CardBatch(
      bytes: bytes, lines: lines, parameters: parameters, cards: cards, diagnostics: diagnostics, firstPhysicalLine: firstPhysicalLine,
      firstCard: number, inputEnd: inputEnd)
  }
}
