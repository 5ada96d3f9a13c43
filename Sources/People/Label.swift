// What a value is for: the words of TYPE, 2.1's bare words, Apple's labels, and the canonical label that stands for them.

internal import CardSyntax
internal import Bytes

/// A label of a value: `home`, `work`, `mobile`, or a text of the user's own. Labels compare without regard to letter case.
public struct Label: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The canonical word, or the user's text as written.
  public let text: String

  /// A label; Apple's `_$!<Home>!$_` becomes its plain word.
  public init(_ text: String) { self.text = Label.plain(appleLabel: text) }
  /// A label of this text as it is: Apple's tokens are not looked for in a literal.
  public init(stringLiteral text: String) { self.text = text }

  /// Labels are equal whatever the letter case.
  public static func == (a: Label, b: Label) -> Bool { a.text.lowercased() == b.text.lowercased() }
  /// Hashes the text without its letter case.
  public func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }

  /// At home, or private: TYPE=home (RFC 6350 5.6).
  public static let home: Label = "home"
  /// At work: TYPE=work (RFC 6350 5.6).
  public static let work: Label = "work"
  /// Neither at home nor at work, as Apple's and Google's address books say; a label line, since no TYPE word means it.
  public static let other: Label = "other"
  /// A mobile telephone: TYPE=cell (RFC 6350 6.4.1).
  public static let mobile: Label = "mobile"
  /// A fax machine: TYPE=fax (RFC 6350 6.4.1); with `home` or `work` where it stands.
  public static let fax: Label = "fax"
  /// A pager: TYPE=pager (RFC 6350 6.4.1).
  public static let pager: Label = "pager"
  /// The main number of a person or company: TYPE=main-number in 4.0 (RFC 7852), MAIN before.
  public static let main: Label = "main"
  /// At school, as Apple's address book says; a label line.
  public static let school: Label = "school"
  /// The home page, as Apple's address book says; a label line.
  public static let homepage: Label = "homepage"
  /// Wife or husband: TYPE=spouse of RELATED (RFC 6350 6.6.6).
  public static let spouse: Label = "spouse"
}

// MARK: The vocabulary

extension Label {
  /// A row of the vocabulary: the canonical word, the TYPE words by version (nil where the version has none: then a label line is
  /// written), and Apple's word inside `_$!<…>!$_`.
  struct Word: Sendable {
    let label: String
    let types: (v21: String?, v30: String?, v40: String?)
    let apple: String?
    let scope: Scope

    enum Scope: Sendable { case general, phone, relation }

    init(_ label: String, _ v21: String?, _ v30: String?, _ v40: String?, _ apple: String? = nil, _ scope: Scope = .general) {
      self.label = label
      types = (v21, v30, v40)
      self.apple = apple
      self.scope = scope
    }

    func type(in version: CardVersion) -> String? {
      switch version {
      case .v21: types.v21
      case .v30: types.v30
      case .v40: types.v40
      }
    }
  }

  /// The vocabulary of labels. Registered words of 4.0 are in lower case, those that 4.0 gave up go on as `x-` words.
  static let words: [Word] = [
    Word("home", "HOME", "HOME", "home", "Home"),
    Word("work", "WORK", "WORK", "work", "Work"),
    Word("other", nil, nil, nil, "Other"),
    Word("school", nil, nil, nil, "School"),
    Word("mobile", "CELL", "CELL", "cell", "Mobile", .phone),
    Word("fax", "FAX", "FAX", "fax", nil, .phone),
    Word("pager", "PAGER", "PAGER", "pager", "Pager", .phone),
    Word("main", nil, "MAIN", "main-number", "Main", .phone),
    Word("iphone", nil, "IPHONE", "x-iphone", nil, .phone),
    Word("apple-watch", nil, "APPLEWATCH", "x-applewatch", nil, .phone),
    Word("video", "VIDEO", "VIDEO", "video", nil, .phone),
    Word("text", nil, "x-text", "text", nil, .phone),
    Word("textphone", nil, "x-textphone", "textphone", nil, .phone),
    Word("car", "CAR", "CAR", "x-car", nil, .phone),
    Word("isdn", "ISDN", "ISDN", "x-isdn", nil, .phone),
    Word("message", "MSG", "MSG", "x-msg", nil, .phone),
    Word("bbs", "BBS", "BBS", "x-bbs", nil, .phone),
    Word("modem", "MODEM", "MODEM", "x-modem", nil, .phone),
    Word("pcs", nil, "PCS", "x-pcs", nil, .phone),
    Word("telex", "TLX", "x-tlx", "x-tlx", nil, .phone),
    Word("billing", nil, nil, "billing"),
    Word("delivery", nil, nil, "delivery"),
    Word("homepage", nil, nil, nil, "HomePage"),
    Word("anniversary", nil, nil, nil, "Anniversary"),
    Word("spouse", nil, nil, "spouse", "Spouse", .relation),
    Word("child", nil, nil, "child", "Child", .relation),
    Word("parent", nil, nil, "parent", "Parent", .relation),
    Word("sibling", nil, nil, "sibling", "Sibling", .relation),
    Word("friend", nil, nil, "friend", "Friend", .relation),
    Word("colleague", nil, nil, "colleague", "Colleague", .relation),
    Word("co-worker", nil, nil, "co-worker", nil, .relation),
    Word("contact", nil, nil, "contact", nil, .relation),
    Word("acquaintance", nil, nil, "acquaintance", nil, .relation),
    Word("met", nil, nil, "met", nil, .relation),
    Word("co-resident", nil, nil, "co-resident", nil, .relation),
    Word("neighbor", nil, nil, "neighbor", nil, .relation),
    Word("kin", nil, nil, "kin", nil, .relation),
    Word("muse", nil, nil, "muse", nil, .relation),
    Word("crush", nil, nil, "crush", nil, .relation),
    Word("date", nil, nil, "date", nil, .relation),
    Word("sweetheart", nil, nil, "sweetheart", nil, .relation),
    Word("me", nil, nil, "me", nil, .relation),
    Word("agent", nil, nil, "agent", nil, .relation),
    Word("emergency", nil, nil, "emergency", nil, .relation),
    Word("mother", nil, nil, nil, "Mother", .relation),
    Word("father", nil, nil, nil, "Father", .relation),
    Word("brother", nil, nil, nil, "Brother", .relation),
    Word("sister", nil, nil, nil, "Sister", .relation),
    Word("son", nil, nil, nil, "Son", .relation),
    Word("daughter", nil, nil, nil, "Daughter", .relation),
    Word("partner", nil, nil, nil, "Partner", .relation),
    Word("assistant", nil, nil, nil, "Assistant", .relation),
    Word("manager", nil, nil, nil, "Manager", .relation),
  ]

  /// TYPE words of other spellings, and what they mean; an empty list is no label at all.
  private static let synonyms: [String: [String]] = [
    "voice": [], "internet": [], "pref": [], "dom": [], "intl": [], "postal": [], "parcel": [], "smtp": [], "uri": [],
    "mobile": ["mobile"], "homefax": ["home", "fax"], "workfax": ["work", "fax"], "businessfax": ["work", "fax"],
    "home-fax": ["home", "fax"], "work-fax": ["work", "fax"], "other-fax": ["other", "fax"], "otherfax": ["other", "fax"],
    "work-mobile": ["work", "mobile"], "home-mobile": ["home", "mobile"], "work-pager": ["work", "pager"],
    "business": ["work"], "business1": ["work"], "business2": ["work"], "home1": ["home"], "home2": ["home"], "work1": ["work"],
    "work2": ["work"], "sms": ["text"], "main-number": ["main"], "mainnumber": ["main"], "cellular": ["mobile"],
  ]

  /// Every TYPE word in lower case, with the labels that it stands for.
  private static let meanings: [String: [String]] = {
    var found = synonyms
    for word in words {
      for type in [word.types.v21, word.types.v30, word.types.v40] {
        guard let type = type?.lowercased() else { continue }
        let plain = type.hasPrefix("x-") ? String(type.dropFirst(2)) : type
        if found[plain] == nil { found[plain] = [word.label] }
      }
      if found[word.label] == nil { found[word.label] = [word.label] }
    }
    return found
  }()

  private static let byLabel: [String: Word] = Dictionary(words.map { ($0.label, $0) }, uniquingKeysWith: { a, _ in a })
  private static let byApple: [String: String] = {
    var found: [String: String] = [:]
    for word in words { if let apple = word.apple { found[apple.lowercased()] = word.label } }
    return found
  }()

  /// The labels that one TYPE word stands for: a canonical word, several (`homefax`), none (`voice`), or the word itself.
  static func labels(ofType word: String) -> [String] {
    let lower = word.lowercased()
    if let known = meanings[lower] { return known }
    guard lower.hasPrefix("x-"), lower.count > 2 else { return lower.isEmpty ? [] : [word] }
    if let label = samsungLabel(word) { return [label] }
    let plain = String(word.dropFirst(2))
    // How 4.0 keeps the delivery words of older versions, which are no labels.
    if ["dom", "intl", "postal", "parcel"].contains(plain.lowercased()) { return [] }
    return meanings[plain.lowercased()].map { $0.isEmpty ? [plain] : $0 } ?? [plain]
  }

  /// Samsung's `X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=42=6F=61=74)`.
  private static func samsungLabel(_ word: String) -> String? {
    guard word.uppercased().hasPrefix("X-CUSTOM("), word.hasSuffix(")") else { return nil }
    let inner = word.dropFirst(9).dropLast()
    let parts = inner.split(separator: ",", omittingEmptySubsequences: false)
    let texts = parts.drop { part in
      let upper = part.uppercased()
      return upper.hasPrefix("CHARSET=") || upper.hasPrefix("ENCODING=")
    }
    let encoded = Array(texts.joined(separator: ",").utf8)
    var decoded = ByteBuffer()
    _ = QuotedPrintable.decode(encoded.span, 0, encoded.count, to: &decoded)
    let text = decoded.text()
    return text.isEmpty ? nil : text
  }

  /// The plain word of one of Apple's labels (`_$!<HomePage>!$_` is `homepage`), or the text itself.
  static func plain(appleLabel text: String) -> String {
    guard let inner = token(text) else { return text }
    return byApple[inner.lowercased()] ?? kebab(inner)
  }

  /// All labels of one of Apple's labels: `_$!<HomeFAX>!$_` is `home` and `fax`.
  static func labels(ofApple text: String) -> [String] {
    guard let inner = token(text) else { return text.isEmpty ? [] : [text] }
    switch inner.lowercased() {
    case "homefax": return ["home", "fax"]
    case "workfax": return ["work", "fax"]
    case "otherfax": return ["other", "fax"]
    default: return [plain(appleLabel: text)]
    }
  }

  private static func token(_ text: String) -> String? {
    guard text.hasPrefix("_$!<"), text.hasSuffix(">!$_"), text.utf8.count > 8 else { return nil }
    return String(text.dropFirst(4).dropLast(4))
  }

  /// `YoungerSister` as `younger-sister`.
  private static func kebab(_ word: String) -> String {
    var result = ""
    for (i, c) in word.enumerated() {
      if c.isUppercase && i > 0 && result.last?.isLowercase == true { result.append("-") }
      result.append(contentsOf: c.lowercased())
    }
    return result
  }

  // MARK: Writing

  /// The TYPE word of a label, in any letter case; nil where the version has none for it.
  static func type(of label: String, in version: CardVersion, types scope: Field.Types) -> String? {
    guard let word = byLabel[label.lowercased()], let type = word.type(in: version) else { return nil }
    switch word.scope {
    case .general: return type
    case .phone: return scope == .phone ? type : nil
    case .relation: return scope == .relation ? type : nil
    }
  }

  /// The TYPE words that stand for a word: the word itself where the version has none for its label, or where it is no label.
  static func canonical(type word: String, in version: CardVersion, types scope: Field.Types) -> [String] {
    let meant = labels(ofType: word)
    let types = meant.compactMap { type(of: $0, in: version, types: scope) }
    guard !meant.isEmpty, types.count == meant.count else { return [word] }
    // The letter case of a right word is a habit.
    return types.count == 1 && types[0].lowercased() == word.lowercased() ? [word] : types
  }

  /// The TYPE words that say what a label line says; nil where the version has none for it.
  static func types(insteadOf label: String, in version: CardVersion, types scope: Field.Types) -> [String]? {
    let meant = labels(ofApple: label)
    let types = meant.compactMap { type(of: $0, in: version, types: scope) }
    return !meant.isEmpty && types.count == meant.count ? types : nil
  }

  /// How labels are written where nothing says how they were spelled: TYPE words, and the text of an X-ABLabel line.
  package struct Written: Equatable {
    package var types: [String] = []
    package var label: String?
    /// Labels whose words among `types` do not say them as they are (`x-boat-house` of `boat house`).
    package var more: [String] = []
    /// The words of an older version that 4.0 cannot have; what they say stands in the others.
    package var old: [String] = []
  }

  /// The same of labels some of which a label line says already (`besides`).
  static func written(_ labels: [String], in version: CardVersion, types scope: Field.Types, besides label: String? = nil) -> Written {
    var result = Written()
    result.label = label
    func word(of label: String) -> String? {
      byLabel[label]?.label == label ? type(of: label, in: version, types: scope) : nil
    }
    // Readers take the words first: the last label that has none is the label line's, so that labels keep their order.
    let last = label == nil ? labels.lastIndex { word(of: $0) == nil } : nil
    for (i, label) in labels.enumerated() {
      if let type = word(of: label) {
        result.types.append(type)
      } else if i == last {
        let word = byLabel[label]
        result.label = word?.apple.map { "_$!<\($0)>!$_" } ?? appleFamily(label, scope) ?? label
      } else {
        result.types.append(extensionWord(label))
      }
    }
    result.more = inexact(labels, among: result.types)
    return result
  }

  /// A TYPE word of one's own for a label: `x-boat-house`.
  private static func extensionWord(_ label: String) -> String {
    "x-" + label.map { $0.isLetter && $0.isASCII || $0.isNumber && $0.isASCII ? String($0) : "-" }.joined()
  }

  /// The labels that stand as words of one's own among `types`, but would be read as others.
  static func inexact(_ labels: [String], among types: [String]) -> [String] {
    labels.filter { label in
      let word = extensionWord(label).lowercased()
      return types.contains { $0.lowercased() == word } && self.labels(ofType: word).map { $0.lowercased() } != [label.lowercased()]
    }
  }

  /// `younger-sister` as `_$!<YoungerSister>!$_`: relations that Apple has words for.
  private static func appleFamily(_ label: String, _ scope: Field.Types) -> String? {
    guard scope == .relation, appleRelations.contains(label) else { return nil }
    return "_$!<" + label.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + ">!$_"
  }

  private static let appleRelations: Set<String> = [
    "teacher", "younger-sibling", "elder-sibling", "younger-sister", "youngest-sister", "elder-sister", "eldest-sister", "younger-brother",
    "youngest-brother", "elder-brother", "eldest-brother", "male-friend", "female-friend", "wife", "husband", "male-partner",
    "female-partner", "girlfriend-or-boyfriend", "girlfriend", "boyfriend", "grandparent", "grandmother", "grandfather", "grandchild",
    "granddaughter", "grandson", "aunt", "uncle", "cousin", "niece", "nephew", "stepmother", "stepfather", "stepchild", "stepson",
    "stepdaughter",
  ]

  /// The labels that TYPE words and an X-ABLabel text stand for together, each once, in order. `more` are the texts that words of
  /// one's own stand for (X-MORE-LABELS).
  static func labels(types: [String], label: String?, more: [String] = []) -> [String] {
    var found: [String] = []
    var seen = Set<String>()
    func add(_ labels: [String]) {
      for text in labels where seen.insert(text.lowercased()).inserted { found.append(text) }
    }
    let own = label.map { labels(ofApple: $0) } ?? []
    for type in types {
      let texts = more.filter { extensionWord($0).lowercased() == type.lowercased() }
      let meant = texts.isEmpty ? labels(ofType: type) : texts
      // TYPE=x-ferienhaus beside X-ABLabel:Ferienhaus says the same.
      add(meant.map { text in own.first { $0.lowercased() == text.lowercased() } ?? text })
    }
    add(own)
    return found
  }

  /// Words that 4.0 has by themselves and 3.0 with `x-` before them (`text`).
  private static let extensionsOf30: Set<String> = Set(
    words.compactMap { word in word.types.v30.flatMap { $0 == "x-" + (word.types.v40 ?? "") ? word.types.v40 : nil } })

  /// Is `type` the word with `x-` by which older versions keep a word of 4.0 (`x-text`)?
  static func hasPlainWord(type: String) -> Bool {
    let lower = type.lowercased()
    return lower.hasPrefix("x-") && extensionsOf30.contains(String(lower.dropFirst(2)))
  }

  /// Is `type` a word of 4.0 that older versions keep with `x-`?
  static func isExtension(type: String) -> Bool { extensionsOf30.contains(type.lowercased()) }

  /// Is `type` a TYPE word that `version` may have, whatever the property? Words of one's own begin with `x-`; older versions take any.
  static func isAllowed(type: String, in version: CardVersion) -> Bool {
    let utf8 = type.utf8
    let bytes = utf8.span
    return isAllowed(type: bytes, 0, bytes.count, in: version)
  }

  /// The same of a word in bytes.
  static func isAllowed(type bytes: Span<UInt8>, _ start: Int, _ end: Int, in version: CardVersion) -> Bool {
    version != .v40 || gaveUp.number(of: bytes, start, end) == 0
  }

  /// The words that 4.0 gave up.
  private static let gaveUp = NameTable(
    [
      "pref", "internet", "dom", "intl", "postal", "parcel", "msg", "bbs", "modem", "car", "isdn", "pcs", "iphone", "applewatch", "main",
      "tlx",
    ].map { ($0, 1) })
}
