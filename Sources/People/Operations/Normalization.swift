// Contacts in their normal form: the list of steps, and what runs them over a card.

package import CardSyntax
package import Bytes

/// What `normalize` does to contacts.
package struct NormalizationOptions: Sendable {
  /// The steps that run, by id.
  package var steps: Set<String> = NormalizationStep.usual
  /// How telephone numbers are read.
  package var numbering: PhoneNumbering?
  /// The version of all contacts; nil where each keeps its own.
  package var version: CardVersion?
  /// The reader for whom all contacts are written, in its `version`; nil for none.
  package var profile: WriterProfile?
  /// Octets of a physical line; nil for no folding.
  package var width: Int? = Folding.width
  /// The time that changed contacts get as their revision, in ISO 8601.
  package var now = ""
  /// The groups of the whole input, for the step that makes them one.
  package var groups: GroupMemberships?
  /// How much is told of what steps do.
  package var telling = StepTelling.all

  package init() {}
}

/// One step of normalizing. A new step is one entry in `all`: its rule, its listing and its options follow.
package struct NormalizationStep: Sendable {
  /// The id that `--only`, `--skip` and `--with` name.
  package let id: String
  /// What it does, in one sentence.
  package let summary: String
  /// Runs it without being asked for?
  package let isUsual: Bool
  /// Runs it at the end, and only over contacts that other steps have changed?
  let followsChanges: Bool
  /// The rule of its findings.
  package let rule: Rule
  let run: @Sendable (inout CardDraft) -> Void

  private init(
    _ id: String, usual: Bool = true, followsChanges: Bool = false, _ summary: String,
    _ run: @escaping @Sendable (inout CardDraft) -> Void = { _ in }
  ) {
    (self.id, self.summary, isUsual, self.followsChanges, self.run) = (id, summary, usual, followsChanges, run)
    rule = Rule("normalize-" + id, .info, "The step \(id) of normalize changed a contact: \(summary)")
  }

  /// All steps, in the order in which they run.
  package static let all: [NormalizationStep] = [
    NormalizationStep("encoding", "UTF-8, CRLF, lines folded at 75 octets, wrong lines written right."),
    NormalizationStep("version", "vCard 2.1 becomes 3.0; --to gives all contacts one version, --for the form of one reader."),
    NormalizationStep("mojibake", usual: false, "Text that was decoded with the wrong character set once is put right.", mendMojibake),
    NormalizationStep("trim", "White space around texts and around their parts is taken off.", trim),
    NormalizationStep(
      "names", "A missing name in parts is made from the full name; separators escaped into one part divide again.", mendNames),
    NormalizationStep("name-case", usual: false, "Names in capitals, or all in small letters, get capital initials.", capitalizeNames),
    NormalizationStep("labels", "TYPE words and labels become the canonical words.", unifyLabels),
    NormalizationStep("aliases", "Properties get the version's own name: X-AIM becomes IMPP.", useStandardNames),
    NormalizationStep("phones", "Telephone numbers become E.164; national ones need --region, and what is not sure stays.", unifyPhones),
    NormalizationStep("emails", "The domain of e-mail addresses in small letters, mailto: taken off.", unifyEmails),
    NormalizationStep("urls", "Scheme and host of URLs in small letters; a bare host gets its scheme.", unifyURLs),
    NormalizationStep("dates", "Dates in the form of the version, where they are sure.", unifyDates),
    NormalizationStep("photos", "The media type of pictures, logos, sounds and keys is that of their bytes.", retypeMedia),
    NormalizationStep("groups", usual: false, "Group cards and categories become one (--groups categories|cards).", joinGroups),
    NormalizationStep("duplicates", "Values that stand several times are written once, with the labels of all.", removeDuplicates),
    NormalizationStep("empty", "Properties without a value, and contacts without any, are left out.", removeEmpty),
    NormalizationStep("uid", usual: false, "A contact without UID gets one: X-ABUID, or one that is made from its content.", addIdentifier),
    NormalizationStep("order", "Properties stand in the order of 'vcard fields'.", orderFields),
    NormalizationStep(
      "revision", usual: false, followsChanges: true, "Contacts that were changed get the present time as REV.", stampRevision),
  ]

  /// The ids of the steps that run without being asked for.
  package static let usual = Set(all.filter(\.isUsual).map(\.id))
}

/// Normalizes cards, one after the other.
package struct Normalizer: ~Copyable {
  private var options: NormalizationOptions
  private var sequence = 0
  /// 2.1 becomes 3.0.
  private let changesVersion: Bool
  private var findings: [Diagnostic] = []
  /// What makes cards of records.
  private var writer: CardWriter
  private var reader = WrittenCards()
  /// One workshop per version, by the version's number.
  private var workshops: [Boxed<Workshop>?] = Array(repeating: nil, count: CardVersion.allCases.count)

  package init(_ options: NormalizationOptions) {
    self.options = options
    changesVersion = options.steps.contains("version")
    writer = CardWriter(version: options.version ?? .v40, width: options.width, profile: options.profile)
  }

  /// What became of a contact.
  package enum Outcome: Sendable, Equatable { case unchanged, changed, leftOut }

  /// Writes the card at `index` of `batch`, normalized, behind what `output` holds.
  package mutating func normalize(_ batch: CardBatch, _ index: Int, to output: inout ByteBuffer) -> Outcome {
    let card = batch[index]
    return normalize(batch, index, target(card.version), number: card.number, line: card.line, to: &output)
  }

  /// Writes the contact of a record, normalized, behind what `output` holds. `number` is its number in its input.
  package mutating func normalize(_ record: borrowing Record, number: Int, to output: inout ByteBuffer) -> Outcome {
    writer.write(record)
    for var finding in writer.findings {
      (finding.contact, finding.contactName) = (number, FullName.shown(record))
      findings.append(finding)
    }
    writer.findings.removeAll()
    guard let batch = reader.card(writer.takeOutput()) else { return .leftOut }
    let outcome = normalize(batch, 0, writer.version, number: number, line: nil, to: &output)
    return outcome == .leftOut ? .leftOut : .changed
  }

  /// Writes the group cards that the contacts so far ask for, behind what `output` holds. Call it at the end of each output.
  package mutating func writeGroups(to output: inout ByteBuffer) {
    guard var groups = options.groups else { return }
    for made in groups.takeMadeCards(upTo: sequence) {
      let version = options.version ?? made.version
      var writer = CardWriter(version: version, width: options.width, profile: options.profile)
      writer.write(made.record.record)
      output.append(writer.takeOutput())
    }
    options.groups = groups
  }

  private mutating func normalize(
    _ batch: CardBatch, _ index: Int, _ version: CardVersion, number: Int, line: Int?, to output: inout ByteBuffer
  ) -> Outcome {
    let workshop = workshops[Int(version.rawValue)] ?? Boxed(Workshop(options, version))
    workshops[Int(version.rawValue)] = workshop
    defer { sequence += 1 }
    let outcome = workshop.value.normalize(batch, index, sequence, number: number, line: line, to: &output)
    let found = workshop.value.takeFindings()
    if !found.isEmpty { findings += found }
    return outcome
  }

  /// The version that a card is written in.
  private func target(_ version: CardVersion) -> CardVersion {
    guard changesVersion else { return version }
    return options.version ?? (version == .v21 ? .v30 : version)
  }

  /// The findings since the last call.
  package mutating func takeFindings() -> [Diagnostic] {
    if findings.isEmpty { return [] }
    defer { findings = [] }
    return findings
  }

  /// The changes of steps since the last call that were not told, as the options ask for.
  package func takeCounts() -> [StepCount] { workshops.flatMap { $0?.value.takeCounts() ?? [] } }
}

/// Reads cards that a writer made, one after the other; what was learnt of the heads of their lines is kept.
private struct WrittenCards: ~Copyable {
  private var parser = CardParser(names: FieldNames.table)

  /// The one card of a text.
  mutating func card(_ text: [UInt8]) -> CardBatch? {
    parser.begin(hadByteOrderMark: false)
    parser.feed(text.span)
    parser.finish()
    return parser.nextBatch().flatMap { $0.count == 1 ? $0 : nil }
  }
}

/// What normalizes the cards of one version.
private struct Workshop: ~Copyable {
  private var converter: CardConverter
  private var reader = WrittenCards()
  private var draft: CardDraft
  /// The steps, by their places among all.
  private let steps: [Int]
  /// Those that run at the end, over contacts that were changed.
  private let lastSteps: [Int]
  private let runs: [@Sendable (inout CardDraft) -> Void]
  /// Wrong lines are written right.
  private let mendsLines: Bool
  /// The card normalized last was written right first.
  private var isMended = false

  init(_ options: NormalizationOptions, _ version: CardVersion) {
    let all = NormalizationStep.all
    let chosen = all.indices.filter { options.steps.contains(all[$0].id) }
    steps = chosen.filter { !all[$0].followsChanges }
    lastSteps = chosen.filter { all[$0].followsChanges }
    runs = all.map(\.run)
    mendsLines = options.steps.contains("encoding") || options.profile != nil
    converter = CardConverter(version: version, width: options.width, profile: options.profile)
    converter.tellsOrigins = true
    draft = CardDraft(options, version: version, width: options.width)
  }

  /// The findings about the card that was normalized last.
  mutating func takeFindings() -> [Diagnostic] {
    let name = draft.report.findings.isEmpty ? "" : isMended ? converter.contactName : draft.engine.contactName
    return draft.report.takeFindings(contactName: name)
  }

  /// The changes since the last call that were not told.
  mutating func takeCounts() -> [StepCount] { draft.report.takeCounts() }

  mutating func normalize(
    _ batch: CardBatch, _ index: Int, _ sequence: Int, number: Int, line: Int?, to output: inout ByteBuffer
  ) -> Normalizer.Outcome {
    let isRight = converter.isRight(batch, index)
    let repairs = mendsLines || converter.card.version != converter.writer.version
    isMended = repairs && !isRight
    if !isMended {
      draft.begin(&converter.card, number: number, line: line)
    } else {
      // Wrong lines are written right first; the steps then find a card whose lines are all right.
      converter.convert(batch, index)
      draft.report.add(converter.takeFindings())
      guard let clean = reader.card(converter.writer.takeOutput()) else { return .leftOut }
      draft.begin(clean, 0, number: number, line: line, origins: converter.origins)
    }
    draft.sequence = sequence
    run(steps)
    if draft.isDropped { return .leftOut }
    write(keepsBytes: !repairs)
    // A step may put right what writing would undo: then nothing was changed, and nothing is told.
    if isWritten(as: batch, index) {
      draft.report.forget()
      move(to: &output)
      return .unchanged
    }
    if draft.report.isEmpty { draft.tellLineBreaks() }
    if !lastSteps.isEmpty {
      run(lastSteps)
      draft.engine.writer.lines.output.removeAll()
      write(keepsBytes: !repairs)
    }
    move(to: &output)
    return .changed
  }

  /// Is the text of the draft that of the card?
  private func isWritten(as batch: CardBatch, _ index: Int) -> Bool {
    let (start, end) = (Int(batch.cards[index].rawStart), Int(batch.cards[index].rawEnd))
    let bytes = batch.bytes
    return draft.engine.writer.lines.output.withBytes {
      $0.count == end - start && Words.areEqual($0, 0, bytes.span, start, count: $0.count)
    }
  }

  private mutating func move(to output: inout ByteBuffer) {
    draft.engine.writer.lines.output.withBytes { output.append($0) }
    draft.engine.writer.lines.output.removeAll()
  }

  private mutating func run(_ steps: [Int]) {
    for step in steps where !draft.isDropped {
      draft.step = step
      runs[step](&draft)
    }
  }

  /// Writes the text of the draft.
  private mutating func write(keepsBytes: Bool) {
    draft.write(keepsBytes: keepsBytes)
    draft.report.add(draft.engine.takeFindings())
  }
}
