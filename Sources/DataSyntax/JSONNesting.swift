// Which objects and arrays are open, without memory of their own.

/// The objects and arrays that are open, one bit each, the innermost lowest.
struct JSONNesting: Sendable {
  /// How many levels fit.
  static var capacity: Int { 128 }

  private var isObject: UInt128 = 0
  /// How many are open.
  private(set) var depth = 0

  /// True if nothing is open.
  var isEmpty: Bool { depth == 0 }

  /// True if something is open and the innermost is an object, or an array.
  func endsWith(object: Bool) -> Bool { depth > 0 && (isObject & 1 == 1) == object }

  /// One more level; the caller sees to the capacity.
  mutating func open(isObject object: Bool) {
    isObject = isObject &<< 1 | (object ? 1 : 0)
    depth += 1
  }

  /// Some levels less, at most all.
  mutating func close(_ levels: Int = 1) {
    isObject = isObject >> levels
    depth -= levels
  }

  /// How many levels must end to end the innermost object, or array; nil if there is none.
  func levelsToClose(object: Bool) -> Int? {
    let levels = (object ? isObject : ~isObject).trailingZeroBitCount + 1
    return levels <= depth ? levels : nil
  }
}
