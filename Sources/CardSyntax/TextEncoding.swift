// Character encodings: their names in the wild, and bytes to UTF-8 and back.
package import Bytes

/// A character encoding that can be read and written here.
///
/// UTF-8, UTF-16 and the commonest 8-bit code pages are at home; every other one is the C library's (`iconv`).
package struct TextEncoding: Sendable, Hashable {
  /// The name as it should be shown and written, such as `UTF-8`, `windows-1252`, `CP932`.
  package let name: String
  let kind: Kind

  /// Who does the work.
  enum Kind: Sendable, Hashable {
    case utf8, ascii, utf16, utf16LittleEndian, utf16BigEndian, foreign
    case codePage(CodePage)
  }

  init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// What text without a label is read as.
  package static let utf8 = TextEncoding("UTF-8", .utf8)
  /// What text without a label is read as when it is no UTF-8.
  package static let windows1252 = TextEncoding("windows-1252", .codePage(.windows1252))
  /// UTF-16, lower byte first.
  package static let utf16LittleEndian = TextEncoding("UTF-16LE", .utf16LittleEndian)
  /// UTF-16, higher byte first.
  package static let utf16BigEndian = TextEncoding("UTF-16BE", .utf16BigEndian)

  /// True for UTF-8 and ASCII: valid UTF-8 under these labels needs no decoding.
  package var isUTF8: Bool { kind == .utf8 || kind == .ascii }

  /// UTF-16 of either order.
  package var isUTF16: Bool { kind == .utf16 || kind == .utf16LittleEndian || kind == .utf16BigEndian }

  /// True unless plain ASCII bytes may mean something else in it (UTF-16, and what iconv knows).
  package var isASCIICompatible: Bool {
    switch kind {
    case .utf8, .ascii, .codePage: true
    case .utf16, .utf16LittleEndian, .utf16BigEndian, .foreign: false
    }
  }

  /// The encoding of a label; nil for what neither we nor the C library know. See `init(named: String)`.
  package init?(named label: Span<UInt8>) {
    // By far the commonest label, without making a String.
    let isUTF8 =
      label.count == 5 && label[3] == ASCII.dash && label[4] == 0x38
      && ASCII.uppercased(label[0]) == 0x55 && ASCII.uppercased(label[1]) == 0x54 && ASCII.uppercased(label[2]) == 0x46
    if isUTF8 {
      self = .utf8
      return
    }
    guard label.count <= 64 else { return nil }
    var characters: [UInt8] = []
    for index in label.indices { characters.append(label[index]) }
    self.init(named: String(decoding: characters, as: Unicode.UTF8.self))
  }

  /// The encoding of a label such as `utf8`, `"ISO-8859-1"`, ` x-sjis`; nil for what neither we nor the C library know.
  ///
  /// Case, blanks and quotes around it do not matter, nor do dashes, underscores and dots in the names that are at home here.
  /// As in browsers, a label means the superset that is found under it: `us-ascii` is UTF-8 or else Windows-1252, `iso-8859-1`
  /// has Windows-1252's quotes, `shift_jis` is CP932, `gb2312` GB18030, `euc-kr` CP949, `iso-8859-9` Windows-1254.
  package init?(named label: String) {
    var plain = Array(label.utf8)
    while let last = plain.last, Self.isPadding(last) { plain.removeLast() }
    plain = Array(plain.drop(while: Self.isPadding))
    // Slashes would be the C library's options, and its names for "whatever the locale says" are no encodings.
    guard !plain.isEmpty, plain.count <= 64, plain.allSatisfy(Self.isLabelByte) else { return nil }
    let squeezed = String(decoding: plain.filter { ASCII.isLetter($0) || ASCII.isDigit($0) }.map(ASCII.lowercased), as: Unicode.UTF8.self)
    let withoutX = squeezed.hasPrefix("x") ? String(squeezed.dropFirst()) : squeezed
    if let known = Self.known[squeezed] ?? Self.known[withoutX] {
      self = known
      return
    }
    guard !["char", "wchart", "internal", "wchar"].contains(squeezed) else { return nil }
    var candidates = Self.supersets[squeezed] ?? Self.supersets[withoutX] ?? []
    let upper = String(decoding: plain.map(ASCII.uppercased), as: Unicode.UTF8.self)
    candidates.append(upper)
    if upper.hasPrefix("X-") { candidates.append(String(upper.dropFirst(2))) }
    let digits = String(squeezed.drop { !$0.isNumber })
    if !digits.isEmpty && ["windows", "win", "ms", "cp", "codepage", "ibm", "dos", ""].contains(String(withoutX.prefix { !$0.isNumber })) {
      candidates.append("CP" + digits)
    }
    for candidate in candidates where Iconv(from: candidate) != nil {
      self.init(candidate, .foreign)
      return
    }
    return nil
  }

  /// Blanks and quotes that stand around a label.
  private static func isPadding(_ byte: UInt8) -> Bool {
    byte <= ASCII.space || byte == ASCII.quote || byte == ASCII.apostrophe
  }

  /// What the name of an encoding is made of.
  private static func isLabelByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || [0x2D, 0x5F, 0x2E, 0x3A, 0x28, 0x29, 0x2B, 0x20].contains(byte)
  }

  /// The encodings at home here by their labels, squeezed to lower-case letters and digits.
  private static let known: [String: TextEncoding] = {
    let rows: [(TextEncoding, String)] = [
      (.utf8, "utf8 utf8n utf8mb4 utf8mb3 utf8bom utf8sig unicode11utf8 unicode20utf8 utf cp65001 65001 csutf8"),
      (
        TextEncoding("US-ASCII", .ascii),
        "usascii ascii ascii7bit 7bit us iso646us iso646irv1991 ansix341968 ansix341986 iso646 646 csascii cp367 ibm367 20127 cp20127"
      ),
      (TextEncoding("UTF-16", .utf16), "utf16 ucs2 iso10646ucs2 unicode csunicode utf16bom"),
      (.utf16LittleEndian, "utf16le ucs2le unicodelittle unicodefeff cp1200 1200"),
      (.utf16BigEndian, "utf16be ucs2be unicodebig unicodefffe cp1201 1201"),
      (
        TextEncoding("ISO-8859-1", .codePage(.latin1)),
        "iso88591 iso885911987 88591 latin1 latin l1 isolatin1 isoir100 csisolatin1 cp819 ibm819 819 cp28591 28591 isolatin"
      ),
      (
        .windows1252,
        "windows1252 windowslatin1 win1252 cp1252 1252 ms1252 ansi msansi ansi1252 codepage1252 ansicp1252 winlatin1 windows"
      ),
      (TextEncoding("ISO-8859-15", .codePage(.latin9)), "iso885915 iso8859151998 885915 latin9 latin0 l9 isolatin9 csisolatin9 cp28605"),
      (TextEncoding("windows-1250", .codePage(.windows1250)), "windows1250 win1250 cp1250 1250 ms1250 msee codepage1250"),
      (TextEncoding("windows-1251", .codePage(.windows1251)), "windows1251 win1251 cp1251 1251 ms1251 mscyrl codepage1251"),
      (
        TextEncoding("macintosh", .codePage(.macRoman)), "macintosh macroman mac macosroman csmacintosh cp10000 10000 applemacintosh"
      ),
    ]
    var known: [String: TextEncoding] = [:]
    for (encoding, labels) in rows {
      for label in labels.split(separator: " ") { known[String(label)] = encoding }
    }
    return known
  }()

  /// The names under which the C libraries know the superset that is meant by a label, the best first.
  private static let supersets: [String: [String]] = {
    let rows: [(names: [String], labels: String)] = [
      (["CP932", "SHIFT_JIS"], "shiftjis sjis mskanji windows31j cp932 932 ms932 win932 windows932 csshiftjis cswindows31j"),
      (["EUC-JP-MS", "EUCJP-MS", "EUC-JP"], "eucjp ujis eucjpms eucjpwin cseucpkdfmtjapanese"),
      (["ISO-2022-JP-MS", "CP50221", "ISO-2022-JP-3", "ISO-2022-JP"], "iso2022jp jis csiso2022jp"),
      (["GB18030", "GBK"], "gb18030 gbk gb2312 gb231280 euccn chinese csgb2312 cp936 936 ms936 windows936 isoir58 csiso58gb231280"),
      (["BIG5-HKSCS", "CP950", "BIG5"], "big5hkscs"),
      (["CP950", "BIG5"], "big5 big5eten cnbig5 csbig5 cp950 950 ms950 windows950"),
      (["CP949", "UHC", "EUC-KR"], "euckr ksc56011987 ksc56011989 ksc5601 korean cp949 949 ms949 uhc windows949 cseuckr isoir149"),
      (["CP1254", "ISO-8859-9"], "iso88599 iso885991989 latin5 l5 windows1254 win1254 1254 isolatin5 csisolatin5"),
      (["CP874", "TIS-620"], "tis620 iso885911 windows874 win874 874 cp874 dos874"),
      (["KOI8-U"], "koi8u koi8ru"),
      (["KOI8-R"], "koi8r koi8 koi cskoi8r"),
      (["MAC-CYRILLIC", "MACCYRILLIC"], "maccyrillic macukrainian"),
      (["MAC-CENTRALEUROPE", "MACCENTRALEUROPE"], "macce maccentraleurope maccentraleurroman"),
      (["ISO-8859-8"], "iso88598 iso88598i logical hebrew visual"),
      (["UTF-7"], "utf7 unicode11utf7 unicode20utf7 cp65000 65000"),
      (["UTF-32"], "utf32 ucs4 iso10646ucs4"),
    ]
    var supersets: [String: [String]] = [:]
    for row in rows {
      for label in row.labels.split(separator: " ") { supersets[String(label)] = row.names }
    }
    return supersets
  }()

  /// Writes UTF-8 text in an encoding; false when a character does not fit (`?` stands for it) or the text is no UTF-8.
  ///
  /// No byte order mark is written; `UTF-16` without an order is little-endian. With `iconv`, each call opens the conversion anew
  /// and returns to the unshifted state at its end: give it large pieces.
  package static func encode(
    _ utf8: Span<UInt8>, _ start: Int, _ end: Int, as encoding: TextEncoding, to buffer: inout ByteBuffer
  ) -> Bool {
    guard UTF8Check.isValid(utf8, start, end) else {
      var repaired = ByteBuffer(capacity: end - start + 16)
      UTF8Check.appendRepaired(utf8, start, end, to: &repaired)
      repaired.withBytes { _ = encode($0, 0, $0.count, as: encoding, to: &buffer) }
      return false
    }
    switch encoding.kind {
    case .utf8:
      buffer.append(utf8, start, end)
      return true
    case .ascii:
      var fits = true
      for position in start..<end where utf8[position] & 0xC0 != 0x80 {
        let byte = utf8[position]
        if byte >= 0x80 { fits = false }
        buffer.append(byte < 0x80 ? byte : 0x3F)
      }
      return fits
    case .codePage(let page): return page.encode(utf8, start, end, to: &buffer)
    case .utf16, .utf16LittleEndian, .utf16BigEndian:
      UTF16Units.encode(utf8, start, end, bigEndian: encoding.kind == .utf16BigEndian, to: &buffer)
      return true
    case .foreign:
      guard let converter = Iconv(to: encoding.name) else {
        _ = encode(utf8, start, end, as: TextEncoding("US-ASCII", .ascii), to: &buffer)
        return false
      }
      return converter.convert(utf8, start, end, last: true, to: &buffer).clean
    }
  }
}

/// Turns bytes of any encoding into UTF-8, one text at a time.
///
/// It keeps the `iconv` descriptors of the encodings met, and the labels it has looked up, because opening one takes microseconds.
/// It has one owner, who may hand it to another thread but not share it; so the unchecked `Sendable` holds.
package struct TextDecoder: ~Copyable, @unchecked Sendable {
  private var converters: [Iconv] = []
  private var labels: [(label: [UInt8], encoding: TextEncoding?)] = []

  /// A decoder that has met no encoding yet.
  package init() {}

  /// The encoding of a label, as `TextEncoding(named:)` says, remembered: asking for each line of a file is cheap.
  package mutating func encoding(named label: Span<UInt8>) -> TextEncoding? {
    search: for known in labels where known.label.count == label.count {
      for index in label.indices where known.label[index] != label[index] { continue search }
      return known.encoding
    }
    let encoding = TextEncoding(named: label)
    if label.count <= 64 {
      if labels.count >= 16 { labels.removeFirst() }
      var copy: [UInt8] = []
      for index in label.indices { copy.append(label[index]) }
      labels.append((copy, encoding))
    }
    return encoding
  }

  /// Writes `start ..< end` as UTF-8; true when every byte had a meaning, else U+FFFD stands for what had none.
  ///
  /// A text is whole: a character cut off at its end has no meaning. A byte order mark at the start of UTF-16 is dropped.
  package mutating func decode(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, as encoding: TextEncoding, to buffer: inout ByteBuffer
  ) -> Bool {
    switch encoding.kind {
    case .utf8, .ascii:
      if UTF8Check.isValid(bytes, start, end) {
        buffer.append(bytes, start, end)
        return true
      }
      if encoding.kind == .ascii { return CodePage.windows1252.decode(bytes, start, end, to: &buffer) }
      UTF8Check.appendRepaired(bytes, start, end, to: &buffer)
      return false
    case .codePage(let page): return page.decode(bytes, start, end, to: &buffer)
    case .utf16, .utf16LittleEndian, .utf16BigEndian:
      var (units, skip) = UTF16Units.opened(encoding.kind, bytes, start, end)
      let clean = units.decode(bytes, start + skip, end, to: &buffer)
      return units.finish(to: &buffer) && clean
    case .foreign:
      guard let converter = converter(for: encoding.name) else {
        _ = CodePage.windows1252.decode(bytes, start, end, to: &buffer)
        return false
      }
      return converter.convert(bytes, start, end, last: true, to: &buffer).clean
    }
  }

  /// The open conversion from a charset; at most eight are kept.
  private mutating func converter(for charset: String) -> Iconv? {
    for converter in converters where converter.charset == charset { return converter }
    guard let fresh = Iconv(from: charset) else { return nil }
    if converters.count >= 8 { converters.removeFirst() }
    converters.append(fresh)
    return fresh
  }
}
