// The help on topics: how parts of a contact are named, the formats, the exit status; rules and limits come from the library.
import People

/// The texts that only the library knows. Closures, so that they cost nothing unless somebody asks.
struct HelpSources: Sendable {
  /// All rules with one sentence each.
  let rules: @Sendable () -> String
  /// All limits.
  let limits: @Sendable () -> String
}

/// A topic of `vcard help`.
enum HelpTopic: String, CaseIterable, Sendable {
  case paths, formats
  case exitStatus = "exit-status"
  case rules, limits

  /// The topic's text, with a line break at its end.
  func text(_ sources: HelpSources) -> String {
    switch self {
    case .paths: Self.pathsText
    case .formats: Self.formatsText
    case .exitStatus: Self.exitStatusText
    case .rules: sources.rules()
    case .limits: sources.limits()
    }
  }

  private static let pathsText = """
    Paths name a part of a contact: field[.label...][.number][.component]

      fullName               the full name
      email                  the preferred e-mail, else the first
      emails                 all e-mails, joined by "; "
      emails.2               the second e-mail (numbers count from 1)
      emails.work            the e-mails labelled "work"
      phones.mobile.1        the first phone labelled "mobile"
      name.family            a component of the name
      addresses.home.1.city  a component of the first address labelled "home"
      organization.units     the units of the preferred organization
      photo.mediaType        what kind of picture the photo is
      birthday.year          a part of a date

    The plural names all values, the singular the preferred one, else the first.
    Labels compare without regard to letter case; "cell" is read as "mobile". A
    custom label with spaces or dots is quoted: phones."boat house".
    unclaimed.X-FOO names a line that no field claims.

    'vcard fields' lists the fields. The same paths serve 'extract --fields',
    the conditions of 'filter' and the changes of 'edit'.

    """

  private static var formatsText: String {
    var text = "Formats, as --from and --to name them:\n\n"
    for row in FormatRow.all {
      let extensions = row.extensions.map { "." + $0 }.joined(separator: " ")
      text += "  " + padded(row.name.rawValue, 16) + padded(row.directions, 9) + padded(extensions, 15) + row.summary + "\n"
    }
    text += "\nProfiles, as --for names them:\n\n"
    for profile in WriterProfile.all { text += "  " + padded(profile.reader.rawValue, 10) + profile.summary + "\n" }
    return text + """

      The input's format is told by --from, else by the file's extension, else, as for
      every .json, by the first bytes. The output's is told by --to, else by the
      extension of --output (.vcf is 4.0, .json the record), else by the verb.
      A .json is the record, a jCard or JSContact, as its first bytes say.

      '--from vcard' means any version of vCard: each card says its own; one without
      VERSION is read by its looks, else as 3.0.
      Input may be UTF-8, UTF-16 or a code page (--encoding).

      '--from csv' means any dialect, told by the header row: our own (paths), Google
      Contacts, Outlook in all its versions and many languages, Windows Live Mail,
      Thunderbird, Yahoo, LinkedIn, Roundcube. The delimiter, the code page and the
      order of dates are told by the text itself.
      Any other header is guessed by likely names; the guess is said on stderr. --map
      says it for sure, in a file or as text: --map 'Full name=fullName,Fon=phone'.
      The path - leaves a column out; numbers name the columns of a file without a
      header: --map '1=fullName,2=email'.

      """
  }

  /// The lines of `vcard help exit-status` and of the manual page.
  static let statuses: [(status: String, meaning: String)] = [
    ("0", "done, nothing to report"),
    (
      "1",
      "done, but: an error was found (for validate this is the answer); something was left out that nobody asked to leave out; "
        + "filter or extract matched nobody; diff found differences; no contact came in"
    ),
    ("2", "not done: wrong usage, a file cannot be read or written, or --strict stopped"),
    ("130", "interrupted"),
  ]

  private static var exitStatusText: String {
    var text = "Exit status:\n\n"
    for line in statuses {
      text += "  " + padded(line.status, 5) + HelpScreens.wrapped(line.meaning, indent: 7).dropFirst(7)
    }
    return text + "\nA reader that closes the pipe early, such as head, ends the run with status 0.\n"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
