// A value kind: the only code that knows how a value is written, in cards and in records, both ways.

package import Bytes
package import CardSyntax

/// The value of a property: how its text is cut into parts, and how parts are put together again. A kind cuts, it does not unescape; the
/// record keeps the form. Reading and writing stand in one file, so that they cannot drift apart.
package protocol ValueKind<Value>: Sendable {
  /// The value as callers of the library see it.
  associatedtype Value: Hashable & Sendable

  /// The parameters that the kind itself speaks for; all others are kept by the field.
  var parameters: ParameterSet { get }

  /// The value that VALUE need not name in `version`, in lower case, such as `uri`; nil where any VALUE is worth keeping.
  func defaultValueType(in version: CardVersion) -> String?

  /// What VALUE may say in 3.0 and 4.0, in lower case. (2.1 has one list for all properties.)
  func valueTypes(in version: CardVersion) -> [String]

  /// Parameters of 4.0 that lines may have besides `parameters` and those of every property.
  var accepts: ParameterSet { get }

  /// Is `impliedValueType` ever a type?
  var impliesValueType: Bool { get }

  /// What VALUE would say if the line said what its value looks like; nil where that is the default.
  func impliedValueType(_ line: Int, _ card: borrowing CardView) -> String?

  /// Does the kind speak for any TYPE words? If not, `claims` is not asked.
  var claimsTypes: Bool { get }

  /// Does the kind speak for this TYPE word of a line (`JPEG` of a photo)?
  func claims(type: String, _ line: Int, _ card: borrowing CardView) -> Bool

  /// Does the kind speak for this parameter of a line, which it writes again by itself (`SERVICE-TYPE` of an account)? `parameters` are
  /// those that it always speaks for.
  func claims(parameter: ParameterEntry, _ line: Int, _ card: borrowing CardView) -> Bool

  /// Does the kind choose among the field's names by itself, so that the name of a line has to be told even where it is the version's own?
  var choosesName: Bool { get }

  /// The part that a text stands for where a record should hold an object; `value` for values that are texts themselves. Nil where a
  /// text does not tell enough.
  var textMember: Member? { get }

  /// Reads the value of a line: the parts of the object that is open, or one text or object of its own where none is open.
  func read(_ line: Int, _ card: borrowing CardView, into record: inout Record)

  /// Writes the value that begins at `index` in the record: parameters that the kind speaks for, then the value.
  func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter)

  /// Adds all of a line that only the value that begins at `index` tells, where escapes are all that its texts need: parameters of the kind's
  /// own, the colon, the value. All before that must not depend on the value. False where that is not so, whatever has been added.
  func writePlain(_ index: Int, of record: borrowing Record, in version: CardVersion, to line: inout ByteBuffer) -> Bool

  /// Writes all lines of the value: one, unless the version spreads it over several.
  func writeLines(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter)

  /// Must a text of a list stand in a line of its own in `version`?
  func standsAlone(_ index: Int, of record: borrowing Record, in version: CardVersion) -> Bool

  /// Does a line keep its name in every version, since the version's own name could not hold its value?
  func keepsName(_ line: Int, _ card: borrowing CardView) -> Bool

  /// Must the line stand in a group, for lines that tell more of it?
  func needsGroup(_ index: Int, of record: borrowing Record, in version: CardVersion) -> Bool

  /// Reports what is wrong with a line's value and the kind's own parameters if the line were one of `version`. A validator wants what
  /// the standard forbids, a converter also what it writes in another way: see `Findings.isValidating`.
  func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings)

  /// Which values of lines with the head of this line need no `check`, and stay as they are where such a line is written anew. It must hold
  /// whatever the value is, so that it may be asked once for a head; where the line's own parameters matter to the kind, `none` is right.
  func plainValues(_ line: Int, _ card: borrowing CardView, in version: CardVersion, isValidating: Bool) -> PlainValues

  /// The typed value that begins at `index`: a text, or an object whose other parts are not the kind's. Nil where it is none.
  func take(_ index: Int, of record: borrowing Record) -> Value?

  /// Puts the typed value into the record, as `read` does.
  func send(_ value: Value, to record: inout Record)

  /// The value that begins at `index` as people read it; empty where there is nothing to read.
  func readable(_ index: Int, of record: borrowing Record) -> String

  /// Is the part `value` all that `readable` would tell of the object at `index`?
  func readsAsValue(_ index: Int, of record: borrowing Record) -> Bool

  /// What two lines have in common that say the same by different names; nil where names make a difference.
  func identity(_ line: Int, _ card: borrowing CardView) -> String?

  /// May this line tell more of a value (X-ABADR of an address)?
  func accepts(companion line: Int, _ card: borrowing CardView) -> Bool

  /// Is every text that begins with a letter, a digit or a character beyond ASCII a value that the kind can read?
  var readsAnyText: Bool { get }

  /// Is the line without a value that the kind can read? It is kept as it is, then, as `unclaimed`.
  func isEmpty(_ line: Int, _ card: borrowing CardView) -> Bool
}

extension ValueKind {
  package var parameters: ParameterSet { [] }
  package var readsAnyText: Bool { true }
  package var textMember: Member? { .value }
  package func readsAsValue(_ index: Int, of record: borrowing Record) -> Bool { textMember == .value }
  package func defaultValueType(in version: CardVersion) -> String? { "text" }
  package func valueTypes(in version: CardVersion) -> [String] { ["text"] }
  package var accepts: ParameterSet { [] }
  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {}
  package func plainValues(_ line: Int, _ card: borrowing CardView, in version: CardVersion, isValidating: Bool) -> PlainValues { .none }
  package func writePlain(_ index: Int, of record: borrowing Record, in version: CardVersion, to line: inout ByteBuffer) -> Bool { false }
  package func identity(_ line: Int, _ card: borrowing CardView) -> String? { nil }
  package var impliesValueType: Bool { false }
  package func impliedValueType(_ line: Int, _ card: borrowing CardView) -> String? { nil }
  package var claimsTypes: Bool { false }
  package func claims(type: String, _ line: Int, _ card: borrowing CardView) -> Bool { false }
  package func claims(parameter: ParameterEntry, _ line: Int, _ card: borrowing CardView) -> Bool { false }
  package var choosesName: Bool { false }
  package func needsGroup(_ index: Int, of record: borrowing Record, in version: CardVersion) -> Bool { false }
  package func accepts(companion line: Int, _ card: borrowing CardView) -> Bool { true }
  package func standsAlone(_ index: Int, of record: borrowing Record, in version: CardVersion) -> Bool { false }
  package func keepsName(_ line: Int, _ card: borrowing CardView) -> Bool { false }
  package func readable(_ index: Int, of record: borrowing Record) -> String { record.valuePlace(index).map { record.string($0) } ?? "" }
  package func writeLines(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    context.begin(&line)
    write(index, of: record, context, to: &line)
    line.end()
  }
  package func isEmpty(_ line: Int, _ card: borrowing CardView) -> Bool {
    let entry = card.lines[line]
    return entry.valueStart == entry.valueEnd
  }
}

extension ValueKind where Value == String {
  package func take(_ index: Int, of record: borrowing Record) -> String? { record.valuePlace(index).map { record.string($0) } }
  package func send(_ value: String, to record: inout Record) { record.text(record.valueMember, made: value) }
}

/// What `check` finds. Quick findings are only counted: that is how a writer asks whether a line may be copied.
package struct Findings {
  package private(set) var count = 0
  package private(set) var list: [(rule: Rule, message: String, severity: Severity)] = []
  let isQuick: Bool
  /// The user asks what the standard says of the line, not whether a writer would write it so.
  let isValidating: Bool

  package init(quick: Bool) { (isQuick, isValidating) = (quick, false) }

  /// Findings for a validator.
  package init(validating: Bool) { (isQuick, isValidating) = (false, validating) }

  /// The same, with nothing in it.
  var fresh: Findings {
    var fresh = self
    (fresh.count, fresh.list) = (0, [])
    return fresh
  }

  /// True when nothing was found.
  package var isEmpty: Bool { count == 0 }

  /// Notes what was found before.
  mutating func add(_ other: Findings) {
    count += other.count
    list += other.list
  }

  /// Notes a finding; its message is only made where somebody reads it.
  package mutating func add(_ rule: Rule, _ message: @autoclosure () -> String, _ severity: Severity? = nil) {
    count += 1
    if !isQuick { list.append((rule, message(), severity ?? rule.severity)) }
  }
}

/// What a kind has to know of the line that it writes.
package struct LineContext {
  package let field: Field
  package let spelled: SpelledAnnotations
  /// The version that the record came from.
  package let origin: CardVersion
  package let group: String?
  /// The group of the line that this one is written for, for a line beside it that needs a group.
  package let preferredGroup: String?
  /// The place among the field's names of the name that is written.
  package let alias: Int
  /// Was this name asked for, rather than chosen as the version's own?
  package let isNamed: Bool
  /// TYPE, PREF and LANGUAGE are parameters like others.
  package let isDetailed: Bool

  /// What the line carries besides its value.
  package var annotations: Annotations { spelled.annotations }

  /// How the version spells the labels.
  package var spelling: Label.Written { spelled.spelling }

  /// The type of the value that the record asks for, in lower case: what VALUE says, or X-VALUE, which keeps it in versions that do not
  /// have the type; nil where nothing does.
  package var valueType: String? { spelled.valueType }

  /// How the name that is written stands to the field.
  package var role: Field.Role { field.names.indices.contains(alias) ? field.names[alias].role : .value }

  /// The name that is written.
  package var name: String { field.names[alias].text }

  /// The same line by another name.
  package func named(_ alias: Int) -> LineContext {
    LineContext(
      field: field, spelled: spelled, origin: origin, group: group,
      preferredGroup: preferredGroup, alias: alias, isNamed: isNamed,
      isDetailed: isDetailed)
  }

  /// Begins a line with group, name and all parameters that are not the kind's own.
  package func begin(_ line: inout LineWriter, name: String? = nil) {
    line.begin(group: group, name: name ?? self.name)
    spelled.annotations.write(spelled.spelling, field: field, origin: origin, to: &line, includeLabels: !isDetailed)
  }
}

extension Record {
  /// The name of a value that is about to be read: `value` inside an object, none outside.
  package var valueMember: Member { tokens.last?.operation == .openObject ? .value : .none }

  /// The place of the text of a value: the token itself, or the `value` of the object; nil where there is none.
  package func valuePlace(_ index: Int) -> Int? {
    tokens[index].operation == .openObject
      ? part(.value, of: index) : tokens[index].operation == .text || tokens[index].operation == .number ? index : nil
  }
}
