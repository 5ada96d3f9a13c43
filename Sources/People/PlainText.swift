// Texts of a record as values of lines: as they are, or with the escapes of their place.

internal import Bytes
package import CardSyntax

extension LineWriter {
  /// The escapes that a text needs: in 2.1 only separators of components, in 3.0 and 4.0 also commas and backslashes.
  package enum Place {
    /// The value is one text.
    case whole
    /// One component of several, divided by semicolons.
    case component
    /// One of several texts, divided by commas.
    case item
    /// One of several texts within a component.
    case componentItem

    /// What is escaped there.
    package func shape(in version: CardVersion) -> Escaping.Shape {
      switch (version, self) {
      case (.v21, .whole): []
      case (.v21, .component): .semicolons
      case (.v21, .item): .commas
      case (.v21, .componentItem): .separators
      case (.v30, _): .all
      case (.v40, .whole), (.v40, .item): .text
      case (.v40, .component), (.v40, .componentItem): .all
      }
    }

    /// The same where escapes are all that a text may need; nil for 2.1, which has none for a backslash.
    func plainShape(in version: CardVersion) -> Escaping.Shape? { version == .v21 ? nil : shape(in: version) }
  }
}

extension Record {
  /// Adds the text of the token at `index`, escaped as `shape` says; without one only where no byte of it means anything in a value. False
  /// for what cannot be written so, whatever has been added.
  func appendPlain(_ index: Int, escaping shape: Escaping.Shape? = nil, to line: inout ByteBuffer) -> Bool {
    if append(index, to: &line, without: Escaping.specialMarks) { return true }
    guard let shape, tokens[index].operation == .text || tokens[index].operation == .number else { return false }
    var dropped = 0
    withText(index) { dropped = Escaping.escape($0, $1, $2, shape, to: &line) }
    return dropped == 0
  }

  /// Adds the text of the token at `index` as it stands where `marks` marks none of its bytes; false, and nothing added, for any other.
  /// An escape is found where backslashes are marked.
  @inline(__always)
  func append(_ index: Int, to output: inout ByteBuffer, without marks: (ByteBlock) -> ByteBlock.Marks) -> Bool {
    let token = tokens[index]
    guard token.operation == .text || token.operation == .number else { return false }
    let (start, end, before) = (Int(token.start), Int(token.end), output.count)
    var stop = start
    if token.form == .made {
      withMade { stop = output.append($0, start, end, upTo: marks) }
    } else {
      stop = output.append(source.span, start, end, upTo: marks)
    }
    if stop < end { output.truncate(to: before) }
    return stop == end
  }
}

/// The members that are the components of a value, in its order.
struct ComponentList: Sendable {
  private let members: [Member]
  /// The place of each member among them, from 1; 0 for others.
  private let places: [UInt8]

  /// A list of at most seven members.
  init(_ members: [Member]) {
    precondition(members.count <= 7)
    self.members = members
    places = Member.allCases.map { member in UInt8(members.firstIndex(of: member).map { $0 + 1 } ?? 0) }
  }

  /// Adds the components of the object at `index`, divided by semicolons, where it holds nothing but these, what its line carries besides,
  /// and parts that are in `others`. False for what cannot be written so, whatever has been added.
  func appendPlain(
    _ index: Int, of record: borrowing Record, besides others: MemberSet = MemberSet([]), escaping shape: Escaping.Shape?,
    to line: inout ByteBuffer
  ) -> Bool {
    guard record.tokens[index].operation == .openObject else { return false }
    let end = Int(record.tokens[index].start)
    // Where the component of each place stands.
    var found = InlineArray<8, Int>(repeating: 0)
    var hasSome = false
    var i = index + 1
    while i < end {
      let member = record.tokens[i].member
      let place = Int(places[Int(member.rawValue)])
      if place > 0 {
        guard found[place] == 0 else { return false }
        found[place] = i
        hasSome = true
      } else if !member.isAnnotation, !others.contains(member) {
        return false
      }
      i = record.next(i)
    }
    guard hasSome else { return false }
    for place in 1...members.count {
      if place > 1 { line.append(ASCII.semicolon) }
      if found[place] > 0, !append(found[place], of: record, escaping: shape, to: &line) { return false }
    }
    return true
  }

  /// Adds a component: a text, or several divided by commas where the version has escapes.
  private func append(_ index: Int, of record: borrowing Record, escaping shape: Escaping.Shape?, to line: inout ByteBuffer) -> Bool {
    guard record.tokens[index].operation == .openList, let shape else { return record.appendPlain(index, escaping: shape, to: &line) }
    let end = Int(record.tokens[index].start)
    var i = index + 1
    while i < end {
      if i > index + 1 { line.append(ASCII.comma) }
      guard record.appendPlain(i, escaping: shape, to: &line) else { return false }
      i = record.next(i)
    }
    return true
  }
}
