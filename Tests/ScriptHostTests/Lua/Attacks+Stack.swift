// Depth in every direction: Lua's stack, the C stack, the parser. Also sources that are slow to read or to report.

extension Attack {
  static let recursion: [Attack] = [
    Attack("a function that calls itself", .error("stack overflow"), "local function f() return 1 + f() end f()"),
    Attack(
      "a function that calls itself, caught for ever", .limit(.time),
      "local function f() return 1 + f() end while true do pcall(f) end"),
    Attack(
      "a function with many variables that calls itself", .error(""),
      "local function f(...) local \((1...150).map { "a\($0)" }.joined(separator: ", ")) return 1 + f(1) end f()"),
    Attack(
      "a function that passes on more each time", .error(""), "local function f(...) return 1 + f(1, ...) end f()"),
    Attack("a function that catches itself", .limit(.time), "local function f() pcall(f) f() end f()"),
    Attack(
      "protected calls in protected calls", .error("stack overflow"),
      "local function f() local ok, e = pcall(f) error(e, 0) end f()"),
    Attack("protected calls with handlers in handlers", .limitOrEnd, "local function f() xpcall(f, f) end f()"),
    Attack(
      "an __index that reads itself", .error("stack overflow"),
      "local t t = setmetatable({}, {__index = function(_, k) return t[k + 1] end}) return t[1]"),
    Attack(
      "metamethods to the end of the C stack", .error("C stack overflow"),
      "local m = {} local t = setmetatable({}, m) m.__index = function(_, k) return table.concat(t, '', 1, 1) end return t[1]"
    ),
    Attack("gsub in gsub", .error("C stack overflow"), "local function f() return (('x'):gsub('x', f)) end f()"),
    Attack("sort in sort", .error("C stack overflow"), "local function f() table.sort({1, 2}, f) end f()"),
    Attack(
      "tostring in tostring", .error("C stack overflow"),
      "local m = {} m.__tostring = function() return tostring(setmetatable({}, m)) end return tostring(setmetatable({}, m))"
    ),
    Attack(
      "format in format", .error("C stack overflow"),
      "local m = {} m.__tostring = function() return ('%s'):format(setmetatable({}, m)) end return tostring(setmetatable({}, m))"
    ),
    Attack(
      "load in load", .error("C stack overflow"),
      "local function g() local f, e = load(g) error(e, 0) end g()"),
    Attack(
      "concat in concat", .error("C stack overflow"),
      "local t t = setmetatable({}, {__len = function() return 2 end, __index = function() return table.concat(t) end}) return table.concat(t)"
    ),
    Attack(
      "concat in concat, each with a buffer", .error("C stack overflow"),
      "local t local s = ('x'):rep(2000) t = setmetatable({}, {__len = function() return 2 end, __index = function(_, i) return i == 1 and s or table.concat(t) end}) return table.concat(t)"
    ),
    Attack("calls of Swift's in calls of Swift's", .error(""), "local function f() return call(f) end f()"),
    Attack("calls of Swift's that swallow", .limitOrEnd, "local function f() swallow(f) swallow(f) end f()"),
    Attack(
      "calls of Swift's in coroutines", .error(""),
      "local function f() return coroutine.wrap(function() return call(f) end)() end f()"),
    Attack(
      "errors of Swift's at the end of the C stack", .error(""),
      "local function f(n) if n == 0 then throw() end return call(f, n - 1) end f(60)"),
    Attack(
      "an error at every depth", .limitOrEnd,
      """
      local function f(n) if n == 0 then error("deep") end return (pcall(error, "x")) and 1 or 1 + f(n - 1) end
      for n = 1, 4000, 37 do pcall(f, n) end
      """),
    Attack(
      "an error at every depth of the C stack", .limitOrEnd,
      """
      local m = {}
      local t = setmetatable({}, m)
      for depth = 150, 230 do
        local n = depth
        m.__index = function() n = n - 1 if n <= 0 then error({}) end return table.concat(t, "", 1, 1) end
        pcall(function() return t[1] end)
        n = depth
        xpcall(function() return t[1] end, function(e) return table.concat(t, "", 1, 1) end)
      end
      """),
    Attack(
      "objects that go while the C stack is at its end", .limitOrEnd, during: .collection, milliseconds: 500,
      """
      local m = {}
      local t = setmetatable({}, m)
      for depth = 185, 205 do
        local n = depth
        m.__index = function()
          n = n - 1
          if n <= 0 then for _ = 1, 300 do make() local garbage = {{}, {}, {}, {}} end return "x" end
          return table.concat(t, "", 1, 1)
        end
        for _ = 1, 300 do make() end
        pcall(function() return t[1] end)
      end
      """),
    Attack(
      "objects that go while the stack is at its end", .limitOrEnd, during: .collection, milliseconds: 500,
      """
      local function fill() for _ = 1, 20 do make() local garbage = {{}, {}, {}, {}, {}, {}} end end
      local function deep(n) fill2 = {} return 1 + deep(n + 1) end
      for _ = 1, 5 do fill() pcall(deep, 1) end
      """),
    Attack(
      "a chain of tables that are called", .limitOrEnd, during: .block,
      "local t = type for _ = 1, 20000 do t = setmetatable({}, {__call = t}) end for _ = 1, 5 do pcall(t) end"),
    Attack(
      "a list nested ten thousand deep", .result("table"), "local t = {} for _ = 1, 10000 do t = {t} end return t"),
    Attack(
      "a list nested ten thousand deep through Swift", .result("table"),
      "local t = {} for _ = 1, 10000 do t = {t} end return echo(t)"),
  ]

  static let source: [Attack] = [
    Attack("parentheses without end", .result("nil"), "return (load('return ' .. ('('):rep(30000)))"),
    Attack("lists in lists", .result("nil"), "return (load('return ' .. ('{'):rep(30000)))"),
    Attack("functions in functions", .result("nil"), "return (load(('function f() '):rep(4000)))"),
    Attack("blocks in blocks", .result("nil"), "return (load(('do '):rep(20000)))"),
    Attack("conditions in conditions", .result("nil"), "return (load(('if a then '):rep(6000)))"),
    Attack("minus after minus", .result("nil"), "return (load('return ' .. ('- '):rep(30000) .. '1'))"),
    Attack("not after not", .result("nil"), "return (load('return ' .. ('not '):rep(15000) .. '1'))"),
    Attack("powers of powers", .result("nil"), "return (load('return 1' .. ('^1'):rep(30000)))"),
    Attack("concatenation after concatenation", .result("nil"), "return (load('return 1' .. ('..1'):rep(20000)))"),
    Attack("a or a or a …", .limitOrEnd, during: .parse, "return load('return a' .. (' or a'):rep(13000))"),
    Attack(
      "a or a or a …, for ever", .limit(.time), during: .parse,
      "local s = 'return a' .. (' or a'):rep(13000) while true do load(s) end"),
    Attack("a and a or a …", .limitOrEnd, during: .parse, "return load('return a' .. (' and a or a'):rep(5000))"),
    Attack(
      "a name of more parts than a name can have", .result("nil"),
      "return (load('local t = ... return t' .. ('.x'):rep(30000)))"),
    Attack(
      "the longest names", .error("attempt to call"), during: .block,
      """
      local t = setmetatable({}, {__index = function(t) return t end})
      local name = 't' .. ('.x'):rep(32)
      load('local t = ... local x local function f() ' .. ('x=t '):rep(15000) .. name .. '() end f()')(t)
      """),
    Attack(
      "the longest names, for ever", .limit(.time), during: .block,
      """
      local t = setmetatable({}, {__index = function(t) return t end})
      local name = 't' .. ('.x'):rep(32)
      local f = load('local t = ... local x return function() ' .. ('x=t '):rep(15000) .. name .. '() end')(t)
      while true do pcall(f) end
      """),
    Attack("deep methods", .error(""), during: .parse, "load('local t = ... t' .. (':x()'):rep(12000))({})"),
    Attack(
      "a source at the cap that fails in the last of the longest names", .error("attempt to call"), during: .block,
      milliseconds: 1000,
      """
      local t = setmetatable({}, {__index = function(t) return t end})
      local x
      local function f()
        \(String(repeating: "x=t ", count: 32000))
        x = t\(String(repeating: ".x", count: 32))()
      end
      f()
      """),
    Attack(
      "a source at the cap of a or a", .limitOrEnd, during: .parse, milliseconds: 1000,
      "return a\(String(repeating: " or a", count: 25000))"),
    Attack(
      "a source at the cap of nothing", .result(""), during: .parse, milliseconds: 1000,
      String(repeating: ";", count: 131_072)),
    Attack(
      "a source at the cap of colliding constants", .limitOrEnd, during: .parse, milliseconds: 1000,
      "return {" + (1...9500).map { "\($0 * 16383)" }.joined(separator: ",") + "}"),
    Attack(
      "too many variables", .result("nil"),
      "local s = '' for i = 1, 300 do s = s .. 'local a' .. i .. ' ' end return (load(s))"),
    Attack(
      "too many upvalues", .result("nil"),
      """
      local s = ""
      for b = 1, 3 do
        if b > 1 then s = s .. "function f" .. b .. "() " end
        for i = 1, 100 do s = s .. "local a" .. b .. "_" .. i .. " " end
      end
      s = s .. "return function() return 0"
      for b = 1, 3 do for i = 1, 100 do s = s .. "+a" .. b .. "_" .. i end end
      return (load(s .. " end end end"))
      """),
    Attack("too many registers", .result("nil"), "return (load('return f(' .. ('1,'):rep(300) .. '1)'))"),
    Attack(
      "a great many labels", .limitOrEnd, during: .parse,
      "local s = '' for i = 1, 3000 do s = s .. '::a' .. i .. '::' end while true do load(s) end"),
    Attack(
      "a great many gotos", .limitOrEnd, during: .parse,
      "local s = '' for i = 1, 4000 do s = s .. 'goto a ' end while true do load(s .. '::a::') end"),
    Attack("a goto into nothing", .refused("no visible label 'nowhere'"), "goto nowhere"),
    Attack("a break out of nothing", .refused("break outside loop"), "break"),
    Attack(
      "a goto into a variable's scope", .refused("jumps into the scope of local 'x'"), "goto a local x ::a:: print(x)"),
    Attack("an unfinished string", .refused("unfinished string"), "return 'x"),
    Attack("an unfinished long comment", .refused("unfinished long comment"), "--[==[ x ]]"),
    Attack("an escape that is none", .refused("invalid escape sequence"), "return '\\q'"),
    Attack("a character beyond all", .refused("UTF-8 value too large"), "return '\\u{80000000}'"),
    Attack("a numeral that is none", .refused("malformed number"), "return 0x"),
    Attack(
      "a numeral without end", .result("true"), during: .parse,
      "return 1\(String(repeating: "0", count: 100_000)) == math.huge"
    ),
    Attack("attributes that are none", .refused("unknown attribute 'gc'"), "local x <gc> = 1"),
    Attack("_ENV as a constant", .result("1"), "local _ENV <const> = {} return 1"),
    Attack(
      "_ENV as a constant that is written to", .error("attempt to index"), "local function f(_ENV) x = 1 end f(nil)"),
    Attack(
      "many constants and an operator", .limitOrEnd,
      "local s = 'local t = {' for i = 1, 300 do s = s .. i .. '.5,' end return load(s .. '} return 1 ~ (2 or 3)')()"),
  ]
}
