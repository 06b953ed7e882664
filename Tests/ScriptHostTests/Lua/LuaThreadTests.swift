import Expectations
import Testing

@testable import ScriptHost

@Suite("Coroutines")
struct LuaThreadTests {
  @Test("If a Swift function yields, the coroutine goes on with the values of resume")
  func swiftYields() throws {
    try withLua { lua in
      try lua.define("ask") { .yield(try $0.arguments) }
      let answers = try lua.run(
        """
        local co = coroutine.create(function() local answer = ask('name?', 1) return 'got ' .. answer end)
        local _, question, number = coroutine.resume(co)
        return question, number, coroutine.resume(co, 'Ada')
        """)
      expect(answers.shown, is: "\"name?\", 1, true, \"got Ada\"")
      let error = try lua.error(of: "ask()")
      expect(error.message, is: "attempt to yield from outside a coroutine")
      try lua.define("call") { .values(try $0.state.call($0.state.load("ask()", name: "inner"))) }
      let across = try lua.error(of: "coroutine.wrap(function() call() end)()")
      expect(across.message, is: "attempt to yield across a C-call boundary")
    }
  }

  @Test("A coroutine is a value: it goes through Swift and comes back, and Lua collects it with its values")
  func value() throws {
    try withLua { lua, census in
      let made = try lua.run(
        "local held = ... local co = coroutine.create(function(a) return a, coroutine.yield(a * 2), held end) return co",
        .object(census.witness()))
      guard case .thread(let thread)? = made.first else { throw LuaMisuse("no coroutine") }
      try expect(lua.run("return coroutine.resume(...)", .thread(thread), 21).shown, is: "true, 42")
      lua.collect()
      expect(census.living, is: 1)
    }
  }

  // bug once: Swift's calls from within a coroutine ran on the main stack, with a separate count of nested C calls.
  // 150 nested coroutines, then a call to Swift, then again, ran through the C stack.
  @Test("Nested coroutines and calls to Swift end in an error, on a small stack too")
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
        expect(error.message.hasSuffix("C stack overflow"), "\(error.message)")
      }
    }
  }
}
