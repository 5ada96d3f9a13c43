// Content lines that go on: base64, quoted-printable, nested cards, and lines that were broken where no line may be.

import Bytes

extension CardBuilder {
  typealias Run = (next: Int, line: Int, value: (Int, Int)?, hasHighBit: Bool)

  /// Base64 goes on in indented lines, and in unindented ones that look like nothing else; an empty line ends it.
  mutating func joinBase64(
    _ bytes: Span<UInt8>, _ physical: PhysicalLine, _ valueStart: Int, line: Int, isFinal: Bool, entry: inout LineEntry
  ) -> Run? {
    entry.flags.insert(.base64)
    var run: Run = (physical.next, line, nil, physical.hasHighBit)
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
      } else if following.mayBeBorder(in: bytes), following.isEnd(in: bytes) || following.isBegin(in: bytes) {
        break
      }
      run.hasHighBit = run.hasHighBit || following.hasHighBit
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

  static func isBase64Text(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
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

  static func appendWithoutBlanks(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to text: inout ByteBuffer) {
    var start = start
    while true {
      while start < end, ASCII.isBlank(bytes[start]) { start &+= 1 }
      guard start < end else { return }
      let stop = ByteSearch.firstIndex(of: ASCII.space, or: ASCII.tab, in: bytes, from: start, to: end)
      text.append(bytes, start, stop)
      start = stop
    }
  }

  /// Joins a quoted-printable value at its soft breaks into `work`. A line that looks like a property ends it, unless the line before
  /// ended in an encoded line break (Outlook's LABEL), and so do END and an empty line.
  mutating func joinQuotedPrintable(
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
  func endsInsideCharacter() -> Bool {
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

  func endsInEncodedBreak() -> Bool {
    let count = work.count
    return count >= 3 && work[count - 3] == ASCII.equals && work[count - 2] == UInt8(ascii: "0")
      && (work[count - 1] | 32 == UInt8(ascii: "a") || work[count - 1] | 32 == UInt8(ascii: "d"))
  }

  /// Writers that leave blanks as they are may break a line before one; writers that encode them indent folded lines.
  func hasLiteralBlank(in bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    ByteSearch.firstIndex(of: ASCII.space, in: bytes, from: start, to: end) < end
  }

  func looksLikeProperty(_ bytes: Span<UInt8>, _ line: PhysicalLine) -> Bool {
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
    return tables.names.number(of: bytes, nameStart, i) != 0 || Self.isWord("VERSION", bytes, nameStart, i)
  }

  /// The nested card of a 2.1 AGENT, from its BEGIN line at `start` to its END line.
  mutating func nestedCard(_ bytes: Span<UInt8>, _ start: Int, line: Int, isFinal: Bool) -> Run? {
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
  mutating func isEmptyAgent(_ bytes: Span<UInt8>, _ line: PhysicalLine) -> Bool {
    guard line.end - line.start >= 6, bytes[line.end - 1] == ASCII.colon else { return false }
    let head = ContentLineText.head(bytes, line.start, line.end, tables, base: 0, parameters: &parameters)
    parameters.truncate(to: head.firstParameter)
    return head.valueStart == line.end && Self.isWord("AGENT", bytes, head.nameStart, head.nameEnd)
  }

  mutating func appendValid(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    if UTF8Check.isValid(bytes, start, end) {
      text.append(bytes, start, end)
    } else {
      _ = decoder.decode(bytes, start, end, as: fallback, to: &text)
    }
  }

  /// A line without a colon: a line break that its writer did not escape. It is put back into the value before it.
  mutating func joinStrayLine(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, rawEnd: Int, line: Int) {
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
  func isCutOff(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ rawEnd: Int) -> Bool {
    guard rawEnd == bytes.count, end == bytes.count else { return false }
    var stop = start
    while stop < end, bytes[stop] != ASCII.semicolon, bytes[stop] != ASCII.colon { stop += 1 }
    return tables.names.number(of: bytes, start, stop) != 0
  }

  func excerpt(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> String {
    "\"" + bytes.text(start, min(end, start + 40)) + (end - start > 40 ? "…\"" : "\"")
  }
}
