// The names of the parts of a value: the keys of the JSON record and the words of paths.

internal import Bytes

/// A part of a value. Its case's name is the key in JSON and the word in paths.
package enum Member: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// No name: an element of a list, or the plain value of a field.
  case none
  case value, labels, preference, language, parameters, group, id, property
  case prefix, given, middle, family, family2, generation, suffix, sortAs, phonetic, pronunciation
  case service, handle, username
  case mediaType, data, uri
  case sex, identity
  case `extension`
  case poBox, extended, street, city, region, postalCode, country, countryCode, formatted, timeZone, location
  case room, apartment, floor, streetNumber, streetName, building, block, subdistrict, district, landmark, direction
  case latitude, longitude
  case name, units

  /// The key's text.
  package var key: String { Self.keys[Int(rawValue)] }

  /// The names of the cases once more: asking for them by reflection takes a fifth of the time of a short run.
  private static let keys: [String] = [
    "", "value", "labels", "preference", "language", "parameters", "group", "id", "property", "prefix", "given", "middle", "family",
    "family2", "generation", "suffix", "sortAs", "phonetic", "pronunciation", "service", "handle", "username", "mediaType", "data",
    "uri", "sex", "identity", "extension", "poBox", "extended", "street", "city", "region", "postalCode", "country", "countryCode",
    "formatted", "timeZone", "location", "room", "apartment", "floor", "streetNumber", "streetName", "building", "block", "subdistrict",
    "district", "landmark", "direction", "latitude", "longitude", "name", "units",
  ]

  /// Does it say something about a value (labels, parameters, ...), rather than being a part of it?
  package var isAnnotation: Bool {
    switch self {
    case .labels, .preference, .language, .parameters, .group, .id, .property: true
    default: false
    }
  }

  /// Those that say something about a value.
  static let annotations = allCases.filter(\.isAnnotation)

  /// The member that a key or path word names, in the spelling of the JSON record.
  package init?(key: String) {
    guard let member = Self.byKey[key] else { return nil }
    self = member
  }

  private static let byKey = Dictionary(uniqueKeysWithValues: allCases.dropFirst().map { ($0.key, $0) })

  /// `,"key":` of every member, with and without the comma: at twice its number, and behind that.
  static let jsonKeys = keyTexts(keys)

  /// `,"key":` of every key, each also without the comma.
  static func keyTexts(_ keys: [String]) -> [ShortText] {
    keys.flatMap { key in
      let text = Array(",\"\(key)\":".utf8)
      guard let whole = ShortText(text), let bare = ShortText(Array(text.dropFirst())) else {
        preconditionFailure("the key \(key) is longer than a short text")
      }
      return [whole, bare]
    }
  }
}

/// A set of members.
struct MemberSet: Sendable {
  private let bits: UInt64

  init(_ members: [Member]) { bits = members.reduce(0) { $0 | 1 << UInt64($1.rawValue) } }

  @inline(__always)
  func contains(_ member: Member) -> Bool { bits & (1 &<< UInt64(member.rawValue)) != 0 }
}
