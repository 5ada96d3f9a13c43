// What files need to know of the process that makes them: its number, its environment.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// What the system says about this run; the command adds what only it needs.
package enum Process {
  /// A variable of the environment; nil where it is not set or empty.
  package static func environment(_ name: String) -> FilePath? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe FilePath(bytes: Array(UnsafeRawBufferPointer(start: value, count: strlen(value))))
  }

  /// The number of this process.
  package static var number: Int { Int(getpid()) }
}
