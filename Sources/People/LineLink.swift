// How a line of a card stands to the rows of the table and to other lines.

/// What is known of a line beyond its text.
package struct LineLink: BitwiseCopyable, Sendable {
  /// The field that the line belongs to; the last one, `unclaimed`, where no other holds it.
  package var field: UInt8 = 0
  /// The line's place among the field's names.
  package var alias: UInt8 = 0
  /// How it stands to its field.
  package var role: Role = .primary
  /// The next line of the same field, -1 at the end.
  package var next: Int32 = -1
  /// The X-ABLabel line of its group, -1 where there is none.
  package var label: Int32 = -1
  /// A line that tells more of this one (LABEL of ADR), -1 where there is none.
  package var companion: Int32 = -1
  /// A second one (X-ABADR).
  package var secondCompanion: Int32 = -1
  /// The group serves its label (or X-ABADR) alone, so that its name says nothing.
  package var groupIsLocal = false
  /// How lines of this name stand to the field's values.
  var nameRole = NameRole.none
  /// Every text is a value of the field.
  var readsAnyText = false
  /// The name is the field's first and says nothing but the field.
  var isStandardName = false
  /// Of a label line: whether a line that is read has the label, and whether one has that only says something again.
  var isUsed = false, isRepeated = false

  package enum Role: UInt8, BitwiseCopyable, Sendable {
    /// A value of its own.
    case primary
    /// Tells more of a primary line, and is read and written with it.
    case companion
    /// One more line of a field that holds one value, or an empty one: kept as `unclaimed`.
    case extra
    /// Says what a primary line of the field says already.
    case duplicate
  }
}

/// How lines of some name stand to the field's values, as `Field.Role` tells; `none` for names of no field.
enum NameRole: UInt8, BitwiseCopyable {
  case none, value, part, groupCompanion, typeCompanion, adopted, item

  init(_ role: Field.Role) {
    switch role {
    case .value: self = .value
    case .part: self = .part
    case .groupCompanion: self = .groupCompanion
    case .typeCompanion: self = .typeCompanion
    case .adopted: self = .adopted
    case .item: self = .item
    }
  }

  /// Is a line of this role a value of the field?
  var isValue: Bool { self == .value || self == .adopted || self == .item }
}
