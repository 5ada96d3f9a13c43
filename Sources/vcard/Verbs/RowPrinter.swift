// Rows of texts as a table, TSV, CSV or JSON: what `extract` prints.
import Bytes
import DataSyntax
import People

extension FieldPath {
  /// The path that somebody typed.
  static func named(_ text: String) throws(UsageError) -> FieldPath {
    do throws(FieldPathError) {
      return try FieldPath(typed: text)
    } catch {
      let first = text.split(separator: ".").first.map(String.init) ?? text
      let names = Person.fields.flatMap { [$0.key, $0.singular] }
      guard !names.contains(first), let near = NearestName.of(first, among: names) else { throw UsageError(error.message) }
      throw UsageError("no field is called \(text); did you mean \(near)?")
    }
  }
}

/// Prints rows in one of the forms that extract knows.
struct RowPrinter: ~Copyable {
  var output = ByteBuffer(capacity: 1 << 16)
  private let names: [String]
  private let format: FormatName
  private var pending: [[String]] = []
  private var widths: [Int] = []
  private var count = 0
  private let hasHeader: Bool

  init(names: [String], format: FormatName, header: Bool) {
    (self.names, self.format, hasHeader) = (names, format, header)
    switch format {
    case .json: output.append("[")
    case .jsonl: break
    case .table: widths = header ? names.map(Self.width) : names.map { _ in 0 }
    default:
      guard header else { break }
      add(names)
      count = 0
    }
  }

  mutating func add(_ cells: [String]) {
    var row = RowTexts()
    for cell in cells { row.add([cell]) }
    add(row)
  }

  /// Adds a row; with `number` the text of that number of each column that has several.
  mutating func add(_ row: borrowing RowTexts, only number: Int? = nil) {
    switch format {
    case .json, .jsonl:
      if format == .json { output.append(count > 0 ? ",\n" : "\n") }
      output.append("{")
      for (i, name) in names.enumerated() {
        if i > 0 { output.append(",") }
        output.appendJSONString(name)
        output.append(":")
        row.withCell(i, number) { output.appendJSONString($0, $1, $2) }
      }
      output.append("}")
      if format == .jsonl { output.append("\n") }
    case .table:
      var shown: [String] = []
      for i in 0..<row.count { row.withCell(i, number) { shown.append(TerminalText.escaped(Self.oneLine($0.text($1, $2)))) } }
      if count < 1000 {
        pending.append(shown)
        for (i, cell) in shown.enumerated() { widths[i] = max(widths[i], min(Self.width(cell), 60)) }
        if count == 999 { flush() }
      } else {
        self.row(shown)
      }
    default: line(row, number)
    }
    count += 1
  }

  mutating func finish() {
    if format == .json { output.append(count > 0 ? "\n]\n" : "]\n") }
    if format == .table { flush() }
  }

  private mutating func flush() {
    guard !pending.isEmpty || (count == 0 && hasHeader) else { return }
    if hasHeader { row(names) }
    for cells in pending { row(cells) }
    pending = []
  }

  private mutating func row(_ cells: [String]) {
    for (i, cell) in cells.enumerated() {
      output.append(text: cell)
      if i < cells.count - 1 { output.append(repeating: ASCII.space, count: max(0, widths[i] - Self.width(cell)) + 2) }
    }
    output.append("\n")
  }

  private mutating func line(_ row: borrowing RowTexts, _ number: Int?) {
    for i in 0..<row.count {
      if i > 0 { output.append(format == .csv ? ASCII.comma : ASCII.tab) }
      row.withCell(i, number) { bytes, start, end in
        if format == .csv {
          output.appendCSVCell(bytes, start, end, delimiter: ASCII.comma)
        } else if ByteSearch.firstControl(in: bytes, from: start, to: end) == end {
          output.append(bytes, start, end)
        } else {
          output.append(text: Self.oneLine(bytes.text(start, end)))
        }
      }
    }
    output.append(format == .csv ? "\r\n" : "\n")
  }

  private static func oneLine(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 32 }) else { return text }
    return String(String.UnicodeScalarView(text.replacingLineBreaks.unicodeScalars.map { $0.value < 32 ? " " : $0 }))
  }

  /// Columns on a terminal: East Asian wide characters take two, marks none.
  private static func width(_ text: String) -> Int {
    var width = 0
    for c in text {
      guard let scalar = c.unicodeScalars.first else { continue }
      let v = scalar.value
      let isWide =
        v >= 0x1100
        && (v <= 0x115F || (0x2E80...0xA4CF).contains(v) || (0xAC00...0xD7A3).contains(v) || (0xF900...0xFAFF).contains(v)
          || (0xFE30...0xFE6F).contains(v) || (0xFF00...0xFF60).contains(v) || (0x1F300...0x1FAFF).contains(v)
          || (0x20000...0x3FFFD).contains(v))
      width += isWide ? 2 : 1
    }
    return width
  }
}

extension String {
  /// CRLF as one blank, so that a line break is one.
  fileprivate var replacingLineBreaks: String { String(map { $0 == "\r\n" ? " " : $0 }) }
}
