// Every way to write an option, and every way to get one wrong.
import Files
import Testing

@testable import vcard

private func invocation(_ line: String) throws -> Invocation {
  guard case .run(let invocation) = try ArgumentParser.parse(line.split(separator: " ").map { FilePath(String($0)) }) else {
    throw UsageError("no run")
  }
  return invocation
}

private func message(_ line: String) -> String {
  do {
    _ = try ArgumentParser.parse(line.split(separator: " ").map { FilePath(String($0)) })
    return "no error"
  } catch { return error.message }
}

@Suite struct ArgumentParserTests {
  @Test(arguments: [
    "convert --to json a.vcf", "convert --to=json a.vcf", "convert -t json a.vcf", "convert -tjson a.vcf", "convert -t=json a.vcf",
    "convert a.vcf -t json", "-t json convert a.vcf", "convert -t json -- a.vcf", "convert -nqt json a.vcf",
    "convert -t jsonl -t json a.vcf",
  ])
  func writesAnOptionInEveryForm(_ line: String) throws {
    let result = try invocation(line)
    #expect(result.verb == .convert)
    #expect(result.options.to == .json)
    #expect(result.operands == ["a.vcf"])
  }

  @Test func readsEveryOption() throws {
    var options = try invocation(
      "convert -f jsonl -o out/ -n --encoding cp1252 --photos pics --strict --report json -q --color never "
        + "--progress --jobs 3 --fold off a.jsonl"
    ).options
    #expect(options.from == .jsonl)
    #expect(options.output == "out/")
    #expect(options.isDryRun && options.isStrict && options.isQuiet && options.showsProgress)
    #expect(options.encoding == "cp1252")
    #expect(options.photos == .folder("pics"))
    #expect(options.report == .json)
    #expect(options.color == .never)
    #expect(options.jobs == 3)
    #expect(options.fold == .off)
    options = try invocation("convert -i --backup .old --fold 60 --photos omit a.vcf").options
    #expect(options.isInPlace)
    #expect(options.backupSuffix == Array(".old".utf8))
    #expect(options.fold == .width(60))
    #expect(options.photos == .omit)
    options = try invocation("extract -F fullName --no-header --limit 2 --all --require email").options
    #expect(options.fields == ["fullName"])
    #expect(!options.hasHeader && options.listsAllValues)
    #expect(options.limit == 2)
    #expect(options.required == ["email"])
    options = try invocation("validate --as vcard4 --ignore a,b --error warnings --rules").options
    #expect(options.checkedVersion == .vcard4)
    #expect(options.ignoredRules == ["a", "b"])
    #expect(options.errorRules == ["warnings"])
    #expect(options.listsRules)
    #expect(try invocation("help --man").options.wantsManual)
  }

  @Test func keepsOperandsAsTheyAre() throws {
    #expect(try invocation("convert - -- -t --help").operands == ["-", "-t", "--help"])
    let odd = FilePath(bytes: [0x61, 0xFF, 0x2E, 0x76])
    guard case .run(let result) = try ArgumentParser.parse(["convert", odd, "-o", odd]) else { throw UsageError("no run") }
    #expect(result.operands == [odd])
    #expect(result.options.output == odd)
    guard case .run(let quoted) = try ArgumentParser.parse(["extract", "-F", "phones.\"boat, house\", email"]) else {
      throw UsageError("no run")
    }
    #expect(quoted.options.fields == ["phones.\"boat, house\"", "email"])
  }

  @Test func knowsWhatIsNoRun() throws {
    func shown(_ words: FilePath...) throws -> String { "\(try ArgumentParser.parse(words))" }
    #expect(try shown() == "nothing")
    #expect(try shown("--version") == "version")
    #expect(try shown("convert", "--version") == "version")
    #expect(try shown("-h") == "help(nil)")
    #expect(try shown("convert", "x", "-h").hasSuffix("Verb.convert))"))
  }

  @Test(arguments: [
    ("conver a", "unknown verb 'conver'; did you mean 'convert'?"),
    ("a.vcf", "unknown verb 'a.vcf'; a verb comes before files, as in 'vcard extract a.vcf'"),
    ("frobnicate", "unknown verb 'frobnicate'; verbs are \(Verb.allCases.map(\.rawValue).joined(separator: ", "))"),
    ("-q", "no verb: say what to do, as in 'vcard convert contacts.vcf -o contacts.json'"),
    ("convert --outptu x", "unknown option '--outptu'; did you mean '--output'?"),
    ("convert --zzzzzz", "unknown option '--zzzzzz'"),
    ("convert -Z", "unknown option '-Z'"),
    ("convert -ouput", "no error"),
    ("convert -t jsno", "--to: unknown format 'jsno'; did you mean 'json'?"),
    ("convert -t vcf", "--to: unknown format 'vcf'; did you mean 'vcard'?"),
    ("convert -t ndjson", "--to: unknown format 'ndjson'; did you mean 'jsonl'?"),
    ("convert -f table", "--from: format 'table' is output only, it cannot be read"),
    ("extract -t jcard", "'extract' does not write jcard, but csv, tsv, json, jsonl, table"),
    ("validate --as json", "--as: 'json' is no version of vCard (vcard, vcard4, vcard3, vcard2.1)"),
    ("convert -t", "-t needs a value: FORMAT"),
    ("convert --to", "--to needs a value: FORMAT"),
    ("convert --strict=yes", "--strict takes no value"),
    ("convert --color blue", "--color: unknown choice 'blue'; it is one of auto, always, never"),
    ("convert --report jsn", "--report: unknown choice 'jsn'; did you mean 'json'?"),
    ("convert --jobs 0", "--jobs: '0' is no number from 1 up"),
    ("convert --jobs two", "--jobs: 'two' is no number from 1 up"),
    ("convert --fold 3", "--fold: '3' is no number from 16 up or 'off'"),
    ("extract -F a,,b", "--fields: an entry of 'a,,b' is empty"),
    ("convert --photos omitt", "--photos: unknown choice 'omitt'; did you mean 'omit'? A folder of that name is './omitt'"),
    ("convert --backup a/b -i x", "--backup: 'a/b' holds a slash"),
    ("extract --as vcard4 x", "'extract' does not take --as (validate does)"),
    ("convert -i a -o b", "--in-place and --output exclude each other"),
    ("convert -i", "--in-place needs files: stdin cannot be replaced"),
    ("convert -i a -t json", "--in-place writes vCard to vCard, not json"),
    ("convert --backup x a", "--backup needs --in-place"),
    ("fields x", "'fields' takes no operand, but 'x' was given"),
    ("completions", "'completions' needs SHELL: bash, zsh, fish"),
    ("completions bahs", "unknown word 'bahs'; did you mean 'bash'?"),
    ("help path", "unknown word 'path'; did you mean 'paths'?"),
    ("help paths rules", "one is enough: 'rules' is too much"),
  ])
  func namesWhatIsWrong(_ line: String, _ wanted: String) { #expect(message(line) == wanted) }

  @Test func refusesUnknownRules() throws {
    let options = try invocation("validate --ignore empty-valu --error warnings").options
    #expect(throws: UsageError("--ignore: unknown rule 'empty-valu'; did you mean 'empty-value'?")) {
      try options.checkRules(known: ["empty-value", "bad-date"])
    }
  }

  @Test func declaresEachOptionVerbAndFormatOnce() {
    #expect(Set(OptionRow.all.map(\.id)).count == OptionRow.all.count && OptionRow.all.count == OptionID.allCases.count)
    #expect(Set(OptionRow.all.compactMap(\.short)).count == OptionRow.all.compactMap(\.short).count)
    #expect(VerbRow.all.map(\.verb) == Verb.allCases)
    #expect(FormatRow.all.map(\.name) == FormatName.allCases)
  }

  @Test(arguments: [("josn", 1), ("json", 0), ("jsonl", 1), ("", 4), ("xml", 4)])
  func countsSlips(_ word: String, _ distance: Int) {
    #expect(NearestName.distance(Array(word.utf8), Array("json".utf8)) == distance)
  }
}
