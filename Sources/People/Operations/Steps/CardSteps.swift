// The steps of normalizing that look at a card as a whole: values that stand twice, empty ones, their order, UID and REV.

internal import Bytes
internal import CardSyntax

extension NormalizationStep {
  // MARK: Values that stand twice

  /// Writes equal values once, with what all of them carry.
  static func removeDuplicates(_ draft: inout CardDraft) {
    var fields = draft.repeating
    while let number = fields.removeFirst() {
      switch Person.fields[number].layout {
      case .many: removeDuplicates(number, &draft)
      case .texts: removeRepeatedTexts(number, &draft)
      case .one: break
      case .unclaimed: removeRepeatedLines(draft.units(of: number), &draft)
      }
    }
  }

  private static func removeDuplicates(_ number: Int, _ draft: inout CardDraft) {
    guard mayRepeat(number, &draft) else { return }
    var first: [ValueTree: Int] = [:]
    for unit in draft.units(of: number) {
      guard let value = draft.value(unit) else { continue }
      let key = comparable(value.tree, draft.field(unit), draft.options)
      guard let kept = first[key] else {
        first[key] = unit
        continue
      }
      guard var merged = draft.value(kept),
        let annotations = merged.annotations.joined(with: value.annotations, in: draft.version, types: draft.field(unit).types)
      else { continue }
      if annotations != merged.annotations {
        merged.annotations = annotations
        draft.change(kept, merged, "got the labels of a line with the same value")
      }
      draft.remove(unit, "the same value stands in another line; it was left out here")
    }
  }

  /// May two values of a field be equal? Told by sketches of them.
  private static func mayRepeat(_ number: Int, _ draft: inout CardDraft) -> Bool {
    let bytes = draft.engine.card.bytes
    draft.sketches.removeAll(keepingCapacity: true)
    for unit in draft.units.indices where draft.units[unit].field == number && draft.units[unit].isThere {
      let traits = draft.units[unit].traits
      if traits.contains(.date) { return true }
      switch draft.units[unit].state {
      case .asWritten:
        guard let (start, end) = draft.written(unit) else { return true }
        draft.sketches.append(traits.contains(.phone) ? Sketch.number(bytes.span, start, end) : Sketch.text(bytes.span, start, end))
      case .text(let start, let end):
        guard traits.contains(.phone) else { return true }
        draft.sketches.append(draft.texts.withBytes { Sketch.number($0, start, end) })
      case .changed:
        guard traits.contains(.phone), case .value(let value) = draft.content(unit) else { return true }
        let text = Array(((value.tree.plainText ?? "") + (value.tree[.extension]?.plainText ?? "")).utf8)
        draft.sketches.append(Sketch.number(text.span, 0, text.count))
      case .gone: break
      }
    }
    return hasRepeats(&draft.sketches)
  }

  private static func hasRepeats(_ sketches: inout [UInt64]) -> Bool {
    if sketches.count <= 8 {
      for place in sketches.indices { for other in 0..<place where sketches[other] == sketches[place] { return true } }
      return false
    }
    sketches.sort()
    return sketches.indices.contains { $0 > 0 && sketches[$0] == sketches[$0 - 1] }
  }

  /// What equal values have in common.
  private static func comparable(_ tree: ValueTree, _ field: Field, _ options: NormalizationOptions) -> ValueTree {
    guard let text = tree.plainText else { return tree }
    if field.kind is PhoneKind {
      return .text(options.numbering?.key(text, extension: tree[.extension]?.plainText ?? "") ?? text)
    }
    return field.key == "emails" ? .text(normalized(email: text)) : tree
  }

  private static func removeRepeatedTexts(_ number: Int, _ draft: inout CardDraft) {
    let units = draft.units(of: number)
    if units.count == 1, !mayRepeatTexts(units[0], &draft) { return }
    var seen: Set<String> = []
    for unit in units {
      guard var value = draft.value(unit), case .list(let texts) = value.tree else { continue }
      // What carries something of its own is another value.
      guard value.annotations.isEmpty || units.count == 1 else { continue }
      let kept = texts.filter { $0.plainText.map { seen.insert($0).inserted } ?? true }
      guard kept.count < texts.count else { continue }
      value.tree = .list(kept)
      let message = "a text that stands in the list already was left out"
      if kept.isEmpty { draft.remove(unit, message) } else { draft.change(unit, value, message) }
    }
  }

  /// May two texts of a list be equal? Told by sketches of what stands between its commas.
  private static func mayRepeatTexts(_ unit: Int, _ draft: inout CardDraft) -> Bool {
    guard let (start, end) = draft.written(unit) else { return true }
    let bytes = draft.engine.card.bytes
    draft.sketches.removeAll(keepingCapacity: true)
    var from = start
    while true {
      let comma = ByteSearch.firstIndex(of: ASCII.comma, in: bytes.span, from: from, to: end)
      draft.sketches.append(Sketch.text(bytes.span, from, comma))
      if comma == end { return hasRepeats(&draft.sketches) }
      from = comma + 1
    }
  }

  /// Lines that no field holds: the same line again, or one that says by another name what a field holds.
  private static func removeRepeatedLines(_ units: [Int], _ draft: inout CardDraft) {
    var seen: Set<String> = []
    var types = TypeWords()
    for unit in units {
      guard let line = draft.units[unit].line, let text = draft.unclaimed(unit), text.group == nil else { continue }
      let isDuplicate = draft.engine.card[link: line].role == .duplicate
      if isDuplicate, keepsForm(of: line, draft) { continue }
      if isDuplicate, types.cover(text, line, draft) {
        draft.remove(unit, "another line says the same; it was left out here")
        continue
      }
      let parameters = text.parameters.map { "\($0.name.uppercased())=\($0.values)" }.joined(separator: ";")
      guard !seen.insert("\(text.name.uppercased());\(parameters):\(text.value)").inserted else { continue }
      draft.remove(unit, "the same line stands before; it was left out here")
    }
  }

  private static func keepsForm(of line: Int, _ draft: borrowing CardDraft) -> Bool {
    FieldNames.target(draft.engine.card.lines[line].number).map { draft.keepsForm(of: Person.fields[Int($0.field)]) } ?? false
  }

  /// The TYPE words of the lines of each field: a line that repeats a value may go where another line carries them all.
  private struct TypeWords {
    /// More sets than a person's values have, few enough to look through.
    private static let most = 16
    private var ofField: [Int: Set<Set<String>>] = [:]

    /// Does a line that repeats a value of a field carry no more than a line of the field does?
    mutating func cover(_ text: UnclaimedText, _ line: Int, _ draft: borrowing CardDraft) -> Bool {
      guard let target = FieldNames.target(draft.engine.card.lines[line].number),
        Person.fields[Int(target.field)].names[Int(target.alias)].role == .value
      else { return false }
      if text.parameters.isEmpty { return true }
      guard text.parameters.allSatisfy({ $0.name.lowercased() == "type" }) else { return false }
      let number = Int(target.field)
      if ofField[number] == nil { ofField[number] = Self.sets(number, draft) }
      let types = Set(text.parameters.flatMap(\.values).map { $0.lowercased() })
      return ofField[number]?.contains { $0.isSuperset(of: types) } ?? false
    }

    private static func sets(_ number: Int, _ draft: borrowing CardDraft) -> Set<Set<String>> {
      var found: Set<Set<String>> = []
      for unit in draft.units(of: number) {
        guard let line = draft.units[unit].line, found.count < most else { continue }
        found.insert(Set(draft.engine.card.values(.type, of: line).map { $0.lowercased() }))
      }
      return found
    }
  }

  // MARK: Empty values

  /// Leaves properties without a value out, and contacts without any.
  static func removeEmpty(_ draft: inout CardDraft) {
    var holdsSomething = false
    for unit in draft.units.indices where draft.units[unit].isThere {
      if draft.units[unit].isFilledLine || !isEmpty(unit, draft) {
        if !draft.units[unit].traits.contains(.idle) { holdsSomething = true }
      } else if !isName(unit, draft) {
        draft.remove(unit, "it has no value; it was left out")
      }
    }
    if !holdsSomething {
      draft.isDropped = true
      draft.tell("the contact has no value; it was left out")
    }
  }

  /// Is a unit without a value? Of the lines that are filled this is not asked.
  private static func isEmpty(_ unit: Int, _ draft: borrowing CardDraft) -> Bool {
    if let text = draft.unclaimed(unit) {
      let telling = text.parameters.contains {
        !["type", "value", "encoding", "charset", "language", "pref"].contains($0.name.lowercased())
      }
      return !telling && text.value.allSatisfy { $0 == ";" || $0 == "," || $0.isWhitespace }
    }
    if case .value(let value) = draft.content(unit) { return value.tree.texts.allSatisfy(\.isEmpty) }
    return false
  }

  /// Is it FN or N, which a card may need even without a value?
  private static func isName(_ unit: Int, _ draft: borrowing CardDraft) -> Bool {
    var number = draft.units[unit].field
    if number == Person.unclaimedField, let line = draft.units[unit].line,
      let target = FieldNames.target(draft.engine.card.lines[line].number)
    {
      number = Int(target.field)
    }
    return number == CardWriter.fullName || number == CardWriter.name && draft.version != .v40
  }

  // MARK: Order

  /// Puts the properties in the table's order.
  static func orderFields(_ draft: inout CardDraft) {
    guard !draft.order() else { return }
    draft.isOrdered = true
    draft.tell("the properties were put in order")
  }

  // MARK: UID and REV

  /// Gives the contact a UID if it has none.
  static func addIdentifier(_ draft: inout CardDraft) {
    guard draft.units(of: "uid").isEmpty else { return }
    for unit in draft.units.indices {
      guard let line = draft.unclaimed(unit), line.name.uppercased() == "X-ABUID" else { continue }
      let bytes = Array(line.value.utf8)
      var plain = ByteBuffer()
      Escaping.unescape(bytes.span, 0, bytes.count, version: draft.version, to: &plain)
      let text = plain.text()
      guard !text.isEmpty else { continue }
      return draft.add(DraftValue(.text(text)), toField: "uid", "no UID; the identifier of Apple's address book was taken")
    }
    guard let record = draft.record() else { return }
    draft.add(DraftValue(.text(ContentIdentifier.uid(of: record))), toField: "uid", "no UID; one was made from the content")
  }

  /// Gives a contact that was changed the present time as its revision.
  static func stampRevision(_ draft: inout CardDraft) {
    guard !draft.options.now.isEmpty else { return }
    let value = DraftValue(.text(draft.options.now))
    if let unit = Person.field("revision").flatMap({ draft.firstUnit(of: $0) }) {
      draft.change(unit, value, "the contact was changed; its revision is now")
    } else {
      draft.add(value, toField: "revision", "the contact was changed; its revision is now")
    }
  }
}

extension Annotations {
  /// What two lines with one value carry together; nil where one line cannot say both.
  fileprivate func joined(with other: Annotations, in version: CardVersion, types scope: Field.Types) -> Annotations? {
    var result = self
    func same(_ a: String?, _ b: String?) -> Bool { a == nil || b == nil || a?.lowercased() == b?.lowercased() }
    guard same(group, other.group), same(language, other.language), same(id, other.id) else { return nil }
    result.group = group ?? other.group
    result.language = language ?? other.language
    result.id = id ?? other.id
    result.preference = [preference, other.preference].compactMap { $0 }.min()
    for (name, values) in other.parameters where name != "type" && name != "x-ablabel" {
      guard let own = self.values(name) else {
        result.parameters.append((name, values))
        continue
      }
      if own.map({ $0.lowercased() }) != values.map({ $0.lowercased() }) { return nil }
    }
    let (mine, theirs) = (spelling(in: version, types: scope), other.spelling(in: version, types: scope))
    // One group has one label line.
    if let a = mine.label, let b = theirs.label, a != b { return nil }
    var both = mine
    both.add(theirs.types)
    both.label = mine.label ?? theirs.label
    if both != mine { result.spell(both) }
    return result
  }
}
