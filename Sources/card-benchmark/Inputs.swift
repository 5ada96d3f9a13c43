// The inputs: invented cards from a seeded generator, the same bytes in every run.

import Bytes
import CardSyntax

/// A kind of input file.
enum InputKind: String {
  case plain40 = "plain-4.0.vcf", plain30 = "plain-3.0.vcf", quotedPrintable21 = "plain-2.1.vcf", photos = "photos.vcf"
  case onePhoto = "one-photo.vcf", oneCard = "one-card.vcf", json = "plain.json", csv = "plain.csv"
  case jcard = "plain.jcard", jscontact = "plain.jscontact", xcard = "plain.xml"
}

/// Makes input files when they are asked for, and keeps them until the end of the run.
struct Inputs {
  let folder: String
  /// The command, which turns cards into the other formats.
  let vcard: String

  /// A file of about so many bytes.
  func path(_ kind: InputKind, bytes: Int) -> (path: String, bytes: Int) {
    let path = "\(folder)/\(bytes)-\(kind.rawValue)"
    if let size = System.size(of: path) { return (path, size) }
    switch kind {
    case .json, .csv, .jcard, .jscontact, .xcard:
      let cards = self.path(.plain40, bytes: bytes).path
      _ = System.run(vcard, ["convert", "-q", "-t", "\(kind)", cards, "-o", path])
    default:
      // In a process of its own: what a process is started by counts into its peak memory.
      _ = System.run(System.ownPath, [Worker.make.rawValue, kind.rawValue, String(bytes), path])
    }
    return (path, System.size(of: path) ?? 0)
  }
}

/// Writes invented cards: names in several scripts, labels, groups, folded lines, escapes.
struct CardMaker: ~Copyable {
  var output = ByteBuffer(capacity: 1 << 20)
  private let kind: InputKind
  private var random: UInt64 = 0x9E37_79B9_7F4A_7C15
  private var line = ByteBuffer()

  init(_ kind: InputKind) { self.kind = kind }

  private static let given = ["Mira", "Robert", "Olivia", "Dvořák", "小太郎", "Αλίκη", "דוד", "Jürgen", "Noura", "Søren"]
  private static let family = ["Anderson", "Müller", "Okafor", "Иванова", "田中", "García", "Lindqvist", "O'Neil", "Nguyễn", "Smith"]
  private static let cities = ["Springfield", "København", "London", "São Paulo", "Kraków", "Wien"]
  private static let words = [
    "prefers", "email", "over", "phone", "calls", "at", "the", "conference", "in", "spring", "likes", "coffee", "tea", "and", "long",
    "walks", "— handles", "scheduling", "shared", "folder",
  ]
  private static let types = ["home", "work", "other"]

  private mutating func below(_ limit: Int) -> Int {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return Int(random >> 11) % limit
  }

  private mutating func pick(_ list: [String]) -> String { list[below(list.count)] }

  /// Adds cards until there are so many bytes.
  mutating func make(_ bytes: Int) {
    switch kind {
    case .oneCard: card(photo: 0)
    case .onePhoto: card(photo: bytes * 3 / 4)
    case .photos: while output.count < bytes { card(photo: below(2) == 0 ? 0 : 6000 + below(24000)) }
    default: while output.count < bytes { card(photo: 0) }
    }
  }

  private var version: CardVersion {
    switch kind {
    case .quotedPrintable21: .v21
    case .plain30: .v30
    default: .v40
    }
  }

  private mutating func card(photo size: Int) {
    let (given, family, city) = (pick(Self.given), pick(Self.family), pick(Self.cities))
    put("BEGIN:VCARD")
    put("VERSION:\(version.text)")
    text("N", "\(family);\(given);;;")
    text("FN", "\(given) \(family)")
    text("ORG", version == .v21 ? "Acme Ltd;Sales" : "Acme\\, Inc.;Sales")
    if below(2) == 0 { text("TITLE", "Engineer") }
    for number in 0...below(3) { phone(number) }
    for number in 0...below(3) { mail(number, "p\(below(100_000))") }
    let street = "\(below(900) + 1) Main Street"
    switch version {
    case .v21: text("ADR;HOME", ";;\(street);\(city);;\(10000 + below(80000));USA")
    case .v30: text("ADR;TYPE=HOME", ";;\(street);\(city);;\(10000 + below(80000));USA")
    case .v40: text("ADR;TYPE=home;LABEL=\"\(street), \(city)\"", ";;\(street);\(city);;\(10000 + below(80000));USA")
    }
    if version != .v21, below(2) == 0 {
      put("item1.URL:https://www.example.com/people/p\(below(100_000))?id=2&lang=en")
      put("item1.X-ABLabel:\(below(2) == 0 ? "Portfolio" : "_$!<HomePage>!$_")")
    }
    let day = (1950 + below(60), 1 + below(12), 1 + below(28))
    put("BDAY:\(date(day, dashes: version != .v40))")
    text("NOTE", note())
    if version != .v21 { put("CATEGORIES:Family,Neighbours") }
    let uid = (0..<8).map { _ in String(below(65536), radix: 16) }.joined()
    put("UID:\(version == .v40 ? "urn:uuid:" : "")\(uid)")
    put("REV:\(date(day, dashes: version == .v30))T\(version == .v30 ? "17:14:25Z" : "171425Z")")
    if size > 0 { photo(size) }
    put("END:VCARD")
  }

  private func date(_ day: (Int, Int, Int), dashes: Bool) -> String {
    func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
    return dashes ? "\(day.0)-\(two(day.1))-\(two(day.2))" : "\(day.0)\(two(day.1))\(two(day.2))"
  }

  private mutating func phone(_ number: Int) {
    let digits = "\(200 + below(700)) 555 \(1000 + below(9000))"
    switch version {
    case .v21: put("TEL;\(number == 0 ? "CELL;PREF" : "HOME"):+1 \(digits)")
    case .v30: put("TEL;TYPE=\(number == 0 ? "CELL,PREF" : "HOME"):+1 \(digits)")
    case .v40:
      let uri = digits.split(separator: " ").joined(separator: "-")
      put("TEL;VALUE=uri;TYPE=\(number == 0 ? "\"cell,voice\";PREF=1" : "home"):tel:+1-\(uri)")
    }
  }

  private mutating func mail(_ number: Int, _ user: String) {
    let type = Self.types[number]
    switch version {
    case .v21: put("EMAIL;\(number == 2 ? "X-OTHER" : type.uppercased()):\(user).\(type)@example.com")
    case .v30: put("EMAIL;TYPE=INTERNET,\(type.uppercased()):\(user).\(type)@example.com")
    case .v40: put("EMAIL;TYPE=\(type)\(number == 0 ? ";PREF=1" : ""):\(user).\(type)@example.com")
    }
  }

  private mutating func note() -> String {
    var words: [String] = []
    for _ in 0..<5 + below(20) { words.append(pick(Self.words)) }
    let separator = version == .v21 ? ", " : "\\, "
    return words.joined(separator: " ") + separator + (version == .v21 ? "see also" : "see\\nalso")
  }

  /// Bytes that begin like a JPEG.
  private mutating func photo(_ size: Int) {
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    while bytes.count < size { bytes.append(UInt8(truncatingIfNeeded: below(256))) }
    var encoded = ByteBuffer(capacity: size * 4 / 3 + 8)
    Base64.encode(bytes.span, 0, bytes.count, to: &encoded)
    put("PHOTO:data:image/jpeg;base64," + encoded.text())
  }

  /// A line with a text; in 2.1 quoted-printable where it is not ASCII.
  private mutating func text(_ name: String, _ value: String) {
    let isASCII = value.utf8.allSatisfy { $0 < 0x80 }
    guard version == .v21, !isASCII else { return put("\(name):\(value)") }
    let head = name + ";CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:"
    output.append(text: head)
    let bytes = Array(value.utf8)
    _ = QuotedPrintable.encode(bytes.span, 0, bytes.count, lineLimit: 76, used: head.utf8.count, to: &output)
    output.append("\r\n")
  }

  /// A folded line.
  private mutating func put(_ text: String) {
    let bytes = Array(text.utf8)
    Folding.append(bytes.span, 0, bytes.count, to: &output)
  }
}
