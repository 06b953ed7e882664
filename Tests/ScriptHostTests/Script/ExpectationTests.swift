import Expectations
import Testing

@testable import ScriptHost

/// The result of a test with one body: `passed`, or the failures, one line each.
private func outcome(of body: String) throws -> String {
  let file = try ScriptTestFile(text: "test('it', function(app)\n\(body)\nend)", name: "x_test.lua")
  let result = file.run(file.tests[0])
  if result.status == .skipped { return "skipped: \(result.reason ?? "")" }
  if result.status == .passed { return "passed" }
  return result.failures.map { failure in
    let parts = failure.differences.dropFirst(0).map { "\($0.path): \($0.expected) ≠ \($0.found)" }
    let more = failure.moreDifferences > 0 ? ["… \(failure.moreDifferences)"] : []
    return ([failure.failure.message] + (parts.count > 1 ? parts + more : [])).joined(separator: "\n")
  }.joined(separator: "\n")
}

@Suite("Expectations")
struct ExpectationTests {
  @Test("Each expectation passes, or its failure has the right message", arguments: expectations)
  func expectation(_ body: String, _ expected: String) throws {
    try expect(outcome(of: body), is: expected, "\(body)")
  }
}

private let expectations: [(String, String)] = [
  // is
  ("expect(1):is(1)", "passed"), ("expect(1):is(1.0)", "passed"), ("expect(0/0):is(0/0)", "passed"),
  ("expect('1'):is(1)", "expected 1, found \"1\""), ("expect(nil):is(false)", "expected false, found nil"),
  ("expect(9007199254740993):is(9007199254740992.0)", "expected 9007199254740992.0, found 9007199254740993"),
  ("expect('é'):is('e\\u{301}')", "expected \"e\u{301}\", found \"é\" in other characters"),
  ("expect(null):is(null)", "passed"), ("expect(nil):is(null)", "expected null, found nil"),
  ("expect(pass):is(pass)", "passed"), ("expect(app):is(app:find('app'))", "passed"),
  ("expect(app):is({})", "expected {}, found app 'app'"),
  ("expect(print):is(print)", "passed"), ("expect(print):is(log)", "expected a function, found another function"),
  ("expect('\\xff'):is('\\xff')", "passed"),
  ("expect('\\xff'):is('\\xfe')", "expected a string of 1 bytes that are not UTF-8, found another string"),
  ("expect({}):is({})", "passed"), ("expect({ 1, { a = { 2 } } }):is({ 1, { a = { 2 } } })", "passed"),
  ("expect({ 1, { a = { 2 } } }):is({ 1, { a = { 3 } } })", "at [2].a[1]: expected 3, found 2"),
  ("expect({ 1, 2 }):is({ 1 })", "at [2]: expected nil, found 2"),
  ("expect({ 1 }):is({ 1, 2 })", "at [2]: expected 2, found nil"),
  (
    "expect({ b = 1, a = 2, [3] = 3, ['two words'] = 4, [true] = 5, [1.5] = 6 }):is({})",
    """
    at [3]: expected nil, found 3 (and 5 more differences)
    [3]: nil ≠ 3
    [1.5]: nil ≠ 6
    .a: nil ≠ 2
    .b: nil ≠ 1
    ["two words"]: nil ≠ 4
    [true]: nil ≠ 5
    """
  ),
  (
    "local t = {} for i = 1, 20 do t[i] = i end expect(#t):is(20) local u = {} for i = 1, 13 do u[i] = 0 end expect(u):is({})",
    "at [1]: expected nil, found 0 (and 12 more differences)\n"
      + (1...10).map { "[\($0)]: nil ≠ 0\n" }.joined() + "… 3"
  ),
  ("local a, b = {}, {} a.me, b.me = a, b expect(a):is(b)", "passed"),
  ("local a, b = { n = 1 }, { n = 2 } a.me, b.me = a, b expect(a):is(b)", "at .n: expected 2, found 1"),
  (
    "local t = setmetatable({ 1 }, { __index = { 2 }, __eq = function() return true end }) expect(t):is({ 1 })",
    "passed"
  ),
  (
    "local t = {} for i = 1, 70 do t = { t } end local u = {} for i = 1, 70 do u = { u } end expect(t):is(u)",
    "values that are nested more than 64 deep can't be compared"
  ),
  (
    "local t, u = {}, {} for i = 1, 3 do t[i], u[i] = {}, {} for j = 1, 40000 do t[i][j], u[i][j] = j, j end end expect(t):is(u)",
    "values of more than 100000 parts can't be compared"
  ),
  (
    "local a = ('x'):rep(100) expect(a .. 'y' .. a):is(a .. 'z')",
    "expected …\"xxxxxxxxxxxxxxxxxxxxz\", found …\"xxxxxxxxxxxxxxxxxxxxyxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"…"
  ),
  ("expect('a\\n\\27[31m\\\"\\\\'):is(1)", "expected 1, found \"a\\n\\u{1B}[31m\\\"\\\\\""),
  ("expect({ 1, 'x', { { { {} } } }, n = 2 }):is(1)", "expected 1, found {1, \"x\", {{{…}}}, n = 2}"),
  ("expect(1):is()", "is takes the expected value; for nil write is_nil()"),
  // isnt
  ("expect(1):isnt(2)", "passed"), ("expect({ 1 }):isnt({ 1 })", "expected anything but {1}"),
  // is_true, is_false, is_nil
  ("expect(true):is_true()", "passed"), ("expect(1):is_true()", "expected true, found 1"),
  ("expect(false):is_false()", "passed"), ("expect(nil):is_false()", "expected false, found nil"),
  ("expect(nil):is_nil()", "passed"), ("expect():is_nil()", "passed"),
  ("expect(false):is_nil()", "expected nil, found false"),
  ("expect(true):is_true(1)", "is_true takes no value; to compare with one write is(x)"),
  // contains
  ("expect('abc'):contains('b')", "passed"), ("expect('a.c'):contains('.')", "passed"),
  ("expect('abc'):contains('.')", "expected \"abc\" to contain \".\""),
  ("expect('abc'):contains(1)", "to look into a string, 'contains' takes a string, not a number"),
  ("expect({ 1, { 2 } }):contains({ 2 })", "passed"), ("expect({ a = 1 }):contains(1)", "passed"),
  ("expect({ a = 1 }):contains('a')", "expected {a = 1} to contain \"a\""),
  ("expect(nil):contains(1)", "expected a string or a table that contains 1, found nil"),
  // matches
  ("expect('abc'):matches('^a.c$')", "passed"), ("expect('abc'):matches('^b')", "expected \"abc\" to match \"^b\""),
  ("expect(1):matches('1')", "expected a string that matches \"1\", found 1"),
  ("expect('a'):matches('[')", "the pattern can't be used: malformed pattern (missing ']')"),
  ("expect('a'):matches(nil)", "a pattern must be a string, not nil"),
  // raises
  ("expect(function() error('boom') end):raises()", "passed"),
  ("expect(function() error('boom') end):raises('^boom$')", "passed"),
  ("expect(function() error('boom') end):raises('^x_test.lua:2: boom$')", "passed"),
  ("expect(function() error({ message = 'boom' }) end):raises('boom')", "passed"),
  ("expect(function() error('boom') end):raises('bang')", "expected an error that matches \"bang\", found \"boom\""),
  ("expect(function() end):raises()", "expected an error, but the function raised none"),
  ("expect(function() end):raises('x')", "expected an error that matches \"x\", but the function raised none"),
  ("expect(1):raises()", "raises needs a function: expect(function() … end):raises(), not a number"),
  ("expect(function() expect(1):is(2) end):raises()", "expected 2, found 1"),
  ("expect(function() skip('later') end):raises()", "skipped: later"),
  ("expect(function() app.nxt.x = 1 end):raises('nil value')", "passed"),
  // is_near
  ("expect(1.05):is_near(1, 0.1)", "passed"), ("expect(1):is_near(1, 0)", "passed"),
  ("expect(1.2):is_near(1, 0.1)", "expected 1 ± 0.1, found 1.2"),
  ("expect('1'):is_near(1, 1)", "expected 1 ± 1, found \"1\""),
  ("expect(0/0):is_near(0/0, 1)", "expected nan ± 1, found nan"), ("expect(math.huge):is_near(math.huge, 0)", "passed"),
  ("expect(1):is_near(1)", "is_near takes the greatest distance second, a number from 0 on: is_near(1, 0.01)"),
  ("expect(1):is_near('x', 1)", "is_near takes a number, not a string"),
  // Misspelt and caught expectations
  ("expect(1)", "this expect(…) checks nothing; say what you expect: expect(x):is(1)"),
  ("expect(1):iz(1)", "an expectation has no 'iz'; did you mean 'is'?"),
  ("expect(app:validate('x')).result:is(1)", "expect takes the value itself: expect(outcome.result):is(…)"),
  ("expect(1).is(1)", "call it with a colon: expect(x):is(…)"),
  ("expect(1).is = 1", "an expectation can't be assigned; call it with a colon: expect(x):is(1)"),
  ("expct(1)", "'expct' is not defined; did you mean 'expect'?"),
  ("expect(1):is(1):isnt(2)", "passed"), ("pcall(function() expect(1):is(2) end)", "expected 2, found 1"),
  ("pcall(function() expect(1):is(2) end) error('and more', 0)", "expected 2, found 1\nand more"),
  ("function app.on:x() expect(1):is(2) end app:perform('x')", "expected 2, found 1"),
  ("skip('no')", "skipped: no"), ("pcall(skip, 'no')", "skipped: no"),
  ("skip()", "the reason of 'skip' must be a string, not nil"),
  ("test('inner', print)", "call 'test' outside of tests: the host must know all tests before it runs one"),
  ("subject('x.lua')", "call 'subject' outside of tests: the host must know all tests before it runs one"),
]
