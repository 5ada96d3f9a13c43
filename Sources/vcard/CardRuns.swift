// Parts of files of cards on their way through worker threads: bytes in, what they are converted to and the findings out, in order.
import Bytes
import CardSyntax
import Dispatch
import People
import Synchronization

/// A part of a file: whole cards, and what became of them. Its buffers are used again for later parts.
struct CardRun: ~Copyable, Sendable {
  /// The bytes; of all parts but the last the line that begins the next card follows.
  var input = ByteBuffer(capacity: 1 << 18)
  /// Which of the files it is from.
  var file = 0
  var isFirstOfFile = false, isLastOfFile = false
  /// The file began with a UTF-8 byte order mark.
  var hadByteOrderMark = false

  var output = ByteBuffer(capacity: 1 << 16)
  var tally = ContactSink.Tally()
  /// Lines and contacts in them count from the start of the part.
  var findings: [Diagnostic] = []
  var lines = 0
}

/// Converts parts, one after the other; each thread has its own.
struct RunWorker: ~Copyable {
  private var source = ContactSource(.vcard4)
  private var sink: ContactSink

  init(_ sink: consuming ContactSink) { self.sink = sink }

  mutating func work(_ run: inout CardRun) {
    run.findings.removeAll(keepingCapacity: true)
    source.begin(hadByteOrderMark: run.hadByteOrderMark)
    run.input.withBytes { source.feed($0) }
    // The source has its own copy; a large card need not be there twice.
    run.input.removeAll()
    run.input.releaseSpare()
    if run.isLastOfFile { source.finish() }
    while let contact = source.next() {
      run.findings += source.takeFindings()
      sink.write(contact, of: source)
      run.findings += sink.takeFindings()
    }
    run.findings += source.takeFindings()
    run.lines = source.linesRead
    run.tally = sink.takeTally()
    run.output.removeAll()
    swap(&run.output, &sink.output)
  }
}

/// Hands parts to threads and takes them back in the order in which they were given. As long as there is one part alone it is worked
/// on by the caller, so that small inputs start no thread.
struct RunPipeline: ~Copyable {
  /// A place for a part; only who has taken it off a queue looks into it.
  private final class Slot: Sendable {
    let run = Mutex(CardRun())
    let isDone = DispatchSemaphore(value: 0)
  }

  /// What the threads share.
  private final class Shared: Sendable {
    let slots: [Slot]
    let waiting = DispatchSemaphore(value: 0)
    let given = Atomic(0), taken = Atomic(0)
    init(_ count: Int) { slots = (0..<count).map { _ in Slot() } }
    func slot(_ number: Int) -> Slot { slots[number % slots.count] }
  }

  private let shared: Shared
  private let jobs: Int
  private let makeWorker: @Sendable () -> RunWorker
  private var own: RunWorker?
  private var given = 0, returned = 0
  private var hasThreads = false

  init(jobs: Int, makeWorker: @escaping @Sendable () -> RunWorker) {
    self.jobs = jobs
    self.makeWorker = makeWorker
    shared = Shared(jobs + 2)
  }

  deinit {
    shared.given.store(given, ordering: .releasing)
    if hasThreads { for _ in 0..<jobs { shared.waiting.signal() } }
  }

  /// Has every place a part that was not taken back?
  var isFull: Bool { given - returned == shared.slots.count }
  /// Has every part been taken back?
  var isEmpty: Bool { given == returned }

  /// Gives a part, which `fill` writes into a place that is free; call it only where it is not full.
  mutating func give(_ fill: (inout CardRun) -> Void) {
    shared.slot(given).run.withLock { fill(&$0) }
    given += 1
    shared.given.store(given, ordering: .releasing)
    if hasThreads {
      shared.waiting.signal()
    } else if given - returned > 1 {
      startThreads()
    }
  }

  /// Takes back the oldest part, when it is done; call it only where it is not empty.
  mutating func take(_ body: (inout CardRun) throws -> Void) throws {
    let slot = shared.slot(returned)
    if hasThreads {
      slot.isDone.wait()
    } else {
      var worker = own.take() ?? makeWorker()
      slot.run.withLock { worker.work(&$0) }
      own = consume worker
    }
    returned += 1
    try slot.run.withLock { try body(&$0) }
  }

  private mutating func startThreads() {
    hasThreads = true
    shared.taken.store(returned, ordering: .releasing)
    for number in 0..<jobs {
      let (shared, makeWorker) = (shared, makeWorker)
      DispatchQueue(label: "worker \(number)").async {
        var worker = makeWorker()
        while true {
          shared.waiting.wait()
          let place = shared.taken.add(1, ordering: .acquiringAndReleasing).oldValue
          guard place < shared.given.load(ordering: .acquiring) else { return }
          let slot = shared.slot(place)
          slot.run.withLock { worker.work(&$0) }
          slot.isDone.signal()
        }
      }
    }
    for _ in returned..<given { shared.waiting.signal() }
  }
}

/// Cuts files of cards into parts.
struct RunCutter: ~Copyable {
  private var pending = ByteBuffer(capacity: 1 << 18)
  private var isFirst = true
  private var hadByteOrderMark = false
  private let file: Int

  /// A cutter for a file whose first bytes these are.
  init(file: Int, first: [UInt8]) {
    self.file = file
    hadByteOrderMark = first.starts(with: [0xEF, 0xBB, 0xBF])
    pending.append(first[(hadByteOrderMark ? 3 : 0)...])
  }

  /// Can a file that begins with these bytes be cut? Not where it is in UTF-16, or (unless they are all of it) no card ends in them.
  static func canCut(_ first: Span<UInt8>, isWhole: Bool) -> Bool {
    for i in 0..<min(64, first.count) where first[i] == 0 || first[i] >= 0xFE { return false }
    return isWhole || CardBoundary.last(in: first, from: 0) != nil
  }

  /// About how many bytes a part has: what a thread makes of them is several times as large.
  static let partSize = 1 << 17

  /// Takes the next bytes, a part at most; there must be a free place in the pipeline.
  mutating func feed(_ bytes: Span<UInt8>, to pipeline: inout RunPipeline) {
    let searched = max(0, pending.count - 64)
    pending.append(bytes)
    let limit = Limits().card
    let end = pending.withBytes { bytes in
      CardBoundary.last(in: bytes, from: searched)
        ?? (bytes.count > limit ? CardBoundary.last(in: bytes, from: 0) ?? bytes.count : nil)
    }
    guard let end else { return }
    give(end, isLast: false, to: &pipeline)
  }

  /// Says that no more bytes come.
  mutating func finish(to pipeline: inout RunPipeline) { give(pending.count, isLast: true, to: &pipeline) }

  private mutating func give(_ end: Int, isLast: Bool, to pipeline: inout RunPipeline) {
    pipeline.give { run in
      run.file = file
      (run.isFirstOfFile, run.isLastOfFile, run.hadByteOrderMark) = (isFirst, isLast, hadByteOrderMark)
      // The part takes the buffer over, and what begins the next one goes into the buffer that the part had.
      run.input.removeAll()
      pending.withBytes { run.input.append($0, end, $0.count) }
      pending.truncate(to: end)
      swap(&run.input, &pending)
      if !isLast {
        run.input.append(CardBoundary.beginLine)
        run.input.append("\r\n")
      }
    }
    isFirst = false
  }
}
