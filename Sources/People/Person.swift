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
  /// The values in their order, decoded; a parameter without a value has one empty text.
  public var values: [String]

  /// A parameter.
  public init(_ name: String, _ values: [String]) { (self.name, self.values) = (name.lowercased(), values) }
}

/// What the line of a field of one value carries besides it.
public struct Details: Sendable, Hashable {
  /// The key of the field, such as `birthday`.
  public var field: String
  /// The parameters that no other member speaks for.
  public var parameters: [ParameterValues] = []
  /// The group of the line; empty where it has none.
  public var group = ""
  /// What tells the value from others, as PROP-ID (RFC 9554 4.7) or PID (RFC 6350 5.5) has it; empty where nothing does.
  public var id = ""
  /// The name of the property, where it is another one than the version's own; else empty.
  public var property = ""
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
  /// UID (RFC 6350 6.7.6): identifies the contact everywhere; a URI, mostly `urn:uuid:...`, or any text. Nil where the card has none.
  public var uid: String?
  /// KIND (RFC 6350 6.1.4): `individual`, `group`, `org`, `location` or another word, in lower case; nil stands for a person.
  public var kind: String?
  /// FN (RFC 6350 6.2.1): the name as it is shown. Of several FN lines it is the first; the others are `unclaimed`.
  public var fullName: String?
  /// N (RFC 6350 6.2.2): the name in parts, what to sort by, how it is spoken.
  public var name: PersonName?
  /// X-ABOrder of Apple: `FIRST` or `LAST`, the part of the name that is shown first.
  public var nameOrder: String?
  /// NICKNAME (RFC 6350 6.2.3): names that friends use, one an entry; lines of several texts are taken apart.
  public var nicknames: [Labeled<String>] = []
  /// PHOTO (RFC 6350 6.2.4): pictures, as bytes with their media type or as a URI, which is never followed.
  public var photos: [Labeled<Media>] = []
  /// BDAY (RFC 6350 6.2.5): any part may be missing. A value that is no date stays as the text it was (`PartialDate.text`).
  public var birthday: PartialDate?
  /// ANNIVERSARY (RFC 6350 6.2.6), in older versions X-ANNIVERSARY or Apple's X-ABDATE with that label: the day of marriage.
  public var anniversary: PartialDate?
  /// X-ALTBDAY of Apple: the birthday in another calendar, as written; the calendar is a parameter in `details`.
  public var alternateBirthday: String?
  /// X-ABDATE of Apple: other days, told by their labels.
  public var dates: [Labeled<PartialDate>] = []
  /// GENDER (RFC 6350 6.2.7): sex and gender identity, each perhaps empty.
  public var gender: Gender?
  /// PRONOUNS (RFC 9554 3.4): pronouns to use, such as `she/her`, perhaps by language.
  public var pronouns: [Labeled<String>] = []
  /// GRAMGENDER (RFC 9554 3.2): `animate`, `common`, `feminine`, `inanimate`, `masculine` or `neuter`, perhaps by language.
  public var grammaticalGenders: [Labeled<String>] = []
  /// TEL (RFC 6350 6.4.1): telephone numbers as their owner wrote them, without `tel:`; `normalize` makes E.164 of them.
  public var phones: [Labeled<PhoneNumber>] = []
  /// EMAIL (RFC 6350 6.4.2): e-mail addresses as written; one without `@` is kept.
  public var emails: [Labeled<String>] = []
  /// IMPP (RFC 6350 6.4.3, RFC 4770) and X-JABBER and its like: accounts with messaging services.
  public var instantMessages: [Labeled<InstantMessage>] = []
  /// SOCIALPROFILE (RFC 9554 3.5) and X-SOCIALPROFILE: accounts with social networks.
  public var socialProfiles: [Labeled<SocialProfile>] = []
  /// URL (RFC 6350 6.7.8): web pages, as written.
  public var urls: [Labeled<String>] = []
  /// ADR (RFC 6350 6.3.1, RFC 9554 2.1), with what LABEL, GEO, TZ and X-ABADR tell of each.
  public var addresses: [Labeled<PostalAddress>] = []
  /// ORG (RFC 6350 6.6.4): names of organizations and of their units.
  public var organizations: [Labeled<Organization>] = []
  /// X-PHONETIC-ORG of Apple: how the organization's name is spoken.
  public var phoneticOrganization: String?
  /// TITLE (RFC 6350 6.6.1): job titles.
  public var titles: [Labeled<String>] = []
  /// ROLE (RFC 6350 6.6.2): functions or occupations.
  public var roles: [Labeled<String>] = []
  /// LOGO (RFC 6350 6.6.3): pictures of an organization, as for `photos`.
  public var logos: [Labeled<Media>] = []
  /// MEMBER (RFC 6350 6.6.5), in older versions X-ADDRESSBOOKSERVER-MEMBER: the members of a group by their UIDs or other URIs.
  public var members: [Labeled<String>] = []
  /// RELATED (RFC 6350 6.6.6), X-ABRELATEDNAMES, X-SPOUSE and others: a name, or the UID of a card; the labels say how they are related.
  public var related: [Labeled<String>] = []
  /// CATEGORIES (RFC 6350 6.7.1): groups and tags, one an entry; lines of several texts are taken apart.
  public var categories: [Labeled<String>] = []
  /// NOTE (RFC 6350 6.7.2): notes, line breaks as `\n`.
  public var notes: [Labeled<String>] = []
  /// LANG (RFC 6350 6.4.4): language tags (RFC 5646) of what the person speaks; another text is kept.
  public var languages: [Labeled<String>] = []
  /// LANGUAGE (RFC 9554 3.3): the language tag of the card's texts.
  public var defaultLanguage: String?
  /// TZ (RFC 6350 6.5.1): a name such as `Europe/London`, a URI, or an offset such as `-05:00`.
  public var timeZone: String?
  /// GEO (RFC 6350 6.5.2): a place on the earth, in degrees. A value that is none is `unclaimed`.
  public var location: Location?
  /// CALURI (RFC 6350 6.9.3): URIs of calendars.
  public var calendars: [Labeled<String>] = []
  /// FBURL (RFC 6350 6.9.1): URIs that tell when the person is free or busy.
  public var freeBusy: [Labeled<String>] = []
  /// CALADRURI (RFC 6350 6.9.2): URIs that invitations go to, mostly `mailto:`.
  public var schedulingAddresses: [Labeled<String>] = []
  /// CAPURI (RFC 2739 2.3.3), no property of 4.0: URIs at which the calendar store is reached.
  public var calendarAccess: [Labeled<String>] = []
  /// KEY (RFC 6350 6.8.1): public keys and certificates, as bytes, URI or text.
  public var keys: [Labeled<Media>] = []
  /// SOUND (RFC 6350 6.7.5): how the name sounds, as bytes with their media type or as a URI.
  public var sounds: [Labeled<Media>] = []
  /// SOURCE (RFC 6350 6.1.3): URIs at which the newest state of the card is found.
  public var sources: [Labeled<String>] = []
  /// CLASS (RFC 2426 3.7.1), no property of 4.0: `PUBLIC`, `PRIVATE`, `CONFIDENTIAL` or another word.
  public var classification: String?
  /// CREATED (RFC 9554 3.1): when the contact was created.
  public var created: PartialDate?
  /// REV (RFC 6350 6.7.4): when the contact was changed last; of several lines the latest. Kept as it is unless somebody changes it.
  public var revision: PartialDate?
  /// CLIENTPIDMAP (RFC 6350 6.7.7): number and URI of a program, divided by a semicolon, whose identifiers PID parameters name.
  public var clientPIDMaps: [Labeled<String>] = []
  /// PRODID (RFC 6350 6.7.3): the program that wrote the card.
  public var productID: String?
  /// AGENT (RFC 2426 3.5.4), no property of 4.0: somebody who acts for the person, as a card of their own or as a URI.
  public var agent: Agent?
  /// BIRTHPLACE (RFC 6474 2.1): the place of birth, a text or a URI.
  public var birthPlace: String?
  /// DEATHDATE (RFC 6474 2.3): the day of death; any part may be missing.
  public var deathDate: PartialDate?
  /// DEATHPLACE (RFC 6474 2.2): the place of death, a text or a URI.
  public var deathPlace: String?
  /// EXPERTISE (RFC 6715 2.1): what the person knows; how well is the parameter `level`.
  public var expertise: [Labeled<String>] = []
  /// HOBBY (RFC 6715 2.2): what the person likes to do; how much is the parameter `level`.
  public var hobbies: [Labeled<String>] = []
  /// INTEREST (RFC 6715 2.3): what the person likes to see or hear of; how much is the parameter `level`.
  public var interests: [Labeled<String>] = []
  /// ORG-DIRECTORY (RFC 6715 2.4): URIs of directories of the organization.
  public var directories: [Labeled<String>] = []
  /// CONTACT-URI (RFC 8605 2.1): URIs by which one gets in touch, `mailto:` or a web page.
  public var contactURIs: [Labeled<String>] = []
  /// X-MAIDENNAME of Apple: the family name before marriage.
  public var maidenName: String?
  /// MAILER (RFC 2426 3.3.3), no property of 4.0: the e-mail program.
  public var mailer: String?
  /// NAME (RFC 2425 6.2), of 3.0 alone: the name of the directory entry that the card comes from.
  public var sourceName: String?
  /// PROFILE (RFC 2425 6.3), of 3.0 alone: the kind of directory entry, `VCARD`.
  public var profile: String?
  /// XML (RFC 6350 6.1.5): elements of an xCard that are no properties, each as its text.
  public var xml: [Labeled<String>] = []
  /// JSPROP (RFC 9555 3.2.1): members of a JSContact Card that no property holds, as JSON; the parameter `jsptr` says where they stood.
  public var jsProperties: [Labeled<String>] = []
  /// What the lines of fields of one value carry besides: parameters, group, identifier. Fields without any are not listed.
  public var details: [Details] = []
  /// The lines that no field holds, in the order of the card: unknown ones, empty ones, further values of fields of one value.
  public var unclaimed: [UnclaimedLine] = []

  /// A person without any value.
  public init() {}
}

// MARK: The table

extension Person {
  /// Every field: its key, the word for one, its property and the names it also goes by, its member, its kind. Reading, writing, JSON, CSV,
  /// validation, paths and `vcard fields` walk this table. A new property is a member above and a row here.
  public static let fields: [Field] = [
    .version(note: "The version that the card declared; told, not written back."),
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
      "birthday", ["BDAY", "X-BDAY", "X-EVOLUTION-BIRTHDAY", .init("X-ANDROID-CUSTOM", role: .item("contact_event/birthday"))],
      at: \.birthday, .date,
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
    .one("timeZone", ["TZ", "X-TZ"], at: \.timeZone, .timeZone, .many, note: "The time zone: a name or an offset."),
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
}
