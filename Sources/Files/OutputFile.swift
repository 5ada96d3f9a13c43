// Files that are replaced whole or not at all.

package import Bytes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// One file to write. Bytes go out as they come, without a buffer of its own: give it large pieces.
///
/// A file gets its bytes under a hidden name beside the old one, and its real name in `finish`. Whatever ends the run before that,
/// an error or a forgotten `finish`, leaves the old file as it was and no other behind; so does a signal where `Temporaries` handle it.
/// A device or a named pipe is written to where it is; a symbolic link is followed to the file it names.
package struct OutputFile: ~Copyable {
  /// The name for messages; `-` for stdout.
  package let path: FilePath
  private var descriptor: FileDescriptor?
  private var replacement: Replacement?

  private init(path: FilePath, descriptor: consuming FileDescriptor, replacement: Replacement? = nil) {
    self.path = path
    self.descriptor = consume descriptor
    self.replacement = replacement
  }

  /// Stdout, which is not replaced.
  package static var standard: OutputFile { OutputFile(path: .standard, descriptor: FileDescriptor.output) }

  /// A file that will be replaced, or made. With a backup suffix the old file stays under its name and that suffix.
  package init(_ path: FilePath, backupSuffix: [UInt8]? = nil) throws(StreamError) {
    let status = try FileSystem.status(path)
    if let status, !status.isRegular {
      if status.isFolder { throw StreamError(path: path, errno: EISDIR) }
      let device = try FileDescriptor.opened(path, for: .writing)
      self.init(path: path, descriptor: device)
      return
    }
    let target = try Self.followLinks(path)
    if status != nil, !FileSystem.isWritable(target) { throw StreamError(path: path, errno: errno) }
    let created = try TemporaryFile.beside(target, shownAs: path)
    let replacement = Replacement(
      target: target, temporary: created.path, slot: created.slot, old: status, backupSuffix: backupSuffix)
    self.init(path: path, descriptor: created.descriptor, replacement: replacement)
  }

  /// A file of that name in a folder that this run fills. What has the name already, even if it is a link to somewhere else, is replaced
  /// itself, so that nothing is written outside the folder. Such files are many: only those that replace one wait for the disk.
  package init(named name: [UInt8], in folder: FilePath) throws(StreamError) {
    let path = folder.appending(name)
    let status = try FileSystem.status(path, followingLinks: false)
    if status?.isFolder == true { throw StreamError(path: path, errno: EISDIR) }
    let created = try TemporaryFile.beside(path, shownAs: path)
    let replacement = Replacement(
      target: path, temporary: created.path, slot: created.slot, old: status?.isRegular == true ? status : nil, backupSuffix: nil,
      waitsForDisk: status != nil)
    self.init(path: path, descriptor: created.descriptor, replacement: replacement)
  }

  deinit {
    if let replacement {
      FileSystem.remove(replacement.temporary)
      Temporaries.forget(replacement.slot)
    }
  }

  /// True where people read the output directly.
  package var isTerminal: Bool {
    guard replacement == nil else { return false }
    switch descriptor {
    case .some(let file): return file.isTerminal
    case .none: return false
    }
  }

  /// Writes all bytes.
  package mutating func write(_ bytes: Span<UInt8>) throws(StreamError) { try descriptor?.writeAll(bytes) }

  /// Writes what the buffer holds and empties it.
  package mutating func write(_ buffer: inout ByteBuffer) throws(StreamError) {
    if descriptor != nil {
      try buffer.withBytes { bytes throws(StreamError) in try descriptor?.writeAll(bytes) }
    }
    buffer.removeAll()
  }

  /// Ends the file: it is on the disk and has its name after this. What is not finished never existed.
  package mutating func finish() throws(StreamError) {
    guard let replacement else {
      descriptor = nil
      return
    }
    try replacement.settle(descriptor)
    descriptor = nil
    try replacement.rename(shownAs: path)
    Temporaries.forget(replacement.slot)
    self.replacement = nil
  }

  /// The file that a chain of symbolic links ends in, whether it exists or not.
  private static func followLinks(_ path: FilePath) throws(StreamError) -> FilePath {
    var current = path
    for _ in 0..<40 {
      guard try FileSystem.status(current, followingLinks: false)?.isLink == true else { return current }
      let target = try FileSystem.linkTarget(current)
      current = target.bytes.first == ASCII.slash ? target : current.folder.appending(target.bytes)
    }
    throw StreamError(path: path, errno: ELOOP)
  }
}

/// A temporary file and the file whose name it will get.
private struct Replacement {
  let target: FilePath, temporary: FilePath
  let slot: Int?
  let old: FileStatus?
  let backupSuffix: [UInt8]?
  var waitsForDisk = true

  /// Gives the temporary file its permissions and puts it on the disk.
  func settle(_ descriptor: borrowing FileDescriptor?) throws(StreamError) {
    switch descriptor {
    case .some(let file):
      let owner = old.map { (user: $0.user, group: $0.group) }
      try file.setPermissions(old?.permissions ?? 0o666 & ~FileSystem.creationMask, owner: owner)
      if waitsForDisk { try file.synchronize() }
    case .none: break
    }
  }

  /// Keeps the old file if asked, then takes its name.
  func rename(shownAs path: FilePath) throws(StreamError) {
    if old != nil, let backupSuffix {
      let backup = FilePath(bytes: target.bytes + backupSuffix)
      let second = FilePath(bytes: temporary.bytes + Array("-old".utf8))
      if FileSystem.addName(second, to: target) {
        // Renaming one name of a file onto another one of the same file does nothing, hence the removal.
        defer { FileSystem.remove(second) }
        try FileSystem.move(second, to: backup)
      } else {
        try FileSystem.move(target, to: backup)
      }
    }
    do throws(StreamError) {
      try FileSystem.move(temporary, to: target)
    } catch {
      throw StreamError(path: path, errno: error.errno)
    }
  }
}
