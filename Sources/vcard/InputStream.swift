// Where bytes come from: files, stdin and pipes, all read alike and twice if need be.
import Bytes

/// A file, a pipe or stdin, read in chunks of 256 KiB.
struct InputStream: ~Copyable {
  /// The largest run of bytes that one call reads.
  static let chunkSize = 256 * 1024

  /// The name for messages; `-` for stdin.
  let path: FilePath
  private var descriptor: FileDescriptor
  private var chunk: [UInt8]
  private let start: Int?

  /// Opens a file, or stdin for `-`.
  init(_ path: FilePath) throws(StreamError) {
    self.path = path
    if path.isStandard {
      descriptor = .input
    } else {
      descriptor = try FileDescriptor.opened(path, for: .reading)
    }
    let status = descriptor.status
    let isRegular = status?.isRegular ?? false
    start = isRegular ? descriptor.position : nil
    // A small file needs no large chunk: one byte more than its size shows its end without a second allocation.
    let size = isRegular ? status?.size ?? 0 : 0
    chunk = [UInt8](repeating: 0, count: size > 0 ? min(size + 1, Self.chunkSize) : Self.chunkSize)
  }

  /// Adds the next bytes to the buffer, at most a chunk; false at the end, where nothing is added.
  mutating func read(into buffer: inout ByteBuffer) throws(StreamError) -> Bool {
    let count = try descriptor.readChunk(into: &chunk)
    buffer.append(chunk.span, 0, count)
    return count > 0
  }

  /// The first bytes, a chunk of them unless there are fewer.
  mutating func firstChunk() throws(StreamError) -> [UInt8] {
    var first: [UInt8] = []
    while first.count < Self.chunkSize {
      let count = try descriptor.readChunk(into: &chunk)
      if count == 0 { break }
      first.append(contentsOf: chunk.span, 0, count)
    }
    return first
  }

  /// Lends the next bytes without a copy; nil at the end.
  mutating func withNextChunk<Result>(_ body: (Span<UInt8>) throws -> Result) throws -> Result? {
    let count = try descriptor.readChunk(into: &chunk)
    if count == 0 { return nil }
    return try body(chunk.span.extracting(first: count))
  }

  /// Lends bytes that were read before, and empties them; where there are none, the next bytes.
  mutating func withNextChunk<Result>(after first: inout [UInt8], _ body: (Span<UInt8>) throws -> Result) throws -> Result? {
    guard !first.isEmpty else { return try withNextChunk(body) }
    let bytes = first
    first = []
    return try body(bytes.span)
  }

  /// True where `rewind` works: a file, or a pipe after `makeRewindable`.
  var isRewindable: Bool { start != nil || isCopied }
  /// True where bytes come from a copy that only this stream has.
  private(set) var isCopied = false

  /// Readies a second pass before anything is read: a pipe is copied into a temporary file that has no name any more.
  mutating func makeRewindable() throws(StreamError) {
    if isRewindable { return }
    let copy = try TemporaryFile.anonymous()
    while true {
      let count = try descriptor.readChunk(into: &chunk)
      if count == 0 { break }
      try copy.writeAll(chunk.span.extracting(first: count))
    }
    try copy.seek(to: 0)
    descriptor = copy
    isCopied = true
  }

  /// Goes back to where reading began; call it only where `isRewindable`.
  mutating func rewind() throws(StreamError) {
    try descriptor.seek(to: isCopied ? 0 : start ?? 0)
  }
}

/// A file that may be read twice: a regular file is opened again, of anything else a copy is kept until then.
final class RepeatableInput {
  let file: InputFile
  /// The copy of an input that cannot be opened again.
  private var kept: InputStream?
  private var isOpened = false

  init(_ file: InputFile) { self.file = file }

  /// Lends the input from its start on; say `again` where another call will follow.
  func withStream<Result>(again: Bool = false, _ body: (inout InputStream) throws -> Result) throws -> Result {
    var stream = try kept.take() ?? InputStream(file.path)
    if isOpened {
      try stream.rewind()
    } else if again, !stream.isRewindable {
      try stream.makeRewindable()
    }
    let result = try body(&stream)
    if again, stream.isCopied {
      isOpened = true
      kept = consume stream
    }
    return result
  }
}
