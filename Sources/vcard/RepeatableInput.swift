// Inputs that are read more than once: files are opened again, pipes are copied.
import Files

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
