import Expectations
import Testing

@testable import ScriptHost

@Suite("Lists for which forms wait") struct AwaitedListTests {
  private static let script = """
    calls = 0
    app.takes.go = {
      remote = { "string", order = 1 },
      branch = { order = 2, one_of = function(self, ctx)
        calls = calls + 1
        sleep(1)
        return { ctx.remote .. "/main", { "next", "The next one" } }
      end },
    }
    function app.on:go(ctx) return ctx.branch end
    app.takes.tag = { name = { "string", suggest = function() sleep(1) return { "v1" } end } }
    function app.on:tag(ctx) return ctx.name end
    app.takes.broken = { name = { one_of = function() sleep(1) error("no network") end } }
    function app.on:broken() end
    app.takes.caught = { name = { one_of = function() pcall(sleep, 1) return { "a" } end } }
    function app.on:caught() end
    menubar { menu "M" { item "Go" { "go" }, item "Other" { "go(remote: a, branch: other)" } } }
    """

  @Test("A12: A form can have any number of lists that wait; the host keeps those of one form")
  func manyOfOneForm() throws {
    let host = ScriptHost(clock: TestClock())
    try host.load(
      text: """
        local fields = {}
        for i = 1, 40 do fields["k" .. i] = { one_of = function() sleep(1) return { i } end } end
        app.takes.pick, app.takes.other = fields, fields
        function app.on:pick() end
        function app.on:other() end
        """, name: "app.lua")
    expect(host.form("pick").fields.count(where: \.isAwaited), is: 40)
    try host.advance(by: .seconds(2))
    expect(host.form("pick").fields.count(where: \.isAwaited), is: 0)
    for action in ["other", "pick", "other"] { expect(host.form(action).fields.count, is: 40) }
  }

  private func branch(_ host: ScriptHost, _ answers: Arguments) -> AskedArgument? {
    host.form("go", answers: answers).fields.first { $0.key == "branch" }
  }

  @Test("A12: one_of may wait: its field shows that, then gets the list; each answer calls it once")
  func waits() throws {
    let clock = TestClock()
    let host = ScriptHost(clock: clock)
    try host.load(text: Self.script, name: "app.lua")
    var changes = 0
    host.onFormChanged = { changes += 1 }
    expect(branch(host, ["remote": "origin"])?.isAwaited, is: true)
    expect(branch(host, ["remote": "origin"])?.choices == nil)
    try host.advance(by: .milliseconds(500))
    expect(changes == 0 && branch(host, ["remote": "origin"])?.isAwaited == true)
    try host.advance(by: .milliseconds(600))
    expect(changes, is: 1)
    let field = try require(branch(host, ["remote": "origin"]))
    expect(!field.isAwaited && field.failure == nil)
    expect(field.choices?.map { $0.title ?? $0.value.shown }, is: ["origin/main", "The next one"])
    // Once to find that it waits, once to wait.
    try expect(host.evaluate("return calls").first?.shown, is: "2")
    // In the form an answer that isn't in the list is refused; another answer is another list.
    let form = host.form("go", answers: ["remote": "origin", "branch": "other"])
    expect(form.validation.misfit?.argument, is: "branch", "\(form)")
    expect(branch(host, ["remote": "fork"])?.isAwaited, is: true)
    try host.advance(by: .seconds(1.1))
    expect(branch(host, ["remote": "fork"])?.choices?.first?.value.shown, is: "fork/main")
    // A form that is opened later asks anew.
    try host.advance(by: .seconds(60))
    expect(branch(host, ["remote": "fork"])?.isAwaited, is: true)
  }

  @Test("A12: A list that waits counts as fitting, to draw and to perform, and nothing is begun for it")
  func fits() throws {
    let host = ScriptHost(clock: TestClock())
    try host.load(text: Self.script, name: "app.lua")
    expect(host.menus().children[0].children[1].isEnabled)
    expect(host.perform("go(remote: a, branch: other)").line, is: "handled by app via on → text(\"other\")")
    expect(host.jobs.isEmpty)
    try host.advance(by: .seconds(5))
    try expect(host.evaluate("return calls").first?.shown, is: "1")
  }

  @Test("A12: suggest may wait too; what fails later is the field's failure; who catches the refusal doesn't wait")
  func others() throws {
    let host = ScriptHost(clock: TestClock())
    try host.load(text: Self.script, name: "app.lua")
    expect(host.form("tag").fields[0].isAwaited && host.form("broken").fields[0].isAwaited)
    expect(host.perform("tag").asks?.arguments[0].isAwaited, is: true)
    expect(host.form("caught").fields[0].choices?.count, is: 1)
    try host.advance(by: .seconds(1.1))
    expect(host.form("tag").fields[0].suggestions?.map(\.value.shown), is: ["v1"])
    expect(host.form("broken").fields[0].failure?.message, is: "no network")
    expect(!host.form("broken").fields[0].isAwaited)
  }

  @Test("A12: Forms of many answers keep few lists, and begin the newest alone")
  func many() throws {
    let host = ScriptHost(clock: TestClock())
    try host.load(text: Self.script, name: "app.lua")
    for number in 1...1000 { _ = branch(host, ["remote": .text("r\(number)")]) }
    try host.advance(by: .milliseconds(10))
    expect(host.jobs.count <= 1)
    try host.reload(text: Self.script, name: "app.lua")
    expect(host.jobs.isEmpty)
  }
}
