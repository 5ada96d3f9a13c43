// The words that TYPE may have, by version and kind of property (RFC 6350 5.6, 6.4.1, 6.6.6; RFC 7852; RFC 9554 5; RFC 2426; RFC 4770; vCard 2.1).

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

  /// How `word` stands to a property of `version` with words of `scope`.
  init(_ word: String, in version: CardVersion, _ scope: Field.Types) {
    let lower = word.lowercased()
    if lower.hasPrefix("x-") {
      self = .known
      return
    }
    self = .unknown
    for row in Self.words[version] ?? [] where row.words.contains(lower) {
      self = row.scope == .general || row.scope == scope ? .known : .elsewhere
    }
  }
}
