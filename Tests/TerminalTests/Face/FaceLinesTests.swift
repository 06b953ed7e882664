import Expectations
import ScriptHost
import Testing

@testable import Terminal

@Suite("The face: texts of several lines in forms") struct FaceLinesTests {
  private static let app = """
    menubar { menu "M" { item "Commit" { "commit", key = "c" } } }
    app.takes.commit = {
      message = { "string", lines = 3, wide = 10, title = "Message", order = 1 },
      sign = { "boolean", optional = true, order = 2 },
    }
    function app.on:commit(ctx) text = ctx.message return #ctx.message end
    text = ""
    """

  private func rows(_ text: String, _ columns: Int) -> [String] {
    let field = TextField(text)
    return field.rows(columns: columns).map { row in
      String(Array(text)[row.places]) + (row.endsLine ? "⏎" : "")
    }
  }

  @Test("P19: Words wrap: a blank stays with the word before it, and a word that is too long is cut")
  func wrapped() {
    expect(rows("", 5), is: ["⏎"])
    expect(rows("one two", 7), is: ["one two⏎"])
    expect(rows("one two three", 7), is: ["one two ", "three⏎"])
    expect(rows("one two three", 8), is: ["one two ", "three⏎"])
    expect(rows("abcdefgh", 3), is: ["abc", "def", "gh⏎"])
    expect(rows("a bcdefgh", 4), is: ["a ", "bcde", "fgh⏎"])
    expect(rows("a\n\nb\n", 4), is: ["a⏎", "⏎", "b⏎", "⏎"])
    expect(rows("日本語", 4), is: ["日本", "語⏎"])
    expect(rows("日本", 1), is: ["日", "本⏎"])
  }

  @Test("P19: enter begins a new line, alt+enter and ctrl+enter finish; the handler gets the whole text")
  func typed() throws {
    for end in ["alt+enter", "ctrl+enter"] {
      let stage = try FaceStage(Self.app, rows: 20)
      try stage.press("c")
      expect(stage.bottom, is: " alt+enter does it   ctrl+e editor   tab next   esc closes")
      try stage.press("a b enter enter c")
      expect(stage.face.over.count == 1 && stage.picture.contains("│ › ab"), "\(stage.picture)")
      try stage.press(end)
      expect(stage.bottom, is: " ✓ Commit → 5", "\(stage.bottom)")
      try expect(stage.value("text"), is: #""ab\n\nc""#)
    }
  }

  @Test("P19: Arrows, home and end move through the rows, and past the edge to the next field; tab goes there at once")
  func moved() throws {
    let stage = try FaceStage(Self.app, rows: 20)
    try stage.press("c a b enter c d up x home y down end z")
    let prompt = try require(stage.face.over.last as? PromptOverlay)
    expect(prompt.prompt.field.text, is: "yabx\ncdz")
    try stage.press("ctrl+u")
    expect(prompt.prompt.field.text, is: "yabx\n")
    try stage.press("down")
    expect(prompt.prompt.field.argument.key, is: "sign")
    try stage.press("shift+tab tab")
    expect(prompt.prompt.field.argument.key, is: "sign")
  }

  @Test("P19: enter above an empty text goes on to it, once; alt+enter does the action at once")
  func above() throws {
    let app = """
      app.takes.commit = {
        title = { "string", order = 1 }, scope = { "string", optional = true, order = 2 },
        body = { "string", optional = true, lines = 3, order = 3 },
      }
      function app.on:commit(ctx) return ctx.title .. " " .. tostring(ctx.body) end
      app.keys.c = "commit"
      """
    let stage = try FaceStage(app, rows: 20)
    func current() throws -> String { try require(stage.face.over.last as? PromptOverlay).prompt.field.argument.key }
    try stage.press("c a")
    expect(stage.bottom.hasPrefix(" enter goes on"), "\(stage.bottom)")
    try stage.press("enter")
    try expect(current(), is: "scope")
    try stage.press("enter")
    try expect(current(), is: "body")
    // The person has seen it, so it stays empty.
    try stage.press("shift+tab")
    expect(stage.bottom.hasPrefix(" enter does it"), "\(stage.bottom)")
    try stage.press("enter")
    expect(stage.bottom, is: " ✓ commit → a nil")
    try stage.press("c a alt+enter")
    expect(stage.bottom, is: " ✓ commit → a nil")
  }

  @Test("P19: alt+enter shows which required field is empty")
  func empty() throws {
    let stage = try FaceStage(
      """
      app.takes.go = { a = { "string", order = 1 }, b = { one_of = { "x", "y" }, order = 2 } }
      function app.on:go(ctx) return ctx.a .. ctx.b end
      app.keys.g = "go"
      """, rows: 20)
    try stage.press("g m alt+enter")
    let prompt = try require(stage.face.over.last as? PromptOverlay).prompt
    expect(prompt.field.argument.key == "b" && prompt.field.shownReason == PromptField.missing)
    expect(stage.picture.contains("it is needed"), "\(stage.picture)")
    try stage.press("down enter")
    expect(stage.bottom, is: " ✓ go → my")
  }

  @Test("P19: Characters beyond 'wide' in the first line are highlighted, but not in other lines")
  func highlighted() throws {
    let stage = try FaceStage(Self.app, rows: 20)
    try stage.press("c")
    stage.take(.paste("0123456789ab\r\n0123456789ab"))
    let canvas = stage.face.draw()
    let reason = stage.face.settings.theme.reason
    let marked = stage.lines.enumerated().filter { $0.element.contains("0123456789ab") }.map { row, line in
      let start = line.distance(from: line.startIndex, to: line.firstIndex(of: "0") ?? line.startIndex)
      return (0..<12).filter { canvas[row, start + $0].style == reason }
    }
    expect(marked, is: [[10, 11], []])
  }

  @Test("P19: You can edit a text that a form begins with, and a low screen shows the row with the cursor")
  func begun() throws {
    let stage = try FaceStage(
      Self.app.replacing("title = \"Message\"", with: "title = \"Message\", proposal = 'old\\nsecond\\nthird\\nlast'"),
      rows: 8)
    try stage.press("c")
    let prompt = try require(stage.face.over.last as? PromptOverlay)
    expect(prompt.prompt.field.text == "old\nsecond\nthird\nlast" && !prompt.prompt.field.line.isProposed)
    expect(stage.picture.contains("last") && !stage.picture.contains("old"), "\(stage.picture)")
    try stage.press("! alt+enter")
    try expect(stage.value("text"), is: #""old\nsecond\nthird\nlast!""#)
  }

  @Test("P19: ctrl+e opens the editor; its text comes into the field, and the form shows why it can't open")
  func editor() throws {
    let stage = try FaceStage(Self.app, rows: 20)
    try stage.press("c a ctrl+e")
    expect(stage.wishes, is: [.edit("a")])
    stage.face.edited(.text("new\r\ntext"))
    stage.settle()
    let prompt = try require(stage.face.over.last as? PromptOverlay)
    expect(prompt.prompt.field.text, is: "new\ntext")
    stage.face.edited(.failed("there is no editor: set $EDITOR"))
    stage.settle()
    expect(stage.picture.contains("there is no editor"), "\(stage.picture)")
    try stage.press("esc")
    stage.face.edited(.text("late"))
    expect(stage.face.over.isEmpty)
  }

  @Test("P19: In the plain face a dot ends the text; commands work at its beginning only, except 'stop'")
  func plain() throws {
    func text(_ lines: [String], _ script: String = Self.app) throws -> (text: String, said: [String]) {
      let stage = try FaceStage(script)
      var said: [String] = []
      let plain = PlainFace(stage.face) { said.append($0) }
      stage.settle()
      plain.settled()
      for line in ["press c"] + lines {
        plain.take(line)
        repeat {
          stage.settle()
          plain.settled()
        } while !stage.face.awaited.isEmpty
      }
      return (try stage.value("text"), said)
    }
    let whole = try text(["one", "", "  help", "help", "\\.", ".", ""])
    expect(whole.text, is: #""one\n\n  help\nhelp\n.""#)
    expect(whole.said.contains { $0.contains("write several lines, then a line with '.'") }, "\(whole.said)")
    try expect(text(["one", "stop"]).text, is: #""""#)
    try expect(text(["."]).said.contains { $0.contains("it is needed") })
    let proposing = Self.app.replacing("title = \"Message\"", with: "title = \"Message\", proposal = 'old\\nlast'")
    let kept = try text([".", ""], proposing)
    expect(kept.text == #""old\nlast""# && kept.said.contains("  last"), "\(kept.said)")
  }
}
