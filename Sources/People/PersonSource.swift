// Persons of any format from bytes that arrive piece by piece: what the loops over memory and over files share.

internal import Bytes
internal import CardSyntax
internal import Files

/// Reads persons; one is in memory at a time. The format is known with the first bytes.
struct PersonSource: ~Copyable {
  private let known: ContactFormat?
  private let fileExtension: String
  private let encoding: String?
  private var source: Boxed<ContactSource>?
  private var reader = CardReader()
  private var findings: [Diagnostic] = []

  /// A source for a format; without one, the file's extension and the first bytes tell it.
  init(_ format: ContactFormat?, encoding: String?, fileExtension: String = "") {
    (known, self.fileExtension) = (format, fileExtension)
    if let encoding, !CardParser.knows(encoding: encoding) {
      self.encoding = nil
      findings = [Diagnostic(.wrongCharset, "no character encoding is called '\(encoding)'; the bytes tell theirs")]
    } else {
      self.encoding = encoding
    }
  }

  /// The format, once bytes have been fed.
  var format: ContactFormat? { source?.value.format ?? known }

  private mutating func opened(_ first: Span<UInt8>) -> Boxed<ContactSource> {
    if let source { return source }
    let fresh = Boxed(ContactSource(known ?? ContactFormat(fileExtension: fileExtension, first: first), encoding: encoding))
    source = fresh
    return fresh
  }

  /// Takes the next bytes.
  mutating func feed(_ bytes: Span<UInt8>) { opened(bytes).value.feed(bytes) }

  /// Takes the next piece of bytes in memory, from `position` on, and ends with the last one; false where that was before.
  mutating func feedPiece(of bytes: [UInt8], from position: inout Int?) -> Bool {
    guard let start = position else { return false }
    let end = min(start + InputStream.chunkSize, bytes.count)
    if start < end { feed(bytes.span.extracting(start..<end)) }
    position = end < bytes.count ? end : nil
    if position == nil { finish() }
    return true
  }

  /// Says that no more bytes come.
  mutating func finish() { opened([UInt8]().span).value.finish() }

  /// The next person; nil where more bytes are needed or none is left.
  mutating func next() -> Person? {
    guard let source else { return nil }
    let contact = source.value.next()
    findings += source.value.takeFindings()
    switch contact {
    case .card(let batch, let index)?:
      reader.read(batch, index)
      return Person(reader.record)
    case .record?: return Person(source.value.record)
    case nil: return nil
    }
  }

  /// The findings since the last call.
  mutating func takeFindings() -> [Diagnostic] {
    defer { findings = [] }
    return findings
  }
}
