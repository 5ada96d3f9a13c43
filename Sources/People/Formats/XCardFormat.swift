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
  private var heads = SiblingHeads<XCardHead>()
  private var texts = XCardTexts()
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
    if !changedNames.isEmpty { changedNames.removeAll() }
    if texts.areMany {
      heads = SiblingHeads()
      texts.removeAll()
    }
    texts.begin()
    let card = batch.cards[index]
    let (bytes, lines) = (batch.bytes, batch.lines)
    // The group that is open; empty for none.
    var group = 0..<0
    heads.begin(batch, card.version)
    output.append("<vcard>\n")
    for place in Int(card.firstLine)..<Int(card.firstLine + card.lineCount) {
      let line = lines[place]
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
      write(line, of: batch, bytes.span, card.version, to: &output)
    }
    if !group.isEmpty { output.append("</group>\n") }
    output.append("</vcard>\n")
  }

  /// What is written for the head of a line.
  private mutating func head(of line: LineEntry, _ batch: CardBatch) -> XCardHead {
    if let known = heads.known(line) { return known }
    heads.read(line, batch)
    let fresh = texts.add(heads.head)
    heads.keep(fresh, for: line)
    return fresh
  }

  private mutating func write(
    _ line: LineEntry, of batch: CardBatch, _ bytes: Span<UInt8>, _ version: CardVersion, to output: inout ByteBuffer
  ) {
    let head = head(of: line, batch)
    let (start, end) = (Int(line.valueStart), Int(line.valueEnd))
    if head.mayBeForeign {
      setText(bytes, start, end, version)
      let text = scratch.text()
      if XCardReader.isForeignElement(text) {
        output.append(text: text)
        return output.append(ASCII.lineFeed)
      }
    }
    if head.changedNames >= 0 { changedNames += texts.changedNames[head.changedNames] }
    var run = head.start
    if head.hasLabel {
      scratch.removeAll()
      batch.appendLabel(of: line, version, to: &scratch)
      scratch.withBytes { Self.write(texts.tags[XCardTexts.label], $0, 0, $0.count, &run, texts, to: &output) }
      run.add(head.behindLabel, of: texts.bytes, to: &output)
    }
    switch head.way {
    case .texts: Self.writeTexts(bytes, start, end, head, version, &run, texts, to: &output)
    case .written: Self.write(texts.tags[head.firstTag], bytes, start, end, &run, texts, to: &output)
    case .boolean:
      scratch.removeAll()
      scratch.append(text: bytes.text(start, end).lowercased())
      scratch.withBytes { Self.writeTexts($0, 0, $0.count, head, version, &run, texts, to: &output) }
    case .date where ByteSearch.firstIndex(of: ASCII.backslash, in: bytes, from: start, to: end) == end:
      Self.writeDate(bytes, start, end, head, &run, texts, to: &output)
    case .date:
      setText(bytes, start, end, version)
      scratch.withBytes { Self.writeDate($0, 0, $0.count, head, &run, texts, to: &output) }
    }
    run.add(head.end, of: texts.bytes, to: &output)
    output.append(texts.bytes, run.start, run.end)
  }

  /// Takes the text of a value, its escapes undone.
  private mutating func setText(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ version: CardVersion) {
    scratch.removeAll()
    Escaping.unescape(bytes, start, end, version: version, to: &scratch)
  }

  // MARK: Values

  // These are handed what they need: a call with a part of the writer, while another is lent, would copy the writer.

  /// Writes all texts of a value, each in its element.
  private static func writeTexts(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ head: XCardHead, _ version: CardVersion, _ run: inout Piece,
    _ texts: borrowing XCardTexts, to output: inout ByteBuffer
  ) {
    var splitsAtSemicolons = head.splitsAtSemicolons
    var number = 0
    var i = start
    while true {
      let tag = texts.tags[head.firstTag + min(number, head.tagCount - 1)]
      let isEmpty =
        i >= end || bytes[i] == ASCII.comma && head.splitsAtCommas || bytes[i] == ASCII.semicolon && splitsAtSemicolons
      if isEmpty {
        run.add(tag.empty, of: texts.bytes, to: &output)
      } else {
        run.add(tag.start, of: texts.bytes, to: &output)
        output.append(texts.bytes, run.start, run.end)
        i = output.appendXML(
          escaped: bytes, i, end, version, upToComma: head.splitsAtCommas, upToSemicolon: splitsAtSemicolons)
        run = tag.end
      }
      guard i < end else { break }
      if bytes[i] == ASCII.semicolon {
        number += 1
        if head.isPair { splitsAtSemicolons = false }
      }
      i &+= 1
    }
    // Some stand even where they are empty.
    number += 1
    while number < head.requiredCount {
      let tag = texts.tags[head.firstTag + number]
      run.add(tag.empty, of: texts.bytes, to: &output)
      number += 1
    }
  }

  /// Writes a date of which a time may be missing, as an element of what it is (RFC 6351 A, 4.3.4); a text that is none keeps its type.
  private static func writeDate(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ head: XCardHead, _ run: inout Piece, _ texts: borrowing XCardTexts,
    to output: inout ByteBuffer
  ) {
    var tag = head.firstTag
    var from = start
    if DateNumbers.wholeDay(bytes, start, end) != nil {
      tag += 1
    } else if DateNumbers(bytes, start, end) != nil {
      let mark = ByteSearch.firstIndex(of: UInt8(ascii: "T"), in: bytes, from: start, to: end)
      tag += mark == end ? 1 : mark == start ? 2 : 3
      if mark == start { from += 1 }
    }
    write(texts.tags[tag], bytes, from, end, &run, texts, to: &output)
  }

  /// Writes a text that has no escapes.
  private static func write(
    _ tag: XMLTag, _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ run: inout Piece, _ texts: borrowing XCardTexts,
    to output: inout ByteBuffer
  ) {
    if start == end { return run.add(tag.empty, of: texts.bytes, to: &output) }
    run.add(tag.start, of: texts.bytes, to: &output)
    output.append(texts.bytes, run.start, run.end)
    output.appendXML(bytes, start, end)
    run = tag.end
  }
}

extension ByteBuffer {
  /// Adds a text of a value as content of an element, its escapes undone and XML's done in one pass, up to the first comma or semicolon
  /// that is to end it and is not escaped; gives where that stands, `end` where none does.
  fileprivate mutating func appendXML(
    escaped bytes: Span<UInt8>, _ start: Int, _ end: Int, _ version: CardVersion, upToComma: Bool, upToSemicolon: Bool
  ) -> Int {
    var i = start
    while true {
      i = appendXMLRun(bytes, i, end) { $0.marks(of: ASCII.backslash) | $0.marks(of: ASCII.comma) | $0.marks(of: ASCII.semicolon) }
      guard i < end else { return end }
      switch bytes[i] {
      case ASCII.comma where upToComma, ASCII.semicolon where upToSemicolon: return i
      case ASCII.backslash:
        let next = i &+ 1 < end ? bytes[i &+ 1] : 0
        if let meant = Escaping.meaning(of: next, version) {
          append(meant)
          i &+= 2
        } else {
          // It stands for itself, and so does a backslash behind it.
          append(repeating: ASCII.backslash, count: next == ASCII.backslash ? 2 : 1)
          i &+= next == ASCII.backslash ? 2 : 1
        }
      default: i = appendXMLCharacter(bytes, i, end)
      }
    }
  }
}
