// A stream of XML cut into the elements of one name: chunks in, one complete element out at a time.
internal import Bytes

/// Cuts the elements of one name out of a stream of XML, wherever they stand, holding one element and one chunk in memory.
///
/// Tags are matched, no more; `XMLReader` checks the rest of an element. A fault is thrown once and costs its own element alone: the
/// next one begins at the next start tag of that name. A document type is passed over without being read.
package struct XMLElementSplitter: ~Copyable, Sendable {
  /// An element that was cut out: its bytes, where it begins, and the namespaces declared around it.
  package struct Element: Sendable {
    package var bytes: [UInt8]
    package var line: Int, column: Int
    package var namespaces: [(prefix: String, namespace: String)]
  }

  /// A line and a column.
  private struct Place: Sendable { var line = 1, column = 1 }

  private enum Markup: Sendable { case none, undecided, comment, data, instruction, declaration, tag }

  private let wanted: [UInt8]
  private let maximumBytes: Int
  private let maximumDepth: Int
  private var pending = ByteBuffer(capacity: 1 << 16)
  private var cursor = 0
  private var line = 1
  /// Where the line of the cursor begins; less than 0 where those bytes are gone.
  private var lineStart = 0
  private var endedWithReturn = false
  private var markup = Markup.none
  private var markupStart = 0
  private var markupPlace = Place()
  private var quote: UInt8 = 0
  private var brackets = 0
  /// Names of the elements around the wanted ones, with what they declare.
  private var ancestors: [(name: String, namespaces: [(prefix: String, namespace: String)])] = []
  /// Where the names of the open elements stand, from the wanted one on; empty outside.
  private var inside: [Range<Int>] = []
  private var elementStart = 0
  private var elementPlace = Place()
  /// An element was given up; what follows up to the next one, or to its end, belongs to it.
  private var isBroken = false
  private var isFinished = false
  private var sawMarkup = false
  private var sawElement = false
  private var saidText = false

  /// A splitter for elements of this local name, in any letter case.
  package init(element name: String, maximumBytes: Int = 256 << 20, maximumDepth: Int = 128) {
    wanted = name.utf8.map(ASCII.lowercased)
    (self.maximumBytes, self.maximumDepth) = (maximumBytes, maximumDepth)
  }

  /// Takes the next bytes of the stream. Call `next` until it returns nil before feeding more.
  package mutating func feed(_ chunk: Span<UInt8>) {
    let needed = !isInside ? (markup == .none ? cursor : markupStart) : elementStart
    if needed > 0 && needed >= pending.count - needed {
      pending.removeFirst(needed)
      cursor -= needed
      markupStart -= needed
      elementStart -= needed
      lineStart -= needed
      for i in inside.indices { inside[i] = inside[i].lowerBound - needed..<inside[i].upperBound - needed }
    }
    pending.append(chunk)
  }

  /// Says that no bytes follow.
  package mutating func finish() { isFinished = true }

  private var isInside: Bool { !inside.isEmpty }
  private var place: Place { Place(line: line, column: cursor - lineStart + 1) }

  private func fault(_ message: String, at place: Place) -> DataSyntaxError {
    DataSyntaxError(message: message, line: place.line, column: place.column)
  }

  /// The next complete element; nil when more bytes are needed or, after `finish`, at the end. Throws for a faulty one, and for text
  /// that is no XML; the next call goes on behind it.
  package mutating func next() throws(DataSyntaxError) -> Element? {
    while cursor < pending.count {
      if isInside, cursor - elementStart > maximumBytes {
        throw giveUp("The element is larger than \(maximumBytes) bytes")
      }
      if markup == .none {
        if isInside { passPlainTags() }
        try passText()
        continue
      }
      if markup == .undecided, !decide() { break }
      guard let end = findEnd() else { break }
      if end < 0 { throw giveUp("A tag is not closed") }
      let (kind, start) = (markup, markupStart)
      markup = .none
      if kind == .tag, let element = try readTag(start, end) { return element }
    }
    guard isFinished else { return nil }
    cursor = pending.count
    if markup != .none, !isInside {
      markup = .none
      (ancestors, sawMarkup) = ([], false)
      if !isBroken { throw fault("The XML ends inside a tag", at: markupPlace) }
    }
    if isInside { throw giveUp("The element is not closed") }
    return try checkEnd()
  }

  /// Told once at the end, where nothing else was wrong with the last element: what is cut off, or no document at all.
  private mutating func checkEnd() throws(DataSyntaxError) -> Element? {
    defer { (ancestors, sawMarkup) = ([], false) }
    guard !isBroken, sawMarkup, !saidText else { return nil }
    if let open = ancestors.last {
      throw fault("The XML ends before <\(open.name)> is closed", at: place)
    }
    if !sawElement { throw fault("The XML ends before its first element", at: place) }
    return nil
  }

  /// Passes over the tags in the wanted element that are names and nothing else, and over the text before and between them: most of all
  /// tags are, and one that is not is left to the others.
  private mutating func passPlainTags() {
    var open = inside
    inside = []
    let (wanted, limit, from) = (wanted, maximumDepth - ancestors.count, cursor)
    let end = pending.withBytes { bytes in
      var done = from
      while true {
        let tag = ByteSearch.firstIndex(of: UInt8(ascii: "<"), in: bytes, from: done, to: bytes.count)
        guard tag &+ 2 < bytes.count else { return done }
        let isEnd = bytes[tag &+ 1] == ASCII.slash
        let start = isEnd ? tag &+ 2 : tag &+ 1
        guard ASCII.isLetter(bytes[start]) else { return done }
        var i = start &+ 1
        while i < bytes.count, ASCII.isLetter(bytes[i]) || ASCII.isDigit(bytes[i]) || bytes[i] == ASCII.dash { i &+= 1 }
        let name = start..<i
        let isEmpty = !isEnd && i < bytes.count && bytes[i] == ASCII.slash
        if isEmpty { i &+= 1 }
        guard i < bytes.count, bytes[i] == UInt8(ascii: ">") else { return done }
        if isEnd {
          guard open.count > 1, Self.isSame(bytes, name, open[open.count &- 1]) else { return done }
          open.removeLast()
        } else {
          guard open.count < limit, !Self.isName(bytes, start, name.upperBound, wanted) else { return done }
          if !isEmpty { open.append(name) }
        }
        done = i &+ 1
      }
    }
    inside = open
    advance(to: end)
  }

  /// Passes over text up to the next `<`.
  private mutating func passText() throws(DataSyntaxError) {
    let (from, count) = (cursor, pending.count)
    let isOutside = !isInside
    let (textStart, end) = pending.withBytes { bytes in
      let end = ByteSearch.firstIndex(of: UInt8(ascii: "<"), in: bytes, from: from, to: count)
      var i = from
      while isOutside, i < end, XMLText.isBlank(bytes[i]) { i += 1 }
      return (isOutside ? i : end, end)
    }
    advance(to: textStart)
    let textPlace = place
    advance(to: end)
    if end < count {
      (markup, markupStart, markupPlace) = (.undecided, end, place)
      cursor = end + 1
    }
    if textStart < end, !isBroken, !saidText {
      saidText = true
      throw fault(sawMarkup ? "There is text between the elements" : "The text is no XML", at: textPlace)
    }
  }

  /// Moves the cursor and counts lines.
  private mutating func advance(to end: Int) {
    let from = cursor
    var (line, lineStart, wasReturn) = (line, lineStart, endedWithReturn)
    pending.withBytes { bytes in
      var i = from
      while true {
        i = ByteSearch.firstIndex(of: ASCII.lineFeed, or: ASCII.carriageReturn, in: bytes, from: i, to: end)
        guard i < end else { break }
        // The LF of a CRLF ends no line of its own.
        let isSecond = bytes[i] == ASCII.lineFeed && (i > from ? bytes[i - 1] == ASCII.carriageReturn : wasReturn)
        if !isSecond { line += 1 }
        lineStart = i + 1
        i += 1
      }
      if end > from { wasReturn = bytes[end - 1] == ASCII.carriageReturn }
    }
    (self.line, self.lineStart, endedWithReturn) = (line, lineStart, wasReturn)
    cursor = end
  }

  /// Finds out what begins with `<`; false where more bytes are needed for that.
  private mutating func decide() -> Bool {
    let (start, count) = (markupStart, pending.count)
    let isFinished = isFinished
    let found: Markup? = pending.withBytes { bytes in
      if !isFinished, count - start < 9, start + 1 >= count || bytes[start + 1] == UInt8(ascii: "!") { return nil }
      if start + 1 < count, bytes[start + 1] != UInt8(ascii: "!"), bytes[start + 1] != UInt8(ascii: "?") { return .tag }
      if XMLText.begins(with: "<!--", bytes, start, count) { return .comment }
      if XMLText.begins(with: "<![CDATA[", bytes, start, count) { return .data }
      if XMLText.begins(with: "<!", bytes, start, count) { return .declaration }
      if XMLText.begins(with: "<?", bytes, start, count) { return .instruction }
      return .tag
    }
    guard let found else { return false }
    sawMarkup = true
    markup = found
    quote = 0
    brackets = 0
    switch found {
    case .comment: advance(to: min(start + 4, count))
    case .data: advance(to: min(start + 9, count))
    default: break
    }
    return true
  }

  /// The place behind the markup that is open; nil where more bytes are needed, negative where a tag holds a `<`.
  private mutating func findEnd() -> Int? {
    let (from, count) = (cursor, pending.count)
    switch markup {
    case .comment, .data, .instruction:
      let mark: (String, UInt8) = markup == .comment ? ("-->", 45) : markup == .data ? ("]]>", 93) : ("?>", 63)
      let length = mark.0.utf8.count
      let end: Int? = pending.withBytes { bytes in
        var i = from
        while true {
          i = ByteSearch.firstIndex(of: mark.1, in: bytes, from: i, to: count)
          guard i + length <= count else { return nil }
          if XMLText.begins(with: mark.0, bytes, i, count) { return i + length }
          i += 1
        }
      }
      // The first bytes of the mark may be the last ones that are there.
      advance(to: end ?? max(from, count - length + 1))
      return end
    case .none, .undecided, .declaration, .tag:
      var (quote, brackets) = (quote, brackets)
      let isTag = markup == .tag
      let end: Int? = pending.withBytes { bytes in
        for i in from..<count {
          let byte = bytes[i]
          // Most bytes of tags are letters.
          if isTag, quote == 0, byte > UInt8(ascii: ">") { continue }
          if isTag, byte == UInt8(ascii: "<") { return -i }
          if quote != 0 {
            if byte == quote { quote = 0 }
          } else if byte == ASCII.quote || byte == ASCII.apostrophe {
            quote = byte
          } else if byte == UInt8(ascii: "[") {
            brackets += 1
          } else if byte == UInt8(ascii: "]") {
            brackets -= 1
          } else if byte == UInt8(ascii: ">"), isTag || brackets <= 0 {
            return i + 1
          }
        }
        return nil
      }
      (self.quote, self.brackets) = (quote, brackets)
      advance(to: end.map(abs) ?? count)
      return end
    }
  }

  /// Takes a start or end tag into account; the wanted element where one is complete now.
  private mutating func readTag(_ start: Int, _ end: Int) throws(DataSyntaxError) -> Element? {
    let wanted = wanted
    let (isEnd, isEmpty, isWanted, name): (Bool, Bool, Bool, Range<Int>) = pending.withBytes { bytes in
      let isEnd = bytes[start + 1] == ASCII.slash
      let from = start + (isEnd ? 2 : 1)
      let nameEnd = XMLText.nameEnd(bytes, from, end)
      return (isEnd, bytes[end - 2] == ASCII.slash, Self.isName(bytes, from, nameEnd, wanted), from..<nameEnd)
    }
    if isBroken {
      // The next element, or the end of this one, ends the damage.
      guard isWanted else { return nil }
      isBroken = false
      if isEnd { return nil }
    }
    guard !name.isEmpty else { throw giveUp("A tag has no name") }
    sawElement = true
    if isEnd { return try readEndTag(name, end) }
    if isInside {
      if isWanted, isSame(name, inside[0]) {
        // A new element begins before the old one has ended.
        let error = giveUp("The element is not closed before the next one begins")
        isBroken = false
        begin(name, start)
        if isEmpty { inside = [] }
        throw error
      }
      if isEmpty { return nil }
      guard inside.count + ancestors.count < maximumDepth else { throw giveUp("The XML nests deeper than \(maximumDepth) levels") }
      inside.append(name)
      return nil
    }
    if isWanted {
      begin(name, start)
      return isEmpty ? take(end) : nil
    }
    guard !isEmpty else { return nil }
    guard ancestors.count < maximumDepth else { throw giveUp("The XML nests deeper than \(maximumDepth) levels") }
    ancestors.append((text(name), declarations(name.upperBound, end)))
    return nil
  }

  /// Is this the wanted name, with any prefix?
  private static func isName(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ wanted: [UInt8]) -> Bool {
    guard end - start >= wanted.count else { return false }
    let local = end - wanted.count
    guard local == start || bytes[local - 1] == ASCII.colon else { return false }
    for i in wanted.indices where ASCII.lowercased(bytes[local + i]) != wanted[i] { return false }
    return local == start || ByteSearch.firstIndex(of: ASCII.colon, in: bytes, from: start, to: end) == local - 1
  }

  private func text(_ name: Range<Int>) -> String { pending.withBytes { $0.text(name.lowerBound, name.upperBound) } }

  private mutating func begin(_ name: Range<Int>, _ start: Int) {
    inside.removeAll(keepingCapacity: true)
    inside.append(name)
    (elementStart, elementPlace) = (start, markupPlace)
  }

  /// Are these the same names?
  private func isSame(_ name: Range<Int>, _ other: Range<Int>) -> Bool { pending.withBytes { Self.isSame($0, name, other) } }

  private static func isSame(_ bytes: Span<UInt8>, _ name: Range<Int>, _ other: Range<Int>) -> Bool {
    name.count == other.count && Words.areEqual(bytes, name.lowerBound, bytes, other.lowerBound, count: name.count)
  }

  private mutating func readEndTag(_ name: Range<Int>, _ end: Int) throws(DataSyntaxError) -> Element? {
    guard isInside else {
      guard ancestors.last?.name == text(name) else { throw fault("The end tag </\(text(name))> closes nothing", at: markupPlace) }
      ancestors.removeLast()
      return nil
    }
    guard let last = inside.last, isSame(name, last) else {
      throw giveUp("The end tag </\(text(name))> closes <\(inside.last.map { text($0) } ?? "")>", at: markupPlace)
    }
    inside.removeLast()
    return isInside ? nil : take(end)
  }

  /// The element that ends at `end`.
  private mutating func take(_ end: Int) -> Element {
    inside.removeAll(keepingCapacity: true)
    var bytes = ByteBuffer(capacity: end - elementStart + 1)
    let start = elementStart
    pending.withBytes { bytes.append($0, start, end) }
    return Element(
      bytes: bytes.array(), line: elementPlace.line, column: elementPlace.column, namespaces: ancestors.flatMap(\.namespaces))
  }

  /// The declarations of namespaces in a start tag.
  private func declarations(_ start: Int, _ end: Int) -> [(prefix: String, namespace: String)] {
    var tag = Array("<x".utf8)
    pending.withBytes { bytes in for i in start..<end { tag.append(bytes[i]) } }
    var reader = XMLReader(tag + Array("</x>".utf8))
    do throws(DataSyntaxError) { _ = try reader.next() } catch { return [] }
    return reader.namespaces
  }

  /// Gives the element up that is open.
  private mutating func giveUp(_ message: String, at place: Place? = nil) -> DataSyntaxError {
    let error = fault(message, at: place ?? (isInside ? elementPlace : markupPlace))
    isBroken = isInside || isBroken
    inside.removeAll(keepingCapacity: true)
    if markup != .none {
      // A `<` inside a tag begins another one.
      let isThere = cursor < pending.count && pending[cursor] == UInt8(ascii: "<")
      (markup, markupStart, markupPlace) = (isThere ? .undecided : .none, cursor, self.place)
      if isThere { cursor += 1 }
    }
    return error
  }
}
