// The memory of answers: it gives back what was kept for the same bytes, whatever the bytes are, and stays small.
import Bytes
import Testing

@testable import People

/// A key that no other number has, of a length that changes.
private func key(_ number: Int) -> ByteBuffer {
  var key = ByteBuffer()
  key.append(decimal: number)
  key.append(repeating: UInt8(ascii: "x"), count: number % 23)
  return key
}

@Suite struct ByteMemoTests {
  @Test func whatItGivesBackWasKeptForTheSameBytes() {
    var memo = ByteMemo<Int>()
    var found = 0
    // Far more than it holds, so that it forgets several times on the way.
    for _ in 0..<3 {
      for number in 0..<5000 {
        let key = key(number)
        if let value = memo.value(of: key) {
          #expect(value == number)
          found += 1
        } else {
          memo.keep(number, for: key)
          #expect(memo.value(of: key) == number)
        }
      }
    }
    #expect(found < 15000)
  }

  @Test func fewKeysAreAllRemembered() {
    var memo = ByteMemo<Int>()
    for number in 0..<40 { memo.keep(number, for: key(number)) }
    for number in 0..<40 { #expect(memo.value(of: key(number)) == number) }
    #expect(memo.value(of: key(41)) == nil)
  }

  @Test func anEmptyAndAHugeKeyDoNoHarm() {
    var memo = ByteMemo<Int>()
    memo.keep(7, for: ByteBuffer())
    #expect(memo.value(of: ByteBuffer()) == 7)
    var huge = ByteBuffer()
    huge.append(repeating: 1, count: 1 << 20)
    memo.keep(8, for: huge)
    #expect(memo.value(of: huge) == nil)
  }

  @Test func numbersGiveBackWhatWasKeptForThem() {
    var memo = NumberMemo<Int>()
    let early = memo.value(of: 1)
    var found = 0
    for _ in 0..<3 {
      for number in 1...5000 {
        let place = UInt64(number) << 20 | 7
        if let value = memo.value(of: place) {
          #expect(value == number)
          found += 1
        } else {
          memo.keep(number, for: place)
          let kept = memo.value(of: place)
          #expect(kept == number)
        }
      }
    }
    #expect(early == nil && found < 15000)
  }
}
