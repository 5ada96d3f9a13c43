// The steps of normalizing for what values are for: TYPE words, labels, and the names of properties.

internal import Bytes
internal import CardSyntax

extension NormalizationStep {
  // MARK: Labels

  /// Writes labels that have a TYPE word with that word: `mobile` as CELL, `homefax` as HOME and FAX, Apple's `_$!<Home>!$_` as HOME.
  static func unifyLabels(_ draft: inout CardDraft) {
    for unit in draft.units.indices where draft.units[unit].traits.contains(.claimed) && !draft.units[unit].traits.contains(.single) {
      if draft.units[unit].isAsWritten, !draft.units[unit].traits.contains(.labelled) || draft.hasRightLabels(unit) { continue }
      let field = draft.field(unit)
      guard var value = draft.value(unit) else { continue }
      guard value.annotations.values("type") != nil || value.annotations.values("x-ablabel") != nil else { continue }
      let old = value.annotations.spelling(in: draft.version, types: field.types)
      var new = Label.Written()
      new.more = old.more
      for word in old.types { new.add(Label.canonical(type: word, in: draft.version, types: field.types)) }
      if let label = old.label {
        if let types = Label.types(insteadOf: label, in: draft.version, types: field.types) { new.add(types) } else { new.label = label }
      }
      guard Set(new.types.map { $0.lowercased() }) != Set(old.types.map { $0.lowercased() }) || new.label != old.label else { continue }
      // A label that the property's name says is in no TYPE.
      let told = Set(Label.labels(types: old.types, label: old.label).map { $0.lowercased() })
      let implied = value.annotations.labels.filter { !told.contains($0.lowercased()) }
      value.annotations.spell(new)
      value.annotations.labels = implied + value.annotations.labels
      draft.change(unit, value, "labels are written with the canonical words")
    }
  }

  // MARK: Names of properties

  /// Writes properties under the version's own name.
  static func useStandardNames(_ draft: inout CardDraft) {
    guard draft.traits.contains(.renamed) else { return }
    for unit in draft.units.indices where draft.units[unit].traits.contains(.renamed) {
      guard let line = draft.units[unit].line else { continue }
      let field = draft.field(unit)
      let alias = Int(draft.engine.card[link: line].alias)
      let own = field.nameIndex(in: draft.version)
      guard alias < field.names.count, !draft.keepsForm(of: field) else { continue }
      if let reader = field.names[alias].reader, reader == draft.options.profile?.reader { continue }
      switch field.names[alias].role {
      case .value, .item: break
      // Apple's older form of a date has no better name in older versions.
      case .adopted where draft.version == .v40: break
      case .adopted, .part, .groupCompanion, .typeCompanion: continue
      }
      // The kind of a card has one name for companies and another for groups in older versions.
      if field.kind is KindKind && draft.version != .v40 { continue }
      // What older versions have no form for has its name for that.
      if field.kind is DateKind || field.kind is TimeZoneKind, alias == field.ownName, draft.version != .v40 { continue }
      guard var value = draft.value(unit), value.annotations.property != nil else { continue }
      // An account of an unknown service makes no URI, which is what IMPP holds.
      if field.kind is InstantMessageKind, value.tree[.service] == nil, value.tree[.uri] == nil { continue }
      value.annotations.property = nil
      draft.change(unit, value, "\(field.names[alias].text) is written as \(field.names[own].text)")
    }
  }
}

extension CardDraft {
  /// Are the TYPE words and the label of a line canonical, so that it need not be read?
  fileprivate mutating func hasRightLabels(_ unit: Int) -> Bool {
    guard let line = units[unit].line else { return false }
    if engine.card.lines[line].parameterCount > 0, !hasRightTypes(line, unit) { return false }
    let label = Int(engine.card[link: line].label)
    if label < 0 { return true }
    let scope = field(unit).types
    let isEncoded = engine.card.lines[label].flags.hasAny(of: .encoded)
    if !isEncoded, let known = Self.known(label, engine.card, scope, &canonicalWords) { return known }
    let isCanonical = Label.types(insteadOf: engine.card.text(label), in: version, types: scope) == nil
    if !isEncoded { canonicalWords.keep(isCanonical) }
    return isCanonical
  }

  /// What is known of the text of a label line.
  private static func known(
    _ label: Int, _ card: borrowing CardView, _ scope: Field.Types, _ words: inout CanonicalWords
  ) -> Bool? {
    let (start, end) = card.valueRange(label)
    let bytes = card.bytes
    return words.mayStay(label: bytes.span, start, end, of: card.version, types: scope)
  }

  private mutating func hasRightTypes(_ line: Int, _ unit: Int) -> Bool {
    let context = engine.card.headContext(line)
    if let known = canonicalHeads.value(of: line, engine.card, context) { return known }
    let scope = field(unit).types
    var words: [String] = []
    for i in engine.card.parameterRange(line) where engine.card.parameters[i].known == .type {
      engine.card.forEachValue(engine.card.parameters[i]) { words.append($0) }
    }
    let isRight = words.allSatisfy { canonicalWords.mayStay(type: $0, in: version, types: scope) }
    canonicalHeads.keep(isRight, for: line, engine.card, context)
    return isRight
  }
}

/// TYPE words and labels that were met, and whether they may stay as they are: an address book has few, again and again.
struct CanonicalWords: ~Copyable {
  /// How many words are kept for each kind of field.
  private static let most = 1000
  private var words: [Field.Types: [String: Bool]] = [:]
  private var labels = ByteMemo<Bool>()
  private var key = ByteBuffer(capacity: 64)

  mutating func mayStay(type word: String, in version: CardVersion, types scope: Field.Types) -> Bool {
    if let known = words[scope]?[word] { return known }
    let isCanonical = Label.canonical(type: word, in: version, types: scope) == [word]
    if words[scope, default: [:]].count < Self.most { words[scope, default: [:]][word] = isCanonical }
    return isCanonical
  }

  /// May the label in `bytes[start ..< end]` of a card stay as it is? Nil where that is to be found out, and kept.
  mutating func mayStay(label bytes: Span<UInt8>, _ start: Int, _ end: Int, of version: CardVersion, types scope: Field.Types) -> Bool? {
    key.removeAll()
    key.append(scope.rawValue)
    key.append(version.rawValue)
    key.append(bytes, start, end)
    return labels.value(of: key)
  }

  /// Keeps the answer about the label that was asked for last.
  mutating func keep(_ isCanonical: Bool) { labels.keep(isCanonical, for: key) }
}

extension Label.Written {
  /// Adds TYPE words that are not there yet.
  mutating func add(_ words: [String]) {
    for word in words where !types.contains(where: { $0.lowercased() == word.lowercased() }) { types.append(word) }
  }
}

extension Annotations {
  /// Gives the value these TYPE words and this label.
  mutating func spell(_ written: Label.Written) {
    labels = Label.labels(types: written.types, label: written.label, more: written.more)
    parameters.removeAll { $0.name == "type" || $0.name == "x-ablabel" }
    if !written.types.isEmpty { parameters.append(("type", written.types)) }
    if let label = written.label { parameters.append(("x-ablabel", [label])) }
  }
}
