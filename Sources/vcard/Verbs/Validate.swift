// `vcard validate`: what is wrong, and where.
import Bytes
import CardSyntax
import People

func runValidate(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  let options = invocation.options
  if options.listsRules {
    try Main.print(Rule.all.map { "\($0.id)\t\($0.severity.name)\t\($0.summary)\n" }.joined())
    return 0
  }
  try options.checkRules(known: Rule.all.map(\.id))
  let version = try options.checkedVersion.map { name throws(UsageError) in try Contacts.format(name) }?.version
  var count = 0
  for file in try Inputs.files(of: invocation) {
    var validator = Validator(against: version)
    var input = try InputStream(file.path)
    count += try Contacts.read(file, &input, invocation, console: &console, tellsCardFindings: false) { contact, source, console in
      guard case .card(let batch, let index) = contact else { return }
      Contacts.tell(validator.validate(batch, index), file, console: &console)
      if console.mustStop { throw RunStopped() }
    }
  }
  return count == 0 ? max(1, console.status) : console.status
}
