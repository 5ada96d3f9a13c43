// Several contacts made one: every value of all of them is kept, equal ones once.

internal import Bytes
package import CardSyntax

/// Merges contacts, field by field in the table's order. The first contact leads: its values come first and are written as it has them,
/// and the merged contact has its version.
package struct ContactMerger: ~Copyable {
  /// What differs between the contacts, since the last call of `takeFindings`. A finding's `contact` is the place among those merged.
  private var findings: [Diagnostic] = []
  private let identity: ValueIdentity
  private var groups = MergedGroups()
  private var unclaimed: [UnclaimedText] = []
  private var unclaimedTexts = Set<String>()
  private var details: [(key: String, annotations: Annotations)] = []
  private var version = CardVersion.v40
  private var scratch = ByteBuffer()

  package init(numbering: PhoneNumbering) { identity = ValueIdentity(numbering: numbering) }

  /// The findings since the last call.
  package mutating func takeFindings() -> [Diagnostic] {
    defer { findings = [] }
    return findings
  }

  /// The contact that all of them make. There must be one at least.
  package mutating func merge(_ members: [KeptRecord]) -> Record {
    var merged = Record()
    guard let first = members.first else { return merged }
    version = first.record.version
    merged.begin(source: [], version: version)
    groups = MergedGroups(members)
    unclaimed = []
    unclaimedTexts = []
    details = []
    let places = members.map { Self.fieldPlaces($0.record) }
    for number in Person.fields.indices where number != Person.detailsField && number != Person.unclaimedField {
      let field = Person.fields[number]
      let holders = members.indices.filter { places[$0][number] >= 0 }
      guard !holders.isEmpty else { continue }
      let values = holders.map { (member: $0, index: places[$0][number]) }
      if number == 0 {
        if values[0].member == 0 { copy(number, values[0], members, to: &merged) }
      } else if field.isOne {
        mergeOne(number, field, values, members, to: &merged)
      } else {
        mergeMany(number, field, values, members, to: &merged)
      }
    }
    send(details, to: &merged)
    mergeUnclaimed(members, places, to: &merged)
    return merged
  }

  /// Where the value of each field begins; -1 where a record has none.
  private static func fieldPlaces(_ record: borrowing Record) -> [Int] {
    var places = Array(repeating: -1, count: Person.fields.count)
    var i = 0
    while i < record.tokens.count {
      if record.tokens[i].operation == .field, i + 1 < record.tokens.count, !record.isEmptyValue(i + 1) {
        places[Int(record.tokens[i].start)] = i + 1
      }
      i = record.next(i)
    }
    return places
  }

  private func copy(_ number: Int, _ value: (member: Int, index: Int), _ members: [KeptRecord], to merged: inout Record) {
    merged.field(number)
    let kept = members[value.member]
    merged.append(range: value.index, kept.record.next(value.index), of: kept.record)
  }

  private mutating func identityText(_ number: Int, _ index: Int, _ record: borrowing Record) -> [UInt8] {
    scratch.removeAll()
    identity.append(number, index, of: record, to: &scratch)
    return scratch.array()
  }

  // MARK: Fields of one value

  private mutating func mergeOne(
    _ number: Int, _ field: Field, _ values: [(member: Int, index: Int)], _ members: [KeptRecord], to merged: inout Record
  ) {
    var chosen = values[0]
    if field.prefersLatest {
      for value in values.dropFirst() {
        let (old, new) = (members[chosen.member].record.string(chosen.index), members[value.member].record.string(value.index))
        if new > old { chosen = value }
      }
    }
    var parts = MergedParts(chosen.index, of: members[chosen.member].record, member: chosen.member)
    let own = identityText(number, chosen.index, members[chosen.member].record)
    for value in values where value.member != chosen.member {
      let kept = members[value.member]
      if identityText(number, value.index, kept.record) == own { continue }
      let other = MergedParts(value.index, of: kept.record, member: value.member)
      if parts.take(other, members) { continue }
      if field.prefersLatest || field.isTellingOfProgram { continue }
      keepBeside(number, field, value, chosen, members)
    }
    merged.field(number)
    parts.send(members, to: &merged)
    if let annotations = detailsOf(field, members[chosen.member].record) {
      details.append((field.key, groups.renamed(annotations, chosen.member)))
    }
  }

  private func detailsOf(_ field: Field, _ record: borrowing Record) -> Annotations? {
    guard let index = record.value(ofField: Person.detailsField), record.tokens[index].operation == .openObject else { return nil }
    for place in record.elements(index) where record.tokens[place].operation == .key && record.string(place) == field.key {
      return Annotations(record, at: place + 1)
    }
    return nil
  }

  /// Keeps a value that differs from the one that the field holds, as a line of its own.
  private mutating func keepBeside(
    _ number: Int, _ field: Field, _ value: (member: Int, index: Int), _ chosen: (member: Int, index: Int), _ members: [KeptRecord]
  ) {
    let holder = members[value.member]
    let annotations = detailsOf(field, holder.record).map { groups.renamed($0, value.member) }
    let lines = UnclaimedText.lines(of: number, at: value.index, in: holder.record, annotations, version: version)
    var name = field.name(in: version)
    for line in lines {
      if case .written(let other) = line.fate(in: version, from: version, has: { _ in true }) { name = other }
      addUnclaimed(line)
    }
    let (kept, other) = (Self.shown(chosen.index, of: members[chosen.member].record), Self.shown(value.index, of: holder.record))
    findings.append(
      Diagnostic(
        .mergeConflict, "the merged contacts differ: \"\(kept)\" stays, \"\(other)\" is kept beside it as \(name.uppercased())",
        property: field.name(in: version), contact: value.member))
  }

  /// A value as a message quotes it.
  private static func shown(_ index: Int, of record: borrowing Record) -> String {
    var texts: [String] = []
    for i in index..<record.next(index) where record.tokens[i].operation == .text { texts.append(record.string(i)) }
    let text = texts.filter { !$0.isEmpty }.joined(separator: " ")
    return text.count > 60 ? text.prefix(57) + "..." : text
  }

  private func send(_ details: [(key: String, annotations: Annotations)], to merged: inout Record) {
    let told = details.filter { !$0.annotations.isEmpty }
    guard !told.isEmpty else { return }
    merged.field(Person.detailsField)
    merged.open()
    for detail in told {
      merged.key(detail.key)
      merged.open()
      detail.annotations.send(to: &merged)
      merged.close()
    }
    merged.close()
  }

  // MARK: Fields of many values

  /// A value in the making.
  private struct Element {
    var parts: MergedParts
    var annotations: Annotations
    var identity: [UInt8]
  }

  private mutating func mergeMany(
    _ number: Int, _ field: Field, _ values: [(member: Int, index: Int)], _ members: [KeptRecord], to merged: inout Record
  ) {
    var elements: [Element] = []
    var known = KnownElements()
    for value in values {
      let kept = members[value.member]
      let isList = kept.record.tokens[value.index].operation == .openList
      let begin = elements.count
      for place in isList ? kept.record.elements(value.index) : [value.index] where !kept.record.isEmptyValue(place) {
        let own = Element(
          parts: MergedParts(place, of: kept.record, member: value.member),
          annotations: groups.renamed(Annotations(kept.record, at: place), value.member),
          identity: identityText(number, place, kept.record))
        // Repeats within one contact are its own affair.
        if let target = partner(of: own, field, elements, before: begin, known, members) {
          join(own, &elements[target], field, value.member)
        } else {
          var own = own
          if let id = own.annotations.id, let other = known.byID[id], other < begin {
            releaseIdentifier(id, field, value.member)
            own.annotations.id = nil
          }
          known.add(own, at: elements.count, field, members)
          elements.append(own)
        }
      }
    }
    guard !elements.isEmpty else { return }
    var isTexts = false
    if case .texts = field.layout { isTexts = true }
    merged.field(number)
    merged.open(list: true)
    for element in elements {
      if isTexts, element.annotations.isEmpty {
        element.parts.send(members, to: &merged)
      } else {
        merged.open()
        element.parts.sendParts(members, to: &merged)
        element.annotations.send(to: &merged)
        merged.close()
      }
    }
    merged.close()
  }

  /// Where elements are found again by what they say. The work for one value does not grow with the number of values.
  private struct KnownElements {
    private(set) var byIdentity: [[UInt8]: Int] = [:]
    private(set) var byID: [String: Int] = [:]
    private var byLeadingPart: [String: [Int]] = [:]

    mutating func add(_ element: Element, at place: Int, _ field: Field, _ members: [KeptRecord]) {
      if byIdentity[element.identity] == nil { byIdentity[element.identity] = place }
      if let id = element.annotations.id, byID[id] == nil { byID[id] = place }
      for key in Self.leadingParts(element, field, members) where byLeadingPart[key, default: []].count < 16 {
        byLeadingPart[key, default: []].append(place)
      }
    }

    /// Elements that have a leading part in common with this one.
    func sharing(_ element: Element, _ field: Field, _ members: [KeptRecord]) -> [Int] {
      Self.leadingParts(element, field, members).flatMap { byLeadingPart[$0] ?? [] }
    }

    private static func leadingParts(_ element: Element, _ field: Field, _ members: [KeptRecord]) -> [String] {
      field.kind.leadingParts.compactMap { name in element.parts.text(name, members).map { name.key + "\u{0}" + $0 } }
    }
  }

  /// The value of earlier contacts that says the same: equal, or with the same identifier or leading part where no part differs. Values
  /// in different languages are different ones.
  private func partner(
    of own: Element, _ field: Field, _ elements: [Element], before end: Int, _ known: KnownElements, _ members: [KeptRecord]
  ) -> Int? {
    func mayJoin(_ place: Int) -> Bool {
      guard place < end else { return false }
      guard let a = own.annotations.language?.lowercased(), let b = elements[place].annotations.language?.lowercased() else { return true }
      return a == b
    }
    let equal = known.byIdentity[own.identity]
    let sameID = own.annotations.id.flatMap { known.byID[$0] }
    // Of several equal ones, the one with the same identifier.
    if let sameID, mayJoin(sameID), elements[sameID].identity == own.identity { return sameID }
    if let equal, mayJoin(equal) { return equal }
    guard field.kind.fillsParts else { return nil }
    return ([sameID].compactMap { $0 } + known.sharing(own, field, members)).first {
      mayJoin($0) && elements[$0].parts.accepts(own.parts, members)
    }
  }

  private mutating func join(_ own: Element, _ target: inout Element, _ field: Field, _ member: Int) {
    // A value of one text is complete; an extension that one number has typed behind it must not stand there twice.
    if field.kind.fillsParts { target.parts.fill(from: own.parts) }
    let old = target.annotations
    var all = old
    for label in own.annotations.labels where !all.labels.contains(where: { $0.lowercased() == label.lowercased() }) {
      all.labels.append(label)
    }
    all.preference = old.preference ?? own.annotations.preference
    all.language = old.language ?? own.annotations.language
    all.id = old.id ?? own.annotations.id
    all.property = old.property
    for parameter in own.annotations.parameters where old.values(parameter.name) == nil {
      // How labels and values were spelled belongs to the line that spelled them.
      if ["type", "x-ablabel", "value"].contains(parameter.name) { continue }
      all.parameters.append(parameter)
    }
    let custom = all.labels.filter { Label.isCustom($0, types: field.types) }
    if all.group == nil, custom.isEmpty { all.group = own.annotations.group }
    let theirs = own.annotations.labels.filter { Label.isCustom($0, types: field.types) }
    if let other = theirs.first(where: { label in !old.labels.contains { $0.lowercased() == label.lowercased() } }), custom.count > 1 {
      findings.append(
        Diagnostic(
          .mergeConflict, "the merged contacts label one value differently: \"\(custom[0])\" and \"\(other)\" are both kept",
          property: field.name(in: version), contact: member))
    }
    target.annotations = all
  }

  /// Two values cannot have one identifier.
  private mutating func releaseIdentifier(_ id: String, _ field: Field, _ member: Int) {
    findings.append(
      Diagnostic(
        .mergeConflict, "the merged contacts have different values with the identifier \(id); both are kept, the second without it",
        property: field.name(in: version), contact: member))
  }

  // MARK: Lines that no field holds

  private mutating func mergeUnclaimed(_ members: [KeptRecord], _ places: [[Int]], to merged: inout Record) {
    // Values that differ from those of fields come after what the contacts have.
    let conflicts = unclaimed
    unclaimed = []
    unclaimedTexts = []
    for (member, kept) in members.enumerated() {
      let index = places[member][Person.unclaimedField]
      if index >= 0 {
        for place in kept.record.elements(index) {
          guard var line = UnclaimedText(kept.record, at: place) else { continue }
          if member > 0 && line.isBlank { continue }
          line.group = line.group.map { groups.name($0, member) }
          addUnclaimed(line, always: member == 0)
        }
      }
    }
    for line in conflicts { addUnclaimed(line) }
    guard !unclaimed.isEmpty else { return }
    merged.field(Person.unclaimedField)
    merged.open(list: true)
    for line in unclaimed { line.send(to: &merged) }
    merged.close()
  }

  /// Adds a line; unless `always`, only if none says the same.
  private mutating func addUnclaimed(_ line: UnclaimedText, always: Bool = false) {
    if unclaimedTexts.insert(line.name.uppercased() + "\u{0}" + line.value).inserted || always { unclaimed.append(line) }
  }
}

extension Field {
  /// Does the field tell of the program that wrote a card, not of the person?
  var isTellingOfProgram: Bool { key == "productID" }
}

extension ValueKind {
  /// Is a value put together from parts, some of which may be missing?
  var fillsParts: Bool { !leadingParts.isEmpty }

  /// The parts that make two values of many the same one, if they are equal and no other part differs.
  var leadingParts: [Member] {
    switch self {
    case is AddressKind: [.street, .poBox, .formatted]
    case is OrganizationKind: [.name]
    case is InstantMessageKind: [.uri]
    case is SocialProfileKind: [.uri, .username]
    case is MediaKind: [.data, .uri]
    default: []
    }
  }
}

extension Label {
  /// Is the label a text of the user's own, which needs a label line of its own?
  static func isCustom(_ label: String, types: Field.Types) -> Bool { written([label], in: .v30, types: types).label == label }
}
