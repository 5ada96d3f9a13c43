// xCard (RFC 6351): the properties of a card as XML elements, both ways.

internal import Bytes
package import CardSyntax
internal import DataSyntax

/// What both directions of xCard know.
enum XCard {
  static let namespace = "urn:ietf:params:xml:ns:vcard-4.0"
  static let xml = "xml"

  /// The elements of structured values, by property. Those of RFC 9554 have the names that its grammar gives them.
  static let components: [String: [String]] = [
    JSContactRow.name("name"): ["surname", "given", "additional", "prefix", "suffix", "surname2", "generation"],
    JSContactRow.name("addresses"): [
      "pobox", "ext", "street", "locality", "region", "code", "country", "room", "apartment", "floor", "streetnumber", "streetname",
      "building", "block", "subdistrict", "district", "landmark", "direction",
    ],
    JSContactRow.name("gender"): ["sex", "identity"],
    "clientpidmap": ["sourceid", "uri"],
  ]

  /// The types of parameters; what is not here is `unknown` (RFC 6351 6).
  private static let parameterTypes: [(name: String, type: String)] = {
    var found = [
      ("language", "language-tag"), ("pref", "integer"), ("index", "integer"), ("geo", "uri"), ("author", "uri"), ("created", "timestamp"),
    ]
    for name in [
      "type", "altid", "pid", "mediatype", "calscale", "sort-as", "label", "tz", "cc", "level", "prop-id", "author-name", "derived",
      "phonetic", "script", "service-type", "username", "jscomps", "jsptr",
    ] { found.append((name, "text")) }
    return found
  }()
  private static let parameterNumbers = NameTable(parameterTypes.enumerated().map { ($1.name, UInt16($0 + 1)) })

  /// How many components of a structured value stand even where they are empty.
  static func requiredCount(_ shape: PropertyShape) -> Int {
    shape.cut == .componentLists ? (shape.name == JSContactRow.name("name") ? 5 : 7) : 1
  }

  /// The type of the parameter whose name stands in a part of `bytes`.
  static func parameterType(_ bytes: Span<UInt8>, _ name: Range<Int>) -> String {
    let number = Int(parameterNumbers.number(of: bytes, name.lowerBound, name.upperBound))
    return number == 0 ? "unknown" : parameterTypes[number - 1].type
  }
}

/// Writes cards of 4.0 as xCard elements, straight from their lines.
struct XCardWriter: ~Copyable {
  private var heads = SiblingHeads()
  /// The element of the text that is written.
  private var element = ByteBuffer()
  private var scratch = ByteBuffer()
  /// The names in the card written last that XML cannot have and that were written with `x-` before them.
  private(set) var changedNames: [String] = []

  /// What stands before the first card.
  static func begin(_ output: inout ByteBuffer) {
    output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<vcards xmlns=\"")
    output.append(text: XCard.namespace)
    output.append("\">\n")
  }

  /// What stands behind the last card.
  static func end(_ output: inout ByteBuffer) { output.append("</vcards>\n") }

  /// Writes the card at `index` of a batch.
  mutating func write(_ batch: CardBatch, _ index: Int, to output: inout ByteBuffer) {
    changedNames.removeAll()
    let card = batch.cards[index]
    let bytes = batch.bytes
    // The group that is open; empty for none.
    var group = 0..<0
    output.append("<vcard>\n")
    for place in Int(card.firstLine)..<Int(card.firstLine + card.lineCount) {
      let line = batch.lines[place]
      if line.number == FieldNames.version { continue }
      let own = Int(line.groupStart)..<Int(line.groupEnd)
      if !(own.isEmpty && group.isEmpty), bytes[own] != bytes[group] {
        if !group.isEmpty { output.append("</group>\n") }
        group = own
        if !group.isEmpty {
          output.append("<group name=\"")
          output.appendXML(bytes.span, group.lowerBound, group.upperBound, isAttribute: true)
          output.append("\">\n")
        }
      }
      write(line, of: batch, card.version, to: &output)
      output.append(ASCII.lineFeed)
    }
    if !group.isEmpty { output.append("</group>\n") }
    output.append("</vcard>\n")
  }

  private mutating func write(_ line: LineEntry, of batch: CardBatch, _ version: CardVersion, to output: inout ByteBuffer) {
    let head = heads.head(of: line, batch, version) { Self.written($0) }
    let bytes = batch.bytes
    let (start, end) = (Int(line.valueStart), Int(line.valueEnd))
    if !head.hasParameters, head.shape?.name == XCard.xml {
      setText(bytes.span, start, end, head, version)
      let text = scratch.text()
      if XCardReader.isForeignElement(text) { return output.append(text: text) }
    }
    changedNames += head.changedNames
    output.append(head.start)
    if head.type == "text", let shape = head.shape, shape.isStructured, let names = XCard.components[shape.name] {
      writeComponents(names, bytes.span, start, end, head, shape, version, to: &output)
    } else {
      Self.setName(head.type, in: &element, &changedNames)
      writeTexts(bytes.span, start, end, head, version, to: &output)
    }
    output.append(head.end)
  }

  /// The start tag with all parameters, and the end tag.
  private static func written(_ head: borrowing PropertyHead) -> SiblingHead {
    var output = ByteBuffer(capacity: 256)
    var name = ByteBuffer(capacity: 64)
    var parameter = ByteBuffer(capacity: 64)
    var changed: [String] = []
    setName(head.name, of: head, in: &name, &changed)
    open(name, to: &output)
    if !head.parameters.isEmpty {
      output.append("<parameters>")
      for entry in head.parameters {
        setName(entry.name, of: head, in: &parameter, &changed)
        open(parameter, to: &output)
        head.text.withBytes { bytes in
          var element = ByteBuffer(capacity: 64)
          element.append(text: XCard.parameterType(bytes, entry.name))
          for value in entry.values {
            write(element, bytes, head.values[value].lowerBound, head.values[value].upperBound, to: &output)
          }
        }
        close(parameter, to: &output)
      }
      output.append("</parameters>")
    }
    var end = ByteBuffer(capacity: 64)
    close(name, to: &end)
    return SiblingHead(head, start: output.array(), end: end.array(), changedNames: changed)
  }

  // MARK: Values

  /// Writes the parts of a structured value, each in the element of its place.
  private mutating func writeComponents(
    _ names: [String], _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ head: SiblingHead, _ shape: PropertyShape,
    _ version: CardVersion, to output: inout ByteBuffer
  ) {
    var place = 0
    var from = start
    while from <= end {
      let stop = shape.cut.componentEnd(bytes, from: from, to: end, isFirst: place == 0)
      setElement(place < names.count ? names[place] : names.last ?? "text")
      write(list: shape.cut == .componentLists, bytes, from, stop, head, version, to: &output)
      from = stop + 1
      place += 1
    }
    // Some stand even where they are empty.
    scratch.removeAll()
    while place < min(XCard.requiredCount(shape), names.count) {
      setElement(names[place])
      writeText(to: &output)
      place += 1
    }
  }

  /// Writes all texts of a value, each in the element of its type.
  private mutating func writeTexts(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ head: SiblingHead, _ version: CardVersion, to output: inout ByteBuffer
  ) {
    switch head.cut {
    case .whole:
      setText(bytes, start, end, head, version)
      if head.type == "date-and-or-time", head.shape?.type == head.type { setDateElement() }
      if head.form == .boolean { lowercaseText() }
      writeText(to: &output)
    case .list: write(list: true, bytes, start, end, head, version, to: &output)
    case .components, .pair, .componentLists:
      var from = start
      while from <= end {
        let stop = head.cut.componentEnd(bytes, from: from, to: end, isFirst: from == start)
        write(list: head.cut == .componentLists, bytes, from, stop, head, version, to: &output)
        from = stop + 1
      }
    }
  }

  /// Writes one text or, with `list`, each text between commas.
  private mutating func write(
    list: Bool, _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ head: SiblingHead, _ version: CardVersion,
    to output: inout ByteBuffer
  ) {
    var from = start
    while from <= end {
      let stop = list ? Escaping.firstSeparator(ASCII.comma, in: bytes, from: from, to: end) : end
      setText(bytes, from, stop, head, version)
      if head.form == .boolean { lowercaseText() }
      writeText(to: &output)
      from = stop + 1
    }
  }

  /// Takes a text of the value, its escapes undone.
  private mutating func setText(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ head: SiblingHead, _ version: CardVersion) {
    scratch.removeAll()
    if head.isAsWritten {
      scratch.append(bytes, start, end)
    } else {
      Escaping.unescape(bytes, start, end, version: version, to: &scratch)
    }
  }

  private mutating func lowercaseText() {
    let text = scratch.text().lowercased()
    scratch.removeAll()
    scratch.append(text: text)
  }

  /// A date of which a time may be missing is an element of what it is (RFC 6351 A, 4.3.4).
  private mutating func setDateElement() {
    let (isDate, isTime, hasTime) = scratch.withBytes { bytes in
      let mark = ByteSearch.firstIndex(of: UInt8(ascii: "T"), in: bytes, from: 0, to: bytes.count)
      return (DateNumbers(bytes, 0, bytes.count) != nil, mark == 0 && !bytes.isEmpty, mark < bytes.count)
    }
    guard isDate else { return }
    setElement(isTime ? "time" : hasTime ? "date-time" : "date")
    if isTime { scratch.removeFirst(1) }
  }

  // MARK: Elements

  /// Writes the text that was taken in the element that was set.
  private func writeText(to output: inout ByteBuffer) { scratch.withBytes { Self.write(element, $0, 0, $0.count, to: &output) } }

  private static func write(
    _ element: borrowing ByteBuffer, _ bytes: Span<UInt8>, _ start: Int, _ end: Int, to output: inout ByteBuffer
  ) {
    if start == end {
      output.append(UInt8(ascii: "<"))
      element.withBytes { output.append($0) }
      return output.append("/>")
    }
    open(element, to: &output)
    output.appendXML(bytes, start, end)
    close(element, to: &output)
  }

  private mutating func setElement(_ name: String) {
    element.removeAll()
    element.append(text: name)
  }

  /// Makes a name of the head the name of an element.
  private static func setName(
    _ range: Range<Int>, of head: borrowing PropertyHead, in name: inout ByteBuffer, _ changed: inout [String]
  ) {
    head.text.withBytes { setName($0, range.lowerBound, range.upperBound, in: &name, &changed) }
  }

  private static func setName(_ text: String, in name: inout ByteBuffer, _ changed: inout [String]) {
    let utf8 = text.utf8
    let bytes = utf8.span
    setName(bytes, 0, bytes.count, in: &name, &changed)
  }

  private static func setName(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, in name: inout ByteBuffer, _ changed: inout [String]) {
    name.removeAll()
    if ByteBuffer.isXMLName(bytes, start, end) { return name.append(bytes, start, end) }
    changed.append(bytes.text(start, end))
    name.append("x-")
    for i in start..<end { name.append(ASCII.isLetter(bytes[i]) || ASCII.isDigit(bytes[i]) ? bytes[i] : ASCII.dash) }
  }

  private static func open(_ name: borrowing ByteBuffer, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "<"))
    name.withBytes { output.append($0) }
    output.append(UInt8(ascii: ">"))
  }

  private static func close(_ name: borrowing ByteBuffer, to output: inout ByteBuffer) {
    output.append("</")
    name.withBytes { output.append($0) }
    output.append(UInt8(ascii: ">"))
  }
}

/// Reads xCard elements as cards.
package struct XCardReader: ~Copyable {
  /// What was wrong with the element read last.
  package private(set) var findings: [Diagnostic] = []
  private var assembler = CardAssembler()
  private let maximumDepth = Limits().dataNesting
  /// The elements that lead to where the reader stands.
  private var path: [String] = []

  package init() {}

  /// May this text be the value of an XML property: one element of another namespace than vCard's (RFC 6350 6.1.5)?
  static func isForeignElement(_ text: String) -> Bool {
    var reader = XMLReader(Array(text.utf8))
    do throws(DataSyntaxError) {
      guard text.utf8.first == UInt8(ascii: "<"), try reader.next() == .startElement, reader.name.namespace != XCard.namespace else {
        return false
      }
      let namespace = reader.name.namespace
      let declaresNone = namespace.isEmpty && reader.name.prefix.isEmpty && reader.namespaces.contains { $0.prefix.isEmpty }
      guard !namespace.isEmpty || declaresNone else { return false }
      var foreign = 0
      while reader.depth > 0 {
        if try reader.next() == .startElement, !reader.name.prefix.isEmpty, reader.name.namespace.isEmpty { foreign += 1 }
      }
      return foreign == 0 && reader.position == text.utf8.count && reader.takeUnknownReferences() == 0
    } catch {
      return false
    }
  }

  /// Reads one `vcard` element; its card is added to `cards`.
  package mutating func read(
    _ bytes: [UInt8], line: Int, namespaces: [(prefix: String, namespace: String)], into cards: inout [CardBatch]
  ) {
    findings = []
    path = ["vcard"]
    var reader = XMLReader(bytes, namespaces: namespaces, firstLine: line, maximumDepth: maximumDepth)
    assembler.begin(.v40, line: line)
    do throws(DataSyntaxError) {
      _ = try reader.next()
      let namespace = reader.name.namespace
      if namespace != XCard.namespace {
        note(namespace.isEmpty ? "no namespace; read as vCard 4.0" : "the namespace \(namespace); read as vCard 4.0", line)
      }
      try readProperties(&reader, namespace, group: nil)
    } catch {
      findings.append(Diagnostic(.dataSyntax, error.told + "; the rest of the card was left out", line: error.line, leftOut: true))
    }
    path = ["vcard"]
    if reader.takeUnknownReferences() > 0 { note("references to entities that XML does not know; kept as written", line) }
    if let card = assembler.finish(line: line, &findings) { cards.append(card) }
  }

  /// Reads the properties of the element whose start tag was the last token.
  private mutating func readProperties(
    _ reader: inout XMLReader, _ namespace: String, group: String?
  ) throws(DataSyntaxError) {
    while true {
      switch try reader.next() {
      case .endElement, .end: return
      case .text:
        if !reader.text.isBlankText {
          leaveOut("text outside a property; left out", reader.line)
        }
      case .startElement:
        let name = reader.name.local.lowercased()
        let line = reader.line
        if reader.name.namespace != namespace {
          try readForeign(&reader, group, line)
        } else if name == "group", group == nil {
          let label = reader.attributes.first { $0.name.local == "name" }?.value ?? ""
          path.append(name)
          if label.isEmpty { note("a group without a name; read as no group", line) }
          try readProperties(&reader, namespace, group: label.isEmpty ? nil : label)
          path.removeLast()
        } else {
          path.append(name)
          try readProperty(&reader, namespace, name, group, line)
          path.removeLast()
        }
      }
    }
  }

  /// Keeps an element of another namespace as it is written, with the namespaces that it needs.
  private mutating func readForeign(_ reader: inout XMLReader, _ group: String?, _ line: Int) throws(DataSyntaxError) {
    let start = reader.tokenStart
    let tagEnd = reader.position
    let inherited = reader.namespaces
    try reader.skipElement()
    var text = reader.written(start, reader.position)
    let tag = reader.written(start, tagEnd)
    var added = ""
    for (prefix, namespace) in inherited {
      let attribute = prefix.isEmpty ? "xmlns" : "xmlns:" + prefix
      let isUsed = prefix.isEmpty || text.contains(prefix + ":")
      let isDeclared = tag.contains(attribute + "=") || tag.contains(attribute + " ")
      guard isUsed, !isDeclared, prefix != "xml", !(prefix.isEmpty && namespace == XCard.namespace && tag.contains(":")) else { continue }
      var value = ByteBuffer()
      value.appendXMLAttribute(namespace)
      added += " \(attribute)=\(value.text())"
    }
    if !added.isEmpty, let end = text.firstIndex(where: { $0 == ">" || $0 == "/" || $0.isWhitespace }) {
      text.insert(contentsOf: added, at: end)
    }
    var property = PropertyText(XCard.xml, "text", text)
    property.group = group
    let outside = path
    path = ["vcard", reader.name.local]
    add(property, line)
    path = outside
  }

  private mutating func readProperty(
    _ reader: inout XMLReader, _ namespace: String, _ name: String, _ group: String?, _ line: Int
  ) throws(DataSyntaxError) {
    var property = PropertyText()
    (property.name, property.group) = (name, group)
    var values: [(element: String, text: String)] = []
    var loose = ""
    reading: while true {
      switch try reader.next() {
      case .endElement, .end: break reading
      case .text: if !reader.text.isBlankText { loose += reader.text.text() }
      case .startElement:
        let element = reader.name.local.lowercased()
        if reader.name.namespace != namespace {
          leaveOut("an element of another namespace; left out", reader.line, .unknownMember, at: element)
          try reader.skipElement()
        } else {
          path.append(element)
          if element == "parameters" {
            try readParameters(&reader, into: &property)
          } else {
            values.append((element, try readText(&reader)))
          }
          path.removeLast()
        }
      }
    }
    if !loose.isEmpty {
      note("text outside a value element; read as the value", line)
      if values.isEmpty { values.append((PropertyShape.of(name)?.type ?? "text", loose)) }
    }
    if name == "version" { return }
    guard !["begin", "end"].contains(name) else {
      return leaveOut("no property can be called so; left out", line)
    }
    guard !values.isEmpty else { return note("no value; left out", line) }
    fill(&property, values, line)
    add(property, line)
  }

  private mutating func readParameters(_ reader: inout XMLReader, into property: inout PropertyText) throws(DataSyntaxError) {
    defer { property.mergeParameters() }
    while true {
      switch try reader.next() {
      case .endElement, .end: return
      case .text: break
      case .startElement:
        let name = reader.name.local.lowercased()
        var values: [String] = []
        var loose = ""
        let line = reader.line
        path.append(name)
        reading: while true {
          switch try reader.next() {
          case .endElement, .end: break reading
          case .text: if !reader.text.isBlankText { loose += reader.text.text() }
          case .startElement: values.append(try readText(&reader))
          }
        }
        if values.isEmpty, !loose.isEmpty {
          note("text outside a value element; read as the value", line)
          values = [loose]
        }
        path.removeLast()
        property.parameters.append((name, values))
      }
    }
  }

  /// The text of the element whose start tag was the last token, with that of elements in it.
  private mutating func readText(_ reader: inout XMLReader) throws(DataSyntaxError) -> String {
    var text = ByteBuffer(capacity: 64)
    let outside = reader.depth - 1
    let line = reader.line
    var hasElements = false
    while reader.depth > outside {
      switch try reader.next() {
      case .text: reader.text.withBytes { text.append($0) }
      case .startElement: hasElements = true
      case .endElement: break
      case .end: return text.text()
      }
    }
    if hasElements { note("elements inside a text; only their text was read", line) }
    return text.text()
  }

  /// Gives a property its type and values.
  private mutating func fill(_ property: inout PropertyText, _ values: [(element: String, text: String)], _ line: Int) {
    let name = property.name
    if let names = XCard.components[name], values.contains(where: { names.contains($0.element) }) {
      var components = [[String]](repeating: [], count: names.count)
      for (element, text) in values {
        if let place = names.firstIndex(of: element) {
          components[place].append(text)
        } else {
          leaveOut("no part of the value; left out", line, .unknownMember, at: element)
        }
      }
      // An extended name or address has all components of RFC 9554, a pair those that stand there.
      let (cut, required) = (PropertyShape.of(name)?.cut, PropertyShape.of(name).map(XCard.requiredCount) ?? 1)
      let last = components.lastIndex { !$0.isEmpty } ?? 0
      let count = cut == .componentLists && last >= required ? names.count : cut == .pair ? max(required, last + 1) : required
      while components.count > count, components.last?.allSatisfy(\.isEmpty) == true { components.removeLast() }
      property.type = "text"
      property.values = [components.map { $0.isEmpty ? [""] : $0 }]
      return
    }
    let shape = PropertyShape.of(name)
    property.type = values.first?.element ?? "text"
    if shape?.type == "date-and-or-time", ["date", "date-time", "time"].contains(property.type) { property.type = "date-and-or-time" }
    let texts = values.map { element, text -> String in
      if property.type == "text" || property.type == "unknown" { return text }
      let plain = text.trimmingBlanks()
      let isTime = element == "time" && property.type == "date-and-or-time"
      guard let value = JCardFormat.vCardText(isTime && !plain.hasPrefix("T") ? "T" + plain : plain, property.type, in: .v40) else {
        note("\(name) is marked as \(element), which it is not; kept as it is", line)
        return text
      }
      return value
    }
    if shape?.cut == .components || shape?.cut == .pair {
      property.values = [texts.map { [$0] }]
    } else {
      property.values = texts.map { [[$0]] }
    }
    if property.type != "unknown", property.type != "text", property.hasControlCharacters { property.type = "text" }
  }

  private mutating func add(_ property: PropertyText, _ line: Int) {
    if !assembler.add(property, line: line) {
      findings.append(
        Diagnostic(
          .droppedCharacters, "\(path.joined(separator: "/")): control characters were left out", line: line,
          property: property.name.uppercased()))
    }
  }

  private mutating func note(_ message: String, _ line: Int) {
    findings.append(Diagnostic(.wrongMember, "\(path.joined(separator: "/")): \(message)", line: line, severity: .warning))
  }

  /// Says that what stands here, or in an element here, was left out.
  private mutating func leaveOut(_ message: String, _ line: Int, _ rule: Rule = .wrongMember, at element: String? = nil) {
    let place = (path + (element.map { [$0] } ?? [])).joined(separator: "/")
    findings.append(Diagnostic(rule, "\(place): \(message)", line: line, leftOut: true))
  }
}

extension ByteBuffer {
  /// Are there only blanks?
  fileprivate var isBlankText: Bool { withBytes { bytes in bytes.indices.allSatisfy { bytes[$0] <= ASCII.space } } }
}

extension String {
  fileprivate func trimmingBlanks() -> String {
    guard let first = utf8.first, let last = utf8.last, first <= ASCII.space || last <= ASCII.space else { return self }
    return String(decoding: Array(utf8).drop { $0 <= ASCII.space }.reversed().drop { $0 <= ASCII.space }.reversed(), as: UTF8.self)
  }
}
