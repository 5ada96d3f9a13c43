// What is wrong in a JSON or CSV text, and where.

/// A fault in the text of a data format: what is wrong, and the place where it was seen.
package struct DataSyntaxError: Error, Equatable, Sendable {
  /// What is wrong, as a sentence without its full stop.
  package var message: String
  /// The physical line, counted from 1; CRLF, LF and CR end a line.
  package var line: Int
  /// The byte in that line, counted from 1.
  package var column: Int

  /// What is wrong, for a message that tells the line by itself: with the column, where it is not the first.
  package var told: String { column > 1 ? message + " (column \(column))" : message }

  /// A fault at a place.
  package init(message: String, line: Int, column: Int) {
    self.message = message
    self.line = line
    self.column = column
  }
}
