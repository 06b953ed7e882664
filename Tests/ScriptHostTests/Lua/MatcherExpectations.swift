import Testing

/// A chunk with its results, written from the manual, sections 6.4 and 6.4.1.
struct Expectation: CustomTestStringConvertible {
  let chunk: String
  let result: String

  var testDescription: String { chunk }

  init(_ chunk: String, _ result: String) {
    self.chunk = chunk
    self.result = result
  }

  static let manual = finding + matching + looping + replacing + classes + sets + refusals

  private static let finding = [
    Expectation("return string.find('hello', 'l')", "3 3"),
    Expectation("return string.find('hello', 'l', -2)", "4 4"),
    Expectation("return string.find('hello', 'h', -100)", "1 1"),
    Expectation("return string.find('hello', '', 6)", "6 5"),
    Expectation("return string.find('hello', '', 7)", "nil"),
    Expectation("return string.find('', '')", "1 0"),
    Expectation("return string.find('a.b', '.', 2)", "2 2"),
    Expectation("return string.find('ab.', '.', 1, true)", "3 3"),
    Expectation("return string.find('a+b', '+', 1, true)", "2 2"),
    Expectation("return string.find('key = value', '(%w+)%s*=%s*(%w+)')", "1 11 key value"),
    Expectation("return string.find('a\\0b\\0c', '\\0c')", "4 5"),
    Expectation("return string.find('hello', '^l')", "nil"),
    Expectation("return string.find('hello', '^l', 3)", "3 3"),
    Expectation("return string.find('a)b', ')')", "2 2"),
    Expectation("return string.find(1234, 23)", "2 3"),
    Expectation("return string.find('abc', 'b', '2')", "2 2"),
    Expectation("return string.find('abc', 'c', math.mininteger)", "3 3"),
    Expectation("return string.find('abc', 'c', math.maxinteger)", "nil"),
  ]

  private static let matching = [
    Expectation("return string.match('flaaap', '()aa()')", "3 5"),
    Expectation("return string.match('THE (quick) fox', '%((%a+)%)')", "quick"),
    Expectation("return string.match('  trim me  ', '^%s*(.-)%s*$')", "trim me"),
    Expectation("return string.match('f(a(b)c)d)', '%b()')", "(a(b)c)"),
    Expectation("return string.match('(unclosed', '%b()')", "nil"),
    Expectation("return string.match([[say \"it's\"]], [[([\"'])(.-)%1]])", "\" it's"),
    Expectation("return string.match('THE (quick) fox', '%f[%a]%a+%f[%A]', 5)", "quick"),
    Expectation("return string.match('end', '%f[%z]()')", "4"),
    Expectation("return string.match('nested', '((n)(e))')", "ne n e"),
    Expectation("return string.match('aaa', 'a-')", ""),
    Expectation("return string.match('aaa', '^a-$')", "aaa"),
    Expectation("return string.match('aaab', 'a*ab')", "aaab"),
    Expectation("return string.match('ac', 'ab?c')", "ac"),
    Expectation("return string.match('a$b', 'a$b')", "a$b"),
    Expectation("return string.match('a^b', 'a^b')", "a^b"),
    Expectation("return string.match('x*', '.**')", "x*"),
    Expectation("return string.match('xx', '()%1')", "nil"),
    Expectation("return string.match('x', ('()'):rep(32)) == 1", "true"),
    Expectation("return string.match('hello', '.', 9)", "nil"),
  ]

  private static let looping = [
    Expectation(
      "local t = {} for w in ('one two'):gmatch('%a+') do t[#t + 1] = w end return #t, t[1], t[2]", "2 one two"),
    Expectation("local t = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do t[k] = v end return t.a, t.b", "1 2"),
    Expectation("local n = 0 for _ in ('abc'):gmatch('') do n = n + 1 end return n", "4"),
    Expectation(
      "local t = {} for p in ('abc'):gmatch('()') do t[#t + 1] = p end return table.concat(t, ',')", "1,2,3,4"),
    Expectation(
      "local t = {} for w in ('^a^a'):gmatch('^a') do t[#t + 1] = w end return table.concat(t, ',')", "^a,^a"),
    Expectation(
      "local t = {} for w in ('xuxx uu'):gmatch('x*') do t[#t + 1] = w end return table.concat(t, ',')", "x,xx,,,"),
    Expectation("local t = {} for w in ('abcd'):gmatch('%a', 3) do t[#t + 1] = w end return table.concat(t)", "cd"),
    Expectation("local t = {} for w in ('abcd'):gmatch('%a', -1) do t[#t + 1] = w end return table.concat(t)", "d"),
    Expectation("return select('#', ('abc'):gmatch('b', 10)())", "0"),
    Expectation("local turn = ('ab'):gmatch('b') turn() return select('#', turn()), select('#', turn())", "0 0"),
  ]

  private static let replacing = [
    Expectation("return string.gsub('hello world', '(%w+)', '%1 %1')", "hello hello world world 2"),
    Expectation("return string.gsub('hello world', '%w+', '%0 %0', 1)", "hello hello world 1"),
    Expectation("return string.gsub('hello world', '(%w+)%s*(%w+)', '%2 %1')", "world hello 1"),
    Expectation("return string.gsub('4+5', '%d', function(d) return d * 2 end)", "8+10 2"),
    Expectation("return string.gsub('$name-$version', '%$(%w+)', {name = 'lua', version = 5.4})", "lua-5.4 2"),
    Expectation("return string.gsub('$a $b', '%$(%w+)', {a = false})", "$a $b 2"),
    Expectation("return string.gsub('ab', '', '-')", "-a-b- 3"),
    Expectation("return string.gsub('abc', '%w', '%%%0')", "%a%b%c 3"),
    Expectation("return string.gsub('abc', '()', '%1')", "1a2b3c4 4"),
    Expectation("return string.gsub('abc', 'b', '%1')", "abc 1"),
    Expectation("return string.gsub('aaa', '^a', 'b')", "baa 1"),
    Expectation("return string.gsub('aaa', 'a', 'b', 0)", "aaa 0"),
    Expectation("return string.gsub('aaa', 'a', 'b', -1)", "aaa 0"),
    Expectation("return string.gsub('hello', 'x*', '-')", "-h-e-l-l-o- 6"),
    Expectation("return string.gsub('abc', 'b', 7)", "a7c 1"),
    Expectation("return string.gsub('abc', 'b', '\\0') == 'a\\0c'", "true"),
    Expectation(
      "return string.gsub('abc', '%w', setmetatable({}, {__index = function(_, k) return k:upper() end}))", "ABC 3"),
    Expectation("return string.gsub('abc', '(a)(b)(c)', function(...) return select('#', ...) end)", "3 1"),
    Expectation("return string.gsub('abc', 'b', function() end)", "abc 1"),
  ]

  private static let classes = [
    Expectation("return (string.gsub('a1 B_\\n', '%a', '.'))", ".1 ._\n"),
    Expectation("return (string.gsub('a1 B_', '%A', '.'))", "a..B."),
    Expectation("return (string.gsub('a1 B_', '%w', '.'))", ".. ._"),
    Expectation("return (string.gsub('a1 B_!', '%p', '.'))", "a1 B.."),
    Expectation("return (string.gsub('fF9gG', '%x', '.'))", "...gG"),
    Expectation("return (string.gsub('aB', '%u', '.')), (string.gsub('aB', '%l', '.'))", "a. .B"),
    Expectation("return (string.gsub('a b\\127', '%g', '.'))", ". .\u{7f}"),
    Expectation("return (string.gsub('a\\tb\\127', '%c', '.'))", "a.b."),
    Expectation("return select(2, string.gsub('\\0a\\0', '%z', ''))", "2"),
    Expectation("return select(2, string.gsub('\\128\\200\\255', '%W', ''))", "3"),
    Expectation("return string.match('B', '%B')", "B"),
  ]

  private static let sets = [
    Expectation("return string.match('a]b', '[]]')", "]"),
    Expectation("return string.match(']a', '[^]]')", "a"),
    Expectation("return string.match('x-', '[a-]')", "-"),
    Expectation("return string.match('x-', '[%a-z]+')", "x-"),
    Expectation("return string.match('x_9', '[%w_]+')", "x_9"),
    Expectation("return string.match('0x1F', '[0-9a-fA-F]+$')", "1F"),
    Expectation("return string.match('a^', '[a^]+')", "a^"),
    Expectation("return string.match('%', '[%%]')", "%"),
    Expectation("return string.match('b', '[z-a]')", "nil"),
    Expectation("return string.match(']', '[a-%]]')", "]"),
  ]

  private static let refusals = [
    Expectation("return pcall(string.find, 'a', '%')", "false malformed pattern (ends with '%')"),
    Expectation("return pcall(string.find, 'a', '[a')", "false malformed pattern (missing ']')"),
    Expectation("return pcall(string.find, 'a', '[]')", "false malformed pattern (missing ']')"),
    Expectation("return pcall(string.find, 'a', '[^]')", "false malformed pattern (missing ']')"),
    Expectation("return pcall(string.find, 'a', '%b(')", "false malformed pattern (missing arguments to '%b')"),
    Expectation("return pcall(string.find, 'a', '%fa')", "false missing '[' after '%f' in pattern"),
    Expectation("return pcall(string.match, 'a', 'a)')", "false invalid pattern capture"),
    Expectation("return pcall(string.find, 'a', '(a')", "false unfinished capture"),
    Expectation("return pcall(string.find, 'a', '%1')", "false invalid capture index %1"),
    Expectation("return pcall(string.find, 'a', '(%1)')", "false invalid capture index %1"),
    Expectation("return pcall(string.find, 'a', '%0')", "false invalid capture index %0"),
    Expectation("return pcall(string.find, 'a', ('()'):rep(33))", "false too many captures"),
    Expectation("return string.find('a', 'b[')", "nil"),
    Expectation("return pcall(string.find, ('a'):rep(300), ('a?'):rep(200))", "false pattern too complex"),
    Expectation("return string.find(('a'):rep(300), ('a?'):rep(199))", "1 199"),
    Expectation("return pcall(string.find, 'a', ('a-'):rep(200))", "false pattern too complex"),
    Expectation("return string.find('b', ('a?'):rep(2000) .. 'b')", "1 1"),
    Expectation("return pcall(string.gsub, 'a', 'a', '%2')", "false invalid capture index %2"),
    Expectation("return pcall(string.gsub, 'a', 'a', '%x')", "false invalid use of '%' in replacement string"),
    Expectation("return pcall(string.gsub, 'a', 'a', '%')", "false invalid use of '%' in replacement string"),
    Expectation("return pcall(string.gsub, 'a', '(a', '%1')", "false unfinished capture"),
    Expectation("return pcall(string.gsub, 'a', '(a', 'b')", "true b 1"),
    Expectation(
      "return pcall(string.gsub, 'a', 'a', function() return {} end)", "false invalid replacement value (a table)"),
    Expectation("return pcall(string.gsub, 'a', 'a', {a = true})", "false invalid replacement value (a boolean)"),
    Expectation(
      "string.find(nil, 'a')",
      "[string \"string.find(nil, 'a')\"]:1: bad argument #1 to 'find' (string expected, got nil)"),
    Expectation(
      "string.match('a')",
      "[string \"string.match('a')\"]:1: bad argument #2 to 'match' (string expected, got no value)"),
    Expectation(
      "string.find('a', 'a', 1.5)",
      "[string \"string.find('a', 'a', 1.5)\"]:1: bad argument #3 to 'find' (number has no integer representation)"),
    Expectation(
      "('a'):gsub('a', true)",
      "[string \"('a'):gsub('a', true)\"]:1: bad argument #2 to 'gsub' (string/function/table expected, got boolean)"),
    Expectation(
      "('a'):gsub('a', true, {})",
      "[string \"('a'):gsub('a', true, {})\"]:1: bad argument #3 to 'gsub' (number expected, got table)"),
    Expectation(
      "string.gmatch('a', 'a', {})",
      "[string \"string.gmatch('a', 'a', {})\"]:1: bad argument #3 to 'gmatch' (number expected, got table)"),
  ]
}

/// A search that would hold stock Lua for long or for ever.
struct Hostile: CustomTestStringConvertible {
  let chunk: String
  let payments: UInt64?  // at least; nil if no allowance sees the end of it

  var testDescription: String { chunk }

  static func endless(_ chunk: String) -> Hostile { Hostile(chunk: chunk, payments: nil) }

  static func long(_ chunk: String, _ payments: UInt64) -> Hostile { Hostile(chunk: chunk, payments: payments) }

  static let all: [Hostile] = [
    .endless("string.find(('a'):rep(60), ('a?'):rep(60) .. ('a'):rep(60))"),
    .endless("string.find(('a'):rep(2000), '.-.-.-.-b$')"),
    .endless("string.match(('a'):rep(2000), '(.*)(.*)(.*)(.*)b')"),
    .endless("string.match(('a'):rep(2000), '[a-z]*[a-z]*[a-z]*%f[b]')"),
    .endless("for _ in string.gmatch(('a'):rep(2000), 'a-a-a-a-b') do end"),
    .endless("string.gsub(('a'):rep(2000), 'a*a*a*a*b', '')"),
    .endless("string.find(('('):rep(100000), '%b()')"),
    .endless("string.find(('('):rep(100000), '%b()%b()%b()')"),
    .endless("string.find(('a'):rep(100000), ('.'):rep(50000) .. 'b')"),
    .endless("string.find(('a'):rep(500000), '(a*)%1b')"),
    .endless("string.find(('a'):rep(1 << 20), ('a'):rep(1 << 19) .. 'b' .. ('a'):rep(300), 1, true)"),
    .endless("local p = '[' .. ('ab'):rep(100000) .. ']' string.find(('a'):rep(1000), p:rep(9) .. p .. 'c')"),
    .long("string.find(('a'):rep(1 << 20), ('a'):rep(40) .. 'b', 1, true)", 60),
    .long("string.find(('a'):rep(1 << 20), 'b' .. ('a'):rep(255), 1, true)", 60),
    .long("string.find(('ab'):rep(1 << 19), ('ab'):rep(100) .. 'b', 1, true)", 60),
    .long("string.find(('a'):rep(1 << 20), 'b')", 60),
    .long("string.find('a', ('b'):rep(1 << 20))", 60),
    .long("string.find(('a'):rep(1 << 20), '^%a*$')", 1000),
    .long("string.find(('a'):rep(1 << 20), '[0-9]')", 1000),
    .long("string.gsub(('a'):rep(1 << 20), '', '')", 1000),
    .long("string.gsub(('a'):rep(1 << 20), '', '-')", 1000),
    .long("string.gsub(('a'):rep(1 << 20), 'b*', '')", 1000),
    .long("string.gsub(('a'):rep(1000), 'a', ('x'):rep(10000))", 500),
    .long("local s = ('a'):rep(1 << 20) for _ = 1, 100 do s:match('.*') end", 100),
    .long("local s = ('ab'):rep(50) for _ = 1, 10000 do s:find('b$') end", 100),
  ]
}

/// A pattern from usual scripts, in a loop.
struct Usual {
  let name: String
  let chunk: String

  init(_ name: String, _ subject: String, _ call: String, turns: Int = 100_000) {
    self.name = name
    chunk = """
      local find, match, gmatch, gsub = string.find, string.match, string.gmatch, string.gsub
      local s, t, f = \(subject), {name = 'x', age = 3}, function(x) return x end
      for _ = 1, \(turns) do \(call) end
      """
  }

  private static let prose = "('lorem ipsum dolor sit amet '):rep(20)"
  private static let fox = "'the quick brown fox jumps over the lazy dog'"

  static let all: [Usual] = [
    Usual("plain find", fox, "find(s, 'lazy', 1, true)"),
    Usual("find without specials", fox, "find(s, 'lazy')"),
    Usual("plain find in 64 KiB", "('abcdefgh'):rep(8192) .. 'needle'", "find(s, 'needle', 1, true)", turns: 500),
    Usual("key = value", "'some_key = some value'", "match(s, '([%w_]+)%s*=%s*(.-)%s*$')"),
    Usual("trim", "'   hello there world   '", "match(s, '^%s*(.-)%s*$')"),
    Usual("words by gmatch", prose, "for _ in gmatch(s, '%a+') do end", turns: 2000),
    Usual("fields by gmatch", "('alpha,beta,gamma,'):rep(20)", "for _ in gmatch(s, '([^,]*),') do end", turns: 2000),
    Usual("spaces by gsub", prose, "gsub(s, '%s+', '_')", turns: 2000),
    Usual("gsub with captures", "'hello world from lua'", "gsub(s, '(%w+) (%w+)', '%2 %1')"),
    Usual("gsub with a table", "'$name is $age years old'", "gsub(s, '%$(%w+)', t)"),
    Usual("gsub with a function", "'$name is $age years old'", "gsub(s, '%$(%w+)', f)"),
    Usual("gsub that escapes", "'a.b*c+d-e(f)g'", "gsub(s, '%p', '%%%0')"),
    Usual("date", "'2024-01-02T03:04:05'", "match(s, '(%d+)%-(%d+)%-(%d+)T(%d+):(%d+):(%d+)')"),
    Usual("file name", "'/usr/share/lib/file.tar.gz'", "match(s, '^.+/(.-)%.([^.]*)$')"),
    Usual("brackets", "'call(f(x), g(y(z)))'", "match(s, '%b()')"),
    Usual("frontier", "'THE (quick) fox'", "find(s, '%f[%a]%a+%f[%A]')"),
    Usual("quotes", "[[x = \"it's\" .. 'y']]", "match(s, '([\"\\'])(.-)%1')"),
    Usual("no match", fox, "find(s, '[0-9]+x')"),
    Usual("class over 1 MiB", "('abc1'):rep(1 << 18)", "find(s, '^%w*$')", turns: 3),
    Usual("lazy over 10 KB", prose + ":rep(18) .. 'END'", "match(s, '^(.-)END')", turns: 200),
    Usual("one character", "'abc'", "match(s, '.')"),
    Usual("empty pattern", "('x'):rep(1024)", "gsub(s, '', '-')", turns: 500),
  ]
}
