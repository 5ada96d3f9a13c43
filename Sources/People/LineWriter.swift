// Writes content lines: name, parameters, value, then folded into the output.

package import Bytes
package import CardSyntax

/// Puts content lines together and folds them into its output. It writes no line break but CRLF, and nothing it is given can make a
/// line of its own: names are reduced to the characters of names, values are escaped, control characters left out.
package struct LineWriter: ~Copyable {
  /// What has been written.
  package var output = ByteBuffer(capacity: 1 << 16)
  /// The line in the making.
  package var line = ByteBuffer()
  package var version: CardVersion = .v40
  /// The reader whose habits are followed; nil for none.
  package var profile: WriterProfile? {
    didSet { isStrict = profile?.isStrict == true }
  }
  private var isStrict = false
  /// Octets of a physical line; nil for no folding.
  package var width: Int? = Folding.width
  /// The colon has been written.
  package private(set) var hasValue = false
  /// Characters that could not be written.
  package var dropped = 0
  /// Names of groups that are free.
  package var groups = GroupNames()
  private var scratch = ByteBuffer()
  private var valueStart = 0
  private var isNested = false
  private var wantsBlankLine = false
  private var needsBase64 = false
  /// Parameters that a strict profile does not write.
  package var strictlyLeftOut: [String] = []
  /// What the version could not hold as it was, and what became of it.
  package private(set) var notes: [(rule: Rule, text: String, leftOut: Bool)] = []

  package init() {}

  /// Notes what the version cannot hold as it is, and whether something of it is lost; said once of a value.
  package mutating func note(_ rule: Rule, _ text: String, leftOut: Bool = false) {
    if !notes.contains(where: { $0.rule == rule && $0.text == text }) { notes.append((rule, text, leftOut)) }
  }

  /// Takes the notes away.
  package mutating func takeNotes() -> [(rule: Rule, text: String, leftOut: Bool)] {
    defer { if !notes.isEmpty { notes.removeAll() } }
    return notes
  }

  // MARK: A line

  /// Begins a line; characters that no name may have are left out.
  package mutating func begin(group: String? = nil, name: String) {
    line.removeAll()
    hasValue = false
    if let group, !group.isEmpty {
      appendToken(group)
      line.append(ASCII.dot)
    }
    appendToken(name)
  }

  /// Begins a line whose parts, all but the group, were written before or are added as they are.
  mutating func beginWritten(group: String? = nil) {
    line.removeAll()
    hasValue = true
    guard let group, !group.isEmpty else { return }
    appendToken(group)
    line.append(ASCII.dot)
  }

  /// Begins a line, in the group that was made last where it `isGrouped`, and adds all behind that which was written before, without the
  /// colon.
  mutating func begin(inLatestGroup isGrouped: Bool, rest head: [UInt8]) {
    line.removeAll()
    Self.append(isGrouped ? groups : nil, head, to: &line)
    hasValue = false
  }

  private static func append(_ groups: GroupNames?, _ head: [UInt8], to line: inout ByteBuffer) {
    if let groups {
      groups.appendLatest(to: &line)
      line.append(ASCII.dot)
    }
    line.append(head)
  }

  /// Writes a line that begins as `begin` says; `text` is all that stands behind that: parameters where there are some, the colon, the
  /// value.
  mutating func write(inLatestGroup isGrouped: Bool, rest head: [UInt8], _ text: borrowing ByteBuffer) {
    let start = output.count
    Self.append(isGrouped ? groups : nil, head, to: &output)
    text.withBytes { output.append($0) }
    endWritten(from: start, valueLength: text.count - 1)
  }

  /// Writes a line that was written before, of whose bytes the last `valueLength` are the value, in the group that was made last.
  mutating func write(inLatestGroup line: [UInt8], valueLength: Int) {
    let start = output.count
    Self.append(groups, line, to: &output)
    endWritten(from: start, valueLength: valueLength)
  }

  /// Ends the line that stands in the output from `start` on.
  private mutating func endWritten(from start: Int, valueLength: Int) {
    if version != .v21, output.count - start <= width ?? Int.max { return output.append(word: 0x0A0D, count: 2) }
    // It has to be folded, or perhaps encoded.
    line.removeAll()
    output.withBytes { line.append($0, start, $0.count) }
    output.truncate(to: start)
    hasValue = true
    valueStart = line.count - valueLength
    end()
  }

  /// Adds a part of a line that was written before.
  mutating func append(written bytes: Span<UInt8>, _ start: Int, _ end: Int) { line.append(bytes, start, end) }

  /// What has been written of the line.
  var writtenLine: [UInt8] { line.array() }

  private mutating func appendToken(_ name: String) {
    let utf8 = name.utf8
    let bytes = utf8.span
    var plain = 0
    while plain < bytes.count, ASCII.isLetter(bytes[plain]) || ASCII.isDigit(bytes[plain]) || bytes[plain] == ASCII.dash { plain &+= 1 }
    line.append(bytes, 0, plain)
    for i in plain..<bytes.count {
      let byte = bytes[i]
      if ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.dash || byte == UInt8(ascii: "_") || byte == ASCII.slash {
        line.append(byte)
      } else if byte == ASCII.space || byte >= 0x80 {
        line.append(ASCII.dash)
      }
    }
  }

  /// Adds a parameter with one value.
  package mutating func parameter(_ name: String, _ value: String) { parameter(name, [value]) }

  /// Adds a parameter; without values nothing is added.
  package mutating func parameter(_ name: String, _ values: [String]) {
    guard !values.isEmpty, !name.isEmpty else { return }
    if isStrict, name.uppercased().hasPrefix("X-") {
      strictlyLeftOut.append(name)
      return
    }
    line.append(ASCII.semicolon)
    appendToken(name)
    line.append(ASCII.equals)
    let own = KnownParameter.jsComps.name
    let keepsBackslashes = name.utf8.count >= own.utf8.count && name.uppercased().hasSuffix(own)
    for (i, value) in values.enumerated() {
      if i > 0 { line.append(ASCII.comma) }
      append(parameterValue: value, keepsBackslashes: keepsBackslashes)
    }
  }

  /// Adds a bare word, as 2.1 writes types.
  package mutating func word(_ word: String) {
    line.append(ASCII.semicolon)
    appendToken(word)
  }

  private mutating func append(parameterValue value: String, keepsBackslashes: Bool) {
    let version = version
    if let profile, profile.avoidsSemicolons, value.utf8.contains(ASCII.semicolon) {
      return append(parameterValue: String(value.map { $0 == ";" ? "," : $0 }), keepsBackslashes: keepsBackslashes)
    }
    let utf8 = value.utf8
    let bytes = utf8.span
    if ParameterText.escape(bytes, 0, bytes.count, version: version, keepsBackslashes: keepsBackslashes, to: &line) { return }
    if version != .v40, value.utf8.contains(ASCII.quote) {
      note(.droppedCharacters, "\(version.text) has no double quote in parameters; an apostrophe was written", leftOut: true)
    } else {
      dropped += 1
    }
  }

  /// Adds a text as the value of the parameter in the making.
  mutating func parameterText(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    if !ParameterText.escape(bytes, start, end, version: version, to: &line) { dropped += 1 }
  }

  /// Adds the colon, once.
  package mutating func beginValue() {
    guard !hasValue else { return }
    line.append(ASCII.colon)
    hasValue = true
    valueStart = line.count
  }

  // MARK: Values

  /// Adds the text of a token, escaped for its place.
  package mutating func text(_ index: Int, of record: borrowing Record, _ place: Place = .whole) {
    beginValue()
    scratch.removeAll()
    record.append(index, to: &scratch)
    flushScratch(place)
  }

  /// Adds a text, escaped for its place.
  package mutating func text(_ text: String, _ place: Place = .whole) {
    beginValue()
    scratch.removeAll()
    scratch.append(text: text)
    flushScratch(place)
  }

  /// Adds the text in `bytes[start ..< end]`, escaped for its place.
  mutating func text(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ place: Place = .whole) {
    beginValue()
    if version != .v21 {
      dropped += Escaping.escape(bytes, start, end, place.shape(in: version), to: &line)
      return
    }
    scratch.removeAll()
    scratch.append(bytes, start, end)
    flushScratch(place)
  }

  private mutating func flushScratch(_ place: Place) {
    let shape = place.shape(in: version)
    guard version == .v21 else {
      dropped += Self.escape(scratch, shape, to: &line)
      return
    }
    // 2.1 cannot say that a backslash is one: the value of a line is then base64 as a whole.
    if place == .whole, Self.isAmbiguous21(scratch, atEnd: false) { needsBase64 = true }
    dropped += Self.escape21(scratch, shape, to: &line)
  }

  /// Adds a text of a list as a value of its own, as base64 in 2.1, so that nothing in it divides the list.
  package mutating func undivided(_ index: Int, of record: borrowing Record) {
    text(index, of: record)
    if version == .v21 { needsBase64 = true }
  }

  private static func escape(_ text: borrowing ByteBuffer, _ shape: Escaping.Shape, to line: inout ByteBuffer) -> Int {
    let count = text.count
    return text.withBytes { Escaping.escape($0, 0, count, shape, to: &line) }
  }

  /// Adds text that is no free text: a URI, a date, base64, a separator. Line breaks and control characters are left out of it.
  package mutating func raw(_ text: String) {
    beginValue()
    for byte in text.utf8 where byte >= 32 && byte != 127 || byte == ASCII.tab { line.append(byte) }
  }

  /// Adds bytes that are no free text, without line breaks and control characters.
  package mutating func raw(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    beginValue()
    let begin = line.count
    line.append(bytes, start, end)
    Self.removeControls(&line, from: begin)
  }

  /// Adds the value of a type that is no free text, as `raw` does; a backslash is doubled, since readers take it for an escape.
  package mutating func plain(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    beginValue()
    let begin = line.count
    raw(bytes, start, end)
    if version != .v21 { Self.doubleBackslashes(&line, from: begin, scratch: &scratch) }
  }

  /// Adds the text of a token without escapes. Line breaks and control characters are left out of it; a backslash, which no URI may
  /// have, is doubled, since readers take it for an escape.
  package mutating func raw(_ index: Int, of record: borrowing Record) {
    beginValue()
    let begin = line.count
    record.append(index, to: &line)
    Self.removeControls(&line, from: begin)
    if version != .v21 { Self.doubleBackslashes(&line, from: begin, scratch: &scratch) }
  }

  private static func doubleBackslashes(_ line: inout ByteBuffer, from begin: Int, scratch: inout ByteBuffer) {
    let count = line.count
    guard line.withBytes({ ByteSearch.firstIndex(of: ASCII.backslash, in: $0, from: begin, to: count) }) < count else { return }
    scratch.removeAll()
    line.withBytes { scratch.append($0, begin, count) }
    line.truncate(to: begin)
    _ = escape(scratch, .backslashes, to: &line)
  }

  private static func removeControls(_ line: inout ByteBuffer, from begin: Int) {
    let count = line.count
    let first = line.withBytes { bytes in
      var i = begin
      while i < count, bytes[i] >= 32 && bytes[i] != 127 || bytes[i] == ASCII.tab { i &+= 1 }
      return i
    }
    guard first < count else { return }
    var kept = first
    for i in first..<count where line[i] >= 32 && line[i] != 127 || line[i] == ASCII.tab {
      line[kept] = line[i]
      kept += 1
    }
    line.truncate(to: kept)
  }

  /// Adds a value as it stood in a card: escapes as they are, line breaks and control characters left out. An escaped line break is a
  /// real one in 2.1, where quoted-printable holds it.
  package mutating func written(_ text: String) {
    beginValue()
    var escapes = false
    for byte in text.utf8 where byte >= 32 && byte != 127 || byte == ASCII.tab {
      if escapes, version == .v21, byte | 32 == UInt8(ascii: "n") {
        line.truncate(to: line.count - 1)
        line.append(ASCII.lineFeed)
      } else {
        line.append(byte)
      }
      escapes = byte == ASCII.backslash && !escapes
    }
  }

  /// Adds a separator between components or items.
  package mutating func separator(_ byte: UInt8) {
    beginValue()
    line.append(byte)
  }

  // MARK: The end

  /// Ends the line and folds it into the output. In 2.1 a value with other characters than ASCII, or with a line break, goes out as
  /// quoted-printable.
  package mutating func end() {
    beginValue()
    if isStrict, let name = extensionName() {
      strictlyLeftOut.append(name)
      (isNested, wantsBlankLine, needsBase64) = (false, false, false)
      return line.removeAll()
    }
    if isNested {
      output.append(line.array())
      isNested = false
    } else if needsBase64 {
      endBase64()
    } else if version == .v21, !wantsBlankLine, needsQuotedPrintable() {
      endQuotedPrintable()
    } else {
      // 2.1 folds base64 alone: a blank of a fold in front of it would count as text.
      let isFolded = version != .v21 || wantsBlankLine && valueStart < width ?? 0
      Self.fold(line, isFolded ? width : nil, to: &output)
    }
    if wantsBlankLine { output.append("\r\n") }
    wantsBlankLine = false
    needsBase64 = false
    line.removeAll()
  }

  /// The name of the line in the making where it begins with `X-`.
  private func extensionName() -> String? {
    let head = line.withBytes { bytes in
      var name: [UInt8] = []
      for i in bytes.indices {
        if bytes[i] == ASCII.semicolon || bytes[i] == ASCII.colon { break }
        if bytes[i] == ASCII.dot { name.removeAll() } else { name.append(bytes[i]) }
      }
      return String(decoding: name, as: UTF8.self)
    }
    return head.uppercased().hasPrefix("X-") ? head : nil
  }

  /// A base64 value of 2.1 ends with an empty line.
  package mutating func needsBlankLine() { wantsBlankLine = true }

  /// Adds lines of a nested card behind the line in the making, as 2.1 writes AGENT.
  package mutating func nested(_ lines: String) {
    beginValue()
    line.append("\r\n")
    line.append(text: lines)
    isNested = true
  }

  /// The property that labels the lines of its group, in its usual spelling.
  package static let labelName = "X-ABLabel"

  /// Adds a line that labels its group.
  package mutating func label(_ group: String, _ text: String) {
    begin(group: group, name: Self.labelName)
    self.text(text)
    end()
  }

  private func needsQuotedPrintable() -> Bool {
    let start = valueStart
    return line.withBytes { Self.isEncoded21($0, start, $0.count) }
  }

  /// Does 2.1 need quoted-printable for the value in `bytes[start ..< end]`?
  static func isEncoded21(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    for i in start..<end where bytes[i] >= 0x80 || bytes[i] == ASCII.lineFeed { return true }
    return end > start && ASCII.isBlank(bytes[end - 1])
  }

  /// Moves the value into `scratch`, its line breaks as CRLF, and says in the head how it is encoded.
  private mutating func takeValue(encoded head: StaticString) {
    let (start, count) = (valueStart, line.count)
    scratch.removeAll()
    Self.plainLineBreaks(line, start, count, to: &scratch)
    line.truncate(to: start - 1)
    line.append(head)
  }

  private mutating func endQuotedPrintable() {
    takeValue(encoded: ";CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:")
    Self.appendAll(line, to: &output)
    Self.encode(scratch, used: line.count, to: &output)
    output.append("\r\n")
  }

  /// The whole text as base64, for 2.1, which has no other way to hold a backslash before some letters.
  private mutating func endBase64() {
    takeValue(encoded: ";CHARSET=UTF-8;ENCODING=BASE64:")
    // A fold in the head would add a blank to it.
    let isFolded = line.count < width ?? Folding.width
    Self.appendBase64(scratch, to: &line)
    Self.fold(line, isFolded ? width ?? Folding.width : nil, to: &output)
    output.append("\r\n")
  }

  private static func appendBase64(_ source: borrowing ByteBuffer, to output: inout ByteBuffer) {
    source.withBytes { Base64.encode($0, 0, $0.count, to: &output) }
  }

  private static func appendAll(_ source: borrowing ByteBuffer, to output: inout ByteBuffer) {
    source.withBytes { output.append($0) }
  }

  private static func encode(_ source: borrowing ByteBuffer, used: Int, to output: inout ByteBuffer) {
    let count = source.count
    source.withBytes { _ = QuotedPrintable.encode($0, 0, count, lineLimit: 76, used: used, to: &output) }
  }

  private static func plainLineBreaks(_ source: borrowing ByteBuffer, _ start: Int, _ end: Int, to output: inout ByteBuffer) {
    source.withBytes { bytes in
      for i in start..<end {
        if bytes[i] == ASCII.lineFeed { output.append("\r\n") } else { output.append(bytes[i]) }
      }
    }
  }

  private static func fold(_ line: borrowing ByteBuffer, _ width: Int?, to output: inout ByteBuffer) {
    let count = line.count
    line.withBytes { Folding.append($0, 0, count, width: width, to: &output) }
  }

  /// Forgets the line in the making.
  package mutating func cancel() { line.removeAll() }

  /// Writes a whole line that needs no folding.
  package mutating func whole(_ text: StaticString) {
    output.append(text)
    output.append("\r\n")
  }

  /// Writes a line of a card anew from its parts, each as written.
  mutating func rewrite(_ bytes: Span<UInt8>, _ entry: LineEntry, _ parameters: [ParameterEntry], value: (start: Int, end: Int)) {
    line.removeAll()
    line.append(bytes, Int(entry.groupEnd > entry.groupStart ? entry.groupStart : entry.nameStart), Int(entry.nameEnd))
    let first = Int(entry.firstParameter)
    for i in first..<first + Int(entry.parameterCount) {
      let parameter = parameters[i]
      line.append(ASCII.semicolon)
      if !parameter.isBare, parameter.nameEnd > parameter.nameStart {
        line.append(bytes, Int(parameter.nameStart), Int(parameter.nameEnd))
        line.append(ASCII.equals)
      }
      line.append(bytes, Int(parameter.valueStart), Int(parameter.valueEnd))
    }
    line.append(ASCII.colon)
    line.append(bytes, value.start, value.end)
    Self.fold(line, width, to: &output)
    line.removeAll()
  }

  /// Copies a line as it was written.
  package mutating func copy(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    output.append(bytes, start, end)
  }
}
