// Which code page the text of a file is in that is no UTF-8: told by the bytes of its words.

internal import Bytes
internal import CardSyntax

/// Collects what the bytes above ASCII look like.
struct CodePageEvidence {
  /// The code pages that a header may be in, the likelier first.
  static let candidates = [
    "windows-1252", "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257",
    "windows-1258", "windows-874", "shift_jis", "gb18030", "euc-kr", "big5", "macintosh",
  ]

  /// How much text is looked at.
  private static let enough = 1 << 16

  private var sample: [UInt8] = []
  /// Runs of bytes above ASCII, how long they are together.
  private var runs = 0, highBytes = 0
  /// Signs such as `³` in the middle of a word, which are letters in Central Europe.
  private var centralLetters = 0

  /// Takes notice of a cell, unless it is UTF-8.
  mutating func note(_ cell: Span<UInt8>) {
    guard sample.count < Self.enough, !UTF8Check.isValid(cell, 0, cell.count) else { return }
    let room = Self.enough - sample.count
    sample.append(contentsOf: cell, 0, min(cell.count, room))
    sample.append(ASCII.lineFeed)
    var i = 0
    while i < cell.count {
      guard cell[i] >= 0x80 else {
        i += 1
        continue
      }
      let start = i
      while i < cell.count, cell[i] >= 0x80 { i += 1 }
      runs += 1
      highBytes += i - start
      let isInWord = start > 0 && ASCII.isLetter(cell[start - 1]) || i < cell.count && ASCII.isLetter(cell[i])
      let central: Set<UInt8> = [0xA3, 0xA5, 0xAF, 0xB3, 0xB9, 0xBC, 0xBE, 0xBF, 0x8D, 0x8F, 0x9D]
      if isInWord, (start..<i).contains(where: { central.contains(cell[$0]) }) { centralLetters += 1 }
    }
  }

  /// The code page; nil where Windows-1252 is the likeliest.
  var encoding: TextEncoding? {
    guard runs > 0 else { return nil }
    // Words of letters alone that are no ASCII: no Western language has them.
    if Double(highBytes) / Double(runs) >= 2.5 || highBytes == runs * 2 && highBytes > 2 {
      if let found = eastern { return found }
    }
    return centralLetters > 0 ? TextEncoding(named: "windows-1250") : nil
  }

  private var eastern: TextEncoding? {
    var decoder = TextDecoder()
    func decoded(_ name: String) -> (encoding: TextEncoding, text: String)? {
      guard let encoding = TextEncoding(named: name) else { return nil }
      var output = ByteBuffer(capacity: sample.count * 2)
      guard decoder.decode(sample.span, 0, sample.count, as: encoding, to: &output) else { return nil }
      return (encoding, output.text())
    }
    func share(_ text: String, _ isOne: (UInt32) -> Bool) -> Double {
      let letters = text.unicodeScalars.filter { $0.value > 127 }
      return letters.isEmpty ? 0 : Double(letters.count { isOne($0.value) }) / Double(letters.count)
    }
    let isKana: (UInt32) -> Bool = { (0x3041...0x30FF).contains($0) }
    let isHan: (UInt32) -> Bool = { (0x4E00...0x9FFF).contains($0) }
    if let (encoding, text) = decoded("shift_jis"), share(text, isKana) > 0.05,
      share(text, { isKana($0) || isHan($0) || $0 > 0x2FFF && $0 < 0x3041 || $0 >= 0xFF00 }) > 0.9
    {
      return encoding
    }
    let bytes = sample.filter { $0 >= 0x80 }
    let pairsAreGB = bytes.allSatisfy { $0 >= 0xA1 } && bytes.count % 2 == 0
    let cyrillic = bytes.count { $0 >= 0xE0 }
    // In Russian words small letters prevail, which are E0 to FF; the second bytes of Chinese and Korean are spread over all.
    if Double(cyrillic) > Double(bytes.count) * 0.6 { return TextEncoding(named: "windows-1251") }
    if pairsAreGB {
      let firsts = stride(from: 0, to: bytes.count, by: 2).map { bytes[$0] }
      if firsts.allSatisfy({ (0xB0...0xC8).contains($0) }), let (encoding, _) = decoded("euc-kr") { return encoding }
      if let (encoding, text) = decoded("gb18030"), share(text, isHan) > 0.8 { return encoding }
    }
    if let (encoding, text) = decoded("shift_jis"), share(text, isHan) > 0.9 { return encoding }
    if let (encoding, text) = decoded("big5"), share(text, isHan) > 0.9 { return encoding }
    return TextEncoding(named: "windows-1251")
  }
}
