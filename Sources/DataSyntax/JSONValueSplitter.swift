// A stream of JSON cut into its records: chunks in, one complete value out at a time. Only strings and nesting are looked at.
import Bytes

/// When the elements of a top-level array are records of their own.
package enum JSONArrayRule: Sendable {
  /// Always.
  case always
  /// Unless the array begins with a string: `["vcard", ...]` is one value, `[["vcard", ...], ...]` holds several.
  case unlessFirstElementIsString
}

/// Cuts a stream of JSON into complete values, holding one value and one chunk in memory.
///
/// The stream is one top-level array, whose elements come out one by one, or any number of top-level values one after the other
/// (JSON Lines, RFC 7464 with its record separators, or simply put together). A byte order mark is dropped.
///
/// The values that come out are balanced, no more; `JSONReader` checks the rest of their grammar. A fault is thrown once and costs
/// its own value alone where another value can be told to begin: after the end that matches, at a record separator, or at a later
/// line that opens an object or array and is indented no deeper than the line where the faulty value began.
package struct JSONValueSplitter: ~Copyable, Sendable {
  private var pending = ByteBuffer(capacity: 1 << 16)
  private var piece = ByteBuffer(capacity: 1 << 10)
  private var scanner: JSONValueScanner
  private var isFinished = false

  /// A splitter with its limits; `maximumDepth` (1 to 128) counts the levels of one value.
  package init(splitsArrays: JSONArrayRule, maximumValueBytes: Int = 256 << 20, maximumDepth: Int = 128) {
    scanner = JSONValueScanner(rule: splitsArrays, maximumValueBytes: maximumValueBytes, maximumDepth: maximumDepth)
  }

  /// Takes the next bytes of the stream, in chunks of any size. Call `next` until it returns nil before feeding more.
  package mutating func feed(_ chunk: Span<UInt8>) {
    let done = scanner.firstNeeded
    if done > 0 && done >= pending.count - done {
      pending.removeFirst(done)
      scanner.forget(done)
    }
    pending.append(chunk)
  }

  /// Says that no bytes follow.
  package mutating func finish() { isFinished = true }

  /// The next complete value and the line where it begins; nil when more bytes are needed or, after `finish`, at the end.
  ///
  /// Throws for a faulty value or for what stands between values; the next call goes on behind it.
  package mutating func next() throws(DataSyntaxError) -> (bytes: [UInt8], line: Int)? {
    var outcome = pending.withBytes { scanner.advance($0) }
    if outcome == .needsBytes && isFinished { outcome = scanner.finish(count: pending.count) }
    switch outcome {
    case .needsBytes: return nil
    case .fault(let error): throw error
    case .value(let start, let end, let line):
      piece.removeAll()
      pending.withBytes { piece.append($0, start, end) }
      return (piece.array(), line)
    }
  }
}
