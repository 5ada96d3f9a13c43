// Texts that stand for others, so that what becomes of a value can be worked out once for all values like it.

internal import Bytes

/// Stand-ins for texts. Where a property's text only passes through a conversion, the conversion is run with a stand-in for it; the
/// places where that comes out again are the places of the text. They are made of characters that nobody may use (U+10FFFD, the last
/// one for private use, and one that counts).
enum StandIn {
  private static let mark: Unicode.Scalar = "\u{10FFFD}"
  private static let first: UInt32 = 0xF0000
  /// The mark in UTF-8.
  static let markBytes = Array(String(mark).utf8)
  /// How many bytes of UTF-8 a stand-in takes, without what begins it.
  static let length = 8

  /// What conversions look at in a text.
  enum Form: UInt8, BitwiseCopyable {
    case plain, uri, geo, empty
    /// A day, a point in time in UTC.
    case day, time

    /// What a stand-in of the form begins with.
    var start: String {
      switch self {
      case .plain, .empty, .day, .time: ""
      case .uri: "x:"
      case .geo: "geo:"
      }
    }
  }

  /// A stand-in for the text of a number up to 4095; an empty text stands for itself.
  static func text(_ number: Int, _ form: Form = .plain) -> String {
    if form == .empty { return "" }
    if form == .day || form == .time { return form == .day ? day : time }
    var text = form.start
    text.unicodeScalars.append(mark)
    if let scalar = Unicode.Scalar(first + UInt32(number & 0xFFF)) { text.unicodeScalars.append(scalar) }
    return text
  }

  /// What conversions look at in the text in `bytes[start ..< end]`; with `isEscaped` it is a value of a card, escapes and all.
  static func form(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, isEscaped: Bool = false) -> Form {
    guard start < end else { return .empty }
    guard ASCII.isLetter(bytes[start]) else { return .plain }
    // Blanks and at signs, which most texts have, are in no scheme.
    let i = ByteSearch.firstMarked(in: bytes, from: start, to: end) {
      $0.marks(of: ASCII.colon) | $0.marks(of: ASCII.backslash) | $0.marks(of: ASCII.space) | $0.marks(of: UInt8(ascii: "@"))
    }
    let hasColon =
      i < end && (bytes[i] == ASCII.colon || isEscaped && bytes[i] == ASCII.backslash && i + 1 < end && bytes[i + 1] == ASCII.colon)
    guard hasColon else { return .plain }
    for place in start..<i where !isSchemeByte(bytes[place]) { return .plain }
    return i &- start == 3 && Words.uppercased(Words.loadUpTo8(bytes, start, i)) == 0x4F_4547 ? .geo : .uri
  }

  /// Is it a letter, a digit, a plus, a dash or a dot? A bit for each byte of ASCII tells.
  @inline(__always)
  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    let bits: UInt64 = byte < 64 ? 0x03FF_6800_0000_0000 : 0x07FF_FFFE_07FF_FFFE
    return byte < 128 && bits &>> UInt64(byte) & 1 == 1
  }

  /// The number of the text that a text stands for; nil for one that is no stand-in.
  static func number(of text: String) -> Int? {
    guard text.utf8.count >= length, text.utf8.count <= length + 4 else { return nil }
    let scalars = text.unicodeScalars.suffix(2)
    guard scalars.first == mark, let last = scalars.last, last.value >= first, last.value <= first + 0xFFF else { return nil }
    let start = text.unicodeScalars.dropLast(2)
    guard start.isEmpty || start.elementsEqual("x:".unicodeScalars) || start.elementsEqual("geo:".unicodeScalars) else { return nil }
    return Int(last.value - first)
  }

  /// Could something in the text be taken for a stand-in?
  static func isIn(_ text: String) -> Bool { text.unicodeScalars.contains(mark) }

  /// A day and a point in time that stand for others, in vCard's basic form, and the latter in ISO 8601's extended form.
  static let day = "99991122", time = "99991122T233445Z", extendedTime = "9999-11-22T23:34:45Z"
  /// The parts of the day as numbers.
  static let dayParts = (year: "9999", month: "11", day: "22")

  /// Could something in the text be taken for a day or a point in time that stands for another?
  static func isDateIn(_ text: String) -> Bool { text.contains("9999") }
}
