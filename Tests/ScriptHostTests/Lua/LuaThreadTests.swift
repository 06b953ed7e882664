import CLua
import Testing

@testable import ScriptHost

@Suite("Coroutines")
struct LuaThreadTests {
  private func shown(_ progress: LuaProgress) -> String {
    switch progress {
    case .yielded(let values): "yielded \(values.shown)"
    case .finished(let values): "finished \(values.shown)"
    }
  }

  @Test("A coroutine takes values, yields values and finishes with values")
  func exchanges() throws {
    try withLua { lua in
      let body = try lua.load(
        "local a, b = ...; local c = coroutine.yield(a + b, 'x'); local d = coroutine.yield(); return c, d, nil",
        name: "t")
      let thread = try lua.newThread(body)
      try #expect(shown(lua.resume(thread, 1, 2)) == "yielded 3, \"x\"")
      try #expect(shown(lua.resume(thread, "c")) == "yielded ")
      try #expect(shown(lua.resume(thread, 2.5)) == "finished \"c\", 2.5, nil")
      let dead = try #require(throws: LuaError.self) { try lua.resume(thread, 1, 2, 3) }
      #expect(dead.message == "cannot resume dead coroutine")
    }
  }

  @Test("An error ends a coroutine; it tells where, with the coroutine's own traceback")
  func fails() throws {
    try withLua { lua in
      let thread = try lua.newThread(lua.load("coroutine.yield(1)\nlocal t\nreturn t.x", name: "co.lua"))
      _ = try lua.resume(thread)
      let error = try #require(throws: LuaError.self) { try lua.resume(thread) }
      #expect("\(error)" == "co.lua:3:8: attempt to index a nil value (local 't')")
      #expect(error.traceback == "stack traceback:\n\tco.lua:3: in main chunk")
      let dead = try #require(throws: LuaError.self) { try lua.resume(thread) }
      #expect(dead.message == "cannot resume dead coroutine")
    }
  }

  @Test("An abandoned coroutine is collected, with what it held")
  func abandoned() throws {
    try withLua { lua, census in
      let body = try lua.load("local held = ...; coroutine.yield(); return held", name: "t")
      for _ in 1...50 { _ = try lua.resume(lua.newThread(body), .object(census.witness())) }
      #expect(census.living > 0)
      lua.collect()
      #expect(census.living == 0)
    }
  }

  @Test("A Swift function yields: the coroutine goes on with what it is resumed with")
  func swiftYields() throws {
    try withLua { lua in
      try lua.define("ask") { .yield(try $0.arguments) }
      let thread = try lua.newThread(lua.load("local answer = ask('name?', 1); return 'got ' .. answer", name: "t"))
      try #expect(shown(lua.resume(thread)) == "yielded \"name?\", 1")
      try #expect(shown(lua.resume(thread, "Ada")) == "finished \"got Ada\"")
      let error = try lua.error(of: "ask()")
      #expect(error.message == "attempt to yield from outside a coroutine")
      try lua.define("call") { .values(try $0.state.call($0.state.load("ask()", name: "inner"))) }
      let across = try #require(throws: LuaError.self) { try lua.resume(lua.newThread(lua.load("call()", name: "t"))) }
      #expect(across.message == "attempt to yield across a C-call boundary")
    }
  }

  @Test("A coroutine is a value: it goes through a script and comes back")
  func value() throws {
    try withLua { lua in
      let made = try lua.run("local co = coroutine.create(function(a) return a, coroutine.yield(a * 2) end); return co")
      guard case .thread(let thread)? = made.first else { throw LuaMisuse("no coroutine") }
      try #expect(shown(lua.resume(thread, 21)) == "yielded 42")
      try #expect(lua.run("return coroutine.resume(...)", .thread(thread), "end").shown == "true, 21, \"end\"")
    }
  }

  @Test("A resume that can't be made leaves nothing in the coroutine")
  func leavesNothing() throws {
    let other = try LuaState()
    try withLua { lua in
      let thread = try lua.newThread(lua.load("return ...", name: "t"))
      let foreign = other.newTable()
      let error = try #require(throws: LuaError.self) { try lua.resume(thread, 1, .table(foreign)) }
      #expect(error.kind == .foreign)
      try #expect(shown(lua.resume(thread, 2)) == "finished 2")
    }
  }

  @Test("A coroutine that runs can't be resumed from inside itself")
  func running() throws {
    try withLua { lua in
      var thread: LuaThread?
      try lua.define("again") { call in
        guard let thread else { return .nothing }
        return .values([.text(shown(try lua.resume(thread, "text", call[0])))])
      }
      let made = try lua.newThread(lua.load("return pcall(again, function() end)", name: "t"))
      thread = made
      try #expect(shown(lua.resume(made)) == "finished false, object")
      thread = nil
      let error = try #require(throws: LuaError.self) {
        let again = try lua.newThread(lua.load("again(function() end)", name: "t"))
        thread = again
        _ = try lua.resume(again)
      }
      thread = nil
      #expect(error.message == "cannot resume non-suspended coroutine")
    }
  }

  // bug once: what Swift called from within a coroutine ran on the main stack, whose count of nested C calls knew nothing of the
  // coroutine's: 150 coroutines inside one another, then a call to Swift, then again, ran through the C stack.
  @Test("Coroutines and calls to Swift nested in each other end in an error, on a small stack too")
  func nestedDeeply() throws {
    try onThread(stack: 512) {
      try withLua { lua in
        try lua.define("call") { call in
          guard case .function(let function) = try call[0] else { return .nothing }
          return .values(try call.state.call(function, arguments: call.arguments))
        }
        let error = try lua.error(
          of: """
            local function nest(n, f) if n == 0 then return f() end return coroutine.wrap(function() return nest(n - 1, f) end)() end
            local function again() return nest(100, function() return call(again) end) end
            again()
            """)
        #expect(error.message.hasSuffix("C stack overflow"), "\(error.message)")
      }
    }
  }
}
