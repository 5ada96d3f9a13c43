// Writes a card as a card: right lines as they stand, wrong ones written right, and all that another version has in another form.

package import CardSyntax
internal import Bytes

/// Converts cards to one version. Lines keep their order; a line that is right for the version is copied, with its spelling; others go
/// through the record.
package struct CardConverter: ~Copyable {
  package var card = CardView()
  package var writer: CardWriter
  /// Pictures are left out.
  package var omitsPhotos = false
  /// Gives the references that stand for pictures; nil where these stay in the card.
  package var storesPicture: ((Picture) -> String)?
  private var record = Record()
  /// The full name that was made for the card; empty where it has one of its own.
  private var madeName = ""
  var labels = LabelMemo()
  private var heads = HeadMemo<Findings>()
  private let fields = Person.fields
  /// Per line of the card: what becomes of it.
  private var plan: [Plan] = []
  /// Where in the output the lines of the card begin that was written last, and the physical lines that they came from.
  package private(set) var origins: [(offset: Int, line: Int)] = []

  /// The first PREF of fields of the card, as far as somebody asked.
  private var bestPreferences: [Int: Int] = [:]

  private enum Plan: UInt8 { case copy, refold, convert, consumed, unclaimed, skip }

  package init(version: CardVersion, width: Int? = Folding.width, profile: WriterProfile? = nil) {
    writer = CardWriter(version: version, width: width, profile: profile)
  }

  /// Converts the card at `index` of `batch`; its lines are added to `writer.lines.output`, its findings to `writer.findings`.
  package mutating func convert(_ batch: CardBatch, _ index: Int) {
    card.sort(batch, index)
    madeName = ""
    record.begin(source: card.bytes, version: card.version)
    if !bestPreferences.isEmpty { bestPreferences.removeAll() }
    makePlan()
    origins.removeAll(keepingCapacity: true)
    let start = writer.lines.output.count
    writer.begin(record)
    let bytes = card.bytes
    for line in card.range {
      let entry = card.lines[line]
      if entry.groupEnd > entry.groupStart { writer.lines.groups.use(bytes.span, Int(entry.groupStart), Int(entry.groupEnd)) }
    }
    if card.first[CardWriter.fullName] < 0 { writeFullName(batch, index) }
    var hasName = card.first[CardWriter.name] >= 0 && hasNameLine()
    // Lines that are copied one after the other are copied in one piece.
    var run = (start: 0, end: 0)
    for line in card.range {
      let before = writer.findings.count
      let entry = card.lines[line]
      origins.append((writer.lines.output.count - start + run.end - run.start, card.physicalLine(line)))
      let step = plan[line - card.range.lowerBound]
      if step == .copy, run.end == Int(entry.rawStart), run.end > run.start {
        run.end = Int(entry.rawEnd)
        continue
      }
      writer.lines.copy(bytes.span, run.start, run.end)
      run = (0, 0)
      switch step {
      case .copy: run = (Int(entry.rawStart), Int(entry.rawEnd))
      case .refold: refold(line)
      case .convert:
        let start = writer.lines.output.count
        convert(line)
        tellChange(of: line, fields[Int(card[link: line].field)], from: start)
      case .unclaimed:
        let start = writer.lines.output.count
        if writeUnclaimed(line) { hasName = true }
        tellChange(of: line, nil, from: start)
      case .consumed, .skip: break
      }
      for i in before..<writer.findings.count { place(i, at: line) }
    }
    writer.lines.copy(bytes.span, run.start, run.end)
    if !hasName { writeMissingName(contactName) }
    writer.end()
  }

  /// Whom the card is about, for findings: its full name, or the one that was made for it.
  package var contactName: String { card.first[CardWriter.fullName] >= 0 ? card.text(Int(card.first[CardWriter.fullName])) : madeName }

  /// The findings since the last call.
  package mutating func takeFindings() -> [Diagnostic] {
    defer { writer.findings = [] }
    return writer.findings
  }

  /// Would the card at `index` be written as it stands, but for its folds and line ends?
  package mutating func isRight(_ batch: CardBatch, _ index: Int) -> Bool {
    card.sort(batch, index)
    madeName = ""
    let version = writer.version
    guard card.declared == version, card.first[CardWriter.fullName] >= 0, version != .v21 else { return false }
    makePlan()
    var hasName = version == .v40 || card.first[CardWriter.name] >= 0 && hasNameLine()
    for line in card.range {
      switch plan[line - card.range.lowerBound] {
      case .copy, .refold, .skip: break
      case .convert, .consumed: return false
      case .unclaimed:
        guard let name = nameToCopy(UnclaimedText(line, card), line) else { return false }
        if isName(name) { hasName = true }
      }
    }
    return hasName
  }

  /// Would the card at `index` be written as it stands, line for line in the same order, but for its folds and line ends?
  package mutating func isWhole(_ batch: CardBatch, _ index: Int) -> Bool {
    guard batch.cards[index].declared == writer.version, isRight(batch, index), let first = card.lines[card.range].first else {
      return false
    }
    // VERSION stands first, and is the only line that is not copied.
    return first.number == FieldNames.version && first.nameStart == first.rawStart && first.parameterCount == 0
      && first.valueEnd - first.valueStart == 3 && plan.dropFirst().allSatisfy { $0 != .skip }
  }

  /// The name of an unclaimed line that is right as it stands; nil for others.
  private mutating func nameToCopy(_ text: UnclaimedText, _ line: Int) -> String? {
    let fate = fate(of: text)
    guard case .written(let name) = fate, name == text.name, writer.version != .v21 else { return nil }
    if let profile = writer.lines.profile, profile.isStrict || profile.avoidsSemicolons { return nil }
    var findings = Findings(quick: true)
    LineCheck.check(line, card, in: writer.version, &heads, &findings)
    return findings.isEmpty ? name : nil
  }

  private mutating func place(_ finding: Int, at line: Int) {
    writer.findings[finding].line = card.physicalLine(line)
    writer.findings[finding].contact = card.number
    if writer.findings[finding].property == nil { writer.findings[finding].property = card.name(line).uppercased() }
  }

  /// Findings that are about the card as a whole.
  private mutating func placeAtCard(from first: Int) {
    for i in first..<writer.findings.count { (writer.findings[i].line, writer.findings[i].contact) = (card.physicalLine, card.number) }
  }

  private mutating func hasNameLine() -> Bool {
    var line = Int(card.first[CardWriter.name])
    while line >= 0 {
      if card[link: line].role == .primary {
        return card[link: line].alias == 0 || plan[line - card.range.lowerBound] == .convert
      }
      line = card.next(line)
    }
    return false
  }

  private mutating func writeMissingName(_ fullName: String) {
    let kind = Person.field("kind").map { Int(card.first[$0]) } ?? -1
    let before = writer.findings.count
    writer.writeMissingName(fullName: fullName, isPerson: kind < 0 || card.text(kind).lowercased() == "individual")
    placeAtCard(from: before)
  }

  /// Writes the FN of a card that has none, and returns it.
  private mutating func writeFullName(_ batch: CardBatch, _ index: Int) {
    var reader = CardReader()
    reader.read(batch, index)
    let made = FullName.made(from: reader.record) ?? ""
    writer.writeFullName(made)
    placeAtCard(from: writer.findings.count - 1)
    madeName = made
  }

  // MARK: The plan

  private mutating func makePlan() {
    plan.removeAll(keepingCapacity: true)
    for _ in card.range { plan.append(.skip) }
    let version = writer.version
    for line in card.range {
      let link = card[link: line]
      switch link.role {
      case .primary:
        if omitsPhotos, Person.pictureFields.contains(Int(link.field)) { continue }
        let isStored = storesPicture != nil && Person.pictureFields.contains(Int(link.field))
        let companions = companions(line)
        let isRight = !isStored && isRight(line, companions, version)
        set(line, isRight)
        // A label line may serve several values; it is copied if one of them is.
        for companion in companions { set(companion, isRight, keeps: true) }
      case .extra, .duplicate:
        plan[line - card.range.lowerBound] = .unclaimed
      case .companion: break
      }
    }
  }

  private mutating func set(_ line: Int, _ isRight: Bool, keeps: Bool = false) {
    let index = line - card.range.lowerBound
    if isRight {
      plan[index] = wantsRefolding(line) ? .refold : .copy
    } else if keeps {
      if plan[index] == .skip { plan[index] = .consumed }
    } else {
      plan[index] = .convert
    }
  }

  /// The lines that tell more of a line.
  package func companions(_ line: Int) -> [Int] {
    let link = card[link: line]
    let isShared = fields[Int(link.field)].isOne && (card.next(line) >= 0 || Int(card.first[Int(link.field)]) != line)
    if link.label < 0, link.companion < 0, link.secondCompanion < 0, !isShared { return [] }
    var found: [Int] = []
    if link.label >= 0 { found.append(Int(link.label)) }
    if link.companion >= 0 { found.append(Int(link.companion)) }
    if link.secondCompanion >= 0 { found.append(Int(link.secondCompanion)) }
    if isShared {
      var other = Int(card.first[Int(link.field)])
      while other >= 0 {
        if other != line, card[link: other].role == .companion { found.append(other) }
        other = card.next(other)
      }
    }
    return found
  }

  private mutating func isRight(_ line: Int, _ companions: [Int], _ version: CardVersion) -> Bool {
    var findings = Findings(quick: true)
    check(line, version, &findings)
    for companion in companions where findings.isEmpty { check(companion, version, &findings) }
    return findings.isEmpty && !needsNoLabel(line, version)
  }

  /// Has a version another name for the line? 4.0 has one for all names of a field; of the older versions each has its own for what the
  /// other calls by its own.
  private func isRenamed(_ line: Int, in version: CardVersion) -> Bool {
    let link = card[link: line]
    let field = fields[Int(link.field)]
    let alias = Int(link.alias)
    guard alias != field.nameIndex(in: version), !field.kind.keepsName(line, card) else { return false }
    return (version == .v40) != (card.version == .v40) || alias == field.nameIndex(in: card.version)
  }

  /// Does a line of 2.1 have a label line for what later versions have a TYPE word for?
  private func needsNoLabel(_ line: Int, _ version: CardVersion) -> Bool {
    let link = card[link: line]
    guard card.version == .v21, version != .v21, link.label >= 0 else { return false }
    let (text, scope) = (card.text(Int(link.label)), fields[Int(link.field)].types)
    return Label.types(insteadOf: text, in: version, types: scope) != nil && Label.types(insteadOf: text, in: .v21, types: scope) == nil
  }

  private mutating func check(_ line: Int, _ version: CardVersion, _ findings: inout Findings) {
    let link = card[link: line]
    let field = fields[Int(link.field)]
    if isRenamed(line, in: version), link.nameRole.isValue {
      findings.add(.unknownProperty, "another name in \(version.text)")
      return
    }
    if version == .v21 || card.version == .v21 && version != .v21 && card.lines[line].flags.contains(.base64) {
      findings.add(.encoding, "2.1 and later versions encode differently")
      return
    }
    if card.lines[line].number == FieldNames.label, version != card.version { TextKind().check(line, card, in: version, &findings) }
    LineCheck.check(line, card, in: version, &heads, &findings)
    if let profile = writer.lines.profile, findings.isEmpty { checkHabits(line, field, profile, &findings) }
  }

  /// Finds what is right for the version, but not what the profile's reader wants.
  private func checkHabits(_ line: Int, _ field: Field, _ profile: WriterProfile, _ findings: inout Findings) {
    let link = card[link: line]
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

  // MARK: Writing

  /// Are the folds or line ends of a line others than the ones that are written? In 2.1 soft line breaks are part of the encoding: there
  /// a line is copied, or written from its value.
  package func wantsRefolding(_ line: Int) -> Bool {
    writer.version != .v21 && card.lines[line].flags.hasAny(of: .unevenLines)
  }

  /// Writes a right line as it stands, with the folds and line ends of the output.
  package mutating func copyOrRefold(_ line: Int) { if wantsRefolding(line) { refold(line) } else { copy(line) } }

  /// Writes a line byte for byte.
  package mutating func copy(_ line: Int) {
    let entry = card.lines[line]
    let bytes = card.bytes
    writer.lines.copy(bytes.span, Int(entry.rawStart), Int(entry.rawEnd))
  }

  /// Writes a right line anew, its text as written, with other folds and line breaks.
  private mutating func refold(_ line: Int) {
    let entry = card.lines[line]
    var parameters: [(name: (Int, Int), value: (Int, Int))] = []
    for i in card.parameterRange(line) {
      let parameter = card.parameters[i]
      let name = parameter.isBare ? (0, 0) : (Int(parameter.nameStart), Int(parameter.nameEnd))
      parameters.append((name, (Int(parameter.valueStart), Int(parameter.valueEnd))))
    }
    let head = (Int(entry.groupEnd > entry.groupStart ? entry.groupStart : entry.nameStart), Int(entry.nameEnd))
    let bytes = card.bytes
    writer.lines.rewrite(bytes.span, head: head, parameters: parameters, value: card.wholeValueRange(line))
  }

  /// Writes a line through the record.
  private mutating func convert(_ line: Int) {
    let link = card[link: line]
    let field = Person.fields[Int(link.field)]
    let number = Int(link.field)
    reportRepair(line)
    record.begin(source: card.bytes, version: card.version)
    record.field(number)
    switch field.layout {
    case .one:
      field.kind.read(line, card, into: &record)
      guard record.tokens.count > 1 else { return }
      let end = record.tokens.count
      record.field(Person.detailsField)
      record.open()
      record.key(field.key)
      record.open()
      Annotations.read(line, card, field, details: true, &labels, into: &record)
      record.close()
      record.close()
      if record.tokens.count == end + 6 { record.truncate(to: end) }
    case .many:
      record.open(list: true)
      record.open()
      field.kind.read(line, card, into: &record)
      Annotations.read(line, card, field, details: false, &labels, into: &record)
      record.close()
      record.close()
    case .texts:
      record.open(list: true)
      CardReader.readTexts(line, card, field, &labels, into: &record)
      record.close()
    case .unclaimed: return
    }
    if let storesPicture, let stored = record.storingPictures(storesPicture) { record = stored.record.copy() }
    let groups = writer.lines.groups
    writer.prepare(record)
    writer.lines.groups = groups
    let group = card.lines[line].groupEnd > card.lines[line].groupStart ? card.group(line) : nil
    // A group that only served its label keeps its name.
    writer.write(number, 1, of: record, preferredGroup: group, best: bestPreference(number))
  }

  /// The first PREF among the lines of a field, where a card of 4.0 is written in an older version; nil where they have none.
  private mutating func bestPreference(_ number: Int) -> Int? {
    guard writer.version != .v40, !fields[number].isOne else { return nil }
    if let known = bestPreferences[number] { return known }
    var best: Int?
    var line = Int(card.first[number])
    while line >= 0 {
      if let found = Annotations.preference(line, card) { best = min(best ?? found, found) }
      line = card.next(line)
    }
    bestPreferences[number] = best
    return best
  }

  /// Says why a line of the version is not copied.
  private mutating func reportRepair(_ line: Int) {
    let version = writer.version
    guard card.version == version else { return }
    var findings = Findings(quick: false)
    for line in [line] + companions(line) {
      // Every line of 2.1 is written anew, but only what was wrong is worth a word.
      if version == .v21 { LineCheck.check(line, card, in: version, &heads, &findings) } else { check(line, version, &findings) }
    }
    // Control characters are told when they are left out.
    if let first = findings.list.first(where: { $0.rule != .control }) {
      let name = card.name(line).uppercased()
      writer.findings.append(Diagnostic(.repaired, "\(name): \(first.message); written right", property: name))
    }
  }

  private mutating func writeUnclaimed(_ line: Int) -> Bool {
    let version = writer.version
    let text = UnclaimedText(line, card)
    let link = card[link: line]
    if link.role == .duplicate, (version == .v40) != (card.version == .v40) {
      // The label of such a line goes with it.
      if card.lines[line].number != FieldNames.label {
        writer.findings.append(
          Diagnostic(.duplicateValue, "\(card.name(line).uppercased()) is left out: another line says the same"))
      }
      return false
    }
    // Where accounts are written in two forms, the second one of the card is written with the first.
    if link.role == .duplicate, let profile = writer.lines.profile, profile.messaging != .standard,
      let target = FieldNames.target(card.lines[line].number), Person.fields[Int(target.field)].kind is InstantMessageKind
    {
      return false
    }
    let fate = fate(of: text)
    if let name = nameToCopy(text, line) {
      copyOrRefold(line)
      return isName(name)
    }
    writer.write(text, fate, origin: card.version)
    if case .written(let name) = fate { return isName(name) }
    return false
  }

  private func fate(of text: UnclaimedText) -> UnclaimedFate {
    let fills = writer.lines.profile?.fillsName == true
    return text.fate(in: writer.version, from: card.version, keepsEmptyName: !fills) { card.first[$0] >= 0 }
  }

  private func isName(_ name: String) -> Bool { name.uppercased() == Person.fields[CardWriter.name].names[0].text }
}
