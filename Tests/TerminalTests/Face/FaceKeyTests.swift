import Expectations
import ScriptHost
import Testing

@testable import Terminal

@Suite("The face: keys") struct FaceKeyTests {
  @Test("X1: Every key of the app reaches the app, and so does esc while nothing of the face is open")
  func reaches() throws {
    let stage = try FaceStage(stars)
    try stage.press("right")
    expect(stage.bottom, is: " ✓ Next → Gulls")
    try stage.press("f10 esc")
    try expect(stage.value("state.photo"), is: "\"Gulls\"")
    try stage.press("esc")
    try expect(stage.value("state.photo"), is: "null")
    expect(stage.bottom, is: " ✓ deselect")
    try stage.press("x")
    expect(stage.bottom, is: " ✗ nothing is bound to 'x'")
  }

  @Test("X1: A key that the app binds is the app's, and the menu at the bar's right end still has the command")
  func givenUp() throws {
    let stage = try FaceStage(stars)
    try stage.press("ctrl+l")
    expect(stage.bottom, is: " ✓ own → own")
    expect(stage.face.over.isEmpty)
    try stage.press("f10 left l")
    expect(stage.picture.contains("─ Log ─"))
    expect(stage.picture.contains("│ ✓ own → own"))
  }

  @Test("X1: --keys gives the face's commands other strokes")
  func others() throws {
    var settings = FaceSettings()
    settings.strokes = [
      "palette": try KeySequence.parse("ctrl+k").strokes[0], "log": try KeySequence.parse("f8").strokes[0],
    ]
    let stage = try FaceStage(stars, settings: settings)
    try stage.press("ctrl+k")
    expect(stage.face.over.last is PaletteOverlay)
    try stage.press("esc f8")
    expect(stage.picture.contains("─ Log ─"))
    try stage.press("esc ctrl+p")
    expect(stage.bottom, is: " ✗ nothing is bound to 'ctrl+p'")
    expect(FaceSettings.commandNames, is: ["menus", "palette", "help", "inspector", "log", "suspend", "quit"])
  }

  @Test("A begun sequence shows its strokes at once, and a moment later how it can go on")
  func hints() throws {
    let stage = try FaceStage(stars)
    try stage.press("g")
    expect(stage.bottom, is: " … g")
    expect(!stage.picture.contains("┌"))
    expect(stage.face.deadline, is: .milliseconds(300))
    stage.passes(.milliseconds(300))
    expect(
      stage.lines.suffix(4),
      is: [
        "┌─ g … ────────────────────────────────────────────────────┐",
        "│ g top     c Clear                                        │",
        "└──────────────────────────────────────────────────────────┘",
        " … g",
      ])
    try stage.press("g")
    expect(stage.bottom, is: " ✓ top → top")
    expect(!stage.picture.contains("┌"))
    try stage.press("g esc")
    expect(stage.bottom, is: " ✗ 'g' was begun and then dropped")
    try expect(stage.value("state.photo"), is: "null")
    try stage.press("g r")
    expect(stage.bottom, is: " ✓ Rate → 5 stars")
  }

  @Test(
    "A question has the safe answer first and the item's title as button, for keys and for sequences"
  )
  func question() throws {
    let stage = try FaceStage(stars)
    try stage.press("delete")
    expect(stage.picture.contains("Delete it for good?"))
    expect(stage.picture.contains("[ Cancel ]  [ ! Delete ]"))
    expect(stage.bottom, is: " ← → choose   enter answers   esc is no")
    try stage.press("enter")
    expect(stage.bottom, is: " · Delete: you said no")
    try expect(stage.value("state.deleted"), is: "null")
    try stage.press("delete tab enter")
    expect(stage.bottom, is: " ✓ Delete → gone")
    try expect(stage.value("state.deleted"), is: "true")
    for (keys, isDone) in [
      ("y", true), ("n", false), ("esc", false), ("right enter", true), ("left left space", false),
    ] {
      try stage.run("state.deleted = nil")
      try stage.press("f10 up enter \(keys)")
      try expect(stage.value("state.deleted"), is: (isDone ? "true" : "null"), "\(keys)")
    }
    let sequence = try FaceStage(
      "menubar { menu 'M' { item 'Go' { 'go', key = 'g x', confirm = 'Sure?' } } } function app.on:go() return 1 end")
    try sequence.press("g x y")
    expect(sequence.bottom, is: " ✓ Go → 1")
    var settings = FaceSettings()
    settings.confirms = true
    let sure = try FaceStage(stars, settings: settings)
    try sure.press("delete")
    expect(sure.bottom, is: " ✓ Delete → gone")
  }

  @Test("The palette finds by letters, shows keys and reasons, performs the current entry, and answers why")
  func palette() throws {
    let stage = try FaceStage(stars)
    try stage.press("ctrl+p e x")
    expect(stage.picture.contains("│ Next  Go                                   right │"), "\(stage.picture)")
    expect(stage.picture.contains("│ As JPEG  Image › Export     select a photo first │"), "\(stage.picture)")
    try stage.press("enter")
    expect(stage.bottom, is: " ✓ Next → Gulls")
    try stage.press("ctrl+p backspace")
    let palette = try require(stage.face.over.last as? PaletteOverlay)
    expect(palette.entry?.title, is: "Next", "what was picked last comes first")
    try stage.press("j p e g alt+enter")
    expect(stage.picture.contains("enabled: 'list' takes it"))
    try stage.press("esc esc ctrl+p q u i t enter")
    expect(stage.wishes, is: [.quit])
    stage.take(.key(Stroke(modifiers: .ctrl, key: "p"), text: nil))
    stage.take(.paste("clea\nr"))
    try stage.press("enter")
    expect(stage.bottom, is: " ✓ Clear → 0 stars")
  }

  @Test("The palette doesn't list an action that is internal; its key performs it")
  func internalAction() throws {
    let stage = try FaceStage(
      """
      app.about.step = { title = "Step aside", internal = true }
      function app.on:step(ctx) return ctx.by end
      function app.on:stay() end
      app.keys.x = "step(by: 2)"
      """)
    try stage.press("ctrl+p s t")
    let palette = try require(stage.face.over.last as? PaletteOverlay)
    expect(palette.palette.entries.map(\.title).contains("stay"))
    expect(!palette.palette.entries.map(\.title).contains("Step aside"))
    try stage.press("esc x")
    expect(stage.bottom, is: " ✓ Step aside → 2")
  }

  @Test("X1: ctrl+c closes open menus and boxes, and a second ctrl+c quits")
  func quits() throws {
    let stage = try FaceStage(stars)
    try stage.press("f10 ctrl+c")
    expect(stage.face.bar.open.isEmpty && stage.wishes.isEmpty)
    expect(stage.bottom, is: " · ctrl+c again quits")
    stage.passes(.seconds(5))
    try stage.press("ctrl+c")
    expect(stage.wishes.isEmpty)
    try stage.press("ctrl+c")
    expect(stage.wishes, is: [.quit])
    try stage.press("ctrl+z")
    expect(stage.wishes, is: [.quit, .suspend])
  }

  @Test("X1: ctrl+c right after a key interrupts its action if it takes long, and otherwise does nothing to it")
  func breaksEarly() throws {
    let stage = try FaceStage(stars)
    for isLong in [false, true] {
      stage.face.take(.key(Stroke(modifiers: [], key: "r"), text: "r"), at: .zero)
      stage.face.take(.key(Stroke(modifiers: .ctrl, key: "c"), text: nil), at: .zero)
      if !isLong { stage.settle() }
      stage.face.isNow(Face.patience)
      expect(stage.wishes, is: (isLong ? [.interrupt] : []))
      stage.face.quitsUntil = .zero
    }
    expect(stage.face.message.content, is: .note("the running action is cancelled; ctrl+c again quits"))
  }

  @Test(
    "X1: ctrl+z suspends with anything open, and the screen stays the same",
    arguments: ["ctrl+p", "f10", "f10 down", "delete", "?", "f12"])
  func suspends(keys: String) throws {
    let stage = try FaceStage(stars)
    try stage.press(keys)
    let picture = stage.picture
    try stage.press("ctrl+z")
    expect(stage.wishes, is: [.suspend])
    expect(stage.picture, is: picture)
  }

  @Test("X1: A key of the keypad acts as the main key, unless the app binds it")
  func keypad() throws {
    let stage = try FaceStage(stars)
    try stage.press("f10 kpdown kpup kpenter")
    expect(stage.bottom, is: " ✓ Rate → 5 stars", "\(stage.bottom)")
    try stage.press("delete kpright kpenter")
    expect(stage.bottom, is: " ✓ Delete → gone", "\(stage.bottom)")
    try stage.run("app.keys.kpenter = 'padded' function app.on:padded() return 'padded' end")
    stage.face.stale.insert(.keys)
    stage.passes(.zero)
    try stage.press("kpenter")
    expect(stage.bottom, is: " ✓ padded → padded", "\(stage.bottom)")
  }

  @Test("The message for a sequence that fits no binding names its strokes")
  func unboundSequence() throws {
    let stage = try FaceStage(stars)
    try stage.press("g x")
    expect(stage.bottom, is: " ✗ nothing is bound to 'g x', nor to 'x'")
    try stage.press("x")
    expect(stage.bottom, is: " ✗ nothing is bound to 'x'")
  }

  @Test("Help shows every key, the app's and the face's, and fits a screen")
  func help() throws {
    let stage = try FaceStage(stars, columns: 80, rows: 24)
    try stage.press("?")
    let picture = stage.picture
    for key in [
      "r  ", "g c", "g g", "delete", "right", "esc", "f10", "ctrl+p", "f12", "ctrl+c", "alt+letter", "esc esc",
    ] {
      expect(picture.contains(key), "\(key)\n\(picture)")
    }
    expect(!picture.contains("▾"))
    try stage.press("?")
    expect(stage.face.over.isEmpty)
  }

  @Test("X1: Help and hints don't show a key of the face that the app binds, and help cuts no key")
  func helpOfBound() throws {
    let stage = try FaceStage(
      stars + """

        panel { item "Row" { "rate(stars: 1)" } }
        list = app:find("list")
        for _, key in ipairs { "enter", "?", "left", "ctrl+k ctrl+shift+m", "home", "end", "shift+left", "up" } do
          list.keys[key] = "move(to: \\"" .. key .. "\\")"
        end
        function list.on:move(ctx) end
        """, columns: 80, rows: 24)
    try stage.press("down")
    expect(stage.face.panel.currentNode != nil)
    expect(stage.bottom, is: " alt+enter why   f10 menus   ctrl+p find   f1 keys", "\(stage.bottom)")
    try stage.press("f1")
    let picture = stage.picture
    for bound in ["do what the row does", "why, of any row"] { expect(!picture.contains(bound), "\(picture)") }
    for key in ["ctrl+k ctrl+shift+m", "shift+←", "↑ ←", "move", "another row"] {
      expect(picture.contains(key), "\(picture)")
    }
    expect(!picture.contains("…") && !picture.contains("▾"), "\(picture)")
    stage.face.columns = 30
    expect(stage.picture.contains("ctrl+k ctrl+shift+m"), "\(stage.picture)")
  }

  @Test(
    "X1: A message goes with the next key, or after a while; the outcome of a key replaces it at once")
  func said() throws {
    let stage = try FaceStage(stars)
    let usual = stage.bottom
    try stage.press("x")
    expect(stage.bottom, is: " ✗ nothing is bound to 'x'")
    stage.passes(.seconds(11))
    expect(stage.bottom == usual && stage.face.deadline == nil)
    try stage.press("x")
    expect(stage.face.deadline != nil)
    try stage.press("ctrl+p")
    expect(stage.bottom, is: " enter does it   alt+enter why   esc closes")
    try stage.press("esc g c")
    expect(stage.bottom, is: " ✓ Clear → 0 stars")
    // While the app computes the outcome, nothing flickers.
    stage.face.take(.key(Stroke(modifiers: [], key: "r"), text: "r"), at: .seconds(12))
    expect(stage.bottom, is: " ✓ Clear → 0 stars")
    stage.settle()
    expect(stage.bottom, is: " ✓ Rate → 5 stars")
  }

  @Test("An open page of keys fits another screen size as if it was opened in it")
  func helpResized() throws {
    let stage = try FaceStage(stars, columns: 80, rows: 24)
    try stage.press("?")
    (stage.face.columns, stage.face.rows) = (40, 12)
    try expect(stage.picture, is: FaceStage(stars, columns: 40, rows: 12).press("?").picture)
  }

  @Test("X1: Keys pressed before the app has sent its keys have their later meaning, except the keys that quit")
  func early() throws {
    let stage = try FaceStage(stars)
    stage.face.areKeysKnown = false
    try stage.press("ctrl+c g c")
    expect(stage.bottom, is: " · ctrl+c again quits")
    stage.face.areKeysKnown = true
    stage.face.takeWhatCameEarly()
    stage.settle()
    try expect(stage.bottom, is: FaceStage(stars).press("g c").bottom)
  }

  @Test("An error of a script shows its place, and the log keeps all messages")
  func failures() throws {
    let stage = try FaceStage(
      stars + "\nlist = app:find('list') list.keys = { x = 'fails', p = 'prints' } "
        + "function list.on:prints() print('hello\\27[2J', 2) log('warn', 'careful') end")
    try stage.press("x")
    expect(stage.bottom, is: " ! fails: app.lua:26: broken", "\(stage.bottom)")
    try stage.press("p f10 left l")
    let picture = stage.picture
    expect(picture.contains("│ ! fails: app.lua:26: broken"))
    expect(picture.contains(#"│ hello\x1B[2J    2"#), "\(picture)")
    expect(picture.contains("warn: careful"))
  }

  @Test("S1: The palette limits the length of a pasted search")
  func longPalette() throws {
    let stage = try FaceStage(stars)
    stage.take(.key(Stroke(modifiers: .ctrl, key: "p"), text: nil))
    for _ in 0..<1000 { stage.take(.key(Stroke(modifiers: [], key: "x"), text: "x")) }
    let palette = try require(stage.face.over.last as? PaletteOverlay)
    expect(palette.field.text.count == 200 && palette.entry == nil)
    try stage.press("ctrl+u e x")
    expect(stage.picture.contains("│ Next  Go                                   right │"), "\(stage.picture)")
  }
}
