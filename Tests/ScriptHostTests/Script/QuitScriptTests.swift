import Expectations
import Testing

@testable import ScriptHost

@Suite("quit: the host's last action")
struct QuitScriptTests {
  private static let app = """
    menubar { menu "File" { id = "file", item "Quit" { "quit", key = "q" } } }
    local page = responder "page"
    focus(page)
    """

  /// An app in a host that a face or a session shows, and the number of times it was ended.
  private func shown(_ script: String = "") throws -> (host: ScriptHost, ends: () -> Int) {
    let host = ScriptHost()
    try host.load(text: Self.app + "\n" + script, name: "app.lua")
    var ends = 0
    host.onQuit = { ends += 1 }
    return (host, { ends })
  }

  @Test("P20: Without a face or a session 'quit' is disabled with a reason, and no catch-all gets it")
  func nowhere() throws {
    let host = ScriptHost()
    try host.load(text: Self.app + " function app:unknown() return 'caught' end", name: "app.lua")
    let outcome = host.perform("quit")
    expect(outcome.status == .disabled && outcome.by == "host")
    expect(outcome.reason, is: "there is no terminal UI and no session to end")
    let item = try require(host.menus().find("File/Quit"))
    expect(!item.isEnabled && item.reason == outcome.reason)
  }

  @Test(
    "P20: With a face or session open, quit ends it last: an item needs no handler; a handler comes first and may pass"
  )
  func last() throws {
    let plain = try shown()
    expect(plain.host.menus().find("File/Quit")?.isEnabled, is: true)
    expect(plain.host.press("q").status == .handled && plain.ends() == 1)
    let own = try shown("function app.on:quit() return 'mine' end")
    expect(own.host.perform("quit").result.shown == "mine" && own.ends() == 0)
    let passing = try shown("function page.on:quit() return pass end")
    expect(passing.host.perform("quit").by == "host" && passing.ends() == 1)
    let modal = try shown("function app.on:go() modal(responder 'other') end")
    modal.host.perform("go")
    expect(modal.host.perform("quit").status == .handled && modal.ends() == 1)
  }

  @Test("P20: 'can.quit' of any responder on the way may refuse, without a handler, and the reason is shown")
  func refused() throws {
    for (holder, answer, reason) in [
      ("app", "false, 'save first'", "save first"), ("page", "false", "'page' refuses 'quit'"),
      ("page", "error('no', 0)", "error: no"), ("app", "true", nil), ("page", "pass", nil),
    ] {
      let (host, ends) = try shown("function \(holder).can:quit() return \(answer) end")
      expect(host.menus().find("File/Quit")?.reason, is: reason, "\(answer)")
      expect(host.perform("quit").status, is: (reason == nil ? .handled : .disabled), "\(answer)")
      expect(ends(), is: (reason == nil ? 1 : 0))
      expect(host.check().map(\.message), is: (reason == "error: no" ? ["no"] : []))
    }
  }

  @Test("P20: A list of actions has quit only if an item, a key or a handler names it")
  func listed() throws {
    func names(_ script: String) throws -> [String] {
      let host = ScriptHost()
      try host.load(text: script, name: "app.lua")
      return try host.actions(nil).map(\.name)
    }
    try expect(names(""), is: ["redo", "undo"])
    try expect(names("app.keys.q = 'quit'"), is: ["quit", "redo", "undo"])
    try expect(names("function app.on:quit() end"), is: ["quit", "redo", "undo"])
  }
}
