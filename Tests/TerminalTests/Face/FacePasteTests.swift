import Expectations
import ScriptHost
import Testing

@testable import Terminal

@Suite("The face: pasted text") struct FacePasteTests {
  private static let app = """
    app.title = "Paper"
    text, count = "", 0
    panel { section "text" { items = function() return { text } end, row = function(line) return label(line) end } }
    for letter in ("abcdefghijklmnopqrstuvwxyz"):gmatch(".") do
      app.keys[letter] = 'type(text: "' .. letter .. '")'
      app.keys["shift+" .. letter] = 'type(text: "' .. letter:upper() .. '")'
    end
    app.keys.space, app.keys.enter, app.keys.tab = 'type(text: " ")', 'type(text: "\\\\n")', 'type(text: "  ")'
    app.keys["ctrl+d"] = "clear"
    function app.on:type(ctx) text = text .. ctx.text count = count + 1 end
    function app.on:clear() text = "" end
    """

  private func stage(_ script: String = app, pasting text: String) throws -> FaceStage {
    let stage = try FaceStage(script)
    stage.take(.paste(text))
    return stage
  }

  @Test("If the app takes typed text, pasted text counts as typed: capitals, lines and tabs too")
  func typed() throws {
    let stage = try stage(pasting: "Dear Ada\r\n\tgreetings\n")
    expect(stage.told("text"), is: #""Dear Ada\n  greetings\n""#)
    expect(stage.bottom.contains("ctrl+p find"), "it is to be seen: \(stage.bottom)")
    stage.take(.paste(String(repeating: "Abc ", count: 1000)))
    expect(stage.told("count"), is: "4020")
    try stage.press("ctrl+l")
    stage.take(.paste("more"))
    expect(stage.face.over.isEmpty && stage.told("text:sub(-4)") == #""more""#)
  }

  @Test(
    "A text that can't be typed whole isn't typed at all, and the face shows why",
    arguments: [
      ("a€b", "nothing here accepts '€', so nothing was pasted"),
      ("a\u{1B}b", "nothing here accepts '\\x1B', so nothing was pasted"),
      (String(repeating: "a", count: 4097), "4097 characters are too many to paste: the limit is 4096"),
    ])
  func refused(text: String, said: String) throws {
    let stage = try stage(pasting: text)
    expect(stage.picture.contains(said.prefix(50)) && stage.told("count") == "0", "\(stage.picture)")
  }

  @Test("A paste is refused if nothing takes text")
  func nowhere() throws {
    try expect(stage(stars, pasting: "r").bottom, is: " ✗ nothing here accepts pasted text")
    let stage = try FaceStage(Self.app)
    try stage.press("f10")
    stage.take(.paste("ab"))
    expect(stage.bottom == " ✗ nothing here accepts pasted text" && stage.told("count") == "0")
    let lines = Self.app.replacing("app.keys.enter", with: "app.keys.f9")
    try expect(
      self.stage(lines, pasting: "a\nb").picture.contains("nothing here accepts the end of a line, so"))
  }
}
