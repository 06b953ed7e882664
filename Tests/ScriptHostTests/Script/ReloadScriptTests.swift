import Expectations
import Testing

@testable import ScriptHost

@Suite("E3: a reload is a transaction")
struct ReloadScriptTests {
  /// Two windows, a list in each, an action that waits, one that can be undone, menus with keys.
  private static let app = """
    app.title = "Lists"
    menubar {
      menu "List" {
        item "Add" { "add", key = "ctrl+a" },
        item "Slow" { "slow" },
        item "Top" { "top", key = "g g" },
      },
    }
    local left, right = window "left", window "right"
    local list, other = responder "list" { next = left }, responder "other" { next = right }
    list.count = 0
    function list.on:add(ctx)
      ctx:set(self, "count", self.count + 1, "Adding")
      app.keep.added = (app.keep.added or 0) + 1
      return self.count
    end
    function list.on:slow(ctx)
      ctx:undo("Slowly", function() print("taken back") end)
      sleep(1)
      return "slow"
    end
    function list.on:open() return modal(panel) ~= nil end
    panel = responder "panel" { next = right }
    function list.on:kept() return (app.keep.added or 0) .. " of " .. self.count end
    function app.on:top() end
    listen("reload", function(ok) print("old heard " .. tostring(ok)) end)
    observe("add", function(e) if e.stage == "did" then print("old saw it") end end)
    focus(other) focus(list)
    """
  private static let newer = app.replacing("\"Add\"", with: "\"Add One\"").replacing("old ", with: "new ")

  @Test(
    "E3: The new version replaces the old one: fields, undo, jobs and pending strokes are gone, app.keep stays"
  )
  func takesItsPlace() throws {
    let stage = try ScriptStage(Self.app)
    let host = stage.host
    let old = try require(host.find("list"))
    _ = host.perform("add")
    _ = host.perform("add")
    let job = try require(host.perform("slow").job)
    expect(host.press("g").status == .pending && host.undoHistory.undo == ["Adding", "Adding"])
    _ = host.menus()
    _ = stage.takePrinted()

    try host.reload(text: Self.newer, name: "app.lua")
    expect(stage.takePrinted(), is: ["taken back", "new heard true"])
    expect(job.outcome?.status == .cancelled && host.jobs.isEmpty)
    expect(host.pendingKeys == nil && host.undoHistory.undo == [])
    expect(old.isRemoved && host.find("list") !== old)
    expect(stage.perform("kept"), is: "handled by list via on → text(\"2 of 0\")")
    expect(stage.perform("add"), is: "handled by list via on → integer(1)")
    expect(stage.takePrinted(), is: ["new saw it"])
    expect(host.title == "Lists" && host.responders.map(\.name) == ["app", "left", "right", "list", "other", "panel"])
    expect(host.scripts?.owners.count, is: 2)
  }

  @Test("E3: A reload reports menu changes by id, and nothing if nothing changed")
  func menus() throws {
    let stage = try ScriptStage(Self.app)
    var heard: [MenuChange] = []
    stage.host.listen(.menu) { if case .menu(let changes) = $0 { heard += changes } }
    _ = stage.host.menus()
    try stage.host.reload(text: Self.app, name: "app.lua")
    expect(stage.host.changes() == [] && heard == [])
    try stage.host.reload(text: Self.app.replacing("\"ctrl+a\"", with: "\"ctrl+b\""), name: "app.lua")
    let changes = stage.host.changes()
    expect(changes.map(\.id) == ["List/Add"] && heard == changes)
    try stage.host.reload(text: "responder 'alone'", name: "app.lua")
    expect(stage.host.menus().children == [] && stage.host.find("list") == nil)
  }

  @Test(
    "E3, T4: A waiting action's changes to app.keep and app.store are taken back; the new version's writes stay",
    arguments: [false, true])
  func keptMeanwhile(_ isRead: Bool) throws {
    let app = """
      app.name = "Keeps"
      function app.on:begin(ctx)
        for _, table in ipairs { app.keep, app.store } do table.n, table.deep, table.odd = 1, { n = 1 }, true end
        app.keep.odd = 0 / 0
      end
      function app.on:works(ctx)
        for _, table in ipairs { app.keep, app.store } do
          ctx:set(table, "busy", true) ctx:set(table, "n", 2) ctx:set(table, "mine", "old")
          ctx:set(table.deep, "n", 2)
        end
        sleep(100)
      end
      function app.on:tell()
        local said = {}
        for _, table in ipairs { app.keep, app.store } do
          said[#said + 1] = tostring(table.busy) .. " " .. tostring(table.n) .. " " .. tostring(table.mine)
          said[#said] = said[#said] .. " " .. tostring(table.deep.n) .. tostring(table.deep.held)
        end
        return table.concat(said, ", ")
      end
      """
    let stage = try ScriptStage(app)
    _ = stage.perform("begin")
    expect(stage.host.perform("works").status, is: .running)
    expect(stage.perform("tell").hasSuffix("text(\"true 2 old 2nil, true 2 old 2nil\")"))
    let reads = """
      app.keep.mine, app.store.mine = 'new', 'new'
      local held = { app.keep.deep, app.store.deep }
      function app.on:hold() for _, table in ipairs(held) do table.held = true end end
      """
    try stage.host.reload(text: app + "\n" + (isRead ? reads : "function app.on:hold() end"), name: "app.lua")
    _ = stage.perform("hold")
    let one = isRead ? "nil 1 new 1true" : "nil 1 nil 1nil"
    expect(stage.perform("tell").hasSuffix("text(\"\(one), \(one)\")"))
  }

  @Test("E3: A reload drops diagnostics of the old version; a failed reload drops none")
  func findings() throws {
    let stage = try PluginStage(
      ["other.lua": "plugin { name = 'other', version = '1' } function app.on:other() error('of another') end"],
      app: "function app.on:old() error('old bug') end")
    try stage.load("other.lua")
    let host = stage.host
    for action in ["old", "other"] { expect(host.perform(action).status, is: .failed) }
    stage.write("function app.on:old() error('older bug'", to: "app.lua")
    #expect(throws: LoadError.self) { try host.reload(path: "\(stage.path)/app.lua") }
    expect(host.diagnostics.map(\.message), is: ["old bug", "of another"])
    stage.write("function app.on:old() end\nfunction app.on:new() error('new bug') end", to: "app.lua")
    try host.reload(path: "\(stage.path)/app.lua")
    expect(host.perform("old").status == .handled && host.perform("new").status == .failed)
    expect(host.diagnostics.map(\.message), is: ["of another", "new bug"])
  }

  @Test("E3: Focus, key and main window are restored by name; if one is missing, the new version decides")
  func focus() throws {
    let stage = try ScriptStage(Self.app)
    let host = stage.host
    var moves: [String] = []
    host.listen(.focus) { if case .focus(let new, let old) = $0 { moves.append("\(old.name) → \(new.name)") } }
    try host.focus(try require(host.find("other")))
    try host.makeMain(try require(host.find("right")))
    moves = []
    try host.reload(text: Self.newer, name: "app.lua")
    expect(host.focused === host.find("other") && host.keyWindow === host.find("right"))
    expect(host.mainWindow === host.find("right") && host.find("left")?.first === host.find("list"))
    expect(moves, is: [])
    // Without a window, and with another name.
    try host.reload(text: "focus(responder 'alone')", name: "app.lua")
    expect(host.focused === host.find("alone") && host.keyWindow == nil && moves == ["other → alone"])
    try host.reload(text: Self.app, name: "app.lua")
    expect(host.focused === host.find("list") && host.keyWindow === host.find("left"))
  }

  @Test("F5: A reload ends modal sessions, and the focus returns to its place before them")
  func sessions() throws {
    let stage = try ScriptStage(Self.app)
    _ = stage.host.perform("open")
    expect(stage.host.modalSessions.count == 1 && stage.host.focused.name == "panel")
    #expect(throws: LoadError.self) { try stage.host.reload(text: "error('no')", name: "app.lua") }
    expect(stage.host.modalSessions.count == 1 && stage.host.focused.name == "panel")
    try stage.host.reload(text: Self.app, name: "app.lua")
    expect(stage.host.modalSessions.isEmpty && stage.host.focused === stage.host.find("list"))
    expect(stage.host.keyWindow?.name, is: "left")
  }

  @Test("F5: If a reload moves the focus away from a modal session, listeners run once it is over")
  func focusOfSessions() throws {
    let stage = try ScriptStage(Self.app)
    _ = stage.host.perform("open")
    var moves: [String] = []
    stage.host.listen(.focus) { if case .focus(let new, let old) = $0 { moves.append("\(old.name) → \(new.name)") } }
    try stage.host.reload(text: Self.app, name: "app.lua")
    expect(moves, is: ["panel → list"])
  }

  /// The visible state of a host, with identities.
  private func portrait(_ host: ScriptHost) throws -> [String] {
    var lines = host.responders.map { responder in
      let next = responder.next.map { "\(ObjectIdentifier($0))" } ?? "nobody"
      return "\(ObjectIdentifier(responder)) \(responder.name) \(next) \(responder.first?.name ?? "-") "
        + "\(responder.delegate?.name ?? "-") \(host.actions(of: responder)) \(responder.layers.count)"
    }
    lines.append(
      "\(host.focused.name) \(host.windows.map(\.name)) \(host.keyWindow?.name ?? "-") \(host.mainWindow?.name ?? "-")")
    lines.append(
      "\(host.undoHistory.undo) \(host.jobs.map(\.action)) \(host.pendingKeys?.text ?? "-") \(host.chainNames)")
    lines.append(
      "\(host.listenerCount) \(host.dispatcher.observers.count) \(host.keys()) \(host.modalSessions.count)")
    lines.append("\(host.menus())")
    lines.append("\(host.scripts?.owners.map(\.owner.name) ?? [])")
    return lines
  }

  @Test(
    "E3: If a reload fails anywhere, the old version continues with state, focus, jobs and undo, and gets the error"
  )
  func fails() throws {
    let stage = try ScriptStage(Self.app)
    let host = stage.host
    _ = host.perform("add")
    _ = host.perform("slow")
    _ = host.press("g")
    try host.focus(try require(host.find("other")))
    try host.focus(try require(host.find("list")))
    let before = try portrait(host)
    let lines = Self.newer.split(separator: "\n")
    let statements = lines.indices.filter { index in
      !lines[index].hasPrefix(" ") && !lines[index].hasPrefix("}") && !lines[index].hasPrefix("end")
    }
    expect(statements.count > 12)
    for index in statements {
      _ = stage.takePrinted()
      let broken =
        (lines[..<index] + ["app.keep.added, app.keep.more = 'spoilt', {} app.title = 'Broken' error('here')"]
          + lines[index...])
      let error = try #require(throws: LoadError.self) {
        try host.reload(text: broken.joined(separator: "\n"), name: "app.lua")
      }
      expect(error.failure.place?.line == index + 1 && error.failure.message.hasSuffix("here"))
      try expect(portrait(host), is: before, "broken at line \(index + 1)")
      expect(stage.takePrinted() == ["old heard false"] && host.title == "Lists")
    }
    #expect(throws: LoadError.self) { try host.reload(text: "local x = = 1", name: "app.lua") }
    #expect(throws: LoadError.self) { try host.reload(path: "/nowhere/app.lua") }
    try expect(portrait(host), is: before)
    _ = stage.takePrinted()
    expect(stage.perform("kept"), is: "handled by list via on → text(\"1 of 1\")")
    try host.advance(by: .seconds(1))
    expect(host.jobs.isEmpty && host.undoHistory.undo == ["Slowly", "Adding"])
    expect(stage.perform("add"), is: "handled by list via on → integer(2)")
    expect(stage.takePrinted(), is: ["old saw it"])
  }

  @Test("E3: Others' layers are applied again by name, and wait if the name is missing")
  func layers() throws {
    let stage = try ScriptStage(Self.app)
    let host = stage.host
    host.edit(try require(host.find("list"))).on("native") { _ in "native" }
    let outside = try host.responder("outside", next: host.find("list"))
    let first = try host.responder("first")
    try host.chain.attach(first.responder, before: try require(host.find("list")))
    try host.setDelegate(host.find("other"), of: host.app)
    for _ in 0..<2 {
      try host.reload(text: Self.newer, name: "app.lua")
      expect(stage.perform("native"), is: "handled by list via on → text(\"native\")")
      expect(outside.responder.next === host.find("list") && host.app.delegate === host.find("other"))
    }
    try host.reload(text: "window 'left'", name: "app.lua")
    expect(stage.perform("native").hasPrefix("unhandled") && outside.responder.next?.name == "left")
    try host.reload(text: Self.app, name: "app.lua")
    expect(stage.perform("native") == "handled by list via on → text(\"native\")" && host.chain.orphans.isEmpty)
    expect(first.responder.before === host.find("list") && host.chainNames.first == "first")
  }

  @Test("T4: A reload cancels waiting actions; a running one finishes its stretch and is cancelled at its next wait")
  func jobs() throws {
    let stage = try ScriptStage("")
    let host = stage.host
    let script = """
      function app.on:go() app:perform("reload") print("goes on") sleep(1) print("never") end
      function app.on:waits() sleep(1) print("never") end
      """
    host.on("reload") { [unowned host] _ in try host.reload(text: script, name: "app.lua") }
    try host.reload(text: script, name: "app.lua")
    let waiting = try require(host.perform("waits").job)
    let outcome = host.perform("go")
    expect(stage.takePrinted() == ["goes on"] && waiting.outcome?.status == .cancelled)
    expect(outcome.status == .cancelled && outcome.reason == "the script of 'app' is gone" && host.jobs.isEmpty)
  }

  @Test(
    "E3: app.keep takes plain data only; to assign other values is an error that names the key"
  )
  func keeps() throws {
    try expect(
      """
      function app.on:go()
        app.keep = { list = { 1, 2, { deep = true } }, [3] = "three", [true] = 1.5, nothing = null }
        print(app.keep.list[3].deep, app.keep[3], app.keep[true], app.keep.nothing == null)
        fails(function() app.keep = { list = { 1, print } } end)
        fails(function() app.keep = { view = app } end)
        fails(function() app.keep = { ["two words"] = { setmetatable({}, {}) } } end)
        local circle = {} circle.around = circle
        fails(function() app.keep = { circle = circle } end)
        fails(function() app.keep = { [{}] = 1 } end)
        fails(function() app.keep = "text" end)
        print(app.keep.list[3].deep)
      end
      """,
      prints: """
        true\tthree\t1.5\ttrue
        app.lua:4: app.keep.list[2] is a function: only plain data can be kept
        app.lua:5: app.keep.view is an object of the host's: only plain data can be kept, its name for example
        app.lua:6: app.keep["two words"][1] has a metatable: only plain data can be kept
        app.lua:8: app.keep.circle.around holds itself: only plain data can be kept
        app.lua:9: app.keep has a table for a key: only plain data can be kept
        app.lua:10: 'keep' must be a table of plain data, not a string
        true
        """)
    let stage = try ScriptStage(
      "app.keep.f = {} function app.on:spoil() app.keep.f.g = print end function app.on:mend() app.keep.f = 1 end")
    try stage.host.reload(
      text: "function app.on:spoil() app.keep.f.g = print end function app.on:mend() app.keep.f = 1 end",
      name: "app.lua")
    _ = stage.perform("mend")
    try stage.host.reload(text: "function app.on:go() return app.keep.f end", name: "app.lua")
    expect(stage.perform("go"), is: "handled by app via on → integer(1)")
  }

  @Test("E3: A reload leaves behind what app.keep can't hold, says so, and keeps the rest")
  func leftBehind() throws {
    let stage = try ScriptStage(
      """
      function app.on:spoil()
        app.keep = { list = { 1, 2 }, deep = { n = 1 } }
        app.keep.deep.f, app.keep.app, app.keep.deep.around = print, app, app.keep
      end
      function app.on:flood() for a = 1, 40 do local t = {} app.keep[a] = t for n = 1, 3000 do t[n] = n end end end
      """, limits: .patient)
    _ = stage.perform("spoil")
    func reload(_ script: String) throws -> [String] {
      try stage.host.reload(text: script, name: "app.lua")
      return stage.host.takeDiagnostics().map { "\($0.code) \($0.message)" }.sorted()
    }
    let script = "function app.on:go() local k = app.keep return #k.list, k.deep.n, k.deep.f, k.app end"
    let found = try reload(
      script
        + " function app.on:flood() for a = 1, 40 do local t = {} app.keep[a] = t for n = 1, 3000 do t[n] = n end end end"
    )
    expect(
      found,
      is: [
        "not-kept app.keep.app is an object of the host's: only plain data can be kept, its name for example; "
          + "the reload of 'app' leaves it behind",
        "not-kept app.keep.deep.around holds itself: only plain data can be kept; the reload of 'app' leaves it behind",
        "not-kept app.keep.deep.f is a function: only plain data can be kept; the reload of 'app' leaves it behind",
      ])
    expect(stage.perform("go"), is: "handled by app via on → integer(2)")
    _ = stage.perform("flood")
    let flooded = "not-kept app.keep has more than 100000 values; the reload of 'app' leaves it behind"
    try expect(reload(script), is: [flooded])
    try expect(reload(script), is: [])
  }

  @Test("E3: Nothing loads during a load or while the host asks, and a reload without a script is a load")
  func notNow() throws {
    let host = ScriptHost()
    try host.reload(text: "function app.on:go() return 1 end function app.can:go() return true end", name: "app.lua")
    var messages: [String] = []
    host.on("other") { _ in }
    host.can("other") { [unowned host] _ in
      do { try host.reload(text: "", name: "app.lua") } catch { messages.append("\(error)") }
      return .yes
    }
    _ = host.validate("other")
    expect(messages.count == 1 && messages[0].contains("a script can't be loaded while the host only asks"))
    expect(host.perform("go").line, is: "handled by app via on → integer(1)")
  }

  @Test("S7: A thousand reloads, of which a third fail, leave memory, owners, registry and references unchanged")
  func flat() throws {
    let stage = try ScriptStage(Self.app)
    let host = stage.host
    let engine = try require(host.scripts)
    func rounds(_ count: Int) {
      for n in 0..<count {
        _ = host.perform("add")
        _ = host.perform("slow")
        if n % 3 == 0 {
          try? host.reload(text: Self.newer + "\nerror('no')", name: "app.lua")
        } else {
          try? host.reload(text: n % 2 == 0 ? Self.newer : Self.app, name: "app.lua")
        }
        _ = host.menus()
      }
      _ = stage.takePrinted()
      _ = host.takeDiagnostics()
      engine.lua.collect()
    }
    // The rounds repeat after six, so the script at the end is the one of the beginning.
    rounds(240)
    let (memory, objects) = (engine.lua.memory, LuaHoldings(engine.lua).objects)
    let (owners, responders, classes) = (engine.owners.count, engine.responders.count, engine.classes.count)
    rounds(1002)
    // Exact to the byte: a leak in one round of three would show.
    expect(engine.lua.memory, is: memory, "\(memory), then \(engine.lua.memory) bytes")
    expect(LuaHoldings(engine.lua).objects, is: objects)
    expect(engine.owners.count == owners && engine.responders.count == responders && engine.classes.count == classes)
    expect(host.listenerCount == 1 && host.dispatcher.observers.count == 1 && host.menuTrees.declarations.count == 1)
  }

  @Test(
    "S7: Nothing of an old version stays: host objects that it saw, menus with read keys, sessions that it kept"
  )
  func nothingStays() throws {
    let script = """
      menubar { menu "Edit" { item "Undo" { "undo", key = "ctrl+z" }, item "Add" { "add", key = "ctrl+a" } } }
      local kept = {}
      local panel = responder "panel" { next = window "main" }
      function panel.on:add(ctx) ctx:undo("Add", function() end) end
      function panel.on:session() kept.session = modal(panel) kept.session:close() return kept.session.open end
      function panel.build:list(m)
        m:insert_last("root", menu "Kept" { look = function() return { hidden = kept == nil } end, item "Add" { "add" } })
      end
      function panel.on:menu()
        kept.menu = app:open_menu(app:context_menu("list"))
        kept.menu:close()
        return kept.menu.open
      end
      focus(panel)
      """
    let host = try ScriptStage(script).host
    let engine = try require(host.scripts)
    func round() throws -> LuaHoldings {
      _ = host.menus()
      _ = host.press("ctrl+a")
      expect(host.press("ctrl+z").status, is: .handled)
      for action in ["session", "menu"] {
        expect(host.perform(action).line, is: "handled by panel via on → bool(false)")
      }
      let old = Weak(engine.app)
      try host.reload(text: script, name: "app.lua")
      _ = host.menus()
      let holdings = LuaHoldings(engine.lua)
      expect(old.object == nil)
      return holdings
    }
    _ = try round()
    let first = try round()
    for _ in 0..<5 { try expect(round(), is: first) }
  }

  @Test("A reload frees the old version's memory: reloads in a row accumulate nothing until the collector runs")
  func reloadsInARow() throws {
    let script = """
      menubar { menu "All" { section "s" { items = function() return { 1, 2 } end, row = function(v) return item(v) { "act" } end } } }
      function app.on:act() end
      """
    let host = try ScriptStage(script).host
    let engine = try require(host.scripts)
    for _ in 0..<5 { try host.reload(text: script, name: "app.lua") }
    let memory = engine.lua.memory
    for _ in 0..<20 { try host.reload(text: script, name: "app.lua") }
    expect(engine.lua.memory <= memory)
  }
}

/// An object that exists as long as something else holds it.
private struct Weak<Object: AnyObject> {
  private(set) weak var object: Object?

  init(_ object: Object?) { self.object = object }
}

extension String {
  /// The text, with every occurrence of a part replaced.
  fileprivate func replacing(_ part: String, with other: String) -> String {
    var result = ""
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      result += rest[..<range.lowerBound] + other
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
