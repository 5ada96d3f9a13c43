// How a line of a card stands to the rows of the table and to other lines.

/// What is known of a line beyond its text. It has 24 bytes: the odd number of bytes that it would have with a byte for each answer is
/// copied in two pieces that overlap, which costs a twentieth of the time of passing cards on.
package struct LineLink: BitwiseCopyable, Sendable {
  /// The field that the line belongs to; the last one, `unclaimed`, where no other holds it.
  package var field: UInt8 = 0
  /// The line's place among the field's names.
  package var alias: UInt8 = 0
  /// How it stands to its field.
  package var role: Role = .primary
  /// How lines of this name stand to the field's values.
  var nameRole = NameRole.none
  /// The next line of the same field, -1 at the end.
  package var next: Int32 = -1
  /// The X-ABLabel line of its group, -1 where there is none.
  package var label: Int32 = -1
  /// A line that tells more of this one (LABEL of ADR), -1 where there is none.
  package var companion: Int32 = -1
  /// A second one (X-ABADR).
  package var secondCompanion: Int32 = -1
  private var bits: UInt32 = 0

  /// The group serves its label (or X-ABADR) alone, so that its name says nothing.
  package var groupIsLocal: Bool {
    get { self[bit: 1] }
    set { self[bit: 1] = newValue }
  }
  /// Every text is a value of the field.
  var readsAnyText: Bool {
    get { self[bit: 2] }
    set { self[bit: 2] = newValue }
  }
  /// The name is the field's first and says nothing but the field.
  var isStandardName: Bool {
    get { self[bit: 4] }
    set { self[bit: 4] = newValue }
  }
  /// Of a label line: a line that is read has the label.
  var isUsed: Bool {
    get { self[bit: 8] }
    set { self[bit: 8] = newValue }
  }
  /// Of a label line: a line has it that only says something again.
  var isRepeated: Bool {
    get { self[bit: 16] }
    set { self[bit: 16] = newValue }
  }

  @inline(__always)
  private subscript(bit bit: UInt32) -> Bool {
    get { bits & bit != 0 }
    set { bits = newValue ? bits | bit : bits & ~bit }
  }

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
