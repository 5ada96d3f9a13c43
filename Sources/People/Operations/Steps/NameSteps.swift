// The steps of normalizing for names: parts from the full name, escaped separators, capitals.

internal import Bytes
internal import CardSyntax

extension NormalizationStep {
  // MARK: Parts

  /// Divides a name again whose separators were escaped into one part, and makes missing parts from the full name.
  static func mendNames(_ draft: inout CardDraft) {
    if let unit = draft.firstUnit(of: CardWriter.name) {
      // Only what is escaped stands in a part with its separators.
      let bytes = draft.engine.card.bytes
      if let (start, end) = draft.written(unit), !draft.units[unit].hasCompanions, draft.version != .v21,
        ByteSearch.firstIndex(of: ASCII.backslash, in: bytes.span, from: start, to: end) == end
      {
        return
      }
      guard var value = draft.value(unit), let divided = dividedAgain(value.tree) else { return }
      value.tree = divided
      draft.change(unit, value, "the separators that were escaped into one part divide the name again")
      return
    }
    guard let unit = draft.firstUnit(of: CardWriter.fullName), let text = draft.text(unit), !draft.isNoPerson(called: text),
      let parts = NameGuess.parts(of: text)
    else { return }
    let message = "the parts of the name were made from the full name"
    if let empty = draft.units.indices.first(where: { unit in draft.units[unit].line.map { draft.isEmptyName($0) } ?? false }) {
      draft.remove(empty, "an empty name gave way to one with parts")
    }
    draft.add(DraftValue(parts), toField: "name", message)
  }

  /// The name with its parts in their places, where all of them stand in one, divided by two semicolons at least; nil for other names.
  private static func dividedAgain(_ tree: ValueTree) -> ValueTree? {
    guard case .object(let parts) = tree else { return nil }
    let members: [Member] = [.family, .given, .middle, .prefix, .suffix]
    let filled = parts.filter { members.contains($0.member) && !$0.value.texts.allSatisfy(\.isEmpty) }
    guard filled.count == 1, filled[0].member == .family, case .text(let text) = filled[0].value else { return nil }
    let pieces = text.split(separator: ";", omittingEmptySubsequences: false)
    guard (3...5).contains(pieces.count), pieces.contains(where: { !$0.isEmpty }) else { return nil }
    var result = tree
    for (member, piece) in zip(members, pieces) { result[member] = piece.isEmpty ? nil : .text(String(piece)) }
    return result
  }

  // MARK: Capitals

  /// Gives capital initials to names that are all capitals, or all small letters.
  static func capitalizeNames(_ draft: inout CardDraft) {
    if let unit = draft.firstUnit(of: CardWriter.fullName), let text = draft.text(unit), draft.isNoPerson(called: text) { return }
    for key in ["fullName", "name"] {
      for unit in draft.units(of: key) {
        guard var value = draft.value(unit) else { continue }
        let tree = value.tree.mapped { member, text in
          text.contains("@") ? text : NameCase.capitalized(text, isFamily: member == .family)
        }
        guard tree != value.tree else { continue }
        value.tree = tree
        draft.change(unit, value, "the name got capital initials")
      }
    }
  }
}

extension CardDraft {
  /// Is the full name that of a company or group, or an address or number that stands for one?
  fileprivate mutating func isNoPerson(called text: String) -> Bool {
    for unit in units(of: "kind") {
      if let kind = value(unit)?.tree.plainText, kind != "individual" { return true }
    }
    let lower = text.lowercased()
    return ["organizations", "emails", "phones", "nicknames", "instantMessages"].contains { key in
      units(of: key).contains { unit in value(unit)?.tree.texts.contains { $0.lowercased() == lower } ?? false }
    }
  }
}

/// Parts of a name, told from the full name.
enum NameGuess {
  private static let prefixes: Set<String> = [
    "dr", "mr", "mrs", "ms", "miss", "mx", "prof", "professor", "sir", "dame", "lord", "lady", "rev", "fr", "hon", "herr", "frau", "hr",
    "fru", "m", "mme", "mlle", "sr", "sra", "srta", "dott", "ing", "dipl-ing", "mag", "capt", "col", "gen", "lt", "maj", "sgt",
  ]
  private static let suffixes: Set<String> = [
    "jr", "sr", "ii", "iii", "iv", "phd", "md", "dds", "dvm", "esq", "mba", "msc", "bsc", "ma", "ba", "cpa", "rn", "obe", "mbe", "cbe",
    "kc",
    "qc",
  ]
  /// Words that begin a family name of several words.
  static let particles: Set<String> = [
    "van", "von", "der", "den", "de", "del", "della", "di", "da", "das", "dos", "do", "du", "la", "le", "les", "ten", "ter", "te", "zu",
    "zum", "zur", "af", "av", "bin", "ibn", "al", "el", "bint", "ben", "st", "san", "santa",
  ]

  /// The parts of a full name: `Dr. Mira Okafor`, `Okafor, Mira`, `Ludwig van Beethoven`, or one name alone. Nil where it is no name of a
  /// person.
  static func parts(of text: String) -> ValueTree? {
    guard text.contains(where: \.isLetter), !text.contains(where: { $0.isNumber || "@/&+|<>()[]{}\"\\;:".contains($0) }) else { return nil }
    let sides = text.split(separator: ",", omittingEmptySubsequences: false).map { words($0) }
    var family: [String] = []
    var given: [String] = []
    var suffix: [String] = []
    var prefix: [String] = []
    switch sides.count {
    case 1: given = sides[0]
    case 2 where !sides[1].isEmpty && sides[1].allSatisfy { suffixes.contains(plain($0)) }: (given, suffix) = (sides[0], sides[1])
    case 2: (family, given) = (sides[0], sides[1])
    default: return nil
    }
    guard !given.isEmpty, (given + family).allSatisfy({ $0.contains(where: \.isLetter) }) else { return nil }
    while given.count > 1, let first = given.first, prefixes.contains(plain(first)), first.hasSuffix(".") || plain(first).count > 2 {
      prefix.append(given.removeFirst())
    }
    while given.count > 2, let last = given.last, suffixes.contains(plain(last)) { suffix.insert(given.removeLast(), at: 0) }
    if family.isEmpty, given.count > 1 {
      // From the first particle behind the given name on, all is family name.
      let start = given.indices.dropFirst().dropLast().first { particles.contains(given[$0].lowercased()) } ?? given.count - 1
      family = Array(given[start...])
      given.removeSubrange(start...)
    }
    var parts: [ValueTree.Part] = []
    func add(_ member: Member, _ words: some Sequence<String>) {
      let text = words.joined(separator: " ")
      if !text.isEmpty { parts.append(.init(member, .text(text))) }
    }
    add(.prefix, prefix)
    add(.given, given.prefix(1))
    add(.middle, given.dropFirst())
    add(.family, family)
    add(.suffix, suffix)
    return .object(parts)
  }

  private static func words(_ text: Substring) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
  private static func plain(_ word: String) -> String { word.lowercased().filter { $0 != "." } }
}

/// Capital initials.
enum NameCase {
  /// The name with capital initials, if it has letters of one case only; else as it is.
  static func capitalized(_ text: String, isFamily: Bool) -> String {
    let isUpper = !text.contains(where: \.isLowercase)
    let isLower = !text.contains(where: \.isUppercase)
    guard isUpper != isLower, text.count(where: \.isLetter) > 2 || isLower else { return text }
    var words: [String] = []
    for (i, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      let lower = word.lowercased()
      if NameGuess.particles.contains(lower), i > 0 || isFamily && text.contains(" ") {
        words.append(lower)
      } else if isUpper, ["II", "III", "IV", "VI", "VII", "VIII", "PHD", "MD"].contains(word) || word.contains(where: \.isNumber) {
        words.append(word == "PHD" ? "PhD" : String(word))
      } else {
        words.append(initials(lower))
      }
    }
    return words.joined(separator: " ")
  }

  /// `o'neill-mcrae` as `O'Neill-McRae`.
  private static func initials(_ word: String) -> String {
    var result = ""
    var startsWord = true
    for c in word {
      result += startsWord ? c.uppercased() : String(c)
      // An apostrophe begins a name only behind one letter: O'Neill, not Anna's.
      startsWord = c == "-" || c == "." || (c == "'" || c == "\u{2019}") && result.count == 2
    }
    guard result.hasPrefix("Mc"), result.count > 4 else { return result }
    return "Mc" + result.dropFirst(2).capitalizedFirst
  }
}
