// `vcard filter`: the contacts that match; and what says which contacts do, for other verbs, too.
import Bytes
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
  private let reader = Boxed(CardReader())

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
    reader.value.omitsAnnotations = !selection.readsAnnotations
  }

  /// Is every contact meant?
  var isEverything: Bool { selection.isEverything }

  /// Is the contact meant?
  mutating func chooses(_ contact: Contact, of source: borrowing ContactSource) -> Bool {
    if isEverything { return true }
    switch contact {
    case .card(let batch, let index):
      reader.value.read(batch, index, only: selection.fields)
      return selection.chooses(reader.value.record)
    case .record: return selection.chooses(source.record)
    }
  }
}

extension VerbRow {
  /// What the command says of `filter`.
  static let filter = VerbRow(
    verb: .filter, summary: "keep the contacts that match", operands: .inputs, outputs: contactFormats,
    paragraphs: [
      """
      --has, --lacks and --where say what a contact must be like; all conditions must hold, with --any one is enough, and --not \
      keeps the contacts that do not match. 'vcard help paths' says how parts of a contact are named.
      """,
      """
      --where takes PATH=GLOB, PATH!=GLOB, PATH~REGEX, PATH!~REGEX, and PATH<DATE, PATH<=DATE, PATH>DATE, PATH>=DATE. A glob (*, ?, [a-z]) \
      is compared with the whole value, a regular expression is found anywhere in it; letter case counts, unless a regular \
      expression begins with (?i). Where a path names several values, one that matches is enough; != and !~ hold where none does. \
      Dates compare by the parts that DATE has: birthday<1980, birthday>=--06-01.
      """,
      copies,
      inputs,
      """
      Contacts flow one at a time, whatever the input's size. With -i, a file whose contacts all match is left alone.
      """,
    ],
    examples: [
      Example("vcard filter --has email --lacks phones.mobile contacts.vcf", "who has an e-mail address but no mobile phone"),
      Example("vcard filter --where 'emails=*@example.com' -o work.vcf contacts.vcf", "everybody at example.com"),
      Example("vcard filter --not --where 'categories=Old' -i --backup .old book/", "take a category out of a folder of vCards"),
    ],
    exitStatus: "0 done; 1 done, but an error was found or nobody matched; 2 not done; 130 interrupted.")
}
