// What somebody is: kind, gender, relations, and the card of an agent (RFC 6350 6.1.4, 6.2.7, 6.6.6; RFC 2426 3.5.4).

package import CardSyntax
internal import Bytes

/// Sex and gender identity.
public struct Gender: Sendable, Hashable {
  /// `male`, `female`, `other`, `none` or `unknown`; empty where nothing is said.
  public var sex: String
  /// The identity in words.
  public var identity: String

  /// A gender.
  public init(sex: String = "", identity: String = "") { (self.sex, self.identity) = (sex, identity) }
}

package struct GenderKind: ValueKind {
  package var textMember: Member? { .identity }
  package var parameters: ParameterSet { ParameterSet(.xParts) }
  package init() {}

  private static let words: [(letter: String, word: String)] = [
    ("M", "male"), ("F", "female"), ("O", "other"), ("N", "none"), ("U", "unknown"),
  ]
  /// The place of X-WAB-GENDER among the names: a number says the sex there.
  private static let numberAlias = 2

  private func gender(_ line: Int, _ card: borrowing CardView) -> (sex: String, identity: String)? {
    let (start, end) = card.valueRange(line)
    var parts: [String] = []
    let exact = PartsText(line, card)
    card.split(start, end, at: ASCII.semicolon) { number, from, to in
      if number < 2 {
        parts.append(exact?.texts(number, (from, to), card)?.first ?? card.text(from, to))
      } else {
        parts[1] += ";" + card.text(from, to)
      }
    }
    let first = parts.first ?? ""
    let identity = parts.count > 1 ? parts[1] : ""
    if Int(card[link: line].alias) == Self.numberAlias {
      switch first {
      case "1": return ("female", identity)
      case "2": return ("male", identity)
      default: return nil
      }
    }
    if first.isEmpty { return identity.isEmpty ? nil : ("", identity) }
    if let row = Self.words.first(where: { $0.letter == first.uppercased() || $0.word == first.lowercased() }) {
      return (row.word, identity)
    }
    return card[link: line].alias == 0 ? nil : ("other", first)
  }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    guard let gender = gender(line, card) else { return }
    send(Gender(sex: gender.sex, identity: gender.identity), to: &record)
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    guard let gender = take(index, of: record) else { return line.beginValue() }
    let row = Self.words.first { $0.word == gender.sex }
    let word = (row?.word ?? gender.sex).capitalizedFirst
    if context.alias != Self.numberAlias { line.exactParts([[context.alias == 0 ? row?.letter ?? "" : word], [gender.identity]]) }
    if context.alias == Self.numberAlias { return line.raw(gender.sex == "female" ? "1" : "2") }
    if context.alias == 0 { line.raw(row?.letter ?? "") } else { line.text(word, .component) }
    if !gender.identity.isEmpty {
      line.separator(ASCII.semicolon)
      line.text(gender.identity, .component)
    }
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    PartsText.check(line, card, in: version, &findings)
    guard card[link: line].alias == 0 else { return }
    let (start, end) = card.valueRange(line)
    var first = ""
    var count = 0
    card.split(start, end, at: ASCII.semicolon) { number, from, to in
      if number == 0 { first = card.text(from, to) }
      count = number + 1
    }
    if !first.isEmpty, !Self.words.contains(where: { $0.letter == first }) {
      let isMeant = Self.words.contains { $0.letter == first.uppercased() || $0.word == first.lowercased() }
      findings.add(.value, "\(ValueSyntax.excerpt(first)) is none of M, F, O, N, U", isMeant ? .warning : .error)
    }
    if findings.isValidating, count > 2 { findings.add(.components, "\(count) components; GENDER has two at most") }
    TextKind.check(card.bytes.span, start, end, from: card.version, to: version, separators: .comma, &findings)
  }

  package var readsAnyText: Bool { false }

  package func isEmpty(_ line: Int, _ card: borrowing CardView) -> Bool { gender(line, card) == nil }

  package func readable(_ index: Int, of record: borrowing Record) -> String {
    take(index, of: record).map { $0.identity.isEmpty ? $0.sex : $0.identity } ?? ""
  }

  package func take(_ index: Int, of record: borrowing Record) -> Gender? {
    guard record.tokens[index].operation == .openObject else { return nil }
    return Gender(sex: record.string(.sex, of: index)?.lowercased() ?? "", identity: record.string(.identity, of: index) ?? "")
  }

  package func send(_ value: Gender, to record: inout Record) {
    record.open()
    if !value.sex.isEmpty { record.text(.sex, made: value.sex) }
    if !value.identity.isEmpty { record.text(.identity, made: value.identity) }
    record.close()
  }
}

/// What a card describes: `individual`, `group`, `org`, `location`, or a word of one's own.
package struct KindKind: ValueKind {
  package init() {}

  package var choosesName: Bool { true }

  /// The kinds that IANA lists (RFC 6350 6.1.4, RFC 6473, RFC 6869).
  private static let registered: Set<String> = ["individual", "group", "org", "location", "application", "device"]

  /// The places of Apple's two properties and of the fallback among the names.
  private enum Name: Int { case standard, apple, server, other }

  private func kind(_ line: Int, _ card: borrowing CardView) -> String {
    let text = card.text(line)
    let lower = text.lowercased()
    if Name(rawValue: Int(card[link: line].alias)) == .apple {
      return lower == "company" ? "org" : lower == "person" ? "individual" : text
    }
    return Self.registered.contains(lower) ? lower : text
  }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    record.text(record.valueMember, made: kind(line, card))
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    guard let place = record.valuePlace(index) else { return line.beginValue() }
    let text = record.string(place)
    if Name(rawValue: context.alias) == .apple { return line.text(text == "org" ? "COMPANY" : text == "individual" ? "PERSON" : text) }
    line.text(text)
  }

  package func writeLines(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    var name = Name(rawValue: context.alias) ?? .standard
    let text = record.valuePlace(index).map { record.string($0) } ?? ""
    if !context.isNamed && line.version != .v40 { name = text == "org" ? .apple : text == "group" ? .server : .other }
    let chosen = context.named(name.rawValue)
    chosen.begin(&line)
    write(index, of: record, chosen, to: &line)
    line.end()
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    TextKind().check(line, card, in: version, &findings)
    let word = kind(line, card)
    if findings.isValidating, Name(rawValue: Int(card[link: line].alias)) == .standard, !Self.registered.contains(word),
      !ValueSyntax.isExtension(word)
    {
      findings.add(.value, "\(ValueSyntax.excerpt(word)) is no registered kind and does not begin with x-", .warning)
    }
    if Name(rawValue: Int(card[link: line].alias)) != .apple, kind(line, card) != card.text(line) {
      findings.add(.letterCase, "\(card.text(line)) is spelled \(kind(line, card))")
    }
  }
}

/// A related person: a name, or a URI such as the UID of another card.
package struct RelatedKind: ValueKind {
  package init() {}

  package var parameters: ParameterSet { ParameterSet(.value) }
  package var accepts: ParameterSet { ParameterSet(.mediaType) }
  package func valueTypes(in version: CardVersion) -> [String] { ["uri", "text"] }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    record.text(record.valueMember, valueOf: line, card)
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    guard let place = record.valuePlace(index) else { return line.beginValue() }
    let text = record.string(place)
    if context.alias == 0 && line.version == .v40 {
      if !text.looksLikeURI {
        line.parameter("VALUE", "text")
        return line.text(place, of: record)
      }
      return line.raw(place, of: record)
    }
    line.text(place, of: record)
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    if card[link: line].alias > 0 || version != .v40 { return TextKind().check(line, card, in: version, &findings) }
    if card.valueType(line) == "text" {
      if card.looksLikeURI(line) { findings.add(.valueType, "a URI that is marked as text", .info) }
      return TextKind().check(line, card, in: version, &findings)
    }
    if !card.looksLikeURI(line) {
      return findings.add(.uri, "\(ValueSyntax.excerpt(card.text(line))) is no URI; other text needs VALUE=text")
    }
    URIKind.check(line, card, in: version, &findings)
  }

  package func identity(_ line: Int, _ card: borrowing CardView) -> String? {
    let field = Person.fields[Int(card[link: line].field)]
    let own = field.names[Int(card[link: line].alias)].label
    let label = card[link: line].label >= 0 ? card.text(Int(card[link: line].label)) : nil
    let labels = own.map { [$0] } ?? Label.labels(types: card.values(.type, of: line).filter { $0.lowercased() != "pref" }, label: label)
    return labels.sorted().joined(separator: ",") + ":" + card.text(line)
  }
}

/// The card of a person who acts for this one: a whole card inside the card (2.1 as lines, 3.0 escaped).
package struct AgentKind: ValueKind {
  package var textMember: Member? { nil }
  package init() {}

  package func valueTypes(in version: CardVersion) -> [String] { ["vcard", "text", "uri"] }

  package var parameters: ParameterSet { ParameterSet(.value) }

  /// The card in the value, as lines; nil where there is none.
  func text(_ line: Int, _ card: borrowing CardView) -> String? {
    let text = card.lines[line].flags.contains(.nestedCard) ? card.rawValue(line) : card.text(line)
    return text.prefix(200).uppercased().contains("BEGIN:VCARD") ? text : nil
  }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    guard record.depth < Limits().nesting, let text = text(line, card) else { return }
    var parser = CardParser(names: FieldNames.table)
    let bytes = Array(text.utf8)
    parser.feed(bytes.span)
    parser.finish()
    while let batch = parser.nextBatch() {
      guard batch.count > 0 else { continue }
      var reader = CardReader(depth: record.depth + 1)
      reader.read(batch, 0)
      record.open(record.valueMember == .none ? .none : .value)
      record.append(fieldsOf: reader.record)
      record.close()
      return
    }
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    var inner = Record()
    inner.begin(copying: record, fieldsOf: index)
    var writer = CardWriter(version: line.version)
    writer.write(inner)
    let text = writer.lines.output.text()
    if line.version == .v21 {
      line.raw("")
      line.nested(text)
    } else {
      line.text(text)
    }
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    if version == .v40, card[link: line].alias == 0 {
      findings.add(.unknownProperty, "AGENT has no place in 4.0; the card is kept as X-AGENT")
    }
    if version != .v21, card.lines[line].flags.contains(.nestedCard) {
      findings.add(.encoding, "a nested card whose lines are not escaped")
    }
    if version != card.version { findings.add(.value, "a nested card of another version", .warning) }
    guard findings.isValidating, version != .v40, !card.isBlank(line), text(line, card) == nil else { return }
    if card.valueType(line) == "uri" { return URIKind.check(line, card, in: version, &findings) }
    findings.add(.value, "neither a card nor, with VALUE=\(version == .v21 ? "URL" : "uri"), a reference to one")
  }

  package var readsAnyText: Bool { false }

  package func isEmpty(_ line: Int, _ card: borrowing CardView) -> Bool { text(line, card) == nil }

  package func readable(_ index: Int, of record: borrowing Record) -> String {
    take(index, of: record)?.person.fullName ?? ""
  }

  package func take(_ index: Int, of record: borrowing Record) -> Agent? {
    guard record.tokens[index].operation == .openObject else { return nil }
    var inner = Record()
    inner.begin(copying: record, fieldsOf: index)
    return Agent(Person(inner))
  }

  package func send(_ value: Agent, to record: inout Record) {
    record.open()
    record.append(fieldsOf: Record(value.person))
    record.close()
  }
}

/// A person inside a person, held indirectly since no value can hold itself.
public indirect enum Agent: Sendable, Hashable {
  case card(Person)

  init(_ person: Person) { self = .card(person) }
  /// The agent's card.
  public var person: Person {
    switch self {
    case .card(let person): person
    }
  }
}

extension ValueKind where Self == GenderKind {
  package static var gender: Self { Self() }
}
extension ValueKind where Self == KindKind {
  package static var kind: Self { Self() }
}
extension ValueKind where Self == RelatedKind {
  package static var related: Self { Self() }
}
extension ValueKind where Self == AgentKind {
  package static var agent: Self { Self() }
}
