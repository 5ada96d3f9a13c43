// A JSON object in the making: its members come in any order, are written once each, and are put together at the end.

internal import Bytes

/// An object whose inner objects get their members one by one, in any order. All is written to `bytes`, one behind the other; what belongs
/// to what is a table of runs, which members that follow each other in one object share. Its memory is used again for the next object.
struct JSONDraft: ~Copyable {
  /// Members of one object, each with the comma before it; or an inner object: its key, its brace and its first members.
  struct Run: BitwiseCopyable {
    var text = Piece()
    /// The inner object, -1 where there is none, and the next run of the same object, -1 behind the last.
    var object = -1, next = -1
  }

  /// An object: its runs, as a list, and whether it has a member.
  struct Object: BitwiseCopyable {
    var first = -1, last = -1
    var hasMembers = false
    /// The key that was noted last, the list's first, and how many there are.
    var firstKey = -1, keyCount = 0
  }

  /// A key that was noted, with its quotes, and the one that was noted before it, -1 where there is none.
  struct Key: BitwiseCopyable {
    var text: Piece
    var next: Int
  }

  /// What has been written; whoever adds a member says so first.
  var bytes = ByteBuffer(capacity: 1 << 12)
  private var runs = Tape<Run>()
  private var objects = Tape<Object>()
  /// The run that is written to, and whose members; -1 for none.
  private var open = -1, current = -1
  /// Members that objects got after they were closed, and where.
  private var insertions: [(place: Int, text: Piece)] = []
  /// The keys that were noted, of all objects.
  private var keys = Tape<Key>()
  /// The keys of objects that have many: few are found sooner by looking at each.
  private var keySets: [Int: Set<[UInt8]>] = [:]
  private static let few = 16

  /// Begins anew with an object of which this is written, but for its closing brace; its number is 0.
  mutating func begin(_ text: StaticString) {
    bytes.removeAll()
    bytes.releaseSpare()
    runs.removeAll()
    objects.removeAll()
    keys.removeAll()
    if !insertions.isEmpty { insertions.removeAll() }
    if !keySets.isEmpty { keySets.removeAll() }
    bytes.append(text)
    objects.append(Object(hasMembers: true))
    addRun(Run(), to: 0)
    (open, current) = (0, 0)
  }

  private mutating func addRun(_ run: Run, to object: Int) {
    let number = runs.count
    runs.append(run)
    if objects[object].first < 0 { objects[object].first = number } else { runs[objects[object].last].next = number }
    objects[object].last = number
  }

  /// Nothing more is written to the run that is open.
  private mutating func close() {
    if open >= 0 { runs[open].text.end = bytes.count }
    (open, current) = (-1, -1)
  }

  /// A member of an object, or several, follow.
  @inline(__always)
  mutating func begin(memberOf object: Int) {
    if object != current {
      beginRun(in: object)
      current = object
    }
    appendComma(in: object)
  }

  /// Begins a run, of an object or with an inner one.
  private mutating func beginRun(in object: Int, with inner: Int = -1) {
    close()
    open = runs.count
    addRun(Run(text: Piece(start: bytes.count, end: bytes.count), object: inner), to: object)
  }

  @inline(__always)
  private mutating func appendComma(in object: Int) {
    if objects[object].hasMembers { bytes.append(ASCII.comma) } else { objects[object].hasMembers = true }
  }

  /// Begins an inner object, and gives its number; its key and a brace follow, and then its members.
  mutating func beginObject(in outer: Int) -> Int {
    let number = objects.count
    objects.append(Object())
    beginRun(in: outer, with: number)
    current = number
    appendComma(in: outer)
    return number
  }

  /// Keeps a place among the members of an object for one that follows, or that is written later; gives its number.
  mutating func reserve(in object: Int) -> Int {
    close()
    addRun(Run(), to: object)
    objects[object].hasMembers = true
    return runs.count - 1
  }

  /// The member for a reserved place follows, up to `endReserved`; one that stands there is replaced.
  mutating func begin(reserved run: Int) {
    close()
    open = run
    runs[run].text.start = bytes.count
    bytes.append(ASCII.comma)
  }

  /// Ends the member for a reserved place.
  mutating func endReserved() { close() }

  /// Puts what was written from `start` on, members with a comma before each, behind those of an object that is closed at `place`. The
  /// caller said `beginInsertion` before.
  mutating func insert(from start: Int, at place: Int) { insertions.append((place, Piece(start: start, end: bytes.count))) }

  /// A member for an object that is closed follows; gives where it begins.
  mutating func beginInsertion() -> Int {
    close()
    return bytes.count
  }

  // MARK: Keys

  /// Notes a key of an object, so that `has` finds it.
  mutating func note(_ key: Piece, of object: Int) {
    keys.append(Key(text: key, next: objects[object].firstKey))
    objects[object].firstKey = keys.count - 1
    objects[object].keyCount += 1
    guard !keySets.isEmpty, keySets[object] != nil else { return }
    let text = array(key)
    keySets[object]?.insert(text)
  }

  /// Was the key noted that was written from `start` on, quotes and all?
  mutating func has(_ object: Int, keyFrom start: Int) -> Bool {
    let end = bytes.count
    if objects[object].keyCount > Self.few {
      if keySets[object] == nil {
        var found = Set<[UInt8]>()
        var key = objects[object].firstKey
        while key >= 0 {
          found.insert(array(keys[key].text))
          key = keys[key].next
        }
        keySets[object] = found
      }
      return keySets[object]?.contains(array(Piece(start: start, end: end))) == true
    }
    var key = objects[object].firstKey
    while key >= 0 {
      let text = keys[key].text
      if text.end - text.start == end - start, bytes.withBytes({ Words.areEqual($0, text.start, $0, start, count: end - start) }) {
        return true
      }
      key = keys[key].next
    }
    return false
  }

  private func array(_ key: Piece) -> [UInt8] {
    var text = ByteBuffer(capacity: key.end - key.start + 1)
    text.append(bytes, key.start, key.end)
    return text.array()
  }

  // MARK: Writing

  /// Writes the whole object, but for its closing brace.
  mutating func write(to output: inout ByteBuffer) {
    close()
    // Those for one place stay in their order.
    if !insertions.isEmpty { insertions = insertions.enumerated().sorted { ($0.1.place, $0.0) < ($1.1.place, $1.0) }.map(\.1) }
    write(0, to: &output)
  }

  private func write(_ object: Int, to output: inout ByteBuffer) {
    var number = objects[object].first
    while number >= 0 {
      let run = runs[number]
      if insertions.isEmpty {
        output.append(bytes, run.text.start, run.text.end)
      } else {
        writeWithInsertions(run.text, to: &output)
      }
      if run.object >= 0 {
        if objects[run.object].first >= 0 { write(run.object, to: &output) }
        output.append(UInt8(ascii: "}"))
      }
      number = run.next
    }
  }

  private func writeWithInsertions(_ text: Piece, to output: inout ByteBuffer) {
    var (low, high) = (0, insertions.count)
    while low < high {
      let middle = (low + high) / 2
      if insertions[middle].place < text.start { low = middle + 1 } else { high = middle }
    }
    var from = text.start
    while low < insertions.count, insertions[low].place < text.end {
      output.append(bytes, from, insertions[low].place)
      output.append(bytes, insertions[low].text.start, insertions[low].text.end)
      from = insertions[low].place
      low += 1
    }
    output.append(bytes, from, text.end)
  }
}
