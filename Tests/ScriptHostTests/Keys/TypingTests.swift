import Expectations
import Testing

@testable import ScriptHost

@Suite("Text, counts and keys that wait")
struct TypingTests {
  private static let script = """
    menubar { menu "File" { item "Save" { "save", key = "s" } } }
    page = responder "page" { counts = true }
    text = ""
    function app.on:save(ctx) return "saved " .. tostring(ctx.count) end
    function app.on:far() return "far" end
    function page.on:down(ctx) return "down " .. tostring(ctx.count) end
    function page.on:top(ctx) return "top " .. tostring(ctx.count) end
    function page.on:type(ctx) text = text .. ctx.text return text end
    app.keys = { x = "far" }
    page.keys = { j = "down", ["g g"] = "top", g = { "down", wait = 0.5 }, ["z z"] = "top" }
    focus(page)
    """

  private func host(_ more: String = "") throws -> ScriptHost {
    let host = ScriptHost(clock: TestClock())
    try host.load(text: Self.script + "\n" + more, name: "app.lua")
    return host
  }

  private func result(_ keys: String, _ host: ScriptHost) -> String? { host.press(keys).result.shownText }

  // MARK: Text

  @Test("K12: 'text' gets each character without a binding: keys of farther responders and of menus come first")
  func text() throws {
    let host = try host("page.counts = false page.keys.text = 'type'")
    for keys in ["a", "shift+a", "space", "7", "!", "ü"] { host.press(keys) }
    expect(result("b", host), is: "aA 7!üb")
    expect(result("x", host) == "far" && result("s", host) == "saved nil" && result("j", host) == "down nil")
    for keys in ["f5", "ctrl+a", "alt+a", "enter"] { expect(host.press(keys).status, is: .unhandled, "\(keys)") }
  }

  @Test("K12, K9: A stroke that is removed is text, and 'why' names the responder that takes a character")
  func takenAway() throws {
    let host = try host("page.keys.text = 'type' page.keys.x = false page.keys.s = false page.counts = false")
    expect(result("x", host) == "x" && result("s", host) == "xs")
    expect(try host.why(keys: "x").by, is: "page")
    let why = try host.why(keys: "b")
    expect(why.isEnabled && why.by == "page")
    expect(host.keys().contains { $0.keys == "text" && $0.reference == "type" })
  }

  @Test("K12: A nearer responder's text comes before counts, and counts work if the text's 'when' says no")
  func nearer() throws {
    let host = try host(
      """
      editor, normal = responder "editor" {}, false
      editor.keys.text = { "type", when = function(ctx) return not normal end }
      editor.counts = true
      function editor.on:type(ctx) return ctx.text end
      focus(editor)
      function app.on:normal() normal = true end
      """)
    expect(result("7", host), is: "7")
    host.perform("normal")
    expect(host.press("7").status == .pending && host.pendingCount == 7)
  }

  @Test("K12: The strokes of a sequence are text if the next stroke doesn't continue it; 'esc' drops them")
  func droppedSequence() throws {
    let host = try host("page.counts = false page.keys.text = 'type' page.keys['d o t'] = 'top'")
    var told: [String] = []
    host.ownKeys.onActedAlone = { told.append("\($0.text): \($1.result.shownText ?? "nothing")") }
    expect(host.press("d").status, is: .pending)
    expect(result("e", host) == "de" && told == ["d: d"])
    expect(result("d o space", host), is: "dedo ")
    expect(result("d o t", host), is: "top nil")
    expect(host.press("d esc").status, is: .cancelled)
    // A key that waits acts, as before, and a sequence with other keys is dropped.
    expect(result("g a", host), is: "dedo a")
    _ = try host.evaluate("page.keys['d f5'] = 'top'")
    expect(result("d f5", host), is: "top nil")
  }

  // MARK: Counts

  @Test("K12: Digits before a stroke are its count, for keys, sequences and items; the stroke clears the count")
  func counts() throws {
    let host = try host()
    expect(host.press("1").status == .pending && host.pendingCount == 1)
    expect(result("2 j", host) == "down 12" && result("j", host) == "down nil")
    expect(result("3 z z", host) == "top 3" && result("4 s", host) == "saved 4")
    expect(host.press("5 q").reason == "nothing is bound to 'q'" && result("j", host) == "down nil")
    expect(host.press("0 j").result.shownText, is: "down 0")
  }

  @Test("K12: 'esc' clears a count, and a stroke that fits no sequence drops the sequence")
  func givenUp() throws {
    let host = try host()
    host.press("1 2")
    expect(host.press("esc").status == .cancelled && result("j", host) == "down nil")
    expect(host.press("esc").status, is: .unhandled)
    expect(result("3 z j", host), is: "down nil")
  }

  @Test("K12: A bound digit is no count, and without 'counts' there are none")
  func boundDigits() throws {
    let host = try host("page.keys['1'] = 'top'")
    expect(result("1", host) == "top nil" && result("2 1", host) == "top 2")
    _ = try host.evaluate("page.counts = nil")
    expect(host.press("2").status, is: .unhandled)
  }

  @Test("K12: After a digit, a bound 0 is a digit of the count; alone it performs its action")
  func boundZero() throws {
    let host = try host("page.keys['0'] = 'top'")
    expect(
      result("0", host) == "top nil" && result("1 0 j", host) == "down 10" && result("2 0 0 j", host) == "down 200")
    expect(result("3 j", host) == "down 3" && result("0", host) == "top nil")
  }

  @Test("K12: check knows that keys supply the text and the count, and that 'text' is no stroke")
  func checked() throws {
    let stage = try ScriptStage(
      """
      local page = responder "page"
      page.counts = true
      function page.on:down(ctx) return ctx.count or 1 end
      function page.on:type(ctx) return ctx.text end
      page.keys = { j = "down", text = "type" }
      focus(page)
      """)
    expect(stage.host.check().map(\.message), is: [])
  }

  @Test("K12: A count of a hundred digits is limited to the largest count")
  func manyDigits() throws {
    let host = try host()
    expect(result(Array(repeating: "9", count: 100).joined(separator: " ") + " j", host), is: "down 999999999")
  }

  // MARK: Waiting

  @Test("K12: A waiting key acts alone after its time, by the host's clock")
  func waits() throws {
    let host = try host()
    expect(host.press("g").status == .pending && host.nextDeadline == .milliseconds(500))
    var told: [String] = []
    host.ownKeys.onActedAlone = { told.append("\($0.text) \($1.result.shownText ?? "")") }
    try host.advance(by: .milliseconds(499))
    expect(told.isEmpty && host.pendingKeys != nil)
    try host.advance(by: .milliseconds(1))
    expect(told == ["g down nil"] && host.pendingKeys == nil && host.nextDeadline == nil)
    host.press("2 g")
    try host.advance(by: .seconds(1))
    expect(told == ["g down nil", "g down 2"] && host.pendingCount == nil)
  }

  @Test("K12: Before its time the sequence goes on, 'esc' cancels it, and any other stroke lets the key act first")
  func goesOn() throws {
    let host = try host()
    var told: [String] = []
    host.ownKeys.onActedAlone = { told.append("\($0.text) \($1.result.shownText ?? "")") }
    expect(result("g g", host) == "top nil" && told.isEmpty)
    host.press("g")
    expect(host.press("esc").status, is: .cancelled)
    try host.advance(by: .seconds(1))
    expect(told.isEmpty)
    expect(result("3 g j", host) == "down nil" && told == ["g down 3"])
    try host.advance(by: .seconds(1))
    expect(told.count, is: 1)
  }

  @Test("K12, K3: A key with 'wait' doesn't block a longer sequence; without 'wait' it does")
  func conflicts() throws {
    let host = try host()
    expect(!host.keyConflicts().contains { $0.message.contains("never works") })
    expect(host.keys().first { $0.keys == "g g" }?.conflict, is: nil)
    expect(host.keys().first { $0.keys == "g" }?.wait, is: 0.5)
    _ = try host.evaluate("page.keys.g = 'down'")
    expect(host.keyConflicts().contains { $0.message.contains("'g g' of 'page' never works") })
    expect(result("g", host), is: "down nil")
  }

  @Test("K12: A reload, or another binding of the key, ends its waiting")
  func ended() throws {
    let host = try host()
    host.press("g")
    _ = try host.evaluate("page.keys.g = 'top'")
    var told = 0
    host.ownKeys.onActedAlone = { _, _ in told += 1 }
    try host.advance(by: .seconds(1))
    expect(told == 0 && host.pendingKeys == nil)
  }

  @Test("K12: A wrong 'wait' or 'counts' is an error that names the fault")
  func misuse() throws {
    func error(_ line: String) -> String {
      do {
        _ = try host(line)
        return ""
      } catch { return "\(error)" }
    }
    expect(error("page.keys.g = { 'down', wait = -1 }").contains("must be seconds between 0 and 60"))
    expect(error("page.keys.g = { 'down', wait = 'long' }").contains("must be seconds between 0 and 60"))
    expect(error("page.counts = 1").contains("'counts' must be a boolean"))
    try expect(host().press("text").error?.message.contains("there is no key 'text'"), is: true)
  }
}
