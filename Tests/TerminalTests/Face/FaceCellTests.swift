import Expectations
import ScriptHost
import Testing

@testable import Terminal

/// An app with files in columns, and branches in other columns.
private let script = """
  app.title = "Git"
  files = responder "files"
  list = { { "M", "Sources/ScriptHost/Core/Driver.swift" }, { "A", "docs/git.md", "new" }, { "?", "notes.txt" } }
  for n = 1, 20 do list[#list + 1] = { "M", "file" .. n } end
  list[#list + 1] = { "M", "the/last/one", "with a long note" }
  panel { stack {
    pane "files" { title = { "Files", span("!", "error") }, responder = files, filter = true, share = 3,
      look = function() return { subtitle = { span("3", "added"), " of 7" } } end,
      section "changed" { items = list, id = function(f) return f[2] end,
        columns = { {}, { grow = true, cut = "middle" }, { style = "quiet", align = "right" } },
        row = function(f) return item { "open", icon = f[3] and span("●", "added"),
          cells = { span(f[1], "changed"), f[2], f[3] or false } } end } },
    pane "branches" { section "locals" { items = { "main", "panes" },
      row = function(b)
        return item { "open", title = { b, span(" ↑2", "added") }, id = b, subtitle = span("here", "link") }
      end } } } }
  function files.on:open() end
  function files.can:open(ctx) return ctx.row ~= nil, "choose one" end
  focus(files)
  """

@Suite("The face: spans and cells") struct FaceCellTests {
  /// The style of the first cell with a text in a row of the screen.
  private func style(_ text: String, row: Int, of stage: FaceStage) throws -> Style {
    let canvas = stage.face.draw()
    let line = canvas.text.split(separator: "\n", omittingEmptySubsequences: false)[row]
    let place = try require(line.firstRange(of: text)).lowerBound
    return canvas[row, line.distance(from: line.startIndex, to: place)].style
  }

  @Test("P11, P16: Rows are in columns with their styles; columns of other sections don't move them")
  func columns() throws {
    let stage = try FaceStage(script, columns: 50, rows: 20)
    let lines = stage.lines.map { $0.replacing(/\s*▐$/, with: "") }
    expect(
      lines[2...5].map { $0 },
      is: [
        " Files!                                    3 of 7", "   M    Sources/ScriptHost/Core/Driver.swift",
        "   ● A  docs/git.md                           new", "   ?    notes.txt",
      ])
    expect(lines.contains("▎  main ↑2   here"))
    try expect(style("A", row: 4, of: stage).ink, is: .own(3))
    try expect(style("●", row: 4, of: stage).ink, is: .own(2))
    try expect(style("new", row: 4, of: stage).marks, is: .dim)
    try expect(style("3 of", row: 2, of: stage).ink, is: .own(2))
    try expect(style("!", row: 2, of: stage).ink, is: .own(1))
  }

  @Test("P11: Columns keep the width of the widest cell seen while you scroll")
  func scrolling() throws {
    let stage = try FaceStage(script, columns: 34, rows: 14)
    expect(stage.picture.contains("   M    Sources/…/Driver.swift"))
    try stage.press("end")
    let seen = stage.picture
    expect(seen.contains("with a l"))
    try stage.press("home")
    expect(stage.picture.contains("new"))
  }

  private static let titled = """
    local processes = {}
    for n = 1, 20 do processes[n] = { tostring(n * 1000), "process " .. n } end
    panel { pane "p" { title = "Processes",
      section "s" { header = "All of them", items = processes, columns = { { title = "PID", align = "right" }, { title = "Command" } },
        row = function(p) return item { "show", cells = p } end } } }
    function app.on:show(ctx) return "shown" end
    """

  @Test("P11: The titles of columns line up with the cells, and stay above the rows while they scroll")
  func titles() throws {
    let stage = try FaceStage(Self.titled, columns: 40, rows: 9)
    expect(
      stage.lines[2...6].map { $0.replacing(/\s*▐$/, with: "") },
      is: [" Processes", "    PID  Command", " All of them", "   1000  process 1", "   2000  process 2"])
    try stage.press("end")
    expect(
      stage.lines[2...6].map { $0.replacing(/\s*▐$/, with: "") },
      is: [" Processes", "     PID  Command", "   18000  process 18", "   19000  process 19", "   20000  process 20"])
    try expect(style("PID", row: 3, of: stage), is: stage.face.settings.theme.subtitle)
    // A press on the titles picks no row; one below them picks that row.
    stage.click(3, 8)
    expect(!stage.bottom.contains("shown"))
    stage.click(4, 8)
    expect(stage.face.panel.currentNode?.element.title, is: "18000 process 18")
    let low = try FaceStage(Self.titled, columns: 40, rows: 7)
    expect(low.lines[3].contains("All of them") && low.lines[4].contains("1000"), "two lines are for rows")
  }

  @Test("P10, P11: Letters that narrow the rows are highlighted in the cells")
  func found() throws {
    let stage = try FaceStage(script, columns: 50, rows: 20)
    try stage.press("/ n o t e s")
    expect(stage.picture.contains("   ?    notes.txt"))
    let canvas = stage.face.draw()
    let row = try require((0..<20).first { canvas[$0, 3].glyph.text == "?" })
    expect((8..<13).allSatisfy { canvas[row, $0].style.marks.contains(.bold) })
    expect(!canvas[row, 13].style.marks.contains(.bold) && !canvas[row, 3].style.marks.contains(.bold))
  }

  @Test("P13: In a pane a disabled row keeps its subtitle, and the status line shows why the current row is disabled")
  func disabled() throws {
    let stage = try FaceStage(
      """
      panel { beside {
        pane "one" { item "Locked" { "nobody", subtitle = "a subtitle" }, item "Open" { "open" } },
        pane "two" { item "Other" { "open" } } } }
      function app.on:open() end
      """, columns: 100, rows: 8)
    expect(stage.picture.contains("Locked  a subtitle "))
    expect(stage.picture.contains("nobody handles 'nobody'"))
  }

  @Test("P18: On a tinted ground a row keeps its colours, and the palette has no frame")
  func tints() throws {
    var settings = FaceSettings()
    settings.isThemeChosen = true
    settings.theme = try require(Theme(named: "dark"))
    let stage = try FaceStage(script, columns: 80, rows: 24, settings: settings)
    stage.face.isShown(on: TerminalGround(red: 0, green: 0, blue: 0))
    let current = stage.face.draw()[3, 3].style
    expect(current.ink == .rgb(232, 199, 123) && current.paper != .standard)
    try stage.press("ctrl+p")
    expect(!stage.picture.contains("│") && !stage.picture.contains("├"))
  }
}
