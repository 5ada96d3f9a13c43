// UTF-8 is judged as Swift's own String judges it, whole or cut anywhere.
import Bytes
import TestSupport
import Testing

@Suite struct UTF8Tests {
  static let samples: [[UInt8]] = [
    [], [0x41], Array("plain ascii, longer than eight bytes".utf8), Array("Míra 山田 😀 Ω".utf8),
    [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0x9F, 0xBF],
    [0xEF, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80], [0xFF, 0xFE], [0xE2, 0x82, 0x41], [0xF0, 0x9F, 0x98, 0x41], [0x41, 0xF0, 0x9F],
    [0x61, 0xF1, 0x80, 0x80, 0xE1, 0x80, 0xC2, 0x62],
  ]

  @Test(arguments: samples) func agreesWithString(_ bytes: [UInt8]) { compare(bytes) }

  @Test func agreesWithStringOnRandomBytes() {
    var random = Seeded(7)
    let pool: [UInt8] = [0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xE0, 0xE2, 0xED, 0xF0, 0xF3, 0xF4, 0xF5]
    for round in 0..<20_000 {
      let count = random.below(round % 2 == 0 ? 12 : 40)
      compare((0..<count).map { _ in random.below(3) == 0 ? UInt8(random.below(256)) : pool[random.below(pool.count)] })
    }
  }

  func compare(_ bytes: [UInt8]) {
    let wanted = Array(String(decoding: bytes, as: Unicode.UTF8.self).utf8)
    var buffer = ByteBuffer()
    UTF8Check.appendRepaired(bytes.span, 0, bytes.count, to: &buffer)
    let repaired = buffer.array()
    #expect(repaired == wanted)
    let valid = UTF8Check.isValid(bytes.span, 0, bytes.count)
    #expect(valid == (wanted == bytes))
    let prefix = UTF8Check.validPrefix(bytes.span, 0, bytes.count)
    #expect(valid == (prefix == bytes.count))
    let prefixValid = UTF8Check.isValid(bytes.span, 0, prefix)
    #expect(prefixValid)
  }

  @Test func writesEveryScalar() {
    var buffer = ByteBuffer()
    var wrong = 0
    for number in UInt32(0)...0x11_0000 {
      buffer.removeAll()
      UTF8Check.append(scalar: number, to: &buffer)
      let wanted = Array(String(Unicode.Scalar(number) ?? "\u{FFFD}").utf8)
      let length = buffer.count
      let back = buffer.withBytes { UTF8Check.scalar($0, 0) }
      var same = length == wanted.count && back.length == length && back.value == (Unicode.Scalar(number)?.value ?? 0xFFFD)
      for index in 0..<min(length, wanted.count) where buffer[index] != wanted[index] { same = false }
      if !same { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func holdsBackOnlyWhatIsCutOff() {
    let cases: [([UInt8], Int)] = [
      ([0x41, 0xC3], 1), ([0x41, 0xE2, 0x82], 1), ([0xF0, 0x9F, 0x98], 0), ([0xF0, 0x9F, 0x98, 0x80], 4), ([0x41, 0xFF], 2),
      ([0xE0, 0x80], 2), ([0xED, 0xA0], 2), ([0x80, 0x80], 2), ([], 0), ([0xC3, 0xA9], 2), ([0x80, 0x80, 0x80, 0x80, 0x80], 5),
    ]
    for (bytes, wanted) in cases {
      let end = UTF8Check.wholeCharacters(bytes.span, 0, bytes.count)
      #expect(end == wanted, "\(bytes)")
    }
  }
}
