// `filter`: who is kept, and that it is kept byte for byte.
import Files
import TestSupport
import Testing

@testable import vcard

@Suite struct FilterTests {
  static let cards = [
    oddCard("Ann", "EMAIL;TYPE=work:ann@example.com\nBDAY:1979-04-14\n"), oddCard("Bo", "email:bo@example.net\nTEL;type=CELL:555-0101\n"),
    oddCard("Cy", "BDAY:1999-01-02\n", lineBreak: "\n"),
  ]

  @Test(arguments: [
    ("--has email", [0, 1]), ("--lacks email", [2]), ("--has emails.work,birthday", [0]), ("--where emails=*@example.net", [1]),
    ("--where birthday<1980", [0]), ("--where birthday>1980", [2]), ("--has email --has phone", [1]),
    ("--has email --has birthday --any", [0, 1, 2]),
    ("--has email --not", [2]), ("--has birthday --has email --not", [1, 2]), ("--where fullName~^[AB]", [0, 1]),
  ])
  func keepsWhoMatches(_ options: String, _ wanted: [Int]) throws {
    try withFolder { folder in
      try writeFile(folder.file("a.vcf"), Self.cards.joined(separator: "\n"))
      #expect(run("filter \(options) %/a.vcf -o %/b.vcf", in: folder) == 0)
      #expect(try readFile(folder.file("b.vcf")) == wanted.map { Self.cards[$0] }.joined())
    }
  }

  @Test func keepsTheInputsFormat() throws {
    try withFolder { folder in
      let lines = [#"{"fullName":"Ann","notes":["x"]}"#, #"{"fullName":"Bo"}"#]
      try writeFile(folder.file("a.jsonl"), lines.joined(separator: "\n"))
      #expect(run("filter --has note %/a.jsonl -o %/b", in: folder) == 0)
      #expect(try readFile(folder.file("b")) == lines[0] + "\n")
      #expect(run("filter --lacks note %/a.jsonl -o %/b.json", in: folder) == 0)
      #expect(try readFile(folder.file("b.json")) == "[\n" + lines[1] + "\n]\n")
      #expect(run("filter --lacks note %/a.jsonl -o %/b.vcf -t vcard3", in: folder) == 0)
      #expect(try readFile(folder.file("b.vcf")) == "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Bo\r\nN:;;;;\r\nEND:VCARD\r\n")
      #expect(run("filter --lacks note %/a.jsonl -o %/c.vcf", in: folder) == 0)
      #expect(try readFile(folder.file("c.vcf")).hasPrefix("BEGIN:VCARD\r\nVERSION:4.0"))
    }
  }

  @Test func replacesFiles() throws {
    try withFolder { folder in
      try writeFile(folder.file("a.vcf"), Self.cards.joined(separator: "\r\n"))
      try writeFile(folder.file("b.vcf"), Self.cards[0])
      let untouched = try FileSystem.status(folder.file("b.vcf"))?.inode
      #expect(run("filter -n -i --has email %", in: folder) == 0)
      #expect(try readFile(folder.file("a.vcf")) == Self.cards.joined(separator: "\r\n"))
      #expect(run("filter -i --backup .old --has email %", in: folder) == 0)
      #expect(try readFile(folder.file("a.vcf")) == Self.cards[0] + Self.cards[1])
      #expect(try readFile(folder.file("a.vcf.old")) == Self.cards.joined(separator: "\r\n"))
      #expect(try FileSystem.status(folder.file("b.vcf"))?.inode == untouched)
      #expect(try names(in: folder) == ["a.vcf", "a.vcf.old", "b.vcf"])
    }
  }

  @Test func tellsWhenNobodyMatches() throws {
    try withFolder { folder in
      try writeFile(folder.file("a.vcf"), Self.cards.joined())
      #expect(run("filter --has photo %/a.vcf -o %/b.vcf", in: folder) == 1)
      #expect(try readFile(folder.file("b.vcf")) == "")
      #expect(run("filter --has photo -t json %/a.vcf -o %/b.json", in: folder) == 1)
      #expect(try readFile(folder.file("b.json")) == "[]\n")
      for wrong in ["", "--not", "--has nobody", "--where fullName", "--where birthday<soon"] {
        #expect(run("filter \(wrong) %/a.vcf -o %/c.vcf", in: folder) == 2)
      }
    }
  }
}

/// A table comes out of every verb as a table, with the columns that its contacts need.
@Suite struct TableOutputTests {
  static let text = "fullName,emails.1.value,categories,notes.1.value\r\nAnn,ann@example.com,a; b,x\r\nBo,,a,\r\n"

  @Test func copiesTables() throws {
    try withFolder { folder in
      try writeFile(folder.file("a.csv"), Self.text)
      let out = folder.file("b.csv")
      #expect(run("filter --lacks email %/a.csv -o %/b.csv", in: folder) == 0)
      #expect(try readFile(out) == "fullName,categories\r\nBo,a\r\n")
      #expect(run("edit --set phones.work=1 --where fullName=Bo %/a.csv -o %/b.csv", in: folder) == 0)
      #expect(try readFile(out).hasPrefix("fullName,phones.1.value,phones.1.labels,emails.1.value,"))
      #expect(try readFile(out).split(separator: "\r\n").count == 3)
      #expect(run("join %/a.csv %/a.csv -o %/b.csv", in: folder) == 0)
      #expect(try readFile(out).split(separator: "\r\n").count == 5)
      #expect(run("filter --has nickname %/a.csv -o %/b.csv", in: folder) == 1)
      #expect(run("split %/a.csv -o %/s", in: folder) == 0)
      #expect(try readFile(folder.file("s/Bo.csv")) == "fullName,categories\r\nBo,a\r\n")
      #expect(run("split --by categories %/a.csv -o %/c", in: folder) == 0)
      #expect(try readFile(folder.file("c/a.csv")).split(separator: "\r\n").count == 3)
      #expect(run("split --count 2 -t tsv %/a.csv -o %/n", in: folder) == 0)
      #expect(try readFile(folder.file("n/contacts-0001.tsv")).hasPrefix("fullName\temails.1.value"))
      #expect(run("edit -i --set note=z %/a.csv", in: folder) == 2)
      #expect(try readFile(folder.file("a.csv")) == Self.text)
    }
  }

  /// Pictures are left out where a table is asked for, and no column is there for them; a table that came with them keeps them.
  @Test func makesNoColumnsForPicturesThatAreLeftOut() throws {
    try withFolder { folder in
      let person = #"{"fullName":"Ann","photos":[{"mediaType":"image/gif","data":"R0lGODdhAQABAAAAACw="}]}"#
      try writeFile(folder.file("a.jsonl"), person)
      #expect(run("filter --has photo %/a.jsonl -t csv -o %/b.csv", in: folder) == 0)
      #expect(try readFile(folder.file("b.csv")) == "fullName\r\nAnn\r\n")
      let table = "fullName,photos.1.mediaType,photos.1.data\r\nAnn,image/gif,R0lGODdhAQABAAAAACw=\r\n"
      try writeFile(folder.file("a.csv"), table)
      #expect(run("filter --has photo %/a.csv -o %/c", in: folder) == 0)
      #expect(try readFile(folder.file("c")) == table)
    }
  }
}
