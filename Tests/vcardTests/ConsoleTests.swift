// The forms of findings, and what is made safe for terminals.
import Bytes
import Files
import Testing

@testable import vcard

@Suite struct ConsoleTests {
  static let finding = Finding(
    file: "a.vcf", line: 41, severity: .warning, rule: "empty-value", message: "no \"value\"\nat all", property: "TEL", contact: 3)

  @Test func writesText() {
    var out = ByteBuffer()
    Self.finding.appendText(to: &out, colored: false, escaped: false)
    var bare = Self.finding
    bare.line = nil
    bare.message = "\u{202E}evil\u{1B}[2J"
    bare.appendText(to: &out, colored: false, escaped: true)
    let text = out.text()
    #expect(
      text == """
        a.vcf:41: warning: no "value"\\nat all [empty-value]
        a.vcf: warning: \\u{202E}evil\\u{1B}[2J [empty-value]

        """)
  }

  @Test func writesColors() {
    var out = ByteBuffer()
    Self.finding.appendText(to: &out, colored: true, escaped: true)
    let text = out.text()
    #expect(text.contains("\u{1B}[33mwarning: \u{1B}[0m"))
  }

  @Test func writesJSON() {
    var out = ByteBuffer()
    Self.finding.appendJSON(to: &out, escaped: false)
    Finding(file: "b", severity: .error, rule: "r", message: "\u{1}\u{202E}é").appendJSON(to: &out, escaped: true)
    let text = out.text()
    #expect(
      text == #"""
        {"file":"a.vcf","line":41,"severity":"warning","rule":"empty-value","message":"no \"value\"\nat all","property":"TEL","contact":3}
        {"file":"b","severity":"error","rule":"r","message":"\u0001\u202eé"}

        """#)
  }

  @Test(arguments: [
    ("plain é 漢 😀", "plain é 漢 😀"), ("a\u{200B}b\u{FEFF}", "a\\u{200B}b\\u{FEFF}"), ("tab\there", "tab\\there"),
    ("\u{9B}1m", "\\u{9B}1m"), ("\u{E0041}", "\\u{E0041}"), ("\0", "\\u{0}"),
  ])
  func escapes(_ text: String, _ wanted: String) { #expect(TerminalText.escaped(text) == wanted) }

  @Test func escapesInPieces() {
    let bytes = Array("a\r\né\u{202E}\rb\t😀".utf8) + [0xFF, 0xC3]
    let wanted = Array("a\r\né\\u{202E}\\rb\t😀\\xFF\\xC3".utf8)
    for size in 1...bytes.count {
      var out = ByteBuffer()
      var held: [UInt8] = []
      var start = 0
      while start < bytes.count {
        let end = min(start + size, bytes.count)
        held += bytes[start..<end]
        let used = TerminalText.escape(held.span, into: &out, keepingLines: true, isLast: end == bytes.count)
        held.removeFirst(used)
        start = end
      }
      let result = out.array()
      #expect(result == wanted, "\(size)")
    }
  }

  @Test func countsAndStops() throws {
    var options = Options()
    options.isStrict = true
    options.isQuiet = true
    options.ignoredRules = ["noise"]
    var console = Console(options)
    console.report(Finding(file: "a", severity: .error, rule: "noise", message: ""))
    console.report(Finding(file: "a", severity: .warning, rule: "w", message: ""))
    var (status, stops) = (console.status, console.mustStop)
    #expect(status == 0 && !stops)
    var loss = Finding(file: "a", severity: .warning, rule: "loss", message: "")
    loss.leavesOut = true
    console.report(loss)
    (status, stops) = (console.status, console.mustStop)
    let (warnings, losses) = (console.warningCount, console.leftOutCount)
    #expect(status == 1 && stops && warnings == 2 && losses == 1)
  }

  @Test func showsProgress() {
    #expect(ProgressLine.text("a.vcf", contacts: 1_234_567, bytes: 56_160_000, width: 80) == "a.vcf: 1,234,567 contacts, 56.1 MB")
    #expect(
      ProgressLine.text("/a/very/long/path/to/contacts.vcf", contacts: 1, bytes: 0, width: 40) == ".../to/contacts.vcf: 1 contacts, 0.0 MB")
  }
}
