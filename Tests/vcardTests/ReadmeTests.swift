// The README's commands run, and print what the README says.
import TestSupport
import Testing

@testable import vcard

@Suite struct ReadmeTests {
  /// A shell block of the README, and the block of output right behind it.
  struct Block: CustomTestStringConvertible {
    let line: Int
    let command: String
    let output: String?
    var testDescription: String { "README.md:\(line) \(command)" }
  }

  /// The blocks that run `vcard`, as installed or by `swift run`.
  static let blocks: [Block] = {
    let lines = ((try? Checkout.text("README.md")) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    var found: [Block] = []
    var i = 0
    /// The lines of the fence that begins at `i`; `i` goes behind it.
    func fence() -> String {
      let begin = i + 1
      i = begin
      while i < lines.count, lines[i] != "```" { i += 1 }
      defer { i += 1 }
      return lines[begin..<min(i, lines.count)].joined(separator: "\n")
    }
    while i < lines.count {
      guard lines[i].hasPrefix("```") else {
        i += 1
        continue
      }
      let (isShell, line) = (lines[i] == "```sh", i + 1)
      let text = fence()
      guard isShell, let vcard = text.firstRange(of: "vcard "), text.hasPrefix("vcard ") || text.hasPrefix("swift run") else { continue }
      var output: String?
      if i + 1 < lines.count, lines[i].isEmpty, lines[i + 1].hasPrefix("```"), lines[i + 1] != "```sh" {
        i += 1
        output = fence() + "\n"
      }
      found.append(Block(line: line, command: String(text[vcard.lowerBound...]), output: output))
    }
    return found
  }()

  /// The files that the README takes for granted.
  private static let files =
    "cp samples/google.vcf contacts.vcf && cp samples/ios.vcf phone.vcf && cp phone.vcf mail.vcf && mkdir book contacts && cp samples/whatsapp.vcf book && "
    + "cp samples/nextcloud.vcf samples/thunderbird.vcf contacts && "

  @Test(arguments: blocks) func prints(_ block: Block) throws {
    // What a command of several lines prints is not told apart; each must do its work.
    for command in block.output == nil ? block.command.split(separator: "\n").map(String.init) : [block.command] {
      let outcome = try shell(Self.files + command)
      let errors = String(decoding: outcome.errors, as: UTF8.self)
      // 1 is an answer: validate found an error.
      #expect(outcome.status == 0 || outcome.status == 1, "\(command)\n\(errors)")
      #expect(!errors.contains("vcard: error"), "\(command)\n\(errors)")
      guard let wanted = block.output else { continue }
      let found = String(decoding: outcome.output, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false).joined(
        separator: "\n")
      #expect(found == wanted, "README.md:\(block.line)")
    }
  }

  @Test func hasCommands() {
    #expect(Self.blocks.count >= 8 && Self.blocks.count { $0.output != nil } >= 6)
  }
}
