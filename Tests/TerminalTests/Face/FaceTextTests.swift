import Expectations
import LiveHost
import ScriptHost
import Testing

@testable import Terminal

/// An app with files, the contents of the current file, and a log.
private let viewer = """
  app.title = "Viewer"
  local main = window "main"
  files, diff = responder "files" { next = main }, responder "diff" { next = main }
  names, staged, count = { "alpha", "beta" }, "", 30
  panel {
    beside {
      pane "files" { title = "Files", key = "2", responder = files,
        section "changed" { items = function() return names end, id = function(n) return n end,
          row = function(n) return item(n) { "open" } end } },
      stack { share = 2,
        text "diff" { title = "Diff", key = "0", of = "files", responder = diff,
          lines = function(ctx, add) for i = 1, count do add("line " .. i .. " of " .. ctx.row) end end },
        text "log" { title = "Log", key = "9", follow = true, wrap = true,
          lines = function(ctx, add) for i = 1, 20 do add("entry " .. i) end end },
      },
    },
  }
  function files.on:open() end
  function diff.on:stage(ctx) staged = table.concat(ctx.line_numbers, " ") end
  diff.keys["s"] = "stage"
  """

@Suite("The face: texts") struct FaceTextTests {
  private func stage(columns: Int = 96, rows: Int = 18, _ more: String = "") throws -> FaceStage {
    let stage = try FaceStage(viewer + "\n" + more, columns: columns, rows: rows)
    stage.linesCome()
    return stage
  }

  @Test("P15: A text with a responder follows its end until the person leaves it")
  func followsWithResponder() throws {
    let stage = try FaceStage(
      """
      count = 30
      panel { text "log" { follow = true, responder = responder "log",
        lines = function(ctx, add) for i = 1, count do add("entry " .. i) end end } }
      function app.on:more() count = count + 30 end
      app.keys.m = "more"
      """)
    stage.linesCome()
    expect(stage.picture.contains("entry 30"), "\(stage.picture)")
    try stage.press("m")
    stage.linesCome()
    expect(stage.picture.contains("entry 60"), "\(stage.picture)")
    try stage.press("home m")
    stage.linesCome()
    expect(stage.picture.contains("entry 1 ") || stage.picture.contains("entry 1\n"), "\(stage.picture)")
    try stage.press("end m")
    stage.linesCome()
    expect(stage.picture.contains("entry 120"), "\(stage.picture)")
  }

  @Test("P14: A text shows its lines beside its rows, under its title; 'follow' stays at the end")
  func begin() throws {
    try expect(
      stage().picture,
      is: """
                                                                                              Viewer  ≡

         2 Files                       │ 0 Diff
           alpha                       │ line 1 of alpha                                               ▐
           beta                        │ line 2 of alpha
                                       │ line 3 of alpha
                                       │ line 4 of alpha
                                       │ line 5 of alpha
                                       │
                                       │ 9 Log
                                       │ entry 15
                                       │ entry 16
                                       │ entry 17
                                       │ entry 18
                                       │ entry 19
                                       │ entry 20                                                      ▐

         enter does it   ? why   f10 menus   ctrl+p find   f1 keys
        """)
  }

  @Test("P14: After a move the text shows lines about the new row, from the first line on")
  func moves() throws {
    let stage = try stage()
    try stage.press("0 end 2 down")
    stage.linesCome()
    expect(stage.picture.contains("line 1 of beta") && !stage.picture.contains("alpha│"))
  }

  @Test("P15: Lines that are newer than the menus are not requested again before the menus change")
  func newerLines() throws {
    let stage = try stage()
    let lines = (1...30).map { JSON.object([("text", .text("newer \($0)"))]) }
    stage.face.take(
      linesOf: "diff", .object([("from", .integer(1)), ("lines", .list(lines)), ("version", .integer(1_000))]))
    expect(!stage.face.isAwaiting(linesOf: "diff"))
    expect(stage.picture.contains("newer 1"))
  }

  @Test("P15: Arrows, pages, home and end move the current line; if the text has no responder they scroll")
  func scrolls() throws {
    let stage = try stage()
    try stage.press("0 down down s")
    try expect(stage.value("staged"), is: "\"3\"")
    try stage.press("end s")
    try expect(stage.value("staged"), is: "\"30\"")
    expect(stage.picture.contains("line 30 of alpha") && !stage.picture.contains("line 1 of"))
    try stage.press("home pagedown s")
    try expect(stage.value("staged"), is: "\"5\"")
    try stage.press("9 home")
    expect(stage.lines.contains { $0.contains(/entry 1 +▐$/) }, "\(stage.picture)")
    try stage.press("end")
    expect(stage.picture.contains("entry 20"))
    try stage.press("up")
    expect(!stage.picture.contains("entry 20") && stage.picture.contains("entry 19"))
  }

  @Test("P15: A line that an action selects comes into sight")
  func selectedByApp() throws {
    let stage = try stage("function diff.on:hunk() app:select('diff', 20, 20) return '' end diff.keys.h = 'hunk'")
    try stage.press("0 h")
    expect(stage.picture.contains("line 20 of alpha") && !stage.picture.contains("line 1 of"), "\(stage.picture)")
    try stage.press("up s")
    try expect(stage.value("staged"), is: "\"19\"")
  }

  @Test("shift with arrows and pages scrolls the text about the focused pane, which keeps the focus")
  func scrollsFromAfar() throws {
    let stage = try stage()
    try stage.press("shift+down shift+down")
    expect(stage.picture.contains("line 3 of alpha") && !stage.picture.contains("line 2 of"), "\(stage.picture)")
    try stage.press("shift+pagedown")
    expect(stage.picture.contains("line 7 of alpha") && !stage.picture.contains("line 3 of"), "\(stage.picture)")
    try stage.press("shift+pageup shift+up shift+up")
    expect(stage.picture.contains("line 1 of alpha") && stage.face.panel.id == "files")
  }

  @Test("A search without a match says that no line has the text")
  func notFound() throws {
    let stage = try stage()
    try stage.press("0 / z z enter")
    expect(stage.bottom, is: " ✗ no line contains 'zz'", "\(stage.bottom)")
  }

  @Test("P15: 'v' selects lines, and an action applies to all of them; esc ends the selection")
  func selects() throws {
    let stage = try stage()
    try stage.press("0 down v down down s")
    try expect(stage.value("staged"), is: "\"2 3 4\"")
    try stage.press("esc s")
    try expect(stage.value("staged"), is: "\"4\"")
    try stage.press("v up up s v s")
    try expect(stage.value("staged"), is: "\"2\"")
  }

  @Test("P15: '/' searches, enter goes to the match, n and N go on; matching letters are highlighted")
  func searches() throws {
    let stage = try stage()
    try stage.press("0 / l i n e space 2")
    expect(stage.picture.contains("/ line 2"))
    try stage.press("enter s")
    try expect(stage.value("staged"), is: "\"2\"")
    try stage.press("n s")
    try expect(stage.value("staged"), is: "\"20\"")
    try stage.press("n n s")
    try expect(stage.value("staged"), is: "\"22\"")
    try stage.press("shift+n s")
    try expect(stage.value("staged"), is: "\"21\"")
    try stage.press("esc n")
    expect(stage.bottom.contains("nothing is bound"))
  }

  @Test("P15: A click focuses the text and makes the line current; the wheel scrolls")
  func mouse() throws {
    let stage = try stage()
    stage.click(5, 45)
    try stage.press("s")
    try expect(stage.value("staged"), is: "\"3\"")
    stage.take(.mouse(Mouse(deed: .wheel(rows: 2, columns: 0), row: 5, column: 45)))
    expect(stage.picture.contains("line 7 of alpha") && !stage.picture.contains("line 1 of"))
  }

  @Test("P15: A drag selects lines, and at an edge goes on to further ones; without a current line it scrolls")
  func drags() throws {
    let stage = try stage()
    func drag(_ rows: Int..., column: Int = 45) {
      stage.take(.mouse(Mouse(deed: .press(.left), row: rows[0], column: column)))
      for row in rows.dropFirst() {
        stage.take(.mouse(Mouse(deed: .move(.left), row: row, column: column)))
        stage.linesCome()
      }
      stage.take(.mouse(Mouse(deed: .release(.left), row: rows[rows.count - 1], column: column)))
    }
    drag(5, 6, 4)
    try stage.press("s")
    try expect(stage.value("staged"), is: "\"2 3\"")
    drag(5, 7, 7)
    try stage.press("s")
    try expect(stage.value("staged"), is: "\"3 4 5 6 7\"")
    expect(stage.picture.contains("line 7 of alpha") && !stage.picture.contains("line 1 of"))
    stage.take(.mouse(Mouse(deed: .move(.left), row: 3, column: 45)))
    try stage.press("s")
    try expect(stage.value("staged"), is: "\"3 4 5 6 7\"", "nothing is dragged without a press")
    drag(12, 14)
    expect(stage.picture.contains("entry 13") && !stage.picture.contains("entry 20"))
  }

  @Test("The status line names the keys of the focused pane, as many as have room")
  func hints() throws {
    let more = "diff.keys.u = 'unstage' diff.about.unstage = { title = 'Take back…' } function diff.on:unstage() end"
    let stage = try stage(more)
    expect(!stage.bottom.contains("stage"))
    try stage.press("0")
    expect(stage.bottom, is: " s stage   u Take back   f10 menus   ctrl+p find   ? keys")
    let small = try self.stage(columns: 50, more)
    try small.press("0")
    expect(small.bottom, is: " s stage   u Take back   ctrl+p find   ? keys")
  }

  @Test("P6: A narrow screen shows the text that belongs to the focused pane with it")
  func narrow() throws {
    let stage = try stage(columns: 50, rows: 24)
    expect(stage.picture.contains("beta") && stage.picture.contains("line 1 of alpha"))
    expect(stage.picture.contains("9 Log") && !stage.picture.contains("entry"))
  }

  @Test("P14: The face runs only the functions of texts on the screen")
  func unseen() throws {
    let stage = try FaceStage(
      """
      asked = ""
      panel { beside {
        text "a" { title = "A", key = "1", lines = function() asked = asked .. "a" return "of a" end },
        text "b" { title = "B", key = "2", lines = function() asked = asked .. "b" return "of b" end } } }
      """, columns: 50, rows: 12)
    stage.linesCome()
    expect(stage.picture.contains("of a") && !stage.picture.contains("of b"))
    try expect(stage.value("asked"), is: "\"a\"")
    try stage.press("2")
    stage.linesCome()
    expect(stage.picture.contains("of b"))
    // The line that was evaluated above is a rebuild, after which the text on the screen is asked once more.
    try expect(stage.value("(asked:gsub('a', ''))"), is: "\"b\"")
  }

  @Test("P14: A failing function shows its reason in place of the lines")
  func fails() throws {
    let stage = try FaceStage(
      #"panel { text "notes" { title = "Notes", lines = function() error("no notes today", 0) end } }"#,
      columns: 60, rows: 12)
    stage.linesCome()
    expect(stage.picture.contains("Notes\n no notes today"))
  }

  @Test("P14: Lines that don't fit are cut, or wrap between words with 'wrap'")
  func wraps() throws {
    let stage = try FaceStage(
      #"""
      panel { stack { text "a" { lines = { "one two three four five six seven" } },
        text "b" { wrap = true, lines = { "one two three four five six seven", "end" } } } }
      """#, columns: 24, rows: 14)
    expect(stage.picture.contains(" one two three four fi…\n"), "\(stage.picture)")
    expect(stage.picture.contains(" one two three four\n↪five six seven\n end"), "\(stage.picture)")
  }

  @Test("P15: Left and right show the rest of lines that don't fit, and do nothing if all fit")
  func sideways() throws {
    let stage = try FaceStage(
      #"""
      panel { stack { text "a" { lines = { "one two three four five six seven eight", "short" } } } }
      """#, columns: 24, rows: 10)
    try stage.press("right")
    expect(stage.picture.contains(" …r five six seven eig…\n …\n"), "\(stage.picture)")
    try stage.press("right right")
    expect(stage.picture.contains("seven eight\n"), "\(stage.picture)")
    try stage.press("left left left")
    expect(stage.picture.contains(" one two three four fi…\n short\n"), "\(stage.picture)")
    let fitting = try FaceStage(
      "panel { stack { text 'a' { lines = { 'short' } } } }", columns: 50, rows: 10)
    try fitting.press("right")
    expect(fitting.bottom.contains("nothing is bound to"), "\(fitting.bottom)")
  }
}
