// What the steps of normalizing have done: told change by change, or counted where only sums are told.

internal import Bytes
package import CardSyntax

/// How much somebody wants to know of the changes that steps make.
package enum StepTelling: Sendable {
  /// Every change.
  case all
  /// The first change of each step, and how many there were of each property.
  case firsts
  /// Nothing.
  case nothing
}

/// Changes of a step that are only counted.
package struct StepCount: Sendable, Equatable {
  package let rule: Rule
  /// The property that was changed; nil for the contact as a whole.
  package let property: String?
  package let count: Int
}

/// What steps did to one card after the other. A text is made only of what is told: of a large file that may be the first change of
/// each step; all others are counted.
struct StepReport: ~Copyable {
  /// A change that is counted if something comes of it.
  struct Change: BitwiseCopyable, Sendable {
    let step: Int
    let property: Int
  }

  private let telling: StepTelling
  /// What is told of the card at hand.
  private(set) var findings: [Diagnostic] = []
  /// What is only counted of it.
  private var changes = Tape<Change>()
  /// Nothing was changed in it.
  private(set) var isEmpty = true
  /// The steps of `findings`, and those that were told before.
  private var steps: [Int] = []
  private var isTold = Array(repeating: false, count: NormalizationStep.all.count)
  /// How often each step changed each property, and the names of these; the first is no property.
  private var counts: [Int] = []
  private var properties: [String?] = [nil]
  private var numbers: [String: Int] = [:]
  private var heads = HeadMemo<Int>()

  init(_ telling: StepTelling) { self.telling = telling }

  /// Is a text wanted for what a step does now?
  func wantsText(_ step: Int) -> Bool { telling == .all || telling == .firsts && !isTold[step] }

  /// Notes a change of which a text is wanted.
  mutating func add(_ step: Int, _ finding: Diagnostic) {
    isEmpty = false
    steps.append(step)
    findings.append(finding)
  }

  /// Notes what others than steps found.
  mutating func add(_ found: [Diagnostic]) {
    guard !found.isEmpty else { return }
    isEmpty = false
    findings += found
  }

  /// Notes a change of which no text is wanted: to a line of the card, else to `property`, else to the contact as a whole.
  mutating func count(_ step: Int, _ line: Int?, _ card: borrowing CardView, property: String? = nil) {
    isEmpty = false
    guard telling == .firsts else { return }
    if let line, let known = heads.value(of: line, card, 0) { return changes.append(Change(step: step, property: known)) }
    let number = (line.map { card.name($0).uppercased() } ?? property).map { self.number(of: $0) } ?? 0
    if let line { heads.keep(number, for: line, card, 0) }
    changes.append(Change(step: step, property: number))
  }

  private mutating func number(of property: String) -> Int {
    if let known = numbers[property] { return known }
    numbers[property] = properties.count
    properties.append(property)
    return properties.count - 1
  }

  /// Forgets the card at hand: nothing has come of what was done to it.
  mutating func forget() {
    if !isEmpty { (findings, steps) = ([], []) }
    changes.removeAll()
    isEmpty = true
  }

  /// What is told of the card at hand; all else is counted.
  mutating func takeFindings(contactName: String) -> [Diagnostic] {
    for place in changes.indices {
      let index = changes[place].property * isTold.count + changes[place].step
      while counts.count <= index { counts.append(0) }
      counts[index] += 1
    }
    for step in steps { isTold[step] = true }
    var taken: [Diagnostic] = []
    swap(&taken, &findings)
    forget()
    if !contactName.isEmpty { for i in taken.indices { taken[i].contactName = contactName } }
    return taken
  }

  /// The changes that were counted since the last call.
  mutating func takeCounts() -> [StepCount] {
    var found: [StepCount] = []
    for index in counts.indices where counts[index] > 0 {
      let (property, step) = index.quotientAndRemainder(dividingBy: isTold.count)
      found.append(StepCount(rule: NormalizationStep.all[step].rule, property: properties[property], count: counts[index]))
      counts[index] = 0
    }
    return found
  }
}
