// `vcard normalize`: contacts in their normal form, into one file, a folder of files, or in place.
import Bytes
import CardSyntax
import Files
import People

func runNormalize(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  let options = invocation.options
  if options.listsSteps {
    let width = NormalizationStep.all.map { $0.id.count }.max() ?? 0
    try Main.print(
      NormalizationStep.all.map { step in
        let padding = String(repeating: " ", count: width - step.id.count + 2)
        return step.id + padding + (step.isUsual ? "" : "(only with --with) ") + step.summary + "\n"
      }.joined())
    return 0
  }
  var normalization = try normalizationOptions(invocation)
  if console.sumsUpInfos { normalization.telling = options.isQuiet ? .nothing : .firsts }
  let target = OutputTarget(options.output)
  var folder: FilePath?
  if case .folder(let path) = target { folder = path }
  if case .file(let path) = target, let named = FormatName.ofExtension(path.fileExtension.lowercased()), !named.isCard {
    throw UsageError("normalize writes vCards; 'vcard convert' writes \(named.rawValue)")
  }
  let files = try Inputs.files(of: invocation, outputFolder: folder)
  var outputs: [(files: [InputFile], path: FilePath?)] = [(files, options.output)]
  if options.isInPlace {
    for file in files { try checkInPlace(file.path, options) }
    outputs = files.map { ([$0], $0.path) }
  } else if let folder {
    outputs = zip(files, try Inputs.outputs(for: files, in: folder, fileExtension: "vcf")).map { ([$0], $1) }
  }
  if options.isDryRun {
    for case let path? in outputs.map(\.path) { console.wouldWrite(path) }
    return 0
  }
  var standard: InputStream?
  if normalization.steps.contains("groups") {
    normalization.groups = try memberships(files, &standard, invocation, console: &console)
  }
  var normalizer = Normalizer(normalization)
  defer { for count in normalizer.takeCounts() { console.count(count.count, rule: count.rule.id, property: count.property) } }
  var tally = Tally()
  for output in outputs {
    if folder != nil, let path = output.path { try FileSystem.makeFolders(path.folder) }
    try normalize(output.files, to: output.path, &normalizer, &standard, &tally, invocation, console: &console)
  }
  console.note("\(tally.read) contact\(tally.read == 1 ? "" : "s") read, \(tally.changed) changed, \(tally.leftOut) skipped")
  return tally.read == 0 ? max(1, console.status) : console.status
}

/// The steps and their settings that the options ask for.
private func normalizationOptions(_ invocation: Invocation) throws -> NormalizationOptions {
  let options = invocation.options
  let known = NormalizationStep.all.map(\.id)
  for (option, ids) in [(OptionID.only, options.onlySteps), (.skip, options.skippedSteps), (.with, options.addedSteps)] {
    for id in ids where !known.contains(id) {
      let hint = NearestName.of(id, among: known).map { "did you mean '\($0)'?" } ?? "'vcard normalize --steps' lists them"
      throw UsageError("\(option.spelling): unknown step '\(id)'; \(hint)")
    }
  }
  var result = NormalizationOptions()
  if !options.onlySteps.isEmpty { result.steps = Set(options.onlySteps) }
  result.steps.formUnion(options.addedSteps)
  result.steps.subtract(options.skippedSteps)
  if let chooser = options.given.first(where: { $0 == .to || $0 == .for }) {
    if options.skippedSteps.contains("version") {
      throw UsageError("\(chooser.spelling) needs the step 'version', which --skip leaves out")
    }
    result.steps.insert("version")
    result.version = try Contacts.outputFormat(options, named: nil).format.version
    result.profile = options.profile
  }
  if options.groupForm != nil, !result.steps.contains("groups") { throw UsageError("--groups needs --with groups") }
  result.numbering = try Contacts.numbering(options)
  switch options.fold {
  case .off?: result.width = nil
  case .width(let octets)?: result.width = octets
  case nil: break
  }
  result.now = Process.now()
  return result
}

/// What is replaced must be vCards.
private func checkInPlace(_ path: FilePath, _ options: Options) throws {
  let format = options.from ?? FormatName.ofExtension(path.fileExtension.lowercased()) ?? .vcard
  if !format.isCard { throw UsageError("-i is for vCards, and \(path) is \(format.rawValue); name the output with -o") }
}

/// Who belongs to which group, over all inputs. Stdin is kept for the second reading.
private func memberships(
  _ files: [InputFile], _ standard: inout InputStream?, _ invocation: Invocation, console: inout Console
) throws -> GroupMemberships {
  var groups = GroupMemberships(invocation.options.groupForm == "cards" ? .cards : .categories)
  for file in files {
    var input = try InputStream(file.path)
    if file.path.isStandard { try input.makeRewindable() }
    _ = try Contacts.read(file, &input, invocation, console: &console, reports: false) { contact, source, _ in
      switch contact {
      case .card(let batch, let index): groups.note(batch, index)
      case .record: groups.note(source.record)
      }
    }
    if file.path.isStandard {
      try input.rewind()
      standard = consume input
    }
  }
  groups.settle()
  return groups
}

/// What became of the contacts of a run.
private struct Tally {
  var read = 0, changed = 0, leftOut = 0

  mutating func count(_ outcome: Normalizer.Outcome) {
    read += 1
    if outcome == .changed { changed += 1 }
    if outcome == .leftOut { leftOut += 1 }
  }
}

/// Normalizes files into one output.
private func normalize(
  _ files: [InputFile], to path: FilePath?, _ normalizer: inout Normalizer, _ standard: inout InputStream?, _ tally: inout Tally,
  _ invocation: Invocation, console: inout Console
) throws {
  var output =
    try path.map { path throws(StreamError) in
      try OutputStream(path, backupSuffix: invocation.options.isInPlace ? invocation.options.backupSuffix : nil)
    } ?? OutputStream()
  var buffer = ByteBuffer(capacity: 1 << 17)
  for file in files {
    var number = 0
    var input = if file.path.isStandard, let kept = standard.take() { kept } else { try InputStream(file.path) }
    _ = try Contacts.read(file, &input, invocation, console: &console) { contact, source, console in
      switch contact {
      case .card(let batch, let index): tally.count(normalizer.normalize(batch, index, to: &buffer))
      case .record: tally.count(normalizer.normalize(source.record, number: number, to: &buffer))
      }
      number += 1
      Contacts.tell(normalizer.takeFindings(), file, console: &console)
      if console.mustStop { throw RunStopped() }
      if buffer.count > 1 << 16 { try output.write(&buffer) }
    }
  }
  normalizer.writeGroups(to: &buffer)
  try output.write(&buffer)
  try output.finish()
}

extension VerbRow {
  /// What the command says of `normalize`.
  static let normalize = VerbRow(
    verb: .normalize, summary: "write contacts in their normal form; whole folders at once", operands: .inputs,
    outputs: [.vcard, .vcard4, .vcard3, .vcard21],
    paragraphs: [
      """
      What is wrong is put right, and what may be written in several ways is written in one: numbers in E.164, labels and properties \
      by their usual names, equal values once, no empty ones, all in one order. Doing it twice gives the same bytes as once. \
      'vcard normalize --steps' lists the steps.
      """,
      """
      Each card keeps its version, so that who could read it still can; 2.1 becomes 3.0. --to gives all cards one version, --for the \
      form that one reader needs. \
      National telephone numbers are left alone without --region, since nothing is guessed.
      """,
      """
      -o names a file; with a folder there is one output per input, and the tree below each folder that is named is mirrored. -i \
      replaces the inputs. The last line on stderr says how many contacts were read, changed and left out as empty.
      """,
      inputs,
      """
      Contacts flow one at a time, whatever the input's size; '--with groups' reads the inputs twice and keeps who belongs to which group.
      """,
    ],
    examples: [
      Example("vcard normalize contacts.vcf -o clean.vcf", "one file"),
      Example("vcard normalize --region GB book/ -o clean/", "a folder, with British telephone numbers"),
      Example("vcard normalize -i --backup .old --only phones --region US contacts.vcf", "the numbers alone, in place"),
    ],
    exitStatus: "0 done; 1 done, but an error was found or no contact came in; 2 not done; 130 interrupted.")
}
