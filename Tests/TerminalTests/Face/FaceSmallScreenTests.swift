import Expectations
import ScriptHost
import Testing

@testable import Terminal

/// The smallest screen that a face works on.
@Suite("The face: 20×6") struct FaceSmallScreenTests {
  private static let app = """
    app.title = "Tiny"
    menubar {
      menu "File" { item "Close" { "close", key = "ctrl+shift+w" } },
      menu "Edit" { item "Delete" { "delete", key = "d", destructive = true, confirm = "Delete “The old pier” for good?" } },
      menu "Image" { item "Export" { "export", key = "x" } },
      menu "Go" { item "Work" { "work", key = "w" }, item "Nap" { "nap", key = "n" } },
    }
    function app.on:close() return "closed" end
    function app.on:delete() return "deleted" end
    function app.on:export() end
    function app.can:export() return false, "select a photo" end
    function app.on:work() progress(0.42, "3 of 7") sleep(9) end
    function app.on:nap() sleep(9) end
    """

  @Test(
    "X2: At 20×6 everything important is visible",
    arguments: [
      ("", [" File  Edit     › ≡", "    ctrl+…    Clos"], "the bar and what can be done"),
      ("ctrl+p c l", ["  › cl", "  Close  File"], "the palette"),
      ("ctrl+p e x p", ["  › exp", "  Export  select …"], "a reason in the palette"),
      (
        "d",
        ["   Delete “The", "   old pier” for…", "   [ Cancel ]", "   [ ! Delete ]"],
        "a question and its answers"
      ),
      ("f10 right right", ["‹ Edit  Image   › ≡", "│   Export"], "a menu that is open"),
      ("f10 left", ["│   Image        ▸ │", "│   Go           ▸ │"], "the menus that don't fit"),
      ("w", [" Work  42 % esc esc"], "how far something is"),
      ("n", [" Nap …      esc esc"], "that something goes on"),
    ] as [(String, [String], String)])
  func seen(keys: String, lines: [String], what: String) throws {
    let stage = try FaceStage(Self.app, columns: 20, rows: 6, clock: TestClock())
    if !keys.isEmpty { try stage.press(keys) }
    stage.passes(.milliseconds(200))
    for line in lines { expect(stage.picture.contains(line), "\(what)\n\(stage.picture)") }
    for line in stage.lines { expect(line.columns <= 20) }
  }

  @Test("A menu without room in the bar is in the menu at its right end, for keys and for the mouse")
  func menusThatDontFit() throws {
    let stage = try FaceStage(Self.app, columns: 20, rows: 8)
    try stage.press("f10 left i x")
    expect(stage.picture.contains(" ✗ Export: select a\n   photo"), "\(stage.picture)")
    try stage.press("esc esc esc")
    stage.click(0, 18)
    expect(stage.face.bar.open.first?.source, is: .own)
    let row = try require(stage.lines.firstIndex { $0.contains("Go ") })
    stage.take(.mouse(Mouse(deed: .press(.left), row: row, column: 6)))
    expect(stage.face.bar.open.last?.source, is: .app("Go"))
    // A wider screen has room for all menus, and this menu has only its commands.
    try stage.press("esc esc")
    stage.face.columns = 60
    try stage.press("f10 left")
    expect(stage.face.bar.open.first?.currentRow?.title, is: "Find a Command")
    stage.face.columns = 20
    expect(stage.picture.contains("│   Image"), "what has room changes with the screen")
  }

  @Test("You press the answers of a question where they are drawn", arguments: [(20, 6), (30, 8), (60, 14)])
  func buttons(columns: Int, rows: Int) throws {
    let stage = try FaceStage(Self.app, columns: columns, rows: rows)
    for (button, said) in [("[ Cancel ]", "· Delete: you said"), ("[ ! Delete ]", "✓ Delete → deleted")] {
      try stage.press("d")
      let row = try require(stage.lines.firstIndex { $0.contains(button) })
      let line = stage.lines[row]
      let column = try require(line.firstRange(of: button)?.lowerBound)
      stage.click(row, line.distance(from: line.startIndex, to: column) + 2)
      expect(stage.picture.contains(said.prefix(16)), "\(stage.picture)")
    }
  }

  @Test("X1: With any bindings, one key opens the menu of all commands; the status line and help name it")
  func noWayOut() throws {
    let stage = try FaceStage(
      """
      app.title = "Greedy"
      menubar { menu "M" { item "Go" { "go" } } }
      app.keys = { f10 = "go", ["alt+m"] = "go", ["ctrl+c"] = "go", ["ctrl+z"] = "go", ["?"] = "go", f1 = "go" }
      function app.on:go() return "went" end
      """)
    expect(stage.bottom, is: #" ctrl+\ ≡   ctrl+p find"#)
    stage.take(.key(Stroke(modifiers: .ctrl, key: "\\"), text: nil))
    expect(stage.face.bar.open.first?.source, is: .own)
    try stage.press("k")
    expect(stage.picture.contains(#"ctrl+\      ≡, with Quit"#), "\(stage.picture)")
    try stage.press("esc")
    stage.take(.key(Stroke(modifiers: .ctrl, key: "\\"), text: nil))
    try stage.press("q")
    expect(stage.wishes, is: [.quit])
    let greedier = try FaceStage(#"app.keys = { f10 = "go", ["ctrl+\\"] = "go" } function app.on:go() end"#)
    expect(greedier.bottom.hasPrefix(" ctrl+] ≡"))
  }
}
