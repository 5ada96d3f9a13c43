// What the tests share: errors as short text, and the time that a piece of work takes.
import DataSyntax

/// The error as short text: line, column, message.
func told(_ error: DataSyntaxError) -> String { "\(error.line):\(error.column) \(error.message)" }
