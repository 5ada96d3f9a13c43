// The values of a property on their way from another syntax to a content line: texts end to end, and what parts them.

internal import Bytes
internal import CardSyntax

/// The texts of a property's values, escapes undone. It is reused from property to property, so that no text is made a String.
struct PropertyValues: ~Copyable {
  /// What a text begins: a value, a component of one, or just one more text of a component.
  enum Level { case value, component, text }

  private(set) var bytes = ByteBuffer(capacity: 1 << 10)
  /// Where the texts end in `bytes`, and what they begin.
  private var texts: [(level: Level, end: Int)] = []

  /// Is there no value?
  var isEmpty: Bool { texts.isEmpty }

  /// Forgets all.
  mutating func removeAll() {
    bytes.removeAll()
    texts.removeAll(keepingCapacity: true)
  }

  /// Adds a text.
  mutating func append(_ text: borrowing ByteBuffer, _ level: Level) {
    text.withBytes { bytes.append($0) }
    texts.append((level, bytes.count))
  }

  /// Adds a text.
  mutating func append(_ text: String, _ level: Level) {
    bytes.append(text: text)
    texts.append((level, bytes.count))
  }

  /// Takes values instead of those that are there.
  mutating func take(_ values: [[[String]]]) {
    removeAll()
    for value in values {
      for (k, component) in value.enumerated() {
        for (n, text) in component.enumerated() { append(text, n > 0 ? .text : k > 0 ? .component : .value) }
      }
    }
  }

  /// The values as trees of texts.
  var trees: [[[String]]] {
    var found: [[[String]]] = []
    var start = 0
    for (level, end) in texts {
      let text = bytes.withBytes { $0.text(start, end) }
      switch level {
      case .value: found.append([[text]])
      case .component: found[found.count - 1].append([text])
      case .text: found[found.count - 1][found[found.count - 1].count - 1].append(text)
      }
      start = end
    }
    return found
  }

  /// Gives the texts that are not empty another spelling; one for which `spelling` gives nil stays. False where one stayed.
  mutating func respell(_ spelling: (String) -> String?) -> Bool {
    var isRight = true
    var spelled = PropertyValues()
    var start = 0
    for (level, end) in texts {
      let text = bytes.withBytes { $0.text(start, end) }
      let fresh = text.isEmpty ? text : spelling(text)
      if fresh == nil { isRight = false }
      spelled.append(fresh ?? text, level)
      start = end
    }
    self = spelled
    return isRight
  }

  /// Is there a character that no value of the type can hold in a content line?
  func hasControlCharacters(_ type: String) -> Bool {
    let (hasBreak, hasOther) = bytes.withBytes { bytes in
      var (hasBreak, hasOther) = (false, false)
      var i = Escaping.firstSpecial(in: bytes, from: 0, to: bytes.count)
      while i < bytes.count {
        let byte = bytes[i]
        if byte == ASCII.lineFeed || byte == ASCII.carriageReturn {
          hasBreak = true
        } else if byte < 32 && byte != ASCII.tab || byte == 127 {
          hasOther = true
        }
        i = Escaping.firstSpecial(in: bytes, from: i + 1, to: bytes.count)
      }
      return (hasBreak, hasOther)
    }
    return hasOther || hasBreak && PropertyText.isPlain(type)
  }

  /// Writes the values into the line that is begun.
  func write(_ type: String, _ shape: PropertyShape?, to lines: inout LineWriter) {
    let (isPlain, isAsWritten) = (PropertyText.isPlain(type), type == "unknown")
    let isStructured = shape?.isStructured == true
    var isComponent = isStructured
    var start = 0
    for (i, text) in texts.enumerated() {
      if text.level == .value { isComponent = isStructured || hasComponents(i) }
      if i > 0 { lines.separator(text.level == .component ? ASCII.semicolon : ASCII.comma) }
      if isAsWritten {
        lines.written(bytes.withBytes { $0.text(start, text.end) }.withEscapedLineBreaks)
      } else if isPlain {
        bytes.withBytes { lines.plain($0, start, text.end) }
      } else {
        bytes.withBytes { lines.text($0, start, text.end, isComponent ? .componentItem : .item) }
      }
      start = text.end
    }
  }

  /// Has the value that begins with a text more components than one?
  private func hasComponents(_ index: Int) -> Bool {
    var i = index + 1
    while i < texts.count, texts[i].level == .text { i += 1 }
    return i < texts.count && texts[i].level == .component
  }
}
