// Ways out: the library, other scripts, bytecode, addresses.

extension Attack {
  static let library: [Attack] = [
    Attack(
      "what is not there", .result("nil nil nil nil nil nil nil nil"),
      "return io, debug, package, require, dofile, loadfile, print, warn"),
    Attack(
      "what is not there in the libraries", .result("nil nil nil nil nil nil nil nil"),
      "return os.execute, os.exit, os.getenv, os.remove, os.rename, os.tmpname, os.setlocale, string.dump"),
    Attack(
      "no loaders by other ways", .result("nil nil nil nil"),
      "return _ENV.package, _G.debug, string.package, rawget(_G, 'io')"),
    Attack("functions have no fields", .error("attempt to index a function value"), "return print or ipairs.x.y"),
    Attack(
      "controlling the collector", .error("collectgarbage can only \"count\" here"), "collectgarbage('generational')"),
    Attack("collecting by default", .error("collectgarbage can only \"count\" here"), "collectgarbage()"),
    Attack("stopping the collector", .error("collectgarbage can only \"count\" here"), "collectgarbage('stop')"),
    Attack(
      "writing to a library", .error("'upper' can't be set: this table is shared by all scripts"),
      "string.upper = string.lower"),
    Attack("writing to a library through _G", .error("'insert' can't be set"), "_G.table.insert = nil"),
    Attack(
      "writing to a library by rawset", .error("this table is shared by all scripts and can't be changed"),
      "rawset(math, 'pi', 3)"),
    Attack("writing to a library by the table library", .error("'number' can't be set"), "table.insert(table, 1)"),
    Attack("removing from a library", .error("can't be set"), "table.remove(string, 1)"),
    Attack("moving into a library", .error("can't be set"), "table.move({1, 2}, 1, 2, 1, os)"),
    Attack("sorting a library", .result("0"), "table.sort(string) return #string"),
    Attack("a new method for strings", .error("'shout' can't be set"), "function string.shout() end"),
    Attack("a key that is no string for a library", .error("'boolean' can't be set"), "string[true] = 1"),
    Attack(
      "writing to a library in a coroutine in a loaded chunk", .error("'x' can't be set"),
      "coroutine.wrap(load('utf8.x = 1'))()"),
    Attack(
      "libraries read as usual", .result("true true true true"),
      """
      local n = 0
      for k, v in pairs(string) do n = n + 1 end
      return n > 12, rawget(math, "pi") == math.pi, next(table) ~= nil, string.rep == ("").rep
      """),
    Attack(
      "the table behind a library doesn't show", .result("true"),
      """
      for _, name in ipairs {"string", "table", "math", "utf8", "os", "coroutine"} do
        for k, v in pairs(_G[name]) do if type(v) == "table" then return false end end
        if _G[name].__index or _G[name]._G then return false end
      end
      return true
      """),
    Attack("indexing strings", .result("nil nil nil"), "return ('x').y, ('x')[1], ('x').__index"),
    Attack("writing to a string", .error("attempt to index a string value"), "('x').y = 1"),
    Attack(
      "every function with everything that is not meant for it", .limitOrEnd, during: .block, milliseconds: 1000,
      """
      local values = {false, true, 0, -1, 1.5, 0/0, math.huge, math.maxinteger, math.mininteger, "", "x", "\\0", "%",
        ("x"):rep(5000), {}, setmetatable({}, {}), string, print or type, coroutine.create(type), object, echo}
      local skip = {load = true, _G = true, call = true, swallow = true}
      local function storm(t)
        for name, f in pairs(t) do
          if type(f) == "table" and f ~= t and f ~= _G then storm(f) end
          if type(f) == "function" and not skip[name] then
            pcall(f)
            for _, a in ipairs(values) do
              pcall(f, a)
              for _, b in ipairs(values) do
                pcall(f, a, b)
                pcall(f, a, b, values[1 + math.random(#values - 1)], values[1 + math.random(#values - 1)])
              end
            end
          end
        end
      end
      storm(_G)
      """),
  ]

  static let escapes: [Attack] = [
    Attack(
      "an address in tostring", .result("true"),
      "local t = {} return tostring(t) == tostring(t) and tostring(t):match('^table: 0x%x+$') ~= nil and tostring(t) ~= tostring({})"
    ),
    Attack(
      "an address in a format", .result("true"),
      "local t = {} return ('%s'):format(t) == tostring(t) and ('%-30s|'):format(t):sub(1, #tostring(t)) == tostring(t)"
    ),
    Attack("an address asked for", .error("'%p' is not available"), "return ('%p'):format({})"),
    Attack(
      "an address asked for behind others", .error("'%p' is not available"),
      "return ('%d %% %5.1f %-10s %p'):format(1, 2, 'x', {})"),
    Attack("an address asked for with flags", .error("'%p' is not available"), "return ('%-20p'):format({})"),
    Attack("an address asked for of nothing", .error("bad argument"), "return ('%p'):format()"),
    Attack("an address in an error of format", .error("has no literal form"), "return ('%q'):format({})"),
    Attack("an address in an error message", .error("attempt to call a table value"), "({})()"),
    Attack("an address as an error", .error("(error object is a table value)"), "error({})"),
    Attack(
      "no address in messages about functions", .result("true"),
      "local _, e = pcall(function() return pcall < pcall end) return e:find('0x') == nil"),
    Attack(
      "seeds don't show where anything is", .result("true"),
      """
      local a, b = math.randomseed()
      local t = tonumber((tostring({}):match("0x(%x+)")), 16)
      return math.type(a) == "integer" and math.abs(a - os.time()) > 1000 and (a ~ b ~ t) ~= 0
      """),
    Attack(
      "the first random numbers tell no address",
      .result("true"),
      """
      -- Undoes the generator of the library: four numbers give its state, and its state at the start was the clock and an address.
      local function rotl(x, n) return (x << n) | (x >> (64 - n)) end
      local function inverse(m) local x = m for _ = 1, 6 do x = x * (2 - m * x) end return x end
      local out = {}
      for i = 1, 4 do out[i] = math.random(0) end
      local s1 = rotl(out[1] * inverse(9), 57) * inverse(5)
      local t1 = rotl(out[2] * inverse(9), 57) * inverse(5)
      return s1 ~= t1 and math.abs(s1 - os.time()) > 1000
      """),
    Attack(
      "globals are one's own", .result("nil nil"),
      "x = 1 _G.y = 2 local f = load('return x, y', 'n', 't', {}) return f()"),
    Attack("load takes the caller's globals", .result("7 8"), "x = 7 load('x2 = x + 1')() return x, x2"),
    Attack("load with no environment", .error("upvalue '_ENV'"), "load('x = 1', 'n', 't', nil)()"),
    Attack(
      "an environment of one's own with metamethods", .result("got x"),
      "return load('return x', 'n', 't', setmetatable({}, {__index = function(_, k) return 'got ' .. k end}))()"),
    Attack(
      "changing the functions that one has changes nobody else's", .result("1"),
      "pcall = nil setmetatable = nil load = nil next = nil tostring = nil error = nil return 1"),
    Attack(
      "errors of every type", .result("nil true 1 1.5 x table function thread"),
      """
      local function caught(v) local _, e = pcall(error, v) return e end
      return caught(nil), caught(true), caught(1), caught(1.5), caught("x"), type(caught({})), type(caught(type)), type(caught(coroutine.running()))
      """),
    Attack("nil as an error", .error("nil"), "error(nil)"),
    Attack("false as an error", .error("false"), "error(false)"),
    Attack("a number as an error", .error("42"), "error(42)"),
    Attack("a function as an error", .error("(error object is a function value)"), "error(type)"),
    Attack("a coroutine as an error", .error("(error object is a thread value)"), "error((coroutine.running()))"),
    Attack("Swift's object as an error", .error(""), "error(object)"),
    Attack(
      "a table that can't be shown as an error", .error("the script raised a value that can't be shown"),
      "error(setmetatable({}, {__tostring = function() error('no') end}))"),
    Attack(
      "an error that shows itself for ever", .error(""),
      "local t = setmetatable({}, {}) getmetatable(t).__tostring = function() error(t) end error(t)"),
    Attack(
      "errors nested in errors", .error("0"),
      "local function f(n) if n == 0 then error('0', 0) end local ok, e = pcall(f, n - 1) error(e, 0) end f(100)"),
    Attack("an error with bytes that are no text", .error("\u{FFFD}"), "error('\\xff\\xfe', 0)"),
    Attack("an error with a zero byte", .error("a\0b"), "error('a\\0b', 0)"),
    Attack("a level that is nowhere", .error("x"), "error('x', 1 << 60)"),
    Attack("a level below zero", .error("x"), "error('x', -5)"),
    Attack("a name of a chunk that lies", .error("x"), "load('error(\"x\")', '=canary')()"),
    Attack("a very long name of a chunk", .error("x"), "load('error(\"x\")', '=' .. ('n'):rep(100000))()"),
    Attack(
      "a very long name of a global", .error("attempt to call a nil value"),
      "local n = ('a'):rep(20000) load('--' .. ('a'):rep(30000) .. '\\n' .. n .. '()')()"),
  ]

  static let bytecode: [Attack] = [
    Attack(
      "bytecode by its first byte", .result("nil attempt to load a binary chunk (mode is 't')"),
      "return load('\\27Lua')"),
    Attack(
      "bytecode with its header", .result("nil"), "return (load('\\27Lua\\x54\\0\\x19\\x93\\r\\n\\x1a\\n\\4\\8\\8'))"),
    Attack(
      "bytecode in pieces", .result("nil"),
      "local n = 0 return (load(function() n = n + 1 return ({'\\27', 'Lua', '\\x54'})[n] end))"),
    Attack(
      "bytecode by mode", .result("nil attempt to load a text chunk (mode is 'b')"), "return load('\\27Lua', 'x', 'b')"),
    Attack("bytecode by both modes", .result("nil"), "return (load('\\27Lua', 'x', 'bt'))"),
    Attack("bytecode after a comment", .result("nil"), "return (load('#\\n\\27Lua'))"),
    Attack("bytecode in the script itself", .error("is no text"), "\u{1B}Lua"),
    Attack(
      "a mode that is none", .result("nil attempt to load a text chunk (mode is 'x')"),
      "return load('return 1', 'x', 'x')"),
    Attack("a mode with a zero byte", .result("nil"), "return (load('return 1', 'x', '\\0t'))"),
    Attack("a chunk that is no string", .error("function expected"), "load({})"),
    Attack(
      "a reader that gives a table", .result("nil attack:1: reader function must return a string"),
      "return load(function() return {} end)"),
    Attack(
      "a reader that gives a number", .result("5"),
      "local n = 0 return load(function() n = n + 1 return ({'return ', 5})[n] end)()"),
    Attack("a reader that raises", .result("nil mine"), "return load(function() error('mine', 0) end)"),
    Attack(
      "a reader that gives too much", .result("nil a chunk that a script loads can have 65536 bytes at most"),
      "local n = 0 return load(function() n = n + 1 return n == 1 and 'return 1 --' or n < 100 and ('x'):rep(1000) or nil end)"
    ),
    Attack(
      "a chunk that is too long", .result("nil a chunk that a script loads can have 65536 bytes at most"),
      "return load(('x'):rep(65537))"),
    Attack("a syntax error in a chunk", .result("nil n:1: unexpected symbol near '='"), "return load('=', '=n')"),
    Attack(
      "a reader that loads in its own reader", .limitOrEnd,
      "local function r() return load(r) and nil end return load(r)"),
  ]
}
