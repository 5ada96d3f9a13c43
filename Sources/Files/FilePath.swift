// Names of files as the bytes that they are: a path need not be UTF-8, so it is text only where it is shown.
internal import Bytes

/// A path, or an argument that may turn out to be one: the bytes that the system gave, never repaired.
package struct FilePath: Hashable, Sendable {
  /// The path without its closing NUL.
  package var bytes: [UInt8]

  /// `-`: stdin as an operand, stdout as an output.
  package static let standard: FilePath = "-"

  package init(bytes: [UInt8]) { self.bytes = bytes }
  package init(_ text: String) { bytes = Array(text.utf8) }

  /// True for `-`.
  package var isStandard: Bool { bytes == [ASCII.dash] }
  /// The path as text; what is no UTF-8 becomes U+FFFD, so this is for people, not for `open`.
  package var text: String { String(decoding: bytes, as: UTF8.self) }
  /// True where the path ends in `/`, which says that a folder is meant.
  package var endsInSlash: Bool { bytes.last == ASCII.slash }

  /// What follows the last `/`; empty where the path ends in one.
  package var name: [UInt8] {
    guard let slash = bytes.lastIndex(of: ASCII.slash) else { return bytes }
    return Array(bytes[(slash + 1)...])
  }

  /// The folder that holds the file: `.` where the path names none.
  package var folder: FilePath {
    guard let slash = bytes.lastIndex(of: ASCII.slash) else { return "." }
    return slash == 0 ? "/" : FilePath(bytes: Array(bytes[..<slash]))
  }

  /// What follows the name's last dot, in ASCII lower case; empty where there is none, as in `.vcf` or `contacts`.
  package var fileExtension: String {
    let name = self.name
    guard let dot = name.lastIndex(of: ASCII.dot), dot > 0 else { return "" }
    return String(decoding: name[(dot + 1)...].map { ASCII.lowercased($0) }, as: UTF8.self)
  }

  /// The path of `component` inside this folder.
  package func appending(_ component: [UInt8]) -> FilePath {
    if bytes.isEmpty || endsInSlash { return FilePath(bytes: bytes + component) }
    return FilePath(bytes: bytes + [ASCII.slash] + component)
  }

  /// The path with another extension (without dot) in place of its own, or added where it has none.
  package func replacingExtension(with new: String) -> FilePath {
    let own = fileExtension.isEmpty ? 0 : name.count - (name.lastIndex(of: ASCII.dot) ?? name.count)
    return FilePath(bytes: Array(bytes.dropLast(own)) + [ASCII.dot] + Array(new.utf8))
  }
}

extension FilePath: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }
}

extension FilePath: Comparable {
  /// By bytes, so that the order is the same in every locale.
  package static func < (left: FilePath, right: FilePath) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

extension FilePath: CustomStringConvertible {
  package var description: String { text }
}
