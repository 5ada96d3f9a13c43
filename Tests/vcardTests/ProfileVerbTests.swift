// --for beside the verbs that copy cards: all of them write the profile's form, the one that convert writes.
import Bytes
import Files
import People
import TestSupport
import Testing

@testable import vcard

@Suite struct ProfileVerbTests {
  static let profiles = WriterProfile.Reader.allCases.map(\.rawValue)
  /// Odd folds and foreign forms, of every version.
  static let samples = ["ios", "android-2.1", "nextcloud"]

  /// Runs the body with a folder that holds the sample.
  private func withSample(_ sample: String, _ body: (FilePath) throws -> Void) throws {
    try withFolder(inMemory: true) { folder in
      try writeFile(folder.file("a.vcf"), try Checkout.text("samples/\(sample).vcf"))
      try body(folder)
    }
  }

  @Test(arguments: samples, profiles) func verbsWriteWhatConvertWrites(_ sample: String, _ profile: String) throws {
    try withSample(sample) { folder in
      run("convert --for \(profile) %/a.vcf -o %/wanted.vcf", in: folder)
      let wanted = try readFile(folder.file("wanted.vcf"))
      #expect(wanted.contains("BEGIN:VCARD"))
      for verb in ["filter --not --where fullName=nobody", "join", "dedupe", "edit --set fullName=Mira --where fullName=nobody"] {
        #expect(run("\(verb) --for \(profile) %/a.vcf -o %/b.vcf", in: folder) == 0, "\(verb)")
        #expect(try readFile(folder.file("b.vcf")) == wanted, "\(verb)")
      }
      #expect(run("split --count 1000 --for \(profile) %/a.vcf -o %/parts/", in: folder) == 0)
      #expect(try readFile(folder.file("parts").file("contacts-0001.vcf")) == wanted)
      #expect(run("filter -i --has fullName,name,phones --any --for \(profile) %/a.vcf", in: folder) == 0)
      #expect(try readFile(folder.file("a.vcf")) == wanted)
    }
  }

  @Test(arguments: samples, profiles) func whatIsChangedHasTheFormToo(_ sample: String, _ profile: String) throws {
    try withSample(sample) { folder in
      for verb in ["edit --set notes=_new --remove urls", "photos --strip"] {
        run("\(verb) %/a.vcf -o %/changed.vcf", in: folder)
        run("convert --for \(profile) %/changed.vcf -o %/wanted.vcf", in: folder)
        #expect(run("\(verb) --for \(profile) %/a.vcf -o %/b.vcf", in: folder) == 0, "\(verb)")
        let wanted = try readFile(folder.file("wanted.vcf"))
        #expect(try readFile(folder.file("b.vcf")) == wanted, "\(verb)")
      }
    }
  }

  /// Normalized cards are in the profile's form, and normalizing them again changes nothing.
  @Test(arguments: Checkout.samples, profiles.map { "--for " + $0 } + ["--to vcard2.1", "--to vcard3"])
  func normalizesOnceForAll(_ sample: String, _ form: String) throws {
    try withSample(String(sample.dropLast(4))) { folder in
      #expect(run("normalize \(form) %/a.vcf -o %/b.vcf", in: folder) == 0)
      let once = try readFile(folder.file("b.vcf"))
      run("normalize \(form) %/b.vcf -o %/c.vcf", in: folder)
      #expect(try readFile(folder.file("c.vcf")) == once)
      run("convert \(form) %/b.vcf -o %/d.vcf", in: folder)
      #expect(try readFile(folder.file("d.vcf")) == once)
    }
  }

  /// Steps that change an account change both of its forms.
  @Test(arguments: ["apple", "google"]) func normalizesBothFormsOfAccounts(_ profile: String) throws {
    try withFolder(inMemory: true) { folder in
      let accounts = "IMPP;TYPE=business:skype:mira.example\nIMPP;TYPE=home:xmpp:mira@example.com\n"
      try writeFile(folder.file("a.vcf"), oddCard("Mira", accounts))
      #expect(run("normalize --for \(profile) %/a.vcf -o %/b.vcf", in: folder) == 0)
      let once = try readFile(folder.file("b.vcf"))
      let lines = once.split(separator: "\r\n").filter { $0.contains("mira") }
      #expect(
        lines == [
          "IMPP;TYPE=WORK:skype:mira.example", "X-SKYPE-USERNAME;TYPE=WORK:mira.example", "IMPP;TYPE=HOME:xmpp:mira@example.com",
          "X-JABBER;TYPE=HOME:mira@example.com",
        ])
      #expect(run("normalize --for \(profile) %/b.vcf -o %/c.vcf", in: folder) == 0)
      #expect(try readFile(folder.file("c.vcf")) == once)
    }
  }

  @Test func refusesWhatMakesNoSense() throws {
    try withSample("ios") { folder in
      try writeFile(folder.file("a.json"), #"[{"fullName":"Mira"}]"#)
      for line in [
        "filter --has name --for apple --to vcard4 %/a.vcf", "join --for apple %/a.vcf -o %/b.json", "extract --for apple %/a.vcf",
        "normalize --for apple --skip version %/a.vcf", "filter -i --has fullName --for apple %/a.json",
        "edit -i --set fullName=Mo --to vcard3 %/a.json", "photos --for apple %/a.vcf -o %/pictures/",
      ] {
        #expect(run(line, in: folder) == 2, "\(line)")
      }
      #expect(try readFile(folder.file("a.json")) == #"[{"fullName":"Mira"}]"#)
      #expect(run("filter --has fullName --for strict --to vcard3 %/a.vcf -o %/b.vcf", in: folder) == 0)
      #expect(try readFile(folder.file("b.vcf")).contains("VERSION:3.0"))
    }
  }
}
