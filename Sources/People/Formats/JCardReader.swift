// Reads jCards (RFC 7095), also those that are not to the letter, as cards.

package import CardSyntax
internal import Bytes
internal import DataSyntax

/// What the name of a property says.
struct JCardName {
  /// The name in lower case, without the group before it.
  let name: String
  let group: String?
  let shape: PropertyShape?
  /// What is to be told of it.
  fileprivate let notes: [String]
  /// Can no line be called so?
  fileprivate let isForbidden: Bool
  /// Is it that of the version?
  let isVersion: Bool

  fileprivate init(_ written: String) {
    var name = written.lowercased()
    var group: String?
    var notes: [String] = []
    if let dot = name.firstIndex(of: ".") {
      group = String(written[..<(written.firstIndex(of: ".") ?? written.startIndex)])
      name = String(name[name.index(after: dot)...])
      notes.append("a group before the name \(written); taken as the group")
    }
    let isName = !name.isEmpty && name.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.dash }
    if !isName { notes.append("\"\(written)\" is no name of a property") }
    (self.name, self.group, self.notes, shape) = (name, group, notes, PropertyShape.of(name))
    isVersion = name == "version"
    isForbidden = name.utf8.allSatisfy({ !ASCII.isLetter($0) && !ASCII.isDigit($0) }) || ["begin", "end"].contains(name)
  }
}

/// Reads one jCard property from JSON. What is wrong with it becomes a finding with its line and a JSON pointer; what can be read is.
struct JCardPropertyReader: ~Copyable {
  var findings: [Diagnostic] = []
  /// Where the property stands in its document: the pointer is made only where there is something to tell.
  var path: [Int] = []
  /// What stands before the path in the pointer.
  var prefix = ""
  /// Where the property stands, as a JSON pointer.
  var pointer: String { prefix + path.map { "/\($0)" }.joined() }
  /// The version of the card that the property is for.
  var version: CardVersion = .v40

  // What was read last.
  private(set) var name = JCardName("")
  /// Group, parameters.
  private var head = PropertyText()
  private(set) var type = "unknown"
  private(set) var values = PropertyValues()
  /// The name as it was written.
  private var written = ""

  /// The property that was read last.
  var property: PropertyText {
    var property = head
    (property.name, property.type) = (name.name, type)
    property.values = values.trees
    return property
  }

  /// Reads the property whose `[` was the reader's last token. False (with a finding) where there is none in it.
  mutating func read(_ reader: inout JSONReader) throws(DataSyntaxError) -> Bool {
    let line = reader.line
    let outside = reader.depth - 1
    guard try reader.next() == .string else {
      note("the name of a property is missing; left out", line, leftOut: true)
      while reader.depth > outside { _ = try reader.next() }
      return false
    }
    return try readRest(&reader, line: line)
  }

  /// Reads the rest of the property whose name was the reader's last token.
  mutating func readRest(_ reader: inout JSONReader, line: Int) throws(DataSyntaxError) -> Bool {
    written = reader.text.text()
    name = JCardName(written)
    for text in name.notes { note(text, line, .warning) }
    head.group = name.group
    head.parameters.removeAll()
    var token = try reader.next()
    if token == .beginObject {
      try readParameters(&reader)
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
    type = "unknown"
    values.removeAll()
    if token == .string {
      type = reader.text.text().lowercased()
      token = try reader.next()
      if token == .endArray, !Self.types.contains(type) {
        note("the type is missing; read as \(name.shape?.type ?? "unknown")", line, .warning)
        values.append(reader.text, .value)
        type = name.shape?.type(in: version) ?? "unknown"
      }
    } else if token != .endArray {
      note("the type is no text; read as \(name.shape?.type ?? "unknown")", line, .warning)
      type = name.shape?.type(in: version) ?? "unknown"
      if token == .null || token == .true || token == .false { token = try reader.next() }
    }
    while token != .endArray {
      try readValue(&reader, first: token)
      token = try reader.next()
    }
    if name.isForbidden {
      note("\"\(written)\" cannot be a property; left out", line, leftOut: true)
      return false
    }
    guard !values.isEmpty else {
      note("\(written) has no value; left out", line, .warning)
      return false
    }
    spell(line)
    return true
  }

  /// The types that vCard and jCard know.
  private static let types: Set<String> = [
    "text", "uri", "date", "time", "date-time", "date-and-or-time", "timestamp", "boolean", "integer", "float", "utc-offset",
    "language-tag", "unknown",
  ]

  /// Gives the values vCard's spelling. What is not of its type is kept as it is, as text where no line could hold it otherwise.
  private mutating func spell(_ line: Int) {
    guard ValueForm(type) != .text else { return }
    let (type, version) = (type, version)
    if values.respell({ JCardFormat.vCardText($0, type, in: version) }) { return }
    note("\(name.name) is marked as \(type), which it is not; kept as it is", line, .warning)
    if values.hasControlCharacters(type) { self.type = "text" }
  }

  // MARK: Parameters

  /// Reads the object whose `{` was the last token.
  private mutating func readParameters(_ reader: inout JSONReader) throws(DataSyntaxError) {
    while try reader.next() == .key {
      let name = reader.text.text()
      let key = name.lowercased()
      let line = reader.line
      self.values.removeAll()
      _ = try readTexts(&reader, first: reader.next(), .value)
      let values = self.values.trees.first?.first ?? []
      if key == "group" {
        head.group = values.first.flatMap { $0.isEmpty ? nil : $0 }
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
      head.parameters.append((key, values))
    }
    head.mergeParameters()
  }

  // MARK: Values

  /// Reads the value that begins with `first`: a text, components, components of several texts. Nothing of null and objects.
  private mutating func readValue(_ reader: inout JSONReader, first: JSONToken) throws(DataSyntaxError) {
    let line = reader.line
    switch first {
    case .beginArray:
      var level = PropertyValues.Level.value
      var token = try reader.next()
      while token != .endArray {
        let hasText = token == .null ? false : try readTexts(&reader, first: token, level)
        if !hasText { values.append("", level) }
        level = .component
        token = try reader.next()
      }
      if level == .value { values.append("", level) }
    case .null: note("null is no value; left out", line, .warning)
    default: _ = try readTexts(&reader, first: first, .value)
    }
  }

  /// Reads texts: one, or all in an array, however deep; the first of them begins what `level` says. Numbers and truth values are read as
  /// text, null as nothing. False where there was none.
  private mutating func readTexts(
    _ reader: inout JSONReader, first: JSONToken, _ level: PropertyValues.Level
  ) throws(DataSyntaxError) -> Bool {
    var token = first
    var depth = 0
    var level = level
    var hasText = false
    repeat {
      switch token {
      case .string, .number: values.append(reader.text, level)
      case .true: values.append("true", level)
      case .false: values.append("false", level)
      case .beginArray:
        depth += 1
        if depth == 2 { note("arrays nest too deep; read as one list", reader.line, .warning) }
      case .endArray: depth -= 1
      case .beginObject:
        note("an object is no value; left out", reader.line, leftOut: true)
        try reader.skipValue()
      case .null, .key, .endObject, .end: break
      }
      if token == .string || token == .number || token == .true || token == .false { (level, hasText) = (.text, true) }
      if depth > 0 { token = try reader.next() }
    } while depth > 0
    return hasText
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
  private var lines = JCardLines()
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
      findings.append(Diagnostic(.dataSyntax, error.told + "; the rest was left out", line: error.line, leftOut: true))
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
          try readProperties(&reader, bytes, path: path + [index])
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
  private mutating func readProperties(_ reader: inout JSONReader, _ bytes: [UInt8], path: [Int]) throws(DataSyntaxError) {
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
        if try properties.readRest(&reader, line: line) { addProperty(line) }
        takeFindings()
        return
      case .beginArray:
        let line = reader.line
        if properties.version == .v40, let (template, end) = lines.template(bytes, reader.tokenStart, &assembler.lines) {
          reader.passOver(to: end)
          let isWhole = template.map { assembler.add($0, lines.part, bytes.span, line: line) } ?? true
          if !isWhole { noteControls(template?.name ?? "", line) }
        } else {
          if try properties.read(&reader) { addProperty(line) }
          takeFindings()
        }
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

  private mutating func addProperty(_ line: Int) {
    if properties.name.isVersion { return }
    takeFindings()
    if !assembler.add(properties.property, line: line) { noteControls(properties.name.name.uppercased(), line) }
  }

  private mutating func noteControls(_ name: String, _ line: Int) {
    findings.append(
      Diagnostic(.droppedCharacters, "\(properties.pointer): control characters were left out", line: line, property: name))
  }

  /// The version that the card of which the properties follow at `start` declares; the place of its property decides nothing.
  private mutating func declaredVersion(_ bytes: [UInt8], from start: Int, line: Int, path: [Int]) -> CardVersion {
    let first = Self.firstValue(bytes, from: start)
    // Most cards say it first.
    if lines.isVersion40(bytes, first) { return .v40 }
    var text: String?
    var scan = JSONReader(bytes, from: first, maximumDepth: maximumDepth)
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
