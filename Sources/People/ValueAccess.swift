// Short ways to the values of a person: by label, by identifier, the first or preferred one; adding and removing.

extension Array {
  /// The values that carry this label.
  public subscript<Value>(label: Label) -> [Value] where Element == Labeled<Value> { filter { $0.has(label) }.map(\.value) }

  /// The value that is preferred: the one with the smallest preference, else the first; nil where there is none (RFC 6350 5.3).
  public func preferred<Value>() -> Value? where Element == Labeled<Value> {
    enumerated().min { ($0.element.preference ?? 101, $0.offset) < ($1.element.preference ?? 101, $1.offset) }?.element.value
  }

  /// The value with this identifier (PROP-ID, or PID); nil where none has it. An empty identifier is none.
  public func value<Value>(withID id: String) -> Value? where Element == Labeled<Value> {
    id.isEmpty ? nil : first { $0.id == id }?.value
  }

  /// The place of the value with this identifier; nil where none has it.
  public func index<Value>(ofID id: String) -> Int? where Element == Labeled<Value> {
    id.isEmpty ? nil : firstIndex { $0.id == id }
  }

  /// The first label of the value at `index`; nil where it has none, or there is no such value.
  public func label<Value>(at index: Int) -> Label? where Element == Labeled<Value> {
    indices.contains(index) ? self[index].labels.first : nil
  }

  /// Adds a value with its labels. `id` is a name of your own by which the value is found again; it goes into cards as PROP-ID.
  public mutating func append<Value>(_ value: Value, _ labels: Label..., preference: Int? = nil, id: String = "")
  where Element == Labeled<Value> {
    var labeled = Labeled(value, preference: preference)
    labeled.labels = labels
    labeled.id = id
    append(labeled)
  }

  /// Removes the values that carry this label; returns how many there were.
  @discardableResult
  public mutating func removeAll<Value>(labeled label: Label) -> Int where Element == Labeled<Value> {
    let before = count
    removeAll { $0.has(label) }
    return before - count
  }
}
