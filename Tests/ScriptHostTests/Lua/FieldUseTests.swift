import CLua
import Testing

@testable import ScriptHost

@Suite("Which fields of a context a function uses, told from its code")
struct FieldUseTests {
  /// A body of `function(self, ctx, a, b)`, or after `=` a whole chunk that returns the function; and what is told of `ctx`.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let source: String
    /// Words with `_` for a space in them; `…` at the end of the writes says that there may be more of anything.
    let writes, reads, calls: String
    let parameter: Int

    init(
      _ name: String, _ source: String, writes: String = "", reads: String = "", calls: String = "", parameter: Int = 2
    ) {
      testDescription = name
      self.source = source
      self.writes = writes
      self.reads = reads
      self.calls = calls
      self.parameter = parameter
    }

    var chunk: String {
      source.hasPrefix("=") ? String(source.dropFirst()) : "return function(self, ctx, a, b) \(source)\nend"
    }

    var expected: LuaFieldUse {
      var writes = Self.words(writes)
      let isComplete = writes.last != "…"
      if !isComplete { writes.removeLast() }
      return LuaFieldUse(
        reads: Self.words(reads), writes: writes, calls: Self.words(calls), isComplete: isComplete)
    }

    private static func words(_ list: String) -> [String] {
      list.split(separator: " ").map { $0 == "''" ? "" : String($0.replacing("_", with: " ")) }
    }
  }

  private static let constants = (0..<300).map { "\"c\($0)\"" }.joined(separator: ", ")
  private static let long = String(repeating: "long", count: 20)

  static let plain = [
    Case("nothing", ""),
    Case("the context isn't used", "self.x = 1; print(a, b); return self"),
    Case("one write", "ctx.photo = self.photo", writes: "photo"),
    Case("one read", "self.x = ctx.photo", reads: "photo"),
    Case("a read as a statement's condition", "if ctx.on then self.x = 1 end", reads: "on"),
    Case("order of first appearance, once each", "ctx.b = 1; ctx.a = 2; ctx.b = 3", writes: "b a"),
    Case("read and write of one key", "ctx.n = ctx.n + 1", writes: "n", reads: "n"),
    Case("several at once", "ctx.a, ctx.b = 1, 2", writes: "b a"),
    Case("swapped", "ctx.a, ctx.b = ctx.b, ctx.a", writes: "b a", reads: "b a"),
    Case("a key in brackets", "ctx[\"a b\"] = 1; self.x = ctx['c']", writes: "a_b", reads: "c"),
    Case("an empty key", "ctx[''] = 1; ctx.b = 1; return ctx.b", writes: "'' b", reads: "b"),
    Case("a long string as a key", "ctx['\(long)'] = 1; return ctx[ [[\(long)]] ]", writes: long, reads: long),
    Case("a key in a local", "local k = 'key'; ctx[k] = ctx[k]", writes: "key", reads: "key"),
    Case("a key that is a constant of the compiler's", "local k <const> = 'key'; ctx[k] = 1", writes: "key"),
    Case("a field of a field", "ctx.photo.size = ctx.a.b.c", reads: "photo a"),
    Case("a field of a field is not written", "ctx.photo['x'], ctx.photo[1] = 1, 2", reads: "photo"),
    Case("a table as the value", "ctx.list = { a, b, n = ctx.n }", writes: "list", reads: "n"),
    Case("a function as the value", "ctx.call = function(x) return x + a end", writes: "call"),
    Case("constants as values", "ctx.a = nil; ctx.b = true; ctx.c = 'x'; ctx.d = 1.5", writes: "a b c d"),
    Case("text made of fields", "ctx.t = string.format('%s-%s', ctx.a, ctx.b) .. ctx.c", writes: "t", reads: "a b c"),
    Case("and, or", "ctx.x = ctx.a and ctx.b or ctx.c", writes: "x", reads: "a b c"),
    Case("the context as a condition", "if ctx then ctx.a = 1 else ctx.b = 2 end", writes: "a b"),
    Case("not", "local no = not ctx; return no"),
    Case("compared with nil", "if ctx == nil then return end; ctx.a = 1", writes: "a"),
    Case("compared with a number", "if ctx ~= 1 then ctx.a = 1 end", writes: "a"),
    Case("compared with a string", "return ctx == 'x'"),
    Case("fields compared", "return ctx.a < ctx.b, ctx.c == ctx.d", reads: "a b c d"),
    Case("arithmetic with fields", "ctx.n = (ctx.a + 1) * ctx.b // 2 ~ ctx.c", writes: "n", reads: "a b c"),
    Case("a length", "ctx.n = #ctx.list", writes: "n", reads: "list"),
    Case("what is read may go anywhere", "G = ctx.a; print(ctx.b); return ctx.c", reads: "a b c"),
    Case("a field that is a function is called", "ctx.run(a, b)", reads: "run"),
    Case("self as the parameter", "=return function(ctx) ctx.a = 1 end", writes: "a", parameter: 1),
    Case("no such parameter", "ctx.a = 1", writes: "…", parameter: 0),
    Case("a parameter beyond all", "ctx.a = 1; print(ctx)", parameter: 300),
    Case("the parameter is missing", "=return function(self) self.a = 1; print(self) end"),
    Case("another parameter leaks", "print(self, a, b); ctx.x = 1", writes: "x"),
    Case("a method of another", "self:reload(a); a.b:c(self); ctx.x = 1", writes: "x"),
    Case(
      "colon syntax", "=local grid = {}; function grid:provide(ctx) ctx.a = self.a end; return grid.provide",
      writes: "a"),
    Case("an environment of its own", "=return function(self, _ENV) a = b end", writes: "a", reads: "b"),
    Case("a local environment", "local print = print; local _ENV = ctx; x = y", writes: "x", reads: "y"),
    Case("unreachable code is not counted", "do return end; ctx.a = 1; print(ctx)"),
  ]

  static let locals = [
    Case("another name", "local c = ctx; c.a = c.b", writes: "a", reads: "b"),
    Case("a name of a name", "local c = ctx; local d = c; d.a = 1; c.b = 2", writes: "a b"),
    Case("overwritten", "ctx = nil; print(ctx)"),
    Case("overwritten by another", "ctx.a = 1; ctx = self; ctx.b = 2; print(ctx)", writes: "a"),
    Case("overwritten on one path", "if a then ctx = self end; ctx.b = 2", writes: "b"),
    Case("overwritten on one path and passed", "if a then ctx = self end; print(ctx)", writes: "…"),
    Case("overwritten by itself", "ctx = ctx; ctx.a = 1", writes: "a"),
    Case("swapped with another", "self, ctx = ctx, self; self.a = 1; ctx.b = 2; print(ctx)", writes: "a"),
    Case("this or another", "local c = a or ctx; c.x = 1", writes: "x"),
    Case("this and another", "local c = ctx and a; c.x = 1; return a", writes: "x"),
    Case("a default", "ctx = ctx or {}; ctx.x = 1", writes: "x"),
    Case("chosen in a branch", "local c; if a then c = ctx else c = b end; c.x = c.y", writes: "x", reads: "y"),
    Case("in a block", "do local c = ctx; c.x = 1 end; local d = 1; print(d)", writes: "x"),
    Case("registers are used again", "do local c = ctx end; local x, y = a, b; print(x, y); ctx.z = 1", writes: "z"),
    Case("a key chosen in a branch", "local k = 'x'; if a then k = 'y' end; ctx[k] = 1", writes: "…"),
    Case("a key the same in both branches", "local k; if a then k = 'x' else k = 'x' end; ctx[k] = 1", writes: "x"),
    Case("a key overwritten by a call", "local k = 'x'; k = a(); ctx[k] = 1", writes: "…"),
    Case(
      "a key in a local that a closure may change", "local k = 'x'; a(function() k = 'y' end); ctx[k] = 1", writes: "…"),
    Case(
      "a key written again, in a local that a closure may change",
      "local k = 'x'; local function f() k = 'y' end; k = 'z'; f(); ctx[k] = 1", writes: "…"),
    Case(
      "the same, when the closure's block is over",
      "do local k = 'x'; a(function() return k end) end; local k = 'z'; ctx[k] = 1", writes: "z"),
  ]

  static let loops = [
    Case("numeric", "for i = 1, 10 do ctx.a = i + ctx.b end; ctx.c = 1", writes: "a c", reads: "b"),
    Case(
      "numeric, with bounds of its own", "for i = ctx.from, ctx.to, ctx.step do print(i) end", reads: "from to step"),
    Case(
      "the control variable is free", "ctx:append('a', 1); for i = 1, 2 do print(i) end", writes: "a", calls: "append"),
    Case("while", "while ctx.more do ctx.n = 1; if a() then break end end", writes: "n", reads: "more"),
    Case("while true", "while true do ctx.n = a() end", writes: "n"),
    Case("repeat", "repeat local c = ctx; c.n = 1 until c.done", writes: "n", reads: "done"),
    Case("pairs of another", "for k, v in pairs(self.list) do ctx.last = v end", writes: "last"),
    Case("pairs of a field", "for k, v in pairs(ctx.list) do print(k, v) end", reads: "list"),
    Case("each", "for i, v in ctx:each('list') do ctx.x = v end", writes: "x", reads: "list", calls: "each"),
    Case("pairs of the context", "for k, v in pairs(ctx) do end", writes: "…"),
    Case("next of the context", "for k, v in next, ctx do end", writes: "…"),
    Case("the context as an iterator", "for k in ctx do end", writes: "…"),
    Case("a key from a loop", "for k, v in pairs(a) do ctx[k] = v end", writes: "…"),
    Case("keys from a list", "for _, k in ipairs { 'x', 'y' } do ctx[k] = 1 end", writes: "…"),
    Case("goto back", "::again:: ctx.a = 1; if a() then goto again end; ctx.b = 2", writes: "a b"),
    Case("goto continue", "for i = 1, 3 do if a then goto continue end; ctx.x = i; ::continue:: end", writes: "x"),
    Case("the other way round, a loop later", "local c = a; for i = 1, 2 do c.x = 1; c = ctx end", writes: "x"),
    Case("leaks a loop later", "local c = a; for i = 1, 2 do print(c); c = ctx end", writes: "…"),
    Case(
      "becomes the context two loops later", "local c, d; for i = 1, 3 do if c then c.x = 1 end; c = d; d = ctx end",
      writes: "x"),
    Case("the control variable as the context", "for i = 1, 2 do i = ctx; i.x = 1 end", writes: "x"),
  ]

  static let calls = [
    Case("append", "ctx:append('list', a)", writes: "list", calls: "append"),
    Case("append twice", "ctx:append('x', 1); ctx:append('y', 2)", writes: "x y", calls: "append"),
    Case("append with a computed key", "ctx:append(a, 1)", writes: "…", calls: "append"),
    Case("append with a joined key", "ctx:append('a' .. b, 1)", writes: "…", calls: "append"),
    Case("append with a key in a local", "local k = 'x'; ctx:append(k, 1)", writes: "x", calls: "append"),
    Case("append with a call as value", "ctx:append('x', a(b))", writes: "x", calls: "append"),
    Case("append with several values", "ctx:append('x', b, a(b))", writes: "x", calls: "append"),
    Case("append without anything", "ctx:append()", writes: "…", calls: "append"),
    Case("append with what a call gives", "ctx:append(a())", writes: "…", calls: "append"),
    Case("append the context to itself", "ctx:append('x', ctx)", writes: "x …", calls: "append"),
    Case("append with a choice", "ctx:append('x', a and ctx.b or ctx.c)", writes: "x", reads: "b c", calls: "append"),
    Case("append with a key chosen", "ctx:append(a and 'x' or 'y', 1)", writes: "…", calls: "append"),
    Case(
      "flag, has, each", "return ctx:flag('f') and ctx:has('h') or ctx:each('e')", reads: "f h e",
      calls: "flag has each"),
    Case("a tail call of a method", "return ctx:append('x', 1)", writes: "x", calls: "append"),
    Case("a method of another name", "local c = ctx; c:append('x', c.y)", writes: "x", reads: "y", calls: "append"),
    Case("a method within arguments", "print(1, ctx:flag('f'), 2)", reads: "f", calls: "flag"),
    Case("a method within a method", "ctx:append('x', ctx:flag('f'))", writes: "x", reads: "f", calls: "append flag"),
    Case("the last argument is a method", "print(ctx:each('e'))", reads: "e", calls: "each"),
    Case("a table of a method's results", "ctx.t = { 1, ctx:each('e') }", writes: "t", reads: "e", calls: "each"),
    Case(
      "methods with values of their own",
      "ctx:set(self, 'k', ctx.v); ctx:undo('t', function(c) c.z = 1 end); ctx:refuse('no')", reads: "v",
      calls: "set undo refuse"),
    Case("set on the context", "ctx:set(ctx, 'k', 1)", writes: "…", calls: "set"),
    Case("a method that runs other code", "ctx:super()", writes: "…", calls: "super"),
    Case("another one", "return ctx:forward()", writes: "…", calls: "forward"),
    Case("a method that is not the host's", "ctx:mine(1)", writes: "…", calls: "mine"),
    Case("a method kept for later", "local append = ctx.append; append(ctx, 'x', 1)", writes: "…", reads: "append"),
    Case("a method without a colon", "ctx.append(ctx, 'x', 1)", writes: "…", reads: "append"),
    Case("a method of this or another", "local c = a or ctx; c:append('x', 1)", writes: "x", calls: "append"),
    Case("another's method gets the context", "self:append('x', ctx)", writes: "…"),
    Case("passed", "print(ctx)", writes: "…"),
    Case("passed among others", "a(1, ctx, 2)", writes: "…"),
    Case("passed on", "return a(ctx)", writes: "…"),
    Case("passed to a method", "self:fill(ctx)", writes: "…"),
    Case("passed before a call with many results", "a(ctx, b())", writes: "…"),
    Case("not passed before one", "a(ctx.x, b())", reads: "x"),
    Case("called", "ctx()", writes: "…"),
    Case("returned", "return ctx", writes: "…"),
    Case("returned among others", "return 1, ctx", writes: "…"),
    Case("returned with open results", "return ctx, a()", writes: "…"),
    Case("returned or not", "return a and ctx", writes: "…"),
    Case("rawset", "rawset(ctx, 'x', 1)", writes: "…"),
    Case("pcall of something else", "pcall(a, ctx.x); ctx.y = 1", writes: "y", reads: "x"),
    Case("getmetatable", "getmetatable(ctx).__newindex = nil", writes: "…"),
  ]

  static let leaks = [
    Case("a closure writes", "a(function() ctx.x = 1 end)", writes: "…"),
    Case("a closure reads", "return function() return ctx.x end", writes: "…"),
    Case("a closure in a closure", "return function() return function() return ctx end end", writes: "…"),
    Case("a closure of another name", "local c = ctx; a(function() c.x = 1 end)", writes: "…"),
    Case("a closure made before", "local c; local f = function() c.x = 1 end; c = ctx; f()", writes: "…"),
    Case("a closure that isn't called", "local function f() return ctx end; ctx.x = 1", writes: "x …"),
    Case(
      "a closure of others", "local n = ctx.n; self.f = function() return n, a end; ctx.x = 1", writes: "x", reads: "n"),
    Case(
      "a closure whose parameter is a context", "self.f = function(self, ctx) ctx.inner = 1 end; ctx.x = 1", writes: "x"
    ),
    Case(
      "a closure over what was a register of the context's",
      "do local c = ctx; c.x = 1 end; local n = 1; a(function() return n end)", writes: "x"),
    Case(
      "a closure over a receiver's register",
      "ctx:append('k', 1); local n, m = 1, 2; a(function() return n, m end); ctx.x = 1", writes: "k x", calls: "append"),
    Case(
      "a closure in a loop", "for i = 1, 2 do local n = i; self[i] = function() return n end; ctx.x = n end",
      writes: "x"),
    Case(
      "a closure in a loop, the context later in its place",
      "for i = 1, 2 do local n = i; self[i] = function() return n end; n = ctx end", writes: "…"),
    Case("a global", "G = ctx", writes: "…"),
    Case("an upvalue", "=local up; return function(self, ctx) up = ctx end", writes: "…"),
    Case("a field of another", "self.ctx = ctx", writes: "…"),
    Case("a field of itself", "ctx.me = ctx", writes: "me …"),
    Case("an element of another", "self[1] = ctx", writes: "…"),
    Case("a computed field of another", "self[a] = ctx", writes: "…"),
    Case("a key of another", "self[ctx] = 1", writes: "…"),
    Case("a key that is looked up", "return self[ctx]", writes: "…"),
    Case("in a list", "local t = { ctx }; t[1].x = 1", writes: "…"),
    Case("in a record", "local t = { c = ctx }; t.c.x = 1", writes: "…"),
    Case("in a list with open results", "local t = { ctx, a() }", writes: "…"),
    Case(
      "in front of `...`", "=return function(self, ctx, ...) ctx.n = select('#', ...); return a(ctx.x, ...) end",
      writes: "n", reads: "x"),
    Case("in `...`", "=return function(self, ...) local ctx = ...; ctx.x = 1 end", writes: "…"),
    Case("in `...` that isn't looked at", "=return function(self, ...) self.x = 1 end"),
    Case("`...` is passed", "=return function(self, ...) return a(...) end", writes: "…"),
    Case("an integer key", "ctx[1] = 2", writes: "…"),
    Case("an integer key read", "return ctx[1]", writes: "…"),
    Case("a number as a key", "ctx[1.5] = 2", writes: "…"),
    Case("a boolean as a key", "ctx[true] = 2", writes: "…"),
    Case("a computed key", "ctx[a] = 1", writes: "…"),
    Case("a computed key read", "return ctx[a .. b]", writes: "…"),
    Case("a key that is not UTF-8", "ctx['\\xff'] = 1; ctx.x = 2", writes: "x …"),
    Case("equal to another, whose __eq gets both", "return ctx == a", writes: "…"),
    Case("less than another", "return ctx < a", writes: "…"),
    Case("less than a number", "return ctx < 1", writes: "…"),
    Case("arithmetic", "return ctx + a", writes: "…"),
    Case("arithmetic on the right", "return 1 + ctx", writes: "…"),
    Case("joined", "return 'x' .. ctx", writes: "…"),
    Case("its length", "return #ctx", writes: "…"),
    Case("negated", "return -ctx", writes: "…"),
    Case("to be closed", "local c <close> = ctx", writes: "…"),
    Case("a bound of a loop", "for i = 1, ctx do end", writes: "…"),
  ]

  static let large = [
    Case(
      "keys beyond 255 constants", "local t = { \(constants) }; ctx.x = ctx.y; ctx.x2 = 'z'", writes: "x x2", reads: "y"
    ),
    Case(
      "methods beyond 255 constants", "local t = { \(constants) }; ctx:append('k', 1); ctx:flag('f')", writes: "k",
      reads: "f", calls: "append flag"),
    Case(
      "one key on both sides of a nested function",
      "ctx.a = 1; local f = function(t) t.a = 1 end; ctx.a = 2; return ctx.a", writes: "a", reads: "a"),
  ]

  @Test("Every method of a context's is harmless, save those that hand it to code of other responders")
  func methods() throws {
    let lua = try LuaState()
    for name in HostNames.calls {
      let chunk = "return function(self, ctx) ctx:\(name)('k') end"
      let use = lua.fieldUse(of: try #require(lua.call(lua.load(chunk, name: name)).first?.function), parameter: 2)
      #expect(use.calls == [name])
      #expect(use.isComplete == !["super", "forward"].contains(name))
    }
  }

  @Test("A function of Swift's has no code, nor has one of the library's or of another state's")
  func withoutCode() throws {
    let lua = try LuaState()
    #expect(lua.fieldUse(of: lua.function { _ in .nothing }, parameter: 1) == LuaFieldUse())
    let next = try #require(lua.get("next", of: lua.globals).function)
    #expect(lua.fieldUse(of: next, parameter: 1) == LuaFieldUse())
    #expect(lua.fieldUse(of: try LuaState().load("", name: "other"), parameter: 1) == LuaFieldUse())
  }

  @Test("However a function jumps about, following it ends soon")
  func bounded() throws {
    let lua = try LuaState()
    let hops = (0..<1_500).map { "::l\($0):: if a then goto l\(($0 + 1_499) % 1_500) end" }.joined(separator: "\n")
    let locals = (0..<180).map { "local v\($0) = a" }.joined(separator: "\n")
    let chain = (1..<180).reversed().map { "v\($0) = v\($0 - 1)" }.joined(separator: "\n")
    for body in [hops, "\(locals)\nwhile a do\n\(chain)\nv0 = ctx\nend\nprint(v179)"] {
      let made = try lua.call(lua.load("return function(self, ctx, a)\n\(body)\nend", name: "long"))
      let function = try #require(made.first?.function)
      let start = threadTime()
      _ = lua.fieldUse(of: function, parameter: 2)
      #expect(threadTime() - start < 1_000_000_000)
    }
  }

  @Test("Every case of the table", arguments: plain + locals + loops + calls + leaks + large)
  func table(_ one: Case) throws {
    let lua = try LuaState()
    let function = try #require(lua.call(lua.load(one.chunk, name: "case")).first?.function)
    let top = clua_top(lua.L)
    #expect(lua.fieldUse(of: function, parameter: one.parameter) == one.expected)
    #expect(clua_top(lua.L) == top)
  }
}
