// Searches by words find what a search byte by byte finds, at every offset and length.
import Bytes
import TestSupport
import Testing

@Suite struct SearchTests {
  @Test func agreesWithPlainSearch() {
    var random = Seeded(3)
    let pool: [UInt8] = [9, 10, 11, 12, 13, 14, 0, 1, 0x7F, 0x80, 0x8A, 0x8D, 0xFF, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46]
    for round in 0..<20_000 {
      let count = random.below(60)
      // Sparse and dense line ends, and neighbours that differ by one bit or by a borrow.
      let bytes = (0..<count).map { _ in round % 3 == 0 ? UInt8(0x20 + random.below(90)) : pool[random.below(pool.count)] }
      let from = random.below(count + 1)
      let to = from + random.below(count - from + 1)
      let byte = pool[random.below(pool.count)]
      let found = ByteSearch.firstIndex(of: byte, in: bytes.span, from: from, to: to)
      #expect(found == bytes[from..<to].firstIndex(of: byte) ?? to)
      let lineBreak = ByteSearch.firstLineBreak(in: bytes.span, from: from, to: to)
      let wanted = bytes[from..<to].firstIndex { $0 == 10 || $0 == 13 } ?? to
      #expect(lineBreak.position == wanted)
      #expect(lineBreak.sawHighBit == bytes[from..<wanted].contains { $0 >= 0x80 })
      let control = ByteSearch.firstControl(in: bytes.span, from: from, to: to)
      #expect(control == bytes[from..<to].firstIndex { $0 < 32 } ?? to)
      let high = ByteSearch.firstHighBit(in: bytes.span, from: from, to: to)
      #expect(high == bytes[from..<to].firstIndex { $0 >= 0x80 } ?? to)
    }
  }

  @Test func marksCapitals() {
    for byte in UInt8.min...UInt8.max {
      let isCapital = byte >= 65 && byte <= 90
      #expect(Words.capitalMarks(Words.repeating(byte)) == (isCapital ? Words.highs : 0))
    }
  }

  @Test func storesWords() {
    var buffer = ByteBuffer(capacity: 1)
    for length in 0...8 { buffer.append(word: 0x0807_0605_0403_0201, count: length) }
    var wanted: [UInt8] = []
    for length in 0...8 { wanted += (0..<length).map { UInt8($0 + 1) } }
    let stored = buffer.array()
    #expect(stored == wanted)
    let loaded = Words.load(stored.span, stored.count - 8)
    #expect(loaded == 0x0807_0605_0403_0201)
  }
}
