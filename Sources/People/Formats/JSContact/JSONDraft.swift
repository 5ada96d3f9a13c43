// A JSON object in the making: its members come in any order, are written once each, and are put together at the end.

internal import Bytes

/// An object whose inner objects get their members one by one, in any order. Each member is a run of `bytes`; what belongs to what is a
/// table of places. Its memory is used again for the next object.
struct JSONDraft: ~Copyable {
  private struct Node: BitwiseCopyable {
    /// What was written of the member: its key, and its value; of an object without the closing brace.
    var start: Int, keyEnd: Int, end: Int
    var isObject: Bool
    /// The members that came later, as a list, and how many they are.
    var first = -1, last = -1, next = -1, count = 0
  }

  /// What has been written; whoever adds a member writes it to the end first.
  var bytes = ByteBuffer(capacity: 1 << 12)
  private var nodes: [Node] = []
  /// The keys of objects that have many members: few are found sooner by looking at each.
  private var keys: [Int: Set<[UInt8]>] = [:]
  private static let few = 16

  /// Begins anew with an object of which this is written, but for its closing brace; its number is 0.
  mutating func begin(_ text: StaticString) {
    bytes.removeAll()
    bytes.releaseSpare()
    nodes.removeAll(keepingCapacity: true)
    if !keys.isEmpty { keys.removeAll() }
    bytes.append(text)
    nodes.append(Node(start: 0, keyEnd: 0, end: bytes.count, isObject: true))
  }

  /// Adds what was written from `start` on (up to `end`, where more was written since) to an object, as a member that is one itself or
  /// not, and gives its number.
  @discardableResult
  mutating func add(to object: Int, from start: Int, keyEnd: Int? = nil, end: Int? = nil, isObject: Bool = false) -> Int {
    let number = nodes.count
    let keyEnd = keyEnd ?? start
    nodes.append(Node(start: start, keyEnd: keyEnd, end: end ?? bytes.count, isObject: isObject))
    if nodes[object].last < 0 { nodes[object].first = number } else { nodes[nodes[object].last].next = number }
    nodes[object].last = number
    nodes[object].count += 1
    if !keys.isEmpty, keys[object] != nil {
      let key = key(start, keyEnd)
      keys[object]?.insert(key)
    }
    return number
  }

  /// Puts what was written from `start` on in the place of a member.
  mutating func replace(_ number: Int, from start: Int) { (nodes[number].start, nodes[number].end) = (start, bytes.count) }

  /// Has an object a member with the key that was written from `start` on, quotes and all?
  mutating func has(_ object: Int, keyFrom start: Int) -> Bool {
    let end = bytes.count
    if nodes[object].count > Self.few {
      if keys[object] == nil {
        var found = Set<[UInt8]>()
        var member = nodes[object].first
        while member >= 0 {
          found.insert(key(nodes[member].start, nodes[member].keyEnd))
          member = nodes[member].next
        }
        keys[object] = found
      }
      return keys[object]?.contains(key(start, end)) == true
    }
    var member = nodes[object].first
    while member >= 0 {
      let node = nodes[member]
      if node.keyEnd - node.start == end - start,
        bytes.withBytes({ Words.areEqual($0, node.start, $0, start, count: end - start) })
      {
        return true
      }
      member = node.next
    }
    return false
  }

  private func key(_ start: Int, _ end: Int) -> [UInt8] {
    var text = ByteBuffer(capacity: end - start + 1)
    bytes.withBytes { text.append($0, start, end) }
    return text.array()
  }

  /// The key of a member as it was written, with its quotes.
  func appendKey(of number: Int, to output: inout ByteBuffer) {
    bytes.withBytes { output.append($0, nodes[number].start, nodes[number].keyEnd) }
  }

  /// Writes the whole object, but for its closing brace.
  func write(to output: inout ByteBuffer) { write(0, to: &output) }

  private func write(_ number: Int, to output: inout ByteBuffer) {
    let node = nodes[number]
    bytes.withBytes { output.append($0, node.start, node.end) }
    var needsComma = bytes[node.end - 1] != UInt8(ascii: "{")
    var member = node.first
    while member >= 0 {
      if needsComma { output.append(ASCII.comma) }
      needsComma = true
      write(member, to: &output)
      if nodes[member].isObject { output.append(UInt8(ascii: "}")) }
      member = nodes[member].next
    }
  }
}
