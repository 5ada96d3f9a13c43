// Paths: one way to name a part of a contact, such as `emails.work` or `phones.mobile.1`.

internal import Bytes
internal import CardSyntax

/// `field[.label...][.number][.component]`. The plural names all values, the singular the preferred, else the first; numbers count from 1.
public struct FieldPath: Sendable, Hashable {
  /// The path as it was written.
  public let text: String
  /// The number of the field in the table.
  package let field: Int
  /// The labels that a value must carry, in lower case.
  let labels: [String]
  /// Which of the values is meant, from 1; nil for all, or the preferred one.
  let place: Int?
  /// Is one value meant, the preferred or else the first?
  let isSingular: Bool
  /// The parts of the value that lead to the one that is meant.
  let components: [Member]
  /// The part of a date that is meant.
  let datePart: PartialDate.Part?
  /// The property name of the unclaimed lines that are meant, in upper case.
  let lineName: String?
  /// Which entries of a list have a value there.
  private let counted: Counted
  /// An address is never invented: an e-mail without @ is passed over.
  private let needsAtSign: Bool

  /// The path that a text means; nil where it names no field or no part of one.
  public init?(_ text: String) {
    guard let words = Self.words(text), let first = words.first?.text else { return nil }
    self.text = text
    var rest = words.dropFirst()
    if let plural = Person.field(first) {
      field = plural
      let row = Person.fields[plural]
      isSingular = row.isOne || row.key == row.singular && row.isOne
    } else if let singular = Person.fields.firstIndex(where: { $0.singular == first }) {
      field = singular
      isSingular = true
    } else {
      return nil
    }
    needsAtSign = Person.fields[field].key == "emails"
    if field == Person.unclaimedField {
      counted = .withText
      lineName = rest.first?.text.uppercased()
      (labels, place, components, datePart) = ([], nil, [], nil)
      return
    }
    lineName = nil
    var labels: [String] = []
    var number: Int?
    var components: [Member] = []
    var datePart: PartialDate.Part?
    let isOne = Person.fields[field].isOne
    while let word = rest.first {
      if !word.isQuoted, let found = Int(word.text), found > 0, number == nil, !isOne {
        number = found
      } else if !word.isQuoted, rest.count == 1, Person.fields[field].kind is DateKind, let part = PartialDate.Part(rawValue: word.text) {
        datePart = part
      } else if !word.isQuoted, let member = Member(key: word.text), isOne || rest.count == 1 || member == .location || member == .phonetic
      {
        components.append(member)
      } else if components.isEmpty, !isOne {
        labels.append(word.text.lowercased() == "cell" ? "mobile" : word.text.lowercased())
      } else {
        return nil
      }
      rest = rest.dropFirst()
    }
    (self.labels, place, self.components, self.datePart) = (labels, number, components, datePart)
    counted = Person.fields[field].kind is MediaKind && components.isEmpty ? .notEmpty : .withText
  }

  /// The number of the field that the path names.
  package var number: Int { field }

  /// Does what stands beside values tell which one is meant, or is it what is asked for? A full name is made of preferred values.
  package var readsAnnotations: Bool {
    !labels.isEmpty || isSingular && !Person.fields[field].isOne || field == Self.fullNameNumber || field == Person.detailsField
      || components.contains(where: \.isAnnotation)
  }

  /// Does the path name telephone numbers, not a part of them such as the extension?
  package var namesPhoneNumbers: Bool { Person.fields[field].key == "phones" && (components.isEmpty || components == [.value]) }

  /// The number of the full name, and of the fields that one is made from where it is missing.
  package static let fullNameNumber = CardWriter.fullName
  private static let numbersForFullName = ["name", "organizations", "nicknames", "emails", "phones", "instantMessages"].compactMap {
    Person.field($0)
  }

  /// The fields that have to be read for these paths: for a full name also those that one is made from where it is missing.
  package static func fields(for paths: [FieldPath]) -> FieldSet {
    let numbers = paths.map(\.field)
    return FieldSet(numbers.contains(fullNameNumber) ? numbers + numbersForFullName : numbers)
  }

  private static func words(_ text: String) -> [(text: String, isQuoted: Bool)]? {
    var found: [(text: String, isQuoted: Bool)] = []
    var word = ""
    var isQuoted = false
    var isOpen = false
    for c in text {
      if c == "\"" {
        isOpen.toggle()
        isQuoted = true
      } else if c == ".", !isOpen {
        found.append((word, isQuoted))
        (word, isQuoted) = ("", false)
      } else {
        word.append(c)
      }
    }
    if isOpen { return nil }
    found.append((word, isQuoted))
    return found.contains { $0.text.isEmpty } ? nil : found
  }

  /// A text that a path names: a token of the record, or a text made from several.
  enum Value {
    case token(Int)
    case made(String)
  }

  /// The texts that the path names in a record, in order; one at most for the singular and for a number.
  package func values(in record: borrowing Record) -> [String] {
    var found: [String] = []
    forEachValue(in: record) { value in
      switch value {
      case .token(let place): found.append(record.string(place))
      case .made(let text): found.append(text)
      }
    }
    return found
  }

  /// Lends the first text that the path names in a record, as a range of bytes; an empty one where there is none.
  package func withFirstValue(in record: borrowing Record, _ body: (Span<UInt8>, Int, Int) -> Void) {
    var found: Value?
    forEachValue(in: record) { if found == nil { found = $0 } }
    switch found {
    case .token(let place): record.withText(place, body)
    case .made(let text):
      let utf8 = text.utf8
      body(utf8.span, 0, utf8.span.count)
    case nil: body([UInt8]().span, 0, 0)
    }
  }

  /// Calls `body` with the texts that the path names in a record, none of them empty.
  func forEachValue(in record: borrowing Record, _ body: (Value) -> Void) {
    guard let index = record.value(ofField: field) else {
      if field == CardWriter.fullName, let made = FullName.made(from: record), !made.isEmpty { body(.made(made)) }
      return
    }
    let row = Person.fields[field]
    if row.isOne { return forEachText(index, of: record, body) }
    if case .unclaimed = row.layout {
      for place in record.elements(index) {
        guard let line = UnclaimedText(record, at: place), lineName == nil || line.name.uppercased() == lineName else { continue }
        body(.made(lineName == nil ? line.name + ":" + line.value : line.value))
      }
      return
    }
    forEachPlace(index, of: record, .withText) { forEachText($0, of: record, body) }
  }

  /// The numbers of the entries that the path names among those of its field, whatever component it asks for; of a field of one value 0.
  func entries(in record: borrowing Record) -> [Int] {
    guard let index = record.value(ofField: field) else { return [] }
    let row = Person.fields[field]
    if row.isOne { return [0] }
    let all = record.elements(index)
    if case .unclaimed = row.layout {
      return all.indices.filter { entry in
        guard let line = UnclaimedText(record, at: all[entry]) else { return false }
        return lineName == nil ? !line.isEmptyName : line.name.uppercased() == lineName
      }
    }
    var named = Set<Int>()
    forEachPlace(index, of: record, .notEmpty) { named.insert($0) }
    return all.indices.filter { named.contains(all[$0]) }
  }

  /// Of the entries that the path names, the preferred one, else the first; nil where there is none.
  func bestEntry(in record: borrowing Record) -> Int? {
    let entries = entries(in: record)
    guard entries.count > 1, let index = record.value(ofField: field) else { return entries.first }
    let all = record.elements(index)
    return entries.enumerated().min { a, b in
      let (x, y) = (Annotations(record, at: all[a.element]).preference ?? 101, Annotations(record, at: all[b.element]).preference ?? 101)
      return (x, a.offset) < (y, b.offset)
    }?.element
  }

  /// Does the contact have a value there? As `!values(in:).isEmpty`, mostly without making a text, or decoding a picture.
  package func hasValue(in record: borrowing Record) -> Bool {
    guard let index = record.value(ofField: field), !Person.fields[field].isOne, field != Person.unclaimedField else {
      return !values(in: record).isEmpty
    }
    if place != nil {
      var isThere = false
      forEachPlace(index, of: record, counted) { _ in isThere = true }
      return isThere
    }
    return nextEntry(firstEntry(index, of: record), endOfEntries(index, of: record), of: record, counted) != nil
  }

  /// Which entries of a list count.
  private enum Counted: Sendable { case withText, notEmpty }

  /// Calls `body` with the entries of the list at `index` that the path names, in order: those with its labels, of them the one of its
  /// number, or of a singular the preferred one, else the first. Only those that are `counted` count.
  private func forEachPlace(_ index: Int, of record: borrowing Record, _ counted: Counted, _ body: (Int) -> Void) {
    var count = 0
    var best: (place: Int, preference: Int)?
    let end = endOfEntries(index, of: record)
    var from = firstEntry(index, of: record)
    while let entry = nextEntry(from, end, of: record, counted) {
      from = record.next(entry)
      count += 1
      if let place {
        if count == place { return body(entry) }
      } else if isSingular {
        let preference = preference(entry, of: record)
        if best.map({ preference < $0.preference }) ?? true { best = (entry, preference) }
      } else {
        body(entry)
      }
    }
    if let best { body(best.place) }
  }

  /// Where the entries of the value at `index` begin; a plain value is its own entry.
  private func firstEntry(_ index: Int, of record: borrowing Record) -> Int { record.isOpening(index) ? index + 1 : index }

  private func endOfEntries(_ index: Int, of record: borrowing Record) -> Int {
    record.isOpening(index) ? Int(record.tokens[index].start) : index + 1
  }

  /// The first entry from `from` on that has the labels that the path names and counts; nil where none has.
  private func nextEntry(_ from: Int, _ end: Int, of record: borrowing Record, _ counted: Counted) -> Int? {
    var entry = from
    while entry < end {
      if labels.isEmpty || hasLabels(entry, of: record), !needsAtSign || hasAtSign(entry, of: record) {
        switch counted {
        case .withText: if hasText(entry, of: record) { return entry }
        case .notEmpty: if !record.isEmptyValue(entry) { return entry }
        }
      }
      entry = record.next(entry)
    }
    return nil
  }

  private func hasAtSign(_ place: Int, of record: borrowing Record) -> Bool {
    guard let text = record.valuePlace(place) else { return false }
    return record.contains(UInt8(ascii: "@"), at: text)
  }

  /// The preference of a value; 101 where nothing is said.
  private func preference(_ place: Int, of record: borrowing Record) -> Int {
    record.part(.preference, of: place).flatMap { Int(record.string($0)) } ?? 101
  }

  /// Does the value carry all labels that the path names?
  private func hasLabels(_ place: Int, of record: borrowing Record) -> Bool {
    guard let list = record.part(.labels, of: place) else { return false }
    let own = record.elements(list).map { record.string($0).lowercased() }
    return labels.allSatisfy { own.contains($0) }
  }

  /// Is there a text where the path leads? As `!texts(…).isEmpty`, mostly without making it.
  private func hasText(_ place: Int, of record: borrowing Record) -> Bool {
    let value = components.isEmpty && datePart == nil ? record.valuePlace(place) : nil
    if let value, !record.isEmptyValue(value) { return true }
    var isThere = false
    forEachText(place, of: record) { _ in isThere = true }
    return isThere
  }

  /// Calls `body` with the text of a value, unless it is empty: of the component that is named, else of the value as people read it.
  private func forEachText(_ index: Int, of record: borrowing Record, _ body: (Value) -> Void) {
    var place = index
    for member in components {
      guard let next = record.part(member, of: place) else {
        if member == .value, record.tokens[place].operation == .text { continue }
        return
      }
      place = next
    }
    switch record.tokens[place].operation {
    case .text, .number: show(place, of: record, body)
    case .openObject where datePart != nil:
      if let value = record.valuePlace(place) { show(value, of: record, body) }
    case .openList:
      let parts = record.elements(place).compactMap { record.valuePlace($0).map { record.string($0) } }.filter { !$0.isEmpty }
      if !parts.isEmpty { body(.made(parts.joined(separator: "; "))) }
    case .openObject:
      if Person.fields[field].kind.readsAsValue(place, of: record) {
        if let value = record.valuePlace(place) { show(value, of: record, body) }
        return
      }
      let text = Person.fields[field].kind.readable(place, of: record)
      if !text.isEmpty { body(.made(text)) }
    case .field, .key, .close: break
    }
  }

  /// Calls `body` with a text, or the part of a date that is asked for; not where it is empty.
  private func show(_ place: Int, of record: borrowing Record, _ body: (Value) -> Void) {
    if let datePart {
      if let number = PartialDate(record.string(place))[datePart] { body(.made(String(number))) }
    } else if !record.isEmptyValue(place) {
      body(.token(place))
    }
  }

  /// A value as one text, as people read it; empty for an empty one.
  static func text(of place: Int, in record: borrowing Record, _ field: Field) -> String {
    switch record.tokens[place].operation {
    case .text, .number: record.string(place)
    case .openObject: field.kind.readable(place, of: record)
    case .openList: record.elements(place).map { text(of: $0, in: record, field) }.filter { !$0.isEmpty }.joined(separator: "; ")
    case .field, .key, .close: ""
    }
  }
}
