import ScriptHost
import Testing

@testable import Terminal

@Suite("The face: what is pasted") struct FacePasteTests {
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
    stage.paste(text)
    return stage
  }

  @Test("Where the app takes what is typed, what is pasted is typed: capitals, lines and tabs too")
  func typed() throws {
    let stage = try stage(pasting: "Dear Ada\r\n\tgreetings\n")
    #expect(stage.told("text") == #""Dear Ada\n  greetings\n""#)
    #expect(stage.bottom.contains("ctrl+p find"), "it is to be seen: \(stage.bottom)")
    stage.paste(String(repeating: "Abc ", count: 200))
    #expect(stage.told("count") == "820")
    try stage.press("ctrl+l")
    stage.paste("more")
    #expect(stage.face.over.isEmpty && stage.told("text:sub(-4)") == #""more""#)
  }

  @Test(
    "What can't be typed whole isn't typed at all, and why is said",
    arguments: [
      ("a€b", "nothing here takes '€', so nothing was pasted"),
      ("a\u{1B}b", "nothing here takes '\\x1B', so nothing was pasted"),
      (String(repeating: "a", count: 4097), "4097 characters are too many to be pasted here: up to 4096 are"),
    ])
  func refused(text: String, said: String) throws {
    let stage = try stage(pasting: text)
    #expect(stage.picture.contains(said.prefix(50)) && stage.told("count") == "0", "\(stage.picture)")
  }

  @Test(
    "What is left of a paste is not typed into something else: another focus, a dialog, or nothing that takes it",
    arguments: [
      ("focus(other)", "it would go to something else"), ("modal(other)", "it would go to something else"),
      ("error('full', 0)", "full"),
      ("ctx:refuse('full')", "full"),
    ])
  func meansSomethingElse(deed: String, reason: String) throws {
    let script =
      Self.app + """

        wiped = 0
        other = responder "other"
        function other.on:type() wiped = wiped + 1 end
        function other.on:clear() wiped = wiped + 1 end
        other.keys.d = "clear"
        menubar { menu "M" { item "Clear" { "clear" } } }
        function app.on:type(ctx) if ctx.text == "b" then \(deed) end text = text .. ctx.text end
        """
    let stage = try stage(script, pasting: "abcd")
    #expect(stage.told("text").hasPrefix("\"a") && !stage.told("text").contains("c"), "\(stage.told("text"))")
    #expect(stage.told("wiped") == "0" && stage.face.pasting == nil)
    #expect(
      stage.picture.contains("2 characters of what was pasted are left out: \(reason)".prefix(50)), "\(stage.picture)")
  }

  @Test("What is typed while it is pasted comes behind it, and esc leaves the rest out")
  func meanwhile() throws {
    let stage = try FaceStage(Self.app)
    let key = TerminalInput.key(Stroke(modifiers: [], key: "z"), text: "z")
    stage.face.take(.paste("abc"), at: .zero)
    stage.face.take(key, at: .zero)
    stage.settle()
    #expect(stage.told("text") == #""abcz""#)
    stage.face.take(.paste("abc"), at: .zero)
    stage.face.take(key, at: .zero)
    stage.face.take(.key(Stroke(modifiers: [], key: "esc"), text: nil), at: .zero)
    stage.settle()
    #expect(stage.told("text") == #""abczaz""#, "\(stage.picture)")
  }

  @Test("Where nothing is typed into, nothing takes it")
  func nowhere() throws {
    #expect(try stage(stars, pasting: "r").bottom == " ✗ nothing here takes what is pasted")
    let stage = try FaceStage(Self.app)
    try stage.press("f10")
    stage.paste("ab")
    #expect(stage.bottom == " ✗ nothing here takes what is pasted" && stage.told("count") == "0")
    let lines = Self.app.replacing("app.keys.enter", with: "app.keys.f9")
    #expect(
      try self.stage(lines, pasting: "a\nb").picture.contains("nothing here takes the end of a line, so"))
  }
}

extension FaceStage {
  /// Pastes, and waits until all of it is typed.
  fileprivate func paste(_ text: String) {
    take(.paste(text))
    for _ in 0..<100 where face.pasting != nil { settle() }
  }
}
