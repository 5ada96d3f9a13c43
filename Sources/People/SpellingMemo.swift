// What stands besides a value in a record, and how a version spells it, worked out once for every combination that comes.

internal import Bytes
internal import CardSyntax

/// The annotations of a value, and their spelling. They are shared, since they have many parts and each line is written with some.
package final class SpelledAnnotations: Sendable {
  package let annotations: Annotations
  package let spelling: Label.Written

  /// Nothing but the value.
  static let none = SpelledAnnotations(Annotations(), Label.Written())

  init(_ annotations: Annotations, _ spelling: Label.Written) { (self.annotations, self.spelling) = (annotations, spelling) }

  init(_ annotations: Annotations, in version: CardVersion, from origin: CardVersion, types: Field.Types) {
    self.annotations = annotations
    spelling = annotations.spelling(in: version, from: origin, types: types)
  }
}

/// Remembers spellings. One writer of one version owns it.
struct SpellingMemo: ~Copyable {
  private var memo = ByteMemo<SpelledAnnotations>()
  private var key = ByteBuffer(capacity: 256)
  private var version: CardVersion?

  /// The annotations of the object at `index` of a record, and how `version` spells them for a field.
  mutating func spelled(_ index: Int, of record: borrowing Record, _ field: Field, in version: CardVersion) -> SpelledAnnotations {
    if self.version != version {
      self.version = version
      memo = ByteMemo()
    }
    key.removeAll()
    key.append(record.version.rawValue)
    key.append(field.types.rawValue)
    if record.tokens[index].operation == .openObject { addParts(of: index, record) }
    if let known = memo.value(of: key) { return known }
    let fresh = SpelledAnnotations(Annotations(record, at: index), in: version, from: record.version, types: field.types)
    memo.keep(fresh, for: key)
    return fresh
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
