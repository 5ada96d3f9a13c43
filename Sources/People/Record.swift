// A contact as a flat tape of tokens: what every format reads and writes, without a tree and without a String.

package import Bytes
package import CardSyntax
internal import Synchronization

/// A contact between two forms. Cards, JSON, CSV and `Person` are read into it and written from it. It is a tape, not a tree: the
/// tokens of its fields one after the other, in the table's order, nothing allocated for a value. It is reused from contact to contact.
///
/// The shape is that of the JSON record: a `field` token, then one value: a text, a number, or `open` … `close` around the parts of an
/// object or the elements of a list. A part's name is its `Member`; where keys are data (parameter names), a `key` token goes before.
///
/// It has one owner; `copy` makes a second one.
package struct Record: ~Copyable, Sendable {
  /// What a token is.
  package enum Operation: UInt8, BitwiseCopyable, Sendable {
    case field, text, number, key, openObject, openList, close
  }

  /// What is still to be undone before a text is plain UTF-8.
  package enum Form: UInt8, BitwiseCopyable, Sendable {
    /// Plain text in `made`.
    case made
    /// Plain text in the card's bytes.
    case plain
    /// The card's bytes, with backslash escapes.
    case escaped
  }

  /// One step of the tape; 12 bytes.
  package struct Token: BitwiseCopyable, Sendable {
    package var operation: Operation
    package var member: Member
    package var form: Form
    /// Where the text starts; of a field its number; of `open` the place of its `close`.
    package var start: UInt32
    /// Where the text ends; of `close` the place of its `open`. Of a value that is open yet, the place of the one around it; of an object
    /// that is closed, the number of the excerpt that is all it carries besides its value, 0 where none is known.
    package var end: UInt32
  }

  package private(set) var tokens = Tape<Token>()
  /// Texts that were made, not found in the card.
  private var made = ByteBuffer(capacity: 256)
  /// The bytes that texts of the forms `plain` and `escaped` stand in.
  package private(set) var source: [UInt8] = []
  /// The version whose escapes `escaped` texts are written in, and which the contact declared.
  package var version: CardVersion = .v40
  /// How deep the contact is nested in others (AGENT).
  package var depth = 0
  /// The value that was opened last and is not closed yet; `noValue` where none is open.
  private var innermost = Self.noValue
  private static var noValue: UInt32 { .max }

  package init() {}

  /// Forgets everything; `source` is what card texts will stand in.
  package mutating func begin(source: [UInt8], version: CardVersion) {
    tokens.removeAll()
    made.removeAll()
    innermost = Self.noValue
    self.source = source
    self.version = version
  }

  // MARK: Filling

  /// Begins a field; its value is what comes next.
  @inline(__always)
  package mutating func field(_ number: Int) {
    tokens.append(Token(operation: .field, member: .none, form: .made, start: UInt32(truncatingIfNeeded: number), end: 0))
  }

  /// A text that stands in the card, escaped as in values.
  @inline(__always)
  package mutating func text(_ member: Member, _ start: Int, _ end: Int, _ form: Form = .escaped) {
    tokens.append(
      Token(
        operation: .text, member: member, form: form, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end)))
  }

  /// A text that is made now.
  package mutating func text(_ member: Member, made text: some StringProtocol) {
    self.text(member, made: String(text))
  }

  /// A text that is made now.
  package mutating func text(_ member: Member, made text: String) {
    let start = made.count
    made.append(text: text)
    self.text(member, start, made.count, .made)
  }

  /// A text that is made now, from bytes that are valid UTF-8.
  package mutating func text(_ member: Member, made bytes: borrowing ByteBuffer) {
    let start = made.count
    let count = bytes.count
    bytes.withBytes { made.append($0, 0, count) }
    text(member, start, made.count, .made)
  }

  /// A text that is made now, from a range of bytes that are valid UTF-8.
  package mutating func text(_ member: Member, made bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    let from = made.count
    made.append(bytes, start, end)
    text(member, from, made.count, .made)
  }

  /// Keeps bytes, valid UTF-8, before any text is made: parts of them can then be texts that are `made`.
  mutating func keep(_ bytes: Span<UInt8>) {
    made.removeAll()
    made.append(bytes)
  }

  /// A number, in its decimal text, which stands in what is kept.
  mutating func number(_ member: Member, _ start: Int, _ end: Int) {
    text(member, start, end, .made)
    tokens[tokens.count - 1].operation = .number
  }

  /// A number, in its decimal text.
  package mutating func number(_ member: Member, _ text: String) {
    self.text(member, made: text)
    tokens[tokens.count - 1].operation = .number
  }

  /// A number from 0 on.
  package mutating func number(_ member: Member, _ number: Int) {
    guard number >= 0 && number < 10 else { return self.number(member, String(number)) }
    let start = made.count
    made.append(UInt8(truncatingIfNeeded: 48 &+ number))
    text(member, start, start &+ 1, .made)
    tokens[tokens.count - 1].operation = .number
  }

  /// The key of the next value, where keys are data.
  package mutating func key(_ text: some StringProtocol) {
    self.text(.none, made: text)
    tokens[tokens.count - 1].operation = .key
  }

  /// The key of the next value, where keys are data, from bytes that are valid UTF-8.
  mutating func key(made bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    text(.none, made: bytes, start, end)
    tokens[tokens.count - 1].operation = .key
  }

  /// The key of the next value, from bytes of the card, in lower case.
  package mutating func key(lowercasing start: Int, _ end: Int) {
    let from = made.count
    let bytes = source
    for i in start..<end { made.append(ASCII.lowercased(bytes[i])) }
    text(.none, from, made.count, .made)
    tokens[tokens.count - 1].operation = .key
  }

  /// Begins an object or, with `list`, a list.
  @inline(__always)
  package mutating func open(_ member: Member = .none, list: Bool = false) {
    let begin = UInt32(truncatingIfNeeded: tokens.count)
    tokens.append(Token(operation: list ? .openList : .openObject, member: member, form: .made, start: 0, end: innermost))
    innermost = begin
  }

  /// Ends the object or list that was begun last.
  @inline(__always)
  package mutating func close() {
    guard innermost != Self.noValue else { return }
    let begin = Int(innermost)
    innermost = tokens[begin].end
    tokens[begin].start = UInt32(truncatingIfNeeded: tokens.count)
    tokens[begin].end = 0
    tokens.append(Token(operation: .close, member: .none, form: .made, start: 0, end: UInt32(truncatingIfNeeded: begin)))
  }

  /// Ends the object that was begun last. `number` is that of the excerpt, added last, that is all it carries besides its value; 0 where
  /// there is no such excerpt.
  @inline(__always)
  mutating func close(carrying number: UInt32) {
    let begin = Int(innermost)
    close()
    if begin < tokens.count { tokens[begin].end = number }
  }

  /// The number of what the value that begins at `index` carries: the same numbers tell the same; 0 tells nothing.
  @inline(__always)
  func carried(_ index: Int) -> UInt32 { tokens[index].operation == .openObject ? tokens[index].end : 0 }

  /// Adds a token again, under another name.
  package mutating func append(_ token: Token, as member: Member) {
    var token = token
    token.member = member
    tokens.append(token)
  }

  /// Adds all fields of another record, as parts of the open object; their texts are copied.
  package mutating func append(fieldsOf other: borrowing Record) {
    append(range: 0, other.tokens.count, of: other)
  }

  /// Adds the tokens `start ..< end` of another record, which must be whole values; their texts are copied.
  package mutating func append(range start: Int, _ end: Int, of other: borrowing Record) {
    let shift = tokens.count - start
    for i in start..<end {
      var token = other.tokens[i]
      switch token.operation {
      case .text, .number, .key:
        var text = ByteBuffer(capacity: Int(token.end - token.start) + 1)
        other.append(i, to: &text)
        let (operation, member) = (token.operation, token.member)
        self.text(member, made: text)
        tokens[tokens.count - 1].operation = operation
      case .openObject, .openList:
        token.start = UInt32(truncatingIfNeeded: Int(token.start) + shift)
        tokens.append(token)
      case .close:
        token.end = UInt32(truncatingIfNeeded: Int(token.end) + shift)
        tokens.append(token)
      case .field: tokens.append(token)
      }
    }
  }

  /// Adds the value at `start ..< end` of another record under another name.
  package mutating func append(range start: Int, _ end: Int, of other: borrowing Record, as member: Member) {
    let place = tokens.count
    append(range: start, end, of: other)
    if place < tokens.count { tokens[place].member = member }
  }

  /// Opens the object or list that was closed last again, which begins at `index`, so that more can be added to it.
  package mutating func reopen(_ index: Int) {
    guard let last = tokens.last, last.operation == .close, Int(last.end) == index else { return }
    tokens.truncate(to: tokens.count - 1)
    tokens[index].end = innermost
    innermost = UInt32(truncatingIfNeeded: index)
  }

  /// A second record with all that this one has.
  package func copy() -> Record {
    var result = Record()
    result.begin(source: source, version: version)
    result.depth = depth
    made.withBytes { result.made.append($0) }
    for i in tokens.indices { result.tokens.append(tokens[i]) }
    result.innermost = innermost
    return result
  }

  /// Takes the tokens `start ..< end` of another record over the same source.
  mutating func adopt(_ other: borrowing Record, _ start: Int, _ end: Int) {
    made.removeAll()
    other.made.withBytes { made.append($0) }
    for i in start..<end {
      var token = other.tokens[i]
      if token.operation == .openObject || token.operation == .openList { token.start -= UInt32(truncatingIfNeeded: start) }
      if token.operation == .close { token.end -= UInt32(truncatingIfNeeded: start) }
      tokens.append(token)
    }
  }

  /// Whole values of a tape, by themselves, to be added again and again.
  final class Excerpt: Sendable {
    /// A token, and what is added to its places besides: bits set where the place of the first text, or of the first token, is.
    fileprivate struct Piece: BitwiseCopyable {
      var token: Token
      var texts: UInt32 = 0, startTokens: UInt32 = 0, endTokens: UInt32 = 0
    }
    fileprivate let pieces: [Piece]
    fileprivate let made: [UInt8]
    /// Tells it from all others, in all records; 0 where there were too many.
    let number: UInt32

    /// The number of the excerpt that nothing stands in.
    static let nothing: UInt32 = 1
    private static let last = Atomic(UInt64(nothing))

    fileprivate init(_ pieces: [Piece], _ made: [UInt8]) {
      (self.pieces, self.made) = (pieces, made)
      number = UInt32(exactly: Self.last.wrappingAdd(1, ordering: .relaxed).newValue) ?? 0
    }
  }

  /// The values from token `first` on.
  func excerpt(from first: Int) -> Excerpt {
    var pieces: [Excerpt.Piece] = []
    var text = ByteBuffer()
    for i in first..<tokens.count {
      var piece = Excerpt.Piece(token: tokens[i])
      switch tokens[i].operation {
      case .text, .number, .key:
        piece.token.start = UInt32(truncatingIfNeeded: text.count)
        append(i, to: &text)
        piece.token.end = UInt32(truncatingIfNeeded: text.count)
        piece.token.form = .made
        piece.texts = .max
      case .openObject, .openList:
        piece.token.start -= UInt32(truncatingIfNeeded: first)
        piece.startTokens = .max
      case .close:
        piece.token.end -= UInt32(truncatingIfNeeded: first)
        piece.endTokens = .max
      case .field: break
      }
      pieces.append(piece)
    }
    return Excerpt(pieces, text.array())
  }

  /// Adds the values of an excerpt.
  mutating func append(_ excerpt: Excerpt) {
    let (first, text) = (UInt32(truncatingIfNeeded: tokens.count), UInt32(truncatingIfNeeded: made.count))
    made.append(excerpt.made)
    for piece in excerpt.pieces {
      var token = piece.token
      let shift = piece.texts & text
      token.start &+= shift &+ piece.startTokens & first
      token.end &+= shift &+ piece.endTokens & first
      tokens.append(token)
    }
  }

  /// Gives the part `member` of the object that is open, whose parts begin at token `first`, another text; false where it has no such text.
  mutating func replaceText(_ member: Member, from first: Int, with text: String) -> Bool {
    for place in first..<tokens.count where tokens[place].member == member && tokens[place].operation == .text {
      let start = made.count
      made.append(text: text)
      tokens[place].form = .made
      tokens[place].start = UInt32(truncatingIfNeeded: start)
      tokens[place].end = UInt32(truncatingIfNeeded: made.count)
      return true
    }
    return false
  }

  /// Takes back everything from token `count` on.
  package mutating func truncate(to count: Int) {
    guard count < tokens.count else { return }
    while innermost != Self.noValue, Int(innermost) >= count { innermost = tokens[Int(innermost)].end }
    tokens.truncate(to: count)
  }

  // MARK: Reading

  /// Does a byte that no escape stands for come in the text at `index`?
  func contains(_ byte: UInt8, at index: Int) -> Bool {
    let token = tokens[index]
    let (start, end) = (Int(token.start), Int(token.end))
    if token.form == .made { return made.withBytes { ByteSearch.firstIndex(of: byte, in: $0, from: start, to: end) < end } }
    return ByteSearch.firstIndex(of: byte, in: source.span, from: start, to: end) < end
  }

  /// Writes the text of the token at `index`, plain; nothing for a token that has none.
  package func append(_ index: Int, to output: inout ByteBuffer) {
    let token = tokens[index]
    let (start, end) = (Int(token.start), Int(token.end))
    switch token.operation {
    case .text, .number, .key:
      switch token.form {
      case .made: made.withBytes { output.append($0, start, end) }
      case .plain: output.append(source.span, start, end)
      case .escaped: Escaping.unescape(source.span, start, end, version: version, to: &output)
      }
    case .field, .openObject, .openList, .close: break
    }
  }

  /// Lends the texts that were made.
  func withMade(_ body: (Span<UInt8>) -> Void) { made.withBytes(body) }

  /// Lends the text of the token at `index`, plain, as a range of bytes.
  package func withText(_ index: Int, _ body: (Span<UInt8>, Int, Int) -> Void) {
    let token = tokens[index]
    let (start, end) = (Int(token.start), Int(token.end))
    switch token.form {
    case .made: made.withBytes { body($0, start, end) }
    case .plain: body(source.span, start, end)
    case .escaped:
      if ByteSearch.firstIndex(of: ASCII.backslash, in: source.span, from: start, to: end) == end { return body(source.span, start, end) }
      var output = ByteBuffer(capacity: end - start + 1)
      append(index, to: &output)
      output.withBytes { body($0, 0, $0.count) }
    }
  }

  /// The text of the token at `index`.
  package func string(_ index: Int) -> String {
    let token = tokens[index]
    let (start, end) = (Int(token.start), Int(token.end))
    switch token.form {
    case .made: return made.withBytes { $0.text(start, end) }
    case .plain: return String(decoding: source[start..<end], as: UTF8.self)
    case .escaped:
      let bytes = source
      if ByteSearch.firstIndex(of: ASCII.backslash, in: bytes.span, from: start, to: end) == end { return bytes.span.text(start, end) }
      var output = ByteBuffer(capacity: end - start + 1)
      append(index, to: &output)
      return output.text()
    }
  }

  /// The number in the text at `index`; nil where it is none.
  func smallNumber(_ index: Int) -> Int? {
    let token = tokens[index]
    if token.form == .made, token.end == token.start &+ 1 {
      let digit = made[Int(token.start)]
      return ASCII.isDigit(digit) ? Int(digit &- 48) : nil
    }
    return Int(string(index))
  }
}
