// What the tests share: whole files, and a folder that is gone afterwards.
import Bytes

@testable import vcard

func writeFile(_ path: FilePath, _ text: String) throws {
  var output = try OutputStream(path)
  try output.write(text: text)
  try output.finish()
}

func readFile(_ path: FilePath) throws -> String {
  var input = try InputStream(path)
  var buffer = ByteBuffer()
  while try input.read(into: &buffer) {}
  return buffer.text()
}

/// Runs the body with a fresh folder and removes it and what is in it.
func withFolder(_ body: (FilePath) throws -> Void) throws {
  let created = try TemporaryFile.beside("/tmp/vcard-test", shownAs: "/tmp")
  FileSystem.remove(created.path)
  Temporaries.forget(created.slot)
  // Not hidden, since what is hidden is no input.
  let folder = FilePath("/tmp/vcard-test\(created.path.text.dropFirst(6).filter { $0 != "." })-\(UInt32.random(in: 0...(.max)))")
  try FileSystem.makeFolders(folder)
  defer { removeAll(folder) }
  try body(folder)
}

private func removeAll(_ folder: FilePath) {
  for entry in (try? FileSystem.entries(of: folder)) ?? [] {
    let path = folder.appending(entry.name)
    if entry.isFolder { removeAll(path) } else { FileSystem.remove(path) }
  }
  removeFolder(folder)
}

/// The names in a folder, sorted.
func names(in folder: FilePath) throws -> [String] {
  try FileSystem.entries(of: folder).map { String(decoding: $0.name, as: UTF8.self) }.sorted()
}
