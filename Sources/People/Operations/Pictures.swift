// The pictures of a contact: their bytes and true types, and records in which references stand for them.

internal import Bytes
internal import CardSyntax

/// A picture of a contact.
package struct Picture: Sendable {
  /// Its bytes and media type, or where it is.
  package var media: Media
  /// A logo, not a photo.
  package let isLogo: Bool

  /// Where the bytes are, if they are not here.
  package var reference: String? { media.uri }
}

extension Record {
  /// The pictures of the contact, in the order of the record; the media type is that of the bytes where they tell it. Data URIs are bytes.
  package func pictures() -> [Picture] {
    var found: [Picture] = []
    for field in Person.pictureFields {
      guard let index = value(ofField: field) else { continue }
      for place in elements(index) {
        if let media = Media(self, at: place) { found.append(Picture(media: media, isLogo: field != Person.pictureFields[0])) }
      }
    }
    return found
  }

  /// How many bytes the picture at `place` has; 0 for a reference.
  package func pictureSize(_ place: Int) -> Int {
    guard let data = part(.data, of: place) else { return Media(self, at: place)?.bytes.count ?? 0 }
    let text = Array(string(data).utf8)
    return Base64.decodedCount(text.span, 0, text.count)
  }

  /// The record with references in place of the pictures' bytes, as `store` gives them; nil where there is nothing to replace.
  package func storingPictures(_ store: (Picture) -> String) -> KeptRecord? {
    var result = Record()
    result.begin(source: [], version: version)
    result.depth = depth
    var isChanged = false
    var i = 0
    while i < tokens.count {
      let next = next(i)
      let number = tokens[i].operation == .field ? Int(tokens[i].start) : -1
      if Person.pictureFields.contains(number), tokens[i + 1].operation == .openList {
        result.field(number)
        result.open(list: true)
        for place in elements(i + 1) {
          if let media = Media(self, at: place), media.uri == nil {
            isChanged = true
            let reference = store(Picture(media: media, isLogo: number != Person.pictureFields[0]))
            result.appendReference(reference, media.mediaType, annotationsOf: place, of: self)
          } else {
            result.append(range: place, self.next(place), of: self)
          }
        }
        result.close()
      } else {
        result.append(range: i, next, of: self)
      }
      i = next
    }
    return isChanged ? KeptRecord(result) : nil
  }

  private mutating func appendReference(_ uri: String, _ type: String, annotationsOf place: Int, of other: borrowing Record) {
    open()
    if !type.isEmpty { text(.mediaType, made: type) }
    text(.uri, made: uri)
    for part in other.elements(place) where other.tokens[part].member.isAnnotation {
      append(range: part, other.next(part), of: other)
    }
    close()
  }
}

extension Media {
  /// The picture at `place` of a record: bytes of the type that they show, or a reference; nil where there is neither.
  fileprivate init?(_ record: borrowing Record, at place: Int) {
    guard let media = MediaKind().take(place, of: record) else { return nil }
    self = media
    if let uri = media.uri {
      if uri.isEmpty { return nil }
      guard let bytes = Self.dataBytes(uri) else { return }
      self = Media(bytes: bytes.bytes, mediaType: bytes.type)
    }
    if let type = MediaType.ofBytes(bytes[...]) { mediaType = type }
  }

  /// The bytes of a data URI (RFC 2397); nil for anything else.
  private static func dataBytes(_ uri: String) -> (bytes: [UInt8], type: String)? {
    guard uri.prefix(5).lowercased() == "data:", let comma = uri.firstIndex(of: ",") else { return nil }
    let head = uri[..<comma].dropFirst(5).split(separator: ";", omittingEmptySubsequences: false)
    var plain: [UInt8] = []
    var rest = Array(uri[uri.index(after: comma)...].utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let high = ASCII.hexValue(rest[rest.startIndex]),
        let low = ASCII.hexValue(rest[rest.startIndex + 1])
      {
        plain.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        plain.append(byte)
      }
    }
    let type = head.first.map { $0.lowercased() } ?? ""
    guard head.last?.lowercased() == "base64" else { return (plain, type) }
    var decoded = ByteBuffer(capacity: plain.count)
    _ = Base64.decode(plain.span, 0, plain.count, to: &decoded)
    return (decoded.array(), type)
  }
}

extension MediaType {
  /// Extensions by media type.
  private static let extensions: [String: String] = [
    "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp", "image/bmp": "bmp", "image/tiff": "tif",
    "image/heic": "heic", "image/avif": "avif", "image/svg+xml": "svg", "image/wmf": "wmf", "image/pict": "pict", "image/cgm": "cgm",
    "image/x-icon": "ico", "application/pdf": "pdf", "application/postscript": "ps",
  ]

  /// The extension (without dot) for files of a type; `bin` for types that nobody knows.
  package static func fileExtension(_ type: String) -> String { extensions[type.lowercased()] ?? "bin" }
}
