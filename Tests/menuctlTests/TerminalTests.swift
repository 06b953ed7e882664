import Expectations
import Glibc
import Testing

// The tool at a real terminal, with a person in front of it.

@Suite("At a terminal", .enabled(if: Terminal.isPossible, "there are no terminals here"))
struct TerminalTests {
  private let app = """
    menubar {
      menu "File" {
        item "Delete" { "delete", confirm = "Delete 星 for good?" },
        item "Save" { "save", key = "ctrl+s" },
      },
    }
    function app.on:delete() return "gone" end
    function app.on:save() progress(0.25, "writing") sleep(30) progress(1) return "saved" end
    function app.on:quick() progress(0.5, "half") sleep(0.3) return "done" end
    """

  @Test("load shows the app, coloured, at a terminal")
  func load() throws {
    let folder = try ScriptFolder(["app.lua": app])
    let terminal = try Terminal(["load", "app.lua"], columns: 60, rows: 20, folder: folder.path)
    expect(terminal.finish(), is: 0)
    expect(
      terminal.screen.text,
      is: """
        app.lua

        chain: app (focus)

        File
          ✓   Delete          delete
          ✓   Save    ctrl+s  save

        2 items, 2 can be done now
        """)
    expect(terminal.screen.style(of: "✓"), is: "32")
    expect(terminal.screen.unknown, is: [])
    let plain = try Terminal(
      ["load", "app.lua"], columns: 60, rows: 20, environment: ["NO_COLOR": "1"], folder: folder.path)
    expect(plain.finish(), is: 0)
    expect(plain.screen.text, is: terminal.screen.text)
    expect(plain.screen.style(of: "✓"), is: "")
  }

  @Test(
    "The tool asks a person to confirm: y and yes are a yes, everything else is a no",
    arguments: [
      ("y\r", 0, "handled by app → \"gone\""), ("YES\r", 0, "handled by app → \"gone\""),
      ("n\r", 1, "cancelled: 'Delete' was not confirmed"), ("\r", 1, "cancelled: 'Delete' was not confirmed"),
      ("yo\r", 1, "cancelled: 'Delete' was not confirmed"), ("\u{4}", 1, "cancelled: 'Delete' was not confirmed"),
    ])
  func confirmation(_ typed: String, _ status: Int32, _ answer: String) throws {
    let folder = try ScriptFolder(["app.lua": app])
    let terminal = try Terminal(["pick", "app.lua", "File/Delete"], columns: 60, rows: 10, folder: folder.path)
    expect(terminal.waits { $0.text == "Delete 星 for good? (y/N)" })
    terminal.type(typed)
    expect(terminal.finish(), is: status)
    expect(terminal.screen.lines.last, is: answer)
    expect(terminal.screen.lines.first?.hasPrefix("Delete 星 for good? (y/N)"), is: true)
    expect(terminal.screen.lines.count, is: 2)
  }

  @Test("Ctrl-C at the question ends the tool at once, on a new line, and nothing is done")
  func confirmationInterrupted() throws {
    let folder = try ScriptFolder(["app.lua": app])
    let terminal = try Terminal(["pick", "app.lua", "File/Delete"], folder: folder.path)
    expect(terminal.waits { $0.text.hasSuffix("(y/N)") })
    terminal.type("\u{3}")
    expect(terminal.finish() == 130 && terminal.written.suffix(2) == [0x0D, 0x0A])
    expect(!terminal.screen.text.contains("gone"))
  }

  @Test("With --yes the tool asks nothing")
  func confirmed() throws {
    let folder = try ScriptFolder(["app.lua": app])
    let terminal = try Terminal(["pick", "app.lua", "File/Delete", "--yes"], folder: folder.path)
    expect(terminal.finish(), is: 0)
    expect(terminal.screen.text, is: "handled by app → \"gone\"")
  }

  @Test("A bar shows the progress of an action, as wide as the terminal; it disappears at the end")
  func progress() throws {
    let folder = try ScriptFolder(["app.lua": app])
    let terminal = try Terminal(["perform", "app.lua", "quick"], columns: 40, rows: 6, folder: folder.path)
    expect(terminal.waits { $0.text == "████████████░░░░░░░░░░░░ 50%  half" })
    expect(terminal.finish(), is: 0)
    expect(terminal.screen.text, is: "handled by app → \"done\"")
    let narrow = try Terminal(["perform", "app.lua", "quick"], columns: 30, rows: 6, folder: folder.path)
    expect(narrow.waits { $0.text == "████████████░░░░░░░░░░░░ 50%…" })
    expect(narrow.finish(), is: 0)
    expect(narrow.screen.lines.count, is: 1)
  }

  @Test("Ctrl-C ends an action that the tool waits for, and its bar")
  func progressInterrupted() throws {
    let folder = try ScriptFolder(["app.lua": app])
    let terminal = try Terminal(["perform", "app.lua", "save"], columns: 60, rows: 6, folder: folder.path)
    expect(terminal.waits { $0.text.hasSuffix("25%  writing") })
    terminal.type("\u{3}")
    expect(terminal.finish(), is: 130)
    expect(terminal.screen.text.hasSuffix("cancelled by app: it was interrupted"))
    expect(!terminal.screen.text.contains("writing"))
  }
}
