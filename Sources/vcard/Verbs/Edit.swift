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
      try output.write(edited, file, &console)
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
