// Names as they are compared: may two ways of writing a name mean one person?

internal import CardSyntax
internal import Bytes

/// What somebody is called, reduced to what is compared: case, diacritics, punctuation, titles and the order of `family, given` are gone.
package struct ComparableName: Hashable, Sendable {
  /// Whose name it is.
  package enum Kind: UInt8, Sendable {
    /// There is no name: no text, or only an e-mail address or a number.
    case none
    case person
    /// An organization that has no person's name beside it.
    case organization
    /// A group of contacts.
    case group

    /// One digit for each.
    fileprivate var digit: String {
      switch self {
      case .none: "0"
      case .person: "1"
      case .organization: "2"
      case .group: "3"
      }
    }
  }

  package var kind = Kind.none
  /// `jr`, `sr`, `ii`, `iii`, `iv`; empty where there is none.
  var generation = ""
  /// The words of the family name; empty where nobody has said which words they are.
  var family: [String] = []
  /// The words of the given and further names; of a name that nobody has cut, all words.
  var given: [String] = []

  package init() {}

  // MARK: From a record

  private static let fullName = CardWriter.fullName
  private static let name = CardWriter.name
  private static let organizations = Person.field("organizations") ?? 0
  private static let kindField = Person.field("kind") ?? 0
  /// The fields that a name is read from.
  package static let fields = [fullName, name, organizations, kindField]

  /// The name of a contact.
  package init(_ record: borrowing Record) {
    let written = record.value(ofField: Self.fullName).map { record.string($0) } ?? ""
    let full = Self.isName(written) ? written : ""
    var organization: [String] = []
    if let index = record.value(ofField: Self.organizations), let first = record.elements(index).first {
      organization = NameFolding.words(record.string(.name, of: first) ?? "")
    }
    switch record.value(ofField: Self.kindField).map({ record.string($0) }) {
    case "group":
      (kind, given) = (.group, NameFolding.words(full))
      return
    case "org":
      let words = organization.isEmpty ? NameFolding.words(full) : organization
      if !words.isEmpty { (kind, given) = (.organization, words) }
      return
    default: break
    }
    var parts = ComparableName()
    if let index = record.value(ofField: Self.name) { parts = ComparableName(parts: index, of: record) }
    if parts.family.isEmpty || parts.given.isEmpty {
      // Only one part is filled: the full name may say more, and nobody has said which words are the family name.
      let one = parts.family + parts.given
      var whole = ComparableName(fullName: full)
      if whole.family.count + whole.given.count < one.count { (whole.family, whole.given) = ([], one) }
      if whole.generation.isEmpty { whole.generation = parts.generation }
      parts = whole
      let words = parts.family + parts.given
      // A company's card says its name twice.
      if words.isEmpty || Self.joined(words) == Self.joined(organization) {
        if !organization.isEmpty { (kind, given) = (.organization, organization) }
        return
      }
    }
    parts.kind = .person
    self = parts
  }

  /// An address or a number that stands where the name should is none.
  private static func isName(_ text: String) -> Bool {
    if text.utf8.contains(UInt8(ascii: "@")), !text.utf8.contains(ASCII.space) { return false }
    return NameFolding.hasLetter(text) || !text.utf8.allSatisfy { $0 < 0x80 }
  }

  /// From the parts of a name.
  private init(parts index: Int, of record: borrowing Record) {
    func pieces(_ member: Member, of record: borrowing Record) -> [Substring] {
      record.texts(member, of: index).filter(Self.isName).flatMap { Self.pieces($0) }
    }
    var familyPieces = pieces(.family, of: record) + pieces(.family2, of: record)
    var givenPieces = pieces(.given, of: record) + pieces(.middle, of: record)
    for piece in pieces(.suffix, of: record) + pieces(.generation, of: record) {
      if let found = Self.generation(Self.plain(piece)), generation.isEmpty { generation = found }
    }
    takeEnds(of: &familyPieces)
    takeEnds(of: &givenPieces)
    (family, given) = (Self.words(familyPieces), Self.words(givenPieces))
  }

  /// From a name in one piece: `Dr. Anna Müller`, `Müller, Anna`, `John Smith, Jr.`.
  init(fullName text: String) {
    let sides = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "," || $0 == "，" || $0 == "、" }
    var first = Self.pieces(String(sides.first ?? ""))
    var second = sides.count > 1 ? Self.pieces(String(sides[1])) : []
    takeEnds(of: &first)
    takeEnds(of: &second)
    let (before, after) = (Self.words(first), Self.words(second))
    if !before.isEmpty, !after.isEmpty { (family, given) = (before, after) } else { given = before + after }
  }

  private static func words(_ pieces: [Substring]) -> [String] { NameFolding.words(pieces.joined(separator: " ")) }

  private static func pieces(_ text: String) -> [Substring] {
    text.utf8.split { $0 <= ASCII.space || $0 == ASCII.comma }.map { Substring($0) }
  }

  /// Takes titles off the front and degrees and generations off the end; one piece always stays, unless it is nothing but such.
  private mutating func takeEnds(of pieces: inout [Substring]) {
    while let last = pieces.last {
      let plain = Self.plain(last)
      if plain.isEmpty { break }
      if let found = Self.generation(plain), pieces.count > 1 || plain != "sr" {
        if generation.isEmpty { generation = found }
      } else if !Self.degrees.contains(plain) {
        break
      }
      pieces.removeLast()
    }
    while pieces.count > 1, let first = pieces.first, Self.titles.contains(Self.plain(first)) { pieces.removeFirst() }
  }

  /// A title or degree without dots, in lower case; empty for a piece that is too long to be one.
  private static func plain(_ piece: Substring) -> String {
    guard piece.utf8.count <= 12 else { return "" }
    var bytes: [UInt8] = []
    for byte in piece.utf8 where byte != ASCII.dot {
      if byte >= 0x80 { return "" }
      bytes.append(ASCII.lowercased(byte))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func generation(_ plain: String) -> String? {
    switch plain {
    case "jr", "junior": "jr"
    case "sr", "senior": "sr"
    case "ii", "2nd": "ii"
    case "iii", "3rd": "iii"
    case "iv", "4th": "iv"
    default: nil
    }
  }

  private static let titles: Set<String> = [
    "dr", "mr", "mrs", "ms", "mx", "miss", "prof", "professor", "sir", "dame", "rev", "hon", "herr", "frau", "hr", "fr", "mme", "mlle",
    "sr",
    "sra", "srta", "sig", "ing", "dipl-ing", "mag", "drs", "ir",
  ]
  private static let degrees: Set<String> = ["phd", "md", "esq", "msc", "bsc", "mba", "dds", "cpa", "jd", "llm", "dphil", "rn"]

  // MARK: Comparing

  /// May both be names of one person (or organization, or group)? A contact without a name is for the caller to judge.
  package func fits(_ other: ComparableName) -> Bool {
    guard kind == other.kind, kind != .none, generation == other.generation else { return false }
    if self == other || Self.joined(family + given) == Self.joined(other.family + other.given) { return true }
    guard kind == .person else { return false }
    if sorted == other.sorted { return true }
    if Self.joined(given + family) == Self.joined(other.family + other.given) { return true }
    for (family, given) in cuts(beside: other) {
      let name = Self.joined(family)
      for (otherFamily, otherGiven) in other.cuts(beside: self)
      where Self.joined(otherFamily) == name && Self.givenFits(given, otherGiven) { return true }
    }
    return false
  }

  /// A text that is equal for names with equal words, in whatever order they stand.
  package var sorted: String {
    [kind.digit, generation, Self.expanded(family + given).sorted().joined(separator: " ")].joined(separator: "|")
  }

  private static func joined(_ words: [String]) -> String {
    let all = words.joined()
    return hasHyphen(all) ? all.filter { $0 != "-" } : all
  }

  private static func hasHyphen(_ text: String) -> Bool { text.utf8.contains(ASCII.dash) }

  private static func expanded(_ words: [String]) -> [String] {
    guard words.contains(where: hasHyphen) else { return words }
    return words.flatMap { hasHyphen($0) ? $0.split(separator: "-").map(String.init) : [$0] }
  }

  /// The ways to cut the name into family and given names. Words that nobody has cut are read with the family name last; beside a name
  /// that is cut also with the family name first.
  private func cuts(beside other: ComparableName) -> [(family: [String], given: [String])] {
    if !family.isEmpty { return [(family, given)] }
    guard given.count > 1, given.count <= 8 else { return [] }
    var found: [(family: [String], given: [String])] = []
    for k in 1..<given.count { found.append((Array(given[k...]), Array(given[..<k]))) }
    if !other.family.isEmpty { for k in 1..<given.count { found.append((Array(given[..<k]), Array(given[k...]))) } }
    return found
  }

  /// Are given names equal, initials of each other, or longer by a middle name?
  private static func givenFits(_ a: [String], _ b: [String]) -> Bool {
    guard !a.isEmpty, !b.isEmpty else { return a.isEmpty && b.isEmpty }
    if joined(a) == joined(b) { return true }
    let (x, y) = (expanded(a), expanded(b))
    if x.count == y.count, zip(x, y).allSatisfy(wordFits) { return true }
    return zip(a, b).allSatisfy(wordFits)
  }

  private static func wordFits(_ a: String, _ b: String) -> Bool {
    if a == b { return true }
    let (short, long) = a.count < b.count ? (a, b) : (b, a)
    // Only scripts with letter case have initials; elsewhere one character may be a whole name.
    guard short.count == 1, long.first == short.first, short.uppercased() != short else { return joined([a]) == joined([b]) }
    return true
  }
}

extension ComparableName {
  /// The name as bytes that can be kept and compared.
  package var packed: String {
    [kind.digit, generation, family.joined(separator: " "), given.joined(separator: " ")].joined(separator: "\u{0}")
  }

  /// The name that was packed.
  package init(packed text: String) {
    let parts = text.split(separator: "\u{0}", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return }
    kind = UInt8(parts[0]).flatMap { Kind(rawValue: $0) } ?? .none
    generation = String(parts[1])
    family = parts[2].split(separator: " ").map(String.init)
    given = parts[3].split(separator: " ").map(String.init)
  }
}
