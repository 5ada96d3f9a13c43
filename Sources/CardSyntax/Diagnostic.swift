// What is wrong with a text and what was done about it: rules, severities, findings.

/// How bad a finding is.
public enum Severity: UInt8, Sendable, Hashable, Comparable, CaseIterable {
  /// A conversion or repair changed something, or a version could not carry it.
  case info
  /// The text is wrong, but its meaning is sure and was taken.
  case warning
  /// Something could not be understood, and a person must look.
  case error

  /// The milder one comes first.
  public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }

  /// `info`, `warning` or `error`.
  public var name: String { ["info", "warning", "error"][Int(rawValue)] }
}

/// A rule that findings name: a stable kebab-case id, the usual severity, and one sentence.
public struct Rule: Sendable, Hashable {
  /// The stable id, such as `missing-end`.
  public let id: String
  /// The severity of its findings, unless a finding says otherwise.
  public let severity: Severity
  /// One sentence for `--rules`.
  public let summary: String

  /// A rule; ids are unique over all tables of rules.
  public init(_ id: String, _ severity: Severity, _ summary: String) {
    self.id = id
    self.severity = severity
    self.summary = summary
  }

  /// Rules are equal where their ids are.
  public static func == (a: Rule, b: Rule) -> Bool { a.id == b.id }
  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// One finding: damage in data, a repair, or a loss.
public struct Diagnostic: Sendable, Hashable {
  /// The rule that found it.
  public var rule: Rule
  /// How bad it is here.
  public var severity: Severity
  /// The physical line (from 1) where the content line starts; nil where no line is meant.
  public var line: Int?
  /// The property's name, where one is meant.
  public var property: String?
  /// The contact's number in its input, from 0, where one is meant.
  public var contact: Int?
  /// The full name of the contact, where the finder knows it.
  public var contactName: String?
  /// What is wrong and what was done about it.
  public var message: String
  /// True where a value was left out of the result.
  public var leftOut: Bool

  /// A finding of `rule`, with the rule's own severity unless another is given.
  public init(
    _ rule: Rule, _ message: String, line: Int? = nil, property: String? = nil, contact: Int? = nil, severity: Severity? = nil,
    leftOut: Bool = false
  ) {
    self.rule = rule
    self.severity = severity ?? rule.severity
    self.line = line
    self.property = property
    self.contact = contact
    self.message = message
    self.leftOut = leftOut
  }
}

extension Rule {
  static let missingBegin = Rule("missing-begin", .error, "END:VCARD stands where no card was begun.")
  static let missingEnd = Rule("missing-end", .warning, "A card ends without END:VCARD: another card begins, or the file ends.")
  static let textOutside = Rule("text-outside-card", .info, "Text stands before, between or after cards.")
  static let missingColon = Rule("missing-colon", .warning, "A line has no colon, so it is no content line.")
  package static let missingVersion = Rule("missing-version", .warning, "A card does not say its version.")
  package static let unknownVersion = Rule("unknown-version", .warning, "VERSION is none of 2.1, 3.0 and 4.0.")
  package static let assumedCharset = Rule("charset-assumed", .warning, "Bytes are no UTF-8 and no CHARSET names their encoding.")
  package static let wrongCharset = Rule(
    "charset-wrong", .warning, "CHARSET names an encoding that is unknown, or that the bytes are not in.")
  package static let transcoded = Rule("charset-transcoded", .info, "The whole input is in another encoding than UTF-8.")
  static let brokenQuotedPrintable = Rule("quoted-printable-broken", .warning, "A quoted-printable value has an = that encodes nothing.")
  static let danglingSoftBreak = Rule(
    "soft-break-dangling", .info, "A quoted-printable line ends in a soft line break, but its text does not go on.")
  static let unindentedBase64 = Rule("base64-unfolded", .info, "Base64 goes on in lines that are not indented.")
  static let parameterEmpty = Rule("parameter-empty", .info, "A parameter has no value.")
  static let parameterComma = Rule("parameter-comma", .info, "A comma stands where a semicolon divides parameters.")
  static let parameterEscape = Rule("parameter-escape", .info, "A parameter value escapes its comma with a backslash.")
  static let parameterQuote = Rule(
    "parameter-quote", .info, "A double quote stands inside an unquoted parameter value, or is never closed.")
  static let trailingText = Rule("end-junk", .info, "Text follows END:VCARD on its line.")
  static let lineTooLong = Rule("limit-line", .error, "A content line is longer than the limit; its card was skipped.")
  static let cardTooLong = Rule("limit-card", .error, "A card is larger than the limit; it was skipped.")
  static let tooManyProperties = Rule("limit-properties", .error, "A card has more properties than the limit; it was skipped.")

  /// Every rule of vCard syntax.
  public static let syntax: [Rule] = [
    missingBegin, missingEnd, textOutside, missingColon, missingVersion, unknownVersion, assumedCharset, wrongCharset, transcoded,
    brokenQuotedPrintable, danglingSoftBreak, unindentedBase64, parameterEmpty, parameterComma, parameterEscape, parameterQuote,
    trailingText, lineTooLong, cardTooLong, tooManyProperties,
  ]
}
