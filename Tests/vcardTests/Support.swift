// What the tests share: command lines run in this process and in one of their own, and an odd card.
import Bytes
import Files
import TestSupport

@testable import vcard

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
