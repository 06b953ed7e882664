import Expectations
import Glibc
import Testing

@Suite("Processes that the tests start")
struct SurroundingsTests {
  /// A home with many traces of the tool, and some files that it can't read.
  private func oddHome() throws -> ScriptFolder {
    let home = try ScriptFolder([
      "config/menuctl/settings.json": """
      {"apps": {"/odd/app.lua": {"name": "odd", "digest": "1", "path": "/odd", "grants": ["fs.read"]}},
       "consent": {"odd": {"digest": "2", "path": "/odd", "grants": ["exec=sh"]}}}
      """,
      "data/menuctl/plugins/odd.lua": "plugin { name = 'odd', version = '1' }",
      "data/menuctl/plugins/odd-broken/plugin.lua": "plugin {",
      "state/menuctl/odd": "{", "state/menuctl/history": "odd\n", "run/menuctl/odd": "|", ".luarc.json": "odd",
      ".gitconfig": "[odd", ".bashrc": "echo odd", ".profile": "echo odd", ".zshrc": "echo odd",
    ])
    for path in ["", "/run", "/run/menuctl"] { chmod(home.path + path, 0o700) }
    return home
  }

  private static let asks = ["plugin list", "plugin forget odd", "sessions", "complete live x", "load app.lua"]

  /// The output of each of the suite's helpers for the user's folders.
  private func shown(in folder: ScriptFolder) throws -> [String] {
    var shown: [String] = []
    for ask in Self.asks {
      let words = ask.split(separator: " ").map(String.init)
      shown.append("\(try Program.menuctl(words, folder: folder.path))")
      let process = try Process("\(Program.folder)/menuctl", words, folder: folder.path)
      process.write("")
      shown.append("\(process.finish())")
      shown.append("\(try Program.shell("bash", "cd '\(folder.path)' && '\(Program.folder)/menuctl' \(ask)"))")
      guard Terminal.isPossible else { continue }
      let terminal = try Terminal(words, folder: folder.path)
      shown.append("\(terminal.finish())\n\(terminal.screen.text)")
    }
    shown.append("\(try Program.shell("bash", "shopt -s nullglob; echo ~/* ~/.[a-z]*"))")
    return shown
  }

  @Test("Every helper starts processes in the test's folders, however odd the user's are")
  func odd() throws {
    let home = try oddHome()
    let app = try ScriptFolder([
      "app.lua": "app.name = 'odd' app.store = { n = (app.store.n or 0) + 1 } print(app.store.n)"
    ])
    let usual = try shown(in: app)
    let outside = [
      "HOME": home.path, "XDG_CONFIG_HOME": "\(home.path)/config", "XDG_DATA_HOME": "\(home.path)/data",
      "XDG_STATE_HOME": "\(home.path)/state", "XDG_RUNTIME_DIR": "\(home.path)/run",
    ]
    // With the user's folders set the tool does see the plugin.
    let seen = try Program.menuctl(["plugin", "list"], environment: outside)
    expect(seen.out.contains("odd"), "\(seen)")
    let files = try Program.shell("sh", "cd '\(home.path)' && find . -type f | sort | xargs cksum").out
    let shown = try Surroundings.$outside.withValue(outside) { try self.shown(in: app) }
    expect(shown, is: usual)
    try expect(Program.shell("sh", "cd '\(home.path)' && find . -type f | sort | xargs cksum").out, is: files)
  }

  @Test("A test finds its own leftovers, and nothing of another test's", arguments: [1, 2])
  func own(_ number: Int) throws {
    let run = try Program.shell("sh", "ls ~; touch ~/left; ls ~; echo \"$XDG_STATE_HOME\"")
    expect(run.out.contains("left\n") && run.out.hasSuffix("/state\n") && !run.out.contains("mine"), "\(run)")
  }

  @Test("A test finds nothing of other tests in its home")
  func others() throws {
    try expect(Program.shell("sh", "ls -A ~ | grep -v '^run$'; touch ~/mine").out, is: "")
  }
}
