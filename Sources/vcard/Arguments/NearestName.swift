// The word that was meant: the nearest of the known names, by edit distance.
import Bytes

/// Finds the known name that a mistyped one stands for.
enum NearestName {
  /// The nearest known name, or nil where none is near: about one slip in three letters is forgiven, and a beginning of at
  /// least two letters counts as near. Case does not count.
  static func of(_ typed: String, among known: [String]) -> String? {
    let word = folded(typed)
    guard !word.isEmpty, word.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    for name in known {
      let candidate = folded(name)
      let isBeginning = word.count >= 2 && candidate.starts(with: word)
      let distance = isBeginning ? 1 : distance(word, candidate)
      let allowed = max(1, max(word.count, candidate.count) / 3)
      if distance <= allowed, distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
  }

  /// How many letters are to be inserted, removed, replaced or swapped with a neighbour.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in left.indices {
      var row = [i + 1]
      for j in right.indices {
        var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[right.count]
  }

  private static func folded(_ text: String) -> [UInt8] { text.utf8.map { ASCII.lowercased($0) } }
}
