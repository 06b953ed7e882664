// More chunks, by the sections of Lua's manual.

extension StockCases {
  static let manual: [Group] = [
    Group(
      "2.1 values and types",
      #"""
      local t = {}; t[1], t[1.0], t["1"], t[true] = 1, 2, 3, 4; return t[1], t["1"], t[true], #t
      local t = {}; t[2^53] = 1; return math.type(next(t)), t[2^53 | 0]
      local a, b = {}, {}; local t = {[a] = 1, [b] = 2}; return t[a], t[b], t[{}]
      return 0 == -0, 0.0 == -0.0, 1/0.0 == 1/-0.0, 3 == 3.0000000000000001, "0" == 0, nil == false
      return math.type(3 // 1), math.type(3 / 1), math.type(3.0 // 1), math.type(2 ^ 2), math.type(7 % 2.0)
      return type(nil) == nil, type(type(nil)), #type(1)
      local t = {nil, nil, 3}; return select("#", table.unpack(t, 1, 3)), t[3]
      return ("x"):rep(3) == "xxx", "a\0b" == "a\0c", #"\0\0"
      return {1, 2} == {1, 2}, print == print, (function() end) == (function() end)
      """#),
    Group(
      "2.2 environments",
      #"""
      local _ENV = {y = 5}; return y, x
      local function f(_ENV) return a end; return f({a = 7})
      local print = print; local _ENV <const> = {}; x = 1; return x
      do local _ENV = {}; g = 3 end; return g
      local f = load("x = 1; return x", "=c", "t", {}); return f(), x
      local e = setmetatable({}, {__index = _G}); local f = load("y = type(1); return y", "=c", "t", e); return f(), rawget(e, "y"), y
      local _ENV = nil; return x
      return _ENV == _G, _ENV.type == type
      local function outer() local _ENV = {v = 1}; return function() return v end end; return outer()()
      """#),
    Group(
      "2.3 errors",
      #"""
      return select("#", pcall(error)), pcall(error, nil)
      return pcall(error, "m", 0), pcall(error, "m", 1)
      local function f() error("in f", 2) end; local function g() f() end; return pcall(g)
      return xpcall(function(...) return select("#", ...), ... end, tostring, 1, nil, 3)
      return xpcall(error, function(m) return m .. "!", "lost" end, "text")
      return xpcall(function() local x = nil; x() end, function(m) return "handled: " .. m end)
      return pcall(pcall), pcall(pcall, error, "e")
      return pcall(function() error(setmetatable({}, {__tostring = function() return "obj" end})) end)
      local ok, e = pcall(error, setmetatable({}, {__tostring = function() return "obj" end})); return ok, tostring(e)
      return select(2, pcall(function() return 1 + {} end)), select(2, pcall(function() return #5 end))
      return select(2, pcall(function() local t = {}; t.x.y.z = 1 end)), select(2, pcall(function() return nil .. "x" end))
      return select(2, pcall(function() string.rep() end)), select(2, pcall(function() return ("x"):rep({}) end))
      return pcall(setmetatable, 1, {}), pcall(next, {}, "nokey"), pcall(ipairs), pcall(rawset, {}, nil, 1)
      return pcall(math.floor, "x"), pcall(math.tointeger), pcall(tostring), pcall(table.concat, {{}})
      return pcall(assert, false, nil), pcall(assert, nil), pcall(assert, 1, "unused")
      """#),
    Group(
      "2.4 metatables",
      #"""
      local t = setmetatable({}, {__index = function(t, k) return k end}); return t[1], t.x, t[nil], rawget(t, 1)
      local t = setmetatable({}, {__newindex = function() end}); t.x = 1; return t.x, next(t)
      local t = setmetatable({x = 1}, {__newindex = function() error("never") end}); t.x = 2; return t.x
      local t = setmetatable({}, {__index = string}); return t.rep("x", 3), t.nothing
      local mt = {}; mt.__eq = function(a, b) return a.v == b.v end; local a, b, c = setmetatable({v = 1}, mt), setmetatable({v = 1}, mt), setmetatable({v = 2}, mt); return a == b, a == c, a ~= b, rawequal(a, b)
      local mt = {__lt = function(a, b) return a.v < b.v end, __le = function(a, b) return a.v <= b.v end}; local a, b = setmetatable({v = 1}, mt), setmetatable({v = 2}, mt); return a < b, a > b, a <= b, a >= b
      local mt = {__lt = function(a, b) return 1 end}; local a = setmetatable({}, mt); return a < 1, 1 < a, a < "x"
      local mt = {__le = function() return nil end}; local a = setmetatable({}, mt); return a <= a, a >= 5
      local a = setmetatable({}, {__add = function(a, b) return type(a) .. type(b) end}); return a + 1, 1 + a, a + a, "s" + a
      local a = setmetatable({}, {__idiv = function() return "//" end, __mod = function() return "%" end, __bnot = function() return "~" end, __shl = function() return "<<" end}); return a // 1, a % 1, ~a, a << 1, 1 << a
      local a = setmetatable({}, {__call = function(self, a, ...) return a, select("#", ...) end}); return a(1, 2, 3), pcall(a, "x")
      local a = setmetatable({}, {__call = setmetatable({}, {__call = function(self, inner, x) return x end})}); return a(5)
      local a = setmetatable({}, {__len = function() return -1 end}); return #a, select("#", table.unpack(a))
      local a = setmetatable({}, {__unm = function(a, b) return a == b end, __len = function(a, b) return a == b end}); return -a, #a
      local t = setmetatable({}, {__pairs = function(t) return function(_, k) if not k then return 1, 2 end end, t, nil end}); local r = {}; for k, v in pairs(t) do r[#r + 1] = k + v end; return r
      local t = setmetatable({1, 2}, {__index = function(_, i) if i < 5 then return i * 10 end end}); local r = {}; for i, v in ipairs(t) do r[i] = v end; return r
      local a = setmetatable({}, {__tostring = function() return "T" end, __name = "N"}); return tostring(a), ("%s|%10s"):format(a, a)
      local a = setmetatable({}, {__metatable = false}); return getmetatable(a), pcall(setmetatable, a, nil)
      local a = setmetatable({}, {__index = 5}); return pcall(function() return a.x end)
      local a, b = {}, {}; setmetatable(a, {__index = b}); setmetatable(b, {__index = a}); return pcall(function() return a.x end)
      local s = setmetatable({}, {__add = function() return 1, 2, 3 end}); return s + s, (s + s)
      local C = setmetatable({}, {__call = function(C, x) return setmetatable({x = x}, {__index = C}) end}); function C:double() return self.x * 2 end; return C(4):double()
      local t = setmetatable({}, {__newindex = function(t, k, v) rawset(t, k, v and v * 2) end}); t.a, t.b = 1, nil; return t.a, t.b
      """#),
    Group(
      "2.6 coroutines",
      #"""
      local function gen(t) return coroutine.wrap(function() for i = 1, #t do coroutine.yield(i, t[i]) end end) end; local r = {}; for i, v in gen({"a", "b"}) do r[#r + 1] = i .. v end; return r
      local co = coroutine.create(function(...) local a = {...}; while true do a = {coroutine.yield(#a)} end end); return select(2, coroutine.resume(co, 1, 2)), select(2, coroutine.resume(co)), select(2, coroutine.resume(co, nil, nil, nil))
      local co = coroutine.wrap(function() return pcall(function() coroutine.yield(1); error({"x"}) end) end); return co(), co()
      local co; co = coroutine.wrap(function() return coroutine.running() == co, coroutine.isyieldable() end); return co()
      local a = coroutine.create(function() coroutine.yield() end); coroutine.resume(a); return coroutine.status(a), coroutine.resume(a), coroutine.status(a), coroutine.resume(a)
      local log = {}; local co = coroutine.wrap(function() for i = 1, 2 do log[#log + 1] = coroutine.yield(i) end end); co(); co("a"); co("b"); return log
      return coroutine.wrap(function() return coroutine.wrap(function() return coroutine.yield(1) end)() end)()
      local co = coroutine.wrap(function() local r = {}; for w in ("a b c"):gmatch("%a") do r[#r + 1] = coroutine.yield(w) end; return r end); return co(), co(1), co(2), co(3)
      local co = coroutine.wrap(function() return select("#", coroutine.yield()) end); co(); return co(nil, nil)
      """#),
    Group(
      "3.1 lexical conventions",
      #"""
      return 0xA, 0Xa.8p1, 0x.1p4, 3e0, 0.314e1, 1//1, 0xffffffffffffffffff, 1E+2
      return "\x41\u{41}\065\z
      return 'a\
      return [[
      return [==[ ]] ]=] ]==], [[a\nb]]
      return "\7\8\9" == "\a\b\t", #"\z    ", "\r\n" == [[
      return 1--[[comment]]+--[=[another]=]2
      return 0x1p-1074 > 0, 1e-400 == 0, 1e400 == math.huge, 0x10p1
      return 1..2
      return 1 ..2, "a".."b".."c", 1 .. ""
      local and_, _x1, _ = 1, 2, 3; return and_ + _x1 + _
      ;;; return 1;
      return "\u{7FFFFFFF}" == "\xFD\xBF\xBF\xBF\xBF\xBF", "\u{0}" == "\0"
      return "\xZZ"
      return "\300"
      return 0xG
      return 5..
      """#),
    Group(
      "3.3 statements",
      #"""
      local a = {}; local i = 3; i, a[i] = i + 1, 20; return i, a[3], a[4]
      local a, b, c = 1; return a, b, c
      local x, y = 1, 2; x, y = y, x; return x, y
      local t = {}; t.a, t.b, t.c = (function() return 1, 2 end)(); return t.a, t.b, t.c
      local function f() return 1, 2, 3 end; local a, b = f(), 10; return a, b
      local r = {}; for i = 3, 1, -1 do r[#r + 1] = i end; return r
      local r = {}; for i = 1, 3 do local j = i; r[i] = function() j = j + 1; return j end end; return r[1](), r[1](), r[2]()
      local n = 0; for i = math.mininteger, math.mininteger + 2 do n = n + 1 end; return n
      local n = 0; for i = math.maxinteger - 2, math.maxinteger, 2 do n = n + 1 end; return n
      local n = 0; for i = 1, 3.5 do n = n + i end; for i = 1.0, 3 do n = n + i end; return n
      local n = 0; for i = 1, 0 do n = 1 end; for i = 0, 1, -1 do n = 1 end; return n
      for i = 1, 2, 0.0 do end
      local r = {}; for i = 0.1, 0.35, 0.1 do r[#r + 1] = i end; return #r
      for k, v in pairs(nil) do end
      local t, r = {a = 1, b = 2, c = 3}, 0; for k in pairs(t) do t[k] = nil; r = r + 1 end; return r, next(t)
      local i = 0; repeat local done = i == 3; i = i + 1 until done; return i
      local i = 1; while i < 100 do i = i * 2; if i > 50 then break end end; return i
      for i = 1, 3 do for j = 1, 3 do if j == 2 then goto next end; if i == 3 then goto out end end ::next:: end ::out:: return "out"
      do local i = 0; ::again:: i = i + 1; if i < 5 then goto again end; return i end
      goto f; do ::f:: end
      do goto e; local x; ::e:: end return 1
      goto e; local x; ::e:: return x
      do return end return 1
      local function f(n) if n > 0 then return f(n - 1) end; return "deep" end; return f(200000)
      if false then elseif nil then else return "else" end
      local x <const> = 1; x = 2
      local x <const> = 10; return (function() return x + 1 end)()
      local x <close> = 5
      local function f() local a <const>, b = 1, 2; b = b + a; return b end; return f()
      """#),
    Group(
      "3.4 expressions",
      #"""
      return 7 // 0.5, -7 // 2, 7 // -2, 7 % -3, -7 % 3, 7.5 % -2, -0.0 % 5, 5 % math.huge, -5 % math.huge
      return 1 << 62, 1 << 63, 1 << 64, 1 >> 1, -1 >> 60, 2 << -1, 2 >> -1, ~0 >> 1 == math.maxinteger
      return 3.0 | 0, "7" & 3, 1.0 ~ 3, pcall(function() return 1.5 | 1 end)
      return "10" + 1, "0x10" + 0, " 5 " * 2, "1e1" // 1, 10 .. "", -"3", pcall(function() return "a" + 1 end)
      return 1 < 2 == true, "a" < "b", not (1 > 2), not nil == true, 1 == 1 and 2 or 3
      return nil or false, false or nil, nil and 1, 0 and 1, "" or 1, false == nil, 1 and nil
      return 2 ^ -1, 2 ^ 3 ^ 0, -3 ^ 2, (2 ^ 53) | 0, 2 ^ 0.5 == math.sqrt(2), (-2) ^ 2
      return 1 .. 2 .. 3, "a" .. 1 + 2, -1 .. "", 2 .. ("x"):rep(2)
      return #"abc" + 1, -#"abc", #{1, 2, nil}, #{}, #{n = 1}
      return {f = 1, ["g h"] = 2, 3, [10] = 4; 5}["g h"], ({1, 2, 3})[2], #{(function() return 1, 2 end)()}, #{(function() return 1, 2 end)(), nil}
      local function f(...) return ... end; return f(1, f(2, 3), f(4, 5)), (f(6, 7))
      local function f(...) return select("#", ...), select(-1, ...) end; return f(nil, nil, 3)
      local function f(a, ...) local b, c = ...; return a, b, c end; return f(1), f(1, 2), f(1, 2, 3, 4)
      local function f(...) local t = {n = select("#", ...), ...}; return t.n, #t end; return f(1, 2, 3)
      local t = {f = function(self, x) return self.v + x end, v = 1}; return t:f(2), t.f({v = 10}, 5), t["f"](t, 0)
      return ("%d"):rep(2, ","):format(1, 2), #("x"):rep(10), ("a,b"):find(",", 1, true)
      return (function(a, b, ...) return a, b, select("#", ...) end)(1, nil, nil, nil)
      return math.maxinteger // -1, math.mininteger // -1, math.maxinteger * 2.0, math.maxinteger + 1.0 == 2^63
      return 1 == 1.0, 1 < 1.1, 2^63 == math.maxinteger, 2^63 > math.maxinteger, -2^63 == math.mininteger, math.mininteger < -2^63
      local nan = 0/0; return nan == nan, nan ~= nan, nan < 1, nan > 1, 1 < nan, rawequal(nan, nan)
      return 5 // 0.0, -5 // 0.0, 0/0 ~= 0/0, 5 % 0.0 ~= 5 % 0.0, pcall(function() return 5 % 0 end)
      """#),
    Group(
      "3.5 visibility",
      #"""
      local x = 10; do local x = x; x = x + 1; do local x = x + 1; return x end end
      local function mk() local n = 0; return function() n = n + 1; return n end, function() return n end end; local inc, get = mk(); inc(); inc(); return get()
      local a = {}; for i = 1, 3 do a[i] = function(v) if v then i = v end; return i end end; a[1](9); return a[1](), a[2](), a[3]()
      local f, g; do local x = 1; f = function() x = x + 1 end; g = function() return x end end; f(); f(); return g()
      local function outer() local x = 1; local function inner() return function() x = x * 2; return x end end; return inner() end; local f = outer(); return f(), f(), outer()()
      local x = 1; local function f() return x end; x = 2; local x = 3; return f(), x
      local i = 1; local t = {}; while i <= 2 do local j = i; t[i] = function() return j end; i = i + 1 end; return t[1](), t[2]()
      local co = coroutine.wrap(function() local x = 0; while true do coroutine.yield(function() x = x + 1; return x end) end end); local a, b = co(), co(); return a(), b(), a()
      """#),
    Group(
      "6.1 basic functions",
      #"""
      return select(-2, "a", "b", "c"), select(3, "a", "b", "c"), select(4, "a")
      return tonumber("0x1p4"), tonumber("1e1", 10), tonumber("7fffffffffffffff", 16), tonumber("-ff", 16), tonumber("1_0"), tonumber("0b1")
      return tonumber("  0x10  "), tonumber("10", 2), tonumber("12", 2), tonumber("Z", 36), tonumber("\n5\t"), tonumber("5\0")
      return tostring(1e15), tostring(1e16), tostring(0.1), tostring(-0.0), tostring(2^63), tostring(1e100), tostring(123456789012)
      return next({}), next({1}), next({1}, 1), type(next), rawequal("a", "a"), rawlen({1, 2}), rawlen("abc")
      local t = {10, 20, nil, 40}; local n = 0; for _ in ipairs(t) do n = n + 1 end; return n
      local t = {1, 2, 3}; for i, v in ipairs(t) do if i == 1 then t[4] = 4 end end; return #t
      return load("return ...", "n", "t")(1, 2), load(function() return nil end)(), load("syntax error here")
      local n = 0; local f = load(function() n = n + 1; return ({"return ", "1 ", "+ 2"})[n] end); return f(), n
      return load("return 1", nil, "b")
      return type(os.time()), os.time({year = 2000, month = 1, day = 1, hour = 0}) < os.time(), os.date("!%H:%M", 3600)
      return ipairs({}) == ipairs({}), select("#", ipairs({})), type(pairs({}))
      """#),
    Group(
      "6.4 strings",
      #"""
      return ("hello world"):find("o w"), ("hello"):find("l+"), ("hello"):find("xyz"), ("hello"):find(""), ("hello"):find("", 10), ("a.b"):find(".", 2, true)
      return ("key = value"):match("(%w+)%s*=%s*(%w+)"), ("2024-01-02"):match("(%d+)-(%d+)-(%d+)"), ("abc"):match("()b()"), ("x"):match("y")
      return ("hello"):gsub("l", "L"), ("hello"):gsub("l", "L", 1), ("abc"):gsub("", "-"), ("abc"):gsub("%w", "%0%0"), ("hello"):gsub("(h)(e)", "%2%1")
      return ("$name is $age"):gsub("%$(%w+)", {name = "Bob", age = 5}), ("abc"):gsub("b", function() end), ("abc"):gsub("b", false), ("abc"):gsub("%w", {a = 1, b = true and "B"})
      local r = {}; for k, v in ("a=1, b=2"):gmatch("(%w+)=(%w+)") do r[#r + 1] = k .. v end; return r
      local r = {}; for p in ("abc"):gmatch("()") do r[#r + 1] = p end; return r
      return ("f(a(b)c)d"):match("%b()"), ("THE (quick) fox"):find("%((%a+)%)"), ("  trim  "):match("^%s*(.-)%s*$"), ("%d"):gsub("%%d", "x")
      return ("[test]"):gsub("[%[%]]", ""), ("a-b"):gsub("[a%-]", "x"), ("^x"):match("[%^]x"), ("x^"):match("x^"), ("áé"):len(), ("a\0b"):find("%z")
      return ("THE END"):gsub("%f[%a]%a+", string.lower), ("x"):rep(3, ", "), ("abc"):sub(-2, -2), ("abc"):byte(-1), ("abc"):reverse():upper()
      return ("%5.1f|%-5d|%05d|%+d|%x|%X|%o|%e|%g|%c|%q|%s|%%"):format(3.14159, 42, 42, 42, 255, 255, 8, 12345.678, 0.0001, 65, 'a "b"\n', "s")
      return ("%q"):format(1/3), ("%q"):format(0/0 ~= 0/0), ("%q"):format(math.mininteger), ("%q"):format(1e100), ("%.3s|%10.2s|"):format("abcdef", "xyz"), ("%i"):format(3.0)
      return pcall(string.format, "%d", "1.5"), pcall(string.format, "%s"), pcall(string.format, "%", 1)
      return string.pack(">I2 <I2 =I1", 1, 1, 1), string.unpack(">I2", "\1\2"), string.packsize("<i4 i8"), string.pack("z", "ab"), string.unpack("s2", string.pack("s2", "hello"))
      return pcall(string.unpack, "i4", "abc"), pcall(string.pack, "I1", 256), pcall(string.rep, "x", -1), pcall(string.char, 256), string.unpack("<i3", "\255\255\255")
      return ("x"):gsub(".", {x = "%1"}), pcall(string.gsub, "x", ".", "%2"), pcall(string.gsub, "x", "(", ""), pcall(string.find, "x", "[a"), pcall(string.match, "x", "%")
      """#),
    Group(
      "6.5 to 6.7 utf8, tables, mathematics",
      #"""
      return utf8.char(228, 8364, 0x10FFFF), utf8.codepoint("äb", 1, -1), utf8.len("äöü"), utf8.len("\xff"), utf8.offset("aäb", 3), utf8.offset("aäb", -1)
      local r = {}; for p, c in utf8.codes("aä€") do r[#r + 1] = p .. ":" .. c end; return r
      return pcall(utf8.codepoint, "\xff"), pcall(utf8.len, "abc", 5), utf8.len("abc", 4), utf8.len("äb", 2), utf8.offset("abc", 5), ("ä"):match(utf8.charpattern)
      local t = {1, 2, 3}; table.insert(t, 2, 9); table.insert(t, 5); return t, table.remove(t, 1), table.remove(t), t
      return table.concat({1, 2, 3}, "-", 2), table.concat({}, "x"), pcall(table.concat, {1, {}, 3}), table.concat({"a"}, ",", 1, 1), table.concat({1, 2}, ", ", 3)
      local t = {5, 2, 8, 1}; table.sort(t); local d = {5, 2, 8, 1}; table.sort(d, function(a, b) return a > b end); return t, d
      local t = {"b", "B", "a", "A"}; table.sort(t, function(a, b) return a:lower() < b:lower() or a:lower() == b:lower() and a < b end); return t
      return pcall(table.sort, {1, "x"}), pcall(table.sort, {1, 2, 3}, function() error("cmp") end)
      return table.move({1, 2, 3}, 1, 3, 2), table.move({1, 2, 3}, 2, 3, 1), table.move({1, 2}, 1, 2, 3, {}), table.unpack({1, 2, 3}, -1, 1)
      local t = table.pack(1, nil, 3); return t.n, select("#", table.unpack(t, 1, t.n)), #table.pack()
      return math.floor(-3.5), math.ceil(-3.5), math.floor(2^31 + 0.5), math.tointeger("3"), math.tointeger(3.0), math.ult(-1, 1), math.abs(math.mininteger)
      return math.fmod(-6, 4), math.fmod(6, -4), math.modf(-3.7), math.modf(1/0), math.max(1, 2.5), math.min(-0.0, 0), math.log(8, 2), math.log(0)
      math.randomseed(7); local a, b = math.random(1000), math.random(); math.randomseed(7); return a == math.random(1000), b == math.random(), math.random(3, 3)
      """#),
  ]
}
