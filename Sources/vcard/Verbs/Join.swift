// `vcard join`: the contacts of many files as one.
import Bytes
import CardSyntax
import Files
import People

func runJoin(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  var facts = ContactFacts("uid")
  /// The UIDs so far, and where each stands that came first: which file, and the line of its card (0 where it is none).
  var known = KeyTable()
  var key = ByteBuffer(capacity: 128)
  var owners: [(file: Int32, line: Int32)] = []
  var files: [InputFile] = []
  if invocation.options.output.map({ OutputTarget($0).isFolder }) == true {
    throw UsageError("join writes one file, and -o names a folder")
  }
  let total = try ContactOutputs.run(invocation, keepsText: false, console: &console) { contact, source, file, output, console in
    facts.withText(contact, of: source) { appendKey(of: $0, $1, $2, to: &key) }
    if files.last?.path != file.path { files.append(file) }
    if !key.isEmpty {
      let number = key.withBytes { known.number(of: $0) }
      key.removeAll()
      if number == owners.count {
        owners.append((Int32(truncatingIfNeeded: files.count - 1), Int32(truncatingIfNeeded: contact.line ?? 0)))
      } else {
        let owner = owners[number]
        let place = files[Int(owner.file)].path.text + (owner.line > 0 ? ":\(owner.line)" : "")
        let uid = facts.text(contact, of: source)
        Contacts.tell(
          [Diagnostic(.repeatedUID, "the UID \(uid) is that of \(place), too; both are kept", line: contact.line)], file, console: &console)
      }
    }
    try output.write(contact, of: source, file, &console)
  }
  return total.read == 0 ? max(1, console.status) : console.status
}

/// Adds the key of a UID: what equal ones have in common, ASCII letters in capitals. Nearly all are ASCII, and need no text for it.
private func appendKey(of uid: Span<UInt8>, _ start: Int, _ end: Int, to key: inout ByteBuffer) {
  guard ByteSearch.firstHighBit(in: uid, from: start, to: end) == end else {
    let text = uidKey(uid.text(start, end)).utf8
    return appendCapitals(text.span, 0, text.span.count, to: &key)
  }
  // `urn:uuid:` in capitals.
  let isURN =
    end - start > 9 && Words.uppercased(Words.load(uid, start)) == 0x4449_5555_3A4E_5255 && uid[start + 8] == ASCII.colon
  appendCapitals(uid, isURN ? start + 9 : start, end, to: &key)
}

private func appendCapitals(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to key: inout ByteBuffer) {
  var i = start
  while i < end {
    key.append(word: Words.uppercased(Words.loadUpTo8(bytes, i, end)), count: min(8, end - i))
    i += 8
  }
}

/// What equal UIDs have in common: letter case and `urn:uuid:` make no difference.
func uidKey(_ uid: String) -> String {
  let lower = uid.lowercased()
  return lower.hasPrefix("urn:uuid:") ? String(lower.dropFirst(9)) : lower
}

extension VerbRow {
  /// What the command says of `join`.
  static let join = VerbRow(
    verb: .join, summary: "write the contacts of many files as one", operands: .inputs, outputs: contactFormats,
    paragraphs: [
      """
      A UID that comes again is reported and kept.
      """,
      copies,
      inputs,
      """
      Contacts flow one at a time; only their UIDs are kept in memory.
      """,
    ],
    examples: [
      Example("vcard join contacts/ -o contacts.vcf", "a folder of vCards as one file"),
      Example("vcard join -t vcard4 phone.vcf mail.vcf > all.vcf", "two address books, all cards of version 4.0"),
    ],
    exitStatus: "0 done; 1 done, but an error was found or no contact came in; 2 not done; 130 interrupted.")
}
