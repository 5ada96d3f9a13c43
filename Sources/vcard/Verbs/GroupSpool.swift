// Contacts of many groups, gathered in one temporary file, so that neither memory nor open files grow with the groups.
import Bytes
import CardSyntax
import Files
import People

/// Gathers contacts by group, and gives each group back in one piece.
struct GroupSpool: ~Copyable {
  /// Bytes that are held in memory at most before all of them go to the file.
  private static let room = 8 << 20

  /// The form in which contacts are stored: cards as they are, other contacts as JSON Lines.
  let stored: ContactFormat
  /// The format that the contacts came in first.
  let input: ContactFormat
  /// The groups by their titles as first written, in the order of their first contacts.
  private(set) var titles: [String] = []
  private var groups: [String: Int] = [:]
  private var pending: [[UInt8]] = []
  private var pieces: [[Range<Int>]] = []
  private var held = 0
  private var end = 0
  private let file: FileDescriptor
  private var sink: ContactSink

  init(_ input: ContactFormat) throws(StreamError) {
    file = try TemporaryFile.anonymous()
    stored = input.version != nil ? input : .jsonl
    self.input = input
    sink = ContactSink(stored, copying: .bytes)
    sink.begin()
  }

  /// Are the stored bytes those of the input's format?
  var isCopied: Bool { stored == input }

  /// Adds a contact to each of the groups; titles that differ only in letter case are one group.
  mutating func add(_ contact: Contact, of source: borrowing ContactSource, to titles: [String]) throws {
    sink.write(contact, of: source)
    let bytes = sink.output.array()
    sink.output.removeAll()
    for group in Set(titles.map { number(of: $0) }) {
      pending[group] += bytes
      held += bytes.count
    }
    if held > Self.room { try store() }
  }

  private mutating func number(of title: String) -> Int {
    let key = FileNames.key(title)
    if let known = groups[key] { return known }
    groups[key] = titles.count
    titles.append(title)
    pending.append([])
    pieces.append([])
    return titles.count - 1
  }

  private mutating func store() throws {
    for group in pending.indices where !pending[group].isEmpty {
      let bytes = pending[group]
      try file.writeAll(bytes.span)
      pieces[group].append(end..<end + bytes.count)
      end += bytes.count
      pending[group] = []
    }
    held = 0
  }

  /// Calls `body` with the bytes of a group, piece by piece.
  func forEachPiece(of group: Int, _ body: (Span<UInt8>) throws -> Void) throws {
    for piece in pieces[group] {
      try file.seek(to: piece.lowerBound)
      var left = piece.count
      while left > 0 {
        var chunk = [UInt8](repeating: 0, count: min(left, InputStream.chunkSize))
        let count = try file.readChunk(into: &chunk)
        if count == 0 { break }
        try body(chunk.span.extracting(first: count))
        left -= count
      }
    }
    let rest = pending[group]
    try body(rest.span)
  }
}
