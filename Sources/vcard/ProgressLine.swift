// When the progress line is drawn, and what stands in it.
import Files

/// The line on stderr that shows how far a long run is: only after a second, ten times a second at most.
struct ProgressLine {
  private let isOn: Bool
  private let isForced: Bool
  private var due: Int
  private var isShown = false

  /// `isForced` draws on anything and at once, `isOn` after a second.
  init(isForced: Bool, isOn: Bool) {
    self.isForced = isForced
    self.isOn = isOn || isForced
    due = self.isOn ? Process.milliseconds() + (isForced ? 0 : 1000) : 0
  }

  /// True where the line is to be drawn now.
  mutating func isDue() -> Bool {
    guard isOn else { return false }
    let now = Process.milliseconds()
    if now < due { return false }
    due = now + 100
    isShown = true
    return true
  }

  /// True where the line stood there and is to be erased.
  mutating func wasCleared() -> Bool {
    defer { isShown = false }
    return isShown
  }

  /// `contacts.vcf: 120,000 contacts, 56.1 MB`, cut at the left to fit the terminal.
  static func text(_ path: FilePath, contacts: Int, bytes: Int, width: Int) -> String {
    let tail = ": \(grouped(contacts)) contacts, \(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
    let name = path.isStandard ? "stdin" : path.text
    let room = max(8, width - tail.count - 1)
    return (name.count > room ? "..." + name.suffix(room - 3) : name) + tail
  }

  /// A number with commas between thousands.
  static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).enumerated() {
      if index > 0, (String(number).count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }
}
