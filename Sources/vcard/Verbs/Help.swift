// The verbs `help` and `completions`: what the tables say, on stdout.

/// `vcard help [verb | topic]`, `vcard help --man`.
func runHelp(_ invocation: Invocation, sources: HelpSources) throws(StreamError) -> Int32 {
  let word = invocation.operands.first?.text ?? ""
  if invocation.options.wantsManual {
    try Main.print(ManualPage.text())
  } else if let topic = HelpTopic(rawValue: word) {
    try Main.print(topic.text(sources))
  } else if let verb = Verb(rawValue: word) {
    try Main.print(HelpScreens.screen(verb))
  } else {
    try Main.print(HelpScreens.overview())
  }
  return 0
}

/// `vcard completions SHELL`; the parser has seen to it that the shell is a known one.
func runCompletions(_ invocation: Invocation) throws(StreamError) -> Int32 {
  guard let shell = CompletionScript.Shell(rawValue: invocation.operands.first?.text ?? "") else { return 2 }
  try Main.print(CompletionScript.text(shell))
  return 0
}
