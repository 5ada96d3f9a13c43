// Properties of jCards as content lines without a look at each: what a property becomes is remembered by all of it but its texts.

internal import Bytes
internal import CardSyntax
internal import DataSyntax

/// The lines of the properties of jCards of 4.0. A property that differs only in texts from one that was read before becomes the same line
/// with these texts.
struct JCardLines: ~Copyable {
  /// The property that was looked at last.
  private(set) var part = SourcePart()
  private var tape = JSONTape()
  private var memo = ByteMemo<KnownLine>()
  private var tokens: [Int] = []
  private let maximumDepth = Limits().dataNesting

  /// The line of the property whose array begins at `start`, and where that ends; no line for the version, which is none of a card's
  /// own. Nil where the property has to be read. `lines` lends its memory.
  mutating func template(_ bytes: [UInt8], _ start: Int, _ lines: inout LineWriter) -> (template: LineTemplate?, end: Int)? {
    guard let end = tape.read(bytes.span, from: start, maximumDepth: maximumDepth), cut(bytes, start, end) else { return nil }
    if let known = memo.value(of: part.key) { return known.line(endingAt: end) }
    let known = read(bytes, start, end, &lines)
    memo.keep(known, for: part.key)
    return known.line(endingAt: end)
  }

  /// Is the property that begins the array at `start` the version 4.0?
  mutating func isVersion40(_ bytes: [UInt8], _ start: Int) -> Bool {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "["),
      tape.read(bytes.span, from: start + 1, maximumDepth: maximumDepth) != nil, tape.tokens.count == 5
    else { return false }
    return tape.tokens[0].kind == .array && tape.says(Self.version, 1, bytes.span) && tape.says(Self.version40, 4, bytes.span)
  }

  /// Parts the texts of the property from all else; false where it is in no usual form.
  private mutating func cut(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
    let entries = tape.tokens
    guard entries.count > 4, entries[0].kind == .array, entries[1].kind == .string, entries[2].kind == .object else { return false }
    let type = entries[2].next
    guard type < entries.count, entries[type].kind == .string else { return false }
    let (isDate, isText) = Self.forms(of: type, tape, bytes.span)
    part.removeAll()
    tokens.removeAll(keepingCapacity: true)
    var from = start
    // No two addresses have the same LABEL.
    for token in 3..<type
    where entries[token].kind == .key && entries[token + 1].kind == .string && tape.says(Self.label, token, bytes.span) {
      take(token + 1, bytes, from: &from)
    }
    for token in type + 1..<entries.count where entries[token].kind == .string && (isDate || isText) {
      take(token, isDate: isDate, bytes, from: &from)
    }
    part.key.append(bytes.span, from, end)
    return true
  }

  /// Takes the text of a token: what stands before it belongs to the key.
  private mutating func take(_ token: Int, isDate: Bool = false, _ bytes: [UInt8], from: inout Int) {
    let entry = tape.tokens[token]
    let isPlain = !entry.hasEscapes && UTF8Check.isValid(bytes.span, entry.start, entry.end)
    part.key.append(bytes.span, from, entry.start)
    from = entry.start
    if isDate {
      guard isPlain, part.add(date: bytes.span, entry.start, entry.end) else { return }
    } else if isPlain {
      part.add(entry.start, entry.end, .plain)
    } else {
      let begin = part.decoded.count
      tape.appendText(of: token, bytes, to: &part.decoded)
      part.add(begin, part.decoded.count, .plain, isDecoded: true)
    }
    from = entry.end
    tokens.append(token)
  }

  private static let version: JSONWord = "version", version40: JSONWord = "4.0", label: JSONWord = "label"
  private static let texts: [JSONWord] = ["text", "uri", "unknown", "language-tag"]
  private static let dates: [JSONWord] = ["date-and-or-time", "timestamp", "date", "date-time"]

  /// What values of a type are: dates, which have another form in vCard, or texts that only pass through. Others are looked at.
  private static func forms(of type: Int, _ tape: borrowing JSONTape, _ bytes: Span<UInt8>) -> (isDate: Bool, isText: Bool) {
    for name in texts where tape.says(name, type, bytes) { return (false, true) }
    for name in dates where tape.says(name, type, bytes) { return (true, false) }
    return (false, false)
  }

  /// Reads the property with stand-ins for its texts.
  private func read(_ bytes: [UInt8], _ start: Int, _ end: Int, _ lines: inout LineWriter) -> KnownLine {
    var text: [UInt8] = []
    var from = start
    for (number, token) in tokens.enumerated() {
      let entry = tape.tokens[token]
      text += bytes[from..<entry.start]
      text += Array((part.texts[number].form == .time ? StandIn.extendedTime : part.standIn(number)).utf8)
      from = entry.end
    }
    text += bytes[from..<end]
    var properties = JCardPropertyReader()
    var reader = JSONReader(text, maximumDepth: maximumDepth)
    do throws(DataSyntaxError) {
      guard try reader.next() == .beginArray, try properties.read(&reader), properties.findings.isEmpty else {
        return KnownLine(isRead: true)
      }
    } catch {
      return KnownLine(isRead: true)
    }
    if properties.name.isVersion { return KnownLine() }
    guard !StandIn.isIn(part.key.text()), let template = LineTemplate(properties.property, part, &lines) else {
      return KnownLine(isRead: true)
    }
    return KnownLine(template: template)
  }
}
