// Command lines as a user types them, run by the shell with the built command.
import Bytes
import Files
import TestSupport

@testable import vcard

/// What a command line wrote, and how it ended.
struct Outcome: Equatable {
  var output: [UInt8]
  var errors: [UInt8]
  var status: Int32
}

/// Runs a command line in a fresh folder that has the `samples` and the `golden` files in it.
func shell(_ line: String) throws -> Outcome {
  var outcome: Outcome?
  try withFolder { folder in
    for (name, target) in [("samples", "samples"), ("golden", "Tests/Golden")] {
      makeLink(folder.file(name), to: Checkout.root + "/" + target)
    }
    try FileSystem.makeFolders(folder.file(".outcome"))
    let (output, errors) = (folder.file(".outcome/stdout"), folder.file(".outcome/stderr"))
    let script = "cd '\(folder)' && PATH='\(Child.command.folder)':/usr/bin:/bin && export PATH && \(line)"
    let child = try Child(["-c", FilePath(script)], of: "/bin/sh", output: output, errors: errors)
    let status = child.wait()
    outcome = Outcome(output: try Checkout.read(output.text), errors: try Checkout.read(errors.text), status: status)
    for name in ["samples", "golden"] { FileSystem.remove(folder.file(name)) }
  }
  return outcome ?? Outcome(output: [], errors: [], status: -1)
}
