import Expectations
import Testing

@testable import ScriptHost

@Suite("app:forget_undo")
struct ForgetUndoTests {
  private static let script = """
    doc = { n = 0, told = {} }
    local main = window "main"
    focus(main)
    function main.on:add(ctx) ctx:set(doc, "n", doc.n + 1, "Add") end
    function main.on:bad(ctx) ctx:undo("Bad", function() error("it can't be taken back") end) end
    function main.on:slow(ctx) ctx:undo("Slow", function() sleep(5) end) end
    function main.on:within(ctx) ctx:undo("Within", function() doc.told = { app:forget_undo() } end) end
    function main.on:forget() return app:forget_undo() end
    function main.can:forget_asked() app:forget_undo() end
    function main.on:forget_asked() end
    function app.on:told() return tostring(doc.told[1]) .. " " .. tostring(doc.told[2]) end
    function app.on:forgotten() local title, why = app:forget_undo() return tostring(title) .. " " .. tostring(why) end
    """

  @Test("U15: A failing undo can be dropped, so that it doesn't block the entry before it; its changes stay")
  func blocking() throws {
    let host = try ScriptStage(Self.script).host
    host.perform("add")
    host.perform("bad")
    for _ in 1...2 { expect(host.undo().status, is: .failed) }
    expect(host.perform("forget").result.shownText, is: "Bad")
    expect(host.undoHistory.undo, is: ["Add"])
    expect(host.undo().status, is: .handled)
    expect(host.undoHistory.undo == [] && host.undoHistory.redo == ["Add"])
    expect(host.perform("forgotten").result.shownText, is: "nil there is nothing to undo")
    expect(host.redo().status, is: .handled, "what was undone before can still be redone")
    try expect(host.forgetUndo(), is: "Add")
    #expect(throws: Misuse.self) { try host.forgetUndo() }
  }

  @Test("U15: forget_undo drops the entry that undo would take next, of the nearest history with something to undo")
  func nearest() throws {
    let stage = try ScriptStage(
      Self.script + """

        page = responder "page" { next = main, undo = true }
        function page.on:near(ctx) ctx:set(doc, "near", 1, "Near") end
        function app.on:far(ctx) ctx:set(doc, "far", 1, "Far") end
        """)
    let host = stage.host
    try host.focus(try require(host.find("page")))
    for action in ["far", "add", "near"] { host.perform(action) }
    for title in ["Near", "Add", "Far"] { expect(host.perform("forget").result.shownText, is: title) }
    expect(host.perform("forget").result.shownText, is: nil)
  }

  @Test("U15: A plugin drops only what it registered itself; the app drops anything")
  func owners() throws {
    let stage = try PluginStage(
      [
        "p.lua": """
        plugin { name = "p", version = "1" }
        function app.on:theirs(ctx) ctx:undo("Theirs", function() end) end
        function app.on:both(ctx) ctx:undo("Both", function() end) app:perform("mine") end
        function app.on:theirs_forgets() local title, why = app:forget_undo() return title or why end
        """
      ],
      app: """
        function app.on:mine(ctx) ctx:undo("Mine", function() end) end
        function app.on:app_forgets() local title, why = app:forget_undo() return title or why end
        """)
    try stage.load("p.lua")
    for (action, title) in [("mine", "Mine"), ("both", "Both")] {
      stage.host.perform(action)
      let refused = "'\(title)' belongs to another script: only the app or that script can forget it"
      expect(stage.host.perform("theirs_forgets").result.shownText, is: refused)
      expect(stage.host.perform("app_forgets").result.shownText, is: title)
    }
    stage.host.perform("theirs")
    expect(stage.host.perform("theirs_forgets").result.shownText, is: "Theirs")
    expect(stage.host.undoHistory.undo, is: [])
  }

  @Test("U15: forget_undo drops nothing while something is taken back, or while the host asks")
  func notNow() throws {
    let stage = try ScriptStage(Self.script)
    let host = stage.host
    host.perform("within")
    expect(host.undo().status, is: .handled)
    expect(host.perform("told").result.shownText, is: "nil nothing can be forgotten during an undo")
    host.perform("slow")
    expect(host.undo().status, is: .running)
    expect(host.perform("forgotten").result.shownText, is: "nil 'undo' is waiting")
    try host.advance(by: .seconds(5))
    host.perform("add")
    let reason = host.perform("forget_asked").reason ?? ""
    expect(reason.contains("forgetting an undo is not possible here: the host only asks"), "\(reason)")
    expect(host.undoHistory.undo, is: ["Add"])
  }
}
