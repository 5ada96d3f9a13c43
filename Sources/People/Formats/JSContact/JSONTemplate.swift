// JSON with holes, for objects that differ in their texts alone.

internal import Bytes
internal import DataSyntax

/// Members of an object, written but for the texts that differ from line to line.
struct JSONTemplate {
  /// What belongs into a hole.
  enum Hole: BitwiseCopyable, Sendable {
    /// A text of the line's value, by its number, between quotes that are there.
    case value(UInt8)
    /// The text of the line's LABEL.
    case label
    /// The label of the line's group, and how it is written there.
    case groupLabel, writtenGroupLabel
    /// The parts of a date, a point in time.
    case year, month, day, time

    /// The numbers of stand-ins that are no text of the value.
    static let labelNumber = 0xF00, groupLabelNumber = 0xF01, writtenGroupLabelNumber = 0xF02

    init(standIn number: Int) {
      switch number {
      case Self.labelNumber: self = .label
      case Self.groupLabelNumber: self = .groupLabel
      case Self.writtenGroupLabelNumber: self = .writtenGroupLabel
      default: self = .value(UInt8(truncatingIfNeeded: number))
      }
    }

    /// Do the quotes of the text belong to the template?
    var isInQuotes: Bool { if case .value = self { true } else { false } }
  }

  fileprivate let bytes: [UInt8]
  fileprivate let holes: [(place: Int, hole: Hole)]
  /// Does the line stand in `vCardProps` as well?
  let isKept: Bool
  /// Members that other lines could give the object, too.
  let hasCoordinates: Bool, hasTimeZone: Bool

  /// What of an object stands for something else: texts, or also the parts of dates.
  enum StandIns: Sendable { case none, texts, dates }

  /// The members of an object, with holes for what stands for something else. With `isEntry` it is written as an object behind its key,
  /// with the colon and the braces.
  init(_ object: JSONObject, _ standIns: StandIns, isKept: Bool = false, isEntry: Bool = true) {
    var writer = Writer(standIns)
    if isEntry { writer.output.append(":{") }
    writer.writeMembers(object)
    if isEntry { writer.output.append("}") }
    bytes = writer.output.array()
    holes = writer.holes
    self.isKept = isKept
    hasCoordinates = object["coordinates"] != nil
    hasTimeZone = object["timeZone"] != nil
  }

  private struct Writer: ~Copyable {
    var output = ByteBuffer(capacity: 256)
    var holes: [(place: Int, hole: Hole)] = []
    private let standIns: StandIns

    init(_ standIns: StandIns) { self.standIns = standIns }

    mutating func writeMembers(_ object: JSONObject) {
      for (i, (key, value)) in object.members.enumerated() {
        if i > 0 { output.append(ASCII.comma) }
        output.appendJSONString(key)
        output.append(ASCII.colon)
        write(value)
      }
    }

    private mutating func write(_ value: JSONTree) {
      switch value {
      case .object(let object):
        output.append(UInt8(ascii: "{"))
        writeMembers(object)
        output.append(UInt8(ascii: "}"))
      case .array(let elements):
        output.append(UInt8(ascii: "["))
        for (i, element) in elements.enumerated() {
          if i > 0 { output.append(ASCII.comma) }
          write(element)
        }
        output.append(UInt8(ascii: "]"))
      default:
        guard let hole = hole(value) else { return value.write(to: &output) }
        if hole.isInQuotes { output.append(ASCII.quote) }
        holes.append((output.count, hole))
        if hole.isInQuotes { output.append(ASCII.quote) }
      }
    }

    private func hole(_ value: JSONTree) -> Hole? {
      switch (standIns, value) {
      case (.dates, .string(StandIn.extendedTime)): .time
      case (.texts, .string(let text)), (.dates, .string(let text)): StandIn.number(of: text).map { Hole(standIn: $0) }
      case (.dates, .number(StandIn.dayParts.year)): .year
      case (.dates, .number(StandIn.dayParts.month)): .month
      case (.dates, .number(StandIn.dayParts.day)): .day
      default: nil
      }
    }
  }
}

/// Templates by the heads of lines and by what of their values decides, end to end in one run of bytes, so that to use one nothing is
/// counted and nothing copied but its text.
struct JSONTemplates: ~Copyable {
  /// A template, or that lines have none.
  struct Template: BitwiseCopyable {
    fileprivate var key: UInt64 = 0
    fileprivate var next = -1
    var text = Piece()
    /// The places of its holes in `holes`.
    var firstHole = 0, lastHole = 0
    var exists = false, isKept = false, hasCoordinates = false, hasTimeZone = false
  }

  struct PlacedHole: BitwiseCopyable, Sendable {
    /// Where in `texts` it is.
    var place: Int
    var hole: JSONTemplate.Hole
  }

  /// The templates of a head, the last one first.
  struct List: BitwiseCopyable { var first = -1, count = 0 }

  private(set) var texts = ByteBuffer(capacity: 1 << 14)
  private(set) var holes = Tape<PlacedHole>(capacity: 256)
  private var templates = Tape<Template>(capacity: 128)
  private var lists = Tape<List>(capacity: 64)
  /// How many bytes of `texts` are there for good.
  private var startCount = 0
  /// How many are kept for a head: values of one head are of few kinds.
  private static let limit = 256
  /// How much there was before the template that was added last, where that is used but once.
  private var loose: (text: Int, holes: Int, templates: Int)?

  init() {}

  /// Are there so many that it is time to forget them?
  var areMany: Bool { texts.count > 1 << 20 || templates.count > 1 << 14 }

  /// Adds a text that is there for good.
  mutating func add(_ text: String) -> Piece {
    let start = texts.count
    texts.append(text: text)
    startCount = texts.count
    return Piece(start: start, end: texts.count)
  }

  /// Forgets all templates.
  mutating func removeAll() {
    texts.truncate(to: startCount)
    texts.releaseSpare()
    holes.removeAll()
    templates.removeAll()
    lists.removeAll()
    loose = nil
  }

  @inline(__always)
  subscript(number: Int) -> Template { templates[number] }

  /// The number of the template of a head; nil where none is known.
  @inline(__always)
  func number(_ head: Int, _ key: UInt64) -> Int? {
    var number = head < lists.count ? lists[head].first : -1
    while number >= 0 {
      let template = templates[number]
      if template.key == key { return number }
      number = template.next
    }
    return nil
  }

  /// Adds the template of lines of a head, or that they have none; gives its number. Without a key it is used once.
  mutating func add(_ template: JSONTemplate?, of head: Int, _ key: UInt64?) -> Int {
    if let loose {
      texts.truncate(to: loose.text)
      holes.truncate(to: loose.holes)
      templates.truncate(to: loose.templates)
    }
    loose = (texts.count, holes.count, templates.count)
    let number = templates.count
    var added = Template()
    if let template {
      (added.exists, added.isKept) = (true, template.isKept)
      (added.hasCoordinates, added.hasTimeZone) = (template.hasCoordinates, template.hasTimeZone)
      (added.text.start, added.firstHole) = (texts.count, holes.count)
      texts.append(template.bytes)
      for (place, hole) in template.holes { holes.append(PlacedHole(place: added.text.start + place, hole: hole)) }
      (added.text.end, added.lastHole) = (texts.count, holes.count)
    }
    while lists.count <= head { lists.append(List()) }
    if let key, lists[head].count < Self.limit {
      (added.key, added.next) = (key, lists[head].first)
      lists[head] = List(first: number, count: lists[head].count + 1)
      loose = nil
    }
    templates.append(added)
    return number
  }
}
