// Where bytes come from: files, stdin and pipes, all read alike and twice if need be.
package import Bytes

/// A file, a pipe or stdin, read in chunks of 96 KiB: a batch of cards with its tables fits into the cache of a processor, and the C library
/// does not take the memory for one from the system anew, as it does from 128 KiB on.
package struct InputStream: ~Copyable {
  /// The largest run of bytes that one call reads.
  package static let chunkSize = 96 * 1024

  /// The name for messages; `-` for stdin.
  package let path: FilePath
  private var descriptor: FileDescriptor
  private var chunk: [UInt8]
  private let start: Int?

  /// Opens a file, or stdin for `-`.
  package init(_ path: FilePath) throws(StreamError) {
    if path.isStandard { self.init(.input) } else { try self.init(file: path) }
  }

  /// Opens a file, whatever it is called.
  package init(file path: FilePath) throws(StreamError) {
    self.init(try FileDescriptor.opened(path, for: .reading))
  }

  private init(_ opened: consuming FileDescriptor) {
    path = opened.path
    descriptor = consume opened
    let status = descriptor.status
    let isRegular = status?.isRegular ?? false
    start = isRegular ? descriptor.position : nil
    // A small file needs no large chunk: one byte more than its size shows its end without a second allocation.
    let size = isRegular ? status?.size ?? 0 : 0
    chunk = [UInt8](repeating: 0, count: size > 0 ? min(size + 1, Self.chunkSize) : Self.chunkSize)
  }

  /// Adds the next bytes to the buffer, at most a chunk; false at the end, where nothing is added.
  package mutating func read(into buffer: inout ByteBuffer) throws(StreamError) -> Bool {
    let count = try descriptor.readChunk(into: &chunk)
    buffer.append(chunk.span, 0, count)
    return count > 0
  }

  /// The first bytes, a chunk of them unless there are fewer.
  package mutating func firstChunk() throws(StreamError) -> [UInt8] {
    var first: [UInt8] = []
    while first.count < Self.chunkSize {
      let count = try descriptor.readChunk(into: &chunk)
      if count == 0 { break }
      first.append(contentsOf: chunk.span, 0, count)
    }
    return first
  }

  /// Lends the next bytes without a copy; nil at the end.
  package mutating func withNextChunk<Result>(_ body: (Span<UInt8>) throws -> Result) throws -> Result? {
    let count = try descriptor.readChunk(into: &chunk)
    if count == 0 { return nil }
    return try body(chunk.span.extracting(first: count))
  }

  /// Lends bytes that were read before, and empties them; where there are none, the next bytes.
  package mutating func withNextChunk<Result>(after first: inout [UInt8], _ body: (Span<UInt8>) throws -> Result) throws -> Result? {
    guard !first.isEmpty else { return try withNextChunk(body) }
    let bytes = first
    first = []
    return try body(bytes.span)
  }

  /// True where `rewind` works: a file, or a pipe after `makeRewindable`.
  package var isRewindable: Bool { start != nil || isCopied }
  /// True where bytes come from a copy that only this stream has.
  package private(set) var isCopied = false

  /// Readies a second pass before anything is read: a pipe is copied into a temporary file that has no name any more.
  package mutating func makeRewindable() throws(StreamError) {
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
  package mutating func rewind() throws(StreamError) {
    try descriptor.seek(to: isCopied ? 0 : start ?? 0)
  }
}
