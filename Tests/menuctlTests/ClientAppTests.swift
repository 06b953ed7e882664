import Expectations
import Glibc
import Testing

/// The whole applications of `scripts/clients`, each in its terminal.
@Suite("Applications in other languages", .enabled(if: Terminal.isPossible)) struct ClientAppTests {
  private let folder = "\(Project.folder)/scripts/clients"

  private func start(_ words: [String], in place: ScriptFolder) throws -> Terminal {
    let terminal = try Terminal(
      words, program: "/usr/bin/env",
      environment: [
        "MENUCTL": "\(Program.folder)/menuctl", "XDG_RUNTIME_DIR": place.path, "LC_ALL": "C.UTF-8",
      ], folder: place.path)
    terminal.kept = place
    return terminal
  }

  private static var hasCurses: Bool { (try? Program.shell("sh", "python3 -c 'import curses'").status) == 0 }

  @Test("R6: The text editor in Python writes, undoes, saves and asks before quitting", .enabled(if: hasCurses))
  func write() throws {
    let place = try ScriptFolder(["a.txt": "one\ntwo\n"])
    let terminal = try start(["python3", "\(folder)/write/write.py", "a.txt"], in: place)
    func shows(_ text: String) -> Bool { terminal.waits { $0.text.contains(text) } }
    expect(shows("File  Edit  Find") && shows("two"), "\(terminal.screen.text)")
    terminal.type("hey ")
    expect(shows("hey one") && shows("a.txt*"), "\(terminal.screen.text)")
    // A plugin's action, with the context that the program supplies.
    terminal.type("\u{15}")
    expect(shows("HEY ONE"), "\(terminal.screen.text)")
    terminal.type("\u{1A}")
    expect(shows("hey one"), "\(terminal.screen.text)")
    // Text typed in one stretch is one step.
    terminal.type("\u{1A}")
    expect(terminal.waits { $0.text.contains("one") && !$0.text.contains("hey") }, "\(terminal.screen.text)")
    terminal.type("\u{19}")
    expect(shows("hey one"), "\(terminal.screen.text)")
    terminal.type("\u{10}")
    expect(shows("File: Save As…") && shows("Edit: Double Line"), "\(terminal.screen.text)")
    terminal.type("double\r")
    expect(terminal.waits { $0.text.matches(of: /hey one/).count == 2 }, "\(terminal.screen.text)")
    terminal.type("\u{6}two\r\u{11}")
    expect(shows("The text has changed. Quit without saving?"), "\(terminal.screen.text)")
    terminal.type("n\r\u{13}")
    expect(shows("saved a.txt"), "\(terminal.screen.text)")
    terminal.type("\u{13}")
    expect(shows("nothing has changed"), "\(terminal.screen.text)")
    terminal.type("\u{11}")
    expect(terminal.finish(), is: 0)
    try expect(Program.shell("sh", "cat '\(place.path)/a.txt'").out, is: "hey one\nhey one\ntwo\n")
  }

  private static var hasJansson: Bool {
    Program.isInstalled("cc") && (try? Program.shell("sh", "pkg-config --exists jansson").status) == 0
  }

  @Test(
    "R6: The house of lamps in C shows and changes them, and one undo takes back a script's changes",
    .enabled(if: hasJansson))
  func lamps() throws {
    let place = try ScriptFolder(["lamps.lua": try Project.text("scripts/clients/lamps/lamps.lua")])
    let made = try Program.shell(
      "sh", "cc -Wall -Wextra -Werror -o '\(place.path)/lamps' '\(folder)/lamps/lamps.c' -ljansson")
    expect(made.status, is: 0, "\(made)")
    let terminal = try start(["./lamps"], in: place)
    func shows(_ lamps: [String: Int]) -> Bool {
      terminal.waits { screen in
        lamps.allSatisfy { name, level in
          let bar = String(repeating: "█", count: level) + String(repeating: "░", count: 8 - level)
          return screen.text.split(separator: "\n").contains { $0.contains(name) && $0.contains(bar) }
        }
      }
    }
    expect(shows(["Kitchen": 0, "Hall": 3, "Desk": 6]), "\(terminal.screen.text)")
    // The program may still handle the choice of the first row.
    terminal.type("\u{1B}[B+")
    expect(shows(["Hall": 4]), "\(terminal.screen.text)")
    terminal.type("e")
    expect(shows(["Kitchen": 2, "Hall": 2, "Desk": 2]), "\(terminal.screen.text)")
    terminal.type("\u{1A}")
    expect(shows(["Kitchen": 0, "Hall": 4, "Desk": 6]), "\(terminal.screen.text)")
    terminal.type("aAttic\r")
    expect(terminal.waits { $0.text.contains("Attic") && !$0.text.contains("Name") }, "\(terminal.screen.text)")
    terminal.type("oo")
    expect(shows(["Attic": 0, "Desk": 0]), "\(terminal.screen.text)")
    terminal.type("q")
    expect(terminal.finish(), is: 0)
  }
}
