// Where things stand in a record: fields, the parts of values, the elements of lists.

internal import Bytes

extension Record {
  /// The place behind the value (or key, or field and its value) that begins at `index`.
  @inline(__always)
  package func next(_ index: Int) -> Int {
    let hasHead = tokens[index].operation == .field || tokens[index].operation == .key
    let value = hasHead && index &+ 1 < tokens.count ? index &+ 1 : index
    return isOpening(value) ? Int(tokens[value].start) &+ 1 : value &+ 1
  }

  /// Does an object or list begin at `index`?
  @inline(__always)
  func isOpening(_ index: Int) -> Bool { tokens[index].operation == .openObject || tokens[index].operation == .openList }

  /// Is the value at `index` an object or list without anything in it?
  package func isEmptyValue(_ index: Int) -> Bool {
    switch tokens[index].operation {
    case .openObject, .openList: Int(tokens[index].start) == index + 1
    case .text, .number: tokens[index].start == tokens[index].end
    case .field, .key, .close: true
    }
  }

  /// The place of the part `member` of the object that begins at `index`; nil where it has none.
  package func part(_ member: Member, of index: Int) -> Int? {
    guard tokens[index].operation == .openObject else { return nil }
    let end = Int(tokens[index].start)
    var i = index + 1
    while i < end {
      if tokens[i].member == member, tokens[i].operation != .key { return i }
      i = next(i)
    }
    return nil
  }

  /// Has the object that begins at `index` a part that is one of `members`?
  func hasPart(of members: MemberSet, _ index: Int) -> Bool {
    guard tokens[index].operation == .openObject else { return false }
    let end = Int(tokens[index].start)
    var i = index + 1
    while i < end {
      if members.contains(tokens[i].member), tokens[i].operation != .key { return true }
      i = next(i)
    }
    return false
  }

  /// The places of the parts or elements of the value at `index`; of a plain value the place itself.
  package func elements(_ index: Int) -> [Int] {
    guard tokens[index].operation == .openList || tokens[index].operation == .openObject else { return [index] }
    let end = Int(tokens[index].start)
    var found: [Int] = []
    var i = index + 1
    while i < end {
      found.append(i)
      i = next(i)
    }
    return found
  }

  /// Calls `body` with the places that `elements` gives.
  @inline(__always)
  func forEachElement(_ index: Int, _ body: (Int) -> Void) {
    guard isOpening(index) else { return body(index) }
    let end = Int(tokens[index].start)
    var i = index + 1
    while i < end {
      body(i)
      i = next(i)
    }
  }

  /// Calls `body` with the place of each text of this name, wherever it stands.
  @inline(__always)
  func forEachText(of member: Member, _ body: (Int) -> Void) {
    for i in 0..<tokens.count {
      let token = tokens[i]
      if token.member == member, token.operation == .text { body(i) }
    }
  }

  /// The text of the part `member` of the object at `index`; nil where it has none, of a list the elements joined by `; `.
  package func string(_ member: Member, of index: Int) -> String? {
    guard let place = part(member, of: index) else { return nil }
    return tokens[place].operation == .openObject ? nil : textOrList(place)
  }

  /// The text at `place`, of a list the elements joined by `; `; empty for an object.
  func textOrList(_ place: Int) -> String {
    switch tokens[place].operation {
    case .text, .number: string(place)
    case .openList: elements(place).map { string($0) }.joined(separator: "; ")
    case .field, .key, .openObject, .close: ""
    }
  }

  /// The number of the last field, which has the greatest; nil where there is none.
  var lastField: Int? {
    guard let last = tokens.last else { return nil }
    let value = last.operation == .close ? Int(last.end) : tokens.count - 1
    return value > 0 && tokens[value - 1].operation == .field ? Int(tokens[value - 1].start) : nil
  }

  /// The place of the value of field `number`; nil where the contact has none.
  package func value(ofField number: Int) -> Int? {
    var i = 0
    while i < tokens.count {
      let token = tokens[i]
      switch token.operation {
      case .field:
        if Int(token.start) == number { return i + 1 }
        i &+= 1
      case .openObject, .openList: i = Int(token.start) &+ 1
      case .key, .text, .number, .close: i &+= 1
      }
    }
    return nil
  }
}
