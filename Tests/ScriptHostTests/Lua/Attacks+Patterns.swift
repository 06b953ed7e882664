// Patterns that would take a matcher without a step count very long, or that would exhaust its stack.

extension Attack {
  static let patterns: [Attack] = [
    Attack(
      "optional items before as many items", .limit(.time), "return ('a'):rep(60):find(('a?'):rep(60) .. ('a'):rep(60))"
    ),
    Attack("stars in stars", .limit(.time), "return ('a'):rep(300):find(('a*'):rep(30) .. 'b')"),
    Attack("lazy items", .limit(.time), "return ('a'):rep(3000):find('.-.-.-.-.-b$')"),
    Attack("greedy items", .limit(.time), "return ('a'):rep(3000):match('.*.*.*.*.*b')"),
    Attack("captures that go back", .limit(.time), "return ('a'):rep(2000):find('(.*)(.*)(.*)%1%2%3b')"),
    Attack("balances that don't", .limit(.time), "return ('('):rep(1000000):find('%b()')"),
    Attack("balances from every place", .limit(.time), "local s = ('('):rep(60000) while true do s:find('%b()b') end"),
    Attack("frontiers", .result("nil"), "return ('a '):rep(5000):find(('%f[%w]%w*%s*'):rep(5) .. '!')"),
    Attack("large classes", .result("nil"), "return ('a'):rep(100000):find(('[' .. ('b'):rep(50000) .. ']'):rep(2))"),
    Attack(
      "a plain search for what almost matches", .limit(.time),
      "local s, p = ('a'):rep(1000000), ('a'):rep(500000) .. 'b' while true do s:find(p, 1, true) end"),
    Attack(
      "a search without magic for what almost matches", .limit(.time),
      "local s, p = ('a'):rep(1000000), ('a'):rep(500000) .. 'b' while true do s:find(p) end"),
    Attack(
      "matching in gmatch", .limit(.time), "for _ in ('a'):rep(60):gmatch(('a?'):rep(60) .. ('a'):rep(60)) do end"),
    Attack("matching in gsub", .limit(.time), "return ('a'):rep(60):gsub(('a?'):rep(60) .. ('a'):rep(60), '')"),
    Attack(
      "matching, caught for ever", .limit(.time),
      "while true do pcall(string.find, ('a'):rep(60), ('a?'):rep(60) .. ('a'):rep(60)) end"),
    Attack(
      "matching, counted in instructions", .limit(.instructions), milliseconds: 5000, instructions: 1_000_000,
      "return ('a'):rep(60):find(('a?'):rep(60) .. ('a'):rep(60))"),
    Attack(
      "matching as an order", .limit(.time),
      "local t = {} for i = 1, 1000 do t[i] = i % 2 == 0 and ('a'):rep(40) or ('a?'):rep(40) .. ('a'):rep(40) end table.sort(t, string.find)"
    ),
    Attack("an empty match for ever", .limit(.time), "while true do ('x'):rep(1000000):gsub('', '') end"),
    Attack(
      "an iterator of gmatch used after it failed", .limitOrEnd,
      "local f = ('x'):rep(400000):gmatch(('x?'):rep(200000)) for _ = 1, 5 do pcall(f) end"),
    Attack("more captures than there can be", .error("too many captures"), "return ('x'):find(('()'):rep(40))"),
    Attack("a pattern of parentheses", .error(""), "return ('x'):find(('('):rep(100000))"),
    Attack("a pattern that ends too early", .error("malformed pattern"), "return ('x'):find('[a')"),
    Attack("a pattern that ends in its escape", .error("malformed pattern"), "return ('x'):find('%')"),
    Attack("a balance without its bytes", .error("%b"), "return ('x'):find('%b')"),
    Attack("a capture that is not closed", .error("unfinished capture"), "return ('x'):find('(x')"),
    Attack("a capture that is not there", .error("invalid capture index"), "return ('x'):find('%1')"),
    Attack(
      "a capture in a replacement that is not there", .error("invalid capture index"), "return ('x'):gsub('x', '%2')"),
    Attack(
      "a replacement that is no text", .error("invalid replacement value"),
      "return ('x'):gsub('x', function() return {} end)"),
    Attack(
      "a start beyond the end", .result("nil nil"),
      "return ('x'):find('x', math.maxinteger), ('x'):find('x', math.maxinteger, true)"),
    Attack("a start before the beginning", .result("1 1"), "return ('x'):find('x', math.mininteger)"),
    Attack("bytes of zero in patterns", .result("2 2"), "return ('a\\0b'):find('\\0')"),
    Attack(
      "recursion in the matcher", .error("too complex"),
      "return ('x'):rep(300000):find(('(x)'):rep(30) .. ('x?'):rep(250000))"),
  ]
}
