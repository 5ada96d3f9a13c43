// The formats that write contacts as rows, behind one face.

internal import Bytes
internal import CardSyntax
internal import Files

/// Writes contacts as rows, or as entries of attributes. Each format stands behind a pointer, so that nothing of it is copied for a contact.
enum TableWriter {
  case own(Boxed<CSVFormat>)
  case sheet(Boxed<SheetFormat>)
  case long(Boxed<CSVLongFormat>)
  case ldif(Boxed<LDIFFormat>)

  /// The writer for a format; nil for what is no table. csv and tsv take columns that somebody names.
  init?(_ format: ContactFormat, columns: [FieldPath], spreadsheets: Bool) {
    switch format {
    case .csv, .tsv: self = .own(Boxed(CSVFormat(paths: columns, delimiter: format.delimiter, spreadsheets: spreadsheets)))
    case .csvLong: self = .long(Boxed(CSVLongFormat(spreadsheets: spreadsheets)))
    case .ldif: self = .ldif(Boxed(LDIFFormat()))
    default:
      guard let target = SheetTarget(format) else { return nil }
      self = .sheet(Boxed(SheetFormat(target, spreadsheets: spreadsheets)))
    }
  }

  /// Writes what stands before the first contact, if that is known.
  func begin(_ output: inout ByteBuffer) {
    switch self {
    case .own(let format): format.value.begin(&output)
    case .sheet(let format): format.value.begin(&output)
    case .long(let format): format.value.writeHeader(to: &output)
    case .ldif: break
    }
  }

  /// Writes a contact, or lets its row wait.
  func write(_ record: borrowing Record, to output: inout ByteBuffer) {
    switch self {
    case .own(let format): format.value.write(record, to: &output)
    case .sheet(let format): format.value.write(record, to: &output)
    case .long(let format): format.value.writeRows(record, to: &output)
    case .ldif(let format): format.value.write(record, to: &output)
    }
  }

  /// Puts rows into a temporary file where many of them wait.
  func spill() throws(StreamError) {
    switch self {
    case .own(let format): try format.value.spill()
    case .sheet(let format): try format.value.spill()
    case .long, .ldif: break
    }
  }

  /// Says that there are no more contacts: now all columns are known.
  func end(_ output: inout ByteBuffer) {
    switch self {
    case .own(let format): format.value.end(&output)
    case .sheet(let format): format.value.end(&output)
    case .long, .ldif: break
    }
  }

  /// Writes the next of the rows that waited, after `end`; false where none are left.
  func nextRows(_ output: inout ByteBuffer) throws(StreamError) -> Bool {
    switch self {
    case .own(let format): try format.value.nextRows(&output)
    case .sheet(let format): try format.value.nextRows(&output)
    case .long, .ldif: false
    }
  }

  /// Values that no column of our own could hold.
  var leftOut: Int {
    if case .own(let format) = self { return format.value.leftOut }
    return 0
  }

  /// The findings since the last call.
  func takeFindings() -> [Diagnostic] {
    switch self {
    case .own, .long: []
    case .sheet(let format): format.value.takeFindings()
    case .ldif(let format): format.value.takeFindings()
    }
  }
}
