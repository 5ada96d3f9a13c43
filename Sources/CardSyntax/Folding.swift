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
      guard let isBorder = following.isIndentedBorder(in: bytes, isFinal: isFinal) else {
        text.truncate(to: begin)
        return nil
      }
      if isBorder { break }
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
      output.append(word: 0x0A0D, count: 2)
      return
    }
    let most = max(limit, 8)
    var textEnd = end
    while textEnd > start, ASCII.isBlank(bytes[textEnd - 1]) { textEnd -= 1 }
    var position = start
    var room = most
    while end - position > room {
      var stop = characterStart(position + room, bytes, after: position) ?? position + room
      // Blanks at the end stay with the character before them; a run of blanks longer than a line is broken as it is.
      if stop >= textEnd, let last = characterStart(textEnd - 1, bytes, after: position) { stop = last }
      // A continuation that reads BEGIN:VCARD or END:VCARD would be taken for the card's own by readers that forgive indentation.
      while looksLikeBorder(bytes, stop, end), let earlier = characterStart(stop - 1, bytes, after: position) { stop = earlier }
      output.append(bytes, position, stop)
      output.append("\r\n ")
      position = stop
      room = most - 1
    }
    output.append(bytes, position, end)
    output.append("\r\n")
  }

  /// Does the text from `start` on begin like the first or the last line of a card, blanks before it apart?
  private static func looksLikeBorder(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    let line = PhysicalLine(start: start, end: end, next: end, breaks: 0, hasHighBit: false)
    return line.isBegin(in: bytes) || line.isEnd(in: bytes)
  }

  /// Where the character that holds the byte at `place` starts; nil where that is not behind `floor`.
  private static func characterStart(_ place: Int, _ bytes: Span<UInt8>, after floor: Int) -> Int? {
    for start in stride(from: place, through: max(place - 3, floor + 1), by: -1) where bytes[start] & 0xC0 != 0x80 { return start }
    return nil
  }
}
