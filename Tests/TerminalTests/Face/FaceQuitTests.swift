import Expectations
import ScriptHost
import Testing

@testable import Terminal

@Suite("The face: leaving an app that handles 'quit'") struct FaceQuitTests {
  private static let page = """
    app.title = "Page"
    text, saved, log = "", "", {}
    menubar { menu "File" { item "Quit" { "quit", key = "ctrl+q" } } }
    local page = responder "page"
    function page.on:quit() log[#log + 1] = "left" end
    function page.confirm:quit() return text ~= saved and "Leave it unsaved?" or nil end
    focus(page)
    """

  @Test(
    "P20: An app that handles 'quit' decides before the face ends, and can ask a question",
    arguments: ["ctrl+c ctrl+c", "ctrl+\\ q", "ctrl+p q u i t enter", "ctrl+q"])
  func asks(keys: String) throws {
    let stage = try FaceStage(Self.page)
    try stage.press(keys)
    expect(stage.wishes, is: [.quit])
    try expect(stage.value("#log"), is: "1")
    let unsaved = try FaceStage(Self.page)
    try unsaved.run("text = 'a'")
    try unsaved.press(keys)
    expect(unsaved.wishes.isEmpty)
    expect(unsaved.picture.contains("Leave it unsaved?") && unsaved.picture.contains("[ Quit ]"), "\(unsaved.picture)")
    try unsaved.press("esc")
    expect(unsaved.bottom, is: " · Quit: you said no")
    expect(unsaved.wishes.isEmpty)
    try unsaved.press("\(keys) y")
    expect(unsaved.wishes, is: [.quit])
    try expect(unsaved.value("#log"), is: "1")
  }

  @Test("P20: A third ctrl+c doesn't answer the question: it closes it")
  func third() throws {
    let stage = try FaceStage(Self.page)
    try stage.run("text = 'a'")
    try stage.press("ctrl+c ctrl+c ctrl+c")
    expect(stage.face.over.isEmpty && stage.wishes.isEmpty)
    expect(stage.bottom, is: " · ctrl+c again quits")
  }

  @Test(
    "P20: A refusal is shown, and the next time the face quits anyway",
    arguments: [
      ("function page.can:quit() return false, 'the print goes on' end", " ✗ Quit: the print goes on"),
      ("function page.on:quit() error('no such page', 0) end", " ! Quit: app.lua:8: no such page"),
    ])
  func refuses(line: String, said: String) throws {
    let stage = try FaceStage(Self.page + "\n" + line, columns: 90)
    try stage.press("ctrl+c ctrl+c")
    expect(stage.wishes.isEmpty)
    expect(stage.bottom, is: "\(said); quit again to leave anyway")
    stage.passes(.seconds(11))
    try stage.press("ctrl+c ctrl+c")
    expect(stage.wishes.isEmpty)
    try stage.press("ctrl+c ctrl+c")
    expect(stage.wishes, is: [.quit])
  }

  @Test(
    "P20: The face quits at once if nobody handles 'quit', without calling a catch-all or an app that runs elsewhere",
    arguments: [
      "function app:unknown() log = 'asked' end", "function app.on:quit() return pass end", "",
    ])
  func unhandled(script: String) throws {
    let stage = try FaceStage("log = ''\n" + script)
    try stage.press("ctrl+c ctrl+c")
    expect(stage.wishes, is: [.quit])
    try expect(stage.value("log"), is: "\"\"")
    var settings = FaceSettings()
    settings.isOwn = false
    let elsewhere = try FaceStage(Self.page, settings: settings)
    try elsewhere.run("text = 'a'")
    try elsewhere.press("ctrl+c ctrl+c")
    expect(elsewhere.wishes, is: [.quit])
    try expect(elsewhere.value("#log"), is: "0")
  }

  @Test(
    "P20: An item, a nested perform or a late perform that reaches the host's 'quit' ends the face once",
    arguments: ["q", "ctrl+c ctrl+c", "l", "t"])
  func ends(keys: String) throws {
    let stage = try FaceStage(
      """
      menubar { menu "File" {
        item "Quit" { "quit", key = "q" }, item "Leave" { "leave", key = "l" }, item "Later" { "later", key = "t" },
      } }
      function app.on:leave() app:perform("quit") end
      function app.on:later() sleep(1) app:perform("quit") end
      """, clock: TestClock())
    expect(stage.host.menus().find("File/Quit")?.isEnabled, is: true)
    try stage.press(keys)
    expect(stage.wishes, is: (keys == "t" ? [] : [.quit]))
    try stage.host.advance(by: .seconds(1))
    stage.settle()
    expect(stage.wishes, is: [.quit])
  }

  @Test("P20: 'app.can.quit' refuses without a handler, and the face stays")
  func refusesWithoutHandler() throws {
    let stage = try FaceStage(
      """
      menubar { menu "File" { item "Quit" { "quit", key = "q" } } }
      function app.can:quit() return false, "the print goes on" end
      """, columns: 90)
    try stage.press("q")
    expect(stage.bottom.contains("the print goes on") && stage.wishes.isEmpty, "\(stage.bottom)")
    try stage.press("ctrl+c ctrl+c")
    expect(stage.bottom == " ✗ Quit: the print goes on; quit again to leave anyway" && stage.wishes.isEmpty)
  }

  @Test("P20: The face waits for a 'quit' that takes time, but leaves an app that doesn't respond")
  func takesTime() throws {
    let stage = try FaceStage("function app.on:quit() sleep(1) end", clock: TestClock())
    try stage.press("ctrl+c ctrl+c")
    expect(stage.wishes.isEmpty && stage.face.jobs.count == 1)
    try stage.host.advance(by: .seconds(1))
    stage.settle()
    expect(stage.wishes, is: [.quit])
    let silent = try FaceStage(Self.page)
    let stroke = TerminalInput.key(Stroke(modifiers: .ctrl, key: "c"), text: nil)
    for _ in 0..<2 { silent.face.take(stroke, at: .zero) }
    expect(silent.wishes.isEmpty)
    silent.face.isNow(Face.patience)
    expect(silent.wishes == [.interrupt, .quit] || silent.wishes == [.quit], "\(silent.wishes)")
  }
}
