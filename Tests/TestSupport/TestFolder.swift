// Whole files, and a folder that is gone afterwards.
internal import Bytes
package import Files

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Makes a file of a text.
package func writeFile(_ path: FilePath, _ text: String) throws {
  var output = try OutputFile(path)
  let bytes = Array(text.utf8)
  try output.write(bytes.span)
  try output.finish()
}

/// The text of a file.
package func readFile(_ path: FilePath) throws -> String {
  var input = try InputStream(path)
  var buffer = ByteBuffer()
  while try input.read(into: &buffer) {}
  return buffer.text()
}

/// Runs the body with a fresh folder and removes it and what is in it. One in memory, where there is such, waits for no disk.
package func withFolder(inMemory: Bool = false, _ body: (FilePath) throws -> Void) throws {
  let folder = try makeFolder(inMemory: inMemory)
  defer { removeAll(folder) }
  try body(folder)
}

/// The same for a body that waits.
package func withFolder(inMemory: Bool = false, _ body: (FilePath) async throws -> Void) async throws {
  let folder = try makeFolder(inMemory: inMemory)
  defer { removeAll(folder) }
  try await body(folder)
}

private func makeFolder(inMemory: Bool) throws -> FilePath {
  let above: FilePath = inMemory && (try? FileSystem.status("/dev/shm"))??.isFolder == true ? "/dev/shm" : "/tmp"
  let created = try TemporaryFile.beside("/tmp/vcard-test", shownAs: "/tmp")
  FileSystem.remove(created.path)
  Temporaries.forget(created.slot)
  // Not hidden, since what is hidden is no input.
  let folder = FilePath("\(above)/vcard-test\(created.path.text.dropFirst(6).filter { $0 != "." })-\(UInt32.random(in: 0...(.max)))")
  try FileSystem.makeFolders(folder)
  return folder
}

private func removeAll(_ folder: FilePath) {
  for entry in (try? FileSystem.entries(of: folder)) ?? [] {
    let path = folder.appending(entry.name)
    if entry.isFolder { removeAll(path) } else { FileSystem.remove(path) }
  }
  removeFolder(folder)
}

/// The names in a folder, sorted.
package func names(in folder: FilePath) throws -> [String] {
  try FileSystem.entries(of: folder).map { String(decoding: $0.name, as: UTF8.self) }.sorted()
}

extension FilePath {
  /// A file below the folder.
  package func file(_ name: String) -> FilePath { appending(Array(name.utf8)) }
}

/// Removes a folder that is empty.
package func removeFolder(_ path: FilePath) { _ = unsafe rmdir(path.text) }
