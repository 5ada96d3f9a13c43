// Paths as relative references in contacts, which lead from an output to the pictures beside it.
import Bytes
import Files

extension FilePath {
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
}
