// The command from arguments to exit status.
import Bytes
import Files

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// The command.
@main
enum Main {
  static func main() {
    Process.prepare()
    exit(run(Process.arguments()))
  }

  /// Runs a command line and returns its exit status; every error has been told.
  static func run(_ arguments: [FilePath]) -> Int32 {
    do throws(UsageError) {
      switch try ArgumentParser.parse(arguments) {
      case .nothing:
        var console = Console()
        console.say(String(HelpScreens.overview().dropLast()))
        _ = try? console.finish()
        return 2
      case .version: return printed("vcard \(HelpScreens.version)\n")
      case .help(let verb): return printed(verb.map { HelpScreens.screen($0) } ?? HelpScreens.overview())
      case .run(let invocation): return run(invocation)
      }
    } catch {
      var console = Console()
      return tell(error, console: &console)
    }
  }

  /// Runs a verb. A closed pipe is a quiet end with status 0.
  private static func run(_ invocation: Invocation) -> Int32 {
    var console = Console(invocation.options, findingsAreData: invocation.verb == .validate)
    do {
      let status = try dispatch(invocation, console: &console)
      try console.finish()
      return status
    } catch let error as StreamError {
      return tell(error, console: &console)
    } catch let error as UsageError {
      return tell(UsageError(error.message, verb: error.verb ?? invocation.verb), console: &console)
    } catch is RunStopped {
      do throws(StreamError) { try console.finish() } catch { return tell(error, console: &console) }
      return 2
    } catch {
      console.error("\(error)")
      _ = try? console.finish()
      return 2
    }
  }

  private static func dispatch(_ invocation: Invocation, console: inout Console) throws -> Int32 {
    switch invocation.verb {
    case .convert: try runConvert(invocation, console: &console)
    case .extract: try runExtract(invocation, console: &console)
    case .filter: try runFilter(invocation, console: &console)
    case .validate: try runValidate(invocation, console: &console)
    case .normalize: try runNormalize(invocation, console: &console)
    case .edit: try runEdit(invocation, console: &console)
    case .split: try runSplit(invocation, console: &console)
    case .join: try runJoin(invocation, console: &console)
    case .photos: try runPhotos(invocation, console: &console)
    case .stats: try runStats(invocation, console: &console)
    case .dedupe: try runDedupe(invocation, console: &console)
    case .diff: try runDiff(invocation, console: &console)
    case .fields: try runFields(invocation, console: &console)
    case .completions: try runCompletions(invocation)
    case .help: try runHelp(invocation, sources: helpSources)
    }
  }

  private static func tell(_ error: StreamError, console: inout Console) -> Int32 {
    if error.isClosedPipe { return 0 }
    console.error(error.message)
    _ = try? console.finish()
    return 2
  }

  private static func tell(_ error: UsageError, console: inout Console) -> Int32 {
    console.error(error.message)
    console.say("See 'vcard \(error.verb.map { $0.rawValue + " " } ?? "")--help'.")
    _ = try? console.finish()
    return 2
  }

  private static func printed(_ text: String) -> Int32 {
    do throws(StreamError) {
      try print(text)
      return 0
    } catch {
      var console = Console()
      return tell(error, console: &console)
    }
  }

  /// Writes a text to stdout.
  static func print(_ text: String) throws(StreamError) {
    var output = OutputStream()
    try output.write(text: text)
    try output.finish()
  }
}
