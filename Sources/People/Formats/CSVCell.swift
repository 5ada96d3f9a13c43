// What stands in one cell of our own CSV: texts, lists, parameters, raw content lines, a nested card; both ways.

internal import Bytes
internal import CardSyntax

/// The forms of cells. A cell is plain text, except where several texts, parameters or lines share it.
enum CSVCell {
  /// The parts of a value that may be several texts: in their cells `;` divides, so that a `;` and a `\` of a text have a backslash.
  static let listMembers = MemberSet([
    .labels, .units, .prefix, .given, .middle, .family, .family2, .generation, .suffix, .sortAs, .poBox, .extended, .street, .city, .region,
    .postalCode, .country, .room, .apartment, .floor, .streetNumber, .streetName, .building, .block, .subdistrict, .district, .landmark,
    .direction,
  ])
  /// The parts that are lists even where they hold one text.
  static let alwaysLists = MemberSet([.labels, .units])
  /// The parts that are numbers.
  static let numbers = MemberSet([.preference, .latitude, .longitude])

  // MARK: Lists

  /// Adds a text of a list, the characters that divide lists escaped.
  static func append(listText index: Int, of record: borrowing Record, to cell: inout ByteBuffer) {
    let start = cell.count
    record.append(index, to: &cell)
    let first = cell.withBytes { bytes in
      ByteSearch.firstIndex(of: ASCII.semicolon, or: ASCII.backslash, in: bytes, from: start, to: bytes.count)
    }
    guard first < cell.count else { return }
    let text = cell.withBytes { bytes in (first..<bytes.count).map { bytes[$0] } }
    cell.truncate(to: first)
    for byte in text {
      if byte == ASCII.semicolon || byte == ASCII.backslash { cell.append(ASCII.backslash) }
      cell.append(byte)
    }
  }

  /// Adds the texts of a list, divided by `; `.
  static func append(list index: Int, of record: borrowing Record, to cell: inout ByteBuffer) {
    let end = Int(record.tokens[index].start)
    var i = index + 1
    while i < end {
      if i > index + 1 { cell.append("; ") }
      if let place = record.valuePlace(i) { append(listText: place, of: record, to: &cell) }
      i = record.next(i)
    }
  }

  /// Adds texts, divided by `; `; escaped where the reader of the column divides them again.
  static func append(texts: [String], escaped: Bool, to cell: inout ByteBuffer) {
    for (number, text) in texts.enumerated() {
      if number > 0 { cell.append("; ") }
      for byte in text.utf8 {
        if escaped, byte == ASCII.semicolon || byte == ASCII.backslash { cell.append(ASCII.backslash) }
        cell.append(byte)
      }
    }
  }

  /// Lends where the texts of a list stand: divided at each `;` without a backslash, one blank behind it left out. Those that are not plain
  /// have escapes.
  static func forEachText(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ body: (_ start: Int, _ end: Int, _ isPlain: Bool) -> Void) {
    var from = start
    while true {
      var stop = ByteSearch.firstIndex(of: ASCII.semicolon, or: ASCII.backslash, in: bytes, from: from, to: end)
      let isPlain = stop == end || bytes[stop] == ASCII.semicolon
      while stop < end, bytes[stop] != ASCII.semicolon { stop += isEscape(bytes, stop, end) ? 2 : 1 }
      body(from, stop, isPlain)
      guard stop < end else { return }
      from = stop + 1 < end && bytes[stop + 1] == ASCII.space ? stop + 2 : stop + 1
    }
  }

  /// Adds a text of a list without its escapes.
  static func unescape(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to text: inout ByteBuffer) {
    var i = start
    while i < end {
      if isEscape(bytes, i, end) { i += 1 }
      text.append(bytes[i])
      i += 1
    }
  }

  /// Does a backslash take the meaning of a character away that would divide a list, or of a backslash?
  private static func isEscape(_ bytes: Span<UInt8>, _ i: Int, _ end: Int) -> Bool {
    bytes[i] == ASCII.backslash && i + 1 < end && (bytes[i + 1] == ASCII.semicolon || bytes[i + 1] == ASCII.backslash)
  }

  // MARK: Parameters and lines

  /// Adds parameters as a vCard 4.0 writes them: `type=home,work;x-foo="a;b"`.
  static func append(parameters index: Int, of record: borrowing Record, to cell: inout ByteBuffer) {
    let (start, end) = (cell.count, Int(record.tokens[index].start))
    var key = index + 1
    while key < end {
      let next = record.next(key)
      if record.tokens[key].operation == .key {
        if cell.count > start { cell.append(ASCII.semicolon) }
        var keepsBackslashes = false
        record.withText(key) { bytes, from, to in
          keepsBackslashes = to - from == 7 && Words.uppercased(Words.loadUpTo8(bytes, from, to)) == jsComps
          append(name: bytes, from, to, to: &cell)
        }
        cell.append(ASCII.equals)
        var isFirst = true
        // A list of values, or one.
        var value = record.tokens[key + 1].operation == .openList ? key + 2 : key + 1
        while value < next, record.tokens[value].operation != .close {
          if !isFirst { cell.append(ASCII.comma) }
          isFirst = false
          record.withText(value) { bytes, from, to in
            ParameterText.escape(bytes, from, to, version: .v40, keepsBackslashes: keepsBackslashes, to: &cell)
          }
          value = record.next(value)
        }
      }
      key = next
    }
  }

  /// JSCOMPS, whose value has a grammar of its own for backslashes.
  private static let jsComps: UInt64 = KnownParameter.jsComps.name.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }

  private static func append(parameter name: String, _ values: [String], to cell: inout ByteBuffer) {
    append(name: name, to: &cell)
    cell.append(ASCII.equals)
    let keepsBackslashes = name.uppercased() == KnownParameter.jsComps.name
    for (number, value) in values.enumerated() {
      if number > 0 { cell.append(ASCII.comma) }
      let bytes = Array(value.utf8)
      ParameterText.escape(bytes.span, 0, bytes.count, version: .v40, keepsBackslashes: keepsBackslashes, to: &cell)
    }
  }

  private static func append(name: String, to cell: inout ByteBuffer) {
    let bytes = name.utf8.span
    append(name: bytes, 0, bytes.count, to: &cell)
  }

  /// A name without the characters that end one.
  private static func append(name: Span<UInt8>, _ start: Int, _ end: Int, to cell: inout ByteBuffer) {
    for i in start..<end {
      let byte = name[i]
      if byte > 32, byte != ASCII.colon, byte != ASCII.semicolon, byte != ASCII.equals, byte != 127 { cell.append(byte) }
    }
  }

  /// Adds unclaimed lines as content lines, one below the other, not folded, the parameters as 4.0 has them, the values as they are.
  static func append(lines index: Int, of record: borrowing Record, to cell: inout ByteBuffer) {
    var isFirst = true
    for place in record.elements(index) {
      guard let line = UnclaimedText(record, at: place) else { continue }
      if !isFirst { cell.append(ASCII.lineFeed) }
      isFirst = false
      if let group = line.group, !group.isEmpty {
        append(name: group, to: &cell)
        cell.append(ASCII.dot)
      }
      append(name: line.name, to: &cell)
      for (name, values) in line.parameters {
        cell.append(ASCII.semicolon)
        append(parameter: name, values, to: &cell)
      }
      cell.append(ASCII.colon)
      for byte in line.value.utf8 {
        switch byte {
        case ASCII.lineFeed: cell.append("\\n")
        case ASCII.carriageReturn: break
        default: cell.append(byte)
        }
      }
    }
  }

  /// Reads content lines of a cell; each is handed over with the card that it stands in.
  private static func forEachLine(_ text: String, _ body: (Int, borrowing CardView) -> Void) {
    var card = Array("BEGIN:VCARD\nVERSION:4.0\n".utf8)
    card += Array(text.utf8)
    card += Array("\nEND:VCARD\n".utf8)
    var parser = CardParser(names: FieldNames.table)
    parser.feed(card.span)
    parser.finish()
    var view = CardView()
    while let batch = parser.nextBatch() {
      for index in 0..<batch.count {
        view.sort(batch, index)
        for line in view.lines.indices where view.lines[line].number != FieldNames.version { body(line, view) }
      }
    }
  }

  /// The parameters of a cell.
  static func parameters(_ text: String) -> [ParameterValues] {
    var found: [ParameterValues] = []
    forEachLine("X;" + text + ":") { line, card in
      for i in card.parameterRange(line) {
        let name = Annotations.parameterName(card.parameters[i], card).lowercased()
        var values: [String] = []
        card.forEachValue(card.parameters[i]) { values.append($0) }
        if let known = found.firstIndex(where: { $0.name == name }) {
          found[known].values += values
        } else {
          found.append(ParameterValues(asWritten: name, values))
        }
      }
    }
    return found
  }

  /// Puts the lines of a cell into the open list of unclaimed lines.
  static func read(lines text: String, into record: inout Record) {
    var found: [UnclaimedText] = []
    forEachLine(text) { line, card in found.append(UnclaimedText(line, card)) }
    for line in found { line.send(to: &record) }
  }

  // MARK: A nested card

  /// Adds a nested contact as a card of the version that it declares, not folded. A card that declares none is written in the form of its
  /// contact's version and left without VERSION.
  static func append(agent index: Int, of record: borrowing Record, to cell: inout ByteBuffer) {
    var inner = Record()
    inner.begin(copying: record, fieldsOf: index)
    let declared = inner.value(ofField: 0).flatMap { CardVersion(inner.string($0)) }
    let version = declared ?? (record.version == .v21 ? .v30 : record.version)
    var writer = CardWriter(version: version, width: nil)
    inner.version = version
    writer.write(inner)
    var isFirst = true
    for line in writer.takeOutput().split(separator: ASCII.lineFeed) {
      var text = line[...]
      if text.last == ASCII.carriageReturn { text = text.dropLast() }
      if declared == nil, text.starts(with: Array("VERSION:".utf8)) { continue }
      if !isFirst { cell.append(ASCII.lineFeed) }
      isFirst = false
      for byte in text { cell.append(byte) }
    }
  }

  /// Puts the fields of a card in a cell into the open object.
  static func read(agent text: String, depth: Int, into record: inout Record) {
    guard let batch = firstCard(text) else { return }
    var reader = CardReader(depth: depth + 1)
    if batch.cards[0].declared == nil, let said = firstCard(text, version: record.version) {
      reader.read(said, 0, only: FieldSet(1..<Person.fields.count))
    } else {
      reader.read(batch, 0)
    }
    record.append(fieldsOf: reader.record)
  }

  /// The batch of the first card of a text; with `version`, as if the card declared it.
  private static func firstCard(_ text: String, version: CardVersion? = nil) -> CardBatch? {
    var parser = CardParser(names: FieldNames.table)
    var bytes = Array(text.utf8)
    if let version {
      let end = (bytes.firstIndex { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn } ?? bytes.count - 1) + 1
      bytes.insert(contentsOf: Array("VERSION:\(version.text)\n".utf8), at: end)
    }
    parser.feed(bytes.span)
    parser.finish()
    while let batch = parser.nextBatch() { if batch.count > 0 { return batch } }
    return nil
  }

  // MARK: What spreadsheets would run or spoil

  /// Does a text begin like one that reading would take an apostrophe off? It gets one more.
  static func needsApostrophe(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    start < end && bytes[start] == ASCII.apostrophe && isProtected(bytes, start + 1, end)
  }

  /// May an apostrophe before this text be a protection?
  static func isProtected(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard start < end else { return false }
    switch bytes[start] {
    case ASCII.equals, UInt8(ascii: "+"), ASCII.dash, UInt8(ascii: "@"), ASCII.tab, ASCII.carriageReturn, ASCII.apostrophe: return true
    case let byte: return ASCII.isDigit(byte) || isWideSign(bytes, start, end)
    }
  }

  /// Would a spreadsheet run the cell as a formula, or read it as a number and change it?
  static func isUnsafe(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard start < end else { return false }
    let first = bytes[start]
    switch first {
    case ASCII.equals, UInt8(ascii: "@"), ASCII.tab, ASCII.carriageReturn: return true
    case UInt8(ascii: "+"), ASCII.dash:
      return mayBeSum(bytes, start, end) && !isPlainDecimal(bytes, start, end)
    default: break
    }
    if isWideSign(bytes, start, end) { return true }
    return isSpoiledNumber(bytes, start, end)
  }

  /// May a text that begins with a sign be computed? A telephone number is none where two of its parts stand beside each other without a
  /// sign between them: `+44 20 7946 0000` is no sum, `+44-20-7946` is one.
  private static func mayBeSum(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var (isNumber, isText) = (false, false)
    var last: UInt8 = 0
    for i in start..<end {
      let byte = bytes[i]
      switch byte {
      case ASCII.space: break
      case UInt8(ascii: "("): if ASCII.isDigit(last) || last == UInt8(ascii: ")") { isNumber = true }
      case ASCII.dot, ASCII.dash, ASCII.slash, UInt8(ascii: ")"): break
      case _ where ASCII.isDigit(byte):
        if last == UInt8(ascii: ")") || ASCII.isDigit(last) && bytes[i - 1] == ASCII.space { isNumber = true }
      default: if i > start { isText = true }
      }
      if byte != ASCII.space { last = byte }
    }
    return isText || !isNumber
  }

  /// Is the text `-12.5`: a number that stays as it is?
  private static func isPlainDecimal(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard bytes[start] == ASCII.dash, start + 1 < end, ASCII.isDigit(bytes[start + 1]) else { return false }
    var points = 0
    for i in start + 1..<end {
      if bytes[i] == ASCII.dot { points += 1 } else if !ASCII.isDigit(bytes[i]) { return false }
    }
    return points == 1 && !isSpoiledNumber(bytes, start + 1, end)
  }

  /// Would a spreadsheet read a text that begins with a digit as a number, a date or a time, and write it in another way? Zeros before
  /// and behind are lost, digits beyond the fifteenth, exponents and thousands; `1/2` and `3-4` are days. A date of ISO 8601 stays.
  private static func isSpoiledNumber(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard ASCII.isDigit(bytes[start]) else { return false }
    var (digits, points, hyphens, blanks) = (0, 0, 0, 0)
    var hasMarks = false
    // The lengths of groups of digits tell telephone numbers from dates.
    var (groups, group, isDate) = (0, 0, true)
    for i in start..<end {
      switch bytes[i] {
      case let byte where ASCII.isDigit(byte):
        digits += 1
        group += 1
        if i + 1 == end || !ASCII.isDigit(bytes[i + 1]) {
          groups += 1
          if group == 3 || group > 4 { isDate = false }
          group = 0
        }
      case ASCII.dot: points += 1
      case ASCII.dash: hyphens += 1
      case ASCII.space: blanks += 1
      case ASCII.comma, ASCII.slash, ASCII.colon, UInt8(ascii: "%"), UInt8(ascii: "e"), UInt8(ascii: "E"): hasMarks = true
      default: return false
      }
    }
    if hasMarks { return true }
    let hasFirstZero = bytes[start] == UInt8(ascii: "0")
    if digits == end - start { return hasFirstZero && digits > 1 || digits > 15 }
    if points == 1, hyphens + blanks == 0 {
      let last = bytes[end - 1]
      return hasFirstZero && bytes[start + 1] != ASCII.dot || last == ASCII.dot || last == UInt8(ascii: "0") || digits > 15
    }
    if points > 0 || groups == 1 { return true }
    let isISO = blanks == 0 && (end - start == 10 || end - start == 7) && bytes[start + 4] == ASCII.dash
    return hyphens > 0 && isDate && groups <= 3 && !isISO
  }

  /// The full-width forms of `=`, `+`, `-` and `@`.
  private static func isWideSign(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard start + 2 < end, bytes[start] == 0xEF, bytes[start + 1] == 0xBC else { return false }
    return bytes[start + 2] == 0x9D || bytes[start + 2] == 0x8B || bytes[start + 2] == 0x8D || bytes[start + 2] == 0xA0
  }
}
