// A content line for the formats that hold a vCard's properties in another syntax: its parts from the card's bytes, no String made.

internal import Bytes
internal import CardSyntax

/// What a sibling format writes before the value of a line, and what there is to know of the value.
final class SiblingHead: Sendable {
  /// What is written before the first value. The text of a LABEL is left open: it stands before `behindLabel`.
  let start: [UInt8], behindLabel: [UInt8]
  let hasLabel: Bool
  /// What the property is known to be; nil for those that no standard gives a default type.
  let shape: PropertyShape?
  /// The value type in lower case, and how values of it are spelled.
  let type: String
  let form: ValueForm
  /// The value is passed on as it is written, escapes and all.
  let isAsWritten: Bool

  /// `gap` is where the text of the head's LABEL belongs in `start`.
  init(_ head: borrowing PropertyHead, start: borrowing ByteBuffer, gap: Int?) {
    let written = start.array()
    hasLabel = gap != nil
    (self.start, behindLabel) = (Array(written[..<(gap ?? written.count)]), Array(written[(gap ?? written.count)...]))
    (shape, type, form, isAsWritten) = (head.shape, head.type, head.form, head.isAsWritten)
  }

  /// Where the value is cut.
  var cut: PropertyShape.Cut { shape?.cut ?? .whole }
}

/// What was worked out for the heads of lines, by the numbers that parsers give them. Cards come from two parsers in turn at most: the
/// input's, and that of cards which had to be written anew.
struct NumberedHeads<Value>: ~Copyable {
  private var numbering: HeadNumbering?, otherNumbering: HeadNumbering?
  private var values: [Value?] = [], otherValues: [Value?] = []

  init() {}

  /// Says whose numbers follow.
  mutating func begin(_ batch: CardBatch) {
    if numbering === batch.numbering { return }
    swap(&numbering, &otherNumbering)
    swap(&values, &otherValues)
    if numbering === batch.numbering { return }
    numbering = batch.numbering
    values.removeAll(keepingCapacity: true)
  }

  /// The value that was kept for a head.
  func value(of line: LineEntry) -> Value? {
    let number = Int(line.head)
    return number < values.count ? values[number] : nil
  }

  /// Keeps a value; heads without a number have none.
  mutating func keep(_ value: Value, for line: LineEntry) {
    let number = Int(line.head)
    guard number > 0 else { return }
    while values.count <= number { values.append(nil) }
    values[number] = value
  }
}

/// The heads of lines for one format: what is written for them is made once.
struct SiblingHeads<Head>: ~Copyable {
  private var kept = NumberedHeads<Head>()
  private var version = CardVersion.v40
  /// The head that was read last.
  private(set) var head = PropertyHead()

  init() {}

  /// Says whose lines follow.
  mutating func begin(_ batch: CardBatch, _ version: CardVersion) {
    if version != self.version { kept = NumberedHeads() }
    self.version = version
    kept.begin(batch)
  }

  /// What was kept for the head of a line; nil where the head has to be read.
  @inline(__always)
  func known(_ line: LineEntry) -> Head? { kept.value(of: line) }

  /// Reads the head of a line.
  mutating func read(_ line: LineEntry, _ batch: CardBatch) { head.read(line, of: batch, version) }

  /// Keeps what was made of the head that was read.
  mutating func keep(_ made: Head, for line: LineEntry) {
    // A number stands for heads of any LABEL.
    if head.label != nil || !head.parameters.contains(where: { $0.known == .label }) { kept.keep(made, for: line) }
  }
}

extension CardBatch {
  /// Adds the text of a line's LABEL, of which it has one.
  func appendLabel(of line: LineEntry, _ version: CardVersion, to output: inout ByteBuffer) {
    let bytes = bytes
    for place in Int(line.firstParameter)..<Int(line.firstParameter + line.parameterCount) where parameters[place].known == .label {
      let entry = parameters[place]
      ParameterText.forEachValue(bytes.span, Int(entry.valueStart), Int(entry.valueEnd)) { from, to in
        if entry.isPlain {
          output.append(bytes.span, from, to)
        } else {
          ParameterText.unescape(bytes.span, from, to, version: version, to: &output)
        }
      }
    }
  }
}

/// What stands before the value of a content line, in the spelling of the sibling formats: name and parameters in lower case, escapes
/// undone, VALUE made the type. It is reused from line to line.
struct PropertyHead: ~Copyable {
  /// A parameter: where its name stands in `text`, and which of `values` are its own.
  struct Parameter {
    var known: KnownParameter
    var name: Range<Int>
    var values: Range<Int>
  }

  /// Names and values, end to end.
  private(set) var text = ByteBuffer(capacity: 256)
  private(set) var name = 0..<0
  /// The group as it is written; empty where there is none.
  private(set) var group = 0..<0
  private(set) var parameters: [Parameter] = []
  /// Where the values of parameters stand in `text`.
  private(set) var values: [Range<Int>] = []
  /// What the property is known to be; nil for those that no standard gives a default type.
  private(set) var shape: PropertyShape?
  /// The value type in lower case, and how values of it are spelled.
  private(set) var type = ""
  private(set) var form = ValueForm.text
  /// The value is passed on as it is written, escapes and all.
  private(set) var isAsWritten = false
  /// Which of `values` is the text of the only LABEL; nil where there is none, or more than one text.
  private(set) var label: Int?
  private var places: [Int] = []

  /// Reads the head of a line.
  mutating func read(_ line: LineEntry, of batch: CardBatch, _ version: CardVersion) {
    text.removeAll()
    parameters.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    let (bytes, entries) = (batch.bytes, batch.parameters)
    let (start, end) = (Int(line.nameStart), Int(line.nameEnd))
    name = append(lowercased: bytes.span, start, end)
    let groupStart = text.count
    text.append(bytes.span, Int(line.groupStart), Int(line.groupEnd))
    group = groupStart..<text.count
    shape = PropertyShape.of(bytes.span, start, end)
    var declared: String?
    let hasRepeats = line.parameterCount > 0 && placeParameters(line, entries, bytes)
    for place in places.indices {
      let entry = entries[places[place]]
      let first = values.count
      append(valuesOf: entry, bytes.span, version)
      if entry.known == .value {
        declared = values.count > first ? lowercased(values[first]) : nil
        values.removeLast(values.count - first)
        continue
      }
      var name = text.count..<text.count
      if entry.isBare {
        text.append(text: entry.known.name.lowercased())
        name = name.lowerBound..<text.count
      } else {
        name = append(lowercased: bytes.span, Int(entry.nameStart), Int(entry.nameEnd))
      }
      if hasRepeats, let last = parameters.last, isSame(last.name, name) {
        parameters[parameters.count - 1].values = last.values.lowerBound..<values.count
      } else {
        parameters.append(Parameter(known: entry.known, name: name, values: first..<values.count))
      }
    }
    places.removeAll(keepingCapacity: true)
    let labels = parameters.filter { $0.known == .label }
    label = labels.count == 1 && labels[0].values.count == 1 ? labels[0].values.lowerBound : nil
    isAsWritten = declared == nil && shape == nil
    type = declared ?? shape?.type(in: version) ?? "unknown"
    form = declared == nil ? shape?.form(in: version) ?? .text : ValueForm(type)
  }

  /// Puts the parameters of a line into `places`: in their order, but repeats right behind the first of their name. Are there any?
  private mutating func placeParameters(_ line: LineEntry, _ entries: [ParameterEntry], _ bytes: [UInt8]) -> Bool {
    var seen = ParameterSet()
    var hasRepeats = false
    for place in Int(line.firstParameter)..<Int(line.firstParameter + line.parameterCount) {
      let known = entries[place].known
      // Of names that have no number, each might be a repeat.
      if seen.has(known) { hasRepeats = true }
      seen.insert(known)
      places.append(place)
    }
    guard hasRepeats else { return false }
    var ranks: [String: Int] = [:]
    let ranked = places.map { place in
      let entry = entries[place]
      let name = entry.isBare ? entry.known.name : bytes.span.text(Int(entry.nameStart), Int(entry.nameEnd))
      let rank = ranks[name.lowercased()] ?? ranks.count
      ranks[name.lowercased()] = rank
      return (rank: rank, place: place)
    }
    places = ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.place)
    return true
  }

  private mutating func append(valuesOf entry: ParameterEntry, _ bytes: Span<UInt8>, _ version: CardVersion) {
    let isDivided = entry.isBare || entry.known == .type || entry.known == .sortAs
    let keepsEmpty = entry.known == .sortAs && !entry.isBare
    let (from, to) = (Int(entry.valueStart), Int(entry.valueEnd))
    if entry.isBare {
      let start = text.count
      text.append(bytes, from, to)
      return divide(from: start, keepsEmpty: keepsEmpty)
    }
    ParameterText.forEachValue(bytes, from, to) { from, to in
      let start = text.count
      if entry.isPlain {
        text.append(bytes, from, to)
      } else {
        ParameterText.unescape(bytes, from, to, version: version, keepsBackslashes: entry.known == .jsComps, to: &text)
      }
      if isDivided { divide(from: start, keepsEmpty: keepsEmpty) } else { values.append(start..<text.count) }
    }
  }

  /// Makes a value of each piece between commas.
  private mutating func divide(from start: Int, keepsEmpty: Bool) {
    var from = start
    for i in start...text.count where i == text.count || text[i] == ASCII.comma {
      if keepsEmpty || i > from { values.append(from..<i) }
      from = i + 1
    }
  }

  private mutating func append(lowercased bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Range<Int> {
    let begin = text.count
    if ByteSearch.firstHighBit(in: bytes, from: start, to: end) < end {
      text.append(text: bytes.text(start, end).lowercased())
    } else {
      for i in start..<end { text.append(ASCII.lowercased(bytes[i])) }
    }
    return begin..<text.count
  }

  private func lowercased(_ range: Range<Int>) -> String {
    text.withBytes { $0.text(range.lowerBound, range.upperBound) }.lowercased()
  }

  private func isSame(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    a.count == b.count && text.withBytes { Words.areEqual($0, a.lowerBound, $0, b.lowerBound, count: a.count) }
  }
}

/// How the texts of a value type are spelled in other syntaxes than vCard's.
enum ValueForm: BitwiseCopyable {
  case text, date, time, offset, integer, float, boolean

  /// The form of a value type in lower case.
  init(_ type: String) {
    self =
      switch type {
      case "date", "date-time", "date-and-or-time", "timestamp": .date
      case "time": .time
      case "utc-offset": .offset
      case "integer": .integer
      case "float": .float
      case "boolean": .boolean
      default: .text
      }
  }
}
