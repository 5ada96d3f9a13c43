// What a conversion says of a line, told by what was written: under which name it stands now, and which parameters became X- ones.

internal import Bytes
internal import CardSyntax

/// The head of a line that was written: its name and the names of its parameters, in upper case.
private struct WrittenHead {
  private(set) var name = ""
  private(set) var parameters: Set<String> = []

  /// The head of the line that begins at `start`; empty where nothing was written. Without `all` only the name is looked for.
  init(_ output: borrowing ByteBuffer, from start: Int, all: Bool) {
    if !all, let plain = Self.plainName(output, from: start) {
      name = plain
      return
    }
    var word: [UInt8] = []
    var (isName, isValue, isQuoted) = (true, false, false)
    func take() -> String { String(decoding: word, as: UTF8.self).uppercased() }
    (name, parameters) = output.withBytes { bytes in
      var (name, parameters) = ("", Set<String>())
      for i in start..<max(start, bytes.count) {
        let byte = bytes[i]
        // A fold is a line break and a blank.
        if byte == ASCII.carriageReturn || byte == ASCII.lineFeed || byte == ASCII.space && bytes[i - 1] == ASCII.lineFeed { continue }
        if byte == ASCII.quote { isQuoted.toggle() }
        let isEnd = !isQuoted && (byte == ASCII.colon || byte == ASCII.semicolon)
        if isEnd, isName {
          name = take()
          isName = false
          if !all { break }
        }
        if isEnd {
          if byte == ASCII.colon { break }
          isValue = false
          word.removeAll(keepingCapacity: true)
        } else if isName, byte == ASCII.dot {
          word.removeAll(keepingCapacity: true)
        } else if !isName, !isValue, byte == ASCII.equals {
          parameters.insert(take())
          isValue = true
        } else if !isValue {
          word.append(byte)
        }
      }
      return (name, parameters)
    }
  }
}

extension WrittenHead {
  /// The name of a line that is not folded in it.
  private static func plainName(_ output: borrowing ByteBuffer, from start: Int) -> String? {
    output.withBytes { bytes in
      let end = ByteSearch.firstIndex(of: ASCII.colon, or: ASCII.semicolon, in: bytes, from: min(start, bytes.count), to: bytes.count)
      guard end < bytes.count, ByteSearch.firstLineBreak(in: bytes, from: start, to: end).position == end else { return nil }
      var nameStart = end
      while nameStart > start, bytes[nameStart - 1] != ASCII.dot { nameStart -= 1 }
      return bytes.text(nameStart, end).uppercased()
    }
  }
}

extension CardConverter {
  /// Says what a line of another version became, which was written from `start` of the output on. A line that was left out is told
  /// elsewhere.
  mutating func tellChange(of line: Int, _ field: Field?, from start: Int) {
    let version = writer.version
    guard card.version != version, writer.lines.output.count > start else { return }
    let hasParameters = card.version == .v40 && card.parameterRange(line).contains { card.parameters[$0].known != .type }
    if !hasParameters, Self.keepsName(line, card, writer.lines.output, start), field.map({ !isNew($0) }) ?? true { return }
    let head = WrittenHead(writer.lines.output, from: start, all: hasParameters)
    let name = card.name(line).uppercased()
    if let field {
      if head.name == "X-" + name, field.name(in: version).uppercased() == name {
        // The kind has told what the version's own property cannot hold.
      } else if head.name == "X-" + name {
        tell(.notCarried, "\(version.text) has no \(name); kept as \(head.name)", name)
      } else if head.name != name {
        tell(.converted, "\(name) is written as \(head.name)", name)
      } else if isNew(field), !name.hasPrefix("X-") {
        tell(.notCarried, "\(version.text) has no \(name); written all the same", name)
      }
    }
    guard hasParameters else { return }
    var renamed: [String] = []
    for i in card.parameterRange(line) where !card.parameters[i].isBare {
      let parameter = Annotations.parameterName(card.parameters[i], card).uppercased()
      if head.parameters.contains("X-" + parameter), !renamed.contains(parameter) { renamed.append(parameter) }
    }
    if renamed.isEmpty { return }
    let kept = renamed.map { "X-" + $0 }.joined(separator: ", ")
    // VALUE is there in every version, but not with every word.
    let missing = renamed.map { $0 == "VALUE" ? "VALUE=\(card.value(.value, of: line) ?? "")" : "parameter \($0)" }
    tell(.notCarried, "\(name): \(version.text) has no \(missing.joined(separator: " or ")); kept as \(kept)", name)
  }

  /// Does the version that is written not know a field that the card's version knows?
  private func isNew(_ field: Field) -> Bool {
    field.cardinality(in: writer.version) == .unknown && field.cardinality(in: card.version) != .unknown
  }

  /// Does the line that begins at `start` have no group, and the name of a line of the card? Nearly all have, which is soon told.
  private static func keepsName(_ line: Int, _ card: borrowing CardView, _ output: borrowing ByteBuffer, _ start: Int) -> Bool {
    let entry = card.lines[line]
    let name = card.bytes.span
    return output.withBytes { bytes in
      var place = start
      for i in Int(entry.nameStart)..<Int(entry.nameEnd) {
        guard place < bytes.count, ASCII.uppercased(bytes[place]) == ASCII.uppercased(name[i]) else { return false }
        place += 1
      }
      return place < bytes.count && (bytes[place] == ASCII.colon || bytes[place] == ASCII.semicolon)
    }
  }

  private mutating func tell(_ rule: Rule, _ message: String, _ property: String) {
    writer.findings.append(Diagnostic(rule, message, property: property))
  }
}
