// What verbs ask of a contact before they pass it on: its name, its UID, the values of some paths.
import Bytes
import CardSyntax
import People

/// Reads some fields of contacts, whatever form they come in.
struct ContactFacts: ~Copyable {
  private let reader = Boxed(CardReader())
  private let paths: [FieldPath]
  private let fields: FieldSet

  /// Facts that these paths name; a text that names no field is passed over.
  init(_ paths: [FieldPath]) {
    self.paths = paths
    fields = FieldPath.fields(for: paths)
    reader.value.omitsAnnotations = !paths.contains { $0.readsAnnotations }
  }

  /// Facts by the texts of paths.
  init(_ paths: String...) { self.init(paths.compactMap { FieldPath($0) }) }

  /// The texts that each path names in a contact.
  mutating func values(_ contact: Contact, of source: borrowing ContactSource) -> [[String]] {
    switch contact {
    case .card(let batch, let index):
      reader.value.read(batch, index, only: fields)
      return paths.map { $0.values(in: reader.value.record) }
    case .record: return paths.map { $0.values(in: source.record) }
    }
  }

  /// The first text of the first path; empty where there is none.
  mutating func text(_ contact: Contact, of source: borrowing ContactSource) -> String {
    var text = ""
    withText(contact, of: source) { text = $0.text($1, $2) }
    return text
  }

  /// Lends that text as a range of bytes.
  mutating func withText(_ contact: Contact, of source: borrowing ContactSource, _ body: (Span<UInt8>, Int, Int) -> Void) {
    guard let path = paths.first else { return }
    switch contact {
    case .card(let batch, let index):
      reader.value.read(batch, index, only: fields)
      path.withFirstValue(in: reader.value.record, body)
    case .record: path.withFirstValue(in: source.record, body)
    }
  }
}

extension Contact {
  /// The physical line where a card begins; nil for other contacts.
  var line: Int? {
    switch self {
    case .card(let batch, let index): batch[index].line
    case .record: nil
    }
  }
}
