// The steps of normalizing for what values are for: TYPE words, labels, and the names of properties.

internal import Bytes
internal import CardSyntax

extension NormalizationStep {
  // MARK: Labels

  /// Writes labels that have a TYPE word with that word: `mobile` as CELL, `homefax` as HOME and FAX, Apple's `_$!<Home>!$_` as HOME.
  static func unifyLabels(_ draft: inout CardDraft) {
    for unit in draft.units.indices where draft.units[unit].field != Person.unclaimedField {
      let field = draft.field(unit)
      if field.isOne || draft.carriesNothing(unit) { continue }
      guard var value = draft.value(unit) else { continue }
      guard value.annotations.values("type") != nil || value.annotations.values("x-ablabel") != nil else { continue }
      let old = value.annotations.spelling(in: draft.version, types: field.types)
      var new = Label.Written()
      for word in old.types { new.add(canonical(word, field, draft.version)) }
      if let label = old.label {
        let meant = Label.labels(ofApple: label)
        let types = meant.compactMap { Label.type(of: $0, in: draft.version, types: field.types) }
        if types.count == meant.count { new.add(types) } else { new.label = label }
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

  /// The TYPE words that stand for a word; the word itself where the version has none for its label, or where it is no label.
  private static func canonical(_ word: String, _ field: Field, _ version: CardVersion) -> [String] {
    let meant = Label.labels(ofType: word)
    let types = meant.compactMap { Label.type(of: $0, in: version, types: field.types) }
    guard !meant.isEmpty, types.count == meant.count else { return [word] }
    // The letter case of a right word is a habit.
    return types.count == 1 && types[0].lowercased() == word.lowercased() ? [word] : types
  }

  // MARK: Names of properties

  /// Writes properties under the version's own name.
  static func useStandardNames(_ draft: inout CardDraft) {
    for unit in draft.units.indices where draft.units[unit].field != Person.unclaimedField {
      guard let line = draft.units[unit].lines.first else { continue }
      let field = draft.field(unit)
      let alias = Int(draft.engine.card[link: line].alias)
      let own = field.nameIndex(in: draft.version)
      guard alias != own, alias < field.names.count else { continue }
      switch field.names[alias].role {
      case .value, .item: break
      // Apple's older form of a date has no better name in older versions.
      case .adopted where draft.version == .v40: break
      case .adopted, .part, .groupCompanion, .typeCompanion: continue
      }
      // The kind of a card has one name for companies and another for groups in older versions.
      if field.kind is KindKind && draft.version != .v40 { continue }
      guard var value = draft.value(unit), value.annotations.property != nil else { continue }
      value.annotations.property = nil
      draft.change(unit, value, "\(field.names[alias].text) is written as \(field.names[own].text)")
    }
  }
}

extension CardDraft {
  /// Has the line of a unit neither parameters nor a label?
  fileprivate func carriesNothing(_ unit: Int) -> Bool {
    guard case .asWritten = units[unit].content, let line = units[unit].lines.first else { return false }
    return engine.card.lines[line].parameterCount == 0 && engine.card[link: line].label < 0
  }
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
    labels = Label.labels(types: written.types, label: written.label)
    parameters.removeAll { $0.name == "type" || $0.name == "x-ablabel" }
    if !written.types.isEmpty { parameters.append(("type", written.types)) }
    if let label = written.label { parameters.append(("x-ablabel", [label])) }
  }
}
