// What contacts are matched by: identifiers, e-mail addresses, telephone numbers, the name, and all values together.

internal import Bytes
internal import CardSyntax

/// What two contacts may have in common.
package enum MatchKey: UInt8, Sendable, CaseIterable {
  /// The same identifier.
  case uid = 117
  /// The same e-mail address.
  case email = 101
  /// The same telephone number.
  case phone = 112
  /// All values are equal, apart from identifiers, REV, PRODID and order.
  case equal = 113
  /// The same name.
  case name = 110

  /// The word that plans and `--by` have for it.
  package var word: String { "\(self)" }

  /// The key with this word.
  package init?(word: String) {
    guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = found
  }
}

/// Reads the keys of contacts. A key is a byte that says what it is, then the text that compares.
struct MatchKeyReader: ~Copyable {
  private let identity: ValueIdentity
  private let wantsUID: Bool, wantsEmail: Bool, wantsPhone: Bool, wantsEqual: Bool, wantsName: Bool
  private var scratch = ByteBuffer()
  private let seeds: (UInt64, UInt64) = (.random(in: 1...(.max)), .random(in: 1...(.max)))

  init(_ wanted: Set<MatchKey>, numbering: PhoneNumbering) {
    (wantsUID, wantsEmail, wantsPhone) = (wanted.contains(.uid), wanted.contains(.email), wanted.contains(.phone))
    (wantsEqual, wantsName) = (wanted.contains(.equal), wanted.contains(.name))
    identity = ValueIdentity(numbering: numbering)
  }

  private static let uid = Person.field("uid") ?? 0
  private static let phones = Person.field("phones") ?? 0
  private static let emails = Person.field("emails") ?? 0
  private static let kind = Person.field("kind") ?? 0
  /// Fields that say nothing about who somebody is.
  private static let passedOver = FieldSet(["version", "uid", "revision", "productID", "details"].compactMap { Person.field($0) })

  /// Adds the numbers of the contact's keys to `found`, each once.
  mutating func read(_ record: borrowing Record, _ name: ComparableName, _ table: inout KeyTable, to found: inout [UInt32]) {
    let first = found.count
    func add(_ number: Int) {
      let number = UInt32(truncatingIfNeeded: number)
      if !found[first...].contains(number) { found.append(number) }
    }
    var total: (UInt64, UInt64) = (0, 0)
    var values = 0
    var i = 0
    while i < record.tokens.count {
      let token = record.tokens[i]
      guard token.operation == .field, i + 1 < record.tokens.count else {
        i = record.next(i)
        continue
      }
      let number = Int(token.start)
      if number == Self.uid {
        if wantsUID, let key = key(.uid, number, i + 1, record, &table) { add(key) }
      } else if !Self.passedOver.has(number) {
        let isList = record.tokens[i + 1].operation == .openList && !Person.fields[number].isOne
        let end = isList ? Int(record.tokens[i + 1].start) : i + 2
        var place = isList ? i + 2 : i + 1
        while place < end {
          scratch.removeAll()
          scratch.append(number == Self.phones ? MatchKey.phone.rawValue : number == Self.emails ? MatchKey.email.rawValue : 0)
          identity.append(number, place, of: record, to: &scratch)
          if scratch.count > 1, !(number == Self.kind && scratch.text().hasSuffix("individual\u{0}")) {
            if number == Self.phones, wantsPhone, isPhone() { add(Self.intern(scratch, &table)) }
            if number == Self.emails, wantsEmail, isEmail() { add(Self.intern(scratch, &table)) }
            let hash = Self.hash(scratch, seeds, number)
            total = (total.0 &+ hash.0, total.1 &+ hash.1)
            values += 1
          }
          place = isList ? record.next(place) : end
        }
      }
      i = record.next(i)
    }
    if wantsEqual, values > 0 {
      scratch.removeAll()
      scratch.append(MatchKey.equal.rawValue)
      for half in [total.0, total.1] { for k in 0..<8 { scratch.append(UInt8(truncatingIfNeeded: half >> UInt64(8 * k))) } }
      add(Self.intern(scratch, &table))
    }
    if wantsName, name.kind != .none {
      scratch.removeAll()
      scratch.append(MatchKey.name.rawValue)
      scratch.append(text: name.sorted)
      add(Self.intern(scratch, &table))
    }
  }

  private mutating func key(
    _ kind: MatchKey, _ number: Int, _ index: Int, _ record: borrowing Record, _ table: inout KeyTable
  ) -> Int? {
    scratch.removeAll()
    scratch.append(kind.rawValue)
    identity.append(number, index, of: record, to: &scratch)
    return scratch.count > 1 ? Self.intern(scratch, &table) : nil
  }

  /// Fewer than three digits are no number that anybody has alone.
  private func isPhone() -> Bool {
    scratch.withBytes { bytes in
      var digits = 0
      for i in bytes.indices where ASCII.isDigit(bytes[i]) { digits += 1 }
      return digits >= 3
    }
  }

  private func isEmail() -> Bool {
    scratch.withBytes { bytes in
      for i in bytes.indices where bytes[i] == UInt8(ascii: "@") { return true }
      return false
    }
  }

  private static func intern(_ key: borrowing ByteBuffer, _ table: inout KeyTable) -> Int {
    key.withBytes { table.number(of: $0) }
  }

  private static func hash(_ value: borrowing ByteBuffer, _ seeds: (UInt64, UInt64), _ number: Int) -> (UInt64, UInt64) {
    value.withBytes {
      (
        ByteHash.hash($0, seed: seeds.0 ^ UInt64(truncatingIfNeeded: number)),
        ByteHash.hash($0, seed: seeds.1 ^ UInt64(truncatingIfNeeded: number))
      )
    }
  }
}
