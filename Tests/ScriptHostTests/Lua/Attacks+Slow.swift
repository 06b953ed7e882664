// Single instructions that take long: long strings, large and crowded tables.

extension Attack {
  static let slow: [Attack] = [
    Attack(
      "comparing megabytes", .limit(.time),
      "local a, b = ('x'):rep(1000000), ('x'):rep(999999) .. 'x' while true do local _ = a < b end"),
    Attack(
      "comparing megabytes of zero bytes", .limit(.time), during: .block,
      "local a, b = ('\\0'):rep(1000000), ('\\0'):rep(999999) .. '\\0' while true do local _ = a < b end"),
    Attack(
      "comparing middling strings of zero bytes", .limit(.time),
      "local a, b = ('\\0'):rep(60000), ('\\0'):rep(60000) while true do local _ = a < b end"),
    Attack(
      "comparing short strings of zero bytes", .limit(.time),
      "local a, b = ('\\0'):rep(4000), ('\\0'):rep(4000) while true do local _ = a < b end"),
    Attack(
      "are megabytes equal", .limit(.time),
      "local a, b = ('x'):rep(1000000), ('x'):rep(999999) .. 'x' while true do local _ = a == b end"),
    Attack(
      "calculating with a megabyte numeral", .limit(.time), during: .block,
      "local a = ('1'):rep(1000000) while true do local _ = a + 1 end"),
    Attack(
      "calculating with a middling numeral", .limit(.time), "local a = ('1'):rep(60000) while true do local _ = -a end"),
    Attack(
      "calculating with short numerals", .limit(.time), "local a = ('1'):rep(4000) while true do local _ = a * a end"),
    Attack(
      "a megabyte of hexadecimal digits", .limit(.time), during: .block,
      "local a = '0x' .. ('f'):rep(1000000) while true do local _ = a + 1 end"),
    Attack(
      "a megabyte of spaces for a number", .limit(.time), during: .block,
      "local a = (' '):rep(1000000) .. '1' while true do local _ = a + 1 end"),
    Attack(
      "tonumber of a megabyte", .limit(.time),
      "local a = ('1'):rep(1000000) while true do tonumber(a) tonumber(a, 36) end"),
    Attack(
      "tonumber of middling numerals", .limit(.time),
      "local a = ('1'):rep(60000) while true do tonumber(a) tonumber(a, 36) end"),
    Attack(
      "joining half a megabyte with itself", .limit(.time),
      "local a = ('x'):rep(500000) while true do local _ = a .. a end"),
    Attack(
      "reversing and raising a megabyte", .limit(.time),
      "local a = ('x'):rep(1000000) while true do a = a:reverse():upper():lower() end"),
    Attack(
      "next on a big table that was emptied", .limit(.time),
      "local t = {} for i = 1, 30000 do t['k' .. i] = i end for k in pairs(t) do t[k] = nil end while true do next(t) end"
    ),
    Attack(
      "next on a middling table that was emptied", .limit(.time),
      "local t = {} for i = 1, 2000 do t['k' .. i] = i end for k in pairs(t) do t[k] = nil end while true do next(t) end"
    ),
    Attack(
      "the length of a table with holes", .limit(.time),
      "local t = {} for i = 1, 30000 do t[i] = i end for i = 1, 29999 do t[i] = nil end while true do local _ = #t end"),
    Attack(
      "keys that collide", .limit(.time), during: .rehash, milliseconds: 200,
      "while true do local t, m = {}, (1 << 15) - 1 for i = 1, 32767 do t[i * m] = i end end"),
    Attack(
      "keys that collide as floats", .limitOrEnd, during: .rehash, milliseconds: 200,
      "local t = {} for i = 1, 32767 do t[i * 2.0 ^ 40 + 0.5] = i end"),
    Attack(
      "reading from a crowded table in a straight line", .limit(.time), during: .block,
      """
      local m, t = (1 << 14) - 1, {}
      for i = 1, 12000 do t[i * m] = i end
      load("local t, k = ... local x while true do " .. ("x = t[k] "):rep(2000) .. " end")(t, 20000 * m)
      """),
    Attack(
      "reading from a small crowded table in a straight line", .limit(.time), milliseconds: 100,
      """
      local m, t = (1 << 11) - 1, {}
      for i = 1, 2047 do t[i * m] = i end
      load("local t, k = ... local x while true do " .. ("x = t[k] "):rep(2000) .. " end")(t, 20000 * m)
      """),
    Attack(
      "a chain of __index through a crowded table", .limit(.time), during: .block, milliseconds: 100,
      """
      local m, t = (1 << 11) - 1, {}
      for i = 1, 2047 do t[i * m] = i end
      setmetatable(t, {__index = t})
      local k = 20000 * m
      while true do pcall(function() return t[k] end) end
      """),
    Attack(
      "a chain of __newindex that ends in itself", .limit(.time),
      "local t = {} setmetatable(t, {__newindex = t}) while true do pcall(function() t.x = 1 end) end"),
    Attack(
      "a chain of __index that ends in itself", .error("'__index' chain too long"),
      "local t = {} setmetatable(t, {__index = t}) return t.x"),
    Attack(
      "a thing that is called by itself", .limitOrEnd, during: .block,
      "local t = setmetatable({}, {}) getmetatable(t).__call = t pcall(t)"),
    Attack(
      "keys that are long strings", .limit(.time),
      "local t, s = {}, ('x'):rep(500000) while true do t[s .. 'a'] = 1 t[s .. 'a'] = nil end"),
    Attack(
      "remainders of far apart numbers", .limit(.time),
      "local x while true do x = 1e308 % 5e-324 x = 1e308 % 3e-320 x = -1e308 % 7e-322 end"),
    Attack(
      "powers and roots", .limit(.time), "local x while true do x = (1 + 1e-15) ^ 1e18 x = math.fmod(1e308, 3e-310) end"
    ),
    Attack(
      "a table that grows and shrinks at its edge", .limit(.time),
      "local t = {} for i = 1, 8191 do t['k' .. i] = 1 end local n = 0 while true do n = n + 1 t[n + 0.5] = 1 t[n + 0.5] = nil end"
    ),
    Attack(
      "big buffers that come and go between two looks", .limit(.time),
      """
      local small, large = ("x"):rep(40000), ("x"):rep(150000)
      local raise = {__index = function() error() end}
      local a = setmetatable({small, small}, raise)
      local b = setmetatable({large, large, large, large}, raise)
      while true do pcall(table.concat, a, "", 1, 3) pcall(table.concat, b, "", 1, 5) end
      """),
    Attack(
      "a chain of two thousand __index in a straight line", .limit(.time),
      """
      local t = {}
      for _ = 1, 1990 do t = setmetatable({}, {__index = t}) end
      load("local t = ... local x while true do " .. ("x = t.y "):rep(2000) .. " end")(t)
      """),
    Attack(
      "a chain of __index through many crowded tables, in a straight line", .limit(.time), during: .block,
      milliseconds: 3000,
      """
      local m, t = (1 << 11) - 1, {}
      for _ = 1, 300 do
        t = setmetatable({}, {__index = t})
        for i = 1, 2047 do t[i * m] = i end
      end
      load("local t, k = ... local x while true do " .. ("x = t[k] "):rep(2000) .. " end")(t, 20000 * m)
      """),
    Attack(
      "two hundred thousand short strings at once", .result("200000"), milliseconds: 2000,
      """
      local all, n = {}, 0
      for _ = 1, 10 do
        local t = {}
        for i = 1, 20000 do n = n + 1 t[i] = "s" .. n end
        all[#all + 1] = t
      end
      return n
      """),
  ]
}
