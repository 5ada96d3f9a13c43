// Help screens, manual page and completions, compared with the texts in Snapshots; VCARD_REFILL=1 writes these anew.
import Files
import TestSupport
import Testing

@testable import vcard

@Suite struct HelpTests {
  static let sources = HelpSources(rules: { "the rules\n" }, limits: { "the limits\n" })

  static let texts: [(name: String, text: String)] =
    [("overview", HelpScreens.overview()), ("manual", ManualPage.text())]
    + Verb.allCases.map { ("verb-" + $0.rawValue, HelpScreens.screen($0)) }
    + HelpTopic.allCases.map { ("topic-" + $0.rawValue, $0.text(sources)) }
    + CompletionScript.Shell.allCases.map { ("completions-" + $0.rawValue, CompletionScript.text($0)) }

  @Test(arguments: texts.indices)
  func looksAsInTheSnapshot(_ index: Int) throws {
    let (name, text) = Self.texts[index]
    let folder = FilePath(#filePath).folder.appending(Array("Snapshots".utf8))
    let path = folder.appending(Array((name + ".txt").utf8))
    if Process.environment("VCARD_REFILL") != nil {
      try FileSystem.makeFolders(folder)
      try writeFile(path, text)
    }
    #expect(try readFile(path) == text)
  }

  @Test func fitsEightyColumns() {
    for (name, text) in Self.texts where name.hasPrefix("verb") || name.hasPrefix("topic") || name == "overview" {
      for line in text.split(separator: "\n") { #expect(line.count <= 82, "\(name): \(line)") }
      #expect(text.hasSuffix("\n") && text.utf8.allSatisfy { $0 < 128 })
    }
  }
}
