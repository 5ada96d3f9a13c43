// xCard (RFC 6351): the properties of a card as XML elements, both ways.

internal import Bytes
internal import CardSyntax
internal import DataSyntax

/// What both directions of xCard know.
enum XCard {
  static let namespace = "urn:ietf:params:xml:ns:vcard-4.0"
  static let xml = "xml"
  static let version = "version"

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

extension XCard {
  /// What the text of a value element is: free text, one that is read without blanks around it, a date, or what is looked at.
  enum TextKind: UInt16 { case plain, free, date, other }

  private static let textKinds = NameTable(
    ["text", "unknown"].map { ($0, TextKind.free.rawValue) }
      + ["date", "date-time", "date-and-or-time", "timestamp"].map { ($0, TextKind.date.rawValue) }
      + ["time", "boolean", "integer", "float", "utc-offset"].map { ($0, TextKind.other.rawValue) })

  /// What the text of the element is whose name stands in a part of `bytes`.
  static func textKind(_ bytes: Span<UInt8>, _ name: Range<Int>) -> TextKind {
    TextKind(rawValue: textKinds.number(of: bytes, name.lowerBound, name.upperBound)) ?? .plain
  }
}

/// Writes cards of 4.0 as xCard elements, straight from their lines.
struct XCardWriter: ~Copyable {
  private var heads = SiblingHeads()
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
    heads.begin(batch, card.version)
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
    let head = heads.head(of: line, batch) { Self.written($0) }
    let bytes = batch.bytes
    let (start, end) = (Int(line.valueStart), Int(line.valueEnd))
    if !head.hasParameters, head.shape?.name == XCard.xml {
      setText(bytes.span, start, end, head, version)
      let text = scratch.text()
      if XCardReader.isForeignElement(text) { return output.append(text: text) }
    }
    if !head.changedNames.isEmpty { changedNames += head.changedNames }
    output.append(head.start)
    if head.hasLabel {
      scratch.removeAll()
      batch.appendLabel(of: line, version, to: &scratch)
      writeScratch(.text, to: &output)
      output.append(head.behindLabel)
    }
    if head.type == "text", let shape = head.shape, shape.isStructured, let tags = XMLTag.components[shape.name] {
      writeComponents(tags, bytes.span, start, end, head, shape, version, to: &output)
    } else {
      writeTexts(bytes.span, start, end, head, version, to: &output)
    }
    output.append(head.end)
  }

  /// The start tag with all parameters, and the end tag.
  private static func written(_ head: borrowing PropertyHead) -> SiblingHead {
    var output = ByteBuffer(capacity: 256)
    var gap: Int?
    var changed: [String] = []
    let tag = tag(head.name, of: head, &changed)
    output.append(tag.start)
    if !head.parameters.isEmpty {
      output.append("<parameters>")
      for entry in head.parameters {
        let parameter = Self.tag(entry.name, of: head, &changed)
        output.append(parameter.start)
        head.text.withBytes { bytes in
          let element = XMLTag(XCard.parameterType(bytes, entry.name))
          for value in entry.values {
            if value == head.label {
              gap = output.count
            } else {
              write(element, bytes, head.values[value].lowerBound, head.values[value].upperBound, to: &output)
            }
          }
        }
        output.append(parameter.end)
      }
      output.append("</parameters>")
    }
    let utf8 = head.type.utf8
    let type = utf8.span
    let element = Self.tag(type, 0, type.count, &changed)
    return SiblingHead(head, start: output, gap: gap, end: tag.end, element: element, changedNames: changed)
  }

  // MARK: Values

  /// Writes the parts of a structured value, each in the element of its place.
  private mutating func writeComponents(
    _ tags: [XMLTag], _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ head: SiblingHead, _ shape: PropertyShape,
    _ version: CardVersion, to output: inout ByteBuffer
  ) {
    var place = 0
    var from = start
    while from <= end {
      let stop = shape.cut.componentEnd(bytes, from: from, to: end, isFirst: place == 0)
      write(tags[min(place, tags.count - 1)], list: shape.cut == .componentLists, bytes, from, stop, head, version, to: &output)
      from = stop + 1
      place += 1
    }
    // Some stand even where they are empty.
    while place < min(XCard.requiredCount(shape), tags.count) {
      output.append(tags[place].empty)
      place += 1
    }
  }

  /// Writes all texts of a value, each in the element of its type.
  private mutating func writeTexts(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ head: SiblingHead, _ version: CardVersion, to output: inout ByteBuffer
  ) {
    guard let tag = head.element else { return }
    switch head.cut {
    case .whole:
      guard head.type == "date-and-or-time", head.shape?.type == head.type else {
        return write(tag, list: false, bytes, start, end, head, version, to: &output)
      }
      setText(bytes, start, end, head, version)
      let own = dateTag() ?? tag
      writeScratch(own, to: &output)
    case .list: write(tag, list: true, bytes, start, end, head, version, to: &output)
    case .components, .pair, .componentLists:
      var from = start
      while from <= end {
        let stop = head.cut.componentEnd(bytes, from: from, to: end, isFirst: from == start)
        write(tag, list: head.cut == .componentLists, bytes, from, stop, head, version, to: &output)
        from = stop + 1
      }
    }
  }

  /// Writes one text or, with `list`, each text between commas.
  private mutating func write(
    _ tag: XMLTag, list: Bool, _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ head: SiblingHead, _ version: CardVersion,
    to output: inout ByteBuffer
  ) {
    var from = start
    while from <= end {
      let stop = list ? Escaping.firstSeparator(ASCII.comma, in: bytes, from: from, to: end) : end
      let isWritten =
        head.form != .boolean && (head.isAsWritten || ByteSearch.firstIndex(of: ASCII.backslash, in: bytes, from: from, to: stop) == stop)
      if isWritten {
        Self.write(tag, bytes, from, stop, to: &output)
      } else {
        setText(bytes, from, stop, head, version)
        if head.form == .boolean { lowercaseText() }
        writeScratch(tag, to: &output)
      }
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

  /// A date of which a time may be missing is an element of what it is (RFC 6351 A, 4.3.4); nil for a text that is none.
  private mutating func dateTag() -> XMLTag? {
    let (isDate, isTime, hasTime) = scratch.withBytes { bytes in
      let mark = ByteSearch.firstIndex(of: UInt8(ascii: "T"), in: bytes, from: 0, to: bytes.count)
      return (DateNumbers(bytes, 0, bytes.count) != nil, mark == 0 && !bytes.isEmpty, mark < bytes.count)
    }
    guard isDate else { return nil }
    if isTime { scratch.removeFirst(1) }
    return isTime ? .time : hasTime ? .dateTime : .date
  }

  // MARK: Elements

  /// Writes the text that was taken.
  private func writeScratch(_ tag: XMLTag, to output: inout ByteBuffer) {
    scratch.withBytes { Self.write(tag, $0, 0, $0.count, to: &output) }
  }

  private static func write(_ tag: XMLTag, _ bytes: Span<UInt8>, _ start: Int, _ end: Int, to output: inout ByteBuffer) {
    if start == end { return output.append(tag.empty) }
    output.append(tag.start)
    output.appendXML(bytes, start, end)
    output.append(tag.end)
  }

  /// The element of a name of the head.
  private static func tag(_ range: Range<Int>, of head: borrowing PropertyHead, _ changed: inout [String]) -> XMLTag {
    head.text.withBytes { tag($0, range.lowerBound, range.upperBound, &changed) }
  }

  private static func tag(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ changed: inout [String]) -> XMLTag {
    if ByteBuffer.isXMLName(bytes, start, end) { return XMLTag(bytes.text(start, end)) }
    changed.append(bytes.text(start, end))
    var name = "x-"
    for i in start..<end {
      name.unicodeScalars.append(ASCII.isLetter(bytes[i]) || ASCII.isDigit(bytes[i]) ? Unicode.Scalar(bytes[i]) : "-")
    }
    return XMLTag(name)
  }
}

/// The tags of an element, ready to be written.
struct XMLTag: Sendable {
  let start: [UInt8], end: [UInt8], empty: [UInt8]

  init(_ name: String) {
    (start, end, empty) = (Array("<\(name)>".utf8), Array("</\(name)>".utf8), Array("<\(name)/>".utf8))
  }

  static let text = XMLTag("text"), date = XMLTag("date"), time = XMLTag("time"), dateTime = XMLTag("date-time")
  /// The elements of structured values, by property.
  static let components = XCard.components.mapValues { $0.map { XMLTag($0) } }
}
