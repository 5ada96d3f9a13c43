// A JSON value of one contact in memory: what JSContact needs, because patches and pointers reach anywhere into a Card.

internal import Bytes
internal import DataSyntax

/// A JSON value. Numbers keep their text.
indirect enum JSONTree: Sendable, Equatable {
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
    var reader = JSONReader(Array(text.utf8))
    var parser = JSONTreeParser()
    do throws(DataSyntaxError) {
      _ = try reader.next()
      self = try parser.parse(&reader)
      guard try reader.next() == .end else { return nil }
    } catch {
      return nil
    }
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
      for (i, (key, value)) in object.members.enumerated() {
        if i > 0 { output.append(ASCII.comma) }
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

/// Reads values and notes where they stand.
struct JSONTreeParser {
  /// Members that came a second time and were not taken: their pointers and lines.
  private(set) var repeated: [(pointer: String, line: Int)] = []
  /// The lines of members, down to the parts of entries of a Card's maps, by their pointers.
  private(set) var lines: [String: Int] = [:]
  private static let notedDepth = 3

  /// The value whose first token the reader returned last. Nesting is bounded by the reader. Of members that come twice the first is
  /// taken.
  mutating func parse(_ reader: inout JSONReader) throws(DataSyntaxError) -> JSONTree { try parse(&reader, []) }

  private mutating func parse(_ reader: inout JSONReader, _ path: [String]) throws(DataSyntaxError) -> JSONTree {
    switch reader.lastToken {
    case .string: return .string(reader.text.text())
    case .number: return .number(reader.text.text())
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .beginArray:
      var elements: [JSONTree] = []
      while try reader.next() != .endArray { elements.append(try parse(&reader, path)) }
      return .array(elements)
    case .beginObject:
      var object = JSONObject()
      while try reader.next() == .key {
        let key = reader.text.text()
        let isNoted = path.count < Self.notedDepth
        let inner = isNoted ? path + [key] : path
        let line = reader.line
        _ = try reader.next()
        let value = try parse(&reader, inner)
        guard object[key] == nil else {
          repeated.append((JSONPointer.text(inner), line))
          continue
        }
        object[key] = value
        if isNoted { lines[JSONPointer.text(inner)] = line }
      }
      return .object(object)
    default: return .null
    }
  }
}

/// The members of a JSON object, in order. Equal are objects with the same members in any order.
struct JSONObject: Sendable, Equatable {
  private var keys: [String] = []
  private var values: [JSONTree?] = []
  private var places: [String: Int] = [:]

  init() {}
  init(_ members: [(String, JSONTree)]) { for (key, value) in members { self[key] = value } }

  /// Is there no member?
  var isEmpty: Bool { places.isEmpty }
  /// How many members there are.
  var count: Int { places.count }
  /// The members in order.
  var members: [(key: String, value: JSONTree)] {
    keys.indices.compactMap { i in values[i].map { (keys[i], $0) } }
  }

  /// The value of a member; setting nil takes it off.
  subscript(key: String) -> JSONTree? {
    get { places[key].flatMap { values[$0] } }
    set {
      if let place = places[key] {
        values[place] = newValue
        if newValue == nil { places[key] = nil }
      } else if let newValue {
        places[key] = keys.count
        keys.append(key)
        values.append(newValue)
      }
    }
  }

  /// Gives the value of a member for a change, after which it is set again; so it is not copied.
  mutating func lend(_ key: String) -> JSONTree? {
    guard let place = places[key] else { return nil }
    defer { values[place] = .null }
    return values[place]
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
    a.places.count == b.places.count && a.places.keys.allSatisfy { a[$0] == b[$0] }
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

/// JSON pointers as patches have them: without the first slash (RFC 9553 1.4.3, RFC 6901).
enum JSONPointer {
  /// The pointer to a path of keys.
  static func text(_ path: some Sequence<String>) -> String {
    path.map { $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined(separator: "/")
  }

  /// The path of a pointer, with or without its first slash.
  static func path(_ pointer: String) -> [String] {
    let pointer = pointer.hasPrefix("/") ? String(pointer.dropFirst()) : pointer
    return pointer.split(separator: "/", omittingEmptySubsequences: false).map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
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
