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
    let bytes = Array(text.utf8)
    self.init(bytes.span, 0, bytes.count)
  }

  /// The version that the text in `bytes[start ..< end]` names.
  package init?(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    // Its letters as one number behind a 1, the last one lowest.
    var letters: UInt32 = 1
    for i in start..<end where !ASCII.isBlank(bytes[i]) {
      guard letters < 1 << 24 else { return nil }
      letters = letters << 8 | UInt32(bytes[i])
    }
    switch letters {
    case 0x1_32_2E_31, 0x1_32, 0x1_32_2E_30: self = .v21
    case 0x1_33_2E_30, 0x1_33: self = .v30
    case 0x1_34_2E_30, 0x1_34: self = .v40
    default: return nil
    }
  }
}
