// The units of a draft: lines of a card, what steps ask of them, and what is written for them.

/// A line of a draft, with the lines that tell more of it. What a step has made of it stands in the draft, so that looking through the
/// units copies nothing.
struct DraftUnit: BitwiseCopyable, Sendable {
  /// What is written for a unit.
  enum State: BitwiseCopyable, Sendable {
    /// The lines are copied.
    case asWritten
    /// They are written anew, from one of the draft's changes.
    case changed(Int)
    /// They are written anew with another text, which stands among the draft's; all else is as the line has it.
    case text(start: Int, end: Int)
    /// They are left out.
    case gone
  }

  /// The field in the table; `unclaimed` for lines that no field holds.
  let field: Int
  /// What steps ask of it.
  let traits: DraftTraits
  /// The line of the value; nil where a step made the value.
  let line: Int?
  /// Where the lines that tell more of it stand among those of the draft.
  let companionStart: Int, companionEnd: Int
  var state: State

  /// Is it still part of the card?
  var isThere: Bool { if case .gone = state { false } else { true } }

  /// Has no step changed it?
  var isAsWritten: Bool { if case .asWritten = state { true } else { false } }

  /// Is it written anew?
  var isChanged: Bool {
    switch state {
    case .asWritten, .gone: false
    case .changed, .text: true
    }
  }

  /// Do other lines tell more of it?
  var hasCompanions: Bool { companionEnd > companionStart }

  /// Is it a line of a field that has a value, as it was written or with another text?
  var isFilledLine: Bool {
    switch state {
    case .asWritten: traits.contains(.claimed)
    case .text: true
    case .changed, .gone: false
    }
  }
}

/// What steps ask of a unit: found out once for its field, and for its line when the draft begins. Steps pass over all units but those
/// that they are about.
struct DraftTraits: OptionSet, BitwiseCopyable, Sendable {
  let rawValue: UInt16

  /// A field holds it.
  static let claimed = Self(rawValue: 1 << 0)
  /// It is the only value of its field.
  static let single = Self(rawValue: 1 << 1)
  /// Its field is a list of texts.
  static let texts = Self(rawValue: 1 << 2)
  /// A text, URI or number: no parts.
  static let whole = Self(rawValue: 1 << 3)
  static let phone = Self(rawValue: 1 << 4), uri = Self(rawValue: 1 << 5), media = Self(rawValue: 1 << 6)
  static let agent = Self(rawValue: 1 << 7), date = Self(rawValue: 1 << 8), timestamp = Self(rawValue: 1 << 9)
  /// It says nothing without other fields.
  static let idle = Self(rawValue: 1 << 10)
  /// Of a line: it stands under another name than the version's own.
  static let renamed = Self(rawValue: 1 << 11)
  /// Of a line with parameters or a label: it may have TYPE words and labels that are not the canonical ones.
  static let labelled = Self(rawValue: 1 << 12)

  /// The number of the field of e-mail addresses.
  static let emails = Person.field("emails") ?? 0

  /// The traits of each field, by its number.
  static let all: [DraftTraits] = Person.fields.map { DraftTraits($0) }
}

extension DraftTraits {
  private static let idleFields: Set<String> = ["uid", "revision", "productID", "kind", "created"]

  fileprivate init(_ field: Field) {
    self = []
    func set(_ trait: DraftTraits, _ isSo: Bool) { if isSo { insert(trait) } }
    let kind = field.kind
    switch field.layout {
    case .one: insert([.claimed, .single])
    case .texts: insert([.claimed, .texts])
    case .many: insert(.claimed)
    case .unclaimed: break
    }
    set(.phone, kind is PhoneKind)
    set(.uri, kind is URIKind)
    set(.whole, kind is TextKind || kind is PhoneKind || kind is URIKind)
    set(.media, kind is MediaKind)
    set(.agent, kind is AgentKind)
    if let date = kind as? DateKind { insert(date.isTimestamp ? .timestamp : .date) }
    set(.idle, Self.idleFields.contains(field.key))
  }
}
