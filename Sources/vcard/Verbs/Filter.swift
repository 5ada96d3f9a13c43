// `vcard filter`: the contacts that match; and what says which contacts do, for other verbs, too.
import CardSyntax
import People

func runFilter(_ invocation: Invocation, console: inout Console) throws -> Int32 {
  var chooser = try ContactChooser(invocation.options)
  if chooser.isEverything { throw UsageError("say which contacts to keep, with --has, --lacks or --where") }
  let total = try ContactOutputs.run(invocation, keepsText: false, console: &console) { contact, source, file, output, console in
    if chooser.chooses(contact, of: source) {
      try output.write(contact, of: source, file, &console)
    } else {
      output.isChanged = true
    }
  }
  return total.written == 0 ? max(1, console.status) : console.status
}

/// Tells which contacts the options `--has`, `--lacks`, `--where`, `--any` and `--not` mean.
struct ContactChooser: ~Copyable {
  private let selection: Selection
  private var reader = CardReader()

  init(_ options: Options) throws(UsageError) {
    var conditions: [Condition] = []
    for text in options.had { conditions.append(Condition(has: try FieldPath.named(text))) }
    for text in options.lacked { conditions.append(Condition(lacks: try FieldPath.named(text))) }
    for text in options.conditions {
      do throws(ConditionError) {
        conditions.append(try Condition(text))
      } catch {
        throw UsageError("--where: " + error.message)
      }
    }
    if conditions.isEmpty, options.isInverted || options.wantsAny {
      throw UsageError("--not and --any need a condition: --has, --lacks or --where")
    }
    selection = Selection(conditions, any: options.wantsAny, inverted: options.isInverted)
  }

  /// Is every contact meant?
  var isEverything: Bool { selection.isEverything }

  /// Is the contact meant?
  mutating func chooses(_ contact: Contact, of source: borrowing ContactSource) -> Bool {
    if isEverything { return true }
    switch contact {
    case .card(let batch, let index):
      reader.read(batch, index, only: selection.fields)
      return selection.chooses(reader.record)
    case .record: return selection.chooses(source.record)
    }
  }
}
