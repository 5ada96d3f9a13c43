// All talk with the user: findings, errors, notes, the progress line, and what they mean for the exit status.
import Bytes
import Files

/// Stderr, and for `validate` the findings on stdout. One thread owns it; findings come to it in their final order.
struct Console: ~Copyable {
  /// Where a kind of message goes.
  private struct Channel: ~Copyable {
    let descriptor: FileDescriptor
    let isTerminal: Bool
    let isColored: Bool
    var buffer = ByteBuffer(capacity: 1024)
    var failure: StreamError?

    init(_ descriptor: consuming FileDescriptor, _ color: ColorUse) {
      isTerminal = descriptor.isTerminal
      self.descriptor = descriptor
      switch color {
      case .always: isColored = true
      case .never: isColored = false
      case .auto:
        isColored = isTerminal && Process.environment("NO_COLOR") == nil && Process.environment("TERM") != "dumb"
      }
    }

    mutating func flush() {
      if buffer.isEmpty { return }
      if failure == nil {
        do throws(StreamError) {
          try buffer.withBytes { bytes throws(StreamError) in try descriptor.writeAll(bytes) }
        } catch { failure = error }
      }
      buffer.removeAll()
    }

    /// People see a line at once; pipes and files get large pieces.
    mutating func lineEnded() {
      if isTerminal || buffer.count > 32 * 1024 { flush() }
    }
  }

  /// A rule whose infos are summed up.
  private struct Sum {
    var first: Finding
    var count = 0
    /// How many are about each property.
    var properties: [String: Int] = [:]

    mutating func add(_ finding: Finding) {
      count += 1
      if let property = finding.property { properties[property, default: 0] += 1 }
    }

    /// The first finding, and how many others it stands for: of which properties, where these are several.
    var summary: Finding {
      if count == 1 { return first }
      var summary = first
      summary.name = nil
      summary.message += "; the first of \(count)"
      let ranked = properties.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      if ranked.count > 1 {
        let others = count - ranked.prefix(Self.named).reduce(0) { $0 + $1.value }
        let parts = ranked.prefix(Self.named).map { "\($0.key) \($0.value)" } + (others > 0 ? ["others \(others)"] : [])
        summary.message += ": " + parts.joined(separator: ", ")
      }
      return summary
    }

    /// More properties than these are others.
    private static let named = 5
  }

  private let options: Options
  private let findingsAreData: Bool
  private var talk: Channel
  private var data: Channel
  private var sums: [Sum] = []
  private var sumOfRule: [String: Int] = [:]
  private var progressLine: ProgressLine

  /// How many findings of each kind came, after `--ignore` and `--error`.
  private(set) var errorCount = 0, warningCount = 0, infoCount = 0
  /// How many values were left out that nobody asked to leave out.
  private(set) var leftOutCount = 0
  /// True once `--strict` ends the run, or the reader of the findings has gone: throw `RunStopped` then.
  private(set) var mustStop = false

  /// A console for a run; `findingsAreData` sends findings to stdout and prints every one, as `validate` does.
  init(_ options: Options = Options(), findingsAreData: Bool = false) {
    self.options = options
    self.findingsAreData = findingsAreData
    talk = Channel(.errors, options.color)
    data = Channel(.output, options.color)
    progressLine = ProgressLine(
      isForced: options.showsProgress && !options.isQuiet,
      isOn: talk.isTerminal && !data.isTerminal && !options.isQuiet)
  }

  /// 1 where an error was found or something was left out, else 0.
  var status: Int32 { errorCount > 0 || leftOutCount > 0 ? 1 : 0 }

  /// Tells a finding, or keeps it for the sum at the end. `--ignore` drops it, `--error` makes it an error.
  mutating func report(_ finding: Finding) {
    if options.ignoredRules.contains(finding.rule) { return }
    var finding = finding
    if options.errorRules.contains(finding.rule) || finding.severity == .warning && options.errorRules.contains("warnings") {
      finding.severity = .error
    }
    switch finding.severity {
    case .error: errorCount += 1
    case .warning: warningCount += 1
    case .info: infoCount += 1
    }
    if finding.leavesOut { leftOutCount += 1 }
    if options.isStrict, finding.severity == .error || finding.leavesOut { mustStop = true }
    if options.report == nil {
      if options.isQuiet, finding.severity != .error { return }
      // What stops the run is told at once, whatever it is.
      if !findingsAreData, finding.severity == .info, !(options.isStrict && finding.leavesOut) { return sumUp(finding) }
    }
    tell(finding)
  }

  /// Is nothing told of infos but sums, which need the first one of each rule?
  var sumsUpInfos: Bool { options.report == nil && options.errorRules.isEmpty && !findingsAreData }

  /// Counts further infos like one that came before.
  mutating func count(_ more: Int, rule: String, property: String?) {
    guard let index = sumOfRule[rule] else { return }
    infoCount += more
    sums[index].count += more
    if let property { sums[index].properties[property, default: 0] += more }
  }

  /// `vcard: error: message`, said even with `-q`.
  mutating func error(_ message: String) {
    clearProgress()
    talk.buffer.append(talk.isColored ? "vcard: \u{1B}[1;31merror:\u{1B}[0m " : "vcard: error: ")
    appendTalk(message)
    talk.flush()
  }

  /// A line on stderr, said even with `-q`.
  mutating func say(_ text: String) {
    clearProgress()
    appendTalk(text)
    talk.lineEnded()
  }

  /// A line on stderr that `-q` and `--report json` silence, such as a summary.
  mutating func note(_ text: String) {
    if !options.isQuiet, options.report != .json { say(text) }
  }

  /// What `--dry-run` says instead of writing.
  mutating func wouldWrite(_ path: FilePath) { say("would write \(path)") }

  /// Tells how far the run is; call it as often as you like, once a chunk at least.
  mutating func progress(_ path: FilePath, contacts: Int, bytes: Int) {
    guard progressLine.isDue() else { return }
    talk.buffer.append("\r\u{1B}[K")
    let text = ProgressLine.text(path, contacts: contacts, bytes: bytes, width: talk.descriptor.terminalWidth ?? 80)
    talk.buffer.append(text: TerminalText.escaped(text))
    talk.flush()
  }

  /// Says what was summed up and sends everything out. Trouble with stdout is thrown, trouble with stderr cannot be told to anyone.
  mutating func finish() throws(StreamError) {
    clearProgress()
    for sum in sums { tell(sum.summary) }
    sums = []
    sumOfRule = [:]
    talk.flush()
    data.flush()
    if let failure = data.failure { throw failure }
  }

  private mutating func sumUp(_ finding: Finding) {
    let index = sumOfRule[finding.rule] ?? sums.count
    if index == sums.count {
      sumOfRule[finding.rule] = index
      sums.append(Sum(first: finding))
    }
    sums[index].add(finding)
  }

  private mutating func tell(_ finding: Finding) {
    clearProgress()
    if findingsAreData {
      Self.append(finding, to: &data, options.report)
      if data.failure != nil { mustStop = true }
    } else {
      Self.append(finding, to: &talk, options.report)
    }
  }

  private static func append(_ finding: Finding, to channel: inout Channel, _ form: ReportForm?) {
    let (isColored, isTerminal) = (channel.isColored, channel.isTerminal)
    if form == .json {
      finding.appendJSON(to: &channel.buffer, escaped: isTerminal)
    } else {
      finding.appendText(to: &channel.buffer, colored: isColored, escaped: isTerminal)
    }
    channel.lineEnded()
  }

  private mutating func appendTalk(_ text: String) {
    let isTerminal = talk.isTerminal
    if isTerminal {
      let bytes = Array(text.utf8)
      _ = TerminalText.escape(bytes.span, into: &talk.buffer, keepingLines: true, isLast: true)
    } else {
      talk.buffer.append(text: text)
    }
    talk.buffer.append(ASCII.lineFeed)
  }

  private mutating func clearProgress() {
    if progressLine.wasCleared() { talk.buffer.append("\r\u{1B}[K") }
  }
}

/// Ends a run that `--strict` stopped (status 2), or whose findings nobody reads any more (status 0). Everything was told already.
struct RunStopped: Error {}
