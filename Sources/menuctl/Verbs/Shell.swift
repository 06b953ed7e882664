import LiveHost

/// A shell with a completion script, made from the table of verbs and options.
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

  fileprivate static func kinds(_ names: [AppName]) -> String { names.map(\.rawValue).joined(separator: ",") }

  /// Every option with a value in the next word, once.
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
    let all = valued.map(\.name).joined(separator: "|")
    let free = valued.filter { $0.choices.isEmpty && $0.names.isEmpty }.map(\.name).joined(separator: "|")
    let named = valued.filter { !$0.names.isEmpty }.map {
      "    \($0.name)) _menuctl_names \(kinds($0.names)); return ;;"
    }
    let choices = valued.filter { !$0.choices.isEmpty }.map {
      "    \($0.name)) COMPREPLY=($(compgen -W '\($0.choices.joined(separator: " "))' -- \"$word\")); return ;;"
    }
    let options = Verb.all.map { "      \($0.name)) words='\($0.options.map(\.name).joined(separator: " "))' ;;" }
    let operands = Verb.all.compactMap { verb -> String? in
      guard let words = bashWords(verb.operands.first?.kind ?? .other) else { return nil }
      return "    \(verb.name)) COMPREPLY=($(compgen -W '\(words)' -- \"$word\")) ;;"
    }
    let live = Verb.all.filter { $0.operands.first?.kind == .live }.map { verb in
      "    \(verb.name),0,*) _menuctl_live; return ;;"
    }
    let eitherWay = Verb.all.filter(\.asksLive).map { "\($0.name),0,1" }.joined(separator: "|")
    let byName = Verb.all.filter(\.asksLive).map { "\($0.name),0," }.joined(separator: "|")
    let later = Verb.all.flatMap { verb in
      verb.operands.enumerated().compactMap { index, operand -> String? in
        guard !operand.names.isEmpty else { return nil }
        let number = operand.isRepeated ? "[\(index)-9]" : "\(index)"
        return "    \(verb.name),\(number),) _menuctl_names \(kinds(operand.names)); return ;;"
      }
    }
    return """
      # bash completion for menuctl: source <(menuctl completions bash)

      # A word as the shell would hand it over, in _menuctl_word.
      _menuctl_plain() {
        _menuctl_word=$1
        case $1 in
          \\'*) _menuctl_word=${1#\\'}; _menuctl_word=${_menuctl_word%\\'} ;;
          \\"*) _menuctl_word=${1#\\"}; _menuctl_word=${_menuctl_word%\\"} ;;
          *) _menuctl_word=${1//\\\\/} ;;
        esac
        _menuctl_word=${_menuctl_word/#\\~\\//$HOME/}
      }

      # Finds the app on the line, and how many operands stand before the word.
      _menuctl_app() {
        local index
        app= operand=0
        for ((index = 2; index < ${#COMP_WORDS[@]}; index++)); do
          if [ "$index" -ge "$COMP_CWORD" ]; then break; fi
          case ${COMP_WORDS[index]} in
            \(all)) if [ "${COMP_WORDS[index + 1]}" = = ]; then ((index += 2)); else ((index++)); fi ;;
            -?*) ;;
            =) ((index++)) ;;
            @) if [ "$operand" -eq 0 ]; then app=@${COMP_WORDS[index + 1]}; fi; ((index++)); ((operand++)) ;;
            *) if [ "$operand" -eq 0 ]; then app=${COMP_WORDS[index]}; fi; ((operand++)) ;;
          esac
        done
      }

      # The names of these kinds that the app has. They are the app's choice, so none is ever expanded.
      _menuctl_names() {
        local name begun quote=
        case $word in \\'*|\\"*) quote=1 ;; esac
        _menuctl_plain "$word"; begun=$_menuctl_word
        _menuctl_plain "$app"
        # Without a slash it can be the name of an installed app.
        if [[ $_menuctl_word == */* && ! -e $_menuctl_word ]]; then return; fi
        while IFS= read -r name; do
          if [[ $name != "$begun"* ]]; then continue; fi
          if [[ $name == *= ]]; then compopt -o nospace 2>/dev/null; fi
          if [ -z "$quote" ]; then
            printf -v name %q "$name"
          elif [[ $name == *[\\'\\"\\`\\$\\\\!]* ]]; then
            continue  # Between quotes these mean something.
          fi
          COMPREPLY+=("$name")
        done < <("${COMP_WORDS[0]}" complete "$1" "$_menuctl_word" 2>/dev/null)
      }

      # The live apps that run. Their names have letters, digits and '_.-' alone.
      _menuctl_live() {
        local names
        names=$("${COMP_WORDS[0]}" complete live @ 2>/dev/null)
        COMPREPLY=($(compgen -P @ -W "${names//@/}" -- "${word#@}"))
      }

      # The installed apps, and files.
      _menuctl_installed() {
        local name
        while IFS= read -r name; do
          if [[ $name == "$word"* ]]; then COMPREPLY+=("$name"); fi
        done < <("${COMP_WORDS[0]}" complete installed @ 2>/dev/null)
        compopt -o default 2>/dev/null
        if [ "${#COMPREPLY[@]}" -eq 0 ]; then return; fi
        compopt -o filenames 2>/dev/null
        while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$word")
      }

      _menuctl() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
        # bash takes '=' for a word of its own, and most often '@', which it completes all the same.
        if [ "$before" = = ]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
        if [ "$word" = = ]; then word=; fi
        local isLive=
        if [[ $before == @ || $word == @* ]]; then isLive=1; fi
        local app operand
        COMPREPLY=()
        _menuctl_app
        if [ "$before" = @ ]; then ((operand--)); fi
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W '\(verbs) --help --version' -- "$word"))
          return
        fi
        case $before in
      \((choices + named).joined(separator: "\n"))
          \(free)) return ;;
        esac
        if [[ $word == -* ]]; then
          case ${COMP_WORDS[1]} in
      \(options.joined(separator: "\n"))
          esac
          COMPREPLY=($(compgen -W "$words" -- "$word"))
          return
        fi
        case ${COMP_WORDS[1]},$operand,$isLive in
          \(eitherWay)) _menuctl_live; return ;;
          \(byName)) _menuctl_installed; return ;;
      \((live + later).joined(separator: "\n"))
        esac
        case ${COMP_WORDS[1]} in
      \(operands.joined(separator: "\n"))
        *) compopt -o default 2>/dev/null ;;
        esac
      }
      complete -F _menuctl menuctl
      """
  }

  private static func bashWords(_ kind: Verb.Operand.Kind) -> String? {
    switch kind {
    case .subject: subjects
    case .oneOf(let words): words.joined(separator: " ")
    case .file, .live, .other: nil
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
        let action = index == 0 && verb.asksLive ? "_menuctl_app" : zshAction(operand)
        return "'\(number):\(operand.name):\(action)'"
      }
      return "    \(verb.name)) _arguments \((options + operands).joined(separator: " ")) ;;"
    }
    return """
      #compdef menuctl
      # zsh completion for menuctl: put it into a folder of $fpath as _menuctl

      # The names of some kinds that the app on the line has: what is said of the kinds stands last, behind what is for compadd.
      _menuctl_names() {
        local word app= isValue=
        for word in "${(@)words[2,-1]}"; do
          if [[ -n $isValue ]]; then isValue=; continue; fi
          case $word in
            \(valued.map(\.name).joined(separator: "|"))) isValue=1 ;;
            -?*) ;;
            *) app=${(Q)word}; break ;;
          esac
        done
        app=${app/#\\~\\//$HOME/}
        # Without a slash it can be the name of an installed app.
        [[ $app != */* || -e $app ]] || return 1
        local -a names=("${(@f)$(_call_program names ${(q)_menuctl_tool} complete ${argv[-1]} ${(q)app})}")
        [[ ${argv[-1]} = arguments ]] && argv=(-S '' "$argv[@]")
        compadd "${(@)argv[1,-2]}" -a names
      }

      # The app itself: live apps after '@', else installed apps and files.
      _menuctl_app() {
        if [[ $PREFIX = @* ]]; then _menuctl_live; return; fi
        local -a names=(${(f)"$(_call_program names ${(q)_menuctl_tool} complete installed @)"})
        (( $#names )) && compadd -a names
        _files
      }
      _menuctl_live() {
        local -a names=("${(@f)$(_call_program names ${(q)_menuctl_tool} complete live @)}")
        compadd -a names
      }

      _menuctl() {
        local _menuctl_tool=${(Q)words[1]}
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
      ":\($0):\(option.names.isEmpty ? option.choices.isEmpty ? " " : "(\(option.choices.joined(separator: " ")))" : "_menuctl_names \(kinds(option.names))")"
    }
    if option.isValueOptional { return "'*\(option.name)=-[\(zshText(option.summary))]:\(value ?? "")'" }
    return "'*\(option.name)\(value == nil ? "" : "=")[\(zshText(option.summary))]\(value ?? "")'"
  }

  private static func zshAction(_ operand: Verb.Operand) -> String {
    if !operand.names.isEmpty { return "_menuctl_names \(kinds(operand.names))" }
    return switch operand.kind {
    case .file: "_files"
    case .live: "_menuctl_live"
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
      """
      # The operands that stand before the word, the app first; so many are asked for, or the names of some kinds that the app has.
      function __menuctl_operands
        set -l isValue 0
        set -l words (commandline -opc)
        for word in $words[3..-1]
          if test $isValue = 1
            set isValue 0
            continue
          end
          switch $word
            case \(valued.map(\.name).joined(separator: " "))
              set isValue 1
            case '-?*'
            case '*'
              echo -- $word
          end
        end
      end
      function __menuctl_has
        test (count (__menuctl_operands)) -ge $argv[1]
      end
      function __menuctl_names
        set -l words (commandline -opc)
        set -l app (__menuctl_operands)[1]
        # Without a slash it can be the name of an installed app.
        if test -n "$app"; and begin; not string match -q '*/*' -- $app; or test -e "$app"; end
          $words[1] complete $argv[1] $app 2>/dev/null
        end
      end
      # The live apps that run, where '@' is written.
      function __menuctl_live
        set -l words (commandline -opc)
        if string match -q '@*' -- (commandline -ct)
          $words[1] complete live @ 2>/dev/null
        end
      end
      function __menuctl_installed
        set -l words (commandline -opc)
        if not string match -q '@*' -- (commandline -ct)
          $words[1] complete installed @ 2>/dev/null
        end
      end
      """,
    ]
    for verb in Verb.all {
      lines.append("complete -c menuctl -n __fish_use_subcommand -a \(verb.name) -d \(fishText(verb.summary))")
      let isVerb = "complete -c menuctl -n '__fish_seen_subcommand_from \(verb.name)'"
      for option in verb.options {
        var line = "\(isVerb) -l \(option.name.dropFirst(2)) -d \(fishText(option.summary))"
        if option.value != nil, !option.isValueOptional { line += " -x" }
        if !option.choices.isEmpty { line += " -a '\(option.choices.joined(separator: " "))'" }
        if !option.names.isEmpty { line += " -a '(__menuctl_names \(kinds(option.names)))'" }
        lines.append(line)
      }
      if verb.asksLive || verb.operands.first?.kind == .live {
        lines.append(
          "complete -c menuctl -n '__fish_seen_subcommand_from \(verb.name); and not __menuctl_has 1' -a '(__menuctl_live)'"
        )
      }
      if verb.asksLive {
        lines.append(
          "complete -c menuctl -n '__fish_seen_subcommand_from \(verb.name); and not __menuctl_has 1' -a '(__menuctl_installed)'"
        )
      }
      for (index, operand) in verb.operands.enumerated() {
        guard !operand.names.isEmpty else { continue }
        lines.append(
          "complete -c menuctl -n '__fish_seen_subcommand_from \(verb.name); and __menuctl_has \(index)' -a '(__menuctl_names \(kinds(operand.names)))'"
        )
      }
      switch verb.operands.first?.kind {
      case .file: lines.append(isBefore(verb, "-F"))
      case .subject: lines.append("\(isVerb) -a '\(subjects)'")
      case .oneOf(let words): lines.append("\(isVerb) -a '\(words.joined(separator: " "))'")
      case .live, .other, nil: break
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Returns a completion for the operands before an app's names, which offers files.
  private static func isBefore(_ verb: Verb, _ what: String) -> String {
    let first = verb.operands.firstIndex { !$0.names.isEmpty }
    let behind = first.map { "; and not __menuctl_has \($0)" } ?? ""
    return "complete -c menuctl -n '__fish_seen_subcommand_from \(verb.name)\(behind)' \(what)"
  }

  private static func fishText(_ text: String) -> String {
    "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "'"
  }
}
