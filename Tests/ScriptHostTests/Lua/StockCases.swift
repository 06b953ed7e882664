import Testing

/// Chunks with the same results or errors in the sandbox and in stock Lua; one on each line.
enum StockCases {
  struct Group: CustomTestStringConvertible {
    let name: String
    let chunks: [Substring]
    var testDescription: String { name }

    init(_ name: String, _ lines: String) {
      self.name = name
      chunks = lines.split(separator: "\n")
    }
  }

  static let all: [Group] = basic + manual

  private static let basic: [Group] = [
    Group(
      "base",
      #"""
      return type(nil), type(1), type("a"), type({}), type(type), type(coroutine.create(type))
      return type()
      return tostring(nil), tostring(true), tostring(-0.0), tostring(1e15), tostring(2^53), tostring(1e100)
      return tostring(1/0), tostring(-1/0), tostring(3), tostring(3.0), tostring("x")
      return tostring()
      return tostring(setmetatable({}, {__tostring = function() return "me" end}))
      return tostring(setmetatable({}, {__tostring = function() return 1 end}))
      return tostring(setmetatable({}, {__tostring = function() return {} end}))
      return (tostring(setmetatable({}, {__name = "Kind"})):gsub("0x%x+", ""))
      return tonumber("10"), tonumber("0x1p4"), tonumber("  12  "), tonumber("1e1"), tonumber("abc"), tonumber("")
      return tonumber("ff", 16), tonumber("zz", 36), tonumber("8", 8), tonumber("-7", 8), tonumber("1.5", 10)
      return tonumber("1", 99)
      return tonumber()
      return tonumber(nil)
      return tonumber("0x"), tonumber("1 2"), tonumber("1e"), tonumber("0x1.8"), tonumber("9223372036854775808")
      return select("#"), select("#", nil, nil), select(2, "a", "b", "c"), select(-1, "a", "b")
      return select(0)
      return select(-5, 1)
      return rawequal("a", "a"), rawequal({}, {}), rawequal(1, 1.0)
      return rawlen({1, 2, 3}), rawlen("abcd")
      return rawlen(5)
      return rawget(setmetatable({}, {__index = function() return 1 end}), "x")
      local t = setmetatable({}, {__newindex = error}); rawset(t, "a", 1); return t.a
      return rawset({}, nil, 1)
      return rawset({}, 0/0, 1)
      return rawget(1, 2)
      return assert(1, 2, 3)
      return assert(false)
      return assert(nil, "why")
      return assert(false, {1, 2})
      return assert()
      error()
      error(nil)
      error("text")
      error("text", 0)
      error("text", 2)
      error({1, 2, 3})
      error(42)
      return pcall(error, "x", 1)
      return pcall(error)
      return pcall()
      return pcall(1)
      return pcall(nil)
      return pcall(pcall, error, "e")
      return xpcall(error, function(m) return "handled " .. m end, "e")
      return xpcall(function(...) return ... end, type, 1, 2, 3)
      return xpcall(error)
      return xpcall(error, 1)
      return xpcall(function() local x = nil; x() end, function(m) return m .. "!" end)
      return xpcall(function() error("a") end, function(m) error("b") end)
      return (select(2, xpcall(function() error({}) end, type)))
      local s = 0; for i, v in ipairs({1, 2, nil, 4}) do s = s + i * v end return s
      local s = {}; for i, v in ipairs(setmetatable({}, {__index = function(_, i) if i < 4 then return i * i end end})) do s[i] = v end return s
      return ipairs()
      return select("#", ipairs(nil))
      local n = 0; for k, v in pairs({a = 1, b = 2, 3}) do n = n + v end return n
      local r = {}; for k, v in pairs(setmetatable({}, {__pairs = function() return next, {7}, nil end})) do r[k] = v end return r
      return select("#", pairs({})), type(pairs({}))
      for k in pairs(nil) do end
      for i in ipairs(nil) do end
      local t = nil; for k in pairs(t.x) do end
      return pairs()
      return next({}), next({5}), next({5}, 1)
      return next({}, "nokey")
      return next(1)
      return _VERSION
      return _G == _G._G, _G.type == type
      return getmetatable({}), getmetatable(setmetatable({}, {__metatable = "locked"}))
      return setmetatable(setmetatable({}, {__metatable = 1}), {})
      return setmetatable({}, 1)
      return setmetatable(1, {})
      return setmetatable({})
      return getmetatable()
      return load("return 1 +")
      return load("x =")
      return load("return ...", "=chunk")(5)
      return load("error('x')", "=chunk")()
      return load("error('x')", "@file.lua")()
      return load("error('x')", "some text")()
      return load("error('x')")()
      return load("return a", "=c", "t", {a = 7})()
      return load(function() return nil end)()
      local parts, i = {"return ", "4", "2"}, 0; return load(function() i = i + 1; return parts[i] end)()
      return load(function() return 1 == 1 end)
      return load(function() error("in the reader") end)
      return load(function() return {} end)
      local co = coroutine.wrap(function() return load(coroutine.yield) end); return co()
      return load(5)()
      return load({})
      return load("return 1", "=c", "b")
      """#),
    Group(
      "string",
      #"""
      return ("abc"):len(), #"a\0b", ("x"):rep(3), ("x"):rep(3, "-"), ("x"):rep(0), ("x"):rep(-1), (""):rep(10)
      return ("ab"):rep(1 << 40)
      return ("hello"):sub(2, 3), ("hello"):sub(-3), ("hello"):sub(0), ("hello"):sub(4, 2), ("hello"):sub(-100, 100)
      return ("hello"):sub(math.mininteger, math.maxinteger)
      return ("hello"):byte(), ("hello"):byte(-1), ("hello"):byte(1, -1)
      return ("hello"):byte(10)
      return string.char(), string.char(72, 105), string.char(0, 255)
      return string.char(256)
      return string.char(-1)
      return ("MiXed"):upper(), ("MiXed"):lower(), ("abc"):reverse(), (""):reverse()
      return ("x"):bad()
      return ("x").len == string.len
      return string.rep()
      return string.rep("x", "y")
      return string.sub("x", 1.5)
      return string.sub("hello", "2", 3.0)
      return string.sub({})
      return ("%d %5d %-5d| %05d %+d"):format(1, 2, 3, 4, 5)
      return ("%i %u"):format(3, 4)
      return ("%x %X %#x %o"):format(255, 255, 255, 8)
      return ("%c%c"):format(72, 105)
      return ("%e %E %.3f %g %G"):format(12345.678, 0.5, 1/3, 1e20, 1e-10)
      return ("%a"):format(1)
      return ("%s %10s %-10s| %.2s"):format("a", "b", "c", "defg")
      return ("%s %s %s"):format(nil, true, 12)
      return ("%s"):format(setmetatable({}, {__tostring = function() return "meta" end}))
      return ("%q"):format("line\nquote\"zero\0end\200")
      return ("%q %q %q"):format(1, 1.5, math.mininteger)
      return ("%q"):format({})
      return ("%%"):format()
      return ("%d"):format(1.5)
      return ("%d"):format("10")
      return ("%d"):format("x")
      return ("%d"):format()
      return ("%y"):format(1)
      return ("%"):format()
      return ("%10.123f"):format(1)
      return ("%0100d"):format(1)
      return string.format()
      return ("%s"):format()
      return ("%-+ #0d"):format(5)
      return string.pack("<i4", 100):byte(1, -1)
      return string.unpack("<i4", "\1\0\0\0rest")
      return string.unpack("z", "hello\0world"), string.unpack("s1", "\3abcd")
      return string.packsize("i4i8"), string.packsize("!8i1i8"), string.packsize("<!4 b h i l j f d n")
      return string.pack("i17", 1)
      return string.pack("i1", 300)
      return string.unpack("i4", "abc")
      return string.pack("z", "a\0b")
      return string.packsize("s")
      return string.pack("q", 1)
      return string.unpack("<d", string.pack("<d", math.pi))
      return string.unpack(">I3", "\1\2\3"), string.unpack("<i16", string.pack("<i16", -5))
      return "a" < "b", "a" < "B", "" < "a", "a\0b" < "a\0c", "Z" < "a", "abc" <= "abc"
      return "10" + 5, "0x10" * 2, "3" ^ 2, 10 .. 20, "7" // 2, -"2", "1e1" % 3
      return "abc" + 1
      return "1" < 2
      return {} .. "x"
      return "x" .. nil
      return 1.5 .. "|" .. -0.0 .. "|" .. 2^63 .. "|" .. 1e300 * 1e10
      return #5
      return ("a"):x.y
      return "\u{48}\u{20AC}\x41\65\z end", '\'', "\"", [[long]], [==[a]]b]==]
      return "\400"
      return "\u{110000000}"
      return "\q"
      return "unfinished
      return [[unfinished
      return tostring(12):rep(2), ("5"):rep("2")
      """#),
    Group(
      "table",
      #"""
      local t = {1, 2}; table.insert(t, 3); table.insert(t, 1, 0); return t
      local t = {1, 2}; table.insert(t, 5, 0)
      local t = {1, 2}; table.insert(t, 0, 0)
      table.insert({})
      table.insert({}, 1, 2, 3)
      table.insert(nil, 1)
      table.insert({}, "a", 1)
      local t = {1, 2, 3}; return table.remove(t), table.remove(t, 1), t
      return table.remove({}), table.remove({}, 0), #{}
      local t = {n = 1}; t[0] = "zero"; return table.remove(t, 0), t[0]
      return table.concat({1, 2.5, "x"}, ", "), table.concat({}), table.concat({1, 2, 3}, "-", 2, 3), table.concat({"a"}, "x", 2)
      return table.concat({1, {}, 3})
      return table.concat({1, nil, 3}, ",", 1, 3)
      return table.concat(1)
      return table.concat({1}, {})
      return table.unpack({1, 2, 3}), (table.unpack({1, 2, 3}))
      return table.unpack({1, 2, 3}, 2), table.unpack({1, 2, 3}, 2, 5), select("#", table.unpack({}, 1, 3))
      return table.unpack({}, 1, 1e8)
      return table.unpack({}, math.mininteger, math.maxinteger)
      return table.unpack({1}, "x")
      return table.unpack()
      return table.unpack("abc", 1, 2)
      local t = table.pack(nil, 2, nil); return t.n, t[2], table.pack().n
      return table.move({1, 2, 3}, 2, 3, 1), table.move({1, 2, 3}, 1, 3, 2), table.move({1, 2}, 1, 2, 1, {9, 9, 9})
      return table.move({1, 2, 3}, 1, 0, 5)
      return table.move({}, 1, math.maxinteger, 2)
      return table.move({}, -1, math.maxinteger, 2)
      return table.move({1}, 1, 1, "x")
      return table.move(1, 1, 1, 1)
      local t = {3, 1, 2}; table.sort(t); return t
      local t = {3, 1, 2}; table.sort(t, function(a, b) return a > b end); return t
      local t = {"b", "a", "C"}; table.sort(t); return t
      local t = {5, 3, 9, 1, 7, 3, 8, 2, 2, 6}; table.sort(t); return t
      table.sort({1, 2}, 1)
      table.sort(1)
      table.sort({}, 5)
      local t = {1.5, 1, -2, 1e10, -0.0}; table.sort(t); return t
      return #{1, 2, nil}, #{n = 1}, #{[1] = 1, [2] = 2}
      return ({10, 20, 30, x = 4})[2], ({f = function() return 1 end}).f(), ({[1.0] = "one"})[1]
      local t = {}; t[nil] = 1
      local t = {}; t[0/0] = 1
      local t = {}; t[1.0] = "a"; t[2^53] = "b"; return t[1], t[2^53|0], next(t)
      local t = {1, 2, 3, f(1)}
      local t = {(function() return 1, 2, 3 end)(), (function() return 1, 2, 3 end)()}; return t
      local a <const> = 5; return a + 1
      local a <const> = 5; a = 6
      local a <bad> = 5
      return table.remove(setmetatable({}, {__len = function() return 2 end, __index = function(_, i) return i * 10 end}))
      local log = {}; local p = setmetatable({}, {__newindex = function(_, k, v) log[#log + 1] = k end, __len = function() return 3 end}); table.insert(p, 1); return log
      return #setmetatable({}, {__len = function() return "x" end}), table.concat(setmetatable({}, {__len = function() return "x" end}))
      """#),
    Group(
      "math",
      #"""
      return math.abs(-5), math.abs(-5.5), math.abs(math.mininteger), math.ceil(1.2), math.floor(-1.2), math.ceil(-0.5)
      return math.floor(2^70), math.ceil(1e308), math.floor(3)
      return math.max(1, 2.5, -1), math.min(3, 1, 2), math.max(1), math.min(1.5, 1)
      return math.max()
      return math.max(1, "x")
      return math.fmod(7, 3), math.fmod(-7, 3), math.fmod(7, -3), math.fmod(5.5, 2), math.fmod(math.mininteger, -1)
      return math.fmod(1, 0)
      return math.fmod(1, 0.0)
      return math.modf(3.7), math.modf(-3.7), math.modf(5), math.modf(1/0), math.modf(-1/0)
      return math.sqrt(2), math.sin(1), math.cos(1), math.tan(1), math.asin(1), math.acos(0), math.atan(1), math.atan(1, -1)
      return math.exp(1), math.log(10), math.log(8, 2), math.log(100, 10), math.log(27, 3), math.log(0), math.log(-1) ~= math.log(-1)
      return math.pi, math.huge, -math.huge, math.maxinteger, math.mininteger
      return math.tointeger(3.0), math.tointeger(3.5), math.tointeger("8"), math.tointeger("x"), math.tointeger(2^63)
      return math.type(1), math.type(1.0), math.type("1"), math.type(nil)
      return math.type()
      return math.ult(1, -1), math.ult(-1, 1), math.deg(math.pi), math.rad(180)
      math.randomseed(42); local a = math.random(100); math.randomseed(42); return a == math.random(100), a
      math.randomseed(1, 2); return math.random(), math.random(0), math.random(10), math.random(-5, 5), math.random(math.mininteger, math.maxinteger)
      return math.random(0, -1)
      return math.random(1, 2, 3)
      return math.random(1.5)
      return math.sqrt("4"), math.sqrt("x")
      return math.abs()
      return math.floor({})
      """#),
    Group(
      "arithmetic",
      #"""
      return 7 // 2, -7 // 2, 7 // -2, 7.0 // 2, -7 // 2.0, 7 % 3, -7 % 3, 7 % -3, 5.5 % 2, -5.5 % 2
      return 1 // 0
      return 1 % 0
      return 1 // 0.0, -1 // 0.0, 1 % 0.0 ~= 1 % 0.0, 0.0 / 0 ~= 0.0 / 0
      return 1 / 0, -1 / 0, 3 / 2, 4 / 2, 2^10, 2^0.5, (-8)^(1/3) ~= (-8)^(1/3)
      return math.maxinteger + 1 == math.mininteger, math.mininteger - 1, math.maxinteger * 2, -math.mininteger
      return math.mininteger // -1, math.mininteger % -1
      return 1 << 63, 1 << 64, 1 << -1, -1 >> 1, -1 >> 63, 5 & 3, 5 | 3, 5 ~ 3, ~0, ~5
      return 1.0 & 1, "3" & 1, 2^53 | 0
      return 1.5 & 1
      return "1.5" | 1
      return "x" | 1
      return {} & 1
      return 2^64 | 0
      return 1 == 1.0, math.maxinteger == math.maxinteger + 0.0, 2^53 == 2^53 + 1, "1" == 1, -0.0 == 0.0
      return 1 < 1.5, 2^53 < math.maxinteger, math.maxinteger < math.huge, math.mininteger <= -2^63, 0/0 < 0/0
      return 1 < "2"
      return {} < {}
      return nil < 1
      return {} <= 1
      return 1e308 * 10, -1e308 * 10, 1e-320, 0x7fffffffffffffff, 0xffffffffffffffff, 0x1p-2, 1e2, .5, 5., 3e-2
      return 9223372036854775807, 9223372036854775808, -9223372036854775808
      return 1e
      return 0x
      return 3x
      return 1 + nil
      return nil + 1
      return {} + 1
      local a; return a.b
      local a = {}; return a.b.c
      local a = {}; return a.b.c.d
      x.y = 1
      x = nil; return x()
      local a = {}; a.b()
      local a = {}; a:m()
      local a = {b = {}}; a.b.c()
      return ("x")()
      return (1)()
      local s = "x"; return s.y.z
      return -{}
      return -"x"
      return #nil
      return not nil, not 0, not "", nil and 1, false or nil, 1 and 2, nil or 3
      return 2 ^ 3 ^ 2, -2 ^ 2, not 1 == 2, 1 .. 2 == "12", 2 * 3 % 4, 1 + 2 << 1, 5 > 3 == true
      local a, b, c = (function() return 1, 2 end)(); return a, b, c
      local a = 1; local a = 2; do local a = 3 end return a
      local a, b = 1, 2; a, b = b, a; return a, b
      local i, t = 1, {}; i, t[i] = i + 1, 20; return i, t[1], t[2]
      """#),
    Group(
      "loops",
      #"""
      local s = 0; for i = 1, 10 do s = s + i end return s
      local s = 0; for i = 10, 1, -3 do s = s + i end return s
      local s = {}; for i = 1, 2, 0.5 do s[#s + 1] = i end return s
      for i = 1, 10, 0 do end
      for i = "a", 2 do end
      for i = 1, {} do end
      for i = 1, 2, "x" do end
      local n = 0; for i = math.maxinteger - 1, math.maxinteger do n = n + 1 end return n
      local n = 0; for i = 1, 0 do n = 1 end return n
      local n = 0; for i = 1, math.huge do n = n + 1; if n == 5 then break end end return n
      for x in 5 do end
      for x in nil do end
      local i = 0; while true do i = i + 1; if i > 5 then break end end return i
      local i = 0; repeat local j = i; i = i + 1 until j >= 3; return i
      local i = 1; ::top:: i = i * 2; if i < 100 then goto top end return i
      for i = 1, 3 do for j = 1, 3 do if j == 2 then goto continue end end ::continue:: end return "done"
      goto nowhere
      ::a:: ::a::
      goto skip; local x = 1; ::skip:: print(x)
      do goto out end; do ::out:: end
      break
      return 1; return 2
      local function f(n) if n == 0 then return "end" end return f(n - 1) end return f(10000)
      if x then elseif y then else return "else" end
      do local t = {}; for i = 1, 3 do t[i] = function() i = i + 1; return i end end return t[1](), t[1](), t[2]() end
      """#),
    Group(
      "functions",
      #"""
      local function f(...) return select("#", ...), ... end return f(), f(nil), f(1, nil, 3)
      local function f(...) local a, b = ...; return a, b, {...} end return f(1, 2, 3)
      local function f(a, b, ...) return b, ... end return f(1), f(1, 2, 3, 4)
      return (function(...) return ... end)(1, 2), 3
      return ((function(...) return ... end)(1, 2))
      local function counter() local n = 0; return function() n = n + 1; return n end end local a, b = counter(), counter(); return a(), a(), b()
      local t = {n = 5}; function t:get(x) return self.n + x end return t:get(1), t.get({n = 1}, 1)
      local t = {a = {b = {}}}; function t.a.b.c(x) return x end function t.a.b:d() return self == t.a.b end return t.a.b.c(1), t.a.b:d()
      local f; function f() return f end return f() == f
      local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end return fib(20)
      local function deep(n) return 1 + deep(n + 1) end return (select(2, pcall(deep, 1))):sub(1, 22)
      return f"x"
      return type"x", #{...}, type{}
      return (string.rep("(", 150) .. "1" .. string.rep(")", 150)):len(), load("return " .. string.rep("(", 150) .. "1" .. string.rep(")", 150))()
      return load("return " .. string.rep("(", 300) .. "1" .. string.rep(")", 300))
      return load("local " .. string.rep("a,", 250) .. "a")
      local function f() return ... end
      function f(..., a) end
      local a = function(x, x) return x end return a(1, 2)
      return function() end == function() end
      """#),
    Group(
      "metamethods",
      #"""
      local m = {__add = function(a, b) return "add" end, __sub = function() return "sub" end, __mul = function() return "mul" end}; local a = setmetatable({}, m); return a + 1, 1 + a, a - a, a * 2
      local m = {__div = function() return "div" end, __mod = function() return "mod" end, __pow = function() return "pow" end, __unm = function() return "unm" end, __idiv = function() return "idiv" end}; local a = setmetatable({}, m); return a / 1, a % 1, a ^ 1, -a, a // 1
      local m = {__band = function() return "band" end, __bor = function() return "bor" end, __bxor = function() return "bxor" end, __shl = function() return "shl" end, __shr = function() return "shr" end, __bnot = function() return "bnot" end}; local a = setmetatable({}, m); return a & 1, a | 1, a ~ 1, a << 1, a >> 1, ~a
      local m = {__eq = function() return true end, __lt = function() return true end, __le = function() return false end}; local a, b = setmetatable({}, m), setmetatable({}, m); return a == b, a ~= b, a < b, a <= b, a > b, a >= b, a == 1
      local a = setmetatable({}, {__index = {x = 1}}); return a.x, a.y
      local a = setmetatable({}, {__index = function(t, k) return k .. "!" end}); return a.x, a[1]
      local a = setmetatable({}, {__index = setmetatable({}, {__index = {deep = "yes"}})}); return a.deep
      local log = {}; local a = setmetatable({}, {__newindex = function(t, k, v) rawset(t, k, v * 2) end}); a.x = 5; return a.x
      local b = {}; local a = setmetatable({}, {__newindex = b}); a.x = 5; return rawget(a, "x"), b.x
      local a = setmetatable({}, {__call = function(self, ...) return select("#", ...), ... end}); return a(), a(1, 2)
      local a = setmetatable({}, {__len = function() return 42 end}); return #a, rawlen(a)
      local a = setmetatable({}, {__index = function() error("in index") end}); return a.x
      local a = setmetatable({}, {__add = 1}); return a + 1
      local a = setmetatable({}, {__call = 1}); a()
      local a = setmetatable({}, {__index = 1}); return a.x
      local a = setmetatable({}, {__newindex = 1}); a.x = 1
      local a = setmetatable({}, {__lt = function() error({1}) end}); return a < a
      local a = {}; setmetatable(a, a); a.__index = a; return a.x
      local a = setmetatable({}, {}); getmetatable(a).__index = {late = 1}; return a.late
      local C = {}; C.__index = C; function C.new(x) return setmetatable({x = x}, C) end function C:get() return self.x end return C.new(5):get()
      local a = setmetatable({}, {__eq = function() return 1 end}); return a == setmetatable({}, getmetatable(a)), a == {}
      local a = setmetatable({}, {__unm = function(x, y) return rawequal(x, y) end}); return -a
      local a = setmetatable({}, {__tostring = function() error("no text") end}); return tostring(a)
      """#),
    Group(
      "utf8",
      #"""
      return utf8.char(), utf8.char(72, 228, 8364, 128512), utf8.char(0x7FFFFFFF):len()
      return utf8.char(-1)
      return utf8.codepoint("häß€", 1, -1)
      return utf8.codepoint("h\xff", 1, -1)
      return utf8.codepoint("abc", 4)
      return utf8.len("häß€"), utf8.len(""), utf8.len("abc", 2), utf8.len("\xff"), utf8.len("ab\xe2\x82")
      return utf8.len("abc", 5)
      return utf8.len("\u{D800}", 1, -1, true), utf8.len("\u{D800}")
      return utf8.offset("häß€", 3), utf8.offset("häß€", -1), utf8.offset("abc", 5), utf8.offset("abc", 0, 2)
      return utf8.offset("ä", 1, 2)
      local r = {}; for p, c in utf8.codes("aä€") do r[#r + 1] = p; r[#r + 1] = c end return r
      for p, c in utf8.codes("a\xff") do end
      return utf8.charpattern
      """#),
    Group(
      "os",
      #"""
      return os.time({year = 2020, month = 1, day = 1, hour = 12}), os.date("!%Y-%m-%d %H:%M:%S", 86400)
      return os.time({year = 2020})
      return os.time({year = "x", month = 1, day = 1})
      return os.time({year = 1 << 40, month = 1, day = 1})
      return os.date("!*t", 0).year, os.date("!*t", 0).isdst, os.date("!%x", 0), os.date("!%c", 0)
      return os.date("%Ez", 0)
      return os.date("%Q", 0)
      return os.date("*t", 1 << 60)
      return os.difftime(10, 5), math.type(os.time()), math.type(os.clock())
      local t = {year = 2020, month = 14, day = -3, hour = 12}; os.time(t); return t.year, t.month, t.day
      """#),
    Group(
      "coroutines",
      #"""
      local co = coroutine.create(function(a, b) local c = coroutine.yield(a + b); return c, "end" end); return coroutine.resume(co, 1, 2)
      local co = coroutine.create(function(a) local c = coroutine.yield(a); return c end); coroutine.resume(co, 1); return coroutine.resume(co, "x"), coroutine.status(co)
      local co = coroutine.create(function() end); coroutine.resume(co); return coroutine.resume(co)
      local co = coroutine.create(function() error("inside") end); return coroutine.resume(co)
      local co = coroutine.create(function() error({1}) end); local ok, e = coroutine.resume(co); return ok, e, coroutine.status(co)
      return coroutine.wrap(function() error("inside") end)()
      return coroutine.wrap(function() error({1, 2}) end)()
      return coroutine.wrap(function() return 1, 2, 3 end)()
      local f = coroutine.wrap(function() end); f(); return f()
      local f = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end); return f(), f(), f(), f()
      local co; co = coroutine.create(function() return coroutine.resume(co) end); return coroutine.resume(co)
      local co; co = coroutine.create(function() return coroutine.status(co), coroutine.isyieldable() end); return coroutine.resume(co)
      return coroutine.isyieldable(), select(2, coroutine.running()), coroutine.status(coroutine.create(type))
      return coroutine.yield(1)
      return coroutine.resume(1)
      return coroutine.create(1)
      return coroutine.wrap()
      return coroutine.status({})
      local co = coroutine.wrap(function() local ok, e = pcall(function() coroutine.yield(1); error("late") end); return ok, e end); return co(), co()
      local co = coroutine.wrap(function() return pcall(coroutine.yield, 5) end); return co(), co("back")
      local co = coroutine.wrap(function() return xpcall(function() coroutine.yield(1); error("x") end, function(m) return "h:" .. m end) end); return co(), co()
      local co = coroutine.wrap(function() local t = setmetatable({}, {__index = function(_, k) return coroutine.yield(k) end}); return t.key end); return co(), co("value")
      local co = coroutine.wrap(function() for k in coroutine.yield, 1 do return k end end); return co(), co(7)
      local co = coroutine.wrap(function() table.sort({3, 2, 1}, function(a, b) coroutine.yield() end) end); return co()
      local co = coroutine.wrap(function() return ("x"):gsub("x", function() coroutine.yield() end) end); return co()
      local outer = coroutine.wrap(function() local inner = coroutine.wrap(function() coroutine.yield("in"); error("deep") end); coroutine.yield(inner()); inner() end); return outer(), outer()
      local r = {}; local function gen(n) return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end) end for v in gen(4) do r[#r + 1] = v end return r
      local co = coroutine.wrap(function(...) return select("#", ...), coroutine.yield(...) end); return co(1, nil, nil)
      local co = coroutine.wrap(function() local a = setmetatable({}, {__add = function(a, b) return coroutine.yield("sum") end}); return a + 1 end); return co(), co(9)
      local co = coroutine.wrap(function() local r = {}; for k, v in pairs(setmetatable({}, {__pairs = function(t) coroutine.yield("pairs"); return next, {4}, nil end})) do r[#r + 1] = v end return r end); return co(), co()
      """#),
    Group(
      "syntax",
      #"""
      return return
      local = 5
      x = = 1
      if x then
      for i = 1 do end
      for 1, 2 do end
      function 5() end
      return {1, 2
      return (1
      local t = {a = }
      a.b:c = 1
      f(
      x
      1 = 2
      "x" = 2
      local function end
      return 'a
      return "a\nb", "tab\tend"
      and = 1
      return @
      return a..b..
      --[[ unfinished
      -- only a comment
      return 1 -- comment
      return --[[ in ]] 1, --[==[ out ]] ]==] 2
      local x <close> = nil; return "closed"
      return #"a" + 1, - - 2, not not nil
      return ~= 1
      ::label::
      goto
      until x
      end
      return 5 5
      """#),
  ]
}
