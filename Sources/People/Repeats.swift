// Parameters that stand more than once in a line, brought together.

internal import CardSyntax
internal import Bytes

/// The parameters of a list, grouped by name: each with all its repeats, in the order of first appearance.
struct Repeats: Sequence, IteratorProtocol {
  private var groups: [(first: Int, repeats: [Int])] = []
  private var place = 0

  /// Groups the parameters at `places`; names compare without regard to letter case.
  init(_ places: [Int], _ card: borrowing CardView) {
    if places.count == 1 {
      groups = [(places[0], places)]
      return
    }
    var known: [String: Int] = [:]
    for i in places {
      let name = Annotations.parameterName(card.parameters[i], card).lowercased()
      if let group = known[name] {
        groups[group].repeats.append(i)
      } else {
        known[name] = groups.count
        groups.append((i, [i]))
      }
    }
  }

  mutating func next() -> (first: Int, repeats: [Int])? {
    guard place < groups.count else { return nil }
    defer { place += 1 }
    return groups[place]
  }
}
