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
  }

  /// The labels of the types, by kind; a type's number is its place. The type 0 is one of the user's own.
  private static let labels: [String: [String]] = [
    "nickname": ["", "", "other", "maiden", "short", "initials"],
    "relation": [
      "", "assistant", "brother", "child", "domestic-partner", "father", "friend", "manager", "mother", "parent", "partner", "referred-by",
      "relative", "sister", "spouse",
    ],
    "contact_event": ["", "anniversary", "other", "birthday"],
  ]

  /// What the value `bytes[start ..< end]` holds; nil where it is no item that a field takes.
  static func item(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Item? {
    var ranges: [(start: Int, end: Int)] = []
    var from = start
    while ranges.count <= fieldCount + 1 {
      let stop = min(Escaping.firstSeparator(ASCII.semicolon, in: bytes, from: from, to: end), end)
      ranges.append((from, stop))
      guard stop < end else { break }
      from = stop + 1
    }
    guard ranges.count >= 2, ranges.count <= fieldCount + 2, ranges.dropFirst(4).allSatisfy({ $0.start == $0.end }) else { return nil }
    func text(_ index: Int) -> String {
      guard index < ranges.count else { return "" }
      return String(decoding: (ranges[index].start..<ranges[index].end).map { bytes[$0] }, as: UTF8.self)
    }
    let kind = text(0)
    guard kind.hasPrefix(prefix), let known = labels[String(kind.dropFirst(prefix.count))], ranges[1].start < ranges[1].end else {
      return nil
    }
    let number = text(2)
    guard let type = number.isEmpty ? 1 : Int(number), known.indices.contains(type), type == 0 || text(3).isEmpty else { return nil }
    var name = String(kind.dropFirst(prefix.count))
    if name == "contact_event", known[type] == "anniversary" || known[type] == "birthday" { name += "/" + known[type] }
    let label = type == 0 ? text(3) : known[type]
    guard !label.contains("\\") else { return nil }
    return Item(kind: name, start: ranges[1].start, end: ranges[1].end, label: label)
  }

  /// Writes a value whose property, with what it carries besides, has been begun.
  static func write(_ text: String, kind: String, label: String, to line: inout LineWriter) {
    let name = String(kind.split(separator: "/").first ?? "")
    let own = kind.split(separator: "/").dropFirst().first.map(String.init) ?? label.lowercased()
    let known = labels[name] ?? []
    let type = own.isEmpty ? (name == "nickname" ? 1 : 2) : known.dropFirst().firstIndex(of: own)
    line.raw(prefix + name)
    for field in [text, String(type ?? 0), type == nil ? label : ""] {
      line.separator(ASCII.semicolon)
      line.text(field, .component)
    }
    for _ in 3..<fieldCount { line.separator(ASCII.semicolon) }
  }
}
