// Command lines and what they do, compared byte for byte with the files in Tests/Cases; VCARD_REFILL=1 writes these anew.
//
// NAME.sh is a command line (lines that begin with # say what it shows), NAME.stdout and NAME.stderr what it writes, NAME.status how it
// ends; a file that is not there stands for nothing written, and for status 0. The line runs in a folder with `samples` and `golden`.
import Files
import TestSupport
import Testing

@testable import vcard

@Suite struct CaseTests {
  static let names = Checkout.files(in: "Tests/Cases", ending: ".sh").map { String($0.dropLast(3)) }

  private func wanted(_ path: String) throws -> [UInt8] { Checkout.has(path) ? try Checkout.read(path) : [] }

  private func refill(_ path: String, _ bytes: [UInt8]) throws {
    if !bytes.isEmpty {
      try Checkout.write(path, bytes)
    } else if Checkout.has(path) {
      FileSystem.remove(FilePath(Checkout.root + "/" + path))
    }
  }

  @Test(arguments: names) func does(_ name: String) throws {
    let path = "Tests/Cases/" + name
    let outcome = try shell(try Checkout.text(path + ".sh"))
    let status = outcome.status == 0 ? "" : "\(outcome.status)\n"
    if Checkout.refills {
      try refill(path + ".stdout", outcome.output)
      try refill(path + ".stderr", outcome.errors)
      try refill(path + ".status", Array(status.utf8))
    }
    #expect(String(decoding: outcome.output, as: UTF8.self) == String(decoding: try wanted(path + ".stdout"), as: UTF8.self))
    #expect(outcome.output == (try wanted(path + ".stdout")))
    #expect(String(decoding: outcome.errors, as: UTF8.self) == String(decoding: try wanted(path + ".stderr"), as: UTF8.self))
    #expect(Array(status.utf8) == (try wanted(path + ".status")))
  }

  /// Files that no case reads are left from one that is gone.
  @Test func everyFileBelongsToACase() {
    let known = Set(Self.names)
    for file in Checkout.files(in: "Tests/Cases") {
      let name = String(file.prefix { $0 != "." })
      #expect(known.contains(name), "\(file)")
    }
    #expect(known.count > 20)
  }
}
