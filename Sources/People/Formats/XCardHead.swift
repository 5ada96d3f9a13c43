// What xCard writes around the values of lines, made once for each head: tags and parameters, end to end in one run of bytes.

internal import Bytes
internal import CardSyntax
internal import DataSyntax

/// What is written around the value of a line. The numbers are places in `XCardTexts`.
struct XCardHead: BitwiseCopyable {
  /// What becomes of the value.
  enum Way: UInt8, BitwiseCopyable {
    /// It is one text, passed on as it is written; it has texts, each in an element.
    case written, texts
    /// It is a date, whose element tells what of it is there; it is in lower case.
    case date, boolean
  }

  var way = Way.texts
  /// The value may be an element of its own.
  var mayBeForeign = false
  /// The start tag with all parameters, which the text of a LABEL, where `hasLabel`, stands between, and the end tag.
  var start = Piece(), behindLabel = Piece(), end = Piece()
  var hasLabel = false
  /// The elements of the texts, in their order: the last one also of what comes behind. So many stand even where they are empty.
  var firstTag = 0, tagCount = 1, requiredCount = 1
  /// Where the value is cut; a pair at the first semicolon only.
  var splitsAtCommas = false, splitsAtSemicolons = false, isPair = false
  /// Which of the lists of changed names are its own; -1 where no name was changed.
  var changedNames = -1
}

/// The tags of an element: where in `XCardTexts` they stand.
struct XMLTag: BitwiseCopyable, Sendable {
  var start: Piece, end: Piece, empty = Piece()
}

/// All that is written around values.
struct XCardTexts: ~Copyable {
  private(set) var bytes = ByteBuffer(capacity: 1 << 14)
  private(set) var tags = Tape<XMLTag>()
  /// Names that XML cannot have and that were written with `x-` before them.
  private(set) var changedNames: [[String]] = []
  /// The tags of structured values by property.
  private var components: [String: (first: Int, count: Int)] = [:]
  /// How much is there for good.
  private var startCount = (bytes: 0, tags: 0)
  /// The tag of a LABEL.
  static let label = 0
  /// The tags of a date follow that of its type: a day, a time, both.
  static let dates = ["date", "time", "date-time"]

  init() {}

  /// Adds what all heads share, where nothing is there yet.
  mutating func begin() {
    guard tags.isEmpty else { return }
    addTags(["text"])
    for (property, names) in XCard.components {
      components[property] = (tags.count, names.count)
      addTags(names)
    }
    startCount = (bytes.count, tags.count)
  }

  /// Has so much been added that it is time to forget it? The heads that one parser numbers seldom come to that.
  var areMany: Bool { bytes.count > 1 << 20 }

  /// Forgets all heads.
  mutating func removeAll() {
    bytes.truncate(to: startCount.bytes)
    bytes.releaseSpare()
    tags.truncate(to: startCount.tags)
    changedNames.removeAll()
  }

  /// Adds the tags of elements: start and end tags in their order, the empty ones behind.
  private mutating func addTags(_ names: [String]) {
    let first = tags.count
    for name in names { addTag(name) }
    for (i, name) in names.enumerated() { tags[first + i].empty = add("<\(name)/>") }
  }

  private mutating func addTag(_ name: String) {
    tags.append(XMLTag(start: add("<\(name)>"), end: add("</\(name)>")))
  }

  private mutating func add(_ text: String) -> Piece {
    let start = bytes.count
    bytes.append(text: text)
    return piece(from: start)
  }

  private func piece(from start: Int) -> Piece { Piece(start: start, end: bytes.count) }

  /// Adds what is written for a head.
  mutating func add(_ property: borrowing PropertyHead) -> XCardHead {
    var head = XCardHead()
    var changed: [String] = []
    let name = Self.elementName(property.name, of: property, &changed)
    var start = bytes.count
    bytes.append(text: "<\(name)>")
    if !property.parameters.isEmpty {
      bytes.append("<parameters>")
      for entry in property.parameters {
        let parameter = Self.elementName(entry.name, of: property, &changed)
        bytes.append(text: "<\(parameter)>")
        let type = property.text.withBytes { XCard.parameterType($0, entry.name) }
        for value in entry.values {
          if value == property.label {
            (head.hasLabel, head.start) = (true, piece(from: start))
            start = bytes.count
          } else {
            add(property.values[value], of: property, as: type)
          }
        }
        bytes.append(text: "</\(parameter)>")
      }
      bytes.append("</parameters>")
    }
    if head.hasLabel { head.behindLabel = piece(from: start) } else { head.start = piece(from: start) }
    let type = Self.elementName(property.type, &changed)
    let cut = property.shape?.cut ?? .whole
    let own = cut != .whole && cut != .list && property.type == "text" ? property.shape.flatMap { components[$0.name] } : nil
    if let own, let shape = property.shape {
      (head.firstTag, head.tagCount) = own
      head.requiredCount = min(XCard.requiredCount(shape), own.count)
      head.end = add("</\(name)>\n")
    } else {
      // The start tag of a text stands behind what is before all texts, its end tag before what is behind them: one piece each.
      head.firstTag = tags.count
      addTag(type)
      head.end = add("</\(name)>\n")
      tags[head.firstTag].empty = add("<\(type)/>")
    }
    head.splitsAtCommas = cut == .list || cut == .componentLists
    (head.splitsAtSemicolons, head.isPair) = (cut == .componentLists || cut == .components || cut == .pair, cut == .pair)
    head.way = Self.way(property)
    head.mayBeForeign = property.parameters.isEmpty && property.shape?.name == XCard.xml
    if head.way == .date { addTags(Self.dates) }
    if !changed.isEmpty {
      head.changedNames = changedNames.count
      changedNames.append(changed)
    }
    return head
  }

  private static func way(_ property: borrowing PropertyHead) -> XCardHead.Way {
    if property.isAsWritten { return .written }
    if property.form == .boolean { return .boolean }
    let isDate = property.type == "date-and-or-time" && property.shape?.type == property.type && property.shape?.cut == .whole
    return isDate ? .date : .texts
  }

  /// Adds the value of a parameter.
  private mutating func add(_ value: Range<Int>, of property: borrowing PropertyHead, as type: String) {
    if value.isEmpty { return bytes.append(text: "<\(type)/>") }
    bytes.append(text: "<\(type)>")
    property.text.withBytes { bytes.appendXML($0, value.lowerBound, value.upperBound) }
    bytes.append(text: "</\(type)>")
  }

  /// The name of an element for a name of the head.
  private static func elementName(_ range: Range<Int>, of property: borrowing PropertyHead, _ changed: inout [String]) -> String {
    elementName(property.text.withBytes { $0.text(range.lowerBound, range.upperBound) }, &changed)
  }

  private static func elementName(_ text: String, _ changed: inout [String]) -> String {
    let utf8 = text.utf8
    let bytes = utf8.span
    if ByteBuffer.isXMLName(bytes, 0, bytes.count) { return text }
    changed.append(text)
    return "x-" + String(decoding: utf8.map { ASCII.isLetter($0) || ASCII.isDigit($0) ? $0 : ASCII.dash }, as: UTF8.self)
  }
}
