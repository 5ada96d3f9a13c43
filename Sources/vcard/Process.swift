// The process around the command: its arguments, its clock, the state it starts in.
import Files

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

extension Process {
  /// The arguments without the program's name, as bytes: `CommandLine.arguments` would repair what is no UTF-8.
  static func arguments() -> [FilePath] {
    (0..<Int(CommandLine.argc)).dropFirst().compactMap { index in
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
      return unsafe FilePath(bytes: Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
    }
  }

  /// Milliseconds on a clock that only goes forward.
  static func milliseconds() -> Int {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  /// The present time in UTC, as ISO 8601 with seconds.
  static func now() -> String {
    var seconds = time(nil)
    var parts = unsafe tm()
    _ = unsafe gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = unsafe "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return unsafe "\(day)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }

  /// The folder that relative paths begin in; nil where the system does not tell.
  static var currentFolder: FilePath? {
    guard let text = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(text) }
    return unsafe FilePath(bytes: Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
  }

  /// How many processors may work for this process.
  static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Makes the ground firm: the three standard descriptors are open (a closed one gets an end that fails when it is used,
  /// so that no output file lands on its number), a closed pipe is an error and no signal, and signals leave no temporary file.
  static func prepare() {
    for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
    }
    _ = signal(SIGPIPE, SIG_IGN)
    Temporaries.handleSignals()
  }
}
