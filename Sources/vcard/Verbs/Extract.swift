// `vcard extract`: chosen fields, one contact a line.
import Bytes
import CardSyntax
import Files
import People

func runExtract(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  let options = invocation.options
  let files = try Inputs.files(of: invocation)
  let names = options.fields.isEmpty ? ["fullName", "email", "phone"] : options.fields
  let paths = try names.map(FieldPath.named)
  let required = try options.required.map(FieldPath.named)
  let numbering = options.writesE164 || options.region != nil ? try Contacts.numbering(options) : nil
  var output = try options.output.map { path throws(StreamError) in try OutputStream(path) } ?? OutputStream()
  let named = options.output.flatMap { FormatName.ofExtension($0.fileExtension.lowercased()) }
  let format = options.to ?? named ?? (output.isTerminal ? .table : .tsv)
  var printer = RowPrinter(names: names, format: format, header: options.hasHeader)
  let fields = FieldSet((paths + required).map { $0.number })
  // Only a card without a full name is read for what one can be made of.
  let fieldsWithoutName = fields.has(FieldPath.fullNameNumber) ? FieldPath.fields(for: paths + required) : nil
  var reader = CardReader()
  var row = RowTexts()
  var rows = 0
  for file in files {
    if let limit = options.limit, rows >= limit { break }
    var input = try InputStream(file.path)
    do {
      _ = try Contacts.read(file, &input, invocation, console: &console) { contact, source, _ in
        row.removeAll()
        let misses: Bool
        switch contact {
        case .card(let batch, let index):
          reader.read(batch, index, only: fields)
          if let fieldsWithoutName, reader.record.value(ofField: FieldPath.fullNameNumber) == nil {
            reader.read(batch, index, only: fieldsWithoutName)
          }
          for path in paths { row.add(path, in: reader.record, phonesBy: options.writesE164 ? numbering : nil) }
          misses = required.contains { !$0.hasValue(in: reader.record) }
        case .record:
          for path in paths { row.add(path, in: source.record, phonesBy: options.writesE164 ? numbering : nil) }
          misses = required.contains { !$0.hasValue(in: source.record) }
        }
        if misses { return }
        if let limit = options.limit, rows >= limit { throw EnoughRows() }
        rows += 1
        if options.listsAllValues {
          var most = 1
          for column in 0..<row.count { most = max(most, row.textCount(column)) }
          for i in 0..<most { printer.add(row, only: i) }
        } else {
          printer.add(row)
        }
        if printer.output.count > 1 << 16 { try output.write(&printer.output) }
      }
    } catch is EnoughRows {}
  }
  printer.finish()
  try output.write(&printer.output)
  try output.finish()
  return rows == 0 ? max(1, console.status) : console.status
}

extension RowTexts {
  /// Adds a column of what the path names; telephone numbers, where there is a numbering, in E.164 as far as they are sure.
  fileprivate mutating func add(_ path: FieldPath, in record: borrowing Record, phonesBy numbering: PhoneNumbering?) {
    guard let numbering, path.namesPhoneNumbers else { return add(path, in: record) }
    add(path.values(in: record).map { numbering.read($0)?.text ?? $0 })
  }
}

/// The limit is reached: the rest need not be read.
private struct EnoughRows: Error {}

extension VerbRow {
  /// What the command says of `extract`.
  static let extract = VerbRow(
    verb: .extract, summary: "print chosen fields, one contact a line", operands: .inputs,
    outputs: [.csv, .tsv, .json, .jsonl, .table],
    paragraphs: [
      """
      By default these are the full name, the first e-mail and the first phone: a table on a terminal, tab-separated lines in a pipe \
      or file, in which a tab or line break of a value becomes a space. --to chooses csv, tsv, json, jsonl or table.
      """,
      """
      A contact without a value has an empty cell; --require leaves such contacts out. 'vcard help paths' says how parts of a \
      contact are named, 'vcard fields' which there are.
      """,
      inputs,
    ],
    examples: [
      Example("vcard extract contacts.vcf", "names, e-mails and phones"),
      Example("vcard extract -F fullName,emails.work --require emails.work contacts.vcf", "who has a work address, and which"),
      Example("vcard extract -F birthday,fullName --no-header book/ | sort", "a list of birthdays"),
    ],
    exitStatus: "0 done; 1 done, but an error was found or no contact came out; 2 not done; 130 interrupted.")
}
