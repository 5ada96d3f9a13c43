// What happens to files when a run is killed, or the disk is full: each is the old one or the new one, whole.
import Bytes
import Files
import TestSupport
import Testing

@testable import vcard

/// The commands that replace files; `#` is the number of the run, so that each makes a file that was not there before.
private let replacing = [
  "edit -i --set unclaimed.X-EMPTY=#", "edit -i --backup .old --set unclaimed.X-EMPTY=#", "convert -i -t vcard4", "convert -i -t vcard3",
]

/// What a file becomes.
private func result(of command: String, _ path: FilePath, _ round: Int, in folder: FilePath) throws -> String {
  if command.hasPrefix("edit") { return replaceLine(try readFile(path), "X-Empty:\(round)") }
  let target = folder.file(".expected")
  #expect(run(command.replacing("-i ", with: "") + " \(path) -o \(target)", in: folder) == 0)
  defer { FileSystem.remove(target) }
  return try readFile(target)
}

private func replaceLine(_ text: String, _ line: String) -> String {
  var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
  for i in lines.indices where lines[i].hasPrefix("X-Empty:") { lines[i] = line }
  return lines.joined(separator: "\r\n")
}

@Suite struct SafetyTests {
  @Test func survivesBeingKilled() throws {
    try withFolder(inMemory: true) { folder in
      let files = (0..<3).map { "\($0).vcf" }
      for name in files {
        try writeFile(folder.file(name), oddCard("Ann \(name)", "NOTE:\(String(repeating: "long", count: 2000))\n") + oddCard("Bo"))
      }
      var kills = 0
      var longest = 0
      for round in 0..<200 {
        let command = replacing[round % replacing.count]
        let old = try files.map { try readFile(folder.file($0)) }
        let new = try files.map { try result(of: command, folder.file($0), round, in: folder) }
        let line = command.replacing("#", with: String(round)) + " %"
        let began = Process.milliseconds()
        let child = try Child(words(line, folder))
        if round >= replacing.count {
          pause(microseconds: UInt32.random(in: 0...UInt32(longest)))
          child.end()
        }
        let status = child.wait()
        if status == -9 { kills += 1 }
        if round < replacing.count { longest = max(longest, (Process.milliseconds() - began) * 1000) }
        #expect(status == 0 || status == -9, "\(line)")
        for (i, name) in files.enumerated() {
          let now = try readFile(folder.file(name))
          #expect(now == old[i] || now == new[i], "\(name) after '\(line)'")
          if status == 0 { #expect(now == new[i]) }
        }
        // What a killed run leaves is hidden, and nothing takes it for a vCard.
        #expect(try Inputs.expand([folder]).map { String(decoding: $0.path.name, as: UTF8.self) } == files)
        for name in try names(in: folder) where !files.contains(name) {
          if name.hasSuffix(".vcf.old") {
            #expect(try readFile(folder.file(name)).hasSuffix("END:VCARD\r\n"))
          } else {
            #expect(name.hasPrefix(".") && FormatName.ofExtension(FilePath(name).fileExtension) == nil)
            FileSystem.remove(folder.file(name))
          }
        }
      }
      #expect(kills > 20, "runs end before they are killed")
    }
  }

  @Test func tellsWhenADeviceIsFull() throws {
    try withFolder { folder in
      try writeFile(folder.file("a.vcf"), oddCard("Ann"))
      let run = try Finished("join %/a.vcf -o /dev/full", in: folder)
      #expect(run.status == 2 && run.errors == "vcard: error: /dev/full: No space left on device\n")
    }
  }

  @Test(.enabled(if: TinyDisk.isAllowed, "a small disk can be mounted"))
  func leavesFilesAloneWhenTheDiskIsFull() throws {
    try withFolder { folder in
      let disk = try TinyDisk(folder.file("disk"), kilobytes: 256)
      defer { disk.remove() }
      let text = oddCard(
        "Ann", "NOTE:\(String(repeating: "x", count: 100_000))\nPHOTO;ENCODING=b:/9j/\(String(repeating: "A", count: 100_000))\n")
      try writeFile(folder.file("disk/a.vcf"), text)
      for line in [
        "edit -i --set unclaimed.X-EMPTY=1 %/disk/a.vcf", "edit -i --backup .old --set unclaimed.X-EMPTY=1 %/disk/a.vcf",
        "photos -i --strip %/disk/a.vcf", "convert -i -t vcard4 %/disk/a.vcf", "filter --has note -o %/disk/b.vcf %/disk/a.vcf",
        "split %/disk/a.vcf -o %/disk/out", "photos %/disk/a.vcf -o %/disk/out",
      ] {
        let run = try Finished(line, in: folder)
        #expect(run.status == 2 && run.errors.contains("No space left on device"), "\(line): \(run.errors)")
        #expect(try names(in: folder.file("disk")).filter { $0 != "out" } == ["a.vcf"], "\(line)")
        #expect(try readFile(folder.file("disk/a.vcf")) == text, "\(line)")
        if line.hasSuffix("out") { #expect(try names(in: folder.file("disk/out")) == [], "\(line)") }
      }
    }
  }
}
