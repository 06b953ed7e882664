// Working with scripts: tests, reloading, plugins, capabilities, limits.

extension Topic {
  static let tests = Topic(
    name: "tests", summary: "scripts that test scripts",
    text: """
      A file named '*_test.lua' beside a script tests it; 'menuctl test' runs all below the working folder. 'subject "app.lua"' names the script, and \
      each test gets a fresh host with it loaded. Without a subject a test has an empty app and may declare everything itself.

      ```lua
      function app.on:greet(ctx) return "Hello, " .. ctx.name end

      expect(app:perform("greet(name: Ada)").result):is("Hello, Ada")
      expect(app:validate("greet").enabled):is_true()
      expect(function() error("no") end):raises("no")
      ```

      'expect(v)' knows :is(x), :isnt(x), :is_true(), :is_false(), :is_nil(), :contains(x), :matches(pattern), :raises([pattern]) and \
      :is_near(x, tolerance). The clock is the test's: what waits takes no time.

      'menuctl test FILE:LINE' runs one test, '--filter TEXT' those with the text in their names, '--coverage' shows which items, handlers and reasons \
      were seen.
      """)

  static let repl = Topic(
    name: "repl", summary: "exploring an app, line by line",
    text: """
      'menuctl repl APP' loads an app and reads lines. A line of Lua sees the globals of the app's script: an expression is shown, a statement \
      run, what is not complete goes on in the next line. What the line changed in the menus is shown after it. '_' is the last value.

      - :perform REF, :pick ID, :why REF  and the like: the verbs of the tool, on the app as it is
      - :undo, :redo, :focus NAME  what a menu or a person would do
      - :record FILE, :save-test FILE  keep what was done, as a recording or a scripted test
      - ?NAME  what there is to read of a name of the language, a topic or a code
      - :help, :quit  the commands; leaving

      On a terminal lines are edited, completed with Tab and remembered. Where they come from a file or a pipe, only results go to stdout; the exit \
      status is the highest that a line would have had, and '--strict' ends at the first error.
      """)

  static let live = Topic(
    name: "live", summary: "an app that stays, and that several look at",
    text: """
      'menuctl serve APP' runs an app that stays. Wherever a verb takes APP it takes '@NAME' then, and asks the app that runs: what one changes the \
      others see. The name is the app's file or folder, or what '--name' says; '@PATH' names a socket.

      - menuctl serve photos --watch  an app that stays, loaded anew whenever it is saved
      - menuctl perform @photos 'rate(rating: 5)'  and load, menu, press, pick, validate, why, chain, context, actions, keys and check likewise
      - menuctl menu @photos --follow  the menus, and again whenever they changed
      - menuctl sessions  those that run: name, title, source, process, clients, since when
      - menuctl stop @photos  ends one; what waits is cancelled and taken back, as by Ctrl-C or a signal
      - menuctl serve photos --stdio  speaks the protocol with whoever started it, and ends with stdin

      The answers and the exit status are those of the verb; 66 where no such app runs. Options that say how an app is loaded are for 'serve'. Ctrl-C \
      cancels the action that a 'perform @NAME' waits for. SIGHUP loads the app anew. \
      One that is stopped, or busy for long, is listed with its process, and whoever asks it is told so after some seconds, with 1.

      A live app listens on a socket in '$XDG_RUNTIME_DIR/menuctl', which only its user can reach. Programs speak JSON-RPC 2.0 with it, a line for \
      each message: a request is {"jsonrpc": "2.0", "id": 1, "method": "perform", "params": {"ref": "rate(rating: 5)"}}, and after 'subscribe' what \
      happens is told. '--no-eval' leaves out the requests that run lines of Lua.
      """)

  static let recording = Topic(
    name: "recording", summary: "what was done to an app, and doing it again",
    text: """
      'menuctl record APP' takes the options of load, and writes what was done with what came of it, a line of JSON each; '--output FILE' says \
      where to. 'menuctl replay FILE' does it again and compares: the first difference is shown, and the exit status is 1. 'record --as-test' writes a \
      scripted test instead.

      What programs, files and the time of day gave is written down too, what 'app.store' held, and what 'math.random' began with. A replay gives it back: it runs nothing and asks for no grant. \
      The order of 'pairs' and 'next' is not: it is another each time that an app is loaded, so a script sorts what it shows of them.

      In the REPL ':record FILE' does the same for a session, and ':save-test FILE' writes the test.
      """)

  static let reload = Topic(
    name: "reload", summary: "loading a script anew while it runs",
    text: """
      'menuctl load APP --watch' loads the script anew whenever it is saved, and prints what changed in the menus. A script that does not load leaves \
      the old version running, with its state and focus.

      Focus, key and main window come back by name. Fields, undo, jobs, modal sessions and the strokes of a sequence are gone. 'app.keep' stays: a \
      table of plain data, one for each script and plugin.

      ```lua
      app.keep.opened = (app.keep.opened or 0) + 1
      ```
      """)

  static let plugins = Topic(
    name: "plugins", summary: "scripts that extend an app",
    text: """
      A plugin is a folder with plugin.lua, or a lone file, whose first statement is its manifest: 'plugin { name = "exporter", version = "1.0.0", \
      requires = { photos = ">=1" }, allow = { "fs.read" } }'. It has globals of its own, and everything that it registers goes when it is unloaded.

      Each plugin has its own layer on every responder of what it requires. Of 'provide', 'build', 'keys' and 'failed' all layers count; \
      of several that bind one key the latest wins. Of 'on', 'can', \
      'look', 'needs', 'unknown' and the other hooks the latest layer wins, and 'ctx:super()' calls the one below. A plugin reads the app's values \
      through the context; its fields are its own.

      It enters the chain with 'responder "x" { before = "grid" }': wherever a walk reaches grid, this one is asked first.

      '--plugin PATH' loads one, '--plugins DIR' says where bare names are looked up. 'menuctl plugin list|info|check|forget' tells of those that are \
      installed.
      """)

  static let capabilities = Topic(
    name: "capabilities", summary: "what a script may do outside of the host",
    text: """
      A script has no files, processes, network or environment. What it needs is granted by name, with '--allow CAPABILITY' or, for a plugin's 'allow', \
      by the user's consent:

      - fs.read=PATH  fs.read, fs.list, fs.stat below PATH; without PATH the script's own folder
      - fs.write=PATH  fs.write, fs.make, fs.remove, fs.rename below PATH
      - exec=PROGRAM  exec(program, arguments, options), which waits as 'sleep' does; with a '/' it is a path as above, without it is looked up in PATH
      - env=NAME  env(name)
      - clipboard  clipboard.get(), clipboard.set(text)
      - notify  notify(title, text)
      - open  open(url)

      Without the capability the call raises, names it, and the exit status is 77. What the system refuses is nil and a message.
      """)

  static let limits = Topic(
    name: "limits", summary: "what a script may spend",
    text: """
      Every load, action, pass and test has an allowance of time and instructions; memory is one sum for a host. A script that spends one is ended \
      wherever it is, and no 'pcall' catches that. The outcome is 'failed', 'error.limit' says which. Sleeping costs nothing: an action that waits \
      keeps what it has left, and has all of it again after a second.

      - a load  2 s
      - an action, or a pass over the menus  1 s
      - a test  10 s
      - tests, steps or options that spend theirs  5 in one call, then the rest is left
      - instructions of each  200 000 000, ten times as many for a test
      - memory of all scripts of a host  64 MiB
      - one table, string or stack  1 MiB
      - a script's source  128 KiB
      - what a program writes that 'exec' started  512 KiB to each of 'out' and 'err'
      - parts of a name, as in 'a.b[c.d]'  32
      - classes that build on each other  64
      - entries of a plugin's 'requires'  256
      - entries of a plugin's 'allow'  12
      - a text in a plugin's manifest  4 KiB
      - what a script prints and logs in one go  1 MiB

      What a script writes beyond that is left out until it is called again, and one line says so. A script that can't be ended because nothing interrupts \
      what it does ends with the tool, which names it: after 10 to 15 s of the processor's time, or two to three times what 'MENUCTL_PATIENCE' says in seconds.

      Sleeping costs nothing. '--timeout S', '--budget N' and '--memory MB' set other limits. A spent limit is the exit status 75.
      """)

  static let json = Topic(
    name: "json", summary: "answers for programs",
    text: """
      '--json' works on every verb that answers and prints one object, which is the only thing on stdout then; what scripts print goes to stderr. \
      It begins with '"menuctl": 1', the version of the format, and '"ok"'.

      - load  app, focus, chain, menus, outcomes, diagnostics
      - perform, press, pick  action, status, by, via, result, reason, error, changes, undo
      - validate  items: ref or id, enabled, reason, state, title, hidden, by
      - menu  menus
      - why  enabled, by, reason, steps, keys, text
      - chain  chain: name, owner, answer
      - context  context: for each key its value and by
      - actions  actions: name, title, help, by, via, takes, confirm, enabled, reason, keys, items, declared
      - keys  keys: key, ref, others, owner, conflict
      - test  passed, failed, skipped, tests: name, file, line, status, seconds, message

      An element has kind, id, title, and where they apply action, args, key, enabled, hidden, state, reason, by, icon, destructive, children. A \
      diagnostic has severity, code, message, file, line, column, help.

      What JSON can't say is an object with one field '$': functions, objects, cycles, NaN, bytes that are not UTF-8. An empty table is {}, one with \
      the keys 1 to n a list. A failure to load has '"ok": false' and the diagnostics.
      """)

  static let exitStatus = Topic(
    name: "exit-status", summary: "what the tool says to the shell",
    text: """
      - 0  yes, done, all passed
      - 1  an honest no: disabled, blocked, asks, pending, cancelled, tests failed, something exists already, a file among the plugins that is none
      - 64  the command line can't be understood, a malformed reference included
      - 65  the script does not load
      - 66  there is no such file
      - 69  nobody handled it
      - 70  a script raised while it ran
      - 75  a limit of time, instructions or memory was spent
      - 77  the sandbox refused
      - 130  interrupted

      Of several the highest decides. 'load', 'menu', 'why', 'chain', 'context', 'actions' and 'keys' are 0 if they could answer; 'validate' is 1 if something it \
      was asked about by name is disabled.
      """)

  static let colour = Topic(
    name: "colour", summary: "when the tool colours its text",
    text: """
      Colour is used on a terminal only, and nothing is told by colour alone. The first of these that speaks decides:

      - --color=auto|always|never  on the command line; auto goes on to the next
      - NO_COLOR  set to anything: no colour
      - CLICOLOR_FORCE  set to anything but 0: colour
      - TERM=dumb  no colour
      """)
}
