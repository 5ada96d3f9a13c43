// Values that need no closer look: nothing in them would have to be checked or escaped, so that a glance at their bytes is enough.

internal import Bytes
internal import CardSyntax

/// What a kind says of the values of all lines with one head. A value of this form is surely right in a version, or surely another
/// version's; and where the line is written anew it stays as it is (a date takes the version's form, a comma of 2.1 is escaped), behind a
/// head in which it has no part. Of values in another form nothing is said: there the kind itself is asked.
package struct PlainValues: BitwiseCopyable {
  /// What is known of a value.
  package enum Answer: UInt8, BitwiseCopyable {
    case unknown, right
    /// It is right as it stands, but a writer would write it in another way.
    case kept
    /// It is right in the version that it comes from, but not as the line stands.
    case foreign

    /// Would a writer write the value as it stands, but for what `append` does?
    var stays: Bool { self == .right || self == .foreign }
  }

  private enum Form: UInt8, BitwiseCopyable { case none, text, number, list, units, uri, strictURI, identifier, date, uncontrolled }
  private enum Zone: UInt8, BitwiseCopyable { case never, maybe, always }

  private var form = Form.none
  private var answer = Answer.right
  /// Of an identifier that is a URI, of a date in the extended form of ISO 8601.
  private var otherAnswer = Answer.right
  /// How many semicolons that are not escaped it has.
  private var fewest: UInt8 = 0, most: UInt8 = 0
  private var hasCommas = false
  /// A comma of 2.1 is text, which other versions escape.
  private var escapesCommas = false
  /// Which escapes it may have: `\n` and `\,`, in 3.0 and 4.0 also `\\`.
  private var hasEscapes = false, escapesBackslashes = false
  /// Dates: is a time there? And is it written in the basic form?
  private var time = Zone.never
  private var isBasic = false

  /// Nothing is said of any value.
  static let none = PlainValues()

  private init() {}

  private init(_ form: Form, in version: CardVersion, from origin: CardVersion) {
    self.form = form
    hasEscapes = version != .v21
    escapesBackslashes = origin != .v21
    escapesCommas = origin == .v21 && version != .v21
  }

  /// One text.
  static func text(in version: CardVersion, from origin: CardVersion) -> PlainValues {
    var plain = PlainValues(.text, in: version, from: origin)
    if version == .v40 { plain.most = .max }
    return plain
  }

  /// A telephone number that is no URI.
  static func number(in version: CardVersion, from origin: CardVersion) -> PlainValues {
    PlainValues(.number, in: version, from: origin)
  }

  /// Texts divided by commas.
  static func list(in version: CardVersion, from origin: CardVersion) -> PlainValues {
    var plain = PlainValues(.list, in: version, from: origin)
    if version == .v40 { plain.most = .max }
    (plain.hasCommas, plain.escapesCommas) = (true, false)
    return plain
  }

  /// So many components of one text each.
  static func components(_ count: Int, in version: CardVersion, from origin: CardVersion) -> PlainValues {
    var plain = PlainValues(.text, in: version, from: origin)
    (plain.fewest, plain.most) = (UInt8(count - 1), UInt8(count - 1))
    return plain
  }

  /// Any number of components, the last of which is not empty.
  static func units(in version: CardVersion, from origin: CardVersion) -> PlainValues {
    var plain = PlainValues(.units, in: version, from: origin)
    plain.most = .max
    return plain
  }

  /// A URI, as far as writers care; for validators (`strict`) by the letters that it may have.
  static func uri(strict: Bool) -> PlainValues {
    var plain = PlainValues()
    plain.form = strict ? .strictURI : .uri
    (plain.most, plain.hasCommas) = (.max, true)
    return plain
  }

  /// A URI, of which this is the answer, or another text.
  static func identifier(uri: Answer, other: Answer) -> PlainValues {
    var plain = PlainValues()
    plain.form = .identifier
    (plain.answer, plain.otherAnswer) = (other, uri)
    return plain
  }

  /// A whole date in the basic form (`19850412`, `19961022T140000Z`) or the extended one (`1985-04-12`, `1996-10-22T14:00:00Z`), which is
  /// written in the basic form or not. It must have a time, or must not, or (nil) may.
  static func date(basic: Answer, extended: Answer, hasTime: Bool?, isWrittenBasic: Bool) -> PlainValues {
    var plain = PlainValues()
    plain.form = .date
    (plain.answer, plain.otherAnswer) = (basic, extended)
    plain.time = hasTime.map { $0 ? .always : .never } ?? .maybe
    plain.isBasic = isWrittenBasic
    return plain
  }

  /// Anything without control characters.
  static var uncontrolled: PlainValues {
    var plain = PlainValues()
    plain.form = .uncontrolled
    (plain.most, plain.hasCommas) = (.max, true)
    return plain
  }

  /// Is something said of some value?
  var isSome: Bool { form != .none }

  /// What is known of the value in `bytes[start ..< end]`.
  func answer(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Answer {
    guard start < end else { return .unknown }
    switch form {
    case .none: return .unknown
    case .text, .uri: return plainAnswer(bytes, start, end)
    case .number: return bytes[start] | 32 != UInt8(ascii: "t") ? plainAnswer(bytes, start, end) : .unknown
    case .list: return bytes[start] != ASCII.comma && bytes[end &- 1] != ASCII.comma ? plainAnswer(bytes, start, end) : .unknown
    case .units: return bytes[end &- 1] != ASCII.semicolon ? plainAnswer(bytes, start, end) : .unknown
    case .strictURI: return ValueSyntax.isPlainURI(bytes, start, end) ? answer : .unknown
    case .identifier:
      guard plainAnswer(bytes, start, end) != .unknown else { return .unknown }
      return ValueSyntax.looksLikeURI(bytes, start, end) ? otherAnswer : answer
    case .date:
      guard let form = DateSyntax.plainForm(bytes, start, end), time == .maybe || form.hasTime == (time == .always) else { return .unknown }
      return form.isExtended ? otherAnswer : answer
    case .uncontrolled: return isFreeOfControls(bytes, start, end) ? answer : .unknown
    }
  }

  /// Are two lines, with values of which these are the answers, written with one head?
  func haveOneHead(_ a: Answer, _ b: Answer) -> Bool { form == .identifier ? a == b : a.stays && b.stays }

  /// Adds the value as a line has it that is written anew.
  func append(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, to line: inout ByteBuffer) {
    if form == .date { return DateSyntax.appendPlain(bytes, start, end, isBasic: isBasic, to: &line) }
    guard escapesCommas else { return line.append(bytes, start, end) }
    var from = start
    var i = ByteSearch.firstIndex(of: ASCII.comma, or: ASCII.backslash, in: bytes, from: start, to: end)
    while i < end {
      if bytes[i] == ASCII.comma {
        line.append(bytes, from, i)
        line.append(ASCII.backslash)
        from = i
      } else {
        i &+= 1
      }
      i = ByteSearch.firstIndex(of: ASCII.comma, or: ASCII.backslash, in: bytes, from: i &+ 1, to: end)
    }
    line.append(bytes, from, end)
  }

  /// The answer for a value of which all bytes that mean something are among those that it may have.
  private func plainAnswer(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Answer {
    var semicolons = 0
    // A comma that is text of 2.1, a semicolon that needs no escape.
    var (hasText, isKept) = (false, false)
    if fewest > 0, let count = Escaping.semicolonsOfPlain(in: bytes, from: start, to: end) {
      return count >= Int(fewest) && count <= Int(most) ? answer : .unknown
    }
    var i = Escaping.firstSpecial(in: bytes, from: start, to: end)
    while i < end {
      switch bytes[i] {
      case ASCII.semicolon: semicolons &+= 1
      case ASCII.comma where escapesCommas: hasText = true
      // An empty text of a list is left out when it is written.
      case ASCII.comma: guard hasCommas, form != .list || bytes[i &- 1] != ASCII.comma else { return .unknown }
      case ASCII.backslash:
        guard hasEscapes, i &+ 1 < end else { return .unknown }
        let next = bytes[i &+ 1]
        if next == ASCII.semicolon, fewest == 0 {
          isKept = true
        } else if next != UInt8(ascii: "n"), next != ASCII.comma, next != ASCII.backslash || !escapesBackslashes {
          return .unknown
        }
        i &+= 1
      default: return .unknown
      }
      i = Escaping.firstSpecial(in: bytes, from: i &+ 1, to: end)
    }
    guard semicolons >= Int(fewest), semicolons <= Int(most) || most == .max else { return .unknown }
    if isKept { return hasText || answer != .right ? .unknown : .kept }
    return hasText ? .foreign : answer
  }

  private func isFreeOfControls(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var i = Escaping.firstSpecial(in: bytes, from: start, to: end)
    while i < end {
      let byte = bytes[i]
      if byte < 32 && byte != ASCII.tab || byte == 127 { return false }
      i = Escaping.firstSpecial(in: bytes, from: i &+ 1, to: end)
    }
    return true
  }
}
