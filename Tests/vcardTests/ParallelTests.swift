// Several threads write what one writes: the same bytes, findings and status, whatever the cards are like.
import Bytes
import TestSupport
import Testing

@testable import vcard

@Suite struct ParallelTests {
  /// Cards of several versions, whole and damaged, with text between them: a file that is cut into several parts.
  private static func book(_ count: Int) -> String {
    var text = ""
    for number in 0..<count {
      let note = String(repeating: "word ", count: number % 40)
      switch number % 6 {
      case 0:
        text += "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Mira \(number)\r\nN:;Mira;;;\r\nTEL;TYPE=CELL:+1 555 0100\r\n"
        text += "NOTE:\(note)\r\nEND:VCARD\r\n"
      case 1: text += "begin:vcard\nversion:4.0\nfn:Noura \(number)\nbday:1980-01-0\(number % 9 + 1)\nend:vcard\n"
      case 2:
        text += "BEGIN:VCARD\r\nVERSION:2.1\r\nN:M=C3;A\r\nFN;ENCODING=QUOTED-PRINTABLE:J=C3=BCrgen=\r\n \(number)\r\nEND:VCARD\r\n\r\n"
      case 3: text += "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:No end \(number)\r\nNOTE:\(note)\r\n"
      case 4:
        text += "BEGIN:VCARD\r\nVERSION:2.1\r\nFN:A\r\nAGENT:\r\nBEGIN:VCARD\r\nFN:B\r\nEND:VCARD\r\nEND:VCARD\r\nlost text\r\n"
      default: text += "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:\(note)\r\na line without a colon\r\nBOGUS;=:x\r\nEND:VCARD\r\nEND:VCARD\r\n"
      }
    }
    return text
  }

  @Test(arguments: ["json", "jsonl", "vcard4", "vcard3", "csv"]) func writeWhatOneWrites(_ format: String) throws {
    try withFolder { folder in
      try writeFile(folder.file("a.vcf"), Self.book(9000))
      try writeFile(folder.file("b.vcf"), Self.book(40))
      try writeFile(folder.file("c.vcf"), "\u{FEFF}" + Self.book(5000))
      let line = "convert %/a.vcf %/b.vcf %/c.vcf -t \(format) --report json --jobs "
      let one = try Finished(line + "1", in: folder)
      #expect(one.output.utf8.count > 500_000)
      #expect(one.errors.utf8.count > 100_000)
      for jobs in [2, 5] {
        let several = try Finished(line + String(jobs), in: folder)
        #expect(several.output == one.output)
        #expect(several.errors == one.errors)
        #expect(several.status == one.status)
      }
    }
  }

  @Test func aClosedOutputEndsTheRunQuietly() throws {
    try withFolder { folder in
      try writeFile(folder.file("a.vcf"), Self.book(9000))
      let full = try Finished("convert %/a.vcf -t json -o /dev/full -q --jobs 3", in: folder)
      #expect(full.status == 2)
    }
  }
}
