// Dates in every form that cards have them in: what is read, and how it is written in the two forms of ISO 8601.
import Bytes
import TestSupport
import Testing

@testable import People

@Suite struct PartialDateTests {
  /// A text, its extended and its basic form (RFC 6350 4.3).
  private static let dates: [(String, String, String)] = [
    ("19790414", "1979-04-14", "19790414"), ("1979-04-14", "1979-04-14", "19790414"), (" 1979-04-14 ", "1979-04-14", "19790414"),
    ("1979-04", "1979-04", "1979-04"), ("1979", "1979", "1979"), ("--0414", "--04-14", "--0414"), ("--04-14", "--04-14", "--0414"),
    ("--04", "--04", "--04"), ("---14", "---14", "---14"), ("20000229", "2000-02-29", "20000229"), ("--0229", "--02-29", "--0229"),
    ("0004-04-14", "0004-04-14", "00040414"), ("19790414T152000Z", "1979-04-14T15:20:00Z", "19790414T152000Z"),
    ("1979-04-14T15:20:00-05:00", "1979-04-14T15:20:00-05:00", "19790414T152000-0500"),
    ("1979-04-14 15:20", "1979-04-14T15:20", "19790414T1520"), ("19790414t15z", "1979-04-14T15Z", "19790414T15Z"),
    ("19790414T152000.25+05", "1979-04-14T15:20:00.25+05:00", "19790414T152000+0500"), ("T102200", "T10:22:00", "T102200"),
    ("T-2200", "T-22:00", "T-2200"), ("T--00", "T--00", "T--00"), ("T10-0800", "T10-08:00", "T10-0800"),
  ]

  @Test(arguments: dates) func areReadAndWritten(_ text: String, _ extended: String, _ basic: String) {
    let date = PartialDate(text)
    #expect(date.isDate)
    #expect(date.iso == extended)
    #expect(date.basic == basic)
    #expect(PartialDate(date.iso) == date)
  }

  @Test(arguments: [
    "", " ", "circa 1800", "1979-4-14", "19790431", "19790229", "19000229", "1979-13", "--1301", "---32", "19790414T", "T2500", "T1060",
    "T102", "T10220000", "19790414T10+1", "19790414T10.Z", "19790414T---", "1979-0414", "197904", "T-", "19790414T10Zulu", "１９７９",
  ]) func keepsWhatIsNoDateAsText(_ text: String) {
    let date = PartialDate(text)
    #expect(!date.isDate)
    #expect(date.iso == text)
    #expect(date.basic == text)
  }

  /// What is read eight bytes at a time is what is read byte by byte, and nothing that is no whole date.
  @Test func wholeDatesAreReadAlike() {
    var random = Seeded(29)
    for _ in 0..<20_000 {
      var bytes = Array("19790414T152000Z".utf8)
      for place in bytes.indices where bytes[place] < 60 && random.oneIn(2) { bytes[place] = UInt8(48 + random.below(place == 4 ? 2 : 7)) }
      if random.oneIn(3) { bytes[random.below(16)] = random.pick([0, 32, 47, 58, 45, 84, 90, 0xB0, 57]) }
      if random.oneIn(2) { bytes.removeLast(random.oneIn(5) ? random.below(10) : 8) }
      var quick = ByteBuffer()
      let isWhole = DateNumbers.appendWhole(bytes.span, 0, bytes.count, except: 1604, to: &quick)
      var slow = ByteBuffer()
      let date = DateNumbers(bytes.span, 0, bytes.count)
      date?.append(isBasic: false, from: bytes.span, to: &slow)
      let (found, wanted) = (quick.text(), slow.text())
      #expect(isWhole ? found == wanted && !found.isEmpty : found.isEmpty)
      let isExpected = date?.isWhole == true && date?.year != 1604 && (bytes.count == 8 || bytes.count == 16 && wanted.hasSuffix("Z"))
      let hasColons = bytes.contains(58) || bytes.contains(45) || bytes.contains(32)
      if isExpected, !hasColons { #expect(isWhole, "\(wanted)") }
    }
  }
}
