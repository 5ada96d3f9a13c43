// Large move-only values behind one pointer.

/// Holds a move-only value for one owner. A reader of a dozen formats has hundreds of stored parts; behind a pointer, whoever holds one
/// moves a word, and the compiler, which follows each part of a move-only value through each function, has few to follow.
public final class Boxed<Value: ~Copyable> {
  /// The value, changed in place.
  public var value: Value

  /// Takes a value over.
  @inlinable
  public init(_ value: consuming Value) { self.value = value }
}
