// Persons go into bytes and files of any format; a file is replaced whole or not at all.
import Bytes
import CardSyntax
import Files
import TestSupport
import Testing

@testable import People

/// Ends a writer and takes all that it has, piece by piece.
func rest(of writer: inout PersonWriter) throws(StreamError) -> (bytes: [UInt8], pieces: [Int], diagnostics: [Diagnostic]) {
  try writer.finish()
  var bytes: [UInt8] = []
  var pieces: [Int] = []
  var diagnostics = writer.diagnostics
  while true {
    let piece = try writer.takeBytes()
    diagnostics += writer.diagnostics
    if piece.isEmpty { return (bytes, pieces, diagnostics) }
    bytes += piece
    pieces.append(piece.count)
  }
}

/// The smallest GIF.
private let picture = Media(bytes: Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B], mediaType: "image/gif")

@Suite struct PersonWriterTests {
  private static func text(
    _ people: [Person], _ format: ContactFormat, columns: [FieldPath] = [], photos: Bool? = nil
  ) throws -> String {
    var writer = PersonWriter(format, columns: columns, photos: photos)
    for person in people { try writer.write(person) }
    return String(decoding: try rest(of: &writer).bytes, as: UTF8.self)
  }

  private static func person(_ name: String) -> Person {
    var person = Person()
    person.fullName = name
    return person
  }

  @Test func writesWhatStandsAround() throws {
    #expect(try Self.text([], .json) == "[]\n")
    #expect(try Self.text([], .vcard4) == "")
    #expect(try Self.text([], .jcard) == "[]\n")
    #expect(try Self.text([Self.person("A"), Self.person("B")], .json) == "[\n{\"fullName\":\"A\"},\n{\"fullName\":\"B\"}\n]\n")
    #expect(try Self.text([Self.person("A"), Self.person("B")], .jsonl) == "{\"fullName\":\"A\"}\n{\"fullName\":\"B\"}\n")
    let xml = try Self.text([Self.person("A")], .xcard)
    #expect(xml.hasPrefix("<?xml") && xml.hasSuffix("</vcards>\n"))
    let person = Self.person("A")
    for (format, version) in [(ContactFormat.vcard21, CardVersion.v21), (.vcard3, .v30), (.vcard4, .v40)] {
      #expect(try Self.text([person, person], format) == person.vCard(version) + person.vCard(version))
    }
  }

  /// The columns are those that some contact needs, even the last one.
  @Test func writesTheColumnsThatContactsNeed() throws {
    var second = Self.person("B")
    second.emails = [Labeled("b@example.com")]
    #expect(try Self.text([Self.person("A"), second], .csv) == "fullName,emails.1.value\r\nA,\r\nB,b@example.com\r\n")
    #expect(try Self.text([Self.person("A"), second], .tsv) == "fullName\temails.1.value\r\nA\t\r\nB\tb@example.com\r\n")
    #expect(try Self.text([Self.person("A")], .csvLong).split(separator: "\r\n").count == 2)
  }

  @Test func writesNamedColumns() throws {
    var person = Self.person("A")
    person.emails = [Labeled("a@example.com", .work)]
    person.notes = [Labeled("not asked for")]
    let columns = ["emails.work", "fullName"].compactMap { FieldPath($0) }
    var writer = PersonWriter(.csv, columns: columns)
    try writer.write(person)
    // Nothing waits for other contacts.
    #expect(String(decoding: try writer.takeBytes(), as: UTF8.self) == "emails.work,fullName\r\na@example.com,A\r\n")
    #expect(try rest(of: &writer).bytes.isEmpty)
  }

  @Test func leavesPicturesOutOfTables() throws {
    var person = Self.person("A")
    person.photos = [Labeled(picture)]
    #expect(try Self.text([person], .csv) == "fullName\r\nA\r\n")
    #expect(try Self.text([person], .csv, photos: true).contains("R0lGODlh"))
    #expect(!(try Self.text([person], .json, photos: false).contains("R0lGODlh")))
    var writer = PersonWriter(.csv)
    try writer.write(person)
    #expect(try rest(of: &writer).diagnostics.map(\.rule.id) == ["photos-left-out"])
  }

  /// What the writer adds or changes is told with the person it is about, once.
  @Test func tellsWhatItChanged() throws {
    var nameless = Person()
    nameless.emails = [Labeled("a@example.com")]
    var writer = PersonWriter(.vcard4)
    try writer.write(nameless)
    #expect(writer.diagnostics.map(\.property) == ["FN"])
    try writer.write(Self.person("B"))
    #expect(writer.diagnostics.isEmpty && writer.count == 2)
  }

  @Test(arguments: ContactFormat.allCases) func writesFiles(_ format: ContactFormat) async throws {
    let bytes = try PersonReaderTests.bytes(format)
    try withFolder(inMemory: true) { folder in
      let path = folder.file("out")
      try writeFile(path, "old")
      var writer = try PersonWriter(to: path.text, format)
      for person in PersonReaderTests.people { try writer.write(person) }
      #expect(try writer.takeBytes().isEmpty)
      #expect(try readFile(path) == "old")
      try writer.finish()
      try writer.finish()
      #expect(try readFile(path) == String(decoding: bytes, as: UTF8.self))
      #expect(try names(in: folder) == ["out"])
    }
  }

  @Test func takesTheFormatFromTheName() throws {
    try withFolder(inMemory: true) { folder in
      for (name, format) in [("a.vcf", ContactFormat.vcard4), ("a.JSON", .json), ("a.ndjson", .jsonl), ("a.csv", .csv), ("a", .vcard4)] {
        let writer = try PersonWriter(to: folder.file(name).text)
        #expect(writer.format == format, "\(name)")
      }
      #expect(try names(in: folder) == [])
    }
  }

  /// A writer that is given up leaves the old file, and nothing else.
  @Test(arguments: [ContactFormat.vcard4, .csv]) func leavesTheOldFile(_ format: ContactFormat) throws {
    try withFolder(inMemory: true) { folder in
      try writeFile(folder.file("a"), "old")
      do {
        var writer = try PersonWriter(to: folder.file("a").text, format)
        for _ in 0..<3 { try writer.write(Self.person(String(repeating: "x", count: 100_000))) }
        #expect(try names(in: folder).count == 2)
      }
      #expect(try names(in: folder) == ["a"])
      #expect(try readFile(folder.file("a")) == "old")
    }
  }

  @Test func saysWhichFileCannotBeWritten() {
    #expect(throws: StreamError(path: "/nowhere/a.vcf", errno: 2)) { _ = try PersonWriter(to: "/nowhere/a.vcf") }
    #expect(throws: StreamError.self) { _ = try PersonWriter(to: "/tmp") }
  }

  /// What failed once stays failed: a file without its middle is not finished.
  @Test(.enabled(if: Checkout.has("/dev/full"))) func failsForGood() throws {
    var writer = try PersonWriter(to: "/dev/full", .jsonl)
    var failures = 0
    for _ in 0..<3 {
      do { try writer.write(Self.person(String(repeating: "x", count: 100_000))) } catch { failures += 1 }
    }
    #expect(failures == 3 && writer.count == 0)
    do {
      try writer.finish()
      Issue.record("finish did not fail")
    } catch {
      #expect(error.path == "/dev/full")
    }
  }

  /// Bytes go to the file as they come, and the rows of a table come in pieces, however many there are.
  @Test func holdsNoMoreThanAPiece() throws {
    let name = String(repeating: "x", count: 1000)
    try withFolder(inMemory: true) { folder in
      var writer = try PersonWriter(to: folder.file("a.jsonl").text)
      for count in 1...400 {
        try writer.write(Self.person(name))
        guard count % 100 == 0, let hidden = try names(in: folder).first else { continue }
        let size = try FileSystem.status(folder.file(hidden))?.size ?? 0
        #expect(size >= count * 1000 - (1 << 16) && size <= count * 1020)
      }
      try writer.finish()
    }
    var table = PersonWriter(.csv)
    for _ in 0..<2000 { try table.write(Self.person(name)) }
    #expect(try table.takeBytes().isEmpty)
    let (bytes, pieces, _) = try rest(of: &table)
    #expect(bytes.count == "fullName\r\n".utf8.count + 2000 * 1002)
    // A piece is what one piece of the waiting records becomes.
    #expect(pieces.count >= 2000 * 1000 / InputStream.chunkSize && pieces.allSatisfy { $0 <= InputStream.chunkSize + 2000 })
  }

  /// From a file to a file, person by person, as the README shows it.
  @Test func convertsAFile() async throws {
    let sample = Checkout.root + "/samples/ios.vcf"
    try await withFolder(inMemory: true) { folder in
      var out = try PersonWriter(to: folder.file("contacts.json").text)
      for try await person in PersonReader(sample) { try out.write(person) }
      try out.finish()
      let (again, _) = try await readAll(PersonReader(folder.file("contacts.json").text))
      #expect(again == Array(Persons(try sampleBytes("ios"))))
      #expect(again.count == 4)
    }
  }
}
