import Expectations
import Testing

@testable import ScriptHost

@Suite("json.read, json.write and lines need no grant")
struct DataScriptTests {
  private func printed(_ script: String) throws -> [String] {
    let host = ScriptHost()
    var lines: [String] = []
    host.onPrint = { lines.append($0) }
    try host.load(text: script, name: "app.lua")
    return lines
  }

  @Test("json.read returns tables, and null inside and outside of them")
  func reads() throws {
    let lines = try printed(
      """
      local t = json.read('{"a": [1, 2.0, -3e2, true, null, "\\\\u00e9\\\\ud83d\\\\ude00"], "b": {}, "2": "two"}')
      print(t.a[1], t.a[2], t.a[3], t.a[4], t.a[5] == null, t.a[6], next(t.b), t["2"], #t.a)
      print(json.read("null") == null, json.read(" 7 "), math.type(json.read("9223372036854775808")))
      """)
    expect(lines, is: ["1\t2.0\t-300.0\ttrue\ttrue\té😀\tnil\ttwo\t6", "true\t7\tfloat"])
  }

  @Test(
    "json.read returns nil and the position of the mistake",
    arguments: [
      ("'[1, ]'", "line 1, column 5: a value can't begin like this"), ("''", "line 1, column 1: a value is missing"),
      (#"'{"a": 1,\n"a": 2}'"#, "line 2, column 1: 'a' is here twice"),
      ("'\\xff'", "line 1, column 1: this is not UTF-8"), ("'1 2'", "there is text after the value"),
      ("('['):rep(200)", "this is nested more than 128 deep"),
    ])
  func refuses(_ text: String, _ message: String) throws {
    let lines = try printed("print(json.read(\(text)))")
    expect(lines.count == 1 && lines[0].hasPrefix("nil\t") && lines[0].contains(message), "\(lines)")
  }

  @Test(
    "json.write writes lists, tables by sorted names and numbers by type, and escapes control characters"
  )
  func writes() throws {
    let lines = try printed(
      """
      print(json.write { b = { 1, 2.0, null, true, {} }, a = "\\27\\"\\n", ["ü"] = -0.5 })
      print(json.write("x"), json.write(null), json.write(nil), json.write(math.mininteger))
      local text = '{"a": [1, [2, {"b": false}]], "c": "ü"}'
      print(json.write(json.read(text)) == text)
      """)
    expect(
      lines,
      is: [
        #"{"a": "\u001b\"\n", "b": [1, 2.0, null, true, {}], "ü": -0.5}"#, "\"x\"\tnull\tnull\t-9223372036854775808",
        "true",
      ])
  }

  @Test(
    "json.write raises for values that JSON can't represent, and names their position",
    arguments: [
      ("{ a = { print } }", "value.a[1] is a function: JSON can't say it"),
      ("{ ['a b'] = 0/0 }", #"value["a b"] is NaN: JSON can't say it"#), ("1/0", "value is infinite"),
      ("{ 1, x = 2 }", "value.x is a named field of a list"),
      ("{ [5] = 1 }", "value[5] has a number as key, but the table is no list"),
      ("{ [true] = 1 }", "value[true] has a boolean as key"),
      ("'\\xff'", "value is a string that is not UTF-8"), ("app", "value is an object or has a metatable"),
      ("setmetatable({}, {})", "value is an object or has a metatable"),
      ("coroutine.create(print)", "value is a thread"),
      ("(function() local t = {} t.t = t return t end)()", "value.t holds itself"),
      (
        "(function() local t = {} local u = t for _ = 1, 70 do u.u = {} u = u.u end return t end)()",
        "nested more than 64 deep"
      ),
      (
        "(function() local t = {} for i = 1, 300 do t[i] = { ('x'):rep(4000) } end return t end)()",
        "it has more than 1048576 bytes"
      ),
      ("('\\1'):rep(400000)", "as JSON the value would have 2400002 bytes"),
      ("(function() local t = {} t[1], t[2], t[4] = 1, 2, 4 return t end)()", "value"),
    ])
  func cannotWrite(_ value: String, _ message: String) throws {
    let lines = try printed("print((tostring(select(2, pcall(json.write, \(value)))):gsub('^[^:]*:%d+: ', '')))")
    expect(lines.count == 1 && lines[0].contains(message), "\(lines)")
  }

  @Test("Reading and writing cost instructions: a loop of them ends at its limit")
  func charged() throws {
    let host = ScriptHost(limits: HostLimits(perform: .milliseconds(20_000, instructions: 5_000_000)))
    try host.load(
      text: """
        function app.on:read() local t = '"' .. ('x'):rep(500000) .. '"' while true do json.read(t) end end
        function app.on:write() local t = { ('x'):rep(500000) } while true do json.write(t) end end
        function app.on:lines() local t = ('\\n'):rep(50000) while true do lines(t) end end
        """, name: "app.lua")
    for action in ["read", "write", "lines"] {
      expect(host.perform(action).error?.limit, is: .instructions, "\(action)")
    }
  }

  @Test("lines returns the lines of a text, which end with '\\n' or '\\r\\n'; the last needs no end")
  func lines() throws {
    let said = try printed(
      """
      local function show(text) print(#lines(text), table.concat(lines(text), "|")) end
      show("") show("a") show("a\\n") show("a\\r\\nb\\rc\\n\\nd") show("\\n\\n") show("\\r\\n")
      print((select(2, pcall(lines, {})))) print((select(2, pcall(lines))))
      """)
    expect(
      said,
      is: [
        "0\t", "1\ta", "1\ta", "4\ta|b\rc||d", "2\t|", "1\t", "lines takes a text, not table",
        "lines takes a text, not nothing",
      ])
  }
}
