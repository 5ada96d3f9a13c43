// The manual page in roff, made from the same tables as the help screens.

/// `vcard help --man`.
enum ManualPage {
  /// The page's source, for `man` or `groff -man`.
  static func text() -> String {
    var page = """
      .TH VCARD 1 "" "vcard \(HelpScreens.version)" "User Commands"
      .SH NAME
      vcard \\- read, check and convert address books: vCard, JSON
      .SH SYNOPSIS
      .B vcard
      .I verb
      .RI [ options ]
      .RI [ file " | " folder " | \\-]..."
      .SH DESCRIPTION

      """
    page += paragraph("Standard output carries data only; everything else goes to standard error. A file is replaced whole or not at all.")
    page += ".SH VERBS\n"
    for row in VerbRow.all {
      page += ".SS \(row.verb.rawValue)\n" + paragraph("Usage: " + row.usage)
      page += ".PP\n" + paragraph(row.summary.prefix(1).uppercased() + row.summary.dropFirst() + ".")
      for text in row.paragraphs { page += ".PP\n" + paragraph(text) }
      for option in OptionRow.rows(of: row.verb, shared: false) { page += entry(option) }
      page += ".PP\n" + paragraph("Exit status: " + row.exitStatus)
    }
    page += ".SH SHARED OPTIONS\n"
    for option in OptionRow.all where option.isShared { page += entry(option) }
    page += ".SH FORMATS\n"
    for row in FormatRow.all { page += ".TP\n.B \(escaped(row.name.rawValue))\n" + paragraph("\(row.summary) (\(row.directions))") }
    page += ".SH EXIT STATUS\n"
    for line in HelpTopic.statuses { page += ".TP\n.B \(line.status)\n" + paragraph(line.meaning) }
    page += ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\n" + paragraph("If set, messages have no colors unless --color always is given.")
    page += ".TP\n.B TMPDIR\n" + paragraph("Where input from a pipe is kept that must be read twice, and rows that wait.")
    page += ".SH EXAMPLES\n"
    for row in VerbRow.all {
      for example in row.examples { page += ".TP\n.B \(escaped(example.command))\n" + paragraph(example.purpose) }
    }
    return page
  }

  private static func entry(_ option: OptionRow) -> String {
    let names = option.short.map { "\\-\($0), " } ?? ""
    let value = option.value.placeholder.map { " \\fI\(escaped($0))\\fR" } ?? ""
    return ".TP\n\\fB\(names)\(escaped(option.id.spelling))\\fR\(value)\n" + paragraph(option.help)
  }

  private static func paragraph(_ text: String) -> String {
    let text = escaped(text)
    return (text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "") + text + "\n"
  }

  private static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      default: result.append(character)
      }
    }
    return result
  }
}
