// Contacts from LDIF text: entries of attributes, folded lines, base64 (RFC 2849).

internal import Bytes
internal import CardSyntax

/// Reads contacts from LDIF text that arrives piece by piece.
struct LDIFSource: ~Copyable {
  private var stream: StreamDecoder
  private let encoding: TextEncoding
  private var decoded = ByteBuffer(capacity: 1 << 16)
  /// The text behind the last entry, the line that is being put together, and what has been read of the entry.
  private var text = ByteBuffer(capacity: 1 << 16)
  private var cursor = 0
  private var line = 0
  private var logical: [UInt8] = []
  private var logicalLine = 0
  private var isTooLong = false
  private let limits = Limits()
  private var entry: [(name: String, value: String, bytes: [UInt8])] = []
  private var entryLine = 0
  private var findings: [Diagnostic] = []
  private var isFinished = false
  private var decoder = TextDecoder()
  private var saidCharset = false
  private var reader: SheetRowReader?

  init(encoding: String?) {
    let named = encoding.flatMap { TextEncoding(named: $0) }
    stream = StreamDecoder(forced: named?.isUTF16 == true ? named : nil)
    self.encoding = named.map { $0.isUTF8 || $0.isUTF16 ? .windows1252 : $0 } ?? .windows1252
  }

  /// Do these bytes begin with `dn:`, behind a version line, comments and blank lines?
  static func hasEntry(_ bytes: Span<UInt8>) -> Bool {
    let count = min(bytes.count, 4096)
    var line: [UInt8] = []
    for i in 0...count {
      guard i == count || bytes[i] == ASCII.lineFeed else {
        line.append(bytes[i])
        continue
      }
      let text = String(decoding: line, as: UTF8.self).lowercased()
      line = []
      if text.hasPrefix("dn:") || text.hasPrefix("\u{FEFF}dn:") { return true }
      let isPassed = text.hasPrefix("version:") || text.hasPrefix("#") || text.allSatisfy(\.isWhitespace)
      if !isPassed { return false }
    }
    return false
  }

  mutating func feed(_ bytes: Span<UInt8>) {
    stream.decode(bytes, to: &decoded)
    pass()
  }

  mutating func finish() {
    stream.finish(to: &decoded)
    pass()
    isFinished = true
  }

  private mutating func pass() {
    if cursor > 0, cursor >= text.count - cursor {
      text.removeFirst(cursor)
      cursor = 0
    }
    decoded.withBytes { text.append($0) }
    decoded.removeAll()
  }

  mutating func takeFindings() -> [Diagnostic] {
    defer { findings = [] }
    return findings
  }

  /// Reads the next entry; false where more bytes are needed or none is left.
  mutating func next(into record: inout Record) -> Bool {
    while let end = lineEnd() {
      let start = cursor
      var physical = text.withBytes { bytes in (start..<end).map { bytes[$0] } }
      cursor = min(end + 1, text.count)
      if physical.last == ASCII.carriageReturn { physical.removeLast() }
      line += 1
      // A line that begins with a blank goes on with the one above.
      if let first = physical.first, first == ASCII.space, !logical.isEmpty {
        if logical.count + physical.count <= limits.contentLine {
          logical += physical.dropFirst()
        } else if !isTooLong {
          isTooLong = true
          findings.append(
            Diagnostic(.dataSyntax, "an attribute is larger than the limit; it was cut off", line: logicalLine, leftOut: true))
        }
        continue
      }
      takeLogicalLine()
      if physical.isEmpty {
        if takeEntry(into: &record) { return true }
        continue
      }
      (logical, logicalLine, isTooLong) = (physical, line, false)
    }
    guard isFinished else { return false }
    takeLogicalLine()
    return takeEntry(into: &record)
  }

  /// Where the next line ends; nil where its end has not come yet.
  private func lineEnd() -> Int? {
    guard cursor < text.count else { return nil }
    let end = text.withBytes { ByteSearch.firstIndex(of: ASCII.lineFeed, in: $0, from: cursor, to: $0.count) }
    return end < text.count || isFinished ? end : nil
  }

  private mutating func takeLogicalLine() {
    guard let first = logical.first else { return }
    defer { logical = [] }
    if first == UInt8(ascii: "#") { return }
    guard let colon = logical.firstIndex(of: ASCII.colon), colon > 0 else {
      findings.append(Diagnostic(.dataSyntax, "a line without a colon is no attribute; left out", line: logicalLine, leftOut: true))
      return
    }
    if entry.isEmpty { entryLine = logicalLine }
    // Options behind the name, as in `cn;lang-ja`, are passed over.
    let name = String(decoding: logical[..<colon].prefix { $0 != ASCII.semicolon }, as: UTF8.self).lowercased()
    var value = logical[(colon + 1)...]
    let kind = value.first
    if kind == ASCII.colon || kind == UInt8(ascii: "<") { value = value.dropFirst() }
    value = value.drop { $0 == ASCII.space }
    if kind == UInt8(ascii: "<") {
      findings.append(
        Diagnostic(
          .dataSyntax, "\(name) stands in another file, which is not opened; left out", line: logicalLine, severity: .warning, leftOut: true
        ))
      return
    }
    var bytes = Array(value)
    if kind == ASCII.colon {
      var output = ByteBuffer(capacity: bytes.count)
      let source = bytes
      if !Base64.decode(source.span, 0, source.count, to: &output) {
        findings.append(Diagnostic(.base64, "\(name) has damaged base64; what could be read was taken", line: logicalLine))
      }
      bytes = output.array()
    }
    guard entry.count < limits.properties else { return }
    entry.append((name, plainText(bytes), bytes))
  }

  private mutating func plainText(_ bytes: [UInt8]) -> String {
    if UTF8Check.isValid(bytes.span, 0, bytes.count) { return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n") }
    if !saidCharset {
      saidCharset = true
      findings.append(Diagnostic(.assumedCharset, "text is no UTF-8; it was read as \(encoding.name), here and below", line: logicalLine))
    }
    var output = ByteBuffer(capacity: bytes.count * 2)
    _ = decoder.decode(bytes.span, 0, bytes.count, as: encoding, to: &output)
    return output.text()
  }

  // MARK: Entries

  /// Puts the entry that has been read into a record; false where there is none.
  private mutating func takeEntry(into record: inout Record) -> Bool {
    defer { entry = [] }
    guard entry.contains(where: { $0.name != "version" && $0.name != "dn" }) else { return false }
    if let change = entry.first(where: { $0.name == "changetype" }), change.value.lowercased() != "add" {
      findings.append(
        Diagnostic(
          .dataSyntax, "an entry that changes another one (\(change.value)) is no contact; left out", line: entryLine, severity: .warning,
          leftOut: true))
      return false
    }
    var header: [String] = []
    var cells: [String] = []
    var counts: [String: Int] = [:]
    var extra = Person()
    let isGroup = entry.contains { $0.name == "objectclass" && $0.value.lowercased().hasPrefix("groupof") }
    for (name, value, bytes) in entry where !value.isEmpty || name == "jpegphoto" {
      switch name {
      case "modifytimestamp": extra.revision = Self.timestamp(value)
      case "member" where isGroup: Self.addMember(value, to: &extra)
      case "jpegphoto": extra.photos.append(Labeled(Media(bytes: bytes)))
      case _ where LDIFAttributes.ignored.contains(name): break
      default:
        // An attribute may come again: several values of one kind.
        var head =
          LDIFAttributes.meanings[name] ?? "unclaimed.X-"
          + name.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        let count = counts[head, default: 0]
        counts[head] = count + 1
        if count > 0 {
          guard let again = Self.again(head, count + 1) else { continue }
          head = again
        }
        header.append(head)
        cells.append(value)
      }
    }
    var reader = reader.take() ?? SheetRowReader(header: SheetHeader(meanings: header), orders: [:], isSpreadsheet: false)
    // Most entries have the attributes of the one before.
    if reader.header.heads != header { reader = SheetRowReader(header: SheetHeader(meanings: header), orders: [:], isSpreadsheet: false) }
    _ = reader.read(cells, line: entryLine, into: &record)
    findings += reader.findings
    self.reader = consume reader
    var person = Person(record)
    person.revision = extra.revision
    person.photos += extra.photos
    if isGroup {
      person.kind = "group"
      person.members = extra.members
      person.unclaimed += extra.unclaimed
    }
    record = Record(person)
    return !record.tokens.isEmpty
  }

  /// The path for the `number`-th value of an attribute; nil where the person has room for one alone.
  private static func again(_ path: String, _ number: Int) -> String? {
    if path.hasPrefix("=") { return nil }
    guard let known = FieldPath(path) else { return nil }
    if known.lineName != nil || path == "nicknames" { return path }
    if Person.fields[known.field].isOne || !known.components.isEmpty { return known.components.last == .street ? path + "#\(number)" : nil }
    let base = known.place == nil ? path : String(path.prefix { !$0.isNumber }.dropLast())
    return "\(base).\(number + 10)"
  }

  /// Seconds since 1970, as Thunderbird writes, or the time of a directory (`20240131100000Z`).
  private static func timestamp(_ text: String) -> PartialDate? {
    guard let seconds = Int(text) else {
      let digits = text.prefix { $0.isNumber }
      guard digits.count == 14 else { return nil }
      let date = PartialDate(String(digits.prefix(8)) + "T" + digits.suffix(6) + "Z")
      return date.isDate ? date : nil
    }
    guard seconds > 0, seconds < 253_402_300_800 else { return nil }
    return PartialDate(Timestamps.utc(seconds))
  }

  /// A member of a list is named by its entry: its address tells it, where there is one.
  private static func addMember(_ name: String, to person: inout Person) {
    for part in name.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1).map { SheetHeader.trimmed(String($0)) }
      if pair.count == 2, pair[0].lowercased() == "mail", pair[1].contains("@") {
        return person.members.append(Labeled("mailto:" + pair[1]))
      }
    }
    person.unclaimed.append(UnclaimedLine("X-LDIF-MEMBER", value: SheetRow.escaped(name)))
  }
}
