import Testing

@Test("Help and version", arguments: helps)
func help(_ toolCase: ToolCase) throws { try toolCase.check() }

/// Every verb.
private let verbs = """
    load APP                  run the script and show the app
    menu APP [ID]             show one menu or all, validated
    perform APP REF           perform one action and show its outcome
    press APP KEY…            press keys one after the other, and show the outcome of the last
    pick APP [ID]             pick an item as a person does, and show its outcome
    validate APP [REF|ID…]    show whether actions or items can be done now, and why not; by default all items
    why APP REF|ID|KEY        show why an action, an item or a key can be done or can't, and which responder gets it
    chain APP [REF|ID]        show the responder chain; with a reference, the answer of each
    context APP [REF|ID]      show the context and who supplied each key; with a reference, its arguments too
    actions APP [REF|ID]      show every action that can be reached now, its arguments, its responder, and why not
    keys APP                  show every key, its action, its owner, and conflicts
    check APP                 find likely mistakes in an app, without performing anything; 'help CODE' explains
    test [PATH…]              run the tests of *_test.lua below the paths, the working folder by default; FILE:LINE runs one
    repl [APP]                explore an app: lines of Lua, and commands that begin with ':'
    record APP                do what the options say, and write each step with its outcome, as JSON lines or as a test
    replay FILE [APP]         replay a recording against an app and show the first difference
    plugin TASK [NAME] [APP]  list plugins; info or check one, with its app; forget its grants
    ui APP                    open an app in the terminal
    serve APP                 run an app as a live session that other commands reach as @NAME
    mcp APP                   let an assistant use an app's menus, over the Model Context Protocol
    sessions                  list the live apps that run
    stop @NAME                end a live app: cancel waiting actions and undo what they did
    apps                      list the installed apps, which every verb takes by name
    new NAME                  create an app with a test and editor settings
    stubs [APP]               write annotations for editors (LuaCATS): the language, and an app's own names
    completions SHELL         write the completions of a shell: bash, zsh or fish
    help [VERB|TOPIC|CODE]    explain a verb, a topic, a name of the script language or the code of a diagnostic
    version                   show the version
  """

/// The options of every verb that loads a script.
private let loading = """
    --yes               answer yes to every confirmation
    --plugin PATH       load a plugin, by its path or its name; can be repeated
    --plugins DIR       look for plugins in this folder too; can be repeated
    --keymap FILE       bind keys as this file says, before the app's own
    --allow CAPABILITY  grant scripts fs.read, fs.write (=PATH), exec=PROGRAM, env=NAME, clipboard, notify or open; can be repeated
    --set KEY=VALUE     set app.settings.KEY for the script; can be repeated
    --memory MB         let scripts use MB megabytes of memory, 64 by default
    --source KB         let a script be KB kilobytes long, 128 by default
    --budget N          let a load or an action run N instructions, 200000000 by default
    --timeout S         let a load or an action run S seconds, 2 and 1 by default
    --json              answer with one JSON object
    --color WHEN        colour the text: auto (the default), always or never
    --log LEVEL         show what scripts log at this level and above: debug, info, warn (the default) or error
    --help              show this help
  """

private let helps: [ToolCase] = [
  ToolCase(
    name: "help", words: ["help"],
    out: """
      menuctl runs a script of menu commands and shows what it does.

      usage: menuctl VERB APP [ARGUMENTS] [OPTIONS]

      \(verbs)

      APP is a script, a folder with app.lua, or - for stdin. REF is an action with its arguments: export(format: jpeg).
      'menuctl help VERB' shows a verb's options, 'menuctl help topics' what else there is to read.

      """),
  ToolCase(
    name: "--help", words: ["--help"],
    out: """
      menuctl runs a script of menu commands and shows what it does.

      usage: menuctl VERB APP [ARGUMENTS] [OPTIONS]

      \(verbs)

      APP is a script, a folder with app.lua, or - for stdin. REF is an action with its arguments: export(format: jpeg).
      'menuctl help VERB' shows a verb's options, 'menuctl help topics' what else there is to read.

      """),
  ToolCase(
    name: "help of a verb", words: ["help", "perform"],
    out: """
      usage: menuctl perform APP REF [OPTIONS]

      perform one action and show its outcome

        --choose ROW       make a row of the panel current first; can be repeated
        --from NAME        begin the walk at this responder
        --to NAME          ask this responder alone
        --arg KEY=VALUE    add an argument, or replace the reference's; can be repeated
        --skip-validation  skip 'needs' and 'can'
        --trace            show which responders the host asks, and their answers

      \(loading)

      """),
  ToolCase(
    name: "--help of a verb", words: ["load", "--help"],
    out: """
      usage: menuctl load APP [OPTIONS]

      run the script and show the app

        ✓ ✗         it is enabled, or disabled with the reason behind it
        • –         it is on, or partly
        choose + 1  the item performs 'choose' with one argument more than is shown, from its 'args'
        #Edit/Undo  its id, if it differs from the titles: menuctl pick APP Edit/Undo
        (alt: …)    the item that alt shows instead
        ▸           the responder with the focus, which comes first

        --perform REF  perform an action first; can be repeated
        --press KEYS   press keys first, as "g g"; can be repeated
        --pick ID      pick an item first; can be repeated
        --choose ROW   make a row of the panel current first; can be repeated
        --focus NAME   give a responder the focus first; can be repeated
        --eval LUA     evaluate a line of Lua first; can be repeated
        --watch        load the app again whenever you save it, and show what changed

      \(loading)

      """),
  ToolCase(
    name: "help of a verb with options of its own", words: ["test", "--help"],
    out: """
      usage: menuctl test [PATH…] [OPTIONS]

      run the tests of *_test.lua below the paths, the working folder by default; FILE:LINE runs one

        --filter TEXT     run the tests that have this in their name
        --fail-fast       stop at the first test that fails
        --jobs N          run N tests at once, by default one for each processor
        --shuffle[=SEED]  run the tests in a random order, always the same for a seed
        --reporter FORM   write the results as pretty (the default), tap, junit or json
        --coverage        show which items, handlers and reasons of their subjects the tests saw
        --min-coverage N  fail if the tests saw less than N percent of them
        --timeout S       let a test run S seconds, 10 by default, and an action a tenth of them, 1 at most
        --budget N        let a load or an action run N instructions, 200000000 by default, and a test ten times as many

        --allow CAPABILITY  grant scripts fs.read, fs.write (=PATH), exec=PROGRAM, env=NAME, clipboard, notify or open; can be repeated
        --set KEY=VALUE     set app.settings.KEY for the script; can be repeated
        --memory MB         let scripts use MB megabytes of memory, 64 by default
        --source KB         let a script be KB kilobytes long, 128 by default
        --json              answer with one JSON object
        --color WHEN        colour the text: auto (the default), always or never
        --log LEVEL         show what scripts log at this level and above: debug, info, warn (the default) or error
        --help              show this help

      """),
  ToolCase(
    name: "--help with a verb after it", words: ["--help", "why"],
    out: """
      usage: menuctl why APP REF|ID|KEY [OPTIONS]

      show why an action, an item or a key can be done or can't, and which responder gets it

        --choose ROW  make a row of the panel current first; can be repeated
        --as KIND     read the argument as an id, a key or a reference

      \(loading)

      """),
  ToolCase(
    name: "version", words: ["version"],
    out: """
      menuctl 0.1.0

      """),
  ToolCase(
    name: "version as JSON", words: ["version", "--json"],
    out: """
      {"menuctl": 1, "ok": true, "version": "0.1.0"}

      """),
  ToolCase(
    name: "--version", words: ["--version"],
    out: """
      menuctl 0.1.0

      """),
]
