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

/// Runs the body with a fresh folder and removes it and what is in it. One in memory, where there is such, waits for no disk.
func withFolder(inMemory: Bool = false, _ body: (FilePath) throws -> Void) throws {
  let above: FilePath = inMemory && (try? FileSystem.status("/dev/shm"))??.isFolder == true ? "/dev/shm" : "/tmp"
  let created = try TemporaryFile.beside("/tmp/vcard-test", shownAs: "/tmp")
  FileSystem.remove(created.path)
  Temporaries.forget(created.slot)
  // Not hidden, since what is hidden is no input.
  let folder = FilePath("\(above)/vcard-test\(created.path.text.dropFirst(6).filter { $0 != "." })-\(UInt32.random(in: 0...(.max)))")
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

extension FilePath {
  /// A file below the folder.
  func file(_ name: String) -> FilePath { appending(Array(name.utf8)) }
}

/// The arguments of a command line: divided at blanks, `_` for a blank inside one, `%` for the folder.
func words(_ line: String, _ folder: FilePath) -> [FilePath] {
  line.split(separator: " ").map { FilePath(String($0).replacing("_", with: " ").replacing("%", with: folder.text)) }
}

/// Runs a command line in this process, quietly; its data goes to files. Returns the exit status.
@discardableResult
func run(_ line: String, in folder: FilePath) -> Int32 { Main.run(words(line, folder) + ["-q"]) }

/// A run of the built command as a process of its own, with what it printed.
struct Finished {
  let status: Int32
  let output: String
  let errors: String

  init(_ line: String, in folder: FilePath) throws {
    let (output, errors) = (folder.file(".stdout"), folder.file(".stderr"))
    status = try Child(words(line, folder), output: output, errors: errors).wait()
    self.output = try readFile(output)
    self.errors = try readFile(errors)
    FileSystem.remove(output)
    FileSystem.remove(errors)
  }
}

/// A card of odd form: folds, letter case and order that no writer would choose. `lines` stand before an empty line, `end` behind it.
func oddCard(_ name: String, _ lines: String = "", end: String = "", lineBreak: String = "\r\n") -> String {
  ("begin:vcard\nVersion:3.0\nN:;;;;\nfn:\(name)\nNOTE:fold\n ed\n\(lines)X-Empty:\n\(end)END:VCARD\n").replacing("\n", with: lineBreak)
}
