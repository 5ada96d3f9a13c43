// Cards of JSContact as content lines without a look at each part: what a part becomes is remembered by all of it but its texts.

internal import Bytes
internal import CardSyntax
internal import DataSyntax

/// Writes the lines of Cards whose parts (the name, the entries of maps, …) become lines each by itself. A part that differs only in texts
/// from one that was converted before becomes the same lines with these texts.
///
/// Other Cards, such as those with localizations, or with members that vCard has nothing for, are converted as a whole.
struct JSContactParts: ~Copyable {
  /// How a member of the Card divides into parts.
  private enum Division: Sendable {
    /// It is one part: a text, the name.
    case text, whole
    /// A key is a text, and the part an entry: of maps under identifiers, and of maps under the values themselves.
    case entries, values
    /// All keys are texts of one part.
    case keys
    /// jCard properties; what the Card says of itself.
    case properties, type, version
  }

  private final class Member: Sendable {
    let path: String
    let word: JSONWord
    let division: Division
    /// The keys of members that hold texts.
    let texts: [JSONWord]
    /// What a text of the Card is.
    let form: JSContactText.Form?

    init(_ path: String, _ division: Division, _ texts: [JSONWord] = [], _ form: JSContactText.Form? = nil) {
      (self.path, word, self.division, self.texts, self.form) = (path, JSONWord(path), division, texts, form)
    }

    /// The members, in the order of their lines.
    static let all: [Member] =
      [Member("@type", .type), Member("version", .version)]
      + JSContactText.all.filter { $0.path.count == 1 }.map { Member($0.path[0], .text, [], $0.form) } + [
        Member("name", .whole, ["full", "value"])
      ]
      + JSContactRow.maps.filter { $0.count == 1 }.compactMap { path in
        JSContactRow.all.first { $0.path == path }.map {
          Member(path[0], .entries, [JSONWord($0.value)])
        }
      }
      + [
        Member("addresses", .entries, ["full", "value", "coordinates"]), Member("anniversaries", .entries, ["full", "utc"]),
        Member("members", .values), Member("keywords", .keys), Member("relatedTo", .values), Member("vCardProps", .properties),
      ]
    static let numbers = NameTable(all.enumerated().map { ($1.path, UInt16($0 + 1)) })
  }

  private static let card: JSONWord = "Card", version10: JSONWord = "1.0", version20: JSONWord = "2.0", parameters: JSONWord = "vCardParams"
  private static let date: JSONWord = "date", utc: JSONWord = "utc", year: JSONWord = "year", month: JSONWord = "month",
    day: JSONWord = "day"
  private static let separator: JSONWord = "separator"

  /// What is remembered of a part: its lines; nil where it does not become lines by itself.
  private struct Known {
    var lines: [(template: LineTemplate, isInMadeGroup: Bool)]?
  }

  private var memo = ByteMemo<Known>()
  private var part = SourcePart()
  /// The tokens of the part's texts.
  private var tokens: [Int] = []
  private var properties = JCardLines()
  /// The token of each member of the Card; -1 where it is missing.
  private var places: [Int] = []
  private var groups = GroupNames()
  private var hasMadeGroup = false

  /// Writes the lines of the Card on a tape; false where it has to be converted as a whole, whatever was written.
  mutating func write(
    _ tape: borrowing JSONTape, _ bytes: [UInt8], _ lines: inout LineTable, to assembler: inout CardAssembler,
    _ findings: inout [Diagnostic]
  ) -> Bool {
    groups = GroupNames()
    hasMadeGroup = false
    guard findMembers(tape, bytes) else { return false }
    for number in places.indices where places[number] >= 0 {
      let token = places[number]
      let value = token + 1
      let end = tape.tokens[value].next
      let member = Member.all[number]
      switch member.division {
      case .type: guard tape.says(Self.card, value, bytes.span) else { return false }
      case .version: guard isKnownVersion(value, tape, bytes) else { return false }
      case .text:
        guard tape.tokens[value].kind == .string, write(number, token, tape, bytes, &lines, to: &assembler, &findings) else { return false }
      case .whole, .keys:
        guard tape.tokens[value].kind == .object, end > value + 1, member.division == .whole || hasOwnKeys(value, tape, bytes),
          write(number, token, tape, bytes, &lines, to: &assembler, &findings)
        else { return false }
      case .entries, .values:
        guard tape.tokens[value].kind == .object, end > value + 1, hasOwnKeys(value, tape, bytes) else { return false }
        var entry = value + 1
        while entry < end {
          guard write(number, entry, tape, bytes, &lines, to: &assembler, &findings) else { return false }
          entry = tape.tokens[entry].next
        }
      case .properties:
        guard tape.tokens[value].kind == .array, end > value + 1,
          write(properties: value, tape, bytes, line: lines.line(at: tape.tokens[token].start), to: &assembler, &findings)
        else { return false }
      }
    }
    return true
  }

  // MARK: The Card

  /// Finds the members of the Card; false where one is none of these, or comes twice.
  private mutating func findMembers(_ tape: borrowing JSONTape, _ bytes: [UInt8]) -> Bool {
    places.removeAll(keepingCapacity: true)
    for _ in Member.all { places.append(-1) }
    var token = 1
    while token < tape.tokens.count {
      let entry = tape.tokens[token]
      let number = Int(Member.numbers.number(of: bytes.span, entry.start, entry.end)) - 1
      guard number >= 0, tape.says(Member.all[number].word, token, bytes.span), places[number] < 0 else { return false }
      places[number] = token
      token = entry.next
    }
    return places[0] >= 0 && places[1] >= 0
  }

  private func isKnownVersion(_ value: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8]) -> Bool {
    // The identifier is the first text.
    let hasUID = places[2] >= 0 && tape.tokens[places[2] + 1].kind == .string
    return tape.says(Self.version20, value, bytes.span) || hasUID && tape.says(Self.version10, value, bytes.span)
  }

  /// Are the keys of an object written without escapes, and all different? Of very many that is not asked.
  private func hasOwnKeys(_ object: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8]) -> Bool {
    let end = tape.tokens[object].next
    var first = object + 1
    var count = 0
    while first < end {
      let key = tape.tokens[first]
      count += 1
      guard !key.hasEscapes, count <= 16, UTF8Check.isValid(bytes.span, key.start, key.end) else { return false }
      var other = key.next
      while other < end {
        let next = tape.tokens[other]
        if next.end - next.start == key.end - key.start,
          Words.areEqual(bytes.span, key.start, bytes.span, next.start, count: key.end - key.start)
        {
          return false
        }
        other = next.next
      }
      first = key.next
    }
    return true
  }

  private mutating func write(
    properties list: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8], line: Int, to assembler: inout CardAssembler,
    _ findings: inout [Diagnostic]
  ) -> Bool {
    var token = list + 1
    while token < tape.tokens[list].next {
      guard let (template, _) = properties.template(bytes, tape.tokens[token].start, &assembler.lines) else { return false }
      if let template {
        // Some properties say better what a member says, too; and a made group must be no other's.
        guard !template.hasGroup || !hasMadeGroup, !JSContactConversion.mayReplaceMember(template.name.lowercased()) else { return false }
        add(template, assembler.add(template, properties.part, bytes.span, line: line), line, &findings)
      }
      token = tape.tokens[token].next
    }
    return true
  }

  private func add(_ template: LineTemplate, _ isWhole: Bool, _ line: Int, _ findings: inout [Diagnostic]) {
    if isWhole { return }
    findings.append(Diagnostic(.droppedCharacters, "control characters were left out", line: line, property: template.name))
  }

  // MARK: Parts

  /// Writes the lines of the part whose key is `token`; false where it has none by itself.
  private mutating func write(
    _ number: Int, _ token: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8], _ lines: inout LineTable,
    to assembler: inout CardAssembler, _ findings: inout [Diagnostic]
  ) -> Bool {
    guard cut(number, token, tape, bytes) else { return false }
    var known = memo.value(of: part.key)
    if known == nil {
      let fresh = convert(number, token, tape, bytes, &assembler.lines)
      memo.keep(fresh, for: part.key)
      known = fresh
    }
    guard let templates = known?.lines else { return false }
    var group: String?
    for (template, isInMadeGroup) in templates {
      if isInMadeGroup {
        group = group ?? groups.fresh()
        hasMadeGroup = true
      } else if template.hasGroup {
        // What a made group is called depends on all others.
        return false
      }
      let line = lines.line(at: tape.tokens[template.origin < 0 ? places[number] : token + template.origin].start)
      let isWhole = assembler.add(template, part, bytes.span, group: isInMadeGroup ? group : nil, line: line)
      add(template, isWhole, line, &findings)
    }
    return true
  }

  /// Parts the texts of a part from all else; false where a key has no usual form.
  private mutating func cut(_ number: Int, _ token: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8]) -> Bool {
    let member = Member.all[number]
    part.removeAll()
    tokens.removeAll(keepingCapacity: true)
    part.key.append(UInt8(truncatingIfNeeded: number))
    var from = tape.tokens[token].start
    let end = tape.tokens[token].next
    switch member.division {
    case .text:
      // Points in time have another form in vCard; words are in lower case.
      take(token + 1, isDate: member.form == .utc, tape, bytes, from: &from)
      part.key.append(bytes.span, from, tape.tokens[token + 1].end)
      return member.form != .lower || isLowercase(tape.tokens[token + 1], bytes)
    case .entries:
      guard isID(tape.tokens[token], bytes) else { return false }
      take(token, tape, bytes, from: &from)
    case .values: take(token, tape, bytes, from: &from)
    default: break
    }
    var inner = token + 1
    while inner < end {
      let entry = tape.tokens[inner]
      guard entry.kind == .key else {
        inner += 1
        continue
      }
      if member.division == .keys {
        take(inner, tape, bytes, from: &from)
        inner += 1
      } else if tape.says(Self.parameters, inner, bytes.span) {
        inner = entry.next
      } else if tape.says(Self.date, inner, bytes.span), tape.tokens[inner + 1].kind == .object,
        takeDay(inner + 1, tape, bytes, from: &from)
      {
        inner = entry.next
      } else {
        let isText =
          tape.tokens[inner + 1].kind == .string && member.texts.contains { tape.says($0, inner, bytes.span) }
          && !isSeparator(inner, end, tape, bytes)
        if isText { take(inner + 1, isDate: tape.says(Self.utc, inner, bytes.span), tape, bytes, from: &from) }
        inner += isText ? 2 : 1
      }
    }
    // Behind the last token stands what closes the part.
    part.key.append(bytes.span, from, tape.tokens[token + 1].end)
    return true
  }

  /// Takes the text of a token: what stands before it belongs to the key.
  private mutating func take(_ token: Int, isDate: Bool = false, _ tape: borrowing JSONTape, _ bytes: [UInt8], from: inout Int) {
    let entry = tape.tokens[token]
    part.key.append(bytes.span, from, entry.start)
    from = entry.start
    if isDate {
      // A point in time; JSContact has them in ISO 8601's extended form alone.
      guard !entry.hasEscapes, entry.end - entry.start == 20, part.add(date: bytes.span, entry.start, entry.end) else { return }
    } else if !entry.hasEscapes, UTF8Check.isValid(bytes.span, entry.start, entry.end) {
      part.add(entry.start, entry.end, StandIn.form(bytes.span, entry.start, entry.end))
    } else {
      let begin = part.decoded.count
      tape.appendText(of: token, bytes, to: &part.decoded)
      let end = part.decoded.count
      let form = part.decoded.withBytes { StandIn.form($0, begin, end) }
      part.add(begin, end, form, isDecoded: true)
    }
    tokens.append(token)
    from = entry.end
  }

  /// Takes a day, of which year, month and day are numbers, as one text; false, and nothing done, where there is none.
  private mutating func takeDay(_ object: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8], from: inout Int) -> Bool {
    let entries = tape.tokens
    guard entries[object].next == object + 7 else { return false }
    var (year, month, day) = (-1, -1, -1)
    for place in [object + 1, object + 3, object + 5] {
      let value = entries[place + 1]
      guard value.kind == .number, value.end - value.start <= 4 else { return false }
      var number = 0
      for i in value.start..<value.end {
        guard ASCII.isDigit(bytes[i]) else { return false }
        number = number * 10 + Int(bytes[i] - 48)
      }
      if tape.says(Self.year, place, bytes.span) { year = number }
      if tape.says(Self.month, place, bytes.span) { month = number }
      if tape.says(Self.day, place, bytes.span) { day = number }
    }
    guard year >= 0, (1...99).contains(month), (1...99).contains(day) else { return false }
    let begin = part.decoded.count
    DateNumbers.append(year, month, day, isBasic: true, to: &part.decoded)
    let end = part.decoded.count
    guard end - begin == 8, part.decoded.withBytes({ DateNumbers($0, begin, end) != nil }) else {
      part.decoded.truncate(to: begin)
      return false
    }
    for place in [object + 1, object + 3, object + 5] {
      part.key.append(bytes.span, from, entries[place + 1].start)
      from = entries[place + 1].end
    }
    part.add(begin, end, .day, isDecoded: true)
    tokens.append(object)
    return true
  }

  /// Does the member stand in a component that only separates others? What it says is part of the order of all.
  private func isSeparator(_ key: Int, _ end: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8]) -> Bool {
    tape.says(Self.separator, key - 1, bytes.span)
      || key + 3 < end && tape.says(Self.separator, key + 3, bytes.span) && tape.tokens[key + 3].kind == .string
  }

  private func isID(_ entry: JSONTape.Token, _ bytes: [UInt8]) -> Bool {
    for i in entry.start..<entry.end
    where !ASCII.isLetter(bytes[i]) && !ASCII.isDigit(bytes[i]) && bytes[i] != ASCII.dash && bytes[i] != UInt8(ascii: "_") {
      return false
    }
    return (1...255).contains(entry.end - entry.start)
  }

  private func isLowercase(_ entry: JSONTape.Token, _ bytes: [UInt8]) -> Bool {
    for i in entry.start..<entry.end where !ASCII.isLetter(bytes[i]) || bytes[i] < 97 { return false }
    return true
  }

  // MARK: Conversion

  /// What the part becomes: a Card that holds nothing else is converted, with stand-ins for the texts.
  private func convert(
    _ number: Int, _ token: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8], _ writer: inout LineWriter
  ) -> Known {
    let member = Member.all[number]
    guard !StandIn.isIn(part.key.text()) else { return Known() }
    var builder = JSONTreeBuilder()
    for (place, token) in tokens.enumerated() {
      switch part.texts[place].form {
      case .day: setDay(token, tape, bytes, &builder)
      case .time: builder.standIns[token] = StandIn.extendedTime
      default: builder.standIns[token] = part.standIn(place)
      }
    }
    // Members tell their places as numbers of tokens, counted from 1 at the part's key; those of the Card's member count as 0.
    let value = builder.tree(of: token + 1, tape, bytes) { $0 - token + 1 }
    var card = JSONObject([("@type", .string("Card")), ("version", .string("2.0"))])
    switch member.division {
    case .entries, .values:
      let key = builder.standIns[token] ?? tape.text(of: token, bytes)
      var map = JSONObject()
      _ = map.add(key, value, line: 1)
      _ = card.add(member.path, .object(map), line: 0)
    default: _ = card.add(member.path, value, line: 1)
    }
    guard builder.repeated.isEmpty else { return Known() }
    var conversion = JSContactConversion(card, line: -1, groupsAfter: Self.groupMark)
    conversion.convert()
    guard conversion.findings.isEmpty else { return Known() }
    return Known(lines: templates(conversion.entries, &writer))
  }

  /// A group behind which no card's groups are numbered: those that follow are made ones.
  private static let groupMark = "item7000000000"
  private static let madeGroup = "item7000000001"

  /// The lines of what a part was converted to; nil where some of it needs the whole Card.
  private func templates(
    _ entries: [JSContactConversion.Entry], _ writer: inout LineWriter
  ) -> [(template: LineTemplate, isInMadeGroup: Bool)]? {
    var found: [(LineTemplate, Bool)] = []
    for entry in entries {
      switch entry {
      case .property(var property, let line):
        guard property.name != JSContactWriter.jsonProperty else { return nil }
        let isMade = property.group == Self.madeGroup
        if isMade { property.group = nil }
        guard let template = LineTemplate(property, part, origin: line - 1, &writer) else { return nil }
        found.append((template, isMade))
      case .label(let group, let text, let line):
        guard group == Self.madeGroup else { return nil }
        found.append((LineTemplate(label: text, origin: line - 1, &writer), true))
      }
    }
    return found
  }

  /// Puts the day that stands for others in the place of the numbers of a date.
  private func setDay(_ object: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8], _ builder: inout JSONTreeBuilder) {
    for place in [object + 1, object + 3, object + 5] {
      let parts = StandIn.dayParts
      builder.standIns[place + 1] =
        tape.says(Self.year, place, bytes.span) ? parts.year : tape.says(Self.month, place, bytes.span) ? parts.month : parts.day
    }
  }
}
