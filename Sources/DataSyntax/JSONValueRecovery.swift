// Where a stream of JSON goes on behind a faulty value.
import Bytes

extension JSONValueScanner {
  /// Gives up the value for what is wrong at the cursor.
  mutating func breakOff(_ message: String, _ phase: Phase) -> Outcome {
    self.phase = phase
    resumesAtLines = true
    return placeFault(message)
  }

  /// True if only blanks stand before `i` in its line, and the line began inside the value.
  func opensLine(_ bytes: Span<UInt8>, _ i: Int) -> Bool {
    let start = lineStart - dropped
    guard start > valueStart else { return false }
    var before = i
    while before > start && ASCII.isBlank(bytes[before - 1]) { before -= 1 }
    return before == start
  }

  /// Passes over text that is no value, up to the next place where one may begin.
  mutating func walkGarbage(_ bytes: Span<UInt8>) -> Outcome? {
    while cursor < bytes.count {
      switch bytes[cursor] {
      case ASCII.lineFeed, ASCII.carriageReturn, 0x1E, 0x7B, 0x5B:
        phase = .between
        return nil
      case ASCII.comma where place != .topLevel, 0x5D where place != .topLevel:
        phase = .between
        if place != .topLevel { place = .afterElement }
        return nil
      default:
        lineIsBlank = false
        cursor += 1
      }
    }
    return nil
  }

  /// Looks for the end of a value that was reported already.
  mutating func walkBroken(_ bytes: Span<UInt8>) -> Outcome? {
    while cursor < bytes.count {
      if phase == .brokenString {
        guard skipBrokenString(bytes) else { return .needsBytes }
        if phase == .between { return nil }
        continue
      }
      let byte = bytes[cursor]
      switch byte {
      case ASCII.lineFeed, ASCII.carriageReturn: endLine(byte)
      case 0x1E:
        giveUp()
        return nil
      case 0x7B, 0x5B:
        if resumesAtLines && lineIsBlank && dropped + cursor - lineStart <= indentation {
          giveUp()
          if place != .topLevel { place = .afterComma }
          return nil
        }
        if nesting.depth < maximumDepth && overflow == 0 { nesting.open(isObject: byte == 0x7B) } else { overflow += 1 }
        lineIsBlank = false
        cursor += 1
      case 0x7D, 0x5D:
        if closeBroken(isObject: byte == 0x7D) { return nil }
      case ASCII.quote:
        lineIsBlank = false
        phase = .brokenString
        cursor += 1
      default:
        if !ASCII.isBlank(byte) { lineIsBlank = false }
        cursor += 1
      }
    }
    return nil
  }

  /// Passes over a part of a string; false where the bytes end, be it between a backslash and what it escapes.
  private mutating func skipBrokenString(_ bytes: Span<UInt8>) -> Bool {
    cursor = ByteScan.stopInJSONString(bytes, cursor, bytes.count)
    guard cursor < bytes.count else { return false }
    switch bytes[cursor] {
    case ASCII.quote:
      cursor += 1
      if nesting.isEmpty && overflow == 0 { giveUp() } else { phase = .brokenStructure }
    case ASCII.backslash:
      guard cursor + 1 < bytes.count else { return false }
      cursor += bytes[cursor + 1] < 0x20 ? 1 : 2
    case ASCII.lineFeed, ASCII.carriageReturn, 0x1E:
      resumesAtLines = true
      phase = .brokenStructure
      if nesting.isEmpty && overflow == 0 { giveUp() }
    default: cursor += 1
    }
    return true
  }

  /// Closes the innermost container that matches; true if the value ends.
  private mutating func closeBroken(isObject: Bool) -> Bool {
    lineIsBlank = false
    if overflow > 0 {
      overflow -= 1
      cursor += 1
      return false
    }
    if let levels = nesting.levelsToClose(object: isObject) {
      if levels > 1 { resumesAtLines = true }
      nesting.close(levels)
      cursor += 1
      guard nesting.isEmpty else { return false }
      giveUp()
      return true
    }
    resumesAtLines = true
    if !isObject && place != .topLevel {
      giveUp()
      return true
    }
    cursor += 1
    return false
  }

  /// Ends the walk over the value; the next byte is looked at as what stands between values.
  mutating func giveUp() {
    phase = .between
    if place != .topLevel { place = .afterElement }
  }
}
