// `vcard validate`: what is wrong, and where.
import Bytes
import CardSyntax
import Files
import People

func runValidate(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  let options = invocation.options
  if options.listsRules {
    try Main.print(Rule.all.map { "\($0.id)\t\($0.severity.name)\t\($0.summary)\n" }.joined())
    return 0
  }
  try options.checkRules(known: Rule.all.map(\.id))
  let version = options.checkedVersion?.format.version
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

extension VerbRow {
  /// What the command says of `validate`.
  static let validate = VerbRow(
    verb: .validate, summary: "report what is wrong, and where", operands: .inputs,
    paragraphs: [
      """
      Every rule of the version that a card declares is checked: which properties there are and how often they may come, what their \
      values look like, which parameters they have and with what values, the words of TYPE, folding, line ends, character set, base64; \
      cards inside cards as well. Findings go to stdout, one a line: path:line: severity: what is wrong; what a reader makes of it \
      [rule-id]
      """,
      """
      What a person must look at is an error, what can be mended without doubt a warning, what many programs write and all read an \
      info; line ends are told once a file. --error and --ignore change that rule by rule, --error warnings for all; \
      'vcard validate --rules' lists the rules. --as checks against another version than the card's own.
      """,
      inputs,
    ],
    examples: [
      Example("vcard validate contacts.vcf", "all findings of a file"),
      Example("vcard validate --report json book/ | jq -r .rule | sort | uniq -c", "which findings come how often"),
      Example("vcard validate --as vcard4 --error warnings contacts.vcf", "every word of the standard"),
    ],
    exitStatus: "0 no error was found; 1 an error was found or no contact came in; 2 not done; 130 interrupted.")
}
