// Which paths mean something: the parts that values of each kind have, and what to say of a path that names another one.

/// Why a text is no path.
package struct FieldPathError: Error, Hashable {
  /// What is wrong, and what there is, for people.
  package let message: String
}

extension FieldPath {
  /// The path that somebody typed: as `init(_:)`, but a part that no value of the field can have is refused.
  package init(typed text: String) throws(FieldPathError) {
    if let path = FieldPath(text), path.namesPart {
      self = path
      return
    }
    guard let field = Self.fieldOfFirstWord(text) else {
      throw FieldPathError(message: "no field is called \(text); 'vcard fields' lists them")
    }
    let parts = field.pathWords.joined(separator: ", ")
    let list = parts.isEmpty ? "\(field.key) has no parts" : "\(field.isOne ? "parts of \(field.key)" : "parts of each") are \(parts)"
    throw FieldPathError(message: "\(text) names nothing that a contact can have; \(list)")
  }

  /// Can a value of the field have the part that the path names?
  private var namesPart: Bool {
    guard let first = components.first else { return true }
    let kind = Person.fields[field].kind
    guard kind.parts.contains(first) || first.isAnnotation && first != .property else { return false }
    return components.dropFirst().isEmpty || components.count == 2 && (first.innerParts.contains(components[1]))
  }

  private static func fieldOfFirstWord(_ text: String) -> Field? {
    let first = text.prefix { $0 != "." }
    return Person.fields.first { $0.key == first || $0.singular == first }
  }
}

extension Field {
  /// The words by which paths name the parts of a value, and what is said about it; what is said once a contact is not listed.
  fileprivate var pathWords: [String] {
    var words = kind is DateKind ? PartialDate.Part.allCases.map(\.rawValue) : []
    words += kind.parts.filter { !isOne || $0 != .value }.flatMap { part in
      part.innerParts.isEmpty ? [part.key] : part.innerParts.map { part.key + "." + $0.key }
    }
    if !isOne { words += Member.annotations.filter { $0 != .property }.map(\.key) }
    return words
  }
}

extension ValueKind {
  /// The parts that values of the kind have, in their usual order.
  var parts: [Member] {
    switch self {
    case is NameKind:
      [.prefix, .given, .middle, .family, .family2, .generation, .suffix, .sortAs, .phonetic, .pronunciation]
    case is AddressKind: Member.allCases.filter { (Member.poBox.rawValue...Member.direction.rawValue).contains($0.rawValue) }
    case is OrganizationKind: [.name, .units, .sortAs]
    case is GenderKind: [.sex, .identity]
    case is InstantMessageKind: [.service, .handle, .uri]
    case is SocialProfileKind: [.service, .username, .uri]
    case is PhoneKind: [.value, .extension]
    case is MediaKind: [.mediaType, .data, .uri, .value]
    case is GeoKind: [.latitude, .longitude, .uri]
    default: [.value]
    }
  }

  /// The parts that can be set one by one.
  var editableParts: Set<Member> {
    switch self {
    case is MediaKind: [.mediaType, .uri]
    case is GeoKind: [.value]
    default: Set(parts).subtracting([.pronunciation])
    }
  }
}

extension Member {
  /// The parts of a part.
  var innerParts: [Member] {
    switch self {
    case .phonetic, .pronunciation: [.given, .middle, .family]
    case .location: [.latitude, .longitude, .uri]
    default: []
    }
  }
}
