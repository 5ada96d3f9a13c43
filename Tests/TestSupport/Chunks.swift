// Input in chunks of every size, for what reads streams.

/// Chunk sizes that every streaming test goes through; the last one takes any input whole.
package let chunkSizes = [1, 2, 3, 7, 1 << 30]

/// Calls `body` with the ranges of chunks of `size` bytes.
package func forEachChunk(of count: Int, size: Int, _ body: (Range<Int>) -> Void) {
  var start = 0
  while start < count {
    let end = min(count, start + min(size, count))
    body(start..<end)
    start = end
  }
}
