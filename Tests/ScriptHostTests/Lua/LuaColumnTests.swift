import Expectations
import Testing

@testable import ScriptHost

@Test("The column is that of the name in the message, if it occurs once in the line")
func columns() {
  let cases: [(message: String, line: String, column: Int?)] = [
    ("attempt to index a nil value (global 'x')", "x.y = 1", 1),
    ("attempt to index a nil value (field 'name')", "  print(a.name.first)", 11),
    ("attempt to index a nil value (field 'name')", "  print(a.name, b.name.first)", nil),
    ("attempt to call a nil value (method 'go')", "going:go()", 7),
    ("attempt to call a nil value (global 'a')", "aa, a_a = a1(), 1", nil),
    ("attempt to call a nil value (global 'a')", "aa = a(1)", 6),
    ("unexpected symbol near '='", "x = 1 == = 2", nil),
    ("unexpected symbol near ')'", "f(1, )", 6),
    ("unexpected symbol near '}'", "ä€ = }", 6),
    ("'end' expected near <eof>", "if ä then", 10),
    ("'end' expected near 'else'", "else", 1),
    ("unfinished string near ''abc'", "x = 'abc", 5),
    ("'foo' is not defined", "  print(foo)", 9),
    ("'fo' is not defined; did you mean 'foo'?", "foo(fo)", 5),
    ("'fo' is not defined; did you mean 'foo'?", "fo(fo)", nil),
    ("'fo' is not defined", "self.fo = app:fo() .. fo", 23), ("'fo' is not defined", "a.fo = 'x'..fo", 13),
    ("attempt to call a nil value (global 'fo')", "a.fo = fo()", 8),
    ("attempt to index a nil value (field 'fo')", "fo = a.fo.x", nil),
    ("boom", "error('boom')", nil),
    ("it's", "error(\"it's\")", nil),
    ("''", "x = ''", nil),
    ("'", "'", nil),
    (")", ")", nil),
    ("", "", nil),
    ("near '\u{FFFD}'", "x = \u{FFFD}", 5),
  ]
  for (message, line, column) in cases {
    expect(LuaColumn.find(message: message, line: line), is: column, "\(message) in \(line)")
  }
}
