// Scripts that catch a limit and go on; and coroutines, which have separate stacks, hooks and counts.

extension Attack {
  static let swallowers: [Attack] = [
    Attack("pcall for ever of a loop", .limit(.time), "while true do pcall(function() while true do end end) end"),
    Attack(
      "pcall of pcall of pcall", .limit(.time),
      "local function f() while true do end end while true do pcall(pcall, pcall, f) end"),
    Attack(
      "a tree of protected calls", .limit(.time),
      "local function f(n) for _ = 1, 7 do pcall(f, n + 1) end while true do end end f(0)"),
    Attack(
      "xpcall whose handler loops", .limit(.time),
      "local function f() while true do end end while true do xpcall(f, f) end"),
    Attack(
      "xpcall whose handler catches", .limit(.time),
      "local function f() while true do end end while true do xpcall(f, function() pcall(f) return pcall(f) end) end"),
    Attack(
      "a handler that loops after an error of the script's own", .limit(.time),
      "xpcall(error, function() while true do end end)"),
    Attack(
      "a handler that raises in its handler", .result("false"), "return (xpcall(error, function() error('again') end))"),
    Attack(
      "a handler that recurses", .result("false"),
      "local function h() return h() + error() end return (xpcall(error, h))"),
    Attack(
      "a handler that is pcall", .limit(.time), "while true do xpcall(function() while true do end end, pcall) end"),
    Attack("a handler of Swift's", .limit(.time), "while true do xpcall(function() while true do end end, echo) end"),
    Attack(
      "a handler that resumes", .limit(.time),
      "local function f() while true do end end while true do xpcall(f, function() coroutine.wrap(f)() end) end"),
    Attack(
      "coroutines six deep that each swallow", .limit(.time),
      """
      local function nest(n)
        while true do
          pcall(function()
            if n > 0 then coroutine.wrap(nest)(n - 1) end
            while true do end
          end)
        end
      end
      nest(6)
      """),
    Attack(
      "coroutines that resume and ignore", .limit(.time),
      "while true do coroutine.resume(coroutine.create(function() while true do end end)) end"),
    Attack(
      "coroutines that catch around a yield", .limit(.time),
      """
      local function body() pcall(function() while true do coroutine.yield() end end) while true do end end
      local co = coroutine.create(body)
      while true do
        if not coroutine.resume(co) then co = coroutine.create(body) end
      end
      """),
    Attack(
      "an iterator that catches", .limit(.time),
      "for _ in function() pcall(function() while true do end end) return 1 end do end"),
    Attack(
      "a comparator that catches", .limit(.time),
      "local t = {} for i = 1, 1000 do t[i] = i end table.sort(t, function() pcall(function() while true do end end) return true end)"
    ),
    Attack(
      "a reader that catches", .limit(.time),
      "while true do load(function() pcall(function() while true do end end) return ' ' end) end"),
    Attack(
      "a reader that raises the limit into load's result", .limit(.time),
      "while true do load(function() while true do end end) end"),
    Attack(
      "a replacement that catches", .limit(.time),
      "while true do ('xxxx'):gsub('x', function() pcall(function() while true do end end) end) end"),
    Attack(
      "an __index that catches in a C function", .limit(.time),
      "table.concat(setmetatable({}, {__len = function() return 1 << 50 end, __index = function() pcall(function() while true do end end) return '' end}))"
    ),
    Attack(
      "a __tostring that catches", .limit(.time),
      "local t = setmetatable({}, {__tostring = function() pcall(function() while true do end end) return '' end}) while true do tostring(t) end"
    ),
    Attack(
      "a Swift function that swallows the limit", .limit(.time),
      "while true do swallow(function() while true do end end) end"),
    Attack(
      "a Swift function that swallows inside a coroutine inside pcall", .limit(.time),
      "while true do pcall(coroutine.wrap(function() swallow(function() while true do end end) end)) end"),
    Attack(
      "the text of a limit raised by the script is no limit", .error("time limit exceeded"),
      "error('time limit exceeded', 0)"),
    Attack(
      "catching the text of a limit raised by the script", .result("false time limit exceeded"),
      "return pcall(error, 'time limit exceeded', 0)"),
    Attack(
      "memory in a protected loop", .limit(.memory), during: .collection, milliseconds: 3000,
      "local t = {} while true do pcall(function() t[#t + 1] = ('x'):rep(100000) end) end"),
    Attack(
      "memory in coroutines in a protected loop", .limit(.memory), during: .collection, milliseconds: 3000,
      "local t = {} while true do pcall(coroutine.wrap(function() t[#t + 1] = ('x'):rep(100000) end)) end"),
    Attack(
      "memory in a handler", .limit(.memory), during: .collection, milliseconds: 3000,
      "local t = {} while true do xpcall(error, function() t[#t + 1] = ('x'):rep(100000) end) end"),
    Attack(
      "a limit inside a protected call inside metamethods", .limit(.time),
      """
      local m = {}
      m.__index = function(t, k) local ok = pcall(function() while true do end end) return ok end
      m.__newindex = function(t, k) local _ = t[k] t[k] = 1 end
      setmetatable({}, m).x = 1
      """),
  ]

  static let coroutines: [Attack] = [
    Attack(
      "a tree of short coroutines", .limit(.time),
      "local function f(n) for _ = 1, 50 do if n < 9 then coroutine.wrap(f)(n + 1) end end end f(0)"
    ),
    Attack(
      "many short coroutines", .limit(.time), "while true do coroutine.wrap(function() for _ = 1, 300 do end end)() end"
    ),
    Attack("coroutines that are never started", .limit(.time), "while true do coroutine.create(print or type) end"),
    Attack(
      "a coroutine that resumes itself", .result("false cannot resume non-suspended coroutine"),
      "local co co = coroutine.create(function() return coroutine.resume(co) end) return select(2, coroutine.resume(co))"
    ),
    Attack(
      "a coroutine that resumes the main one", .result("false cannot resume non-suspended coroutine"),
      "local main = coroutine.running() return coroutine.wrap(function() return coroutine.resume(main, 1, 2, 3) end)()"),
    Attack(
      "the main one that resumes itself", .result("false cannot resume non-suspended coroutine"),
      "return coroutine.resume(coroutine.running(), 1, 2)"),
    Attack(
      "a coroutine that resumes who resumed it", .result("false cannot resume non-suspended coroutine"),
      """
      local a
      a = coroutine.create(function() return coroutine.wrap(function() return coroutine.resume(a, 7) end)() end)
      return select(2, coroutine.resume(a))
      """),
    Attack(
      "resuming the dead", .result("false cannot resume dead coroutine"),
      "local co = coroutine.create(function() end) coroutine.resume(co) return coroutine.resume(co, 1)"),
    Attack(
      "resuming what died of an error", .result("false cannot resume dead coroutine"),
      "local co = coroutine.create(error) coroutine.resume(co, 'x') return coroutine.resume(co, 1)"),
    Attack(
      "wrapping what dies", .error("cannot resume dead coroutine"), "local f = coroutine.wrap(function() end) f() f()"),
    Attack("yielding from the main one", .error("attempt to yield from outside a coroutine"), "coroutine.yield(1)"),
    Attack(
      "yielding through a metamethod of C", .error("attempt to yield across a C-call boundary"),
      "coroutine.wrap(function() return table.concat(setmetatable({}, {__len = coroutine.yield})) end)()"),
    Attack(
      "yielding through load", .result("nil attempt to yield across a C-call boundary"),
      "return coroutine.wrap(function() return load(coroutine.yield) end)()"),
    Attack(
      "yielding through gsub", .error("attempt to yield across a C-call boundary"),
      "coroutine.wrap(function() return ('x'):gsub('x', coroutine.yield) end)()"),
    Attack(
      "yielding through tostring", .error("attempt to yield across a C-call boundary"),
      "coroutine.wrap(function() return tostring(setmetatable({}, {__tostring = coroutine.yield})) end)()"),
    Attack(
      "yielding through a handler", .result("false"),
      "return coroutine.wrap(function() return (xpcall(error, function() coroutine.yield() end)) end)()"),
    Attack(
      "yielding through pcall, pairs and metamethods of Lua", .result("1 2 3 done"),
      """
      local m = {__index = function(_, k) return coroutine.yield(1) end, __pairs = function(t) coroutine.yield(2) return next, {} end}
      local co = coroutine.wrap(function()
        local t = setmetatable({}, m)
        pcall(function() local _ = t.x for _ in pairs(t) do end xpcall(coroutine.yield, error, 3) end)
        return 'done'
      end)
      return co(), co(), co(), co()
      """),
    Attack(
      "errors through yields in protected calls", .result("1 false attack:1: x"),
      "local co = coroutine.wrap(function() return pcall(function() coroutine.yield(1) error('x') end) end) return co(), co()"
    ),
    Attack(
      "yielding from a function of Swift's", .result("1 2 back"),
      "local co = coroutine.wrap(function() return yield(1, 2) end) local a, b = co() return a, b, co('back')"),
    Attack(
      "yielding from a function of Swift's outside", .error("attempt to yield from outside a coroutine"), "yield(1)"),
    Attack(
      "yielding from a function of Swift's in a comparator", .error("attempt to yield across a C-call boundary"),
      "coroutine.wrap(function() table.sort({1, 2, 3}, yield) end)()"),
    Attack(
      "yielding through a call of Swift's", .error("attempt to yield"),
      "coroutine.wrap(function() call(coroutine.yield) end)()"),
    Attack(
      "more arguments than a coroutine can take", .limitOrEnd,
      "local t = {} for i = 1, 25000 do t[i] = i end local co = coroutine.create(function(...) return select('#', ...) end) return coroutine.resume(co, table.unpack(t))"
    ),
    Attack(
      "more results than can be taken", .error("not enough memory"),
      "return select('#', coroutine.wrap(function() return table.unpack({}, 1, 60000) end)())"),
    Attack(
      "yielding a great many values for ever", .limit(.time),
      "local co = coroutine.wrap(function() while true do coroutine.yield(table.unpack({}, 1, 15000)) end end) while true do co() end"
    ),
    Attack(
      "C functions as bodies", .result("false 3 true 5"),
      "return coroutine.wrap(pcall)(error), coroutine.wrap(math.max)(1, 3), coroutine.wrap(rawequal)(1, 1), coroutine.wrap(rawlen)('12345')"
    ),
    Attack(
      "coroutines whose bodies are refused memory for ever", .limit(.time), during: .collection,
      """
      local keep = {}
      for i = 1, 20000 do keep[i] = {i} end
      while true do pcall(coroutine.wrap(table.unpack), {}, 1, 70000) end
      """),
    Attack(
      "coroutines inside coroutines to the end of the C stack", .error("C stack overflow"),
      "local function f() return coroutine.wrap(f)() end f()"),
    Attack(
      "coroutines that build a chain and then fail together", .result("false"),
      "local function f(n) if n == 0 then error('end') end return coroutine.wrap(f)(n - 1) end return (pcall(f, 150))"),
    Attack(
      "a coroutine made early and resumed when the limit is near", .limit(.time),
      "local co = coroutine.wrap(function() while true do coroutine.yield() for _ = 1, 900 do end end end) while true do co() end"
    ),
    Attack(
      "a coroutine that is stopped, kept and resumed in another", .limit(.time),
      """
      local kept = {}
      while true do
        local co = coroutine.create(function() while true do coroutine.yield() end end)
        kept[#kept + 1] = co
        for _, c in ipairs(kept) do coroutine.resume(c) end
        if #kept > 50 then kept = {} end
      end
      """),
    Attack(
      "closing a coroutine", .error("attempt to call a nil value (field 'close')"),
      "coroutine.close(coroutine.create(function() end))"),
  ]
}
