// `vcard dedupe`: contacts that are the same person become one.
import Bytes
import CardSyntax
import Files
import People

func runDedupe(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  let options = invocation.options
  let target = OutputTarget(options.output)
  if case .folder(let path) = target { throw UsageError("dedupe writes one file, and \(path) is a folder") }
  let files = try Inputs.files(of: invocation)
  if options.isInPlace, files.count != 1 {
    throw UsageError("--in-place takes one file here: contacts of \(files.count) files may become one, and -o says where it goes")
  }
  let keys = try options.matchWords().compactMap { MatchKey(word: $0.rawValue) }
  if options.listsCandidates, !options.merges.isEmpty { throw UsageError("--candidates and --merge exclude each other") }
  let numbering = try Contacts.numbering(options)
  let inputs = RepeatedInputs(files, of: invocation)

  var matcher = ContactMatcher(by: Set(keys), numbering: numbering)
  var reader = CardReader()
  reader.omitsDuplicates = true
  reader.omitsAnnotations = true
  let counts = try inputs.read(console: &console) { file, line, contact, source, _ in
    switch contact {
    case .card(let batch, let index):
      reader.read(batch, index)
      matcher.add(reader.record, file: file, line: line)
    case .record: matcher.add(source.record, file: file)
    }
  }
  let plan = try plan(options, matcher)
  let report = PlanReport(plan, files: files, form: options.report, candidatesOnly: options.listsCandidates)
  let path = options.isInPlace ? files.first?.path : options.output
  let status = matcher.count == 0 ? 1 : console.status
  if options.isDryRun || options.listsCandidates {
    try Main.print(report.text(matcher))
    if !options.listsCandidates, let path, !path.isStandard { console.wouldWrite(path) }
    return max(status, console.status)
  }
  var merged = MergedContacts(plan, count: matcher.count)
  if !plan.groups.isEmpty {
    try merged.collect(inputs, matcher, counts, numbering: numbering, console: &console)
  }
  try write(inputs, merged, to: path, invocation, console: &console)
  // The plan comes after all findings, the summed up ones included.
  try console.finish()
  if !options.isQuiet { report.forEachLine(matcher) { console.say($0) } }
  return max(status, console.status)
}

private func plan(_ options: Options, _ matcher: borrowing ContactMatcher) throws(UsageError) -> MatchPlan {
  if options.merges.isEmpty { return matcher.plan() }
  for contact in options.merges.joined() where contact >= matcher.count {
    let range = matcher.count == 0 ? "there is none" : "they are numbered from 0 to \(matcher.count - 1)"
    throw UsageError("--merge: no contact has the number \(contact); \(range)")
  }
  return matcher.plan(merging: options.merges)
}

/// The merged contacts, each once all of its members have been read.
private struct MergedContacts {
  /// The group of each contact; -1 for those that are in none.
  private var groupOf: [Int32]
  private let groups: [MatchPlan.Group]
  private var merged: [WaitingRecord?]
  private var identifiers = MergedIdentifiers()

  /// What becomes of a contact.
  enum Fate {
    /// It is in no group.
    case single
    /// It is the first of a group: the merged contact stands in its place.
    case first(KeptRecord)
    /// It is part of a merged contact.
    case absorbed
  }

  init(_ plan: MatchPlan, count: Int) {
    groups = plan.groups
    groupOf = Array(repeating: -1, count: count)
    merged = Array(repeating: nil, count: groups.count)
    for (number, group) in groups.enumerated() { for member in group.members { groupOf[member] = Int32(truncatingIfNeeded: number) } }
  }

  /// Reads the members of all groups and merges them.
  mutating func collect(
    _ inputs: RepeatedInputs, _ matcher: borrowing ContactMatcher, _ counts: [Int], numbering: PhoneNumbering, console: inout Console
  ) throws {
    var waiting: [Int: [WaitingRecord]] = [:]
    var merger = ContactMerger(numbering: numbering)
    var reader = CardReader()
    reader.omitsDuplicates = true
    var contact = 0
    let firsts = counts.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) }
    try inputs.read(console: &console) { _, _, source, sourceOfRecord, console in
      defer { contact += 1 }
      guard contact < groupOf.count, groupOf[contact] >= 0 else { return }
      let number = Int(groupOf[contact])
      switch source {
      case .card(let batch, let index):
        reader.read(batch, index)
        waiting[number, default: []].append(WaitingRecord(reader.record))
      case .record: waiting[number, default: []].append(WaitingRecord(sourceOfRecord.record))
      }
      guard let all = waiting[number], all.count == groups[number].members.count else { return }
      waiting[number] = nil
      let records = all.map { KeptRecord($0.record()) }
      let whole = merger.merge(records)
      identifiers.add(records, merged: whole)
      merged[number] = WaitingRecord(whole)
      for finding in merger.takeFindings() {
        let member = groups[number].members[finding.contact ?? 0]
        let entry = matcher.entries[member]
        var finding = finding
        finding.line = entry.line > 0 ? Int(entry.line) : nil
        finding.contact = member - firsts[Int(entry.file)]
        Contacts.tell([finding], inputs.files[Int(entry.file)], console: &console)
      }
      if console.mustStop { throw RunStopped() }
    }
  }

  func fate(_ contact: Int) -> Fate {
    guard contact < groupOf.count, groupOf[contact] >= 0, let whole = merged[Int(groupOf[contact])] else { return .single }
    guard groups[Int(groupOf[contact])].members.first == contact else { return .absorbed }
    let record = KeptRecord(whole.record())
    return .first(identifiers.updated(record.record) ?? record)
  }

  /// The bytes of a card whose references to merged contacts had to be exchanged; nil where it stays as it is.
  func updated(_ batch: CardBatch, _ index: Int) -> [UInt8]? { identifiers.updated(batch, index) }

  /// The same for a record.
  func updated(_ record: borrowing Record) -> KeptRecord? { identifiers.updated(record) }
}

/// Writes all contacts, each group as one.
private func write(
  _ inputs: RepeatedInputs, _ merged: borrowing MergedContacts, to path: FilePath?, _ invocation: Invocation, console: inout Console
) throws {
  let options = invocation.options
  let choice = try ContactOutput.Choice(options, keepsText: false)
  let stream = try path.map { path throws(StreamError) in
    try OutputStream(path, backupSuffix: options.isInPlace ? options.backupSuffix : nil)
  }
  var output = ContactOutput(stream ?? OutputStream(), choice)
  var reader = CardReader()
  var contact = 0
  try inputs.read(console: &console) { file, _, kind, source, console in
    defer { contact += 1 }
    let file = inputs.files[file]
    try output.begin(source.format)
    switch (merged.fate(contact), kind) {
    case (.absorbed, _): return
    case (.first(let record), .card): try output.write(record.record, version: record.record.version, file, &console)
    case (.first(let record), .record): try output.write(record.record, file, &console)
    case (.single, .card(let batch, let index)):
      guard let bytes = merged.updated(batch, index) else { return try output.write(kind, of: source, file, &console) }
      if choice.isCopying, source.format.version != nil, choice.format(for: source.format).version != nil {
        return try output.write(bytes, insteadOf: batch[index], file, &console)
      }
      reader.read(batch, index)
      let version = reader.record.version
      if let record = merged.updated(reader.record) {
        try output.write(record.record, version: version, file, &console)
      } else {
        try output.write(reader.record, version: version, file, &console)
      }
    case (.single, .record):
      guard let record = merged.updated(source.record) else { return try output.write(kind, of: source, file, &console) }
      try output.write(record.record, file, &console)
    }
  }
  try output.finish(inputs.files.first, &console)
}

extension VerbRow {
  /// What the command says of `dedupe`.
  static let dedupe = VerbRow(
    verb: .dedupe, summary: "find and merge contacts that are the same person", operands: .inputs,
    outputs: contactFormats,
    paragraphs: [
      """
      Contacts are merged without asking where they are surely one person: the same UID; or the same e-mail or phone together with a \
      name that fits; or all values equal apart from UID, REV, PRODID and order. Names fit whatever their letter case, accents, \
      punctuation and order of family and given name; initials fit the names that they begin, and a middle name may be missing on one \
      side; Jr. or II may not. In a group every two contacts fit each other.
      """,
      """
      A shared e-mail or phone with another name, or the same name alone, makes a candidate, which is only listed. Contacts are \
      numbered from 0 over all inputs; --merge merges those that you name, and no others.
      """,
      """
      The merged contact stands where its first one stood and has its version. It keeps every value of all: equal ones become one, \
      written as the first has it, with the labels of all; parts that are missing are filled; further values of a field that has room \
      for one are kept as X-OTHER- lines, and stderr says which. Members of groups and related contacts are renamed with the UID. \
      Contacts that are not merged are copied byte for byte unless --to, --for or --fold asks for more.
      """,
      """
      The plan says which contacts are merged, and why. It goes to stderr, with --dry-run to stdout, and is one JSON object with \
      --report json: {"groups": [[0, 3]], "reasons": ["email"], "candidates": [[1, 2]], "candidateReasons": ["phone"]}.
      """,
      inputs,
      """
      The inputs are read up to three times (a pipe goes through a temporary file). In memory are the keys of all contacts, and the \
      people that are merged.
      """,
    ],
    examples: [
      Example("vcard dedupe -n phone.vcf mail.vcf", "what would be merged, and why"),
      Example("vcard dedupe phone.vcf mail.vcf -o all.vcf", "two address books made one"),
      Example("vcard dedupe --region GB --merge 4,17 book.vcf -o clean.vcf", "merge two contacts of your choice"),
    ],
    exitStatus: "0 done; 1 done, but an error was found or no contact came in; 2 not done; 130 interrupted.")
}
