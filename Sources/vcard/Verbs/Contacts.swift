// What the verbs share: reading the contacts of the named files, telling what was found.
import Bytes
import CardSyntax
import Files
import People

let helpSources = HelpSources(
  rules: { Rule.all.map { "\($0.id) (\($0.severity.name))\n    \($0.summary)\n" }.joined() }, limits: { Limits.help + "\n" })

/// Reading contacts from the files of an invocation.
enum Contacts {
  /// Telephone numbers as they are dialled in `--region`.
  static func numbering(_ options: Options) throws(UsageError) -> PhoneNumbering {
    if let numbering = PhoneNumbering(region: options.region) { return numbering }
    throw UsageError("--region: no country is called '\(options.region ?? "")'; it takes two letters of ISO 3166, such as GB or US")
  }

  /// The extension for files of a format.
  static func fileExtension(of format: ContactFormat) -> String {
    format.fileExtensions.first ?? (format.isTable ? "csv" : "json")
  }

  /// The format to write: `--to`, else that of the output's name, else vCard; a profile names the version.
  static func outputFormat(_ options: Options, named: FormatName?) throws(UsageError) -> FormatName {
    guard let profile = options.profile else { return options.to ?? named ?? .vcard }
    let own: FormatName =
      switch profile.version {
      case .v21: .vcard21
      case .v30: .vcard3
      case .v40: .vcard4
      }
    guard let to = options.to else {
      if let named, !named.isCard { throw UsageError("--for \(profile.reader.rawValue) writes vCards, not \(named.rawValue)") }
      return own
    }
    if profile.reader == .strict ? to.isCard : to.format == own.format { return to }
    throw UsageError("--for \(profile.reader.rawValue) writes \(own.rawValue), not \(to.rawValue)")
  }

  /// The format of an input: `--from`, else the extension, else the first bytes.
  static func inputFormat(_ file: InputFile, _ options: Options, first: Span<UInt8>) -> ContactFormat {
    if let from = options.from { return from.format }
    return ContactFormat(fileExtension: file.path.fileExtension, first: first)
  }

  /// Reads every contact of a file, one after the other; `body` gets each with its source. Findings are reported on the way.
  ///
  /// `first` has been read already. With `keepsText`, `between` is called before each contact and at the end, when the source has the
  /// text that stands before them.
  static func read(
    _ file: InputFile, _ input: inout InputStream, _ invocation: Invocation, console: inout Console, reports: Bool = true,
    first: [UInt8] = [], keepsText: Bool = false, tellsCardFindings: Bool = true,
    between: (inout ContactSource) throws -> Void = { _ in },
    _ body: (Contact, borrowing ContactSource, inout Console) throws -> Void
  ) throws -> Int {
    if let name = invocation.options.encoding, !CardParser.knows(encoding: name) {
      throw UsageError("unknown character encoding \(name)")
    }
    let map = try invocation.options.map.map { text throws in try columnMap(text) }
    var source: ContactSource?
    var count = 0
    var total = 0
    var isLast = false
    var first = first
    while !isLast {
      let size = try input.withNextChunk(after: &first) { (bytes: Span<UInt8>) in
        if source == nil {
          source = ContactSource(
            inputFormat(file, invocation.options, first: bytes), encoding: invocation.options.encoding,
            keepsTextBetween: keepsText, map: map)
          source?.tellsCardFindings = tellsCardFindings
        }
        source?.feed(bytes)
        return bytes.count
      }
      total += size ?? 0
      if size == nil {
        isLast = true
        if source == nil {
          source = ContactSource(inputFormat(file, invocation.options, first: [UInt8]().span))
        }
        source?.finish()
      }
      guard var reading = source.take() else { break }
      while let contact = reading.next() {
        if reports { tell(reading.takeFindings(), file, console: &console) }
        if console.mustStop { throw RunStopped() }
        count += 1
        try between(&reading)
        try body(contact, reading, &console)
        // What nobody wants is not kept.
        _ = reading.takeFindings()
      }
      try between(&reading)
      let findings = reading.takeFindings()
      if reports { tell(findings, file, console: &console) }
      if console.mustStop { throw RunStopped() }
      source = consume reading
      console.progress(file.path, contacts: count, bytes: total)
    }
    return count
  }

  /// The columns that `--map` says: in the file of that name, else in the text itself.
  private static func columnMap(_ text: String) throws -> ColumnMap {
    let path = FilePath(bytes: Array(text.utf8))
    var map = text
    if let status = try? FileSystem.status(path), !status.isFolder {
      var stream = try InputStream(path)
      var bytes = ByteBuffer()
      while bytes.count < 1 << 20, try stream.read(into: &bytes) {}
      map = bytes.text()
    }
    do { return try ColumnMap(map) } catch { throw UsageError("--map: \(error.message)") }
  }

  /// Reports findings of the library.
  static func tell(_ findings: [Diagnostic], _ file: InputFile, console: inout Console) {
    for finding in findings {
      console.report(
        Finding(
          file: file.path.text, line: finding.line, severity: severity(finding.severity), rule: finding.rule.id, message: finding.message,
          property: finding.property, contact: finding.contact, name: finding.contactName, leavesOut: finding.leftOut))
    }
  }

  private static func severity(_ severity: Severity) -> Finding.Severity {
    switch severity {
    case .info: .info
    case .warning: .warning
    case .error: .error
    }
  }
}
