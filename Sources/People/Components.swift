// Where the components of a structured value stand.

/// The components of a value that semicolons divide, as places; of more than 18, which no property has, the first 18.
package struct Components {
  /// How many the value has.
  package private(set) var count = 0
  private let start: Int
  private var ends = InlineArray<18, Int>(repeating: 0)

  init(_ start: Int) { self.start = start }

  mutating func append(_ end: Int) {
    if count < ends.count { ends[count] = end }
    count += 1
  }

  /// How many can be asked for.
  package var known: Int { min(count, ends.count) }

  /// Where the component of this number, from 0, stands.
  package subscript(number: Int) -> (start: Int, end: Int) { (number == 0 ? start : ends[number - 1] + 1, ends[number]) }
}
