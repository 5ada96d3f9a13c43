// Heads of lines as another version has them: what was made of one line serves all that have its head.

internal import Bytes
internal import CardSyntax

/// What a line becomes in another version, but for its value.
final class ConvertedHead: Sendable {
  /// All before the value.
  let head: [UInt8]
  /// The text of the label line that follows; the lines then stand in a group that the writer makes, which is no part of the head.
  let label: String?
  /// The how manieth line of its field it is that is preferred before others; 0 where it is none of them, or where that does not matter.
  let choice: Int
  /// The values that stay, and what is known of the value that the head was learned with: values of another kind have another head.
  let values: PlainValues
  private let answer: PlainValues.Answer
  /// What is said of each such line.
  let findings: [Diagnostic]

  /// Stands for heads that have nothing for all lines in common.
  static let none = ConvertedHead()

  private init() { (head, label, choice, values, answer, findings) = ([], nil, 0, .none, .right, []) }

  /// The head of a line of which the writer has written all from `start` on; nil where the line, or its value, is none that lines of its
  /// head have in common. `groups` are those that there were before.
  init?(
    _ values: PlainValues, _ bytes: Span<UInt8>, _ valueStart: Int, _ valueEnd: Int, _ lines: borrowing LineWriter, from start: Int,
    hadGroups groups: GroupNames, choice: Int, _ findings: [Diagnostic]
  ) {
    answer = values.answer(bytes, valueStart, valueEnd)
    guard answer != .unknown, let written = Self.unfolded(lines.output, from: start), let first = written.first else { return nil }
    var value = ByteBuffer()
    values.append(bytes, valueStart, valueEnd, to: &value)
    guard first.count > value.count, first.suffix(value.count).elementsEqual(value.array()) else { return nil }
    var head = first.dropLast(value.count)
    guard head.last == ASCII.colon else { return nil }
    if lines.groups == groups {
      guard written.count == 1 else { return nil }
      label = nil
    } else {
      let (group, labelHead) = (lines.groups.latest + ".", lines.groups.latest + "." + LineWriter.labelName + ":")
      guard written.count == 2, head.starts(with: group.utf8), written[1].starts(with: labelHead.utf8) else { return nil }
      head = head.dropFirst(group.utf8.count)
      let text = String(decoding: written[1].dropFirst(labelHead.utf8.count), as: UTF8.self)
      guard text.utf8.allSatisfy({ $0 != ASCII.backslash && $0 != ASCII.equals && $0 < 0x80 }) else { return nil }
      label = text
    }
    self.head = Array(head)
    (self.values, self.choice, self.findings) = (values, choice, findings)
  }

  /// Does a line with this value become that?
  @inline(__always)
  func serves(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool { values.answer(bytes, start, end) == answer }

  /// The lines that were written from `start` on, without their folds; nil where some are not whole.
  private static func unfolded(_ output: borrowing ByteBuffer, from start: Int) -> [ArraySlice<UInt8>]? {
    let text = output.array()[start...]
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
    return line.isEmpty ? lines.map { $0[...] } : nil
  }
}
