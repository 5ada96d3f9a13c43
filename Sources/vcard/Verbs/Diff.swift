// `vcard diff`: what differs between two address books, contact by contact, field by field.
import Bytes
import CardSyntax
import Files
import People

func runDiff(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  let numbering = try Contacts.numbering(invocation.options)
  let sides = try invocation.operands.map { operand in
    var side = invocation
    side.operands = [operand]
    return try Inputs.files(of: side)
  }
  if invocation.operands.allSatisfy(\.isStandard) { throw UsageError("stdin (-) is named twice") }
  let inputs = sides.map { RepeatedInputs($0, of: invocation) }

  var matcher = ContactMatcher(numbering: numbering)
  var comparison = ContactComparison(numbering: numbering)
  var fingerprints: [[UInt64]] = []
  var reader = CardReader()
  reader.omitsDuplicates = true
  var starts: [[Int]] = []
  var leftCount = 0
  for side in 0..<2 {
    let counts = try inputs[side].read(console: &console) { file, line, contact, source, _ in
      switch contact {
      case .card(let batch, let index):
        reader.read(batch, index)
        matcher.add(reader.record, file: file, line: line)
        fingerprints.append(comparison.fingerprint(reader.record))
      case .record:
        matcher.add(source.record, file: file)
        fingerprints.append(comparison.fingerprint(source.record))
      }
    }
    if side == 0 { leftCount = matcher.count }
    let first = side == 0 ? 0 : leftCount
    starts.append(counts.reduce(into: [first]) { $0.append(($0.last ?? 0) + $1) })
  }
  let pairs = ContactPairs(matcher, leftCount: leftCount, fingerprints: fingerprints)
  let partners = pairs.partners
  var report = DiffReport(invocation.options.report, files: sides, starts: starts, leftCount: leftCount)

  // Those of the right side that differ from their partner wait for it.
  var waiting: [Int: WaitingRecord] = [:]
  var number = leftCount
  if pairs.differ.contains(true) {
    try inputs[1].read(console: &console) { _, _, contact, source, _ in
      defer { number += 1 }
      guard number < partners.count, pairs.differ[number] else { return }
      switch contact {
      case .card(let batch, let index):
        reader.read(batch, index)
        waiting[number] = WaitingRecord(reader.record)
      case .record: waiting[number] = WaitingRecord(source.record)
      }
    }
  }
  var output = OutputStream()
  number = 0
  try inputs[0].read(console: &console) { _, _, contact, source, console in
    defer { number += 1 }
    guard number < leftCount else { return }
    guard let right = partners[number] else { return report.add(onLeft: number, matcher) }
    guard let other = waiting.removeValue(forKey: right)?.record() else { return }
    switch contact {
    case .card(let batch, let index):
      reader.read(batch, index)
      report.add(comparison.differences(reader.record, other), number, right, reader.record, other, matcher)
    case .record: report.add(comparison.differences(source.record, other), number, right, source.record, other, matcher)
    }
    if report.output.count > 1 << 16 { try output.write(&report.output) }
  }
  for right in leftCount..<partners.count where partners[right] == nil { report.add(onRight: right, matcher) }
  try output.write(&report.output)
  try output.finish()
  return report.hasDifferences || matcher.count == 0 ? max(1, console.status) : console.status
}

extension VerbRow {
  /// What the command says of `diff`.
  static let diff = VerbRow(
    verb: .diff, summary: "what differs between two address books, contact by contact", operands: .two("LEFT", "RIGHT"),
    paragraphs: [
      """
      LEFT and RIGHT are each a file, a folder, or - for stdin. Contacts are paired as dedupe finds them: by UID, by an e-mail or phone \
      and a fitting name, or because they are equal. Each contact that differs is printed with the values that only one side has: \
      - marks what is on the left alone, + what is on the right alone.
      """,
      """
      REV, PRODID, folding, the order of lines, the spelling of labels and the version make no difference.
      """,
      """
      Both sides are read twice (a pipe goes through a temporary file). In memory are the keys of all contacts, and those that differ.
      """,
    ],
    examples: [
      Example("vcard diff old.vcf new.vcf", "what has changed"),
      Example("vcard diff --report json old.vcf new.vcf | jq -r .name", "whose contacts have changed"),
    ],
    exitStatus: "0 no difference; 1 differences, an error was found, or no contact came in; 2 not done; 130 interrupted.")
}
