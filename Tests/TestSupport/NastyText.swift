// Texts with all that formats trip over: separators, escapes, quotes, line breaks, formulas, marks, long words.

package enum NastyText {
  /// Pieces that texts are put together from. No control characters but the tab and the line feed: vCards leave these out.
  private static let pieces = [
    "a", "Zoë", "Smith", " ", "  ", ",", ";", ":", ".", "\\", "\\n", "\\,", "\\\\", "\"", "'", "^", "^n", "^'", "^^", "=", "=41", "=\n",
    "\n",
    "\n\n", "\t", "😀", "👩‍👩‍👧", "🏳️‍🌈", "שלום", "\u{202E}", "e\u{301}", "a\u{30A}\u{327}", "\u{2028}", "\u{85}", "\u{FEFF}", "\u{200B}", "\u{A0}",
    "<b>&amp;", "%41%", "{\"a\":1}", "[]", "|", "BEGIN:VCARD", "END:VCARD", "\nEND:VCARD\n", "-1", "+1", "@x", "=1+1", "'=1", "''", "x12",
    "漢字", "\u{10FFFF}", "VALUE=uri", "TYPE=home", "http\\://x", "_$!<Home>!$_", "Straße", "ﷺ", "0x", "null", "//",
  ]
  /// Beginnings that tables and readers take for something else.
  private static let heads = ["=", "+", "-", "@", "'", "''", "'=", "\t", " ", "\u{FF1D}", "0", "\\", "\"", ";", ",", "^"]

  /// A text that is not empty; with `lines` it may hold line breaks.
  package static func text(_ random: inout Seeded, lines: Bool = true) -> String {
    var text = random.oneIn(4) ? random.pick(heads) : ""
    let count = random.oneIn(40) ? 200 : 1 + random.below(random.oneIn(5) ? 30 : 5)
    for _ in 0..<count { text += random.pick(pieces) }
    if random.oneIn(60) { text += String(repeating: random.pick(["x", "é", " ", "漢", "😀"]), count: 50 + random.below(300)) }
    if random.oneIn(8) { text += " " }
    if !lines { text = String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\n" ? "/" : $0 })) }
    return text
  }

  /// A URI: no blanks, no line breaks, no backslashes (RFC 3986 2).
  package static func uri(_ random: inout Seeded, scheme: String? = nil) -> String {
    let pieces = ["a", "/", "?q=", "&", "%20", ",", ";", "#x", "é", "漢", "~", "(1)", "'", "=", "+", "@", ":", "*", "!", "$", "."]
    var text = (scheme ?? random.pick(["https", "http", "urn", "x-app", "mailto", "ldap"])) + ":"
    if !random.oneIn(4) { text += "//example.com/" }
    for _ in 0..<(random.oneIn(20) ? 80 : 1 + random.below(6)) { text += random.pick(pieces) }
    return text
  }
}
