// The words that TYPE may have, by version and kind of property (RFC 6350 5.6, 6.4.1, 6.6.6; RFC 7852; RFC 9554 5; RFC 2426; RFC 4770; vCard 2.1).

internal import Bytes
internal import CardSyntax

/// How a TYPE word stands to a property of a version.
enum TypeWord {
  /// The version has it for this property, or it is a word of one's own.
  case known
  /// The version has it, but for other properties.
  case elsewhere
  /// The version does not have it.
  case unknown

  private static let phones: Set<String> = ["voice", "fax", "cell", "pager", "video"]
  private static let olderPhones: Set<String> = phones.union(["msg", "bbs", "modem", "car", "isdn"])
  private static let delivery: Set<String> = ["dom", "intl", "postal", "parcel"]
  private static let general: Set<String> = ["home", "work"]

  private static let words: [CardVersion: [(scope: Field.Types, words: Set<String>)]] = [
    .v40: [
      (.general, general), (.phone, phones.union(["text", "textphone", "main-number"])), (.address, ["billing", "delivery"]),
      (.relation, Set(Label.words.filter { $0.scope == .relation }.compactMap { $0.types.v40 })),
    ],
    .v30: [
      (.general, general.union(["pref"])), (.phone, olderPhones.union(["pcs"])), (.address, delivery), (.email, ["internet", "x400"]),
      (.messaging, ["personal", "business", "mobile"]),
    ],
    .v21: [
      (.general, general.union(["pref"])), (.phone, olderPhones), (.address, delivery),
      (
        .email,
        [
          "aol", "applelink", "attmail", "cis", "eworld", "internet", "ibmmail", "mcimail", "powershare", "prodigy", "tlx", "x400",
        ]
      ),
    ],
  ]

  /// The words of 4.0, each with the properties that have it: 1 for all, else one more than the number of its scope.
  private static let known40 = NameTable(
    (words[.v40] ?? []).flatMap { row in row.words.map { ($0, row.scope == .general ? 1 : UInt16(row.scope.rawValue) + 2) } })

  /// Has 4.0 the word in `bytes[start ..< end]` for a property with words of `scope`, or is it one of one's own?
  static func isKnown40(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ scope: Field.Types) -> Bool {
    if end - start > 2, bytes[start] | 32 == UInt8(ascii: "x"), bytes[start + 1] == ASCII.dash { return true }
    let number = known40.number(of: bytes, start, end)
    return number == 1 || number == UInt16(scope.rawValue) + 2
  }

  /// How `word` stands to a property of `version` with words of `scope`.
  init(_ word: String, in version: CardVersion, _ scope: Field.Types) {
    let lower = word.lowercased()
    if lower.hasPrefix("x-") {
      self = .known
      return
    }
    self = .unknown
    guard !lower.isEmpty else { return }
    for row in Self.words[version] ?? [] where row.words.contains(lower) {
      self = row.scope == .general || row.scope == scope ? .known : .elsewhere
    }
  }
}
