// Whole files in every format, compared byte for byte with the files in Tests/Golden; VCARD_REFILL=1 writes these anew.
//
// Inputs are the .vcf files in Tests/Golden and in samples/; NAME.FORMAT is what the input NAME.vcf becomes. A change in an expected file
// is a change that users see: look at the difference before it is committed.
import CardSyntax
import People
import TestSupport
import Testing

@Suite struct GoldenTests {
  static let inputs =
    Checkout.files(in: "Tests/Golden", ending: ".vcf").map { "Tests/Golden/" + $0 } + Checkout.samples.map { "samples/" + $0 }
  static let formats: [ContactFormat] = [.json, .jsonl, .csv, .jcard, .jscontact, .xcard, .vcard21, .vcard3, .vcard4]

  @Test(arguments: inputs, formats) func becomes(_ input: String, _ format: ContactFormat) throws {
    let name = input.split(separator: "/").last?.dropLast(4) ?? ""
    let path = "Tests/Golden/\(name).\(format.rawValue)"
    let document = Document(.vcard4, try Checkout.read(input)).converted(to: format).document
    if Checkout.refills { try Checkout.write(path, document.bytes) }
    let wanted = try Checkout.read(path)
    guard document.bytes != wanted else { return }
    let same = zip(document.bytes, wanted).prefix { $0 == $1 }.count
    let start = max(0, same - 100)
    Issue.record(
      """
      \(path) differs from byte \(same) on
      found:  \(String(decoding: document.bytes.dropFirst(start).prefix(300), as: UTF8.self))
      wanted: \(String(decoding: wanted.dropFirst(start).prefix(300), as: UTF8.self))
      """)
  }

  /// The person without the full name that a card without one is given; in agents as well.
  private func unnamed(_ person: Person, like other: Person) -> Person {
    var person = person
    if other.fullName == nil { (person.fullName, person.unclaimed) = (nil, other.unclaimed) }
    if let agent = person.agent, let inner = other.agent { person.agent = .card(unnamed(agent.person, like: inner.person)) }
    return person
  }

  /// Each input comes back from JSON and CSV as its own version writes it. (What is damaged is mended on the way.)
  @Test(arguments: inputs.filter { !$0.contains("damaged") }) func comesBack(_ input: String) throws {
    let document = Document(.vcard4, try Checkout.read(input))
    for person in document.persons {
      let version = person.version ?? .v30
      for way: [ContactFormat] in [[.json, version.format], [.csv, version.format], [.jsonl, .csv, .json, version.format]] {
        let found = Document([person]).converted(through: way).persons
        #expect(found.count == 1)
        let wanted = person.withoutTraces
        guard let back = found.first.map({ unnamed($0.withoutTraces, like: wanted) }), back != wanted else { continue }
        Issue.record("\(way)\n\(difference(back, wanted))")
      }
    }
  }
}
