// The spreadsheets that address books write: which program a header row comes from, and what each of its columns holds.

internal import CardSyntax

/// The column names of a program in other languages than English.
struct SheetLanguages: Sendable {
  /// The English names, in the order of the lists of `names`, divided by `|`.
  let order: String
  /// A language's code and its names.
  let names: [(code: String, names: String)]
  /// Names that some versions use instead, as `name=English name`.
  var aliases: [String: String] = [:]
}

/// What one program's spreadsheet looks like: its columns by their English names, and the path that the cells of each stand for.
struct SheetDialect: Sendable {
  /// The program's name, for messages.
  let name: String
  /// `Column=path` of every column, divided by `|`; see `SheetColumn`.
  let columns: String
  var languages: [SheetLanguages] = []
  /// Has it numbered groups of columns, such as `Phone 1 - Value`?
  var hasGroups = false
  /// May a cell hold several values, divided by ` ::: `?
  var joinsValues = false
  /// The order of day and month where the cells do not tell it.
  var dates: SheetDate.Order?

  /// All programs, the likelier first: where two know as many columns, the first is taken.
  static let all: [SheetDialect] = [google, outlook, thunderbird, yahoo, linkedIn, roundcube, flattenedCard, khard]
}

/// A dialect in one language, as a dictionary of its column names.
struct SheetVocabulary: Sendable {
  let dialect: SheetDialect
  /// The language's code, empty for English.
  let language: String
  /// What the columns of a name hold: the first column of that name the first meaning, and so on.
  let meanings: [String: [String]]

  /// A name without letter case, blanks and punctuation: versions differ in these.
  static func plain(_ name: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in name.lowercased().unicodeScalars {
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber, .letterNumber, .otherNumber,
        .nonspacingMark, .spacingMark:
        plain.append(scalar)
      default: break
      }
    }
    return String(plain)
  }

  /// The parts of a table row, `name=meaning|name=meaning`.
  static func rows(_ text: String) -> [(name: String, meaning: String)] {
    text.split(separator: "|").map { row in
      // A name may hold an equals sign no more than a path does.
      let parts = row.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "-")
    }
  }

  /// The English vocabularies.
  static let english: [SheetVocabulary] = SheetDialect.all.map { dialect in
    var meanings: [String: [String]] = [:]
    for (name, meaning) in rows(dialect.columns) { meanings[plain(name), default: []].append(meaning) }
    return SheetVocabulary(dialect: dialect, language: "", meanings: meanings)
  }

  /// The vocabularies of the other languages.
  static let localized: [SheetVocabulary] = english.flatMap { base in
    base.dialect.languages.flatMap { languages in
      let order = languages.order.split(separator: "|").map(String.init)
      return languages.names.map { code, list in
        var meanings: [String: [String]] = [:]
        let names = list.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        for (english, name) in zip(order, names) {
          guard let meaning = base.meanings[plain(english)]?.first else { continue }
          meanings[plain(name.isEmpty ? english : name), default: []].append(meaning)
        }
        for alias in rows(languages.aliases[code] ?? "") {
          let (key, english) = (plain(alias.name), plain(alias.meaning))
          if meanings[key] == nil, let meaning = base.meanings[english]?.first { meanings[key] = [meaning] }
        }
        return SheetVocabulary(dialect: base.dialect, language: code, meanings: meanings)
      }
    }
  }

  /// Vocabularies, and which of them have a name.
  struct Shelf: Sendable {
    let vocabularies: [SheetVocabulary]
    private let owners: [String: [Int]]

    init(_ vocabularies: [SheetVocabulary]) {
      self.vocabularies = vocabularies
      var owners: [String: [Int]] = [:]
      for (number, vocabulary) in vocabularies.enumerated() {
        for name in vocabulary.meanings.keys { owners[name, default: []].append(number) }
      }
      self.owners = owners
    }

    /// The vocabularies that know most of some names, in their order.
    func candidates(_ names: [String], _ heads: [String]) -> [SheetVocabulary] {
      var counts = Array(repeating: 0, count: vocabularies.count)
      for (name, head) in zip(names, heads) where !name.isEmpty {
        for number in owners[name] ?? [] { counts[number] += 1 }
        guard SheetDialect.groupMeaning(head) != nil else { continue }
        for (number, vocabulary) in vocabularies.enumerated() where vocabulary.dialect.hasGroups { counts[number] += 1 }
      }
      let most = counts.max() ?? 0
      // A name that comes twice may have one meaning only, so that a lower count can win.
      return most == 0 ? [] : counts.indices.filter { counts[$0] > 0 && counts[$0] * 8 >= most * 7 }.map { vocabularies[$0] }
    }
  }

  /// What each of the columns holds; nil for those that are not known here. `names` are plain.
  func meanings(of names: [String], heads: [String]) -> [String?] {
    var seen: [String: Int] = [:]
    return names.enumerated().map { place, name in
      if dialect.hasGroups, let meaning = SheetDialect.groupMeaning(heads[place]) { return meaning }
      guard let known = meanings[name] else { return nil }
      let count = seen[name, default: 0]
      seen[name] = count + 1
      return count < known.count ? known[count] : nil
    }
  }
}

extension SheetVocabulary.Shelf {
  /// English, which is looked at first.
  static let english = SheetVocabulary.Shelf(SheetVocabulary.english)
  /// The other languages, which take a moment to be made.
  static let others = SheetVocabulary.Shelf(SheetVocabulary.localized)
}

/// A header row, understood.
struct SheetHeader: Sendable {
  /// The heads as they stand, blanks around them off.
  let heads: [String]
  /// The dialect; nil where no program's header was recognised.
  let dialect: SheetDialect?
  /// The language's code, empty for English.
  let language: String
  /// What each column holds; nil for columns that nobody knows.
  var meanings: [String?]
  /// Columns whose meaning was guessed from likely words.
  var guessed: [Int] = []

  /// How many of the columns are known, by a dialect or by a guess.
  var knownCount: Int { meanings.count { $0 != nil } }
  /// How many heads are not empty.
  var headCount: Int { heads.count { !$0.isEmpty } }

  /// Understands a header row: the vocabulary that knows most of its columns is taken, if it knows more than half of them.
  init(_ cells: [String]) {
    let heads = cells.map(Self.trimmed)
    let names = heads.map(SheetVocabulary.plain)
    let count = heads.count { !$0.isEmpty }
    var best: (vocabulary: SheetVocabulary, meanings: [String?], known: Int)?
    func consider(_ shelf: SheetVocabulary.Shelf) {
      for vocabulary in shelf.candidates(names, heads) {
        let meanings = vocabulary.meanings(of: names, heads: heads)
        let known = meanings.count { $0 != nil }
        if known > best?.known ?? 0 { best = (vocabulary, meanings, known) }
      }
    }
    consider(.english)
    if (best?.known ?? 0) < count { consider(.others) }
    self.heads = heads
    if let best, best.known * 2 > count {
      (dialect, language, meanings) = (best.vocabulary.dialect, best.vocabulary.language, best.meanings)
      // Outlook's title is the honorific prefix; in a list that somebody made by hand it is the position.
      if dialect?.name == SheetDialect.outlook.name, language.isEmpty,
        !names.contains(where: { ["suffix", "jobtitle", "middlename"].contains($0) })
      {
        for (place, name) in names.enumerated() where name == "title" { meanings[place] = "titles.1" }
      }
    } else {
      (dialect, language) = (nil, "")
      meanings = heads.map { _ in nil }
    }
    var taken = Set(meanings.compactMap { $0 })
    for place in heads.indices where meanings[place] == nil && !heads[place].isEmpty {
      // A path of our own among another program's columns means what it says.
      let head = heads[place]
      let isPath = head.contains(".") || head.first?.isLowercase == true && head.contains(where: \.isUppercase)
      if isPath, SheetColumn(place, head) != nil {
        meanings[place] = head
        taken.insert(head)
        continue
      }
      guard let meaning = ColumnGuess.meaning(of: head, among: names, taken: taken) else { continue }
      taken.insert(meaning)
      meanings[place] = meaning
      guessed.append(place)
    }
  }

  /// A header whose columns are known already.
  init(meanings: [String]) {
    (heads, dialect, language) = (meanings, nil, "")
    self.meanings = meanings
  }

  /// A header of which nothing is known.
  init(unknown heads: [String]) {
    (self.heads, dialect, language) = (heads, nil, "")
    meanings = heads.map { _ in nil }
  }

  static func trimmed(_ text: String) -> String {
    func isBlank(_ c: Character) -> Bool { c.isWhitespace || c == "\u{FEFF}" }
    let begin = text.drop(while: isBlank)
    return begin.lastIndex { !isBlank($0) }.map { String(begin[...$0]) } ?? ""
  }

  /// The header with some columns mapped by hand: `-` leaves a column out.
  mutating func apply(_ map: ColumnMap) {
    let names = heads.map(SheetVocabulary.plain)
    for (place, name) in names.enumerated() {
      guard let meaning = map.meaning(of: name, place: place) else { continue }
      meanings[place] = meaning
      guessed.removeAll { $0 == place }
    }
  }

  /// The guesses as a map that `--map` takes: `Column=path,...`.
  var guessedMap: String { guessed.map { ColumnMap.quoted(heads[$0]) + "=" + (meanings[$0] ?? "-") }.joined(separator: ",") }
}
