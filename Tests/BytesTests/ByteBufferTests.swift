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
