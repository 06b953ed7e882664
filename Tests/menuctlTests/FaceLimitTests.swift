import Expectations
import Glibc
import Testing

// 'menuctl ui' at a terminal, with scripts that spend their limits.

@Suite("The face at a terminal: limits", .enabled(if: Terminal.isPossible, "there are no terminals here"))
struct FaceLimitTests {
  private static let app = """
    app.title = "Spends"
    menubar { menu "M" {
      item "Spin" { "spin", key = "s" }, item "Eat" { "eat", key = "e" }, item "Stick" { "stick", key = "k" },
      item "Well" { "well", key = "w" },
    } }
    function app.on:spin() while true do end end
    function app.on:eat() local all = {} while true do all[#all + 1] = ("x"):rep(100000) .. #all end end
    function app.on:well() return "all is well" end
    local t = setmetatable({}, {}) getmetatable(t).__call = t
    function app.on:stick() t() end
    """

  private func start(_ words: [String] = [], environment: [String: String] = [:]) throws -> Terminal {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let terminal = try Terminal(
      ["ui", "app.lua", "--alone"] + words, columns: 90, rows: 12,
      environment: ["XDG_RUNTIME_DIR": folder.path, "SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 },
      folder: folder.path)
    terminal.kept = folder
    expect(terminal.waits { $0.lines.first?.hasSuffix("Spends  ≡") ?? false })
    return terminal
  }

  @Test("X8: A script that spends its time or its memory is named, and the face continues", arguments: ["s", "e"])
  func spends(key: String) throws {
    // The limit under test must be spent first on any machine: within four seconds an ordinary budget would be.
    let terminal = try start(
      ["--timeout", isSanitized || key == "e" ? "4" : "0.3", "--budget", "100000000000", "--memory", "16"])
    terminal.type(key)
    expect(
      terminal.waits { screen in
        let line = screen.lines.last ?? ""
        return line.hasPrefix(" ! \(key == "s" ? "Spin" : "Eat"): app.lua:")
          && line.contains(key == "s" ? " s is spent" : "memory")
      }, "\(terminal.screen.text)")
    terminal.type("w")
    expect(terminal.waits { $0.lines.last == " ✓ Well → all is well" }, "\(terminal.screen.text)")
    terminal.type("\u{3}\u{3}")
    expect(terminal.finish(), is: 0)
    expect(terminal.screen.modes, is: [])
  }

  @Test(
    "X3: If the watchdog ends the face, the terminal is restored, and the error names the script",
    .disabled(if: isThreadSanitized))
  func watchdog() throws {
    let terminal = try start(environment: ["MENUCTL_PATIENCE": "0.01"])
    terminal.type("k")
    expect(terminal.finish(), is: 75)
    expect(terminal.screen.modes, is: [])
    expect(terminal.screen.text.contains("app.lua"), "\(terminal.screen.text)")
  }

  /// The number of writes of a process, as the system counts them.
  private func writes(_ id: pid_t) throws -> Int {
    let text = String(decoding: try Project.bytes("/proc/\(id)/io"), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("syscw: ") }
    return line.flatMap { Int($0.dropFirst(7)) } ?? 0
  }

  @Test(
    "X5: A key is one write: a move in an open menu, an opening menu, a letter in the palette",
    .enabled(if: access("/proc/self/io", R_OK) == 0, "the system doesn't count writes here"))
  func oneWrite() throws {
    let terminal = try start()
    for (key, text) in [
      ("\u{1B}[21~", "│   Spin"), ("\u{1B}[B", "│   Eat"), ("\u{1B}[27u", "f10 menus"), ("\u{10}", "› "), ("w", "› w"),
      ("e", "› we"),
    ] {
      // The answers to earlier questions have come by now, and are drawn.
      usleep(200_000)
      _ = terminal.waits(seconds: 1) { _ in false }
      let (count, bytes) = (try writes(terminal.id), terminal.written.count)
      terminal.type(key)
      expect(
        terminal.waits { terminal.written.count > bytes && $0.text.contains(text) },
        "\(key.debugDescription)\n\(terminal.screen.text)")
      // A palette asks the app which actions are enabled, which is no write to the terminal.
      let most = key == "\u{10}" ? 4 : 1
      expect((1...most).contains(try writes(terminal.id) - count), "\(key.debugDescription)")
    }
    terminal.type("\u{1B}[27u\u{3}\u{3}")
    expect(terminal.finish(), is: 0)
  }
}
