// The metamethods that have bugs in this Lua, in every way to set them; weak tables; protected metatables.

extension Attack {
  static let metatables: [Attack] = [
    Attack(
      "a finalizer", .error("metamethod '__gc' is not available to scripts"),
      "setmetatable({}, {__gc = function() end})"),
    Attack("a finalizer that is true", .error("'__gc' is not available"), "setmetatable({}, {__gc = true})"),
    Attack(
      "a finalizer set after", .result("false"),
      "local ran = false local m = {} setmetatable({}, m) m.__gc = function() ran = true end for _ = 1, 2000 do local t = {{}, {}, {}} end return ran"
    ),
    Attack(
      "a finalizer set by rawset after", .result("false"),
      "local ran = false local m = {} local t = setmetatable({}, m) rawset(m, '__gc', function() ran = true end) t = nil for _ = 1, 20000 do local t = {{}, {}, {}} end return ran"
    ),
    Attack(
      "a finalizer behind an __index of the metatable", .result("false"),
      "local ran = false local m = setmetatable({}, {__index = {__gc = function() ran = true end}}) do local t = setmetatable({}, m) end for _ = 1, 20000 do local t = {{}, {}, {}} end return ran"
    ),
    Attack(
      "a finalizer by a name put together", .result("false"),
      "local ran = false local m = {} do local t = setmetatable({}, m) end m['__' .. ('GC'):lower()] = function() ran = true end setmetatable({}, {}) for _ = 1, 20000 do local t = {{}, {}, {}} end return ran"
    ),
    Attack(
      "a finalizer through loaded code", .error("'__gc' is not available"),
      "load('setmetatable({}, {[\"__g\" .. \"c\"] = print or type})')()"),
    Attack(
      "a finalizer through moving fields", .error("'__gc' is not available"),
      "local m = {} for k, v in pairs {__gc = 1} do m[k] = v end setmetatable({}, m)"),
    Attack(
      "a closing variable", .error("metamethod '__close' is not available"),
      "local x <close> = setmetatable({}, {__close = function() end})"),
    Attack(
      "a closing variable whose metamethod came later", .error("variable 'x' got a non-closable value"),
      "local m = {} local t = setmetatable({}, m) m.__close = function() end local x <close> = t"),
    Attack("a closing variable of nothing", .result("1"), "local x <close> = nil local y <close> = false return 1"),
    Attack(
      "a closing variable of a string", .error("variable 'x' got a non-closable value"), "local x <close> = 'text'"),
    Attack(
      "a closing variable of Swift's object", .error("variable 'x' got a non-closable value"),
      "local x <close> = object"),
    Attack(
      "a closing variable of a library", .error("variable 'x' got a non-closable value"), "local x <close> = string"),
    Attack(
      "a closing value of a loop", .error("variable '(for state)' got a non-closable value"),
      "local m = {} local t = setmetatable({}, m) m.__close = function() end for _ in next, {}, nil, t do end"),
    Attack(
      "a closing value of a loop that breaks with a captured variable", .error("non-closable"),
      "local m = {} local t = setmetatable({}, m) m.__close = function() end for a in next, {1}, nil, t do local f = function() return a end break end"
    ),
    Attack(
      "a closing value in a coroutine that is left", .error("non-closable"),
      "local m = {} local t = setmetatable({}, m) m.__close = function() while true do end end coroutine.wrap(function() local x <close> = t coroutine.yield() end)()"
    ),
    Attack(
      "a closing value that launders an error", .error("non-closable"),
      "local m = {} local t = setmetatable({}, m) rawset(m, '__close', function() error('clean') end) local x <close> = t while true do end"
    ),
    Attack(
      "concatenating with a metamethod", .error("metamethod '__concat' is not available"),
      "return setmetatable({}, {__concat = function() end}) .. 'x'"),
    Attack(
      "concatenating with a metamethod that came later", .error("attempt to concatenate a table value"),
      "local m = {} local t = setmetatable({}, m) m.__concat = function() return 'x' end return 'a' .. 'b' .. t .. 'c'"),
    Attack(
      "concatenating with a metamethod that moves the stack", .error("attempt to concatenate"),
      "local m = {} local t = setmetatable({}, m) local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 1 end m.__concat = function() deep(5000) return 'x' end return 'a' .. t .. 'b' .. t .. 'c' .. t"
    ),
    Attack(
      "concatenating a function call with itself", .error("attempt to concatenate"),
      "local f = function() end return f .. f"),
    Attack("weak keys", .error("'__mode' can only be \"v\""), "setmetatable({}, {__mode = 'k'})"),
    Attack("weak keys and values", .error("'__mode' can only be \"v\""), "setmetatable({}, {__mode = 'kv'})"),
    Attack("a mode that is no string", .error("'__mode' can only be \"v\""), "setmetatable({}, {__mode = 1})"),
    Attack(
      "weak keys set after", .result("40000"),
      "local m = {} local t = setmetatable({}, m) m.__mode = 'k' for i = 1, 20000 do t[{}] = i end local n = 0 for _ in pairs(t) do n = n + 1 end return n * 2"
    ),
    Attack(
      "weak values work", .result("true"),
      "local t = setmetatable({}, {__mode = 'v'}) for i = 1, 50000 do t[i % 100] = {{}, {}} end local n = 0 for i = 1, 20000 do local x = {{}, {}} end for _ in pairs(t) do n = n + 1 end return n < 100"
    ),
    Attack(
      "weak values show no other field", .result("__mode=v"),
      "local m = {__mode = 'v'} setmetatable({}, m) local s = '' for k, v in pairs(m) do s = s .. k .. '=' .. v end for k, v in next, m do assert(k == '__mode') end return s"
    ),
    Attack(
      "a chain of ephemerons", .error("'__mode' can only be"),
      "local m = {__mode = 'k'} local last = {} for i = 1, 30000 do local t = setmetatable({}, m) t[last] = {} last = t[last] end"
    ),
    Attack(
      "a weak table as metatable", .error("a table with weak values can't be a metatable"),
      "local w = setmetatable({}, {__mode = 'v'}) setmetatable({}, w)"),
    Attack(
      "a metatable made weak", .error("a table that is a metatable can't have weak values"),
      "local m = {} setmetatable({}, m) setmetatable(m, {__mode = 'v'})"),
    Attack(
      "a metatable of itself, and weak", .error("can't have weak values"), "local t = {__mode = 'v'} setmetatable(t, t)"
    ),
    Attack(
      "a metatable made weak by way of the metatable that it has", .error("weak"),
      "local mm = {} local m = setmetatable({}, mm) local t = setmetatable({}, m) mm.__mode = 'v' setmetatable({}, mm)"),
    Attack(
      "a metatable made weak, strong and weak again", .error("weak"),
      """
      local mm = {__mode = "v"}
      local m = setmetatable({}, mm)
      mm.__mode = nil
      setmetatable({}, mm)
      local t = setmetatable({}, m)
      mm.__mode = "v"
      setmetatable({}, mm)
      """),
    Attack(
      "assigning through a metatable whose __newindex goes while memory is refused", .limitOrEnd, during: .collection,
      milliseconds: 3000,
      """
      local mm = {}
      local m = setmetatable({}, mm)
      local t = setmetatable({}, m)
      mm.__mode = "v"
      pcall(setmetatable, {}, mm)
      local keep = {}
      while true do
        m.__newindex = {}
        pcall(function() for i = 1, 500 do t[i] = ("x"):rep(3000) .. i end end)
        keep[#keep + 1] = ("y"):rep(50000)
      end
      """),
    Attack("a metatable of a library", .error("cannot change a protected metatable"), "setmetatable(string, {})"),
    Attack(
      "the metatable of a library is hidden", .result("false false false"),
      "return getmetatable(string), getmetatable(''), getmetatable(math)"),
    Attack(
      "the metatable of Swift's object is hidden", .result("false false"),
      "return getmetatable(object), (pcall(setmetatable, object, {}))"),
    Attack(
      "the metatable of a Swift error is hidden", .result("false false"),
      "local _, e = pcall(throw) return getmetatable(e), (pcall(setmetatable, e, {}))"),
    Attack("a metatable for what is no table", .error("table expected"), "setmetatable('', {})"),
    Attack("a metatable that is no table", .error("nil or table expected"), "setmetatable({}, 1)"),
    Attack(
      "a metatable protected by the script", .result("hidden false"),
      "local t = setmetatable({}, {__metatable = 'hidden'}) return getmetatable(t), (pcall(setmetatable, t, {}))"),
    Attack(
      "a metatable is seen as it is written later", .result("5"),
      "local m = {} local t = setmetatable({}, m) m.__index = function() return 5 end return t.x"),
    Attack(
      "a metatable that replaces itself while it is used", .result("2"),
      "local t = {} setmetatable(t, {__index = function(t) setmetatable(t, {__index = function() return 2 end}) return t.x end}) return t.x"
    ),
    Attack(
      "an __index that takes the metatable away", .result("nil"),
      "local t = setmetatable({}, {__index = function(t) setmetatable(t, nil) return t.x end}) return t.x"),
    Attack(
      "a __len that is no number", .error("object length is not an integer"),
      "table.insert(setmetatable({}, {__len = function() return 'x' end}), 1)"),
    Attack(
      "a __tostring that gives no string", .error("'__tostring' must return a string"),
      "return tostring(setmetatable({}, {__tostring = function() return {} end}))"),
    Attack(
      "a __tostring that gives itself", .error("C stack overflow"),
      "local t = setmetatable({}, {__tostring = tostring}) return tostring(t)"),
    Attack("a __name that is no string", .result("true"), "return #tostring(setmetatable({}, {__name = 1})) > 7"),
    Attack(
      "thousands of values whose __name is no string in one format", .limitOrEnd,
      "local m, t = {__name = 1}, {} for i = 1, 20000 do t[i] = setmetatable({}, m) end return #string.format(('%s'):rep(20000), table.unpack(t)) > 100000"
    ),
    Attack(
      "comparing what only seems to be comparable", .result("true false"),
      "local m = {__lt = function() return 1 end, __eq = function() return nil end} local a, b = setmetatable({}, m), setmetatable({}, m) return a < b, a == b"
    ),
  ]
}
