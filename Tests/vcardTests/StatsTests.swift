// `stats`: the numbers, in both forms.
import TestSupport
import Testing

@testable import vcard

@Suite struct StatsTests {
  static let cards =
    "noise\r\n" + oddCard("Ann", "EMAIL:ann@example.com\nPRODID:-//Tern//EN\n") + oddCard("Bo", "EMAIL:\nEMAIL;PREF=x:bo@example.com\n")
    + "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Cy\r\nBDAY:soon\r\nPRODID:-//Tern//EN\r\nEND:VCARD\r\nBEGIN:VCARD\r\nFN:Di\r\nN:;;;;\r\nEND:VCARD\r\n"

  @Test func countsAsJSON() throws {
    try withFolder { folder in
      try writeFile(folder.file("a.vcf"), Self.cards)
      try writeFile(folder.file("b.jsonl"), #"{"version":"3.0","fullName":"Ed","emails":[],"notes":["x"]}"#)
      let run = try Finished("stats --report json %/a.vcf %/b.jsonl", in: folder)
      #expect(run.status == 1 && run.errors == "")
      #expect(
        run.output == """
          {"contacts":5,"versions":{"3.0":3,"4.0":1,"none":1},"producers":{"-//Tern//EN":2},\
          "fields":{"fullName":5,"birthday":1,"emails":2,"notes":3,"productID":2,"unclaimed":3},\
          "findings":{"empty-value":{"severity":"info","count":1},"missing-version":{"severity":"warning","count":1},\
          "parameter-version":{"severity":"warning","count":1},"text-outside-card":{"severity":"info","count":1},\
          "value-syntax":{"severity":"error","count":1}}}

          """)
      #expect(try Finished("stats --strict %/a.vcf", in: folder).status == 2)
      try writeFile(folder.file("c.vcf"), "")
      #expect(try Finished("stats %/c.vcf", in: folder).status == 1)
    }
  }

  @Test func countsAsText() throws {
    try withFolder { folder in
      try writeFile(folder.file("a.vcf"), oddCard("Ann", "PRODID:-//Tern//EN\n") + oddCard("Bo") + oddCard("Cy", "EMAIL:\n"))
      let run = try Finished("stats %/a.vcf", in: folder)
      #expect(run.status == 0)
      #expect(
        run.output == """
          contacts 3

          versions
            3.0        3  100%

          producers
            -//Tern//EN        1   33%
            (not said)         2   67%

          fields
            fullName         3  100%
            notes            3  100%
            productID        1   33%
            unclaimed        3  100%

          findings
            empty-value (info)        1

          """)
    }
  }
}
