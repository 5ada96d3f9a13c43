// Profiles: how one reader's vCards have to be written beyond what the version asks for.

public import CardSyntax

/// A reader whose habits a writer follows.
public struct WriterProfile: Sendable, Hashable {
  /// The readers there are profiles for.
  public enum Reader: String, Sendable, CaseIterable {
    case apple, google, android, outlook, nextcloud, strict
  }

  /// How a date without its year is written before 4.0.
  enum MissingYear: Sendable { case placeholder, dashes }

  /// How accounts with messaging services are written.
  enum Messaging: Sendable {
    /// As IMPP alone.
    case standard
    /// As IMPP, and once more as the property of the service.
    case both
    /// As the property of the service where there is one.
    case old
  }

  /// A word that the lines of a field carry, unless they carry one of others.
  struct Word: Sendable, Hashable {
    let field: String, word: String, unless: Set<String>
  }

  /// The reader.
  public let reader: Reader
  /// The version that the reader knows best.
  public let version: CardVersion
  /// One sentence for help.
  public let summary: String
  /// Long lines are not folded, but for base64.
  var isUnfolded = false
  /// An empty N is filled from FN, since the reader shows N.
  var fillsName = true
  var missingYear = MissingYear.placeholder
  /// Dates are written without dashes in every version.
  var hasCompactDates = false
  var messaging = Messaging.standard
  /// Parameter values hold no semicolon, not even in quotes.
  var avoidsSemicolons = false
  /// Nothing is written that the version's text does not know.
  var isStrict = false
  var words: [Word] = []

  private init(_ reader: Reader, _ version: CardVersion, _ summary: String) {
    (self.reader, self.version, self.summary) = (reader, version, summary)
  }

  /// All profiles, in the order in which help lists them.
  public static let all: [WriterProfile] = Reader.allCases.map { WriterProfile($0) }

  /// The profile for a reader.
  public init(_ reader: Reader) {
    switch reader {
    case .apple:
      self.init(reader, .v30, "Apple's Contacts: 3.0, accounts also as X-JABBER and its like")
      messaging = .both
      avoidsSemicolons = true
    case .google:
      self.init(reader, .v30, "Google Contacts: 3.0, a date without its year as --MM-DD")
      messaging = .both
      missingYear = .dashes
    case .android:
      self.init(reader, .v21, "Android: 2.1, lines not folded, events as X-ANDROID-CUSTOM")
      isUnfolded = true
      messaging = .old
      missingYear = .dashes
    case .outlook:
      self.init(reader, .v21, "Outlook: 2.1, people and anniversary as X-MS-SPOUSE and its like")
      hasCompactDates = true
      words = [
        Word(field: "phones", word: "VOICE", unless: ["VOICE", "FAX", "ISDN", "TLX", "MSG", "BBS", "MODEM", "VIDEO"]),
        Word(field: "emails", word: "INTERNET", unless: ["INTERNET", "X400", "TLX"]),
      ]
    case .nextcloud:
      self.init(reader, .v40, "Nextcloud: 4.0, profiles as X-SOCIALPROFILE")
      fillsName = false
    case .strict:
      self.init(reader, .v40, "only what the text of the version knows: nothing with X-")
      fillsName = false
      isStrict = true
    }
  }

  /// Profiles are equal where they are for one reader: all else follows from it.
  public static func == (a: WriterProfile, b: WriterProfile) -> Bool { a.reader == b.reader }
  /// Hashes the reader.
  public func hash(into hasher: inout Hasher) { hasher.combine(reader) }
}
