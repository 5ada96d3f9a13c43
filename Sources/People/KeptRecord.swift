// A contact that waits among others, for all of them to be merged.

/// A record that several may look at, since nobody changes it any more.
package final class KeptRecord: Sendable {
  /// The contact.
  package let record: Record

  /// Takes a record over.
  package init(_ record: consuming Record) { self.record = record }
}
