import CLua
import Expectations
import Testing

@testable import ScriptHost

@Suite("Limits")
struct LuaLimitsTests {
  @Test("A small stack takes small sources", arguments: [256, 1 << 10, 32 << 10])
  func sources(stack: Int) throws {
    try onThread(stack: stack) {
      let limit = min(128 << 10, clua_threadStack() / 128)  // the system may give a larger stack than was asked for
      try withLua { lua in
        // A source of parentheses or of long chains recurses deepest in the compiler.
        for part in ["(", "a.", "{", "- ", "x=", "not ", "f("] {
          let text = String(repeating: part, count: limit / part.utf8.count)
          let error = try #require(throws: LuaError.self) { try lua.load("return " + text.dropLast(8), name: "t") }
          expect(error.kind, is: .syntax, "\(part): \(error)")
        }
        let long = try #require(throws: LuaError.self) {
          try lua.load(String(repeating: " ", count: limit + 1), name: "t")
        }
        expect(long.kind, is: .tooLong(bytes: limit + 1, limit: limit))
        _ = try lua.load(String(repeating: " ", count: limit), name: "t")
      }
    }
  }

  @Test("The error for the end of the longest name fits a small stack")
  func deepNames() throws {
    try onThread(stack: 256) {
      try withLua { lua in
        let error = try lua.error(
          of: "local t = {}; t.a = t; local x = t" + String(repeating: ".a", count: 30) + ".b.c")
        expect(error.message, is: "attempt to index a nil value (field 'b')")
      }
    }
  }

  private static func parts(_ part: String, _ count: Int) -> String { String(repeating: part, count: count) }

  @Test(
    "A name can have 32 parts, in any spelling",
    arguments: [
      "return t\(parts(".x", 32))", "return t\(parts("[1]", 32))", "return t\(parts(" [ 'x' ]", 32))",
      "return ((t\(parts(".x", 16)))\(parts(".x", 16)))", "return t\(parts(".x", 16))[t\(parts(".x", 15))]",
      // The result of a call has no name.
      "return t\(parts(".x()", 900))", "return t\(parts(":x(1)", 900))", "return t\(parts(".x''", 900))",
      "return t\(parts(".x{}", 900))", "return t\(parts(".x[[]]", 900))",
      "return f(t\(parts(".x", 24)))\(parts(".x", 24))", "return {t\(parts(".x", 24)), t\(parts(".x", 24))}",
      "return {[t\(parts(".x", 24))] = t\(parts(".x", 24))}",
      // Each of these ends the name before it.
      "return t\(parts(".x + t", 900))", "return t\(parts(".x or t", 900))", "t = t\(parts(".x t.x = t", 900))",
      "return t.x\(parts(" .. t.x", 24))", "t.x()\(parts(" do ::a:: end", 300))", "return ...\(parts(" + ...", 300))",
      // None of this is a name.
      "return '\(parts(".x", 900))'", "return \"\\\"\(parts(".x", 900))\"", "return [==[]]\(parts(".x", 900))]==]",
      "return t --\(parts(".x", 900))", "return t --[[\(parts("\n.x", 900))]]",
      "return t --[=[]]\(parts(".x", 900))]=]",
      "return {\(parts(".5, 1.5e+3, 0x.8p-1,", 900))}",
    ])
  func shortNames(source: String) throws {
    try withLua { lua in _ = try lua.load(source, name: "t") }
  }

  @Test(
    "A name of more than 32 parts is refused with its line, in any spelling",
    arguments: [
      "return t\(parts(".x", 33))", "return t\(parts("[1]", 33))", "return --\rt\(parts(" .--[[.]] x", 33))",
      "return (t\(parts(".x", 16)))\(parts(".x", 17))", "return f and ((t\(parts(".x", 16))).x)\(parts(".x", 16))",
      "return t\(parts(".x", 16))[t\(parts(".x", 16))]", "return t[t[t\(parts(".x", 31))]]",
      "return t.x()\(parts("['x']", 16))\(parts("[ [=[x]=] ]", 17))", "return ('x')\(parts(".x", 33)):x()",
      "return t['\\'']\(parts(".x", 32))", "return t[ [==[]=]]==] ]\(parts(".x", 32))",
      "f[[x]] t\(parts(".x", 33))()",
    ])
  func longNames(source: String) throws {
    try withLua { lua in
      let error = try #require(throws: LuaError.self) { try lua.load("local t, f\n--[[\n]]\n\(source)", name: "t") }
      expect(error.kind == .syntax && error.message == "a name, like a.b[c.d], can have 32 parts at most")
      let line = source.contains("\r") ? 5 : 4
      expect(error.place?.line, is: line)
      try lua.rawSet("source", .text("\n\n\(source)"), of: lua.globals)
      let loaded = try lua.run("return load(source)")
      expect(
        loaded.map { "\($0)" },
        is: [
          "nil", "text(\"line \(line - 1): a name, like a.b[c.d], can have 32 parts at most\")",
        ])
    }
  }

  @Test("Limits at the edges of their range open a state and apply", arguments: [0, -1, 1, Int.max, Int.min])
  func edges(bytes: Int) throws {
    func said(_ limits: LuaLimits) throws -> String {
      var said = ""
      try withLua(limits: limits) { lua in
        do {
          said = try lua.run("local t = {}; for i = 1, 100 do t[i] = {('x'):rep(3 * i)} end return load('return 1')")
            .shown
        } catch let error as LuaError { said = "\(error.kind) \(error.message)" }
      }
      return said
    }
    let all = try [
      LuaLimits(memory: bytes), LuaLimits(block: bytes), LuaLimits(source: bytes), LuaLimits(innerSource: bytes),
      LuaLimits(memory: bytes, block: bytes, source: bytes, innerSource: bytes),
    ].map(said)
    let kept = max(bytes, 0)
    expect(
      all,
      is: (bytes == .max
        ? Array(repeating: "function", count: 5)
        : [
          "limit(ScriptHost.LuaLimit.memory) the scripts' memory limit of \(kept) bytes is spent",
          "block(limit: \(kept)) not enough memory: one table, string or stack can have \(kept) bytes at most",
          "tooLong(bytes: 85, limit: \(kept)) the script has 85 bytes, and can have \(kept) at most",
          "nil, \"a chunk that a script loads can have \(kept) bytes at most\"",
          "tooLong(bytes: 85, limit: \(kept)) the script has 85 bytes, and can have \(kept) at most",
        ]))
  }

  @Test("A spent limit is an error with the limit, and code outside goes on")
  func spent() throws {
    try withLua { lua in
      let endless = try lua.load("while true do pcall(function() while true do end end) end", name: "t.lua")
      let cases: [(Allowance, LuaLimit)] = [
        (Allowance(instructions: 10_000), .instructions), (.milliseconds(5), .time),
        (.milliseconds(UInt64.max, instructions: 1_000), .instructions),
      ]
      for (allowance, limit) in cases {
        let error = try #require(throws: LuaError.self) { try lua.within(allowance) { try lua.call(endless) } }
        expect(error.limit, is: limit)
        expect(error.place?.source, is: "t.lua")
        try expect(lua.run("return 1").shown, is: "1")
      }
      lua.canceller.cancel()
      let cancelled = try #require(throws: LuaError.self) { try lua.call(endless) }
      expect(cancelled.limit, is: .cancelled)
      try expect(lua.run("return 1").shown, is: "1")
      // Both causes are found at the same check: the spent limit says more.
      lua.canceller.cancel()
      let both = try #require(throws: LuaError.self) {
        try lua.within(instructions: 1_000) { try lua.call(endless) }
      }
      expect(both.message.hasPrefix("the limit of 1000 instructions is spent"), "\(both.message)")
    }
  }

  @Test(
    "No code that catches errors keeps running after a library function spent a limit",
    arguments: [
      "pcall(spend)", "pcall(pcall, spend)", "xpcall(spend, function() ran = true end)", "load(spend)",
      "coroutine.resume(coroutine.create(spend))", "pcall(coroutine.wrap(spend))",
      "pcall(string.gsub, 'x', 'x', spend)", "pcall(table.sort, {1, 2}, spend)",
    ])
  func caught(call: String) throws {
    try withLua { lua in
      try lua.run("hostile = ('a-'):rep(30) .. 'b'; text = ('a'):rep(1000)")
      let chunk = "local function spend() return text:find(hostile) end; \(call); ran = true"
      let error = try #require(throws: LuaError.self) {
        try lua.within(instructions: 10_000) { try lua.run(chunk) }
      }
      expect(error.limit, is: .instructions)
      try expect(lua.run("return ran").shown, is: "nil")
    }
  }

  /// Checking the clock more often walks all calls below.
  /// The host once took that for slow instructions, and checked ever more often.
  @Test("A recursion ends at the end of its stack, at any depth")
  func deepRecursion() throws {
    try withLua(limits: LuaLimits(memory: 2 << 30, block: 256 << 20)) { lua in
      let error = try #require(throws: LuaError.self) {
        try lua.within(.milliseconds(isUnoptimized ? 600_000 : 120_000, instructions: 1 << 40)) {
          try lua.run("local kept = {} local function f(n) kept[n] = { n, {}, n } return 1 + f(n + 1) end return f(1)")
        }
      }
      expect(error.message.contains("stack overflow"), "\(error)")
      expect(error.limit, is: nil)
    }
  }

  @Test("Memory and blocks have separate limits")
  func memory() throws {
    try withLua(limits: LuaLimits(memory: 1 << 20, block: 64 << 10)) { lua in
      let full = try lua.error(of: "local t = {}; for i = 1, 1e9 do t = {t, i} end")
      expect(full.limit, is: .memory)
      let block = try lua.error(of: "local t = {}; for i = 1, 1e9 do t[i] = i end")
      expect(block.kind, is: .block(limit: 64 << 10))
      try expect(lua.run("return pcall(string.rep, 'x', 1e6)").shown, is: "false, \"resulting string too large\"")
    }
  }
}
