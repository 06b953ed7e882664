import Expectations
import Testing

@testable import ScriptHost

@Suite("The context that scripts see")
struct ContextScriptTests {
  @Test(
    "C1: ctx reads the handler's writes first, then arguments, the caller's info, the nearest provider, farther ones"
  )
  func precedence() throws {
    try expect(
      """
      local far = responder "far"
      local near = responder "near" { next = far }
      function far:provide(ctx) ctx.a, ctx.b, ctx.c, ctx.d, ctx.e = "far", "far", "far", "far", "far" end
      function near:provide(ctx) print("near sees " .. ctx.b) ctx.b, ctx.c, ctx.d, ctx.e = "near", "near", "near", "near" end
      function near.on:x(ctx)
        ctx.e = "written"
        return table.concat({ ctx.a, ctx.b, ctx.c, ctx.d, ctx.e, tostring(ctx.nothing) }, " ")
      end
      focus(near)
      function app.on:go()
        say("x(d: argument, e: argument)", nil, { info = { c = "info", d = "info" } })
        say("x(d: overridden)", { d = "given" })
        say("x(d: null)", nil, { info = { c = "info" } })
      end
      """,
      prints: """
        near sees far
        near sees far
        handled by near via on → far near info argument written nil
        near sees far
        handled by near via on → far near near given written nil
        near sees far
        failed by near via on ! invalid value (nil) at index 4 in table for 'concat'
        """)
  }

  @Test("C2: append makes a list, read nearest first, in one provider in its order; an argument or info replaces it")
  func append() throws {
    try expect(
      """
      local far = responder "far"
      local near = responder "near" { next = far }
      function far:provide(ctx) ctx.l = "scalar" ctx:append("l", "far 1") ctx:append("l", "far 2") ctx.one = 1 end
      function near:provide(ctx) ctx:append("l", "near 1") ctx:append("l", "near 2") end
      local function show(ctx, key)
        local parts = {}
        for value in ctx:each(key) do parts[#parts + 1] = tostring(value) end
        return table.concat(parts, ",")
      end
      function near.on:x(ctx)
        ctx:append("mine", 1) ctx:append("mine", 2) ctx:append("l", "mine")
        return ("%s; %s; %s; %s; %s"):format(show(ctx, "l"), type(ctx.l), show(ctx, "one"), show(ctx, "mine"), show(ctx, "none"))
      end
      focus(near)
      function app.on:go()
        say("x")
        say("x(l: [1, 2])")
        say("x", nil, { info = { l = "info" } })
      end
      """,
      prints: """
        handled by near via on → mine,near 1,near 2,far 1,far 2,scalar; table; 1; 1,2; 
        handled by near via on → mine,1,2; table; 1; 1,2; 
        handled by near via on → mine,info; table; 1; 1,2; 
        """)
  }

  @Test("C2: Appending nil adds nothing, and removes nothing that others appended")
  func appendedNothing() throws {
    let stage = try ScriptStage(
      """
      local far = responder "far"
      local near = responder "near" { next = far }
      function app:provide(ctx) ctx:append("tags", "app") end
      function near:provide(ctx) ctx:append("tags", self.selection) end
      function near.on:x(ctx) local n = 0 for tag in ctx:each("tags") do n = n + 1 end return n end
      focus(near)
      """)
    expect(stage.perform("x"), is: "handled by near via on → integer(1)")
    let far = try require(stage.host.find("far"))
    stage.host.edit(far).provide { context in context.append("tags", .null) }
    expect(stage.perform("x"), is: "handled by near via on → integer(1)")
  }

  @Test("C2: Values that handlers append come in the order of the calls, in Lua and in Swift")
  func mixedAppends() throws {
    let stage = try ScriptStage(
      """
      local grid = responder "grid"
      local cell = responder "cell" { next = grid }
      function grid:provide(ctx) ctx:append("l", "provided") end
      function grid.on:x(ctx)
        ctx:append("l", "script")
        local parts = {}
        for value in ctx:each("l") do parts[#parts + 1] = value end
        return table.concat(parts, ",")
      end
      focus(cell)
      """)
    let cell = try require(stage.host.find("cell"))
    stage.host.edit(cell).on("x") { command -> Void in
      command.context.append("l", "program")
      throw Pass()
    }
    for _ in 1...2 { expect(stage.perform("x"), is: "handled by grid via on → text(\"program,script,provided\")") }
  }

  @Test(
    "C2: The program iterates like scripts: over a table's elements, over nothing if it is empty, else over the value"
  )
  func eachOfTables() throws {
    let stage = try ScriptStage(
      """
      local grid = responder "grid"
      function grid:provide(ctx)
        ctx.two, ctx.none, ctx.named, ctx.one, ctx.who = { "a", "b" }, {}, { x = 1 }, "a", grid
        ctx.begun = {}
        ctx:append("begun", "a")
        ctx.longer = { "b" }
        ctx:append("longer", "a")
      end
      function grid.on:counts(ctx)
        local counts = {}
        for i, key in ipairs { "two", "none", "named", "one", "who", "begun", "longer", "nothing" } do
          counts[i] = 0
          for value in ctx:each(key) do counts[i] = counts[i] + 1 end
        end
        return table.concat(counts, " ")
      end
      focus(grid)
      """)
    stage.host.on("program_counts") { command in
      let keys = ["two", "none", "named", "one", "who", "begun", "longer", "nothing"]
      return .text(keys.map { "\(command.context.each($0).count)" }.joined(separator: " "))
    }
    let expected = "text(\"2 0 1 1 1 1 2 0\")"
    for _ in 0..<2 {
      expect(stage.perform("counts"), is: "handled by grid via on → \(expected)")
      expect(stage.perform("program_counts"), is: "handled by host via native → \(expected)")
    }
  }

  @Test("C2, S4: Iteration over a list with gaps ends at the first gap, wherever the list seems to end")
  func gaps() throws {
    let stage = try ScriptStage(
      """
      -- The border of such a table is anywhere: Lua looks for it by doubling.
      local function gappy()
        local t = {}
        for i = 0, 62 do t[1 << i] = i end
        t[math.maxinteger] = "last"
        for k = 2, 17 do t[k] = k end
        return t
      end
      local grid = responder "grid"
      function grid:provide(ctx)
        ctx.gappy = gappy()
        ctx:append("more", "a")
        local more = ctx.more
        for key, value in pairs(gappy()) do more[key] = value end
        ctx:append("more", "b")
      end
      function grid.on:counts(ctx)
        local counts = { 0, 0 }
        for i, key in ipairs { "gappy", "more" } do for value in ctx:each(key) do counts[i] = counts[i] + 1 end end
        return table.concat(counts, " ")
      end
      focus(grid)
      """)
    stage.host.on("program_counts") { command in
      .text(["gappy", "more"].map { "\(command.context.each($0).count)" }.joined(separator: " "))
    }
    for _ in 0..<2 {
      expect(stage.perform("counts"), is: "handled by grid via on → text(\"17 18\")")
      expect(stage.perform("program_counts"), is: "handled by host via native → text(\"17 18\")")
    }
  }

  @Test(
    "C3, C6: A responder provides once, however often it is reachable; meanwhile it can't see the action or arguments"
  )
  func provideOnce() throws {
    try expect(
      """
      local main = window "main"
      local grid = responder "grid" { next = main }
      local count = 0
      main.delegate = grid
      function grid:provide(ctx)
        count = count + 1
        print(count, ctx.action, ctx.args, ctx.sender, ctx.info, ctx.taker, ctx.raw, ctx.k)
      end
      function grid.on:x(ctx) return ctx.sender == app and ctx.taker == grid end
      focus(grid)
      function app.on:go() say("x(k: 1)") app:validate("x") end
      """,
      prints: """
        1\tnil\tnil\tnil\tnil\tnil\tnil\tnil
        2\tnil\tnil\tnil\tnil\tnil\tnil\tnil
        handled by grid via on → true
        3\tnil\tnil\tnil\tnil\tnil\tnil\tnil
        """)
  }

  @Test("C4: A provider that raises is reported by name; the others still run and so does the action")
  func raisingProvider() throws {
    let stage = try ScriptStage(
      """
      local grid = responder "grid"
      function grid:provide(ctx) ctx.before = 1 error("no selection") end
      function app:provide(ctx) ctx.app = true end
      function grid.on:x(ctx) return tostring(ctx.app) .. tostring(ctx.before) end
      focus(grid)
      """)
    for _ in 1...2 {
      expect(stage.perform("x"), is: "handled by grid via on → text(\"true1\")")
      let diagnostics = stage.host.takeDiagnostics()
      expect(diagnostics.map(\.message), is: ["'provide' of 'grid' failed: no selection"])
      expect(diagnostics.first?.place, is: Place(file: "app.lua", line: 2))
    }
  }

  @Test(
    "S4: If a provider spends the allowance, the host calls no provider after it, and names that provider only",
    arguments: ["", "saved = ctx", "ctx.sender = 1"])
  func spendingProvider(_ keeping: String) throws {
    let limits = HostLimits(perform: .milliseconds(0, instructions: 1_000_000))
    let stage = try ScriptStage(
      """
      asked, saved = 0, nil
      local last = app
      for i = 1, 100 do
        local r = responder("r" .. i) { next = last }
        function r:provide(ctx) asked = asked + 1 \(keeping) if i == 5 then while true do end end end
        last = r
      end
      focus(last)
      function app.on:x(ctx) end
      function app.can:x() return true end
      """, limits: limits)
    func named() -> [Substring] {
      stage.host.takeDiagnostics().filter { $0.message.hasPrefix("'provide' of ") }
        .map { $0.message.dropFirst("'provide' of ".count).prefix(4) }
    }
    for _ in 1...3 {
      let outcome = stage.host.perform("x")
      expect(outcome.status == .failed && outcome.error?.limit == .instructions && outcome.error?.place?.line == 5)
      expect(named(), is: ["'r5'"])
    }
    // A listing of the context's providers does the same.
    _ = try stage.host.context()
    expect(named(), is: ["'r5'"])
  }

  @Test("S4: If a provider in Swift spends the allowance and fails by itself, the perform reports that limit")
  func spendingNativeProvider() throws {
    let stage = try ScriptStage(
      """
      local window = responder "window"
      function window.on:loop() end
      function window.can:loop() while true do end end
      function app.on:x() end
      function app.can:x() return true end
      focus(window)
      """, limits: HostLimits(perform: .milliseconds(0, instructions: 1_000_000)))
    let host = stage.host
    nonisolated(unsafe) var isAsking = false
    host.edit(try require(host.find("window"))).provide { [unowned host] _ in
      if isAsking { return }
      isAsking = true
      defer { isAsking = false }
      for _ in 1...20 { _ = host.validate("loop") }
      throw Broken()
    }
    for _ in 1...2 {
      let outcome = host.perform("x")
      expect(outcome.status == .failed && outcome.error?.limit == .instructions)
    }
  }

  @Test(
    "S4, U3: The host undoes and redoes even if a provider spends the allowance", arguments: ["", "saved = ctx"])
  func undoBesideASpendingProvider(_ keeping: String) throws {
    let stage = try ScriptStage(
      """
      saved, isBad = nil, false
      local grid = responder "grid" { zoom = 0 }
      function grid:provide(ctx) \(keeping) if isBad then while true do end end end
      function grid.on:set(ctx) ctx:set(self, "zoom", 1, "Set") end
      function grid.on:spoil() isBad = true end
      focus(grid)
      """, limits: HostLimits(perform: .milliseconds(0, instructions: 1_000_000)))
    for action in ["set", "spoil", "undo", "redo", "undo", "redo"] {
      expect(stage.host.perform(action).status, is: .handled, "\(action)")
    }
    expect(stage.host.perform("set").status, is: .failed)
  }

  @Test("C5: No part of one perform's context, nor a change of its tables, is left in the next")
  func freshEachTime() throws {
    try expect(
      """
      function app.on:x(ctx)
        ctx.args.n = (ctx.args.n or 0) + 1
        ctx.args.extra = true
        ctx.modifiers.shift = true
        ctx.written = (ctx.written or 0) + 1
        for key, value in pairs(ctx) do if type(value) == "table" and key == "args" then value.found = 1 end end
        local count = 0
        for _ in pairs(ctx.args) do count = count + 1 end
        return ("%s %s %s %s"):format(ctx.args.n, ctx.n, ctx.written, count)
      end
      function app.on:y(ctx)
        for key, value in pairs(ctx) do if key == "args" or key == "modifiers" then value.left = "over" end end
        return tostring(ctx.args.left)
      end
      function app.on:z(ctx) ctx.l[1] = ctx.l[1] + 1 return ctx.l[1] end
      function app.on:left(ctx) return tostring(ctx.args.left) .. tostring(ctx.modifiers.left) end
      function app.on:go()
        for _ = 1, 2 do say("x(n: 1)") say("y") say("z(l: [1])") say("left") end
      end
      """,
      prints: """
        handled by app via on → 2 1 1 3
        handled by app via on → over
        handled by app via on → 2
        handled by app via on → nilnil
        handled by app via on → 2 1 1 3
        handled by app via on → over
        handled by app via on → 2
        handled by app via on → nilnil
        """)
  }

  @Test("C7: The sender is the caller's, else the app, never nil")
  func sender() throws {
    let stage = try ScriptStage(
      """
      local grid = responder "grid"
      function app.on:x(ctx) return type(ctx.sender) == "table" and (ctx.sender.id or tostring(ctx.sender)) end
      function app.on:go() say("x") say("x", nil, { sender = grid }) say("x", nil, { sender = "grid" }) end
      """)
    expect(stage.perform("go"), is: "handled by app via on")
    expect(
      stage.printed,
      is: [
        "handled by app via on → app 'app'", "handled by app via on → responder 'grid'",
        "handled by app via on → responder 'grid'",
      ])
    var options = PerformOptions()
    options.sender = .item(id: "File/Save", title: "Save", action: "x", key: nil)
    expect(stage.perform("x", options), is: "handled by app via on → text(\"File/Save\")")
  }

  final class Photo {
    let name: String
    init(_ name: String) { self.name = name }
  }

  private static func number(_ key: String, in context: Context) -> String {
    do {
      guard let number = try context[key, as: Int.self] else { return "nil" }
      return "\(number)"
    } catch {
      return "\(error)"
    }
  }

  @Test("C8: An opaque Swift object passes through Lua unharmed; a wrong type is an error that names both")
  func opaque() throws {
    let stage = try ScriptStage(
      """
      local grid = responder "grid"
      local kept
      function grid:provide(ctx) ctx.photo = kept ctx.list = { 1, 2 } ctx.fn = print ctx.bytes = "\\xff" ctx:append("all", kept) end
      function grid.on:keep(ctx) kept = ctx.library return kept end
      function grid.on:give(ctx) return ctx.photo == ctx.args.photo and app:perform("native", { photo = ctx.photo }).result end
      focus(grid)
      """)
    let photo = Photo("dawn")
    var found: [String] = []
    var seen: Photo?
    stage.host.on("native") { command -> Value in
      seen = try command.context["photo", as: Photo.self]
      found = ["photo", "list", "fn", "bytes", "n", "nothing"].map { Self.number($0, in: command.context) }
      let all = command.context.each("all")
      expect(all.count, is: 1)
      let isSame: Bool = if case .opaque(let object)? = all.first { object === photo } else { false }
      expect(isSame)
      return command.context["photo"]
    }
    var options = PerformOptions()
    options.info = ["library": .opaque(photo), "photo": .opaque(photo), "n": 3]
    expect(stage.perform("keep", options).hasPrefix("handled by grid via on → opaque"))
    options.arguments = ["photo": .opaque(photo)]
    let outcome = stage.host.perform("give", options)
    let isSame: Bool = if case .opaque(let object) = outcome.result { object === photo } else { false }
    expect(isSame, "\(outcome.line)")
    let wasSame = seen === photo
    expect(wasSame)
    expect(
      found,
      is: [
        "'photo' is a Photo, not a Int", "'list' is a table, not a Int", "'fn' is a function, not a Int",
        "'bytes' is a string, not a Int", "nil", "nil",
      ])
  }

  @Test("C9: The host's names win over a provider's; one diagnostic names the provider")
  func hostNames() throws {
    let stage = try ScriptStage(
      """
      local grid = responder "grid"
      local computed = "sender"
      function grid:provide(ctx) ctx.action = "mine" ctx[computed] = "mine" ctx.photo = 1 end
      function grid.on:x(ctx) return ctx.action .. tostring(ctx.sender == app) .. ctx.photo end
      function grid.can:x(ctx) return ctx.action == "x" end
      focus(grid)
      """)
    expect(stage.perform("x"), is: "handled by grid via on → text(\"xtrue1\")")
    expect(stage.perform("x"), is: "handled by grid via on → text(\"xtrue1\")")
    let told = stage.host.takeDiagnostics().map(\.message).sorted()
    expect(told.count, is: 2)
    expect(told.first?.contains("'grid' supplies 'action'"), is: true)
    expect(told.last?.contains("'grid' supplies 'sender'"), is: true)
  }

  @Test(
    "C9: A provider's value under a host's name is gone when all have run, and the diagnostic names that provider only",
    arguments: [false, true])
  func hostNamesBetweenProviders(isTraced: Bool) throws {
    let stage = try ScriptStage(
      """
      local window = responder "window"
      local grid = responder "grid" { next = window }
      function app:provide(ctx) ctx.sender, ctx.photo = "mine", 1 end
      function window:provide(ctx) for key, value in pairs { zoom = 2 } do ctx[key] = value end end
      function grid:provide(ctx) ctx.near = 3 end
      function grid.can:x(ctx) return ctx.sender == app end
      function grid.on:x(ctx) return ctx.near .. ctx.photo .. ctx.zoom .. tostring(ctx.sender == app) end
      focus(grid)
      """)
    if isTraced { stage.host.onTrace = { _ in } }
    expect(stage.perform("x"), is: "handled by grid via on → text(\"312true\")")
    expect(stage.perform("x"), is: "handled by grid via on → text(\"312true\")")
    expect(
      stage.host.takeDiagnostics().map(\.message),
      is: [
        "'app' supplies 'sender', a name of the host, so nobody can read it: choose another name"
      ])
  }

  @Test("C9: Arguments named like the host's names are readable as ctx.args only")
  func namedLikeTheHost() throws {
    try expect(
      """
      function app.on:x(ctx)
        return ("%s %s %s %s"):format(ctx.action, ctx.args.action, type(ctx.refuse), ctx.args.refuse)
      end
      function app.on:go() say("x(action: mine, refuse: 1)") say("x", { action = "mine", refuse = 1 }, { info = { raw = 1 } }) end
      """,
      prints: """
        handled by app via on → x mine function 1
        handled by app via on → x mine function 1
        """)
  }

  @Test("C10: pairs(ctx) shows what the handler could read; rawset refuses host objects")
  func pairsAndRawset() throws {
    try expect(
      """
      local grid = responder "grid"
      function grid:provide(ctx)
        ctx.photo = "p"
        for key in pairs(ctx) do print("provide " .. key) end
      end
      local function keys(ctx)
        local keys = {}
        for key in pairs(ctx) do keys[#keys + 1] = key end
        table.sort(keys)
        return table.concat(keys, " ")
      end
      function grid.can:x(ctx) print("can", keys(ctx)) return true end
      function grid.on:x(ctx)
        fails(rawset, ctx, "k", 1)
        fails(rawset, grid, "k", 1)
        fails(rawset, grid.on, "k", print)
        fails(setmetatable, ctx, {})
        print(getmetatable(ctx), getmetatable(grid), rawget(grid, "next"), next(grid.on))
        ctx.mine = 1
        return keys(ctx)
      end
      focus(grid)
      function app.on:go() say("x(k: 1)") end
      """,
      prints: """
        provide photo
        provide photo
        can\taction args k modifiers photo prefix raw sender taker
        rawset can't write to an object of the host's
        rawset can't write to an object of the host's
        rawset can't write to an object of the host's
        cannot change a protected metatable
        false\tfalse\tnil\tnil
        handled by grid via on → action args k mine modifiers photo prefix raw sender taker
        """)
  }

  @Test("The context of provide, can and look is good only during the call; a handler's lives as long as it is held")
  func lifetimes() throws {
    try expect(
      """
      local grid = responder "grid"
      local provided, asked, looked, done
      local function keep(ctx) provided = ctx end
      function grid:provide(ctx) keep(ctx) ctx.photo = "p" ctx:append("l", 1) end
      function grid.can:x(ctx) asked = ctx return ctx.photo == "p" end
      function grid.look:x(ctx) looked = ctx return { title = ctx.photo } end
      function grid.on:x(ctx) done = ctx return ctx.photo end
      focus(grid)
      function app.on:go()
        say("x(k: 1)")
        look("x")
        for _, ctx in ipairs { provided, asked, looked } do
          fails(function() return ctx.photo end)
          fails(function() ctx.photo = 1 end)
          fails(function() return ctx:has("photo") end)
          fails(function() for _ in pairs(ctx) do end end)
        end
        print(done.photo, done.k, done.action, done.taker == grid, done:has("l"))
        fails(function() done:refuse("late") end)
        print((pcall(done.forward, done)))
      end
      """,
      prints: """
        handled by grid via on → p
        enabled by grid
        app.lua:13: this context is over: it is valid only during the call that received it
        app.lua:14: this context is over: it is valid only during the call that received it
        app.lua:15: this context is over: it is valid only during the call that received it
        this context is over: it is valid only during the call that received it
        app.lua:13: this context is over: it is valid only during the call that received it
        app.lua:14: this context is over: it is valid only during the call that received it
        app.lua:15: this context is over: it is valid only during the call that received it
        this context is over: it is valid only during the call that received it
        app.lua:13: this context is over: it is valid only during the call that received it
        app.lua:14: this context is over: it is valid only during the call that received it
        app.lua:15: this context is over: it is valid only during the call that received it
        this context is over: it is valid only during the call that received it
        p\t1\tx\ttrue\ttrue
        app.lua:19: call ctx:refuse(reason) in a running handler, on its own context
        false
        """)
  }

  @Test("flag reads a switch, has returns whether there is a value")
  func flags() throws {
    try expect(
      """
      function app.on:x(ctx) return tostring(ctx:flag("v")) .. " " .. tostring(ctx:has("v")) end
      function app.on:go()
        for _, v in ipairs { true, false, 0, 1, -0.5, 0 / 0, "TRUE", "Yes", "on", "1", "true ", "off", "", {} } do
          print(tostring(v):sub(1, 5), app:perform("x", { v = v }).result)
        end
        print(app:perform("x").result, app:perform("x(v: null)").result)
      end
      """,
      prints: """
        true\ttrue true
        false\tfalse true
        0\tfalse true
        1\ttrue true
        -0.5\ttrue true
        -nan\tfalse true
        TRUE\ttrue true
        Yes\ttrue true
        on\ttrue true
        1\ttrue true
        true \tfalse true
        off\tfalse true
        \tfalse true
        table\tfalse true
        false false\tfalse false
        """)
  }

  @Test("flag and has return the same to the program as to scripts")
  func flagsInSwift() throws {
    let stage = try ScriptStage(
      """
      function app.on:script(ctx) return tostring(ctx:flag("v")) .. " " .. tostring(ctx:has("v")) end
      function app.on:go()
        for _, v in ipairs { true, false, 0, 1, -0.5, 0 / 0, 1 / 0, "TRUE", "yEs", "ON", "1", "1.0", "true ", "", "y", "ÿes", {}, print } do
          print(app:perform("script", { v = v }).result == app:perform("program", { v = v }).result or v)
        end
        print(app:perform("script").result == app:perform("program").result)
      end
      """)
    stage.host.on("program") { command in
      .text("\(command.context.flag("v")) \(command.context.has("v"))")
    }
    expect(stage.host.perform("go").status, is: .handled)
    expect(stage.takePrinted(), is: [String](repeating: "true", count: 19))
  }

  @Test("Any Lua value can be an argument, info, a context value or a result, and keeps its identity")
  func anyValue() throws {
    try expect(
      """
      local cycle = {}
      cycle.self = cycle
      local values = {
        cycle, print, coroutine.create(print), "\\xff\\x00", math.maxinteger, 1e308, -0.0, { null, 1 }, responder "r", ("x"):rep(100000),
      }
      local given
      function app:provide(ctx) ctx.provided = given end
      function app.on:x(ctx)
        return rawequal(ctx.v, given) and rawequal(ctx.args.v, given) and rawequal(ctx.i, given) and rawequal(ctx.provided, given) and ctx.v
      end
      function app.on:go()
        for i = 1, #values do
          given = values[i]
          local outcome = app:perform("x", { v = given }, { info = { i = given } })
          print(i, rawequal(outcome.result, given), math.type(outcome.result))
        end
        local nan = app:perform("x", { v = 0 / 0 })
        print(nan.status, nan.result)
        fails(function() app:perform("x", { 1 }) end)
        fails(function() app:perform("x", { ["\\xff"] = 1 }) end)
        fails(function() app:perform("x", 5) end)
      end
      """,
      prints: """
        1\ttrue\tnil
        2\ttrue\tnil
        3\ttrue\tnil
        4\ttrue\tnil
        5\ttrue\tinteger
        6\ttrue\tfloat
        7\ttrue\tfloat
        8\ttrue\tnil
        9\ttrue\tnil
        10\ttrue\tnil
        handled\tfalse
        app.lua:19: arguments are named, as in { to = "disk" }: a number can't be a name
        app.lua:20: arguments are named, as in { to = "disk" }: a string that is not UTF-8 can't be a name
        app.lua:21: the arguments must be a table, not a number
        """)
  }

  /// Two spellings of a key may look alike. Each is its own key.
  @Test(
    "D11: A key is its bytes, however often and in which order it is read", arguments: [["x", "y"], ["y", "x"]])
  func bytes(_ order: [String]) throws {
    let stage = try ScriptStage(
      #"""
      local outer = responder "outer"
      local r = responder "r" { next = outer }
      function outer:provide(ctx) ctx["caf\u{e9}"] = 1 end
      r.needs.x = "caf\u{e9}"
      function r.on:x() return 1 end
      r.needs.y = "cafe\u{301}"
      function r.on:y() return 2 end
      focus(r)
      """#)
    for action in order {
      for _ in 0..<3 { expect((stage.host.perform(action).status == .handled) == (action == "x")) }
      expect(stage.host.validate(action).isEnabled, is: (action == "x"))
    }
    let keys = try stage.host.why("y").keys + stage.host.why("x").keys
    expect(keys.map { $0.by }, is: [nil, "outer"])
  }

  @Test("S1: The memory of suppliers has a bound")
  func suppliers() {
    var known = KnownSuppliers()
    known.note("r", of: ByteText("first"))
    known.note("q", of: ByteText("first"))
    known.note("r", of: ByteText("first"))
    expect(known.names(of: "first"), is: ["r", "q"])
    known.note("r", of: ByteText(String(repeating: "k", count: 1 << 20)))
    expect(known.names(of: "first"), is: ["r", "q"])
    for number in 0..<10_000 { known.note("r", of: ByteText("key \(number)")) }
    expect(known.names(of: "first").isEmpty && known.names(of: "key 9999") == ["r"])
    expect(known.bytes < 1 << 19)
  }

  @Test("S3: Keys that 'needs' no longer lists take no memory")
  func needs() throws {
    let stage = try ScriptStage(
      """
      function app.on:x() end
      function app.on:fill(ctx)
        for number = 1, 400 do
          app.needs.x = ("k"):rep(240) .. ctx.round .. " " .. number
          app:perform("x")
          app:perform("x")
        end
        app.needs.x = nil
      end
      """, limits: .patient)
    func held() throws -> Double {
      guard case .number(let kilobytes)? = try stage.host.evaluate("return collectgarbage('count')").first else {
        return 0
      }
      return kilobytes
    }
    for round in 0..<10 { expect(stage.perform("fill(round: \(round))"), is: "handled by app via on") }
    let before = try held()
    for round in 10..<40 { expect(stage.perform("fill(round: \(round))"), is: "handled by app via on") }
    try expect(held() < before + 500)
  }
}
