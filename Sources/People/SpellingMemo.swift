// What stands besides a value in a record, and how a version spells it, worked out once for every combination that comes.

internal import Bytes
internal import CardSyntax

/// The annotations of a value, and their spelling. They are shared, since they have many parts and each line is written with some.
package final class SpelledAnnotations: Sendable {
  package let annotations: Annotations
  package let spelling: Label.Written
  /// The type of the value that is asked for; see `LineContext.valueType`.
  let valueType: String?

  /// Nothing but the value.
  static let none = SpelledAnnotations(Annotations(), Label.Written())

  init(_ annotations: Annotations, _ spelling: Label.Written) {
    (self.annotations, self.spelling) = (annotations, spelling)
    valueType = (annotations.values("value") ?? annotations.values("x-value"))?.first?.lowercased()
  }
}

/// Remembers spellings, and the heads of lines that were written with them. One writer of one version owns it.
struct SpellingMemo: ~Copyable {
  private var memo = ByteMemo<SpelledAnnotations>()
  private var heads = ByteMemo<KnownHead>()
  /// The heads of values that carry what has a number.
  private var numbered = NumberMemo<KnownHead>()
  private var key = ByteBuffer(capacity: 256)
  private var version = CardVersion.v40

  /// The annotations of the object at `index` of a record, and how `version` spells them for a field.
  mutating func spelled(_ index: Int, of record: borrowing Record, _ field: Field, in version: CardVersion) -> SpelledAnnotations {
    begin(record, version, field.types.rawValue)
    if record.tokens[index].operation == .openObject { addParts(of: index, record) }
    if let known = memo.value(of: key) { return known }
    let annotations = Annotations(record, at: index)
    let fresh = SpelledAnnotations(annotations, annotations.spelling(in: version, from: record.version, types: field.types))
    memo.keep(fresh, for: key)
    return fresh
  }

  /// The head of lines of a field that carry what the object at `index` of a record carries; nil where none was kept.
  mutating func head(
    _ index: Int, of record: borrowing Record, _ field: Int, in version: CardVersion, hasAnnotations: Bool
  ) -> KnownHead? {
    follow(version)
    let carried = hasAnnotations ? record.carried(index) : Record.Excerpt.nothing
    let number = carried == 0 ? 0 : UInt64(carried) &<< 16 | UInt64(field) &<< 8 | UInt64(record.version.rawValue)
    if number > 0, let known = numbered.value(of: number) { return known }
    begin(record, version, UInt8(truncatingIfNeeded: field))
    if hasAnnotations, record.tokens[index].operation == .openObject { addParts(of: index, record) }
    let known = heads.value(of: key)
    if let known, number > 0 { numbered.keep(known, for: number) }
    return known
  }

  /// Keeps the head that was asked for last.
  mutating func keep(head: KnownHead) { heads.keep(head, for: key) }

  /// Forgets the answers for another version.
  @inline(__always)
  private mutating func follow(_ version: CardVersion) { if self.version != version { beginAnew(version) } }

  private mutating func beginAnew(_ version: CardVersion) {
    self.version = version
    memo = ByteMemo()
    heads = ByteMemo()
    numbered = NumberMemo()
  }

  /// Begins a key.
  private mutating func begin(_ record: borrowing Record, _ version: CardVersion, _ group: UInt8) {
    follow(version)
    key.removeAll()
    key.append(record.version.rawValue)
    key.append(group)
  }

  /// Adds all that is not the value: tokens as they stand, each text behind its length.
  private mutating func addParts(of index: Int, _ record: borrowing Record) {
    let end = Int(record.tokens[index].start)
    var i = index + 1
    while i < end {
      let next = record.next(i)
      if record.tokens[i].member.isAnnotation {
        for place in i..<next {
          let token = record.tokens[place]
          key.append(token.operation.rawValue)
          key.append(token.member.rawValue)
          switch token.operation {
          case .text, .number, .key:
            key.append(word: UInt64(token.end - token.start), count: 4)
            record.append(place, to: &key)
          case .field, .openObject, .openList, .close: break
          }
        }
      }
      i = next
    }
  }
}
