// Sets of fields, as bits.

/// A set of fields, by number.
package struct FieldSet: BitwiseCopyable, Equatable, Sendable {
  private var bits: UInt128

  /// All fields.
  package static let all = FieldSet(Person.fields.indices)
  /// All fields but those that hold pictures.
  package static let withoutPictures = FieldSet(Person.fields.indices.filter { !Person.pictureFields.contains($0) })
  /// The fields that hold pictures.
  static let pictures = FieldSet(Person.pictureFields)
  /// No field.
  package static var none: FieldSet { FieldSet(bits: 0) }
  /// The fields that take lines of others by their label.
  static let adopting = FieldSet(FieldNames.adopters.map { Int($0.field) })
  /// The fields that hold one value.
  static let single = FieldSet(Person.fields.indices.filter { Person.fields[$0].isOne })

  private init(bits: UInt128) { self.bits = bits }

  /// The fields of these numbers.
  package init(_ numbers: some Sequence<Int>) {
    bits = 0
    for number in numbers where Person.fields.indices.contains(number) { insert(number) }
  }

  /// Is the field one of them?
  @inline(__always)
  package func has(_ number: Int) -> Bool {
    precondition(number >= 0 && number < 128)
    let word = UInt64(truncatingIfNeeded: number < 64 ? bits : bits &>> 64)
    return word &>> UInt64(truncatingIfNeeded: number) & 1 != 0
  }

  /// Is none in it?
  var isEmpty: Bool { bits == 0 }

  /// Is some field of `other` in it?
  func hasAny(of other: FieldSet) -> Bool { bits & other.bits != 0 }

  /// Adds a field; false where it was there.
  @inline(__always)
  @discardableResult
  mutating func insert(_ number: Int) -> Bool {
    let before = bits
    bits |= Self.bit(number)
    return bits != before
  }

  /// The fields that are in both.
  func intersection(_ other: FieldSet) -> FieldSet {
    var result = self
    result.bits &= other.bits
    return result
  }

  /// The fields that are in one of both.
  func union(_ other: FieldSet) -> FieldSet {
    var result = self
    result.bits |= other.bits
    return result
  }

  /// The fields that are not in `other`.
  func subtracting(_ other: FieldSet) -> FieldSet {
    var result = self
    result.bits &= ~other.bits
    return result
  }

  /// Takes the field with the lowest number out; nil where there is none.
  @inline(__always)
  mutating func removeFirst() -> Int? {
    guard bits != 0 else { return nil }
    let number = bits.trailingZeroBitCount
    bits &= bits &- 1
    return number
  }

  @inline(__always)
  private static func bit(_ number: Int) -> UInt128 {
    precondition(number >= 0 && number < 128)
    return 1 &<< UInt128(truncatingIfNeeded: number)
  }
}
