// Reads cards from bytes into tables: finds their ends, unfolds and transfer-decodes their lines.

import Bytes

/// The tables of a batch while they are being filled. All reading is total: whatever the bytes are, lines and findings come out.
struct CardBuilder: ~Copyable {
  let names: NameTable
  let limits: Limits
  let fallback: TextEncoding
  /// The stream began with a UTF-8 BOM, so that CHARSET labels on plain text are wrong.
  var isSurelyUTF8 = false
  var lines: [LineEntry] = []
  var parameters: [ParameterEntry] = []
  var cards: [CardEntry] = []
  var diagnostics: [Diagnostic] = []
  /// Unfolded and decoded text; its offsets begin behind the raw bytes.
  var text = ByteBuffer(capacity: 1 << 16)
  var work = ByteBuffer()
  var decoder = TextDecoder()
  /// Where offsets into `text` begin.
  var base = 0
  /// The physical line (from 1) of the first byte.
  var firstPhysicalLine = 1
  var firstCard = 0
  private var card = CardEntry()

  init(names: NameTable, limits: Limits, fallback: TextEncoding) {
    self.names = names
    self.limits = limits
    self.fallback = fallback
  }

  /// What came of an attempt to read on.
  enum Outcome {
    /// Up to where the bytes are used, and at which physical line (from the batch's first) that is.
    case used(Int, line: Int)
    /// The card goes on behind the bytes.
    case incomplete
  }

  // MARK: Cards

  /// Reads the card whose BEGIN line is `begin`.
  mutating func readCard(_ bytes: Span<UInt8>, begin: PhysicalLine, line beginLine: Int, isFinal: Bool) -> Outcome {
    let saved = (lines.count, parameters.count, diagnostics.count, text.count)
    card = CardEntry()
    card.rawStart = UInt32(truncatingIfNeeded: begin.start)
    card.line = UInt32(truncatingIfNeeded: beginLine)
    card.firstLine = UInt32(truncatingIfNeeded: lines.count)
    card.firstDiagnostic = UInt32(truncatingIfNeeded: diagnostics.count)
    findVersion(bytes, from: begin.next, line: beginLine + begin.breaks, isFinal: isFinal)
    var position = begin.next
    var line = beginLine + begin.breaks
    var isTooLong = false
    while true {
      guard let physical = PhysicalLine.at(position, in: bytes, isFinal: isFinal) else {
        undo(to: saved)
        return .incomplete
      }
      if position >= bytes.count {
        // The message belongs to the last line that is there.
        let last = position > 0 && bytes[position - 1] != ASCII.lineFeed && bytes[position - 1] != ASCII.carriageReturn ? line : line - 1
        report(.missingEnd, "the file ends inside a card; what is there was taken", at: max(last, beginLine))
        break
      }
      let first = bytes[position] | 32
      if first == UInt8(ascii: "e") || first == UInt8(ascii: "b") || first == ASCII.space | 32 || first == 9 | 32 || first == 0xEF {
        let end: (Bool, hasMore: Bool) = physical.isEnd(in: bytes) ? physical.says("END:VCARD", in: bytes) : (false, hasMore: false)
        if end.0 {
          if end.hasMore { report(.trailingText, "text after END:VCARD left out", at: line, leftOut: true) }
          position = physical.next
          line += physical.breaks
          break
        }
        if physical.isBegin(in: bytes) {
          report(.missingEnd, "a card begins inside this one, which has no END:VCARD; what is there was taken", at: line)
          break
        }
      }
      if physical.isBlank(in: bytes) {
        position = physical.next
        line += physical.breaks
        continue
      }
      guard let next = readLine(bytes, physical, line: line, isFinal: isFinal) else {
        undo(to: saved)
        return .incomplete
      }
      (position, line) = next
      if position - physical.start > limits.contentLine { isTooLong = true }
    }
    card.rawEnd = UInt32(truncatingIfNeeded: position)
    card.lineCount = UInt32(truncatingIfNeeded: lines.count) - card.firstLine
    let tooMany = Int(card.lineCount) > limits.properties
    if isTooLong || tooMany || position - begin.start > limits.card {
      undo(to: saved)
      let rule: Rule = isTooLong ? .lineTooLong : tooMany ? .tooManyProperties : .cardTooLong
      report(rule, "beyond the limit (see `vcard help limits`); the card was left out", at: beginLine, leftOut: true)
      return .used(position, line: line)
    }
    card.diagnosticCount = UInt32(truncatingIfNeeded: diagnostics.count) - card.firstDiagnostic
    cards.append(card)
    return .used(position, line: line)
  }

  private mutating func undo(to saved: (Int, Int, Int, Int)) {
    lines.removeLast(lines.count - saved.0)
    parameters.removeLast(parameters.count - saved.1)
    diagnostics.removeLast(diagnostics.count - saved.2)
    text.truncate(to: saved.3)
  }

  mutating func report(_ rule: Rule, _ message: String, at line: Int, property: String? = nil, leftOut: Bool = false) {
    diagnostics.append(
      Diagnostic(
        rule, message, line: firstPhysicalLine + line, property: property, contact: firstCard + cards.count, leftOut: leftOut))
  }

  // MARK: The version

  /// VERSION may stand anywhere, and unfolding depends on it: so it is looked for first (in nearly all cards it is the second line).
  private mutating func findVersion(_ bytes: Span<UInt8>, from start: Int, line startLine: Int, isFinal: Bool) {
    var position = start
    var line = startLine
    var looksOld = false
    var nested = 0
    var agent = false
    while position < bytes.count, let physical = PhysicalLine.at(position, in: bytes, isFinal: isFinal) {
      if physical.isEnd(in: bytes) {
        if nested == 0 { break }
        nested -= 1
      } else if physical.isBegin(in: bytes) {
        if !agent { break }
        nested += 1
      } else if nested == 0, physical.end - physical.start >= 8 {
        let found = ContentLineText.head(bytes, physical.start, physical.end, base: 0, parameters: &parameters)
        let wasBare = parameters[found.firstParameter...].contains { $0.isBare }
        parameters.removeLast(parameters.count - found.firstParameter)
        if found.isQuotedPrintable || wasBare { looksOld = true }
        if let value = found.valueStart, Self.isWord("VERSION", bytes, found.nameStart, found.nameEnd) {
          let text = String(decoding: (value..<physical.end).map { bytes[$0] }, as: UTF8.self)
          if let version = CardVersion(text) {
            card.version = version
            card.declared = version
          } else {
            card.version = looksOld ? .v21 : .v30
            report(.unknownVersion, "VERSION \(text) is unknown; read as \(card.version.text)", at: line, property: "VERSION")
          }
          return
        }
        agent = found.valueStart == physical.end && Self.isWord("AGENT", bytes, found.nameStart, found.nameEnd)
      }
      position = physical.next
      line += physical.breaks
    }
    card.version = looksOld ? .v21 : .v30
    report(.missingVersion, "no VERSION; read as \(card.version.text)", at: startLine - 1, property: "VERSION")
  }

  private static func isWord(_ word: StaticString, _ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard end - start == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { letters in
      for k in 0..<letters.count where unsafe ASCII.uppercased(bytes[start + k]) != letters[k] { return false }
      return true
    }
  }

  // MARK: Lines

  /// Reads the content line that begins with `physical`; gives where the next begins, nil where it may go on behind the bytes.
  private mutating func readLine(_ bytes: Span<UInt8>, _ physical: PhysicalLine, line: Int, isFinal: Bool) -> (Int, line: Int)? {
    let next = physical.next
    guard next < bytes.count || isFinal else { return nil }
    let start = physical.start
    var head = ContentLineText.head(bytes, start, physical.end, base: 0, parameters: &parameters)
    var entry = LineEntry()
    entry.rawStart = UInt32(truncatingIfNeeded: start)
    entry.line = UInt32(truncatingIfNeeded: line)
    if physical.end &- start > 75 { entry.flags.insert(.longLine) }
    if next &- physical.end != 2 { entry.flags.insert(.bareLineBreak) }
    let isContinued = next < bytes.count && ASCII.isBlank(bytes[next])
    var position = next
    var lineAfter = line + physical.breaks
    var hasHighBit = physical.hasHighBit
    var valueEnd = physical.end
    // A colon behind an open quote ends no head where the quote may close behind a fold.
    if isContinued, head.hasOpenQuote { head.valueStart = nil }
    if let valueStart = head.valueStart {
      if head.isBase64 {
        guard let run = joinBase64(bytes, physical, valueStart, line: lineAfter, isFinal: isFinal, entry: &entry) else { return nil }
        position = run.next
        lineAfter = run.line
        (head.valueStart, valueEnd) = run.value ?? (valueStart, valueEnd)
      } else if head.isQuotedPrintable {
        guard let run = joinQuotedPrintable(bytes, physical, valueStart, line: lineAfter, isFinal: isFinal, entry: &entry) else {
          return nil
        }
        position = run.next
        lineAfter = run.line
        hasHighBit = hasHighBit || run.hasHighBit
        decodeQuotedPrintable(bytes, &head, &entry, line: line)
        valueEnd = base + text.count
      } else if isContinued {
        guard let run = Folding.unfold(bytes, valueStart, physical, version: card.version, line: lineAfter, isFinal: isFinal, to: &text)
        else { return nil }
        head.valueStart = base + run.start
        valueEnd = base + text.count
        position = run.next
        lineAfter = run.line
        hasHighBit = hasHighBit || run.hasHighBit
        entry.flags.insert(run.flags)
      } else if valueStart == physical.end, next < bytes.count, bytes[next] | 32 == UInt8(ascii: "b"),
        Self.isWord("AGENT", bytes, head.nameStart, head.nameEnd)
      {
        guard let run = nestedCard(bytes, next, line: lineAfter, isFinal: isFinal) else { return nil }
        if let value = run.value {
          (head.valueStart, valueEnd) = value
          position = run.next
          lineAfter = run.line
          entry.flags.insert([.nestedCard, .folded])
        }
      }
    } else if isContinued {
      // The fold is inside the head: unfold all, then read the head again.
      parameters.removeLast(parameters.count - head.firstParameter)
      guard let run = Folding.unfold(bytes, start, physical, version: card.version, line: lineAfter, isFinal: isFinal, to: &text)
      else { return nil }
      position = run.next
      lineAfter = run.line
      hasHighBit = hasHighBit || run.hasHighBit
      entry.flags.insert(run.flags)
      valueEnd = base + text.count
      head = rereadHead(from: run.start)
      if head.valueStart != nil { decodeTransfer(bytes, &head, &entry, &valueEnd, line: line) }
    }
    entry.rawEnd = UInt32(truncatingIfNeeded: position)
    guard head.valueStart != nil else {
      parameters.removeLast(parameters.count - head.firstParameter)
      joinStrayLine(bytes, physical.start, physical.end, rawEnd: position, line: line)
      return (position, lineAfter)
    }
    if head.charset != nil || hasHighBit {
      repairCharset(bytes, &head, &entry, &valueEnd, hasHighBit: hasHighBit, line: line)
    }
    finish(&entry, head, valueEnd, bytes, line: line)
    return (position, lineAfter)
  }

  private mutating func finish(_ entry: inout LineEntry, _ head: LineHead, _ valueEnd: Int, _ bytes: Span<UInt8>, line: Int) {
    entry.groupStart = UInt32(truncatingIfNeeded: head.groupStart)
    entry.groupEnd = UInt32(truncatingIfNeeded: head.groupEnd)
    entry.nameStart = UInt32(truncatingIfNeeded: head.nameStart)
    entry.nameEnd = UInt32(truncatingIfNeeded: head.nameEnd)
    entry.valueStart = UInt32(truncatingIfNeeded: head.valueStart ?? valueEnd)
    entry.valueEnd = UInt32(truncatingIfNeeded: valueEnd)
    entry.firstParameter = UInt32(truncatingIfNeeded: head.firstParameter)
    entry.parameterCount = UInt32(truncatingIfNeeded: parameters.count - head.firstParameter)
    if head.nameStart >= base {
      let (names, start, end) = (names, head.nameStart - base, head.nameEnd - base)
      entry.number = text.withBytes { names.number(of: $0, start, end) }
    } else {
      entry.number = names.number(of: bytes, head.nameStart, head.nameEnd)
    }
    if head.isOdd { entry.flags.insert(.oddParameters) }
    for rule in head.findings {
      let name = string(bytes, head.nameStart, head.nameEnd)
      report(rule, "\(rule.summary.dropLast().lowercasedFirst); its meaning was taken", at: line, property: name)
    }
    if entry.number == 0, head.nameEnd - head.nameStart == 7, string(bytes, head.nameStart, head.nameEnd).uppercased() == "VERSION" {
      entry.flags.insert(.version)
    }
    lines.append(entry)
  }

  private func string(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> String {
    if start >= base {
      return text.withBytes { text in String(decoding: (start - base..<end - base).map { text[$0] }, as: UTF8.self) }
    }
    return String(decoding: (start..<end).map { bytes[$0] }, as: UTF8.self)
  }

  private mutating func rereadHead(from start: Int) -> LineHead {
    let (base, end) = (base, text.count)
    var found = parameters
    parameters = []
    let head = text.withBytes { ContentLineText.head($0, start, end, base: base, parameters: &found) }
    parameters = found
    return head
  }

  /// A line without a colon: a line break that its writer did not escape. It is put back into the value before it.
  private mutating func joinStrayLine(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, rawEnd: Int, line: Int) {
    let last = lines.count - 1
    guard !isCutOff(bytes, start, end, rawEnd) else {
      return report(
        .missingColon, "the file ends inside this line, which was left out: \(excerpt(bytes, start, end))", at: line, leftOut: true)
    }
    guard last >= Int(card.firstLine), !lines[last].flags.contains(.base64), !lines[last].flags.contains(.nestedCard) else {
      return report(.missingColon, "a line without a colon was left out: \(excerpt(bytes, start, end))", at: line, leftOut: true)
    }
    let (from, to) = (Int(lines[last].valueStart), Int(lines[last].valueEnd))
    if to == base + text.count, from >= base {
      // The value ends the text already: the line is put behind it.
    } else {
      let begin = text.count
      copyToText(bytes, from, to)
      lines[last].valueStart = UInt32(truncatingIfNeeded: base + begin)
    }
    text.append("\\n")
    work.removeAll()
    if UTF8Check.isValid(bytes, start, end) {
      text.append(bytes, start, end)
    } else {
      _ = decoder.decode(bytes, start, end, as: fallback, to: &text)
    }
    lines[last].valueEnd = UInt32(truncatingIfNeeded: base + text.count)
    lines[last].rawEnd = UInt32(truncatingIfNeeded: rawEnd)
    lines[last].flags.insert(.mended)
    report(.missingColon, "a line without a colon was put at the end of the value before it: \(excerpt(bytes, start, end))", at: line)
  }

  /// The last line of the input, without a line break, that begins like a property.
  private func isCutOff(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ rawEnd: Int) -> Bool {
    guard rawEnd == bytes.count, end == bytes.count else { return false }
    var stop = start
    while stop < end, bytes[stop] != ASCII.semicolon, bytes[stop] != ASCII.colon { stop += 1 }
    return names.number(of: bytes, start, stop) != 0
  }

  private func excerpt(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> String {
    "\"" + String(decoding: (start..<min(end, start + 40)).map { bytes[$0] }, as: UTF8.self) + (end - start > 40 ? "…\"" : "\"")
  }

  private mutating func copyToText(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    if start >= base {
      work.removeAll()
      let (from, to) = (start - base, end - base)
      copyTextToWork(from, to)
      copyWorkToText()
    } else {
      text.append(bytes, start, end)
    }
  }

  private mutating func copyTextToWork(_ start: Int, _ end: Int) { Self.copy(text, start, end, to: &work) }
  private mutating func copyWorkToText() { Self.copy(work, 0, work.count, to: &text) }

  private static func copy(_ source: borrowing ByteBuffer, _ start: Int, _ end: Int, to target: inout ByteBuffer) {
    source.withBytes { target.append($0, start, end) }
  }

  // MARK: Continuations

  private typealias Run = (next: Int, line: Int, value: (Int, Int)?, hasHighBit: Bool)

  /// Base64 goes on in indented lines, and in unindented ones that look like nothing else; an empty line ends it.
  private mutating func joinBase64(
    _ bytes: Span<UInt8>, _ physical: PhysicalLine, _ valueStart: Int, line: Int, isFinal: Bool, entry: inout LineEntry
  ) -> Run? {
    entry.flags.insert(.base64)
    var run: Run = (physical.next, line, nil, false)
    var begin: Int?
    var isUnindented = false
    while run.next < bytes.count {
      guard let following = PhysicalLine.at(run.next, in: bytes, isFinal: isFinal) else { return nil }
      guard following.next < bytes.count || isFinal else { return nil }
      if following.isEmpty {
        (run.next, run.line) = (following.next, run.line + following.breaks)
        break
      }
      let isIndented = ASCII.isBlank(bytes[following.start])
      if !isIndented {
        guard Self.isBase64Text(bytes, following.start, following.end) else { break }
        isUnindented = true
      } else if following.isEnd(in: bytes) || following.isBegin(in: bytes) {
        break
      }
      if begin == nil {
        begin = text.count
        Self.appendWithoutBlanks(bytes, valueStart, physical.end, to: &text)
      }
      Self.appendWithoutBlanks(bytes, following.start, following.end, to: &text)
      entry.flags.insert(.folded)
      if following.end - following.start > 75 { entry.flags.insert(.longLine) }
      if following.next - following.end != 2 { entry.flags.insert(.bareLineBreak) }
      (run.next, run.line) = (following.next, run.line + following.breaks)
    }
    if let begin {
      run.value = (base + begin, base + text.count)
    } else if ByteSearch.firstIndex(of: ASCII.space, in: bytes, from: valueStart, to: physical.end) < physical.end {
      let begin = text.count
      Self.appendWithoutBlanks(bytes, valueStart, physical.end, to: &text)
      run.value = (base + begin, base + text.count)
    }
    if isUnindented { report(.unindentedBase64, "base64 lines without indentation were taken", at: Int(entry.line)) }
    return run
  }

  private static func isBase64Text(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var i = start
    while i < end {
      let byte = bytes[i]
      guard
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "+") || byte == ASCII.slash || byte == ASCII.equals
          || byte == ASCII.dash || byte == UInt8(ascii: "_") || (i > start && ASCII.isBlank(byte))
      else { return false }
      i &+= 1
    }
    return true
  }

  private static func appendWithoutBlanks(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to text: inout ByteBuffer) {
    var start = start
    while start < end, ASCII.isBlank(bytes[start]) { start &+= 1 }
    while start < end {
      var stop = start
      while stop < end, !ASCII.isBlank(bytes[stop]) { stop &+= 1 }
      text.append(bytes, start, stop)
      start = stop
      while start < end, ASCII.isBlank(bytes[start]) { start &+= 1 }
    }
  }

  /// Joins a quoted-printable value at its soft breaks into `work`. A line that looks like a property ends it, unless the line before
  /// ended in an encoded line break (Outlook's LABEL), and so do END and an empty line.
  private mutating func joinQuotedPrintable(
    _ bytes: Span<UInt8>, _ physical: PhysicalLine, _ valueStart: Int, line: Int, isFinal: Bool, entry: inout LineEntry
  ) -> Run? {
    var run: Run = (physical.next, line, nil, physical.hasHighBit)
    work.removeAll()
    work.append(bytes, valueStart, physical.end)
    while true {
      var end = work.count
      while end > 0, ASCII.isBlank(work[end - 1]) { end -= 1 }
      let isSoft = end > 0 && work[end - 1] == ASCII.equals
      guard run.next < bytes.count else {
        guard isFinal else { return nil }
        if isSoft {
          work.truncate(to: end - 1)
          report(.danglingSoftBreak, "the file ends after a soft line break", at: Int(entry.line))
        }
        return run
      }
      guard isSoft || ASCII.isBlank(bytes[run.next]) else { return run }
      guard let following = PhysicalLine.at(run.next, in: bytes, isFinal: isFinal) else { return nil }
      guard following.next < bytes.count || isFinal else { return nil }
      var start = following.start
      if isSoft {
        work.truncate(to: end - 1)
        let afterBreak = endsInEncodedBreak()
        if following.isEmpty || following.isEnd(in: bytes) || following.isBegin(in: bytes)
          || (!afterBreak && looksLikeProperty(bytes, following))
        {
          report(.danglingSoftBreak, "a soft line break is not followed by more text; the value ends there", at: Int(entry.line))
          if following.isEmpty { (run.next, run.line) = (following.next, run.line + following.breaks) }
          return run
        }
        if ASCII.isBlank(bytes[start]), endsInsideCharacter() || !hasLiteralBlank(in: bytes, valueStart, physical.end) { start += 1 }
      } else {
        if following.isEnd(in: bytes) || following.isBegin(in: bytes) { return run }
        if card.version != .v21 || !hasLiteralBlank(in: bytes, valueStart, physical.end) { start += 1 }
      }
      work.append(bytes, start, following.end)
      entry.flags.insert(.folded)
      run.hasHighBit = run.hasHighBit || following.hasHighBit
      (run.next, run.line) = (following.next, run.line + following.breaks)
    }
  }

  /// Does the text end in the first bytes of a UTF-8 character? Then a blank that follows can only come from a fold.
  private func endsInsideCharacter() -> Bool {
    var at = work.count
    var trailing = 0
    while at >= 3, trailing < 4, work[at - 3] == ASCII.equals, let high = ASCII.hexValue(work[at - 2]),
      let low = ASCII.hexValue(work[at - 1])
    {
      let byte = high << 4 | low
      if byte < 0x80 { return false }
      trailing += 1
      if byte >= 0xC0 { return trailing < (byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2) }
      at -= 3
    }
    return false
  }

  private func endsInEncodedBreak() -> Bool {
    let count = work.count
    return count >= 3 && work[count - 3] == ASCII.equals && work[count - 2] == UInt8(ascii: "0")
      && (work[count - 1] | 32 == UInt8(ascii: "a") || work[count - 1] | 32 == UInt8(ascii: "d"))
  }

  /// Writers that leave blanks as they are may break a line before one; writers that encode them indent folded lines.
  private func hasLiteralBlank(in bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    ByteSearch.firstIndex(of: ASCII.space, in: bytes, from: start, to: end) < end
  }

  private func looksLikeProperty(_ bytes: Span<UInt8>, _ line: PhysicalLine) -> Bool {
    var i = line.start
    var nameStart = i
    while i < line.end, bytes[i] != ASCII.colon, bytes[i] != ASCII.semicolon {
      let byte = bytes[i]
      if byte == ASCII.dot { nameStart = i + 1 }
      guard ASCII.uppercased(byte) == byte, ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.dash || byte == ASCII.dot else {
        return false
      }
      i += 1
    }
    guard i < line.end, i > nameStart else { return false }
    if i - nameStart > 2, bytes[nameStart] == UInt8(ascii: "X"), bytes[nameStart + 1] == ASCII.dash { return true }
    return names.number(of: bytes, nameStart, i) != 0 || Self.isWord("VERSION", bytes, nameStart, i)
  }

  /// The nested card of a 2.1 AGENT, from its BEGIN line at `start` to its END line.
  private mutating func nestedCard(_ bytes: Span<UInt8>, _ start: Int, line: Int, isFinal: Bool) -> Run? {
    var run: Run = (start, line, nil, false)
    var depth = 0
    var agent = true
    while run.next < bytes.count {
      guard let following = PhysicalLine.at(run.next, in: bytes, isFinal: isFinal) else { return nil }
      if following.isBegin(in: bytes) {
        guard agent else { return run }
        depth += 1
      } else if following.isEnd(in: bytes) {
        depth -= 1
      }
      if depth == 0, run.next == start { return run }
      agent = isEmptyAgent(bytes, following)
      (run.next, run.line) = (following.next, run.line + following.breaks)
      if depth == 0 {
        let begin = text.count
        appendValid(bytes, start, following.end)
        run.value = (base + begin, base + text.count)
        return run
      }
      if depth > limits.nesting { return run }
    }
    return isFinal ? run : nil
  }

  /// Is this the line of an AGENT whose card stands in the lines below?
  private mutating func isEmptyAgent(_ bytes: Span<UInt8>, _ line: PhysicalLine) -> Bool {
    guard line.end - line.start >= 6, bytes[line.end - 1] == ASCII.colon else { return false }
    let head = ContentLineText.head(bytes, line.start, line.end, base: 0, parameters: &parameters)
    parameters.removeLast(parameters.count - head.firstParameter)
    return head.valueStart == line.end && Self.isWord("AGENT", bytes, head.nameStart, head.nameEnd)
  }

  private mutating func appendValid(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    if UTF8Check.isValid(bytes, start, end) {
      text.append(bytes, start, end)
    } else {
      _ = decoder.decode(bytes, start, end, as: fallback, to: &text)
    }
  }

  // MARK: Decoding

  /// Quoted-printable and base64 whose head was folded: the value stands whole in `text`.
  private mutating func decodeTransfer(
    _ bytes: Span<UInt8>, _ head: inout LineHead, _ entry: inout LineEntry, _ valueEnd: inout Int, line: Int
  ) {
    guard let start = head.valueStart else { return }
    if head.isBase64 {
      entry.flags.insert(.base64)
      work.removeAll()
      copyTextToWork(start - base, valueEnd - base)
      let begin = text.count
      Self.stripBlanks(work, to: &text)
      head.valueStart = base + begin
      valueEnd = base + text.count
    } else if head.isQuotedPrintable {
      work.removeAll()
      copyTextToWork(start - base, valueEnd - base)
      decodeQuotedPrintable(bytes, &head, &entry, line: line)
      valueEnd = base + text.count
    }
  }

  private static func stripBlanks(_ source: borrowing ByteBuffer, to text: inout ByteBuffer) {
    let count = source.count
    source.withBytes { appendWithoutBlanks($0, 0, count, to: &text) }
  }

  /// Decodes the quoted-printable text in `work` into `text`, through its charset; line breaks become `\n` as 3.0 and 4.0 write them.
  private mutating func decodeQuotedPrintable(_ bytes: Span<UInt8>, _ head: inout LineHead, _ entry: inout LineEntry, line: Int) {
    let name = string(bytes, head.nameStart, head.nameEnd)
    entry.flags.insert(.quotedPrintable)
    var decoded = ByteBuffer(capacity: work.count)
    let count = work.count
    let isWhole = work.withBytes { QuotedPrintable.decode($0, 0, count, to: &decoded) }
    if !isWhole {
      report(.brokenQuotedPrintable, "an = that encodes nothing was kept as it is", at: line, property: name)
    }
    let begin = text.count
    let length = decoded.count
    var plain = ByteBuffer(capacity: length)
    let encoding = charset(bytes, head, line: line)
    if decoded.withBytes({ UTF8Check.isValid($0, 0, length) }), encoding == nil || encoding?.isUTF8 == true || isASCII(decoded) {
      Self.copy(decoded, 0, length, to: &plain)
    } else {
      let chosen = encoding ?? fallback
      let fits = decoded.withBytes { decoder.decode($0, 0, length, as: chosen.isUTF8 ? fallback : chosen, to: &plain) }
      entry.flags.insert(.mended)
      if encoding == nil || !fits || chosen.isUTF8 {
        report(
          .assumedCharset, "quoted-printable text is not UTF-8; read as \(chosen.isUTF8 ? fallback.name : chosen.name)", at: line,
          property: name)
      }
    }
    head.charset = nil
    let size = plain.count
    plain.withBytes { Self.escapeLineBreaks($0, 0, size, to: &text) }
    head.valueStart = base + begin
  }

  private func isASCII(_ buffer: borrowing ByteBuffer) -> Bool {
    let count = buffer.count
    return buffer.withBytes { bytes in
      var all: UInt8 = 0
      for i in 0..<count { all |= bytes[i] }
      return all < 0x80
    }
  }

  private static func escapeLineBreaks(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to text: inout ByteBuffer) {
    var i = start
    while i < end {
      let stop = ByteSearch.firstLineBreak(in: bytes, from: i, to: end).position
      text.append(bytes, i, stop)
      guard stop < end else { return }
      text.append("\\n")
      i = stop + (bytes[stop] == ASCII.carriageReturn && stop + 1 < end && bytes[stop + 1] == ASCII.lineFeed ? 2 : 1)
    }
  }

  /// The encoding that the line's CHARSET names; nil where there is none, or one that nobody knows (which is reported).
  private mutating func charset(_ bytes: Span<UInt8>, _ head: LineHead, line: Int) -> TextEncoding? {
    guard let place = head.charset else { return nil }
    let name = string(bytes, Int(parameters[place].valueStart), Int(parameters[place].valueEnd))
    guard let encoding = TextEncoding(named: name) else {
      report(.wrongCharset, "CHARSET=\(name) is unknown; the bytes were read as UTF-8, else as \(fallback.name)", at: line)
      return nil
    }
    return encoding
  }

  /// Text that is not quoted-printable and not plain ASCII: its CHARSET, else UTF-8, else the fallback.
  private mutating func repairCharset(
    _ bytes: Span<UInt8>, _ head: inout LineHead, _ entry: inout LineEntry, _ valueEnd: inout Int, hasHighBit: Bool, line: Int
  ) {
    if hasHighBit { entry.flags.insert(.nonASCII) }
    guard let valueStart = head.valueStart, !entry.flags.contains(.nestedCard) else { return }
    let encoding = charset(bytes, head, line: line)
    guard hasHighBit || encoding.map({ !$0.isASCIICompatible }) == true else { return }
    let isValid = isValidUTF8(bytes, valueStart, valueEnd)
    if encoding == nil || encoding?.isUTF8 == true || (isSurelyUTF8 && isValid) {
      if isValid && isValidUTF8(bytes, head.nameStart, headEnd(head)) { return }
    }
    if !isValidUTF8(bytes, head.nameStart, headEnd(head)) {
      decodeWhole(bytes, &head, &entry, &valueEnd, as: encoding.map { $0.isUTF8 ? fallback : $0 } ?? fallback, line: line)
      return
    }
    let chosen = encoding.map { $0.isUTF8 ? fallback : $0 } ?? fallback
    let begin = text.count
    let fits: Bool
    if valueStart >= base {
      work.removeAll()
      copyTextToWork(valueStart - base, valueEnd - base)
      let count = work.count
      fits = Self.decode(&decoder, work, count, as: chosen, to: &text)
    } else {
      fits = decoder.decode(bytes, valueStart, valueEnd, as: chosen, to: &text)
    }
    head.valueStart = base + begin
    valueEnd = base + text.count
    entry.flags.insert(.mended)
    if encoding == nil || encoding?.isUTF8 == true {
      reportAssumed(chosen, bytes, head, line: line)
    } else if !fits {
      report(
        .wrongCharset, "some bytes mean nothing in \(chosen.name); they became U+FFFD", at: line,
        property: string(bytes, head.nameStart, head.nameEnd))
    }
  }

  private static func decode(
    _ decoder: inout TextDecoder, _ source: borrowing ByteBuffer, _ count: Int, as encoding: TextEncoding, to text: inout ByteBuffer
  ) -> Bool {
    source.withBytes { decoder.decode($0, 0, count, as: encoding, to: &text) }
  }

  private mutating func reportAssumed(_ encoding: TextEncoding, _ bytes: Span<UInt8>, _ head: LineHead, line: Int) {
    report(
      .assumedCharset, "not UTF-8, and no CHARSET says what it is; read as \(encoding.name)", at: line,
      property: string(bytes, head.nameStart, head.nameEnd))
  }

  private func headEnd(_ head: LineHead) -> Int {
    parameters.count > head.firstParameter ? Int(parameters[parameters.count - 1].valueEnd) : head.nameEnd
  }

  private func isValidUTF8(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard start >= base else { return UTF8Check.isValid(bytes, start, min(end, bytes.count)) }
    let (from, to) = (start - base, end - base)
    return text.withBytes { UTF8Check.isValid($0, from, to) }
  }

  /// The parameters hold foreign bytes, too: decode the line whole and read its head again.
  private mutating func decodeWhole(
    _ bytes: Span<UInt8>, _ head: inout LineHead, _ entry: inout LineEntry, _ valueEnd: inout Int, as encoding: TextEncoding, line: Int
  ) {
    guard let valueStart = head.valueStart else { return }
    let begin = text.count
    let lineStart = head.groupStart
    work.removeAll()
    appendToWork(bytes, lineStart, lineStart >= base ? valueEnd : min(valueStart, bytes.count))
    if lineStart < base { appendToWork(bytes, valueStart, valueEnd) }
    let count = work.count
    _ = Self.decode(&decoder, work, count, as: encoding, to: &text)
    parameters.removeLast(parameters.count - head.firstParameter)
    let isBase64 = head.isBase64
    head = rereadHead(from: begin)
    head.isBase64 = isBase64
    if head.valueStart == nil { head.valueStart = base + text.count }
    valueEnd = base + text.count
    entry.flags.insert(.mended)
    reportAssumed(encoding, bytes, head, line: line)
  }

  private mutating func appendToWork(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    if start >= base { copyTextToWork(start - base, end - base) } else { work.append(bytes, start, end) }
  }
}

extension StringProtocol {
  /// The text with its first letter in lower case.
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
