// System calls that only the tests need.
import Files
import TestSupport
@testable import vcard

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

func makeLink(_ path: FilePath, to target: String) { _ = unsafe symlink(target, path.text) }
func setMode(_ path: FilePath, _ mode: UInt32) { _ = unsafe chmod(path.text, mode_t(mode)) }
/// A shell starts background jobs with SIGINT ignored, which the command respects; here it is not to be.
func noticeInterrupts() {
  _ = signal(SIGINT, SIG_DFL)
  var none = sigset_t()
  _ = unsafe sigemptyset(&none)
  _ = unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
}
func interruptSelf() { _ = raise(SIGINT) }
let noSuchFile = ENOENT

/// A process: the built command, or another one.
struct Child {
  private let process: pid_t

  /// The command that stands beside the tests.
  static let command = FilePath(CommandLine.arguments.first ?? "").folder.appending(Array("vcard".utf8))

  /// Starts a command, stdin empty, stdout and stderr sent to files (by default nowhere).
  init(
    _ arguments: [FilePath], of command: FilePath = Child.command, output: FilePath = "/dev/null", errors: FilePath = "/dev/null"
  ) throws(StreamError) {
    var actions = unsafe posix_spawn_file_actions_t()
    _ = unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    _ = unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    _ = unsafe posix_spawn_file_actions_addopen(&actions, 1, output.text, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = unsafe posix_spawn_file_actions_addopen(&actions, 2, errors.text, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([command] + arguments).map { unsafe strdup($0.text) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var started = pid_t()
    let result = unsafe posix_spawn(&started, command.text, &actions, nil, &words, nil)
    if result != 0 { throw StreamError(path: command, errno: result) }
    process = started
  }

  /// Ends it at once, as the end of a machine would.
  func end() { _ = kill(process, SIGKILL) }

  /// Waits for its end: the exit status, or the negative number of the signal that ended it.
  func wait() -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
  }
}

/// Waits for so many microseconds.
func pause(microseconds: UInt32) { _ = usleep(microseconds) }

/// A disk in memory that is soon full.
struct TinyDisk {
  private let folder: FilePath

  /// May disks be mounted here?
  static let isAllowed: Bool = {
    guard let disk = try? TinyDisk(FilePath("/tmp/vcard-test-disk-\(getpid())"), kilobytes: 16) else { return false }
    disk.remove()
    return true
  }()

  init(_ folder: FilePath, kilobytes: Int) throws {
    self.folder = folder
    try FileSystem.makeFolders(folder)
    let words: [FilePath] = ["-t", "tmpfs", "-o", FilePath("size=\(kilobytes)k"), "vcard-test", folder]
    if try Child(words, of: "/bin/mount").wait() != 0 {
      removeFolder(folder)
      throw StreamError(path: folder, errno: EPERM)
    }
  }

  func remove() {
    _ = try? Child([folder], of: "/bin/umount").wait()
    removeFolder(folder)
  }
}
