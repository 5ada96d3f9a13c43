// What the tests share: seeded chance, chunks of every size, and the time that a piece of work takes.
import Bytes
import DataSyntax

/// Random numbers that are the same in every run (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z &>> 31)
  }
}

/// Chunk sizes that every streaming test goes through; the last one takes any input whole.
let chunkSizes = [1, 2, 3, 7, 1 << 30]

/// Calls `body` with the ranges of chunks of `size` bytes.
func forEachChunk(of count: Int, size: Int, _ body: (Range<Int>) -> Void) {
  var start = 0
  while start < count {
    let end = min(count, start + min(size, count))
    body(start..<end)
    start = end
  }
}

/// The error as short text: line, column, message.
func told(_ error: DataSyntaxError) -> String { "\(error.line):\(error.column) \(error.message)" }
