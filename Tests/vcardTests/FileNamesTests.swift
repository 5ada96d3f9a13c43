// Names made from what cards say: harmless, short enough, and no two the same.
import Testing

@testable import vcard

@Suite struct FileNamesTests {
  @Test(arguments: [
    ("Mira Okafor", "Mira Okafor"), ("../../etc/passwd", "_.._etc_passwd"), ("A/B: \"Slash\" <?*|>", "A_B_ _Slash_ _____"),
    (".hidden", "hidden"), ("Ltd.", "Ltd"), ("  two\r\n lines\t", "two lines"), ("-rf", "_-rf"), ("", "unnamed"), ("...", "unnamed"),
    ("CON", "_CON"), ("nul.txt", "_nul.txt"), ("COM¹", "_COM¹"), ("com10", "com10"), ("Lpt9 ", "_Lpt9"), ("Conrad", "Conrad"),
    ("///", "unnamed"), ("a\u{0}b\u{202E}c\u{200B}\u{1B}d", "a_bc_d"), ("C:\\x", "C__x"), ("Zoé 林", "Zoé 林"),
  ])
  func makesTextsSafe(_ text: String, _ wanted: String) { #expect(FileNames.safe(text) == wanted) }

  @Test func keepsToTheLimit() {
    var names = FileNames()
    for text in [String(repeating: "é", count: 300), "e" + String(repeating: "\u{301}", count: 400), String(repeating: "x", count: 201)] {
      for _ in 0..<12 {
        let name = names.name(for: text, fileExtension: "vcf")
        #expect(name.utf8.count <= FileNames.limit && name.utf8.count > 150 && name.hasSuffix(".vcf"))
      }
    }
  }

  @Test func givesEachNameOnce() {
    var names = FileNames()
    let given = ["Ann", "ann", "ANN-2", "Straße", "STRASSE", "e\u{301}", "é", "Ann"].map { names.name(for: $0, fileExtension: "vcf") }
    #expect(
      given == [
        "Ann.vcf", "ann-2.vcf", "ANN-2-2.vcf", "Straße.vcf", "STRASSE-2.vcf", "e\u{301}.vcf", "é-2.vcf", "Ann-3.vcf",
      ])
    var many = FileNames()
    for _ in 0..<5_000 { _ = many.name(for: "Same", fileExtension: "vcf") }
    #expect(many.name(for: "Same", fileExtension: "vcf") == "Same-5001.vcf")
  }
}
