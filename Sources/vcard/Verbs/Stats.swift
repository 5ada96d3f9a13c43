// `vcard stats`: what an address book holds, as text or as JSON.
import Bytes
import CardSyntax
import DataSyntax
import Files
import People

func runStats(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  let options = invocation.options
  var statistics = Statistics()
  for file in try Inputs.files(of: invocation) {
    var input = try InputStream(file.path)
    // Findings are what this verb is about: they are counted, and told only where one stops the run.
    var stopping: Diagnostic?
    _ = try Contacts.read(
      file, &input, invocation, console: &console, reports: false, keepsText: true,
      between: { source in
        _ = source.takeTextBetween()
        let found = source.takeFindings()
        statistics.add(found)
        stopping = stopping ?? found.first { $0.severity == .error }
      },
      { contact, source, console in
        switch contact {
        case .card(let batch, let index):
          let found = statistics.add(batch, index)
          stopping = stopping ?? found.first { $0.severity == .error }
        case .record: statistics.add(source.record)
        }
        try stop(&console)
      })
    try stop(&console)

    func stop(_ console: inout Console) throws {
      guard options.isStrict, let stopping else { return }
      Contacts.tell([stopping], file, console: &console)
      throw RunStopped()
    }
  }
  var output = OutputStream()
  if options.report == .json {
    try output.write(text: json(statistics))
  } else {
    try output.write(text: text(statistics, hasBars: output.isTerminal))
  }
  try output.finish()
  return statistics.contacts == 0 || statistics.hasErrors ? 1 : 0
}

// MARK: Text

private func text(_ statistics: borrowing Statistics, hasBars: Bool) -> String {
  let total = statistics.contacts
  func line(_ name: String, _ count: Int, _ width: Int, bar: Bool = true) -> String {
    let plain = String(String.UnicodeScalarView(name.unicodeScalars.map { $0.value < 32 ? " " : $0 }))
    let number = String(count)
    var line = "  " + plain + String(repeating: " ", count: max(0, width - plain.count) + max(0, 8 - number.count) + 1) + number
    guard bar, total > 0 else { return line + "\n" }
    let percent = (count * 200 + total) / (total * 2)
    let shown = count > 0 && percent == 0 ? "<1%" : "\(percent)%"
    line += String(repeating: " ", count: 6 - shown.count) + shown
    if hasBars { line += "  " + String(repeating: "#", count: (count * 40 + total) / (total * 2)) }
    return line + "\n"
  }
  func section(_ title: String, _ rows: [Statistics.Count]) -> String {
    if rows.isEmpty { return "" }
    let width = min(rows.map(\.name.count).max() ?? 0, 44)
    return "\n\(title)\n" + rows.map { line($0.name, $0.count, width) }.joined()
  }
  var producers = statistics.byProducer
  let silent = total - producers.reduce(0) { $0 + $1.count } - statistics.otherProducers
  if statistics.otherProducers > 0 { producers.append(("(others)", statistics.otherProducers)) }
  if silent > 0, !producers.isEmpty { producers.append(("(not said)", silent)) }
  var text = "contacts \(total)\n"
  text += section("versions", statistics.byVersion.map { ($0.name.isEmpty ? "(not said)" : $0.name, $0.count) })
  text += section("producers", producers)
  text += section("fields", statistics.byField)
  let rules = statistics.byRule
  if !rules.isEmpty {
    let width = rows(rules).map(\.name.count).max() ?? 0
    text += "\nfindings\n" + rows(rules).map { line($0.name, $0.count, width, bar: false) }.joined()
  }
  return text
}

private func rows(_ rules: [(rule: String, severity: Severity, count: Int)]) -> [Statistics.Count] {
  rules.map { ("\($0.rule) (\($0.severity.name))", $0.count) }
}

// MARK: JSON

private func json(_ statistics: borrowing Statistics) -> String {
  var output = ByteBuffer()
  func add(_ key: StaticString, _ rows: [Statistics.Count]) {
    output.append(",\"")
    output.append(key)
    output.append("\":{")
    for (i, row) in rows.enumerated() {
      if i > 0 { output.append(",") }
      output.appendJSONString(row.name)
      output.append(":")
      output.append(decimal: row.count)
    }
    output.append("}")
  }
  output.append("{\"contacts\":")
  output.append(decimal: statistics.contacts)
  add("versions", statistics.byVersion.map { ($0.name.isEmpty ? "none" : $0.name, $0.count) })
  add("producers", statistics.byProducer)
  add("fields", statistics.byField)
  output.append(",\"findings\":{")
  for (i, row) in statistics.byRule.enumerated() {
    if i > 0 { output.append(",") }
    output.appendJSONString(row.rule)
    output.append(":{\"severity\":\"")
    output.append(text: row.severity.name)
    output.append("\",\"count\":")
    output.append(decimal: row.count)
    output.append("}")
  }
  output.append("}}\n")
  return output.text()
}

extension VerbRow {
  /// What the command says of `stats`.
  static let stats = VerbRow(
    verb: .stats, summary: "what an address book holds, and what is wrong with it", operands: .inputs,
    paragraphs: [
      """
      Counted are the contacts, the versions they declare, their producers (PRODID), in how many contacts each field has a value, and \
      how often each rule of 'vcard validate' finds something. On a terminal bars show the shares; --report json prints one object.
      """,
      inputs,
      """
      Contacts flow one at a time, whatever the input's size.
      """,
    ],
    examples: [
      Example("vcard stats contacts.vcf", "the numbers"),
      Example("vcard stats --report json book/ | jq .fields.emails", "one of them"),
    ],
    exitStatus: "0 done; 1 done, but an error was found or no contact came in; 2 not done; 130 interrupted.")
}
