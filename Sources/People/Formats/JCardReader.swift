// Reads jCards (RFC 7095), also those that are not to the letter, as cards.

package import CardSyntax
internal import Bytes
internal import DataSyntax

/// Reads one jCard property from JSON. What is wrong with it becomes a finding with its line and a JSON pointer; what can be read is.
struct JCardPropertyReader: ~Copyable {
  var findings: [Diagnostic] = []
  /// Where the property stands in its document: the pointer is made only where there is something to tell.
  var path: [Int] = []
  /// What stands before the path in the pointer.
  var prefix = ""
  /// Where the property stands, as a JSON pointer.
  var pointer: String { prefix + path.map { "/\($0)" }.joined() }
  /// The parameters that objects hold, by their text; of those without fault.
  private var memo = ByteMemo<PropertyText>()
  private var key = ByteBuffer(capacity: 256)
  /// The version of the card that the property is for.
  var version: CardVersion = .v40

  /// Reads the property whose `[` was the reader's last token. Nil (with a finding) where there is none in it.
  mutating func read(_ reader: inout JSONReader) throws(DataSyntaxError) -> PropertyText? {
    let line = reader.line
    let outside = reader.depth - 1
    guard try reader.next() == .string else {
      note("the name of a property is missing; left out", line, leftOut: true)
      while reader.depth > outside { _ = try reader.next() }
      return nil
    }
    return try read(&reader, name: reader.text.text(), line: line)
  }

  /// Reads the rest of the property whose name was the reader's last token.
  mutating func read(_ reader: inout JSONReader, name: String, line: Int) throws(DataSyntaxError) -> PropertyText? {
    var property = PropertyText()
    property.name = name.lowercased()
    if let dot = property.name.firstIndex(of: ".") {
      property.group = String(name[..<(name.firstIndex(of: ".") ?? name.startIndex)])
      property.name = String(property.name[property.name.index(after: dot)...])
      note("a group before the name \(name); taken as the group", line, .warning)
    }
    let isName = !property.name.isEmpty && property.name.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.dash }
    if !isName { note("\"\(name)\" is no name of a property", line, .warning) }
    var token = try reader.next()
    if token == .beginObject {
      try recallParameters(&reader, into: &property)
      token = try reader.next()
    } else if token != .string {
      // Some programs write an empty object as an empty array.
      note("the parameters are no object; read as none", line, .warning)
      if token == .beginArray {
        let outside = reader.depth - 1
        if try reader.next() != .endArray { note("a list for parameters was left out", line, leftOut: true) }
        while reader.depth > outside { _ = try reader.next() }
      }
      if token != .endArray { token = try reader.next() }
    } else {
      note("the parameters are missing; read as none", line, .warning)
    }
    let shape = PropertyShape.of(property.name)
    if token == .string {
      property.type = reader.text.text().lowercased()
      token = try reader.next()
      if token == .endArray, !Self.types.contains(property.type) {
        note("the type is missing; read as \(shape?.type ?? "unknown")", line, .warning)
        property.values = [[[reader.text.text()]]]
        property.type = shape?.type(in: version) ?? "unknown"
      }
    } else if token != .endArray {
      note("the type is no text; read as \(shape?.type ?? "unknown")", line, .warning)
      property.type = shape?.type(in: version) ?? "unknown"
      if token == .null || token == .true || token == .false { token = try reader.next() }
    }
    while token != .endArray {
      if let value = try readValue(&reader, first: token) { property.values.append(value) }
      token = try reader.next()
    }
    if property.name.utf8.allSatisfy({ !ASCII.isLetter($0) && !ASCII.isDigit($0) }) || ["begin", "end"].contains(property.name) {
      note("\"\(name)\" cannot be a property; left out", line, leftOut: true)
      return nil
    }
    guard !property.values.isEmpty else {
      note("\(name) has no value; left out", line, .warning)
      return nil
    }
    spell(&property, line)
    return property
  }

  /// The types that vCard and jCard know.
  private static let types: Set<String> = [
    "text", "uri", "date", "time", "date-time", "date-and-or-time", "timestamp", "boolean", "integer", "float", "utc-offset",
    "language-tag", "unknown",
  ]

  /// Gives the values vCard's spelling. What is not of its type is kept as it is, as text where no line could hold it otherwise.
  private mutating func spell(_ property: inout PropertyText, _ line: Int) {
    guard ValueForm(property.type) != .text else { return }
    var isWrong = false
    for i in property.values.indices {
      for k in property.values[i].indices {
        for n in property.values[i][k].indices where !property.values[i][k][n].isEmpty {
          if let text = JCardFormat.vCardText(property.values[i][k][n], property.type, in: version) {
            property.values[i][k][n] = text
          } else {
            isWrong = true
          }
        }
      }
    }
    guard isWrong else { return }
    note("\(property.name) is marked as \(property.type), which it is not; kept as it is", line, .warning)
    if property.hasControlCharacters { property.type = "text" }
  }

  // MARK: Parameters

  /// Reads the object whose `{` was the last token. Few objects are new: what the others hold is remembered.
  private mutating func recallParameters(_ reader: inout JSONReader, into property: inout PropertyText) throws(DataSyntaxError) {
    let start = reader.tokenStart
    let line = reader.line
    try reader.skipValue()
    key.removeAll()
    reader.append(start, reader.position, to: &key)
    // Only where no group stood before the name is the object all that counts.
    let isWhole = property.group == nil
    if isWhole, let known = memo.value(of: key) {
      (property.group, property.parameters) = (known.group, known.parameters)
      return
    }
    var inner = reader.part(from: start, to: reader.position, firstLine: line)
    let before = findings.count
    _ = try inner.next()
    try readParameters(&inner, into: &property)
    guard isWhole, findings.count == before else { return }
    var kept = PropertyText()
    (kept.group, kept.parameters) = (property.group, property.parameters)
    memo.keep(kept, for: key)
  }

  /// Reads the object whose `{` was the last token.
  mutating func readParameters(_ reader: inout JSONReader, into property: inout PropertyText) throws(DataSyntaxError) {
    while try reader.next() == .key {
      let name = reader.text.text()
      let key = name.lowercased()
      let line = reader.line
      var values: [String] = []
      try readTexts(&reader, first: reader.next(), into: &values)
      if key == "group" {
        property.group = values.first.flatMap { $0.isEmpty ? nil : $0 }
        continue
      }
      if key == "value" {
        note("VALUE is no parameter of a jCard; left out", line, .warning)
        continue
      }
      guard key.utf8.contains(where: { ASCII.isLetter($0) || ASCII.isDigit($0) }) else {
        note("\"\(name)\" is no name of a parameter; left out", line, leftOut: true)
        continue
      }
      property.parameters.append((key, values))
    }
    property.mergeParameters()
  }

  // MARK: Values

  /// Reads the value that begins with `first`: a text, components, components of several texts. Nil for null and objects.
  private mutating func readValue(_ reader: inout JSONReader, first: JSONToken) throws(DataSyntaxError) -> [[String]]? {
    let line = reader.line
    switch first {
    case .beginArray:
      var components: [[String]] = []
      var token = try reader.next()
      while token != .endArray {
        var texts: [String] = []
        if token == .null { texts.append("") } else { try readTexts(&reader, first: token, into: &texts) }
        components.append(texts.isEmpty ? [""] : texts)
        token = try reader.next()
      }
      return components.isEmpty ? [[""]] : components
    case .null:
      note("null is no value; left out", line, .warning)
      return nil
    default:
      var texts: [String] = []
      try readTexts(&reader, first: first, into: &texts)
      return texts.isEmpty ? nil : [texts]
    }
  }

  /// Reads texts: one, or all in an array, however deep. Numbers and truth values are read as text, null as nothing.
  private mutating func readTexts(_ reader: inout JSONReader, first: JSONToken, into texts: inout [String]) throws(DataSyntaxError) {
    var token = first
    var depth = 0
    repeat {
      switch token {
      case .string, .number: texts.append(reader.text.text())
      case .true: texts.append("true")
      case .false: texts.append("false")
      case .beginArray:
        depth += 1
        if depth == 2 { note("arrays nest too deep; read as one list", reader.line, .warning) }
      case .endArray: depth -= 1
      case .beginObject:
        note("an object is no value; left out", reader.line, leftOut: true)
        try reader.skipValue()
      case .null, .key, .endObject, .end: break
      }
      if depth > 0 { token = try reader.next() }
    } while depth > 0
  }

  // MARK: Findings

  mutating func note(_ message: String, _ line: Int, _ severity: Severity = .error, leftOut: Bool = false) {
    findings.append(Diagnostic(.wrongMember, "\(pointer): \(message)", line: line, severity: severity, leftOut: leftOut))
  }
}

/// Reads jCards: one, or arrays of them.
package struct JCardReader: ~Copyable {
  /// What was wrong with the value read last.
  package private(set) var findings: [Diagnostic] = []
  private var assembler = CardAssembler()
  private var properties = JCardPropertyReader()
  private let maximumDepth = Limits().dataNesting

  package init() {}

  /// Reads one JSON value, a jCard or an array of them; its cards are added to `cards`. What is no jCard becomes a finding.
  package mutating func read(_ bytes: [UInt8], line: Int, into cards: inout [CardBatch]) {
    findings = []
    var reader = JSONReader(bytes, firstLine: line, maximumDepth: maximumDepth)
    do throws(DataSyntaxError) {
      guard try reader.next() == .beginArray else {
        findings.append(Diagnostic(.wrongMember, "no array, so no jCard; left out", line: line, leftOut: true))
        return
      }
      try readArray(&reader, bytes, path: [], into: &cards)
    } catch {
      findings.append(Diagnostic(.dataSyntax, error.message + "; the rest was left out", line: error.line, leftOut: true))
    }
  }

  /// Reads the array whose `[` was the last token: `["vcard", …]`, or cards in it. Nested as deep as the reader allows.
  private mutating func readArray(
    _ reader: inout JSONReader, _ bytes: [UInt8], path: [Int], into cards: inout [CardBatch]
  ) throws(DataSyntaxError) {
    var index = 0
    let line = reader.line
    while true {
      switch try reader.next() {
      case .endArray: return
      case .string where index == 0:
        let word = reader.text.text().lowercased()
        if word == "vcard" { return try readCard(&reader, bytes, path: path, line: line, into: &cards) }
        if word != "vcardstream" { note("\"\(word)\" is not \"vcard\"; left out", reader.line, path + [0], leftOut: true) }
      case .beginArray: try readArray(&reader, bytes, path: path + [index], into: &cards)
      default:
        note("no jCard; left out", reader.line, path + [index], leftOut: true)
        try reader.skipValue()
      }
      index += 1
    }
  }

  /// Reads what follows `"vcard"`, up to the end of its array.
  private mutating func readCard(
    _ reader: inout JSONReader, _ bytes: [UInt8], path: [Int], line: Int, into cards: inout [CardBatch]
  ) throws(DataSyntaxError) {
    let version = declaredVersion(bytes, from: reader.position, line: line, path: path)
    properties.version = version
    assembler.begin(version, line: line)
    var index = 1
    var failure: DataSyntaxError?
    do throws(DataSyntaxError) {
      while try reader.next() != .endArray {
        if reader.lastToken == .beginArray {
          try readProperties(&reader, path: path + [index])
        } else {
          note("no list of properties; left out", reader.line, path + [index], leftOut: true)
          try reader.skipValue()
        }
        index += 1
      }
    } catch {
      // What was read of the card is kept.
      failure = error
    }
    if index == 1, failure == nil { note("a jCard without properties", line, path, .warning) }
    takeFindings()
    if let card = assembler.finish(line: line, &findings) { cards.append(card) }
    if let failure { throw failure }
  }

  /// Reads the list of properties whose `[` was the last token; a list that begins with a text is itself a property.
  private mutating func readProperties(_ reader: inout JSONReader, path: [Int]) throws(DataSyntaxError) {
    var index = 0
    properties.path = path + [0]
    while true {
      properties.path[path.count] = index
      switch try reader.next() {
      case .endArray: return
      case .string where index == 0:
        properties.path = path
        let line = reader.line
        note("a property outside the list of properties; read as one", line, path, .warning)
        if let property = try properties.read(&reader, name: reader.text.text(), line: line) { add(property, line) }
        takeFindings()
        return
      case .beginArray:
        let line = reader.line
        if let property = try properties.read(&reader) { add(property, line) }
        takeFindings()
      default:
        note("no property; left out", reader.line, path + [index], leftOut: true)
        try reader.skipValue()
      }
      index += 1
    }
  }

  private mutating func takeFindings() {
    findings += properties.findings
    properties.findings.removeAll(keepingCapacity: true)
  }

  private mutating func add(_ property: PropertyText, _ line: Int) {
    if property.name == "version" { return }
    takeFindings()
    if !assembler.add(property, line: line) {
      findings.append(
        Diagnostic(
          .droppedCharacters, "\(properties.pointer): control characters were left out", line: line, property: property.name.uppercased()))
    }
  }

  /// The version that the card of which the properties follow at `start` declares; the place of its property decides nothing.
  private mutating func declaredVersion(_ bytes: [UInt8], from start: Int, line: Int, path: [Int]) -> CardVersion {
    var text: String?
    var scan = JSONReader(bytes, from: Self.firstValue(bytes, from: start), maximumDepth: maximumDepth)
    do throws(DataSyntaxError) {
      var before = try scan.next()
      while text == nil, scan.depth > 0 {
        let token = try scan.next()
        if token == .string, before == .beginArray {
          let isVersion = scan.text.text().lowercased() == "version"
          let outside = scan.depth - 1
          while scan.depth > outside {
            if try scan.next() == .string || scan.lastToken == .number, isVersion { text = scan.text.text() }
          }
        }
        before = token
      }
    } catch {
      // The reader itself will meet this fault and tell it.
    }
    switch text {
    case "4.0": return .v40
    case "3.0": return .v30
    case nil: note("a jCard without its version; read as 4.0", line, path, .warning)
    case "2.1":
      note("version 2.1, which has no jCard; read as 3.0", line, path, .warning)
      return .v30
    case let other?: note("version \(other) is unknown; read as 4.0", line, path, .warning)
    }
    return .v40
  }

  /// The place behind the blanks and the comma at `start`.
  private static func firstValue(_ bytes: [UInt8], from start: Int) -> Int {
    var i = start
    while i < bytes.count, bytes[i] <= ASCII.space || bytes[i] == ASCII.comma { i += 1 }
    return i
  }

  private static func pointer(_ path: [Int]) -> String { path.map { "/\($0)" }.joined() }

  private mutating func note(_ message: String, _ line: Int, _ path: [Int], _ severity: Severity = .error, leftOut: Bool = false) {
    findings.append(
      Diagnostic(.wrongMember, (path.isEmpty ? "" : Self.pointer(path) + ": ") + message, line: line, severity: severity, leftOut: leftOut))
  }
}
