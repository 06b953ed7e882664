import Expectations
import Testing

@testable import ScriptHost

@Suite("Keys that perform several actions")
struct PerformingAllTests {
  private static let script = """
    page = responder "page" { undo = true, marks = 0, row = 1 }
    function page.on:mark(ctx)
      self.marks = self.marks + 1
      ctx:undo("Mark", function() self.marks = self.marks - 1 end)
    end
    function page.on:down(ctx)
      self.row = self.row + 1
      ctx:undo("Down", function() self.row = self.row - 1 end)
      return "row " .. self.row
    end
    function page.on:nap() sleep(1) self.marks = self.marks + 10 end
    function page.on:count(ctx) return "n" .. ctx.count end
    function page.on:ask() return "asked" end
    page.confirm.ask = "Really?"
    function page.on:refuse() end
    function page.can:refuse() return false, "not now" end
    function page.on:state() return self.marks .. "/" .. self.row end
    focus(page)
    """

  private func host(_ keys: String) throws -> ScriptHost {
    let host = ScriptHost(clock: TestClock())
    try host.load(text: Self.script + "\n" + keys, name: "app.lua")
    return host
  }

  private func state(_ host: ScriptHost) -> String? { host.perform("state").result.shownText }

  @Test("K10: 'all' performs its actions in order, as one step of undo")
  func inOrder() throws {
    let host = try host("page.keys.x = { all = { 'mark', 'down' }, title = 'Mark it' }")
    expect(host.press("x").result.shownText == "row 2" && state(host) == "1/2")
    expect(host.undoHistory.undo.count, is: 1)
    host.undo()
    expect(state(host), is: "0/1")
  }

  @Test("K10: Each action waits for the end of the previous action")
  func waiting() throws {
    let host = try host("page.keys.x = { all = { 'mark', 'nap', 'down' } }")
    let outcome = host.press("x")
    expect(outcome.status == .running && state(host) == "1/1")
    try host.advance(by: .seconds(1))
    expect(outcome.job?.outcome?.status == .handled && state(host) == "11/2")
    expect(host.undoHistory.undo.count, is: 1)
    host.undo()
    expect(state(host), is: "10/1")
  }

  @Test(
    "K10: The first action that isn't handled ends 'all'; earlier actions stay done, and the outcome has the reason")
  func refused() throws {
    let host = try host("page.keys.x = { all = { 'mark', 'refuse', 'down' } }")
    let outcome = host.press("x")
    expect(outcome.status == .disabled && outcome.reason == "not now" && state(host) == "1/1")
    let later = try self.host("page.keys.x = { all = { 'nap', 'refuse', 'down' } }")
    let job = later.press("x").job
    try later.advance(by: .seconds(1))
    expect(job?.outcome?.status == .disabled && job?.outcome?.reason == "not now" && job?.outcome?.by == "page")
    expect(state(later), is: "10/1")
  }

  @Test("K10: If an action of 'all' has waited, the outcome is still that of the last one", arguments: [true, false])
  func lastAfterWait(isFirst: Bool) throws {
    for (action, status) in [("refuse", Outcome.Status.disabled), ("broken", .failed), ("nobody", .unhandled)] {
      let actions = isFirst ? "'nap', '\(action)', 'down'" : "'mark', 'nap', '\(action)', 'down'"
      let host = try host(
        "function page.on:broken() sleep(1) error('broken', 0) end page.keys.x = { all = { \(actions) } }")
      let job = host.press("x").job
      try host.advance(by: .seconds(2))
      expect(job?.outcome?.status == status && host.undoHistory.undo.count == (isFirst ? 0 : 1), "\(action)")
    }
  }

  @Test("K10: A question ends 'all'; if the first action asks, another press answers it")
  func question() throws {
    let host = try host("page.keys.x = { all = { 'ask', 'mark' } } page.keys.y = { all = { 'mark', 'ask', 'down' } }")
    expect(host.press("x").status == .asks && state(host) == "0/1")
    expect(host.press("x", confirmed: true).status == .handled && state(host) == "1/1")
    let outcome = host.press("y")
    expect(outcome.status == .disabled && outcome.reason == "'ask' asks first, so it isn't performed with the others")
    expect(state(host), is: "2/1")
  }

  @Test("K10, K12: All actions of 'all' get the count")
  func count() throws {
    let host = try host("page.counts = true page.keys.x = { all = { 'mark', 'count' } }")
    expect(host.press("1 2 x").result.shownText, is: "n12")
  }

  @Test("K10: 'keys', 'why' and scripts describe the actions of 'all'")
  func told() throws {
    let host = try host("page.keys.x = { all = { 'mark', 'down' } }")
    let entry = host.keys().first { $0.keys == "x" }
    expect(entry?.isWhole == true && entry?.text == "mark, then down")
    try expect(host.why(keys: "x").steps.first?.answer, is: "performs mark, then down")
  }

  @Test("K10: A wrong 'all' is an error that names the fault")
  func misuse() throws {
    func error(_ binding: String) -> String {
      do {
        _ = try host("page.keys.x = \(binding)")
        return ""
      } catch { return "\(error)" }
    }
    expect(error("{ all = 'mark' }").contains("'all' of keys['x'] must be a list of references"))
    expect(error("{ all = {} }").contains("'all' of keys['x'] must be a reference or a list"))
    expect(error("{ 'down', all = { 'mark' } }").contains("has actions beside 'all'"))
  }

  @Test("K4, K10: A sequence whose 'when' says no doesn't make its first stroke wait")
  func conditionalSequences() throws {
    let host = try host(
      """
      isFree = true
      page.keys = { ["g g"] = { "mark", when = function(ctx) return isFree end }, text = "down" }
      function app.on:bind() isFree = false end
      """)
    expect(host.press("g").status == .pending && host.press("g").status == .handled)
    host.perform("bind")
    expect(host.press("g").result.shownText, is: "row 2")
  }
}
