// What an address book holds, counted: contacts, versions, producers, fields, findings.

package import CardSyntax
internal import Bytes

/// Counts contacts one by one; nothing of them is kept but numbers and the names of producers.
package struct Statistics: ~Copyable {
  /// How many different producers are told apart; those beyond are counted together.
  package static let producerLimit = 1000

  /// How many contacts there are.
  package private(set) var contacts = 0
  private var versions: [CardVersion: Int] = [:]
  private var withoutVersion = 0
  private var producerCounts: [String: Int] = [:]
  /// Contacts of producers beyond the limit.
  package private(set) var otherProducers = 0
  private var fieldCounts = [Int](repeating: 0, count: Person.fields.count)
  private var findingCounts: [String: (severity: Severity, count: Int)] = [:]
  /// Was there a finding of the severity error?
  package private(set) var hasErrors = false
  private var card = CardView()
  private var validator = Validator()

  package init() {}

  /// Counts a card, and what is wrong with it beyond what the parser found. Returns what was counted as wrong.
  package mutating func add(_ batch: CardBatch, _ index: Int) -> [Diagnostic] {
    card.sort(batch, index)
    contacts += 1
    count(version: card.declared)
    for field in 1..<Person.fields.count where firstPrimary(field) != nil { fieldCounts[field] += 1 }
    if let field = Person.field("productID"), let line = firstPrimary(field) { count(producer: card.text(line)) }
    var parsed = Array(batch[index].diagnostics)
    let found = validator.validate(batch, index).filter { finding in
      guard let place = parsed.firstIndex(of: finding) else { return true }
      parsed.remove(at: place)
      return false
    }
    add(found)
    return found
  }

  private func firstPrimary(_ field: Int) -> Int? {
    var line = Int(card.first[field])
    while line >= 0 {
      let role = card[link: line].role
      if role == .primary || field == Person.unclaimedField && role != .companion { return line }
      line = card.next(line)
    }
    return nil
  }

  /// Counts a contact that came as a record.
  package mutating func add(_ record: borrowing Record) {
    contacts += 1
    var i = 0
    var version: CardVersion?
    while i + 1 < record.tokens.count {
      if record.tokens[i].operation == .field, !record.isEmptyValue(i + 1) {
        let number = Int(record.tokens[i].start)
        if number == 0 { version = CardVersion(record.string(i + 1)) } else { fieldCounts[number] += 1 }
        if Person.fields[number].key == "productID" { count(producer: record.string(i + 1)) }
      }
      i = record.next(i)
    }
    count(version: version)
  }

  /// Counts findings.
  package mutating func add(_ findings: [Diagnostic]) {
    for finding in findings {
      let known = findingCounts[finding.rule.id]
      findingCounts[finding.rule.id] = (max(known?.severity ?? .info, finding.severity), (known?.count ?? 0) + 1)
      if finding.severity == .error { hasErrors = true }
    }
  }

  private mutating func count(version: CardVersion?) {
    if let version { versions[version, default: 0] += 1 } else { withoutVersion += 1 }
  }

  private mutating func count(producer: String) {
    if producerCounts[producer] != nil || producerCounts.count < Self.producerLimit {
      producerCounts[producer, default: 0] += 1
    } else {
      otherProducers += 1
    }
  }

  // MARK: Results

  /// A name and how many contacts it stands for.
  package typealias Count = (name: String, count: Int)

  /// The versions that contacts declare, oldest first; an empty name for those that declare none.
  package var byVersion: [Count] {
    let declared = CardVersion.allCases.compactMap { version in versions[version].map { (version.text, $0) } }
    return declared + (withoutVersion > 0 ? [("", withoutVersion)] : [])
  }

  /// The producers (PRODID), the most frequent first.
  package var byProducer: [Count] {
    producerCounts.map { ($0.key, $0.value) }.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0 < $1.0 }
  }

  /// In how many contacts each field has a value, in the table's order; fields that none has are left out.
  package var byField: [Count] {
    Person.fields.indices.filter { $0 != Person.detailsField && fieldCounts[$0] > 0 }.map { (Person.fields[$0].key, fieldCounts[$0]) }
  }

  /// How often each rule found something, the most frequent first, with the greatest severity that it had.
  package var byRule: [(rule: String, severity: Severity, count: Int)] {
    findingCounts.map { ($0.key, $0.value.severity, $0.value.count) }.sorted { $0.2 != $1.2 ? $0.2 > $1.2 : $0.0 < $1.0 }
  }
}
