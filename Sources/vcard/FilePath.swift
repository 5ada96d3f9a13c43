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
