// How much is too much: every limit of the toolkit, in one place.

/// Sizes beyond which input is refused with a diagnostic, so that a hostile file costs no more than one card of memory.
public struct Limits: Sendable, Hashable {
  /// Bytes of one unfolded content line.
  public var contentLine = 64 << 20
  /// Bytes of one card, or of one record of any other format.
  public var card = 256 << 20
  /// Properties of one card.
  public var properties = 100_000
  /// How deep cards may be nested (AGENT).
  public var nesting = 16
  /// How deep JSON and XML may be nested.
  public var dataNesting = 128
  /// Cells of one CSV row.
  public var cells = 20_000

  /// The limits that the command works with.
  public init() {}

  /// The limits as a text for people, one a line.
  public static var help: String {
    let limits = Limits()
    return """
      A content line: \(limits.contentLine >> 20) MiB, unfolded.
      A card, or a record of any other format: \(limits.card >> 20) MiB.
      Properties of a card: \(limits.properties).
      Cards inside cards (AGENT): \(limits.nesting) deep.
      JSON and XML: \(limits.dataNesting) levels deep.
      A CSV row: \(limits.cells) cells.

      What is larger is an error with its line; the card or record is skipped to its end, and the run goes on.
      """
  }
}
