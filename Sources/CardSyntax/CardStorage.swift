// What a parsed run of cards is made of: flat tables over one run of bytes, made once, never changed.

internal import Bytes

/// What is special about a content line.
@usableFromInline package struct LineFlags: OptionSet, BitwiseCopyable, Sendable {
  @usableFromInline package var rawValue: UInt32
  @inlinable @inline(__always) package init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Some of the flags of `other` are set.
  @inlinable @inline(__always) package func hasAny(of other: LineFlags) -> Bool { rawValue & other.rawValue != 0 }
  /// Written over several physical lines.
  @inlinable package static var folded: LineFlags { LineFlags(rawValue: 1) }
  /// The value was quoted-printable and is decoded now.
  @inlinable package static var quotedPrintable: LineFlags { LineFlags(rawValue: 2) }
  /// The value is base64 without blanks, not decoded.
  @inlinable package static var base64: LineFlags { LineFlags(rawValue: 4) }
  /// The bytes as written are not the text: another charset, or damage that was mended.
  @inlinable package static var mended: LineFlags { LineFlags(rawValue: 8) }
  /// The VERSION line.
  @inlinable package static var version: LineFlags { LineFlags(rawValue: 16) }
  /// The value is a whole card (2.1 AGENT), lines as written.
  @inlinable package static var nestedCard: LineFlags { LineFlags(rawValue: 32) }
  /// A parameter as written is not in the grammar: bare words outside 2.1, empty or wrongly separated ones.
  @inlinable package static var oddParameters: LineFlags { LineFlags(rawValue: 64) }
  /// Some byte of the line is not ASCII.
  @inlinable package static var nonASCII: LineFlags { LineFlags(rawValue: 128) }
  /// A physical line is longer than 75 octets.
  @inlinable package static var longLine: LineFlags { LineFlags(rawValue: 256) }
  /// A physical line ends in something else than CRLF.
  @inlinable package static var bareLineBreak: LineFlags { LineFlags(rawValue: 512) }
  /// The physical lines hold the value in another encoding, or another card.
  @inlinable package static var encoded: LineFlags { LineFlags(rawValue: 2 | 4 | 32) }
  /// The line may stand on several physical lines, or on one that does not end in CRLF, or is not as it was written.
  @inlinable package static var severalLines: LineFlags { LineFlags(rawValue: 1 | 2 | 4 | 8 | 32 | 512) }
  /// The physical lines are others than a writer makes.
  @inlinable package static var unevenLines: LineFlags { LineFlags(rawValue: 1 | 256 | 512) }
}

/// A content line as offsets into the bytes of its batch. Names and parameters stand as written, the value is unfolded,
/// transfer-decoded (quoted-printable) and valid UTF-8, but still escaped.
package struct LineEntry: BitwiseCopyable, Sendable {
  package var rawStart: UInt32 = 0, rawEnd: UInt32 = 0
  package var groupStart: UInt32 = 0, groupEnd: UInt32 = 0
  package var nameStart: UInt32 = 0, nameEnd: UInt32 = 0
  package var valueStart: UInt32 = 0, valueEnd: UInt32 = 0
  package var firstParameter: UInt32 = 0, parameterCount: UInt32 = 0
  /// Physical line, counted from the batch's first.
  package var line: UInt32 = 0
  /// The name's number in the parser's table; 0 for names it does not have.
  package var number: UInt16 = 0
  /// The number of the line's head by the batch's numbering, the same for lines whose bytes before the value are the same (the text of a
  /// LABEL apart); 0 for heads that have none.
  package var head: UInt16 = 0
  package var flags: LineFlags = []
  /// Which parameters it has.
  package var known = ParameterSet()
}

/// A parameter as offsets: name and value as written, quotes and all.
package struct ParameterEntry: BitwiseCopyable, Sendable {
  package var nameStart: UInt32 = 0, nameEnd: UInt32 = 0
  package var valueStart: UInt32 = 0, valueEnd: UInt32 = 0
  package var known: KnownParameter = .other
  /// Written without a name, as 2.1 does.
  package var isBare = false
  /// Some of the value is quoted, or it holds a backslash or a caret: reading it takes the long way.
  package var isPlain = true
}

/// A card: a range of lines.
package struct CardEntry: BitwiseCopyable, Sendable {
  package var firstLine: UInt32 = 0, lineCount: UInt32 = 0
  package var rawStart: UInt32 = 0, rawEnd: UInt32 = 0
  package var line: UInt32 = 0
  package var firstDiagnostic: UInt32 = 0, diagnosticCount: UInt32 = 0
  /// The version it was read as.
  package var version: CardVersion = .v30
  /// The version it says it has.
  package var declared: CardVersion?
}

/// Cards that were parsed in one go, with the bytes they stand in.
public final class CardBatch: Sendable {
  package let bytes: [UInt8]
  package let lines: [LineEntry]
  package let parameters: [ParameterEntry]
  package let cards: [CardEntry]
  /// Findings of the cards, then those between cards.
  package let diagnostics: [Diagnostic]
  /// The physical line (from 1) of the first byte.
  package let firstPhysicalLine: Int
  /// The number of the first card in its input, from 0.
  package let firstCard: Int
  /// Where in `bytes` the input ends that the batch was read from; unfolded and decoded text follows.
  package let inputEnd: Int
  /// Who numbered the heads of the lines.
  package let numbering: HeadNumbering

  package init(
    bytes: [UInt8], lines: [LineEntry], parameters: [ParameterEntry], cards: [CardEntry], diagnostics: [Diagnostic],
    firstPhysicalLine: Int, firstCard: Int, inputEnd: Int, numbering: HeadNumbering
  ) {
    self.numbering = numbering
    self.bytes = bytes
    self.lines = lines
    self.parameters = parameters
    self.cards = cards
    self.diagnostics = diagnostics
    self.firstPhysicalLine = firstPhysicalLine
    self.firstCard = firstCard
    self.inputEnd = inputEnd
  }

  /// Findings that belong to no card.
  package var diagnosticsOutsideCards: [Diagnostic] {
    var isInside = Array(repeating: false, count: diagnostics.count)
    for card in cards { for i in 0..<Int(card.diagnosticCount) { isInside[Int(card.firstDiagnostic) + i] = true } }
    return diagnostics.indices.filter { !isInside[$0] }.map { diagnostics[$0] }
  }

  /// How many cards it holds.
  public var count: Int { cards.count }

  /// The card at `index`, from 0.
  public subscript(index: Int) -> Card { Card(batch: self, index: index) }
}

/// The parameter names that readers ask for by number.
public enum KnownParameter: UInt8, BitwiseCopyable, Sendable, Hashable, CaseIterable {
  case other, type, encoding, charset, value, language, pref, label, sortAs, mediaType, altID, pid, propID, calscale, geo, tz, cc, index,
    level
  case group, author, authorName, created, derived, phonetic, script, serviceType, username, jsComps, jsPtr, xServiceType, xAppleOmitYear,
    xUser
  case waid, xSortAs, xTZ, xGeo, xCC, xAdrParts, xOmitTime, xMoreLabels, xParts, xRevision

  /// The name in upper case; empty for `other`.
  public var name: String {
    switch self {
    case .other: ""
    case .type: "TYPE"
    case .encoding: "ENCODING"
    case .charset: "CHARSET"
    case .value: "VALUE"
    case .language: "LANGUAGE"
    case .pref: "PREF"
    case .label: "LABEL"
    case .pid: "PID"
    case .calscale: "CALSCALE"
    case .geo: "GEO"
    case .tz: "TZ"
    case .cc: "CC"
    case .index: "INDEX"
    case .level: "LEVEL"
    case .group: "GROUP"
    case .author: "AUTHOR"
    case .created: "CREATED"
    case .derived: "DERIVED"
    case .phonetic: "PHONETIC"
    case .script: "SCRIPT"
    case .username: "USERNAME"
    case .waid: "WAID"
    case .sortAs: "SORT-AS"
    case .mediaType: "MEDIATYPE"
    case .altID: "ALTID"
    case .propID: "PROP-ID"
    case .authorName: "AUTHOR-NAME"
    case .serviceType: "SERVICE-TYPE"
    case .jsComps: "JSCOMPS"
    case .jsPtr: "JSPTR"
    case .xServiceType: "X-SERVICE-TYPE"
    case .xAppleOmitYear: "X-APPLE-OMIT-YEAR"
    case .xUser: "X-USER"
    case .xSortAs: "X-SORT-AS"
    case .xTZ: "X-TZ"
    case .xGeo: "X-GEO"
    case .xCC: "X-CC"
    case .xAdrParts: "X-ADR-PARTS"
    case .xOmitTime: "X-OMIT-TIME"
    case .xMoreLabels: "X-MORE-LABELS"
    case .xParts: "X-PARTS"
    case .xRevision: "X-REVISION"
    }
  }

  /// The names of all, as a table.
  static let table = NameTable(KnownParameter.allCases.dropFirst().map { ($0.name, UInt16($0.rawValue)) })
}
