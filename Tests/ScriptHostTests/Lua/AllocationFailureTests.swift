import CInside
import CLua
import Expectations
import Testing

@testable import ScriptHost

/// Code that runs while the allocator refuses. Any error is a valid end.
struct Workload: CustomTestStringConvertible, Sendable {
  let name: String
  let run: @Sendable (LuaState, Census) throws -> Void

  var testDescription: String { name }

  /// A chunk that finds the functions of `Workload.define` among its globals.
  static func script(_ name: String, _ text: String) -> Workload {
    Workload(name: name) { lua, _ in try lua.run(text, name: "sweep.lua") }
  }

  /// Makes the Swift functions that the scripts call.
  static func define(in lua: LuaState, _ census: Census) throws {
    try lua.define("echo") { .values(try $0.arguments) }
    try lua.define("fail") { _ in throw WitnessError("failed", in: census) }
    try lua.define("misuse") { _ in throw LuaMisuse("misused") }
    try lua.define("object") { _ in .values([.object(census.witness())]) }
    try lua.define("pause") { .yield(try $0.arguments) }
    try lua.define("call") { call in
      guard case .function(let function) = try call[0] else { throw LuaMisuse("no function") }
      return .values(try call.state.call(function))
    }
    try lua.define("allow") { call in
      guard case .function(let function) = try call[0] else { throw LuaMisuse("no function") }
      let results = try? call.state.within(instructions: 50_000) { try call.state.call(function) }
      return .values(results ?? ["spent"])
    }
  }

  static let all: [Workload] = [
    Workload(name: "a load") { lua, _ in
      _ = try lua.load(
        "local a, b = {1, 2, x = 'text'}, function(...) return ... end\nfor i = 1, 3 do goto next ::next:: end return a, b",
        name: "load.lua")
    },
    Workload(name: "a load that fails") { lua, _ in _ = try lua.load("local a = {\n1, 2, 'three'", name: "bad.lua") },
    Workload(name: "a load into a fresh environment") { lua, _ in
      let environment = lua.newEnvironment()
      _ = try lua.call(
        lua.load("x = string.rep('y', 200); return load('return x')()", name: "e.lua", environment: environment))
    },
    Workload(name: "values in and out") { lua, census in
      let function = try lua.load("local t = {...}; t.o = t[5]; return t, t.o, #t[3], t[4], {t}", name: "values.lua")
      let results = try lua.call(
        function, 1, 2.5, .text(String(repeating: "é", count: 50)), .bytes([0, 255]), .object(census.witness()))
      if case .table(let table)? = results.first {
        try lua.rawSet("new", .table(lua.newTable()), of: table)
        _ = try lua.get("o", of: table)
        try lua.forEach(in: table) { _, _ in true }
      }
    },
    .script(
      "calls to Swift", "for i = 1, 5 do local o = object(); echo(o, {}, 'text' .. i, function() return o end) end"),
    .script("a Swift error that nobody catches", "local function f() local o = object(); fail() end f()"),
    .script("a Swift error that a script catches", "local ok, e = pcall(fail); return tostring(e), pcall(error, e)"),
    .script("misuse", "local ok, e = pcall(misuse); local u = e .. '!'; misuse()"),
    .script("Swift in Lua in Swift", "return pcall(call, function() return call(function() object(); fail() end) end)"),
    .script(
      "an error with a traceback",
      "local function f(n) if n == 0 then local t; return t.field end f(n - 1) return 1 end local o = object(); f(12)"),
    .script(
      "an error with a table", "error(setmetatable({}, {__tostring = function() return 'me' .. tostring({}) end}))"),
    .script(
      "nested catchers",
      """
      return pcall(pcall, xpcall, function() local t = {} error('x' .. #t) end, function(m)
        return pcall(function() return {m, pcall(error, {m})} end)
      end)
      """),
    .script(
      "coroutines",
      """
      local co = coroutine.create(function(a) local b = coroutine.yield({a}); local c = pause(b .. 'x'); error({c}) end)
      coroutine.resume(co, 'one'); coroutine.resume(co, 'two'); coroutine.resume(co, object()); coroutine.resume(co)
      """),
    .script(
      "generators",
      """
      local function walk(n) if n > 0 then coroutine.yield({n}); walk(n - 1) end end
      local sum = 0; for t in coroutine.wrap(function() walk(6) end) do sum = sum + t[1] end
      local inner = coroutine.wrap(function() coroutine.wrap(function() pcall(coroutine.yield, object()); fail() end)() end)
      inner(); inner()
      """),
    .script(
      "strings",
      """
      local s = ('abc'):rep(20) .. 12 .. 1.5; local t = {}
      for w in s:gmatch('%a+') do t[#t + 1] = w:upper() end
      s = s:gsub('b', function(c) return c .. c end):gsub('c', '%0%0'); s = s:rep(30, ', ')
      return table.concat(t, s), ('%s %q %10.3f %d'):format(t, s, 2 / 3, 7), s:find('a(b+)c'), s:match('(a)(b)')
      """),
    .script(
      "tables",
      """
      local t = {}; for i = 1, 40 do t[i] = (i * 37) % 41; t['k' .. i] = {i} end
      table.sort(t, function(a, b) return a > b end); table.insert(t, 1, 0); table.remove(t); table.move(t, 1, 30, 20)
      return table.unpack(t, 1, 20), table.pack(table.unpack(t)), next(t)
      """),
    .script(
      "metatables",
      """
      local C = {}; C.__index = function(t, k) return {k} end; C.__newindex = function(t, k, v) rawset(t, k, {v}) end
      C.__call = function(self, ...) return {...} end; C.__eq = function(a, b) return #{a, b} > 0 end
      local a, b = setmetatable({}, C), setmetatable({}, C); a.x = a.y; local r = a == b; b(a, r, tostring(a))
      local weak = setmetatable({}, {__mode = 'v'}); for i = 1, 20 do weak[i] = {i} end
      for k, v in pairs(setmetatable({}, {__pairs = function(t) return next, {t, 2}, nil end})) do a[k] = v end
      """),
    .script(
      "closures",
      "local f = {}; for i = 1, 20 do local n = i; f[i] = function() n = n + i; return {n, object()} end end f[3]()"),
    .script(
      "deep calls",
      "local function f(n, ...) if n == 0 then return ... end return (f(n - 1, n, ...)) end return f(120), pcall(f, 200)"
    ),
    .script(
      "a load within a script",
      "local f = load('local t = {} ; return function() return t, ... end', '=inner'); f()(); load('x =')"),
    .script(
      "a load from a reader",
      "local i = 0; return load(function() i = i + 1; object(); return i < 60 and 'x = ' .. i .. ' ' or nil end)()"),
    .script(
      "nested allowances",
      "allow(function() local t = {object()}; allow(function() t[2] = {}; while true do end end); return allow(fail), {t} end)"
    ),
    Workload(name: "an allowance around a failure") { lua, _ in
      _ = try lua.within(nanoseconds: 1_000_000_000) {
        try lua.run("pcall(function() echo({}) fail() end) fail()")
      }
    },
    Workload(name: "a description") { lua, _ in
      _ = try lua.describe(.table(lua.newTable()))
      guard
        let value = try lua.run("return setmetatable({}, {__tostring = function() return 'x' .. #{1} .. fail() end})")
          .first
      else { return }
      _ = try lua.describe(value)
    },
  ]
}

@Suite("The allocator can refuse at any point")
struct AllocationFailureTests {
  /// Refuses at one point after the other until the workload passes untouched; returns the number of points.
  private func sweep(_ workload: Workload, forEver: Bool) throws -> UInt64 {
    let census = Census()
    let lua = try LuaState()
    try Workload.define(in: lua, census)
    try? workload.run(lua, census)
    let before = LuaHoldings(lua)
    var memory = 0
    var points: UInt64 = 0
    while true {
      let refused = clua_counters(lua.L).refusals
      inside_failAllocation(lua.L, points + 1, forEver)
      try? workload.run(lua, census)
      inside_failAllocation(lua.L, 0, false)
      if clua_counters(lua.L).refusals == refused { break }
      points += 1
      let after = LuaHoldings(lua)
      try require(after.top == before.top && after.hostDepth == before.hostDepth, "point \(points): \(after)")
      try require(after.objects == before.objects && census.living == 0, "point \(points): a Swift object is left")
      try require(lua.run("local t = {...}; return #t .. 'x'", 1, 2).shown == "\"2x\"", "point \(points): usable")
      if points == 8 { memory = lua.memory }
    }
    lua.collect()
    expect(points < 8 || lua.memory < memory + 8192, "memory is flat: \(memory), then \(lua.memory) bytes")
    return points
  }

  @Test("Every allocation of every workload is refused, once and for ever after; the state stays whole")
  func everyPoint() throws {
    var refused: UInt64 = 0
    for workload in Workload.all {
      let once = try sweep(workload, forEver: false)
      let forEver = try sweep(workload, forEver: true)
      refused += once + forEver
      print("  \(workload.name): \(once) points refused once, \(forEver) for ever after")
    }
    print("allocation failure: \(refused) points refused")
    // Nine tenths of the points that there were: a shorter sweep tests less.
    expect(refused >= 3_470)
  }

  @Test("A state that closes right after a refusal releases every Swift object")
  func closedAfterRefusal() throws {
    for workload in Workload.all {
      var refused = true
      var point: UInt64 = 0
      while refused {
        point += 1
        let census = Census()
        do {
          let lua = try LuaState()
          try Workload.define(in: lua, census)
          inside_failAllocation(lua.L, point, true)
          try? workload.run(lua, census)
          refused = clua_counters(lua.L).refusals > 0
        }
        try require(census.living == 0, "\(workload.name), point \(point)")
      }
    }
  }

  @Test("Memory can end after any 40 bytes, and the state stays whole")
  func everyCeiling() throws {
    var ceilings = 0
    for workload in Workload.all {
      let census = Census()
      let lua = try LuaState()
      try Workload.define(in: lua, census)
      try? workload.run(lua, census)
      let before = LuaHoldings(lua)
      var refused = true
      var room = 0
      while refused {
        let refusals = clua_counters(lua.L).refusals
        inside_setLimits(lua.L, limits(memory: lua.memory + room, of: lua))
        try? workload.run(lua, census)
        inside_setLimits(lua.L, lua.limits.c)
        refused = clua_counters(lua.L).refusals > refusals
        let after = LuaHoldings(lua)
        try require(after == before && census.living == 0, "\(workload.name), \(room) bytes: \(after)")
        room = room == 4_000 ? 32 * 1024 : room + 40  // between the two only the reserve is used, which changes nothing
        ceilings += 1
      }
    }
    expect(ceilings >= 19_800)
  }

  /// Limits under which the allocator refuses after this number of bytes.
  /// Small blocks may use the reserve, so the limit doesn't include it.
  private func limits(memory: Int, of lua: LuaState) -> clua_Limits {
    var limits = lua.limits.c
    limits.memory = Int.max
    limits.memoryHard = max(0, memory - 32 * 1024)
    return limits
  }
}
