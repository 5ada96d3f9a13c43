// System calls that only the tests need.
@testable import vcard

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

func removeFolder(_ path: FilePath) { _ = unsafe rmdir(path.text) }
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
