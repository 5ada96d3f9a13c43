// Persons from files of any format, read piece by piece while a loop waits for them.

public import CardSyntax
public import Files
internal import Bytes

/// The persons in a file, one after the other, whatever its format.
///
/// ```swift
/// for try await person in PersonReader("contacts.vcf") { print(person.fullName ?? "(no name)") }
/// ```
///
/// The file's extension and its first bytes tell the format: vCard, JSON, JSON Lines, jCard, JSContact, xCard, CSV, TSV or LDIF. A
/// quarter of a megabyte and one contact are in memory at a time, however large the file is. Each loop reads from the start.
///
/// What is damaged is read as far as it can be and is no error: the iterator has the `diagnostics`. Reading fails where the file cannot
/// be read, and where the task is cancelled; the error says so, so that half of a file is never taken for all of it.
public struct PersonReader: AsyncSequence, Sendable {
  /// Where the bytes come from.
  private enum Origin: Sendable {
    case file(FilePath)
    case bytes([UInt8])
  }

  private let origin: Origin
  private let format: ContactFormat?
  private let encoding: String?

  /// The persons in the file of that path; `-` is a file like others. Nothing is opened before the first person is asked for.
  ///
  /// `format` is for files that do not tell it, such as a table with a header of one's own; `encoding` is a character encoding, such as
  /// `windows-1252`, for files that name none. One that nobody knows is passed over, which is a finding.
  public init(_ path: String, format: ContactFormat? = nil, encoding: String? = nil) {
    (origin, self.format, self.encoding) = (.file(FilePath(path)), format, encoding)
  }

  /// The persons in `bytes`, for callers that take either; `Persons` needs no `await`.
  public init(bytes: some Sequence<UInt8>, format: ContactFormat? = nil, encoding: String? = nil) {
    (origin, self.format, self.encoding) = (.bytes(Array(bytes)), format, encoding)
  }

  /// Starts at the first person again.
  public func makeAsyncIterator() -> Iterator {
    switch origin {
    case .file(let path):
      return Iterator(path, nil, PersonSource(format, encoding: encoding, fileExtension: path.fileExtension))
    case .bytes(let bytes):
      return Iterator(FilePath(bytes: []), bytes, PersonSource(format, encoding: encoding))
    }
  }
}

/// A file that could not be read or written, under the name that it has for those who import `People` alone.
public typealias StreamError = Files.StreamError

extension PersonReader {
  /// Reads on demand. The calls for files are made where `next` is called, a piece at a time; other tasks get their turn between pieces.
  public final class Iterator: AsyncIteratorProtocol {
    private let path: FilePath
    /// What is read in place of a file.
    private let bytes: [UInt8]?
    /// Where the next piece of them begins; nil at the end.
    private var position: Int? = 0
    private var source: PersonSource
    private var stream: InputStream?
    private var piece = ByteBuffer(capacity: 16)
    private var progress = Progress.unopened
    /// How far a file has been read.
    private enum Progress { case unopened, open, read, ended }
    /// How many pieces of the file have been read.
    private(set) var piecesRead = 0
    /// What was found on the way to the person given last, repairs and damage; after the last one, what stood behind it.
    public private(set) var diagnostics: [Diagnostic] = []

    init(_ path: FilePath, _ bytes: [UInt8]?, _ source: consuming PersonSource) {
      self.path = path
      self.bytes = bytes
      self.source = source
    }

    /// The format that is read; nil until the first person has been asked for, unless it was named.
    public var format: ContactFormat? { source.format }

    /// The next person; nil at the end, and after an error. A contact beyond the limits is passed over, which is a finding.
    public nonisolated(nonsending) func next() async throws(StreamError) -> Person? { try await next(isolation: #isolation) }

    /// The next person, as `next()`, for callers on an actor.
    public func next(isolation actor: isolated (any Actor)?) async throws(StreamError) -> Person? {
      defer { diagnostics = source.takeFindings() }
      guard progress != .ended else { return nil }
      do throws(StreamError) {
        repeat {
          if Task.isCancelled { throw StreamError.cancelled(path) }
          if let person = source.next() { return person }
          await Task.yield()
        } while try readPiece()
      } catch {
        end()
        throw error
      }
      end()
      return nil
    }

    /// Takes the next piece; false where none is left.
    private func readPiece() throws(StreamError) -> Bool {
      if let bytes { return source.feedPiece(of: bytes, from: &position) }
      switch progress {
      case .unopened:
        stream = try InputStream(file: path)
        progress = .open
        // The first piece tells the format: a pipe may give less at once.
        while piece.count < InputStream.chunkSize, try readMore() {}
      case .open: _ = try readMore()
      case .read, .ended: return false
      }
      if piece.isEmpty {
        source.finish()
        progress = .read
      } else {
        piecesRead += 1
        piece.withBytes { source.feed($0) }
        piece.removeAll()
      }
      return true
    }

    private func readMore() throws(StreamError) -> Bool { try stream?.read(into: &piece) ?? false }

    /// Closes the file.
    private func end() {
      progress = .ended
      stream = nil
    }
  }
}
