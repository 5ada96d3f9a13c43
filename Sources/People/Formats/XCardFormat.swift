// xCard (RFC 6351): the properties of a card as XML elements, both ways.

package import Bytes
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
  static let parameterTypes: [String: String] = {
    var found = ["language": "language-tag", "pref": "integer", "index": "integer", "geo": "uri", "author": "uri", "created": "timestamp"]
    for name in [
      "type", "altid", "pid", "mediatype", "calscale", "sort-as", "label", "tz", "cc", "level", "prop-id", "author-name", "derived",
      "phonetic", "script", "service-type", "username", "jscomps", "jsptr",
    ] { found[name] = "text" }
    return found
  }()
}

/// Writes cards of 4.0 as xCard elements.
package struct XCardWriter: Sendable {
  package init() {}

  /// What stands before the first card.
  package func begin(_ output: inout ByteBuffer) {
    output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<vcards xmlns=\"")
    output.append(text: XCard.namespace)
    output.append("\">\n")
  }

  /// What stands behind the last card.
  package func end(_ output: inout ByteBuffer) { output.append("</vcards>\n") }

  /// Writes the card at `index` of a batch. Gives the names that XML cannot have and that were written with `x-` before them.
  package func write(_ batch: CardBatch, _ index: Int, to output: inout ByteBuffer) -> [String] {
    let card = batch[index]
    var changed: [String] = []
    var group: String?
    output.append("<vcard>\n")
    for line in card.lines {
      let property = PropertyText(line, of: card.version)
      if property.name == "version" { continue }
      if property.group != group {
        if group != nil { output.append("</group>\n") }
        group = property.group
        if let group {
          output.append("<group name=")
          output.appendXMLAttribute(group)
          output.append(">\n")
        }
      }
      write(property, &changed, to: &output)
      output.append(ASCII.lineFeed)
    }
    if group != nil { output.append("</group>\n") }
    output.append("</vcard>\n")
    return changed
  }

  private func name(_ text: String, _ changed: inout [String]) -> String {
    if ByteBuffer.isXMLName(text) { return text }
    changed.append(text)
    let plain = String(decoding: text.utf8.map { ASCII.isLetter($0) || ASCII.isDigit($0) ? $0 : ASCII.dash }, as: UTF8.self)
    return "x-" + plain
  }

  private func write(_ property: PropertyText, _ changed: inout [String], to output: inout ByteBuffer) {
    if property.name == XCard.xml, property.parameters.isEmpty, XCardReader.isForeignElement(property.text) {
      output.append(text: property.text)
      return
    }
    let element = name(property.name, &changed)
    open(element, to: &output)
    if !property.parameters.isEmpty {
      output.append("<parameters>")
      for (key, values) in property.parameters {
        let parameter = name(key, &changed)
        open(parameter, to: &output)
        for value in values { write(XCard.parameterTypes[key] ?? "unknown", value, to: &output) }
        close(parameter, to: &output)
      }
      output.append("</parameters>")
    }
    if property.type == "text", let components = XCard.components[property.name], let value = property.values.first,
      property.values.count == 1
    {
      for (i, component) in components.enumerated() {
        let texts = i < value.count ? value[i] : [""]
        if i >= value.count, i >= requiredCount(property.name) { break }
        for text in texts { write(component, text, to: &output) }
      }
      for extra in value.dropFirst(components.count) { for text in extra { write(components.last ?? "text", text, to: &output) } }
    } else {
      let type = name(property.type, &changed)
      let isDate = PropertyShape.of(property.name)?.type == type
      for value in property.values {
        for component in value {
          for text in component { write(isDate ? Self.element(type, text) : type, Self.text(type, text, isDate), to: &output) }
        }
      }
    }
    close(element, to: &output)
  }

  /// How many components stand even where they are empty.
  private func requiredCount(_ name: String) -> Int {
    switch PropertyShape.of(name)?.cut {
    case .componentLists: name == JSContactRow.name("name") ? 5 : 7
    default: 1
    }
  }

  /// A date of which a time may be missing is an element of what it is (RFC 6351 A, 4.3.4).
  private static func element(_ type: String, _ text: String) -> String {
    guard type == "date-and-or-time", PartialDate(text).isDate else { return type }
    return text.hasPrefix("T") ? "time" : text.contains("T") ? "date-time" : "date"
  }

  private static func text(_ type: String, _ text: String, _ isDate: Bool) -> String {
    isDate && type == "date-and-or-time" && text.hasPrefix("T") && PartialDate(text).isDate
      ? String(text.dropFirst()) : type == "boolean" ? text.lowercased() : text
  }

  private func write(_ element: String, _ text: String, to output: inout ByteBuffer) {
    if text.isEmpty {
      output.append(UInt8(ascii: "<"))
      output.append(text: element)
      output.append("/>")
      return
    }
    open(element, to: &output)
    output.appendXML(text)
    close(element, to: &output)
  }

  private func open(_ element: String, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "<"))
    output.append(text: element)
    output.append(UInt8(ascii: ">"))
  }

  private func close(_ element: String, to output: inout ByteBuffer) {
    output.append("</")
    output.append(text: element)
    output.append(UInt8(ascii: ">"))
  }
}

/// Reads xCard elements as cards.
package struct XCardReader: ~Copyable {
  /// What was wrong with the element read last.
  package private(set) var findings: [Diagnostic] = []
  private var assembler = CardAssembler()
  private let maximumDepth = Limits().dataNesting

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
    var reader = XMLReader(bytes, namespaces: namespaces, firstLine: line, maximumDepth: maximumDepth)
    assembler.begin(.v40, line: line)
    do throws(DataSyntaxError) {
      _ = try reader.next()
      let namespace = reader.name.namespace
      if namespace != XCard.namespace {
        note("vcard", namespace.isEmpty ? "no namespace; read as vCard 4.0" : "the namespace \(namespace); read as vCard 4.0", line)
      }
      try readProperties(&reader, namespace, path: "vcard", group: nil)
    } catch {
      findings.append(Diagnostic(.dataSyntax, error.message + "; the rest of the card was left out", line: error.line, leftOut: true))
    }
    if reader.takeUnknownReferences() > 0 { note("vcard", "references to entities that XML does not know; kept as written", line) }
    if let card = assembler.finish(line: line, &findings) { cards.append(card) }
  }

  /// Reads the properties of the element whose start tag was the last token.
  private mutating func readProperties(
    _ reader: inout XMLReader, _ namespace: String, path: String, group: String?
  ) throws(DataSyntaxError) {
    while true {
      switch try reader.next() {
      case .endElement, .end: return
      case .text:
        if !reader.text.isBlankText {
          findings.append(Diagnostic(.wrongMember, "\(path): text outside a property; left out", line: reader.line, leftOut: true))
        }
      case .startElement:
        let name = reader.name.local.lowercased()
        let line = reader.line
        if reader.name.namespace != namespace {
          try readForeign(&reader, group, line)
        } else if name == "group", group == nil {
          let label = reader.attributes.first { $0.name.local == "name" }?.value ?? ""
          if label.isEmpty { note("\(path)/group", "a group without a name; read as no group", line) }
          try readProperties(&reader, namespace, path: path + "/group", group: label.isEmpty ? nil : label)
        } else {
          try readProperty(&reader, namespace, name, path: path + "/" + name, group, line)
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
    add(property, "vcard/" + reader.name.local, line)
  }

  private mutating func readProperty(
    _ reader: inout XMLReader, _ namespace: String, _ name: String, path: String, _ group: String?, _ line: Int
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
          findings.append(
            Diagnostic(.unknownMember, "\(path)/\(element): an element of another namespace; left out", line: reader.line, leftOut: true))
          try reader.skipElement()
        } else if element == "parameters" {
          try readParameters(&reader, path: path + "/parameters", into: &property)
        } else {
          values.append((element, try readText(&reader, path: path + "/" + element)))
        }
      }
    }
    if !loose.isEmpty {
      note(path, "text outside a value element; read as the value", line)
      if values.isEmpty { values.append((PropertyShape.of(name)?.type ?? "text", loose)) }
    }
    if name == "version" { return }
    guard !["begin", "end"].contains(name) else {
      findings.append(Diagnostic(.wrongMember, "\(path): no property can be called so; left out", line: line, leftOut: true))
      return
    }
    guard !values.isEmpty else { return note(path, "no value; left out", line) }
    fill(&property, values, path, line)
    add(property, path, line)
  }

  private mutating func readParameters(_ reader: inout XMLReader, path: String, into property: inout PropertyText) throws(DataSyntaxError) {
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
        reading: while true {
          switch try reader.next() {
          case .endElement, .end: break reading
          case .text: if !reader.text.isBlankText { loose += reader.text.text() }
          case .startElement: values.append(try readText(&reader, path: path + "/" + name))
          }
        }
        if values.isEmpty, !loose.isEmpty {
          note(path + "/" + name, "text outside a value element; read as the value", line)
          values = [loose]
        }
        property.parameters.append((name, values))
      }
    }
  }

  /// The text of the element whose start tag was the last token, with that of elements in it.
  private mutating func readText(_ reader: inout XMLReader, path: String) throws(DataSyntaxError) -> String {
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
    if hasElements { note(path, "elements inside a text; only their text was read", line) }
    return text.text()
  }

  /// Gives a property its type and values.
  private mutating func fill(_ property: inout PropertyText, _ values: [(element: String, text: String)], _ path: String, _ line: Int) {
    let name = property.name
    if let names = XCard.components[name], values.contains(where: { names.contains($0.element) }) {
      var components = [[String]](repeating: [], count: names.count)
      for (element, text) in values {
        if let place = names.firstIndex(of: element) {
          components[place].append(text)
        } else {
          findings.append(Diagnostic(.unknownMember, "\(path)/\(element): no part of the value; left out", line: line, leftOut: true))
        }
      }
      let least = PropertyShape.of(name)?.cut == .componentLists ? (name == JSContactRow.name("name") ? 5 : 7) : 1
      while components.count > least, components.last?.allSatisfy(\.isEmpty) == true { components.removeLast() }
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
        note(path, "\(name) is marked as \(element), which it is not; kept as it is", line)
        return plain
      }
      return value
    }
    if shape?.cut == .components {
      property.values = [texts.map { [$0] }]
    } else {
      property.values = texts.map { [[$0]] }
    }
    if property.hasControlCharacters, property.type != "unknown" { property.type = "text" }
  }

  private mutating func add(_ property: PropertyText, _ path: String, _ line: Int) {
    if !assembler.add(property, line: line) {
      findings.append(
        Diagnostic(.droppedCharacters, "\(path): control characters were left out", line: line, property: property.name.uppercased()))
    }
  }

  private mutating func note(_ path: String, _ message: String, _ line: Int) {
    findings.append(Diagnostic(.wrongMember, "\(path): \(message)", line: line, severity: .warning))
  }
}

extension ByteBuffer {
  /// Are there only blanks?
  fileprivate var isBlankText: Bool { withBytes { bytes in bytes.indices.allSatisfy { bytes[$0] <= ASCII.space } } }
}

extension String {
  fileprivate func trimmingBlanks() -> String {
    String(decoding: Array(utf8).drop { $0 <= ASCII.space }.reversed().drop { $0 <= ASCII.space }.reversed(), as: UTF8.self)
  }
}
