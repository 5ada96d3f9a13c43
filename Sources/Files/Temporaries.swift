// The temporary files that a signal must remove, and the signals that do so.
internal import Bytes
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// The temporary files that exist now, in a form that a signal handler may read: fixed slots of bytes, no object, no lock.
///
/// A slot's first byte is written last and cleared first, so a handler sees a whole name or none. A name too long for a slot, or
/// more names than slots, are simply not covered; their owners still remove them on errors.
package enum Temporaries {
  private static let slots = 32
  private static let slotSize = 4096
  private static let taken = Mutex([Bool](repeating: false, count: slots))

  // Unsafe by need: only plain memory may be touched while a signal is handled. It lives as long as the process.
  nonisolated(unsafe) private static let names: UnsafeMutablePointer<CChar> = {
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: slots * slotSize)
    unsafe memory.initialize(repeating: 0, count: slots * slotSize)
    return unsafe memory
  }()

  /// Notes a name that is about to be created; the result is for `forget`.
  package static func register(_ path: FilePath) -> Int? {
    guard path.bytes.count < slotSize, let first = path.bytes.first else { return nil }
    let free = taken.withLock { taken -> Int? in
      guard let free = taken.firstIndex(of: false) else { return nil }
      taken[free] = true
      return free
    }
    guard let free else { return nil }
    let slot = unsafe names + free * slotSize
    for (index, byte) in path.bytes.enumerated().dropFirst() { unsafe slot[index] = CChar(bitPattern: byte) }
    unsafe slot[path.bytes.count] = 0
    unsafe slot[0] = CChar(bitPattern: first)
    return free
  }

  /// Takes a name off the list, once the file has its real name or is gone.
  package static func forget(_ slot: Int?) {
    guard let slot else { return }
    unsafe names[slot * slotSize] = 0
    taken.withLock { $0[slot] = false }
  }

  /// From here on SIGINT ends the run with status 130, SIGTERM and SIGHUP by themselves, each after the temporary files are gone.
  /// A signal that the caller of this process ignores stays ignored.
  package static func handleSignals() {
    _ = unsafe names
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let old = signal(number) { number in
        Temporaries.removeAll()
        if number == SIGINT { _exit(130) }
        _ = signal(number, SIG_DFL)
        _ = raise(number)
      }
      if unsafe unsafeBitCast(old, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { _ = signal(number, SIG_IGN) }
    }
  }

  /// Removes the files; only calls that a signal handler may make.
  private static func removeAll() {
    for slot in 0..<slots {
      let name = unsafe names + slot * slotSize
      if unsafe name[0] != 0 { _ = unsafe unlink(name) }
    }
  }
}
