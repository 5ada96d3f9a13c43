// What goes wrong with files: which file it was, and the system's reason.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// A file that could not be read or written: which, and the system's reason. It is the one error of reading and writing; damage in what
/// was read is told by diagnostics and stops nothing.
public struct StreamError: Error, Hashable {
  /// The file.
  package let file: FilePath
  /// The system's error number, such as `ENOENT` where there is no such file.
  public let errno: Int32

  package init(path: FilePath, errno: Int32) { (file, self.errno) = (path, errno) }

  /// The path of the file as it was given, `-` for stdin or stdout, empty where bytes were read; what is no UTF-8 in it is U+FFFD.
  public var path: String { file.text }

  /// A sentence for people: `contacts.vcf: No such file or directory`.
  public var message: String {
    let place = file.bytes.isEmpty ? "" : "\(path): "
    guard let text = unsafe strerror(errno) else { return "\(place)error \(errno)" }
    return unsafe place + String(cString: text)
  }

  /// True where nothing is wrong with the file: the task that read it was cancelled.
  public var isCancellation: Bool { errno == ECANCELED }

  /// The task was cancelled.
  package static func cancelled(_ path: FilePath) -> StreamError { StreamError(path: path, errno: ECANCELED) }

  /// The file does not exist.
  package static func notFound(_ path: FilePath) -> StreamError { StreamError(path: path, errno: ENOENT) }

  /// True where the reader of our output has gone, which ends the command quietly.
  package var isClosedPipe: Bool { errno == EPIPE }
}

extension StreamError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
