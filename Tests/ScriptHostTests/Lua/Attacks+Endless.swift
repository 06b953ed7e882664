// Scripts that don't end by themselves, in every place where a script can run.

extension Attack {
  static let endless: [Attack] = [
    Attack("a loop that does nothing", .limit(.time), "while true do end"),
    Attack("a repeat loop", .limit(.time), "repeat local x = 1 until x == 2"),
    Attack("a goto to itself", .limit(.time), "::again:: goto again"),
    Attack(
      "gotos that jump between blocks", .limit(.time),
      """
      ::a:: do goto b end
      ::b:: do local x <const> = 1; goto c end
      ::c:: goto a
      """),
    Attack("tail calls", .limit(.time), "local function f() return f() end f()"),
    Attack(
      "two functions that call each other as tails", .limit(.time),
      "local f, g; function f() return g() end function g() return f() end f()"),
    Attack("a numeric loop to the largest integer", .limit(.time), "for i = 1, math.maxinteger do end"),
    Attack("a numeric loop of floats that never arrive", .limit(.time), "for x = 2^53, 2^53 + 10, 1.0 do end"),
    Attack("a numeric loop to infinity", .limit(.time), "for x = 1, math.huge do end"),
    Attack("an iterator that never ends", .limit(.time), "for _ in function() return 1 end do end"),
    Attack(
      "an iterator that is a table", .limit(.time),
      "for _ in setmetatable({}, {__call = function() return 1 end}) do end"),
    Attack(
      "an __index that loops", .limit(.time), "return setmetatable({}, {__index = function() while true do end end}).x"),
    Attack(
      "a __newindex that loops", .limit(.time),
      "setmetatable({}, {__newindex = function() while true do end end}).x = 1"),
    Attack("a __call that loops", .limit(.time), "setmetatable({}, {__call = function() while true do end end})()"),
    Attack(
      "an __eq that loops", .limit(.time),
      "local m = {__eq = function() while true do end end} return setmetatable({}, m) == setmetatable({}, m)"),
    Attack(
      "an __lt that loops", .limit(.time), "return setmetatable({}, {__lt = function() while true do end end}) < 1"),
    Attack(
      "an __le that loops", .limit(.time), "return 1 <= setmetatable({}, {__le = function() while true do end end})"),
    Attack("a __len that loops", .limit(.time), "return #setmetatable({}, {__len = function() while true do end end})"),
    Attack(
      "an __unm that loops", .limit(.time), "return -setmetatable({}, {__unm = function() while true do end end})"),
    Attack(
      "a __bnot that loops", .limit(.time), "return ~setmetatable({}, {__bnot = function() while true do end end})"),
    Attack(
      "arithmetic metamethods that loop, each in a protected call", .limit(.time),
      """
      local function spin() while true do end end
      local m = {}
      for _, name in ipairs {"add", "sub", "mul", "div", "mod", "pow", "idiv", "band", "bor", "bxor", "shl", "shr"} do
        m["__" .. name] = spin
      end
      local t = setmetatable({}, m)
      local all = {
        function() return t + 1 end, function() return t - 1 end, function() return t * 1 end, function() return t / 1 end,
        function() return t % 1 end, function() return t ^ 1 end, function() return t // 1 end, function() return t & 1 end,
        function() return t | 1 end, function() return t ~ 1 end, function() return t << 1 end, function() return t >> 1 end,
      }
      for _, f in ipairs(all) do pcall(f) end
      return "swallowed"
      """),
    Attack(
      "a __tostring that loops", .limit(.time),
      "return tostring(setmetatable({}, {__tostring = function() while true do end end}))"),
    Attack(
      "a __pairs that loops", .limit(.time),
      "for _ in pairs(setmetatable({}, {__pairs = function() while true do end end})) do end"),
    Attack(
      "a __tostring that loops, in a format", .limit(.time),
      "return ('%s'):format(setmetatable({}, {__tostring = function() while true do end end}))"),
    Attack("a comparator that loops", .limit(.time), "table.sort({3, 2, 1}, function() while true do end end)"),
    Attack(
      "a comparator that is slow", .limit(.time),
      "local t = {} for i = 1, 20000 do t[i] = -i end table.sort(t, function(a, b) for _ = 1, 10000 do end return a < b end)"
    ),
    Attack("a replacement that loops", .limit(.time), "return ('x'):gsub('x', function() while true do end end)"),
    Attack(
      "a replacement table whose __index loops", .limit(.time),
      "return ('x'):gsub('x', setmetatable({}, {__index = function() while true do end end}))"),
    Attack("a reader for load that loops", .limit(.time), "return load(function() while true do end end)"),
    Attack(
      "a reader for load that gives a little for ever", .limit(.time),
      "local t = os.clock() repeat load(function() return ' ' end) until false"),
    Attack(
      "an __index that loops in table.concat", .limit(.time),
      "return table.concat(setmetatable({}, {__len = function() return 3 end, __index = function() while true do end end}))"
    ),
    Attack(
      "a __len that loops in table.unpack", .limit(.time),
      "return table.unpack(setmetatable({}, {__len = function() while true do end end}))"),
    Attack("a coroutine that loops", .limit(.time), "coroutine.wrap(function() while true do end end)()"),
    Attack(
      "a coroutine that yields for ever", .limit(.time),
      "local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end"),
    Attack(
      "a thrown object whose __tostring loops, which the host describes", .limit(.time),
      "error(setmetatable({}, {__tostring = function() while true do end end}))"),
    Attack(
      "a thrown object whose __name is long", .error("(error object is a table value)"),
      "error(setmetatable({}, {__name = ('x'):rep(1000000)}))"),
    Attack(
      "a function of Swift's that calls back into a loop", .limit(.time), "call(function() while true do end end)"),
    Attack("a script that loads scripts for ever", .limit(.time), "while true do load('local a = 1 return a')() end"),
    Attack(
      "instructions are counted in a loop", .limit(.instructions), milliseconds: 2000, instructions: 1_000_000,
      "while true do end"),
    Attack(
      "instructions are counted in a coroutine", .limit(.instructions), milliseconds: 2000, instructions: 1_000_000,
      "coroutine.wrap(function() while true do end end)()"),
    Attack(
      "instructions are counted through protected calls", .limit(.instructions), milliseconds: 2000,
      instructions: 1_000_000, "while true do pcall(function() while true do end end) end"),
    Attack(
      "instructions are counted in many short coroutines", .limit(.instructions), milliseconds: 2000,
      instructions: 1_000_000, "while true do coroutine.wrap(function() for _ = 1, 300 do end end)() end"),
    Attack(
      "instructions are counted in a loop of C", .limit(.instructions), milliseconds: 2000, instructions: 1_000_000,
      "table.move({}, 1, 1 << 60, 1, {})"),
    Attack(
      "loops at the edges of the integers end", .result("3 3 1 1 0"),
      """
      local n = {0, 0, 0, 0, 0}
      for i = math.maxinteger - 2, math.maxinteger do n[1] = n[1] + 1 end
      for i = math.mininteger + 2, math.mininteger, -1 do n[2] = n[2] + 1 end
      for i = math.maxinteger, math.maxinteger, math.maxinteger do n[3] = n[3] + 1 end
      for i = math.mininteger, math.mininteger + 1, math.maxinteger do n[4] = n[4] + 1 end
      for i = 1, math.mininteger do n[5] = n[5] + 1 end
      return table.unpack(n)
      """),
    Attack("a step of zero", .error("'for' step is zero"), "for i = 1, 2, 0 do end"),
    Attack(
      "dividing the smallest integer by -1", .result("-9223372036854775808 0 9223372036854775807"),
      "return math.mininteger // -1, math.mininteger % -1, math.mininteger - 1"),
    Attack(
      "shifting by more than there is", .result("0 0 0 1"),
      "return 1 << 64, 1 >> math.maxinteger, 1 << math.mininteger, 1 << 0"),
  ]
}
