// The README's examples of the library compile, line for line as they stand there.
import CardSyntax
import People
import TestSupport
import Testing

/// The examples. They name files that are not here, so the tests of readers and writers run their like.
private enum Examples {
  static func files() async throws(StreamError) {
    var out = try PersonWriter(to: "contacts.json")
    for try await var person in PersonReader("contacts.vcf") {
      print(person.fullName ?? "(no name)", person.emails.first?.value ?? "-")
      for address in person.addresses[.work] { print("  at work:", address.city) }
      if let photo = person.photos.first?.value { print("  photo:", photo.mediaType, photo.bytes.count) }
      person.phones.append(Labeled("+1 206 555 0100", .work, .mobile))
      try out.write(person)
    }
    try out.finish()
  }

  static func findings() async throws {
    let people = PersonReader("contacts.vcf").makeAsyncIterator()
    while let person = try await people.next() {
      for finding in people.diagnostics { print(person.fullName ?? "", finding.line ?? 0, finding.message) }
    }
  }

  static func bytes(_ bytes: [UInt8], send: ([UInt8]) -> Void) throws {
    var table = PersonWriter(.csv)
    for person in Persons(bytes) {
      print(person.vCard(.v30), person.json)
      try table.write(person)
    }
    try table.finish()
    while case let piece = try table.takeBytes(), !piece.isEmpty { send(piece) }
  }

  static func cards(_ bytes: [UInt8]) {
    for card in Cards(bytes) {
      print(card["FN"].first?.value ?? "", card.diagnostics.count)
    }
  }
}

@Suite struct ReadmeExampleTests {
  /// The lines of a text, indents left out, each ended.
  private static func lines(_ text: some StringProtocol) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } + "\n" }.joined()
  }

  @Test func examplesCompile() throws {
    let compiled = Self.lines(try Checkout.text("Tests/PeopleTests/ReadmeExampleTests.swift"))
    let blocks = try Checkout.text("README.md").split(separator: "```swift\nimport ").dropFirst()
    #expect(blocks.count == 4)
    for block in blocks {
      // The first line is the rest of the import.
      let code = block.prefix(upTo: block.firstRange(of: "\n```")?.lowerBound ?? block.endIndex).drop { $0 != "\n" }
      #expect(compiled.contains(Self.lines(code)), "\(code)")
    }
  }

  /// The one that needs no file runs.
  @Test func writesATable() throws {
    var sent: [UInt8] = []
    try Examples.bytes(Array("BEGIN:VCARD\nVERSION:4.0\nFN:Mira Okafor\nEND:VCARD\n".utf8)) { sent += $0 }
    #expect(String(decoding: sent, as: UTF8.self) == "version,fullName\r\n4.0,Mira Okafor\r\n")
  }
}
