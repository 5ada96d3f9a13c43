// XML: tags, references, namespaces; elements cut out of streams, however they arrive; damage.
import Bytes
import DataSyntax
import Testing

/// What a reader says of an element, token by token.
private func tokens(_ text: String, namespaces: [(prefix: String, namespace: String)] = []) -> [String] {
  var reader = XMLReader(Array(text.utf8), namespaces: namespaces)
  var found: [String] = []
  do throws(DataSyntaxError) {
    while true {
      switch try reader.next() {
      case .startElement:
        let name = reader.name.namespace.isEmpty ? reader.name.local : "{\(reader.name.namespace)}\(reader.name.local)"
        found.append("<" + name + reader.attributes.map { " \($0.name.local)=\($0.value)" }.joined())
      case .endElement: found.append("/")
      case .text: found.append(reader.text.text())
      case .end: return found
      }
    }
  } catch {
    found.append("\(error.line): \(error.message)")
    return found
  }
}

/// The elements and faults that a splitter finds in bytes that arrive in pieces.
private func pieces(_ text: String, size: Int? = nil, maximumBytes: Int = 1 << 20) -> [String] {
  var splitter = XMLElementSplitter(element: "a", maximumBytes: maximumBytes)
  let bytes = Array(text.utf8)
  var found: [String] = []
  func drain(_ splitter: inout XMLElementSplitter) {
    while true {
      do throws(DataSyntaxError) {
        guard let element = try splitter.next() else { return }
        found.append("\(element.line) " + String(decoding: element.bytes, as: UTF8.self))
      } catch {
        found.append("\(error.line): \(error.message)")
      }
    }
  }
  var start = 0
  while start < bytes.count {
    let end = min(start + (size ?? bytes.count), bytes.count)
    splitter.feed(bytes.span.extracting(start..<end))
    drain(&splitter)
    start = end
  }
  splitter.finish()
  drain(&splitter)
  return found
}

@Suite struct XMLTests {
  @Test func readsTagsTextAndAttributes() {
    #expect(
      tokens("<a x='1' y=\"a&amp;b\n\"><b/>t&lt;<![CDATA[<&]]><!-- - --><?p ?></a>") == ["<a x=1 y=a&b ", "<b", "/", "t<", "<&", "/"])
    #expect(tokens("<a>x\r\ny\rz</a>") == ["<a", "x\ny\nz", "/"])
  }

  /// XML 1.0 4.1 and 4.6: character references and five entities, nothing else.
  @Test(arguments: [
    ("&#65;&#x42;", "AB"), ("&quot;&apos;&gt;", "\"'>"), ("&#0;", "\u{FFFD}"), ("&#xD800;", "\u{FFFD}"), ("&#x110000;", "\u{FFFD}"),
    ("&#99999999999;", "&#99999999999;"), ("&nbsp;", "&nbsp;"), ("&", "&"), ("&amp", "&amp"), ("&#;&#x;", "&#;&#x;"),
  ]) func references(_ written: String, _ meant: String) { #expect(tokens("<a>\(written)</a>") == ["<a", meant, "/"]) }

  @Test func namespacesReachInward() {
    #expect(
      tokens("<v:a xmlns:v='one' xmlns='two'><b><v:c xmlns:v='three'/></b><v:d/></v:a>") == [
        "<{one}a", "<{two}b", "<{three}c", "/", "/", "<{one}d", "/", "/",
      ])
    #expect(tokens("<p:a/>", namespaces: [("p", "outer"), ("p", "inner")]) == ["<{inner}a", "/"])
  }

  @Test(arguments: [
    "<a", "<a>", "<a><b></a>", "</a>", "<a x></a>", "<a x=1></a>", "<a x='1></a>", "<a><!-- </a>", "<a><![CDATA[</a>", "<a><1/></a>",
    "<a><!ENTITY x 'y'></a>", "<a><? </a>", "<a></ a></a>", "",
  ]) func faultsAreTold(_ text: String) { #expect(tokens(text).last?.hasPrefix("1: ") == true) }

  /// A fault is told with line and column, those before the element counted.
  @Test func faultsHaveTheirPlaces() {
    var reader = XMLReader(Array("<a>\n<b>\r\n  <c></b></a>".utf8), firstLine: 7, firstColumn: 5)
    var place = ""
    do throws(DataSyntaxError) { while try reader.next() != .end {} } catch { place = told(error) }
    #expect(place == "9:6 The end tag </b> closes nothing")
    var first = XMLReader(Array("<a b></a>".utf8), firstLine: 7, firstColumn: 5)
    do throws(DataSyntaxError) { _ = try first.next() } catch { place = told(error) }
    #expect(place == "7:5 The attribute b has no value")
  }

  @Test func nestingHasALimit() {
    let deep = String(repeating: "<a>", count: 10_000)
    #expect(tokens(deep).count == 129)
    #expect(pieces("<r><a>" + String(repeating: "<b>", count: 10_000)).first == "1: The XML nests deeper than 128 levels")
    #expect(pieces(String(repeating: "<b>", count: 10_000) + "<a/>").first == "1: The XML nests deeper than 128 levels")
  }

  @Test func cutsElementsOutOfAStream() {
    let text =
      "<?xml version='1.0'?>\n<!DOCTYPE r [<!ENTITY x \"]><a/>\">]>\n<r xmlns='u'>\n<!-- <a> -->\n<a>1</a><A/>\n<v:a\n><a2/></v:a>\n</r>\n"
    let whole = pieces(text)
    #expect(whole == ["5 <a>1</a>", "5 <A/>", "6 <v:a\n><a2/></v:a>"])
    for size in 1...9 { #expect(pieces(text, size: size) == whole) }
  }

  /// A fault costs its own element.
  @Test(arguments: [
    ("<r><a><b></a><a>2</a></r>", ["1: The end tag </a> closes <b>", "1 <a>2</a>"]),
    ("<r><a>1\n<a>2</a></r>", ["1: The element is not closed before the next one begins", "2 <a>2</a>"]),
    ("<r><a><b <c></b></a><a>2</a></r>", ["1: A tag is not closed", "1 <a>2</a>"]),
    ("<r><a>1</a><a>2", ["1 <a>1</a>", "1: The element is not closed"]),
    ("<r>text<a>1</a></r>", ["1: There is text between the elements", "1 <a>1</a>"]),
    ("no xml", ["1: The text is no XML"]), ("<r></x><a/></r>", ["1: The end tag </x> closes nothing", "1 <a/>"]), ("", []),
    ("<r><a", ["1: The XML ends inside a tag"]),
    ("<r><a/>\n<b>", ["1 <a/>", "2: The XML ends before <b> is closed"]),
    ("<?xml version='1.0'?>\n", ["2: The XML ends before its first element"]),
  ]) func faultsCostTheirElement(_ text: String, _ expected: [String]) {
    #expect(pieces(text) == expected)
    for size in 1...5 { #expect(pieces(text, size: size) == expected) }
  }

  @Test func elementsHaveALimit() {
    let long = "<r><a>" + String(repeating: "x", count: 5000) + "</a><a>2</a></r>"
    let found = pieces(long, size: 100, maximumBytes: 1000)
    #expect(found.count == 2 && found[0].hasPrefix("1: The element is larger") && found[1] == "1 <a>2</a>")
  }

  @Test func whatIsWrittenIsReadAgain() {
    let text = "a<b>&\"'\r\n\t\u{E9}\u{1F600}]]>"
    var output = ByteBuffer()
    output.append("<a x=")
    output.appendXMLAttribute(text)
    output.append(">")
    output.appendXML(text)
    output.append("</a>")
    #expect(tokens(output.text()) == ["<a x=\(text)", text, "/"])
    var odd = ByteBuffer()
    odd.appendXML("\u{0}\u{1B}\u{FFFE}")
    #expect(odd.text() == "\u{FFFD}\u{FFFD}\u{FFFD}")
  }
}
