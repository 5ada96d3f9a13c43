// `vcard join`: the contacts of many files as one.
import CardSyntax
import People

func runJoin(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  var facts = ContactFacts("uid")
  var owners: [String: String] = [:]
  if invocation.options.output.map({ OutputTarget($0).isFolder }) == true {
    throw UsageError("join writes one file, and -o names a folder")
  }
  let total = try ContactOutputs.run(invocation, keepsText: false, console: &console) { contact, source, file, output, console in
    let uid = facts.text(contact, of: source)
    if !uid.isEmpty {
      let place = contact.line.map { "\(file.path):\($0)" } ?? file.path.text
      if let owner = owners[uidKey(uid)] {
        Contacts.tell(
          [Diagnostic(.repeatedUID, "the UID \(uid) is that of \(owner), too; both are kept", line: contact.line)], file, console: &console)
      } else {
        owners[uidKey(uid)] = place
      }
    }
    try output.write(contact, of: source, file, &console)
  }
  return total.read == 0 ? max(1, console.status) : console.status
}

/// What equal UIDs have in common: letter case and `urn:uuid:` make no difference.
func uidKey(_ uid: String) -> String {
  let lower = uid.lowercased()
  return lower.hasPrefix("urn:uuid:") ? String(lower.dropFirst(9)) : lower
}
