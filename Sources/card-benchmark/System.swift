// What the benchmark asks of the system: files, and processes whose time and memory are told when they end.

import Bytes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Calls of the C library. Buffers are lent for the call alone, texts are passed as C strings.
enum System {
  /// What a process used.
  struct Usage {
    /// Seconds of the processor, of the process and the system for it.
    var processor: Double
    /// Seconds on the clock.
    var elapsed: Double
    var peakBytes: Int
  }

  /// Runs a program with its output thrown away; nil where it cannot be started or dies of a signal.
  static func run(_ program: String, _ arguments: [String]) -> Usage? {
    var actions = unsafe posix_spawn_file_actions_t()
    guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return nil }
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var child: pid_t = 0
    let begin = clock()
    guard unsafe posix_spawn(&child, program, &actions, nil, &words, environ) == 0 else { return nil }
    var status: Int32 = 0
    var usage = rusage()
    guard unsafe wait4(child, &status, 0, &usage) == child, status & 0x7F == 0 else { return nil }
    #if canImport(Darwin)
      let unit = 1
    #else
      let unit = 1024
    #endif
    return Usage(
      processor: seconds(usage.ru_utime) + seconds(usage.ru_stime), elapsed: clock() - begin, peakBytes: Int(usage.ru_maxrss) * unit)
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

  private static func clock() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  // MARK: Files

  /// The path of this program.
  static var ownPath: String { CommandLine.arguments.first ?? "card-benchmark" }
  /// The folder that it is in.
  static var ownFolder: String { ownPath.lastIndex(of: "/").map { String(ownPath[..<$0]) } ?? "." }

  static func temporaryFolder() -> String {
    let path = "/tmp/card-benchmark-\(getpid())"
    _ = unsafe mkdir(path, 0o700)
    return path
  }

  /// Removes a folder and the files in it.
  static func removeFolder(_ path: String) {
    guard let folder = unsafe opendir(path) else { return }
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { _ = unsafe unlink(path + "/" + name) }
    }
    _ = unsafe closedir(folder)
    _ = unsafe rmdir(path)
  }

  /// The size of a file; nil where there is none.
  static func size(of path: String) -> Int? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Lends a file in pieces of 256 KiB, an empty one at its end.
  static func readChunks(_ path: String, _ body: (Span<UInt8>) -> Void) {
    let file = unsafe open(path, O_RDONLY)
    var chunk = [UInt8](repeating: 0, count: 256 * 1024)
    while true {
      let count = max(0, unsafe chunk.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) })
      body(chunk.span.extracting(first: count))
      if count == 0 { break }
    }
    _ = close(file)
  }

  /// The text of a file; empty where there is none.
  static func text(of path: String) -> String {
    var bytes: [UInt8] = []
    readChunks(path) { chunk in bytes.append(contentsOf: chunk, 0, chunk.count) }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func say(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    writeAll(bytes.span, to: descriptor)
  }

  static func save(_ text: String, as path: String) {
    let bytes = Array(text.utf8)
    save(bytes.span, as: path)
  }

  static func save(_ bytes: Span<UInt8>, as path: String) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    writeAll(bytes, to: file)
    _ = close(file)
  }

  private static func writeAll(_ bytes: Span<UInt8>, to descriptor: Int32) {
    var position = 0
    while position < bytes.count {
      let rest = bytes.extracting(position..<bytes.count)
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      position += count
    }
  }
}
