// The verb normalize: one output, folders mirrored, files in place, and what is wrong usage.
import Bytes
import Files
import TestSupport
import Testing

@testable import vcard

private let rough = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Mira\r\nN:;Mira;;;\r\nTEL:+44 7700 900123\r\nEND:VCARD\r\n"
private let clean = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Mira\r\nN:;Mira;;;\r\nTEL:+447700900123\r\nEND:VCARD\r\n"

/// Runs a command line.
private func run(_ arguments: FilePath...) -> Int32 { Main.run(arguments) }

@Suite struct NormalizeTests {
  @Test func mirrorsFolders() throws {
    try withFolder { folder in
      let (input, output) = (folder.appending(Array("in".utf8)), folder.appending(Array("out/".utf8)))
      try FileSystem.makeFolders(input.appending(Array("deep".utf8)))
      try writeFile(input.appending(Array("a.vcf".utf8)), rough)
      try writeFile(input.appending(Array("deep/b.vcard".utf8)), rough)
      #expect(run("normalize", "-q", input, "-o", output) == 0)
      #expect(try readFile(output.appending(Array("a.vcf".utf8))) == clean)
      #expect(try readFile(output.appending(Array("deep/b.vcf".utf8))) == clean)
      #expect(try readFile(input.appending(Array("a.vcf".utf8))) == rough)
    }
  }

  @Test func refusesTwoInputsForOneName() throws {
    try withFolder { folder in
      let (a, b) = (folder.appending(Array("a.vcf".utf8)), folder.appending(Array("a.vcard".utf8)))
      try writeFile(a, rough)
      try writeFile(b, rough)
      let output = folder.appending(Array("out/".utf8))
      #expect(run("normalize", "-q", a, b, "-o", output) == 2)
      #expect(try FileSystem.status(output) == nil)
    }
  }

  @Test func replacesFilesAndKeepsTheOldOnes() throws {
    try withFolder { folder in
      let file = folder.appending(Array("a.vcf".utf8))
      try writeFile(file, rough)
      #expect(run("normalize", "-q", "-n", "-i", file) == 0)
      #expect(try readFile(file) == rough)
      #expect(run("normalize", "-q", "-i", "--backup", ".old", file) == 0)
      #expect(try readFile(file) == clean)
      #expect(try readFile(FilePath(bytes: file.bytes + Array(".old".utf8))) == rough)
    }
  }

  @Test func readsOtherFormats() throws {
    try withFolder { folder in
      let (file, output) = (folder.appending(Array("a.json".utf8)), folder.appending(Array("a.vcf".utf8)))
      try writeFile(file, #"[{"fullName":"Mira","name":{"given":"Mira"},"phones":["+44 7700 900123"]}]"#)
      #expect(run("normalize", "-q", "-t", "vcard3", file, "-o", output) == 0)
      #expect(try readFile(output) == clean)
      #expect(run("normalize", "-q", "-i", file) == 2)
      #expect(run("normalize", "-q", output, "-o", file) == 2)
    }
  }

  @Test func choosesSteps() throws {
    try withFolder { folder in
      let (file, output) = (folder.appending(Array("a.vcf".utf8)), folder.appending(Array("b.vcf".utf8)))
      try writeFile(file, rough)
      #expect(run("normalize", "-q", "--skip", "phones", file, "-o", output) == 0)
      #expect(try readFile(output) == rough)
      #expect(run("normalize", "-q", "--only", "order,emails", file, "-o", output) == 0)
      #expect(try readFile(output) == rough)
      #expect(run("normalize", "-q", "--only", "phones", "--with", "uid", file, "-o", output) == 0)
      #expect(try readFile(output).contains("UID:urn:uuid:"))
    }
  }

  @Test(arguments: [
    ["--only", "phone"], ["--with", "nothing"], ["--groups", "cards"], ["--region", "ZZ"], ["--to", "vcard3", "--skip", "version"],
  ])
  func refusesWhatMakesNoSense(arguments: [String]) throws {
    try withFolder { folder in
      let file = folder.appending(Array("a.vcf".utf8))
      try writeFile(file, rough)
      #expect(Main.run(["normalize", "-q"] + arguments.map { FilePath($0) } + [file]) == 2)
    }
  }

  @Test func writesGroupCardsBehindTheirFirstMember() throws {
    try withFolder { folder in
      let (a, b) = (folder.appending(Array("a.vcf".utf8)), folder.appending(Array("b.vcf".utf8)))
      try writeFile(a, rough.replacing("TEL:", with: "CATEGORIES:Choir\r\nTEL:"))
      try writeFile(b, rough.replacing("TEL:", with: "CATEGORIES:Choir\r\nTEL:1").replacing("Mira", with: "Sam"))
      #expect(run("normalize", "-q", "--with", "groups", "--groups", "cards", "-i", a, b) == 0)
      let (first, second) = (try readFile(a), try readFile(b))
      #expect(first.split(separator: "\r\n").count { $0.hasPrefix("X-ADDRESSBOOKSERVER-MEMBER:") } == 2)
      #expect(!second.contains("group") && !second.contains("CATEGORIES"))
    }
  }
}
