// `split` and `join`: each card in the right file, byte for byte, and nothing outside the folder.
import Bytes
import Files
import TestSupport
import Testing

@testable import vcard

@Suite struct SplitJoinTests {
  @Test func splitsByteForByte() throws {
    try withFolder { folder in
      let cards = [oddCard("Mira"), oddCard("mira", lineBreak: "\n"), oddCard("../up", "TEL:555-0100\n")]
      try writeFile(folder.file("a.vcf"), cards.joined(separator: "\r\n"))
      #expect(run("split %/a.vcf -o %/deep/out", in: folder) == 0)
      #expect(try names(in: folder) == ["a.vcf", "deep"])
      #expect(try names(in: folder.file("deep")) == ["out"])
      let out = folder.file("deep/out")
      #expect(try names(in: out) == ["Mira.vcf", "_up.vcf", "mira-2.vcf"])
      #expect(try readFile(out.file("Mira.vcf")) == cards[0])
      #expect(try readFile(out.file("mira-2.vcf")) == cards[1])
      #expect(try readFile(out.file("_up.vcf")) == cards[2])
      // What is there already is replaced; a link is not followed out of the folder.
      try writeFile(folder.file("victim"), "kept")
      FileSystem.remove(out.file("Mira.vcf"))
      makeLink(out.file("Mira.vcf"), to: "../../victim")
      #expect(run("split %/a.vcf -o %/deep/out", in: folder) == 0)
      #expect(try readFile(folder.file("victim")) == "kept")
      #expect(try readFile(out.file("Mira.vcf")) == cards[0])
    }
  }

  @Test func splitsInGroups() throws {
    try withFolder { folder in
      let cards = [
        oddCard("Ann Lee", "CATEGORIES:Choir,Crew\nORG:Tern & Vale\n"), oddCard("Bo", "CATEGORIES:crew\n"), oddCard("9 Lives"),
        oddCard("ann Zed", "ORG:tern & vale;Survey\n"),
      ]
      try writeFile(folder.file("a.vcf"), cards.joined())
      #expect(run("split --by categories %/a.vcf -o %/c", in: folder) == 0)
      #expect(try names(in: folder.file("c")) == ["Choir.vcf", "Crew.vcf", "uncategorized.vcf"])
      #expect(try readFile(folder.file("c/Crew.vcf")) == cards[0] + cards[1])
      #expect(try readFile(folder.file("c/uncategorized.vcf")) == cards[2] + cards[3])
      #expect(run("split --by organization %/a.vcf -o %/o", in: folder) == 0)
      #expect(try names(in: folder.file("o")) == ["Tern & Vale.vcf", "no organization.vcf"])
      #expect(try readFile(folder.file("o/Tern & Vale.vcf")) == cards[0] + cards[3])
      #expect(run("split --by initial %/a.vcf -o %/i", in: folder) == 0)
      #expect(try names(in: folder.file("i")) == ["0-9.vcf", "A.vcf", "B.vcf"])
      #expect(run("split --count 3 %/a.vcf -o %/n", in: folder) == 0)
      #expect(try names(in: folder.file("n")) == ["contacts-0001.vcf", "contacts-0002.vcf"])
      #expect(try readFile(folder.file("n/contacts-0002.vcf")) == cards[3])
      #expect(run("split --by categories -t jsonl %/a.vcf -o %/j", in: folder) == 0)
      #expect(try readFile(folder.file("j/Crew.jsonl")).split(separator: "\n").count == 2)
      #expect(run("split --by categories -n %/a.vcf -o %/none", in: folder) == 0)
      #expect(try FileSystem.status(folder.file("none")) == nil)
    }
  }

  @Test func splitsRecords() throws {
    try withFolder { folder in
      try writeFile(folder.file("a.json"), #"[{"fullName":"Ann","categories":["x"]},{"fullName":"Bo","categories":["x"]}]"#)
      #expect(run("split %/a.json -o %/out", in: folder) == 0)
      #expect(try readFile(folder.file("out/Ann.json")) == "[\n{\"fullName\":\"Ann\",\"categories\":[\"x\"]}\n]\n")
      #expect(run("split --by categories %/a.json -o %/by", in: folder) == 0)
      let both = "[\n{\"fullName\":\"Ann\",\"categories\":[\"x\"]},\n{\"fullName\":\"Bo\",\"categories\":[\"x\"]}\n]\n"
      #expect(try readFile(folder.file("by/x.json")) == both)
      #expect(run("split -t vcard4 %/a.json -o %/cards", in: folder) == 0)
      #expect(try readFile(folder.file("cards/Bo.vcf")) == "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Bo\r\nCATEGORIES:x\r\nEND:VCARD\r\n")
    }
  }

  @Test func refusesWhatMakesNoSense() throws {
    try withFolder { folder in
      try writeFile(folder.file("a.vcf"), oddCard("Ann"))
      #expect(run("split %/a.vcf", in: folder) == 2)
      #expect(run("split %/a.vcf -o -", in: folder) == 2)
      #expect(run("split %/a.vcf -o %/a.vcf", in: folder) == 2)
      #expect(run("split %/a.vcf --by initial --count 2 -o %/x", in: folder) == 2)
      #expect(run("join %/a.vcf -o %/", in: folder) == 2)
      try writeFile(folder.file("empty.vcf"), "\r\n")
      #expect(run("split %/empty.vcf -o %/x", in: folder) == 1)
    }
  }

  @Test func joinsByteForByte() throws {
    try withFolder { folder in
      let first = oddCard("Ann", "UID:urn:uuid:4FBE8971-0BC3-424C-9C26-36C3E1EFF6B1\n")
      let second = oddCard("Bo", "UID:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1\n", lineBreak: "\n")
      try writeFile(folder.file("a.vcf"), "\u{FEFF}" + first.dropLast())
      try writeFile(folder.file("b.vcf"), second.replacing("END:VCARD\n", with: ""))
      try writeFile(folder.file("c.vcf"), oddCard("Cy"))
      #expect(run("join %/a.vcf %/b.vcf %/c.vcf -o %/all.vcf", in: folder) == 0)
      #expect(try readFile(folder.file("all.vcf")) == first + second + oddCard("Cy"))
      let told = try Finished("join %/a.vcf %/b.vcf -o %/all.vcf", in: folder).errors
      #expect(told.contains("b.vcf:1: warning: the UID") && told.contains("a.vcf:1, too; both are kept [repeated-uid]"))
      // The output may be one of the inputs, and formats may be mixed: the first one's is written.
      try writeFile(folder.file("d.json"), #"{"fullName":"Di"}"#)
      #expect(run("join %/c.vcf %/d.json -o %/c.vcf", in: folder) == 0)
      #expect(try readFile(folder.file("c.vcf")) == oddCard("Cy") + "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Di\r\nEND:VCARD\r\n")
      #expect(run("join %/c.vcf --fold off -o %/d.vcf", in: folder) == 0)
      #expect(try readFile(folder.file("d.vcf")).contains("VERSION:3.0\r\nFN:Cy\r\nN:;;;;\r\nNOTE:folded\r\n") == false)
      #expect(try readFile(folder.file("d.vcf")).contains("NOTE:folded\r\n"))
    }
  }
}
