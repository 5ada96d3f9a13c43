// `edit`: what stands around the edited lines stays, files that do not change are left alone.
import Files
import TestSupport
import Testing

@testable import vcard

@Suite struct EditVerbTests {
  @Test func keepsEverythingElse() throws {
    try withFolder { folder in
      let parts = ["\u{FEFF}\r\n", oddCard("Ann", "NOTE:old\n"), "junk between\r\n\r\n", oddCard("Bo", lineBreak: "\n"), "\n\nafter"]
      let text = parts.joined()
      try writeFile(folder.file("a.vcf"), text)
      #expect(run("edit --set unclaimed.X-EMPTY=full --where fullName=Ann %/a.vcf -o %/b.vcf", in: folder) == 0)
      let wanted = text.split(separator: "junk", maxSplits: 1)
      #expect(try readFile(folder.file("b.vcf")) == wanted[0].replacing("X-Empty:", with: "X-Empty:full") + "junk" + wanted[1])
      #expect(run("edit --remove note.3 -t json %/a.vcf -o %/b.json", in: folder) == 0)
      #expect(try readFile(folder.file("b.json")).split(separator: "\n").count == 4)
      #expect(run("edit --remove notes %/a.vcf -t jsonl -o %/b.jsonl", in: folder) == 0)
      #expect(try !readFile(folder.file("b.jsonl")).contains("notes"))
      #expect(run("edit --set note=x %/b.jsonl -o %/c.jsonl", in: folder) == 0)
      #expect(try readFile(folder.file("c.jsonl")).split(separator: "\n").count(where: { $0.contains(#""notes":[{"value":"x"}]"#) }) == 2)
      // Several files: each begins on a line of its own, with one byte order mark at most.
      #expect(run("edit --remove photos %/a.vcf %/a.vcf -o %/two.vcf", in: folder) == 0)
      #expect(try readFile(folder.file("two.vcf")) == text + "\r\n" + text.dropFirst())
    }
  }

  @Test func replacesOnlyWhatChanges() throws {
    try withFolder { folder in
      for name in ["a.vcf", "b.vcf"] { try writeFile(folder.file(name), oddCard(name)) }
      let before = try FileSystem.status(folder.file("b.vcf"))?.inode
      #expect(
        try Finished("edit -n -i --set note=x --where fullName=a.vcf %", in: folder).errors == "would write \(folder.file("a.vcf"))\n")
      #expect(run("edit -i --backup ~ --set note=x --where fullName=a.vcf %", in: folder) == 0)
      #expect(try readFile(folder.file("a.vcf")) == oddCard("a.vcf").replacing("NOTE:fold\r\n ed", with: "NOTE:x"))
      #expect(try readFile(folder.file("a.vcf~")) == oddCard("a.vcf"))
      #expect(try FileSystem.status(folder.file("b.vcf"))?.inode == before)
      #expect(run("edit %/a.vcf -o %/c.vcf", in: folder) == 2)
      #expect(run("edit --set note -o %/c.vcf %/a.vcf", in: folder) == 2)
      #expect(run("edit --remove nothing -o %/c.vcf %/a.vcf", in: folder) == 2)
      #expect(try names(in: folder) == ["a.vcf", "a.vcf~", "b.vcf"])
    }
  }
}
