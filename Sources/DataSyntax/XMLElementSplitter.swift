// A stream of XML cut into the elements of one name: chunks in, one complete element out at a time.
internal import Bytes

/// Cuts the elements of one name out of a stream of XML, wherever they stand, holding one element and one chunk in memory.
///
/// Tags are matched, no more; `XMLReader` checks the rest of an element. A fault is thrown once and costs its own element alone: the
/// next one begins at the next start tag of that name. A document type is passed over without being read.
package struct XMLElementSplitter: ~Copyable, Sendable {
  /// An element that was cut out: its bytes, its line, and the namespaces declared around it.
  package struct Element: Sendable {
    package var bytes: [UInt8]
    package var line: Int
    package var namespaces: [(prefix: String, namespace: String)]
  }

  private enum Markup: Sendable { case none, undecided, comment, data, instruction, declaration, tag }

  private let wanted: [UInt8]
  private let maximumBytes: Int
  private let maximumDepth: Int
  private var pending = ByteBuffer(capacity: 1 << 16)
  private var cursor = 0
  private var line = 1
  private var endedWithReturn = false
  private var markup = Markup.none
  private var markupStart = 0
  private var markupLine = 1
  private var quote: UInt8 = 0
  private var brackets = 0
  /// Names of the elements around the wanted ones, with what they declare.
  private var ancestors: [(name: String, namespaces: [(prefix: String, namespace: String)])] = []
  /// Names of the open elements from the wanted one on; empty outside.
  private var inside: [String] = []
  private var elementStart = 0
  private var elementLine = 1
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
    let needed = inside.isEmpty ? (markup == .none ? cursor : markupStart) : elementStart
    if needed > 0 && needed >= pending.count - needed {
      pending.removeFirst(needed)
      cursor -= needed
      markupStart -= needed
      elementStart -= needed
    }
    pending.append(chunk)
  }

  /// Says that no bytes follow.
  package mutating func finish() { isFinished = true }

  /// The next complete element; nil when more bytes are needed or, after `finish`, at the end. Throws for a faulty one, and for text
  /// that is no XML; the next call goes on behind it.
  package mutating func next() throws(DataSyntaxError) -> Element? {
    while cursor < pending.count {
      if !inside.isEmpty, cursor - elementStart > maximumBytes {
        throw giveUp("The element is larger than \(maximumBytes) bytes")
      }
      if markup == .none {
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
    if markup != .none, inside.isEmpty {
      markup = .none
      (ancestors, sawMarkup) = ([], false)
      if !isBroken { throw DataSyntaxError(message: "The XML ends inside a tag", line: markupLine, column: 1) }
    }
    if !inside.isEmpty { throw giveUp("The element is not closed") }
    return try checkEnd()
  }

  /// Told once at the end, where nothing else was wrong with the last element: what is cut off, or no document at all.
  private mutating func checkEnd() throws(DataSyntaxError) -> Element? {
    defer { (ancestors, sawMarkup) = ([], false) }
    guard !isBroken, sawMarkup, !saidText else { return nil }
    if let open = ancestors.last {
      throw DataSyntaxError(message: "The XML ends before <\(open.name)> is closed", line: line, column: 1)
    }
    if !sawElement { throw DataSyntaxError(message: "The XML ends before its first element", line: line, column: 1) }
    return nil
  }

  /// Passes over text up to the next `<`.
  private mutating func passText() throws(DataSyntaxError) {
    let (from, count) = (cursor, pending.count)
    let (end, hasText) = pending.withBytes { bytes in
      let end = ByteSearch.firstIndex(of: UInt8(ascii: "<"), in: bytes, from: from, to: count)
      var i = from
      if inside.isEmpty { while i < end, XMLText.isBlank(bytes[i]) { i += 1 } }
      return (end, i < end && inside.isEmpty)
    }
    advance(to: end)
    if end < count {
      (markup, markupStart, markupLine) = (.undecided, end, line)
      cursor = end + 1
    }
    if hasText, !isBroken, !saidText {
      saidText = true
      let message = sawMarkup ? "There is text between the elements" : "The text is no XML"
      throw DataSyntaxError(message: message, line: line, column: 1)
    }
  }

  /// Moves the cursor and counts lines.
  private mutating func advance(to end: Int) {
    let from = cursor
    var (count, wasReturn) = (0, endedWithReturn)
    pending.withBytes { bytes in
      for i in from..<end {
        let byte = bytes[i]
        if byte == ASCII.lineFeed && !wasReturn || byte == ASCII.carriageReturn { count += 1 }
        wasReturn = byte == ASCII.carriageReturn
      }
    }
    line += count
    endedWithReturn = wasReturn
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
    let (isEnd, isEmpty, isWanted, name, nameEnd): (Bool, Bool, Bool, String, Int) = pending.withBytes { bytes in
      let isEnd = bytes[start + 1] == ASCII.slash
      let from = start + (isEnd ? 2 : 1)
      let nameEnd = XMLText.nameEnd(bytes, from, end)
      let colon = ByteSearch.firstIndex(of: ASCII.colon, in: bytes, from: from, to: nameEnd)
      let local = colon < nameEnd ? colon + 1 : from
      let isWanted = nameEnd - local == wanted.count && wanted.indices.allSatisfy { ASCII.lowercased(bytes[local + $0]) == wanted[$0] }
      return (isEnd, bytes[end - 2] == ASCII.slash, isWanted, bytes.text(from, nameEnd), nameEnd)
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
    if !inside.isEmpty {
      if isWanted, name == inside[0] {
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
    ancestors.append((name, declarations(nameEnd, end)))
    return nil
  }

  private mutating func begin(_ name: String, _ start: Int) {
    inside = [name]
    (elementStart, elementLine) = (start, markupLine)
  }

  private mutating func readEndTag(_ name: String, _ end: Int) throws(DataSyntaxError) -> Element? {
    if inside.isEmpty {
      guard ancestors.last?.name == name else {
        throw DataSyntaxError(message: "The end tag </\(name)> closes nothing", line: markupLine, column: 1)
      }
      ancestors.removeLast()
      return nil
    }
    guard inside.last == name else {
      let error = giveUp("The end tag </\(name)> closes <\(inside.last ?? "")>", line: markupLine)
      // Its own end tag ends it, broken as it is.
      if name == inside.first { isBroken = false }
      inside = []
      throw error
    }
    inside.removeLast()
    return inside.isEmpty ? take(end) : nil
  }

  /// The element that ends at `end`.
  private mutating func take(_ end: Int) -> Element {
    inside = []
    var bytes = ByteBuffer(capacity: end - elementStart + 1)
    let start = elementStart
    pending.withBytes { bytes.append($0, start, end) }
    return Element(bytes: bytes.array(), line: elementLine, namespaces: ancestors.flatMap(\.namespaces))
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
  private mutating func giveUp(_ message: String, line: Int? = nil) -> DataSyntaxError {
    let error = DataSyntaxError(message: message, line: line ?? (inside.isEmpty ? markupLine : elementLine), column: 1)
    isBroken = !inside.isEmpty || isBroken
    inside = []
    if markup != .none {
      // A `<` inside a tag begins another one.
      let isThere = cursor < pending.count && pending[cursor] == UInt8(ascii: "<")
      (markup, markupStart, markupLine) = (isThere ? .undecided : .none, cursor, self.line)
      if isThere { cursor += 1 }
    }
    return error
  }
}
