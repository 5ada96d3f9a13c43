// Is a line right for a version? What a validator reports, and what tells a converter which lines it may copy.

internal import CardSyntax
internal import Bytes

enum LineCheck {
  /// Parameters that 4.0 has and older versions do not know.
  private static let since40 = ParameterSet(
    .pref, .altID, .pid, .propID, .calscale, .index, .level, .author, .authorName, .created, .derived, .phonetic, .script, .jsComps, .jsPtr)

  /// What was found out about heads.
  struct Memo: ~Copyable {
    fileprivate var verdicts = HeadMemo<Verdict>()
    fileprivate var findings = HeadMemo<Findings>()
  }

  /// What is known of all lines with one head.
  fileprivate struct Verdict: BitwiseCopyable {
    /// Nothing is wrong with the head.
    var isRight: Bool
    /// Its LABEL, whose text is no part of what a head is known by, has to be looked at.
    var hasLabel: Bool
    var values: PlainValues
  }

  /// Reports what is wrong with a line if it were one of `version`. Names and places of lines are looked at for validators alone.
  static func check(
    _ line: Int, _ card: borrowing CardView, in version: CardVersion, _ memo: inout Memo, _ findings: inout Findings
  ) {
    let asker: Asker = findings.isValidating ? .validator : findings.isQuick ? .writer : .report
    let context = context(line, card, in: version, asker: asker)
    let isMended = card.lines[line].flags.hasAny(of: .mended)
    let known = isMended ? nil : memo.verdicts.value(of: line, card, context)
    let verdict = known ?? judge(line, card, in: version, context, &memo, findings)
    if !verdict.isRight {
      if findings.isQuick { return findings.add(.parameter, "") }
      let told = isMended ? nil : memo.findings.value(of: line, card, context)
      findings.add(told ?? headFindings(line, card, in: version, findings))
    }
    if verdict.hasLabel {
      for i in card.parameterRange(line) where card.parameters[i].known == .label {
        checkCharacters(card.parameters[i], card, in: version, &findings)
      }
    }
    let (start, end) = card.valueRange(line)
    let answer = verdict.values.answer(card.bytes.span, start, end)
    if answer == .right || answer == .kept { return }
    if answer == .foreign, findings.isQuick { return findings.add(.value, "") }
    checkValue(line, card, in: version, &findings)
  }

  /// Who asks: what wants to tell what is wrong, what wants to know whether something is, and a validator.
  enum Asker: UInt64 { case report, writer, validator }

  /// Is a line right for a version? Told by what is known of its head and a glance at its value; nil where this does not suffice.
  @inline(__always)
  static func glance(
    _ line: Int, _ card: borrowing CardView, in version: CardVersion, _ memo: borrowing Memo, asker: Asker
  ) -> Bool? {
    guard !card.lines[line].flags.hasAny(of: .mended),
      let verdict = memo.verdicts.value(of: line, card, context(line, card, in: version, asker: asker))
    else { return nil }
    if !verdict.isRight { return false }
    if verdict.hasLabel { return nil }
    let (start, end) = card.valueRange(line)
    switch verdict.values.answer(card.bytes.span, start, end) {
    case .unknown: return nil
    case .right, .kept: return true
    case .foreign: return false
    }
  }

  /// All besides the head that the rules ask for: what the line is to its field, its encoding, both versions, and who asks.
  @inline(__always)
  private static func context(_ line: Int, _ card: borrowing CardView, in version: CardVersion, asker: Asker) -> UInt64 {
    card.headContext(line) | UInt64(card[link: line].role.rawValue) &<< 24
      | UInt64(card.lines[line].flags.rawValue & LineFlags.encoded.rawValue) &<< 32 | UInt64(version.rawValue) &<< 48
      | asker.rawValue &<< 56
  }

  /// What the head of a line tells of all lines that have it. What was mended is told by more than the head, and is not kept.
  private static func judge(
    _ line: Int, _ card: borrowing CardView, in version: CardVersion, _ context: UInt64, _ memo: inout Memo, _ asker: borrowing Findings
  ) -> Verdict {
    let found = headFindings(line, card, in: version, asker)
    let hasLabel = (asker.isValidating || version != card.version) && card.parameterSet(line).has(.label)
    let values = plainValues(line, card, in: version, isValidating: asker.isValidating)
    let verdict = Verdict(isRight: found.isEmpty, hasLabel: hasLabel, values: values)
    guard !card.lines[line].flags.hasAny(of: .mended) else { return verdict }
    memo.verdicts.keep(verdict, for: line, card, context)
    if !verdict.isRight { memo.findings.keep(found, for: line, card, context) }
    return verdict
  }

  private static func headFindings(
    _ line: Int, _ card: borrowing CardView, in version: CardVersion, _ asker: borrowing Findings
  ) -> Findings {
    var found = asker.fresh
    checkHead(line, card, in: version, &found)
    if found.isValidating { LineRules.check(line, card, in: version, &found) }
    return found
  }

  /// What the kind that judges a line says of the values of all lines with its head; of items, where these are asked for, of their texts.
  static func plainValues(
    _ line: Int, _ card: borrowing CardView, in version: CardVersion, isValidating: Bool, ofItems: Bool = false
  ) -> PlainValues {
    let entry = card.lines[line]
    let role = card[link: line].role
    if entry.flags.contains(.base64) || entry.flags.contains(.nestedCard) { return .none }
    if entry.number == FieldNames.item, !ofItems { return .none }
    if entry.number == FieldNames.label { return .text(in: version, from: card.version) }
    // A validator asks the field of a second line, unless the line is empty.
    if isValidating, role == .extra || role == .duplicate, FieldNames.target(entry.number) != nil { return .none }
    let field = Person.fields[field(line, card, isValidating)]
    return field.names.isEmpty ? .uncontrolled : field.kind.plainValues(line, card, in: version, isValidating: isValidating)
  }

  /// Reports what is wrong with the characters of a parameter's value.
  private static func checkCharacters(
    _ entry: ParameterEntry, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings
  ) {
    let span = card.bytes.span
    let (start, end) = (Int(entry.valueStart), Int(entry.valueEnd))
    if !entry.isPlain, (version == .v40) != (card.version == .v40),
      ByteSearch.firstIndex(of: ASCII.caret, in: span, from: start, to: end) < end
    {
      findings.add(.parameterValue, "a caret means something else in \(version.text)")
    }
    if !entry.isPlain, version != .v21, card.version == .v21,
      ByteSearch.firstIndex(of: ASCII.backslash, in: span, from: start, to: end) < end
    {
      findings.add(.parameterValue, "a backslash means something else in \(version.text)")
    }
    guard findings.isValidating else { return }
    for i in start..<end where span[i] < 32 && span[i] != ASCII.tab || span[i] == 127 {
      findings.add(.control, "a control character (\(span[i]))")
    }
  }

  /// Reports what is wrong with how a line is written, and with its parameters.
  private static func checkHead(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let flags = card.lines[line].flags
    if flags.contains(.quotedPrintable), version != .v21 {
      findings.add(.encoding, "quoted-printable is no encoding of \(version.text); decoded")
    }
    // What the parser mended it has reported.
    if flags.contains(.oddParameters), !findings.isValidating { findings.add(.parameterValue, "parameters in no form of the grammar") }
    if flags.contains(.mended), findings.isQuick { findings.add(.encoding, "text in another charset") }
    for i in card.parameterRange(line) { check(card.parameters[i], line, card, in: version, &findings) }
  }

  private static func checkValue(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let entry = card.lines[line]
    let flags = entry.flags
    if entry.number == FieldNames.item, card[link: line].role == .primary { return }
    let field = Person.fields[field(line, card, findings.isValidating)]
    if !field.names.isEmpty {
      field.check(line, card, version, &findings)
    } else {
      let span = card.bytes.span
      let (start, end) = card.valueRange(line)
      for i in start..<end where span[i] < 32 && span[i] != ASCII.tab && !flags.contains(.nestedCard) || span[i] == 127 {
        findings.add(.control, "a control character (\(span[i]))")
      }
      if version == .v40, flags.contains(.base64) { findings.add(.encoding, "4.0 has no ENCODING") }
    }
  }

  /// Is it a word that the parser made of a parameter without a value (`CELL=`)?
  static func isCut(_ entry: ParameterEntry, _ card: borrowing CardView) -> Bool {
    let span = card.bytes.span
    return entry.isBare && Int(entry.valueEnd) < span.count && span[Int(entry.valueEnd)] == ASCII.equals
  }

  /// The field whose kind judges the line. A converter keeps what is no value of a field as it is; a validator judges a second FN, too.
  static func field(_ line: Int, _ card: borrowing CardView, _ isValidating: Bool) -> Int {
    let link = card[link: line]
    if link.role == .primary || link.role == .companion { return Int(link.field) }
    guard isValidating, let target = FieldNames.target(card.lines[line].number), !card.isBlank(line) else { return Person.unclaimedField }
    return Int(target.field)
  }

  private static func check(
    _ entry: ParameterEntry, _ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings
  ) {
    // An encoding without its name is told as an encoding; of `CELL=` the parser has told.
    if entry.isBare && version != .v21, !findings.isValidating || entry.known != .encoding && !isCut(entry, card) {
      findings.add(.parameter, "a bare word, as only 2.1 has it: \(card.value(entry.known, of: line) ?? "")")
    }
    // The text of a LABEL is no part of what a head is known by.
    if entry.known != .label { checkCharacters(entry, card, in: version, &findings) }
    switch entry.known {
    case .charset:
      if version != .v21 {
        // Where it says what is so anyway it does no harm.
        let isHarmless = card.value(.charset, of: line)?.uppercased() == "UTF-8" && !card.lines[line].flags.contains(.mended)
        findings.add(.parameter, "CHARSET is no parameter of \(version.text)", isHarmless ? .info : .warning)
      }
    case .encoding:
      if version == .v40 { findings.add(.parameter, "ENCODING is no parameter of 4.0") }
      if version == .v30, !card.lines[line].flags.contains(.base64) {
        findings.add(.encoding, "3.0 has no encoding but ENCODING=b")
      }
    case .type:
      if !entry.isPlain {
        let span = card.bytes.span
        for i in Int(entry.valueStart)..<Int(entry.valueEnd) where span[i] == ASCII.equals {
          findings.add(.parameterValue, "TYPE has a word with an equals sign")
        }
      }
      if findings.isValidating { return }
      guard version == .v40 else { return checkOldType(entry, line, card, in: version, &findings) }
      let span = card.bytes.span
      let field = Person.fields[Int(card[link: line].field)]
      let kind = field.kind
      if card.version != .v40, !field.names.isEmpty, !LineRules.mayHaveTypes(field) {
        findings.add(.parameterPlace, "TYPE has no place here in 4.0")
      }
      card.forEachRange(entry) { start, end, _ in
        if card.version != .v40, Label.hasPlainWord(type: span.text(start, end)) {
          findings.add(.parameterValue, "4.0 has TYPE=\(span.text(start, end)) without x-")
        }
        if !Label.isAllowed(type: span, start, end, in: version)
          || card.version != .v40 && !field.names.isEmpty && !TypeWord.isKnown40(span, start, end, field.types)
        {
          findings.add(.parameterValue, "TYPE=\(span.text(start, end)) is none of 4.0")
        }
        if kind.claimsTypes, kind.claims(type: span.text(start, end), line, card) {
          findings.add(.parameterValue, "TYPE=\(span.text(start, end)) is a media type, which the value tells in 4.0")
        }
      }
    case .pref:
      if version != .v40 {
        findings.add(.parameter, "PREF is a parameter of 4.0")
      } else {
        if let number = card.number(entry), (1...100).contains(number), !card.hasComma(entry) { return }
        card.forEachValue(entry) { text in
          if !(1...100).contains(Int(text) ?? 0) { findings.add(.parameterValue, "PREF=\(text) is no number from 1 to 100") }
        }
      }
    case .value:
      if version != .v21, card.value(.value, of: line)?.lowercased() == "url" {
        findings.add(.valueType, "VALUE=URL is 2.1's; \(version.text) has VALUE=uri")
      }
      if card.valueType(line) == "unknown" { findings.add(.valueType, "VALUE=unknown says nothing") }
    case .mediaType where version != .v40: findings.add(.parameter, "MEDIATYPE is a parameter of 4.0")
    default:
      let isOfOwn = entry.known == .calscale && Person.fields[Int(card[link: line].field)].isExtension
      if version != .v40 && since40.has(entry.known) && !isOfOwn { findings.add(.parameter, "\(entry.known.name) is a parameter of 4.0") }
      if version == .v40, card.version != .v40, entry.known == .other { checkReturning(entry, card, &findings) }
      if version != .v40, card.version == .v40, entry.known == .other, Annotations.isOldType(entry, card) {
        findings.add(.parameter, "X-TYPE is TYPE in \(version.text)")
      }
    }
  }

  /// `X-ALTID` of a 3.0 card is `ALTID` again in 4.0.
  private static func checkReturning(_ entry: ParameterEntry, _ card: borrowing CardView, _ findings: inout Findings) {
    let name = Annotations.parameterName(entry, card).lowercased()
    if Annotations.returnsTo40(name) { findings.add(.parameter, "\(name.uppercased()) has a name of its own in 4.0") }
  }

  private static func checkOldType(
    _ entry: ParameterEntry, _ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings
  ) {
    guard card.version != version else { return }
    if !entry.isPlain, card.bytes[Int(entry.valueStart)] == ASCII.quote { findings.add(.parameterValue, "TYPE words in quotes") }
    guard card.version == .v40 else { return }
    card.forEachValue(entry) { word in
      let lower = word.lowercased()
      if card.version == .v40, lower.hasPrefix("x-") || lower == "main-number" || Label.isExtension(type: lower) {
        findings.add(.parameterValue, "TYPE=\(word)")
      }
    }
  }
}
