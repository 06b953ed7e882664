/// A shell that can be told what the words of a command line may be, made from the table of verbs and options.
enum Shell: String, CaseIterable {
  case bash, zsh, fish

  var completions: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  fileprivate static let verbs = Verb.all.map(\.name).joined(separator: " ")
  fileprivate static let subjects = Help.words.joined(separator: " ")

  /// Every option that takes the next word for its value, once.
  fileprivate static var valued: [Option] {
    var found: [Option] = []
    for option in Verb.all.flatMap(\.options) where option.value != nil && !option.isValueOptional {
      if !found.contains(where: { $0.name == option.name }) { found.append(option) }
    }
    return found
  }
}

// MARK: bash

extension Shell {
  private static var bashScript: String {
    let free = valued.filter(\.choices.isEmpty).map(\.name).joined(separator: "|")
    let choices = valued.filter { !$0.choices.isEmpty }.map {
      "    \($0.name)) COMPREPLY=($(compgen -W '\($0.choices.joined(separator: " "))' -- \"$word\")); return ;;"
    }
    let options = Verb.all.map { "      \($0.name)) words='\($0.options.map(\.name).joined(separator: " "))' ;;" }
    let operands = Verb.all.compactMap { verb -> String? in
      guard let words = bashWords(verb.operands.first?.kind ?? .other) else { return nil }
      return "    \(verb.name)) COMPREPLY=($(compgen -W '\(words)' -- \"$word\")) ;;"
    }
    return """
      # bash completion for menuctl: source <(menuctl completions bash)
      _menuctl() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
        # bash takes '=' for a word of its own.
        if [ "$before" = = ]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
        if [ "$word" = = ]; then word=; fi
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W '\(verbs) --help --version' -- "$word"))
          return
        fi
        case $before in
      \(choices.joined(separator: "\n"))
          \(free)) return ;;
        esac
        if [[ $word == -* ]]; then
          case ${COMP_WORDS[1]} in
      \(options.joined(separator: "\n"))
          esac
          COMPREPLY=($(compgen -W "$words" -- "$word"))
          return
        fi
        case ${COMP_WORDS[1]} in
      \(operands.joined(separator: "\n"))
        *) compopt -o default ;;
        esac
      }
      complete -F _menuctl menuctl
      """
  }

  private static func bashWords(_ kind: Verb.Operand.Kind) -> String? {
    switch kind {
    case .subject: subjects
    case .oneOf(let words): words.joined(separator: " ")
    case .file, .other: nil
    }
  }
}

// MARK: zsh

extension Shell {
  private static var zshScript: String {
    let names = Verb.all.map { "    '\($0.name):\(zshText($0.summary))'" }
    let cases = Verb.all.map { verb in
      let options = verb.options.map(zshOption)
      let operands = verb.operands.enumerated().map { index, operand in
        let number = operand.isRepeated ? "*" : "\(index + 1)"
        return "'\(number):\(operand.name):\(zshAction(operand.kind))'"
      }
      return "    \(verb.name)) _arguments \((options + operands).joined(separator: " ")) ;;"
    }
    return """
      #compdef menuctl
      # zsh completion for menuctl: put it into a folder of $fpath as _menuctl
      _menuctl() {
        local -a verbs=(
      \(names.joined(separator: "\n"))
        )
        if (( CURRENT == 2 )); then
          _describe verb verbs
          return
        fi
        local verb=$words[2]
        words=("${(@)words[2,-1]}")
        (( CURRENT-- ))
        case $verb in
      \(cases.joined(separator: "\n"))
        esac
      }
      if [ "$funcstack[1]" = _menuctl ]; then _menuctl "$@"; else compdef _menuctl menuctl; fi
      """
  }

  private static func zshOption(_ option: Option) -> String {
    let value = option.value.map {
      ":\($0):\(option.choices.isEmpty ? " " : "(\(option.choices.joined(separator: " ")))")"
    }
    if option.isValueOptional { return "'*\(option.name)=-[\(zshText(option.summary))]:\(value ?? "")'" }
    return "'*\(option.name)\(value == nil ? "" : "=")[\(zshText(option.summary))]\(value ?? "")'"
  }

  private static func zshAction(_ kind: Verb.Operand.Kind) -> String {
    switch kind {
    case .file: "_files"
    case .subject: "(\(subjects))"
    case .oneOf(let words): "(\(words.joined(separator: " ")))"
    case .other: " "
    }
  }

  private static func zshText(_ text: String) -> String {
    text.map { character in
      switch character {
      case "'": "'\\''"
      case "[", "]", ":": "\\\(character)"
      default: "\(character)"
      }
    }.joined()
  }
}

// MARK: fish

extension Shell {
  private static var fishScript: String {
    var lines = [
      "# fish completion for menuctl: menuctl completions fish >~/.config/fish/completions/menuctl.fish",
      "complete -c menuctl -f",
    ]
    for verb in Verb.all {
      lines.append("complete -c menuctl -n __fish_use_subcommand -a \(verb.name) -d \(fishText(verb.summary))")
      let isVerb = "complete -c menuctl -n '__fish_seen_subcommand_from \(verb.name)'"
      for option in verb.options {
        var line = "\(isVerb) -l \(option.name.dropFirst(2)) -d \(fishText(option.summary))"
        if option.value != nil, !option.isValueOptional { line += " -x" }
        if !option.choices.isEmpty { line += " -a '\(option.choices.joined(separator: " "))'" }
        lines.append(line)
      }
      switch verb.operands.first?.kind {
      case .file: lines.append("\(isVerb) -F")
      case .subject: lines.append("\(isVerb) -a '\(subjects)'")
      case .oneOf(let words): lines.append("\(isVerb) -a '\(words.joined(separator: " "))'")
      case .other, nil: break
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func fishText(_ text: String) -> String {
    "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "'"
  }
}
