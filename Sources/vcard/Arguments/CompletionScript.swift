// Completions for bash, zsh and fish, made from the tables of verbs and options.

/// `vcard completions SHELL`.
enum CompletionScript {
  /// A shell that we can write for.
  enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
  }

  /// The script for a shell.
  static func text(_ shell: Shell) -> String {
    switch shell {
    case .bash: bash()
    case .zsh: zsh()
    case .fish: fish()
    }
  }

  private static var verbs: [String] { Verb.allCases.map(\.rawValue) }

  private static func options(of verb: Verb) -> [OptionRow] { OptionRow.all.filter { $0.verbs.contains(verb) } }

  private static func names(_ row: OptionRow) -> [String] { (row.short.map { ["-\($0)"] } ?? []) + [row.id.spelling] }

  private static func bash() -> String {
    var values = ""
    for row in OptionRow.all {
      guard row.value.placeholder != nil else { continue }
      let words = row.value.words.joined(separator: " ")
      var actions: [String] = words.isEmpty ? [] : ["_vcard_words '\(words)'"]
      if row.value.isPath { actions.append("_vcard_files") }
      values += "    \(names(row).joined(separator: "|"))) \((actions + ["return"]).joined(separator: "; ")) ;;\n"
    }
    var optionWords = ""
    var operandWords = ""
    for verb in Verb.allCases {
      let all = options(of: verb).flatMap(names).joined(separator: " ")
      optionWords += "      \(verb.rawValue)) _vcard_words '\(all)' ;;\n"
      switch verb.row.operands {
      case .inputs, .two: operandWords += "    \(verb.rawValue)) _vcard_files ;;\n"
      case .none: break
      case .word(_, let words), .topic(_, let words):
        operandWords += "    \(verb.rawValue)) _vcard_words '\(words.joined(separator: " "))' ;;\n"
      }
    }
    return """
      # bash completion for vcard \(HelpScreens.version), made by: vcard completions bash
      _vcard_words() { COMPREPLY+=($(compgen -W "$1" -- "$cur")); }
      _vcard_files() {
        local IFS=$'\\n'
        compopt -o filenames 2>/dev/null
        COMPREPLY+=($(compgen -f -- "$cur"))
      }
      _vcard() {
        local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb= i
        COMPREPLY=()
        if [[ $cur == = ]]; then
          cur=
        elif [[ $prev == = && COMP_CWORD -gt 1 ]]; then
          prev=${COMP_WORDS[COMP_CWORD-2]}
        fi
        for ((i = 1; i < COMP_CWORD; i++)); do
          case ${COMP_WORDS[i]} in
            \(verbs.joined(separator: "|"))) verb=${COMP_WORDS[i]}; break ;;
          esac
        done
        case $prev in
      \(values)  esac
        if [[ $cur == -* ]]; then
          case $verb in
      \(optionWords)      *) _vcard_words '--help --version' ;;
          esac
          return
        fi
        case $verb in
          '') _vcard_words '\(verbs.joined(separator: " "))' ;;
      \(operandWords)  esac
      }
      complete -F _vcard vcard

      """
  }

  private static func zsh() -> String {
    func quoted(_ text: String) -> String {
      var result = ""
      for character in text {
        switch character {
        case "'": result += "'\\''"
        case "[", "]", ":", "\\": result += "\\\(character)"
        default: result.append(character)
        }
      }
      return result
    }
    func argument(_ row: OptionRow) -> String {
      let long = row.id.spelling + (row.value.placeholder == nil ? "" : "=")
      var action = ""
      if let placeholder = row.value.placeholder {
        let words = row.value.words.joined(separator: " ")
        action = ":\(quoted(placeholder)):"
        if row.value.isPath {
          action += words.isEmpty ? "_files" : "{compadd -- \(words); _files -/}"
        } else if !words.isEmpty {
          action += "(\(words))"
        }
      }
      let tail = "[\(quoted(row.help))]\(action)'"
      let star = row.value.isRepeatable ? "*" : ""
      guard let short = row.short else { return "'\(star)\(long)\(tail)" }
      let plus = row.value.placeholder == nil ? "" : "+"
      return row.value.isRepeatable
        ? "'*\(long)\(tail) '*-\(short)\(plus)\(tail)"
        : "'(-\(short) \(row.id.spelling))'{-\(short)\(plus),\(long)}'\(tail)"
    }
    var cases = ""
    for verb in Verb.allCases {
      cases += "        \(verb.rawValue))\n          _arguments -s -S"
      for row in options(of: verb) { cases += " \\\n            \(argument(row))" }
      switch verb.row.operands {
      case .inputs, .two: cases += " \\\n            '*:file:_files'"
      case .none: break
      case .word(let name, let words), .topic(let name, let words):
        cases += " \\\n            '1:\(quoted(name)):(\(words.joined(separator: " ")))'"
      }
      cases += "\n          ;;\n"
    }
    let summaries = VerbRow.all.map { "'\($0.verb.rawValue):\(quoted($0.summary))'" }.joined(separator: "\n        ")
    return """
      #compdef vcard
      # zsh completion for vcard \(HelpScreens.version), made by: vcard completions zsh
      _vcard() {
        local curcontext=$curcontext state line
        typeset -A opt_args
        _arguments -C '(- *)'{-h,--help}'[Print help.]' '(- *)--version[Print the version.]' '1:verb:->verb' '*::argument:->argument'
        case $state in
          verb)
            local -a verbs=(
              \(summaries)
            )
            _describe verb verbs
            ;;
          argument)
            case $words[1] in
      \(cases)      esac
            ;;
        esac
      }
      if [[ $funcstack[1] == _vcard ]]; then _vcard "$@"; else compdef _vcard vcard; fi

      """
  }

  private static func fish() -> String {
    func quoted(_ text: String) -> String {
      var result = "'"
      for character in text { result += character == "'" || character == "\\" ? "\\\(character)" : String(character) }
      return result + "'"
    }
    var text = """
      # fish completion for vcard \(HelpScreens.version), made by: vcard completions fish
      complete -c vcard -f

      """
    for row in VerbRow.all {
      text += "complete -c vcard -n __fish_use_subcommand -a \(row.verb.rawValue) -d \(quoted(row.summary))\n"
    }
    for row in OptionRow.all {
      var line = "complete -c vcard"
      if row.verbs != Verb.allCases {
        line += " -n '__fish_seen_subcommand_from \(row.verbs.map(\.rawValue).joined(separator: " "))'"
      }
      if let short = row.short { line += " -s \(short)" }
      line += " -l \(row.id.rawValue)"
      if row.value.placeholder != nil { line += " -r" }
      if row.value.isPath { line += " -F" }
      if !row.value.words.isEmpty { line += " -a \(quoted(row.value.words.joined(separator: " ")))" }
      text += line + " -d \(quoted(row.help))\n"
    }
    for row in VerbRow.all {
      let seen = "complete -c vcard -n '__fish_seen_subcommand_from \(row.verb.rawValue)'"
      switch row.operands {
      case .inputs, .two: text += "\(seen) -F\n"
      case .none, .word, .topic: break
      }
      if !row.operands.words.isEmpty { text += "\(seen) -a \(quoted(row.operands.words.joined(separator: " ")))\n" }
    }
    return text
  }
}
