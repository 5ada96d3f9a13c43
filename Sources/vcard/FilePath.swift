// Names of files as the bytes that they are: a path need not be UTF-8, so it is text only where it is shown.
import Bytes

/// A path, or an argument that may turn out to be one: the bytes that the system gave, never repaired.
struct FilePath: Hashable, Sendable {
  /// The path without its closing NUL.
  var bytes: [UInt8]

  /// `-`: stdin as an operand, stdout as an output.
  static let standard: FilePath = "-"

  init(bytes: [UInt8]) { self.bytes = bytes }
  init(_ text: String) { bytes = Array(text.utf8) }

  /// True for `-`.
  var isStandard: Bool { bytes == [ASCII.dash] }
  /// The path as text; what is no UTF-8 becomes U+FFFD, so this is for people, not for `open`.
  var text: String { String(decoding: bytes, as: UTF8.self) }
  /// True where the path ends in `/`, which says that a folder is meant.
  var endsInSlash: Bool { bytes.last == ASCII.slash }

  /// What follows the last `/`; empty where the path ends in one.
  var name: [UInt8] {
    guard let slash = bytes.lastIndex(of: ASCII.slash) else { return bytes }
    return Array(bytes[(slash + 1)...])
  }

  /// The folder that holds the file: `.` where the path names none.
  var folder: FilePath {
    guard let slash = bytes.lastIndex(of: ASCII.slash) else { return "." }
    return slash == 0 ? "/" : FilePath(bytes: Array(bytes[..<slash]))
  }

  /// What follows the name's last dot, in ASCII lower case; empty where there is none, as in `.vcf` or `contacts`.
  var fileExtension: String {
    let name = self.name
    guard let dot = name.lastIndex(of: ASCII.dot), dot > 0 else { return "" }
    return String(decoding: name[(dot + 1)...].map { ASCII.lowercased($0) }, as: UTF8.self)
  }

  /// The path of `component` inside this folder.
  func appending(_ component: [UInt8]) -> FilePath {
    if bytes.isEmpty || endsInSlash { return FilePath(bytes: bytes + component) }
    return FilePath(bytes: bytes + [ASCII.slash] + component)
  }

  /// The way from a folder to this path, as a relative URI reference (RFC 3986 4.2); both begin in the current folder unless they begin
  /// with a slash.
  func reference(from folder: FilePath) -> String {
    var (own, other) = (self, folder)
    if (own.bytes.first == ASCII.slash) != (other.bytes.first == ASCII.slash), let current = Process.currentFolder {
      if own.bytes.first == ASCII.slash { other = current.appending(other.bytes) } else { own = current.appending(own.bytes) }
    }
    let (way, start) = (own.steps, other.steps)
    let shared = zip(way, start).prefix { $0 == $1 }.count
    let up = [[UInt8]](repeating: [ASCII.dot, ASCII.dot], count: start.count - shared)
    return (up + way[shared...]).map(Self.percentEncoded).joined(separator: "/")
  }

  /// The names that a path leads through, `.` and what `..` takes back left out.
  private var steps: [[UInt8]] {
    var steps: [[UInt8]] = []
    for part in bytes.split(separator: ASCII.slash) where part != [ASCII.dot] {
      if part == [ASCII.dot, ASCII.dot], let last = steps.last, last != Array(part) {
        steps.removeLast()
      } else {
        steps.append(Array(part))
      }
    }
    return steps
  }

  private static func percentEncoded(_ name: [UInt8]) -> String {
    var text = ""
    for byte in name {
      if ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._~".utf8.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }

  /// The path with another extension (without dot) in place of its own, or added where it has none.
  func replacingExtension(with new: String) -> FilePath {
    let own = fileExtension.isEmpty ? 0 : name.count - (name.lastIndex(of: ASCII.dot) ?? name.count)
    return FilePath(bytes: Array(bytes.dropLast(own)) + [ASCII.dot] + Array(new.utf8))
  }
}

extension FilePath: ExpressibleByStringLiteral {
  init(stringLiteral text: String) { self.init(text) }
}

extension FilePath: Comparable {
  /// By bytes, so that the order is the same in every locale.
  static func < (left: FilePath, right: FilePath) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

extension FilePath: CustomStringConvertible {
  var description: String { text }
}
