// Temporary files: beside the file that they will replace, or without any name.
internal import Bytes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Files that nobody else should see.
package enum TemporaryFile {
  /// A new file, its name, and its place on the list of what a signal removes.
  package struct Created: ~Copyable {
    package var descriptor: FileDescriptor
    package let path: FilePath
    package let slot: Int?
  }

  /// A new file in the folder of `target`: hidden, and with a name that no program takes for a contact file.
  package static func beside(_ target: FilePath, shownAs shown: FilePath) throws(StreamError) -> Created {
    let stem = Array(".".utf8) + target.name.prefix(200) + Array(".vcard-tmp-\(Process.number)-".utf8)
    var folder = target.folder
    if !target.bytes.contains(ASCII.slash) { folder = FilePath(bytes: []) }
    var reason = EEXIST
    for attempt in 0..<1000 {
      let path = folder.appending(stem + Array(String(attempt).utf8))
      let slot = Temporaries.register(path)
      do throws(StreamError) {
        return Created(descriptor: try FileDescriptor.opened(path, for: .creating), path: path, slot: slot)
      } catch {
        Temporaries.forget(slot)
        reason = error.errno
        if reason != EEXIST { break }
      }
    }
    throw StreamError(path: shown, errno: reason)
  }

  /// A new file in the system's folder for such, already without a name: it is gone when it is closed.
  package static func anonymous() throws(StreamError) -> FileDescriptor {
    let folder = Process.environment("TMPDIR") ?? "/tmp"
    let created = try beside(folder.appending(Array("stdin".utf8)), shownAs: folder)
    FileSystem.remove(created.path)
    Temporaries.forget(created.slot)
    return created.descriptor
  }
}
