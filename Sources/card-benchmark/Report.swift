// What is printed: a line a task, and the file of medians that later runs are compared with.

/// What was measured of a task.
struct Row {
  let task: Task
  /// Size of the input.
  var bytes = 0
  /// Seconds of every run over the largest input, sorted.
  var seconds: [Double] = []
  var peakBytes = 0
  /// How many times as long 4 and 16 times the input took.
  var growth: [Double] = []

  /// The median of the runs: MB a second, of tasks without a size milliseconds.
  var median: Double { value(seconds[seconds.count / 2]) }

  func value(_ seconds: Double) -> Double { task.isSized ? Double(bytes) / 1e6 / max(seconds, 1e-6) : seconds * 1000 }
}

/// Medians by task.
struct Results {
  private var medians: [(name: String, median: Double)] = []

  init() {}

  /// Reads what `text` wrote; lines that are in no such form are passed over.
  init(text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t")
      if parts.count == 2, let median = Double(parts[1]) { medians.append((String(parts[0]), median)) }
    }
  }

  subscript(name: String) -> Double? {
    get { medians.first { $0.name == name }?.median }
    set { if let newValue { medians.append((name, newValue)) } }
  }

  /// A line a task: name, tab, median.
  var text: String { medians.map { "\($0.name)\t\($0.median)\n" }.joined() }
}

/// The table.
enum Report {
  static let header =
    padded("task", 20) + left("MB/s", 9) + left("slowest", 9) + left("fastest", 9) + left("peak MB", 9) + left("x4", 7) + left("x16", 7)

  /// The line of a task; `before` is the median of the run to compare with.
  static func line(_ row: Row, before: Double?) -> String {
    let worst = row.value(row.seconds.last ?? 0)
    let best = row.value(row.seconds.first ?? 0)
    var line = padded(row.task.name, 20) + left(number(row.median), 9) + left(number(worst), 9) + left(number(best), 9)
    line += left(number(Double(row.peakBytes) / 1e6), 9)
    for growth in row.growth { line += left(number(growth), 7) }
    if !row.task.isSized { line += "   milliseconds" }
    if let before, before > 0 { line += "   " + number(before) + " before, x " + number(row.median / before) }
    return line
  }

  /// With two digits below 10, one below 100, none above.
  private static func number(_ value: Double) -> String {
    if value >= 100 { return String(Int(value + 0.5)) }
    let scale = value >= 10 ? 10 : 100
    let whole = Int(value * Double(scale) + 0.5)
    let fraction = String(whole % scale)
    return "\(whole / scale)." + String(repeating: "0", count: (scale == 10 ? 1 : 2) - fraction.count) + fraction
  }

  private static func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
  private static func left(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }
}
