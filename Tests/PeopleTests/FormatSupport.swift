// Conversions in memory for the tests of formats: bytes of one format in pieces of any size, text of another out.
import Bytes
import CardSyntax
import People

/// What came out of a conversion.
struct Converted {
  var text: String
  var findings: [Diagnostic]
  var count: Int

  /// The content lines or JSON lines, without their breaks.
  var lines: [String] { text.split(whereSeparator: \.isNewline).map(String.init) }
}

/// Converts a text as `vcard convert` does.
func convert(_ text: String, _ from: ContactFormat, to: ContactFormat, piece: Int? = nil) -> Converted {
  convert(Array(text.utf8), from, to: to, piece: piece)
}

/// Converts bytes as `vcard convert` does, in pieces of `piece` bytes.
func convert(_ bytes: [UInt8], _ from: ContactFormat, to: ContactFormat, piece: Int? = nil) -> Converted {
  var source = ContactSource(from)
  var sink = ContactSink(to, width: nil)
  var findings: [Diagnostic] = []
  var count = 0
  sink.begin()
  func drain(_ source: inout ContactSource, _ sink: inout ContactSink) {
    while let contact = source.next() {
      count += 1
      sink.write(contact, of: source)
    }
    findings += source.takeFindings()
  }
  var start = 0
  while start < bytes.count {
    let end = min(start + (piece ?? bytes.count), bytes.count)
    source.feed(bytes.span.extracting(start..<end))
    drain(&source, &sink)
    start = end
  }
  source.finish()
  drain(&source, &sink)
  sink.end()
  findings += sink.takeFindings()
  return Converted(text: sink.output.text(), findings: findings, count: count)
}
