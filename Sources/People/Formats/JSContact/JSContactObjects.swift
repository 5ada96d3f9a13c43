// What becomes of the properties of a card in JSContact: entries of maps, parts of the name, texts of the Card (RFC 9555 2).

internal import Bytes
internal import CardSyntax
internal import DataSyntax

extension JSContactWriter {
  /// Writes what becomes of a line.
  mutating func convert(_ i: Int, _ batch: CardBatch) {
    switch lines[i].head.kind {
    case .row: convert(row: i, batch)
    case .text: setText(i, batch)
    case .fullName: setFullName(i, batch)
    case .name: setName(i, batch)
    case .address: addAddress(i, batch)
    case .keys: addKeys(i, batch)
    case .relation: addRelation(i, batch)
    case .date: addDate(i, batch)
    case .groupLabel: if groups[lines[i].group].label != i { keep(i) }
    case .other: keep(i)
    case .place, .patch, .version, .location, .timeZone: break
    }
  }

  /// Sets a text of the Card. What the text does not tell stands in `vCardProps` as well.
  private mutating func setText(_ i: Int, _ batch: CardBatch) {
    let number = lines[i].head.text
    let isUID = number == JSContactText.uid
    if isUID ? hasUID : texts[number] >= 0 {
      // A language may have another spelling.
      guard number == JSContactText.language, isLanguageSpelled(property(i).text) else { return keep(i) }
    }
    let kind = readValue(i, batch)
    let template = self.template(i, kind) { property, standIns in
      let member = JSContactText.all[number]
      guard let text = member.text(property.text), !text.isEmpty, let key = member.path.last else { return nil }
      let hasMore = property.group != nil || property.parameter("prop-id") != nil
      let isKept = hasMore || member.property(text)?.saysTheSame(as: property) != true
      return JSONTemplate(JSONObject([(key, .string(text))]), standIns, isKept: isKept)
    }
    guard let template else { return keep(i) }
    let object = number == JSContactText.gender ? container(JSContactContainer.speakToAs) : 0
    let start = draft.bytes.count
    fill(template, i, batch)
    if texts[number] >= 0 {
      draft.replace(texts[number], from: start)
    } else {
      texts[number] = draft.add(to: object, from: start)
    }
    if isUID { hasUID = true }
    if template.isKept { keep(i) }
  }

  /// Is the language of the Card this one, but for letter case?
  private func isLanguageSpelled(_ text: String) -> Bool {
    for i in lines.indices where lines[i].head.text == JSContactText.language {
      let other = property(i).text
      if !other.isEmpty { return other.lowercased() == text.lowercased() }
    }
    return false
  }

  private mutating func setFullName(_ i: Int, _ batch: CardBatch) {
    guard !hasFull else { return keep(i) }
    lines[i].isName = true
    let head = lines[i].head
    if !isNameDerived, head.line.parameters.count == 1, head.line.group == nil,
      head.line.parameter("derived")?.first?.lowercased() == "true"
    {
      isNameDerived = true
      // It comes back by itself.
      if let name = lines.indices.first(where: { lines[$0].head.kind == .name && alternates[$0] == nil }),
        JSContactName.full(JSContactName.object(of: property(name))) == property(i).text
      {
        return
      }
    }
    hasFull = true
    let entry = batch.lines[lines[i].place]
    let name = container(JSContactContainer.name)
    let start = draft.bytes.count
    draft.bytes.append("\"full\":")
    let bytes = batch.bytes
    draft.bytes.appendJSONString(escaped: bytes.span, Int(entry.valueStart), Int(entry.valueEnd), batch.cards[index].version)
    draft.add(to: name, from: start)
    if head.saysMore || head.line.type != "text" { keep(i) }
  }

  private mutating func setName(_ i: Int, _ batch: CardBatch) {
    guard !hasComponents else { return keep(i) }
    let kind = readValue(i, batch)
    let template = self.template(i, kind) { property, standIns in
      let object = JSContactName.object(of: property)
      guard object["components"] != nil else { return nil }
      var copy = object
      let isWhole = JSContactName.properties(of: &copy)?.name.saysTheSame(as: property) == true
      return JSONTemplate(object, standIns, isKept: property.parameter("prop-id") != nil || !isWhole)
    }
    guard let template else { return keep(i) }
    hasComponents = true
    lines[i].isName = true
    let name = container(JSContactContainer.name)
    let start = draft.bytes.count
    fill(template, i, batch)
    draft.add(to: name, from: start)
    if template.isKept { keep(i) }
  }

  /// Writes the identifier of an object as its key: PROP-ID where it is one and free, which is said, else a made one.
  private mutating func addID(_ i: Int, takesOwn: Bool = true) -> Bool {
    let head = lines[i].head
    let start = draft.bytes.count
    if takesOwn, head.hasRightID, let id = head.id {
      draft.bytes.appendJSONString(id)
      if containers[head.container] < 0 || !draft.has(containers[head.container], keyFrom: start) { return true }
      draft.bytes.truncate(to: start)
    }
    let taken = reserved.isEmpty ? nil : reserved[head.container]
    // A prefix belongs to one map.
    repeat { counters[head.prefixNumber] += 1 } while taken.map { $0.contains(madeID(head)) } ?? false
    draft.bytes.append(head.prefix)
    draft.bytes.append(decimal: counters[head.prefixNumber])
    draft.bytes.append(ASCII.quote)
    return false
  }

  private func madeID(_ head: JSContactHead) -> String {
    String(decoding: head.prefix.dropFirst(), as: UTF8.self) + "\(counters[head.prefixNumber])"
  }

  /// Adds the object of a line behind its identifier, which begins at `start`.
  private mutating func add(_ template: JSONTemplate, _ i: Int, _ batch: CardBatch, from start: Int) {
    let keyEnd = draft.bytes.count
    draft.bytes.append(ASCII.colon)
    draft.bytes.append(UInt8(ascii: "{"))
    fill(template, i, batch)
    let end = draft.bytes.count
    let container = self.container(lines[i].head.container)
    lines[i].object = draft.add(to: container, from: start, keyEnd: keyEnd, end: end, isObject: true)
    (lines[i].hasCoordinates, lines[i].hasTimeZone) = (template.hasCoordinates, template.hasTimeZone)
  }

  private mutating func convert(row i: Int, _ batch: CardBatch) {
    let head = lines[i].head
    let entry = batch.lines[lines[i].place]
    let bytes = batch.bytes
    let (start, end) = (Int(entry.valueStart), Int(entry.valueEnd))
    guard head.cut == .list else { return add(row: i, batch, readValue(i, batch), part: nil) }
    // A list: one object for each text; what the line carries goes with each.
    var from = start
    while true {
      let stop = min(Escaping.firstSeparator(ASCII.comma, in: bytes.span, from: from, to: end), end)
      let kind = value.take(head, bytes.span, from, stop)
      add(row: i, batch, kind, part: from == start && stop == end ? nil : from == start ? 0 : 1)
      guard stop < end else { return }
      from = stop + 1
    }
  }

  /// Adds the object of a line whose value was read. `part` tells the first of several texts from the others.
  private mutating func add(row i: Int, _ batch: CardBatch, _ kind: UInt64?, part: Int?) {
    let head = lines[i].head
    let start = draft.bytes.count
    var context: Context = []
    let group = lines[i].group
    let isLabelled = group > 0 && head.takesLabel && groups[group].label >= 0
    if isLabelled, groups[group].count == 1 { context.insert(.dropsGroup) }
    let isLater = part.map { $0 > 0 } ?? false
    if addID(i, takesOwn: !isLater) || isLater { context.insert(.takesID) }
    if isLabelled {
      context.insert(.hasLabel)
      if hasAppleLabel(group) { context.insert(.hasWrittenLabel) }
    }
    let labels = context.contains(.hasLabel) && kind == nil ? label(i) : ""
    let template = self.template(i, kind, context) { plain, standIns in
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
      draft.bytes.truncate(to: start)
      guard part != nil else { return keep(i) }
      var property = property(i)
      property.values = [[[plain(value.texts[0])]]]
      if isLater { _ = property.take("prop-id") }
      return keep(property)
    }
    if isLabelled { groups[group].isLabelUsed = true }
    add(template, i, batch, from: start)
  }

  /// Is the label of a group one of Apple's own, which reads otherwise than it is written?
  func hasAppleLabel(_ group: Int) -> Bool {
    guard let batch else { return false }
    let entry = batch.lines[lines[groups[group].label].place]
    let (start, end) = (Int(entry.valueStart), Int(entry.valueEnd))
    let bytes = batch.bytes
    return end - start > 8 && Words.load(bytes.span, start) & 0xFFFF_FFFF == 0x3C21_245F  // _$!<
      && Words.load(bytes.span, end - 8) >> 32 == 0x5F24_213E  // >!$_
  }

  private mutating func addAddress(_ i: Int, _ batch: CardBatch) {
    let start = draft.bytes.count
    let kind = readValue(i, batch)
    let isOwn = addID(i)
    let template = self.template(i, kind, isOwn ? .takesID : []) { property, standIns in
      guard let object = JSContactAddress.object(of: property) else { return nil }
      var copy = object
      let isWhole = JSContactAddress.properties(of: &copy)?.address.saysTheSame(as: property) == true
      let isEmpty = object.members.allSatisfy { $0.key == "vCardParams" || $0.key == "contexts" || $0.key == "pref" }
      // With an identifier that another address has already, the property could not be found by the one it stands under.
      guard !isEmpty, isWhole || property.parameter("prop-id") == nil else { return nil }
      return JSONTemplate(object, standIns, isKept: !isWhole)
    }
    guard let template else {
      draft.bytes.truncate(to: start)
      return keep(i)
    }
    add(template, i, batch, from: start)
    if template.isKept {
      // What the components do not tell stands beside them, under the same identifier.
      var same = changed(property(i), isOwn ? .takesID : [])
      same.parameters.append(("prop-id", [id(of: i)]))
      keep(same)
    }
  }

  /// The identifier of the object of a line.
  private func id(of i: Int) -> String {
    var key = ByteBuffer(capacity: 64)
    draft.appendKey(of: lines[i].object, to: &key)
    return String(key.text().dropFirst().dropLast())
  }

  /// The path of the object of a line; nil where it has none.
  func path(of i: Int) -> [String]? {
    if lines[i].isName { return ["name"] }
    return lines[i].object < 0 ? nil : JSContactContainer.all[lines[i].head.container].path + [id(of: i)]
  }

  /// GEO and TZ belong to the address of their group (RFC 9555 2.8.3), else they are addresses of their own.
  mutating func convert(place i: Int, _ batch: CardBatch) {
    let kind = readValue(i, batch)
    let isLocation = lines[i].head.kind == .location
    let bare = template(i, kind, .isBare) { property, standIns in
      guard let object = JSContactAddress.object(of: property), let value = object[isLocation ? "coordinates" : "timeZone"] else {
        return nil
      }
      return JSONTemplate(JSONObject([(isLocation ? "coordinates" : "timeZone", value)]), standIns)
    }
    guard let bare else { return keep(i) }
    if lines[i].group > 0 || hasPlaceGroups, let address = freeAddress(lines[i].group, isLocation) {
      let start = draft.bytes.count
      fill(bare, i, batch)
      draft.add(to: lines[address].object, from: start)
      return keep(i)
    }
    let start = draft.bytes.count
    let isOwn = addID(i)
    let template = self.template(i, kind, isOwn ? .takesID : []) { property, standIns in
      guard let object = JSContactAddress.object(of: property) else { return nil }
      var copy = object
      guard JSContactAddress.properties(of: &copy)?.address.saysTheSame(as: property) == true else { return nil }
      return JSONTemplate(object, standIns)
    }
    guard let template else {
      draft.bytes.truncate(to: start)
      return keep(i)
    }
    add(template, i, batch, from: start)
  }

  /// The first address of a group that has no coordinates yet, or no zone; from now on it has.
  private mutating func freeAddress(_ group: Int, _ isLocation: Bool) -> Int? {
    var mark = isLocation ? groups[group].coordinatesMark : groups[group].timeZoneMark
    defer { if isLocation { groups[group].coordinatesMark = mark } else { groups[group].timeZoneMark = mark } }
    while mark < groups[group].addresses.count {
      let address = groups[group].addresses[mark]
      mark += 1
      guard lines[address].object >= 0, !(isLocation ? lines[address].hasCoordinates : lines[address].hasTimeZone) else { continue }
      return address
    }
    return nil
  }

  private mutating func addKeys(_ i: Int, _ batch: CardBatch) {
    let head = lines[i].head
    let entry = batch.lines[lines[i].place]
    let bytes = batch.bytes
    let (start, end) = (Int(entry.valueStart), Int(entry.valueEnd))
    let isMember = head.line.name == Self.member
    var parts: [(Int, Int)] = []
    var from = start
    while true {
      let stop = head.cut == .list ? min(Escaping.firstSeparator(ASCII.comma, in: bytes.span, from: from, to: end), end) : end
      parts.append((from, stop))
      guard stop < end else { break }
      from = stop + 1
    }
    for part in parts {
      if part.0 == part.1 || isMember && head.line.type != JSContactParameters.impliedType(head.line.name, plain(part)) { return keep(i) }
    }
    var repeats: [[[String]]] = []
    let object = container(head.container)
    for part in parts {
      let start = draft.bytes.count
      draft.bytes.appendJSONString(escaped: bytes.span, part.0, part.1, batch.cards[index].version)
      if draft.has(object, keyFrom: start) {
        draft.bytes.truncate(to: start)
        repeats.append([[plain(part)]])
        continue
      }
      let keyEnd = draft.bytes.count
      draft.bytes.append(":true")
      draft.add(to: object, from: start, keyEnd: keyEnd)
    }
    if head.saysMore {
      keep(i)
    } else if !repeats.isEmpty {
      var rest = property(i)
      rest.values = repeats
      keep(rest)
    }
  }

  private static let member = JSContactRow.name("members")

  private mutating func addRelation(_ i: Int, _ batch: CardBatch) {
    let head = lines[i].head
    let entry = batch.lines[lines[i].place]
    let (from, to) = (Int(entry.valueStart), Int(entry.valueEnd))
    guard from < to else { return keep(i) }
    let start = draft.bytes.count
    let bytes = batch.bytes
    draft.bytes.appendJSONString(escaped: bytes.span, from, to, batch.cards[index].version)
    if containers[head.container] >= 0, draft.has(containers[head.container], keyFrom: start) {
      draft.bytes.truncate(to: start)
      return keep(i)
    }
    let kind = readValue(i, batch)
    let template = self.template(i, kind) { property, standIns in
      var rest = property
      var relation = JSONObject()
      for type in rest.take("type") ?? [] { relation[type.lowercased()] = .bool(true) }
      var object = JSONObject([("relation", .object(relation))])
      object["vCardParams"] = JSContactParameters.rest(of: rest)
      return JSONTemplate(object, standIns)
    }
    if let template { add(template, i, batch, from: start) }
  }

  private mutating func addDate(_ i: Int, _ batch: CardBatch) {
    let head = lines[i].head
    let start = draft.bytes.count
    let kind = readValue(i, batch)
    let isOwn = addID(i)
    let isRepeated = head.event >= 0 && seenEvents >> head.event & 1 == 1
    let template =
      isRepeated
      ? nil
      : self.template(i, kind, isOwn ? .takesID : []) { plain, standIns in
        guard let anniversary = head.anniversary, let object = anniversary.object(of: plain) else { return nil }
        var copy = object
        guard let back = anniversary.properties(of: &copy)?.date, copy.isEmpty, back.saysTheSame(as: plain) else { return nil }
        return JSONTemplate(object, standIns)
      }
    guard let template else {
      draft.bytes.truncate(to: start)
      return keep(i)
    }
    add(template, i, batch, from: start)
    guard head.event >= 0 else { return }
    seenEvents |= 1 << head.event
    if hasEventPlaces { addPlace(of: i) }
  }

  /// Adds the place of an event to it.
  private mutating func addPlace(of i: Int) {
    let head = lines[i].head
    for (k, line) in lines.enumerated() where line.head.kind == .place && line.head.event == head.event {
      guard let address = head.anniversary?.place(of: property(k)) else { continue }
      let start = draft.bytes.count
      draft.bytes.append("\"place\":")
      JSONTree.object(address).write(to: &draft.bytes)
      draft.add(to: lines[i].object, from: start)
      lines[k].isPlaced = true
      return
    }
  }

  /// Titles of a group that has one organization belong to it (RFC 9555 2.9.6). Places without their date are kept.
  mutating func setOrganizations() {
    for i in lines.indices {
      if lines[i].head.kind == .place, !lines[i].isPlaced { keep(i) }
      let group = groups[lines[i].group]
      guard lines[i].group > 0, lines[i].object >= 0, lines[i].head.isTitle, group.organizations.count == 1,
        lines[group.organizations[0]].object >= 0
      else { continue }
      let start = draft.bytes.count
      draft.bytes.append("\"organizationId\":")
      scratch.removeAll()
      draft.appendKey(of: lines[group.organizations[0]].object, to: &scratch)
      scratch.withBytes { draft.bytes.append($0) }
      draft.add(to: lines[i].object, from: start)
    }
  }
}
