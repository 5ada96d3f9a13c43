// `vcard fields`: every field of a contact, its property, its versions, what it holds.
import Bytes
import CardSyntax
import DataSyntax
import People

func runFields(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  let fields = Person.fields
  var output = ByteBuffer()
  if invocation.options.report == .json {
    for field in fields {
      output.append("{\"path\":")
      output.appendJSONString(field.key)
      output.append(",\"property\":")
      output.appendJSONString(field.names.first?.text ?? "")
      output.append(",\"versions\":[")
      for (i, version) in versions(field).enumerated() {
        if i > 0 { output.append(",") }
        output.appendJSONString(version.text)
      }
      output.append("],\"aliases\":[")
      for (i, name) in field.names.dropFirst().enumerated() {
        if i > 0 { output.append(",") }
        output.appendJSONString(name.text)
      }
      output.append("],\"note\":")
      output.appendJSONString(field.note)
      output.append("}\n")
    }
  } else {
    let rows = fields.map { field in
      (field.key, field.names.first?.text ?? "-", versions(field).map(\.text).joined(separator: " "), field.note)
    }
    let widths = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
    for row in rows {
      output.append(text: row.0 + String(repeating: " ", count: widths.0 - row.0.count + 2))
      output.append(text: row.1 + String(repeating: " ", count: widths.1 - row.1.count + 2))
      output.append(text: row.2 + String(repeating: " ", count: max(0, 11 - row.2.count) + 2) + row.3 + "\n")
    }
  }
  try Main.print(output.text())
  return 0
}

private func versions(_ field: Field) -> [CardVersion] {
  CardVersion.allCases.filter { field.cardinality(in: $0) != .unknown }
}

extension VerbRow {
  /// What the command says of `fields`.
  static let fields = VerbRow(
    verb: .fields, summary: "list every field: path, vCard property, versions, what it holds", operands: .none,
    paragraphs: ["These are the names that paths begin with (see 'vcard help paths') and the members of the JSON record."],
    examples: [
      Example("vcard fields", "all fields"),
      Example("vcard fields --report json", "the same, one JSON object a line"),
    ],
    exitStatus: "0 done; 2 not done.")
}
