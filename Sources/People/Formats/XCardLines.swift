// Properties of xCards as content lines without a look at each: what a property becomes is remembered by all of it but its texts.

internal import Bytes
internal import CardSyntax
internal import DataSyntax

/// The lines of the properties of xCards. A property that differs only in texts from one that was read before becomes the same line with
/// these texts.
struct XCardLines: ~Copyable {
  /// The property that was looked at last.
  private(set) var part = SourcePart()
  private var memo = ByteMemo<KnownLine>()
  /// The places of the part's texts.
  private var places: [(start: Int, end: Int)] = []
  private var namespaces: [(prefix: String, namespace: String)] = []
  private var namespace = ""
  private let maximumDepth = Limits().dataNesting

  /// Begins a card around whose properties these namespaces are declared; its own is `namespace`.
  mutating func begin(_ namespaces: [(prefix: String, namespace: String)], _ namespace: String) {
    let isSame = namespace == self.namespace && namespaces.elementsEqual(self.namespaces, by: ==)
    if !isSame { memo = ByteMemo() }
    (self.namespaces, self.namespace) = (namespaces, namespace)
  }

  /// The line of the property whose start tag begins at `start`, without a group, and where its element ends; no line for the version,
  /// which is none of a card's own. Nil where the property has to be read. `lines` lends its memory.
  mutating func template(_ bytes: [UInt8], _ start: Int, _ lines: inout LineWriter) -> (template: LineTemplate?, end: Int)? {
    guard let end = cut(bytes.span, start) else { return nil }
    if let known = memo.value(of: part.key) { return known.line(endingAt: end) }
    let known = read(bytes, start, end, &lines)
    memo.keep(known, for: part.key)
    return known.line(endingAt: end)
  }

  /// Parts the texts of the property from all else and gives its end; nil where its syntax is not the plainest.
  private mutating func cut(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
    part.removeAll()
    places.removeAll(keepingCapacity: true)
    var (tag, from, depth) = (start, start, 0)
    var (isInParameters, isInLabel) = (false, false)
    while true {
      guard let (name, isEnd, isEmpty) = Self.readTag(bytes, tag) else { return nil }
      let behind = name.upperBound + (isEmpty ? 2 : 1)
      if isEnd {
        depth -= 1
        if depth == 1 { isInParameters = false }
        if depth == 2 { isInLabel = false }
      } else if !isEmpty {
        depth += 1
        if depth == 2 { isInParameters = Self.says(Self.parameters, bytes, name) }
        if depth == 3 { isInLabel = isInParameters && Self.says(Self.label, bytes, name) }
      }
      if depth <= 0 {
        part.key.append(bytes, from, behind)
        return behind
      }
      tag = ByteSearch.firstIndex(of: UInt8(ascii: "<"), in: bytes, from: behind, to: bytes.count)
      // No two addresses have the same LABEL; other parameters come again.
      let isText = !isEnd && !isEmpty && (depth == 2 && !isInParameters || depth == 4 && isInLabel)
      guard isText else { continue }
      guard tag + 1 < bytes.count, bytes[tag + 1] == ASCII.slash, take(bytes, behind, tag, name, from: &from) else { return nil }
    }
  }

  /// The name in a tag without attributes; nil for any other.
  private static func readTag(_ bytes: Span<UInt8>, _ start: Int) -> (name: Range<Int>, isEnd: Bool, isEmpty: Bool)? {
    guard start + 2 < bytes.count else { return nil }
    let isEnd = bytes[start + 1] == ASCII.slash
    let first = isEnd ? start + 2 : start + 1
    guard ASCII.isLetter(bytes[first]) else { return nil }
    var i = first &+ 1
    while i < bytes.count, ASCII.isLetter(bytes[i]) || ASCII.isDigit(bytes[i]) || bytes[i] == ASCII.dash || bytes[i] == ASCII.colon {
      i &+= 1
    }
    guard i + 1 < bytes.count else { return nil }
    let isEmpty = bytes[i] == ASCII.slash && !isEnd
    return bytes[isEmpty ? i + 1 : i] == UInt8(ascii: ">") ? (first..<i, isEnd, isEmpty) : nil
  }

  private static func says(_ text: [UInt8], _ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
    name.count == text.count && Words.areEqual(bytes, name.lowerBound, text.span, 0, count: text.count)
  }

  private static let parameters = Array("parameters".utf8), label = Array("label".utf8)

  /// Takes the text of a value element: what stands before it belongs to the key. False where the text is more than that.
  private mutating func take(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ name: Range<Int>, from: inout Int) -> Bool {
    part.key.append(bytes, from, start)
    from = start
    let kind = XCard.textKind(bytes, name)
    if kind == .other { return true }
    if kind == .date {
      guard part.add(date: bytes, start, end) else { return true }
    } else {
      guard UTF8Check.isValid(bytes, start, end) else { return false }
      var isPlain = true
      for i in start..<end where bytes[i] == UInt8(ascii: "&") || bytes[i] < 32 || bytes[i] == 127 { isPlain = false }
      // What is no free text is read without blanks around it, and as free text where it has control characters.
      let hasBlanks = start < end && (bytes[start] <= ASCII.space || bytes[end - 1] <= ASCII.space)
      if kind == .plain, hasBlanks { return false }
      if isPlain {
        part.add(start, end, start == end ? .empty : .plain)
      } else {
        let begin = part.decoded.count
        guard part.decoded.append(textOfXML: bytes, start, end) else { return false }
        if kind == .plain { for i in begin..<part.decoded.count where part.decoded[i] < 32 || part.decoded[i] == 127 { return false } }
        part.add(begin, part.decoded.count, .plain, isDecoded: true)
      }
    }
    places.append((start, end))
    from = end
    return true
  }

  /// Reads the property with stand-ins for its texts.
  private func read(_ bytes: [UInt8], _ start: Int, _ end: Int, _ lines: inout LineWriter) -> KnownLine {
    var text: [UInt8] = []
    var from = start
    for (number, place) in places.enumerated() {
      text += bytes[from..<place.start]
      text += Array(part.standIn(number).utf8)
      from = place.end
    }
    text += bytes[from..<end]
    var properties = XCardPropertyReader()
    var reader = XMLReader(text, namespaces: namespaces, maximumDepth: maximumDepth)
    do throws(DataSyntaxError) {
      guard try reader.next() == .startElement, reader.name.namespace == namespace else { return KnownLine(isRead: true) }
      let name = reader.name.local.lowercased()
      guard name != "group", !StandIn.isIn(part.key.text()) else { return KnownLine(isRead: true) }
      let property = try properties.read(&reader, namespace, name, nil, 1)
      guard properties.findings.isEmpty, reader.takeUnknownReferences() == 0, reader.position == text.count else {
        return KnownLine(isRead: true)
      }
      guard let property else { return name == XCard.version ? KnownLine() : KnownLine(isRead: true) }
      return LineTemplate(property, part, &lines).map { KnownLine(template: $0) } ?? KnownLine(isRead: true)
    } catch {
      return KnownLine(isRead: true)
    }
  }
}
