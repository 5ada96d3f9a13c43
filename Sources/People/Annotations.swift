// What a line carries besides its value: group, labels, preference, language, parameters; read into the record and written from it.

package import CardSyntax
internal import Bytes

/// What a line that is to be written carries besides its value.
package struct Annotations {
  package var group: String?
  /// The group was made for a label alone; a writer may choose another name.
  package var labels: [String] = []
  package var preference: Int?
  package var language: String?
  package var id: String?
  /// The name that the line had, where that is not the standard one.
  package var property: String?
  /// All other parameters, by lower-case name.
  package var parameters: [(name: String, values: [String])] = []
  /// What the writer finds out about the preference: it stands among others of its field.
  var standing = Standing()

  /// How a preference stands among those of its field, which older versions tell by TYPE=pref alone and 4.0 by numbers.
  struct Standing {
    /// No value of the field comes before it; nil where nobody looked.
    var isFirst: Bool?
    /// It is not the first line with TYPE=pref, or PREF=1.
    var isRepeated = false
  }

  package init() {}

  /// The values of a parameter, by its lower-case name.
  func values(_ name: String) -> [String]? { parameters.first { $0.name == name }?.values }

  // MARK: Reading a card

  /// Parameters that only say how the text was transported.
  private static func isTransport(_ parameter: KnownParameter) -> Bool { parameter == .encoding || parameter == .charset }

  /// Does the line carry nothing but its value?
  package static func areMissing(_ line: Int, _ card: borrowing CardView, _ field: Field) -> Bool {
    card.lines[line].parameterCount == 0 && !card.hasGroup(line)
      && !field.keepsName(Int(card[link: line].alias), in: card.version)
      && !(field.impliesValueType && field.kind.impliedValueType(line, card) != nil)
  }

  /// Parameters whose meaning the value tells.
  private static let ofValues = ParameterSet(.serviceType, .xServiceType)

  /// Puts what the line carries into the open object of the record. In a field of one value (`details`) TYPE, PREF and LANGUAGE are
  /// parameters like others. Returns the number of the excerpt that was added, 0 where it was none.
  @discardableResult
  package static func read(
    _ line: Int, _ card: borrowing CardView, _ field: Field, details: Bool, _ labels: inout LabelMemo, into record: inout Record
  ) -> UInt32 {
    let link = card[link: line]
    let hasGroup = card.hasGroup(line)
    let implied = field.impliesValueType ? field.kind.impliedValueType(line, card) : nil
    let isNamed = field.keepsName(Int(link.alias), in: card.version)
    guard card.lines[line].parameterCount > 0 || hasGroup || isNamed || implied != nil else { return Record.Excerpt.nothing }
    let context =
      card.headContext(line) | (details ? 1 &<< 24 : 0)
      | (link.groupIsLocal ? 1 &<< 25 : 0) | (implied != nil ? 1 &<< 26 : 0)
    let present = card.parameterSet(line)
    // The text of a LABEL changes from line to line; an address has it among the parts of its value.
    let isKept = link.nameRole != .item && !present.hasAny(of: ofValues) && (!present.has(.label) || field.ownParameters.has(.label))
    if isKept, let known = labels.excerpt(of: line, card, context) {
      record.append(known)
      return known.number
    }
    let first = record.tokens.count
    readAnew(line, card, field, details: details, implied, isNamed: isNamed, &labels, into: &record)
    guard isKept else { return 0 }
    let excerpt = record.excerpt(from: first)
    labels.keep(excerpt, for: line, card, context)
    return excerpt.number
  }

  /// Does the same for a line of which nothing is remembered.
  private static func readAnew(
    _ line: Int, _ card: borrowing CardView, _ field: Field, details: Bool, _ implied: String?, isNamed: Bool, _ labels: inout LabelMemo,
    into record: inout Record
  ) {
    let link = card[link: line]
    let own = field.ownParameters
    let range = card.parameterRange(line)
    var kept: [Int] = []
    var preference: Int?
    var language: Int?
    var ids: (prop: Int?, pid: Int?, old: Int?) = (nil, nil, nil)
    var valueType: String?
    for i in range {
      let parameter = card.parameters[i]
      if own.has(parameter.known) || isTransport(parameter.known) || field.kind.claims(parameter: parameter, line, card) { continue }
      switch parameter.known {
      case .type where !details: break
      case .language where !details && language == nil: language = i
      case .other where !details && card.version != .v40 && preference == nil && isXPref(parameter, card):
        if let number = card.number(parameter), (2...100).contains(number) { preference = number } else { kept.append(i) }
      case .other where card.version != .v40 && ids.prop == nil && ids.old == nil && isOldIdentifier(parameter, card): ids.old = i
      case .pref where !details:
        let number = card.number(parameter) ?? 0
        if (1...100).contains(number), preference == nil { preference = number } else { kept.append(i) }
      case .xMoreLabels where !details: break
      case .propID: ids.prop = i
      case .pid where ids.pid == nil:
        ids.pid = i
        kept.append(i)
      case .value:
        let type = card.valueType(line)
        if type != field.kind.defaultValueType(in: card.version), type != "unknown" { valueType = type }
      default: kept.append(i)
      }
    }
    let meaning = details ? LabelMeaning.nothing : labels.meaning(of: line, card, field)
    if !meaning.labels.isEmpty {
      record.open(.labels, list: true)
      for label in meaning.labels { record.text(.none, made: label.span, 0, label.count) }
      record.close()
    }
    if meaning.isPreferred && preference == nil { preference = 1 }
    if let preference { record.number(.preference, preference) }
    if let language { card.firstRange(card.parameters[language]) { read(value: $0, $1, isPlain: $2, as: .language, card, into: &record) } }
    if ids.prop == nil, ids.old == nil, let pid = ids.pid { kept.removeAll { $0 == pid } }
    readParameters(kept, meaning, valueType: valueType ?? implied, card, into: &record)
    let entry = card.lines[line]
    if card.hasGroup(line) && !link.groupIsLocal { record.text(.group, Int(entry.groupStart), Int(entry.groupEnd), .plain) }
    if let prop = ids.prop {
      card.lastRange(card.parameters[prop]) { read(value: $0, $1, isPlain: $2, as: .id, card, into: &record) }
    } else if let id = ids.old ?? ids.pid {
      var values: [String] = []
      card.forEachValue(card.parameters[id]) { values.append($0) }
      record.text(.id, made: values.joined(separator: ","))
    }
    if isNamed { record.text(.property, Int(entry.nameStart), Int(entry.nameEnd), .plain) }
  }

  /// Adds one parameter value.
  private static func read(
    value start: Int, _ end: Int, isPlain: Bool, as member: Member, keepsBackslashes: Bool = false, _ card: borrowing CardView,
    into record: inout Record
  ) {
    if isPlain { return record.text(member, start, end, .plain) }
    var text = ByteBuffer(capacity: end - start + 1)
    ParameterText.unescape(card.bytes.span, start, end, version: card.version, keepsBackslashes: keepsBackslashes, to: &text)
    record.text(member, made: text)
  }

  /// `X-PROP-ID` and `X-PID`: how a card before 4.0 keeps an identifier of 4.0.
  private static func isOldIdentifier(_ entry: ParameterEntry, _ card: borrowing CardView) -> Bool {
    guard !entry.isBare, entry.nameEnd - entry.nameStart < 10 else { return false }
    let name = parameterName(entry, card).lowercased()
    return name == "x-prop-id" || name == "x-pid"
  }

  /// Repeats of a parameter are one list; the order of first appearance is kept.
  private static func readParameters(
    _ kept: [Int], _ meaning: LabelMeaning, valueType: String?, _ card: borrowing CardView, into record: inout Record
  ) {
    guard !kept.isEmpty || meaning.types?.isEmpty == false || meaning.label != nil || valueType != nil else { return }
    record.open(.parameters)
    if let types = meaning.types, !types.isEmpty { list("type", types, into: &record) }
    if let label = meaning.label { list("x-ablabel", [label], into: &record) }
    if let valueType { list("value", [Array(valueType.utf8)], into: &record) }
    for (first, repeats) in Repeats(kept, card) {
      let parameter = card.parameters[first]
      if parameter.isBare {
        record.key(parameter.known.name.lowercased())
      } else {
        record.key(lowercasing: Int(parameter.nameStart), Int(parameter.nameEnd))
      }
      record.open(list: true)
      for place in repeats {
        let entry = card.parameters[place]
        card.forEachRange(entry) {
          read(value: $0, $1, isPlain: $2, as: .none, keepsBackslashes: entry.known == .jsComps, card, into: &record)
        }
      }
      record.close()
    }
    record.close()
  }

  private static func list(_ name: String, _ values: [[UInt8]], into record: inout Record) {
    record.key(name)
    record.open(list: true)
    for value in values { record.text(.none, made: value.span, 0, value.count) }
    record.close()
  }

  /// The preference that a line tells: PREF, in older versions X-PREF or TYPE=pref; nil where it tells none.
  static func preference(_ line: Int, _ card: borrowing CardView) -> Int? {
    for i in card.parameterRange(line) {
      let parameter = card.parameters[i]
      guard parameter.known == .pref || card.version != .v40 && parameter.known == .other && isXPref(parameter, card) else { continue }
      if let number = card.number(parameter), (1...100).contains(number) { return number }
    }
    return card.version != .v40 && card.values(.type, of: line).contains { $0.lowercased() == "pref" } ? 1 : nil
  }

  /// Is it `X-PREF`, the preference of 4.0 in a 3.0 card?
  private static func isXPref(_ parameter: ParameterEntry, _ card: borrowing CardView) -> Bool {
    !parameter.isBare && parameter.nameEnd - parameter.nameStart == 6 && parameterName(parameter, card).lowercased() == "x-pref"
  }

  /// Is it `X-TYPE`, the words of an older version in a card of 4.0?
  static func isOldType(_ parameter: ParameterEntry, _ card: borrowing CardView) -> Bool {
    !parameter.isBare && parameter.nameEnd - parameter.nameStart == 6 && parameterName(parameter, card).lowercased() == "x-type"
  }

  /// The name of a parameter as written; of a bare word the name that it stands for.
  package static func parameterName(_ entry: ParameterEntry, _ card: borrowing CardView) -> String {
    entry.isBare
      ? entry.known.name : String(decoding: card.bytes[Int(entry.nameStart)..<Int(entry.nameEnd)], as: UTF8.self)
  }

  // MARK: Reading a record

  /// The annotations of the object at `index`; none for a plain text.
  package init(_ record: borrowing Record, at index: Int) {
    guard record.tokens[index].operation == .openObject else { return }
    let end = Int(record.tokens[index].start)
    var i = index + 1
    while i < end {
      let token = record.tokens[i]
      switch token.member {
      case .labels: for element in record.elements(i) { labels.append(record.string(element)) }
      case .preference: preference = Int(record.string(i))
      case .language: language = record.string(i)
      case .group: group = record.string(i)
      case .id: id = record.string(i)
      case .property: property = record.string(i)
      case .parameters where token.operation == .openObject:
        let stop = Int(token.start)
        var k = i + 1
        while k < stop {
          guard record.tokens[k].operation == .key, k + 1 < stop else { break }
          parameters.append((record.string(k).lowercased(), record.elements(k + 1).map { record.string($0) }))
          k = record.next(k)
        }
      default: break
      }
      i = record.next(i)
    }
  }

  /// Puts them into the open object of a record.
  package func send(to record: inout Record) {
    if !labels.isEmpty {
      record.open(.labels, list: true)
      for label in labels { record.text(.none, made: label) }
      record.close()
    }
    if let preference { record.number(.preference, String(preference)) }
    if let language { record.text(.language, made: language) }
    record.send(parameters.map { ParameterValues($0.name, $0.values) })
    for (member, text) in [(Member.group, group), (.id, id), (.property, property)] {
      if let text { record.text(member, made: text) }
    }
  }

  /// Is there nothing but the value?
  package var isEmpty: Bool {
    group == nil && labels.isEmpty && preference == nil && language == nil && id == nil && property == nil && parameters.isEmpty
  }
}

extension Annotations: Equatable {
  package static func == (a: Annotations, b: Annotations) -> Bool {
    a.group == b.group && a.labels == b.labels && a.preference == b.preference && a.language == b.language && a.id == b.id
      && a.property == b.property && a.parameters.count == b.parameters.count
      && zip(a.parameters, b.parameters).allSatisfy { $0.name == $1.name && $0.values == $1.values }
  }
}

// MARK: Writing

extension Annotations {
  /// TYPE words and label text in `version`: as they were spelled if that still says the same, else as the vocabulary has it.
  func spelling(in version: CardVersion, from origin: CardVersion? = nil, types scope: Field.Types) -> Label.Written {
    let types = values("type")
    let label = values("x-ablabel")?.first
    let old = version != .v40 && origin == .v40 ? oldTypes : []
    let canonical = Label.written(labels, in: version, types: scope)
    guard types != nil || label != nil || !old.isEmpty else { return canonical }
    let spelled = types ?? canonicalTypes(besides: label, in: version, types: scope)
    // The label's own line may say what the words do not.
    let texts = label == nil && canonical.label != nil ? [nil, canonical.label] : [label]
    for text in [nil] + texts where !old.isEmpty && says(old, text) {
      return convert(old, text, to: version, from: origin ?? version, types: scope)
    }
    for text in texts where says(spelled, text) { return convert(spelled, text, to: version, from: origin ?? version, types: scope) }
    return canonical
  }

  /// Do these words, and the text of a label line, say the labels?
  private func says(_ types: [String], _ label: String?) -> Bool {
    let meant = Label.labels(types: types, label: label, more: labels)
    return Set(meant.map { $0.lowercased() }) == Set(labels.map { $0.lowercased() })
  }

  /// Words and the text of a label line in another version. What the words of an older one say that 4.0 does not have goes into a label.
  private func convert(
    _ types: [String], _ label: String?, to version: CardVersion, from origin: CardVersion, types scope: Field.Types
  ) -> Label.Written {
    let words = types.compactMap { Self.convert(type: $0, to: version, from: origin) }
    if version == .v40, origin != .v40 {
      let known = words.filter { TypeWord($0, in: .v40, scope) == .known }
      if known.count < words.count {
        let told = Set(Label.labels(types: known, label: label, more: labels).map { $0.lowercased() })
        var written = Label.written(labels.filter { !told.contains($0.lowercased()) }, in: .v40, types: scope, besides: label)
        written.types = known + written.types
        written.old = types.filter { $0.lowercased() != "pref" }
        return written
      }
    }
    return Label.Written(types: words, label: label, more: Label.inexact(labels, among: words))
  }

  /// The words of an older version that a card of 4.0 keeps in X-TYPE.
  private var oldTypes: [String] { (values("x-type") ?? []).filter { $0.lowercased() != "pref" } }

  /// Was it TYPE=pref in an older version?
  private var isOldPreference: Bool { values("x-type")?.contains { $0.lowercased() == "pref" } ?? false }

  /// Does the line say X-PREF=1: that it was PREF=1 in 4.0, as others are?
  var isRepeatedFirst: Bool { values("x-pref") == ["1"] }

  /// The TYPE words of the labels that the label text does not speak for.
  private func canonicalTypes(besides label: String?, in version: CardVersion, types scope: Field.Types) -> [String] {
    let told = Set((label.map { Label.labels(ofApple: $0) } ?? []).map { $0.lowercased() })
    return Label.written(labels.filter { !told.contains($0.lowercased()) }, in: version, types: scope).types
  }

  /// Words that one side of 4.0 has and the other has not.
  private static let old: Set<String> = [
    "dom", "intl", "postal", "parcel", "msg", "bbs", "modem", "car", "isdn", "pcs", "iphone", "applewatch", "main", "tlx", "x400",
  ]

  /// A TYPE word as `version` may have it: 4.0 writes words that it gave up with `x-`, older versions without; `pref` is no type, and
  /// `internet` says nothing in 4.0.
  private static func convert(type: String, to version: CardVersion, from origin: CardVersion) -> String? {
    let lower = type.lowercased()
    if lower == "pref" { return nil }
    // A word that a 2.1 card has by itself stays as it is there.
    if version == .v21, origin == .v21 { return type }
    if version == .v40 {
      if lower == "internet" { return nil }
      if lower == "main" { return "main-number" }
      return old.contains(lower) ? "x-" + lower : type
    }
    if lower == "main-number" { return version == .v21 ? "X-MAIN" : "MAIN" }
    var word = lower.hasPrefix("x-") && old.contains(String(lower.dropFirst(2))) ? String(type.dropFirst(2)) : type
    if version == .v21, !words21.contains(word.lowercased()), !word.lowercased().hasPrefix("x-") { word = "X-" + word }
    return word
  }

  /// The bare words that 2.1 has for e-mail, telephones and addresses; others begin with `X-`.
  private static let words21: Set<String> = [
    "dom", "intl", "postal", "parcel", "home", "work", "pref", "voice", "fax", "msg", "cell", "pager", "bbs", "modem", "car", "isdn",
    "video",
    "aol", "applelink", "attmail", "cis", "eworld", "internet", "ibmmail", "mcimail", "powershare", "prodigy", "tlx", "x400",
  ]

  /// A TYPE word as 2.1 spells it: its own words in capitals, those of somebody's own as they are.
  private static func spelled21(_ word: String) -> String { words21.contains(word.lowercased()) ? word.uppercased() : word }

  /// Parameters that 4.0 has and older versions do not know.
  private static let since40: Set<String> = [
    "altid", "pid", "prop-id", "calscale", "sort-as", "geo", "tz", "label", "cc", "index", "level", "author", "author-name", "created",
    "derived",
    "phonetic", "script", "service-type", "username", "jscomps", "jsptr", "mediatype", "pref",
  ]

  /// Is this a parameter of an older version that 4.0 has under its own name (`x-altid`)?
  static func returnsTo40(_ name: String) -> Bool {
    name.hasPrefix("x-") && (since40.contains(String(name.dropFirst(2))) || name == "x-pref" || name == "x-value")
  }

  /// May this parameter, by its lower-case name, be written differently in different versions?
  static func changesBetweenVersions(_ name: String) -> Bool {
    name == "charset" || name == "encoding" || name == "x-encoding" || name == "x-value" || since40.contains(name)
      || name.hasPrefix("x-") && since40.contains(String(name.dropFirst(2)))
  }

  /// Adds the parameters to a line whose name has been written. `origin` is the version that the record came from.
  func write(_ written: Label.Written, field: Field, origin: CardVersion, to line: inout LineWriter, includeLabels: Bool = true) {
    let version = line.version
    var types = written.types
    var old = written.old
    if includeLabels {
      // TYPE=pref of an older version that became a number of its own.
      let wasPreferred = version != .v40 && origin == .v40 && preference ?? 1 > 1 && isOldPreference
      if version == .v40, origin != .v40, standing.isRepeated { old.append("pref") }
      for word in line.profile?.words ?? []
      where word.field == field.key && !types.contains(where: { word.unless.contains($0.uppercased()) }) {
        types.append(word.word)
      }
      if version != .v40, wasPreferred || standing.isFirst ?? (preference == 1) { types.append(version == .v21 ? "PREF" : "pref") }
      if version == .v21 {
        for type in types { line.word(Self.spelled21(type)) }
      } else {
        line.parameter("TYPE", types)
      }
      if let preference {
        if version == .v40 {
          line.parameter("PREF", String(preference))
        } else if !wasPreferred, preference != 1 || origin == .v40 && standing.isRepeated {
          line.parameter("X-PREF", String(preference))
        }
      }
      if version == .v40 {
        line.parameter("X-TYPE", old)
        if !written.old.isEmpty { line.note(.converted, "4.0 has not all of TYPE=\(written.old.joined(separator: ",")); kept as X-TYPE") }
      }
      line.parameter(KnownParameter.xMoreLabels.name, written.more)
    }
    if let language { line.parameter("LANGUAGE", language) }
    for (name, values) in parameters {
      if includeLabels {
        if name == "type" || name == "x-ablabel" || name == "x-type" && (version != .v40 ? origin == .v40 : !old.isEmpty) { continue }
        if name == "x-pref", version == .v40, origin != .v40, preference != nil { continue }
      }
      write(parameter: name, values, field: field, origin: origin, to: &line)
    }
    if let id {
      let isPID = !id.isEmpty && id.allSatisfy { $0.isNumber || $0 == "." || $0 == "," }
      let name = isPID ? "PID" : "PROP-ID"
      line.parameter(version == .v40 ? name : "X-" + name, isPID ? id.split(separator: ",").map(String.init) : [id])
    }
  }

  /// May VALUE name this type in `version`? What a card of the version has stays as it is.
  private static func has(_ version: CardVersion, valueType type: String, _ field: Field, from origin: CardVersion) -> Bool {
    if version == origin { return true }
    let lower = type.lowercased()
    if version == .v21 { return LineRules.valueTypes21.contains(lower) }
    return field.names.isEmpty || lower.hasPrefix("x-") || field.kind.valueTypes(in: version).contains(lower)
  }

  private func write(parameter name: String, _ values: [String], field: Field, origin: CardVersion, to line: inout LineWriter) {
    let version = line.version
    switch name {
    case "charset": return
    case "encoding" where version == .v40: return line.parameter("X-ENCODING", values)
    case "value":
      let type = values.first?.lowercased() ?? ""
      if type == "unknown" || type == field.kind.defaultValueType(in: version) { return }
      let isKept = version != .v40 && origin == .v40 || !Self.has(version, valueType: type, field, from: origin)
      return line.parameter(isKept ? "X-VALUE" : "VALUE", type)
    case "x-value" where version > origin && values.first.map { Self.has(version, valueType: $0, field, from: origin) } ?? false:
      return line.parameter("VALUE", values)
    case "x-encoding" where version != .v40 && origin == .v40: return line.parameter("ENCODING", values)
    case "type" where version == .v21:
      for value in values { line.word(Self.spelled21(value)) }
      return
    case "type" where version == .v40 && origin != .v40 && !LineRules.mayHaveTypes(field):
      line.note(.converted, "4.0 has no TYPE here; kept as X-TYPE")
      return line.parameter("X-TYPE", values)
    case "x-type" where version == .v21 && origin == .v40:
      for value in values { line.word(Self.spelled21(value)) }
      return
    case "x-type" where version != .v40 && origin == .v40: return line.parameter("TYPE", values)
    case "type" where version == .v40:
      line.parameter("TYPE", values.compactMap { Self.convert(type: $0, to: version, from: origin) })
      if origin != .v40, values.contains(where: { $0.lowercased() == "pref" }) { line.parameter("PREF", "1") }
      return
    default: break
    }
    if version == .v40, origin != .v40, name.hasPrefix("x-"), Self.since40.contains(String(name.dropFirst(2))) {
      return line.parameter(String(name.dropFirst(2)).uppercased(), values)
    }
    // The date of a calendar says in every version of which (X-ALTBDAY).
    if version != .v40, Self.since40.contains(name), !(name == "calscale" && field.isExtension) {
      return line.parameter("X-" + name.uppercased(), values)
    }
    line.parameter(name.uppercased(), values)
  }
}
