// The plan of `dedupe`, as text for people and as one JSON object.
import Bytes
import DataSyntax
import Files
import People

/// Tells which contacts become one, why, and which only might.
struct PlanReport {
  private let plan: MatchPlan
  /// The names of the files.
  private let names: [String]
  private let form: ReportForm?
  private let candidatesOnly: Bool

  init(_ plan: MatchPlan, files: [InputFile], form: ReportForm?, candidatesOnly: Bool) {
    (self.plan, names, self.form, self.candidatesOnly) = (plan, files.map(\.path.text), form, candidatesOnly)
  }

  /// Calls `body` with each line of the plan, without its line break; the plan of a large book has a million.
  func forEachLine(_ matcher: borrowing ContactMatcher, _ body: (String) -> Void) {
    if form == .json { body(json()) } else { forEachTextLine(matcher, body) }
  }

  /// The plan, with a line break at its end.
  func text(_ matcher: borrowing ContactMatcher) -> String {
    var text = ""
    forEachLine(matcher) {
      text += $0
      text += "\n"
    }
    return text
  }

  private func json() -> String {
    let groups = candidatesOnly ? [] : plan.groups
    var output = ByteBuffer()
    output.append("{\"groups\": [")
    for (i, group) in groups.enumerated() {
      if i > 0 { output.append(", ") }
      Self.append(group.members, to: &output)
    }
    output.append("], \"reasons\": [")
    for (i, group) in groups.enumerated() {
      if i > 0 { output.append(", ") }
      output.appendJSONString(group.reason)
    }
    output.append("], \"candidates\": [")
    for (i, pair) in plan.candidates.enumerated() {
      if i > 0 { output.append(", ") }
      Self.append([pair.first, pair.second], to: &output)
    }
    output.append("], \"candidateReasons\": [")
    for (i, pair) in plan.candidates.enumerated() {
      if i > 0 { output.append(", ") }
      output.appendJSONString(pair.key?.word ?? "")
    }
    output.append("]}")
    return output.text()
  }

  private static func append(_ numbers: [Int], to output: inout ByteBuffer) {
    output.append("[")
    for (i, number) in numbers.enumerated() {
      if i > 0 { output.append(", ") }
      output.append(decimal: number)
    }
    output.append("]")
  }

  private func forEachTextLine(_ matcher: borrowing ContactMatcher, _ body: (String) -> Void) {
    if !candidatesOnly {
      for group in plan.groups {
        body("merge \(group.members.map(String.init).joined(separator: ","))")
        body("  " + shown(group.members[0], matcher))
        let evidence = Dictionary(grouping: group.evidence, by: \.second)
        for member in group.members.dropFirst() {
          let reasons = (evidence[member] ?? []).map { "\(reason($0)) as \($0.first)" }
          body("  " + shown(member, matcher) + (reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", ")))
        }
      }
    }
    for pair in plan.candidates {
      body("candidate \(pair.first),\(pair.second): " + reason(pair))
      body("  " + shown(pair.first, matcher))
      body("  " + shown(pair.second, matcher))
    }
    let absorbed = plan.groups.reduce(0) { $0 + $1.members.count - 1 }
    let people = matcher.count - absorbed
    let merged = "\(matcher.count) contact\(matcher.count == 1 ? "" : "s"), \(people) \(people == 1 ? "person" : "people")"
    let open = "\(plan.candidates.count) " + (plan.candidates.count == 1 ? "pair" : "pairs") + " may be the same"
    body(candidatesOnly ? open : plan.candidates.isEmpty ? merged : "\(merged); \(open)")
  }

  private func reason(_ evidence: MatchPlan.Evidence) -> String {
    let told = evidence.text.isEmpty ? "" : " " + Self.oneLine(evidence.text)
    switch evidence.key {
    case .uid: return "same UID" + told
    case .email: return "same e-mail" + told
    case .phone: return "same phone" + told
    case .equal: return "same values"
    case .name: return "same name"
    case nil: return "named with --merge"
    }
  }

  /// A contact with its number, its name and where it stands.
  private func shown(_ contact: Int, _ matcher: borrowing ContactMatcher) -> String {
    let entry = matcher.entries[contact]
    let title = Self.oneLine(matcher.title(contact))
    var text = String(contact) + " "
    text += title.isEmpty ? "(no name)" : title
    text += " ("
    text += names[Int(entry.file)]
    if entry.line > 0 { text += ":" + String(entry.line) }
    return text + ")"
  }

  private static func oneLine(_ text: String) -> String {
    text.utf8.contains(where: { $0 < ASCII.space }) ? String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }) : text
  }
}
