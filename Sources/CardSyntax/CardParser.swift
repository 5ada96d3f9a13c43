// The streaming parser: bytes in, in pieces of any size; cards out, one batch or one card at a time. It does no input or output.

internal import Bytes

/// Reads vCards of all versions from bytes that arrive piece by piece. It never fails: whatever the bytes are, cards and diagnostics come
/// out, the same ones for every way of cutting the input into pieces. It holds one card, or one piece of input, in memory.
///
/// ```swift
/// var parser = CardParser()
/// parser.feed(bytes.span)
/// parser.finish()
/// while let card = parser.next() { print(card["FN"].first?.text ?? "-") }
/// ```
public struct CardParser: ~Copyable {
  private var builder: CardBuilder
  private var stream: StreamDecoder
  /// What was fed and not read yet. A batch takes it over, so that the bytes of the input are copied once.
  private var pending: [UInt8] = []
  private var decoded = ByteBuffer(capacity: 16)
  /// How many bytes a batch put behind its own at most: room for as many is made ahead.
  private var spare = 0
  /// How many bytes were fed last.
  private var fed = 0
  /// Reading is tried again when so many bytes are there: at least twice what did not suffice, so that the effort stays linear.
  private var threshold = 1
  private var isFinished = false
  private var isSkipping = false
  /// The start of the line that goes on was thrown away, since it was too long to be anything but text.
  private var isInsideLine = false
  private var line = 1
  private var cardsRead = 0
  private var current: CardBatch?
  private var position = 0
  private var outside = OutsideText()
  private var saidTranscoded = false

  private struct OutsideText {
    var line = 0, count = 0
    var hasEnd = false
    var example = ""
  }

  /// A parser. `names` gives known property names their numbers; `encoding` is what lines
  /// are in that are no UTF-8 and have no CHARSET (Windows-1252 unless another is named; a name that nobody knows counts as none);
  /// UTF-16 is the whole input's.
  public init(names: NameTable = NameTable([]), limits: Limits = Limits(), encoding: String? = nil) {
    let named = encoding.flatMap { TextEncoding(named: $0) }
    let isWide = named?.isUTF16 == true
    builder = CardBuilder(
      names: names, limits: limits, fallback: isWide ? .windows1252 : named.map { $0.isUTF8 ? .windows1252 : $0 } ?? .windows1252)
    stream = StreamDecoder(forced: isWide ? named : nil)
  }

  /// Is this the name of a character encoding that can be read?
  public static func knows(encoding name: String) -> Bool { TextEncoding(named: name) != nil }

  /// Says that the input is a part of another one: its first line and first card have these numbers there.
  package mutating func begin(line: Int, card: Int) { (self.line, cardsRead) = (line, card) }

  /// The input begins with a UTF-8 byte order mark.
  package var hadByteOrderMark: Bool { stream.hadUTF8BOM }

  /// Begins again with a part of an input that starts where a card may begin: lines and cards count from its start.
  ///
  /// `hadByteOrderMark` tells of the beginning of the input, whose bytes must be UTF-8 or an 8-bit encoding.
  package mutating func begin(hadByteOrderMark: Bool) {
    stream = StreamDecoder(passing: hadByteOrderMark)
    pending.removeAll(keepingCapacity: true)
    (threshold, isFinished, isSkipping, line, cardsRead) = (1, false, false, 1, 0)
    (current, position, outside) = (nil, 0, OutsideText())
  }

  /// How many lines have been read.
  package var linesRead: Int { line - 1 }

  /// Takes the next bytes of the input.
  public mutating func feed(_ bytes: Span<UInt8>) {
    fed = bytes.count
    if pending.capacity < pending.count + fed + spare { pending.reserveCapacity(max(room(for: pending.count), pending.capacity * 2)) }
    guard !stream.passesThrough else { return pending.append(contentsOf: bytes, 0, bytes.count) }
    stream.decode(bytes, to: &decoded)
    takeDecoded()
  }

  private mutating func takeDecoded() {
    let count = decoded.count
    decoded.withBytes { pending.append(contentsOf: $0, 0, count) }
    decoded.removeAll()
  }

  /// Says that no more bytes come.
  public mutating func finish() {
    guard !isFinished else { return }
    stream.finish(to: &decoded)
    takeDecoded()
    isFinished = true
  }

  /// The next card, nil where more bytes are needed or (after `finish`) no card is left.
  public mutating func next() -> Card? {
    while true {
      if let batch = current, position < batch.count {
        position += 1
        return batch[position - 1]
      }
      guard let batch = nextBatch() else { return nil }
      (current, position) = (batch, 0)
    }
  }

  /// The next batch of cards, perhaps without any card but with findings; nil where more bytes are needed or none are left.
  package mutating func nextBatch() -> CardBatch? {
    // Text behind the last card is told at the end, even where no byte of it is pending any more.
    guard pending.count >= threshold || isFinished && (!pending.isEmpty || outside.count > 0) else { return nil }
    let bytes = pending
    pending = []
    let used = Self.read(
      &builder, bytes.span, isFinal: isFinished, line: &line, cardsRead: cardsRead, isSkipping: &isSkipping, isInsideLine: &isInsideLine,
      outside: &outside,
      transcoded: saidTranscoded ? nil : stream.detected, isSurelyUTF8: stream.hadUTF8BOM)
    guard builder.hasBatch(used: used) else {
      if !(isFinished && used == 0) { pending = consume bytes }
      threshold = max(1, pending.count * 2)
      return nil
    }
    spare = min(max(spare, builder.text.count + builder.text.count / 8), Self.mostSpare)
    if !(isFinished && used == 0), used < bytes.count {
      if !isFinished { pending.reserveCapacity(room(for: bytes.count - used)) }
      pending.append(contentsOf: bytes.span, used, bytes.count)
    }
    threshold = max(1, pending.count * 2)
    let batch = builder.batch(consume bytes, used: used)
    cardsRead += batch.count
    if stream.detected != nil { saidTranscoded = true }
    return batch
  }

  /// A large card is no sign that others follow.
  private static var mostSpare: Int { 1 << 18 }

  /// How much room is made for what is pending and more: mostly the same for every piece of an input, so that memory given back fits the
  /// next one.
  private func room(for count: Int) -> Int { (count + fed + spare) | 0xFFFF }

  /// Reads what can be read, and gives how many bytes that were.
  private static func read(
    _ builder: inout CardBuilder, _ bytes: Span<UInt8>, isFinal: Bool, line: inout Int, cardsRead: Int,
    isSkipping: inout Bool, isInsideLine: inout Bool, outside: inout OutsideText, transcoded: String?, isSurelyUTF8: Bool
  ) -> Int {
    builder.begin(base: bytes.count, line: line, card: cardsRead)
    builder.isSurelyUTF8 = isSurelyUTF8
    if let transcoded { builder.report(.transcoded, "the input is \(transcoded); it was read as such", at: 0) }
    var (position, offset) = (0, 0)
    let count = bytes.count
    while position < count {
      guard let physical = PhysicalLine.at(position, in: bytes, isFinal: isFinal) else {
        // No line that begins or ends a card is that long.
        if count - position > (isSkipping ? 4096 : builder.limits.card) { (position, isInsideLine) = (count, true) }
        break
      }
      if isInsideLine {
        (position, offset, isInsideLine) = (physical.next, offset + physical.breaks, false)
        continue
      }
      if !physical.isBegin(in: bytes) {
        if isSkipping {
          if physical.isEnd(in: bytes) { isSkipping = false }
        } else if !physical.isBlank(in: bytes) {
          note(physical, in: bytes, line: offset, &outside, &builder)
        }
        (position, offset) = (physical.next, offset + physical.breaks)
        continue
      }
      isSkipping = false
      report(&outside, &builder)
      switch builder.readCard(bytes, begin: physical, line: offset, isFinal: isFinal) {
      case .used(let next, let nextLine):
        (position, offset) = (next, nextLine)
        continue
      case .incomplete:
        if count - position > builder.limits.card {
          builder.report(.cardTooLong, "beyond the limit (see `vcard help limits`); the card was left out", at: offset, leftOut: true)
          isSkipping = true
          (position, offset) = skipped(bytes, position, offset)
        }
      }
      break
    }
    if isFinal { report(&outside, &builder) }
    line += offset
    return position
  }

  /// To the start of the last physical line that is there.
  private static func skipped(_ bytes: Span<UInt8>, _ start: Int, _ line: Int) -> (Int, Int) {
    var (position, line) = (start, line)
    while let physical = PhysicalLine.at(position, in: bytes, isFinal: false) { (position, line) = (physical.next, line + physical.breaks) }
    return (position, line)
  }

  private static func note(
    _ physical: PhysicalLine, in bytes: Span<UInt8>, line: Int, _ outside: inout OutsideText, _ builder: inout CardBuilder
  ) {
    if physical.isEnd(in: bytes) {
      report(&outside, &builder)
      builder.report(.missingBegin, "END:VCARD without BEGIN:VCARD; there is no card to end", at: line)
      return
    }
    if outside.count == 0 {
      outside.line = builder.firstPhysicalLine + line
      outside.example = bytes.text(physical.start, min(physical.end, physical.start + 40))
    }
    outside.count += 1
  }

  private static func report(_ outside: inout OutsideText, _ builder: inout CardBuilder) {
    guard outside.count > 0 else { return }
    let lines = outside.count == 1 ? "a line" : "\(outside.count) lines"
    builder.report(
      .textOutside, "\(lines) outside any card; no part of a contact: \"\(outside.example)\"", at: outside.line - builder.firstPhysicalLine)
    outside = OutsideText()
  }
}

extension CardBuilder {
  /// Empties the tables for the next batch.
  mutating func begin(base: Int, line: Int, card: Int) {
    lines.removeAll()
    parameters.removeAll()
    cards.removeAll(keepingCapacity: true)
    diagnostics.removeAll(keepingCapacity: true)
    text.removeAll()
    self.base = base
    firstPhysicalLine = line
    firstCard = card
  }

  /// Was anything read from the first `used` bytes?
  func hasBatch(used: Int) -> Bool { used > 0 || !cards.isEmpty || !diagnostics.isEmpty }

  /// The batch of what was read; `bytes` are the raw ones.
  mutating func batch(_ bytes: consuming [UInt8], used: Int) -> CardBatch {
    text.withBytes { bytes.append(contentsOf: $0, 0, $0.count) }
    text.removeAll()
    text.releaseSpare()
    return CardBatch(
      bytes: bytes, lines: lines.array(), parameters: parameters.array(), cards: cards, diagnostics: diagnostics,
      firstPhysicalLine: firstPhysicalLine,
      firstCard: firstCard, inputEnd: used, numbering: numbering)
  }
}
