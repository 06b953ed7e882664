// Swift functions and objects that scripts misuse.

extension Attack {
  static let callbacks: [Attack] = [
    Attack(
      "a Swift error caught and shown", .result("false Refusal()"), "local ok, e = pcall(throw) return ok, tostring(e)"),
    Attack("a Swift error raised again", .error("Refusal()"), "local ok, e = pcall(throw) error(e)"),
    Attack(
      "a Swift error as a key and a value", .result("true"),
      "local _, e = pcall(throw) local t = {[e] = e} return t[e] == e"),
    Attack(
      "a Swift error through coroutines and metamethods", .error("Refusal()"),
      "setmetatable({}, {__index = function() coroutine.wrap(function() coroutine.wrap(throw)() end)() end}).x()"),
    Attack("a Swift error in a comparator", .error("Refusal()"), "table.sort({1, 2, 3}, throw)"),
    Attack("a Swift error in a reader", .result("nil object"), "return load(throw)"),
    Attack("a Swift error in a replacement", .error("Refusal()"), "('x'):gsub('x', throw)"),
    Attack("a Swift error in a handler", .result("false"), "return (xpcall(error, throw))"),
    Attack(
      "a Swift error in __tostring of an error", .error("can't be shown"),
      "error(setmetatable({}, {__tostring = throw}))"),
    Attack(
      "a Swift error, concatenated", .error("attempt to concatenate"), "local _, e = pcall(throw) return 'x' .. e"),
    Attack("Swift errors for ever", .limit(.time), "while true do pcall(throw) end"),
    Attack("Swift objects for ever", .limit(.time), "while true do make() end"),
    Attack("Swift's object, indexed", .error("attempt to index a error value"), "return object.x"),
    Attack("Swift's object, called", .error("attempt to call a error value"), "object()"),
    Attack("Swift's object, measured", .error("attempt to get length"), "return #object"),
    Attack(
      "Swift's object in places for tables", .result("false false false false"),
      "return pcall(rawget, object, 1), (pcall(next, object)), (pcall(rawset, object, 1, 1)), (pcall(table.insert, object, 1))"
    ),
    Attack("Swift's object twice is the same to Swift", .result("object object"), "return echo(object, object)"),
    Attack(
      "a Swift function in every metamethod", .limitOrEnd,
      """
      local m = {}
      for _, n in ipairs {"index", "newindex", "call", "len", "eq", "lt", "le", "add", "unm", "tostring", "pairs", "name"} do
        m["__" .. n] = echo
      end
      local a, b = setmetatable({}, m), setmetatable({}, m)
      local all = {
        function() return a.x end, function() a.x = 1 end, function() return a() end, function() return #a end,
        function() return a == b end, function() return a < b end, function() return a <= b end, function() return a + b end,
        function() return -a end, function() return tostring(a) end, function() for _ in pairs(a) do end end,
      }
      for _, f in ipairs(all) do pcall(f) end
      """),
    Attack(
      "a Swift function as iterator, comparator, handler and reader", .limitOrEnd,
      "pcall(table.sort, {1, 2}, echo) xpcall(error, echo) pcall(load, echo) for _ in echo do break end"),
    Attack("a Swift function wants a function", .error("a function is wanted"), "call(1)"),
    Attack("a Swift function called with nothing", .result(""), "return echo()"),
    Attack(
      "a Swift function called with a great many values", .result("9000"),
      "return select('#', echo(table.unpack({}, 1, 9000)))"),
    Attack(
      "a Swift function called with everything", .result("nil true 1 1.5 x table function thread object"),
      "return echo(nil, true, 1, 1.5, 'x', {}, type, coroutine.running(), object)"),
    Attack(
      "values of Swift's stay themselves", .result("true true true true"),
      "local t, f, co = {}, function() end, coroutine.create(type) local a, b, c, d = echo(t, f, co, 1 << 62) return a == t, b == f, c == co, d == 1 << 62"
    ),
    Attack(
      "numbers at their edges through Swift", .result("9223372036854775807 -9223372036854775808 inf true -0.0"),
      "local a, b, c, d, e = echo(math.maxinteger, math.mininteger, math.huge, 0/0, -0.0) return a, b, c, d ~= d, e"),
    Attack(
      "bytes through Swift", .result("true true"),
      "local a, b = echo('\\xff\\0\\xfe', '\\0') return a == '\\xff\\0\\xfe', b == '\\0'"),
    Attack(
      "Swift calls what yields, in a coroutine", .error("attempt to yield"),
      "coroutine.wrap(function() call(function() coroutine.yield() end) end)()"),
    Attack(
      "Swift calls what raises every type", .result("false false false"),
      "return (pcall(call, error)), (pcall(call, error, {})), (pcall(call, error, object))"),
  ]
}
