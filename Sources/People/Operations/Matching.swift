// Who is the same person: contacts that share a key and whose names fit are put together, and nobody else.

internal import Bytes
internal import CardSyntax

/// Finds contacts that are the same person. It keeps the keys of every contact and nothing else of it.
package struct ContactMatcher: ~Copyable {
  /// A contact as the matcher knows it.
  package struct Entry: Sendable {
    /// The file that it stands in, by its place among the inputs.
    package var file: Int32
    /// The physical line of its BEGIN; 0 where there is none.
    package var line: UInt32
    /// The number of its packed name.
    var name: UInt32
    /// The number of the name that is shown.
    var title: UInt32
    /// Where its keys begin.
    var firstKey: UInt32
  }

  package private(set) var entries: [Entry] = []
  private var keys: [UInt32] = []
  private(set) var table = KeyTable()
  private var reader: MatchKeyReader

  /// A matcher by some keys. Equal contacts are found where names are looked at.
  package init(by keys: Set<MatchKey> = Set(MatchKey.allCases), numbering: PhoneNumbering) {
    var keys = keys
    if keys.contains(.name) { keys.insert(.equal) } else { keys.remove(.equal) }
    reader = MatchKeyReader(keys, numbering: numbering)
  }

  /// Takes the next contact; contacts are numbered from 0.
  package mutating func add(_ record: borrowing Record, file: Int = 0, line: Int = 0) {
    let name = ComparableName(record)
    entries.append(
      Entry(
        file: Int32(truncatingIfNeeded: file), line: UInt32(truncatingIfNeeded: line),
        name: UInt32(truncatingIfNeeded: table.number(of: "N" + name.packed)),
        title: UInt32(truncatingIfNeeded: table.number(of: "T" + Self.title(record))), firstKey: UInt32(truncatingIfNeeded: keys.count)))
    reader.read(record, name, &table, to: &keys)
  }

  private static func title(_ record: borrowing Record) -> String {
    if let index = record.value(ofField: CardWriter.fullName) {
      let text = record.string(index).trimmed
      if !text.isEmpty { return text }
    }
    return FullName.made(from: record) ?? ""
  }

  /// How many contacts there are.
  package var count: Int { entries.count }

  /// The name that a contact is shown by; empty where it has none.
  package func title(_ contact: Int) -> String { String(table.text(Int(entries[contact].title)).dropFirst()) }

  /// The numbers of the contact's keys.
  func keys(_ contact: Int) -> ArraySlice<UInt32> {
    let end = contact + 1 < entries.count ? Int(entries[contact + 1].firstKey) : keys.count
    return keys[Int(entries[contact].firstKey)..<end]
  }

  func name(_ contact: Int) -> ComparableName { ComparableName(packed: String(table.text(Int(entries[contact].name)).dropFirst())) }

  /// What a key is.
  func kind(_ key: Int) -> MatchKey? { MatchKey(rawValue: table.firstByte(key)) }

  /// What contacts have in common by a key, for people: an e-mail address, a number.
  func text(ofKey key: Int) -> String {
    guard let kind = kind(key), kind != .equal, kind != .name else { return "" }
    return String(table.text(key).dropFirst())
  }

  /// The contacts of each key that several have, in the order of keys, by kinds.
  func buckets(_ kinds: Set<MatchKey>) -> KeyBuckets { KeyBuckets(self, kinds) }
}

/// Which contacts have which key, of the keys that more than one contact has.
struct KeyBuckets: Sendable {
  private(set) var keys: [Int] = []
  private var starts: [Int] = []
  private var members: [Int32] = []

  fileprivate init(_ matcher: borrowing ContactMatcher, _ kinds: Set<MatchKey>) {
    var counts = Array(repeating: Int32(0), count: matcher.table.count)
    for contact in 0..<matcher.count { for key in matcher.keys(contact) { counts[Int(key)] += 1 } }
    var places = Array(repeating: Int32(-1), count: counts.count)
    var total = 0
    for key in counts.indices where counts[key] > 1 {
      guard let kind = matcher.kind(key), kinds.contains(kind) else { continue }
      places[key] = Int32(truncatingIfNeeded: keys.count)
      keys.append(key)
      starts.append(total)
      total += Int(counts[key])
    }
    var next = starts
    starts.append(total)
    members = Array(repeating: 0, count: total)
    for contact in 0..<matcher.count {
      for key in matcher.keys(contact) where places[Int(key)] >= 0 {
        let place = Int(places[Int(key)])
        members[next[place]] = Int32(truncatingIfNeeded: contact)
        next[place] += 1
      }
    }
  }

  /// How many keys there are.
  var count: Int { keys.count }

  /// The contacts that have the key at `place`, in their order.
  subscript(place: Int) -> ArraySlice<Int32> { members[starts[place]..<starts[place + 1]] }
}

/// Sets that grow together: each element knows its set by the smallest element in it.
struct DisjointSets: Sendable {
  private var parents: [Int32]

  init(count: Int) { parents = (0..<Int32(truncatingIfNeeded: count)).map { $0 } }

  /// The smallest element of the set that `element` is in.
  mutating func find(_ element: Int) -> Int {
    var root = Int32(truncatingIfNeeded: element)
    while parents[Int(root)] != root { root = parents[Int(root)] }
    var step = Int32(truncatingIfNeeded: element)
    while parents[Int(step)] != root { (step, parents[Int(step)]) = (parents[Int(step)], root) }
    return Int(root)
  }

  /// Makes two sets one.
  mutating func join(_ a: Int, _ b: Int) {
    let (x, y) = (find(a), find(b))
    if x < y { parents[y] = Int32(truncatingIfNeeded: x) } else if y < x { parents[x] = Int32(truncatingIfNeeded: y) }
  }
}
