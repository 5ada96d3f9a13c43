// Names for files that are made from texts in cards: harmless on every system, and no two the same.
import Bytes

/// Gives file names out, each once. Names that differ only in letter case count as the same, since many file systems take them so.
struct FileNames {
  /// Bytes of a name at most, its extension included.
  static let limit = 200

  private var taken = Set<String>()
  /// Where the search for a free number begins, by name: many contacts of one name cost no more than as many different ones.
  private var next: [String: Int] = [:]

  /// The name for a file of that title, such as `Mira Okafor.vcf`; a title that comes again gets a number (`Mira Okafor-2.vcf`).
  mutating func name(for title: String, fileExtension: String) -> String {
    let ending = "." + fileExtension
    let stem = Self.safe(title, limit: Self.limit - ending.utf8.count)
    let key = Self.key(stem)
    if taken.insert(key).inserted { return stem + ending }
    var number = next[key] ?? 2
    while true {
      let suffix = "-\(number)"
      let candidate = Self.safe(title, limit: Self.limit - ending.utf8.count - suffix.utf8.count) + suffix
      number += 1
      if taken.insert(Self.key(candidate)).inserted {
        next[key] = number
        return candidate + ending
      }
    }
  }

  /// What names have in common that a file system may take for the same; Swift compares different normal forms as equal by itself.
  static func key(_ stem: String) -> String { stem.uppercased().lowercased() }

  /// A title as a file name without extension: no separators, no characters that some system refuses or a terminal obeys, no leading
  /// dot or dash, no name that Windows keeps for devices, at most `limit` bytes. What has no letter left is `unnamed`.
  static func safe(_ title: String, limit: Int = FileNames.limit) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in title.unicodeScalars {
      if scalar.properties.isWhitespace || scalar.value == 0x2028 || scalar.value == 0x2029 {
        if let last = scalars.last, last != " " { scalars.append(" ") }
      } else if forbidden.contains(scalar) || scalar.value < 32 {
        scalars.append("_")
      } else if !TerminalText.isDangerous(scalar.value) {
        scalars.append(scalar)
      }
    }
    var name = trimmed(shortened(trimmed(String(scalars)), to: limit - 1))
    if name.allSatisfy({ $0 == "_" }) { name = "unnamed" }
    return name.first == "-" || isReserved(name) ? "_" + name : name
  }

  private static let forbidden: Set<Unicode.Scalar> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"]

  /// Without blanks at both ends, dots at the start (hidden files) or at the end (which Windows drops).
  private static func trimmed(_ name: String) -> String {
    let start = name.firstIndex { $0 != "." && $0 != " " } ?? name.endIndex
    let end = name[start...].lastIndex { $0 != "." && $0 != " " }
    return end.map { String(name[start...$0]) } ?? ""
  }

  /// The whole characters of a name that fit; of one that is too long by itself the scalars that do.
  private static func shortened(_ name: String, to limit: Int) -> String {
    if name.utf8.count <= limit { return name }
    var result = ""
    var room = limit
    for character in name {
      let size = character.utf8.count
      if size > room { break }
      result.append(character)
      room -= size
    }
    if result.isEmpty {
      for scalar in name.unicodeScalars {
        let size = UTF8.width(scalar)
        if size > room { break }
        result.unicodeScalars.append(scalar)
        room -= size
      }
    }
    return result
  }

  /// The names of devices on Windows, whatever follows their first dot.
  private static func isReserved(_ name: String) -> Bool {
    let words = name.prefix { $0 != "." }.lowercased().split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 1, let base = words.first else { return false }
    if ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(base) { return true }
    guard base.count == 4, let last = base.last else { return false }
    return (base.hasPrefix("com") || base.hasPrefix("lpt")) && "0123456789¹²³".contains(last)
  }
}
