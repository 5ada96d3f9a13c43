// Heads of lines as they are written: what was made of one line serves all that differ from it in their values alone.

internal import Bytes
internal import CardSyntax

/// What is written of a line besides its value.
final class KnownHead: Sendable {
  /// All before the value, or before the parameters that the value tells, without the colon.
  let head: [UInt8]
  /// The label line that follows, if one does, and how long its text is; the lines then stand in a group that the writer makes, which is no
  /// part of either.
  let label: (line: [UInt8], length: Int)?
  /// The place of the line among the preferred ones of its field; 0 where it is none of them, or where that does not matter.
  let choice: Int
  /// What is said of each such line.
  let findings: [Diagnostic]

  /// Stands for lines that have nothing in common.
  static let useless = KnownHead([], nil, 0, [])

  private init(_ head: [UInt8], _ label: (line: [UInt8], length: Int)?, _ choice: Int, _ findings: [Diagnostic]) {
    (self.head, self.label, self.choice, self.findings) = (head, label, choice, findings)
  }

  /// Can it be used?
  var isSome: Bool { !head.isEmpty }

  /// What a writer knows before a line is written from which it may learn.
  struct Mark {
    fileprivate let output: Int, findings: Int, choice: Int
    fileprivate let groups: GroupNames

    init(_ writer: borrowing CardWriter, _ field: Int) {
      (output, findings) = (writer.lines.output.count, writer.findings.count)
      (choice, groups) = (writer.choice(of: field), writer.lines.groups)
    }
  }

  /// The head of the line that was written since `mark`, of which all behind the head is `value`; a useless one where that is not what was written. Nil
  /// where another value may tell: what 2.1 encodes is written in another way.
  static func learned(_ writer: borrowing CardWriter, since mark: Mark, _ field: Int, value: borrowing ByteBuffer) -> KnownHead? {
    if writer.version == .v21, value.withBytes({ LineWriter.isEncoded21($0, 0, $0.count) }) { return nil }
    guard let lines = unfolded(writer.lines.output, from: mark.output), let first = lines.first, first.count > value.count,
      first.suffix(value.count).elementsEqual(value.array())
    else { return .useless }
    var head = first.dropLast(value.count)
    var label: (line: [UInt8], length: Int)?
    if writer.lines.groups == mark.groups {
      guard lines.count == 1 else { return .useless }
    } else {
      let group = writer.lines.groups.latest + "."
      let labelHead = group + LineWriter.labelName + ":"
      guard lines.count == 2, head.starts(with: group.utf8), lines[1].starts(with: labelHead.utf8) else { return .useless }
      head = head.dropFirst(group.utf8.count)
      let text = lines[1].dropFirst(labelHead.utf8.count)
      guard text.allSatisfy({ $0 != ASCII.backslash && $0 != ASCII.equals && $0 < 0x80 }) else { return .useless }
      label = (Array(lines[1].dropFirst(group.utf8.count)), text.count)
    }
    let choice = writer.choice(of: field) == mark.choice ? 0 : mark.choice + 1
    return KnownHead(Array(head), label, choice, Array(writer.findings[mark.findings...]))
  }

  /// The lines that were written from `start` on, without their folds; nil where some are not whole.
  private static func unfolded(_ output: borrowing ByteBuffer, from start: Int) -> [[UInt8]]? {
    let text = output.array(from: start)
    var lines: [[UInt8]] = []
    var line: [UInt8] = []
    var i = text.startIndex
    while i < text.endIndex {
      guard text[i] == ASCII.carriageReturn else {
        line.append(text[i])
        i += 1
        continue
      }
      guard i + 1 < text.endIndex, text[i + 1] == ASCII.lineFeed else { return nil }
      i += 2
      if i < text.endIndex, text[i] == ASCII.space {
        i += 1
      } else {
        lines.append(line)
        line = []
      }
    }
    return line.isEmpty ? lines : nil
  }
}

/// What a line of a card becomes in another version, but for its value.
final class ConvertedHead: Sendable {
  let written: KnownHead
  /// The values that stay, and what is known of the one that the head was learned with: values of another kind have another head.
  let values: PlainValues
  private let answer: PlainValues.Answer

  init(_ written: KnownHead, _ values: PlainValues, _ answer: PlainValues.Answer) {
    (self.written, self.values, self.answer) = (written, values, answer)
  }

  /// Stands for heads that have nothing for all lines in common.
  static let none = ConvertedHead(.useless, .none, .right)

  /// Does a line with this value become that?
  func serves(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    written.isSome && values.haveOneHead(values.answer(bytes, start, end), answer)
  }
}
