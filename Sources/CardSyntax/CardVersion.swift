// The three versions of vCard.

internal import Bytes

/// A version of the vCard format.
public enum CardVersion: UInt8, BitwiseCopyable, Sendable, Hashable, CaseIterable, Comparable {
  /// vCard 2.1 (Versit Consortium, 1996).
  case v21
  /// vCard 3.0 (RFC 2425, RFC 2426).
  case v30
  /// vCard 4.0 (RFC 6350).
  case v40

  /// The text of a VERSION property.
  public var text: String { ["2.1", "3.0", "4.0"][Int(rawValue)] }

  /// Older versions come first.
  public static func < (a: CardVersion, b: CardVersion) -> Bool { a.rawValue < b.rawValue }

  /// The version that a VERSION value names; blanks around it and a missing minor number do no harm. Nil for anything else.
  public init?(_ text: some StringProtocol) {
    let hasBlanks = text.utf8.contains { $0 == ASCII.space || $0 == ASCII.tab }
    switch hasBlanks ? String(text.filter { $0 != " " && $0 != "\t" }) : String(text) {
    case "2.1", "2", "2.0": self = .v21
    case "3.0", "3": self = .v30
    case "4.0", "4": self = .v40
    default: return nil
    }
  }
}
