// The buffer holds what was appended, through growth and truncation.
import Bytes
import Testing

@Suite struct ByteBufferTests {
  @Test func growsAndKeepsOrder() {
    var buffer = ByteBuffer(capacity: 1)
    var wanted: [UInt8] = []
    for i in 0..<10_000 {
      buffer.append(UInt8(truncatingIfNeeded: i))
      wanted.append(UInt8(truncatingIfNeeded: i))
    }
    buffer.append([1, 2, 3])
    buffer.append(text: "é\n")
    buffer.append("abc")
    buffer.append(decimal: 1234)
    buffer.append(repeating: 7, count: 3)
    wanted += [1, 2, 3] + Array("é\nabc1234".utf8) + [7, 7, 7]
    let array = buffer.array()
    #expect(array == wanted)
  }

  /// Whatever their length, and however near to the end they stand.
  @Test func takesPartsOfOtherBuffers() {
    var source = ByteBuffer(capacity: 1)
    for i in 0..<300 { source.append(UInt8(truncatingIfNeeded: i &* 7)) }
    let all = source.array()
    for start in [0, 1, 15, 150, 284, 299, 300] {
      for end in start...300 {
        var buffer = ByteBuffer(capacity: 1)
        buffer.append(1)
        buffer.append(source, start, end)
        buffer.append(2)
        let written = buffer.array()
        #expect(written == [1] + all[start..<end] + [2])
      }
    }
  }

  @Test func runsOfAnyLengthAreCopiedFromAnyPlace() {
    let bytes = (0..<80).map { UInt8(32 + $0) }
    for end in 0...80 {
      for start in max(end - 40, 0)...end {
        var buffer = ByteBuffer(capacity: 1)
        buffer.append("<")
        buffer.append(bytes.span.extracting(0..<end), start, end)
        buffer.append(">")
        let (written, behind) = (buffer.array(), buffer.array(from: 1))
        #expect(written == [60] + bytes[start..<end] + [62] && behind == bytes[start..<end] + [62])
      }
    }
  }

  @Test(arguments: [0, 9, 10, 99, 100, 2024, 9999, 10_000, 123_456, -1, .max, .min]) func numbersInDecimal(_ number: Int) {
    var buffer = ByteBuffer(capacity: 1)
    buffer.append(decimal: number)
    let text = buffer.text()
    #expect(text == String(number))
  }

  @Test func truncatesAndShifts() {
    var buffer = ByteBuffer()
    buffer.append("hello world")
    buffer.truncate(to: 100)
    let text1 = buffer.text()
    #expect(text1 == "hello world")
    buffer.removeFirst(6)
    let text2 = buffer.text()
    #expect(text2 == "world")
    buffer.truncate(to: 2)
    let text3 = buffer.text()
    #expect(text3 == "wo")
    buffer[0] = 65
    let first = buffer[0]
    #expect(first == 65)
    buffer.removeAll()
    let empty = buffer.isEmpty
    #expect(empty)
  }
}
