// LDIF as address books exchange it: the attributes and what they stand for; contacts as entries (RFC 2849).

package import Bytes
package import CardSyntax

/// The attributes of Thunderbird's entries, of KDE's and of older programs': what each stands for.
enum LDIFAttributes {
  /// `attribute=path`, that which is written first; the paths are those of `SheetColumn`.
  private static let rows = """
    givenName=name.given|sn=name.family|surname=name.family|cn=fullName|commonname=fullName|mozillaNickname=nicknames|\
    xmozillanickname=nicknames|mail=emails.1|mozillaSecondEmail=emails.2|xmozillasecondemail=emails.2|othermailbox=emails.3|\
    nsAIMid=instantMessages.aim|nscpaimscreenname=instantMessages.aim|telephoneNumber=phones.work|homePhone=phones.home|\
    facsimileTelephoneNumber=phones.fax|fax=phones.fax|pager=phones.pager|pagerphone=phones.pager|mobile=phones.mobile|\
    cellphone=phones.mobile|carphone=phones.car|mozillaHomeStreet=addresses.home.street|homepostaladdress=addresses.home.street|\
    mozillaHomeStreet2=addresses.home.extended|mozillahomepostaladdress2=addresses.home.extended|\
    mozillaHomeLocalityName=addresses.home.city|mozillaHomeState=addresses.home.region|\
    mozillaHomePostalCode=addresses.home.postalCode|mozillaHomeCountryName=addresses.home.country|street=addresses.work.street|\
    streetaddress=addresses.work.street|postaladdress=addresses.work.street|postOfficeBox=addresses.work.poBox|\
    mozillaWorkStreet2=addresses.work.extended|mozillapostaladdress2=addresses.work.extended|l=addresses.work.city|\
    locality=addresses.work.city|st=addresses.work.region|region=addresses.work.region|postalCode=addresses.work.postalCode|\
    zip=addresses.work.postalCode|c=addresses.work.country|countryname=addresses.work.country|title=titles.1|\
    ou=organizations.1.units|department=organizations.1.units|departmentnumber=organizations.1.units|orgunit=organizations.1.units|\
    o=organizations.1.name|company=organizations.1.name|organizationname=organizations.1.name|mozillaWorkUrl=urls.work|\
    workurl=urls.work|mozillaHomeUrl=urls.home|homeurl=urls.home|labeleduri=urls.1|birthyear==year|birthmonth==month|birthday==day|\
    mozillaCustom1=unclaimed.X-CUSTOM1|mozillaCustom2=unclaimed.X-CUSTOM2|mozillaCustom3=unclaimed.X-CUSTOM3|\
    mozillaCustom4=unclaimed.X-CUSTOM4|custom1=unclaimed.X-CUSTOM1|custom2=unclaimed.X-CUSTOM2|custom3=unclaimed.X-CUSTOM3|\
    custom4=unclaimed.X-CUSTOM4|description=notes.1|notes=notes.1|vocation=name.prefix|role=roles.1|uid=uid|\
    preferredlanguage=languages.1
    """

  /// What an attribute stands for, by its name in lower case.
  static let meanings: [String: String] = Dictionary(
    SheetVocabulary.rows(rows).map { ($0.name.lowercased(), $0.meaning) }, uniquingKeysWith: { a, _ in a })

  /// The attribute that is written for a path.
  static let names: [String: String] = Dictionary(
    SheetVocabulary.rows(rows).map { ($0.meaning, $0.name) }, uniquingKeysWith: { a, _ in a })

  /// Attributes that say nothing about a contact.
  static let ignored: Set<String> = [
    "dn", "objectclass", "changetype", "mozillausehtmlmail", "xmozillausehtmlmail", "version", "mozillapopularityindex", "modifytimestamp",
    "member", "jpegphoto",
  ]
}

/// Writes contacts as LDIF entries, as Thunderbird does: each attribute once, since Thunderbird takes the last of several.
package struct LDIFFormat: Sendable {
  private var findings: [Diagnostic] = []
  private var count = 0

  package init() {}

  /// The attributes of Thunderbird's columns, in the order in which they are written.
  private static let columns: [(attribute: String, column: String)] = [
    ("givenName", "First Name"), ("sn", "Last Name"), ("cn", "Display Name"), ("mozillaNickname", "Nickname"), ("mail", "Primary Email"),
    ("mozillaSecondEmail", "Secondary Email"), ("nsAIMid", "Screen Name"), ("telephoneNumber", "Work Phone"), ("homePhone", "Home Phone"),
    ("facsimileTelephoneNumber", "Fax Number"), ("pager", "Pager Number"), ("mobile", "Mobile Number"),
    ("mozillaHomeStreet", "Home Address"), ("mozillaHomeStreet2", "Home Address 2"), ("mozillaHomeLocalityName", "Home City"),
    ("mozillaHomeState", "Home State"), ("mozillaHomePostalCode", "Home ZipCode"), ("mozillaHomeCountryName", "Home Country"),
    ("street", "Work Address"), ("mozillaWorkStreet2", "Work Address 2"), ("l", "Work City"), ("st", "Work State"),
    ("postalCode", "Work ZipCode"), ("c", "Work Country"), ("title", "Job Title"), ("ou", "Department"), ("o", "Organization"),
    ("mozillaWorkUrl", "Web Page 1"), ("mozillaHomeUrl", "Web Page 2"), ("birthyear", "Birth Year"), ("birthmonth", "Birth Month"),
    ("birthday", "Birth Day"), ("mozillaCustom1", "Custom 1"), ("mozillaCustom2", "Custom 2"), ("mozillaCustom3", "Custom 3"),
    ("mozillaCustom4", "Custom 4"),
  ]
  /// Writes a contact.
  package mutating func write(_ record: borrowing Record, to output: inout ByteBuffer) {
    let person = Person(record)
    var row = SheetDialect.thunderbirdRow(person)
    let isGroup = person.kind == "group"
    let (name, mail) = (row.cells["Display Name"] ?? "", row.cells["Primary Email"] ?? "")
    let parts = [name.isEmpty ? "" : "cn=" + Self.escaped(name), mail.isEmpty ? "" : "mail=" + Self.escaped(mail)].filter { !$0.isEmpty }
    write("dn", parts.isEmpty ? "cn=contact \(count)" : parts.joined(separator: ","), to: &output)
    let classes = isGroup ? ["top", "groupOfNames"] : ["top", "person", "organizationalPerson", "inetOrgPerson", "mozillaAbPersonAlpha"]
    for name in classes { write("objectclass", name, to: &output) }
    for (attribute, column) in Self.columns { if let text = row.cells[column] { write(attribute, text, to: &output) } }
    if let seconds = row.rest.revision.flatMap(Timestamps.seconds) {
      write("modifytimestamp", String(seconds), to: &output)
      row.rest.revision = nil
    }
    if isGroup {
      for member in row.rest.members where Self.isAddress(member) {
        write("member", "mail=" + Self.escaped(String(member.value.dropFirst(7))), to: &output)
      }
      row.rest.members.removeAll(where: Self.isAddress)
      for line in row.rest.unclaimed where line.name == "X-LDIF-MEMBER" { write("member", SheetRow.plain(line.value), to: &output) }
      row.rest.unclaimed.removeAll { $0.name == "X-LDIF-MEMBER" }
      row.rest.kind = nil
    }
    SheetDialect.putNotes(&row, "Notes")
    if let notes = row.cells["Notes"] { write("description", notes, to: &output) }
    output.append("\n")
    if !row.leftOut.isEmpty {
      findings.append(
        Diagnostic(.noColumn, "no attribute for \(row.leftOut.joined(separator: ", ")); left out", contact: count, leftOut: row.misses))
    }
    count += 1
  }

  /// Does a member's e-mail address tell who it is?
  private static func isAddress(_ member: Labeled<String>) -> Bool { member.value.lowercased().hasPrefix("mailto:") }

  /// A text as part of a name of an entry (RFC 4514 2.4).
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for c in text {
      if ",+\"\\<>;=".contains(c) { escaped.append("\\") }
      escaped.append(c == "\n" ? " " : c)
    }
    return escaped
  }

  /// Writes an attribute: as it is where it is safe ASCII, else in base64 (RFC 2849, note 4).
  private func write(_ attribute: String, _ text: String, to output: inout ByteBuffer) {
    let bytes = Array(text.utf8)
    output.append(text: attribute + ":")
    let isSafe =
      bytes.allSatisfy { $0 < 0x80 && $0 != 0 && $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn } && bytes.first != ASCII.space
      && bytes.first != ASCII.colon && bytes.first != UInt8(ascii: "<") && bytes.last != ASCII.space
    if isSafe {
      output.append(text: " " + text)
    } else {
      output.append(": ")
      Base64.encode(bytes.span, 0, bytes.count, to: &output)
    }
    output.append("\n")
  }

  /// The findings since the last call.
  package mutating func takeFindings() -> [Diagnostic] {
    defer { findings = [] }
    return findings
  }
}

/// Points in time as seconds since 1970.
enum Timestamps {
  /// ISO 8601, in UTC.
  static func utc(_ seconds: Int) -> String {
    // Days to a date by eras of 400 years, counted from March.
    let days = seconds / 86_400 + 719_468
    let (era, dayOfEra) = (days / 146_097, days % 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let (day, month) = (dayOfYear - (153 * shifted + 2) / 5 + 1, shifted < 10 ? shifted + 3 : shifted - 9)
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
    let time = seconds % 86_400
    return "\(year)-\(two(month))-\(two(day))T\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))Z"
  }

  /// The seconds of a date and time in UTC; nil for what is not whole, or in another zone.
  static func seconds(_ date: PartialDate) -> Int? {
    guard let year = date.year, let month = date.month, let day = date.day, date.time.hasSuffix("Z") else { return nil }
    let clock = date.time.dropLast().prefix { $0 != "." }.split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3 else { return nil }
    let shifted = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = (shifted / 400, shifted % 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    return days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
  }
}
