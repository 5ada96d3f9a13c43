// The plan of a deduplication: which contacts become one, why, and which only might.

internal import Bytes
internal import CardSyntax

/// What a deduplication will do.
package struct MatchPlan: Sendable {
  /// What two contacts have in common.
  package struct Evidence: Sendable, Hashable {
    /// The contacts, the earlier one first.
    package var first: Int, second: Int
    /// What it is; nil where somebody has named the contacts.
    package var key: MatchKey?
    /// The shared address or number; empty for other keys.
    package var text: String
  }

  /// Contacts that are one person.
  package struct Group: Sendable, Hashable {
    /// The contacts in their order.
    package var members: [Int]
    /// Why each contact but one belongs to another of the group: a chain that connects all.
    package var evidence: [Evidence]

    /// What the group is known by: the strongest of what its members share.
    package var reason: String {
      let found = Set(evidence.compactMap(\.key))
      return [MatchKey.uid, .email, .phone, .equal, .name].first { found.contains($0) }?.word ?? "named"
    }
  }

  /// The groups, by their first contact.
  package var groups: [Group] = []
  /// Pairs of contacts that may be the same person. Where several are one person already, the first stands for all.
  package var candidates: [Evidence] = []

  package init() {}
}

extension ContactMatcher {
  /// Of so many people with one key each pair is a candidate; of more, each one with the first.
  private static let peopleInPairs = 10

  /// The plan for all contacts that were added.
  package func plan() -> MatchPlan {
    var persons = sureSets()
    var plan = MatchPlan()
    plan.groups = groups(&persons)
    plan.candidates = candidates(&persons)
    return plan
  }

  /// The plan that makes each of these lists of contacts one. The numbers must be those of contacts.
  package func plan(merging lists: [[Int]]) -> MatchPlan {
    var persons = DisjointSets(count: count)
    for list in lists { for contact in list.dropFirst() { persons.join(list[0], contact) } }
    var plan = MatchPlan()
    plan.groups = groups(&persons)
    return plan
  }

  // MARK: Groups

  private func groups(_ persons: inout DisjointSets) -> [MatchPlan.Group] {
    var members: [Int: [Int]] = [:]
    for contact in 0..<count {
      let person = persons.find(contact)
      if person != contact { members[person, default: [person]].append(contact) }
    }
    return members.keys.sorted().map { person in
      let group = members[person] ?? []
      return MatchPlan.Group(members: group, evidence: evidence(group))
    }
  }

  /// A chain of what members share that connects all of them, the strongest keys first.
  private func evidence(_ members: [Int]) -> [MatchPlan.Evidence] {
    var owners: [UInt32: [Int]] = [:]
    for (place, contact) in members.enumerated() { for key in keys(contact) { owners[key, default: []].append(place) } }
    var found: [MatchPlan.Evidence] = []
    var reached = Array(repeating: false, count: members.count)
    for start in members.indices where !reached[start] {
      if start > 0 { found.append(MatchPlan.Evidence(first: members[0], second: members[start], key: nil, text: "")) }
      reached[start] = true
      var open = [start]
      while let place = open.popLast() {
        let own = keys(members[place]).sorted { rank($0) < rank($1) }
        for key in own where rank(key) < 4 {
          for other in owners.removeValue(forKey: key) ?? [] where !reached[other] {
            reached[other] = true
            open.append(other)
            let (a, b) = (min(place, other), max(place, other))
            found.append(
              MatchPlan.Evidence(first: members[a], second: members[b], key: kind(Int(key)), text: text(ofKey: Int(key))))
          }
        }
      }
    }
    return found.sorted { ($0.second, $0.first) < ($1.second, $1.first) }
  }

  private func rank(_ key: UInt32) -> Int {
    switch kind(Int(key)) {
    case .uid: 0
    case .email: 1
    case .phone: 2
    case .equal: 3
    default: 4
    }
  }

  // MARK: Candidates

  /// Pairs of different people who share an address, a number or a name.
  private func candidates(_ persons: inout DisjointSets) -> [MatchPlan.Evidence] {
    var found: [MatchPlan.Evidence] = []
    var seen = Set<Int>()
    for kind in [MatchKey.email, .phone, .name] {
      let shared = buckets([kind])
      for place in 0..<shared.count {
        var people: [Int] = []
        var known = Set<Int>()
        for contact in shared[place] {
          let person = persons.find(Int(contact))
          if known.insert(person).inserted { people.append(person) }
        }
        guard people.count > 1 else { continue }
        people.sort()
        let text = text(ofKey: shared.keys[place])
        for i in people.indices.dropFirst() {
          for k in 0..<(people.count > Self.peopleInPairs ? 1 : i) where seen.insert(people[k] * count + people[i]).inserted {
            found.append(MatchPlan.Evidence(first: people[k], second: people[i], key: kind, text: text))
          }
        }
      }
    }
    return found.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }
}
