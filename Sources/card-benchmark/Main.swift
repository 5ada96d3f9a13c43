// Measures how fast the command and the library are: every task over inputs that are made on the spot.

import Bytes

/// The benchmark. `card-benchmark --help` says how it is used.
@main
enum Benchmark {
  static let help = """
    Usage: card-benchmark [options]

    Makes its inputs, runs every task several times and prints MB of input a second of processor time: the median and, behind it, the
    slowest and the fastest run; the most memory that a run had; and how the time grows when the input is 4 and 16 times as large
    (4 and 16 is linear). Build it, and the vcard command beside it, with -c release.

      --megabytes N    size of the inputs (default 32)
      --runs N         runs of each task (default 5)
      --only TEXT      only tasks whose name holds the text
      --vcard PATH     the command to measure (default: the one beside this program)
      --save FILE      write the medians to a file
      --compare FILE   print what changed since the run that was saved there
    """

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let worker = arguments.first.flatMap({ Worker(rawValue: $0) }), let path = arguments.last, arguments.count > 1 {
      return worker.run(arguments.dropFirst().dropLast().map { $0 }, path)
    }
    guard let options = BenchmarkOptions(arguments) else { return System.say(help + "\n", to: 1) }
    let folder = System.temporaryFolder()
    defer {
      System.removeFolder(folder + "/parts")
      System.removeFolder(folder)
    }
    let inputs = Inputs(folder: folder, vcard: options.vcard)
    let old = options.compare.map { Results(text: System.text(of: $0)) }
    var results = Results()
    System.say(Report.header + "\n", to: 1)
    for task in Task.all where options.only.map({ task.name.contains($0) }) ?? true {
      guard let row = measure(task, inputs, options) else {
        System.say("\(task.name): the run failed\n", to: 2)
        continue
      }
      results[task.name] = row.median
      System.say(Report.line(row, before: old?[task.name]) + "\n", to: 1)
    }
    if let path = options.save { System.save(results.text, as: path) }
  }

  private static func measure(_ task: Task, _ inputs: Inputs, _ options: BenchmarkOptions) -> Row? {
    let size = options.megabytes << 20
    let arguments = task.arguments + (task.writesFiles ? ["-o", inputs.folder + "/parts/"] : [])
    var row = Row(task: task)
    var medians: [Double] = []
    for divisor in task.isSized ? [16, 4, 1] : [1] {
      let input = inputs.path(task.input, bytes: size / divisor)
      var seconds: [Double] = []
      for _ in 0..<options.runs {
        let program = task.worker == nil ? options.vcard : System.ownPath
        guard let run = System.run(program, (task.worker.map { [$0.rawValue] } ?? arguments) + [input.path]) else { return nil }
        seconds.append(task.isParallel ? run.elapsed : run.processor)
        row.peakBytes = max(row.peakBytes, run.peakBytes)
      }
      seconds.sort()
      medians.append(seconds[seconds.count / 2])
      row.seconds = seconds
      row.bytes = input.bytes
    }
    row.growth = medians.dropFirst().map { $0 / medians[0] }
    return row
  }
}

/// What the command line asks for.
struct BenchmarkOptions {
  var megabytes = 32
  var runs = 5
  var only: String?
  var vcard = System.ownFolder + "/vcard"
  var save: String?
  var compare: String?

  /// Nil where something was said that is no option.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch name {
      case "--megabytes": megabytes = max(1, Int(value) ?? megabytes)
      case "--runs": runs = max(1, Int(value) ?? runs)
      case "--only": only = value
      case "--vcard": vcard = value
      case "--save": save = value
      case "--compare": compare = value
      default: return nil
      }
    }
  }
}
