// What spreadsheets do to cells: armour, apostrophes, error words; both ways.

internal import Bytes

/// Undoing what can be undone of a spreadsheet's work, and knowing the rest.
enum SheetCell {
  /// The text of a cell: `="0123"` is `0123`, an apostrophe that protects is off, as are hard blanks at the end.
  static func text(_ cell: String) -> String {
    var text = cell
    while text.hasSuffix("\u{A0}") { text.removeLast() }
    if text.hasPrefix("=\""), text.hasSuffix("\""), text.utf8.count >= 3 {
      return String(text.dropFirst(2).dropLast()).replacing("\"\"", with: "\"")
    }
    if isProtected(text) { text.removeFirst() }
    return text
  }

  /// Does an apostrophe stand before something that it may protect?
  static func isProtected(_ text: String) -> Bool {
    guard text.hasPrefix("'"), let next = text.utf8.dropFirst().first else { return false }
    switch next {
    case ASCII.equals, UInt8(ascii: "+"), ASCII.dash, UInt8(ascii: "@"), ASCII.tab, ASCII.carriageReturn: return true
    case ASCII.apostrophe: return isProtected(String(text.dropFirst()))
    default:
      let rest = Array(text.utf8.dropFirst())
      return CSVCell.isUnsafe(rest.span, 0, rest.count)
    }
  }

  /// The cell as it is written: with an apostrophe where reading takes one off or, for spreadsheets, where they would run or spoil it.
  static func written(_ text: String, forSpreadsheets: Bool) -> String {
    if isProtected(text) { return "'" + text }
    guard forSpreadsheets else { return text }
    let bytes = Array(text.utf8)
    return CSVCell.isUnsafe(bytes.span, 0, bytes.count) ? "'" + text : text
  }

  /// Is it what a spreadsheet shows where it could not compute?
  static func isErrorWord(_ text: String) -> Bool {
    ["#NAME?", "#VALUE!", "#REF!", "#N/A", "#DIV/0!", "#NUM!", "#NULL!"].contains(text)
  }
}
