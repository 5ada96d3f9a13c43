// jCard (RFC 7095): the properties of a card as JSON arrays, both ways.

package import Bytes
internal import CardSyntax
internal import DataSyntax

/// Writes cards of 4.0 as jCards, straight from their lines.
struct JCardWriter: ~Copyable {
  private var heads = SiblingHeads<SiblingHead>()
  private var scratch = ByteBuffer()

  /// Writes the card at `index` of a batch of 4.0 cards.
  mutating func write(_ batch: CardBatch, _ index: Int, to output: inout ByteBuffer) {
    output.append("[\"vcard\",[")
    let card = batch.cards[index]
    let first = Int(card.firstLine)
    begin(batch, card.version)
    for line in first..<first + Int(card.lineCount) {
      if line > first { output.append(ASCII.comma) }
      write(batch.lines[line], of: batch, card.version, to: &output)
    }
    output.append("]]")
  }

  /// Says whose lines follow.
  mutating func begin(_ batch: CardBatch, _ version: CardVersion) { heads.begin(batch, version) }

  /// What is written for the head of a line.
  private mutating func head(of line: LineEntry, _ batch: CardBatch) -> SiblingHead {
    if let known = heads.known(line) { return known }
    heads.read(line, batch)
    let fresh = Self.written(heads.head)
    heads.keep(fresh, for: line)
    return fresh
  }

  /// Writes a line as an array: name, parameters, type, values.
  mutating func write(_ line: LineEntry, of batch: CardBatch, _ version: CardVersion, to output: inout ByteBuffer) {
    let head = head(of: line, batch)
    let bytes = batch.bytes
    output.append(head.start)
    if head.hasLabel {
      scratch.removeAll()
      batch.appendLabel(of: line, version, to: &scratch)
      scratch.withBytes { output.appendJSONString($0, 0, $0.count) }
      output.append(head.behindLabel)
    }
    let (start, end) = (Int(line.valueStart), Int(line.valueEnd))
    if head.isAsWritten {
      output.appendJSONString(bytes.span, start, end)
    } else {
      writeValues(bytes.span, start, end, head, version, to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  /// Name, parameters and type, and the comma before the first value.
  private static func written(_ head: borrowing PropertyHead) -> SiblingHead {
    var output = ByteBuffer(capacity: 256)
    var gap: Int?
    output.append(UInt8(ascii: "["))
    head.appendJSON(head.name, to: &output)
    output.append(",{")
    var needsComma = !head.group.isEmpty
    if needsComma {
      output.append("\"group\":")
      head.appendJSON(head.group, to: &output)
    }
    for parameter in head.parameters where !parameter.values.isEmpty {
      if needsComma { output.append(ASCII.comma) }
      needsComma = true
      head.appendJSON(parameter.name, to: &output)
      output.append(ASCII.colon)
      let isList = parameter.values.count > 1
      if isList { output.append(UInt8(ascii: "[")) }
      for value in parameter.values {
        if value > parameter.values.lowerBound { output.append(ASCII.comma) }
        if value == head.label { gap = output.count } else { head.appendJSON(head.values[value], to: &output) }
      }
      if isList { output.append(UInt8(ascii: "]")) }
    }
    output.append("},")
    output.appendJSONString(head.type)
    output.append(ASCII.comma)
    return SiblingHead(head, start: output, gap: gap)
  }

  private mutating func writeValues(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ head: SiblingHead, _ version: CardVersion, to output: inout ByteBuffer
  ) {
    switch head.cut {
    case .whole: write(bytes, start, end, head, version, to: &output)
    case .list: writeList(bytes, start, end, head, version, to: &output)
    case .components, .pair, .componentLists:
      let hasLists = head.cut == .componentLists
      func hasSeveral(_ start: Int, _ end: Int) -> Bool {
        hasLists && Escaping.firstSeparator(ASCII.comma, in: bytes, from: start, to: end) < end
      }
      var from = start
      var stop = head.cut.componentEnd(bytes, from: from, to: end, isFirst: true)
      // A structured value of one component is that component (RFC 7095 3.3.1.3), unless that would look like several components.
      if stop >= end, !hasSeveral(start, end) { return write(bytes, start, end, head, version, to: &output) }
      output.append(UInt8(ascii: "["))
      while true {
        if hasSeveral(from, stop) {
          output.append(UInt8(ascii: "["))
          writeList(bytes, from, stop, head, version, to: &output)
          output.append(UInt8(ascii: "]"))
        } else {
          write(bytes, from, stop, head, version, to: &output)
        }
        if stop >= end { break }
        output.append(ASCII.comma)
        from = stop + 1
        stop = head.cut.componentEnd(bytes, from: from, to: end, isFirst: false)
      }
      output.append(UInt8(ascii: "]"))
    }
  }

  private mutating func writeList(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ head: SiblingHead, _ version: CardVersion, to output: inout ByteBuffer
  ) {
    var from = start
    while true {
      let stop = Escaping.firstSeparator(ASCII.comma, in: bytes, from: from, to: end)
      write(bytes, from, stop, head, version, to: &output)
      guard stop < end else { return }
      output.append(ASCII.comma)
      from = stop + 1
    }
  }

  /// Writes one text of a value, its escapes undone.
  private mutating func write(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ head: SiblingHead, _ version: CardVersion, to output: inout ByteBuffer
  ) {
    if head.form == .text { return output.appendJSONString(escaped: bytes, start, end, version) }
    scratch.removeAll()
    Escaping.unescape(bytes, start, end, version: version, to: &scratch)
    let form = head.form
    scratch.withBytes { JCardFormat.write($0, 0, $0.count, form, to: &output) }
  }
}

extension PropertyHead {
  /// Adds a part of the head as a JSON string.
  func appendJSON(_ range: Range<Int>, to output: inout ByteBuffer) {
    text.withBytes { output.appendJSONString($0, range.lowerBound, range.upperBound) }
  }
}

/// Writes single properties as jCard arrays, and gives their values jCard's spelling and vCard's.
package enum JCardFormat {
  // MARK: Writing a property

  /// Writes a property as an array: name, parameters, type, values.
  package static func write(_ property: PropertyText, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "["))
    output.appendJSONString(property.name)
    output.append(ASCII.comma)
    writeParameters(of: property, to: &output)
    output.append(ASCII.comma)
    output.appendJSONString(property.type)
    let form = ValueForm(property.type)
    for value in property.values {
      output.append(ASCII.comma)
      if value.count == 1, let only = value.first, only.count == 1 {
        write(only.first ?? "", form, to: &output)
      } else {
        output.append(UInt8(ascii: "["))
        for (i, component) in value.enumerated() {
          if i > 0 { output.append(ASCII.comma) }
          write(component, form, to: &output)
        }
        output.append(UInt8(ascii: "]"))
      }
    }
    output.append(UInt8(ascii: "]"))
  }

  /// Writes group and parameters as an object.
  package static func writeParameters(of property: PropertyText, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "{"))
    var needsComma = false
    if let group = property.group {
      output.append("\"group\":")
      output.appendJSONString(group)
      needsComma = true
    }
    for (name, values) in property.parameters where !values.isEmpty {
      if needsComma { output.append(ASCII.comma) }
      needsComma = true
      output.appendJSONString(name)
      output.append(ASCII.colon)
      write(values, .text, to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }

  private static func write(_ texts: [String], _ form: ValueForm, to output: inout ByteBuffer) {
    if texts.count == 1 { return write(texts.first ?? "", form, to: &output) }
    output.append(UInt8(ascii: "["))
    for (i, text) in texts.enumerated() {
      if i > 0 { output.append(ASCII.comma) }
      write(text, form, to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  private static func write(_ text: String, _ form: ValueForm, to output: inout ByteBuffer) {
    let utf8 = text.utf8
    let bytes = utf8.span
    write(bytes, 0, bytes.count, form, to: &output)
  }

  /// One text in jCard's spelling: dates in the extended form, numbers and truth values as JSON has them (RFC 7095 3.5).
  static func write(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ form: ValueForm, to output: inout ByteBuffer) {
    switch form {
    case .text: break
    case .date:
      // A text that is no date stays as it is, here and below.
      guard let date = DateNumbers(bytes, start, end) else { break }
      output.append(ASCII.quote)
      date.append(isBasic: false, from: bytes, to: &output)
      return output.append(ASCII.quote)
    case .time:
      var stop = end
      while stop > start, ASCII.isBlank(bytes[stop &- 1]) { stop &-= 1 }
      guard let clock = DateNumbers.Clock(bytes, start, stop) else { break }
      output.append(ASCII.quote)
      clock.append(isBasic: false, from: bytes, to: &output)
      return output.append(ASCII.quote)
    case .offset:
      let text = bytes.text(start, end)
      let digits = text.dropFirst().filter { $0 != ":" }
      guard digits.count == 4 && digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { break }
      return output.appendJSONString(text.prefix(1) + digits.prefix(2) + ":" + digits.suffix(2))
    case .integer, .float:
      guard JSONNumber.isNumber(bytes.text(start, end), integer: form == .integer) else { break }
      return output.append(bytes, start, end)
    case .boolean:
      let word = bytes.text(start, end).lowercased()
      guard word == "true" || word == "false" else { break }
      return output.append(text: word)
    }
    output.appendJSONString(bytes, start, end)
  }

  /// The text of a jCard value in vCard's spelling; nil where it is not of its type.
  static func vCardText(_ text: String, _ type: String, in version: CardVersion) -> String? {
    switch type {
    case "date", "date-time", "date-and-or-time", "timestamp", "time":
      let date = PartialDate(type == "time" ? "T" + text : text)
      guard date.isDate else { return nil }
      if version != .v40 { return text }
      return type == "time" ? String(date.basic.dropFirst()) : date.basic
    case "utc-offset":
      return version == .v40 ? text.filter { $0 != ":" } : text
    case "integer": return JSONNumber.plain(text, integer: true)
    case "float": return JSONNumber.plain(text, integer: false)
    case "boolean": return ["true", "false"].contains(text.lowercased()) ? text.uppercased() : nil
    default: return text
    }
  }
}

/// Numbers of JSON and of vCard, which knows no exponents (RFC 7095 3.5.9 and 3.5.10).
enum JSONNumber {
  /// Is the text a number as JSON writes it, without an exponent?
  static func isNumber(_ text: String, integer: Bool) -> Bool {
    var digits = text.utf8[...]
    if digits.first == ASCII.dash { digits.removeFirst() }
    let whole = digits.prefix(while: ASCII.isDigit)
    guard !whole.isEmpty, whole.count == 1 || whole.first != 48 else { return false }
    let rest = digits.dropFirst(whole.count)
    if rest.isEmpty { return true }
    return !integer && rest.first == ASCII.dot && rest.count > 1 && rest.dropFirst().allSatisfy(ASCII.isDigit)
  }

  /// The number without its exponent and, with `integer`, without decimals; nil for what is none, or has more than 400 digits.
  static func plain(_ text: String, integer: Bool) -> String? {
    let parts = text.lowercased().split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    guard let mantissa = parts.first, isNumber(String(mantissa), integer: false) else { return nil }
    let sign = mantissa.hasPrefix("-") ? "-" : ""
    let pieces = mantissa.dropFirst(sign.count).split(separator: ".", maxSplits: 1)
    var whole = Array((pieces.first ?? "0").utf8)
    var fraction = pieces.count > 1 ? Array(pieces[1].utf8) : []
    if parts.count > 1 {
      let text = parts[1].hasPrefix("+") ? parts[1].dropFirst() : parts[1]
      guard let exponent = Int(text), abs(exponent) <= 400 else { return nil }
      for _ in 0..<abs(exponent) {
        if exponent > 0 {
          whole.append(fraction.isEmpty ? 48 : fraction.removeFirst())
        } else {
          fraction.insert(whole.popLast() ?? 48, at: 0)
        }
      }
      whole = Array(whole.drop { $0 == 48 })
      if whole.isEmpty { whole = [48] }
      while fraction.last == 48 { fraction.removeLast() }
    }
    let result = sign + String(decoding: whole, as: UTF8.self)
    return integer || fraction.isEmpty ? result : result + "." + String(decoding: fraction, as: UTF8.self)
  }
}
