// Persons from bytes of any format, and a person as a card or as JSON: the short way for callers of the library.

public import CardSyntax
internal import Bytes

/// The persons in some bytes, one after the other. Any bytes are taken; what is damaged is read as far as it can be.
///
/// ```swift
/// for person in Persons(bytes) { print(person.fullName ?? "(no name)", person.emails.first?.value ?? "-") }
/// ```
///
/// The bytes tell their format: vCard, JSON, jCard, JSContact, xCard, CSV or LDIF. `PersonReader` reads files.
public struct Persons: Sequence, Sendable {
  private let bytes: [UInt8]
  private let format: ContactFormat?
  private let encoding: String?

  /// The persons in `bytes`. `format` is for bytes that do not tell it, such as a table with a header of one's own; `encoding` is a
  /// character encoding, such as `windows-1252`, for bytes that name none. One that nobody knows is passed over, which is a finding.
  public init(_ bytes: some Sequence<UInt8>, format: ContactFormat? = nil, encoding: String? = nil) {
    (self.bytes, self.format, self.encoding) = (Array(bytes), format, encoding)
  }

  /// The persons in a text. `format` is for texts that do not tell it.
  public init(_ text: String, format: ContactFormat? = nil) { self.init(text.utf8, format: format) }

  /// Starts at the first person again.
  public func makeIterator() -> Iterator { Iterator(bytes, PersonSource(format, encoding: encoding)) }

  /// Reads on demand.
  public final class Iterator: IteratorProtocol {
    private let bytes: [UInt8]
    /// Where the next piece begins; nil at the end.
    private var position: Int? = 0
    private var source: PersonSource
    /// What was found on the way to the person given last, repairs and damage; after the last one, what stood behind it.
    public private(set) var diagnostics: [Diagnostic] = []

    init(_ bytes: [UInt8], _ source: consuming PersonSource) {
      self.bytes = bytes
      self.source = source
    }

    /// The format of the bytes; nil until the first person has been asked for, unless it was named.
    public var format: ContactFormat? { source.format }

    /// The next person; nil at the end. A contact beyond the limits is passed over, which is a finding.
    public func next() -> Person? {
      defer { diagnostics = source.takeFindings() }
      repeat {
        if let person = source.next() { return person }
      } while source.feedPiece(of: bytes, from: &position)
      return nil
    }
  }
}

extension Person {
  /// The person as a vCard of `version`, lines ended by CRLF.
  public func vCard(_ version: CardVersion = .v40) -> String {
    var writer = CardWriter(version: version)
    writer.write(Record(self))
    return writer.lines.output.text()
  }

  /// The person as one JSON object, the record of `vcard convert -t json`.
  public var json: String {
    var output = ByteBuffer()
    JSONFormat().write(Record(self), to: &output)
    return output.text()
  }
}
