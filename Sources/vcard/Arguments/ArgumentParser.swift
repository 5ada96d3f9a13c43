// The command line's grammar: options anywhere among operands, in every customary spelling.
import Bytes
import Files

/// What the command is to do.
enum Request: Sendable {
  /// Nothing was said: the overview, as an error.
  case nothing
  case version
  /// Help for a verb, or the overview.
  case help(Verb?)
  case run(Invocation)
}

/// Reads arguments by the tables of options and verbs.
///
///     --name value   --name=value   -t json   -tjson   -in   --   -
///
/// The first operand is the verb; options may stand before it, since what an option takes does not depend on the verb.
/// After `--` everything is an operand. A single `-` always is.
struct ArgumentParser {
  private var rest: ArraySlice<FilePath>
  private var options = Options()
  private var operands: [FilePath] = []
  private var verb: Verb?

  private init(_ arguments: [FilePath]) { rest = arguments[...] }

  /// The meaning of a command line, the program's name left off.
  static func parse(_ arguments: [FilePath]) throws(UsageError) -> Request {
    if arguments.isEmpty { return .nothing }
    var parser = ArgumentParser(arguments)
    do throws(UsageError) {
      return try parser.request()
    } catch {
      throw UsageError(error.message, verb: error.verb ?? parser.verb)
    }
  }

  private mutating func request() throws(UsageError) -> Request {
    while let argument = rest.popFirst() {
      if argument.bytes == [ASCII.dash, ASCII.dash] {
        while let operand = rest.popFirst() { try takeOperand(operand) }
      } else if argument.bytes.starts(with: [ASCII.dash, ASCII.dash]) {
        try takeLong(argument.bytes.dropFirst(2))
      } else if argument.bytes.first == ASCII.dash, argument.bytes.count > 1 {
        try takeShort(argument.bytes.dropFirst())
      } else {
        try takeOperand(argument)
      }
    }
    if options.wantsHelp { return .help(verb) }
    if options.wantsVersion { return .version }
    guard let verb else { throw UsageError("no verb: say what to do, as in 'vcard convert contacts.vcf -o contacts.json'") }
    try check(verb)
    return .run(Invocation(verb: verb, operands: operands, options: options))
  }

  private mutating func takeOperand(_ operand: FilePath) throws(UsageError) {
    if verb != nil {
      operands.append(operand)
      return
    }
    if let named = Verb(rawValue: operand.text) {
      verb = named
      return
    }
    let text = operand.text
    if let near = NearestName.of(text, among: Verb.allCases.map(\.rawValue)) {
      throw UsageError("unknown verb '\(text)'; did you mean '\(near)'?")
    }
    if operand.isStandard || operand.bytes.contains(where: { $0 == ASCII.dot || $0 == ASCII.slash }) {
      throw UsageError("unknown verb '\(text)'; a verb comes before files, as in 'vcard extract \(text)'")
    }
    throw UsageError("unknown verb '\(text)'; verbs are \(Verb.allCases.map(\.rawValue).joined(separator: ", "))")
  }

  private mutating func takeLong(_ body: ArraySlice<UInt8>) throws(UsageError) {
    let end = body.firstIndex(of: ASCII.equals) ?? body.endIndex
    let name = String(decoding: body[..<end], as: UTF8.self)
    guard let row = OptionID(rawValue: name)?.row else { throw unknownOption("--" + name, name) }
    let attached = end < body.endIndex ? Array(body[(end + 1)...]) : nil
    if row.value.placeholder == nil {
      if attached != nil { throw UsageError("\(row.id.spelling) takes no value") }
      return try options.take(row, [])
    }
    let value = if let attached { attached } else { try nextValue(row, row.id.spelling) }
    try options.take(row, value)
  }

  /// A run of flags, of which the last may take a value: the rest of the argument, else the next one.
  private mutating func takeShort(_ body: ArraySlice<UInt8>) throws(UsageError) {
    var body = body
    while let byte = body.popFirst() {
      let letter = Character(UnicodeScalar(byte))
      guard byte < 128, let row = OptionRow.all.first(where: { $0.short == letter }) else {
        // Letters that are no flags are most likely a long name with one dash.
        let whole = String(decoding: [byte] + body, as: UTF8.self)
        throw unknownOption("-" + (byte < 128 && body.isEmpty ? String(letter) : whole), whole)
      }
      if row.value.placeholder == nil {
        try options.take(row, [])
      } else {
        if body.isEmpty { return try options.take(row, try nextValue(row, "-\(letter)")) }
        return try options.take(row, Array(body.first == ASCII.equals ? body.dropFirst() : body))
      }
    }
  }

  private mutating func nextValue(_ row: OptionRow, _ spelling: String) throws(UsageError) -> [UInt8] {
    guard let value = rest.popFirst() else {
      throw UsageError("\(spelling) needs a value: \(row.value.placeholder ?? "")")
    }
    return value.bytes
  }

  private func unknownOption(_ spelling: String, _ name: String) -> UsageError {
    let known = OptionRow.all.filter { row in verb.map { row.verbs.contains($0) } ?? true }.map(\.id.rawValue)
    let near = name.utf8.count > 1 ? NearestName.of(name, among: known) : nil
    return UsageError("unknown option '\(spelling)'" + (near.map { "; did you mean '--\($0)'?" } ?? ""))
  }

  /// What only the whole command line can show.
  private func check(_ verb: Verb) throws(UsageError) {
    for id in options.given where !id.row.verbs.contains(verb) {
      let others = id.row.verbs.map(\.rawValue)
      let told = others.joined(separator: ", ") + (others.count == 1 ? " does" : " do")
      throw UsageError("'\(verb.rawValue)' does not take \(id.spelling) (\(told))")
    }
    if let to = options.to, !verb.row.outputs.contains(to) {
      let outputs = verb.row.outputs.map(\.rawValue).joined(separator: ", ")
      throw UsageError("'\(verb.rawValue)' does not write \(to.rawValue), but \(outputs)")
    }
    if options.isInPlace, options.output != nil { throw UsageError("--in-place and --output exclude each other") }
    if options.isInPlace, operands.contains(where: \.isStandard) || operands.isEmpty {
      throw UsageError("--in-place needs files: stdin cannot be replaced")
    }
    if options.isInPlace, let to = options.to, !to.isCard {
      throw UsageError("--in-place writes vCard to vCard, not \(to.rawValue)")
    }
    if options.backupSuffix != nil, !options.isInPlace { throw UsageError("--backup needs --in-place") }
    switch verb.row.operands {
    case .inputs: if operands.contains(where: \.bytes.isEmpty) { throw UsageError("a file name is empty") }
    case .two(let first, let second):
      if operands.count != 2 { throw UsageError("'\(verb.rawValue)' needs two operands: \(first) and \(second)") }
      if operands.contains(where: \.bytes.isEmpty) { throw UsageError("a file name is empty") }
    case .none: if let first = operands.first { throw UsageError("'\(verb.rawValue)' takes no operand, but '\(first)' was given") }
    case .word(let name, let words):
      guard let first = operands.first else { throw UsageError("'\(verb.rawValue)' needs \(name): \(words.joined(separator: ", "))") }
      try checkWords(first, words)
    case .topic(_, let words):
      if let first = operands.first { try checkWords(first, words) }
    }
  }

  private func checkWords(_ first: FilePath, _ words: [String]) throws(UsageError) {
    if operands.count > 1 { throw UsageError("one is enough: '\(operands[1])' is too much") }
    if words.contains(first.text) { return }
    let hint = NearestName.of(first.text, among: words).map { "did you mean '\($0)'?" } ?? "known are \(words.joined(separator: ", "))"
    throw UsageError("unknown word '\(first)'; \(hint)")
  }
}
