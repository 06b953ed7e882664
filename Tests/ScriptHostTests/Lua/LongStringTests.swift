import Expectations
import Testing

@testable import ScriptHost

// bug once: Lua's library builds a string of more than 1 KiB in a box with a `__close`.
// Its name was buried before the box was known.
@Test(
  "The library can build strings longer than its buffer",
  arguments: [
    ("#(('x'):rep(100000))", 100_000),
    ("#table.concat({('x'):rep(9000), ('y'):rep(9000)}, ',')", 18_001),
    ("#(('x'):rep(5000):gsub('x', 'yy'))", 10_000),
    ("#string.format('%s%s', ('x'):rep(5000), ('x'):rep(5000))", 10_000),
    ("#string.pack('s', ('x'):rep(5000))", 5_008),
    ("#('x'):rep(70000):upper()", 70_000),
    ("#utf8.char(table.unpack(table.move({8364}, 1, 1, 2000, {utf8.codepoint(('€'):rep(1999), 1, -1)})))", 6_000),
    ("load(function() n = (n or 0) + 1; return n < 900 and 'x = 1; ' or nil end) and n", 900),
  ])
func buildsLongStrings(expression: String, length: Int) throws {
  try withLua { lua in
    try expect(lua.run("return \(expression)").shown, is: "\(length)")
  }
}
