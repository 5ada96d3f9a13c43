// The system's calls for files, each wrapped once: every unsafe line about descriptors, names and folders stands here.
internal import Bytes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// An open file. It closes itself, the three standard ones apart.
package struct FileDescriptor: ~Copyable {
  package let number: Int32
  package let path: FilePath

  private init(number: Int32, path: FilePath) {
    self.number = number
    self.path = path
  }

  deinit { if number > 2 { _ = close(number) } }

  package static var input: FileDescriptor { FileDescriptor(number: 0, path: .standard) }
  package static var output: FileDescriptor { FileDescriptor(number: 1, path: .standard) }
  package static var errors: FileDescriptor { FileDescriptor(number: 2, path: .standard) }

  /// What a file is opened for.
  package enum Purpose {
    case reading
    /// An existing file that is no regular one (a device, a named pipe): written where it is.
    case writing
    /// A file that must not exist yet; only its owner may read it.
    case creating

    fileprivate var flags: Int32 {
      switch self {
      case .reading: O_RDONLY | O_CLOEXEC
      case .writing: O_WRONLY | O_CLOEXEC
      case .creating: O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
      }
    }
  }

  /// Opens a file; an interrupted call is repeated.
  package static func opened(_ path: FilePath, for purpose: Purpose) throws(StreamError) -> FileDescriptor {
    while true {
      let number = withName(path) { name in unsafe open(name, purpose.flags, 0o600) }
      if number >= 0 { return FileDescriptor(number: number, path: path) }
      let reason = errno
      if reason != EINTR { throw StreamError(path: path, errno: reason) }
    }
  }

  /// Fills the chunk from the front as far as one `read` goes; 0 is the end.
  package func readChunk(into chunk: inout [UInt8]) throws(StreamError) -> Int {
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { room in unsafe read(number, room.baseAddress, room.count) }
      if count >= 0 { return count }
      let reason = errno
      if reason != EINTR { throw StreamError(path: path, errno: reason) }
    }
  }

  /// Writes all bytes, however many calls it takes.
  package func writeAll(_ bytes: Span<UInt8>) throws(StreamError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBufferPointer { all in
        unsafe all.baseAddress.map { start in unsafe write(number, start + done, all.count - done) } ?? 0
      }
      if count >= 0 {
        done += count
        continue
      }
      let reason = errno
      if reason == EAGAIN {
        var wish = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&wish, 1, -1)
      } else if reason != EINTR {
        throw StreamError(path: path, errno: reason)
      }
    }
  }

  /// Where reading stands, nil for what has no positions, such as a pipe.
  package var position: Int? {
    let place = lseek(number, 0, SEEK_CUR)
    return place >= 0 ? Int(place) : nil
  }

  /// Goes to a position from the start.
  package func seek(to position: Int) throws(StreamError) {
    if lseek(number, off_t(position), SEEK_SET) < 0 { throw StreamError(path: path, errno: errno) }
  }

  /// Waits until the bytes are on the disk; devices that cannot are not blamed.
  package func synchronize() throws(StreamError) {
    if fsync(number) != 0, errno != EINVAL, errno != ENOTSUP, errno != EROFS { throw StreamError(path: path, errno: errno) }
  }

  /// Gives the file owner (where allowed) and permissions.
  package func setPermissions(_ mode: UInt32, owner: (user: UInt32, group: UInt32)?) throws(StreamError) {
    if let owner { _ = fchown(number, owner.user, owner.group) }
    if fchmod(number, mode_t(mode)) != 0 { throw StreamError(path: path, errno: errno) }
  }

  /// True for a terminal.
  package var isTerminal: Bool { isatty(number) == 1 }

  /// What the open file is.
  package var status: FileStatus? {
    var record = stat()
    return unsafe fstat(number, &record) == 0 ? FileStatus(record) : nil
  }

  /// The columns of a terminal, nil for anything else.
  package var terminalWidth: Int? {
    var size = winsize()
    return unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }
}

/// What a name stands for: the parts of `stat` that we ask about.
package struct FileStatus: Hashable {
  package let mode: UInt32, device: UInt64, inode: UInt64, size: Int, user: UInt32, group: UInt32

  fileprivate init(_ record: stat) {
    mode = UInt32(record.st_mode)
    device = UInt64(truncatingIfNeeded: record.st_dev)
    inode = UInt64(truncatingIfNeeded: record.st_ino)
    size = Int(record.st_size)
    user = record.st_uid
    group = record.st_gid
  }

  package var isFolder: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
  package var isRegular: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
  package var isLink: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFLNK) }
  package var permissions: UInt32 { mode & 0o777 }

  /// True where both are one file, whatever their names.
  package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}

/// What can be asked of and done to names.
package enum FileSystem {
  /// What a name stands for, links followed unless said otherwise; nil where nothing has that name.
  package static func status(_ path: FilePath, followingLinks: Bool = true) throws(StreamError) -> FileStatus? {
    var record = stat()
    let result = withName(path) { name in unsafe followingLinks ? stat(name, &record) : lstat(name, &record) }
    if result == 0 { return FileStatus(record) }
    let reason = errno
    if reason == ENOENT { return nil }
    throw StreamError(path: path, errno: reason)
  }

  /// The text of a symbolic link.
  package static func linkTarget(_ path: FilePath) throws(StreamError) -> FilePath {
    var target = [UInt8](repeating: 0, count: 4096)
    let length = unsafe target.withUnsafeMutableBytes { room in
      guard let start = room.baseAddress else { return Int32(-1) }
      return withName(path) { name in unsafe Int32(readlink(name, start.assumingMemoryBound(to: CChar.self), room.count)) }
    }
    if length < 0 { throw StreamError(path: path, errno: errno) }
    return FilePath(bytes: Array(target.prefix(Int(length))))
  }

  /// One name in a folder, and whether it is a folder itself (a link to one is not).
  package struct Entry {
    package let name: [UInt8]
    package let isFolder: Bool
  }

  /// The names in a folder, `.` and `..` apart, in no order.
  package static func entries(of folder: FilePath) throws(StreamError) -> [Entry] {
    if folder.bytes.contains(0) { throw StreamError(path: folder, errno: EINVAL) }
    let handle = unsafe (folder.bytes + [0]).withUnsafeBytes { name in
      unsafe name.baseAddress.flatMap { unsafe opendir($0.assumingMemoryBound(to: CChar.self)) }
    }
    guard let handle = unsafe handle else { throw StreamError(path: folder, errno: errno) }
    defer { _ = unsafe closedir(handle) }
    var found: [Entry] = []
    while true {
      errno = 0
      guard let record = unsafe readdir(handle) else { break }
      let name = unsafe withUnsafeBytes(of: &record.pointee.d_name) { raw in unsafe Array(raw.prefix { $0 != 0 }) }
      if name == [ASCII.dot] || name == [ASCII.dot, ASCII.dot] { continue }
      var isFolder = unsafe Int(record.pointee.d_type) == Int(DT_DIR)
      if unsafe Int(record.pointee.d_type) == Int(DT_UNKNOWN) {
        isFolder = try status(folder.appending(name), followingLinks: false)?.isFolder ?? false
      }
      found.append(Entry(name: name, isFolder: isFolder))
    }
    if errno != 0 { throw StreamError(path: folder, errno: errno) }
    return found
  }

  /// Renames a file over another one.
  package static func move(_ old: FilePath, to new: FilePath) throws(StreamError) {
    let result = withName(old) { from in withName(new) { to in unsafe rename(from, to) } }
    if result != 0 { throw StreamError(path: new, errno: errno) }
  }

  /// Gives a file a second name; false where the file system has no such thing.
  package static func addName(_ new: FilePath, to old: FilePath) -> Bool {
    withName(old) { from in withName(new) { to in unsafe link(from, to) } } == 0
  }

  /// Takes a name away; nothing happens where there is none.
  package static func remove(_ path: FilePath) { _ = withName(path) { name in unsafe unlink(name) } }

  /// True where the file may be written by us.
  package static func isWritable(_ path: FilePath) -> Bool { withName(path) { name in unsafe access(name, W_OK) } == 0 }

  /// Makes a folder and those above it that are missing.
  package static func makeFolders(_ path: FilePath) throws(StreamError) {
    if withName(path, { name in unsafe mkdir(name, 0o777) }) == 0 { return }
    let reason = errno
    if reason == ENOENT, path.folder != path, path.bytes.count > 1 {
      var above = path
      while above.endsInSlash, above.bytes.count > 1 { above.bytes.removeLast() }
      try makeFolders(above.folder)
      if withName(path, { name in unsafe mkdir(name, 0o777) }) == 0 { return }
    }
    if try status(path)?.isFolder == true { return }
    throw StreamError(path: path, errno: reason == EEXIST ? ENOTDIR : reason)
  }

  /// The permission bits that new files do not get.
  package static let creationMask: UInt32 = {
    let mask = umask(0o077)
    _ = umask(mask)
    return UInt32(mask)
  }()
}

/// Lends a path as a C string. A path that holds a NUL names nothing: the call is not made and fails with EINVAL.
@safe
private func withName(_ path: FilePath, _ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
  if path.bytes.contains(0) {
    errno = EINVAL
    return -1
  }
  return unsafe (path.bytes + [0]).withUnsafeBytes { raw in
    guard let start = raw.baseAddress else { return -1 }
    return unsafe body(start.assumingMemoryBound(to: CChar.self))
  }
}
