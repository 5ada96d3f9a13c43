// JSON with holes, for objects that differ in their texts alone.

internal import Bytes
internal import DataSyntax

/// Members of an object, written but for the texts that differ from line to line.
final class JSONTemplate: Sendable {
  /// What belongs into a hole.
  enum Hole: Sendable {
    /// A text of the line's value, by its number.
    case value(Int)
    /// The text of the line's LABEL.
    case label
    /// The label of the line's group, and how it is written there.
    case groupLabel, writtenGroupLabel
    /// The parts of a date, a point in time.
    case year, month, day, time

    /// The numbers of stand-ins that are no text of the value.
    static let labelNumber = 0xF00, groupLabelNumber = 0xF01, writtenGroupLabelNumber = 0xF02

    init(standIn number: Int) {
      switch number {
      case Self.labelNumber: self = .label
      case Self.groupLabelNumber: self = .groupLabel
      case Self.writtenGroupLabelNumber: self = .writtenGroupLabel
      default: self = .value(number)
      }
    }
  }

  let bytes: [UInt8]
  let holes: [(place: Int, hole: Hole)]
  /// Does the line stand in `vCardProps` as well?
  let isKept: Bool
  /// Members that other lines could give the object, too.
  let hasCoordinates: Bool, hasTimeZone: Bool

  /// What of an object stands for something else: texts, or also the parts of dates.
  enum StandIns: Sendable { case none, texts, dates }

  /// The members of an object, with holes for what stands for something else.
  init(_ object: JSONObject, _ standIns: StandIns, isKept: Bool = false) {
    var writer = Writer(standIns)
    writer.writeMembers(object)
    bytes = writer.output.array()
    holes = writer.holes
    self.isKept = isKept
    hasCoordinates = object["coordinates"] != nil
    hasTimeZone = object["timeZone"] != nil
  }

  private struct Writer: ~Copyable {
    var output = ByteBuffer(capacity: 256)
    var holes: [(place: Int, hole: Hole)] = []
    private let standIns: StandIns

    init(_ standIns: StandIns) { self.standIns = standIns }

    mutating func writeMembers(_ object: JSONObject) {
      for (i, (key, value)) in object.members.enumerated() {
        if i > 0 { output.append(ASCII.comma) }
        output.appendJSONString(key)
        output.append(ASCII.colon)
        write(value)
      }
    }

    private mutating func write(_ value: JSONTree) {
      switch value {
      case .object(let object):
        output.append(UInt8(ascii: "{"))
        writeMembers(object)
        output.append(UInt8(ascii: "}"))
      case .array(let elements):
        output.append(UInt8(ascii: "["))
        for (i, element) in elements.enumerated() {
          if i > 0 { output.append(ASCII.comma) }
          write(element)
        }
        output.append(UInt8(ascii: "]"))
      default:
        if let hole = hole(value) { holes.append((output.count, hole)) } else { value.write(to: &output) }
      }
    }

    private func hole(_ value: JSONTree) -> Hole? {
      switch (standIns, value) {
      case (.dates, .string(StandIn.extendedTime)): .time
      case (.texts, .string(let text)), (.dates, .string(let text)): StandIn.number(of: text).map { Hole(standIn: $0) }
      case (.dates, .number(StandIn.dayParts.year)): .year
      case (.dates, .number(StandIn.dayParts.month)): .month
      case (.dates, .number(StandIn.dayParts.day)): .day
      default: nil
      }
    }
  }
}
