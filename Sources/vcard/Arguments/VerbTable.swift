// The verbs, each declared once: what it does, how it is called, what its help says.

/// A verb of the command.
enum Verb: String, CaseIterable, Sendable {
  case convert
  case extract
  case filter
  case validate
  case normalize
  case edit
  case split
  case join
  case dedupe
  case diff
  case photos
  case stats
  case fields
  case completions
  case help

  /// What the table says about it.
  var row: VerbRow { VerbRow.all.first { $0.verb == self } ?? VerbRow.all[0] }
}

/// What may stand beside a verb's options.
enum VerbOperands: Sendable {
  /// Files, folders, `-`.
  case inputs
  case none
  /// Exactly two files, folders, or `-`.
  case two(String, String)
  /// Exactly one of the words.
  case word(String, [String])
  /// At most one of the words.
  case topic(String, [String])

  /// What the usage line shows.
  var usage: String {
    switch self {
    case .inputs: "[file | folder | -]..."
    case .none: ""
    case .two(let first, let second): "\(first) \(second)"
    case .word(let name, _): name
    case .topic(let name, _): "[\(name)]"
    }
  }

  /// The words that completions offer.
  var words: [String] {
    switch self {
    case .word(_, let words), .topic(_, let words): words
    default: []
    }
  }
}

/// A command line to try, and what it is good for.
struct Example: Sendable {
  let command: String
  let purpose: String

  init(_ command: String, _ purpose: String) { (self.command, self.purpose) = (command, purpose) }
}

/// One verb: summary for lists, paragraphs for its own help.
struct VerbRow: Sendable {
  let verb: Verb
  let summary: String
  let operands: VerbOperands
  /// What `--to` may name; empty where the verb has no such option.
  var outputs: [FormatName] = []
  let paragraphs: [String]
  let examples: [Example]
  let exitStatus: String

  private static let inputs = """
    Operands are files; folders, which stand for every *.vcf and *.vcard below them (with --from: that format's extensions; hidden \
    ones and links to folders are passed over); and - for stdin, which is also read when nothing is named.
    """

  /// The formats that verbs write which pass contacts on.
  private static let contactFormats: [FormatName] = [.vcard, .vcard4, .vcard3, .vcard21, .json, .jsonl, .jcard, .jscontact, .xcard, .csv, .tsv]

  private static let copies = """
    Contacts stay in the format of their input, and cards are copied byte for byte, unless --to, --fold or the extension of -o asks \
    for another form.
    """

  /// All verbs, in the order in which help lists them.
  static let all: [VerbRow] = [
    VerbRow(
      verb: .convert, summary: "write contacts in another format or version", operands: .inputs,
      outputs: [
        .vcard, .vcard4, .vcard3, .vcard21, .json, .jsonl, .jcard, .jscontact, .xcard, .csv, .tsv, .csvLong, .googleCSV, .outlookCSV,
        .thunderbirdCSV, .ldif,
      ],
      paragraphs: [
        """
        Several inputs become one output, or, with -o FOLDER/, one output file per input. The input's format is told by --from, else \
        by the file's extension, else by its first bytes; the output's by --to, else by the extension of -o, else it is vcard.
        """,
        """
        What is written is right for its version: what was wrong is put right, what the format cannot hold is kept in another form or \
        left out, and stderr says which. Photos are written inline, left out with --photos omit, or, with --photos DIR, written as \
        files of that folder, to which relative references lead; in CSV they are left out unless --photos says otherwise.
        """,
        """
        The columns of CSV are paths (see 'vcard help paths'): all that some contact needs, so that nothing is lost on the way back, or \
        those that --columns names.
        """,
        """
        CSV is read in any dialect: the header row tells whether it is our own, Google's, Outlook's, Thunderbird's or another program's; --map \
        says what unknown columns hold. google-csv, outlook-csv, thunderbird-csv and ldif are written for these programs: what has no \
        column goes to a field of one's own or to the notes, or is reported.
        """,
        inputs,
        """
        Contacts flow one at a time, whatever the input's size. CSV without --columns, google-csv and outlook-csv read their input \
        twice, a pipe by way of a temporary file.
        """,
      ],
      examples: [
        Example("vcard convert contacts.vcf -o contacts.json", "vCard to JSON"),
        Example("vcard convert contacts.vcf -o contacts.csv", "vCard to CSV, for a spreadsheet; and back with: vcard convert contacts.csv"),
        Example("vcard convert export.csv -o contacts.vcf", "what Outlook or Google exported to vCard"),
        Example("vcard convert -t jsonl < contacts.vcf > contacts.jsonl", "vCard to JSON, one object a line"),
        Example("vcard convert -t vcard3 -i --backup .old book/", "a folder of vCards to version 3.0, old files kept"),
      ],
      exitStatus: "0 done; 1 done, but an error was found, a value was left out or no contact came in; 2 not done; 130 interrupted."),
    VerbRow(
      verb: .extract, summary: "print chosen fields, one contact a line", operands: .inputs,
      outputs: [.csv, .tsv, .json, .jsonl, .table],
      paragraphs: [
        """
        By default these are the full name, the first e-mail and the first phone: a table on a terminal, tab-separated lines in a pipe \
        or file, in which a tab or line break of a value becomes a space. --to chooses csv, tsv, json, jsonl or table.
        """,
        """
        A contact without a value has an empty cell; --require leaves such contacts out. 'vcard help paths' says how parts of a \
        contact are named, 'vcard fields' which there are.
        """,
        inputs,
      ],
      examples: [
        Example("vcard extract contacts.vcf", "names, e-mails and phones"),
        Example("vcard extract -F fullName,emails.work --require emails.work contacts.vcf", "who has a work address, and which"),
        Example("vcard extract -F birthday,fullName --no-header book/ | sort", "a list of birthdays"),
      ],
      exitStatus: "0 done; 1 done, but an error was found or no contact came out; 2 not done; 130 interrupted."),
    VerbRow(
      verb: .filter, summary: "keep the contacts that match", operands: .inputs, outputs: contactFormats,
      paragraphs: [
        """
        --has, --lacks and --where say what a contact must be like; all conditions must hold, with --any one is enough, and --not \
        keeps the contacts that do not match. 'vcard help paths' says how parts of a contact are named.
        """,
        """
        --where takes PATH=GLOB, PATH!=GLOB, PATH~REGEX, PATH!~REGEX, and PATH<DATE, PATH<=DATE, PATH>DATE, PATH>=DATE. A glob (*, ?, [a-z]) \
        is compared with the whole value, a regular expression is found anywhere in it; letter case counts, unless a regular \
        expression begins with (?i). Where a path names several values, one that matches is enough; != and !~ hold where none does. \
        Dates compare by the parts that DATE has: birthday<1980, birthday>=--06-01.
        """,
        copies,
        inputs,
        """
        Contacts flow one at a time, whatever the input's size. With -i, a file whose contacts all match is left alone.
        """,
      ],
      examples: [
        Example("vcard filter --has email --lacks phones.mobile contacts.vcf", "who has an e-mail address but no mobile phone"),
        Example("vcard filter --where 'emails=*@example.com' -o work.vcf contacts.vcf", "everybody at example.com"),
        Example("vcard filter --not --where 'categories=Old' -i --backup .old book/", "take a category out of a folder of vCards"),
      ],
      exitStatus: "0 done; 1 done, but an error was found or nobody matched; 2 not done; 130 interrupted."),
    VerbRow(
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
      exitStatus: "0 no error was found; 1 an error was found or no contact came in; 2 not done; 130 interrupted."),
    VerbRow(
      verb: .normalize, summary: "write contacts in their normal form; whole folders at once", operands: .inputs,
      outputs: [.vcard, .vcard4, .vcard3, .vcard21],
      paragraphs: [
        """
        What is wrong is put right, and what may be written in several ways is written in one: numbers in E.164, labels and properties \
        by their usual names, equal values once, no empty ones, all in one order. Doing it twice gives the same bytes as once. \
        'vcard normalize --steps' lists the steps.
        """,
        """
        Each card keeps its version, so that who could read it still can; 2.1 becomes 3.0, and --to gives all cards one version. \
        National telephone numbers are left alone without --region, since nothing is guessed.
        """,
        """
        -o names a file; with a folder there is one output per input, and the tree below each folder that is named is mirrored. -i \
        replaces the inputs. The last line on stderr says how many contacts were read, changed and left out as empty.
        """,
        inputs,
        """
        Contacts flow one at a time, whatever the input's size; '--with groups' reads the inputs twice and keeps who belongs to which group.
        """,
      ],
      examples: [
        Example("vcard normalize contacts.vcf -o clean.vcf", "one file"),
        Example("vcard normalize --region GB book/ -o clean/", "a folder, with British telephone numbers"),
        Example("vcard normalize -i --backup .old --only phones --region US contacts.vcf", "the numbers alone, in place"),
      ],
      exitStatus: "0 done; 1 done, but an error was found or no contact came in; 2 not done; 130 interrupted."),
    VerbRow(
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
        Only the lines of what is changed are written anew, all else is copied byte for byte, the text between cards, too. With -i, a \
        file in which nothing changes is left alone. --has, --lacks and --where choose the contacts, as for 'vcard help filter'.
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
      exitStatus: "0 done; 1 done, but an error was found or no contact came in; 2 not done; 130 interrupted."),
    VerbRow(
      verb: .split, summary: "write one file per contact, per category or per N contacts", operands: .inputs, outputs: contactFormats,
      paragraphs: [
        """
        -o names the folder, which is made where it is missing. Each file is named after its contact's full name, made safe: no \
        separators, no leading dot, no name that a system keeps for itself, at most \(FileNames.limit) bytes, and none twice, letter case apart \
        (the second Mira Okafor is "Mira Okafor-2.vcf"). Nothing is written outside the folder.
        """,
        """
        --by puts contacts together: by category (a contact stands in the file of each of its categories), by organization, or by \
        the first letter of the family name. --count N makes files of N contacts.
        """,
        copies,
        inputs,
        """
        Contacts flow one at a time, whatever the input's size; only the names of the files are kept. With --by, the contacts are \
        gathered in a temporary file first.
        """,
      ],
      examples: [
        Example("vcard split contacts.vcf -o contacts/", "one file per contact"),
        Example("vcard split --by categories contacts.vcf -o groups/", "one file per category"),
        Example("vcard split --count 500 contacts.vcf -o parts/", "files that a picky importer takes"),
      ],
      exitStatus: "0 done; 1 done, but an error was found or no contact came in; 2 not done; 130 interrupted."),
    VerbRow(
      verb: .join, summary: "write the contacts of many files as one", operands: .inputs, outputs: contactFormats,
      paragraphs: [
        """
        A UID that comes again is reported and kept.
        """,
        copies,
        inputs,
        """
        Contacts flow one at a time; only their UIDs are kept in memory.
        """,
      ],
      examples: [
        Example("vcard join contacts/ -o contacts.vcf", "a folder of vCards as one file"),
        Example("vcard join -t vcard4 phone.vcf mail.vcf > all.vcf", "two address books, all cards of version 4.0"),
      ],
      exitStatus: "0 done; 1 done, but an error was found or no contact came in; 2 not done; 130 interrupted."),
    VerbRow(
      verb: .dedupe, summary: "find and merge contacts that are the same person", operands: .inputs,
      outputs: contactFormats,
      paragraphs: [
        """
        Contacts are merged without asking where they are surely one person: the same UID; or the same e-mail or phone together with a \
        name that fits; or all values equal apart from UID, REV, PRODID and order. Names fit whatever their letter case, accents, \
        punctuation and order of family and given name; initials fit the names that they begin, and a middle name may be missing on one \
        side; Jr. or II may not. In a group every two contacts fit each other.
        """,
        """
        A shared e-mail or phone with another name, or the same name alone, makes a candidate, which is only listed. Contacts are \
        numbered from 0 over all inputs; --merge merges those that you name, and no others.
        """,
        """
        The merged contact stands where its first one stood and has its version. It keeps every value of all: equal ones become one, \
        written as the first has it, with the labels of all; parts that are missing are filled; further values of a field that has room \
        for one are kept as X-OTHER- lines, and stderr says which. Members of groups and related contacts are renamed with the UID. \
        Contacts that are not merged are copied byte for byte unless --to or --fold asks for more.
        """,
        """
        The plan says which contacts are merged, and why. It goes to stderr, with --dry-run to stdout, and is one JSON object with \
        --report json: {"groups": [[0, 3]], "reasons": ["email"], "candidates": [[1, 2]], "candidateReasons": ["phone"]}.
        """,
        inputs,
        """
        The inputs are read up to three times (a pipe goes through a temporary file). In memory are the keys of all contacts, and the \
        people that are merged.
        """,
      ],
      examples: [
        Example("vcard dedupe -n phone.vcf mail.vcf", "what would be merged, and why"),
        Example("vcard dedupe phone.vcf mail.vcf -o all.vcf", "two address books made one"),
        Example("vcard dedupe --region GB --merge 4,17 book.vcf -o clean.vcf", "merge two contacts of your choice"),
      ],
      exitStatus: "0 done; 1 done, but an error was found or no contact came in; 2 not done; 130 interrupted."),
    VerbRow(
      verb: .diff, summary: "what differs between two address books, contact by contact", operands: .two("LEFT", "RIGHT"),
      paragraphs: [
        """
        LEFT and RIGHT are each a file, a folder, or - for stdin. Contacts are paired as dedupe finds them: by UID, by an e-mail or phone \
        and a fitting name, or because they are equal. Each contact that differs is printed with the values that only one side has: \
        - marks what is on the left alone, + what is on the right alone.
        """,
        """
        REV, PRODID, folding, the order of lines, the spelling of labels and the version make no difference.
        """,
        """
        Both sides are read twice (a pipe goes through a temporary file). In memory are the keys of all contacts, and those that differ.
        """,
      ],
      examples: [
        Example("vcard diff old.vcf new.vcf", "what has changed"),
        Example("vcard diff --report json old.vcf new.vcf | jq -r .name", "whose contacts have changed"),
      ],
      exitStatus: "0 no difference; 1 differences, an error was found, or no contact came in; 2 not done; 130 interrupted."),
    VerbRow(
      verb: .photos, summary: "write the pictures as files, or attach pictures from files", operands: .inputs, outputs: contactFormats,
      paragraphs: [
        """
        -o names the folder for the pictures. Each file is named after the contact's full name, made safe as for 'vcard help split', \
        with the extension of what its bytes are; for each a line with path, media type and bytes is printed. A picture that is a \
        reference is reported; nothing is fetched, and no path found in a card is opened.
        """,
        """
        --attach DIR, --strip and --max-bytes write the contacts instead, to -o or in place. --attach sets the photo of each contact \
        for which DIR has a file named by its UID (with or without urn:uuid:) or by its full name, made safe; --strip takes all \
        pictures off, --max-bytes those that are larger. All other lines are copied byte for byte.
        """,
        inputs,
        """
        Contacts flow one at a time, whatever the input's size; only the names of the files are kept.
        """,
      ],
      examples: [
        Example("vcard photos contacts.vcf -o pictures/", "the pictures as files"),
        Example("vcard photos --attach pictures/ -i --backup .old contacts.vcf", "pictures from files into the contacts"),
        Example("vcard photos --max-bytes 200000 contacts.vcf > small.vcf", "large pictures off"),
      ],
      exitStatus: "0 done; 1 done, but an error was found or no contact came in; 2 not done; 130 interrupted."),
    VerbRow(
      verb: .stats, summary: "what an address book holds, and what is wrong with it", operands: .inputs,
      paragraphs: [
        """
        Counted are the contacts, the versions they declare, their producers (PRODID), in how many contacts each field has a value, and \
        how often each rule of 'vcard validate' finds something. On a terminal bars show the shares; --report json prints one object.
        """,
        inputs,
        """
        Contacts flow one at a time, whatever the input's size.
        """,
      ],
      examples: [
        Example("vcard stats contacts.vcf", "the numbers"),
        Example("vcard stats --report json book/ | jq .fields.emails", "one of them"),
      ],
      exitStatus: "0 done; 1 done, but an error was found or no contact came in; 2 not done; 130 interrupted."),
    VerbRow(
      verb: .fields, summary: "list every field: path, vCard property, versions, what it holds", operands: .none,
      paragraphs: ["These are the names that paths begin with (see 'vcard help paths') and the members of the JSON record."],
      examples: [
        Example("vcard fields", "all fields"),
        Example("vcard fields --report json", "the same, one JSON object a line"),
      ],
      exitStatus: "0 done; 2 not done."),
    VerbRow(
      verb: .completions, summary: "print shell completions", operands: .word("SHELL", CompletionScript.Shell.allCases.map(\.rawValue)),
      paragraphs: ["SHELL is bash, zsh or fish. The script completes verbs, options, their values and file names."],
      examples: [
        Example("vcard completions bash > ~/.local/share/bash-completion/completions/vcard", "for bash"),
        Example("vcard completions zsh > ~/.zfunc/_vcard", "for zsh, where ~/.zfunc is in fpath"),
        Example("vcard completions fish > ~/.config/fish/completions/vcard.fish", "for fish"),
      ],
      exitStatus: "0 done; 2 not done."),
    VerbRow(
      verb: .help, summary: "help for a verb or a topic; --man prints the manual page",
      operands: .topic("verb | topic", Verb.allCases.map(\.rawValue) + HelpTopic.allCases.map(\.rawValue)),
      paragraphs: ["Topics are \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", "))."],
      examples: [
        Example("vcard help extract", "what a verb does"),
        Example("vcard help paths", "how parts of a contact are named"),
        Example("vcard help --man | man -l -", "the manual page"),
      ],
      exitStatus: "0 done; 2 not done."),
  ]

  /// The line after "Usage:".
  var usage: String {
    let options = verb == .help ? "[--man]" : "[options]"
    return ["vcard", verb.rawValue, options, operands.usage].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
