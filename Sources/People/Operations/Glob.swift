// Shell patterns for texts: `*`, `?`, `[a-z]`, and a backslash before what is meant literally.

/// A pattern that a whole text is compared with, character by character (Unicode scalars); letter case counts.
package struct Glob: Sendable {
  private enum Piece: Sendable {
    case any
    case one
    case scalar(Unicode.Scalar)
    case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)
  }

  private var pieces: [Piece] = []

  /// The pattern in a text; a `[` without its `]` is a plain character.
  package init(_ pattern: String) {
    let scalars = Array(pattern.unicodeScalars)
    var i = 0
    while i < scalars.count {
      switch scalars[i] {
      case "*":
        if case .any? = pieces.last {} else { pieces.append(.any) }
      case "?": pieces.append(.one)
      case "\\" where i + 1 < scalars.count:
        i += 1
        pieces.append(.scalar(scalars[i]))
      case "[":
        if let (set, end) = Self.set(scalars, i + 1) {
          pieces.append(set)
          i = end
        } else {
          pieces.append(.scalar("["))
        }
      default: pieces.append(.scalar(scalars[i]))
      }
      i += 1
    }
  }

  /// The set that begins behind a `[`, and the place of its `]`.
  private static func set(_ scalars: [Unicode.Scalar], _ start: Int) -> (Piece, Int)? {
    var i = start
    let isNegated = i < scalars.count && (scalars[i] == "!" || scalars[i] == "^")
    if isNegated { i += 1 }
    let first = i
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while i < scalars.count, scalars[i] != "]" || i == first {
      if i + 2 < scalars.count, scalars[i + 1] == "-", scalars[i + 2] != "]", scalars[i] <= scalars[i + 2] {
        ranges.append(scalars[i]...scalars[i + 2])
        i += 3
      } else {
        ranges.append(scalars[i]...scalars[i])
        i += 1
      }
    }
    return i < scalars.count ? (.set(ranges, isNegated: isNegated), i) : nil
  }

  /// Does the whole text match? The effort is at most the product of both lengths.
  package func matches(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var (i, p) = (0, 0)
    // Where to go on if the text after the last star does not match: one character more belongs to the star.
    var retry: (text: Int, piece: Int)?
    while i < scalars.count {
      if p < pieces.count, case .any = pieces[p] {
        retry = (i, p + 1)
        p += 1
      } else if p < pieces.count, matches(pieces[p], scalars[i]) {
        (i, p) = (i + 1, p + 1)
      } else if let last = retry {
        retry = (last.text + 1, last.piece)
        (i, p) = (last.text + 1, last.piece)
      } else {
        return false
      }
    }
    while p < pieces.count, case .any = pieces[p] { p += 1 }
    return p == pieces.count
  }

  private func matches(_ piece: Piece, _ scalar: Unicode.Scalar) -> Bool {
    switch piece {
    case .any, .one: true
    case .scalar(let wanted): wanted == scalar
    case .set(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
    }
  }
}
