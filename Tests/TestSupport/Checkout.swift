// The files of the checkout that the tests read, and the switches of the environment that they obey.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// The checkout that the tests were built from. Paths are relative to its root.
package enum Checkout {
  /// A file that cannot be read or written.
  package struct Trouble: Error {
    let path: String
    let number: Int32
  }

  /// The folder of Package.swift.
  package static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// The exports of `samples/`, by name.
  package static let samples = files(in: "samples", ending: ".vcf")

  /// Is VCARD_REFILL set? Then the expected outputs (Golden, Cases, Snapshots) are written anew from what comes out now.
  package static let refills = environment("VCARD_REFILL") != nil

  /// How many generated persons each round trip goes through; VCARD_SEEDS=N asks for more (or fewer).
  package static let seeds = environment("VCARD_SEEDS").flatMap { Int($0) } ?? 1000

  /// A variable of the environment; nil where it is not set or empty.
  package static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  private static func full(_ path: String) -> String { path.hasPrefix("/") ? path : root + "/" + path }

  /// The bytes of a file.
  package static func read(_ path: String) throws -> [UInt8] {
    guard let file = unsafe fopen(full(path), "rb") else { throw Trouble(path: path, number: errno) }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe piece.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, file) }
      if count == 0 { return bytes }
      bytes += piece[..<count]
    }
  }

  /// The text of a file; bytes that are no UTF-8 become U+FFFD.
  package static func text(_ path: String) throws -> String { String(decoding: try read(path), as: UTF8.self) }

  /// Writes a file, for `refills`.
  package static func write(_ path: String, _ bytes: some Sequence<UInt8>) throws {
    guard let file = unsafe fopen(full(path), "wb") else { throw Trouble(path: path, number: errno) }
    defer { unsafe fclose(file) }
    let bytes = Array(bytes)
    let count = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
    guard count == bytes.count else { throw Trouble(path: path, number: errno) }
  }

  /// Is there a file?
  package static func has(_ path: String) -> Bool { unsafe access(full(path), F_OK) == 0 }

  /// The names of the files and folders in a folder, sorted; of those with this ending.
  package static func files(in folder: String, ending: String = "") -> [String] {
    guard let directory = unsafe opendir(full(folder)) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix("."), name.hasSuffix(ending) { names.append(name) }
    }
    return names.sorted()
  }
}
