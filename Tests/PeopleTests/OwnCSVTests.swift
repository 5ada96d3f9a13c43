// Rows of our own CSV, and what values carry: remembered, but never taken for something else.
import Bytes
import CardSyntax
import Testing

@testable import People

@Suite struct OwnCSVTests {
  /// Cells that are wrong are told in every row; the others of the same value stay.
  @Test func wrongCellsAreToldInEveryRow() {
    let rows = "fullName,phones.1.value,phones.1.labels,phones.1.preference\r\n" + "A,1,work,x\r\n".repeated(3) + "A,1,work,1\r\n"
    let converted = convert(rows, .csv, to: .vcard4)
    #expect(converted.findings.filter { $0.rule == .wrongMember }.map(\.line) == [2, 3, 4])
    #expect(
      converted.lines.filter { $0.hasPrefix("TEL") } == ["TEL;TYPE=work:1", "TEL;TYPE=work:1", "TEL;TYPE=work:1", "TEL;TYPE=work;PREF=1:1"])
  }

  /// Cells in another encoding, and apostrophes before what spreadsheets would run: the same text is not always the same cell.
  @Test func cellsInAnotherEncodingAreReadAnew() {
    let header = "fullName,emails.1.value,emails.1.labels\n"
    let rows: [[UInt8]] = ["A,a@b,'=x\n", "B\u{E9},a@b,'=x\n", "C,a@b,'=\u{E9}\n", "D,a@b,'=\u{E9}\n"].map { text in
      text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
    let converted = convert(Array(header.utf8) + rows.joined(), .csv, to: .jsonl)
    #expect(converted.findings.map(\.rule) == [.assumedCharset])
    #expect(converted.lines.map { $0.contains("\"=x\"") || $0.contains("\"=\u{E9}\"") } == [true, true, true, true])
    #expect(converted.lines.filter { $0.contains("B\u{E9}") }.count == 1)
  }

  /// A field of one text may be named by its value, too.
  @Test func theVersionMayBeNamedByItsValue() {
    let converted = convert("version.value,fullName.value\n3.0,A\n", .csv, to: .jsonl)
    #expect(converted.lines == ["{\"version\":\"3.0\",\"fullName\":\"A\"}"])
  }

  /// Texts that need escapes stand behind the same heads as others; characters that no line may have are told.
  @Test func textsWithEscapesStandBehindKnownHeads() {
    let texts = ["plain", "a, b; c\\d", "plain", "x\u{1}y", "two\nlines"]
    let rows =
      "fullName,notes.1.value,notes.1.labels,categories\r\n"
      + texts.map { "A,\"\($0)\",work,\"\($0.replacing("\\", with: "\\\\").replacing(";", with: "\\;"))\"\r\n" }.joined()
    let converted = convert(rows, .csv, to: .vcard4)
    #expect(
      converted.lines.filter { $0.hasPrefix("NOTE") } == [
        "NOTE;TYPE=work:plain", "NOTE;TYPE=work:a\\, b; c\\\\d", "NOTE;TYPE=work:plain", "NOTE;TYPE=work:xy", "NOTE;TYPE=work:two\\nlines",
      ])
    #expect(converted.lines.filter { $0.hasPrefix("CATEGORIES") }[1] == "CATEGORIES:a\\, b; c\\\\d")
    #expect(converted.findings.filter { $0.rule == .droppedCharacters }.count == 2)
  }

  /// Values that carry the same have the same number, wherever they are copied to; those that carry nothing have that of nothing.
  @Test func numbersTellWhatValuesCarry() throws {
    let lines = ["TEL;TYPE=home:1", "TEL;TYPE=home:2", "TEL;TYPE=work:3", "TEL:4"]
    let card = (["BEGIN:VCARD", "VERSION:4.0", "FN:A"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    var parser = CardParser(names: FieldNames.table)
    let bytes = Array(card.utf8)
    parser.feed(bytes.span)
    parser.finish()
    let cards = parser.nextBatch()
    let batch = try #require(cards)
    var reader = CardReader()
    reader.read(batch, 0)
    let phones = reader.record.value(ofField: Person.field("phones") ?? 0).map { reader.record.elements($0) } ?? []
    let numbers = phones.map { reader.record.carried($0) }
    #expect(numbers.count == 4 && numbers[0] == numbers[1] && numbers[0] != numbers[2] && numbers[3] == Record.Excerpt.nothing)
    #expect(numbers.allSatisfy { $0 > 0 })
    var copy = Record()
    copy.begin(source: [], version: .v40)
    copy.append(range: phones.first ?? 0, reader.record.next(phones.last ?? 0), of: reader.record)
    let copied = copy.carried(0)
    #expect(copied == numbers[0])
    // What is added to a value is not told by the number any more.
    copy.truncate(to: copy.next(0))
    copy.reopen(0)
    copy.text(.language, made: "en")
    copy.close()
    let changed = copy.carried(0)
    #expect(changed == 0)
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
