import CLua
import Expectations
import Testing

@testable import ScriptHost

@Suite("Reading a script's text without running it")
struct LuaReadingTests {
  private static func reading(_ text: String) -> LuaReading { LuaReading(of: Array(text.utf8)) }

  // MARK: Tokens

  @Test(
    "A token is a name, a keyword, a text by its value, a number or a sign, at its line",
    arguments: [
      ("local x <const> = 1.5e-3 .. y", "local x < const > = 1.5e-3 .. y"),
      ("a.b:c'd\\n\\65\\x42\\z  \\u{e4}\\\"' [[\ne]] [==[f]]]==]", "a . b : c d\nABä\" e f]]"),
      ("-- one\n--[[ two\n]] x --[=[ ]] ]=] y", "x y"), ("a<=b~=c//d::e<<f...", "a <= b ~= c // d :: e << f ..."),
      ("0x1F 3 .5 1e5 x.y", "0x1F 3 .5 1e5 x . y"), ("'open\nx \"", "open x "), ("[==[ open", " open"),
      ("§", "§"),
    ])
  func tokens(_ text: String, _ expected: String) {
    let tokens = LuaLexer.tokens(of: Array(text.utf8))
    expect(tokens.dropLast().map(\.word).joined(separator: " "), is: expected)
    expect(tokens.last?.kind, is: .end)
    expect(tokens.last?.line, is: text.split(separator: "\n", omittingEmptySubsequences: false).count)
  }

  // MARK: Fields

  @Test(
    "Reading finds the fields of a parameter that a function uses; any other use may use any field",
    arguments: [
      // A body of `function(self, ctx, a, b)`, the fields it writes, reads and calls; `…` for an unknown field.
      ("self.x = 1 print(a, b)", "", "", ""), ("ctx.photo = self.photo", "photo", "", ""),
      ("self.x = ctx.photo", "", "photo", ""), ("ctx.b = 1 ctx.a = 2 ctx.b = 3", "b a", "", ""),
      ("ctx.n = ctx.n + 1", "n", "n", ""), ("ctx.a, ctx.b = ctx.b, ctx.a", "a b", "b a", ""),
      ("ctx['a'] = 1 self.x = ctx[ [[c]] ]", "a", "c", ""), ("ctx.photo.size = ctx.a.b.c", "", "photo a", ""),
      ("ctx.photo['x'], ctx.photo[1] = 1, 2", "", "photo", ""), ("ctx.f(a, b)", "", "f", ""),
      ("ctx.call = function(x) return x + a end", "call", "", ""), ("if ctx.on then return ctx.c end", "", "on c", ""),
      ("for i, v in ctx:each('list') do ctx.x = v end", "x", "list", "each"),
      ("ctx:append('list', a) return ctx:flag 'f' or ctx:has('h')", "list", "f h", "append flag has"),
      ("ctx:set(self, 'k', ctx.v) ctx:undo('t', print) ctx:refuse('no')", "", "v", "set undo refuse"),
      ("a(function() ctx.x = 1 end)", "x", "", ""), ("self.f = function(self, ctx) ctx.inner = 1 end", "", "", ""),
      ("local ctx = a ctx.x = 1", "", "", ""), ("do local ctx = ctx.c ctx.x = 1 end ctx.y = 1", "y", "c", ""),
      ("ctx:append(a, 1)", "…", "", "append"), ("ctx:append('a' .. b, 1)", "…", "", "append"),
      ("ctx:super()", "…", "", "super"), ("ctx[a] = 1", "…", "", ""), ("return ctx[1]", "…", "", ""),
      ("print(ctx)", "…", "", ""), ("local c = ctx c.a = 1", "…", "", ""), ("ctx.me = ctx", "me …", "", ""),
      ("ctx = self", "…", "", ""), ("return ctx", "…", "", ""), ("for k in pairs(ctx) do end", "…", "", ""),
    ])
  func fields(_ body: String, _ writes: String, _ reads: String, _ calls: String) throws {
    let lua = try LuaState()
    let chunk = "local t = {}\nreturn function(self, ctx, a, b) \(body)\nend"
    let function = try require(lua.call(lua.load(chunk, name: "case")).first?.function)
    func words(_ list: String) -> [String] { list.split(separator: " ").map(String.init).filter { $0 != "…" } }
    let top = clua_top(lua.L)
    expect(
      lua.fieldUse(of: function, parameter: 2),
      is: LuaFieldUse(
        reads: words(reads), writes: words(writes), calls: words(calls), isComplete: !writes.hasSuffix("…")))
    expect(clua_top(lua.L), is: top)
  }

  @Test("Each context method has known fields, except methods that pass the context to other responders' code")
  func methods() throws {
    let lua = try LuaState()
    for name in HostNames.calls {
      let chunk = "return function(self, ctx) ctx:\(name)('k') end"
      let use = lua.fieldUse(of: try require(lua.call(lua.load(chunk, name: name)).first?.function), parameter: 2)
      expect(use.calls, is: [name])
      expect(use.isComplete, is: !["super", "forward"].contains(name))
    }
  }

  @Test("Of several functions in one line, the parameters select the right one; otherwise it may be any of them")
  func oneLine() throws {
    let lua = try LuaState()
    let chunk = """
      local t = {} function t:a(ctx) ctx.a = 1 end function t.b(ctx) ctx.b = 1 end function t:c(ctx) ctx.c = 1 end
      t.d = function(...) return ... end return t.a, t.b, t.d
      """
    let made = try lua.call(lua.load(chunk, name: "line")).compactMap(\.function)
    expect(lua.fieldUse(of: made[0], parameter: 2), is: LuaFieldUse(writes: ["a", "c"]))
    expect(lua.fieldUse(of: made[1], parameter: 1), is: LuaFieldUse(writes: ["b"]))
    expect(lua.fieldUse(of: made[2], parameter: 1), is: LuaFieldUse(isComplete: false))
    expect(lua.parameters(of: made[0]), is: ["self", "ctx"])
  }

  @Test("A Swift function, a library function and a chunk have no text")
  func withoutText() throws {
    let lua = try LuaState()
    let next = try require(lua.get("next", of: lua.globals).function)
    for function in [
      lua.function { _ in .nothing }, next, try LuaState().load("", name: "other"), try lua.load("", name: "own"),
    ] {
      expect(lua.fieldUse(of: function, parameter: 1), is: LuaFieldUse(isComplete: false))
      expect(!lua.answers(of: function).isNothing)
    }
  }

  // MARK: Words

  @Test(
    "The position of a word gives its role",
    arguments: [
      ("app.x = y.z", "x", [.assigned], [.read, .text]), ("app.x = y.z", "z", [.read], [.assigned]),
      ("local t = { x = 1, ['y'] = 2 }", "y", [.assigned], [.text]), ("f('x')", "x", [.text], [.assigned]),
      ("f { x }", "x", [.read], [.global]), ("function a.b:c() end", "c", [.assigned, .answer], [.read]),
      ("function f() return x end", "x", [.global], [.made]), ("function f() x = 1 end", "x", [.changed], [.made]),
      ("local function f(x) return x end", "x", [], [.global, .read]), ("x = 1", "x", [.made], [.changed]),
      ("function x() end", "x", [.made], [.answer]), ("repeat local x = 1 until x", "x", [], [.read]),
      ("function f() local x = x end", "x", [.global], []), ("for x = 1, 2 do f(x) end", "x", [], [.read]),
      ("goto x ::x::", "x", [], [.read, .global]), ("app:define('x', {})", "x", [.defined, .text], []),
      ("ctx:set(a(1, 'y'), 'x', 2)", "x", [.stored], []), ("ctx:set(a(1, 'y'), 'x', 2)", "y", [], [.stored]),
      ("app:perform('x')", "x", [.performed, .asked], []), ("app:perform('x', {})", "x", [.performed], [.asked]),
      ("app:validate 'x'", "x", [.asked], [.performed]), ("o.app:perform('x')", "x", [.text], [.performed]),
      ("menu 'File' { item 'A' {} }", "menu", [.dropped], []), ("menu 'File' { item 'A' {} }", "item", [], [.dropped]),
      ("local m = menu 'File' {}", "menu", [], [.dropped]), ("item 'a' {} .x = 1", "item", [], [.dropped]),
      ("r.on.x = f", "x", [.answer], []), ("r.on.x = 1", "x", [.answer], []), ("r.x = 1", "x", [], [.answer]),
      ("r.x = f", "x", [.answer], []), ("r.can.x = f", "x", [.assigned], [.answer]),
      ("r { on = { x = 1 } }", "x", [.answer], []), ("r { can = { x = f } }", "x", [], [.answer]),
      ("r.x = 1 and f", "x", [.answer], []), ("r.x = 1 + f", "x", [], [.answer]),
      ("r { needs = { a = { x = 1 } } }", "x", [], [.assigned]), ("r.needs.a = { x = 1 }", "x", [], [.assigned]),
    ] as [(String, String, CodeWords.Roles, CodeWords.Roles)])
  func roles(_ text: String, _ word: String, _ has: CodeWords.Roles, _ hasNot: CodeWords.Roles) {
    let words = Self.reading(text).words
    for bit in 0..<12 {
      let role = CodeWords.Roles(rawValue: 1 << bit)
      if has.contains(role) { expect(words.has(word, role), "\(role)") }
      if hasNot.contains(role) { expect(!words.has(word, role), "\(role)") }
    }
  }

  @Test("Reading flags code whose names it can't know")
  func unknown() {
    func flags(_ text: String) -> String {
      let words = Self.reading(text).words
      return [
        ("performs", words.computesPerformed), ("defines", words.computesDefined), ("focuses", words.focusesLater),
        ("answers", words.computesAnswers), ("globals", words.touchesGlobals),
      ].filter(\.1).map(\.0).joined(separator: " ")
    }
    expect(flags("app:perform('x') app:define('x') focus(r) r.on[n] = f r.next = o"), is: "")
    expect(flags("app:perform(x) app:define('x' .. y)"), is: "performs defines")
    expect(flags("local p, d = app.perform, app['define']"), is: "performs defines")
    for text in ["focus(r)", "r.next = o", "r:make_key()"] { expect(flags("function f() \(text) end"), is: "focuses") }
    expect(flags("local f = focus"), is: "focuses")
    expect(flags("function f() r.on[n] = g end"), is: "answers")
    expect(flags("function f() return { on = { [n] = g } } end"), is: "answers")
    for text in ["_G.x = 1", "local e = _ENV", "local function f(_ENV) end", "load('x = 1')"] {
      expect(flags(text), is: "globals", "\(text)")
    }
  }

  // MARK: Locals, answers and calls

  @Test("A local is visible from the line after its declaration to the end of its block")
  func locals() {
    let found = Self.reading(
      """
      local a = 1
      local function f(b, c)
        for d, e in x do
          local g =
            2
        end
      end
      do local h = 3 end
      """
    ).locals.map { "\($0.name) \($0.lines.lowerBound)-\($0.lines.upperBound)" }
    expect(found, is: ["a 2-8", "f 2-8", "b 2-7", "c 2-7", "d 4-6", "e 4-6", "g 6-6", "h 8-8"])
  }

  @Test(
    "A function's returns tell its result",
    arguments: [
      ("", nil, true, false), ("return", nil, true, false), ("error 'x'", nil, false, false),
      ("return 'x'", "x", false, false), ("return a or 'x'", "x", false, false),
      ("return 1 < a or 'x'", "x", false, false),
      ("return a and 'x' or nil", "x", false, false), ("return a == 'x'", nil, false, false),
      ("return a, 'x'", nil, false, false), ("return f(a or 'x')", nil, false, false),
      ("return 'x' .. a", nil, false, false), ("return not 'x'", nil, false, false),
      ("return function() return 'x' end", nil, false, false), ("f(function() return 'x' end)", nil, true, false),
      ("return {}", nil, false, true), ("local t = {} t.x = 1 return t", nil, false, true),
      ("return { 1 }, 2", nil, false, false), ("return f {}", nil, false, false),
    ])
  func answers(_ body: String, _ text: String?, _ isNothing: Bool, _ isTable: Bool) throws {
    let found = try require(Self.reading("function f(a) \(body) end").functions[1]?.last).answers
    expect(found.text == text && found.isNothing == isNothing && found.isTable == isTable)
  }

  @Test(
    "A call is dropped by a statement, or returned, or its result is used",
    arguments: [
      ("app:go('x')", "dropped"), ("app:go 'x'", "dropped"), ("go(1)", "dropped"), ("local x = app:go('x')", "other"),
      ("expect(app:go('x').status)", "other"), ("app:go('x'):wait()", "other"), ("return app:go('x')", "returned"),
      ("return (app:go('x'))", "other"), ("return app:go('x'), 1", "other"), ("return app:go('x') or 1", "other"),
      ("app:go(app and 'a' or 'b')", "dropped"), ("go(go(1))", ""), ("f()", ""),
    ])
  func calls(_ text: String, _ expected: String) {
    let reading = Self.reading("\n" + text)
    let uses: [(LuaReading.Call.Use, String)] = [(.dropped, "dropped"), (.returned, "returned"), (.other, "other")]
    expect(
      uses.filter { reading.calls("go", inLine: 2, are: $0.0) }.map(\.1).joined(separator: " "), is: expected)
    expect(!reading.calls("go", inLine: 1, are: .dropped))
  }

  // MARK: Any text

  @Test("S1: Reading any bytes ends, and returns only places in the text", arguments: 0..<200)
  func anything(seed: Int) {
    var chance = Chance(seed: UInt64(seed))
    let words = [
      "function", "end", "local", "(", ")", "{", "}", "[", "]", "=", ",", ".", ":", "::", "x", "'t'", "if", "then",
      "repeat",
      "until", "for", "in", "do", "return", "goto", "[[", "]]", "--", "\"", "\\", "\n", "<", "...", "1e", "not", "_ENV",
      "else",
    ]
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...400, using: &chance) {
      if chance.once(in: 8) { bytes.append(.random(in: .min ... .max, using: &chance)) }
      bytes += chance.pick(words).utf8
      if chance.once(in: 2) { bytes.append(UInt8(ascii: " ")) }
    }
    let reading = LuaReading(of: bytes)
    let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
    expect(reading.tokens.allSatisfy { $0.offset <= bytes.count && $0.line <= lines })
    expect(reading.locals.allSatisfy { $0.lines.upperBound <= lines })
    expect(reading.functions.values.joined().allSatisfy { $0.lastLine <= lines })
  }

  @Test(
    "S1: The time of reading grows with the length of the text, in any nesting",
    arguments: [
      ("(", ""), ("{", ""), ("function f() ", ""), ("f(", ""), ("{ x = ", ""), ("x.y[", ""), ("not ", "x"),
      ("'a' .. ", "x"),
      ("x = ", "1"), ("if x then ", ""), ("[=", ""), ("]=", ""), ("--[==[ ", ""), ("local x ", ""), ("a:set(", ""),
      ("x,", ""),
      ("'\\", ""), ("::x:: goto x ", ""), ("menu 'x' {} ", ""), ("return ", ""), ("f 'x' ", ""), ("[==[ ]=", ""),
    ])
  func growing(_ part: String, _ end: String) {
    func time(_ bytes: Int) -> UInt64 {
      let text = Array((String(repeating: part, count: bytes / part.utf8.count) + end).utf8)
      let start = threadTime()
      _ = LuaReading(of: text)
      return UInt64(threadTime() - start)
    }
    _ = time(1 << 10)
    let (short, long) = (time(1 << 14), time(1 << 17))
    expect(long < 32 * short + 50_000_000, "\(short) ns, and \(long) ns for eight times as much")
  }
}
