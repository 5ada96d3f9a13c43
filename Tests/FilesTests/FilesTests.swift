// Paths are taken apart, files are read twice and replaced whole or not at all, and errors name their file.
import Bytes
import Files
import TestSupport
import Testing

@Suite struct FilesTests {
  @Test func takesPathsApart() {
    #expect(FilePath("a/b.VCF").fileExtension == "vcf")
    #expect(FilePath("a.b/c").fileExtension == "")
    #expect(FilePath(".vcf").fileExtension == "")
    #expect(FilePath("/x").folder == "/")
    #expect(FilePath("x").folder == ".")
    #expect(FilePath("a/b.vcf").replacingExtension(with: "json") == "a/b.json")
    #expect(FilePath("a.b/c").replacingExtension(with: "json") == "a.b/c.json")
  }

  @Test func readsTwice() throws {
    try withFolder { folder in
      let path = folder.appending(Array("a.vcf".utf8))
      let text = String(repeating: "0123456789", count: 60_000)
      try writeFile(path, text)
      var input = try InputStream(path)
      try input.makeRewindable()
      for _ in 0..<2 {
        var buffer = ByteBuffer()
        while try input.read(into: &buffer) {}
        let whole = buffer.text()
        #expect(whole == text)
        try input.rewind()
      }
      var total = 0
      while let count = try input.withNextChunk({ $0.count }) { total += count }
      #expect(total == text.utf8.count)
    }
  }

  @Test func tellsTheReason() {
    #expect(StreamError(path: "contacts.vcf", errno: 2).message == "contacts.vcf: No such file or directory")
  }

  @Test func namesTheFileOfAnError() {
    let error = StreamError(path: FilePath(bytes: [0x61, 0xFF]), errno: 2)
    #expect(error.path == "a\u{FFFD}" && "\(error)" == error.message)
  }

  /// A program that names a file means a file; stdin would be at its end, or wait.
  @Test func takesADashForAFile() {
    #expect(throws: StreamError(path: "-", errno: 2)) { _ = try InputStream(file: "-") }
  }

  @Test func leavesAFileThatIsNotFinished() throws {
    try withFolder { folder in
      let path = folder.file("a.txt")
      try writeFile(path, "old")
      do {
        var output = try OutputFile(path)
        let half = Array("half".utf8)
        try output.write(half.span)
        #expect(try names(in: folder).count == 2)
      }
      #expect(try readFile(path) == "old")
      #expect(try names(in: folder) == ["a.txt"])
    }
  }
}
