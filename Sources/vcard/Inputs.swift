// The operands of the command line turned into files to read, and into the names of what is written for each.
import Bytes
import Files

/// A file to read, and how it came to be named.
struct InputFile: Hashable {
  /// The path to open, `-` for stdin.
  let path: FilePath
  /// The path below the folder that was named as operand; nil where the file itself was named.
  let pathInFolder: FilePath?
}

/// The operands as files.
enum Inputs {
  /// The extensions that stand for a contact file in a folder, where `--from` names no format.
  static let defaultExtensions = ["vcf", "vcard"]

  /// The files that an invocation names. Without operands it is stdin, unless that is a terminal, which is wrong usage.
  ///
  /// `outputFolder` is not read as input, even where it lies in a folder that is.
  static func files(of invocation: Invocation, outputFolder: FilePath? = nil) throws -> [InputFile] {
    if invocation.operands.isEmpty {
      if FileDescriptor.input.isTerminal {
        throw UsageError("no input: name a file or a folder, or send contacts to stdin", verb: invocation.verb)
      }
      return [InputFile(path: .standard, pathInFolder: nil)]
    }
    if invocation.operands.count(where: { $0.isStandard }) > 1 {
      throw UsageError("stdin (-) is named twice", verb: invocation.verb)
    }
    let extensions = invocation.options.from?.row.extensions ?? defaultExtensions
    let files = try expand(invocation.operands, extensions: extensions, outputFolder: outputFolder)
    if OutputTarget(invocation.options.output) == .standard, !invocation.options.isInPlace { try refuseEndlessLoop(files) }
    return files
  }

  /// Operands in their order; each folder becomes the files below it, sorted by the bytes of their paths.
  ///
  /// Hidden files and folders are passed over, as a shell's `*.vcf` does: they are caches, half-made files and `._` companions.
  static func expand(
    _ operands: [FilePath], extensions: [String] = defaultExtensions, outputFolder: FilePath? = nil
  ) throws(StreamError) -> [InputFile] {
    var excluded: FileStatus?
    if let outputFolder { excluded = try FileSystem.status(outputFolder) }
    var files: [InputFile] = []
    for operand in operands {
      if operand.isStandard {
        files.append(InputFile(path: operand, pathInFolder: nil))
        continue
      }
      guard let status = try FileSystem.status(operand) else { throw .notFound(operand) }
      if status.isFolder {
        files += try filesBelow(operand, extensions: extensions, excluded: excluded)
      } else {
        files.append(InputFile(path: operand, pathInFolder: nil))
      }
    }
    return files
  }

  private static func filesBelow(_ root: FilePath, extensions: [String], excluded: FileStatus?) throws(StreamError) -> [InputFile] {
    var files: [InputFile] = []
    var open: [(folder: FilePath, inside: FilePath)] = [(root, FilePath(bytes: []))]
    while let (folder, inside) = open.popLast() {
      for entry in try FileSystem.entries(of: folder) where entry.name.first != ASCII.dot {
        let path = folder.appending(entry.name)
        if entry.isFolder {
          if let excluded, let status = try FileSystem.status(path), status.isSameFile(as: excluded) { continue }
          open.append((path, inside.appending(entry.name)))
        } else if extensions.contains(path.fileExtension) {
          // A link may name a folder, or nothing any more; neither is a file of contacts.
          guard let status = try FileSystem.status(path), !status.isFolder else { continue }
          files.append(InputFile(path: path, pathInFolder: inside.appending(entry.name)))
        }
      }
    }
    return files.sorted { $0.path < $1.path }
  }

  /// `vcard convert a.vcf >> a.vcf` would read what it writes, for ever.
  private static func refuseEndlessLoop(_ files: [InputFile]) throws {
    guard let output = FileDescriptor.output.status, output.isRegular else { return }
    for file in files where !file.path.isStandard {
      if let status = try FileSystem.status(file.path), status.isSameFile(as: output) {
        throw UsageError("\(file.path): input and stdout are one file; name it with -o instead")
      }
    }
  }

  /// One output path per input in a folder: the tree below each named folder mirrored, the extension exchanged if one is given.
  /// Two inputs that would get one name are wrong usage. stdin becomes `stdin`.
  static func outputs(for files: [InputFile], in folder: FilePath, fileExtension: String?) throws(UsageError) -> [FilePath] {
    var owners: [FilePath: FilePath] = [:]
    var paths: [FilePath] = []
    for file in files {
      let inside = file.path.isStandard ? "stdin" : file.pathInFolder ?? FilePath(bytes: file.path.name)
      let own = folder.appending(inside.bytes)
      let path = fileExtension.map { own.replacingExtension(with: $0) } ?? own
      if let other = owners.updateValue(file.path, forKey: path) {
        throw UsageError("\(other) and \(file.path) would both become \(path)")
      }
      paths.append(path)
    }
    return paths
  }
}
