// jCard (RFC 7095): a card of 4.0 as JSON arrays.

package import Bytes
package import CardSyntax
internal import DataSyntax

/// Writes cards of 4.0 as jCards. The value types are those that RFC 6350 gives the properties; others are `unknown`.
package struct JCardFormat: ~Copyable {
  private var scratch = ByteBuffer()

  package init() {}

  /// How a property's value is cut, and its type where VALUE does not say another.
  private enum Shape: Sendable { case one, list, structured }

  private static let types: [String: (type: String, shape: Shape)] = {
    var found: [String: (type: String, shape: Shape)] = [:]
    for field in Person.fields {
      guard let name = field.names.first, !name.text.hasPrefix("X-") else { continue }
      let type: (String, Shape) =
        switch field.kind {
        case is NameKind, is AddressKind, is OrganizationKind, is GenderKind: ("text", .structured)
        case let list as TextListKind: list.isURI ? ("uri", .one) : ("text", .list)
        case is URIKind, is MediaKind, is GeoKind, is RelatedKind, is InstantMessageKind, is SocialProfileKind, is IdentifierKind:
          ("uri", .one)
        case let date as DateKind: (date.isTimestamp ? "timestamp" : "date-and-or-time", .one)
        default: ("text", .one)
        }
      found[name.text.lowercased()] = type
    }
    found["lang"] = ("language-tag", .one)
    found["version"] = ("text", .one)
    found["clientpidmap"] = ("text", .structured)
    found["xml"] = ("text", .one)
    return found
  }()

  /// Writes the card at `index` of a batch of 4.0 cards.
  package mutating func write(_ batch: CardBatch, _ index: Int, to output: inout ByteBuffer) {
    output.append("[\"vcard\",[")
    let card = batch[index]
    var isFirst = true
    for line in card.lines {
      if !isFirst { output.append(ASCII.comma) }
      isFirst = false
      write(line, to: &output)
    }
    output.append("]]")
  }

  private mutating func write(_ line: ContentLine, to output: inout ByteBuffer) {
    let name = line.name.lowercased()
    output.append(UInt8(ascii: "["))
    output.appendJSONString(name)
    output.append(",{")
    var valueType: String?
    var needsComma = false
    var merged: [(name: String, values: [String])] = []
    if let group = line.group { merged.append(("group", [group])) }
    for parameter in line.parameters {
      let key = parameter.name.lowercased()
      if key == "value" {
        valueType = parameter.values.first?.lowercased()
        continue
      }
      var values = parameter.values
      if key == "sort-as" || key == "type" { values = values.flatMap { $0.split(separator: ",").map(String.init) } }
      if let place = merged.firstIndex(where: { $0.name == key }) { merged[place].values += values } else { merged.append((key, values)) }
    }
    for (key, values) in merged {
      if needsComma { output.append(ASCII.comma) }
      needsComma = true
      output.appendJSONString(key)
      output.append(ASCII.colon)
      if values.count == 1 {
        output.appendJSONString(values[0])
      } else {
        output.append(UInt8(ascii: "["))
        for (i, value) in values.enumerated() {
          if i > 0 { output.append(ASCII.comma) }
          output.appendJSONString(value)
        }
        output.append(UInt8(ascii: "]"))
      }
    }
    output.append("},")
    let known = Self.types[name]
    let type = valueType ?? known?.type ?? "unknown"
    output.appendJSONString(type)
    output.append(ASCII.comma)
    if known == nil && valueType == nil {
      output.appendJSONString(line.value)  // unknown: as written (RFC 7095 5)
    } else {
      values(line.value, type, known?.shape ?? .one, to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  private mutating func values(_ raw: String, _ type: String, _ shape: Shape, to output: inout ByteBuffer) {
    let bytes = Array(raw.utf8)
    switch shape {
    case .one: output.appendJSONString(plain(bytes, 0, bytes.count, type))
    case .list:
      for (i, part) in Self.split(bytes, 0, bytes.count, ASCII.comma).enumerated() {
        if i > 0 { output.append(ASCII.comma) }
        output.appendJSONString(plain(bytes, part.0, part.1, type))
      }
    case .structured:
      let components = Self.split(bytes, 0, bytes.count, ASCII.semicolon)
      if components.count == 1 {
        component(bytes, components[0], type, to: &output)
        return
      }
      output.append(UInt8(ascii: "["))
      for (i, part) in components.enumerated() {
        if i > 0 { output.append(ASCII.comma) }
        component(bytes, part, type, to: &output)
      }
      output.append(UInt8(ascii: "]"))
    }
  }

  private mutating func component(_ bytes: [UInt8], _ range: (Int, Int), _ type: String, to output: inout ByteBuffer) {
    let items = Self.split(bytes, range.0, range.1, ASCII.comma)
    if items.count == 1 { return output.appendJSONString(plain(bytes, range.0, range.1, type)) }
    output.append(UInt8(ascii: "["))
    for (i, item) in items.enumerated() {
      if i > 0 { output.append(ASCII.comma) }
      output.appendJSONString(plain(bytes, item.0, item.1, type))
    }
    output.append(UInt8(ascii: "]"))
  }

  private static func split(_ bytes: [UInt8], _ start: Int, _ end: Int, _ separator: UInt8) -> [(Int, Int)] {
    var found: [(Int, Int)] = []
    var from = start
    while true {
      let stop = min(Escaping.firstSeparator(separator, in: bytes.span, from: from, to: end), end)
      found.append((from, stop))
      guard stop < end else { return found }
      from = stop + 1
    }
  }

  /// A text with its escapes undone; dates in the extended form (RFC 7095 3.5).
  private mutating func plain(_ bytes: [UInt8], _ start: Int, _ end: Int, _ type: String) -> String {
    scratch.removeAll()
    Escaping.unescape(bytes.span, start, end, version: .v40, to: &scratch)
    let text = scratch.text()
    switch type {
    case "date", "date-time", "date-and-or-time", "timestamp", "time":
      let date = PartialDate(text)
      return date.isDate ? date.iso : text
    case "utc-offset":
      let digits = text.dropFirst().filter { $0 != ":" }
      return digits.count == 4 ? text.prefix(1) + digits.prefix(2) + ":" + digits.suffix(2) : text
    default: return text
    }
  }
}
