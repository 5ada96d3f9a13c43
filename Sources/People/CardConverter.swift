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
  private var plan: LinePlan
  private let fields = Person.fields
  /// Where in the output the lines of the card begin that was written last, and the physical lines that they came from.
  package private(set) var origins: [(offset: Int, line: Int)] = []
  /// Somebody asks for `origins`.
  package var tellsOrigins = false

  /// The first PREF of fields of the card, or that they have none, as far as somebody asked.
  private var bestPreferences: [Int: Int?] = [:]

  package init(version: CardVersion, width: Int? = Folding.width, profile: WriterProfile? = nil) {
    writer = CardWriter(version: version, width: width, profile: profile)
    plan = LinePlan(version, profile)
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
    var known = 0
    for line in card.range {
      let entry = card.lines[line]
      if tellsOrigins { origins.append((writer.lines.output.count - start + run.end - run.start, card.physicalLine(line))) }
      let step = plan[line]
      if step == .copy, run.end == Int(entry.rawStart), run.end > run.start {
        run.end = Int(entry.rawEnd)
        continue
      }
      writer.lines.copy(bytes.span, run.start, run.end)
      run = (0, 0)
      let before = writer.findings.count
      switch step {
      case .copy: run = (Int(entry.rawStart), Int(entry.rawEnd))
      case .refold: refold(line)
      case .known:
        let head = plan.known[known]
        known += 1
        if writer.begin(head.written, of: Int(card[link: line].field)) {
          let (start, end) = card.valueRange(line)
          writer.lines.beginValue()
          head.values.append(bytes.span, start, end, to: &writer.lines.line)
          writer.end(head.written)
        } else {
          convertAndTell(line)
        }
      case .convert: convertAndTell(line)
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
      switch plan[line] {
      case .copy, .refold, .skip: break
      case .convert, .known, .consumed: return false
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
      && first.valueEnd - first.valueStart == 3 && plan.hasAllBehindFirst
  }

  /// The name of an unclaimed line that is right as it stands; nil for others.
  private mutating func nameToCopy(_ text: UnclaimedText, _ line: Int) -> String? {
    let fate = fate(of: text)
    guard case .written(let name) = fate, name == text.name, writer.version != .v21 else { return nil }
    if let profile = writer.lines.profile, profile.isStrict || profile.avoidsSemicolons { return nil }
    var findings = Findings(quick: true)
    LineCheck.check(line, card, in: writer.version, &plan.memo, &findings)
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
        return card[link: line].alias == 0 || plan[line] == .convert || plan[line] == .known
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
    let before = writer.findings.count
    writer.writeFullName(made)
    placeAtCard(from: before)
    madeName = made
  }

  // MARK: The plan

  private mutating func makePlan() {
    plan.make(
      card, omitted: omitsPhotos ? .pictures : .none, rewritten: storesPicture == nil ? .none : .pictures)
  }

  /// The lines that tell more of a line. (A call that is not inlined copies the whole converter.)
  @inline(__always)
  package func companions(_ line: Int) -> [Int] { card.companions(line) }

  // MARK: Writing

  /// Writes a right line as it stands, with the folds and line ends of the output.
  private mutating func copyOrRefold(_ line: Int) { if plan.wantsRefolding(line, card) { refold(line) } else { copy(line) } }

  /// Writes a line byte for byte.
  private mutating func copy(_ line: Int) {
    let entry = card.lines[line]
    let bytes = card.bytes
    writer.lines.copy(bytes.span, Int(entry.rawStart), Int(entry.rawEnd))
  }

  /// Writes a right line anew, its text as written, with other folds and line breaks.
  mutating func refold(_ line: Int) {
    let bytes = card.bytes
    writer.lines.rewrite(bytes.span, card.lines[line], card.parameters, value: card.wholeValueRange(line))
  }

  /// Writes a line through the record, says what became of it, and keeps that for lines like it.
  private mutating func convertAndTell(_ line: Int) {
    let field = Int(card[link: line].field)
    let mark = KnownHead.Mark(writer, field)
    let start = writer.lines.output.count
    convert(line)
    tellChange(of: line, fields[field], from: start)
    plan.learn(line, card, writer, since: mark)
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
    bestPreferences[number] = .some(best)
    return best
  }

  /// Says why a line of the version is not copied.
  private mutating func reportRepair(_ line: Int) {
    let version = writer.version
    guard card.version == version else { return }
    var findings = Findings(quick: false)
    for line in [line] + companions(line) {
      // Every line of 2.1 is written anew, but only what was wrong is worth a word.
      if version == .v21 {
        LineCheck.check(line, card, in: version, &plan.memo, &findings)
      } else {
        plan.check(line, card, &findings)
      }
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
