// Who a person is at a glance: the name to show, person or company, the picture; and a person made from a few parts.

extension Person {
  /// A person with a name; the full name is made from its parts. Empty parts count as absent.
  public init(given: String = "", family: String = "", organization: String = "") {
    self.init()
    if !given.isEmpty || !family.isEmpty {
      let name = PersonName(given: given, family: family)
      self.name = name
      fullName = name.formatted
    }
    if !organization.isEmpty { organizations = [Labeled(Organization(organization))] }
  }

  /// A company; its name is also the full name.
  public init(company: String) {
    self.init()
    kind = "org"
    fullName = company
    organizations = [Labeled(Organization(company))]
  }

  /// Is it a company, not a person (KIND, RFC 6350 6.1.4)?
  public var isCompany: Bool { kind?.lowercased() == "org" }

  /// Is it a group of contacts?
  public var isGroup: Bool { kind?.lowercased() == "group" }

  /// The name to show: of a company its name, else the full name, the parts of the name, the organization, a nickname, an e-mail
  /// address, a phone number or a messaging handle, whichever is there first. Empty where there is none of them.
  public var compositeName: String {
    if isCompany, let name = organizations.first?.value.name, !name.isEmpty { return name }
    if let fullName, !fullName.isEmpty { return fullName }
    return FullName.made(from: Record(self)) ?? ""
  }

  /// Is there a picture, as bytes or as a reference?
  public var hasImage: Bool { !photos.isEmpty }

  /// The bytes of the preferred picture; nil where there is none, or only a reference. Setting bytes replaces all pictures by one, whose
  /// type is told by the bytes; setting nil removes all.
  public var imageData: [UInt8]? {
    get {
      let picture: Media? = photos.preferred()
      return picture.flatMap { $0.bytes.isEmpty ? nil : $0.bytes }
    }
    set { photos = newValue.map { [Labeled(Media(bytes: $0))] } ?? [] }
  }

  /// Removes all pictures; false where there was none.
  @discardableResult
  public mutating func removeImage() -> Bool {
    defer { photos = [] }
    return hasImage
  }
}

// MARK: Groups and names

extension Person {
  /// The UID without `urn:uuid:`, in lower case: the form in which identifiers compare.
  private static func plain(uid: String) -> String {
    let lower = uid.lowercased()
    return lower.hasPrefix("urn:uuid:") ? String(lower.dropFirst(9)) : lower
  }

  /// Is `person` a member of this group, by MEMBER (RFC 6350 6.6.5)?
  public func hasMember(_ person: Person) -> Bool {
    guard let uid = person.uid, !uid.isEmpty else { return false }
    let plain = Self.plain(uid: uid)
    return members.contains { Self.plain(uid: $0.value) == plain }
  }

  /// Makes a person with a UID a member; false where it is one already, or has no UID.
  @discardableResult
  public mutating func addMember(_ person: Person) -> Bool {
    guard let uid = person.uid, !uid.isEmpty, !hasMember(person) else { return false }
    members.append(Labeled(uid.contains(":") ? uid : "urn:uuid:" + uid))
    return true
  }

  /// Takes a person out of the group; false where it was no member.
  @discardableResult
  public mutating func removeMember(_ person: Person) -> Bool {
    guard hasMember(person), let uid = person.uid else { return false }
    let plain = Self.plain(uid: uid)
    members.removeAll { Self.plain(uid: $0.value) == plain }
    return true
  }
}

extension Sequence where Element == Person {
  /// The persons whose name holds all words of `text`, whatever the order, letter case and accents: `okafor mira` finds Mira Okafor.
  /// Nobody, for a text without words.
  public func named(_ text: String) -> [Person] {
    let words = NameFolding.words(text)
    guard !words.isEmpty else { return [] }
    return filter { person in
      let own = NameFolding.words(person.compositeName) + person.nicknames.flatMap { NameFolding.words($0.value) }
      return words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
    }
  }

  /// The members of a group, in the order of this sequence.
  public func members(of group: Person) -> [Person] { filter { group.hasMember($0) } }

  /// The groups that a person is a member of.
  public func groups(of person: Person) -> [Person] { filter { $0.isGroup && $0.hasMember(person) } }
}
