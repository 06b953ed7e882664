import Expectations
import Testing

@testable import ScriptHost

@Suite("Events of scripts, and the function stop")
struct OwnEventTests {
  @Test("E5: Events reach listeners at the end of the turn, in order; events of listeners join the turn")
  func order() throws {
    let stage = try ScriptStage(
      """
      listen("a.one", function(data, name) print(name, data) emit("a.three", data + 1) end)
      listen("a.two", function(data) print("two", data) end)
      local handle = listen("a.two", function(data) print("again", data) end)
      listen("a.three", function(data) print("three", data) end)
      function app.on:go() emit("a.one", 1) emit("a.two", 2) app:perform("inner") print("done") end
      function app.on:inner() emit("a.two", 3) print("inner done") end
      function app.on:quiet() handle:remove() emit("a.two") end
      function app.on:fail() emit("a.two", 4) error("no") end
      """)
    _ = stage.host.perform("go")
    expect(
      stage.takePrinted(),
      is: [
        "inner done", "done", "a.one\t1", "two\t2", "again\t2", "two\t3", "again\t3", "three\t2",
      ])
    _ = stage.host.perform("quiet")
    expect(stage.takePrinted(), is: ["two\tnil"])
    _ = stage.host.perform("fail")
    expect(stage.takePrinted(), is: ["two\t4"])
  }

  @Test("E5: An event of a timer, a line or a job reaches listeners when that has ended")
  func turns() throws {
    let stage = try ScriptStage(
      """
      listen("a.b", function(data) print("told", data) end)
      function app.on:slow() emit("a.b", 1) sleep(1) print("slept") emit("a.b", 2) print("ends") end
      function app:start() after(5, function() emit("a.b", 3) print("timer") end) end
      """)
    stage.host.start()
    _ = stage.host.perform("slow")
    expect(stage.takePrinted(), is: ["told\t1"])
    try stage.host.advance(by: .seconds(1))
    expect(stage.takePrinted(), is: ["slept", "ends", "told\t2"])
    try stage.host.advance(by: .seconds(5))
    expect(stage.takePrinted(), is: ["timer", "told\t3"])
    try stage.host.evaluate("emit('a.b', 4) print('line')")
    expect(stage.takePrinted(), is: ["line", "told\t4"])
  }

  @Test("E5: Events that emit each other end at a limit, and the host continues")
  func endless() throws {
    let stage = try ScriptStage(
      """
      local count = 0
      listen("a.b", function() count = count + 1 emit("a.b") end)
      function app.on:go() emit("a.b") end
      function app.on:count() return count end
      """)
    _ = stage.host.perform("go")
    expect(stage.perform("count"), is: "handled by app via on → integer(1000)")
    expect(
      stage.host.diagnostics.map(\.message),
      is: ["1000 events were emitted in this turn already, and that is the limit"])
    _ = stage.host.perform("go")
    expect(stage.perform("count"), is: "handled by app via on → integer(2000)")
  }

  @Test("E5: A listener that fails, or spends its limit, harms neither the action nor the host")
  func failing() throws {
    let stage = try ScriptStage(
      """
      listen("a.b", function() error("broken") end)
      listen("a.b", function() print("told") end)
      listen("a.c", function() while true do end end)
      listen("a.d", function() print("too late") end)
      function app.on:go() emit("a.b") return "done" end
      function app.on:hang() emit("a.c") emit("a.d") return "done" end
      """, limits: HostLimits(perform: .milliseconds(200)))
    expect(stage.perform("go") == "handled by app via on → text(\"done\")" && stage.takePrinted() == ["told"])
    expect(stage.perform("hang") == "handled by app via on → text(\"done\")" && stage.takePrinted() == [])
    expect(stage.perform("go") == "handled by app via on → text(\"done\")" && stage.takePrinted() == ["told"])
  }

  @Test("E5: emit and listen report wrong arguments")
  func misuse() throws {
    try expect(
      """
      function app.can:x() return pcall(emit, "a.b") end
      function app.on:x() end
      function app.on:go()
        fails(emit, "changed") fails(emit) fails(emit, "a..b") fails(emit, "1.b") fails(listen, "chnged", print)
        fails(listen, "a.b") print(app:validate("x").reason)
      end
      """,
      prints: """
        'changed' can't be an event's name: it needs words with a dot between them, as in photo.changed
        the name of an event must be a string, not nil
        'a..b' can't be an event's name: it needs words with a dot between them, as in photo.changed
        '1.b' can't be an event's name: it needs words with a dot between them, as in photo.changed
        there is no event 'chnged' to listen for: there are phase, focus, unhandled, menu, validation and reload
        the function of 'listen' must be a function, not nil
        emitting is not possible here: the host only asks this function, so it must not change anything
        """)
  }

  @Test("E5: Swift emits and listens; a plugin's listeners go with it")
  func program() throws {
    let stage = try ScriptStage("listen('a.b', function(data) print(data) end)")
    var heard: [String] = []
    let handle = try stage.host.listen("a.b") { heard.append("\($0)") }
    try stage.host.emit("a.b", 7)
    expect(stage.takePrinted() == ["7"] && heard == ["integer(7)"])
    handle.remove()
    try stage.host.emit("a.b", 8)
    expect(stage.takePrinted() == ["8"] && heard.count == 1)
    #expect(throws: Misuse.self) { try stage.host.emit("ab") }
  }

  @Test("E5: stop runs once when its responder is removed, its owner reloaded, or the host stopped")
  func stop() throws {
    let script = """
      local page = responder "page"
      function page:stop() print("page stops") end
      local kind = class "kind"
      function kind:stop() print(self.name .. " stops") end
      responder "one" { class = kind }
      function app:stop() print("app stops") end
      function app.on:remove() page:remove() print("removed") end
      """
    let stage = try ScriptStage(script)
    _ = stage.host.perform("remove")
    expect(stage.takePrinted(), is: ["page stops", "removed"])
    try stage.host.reload(text: script, name: "app.lua")
    expect(stage.takePrinted(), is: ["app stops", "one stops"])
    stage.host.stop()
    stage.host.stop()
    expect(stage.takePrinted(), is: ["app stops", "page stops", "one stops"])
  }

  @Test("E5: stop may not wait, and if it fails or never ends, it harms nobody")
  func stopsBadly() throws {
    let stage = try ScriptStage(
      """
      local a, b, c = responder "a", responder "b", responder "c"
      function a:stop() sleep(1) end
      function b:stop() while true do end end
      function c:stop() c:remove() print("c") end
      """, limits: HostLimits(perform: .milliseconds(200)))
    for name in ["a", "b", "c"] {
      try stage.host.remove(try require(stage.host.responders.first { $0.name == name }))
    }
    expect(stage.takePrinted(), is: ["c"])
    expect(stage.host.responders.map(\.name), is: ["app"])
    expect(stage.host.diagnostics.count, is: 2, "\(stage.host.diagnostics)")
  }

  @Test("E5: check notes listeners for events that nobody emits")
  func check() throws {
    let stage = try ScriptStage(
      """
      listen("photo.change", print)
      listen("photo.changed", print)
      listen("other.thing", print)
      function app.on:rate() emit("photo.changed") end
      app.keys.r = "rate"
      """)
    func found() -> [String] { stage.host.check().filter { $0.code == "unemitted-event" }.map(\.message).sorted() }
    expect(
      found(),
      is: [
        "'app' listens for 'other.thing', but no script emits it",
        "'app' listens for 'photo.change', but no script emits it",
      ])
    try stage.host.emit("other.thing")
    expect(found().count, is: 1)
  }
}
