// From the bytes of a value to its text: quoted-printable, charsets, and what is in no charset that anybody named.

import Bytes

extension CardBuilder {
  /// Quoted-printable and base64 whose head was folded: the value stands whole in `text`.
  mutating func decodeTransfer(
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

  static func stripBlanks(_ source: borrowing ByteBuffer, to text: inout ByteBuffer) {
    let count = source.count
    source.withBytes { appendWithoutBlanks($0, 0, count, to: &text) }
  }

  /// Decodes the quoted-printable text in `work` into `text`, through its charset; line breaks become `\n` as 3.0 and 4.0 write them.
  mutating func decodeQuotedPrintable(_ bytes: Span<UInt8>, _ head: inout LineHead, _ entry: inout LineEntry, line: Int) {
    entry.flags.insert(.quotedPrintable)
    let begin = text.count
    let isWhole = Self.decode(work, to: &text)
    if !isWhole {
      report(
        .brokenQuotedPrintable, "an = that encodes nothing was kept as it is", at: line,
        property: string(bytes, head.nameStart, head.nameEnd))
    }
    let encoding = charset(bytes, head, line: line)
    let end = text.count
    let isText =
      text.withBytes { UTF8Check.isValid($0, begin, end) } && (encoding == nil || encoding?.isUTF8 == true || isASCII(from: begin))
    if !isText || text.withBytes({ ByteSearch.firstLineBreak(in: $0, from: begin, to: end).position }) < end {
      // What was decoded is no text yet: it goes once more through the buffers.
      work.removeAll()
      copyTextToWork(begin, end)
      text.truncate(to: begin)
      if !isText { readCharset(encoding, bytes, head, &entry, line: line) }
      let size = work.count
      work.withBytes { Self.escapeLineBreaks($0, 0, size, to: &text) }
    }
    head.charset = nil
    head.valueStart = base + begin
  }

  private static func decode(_ work: borrowing ByteBuffer, to text: inout ByteBuffer) -> Bool {
    work.withBytes { QuotedPrintable.decode($0, 0, $0.count, to: &text) }
  }

  /// Reads the bytes in `work`, which are no UTF-8 or said to be none, in their charset.
  private mutating func readCharset(
    _ encoding: TextEncoding?, _ bytes: Span<UInt8>, _ head: LineHead, _ entry: inout LineEntry, line: Int
  ) {
    let chosen = encoding ?? fallback
    var plain = ByteBuffer(capacity: work.count)
    let fits = Self.decode(&decoder, work, work.count, as: chosen.isUTF8 ? fallback : chosen, to: &plain)
    swap(&work, &plain)
    entry.flags.insert(.mended)
    guard encoding == nil || !fits || chosen.isUTF8 else { return }
    report(
      .assumedCharset, "quoted-printable text is not UTF-8; read as \(chosen.isUTF8 ? fallback.name : chosen.name)", at: line,
      property: string(bytes, head.nameStart, head.nameEnd))
  }

  private func isASCII(from begin: Int) -> Bool {
    let end = text.count
    return text.withBytes { ByteSearch.firstHighBit(in: $0, from: begin, to: end) } == end
  }

  static func escapeLineBreaks(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to text: inout ByteBuffer) {
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
  mutating func charset(_ bytes: Span<UInt8>, _ head: LineHead, line: Int) -> TextEncoding? {
    guard let place = head.charset else { return nil }
    if Self.isUTF8Name(bytes, parameters[place]) { return .utf8 }
    let name = string(bytes, Int(parameters[place].valueStart), Int(parameters[place].valueEnd))
    guard let encoding = TextEncoding(named: name) else {
      report(.wrongCharset, "CHARSET=\(name) is unknown; the bytes were read as UTF-8, else as \(fallback.name)", at: line)
      return nil
    }
    return encoding
  }

  /// The name that nearly every CHARSET has. (A parameter that was unfolded is not in `bytes`, and is looked at in full.)
  private static func isUTF8Name(_ bytes: Span<UInt8>, _ entry: ParameterEntry) -> Bool {
    let end = Int(entry.valueEnd)
    return end - Int(entry.valueStart) == 5 && end <= bytes.count && isWord("UTF-8", bytes, Int(entry.valueStart), end)
  }

  /// Text that is not quoted-printable and not plain ASCII: its CHARSET, else UTF-8, else the fallback.
  mutating func repairCharset(
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

  static func decode(
    _ decoder: inout TextDecoder, _ source: borrowing ByteBuffer, _ count: Int, as encoding: TextEncoding, to text: inout ByteBuffer
  ) -> Bool {
    source.withBytes { decoder.decode($0, 0, count, as: encoding, to: &text) }
  }

  mutating func reportAssumed(_ encoding: TextEncoding, _ bytes: Span<UInt8>, _ head: LineHead, line: Int) {
    report(
      .assumedCharset, "not UTF-8, and no CHARSET says what it is; read as \(encoding.name)", at: line,
      property: string(bytes, head.nameStart, head.nameEnd))
  }

  func headEnd(_ head: LineHead) -> Int {
    parameters.count > head.firstParameter ? Int(parameters[parameters.count - 1].valueEnd) : head.nameEnd
  }

  func isValidUTF8(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard start >= base else { return UTF8Check.isValid(bytes, start, min(end, bytes.count)) }
    let (from, to) = (start - base, end - base)
    return text.withBytes { UTF8Check.isValid($0, from, to) }
  }

  /// The parameters hold foreign bytes, too: decode the line whole and read its head again.
  mutating func decodeWhole(
    _ bytes: Span<UInt8>, _ head: inout LineHead, _ entry: inout LineEntry, _ valueEnd: inout Int, as encoding: TextEncoding, line: Int
  ) {
    guard let valueStart = head.valueStart else { return }
    let begin = text.count
    let lineStart = head.groupStart
    work.removeAll()
    appendToWork(bytes, lineStart, head.end)
    appendToWork(bytes, valueStart, valueEnd)
    let count = work.count
    _ = Self.decode(&decoder, work, count, as: encoding, to: &text)
    parameters.truncate(to: head.firstParameter)
    let isBase64 = head.isBase64
    (head, entry.head) = rereadHead(from: begin)
    head.isBase64 = isBase64
    if head.valueStart == nil { head.valueStart = base + text.count }
    valueEnd = base + text.count
    entry.flags.insert(.mended)
    reportAssumed(encoding, bytes, head, line: line)
  }

  mutating func appendToWork(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    if start >= base { copyTextToWork(start - base, end - base) } else { work.append(bytes, start, end) }
  }
}
