// What becomes of the properties of a card in JSContact: entries of maps, parts of the name, texts of the Card (RFC 9555 2).

internal import Bytes
internal import CardSyntax
internal import DataSyntax

extension JSContactWriter {
  /// Writes what becomes of a line; that of places comes later.
  mutating func convert(_ i: Int, _ batch: CardBatch, _ bytes: Span<UInt8>) {
    switch lines[i].facts.kind {
    case .row: convert(row: i, batch, bytes)
    case .text: setText(i, batch, bytes)
    case .fullName: setFullName(i, bytes)
    case .name: setName(i, batch, bytes)
    case .address: addAddress(i, batch, bytes)
    case .keys: addKeys(i, bytes)
    case .relation: addRelation(i, batch, bytes)
    case .date: addDate(i, batch, bytes)
    case .groupLabel: if groups[lines[i].group].label != i { keep(i) }
    case .other: keep(i)
    case .place, .patch, .version, .location, .timeZone: break
    }
  }

  /// Sets a text of the Card. What the text does not tell stands in `vCardProps` as well.
  private mutating func setText(_ i: Int, _ batch: CardBatch, _ bytes: Span<UInt8>) {
    let number = Int(lines[i].facts.text)
    let isUID = number == JSContactText.uid
    if isUID ? hasUID : texts[number] >= 0 {
      // A language may have another spelling.
      guard number == JSContactText.language, isLanguageSpelled(property(i).text) else { return keep(i) }
    }
    let kind = value.read(lines[i].facts, bytes, lines[i].value)
    let template = self.template(i, kind) { _, property, standIns in
      let member = JSContactText.all[number]
      guard let text = member.text(property.text), !text.isEmpty, let key = member.path.last else { return nil }
      let hasMore = property.group != nil || property.parameter("prop-id") != nil
      let isKept = hasMore || member.property(text)?.saysTheSame(as: property) != true
      return JSONTemplate(JSONObject([(key, .string(text))]), standIns, isKept: isKept, isEntry: false)
    }
    guard let template else { return keep(i) }
    // The identifier has its place, and the language may come again in another spelling.
    if number == JSContactText.language, texts[number] < 0 { texts[number] = draft.reserve(in: 0) }
    if isUID || number == JSContactText.language {
      draft.begin(reserved: texts[number])
      fill(template, i, batch, bytes)
      draft.endReserved()
    } else {
      texts[number] = 0
      if number == JSContactText.gender { begin(memberOf: JSContactContainer.speakToAs) } else { draft.begin(memberOf: 0) }
      fill(template, i, batch, bytes)
    }
    if isUID { hasUID = true }
    if template.isKept { keep(i) }
  }

  /// Is the language of the Card this one, but for letter case?
  private func isLanguageSpelled(_ text: String) -> Bool {
    for i in lines.indices where lines[i].facts.text == JSContactText.language {
      let other = property(i).text
      if !other.isEmpty { return other.lowercased() == text.lowercased() }
    }
    return false
  }

  private mutating func setFullName(_ i: Int, _ bytes: Span<UInt8>) {
    guard !hasFull else { return keep(i) }
    lines[i].isName = true
    let facts = lines[i].facts
    if !isNameDerived, facts.traits.contains(.saysMore), isDerived(i) {
      isNameDerived = true
      // It comes back by itself.
      if let name = lines.indices.first(where: { lines[$0].facts.kind == .name && alternates[$0] == nil }),
        JSContactName.full(JSContactName.object(of: property(name))) == property(i).text
      {
        return
      }
    }
    hasFull = true
    begin(memberOf: JSContactContainer.name)
    draft.bytes.append("\"full\":")
    draft.bytes.appendJSONString(escaped: bytes, lines[i].value.start, lines[i].value.end, version)
    if facts.traits.contains(.saysMore) || !facts.traits.contains(.isText) { keep(i) }
  }

  /// Does a full name say that it was made of the name, and nothing else?
  private func isDerived(_ i: Int) -> Bool {
    let line = heads[lines[i].facts.head].line
    return line.parameters.count == 1 && line.group == nil && line.parameter("derived")?.first?.lowercased() == "true"
  }

  private mutating func setName(_ i: Int, _ batch: CardBatch, _ bytes: Span<UInt8>) {
    guard !hasComponents else { return keep(i) }
    let kind = value.read(lines[i].facts, bytes, lines[i].value)
    let template = self.template(i, kind) { _, property, standIns in
      let object = JSContactName.object(of: property)
      guard object["components"] != nil else { return nil }
      var copy = object
      let isWhole = JSContactName.properties(of: &copy)?.name.saysTheSame(as: property) == true
      return JSONTemplate(object, standIns, isKept: property.parameter("prop-id") != nil || !isWhole, isEntry: false)
    }
    guard let template else { return keep(i) }
    hasComponents = true
    lines[i].isName = true
    begin(memberOf: JSContactContainer.name)
    fill(template, i, batch, bytes)
    if template.isKept { keep(i) }
  }

  // MARK: Entries

  /// The key of an entry: a number behind what made identifiers of its map begin with, or the PROP-ID of the line.
  private enum Key: BitwiseCopyable {
    case made(Int), own

    var isOwn: Bool { if case .own = self { true } else { false } }
  }

  /// The key for the object of a line: PROP-ID where it is one and free, else a made one.
  private mutating func key(_ i: Int, takesOwn: Bool = true) -> Key {
    let facts = lines[i].facts
    let container = Int(facts.container)
    if takesOwn, facts.traits.contains(.hasRightID), let id = heads[facts.head].id {
      let start = draft.bytes.count
      draft.bytes.appendJSONString(id)
      defer { draft.bytes.truncate(to: start) }
      if containers[container] < 0 || !draft.has(containers[container], keyFrom: start) { return .own }
    }
    let taken = reserved.isEmpty ? nil : reserved[container]
    // A prefix belongs to one map.
    let prefix = Int(facts.prefix)
    repeat { counters[prefix] += 1 } while taken?.contains(JSContactHead.prefixes[prefix] + "-\(counters[prefix])") ?? false
    return .made(counters[prefix])
  }

  /// Adds the object of a line under a key.
  private mutating func add(_ template: JSONTemplates.Template, _ i: Int, _ key: Key, _ batch: CardBatch, _ bytes: Span<UInt8>) {
    let facts = lines[i].facts
    let container = begin(memberOf: Int(facts.container))
    let start = draft.bytes.count
    switch key {
    case .made(let number):
      let prefix = prefixes[Int(facts.prefix)]
      draft.bytes.append(templates.texts, prefix.start, prefix.end)
      draft.bytes.append(decimal: number)
      draft.bytes.append(ASCII.quote)
    case .own:
      draft.bytes.appendJSONString(heads[facts.head].id ?? "")
      draft.note(Piece(start: start, end: draft.bytes.count), of: container)
    }
    addObject(template, i, Piece(start: start, end: draft.bytes.count), batch, bytes)
  }

  /// Adds the object of a line behind its key.
  private mutating func addObject(
    _ template: JSONTemplates.Template, _ i: Int, _ key: Piece, _ batch: CardBatch, _ bytes: Span<UInt8>
  ) {
    fill(template, i, batch, bytes)
    lines[i].key = key
    lines[i].objectEnd = draft.bytes.count - 1
    (lines[i].hasCoordinates, lines[i].hasTimeZone) = (template.hasCoordinates, template.hasTimeZone)
  }

  private mutating func convert(row i: Int, _ batch: CardBatch, _ bytes: Span<UInt8>) {
    let facts = lines[i].facts
    let (start, end) = (lines[i].value.start, lines[i].value.end)
    guard facts.cut == .list else { return add(row: i, value.read(facts, bytes, lines[i].value), part: nil, batch, bytes) }
    // A list: one object for each text; what the line carries goes with each.
    var from = start
    while true {
      let stop = min(Escaping.firstSeparator(ASCII.comma, in: bytes, from: from, to: end), end)
      let kind = value.take(facts, bytes, Piece(start: from, end: stop))
      add(row: i, kind, part: from == start && stop == end ? nil : from == start ? 0 : 1, batch, bytes)
      guard stop < end else { return }
      from = stop + 1
    }
  }

  /// Adds the object of a line whose value was read. `part` tells the first of several texts from the others.
  private mutating func add(row i: Int, _ kind: UInt64?, part: Int?, _ batch: CardBatch, _ bytes: Span<UInt8>) {
    var context: Context = []
    let group = lines[i].group
    let isLabelled = group > 0 && lines[i].facts.traits.contains(.takesLabel) && groups[group].label >= 0
    if isLabelled, groups[group].count == 1 { context.insert(.dropsGroup) }
    let isLater = part.map { $0 > 0 } ?? false
    let key = key(i, takesOwn: !isLater)
    if key.isOwn || isLater { context.insert(.takesID) }
    if isLabelled {
      context.insert(.hasLabel)
      if hasAppleLabel(group) { context.insert(.hasWrittenLabel) }
    }
    let labels = isLabelled && kind == nil ? label(i) : ""
    let template = self.template(i, kind, context) { head, plain, standIns in
      guard let row = head.row, var object = row.object(of: plain) else { return nil }
      var copy = object
      guard let back = row.property(of: &copy), copy.isEmpty, back.saysTheSame(as: plain) else { return nil }
      if context.contains(.hasLabel) {
        let hasStandIns = standIns != .none
        let text = hasStandIns ? StandIn.text(JSONTemplate.Hole.groupLabelNumber) : Label.plain(appleLabel: labels)
        let written = hasStandIns ? StandIn.text(JSONTemplate.Hole.writtenGroupLabelNumber) : labels
        object["label"] = .string(text)
        if context.contains(.hasWrittenLabel) {
          var rest = object["vCardParams"]?.members ?? JSONObject()
          rest[Self.label] = .string(written)
          object["vCardParams"] = .object(rest)
        }
      }
      return JSONTemplate(object, standIns)
    }
    guard let template else {
      guard part != nil else { return keep(i) }
      var property = property(i)
      property.values = [[[plain(value.texts[0])]]]
      if isLater { _ = property.take("prop-id") }
      return keep(property)
    }
    if isLabelled { groups[group].isLabelUsed = true }
    add(template, i, key, batch, bytes)
  }

  /// Is the label of a group one of Apple's own, which reads otherwise than it is written? (A call that is not inlined copies the writer.)
  @inline(__always)
  func hasAppleLabel(_ group: Int) -> Bool {
    guard let batch else { return false }
    let text = lines[groups[group].label].value
    let bytes = batch.bytes
    return text.end - text.start > 8 && Words.load(bytes.span, text.start) & 0xFFFF_FFFF == 0x3C21_245F  // _$!<
      && Words.load(bytes.span, text.end - 8) >> 32 == 0x5F24_213E  // >!$_
  }

  private mutating func addAddress(_ i: Int, _ batch: CardBatch, _ bytes: Span<UInt8>) {
    let kind = value.read(lines[i].facts, bytes, lines[i].value)
    let key = key(i)
    let template = self.template(i, kind, key.isOwn ? .takesID : []) { _, property, standIns in
      guard let object = JSContactAddress.object(of: property) else { return nil }
      var copy = object
      let isWhole = JSContactAddress.properties(of: &copy)?.address.saysTheSame(as: property) == true
      let isEmpty = object.members.allSatisfy { $0.key == "vCardParams" || $0.key == "contexts" || $0.key == "pref" }
      // With an identifier that another address has already, the property could not be found by the one it stands under.
      guard !isEmpty, isWhole || property.parameter("prop-id") == nil else { return nil }
      return JSONTemplate(object, standIns, isKept: !isWhole)
    }
    guard let template else { return keep(i) }
    add(template, i, key, batch, bytes)
    if template.isKept {
      // What the components do not tell stands beside them, under the same identifier.
      var same = changed(property(i), key.isOwn ? .takesID : [])
      same.parameters.append(("prop-id", [id(of: i)]))
      keep(same)
    }
  }

  /// The identifier of the object of a line.
  private func id(of i: Int) -> String {
    let key = lines[i].key
    return draft.bytes.withBytes { $0.text(key.start + 1, key.end - 1) }
  }

  /// The path of the object of a line; nil where it has none.
  func path(of i: Int) -> [String]? {
    if lines[i].isName { return ["name"] }
    return lines[i].hasObject ? JSContactContainer.all[Int(lines[i].facts.container)].path + [id(of: i)] : nil
  }

  /// GEO and TZ belong to the address of their group (RFC 9555 2.8.3), else they are addresses of their own.
  mutating func convert(place i: Int, _ batch: CardBatch, _ bytes: Span<UInt8>) {
    let kind = value.read(lines[i].facts, bytes, lines[i].value)
    let isLocation = lines[i].facts.kind == .location
    let bare = template(i, kind, .isBare) { _, property, standIns in
      guard let object = JSContactAddress.object(of: property), let value = object[isLocation ? "coordinates" : "timeZone"] else {
        return nil
      }
      return JSONTemplate(JSONObject([(isLocation ? "coordinates" : "timeZone", value)]), standIns, isEntry: false)
    }
    guard let bare else { return keep(i) }
    if lines[i].group > 0 || hasPlaceGroups, let address = freeAddress(lines[i].group, isLocation) {
      let start = draft.beginInsertion()
      draft.bytes.append(ASCII.comma)
      fill(bare, i, batch, bytes)
      draft.insert(from: start, at: lines[address].objectEnd)
      return keep(i)
    }
    let key = key(i)
    let template = self.template(i, kind, key.isOwn ? .takesID : []) { _, property, standIns in
      guard let object = JSContactAddress.object(of: property) else { return nil }
      var copy = object
      guard JSContactAddress.properties(of: &copy)?.address.saysTheSame(as: property) == true else { return nil }
      return JSONTemplate(object, standIns)
    }
    guard let template else { return keep(i) }
    add(template, i, key, batch, bytes)
  }

  /// The first address of a group that has no coordinates yet, or no zone; from now on it has.
  private mutating func freeAddress(_ group: Int, _ isLocation: Bool) -> Int? {
    var mark = isLocation ? groups[group].coordinatesMark : groups[group].timeZoneMark
    defer { if isLocation { groups[group].coordinatesMark = mark } else { groups[group].timeZoneMark = mark } }
    while mark >= 0 {
      let address = mark
      mark = lines[address].nextAddress
      guard lines[address].hasObject, !(isLocation ? lines[address].hasCoordinates : lines[address].hasTimeZone) else { continue }
      return address
    }
    return nil
  }

  // MARK: Keys, dates

  /// Categories and members are keys of their containers.
  private mutating func addKeys(_ i: Int, _ bytes: Span<UInt8>) {
    let facts = lines[i].facts
    let whole = lines[i].value
    func partEnd(_ from: Int) -> Int {
      facts.cut == .list ? min(Escaping.firstSeparator(ASCII.comma, in: bytes, from: from, to: whole.end), whole.end) : whole.end
    }
    var from = whole.start
    while true {
      let stop = partEnd(from)
      let part = Piece(start: from, end: stop)
      if part.isEmpty || facts.traits.contains(.isMember) && !hasImpliedType(i, part) { return keep(i) }
      guard stop < whole.end else { break }
      from = stop + 1
    }
    var repeats: [[[String]]] = []
    from = whole.start
    while true {
      let stop = partEnd(from)
      let before = draft.bytes.count
      let object = begin(memberOf: Int(facts.container))
      let start = draft.bytes.count
      draft.bytes.appendJSONString(escaped: bytes, from, stop, version)
      if draft.has(object, keyFrom: start) {
        draft.bytes.truncate(to: before)
        repeats.append([[plain(Piece(start: from, end: stop))]])
      } else {
        draft.note(Piece(start: start, end: draft.bytes.count), of: object)
        draft.bytes.append(":true")
      }
      guard stop < whole.end else { break }
      from = stop + 1
    }
    if facts.traits.contains(.saysMore) {
      keep(i)
    } else if !repeats.isEmpty {
      var rest = property(i)
      rest.values = repeats
      keep(rest)
    }
  }

  /// Has the property the type that its value has where nothing is said?
  private func hasImpliedType(_ i: Int, _ text: Piece) -> Bool {
    let line = heads[lines[i].facts.head].line
    return line.type == JSContactParameters.impliedType(line.name, plain(text))
  }

  private mutating func addRelation(_ i: Int, _ batch: CardBatch, _ bytes: Span<UInt8>) {
    let facts = lines[i].facts
    let text = lines[i].value
    guard !text.isEmpty else { return keep(i) }
    let kind = value.read(facts, bytes, text)
    let template = self.template(i, kind) { _, property, standIns in
      var rest = property
      var relation = JSONObject()
      for type in rest.take("type") ?? [] { relation[type.lowercased()] = .bool(true) }
      var object = JSONObject([("relation", .object(relation))])
      object["vCardParams"] = JSContactParameters.rest(of: rest)
      return JSONTemplate(object, standIns)
    }
    guard let template else { return }
    let before = draft.bytes.count
    let object = begin(memberOf: Int(facts.container))
    let start = draft.bytes.count
    draft.bytes.appendJSONString(escaped: bytes, text.start, text.end, version)
    if draft.has(object, keyFrom: start) {
      draft.bytes.truncate(to: before)
      return keep(i)
    }
    let key = Piece(start: start, end: draft.bytes.count)
    draft.note(key, of: object)
    addObject(template, i, key, batch, bytes)
  }

  private mutating func addDate(_ i: Int, _ batch: CardBatch, _ bytes: Span<UInt8>) {
    let facts = lines[i].facts
    let kind = value.read(facts, bytes, lines[i].value)
    let key = key(i)
    if facts.event >= 0, seenEvents >> Int(facts.event) & 1 == 1 { return keep(i) }
    let template = self.template(i, kind, key.isOwn ? .takesID : []) { head, plain, standIns in
      guard let anniversary = head.anniversary, let object = anniversary.object(of: plain) else { return nil }
      var copy = object
      guard let back = anniversary.properties(of: &copy)?.date, copy.isEmpty, back.saysTheSame(as: plain) else { return nil }
      return JSONTemplate(object, standIns)
    }
    guard let template else { return keep(i) }
    add(template, i, key, batch, bytes)
    guard facts.event >= 0 else { return }
    seenEvents |= 1 << Int(facts.event)
    if hasEventPlaces { addPlace(of: i) }
  }

  /// Adds the place of an event to it.
  private mutating func addPlace(of i: Int) {
    let anniversary = heads[lines[i].facts.head].anniversary
    for k in lines.indices where lines[k].facts.kind == .place && lines[k].facts.event == lines[i].facts.event {
      guard let address = anniversary?.place(of: property(k)) else { continue }
      let start = draft.beginInsertion()
      draft.bytes.append(",\"place\":")
      JSONTree.object(address).write(to: &draft.bytes)
      draft.insert(from: start, at: lines[i].objectEnd)
      lines[k].isPlaced = true
      return
    }
  }

  /// Titles of a group that has one organization belong to it (RFC 9555 2.9.6). Places without their date are kept.
  mutating func setOrganizations() {
    for i in lines.indices {
      let line = lines[i]
      if line.facts.kind == .place, !line.isPlaced { keep(i) }
      let group = groups[line.group]
      guard line.group > 0, line.hasObject, line.facts.traits.contains(.isTitle), group.organizationCount == 1,
        lines[group.organization].hasObject
      else { continue }
      let id = id(of: group.organization)
      let start = draft.beginInsertion()
      draft.bytes.append(",\"organizationId\":")
      draft.bytes.appendJSONString(id)
      draft.insert(from: start, at: line.objectEnd)
    }
  }
}
