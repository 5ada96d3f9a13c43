// Reads xCard elements (RFC 6351) as cards, also those that are not to the letter.

package import CardSyntax
internal import Bytes
internal import DataSyntax

/// Reads xCard elements as cards.
package struct XCardReader: ~Copyable {
  /// What was wrong with the element read last.
  package var findings: [Diagnostic] { properties.findings }
  private var properties = XCardPropertyReader()
  private var lines = XCardLines()
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
    _ bytes: [UInt8], line: Int, column: Int = 1, namespaces: [(prefix: String, namespace: String)], into cards: inout [CardBatch]
  ) {
    properties.findings = []
    properties.path = ["vcard"]
    var reader = XMLReader(bytes, namespaces: namespaces, firstLine: line, firstColumn: column, maximumDepth: maximumDepth)
    assembler.begin(.v40, line: line)
    do throws(DataSyntaxError) {
      _ = try reader.next()
      let namespace = reader.name.namespace
      if namespace != XCard.namespace {
        properties.note(namespace.isEmpty ? "no namespace; read as vCard 4.0" : "the namespace \(namespace); read as vCard 4.0", line)
      }
      lines.begin(reader.namespaces, namespace)
      try readProperties(&reader, bytes, namespace, group: nil, declared: reader.declaredCount)
    } catch {
      properties.findings.append(
        Diagnostic(.dataSyntax, error.told + "; the rest of the card was left out", line: error.line, leftOut: true))
    }
    properties.path = ["vcard"]
    if reader.takeUnknownReferences() > 0 { properties.note("references to entities that XML does not know; kept as written", line) }
    if let card = assembler.finish(line: line, &properties.findings) { cards.append(card) }
  }

  /// Reads the properties of the element whose start tag was the last token. Where as many namespaces are `declared` as around all
  /// properties, elements mean what they mean there.
  private mutating func readProperties(
    _ reader: inout XMLReader, _ bytes: [UInt8], _ namespace: String, group: String?, declared: Int
  ) throws(DataSyntaxError) {
    while true {
      if reader.declaredCount == declared, let start = Self.nextTag(bytes, reader.position),
        let (template, end) = lines.template(bytes, start, &assembler.lines)
      {
        let line = reader.line(at: start)
        reader.passOver(to: end)
        let isWhole = template.map { assembler.add($0, lines.part, bytes.span, group: group, line: line) } ?? true
        if !isWhole, let template { noteControls(template.name.lowercased(), template.name, line) }
        continue
      }
      switch try reader.next() {
      case .endElement, .end: return
      case .text:
        if !reader.text.isBlankText {
          properties.leaveOut("text outside a property; left out", reader.line)
        }
      case .startElement:
        let name = reader.name.local.lowercased()
        let line = reader.line
        if reader.name.namespace != namespace {
          try readForeign(&reader, group, line)
        } else if name == "group", group == nil {
          let label = reader.attributes.first { $0.name.local == "name" }?.value ?? ""
          properties.path.append(name)
          if label.isEmpty { properties.note("a group without a name; read as no group", line) }
          try readProperties(&reader, bytes, namespace, group: label.isEmpty ? nil : label, declared: declared)
          properties.path.removeLast()
        } else {
          properties.path.append(name)
          if let property = try properties.read(&reader, namespace, name, group, line) { add(property, line) }
          properties.path.removeLast()
        }
      }
    }
  }

  /// The place of the tag at `start`, blanks before it apart; nil where something else stands there.
  private static func nextTag(_ bytes: [UInt8], _ start: Int) -> Int? {
    var i = start
    while i < bytes.count, bytes[i] <= ASCII.space { i += 1 }
    return i + 1 < bytes.count && bytes[i] == UInt8(ascii: "<") && bytes[i + 1] != ASCII.slash ? i : nil
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
    let outside = properties.path
    properties.path = ["vcard", reader.name.local]
    add(property, line)
    properties.path = outside
  }

  private mutating func add(_ property: PropertyText, _ line: Int) {
    if !assembler.add(property, line: line) { noteControls(nil, property.name.uppercased(), line) }
  }

  private mutating func noteControls(_ element: String?, _ name: String, _ line: Int) {
    let place = (properties.path + (element.map { [$0] } ?? [])).joined(separator: "/")
    properties.findings.append(
      Diagnostic(.droppedCharacters, "\(place): control characters were left out", line: line, property: name))
  }
}

/// Reads properties of xCards. What is wrong with them becomes findings; what can be read is.
struct XCardPropertyReader: ~Copyable {
  /// What was wrong.
  var findings: [Diagnostic] = []
  /// The elements that lead to where the reader stands.
  var path: [String] = []

  /// Reads the property whose start tag was the last token; nil (but for the version with a finding) where it has none.
  mutating func read(
    _ reader: inout XMLReader, _ namespace: String, _ name: String, _ group: String?, _ line: Int
  ) throws(DataSyntaxError) -> PropertyText? {
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
    if name == XCard.version { return nil }
    guard !["begin", "end"].contains(name) else {
      leaveOut("no property can be called so; left out", line)
      return nil
    }
    guard !values.isEmpty else {
      note("no value; left out", line)
      return nil
    }
    fill(&property, values, line)
    return property
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

  mutating func note(_ message: String, _ line: Int) {
    findings.append(Diagnostic(.wrongMember, "\(path.joined(separator: "/")): \(message)", line: line, severity: .warning))
  }

  /// Says that what stands here, or in an element here, was left out.
  mutating func leaveOut(_ message: String, _ line: Int, _ rule: Rule = .wrongMember, at element: String? = nil) {
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
