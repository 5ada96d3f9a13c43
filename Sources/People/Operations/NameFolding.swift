// Text reduced to the words that names are compared by: no letter case, no diacritics, no punctuation.

internal import Bytes

/// Folds text for comparison. What it gives is never shown or written.
package enum NameFolding {
  /// The words of a text, folded. A hyphen between letters stays, since `Karl-Heinz` is one name; apostrophes are passed over
  /// (`O'Neil` is `oneil`); every other punctuation divides words. Symbols count only where there is nothing else.
  package static func words(_ text: String) -> [String] {
    var folded = Folded()
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 { folded.add(ascii: byte) }
      return folded.finish()
    }
    for scalar in text.unicodeScalars { folded.add(scalar) }
    return folded.finish()
  }

  /// Is there a letter in the text, of any script?
  static func hasLetter(_ text: String) -> Bool {
    if text.utf8.contains(where: { ASCII.isLetter($0) }) { return true }
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return false }
    return text.unicodeScalars.contains { $0.isASCII ? ASCII.isLetter(UInt8($0.value)) : $0.properties.isAlphabetic }
  }

  /// Words in the making.
  private struct Folded {
    private var words: [String] = []
    private var word: [UInt8] = []
    private var symbols = ""
    private var last: Unicode.Scalar?

    mutating func add(_ scalar: Unicode.Scalar) {
      guard !scalar.isASCII else { return add(ascii: UInt8(scalar.value)) }
      if isDiacritic(scalar) { return addMark(scalar) }
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter:
        // Letters that serve as apostrophes or lengthen a word say nothing.
        if scalar.value == 0x0640 || (0x02B9...0x02BF).contains(scalar.value) { return }
        letter(scalar)
      case .nonspacingMark, .spacingMark, .letterNumber: append(scalar)
      case .decimalNumber:
        word.append(UInt8(ascii: "0") + UInt8(scalar.properties.numericValue ?? 0))
        last = nil
      case .dashPunctuation: hyphen()
      case .format, .control, .enclosingMark, .surrogate, .privateUse, .unassigned: break
      case .mathSymbol, .currencySymbol, .otherSymbol: symbols.unicodeScalars.append(scalar)
      case .modifierSymbol: break
      // Typographic apostrophes are apostrophes.
      case .finalPunctuation where scalar == "\u{2019}": break
      case .initialPunctuation where scalar == "\u{2018}": break
      default: endWord()
      }
    }

    mutating func add(ascii byte: UInt8) {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): word.append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 32)
      case UInt8(ascii: "-"): hyphen()
      case UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "^"), UInt8(ascii: "~"): break
      case UInt8(ascii: "$"), UInt8(ascii: "+"), UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "|"):
        symbols.unicodeScalars.append(Unicode.Scalar(byte))
        endWord()
      default: endWord()
      }
      last = Unicode.Scalar(byte)
    }

    private mutating func letter(_ scalar: Unicode.Scalar) {
      if let base = NameFolding.bases[scalar.value] {
        word += base
      } else if (0xFF21...0xFF5A).contains(scalar.value), let plain = Unicode.Scalar(scalar.value - 0xFEE0) {
        return add(ascii: UInt8(plain.value))
      } else {
        for lower in scalar.properties.lowercaseMapping.unicodeScalars where !isDiacritic(lower) {
          if let base = NameFolding.bases[lower.value] { word += base } else { append(lower) }
        }
      }
      last = scalar
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
      if let units = UTF8.encode(scalar) { word.append(contentsOf: units) }
      last = scalar
    }

    /// Marks that may stand in a letter or behind it, so that only one of the two ways would compare.
    private func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x0300...0x036F, 0x0591...0x05BD, 0x05BF, 0x05C1, 0x05C2, 0x064B...0x065F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF,
        0x3099, 0x309A, 0xFE00...0xFE0F:
        true
      default: false
      }
    }

    /// The voice marks of kana make another letter; all other marks are dropped.
    private mutating func addMark(_ scalar: Unicode.Scalar) {
      guard scalar.value == 0x3099 || scalar.value == 0x309A, let base = last, (0x3041...0x30FE).contains(base.value),
        let voiced = Unicode.Scalar(base.value + (scalar.value == 0x3099 ? 1 : 2))
      else { return }
      word.removeLast(min(word.count, String(base).utf8.count))
      append(voiced)
    }

    private mutating func hyphen() {
      if !word.isEmpty, word.last != ASCII.dash { word.append(ASCII.dash) }
    }

    private mutating func endWord() {
      while word.last == ASCII.dash { word.removeLast() }
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word.removeAll(keepingCapacity: true)
    }

    mutating func finish() -> [String] {
      endWord()
      if words.isEmpty, symbols.unicodeScalars.contains(where: { !$0.isASCII }) { words.append(symbols) }
      return words
    }
  }

  // MARK: Letters

  /// The plain letters of those that carry marks, by the names that Unicode gives them: LATIN SMALL LETTER U WITH DIAERESIS is U.
  private static let bases: [UInt32: [UInt8]] = {
    var plain: [String: Unicode.Scalar] = [:]
    let ranges: [ClosedRange<UInt32>] = [
      0x61...0x7A, 0xE0...0x24F, 0x370...0x52F, 0x1E00...0x1EFF, 0x1F00...0x1FFF, 0x2C60...0x2C7F, 0xA720...0xA7FF,
    ]
    let letters = ranges.joined().compactMap { Unicode.Scalar($0) }.filter { $0.properties.generalCategory == .lowercaseLetter }
    for scalar in letters { if let name = scalar.properties.name { plain[name] = scalar } }
    var found: [UInt32: [UInt8]] = [:]
    for scalar in letters {
      guard let name = scalar.properties.name, let with = position(of: " WITH ", in: name) else { continue }
      if let base = plain[String(name[..<with])] { found[scalar.value] = Array(String(base).utf8) }
    }
    for (scalar, text) in [
      ("ß", "ss"), ("æ", "ae"), ("œ", "oe"), ("ĳ", "ij"), ("ı", "i"), ("ς", "σ"), ("ё", "е"), ("й", "и"), ("ї", "і"),
      ("ў", "у"), ("آ", "ا"), ("أ", "ا"), ("إ", "ا"), ("ؤ", "و"), ("ئ", "ي"),
    ] as [(Unicode.Scalar, String)] { found[scalar.value] = Array(text.utf8) }
    // Marks upon ligatures: ǽ is æ.
    for (scalar, text) in found {
      guard let inner = String(decoding: text, as: UTF8.self).unicodeScalars.first, let base = found[inner.value] else { continue }
      if text.count == String(inner).utf8.count { found[scalar] = base }
    }
    // A capital is what its small letter is.
    for scalar in ranges.joined().compactMap({ Unicode.Scalar($0) }) + (0xC0...0xDE).compactMap({ Unicode.Scalar($0) }) {
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      if let small = lower.first, lower.count == 1, small != scalar, let base = found[small.value] { found[scalar.value] = base }
    }
    return found
  }()

  private static func position(of part: String, in text: String) -> String.Index? {
    var i = text.startIndex
    while i < text.endIndex {
      if text[i...].hasPrefix(part) { return i }
      i = text.index(after: i)
    }
    return nil
  }
}
