// Contacts that are surely one person: those with one identifier or all values equal, and those that share a key and whose names fit.

internal import Bytes
internal import CardSyntax

extension ContactMatcher {
  /// More different names than this at one address or number are no family: only equal names are one person there.
  private static let namesOfAFamily = 32

  /// The names that a set of contacts has; most have one.
  private struct NameClasses {
    var lists: [[Int]] = []
    private var numbers: [[Int]: Int] = [:]

    mutating func number(of names: [Int]) -> Int {
      if let known = numbers[names] { return known }
      lists.append(names)
      numbers[names] = lists.count - 1
      return lists.count - 1
    }
  }

  /// The contacts that are surely one person, as sets.
  func sureSets() -> DisjointSets {
    var sets = DisjointSets(count: count)
    let certain = buckets([.uid, .equal])
    for place in 0..<certain.count {
      let members = certain[place]
      for contact in members.dropFirst() { sets.join(Int(members[members.startIndex]), Int(contact)) }
    }
    var classes = NameClasses()
    var classOf = classNumbers(&sets, &classes)
    let shared = buckets([.email, .phone])
    var fitting = FittingNames(classes.lists.map { list in list.map { ComparableName(packed: String(table.text($0).dropFirst())) } })
    let edges = namesakes(shared, &sets, &classOf, &fitting)
    joinFitting(edges, &sets, classOf, &fitting)
    joinNameless(shared, &sets, classOf)
    return sets
  }

  /// The class of names of each set, by its first contact; -1 where no member has a name.
  private func classNumbers(_ sets: inout DisjointSets, _ classes: inout NameClasses) -> [Int32] {
    var classOf = Array(repeating: Int32(-1), count: count)
    var several: [Int: [Int]] = [:]
    var single: [UInt32: Int32] = [:]
    for contact in 0..<count {
      let name = entries[contact].name
      if isNameless(name) { continue }
      let set = sets.find(contact)
      var number = single[name] ?? -1
      if number < 0 {
        number = Int32(truncatingIfNeeded: classes.number(of: [Int(name)]))
        single[name] = number
      }
      if classOf[set] < 0 {
        classOf[set] = number
      } else if classOf[set] != number {
        var names = several[set] ?? classes.lists[Int(classOf[set])]
        if !names.contains(Int(name)) { names.append(Int(name)) }
        several[set] = names
      }
    }
    for (set, names) in several { classOf[set] = Int32(truncatingIfNeeded: classes.number(of: names.sorted())) }
    return classOf
  }

  private func isNameless(_ name: UInt32) -> Bool {
    // `N`, then the kind.
    table.text(Int(name)).utf8.dropFirst().first == UInt8(ascii: "0")
  }

  /// Joins the sets of one name that share a key; returns pairs of sets with different names that share a key and fit.
  private func namesakes(
    _ shared: KeyBuckets, _ sets: inout DisjointSets, _ classOf: inout [Int32], _ fitting: inout FittingNames
  ) -> [(Int, Int)] {
    var edges: [(Int, Int)] = []
    for place in 0..<shared.count {
      var firsts: [(class: Int32, set: Int)] = []
      var known: [Int32: Int] = [:]
      for contact in shared[place] {
        let set = sets.find(Int(contact))
        let number = classOf[set]
        guard number >= 0 else { continue }
        if let other = known[number] {
          sets.join(other, set)
          classOf[sets.find(set)] = number
        } else {
          known[number] = set
          firsts.append((number, set))
        }
      }
      guard firsts.count > 1, firsts.count <= Self.namesOfAFamily else { continue }
      for i in firsts.indices.dropFirst() {
        for k in 0..<i where fitting.fit(Int(firsts[i].class), Int(firsts[k].class)) { edges.append((firsts[k].set, firsts[i].set)) }
      }
    }
    return edges
  }

  /// Joins sets along the pairs, so far as in each new set every two names fit. A name that fits two which do not fit each other (`J.
  /// Smith` beside John and Jane) belongs to neither.
  private func joinFitting(_ edges: [(Int, Int)], _ sets: inout DisjointSets, _ classOf: [Int32], _ fitting: inout FittingNames) {
    guard !edges.isEmpty else { return }
    let edges = edges.map { (sets.find($0.0), sets.find($0.1)) }
    var connected = DisjointSets(count: count)
    for edge in edges { connected.join(edge.0, edge.1) }
    var names: [Int: Set<Int>] = [:]
    for edge in edges {
      let component = connected.find(edge.0)
      names[component, default: []].formUnion([Int(classOf[edge.0]), Int(classOf[edge.1])])
    }
    var vague: [Int: Set<Int>] = [:]
    for (component, found) in names { vague[component] = vagueNames(found.sorted(), &fitting) }
    for edge in edges {
      let excluded = vague[connected.find(edge.0)] ?? []
      if excluded.contains(Int(classOf[edge.0])) || excluded.contains(Int(classOf[edge.1])) { continue }
      sets.join(edge.0, edge.1)
    }
  }

  /// The names that fit two others which do not fit each other; all of them where there are too many to compare.
  private func vagueNames(_ names: [Int], _ fitting: inout FittingNames) -> Set<Int> {
    if names.count > Self.namesOfAFamily * 2 { return Set(names) }
    var found = Set<Int>()
    for name in names {
      let others = names.filter { $0 != name && fitting.fit($0, name) }
      if others.contains(where: { a in others.contains { b in a < b && !fitting.fit(a, b) } }) { found.insert(name) }
    }
    return found
  }

  // MARK: Contacts without a name

  private enum Fit: Equatable {
    case nobody
    case one(Int)
    case several
  }

  /// A contact without a name joins the one person that shares a key with it.
  private func joinNameless(_ shared: KeyBuckets, _ sets: inout DisjointSets, _ classOf: [Int32]) {
    var isNamed = Array(repeating: false, count: count)
    for contact in 0..<count where classOf[contact] >= 0 { isNamed[sets.find(contact)] = true }
    let places = (0..<shared.count).filter { place in shared[place].contains { !isNamed[sets.find(Int($0))] } }
    // Who joins a person may bring others without a name along; chains of such are short.
    for _ in 0..<8 {
      var fits: [Int: Fit] = [:]
      for place in places {
        var person = Fit.nobody
        var nameless: [Int] = []
        for contact in shared[place] {
          let set = sets.find(Int(contact))
          if !isNamed[set] {
            nameless.append(set)
          } else if person == .nobody {
            person = .one(set)
          } else if person != .one(set) {
            person = .several
          }
        }
        guard person != .nobody else { continue }
        for set in nameless {
          let old = fits[set] ?? .nobody
          fits[set] = old == .nobody || old == person ? person : .several
        }
      }
      var hasJoined = false
      for (set, fit) in fits {
        guard case .one(let person) = fit else { continue }
        sets.join(set, person)
        isNamed[sets.find(set)] = true
        hasJoined = true
      }
      if !hasJoined { break }
    }
    joinNamelessAlone(shared, places, &sets, isNamed)
  }

  /// Contacts without a name that share a key, where nobody with a name has it, are one.
  private func joinNamelessAlone(_ shared: KeyBuckets, _ places: [Int], _ sets: inout DisjointSets, _ isNamed: [Bool]) {
    var isContested = Set<Int>()
    for place in places where shared[place].contains(where: { isNamed[sets.find(Int($0))] }) {
      for contact in shared[place] { isContested.insert(sets.find(Int(contact))) }
    }
    for place in places {
      let free = shared[place].map { sets.find(Int($0)) }.filter { !isNamed[$0] && !isContested.contains($0) }
      for set in free.dropFirst() { sets.join(free[0], set) }
    }
  }
}

/// Which classes of names fit; each pair is compared once.
private struct FittingNames {
  private let names: [[ComparableName]]
  private var known: [Int: Bool] = [:]

  init(_ names: [[ComparableName]]) { self.names = names }

  /// Does every name of one class fit every name of the other?
  mutating func fit(_ a: Int, _ b: Int) -> Bool {
    let key = min(a, b) * names.count + max(a, b)
    if let answer = known[key] { return answer }
    let answer = names[a].allSatisfy { one in names[b].allSatisfy { one.fits($0) } }
    known[key] = answer
    return answer
  }
}
