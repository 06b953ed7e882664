import Expectations
import Testing

@testable import ScriptHost

@Suite("app.store")
struct StoreScriptTests {
  /// A storage in memory, which several hosts may share.
  private final class Shelf {
    var files: [HostStorage.Place: [UInt8]] = [:]
    var writes = 0
    var isBroken = false
    /// Both locks: by a host, and by another process.
    var isLocked = false
    var isBusy = false
    var locks = 0

    var storage: HostStorage {
      HostStorage(
        read: { [unowned self] in files[$0] },
        write: { [unowned self] place, bytes in
          if isBroken { throw LuaMisuse("the disk is full") }
          expect(isLocked)
          writes += 1
          files[place] = bytes
        },
        lock: { [unowned self] place in
          expect(place.plugin == nil && !isLocked)
          if isBusy { return nil }
          (isLocked, locks) = (true, locks + 1)
          return { [unowned self] in isLocked = false }
        })
    }

    var text: String { files.values.first.map { String(decoding: $0, as: UTF8.self) } ?? "" }
  }

  private let shelf = Shelf()

  private func host(_ script: String) throws -> (host: ScriptHost, lines: () -> [String]) {
    let host = ScriptHost(clock: TestClock())
    host.storage = shelf.storage
    var lines: [String] = []
    host.onPrint = { lines.append($0) }
    try host.load(text: "app.name = 'notes'\n\(script)", name: "app.lua")
    return (host, { lines })
  }

  @Test("Stored data is there at the next start: all kinds of plain data, with any keys")
  func lasts() throws {
    let script = """
      function app.on:put()
        app.store.list = { 1, 2.5, "x", true, null, { deep = {} } }
        app.store.sparse = { [3] = "c", [-1] = "m", [1.5] = "h", [true] = "t", name = "n" }
        app.store.bytes, app.store["\\xff"], app.store["$"] = "\\0\\xfe", 1, "mark"
        app.store.marked = { ["$"] = "ff" }
      end
      function app.on:get()
        local s = app.store
        print(s.list[1], math.type(s.list[2]), s.list[3], s.list[4], s.list[5] == null, next(s.list[6].deep))
        print(s.sparse[3], s.sparse[-1], s.sparse[1.5], s.sparse[true], s.sparse.name)
        print(s.bytes == "\\0\\xfe", s["\\xff"], s["$"], s.marked["$"])
      end
      """
    let first = try host(script)
    expect(first.host.perform("put").status == .handled && shelf.writes == 1)
    let second = try host(script)
    expect(second.host.perform("get").status, is: .handled)
    expect(
      second.lines(),
      is: [
        "1\tfloat\tx\ttrue\ttrue\tnil", "c\tm\th\tt\tn", "true\t1\tmark\tff",
      ])
    expect(shelf.writes, is: 1)
  }

  @Test("The store is written once at the end of an action that changed it, through any table, and only if it changed")
  func whenWritten() throws {
    let (host, _) = try host(
      """
      local held = app.store
      function app.on:deep() held.a = held.a or {} held.a.n = (held.a.n or 0) + 1 app:perform("other") end
      function app.on:other() held.b = true end
      function app.on:same() held.a.n = held.a.n end
      function app.on:wait() held.w = 1 sleep(1) held.w = 2 end
      function app.on:fail() held.f = 1 error("no") end
      """)
    expect(shelf.writes, is: 0)
    _ = host.perform("deep")
    expect(shelf.writes == 1 && shelf.text == #"{"a": {"n": 1}, "b": true}"#)
    _ = host.perform("same")
    expect(shelf.writes, is: 1)
    let job = try require(host.perform("wait").job)
    try host.advance(by: .seconds(2))
    expect(job.outcome?.status == .handled && shelf.text.contains(#""w": 2"#))
    // The store is the script's state. Only writes by ctx:set are taken back.
    _ = host.perform("fail")
    expect(shelf.text.contains(#""f": 1"#))
    try host.evaluate("app.store.line = 1")
    expect(shelf.text.contains(#""line": 1"#))
  }

  @Test(
    "A value that can't be stored is reported once, with its position, and the stored text stays",
    arguments: [
      ("print", "app.store.bad is a function: only plain data can be stored"),
      ("app", "app.store.bad is an object or has a metatable"), ("setmetatable({}, {})", "or has a metatable"),
      ("(function() local t = {} t.t = t return t end)()", "app.store.bad.t holds itself"),
      ("{ [print] = 1 }", "app.store.bad has a function for a key"), ("0/0", "app.store.bad is NaN"),
      ("('x'):rep(300000)", "app.store would have 300022 bytes, more than the limit of 262144"),
      (
        "(function() local t = {} for i = 1, 6000 do t[i] = ('x'):rep(200) end return t end)()",
        "it has more than 1048576 bytes"
      ),
    ])
  func notPlain(_ value: String, _ message: String) throws {
    let (host, _) = try host(
      "function app.on:good() app.store.good = 1 end function app.on:bad() app.store.bad = \(value) end function app.on:no() end"
    )
    _ = host.perform("good")
    _ = host.takeDiagnostics()
    _ = host.perform("bad")
    _ = host.perform("no")
    let told = host.takeDiagnostics()
    expect(told.map(\.code) == ["not-stored"] && told[0].message.contains(message), "\(told)")
    expect(shelf.text == #"{"good": 1}"# && shelf.writes == 1)
    try host.evaluate("app.store.bad = nil app.store.good = 2")
    expect(shelf.text, is: #"{"good": 2}"#)
  }

  @Test("The reason why a store can't be written is reported again after each action that changed it")
  func reportedAgain() throws {
    let (host, _) = try host(
      """
      function app.on:count() app.store.n = (app.store.n or 0) + 1 end
      function app.on:bad() app.store.f = print end
      function app.on:read() return app.store.n end
      """)
    let message = "the stored data of 'app' can't be written: app.store.f is a function: only plain data can be stored"
    for (action, line) in [("count", nil), ("bad", 3), ("count", 2), ("read", nil), ("count", 2)] {
      _ = host.perform(action)
      let told = host.takeDiagnostics()
      expect(told.map(\.message) == (line == nil ? [] : [message]) && told.first?.place?.line == line, "\(action)")
    }
    try host.evaluate("app.store.f = nil")
    expect(shelf.text, is: #"{"n": 3}"#)
  }

  @Test("A failed write is reported, and repeated later; an unreadable text is reported and not overwritten")
  func troubles() throws {
    let (host, _) = try host("function app.on:put(ctx) app.store.n = ctx.n end")
    shelf.isBroken = true
    _ = host.perform("put(n: 1)")
    expect(host.takeDiagnostics().map(\.message), is: ["the stored data of 'app' can't be written: the disk is full"])
    shelf.isBroken = false
    _ = host.perform("put(n: 1)")
    expect(shelf.text, is: #"{"n": 1}"#)
    for place in shelf.files.keys { shelf.files[place] = Array("{\"n\": ".utf8) }
    let (other, _) = try self.host("function app.on:put(ctx) app.store.n = ctx.n end")
    _ = other.perform("put(n: 2)")
    expect(
      other.takeDiagnostics().map(\.message),
      is: [
        "the stored data of 'app' can't be read: a value is missing",
        "the stored data of 'app' can't be written: the stored file can't be read, so the host doesn't overwrite it",
      ])
    expect(shelf.text, is: "{\"n\": ")
  }

  @Test("Each owner has its store: plugins, and other apps of the same name, can't see it")
  func owners() throws {
    let files = [
      "p/plugin.lua":
        "plugin { name = 'p', version = '1' } function app.on:plugin() app.store.p = 1 print(app.store.app) end"
    ]
    let stage = try PluginStage(files)
    stage.host.storage = shelf.storage
    stage.write("app.name = 'notes' function app.on:own() app.store.app = 1 print(app.store.p) end", to: "app.lua")
    try stage.host.load(path: "\(stage.path)/app.lua")
    try stage.load("p")
    _ = stage.host.perform("own")
    _ = stage.host.perform("plugin")
    expect(stage.take() == ["nil", "nil"] && shelf.files.count == 2)
    let other = try PluginStage([:])
    other.host.storage = shelf.storage
    other.write("app.name = 'notes' function app.on:own() print(app.store.app) end", to: "app.lua")
    try other.host.load(path: "\(other.path)/app.lua")
    _ = other.host.perform("own")
    expect(other.take(), is: ["nil"])
    expect(Set(shelf.files.keys.map(\.digest)).count, is: 2)
    // Paths that share parts are different paths.
    let one = HostStorage.Place(app: "a", folder: "b1:c", plugin: nil, pluginFolder: nil)
    let two = HostStorage.Place(app: "a", folder: "b", plugin: "c", pluginFolder: nil)
    expect(one.digest != two.digest)
  }

  @Test("The store needs the app's name, can't be replaced, survives a reload, and is empty without a storage")
  func rules() throws {
    let nameless = ScriptHost()
    let error = try #require(throws: LoadError.self) { try nameless.load(text: "print(app.store)", name: "app.lua") }
    expect(error.failure.message.contains("set it first: app.name = "))
    let (host, lines) = try host("function app.on:set() app.store.n = 1 end")
    #expect(throws: LineError.self) { try host.evaluate("app.store = {}") }
    host.storage = nil
    _ = host.perform("set")
    try host.reload(text: "app.name = 'notes' print(app.store.n) app.store.n = 2", name: "app.lua")
    expect(lines(), is: ["1"])
    // A version that failed to load has changed nothing.
    #expect(throws: LoadError.self) {
      try host.reload(text: "app.name = 'notes' app.store.n = 3 error('no')", name: "app.lua")
    }
    try host.evaluate("print(app.store.n)")
    expect(lines().last, is: "2")
  }

  @Test("A test has an empty store, which goes with the test")
  func inTests() throws {
    let file = try ScriptTestFile(
      text: """
        app.name = "notes"
        test("a", function(app) expect(app.store.n):is_nil() app.store.n = 1 expect(app.store.n):is(1) end)
        test("b", function(app) expect(app.store.n):is_nil() end)
        """, name: "a_test.lua")
    for test in file.tests { expect(file.run(test).status, is: .passed) }
  }

  // MARK: S17: one store for several processes

  private static let counter = """
    local held = app.store
    function app.on:inc() app.store.n = (app.store.n or 0) + 1 return app.store.n end
    function app.on:put(ctx) app.store[ctx.key] = ctx.value end
    function app.on:hold(ctx) held[ctx.key] = ctx.value end
    function app.on:deep(ctx) app.store.list = app.store.list or {} app.store.list[ctx.key] = ctx.value end
    function app.on:slow() app.store.n = app.store.n + 1 sleep(1) app.store.n = app.store.n + 1 return app.store.n end
    function app.on:fail() app.store.n = app.store.n + 1 error("no") end
    function app.on:ask() return app.store.n end
    function app.can:ask() return app.store.n ~= 2, "there are two" end
    """

  @Test("S17: Several processes continue from each other's stored values, and overwrite nothing")
  func counts() throws {
    let (one, _) = try host(Self.counter)
    let (two, _) = try host(Self.counter)
    for number in 1...10 {
      expect("\((number.isMultiple(of: 2) ? one : two).perform("inc").result)", is: "integer(\(number))")
    }
    _ = one.perform("put(key: \"a\", value: 1)")
    _ = two.perform("put(key: \"b\", value: 2)")
    expect(shelf.text, is: #"{"a": 1, "b": 2, "n": 10}"#)
    _ = one.perform("put(key: \"a\", value: null)")
    try two.evaluate("app.store.c = app.store.a == nil")
    expect(shelf.text, is: #"{"b": 2, "c": true, "n": 10}"#)
    shelf.files = [:]
    expect("\(one.perform("inc").result)" == "integer(1)" && shelf.text == #"{"n": 1}"#)
  }

  @Test("S17: A table that a script holds is updated in place, and writes to it are merged")
  func held() throws {
    let (one, _) = try host(Self.counter)
    let (two, _) = try host(Self.counter)
    _ = one.perform("deep(key: \"a\", value: 1)")
    _ = two.perform("hold(key: \"x\", value: 1)")
    expect(shelf.text, is: #"{"list": {"a": 1}, "x": 1}"#)
    try one.evaluate("list = app.store.list")
    _ = two.perform("deep(key: \"b\", value: 2)")
    try one.evaluate("list.c = 3")
    expect(shelf.text, is: #"{"list": {"a": 1, "b": 2, "c": 3}, "x": 1}"#)
    expect("\(try one.evaluate("app.store.list == list, list.b"))".contains("bool(true), ScriptHost.Value.integer(2)"))
  }

  @Test(
    "S17: The store is locked from the first use to the end of the stretch, not during a wait or while the host asks")
  func locked() throws {
    let (one, _) = try host(Self.counter)
    let (two, _) = try host(Self.counter)
    _ = one.perform("inc")
    let locks = shelf.locks
    let job = try require(one.perform("slow").job)
    expect(!shelf.isLocked && shelf.locks == locks + 1)
    expect("\(two.perform("inc").result)", is: "integer(3)")
    try one.advance(by: .seconds(1))
    expect("\(job.outcome?.result ?? .null)" == "integer(4)" && !shelf.isLocked)
    _ = two.perform("fail")
    expect(!shelf.isLocked && shelf.text == #"{"n": 5}"#)
    let asked = shelf.locks
    expect(one.validate("ask").isEnabled)
    try two.evaluate("app.store.n = 2")
    expect(one.validate("ask").reason == "there are two" && shelf.locks == asked + 1)
    #expect(throws: LoadError.self) { try host("app.store.n = 7 error('no')") }
    expect(!shelf.isLocked && shelf.text == #"{"n": 2}"#)
    _ = try host("app.store.n = app.store.n + 1")
    expect(!shelf.isLocked && shelf.text == #"{"n": 3}"#)
    try one.reload(text: "app.name = 'notes' app.store.n = app.store.n + 1", name: "app.lua")
    expect(!shelf.isLocked && shelf.text == #"{"n": 4}"#)
  }

  @Test("S17: If another process holds the store for too long the action raises, and nothing is overwritten")
  func busy() throws {
    let (host, _) = try host(Self.counter)
    _ = host.perform("inc")
    shelf.isBusy = true
    let outcome = host.perform("inc")
    expect(outcome.status, is: .failed)
    expect(outcome.error?.message, is: "another process uses the stored data of 'notes': end that process or try again")
    _ = host.takeDiagnostics()
    _ = host.perform("hold(key: \"x\", value: 1)")
    expect(
      host.takeDiagnostics().map(\.message),
      is: [
        "the stored data of 'app' can't be written: another process uses the stored data of 'notes': end that process or try again"
      ])
    shelf.isBusy = false
    _ = host.perform("inc")
    expect(shelf.text, is: #"{"n": 2, "x": 1}"#)
  }
}
