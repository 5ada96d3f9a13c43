// The JSON record, both ways: one object a contact, members in the table's order.

package import Bytes
package import CardSyntax
internal import DataSyntax

/// Writes records as JSON objects.
package struct JSONFormat: Sendable {
  package init() {}

  /// `,"key":` of every field, in one run of bytes; that of field n is `text[starts[n] ..< starts[n + 1]]`.
  private static let fieldKeys = Member.keyTexts(Person.fields.map(\.key))

  /// Writes one record as an object on one line, without a line break.
  package func write(_ record: borrowing Record, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "{"))
    var needsComma = false
    let (keys, fieldKeys) = (Member.jsonKeys, Self.fieldKeys)
    let (tokens, source, made) = (record.tokens, record.source, record.made)
    for token in tokens {
      let (start, end) = (Int(token.start), Int(token.end))
      if token.member != .none {
        let member = Int(token.member.rawValue)
        output.append(keys.text.span, keys.starts[member] &+ (needsComma ? 0 : 1), keys.starts[member &+ 1])
      } else if needsComma, token.operation != .close, token.operation != .field {
        output.append(ASCII.comma)
      }
      switch token.operation {
      case .field:
        output.append(fieldKeys.text.span, fieldKeys.starts[start] &+ (needsComma ? 0 : 1), fieldKeys.starts[start &+ 1])
        needsComma = false
      case .key:
        output.appendJSONString(made.span, start, end)
        output.append(ASCII.colon)
        needsComma = false
      case .text:
        switch token.form {
        case .made: output.appendJSONString(made.span, start, end)
        case .plain: output.appendJSONString(source.span, start, end)
        case .escaped: output.appendJSONString(escaped: source.span, start, end, record.version)
        }
        needsComma = true
      case .number:
        output.append(made.span, start, end)
        needsComma = true
      case .openObject:
        output.append(UInt8(ascii: "{"))
        needsComma = false
      case .openList:
        output.append(UInt8(ascii: "["))
        needsComma = false
      case .close:
        output.append(tokens[end].operation == .openList ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        needsComma = true
      }
    }
    output.append(UInt8(ascii: "}"))
  }
}

extension ByteBuffer {
  /// Adds a text of a card as a JSON string, its escapes undone and JSON's done in one pass.
  mutating func appendJSONString(escaped bytes: Span<UInt8>, _ start: Int, _ end: Int, _ version: CardVersion) {
    var i = ByteSearch.firstIndex(of: ASCII.backslash, in: bytes, from: start, to: end)
    if i == end { return appendJSONString(bytes, start, end) }
    append(ASCII.quote)
    var from = start
    while i &+ 1 < end {
      if let byte = Escaping.meaning(of: bytes[i &+ 1], version) {
        appendJSONEscaped(bytes, from, i)
        switch byte {
        case ASCII.lineFeed: append("\\n")
        case ASCII.backslash: append("\\\\")
        case ASCII.quote: append("\\\"")
        default: append(byte)
        }
        from = i &+ 2
      }
      i = ByteSearch.firstIndex(of: ASCII.backslash, in: bytes, from: i &+ 2, to: end)
    }
    appendJSONEscaped(bytes, from, end)
    append(ASCII.quote)
  }
}

/// Reads JSON objects as records.
package struct JSONRecordReader: ~Copyable {
  /// What was wrong with the record read last.
  package private(set) var findings: [Diagnostic] = []
  private var limits = Limits()
  /// Its memory is used again for every record.
  private var scratch = Record()

  package init() {}

  /// Reads one value: an object with the members of a record. False (with a finding) where it is none.
  package mutating func read(_ bytes: [UInt8], line: Int, into record: inout Record) -> Bool {
    findings = []
    record.begin(source: [], version: .v40)
    var reader = JSONReader(bytes, firstLine: line, maximumDepth: limits.dataNesting)
    do throws(DataSyntaxError) {
      guard try reader.next() == .beginObject else {
        findings.append(Diagnostic(.wrongMember, "no object, so no contact; left out", line: line, leftOut: true))
        return false
      }
      var fields: [(number: Int, start: Int, end: Int)] = []
      var scratch = Record()
      swap(&scratch, &self.scratch)
      defer { swap(&scratch, &self.scratch) }
      scratch.begin(source: [], version: .v40)
      scratch.depth = record.depth
      try readMembers(&reader, &scratch, &fields)
      // Members may stand in any order; a record has them in the table's.
      if zip(fields, fields.dropFirst()).allSatisfy({ $0.number < $1.number }) {
        swap(&record, &scratch)
      } else {
        for field in fields.sorted(by: { $0.number < $1.number }) { record.append(range: field.start, field.end, of: scratch) }
      }
      if let index = record.value(ofField: 0), let version = CardVersion(record.string(index)) { record.version = version }
      return true
    } catch {
      findings.append(Diagnostic(.dataSyntax, error.message + "; the record was left out", line: error.line, leftOut: true))
      return false
    }
  }

  private mutating func readMembers(
    _ reader: inout JSONReader, _ record: inout Record, _ fields: inout [(number: Int, start: Int, end: Int)]
  ) throws(DataSyntaxError) {
    while true {
      let token = try reader.next()
      guard token == .key else { return }
      let key = reader.text.text()
      guard let number = Person.field(key) else {
        let line = reader.line
        findings.append(Diagnostic(.unknownMember, "no field is called \"\(key)\"; left out", line: line, leftOut: true))
        try reader.skipValue()
        continue
      }
      let start = record.tokens.count
      record.field(number)
      let isEmpty = try readValue(&reader, &record, Person.fields[number])
      if isEmpty || fields.contains(where: { $0.number == number }) {
        record.truncate(to: start)
      } else {
        fields.append((number, start, record.tokens.count))
      }
    }
  }

  /// Reads the value of a field; true where there is nothing in it.
  private mutating func readValue(_ reader: inout JSONReader, _ record: inout Record, _ field: Field) throws(DataSyntaxError) -> Bool {
    let begin = record.tokens.count
    let first = try reader.next()
    let isList: Bool
    switch field.layout {
    case .one: isList = false
    case .many, .texts, .unclaimed: isList = true
    }
    if isList && first != .beginArray {
      // One value stands for a list of one.
      record.open(list: true)
      try copy(first, &reader, &record, member: .none, field: field, depth: 1)
      record.close()
    } else {
      try copy(first, &reader, &record, member: .none, field: field, depth: 0)
    }
    return record.tokens.count == begin || record.isEmptyValue(begin)
  }

  /// Copies the value that begins with `first`. Keys are members where they are known, and data in `parameters`, `details` and `unclaimed`.
  private mutating func copy(
    _ first: JSONToken, _ reader: inout JSONReader, _ record: inout Record, member: Member, field: Field, depth: Int
  ) throws(DataSyntaxError) {
    // Open objects and lists, and whether their keys are data.
    var isData: [Bool] = []
    var token = first
    var name = member
    let keysAreData: Bool
    if case .unclaimed = field.layout { keysAreData = true } else { keysAreData = false }
    let isAgent = field.kind is AgentKind
    let isDetails = field.key == Person.fields[Person.detailsField].key
    while true {
      switch token {
      case .string: record.text(name, made: reader.text)
      case .number: record.number(name, reader.text.text())
      case .true: record.text(name, made: "true")
      case .false: record.text(name, made: "false")
      case .null: break
      case .beginArray:
        record.open(name, list: true)
        isData.append(isData.last ?? keysAreData)
      case .beginObject:
        record.open(name)
        isData.append(keysAreData || name == .parameters || isDetails && isData.isEmpty)
        if isAgent && isData.count == 1 {
          var fields: [(number: Int, start: Int, end: Int)] = []
          var inner = Record()
          inner.begin(source: [], version: .v40)
          try readMembers(&reader, &inner, &fields)
          for field in fields.sorted(by: { $0.number < $1.number }) { record.append(range: field.start, field.end, of: inner) }
          record.close()
          isData.removeLast()
        }
      case .endArray, .endObject:
        record.close()
        isData.removeLast()
      case .key:
        let key = reader.text.text()
        if isData.last == true {
          record.key(key)
          name = .none
        } else if let known = Member(key: key) {
          name = known
        } else {
          let line = reader.line
          findings.append(Diagnostic(.unknownMember, "\(field.key) has no part called \"\(key)\"; left out", line: line, leftOut: true))
          try reader.skipValue()
        }
        token = try reader.next()
        continue
      case .end: return
      }
      if isData.isEmpty { return }
      name = .none
      token = try reader.next()
    }
  }
}
