// What becomes of each line of a card that is written in one version: right lines are copied, others written anew.

internal import Bytes
internal import CardSyntax

/// Decides line by line. One converter owns it; it is reused from card to card.
struct LinePlan: ~Copyable {
  /// What becomes of a line.
  enum Step: UInt8, BitwiseCopyable { case copy, refold, known, convert, consumed, unclaimed, skip }

  let version: CardVersion
  let profile: WriterProfile?
  var memo = LineCheck.Memo()
  private var steps = Tape<Step>(capacity: 64)
  private var first = 0
  /// What is written of the lines whose heads are known, in their order.
  private(set) var known: [ConvertedHead] = []
  private var heads = HeadMemo<ConvertedHead>()
  private let fields = Person.fields
  /// Of each field: whether its first name is not the one that the version has, and whether it holds one value.
  private let isRenamed: [Bool], isSingle: [Bool]
  /// Nothing but heads and values tells whether lines are right, and how they are written.
  private let isJudgedByHead: Bool
  private let hasProfile: Bool

  init(_ version: CardVersion, _ profile: WriterProfile?) {
    (self.version, self.profile) = (version, profile)
    isRenamed = fields.map { $0.nameIndex(in: version) != 0 }
    isSingle = fields.map(\.isOne)
    hasProfile = profile != nil
    isJudgedByHead = profile == nil && version != .v21
  }

  /// What becomes of a line of the card.
  subscript(line: Int) -> Step {
    @inline(__always) get { steps[line &- first] }
  }

  /// Is no line left out but the first?
  var hasAllBehindFirst: Bool {
    for place in steps.indices.dropFirst() where steps[place] == .skip { return false }
    return true
  }

  /// Plans a card. Lines of the fields in `omitted` are left out, those of the fields in `rewritten` are written anew.
  mutating func make(_ card: borrowing CardView, omitted: FieldSet, rewritten: FieldSet) {
    first = card.range.lowerBound
    steps.removeAll()
    known.removeAll(keepingCapacity: true)
    for _ in card.range { steps.append(.skip) }
    for line in card.range {
      switch card[link: line].role {
      case .primary: plan(line, card, omitted, rewritten)
      case .extra, .duplicate: if isRightUnclaimed(line, card) { set(line, card, true) } else { steps[line &- first] = .unclaimed }
      case .companion: break
      }
    }
  }

  private mutating func plan(_ line: Int, _ card: borrowing CardView, _ omitted: FieldSet, _ rewritten: FieldSet) {
    let link = card[link: line]
    if !omitted.isEmpty, omitted.has(Int(link.field)) { return }
    var isRight = (rewritten.isEmpty || !rewritten.has(Int(link.field))) && self.isRight(line, link, card)
    guard card.hasCompanions(line, link, isSingle: isSingle[Int(link.field)]) else {
      if isRight { return set(line, card, true) }
      if let head = head(of: line, link, card) {
        known.append(head)
        steps[line &- first] = .known
      } else {
        steps[line &- first] = .convert
      }
      return
    }
    let companions = card.companions(line)
    for companion in companions where isRight { isRight = self.isRight(companion, card[link: companion], card) }
    if isRight, needsNoLabel(line, card) { isRight = false }
    set(line, card, isRight)
    // A label line may serve several values; it is copied if one of them is.
    for companion in companions { set(companion, card, isRight, keeps: true) }
  }

  private mutating func set(_ line: Int, _ card: borrowing CardView, _ isRight: Bool, keeps: Bool = false) {
    let index = line &- first
    if isRight {
      steps[index] = wantsRefolding(line, card) ? .refold : .copy
    } else if keeps {
      if steps[index] == .skip { steps[index] = .consumed }
    } else {
      steps[index] = .convert
    }
  }

  /// Are the folds or line ends of a line others than the ones that are written? In 2.1 soft line breaks are part of the encoding: there
  /// a line is copied, or written from its value. (A call that is not inlined copies the whole plan.)
  @inline(__always)
  func wantsRefolding(_ line: Int, _ card: borrowing CardView) -> Bool {
    version != .v21 && card.lines[line].flags.hasAny(of: .unevenLines)
  }

  @inline(__always)
  private mutating func isRight(_ line: Int, _ link: LineLink, _ card: borrowing CardView) -> Bool {
    // Base64 of 2.1 is nothing that values are known of.
    if isJudgedByHead, link.alias == 0, !isRenamed[Int(link.field)],
      let isRight = LineCheck.glance(line, card, in: version, memo, asker: .writer)
    {
      return isRight
    }
    return isRight(line, card)
  }

  private mutating func isRight(_ line: Int, _ card: borrowing CardView) -> Bool {
    var findings = Findings(quick: true)
    check(line, card, &findings)
    return findings.isEmpty
  }

  /// Is it a line of nobody's that may stand in every version as it is? Lines that may return from X-OTHER- to a name of their own are not.
  private mutating func isRightUnclaimed(_ line: Int, _ card: borrowing CardView) -> Bool {
    let entry = card.lines[line]
    guard entry.number == 0, version != .v21, profile == nil, version == card.version || entry.parameterCount == 0,
      !card.beginsWithOtherPrefix(line)
    else { return false }
    var findings = Findings(quick: true)
    LineCheck.check(line, card, in: version, &memo, &findings)
    return findings.isEmpty
  }

  // MARK: Heads

  /// What a line is written with that becomes another in the version; nil where that is not known.
  private func head(of line: Int, _ link: LineLink, _ card: borrowing CardView) -> ConvertedHead? {
    guard tellsAll(line, link, card), let context = context(line, link, card), let head = heads.value(of: line, card, context) else {
      return nil
    }
    let (start, end) = card.valueRange(line)
    return head.serves(card.bytes.span, start, end) ? head : nil
  }

  /// Is a line of another version one that says all by itself, so that lines of one head are written alike?
  private func tellsAll(_ line: Int, _ link: LineLink, _ card: borrowing CardView) -> Bool {
    !hasProfile && card.version != version && (link.nameRole == .value || link.nameRole == .item)
      && !card.lines[line].flags.hasAny(of: .mended)
      && !card.hasCompanions(line, link, isSingle: isSingle[Int(link.field)])
  }

  /// What the written form of a head depends on besides the head; nil for an item with a label of the user's own.
  private func context(_ line: Int, _ link: LineLink, _ card: borrowing CardView) -> UInt64? {
    var type = 0
    if link.nameRole == .item {
      let (start, end) = card.wholeValueRange(line)
      guard let item = AndroidCustom.item(card.bytes.span, start, end), (1..<32).contains(item.type) else { return nil }
      type = item.type
    }
    return card.headContext(line) | (link.groupIsLocal ? 1 &<< 24 : 0) | UInt64(type) &<< 25
      | UInt64(card.lines[line].flags.rawValue & LineFlags.encoded.rawValue) &<< 32 | UInt64(version.rawValue) &<< 48
  }

  /// Keeps what has become of a line that was written since `mark`.
  mutating func learn(_ line: Int, _ card: borrowing CardView, _ writer: borrowing CardWriter, since mark: KnownHead.Mark) {
    let link = card[link: line]
    guard tellsAll(line, link, card), let context = context(line, link, card), heads.value(of: line, card, context) == nil else { return }
    // The text of a LABEL is no part of what a head is known by; which preference is the first, other lines tell.
    let isAlone = !card.parameterSet(line).has(.label) && (version == .v40 || !mayBePreferred(line, card))
    let values = isAlone ? LineCheck.plainValues(line, card, in: version, isValidating: false, ofItems: true) : .none
    guard values.isSome else { return heads.keep(.none, for: line, card, context) }
    let bytes = card.bytes
    let (from, to) = card.valueRange(line)
    let answer = values.answer(bytes.span, from, to)
    guard answer.stays else { return }
    var value = ByteBuffer()
    value.append(ASCII.colon)
    values.append(bytes.span, from, to, to: &value)
    if let learned = KnownHead.learned(writer, since: mark, Int(link.field), value: value) {
      heads.keep(ConvertedHead(learned, values, answer), for: line, card, context)
    }
  }

  private func mayBePreferred(_ line: Int, _ card: borrowing CardView) -> Bool {
    Annotations.preference(line, card) != nil || card.values(.type, of: line).contains { $0.lowercased() == "pref" }
  }

  // MARK: Rules

  /// Reports what keeps a line from being copied.
  mutating func check(_ line: Int, _ card: borrowing CardView, _ findings: inout Findings) {
    let link = card[link: line]
    if isRenamed(line, card), link.nameRole.isValue {
      findings.add(.unknownProperty, "another name in \(version.text)")
      return
    }
    if version == .v21 || card.version == .v21 && card.lines[line].flags.contains(.base64) {
      findings.add(.encoding, "2.1 and later versions encode differently")
      return
    }
    if card.lines[line].number == FieldNames.label, version != card.version { TextKind().check(line, card, in: version, &findings) }
    LineCheck.check(line, card, in: version, &memo, &findings)
    if let profile, findings.isEmpty { checkHabits(line, card, profile, &findings) }
  }

  /// Has a version another name for the line? 4.0 has one for all names of a field; of the older versions each has its own for what the
  /// other calls by its own.
  private func isRenamed(_ line: Int, _ card: borrowing CardView) -> Bool {
    let link = card[link: line]
    if link.alias == 0, !isRenamed[Int(link.field)] { return false }
    let field = fields[Int(link.field)]
    let alias = Int(link.alias)
    guard alias != field.nameIndex(in: version), !field.kind.keepsName(line, card) else { return false }
    return (version == .v40) != (card.version == .v40) || alias == field.nameIndex(in: card.version)
  }

  /// Does a line of 2.1 have a label line for what later versions have a TYPE word for?
  private func needsNoLabel(_ line: Int, _ card: borrowing CardView) -> Bool {
    let link = card[link: line]
    guard card.version == .v21, version != .v21, link.label >= 0 else { return false }
    let (text, scope) = (card.text(Int(link.label)), fields[Int(link.field)].types)
    return Label.types(insteadOf: text, in: version, types: scope) != nil && Label.types(insteadOf: text, in: .v21, types: scope) == nil
  }

  /// Finds what is right for the version, but not what the profile's reader wants.
  private func checkHabits(_ line: Int, _ card: borrowing CardView, _ profile: WriterProfile, _ findings: inout Findings) {
    let link = card[link: line]
    let field = fields[Int(link.field)]
    if let own = field.nameIndex(for: profile.reader, labels: []), own != Int(link.alias) {
      findings.add(.converted, "\(profile.reader.rawValue) knows it as \(field.names[own].text)")
    }
    if profile.missingYear == .dashes, card.parameter(.xAppleOmitYear, of: line) != nil {
      findings.add(.dateForm, "a year that stands for none")
    }
    if profile.messaging != .standard, field.kind is InstantMessageKind { findings.add(.converted, "accounts are written in two forms") }
    for i in card.parameterRange(line) {
      let entry = card.parameters[i]
      if profile.isStrict, Annotations.parameterName(entry, card).uppercased().hasPrefix("X-") {
        findings.add(.parameter, "a parameter that the version's text does not know")
      }
      guard profile.avoidsSemicolons, !entry.isPlain else { continue }
      let span = card.bytes.span
      for k in Int(entry.valueStart)..<Int(entry.valueEnd) where span[k] == ASCII.semicolon {
        findings.add(.parameterValue, "a semicolon in a parameter")
      }
    }
    if profile.isStrict, link.label >= 0 || card.name(line).uppercased().hasPrefix("X-") {
      findings.add(.unknownProperty, "a property that the version's text does not know")
    }
  }
}

extension CardView {
  /// May there be other lines that tell more of a line? `isSingle` tells whether its field holds one value.
  @inline(__always)
  func hasCompanions(_ line: Int, _ link: LineLink, isSingle: Bool) -> Bool {
    link.label >= 0 || link.companion >= 0 || link.secondCompanion >= 0
      || isSingle && (link.next >= 0 || Int(first[Int(link.field)]) != line)
  }

  /// The lines that tell more of a line.
  func companions(_ line: Int) -> [Int] {
    let link = self[link: line]
    var found: [Int] = []
    if link.label >= 0 { found.append(Int(link.label)) }
    if link.companion >= 0 { found.append(Int(link.companion)) }
    if link.secondCompanion >= 0 { found.append(Int(link.secondCompanion)) }
    guard FieldSet.single.has(Int(link.field)) else { return found }
    var other = Int(first[Int(link.field)])
    while other >= 0 {
      if other != line, self[link: other].role == .companion { found.append(other) }
      other = next(other)
    }
    return found
  }

  /// Does the name of a line begin with `X-OTHER-`?
  fileprivate func beginsWithOtherPrefix(_ line: Int) -> Bool {
    let entry = lines[line]
    guard entry.nameEnd - entry.nameStart >= 8 else { return false }
    return Words.uppercased(Words.load(bytes.span, Int(entry.nameStart))) == 0x2D52_4548_544F_2D58
  }
}
