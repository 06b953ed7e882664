import Expectations
import Testing

// What is said to a newcomer who is nearly right: the name that was meant, in a form that works.

@Suite("What a newcomer nearly writes")
struct NewcomerHintTests {
  @Test("An error in a handler says what was most likely meant, at its place", arguments: handlers)
  func handler(_ hint: Hint) throws {
    let run = try Program.menuctl(
      ["perform", "-", "go", "--allow", "exec=ls", "--yes"], stdin: "\(hint.before)\n\(hint.line)\n\(hint.after)\n")
    let said = run.err.split(separator: "\n").prefix(1).joined()
    expect(run.status == 70 && said == "stdin:2\(hint.says)", "\(run.err)")
  }

  @Test("A script that doesn't load says what was most likely meant", arguments: loads)
  func load(_ hint: Hint) throws {
    let run = try Program.menuctl(["load", "-"], stdin: "\(hint.before)\n\(hint.line)\n")
    let said = run.err.split(separator: "\n").prefix(1).joined()
    expect(run.status == 65 && said == "stdin:2\(hint.says)", "\(run.err)")
  }

  @Test("What is most likely wrong with an app is told, with what was meant", arguments: checks)
  func check(_ hint: Hint) throws {
    let run = try Program.menuctl(["check", "-"], stdin: "\(hint.before)\n\(hint.line)\n\(hint.after)\n")
    let lines = run.out.split(separator: "\n")
    let said = lines.filter { $0.hasPrefix("stdin:") || $0.hasPrefix("help: ") }.joined(separator: " ")
    expect(said, is: hint.says, "\(run.out)")
  }

  @Test("What fails in a section is told at the section, in the file where that stands, with its line")
  func sectionOfPlugin() throws {
    let folder = try ScriptFolder([
      "app.lua": "app.name = 'a'\n",
      "p.lua":
        "plugin { name = 'x', version = '1', requires = { a = '*' } }\npanel { section 's' { items = { 'a' }, row = label } }\n",
    ])
    let found = try Program.menuctl(["check", "app.lua", "--plugin", "p.lua", "--yes"], folder: folder.path).out
    expect(
      found.hasPrefix("p.lua:2: error: section 's' has no rows: label takes the text of a label alone"), "\(found)")
    expect(found.contains("\n  panel { section 's' { items = { 'a' }, row = label } }\n"), "\(found)")
  }

  @Test("Of several fields that nobody knows the first by name is told, in each run")
  func firstOfSeveral() throws {
    let script = "app.takes.a = { x = { 'integer', zoo = 1, ant = 2, mole = 3, bee = 4, yak = 5 } }\n"
    for _ in 0..<6 {
      let run = try Program.menuctl(["load", "-"], stdin: script)
      expect(run.err.contains("takes.a.x has no field 'ant'\n"), "\(run.err)")
    }
  }

  struct Hint: Sendable, CustomTestStringConvertible {
    var before = "local p = responder 'p' { note = '' } focus(p)"
    /// The second line, of which something is said.
    let line: String
    var after = ""
    /// What is said, behind the line's number.
    let says: String

    var testDescription: String { line }
  }
}

private typealias Hint = NewcomerHintTests.Hint

private let handlers = [
  Hint(
    line: "function p.on:go(ctx) self.note = note .. '!' end",
    says: ":35: error: 'note' is not defined; did you mean 'self.note'?"),
  Hint(
    line: "function p.on:go() copy() end", after: "local function copy() end",
    says: ":20: error: 'copy' is not defined; line 3 defines the local of that name too late: move it up"),
  Hint(
    line: "function p.on:go() return size end", after: "local width, size = 1, 2",
    says: ":27: error: 'size' is not defined; line 3 defines the local of that name too late: move it up"),
  Hint(
    line: "function p.on:go() return size end", after: "do\n  local size = 1\nend",
    says: ":27: error: 'size' is not defined"),
  Hint(line: "function p.on:go() return slef end", says: ":27: error: 'slef' is not defined; did you mean 'self'?"),
  Hint(
    before: "local counter = 0 local p = responder 'p' focus(p)", line: "function p.on:go() return conter end",
    says: ":27: error: 'conter' is not defined; did you mean 'counter'?"),
  Hint(
    before: "local p = responder 'p' local count = 0 focus(p)", line: "function p.on:go() cuont = 1 end",
    says:
      ":20: error: 'cuont' was not defined while the script loaded, so it can't be assigned now; did you mean 'count'?"),
  Hint(
    before: "local p = responder 'p' focus(p) do local counter = 1 end function app.on:other(counter) end",
    line: "function p.on:go() return conter end", says: ":27: error: 'conter' is not defined"),
  Hint(
    line: "function p.on:go() count = 1 end",
    says:
      ":20: error: 'count' was not defined while the script loaded, so it can't be assigned now; did you mean 'local count'?"
  ),
  Hint(
    line: "function p.on:go() note = 'a' end",
    says:
      ":20: error: 'note' was not defined while the script loaded, so it can't be assigned now; did you mean 'self.note'?"
  ),
  Hint(
    line: "function p.on:go() return player.volume end", after: "responder 'player'",
    says: ":27: error: 'player' is not defined; did you mean 'app:find(\"player\")'?"),
  Hint(
    before: "app.version = '1' local p = window 'p' focus(p)", line: "function p.on:go() self.session:close() end",
    says: ":25: error: attempt to index a nil value (field 'session')"),
  Hint(
    line: "function p.on:go() return table.keys({}) end",
    says: ":33: error: attempt to call a nil value (field 'keys')"),
  Hint(
    line: "function p.on:go() return json.encode({}) end",
    says: ":32: error: attempt to call a nil value (field 'encode'); did you mean 'json.write'?"),
  Hint(
    line: "function p.on:go() return json.decode('') end",
    says: ":32: error: attempt to call a nil value (field 'decode'); did you mean 'json.read'?"),
  Hint(
    line: "function p.on:go() return fs.exists('') end",
    says: ":30: error: attempt to call a nil value (field 'exists'); did you mean 'fs.stat'?"),
  Hint(
    line: "function p.on:go() return string.lowr('') end",
    says: ":34: error: attempt to call a nil value (field 'lowr'); did you mean 'string.lower'?"),
  Hint(
    line: "function p.on:go() return ('x'):uper() end",
    says: ":33: error: attempt to call a nil value (method 'uper'); did you mean 'upper'?"),
  Hint(
    before: "app.allow = { 'exec=ls' } local p = app",
    line: "function p.on:go() return exec('ls', {}, { cwd = '/' }) end",
    says: ": error: exec has no option 'cwd'; did you mean 'folder'?"),
  Hint(
    before: "app.allow = { 'exec=ls' } local p = app",
    line: "function p.on:go() return exec('ls', {}).stdout:upper() end",
    says:
      ":42: error: attempt to index a nil value (field 'stdout'); exec returns 'status', 'out' and 'err': did you mean 'out'?"
  ),
  Hint(
    line: "function p.on:go(ctx) refuse('no') end",
    says: ":23: error: 'refuse' is not defined; did you mean 'ctx:refuse'?"),
  Hint(
    line: "function p.on:go() perform('a') end",
    says: ":20: error: 'perform' is not defined; did you mean 'app:perform'?"),
  Hint(
    line: "function p.on:go() keep.n = 1 end", says: ":20: error: 'keep' is not defined; did you mean 'app.keep'?"),
  Hint(
    line: "function p.on:go(ctx) return pass() end",
    says:
      ":30: error: attempt to call a userdata value (global 'pass'); write it without parentheses: return pass"),
  Hint(
    line: "function p.on:go(ctx) return ctx.row.name end",
    says:
      ":34: error: attempt to index a nil value (field 'row'); only a pane with a responder supplies it: pane \"…\" { responder = …, … }"
  ),
  Hint(
    before: "local p = responder 'p' panel { pane 'a' { responder = p, section 's' { items = {}, row = item } } }",
    line: "function p.on:go(ctx) return ctx.row.name end",
    says:
      ":34: error: attempt to index a nil value (field 'row'); no row is current: check it first, or write needs.ACTION = { row = \"choose a row first\" }"
  ),
  Hint(
    line: "function p.on:go() app:mark('a/b') end",
    says: ": error: app:mark takes a list of ids of rows, not a string; write { \"a/b\" }"),
  Hint(
    line: "function p.on:go() app:refresh() end",
    says: ":24: error: attempt to call a nil value (method 'refresh'); did you mean 'rebuild'?"),
  Hint(
    line: "function p.on:go(ctx) return ctx:get('name') end",
    says: ":34: error: attempt to call a nil value (method 'get'); read it as a field: ctx.NAME"),
  Hint(
    line: "function p.on:go(ctx) local add = print add:line('x') end",
    says:
      ": error: attempt to index a function value (local 'add'); 'add' is a function: call it, as in add(…)"),
  Hint(
    before: "app.allow = { 'exec=ls' } local p = app",
    line: "function p.on:go() return exec('ls', '-l') end",
    says: ": error: exec takes a list of arguments second, not a string: exec(\"ls\", { … })"),
  Hint(
    line: "function p.on:go(ctx) app.keep = { x = ctx } end",
    says:
      ":36: error: app.keep.x is a context, which has named arguments: only plain data can be kept"
  ),
  Hint(
    line: "function p.on:go(ctx) return json.write(ctx) end",
    says:
      ": error: value is a context, which has named arguments: JSON can't say it"
  ),
]

private let loads = [
  Hint(
    line: "function app:on:go(ctx) end",
    says: ": error: '(' expected near ':'; did you mean 'function NAME.on:ACTION(ctx) … end'?"),
  Hint(line: "on('a', print)", says: ":1: error: 'on' is not defined; did you mean 'app.on'?"),
  Hint(
    line: "app.title 'Photos'",
    says: ":5: error: attempt to call a nil value (field 'title'); assign it: app.title = …"),
  Hint(
    line: "local q = responder { name = 'q' }",
    says: ": error: the name of a responder must be a string, not a table; write it first: responder \"…\" { … }"),
  Hint(
    line: "menubar { menu { 'File', item 'Go' { 'go' } } }",
    says:
      ": error: the title of a menu must be a text or a list of texts and spans, but has a menu element in it; write the title before the braces: menu \"…\" { … }"
  ),
  Hint(line: "keys { d = 'a' }", says: ":1: error: 'keys' is not defined; did you mean 'app.keys'?"),
  Hint(
    line: "menubar { menu 'M' { item 'A' { 'a', key = { 'd', 'x' } } } }",
    says:
      ":38: error: 'key' of item 'A' must be a string, not a table; bind another key with app.keys.x = \"action\""),
  Hint(
    line: "p.takes.a = { to = { one_of = { png = 'PNG' } } }",
    says:
      ":22: error: takes.a.to.one_of must be a list of values or a function, not a table; for titles write { { \"png\", \"PNG\" }, … }"
  ),
  Hint(
    before: "local grid = responder 'grid'", line: "focus(gird)",
    says: ":7: error: 'gird' is not defined; did you mean 'grid'?"),
  Hint(
    line: "function p.on:repeat(ctx) end",
    says:
      ":15: error: <name> expected near 'repeat'; Lua reserves that word, so write p.on[\"repeat\"] = function(self, ctx) … end"
  ),
  Hint(
    line: "menubar { menu 'M' { item 'A' { 'a', confirm = function() end } } }",
    says:
      ":38: error: 'confirm' of item 'A' must be a plain value, not a function: to compute the question, write NAME.confirm.ACTION = function(self, ctx) … end"
  ),
  Hint(
    line: "p.takes.a = { to = { one_of = { 'disk', { value = 'tv', title = 'TV' } } } }",
    says:
      ":22: error: takes.a.to.one_of has a choice with named fields; write the value first, then the title: { \"tv\", \"TV\" }"
  ),
]

private let menu = "local p = responder 'p' {} focus(p) menubar { menu 'M' { item 'A' { 'a(text: milk)' } } }"

private let checks = [
  Hint(
    before: menu, line: "function p.on:a() prnt('prnt') end",
    says:
      "stdin:2:19: warning: a function reads 'prnt', which is not defined [undefined-name] help: did you mean 'print'?"),
  Hint(
    before: menu, line: "function p.on:a() return { due = due, t = 'due' } end",
    says: "stdin:2:34: warning: a function reads 'due', which is not defined [undefined-name]"),
  Hint(
    before: menu, line: "function p.on:a() return later() end", after: "local function later() end",
    says:
      "stdin:2:26: warning: a function reads 'later', which is not defined [undefined-name] help: line 3 defines the local of that name too late: move it up"
  ),
  Hint(before: menu, line: "function p.on:a() return late() end", after: "function late() end", says: ""),
  Hint(
    before: "local count = 0 " + menu, line: "function p.on:a() cuont = count end",
    says:
      "stdin:2:19: warning: a function assigns 'cuont', which is not defined [undefined-name] help: did you mean 'count'?"
  ),
  Hint(
    before: menu, line: "function p.on:a() late = 1 end",
    says:
      "stdin:2:19: warning: a function assigns 'late', which is not defined [undefined-name] help: did you mean 'local late'?"
  ),
  Hint(before: menu, line: "function p.on:a() late = 1 end", after: "if app.x then late = 0 end", says: ""),
  Hint(before: menu, line: "local function init() late = 1 end init() function p.on:a() late = 2 end", says: ""),
  Hint(before: menu, line: "function p.on:a() late = 1 end", after: "rawset(_ENV, 'late', 0)", says: ""),
  Hint(before: menu, line: "local t = {} function p.on:a() local _ENV = t late = 1 end", says: ""),
  Hint(before: menu, line: "function p.on:a() return late() end", after: "_G['late'] = print", says: ""),
  Hint(
    before: menu + " --[[ late\nlate ]] local s = \"\\\" late\" .. [==[ late ]] ]==]",
    line: "function p.on:a() return s .. late end",
    says: "stdin:3:31: warning: a function reads 'late', which is not defined [undefined-name]"),
  Hint(
    before: menu + " local function b(late) late = 1 return late end local _ = b",
    line: "function p.on:a() local t = { late = 1 } do local late = t end return late end",
    says: "stdin:2:71: warning: a function reads 'late', which is not defined [undefined-name]"),
  Hint(
    before: menu + " local function b(late) late = 1 return late end local _ = b",
    line: "function p.on:a() late = 1 end",
    says:
      "stdin:2:19: warning: a function assigns 'late', which is not defined [undefined-name] help: did you mean 'local late'?"
  ),
  Hint(before: menu, line: "function p.on:a() local e = _ENV return rare, e end", says: ""),
  Hint(before: menu, line: "local t = {} function p.on:a() local _ENV = t return rare end", says: ""),
  Hint(before: menu, line: "local t = {} function p.on:a() return t.rare end", says: ""),
  Hint(
    before: menu, line: "function p.on:a(text, due) end",
    says:
      "stdin:2:17: warning: 'on.a' of 'p' has a parameter 'text', but arguments are in the context [argument-parameter] help: read it from the context: function p.on:a(ctx) … ctx.text"
  ),
  Hint(before: menu, line: "p.on.a = function(self, ctx, how) return how or ctx.text end", says: ""),
  Hint(
    before: menu, line: "function p.on:a(text) end",
    says:
      "stdin:2:17: warning: 'on.a' of 'p' has a parameter 'text', but arguments are in the context [argument-parameter] help: read it from the context: function p.on:a(ctx) … ctx.text"
  ),
  Hint(before: menu, line: "function p.on:a(c) return c.text end", says: ""),
  Hint(
    before: menu, line: "function p.on:a() end p.confirm.a = function(ctx) return ctx.text end",
    says:
      "stdin:2:46: warning: 'confirm.a' of 'p' names its first parameter 'ctx', but that is the responder [missing-self] help: function p.confirm:a(ctx) with a colon, or function(self, ctx)"
  ),
  Hint(
    before: "menubar { menu 'M' { item 'R' { 'repeat' } } }",
    line: "app.on['repeat'] = function(ctx) return ctx.args end",
    says:
      "stdin:2:29: warning: 'on.repeat' of 'app' names its first parameter 'ctx', but that is the responder [missing-self] help: app.on[\"repeat\"] = function(self, ctx)"
  ),
  Hint(
    before: menu, line: "p.n = 2 function p.on:a() end function p.can:a() return 1 < self.n or 'no' end",
    says:
      "stdin:2:72: warning: 'can.a' of 'p' returns a text alone, which means yes [text-as-yes] help: return false, \"no\""
  ),
  Hint(
    before: menu, line: "function p.on:a() end app.keys['g G'] = 'a'",
    says:
      "stdin:2:32: warning: 'G' is the key 'g' without shift [capital-key] help: for shift write 'shift+g'"),
  Hint(before: menu, line: "function p.on:a() end app.keys['Ctrl+G'] = 'a'", says: ""),
  Hint(
    before: menu, line: "function p.on:a() end p.needs.a = { 'phto' }",
    says:
      "stdin:1:64: warning: item 'A' is disabled without a reason: needs 'phto', but nothing supplies it now [no-reason] help: give the reason: needs.a = { phto = \"why not\" } stdin:2:38: warning: 'needs.a' of 'p' reads 'phto' of the context, but nothing supplies it [unsupplied-key]"
  ),
  Hint(
    before: menu
      + "\npanel { section 's' { items = {},\n  row = function(t) return item(t) { 'a' } end,\n  header = 'H',",
    line: "  footer = 'F',", after: "  current = 'show',\n} }\nfunction p.on:a() end",
    says:
      "stdin:6:14: warning: 'current' of section 's' performs 'show', but no responder handles it [unanswered-action]"),
]
