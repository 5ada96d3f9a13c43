// Folding and unfolding: the only place that knows how long a physical line may be (RFC 6350 3.2, RFC 2426 2.6, vCard 2.1 2.1.3).

public import Bytes

/// Breaks content lines into physical lines, and joins them again.
public enum Folding {
  /// The octets of a physical line, without its line break.
  public static let width = 75

  struct Unfolded {
    /// Where the joined text begins in the buffer.
    var start: Int
    var next: Int, line: Int
    var hasHighBit: Bool
    var flags: LineFlags
  }

  /// Joins the line in `physical`, from `start` on, with its indented continuations. 3.0 and 4.0 drop one blank of each, 2.1 keeps it
  /// (there a line is folded before a blank that is part of the text). Nil where the line may go on behind the bytes.
  static func unfold(
    _ bytes: Span<UInt8>, _ start: Int, _ physical: PhysicalLine, version: CardVersion, line: Int, isFinal: Bool, to text: inout ByteBuffer
  ) -> Unfolded? {
    let begin = text.count
    text.append(bytes, start, physical.end)
    var result = Unfolded(start: begin, next: physical.next, line: line, hasHighBit: false, flags: .folded)
    while result.next < bytes.count, ASCII.isBlank(bytes[result.next]) {
      guard let following = PhysicalLine.at(result.next, in: bytes, isFinal: isFinal),
        following.next < bytes.count || isFinal
      else {
        text.truncate(to: begin)
        return nil
      }
      if following.isEnd(in: bytes) || following.isBegin(in: bytes) { break }
      text.append(bytes, following.start + (version == .v21 ? 0 : 1), following.end)
      if following.hasHighBit { result.hasHighBit = true }
      if following.end - following.start > width { result.flags.insert(.longLine) }
      if following.next - following.end != 2 { result.flags.insert(.bareLineBreak) }
      result.next = following.next
      result.line += following.breaks
    }
    return result
  }

  /// Writes the content line in `bytes[start ..< end]`, folded at `width` octets and ended by CRLF. No character is divided, no
  /// continuation consists of blanks alone, and where `width` is nil the line is not folded.
  public static func append(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, width: Int? = Folding.width, to output: inout ByteBuffer) {
    guard let limit = width, end - start > limit else {
      output.append(bytes, start, end)
      output.append("\r\n")
      return
    }
    let most = max(limit, 8)
    var position = start
    var room = most
    while end - position > room {
      var stop = position + room
      var steps = 0
      while steps < 3, bytes[stop] & 0xC0 == 0x80 {
        stop -= 1
        steps += 1
      }
      if bytes[stop] & 0xC0 == 0x80 { stop = position + room }
      if isBlank(bytes, stop, end) || isBlank(bytes, position, stop) {
        // Blanks at the end stay with what is before them; a run of blanks longer than a line is broken as it is.
        var earlier = stop
        while earlier > position + 1, ASCII.isBlank(bytes[earlier - 1]) { earlier -= 1 }
        if earlier > position + 1 { stop = earlier - 1 }
        while stop > position + 1, bytes[stop] & 0xC0 == 0x80 { stop -= 1 }
      }
      output.append(bytes, position, stop)
      output.append("\r\n ")
      position = stop
      room = most - 1
    }
    output.append(bytes, position, end)
    output.append("\r\n")
  }

  private static func isBlank(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard end > start, ASCII.isBlank(bytes[end - 1]) else { return false }
    var i = start
    while i < end, ASCII.isBlank(bytes[i]) { i += 1 }
    return i == end
  }
}
