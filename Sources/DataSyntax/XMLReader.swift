// One XML element in memory, read token by token. No tree is built, nothing is fetched or expanded.
package import Bytes

/// What stands next in an element.
package enum XMLToken: Equatable, Sendable {
  /// A start tag; its name and attributes are in the reader. An empty element gives this and `endElement`.
  case startElement
  /// An end tag.
  case endElement
  /// Text, or a CDATA section; in the reader. One text may come in several tokens.
  case text
  /// The element is complete.
  case end
}

/// Reads one complete element and checks that its tags match. Comments and processing instructions are passed over. Entities other than
/// XML's own five stay as they are written: there is no document type to declare any.
package struct XMLReader: ~Copyable, Sendable {
  /// Attributes of one tag, and namespaces that are declared at one time.
  private static let maximumAttributes = 1000

  private let bytes: [UInt8]
  private let maximumDepth: Int
  private var open: [(start: Int, end: Int)] = []
  private var declared: [(depth: Int, prefix: String, namespace: String)]
  private var endsEmpty = false
  private var hasElement = false
  private var failure: DataSyntaxError?
  private var counted = 0
  private var countedLine: Int
  /// Where the line begins that was counted last: less than 0 where it begins before the bytes.
  private var lineStart: Int

  /// The name of the last start tag.
  package private(set) var name = XMLName()
  /// The attributes of the last start tag, without declarations of namespaces.
  package private(set) var attributes: [(name: XMLName, value: String)] = []
  /// The last text.
  package private(set) var text = ByteBuffer(capacity: 256)
  /// References that were not resolved, since the last call of `takeUnknownReferences`.
  private var unknownReferences = 0
  /// Where the last token begins.
  package private(set) var tokenStart = 0
  /// Where the last token ends.
  package private(set) var position = 0

  /// How many elements are open.
  package var depth: Int { open.count }
  /// The line of the last token.
  package var line: Int { mutating get { line(at: tokenStart) } }

  /// A reader over the bytes of one element; `namespaces` are those declared around it, by prefix, the innermost last.
  package init(
    _ bytes: [UInt8], namespaces: [(prefix: String, namespace: String)] = [], firstLine: Int = 1, firstColumn: Int = 1,
    maximumDepth: Int = 128
  ) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    declared = namespaces.map { (0, $0.prefix, $0.namespace) }
    countedLine = firstLine
    lineStart = 1 - firstColumn
  }

  /// How many namespaces are declared where the reader stands.
  package var declaredCount: Int { declared.count }

  /// Passes over what somebody else has read, which is well-formed and ends at `end`.
  package mutating func passOver(to end: Int) { position = end }

  /// How many references were not resolved since the last call.
  package mutating func takeUnknownReferences() -> Int {
    defer { unknownReferences = 0 }
    return unknownReferences
  }

  /// A part of the bytes as it is written.
  package func written(_ start: Int, _ end: Int) -> String { XMLText.string(bytes.span, start, min(end, bytes.count)) }

  /// The namespaces that are declared where the reader stands, the innermost of each prefix.
  package var namespaces: [(prefix: String, namespace: String)] {
    var found: [(prefix: String, namespace: String)] = []
    for entry in declared.reversed() where !found.contains(where: { $0.prefix == entry.prefix }) {
      found.append((entry.prefix, entry.namespace))
    }
    return found
  }

  /// The next token; `.end`, again and again, once the element is complete.
  package mutating func next() throws(DataSyntaxError) -> XMLToken {
    if let failure { throw failure }
    if endsEmpty {
      endsEmpty = false
      close()
      return .endElement
    }
    if open.isEmpty && hasElement { return .end }
    while position < bytes.count {
      tokenStart = position
      if bytes[position] != UInt8(ascii: "<") {
        readText()
        return .text
      }
      if let token = try readMarkup() { return token }
    }
    throw fault("The XML ends before its element is complete")
  }

  /// Passes over the rest of the element whose start tag was returned last.
  package mutating func skipElement() throws(DataSyntaxError) {
    let outside = depth - 1
    while depth > outside { if try next() == .end { return } }
  }

  private mutating func readText() {
    let bytes = bytes
    let end = ByteSearch.firstIndex(of: UInt8(ascii: "<"), in: bytes.span, from: position, to: bytes.count)
    text.removeAll()
    if !XMLText.append(bytes.span, position, end, to: &text) { unknownReferences += 1 }
    position = end
  }

  /// Reads what begins with `<`; nil for what is passed over.
  private mutating func readMarkup() throws(DataSyntaxError) -> XMLToken? {
    let bytes = bytes
    let span = bytes.span
    let second = position + 1 < bytes.count ? bytes[position + 1] : 0
    guard second == UInt8(ascii: "!") || second == UInt8(ascii: "?") || second == ASCII.slash else {
      try readStartTag()
      return .startElement
    }
    if second == ASCII.slash { return try readEndTag() }
    if XMLText.begins(with: "<!--", span, position, bytes.count) {
      position = try end(of: "-->", from: position + 4, "A comment is not closed")
      return nil
    }
    if XMLText.begins(with: "<![CDATA[", span, position, bytes.count) {
      let start = position + 9
      position = try end(of: "]]>", from: start, "A CDATA section is not closed")
      text.removeAll()
      text.append(span, start, position - 3)
      return open.isEmpty ? nil : .text
    }
    if XMLText.begins(with: "<?", span, position, bytes.count) {
      position = try end(of: "?>", from: position + 2, "A processing instruction is not closed")
      return nil
    }
    throw fault("A declaration stands inside an element")
  }

  private mutating func readEndTag() throws(DataSyntaxError) -> XMLToken {
    let bytes = bytes
    let span = bytes.span
    let start = position + 2
    let nameEnd = XMLText.nameEnd(span, start, bytes.count)
    var i = nameEnd
    while i < bytes.count, XMLText.isBlank(bytes[i]) { i += 1 }
    guard nameEnd > start, i < bytes.count, bytes[i] == UInt8(ascii: ">") else { throw fault("An end tag is not in its syntax") }
    guard let last = open.last, bytes[last.start..<last.end] == bytes[start..<nameEnd] else {
      throw fault("The end tag </\(XMLText.string(span, start, nameEnd))> closes nothing")
    }
    position = i + 1
    close()
    return .endElement
  }

  private mutating func close() {
    while let last = declared.last, last.depth == open.count, last.depth > 0 { declared.removeLast() }
    _ = open.popLast()
  }

  private mutating func end(of mark: String, from start: Int, _ complaint: String) throws(DataSyntaxError) -> Int {
    let first = mark.utf8.first ?? 0
    let bytes = bytes
    var i = start
    while true {
      i = ByteSearch.firstIndex(of: first, in: bytes.span, from: min(i, bytes.count), to: bytes.count)
      guard i < bytes.count else { throw fault(complaint) }
      if XMLText.begins(with: mark, bytes.span, i, bytes.count) { return i + mark.utf8.count }
      i += 1
    }
  }

  private mutating func readStartTag() throws(DataSyntaxError) {
    guard open.count < maximumDepth else { throw fault("The XML nests deeper than \(maximumDepth) levels") }
    let bytes = bytes
    let span = bytes.span
    let start = position + 1
    let nameEnd = XMLText.nameEnd(span, start, bytes.count)
    guard nameEnd > start else { throw fault("A start tag has no name") }
    var found: [(name: String, value: String)] = []
    var i = nameEnd
    while true {
      while i < bytes.count, XMLText.isBlank(bytes[i]) { i += 1 }
      guard i < bytes.count else { throw fault("A start tag is not closed") }
      if bytes[i] == UInt8(ascii: ">") { break }
      if XMLText.begins(with: "/>", span, i, bytes.count) {
        endsEmpty = true
        i += 1
        break
      }
      let end = XMLText.nameEnd(span, i, bytes.count)
      guard end > i else { throw fault("An attribute has no name") }
      guard found.count + declared.count < Self.maximumAttributes else { throw fault("There are too many attributes") }
      let attribute = XMLText.string(span, i, end)
      i = end
      while i < bytes.count, XMLText.isBlank(bytes[i]) { i += 1 }
      guard i < bytes.count, bytes[i] == ASCII.equals else { throw fault("The attribute \(attribute) has no value") }
      i += 1
      while i < bytes.count, XMLText.isBlank(bytes[i]) { i += 1 }
      guard i < bytes.count, bytes[i] == ASCII.quote || bytes[i] == ASCII.apostrophe else {
        throw fault("The value of the attribute \(attribute) has no quotes")
      }
      let close = ByteSearch.firstIndex(of: bytes[i], in: span, from: i + 1, to: bytes.count)
      guard close < bytes.count else { throw fault("The value of the attribute \(attribute) is not closed") }
      var value = ByteBuffer(capacity: close - i)
      if !XMLText.append(span, i + 1, close, isAttribute: true, to: &value) { unknownReferences += 1 }
      if !found.contains(where: { $0.name == attribute }) { found.append((attribute, value.text())) }
      i = close + 1
    }
    open.append((start, nameEnd))
    hasElement = true
    position = i + 1
    attributes.removeAll(keepingCapacity: true)
    for (attribute, value) in found {
      if attribute == "xmlns" { declared.append((open.count, "", value)) }
      if attribute.hasPrefix("xmlns:") { declared.append((open.count, String(attribute.dropFirst(6)), value)) }
    }
    name = resolved(XMLText.string(span, start, nameEnd), isAttribute: false)
    for (attribute, value) in found where attribute != "xmlns" && !attribute.hasPrefix("xmlns:") {
      attributes.append((resolved(attribute, isAttribute: true), value))
    }
  }

  private func resolved(_ text: String, isAttribute: Bool) -> XMLName {
    var name = XMLName(prefix: "", local: text, namespace: "")
    if let colon = text.utf8.firstIndex(of: ASCII.colon) {
      name.prefix = String(text[..<colon])
      name.local = String(text[text.utf8.index(after: colon)...])
    }
    if name.prefix.isEmpty && isAttribute { return name }
    name.namespace = declared.last { $0.prefix == name.prefix }?.namespace ?? ""
    return name
  }

  /// The line of a place, behind those that were asked for before.
  package mutating func line(at offset: Int) -> Int {
    let end = min(offset, bytes.count)
    let bytes = bytes
    while counted < end {
      counted = ByteSearch.firstIndex(of: ASCII.lineFeed, or: ASCII.carriageReturn, in: bytes.span, from: counted, to: end)
      guard counted < end else { break }
      counted += 1
      if bytes[counted - 1] == ASCII.carriageReturn && counted < bytes.count && bytes[counted] == ASCII.lineFeed { continue }
      countedLine += 1
      lineStart = counted
    }
    return countedLine
  }

  private mutating func fault(_ message: String) -> DataSyntaxError {
    let line = line(at: position)
    let error = DataSyntaxError(message: message, line: line, column: position - lineStart + 1)
    failure = error
    return error
  }
}
