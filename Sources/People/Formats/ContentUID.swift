// An identifier made from what a contact says, the same each time.

/// Makes UUIDs of version 8 (RFC 9562 5.8) from the content of contacts.
enum ContentUID {
  /// The identifier of a contact with these properties, in any order; what changes with each export (REV, PRODID) does not count.
  static func urn(of properties: [PropertyText]) -> String {
    let passing = Set(["revision", "productID"].map { JSContactRow.name($0) })
    let lines = properties.filter { !passing.contains($0.name) }.map { property in
      let parameters = property.parameters.map { "\($0.name)=\($0.values.joined(separator: "\u{1}"))" }.sorted()
      return "\(property.name)\u{2}\(parameters.joined(separator: "\u{3}"))\u{2}\(property.type)\u{2}\(property.values)"
    }
    return urn(of: lines.sorted().joined(separator: "\n"))
  }

  /// The identifier of a text: its FNV-1a hash of 128 bits.
  static func urn(of text: String) -> String {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for byte in text.utf8 { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
    hash = hash & ~(0xf << 76) | 8 << 76
    hash = hash & ~(0b11 << 62) | 0b10 << 62
    let digits = String(hash, radix: 16)
    let padded = Array(String(repeating: "0", count: 32 - digits.count) + digits)
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(padded[$0]) }
    return "urn:uuid:" + parts.joined(separator: "-")
  }
}
