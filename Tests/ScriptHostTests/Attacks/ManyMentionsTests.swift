import Expectations
import Testing

@testable import ScriptHost

/// A call that gives the host one text again and again.
/// S is a megabyte, `list(n)` holds it n times, `fields(n)` under n names.
struct ManyMentions: Sendable, CustomStringConvertible {
  let name: String
  let call: String

  var description: String { name }

  static let all: [ManyMentions] = [
    Self(name: "fields of a responder", call: "responder 'r' (fields(2000))"),
    Self(name: "fields of a class", call: "class 'c' (fields(2000))"),
    Self(name: "arguments of a perform", call: "app:perform('x', fields(2000))"),
    Self(
      name: "arguments of a perform that nobody waits for", call: "app:perform('x', fields(2000), { wait = false })"),
    Self(name: "arguments of a pick", call: "app:pick('x', nil, { args = fields(2000) })"),
    Self(name: "arguments of a press", call: "app:press('ctrl+x', { args = fields(2000) })"),
    Self(name: "info", call: "app:perform('x', nil, { info = fields(2000) })"),
    Self(name: "choices", call: "app.takes.x = { a = { one_of = list(2000) } }"),
    Self(
      name: "choices with titles",
      call: "local t = {} for i = 1, 1000 do t[i] = { S, S } end app.takes.x = { a = { one_of = t } }"),
    Self(
      name: "defaults",
      call: "local t = {} for i = 1, 256 do t['a' .. i] = { 'string', default = S } end app.takes.x = t"),
    Self(name: "children of a menu", call: "menubar { menu 'F' (list(2000)) }"),
    Self(name: "addresses", call: "app:open_urls(list(2000))"),
    Self(name: "what keys perform", call: "for i = 1, 100 do app.keys['ctrl+y'] = list(2000) end"),
    Self(name: "warnings that are allowed", call: "app.allow_warnings = list(2000)"),
    Self(name: "what is printed", call: "print(table.unpack(list(200)))"),
    Self(name: "the context", call: "many = true app:context()"),
    Self(name: "what is kept", call: "app.keep = fields(2000)"),
  ]
}

@Suite("A text that a script mentions many times")
struct ManyMentionsTests {
  private static let limits = HostLimits(
    memory: 16 << 20, load: .milliseconds(60_000), perform: .milliseconds(60_000))

  private func stage(_ body: String, elsewhere: String = "") throws -> ScriptStage {
    try ScriptStage(text(body, elsewhere: elsewhere), limits: Self.limits)
  }

  private func text(_ body: String, elsewhere: String = "") -> String {
    """
    app.name = "mentions"
    local S = ("x"):rep(1000000)
    local function list(n) local t = {} for i = 1, n do t[i] = S end return t end
    local function fields(n) local t = {} for i = 1, n do t["k" .. i] = S end return t end
    function app.on:x() end
    menubar { menu "M" { item "x" { "x", key = "ctrl+x" } } }
    \(elsewhere)
    function app.on:mentions(ctx) \(body) end
    """
  }

  @Test(
    "S15: A call that mentions one large text again and again ends with the memory limit before the host copies more",
    arguments: ManyMentions.all)
  func calls(mentions: ManyMentions) throws {
    let stage = try stage(mentions.call)
    let outcome = stage.host.perform("mentions")
    expect(outcome.error != nil, "\(mentions.name): \(outcome)")
    expect(stage.host.perform("x").status, is: .handled)
  }

  @Test("S15: Choices that a function returns are charged to its time and to the memory of its script")
  func choices() throws {
    let stage = try stage(
      "",
      elsewhere: """
        local t = {}
        for i = 1, 3000 do t[i] = { S, "t" } end
        app:define("y", { on = function() end, takes = { a = { one_of = function() return t end } } })
        """)
    let outcome = stage.host.perform("y(a: 1)")
    expect(outcome.status == .disabled && outcome.line.contains("16777216 bytes is spent"), "\(outcome.line)")
  }

  @Test("S15: A reload that would copy more than scripts may hold leaves the old version in place")
  func kept() throws {
    let body = "app.keep.a = list(2000)"
    let stage = try stage(body)
    expect(stage.host.perform("mentions").status, is: .handled)
    #expect(throws: LoadError.self) { try stage.host.reload(text: text(body), name: "app.lua") }
    expect(stage.host.perform("x").status, is: .handled)
  }

  @Test("S15: Reading the context from outside is cut at the scripts' memory limit, with a diagnostic")
  func context() throws {
    let stage = try stage(
      "", elsewhere: "local all = fields(200) function app:provide(ctx) for k in pairs(all) do ctx[k] = S end end")
    let entries = try stage.host.context()
    let texts = entries.filter { if case .text = $0.value { true } else { false } }
    expect(texts.count <= 16, "\(texts.count)")
    let told = stage.host.takeDiagnostics().map(\.message)
    expect(told, is: ["the context has more than 16777216 bytes of texts: the host drops the rest"])
  }

  @Test(
    "S17, S15: The host refuses an app's stored value as soon as it is too large, even if it mentions one text often")
  func stored() throws {
    let stage = try stage("app.store.a = list(60000)")
    stage.host.storage = HostStorage(read: { _ in nil }, write: { _, _ in })
    let clock = ContinuousClock()
    let start = clock.now
    _ = stage.host.perform("mentions")
    expect(clock.now - start < .seconds(10))
    let told = stage.host.takeDiagnostics().map(\.message)
    expect(told.count == 1 && told[0].hasPrefix("the stored data of 'app' can't be written: "), "\(told)")
  }
}
