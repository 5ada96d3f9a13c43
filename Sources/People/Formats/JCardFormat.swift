// jCard (RFC 7095): the properties of a card as JSON arrays, both ways.

package import Bytes
package import CardSyntax
internal import DataSyntax

/// Writes cards of 4.0 as jCards, and reads and writes single properties as jCard arrays.
package enum JCardFormat {
  /// Writes the card at `index` of a batch of 4.0 cards.
  package static func write(_ batch: CardBatch, _ index: Int, to output: inout ByteBuffer) {
    output.append("[\"vcard\",[")
    let card = batch[index]
    var isFirst = true
    for line in card.lines {
      if !isFirst { output.append(ASCII.comma) }
      isFirst = false
      write(PropertyText(line, of: card.version), to: &output)
    }
    output.append("]]")
  }

  // MARK: Writing a property

  /// Writes a property as an array: name, parameters, type, values.
  package static func write(_ property: PropertyText, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "["))
    output.appendJSONString(property.name)
    output.append(ASCII.comma)
    writeParameters(of: property, to: &output)
    output.append(ASCII.comma)
    output.appendJSONString(property.type)
    for value in property.values {
      output.append(ASCII.comma)
      // A structured value of one component is that component (RFC 7095 3.3.1.3), unless that would look like several components.
      if value.count == 1, let only = value.first, only.count == 1 {
        write(only.first ?? "", property.type, to: &output)
      } else {
        output.append(UInt8(ascii: "["))
        for (i, component) in value.enumerated() {
          if i > 0 { output.append(ASCII.comma) }
          write(component, property.type, to: &output)
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
      write(values, "text", to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }

  private static func write(_ texts: [String], _ type: String, to output: inout ByteBuffer) {
    if texts.count == 1 { return write(texts.first ?? "", type, to: &output) }
    output.append(UInt8(ascii: "["))
    for (i, text) in texts.enumerated() {
      if i > 0 { output.append(ASCII.comma) }
      write(text, type, to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  /// One text in jCard's spelling: dates in the extended form, numbers and truth values as JSON has them (RFC 7095 3.5).
  private static func write(_ text: String, _ type: String, to output: inout ByteBuffer) {
    switch type {
    case "date", "date-time", "date-and-or-time", "timestamp", "time":
      output.appendJSONString(extended(text, type))
    case "utc-offset":
      let digits = text.dropFirst().filter { $0 != ":" }
      let isOffset = digits.count == 4 && digits.allSatisfy { $0.isASCII && $0.isNumber }
      output.appendJSONString(isOffset ? text.prefix(1) + digits.prefix(2) + ":" + digits.suffix(2) : text)
    case "integer" where JSONNumber.isNumber(text, integer: true), "float" where JSONNumber.isNumber(text, integer: false):
      output.append(text: text)
    case "boolean" where text.lowercased() == "true": output.append("true")
    case "boolean" where text.lowercased() == "false": output.append("false")
    default: output.appendJSONString(text)
    }
  }

  /// A date or time in the extended form of ISO 8601; a text that is none stays.
  private static func extended(_ text: String, _ type: String) -> String {
    // A TIME has no T before it, neither here nor there.
    let date = PartialDate(type == "time" ? "T" + text : text)
    guard date.isDate else { return text }
    return type == "time" ? String(date.iso.dropFirst()) : date.iso
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
