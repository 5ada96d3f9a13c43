// What the standards say of a line's names and parameters: which property may have which, and with what values.
// Validators ask this; converters copy a line whatever its parameters are.

package import CardSyntax
internal import Bytes

package enum LineRules {
  /// Parameters that belong to some properties: those whose kinds name them.
  private static let bound = ParameterSet(
    .sortAs, .label, .geo, .tz, .cc, .level, .calscale, .mediaType, .serviceType, .username)
  /// Parameters of 4.0 that older versions do not have and whose kinds do not say so.
  private static let since40 = ParameterSet(.sortAs, .label, .geo, .tz, .cc, .serviceType, .username)
  /// Parameters that stand once, with one value.
  private static let single = ParameterSet(
    .value, .language, .pref, .altID, .mediaType, .calscale, .geo, .tz, .cc, .index, .level, .author, .authorName, .created, .derived,
    .phonetic, .script, .propID, .serviceType, .username, .encoding, .charset, .jsPtr)

  /// What VALUE may say in 2.1, of any property.
  static let valueTypes21 = ["inline", "url", "content-id", "cid"]

  /// Reports what is wrong with the names, parameters and VALUE of a line.
  package static func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let target = property(line, card, in: version)
    checkNames(line, card, &findings)
    checkKnown(line, card, in: version, &findings)
    if card.parameterRange(line).isEmpty { return }
    checkRepeats(line, card, in: version, &findings)
    for i in card.parameterRange(line) {
      let entry = card.parameters[i]
      checkName(entry, line, card, in: version, &findings)
      if let target, version == .v40 { checkPlace(entry, target, &findings) }
      if let target, version != .v40, since40.has(entry.known), !target.kind.parameters.has(entry.known) {
        findings.add(.parameter, "\(entry.known.name) is a parameter of 4.0")
      }
      checkValue(entry, line, card, in: version, target, &findings)
    }
    if let target {
      checkValueType(line, card, in: version, target, &findings)
      checkTypes(line, card, in: version, target, &findings)
    }
    guard version == .v40 else { return }
    if let phonetic = card.value(.phonetic, of: line) {
      if phonetic.lowercased() == "script", card.parameter(.script, of: line) == nil {
        findings.add(.parameterMissing, "PHONETIC=script needs SCRIPT")
      }
      if card.parameter(.altID, of: line) == nil {
        findings.add(.parameterMissing, "PHONETIC needs ALTID, which names the property that is spoken like this")
      }
    }
  }

  /// The row of a line's property where the version has it by this name; nil for names of one's own and unknown ones.
  static func property(_ line: Int, _ card: borrowing CardView, in version: CardVersion) -> Field? {
    guard let target = FieldNames.target(card.lines[line].number) else { return nil }
    let field = Person.fields[Int(target.field)]
    let name = field.names[Int(target.alias)]
    return isRegistered(name, target.alias, of: field, in: version) && !ValueSyntax.isExtension(name.text) ? field : nil
  }

  /// Is the name the standard's in this version, not another producer's?
  static func isRegistered(_ name: Field.Name, _ alias: UInt8, of field: Field, in version: CardVersion) -> Bool {
    if case .value = name.role, alias > 0, name.versions.isEmpty { return false }
    return (name.versions.isEmpty || name.versions.contains(version)) && field.cardinality(in: version) != .unknown
  }

  // MARK: Names

  private static func checkNames(_ line: Int, _ card: borrowing CardView, _ findings: inout Findings) {
    let entry = card.lines[line]
    let span = card.bytes.span
    func isToken(_ start: UInt32, _ end: UInt32, dots: Bool = false) -> Bool {
      for i in Int(start)..<Int(end) where !ValueSyntax.isTokenByte(span[i]) && !(dots && span[i] == ASCII.dot) { return false }
      return true
    }
    if !isToken(entry.nameStart, entry.nameEnd) {
      // Producers whose names the table has are known to do so.
      let severity: Severity = FieldNames.target(entry.number) != nil ? .info : .warning
      findings.add(.nameSyntax, "a name has only letters, digits and hyphens: \(ValueSyntax.excerpt(card.name(line)))", severity)
    }
    if entry.groupEnd > entry.groupStart, !isToken(entry.groupStart, entry.groupEnd, dots: card.version == .v21) {
      findings.add(.nameSyntax, "a group has only letters, digits and hyphens: \(ValueSyntax.excerpt(card.group(line)))")
    }
    let end = Int(entry.nameEnd)
    if end < span.count, ASCII.isBlank(span[end]) { findings.add(.nameSyntax, "blanks behind the name of the property") }
  }

  /// A property that the version does not have.
  private static func checkKnown(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let number = card.lines[line].number
    let target = FieldNames.target(number)
    if let target {
      let field = Person.fields[Int(target.field)]
      if isRegistered(field.names[Int(target.alias)], target.alias, of: field, in: version) { return }
    }
    let name = card.name(line).uppercased()
    if number == FieldNames.version || number == FieldNames.label || name.hasPrefix("X-") { return }
    if target != nil {
      findings.add(.unknownProperty, "\(name) is no property of \(version.text)")
    } else if !name.hasPrefix("VND-"), ValueSyntax.isToken(name) {
      findings.add(.unknownProperty, "\(name) is no property of vCard, and does not begin with X-; it is kept")
    }
  }

  private static func checkName(
    _ entry: ParameterEntry, _ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings
  ) {
    guard entry.known == .other || entry.known == .waid, !entry.isBare else { return }
    let name = Annotations.parameterName(entry, card)
    if !ValueSyntax.isToken(name) {
      return findings.add(.nameSyntax, "a parameter has only letters, digits and hyphens in its name: \(ValueSyntax.excerpt(name))")
    }
    if !ValueSyntax.isExtension(name) {
      findings.add(.unknownParameter, "\(ValueSyntax.excerpt(name)) is no parameter of \(version.text); it is kept")
    }
  }

  private static func checkRepeats(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let range = card.parameterRange(line)
    var seen = ParameterSet()
    for i in range {
      let known = card.parameters[i].known
      guard single.has(known), !seen.has(known) else { continue }
      seen.formUnion(ParameterSet(known))
      var count = 0
      for k in range where card.parameters[k].known == known { card.forEachValue(card.parameters[k]) { _ in count += 1 } }
      if count > 1 { findings.add(.parameterRepeated, "\(known.name) has \(count) values; the first counts") }
    }
  }

  // MARK: Places

  /// May lines of the field have TYPE in 4.0?
  static func mayHaveTypes(_ field: Field) -> Bool { field.types != .none && !field.cardinality(in: .v40).isSingle }

  private static func checkPlace(_ entry: ParameterEntry, _ field: Field, _ findings: inout Findings) {
    switch entry.known {
    case .pref, .pid, .index:
      guard field.cardinality(in: .v40).isSingle else { return }
      findings.add(.parameterPlace, "\(entry.known.name) has no place on \(field.name(in: .v40)), of which a card has only one")
    case .type:
      guard !mayHaveTypes(field) else { return }
      findings.add(.parameterPlace, "TYPE has no place on \(field.name(in: .v40))")
    case let known where bound.has(known) && !field.kind.parameters.union(field.kind.accepts).has(known):
      findings.add(.parameterPlace, "\(known.name) has no place on \(field.name(in: .v40))")
    default: break
    }
  }

  // MARK: Values

  private static func checkValue(
    _ entry: ParameterEntry, _ line: Int, _ card: borrowing CardView, in version: CardVersion, _ field: Field?, _ findings: inout Findings
  ) {
    if version == .v21, entry.known == .encoding {
      card.forEachValue(entry) { text in
        let isKnown = ["7BIT", "8BIT", "QUOTED-PRINTABLE", "BASE64"].contains(text.uppercased()) || ValueSyntax.isExtension(text)
        if !isKnown {
          findings.add(.encoding, "ENCODING=\(ValueSyntax.excerpt(text)) is none of 2.1, which writes BASE64 or QUOTED-PRINTABLE")
        }
      }
    }
    guard version == .v40 && judged.has(entry.known) || entry.known == .language else { return }
    card.forEachValue(entry) { text in
      guard let wanted = Self.fault(of: text, entry.known, field) else { return }
      findings.add(.parameterValue, "\(entry.known.name)=\(ValueSyntax.excerpt(text)) is no \(wanted.form)", wanted.severity)
    }
  }

  /// The parameters whose values `fault` judges.
  private static let judged = ParameterSet(
    .language, .pid, .mediaType, .calscale, .geo, .author, .authorName, .cc, .index, .level, .created, .derived, .phonetic, .script,
    .propID)

  private static func fault(of text: String, _ known: KnownParameter, _ field: Field?) -> (form: String, severity: Severity)? {
    func unless(_ isRight: Bool, _ form: String, _ severity: Severity = .warning) -> (String, Severity)? {
      isRight ? nil : (form, severity)
    }
    let lower = text.lowercased()
    let isOwn = lower.hasPrefix("x-")
    switch known {
    case .language: return unless(ValueSyntax.isLanguageTag(text), "language tag such as en or pt-BR")
    case .pid:
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      return unless(
        parts.count <= 2 && parts.allSatisfy { ValueSyntax.isNumber($0) && Int($0) != 0 }, "number, or two with a point between")
    case .mediaType: return unless(ValueSyntax.isMediaType(text), "media type such as image/png")
    case .calscale: return unless(lower == "gregorian" || isOwn, "registered calendar", .info)
    case .geo, .author: return unless(ValueSyntax.uriFault(text) == nil, "URI")
    case .authorName: return unless(!text.isEmpty, "name")
    case .cc: return unless(text.utf8.count == 2 && text.utf8.allSatisfy(ASCII.isLetter), "country code of two letters")
    case .index: return unless(ValueSyntax.isNumber(text) && Int(text) != 0, "number from 1 up")
    case .level:
      guard case .ranked(let levels) = (field?.kind as? TextKind)?.syntax else { return nil }
      return unless(levels.contains(lower) || isOwn, "level of \(field?.name(in: .v40) ?? ""): \(levels.joined(separator: ", "))")
    case .created: return unless(DateSyntax.isTimestamp40(text), "point in time such as 20240131T101500Z")
    case .derived: return unless(lower == "true" || lower == "false", "truth value: true or false")
    case .phonetic: return unless(["ipa", "jyut", "piny", "script"].contains(lower) || isOwn, "phonetic system: ipa, jyut, piny or script")
    case .script: return unless(text.utf8.count == 4 && text.utf8.allSatisfy(ASCII.isLetter), "script of four letters, such as Latn")
    case .propID:
      let isRight = (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { ValueSyntax.isTokenByte($0) || $0 == UInt8(ascii: "_") }
      return unless(isRight, "identifier of letters, digits, - and _")
    default: return nil
    }
  }

  /// VALUE names a type that the property has.
  private static func checkValueType(
    _ line: Int, _ card: borrowing CardView, in version: CardVersion, _ field: Field, _ findings: inout Findings
  ) {
    guard let type = card.value(.value, of: line)?.lowercased(), type != "unknown", !type.hasPrefix("x-") else { return }
    let allowed = version == .v21 ? valueTypes21 : field.kind.valueTypes(in: version)
    guard !allowed.contains(type) else { return }
    // Many writers name the type of a date as iCalendar or another version of vCard does.
    let isHabit = field.kind is DateKind && ["date", "date-time", "date-and-or-time", "timestamp"].contains(type)
    findings.add(.valueType, "VALUE=\(type) is no type of \(field.name(in: version)) in \(version.text)", isHabit ? .info : .warning)
  }

  // MARK: TYPE

  private static func checkTypes(
    _ line: Int, _ card: borrowing CardView, in version: CardVersion, _ field: Field, _ findings: inout Findings
  ) {
    var words: [String] = []
    for i in card.parameterRange(line) where card.parameters[i].known == .type && !LineCheck.isCut(card.parameters[i], card) {
      card.forEachValue(card.parameters[i]) { words.append($0) }
    }
    guard !words.isEmpty else { return }
    if version == .v40, !mayHaveTypes(field) { return }
    let property = field.name(in: version)
    if version == .v30, field.types == .general || field.types == .none, !hasTypes30(field) {
      return findings.add(.parameterPlace, "3.0 has no TYPE for \(property)", .info)
    }
    // Samsung's labels are one word with a grammar of their own.
    for word in words where !word.contains("=") && !word.hasSuffix(")") {
      if word.isEmpty {
        findings.add(.parameterValue, "TYPE has an empty word", .info)
        continue
      }
      if field.kind.claims(type: word, line, card), field.kind is MediaKind || version == .v40 {
        let isMedia = field.kind is MediaKind
        let isWrong = version == .v40
        if isWrong {
          findings.add(.typeWord, "TYPE=\(word) is no word of 4.0: \(isMedia ? "MEDIATYPE or a data URI" : "SERVICE-TYPE") says it")
        }
        continue
      }
      switch TypeWord(word, in: version, field.types) {
      case .known: break
      case .elsewhere: findings.add(.typeWord, "TYPE=\(word) is not for \(property)", version == .v40 ? .warning : .info)
      case .unknown where version == .v40 && field.types == .messaging && MessagingService.word(word) != nil:
        findings.add(.typeWord, "TYPE=\(word) names the service, for which 4.0 has SERVICE-TYPE", .info)
      case .unknown where version == .v40 && word.lowercased() == "pref": findings.add(.typeWord, "TYPE=pref is PREF=1 in 4.0")
      case .unknown:
        let advice = version == .v40 ? "; a word of one's own begins with x-" : ""
        findings.add(
          .typeWord, "TYPE=\(ValueSyntax.excerpt(word)) is not registered for \(version.text)\(advice)", version == .v40 ? .warning : .info)
      }
    }
  }

  /// Properties of 3.0 whose TYPE is no matter of telephones, addresses and accounts: media, the identifier, and those of RFC 2739.
  private static func hasTypes30(_ field: Field) -> Bool {
    field.kind is MediaKind || field.kind is IdentifierKind || field.cardinality(in: .v21) == .unknown
  }
}
