// The tasks that are measured: commands as people run them, and what callers of the library do.

import Bytes
import CardSyntax
import People

/// One thing to measure.
struct Task {
  let name: String
  let input: InputKind
  /// The arguments of the command, without the file.
  var arguments: [String] = []
  /// What this program does itself in a process of its own.
  var worker: Worker?
  /// Several threads work: the clock on the wall counts, not the processor's time.
  var isParallel = false
  /// Are files written, into a folder of its own?
  var writesFiles = false
  /// Is the input as large as was asked for, so that growth can be told?
  var isSized = true

  /// One thread each, unless the name says another number.
  static let all: [Task] = [
    Task(name: "parse", input: .plain40, worker: .parse),
    Task(name: "person", input: .plain40, worker: .person),
    Task(name: "extract", input: .plain40, arguments: ["extract"]),
    Task(name: "validate", input: .plain40, arguments: ["validate"]),
    Task(name: "4.0 to 4.0", input: .plain40, arguments: ["convert", "--jobs", "1", "-t", "vcard4"]),
    Task(name: "3.0 to 4.0", input: .plain30, arguments: ["convert", "--jobs", "1", "-q", "-t", "vcard4"]),
    Task(name: "2.1 to 4.0", input: .quotedPrintable21, arguments: ["convert", "--jobs", "1", "-q", "-t", "vcard4"]),
    Task(name: "json", input: .plain40, arguments: ["convert", "--jobs", "1", "-t", "json"]),
    Task(name: "jsonl", input: .plain40, arguments: ["convert", "--jobs", "1", "-t", "jsonl"]),
    Task(name: "jsonl, 2 threads", input: .plain40, arguments: ["convert", "--jobs", "2", "-t", "jsonl"], isParallel: true),
    Task(name: "csv", input: .plain40, arguments: ["convert", "--jobs", "1", "-t", "csv"]),
    Task(name: "jcard", input: .plain40, arguments: ["convert", "--jobs", "1", "-t", "jcard"]),
    Task(name: "jscontact", input: .plain40, arguments: ["convert", "--jobs", "1", "-t", "jscontact"]),
    Task(name: "xcard", input: .plain40, arguments: ["convert", "--jobs", "1", "-t", "xcard"]),
    Task(name: "json to 4.0", input: .json, arguments: ["convert", "--jobs", "1", "-q", "-t", "vcard4"]),
    Task(name: "csv to 4.0", input: .csv, arguments: ["convert", "--jobs", "1", "-q", "-t", "vcard4"]),
    Task(name: "filter", input: .plain40, arguments: ["filter", "--has", "emails"]),
    Task(name: "join", input: .plain40, arguments: ["join", "-q"]),
    Task(name: "split", input: .plain40, arguments: ["split", "-q", "--count", "1000"], writesFiles: true),
    Task(name: "normalize", input: .plain40, arguments: ["normalize", "-q"]),
    Task(name: "dedupe", input: .plain40, arguments: ["dedupe", "-q"]),
    Task(name: "jcard to 4.0", input: .jcard, arguments: ["convert", "--jobs", "1", "-q", "-f", "jcard", "-t", "vcard4"]),
    Task(name: "jscontact to 4.0", input: .jscontact, arguments: ["convert", "--jobs", "1", "-q", "-f", "jscontact", "-t", "vcard4"]),
    Task(name: "xcard to 4.0", input: .xcard, arguments: ["convert", "--jobs", "1", "-q", "-f", "xcard", "-t", "vcard4"]),
    Task(name: "photos to json", input: .photos, arguments: ["convert", "--jobs", "1", "-t", "json"]),
    Task(name: "one photo to json", input: .onePhoto, arguments: ["convert", "--jobs", "1", "-t", "json"]),
    Task(name: "start", input: .oneCard, arguments: ["convert", "--jobs", "1", "-t", "json"], isSized: false),
  ]
}

/// Work of the library, done by this program in a process of its own so that its memory and time can be told apart.
enum Worker: String {
  /// Parse every card, look at every line's name.
  case parse = "worker-parse"
  /// A `Person` for every card.
  case person = "worker-person"
  /// Make an input: its kind and size go before the path.
  case make = "worker-make"

  func run(_ arguments: [String], _ path: String) {
    var found = 0
    switch self {
    case .make:
      guard arguments.count == 2, let kind = InputKind(rawValue: arguments[0]), let bytes = Int(arguments[1]) else { return }
      var maker = CardMaker(kind)
      maker.make(bytes)
      maker.output.withBytes { System.save($0, as: path) }
    case .parse:
      var parser = CardParser(names: FieldNames.table)
      System.readChunks(path) { chunk in
        parser.feed(chunk)
        if chunk.isEmpty { parser.finish() }
        while let batch = parser.nextBatch() {
          for line in batch.lines { found &+= Int(line.number) }
        }
      }
    case .person:
      var source = ContactSource(.vcard4)
      var reader = CardReader()
      System.readChunks(path) { chunk in
        source.feed(chunk)
        if chunk.isEmpty { source.finish() }
        while case .card(let batch, let index)? = source.next() {
          reader.read(batch, index)
          found &+= Person(reader.record).emails.count
        }
      }
    }
    System.say("\(found)\n", to: 1)
  }
}
