// `dedupe` and `diff` from command line to files: what is copied, what is merged, what is told.
import Bytes
import Files
import TestSupport
import Testing

@testable import vcard

private let mira = "begin:vcard\nVersion:3.0\nN:Okafor;Mira;;;\nfn:Mira Okafor\nEMAIL:mira@example.com\nUID:m-1\nEND:VCARD\n"
private let again =
  "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:M. Okafor\r\nEMAIL:Mira@example.com\r\nTEL:+44 20 7946 0018\r\nUID:urn:uuid:m-2\r\nEND:VCARD\r\n"
private let crew =
  "BEGIN:VCARD\r\nVERSION:4.0\r\nKIND:group\r\nFN:Crew\r\nMEMBER:urn:uuid:m-2\r\nx-odd:\r\n  kept \r\nMEMBER:urn:uuid:b-1\r\nEND:VCARD\r\n"

@Suite struct DedupeTests {
  @Test func copiesWhatItDoesNotChange() throws {
    try withFolder { folder in
      let others = [oddCard("Bo"), oddCard("Cy", lineBreak: "\n"), oddCard("Open").replacing("END:VCARD\r\n", with: "")]
      try writeFile(folder.file("a.vcf"), others[0] + mira + "\r\n" + others[1])
      try writeFile(folder.file("b.vcf"), again + crew + others[2])
      #expect(run("dedupe %/a.vcf %/b.vcf -o %/all.vcf", in: folder) == 0)
      let text = try readFile(folder.file("all.vcf"))
      #expect(text.hasPrefix(others[0] + "BEGIN:VCARD\r\nVERSION:3.0\r\n"))
      #expect(text.hasSuffix(others[1] + crew.replacing("urn:uuid:m-2", with: "urn:uuid:m-1") + others[2] + "END:VCARD\r\n"))
      let merged = text.dropFirst(others[0].utf8.count).prefix { $0 != "X" }
      #expect(merged.contains("TEL:+44 20 7946 0018\r\n") && text.contains("\r\nX-OTHER-UID:urn:uuid:m-2\r\n"))
    }
  }

  @Test func thePlanIsTextOrJSON() throws {
    try withFolder { folder in
      try writeFile(folder.file("a.vcf"), mira + oddCard("Bo", "TEL:555-0100\n") + again + oddCard("Cy", "TEL:555 0100\n"))
      let plan = "{\"groups\": [[0, 2]], \"reasons\": [\"email\"], \"candidates\": [[1, 3]], \"candidateReasons\": [\"phone\"]}\n"
      let dry = try Finished("dedupe -n --report json %/a.vcf -o %/b.vcf", in: folder)
      #expect(dry.output == plan && dry.status == 0)
      #expect(try FileSystem.status(folder.file("b.vcf")) == nil)
      let wet = try Finished("dedupe --report json %/a.vcf", in: folder)
      #expect(wet.errors.hasSuffix(plan) && wet.errors.contains("\"rule\":\"merge-conflict\""))
      let text = try Finished("dedupe -n %/a.vcf", in: folder).output
      #expect(
        text.replacing(folder.text + "/", with: "") == """
          merge 0,2
            0 Mira Okafor (a.vcf:1)
            2 M. Okafor (a.vcf:17): same e-mail mira@example.com as 0
          candidate 1,3: same phone 5550100
            1 Bo (a.vcf:8)
            3 Cy (a.vcf:24)
          4 contacts, 3 people; 1 pair may be the same

          """)
      let candidates = try Finished("dedupe --candidates --report json %/a.vcf", in: folder)
      #expect(candidates.output == plan.replacing("[[0, 2]]", with: "[]").replacing("[\"email\"]", with: "[]"))
      #expect(try Finished("dedupe --by phone -n --report json %/a.vcf", in: folder).output.hasPrefix("{\"groups\": []"))
      let named = try Finished("dedupe --merge 1,3 -n --report json %/a.vcf", in: folder).output
      #expect(named == "{\"groups\": [[1, 3]], \"reasons\": [\"phone\"], \"candidates\": [], \"candidateReasons\": []}\n")
    }
  }

  @Test func otherFormatsAndInPlace() throws {
    try withFolder { folder in
      try writeFile(folder.file("a.vcf"), mira + again)
      let json = try Finished("dedupe -q -t jsonl %/a.vcf", in: folder).output
      #expect(json.hasPrefix("{\"version\":\"3.0\",\"uid\":\"m-1\",\"fullName\":\"Mira Okafor\"") && json.hasSuffix("}\n"))
      try writeFile(folder.file("c.jsonl"), json + "{\"fullName\":\"Mira Okafor\",\"emails\":[\"mira@example.com\"],\"uid\":\"m-3\"}\n")
      let both = try Finished("dedupe -q %/c.jsonl", in: folder).output
      #expect(both.split(separator: "\n").count == 1 && both.contains("m-3"))
      #expect(run("dedupe -i --backup .old %/a.vcf", in: folder) == 0)
      #expect(try readFile(folder.file("a.vcf.old")) == mira + again)
      #expect(try readFile(folder.file("a.vcf")).split(separator: "BEGIN:VCARD").count == 1)
      // Once deduplicated, there is nothing left to do.
      let once = try readFile(folder.file("a.vcf"))
      #expect(run("dedupe -i %/a.vcf", in: folder) == 0)
      #expect(try readFile(folder.file("a.vcf")) == once)
      #expect(try Finished("dedupe -q -t vcard4 %/a.vcf", in: folder).output.contains("\r\nVERSION:4.0\r\n"))
    }
  }

  @Test(arguments: [
    ("dedupe -i %/a.vcf %/a.vcf", 2), ("dedupe --merge 0,9 %/a.vcf", 2), ("dedupe --merge a %/a.vcf", 2), ("dedupe --by fax %/a.vcf", 2),
    ("dedupe --region XQ %/a.vcf", 2), ("dedupe --candidates --merge 0,1 %/a.vcf", 2), ("dedupe %/a.vcf -o %", 2), ("dedupe %/none.vcf", 1),
    ("diff %/a.vcf", 2), ("diff - -", 2), ("diff %/a.vcf %/a.vcf", 0), ("diff %/a.vcf %/none.vcf", 1), ("diff %/none.vcf %/none.vcf", 1),
  ])
  func statuses(_ line: String, _ status: Int32) throws {
    try withFolder { folder in
      try writeFile(folder.file("a.vcf"), mira + again)
      try writeFile(folder.file("none.vcf"), "")
      #expect(try Finished(line, in: folder).status == status)
    }
  }

  @Test func differencesAreTextOrJSON() throws {
    try withFolder { folder in
      try writeFile(folder.file("a.vcf"), mira + oddCard("Bo") + oddCard("Same", "REV:2020-01-01T00:00:00Z\n"))
      try writeFile(folder.file("b.vcf"), oddCard("Same", lineBreak: "\n") + oddCard("Cy") + again)
      let text = try Finished("diff %/a.vcf %/b.vcf", in: folder)
      #expect(text.status == 1)
      #expect(
        text.output.replacing(folder.text + "/", with: "") == """
          ~ M. Okafor (a.vcf:1, b.vcf:17)
              - uid: m-1
              + uid: urn:uuid:m-2
              - fullName: Mira Okafor
              + fullName: M. Okafor
              - name: Mira Okafor
              + phones: +44 20 7946 0018
              - emails: mira@example.com
              + emails: Mira@example.com
          - Bo (a.vcf:8)
          + Cy (b.vcf:9)

          """)
      let json = try Finished("diff --report json %/a.vcf %/b.vcf", in: folder).output.split(separator: "\n")
      #expect(json.count == 3)
      #expect(
        json[0].hasPrefix(
          "{\"change\":\"changed\",\"name\":\"M. Okafor\",\"left\":{\"file\":\"\(folder.text)/a.vcf\",\"line\":1,\"contact\":0},"))
      #expect(json[0].contains("{\"field\":\"uid\",\"left\":\"m-1\",\"right\":\"urn:uuid:m-2\"}"))
      #expect(json[0].hasSuffix("]}"))
      #expect(json[2].hasPrefix("{\"change\":\"added\",\"name\":\"Cy\",\"right\":{\"file\":"))
    }
  }
}
