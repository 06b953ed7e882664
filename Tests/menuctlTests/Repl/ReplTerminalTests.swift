import Expectations
import Glibc
import Testing

/// The REPL in its terminal, with a person who types and looks at the screen.
@Suite(.enabled(if: Terminal.isPossible, "there are no terminals here"))
struct ReplTerminalTests {
  /// The folder of the history, for as long as a session uses it.
  final class State {
    let folder: ScriptFolder

    init() throws { folder = try ScriptFolder([:]) }

    var path: String { "\(folder.path)/menuctl/history" }
    var history: String? { try? folder.text("menuctl/history") }

    deinit {
      unlink(path)
      rmdir("\(folder.path)/menuctl")
    }
  }

  /// A session, and the person at its terminal.
  final class Person {
    let terminal: Terminal
    let state: State

    init(
      _ words: [String] = [], state: State? = nil, columns: Int = 60, rows: Int = 16,
      environment: [String: String] = [:]
    ) throws {
      let state = try state ?? State()
      self.state = state
      terminal = try Terminal(
        ["repl"] + words, columns: columns, rows: rows,
        environment: ["XDG_STATE_HOME": state.folder.path].merging(environment) { $1 })
    }

    /// Types, and waits until the screen ends with a text.
    func type(_ keys: String, untilEndsWith end: String, _ location: SourceLocation = #_sourceLocation) {
      terminal.type(keys)
      see(end, location)
    }

    func see(_ end: String, _ location: SourceLocation = #_sourceLocation) {
      expect(terminal.waits { $0.text.hasSuffix(end) }, "\(terminal.screen.text)", sourceLocation: location)
    }

    /// Resizes the terminal, types, and waits until a screen of that size ends with a text.
    func resize(columns: Int, rows: Int, keys: String, untilEndsWith end: String) {
      let before = terminal.written.count
      let line = open("/proc/\(terminal.id)/fd/0", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
      expect(ioctl(line, UInt(TIOCSWINSZ), &size), is: 0)
      close(line)
      var shown = ""
      let isSeen = terminal.waits { [terminal] _ in
        var screen = TerminalScreen(columns: columns, rows: rows)
        screen.feed(terminal.written[before...])
        shown = screen.text
        return shown.contains("four'")
      }
      expect(isSeen, "\(shown)")
      terminal.type(keys)
      let isEntered = terminal.waits { [terminal] _ in
        var screen = TerminalScreen(columns: columns, rows: rows)
        screen.feed(terminal.written[before...])
        shown = screen.text
        return shown.hasSuffix(end)
      }
      expect(isEntered, "\(shown)")
    }

    func leave(_ location: SourceLocation = #_sourceLocation) {
      terminal.type("\u{4}")
      expect(terminal.finish(), is: 0, sourceLocation: location)
      expect(terminal.screen.unknown.isEmpty, sourceLocation: location)
    }
  }

  @Test("A line is echoed, edited and evaluated, and Ctrl-D leaves")
  func editing() throws {
    let person = try Person()
    person.see(">")
    person.type("1 + 1\r", untilEndsWith: "> 1 + 1\n2\n>")
    // Home, forward over a wide character and a mark, backspace, end.
    person.type("'星é' .. 2\u{1}\u{1B}[C\u{1B}[C\u{1B}[Cx\u{7F}\u{5}2\r", untilEndsWith: "> '星é' .. 22\n\"星é22\"\n>")
    person.leave()
    expect(person.terminal.screen.lines.first, is: "> 1 + 1")
  }

  @Test(
    "Entries return with the arrows and Ctrl-R, also in the next session, and with all of their lines")
  func history() throws {
    let state = try State()
    let first = try Person(state: state)
    first.see(">")
    first.type("x = 20\r", untilEndsWith: "\n>")
    first.type("function f(n)\r", untilEndsWith: "…")
    first.type("return n + 1\r", untilEndsWith: "…")
    first.type("end\r", untilEndsWith: "\n>")
    first.type("\u{1B}[A\u{1B}[A\r", untilEndsWith: "> x = 20\n>")
    first.leave()
    expect(state.history, is: "x = 20\nfunction f(n)\\nreturn n + 1\\nend\nx = 20\n")
    let second = try Person(state: state)
    second.see(">")
    second.type("\u{1B}[A\u{1B}[A", untilEndsWith: "> function f(n)\n… return n + 1\n… end")
    second.type("\r", untilEndsWith: "end\n>")
    second.type("f(1)\r", untilEndsWith: "\n2\n>")
    second.type("\u{12}x = \r", untilEndsWith: "> x = 20\n>")
    second.leave()
  }

  @Test("The history file is readable by its owner only, and keeps the last 2,000 entries")
  func historyFile() throws {
    let state = try State()
    let first = try Person(state: state)
    first.see(">")
    first.type("1\r", untilEndsWith: "1\n>")
    first.leave()
    var status = stat()
    expect(stat(state.path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
    try Project.write((1...2100).map { "n = \($0)\n" }.joined(), to: state.path)
    let second = try Person(state: state)
    second.see(">")
    second.type("last = 1\r", untilEndsWith: "\n>")
    second.leave()
    let lines = (state.history ?? "").split(separator: "\n")
    expect(lines.count, is: 2000)
    expect(lines.first, is: "n = 102")
    expect(lines.last, is: "last = 1")
  }

  @Test("Tab completes globals, fields, actions, ids, responders, keys and commands from the app's current state")
  func completion() throws {
    let person = try Person(["scripts/photos"], columns: 100, rows: 24)
    person.see(">")
    person.type("focu\t", untilEndsWith: "> focus")
    person.type("\u{15}app:val\t", untilEndsWith: "> app:validate")
    person.type("\u{15}app:find(\"gr\t", untilEndsWith: "> app:find(\"grid\"")
    person.type(").sel\t", untilEndsWith: "> app:find(\"grid\").selects")
    person.type("\u{15}:pre\t", untilEndsWith: "> :press")
    person.type("del\t", untilEndsWith: "> :press delete")
    person.type("\u{15}:pick Image/Export/\t", untilEndsWith: "> :pick Image/Export/As")
    person.type("J\t", untilEndsWith: "> :pick Image/Export/As JPEG")
    person.type("\u{15}:perform desel\t", untilEndsWith: "> :perform deselect")
    person.type("\u{15}:focus m\t", untilEndsWith: "> :focus main")
    person.type("\u{15}:p\t", untilEndsWith: ":perform  :pick     :plugins  :press\n> :p")
    person.type("\u{15}:perform --f\t", untilEndsWith: "> :perform --from")
    person.type("\u{15}\u{4}", untilEndsWith: "")
    expect(person.terminal.finish(), is: 0)
  }

  @Test("Fields that a line added appear, and completing them runs no script code")
  func completionOfFields() throws {
    let person = try Person()
    person.see(">")
    person.type(
      "here = setmetatable({ alpha = { beta = 1 } }, { __index = function() error('ran') end })\r", untilEndsWith: "\n>"
    )
    person.type("here.al\t.be\t\r", untilEndsWith: "> here.alpha.beta\n1\n>")
    person.leave()
  }

  @Test("Ctrl-C drops the line, and incomplete lines before it")
  func interruptedLine() throws {
    let person = try Person()
    person.see(">")
    person.type("error('no'\u{3}", untilEndsWith: "> error('no'^C\n>")
    person.type("for i = 1, 2 do\r", untilEndsWith: "…")
    person.type("print(i)\u{3}", untilEndsWith: "… print(i)^C\n>")
    person.type("1\r", untilEndsWith: "> 1\n1\n>")
    person.type("'no end\r", untilEndsWith: "unfinished string near <eof>\n  'no end\n         ^\n>")
    // A signal from outside does the same.
    person.type("2", untilEndsWith: "> 2")
    kill(person.terminal.id, SIGINT)
    person.see("> 2^C\n>")
    person.leave()
  }

  @Test("Help is broken between words")
  func help() throws {
    let person = try Person(rows: 70)
    person.see(">")
    person.type(":help\r", untilEndsWith: "\n>")
    let screen = person.terminal.screen.text
    expect(
      screen.contains(
        """
        > :help
        A line is Lua, in the globals of the app's script: an
        expression is shown, a statement run, what is not complete
        goes on.
        '_' is the last value. A line that begins with ':' is a
        command:

        """), "\(screen)")
    person.leave()
  }

  @Test("Ctrl-C ends an endless script, and the session continues")
  func interruptedScript() throws {
    let person = try Person(["--timeout", "600", "--budget", "1e15"])
    person.see(">")
    person.type("n = 0\r", untilEndsWith: "\n>")
    person.type("print('runs') while true do n = n + 1 end\r", untilEndsWith: "end\nruns")
    person.type("\u{3}", untilEndsWith: "\n>")
    // The terminal's echo of the key is on its own line.
    let screen = person.terminal.screen.text
    expect(screen.contains("runs\n^C\nrepl:2: error: cancelled"), "\(screen)")
    person.type("n > 0\r", untilEndsWith: "> n > 0\ntrue\n>")
    person.type("print('naps') sleep(600)\r", untilEndsWith: "naps")
    person.type("\u{3}", untilEndsWith: "cancelled\n  print('naps') sleep(600)\n>")
    person.type("print('spins') while true do pcall(sleep, 600) end\r", untilEndsWith: "\nspins")
    person.type("\u{3}", untilEndsWith: "while true do pcall(sleep, 600) end\n>")
    person.type("1\r", untilEndsWith: "> 1\n1\n>")
    person.leave()
  }

  @Test("A line that is wider than the terminal is redrawn after a resize")
  func resize() throws {
    let person = try Person(columns: 20, rows: 8)
    person.see(">")
    person.type("a = 'one two three four'", untilEndsWith: "> a = 'one two three\n four'")
    person.resize(
      columns: 40, rows: 8, keys: " b = a .. a\r#b\r",
      untilEndsWith: "> a = 'one two three four' b = a .. a\n> #b\n36\n>")
    person.leave()
  }

  @Test("A line with more rows than the screen is shown around the cursor, and completely once it is entered")
  func longLine() throws {
    let person = try Person(columns: 20, rows: 5)
    person.see(">")
    let long = (0..<12).map { "'row \($0) of these ' .." }.joined(separator: " ")
    person.type("#(\(long)", untilEndsWith: "11 of these ' ..")
    let shown = ["> #('row 0 of these", "' .. 'row 1 of these", " ' .. 'row 2 of thes", "e ' .. 'row 3 of the"]
    person.type(
      " 'x')\u{1}\u{1B}[C\u{1B}[C", untilEndsWith: (shown + ["se ' .. 'row 4 of th"]).joined(separator: "\n"))
    person.type("\r", untilEndsWith: "\n183\n>")
    // A character of two columns goes to the next row as a whole.
    person.type("#'0123456789012345星'\r", untilEndsWith: "> #'0123456789012345\n星'\n19\n>")
    person.leave()
  }

  @Test("Words and the rest of a line are cut and pasted, and typed text stays while entries are shown")
  func keys() throws {
    let person = try Person()
    person.see(">")
    person.type("one two three\u{17}\u{17}", untilEndsWith: "> one")
    person.type("\u{19}\u{1B}b\u{B}'\u{1}'\u{5}\r", untilEndsWith: "> 'one '\n\"one \"\n>")
    person.type("x\u{1B}[A\u{1B}[B", untilEndsWith: "> x")
    person.type("\u{15}\u{12}one", untilEndsWith: "search 'one': 'one '")
    person.type("\u{7}", untilEndsWith: "\n>")
    person.type("a = 2\r", untilEndsWith: "> a = 2\n>")
    person.type("\u{12}=x\u{7F}\u{1B}[H\u{1B}[3~b\r", untilEndsWith: "> b = 2\n>")
    person.type("b\u{1B}[1;5D(\u{1B}[1;5C)\r", untilEndsWith: "> (b)\n2\n>")
    person.leave()
  }

  @Test("Pasted text is text: tabs complete nothing, and each line is entered")
  func paste() throws {
    let person = try Person()
    person.see(">")
    person.type(
      "\u{1B}[200~function f(n)\n\treturn n * 2 -- \u{1B}[A\nend\nf(21)\u{1B}[201~", untilEndsWith: "> f(21)")
    person.type("\r", untilEndsWith: "> f(21)\n42\n>")
    expect(person.terminal.screen.text.contains("return n * 2 -- [A"))
    // Without paste marks lines are entered as they come.
    person.type("x = 1\rx = x + 1\rx\r", untilEndsWith: "> x\n2\n>")
    person.leave()
  }

  /// A NUL once counted as the end of the input, and the session ended with 0.
  @Test("S8: A NUL, which Ctrl-Space sends, is dropped, typed or pasted")
  func nul() throws {
    let person = try Person()
    person.see(">")
    person.type("\u{0}1 +\u{0} 1\u{0}\r", untilEndsWith: "> 1 + 1\n2\n>")
    person.type("\u{1B}[200~\u{0}2 +\u{0} 2\u{0}\u{1B}[201~\r", untilEndsWith: "> 2 + 2\n4\n>")
    // Ctrl-V takes what follows for text.
    person.type("3 +\u{16}\u{0} 3\r", untilEndsWith: "> 3 + 3\n6\n>")
    person.leave()
  }

  @Test("The REPL asks a person for confirmation, and Ctrl-C is a no")
  func confirming() throws {
    let person = try Person(["scripts/photos"], columns: 80, rows: 40)
    person.see(">")
    person.type(":press right\r", untilEndsWith: "\n>")
    person.type(":pick Edit/Delete\r", untilEndsWith: "Delete “Harbour at dawn”? (y/N)")
    person.type("\u{3}", untilEndsWith: "cancelled: 'Delete “Harbour at dawn”' was not confirmed\n>")
    person.type(":pick Edit/Delete\r", untilEndsWith: "(y/N)")
    person.type("y\r", untilEndsWith: "\n>")
    expect(person.terminal.screen.text.contains("handled by grid → \"Harbour at dawn\""))
    person.leave()
  }

  @Test("Editing works in unknown terminals too", arguments: ["nonsense", "dumb", "xterm"])
  func terminals(_ name: String) throws {
    let person = try Person(environment: ["TERM": name, "TERMINFO": "/nowhere", "TERMINFO_DIRS": "/nowhere"])
    person.see(">")
    person.type("1 + 2\u{1B}[D\u{7F}\u{7F}* 4\r", untilEndsWith: "> 1 * 42\n42\n>")
    person.leave()
  }

  @Test(
    "The terminal is restored, however the session ends", arguments: ["\u{4}", "if x\r\u{4}", ":quit\r", "SIGTERM"])
  func terminalAfterwards(_ end: String) throws {
    let shell = try Terminal(
      ["-c", "stty -a >/dev/null; '\(Program.folder)/menuctl' repl; stty -a; read x"], columns: 100, rows: 30,
      program: "/bin/sh", environment: ["HOME": "/proc/nowhere"])
    expect(shell.waits { $0.text == ">" })
    if end == "SIGTERM" {
      let children = try String(decoding: Project.bytes("/proc/\(shell.id)/task/\(shell.id)/children"), as: UTF8.self)
      let child = try require(children.split(separator: " ").first.flatMap { pid_t($0) })
      kill(child, SIGTERM)
    } else {
      shell.type(end)
    }
    expect(shell.waits { $0.text.contains(" echoke") }, "\(shell.screen.text)")
    for mode in ["-isig", "-icanon", "-echo "] { expect(!shell.screen.text.contains(mode), "\(mode)") }
    shell.type("\r")
    _ = shell.finish()
  }
}
