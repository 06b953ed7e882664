import Expectations
import Testing

@testable import ScriptHost

@Suite("References in scripts")
struct ReferenceScriptTests {
  @Test(
    "I1, I2: The whole id is tried first, then one leading component less each time; ctx.prefix has the dropped part")
  func prefixes() throws {
    try expect(
      """
      local function tell(_, ctx) return ("%s|%s|%s"):format(ctx.action, ctx.prefix, ctx.raw) end
      app.on.MyAction = tell
      app.on["file.open"] = tell
      app.on.open = tell
      app.on["schließen"] = tell
      function app.on:go()
        for _, reference in ipairs {
          "MyAction", "button.MyAction", "a.b.c.MyAction(x: 1)", "file.open", "menu.file.open", "file.x.open", "fenster.schließen",
        } do say(reference) end
      end
      """,
      prints: """
        handled by app via on → MyAction||MyAction
        handled by app via on → MyAction|button|button.MyAction
        handled by app via on → MyAction|a.b.c|a.b.c.MyAction(x: 1)
        handled by app via on → file.open||file.open
        handled by app via on → file.open|menu|menu.file.open
        handled by app via on → open|file.x|file.x.open
        handled by app via on → schließen|fenster|fenster.schließen
        """)
  }

  @Test(
    "I3–I6: Arguments keep their types, nested",
    arguments: [
      ("a(v: 5)", "integer 5"), ("a(v: 5.0)", "float 5.0"),
      ("a(v: 9223372036854775807)", "integer 9223372036854775807"),
      ("a(v: 9223372036854775808)", "float 9.2233720368548e+18"), ("a(v: -1e3)", "float -1000.0"),
      ("a(v: true)", "boolean true"), ("a(v: \"true\")", "string true"), ("a(v: yes)", "string yes"),
      ("a(v: 05)", "string 05"), ("a(v: \") \\\" \\u00e9\")", "string ) \" é"), ("a(v: null)", "nil nil"),
      ("a()", "nil nil"),
      (
        "a(v: [1, 2.5, null, {\"k\": [true, x]}])",
        "[integer 1, float 2.5, userdata null, {k=[boolean true, string x]}]"
      ),
      ("a(\"v\": {k: null})", "{k=userdata null}"), ("a(v: [])", "[]"),
    ])
  func types(_ reference: String, _ shown: String) throws {
    let stage = try ScriptStage(
      """
      local function show(v)
        if type(v) ~= "table" then return (math.type(v) or type(v)) .. " " .. tostring(v) end
        local parts = {}
        for _, part in ipairs(v) do parts[#parts + 1] = show(part) end
        if next(v) == nil or #v > 0 then return "[" .. table.concat(parts, ", ") .. "]" end
        for k, part in pairs(v) do parts[#parts + 1] = k .. "=" .. show(part) end
        return "{" .. table.concat(parts, ", ") .. "}"
      end
      function app.on:a(ctx) return show(ctx.v) .. (show(ctx.args.v) == show(ctx.v) and "" or " ≠ " .. show(ctx.args.v)) end
      """)
    expect(stage.perform(reference), is: "handled by app via on → text(\(String(reflecting: shown)))")
  }

  @Test(
    "I7: A malformed reference is failed, with the column, and nothing runs",
    arguments: [
      ("a(", 3), ("a(\"k\")", 3), ("a(k:)", 5), ("", 1), ("a.", 3), ("a(k: 1, k: 2)", 9), ("a(k: 1,)", 8), ("1a", 1),
      ("a b", 3),
    ])
  func malformed(_ reference: String, _ column: Int) throws {
    let stage = try ScriptStage(
      """
      function app:unknown() print("ran") end
      function app.on:try(ctx)
        local outcome = app:perform(ctx.reference)
        local e = outcome.error
        print(outcome.status, e.code, e.column, #tostring(e) > 0)
        local v = app:validate(ctx.reference)
        print(v.enabled, #v.reason > 0)
        local why = app:why(ctx.reference)
        print(why.enabled, why.reason == why.text:sub(-#why.reason), why.reason:find("^", 1, true) ~= nil)
        for _, call in ipairs { app.chain, app.context } do
          local value, message = call(app, ctx.reference)
          print(value, message == why.reason)
        end
      end
      """)
    var options = PerformOptions()
    options.arguments = ["reference": .text(reference)]
    expect(stage.perform("try", options), is: "handled by app via on")
    expect(
      stage.printed,
      is: [
        "failed\treference\t\(column)\ttrue", "false\ttrue", "false\ttrue\ttrue", "nil\ttrue", "nil\ttrue",
      ])
  }

  @Test("A reference of another type is the script's error, at its line; bytes that aren't UTF-8 are malformed")
  func notText() throws {
    try expect(
      """
      function app.on:go()
        fails(function() app:perform(5) end)
        fails(function() app:perform() end)
        fails(function() app.perform("go") end)
        fails(function() app.validate("go") end)
        fails(function() app:chain({}) end)
        fails(function() app:context(true) end)
        print(app:perform("\\xff").status, app:perform("a(k: \\"\\xff\\")").status, app:validate("\\xff").enabled)
      end
      """,
      prints: """
        app.lua:2: a reference must be a string, not a number
        app.lua:3: a reference must be a string, not nil
        app.lua:4: call it with a colon: app:perform(…)
        app.lua:5: call it with a colon: app:validate(…)
        app.lua:6: a reference must be a string, not a table
        app.lua:7: a reference must be a string, not a boolean
        failed\tfailed\tfalse
        """)
  }

  @Test("A2: If several arguments are wrong, the reason names the first by name, each time")
  func misfits() throws {
    for _ in 0..<8 {
      try expect(
        """
        app.takes.b = { n = { "integer", optional = true } }
        function app.on:b() end
        function app.on:go() print(app:perform("b", { zed = 3, foo = 4, args = 2, bar = 1 }).reason) end
        """, prints: "'b' takes no 'args'")
    }
  }
}
