// Tapes hold what was added, and short texts and runs up to a byte are written as byte by byte.
import Bytes
import TestSupport
import Testing

@Suite struct TapeTests {
  @Test func growsAndKeepsOrder() {
    var tape = Tape<UInt32>(capacity: 1)
    for i in 0..<5_000 { tape.append(UInt32(i)) }
    tape[17] = 99
    let (count, value, last) = (tape.count, tape[17], tape.last)
    #expect(count == 5_000 && value == 99 && last == 4_999)
    var wanted = (0..<5_000).map { UInt32($0) }
    wanted[17] = 99
    let (all, rest) = (tape.array(), tape.array(from: 4_990))
    #expect(all == wanted && rest == Array(wanted[4_990...]))
    tape.truncate(to: 3)
    tape.truncate(to: 10)
    let short = tape.array()
    #expect(short == [0, 1, 2])
    tape.removeAll()
    let (isEmpty, nothing) = (tape.isEmpty, tape.last)
    #expect(isEmpty && nothing == nil)
  }

  @Test func isFilledWithOneValue() {
    var tape = Tape<UInt32>(capacity: 1)
    tape.append(1)
    tape.fill(7, count: 100)
    let many = tape.array(from: 0)
    tape.fill(8, count: 2)
    tape.append(9)
    let few = tape.array(from: 0)
    #expect(many == Array(repeating: 7, count: 100) && few == [8, 8, 9])
  }

  @Test func shortTextsAreWrittenWhole() throws {
    for length in 0...32 {
      let bytes = (0..<length).map { UInt8(65 + $0) }
      let text = try #require(ShortText(bytes))
      var buffer = ByteBuffer(capacity: 1)
      buffer.append("<")
      buffer.append(text)
      buffer.append(">")
      let written = buffer.array()
      #expect(written == [60] + bytes + [62])
    }
    #expect(ShortText([UInt8](repeating: 65, count: 33)) == nil)
  }

  @Test func runsEndAtTheFirstMark() {
    var random = Seeded(7)
    let pool: [UInt8] = [65, 66, 44, 0, 0x80, 0xFF, 45, 43]
    for _ in 0..<5_000 {
      let bytes = (0..<random.below(40)).map { _ in random.below(6) > 0 ? UInt8(97 + random.below(26)) : pool[random.below(pool.count)] }
      let start = random.below(bytes.count + 1)
      let end = start + random.below(bytes.count - start + 1)
      var buffer = ByteBuffer(capacity: 1)
      buffer.append("x")
      let stop = buffer.append(bytes.span, start, end) { $0.marks(of: 44) }
      let wanted = bytes[start..<end].firstIndex(of: 44) ?? end
      let written = buffer.array()
      #expect(stop == wanted && written == [120] + bytes[start..<wanted])
    }
  }

  @Test func marksAreExact() {
    var random = Seeded(11)
    for _ in 0..<5_000 {
      let bytes = (0..<8).map { _ in UInt8(random.below(4) == 0 ? 59 : [58, 60, 0, 187, 255, 59 ^ 1][random.below(6)]) }
      var marks = Words.exactMarks(Words.load(bytes.span, 0), of: 59)
      var found: [Int] = []
      while marks != 0 {
        found.append(Words.firstMark(marks))
        marks &= marks - 1
      }
      #expect(found == bytes.indices.filter { bytes[$0] == 59 })
    }
  }
}
