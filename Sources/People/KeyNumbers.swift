// The keys of the record and of its parts, found from bytes.

internal import Bytes
internal import CardSyntax

/// Numbers of keys, by their texts, in which letter case counts.
struct KeyNumbers: Sendable {
  private let table: NameTable
  private let keys: [[UInt8]]

  /// The number of a key is its place; an empty one is not found.
  init(_ keys: [String]) {
    table = NameTable(keys.enumerated().map { ($1, UInt16($0 + 1)) })
    self.keys = keys.map { Array($0.utf8) }
  }

  /// The number of the key in `bytes[start ..< end]`; nil for any other text.
  func number(of bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
    let number = Int(table.number(of: bytes, start, end)) - 1
    guard number >= 0 else { return nil }
    let key = keys[number]
    return Words.areEqual(bytes, start, key.span, 0, count: end - start) ? number : nil
  }

  /// The fields of the person, by their places in the table.
  static let fields = KeyNumbers(Person.fields.map(\.key))
  /// The parts of values, by their places among all.
  static let members = KeyNumbers(Member.allCases.map(\.key))
}
