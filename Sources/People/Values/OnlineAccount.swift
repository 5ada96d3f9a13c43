// Instant messaging and social profiles: IMPP and the X- properties before it, SOCIALPROFILE and X-SOCIALPROFILE (RFC 4770, RFC 9554 3.5).

package import CardSyntax
internal import Bytes

/// An account with a messaging service.
public struct InstantMessage: Sendable, Hashable {
  /// The service, such as `xmpp` or `skype`; empty where nothing names it.
  public var service: String
  /// The account's name.
  public var handle: String
  /// The URI, such as `xmpp:mira@example.net`; nil where the card had a bare name.
  public var uri: String?

  /// An account.
  public init(service: String, handle: String, uri: String? = nil) { (self.service, self.handle, self.uri) = (service, handle, uri) }
}

/// An account with a social network.
public struct SocialProfile: Sendable, Hashable {
  /// The service, such as `mastodon`.
  public var service: String
  /// The account's name.
  public var username: String
  /// Where the profile is.
  public var uri: String?

  /// A profile.
  public init(service: String, username: String = "", uri: String? = nil) {
    (self.service, self.username, self.uri) = (service, username, uri)
  }
}

/// Messaging services: their words, URI schemes, and other spellings.
package enum MessagingService {
  /// A service: its word, the schemes of its URIs, its other spellings, the property that names it before IMPP.
  private struct Row {
    let word: String, schemes: [String], spellings: [String], property: String?

    init(_ word: String, _ schemes: [String], _ spellings: [String] = [], _ property: String? = nil) {
      (self.word, self.schemes, self.spellings, self.property) = (word, schemes, spellings, property)
    }
  }

  private static let rows: [Row] = [
    Row("aim", ["aim"], [], "X-AIM"), Row("msn", ["msnim", "msn"], ["windowslive", "windows-live"], "X-MSN"),
    Row("yahoo", ["ymsgr", "yahoo"], ["yahoo!"], "X-YAHOO"), Row("skype", ["skype"], ["skype-username"], "X-SKYPE-USERNAME"),
    Row("qq", ["qq", "mtqq"], [], "X-QQ"),
    Row("google-talk", ["gtalk", "google-talk"], ["gtalk", "googletalk", "google talk", "hangouts"], "X-GOOGLE-TALK"),
    Row("icq", ["icq"], [], "X-ICQ"), Row("xmpp", ["xmpp", "jabber"], ["jabber"], "X-JABBER"),
    Row("netmeeting", ["netmeeting"], [], "X-NETMEETING"), Row("facebook", ["fb"], ["facebookmessenger"]),
    Row("gadugadu", ["gg"], ["gadu-gadu", "gadu"]), Row("groupwise", ["groupwise"]), Row("sip", ["sip", "sips"], [], "X-SIP"),
    Row("irc", ["irc", "ircs"]), Row("sms", ["sms"]), Row("matrix", ["matrix"]), Row("twitter", ["twitter"]),
    Row("whatsapp", ["whatsapp"]), Row("telegram", ["tg", "telegram"]), Row("signal", ["sgnl", "signal"]), Row("meanwhile", ["meanwhile"]),
    Row("sametime", ["sametime"]), Row("threema", ["threema"]),
  ]

  private static let bySpelling: [String: String] = {
    var found: [String: String] = [:]
    for row in rows { for spelling in [row.word] + row.spellings { found[spelling] = row.word } }
    return found
  }()
  private static let byScheme: [String: String] = {
    var found: [String: String] = [:]
    for row in rows { for scheme in row.schemes { found[scheme] = row.word } }
    return found
  }()

  /// The canonical word of a service's name; nil for names that are not known.
  package static func word(_ name: String) -> String? { bySpelling[name.lowercased()] }
  /// The service of a property such as `X-JABBER` or `X-messaging/xmpp-All`; nil where the property is for any service.
  package static func ofProperty(_ name: String) -> String? {
    let lower = name.lowercased().dropFirst(2)
    let word = lower.hasPrefix("messaging/") ? lower.dropFirst(10).dropLast(4) : lower
    return self.word(String(word))
  }
  /// The service whose URIs have this scheme.
  package static func ofScheme(_ scheme: String) -> String? { byScheme[scheme.lowercased()] }
  /// The property of the service before IMPP; nil where it has none.
  package static func property(of service: String) -> String? { rows.first { $0.word == service }?.property }
  /// The scheme that the service's URIs are written with; nil where there is none.
  package static func scheme(of service: String) -> String? {
    if service == "google-talk" || service == "facebook" { return "xmpp" }
    return rows.first { $0.word == service }?.schemes.first
  }
}

extension String {
  /// The scheme of a URI, without the colon; nil where the text does not begin like a URI.
  package var uriScheme: Substring? {
    let bytes = utf8
    guard let first = bytes.first, ASCII.isLetter(first) else { return nil }
    let end = bytes.firstIndex { !(ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 43 || $0 == ASCII.dash || $0 == ASCII.dot) }
    guard let end, bytes[end] == ASCII.colon else { return nil }
    return self[..<end]
  }

  /// Is the text a URI, as far as its looks tell: a scheme, no blanks, no control characters (RFC 3986 2)?
  package var looksLikeURI: Bool {
    let utf8 = utf8
    let bytes = utf8.span
    return ValueSyntax.looksLikeURI(bytes, 0, bytes.count)
  }

  /// The text with percent escapes undone; escapes that are none stay.
  package var percentDecoded: String {
    guard utf8.contains(37) else { return self }
    var bytes: [UInt8] = []
    let source = Array(utf8)
    var i = 0
    while i < source.count {
      if source[i] == 37, i + 2 < source.count, let high = ASCII.hexValue(source[i + 1]), let low = ASCII.hexValue(source[i + 2]) {
        bytes.append(high << 4 | low)
        i += 3
      } else {
        bytes.append(source[i])
        i += 1
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? self
  }

  /// The text with percent escapes for what no URI may hold.
  package var percentEncoded: String {
    var result = ""
    for byte in utf8 {
      if byte > 32 && byte < 127 && !"\"<>\\^`{|}%".utf8.contains(byte) {
        result.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        let hex = String(byte, radix: 16, uppercase: true)
        result += "%" + (hex.count < 2 ? "0" : "") + hex
      }
    }
    return result
  }
}

package struct InstantMessageKind: ValueKind {
  package var textMember: Member? { .uri }
  package init() {}

  package func defaultValueType(in version: CardVersion) -> String? { "uri" }
  package func valueTypes(in version: CardVersion) -> [String] { ["uri"] }
  package var accepts: ParameterSet { ParameterSet(.mediaType, .serviceType, .username) }

  private struct Account {
    var service = "", handle = "", uri: String?
  }

  private func account(_ line: Int, _ card: borrowing CardView) -> Account {
    let text = card.text(line)
    let link = card[link: line]
    var account = Account()
    if link.alias > 0 {
      let name = MessagingService.ofProperty(Person.fields[Int(link.field)].names[Int(link.alias)].text)
      account.service = name ?? card.values(.type, of: line).lazy.compactMap { MessagingService.word($0) }.first ?? ""
      account.handle = text
      if let scheme = text.uriScheme, MessagingService.ofScheme(String(scheme)) != nil || name == nil {
        if account.service.isEmpty { account.service = MessagingService.ofScheme(String(scheme)) ?? scheme.lowercased() }
        account.uri = text
        account.handle = Self.handle(text, scheme)
      }
      return account
    }
    let scheme = text.uriScheme
    if let scheme {
      account.uri = text
      account.handle = Self.handle(text, scheme)
    } else {
      account.handle = text
    }
    let named = card.value(.serviceType, of: line) ?? card.value(.xServiceType, of: line)
    if let named, !named.isEmpty {
      account.service = MessagingService.word(named) ?? named.lowercased()
    } else if let scheme, let known = MessagingService.ofScheme(String(scheme)) {
      account.service = known
    } else {
      let words = card.values(.type, of: line).map { $0.lowercased().hasPrefix("x-") ? String($0.dropFirst(2)) : $0 }
      account.service = words.lazy.compactMap { MessagingService.word($0) }.first ?? scheme.map { $0.lowercased() } ?? ""
    }
    return account
  }

  private static func handle(_ uri: String, _ scheme: Substring) -> String {
    var rest = uri[scheme.endIndex...].dropFirst()
    if rest.hasPrefix("//") && !["http", "https"].contains(scheme.lowercased()) { rest = rest.dropFirst(2) }
    if scheme.lowercased() == "aim", rest.lowercased().hasPrefix("goim?screenname=") { rest = rest.dropFirst(16) }
    return String(rest).percentDecoded
  }

  /// The service's name as `write` adds it: in the canonical spelling, where the URI does not tell the service.
  package func claims(parameter: ParameterEntry, _ line: Int, _ card: borrowing CardView) -> Bool {
    guard parameter.known == (card.version == .v40 ? .serviceType : .xServiceType), Int(card[link: line].alias) == 0 else { return false }
    let account = account(line, card)
    guard let uri = account.uri, let scheme = uri.uriScheme.map(String.init) else { return false }
    return card.value(parameter.known, of: line) == account.service
      && (MessagingService.ofScheme(scheme) ?? scheme.lowercased()) != account.service
  }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    let account = account(line, card)
    if !account.service.isEmpty { record.text(.service, made: account.service) }
    record.text(.handle, made: account.handle)
    if let uri = account.uri { record.text(.uri, made: uri) }
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    write(index, of: record, context, isStandard: false, to: &line)
  }

  private func write(_ index: Int, of record: borrowing Record, _ context: LineContext, isStandard: Bool, to line: inout LineWriter) {
    let service = record.string(.service, of: index) ?? ""
    let handle = record.string(.handle, of: index) ?? record.string(.value, of: index) ?? ""
    if context.alias > 0, !isStandard {
      return line.text(record.string(.uri, of: index) ?? handle)
    }
    let uri = record.string(.uri, of: index)
    let scheme = uri?.uriScheme.map(String.init) ?? MessagingService.scheme(of: service)
    let isTold =
      ["service-type", "x-service-type"].contains { context.annotations.values($0) != nil }
      || context.spelling.types.contains { word in
        MessagingService.word(word.lowercased().hasPrefix("x-") ? String(word.dropFirst(2)) : word) == service
      }
    if !service.isEmpty, !isTold, scheme.map({ MessagingService.ofScheme($0) ?? $0.lowercased() }) != service {
      line.parameter(line.version == .v40 ? "SERVICE-TYPE" : "X-SERVICE-TYPE", service)
    }
    if let uri { return line.raw(uri) }
    if let scheme { return line.raw(scheme + ":" + handle.percentEncoded) }
    line.raw(context.origin == .v40 || !service.isEmpty ? (service.isEmpty ? handle : "x-apple:" + handle.percentEncoded) : handle)
  }

  /// A bare name of an account of nobody knows what service is no URI, which is all that IMPP holds.
  package func keepsName(_ line: Int, _ card: borrowing CardView) -> Bool {
    guard card[link: line].alias > 0 else { return false }
    let account = account(line, card)
    return account.service.isEmpty && account.uri == nil
  }

  package func writeLines(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    if !context.isNamed, record.string(.service, of: index) ?? "" == "", record.part(.uri, of: index) == nil,
      let property = context.annotations.property?.uppercased(),
      let kept = context.field.names.firstIndex(where: { $0.text.uppercased() == property }),
      line.profile?.isStrict != true
    {
      let context = context.named(kept)
      context.begin(&line)
      write(index, of: record, context, to: &line)
      return line.end()
    }
    let messaging = line.profile?.messaging ?? .standard
    let old = messaging == .standard ? nil : MessagingService.property(of: record.string(.service, of: index) ?? "")
    if old == nil || messaging == .both {
      let standard = old == nil ? nil : context.field.names[0].text
      context.begin(&line, name: standard)
      write(index, of: record, context, isStandard: standard != nil, to: &line)
      line.end()
    }
    if let old {
      context.begin(&line, name: old)
      line.text(record.string(.handle, of: index) ?? "")
      line.end()
    }
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    guard card[link: line].alias == 0 else { return TextKind().check(line, card, in: version, &findings) }
    if version != card.version {
      if version == .v40, card.parameter(.xServiceType, of: line) != nil {
        findings.add(.parameter, "X-SERVICE-TYPE is SERVICE-TYPE in 4.0")
      }
      if version != .v40, card.parameter(.serviceType, of: line) != nil { findings.add(.parameter, "SERVICE-TYPE is a parameter of 4.0") }
    }
    URIKind.check(line, card, in: version, &findings)
    if !findings.isValidating, card.text(line).uriScheme == nil { findings.add(.uri, "no URI: \(card.text(line))") }
  }

  package func identity(_ line: Int, _ card: borrowing CardView) -> String? {
    let account = account(line, card)
    return account.service + ":" + account.handle.lowercased()
  }

  package func readable(_ index: Int, of record: borrowing Record) -> String {
    take(index, of: record).map { $0.uri ?? $0.handle } ?? ""
  }

  package func take(_ index: Int, of record: borrowing Record) -> InstantMessage? {
    guard record.tokens[index].operation == .openObject else {
      return record.valuePlace(index).map { InstantMessage(service: "", handle: record.string($0)) }
    }
    return InstantMessage(
      service: record.string(.service, of: index) ?? "", handle: record.string(.handle, of: index) ?? "",
      uri: record.string(.uri, of: index))
  }

  package func send(_ value: InstantMessage, to record: inout Record) {
    if !value.service.isEmpty { record.text(.service, made: value.service) }
    record.text(.handle, made: value.handle)
    if let uri = value.uri { record.text(.uri, made: uri) }
  }
}

package struct SocialProfileKind: ValueKind {
  package var textMember: Member? { .uri }
  package init() {}

  package var parameters: ParameterSet { ParameterSet(.serviceType, .username, .xUser, .value) }

  package var accepts: ParameterSet { ParameterSet(.mediaType) }
  package func valueTypes(in version: CardVersion) -> [String] { ["uri", "text"] }

  /// A TYPE word names the service, in the older property.
  package var claimsTypes: Bool { true }

  package func claims(type: String, _ line: Int, _ card: borrowing CardView) -> Bool {
    !["home", "work", "pref"].contains(type.lowercased()) && card.parameter(.serviceType, of: line) == nil
  }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    let text = card.text(line)
    let types = card.values(.type, of: line).filter { claims(type: $0, line, card) }
    if let service = card.value(.serviceType, of: line) ?? types.first, !service.isEmpty { record.text(.service, made: service) }
    let isName = card.valueType(line) == "text" || text.uriScheme == nil
    if let name = card.value(.username, of: line) ?? card.value(.xUser, of: line), !name.isEmpty {
      record.text(.username, made: name)
    } else if isName {
      record.text(.username, made: text)
      return
    }
    record.text(.uri, made: text)
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    let service = record.string(.service, of: index) ?? ""
    let name = record.string(.username, of: index) ?? ""
    let uri = record.string(.uri, of: index)
    let isStandard = context.alias == 0
    if !service.isEmpty { line.parameter(isStandard ? "SERVICE-TYPE" : "TYPE", service) }
    if uri != nil && !name.isEmpty { line.parameter(isStandard ? "USERNAME" : "X-USER", name) }
    if let uri {
      if isStandard && uri.uriScheme == nil { line.parameter("VALUE", "text") }
      return line.raw(uri)
    }
    if isStandard || name.uriScheme != nil { line.parameter("VALUE", "text") }
    line.text(name)
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    if findings.isValidating, card.valueType(line) == "text", card.parameter(.serviceType, of: line) == nil, card[link: line].alias == 0 {
      findings.add(.parameterMissing, "an account's name needs SERVICE-TYPE, which says where the account is")
    }
    if card.valueType(line) == "text" || card[link: line].alias > 0 { return TextKind().check(line, card, in: version, &findings) }
    URIKind.check(line, card, in: version, &findings)
  }

  package func readable(_ index: Int, of record: borrowing Record) -> String {
    take(index, of: record).map { $0.uri ?? $0.username } ?? ""
  }

  package func take(_ index: Int, of record: borrowing Record) -> SocialProfile? {
    guard record.tokens[index].operation == .openObject else {
      return record.valuePlace(index).map { SocialProfile(service: "", uri: record.string($0)) }
    }
    return SocialProfile(
      service: record.string(.service, of: index) ?? "", username: record.string(.username, of: index) ?? "",
      uri: record.string(.uri, of: index))
  }

  package func send(_ value: SocialProfile, to record: inout Record) {
    if !value.service.isEmpty { record.text(.service, made: value.service) }
    if !value.username.isEmpty { record.text(.username, made: value.username) }
    if let uri = value.uri { record.text(.uri, made: uri) }
  }
}

extension ValueKind where Self == InstantMessageKind {
  package static var instantMessage: Self { Self() }
}
extension ValueKind where Self == SocialProfileKind {
  package static var socialProfile: Self { Self() }
}
