// A row of the table: a field of the person, its property, its names, its kind, where it may stand.

internal import Bytes
public import CardSyntax

/// How many lines of a property a card may have.
public enum Cardinality: Sendable, Hashable {
  /// The version does not know the property.
  case unknown
  /// At most one (`*1`).
  case one
  /// Exactly one (`1`).
  case exactlyOne
  /// Any number (`*`).
  case many
  /// At least one (`1*`).
  case atLeastOne

  /// Is there room for one line only?
  public var isSingle: Bool { self == .one || self == .exactlyOne }
}

/// A field of the person: a row of `Person.fields`.
public final class Field: Sendable {
  /// How the values of a field stand in the record.
  public enum Layout: Sendable {
    /// One text or object; what its line carries besides stands in `details`.
    case one
    /// A list of texts, several in one line (`CATEGORIES:a,b`) or, where `perLine`, one a line (`MEMBER`).
    case texts(perLine: Bool)
    /// A list of objects, one a line, each with labels and parameters.
    case many
    /// The lines that no other field holds.
    case unclaimed
  }

  /// How a line of some name stands to the field's values.
  public enum Role: Sendable, Hashable {
    /// It is a value.
    case value
    /// It is a part of the field's one value (SORT-STRING of the name).
    case part
    /// It tells more of the value in its group (X-ABADR of an address).
    case groupCompanion
    /// It tells more of the value with the same types (LABEL of an address).
    case typeCompanion
    /// Lines of this name belong to another field, unless they carry this field's own label (X-ABDATE with the label Anniversary).
    case adopted
    /// Lines of the name belong to the field whose kind of item their value names (X-ANDROID-CUSTOM).
    case item(String)
  }

  /// A name that a property goes by.
  public struct Name: Sendable, ExpressibleByStringLiteral {
    /// The name in its usual spelling.
    public let text: String
    /// The versions in which this is the name that is written.
    public let versions: Set<CardVersion>
    /// How its lines stand to the field's values.
    public let role: Role
    /// The label that the name itself says (X-SPOUSE: `spouse`).
    public let label: String?
    /// The reader that knows values by this name, whatever the version.
    public let reader: WriterProfile.Reader?

    init(_ text: String, _ versions: CardVersion..., role: Role = .value, label: String? = nil, for reader: WriterProfile.Reader? = nil) {
      self.text = text
      self.versions = Set(versions)
      self.role = role
      self.label = label
      self.reader = reader
    }

    /// A name for lines of any version that hold the field's value; it is read, and written only where a card had it.
    public init(stringLiteral text: String) {
      self.text = text
      versions = []
      role = .value
      label = nil
      reader = nil
    }
  }

  /// Which TYPE words the field's lines have.
  public enum Types: UInt8, Sendable {
    /// `home` and `work`.
    case general
    /// Also what telephones have.
    case phone
    /// Also what postal addresses have.
    case address
    /// Also what e-mail addresses have before 4.0.
    case email
    /// Also what messaging accounts have in 3.0 (RFC 4770).
    case messaging
    /// The kinds of relations (RFC 6350 6.6.6).
    case relation
    /// No TYPE (RFC 6350 5.6).
    case none
  }

  /// The key in the record, such as `phones`; the plural where there may be many.
  public let key: String
  /// The word for one value, such as `phone`.
  public let singular: String
  /// The property's standard name, then its aliases.
  public let names: [Name]
  /// How it stands in the record.
  public let layout: Layout
  /// Which TYPE words its lines have.
  public let types: Types
  /// The label that lines of other fields must carry to be adopted, in lower case; nil where none are.
  public let adoptedLabel: String?
  /// Of several lines, the one with the greatest value counts, not the first (REV).
  public let prefersLatest: Bool
  /// One sentence for `vcard fields`.
  public let note: String
  /// How often it may stand, by version.
  public let cardinality: [CardVersion: Cardinality]
  package let kind: any ValueKind
  /// Some of the names say a label (X-SPOUSE).
  let namesSayLabels: Bool
  /// The kind chooses among the names by the value.
  private let choosesName: Bool
  /// The parameters that the kind itself speaks for.
  package let ownParameters: ParameterSet
  /// The looks of a value may imply a VALUE that its line does not say.
  let impliesValueType: Bool
  /// Reads the field's value from a record into a person.
  let take: @Sendable (borrowing Record, Int, inout Person) -> Void
  /// Puts the field's value of a person into a record, the `field` token included; nothing where the person has none.
  let send: @Sendable (Person, Int, inout Record) -> Void
  /// Reads the value of a line into a record, reports what is wrong with it, and writes it where it stays as it is, as the kind does. (A kind
  /// taken out of the field would be copied for each line.)
  let read: @Sendable (_ line: Int, borrowing CardView, inout Record) -> Void
  let check: @Sendable (_ line: Int, borrowing CardView, CardVersion, inout Findings) -> Void
  let writePlain: @Sendable (borrowing Record, _ index: Int, CardVersion, inout ByteBuffer) -> Bool
  private let written: [Int]
  private let hasReaderNames: Bool
  private let foreign: [Bool]

  init<K: ValueKind>(
    key: String, singular: String?, names: [Name], layout: Layout, kind: K, types: Types, adoptedLabel: String?,
    prefersLatest: Bool, cardinality: [CardVersion: Cardinality], note: String,
    take: @escaping @Sendable (borrowing Record, Int, inout Person) -> Void,
    send: @escaping @Sendable (Person, Int, inout Record) -> Void
  ) {
    self.key = key
    self.singular = singular ?? key
    self.names = names
    self.layout = layout
    self.kind = kind
    read = { line, card, record in kind.read(line, card, into: &record) }
    check = { line, card, version, findings in kind.check(line, card, in: version, &findings) }
    writePlain = { record, index, version, line in kind.writePlain(index, of: record, in: version, to: &line) }
    ownParameters = kind.parameters
    impliesValueType = kind.impliesValueType && !kind.parameters.has(.value)
    namesSayLabels = names.contains { $0.label != nil }
    choosesName = kind.choosesName
    self.types = types
    self.adoptedLabel = adoptedLabel
    self.prefersLatest = prefersLatest
    self.cardinality = cardinality
    self.note = note
    self.take = take
    self.send = send
    hasReaderNames = names.contains { $0.reader != nil }
    let written = CardVersion.allCases.map { version in names.firstIndex { $0.versions.contains(version) } ?? 0 }
    self.written = written
    let known = names.first?.versions ?? []
    foreign = CardVersion.allCases.map { !known.isEmpty && !known.contains($0) && written[Int($0.rawValue)] != 0 }
  }

  /// The property name that is written in `version`.
  public func name(in version: CardVersion) -> String { names.isEmpty ? "" : names[written[Int(version.rawValue)]].text }

  /// Is the standard name none of `version`, which has another name for the field?
  package func isForeign(in version: CardVersion) -> Bool { foreign[Int(version.rawValue)] }

  /// Is the name at `alias` another one than lines of `version` have anyway, so that it has to be kept?
  func keepsName(_ alias: Int, in version: CardVersion) -> Bool {
    choosesName ? alias > 0 || isForeign(in: version) : !names.isEmpty && alias != nameIndex(in: version)
  }

  /// The place in `names` of the name that is written in `version`.
  package func nameIndex(in version: CardVersion) -> Int { written[Int(version.rawValue)] }

  /// The place in `names` of the name by which a reader knows a value with these labels; nil where it has none of its own.
  package func nameIndex(for reader: WriterProfile.Reader, labels: [String]) -> Int? {
    guard hasReaderNames else { return nil }
    return names.firstIndex { name in
      name.reader == reader && (name.label.map { own in labels.contains { $0.lowercased() == own } } ?? true)
    }
  }

  /// Is the property no standard's, in any version?
  var isExtension: Bool { names.first?.text.hasPrefix("X-") ?? false }

  /// The place of the name of one's own (`X-BDAY`) that holds values for which a version has no form; nil where there is none.
  var ownName: Int? { names.firstIndex { $0.text == "X-\(names[0].text)" && $0.role == .value } }

  /// How often the property may stand in a card of `version`.
  public func cardinality(in version: CardVersion) -> Cardinality { cardinality[version] ?? .unknown }

  /// Is one value all that the field holds?
  package var isOne: Bool { if case .one = layout { true } else { false } }
}

extension Field.Role {
  /// Does the name alone tell that a line belongs to the field?
  package var tellsField: Bool {
    switch self {
    case .adopted, .item: false
    default: true
    }
  }

  /// Is a line of this role a value of the field?
  package var isValue: Bool {
    switch self {
    case .value, .adopted, .item: true
    case .part, .groupCompanion, .typeCompanion: false
    }
  }
}

/// Numbers for the names in cards, made from the table.
package enum FieldNames {
  /// A property name: the field it belongs to and its place among the field's names.
  package struct Target: Sendable, BitwiseCopyable {
    package var field: UInt8
    package var alias: UInt8
  }

  /// The number of X-ABLABEL, which labels the lines of its group.
  package static let label: UInt16 = 1
  /// The number of VERSION.
  package static let version: UInt16 = 2

  /// The number of X-ANDROID-CUSTOM, whose lines belong to the field that their value names.
  package static let item: UInt16 = 3

  /// What the parser numbers names with.
  package static let table: NameTable = NameTable(entries.map { ($0.0, $0.1) })

  /// What the number of a line means; nil for names that no field has.
  package static func target(_ number: UInt16) -> Target? {
    let index = Int(number) - Int(item) - 1
    return index >= 0 && index < targets.count ? targets[index] : nil
  }

  /// The fields that take lines of other fields by their label.
  package static let adopters: [(name: String, label: String, field: UInt8, alias: UInt8)] = Person.fields.enumerated().flatMap {
    number, row in
    row.names.enumerated().compactMap { alias, name in
      guard name.role == .adopted, let label = row.adoptedLabel else { return nil }
      return (name.text, label, UInt8(number), UInt8(alias))
    }
  }

  /// The fields that take items, by the kinds of item.
  package static let items: [String: Target] = {
    var found: [String: Target] = [:]
    for (field, row) in Person.fields.enumerated() {
      for (alias, name) in row.names.enumerated() {
        if case .item(let kind) = name.role { found[kind] = Target(field: UInt8(field), alias: UInt8(alias)) }
      }
    }
    return found
  }()

  /// What is known of a line by its name alone, for every number from 0 on.
  static let links: [LineLink] = (0..<targets.count + Int(item) + 1).map { number in
    var link = LineLink()
    guard let target = target(UInt16(number)) else {
      link.field = UInt8(Person.unclaimedField)
      link.role = number == Int(label) || number == Int(version) ? .companion : .extra
      return link
    }
    (link.field, link.alias) = (target.field, target.alias)
    let field = Person.fields[Int(target.field)]
    link.nameRole = NameRole(field.names[Int(target.alias)].role)
    link.readsAnyText = field.kind.readsAnyText
    link.isStandardName = target.alias == 0 && link.nameRole.isValue
    return link
  }

  private static let targets: [Target] = {
    var found: [Target] = []
    for (field, row) in Person.fields.enumerated() {
      for alias in row.names.indices { found.append(Target(field: UInt8(field), alias: UInt8(alias))) }
    }
    return found
  }()

  private static let entries: [(String, UInt16)] = {
    var found: [(String, UInt16)] = [("X-ABLABEL", label), ("VERSION", version), (AndroidCustom.name, item)]
    for row in Person.fields {
      // A name that does not tell the field by itself is numbered, but not found by its text.
      for name in row.names { found.append((name.role.tellsField ? name.text : "", UInt16(found.count + 1))) }
    }
    return found
  }()
}
