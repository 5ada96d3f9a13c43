// Reads the formats that hold a vCard's properties in another syntax (jCard, JSContact, xCard): each contact becomes a card.

internal import Bytes
internal import CardSyntax
internal import DataSyntax

/// Reads cards from a sibling format of vCard; one contact is in memory at a time. UTF-16 and code pages are made UTF-8 first.
struct SiblingReader: ~Copyable {
  private let format: ContactFormat
  private var encoding: TextEncoding?
  private var decoder: StreamDecoder?
  private var decoded = ByteBuffer()
  private var values = JSONValueSplitter(splitsArrays: .unlessFirstElementIsString)
  private var elements = XMLElementSplitter(element: "vcard")
  private var jcard = JCardReader()
  private var jscontact = JSContactReader()
  private var xcard = XCardReader()
  /// Cards of the value read last that are not given out yet, the last one first.
  private var waiting: [CardBatch] = []
  private var findings: [Diagnostic] = []

  init(_ format: ContactFormat, encoding: String? = nil) {
    self.format = format
    self.encoding = encoding.flatMap { TextEncoding(named: $0) }
  }

  /// Takes the next bytes.
  mutating func feed(_ bytes: Span<UInt8>) {
    if decoder == nil {
      if encoding == nil, format == .xcard { encoding = Self.declaredEncoding(bytes) }
      decoder = StreamDecoder(forced: encoding)
    }
    if decoder?.passesThrough == true { return format == .xcard ? elements.feed(bytes) : values.feed(bytes) }
    decoder?.decode(bytes, to: &decoded)
    passOn()
  }

  /// Says that no more bytes come.
  mutating func finish() {
    decoder?.finish(to: &decoded)
    passOn()
    if format == .xcard { elements.finish() } else { values.finish() }
  }

  private mutating func passOn() {
    guard !decoded.isEmpty else { return }
    if format == .xcard {
      decoded.withBytes { elements.feed($0) }
    } else {
      decoded.withBytes { values.feed($0) }
    }
    decoded.removeAll()
  }

  /// The encoding that an XML declaration names, where it is not UTF-8 and not UTF-16, which its bytes tell.
  private static func declaredEncoding(_ bytes: Span<UInt8>) -> TextEncoding? {
    let text = String(decoding: (0..<min(bytes.count, 200)).map { bytes[$0] }, as: UTF8.self)
    guard text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>"), let mark = text[..<end.lowerBound].firstRange(of: "encoding") else {
      return nil
    }
    let rest = text[mark.upperBound..<end.lowerBound].drop { $0 == "=" || $0.isWhitespace }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    guard let named = TextEncoding(named: String(rest.dropFirst().prefix { $0 != quote })) else { return nil }
    return named.isUTF8 || named.isUTF16 ? nil : named
  }

  /// The findings since the last call.
  mutating func takeFindings() -> [Diagnostic] {
    defer { findings = [] }
    return findings
  }

  /// The next contact, a batch of one card that counts as the input's `number`th; nil where more bytes are needed or none is left.
  mutating func next(number: Int) -> CardBatch? {
    while true {
      if let card = waiting.popLast() { return card.numbered(number) }
      do throws(DataSyntaxError) {
        guard try readNext() else { return nil }
        waiting.reverse()
      } catch {
        findings.append(Diagnostic(.dataSyntax, error.told + "; what could not be read was left out", line: error.line, leftOut: true))
      }
    }
  }

  /// Reads the next value or element; false where none is complete.
  private mutating func readNext() throws(DataSyntaxError) -> Bool {
    if format == .xcard {
      guard let element = try elements.next() else { return false }
      xcard.read(element.bytes, line: element.line, column: element.column, namespaces: element.namespaces, into: &waiting)
      findings += xcard.findings
      return true
    }
    guard let value = try values.next() else { return false }
    if format == .jscontact {
      jscontact.read(value.bytes, line: value.line, into: &waiting)
      findings += jscontact.findings
    } else {
      jcard.read(value.bytes, line: value.line, into: &waiting)
      findings += jcard.findings
    }
    return true
  }
}

extension CardBatch {
  /// The same cards, counted from `number` on.
  func numbered(_ number: Int) -> CardBatch {
    if firstCard == number { return self }
    return CardBatch(
      bytes: bytes, lines: lines, parameters: parameters, cards: cards, diagnostics: diagnostics, firstPhysicalLine: firstPhysicalLine,
      firstCard: number, inputEnd: inputEnd, numbering: numbering)
  }
}
