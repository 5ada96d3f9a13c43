// The differences of `diff`, as text for people and as one JSON object a contact.
import Bytes
import CardSyntax
import DataSyntax
import Files
import People

/// Prints contacts that differ.
struct DiffReport: ~Copyable {
  /// What has been printed and not yet been written.
  var output = ByteBuffer(capacity: 1 << 16)
  /// Was anything printed at all?
  private(set) var hasDifferences = false
  private let form: ReportForm?
  private let files: [[InputFile]]
  /// The number of the first contact of each file of each side.
  private let starts: [[Int]]
  private let leftCount: Int

  init(_ form: ReportForm?, files: [[InputFile]], starts: [[Int]], leftCount: Int) {
    (self.form, self.files, self.starts, self.leftCount) = (form, files, starts, leftCount)
  }

  /// A contact that only the left side has.
  mutating func add(onLeft contact: Int, _ matcher: borrowing ContactMatcher) {
    begin("removed", "-", title(contact, matcher), contact, nil, matcher)
    end()
  }

  /// A contact that only the right side has.
  mutating func add(onRight contact: Int, _ matcher: borrowing ContactMatcher) {
    begin("added", "+", title(contact, matcher), nil, contact, matcher)
    end()
  }

  /// A contact that both sides have, and what differs.
  mutating func add(
    _ differences: [ContactComparison.Difference], _ left: Int, _ right: Int, _ old: borrowing Record, _ new: borrowing Record,
    _ matcher: borrowing ContactMatcher
  ) {
    guard !differences.isEmpty else { return }
    begin("changed", "~", title(right, matcher), left, right, matcher)
    for (i, difference) in differences.enumerated() {
      if form == .json {
        output.append(i == 0 ? ",\"differences\":[" : ",")
        append(json: difference, old, new)
      } else {
        append(difference, old, new)
      }
    }
    if form == .json { output.append("]") }
    end()
  }

  private func title(_ contact: Int, _ matcher: borrowing ContactMatcher) -> String {
    let title = matcher.title(contact)
    return title.isEmpty ? "(no name)" : title
  }

  private mutating func begin(
    _ change: String, _ sign: String, _ title: String, _ left: Int?, _ right: Int?, _ matcher: borrowing ContactMatcher
  ) {
    hasDifferences = true
    guard form == .json else {
      let places = [left.map { place($0, 0, matcher) }, right.map { place($0, 1, matcher) }].compactMap { $0 }
      output.append(
        text: "\(sign) \(Self.oneLine(title)) (\(places.map { $0.file + ($0.line > 0 ? ":\($0.line)" : "") }.joined(separator: ", ")))\n")
      return
    }
    output.append(text: "{\"change\":\"\(change)\",\"name\":")
    output.appendJSONString(title == "(no name)" ? "" : title)
    for (side, contact) in [left, right].enumerated() {
      guard let contact else { continue }
      let place = place(contact, side, matcher)
      output.append(side == 0 ? ",\"left\":{\"file\":" : ",\"right\":{\"file\":")
      output.appendJSONString(place.file)
      if place.line > 0 { output.append(text: ",\"line\":\(place.line)") }
      output.append(text: ",\"contact\":\(place.contact)}")
    }
  }

  private mutating func end() { if form == .json { output.append("}\n") } }

  private func place(_ contact: Int, _ side: Int, _ matcher: borrowing ContactMatcher) -> (file: String, line: Int, contact: Int) {
    let entry = matcher.entries[contact]
    return (files[side][Int(entry.file)].path.text, Int(entry.line), contact - starts[side][Int(entry.file)])
  }

  // MARK: Values

  private mutating func append(_ difference: ContactComparison.Difference, _ old: borrowing Record, _ new: borrowing Record) {
    let key = Person.fields[difference.field].key
    var left = difference.left.map { Self.readable(difference.field, $0, old) }
    var right = difference.right.map { Self.readable(difference.field, $0, new) }
    if let a = difference.left, let b = difference.right, left == right {
      // What people read is the same; the difference is in a part that they do not see.
      (left, right) = (Self.json(a, old), Self.json(b, new))
    }
    if let left { output.append(text: "    - \(key): \(Self.oneLine(left))\n") }
    if let right { output.append(text: "    + \(key): \(Self.oneLine(right))\n") }
  }

  private static func readable(_ field: Int, _ index: Int, _ record: borrowing Record) -> String {
    if let line = UnclaimedText(record, at: index) { return line.name + ":" + line.value }
    let row = Person.fields[field]
    var text = row.kind.readable(index, of: record)
    if text.isEmpty { text = json(index, record) }
    let annotations = Annotations(record, at: index)
    var told = annotations.labels
    if let preference = annotations.preference { told.append("preference \(preference)") }
    if let language = annotations.language { told.append(language) }
    for (name, values) in annotations.parameters where name != "type" && name != "x-ablabel" {
      told.append(name + "=" + values.joined(separator: ","))
    }
    return told.isEmpty || row.isOne ? text : text + " (" + told.joined(separator: ", ") + ")"
  }

  /// A difference as an object: the field, and the values as the JSON record has them.
  private mutating func append(json difference: ContactComparison.Difference, _ old: borrowing Record, _ new: borrowing Record) {
    var record = Record()
    record.begin(source: [], version: .v40)
    record.key("field")
    record.text(.none, made: Person.fields[difference.field].key)
    if let left = difference.left {
      record.key("left")
      record.append(range: left, old.next(left), of: old)
    }
    if let right = difference.right {
      record.key("right")
      record.append(range: right, new.next(right), of: new)
    }
    JSONFormat().write(record, to: &output)
  }

  private static func json(_ index: Int, _ record: borrowing Record) -> String {
    var single = Record()
    single.begin(source: [], version: .v40)
    single.key("value")
    single.append(range: index, record.next(index), of: record)
    var output = ByteBuffer()
    JSONFormat().write(single, to: &output)
    return String(output.text().dropFirst(9).dropLast())
  }

  private static func oneLine(_ text: String) -> String {
    text.contains(where: \.isNewline)
      ? String(text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "\\n")) : text
  }
}
