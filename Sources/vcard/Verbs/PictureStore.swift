// Pictures as files of a folder: their names, and the references that lead to them.
import Bytes
import CardSyntax
import Files
import People

/// Writes pictures into a folder. Each contact has a name of its own there, with a picture or without, so that files and contacts find
/// each other again when the same contacts are read in the same order.
final class PictureStore {
  /// The folder.
  let folder: FilePath
  /// The folder that references begin in.
  var base: FilePath = "."
  private let isDryRun: Bool
  private var names = PictureNames()
  private var stem = ""
  private var count = 0
  private var logoCount = 0
  private var failure: StreamError?

  /// A store; the folder is made where it is missing.
  init(_ folder: FilePath, isDryRun: Bool = false) throws {
    self.folder = folder
    self.isDryRun = isDryRun
    if let status = try FileSystem.status(folder), !status.isFolder { throw UsageError("\(folder) is no folder") }
    if !isDryRun { try FileSystem.makeFolders(folder) }
  }

  /// Says whose pictures come next.
  func begin(_ contact: Contact, of source: borrowing ContactSource) {
    stem = names.stem(contact, of: source)
    (count, logoCount) = (0, 0)
  }

  /// Writes a picture and gives its path.
  func write(_ picture: Picture) throws(StreamError) -> FilePath {
    if picture.isLogo { logoCount += 1 } else { count += 1 }
    let number = picture.isLogo ? logoCount : count
    let title = picture.isLogo ? stem + (number > 1 ? " (logo \(number))" : " (logo)") : stem + (number > 1 ? " (\(number))" : "")
    let name = Array((title + "." + MediaType.fileExtension(picture.media.mediaType)).utf8)
    let path = folder.appending(name)
    if isDryRun { return path }
    var output = try OutputStream(named: name, in: folder)
    let bytes = picture.media.bytes
    try output.write(bytes.span)
    try output.finish()
    return path
  }

  /// Writes a picture and gives the reference that leads to it from `base`; what went wrong is told by `check`.
  func reference(to picture: Picture) -> String {
    do throws(StreamError) {
      return try write(picture).reference(from: base)
    } catch {
      failure = failure ?? error
      return ""
    }
  }

  /// Throws what went wrong since the last call.
  func check() throws(StreamError) {
    if let failure { throw failure }
  }
}

/// The names of contacts' pictures, without extensions.
struct PictureNames: ~Copyable {
  /// Room for ` (logo 99)` and an extension.
  private static let spare = 24
  private var names = FileNames()
  private var facts = ContactFacts("fullName", "uid")
  /// The UID of the contact that was asked about last; empty where it has none.
  private(set) var uid = ""

  /// The name of the next contact, made from its full name.
  mutating func stem(_ contact: Contact, of source: borrowing ContactSource) -> String {
    let found = facts.values(contact, of: source)
    uid = found[1].first ?? ""
    let title = FileNames.safe(found[0].first ?? "", limit: FileNames.limit - Self.spare)
    return String(names.name(for: title, fileExtension: "").dropLast())
  }
}
