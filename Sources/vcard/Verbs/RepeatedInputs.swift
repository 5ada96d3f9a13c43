// Files that are read more than once, from the first contact to the last each time.
import Bytes
import CardSyntax
import Files
import People

/// The inputs of a verb that has to see all contacts before it can say anything of one.
final class RepeatedInputs {
  /// A stream that stays open, since a pipe cannot be opened again.
  private final class Kept {
    var stream: InputStream

    init(_ stream: consuming InputStream) { self.stream = stream }
  }

  let files: [InputFile]
  private let invocation: Invocation
  private var kept: [Int: Kept] = [:]
  private var passes = 0

  init(_ files: [InputFile], of invocation: Invocation) { (self.files, self.invocation) = (files, invocation) }

  /// Reads every contact once more; `body` gets the number of its file and where its card begins (0 where it is none). What is wrong
  /// with the inputs is told the first time. Returns how many contacts each file has.
  @discardableResult
  func read(
    console: inout Console,
    _ body: (_ file: Int, _ line: Int, Contact, borrowing ContactSource, inout Console) throws -> Void
  ) throws -> [Int] {
    var counts: [Int] = []
    for number in files.indices {
      if let kept = kept[number] {
        try kept.stream.rewind()
        counts.append(try read(number, &kept.stream, console: &console, body))
        continue
      }
      var stream = try InputStream(files[number].path)
      if files[number].path.isStandard || !stream.isRewindable {
        try stream.makeRewindable()
        let open = Kept(stream)
        kept[number] = open
        counts.append(try read(number, &open.stream, console: &console, body))
      } else {
        counts.append(try read(number, &stream, console: &console, body))
      }
    }
    passes += 1
    return counts
  }

  private func read(
    _ number: Int, _ stream: inout InputStream, console: inout Console,
    _ body: (_ file: Int, _ line: Int, Contact, borrowing ContactSource, inout Console) throws -> Void
  ) throws -> Int {
    try Contacts.read(files[number], &stream, invocation, console: &console, reports: passes == 0) { contact, source, console in
      var line = 0
      if case .card(let batch, let index) = contact { line = batch[index].line }
      try body(number, line, contact, source, &console)
    }
  }
}

/// A record that waits, as small as can be: the JSON record, which holds all of it.
struct WaitingRecord {
  private let json: [UInt8]
  private let version: CardVersion

  init(_ record: borrowing Record) {
    var text = ByteBuffer(capacity: 1024)
    JSONFormat().write(record, to: &text)
    json = text.array()
    version = record.version
  }

  /// The record again.
  func record() -> Record {
    var reader = JSONRecordReader()
    var record = Record()
    _ = reader.read(json, line: 1, into: &record)
    record.version = version
    return record
  }
}
