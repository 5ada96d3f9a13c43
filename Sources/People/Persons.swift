// Persons from vCard bytes, and a person as a card or as JSON: the short way for callers of the library.

public import CardSyntax
internal import Bytes

/// The persons in the vCards of some bytes, one after the other. Any bytes are taken; what is damaged is read as far as it can be.
///
/// ```swift
/// for person in Persons(bytes) { print(person.fullName ?? "(no name)", person.emails.first?.value ?? "-") }
/// ```
public struct Persons: Sequence, Sendable {
  private let bytes: [UInt8]

  /// The persons in `bytes`.
  public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// The persons in a text.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// Starts at the first card again.
  public func makeIterator() -> Iterator { Iterator(bytes) }

  /// Reads on demand.
  public final class Iterator: IteratorProtocol {
    private var source = ContactSource(.vcard4)
    private var reader = CardReader()

    init(_ bytes: [UInt8]) {
      source.feed(bytes.span)
      source.finish()
    }

    /// The next person; nil at the end. A card beyond the limits is passed over.
    public func next() -> Person? {
      guard case .card(let batch, let index)? = source.next() else { return nil }
      reader.read(batch, index)
      return Person(reader.record)
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
