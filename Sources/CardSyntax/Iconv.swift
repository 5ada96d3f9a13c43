// The C library's character set conversion, for every charset that is not at home here.
internal import Bytes

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
  #if canImport(iconv)
    internal import iconv
  #endif
#endif

/// One `iconv` descriptor: text of one charset turned into another, UTF-8 being one of the two.
///
/// It keeps a shift state, so that one text goes through it at a time: the owner must not share it between threads.
@safe
final class Iconv {
  /// The charset that is not UTF-8.
  let charset: String
  /// True from the charset to UTF-8, false the other way.
  private let decodes: Bool
  /// How many bytes to skip over a byte that means nothing: the width of the charset's unit.
  private let unit: Int
  private let descriptor: iconv_t
  /// Where a block of output lands.
  private var block = [UInt8](repeating: 0, count: 4096)

  /// Opens a conversion to UTF-8; nil when the C library does not know the charset.
  convenience init?(from charset: String) { self.init(charset, decodes: true) }

  /// Opens a conversion from UTF-8; nil when the C library does not know the charset.
  convenience init?(to charset: String) { self.init(charset, decodes: false) }

  private init?(_ charset: String, decodes: Bool) {
    let opened = unsafe decodes ? iconv_open("UTF-8", charset) : iconv_open(charset, "UTF-8")
    // The C library says (iconv_t)-1 for "unknown".
    guard let usable = unsafe opened, unsafe usable != UnsafeMutableRawPointer(bitPattern: -1) else { return nil }
    unsafe descriptor = usable
    self.charset = charset
    self.decodes = decodes
    unit = charset.hasPrefix("UTF-32") || charset.hasPrefix("UCS-4") ? 4 : 1
  }

  deinit { unsafe iconv_close(descriptor) }

  /// Converts `start ..< end`. What means nothing becomes U+FFFD (decoding) or `?` (encoding) and makes `clean` false.
  ///
  /// Without `last`, a character cut off by `end` is left: `consumed` says how far the input was used. With it, all is consumed and
  /// the shift state returns to its beginning.
  func convert(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, last: Bool, to buffer: inout ByteBuffer
  ) -> (consumed: Int, clean: Bool) {
    precondition(start >= 0 && start <= end && end <= bytes.count)
    var position = start
    var clean = true
    while position < end {
      let (read, status) = unsafe bytes.withUnsafeBufferPointer { source in
        unsafe run(UnsafeBufferPointer(rebasing: source[position..<end]), to: &buffer, clean: &clean)
      }
      position += read
      switch status {
      case .done where read > 0: break
      case .full where read > 0: break
      case .cutOff where !last: return (position - start, clean)
      case .cutOff:
        clean = false
        replace(to: &buffer)
        position = end
      default:
        clean = false
        replace(to: &buffer)
        position = decodes ? min(position + unit, end) : min(position + UTF8Check.scalar(bytes, position).length, end)
      }
    }
    if last { _ = unsafe run(nil, to: &buffer, clean: &clean) }
    return (position - start, clean)
  }

  /// Why a run of the C library ended.
  private enum Status { case done, full, cutOff, meaningless }

  /// One call of the C library: says how many bytes it read, and adds what it wrote. Without a source it ends the text.
  private func run(_ source: UnsafeBufferPointer<UInt8>?, to buffer: inout ByteBuffer, clean: inout Bool) -> (Int, Status) {
    let room = block.count
    var left = unsafe source?.count ?? 0
    var free = room
    var status = Status.done
    unsafe block.withUnsafeMutableBytes { output in
      var target = unsafe output.baseAddress?.assumingMemoryBound(to: CChar.self)
      if let source = unsafe source {
        var next = unsafe UnsafeMutableRawPointer(mutating: source.baseAddress)?.assumingMemoryBound(to: CChar.self)
        if unsafe iconv(descriptor, &next, &left, &target, &free) == -1 {
          status = errno == E2BIG ? .full : errno == EINVAL ? .cutOff : .meaningless
        }
      } else {
        _ = unsafe iconv(descriptor, nil, nil, &target, &free)
      }
    }
    let written = room - free
    let produced = block
    let bytes = produced.span
    // Some charsets of the C library let numbers through that are no characters.
    if decodes && !UTF8Check.isValid(bytes, 0, written) {
      clean = false
      UTF8Check.appendRepaired(bytes, 0, written, to: &buffer)
    } else {
      buffer.append(bytes, 0, written)
    }
    return (unsafe (source?.count ?? 0) - left, status)
  }

  /// Adds what stands for a character without a meaning.
  private func replace(to buffer: inout ByteBuffer) {
    if decodes { return buffer.append("\u{FFFD}") }
    // Through the conversion, because the charset may be in a shifted state, or not be made of ASCII.
    var ignored = true
    let question: [UInt8] = [0x3F]
    _ = unsafe question.withUnsafeBufferPointer { unsafe run($0, to: &buffer, clean: &ignored) }
  }
}
