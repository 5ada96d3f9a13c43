// Groups that a writer makes for lines that belong together.

internal import Bytes

/// Names for groups that a writer makes: `item1`, `item2`, … behind those that the contact has.
package struct GroupNames: Sendable, Equatable {
  private var last = 0

  /// Notes a group that is in use.
  package mutating func use(_ name: String) {
    let utf8 = name.utf8
    let bytes = utf8.span
    use(bytes, 0, bytes.count)
  }

  /// Notes the group whose name stands in `bytes[start ..< end]`.
  package mutating func use(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    guard end - start > 4, end - start < 22, bytes[start] | 32 == UInt8(ascii: "i"), bytes[start + 1] | 32 == UInt8(ascii: "t"),
      bytes[start + 2] | 32 == UInt8(ascii: "e"), bytes[start + 3] | 32 == UInt8(ascii: "m")
    else { return }
    var number = 0
    for i in start + 4..<end {
      guard ASCII.isDigit(bytes[i]) else { return }
      number = number * 10 + Int(bytes[i] - 48)
    }
    last = max(last, number)
  }

  /// The name that was made last.
  var latest: String { "item\(last)" }

  /// Adds the name that was made last.
  func appendLatest(to output: inout ByteBuffer) {
    output.append("item")
    output.append(decimal: last)
  }

  /// Makes a name that no line has the latest one.
  mutating func advance() { last += 1 }

  /// A name that no line has.
  package mutating func fresh() -> String {
    advance()
    return latest
  }
}
