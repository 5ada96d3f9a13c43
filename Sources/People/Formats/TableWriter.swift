// The formats that write contacts as rows, behind one face; and the pass before that finds which columns they need.

internal import Bytes
internal import CardSyntax

/// Writes contacts as rows, or as entries of attributes.
package enum TableWriter: Sendable {
  case own(CSVFormat)
  case sheet(SheetFormat)
  case long(CSVLongFormat)
  case ldif(LDIFFormat)

  /// The writer for a format, where no contact need be seen before it: with columns that somebody names, which csv and tsv take, or of a
  /// format whose columns are always the same. Nil elsewhere, and for what is no table.
  package init?(_ format: ContactFormat, columns: [FieldPath] = [], spreadsheets: Bool = false) {
    switch format {
    case .ldif: self = .ldif(LDIFFormat())
    case .csvLong: self = .long(CSVLongFormat(spreadsheets: spreadsheets))
    case .thunderbirdCSV: self = .sheet(SheetFormat(.thunderbird, SheetNeeds(), spreadsheets: spreadsheets))
    case .csv where !columns.isEmpty, .tsv where !columns.isEmpty:
      self = .own(CSVFormat(paths: columns, delimiter: format.delimiter, spreadsheets: spreadsheets))
    default: return nil
    }
  }

  /// Writes what stands before the first contact.
  mutating func begin(_ output: inout ByteBuffer) {
    switch self {
    case .own(let format): format.writeHeader(to: &output)
    case .sheet(var format):
      format.writeHeader(to: &output)
      self = .sheet(format)
    case .long(let format): format.writeHeader(to: &output)
    case .ldif: break
    }
  }

  /// Writes a contact.
  mutating func write(_ record: borrowing Record, to output: inout ByteBuffer) {
    switch self {
    case .own(var format):
      format.writeRow(record, to: &output)
      self = .own(format)
    case .sheet(var format):
      format.writeRow(record, to: &output)
      self = .sheet(format)
    case .long(var format):
      format.writeRows(record, to: &output)
      self = .long(format)
    case .ldif(var format):
      format.write(record, to: &output)
      self = .ldif(format)
    }
  }

  /// Values that no column of our own could hold.
  var leftOut: Int {
    if case .own(let format) = self { return format.leftOut }
    return 0
  }

  /// The findings since the last call.
  mutating func takeFindings() -> [Diagnostic] {
    switch self {
    case .own, .long: return []
    case .sheet(var format):
      defer { self = .sheet(format) }
      return format.takeFindings()
    case .ldif(var format):
      defer { self = .ldif(format) }
      return format.takeFindings()
    }
  }
}

/// Collects what contacts need of a table, before they are written.
package struct ColumnCollector: ~Copyable {
  private var columns = CSVColumns()
  private var needs = SheetNeeds()
  private let format: ContactFormat
  private let target: SheetTarget?
  private let reader = Boxed(CardReader())
  private let bare = Boxed(Record())
  private let fields: FieldSet

  private let keepsPhotos: Bool
  private let isStored: Bool

  /// A collector for a format; with `stored`, pictures will be references.
  package init(_ format: ContactFormat, photos: Bool, stored: Bool = false) {
    (self.format, keepsPhotos, isStored) = (format, photos, stored)
    fields = photos ? .all : .withoutPictures
    target = SheetTarget(format)
  }

  /// Notes what a contact needs that was read from `source`.
  package mutating func note(_ contact: Contact, of source: borrowing ContactSource) {
    switch contact {
    case .card(let batch, let index):
      let reader = reader
      reader.value.read(batch, index, only: fields)
      collect(reader.value.record)
    case .record: note(source.record)
    }
  }

  /// Notes what a record needs.
  package mutating func note(_ record: borrowing Record) {
    if keepsPhotos { return collect(record) }
    let bare = bare
    bare.value.begin(copying: record, only: fields)
    collect(bare.value)
  }

  private mutating func collect(_ record: borrowing Record) {
    if let target {
      needs.note(record, for: target)
    } else if isStored, let stored = record.storingPictures({ _ in "-" }) {
      columns.note(stored.record)
    } else {
      columns.note(record)
    }
  }

  /// The writer for what was found.
  package func writer(spreadsheets: Bool) -> TableWriter {
    if let fixed = TableWriter(format, spreadsheets: spreadsheets) { return fixed }
    if let target { return .sheet(SheetFormat(target, needs, spreadsheets: spreadsheets)) }
    return .own(CSVFormat(columns, delimiter: format.delimiter, spreadsheets: spreadsheets))
  }
}
