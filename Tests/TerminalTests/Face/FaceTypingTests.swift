import Expectations
import ScriptHost
import Testing

@testable import Terminal

@Suite("The face: text, counts and keys that wait") struct FaceTypingTests {
  private let script = """
    list = responder "list" { counts = true, typed = "" }
    list.about.down = "Down"
    function list.on:down(ctx) return "by " .. (ctx.count or 1) end
    function list.on:top() return "at the top" end
    function list.on:ask(ctx) return "asked " .. (ctx.count or 0) end
    list.confirm.ask = "Really?"
    function list.on:type(ctx) self.typed = self.typed .. ctx.text end
    list.keys = { j = "down", ["g g"] = "top", g = { "down", wait = 0.5 }, k = "ask" }
    writing = responder "writing" { keys = { text = "type", q = "down" } }
    function writing.on:type(ctx) list.typed = list.typed .. ctx.text end
    function writing.on:down() return "down" end
    focus(list)
    """

  @Test("K12: The status line shows the count and the typed strokes, and the outcome includes the count")
  func counts() throws {
    let stage = try FaceStage(script)
    try stage.press("1 2")
    expect(stage.bottom, is: " … 12")
    try stage.press("j")
    expect(stage.bottom, is: " ✓ Down → by 12")
    try stage.press("3 g")
    expect(stage.bottom, is: " … 3 g")
    try stage.press("g")
    expect(stage.bottom, is: " ✓ top → at the top")
    try stage.press("4 esc")
    expect(stage.bottom, is: " ✗ '4' was begun and then dropped")
  }

  private static let modes = """
    list, writing = responder "list", false
    panel { typing = false, pane "a" { responder = list, marks = true, filter = true,
      section "s" { items = { "one", "two" }, row = function(n) return item(n) { "open" } end } } }
    function list.on:open(ctx) return "opened " .. ctx.row end
    typed = ""
    function list.on:type(ctx) typed = typed .. ctx.text end
    function list.on:split() typed = typed .. "|" end
    function list.on:write() writing = true return "" end
    list.keys.text = { "type", when = function() return writing end }
    list.keys.enter = { "split", when = function() return writing end }
    list.keys.i = { "write", when = function() return not writing end }
    """

  @Test("K10: A key whose 'when' is false is the face's own; the face knows the answer before the next key")
  func modes() throws {
    let stage = try FaceStage(Self.modes)
    try stage.press("j enter")
    expect(stage.bottom.hasSuffix(" ✓ two → opened two"), "\(stage.bottom)")
    try stage.press("space")
    expect(stage.picture.contains("● two"), "\(stage.picture)")
    expect(!stage.bottom.contains("split"), "\(stage.bottom)")
    try stage.rush("i j space j enter i")
    try expect(stage.value("typed"), is: "\"j j|i\"")
    let pasted = try FaceStage(Self.modes)
    try pasted.press("i")
    pasted.take(.paste("idle"))
    try expect(pasted.value("typed"), is: "\"idle\"")
  }

  @Test("K12: Text that is typed comes before the key of a pane, and so does a count")
  func panesAndText() throws {
    let stage = try FaceStage(
      """
      list, other = responder "list", responder "other"
      panel { beside { pane "a" { key = "1", responder = list, item "one" { "type" } },
        pane "b" { key = "2", responder = other, item "two" { "type" } } } }
      typed = ""
      function list.on:type(ctx) typed = typed .. (ctx.text or "") end
      list.keys.text = "type"
      """)
    try stage.press("2 1")
    try expect(stage.value("typed"), is: "\"21\"")
  }

  @Test("K12: A question for a key with a count keeps that count")
  func question() throws {
    let stage = try FaceStage(script)
    try stage.press("1 5 k y")
    expect(stage.bottom, is: " ✓ ask → asked 15")
  }

  @Test("K12: A waiting key acts after its time, or before another stroke, and the face shows its outcome")
  func waits() throws {
    let clock = TestClock()
    let stage = try FaceStage(script, clock: clock)
    try stage.press("2 g")
    expect(stage.bottom, is: " … 2 g")
    try stage.host.advance(by: .milliseconds(500))
    stage.settle()
    expect(stage.bottom, is: " ✓ Down → by 2")
    expect(stage.face.strokes.begun.isEmpty)
    try stage.press("g j")
    expect(stage.bottom, is: " ✓ Down → by 1")
    expect(stage.face.log.entries.suffix(2).map(\.text), is: ["Down → by 1", "Down → by 1"])
  }

  @Test("K12: Typed text goes to the app, even characters that the face uses, and leaves no message")
  func text() throws {
    let stage = try FaceStage(script)
    try stage.run("focus(writing)")
    try stage.press("h ? shift+a 7 space")
    try expect(stage.value("list.typed"), is: #""h?A7 ""#)
    expect(stage.face.over.isEmpty && !stage.bottom.contains("✓"))
    try stage.press("q")
    expect(stage.bottom, is: " ✓ down → down")
    stage.take(.paste("To be"))
    try expect(stage.value("list.typed"), is: #""h?A7 To be""#)
  }
}
