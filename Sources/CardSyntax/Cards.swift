// Loops over the parser: all cards of some bytes, and all cards of a stream of pieces.

/// The cards of bytes in memory, one after the other.
///
/// ```swift
/// for card in Cards(bytes) { print(card["FN"].first?.text ?? "-", card.diagnostics) }
/// ```
public struct Cards: Sequence, Sendable {
  let bytes: [UInt8]

  /// The cards in `bytes`; any bytes are taken.
  public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// The cards in a text.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// Starts at the first card again.
  public func makeIterator() -> Iterator { Iterator(bytes) }

  /// Parses on demand.
  public final class Iterator: IteratorProtocol {
    private var parser = CardParser()

    init(_ bytes: [UInt8]) {
      parser.feed(bytes.span)
      parser.finish()
    }

    /// The next card; nil at the end. A card beyond the limits is passed over.
    public func next() -> Card? { parser.next() }
  }
}

extension AsyncSequence where Element: Sequence<UInt8> {
  /// The cards of a sequence of pieces of bytes, such as what arrives from a socket.
  public func cards() -> AsyncThrowingStream<Card, any Error> where Self: Sendable {
    AsyncThrowingStream { continuation in
      let task = Task {
        var parser = CardParser()
        do {
          for try await piece in self {
            parser.feed(Array(piece).span)
            while let card = parser.next() { continuation.yield(card) }
          }
          parser.finish()
          while let card = parser.next() { continuation.yield(card) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
