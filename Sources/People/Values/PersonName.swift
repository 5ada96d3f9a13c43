// The parts of a name: N, with SORT-AS or SORT-STRING and the phonetic lines of Apple and Android (RFC 6350 6.2.2, RFC 9554 2.2).

package import CardSyntax
package import Bytes

/// A name in parts. Each part may hold several texts (RFC 6350 6.2.2), mostly it holds one or none.
public struct PersonName: Sendable, Hashable {
  /// Honorific prefixes, such as `Dr.`.
  public var prefix: [String] = []
  /// Given names.
  public var given: [String] = []
  /// Additional names.
  public var middle: [String] = []
  /// Family names.
  public var family: [String] = []
  /// Secondary surnames (RFC 9554).
  public var family2: [String] = []
  /// Generation markers (RFC 9554).
  public var generation: [String] = []
  /// Honorific suffixes, such as `PhD`.
  public var suffix: [String] = []
  /// What to sort by: family name, then given name.
  public var sortAs: [String] = []
  /// How the given, middle and family name are spoken.
  public var phoneticGiven = "", phoneticMiddle = "", phoneticFamily = ""
  /// How the given, middle and family name are pronounced, in signs that a speaking program knows.
  public var pronouncedGiven = "", pronouncedMiddle = "", pronouncedFamily = ""

  /// A name from its usual parts; empty ones count as absent.
  public init(prefix: String = "", given: String = "", middle: String = "", family: String = "", suffix: String = "") {
    func list(_ text: String) -> [String] { text.isEmpty ? [] : [text] }
    (self.prefix, self.given, self.middle) = (list(prefix), list(given), list(middle))
    (self.family, self.suffix) = (list(family), list(suffix))
  }

  /// The name as people write it: prefix, given, middle, family, suffix.
  public var formatted: String {
    (prefix + given + middle + family + family2 + suffix).filter { !$0.isEmpty }.joined(separator: " ")
  }
}

package struct NameKind: ValueKind {
  package var textMember: Member? { nil }
  package init() {}

  package var parameters: ParameterSet { ParameterSet(.sortAs, .xSortAs, .xParts) }
  package var accepts: ParameterSet { ParameterSet(.phonetic) }

  /// The components in the order of N, and the members that hold them.
  private static let components: [Member] = [.family, .given, .middle, .prefix, .suffix, .family2, .generation]
  /// Those without what RFC 9554 adds.
  private static let usualComponents = ComponentList(Array(components[..<5]))
  private static let order: [Int] = [3, 1, 2, 0, 5, 6, 4]

  /// The places of the parts among the names of the field: what SORT-STRING and the phonetic lines are.
  enum Part: Int {
    case name, sortString, phoneticGiven, phoneticMiddle, phoneticFamily, pronouncedGiven, pronouncedMiddle, pronouncedFamily
  }

  /// The lines that tell how the name is spoken: the member for all of them, then the lines and their members.
  private static let spoken: [(member: Member, parts: [(part: Part, member: Member)])] = [
    (.phonetic, [(.phoneticGiven, .given), (.phoneticMiddle, .middle), (.phoneticFamily, .family)]),
    (.pronunciation, [(.pronouncedGiven, .given), (.pronouncedMiddle, .middle), (.pronouncedFamily, .family)]),
  ]

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    record.open()
    let begin = record.tokens.count
    var sortString: Int?
    var spoken: [Part: Int] = [:]
    var sortAs: [String] = []
    func note(_ member: Int) {
      switch Part(rawValue: Int(card[link: member].alias)) {
      case .name, nil: break
      case .sortString: sortString = member
      case .some(let part): spoken[part] = member
      }
    }
    if card[link: line].alias == 0 { readComponents(line, card, &sortAs, into: &record) } else { note(line) }
    // While lines are still being sorted there is no list of companions yet.
    let isAlone = Int(card.first[Int(card[link: line].field)]) == line && card.next(line) < 0
    if isAlone, card[link: line].alias == 0, sortAs.isEmpty {
      record.close()
      if record.tokens.count == begin + 1 { record.truncate(to: begin - 1) }
      return
    }
    var member = Int(card.first[Int(card[link: line].field)])
    while member >= 0 {
      if member != line, card[link: member].role == .companion { note(member) }
      member = card.next(member)
    }
    if sortAs.isEmpty, let sortString { sortAs = [card.text(sortString)] }
    if sortAs.count == 1 { record.text(.sortAs, made: sortAs[0]) }
    if sortAs.count > 1 {
      record.open(.sortAs, list: true)
      for text in sortAs { record.text(.none, made: text) }
      record.close()
    }
    if !spoken.isEmpty {
      for (member, parts) in Self.spoken where parts.contains(where: { spoken[$0.part] != nil }) {
        record.open(member)
        for (part, member) in parts { if let line = spoken[part] { record.text(member, made: card.text(line)) } }
        record.close()
      }
    }
    record.close()
    if record.tokens.count == begin + 1 { record.truncate(to: begin - 1) }
  }

  private func readComponents(_ line: Int, _ card: borrowing CardView, _ sortAs: inout [String], into record: inout Record) {
    let (start, end) = card.valueRange(line)
    if card.lines[line].flags.contains(.base64) {
      record.text(.family, made: card.text(line))
    } else {
      let ranges = card.components(start, end)
      let exact = PartsText(line, card)
      for component in Self.order where component < ranges.count {
        let range = ranges[component]
        if ranges.count > 7, Self.components[component] == .suffix {
          readSuffixes(component, start, end, card, into: &record)
          continue
        }
        record.list(Self.components[component], range, card, mayBeList: ranges.hasComma, exact?.texts(component, range, card))
      }
    }
    guard card.parameterSet(line).hasAny(of: ParameterSet(.sortAs, .xSortAs)) else { return }
    for i in card.parameterRange(line) {
      let entry = card.parameters[i]
      if entry.known == .sortAs || entry.known == .xSortAs {
        card.forEachValue(entry) { sortAs += $0.split(separator: ",").map(String.init) }
      }
    }
  }

  /// Reads the suffixes of a name that has more than seven components: those from the eighth on belong to nothing, and are kept with them.
  private func readSuffixes(_ component: Int, _ start: Int, _ end: Int, _ card: borrowing CardView, into record: inout Record) {
    let begin = record.tokens.count
    record.open(.suffix, list: true)
    card.split(start, end, at: ASCII.semicolon) { number, from, to in
      guard number == component || number >= 7 else { return }
      if card.version == .v21 {
        if to > from { record.text(.none, from, to) }
      } else {
        card.split(from, to, at: ASCII.comma) { _, from, to in if to > from { record.text(.none, from, to) } }
      }
    }
    record.close()
    if record.tokens.count == begin + 2 { record.truncate(to: begin) }
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    let sortAs = record.texts(.sortAs, of: index)
    if line.version == .v40 {
      if !sortAs.isEmpty { line.parameter("SORT-AS", [sortAs.joined(separator: ",")]) }
    } else if sortAs.count > 1 {
      line.parameter(KnownParameter.xSortAs.name, [sortAs.joined(separator: ",")])
    }
    let hasMore = record.part(.family2, of: index) != nil || record.part(.generation, of: index) != nil
    let count = hasMore ? 7 : 5
    line.exactParts(Self.components[..<count].map { record.texts($0, of: index) })
    for i in 0..<count {
      if i > 0 { line.separator(ASCII.semicolon) }
      line.component(Self.components[i], of: record, at: index)
    }
    line.beginValue()
  }

  package func writeLines(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    let names = context.field.names
    let hasParts = Self.components.contains { record.part($0, of: index) != nil }
    if hasParts || line.version != .v40 || !record.texts(.sortAs, of: index).isEmpty {
      context.begin(&line, name: names[Part.name.rawValue].text)
      write(index, of: record, context, to: &line)
      line.end()
    }
    if line.version != .v40, let first = record.texts(.sortAs, of: index).first {
      line.begin(name: names[Part.sortString.rawValue].text)
      line.text(first)
      line.end()
    }
    for (member, parts) in Self.spoken {
      guard let spoken = record.part(member, of: index) else { continue }
      for (part, member) in parts {
        guard let place = record.part(member, of: spoken), !record.isEmptyValue(place) else { continue }
        line.begin(name: names[part.rawValue].text)
        line.text(place, of: record)
        line.end()
      }
    }
  }

  package func writePlain(_ index: Int, of record: borrowing Record, in version: CardVersion, to line: inout ByteBuffer) -> Bool {
    line.append(ASCII.colon)
    return Self.usualComponents.appendPlain(index, of: record, escaping: LineWriter.Place.componentItem.plainShape(in: version), to: &line)
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let (start, end) = card.valueRange(line)
    guard Part(rawValue: Int(card[link: line].alias)) == .name else {
      if version == .v40, Int(card[link: line].alias) == Part.sortString.rawValue {
        findings.add(.unknownProperty, "no property of 4.0; the parameter SORT-AS takes its place")
      }
      return TextKind().check(line, card, in: version, &findings)
    }
    var count = 0
    card.split(start, end, at: ASCII.semicolon) { number, _, _ in count = number + 1 }
    // Older versions may leave components off at the end; a writer gives them all.
    let mayBeFewer = findings.isValidating && version != .v40 && count < 5
    if !(count == 5 || version == .v40 && count == 7 || mayBeFewer) {
      findings.add(.components, "\(count) components instead of 5")
    }
    if card.lines[line].flags.contains(.base64) { findings.add(.encoding, "base64 is no encoding for text") }
    if hasEscapedSeparators(start, end, card) { findings.add(.escapedSeparators, "the separators of the components are escaped") }
    if version != .v40, card.parameter(.sortAs, of: line) != nil { findings.add(.parameter, "SORT-AS is a parameter of 4.0") }
    if version == .v40, card.parameter(.xSortAs, of: line) != nil { findings.add(.parameter, "X-SORT-AS is SORT-AS in 4.0") }
    PartsText.check(line, card, in: version, &findings)
    TextKind.check(
      card.bytes.span, start, end, from: card.version, to: version, separators: card.version == .v21 && version != .v21 ? .comma : [],
      &findings)
  }

  package func plainValues(_ line: Int, _ card: borrowing CardView, in version: CardVersion, isValidating: Bool) -> PlainValues {
    guard card[link: line].alias == 0, !card.parameterSet(line).hasAny(of: parameters) else { return .none }
    return .components(5, in: version, from: card.version)
  }

  /// Are two separators or more escaped in the first component, while all others are empty?
  private func hasEscapedSeparators(_ start: Int, _ end: Int, _ card: borrowing CardView) -> Bool {
    let span = card.bytes.span
    let first = Escaping.firstSeparator(ASCII.semicolon, in: span, from: start, to: end)
    for i in first..<max(first, end) where span[i] != ASCII.semicolon { return false }
    var escaped = 0
    var i = start
    while i + 1 < first {
      if span[i] == ASCII.backslash {
        if span[i + 1] == ASCII.semicolon { escaped += 1 }
        i += 1
      }
      i += 1
    }
    return escaped >= 2
  }

  package func isEmpty(_ line: Int, _ card: borrowing CardView) -> Bool { card.isBlank(line) && card.parameter(.sortAs, of: line) == nil }

  package func readable(_ index: Int, of record: borrowing Record) -> String {
    take(index, of: record)?.formatted ?? ""
  }

  package func take(_ index: Int, of record: borrowing Record) -> PersonName? {
    guard record.tokens[index].operation == .openObject else { return nil }
    var name = PersonName()
    record.forEachElement(index) { place in
      switch record.tokens[place].member {
      case .prefix: name.prefix = record.texts(at: place)
      case .given: name.given = record.texts(at: place)
      case .middle: name.middle = record.texts(at: place)
      case .family: name.family = record.texts(at: place)
      case .family2: name.family2 = record.texts(at: place)
      case .generation: name.generation = record.texts(at: place)
      case .suffix: name.suffix = record.texts(at: place)
      case .sortAs: name.sortAs = record.texts(at: place)
      case .phonetic:
        name.phoneticGiven = record.string(.given, of: place) ?? ""
        name.phoneticMiddle = record.string(.middle, of: place) ?? ""
        name.phoneticFamily = record.string(.family, of: place) ?? ""
      case .pronunciation:
        name.pronouncedGiven = record.string(.given, of: place) ?? ""
        name.pronouncedMiddle = record.string(.middle, of: place) ?? ""
        name.pronouncedFamily = record.string(.family, of: place) ?? ""
      default: break
      }
    }
    return name
  }

  package func send(_ value: PersonName, to record: inout Record) {
    record.open()
    for (member, texts) in [
      (Member.prefix, value.prefix), (.given, value.given), (.middle, value.middle), (.family, value.family), (.family2, value.family2),
      (.generation, value.generation), (.suffix, value.suffix), (.sortAs, value.sortAs),
    ] { record.texts(member, texts) }
    for (member, parts) in [
      (Member.phonetic, [(Member.given, value.phoneticGiven), (.middle, value.phoneticMiddle), (.family, value.phoneticFamily)]),
      (.pronunciation, [(.given, value.pronouncedGiven), (.middle, value.pronouncedMiddle), (.family, value.pronouncedFamily)]),
    ] where parts.contains(where: { !$0.1.isEmpty }) {
      record.open(member)
      for (member, text) in parts where !text.isEmpty { record.text(member, made: text) }
      record.close()
    }
    record.close()
  }
}

extension Record {
  /// The texts of a part that is one text or a list of texts; empty ones are passed over.
  package func texts(_ member: Member, of index: Int) -> [String] {
    part(member, of: index).map { texts(at: $0) } ?? []
  }

  /// The text, or the texts of the list, at `place`; empty ones are passed over.
  func texts(at place: Int) -> [String] {
    if tokens[place].operation == .text { return isEmptyValue(place) ? [] : [string(place)] }
    var found: [String] = []
    forEachElement(place) { if tokens[$0].operation == .text, !isEmptyValue($0) { found.append(string($0)) } }
    return found
  }

  /// Adds a part that is nothing, one text, or a list.
  package mutating func texts(_ member: Member, _ texts: [String]) {
    if texts.isEmpty { return }
    if texts.count == 1 { return text(member, made: texts[0]) }
    open(member, list: true)
    for text in texts { self.text(.none, made: text) }
    close()
  }

  /// Adds a component of a card: nothing if it is empty, a text, or (outside 2.1) a list where commas divide it. `exact` are the texts
  /// that the component stands for, where something tells them; `mayBeList` is false where no comma is in it.
  package mutating func list(
    _ member: Member, _ range: (start: Int, end: Int), _ card: borrowing CardView, mayBeList: Bool, _ exact: [String]? = nil
  ) {
    guard range.end > range.start else { return }
    if let exact { return texts(member, exact) }
    guard mayBeList, card.version != .v21 else { return text(member, range.start, range.end) }
    let span = card.bytes.span
    let comma = Escaping.firstSeparator(ASCII.comma, in: span, from: range.start, to: range.end)
    if comma >= range.end { return text(member, range.start, range.end) }
    open(member, list: true)
    var from = range.start
    while true {
      let stop = min(Escaping.firstSeparator(ASCII.comma, in: span, from: from, to: range.end), range.end)
      text(.none, from, stop)
      guard stop < range.end else { break }
      from = stop + 1
    }
    close()
  }
}

extension LineWriter {
  /// Adds the texts of a part as one component.
  package mutating func component(_ member: Member, of record: borrowing Record, at index: Int) {
    beginValue()
    guard let place = record.part(member, of: index) else { return }
    if record.tokens[place].operation == .text { return text(place, of: record, version == .v21 ? .component : .componentItem) }
    for (i, element) in record.elements(place).enumerated() {
      if i > 0 { separator(ASCII.comma) }
      text(element, of: record, .componentItem)
    }
  }
}

extension ValueKind where Self == NameKind {
  package static var name: Self { Self() }
}
