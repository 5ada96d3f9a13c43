// `vcard edit`: values set, added or taken off; everything else stays as it was, byte for byte.
import CardSyntax
import People

func runEdit(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  let options = invocation.options
  if options.edits.isEmpty { throw UsageError("say what to change, with --set, --add or --remove") }
  let edits = try options.edits.map { option, text in try edit(option, text) }
  var chooser = try ContactChooser(options)
  var editor = CardEditor(width: options.foldWidth, encoding: options.encoding)
  let total = try ContactOutputs.run(invocation, keepsText: true, console: &console) { contact, source, file, output, console in
    guard chooser.chooses(contact, of: source) else { return try output.write(contact, of: source, file, &console) }
    switch contact {
    case .card(let batch, let index):
      guard let edited = editor.apply(edits, to: batch, index) else { return try output.write(contact, of: source, file, &console) }
      output.isChanged = true
      try output.write(.card(edited, 0), of: source, file, &console)
    case .record:
      guard let edited = Edit.applied(edits, to: source.record) else { return try output.write(contact, of: source, file, &console) }
      output.isChanged = true
      try output.write(edited.record, file, &console)
    }
  }
  return total.read == 0 ? max(1, console.status) : console.status
}

/// What an option of edit means.
private func edit(_ option: OptionID, _ text: String) throws(UsageError) -> Edit {
  let path = option == .remove ? try FieldPath.named(text) : nil
  do throws(EditError) {
    if let path { return try Edit(remove: path) }
    return try Edit(option == .set ? .set : .add, text)
  } catch {
    throw UsageError("\(option.spelling): \(error.message)")
  }
}

extension VerbRow {
  /// What the command says of `edit`.
  static let edit = VerbRow(
    verb: .edit, summary: "set, add or remove values, in all contacts or in those that match", operands: .inputs, outputs: contactFormats,
    paragraphs: [
      """
      --set changes the value that the path names (of several the preferred one, else the first), or adds it; --add adds a value \
      unless it is there; --remove takes off all that the path names. They may be given several times and are done in their order. \
      'vcard help paths' says how parts of a contact are named; the labels of a path become those of a new value.
      """,
      """
      Dates are written as 1979-04-14, --04-14 or 1979. The parts of a name, an address, an organization or a gender are named one by one \
      (name.given=Mira), or divided by semicolons in the order of vCard (name='Okafor;Mira;;Dr.;').
      """,
      """
      Only the lines of what is changed are written anew, all else is copied byte for byte, the text between cards, too, unless --to, \
      --for or --fold asks for more. With -i, a file in which nothing changes is left alone. --has, --lacks and --where choose the contacts, as for 'vcard help filter'.
      """,
      inputs,
      """
      Contacts flow one at a time, whatever the input's size.
      """,
    ],
    examples: [
      Example("vcard edit --add categories=Choir --where 'emails=*@example.org' -i book/", "a category for everybody at example.org"),
      Example("vcard edit --set phones.work=+12065550100 --where fullName=Mira -i a.vcf", "a new number at work"),
      Example("vcard edit --remove notes --remove photos a.vcf > b.vcf", "take notes and pictures off"),
    ],
    exitStatus: "0 done; 1 done, but an error was found or no contact came in; 2 not done; 130 interrupted.")
}
