// The verbs `help` and `completions`: what the tables say, on stdout.
import Files

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

extension VerbRow {
  /// What the command says of `completions`.
  static let completions = VerbRow(
    verb: .completions, summary: "print shell completions", operands: .word("SHELL", CompletionScript.Shell.allCases.map(\.rawValue)),
    paragraphs: ["SHELL is bash, zsh or fish. The script completes verbs, options, their values and file names."],
    examples: [
      Example("vcard completions bash > ~/.local/share/bash-completion/completions/vcard", "for bash"),
      Example("vcard completions zsh > ~/.zfunc/_vcard", "for zsh, where ~/.zfunc is in fpath"),
      Example("vcard completions fish > ~/.config/fish/completions/vcard.fish", "for fish"),
    ],
    exitStatus: "0 done; 2 not done.")
}

extension VerbRow {
  /// What the command says of `help`.
  static let help = VerbRow(
    verb: .help, summary: "help for a verb or a topic; --man prints the manual page",
    operands: .topic("verb | topic", Verb.allCases.map(\.rawValue) + HelpTopic.allCases.map(\.rawValue)),
    paragraphs: ["Topics are \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", "))."],
    examples: [
      Example("vcard help extract", "what a verb does"),
      Example("vcard help paths", "how parts of a contact are named"),
      Example("vcard help --man | man -l -", "the manual page"),
    ],
    exitStatus: "0 done; 2 not done.")
}
