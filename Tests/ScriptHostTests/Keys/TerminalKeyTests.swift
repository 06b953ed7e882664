import Expectations
import Testing

@testable import ScriptHost

@Suite("Keys that terminals send") struct TerminalKeyTests {
  @Test(
    "X1: The host knows which strokes every terminal sends, and which few do",
    arguments: [
      (
        "a shift+a ctrl+a alt+a alt+shift+a ctrl+alt+a 1 alt+1 ? é shift+é ctrl+/ ctrl+space shift+tab alt+enter f12",
        true
      ),
      ("shift+f1 ctrl+up shift+alt+pageup delete menu esc backspace alt+backspace ctrl+\\ ctrl+_", true),
      (
        "ctrl+shift+a ctrl+i ctrl+m ctrl+1 ctrl+. shift+1 super+a ctrl+tab ctrl+enter shift+enter ctrl+backspace", false
      ),
      ("shift+space f13 kp1 mediaplay capslock ctrl+é ctrl+[ shift+menu", false),
    ])
  func table(keys: String, isSent: Bool) throws {
    for stroke in try KeySequence.parse(keys).strokes { expect(stroke.isSentByTerminals, is: isSent, "\(stroke)") }
  }

  @Test("X1: check has a note, not a warning, for a key that few terminals send, unless the action has another key")
  func notes() throws {
    let host = ScriptHost()
    try host.load(
      text: """
        menubar { menu "E" { item "Redo" { "redo", key = "ctrl+shift+z" }, item "One" { "one(n:1)", key = "ctrl+1" } } }
        app.keys = { ["x ctrl+2"] = "one(n: 2)", ["alt+1"] = "one(n: 1)" }
        function app.on:one() end
        """, name: "app.lua")
    let notes = host.check()
    expect(
      notes.map(\.message),
      is: [
        "'ctrl+shift+z' of item 'Redo' reaches few terminals; give a second way",
        "'ctrl+2' of 'app' reaches few terminals; give a second way",
      ])
    expect(notes.allSatisfy { $0.severity == .note && $0.code == "rare-key" && $0.place != nil })
    try host.evaluate("app.allow_warnings = { 'rare-key' }")
    expect(host.check().isEmpty)
  }
}
