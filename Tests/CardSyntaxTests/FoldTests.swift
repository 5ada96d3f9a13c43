// Folds at every position, both ways (RFC 6350 3.2, RFC 2426 2.6, vCard 2.1 2.1.3).
import Bytes
import TestSupport
import Testing

@testable import CardSyntax

@Suite struct FoldTests {
  private func folded(_ text: [UInt8], width: Int = Folding.width) -> [UInt8] {
    var output = ByteBuffer()
    Folding.append(text.span, 0, text.count, width: width, to: &output)
    return output.array()
  }

  /// The one line of a card that follows VERSION.
  private func line(_ bytes: [UInt8], version: String) -> ContentLine? {
    let card = Array(Cards(Array("BEGIN:VCARD\r\nVERSION:\(version)\r\n".utf8) + bytes + Array("END:VCARD\r\n".utf8)))
    return card.count == 1 && card[0].lines.count == 2 ? card[0].lines[1] : nil
  }

  static let lines = [
    "item1.TEL;TYPE=\"home,voice\";X-A=\"a:b;c,d\":+1 206 555 0100", "NOTE;LANGUAGE=de:Straße 漢字 😀 e\u{301} END:VCARD",
    "X-Q;X-P=\"END:VCARD\":BEGIN:VCARD", "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQ==", "ORG:Tern\\; & Vale\\, Ltd.;Survey",
  ]

  /// RFC 6350 3.2: the line break and one blank are taken out, wherever they stand, also inside a character.
  @Test(arguments: lines, ["\r\n ", "\r\n\t", "\n ", "\r "]) func anyFoldIsUndone(_ text: String, _ fold: String) throws {
    let bytes = Array(text.utf8)
    let whole = try #require(line(bytes + [13, 10], version: "4.0"))
    for place in 1..<bytes.count {
      let cut = Array(bytes[..<place]) + Array(fold.utf8) + Array(bytes[place...]) + [13, 10]
      let found = try #require(line(cut, version: "4.0"), "fold at \(place)")
      #expect(found.name == whole.name && found.group == whole.group && found.parameters == whole.parameters, "fold at \(place)")
      #expect(found.value == whole.value, "fold at \(place)")
      #expect(Array(found.rawBytes) == cut)
    }
    // And at every byte at once.
    let shredded = bytes.map { [$0] }.joined(separator: Array(fold.utf8)) + [13, 10]
    let found = try #require(line(Array(shredded), version: "4.0"))
    #expect(found.value == whole.value && found.parameters == whole.parameters)
  }

  /// vCard 2.1 2.1.3: a line is folded before a blank of its text, which stays.
  @Test func olderFoldsKeepTheirBlank() throws {
    let found = try #require(line(Array("NOTE:one\r\n two\r\n\tthree\r\n".utf8), version: "2.1"))
    #expect(found.value == "one two\tthree")
  }

  /// RFC 2045 6.7: a soft line break may stand anywhere in quoted-printable, also inside a character's escapes. (Where no blank stands in
  /// the first line, one behind the break is taken for an indentation, as old phones write it.)
  @Test func softBreaksAreUndone() throws {
    let pieces = ["A", " ", "S", "t", "r", "a", "=C3", "=9F", "e", " ", "=3D", " ", "=E6", "=BC", "=A2", "=F0", "=9F", "=98", "=80", "."]
    for place in 2..<pieces.count {
      let text = pieces[..<place].joined() + "=\r\n" + pieces[place...].joined() + "\r\n"
      let found = try #require(line(Array(("NOTE;ENCODING=QUOTED-PRINTABLE:" + text).utf8), version: "2.1"))
      #expect(found.value == "A Straße = 漢😀.", "break at \(place)")
    }
  }

  /// Base64 goes on in indented lines, as many blanks as there are, until a line that is none, or an empty one (vCard 2.1 2.1.5).
  @Test(arguments: ["2.1", "3.0"]) func base64IsJoined(_ version: String) throws {
    let coded = Array("/9j/4AAQSkZJRgABAQ==".utf8)
    for place in 0..<coded.count {
      for end in ["\r\n", "\r\n\r\n"] {
        let head = Array("PHOTO;ENCODING=BASE64:".utf8)
        let text = head + coded[..<place] + Array("\r\n    ".utf8) + coded[place...] + Array(end.utf8)
        #expect(try #require(line(text, version: version)).value == "/9j/4AAQSkZJRgABAQ==", "break at \(place)")
      }
    }
  }

  /// What is written: 75 octets, whole characters, no line of blanks alone, nothing that looks like a border; and it comes back.
  @Test func writesLinesOfTheWidth() throws {
    var random = Seeded(21)
    for round in 0..<3_000 {
      var text = "NOTE:" + NastyText.text(&random, lines: false)
      if round % 7 == 0 {
        text = "NOTE:" + String(repeating: random.pick(["x", "é", "漢", "😀", "e\u{301}"]), count: random.below(200)) + text
      }
      if round % 11 == 0 { text += String(repeating: " ", count: random.below(200)) }
      if round % 13 == 0 { text = "NOTE:" + String(repeating: "y", count: 60 + random.below(30)) + "END:VCARD BEGIN:VCARD" }
      let bytes = Array(text.utf8)
      let width = [75, 75, 75, 20, 8][round % 5]
      let found = folded(bytes, width: width)
      let physical = found.split(separator: 10, omittingEmptySubsequences: false).dropLast()
      for (number, line) in physical.enumerated() {
        #expect(line.last == 13 && line.count <= width + 1)
        #expect(number == 0 || line.first == 32)
        #expect(String(validating: line, as: Unicode.UTF8.self) != nil, "a character is divided: \(text)")
        let physical = PhysicalLine(start: 0, end: line.count, next: line.count, breaks: 1, hasHighBit: false)
        let copy = Array(line)
        let isBorder = physical.isBegin(in: copy.span) || physical.isEnd(in: copy.span)
        if width == 75 { #expect(!isBorder, "\(text)") }
      }
      #expect(try #require(line(found, version: "4.0"), "\(text)").value == String(text.dropFirst(5)))
    }
  }

  /// A character that is divided, then lines of blanks alone.
  @Test func blanksMayGoOn() throws {
    for place in 1...3 {
      let text = Array("NOTE:x".utf8) + Array("😀".utf8)[..<place] + [13, 10, 32] + Array("😀".utf8)[place...]
      let blanks = [UInt8](repeating: 32, count: 40)
      let found = try #require(line(text + blanks + [13, 10, 32] + blanks + [13, 10, 32] + blanks + [13, 10], version: "3.0"))
      #expect(found.value == "x😀" + String(repeating: " ", count: 120))
    }
  }

  /// Lines up to the width stay as they are; one octet more is folded.
  @Test func foldsBehindTheWidth() {
    for count in 70...80 {
      let text = [UInt8](repeating: 0x41, count: count)
      let wanted = count <= 75 ? text + [13, 10] : Array(text[..<75]) + [13, 10, 32] + Array(text[75...]) + [13, 10]
      #expect(folded(text) == wanted)
    }
  }
}
