// Folders become files, and files are replaced whole or not at all.
import Bytes
import Files
import TestSupport
import Testing

@testable import vcard

/// A folder that a child process finds as well; each checkout has its own.
private let interrupted = FilePath("/tmp/vcard-test-interrupted" + Checkout.root.split(separator: "/").map { "-" + $0 }.joined())

@Suite struct StreamTests {
  @Test func expandsFolders() throws {
    try withFolder { folder in
      func at(_ name: String) -> FilePath { folder.appending(Array(name.utf8)) }
      try FileSystem.makeFolders(at("sub/deep"))
      try FileSystem.makeFolders(at("out"))
      for name in ["b.vcf", "a.VCARD", "sub/x.Vcf", "sub/deep/y.vcf", "n.txt", ".hidden.vcf", "out/z.vcf", "d.json"] {
        try writeFile(at(name), "x")
      }
      makeLink(at("loop"), to: ".")
      makeLink(at("linked.vcf"), to: "b.vcf")
      makeLink(at("broken.vcf"), to: "nothing")
      let files = try Inputs.expand([folder], outputFolder: at("out"))
      #expect(files.map { $0.pathInFolder?.text } == ["a.VCARD", "b.vcf", "linked.vcf", "sub/deep/y.vcf", "sub/x.Vcf"])
      #expect(files.map(\.path).first == at("a.VCARD"))
      #expect(try Inputs.expand([folder], extensions: ["json"]).map(\.path) == [at("d.json")])
      #expect(
        try Inputs.expand([at("n.txt"), "-"]) == [
          InputFile(path: at("n.txt"), pathInFolder: nil), InputFile(path: "-", pathInFolder: nil),
        ])
      #expect(throws: StreamError(path: at("none"), errno: noSuchFile)) { try Inputs.expand([at("none")]) }
      let outputs = try Inputs.outputs(for: files, in: "o/", fileExtension: "json")
      #expect(outputs == ["o/a.json", "o/b.json", "o/linked.json", "o/sub/deep/y.json", "o/sub/x.json"])
      let twins = try Inputs.expand([at("b.vcf"), at("sub/x.Vcf"), at("b.vcf")])
      #expect(throws: UsageError.self) { try Inputs.outputs(for: twins, in: "o", fileExtension: "json") }
      #expect(OutputTarget(folder) == .folder(folder) && OutputTarget("new/") == .folder("new/"))
      #expect(OutputTarget(at("b.vcf")) == .file(at("b.vcf")) && OutputTarget(nil) == .standard && OutputTarget("-") == .standard)
    }
  }

  @Test func replacesWholeFilesOnly() throws {
    try withFolder { folder in
      let path = folder.appending(Array("a.vcf".utf8))
      try writeFile(path, "old")
      setMode(path, 0o640)
      do {
        var output = try OutputStream(path)
        try output.write(text: "half")
        #expect(try names(in: folder).count == 2)
        #expect(try readFile(path) == "old")
      }
      #expect(try names(in: folder) == ["a.vcf"])
      // Input and output may be one file.
      var input = try InputStream(path)
      var output = try OutputStream(path, backupSuffix: Array(".old".utf8))
      var buffer = ByteBuffer()
      while try input.read(into: &buffer) {
        try output.write(&buffer)
        try output.write(text: "+new")
      }
      try output.finish()
      #expect(try readFile(path) == "old+new")
      #expect(try names(in: folder) == ["a.vcf", "a.vcf.old"])
      #expect(try readFile(FilePath(path.text + ".old")) == "old")
      #expect(try FileSystem.status(path)?.permissions == 0o640)
      let link = folder.appending(Array("link.vcf".utf8))
      makeLink(link, to: "a.vcf")
      try writeFile(link, "through")
      #expect(try FileSystem.status(link, followingLinks: false)?.isLink == true)
      #expect(try readFile(path) == "through")
      var again = try OutputStream(path, backupSuffix: Array(".old".utf8))
      try again.finish()
      #expect(try readFile(FilePath(path.text + ".old")) == "through")
      #expect(throws: StreamError.self) { try writeFile(folder, "x") }
      #expect(throws: StreamError.self) { try writeFile(folder.appending(Array("no/such".utf8)), "x") }
    }
  }

  @Test func leavesNothingWhenInterrupted() async throws {
    try FileSystem.makeFolders(interrupted)
    try writeFile(interrupted.appending(Array("a.vcf".utf8)), "old")
    await #expect(processExitsWith: .exitCode(130)) {
      noticeInterrupts()
      Process.prepare()
      var output = try OutputStream(interrupted.appending(Array("a.vcf".utf8)))
      try output.write(text: "half")
      interruptSelf()
      try output.finish()
    }
    #expect(try names(in: interrupted) == ["a.vcf"])
    #expect(try readFile(interrupted.appending(Array("a.vcf".utf8))) == "old")
    FileSystem.remove(interrupted.appending(Array("a.vcf".utf8)))
    removeFolder(interrupted)
  }
}
