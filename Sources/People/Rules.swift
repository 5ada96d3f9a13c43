// The rules that findings about contacts name: what may be wrong with a value, and what a conversion changes.

public import CardSyntax

extension Rule {
  static let missingFullName = Rule("missing-fn", .warning, "A card has no FN, or an empty one (RFC 6350 6.2.1, RFC 2426 3.1.1).")
  static let missingName = Rule("missing-n", .warning, "A card of 2.1 or 3.0 has no N (RFC 2426 3.1.2).")
  static let cardinality = Rule("cardinality", .warning, "A property stands more often than its version allows (RFC 6350 3.3).")
  static let unknownProperty = Rule("unknown-property", .info, "A property is none of the version's.")
  static let nameSyntax = Rule(
    "name-syntax", .warning, "A name of a property, parameter or group has other characters than letters, digits and hyphens.")
  static let unknownParameter = Rule("unknown-parameter", .info, "A parameter is not registered, and does not begin with X-.")
  static let parameterPlace = Rule("parameter-place", .warning, "A parameter stands on a property that cannot have it.")
  static let parameterRepeated = Rule("parameter-repeated", .warning, "A parameter that has one value has several.")
  static let parameterMissing = Rule("parameter-missing", .warning, "A parameter that the value or another parameter needs is not there.")
  static let typeWord = Rule("type-word", .warning, "TYPE has a word that the version does not have, or not for this property.")
  static let pidMap = Rule("pid-map", .warning, "The source in a PID has no CLIENTPIDMAP, or two (RFC 6350 7.1.3).")
  static let memberWithoutGroup = Rule("member-without-group", .warning, "MEMBER stands in a card that is no group (RFC 6350 6.6.5).")
  static let parameter = Rule("parameter-version", .warning, "A parameter is none of the version's.")
  static let parameterValue = Rule("parameter-value", .warning, "A parameter has a value that it may not have.")
  static let valueType = Rule("value-type", .warning, "VALUE names a type that the property or the version does not have.")
  static let value = Rule("value-syntax", .error, "A value is not in the syntax of its property.")
  static let dateForm = Rule("date-form", .warning, "A date is written in the form of another version.")
  static let uri = Rule("value-uri", .warning, "A value that should be a URI is none.")
  static let letterCase = Rule("letter-case", .info, "A word of a fixed set is not spelled in lower case.")
  static let components = Rule("components", .warning, "A value has too few or too many components.")
  static let escapedSeparators = Rule("escaped-separators", .info, "The separators between the components of a value are escaped.")
  static let separator = Rule("unescaped-separator", .warning, "A comma or semicolon in a text is not escaped.")
  static let escape = Rule("wrong-escape", .warning, "A backslash escapes what needs no escape.")
  static let control = Rule("control-character", .warning, "A value holds a control character.")
  static let emptyItem = Rule("empty-item", .info, "A list holds an empty text.")
  static let emptyValue = Rule("empty-value", .info, "A property has no value.")
  static let encoding = Rule("encoding-version", .warning, "A value is encoded in a way that its version does not have.")
  static let base64 = Rule("base64-damaged", .warning, "Base64 holds foreign characters, or is cut off.")
  static let mediaType = Rule("media-type", .info, "The declared media type is not that of the bytes.")
  static let lineLength = Rule("line-length", .info, "A physical line is longer than 75 octets (RFC 6350 3.2).")
  static let lineBreak = Rule("line-break", .info, "Lines end in something else than CRLF (RFC 6350 3.2); told once an input.")
  static let blankLine = Rule("blank-line", .info, "An empty line stands inside a card of 3.0 or 4.0; told once a card.")
  static let foldedCharacter = Rule("folded-character", .warning, "A line is folded inside a character (RFC 6350 3.2).")
  static let versionPlace = Rule("version-place", .warning, "VERSION is not the first line of a 4.0 card (RFC 6350 6.7.9).")
  static let madeFullName = Rule("made-fn", .info, "A card without FN got one from its other fields.")
  static let madeName = Rule("made-n", .info, "A card without N got one from its full name, for a reader that shows N.")
  static let strictlyLeftOut = Rule("strictly-left-out", .info, "A strict profile left out what the version's text does not know.")
  static let movedToOther = Rule("kept-as-other", .info, "A value for which the version has no room was kept under another name.")
  static let duplicateValue = Rule("left-out-duplicate", .info, "A value that another line says as well was left out.")
  static let repaired = Rule("repaired", .info, "A line was wrong for its version and was written right.")
  static let converted = Rule("converted", .info, "A property has another form in the version that is written.")
  static let notCarried = Rule("not-carried", .info, "The version that is written cannot hold a value, or only as an X- property.")
  static let droppedCharacters = Rule("dropped-characters", .info, "Control characters, or quotes in parameters, were left out.")
  static let photosLeftOut = Rule("photos-left-out", .info, "Pictures were left out of the output.")
  /// A UID that another contact of the same output has.
  package static let repeatedUID = Rule("repeated-uid", .warning, "Two contacts have the same UID; `dedupe` merges them.")
  /// A picture that is not in the contact.
  package static let pictureReference = Rule(
    "picture-reference", .info, "A picture is a reference; nothing is fetched, so no file is written.")
  /// A picture beyond `--max-bytes`.
  package static let pictureTakenOff = Rule("picture-taken-off", .info, "A picture was larger than asked for and was taken off.")
  /// A file that cannot be attached.
  package static let noPicture = Rule("no-picture", .error, "A file is no picture of a known kind, or too large; it was not attached.")
  static let dataSyntax = Rule("data-syntax", .error, "The text of a JSON, XML or CSV input is not in its syntax.")
  static let unknownMember = Rule("unknown-member", .warning, "A record has a member that no field has.")
  static let wrongMember = Rule("wrong-member", .error, "A member of a record has a value of the wrong form.")
  static let unknownColumn = Rule("unknown-column", .warning, "A CSV column names no field.")
  static let raggedRow = Rule("ragged-row", .info, "A CSV row has more or fewer cells than the header.")
  static let guessedColumns = Rule("guessed-columns", .warning, "A CSV header is no known program's; its columns were guessed.")
  static let keptColumn = Rule("kept-column", .info, "A CSV column that nobody knows was kept as X- lines.")
  static let preamble = Rule("preamble", .info, "Rows above the header of a CSV file were passed over.")
  static let dateOrder = Rule("date-order", .warning, "The dates of a CSV column could be day/month or month/day.")
  static let spreadsheetDamage = Rule("spreadsheet-damage", .warning, "A spreadsheet changed a value before it came here.")
  static let misplacedCell = Rule("misplaced-cell", .warning, "A CSV cell holds what belongs into another, or is no value of its column.")
  static let noColumn = Rule("no-column", .info, "A spreadsheet of another program has no column for a value.")
  static let sheetEncoding = Rule("sheet-encoding", .info, "A spreadsheet is written in another encoding than its program's usual one.")
  static let namelessRow = Rule("nameless-row", .info, "A CSV row holds nobody.")
  static let columnLimit = Rule("limit-cells", .error, "A contact has more values than a CSV row may have cells.")
  static let mergeConflict = Rule("merge-conflict", .info, "Contacts that were merged say different things; all of it was kept.")

  /// Every rule about contacts.
  public static let contacts: [Rule] = [
    missingFullName,
    missingName,
    cardinality,
    unknownProperty,
    nameSyntax,
    unknownParameter,
    parameterPlace,
    parameterRepeated,
    parameterMissing,
    typeWord,
    pidMap,
    memberWithoutGroup,
    parameter,
    parameterValue,
    valueType,
    value,
    dateForm,
    uri,
    letterCase,
    components,
    escapedSeparators,
    separator,
    escape,
    control,
    emptyItem,
    emptyValue,
    encoding,
    base64,
    mediaType,
    lineLength,
    lineBreak,
    blankLine,
    foldedCharacter,
    versionPlace,
    madeFullName,
    madeName,
    strictlyLeftOut,
    movedToOther,
    duplicateValue,
    repaired,
    converted,
    notCarried,
    droppedCharacters,
    photosLeftOut,
    repeatedUID,
    pictureReference,
    pictureTakenOff,
    noPicture,
    dataSyntax,
    unknownMember,
    wrongMember,
    unknownColumn,
    raggedRow,
    guessedColumns,
    keptColumn,
    preamble,
    dateOrder,
    spreadsheetDamage,
    misplacedCell,
    noColumn,
    sheetEncoding,
    namelessRow,
    columnLimit,
    mergeConflict,
  ]

  /// Every change that normalizing makes, one rule for each of its steps.
  public static let normalization: [Rule] = NormalizationStep.all.map(\.rule)

  /// Every rule of the toolkit.
  public static let all: [Rule] = syntax + contacts + normalization
}
