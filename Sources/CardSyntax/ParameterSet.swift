// Sets of parameters, as bits.

/// A set of parameters that readers ask for by number, such as those of a line.
@usableFromInline package struct ParameterSet: OptionSet, BitwiseCopyable, Sendable {
  @usableFromInline package var rawValue: UInt64
  @inlinable @inline(__always) package init(rawValue: UInt64) { self.rawValue = rawValue }
  /// The set of these parameters.
  @inlinable package init(_ parameters: KnownParameter...) {
    rawValue = parameters.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
  }
  /// Is `parameter` one of them?
  @inlinable @inline(__always) package func has(_ parameter: KnownParameter) -> Bool {
    rawValue & (1 &<< UInt64(parameter.rawValue)) != 0
  }
  /// Is some parameter of `other` one of them?
  @inlinable @inline(__always) package func hasAny(of other: ParameterSet) -> Bool { rawValue & other.rawValue != 0 }
  /// Adds `parameter`.
  @inlinable @inline(__always) package mutating func insert(_ parameter: KnownParameter) { rawValue |= 1 &<< UInt64(parameter.rawValue) }
}
