import Expectations
import Glibc
import Testing

// 'menuctl ui' at a real terminal, with a person in front of it.

@Suite("The face at a terminal", .enabled(if: Terminal.isPossible, "there are no terminals here"))
struct FaceTests {
  private static let app = """
    app.title = "Doors"
    state = {}
    print("loaded")
    menubar { menu "Door" { item "Open" { "open", key = "o" }, item "Close" { "close" }, item "Spin" { "spin", key = "s" } } }
    function app.on:open() state.isOpen = true return "it is open" end
    function app.can:close() return state.isOpen, "it is not open" end
    function app.on:close() end
    function app.on:spin() while true do end end
    """

  private func start(_ words: [String] = [], columns: Int = 60, rows: Int = 12) throws -> (Terminal, ScriptFolder) {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let terminal = try Terminal(
      ["ui", "app.lua", "--alone"] + words, columns: columns, rows: rows,
      environment: ["XDG_RUNTIME_DIR": folder.path, "SWIFT_BACKTRACE": "enable=no"], folder: folder.path)
    terminal.kept = folder
    return (terminal, folder)
  }

  private static func isThere(_ screen: TerminalScreen) -> Bool { screen.lines.first?.hasSuffix("Doors  ≡") ?? false }

  @Test("X3: After the end the terminal is as before, with the printed lines")
  func quits() throws {
    let (terminal, _) = try start()
    expect(terminal.waits(until: Self.isThere))
    expect(terminal.screen.modes.contains("1049") && terminal.screen.modes.contains("25"))
    expect(String(decoding: terminal.written, as: UTF8.self).contains("\u{1B}]2;Doors\u{7}"))
    terminal.type("o")
    expect(terminal.waits { $0.lines.last == " ✓ Open → it is open" })
    terminal.type("\u{3}\u{3}")
    expect(terminal.finish(), is: 0)
    expect(terminal.screen.modes, is: [])
    expect(String(decoding: terminal.written, as: UTF8.self).contains("\u{1B}[23;2t"))
    expect(terminal.screen.text, is: "loaded")
    expect(terminal.screen.unknown, is: [])
  }

  @Test(
    "X3: A signal that ends the face restores the terminal",
    arguments: [(SIGTERM, 0), (SIGINT, 130)]
      + [SIGSEGV, SIGABRT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGPROF, SIGXCPU, SIGIO, 34, 64]
      // A sanitizer handles the first signal.
      .filter { $0 != SIGSEGV || !isSanitized }.map { ($0, -$0) }
      as [(Int32, Int32)])
  func ends(signal: Int32, status: Int32) throws {
    let (terminal, _) = try start()
    expect(terminal.waits(until: Self.isThere))
    kill(terminal.id, signal)
    expect(terminal.finish(), is: status)
    expect(terminal.screen.modes, is: [])
    expect(terminal.screen.lines.first, is: "loaded")
  }

  @Test("X3: A stopped face returns the terminal, and takes it again when it continues")
  func suspends() throws {
    let (terminal, _) = try start()
    expect(terminal.waits(until: Self.isThere))
    kill(terminal.id, SIGTSTP)
    // Nothing here could wake it, so it continues at once, with a redrawn screen.
    let before = terminal.written.count
    expect(
      terminal.waits { _ in String(decoding: terminal.written[before...], as: UTF8.self).contains("\u{1B}[?1049l") })
    expect(terminal.waits(until: Self.isThere))
    terminal.type("o")
    expect(terminal.waits { $0.lines.last == " ✓ Open → it is open" })
    kill(terminal.id, SIGTERM)
    expect(terminal.finish(), is: 0)
    expect(terminal.screen.modes, is: [])
  }

  @Test("X3: The face redraws after a resize, in any state")
  func resizes() throws {
    let (terminal, _) = try start()
    expect(terminal.waits(until: Self.isThere))
    terminal.type("\u{1B}[21~")
    expect(terminal.waits { $0.text.contains("┌") })
    for (columns, rows) in [(40, 8), (20, 6), (3, 2), (100, 30)] {
      terminal.resize(columns: columns, rows: rows)
      expect(terminal.waits { columns < 20 ? !$0.text.isEmpty : $0.text.contains("Open") && $0.text.contains("┘") })
    }
    kill(terminal.id, SIGTERM)
    expect(terminal.finish(), is: 0)
  }

  @Test("X3: When the terminal closes the face ends, and its session too", arguments: [0, 1, 5, 20, 100, 400])
  func hangsUp(milliseconds: UInt32) throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let terminal = try Terminal(
      ["ui", "app.lua", "--name", "doors"], environment: ["XDG_RUNTIME_DIR": folder.path], folder: folder.path)
    usleep(1000 * milliseconds)
    let status = terminal.hangUp()
    // Before the face has the terminal, it ends like any program.
    expect(status != -SIGKILL)
    try expect(
      Program.menuctl(["sessions"], environment: ["XDG_RUNTIME_DIR": folder.path], folder: folder.path).out,
      is: "no live app runs\n")
  }

  @Test("X2: The face asks the terminal for its features, and reads the keys in its encoding")
  func keyboard() throws {
    let (terminal, _) = try start()
    expect(terminal.waits(until: Self.isThere))
    terminal.type("\u{1B}[?1u\u{1B}[?2026;2$y\u{1B}[?62c")
    terminal.type("\u{1B}[21~")
    expect(terminal.waits { $0.text.contains("Spin") && $0.text.contains("┌") })
    terminal.type("\u{1B}[27u\u{1B}[112;5u")
    expect(terminal.waits { $0.text.contains("› ") })
    let written = String(decoding: terminal.written, as: UTF8.self)
    expect(written.contains("\u{1B}[>1u") && !written.contains("\u{1B}[>4;2m"))
    expect(written.contains("\u{1B}[?2026h"))
    kill(terminal.id, SIGTERM)
    expect(terminal.finish(), is: 0)
    expect(String(decoding: terminal.written, as: UTF8.self).contains("\u{1B}[<u"))
    let (other, _) = try start()
    expect(other.waits(until: Self.isThere))
    other.type("\u{1B}[?62c")
    expect(other.waits { _ in String(decoding: other.written, as: UTF8.self).contains("\u{1B}[>4;2m") })
    kill(other.id, SIGTERM)
    expect(other.finish(), is: 0)
    expect(String(decoding: other.written, as: UTF8.self).contains("\u{1B}[>4m"))
  }

  @Test("S14: Replies of a terminal after an early end don't reach the shell", arguments: [false, true])
  func repliesLate(isSignal: Bool) throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let words = """
      \(isSignal ? "timeout --foreground 0.3" : "") '\(Program.folder)/menuctl' ui app.lua --alone
      stty -icanon -echo min 0 time 5; printf 'left:[%s]' "$(dd bs=100 count=1 2>/dev/null | cat -v)"
      """
    let terminal = try Terminal(
      ["-c", words], columns: 60, rows: 12, program: "/bin/sh", environment: ["XDG_RUNTIME_DIR": folder.path],
      folder: folder.path)
    func wrote(_ text: String) -> Bool { String(decoding: terminal.written, as: UTF8.self).contains(text) }
    expect(terminal.waits { _ in wrote("\u{1B}[c") })
    if !isSignal { terminal.type("\u{3}\u{3}") }
    expect(terminal.waits { _ in wrote("\u{1B}[?1049l") })
    usleep(50_000)
    terminal.type("\u{1B}[?1u\u{1B}[?2026;2$y\u{1B}[?62;4c")
    expect(terminal.waits { $0.text.contains("left:[]") }, "\(terminal.screen.text)")
    expect(terminal.finish(), is: 0)
  }

  @Test("X8: While a script runs endlessly a person can look around, and ctrl+c ends it")
  func busy() throws {
    let (terminal, _) = try start(["--timeout", "600", "--budget", "1000000000000"])
    expect(terminal.waits(until: Self.isThere))
    terminal.type("s")
    expect(terminal.waits { $0.lines.last == " … the app is busy; ctrl+c ends what runs" })
    terminal.type("\u{1B}[21~")
    expect(terminal.waits { $0.text.contains("│   Close") })
    terminal.type("\u{3}")
    expect(
      terminal.waits {
        $0.lines.last?.hasPrefix(" ✗ Spin: ") ?? false || $0.lines.last?.hasPrefix(" ! Spin: ") ?? false
      })
    terminal.type("o")
    expect(terminal.waits { $0.lines.last == " ✓ Open → it is open" })
    kill(terminal.id, SIGTERM)
    expect(terminal.finish(), is: 0)
  }

  @Test(
    "Keys that come in one read act one by one: a question, its button and the action are about one row")
  func oneRead() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      app.title = "Rows"
      state = {}
      panel { section "rows" {
        items = function() return { "one", "two", "three" } end, id = function(name) return name end, current = "look",
        row = function(name) return item(name) { "open", args = { name = name } } end,
      } }
      menubar { menu "Edit" { item "Delete" { "delete", key = "d", destructive = true } } }
      function app.on:look(ctx) state.current = ctx.name end
      function app.on:open() end
      function app.look:delete() return { title = "Delete " .. tostring(state.current) } end
      app.confirm.delete = function() return "Delete " .. tostring(state.current) .. " for good?" end
      function app.on:delete() return state.current .. " is gone" end
      """
    ])
    let terminal = try Terminal(["ui", "app.lua", "--alone"], columns: 60, rows: 12, folder: folder.path)
    expect(terminal.waits { $0.lines.first?.hasSuffix("Rows  ≡") ?? false })
    terminal.type("\u{1B}[B\u{1B}[B\u{1B}[Bd")
    expect(terminal.waits { $0.text.contains("Delete three for good?") && $0.text.contains("[ ! Delete three ]") })
    terminal.type("n\u{1B}[Ady")
    expect(terminal.waits { $0.lines.last == " ✓ Delete two → two is gone" }, "\(terminal.screen.text)")
    terminal.type("\u{3}\u{3}")
    expect(terminal.finish(), is: 0)
  }

  @Test("X1: A lone escape is a key also while the app sends many notifications")
  func escapes() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      app.title = "Doors"
      menubar { menu "Door" { item "Paint" { "paint", key = "p" } } }
      function app.on:paint() for n = 1, 30000 do progress(n / 30000, "stroke " .. n) sleep(0.01) end end
      """
    ])
    let terminal = try Terminal(
      ["ui", "app.lua", "--alone"], columns: 60, rows: 12, environment: ["XDG_RUNTIME_DIR": folder.path],
      folder: folder.path)
    expect(terminal.waits(until: Self.isThere))
    terminal.type("p")
    expect(terminal.waits { $0.lines.last?.hasSuffix("esc esc cancels") ?? false })
    terminal.type("\u{10}")
    expect(terminal.waits { $0.text.contains("› ") })
    terminal.type("\u{1B}")
    // Usually the face waits for silence, and here there is none: it counts time.
    expect(Self.comes(terminal) { !$0.text.contains("› ") })
    // The two escapes are separate strokes within a second.
    let isCancelled = (0..<20).contains { _ in
      terminal.type("\u{1B}")
      return Self.comes(terminal, within: 0.4) { $0.text.contains("it was cancelled") }
    }
    expect(isCancelled, "\(terminal.screen.text)")
    terminal.type("\u{3}\u{3}")
    expect(terminal.finish(), is: 0)
  }

  /// Returns true if a text appears within so many seconds, also during many writes.
  private static func comes(_ terminal: Terminal, within seconds: Double = 20, _ isSeen: (TerminalScreen) -> Bool)
    -> Bool
  {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while clock.now < end, !isSeen(terminal.screen) { terminal.reads(bytes: 4096, every: 5) }
    return isSeen(terminal.screen)
  }

  @Test("A save loads at once, and an error in it is shown above the old version")
  func saves() throws {
    let (terminal, folder) = try start()
    expect(terminal.waits(until: Self.isThere))
    try folder.write("app.lua", Self.app.replacing("\"Doors\"", with: "\"Gates\""))
    expect(terminal.waits { $0.lines.first?.hasSuffix("Gates  ≡") ?? false })
    try folder.write("app.lua", Self.app + "\n(")
    expect(terminal.waits { $0.text.contains("Not reloaded: the old version is still running") })
    kill(terminal.id, SIGTERM)
    expect(terminal.finish(), is: 0)
  }

  @Test("L2: The face shows a live app of another process, and ends when that ends")
  func live() throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let runtime = ["XDG_RUNTIME_DIR": folder.path]
    let first = try Terminal(
      ["ui", "app.lua", "--name", "doors"], columns: 60, rows: 12, environment: runtime, folder: folder.path)
    expect(first.waits(until: Self.isThere))
    let second = try Terminal(["ui", "@doors"], columns: 60, rows: 12, environment: runtime, folder: folder.path)
    expect(second.waits(until: Self.isThere))
    expect(second.screen.text.contains("it is not open"))
    first.type("o")
    expect(second.waits { !$0.text.contains("it is not open") })
    // A taken name doesn't prevent the start.
    let third = try Terminal(
      ["ui", "app.lua", "--name", "doors"], columns: 90, rows: 12, environment: runtime, folder: folder.path)
    expect(third.waits { $0.lines.last?.hasSuffix("; to see it: menuctl ui @doors") ?? false })
    third.type("\u{3}\u{3}")
    expect(third.finish(), is: 0)
    first.type("\u{3}\u{3}")
    expect(first.finish(), is: 0)
    expect(second.finish(), is: 0)
    expect(second.screen.text, is: "menuctl: note: the live app has ended")
    expect(second.screen.modes, is: [])
  }

  @Test("A wrong call is an error without a screen")
  func refused() throws {
    let (wrong, _) = try start(["--keys", "palete=f9"], columns: 100)
    expect(wrong.finish(), is: 64)
    expect(wrong.screen.text.contains("'ui' has no command 'palete'; did you mean 'palette'?"))
    let (both, _) = try start(["--keys", "log=ctrl+p"], columns: 100)
    expect(both.finish(), is: 64)
    expect(both.screen.text.contains("'--keys': 'ctrl+p' would be both 'palette' and 'log'"))
    let (odd, _) = try start(["--theme", "drak"], columns: 100)
    expect(odd.finish() == 64 && odd.screen.text.contains("there is no theme 'drak'; did you mean 'dark'?"))
    let folder = try ScriptFolder(["app.lua": "error('no')"])
    let failing = try Terminal(["ui", "app.lua", "--alone"], folder: folder.path)
    expect(failing.finish(), is: 65)
    expect(failing.screen.text.contains("app.lua:1: error: no"))
    expect(failing.screen.unknown, is: [])
    for (words, status) in [
      (["ui", "@nobody"], 66), (["ui", "-"], 64), (["ui", "app.lua", "--screenshot", "80"], 64),
      (["ui", "app.lua", "--screenshot", "80x24:crtl+p"], 64), (["ui", "app.lua", "--screenshot", "80x2400"], 64),
    ] as [([String], Int32)] {
      try expect(
        Program.menuctl(words, environment: ["XDG_RUNTIME_DIR": folder.path], folder: folder.path).status, is: status,
        "\(words)")
    }
  }

  @Test("X7: If stdout is no terminal, the face works in lines, until the end of stdin")
  func lines() throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let run = try Program.menuctl(
      ["ui", "app.lua", "--alone"], stdin: "1\n2\n1\n2", environment: ["XDG_RUNTIME_DIR": folder.path],
      folder: folder.path)
    expect(
      run.out,
      is: """
        loaded
        Doors
          1  Door, menu
        > 1
        Door
          1  Open, key o
          2  Close, not now: it is not open
          3  Spin, key s
        > 2
        not done: Close: it is not open
        > 1
        done: Open → it is open
        > 2
        done: Close

        """)
    expect(run.status == 0 && run.err.isEmpty)
    let terminal = try Terminal(
      ["ui", "app.lua", "--alone", "--plain"], environment: ["XDG_RUNTIME_DIR": folder.path], folder: folder.path)
    expect(terminal.waits { $0.lines.last == ">" })
    terminal.type("1\r")
    expect(terminal.waits { $0.lines.suffix(2) == ["  3  Spin, key s", ">"] })
    terminal.type("quit\r")
    expect(terminal.finish(), is: 0)
  }

  @Test("P19: ctrl+e opens a form's text in the person's editor, which gets the terminal, and the text comes back")
  func editor() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      app.title = "Commits"
      menubar { menu "M" { item "Commit" { "commit", key = "c" } } }
      app.takes.commit = { message = { "string", lines = 3 } }
      function app.on:commit(ctx) return ctx.message end
      """,
      "editor": "test -t 0 && test -t 1 && printf '%s, edited\\n\\n' \"$(cat \"$2\")\" >$2; exit $1",
    ])
    let terminal = try Terminal(
      ["ui", "app.lua", "--alone"], columns: 60, rows: 14,
      environment: ["XDG_RUNTIME_DIR": folder.path, "EDITOR": "sh \(folder.path)/editor 0"], folder: folder.path)
    expect(terminal.waits { $0.lines.first?.hasSuffix("Commits  ≡") ?? false })
    terminal.type("ca text")
    expect(terminal.waits { $0.lines.contains { $0.contains("› a text") } })
    terminal.type("\u{5}")
    expect(terminal.waits { $0.lines.contains { $0.contains("› a text, edited") } }, "\(terminal.screen.lines)")
    terminal.type("\u{1B}\r")
    expect(terminal.waits { $0.lines.last == " ✓ Commit → a text, edited" }, "\(terminal.screen.lines)")
    terminal.type("\u{3}\u{3}")
    expect(terminal.finish(), is: 0)
    let failing = try Terminal(
      ["ui", "app.lua", "--alone"], columns: 60, rows: 14,
      environment: ["XDG_RUNTIME_DIR": folder.path, "EDITOR": "sh \(folder.path)/editor 1"], folder: folder.path)
    expect(failing.waits { $0.lines.first?.hasSuffix("Commits  ≡") ?? false })
    failing.type("ca\u{5}")
    expect(failing.waits { $0.lines.contains { $0.contains("'sh' ended with an error") } }, "\(failing.screen.lines)")
    failing.type("\u{3}\u{3}")
    expect(failing.finish(), is: 0)
  }

  @Test("X7: A face of lines waits a moment for the app's start")
  func linesAfterStart() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      app.title = "Reads"
      local lines = { "nothing yet" }
      panel { section "s" { items = function() return lines end, row = function(line) return item(line) { "go" } end } }
      function app:start() sleep(0.3) lines = { "all is read" } end
      function app.on:go() return "gone" end
      """
    ])
    let run = try Program.menuctl(
      ["ui", "app.lua", "--alone", "--plain"], stdin: "1\n", environment: ["XDG_RUNTIME_DIR": folder.path],
      folder: folder.path)
    expect(run.out.contains("  1  all is read") && !run.out.contains("nothing yet"), "\(run.out)")
    expect(run.out.contains("done: all is read → gone") && run.status == 0, "\(run.out)")
  }

  @Test(
    "X7: If stdin, stdout or stderr is closed the face ends, and uses none of its files in their place",
    arguments: ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
  func closed(how: String) throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let run = try Program.shell(
      "sh",
      """
      cd \(folder.path); export XDG_RUNTIME_DIR=\(folder.path)
      timeout 20 '\(Program.folder)/menuctl' ui app.lua --alone \(how); status=$?
      [ $status -ne 124 ] && [ $status -lt 128 ]
      """)
    expect(run.status, is: 0, "\(run.err)")
  }

  @Test("X9, A10: The keys of a picture answer a question in the middle of an action")
  func pictureOfAnswer() throws {
    let script =
      "function app.on:burn() return ask { confirm = 'Burn it?' } and 'burnt' or 'kept' end app.keys.b = 'burn'"
    let folder = try ScriptFolder(["app.lua": script])
    let run = try Program.menuctl(["ui", "app.lua", "--screenshot", "40x6:b right enter"], folder: folder.path)
    expect(run.out.contains("✓ burn → burnt"), "\(run)")
  }

  @Test("K12: After a digit, the face's own keys work, and the count is gone")
  func keysAfterCount() throws {
    let script = """
      local list = responder "list" { counts = true } list.keys.j = "down"
      function list.on:down(ctx) return "down " .. tostring(ctx.count) end
      function list.on:open() return "opened" end
      panel { pane "list" { responder = list, item "a" { "open" }, item "b" { "open" } } }
      """
    let folder = try ScriptFolder(["app.lua": script])
    func screen(_ keys: String) throws -> String {
      try Program.menuctl(["ui", "app.lua", "--screenshot", "60x10:\(keys)"], folder: folder.path).out
    }
    expect(try screen("4 j").contains("down 4"))
    expect(try screen("4 enter").contains("opened"))
    let after = try screen("4 ctrl+p escape j")
    expect(after.contains("down nil"), "\(after)")
  }

  @Test("K9: A stroke that a responder removes is the face's again, and f1 doesn't list it")
  func removedStroke() throws {
    let script = """
      local far = responder "far" local near = responder "near" near.next = far
      far.keys["ctrl+p"] = "zap" far.keys.f5 = "zap" near.keys["ctrl+p"] = false near.keys.f5 = false
      far.about.zap = { title = "Zap" }
      function far.on:zap() end
      panel { item "Row" { "zap" } }
      focus(near)
      """
    let folder = try ScriptFolder(["app.lua": script])
    let palette = try Program.menuctl(["ui", "app.lua", "--screenshot", "60x12:ctrl+p"], folder: folder.path)
    expect(palette.out.contains("›") && palette.out.contains("of 1"), "\(palette.out)")
    let keys = try Program.menuctl(["ui", "app.lua", "--screenshot", "60x40:f1"], folder: folder.path)
    expect(!keys.out.contains("f5"), "\(keys.out)")
  }

  @Test("X9: A picture is the screen after those keys, as text or as an SVG")
  func pictures() throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let run = try Program.menuctl(["ui", "app.lua", "--screenshot", "40x8:f10 down"], folder: folder.path)
    expect(
      run.err == "loaded\n"
        && run.out == """
           Door                          Doors  ≡
          ┌────────────────────────────┐
          │   Open                   o │
          │   Close  it is not open    │
          │   Spin                   s │ open
          └────────────────────────────┘

           enter does it   ? why   esc closes

          """
    )
    let svg = try Program.menuctl(
      ["ui", "app.lua", "--screenshot", "40x8:f10", "--screenshot-to", "a.svg"], folder: folder.path)
    expect(svg.status == 0 && svg.out.isEmpty)
    let picture = try folder.text("a.svg")
    expect(picture.hasPrefix("<svg ") && picture.hasSuffix("</svg>\n") && picture.contains(">Close</text>"))
    expect(picture.contains("fill=\"#1b1f27\""))
    let light = try Program.menuctl(
      ["ui", "app.lua", "--theme", "light", "--screenshot", "40x8:f10", "--screenshot-to", "a.svg"], folder: folder.path
    )
    expect(light.status, is: 0)
    try expect(folder.text("a.svg").contains("fill=\"#fbfbfa\"") && !folder.text("a.svg").contains("#1b1f27"))
    try folder.write(
      "c.lua", "panel { item 'a' { 'go' }, item { 'go', title = span('red', '#ff0000') } } function app.on:go() end")
    for (words, environment, hasRed) in [
      ([], [:], true), ([], ["NO_COLOR": "1"], false), (["--color", "never"], [:], false),
      (["--color", "always"], ["NO_COLOR": "1"], true),
    ] as [([String], [String: String], Bool)] {
      _ = try Program.menuctl(
        ["ui", "c.lua", "--screenshot", "40x8", "--screenshot-to", "c.svg"] + words, environment: environment,
        folder: folder.path)
      try expect(folder.text("c.svg").contains("#ff0000"), is: hasRed, "\(words) \(environment)")
    }
    // Blocks are drawn without the gaps that a font's letters leave.
    try folder.write("b.lua", "panel { stack { text 't' { lines = { '\u{2580}' } } } }")
    _ = try Program.menuctl(["ui", "b.lua", "--screenshot", "40x8", "--screenshot-to", "b.svg"], folder: folder.path)
    try expect(folder.text("b.svg").contains("height=\"9.5\""))
  }

  @Test("X9: A picture waits a moment for running actions; longer ones are shown as they are")
  func picturesOfJobs() throws {
    let folder = try ScriptFolder([
      "app.lua": """
      app.title = "Reads"
      local lines = { "nothing yet" }
      panel { section "s" { items = function() return lines end, row = function(line) return label(line) end } }
      function app:start() sleep(0.3) lines = { "all is read" } end
      app.keys = { w = "work", n = "nap" }
      function app.on:work() sleep(0.2) return "worked" end
      function app.on:nap() sleep(60) end
      """
    ])
    func shot(_ keys: String) throws -> String {
      try Program.menuctl(["ui", "app.lua", "--screenshot", "50x8\(keys)"], folder: folder.path).out
    }
    try expect(shot("").contains("all is read"))
    try expect(shot(":w").contains(" ✓ work → worked"))
    try expect(shot(":n").contains(" nap goes on"))
  }
}
