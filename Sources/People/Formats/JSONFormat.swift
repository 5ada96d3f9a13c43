// The JSON record, both ways: one object a contact, members in the table's order.

package import Bytes
package import CardSyntax
internal import DataSyntax

/// Writes records as JSON objects.
package struct JSONFormat: Sendable {
  package init() {}

  /// `,"key":` of every field, as `Member.jsonKeys` has them.
  private static let fieldKeys = Member.keyTexts(Person.fields.map(\.key))

  /// Writes one record as an object on one line, without a line break.
  package func write(_ record: borrowing Record, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "{"))
    // 1 where no comma is needed.
    var skipped = 1
    let (keys, fieldKeys) = (Member.jsonKeys, Self.fieldKeys)
    let source = record.source
    record.withMade { made in
      for i in record.tokens.indices {
        let token = record.tokens[i]
        let (start, end) = (Int(token.start), Int(token.end))
        let skip = skipped
        if token.member != .none {
          output.append(keys[Int(token.member.rawValue) &* 2 &+ skip])
        } else if skip == 0, token.operation != .close, token.operation != .field {
          output.append(ASCII.comma)
        }
        skipped = 0
        switch token.operation {
        case .field:
          output.append(fieldKeys[start &* 2 &+ skip])
          skipped = 1
        case .key:
          output.appendJSONString(escaped: made, start, end, nil)
          output.append(ASCII.colon)
          skipped = 1
        case .text:
          switch token.form {
          case .made: output.appendJSONString(escaped: made, start, end, nil)
          case .plain: output.appendJSONString(escaped: source.span, start, end, nil)
          case .escaped: output.appendJSONString(escaped: source.span, start, end, record.version)
          }
        case .number: output.append(made, start, end)
        case .openObject:
          output.append(UInt8(ascii: "{"))
          skipped = 1
        case .openList:
          output.append(UInt8(ascii: "["))
          skipped = 1
        case .close: output.append(record.tokens[end].operation == .openList ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        }
      }
    }
    output.append(UInt8(ascii: "}"))
  }
}

extension ByteBuffer {
  /// Adds a text of a record, which is UTF-8, as a JSON string; the escapes of the version (where there is
  /// one) are undone and JSON's done in one pass.
  mutating func appendJSONString(escaped bytes: Span<UInt8>, _ start: Int, _ end: Int, _ version: CardVersion?) {
    append(ASCII.quote)
    appendJSON(escaped: bytes, start, end, version)
    append(ASCII.quote)
  }

  /// Adds such a text without the quotes.
  mutating func appendJSON(escaped bytes: Span<UInt8>, _ start: Int, _ end: Int, _ version: CardVersion?) {
    var i = appendJSONRun(bytes, start, end)
    while i < end {
      if bytes[i] == ASCII.backslash, let version, i &+ 1 < end {
        let next = bytes[i &+ 1]
        switch Escaping.meaning(of: next, version) {
        case ASCII.lineFeed: append("\\n")
        case .some(let byte) where byte == ASCII.backslash || byte == ASCII.quote: appendJSONEscape(byte)
        case .some(let byte): append(byte)
        case nil:
          // It stands for itself, and so does a backslash behind it.
          append("\\\\")
          if next == ASCII.backslash { append("\\\\") } else { i &-= 1 }
        }
        i &+= 2
      } else {
        appendJSONEscape(bytes[i])
        i &+= 1
      }
      i = appendJSONRun(bytes, i, end)
    }
  }
}

/// Reads JSON objects as records.
package struct JSONRecordReader: ~Copyable {
  /// What was wrong with the record read last.
  package private(set) var findings: [Diagnostic] = []
  private var limits = Limits()
  /// Its memory is used again for every record.
  private let scratch = Boxed(Record())

  package init() {}

  /// Reads one value: an object with the members of a record. False (with a finding) where it is none.
  package mutating func read(_ bytes: [UInt8], line: Int, into record: inout Record) -> Bool {
    findings = []
    record.begin(source: bytes, version: .v40)
    var reader = JSONReader(bytes, firstLine: line, maximumDepth: limits.dataNesting, leavesInPlace: true)
    do throws(DataSyntaxError) {
      guard try reader.next() == .beginObject else {
        findings.append(Diagnostic(.wrongMember, "no object, so no contact; left out", line: line, leftOut: true))
        return false
      }
      var fields: [(number: Int, start: Int, end: Int)] = []
      let scratch = scratch
      scratch.value.begin(source: bytes, version: .v40)
      scratch.value.depth = record.depth
      try readMembers(&reader, &scratch.value, &fields)
      // Members may stand in any order; a record has them in the table's.
      if zip(fields, fields.dropFirst()).allSatisfy({ $0.number < $1.number }) {
        swap(&record, &scratch.value)
      } else {
        for field in fields.sorted(by: { $0.number < $1.number }) { record.append(range: field.start, field.end, of: scratch.value) }
      }
      if let index = record.value(ofField: 0), let version = CardVersion(record.string(index)) { record.version = version }
      return true
    } catch {
      findings.append(Diagnostic(.dataSyntax, error.told + "; the record was left out", line: error.line, leftOut: true))
      return false
    }
  }

  private mutating func readMembers(
    _ reader: inout JSONReader, _ record: inout Record, _ fields: inout [(number: Int, start: Int, end: Int)]
  ) throws(DataSyntaxError) {
    while case .key = try reader.next() {
      guard let number = Self.number(in: .fields, reader, record) else {
        let (key, line) = (Self.text(reader, record), reader.line)
        findings.append(Diagnostic(.unknownMember, "no field is called \"\(key)\"; left out", line: line, leftOut: true))
        try reader.skipValue()
        continue
      }
      let start = record.tokens.count
      let isRepeated = fields.contains { $0.number == number }
      let line = isRepeated ? reader.line : 0
      record.field(number)
      try readValue(&reader, &record, number)
      if record.tokens.count == start + 1 || record.isEmptyValue(start + 1) {
        record.truncate(to: start)
      } else if isRepeated {
        findings.append(
          Diagnostic(.wrongMember, "\(Person.fields[number].key) stands twice; the second is left out", line: line, leftOut: true))
        record.truncate(to: start)
      } else {
        fields.append((number, start, record.tokens.count))
      }
    }
  }

  // MARK: Values

  /// What the value of a field looks like, worked out once.
  private struct Plan: Sendable {
    /// The part that a text stands for, none where the text is the value; nil where no text may stand.
    let text: Member?
    /// The parts of objects, one bit each; those that say something of a value only where it is one of many.
    let parts: UInt64
    /// Whether each part may be an array of texts.
    let hasLists: Bool
    let shape: Shape
    let isAgent: Bool, isDetails: Bool

    init(_ field: Field) {
      isDetails = field.key == Person.fields[Person.detailsField].key
      isAgent = field.kind is AgentKind
      let own = field.kind.parts
      let part = isAgent ? .value : field.kind.textMember.flatMap { own.contains($0) ? $0 : nil }
      text = isDetails ? nil : part == .value ? Member.none : part
      hasLists = field.kind is NameKind || field.kind is AddressKind
      parts = Self.bits(field.isOne ? own : own + Member.annotations)
      shape = text == nil ? .object : field.isOne && own == [.value] ? .text : .textOrObject
    }

    static func bits(_ members: [Member]) -> UInt64 { members.reduce(0) { $0 | 1 << UInt64($1.rawValue) } }

    /// The plan of each field.
    static let all = Person.fields.map { Plan($0) }
  }

  /// What may stand at a place, for messages.
  private enum Shape: String {
    case text = "a text"
    case texts = "a text or an array of texts"
    case object = "an object"
    case textOrObject = "a text or an object"
    case preference = "a number from 1 to 100"
    case jCard = "an array of a name, parameters, a type and a value"
  }

  /// Leaves out the value whose first token is the last one, since it should be something else.
  private mutating func leaveOut(_ reader: inout JSONReader, _ name: String, _ shape: Shape) throws(DataSyntaxError) {
    let line = reader.line
    findings.append(Diagnostic(.wrongMember, "\(name) should be \(shape.rawValue); left out", line: line, leftOut: true))
    try reader.skipValue()
  }

  /// Reads the value of a field: nothing, one value, or a list.
  private mutating func readValue(_ reader: inout JSONReader, _ record: inout Record, _ number: Int) throws(DataSyntaxError) {
    let first = try reader.next()
    switch Person.fields[number].layout {
    case .one: try readElement(first, &reader, &record, number)
    case .many, .texts, .unclaimed:
      record.open(list: true)
      if case .beginArray = first {
        while true {
          let token = try reader.next()
          if case .endArray = token { break }
          try readElement(token, &reader, &record, number)
        }
      } else {
        // One value stands for a list of one.
        try readElement(first, &reader, &record, number)
      }
      record.close()
    }
  }

  /// Reads one value of a field.
  private mutating func readElement(
    _ first: JSONToken, _ reader: inout JSONReader, _ record: inout Record, _ number: Int
  ) throws(DataSyntaxError) {
    if case .null = first { return }
    let field = Person.fields[number]
    if number == Person.unclaimedField { return try readUnclaimed(first, &reader, &record, field) }
    let plan = Plan.all[number]
    if let part = plan.text {
      // A text stands for an object that has it as its foremost part.
      let begin = record.tokens.count
      if part != .none { record.open() }
      if Self.readText(first, &reader, part, &record) {
        if part != .none { record.close() }
        return
      }
      record.truncate(to: begin)
    }
    let (begin, told) = (record.tokens.count, findings.count)
    guard case .beginObject = first else { return try leaveOut(&reader, field.key, plan.shape) }
    record.open()
    if plan.isAgent {
      var fields: [(number: Int, start: Int, end: Int)] = []
      var inner = Record()
      inner.begin(source: record.source, version: .v40)
      try readMembers(&reader, &inner, &fields)
      for field in fields.sorted(by: { $0.number < $1.number }) { record.append(range: field.start, field.end, of: inner) }
    } else if plan.isDetails {
      try readDetails(&reader, &record)
    } else {
      try readParts(&reader, &record, field, of: plan.parts, hasLists: plan.hasLists)
    }
    record.close()
    if findings.count > told, record.isEmptyValue(begin) { record.truncate(to: begin) }
  }

  /// Puts a text, a number or a truth value into the record; false, and nothing done, where something else begins.
  private static func readText(_ token: JSONToken, _ reader: inout JSONReader, _ name: Member, _ record: inout Record) -> Bool {
    switch token {
    case .string:
      if reader.isInPlace { record.text(name, reader.textStart, reader.textEnd, .plain) } else { record.text(name, made: reader.text) }
    case .number: record.number(name, reader.text.text())
    case .true: record.text(name, made: "true")
    case .false: record.text(name, made: "false")
    default: return false
    }
    return true
  }

  /// The number of the key that was read last; nil where it is none of these.
  private static func number(in keys: KeyNumbers, _ reader: borrowing JSONReader, _ record: borrowing Record) -> Int? {
    if reader.isInPlace { return keys.number(of: record.source.span, reader.textStart, reader.textEnd) }
    return reader.text.withBytes { keys.number(of: $0, 0, $0.count) }
  }

  /// The text of the key, string or number that was read last.
  private static func text(_ reader: borrowing JSONReader, _ record: borrowing Record) -> String {
    reader.isInPlace ? record.source.span.text(reader.textStart, reader.textEnd) : reader.text.text()
  }

  /// Puts the key that was read last into the record, where keys are data; gives its place.
  private static func putKey(_ reader: borrowing JSONReader, _ record: inout Record) -> Int {
    if reader.isInPlace {
      let source = record.source
      record.key(made: source.span, reader.textStart, reader.textEnd)
    } else {
      record.key(reader.text.text())
    }
    return record.tokens.count - 1
  }

  /// Reads the members of an object that is open in the record; those that are none of `parts` (a bit each) are left out.
  private mutating func readParts(
    _ reader: inout JSONReader, _ record: inout Record, _ field: Field, of parts: UInt64, hasLists: Bool = false
  ) throws(DataSyntaxError) {
    let begin = record.tokens.count
    while case .key = try reader.next() {
      guard let number = Self.number(in: .members, reader, record), parts & (1 << UInt64(number)) != 0,
        let part = Member(rawValue: UInt8(number))
      else {
        let (key, line) = (Self.text(reader, record), reader.line)
        findings.append(Diagnostic(.unknownMember, "\(field.key) has no part called \"\(key)\"; left out", line: line, leftOut: true))
        try reader.skipValue()
        continue
      }
      if Self.has(part, record, from: begin) {
        let line = reader.line
        findings.append(
          Diagnostic(.wrongMember, "\(part.key) of \(field.key) stands twice; the second is left out", line: line, leftOut: true))
        try reader.skipValue()
        continue
      }
      let first = try reader.next()
      if case .null = first { continue }
      switch part {
      case .parameters:
        guard case .beginObject = first else {
          try leaveOut(&reader, "\(part.key) of \(field.key)", .object)
          continue
        }
        record.open(part)
        while case .key = try reader.next() {
          let key = Self.putKey(reader, &record)
          try readTexts(try reader.next(), &reader, &record, .none) { "\($0.string(key)) in \(part.key) of \(field.key)" }
        }
        record.close()
      case .phonetic, .pronunciation, .location:
        if part == .location, Self.readText(first, &reader, part, &record) { continue }
        guard case .beginObject = first else {
          try leaveOut(&reader, "\(part.key) of \(field.key)", .object)
          continue
        }
        record.open(part)
        try readParts(&reader, &record, field, of: Plan.bits(part.innerParts), hasLists: part != .location)
        record.close()
      case .preference:
        let isRight = (first == .number || first == .string) && Int(Self.text(reader, record)).map { (1...100).contains($0) } == true
        if !isRight || !Self.readText(first, &reader, part, &record) { try leaveOut(&reader, "\(part.key) of \(field.key)", .preference) }
      case _ where hasLists || part == .labels || part == .units || part == .sortAs:
        try readTexts(first, &reader, &record, part) { _ in "\(part.key) of \(field.key)" }
      default:
        if !Self.readText(first, &reader, part, &record) { try leaveOut(&reader, "\(part.key) of \(field.key)", .text) }
        if part == .data { record.checkData(line: reader.line, &findings) }
      }
    }
  }

  /// Is there a part of this name in the object whose parts begin at `begin`?
  private static func has(_ part: Member, _ record: borrowing Record, from begin: Int) -> Bool {
    var i = begin
    while i < record.tokens.count {
      if record.tokens[i].member == part { return true }
      i = record.next(i)
    }
    return false
  }

  /// Reads a text or an array of texts; `name` says what it is, for messages.
  private mutating func readTexts(
    _ first: JSONToken, _ reader: inout JSONReader, _ record: inout Record, _ part: Member, _ name: (borrowing Record) -> String
  ) throws(DataSyntaxError) {
    guard case .beginArray = first else {
      if part == .labels { record.open(part, list: true) }
      if !Self.readText(first, &reader, part == .labels ? .none : part, &record) {
        // What a key stands for cannot be missing.
        if part == .none { record.text(.none, made: "") }
        if first != .null { try leaveOut(&reader, name(record), .texts) }
      }
      if part == .labels { record.close() }
      return
    }
    record.open(part, list: true)
    while true {
      let token = try reader.next()
      if case .endArray = token { break }
      if !Self.readText(token, &reader, .none, &record), token != .null { try leaveOut(&reader, name(record), .texts) }
    }
    record.close()
  }

  /// Reads what the lines of single values carry: an object for each field.
  private mutating func readDetails(_ reader: inout JSONReader, _ record: inout Record) throws(DataSyntaxError) {
    let details = Person.fields[Person.detailsField]
    while try reader.next() == .key {
      let (key, line) = (Self.text(reader, record), reader.line)
      guard let number = Person.field(key), Person.fields[number].isOne else {
        findings.append(Diagnostic(.unknownMember, "no field of one value is called \"\(key)\"; left out", line: line, leftOut: true))
        try reader.skipValue()
        continue
      }
      guard try reader.next() == .beginObject else {
        try leaveOut(&reader, "\(key) of \(details.key)", .object)
        continue
      }
      record.key(key)
      record.open()
      try readParts(&reader, &record, details, of: Plan.bits(Member.annotations))
      record.close()
    }
  }

  /// Reads a line that no field holds, a jCard array.
  private mutating func readUnclaimed(
    _ first: JSONToken, _ reader: inout JSONReader, _ record: inout Record, _ field: Field
  ) throws(DataSyntaxError) {
    let begin = record.tokens.count
    guard first == .beginArray else { return try leaveOut(&reader, "an element of \(field.key)", .jCard) }
    record.open(list: true)
    while case let token = try reader.next(), token != .endArray {
      if token == .beginObject {
        record.open()
        while case .key = try reader.next() {
          let key = Self.putKey(reader, &record)
          try readTexts(try reader.next(), &reader, &record, .none) { "\($0.string(key)) of \(field.key)" }
        }
        record.close()
      } else if !Self.readText(token, &reader, .none, &record) {
        try leaveOut(&reader, "a value of \(field.key)", .text)
      }
    }
    record.close()
    if UnclaimedText(record, at: begin) == nil {
      record.truncate(to: begin)
      try leaveOut(&reader, "an element of \(field.key)", .jCard)
    }
  }
}
