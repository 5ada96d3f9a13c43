// Reads cards from bytes into tables: finds their ends, unfolds and transfer-decodes their lines.

import Bytes

/// The tables of a batch while they are being filled. All reading is total: whatever the bytes are, lines and findings come out.
struct CardBuilder: ~Copyable {
  let tables: HeadTables
  let limits: Limits
  let fallback: TextEncoding
  /// The stream began with a UTF-8 BOM, so that CHARSET labels on plain text are wrong.
  var isSurelyUTF8 = false
  var lines = Tape<LineEntry>(capacity: 1024)
  var parameters = Tape<ParameterEntry>(capacity: 1024)
  var cards: [CardEntry] = []
  var diagnostics: [Diagnostic] = []
  /// Unfolded and decoded text; its offsets begin behind the raw bytes.
  var text = ByteBuffer(capacity: 1 << 16)
  var work = ByteBuffer()
  var decoder = TextDecoder()
  private var templates = HeadTemplates()
  let numbering = HeadNumbering()
  /// Where offsets into `text` begin.
  var base = 0
  /// The physical line (from 1) of the first byte.
  var firstPhysicalLine = 1
  var firstCard = 0
  var card = CardEntry()

  init(names: NameTable, limits: Limits, fallback: TextEncoding) {
    tables = HeadTables(names)
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
      if physical.mayBeginOrEnd(in: bytes) {
        if physical.isEnd(in: bytes) {
          if physical.says("END:VCARD", in: bytes).hasMore {
            report(.trailingText, "text after END:VCARD left out", at: line, leftOut: true)
          }
          position = physical.next
          line += physical.breaks
          break
        }
        if physical.isBegin(in: bytes) {
          report(.missingEnd, "a card begins inside this one, which has no END:VCARD; what is there was taken", at: line)
          break
        }
      }
      if physical.isEmpty || bytes[position] <= ASCII.space, physical.isBlank(in: bytes) {
        position = physical.next
        line += physical.breaks
        continue
      }
      let head = templates.number(bytes, position, physical.end)
      let isSimple = head > 0 && templates.isSimple(head)
      if isSimple, readSimpleLine(bytes, physical, head: head, line: line, isFinal: isFinal) {
        position = physical.next
        line &+= physical.breaks
      } else {
        let folded = isSimple ? readFoldedLine(bytes, physical, head: head, line: line, isFinal: isFinal) : nil
        guard let next = folded ?? readLine(bytes, physical, head: head, line: line, isFinal: isFinal) else {
          undo(to: saved)
          return .incomplete
        }
        (position, line) = next
      }
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

  mutating func undo(to saved: (Int, Int, Int, Int)) {
    lines.truncate(to: saved.0)
    parameters.truncate(to: saved.1)
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
  mutating func findVersion(_ bytes: Span<UInt8>, from start: Int, line startLine: Int, isFinal: Bool) {
    var position = start
    var line = startLine
    var looksOld = false
    var nested = 0
    var agent = false
    if let version = Self.version(bytes, start) {
      card.version = version
      card.declared = version
      return
    }
    while position < bytes.count, let physical = PhysicalLine.at(position, in: bytes, isFinal: isFinal) {
      if physical.isEnd(in: bytes) {
        if nested == 0 { break }
        nested -= 1
      } else if physical.isBegin(in: bytes) {
        if !agent { break }
        nested += 1
      } else if nested == 0, physical.end - physical.start >= 8 {
        let found = ContentLineText.head(bytes, physical.start, physical.end, tables, base: 0, parameters: &parameters)
        var wasBare = false
        for place in found.firstParameter..<parameters.count where parameters[place].isBare { wasBare = true }
        parameters.truncate(to: found.firstParameter)
        if found.isQuotedPrintable || wasBare { looksOld = true }
        if let value = found.valueStart, Self.isWord("VERSION", bytes, found.nameStart, found.nameEnd) {
          let text = bytes.text(value, physical.end)
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

  /// The version in a line that is just `VERSION:4.0`; nil for any other line.
  private static func version(_ bytes: Span<UInt8>, _ start: Int) -> CardVersion? {
    guard start + 12 < bytes.count, Words.uppercased(Words.load(bytes, start)) == 0x3A4E_4F49_5352_4556,
      bytes[start + 9] == ASCII.dot, bytes[start + 11] == ASCII.carriageReturn || bytes[start + 11] == ASCII.lineFeed
    else { return nil }
    switch (bytes[start + 8], bytes[start + 10]) {
    case (UInt8(ascii: "4"), UInt8(ascii: "0")): return .v40
    case (UInt8(ascii: "3"), UInt8(ascii: "0")): return .v30
    case (UInt8(ascii: "2"), UInt8(ascii: "1")): return .v21
    default: return nil
    }
  }

  static func isWord(_ word: StaticString, _ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard end - start == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { letters in
      for k in 0..<letters.count where unsafe ASCII.uppercased(bytes[start + k]) != letters[k] { return false }
      return true
    }
  }

  // MARK: Lines

  /// Reads the line in `physical`, whose head is simple; false, and nothing done, where something has to be undone or mended, or where the
  /// line may go on.
  @inline(__always)
  private mutating func readSimpleLine(_ bytes: Span<UInt8>, _ physical: PhysicalLine, head: Int, line: Int, isFinal: Bool) -> Bool {
    let (start, end, next) = (physical.start, physical.end, physical.next)
    guard next < bytes.count ? !ASCII.isBlank(bytes[next]) : isFinal else { return false }
    guard !physical.hasHighBit || UTF8Check.isValid(bytes, start, end) else { return false }
    var entry = templates.entry(head, start, end, parameters: &parameters)
    append(&entry, physical, line: line, rawEnd: next, hasHighBit: physical.hasHighBit)
    return true
  }

  /// Reads the line that begins with `physical`, whose head is simple and whose value is folded; nil, and nothing done, where it is not,
  /// where something has to be mended, or where the line may go on behind the bytes.
  private mutating func readFoldedLine(
    _ bytes: Span<UInt8>, _ physical: PhysicalLine, head: Int, line: Int, isFinal: Bool
  ) -> (Int, line: Int)? {
    guard physical.next < bytes.count, ASCII.isBlank(bytes[physical.next]) else { return nil }
    let (start, valueStart) = (physical.start, physical.start &+ templates.length(head))
    let (version, after) = (card.version, line &+ physical.breaks)
    guard let run = Folding.unfold(bytes, valueStart, physical, version: version, line: after, isFinal: isFinal, to: &text)
    else { return nil }
    let (textStart, textEnd) = (base &+ run.start, base &+ text.count)
    let hasHighBit = physical.hasHighBit || run.hasHighBit
    if hasHighBit, !isValidUTF8(bytes, textStart, textEnd) || !UTF8Check.isValid(bytes, start, valueStart) {
      text.truncate(to: run.start)
      return nil
    }
    var entry = templates.entry(head, start, textEnd, parameters: &parameters)
    entry.valueStart = UInt32(truncatingIfNeeded: textStart)
    entry.flags.insert(run.flags)
    append(&entry, physical, line: line, rawEnd: run.next, hasHighBit: hasHighBit)
    return (run.next, run.line)
  }

  /// Puts a line whose head is simple at the end of the table; it begins with `physical` and ends before `rawEnd`.
  @inline(__always)
  private mutating func append(_ entry: inout LineEntry, _ physical: PhysicalLine, line: Int, rawEnd: Int, hasHighBit: Bool) {
    entry.rawEnd = UInt32(truncatingIfNeeded: rawEnd)
    entry.line = UInt32(truncatingIfNeeded: line)
    if hasHighBit { entry.flags.insert(.nonASCII) }
    noteForm(of: physical, in: &entry)
    lines.append(entry)
  }

  /// Notes how a physical line differs from one that a writer makes.
  @inline(__always)
  private func noteForm(of physical: PhysicalLine, in entry: inout LineEntry) {
    if physical.end &- physical.start > 75 { entry.flags.insert(.longLine) }
    if physical.next &- physical.end != 2 { entry.flags.insert(.bareLineBreak) }
  }

  /// Reads the content line that begins with `physical`, whose head has the number `head` (0 where it has none yet); gives where the next begins, nil where it may go on behind the bytes.
  mutating func readLine(_ bytes: Span<UInt8>, _ physical: PhysicalLine, head known: Int, line: Int, isFinal: Bool) -> (Int, line: Int)? {
    let next = physical.next
    guard next < bytes.count || isFinal else { return nil }
    let start = physical.start
    var entry = LineEntry()
    var head: LineHead
    (head, entry.head) = templates.head(bytes, start, physical.end, known: known, tables, base: 0, parameters: &parameters)
    entry.rawStart = UInt32(truncatingIfNeeded: start)
    entry.line = UInt32(truncatingIfNeeded: line)
    noteForm(of: physical, in: &entry)
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
        hasHighBit = hasHighBit || run.hasHighBit
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
      parameters.truncate(to: head.firstParameter)
      guard let run = Folding.unfold(bytes, start, physical, version: card.version, line: lineAfter, isFinal: isFinal, to: &text)
      else { return nil }
      position = run.next
      lineAfter = run.line
      hasHighBit = hasHighBit || run.hasHighBit
      entry.flags.insert(run.flags)
      valueEnd = base + text.count
      (head, entry.head) = rereadHead(from: run.start)
      if head.valueStart != nil { decodeTransfer(bytes, &head, &entry, &valueEnd, line: line) }
    }
    entry.rawEnd = UInt32(truncatingIfNeeded: position)
    guard head.valueStart != nil else {
      parameters.truncate(to: head.firstParameter)
      joinStrayLine(bytes, physical.start, physical.end, rawEnd: position, line: line)
      return (position, lineAfter)
    }
    if head.charset != nil || hasHighBit {
      repairCharset(bytes, &head, &entry, &valueEnd, hasHighBit: hasHighBit, line: line)
    }
    finish(entry, head, valueEnd, bytes)
    return (position, lineAfter)
  }

  /// Puts the line at the end of the table.
  private mutating func finish(_ line: LineEntry, _ head: LineHead, _ valueEnd: Int, _ bytes: Span<UInt8>) {
    var entry = LineEntry(
      head, valueEnd: valueEnd, parameters: parameters, isVersion: isVersion(head, bytes))
    entry.rawStart = line.rawStart
    entry.rawEnd = line.rawEnd
    entry.line = line.line
    entry.head = line.head
    entry.flags.formUnion(line.flags)
    if !head.faults.isEmpty {
      let name = string(bytes, head.nameStart, head.nameEnd)
      for rule in head.faults.rules {
        report(rule, "\(rule.summary.dropLast().lowercasedFirst); its meaning was taken", at: Int(line.line), property: name)
      }
    }
    lines.append(entry)
  }

  private func isVersion(_ head: LineHead, _ bytes: Span<UInt8>) -> Bool {
    head.nameStart < base ? head.isVersion(bytes, base: 0) : text.withBytes { head.isVersion($0, base: base) }
  }

  func string(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> String {
    if start >= base {
      let (from, to) = (start - base, end - base)
      return text.withBytes { $0.text(from, to) }
    }
    return bytes.text(start, end)
  }

  mutating func rereadHead(from start: Int) -> (LineHead, number: UInt16) {
    Self.head(text, start, &templates, tables, base: base, parameters: &parameters)
  }

  private static func head(
    _ text: borrowing ByteBuffer, _ start: Int, _ templates: inout HeadTemplates, _ tables: borrowing HeadTables, base: Int,
    parameters: inout Tape<ParameterEntry>
  ) -> (LineHead, number: UInt16) {
    let end = text.count
    return text.withBytes { templates.head($0, start, end, tables, base: base, parameters: &parameters) }
  }

  mutating func copyToText(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    if start >= base {
      work.removeAll()
      let (from, to) = (start - base, end - base)
      copyTextToWork(from, to)
      copyWorkToText()
    } else {
      text.append(bytes, start, end)
    }
  }

  mutating func copyTextToWork(_ start: Int, _ end: Int) { Self.copy(text, start, end, to: &work) }
  mutating func copyWorkToText() { Self.copy(work, 0, work.count, to: &text) }

  static func copy(_ source: borrowing ByteBuffer, _ start: Int, _ end: Int, to target: inout ByteBuffer) {
    source.withBytes { target.append($0, start, end) }
  }
}

extension LineHead {
  /// Is it the head of a VERSION line, in a table of names that does not have it?
  func isVersion(_ bytes: Span<UInt8>, base: Int) -> Bool {
    number == 0 && CardBuilder.isWord("VERSION", bytes, nameStart - base, nameEnd - base)
  }
}

extension LineEntry {
  /// What a head says of its line; where the line stands is not said.
  init(_ head: LineHead, valueEnd: Int, parameters: borrowing Tape<ParameterEntry>, isVersion: Bool) {
    groupStart = UInt32(truncatingIfNeeded: head.groupStart)
    groupEnd = UInt32(truncatingIfNeeded: head.groupEnd)
    nameStart = UInt32(truncatingIfNeeded: head.nameStart)
    nameEnd = UInt32(truncatingIfNeeded: head.nameEnd)
    valueStart = UInt32(truncatingIfNeeded: head.valueStart ?? valueEnd)
    self.valueEnd = UInt32(truncatingIfNeeded: valueEnd)
    firstParameter = UInt32(truncatingIfNeeded: head.firstParameter)
    parameterCount = UInt32(truncatingIfNeeded: parameters.count - head.firstParameter)
    for place in head.firstParameter..<parameters.count { known.insert(parameters[place].known) }
    number = head.number
    if head.isOdd { flags.insert(.oddParameters) }
    if isVersion { flags.insert(.version) }
  }
}

extension StringProtocol {
  /// The text with its first letter in lower case.
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
