// A JSON value of one contact in memory: what JSContact needs, because patches and pointers reach anywhere into a Card.

internal import Bytes
internal import CardSyntax
internal import DataSyntax

/// A JSON value. Numbers keep their text.
enum JSONTree: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONTree])
  case object(JSONObject)

  /// The text of a string; nil for anything else.
  var text: String? { if case .string(let text) = self { text } else { nil } }
  /// The members of an object; nil for anything else.
  var members: JSONObject? { if case .object(let object) = self { object } else { nil } }
  /// The elements of an array; nil for anything else.
  var elements: [JSONTree]? { if case .array(let elements) = self { elements } else { nil } }
  /// A whole number that is not negative; nil for anything else.
  var count: Int? {
    guard case .number(let text) = self, let number = Int(text), number >= 0 else { return nil }
    return number
  }

  /// The value of a JSON text; nil where it is none.
  init?(parsing text: String) {
    let bytes = Array(text.utf8)
    var tape = JSONTape()
    guard let end = tape.read(bytes.span, from: 0, maximumDepth: Limits().dataNesting),
      JSONTape.firstNoBlank(bytes.span, end) == bytes.count
    else { return nil }
    var builder = JSONTreeBuilder()
    self = builder.tree(of: 0, tape, bytes) { _ in 0 }
  }

  /// Writes the value without blanks.
  func write(to output: inout ByteBuffer) {
    switch self {
    case .null: output.append("null")
    case .bool(let value): if value { output.append("true") } else { output.append("false") }
    case .number(let text): output.append(text: text)
    case .string(let text): output.appendJSONString(text)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (i, element) in elements.enumerated() {
        if i > 0 { output.append(ASCII.comma) }
        element.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let object):
      output.append(UInt8(ascii: "{"))
      var isFirst = true
      object.forEach { key, value in
        if !isFirst { output.append(ASCII.comma) }
        isFirst = false
        output.appendJSONString(key)
        output.append(ASCII.colon)
        value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  /// The value as JSON text without blanks.
  var compact: String {
    var output = ByteBuffer()
    write(to: &output)
    return output.text()
  }
}

/// Makes values of tokens and notes the lines of their members.
struct JSONTreeBuilder {
  /// Members that came a second time and were not taken: their pointers, down to the parts of entries of a Card's maps, and lines.
  private(set) var repeated: [(pointer: String, line: Int)] = []
  /// Texts that stand for those of tokens, by number.
  var standIns: [Int: String] = [:]
  /// The keys that lead to the value that is being made.
  private var path: [String] = []
  private static let notedDepth = 3

  init() {}

  /// The value of a token, whose nesting the tape bounds. Of members that come twice the first is taken. `line` tells where a token stands.
  mutating func tree(of token: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8], _ line: (Int) -> Int) -> JSONTree {
    let entry = tape.tokens[token]
    switch entry.kind {
    case .string: return .string(text(of: token, tape, bytes))
    case .number: return .number(text(of: token, tape, bytes))
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .null, .key: return .null
    case .array:
      var elements: [JSONTree] = []
      var inner = token + 1
      while inner < entry.next {
        elements.append(tree(of: inner, tape, bytes, line))
        inner = tape.tokens[inner].next
      }
      return .array(elements)
    case .object:
      var object = JSONObject()
      var inner = token + 1
      while inner < entry.next {
        let key = text(of: inner, tape, bytes)
        path.append(key)
        let value = tree(of: inner + 1, tape, bytes, line)
        if !object.add(key, value, line: line(inner)) {
          repeated.append((JSONPointer.text(path.prefix(Self.notedDepth)), line(inner)))
        }
        path.removeLast()
        inner = tape.tokens[inner].next
      }
      return .object(object)
    }
  }

  private func text(of token: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8]) -> String {
    (standIns.isEmpty ? nil : standIns[token]) ?? tape.text(of: token, bytes)
  }
}

/// The members of a JSON object, in order. Equal are objects with the same members in any order.
struct JSONObject: Sendable, Equatable {
  private struct Member: Sendable {
    var key: String
    /// Nil where the member was taken off.
    var value: JSONTree?
    /// The line of the input where it stands; 0 for members that were made.
    var line = 0
  }

  private var list: [Member] = []
  /// How many members there are.
  private(set) var count = 0
  /// The places of the members where there are many: few keys are found sooner by looking at each than by their hashes.
  private var places: [String: Int] = [:]
  private static let few = 16

  init() {}
  init(_ members: [(String, JSONTree)]) { for (key, value) in members { self[key] = value } }

  /// Is there no member?
  var isEmpty: Bool { count == 0 }
  /// The members in order.
  var members: [(key: String, value: JSONTree)] {
    var found: [(key: String, value: JSONTree)] = []
    found.reserveCapacity(count)
    forEach { found.append(($0, $1)) }
    return found
  }

  /// Calls `body` with each member in order.
  func forEach(_ body: (_ key: String, _ value: JSONTree) -> Void) {
    for member in list { if let value = member.value { body(member.key, value) } }
  }

  private func place(_ key: String) -> Int? {
    if list.count > Self.few { return places[key] }
    for i in list.indices where list[i].key == key && list[i].value != nil { return i }
    return nil
  }

  private mutating func append(_ member: Member) {
    count += 1
    list.append(member)
    if list.count == Self.few + 1 {
      for i in list.indices where list[i].value != nil { places[list[i].key] = i }
    } else if list.count > Self.few {
      places[member.key] = list.count - 1
    }
  }

  /// Adds a member that stands at a line of the input; false where its key is there already.
  mutating func add(_ key: String, _ value: JSONTree, line: Int) -> Bool {
    guard place(key) == nil else { return false }
    append(Member(key: key, value: value, line: line))
    return true
  }

  /// The line of the input where the member at a path of keys stands; nil where there is none.
  func line(at path: some BidirectionalCollection<String>) -> Int? {
    guard let key = path.last, let owner = object(at: path.dropLast()), let place = owner.place(key) else { return nil }
    return owner.list[place].line
  }

  /// The value of a member; setting nil takes it off.
  subscript(key: String) -> JSONTree? {
    get { place(key).flatMap { list[$0].value } }
    set {
      if let place = place(key) {
        list[place].value = newValue
        if newValue == nil {
          count -= 1
          if list.count > Self.few { places[key] = nil }
        }
      } else if let newValue {
        append(Member(key: key, value: newValue))
      }
    }
  }

  /// Gives the value of a member for a change, after which it is set again; so it is not copied.
  mutating func lend(_ key: String) -> JSONTree? {
    guard let place = place(key) else { return nil }
    defer { list[place].value = .null }
    return list[place].value
  }

  /// Takes a member out.
  mutating func take(_ key: String) -> JSONTree? {
    defer { self[key] = nil }
    return self[key]
  }

  /// Takes a member out if it is a text.
  mutating func takeText(_ key: String) -> String? {
    guard let text = self[key]?.text else { return nil }
    self[key] = nil
    return text
  }

  /// The object at a path of keys; nil where there is none.
  func object(at path: some Sequence<String>) -> JSONObject? {
    var object = self
    for key in path {
      guard let next = object[key]?.members else { return nil }
      object = next
    }
    return object
  }

  /// Changes the object at a path of keys, which is made where it is missing.
  mutating func change(_ path: ArraySlice<String>, _ body: (inout JSONObject) -> Void) {
    guard let key = path.first else { return body(&self) }
    var inner = lend(key)?.members ?? JSONObject()
    inner.change(path.dropFirst(), body)
    self[key] = .object(inner)
  }

  static func == (a: JSONObject, b: JSONObject) -> Bool {
    a.count == b.count && a.list.allSatisfy { $0.value == nil || $0.value == b[$0.key] }
  }
}

/// The pointers of patches, of which none may lie inside another (RFC 9553 1.4.3).
struct JSONPatchPointers: Sendable {
  private var pointers = Set<String>()
  private var parents = Set<String>()

  /// Adds a pointer; false, with nothing added, where it lies inside another one, or another one inside it.
  mutating func insert(_ path: [String]) -> Bool {
    guard isFree(path) else { return false }
    pointers.insert(JSONPointer.text(path))
    for count in 0..<path.count { parents.insert(JSONPointer.text(path.prefix(count))) }
    return true
  }

  /// May the pointer be added?
  func isFree(_ path: [String]) -> Bool {
    !parents.contains(JSONPointer.text(path)) && (0...path.count).allSatisfy { !pointers.contains(JSONPointer.text(path.prefix($0))) }
  }
}

/// A set of paths of keys, the empty one among them. Pointers are made of them only when somebody asks, which happens seldom.
struct JSONPathSet: Sendable {
  private var pointers: Set<String> = [""]
  private var waiting: [[String]] = []

  /// Adds a path.
  mutating func insert(_ path: [String]) { waiting.append(path) }

  /// Is the path in the set?
  mutating func contains(_ path: [String]) -> Bool {
    for path in waiting { pointers.insert(JSONPointer.text(path)) }
    waiting.removeAll(keepingCapacity: true)
    return pointers.contains(JSONPointer.text(path))
  }
}

/// JSON pointers as patches have them: without the first slash (RFC 9553 1.4.3, RFC 6901).
enum JSONPointer {
  /// The pointer to a path of keys.
  static func text(_ path: some Sequence<String>) -> String {
    var text = ""
    var isFirst = true
    for key in path {
      if !isFirst { text += "/" }
      isFirst = false
      if key.utf8.contains(where: { $0 == ASCII.slash || $0 == UInt8(ascii: "~") }) {
        for scalar in key.unicodeScalars { text += scalar == "~" ? "~0" : scalar == "/" ? "~1" : String(scalar) }
      } else {
        text += key
      }
    }
    return text
  }

  /// The path of a pointer, with or without its first slash.
  static func path(_ pointer: String) -> [String] {
    let pointer = pointer.hasPrefix("/") ? String(pointer.dropFirst()) : pointer
    return pointer.split(separator: "/", omittingEmptySubsequences: false).map {
      $0.utf8.contains(UInt8(ascii: "~")) ? String($0.replacing("~1", with: "/").replacing("~0", with: "~")) : String($0)
    }
  }
}

extension JSONTree {
  /// Sets (or with null takes off) what stands at a path. False where the path does not lead to a place that can be set; then nothing
  /// is changed (RFC 9553 1.4.3).
  mutating func patch(_ path: ArraySlice<String>, _ value: JSONTree) -> Bool {
    guard let key = path.first else { return false }
    switch self {
    case .object(var object):
      self = .null
      defer { self = .object(object) }
      if path.count == 1 {
        object[key] = value == .null ? nil : value
        return true
      }
      guard var inner = object.lend(key) else { return false }
      let isDone = inner.patch(path.dropFirst(), value)
      object[key] = inner
      return isDone
    case .array(var elements):
      guard let index = Int(key), elements.indices.contains(index), key.utf8.allSatisfy(ASCII.isDigit) else { return false }
      if path.count == 1 {
        guard value != .null else { return false }
        elements[index] = value
      } else {
        guard elements[index].patch(path.dropFirst(), value) else { return false }
      }
      self = .array(elements)
    default: return false
    }
    return true
  }
}
