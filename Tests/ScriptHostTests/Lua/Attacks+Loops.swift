// Functions of the library that loop in C, where no instruction is executed.

extension Attack {
  static let loops: [Attack] = [
    Attack("repeating nothing for ever", .result("0"), "return #(''):rep(1 << 60)"),
    Attack("repeating nothing with nothing between", .result("0"), "return #(''):rep(math.maxinteger, '')"),
    Attack("repeating to more than there can be", .error("resulting string too large"), "return ('x'):rep(1 << 60)"),
    Attack("repeating only the separator", .error("resulting string too large"), "return (''):rep(1 << 40, ',')"),
    Attack("repeating a negative number of times", .result("0"), "return #('x'):rep(math.mininteger)"),
    Attack(
      "repeating with sizes that overflow", .error("resulting string too large"),
      "return ('xyz'):rep(math.maxinteger // 3 + 1)"),
    Attack("repeating big strings for ever", .limit(.time), "while true do local s = ('x'):rep(1000000) end"),
    Attack("moving 2^60 elements", .limit(.time), "table.move({}, 1, 1 << 60, 1)"),
    Attack(
      "moving more than integers can count", .error("too many elements to move"),
      "table.move({}, -1, math.maxinteger, 2)"),
    Attack("moving to where integers end", .error("destination wrap around"), "table.move({}, 1, 10, math.maxinteger)"),
    Attack(
      "moving through C functions as metamethods", .limit(.time),
      "table.move(setmetatable({}, {__index = rawlen, __newindex = rawequal}), 1, 1 << 60, 2, setmetatable({}, {__newindex = rawequal}))"
    ),
    Attack(
      "moving through pcall as a metamethod, failing each time", .limit(.time),
      "table.move(setmetatable({}, {__index = pcall}), 1, 1 << 60, 1, setmetatable({}, {__newindex = rawequal}))"),
    Attack(
      "moving through pcall and a refused unpack, a collection each time", .limit(.time), during: .collection,
      """
      local keep = {}
      for i = 1, 20000 do keep[i] = {i} end
      local m = {__index = pcall, __len = function() return 70000 end}
      local t = setmetatable({}, m)
      m.__call = table.unpack
      table.move(t, 1, 1 << 60, 1, setmetatable({}, {__newindex = rawequal}))
      """),
    Attack(
      "inserting below a false length", .limit(.time),
      "table.insert(setmetatable({}, {__len = function() return 1 << 53 end}), 1, 0)"),
    Attack(
      "inserting after the largest length", .limitOrEnd,
      "table.insert(setmetatable({}, {__len = function() return math.maxinteger end}), 0)"),
    Attack(
      "inserting where the length overflows", .result(""),
      "table.insert(setmetatable({}, {__len = function() return math.maxinteger end}), 5, 0)"),
    Attack(
      "inserting with a negative length", .limitOrEnd,
      "table.insert(setmetatable({}, {__len = function() return math.mininteger end}), 5, 0)"),
    Attack(
      "removing below a false length", .limit(.time),
      "table.remove(setmetatable({}, {__len = function() return 1 << 53 end}), 1)"),
    Attack(
      "removing from the smallest length", .result(""),
      "table.remove(setmetatable({}, {__len = function() return math.mininteger end}), 1)"),
    Attack(
      "removing what stock Lua lets one remove", .result("zero 7 nil"),
      "return table.remove({[0] = 'zero'}, 0), table.remove({7}, 1), table.remove({7}, 2)"),
    Attack(
      "joining a false length", .error("invalid value"),
      "return table.concat(setmetatable({}, {__len = function() return 1 << 53 end}))"),
    Attack(
      "joining nothing a great many times", .limit(.time),
      "return table.concat(setmetatable({}, {__len = function() return 1 << 53 end, __index = function() return '' end}))"
    ),
    Attack(
      "joining through a C function", .limit(.time),
      "return table.concat(setmetatable({}, {__len = function() return 1 << 53 end, __index = rawlen}))"),
    Attack(
      "joining at the end of the integers", .result("x"),
      "return table.concat({[math.maxinteger] = 'x'}, '', math.maxinteger, math.maxinteger)"),
    Attack(
      "joining to more than a block", .error("not enough memory"),
      "local t = {} for i = 1, 30 do t[i] = ('x'):rep(100000) end return table.concat(t)"),
    Attack(
      "unpacking a false length", .error("too many results to unpack"),
      "return table.unpack(setmetatable({}, {__len = function() return 1 << 53 end}))"),
    Attack(
      "unpacking the whole range of integers", .error("too many results to unpack"),
      "return table.unpack({}, math.mininteger, math.maxinteger)"),
    Attack(
      "unpacking at the end of the integers", .result("nil 9"),
      "return table.unpack({[math.maxinteger] = 9}, math.maxinteger - 1, math.maxinteger)"),
    Attack(
      "sorting a false length", .limit(.time),
      "table.sort(setmetatable({}, {__len = function() return 1 << 30 end, __index = function(_, i) return i end, __newindex = function() end}))"
    ),
    Attack(
      "sorting more than can be sorted", .error("array too big"),
      "table.sort(setmetatable({}, {__len = function() return 1 << 40 end}))"),
    Attack(
      "sorting through C functions as metamethods", .limit(.time),
      "table.sort(setmetatable({}, {__len = function() return 1 << 30 end, __index = rawlen, __newindex = rawequal}))"),
    Attack(
      "sorting with an order that contradicts itself", .limitOrEnd,
      "local t = {} for i = 1, 5000 do t[i] = i % 7 end table.sort(t, function() return true end)"),
    Attack(
      "sorting with a random order", .limitOrEnd,
      "local t = {} for i = 1, 5000 do t[i] = i end table.sort(t, function() return math.random() < 0.5 end)"),
    Attack("sorting what can't be compared", .error("attempt to compare"), "table.sort({1, 'x', {}})"),
    Attack(
      "sorting with a comparator that raises", .error("no order"),
      "table.sort({1, 2, 3}, function() error('no order') end)"),
    Attack(
      "sorting with a comparator that yields", .error("attempt to yield across a C-call boundary"),
      "coroutine.wrap(function() table.sort({1, 2, 3}, coroutine.yield) end)()"),
    Attack(
      "sorting while the comparator empties the table", .limitOrEnd,
      "local t = {} for i = 1, 100 do t[i] = i end table.sort(t, function(a, b) for i = 1, 100 do t[i] = nil end return (a or 0) < (b or 0) end)"
    ),
    Attack(
      "sorting with a C function that is slow", .limit(.time),
      "local s = ('1'):rep(60000) local t = {} for i = 1, 30000 do t[i] = s end table.sort(t, function(a, b) return tonumber(a, 2) end)"
    ),
    Attack(
      "sorting one megabyte string many times", .limit(.time),
      "local s = ('x'):rep(1000000) local t = {} for i = 1, 30000 do t[i] = s end table.sort(t)"),
    Attack(
      "sorting strings of zero bytes", .limit(.time), during: .block,
      "local s = ('\\0'):rep(1000000) local t = {} for i = 1, 30000 do t[i] = s end table.sort(t)"),
    Attack(
      "sorting middling strings of zero bytes", .limit(.time),
      "local s = ('\\0'):rep(60000) local t = {} for i = 1, 30000 do t[i] = s end table.sort(t)"),
    Attack(
      "sorting with tonumber as the order", .limit(.time),
      "local s = ('1'):rep(4000) local t = {} for i = 1, 30000 do t[i] = i % 2 == 0 and s or '2' end while true do table.sort(t, function(a, b) return tonumber(a, 10) end) end"
    ),
    Attack(
      "sorting with os.date as the order", .limit(.time),
      "local s = ('%c'):rep(100) local t = {} for i = 1, 30000 do t[i] = s end while true do pcall(table.sort, t, function(a) return os.date(a) end) end"
    ),
    Attack(
      "the largest of many megabyte numerals", .error("longer together than one string can be"),
      "local s = ('0'):rep(1000000) local t = {} for i = 1, 20000 do t[i] = s end return math.max(table.unpack(t))"),
    Attack(
      "the smallest of many middling numerals", .error("longer together than one string can be"),
      "local s = ('0'):rep(60000) local t = {} for i = 1, 20000 do t[i] = s end while true do math.min(table.unpack(t)) end"
    ),
    Attack(
      "bytes of many megabyte numerals", .error("longer together than one string can be"),
      "local s = ('0'):rep(1000000) local t = {} for i = 1, 20000 do t[i] = s end return #string.char(table.unpack(t))"),
    Attack(
      "characters of many megabyte numerals", .error("longer together than one string can be"),
      "local s = ('0'):rep(1000000) local t = {} for i = 1, 20000 do t[i] = s end return #utf8.char(table.unpack(t))"),
    Attack(
      "packing many megabyte numerals", .error("longer together than one string can be"),
      "local s = ('0'):rep(1000000) local t = {} for i = 1, 20000 do t[i] = s end return #string.pack(('b'):rep(20000), table.unpack(t))"
    ),
    Attack(
      "formatting many megabyte numerals", .error("longer together than one string can be"),
      "local s = ('0'):rep(1000000) local t = {} for i = 1, 20000 do t[i] = s end return #string.format(('%d'):rep(20000), table.unpack(t))"
    ),
    Attack(
      "formatting a little of many megabytes", .error("longer together than one string can be"),
      "local s = ('0'):rep(1000000) local t = {} for i = 1, 20000 do t[i] = s end while true do string.format(('%.1s'):rep(20000), table.unpack(t)) end"
    ),
    Attack(
      "selecting from many values", .limit(.time),
      "local t = {} for i = 1, 8000 do t[i] = i end local function f(...) while true do local a = select(-1, ...) end end f(table.unpack(t))"
    ),
    Attack(
      "passing many values on for ever", .limit(.time),
      "local t = {} for i = 1, 8000 do t[i] = i end local function f(...) while true do select('#', ...) end end f(table.unpack(t))"
    ),
    Attack(
      "packing many values for ever", .limit(.time),
      "local t = {} for i = 1, 8000 do t[i] = i end local function f(...) while true do local u = {...} end end f(table.unpack(t))"
    ),
    Attack("a select that wraps around", .error("index out of range"), "return select(math.mininteger, 1)"),
    Attack(
      "counting the characters of a megabyte for ever", .limit(.time),
      "local s = ('x'):rep(1000000) while true do utf8.len(s) end"),
    Attack(
      "looking for a character in a megabyte of tails", .limit(.time),
      "local s = ('\\x80'):rep(1000000) local f = utf8.codes('') while true do pcall(f, s, 1) pcall(utf8.offset, s, 1, 500000) end"
    ),
    Attack(
      "all code points of a megabyte at once", .error("string slice too long"),
      "return utf8.codepoint(('x'):rep(1000000), 1, -1)"),
    Attack("all bytes of a megabyte at once", .error("string slice too long"), "return ('x'):rep(1000000):byte(1, -1)"),
    Attack("padding a pack to more than there is", .error("not enough memory"), "return string.pack('c2000000', '')"),
    Attack(
      "a pack format with sizes that overflow", .error("too large"),
      "return string.packsize(('c200000000'):rep(20))"),
    Attack(
      "a pack format as long as a block", .limitOrEnd,
      "local f = ('i1'):rep(500000) while true do string.packsize(f) end"),
    Attack(
      "unpacking as much as a block holds", .limitOrEnd,
      "local s = ('x'):rep(1000000) while true do pcall(string.unpack, s, s) end"),
    Attack(
      "numbers with all their digits for ever", .limit(.time), during: .block,
      "local t = {} for i = 1, 2000 do t[i] = 1e308 end while true do ('%99.99f'):rep(2000):format(table.unpack(t)) end"
    ),
    Attack("dates for ever", .limit(.time), "while true do os.date('%c') end"),
    Attack(
      "a date as long as a block", .error("format is too long"),
      "local f = ('%%'):rep(500000) while true do os.date(f) end"),
    Attack(
      "dates at the edges of time", .limitOrEnd,
      """
      for _, t in ipairs {0, -1, 1 << 31, 1 << 40, 1 << 62, math.maxinteger, math.mininteger} do
        pcall(os.date, "*t", t) pcall(os.date, "!%c", t) pcall(os.date, "%x %X %p", t)
      end
      """),
    Attack(
      "times of impossible dates", .result("false false false false"),
      """
      local function try(t) return (pcall(os.time, t)) end
      return try {year = math.maxinteger, month = 1, day = 1}, try {year = 2000, month = math.mininteger, day = 1},
        try {year = 2000, month = 1, day = "x"}, try {year = 2000.5, month = 1, day = 1}
      """),
    Attack("an invalid conversion in a date", .error("invalid conversion specifier"), "return os.date('%Ez')"),
    Attack(
      "quoting half a megabyte of control bytes", .limitOrEnd, during: .block,
      "local s = ('\\1'):rep(500000) while true do string.format('%q', s) end"),
  ]
}
