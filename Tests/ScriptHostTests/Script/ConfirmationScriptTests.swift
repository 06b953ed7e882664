import Expectations
import Testing

@testable import ScriptHost

@Suite("A yes answers one question only")
struct ConfirmationScriptTests {
  private static let script = """
    count, done = 2, 0
    function app.confirm:delete() if count > 0 then return "Delete " .. count .. "?" end end
    function app.on:delete() done = done + 1 return count end
    menubar { menu "M" { item "Delete" { "delete", key = "d" }, item "Own" { "delete", confirm = "Own?" } } }
    app.keys.k = "delete"

    """

  @Test(
    "A6: If the action's question has changed, a yes to the old question does nothing, and the outcome asks again",
    arguments: ["perform", "pick", "press", "key", "menu"])
  func changed(how: String) throws {
    let stage = try ScriptStage(Self.script)
    let host = stage.host
    func answer(_ confirmed: Bool?, _ asked: String? = nil) throws -> Outcome {
      switch how {
      case "pick": return host.pick("M/Delete", confirmed: confirmed, asked: asked)
      case "press": return host.press("d", confirmed: confirmed, asked: asked)
      case "key": return host.press("k", confirmed: confirmed, asked: asked)
      case "menu":
        let menu = try host.openMenu("M")
        defer { menu.close() }
        return menu.pick("M/Delete", confirmed: confirmed, asked: asked)
      default:
        var options = PerformOptions()
        (options.asks, options.confirmed, options.asked) = (true, confirmed, asked)
        return host.perform("delete", options)
      }
    }
    try expect(answer(nil).asks?.confirm, is: "Delete 2?")
    _ = try host.evaluate("count = 3")
    let again = try answer(true, "Delete 2?")
    expect(again.status == .asks && again.asks?.confirm == "Delete 3?")
    try expect(host.evaluate("return done").map { "\($0)" }, is: ["integer(0)"])
    try expect(answer(false, "Delete 2?").status, is: .cancelled)
    try expect(answer(true, "Delete 3?").status, is: .handled)
    try expect(answer(true).status, is: .handled, "without the question a yes is for whatever is asked")
    _ = try host.evaluate("count = 0")
    try expect(answer(true, "Delete 3?").status, is: .handled, "it asks nothing any more")
  }

  @Test("A6: The host compares an item's own question too")
  func own() throws {
    let stage = try ScriptStage(Self.script)
    expect(stage.host.pick("M/Own", confirmed: true, asked: "Delete 2?").asks?.confirm, is: "Own?")
    expect(stage.host.pick("M/Own", confirmed: true, asked: "Own?").status, is: .handled)
  }
}
