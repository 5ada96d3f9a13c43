// The person, and below it THE TABLE: all that is known of properties stands in this file and in the value kinds.

public import CardSyntax
internal import Bytes

/// A value with what is said about it: labels, preference, language, parameters.
public struct Labeled<Value: Hashable & Sendable>: Sendable, Hashable {
  /// The value.
  public var value: Value
  /// What it is for, such as `home` or a text of one's own.
  public var labels: [Label]
  /// 1 (first) to 100; nil where nothing is said (RFC 6350 5.3).
  public var preference: Int?
  /// The language of the value (RFC 5646); empty where nothing is said.
  public var language = ""
  /// Every other parameter, by lower-case name, in order.
  public var parameters: [ParameterValues] = []
  /// The group that it shares with other lines; empty where it is in none.
  public var group = ""
  /// A stable identifier (PROP-ID, or PID); empty where it has none.
  public var id = ""
  /// The name of the property that it came from, where that is not the standard one.
  public var property = ""

  /// A value with labels.
  public init(_ value: Value, _ labels: Label..., preference: Int? = nil) {
    self.value = value
    self.labels = labels
    self.preference = preference
  }

  /// Does it carry this label?
  public func has(_ label: Label) -> Bool { labels.contains(label) }
}

/// A parameter and its values.
public struct ParameterValues: Sendable, Hashable {
  /// The name in lower case.
  public var name: String
  public var values: [String]

  /// A parameter.
  public init(_ name: String, _ values: [String]) { (self.name, self.values) = (name.lowercased(), values) }
}

/// What the line of a field of one value carries besides it.
public struct Details: Sendable, Hashable {
  /// The key of the field, such as `birthday`.
  public var field: String
  public var parameters: [ParameterValues] = []
  public var group = "", id = "", property = ""
}

/// A line that no field holds, as it was written.
public struct UnclaimedLine: Sendable, Hashable {
  /// The property's name as written.
  public var name: String
  /// The group; empty where there is none.
  public var group: String
  /// The parameters, their names as written.
  public var parameters: [ParameterValues]
  /// The value as written: unfolded and decoded, still escaped.
  public var value: String

  /// A line.
  public init(_ name: String, group: String = "", parameters: [ParameterValues] = [], value: String) {
    (self.name, self.group, self.parameters, self.value) = (name, group, parameters, value)
  }
}

/// A person, company or group, as an address book holds it. Every property of vCard has a home here; lines that no field holds are
/// `unclaimed`. Nothing of a card is lost.
public struct Person: Sendable, Hashable {
  /// The version that the card declared; told, never written back.
  public var version: CardVersion?
  public var uid: String?
  public var kind: String?
  public var fullName: String?
  public var name: PersonName?
  public var nameOrder: String?
  public var nicknames: [Labeled<String>] = []
  public var photos: [Labeled<Media>] = []
  public var birthday: PartialDate?
  public var anniversary: PartialDate?
  public var alternateBirthday: String?
  public var dates: [Labeled<PartialDate>] = []
  public var gender: Gender?
  public var pronouns: [Labeled<String>] = []
  public var grammaticalGenders: [Labeled<String>] = []
  public var phones: [Labeled<PhoneNumber>] = []
  public var emails: [Labeled<String>] = []
  public var instantMessages: [Labeled<InstantMessage>] = []
  public var socialProfiles: [Labeled<SocialProfile>] = []
  public var urls: [Labeled<String>] = []
  public var addresses: [Labeled<PostalAddress>] = []
  public var organizations: [Labeled<Organization>] = []
  public var phoneticOrganization: String?
  public var titles: [Labeled<String>] = []
  public var roles: [Labeled<String>] = []
  public var logos: [Labeled<Media>] = []
  public var members: [Labeled<String>] = []
  public var related: [Labeled<String>] = []
  public var categories: [Labeled<String>] = []
  public var notes: [Labeled<String>] = []
  public var languages: [Labeled<String>] = []
  public var defaultLanguage: String?
  public var timeZone: String?
  public var location: Location?
  public var calendars: [Labeled<String>] = []
  public var freeBusy: [Labeled<String>] = []
  public var schedulingAddresses: [Labeled<String>] = []
  public var calendarAccess: [Labeled<String>] = []
  public var keys: [Labeled<Media>] = []
  public var sounds: [Labeled<Media>] = []
  public var sources: [Labeled<String>] = []
  public var classification: String?
  public var created: PartialDate?
  public var revision: PartialDate?
  public var clientPIDMaps: [Labeled<String>] = []
  public var productID: String?
  public var agent: Agent?
  public var birthPlace: String?
  public var deathDate: PartialDate?
  public var deathPlace: String?
  public var expertise: [Labeled<String>] = []
  public var hobbies: [Labeled<String>] = []
  public var interests: [Labeled<String>] = []
  public var directories: [Labeled<String>] = []
  public var contactURIs: [Labeled<String>] = []
  public var maidenName: String?
  public var mailer: String?
  public var sourceName: String?
  public var profile: String?
  public var xml: [Labeled<String>] = []
  public var jsProperties: [Labeled<String>] = []
  public var details: [Details] = []
  public var unclaimed: [UnclaimedLine] = []

  /// A person without any value.
  public init() {}
}

// MARK: The table

extension Person {
  /// Every field: its key, the word for one, its property and the names it also goes by, its member, its kind. Reading, writing, JSON, CSV,
  /// validation, paths and `vcard fields` walk this table. A new property is a member above and a row here.
  public static let fields: [Field] = [
    .one("version", [], at: \.versionText, .text, .exactlyOne, note: "The version that the card declared; told, not written back."),
    .one("uid", ["UID"], at: \.uid, .uid, note: "A globally unique identifier."),
    .one(
      "kind", [.init("KIND", .v40), .init("X-ABShowAs"), .init("X-ADDRESSBOOKSERVER-KIND"), .init("X-KIND", .v21, .v30)], at: \.kind, .kind,
      note: "What the card describes: individual, group, org, location."),
    .one("fullName", ["FN"], at: \.fullName, .text, .atLeastOne, older: .exactlyOne, note: "The name as it is shown."),
    .one(
      "name",
      [
        "N", .init("SORT-STRING", role: .part), .init("X-PHONETIC-FIRST-NAME", role: .part), .init("X-PHONETIC-MIDDLE-NAME", role: .part),
        .init("X-PHONETIC-LAST-NAME", role: .part), .init("X-PRONUNCIATION-FIRST-NAME", role: .part),
        .init("X-PRONUNCIATION-MIDDLE-NAME", role: .part), .init("X-PRONUNCIATION-LAST-NAME", role: .part),
      ], at: \.name, .name, older: .exactlyOne, note: "The name in parts, what to sort by, how it is spoken."),
    .one("nameOrder", ["X-ABOrder"], at: \.nameOrder, .text, registered: [], note: "Which part of the name is shown first: FIRST or LAST."),
    .texts(
      "nicknames", "nickname", ["NICKNAME", "X-NICKNAME", "X-EPOCSECONDNAME", .init("X-ANDROID-CUSTOM", role: .item("nickname"))],
      at: \.nicknames, note: "Names that friends use."),
    .many("photos", "photo", ["PHOTO"], at: \.photos, .media, note: "Pictures: bytes with a media type, or a URI."),
    .one(
      "birthday", ["BDAY", "X-EVOLUTION-BIRTHDAY", .init("X-ANDROID-CUSTOM", role: .item("contact_event/birthday"))], at: \.birthday, .date,
      note: "The birthday; parts may be missing."),
    .one(
      "anniversary",
      [
        .init("ANNIVERSARY", .v40), .init("X-ABDATE", role: .adopted), .init("X-ANNIVERSARY", .v21, .v30), "X-EVOLUTION-ANNIVERSARY",
        "X-KADDRESSBOOK-X-ANNIVERSARY", .init("X-MS-ANNIVERSARY", for: .outlook), "X-WAB-WEDDING_ANNIVERSARY", "X-ZIMBRA-ANNIVERSARY",
        .init("X-ANDROID-CUSTOM", role: .item("contact_event/anniversary"), for: .android),
      ], at: \.anniversary, .date, adopts: "anniversary", note: "The day of marriage."),
    .one(
      "alternateBirthday", ["X-ALTBDAY"], at: \.alternateBirthday, .text, registered: [],
      note: "The birthday in another calendar, as Apple writes it."),
    .many(
      "dates", "date", ["X-ABDATE", .init("X-ANDROID-CUSTOM", role: .item("contact_event"), for: .android)], at: \.dates, .date,
      registered: [],
      note: "Other days, told by their labels."),
    .one(
      "gender", [.init("GENDER", .v40), .init("X-GENDER", .v21, .v30), "X-WAB-GENDER"], at: \.gender, .gender,
      note: "Sex and gender identity."),
    .many("pronouns", "pronoun", .since40("PRONOUNS"), at: \.pronouns, .text, note: "Pronouns to use (RFC 9554)."),
    .many(
      "grammaticalGenders", "grammaticalGender", .since40("GRAMGENDER"), at: \.grammaticalGenders,
      .words("animate", "common", "feminine", "inanimate", "masculine", "neuter"),
      note: "The grammatical gender to use (RFC 9554)."),
    .many(
      "phones", "phone", ["TEL", .init("X-ASSISTANT-TEL", label: "assistant"), "X-SKYPE-PSTNNUMBER"], at: \.phones, .phone,
      types: .phone, note: "Telephone numbers."),
    .many("emails", "email", ["EMAIL"], at: \.emails, .text, types: .email, note: "E-mail addresses."),
    .many(
      "instantMessages", "instantMessage",
      [
        "IMPP", "X-AIM", "X-JABBER", "X-ICQ", "X-MSN", "X-YAHOO", "X-SKYPE", "X-SKYPE-USERNAME", "X-QQ", "X-GTALK", "X-GOOGLE-TALK",
        "X-GOOGLE TALK", "X-GADUGADU", "X-GROUPWISE", "X-NETMEETING", "X-FACEBOOK", "X-IRC", "X-SMS", "X-MEANWHILE", "X-SAMETIME", "X-SIP",
        "X-TWITTER", "X-YAHOO-ID", "X-MS-IMADDRESS", "X-KADDRESSBOOK-X-IMADDRESS", "X-ZIMBRA-IMADDRESS1", "X-ZIMBRA-IMADDRESS2",
        "X-ZIMBRA-IMADDRESS3", "X-WV-ID", "X-MESSAGING/XMPP-ALL", "X-MESSAGING/AIM-ALL", "X-MESSAGING/ICQ-ALL", "X-MESSAGING/MSN-ALL",
        "X-MESSAGING/YAHOO-ALL", "X-MESSAGING/SKYPE-ALL", "X-MESSAGING/GADU-ALL", "X-MESSAGING/IRC-ALL", "X-MESSAGING/GROUPWISE-ALL",
      ], at: \.instantMessages, .instantMessage, types: .messaging, note: "Accounts with messaging services."),
    .many(
      "socialProfiles", "socialProfile",
      [.init("SOCIALPROFILE", .v40), .init("X-SOCIALPROFILE", .v21, .v30, for: .nextcloud), "X-SOCIAL-PROFILE"],
      at: \.socialProfiles,
      .socialProfile, note: "Accounts with social networks."),
    .many(
      "urls", "url",
      [
        "URL", .init("X-EVOLUTION-BLOG-URL", label: "blog"), .init("X-KADDRESSBOOK-BLOGFEED", label: "blog"),
        .init("X-EVOLUTION-VIDEO-URL", label: "video"),
      ], at: \.urls, .uri, note: "Web pages."),
    .many(
      "addresses", "address", ["ADR", .init("LABEL", role: .typeCompanion), .init("X-ABADR", role: .groupCompanion), "X-SAMSUNGADR"],
      at: \.addresses,
      .address, types: .address, note: "Postal addresses."),
    .many("organizations", "organization", ["ORG"], at: \.organizations, .organization, note: "Organizations and their units."),
    .one(
      "phoneticOrganization", ["X-PHONETIC-ORG"], at: \.phoneticOrganization, .text, registered: [],
      note: "How the organization's name is spoken."),
    .many("titles", "title", ["TITLE"], at: \.titles, .text, note: "Job titles."),
    .many("roles", "role", ["ROLE", "X-KADDRESSBOOK-X-PROFESSION"], at: \.roles, .text, note: "Functions or occupations."),
    .many("logos", "logo", ["LOGO"], at: \.logos, .media, note: "Pictures of an organization."),
    .texts(
      "members", "member", [.init("MEMBER", .v40), .init("X-ADDRESSBOOKSERVER-MEMBER", .v21, .v30)], perLine: true, at: \.members,
      note: "The members of a group."),
    .many(
      "related", "relation",
      [
        .init("RELATED", .v40), .init("X-ABRELATEDNAMES", .v21, .v30), .init("X-SPOUSE", label: "spouse"),
        .init("X-EVOLUTION-SPOUSE", label: "spouse"), .init("X-KADDRESSBOOK-X-SPOUSESNAME", label: "spouse"),
        .init("X-MS-SPOUSE", label: "spouse", for: .outlook), .init("X-WAB-SPOUSE_NAME", label: "spouse"),
        .init("X-MANAGER", label: "manager"),
        .init("X-EVOLUTION-MANAGER", label: "manager"), .init("X-KADDRESSBOOK-X-MANAGERSNAME", label: "manager"),
        .init("X-MS-MANAGER", label: "manager", for: .outlook), .init("X-ASSISTANT", label: "assistant"),
        .init("X-EVOLUTION-ASSISTANT", label: "assistant"),
        .init("X-KADDRESSBOOK-X-ASSISTANTSNAME", label: "assistant"), .init("X-MS-ASSISTANT", label: "assistant", for: .outlook),
        .init("X-CHILDREN", label: "child"), .init("X-MS-CHILD", label: "child", for: .outlook), .init("X-MANAGERSNAME", label: "manager"),
        "RELATIONSHIP",
        .init("X-ANDROID-CUSTOM", role: .item("relation"), for: .android),
      ], at: \.related, .related, types: .relation, note: "Related people: a name, or the UID of a card."),
    .texts("categories", "category", ["CATEGORIES", "X-GROUP-MEMBERSHIP", "X-GN"], at: \.categories, note: "Groups and tags."),
    .many("notes", "note", ["NOTE"], at: \.notes, .text, note: "Notes."),
    .many("languages", "language", .since40("LANG"), at: \.languages, .languageTag, note: "Languages that the person speaks."),
    .one(
      "defaultLanguage", .since40("LANGUAGE"), at: \.defaultLanguage, .languageTag, note: "The language of the card's texts (RFC 9554)."),
    .one("timeZone", ["TZ"], at: \.timeZone, .timeZone, .many, note: "The time zone: a name or an offset."),
    .one("location", ["GEO"], at: \.location, .location, .many, note: "A place on the earth."),
    .many("calendars", "calendar", ["CALURI", "ICSCALENDAR"], at: \.calendars, .uri, registered: [.v30, .v40], note: "Calendars."),
    .many("freeBusy", "freeBusy", ["FBURL"], at: \.freeBusy, .uri, registered: [.v30, .v40], note: "When the person is free or busy."),
    .many(
      "schedulingAddresses", "schedulingAddress", ["CALADRURI"], at: \.schedulingAddresses, .uri, registered: [.v30, .v40],
      note: "Where invitations go."),
    .many(
      "calendarAccess", "calendarAccess", [.init("CAPURI", .v21, .v30), .init("X-CAPURI", .v40)], at: \.calendarAccess, .uri,
      registered: [.v30],
      note: "Where the calendar store is reached (RFC 2739)."),
    .many("keys", "key", ["KEY"], at: \.keys, .key, note: "Public keys and certificates."),
    .many("sounds", "sound", ["SOUND"], at: \.sounds, .media, note: "How the name sounds."),
    .many("sources", "source", ["SOURCE"], at: \.sources, .uri, types: .none, note: "Where the card comes from."),
    .one(
      "classification", [.init("CLASS", .v30), .init("X-CLASS", .v21, .v40)], at: \.classification,
      .words("PUBLIC", "PRIVATE", "CONFIDENTIAL"), note: "Access class of 3.0."),
    .one("created", .since40("CREATED"), at: \.created, .timestamp, note: "When the card was created (RFC 9554)."),
    .one("revision", ["REV"], at: \.revision, .timestamp, latest: true, note: "When the card was changed last."),
    .many(
      "clientPIDMaps", "clientPIDMap", .since40("CLIENTPIDMAP"), at: \.clientPIDMaps, .pidMap, types: .none,
      note: "Which program gave the identifiers of values (PID)."),
    .one("productID", ["PRODID"], at: \.productID, .text, note: "The program that wrote the card."),
    .one(
      "agent", [.init("AGENT", .v21, .v30), .init("X-AGENT", .v40)], at: \.agent, .agent,
      note: "The card of somebody who acts for the person."),
    .one("birthPlace", .since40("BIRTHPLACE"), at: \.birthPlace, .place, note: "The place of birth (RFC 6474)."),
    .one("deathDate", .since40("DEATHDATE"), at: \.deathDate, .date, note: "The day of death (RFC 6474)."),
    .one("deathPlace", .since40("DEATHPLACE"), at: \.deathPlace, .place, note: "The place of death (RFC 6474)."),
    .many(
      "expertise", "expertise", .since40("EXPERTISE"), at: \.expertise, .ranked("beginner", "average", "expert"),
      note: "What the person knows (RFC 6715)."),
    .many(
      "hobbies", "hobby", .since40("HOBBY"), at: \.hobbies, .ranked("high", "medium", "low"),
      note: "What the person likes to do (RFC 6715)."),
    .many(
      "interests", "interest", .since40("INTEREST"), at: \.interests, .ranked("high", "medium", "low"),
      note: "What the person likes to see done (RFC 6715)."),
    .many(
      "directories", "directory", .since40("ORG-DIRECTORY"), at: \.directories, .uri, note: "Directories of the organization (RFC 6715)."),
    .many("contactURIs", "contactURI", .since40("CONTACT-URI"), at: \.contactURIs, .uri, note: "How to get in touch (RFC 8605)."),
    .one("maidenName", ["X-MAIDENNAME", "X-ZIMBRA-MAIDENNAME"], at: \.maidenName, .text, note: "The family name before marriage."),
    .one("mailer", [.init("MAILER", .v21, .v30), .init("X-MAILER", .v40)], at: \.mailer, .text, note: "The e-mail program."),
    .one(
      "sourceName", [.init("NAME", .v30), .init("X-NAME", .v21, .v40)], at: \.sourceName, .text, registered: [.v30],
      note: "The name of the directory entry that the card comes from (RFC 2425)."),
    .one(
      "profile", [.init("PROFILE", .v30), .init("X-PROFILE", .v21, .v40)], at: \.profile, .words("VCARD"), registered: [.v30],
      note: "The kind of directory entry: VCARD (RFC 2425)."),
    .many("xml", "xml", .since40("XML"), at: \.xml, .xml, types: .none, note: "Elements of an xCard that are no properties (RFC 6351)."),
    .many(
      "jsProperties", "jsProperty", .since40("JSPROP"), at: \.jsProperties, .json,
      note: "Members of a JSContact card that are no properties (RFC 9555)."),
    .details(at: \.details),
    .unclaimed(at: \.unclaimed),
  ]

  /// The place of `details` in the table.
  package static let detailsField = fields.count - 2
  /// The place of `unclaimed` in the table.
  package static let unclaimedField = fields.count - 1
  /// The fields that hold pictures.
  package static let pictureFields = ["photos", "logos"].compactMap { field($0) }
  private static let numbers: [String: Int] = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($1.key, $0) })

  /// The place in the table of the field with this key; nil where there is none.
  package static func field(_ key: String) -> Int? { numbers[key] }

  /// The declared version as text; a version that is none is not taken.
  var versionText: String? {
    get { version?.text }
    set { version = newValue.flatMap { CardVersion($0) } }
  }
}
