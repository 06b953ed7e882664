import Expectations
import Glibc
import Testing

// 'menuctl ui' at a real terminal, under all conditions of one.

private let f10 = "\u{1B}[21~"
private let down = "\u{1B}[B"
private let escape = "\u{1B}"
/// Escape as a key sequence, which needs no waiting.
private let closing = "\u{1B}[27u"

/// A mouse button, as terminals with SGR send it.
private func press(_ button: Int, _ row: Int, _ column: Int, isRelease: Bool = false) -> String {
  "\u{1B}[<\(button);\(column + 1);\(row + 1)\(isRelease ? "m" : "M")"
}

private func click(_ row: Int, _ column: Int) -> String {
  press(0, row, column) + press(0, row, column, isRelease: true)
}

@Suite("The face endures", .enabled(if: Terminal.isPossible, "there are no terminals here"))
struct FaceEnduranceTests {
  private static let app = """
    app.title = "Gallery"
    local names = { "Harbour", "Pier", "Gulls", "Market", "Train", "Valley" }
    local more = 0
    menubar {
      menu "File" {
        item "Name…" { "name", key = "n" }, item "Delete" { "delete", key = "d", confirm = "Delete it?" },
        menu "More" { item "Deep" { "deep" } }, item "Closed" { "closed" },
      },
      menu "Go" { item "First" { "first", key = "g f" }, item "Last" { "last", key = "g l" } },
    }
    panel {
      section "photos" {
        header = "Photos", kind = "photo", current = "select",
        items = function() return names end, id = function(name) return name end,
        row = function(name) return item(name) { "show", args = { photo = name } } end,
      },
    }
    app.takes = { name = { to = { "string", matches = "^%a+$", title = "Name" } } }
    function app.build:photo(m, name) m:insert_last("root", item("Rate " .. name) { "rate", args = { photo = name } }) end
    function app.on:select(ctx) app.at = ctx.photo end
    function app.on:show(ctx) return "shows " .. ctx.photo end
    function app.on:rate(ctx) return "rates " .. ctx.photo end
    function app.on:name(ctx) return "named " .. ctx.to end
    function app.on:delete() return "deleted" end
    function app.on:deep() return "deep down" end
    function app.can:closed() return false, "it is Sunday" end
    function app.on:closed() end
    function app.on:first() return "the first" end
    function app.on:last() return "the last" end
    function app.on:many() for number = 1, 2000 do names[#names + 1] = "Photo " .. number end end
    function app.on:chatter() for number = 1, 200000 do print("a line of some length, number " .. number) end end
    function app.on:waits() return exec("sleep", { "60" }).status or -1 end
    function app.on:lends() exec("sh", { "-c", "echo here; exec sleep 60" }, { terminal = true }) return "taken back" end
    app.keys = { w = "waits", t = "lends", c = "chatter", m = "many" }
    """

  private let folder: ScriptFolder

  init() throws { folder = try ScriptFolder(["app.lua": Self.app]) }

  private var environment: [String: String] { ["XDG_RUNTIME_DIR": folder.path, "SWIFT_BACKTRACE": "enable=no"] }

  private func start(columns: Int = 60, rows: Int = 16, words: [String] = ["--alone"]) throws -> Terminal {
    let terminal = try Terminal(
      ["ui", "app.lua", "--allow", "exec=sleep", "--allow", "exec=sh"] + words, columns: columns, rows: rows,
      environment: environment, folder: folder.path)
    expect(terminal.waits(until: Self.isThere))
    return terminal
  }

  private static func isThere(_ screen: TerminalScreen) -> Bool { screen.lines.first?.hasSuffix("Gallery  ≡") ?? false }

  /// The face's screen of this size after some keys, drawn at once.
  private func picture(_ columns: Int, _ rows: Int, _ keys: String) throws -> String {
    let run = try Program.menuctl(
      ["ui", "app.lua", "--screenshot", "\(columns)x\(rows)\(keys.isEmpty ? "" : ":\(keys)")"],
      environment: environment,
      folder: folder.path)
    expect(run.status, is: 0, "\(run)")
    return run.out.trimmingNewlines
  }

  private func leave(_ terminal: Terminal) {
    kill(terminal.id, SIGTERM)
    expect(terminal.finish(), is: 0)
    expect(terminal.screen.modes == [] && terminal.screen.unknown == [])
  }

  struct Key: CustomTestStringConvertible, Sendable {
    /// The keys, as in '--screenshot'.
    let keys: String
    /// The bytes that terminals send for them.
    let bytes: [String]
    /// A text that must appear then.
    let text: String
    var testDescription: String { keys }

    init(_ keys: String, _ bytes: [String], _ text: String) { (self.keys, self.bytes, self.text) = (keys, bytes, text) }
  }

  private static let table: [Key] = [
    Key("f10", [f10], "│   Name…"), Key("alt+g", ["\u{1B}g"], "│   First"),
    Key("f10 right", [f10, "\u{1B}[C"], "│   First"),
    Key("f10 left", [f10, "\u{1B}[D"], "│ ✓ Mouse"), Key("f10 down enter", [f10, down, "\r"], "[ Cancel ]"),
    Key("f10 m", [f10, "m"], "│   Deep"), Key("f10 up", [f10, "\u{1B}[A"], "it is Sunday"),
    Key("f10 up ?", [f10, "\u{1B}[A", "?"], "disabled by 'app': it is Sunday"),
    Key("f10 esc", [f10, escape], "f10 menus"),
    Key("ctrl+p", ["\u{10}"], "› "), Key("ctrl+p c l o", ["\u{10}", "c", "l", "o"], "› clo"),
    Key("ctrl+p c l o alt+enter", ["\u{10}", "c", "l", "o", "\u{1B}\r"], "disabled by 'app': it is Sunday"),
    Key("ctrl+p d e e enter", ["\u{10}", "d", "e", "e", "\r"], "✓ Deep → deep down"),
    Key("?", ["?"], "app: on show"), Key("f1", ["\u{1B}OP"], "┌─ Keys ─"),
    Key("f12", ["\u{1B}[24~"], "Inspector"), Key("ctrl+l", ["\u{C}"], "Log"),
    Key("ctrl+c", ["\u{3}"], "ctrl+c again quits"),
    Key("down", [down], "? why"), Key("end enter", ["\u{1B}[F", "\r"], "shows Valley"),
    Key("end home enter", ["\u{1B}[F", "\u{1B}[H", "\r"], "shows Harbour"),
    Key("pagedown enter", ["\u{1B}[6~", "\r"], "shows Valley"),
    Key("down down up enter", [down, down, "\u{1B}[A", "\r"], "shows Pier"),
    Key("v a enter", ["v", "a", "\r"], "shows Valley"), Key("v a", ["v", "a"], " … va"),
    Key(".", ["."], "Rate Harbour"), Key("shift+f10", ["\u{1B}[21;2~"], "Rate Harbour"),
    Key("down menu enter", [down, "\u{1B}[29~", "\r"], "rates Pier"),
    Key("d", ["d"], "Delete it?"), Key("d enter", ["d", "\r"], "Delete: you said no"),
    Key("d right enter", ["d", "\u{1B}[C", "\r"], "✓ Delete → deleted"),
    Key("d y", ["d", "y"], "✓ Delete → deleted"), Key("n", ["n"], "Name"), Key("n enter", ["n", "\r"], "it is needed"),
    Key("n A d a enter", ["n", "A", "d", "a", "\r"], "named Ada"), Key("n esc", ["n", escape], "Name: you left it"),
    Key("g", ["g"], "Last"), Key("g l", ["g", "l"], "✓ Last → the last"), Key("g esc", ["g", escape], "f10 menus"),
  ]

  @Test("X1: Every key of the face works at a terminal as in its picture", arguments: table)
  func keys(_ key: Key) throws {
    let terminal = try start()
    for bytes in key.bytes {
      terminal.type(bytes)
      // A letter right after an escape would be one key with it.
      usleep(60_000)
    }
    expect(terminal.waits { $0.text.contains(key.text) }, "\(terminal.screen.text)")
    leave(terminal)
  }

  private static let deeds: [Key] = [
    Key("a click opens a menu", [click(0, 2)], "│   Name…"),
    Key("a click elsewhere closes it", [click(0, 2), click(12, 50)], "f10 menus"),
    Key("a click picks an item", [click(0, 8), click(2, 12)], "✓ First → the first"),
    Key("dragged over the bar another opens", [press(0, 0, 2), press(32, 0, 8)], "│   First"),
    Key(
      "let go over an item it is picked", [press(0, 0, 8), press(32, 3, 12), press(0, 3, 12, isRelease: true)],
      "✓ Last → the last"),
    Key("a row that is clicked is current", [click(3, 6), "\r"], "shows Harbour"),
    Key("and picked when it is", [click(4, 6), click(4, 6)], "shows Pier"),
    Key("the right button opens a row's menu", [press(2, 5, 6)], "Rate Gulls"),
    Key("and asks why in a menu", [click(0, 2), press(2, 5, 6)], "it is Sunday"),
    Key("a button of a question", ["d", click(8, 20)], "Delete: you said no"),
    Key("a row of the palette", ["\u{10}", click(7, 10), click(7, 10)], "✓ Deep → deep down"),
    Key("the wheel in a menu", [click(0, 2), press(65, 3, 4), "\r"], "Delete it?"),
  ]

  @Test("X6: The mouse at a terminal acts on the place where it is", arguments: deeds)
  func mouse(_ deed: Key) throws {
    let terminal = try start()
    for bytes in deed.bytes {
      let before = terminal.written.count
      terminal.type(bytes)
      _ = terminal.waits(seconds: 1) { _ in terminal.written.count > before }
      usleep(30_000)
    }
    expect(
      terminal.waits { deed.text.isEmpty ? Self.isThere($0) : $0.text.contains(deed.text) }, "\(terminal.screen.text)")
    leave(terminal)
  }

  @Test("X6: With the mouse off nothing asks the terminal for it, and a menu turns it off and on")
  func toggles() throws {
    let without = try start(words: ["--alone", "--no-mouse"])
    expect(!without.screen.modes.contains("1006"))
    leave(without)
    let terminal = try start()
    expect(terminal.screen.modes.contains("1006"))
    terminal.type(f10)
    expect(terminal.waits { $0.text.contains("│   Name…") })
    terminal.type("\u{1B}[Dm")
    expect(terminal.waits { !$0.modes.contains("1006") && $0.text.contains("the terminal uses the mouse now") })
    leave(terminal)
  }

  @Test(
    "X3: After a resize in any state the screen is that of a terminal of the new size",
    arguments: [
      ("", [""]), ("f10 m", [f10, "m"]), ("ctrl+p d e", ["\u{10}", "d", "e"]), ("d", ["d"]), ("n x", ["n", "x"]),
      ("down", [down]),
      ("f10 up ?", [f10, "\u{1B}[A", "?"]), ("g", ["g"]), ("down .", [down, "."]), ("?", ["?"]),
    ] as [(String, [String])])
  func resizes(keys: String, bytes: [String]) throws {
    let terminal = try start()
    let first = try picture(60, 16, keys)
    for text in bytes {
      terminal.type(text)
      usleep(60_000)
    }
    expect(terminal.waits { $0.text == first }, "\(terminal.screen.text)")
    for (columns, rows) in [(40, 10), (20, 6), (1, 1), (120, 40), (80, 24)] {
      let drawn = try picture(columns, rows, keys)
      terminal.resize(columns: columns, rows: rows)
      expect(terminal.waits { $0.text == drawn }, "\(columns)×\(rows)\n\(terminal.screen.text)\ninstead of\n\(drawn)")
    }
    leave(terminal)
  }

  @Test("X3: ctrl+z returns the terminal to the shell, and fg takes it again, in its new size")
  func suspends() throws {
    let terminal = try Terminal(
      ["--norc", "--noprofile", "-i"], columns: 60, rows: 16, program: "/bin/bash",
      environment: environment.merging(["PS1": "$ "]) { $1 },
      folder: folder.path)
    expect(terminal.waits { $0.lines.last == "$" })
    terminal.type(
      "stty -a | grep -c ' icanon'; '\(Program.folder)/menuctl' ui app.lua --alone; stty -a | grep -c ' icanon'\r")
    expect(terminal.waits(until: Self.isThere))
    terminal.type("d")
    expect(terminal.waits { $0.text.contains("[ Cancel ]") })
    terminal.type("y")
    expect(terminal.waits { $0.text.contains("✓ Delete → deleted") })
    for _ in 0..<2 {
      terminal.type("\u{1A}")
      expect(
        terminal.waits { $0.lines.last == "$" && !$0.modes.contains("1049") && $0.text.contains("Stopped") },
        "\(terminal.screen.text)")
      expect(!terminal.screen.modes.contains("25") && !terminal.screen.modes.contains("1006"))
      terminal.resize(columns: 50, rows: 12)
      terminal.type("fg\r")
      expect(terminal.waits { Self.isThere($0) && $0.modes.contains("1049") }, "\(terminal.screen.text)")
    }
    terminal.type("g")
    expect(terminal.waits { $0.text.contains("Last") })
    terminal.type("l")
    expect(terminal.waits { $0.text.contains("✓ Last → the last") })
    terminal.type("\u{3}\u{3}")
    expect(terminal.waits { $0.lines.last == "$" && !$0.modes.contains("1049") })
    terminal.type("exit\r")
    expect(terminal.finish(), is: 0)
  }

  /// The processes that a process has started.
  private func children(of id: pid_t) -> [pid_t] {
    Project.entries(of: "/proc").compactMap { pid_t($0) }.filter { child in
      guard let status = try? String(decoding: Project.bytes("/proc/\(child)/stat"), as: UTF8.self),
        let end = status.lastIndex(of: ")")
      else { return false }
      return status[end...].split(separator: " ").dropFirst(2).first.map { $0 == "\(id)" } ?? false
    }
  }

  @Test("X8: A killed program of the app ends like any other", arguments: [("w", false), ("t", true)])
  func killed(key: String, isLent: Bool) throws {
    let terminal = try start()
    terminal.type(key)
    expect(
      terminal.waits { isLent ? $0.text.hasSuffix("here") : $0.lines.last?.contains("waits") ?? false },
      "\(terminal.screen.text)")
    var found: [pid_t] = []
    expect(
      terminal.waits { _ in
        found = children(of: terminal.id)
        return !found.isEmpty
      })
    for child in found { kill(child, SIGKILL) }
    expect(
      terminal.waits { Self.isThere($0) && $0.text.contains(isLent ? "lends → taken back" : "waits → ") },
      "\(terminal.screen.text)")
    terminal.type("d")
    expect(terminal.waits { $0.text.contains("[ Cancel ]") })
    terminal.type("y")
    expect(terminal.waits { $0.text.contains("✓ Delete → deleted") })
    leave(terminal)
  }

  /// The memory that the process uses, in megabytes.
  private func memory(_ id: pid_t) throws -> Int {
    let pages = try String(decoding: Project.bytes("/proc/\(id)/statm"), as: UTF8.self).split(separator: " ")
    return (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * 4096 >> 20
  }

  @Test(
    "X5: If nobody reads the terminal's output, nothing waits, no frames pile up, and a later read is right"
  )
  func blocks() throws {
    let terminal = try start(columns: 120, rows: 40, words: ["--name", "gallery", "--timeout", "20"])
    let before = try memory(terminal.id)
    // No terminal holds so many frames: a palette over the whole screen, opened and closed.
    for _ in 0..<400 {
      terminal.type("\u{10}")
      usleep(3_000)
      terminal.type(closing)
      usleep(3_000)
    }
    for reference in ["chatter", "many", "first"] {
      let run = try Program.menuctl(["perform", "@gallery", reference], environment: environment, folder: folder.path)
      expect(run.status, is: 0, "\(run.err)")
    }
    try expect(memory(terminal.id) - before < 48)
    terminal.type("\u{1B}[F")
    expect(terminal.waits { Self.isThere($0) && $0.text.contains("Photo 2000") }, "\(terminal.screen.text)")
    expect(terminal.screen.unknown, is: [])
    leave(terminal)
  }

  @Test(
    "X3: Unread output doesn't keep a signal from ending or resuming the face",
    arguments: [SIGTERM, SIGCONT, SIGTSTP] as [Int32])
  func endsBlocked(signal: Int32) throws {
    let terminal = try start(columns: 200, rows: 60)
    for _ in 0..<300 {
      terminal.type("\u{10}")
      usleep(2_000)
      terminal.type(closing)
      usleep(2_000)
    }
    kill(terminal.id, signal)
    usleep(300_000)
    if signal != SIGTERM { kill(terminal.id, SIGTERM) }
    var status: Int32 = 0
    var patience = 1000
    while waitpid(terminal.id, &status, WNOHANG) != terminal.id, patience > 0 {
      patience -= 1
      usleep(10_000)
    }
    expect(patience > 0 && status == 0)
    if patience == 0 { kill(terminal.id, SIGKILL) }
  }

  @Test("X5: On a slow terminal keys act at once, and frames in between are skipped")
  func slow() throws {
    let terminal = try start(columns: 80, rows: 24, words: ["--name", "gallery", "--timeout", "20"])
    let before = terminal.written.count
    terminal.type("m")
    expect(terminal.waits { $0.text.contains("✓ many") })
    for _ in 0..<60 {
      terminal.type(down)
      // Ten thousand bits a second.
      terminal.reads(bytes: 60, every: 20)
    }
    let run = try Program.menuctl(["perform", "@gallery", "last"], environment: environment, folder: folder.path)
    expect(run.status, is: 0)
    terminal.type("\r")
    expect(terminal.waits { $0.text.contains("shows Photo 55") }, "\(terminal.screen.text)")
    expect(terminal.written.count - before < 60 * 400)
    leave(terminal)
  }

  @Test(
    "X3: When the terminal closes the face ends, in any state",
    arguments: [["d"], ["n"], ["\u{10}"], ["w"], ["t"], [down, "."]] as [[String]])
  func hangsUp(keys: [String]) throws {
    let terminal = try start(words: ["--name", "gallery"])
    for key in keys {
      terminal.type(key)
      usleep(100_000)
    }
    expect(terminal.hangUp() != -SIGKILL)
    try expect(
      Program.menuctl(["sessions"], environment: environment, folder: folder.path).out, is: "no live app runs\n")
  }
}

extension String {
  fileprivate var trimmingNewlines: String {
    var text = self
    while text.last == "\n" { text.removeLast() }
    return text
  }
}
