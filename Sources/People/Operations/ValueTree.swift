// A value as a small tree: what normalizing edits, where the record's tape can only be read and written.

internal import Bytes

/// A value, or a part of one. Only values that a step changes are ever made into trees.
package indirect enum ValueTree: Sendable, Hashable {
  case text(String)
  case number(String)
  case list([ValueTree])
  case object([Part])

  /// A named part of an object.
  package struct Part: Sendable, Hashable {
    package var member: Member
    package var value: ValueTree

    package init(_ member: Member, _ value: ValueTree) { (self.member, self.value) = (member, value) }
  }

  /// The value that begins at `index` of a record.
  init(_ record: borrowing Record, at index: Int) {
    switch record.tokens[index].operation {
    case .number: self = .number(record.string(index))
    case .openList: self = .list(record.elements(index).map { ValueTree(record, at: $0) })
    case .openObject:
      self = .object(
        record.elements(index).filter { record.tokens[$0].operation != .key && record.tokens[$0].operation != .field }
          .map { Part(record.tokens[$0].member, ValueTree(record, at: $0)) })
    case .text, .field, .key, .close: self = .text(record.string(index))
    }
  }

  /// Puts the value into a record.
  func send(as member: Member, to record: inout Record) {
    switch self {
    case .text(let text): record.text(member, made: text)
    case .number(let text): record.number(member, text)
    case .list(let values):
      record.open(member, list: true)
      for value in values { value.send(as: .none, to: &record) }
      record.close()
    case .object(let parts):
      record.open(member)
      for part in parts { part.value.send(as: part.member, to: &record) }
      record.close()
    }
  }

  /// The part of an object with this name.
  subscript(member: Member) -> ValueTree? {
    get {
      if case .object(let parts) = self { parts.first { $0.member == member }?.value } else { nil }
    }
    set {
      guard case .object(var parts) = self else { return }
      if let index = parts.firstIndex(where: { $0.member == member }) {
        if let newValue { parts[index].value = newValue } else { parts.remove(at: index) }
      } else if let newValue {
        parts.append(Part(member, newValue))
      }
      self = .object(parts)
    }
  }

  /// The text of a value that is one text, or an object around it.
  var plainText: String? {
    get {
      switch self {
      case .text(let text): text
      case .object: self[.value]?.plainText
      case .number, .list: nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .text: self = .text(newValue)
      case .object: self[.value] = .text(newValue)
      case .number, .list: break
      }
    }
  }

  /// All texts, in order.
  var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .number: []
    case .list(let values): values.flatMap(\.texts)
    case .object(let parts): parts.flatMap(\.value.texts)
    }
  }

  /// The same with every text changed; parts and elements that become empty are left out.
  func mapped(_ change: (Member, String) -> String) -> ValueTree { mapped(.none, change) ?? .text("") }

  private func mapped(_ member: Member, _ change: (Member, String) -> String) -> ValueTree? {
    switch self {
    case .text(let text):
      let changed = change(member, text)
      return changed.isEmpty && !text.isEmpty ? nil : .text(changed)
    case .number: return self
    case .list(let values):
      let changed = values.compactMap { $0.mapped(member, change) }
      return changed.isEmpty && !values.isEmpty ? nil : .list(changed)
    case .object(let parts):
      return .object(parts.compactMap { part in part.value.mapped(part.member, change).map { Part(part.member, $0) } })
    }
  }
}
