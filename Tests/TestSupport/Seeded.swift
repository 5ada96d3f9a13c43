// Repeatable random numbers for the tests.

/// Numbers that look random and are the same in every run (SplitMix64).
package struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z &>> 31)
  }

  /// A number from 0 to `limit` - 1.
  package mutating func below(_ limit: Int) -> Int { Int(next() >> 11) % limit }

  /// True in one of `count` cases.
  package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// One of the elements of a list that is not empty.
  package mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
}
