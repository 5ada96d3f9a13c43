// CSV both ways: cells, row ends, delimiters, limits; the same for all chunk sizes; what is written is read again.
import Bytes
import DataSyntax
import TestSupport
import Testing

@Suite struct CSVTests {
  /// All rows, a cell in quotes marked by `'`, or `! line:column message`; then the state of the reader at the end.
  private func rows(
    _ bytes: [UInt8], size: Int, delimiter: UInt8?, maximumCells: Int = 20_000, maximumRowBytes: Int = 1 << 20,
    scoring: (@Sendable ([String]) -> Int)? = nil
  ) -> (rows: [String], delimiter: UInt8?, quoteLine: Int?) {
    var reader = CSVReader(delimiter: delimiter, maximumCells: maximumCells, maximumRowBytes: maximumRowBytes, scoring: scoring)
    var row = CSVRow()
    var found: [String] = []
    func drain(_ reader: inout CSVReader) {
      while true {
        do {
          guard try reader.next(into: &row) else { return }
          let cells = (0..<row.cellCount).map { (row.wasQuoted($0) ? "'" : "") + row.cell($0) }
          found.append("\(row.line) " + cells.joined(separator: "|"))
        } catch {
          found.append("! " + told(error))
        }
      }
    }
    forEachChunk(of: bytes.count, size: size) { range in
      reader.feed(bytes.span.extracting(range))
      drain(&reader)
    }
    reader.finish()
    drain(&reader)
    return (found, reader.delimiter, reader.unterminatedQuoteLine)
  }

  /// The rows for all chunk sizes, which must agree.
  private func rows(_ text: String, delimiter: UInt8? = 44, maximumCells: Int = 20_000, maximumRowBytes: Int = 1 << 20) -> [String] {
    let all = chunkSizes.map {
      rows(Array(text.utf8), size: $0, delimiter: delimiter, maximumCells: maximumCells, maximumRowBytes: maximumRowBytes).rows
    }
    for other in all { #expect(other == all[0], "\(text.debugDescription)") }
    return all[0]
  }

  @Test(
    arguments: [
      ("", []), ("a", ["1 a"]), ("a,b\r\nc,d\r\n", ["1 a|b", "2 c|d"]), ("a,b,\n,,\n", ["1 a|b|", "2 ||"]), ("a,", ["1 a|"]),
      ("\u{FEFF}a,b", ["1 a|b"]), ("\u{FEFF}\"a\",b", ["1 'a|b"]), ("a\rb\rc", ["1 a", "2 b", "3 c"]),
      ("a\r\r\nb\r\r\nc", ["1 a", "3 b", "5 c"]),
      ("a\n\nb", ["1 a", "2 ", "3 b"]), ("a\r\n\r\nb", ["1 a", "2 ", "3 b"]), ("a\r\rb", ["1 a", "2 ", "3 b"]),
      ("a\r\r\rb", ["1 a", "2 ", "3 ", "4 b"]),
      ("a\r\r", ["1 a", "2 "]), ("a\r", ["1 a"]), ("\n", ["1 "]), ("a\r\r\r\nb", ["1 a", "2 ", "4 b"]),
      ("\"a,b\",\"c\"\"d\",\"\"\n", ["1 'a,b|'c\"d|'"]), ("\"a\nb\r\nc\rd\r\r\ne\",x\ny", ["1 'a\nb\nc\nd\ne|x", "7 y"]),
      ("\"a\r\r\rb\r\"", ["1 'a\n\n\nb\n"]),
      ("a\"b,c\"\"d,\"e", ["1 a\"b|c\"\"d|'e"]),
      ("\"a\"b,\"c\" ,\"d\"e\"f\"", ["1 'ab|'c |'de\"f\""]),
      (" \"a\" , b ", ["1  \"a\" | b "]), ("=\"0123\",x", ["1 =\"0123\"|x"]), ("\"\"\"\"", ["1 '\""]), ("\"a\"\"", ["1 'a\""]),
      ("a,\"", ["1 a|'"]),
      ("a\u{0}b,\u{1}", ["1 a\u{0}b|\u{1}"]),
    ] as [(String, [String])])
  func readsRows(_ text: String, _ wanted: [String]) {
    #expect(rows(text) == wanted)
  }

  @Test(
    arguments: [
      ("sep=;\r\na;b,c\n", ["2 a|b,c"]), ("SEP=\t\na\tb", ["2 a|b"]), ("\u{FEFF}\"sep=|\"\ra|b", ["2 a|b"]),
      ("sep=;\r\r\na;b", ["3 a|b"]), ("sep=;", []),
      ("sep=\na,b", ["1 sep=", "2 a|b"]), ("sep=;x\na", ["1 sep=;x", "2 a"]), ("sep,x\na", ["1 sep|x", "2 a"]),
      ("sep", ["1 sep"]), ("\"sep=;x\"", ["1 'sep=;x"]),
      ("a\nsep=;\n", ["1 a", "2 sep=;"]),
    ] as [(String, [String])])
  func obeysASeparatorLine(_ text: String, _ wanted: [String]) {
    #expect(rows(text) == wanted)
  }

  @Test(
    arguments: [
      ("a,b;c,d\n1,2", 44), ("a;b;c,d\n", 59), ("a\tb\n", 9), ("a|b", 0x7C), ("a", 44), ("", 44),
      ("\"a,b,c\";d;\"e\"\n", 59), ("\"a;b\n;;;;\",c\n", 44),
      ("\n\na;b\n,,,,", 59), ("sep=|\na,b,c\n", 0x7C), ("\u{FEFF}\"x\";\"y,z\"\n", 59), ("\"a;b", 44),
    ] as [(String, UInt8)])
  func sniffsTheDelimiter(_ text: String, _ wanted: UInt8) {
    for size in chunkSizes {
      let found = rows(Array(text.utf8), size: size, delimiter: nil).delimiter
      #expect(found == wanted, "\(text.debugDescription) \(size)")
    }
  }

  @Test func knownNamesOutweighCells() {
    let text = Array("First Name;Notes, long, with, commas;E-mail\nA;B;C\n".utf8)
    let plain = rows(text, size: 5, delimiter: nil)
    #expect(plain.delimiter == 44)
    let scored = rows(text, size: 5, delimiter: nil) { cells in cells.count { $0 == "First Name" || $0 == "E-mail" } }
    #expect(scored.delimiter == 59)
    #expect(scored.rows == ["1 First Name|Notes, long, with, commas|E-mail", "2 A|B|C"])
  }

  @Test func reportsAnUnterminatedQuote() {
    for size in chunkSizes {
      let open = rows(Array("a\nb,\"c\r\nd,e\n".utf8), size: size, delimiter: 44)
      #expect(open.rows == ["1 a", "2 b|'c\nd,e\n"])
      #expect(open.quoteLine == 2)
      #expect(rows(Array("\"a\"".utf8), size: size, delimiter: 44).quoteLine == nil)
    }
  }

  @Test func limitsCostOneRow() {
    #expect(rows("a,b\n1,2,3\nc\n", maximumCells: 2) == ["1 a|b", "! 2:1 A row has more than 2 cells", "3 c"])
    let found = rows("ab\nab\"cdef\nx\"\n\"a\nbcd\"\ny", maximumRowBytes: 4)
    #expect(
      found == [
        "1 ab", "! 2:1 A row is larger than 4 bytes", "3 x\"",
        "! 4:1 A row is larger than 4 bytes", "6 y",
      ])
    #expect(rows("abcdefg", maximumRowBytes: 4) == ["! 1:1 A row is larger than 4 bytes"])
    #expect(rows("\"abcd\nefg", maximumRowBytes: 4) == ["! 1:1 A row is larger than 4 bytes"])
  }

  /// A character whose bytes stand in two cells is none.
  @Test(arguments: [
    ([0x61, 0x2C, 0x62] as [UInt8], 0x2C as UInt8, true), (Array("é,\"ü\"".utf8), 0x2C, true), ([0xC3, 0x2C, 0xA9], 0x2C, false),
    ([0x22, 0xC3, 0x22, 0x2C, 0x22, 0xA9, 0x22], 0x2C, false), ([0xC3, 0xA9, 0x61], 0xA9, false), ([0x61, 0xA9, 0x62], 0xA9, true),
  ]) func rowsTellWhetherTheyAreUTF8(_ bytes: [UInt8], _ delimiter: UInt8, _ wanted: Bool) throws {
    var reader = CSVReader(delimiter: delimiter)
    reader.feed(bytes.span)
    reader.finish()
    var row = CSVRow()
    let isRead = try reader.next(into: &row)
    let isUTF8 = row.isUTF8
    #expect(isRead && isUTF8 == wanted)
  }

  @Test func rowsAnswer() throws {
    var reader = CSVReader(delimiter: 44)
    let bytes = Array("x,,\"\",\u{E9}\n,,\n".utf8) + [0x61, 0xFF, 0x0A]
    reader.feed(bytes.span)
    reader.finish()
    var row = CSVRow()
    let first = try reader.next(into: &row)
    let emptiness = (-1..<6).map { row.isEmpty($0) }
    let quotes = (-1..<6).map { row.wasQuoted($0) }
    let lent = row.withCell(3) { $0.count }
    let beyond = row.withCell(9) { $0.count }
    let text = row.cell(3) + row.cell(-1) + row.cell(99)
    let allEmpty = row.allEmpty
    #expect(first && !allEmpty && lent == 2 && beyond == 0 && text == "\u{E9}")
    #expect(emptiness == [true, false, true, true, false, true, true])
    #expect(quotes == [false, false, false, true, false, false, false])
    let second = try reader.next(into: &row)
    let secondIsEmpty = row.allEmpty
    #expect(second && secondIsEmpty)
    _ = try reader.next(into: &row)
    let repaired = row.cell(0)
    #expect(repaired == "a\u{FFFD}")
    let more = try reader.next(into: &row)
    let count = row.cellCount
    #expect(!more && count == 0)
  }

  static let sample = "\u{FEFF}\"sep=;\"\r\na;\"b\"\"\r\r\nc\";d\r\r\n\r\re\"f;\"g\"h\n;;"

  @Test(arguments: [44, 59, nil] as [UInt8?]) func noBytesCrashAndChunksAgree(_ delimiter: UInt8?) {
    let bytes = Array(Self.sample.utf8)
    func check(_ bytes: [UInt8]) {
      let all = [1, 2, 3, 7, 1 << 20].map { rows(bytes, size: $0, delimiter: delimiter, maximumCells: 3, maximumRowBytes: 9) }
      #expect(all.allSatisfy { $0.rows == all[0].rows && $0.delimiter == all[0].delimiter && $0.quoteLine == all[0].quoteLine })
    }
    for end in 0...bytes.count { check(Array(bytes[..<end])) }
    for place in bytes.indices {
      for byte in [0, 0x0A, 0x0D, 0x22, 0x2C, 0x3B, 0x3D, 0x61, 0xEF, 0xFF] as [UInt8] {
        var changed = bytes
        changed[place] = byte
        check(changed)
      }
    }
  }

  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("a,b", "\"a,b\""), ("a;b", "a;b"), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""),
    ("a\rb", "\"a\rb\""), (" a", "\" a\""), ("a\t", "\"a\t\""),
    ("=1", "\"=1\""), ("+49", "+49"), ("\"", "\"\"\"\""), ("long text, that has words", "\"long text, that has words\""), ("é猫", "é猫"),
  ])
  func writesCells(_ text: String, _ wanted: String) {
    var out = ByteBuffer()
    out.appendCSVCell(text, delimiter: 44)
    let written = out.text()
    #expect(written == wanted)
    let padded = Array("xx\(text)yy".utf8)
    out.removeAll()
    out.appendCSVCell(padded.span, 2, padded.count - 2, delimiter: 44)
    let part = out.text()
    #expect(part == wanted)
  }

  @Test func whatIsWrittenIsRead() throws {
    var random = Seeded(5)
    let alphabet = ["a", "b", "\"", ",", ";", "\n", " ", "\t", "=", "é", "猫"]
    for delimiter: UInt8 in [44, 59, 9] {
      for _ in 0..<500 {
        let cells = (0..<Int.random(in: 1...5, using: &random)).map { _ in
          (0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "" }.joined()
        }
        var out = ByteBuffer()
        out.append("h\r\n")
        for (i, cell) in cells.enumerated() {
          if i > 0 { out.append(delimiter) }
          out.appendCSVCell(cell, delimiter: delimiter)
        }
        out.append("\r\n")
        var reader = CSVReader(delimiter: delimiter)
        out.withBytes { reader.feed($0) }
        reader.finish()
        var row = CSVRow()
        _ = try reader.next(into: &row)
        _ = try reader.next(into: &row)
        let back = (0..<row.cellCount).map { row.cell($0) }
        #expect(back == cells)
      }
    }
  }

  /// Reading a row anew with every piece that arrives would take hours here.
  @Test(arguments: [1, 4096]) func workGrowsLinearly(_ size: Int) {
    let count = 200_000
    let inputs = [
      String(repeating: "x", count: count), "\"" + String(repeating: "\n", count: count), String(repeating: "a,b\n", count: count / 4),
      String(repeating: "\"", count: count), String(repeating: "\n", count: count), String(repeating: "\r", count: count),
    ]
    let counts = inputs.map { rows(Array($0.utf8), size: size, delimiter: nil).rows.count }
    #expect(counts == [1, 1, count / 4, 1, count, count])
  }
}
