// Writes a record as a card: fields in the record's order, right for the version.

package import CardSyntax
internal import Bytes

/// Writes records as cards of one version. What a version cannot hold is kept in another form or reported.
package struct CardWriter: ~Copyable {
  package var lines = LineWriter()
  /// What was changed or left out; the caller says of which contact.
  package var findings: [Diagnostic] = []
  /// Pictures are left out.
  package var omitsPhotos = false
  private var details: [Int: Annotations] = [:]
  private var labelledGroups: [String: String] = [:]
  private var memo = SpellingMemo()
  private let hasProfile: Bool
  /// All behind the head of the line in the making, where its texts stay as they are.
  private var plain = ByteBuffer()
  /// How many lines with TYPE=pref, or PREF=1, the card has so far, by field.
  private var firstChoices: [(field: Int, count: Int)] = []

  package init(version: CardVersion, width: Int? = Folding.width, profile: WriterProfile? = nil) {
    lines.version = version
    lines.width = profile?.isUnfolded == true ? nil : width
    lines.profile = profile
    hasProfile = profile != nil
  }

  /// The version that is written.
  package var version: CardVersion { lines.version }

  /// Writes the card of a record.
  package mutating func write(_ record: borrowing Record) {
    if let plain = withoutRepeats(record) { return write(plain) }
    begin(record)
    if record.value(ofField: Self.fullName) == nil, let name = FullName.made(from: record) { writeFullName(name) }
    var hasName = false
    var i = 0
    while i < record.tokens.count {
      if record.tokens[i].operation == .field, i + 1 < record.tokens.count {
        let number = Int(record.tokens[i].start)
        if number == Self.name {
          let before = lines.output.count
          write(number, i + 1, of: record)
          hasName = lines.output.count > before
        } else {
          if number > Self.name && !hasName { hasName = writeEmptyName(record) }
          write(number, i + 1, of: record)
        }
      }
      i = record.next(i)
    }
    if !hasName { _ = writeEmptyName(record) }
    end()
  }

  /// The record of an older version without the lines that only say again what a field holds (X-ABDATE beside X-ANNIVERSARY), which no
  /// longer belong together in 4.0, and the other way round; nil where it has none. The card that it came from tells which these are.
  private func withoutRepeats(_ record: borrowing Record) -> Record? {
    guard (version == .v40) != (record.version == .v40), let index = record.value(ofField: Person.unclaimedField) else { return nil }
    let lines = record.elements(index)
    guard lines.contains(where: { UnclaimedText(record, at: $0)?.mayRepeat ?? false }) else { return nil }
    var writer = CardWriter(version: record.version)
    writer.write(record)
    var parser = CardParser(names: FieldNames.table)
    let bytes = writer.takeOutput()
    parser.feed(bytes.span)
    parser.finish()
    guard let batch = parser.nextBatch(), batch.count > 0 else { return nil }
    var reader = CardReader(depth: record.depth)
    reader.omitsDuplicates = true
    reader.read(batch, 0)
    let left = reader.record.value(ofField: Person.unclaimedField).map { reader.record.elements($0).count } ?? 0
    return left < lines.count ? reader.record.copy() : nil
  }

  static let fullName = Person.field("fullName") ?? 0
  static let name = Person.field("name") ?? 0

  /// Begins a card.
  package mutating func begin(_ record: borrowing Record) {
    lines.whole("BEGIN:VCARD")
    switch version {
    case .v21: lines.whole("VERSION:2.1")
    case .v30: lines.whole("VERSION:3.0")
    case .v40: lines.whole("VERSION:4.0")
    }
    firstChoices.removeAll(keepingCapacity: true)
    prepare(record)
  }

  /// Looks through a record for groups and details before any line of it is written.
  package mutating func prepare(_ record: borrowing Record) {
    lines.groups = GroupNames()
    if !labelledGroups.isEmpty { labelledGroups.removeAll(keepingCapacity: true) }
    if !details.isEmpty { details.removeAll(keepingCapacity: true) }
    record.forEachText(of: .group) { lines.groups.use(record.string($0)) }
    guard let last = record.lastField, last >= min(Person.detailsField, Person.unclaimedField) else { return }
    if let index = record.value(ofField: Person.detailsField), record.tokens[index].operation == .openObject {
      for place in record.elements(index) where record.tokens[place].operation == .key {
        if let number = Person.field(record.string(place)) { details[number] = Annotations(record, at: place + 1) }
      }
    }
    if let index = record.value(ofField: Person.unclaimedField) {
      for place in record.elements(index) {
        if let line = UnclaimedText(record, at: place), let group = line.group { lines.groups.use(group) }
      }
    }
  }

  /// Writes the value of a field as one more line of the card in the making: groups and labels that were written before still count.
  package mutating func writeNext(_ number: Int, _ index: Int, of record: borrowing Record, preferredGroup: String?) {
    // Taken away meanwhile, so that what is kept is never copied.
    let groups = lines.groups
    var labels: [String: String] = [:]
    swap(&labels, &labelledGroups)
    prepare(record)
    lines.groups = groups
    swap(&labels, &labelledGroups)
    write(number, index, of: record, preferredGroup: preferredGroup, best: 1)
  }

  /// Notes that a line that was copied labels its group.
  package mutating func noteLabel(_ label: String, of group: String) { labelledGroups[group.lowercased()] = label }

  /// What was written, taken out.
  package mutating func takeOutput() -> [UInt8] {
    defer { lines.output.removeAll() }
    return lines.output.array()
  }

  /// Ends the card.
  package mutating func end() { lines.whole("END:VCARD") }

  /// Writes an FN that was made from other fields, and says so.
  package mutating func writeFullName(_ name: String) {
    lines.begin(name: Person.fields[Self.fullName].names[0].text)
    lines.text(name)
    lines.end()
    findings.append(Diagnostic(.madeFullName, "no FN; \(name.isEmpty ? "an empty one" : "\"\(name)\"") was written", property: "FN"))
    reportLeftOut("FN")
  }

  /// An empty N, in versions that ask for one. Always true.
  private mutating func writeEmptyName(_ record: borrowing Record) -> Bool {
    if record.value(ofField: Self.name) == nil {
      let fullName = record.value(ofField: Self.fullName).map { record.string($0) } ?? FullName.made(from: record)
      let kind = Person.field("kind").flatMap { record.value(ofField: $0) }.map { record.string($0) }
      writeMissingName(fullName: fullName ?? "", isPerson: kind == nil || kind == "individual")
    }
    return true
  }

  /// The N of a card that has none: empty in versions that ask for one; for readers that show N, made from the full name.
  package mutating func writeMissingName(fullName: String, isPerson: Bool) {
    if let profile = lines.profile, profile.fillsName, !fullName.isEmpty {
      let parts = isPerson ? NameGuess.parts(of: fullName) : nil
      var record = Record()
      record.begin(source: [], version: version)
      record.field(Self.name)
      (parts ?? .object([.init(.family, .text(fullName))])).send(as: .none, to: &record)
      findings.append(Diagnostic(.madeName, "no N; one was made from the full name", property: Person.fields[Self.name].names[0].text))
      return write(Self.name, 1, of: record)
    }
    guard version != .v40 else { return }
    lines.begin(name: Person.fields[Self.name].names[0].text)
    lines.written(";;;;")
    lines.end()
  }

  // MARK: Fields

  /// Writes the value of a field that begins at `index`. `best` is the first preference among the values of the field, where the record
  /// does not have them all.
  package mutating func write(
    _ number: Int, _ index: Int, of record: borrowing Record, preferredGroup: String? = nil, best: Int? = nil
  ) {
    if omitsPhotos, Person.pictureFields.contains(number) { return }
    switch Person.fields[number].layout {
    case .one: if number != 0, number != Person.detailsField { writeOne(number, index, of: record, preferredGroup) }
    case .many: writeMany(number, index, of: record, preferredGroup, best: best)
    case .texts(let perLine):
      writeTexts(number, index, of: record, perLine: perLine, preferredGroup, best: best ?? bestPreference(index, of: record))
    case .unclaimed:
      for place in record.elements(index) {
        guard let line = UnclaimedText(record, at: place) else { continue }
        let fate = line.fate(in: version, from: record.version) { record.value(ofField: $0) != nil }
        write(line, fate, origin: record.version)
      }
    }
  }

  /// Writes the value of a field that has one.
  private mutating func writeOne(_ number: Int, _ index: Int, of record: borrowing Record, _ preferredGroup: String?) {
    let isAlone = details[number] == nil && preferredGroup == nil
    let attempt = isAlone ? writeKnown(number, index, of: record, hasAnnotations: false) : .failed
    if attempt == .written { return }
    let mark = KnownHead.Mark(self, number)
    let spelled = details[number].map { SpelledAnnotations($0, Label.Written()) } ?? .none
    writeValue(Person.fields[number], index, of: record, spelled, isDetailed: true, preferredGroup: preferredGroup)
    if attempt == .learnable { learn(number, index, of: record, since: mark, hasAnnotations: false) }
  }

  /// Writes the values of a field that may have several.
  private mutating func writeMany(_ number: Int, _ index: Int, of record: borrowing Record, _ preferredGroup: String?, best: Int?) {
    guard record.tokens[index].operation == .openList else { return writeOnly(number, index, of: record, preferredGroup) }
    let best = best ?? bestPreference(index, of: record)
    let end = Int(record.tokens[index].start)
    var place = index + 1
    while place < end {
      writeElement(number, place, of: record, preferredGroup, best: best)
      place = record.next(place)
    }
  }

  /// Writes the value of a field that may have several, but has one that stands by itself.
  private mutating func writeOnly(_ number: Int, _ index: Int, of record: borrowing Record, _ preferredGroup: String?) {
    let field = Person.fields[number]
    let spelled = memo.spelled(index, of: record, field, in: version)
    writeValue(field, index, of: record, spelled, isDetailed: false, preferredGroup: preferredGroup)
  }

  /// Writes one value of several.
  private mutating func writeElement(
    _ number: Int, _ place: Int, of record: borrowing Record, _ preferredGroup: String?, best: Int?
  ) {
    let attempt = preferredGroup == nil ? writeKnown(number, place, of: record) : .failed
    if attempt == .written { return }
    writeAnew(number, place, of: record, preferredGroup, best: best, learns: attempt == .learnable)
  }

  /// Writes one value of several for which no head is known, and learns one.
  private mutating func writeAnew(
    _ number: Int, _ place: Int, of record: borrowing Record, _ preferredGroup: String?, best: Int?, learns: Bool
  ) {
    let field = Person.fields[number]
    let mark = KnownHead.Mark(self, number)
    let spelled = placed(memo.spelled(place, of: record, field, in: version), number, origin: record.version, best: best)
    writeValue(field, place, of: record, spelled, isDetailed: false, preferredGroup: preferredGroup)
    // A group of the record's own has its label said once; which preference is the first, other values tell.
    let isShared = spelled.annotations.group != nil && spelled.spelling.label != nil
    if learns, !isShared, version == .v40 || spelled.annotations.preference == nil {
      learn(number, place, of: record, since: mark)
    }
  }

  /// What became of a value for which a head may be known.
  private enum Attempt { case written, failed, learnable }

  /// Writes a value whose text stays as it is with what is known of the head of lines that carry the same.
  private mutating func writeKnown(_ number: Int, _ index: Int, of record: borrowing Record, hasAnnotations: Bool = true) -> Attempt {
    plain.removeAll()
    guard !hasProfile, Person.fields[number].writePlain(record, index, version, &plain) else { return .failed }
    return writePlain(number, index, of: record, hasAnnotations: hasAnnotations)
  }

  /// Writes the texts of the list at `index`, or the one text there, as one line, where they carry nothing.
  private mutating func writeKnownTexts(_ number: Int, _ index: Int, of record: borrowing Record) -> Attempt {
    plain.removeAll()
    plain.append(ASCII.colon)
    let (first, end) = record.isOpening(index) ? (index + 1, Int(record.tokens[index].start)) : (index, index + 1)
    guard !hasProfile, first < end else { return .failed }
    let shape = LineWriter.Place.item.plainShape(in: version)
    var place = first
    while place < end {
      if place > first { plain.append(ASCII.comma) }
      guard record.appendPlain(place, escaping: shape, to: &plain) else { return .failed }
      place = record.next(place)
    }
    return writePlain(number, first, of: record, hasAnnotations: false)
  }

  /// Writes the value in `plain` behind the head of lines that carry the same.
  private mutating func writePlain(_ number: Int, _ index: Int, of record: borrowing Record, hasAnnotations: Bool) -> Attempt {
    guard let known = memo.head(index, of: record, number, in: version, hasAnnotations: hasAnnotations) else { return .learnable }
    guard known.isSome, take(choice: known.choice, of: number) else { return .failed }
    if known.label != nil { lines.groups.advance() }
    lines.write(inLatestGroup: known.label != nil, rest: known.head, plain)
    endKnown(known)
    return .written
  }

  /// Keeps the head of the value that was written last, which is still in `plain`.
  private mutating func learn(
    _ number: Int, _ index: Int, of record: borrowing Record, since mark: KnownHead.Mark, hasAnnotations: Bool = true
  ) {
    guard let head = KnownHead.learned(self, since: mark, number, value: plain) else { return }
    if memo.head(index, of: record, number, in: version, hasAnnotations: hasAnnotations) == nil { memo.keep(head: head) }
  }

  /// The first preference among the values of the list at `index`; nil where they have none, or the version tells it as it is.
  private func bestPreference(_ index: Int, of record: borrowing Record) -> Int? {
    guard version != .v40, record.tokens[index].operation == .openList else { return nil }
    var best: Int?
    for i in index..<Int(record.tokens[index].start) where record.tokens[i].member == .preference {
      if let number = Int(record.string(i)) { best = min(best ?? number, number) }
    }
    return best
  }

  /// What a value carries, and how its preference stands: several lines with TYPE=pref are numbered in 4.0, and of several numbers of 4.0
  /// the first is TYPE=pref in older versions.
  private mutating func placed(_ spelled: SpelledAnnotations, _ number: Int, origin: CardVersion, best: Int?) -> SpelledAnnotations {
    guard let preference = spelled.annotations.preference, version != .v40 || origin != .v40 else { return spelled }
    var annotations = spelled.annotations
    if version != .v40 { annotations.standing.isFirst = preference == best ?? 1 }
    if preference == 1, (version == .v40) != (origin == .v40), !(version == .v40 && annotations.isRepeatedFirst) {
      let count = choice(of: number) + 1
      _ = take(choice: count, of: number)
      annotations.standing.isRepeated = count > 1
      if version == .v40 { annotations.preference = min(count, 100) }
    }
    return SpelledAnnotations(annotations, spelled.spelling)
  }

  /// How many lines with TYPE=pref, or PREF=1, of a field the card has so far.
  func choice(of number: Int) -> Int { firstChoices.first { $0.field == number }?.count ?? 0 }

  /// Begins a line of a field whose head is known; false, and nothing done, where it is not the line that the head is for.
  mutating func begin(_ known: KnownHead, of number: Int) -> Bool {
    guard take(choice: known.choice, of: number) else { return false }
    if known.label != nil { lines.groups.advance() }
    lines.begin(inLatestGroup: known.label != nil, rest: known.head)
    return true
  }

  /// Ends a line that was begun with a known head.
  mutating func end(_ known: KnownHead) {
    lines.end()
    endKnown(known)
  }

  /// Writes and says what comes with each line of a known head.
  private mutating func endKnown(_ known: KnownHead) {
    if let label = known.label { lines.write(inLatestGroup: label.line, valueLength: label.length) }
    if !known.findings.isEmpty { findings.append(contentsOf: known.findings) }
  }

  /// Counts the line that is to be the field's `choice`th such line, or none of them (0); false where it is not.
  mutating func take(choice: Int, of number: Int) -> Bool {
    if choice == 0 { return true }
    guard choice == self.choice(of: number) + 1 else { return false }
    if let place = firstChoices.firstIndex(where: { $0.field == number }) {
      firstChoices[place].count = choice
    } else {
      firstChoices.append((number, choice))
    }
    return true
  }

  /// Writes an unclaimed line as was decided.
  package mutating func write(_ line: UnclaimedText, _ fate: UnclaimedFate, origin: CardVersion) {
    switch fate {
    case .written(let name):
      if let profile = lines.profile, profile.isStrict, !UnclaimedText.isKnown(name, in: version) {
        findings.append(Diagnostic(.strictlyLeftOut, "\(version.text) does not know \(name); left out", property: line.name))
        return
      }
      line.write(as: name, origin: origin, to: &lines)
      reportLeftOut(line.name)
      if name.uppercased() != line.name.uppercased() {
        findings.append(
          Diagnostic(.movedToOther, "one \(line.name.uppercased()) too many for \(version.text); kept as \(name)", property: line.name))
      }
    case .leftOut(let reason):
      if !reason.isEmpty {
        findings.append(Diagnostic(.duplicateValue, "\(line.name.uppercased()) is left out: \(reason)", property: line.name))
      }
    }
  }

  /// The place of the name that a record asks for; nil where it asks for none that may be written.
  private func alias(_ field: Field, _ property: String?, origin: CardVersion) -> Int? {
    if let profile = lines.profile, profile.isStrict { return nil }
    guard let property = property?.uppercased(), (origin == .v40) == (version == .v40) else { return nil }
    return field.names.firstIndex { $0.text.uppercased() == property && $0.role != .part }
  }

  private mutating func writeValue(
    _ field: Field, _ index: Int, of record: borrowing Record, _ spelled: SpelledAnnotations, isDetailed: Bool,
    preferredGroup: String? = nil
  ) {
    let context = context(field, spelled, isDetailed: isDetailed, preferredGroup, origin: record.version) { version in
      field.kind.needsGroup(index, of: record, in: version)
    }
    if case .item(let kind) = context.role {
      writeItem(kind, index, of: record, context)
    } else {
      field.kind.writeLines(index, of: record, context, to: &lines)
    }
    writeLabel(context)
    reportLeftOut(context.name)
  }

  /// Reports what the lines written last could not hold.
  private mutating func reportLeftOut(_ property: String) {
    if !lines.strictlyLeftOut.isEmpty {
      let names = lines.strictlyLeftOut.joined(separator: ", ")
      findings.append(Diagnostic(.strictlyLeftOut, "\(version.text) does not know \(names); left out", property: property))
      lines.strictlyLeftOut.removeAll()
    }
    if lines.dropped > 0 {
      findings.append(
        Diagnostic(.droppedCharacters, "\(property): characters that no line may hold were left out", property: property, leftOut: true))
      lines.dropped = 0
    }
    for note in lines.takeNotes() {
      findings.append(Diagnostic(note.rule, "\(property): \(note.text)", property: property, leftOut: note.leftOut))
    }
  }

  /// Writes a value as an item of X-ANDROID-CUSTOM; its labels stand in the value.
  private mutating func writeItem(_ kind: String, _ index: Int, of record: borrowing Record, _ context: LineContext) {
    lines.begin(group: context.group, name: context.name)
    context.annotations.write(Label.Written(), field: context.field, origin: context.origin, to: &lines, includeLabels: !context.isDetailed)
    let text = record.valuePlace(index).map { record.string($0) } ?? ""
    AndroidCustom.write(text, kind: kind, label: context.annotations.labels.first ?? "", to: &lines)
    lines.end()
  }

  private mutating func context(
    _ field: Field, _ spelled: SpelledAnnotations, isDetailed: Bool, _ preferredGroup: String?,
    origin: CardVersion, needsGroup: (CardVersion) -> Bool
  ) -> LineContext {
    let named = alias(field, spelled.annotations.property, origin: origin)
    let own = lines.profile.flatMap { field.nameIndex(for: $0.reader, labels: spelled.annotations.labels) }
    let alias = own ?? named ?? field.nameIndex(in: version)
    var spelled = spelled
    if alias > 0, let own = field.names[alias].label {
      var annotations = spelled.annotations
      annotations.labels.removeAll { $0.lowercased() == own }
      let spelling = isDetailed ? spelled.spelling : annotations.spelling(in: version, from: origin, types: field.types)
      spelled = SpelledAnnotations(annotations, spelling)
    }
    if case .item = field.names.indices.contains(alias) ? field.names[alias].role : .value {
      spelled = SpelledAnnotations(spelled.annotations, Label.Written())
    }
    var group = spelled.annotations.group
    let needsLabel = spelled.spelling.label?.isEmpty == false
    if let shared = group, needsLabel, let label = labelledGroups[shared.lowercased()], label != spelled.spelling.label { group = nil }
    if group == nil, needsLabel || needsGroup(version) { group = preferredGroup ?? lines.groups.fresh() }
    return LineContext(
      field: field, spelled: spelled, origin: origin, group: group, preferredGroup: preferredGroup,
      alias: alias,
      isNamed: own != nil || named != nil, isDetailed: isDetailed)
  }

  private mutating func writeLabel(_ context: LineContext) {
    if let profile = lines.profile, profile.isStrict { return }
    guard let label = context.spelling.label, !label.isEmpty, let group = context.group else { return }
    if labelledGroups.updateValue(label, forKey: group.lowercased()) == nil { lines.label(group, label) }
  }

  /// Texts that carry the same stand in one line, unless each has a line of its own.
  private mutating func writeTexts(
    _ number: Int, _ index: Int, of record: borrowing Record, perLine: Bool, _ preferredGroup: String?, best: Int?
  ) {
    let attempt = perLine || preferredGroup != nil ? .failed : writeKnownTexts(number, index, of: record)
    if attempt == .written { return }
    let field = Person.fields[number]
    let places = record.elements(index)
    let mark = KnownHead.Mark(self, number)
    defer { if attempt == .learnable { learn(number, index, of: record, since: mark, hasAnnotations: false) } }
    var i = 0
    while i < places.count {
      let spelled = memo.spelled(places[i], of: record, field, in: version)
      var end = i + 1
      func standsAlone(_ place: Int) -> Bool { field.kind.standsAlone(place, of: record, in: lines.version) }
      if !perLine, !standsAlone(places[i]) {
        while end < places.count, !standsAlone(places[end]) {
          let other = memo.spelled(places[end], of: record, field, in: version)
          guard other === spelled || other.annotations == spelled.annotations else { break }
          end += 1
        }
      }
      let standing = placed(spelled, number, origin: record.version, best: best)
      let context = context(field, standing, isDetailed: false, preferredGroup, origin: record.version) { _ in false }
      if case .item(let kind) = context.role {
        for k in i..<end { writeItem(kind, places[k], of: record, context) }
        i = end
        continue
      }
      context.begin(&lines)
      for k in i..<end {
        if k > i { lines.separator(ASCII.comma) }
        field.kind.write(places[k], of: record, context, to: &lines)
      }
      lines.end()
      writeLabel(context)
      reportLeftOut(context.name)
      i = end
    }
  }
}
