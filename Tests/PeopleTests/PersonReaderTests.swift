// Persons come out of files and bytes of any format, piece by piece; what goes wrong is told.
import Bytes
import CardSyntax
import Files
import TestSupport
import Testing

@testable import People

/// All persons of a reader, and all that was found.
func readAll(_ reader: PersonReader) async throws(StreamError) -> (persons: [Person], diagnostics: [Diagnostic]) {
  let iterator = reader.makeAsyncIterator()
  var persons: [Person] = []
  var diagnostics: [Diagnostic] = []
  while true {
    let person = try await iterator.next()
    diagnostics += iterator.diagnostics
    guard let person else { return (persons, diagnostics) }
    persons.append(person)
  }
}

/// A card for each number, so large that a piece holds some of them.
private func cards(_ count: Int) -> String {
  (0..<count).map { "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Person \($0)\r\nNOTE:\(String(repeating: "x", count: 20_000))\r\nEND:VCARD\r\n" }
    .joined()
}

@Suite struct PersonReaderTests {
  static let people: [Person] = ["Mira Okafor", "Jonas Brandt"].map { name in
    var person = Person()
    person.fullName = name
    person.emails = [Labeled(name.prefix(1).lowercased() + "@example.com", .work)]
    return person
  }

  /// The two people in a format.
  static func bytes(_ format: ContactFormat) throws -> [UInt8] {
    var writer = PersonWriter(format)
    for person in people { try writer.write(person) }
    return try rest(of: &writer).bytes
  }

  /// A download's name says nothing: there the bytes tell the format.
  @Test(arguments: ContactFormat.allCases) func tellsTheFormatByItself(_ format: ContactFormat) async throws {
    let bytes = try Self.bytes(format)
    let names = Self.people.map(\.fullName)
    try await withFolder { folder in
      for name in ["download"] + format.fileExtensions.map({ "contacts." + $0.uppercased() }) {
        try writeFile(folder.file(name), String(decoding: bytes, as: UTF8.self))
        let (persons, diagnostics) = try await readAll(PersonReader(folder.file(name).text))
        #expect(persons.map(\.fullName) == names, "\(name)")
        #expect(persons.map { $0.emails.first?.value } == ["m@example.com", "j@example.com"], "\(name)")
        #expect(!diagnostics.contains { $0.severity > .info }, "\(name)")
      }
    }
    #expect(Persons(bytes).map(\.fullName) == names)
    #expect(Persons(bytes, format: format).map(\.fullName) == names)
    #expect(try await readAll(PersonReader(bytes: bytes)).persons == Array(Persons(bytes)))
  }

  /// A header that nobody knows tells nothing; then the name says it, or the caller does.
  @Test func takesTheCallersWordForTheFormat() async throws {
    let text = "colour,FN\nred,Mira Okafor\n"
    #expect(Array(Persons(text)).isEmpty)
    #expect(Persons(text, format: .csv).map(\.fullName) == ["Mira Okafor"])
    try await withFolder { folder in
      try writeFile(folder.file("a.csv"), text)
      #expect(try await readAll(PersonReader(folder.file("a.csv").text)).persons.map(\.fullName) == ["Mira Okafor"])
    }
  }

  @Test func takesANamedEncoding() async throws {
    // 0xB1 is `ą` in ISO 8859-2, and `±` in Windows-1252, which is what unnamed bytes are taken for.
    let bytes = Array("BEGIN:VCARD\nVERSION:3.0\nFN:Wr".utf8) + [0xB1] + Array("cz\nEND:VCARD\n".utf8)
    #expect(Persons(bytes, encoding: "iso-8859-2").map(\.fullName) == ["Wrącz"])
    #expect(Persons(bytes).map(\.fullName) == ["Wr±cz"])
    #expect(try await readAll(PersonReader(bytes: bytes, encoding: "iso-8859-2")).persons.first?.fullName == "Wrącz")
    let json = Array(#"[{"fullName":"Wr"#.utf8) + [0xB1] + Array(#"cz"}]"#.utf8)
    #expect(Persons(json, encoding: "iso-8859-2").map(\.fullName) == ["Wrącz"])
    let iterator = Persons(bytes, encoding: "klingon").makeIterator()
    #expect(iterator.next()?.fullName == "Wr±cz")
    #expect(iterator.diagnostics.contains { $0.rule.id == "charset-wrong" && $0.message.contains("'klingon'") })
  }

  /// UTF-16, as some shells write it, with a byte order mark and without; in pieces of any size.
  @Test(arguments: [ContactFormat.json, .jsonl, .jcard, .vcard4, .csv]) func readsUTF16(_ format: ContactFormat) throws {
    let units = String(decoding: try Self.bytes(format), as: UTF8.self).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for bytes in [units, [0xFF, 0xFE] + units] {
      let iterator = Persons(bytes).makeIterator()
      var names: [String?] = []
      var rules: [String] = []
      while let person = iterator.next() {
        names.append(person.fullName)
        rules += iterator.diagnostics.map(\.rule.id)
      }
      #expect(names == Self.people.map(\.fullName))
      #expect((rules + iterator.diagnostics.map(\.rule.id)).filter { $0 != "charset-transcoded" } == [])
    }
  }

  /// A card without an end costs no other card, a broken record no other record; each finding comes with the person that it is about.
  @Test func readsWhatIsDamaged() async throws {
    let card = "BEGIN:VCARD\nVERSION:4.0\nFN:Mira\nno colon here\nBEGIN:VCARD\nVERSION:4.0\nFN:Jonas\nEND:VCARD\n"
    let iterator = PersonReader(bytes: card.utf8).makeAsyncIterator()
    #expect(try await iterator.next()?.fullName == "Mira\nno colon here")
    #expect(Set(iterator.diagnostics.map(\.rule.id)).isSuperset(of: ["missing-colon", "missing-end"]))
    #expect(try await iterator.next()?.fullName == "Jonas")
    #expect(iterator.diagnostics == [])
    #expect(try await iterator.next() == nil)
    #expect(iterator.format == .vcard4)
    let json = try await readAll(PersonReader(bytes: #"[{"fullName":"Mira"},{"fullName":,{"fullName":"Jonas"}]"#.utf8))
    #expect(json.persons.first?.fullName == "Mira")
    #expect(json.diagnostics.contains { $0.severity == .error && $0.leftOut })
  }

  @Test func saysWhichFileIsMissing() async throws {
    let iterator = PersonReader("/nowhere/contacts.vcf").makeAsyncIterator()
    do throws(StreamError) {
      _ = try await iterator.next()
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.path == "/nowhere/contacts.vcf" && error.message == "/nowhere/contacts.vcf: No such file or directory")
      #expect(!error.isCancellation)
    }
    #expect(try await iterator.next() == nil)
    await #expect(throws: StreamError.self) { try await readAll(PersonReader("/tmp")) }
    // Not stdin, which would be at its end, or wait.
    await #expect(throws: StreamError(path: "-", errno: 2)) { try await readAll(PersonReader("-")) }
  }

  /// Half of a file is not taken for all of it.
  @Test func tellsThatItWasCancelled() async throws {
    let bytes = Array(cards(3).utf8)
    let (begun, signal) = AsyncStream.makeStream(of: Void.self)
    let task = Task { () async -> (Int, StreamError?) in
      var count = 0
      do throws(StreamError) {
        for try await _ in PersonReader(bytes: bytes) {
          count += 1
          signal.finish()
          while !Task.isCancelled { await Task.yield() }
        }
        return (count, nil)
      } catch {
        return (count, error)
      }
    }
    for await _ in begun {}
    task.cancel()
    let (count, error) = await task.value
    #expect(count == 1)
    #expect(error?.isCancellation == true)
  }

  /// No piece is read before all persons of the ones before it have been given.
  @Test func readsNoMoreThanItNeeds() async throws {
    let text = cards(64)
    let size = text.utf8.count / 64
    try await withFolder { folder in
      try writeFile(folder.file("large.vcf"), text)
      let iterator = PersonReader(folder.file("large.vcf").text).makeAsyncIterator()
      var number = 0
      while let person = try await iterator.next() {
        #expect(person.fullName == "Person \(number)")
        number += 1
        // Cards differ by a digit in size; the next piece may have been needed to see a card's end.
        let needed = number * size / InputStream.chunkSize + 1
        #expect(iterator.piecesRead <= needed + 1 && iterator.piecesRead * InputStream.chunkSize >= (number - 1) * size)
      }
      #expect(number == 64 && iterator.piecesRead == (text.utf8.count + InputStream.chunkSize - 1) / InputStream.chunkSize)
    }
  }

  /// A loop begins anew, and an actor's loop stays on it.
  @MainActor @Test func loopsAgainOnAnActor() async throws {
    let reader = PersonReader(bytes: try Self.bytes(.jsonl))
    var names: [String?] = []
    for _ in 0..<2 {
      for try await person in reader {
        MainActor.assertIsolated()
        names.append(person.fullName)
      }
    }
    #expect(names == Self.people.map(\.fullName) + Self.people.map(\.fullName))
  }
}
