// One finding about the data, and the two forms in which it is told: a line of text, a JSON object.
import Bytes

/// What was found in a file, and where.
struct Finding: Hashable, Sendable {
  /// How bad it is.
  enum Severity: String, Sendable, CaseIterable {
    /// Something could not be understood, and a person must look.
    case error
    /// The text is wrong, but its meaning is sure and was taken.
    case warning
    /// A conversion or repair changed something, or the version could not carry it.
    case info
  }

  /// The file's path; `-` for stdin.
  var file: String
  /// The physical line from 1, nil where none is to blame.
  var line: Int?
  var severity: Severity
  /// The rule's id.
  var rule: String
  /// What is wrong; what was done about it.
  var message: String
  /// The vCard property.
  var property: String?
  /// The contact's number in its file, from 0.
  var contact: Int?
  /// The contact's full name, where it is known.
  var name: String?
  /// True where a value was left out that nobody asked to leave out: the run then ends with status 1.
  var leavesOut = false

  /// Adds `path:line: severity: message [rule]` and a line break; colours only if asked, escapes for terminals only.
  func appendText(to out: inout ByteBuffer, colored: Bool, escaped: Bool) {
    func put(_ text: String) {
      let bytes = Array(text.utf8)
      if escaped {
        _ = TerminalText.escape(bytes.span, into: &out, keepingLines: false, isLast: true)
      } else {
        appendOneLine(bytes, to: &out)
      }
    }
    if colored { out.append("\u{1B}[1m") }
    put(file)
    if let line {
      out.append(ASCII.colon)
      out.append(decimal: line)
    }
    out.append(": ")
    if colored {
      switch severity {
      case .error: out.append("\u{1B}[31m")
      case .warning: out.append("\u{1B}[33m")
      case .info: out.append("\u{1B}[36m")
      }
    }
    out.append(text: severity.rawValue)
    out.append(": ")
    if colored { out.append("\u{1B}[0m") }
    put(message)
    if let name { put(" (\(Self.shortened(name)))") }
    out.append(colored ? " \u{1B}[2m[" : " [")
    put(rule)
    out.append(colored ? "]\u{1B}[0m\n" : "]\n")
  }

  /// A name that fits a line with others.
  private static func shortened(_ name: String) -> String { name.count > 60 ? name.prefix(59) + "\u{2026}" : name }

  /// Adds one JSON object and a line break. Absent members are left out.
  func appendJSON(to out: inout ByteBuffer, escaped: Bool) {
    func put(_ name: StaticString, _ text: String?) {
      guard let text else { return }
      out.append(name)
      out.append(ASCII.quote)
      Self.appendJSONText(text, to: &out, escaped: escaped)
      out.append(ASCII.quote)
    }
    func put(_ name: StaticString, _ number: Int?) {
      guard let number else { return }
      out.append(name)
      out.append(decimal: number)
    }
    put("{\"file\":", file)
    put(",\"line\":", line)
    put(",\"severity\":", severity.rawValue)
    put(",\"rule\":", rule)
    put(",\"message\":", message)
    put(",\"property\":", property)
    put(",\"contact\":", contact)
    put(",\"name\":", name)
    out.append("}\n")
  }

  private static func appendJSONText(_ text: String, to out: inout ByteBuffer, escaped: Bool) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out.append("\\\"")
      case "\\": out.append("\\\\")
      case _ where scalar.value < 32 || escaped && TerminalText.isDangerous(scalar.value):
        let bytes = Array(String(scalar).utf8)
        _ = TerminalText.escape(bytes.span, into: &out, keepingLines: false, isLast: true, form: .json)
      default:
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { out.append(byte) }
      }
    }
  }

  /// A finding is one line whatever it quotes: line breaks are escaped in pipes and files, too.
  private func appendOneLine(_ bytes: [UInt8], to out: inout ByteBuffer) {
    for byte in bytes {
      switch byte {
      case ASCII.lineFeed: out.append("\\n")
      case ASCII.carriageReturn: out.append("\\r")
      default: out.append(byte)
      }
    }
  }
}
