// The help screens, made from the tables: the overview, and one screen per verb.

/// Text for people, at most 80 columns wide.
enum HelpScreens {
  /// The version of the command, as `--version` prints it.
  static let version = "0.1.0"

  /// What `vcard` alone and `vcard --help` print.
  static func overview() -> String {
    var text = """
      vcard \(version) - read, check and convert address books: vCard, JSON

      Usage: vcard <verb> [options] [file | folder | -]...

      Verbs:

      """
    for row in VerbRow.all { text += entry(row.verb.rawValue, row.summary, column: 15) }
    text += "\nOptions of most verbs:\n"
    for row in OptionRow.all where row.isShared { text += entry(row.usage, row.help) }
    text += "\nFormats:\n"
    text += wrapped(
      FormatRow.all.map { $0.name.rawValue + ($0.isInput ? $0.isOutput ? "" : " (in)" : " (out)") }
        .joined(separator: ", "), indent: 2)
    text += "\nExamples:\n"
    for verb in [Verb.convert, .extract, .validate] {
      if let first = verb.row.examples.first { text += example(first) }
    }
    text +=
      "\n"
      + wrapped(
        """
        'vcard help VERB' tells more about a verb, 'vcard help TOPIC' about \
        \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")).
        """)
    return text
  }

  /// What `vcard VERB --help` prints.
  static func screen(_ verb: Verb) -> String {
    let row = verb.row
    var text = "vcard \(verb.rawValue) - \(row.summary)\n\nUsage: \(row.usage)\n"
    for paragraph in row.paragraphs { text += "\n" + wrapped(paragraph) }
    for (title, isShared) in [("Options", false), ("Shared options", true)] {
      let options = OptionRow.rows(of: verb, shared: isShared)
      if options.isEmpty { continue }
      text += "\n\(title):\n"
      for option in options {
        text += entry(option.usage, option.help)
        if case .format(let use) = option.value {
          let formats = option.id == .to ? row.outputs : use.formats
          text += wrapped(formats.map(\.rawValue).joined(separator: ", "), indent: optionColumn)
        }
      }
    }
    text += "\nExamples:\n"
    for one in row.examples { text += example(one) }
    text += "\n" + wrapped("Exit status: " + row.exitStatus)
    return text
  }

  private static let width = 80
  private static let optionColumn = 28

  private static func example(_ example: Example) -> String { "  \(example.command)\n      \(example.purpose)\n" }

  /// A name and its explanation in a column of its own; a name too long for its column has its own line.
  private static func entry(_ name: String, _ help: String, column: Int = optionColumn) -> String {
    let body = wrapped(help, indent: column)
    let start = "  " + name
    if start.utf8.count > column - 2 { return start + "\n" + body }
    return start + body.dropFirst(start.utf8.count)
  }

  /// The text in lines of at most 80 columns, each indented.
  static func wrapped(_ text: String, indent: Int = 0) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines = ""
    var line = ""
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines += margin + line + "\n"
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    return line.isEmpty ? lines : lines + margin + line + "\n"
  }
}
