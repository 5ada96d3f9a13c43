// Where bytes go: stdout, or a file that is replaced whole or not at all.
import Bytes
import Files

/// What `-o` names.
enum OutputTarget: Hashable {
  case standard
  case file(FilePath)
  /// A path that ends in `/`, or a folder that exists.
  case folder(FilePath)

  /// Is it a folder?
  var isFolder: Bool { if case .folder = self { true } else { false } }

  /// Nothing and `-` are stdout.
  init(_ path: FilePath?) {
    guard let path, !path.isStandard else {
      self = .standard
      return
    }
    let status = try? FileSystem.status(path)
    self = path.endsInSlash || status?.isFolder == true ? .folder(path) : .file(path)
  }
}

/// Stdout, or one output file. Bytes go out as they come, without a buffer of its own: give it large pieces.
///
/// A file is an `OutputFile`: what is not finished never existed. On a terminal, control, bidi and zero-width characters are written as
/// escapes.
struct OutputStream: ~Copyable {
  /// True where people read the output directly.
  let isTerminal: Bool
  private var file: OutputFile
  private var held: [UInt8] = []

  private init(_ opened: consuming OutputFile) {
    isTerminal = opened.isTerminal
    file = consume opened
  }

  /// Stdout.
  init() {
    self.init(.standard)
  }

  /// A file that will be replaced, or made; `-` is stdout. With a backup suffix the old file stays under its name and that suffix.
  init(_ path: FilePath, backupSuffix: [UInt8]? = nil) throws(StreamError) {
    if path.isStandard { self.init() } else { self.init(try OutputFile(path, backupSuffix: backupSuffix)) }
  }

  /// A file of that name in a folder that this run fills, as `OutputFile` makes it.
  init(named name: [UInt8], in folder: FilePath) throws(StreamError) {
    self.init(try OutputFile(named: name, in: folder))
  }

  /// The name for messages; `-` for stdout.
  var path: FilePath { file.path }

  /// Writes all bytes.
  mutating func write(_ bytes: Span<UInt8>) throws(StreamError) {
    if isTerminal { return try writeEscaped(bytes, isLast: false) }
    try file.write(bytes)
  }

  /// Writes what the buffer holds and empties it.
  mutating func write(_ buffer: inout ByteBuffer) throws(StreamError) {
    if isTerminal {
      let bytes = buffer.array()
      try writeEscaped(bytes.span, isLast: false)
      buffer.removeAll()
    } else {
      try file.write(&buffer)
    }
  }

  /// Writes a text.
  mutating func write(text: String) throws(StreamError) {
    let bytes = Array(text.utf8)
    try write(bytes.span)
  }

  /// Ends the output: a file is on the disk and has its name after this. An output that is not finished never existed.
  mutating func finish() throws(StreamError) {
    if isTerminal { try writeEscaped([UInt8]().span, isLast: true) }
    try file.finish()
  }

  /// A character may be split between two writes: its first bytes are held until the rest has come.
  private mutating func writeEscaped(_ bytes: Span<UInt8>, isLast: Bool) throws(StreamError) {
    var all = held
    for index in bytes.indices { all.append(bytes[index]) }
    var shown = ByteBuffer(capacity: all.count + 64)
    let used = TerminalText.escape(all.span, into: &shown, keepingLines: true, isLast: isLast)
    held = Array(all[used...])
    try file.write(&shown)
  }
}
