import Expectations
import Testing

@Suite("Completions, in the real shells")
struct CompletionTests {
  @Test("bash completes verbs, options, their values, and arguments of verbs")
  func bash() throws {
    let cases = [
      ("menuctl l", "load"), ("menuctl load --col", "--color"), ("menuctl load x --color ''", "auto always never"),
      ("menuctl load x --color = al", "always"), ("menuctl load x --log w", "warn"),
      ("menuctl load x --perform ''", ""),
      ("menuctl test --sh", "--shuffle"), ("menuctl test x --reporter j", "junit json"),
      ("menuctl completions z", "zsh"), ("menuctl help why", "why"), ("menuctl nothing --c", ""),
    ]
    let calls = cases.map { "try \($0.0)" }.joined(separator: "\n")
    let run = try Program.shell(
      "bash",
      """
      source <('\(Program.folder)/menuctl' completions bash)
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _menuctl; echo "${COMPREPLY[*]}"; }
      \(calls)
      """)
    expect(run, is: Run(status: 0, out: cases.map { "\($0.1)\n" }.joined(), err: ""))
  }

  @Test("fish completes the same", .enabled(if: Program.isInstalled("fish"), "fish is not installed"))
  func fish() throws {
    let run = try Program.shell(
      "fish",
      """
      '\(Program.folder)/menuctl' completions fish | source
      complete -C 'menuctl l'
      complete -C 'menuctl load --col'
      complete -C 'menuctl load x --color a'
      complete -C 'menuctl completions '
      """)
    let expected = [
      "load\trun the script and show the app",
      "--color\tcolour the text: auto (the default), always or never",
      "always", "auto", "bash", "fish", "zsh",
    ]
    let found = run.out.split(separator: "\n").map { $0.hasPrefix("a") ? String($0.prefix { $0 != "\t" }) : String($0) }
    expect(run.status == 0 && found == expected, "\(run)")
  }

  @Test("zsh completes the same", .enabled(if: Program.isInstalled("zsh"), "zsh is not installed"))
  func zsh() throws {
    let run = try Program.shell(
      "zsh",
      """
      folder=$(mktemp -d) && '\(Program.folder)/menuctl' completions zsh >$folder/_menuctl || exit 1
      cat >$folder/app.lua <<'END'
      \(Self.app)
      END
      cd $folder
      path=(\(Program.folder) $path)
      \(Self.zshBegun)
      zpty -w -n z $'menuctl perf\\t' && shows 'perform '
      zpty -w -n z $'\\x15menuctl load --me\\t' && shows '--memory='
      zpty -w -n z $'\\x15menuctl completions z\\t' && shows 'completions zsh'
      zpty -w -n z $'\\x15'"menuctl pick $folder/app.lua Edit/Cl"$'\\t' && shows 'Clear\\ All'
      zpty -w -n z $'\\x15'"menuctl load $folder/app.lua --focus li"$'\\t' && shows 'focus list'
      zpty -d z
      rm -r $folder
      print done
      """, ["-f"])
    expect(run.status == 0 && run.out == "done\n", "\(run)")
  }

  /// A shell in its terminal, with the completions of the folder. It presses keys, and reads the screen until the word
  /// appears.
  private static let zshBegun = """
    zmodload zsh/zpty zsh/datetime
    zpty z TERM=dumb zsh -f -i
    typeset -F end=$(( EPOCHREALTIME + 20 ))
    shows() {
      seen=
      while (( EPOCHREALTIME < end )); do
        if zpty -r -t z part; then seen+=$part; else sleep 0.02; fi
        [[ $seen == *$1* ]] && return 0
      done
      print -r -- "not shown: $1 in ${(V)seen}"
      return 1
    }
    zpty -w z "PS1=; fpath=($PWD \\$fpath); autoload -U compinit; compinit -u -D; bindkey '^I' complete-word"
    zpty -w z "unset zle_bracketed_paste; print rea''dy"
    shows ready
    """

  /// One action's name makes a file if a shell expands it.
  private static let app = """
    print("noise")
    menubar { menu "Edit" { item "Clear All" { "clear", key = "ctrl+k" }, item "$(touch pwned)" { "x" }, item "It's" { "x" } } }
    local list = responder "list"
    function list.on:clear() end
    function list.on:clean() end
    list.takes.clear = { count = { "integer", optional = true }, colour = { one_of = { "red" }, optional = true } }
    focus(list)
    """

  @Test("bash completes actions, ids, keys and responders of the app on the line, and expands none of them")
  func bashNames() throws {
    let folder = try ScriptFolder([
      "my app.lua": Self.app, "loop.lua": "while true do end",
      "asks.lua": "app.allow = { 'exec=touch', 'fs.read' } pcall(exec, 'touch', { 'pwned' })\n" + Self.app,
    ])
    let cases = [
      ("perform 'my app.lua' cl", "clean|clear"), (#"perform my\ app.lua cl"#, "clean|clear"),
      ("pick 'my app.lua' ''", #"Edit/Clear\ All|Edit/\$\(touch\ pwned\)|Edit/It\'s"#),
      (#"pick 'my app.lua' "'Edit/C""#, "Edit/Clear All"), (#"pick 'my app.lua' "'Edit/""#, "Edit/Clear All"),
      (#"pick 'my app.lua' '"Edit/'"#, "Edit/Clear All"), (#"pick 'my app.lua' 'Edit/Clear\ '"#, #"Edit/Clear\ All"#),
      ("press 'my app.lua' ctrl+k c", "ctrl+k"), ("load 'my app.lua' --focus l", "list"),
      ("load --budget 5 'my app.lua' --pick Edit/Clear", #"Edit/Clear\ All"#), ("why 'my app.lua' ctrl", "ctrl+k"),
      ("perform 'my app.lua' clear --arg ''", "colour=|count="), ("perform 'my app.lua' clear --arg cou", "count="),
      ("perform 'my app.lua' --from = l", "list"), ("perform missing.lua c", ""), ("perform loop.lua c", ""),
      ("perform asks.lua cl", "clean|clear"), ("pick asks.lua Edit/Cl", #"Edit/Clear\ All"#),
    ]
    let run = try Program.shell(
      "bash",
      """
      cd \(folder.path)
      source <('\(Program.folder)/menuctl' completions bash)
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _menuctl; (IFS='|'; echo "${COMPREPLY[*]}"); }
      \(cases.map { "try '\(Program.folder)/menuctl' \($0.0)" }.joined(separator: "\n"))
      """)
    expect(run, is: Run(status: 0, out: cases.map { "\($0.1)\n" }.joined(), err: ""))
    expect(!Project.entries(of: folder.path).contains("pwned"))
  }

  @Test(
    "The actions of each example app are completed, whichever grants it needs",
    arguments: [
      "scripts/photos", "scripts/editor", "scripts/files", "scripts/branches", "scripts/hello.lua", "scripts/tour.lua",
    ])
  func examples(_ app: String) throws {
    let run = try Program.menuctl(["complete", "actions", app])
    expect(run.status == 0 && run.err == "" && run.out.split(separator: "\n").count > 1, "\(run)")
  }

  @Test(
    "The shells complete live apps, and the names of one",
    arguments: ["bash", "fish", "zsh"].filter(Program.isInstalled))
  func liveApps(_ shell: String) throws {
    let live = try LiveApp(["app.lua": Self.app])
    let bash = """
      source <('\(Program.folder)/menuctl' completions bash)
      COMP_WORDBREAKS='@='
      try() { COMP_WORDS=(menuctl "$@"); COMP_CWORD=$#; _menuctl; echo "${COMPREPLY[*]}"; }
      try perform @; try perform @ a; try perform @ x; try stop ''; try perform @ app cl; try menu @app Edit/Cl
      try test @; try serve @ a; try perform app.lua @; try perform @ app @ a
      try perform --set a = 1 @ a
      COMP_WORDBREAKS=' '
      try perform @a; try perform @app cl
      """
    let fish = """
      menuctl completions fish | source
      for line in 'perform @' 'stop @a' 'perform @app cl' 'menu @app Edit/Cl'
        string join ' ' (complete -C "menuctl $line")
      end
      true
      """
    let zsh = """
      menuctl completions zsh >_menuctl || exit 1
      \(Self.zshBegun)
      zpty -w -n z $'menuctl perform @\\t' && shows 'perform @app '
      zpty -w -n z $'\\x15menuctl stop @a\\t' && shows 'stop @app '
      zpty -w -n z $'\\x15menuctl pick @app Edit/Cl\\t' && shows 'Clear\\ All'
      zpty -d z
      print done
      """
    let run = try live.shell(
      shell, ["bash": bash, "fish": fish, "zsh": zsh][shell] ?? "", shell == "zsh" ? ["-f"] : [])
    let out = [
      "bash": "@app\n@app\n\n@app\nclean clear\nEdit/Clear\\ All\n\n\n\n\n@app\n@app\nclean clear\n",
      "fish": "@app\n@app\nclean clear\nEdit/Clear All\n", "zsh": "done\n",
    ]
    expect(run, is: Run(status: 0, out: out[shell] ?? "", err: ""))
  }

  @Test(
    "fish completes the names of the app on the line",
    .enabled(if: Program.isInstalled("fish"), "fish is not installed"))
  func fishNames() throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let run = try Program.shell(
      "fish",
      """
      cd \(folder.path)
      set -x PATH \(Program.folder) $PATH
      menuctl completions fish | source
      complete -C 'menuctl perform app.lua cl'
      complete -C 'menuctl pick app.lua Edit/Cl'
      complete -C 'menuctl load --budget 5 app.lua --press=ctrl'
      """)
    let found = run.out.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    expect(run.status == 0 && found == ["clean", "clear", "Edit/Clear All", "--press=ctrl+k"], "\(run)")
  }

  @Test(
    "The shells complete installed apps beside files, and the names of one",
    arguments: ["bash", "fish", "zsh"].filter(Program.isInstalled))
  func installedApps(_ shell: String) throws {
    let folder = try ScriptFolder(["data/menuctl/apps/gnotes/app.lua": Self.app, "gnu.lua": "", "other.lua": ""])
    let bash = """
      source <(menuctl completions bash)
      try() { COMP_WORDS=(menuctl "$@"); COMP_CWORD=$#; _menuctl; echo "${COMPREPLY[*]}"; }
      try perform gn; try perform oth; try perform gnotes cl; try stop gn
      """
    let fish = """
      menuctl completions fish | source
      for line in 'perform gn' 'perform gnotes cl' 'stop gn'
        string join ' ' (complete -C "menuctl $line" | string replace -r '\\t.*' '')
      end
      true
      """
    let zsh = """
      menuctl completions zsh >_menuctl || exit 1
      \(Self.zshBegun)
      zpty -w -n z $'menuctl perform gno\\t' && shows 'perform gnotes '
      zpty -w -n z $'\\x15menuctl perform oth\\t' && shows 'perform other.lua '
      zpty -w -n z $'\\x15menuctl pick gnotes Edit/Cl\\t' && shows 'Clear\\ All'
      zpty -d z
      print done
      """
    let script = try require(["bash": bash, "fish": fish, "zsh": zsh][shell])
    let enter =
      shell == "fish"
      ? "set -x PATH \(Program.folder) $PATH; set -x XDG_DATA_HOME $PWD/data"
      : "export PATH=\"\(Program.folder):$PATH\" XDG_DATA_HOME=$PWD/data"
    let run = try Program.shell(shell, "cd '\(folder.path)'\n\(enter)\n\(script)", shell == "zsh" ? ["-f"] : [])
    let out = [
      "bash": "gnotes gnu.lua\n\nclean clear\n\n", "fish": "gnotes gnu.lua\nclean clear\n", "zsh": "done\n",
    ]
    expect(run, is: Run(status: 0, out: out[shell] ?? "", err: ""))
  }

  @Test("An unknown shell is an error that names the known ones")
  func others() throws {
    try ToolCase(
      name: "csh", words: ["completions", "fsh"], status: 64,
      err: "menuctl: error: there are no completions for 'fsh'; did you mean 'fish'?\nbash, zsh or fish\n"
    ).check()
  }

  @Test("An action that its look hides now is missing in 'actions', stubs and completions")
  func hiddenActions() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      menubar { menu "M" { item "Seen" { "seen" }, item "Unseen" { "unseen" } } }
      function app.on:seen() end
      function app.on:unseen() end
      function app.look:unseen() return { hidden = true } end
      """
    ])
    for words in [["complete", "names", "app.lua"], ["complete", "actions", "app.lua"], ["actions", "app.lua"]] {
      let run = try Program.menuctl(words, folder: folder.path)
      expect(run.status == 0 && run.out.contains("seen") && !run.out.contains("unseen"), "\(run)")
    }
    // A reference to an element by its id uses its declaration.
    let stubs = try Program.menuctl(["stubs", "app.lua"], folder: folder.path)
    expect(stubs.out.contains("\"seen\"") && !stubs.out.contains("\"unseen\""), "\(stubs)")
  }
}
