// Lines that differ in their texts alone: written once with stand-ins for the texts, and recalled for all others.

internal import Bytes
internal import CardSyntax

/// A part of a source that becomes a line or several: its texts, which only pass through, and all else.
struct SourcePart: ~Copyable {
  /// A text, as it stands in the source or in `decoded`, and what conversions look at in it.
  struct Text: BitwiseCopyable {
    var start: Int, end: Int
    var isDecoded: Bool
    var form: StandIn.Form
  }

  /// All that decides which lines the part becomes: everything but its texts, and the forms of these.
  var key = ByteBuffer(capacity: 512)
  private(set) var texts: [Text] = []
  /// Texts that do not stand in the source as they are.
  var decoded = ByteBuffer(capacity: 256)

  /// Begins another part.
  mutating func removeAll() {
    key.removeAll()
    texts.removeAll(keepingCapacity: true)
    decoded.removeAll()
  }

  /// Adds a text.
  mutating func add(_ start: Int, _ end: Int, _ form: StandIn.Form, isDecoded: Bool = false) {
    key.append(form.rawValue)
    texts.append(Text(start: start, end: end, isDecoded: isDecoded, form: form))
  }

  /// Adds the day or the point in time in `bytes[start ..< end]`, in ISO 8601's extended or vCard's basic form; false, and nothing done,
  /// for anything else.
  mutating func add(date bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    let begin = decoded.count
    for i in start..<min(end, start + 24) where bytes[i] != ASCII.dash && bytes[i] != ASCII.colon { decoded.append(bytes[i]) }
    let (isDay, isTime) = decoded.withBytes { text in
      let date = text.count == begin + 8 ? DateNumbers(text, begin, text.count) : nil
      return (date.map { $0.isWhole && $0.clock == nil } ?? false, DateNumbers.isTime(text, begin, text.count))
    }
    // Dashes and colons have to stand in their places.
    let isExtended = end - start == (isDay ? 10 : 20)
    let isInForm =
      isExtended
      ? bytes[start + 4] == ASCII.dash && bytes[start + 7] == ASCII.dash
        && (isDay || bytes[start + 13] == ASCII.colon && bytes[start + 16] == ASCII.colon) : end - start == decoded.count - begin
    guard isDay || isTime, isInForm else {
      decoded.truncate(to: begin)
      return false
    }
    add(begin, decoded.count, isDay ? .day : .time, isDecoded: true)
    return true
  }

  /// The stand-in of a text.
  func standIn(_ number: Int) -> String { StandIn.text(number, texts[number].form) }
}

/// What is remembered of a property in another syntax: its line, or that it has none, or that it has to be read.
struct KnownLine {
  var template: LineTemplate?
  var isRead = false

  /// The line, and where the property ends; nil where it has to be read.
  func line(endingAt end: Int) -> (template: LineTemplate?, end: Int)? { isRead ? nil : (template, end) }
}

/// A content line without the texts of the part that it came from.
final class LineTemplate: Sendable {
  /// How a text is written where it stands.
  enum Place: Sendable { case text(LineWriter.Place), plain, written, parameter }

  struct Hole: Sendable {
    var place: Int
    /// Which text of the part belongs here.
    var text: Int
    var kind: Place
  }

  let bytes: [UInt8]
  let holes: [Hole]
  /// The name of the property in upper case.
  let name: String
  /// Does it stand in a group?
  let hasGroup: Bool
  /// Where in the part the line comes from, in whatever numbers the reader of the format has.
  let origin: Int

  /// The line of a property that has stand-ins for the texts of a part; nil where they cannot be found again, or where something could
  /// not be written as it is. `lines` lends its memory.
  init?(_ property: PropertyText, _ part: borrowing SourcePart, origin: Int = 0, _ lines: inout LineWriter) {
    let dropped = lines.dropped
    property.writeHead(to: &lines)
    let head = lines.line.count
    var values = PropertyValues()
    values.take(property.values)
    let shape = PropertyShape.of(property.name)
    values.write(property.type, shape, to: &lines)
    let written = lines.writtenLine
    lines.cancel()
    (name, hasGroup, self.origin) = (property.name.uppercased(), property.group != nil, origin)
    let isStructured = shape?.isStructured == true
    var found = Finder(written, head: head)
    found.kind =
      property.type == "unknown" ? .written : PropertyText.isPlain(property.type) ? .plain : .text(isStructured ? .componentItem : .item)
    let inHead = property.parameters.flatMap(\.values).count { StandIn.number(of: $0) != nil }
    let isWhole = lines.takeNotes().isEmpty && lines.dropped == dropped && !values.hasControlCharacters(property.type)
    guard isWhole, isStructured || property.values.allSatisfy({ $0.count == 1 }), found.findTexts(part, inHead: inHead) else { return nil }
    (bytes, holes) = (found.bytes, found.holes)
  }

  /// A line that labels its group, without the group.
  init(label text: String, origin: Int, _ lines: inout LineWriter) {
    lines.begin(name: LineWriter.labelName)
    lines.text(text)
    (bytes, holes, name, hasGroup, self.origin) = (lines.writtenLine, [], LineWriter.labelName.uppercased(), false, origin)
    lines.cancel()
  }

  /// Takes stand-ins out of a line and notes where they were.
  private struct Finder {
    private let written: [UInt8]
    private let head: Int
    var kind = Place.plain
    private(set) var bytes: [UInt8] = []
    private(set) var holes: [Hole] = []

    init(_ written: [UInt8], head: Int) { (self.written, self.head) = (written, head) }

    mutating func findTexts(_ part: borrowing SourcePart, inHead: Int) -> Bool {
      let value = String(decoding: written[head...], as: UTF8.self)
      // A date is all of its value, or the line does not hold it.
      var date: Int?
      for i in part.texts.indices where part.texts[i].form == .day || part.texts[i].form == .time {
        guard !StandIn.isDateIn(String(decoding: written[..<head], as: UTF8.self)) else { return false }
        if !StandIn.isDateIn(value) { continue }
        guard date == nil, value == part.standIn(i) else { return false }
        date = i
      }
      let end = date == nil ? written.count : head
      var i = 0
      var isQuoted = false
      var countInHead = 0
      while i < end {
        guard i + StandIn.length <= end, StandIn.markBytes.elementsEqual(written[i..<i + 4]) else {
          bytes.append(written[i])
          i += 1
          continue
        }
        let scalar = String(decoding: written[i + 4..<i + 8], as: UTF8.self).unicodeScalars.first.map { Int($0.value) - 0xF0000 } ?? -1
        guard part.texts.indices.contains(scalar) else { return false }
        let begin = Array(part.texts[scalar].form.start.utf8)
        guard bytes.suffix(begin.count).elementsEqual(begin) else { return false }
        bytes.removeLast(begin.count)
        i += StandIn.length
        if i <= head {
          // The text is the whole value of a parameter, and its quotes are its own.
          isQuoted = bytes.last == ASCII.quote
          if isQuoted {
            guard i < head, written[i] == ASCII.quote else { return false }
            bytes.removeLast()
            i += 1
          }
          guard bytes.last == ASCII.equals, i < head, written[i] == ASCII.semicolon || written[i] == ASCII.colon else { return false }
          countInHead += 1
        }
        holes.append(Hole(place: bytes.count, text: scalar, kind: i <= head ? .parameter : kind))
      }
      if let date { holes.append(Hole(place: bytes.count, text: date, kind: .plain)) }
      return countInHead == inHead
    }
  }
}

extension LineWriter {
  /// Adds a text of a source; false where characters of it could not be kept.
  fileprivate mutating func add(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ place: LineTemplate.Place) -> Bool {
    switch place {
    case .text(let place): text(bytes, start, end, place)
    case .parameter: parameterText(bytes, start, end)
    case .plain:
      if Escaping.firstSpecial(in: bytes, from: start, to: end) == end {
        append(written: bytes, start, end)
      } else {
        plain(bytes, start, end)
        for i in start..<end where bytes[i] < 32 && bytes[i] != ASCII.tab || bytes[i] == 127 { return false }
      }
    case .written:
      var isWhole = true
      var hasControls = false
      for i in start..<end where bytes[i] < 32 || bytes[i] == 127 {
        hasControls = true
        if bytes[i] != ASCII.tab, bytes[i] != ASCII.lineFeed, bytes[i] != ASCII.carriageReturn { isWhole = false }
      }
      if hasControls { written(bytes.text(start, end).withEscapedLineBreaks) } else { append(written: bytes, start, end) }
      return isWhole
    }
    return true
  }

  /// Writes the line of a template with the texts of a part; false where characters of them could not be kept.
  mutating func write(_ template: LineTemplate, _ part: borrowing SourcePart, _ source: Span<UInt8>, group: String? = nil) -> Bool {
    let before = dropped
    var isWhole = true
    beginWritten(group: group)
    let bytes = template.bytes
    var from = 0
    for hole in template.holes {
      append(written: bytes.span, from, hole.place)
      from = hole.place
      let text = part.texts[hole.text]
      let isKept =
        text.isDecoded
        ? part.decoded.withBytes { add($0, text.start, text.end, hole.kind) } : add(source, text.start, text.end, hole.kind)
      if !isKept { isWhole = false }
    }
    append(written: bytes.span, from, bytes.count)
    end()
    return takeNotes().isEmpty && dropped == before && isWhole
  }
}
