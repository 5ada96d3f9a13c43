// What is wrong with a card, by the rules of its version (RFC 6350, RFC 2426, vCard 2.1).

package import CardSyntax
internal import Bytes

/// Checks the cards of one input against the rules of the version they declare, or of another.
package struct Validator: ~Copyable {
  private var card = CardView()
  private var memo = LineCheck.Memo()
  private let version: CardVersion?
  private var findings: [Diagnostic] = []
  /// Line ends that were told already, by their names.
  private var toldBreaks: Set<String> = []
  /// How deep the card stands in others (AGENT).
  private var depth = 0

  /// A validator for one input; `version` is the version to check against, nil for each card's own.
  package init(against version: CardVersion? = nil) { self.version = version }

  /// Everything that is wrong with the card at `index`, what the parser found included, in the order of lines.
  package mutating func validate(_ batch: CardBatch, _ index: Int) -> [Diagnostic] {
    card.sort(batch, index)
    findings = Array(batch[index].diagnostics)
    let version = version ?? card.version
    checkPhysicalLines(batch.cards[index], version)
    checkVersion()
    for line in card.range { check(line, version) }
    checkCardinality(version)
    checkNames(version)
    if version == .v40 {
      checkIdentifiers()
      checkMembers()
      checkLanguages()
    }
    if findings.count < 2 { return findings }
    return findings.enumerated().sorted { a, b in
      (a.element.line ?? 0, a.offset) < (b.element.line ?? 0, b.offset)
    }.map { $0.element }
  }

  private mutating func add(_ rule: Rule, _ message: String, at line: Int?, property: String? = nil, _ severity: Severity? = nil) {
    findings.append(
      Diagnostic(
        rule, message, line: line.map { card.physicalLine($0) } ?? card.physicalLine,
        property: property ?? line.map { card.name($0).uppercased() }, contact: card.number, severity: severity))
  }

  // MARK: Lines

  /// Rules of which one finding a line is enough: what breaks one of them is found from several sides.
  private static let onceALine: Set<Rule> = [.control, .encoding, .valueType, .escape, .separator]

  private mutating func check(_ line: Int, _ version: CardVersion) {
    let entry = card.lines[line]
    if entry.flags.contains(.longLine), version != .v21 { add(.lineLength, "longer than 75 octets", at: line) }
    if LineCheck.glance(line, card, in: version, memo, asker: .validator) != true {
      var found = Findings(validating: true)
      LineCheck.check(line, card, in: version, &memo, &found)
      if !found.isEmpty { tell(found, of: line) }
    }
    checkEmpty(line, version)
    checkNested(line, version)
  }

  /// Takes what was found in a line, each fault once.
  private mutating func tell(_ found: Findings, of line: Int) {
    if found.list.count == 1 { return add(found.list[0].rule, found.list[0].message, at: line, found.list[0].severity) }
    let isEncodingTold = found.list.contains { $0.rule == .encoding }
    // What a kind says of its property's place in the version comes last, and says more.
    let lastUnknown = found.list.lastIndex { $0.rule == .unknownProperty }
    var seen = Set<String>()
    for (place, finding) in found.list.enumerated() where finding.rule != .unknownProperty || place == lastUnknown {
      let isNew = seen.insert(Self.onceALine.contains(finding.rule) ? finding.rule.id : finding.rule.id + finding.message).inserted
      let isTold = isEncodingTold && finding.rule == .parameter && finding.message.hasPrefix(KnownParameter.encoding.name)
      if isNew && !isTold { add(finding.rule, finding.message, at: line, finding.severity) }
    }
  }

  /// The fields whose values may be cards.
  private static let agents = FieldSet(Person.fields.indices.filter { Person.fields[$0].kind is AgentKind })

  /// The card inside an AGENT. Its lines are physical lines in 2.1; in 3.0 all of it stands in one line.
  private mutating func checkNested(_ line: Int, _ version: CardVersion) {
    guard version != .v40, let target = FieldNames.target(card.lines[line].number), Self.agents.has(Int(target.field)),
      depth < Limits().nesting, let text = (Person.fields[Int(target.field)].kind as? AgentKind)?.text(line, card)
    else { return }
    let hasOwnLines = card.lines[line].flags.contains(.nestedCard)
    // The examples of RFC 2426 3.5.4 have neither VERSION nor N.
    let mayBeShort: [Rule] = hasOwnLines ? [] : [.missingVersion, .missingName]
    let outer = card.physicalLine(line)
    for finding in Self.findings(in: text, against: self.version, depth: depth + 1)
    where finding.rule != .lineBreak && finding.rule != .lineLength {
      findings.append(
        Diagnostic(
          finding.rule, "in \(card.name(line).uppercased()): \(finding.message)",
          line: hasOwnLines ? outer + (finding.line ?? 0) : outer, property: finding.property, contact: card.number,
          severity: mayBeShort.contains(finding.rule) ? .info : finding.severity))
    }
  }

  private static func findings(in text: String, against version: CardVersion?, depth: Int) -> [Diagnostic] {
    var parser = CardParser(names: FieldNames.table)
    let bytes = Array(text.utf8)
    parser.feed(bytes.span)
    parser.finish()
    var found: [Diagnostic] = []
    var validator = Validator(against: version)
    validator.depth = depth
    while let batch = parser.nextBatch() {
      for index in 0..<batch.count { found += validator.validate(batch, index) }
      found += batch.diagnosticsOutsideCards
    }
    return found
  }

  /// A property without a value. A missing full name is told of the card, and older versions may need an empty name.
  private mutating func checkEmpty(_ line: Int, _ version: CardVersion) {
    guard card[link: line].role == .extra, card.isBlank(line), let target = FieldNames.target(card.lines[line].number) else { return }
    let field = Int(target.field)
    if field == CardWriter.fullName || field == CardWriter.name && version != .v40 && target.alias == 0 { return }
    add(.emptyValue, "\(card.name(line).uppercased()) has no value", at: line)
  }

  /// Line ends, empty lines, folds inside characters: what only the physical lines show.
  private mutating func checkPhysicalLines(_ entry: CardEntry, _ version: CardVersion) {
    let bytes = card.bytes
    let span = bytes.span.extracting(0..<Int(entry.rawEnd))
    var position = Int(entry.rawStart)
    var number = card.physicalLine
    var next = card.range.lowerBound
    var saysBlank = false
    var lastFolded = -1
    while position < span.count {
      // What the parser found to be one physical line that ends as it should has nothing to tell.
      if next < card.range.upperBound, Int(card.lines[next].rawStart) == position, card.lines[next].isOnePhysicalLine {
        position = Int(card.lines[next].rawEnd)
        (next, number) = (next + 1, number + 1)
        continue
      }
      guard let physical = PhysicalLine.at(position, in: span, isFinal: true) else { break }
      while next < card.range.upperBound, Int(card.lines[next].rawStart) <= position { next += 1 }
      let line = next > card.range.lowerBound ? next - 1 : nil
      checkBreak(physical, span, at: number)
      let isEncoded = line.map { card.lines[$0].flags.hasAny(of: .encoded) } ?? false
      if physical.isEmpty, version != .v21, !isEncoded, !saysBlank {
        saysBlank = true
        findings.append(Diagnostic(.blankLine, "an empty line inside the card; passed over", line: number, contact: card.number))
      }
      if let line, line != lastFolded, !isEncoded, physical.end - position > 1, ASCII.isBlank(span[position]), position > entry.rawStart,
        span[position + 1] & 0xC0 == 0x80, card.lines[line].flags.contains(.folded)
      {
        lastFolded = line
        add(.foldedCharacter, "folded inside a character", at: line, version == .v40 ? .warning : .info)
      }
      position = physical.next
      number += physical.breaks
    }
  }

  private mutating func checkBreak(_ physical: PhysicalLine, _ span: Span<UInt8>, at number: Int) {
    let length = physical.next - physical.end
    guard length != 2, length > 0 else { return }
    let name = length == 1 ? (span[physical.end] == ASCII.lineFeed ? "LF" : "CR") : "CR CR LF"
    guard toldBreaks.insert(name).inserted else { return }
    findings.append(
      Diagnostic(.lineBreak, "ends in \(name) instead of CRLF; further lines that do are not told", line: number, contact: card.number))
  }

  // MARK: Cards

  /// VERSION stands once, is one of three texts, and comes first in 4.0.
  private mutating func checkVersion() {
    guard let declared = card.declared, let first = card.range.first(where: { card.lines[$0].number == FieldNames.version }) else {
      return
    }
    let text = card.rawValue(first)
    if text != declared.text { add(.unknownVersion, "VERSION:\(ValueSyntax.excerpt(text)) was read as \(declared.text)", at: first) }
    if (version ?? declared) == .v40, first != card.range.lowerBound {
      add(.versionPlace, "VERSION must be the first line of the card", at: first)
    }
    let lines = (first..<card.range.upperBound).filter { card.lines[$0].number == FieldNames.version }
    for line in lines.dropFirst() {
      let isSame = CardVersion(card.rawValue(line)) == declared
      add(.cardinality, "VERSION stands \(lines.count) times; the first counts", at: line, isSame ? .warning : .error)
    }
  }

  private mutating func checkCardinality(_ version: CardVersion) {
    var present = FieldSet.none
    var repeated = FieldSet.none
    for line in card.range {
      guard let target = FieldNames.target(card.lines[line].number) else { continue }
      if !present.insert(Int(target.field)) { _ = repeated.insert(Int(target.field)) }
    }
    while let number = repeated.removeFirst(), number < Person.detailsField {
      let field = Person.fields[number]
      guard field.isOne, field.cardinality(in: version).isSingle else { continue }
      let lines = card.range.filter { line in
        guard let target = FieldNames.target(card.lines[line].number), Int(target.field) == number else { return false }
        return field.names[Int(target.alias)].text.uppercased() == field.name(in: version).uppercased()
      }
      guard lines.count > 1 else { continue }
      // Lines with one ALTID count as one (RFC 6350 5.4).
      var seen = Set<String>()
      let counted = lines.filter { line in
        guard version == .v40, let alternative = card.value(.altID, of: line) else { return true }
        return seen.insert(alternative).inserted
      }
      guard counted.count > 1 else { continue }
      let isSame = Set(counted.map { card.rawValue($0) }).count == 1
      let isHarmless = isSame || field.prefersLatest || field.key == "productID"
      for line in counted.dropFirst() {
        add(
          .cardinality, "\(card.name(line).uppercased()) stands \(counted.count) times; \(version.text) allows one", at: line,
          isHarmless ? .info : .warning)
      }
    }
  }

  private mutating func checkNames(_ version: CardVersion) {
    if card.first[CardWriter.fullName] < 0, version != .v21 {
      let fullName = Person.fields[CardWriter.fullName].name(in: version)
      add(.missingFullName, "no \(fullName), or an empty one", at: nil, property: fullName)
    }
    guard version != .v40 else { return }
    let hasName = card.range.contains { line in
      guard let target = FieldNames.target(card.lines[line].number) else { return false }
      return Int(target.field) == CardWriter.name && target.alias == 0
    }
    if hasName { return }
    let name = Person.fields[CardWriter.name].name(in: version)
    add(.missingName, "no \(name)", at: nil, property: name)
  }

  /// The fields whose lines explain the sources in PIDs.
  private static let pidMaps = FieldSet(Person.fields.indices.filter { (Person.fields[$0].kind as? URIKind)?.isPIDMap == true })
  private static let genders = Person.field("grammaticalGenders")
  private static let members = Person.field("members")
  private static let kind = Person.field("kind")

  /// The source in a PID, behind its point, is a number that one CLIENTPIDMAP explains (RFC 6350 7.1.3).
  private mutating func checkIdentifiers() {
    let hasIdentifiers = card.range.contains { line in card.parameterRange(line).contains { card.parameters[$0].known == .pid } }
    guard hasIdentifiers || !card.present.intersection(Self.pidMaps).isEmpty else { return }
    var sources: [Int: Int] = [:]
    for line in card.range {
      guard let field = FieldNames.target(card.lines[line].number).map({ Person.fields[Int($0.field)] }),
        (field.kind as? URIKind)?.isPIDMap == true, let number = Int(card.rawValue(line).prefix { $0 != ";" })
      else { continue }
      if let first = sources[number] {
        add(.pidMap, "line \(card.physicalLine(first)) explains the source \(number) as well", at: line, .error)
      } else {
        sources[number] = line
      }
    }
    for line in card.range {
      for pid in card.values(.pid, of: line) {
        let parts = pid.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let source = parts[1], sources[source] == nil else { continue }
        add(.pidMap, "PID=\(ValueSyntax.excerpt(pid)) names the source \(source), which no CLIENTPIDMAP explains", at: line)
        break
      }
    }
  }

  /// Grammatical genders differ in their languages (RFC 9554 3.2).
  private mutating func checkLanguages() {
    guard let genders = Self.genders, card.present.has(genders) else { return }
    var seen = Set<String>()
    for line in card.range where Int(card[link: line].field) == genders && card[link: line].alias == 0 {
      let language = card.value(.language, of: line)?.lowercased() ?? ""
      if !seen.insert(language).inserted {
        add(
          .cardinality, "\(card.name(line).uppercased()) stands twice for one language (\(language.isEmpty ? "none" : language))", at: line)
      }
    }
  }

  /// Only groups have members.
  private mutating func checkMembers() {
    guard let members = Self.members, let kind = Self.kind, card.present.has(members) else { return }
    guard let first = card.range.first(where: { Int(card[link: $0].field) == members && card[link: $0].alias == 0 }) else { return }
    let line = Int(card.first[kind])
    if line >= 0, card.text(line).lowercased() == "group" || card[link: line].alias > 0 { return }
    add(.memberWithoutGroup, "members in a card whose \(Person.fields[kind].name(in: .v40)) is not group", at: first)
  }
}

extension LineEntry {
  /// Does it stand on one physical line, which ends in CRLF, as it is?
  fileprivate var isOnePhysicalLine: Bool { !flags.hasAny(of: .severalLines) }
}
