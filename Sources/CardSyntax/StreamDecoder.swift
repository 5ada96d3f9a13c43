// Whole streams that are not UTF-8, or begin with a byte order mark, made into UTF-8 before they are parsed.
package import Bytes

/// Turns a stream of unknown encoding into one that can be parsed as UTF-8: UTF-16 is transcoded, a byte order mark dropped.
///
/// All else passes unchanged, because the encoding of 8-bit text is a matter of each line (its CHARSET, or its bytes): the parser's.
/// It has one owner, who may hand it to another thread but not share it; so the unchecked `Sendable` holds.
package struct StreamDecoder: ~Copyable, @unchecked Sendable {
  private let forced: TextEncoding?
  private var mode = Mode.opening
  /// The first bytes until the mode is known; later a character cut off by the end of a chunk.
  private var held: [UInt8] = []
  private var units = UTF16Units(bigEndian: false)
  private var converter: Iconv?

  /// What is done with the bytes.
  private enum Mode: Equatable { case opening, passing, utf8, utf16, foreign, codePage(CodePage) }

  /// The name of what was transcoded, nil while it is unknown and when the bytes pass unchanged.
  package private(set) var detected: String?
  /// The stream began with a UTF-8 byte order mark.
  package private(set) var hadUTF8BOM = false

  /// True when bytes without a meaning in the encoding of the stream became U+FFFD.
  package private(set) var repaired = false

  /// A decoder at the start of a stream; `forced` is the encoding that somebody knows it has.
  ///
  /// A forced encoding is believed: the whole stream is transcoded with it (ASCII passes, and its 8-bit lines are left to the parser).
  package init(forced: TextEncoding? = nil) { self.forced = forced }

  /// A decoder for the middle of a stream whose bytes pass unchanged; `hadMark` tells of its beginning.
  package init(passing hadMark: Bool) {
    forced = nil
    mode = .passing
    hadUTF8BOM = hadMark
  }

  /// True from where on the bytes pass unchanged: a caller may use its chunks as they are.
  package var passesThrough: Bool { mode == .passing }

  /// Takes the next chunk of the stream and adds what it gives.
  package mutating func decode(_ chunk: Span<UInt8>, to buffer: inout ByteBuffer) {
    guard mode == .opening else { return transcode(chunk, 0, chunk.count, to: &buffer) }
    let taken = min(64 - held.count, chunk.count)
    for index in 0..<taken { held.append(chunk[index]) }
    guard let skip = open(last: false) else { return }
    begin(skipping: skip, to: &buffer)
    transcode(chunk, taken, chunk.count, to: &buffer)
  }

  /// Ends the stream and adds what was held back.
  package mutating func finish(to buffer: inout ByteBuffer) {
    if mode == .opening, let skip = open(last: true) { begin(skipping: skip, to: &buffer) }
    switch mode {
    case .opening, .passing, .codePage: break
    case .utf16: if !units.finish(to: &buffer) { repaired = true }
    case .utf8:
      if !held.isEmpty {
        repaired = true
        UTF8Check.appendRepaired(held.span, 0, held.count, to: &buffer)
      }
    case .foreign:
      if let converter, !converter.convert(held.span, 0, held.count, last: true, to: &buffer).clean { repaired = true }
    }
    held = []
  }

  /// Sends the first bytes on their way, without `skip` of them.
  private mutating func begin(skipping skip: Int, to buffer: inout ByteBuffer) {
    let first = held
    held = []
    transcode(first.span, skip, first.count, to: &buffer)
  }

  /// Finds the mode from the first bytes: how many of them are a byte order mark, nil when there are too few to know.
  private mutating func open(last: Bool) -> Int? {
    let first = held
    let count = first.count
    if let forced {
      switch forced.kind {
      case .ascii: mode = .passing
      case .codePage(let page): mode = .codePage(page)
      case .foreign:
        converter = Iconv(from: forced.name)
        mode = converter == nil ? .passing : .foreign
      case .utf8:
        if count < 3 && !last && Self.utf8Mark.starts(with: first) { return nil }
        mode = .utf8
      case .utf16, .utf16LittleEndian, .utf16BigEndian:
        if count < 64 && !last { return nil }
        mode = .utf16
      }
      if mode != .passing { detected = forced.name }
      guard mode == .utf16 else { return mode == .utf8 && first.starts(with: Self.utf8Mark) ? 3 : 0 }
      let (opened, skip) = UTF16Units.opened(forced.kind, first.span, 0, count)
      units = opened
      return skip
    }
    if first.starts(with: Self.utf8Mark) {
      mode = .passing
      hadUTF8BOM = true
      return 3
    }
    if !last && (count < 2 || count < 3 && Self.utf8Mark.starts(with: first)) { return nil }
    if first.starts(with: [0xFF, 0xFE]) { return openUTF16(.utf16LittleEndian, skip: 2) }
    if first.starts(with: [0xFE, 0xFF]) { return openUTF16(.utf16BigEndian, skip: 2) }
    // Without a mark, UTF-16 is told by the zero bytes of its ASCII characters, the first one among them.
    if count >= 2 && (first[0] == 0) != (first[1] == 0) {
      if count < 64 && !last { return nil }
      let zeros = UTF16Units.zeroCounts(first.span, 0, count)
      let (more, fewer) = (max(zeros.even, zeros.odd), min(zeros.even, zeros.odd))
      if count >= 4 && more * 4 >= count / 2 * 3 && fewer * 8 <= count / 2 {
        return openUTF16(zeros.odd > zeros.even ? .utf16LittleEndian : .utf16BigEndian, skip: 0)
      }
    }
    mode = .passing
    return 0
  }

  /// The UTF-8 byte order mark.
  private static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Chooses UTF-16.
  private mutating func openUTF16(_ encoding: TextEncoding, skip: Int) -> Int {
    mode = .utf16
    units = UTF16Units(bigEndian: encoding == .utf16BigEndian)
    detected = encoding.name
    return skip
  }

  /// Adds a piece of the stream in the mode that was found.
  private mutating func transcode(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to buffer: inout ByteBuffer) {
    guard start < end else { return }
    switch mode {
    case .opening, .passing: buffer.append(bytes, start, end)
    case .codePage(let page): if !page.decode(bytes, start, end, to: &buffer) { repaired = true }
    case .utf16: if !units.decode(bytes, start, end, to: &buffer) { repaired = true }
    case .utf8, .foreign:
      if held.isEmpty { return transcodeWhole(bytes, start, end, to: &buffer) }
      var joined = ByteBuffer(capacity: held.count + end - start)
      joined.append(held)
      joined.append(bytes, start, end)
      held = []
      joined.withBytes { transcodeWhole($0, 0, $0.count, to: &buffer) }
    }
  }

  /// Adds the whole characters of a piece and holds what is cut off.
  private mutating func transcodeWhole(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to buffer: inout ByteBuffer) {
    var position = end
    if let converter {
      let (consumed, clean) = converter.convert(bytes, start, end, last: false, to: &buffer)
      if !clean { repaired = true }
      position = start + consumed
    } else {
      position = UTF8Check.wholeCharacters(bytes, start, end)
      let length = buffer.count
      UTF8Check.appendRepaired(bytes, start, position, to: &buffer)
      if buffer.count - length != position - start || !UTF8Check.isValid(bytes, start, position) { repaired = true }
    }
    for index in position..<end { held.append(bytes[index]) }
  }
}
