// Memory in every shape. A script that holds its values is ended; a request for too large a block is an error.

extension Attack {
  private static func hoard(_ name: String, _ script: String) -> Attack {
    Attack(name, .limit(.memory), during: .collection, milliseconds: 5000, script)
  }

  static let memory: [Attack] = [
    hoard("strings", "local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end"),
    hoard("big strings", "local t = {} while true do t[#t + 1] = ('x'):rep(1000000) end"),
    hoard("tables", "local t while true do t = {t} end"),
    hoard(
      "tables in arrays",
      "local all = {} while true do local t = {} for i = 1, 10000 do t[i] = {} end all[#all + 1] = t end"),
    hoard("tables with fields", "local t while true do t = {a = t, b = 1, c = 2, d = 3} end"),
    hoard("closures", "local f while true do local g = f f = function() return g end end"),
    hoard(
      "shared variables of closures",
      "local f while true do local a, b, c = f, 1, 2 f = function() return a, b, c end end"),
    hoard("coroutines", "local t while true do t = {t, coroutine.create(function() end)} end"),
    hoard(
      "coroutines that wait",
      "local t while true do local co = coroutine.create(function() coroutine.yield() end) coroutine.resume(co) t = {t, co} end"
    ),
    hoard(
      "coroutines with deep stacks",
      "local t local function deep(n) if n == 0 then coroutine.yield() else deep(n - 1) end return n end while true do local co = coroutine.create(deep) coroutine.resume(co, 1000) t = {t, co} end"
    ),
    hoard("metatables", "local t while true do t = setmetatable({t}, {}) end"),
    hoard(
      "loaded chunks",
      "local t, source = nil, ('local a = {1, 2, 3} '):rep(150) while true do t = {t, load(source)} end"),
    hoard(
      "constants of loaded chunks",
      "local t, n = nil, 0 while true do n = n + 1 t = {t, load('return \"' .. ('x'):rep(5000) .. n .. '\"')} end"),
    hoard(
      "formats",
      "local t, f = nil, ('%99d'):rep(9) while true do t = {t, f:format(1, 2, 3, 4, 5, 6, 7, 8, 9)} end"
    ),
    hoard("packs", "local t while true do t = {t, string.pack('c10000', '')} end"),
    hoard("substitutions", "local t, s = nil, ('x'):rep(1000) while true do t = {t, (s:gsub('x', 'yyyyyyyyyy'))} end"),
    hoard("concatenations", "local t, n = nil, 0 while true do n = n + 1 t = {t, ('x'):rep(5000) .. n} end"),
    hoard("objects of Swift's", "local t while true do t = {t, make(), {}, {}, {}} end"),
    hoard("a list in a Swift call", "local t while true do t = echo({t, 1, 2, 3}) end"),
    Attack(
      "many distinct short strings", .limitOrEnd, during: .collection, milliseconds: 200,
      "local all, n = {}, 0 while true do local t = {} for i = 1, 20000 do n = n + 1 t[i] = 's' .. n end all[#all + 1] = t end"
    ),
    Attack("a string that doubles", .error("not enough memory"), "local s = 'x' while true do s = s .. s end"),
    Attack(
      "a string that doubles, for ever", .limit(.time), during: .collection,
      "local s = 'x' while true do pcall(function() while true do s = s .. s end end) end"),
    Attack(
      "a table that doubles", .error("not enough memory"), during: .collection, milliseconds: 500,
      "local t, n = {}, 1 while true do t[n] = n n = n + 1 end"),
    Attack(
      "a table that doubles, for ever", .limit(.time), during: .collection,
      "while true do pcall(function() local t, n = {}, 1 while true do t[n] = n n = n + 1 end end) end"),
    Attack(
      "a table with keys that doubles", .error("not enough memory"), during: .collection, milliseconds: 500,
      "local t, n = {}, 1 while true do t[n + 0.5] = n n = n + 1 end"),
    Attack(
      "a result of many megabytes", .limit(.memory), during: .block, milliseconds: 500,
      "local s, t = ('x'):rep(1000000), {} for i = 1, 20000 do t[i] = s end return table.unpack(t)"),
    Attack(
      "an argument list of many megabytes for Swift", .limit(.memory), during: .block, milliseconds: 500,
      "local s, t = ('x'):rep(1000000), {} for i = 1, 20000 do t[i] = s end return select('#', echo(table.unpack(t)))"),
    Attack(
      "a function call with too many values", .error(""),
      "local t = {} for i = 1, 60000 do t[i] = i end return (function(...) return select('#', ...) end)(table.unpack(t))"
    ),
    Attack(
      "substituting to more than a block", .error("not enough memory"),
      "return #('x'):rep(10000):gsub('x', ('y'):rep(1000))"),
    Attack(
      "a list in a source of its own", .limitOrEnd, milliseconds: 500,
      "local s = 'return {' .. ('{},'):rep(20000) .. '}' local f = load(s) return #f()"),
    Attack(
      "counting memory shows a number and nothing else", .result("float"), "return math.type(collectgarbage('count'))"),
    Attack(
      "garbage is not counted against a script", .limit(.time),
      "while true do local t = {} for i = 1, 1000 do t[i] = {} end end"),
    Attack("garbage of big strings is not counted", .limit(.time), "while true do local s = ('x'):rep(900000) end"),
    Attack(
      "sitting at the ceiling", .limitOrEnd, during: .collection, milliseconds: 2000,
      """
      local t = {}
      while collectgarbage("count") < 60000 do t[#t + 1] = ("x"):rep(100000) end
      while true do local s = ("y"):rep(500000) end
      """),
    Attack(
      "errors at the ceiling", .limitOrEnd, during: .collection, milliseconds: 2000,
      """
      local t = {}
      while collectgarbage("count") < 64000 do t[#t + 1] = ("x"):rep(100000) end
      while true do pcall(error, "e" .. #t) local ok, e = pcall(function() return nil + 1 end) t[#t + 1] = e end
      """),
    Attack("a long error message", .error("xxxx"), "error(('x'):rep(1000000), 0)"),
    Attack(
      "an error made of many long ones", .limit(.time),
      "local s = 'x' while true do local ok, e = pcall(error, s) s = (e .. e):sub(1, 500000) end"),
  ]
}
