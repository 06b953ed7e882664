import Expectations
import Glibc
import Testing

// A script's program with the terminal: 'exec' with 'terminal'.

@Suite("A lent terminal", .enabled(if: Terminal.isPossible, "there are no terminals here"))
struct LentTerminalTests {
  private static let app = """
    app.title = "Notes"
    menubar { menu "Note" { item "Write" { "write", key = "w" } } }
    function app.on:write()
      local r = exec("sh", { "-c", "stty -echo; printf 'who? '; read name; echo \\"hello $name\\"; exit 4" }, { terminal = true })
      return r.status
    end
    """

  @Test("S2: A program gets the terminal that started the tool, and the tool restores it afterwards")
  func performs() throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let terminal = try Terminal(["perform", "app.lua", "write", "--allow", "exec=sh"], folder: folder.path)
    expect(terminal.waits { $0.text == "who?" })
    terminal.type("Ada\r")
    expect(terminal.finish(), is: 0)
    expect(terminal.screen.lines == ["who? hello Ada", "handled by app → 4"] && terminal.echoes)
  }

  @Test("S2: Ctrl-C goes to the program that has the terminal; the tool continues")
  func interrupted() throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let terminal = try Terminal(["perform", "app.lua", "write", "--allow", "exec=sh"], folder: folder.path)
    expect(terminal.waits { $0.text == "who?" })
    terminal.type("\u{3}")
    expect(terminal.finish(), is: 0)
    expect(terminal.screen.text.hasSuffix("handled by app → 130") && terminal.echoes)
  }

  /// An app whose program writes this to the terminal, then continues in raw mode.
  private static func app(writing text: String, then end: String) -> String {
    app.replacing(
      "stty -echo; printf 'who? '; read name; echo \\\"hello $name\\\"; exit 4",
      with: "stty raw -echo; printf '\(text.replacing("\\", with: "\\\\"))'; \(end)")
  }

  /// Turns on every mode.
  private static let modes =
    #"\033[4h\033[?7l\033[?1h\033=\033[?1003h\033[?1006h\033[?2004h\033[?25l\033[?5h\033[5 q\033]2;mine\007"#
    + #"\033[31mred\033[?1049h\033(0\016"#

  @Test("S14: A killed program leaves no terminal mode on, and the cursor and title as they were")
  func isKilled() throws {
    let folder = try ScriptFolder(["app.lua": Self.app(writing: Self.modes, then: "kill -9 $$")])
    let terminal = try Terminal(["perform", "app.lua", "write", "--allow", "exec=sh"], folder: folder.path)
    expect(terminal.finish(), is: 0)
    expect(terminal.screen.modes == [] && terminal.echoes && terminal.screen.title == "")
    expect(terminal.screen.text, is: "redhandled by app → 137", "\(terminal.screen.text)")
    expect(terminal.screen.style(of: "handled") == "" && terminal.screen.unknown == [])
    let face = try Terminal(
      ["ui", "app.lua", "--alone", "--allow", "exec=sh"], columns: 60, rows: 12,
      environment: ["XDG_RUNTIME_DIR": folder.path], folder: folder.path)
    expect(face.waits { $0.lines.first?.hasSuffix("Notes  ≡") ?? false })
    let before = face.screen.modes
    face.type("w")
    expect(face.waits { $0.modes == before && $0.lines.last == " ✓ Write → 137" }, "\(face.screen.modes)")
    face.type("\u{3}\u{3}")
    expect(face.finish() == 0 && face.screen.modes == [])
  }

  @Test("S14: Margins and origin mode are turned off too; later output comes below everything shown")
  func hasOrigin() throws {
    let folder = try ScriptFolder([
      "app.lua": Self.app(writing: #"\033[3;5r\033[?6hred"#, then: "kill -9 $$")
    ])
    let terminal = try Terminal(["perform", "app.lua", "write", "--allow", "exec=sh"], rows: 6, folder: folder.path)
    terminal.answers = ([("\u{1B}[?6$p", "\u{1B}[?6;1$y"), ("\u{1B}[c", "\u{1B}[?62c")], 0)
    expect(terminal.finish(), is: 0)
    expect(terminal.screen.modes == [] && terminal.screen.unknown == [])
    expect(terminal.screen.lines.last == "handled by app → 137" && terminal.screen.row == 5)
  }

  @Test(
    "S14: If a signal ends the tool while a program has the terminal, the terminal is restored",
    arguments: [SIGSEGV, SIGABRT, SIGQUIT, SIGUSR1, SIGTERM].filter { $0 != SIGSEGV || !isSanitized },
    ["perform app.lua write", "ui app.lua --alone", "ui app.lua --alone --plain"])
  func isEnded(_ signal: Int32, _ call: String) throws {
    let folder = try ScriptFolder(["app.lua": Self.app(writing: Self.modes + "ready", then: "sleep 60")])
    let terminal = try Terminal(
      call.split(separator: " ").map(String.init) + ["--allow", "exec=sh"], columns: 60, rows: 12,
      environment: ["XDG_RUNTIME_DIR": folder.path, "SWIFT_BACKTRACE": "enable=no"], folder: folder.path)
    if call.hasPrefix("ui") {
      expect(terminal.waits { $0.text.contains("Notes") })
      terminal.type(call.hasSuffix("plain") ? "press w\r" : "w")
    }
    expect(terminal.waits { $0.text.hasSuffix("ready") && $0.modes.contains("keypad") && $0.title == "mine" })
    kill(terminal.id, signal)
    expect([-signal, 0].contains(terminal.finish()))
    expect(terminal.screen.modes == [] && terminal.echoes && terminal.screen.title == "")
  }

  // MARK: Replies to a program that doesn't wait for them

  private static let asks = app(writing: #"\033[6n\033[c\033]11;?\007"#, then: "exit 3")
  private static let answers = [
    ("\u{1B}[6n", "\u{1B}[1;5R"), ("\u{1B}[c", "\u{1B}[?62c"), ("\u{1B}]11;?\u{7}", "\u{1B}]11;rgb:0/0/0\u{7}"),
    ("\u{1B}[?6$p", "\u{1B}[?6;2$y"), ("\u{1B}[?u", "\u{1B}[?0u"), ("\u{1B}[?2026$p", "\u{1B}[?2026;2$y"),
  ]

  @Test(
    "S14: Replies to a program don't reach the shell, whether or not the terminal supports mode queries",
    arguments: [true, false])
  func repliesLate(_ knowsModes: Bool) throws {
    let folder = try ScriptFolder(["app.lua": Self.asks])
    let terminal = try Terminal(
      [
        "-c",
        "\(Program.folder)/menuctl perform app.lua write --allow exec=sh; stty -echo; echo on; read x; echo \"<$x>\" | cat -v",
      ], program: "/bin/sh", folder: folder.path)
    terminal.answers = (knowsModes ? Self.answers : Array(Self.answers.prefix(3)), 50)
    expect(terminal.waits { $0.text.hasSuffix("handled by app → 3\non") })
    // Until the last answer has come.
    expect(!terminal.waits(seconds: 1) { _ in false })
    terminal.type("next\r")
    expect(terminal.finish() == 0 && terminal.screen.lines.last == "<next>", "\(terminal.screen.text)")
  }

  @Test("S14: In a face a cursor position report for a program is not read as ctrl+f3", arguments: [50, 700])
  func repliesToFace(_ milliseconds: Int) throws {
    let app = Self.app(writing: #"\033[6n"#, then: "exit 3").replacing(
      #"key = "w" }"#, with: #"key = "w" }, item "Wrong" { "wrong", key = "ctrl+f3" }"#)
    let folder = try ScriptFolder(["app.lua": app + "\nfunction app.on:wrong() end"])
    let terminal = try Terminal(
      ["ui", "app.lua", "--alone", "--allow", "exec=sh"], columns: 60, rows: 12,
      environment: ["XDG_RUNTIME_DIR": folder.path], folder: folder.path)
    terminal.answers = (Self.answers, milliseconds)
    expect(terminal.waits { $0.lines.first?.hasSuffix("Notes  ≡") ?? false })
    // Until the answers to the face's questions have come.
    expect(!terminal.waits(seconds: 1) { _ in false })
    terminal.type("w")
    expect(terminal.waits { $0.lines.last == " ✓ Write → 3" }, "\(terminal.screen.text)")
    expect(!terminal.waits(seconds: 1) { $0.lines.last != " ✓ Write → 3" }, "\(terminal.screen.text)")
    terminal.type("\u{1B}[1;5R")
    expect(terminal.waits { $0.lines.last == " ✓ Wrong" }, "\(terminal.screen.text)")
    terminal.type("\u{3}\u{3}")
    expect(terminal.finish(), is: 0)
  }

  @Test("X3: A face lends its terminal to the program, and then takes it back and redraws")
  func shows() throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let terminal = try Terminal(
      ["ui", "app.lua", "--alone", "--allow", "exec=sh"], columns: 60, rows: 12,
      environment: ["XDG_RUNTIME_DIR": folder.path], folder: folder.path)
    expect(terminal.waits { $0.lines.first?.hasSuffix("Notes  ≡") ?? false })
    terminal.type("w")
    expect(terminal.waits { $0.text.hasSuffix("who?") && !$0.modes.contains("1049") })
    terminal.type("Ada\r")
    expect(terminal.waits { $0.modes.contains("1049") && $0.lines.last == " ✓ Write → 4" })
    terminal.type("\u{3}\u{3}")
    expect(terminal.finish() == 0 && terminal.screen.modes == [])
  }

  @Test("X7: A plain face lends its terminal to the program too, and doesn't read the program's input")
  func isPlain() throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let terminal = try Terminal(
      ["ui", "app.lua", "--alone", "--plain", "--allow", "exec=sh"], columns: 60, rows: 24,
      environment: ["XDG_RUNTIME_DIR": folder.path], folder: folder.path)
    expect(terminal.waits { $0.text.hasSuffix(">") })
    terminal.type("press w\r")
    expect(terminal.waits { $0.text.hasSuffix("who?") })
    terminal.type("Ada\r")
    expect(terminal.waits { $0.text.contains("hello Ada") && $0.text.contains("→ 4") && $0.text.hasSuffix(">") })
    terminal.type("\u{4}")
    expect(terminal.finish(), is: 0)
  }

  @Test("X7: While a program has the terminal, a plain face delays its output")
  func saysLater() throws {
    let app = Self.app.replacing("  local r", with: "  after(0.1, function() print('tick') end)\n  local r")
    let folder = try ScriptFolder(["app.lua": app])
    let terminal = try Terminal(
      ["ui", "app.lua", "--alone", "--plain", "--allow", "exec=sh"], columns: 60, rows: 24,
      environment: ["XDG_RUNTIME_DIR": folder.path], folder: folder.path)
    expect(terminal.waits { $0.text.hasSuffix(">") })
    terminal.type("press w\r")
    expect(terminal.waits { $0.text.hasSuffix("who?") })
    usleep(500_000)
    expect(terminal.screen.text.hasSuffix("who?") && !terminal.screen.text.contains("tick"))
    terminal.type("Ada\r")
    expect(terminal.waits { $0.text.contains("tick") && $0.text.contains("→ 4") && $0.text.hasSuffix(">") })
    terminal.type("\u{4}")
    expect(terminal.finish(), is: 0)
  }

  @Test("S2: Without a terminal exec returns nil and the reason")
  func nobody() throws {
    let folder = try ScriptFolder(["app.lua": Self.app.replacing("return r.status", with: "")])
    let run = try Program.menuctl(["perform", "app.lua", "write", "--allow", "exec=sh"], folder: folder.path)
    expect(run.status == 0 && run.out == "handled by app\n", "\(run)")
  }
}
