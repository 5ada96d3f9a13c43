// What differs between two contacts, field by field, whatever their version and the spelling of their lines.

internal import Bytes
internal import CardSyntax

/// Compares contacts. REV, PRODID, the version, the order of lines, groups, identifiers of values and the spelling of labels make no
/// difference.
package struct ContactComparison: ~Copyable {
  /// A difference: a value that only one side has, or two that stand for each other.
  package struct Difference: Sendable, Hashable {
    /// The number of the field.
    package var field: Int
    /// Where the value begins in the record of the left side; nil where it has none.
    package var left: Int?
    /// The same of the right side.
    package var right: Int?
  }

  private var scratch = ByteBuffer()
  private let identity: ValueIdentity
  private let seeds: (UInt64, UInt64) = (.random(in: 1...(.max)), .random(in: 1...(.max)))

  package init(numbering: PhoneNumbering) { identity = ValueIdentity(numbering: numbering) }

  private static let passedOver: Set<Int> = Set(["version", "revision", "productID", "details"].compactMap { Person.field($0) })
  private static let fullName = CardWriter.fullName
  private static let uid = Person.field("uid") ?? 0
  private static let kind = Person.field("kind") ?? 0

  // MARK: Equal or not

  /// A number that is equal for contacts without any difference. It is another one in each run.
  package mutating func fingerprint(_ record: borrowing Record) -> [UInt64] {
    var total: (UInt64, UInt64) = (0, 0)
    for (number, places) in values(of: record) {
      for place in places {
        writeCanonical(number, place, record)
        guard !scratch.isEmpty else { continue }
        let hash = Self.hash(scratch, seeds, number)
        total = (total.0 &+ hash.0, total.1 &+ hash.1)
      }
    }
    return [total.0, total.1]
  }

  private static func hash(_ value: borrowing ByteBuffer, _ seeds: (UInt64, UInt64), _ number: Int) -> (UInt64, UInt64) {
    let salt = UInt64(truncatingIfNeeded: number)
    return value.withBytes { (ByteHash.hash($0, seed: seeds.0 ^ salt), ByteHash.hash($0, seed: seeds.1 ^ salt)) }
  }

  /// The places of the values of each field that counts.
  private func values(of record: borrowing Record) -> [(number: Int, places: [Int])] {
    var found: [(number: Int, places: [Int])] = []
    var i = 0
    while i < record.tokens.count {
      let number = Int(record.tokens[i].start)
      if record.tokens[i].operation == .field, i + 1 < record.tokens.count, !Self.passedOver.contains(number) {
        let isList = !Person.fields[number].isOne && record.tokens[i + 1].operation == .openList
        found.append((number, isList ? record.elements(i + 1) : [i + 1]))
      }
      i = record.next(i)
    }
    // Where the full name is missing, what the other fields say is as good as written.
    if !found.contains(where: { $0.number == Self.fullName }) { found.append((Self.fullName, [Self.madeName])) }
    return found
  }

  /// The place of a full name that is made from other fields.
  private static let madeName = -1

  /// Writes a value with all that counts as bytes that are equal where nothing differs; nothing for a value that says nothing.
  private mutating func writeCanonical(_ number: Int, _ place: Int, _ record: borrowing Record) {
    scratch.removeAll()
    if place == Self.madeName {
      scratch.append(Member.value.rawValue)
      scratch.append(text: FullName.made(from: record) ?? "")
      scratch.append(0)
      if scratch.count == 2 { scratch.removeAll() }
      return
    }
    let field = Person.fields[number]
    if case .unclaimed = field.layout {
      guard let line = UnclaimedText(record, at: place), !line.isBlank else { return }
      scratch.append(text: line.name.uppercased() + "\u{0}" + line.value)
      return append(line.parameters.map { ($0.name.lowercased(), $0.values) })
    }
    if number == Self.uid {
      if let text = record.valuePlace(place) { scratch.append(text: ValueIdentity.identifier(record.string(text))) }
      return
    }
    if number == Self.kind, record.string(place) == "individual" { return }
    if field.kind is InstantMessageKind {
      identity.append(number, place, of: record, to: &scratch)
    } else {
      ValueIdentity.appendParts(place, of: record, to: &scratch)
    }
    guard !scratch.isEmpty else { return }
    let annotations = field.isOne ? Self.details(field, record) : Annotations(record, at: place)
    for label in Set(annotations.labels.map { $0.lowercased() }).sorted() { scratch.append(text: "\u{1}" + label) }
    if let preference = annotations.preference { scratch.append(text: "\u{2}\(preference)") }
    if let language = annotations.language { scratch.append(text: "\u{3}" + language.lowercased()) }
    append(annotations.parameters)
  }

  private static func details(_ field: Field, _ record: borrowing Record) -> Annotations {
    guard let index = record.value(ofField: Person.detailsField), record.tokens[index].operation == .openObject else {
      return Annotations()
    }
    for place in record.elements(index) where record.tokens[place].operation == .key && record.string(place) == field.key {
      return Annotations(record, at: place + 1)
    }
    return Annotations()
  }

  /// Parameters that only say how the line was spelled in its version.
  private static let spelling: Set<String> = [
    "type", "ablabel", "value", "charset", "encoding", "pid", "prop-id", "pref", "mediatype", "calscale", "apple-omit-year", "service-type",
  ]

  private mutating func append(_ parameters: [(name: String, values: [String])]) {
    var told: [String] = []
    for (name, values) in parameters {
      let plain = name.hasPrefix("x-") ? String(name.dropFirst(2)) : name
      if !Self.spelling.contains(plain) { told.append("\u{4}" + plain + "=" + values.joined(separator: ",")) }
    }
    for text in told.sorted() { scratch.append(text: text) }
  }

  // MARK: Differences

  /// What differs between two contacts, in the order of the fields.
  package mutating func differences(_ left: borrowing Record, _ right: borrowing Record) -> [Difference] {
    var found: [Difference] = []
    var sides: [Int: (left: [Int], right: [Int])] = [:]
    for (number, places) in values(of: left) { sides[number, default: ([], [])].left = places }
    for (number, places) in values(of: right) { sides[number, default: ([], [])].right = places }
    for number in sides.keys.sorted() {
      guard let side = sides[number] else { continue }
      found += differences(number, side.left, side.right, left, right)
    }
    return found
  }

  private mutating func differences(
    _ number: Int, _ lefts: [Int], _ rights: [Int], _ left: borrowing Record, _ right: borrowing Record
  ) -> [Difference] {
    var (ours, theirs) = (said(number, lefts, left), said(number, rights, right))
    // What stands on both sides is no difference, however often it does.
    Self.cancel(&ours, &theirs) { $0.canonical }
    var found: [(position: Int, difference: Difference)] = []
    let pairs = Self.cancel(&ours, &theirs) { $0.identity }
    for (a, b) in pairs { found.append((a.position, Self.difference(number, a, b))) }
    if Person.fields[number].isOne, let a = ours.first, let b = theirs.first {
      found.append((0, Self.difference(number, a, b)))
    } else {
      for a in ours { found.append((a.position, Self.difference(number, a, nil))) }
      for b in theirs { found.append((lefts.count + b.position, Self.difference(number, nil, b))) }
    }
    found.removeAll { $0.difference.left == nil && $0.difference.right == nil }
    return found.sorted { $0.position < $1.position }.map(\.difference)
  }

  private static func difference(_ number: Int, _ left: Said?, _ right: Said?) -> Difference {
    func place(_ said: Said?) -> Int? { said.flatMap { $0.place == madeName ? nil : $0.place } }
    return Difference(field: number, left: place(left), right: place(right))
  }

  /// A value and what it is compared by.
  private struct Said {
    var position: Int
    var place: Int
    var canonical: [UInt8]
    var identity: [UInt8]
  }

  private mutating func said(_ number: Int, _ places: [Int], _ record: borrowing Record) -> [Said] {
    var found: [Said] = []
    for (position, place) in places.enumerated() {
      writeCanonical(number, place, record)
      guard !scratch.isEmpty else { continue }
      let canonical = scratch.array()
      scratch.removeAll()
      if place != Self.madeName { identity.append(number, place, of: record, to: &scratch) }
      found.append(Said(position: position, place: place, canonical: canonical, identity: scratch.array()))
    }
    return found
  }

  /// Takes out pairs, one of each side, that are equal by `key`.
  @discardableResult
  private static func cancel(_ left: inout [Said], _ right: inout [Said], by key: (Said) -> [UInt8]) -> [(Said, Said)] {
    guard !left.isEmpty, !right.isEmpty else { return [] }
    var waiting: [[UInt8]: [Said]] = [:]
    for one in right.reversed() { waiting[key(one), default: []].append(one) }
    var pairs: [(Said, Said)] = []
    var rest: [Said] = []
    var taken = Set<Int>()
    for one in left {
      if let partner = waiting[key(one)]?.popLast() {
        pairs.append((one, partner))
        taken.insert(partner.position)
      } else {
        rest.append(one)
      }
    }
    left = rest
    right.removeAll { taken.contains($0.position) }
    return pairs
  }
}

/// Which contacts of two address books stand for each other.
package struct ContactPairs: Sendable {
  /// The partner of each contact of both books, numbered through; nil where it has none.
  package private(set) var partners: [Int?]
  /// Do the contact and its partner differ?
  package let differ: [Bool]

  /// Pairs the contacts of a matcher; those below `count` are the left book's. Contacts without any difference, which is what
  /// `fingerprints` are for, are paired first. Of several that are one person, those with one identifier are paired first, then in order.
  package init(_ matcher: borrowing ContactMatcher, leftCount count: Int, fingerprints: [[UInt64]]) {
    var partners: [Int?] = Array(repeating: nil, count: matcher.count)
    func pair(_ lefts: [Int], _ rights: [Int], by key: (Int) -> [UInt64]?) {
      var waiting: [[UInt64]: [Int]] = [:]
      for right in rights.reversed() { if let key = key(right) { waiting[key, default: []].append(right) } }
      for left in lefts {
        guard let key = key(left), let right = waiting[key]?.popLast() else { continue }
        (partners[left], partners[right]) = (right, left)
      }
    }
    pair(Array(0..<count), Array(count..<matcher.count)) { fingerprints[$0] }
    for group in matcher.plan().groups {
      func rest(_ isLeft: Bool) -> [Int] { group.members.filter { ($0 < count) == isLeft && partners[$0] == nil } }
      let uids = Dictionary(
        uniqueKeysWithValues: group.members.compactMap { member in
          matcher.keys(member).first { matcher.kind(Int($0)) == .uid }.map { (member, UInt64($0)) }
        })
      pair(rest(true), rest(false)) { uids[$0].map { [$0] } }
      for (left, right) in zip(rest(true), rest(false)) { (partners[left], partners[right]) = (right, left) }
    }
    self.partners = partners
    differ = partners.indices.map { contact in partners[contact].map { fingerprints[$0] != fingerprints[contact] } ?? false }
  }
}
