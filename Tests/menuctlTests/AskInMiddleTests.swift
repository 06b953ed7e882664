import Expectations
import Testing

@Suite("A11: Actions that ask in the middle of their work, at a terminal", .enabled(if: Program.hasTerminals))
struct AskInMiddleTests {
  private static let app = """
    function app.on:rename()
      local answers = ask { title = "Rename it", takes = { name = { "string", title = "New name", matches = "^%a+$" } } }
      return answers and "now " .. answers.name or "kept"
    end
    function app.on:leave()
      local yes, why = ask { confirm = "Leave it?" }
      return yes and "left" or why or "stayed"
    end
    """

  @Test("A verb asks the person, reports wrong values, and passes the answer on", arguments: [false, true])
  func verb(isLive: Bool) throws {
    let live = isLive ? try LiveApp(["app.lua": Self.app]) : nil
    let folder = try live?.folder ?? ScriptFolder(["app.lua": Self.app])
    let environment = live.map { ["XDG_RUNTIME_DIR": $0.runtime] } ?? [:]
    let name = isLive ? "@app" : "app.lua"
    let rename = try Terminal(
      ["perform", name, "rename"], columns: 80, rows: 12, environment: environment, folder: folder.path)
    // Only the app knows the pattern.
    let expected = isLive ? "a string" : "a string that matches '^%a+$'"
    expect(rename.waits { $0.text.contains("Rename it\nNew name (\(expected)):") }, "\(rename.screen.text)")
    rename.type("7\r")
    expect(
      rename.waits { $0.text.contains("must be a string that matches '^%a+$', not '7'") }, "\(rename.screen.text)")
    rename.type("pier\r")
    expect(rename.waits { $0.text.contains("handled by app → \"now pier\"") }, "\(rename.screen.text)")
    let leave = try Terminal(
      ["perform", name, "leave"], columns: 80, rows: 12, environment: environment, folder: folder.path)
    expect(leave.waits { $0.text.hasSuffix("Leave it? (y/N)") })
    leave.type("y\r")
    expect(leave.waits { $0.text.contains("handled by app → \"left\"") }, "\(leave.screen.text)")
    expect(rename.finish() == 0 && leave.finish() == 0)
    live?.end()
  }

  @Test("Without a terminal nobody can answer; --yes says yes")
  func nobody() throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    func leave(_ options: [String]) throws -> Run {
      try Program.menuctl(["perform", "app.lua", "leave"] + options, folder: folder.path)
    }
    try expect(leave([]).out, is: "handled by app → \"nobody can be asked\"\n")
    try expect(leave(["--yes"]).out, is: "handled by app → \"left\"\n")
  }

  @Test("A9: A recording has the answers; a replay and a recorded test use them")
  func recorded() throws {
    let folder = try ScriptFolder(["app.lua": Self.app])
    let words = ["record", "app.lua", "--perform", "leave", "--yes"]
    let recorded = try Program.menuctl(words, folder: folder.path)
    expect(recorded.status == 0 && recorded.out.contains(#""call": "ask""#), "\(recorded)")
    try folder.write("a.jsonl", recorded.out)
    let replayed = try Program.menuctl(["replay", "a.jsonl"], folder: folder.path)
    expect(replayed.status, is: 0, "\(replayed)")
    try folder.write("app_test.lua", try Program.menuctl(words + ["--as-test"], folder: folder.path).out)
    let tested = try Program.menuctl(["test", "app_test.lua"], folder: folder.path)
    expect(tested.status == 0 && tested.out.contains("1 passed"), "\(tested)")
  }
}
