// Names as they are compared: what fits, and what must not.
import CardSyntax
import People
import Testing

/// The name of a card with these lines.
private func name(_ lines: String) -> ComparableName {
  let person = Array(Persons("BEGIN:VCARD\nVERSION:4.0\n\(lines)\nEND:VCARD\n")).first ?? Person()
  return ComparableName(Record(person))
}

private func full(_ text: String) -> ComparableName { name("FN:" + text) }

@Suite struct NameComparisonTests {
  @Test(arguments: [
    ("Müller, Anna", "anna muller"), ("Müller, Anna", "ANNA MÜLLER"), ("A. Müller", "Anna Müller"), ("Anna Müller", "Anna Maria Müller"),
    ("O'Neil, Sean", "Sean ONeil"), ("Sean O’Neil", "sean oneil"), ("J. R. R. Tolk", "John Ronald Reuel Tolk"),
    ("J.P. Lang", "Jean-Pierre Lang"),
    ("Jean Pierre Lang", "Jean-Pierre Lang"), ("Dr. Mira Okafor", "Mira Okafor, PhD"), ("Søren Ångström", "Soren Angstrom"),
    ("Łukasz Żak", "Lukasz Zak"), ("Straße, Ute", "Ute Strasse"), ("Алёна Котова", "АЛЕНА КОТОВА"), ("Νίκος Παππάς", "νικος παππας"),
    ("山田 太郎", "山田太郎"), ("Ｍｉｒａ Okafor", "Mira Okafor"), ("e\u{301}tienne roy", "Étienne Roy"), ("かﾞ", "かﾞ"), ("か\u{3099}", "が"),
    ("John Smith Jr.", "Smith, John, Junior"), ("Mira Okafor 🌧️", "mira okafor"), ("Smith-Jones, Amy", "Amy Smith Jones"),
  ])
  func fits(_ a: String, _ b: String) {
    #expect(full(a).fits(full(b)))
    #expect(full(b).fits(full(a)))
  }

  @Test(arguments: [
    ("John Smith", "Jane Smith"), ("John Smith", "John Smith Jr."), ("John Smith II", "John Smith III"), ("John Smith", "John Smyth"),
    ("Karl Meier", "Karl-Heinz Meier"), ("Anna Maria Roy", "Anna Luise Roy"), ("Müller", "Mueller"), ("王明", "王明華"), ("王 明", "王 明華"),
    ("Smith", "John Smith"), ("Info", "Mia Ray"), ("J. Smith", "K. Smith"),
  ])
  func doesNotFit(_ a: String, _ b: String) {
    #expect(!full(a).fits(full(b)))
    #expect(!full(b).fits(full(a)))
  }

  /// Parts that a card names count more than the text that it shows; swapped parts are the same name.
  @Test func partsAndWholes() {
    let parts = name("FN:Mimi\nN:Okafor;Mira;Ada;Dr.;")
    #expect(parts.fits(full("Okafor, Mira")))
    #expect(parts.fits(full("M. Okafor")))
    #expect(parts.fits(full("Okafor Mira")))
    #expect(parts.fits(name("FN:x\nN:Mira;Okafor;;;")) == false)
    #expect(name("FN:x\nN:Okafor;Mira;;;").fits(name("FN:x\nN:Mira;Okafor;;;")))
    #expect(name("FN:Wanjiru Achter\nN:;Wanjiru Achter;;;").fits(name("FN:x\nN:Achter;Wanjiru;;;")))
    #expect(!name("FN:x\nN:Smith;John;;;Jr.").fits(name("FN:x\nN:Smith;John;;;")))
    #expect(name("FN:x\nN:Smith;John;;;Jr.").fits(name("FN:x\nN:Smith Jr.;John;;;")))
  }

  @Test func whoHasNoName() {
    #expect(full("mira@example.com").kind == .none)
    #expect(full("+44 7700 900123").kind == .none)
    #expect(name("FN:").kind == .none)
    #expect(name("FN:Tern & Vale\nORG:Tern & Vale").kind == .organization)
    #expect(name("FN:TERN AND VALE\nKIND:org\nORG:Tern & Vale;Survey").fits(name("FN:\nORG:tern & vale")))
    #expect(!name("FN:Tern & Vale\nORG:Tern & Vale").fits(full("Tern & Vale")))
    #expect(name("FN:Crew\nKIND:group").kind == .group)
    #expect(!name("FN:Crew\nKIND:group").fits(full("Crew")))
  }

  /// A packed name comes back as it was.
  @Test(arguments: ["Dr. Anna-Maria Müller, Jr.", "Müller, Anna", "", "❤️", "mira@example.com"])
  func packs(_ text: String) {
    let name = full(text)
    #expect(ComparableName(packed: name.packed) == name)
  }
}
