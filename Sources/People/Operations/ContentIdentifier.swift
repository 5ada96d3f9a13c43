// A UID made from what a contact holds: the same content gives the same UID, each time and everywhere.

internal import Bytes
internal import CardSyntax

/// Identifiers for contacts that have none.
package enum ContentIdentifier {
  /// Fields that say nothing of the person.
  private static let passedOver = Set(
    ["version", "uid", "revision", "productID", "created", "details", "unclaimed"].compactMap { Person.field($0) })

  /// A UUID as a URN (RFC 9562 5.8: version 8, made by a rule of one's own): a hash over the fields of the record, in any version the same.
  package static func uid(of record: borrowing Record) -> String {
    var hash = ContentHash()
    var i = 0
    while i < record.tokens.count {
      let next = record.next(i)
      if record.tokens[i].operation == .field, !passedOver.contains(Int(record.tokens[i].start)) {
        hash.add(Person.fields[Int(record.tokens[i].start)].key)
        add(i + 1, of: record, to: &hash)
      }
      i = next
    }
    return uuid(hash.value)
  }

  private static func add(_ index: Int, of record: borrowing Record, to hash: inout ContentHash) {
    let token = record.tokens[index]
    switch token.operation {
    case .text, .number:
      hash.add(token.member.key)
      var text = ByteBuffer()
      record.append(index, to: &text)
      hash.add(text)
    case .openObject, .openList:
      for place in record.elements(index) where record.tokens[place].operation != .key {
        switch record.tokens[place].member {
        // What a line carries besides is spelled differently in different versions.
        case .parameters, .group, .property, .id: continue
        default: add(place, of: record, to: &hash)
        }
      }
    case .field: add(index + 1, of: record, to: &hash)
    case .key, .close: break
    }
  }

  /// A UUID for a name, such as that of a group.
  package static func uid(ofName name: String) -> String {
    var hash = ContentHash()
    hash.add("name")
    hash.add(name)
    return uuid(hash.value)
  }

  private static func uuid(_ hash: UInt128) -> String {
    let (version, variant) = (UInt128(0xF) << 76, UInt128(0x3) << 62)
    let value = hash & ~version & ~variant | UInt128(0x8) << 76 | UInt128(0x2) << 62
    let digits = String(value, radix: 16)
    let text = Array(String(repeating: "0", count: 32 - digits.count) + digits)
    let parts = [text[0..<8], text[8..<12], text[12..<16], text[16..<20], text[20..<32]]
    return "urn:uuid:" + parts.map { String($0) }.joined(separator: "-")
  }
}

/// FNV-1a with 128 bits: no secret, but no two address books' contacts meet in it by chance.
private struct ContentHash {
  private(set) var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
  private static let prime: UInt128 = 1 << 88 | 0x13b

  mutating func add(_ byte: UInt8) { value = (value ^ UInt128(byte)) &* Self.prime }

  /// A text, and a mark behind it, so that `ab` and `c` differ from `a` and `bc`.
  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xFF)
  }

  mutating func add(_ text: borrowing ByteBuffer) {
    for i in 0..<text.count { add(text[i]) }
    add(0xFF)
  }
}
