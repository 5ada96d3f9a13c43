// What the design asks of the source files: only the table and the value kinds know a property by name; rooms have a sign at the door.
import People
import TestSupport
import Testing

@Suite struct ArchitectureTests {
  /// Every source file, by its path below Sources.
  static let sources: [String] = {
    var found: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
      for name in Checkout.files(in: "Sources/" + folder) {
        if name.hasSuffix(".swift") { found.append(folder + name) } else if !name.contains(".") { folders.append(folder + name + "/") }
      }
    }
    return found.sorted()
  }()

  /// Where properties may be named, besides the table: the kinds of values.
  private static func mayName(_ path: String) -> Bool { path == "People/Person.swift" || path.hasPrefix("People/Values/") }

  /// Names that other files need. Nothing is added here without a reason.
  private static let allowed: [String: Set<String>] = [
    // VERSION and the 2.1 form of AGENT decide how lines are read; a nested card is a card.
    "CardSyntax/CardBuilder.swift": ["VERSION", "AGENT"], "CardSyntax/ContinuationLines.swift": ["VERSION", "AGENT"],
    "CardSyntax/HeadTemplates.swift": ["AGENT"],
    "CardSyntax/PhysicalLine.swift": ["VERSION"],
    // Words of parameters and letters that are also names: 2.1's URL, `\\N`, LANGUAGE, the words for arguments in the help.
    "CardSyntax/ContentLineText.swift": ["URL"], "CardSyntax/Escaping.swift": ["N"], "People/Annotations.swift": ["LANGUAGE"],
    "CardSyntax/CardStorage.swift": ["LABEL", "LANGUAGE", "GEO", "TZ", "X-TZ", "CREATED"],
    "vcard/Arguments/OptionTable.swift": ["NAME", "N"],
    // Every card has a version, and a group may have a label; neither is a field's line.
    "People/Field.swift": ["VERSION", "X-ABLABEL"], "People/LineWriter.swift": ["X-ABLabel"], "People/CardWriter.swift": ["VERSION", "FN"],
    "People/Formats/CSVCell.swift": ["VERSION"], "People/Formats/CardAssembler.swift": ["VERSION"],
    // The rules about the two names that a card must have.
    "People/Validation/Validator.swift": ["VERSION"],
    // Android's one name for many fields.
    "People/AndroidCustom.swift": ["X-ANDROID-CUSTOM"],
    // The mapping of RFC 9555, which names the properties of both sides.
    "People/Formats/JSContact/JSContactTable.swift": [
      "LOGO", "EMAIL", "FBURL", "SOUND", "TITLE", "NOTE", "ORG", "PHOTO", "KEY", "PRONOUNS", "LANG",
    ],
    "People/Formats/JSContact/JSContactHead.swift": ["ANNIVERSARY"], "People/Formats/JSContact/JSComponents.swift": ["N"],
    "People/Operations/Matching.swift": ["N"],
  ]

  /// The string literals of a file, comments left out. Literals with quotes inside are of no interest here.
  private static func literals(_ text: String) -> Set<String> {
    var found = Set<String>()
    for line in text.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
      let pieces = line.split(separator: "\"", omittingEmptySubsequences: false)
      for i in stride(from: 1, to: pieces.count, by: 2) { found.insert(String(pieces[i])) }
    }
    return found
  }

  /// Architecture, section 1: all knowledge of properties stands in one table.
  @Test func onlyTheTableNamesProperties() throws {
    let names = Set(Person.fields.flatMap { $0.names.map { $0.text.uppercased() } }).union(["VERSION", "X-ABLABEL"])
    var unused = Self.allowed
    for path in Self.sources where !Self.mayName(path) && !path.hasPrefix("card-benchmark/") {
      // A literal names a property if it is the name, or a line that begins with it.
      let named = Set(
        Self.literals(try Checkout.text("Sources/" + path)).compactMap { literal -> String? in
          let name = String(literal.prefix { $0 != ":" && $0 != ";" })
          // `TYPE` and its like are parameters, and words in lower case are keys and labels.
          return names.contains(name.uppercased()) && (name == name.uppercased() || name.hasPrefix("X-")) ? name : nil
        })
      #expect(named.subtracting(Self.allowed[path] ?? []).sorted() == [], "\(path)")
      unused[path]?.subtract(named)
    }
    for (path, names) in unused { #expect(names.sorted() == [], "\(path) may name what it does not name") }
  }

  /// The syntax knows no property (section 1), and no room knows the one above it.
  @Test func wallsStand() throws {
    let allowed: [String: Set<String>] = [
      "Bytes": [], "Files": ["Bytes"], "CardSyntax": ["Bytes"], "DataSyntax": ["Bytes"],
      "People": ["Bytes", "Files", "CardSyntax", "DataSyntax"],
    ]
    let rooms: Set<String> = ["Bytes", "Files", "CardSyntax", "DataSyntax", "People", "vcard", "TestSupport", "Foundation"]
    for path in Self.sources {
      let room = String(path.prefix { $0 != "/" })
      for line in try Checkout.text("Sources/" + path).split(separator: "\n") where line.contains("import ") && !line.hasPrefix("//") {
        guard let name = line.split(separator: " ").last.map(String.init), rooms.contains(name), !line.contains("\"") else { continue }
        #expect(name != "Foundation" && name != "TestSupport", "\(path)")
        if let walls = allowed[room] { #expect(walls.contains(name), "\(path) imports \(name)") }
      }
    }
  }

  /// Each source file opens with one plain comment line that says what it is for.
  @Test func filesSayWhatTheyAreFor() throws {
    #expect(Self.sources.count > 50)
    for path in Self.sources {
      let lines = try Checkout.text("Sources/" + path).split(separator: "\n", omittingEmptySubsequences: false).prefix(2)
      let first = lines.first ?? ""
      #expect(first.hasPrefix("// ") && (first.hasSuffix(".") || first.hasSuffix("?")) && first.count > 20, "\(path): \(first)")
    }
  }
}
