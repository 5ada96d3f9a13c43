// Who belongs to which group: group cards and categories made one.

package import CardSyntax

/// The groups of a whole input.
package struct GroupMemberships: Sendable {
  package enum Form: Sendable { case categories, cards }
  package init(_ form: Form) {}
  package mutating func note(_ batch: CardBatch, _ index: Int) {}
  package mutating func note(_ record: borrowing Record) {}
  package mutating func settle() {}
}

extension NormalizationStep { static func joinGroups(_ draft: inout CardDraft) {} }
