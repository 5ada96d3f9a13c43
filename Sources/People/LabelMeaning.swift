// What the TYPE words of a line and its label line say together, worked out once for every combination that comes.

internal import Bytes
internal import CardSyntax

/// The labels of a line, and what has to be kept so that it can be spelled again as it was.
package final class LabelMeaning: Sendable {
  /// The labels in order, each once.
  let labels: [[UInt8]]
  /// A TYPE word says `pref`.
  let isPreferred: Bool
  /// The TYPE words as written, where the version would spell the labels otherwise.
  let types: [[UInt8]]?
  /// The text of the label line, where the labels would not lead to it.
  let label: [UInt8]?

  static let nothing = LabelMeaning(labels: [], isPreferred: false, types: nil, label: nil)

  private init(labels: [[UInt8]], isPreferred: Bool, types: [[UInt8]]?, label: [UInt8]?) {
    (self.labels, self.isPreferred, self.types, self.label) = (labels, isPreferred, types, label)
  }

  fileprivate convenience init(_ line: Int, _ card: borrowing CardView, _ field: Field) {
    let link = card[link: line]
    var types: [String] = []
    let more = card.values(.xMoreLabels, of: line)
    for i in card.parameterRange(line) where card.parameters[i].known == .type {
      card.forEachValue(card.parameters[i]) { if !field.kind.claims(type: $0, line, card) { types.append($0) } }
    }
    let appleLabel = link.label >= 0 ? card.text(Int(link.label)) : nil
    let isPreferred = types.contains { $0.lowercased() == "pref" }
    let isAdopted = link.label >= 0 && field.adoptedLabel != nil
    let implied = field.names.isEmpty ? nil : card.impliedLabel(line)
    var labels = isAdopted ? [] : Label.labels(types: types, label: appleLabel, more: more)
    if let implied, !labels.contains(where: { $0.lowercased() == implied }) { labels.insert(implied, at: 0) }
    let written = Label.written(labels.filter { $0 != implied }, in: card.version, types: field.types)
    // A label in parentheses is Samsung's alone; it is not spelled like that again.
    let words = types.filter { $0.lowercased() != "pref" && !$0.contains("(") }
    var spelled: [String]?
    if Set(written.types.map { $0.lowercased() }) != Set(words.map { $0.lowercased() }) { spelled = words }
    if written.label != nil, appleLabel == nil { spelled = words }
    // Words that say the label again would make its line needless.
    let isLabelKept = written.label != appleLabel || spelled?.isEmpty == false
    self.init(
      labels: labels.map { Array($0.utf8) }, isPreferred: isPreferred, types: spelled.map { $0.map { Array($0.utf8) } },
      label: isLabelKept ? appleLabel.map { Array($0.utf8) } : nil)
  }
}

/// Remembers what lines carry besides their values. One reader owns it.
package struct LabelMemo: ~Copyable {
  /// What lines without a label line carry, by their heads, as it stands in records; and what those with one carry, by both.
  private var excerpts = HeadMemo<Record.Excerpt>()
  private var labelled = ByteMemo<Record.Excerpt>()
  private var numberer = HeadNumberer()
  private var memo = ByteMemo<LabelMeaning>()
  private var heads = HeadMemo<LabelMeaning>()
  private var key = ByteBuffer(capacity: 256)
  private let nothing = LabelMeaning.nothing

  /// What lines like this one carry, as it stands in records; `context` tells what it depends on besides the head and the label line. Nil
  /// where none came before.
  @inline(__always)
  mutating func excerpt(of line: Int, _ card: borrowing CardView, _ context: UInt64) -> Record.Excerpt? {
    if card[link: line].label < 0 { return excerpts.value(of: line, card, context) }
    return setKey(line, card, context) ? labelled.value(of: key) : nil
  }

  /// Remembers what a line carries.
  mutating func keep(_ excerpt: Record.Excerpt, for line: Int, _ card: borrowing CardView, _ context: UInt64) {
    if card[link: line].label < 0 { return excerpts.keep(excerpt, for: line, card, context) }
    if setKey(line, card, context) { labelled.keep(excerpt, for: key) }
  }

  /// Makes the key of a line with a label line: its head's number, and the label. False where the head has none.
  private mutating func setKey(_ line: Int, _ card: borrowing CardView, _ context: UInt64) -> Bool {
    let head = card.lines[line].head
    guard head > 0 else { return false }
    if numberer.follow(card) { labelled = ByteMemo() }
    let label = Int(card[link: line].label)
    key.removeAll()
    key.append(word: context, count: 8)
    key.append(word: UInt64(head) | (card.lines[label].flags.contains(.base64) ? 1 &<< 16 : 0), count: 3)
    let (start, end) = card.valueRange(label)
    key.append(card.bytes.span, start, end)
    return true
  }

  /// What TYPE and the label line of a line say.
  mutating func meaning(of line: Int, _ card: borrowing CardView, _ field: Field) -> LabelMeaning {
    let link = card[link: line]
    // All that the meaning may depend on: field and name, version, which parameters there are, the words, the label.
    let range = card.parameterRange(line)
    let present = card.parameterSet(line)
    let hasTypes = present.has(.type)
    // What an item's value says of its label is its own.
    if link.nameRole == .item { return LabelMeaning(line, card, field) }
    if !hasTypes, link.label < 0, !field.namesSayLabels { return nothing }
    if link.label < 0 {
      let context = card.headContext(line)
      if let known = heads.value(of: line, card, context) { return known }
      let meaning = LabelMeaning(line, card, field)
      heads.keep(meaning, for: line, card, context)
      return meaning
    }
    key.removeAll()
    let span = card.bytes.span
    let isBase64 = card.lines[Int(link.label)].flags.contains(.base64)
    key.append(word: card.headContext(line) | (isBase64 ? 1 &<< 24 : 0), count: 8)
    key.append(word: present.rawValue, count: 8)
    if hasTypes {
      for i in range where card.parameters[i].known == .type || card.parameters[i].known == .xMoreLabels {
        let entry = card.parameters[i]
        let length = UInt64(entry.valueEnd - entry.valueStart)
        key.append(word: length &<< 2 | (entry.isBare ? 1 : 0) | (entry.isPlain ? 2 : 0), count: 5)
        key.append(span, Int(entry.valueStart), Int(entry.valueEnd))
      }
    }
    let (start, end) = card.valueRange(Int(link.label))
    key.append(span, start, end)
    if let known = memo.value(of: key) { return known }
    let meaning = LabelMeaning(line, card, field)
    memo.keep(meaning, for: key)
    return meaning
  }
}
