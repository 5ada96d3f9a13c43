// Parts of a run of bytes that texts are put together from: neighbours are written in one piece.

internal import Bytes

/// A part of a run of bytes.
struct Piece: BitwiseCopyable, Sendable {
  var start = 0, end = 0

  var isEmpty: Bool { start == end }

  /// The piece waits to be written: one that stands behind it is joined to it, else it is written, and the other waits.
  @inline(__always)
  mutating func add(_ next: Piece, of texts: borrowing ByteBuffer, to output: inout ByteBuffer) {
    if next.start != end {
      output.append(texts, start, end)
      start = next.start
    }
    end = next.end
  }
}
