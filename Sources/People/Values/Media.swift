// Pictures, logos, sounds and keys: bytes or a URI, with a media type (RFC 6350 6.2.4, RFC 2426 3.1.4, RFC 2397).

package import CardSyntax
internal import Bytes

/// A picture, sound or key: its bytes, or where they are. Nothing is ever fetched.
public struct Media: Sendable, Hashable {
  /// The media type, such as `image/jpeg`; empty where nobody knows it.
  public var mediaType: String
  /// The bytes; empty where there is only a URI.
  public var bytes: [UInt8]
  /// Where the bytes are; nil where they are here.
  public var uri: String?

  /// Bytes; their type is told by the bytes themselves unless `mediaType` says it.
  public init(bytes: [UInt8], mediaType: String = "") {
    self.bytes = bytes
    self.mediaType = mediaType.isEmpty ? MediaType.ofBytes(bytes[...]) ?? "" : mediaType
  }

  /// A reference.
  public init(uri: String, mediaType: String = "") { (self.uri, bytes, self.mediaType) = (uri, [], mediaType) }
}

/// Media types, from bytes and from the words of older versions.
package enum MediaType {
  /// The type that the first bytes show; nil for what nobody knows.
  package static func ofBytes(_ bytes: ArraySlice<UInt8>) -> String? {
    func starts(_ pattern: [UInt8], at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: pattern) }
    if starts([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if starts([0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if starts(Array("GIF8".utf8)) { return "image/gif" }
    if starts(Array("RIFF".utf8)) {
      return starts(Array("WEBP".utf8), at: 8) ? "image/webp" : starts(Array("WAVE".utf8), at: 8) ? "audio/wav" : nil
    }
    if starts(Array("BM".utf8)) { return "image/bmp" }
    if starts([0x49, 0x49, 0x2A, 0x00]) || starts([0x4D, 0x4D, 0x00, 0x2A]) { return "image/tiff" }
    if starts(Array("ftyp".utf8), at: 4) {
      if ["heic", "heix", "mif1", "heim"].contains(where: { starts(Array($0.utf8), at: 8) }) { return "image/heic" }
      if starts(Array("avif".utf8), at: 8) { return "image/avif" }
    }
    if starts(Array("OggS".utf8)) { return "audio/ogg" }
    if starts(Array("ID3".utf8)) { return "audio/mpeg" }
    return nil
  }

  /// Words of TYPE that name a format, and the media types that they stand for.
  private static let words: [String: String] = [
    "jpeg": "image/jpeg", "jpg": "image/jpeg", "png": "image/png", "gif": "image/gif", "bmp": "image/bmp", "tiff": "image/tiff",
    "tif": "image/tiff",
    "webp": "image/webp", "heic": "image/heic", "svg": "image/svg+xml", "wmf": "image/wmf", "cgm": "image/cgm", "pict": "image/pict",
    "dib": "image/bmp", "pdf": "application/pdf", "ps": "application/postscript", "mpeg": "video/mpeg", "mpeg2": "video/mpeg",
    "avi": "video/avi", "qtime": "video/quicktime", "wave": "audio/wav", "wav": "audio/wav", "pcm": "audio/pcm", "aiff": "audio/aiff",
    "basic": "audio/basic", "mp3": "audio/mpeg", "ogg": "audio/ogg", "x509": "application/pkix-cert", "pgp": "application/pgp-keys",
  ]

  /// The media type that a TYPE word names (`JPEG`, `image/jpeg`); nil for other words.
  package static func named(_ word: String) -> String? {
    let lower = word.lowercased()
    if let known = words[lower] { return known }
    guard let slash = lower.firstIndex(of: "/") else { return nil }
    // Some writers put one type into another: image/image/jpeg.
    let last = lower[lower.index(after: slash)...]
    return last.contains("/")
      ? named(String(last)) ?? String(last) : words[String(last)] == lower ? lower : lower == "image/jpg" ? "image/jpeg" : lower
  }

  /// The TYPE word of older versions for a media type: `JPEG` for `image/jpeg`; the type itself where no word stands for it.
  package static func word(_ type: String) -> String {
    let short = shortWord(type)
    return named(short) == type.lowercased() ? short : type
  }

  private static func shortWord(_ type: String) -> String {
    switch type.lowercased() {
    case "application/pkix-cert", "application/x-x509-user-cert": return "X509"
    case "application/pgp-keys": return "PGP"
    case "image/svg+xml": return "SVG"
    case "audio/wav": return "WAVE"
    case "audio/mpeg": return "MP3"
    default: return type.split(separator: "/").last.map { $0.uppercased() } ?? ""
    }
  }
}

package struct MediaKind: ValueKind {
  package var textMember: Member? { .uri }
  /// KEY may be text, a picture may not.
  let mayBeText: Bool
  package init(text: Bool = false) { mayBeText = text }

  package func valueTypes(in version: CardVersion) -> [String] {
    (version == .v40 ? ["uri"] : ["binary", "uri"]) + (mayBeText ? ["text"] : [])
  }

  package var parameters: ParameterSet { ParameterSet(.value, .mediaType) }
  package func defaultValueType(in version: CardVersion) -> String? { nil }

  package var claimsTypes: Bool { true }

  package func claims(type: String, _ line: Int, _ card: borrowing CardView) -> Bool {
    MediaType.named(type) != nil
  }

  /// What a line holds: base64 text, a URI, or text.
  private enum Content {
    case base64(Int, Int, declared: String?)
    case uri(Int, Int)
    case dataURI(base64: String, declared: String?)
    case text(Int, Int)
    /// A text in the data URI that `write` makes of it.
    case textURI(String)
  }

  /// How a data URI with a text begins (RFC 2397). In 4.0 a picture or a sound is a URI and nothing else (RFC 6350 6.2.4, 6.7.5).
  private static let textHead = "data:;charset=utf-8,"

  private func content(_ line: Int, _ card: borrowing CardView) -> Content {
    let (start, end) = card.valueRange(line)
    let span = card.bytes.span
    let isShort = end - start < 4096
    if end - start >= 5, span[start] | 32 == UInt8(ascii: "d"), card.text(start, start + 5).lowercased() == "data:" {
      let comma = ByteSearch.firstIndex(of: ASCII.comma, in: span, from: start, to: end)
      if comma < end {
        var head = card.text(start + 5, comma)
        if head.hasSuffix("\\") { head.removeLast() }
        head = head.filter { $0 != "\\" }
        var pieces = head.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        if pieces.last?.lowercased() == "base64" {
          pieces.removeLast()
          let declared = pieces.first.flatMap { $0.isEmpty ? nil : MediaType.named($0) ?? $0.lowercased() }
          let tail = comma + 1
          if ByteSearch.firstIndex(of: ASCII.backslash, in: span, from: tail, to: end) == end {
            return .base64(tail, end, declared: declared)
          }
          return .dataURI(base64: card.text(tail, end), declared: declared)
        }
      }
      if !mayBeText || card.version == .v21, end - start >= Self.textHead.utf8.count,
        card.text(start, start + Self.textHead.utf8.count) == Self.textHead
      {
        return .textURI(card.text(start + Self.textHead.utf8.count, end).percentDecoded)
      }
      return .uri(start, end)
    }
    let type = card.valueType(line)
    if card.lines[line].flags.contains(.base64), Base64.decodedPrefix(span, start, end, count: 1).isEmpty { return .text(start, end) }
    if card.lines[line].flags.contains(.base64), type != "uri" || !isShort || !card.text(start, end).contains(":") {
      if isShort, card.text(start, min(end, start + 12)).contains("://") { return .uri(start, end) }
      return .base64(start, end, declared: nil)
    }
    if type == "uri" { return .uri(start, end) }
    if type == "text" { return .text(start, end) }
    // In 4.0 it is a URI unless VALUE says otherwise, so also a relative reference (RFC 6350 6.2.4).
    if card.version == .v40, type == nil, !card.text(start, end).contains(where: \.isWhitespace) { return .uri(start, end) }
    if card.text(start, min(end, start + 40)).contains(":") { return .uri(start, end) }
    if !mayBeText, isUnmarkedBase64(span, start, end) { return .base64(start, end, declared: nil) }
    return .text(start, end)
  }

  /// Is the value base64 that nothing marks, as some writers leave it? It has to begin like a file of a known kind.
  private func isUnmarkedBase64(_ span: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    end - start >= 64 && MediaType.ofBytes(Base64.decodedPrefix(span, start, end, count: 16)[...]) != nil
      && Base64.isCanonical(span, start, end)
  }

  /// The media type that the parameters declare.
  private func declaredType(_ line: Int, _ card: borrowing CardView) -> String? {
    if let type = card.value(.mediaType, of: line) { return type.lowercased() }
    return card.values(.type, of: line).lazy.compactMap { MediaType.named($0) }.first
  }

  package func read(_ line: Int, _ card: borrowing CardView, into record: inout Record) {
    switch content(line, card) {
    case .base64(let start, let end, let declared):
      let span = card.bytes.span
      let prefix = Base64.decodedPrefix(span, start, end, count: 16)
      mediaType(prefix, declared ?? declaredType(line, card), &record)
      if Base64.isCanonical(span, start, end) {
        record.text(.data, start, end, .plain)
      } else {
        Self.canonical(span, start, end, &record)
      }
    case .dataURI(let text, let declared):
      let bytes = Array(text.utf8)
      mediaType(Base64.decodedPrefix(bytes.span, 0, bytes.count, count: 16), declared ?? declaredType(line, card), &record)
      Self.canonical(bytes.span, 0, bytes.count, &record)
    case .uri(let start, let end):
      if let type = declaredType(line, card) { record.text(.mediaType, made: type) }
      record.text(.uri, start, end)
    case .text(let start, let end):
      if let type = declaredType(line, card) { record.text(.mediaType, made: type) }
      record.text(.value, start, end)
    case .textURI(let text):
      if let type = declaredType(line, card) { record.text(.mediaType, made: type) }
      record.text(.value, made: text)
    }
  }

  private func mediaType(_ prefix: [UInt8], _ declared: String?, _ record: inout Record) {
    if let type = MediaType.ofBytes(prefix[...]) ?? declared, type != "application/octet-stream" { record.text(.mediaType, made: type) }
  }

  private static func canonical(_ span: Span<UInt8>, _ start: Int, _ end: Int, _ record: inout Record) {
    var decoded = ByteBuffer(capacity: end - start)
    _ = Base64.decode(span, start, end, to: &decoded)
    var encoded = ByteBuffer(capacity: end - start + 8)
    let count = decoded.count
    decoded.withBytes { Base64.encode($0, 0, count, to: &encoded) }
    record.text(.data, made: encoded)
  }

  package func write(_ index: Int, of record: borrowing Record, _ context: LineContext, to line: inout LineWriter) {
    let type = record.string(.mediaType, of: index) ?? ""
    if let data = record.part(.data, of: index) {
      switch line.version {
      case .v40:
        line.raw("data:" + (type.isEmpty ? "application/octet-stream" : type) + ";base64,")
      case .v30:
        line.parameter("ENCODING", "b")
        if !type.isEmpty { line.parameter("TYPE", MediaType.word(type)) }
      case .v21:
        line.parameter("ENCODING", "BASE64")
        if !type.isEmpty { line.word(MediaType.word(type)) }
      }
      line.raw(data, of: record)
      if line.version == .v21 { line.needsBlankLine() }
    } else if let uri = record.part(.uri, of: index) {
      if line.version == .v40 {
        if !type.isEmpty { line.parameter("MEDIATYPE", type) }
      } else {
        line.parameter("VALUE", line.version == .v21 ? "URL" : "uri")
        if !type.isEmpty { line.parameter("TYPE", MediaType.word(type)) }
      }
      line.raw(uri, of: record)
    } else if let text = record.valuePlace(index) {
      // Base64, as 2.1 would have a text with a backslash, would be bytes.
      let isAmbiguous = line.version == .v21 && LineWriter.isAmbiguous21(record.string(text), atEnd: false)
      if line.version == .v40 && !mayBeText || isAmbiguous {
        if isAmbiguous { line.parameter("VALUE", "URL") }
        if !type.isEmpty { line.parameter(isAmbiguous ? "TYPE" : "MEDIATYPE", isAmbiguous ? MediaType.word(type) : type) }
        return line.raw(Self.textHead + record.string(text).percentEncoded)
      }
      if line.version == .v40 {
        line.parameter("VALUE", "text")
        if !type.isEmpty { line.parameter("MEDIATYPE", type) }
      } else if !type.isEmpty {
        line.parameter("TYPE", MediaType.word(type))
      }
      line.text(text, of: record)
    }
  }

  package func check(_ line: Int, _ card: borrowing CardView, in version: CardVersion, _ findings: inout Findings) {
    let span = card.bytes.span
    let declared = declaredType(line, card)
    switch content(line, card) {
    case .base64(let start, let end, let uriType):
      let isURI = start > card.valueRange(line).start
      checkBytes(span, start, end, uriType ?? declared, &findings)
      // A data URI that is marked as one is right in every version.
      if findings.isValidating, isURI, version != .v40, card.valueType(line) == "uri" { return }
      switch version {
      case .v40:
        if !isURI { findings.add(.encoding, "4.0 has no ENCODING; a data URI takes its place") }
        if !findings.isValidating,
          ByteSearch.firstIndex(of: ASCII.backslash, in: span, from: card.valueRange(line).start, to: start) < start
        {
          findings.add(.escape, "a backslash in a URI")
        }
      case .v30:
        if isURI { findings.add(.encoding, "bytes in a data URI; 3.0 has ENCODING=b") }
        if card.value(.encoding, of: line)?.lowercased() != "b" { findings.add(.encoding, "3.0 spells the encoding of bytes ENCODING=b") }
        if declared?.contains("/") == true, card.values(.type, of: line).contains(where: { $0.contains("/") }) {
          findings.add(.parameter, "a media type where 3.0 has a word such as JPEG", .info)
        }
      case .v21:
        if isURI { findings.add(.encoding, "bytes in a data URI; 2.1 has ENCODING=BASE64") }
        if card.version != .v21 { findings.add(.encoding, "2.1 spells the encoding of bytes ENCODING=BASE64") }
      }
    case .dataURI(let text, let uriType):
      let bytes = Array(text.utf8)
      guard findings.isValidating else { return findings.add(.escape, "a backslash in a data URI") }
      // A comma may be escaped (errata 3845); nothing else needs to be.
      checkBytes(bytes.span, 0, bytes.count, uriType ?? declared, &findings)
    case .uri:
      let type = card.valueType(line)
      if version == .v40 {
        if card.lines[line].flags.contains(.base64) || type != nil && type != "uri" {
          findings.add(.encoding, "a URI that is marked as something else")
        }
        if card.version != .v40, declared != nil { findings.add(.parameter, "TYPE names a format; 4.0 has MEDIATYPE") }
      } else {
        if type != "uri" || card.lines[line].flags.contains(.base64) {
          findings.add(.valueType, "a URI without VALUE=\(version == .v21 ? "URL" : "uri")", .info)
        }
        if card.parameter(.mediaType, of: line) != nil { findings.add(.parameter, "MEDIATYPE is a parameter of 4.0") }
      }
      URIKind.check(line, card, in: version, &findings)
    case .textURI:
      if version != .v40 { findings.add(.encoding, "a text in a data URI") }
    case .text where card.lines[line].flags.contains(.base64):
      findings.add(.base64, "the value is no base64", findings.isValidating ? .error : nil)
    case .text:
      if version == .v40, !mayBeText, !findings.isValidating { findings.add(.value, "no URI") }
      if version == .v40, card.valueType(line) != "text" { findings.add(.value, "neither a URI nor marked as text") }
      // 2.1 may name another part of a message.
      if findings.isValidating, version == .v21, ["content-id", "cid"].contains(card.valueType(line)) { return }
      if findings.isValidating, version != .v40, Person.pictureFields.contains(Int(card[link: line].field)) {
        let encoding = version == .v30 ? "ENCODING=b" : "ENCODING=BASE64"
        return findings.add(.value, "neither bytes (\(encoding)) nor a reference (VALUE=\(version == .v30 ? "uri" : "URL"))")
      }
      TextKind().check(line, card, in: version, &findings)
    }
  }

  /// Is it base64, and of the declared type?
  private func checkBytes(_ span: Span<UInt8>, _ start: Int, _ end: Int, _ declared: String?, _ findings: inout Findings) {
    let found = MediaType.ofBytes(Base64.decodedPrefix(span, start, end, count: 16)[...])
    if let found, let declared, found != declared { findings.add(.mediaType, "declared as \(declared), but the bytes are \(found)") }
    guard !Base64.isCanonical(span, start, end) else { return }
    var decoded = ByteBuffer()
    let isWhole = findings.isQuick || Base64.decode(span, start, end, to: &decoded)
    if isWhole {
      findings.add(.base64, "base64 whose padding or characters are not those of RFC 4648")
    } else {
      findings.add(.base64, "base64 with foreign characters, or cut off", findings.isValidating ? .error : nil)
    }
  }

  package func readable(_ index: Int, of record: borrowing Record) -> String {
    guard let media = take(index, of: record) else { return "" }
    return media.uri ?? "(\(media.mediaType.isEmpty ? "data" : media.mediaType), \(media.bytes.count) bytes)"
  }

  package func take(_ index: Int, of record: borrowing Record) -> Media? {
    guard record.tokens[index].operation == .openObject else { return nil }
    let type = record.string(.mediaType, of: index) ?? ""
    if let data = record.part(.data, of: index) {
      let text = Array(record.string(data).utf8)
      var decoded = ByteBuffer(capacity: text.count)
      _ = Base64.decode(text.span, 0, text.count, to: &decoded)
      var media = Media(bytes: decoded.array())
      media.mediaType = type
      return media
    }
    return Media(uri: record.string(.uri, of: index) ?? record.string(.value, of: index) ?? "", mediaType: type)
  }

  package func send(_ value: Media, to record: inout Record) {
    if !value.mediaType.isEmpty { record.text(.mediaType, made: value.mediaType) }
    if let uri = value.uri { return record.text(uri.contains(":") ? .uri : .value, made: uri) }
    var encoded = ByteBuffer(capacity: value.bytes.count * 4 / 3 + 8)
    Base64.encode(value.bytes.span, 0, value.bytes.count, to: &encoded)
    record.text(.data, made: encoded)
  }
}

extension ValueKind where Self == MediaKind {
  package static var media: Self { Self() }
  /// A key or certificate, which may also be text.
  package static var key: Self { Self(text: true) }
}

extension Record {
  /// Tells of a text, the one that was read last, that should be base64 and is not. It is kept as it is.
  func checkData(line: Int, _ findings: inout [Diagnostic]) {
    guard let last = tokens.last, last.member == .data, last.operation == .text else { return }
    withText(tokens.count - 1) { bytes, start, end in
      if Base64.isCanonical(bytes, start, end) { return }
      findings.append(
        Diagnostic(.base64, "the data of a picture, sound or key is no base64 as RFC 4648 has it; it is kept as it is", line: line))
    }
  }
}
