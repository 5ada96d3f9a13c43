// The steps of normalizing that look at a card as a whole: values that stand twice, empty ones, their order, UID and REV.

internal import Bytes
internal import CardSyntax

extension NormalizationStep {
  // MARK: Values that stand twice

  /// Writes equal values once, with what all of them carry.
  static func removeDuplicates(_ draft: inout CardDraft) {
    var (once, often) = (FieldSet.none, FieldSet.none)
    for unit in draft.units where unit.isThere && !once.insert(unit.field) { often.insert(unit.field) }
    while let number = once.removeFirst() {
      switch Person.fields[number].layout {
      case .many where often.has(number): removeDuplicates(draft.units(of: number), &draft)
      case .texts: removeRepeatedTexts(draft.units(of: number), &draft)
      case .many, .one: break
      case .unclaimed: removeRepeatedLines(draft.units(of: number), &draft)
      }
    }
  }

  private static func removeDuplicates(_ units: [Int], _ draft: inout CardDraft) {
    guard mayRepeat(units, &draft) else { return }
    var first: [ValueTree: Int] = [:]
    for unit in units {
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

  /// May two of these values be equal? Told by their letters and digits, of numbers by the last digits alone.
  private static func mayRepeat(_ units: [Int], _ draft: inout CardDraft) -> Bool {
    let traits = draft.traits(units[0])
    if traits.isDate { return true }
    draft.sketches.removeAll(keepingCapacity: true)
    for unit in units {
      var sketch: UInt64 = 0
      switch draft.content(unit) {
      case .value(let value):
        guard traits.isPhone else { return true }
        let text = (value.tree.plainText ?? "") + (value.tree[.extension]?.plainText ?? "")
        for byte in text.utf8 { add(byte, toNumber: &sketch) }
      case .text(let text):
        guard traits.isPhone else { return true }
        for byte in text.utf8 { add(byte, toNumber: &sketch) }
      case .asWritten, .unclaimed, .gone:
        _ = draft.withBytes(unit) { bytes, start, end in
          for i in start..<end {
            if traits.isPhone { add(bytes[i], toNumber: &sketch) } else { add(bytes[i], toText: &sketch) }
          }
          return true
        }
      }
      draft.sketches.append(sketch)
    }
    return hasRepeats(&draft.sketches)
  }

  private static func hasRepeats(_ sketches: inout [UInt64]) -> Bool {
    sketches.sort()
    return sketches.indices.contains { $0 > 0 && sketches[$0] == sketches[$0 - 1] }
  }

  private static func add(_ byte: UInt8, toNumber sketch: inout UInt64) {
    if ASCII.isDigit(byte) { sketch = (sketch * 10 + UInt64(byte & 15)) % 1_000_000 }
  }

  private static func add(_ byte: UInt8, toText sketch: inout UInt64) {
    let byte = ASCII.lowercased(byte)
    if ASCII.isDigit(byte) || ASCII.isLetter(byte) || byte >= 0x80 { sketch = (sketch ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// What equal values have in common.
  private static func comparable(_ tree: ValueTree, _ field: Field, _ options: NormalizationOptions) -> ValueTree {
    guard let text = tree.plainText else { return tree }
    if field.kind is PhoneKind {
      return .text(options.numbering?.key(text, extension: tree[.extension]?.plainText ?? "") ?? text)
    }
    return field.key == "emails" ? .text(normalized(email: text)) : tree
  }

  private static func removeRepeatedTexts(_ units: [Int], _ draft: inout CardDraft) {
    guard units.count > 1 || mayRepeatTexts(units[0], &draft) else { return }
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

  /// May two texts of a list be equal? Told by the letters and digits between its commas.
  private static func mayRepeatTexts(_ unit: Int, _ draft: inout CardDraft) -> Bool {
    var sketches: [UInt64] = []
    swap(&sketches, &draft.sketches)
    defer { swap(&sketches, &draft.sketches) }
    sketches.removeAll(keepingCapacity: true)
    let isKnown = draft.withBytes(unit, otherwise: false) { bytes, start, end in
      var sketch: UInt64 = 0
      for i in start..<end {
        if bytes[i] == ASCII.comma {
          sketches.append(sketch)
          sketch = 0
        } else {
          add(bytes[i], toText: &sketch)
        }
      }
      sketches.append(sketch)
      return true
    }
    return !isKnown || hasRepeats(&sketches)
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
      for unit in draft.units where unit.field == number && unit.isThere {
        guard let line = unit.line, found.count < most else { continue }
        found.insert(Set(draft.engine.card.values(.type, of: line).map { $0.lowercased() }))
      }
      return found
    }
  }

  // MARK: Empty values

  /// Fields that say nothing without others.
  private static let idle = FieldSet(["uid", "revision", "productID", "kind", "created"].compactMap { Person.field($0) })

  /// Leaves properties without a value out, and contacts without any.
  static func removeEmpty(_ draft: inout CardDraft) {
    var holdsSomething = false
    for unit in draft.units.indices where draft.units[unit].isThere {
      let isEmpty = isEmpty(unit, &draft)
      if !isEmpty {
        if !idle.has(draft.units[unit].field) { holdsSomething = true }
      } else if !isName(unit, draft) {
        draft.remove(unit, "it has no value; it was left out")
      }
    }
    if !holdsSomething {
      draft.isDropped = true
      draft.report("the contact has no value; it was left out")
    }
  }

  private static func isEmpty(_ unit: Int, _ draft: inout CardDraft) -> Bool {
    if draft.units[unit].isAsWritten, draft.units[unit].field != Person.unclaimedField { return false }
    if let text = draft.unclaimed(unit) {
      let telling = text.parameters.contains {
        !["type", "value", "encoding", "charset", "language", "pref"].contains($0.name.lowercased())
      }
      return !telling && text.value.allSatisfy { $0 == ";" || $0 == "," || $0.isWhitespace }
    }
    switch draft.content(unit) {
    case .value(let value): return value.tree.texts.allSatisfy(\.isEmpty)
    case .text(let text): return text.isEmpty
    case .asWritten, .unclaimed, .gone: return false
    }
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
    guard !draft.isInOrder else { return }
    draft.isOrdered = true
    draft.report("the properties were put in order")
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
    if let unit = draft.units(of: "revision").first {
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
