// X-ANDROID-CUSTOM: how Android writes nicknames, relations and events for which vCard 2.1 has no property.

internal import CardSyntax
internal import Bytes

/// The value is a list of 16 texts divided by semicolons: the kind of item, the item's text, the number of its type, a type of the user's
/// own, and twelve more that are empty for what is read here.
enum AndroidCustom {
  /// The name of the property.
  static let name = "X-ANDROID-CUSTOM"
  /// What all kinds of item begin with.
  private static let prefix = "vnd.android.cursor.item/"
  /// How many texts follow the kind.
  private static let fieldCount = 15

  /// What a line holds: its kind (with the number of the type where that decides the field), the range of its text, its label.
  struct Item {
    var kind: String
    var start: Int, end: Int
    /// The label of the type; empty where the type is none.
    var label: String
    /// The number of the type; 0 where it is one of the user's own.
    var type: Int
  }

  /// A kind of item: the labels of its types; a type's number is its place. The type 0 is one of the user's own.
  private struct Kind {
    let name: String
    let labels: [String]
    let text: [UInt8]

    init(_ name: String, _ labels: String...) {
      (self.name, self.labels) = (name, labels)
      text = Array((prefix + name).utf8)
    }

    /// The kind of items of this type.
    func name(ofType type: Int) -> String {
      guard name == "contact_event" else { return name }
      return labels[type] == "anniversary" ? "contact_event/anniversary" : labels[type] == "birthday" ? "contact_event/birthday" : name
    }
  }

  private static let kinds = [
    Kind("nickname", "", "", "other", "maiden", "short", "initials"),
    Kind(
      "relation", "", "assistant", "brother", "child", "domestic-partner", "father", "friend", "manager", "mother", "parent", "partner",
      "referred-by", "relative", "sister", "spouse"),
    Kind("contact_event", "", "anniversary", "other", "birthday"),
  ]

  /// What the value `bytes[start ..< end]` holds; nil where it is no item that a field takes.
  static func item(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Item? {
    // The kind, the text, the number of the type, the user's type.
    var ends = InlineArray<4, Int>(repeating: end)
    var from = start
    for i in 0..<4 {
      ends[i] = min(Escaping.firstSeparator(ASCII.semicolon, in: bytes, from: from, to: end), end)
      from = ends[i] + 1
      if from > end { break }
    }
    // The rest is empty.
    var count = 4
    while from < end, count <= fieldCount + 1 {
      guard bytes[from] == ASCII.semicolon else { return nil }
      (from, count) = (from + 1, count + 1)
    }
    guard ends[1] > ends[0] + 1, let kind = kinds.first(where: { isSame($0.text, bytes, start, ends[0]) }) else { return nil }
    let number = (start: min(ends[1] + 1, end), end: ends[2])
    let own = (start: min(ends[2] + 1, end), end: ends[3])
    guard let type = Self.type(bytes, number.start, number.end), kind.labels.indices.contains(type), type == 0 || own.start == own.end
    else {
      return nil
    }
    let label = type == 0 ? bytes.text(own.start, own.end) : kind.labels[type]
    guard !label.utf8.contains(ASCII.backslash) else { return nil }
    return Item(kind: kind.name(ofType: type), start: ends[0] + 1, end: ends[1], label: label, type: type)
  }

  private static func isSame(_ text: [UInt8], _ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    end - start == text.count && Words.areEqual(bytes, start, text.span, 0, count: text.count)
  }

  /// The number of a type; 1 where none is written, nil where the text is no number.
  private static func type(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
    if start == end { return 1 }
    if end - start == 1, ASCII.isDigit(bytes[start]) { return Int(bytes[start] - 48) }
    return Int(bytes.text(start, end))
  }

  /// Writes a value whose property, with what it carries besides, has been begun.
  static func write(_ text: String, kind: String, label: String, to line: inout LineWriter) {
    let name = String(kind.split(separator: "/").first ?? "")
    let own = kind.split(separator: "/").dropFirst().first.map(String.init) ?? label.lowercased()
    let known = kinds.first { $0.name == name }?.labels ?? []
    let type = own.isEmpty ? (name == "nickname" ? 1 : 2) : known.dropFirst().firstIndex(of: own)
    line.raw(prefix + name)
    for field in [text, String(type ?? 0), type == nil ? label : ""] {
      line.separator(ASCII.semicolon)
      line.text(field, .component)
    }
    for _ in 3..<fieldCount { line.separator(ASCII.semicolon) }
  }
}
