// Converting files of cards with several threads: the same bytes and findings as with one, in the same order.
import Bytes
import CardSyntax
import Files
import People

/// Sends files through a pipeline and puts together what comes out.
struct ParallelConversion: ~Copyable {
  private var pipeline: RunPipeline?
  /// Lines and contacts of the file before the part that comes next.
  private var base = (lines: 0, contacts: 0)
  private var total = 0

  /// Without a second thread it is off.
  init(jobs: Int, makeWorker: @escaping @Sendable () -> RunWorker) {
    pipeline = jobs > 1 ? RunPipeline(jobs: jobs, makeWorker: makeWorker) : nil
  }

  /// Is there more than one thread?
  var isOn: Bool {
    switch pipeline {
    case .some: true
    case .none: false
    }
  }

  /// Reads a file whose first bytes have been read. What comes out meanwhile, of earlier files as well, goes to `sink` and `output`;
  /// returns how many contacts that were. Some may be on their way still: `drain` waits for them.
  mutating func read(
    _ number: Int, _ files: [InputFile], _ first: [UInt8], _ stream: inout InputStream, _ sink: inout ContactSink,
    _ output: inout OutputStream, console: inout Console
  ) throws -> Int {
    guard var line = pipeline.take() else { return 0 }
    var cutter = RunCutter(file: number, first: first)
    var contacts = 0
    var isRead = true
    while isRead {
      let size = try stream.withNextChunk { chunk in
        for start in stride(from: 0, to: chunk.count, by: RunCutter.partSize) {
          while line.isFull { contacts += try collect(&line, files, &sink, &output, console: &console) }
          cutter.feed(chunk.extracting(start..<min(start + RunCutter.partSize, chunk.count)), to: &line)
        }
        return chunk.count
      }
      isRead = size != nil
    }
    while line.isFull { contacts += try collect(&line, files, &sink, &output, console: &console) }
    cutter.finish(to: &line)
    while line.isFull { contacts += try collect(&line, files, &sink, &output, console: &console) }
    pipeline = consume line
    return contacts
  }

  /// Waits for all that is on its way; returns how many contacts came out.
  mutating func drain(
    _ files: [InputFile], _ sink: inout ContactSink, _ output: inout OutputStream, console: inout Console
  ) throws -> Int {
    guard var line = pipeline.take() else { return 0 }
    var contacts = 0
    while !line.isEmpty { contacts += try collect(&line, files, &sink, &output, console: &console) }
    pipeline = consume line
    return contacts
  }

  private mutating func collect(
    _ line: inout RunPipeline, _ files: [InputFile], _ sink: inout ContactSink, _ output: inout OutputStream, console: inout Console
  ) throws -> Int {
    var contacts = 0
    var (base, total) = (base, total)
    try line.take { run in
      if run.isFirstOfFile { (base, total) = ((0, 0), 0) }
      for i in run.findings.indices {
        if let line = run.findings[i].line { run.findings[i].line = line + base.lines }
        if let contact = run.findings[i].contact { run.findings[i].contact = contact + base.contacts }
      }
      let file = files[run.file]
      Contacts.tell(run.findings, file, console: &console)
      contacts = run.tally.contacts
      base.lines += run.lines
      base.contacts += contacts
      total += run.input.count
      run.output.withBytes { sink.add($0, run.tally) }
      if sink.output.count > 1 << 16 { try output.write(&sink.output) }
      console.progress(file.path, contacts: base.contacts, bytes: total)
    }
    (self.base, self.total) = (base, total)
    if console.mustStop { throw RunStopped() }
    return contacts
  }
}
