import Glibc
import Testing

// A program of a script's that has the terminal meanwhile: 'exec' with 'terminal'.

@Suite("A terminal that is lent", .enabled(if: Terminal.isPossible, "there are no terminals here"))
struct LentTerminalTests {
  private static let app = """
    app.title = "Notes"
    menubar { menu "Note" { item "Write" { "write", key = "w" } } }
    function app.on:write()
      local r = exec("sh", { "-c", "stty -echo; printf 'who? '; read name; echo \\"hello $name\\"; exit 4" }, { terminal = true })
      return r.status
    end
    """

  @Test("S2: The terminal that the tool was started from is the program's meanwhile, and as it was afterwards")
  func performs() throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let terminal = try Terminal(["perform", "app.lua", "write", "--allow", "exec=sh"], folder: folder.path)
    #expect(terminal.waits { $0.text == "who?" })
    terminal.type("Ada\r")
    #expect(terminal.finish() == 0)
    #expect(terminal.screen.lines == ["who? hello Ada", "handled by app → 4"] && terminal.echoes)
  }

  @Test("S2: Ctrl-C at a program that has the terminal is that program's; the tool goes on")
  func interrupted() throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let terminal = try Terminal(["perform", "app.lua", "write", "--allow", "exec=sh"], folder: folder.path)
    #expect(terminal.waits { $0.text == "who?" })
    terminal.type("\u{3}")
    #expect(terminal.finish() == 0)
    #expect(terminal.screen.text.hasSuffix("handled by app → 130") && terminal.echoes)
  }

  /// Leaves the terminal in every mode that there is, and is killed.
  private static let killed = app.replacing(
    "stty -echo; printf 'who? '; read name; echo \\\"hello $name\\\"; exit 4",
    with:
      "stty raw -echo; printf '\\\\033[4h\\\\033[?7l\\\\033[?1h\\\\033=\\\\033[?1003h\\\\033[?1006h\\\\033[?2004h\\\\033[?25l\\\\033[31mred\\\\033[?1049h'; kill -9 $$"
  )

  @Test("S14: A program that had the terminal and was killed leaves no mode on, and the cursor where it was")
  func isKilled() throws {
    let folder = try ScriptFolder(["app.lua": Self.killed])
    let terminal = try Terminal(["perform", "app.lua", "write", "--allow", "exec=sh"], folder: folder.path)
    #expect(terminal.finish() == 0)
    #expect(terminal.screen.modes == [] && terminal.echoes)
    #expect(terminal.screen.text == "redhandled by app → 137", "\(terminal.screen.text)")
    #expect(terminal.screen.style(of: "handled") == "" && terminal.screen.unknown == [])
    let face = try Terminal(
      ["ui", "app.lua", "--alone", "--allow", "exec=sh"], columns: 60, rows: 12,
      environment: ["XDG_RUNTIME_DIR": folder.path], folder: folder.path)
    #expect(face.waits { $0.lines.first?.hasSuffix("Notes  ≡") ?? false })
    let before = face.screen.modes
    face.type("w")
    #expect(face.waits { $0.modes == before && $0.lines.last == " ✓ Write → 137" }, "\(face.screen.modes)")
    face.type("\u{3}\u{3}")
    #expect(face.finish() == 0 && face.screen.modes == [])
  }

  @Test("X3: A face gives its terminal to the program, and takes it back and draws itself anew when that has ended")
  func shows() throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let terminal = try Terminal(
      ["ui", "app.lua", "--alone", "--allow", "exec=sh"], columns: 60, rows: 12,
      environment: ["XDG_RUNTIME_DIR": folder.path], folder: folder.path)
    #expect(terminal.waits { $0.lines.first?.hasSuffix("Notes  ≡") ?? false })
    terminal.type("w")
    #expect(terminal.waits { $0.text.hasSuffix("who?") && !$0.modes.contains("1049") })
    terminal.type("Ada\r")
    #expect(terminal.waits { $0.modes.contains("1049") && $0.lines.last == " ✓ Write → 4" })
    terminal.type("\u{3}\u{3}")
    #expect(terminal.finish() == 0 && terminal.screen.modes == [])
  }

  @Test("X7: A plain face gives its terminal to the program too, and doesn't read what is the program's")
  func isPlain() throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let terminal = try Terminal(
      ["ui", "app.lua", "--alone", "--plain", "--allow", "exec=sh"], columns: 60, rows: 24,
      environment: ["XDG_RUNTIME_DIR": folder.path], folder: folder.path)
    #expect(terminal.waits { $0.text.hasSuffix(">") })
    terminal.type("press w\r")
    #expect(terminal.waits { $0.text.hasSuffix("who?") })
    terminal.type("Ada\r")
    #expect(terminal.waits { $0.text.contains("hello Ada") && $0.text.contains("→ 4") && $0.text.hasSuffix(">") })
    terminal.type("\u{4}")
    #expect(terminal.finish() == 0)
  }

  @Test("X7: What a plain face has to say while a program has its terminal is said when it is back")
  func saysLater() throws {
    let app = Self.app.replacing("  local r", with: "  after(0.1, function() print('tick') end)\n  local r")
    let folder = try ScriptFolder(["app.lua": app])
    let terminal = try Terminal(
      ["ui", "app.lua", "--alone", "--plain", "--allow", "exec=sh"], columns: 60, rows: 24,
      environment: ["XDG_RUNTIME_DIR": folder.path], folder: folder.path)
    #expect(terminal.waits { $0.text.hasSuffix(">") })
    terminal.type("press w\r")
    #expect(terminal.waits { $0.text.hasSuffix("who?") })
    usleep(500_000)
    #expect(terminal.screen.text.hasSuffix("who?") && !terminal.screen.text.contains("tick"))
    terminal.type("Ada\r")
    #expect(terminal.waits { $0.text.contains("tick") && $0.text.contains("→ 4") && $0.text.hasSuffix(">") })
    terminal.type("\u{4}")
    #expect(terminal.finish() == 0)
  }

  @Test("S2: Where nobody sits there is no terminal: exec gives nil and says so")
  func nobody() throws {
    let folder = try ScriptFolder(["app.lua": Self.app.replacing("return r.status", with: "")])
    let run = try Program.menuctl(["perform", "app.lua", "write", "--allow", "exec=sh"], folder: folder.path)
    #expect(run.status == 0 && run.out == "handled by app\n", "\(run)")
  }
}
