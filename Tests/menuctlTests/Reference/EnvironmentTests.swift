import Expectations
import Testing

@testable import ScriptHost
@testable import menuctl

@Suite("The reference, compared with the names that scripts find")
struct EnvironmentTests {
  private let host: ScriptHost
  private let engine: ScriptEngine
  private let script: ScriptOwner

  init() throws {
    host = ScriptHost()
    try host.load(text: "window 'w'", name: "app.lua")
    engine = try require(host.scripts)
    script = try require(engine.owners.last)
  }

  // MARK: Both ways, for lists in the engine

  @Test("The reference has every global")
  func globals() throws {
    let found = try engine.languageNames(of: script)
    let libraries: Set<String> = ["fs", "clipboard", "json"]
    let alone = entries { if case .none = $0.receiver { $0.title != "Tests" } else { false } }
    compare(found.subtracting(libraries), alone, "globals")
    for library in libraries {
      let functions = try table(library).map(keys) ?? []
      let known = LanguageReference.all.filter { $0.name.hasPrefix("\(library).") }
      compare(Set(functions.map { "\(library).\($0)" }), Set(known.map(\.name)), library)
    }
  }

  @Test("The reference has the calls on the app, responders, windows and jobs")
  func calls() {
    compare(Set(engine.responderCalls.names), named("Responder", \.isCall), "responder", prefix: "responder:")
    // The app has a responder's calls too, and its own call of the same name.
    let own = named("App", \.isCall)
    compare(
      Set(engine.appCalls.names).subtracting(Set(engine.responderCalls.names).subtracting(own)), own, "app",
      prefix: "app:")
    compare(Set(engine.windowCalls.names), named("Window", \.isCall), "window", prefix: "window:")
    compare(Set(engine.jobCalls.names), named("Job", \.isCall), "job", prefix: "job:")
  }

  @Test("The reference has the tables, hooks and fields of responders")
  func fields() {
    let hooks = Set(Hook.allCases.map(\.rawValue))
    let tables = Set(ObjectTable.allCases.map(\.name))
    let calls = named("Responder", \.isCall)
    let found = hooks.union(tables).union(ScriptEngine.hostFields).subtracting(calls).subtracting(["delegate"])
    compare(found, named("Responder") { !$0.isCall }, "responder", prefix: "responder.")
  }

  @Test("The reference has the fields and calls of a context")
  func context() {
    compare(Set(HostNames.fields), named("Context") { !$0.isCall }, "ctx", prefix: "ctx.")
    compare(Set(HostNames.calls), named("Context", \.isCall), "ctx", prefix: "ctx:")
  }

  @Test("The reference has every event that scripts listen for")
  func events() {
    let known = Set(LanguageReference.group("listen").entries.map(\.name))
    compare(Set(HostEvent.Kind.allCases.map(\.rawValue)), known, "listen", prefix: "listen.")
  }

  @Test("The reference has the fields of the app and of windows")
  func appFields() throws {
    let read = try Set(
      ["title", "name", "version", "settings", "keep", "store", "phase", "delegate"].filter {
        try isField($0, of: "app")
      })
    compare(read, named("App") { !$0.isCall }.subtracting(["allow_warnings", "allow", "exact"]), "app", prefix: "app.")
    // The sources that read a field show a field that only the host reads.
    for name in ["allow_warnings", "allow", "exact"] { try expect(sources(mention: name)) }
    let window = try Set(["is_key", "is_main", "first", "delegate"].filter { try isField($0, of: "w") })
    expect(window, is: named("Window") { !$0.isCall })
  }

  @Test("Lua's libraries have the listed names, and no others")
  func libraries() throws {
    for entry in LanguageReference.group("Lua's own libraries").entries {
      let listed = entry.says.prefix { $0 != "." }.split(separator: ", ").map(String.init)
      let names = try printed(by: "for name in pairs(\(entry.name)) do print(name) end")
      expect(Set(names), is: Set(listed), "\(entry.name)")
    }
  }

  // MARK: Both ways, for lists in the sources

  @Test("The reference has the fields of menu elements, options, builders and the words of tests")
  func listed() throws {
    let menus = try Project.text("Sources/ScriptHost/Script/EngineState.swift")
    expect(
      list(after: "item = fields(", in: menus).union(ItemFact.all.map(\.name)),
      is: named("ItemFields").subtracting(["[1]"]))
    expect(list(after: "menu = fields(", in: menus), is: named("MenuFields").subtracting(["[integer]"]))
    expect(list(after: "section = fields(", in: menus), is: named("SectionFields"))
    expect(list(after: "panel = fields(", in: menus), is: named("PanelFields"))
    expect(list(after: " pane = fields(", in: menus), is: named("PaneFields").subtracting(["[integer]"]))
    expect(list(after: " text = fields(", in: menus), is: named("TextFields"))
    expect(list(after: "layout = fields(", in: menus), is: named("LayoutFields").subtracting(["[integer]"]))
    let control = try Project.text("Sources/ScriptHost/Script/ControlCalls.swift")
    expect(list(after: "let known = [", in: control), is: named("PerformOptions"))
    let takes = try Project.text("Sources/ScriptHost/Script/TakesReading.swift")
    expect(list(after: "static let fields = [", in: takes), is: named("ArgumentType").subtracting(["[1]"]))
    expect(list(after: " look = fields(", in: menus), is: named("Look"))
    expect(Set(ScriptEngine.builderCalls.map(\.name)), is: named("Builder"))
    let positions = [MenuTree.Position.before, .after, .first, .last].map(\.rawValue)
    expect(Set(positions).isSubset(of: named("Builder")))
    let testing = try Project.text("Sources/ScriptHost/Script/Tests/TestCalls.swift")
    expect(
      words(#/"(\w+)": (?:function \{|expect,)/#, in: testing),
      is: Set(LanguageReference.group("Tests").entries.map(\.name)))
    let expecting = try Project.text("Sources/ScriptHost/Script/Tests/Expecting.swift")
    expect(words(#/"(\w+)": \{ try/#, in: expecting), is: named("Expectation"))
    let definitions = ObjectTable.byAction.map(\.name) + ["reentrant"]
    expect(Set(definitions), is: named("Definition"))
  }

  // MARK: Returned tables

  @Test("Returned tables have the listed fields")
  func given() throws {
    let found = try collect()
    for type in [
      "Outcome", "Failure", "Validation", "Explanation", "Step", "ContextKey", "Link", "UndoTitles", "Snapshot",
      "Change",
      "Event", "Sender", "Progress", "Registration", "Question", "Asked",
      "Reachable",
    ] {
      expect(found[type], is: named(type), "\(type)")
    }
  }
}

// MARK: Finding

extension EnvironmentTests {
  private func keys(of table: LuaTable) throws -> Set<String> {
    var keys: Set<String> = []
    try engine.lua.forEach(in: table) { key, _ in
      if case .text(let name) = key { keys.insert(name) }
      return true
    }
    return keys
  }

  private func table(_ name: String) throws -> LuaTable? {
    guard case .table(let table) = try engine.scriptName(name, of: script) else { return nil }
    return table
  }

  /// The output of a script while it loads.
  private func printed(by text: String) throws -> [String] {
    let host = ScriptHost()
    var printed: [String] = []
    host.onPrint = { printed.append($0) }
    try host.load(text: text, name: "asking.lua")
    return printed
  }

  /// Returns true if a script finds a value in a field, or if assigning to the field affects the host.
  private func isField(_ name: String, of responder: String) throws -> Bool {
    let found = try printed(by: "app.name = 'a'\nlocal w = window 'w'\nprint(\(responder).\(name) ~= nil)") == ["true"]
    let owner = responder == "app" ? host.app : try require(host.find("w"))
    return found || ["title", "version"].contains(name) || engine.isHostField(name, of: owner)
  }

  private func sources(mention name: String) throws -> Bool {
    try Project.files(below: "Sources", ending: ".swift")
      .filter { !$0.contains("/Reference/") && !$0.contains("/Topics/") && !$0.contains("/Stubs/") }
      .contains { try Project.text($0).contains("\"\(name)\"") }
  }

  private func list(after beginning: String, in text: String) -> Set<String> {
    guard let begin = text.firstRange(of: beginning) else { return [] }
    let list = text[begin.upperBound...].prefix { $0 != "]" && $0 != ")" }
    return Set(list.matches(of: #/"(\w+)"/#).map { String($0.output.1) })
  }

  private func words(_ pattern: Regex<(Substring, Substring)>, in text: String) -> Set<String> {
    Set(text.matches(of: pattern).map { String($0.output.1) })
  }

  private func entries(where isWanted: (LanguageGroup) -> Bool) -> Set<String> {
    Set(LanguageReference.groups.filter(isWanted).flatMap { $0.entries.map(\.name) })
  }

  private func named(_ type: String, _ isWanted: (LanguageEntry) -> Bool = { _ in true }) -> Set<String> {
    Set(LanguageReference.groups.filter { $0.type == type }.flatMap(\.entries).filter(isWanted).map(\.name))
  }

  /// Expects that all found names are known, and all known ones found. Names in `notThereYet` must be missing.
  private func compare(_ found: Set<String>, _ known: Set<String>, _ what: String, prefix: String = "") {
    let missing = Set(known.map { prefix + $0 }).intersection(notThereYet)
    expect(Set(found.map { prefix + $0 }), is: Set(known.map { prefix + $0 }).subtracting(missing), "\(what)")
  }

  /// The keys of the tables that calls return, by type, from a script that makes as many kinds as there are.
  private func collect() throws -> [String: Set<String>] {
    // One action spends its limit, and the test continues.
    let limits = HostLimits(perform: .milliseconds(1000, instructions: 1_000_000))
    let file = try ScriptTestFile(text: Self.collector, name: "collect_test.lua", limits: limits)
    var found: [String: Set<String>] = [:]
    let result = file.run(file.tests[0])
    expect(result.status, is: .passed, "\(result.failures)")
    for line in result.output.printed {
      let parts = line.split(separator: "\t").map(String.init)
      if parts.count == 2 { found[parts[0], default: []].insert(parts[1]) }
    }
    return found
  }

  private static let collector = """
    test("collect", function()
      local function note(kind, t) for key in pairs(t) do print(kind, key) end return t end
      local function notes(kind, list) for _, t in ipairs(list) do note(kind, t) end end

      app.title = "T"
      local page = responder "page" { text = "" }
      function page:provide(ctx) ctx.name = self.text end
      function page.on:write(ctx) ctx:set(self, "text", ctx.text) return ctx.text end
      function page.on:explode() local x = nil; return x.y end
      function page.on:spend() while true do end end
      function page.on:wait() progress(0.5, "half") sleep(1) end
      function page.on:no() end
      function page.can:no() return false, "never" end
      function page.look:write() return { title = "W", subtitle = "s", icon = "i", state = "on", destructive = true } end
      page.needs.needy = { missing = "a reason" }
      function page.on:needy() end
      local done = "explode"
      function page:failed(err)
        note("Failure", err)
        if done == "end" then return nil end
        return err
      end
      menubar {
        menu "M" {
          item "Write" {
            "write(text: a)", key = "ctrl+w", subtitle = "s", icon = "i", confirm = "sure?", help = "h", destructive = true, keeps_open = true,
            alternates = { alt = item "Other" { "no" } },
          },
          item "No" { "no" }, item "Ask" { "asking" }, item "Away" { "away" }, item "Outside" { "outside" },
          separator,
          label "text",
          section "rows" { items = function(ctx) return { page.text } end, row = function(v) return item("row " .. v) { "no" } end },
        },
      }
      local far = responder "far"
      responder "lines"
      function far.on:away() end
      function app.on:outside() end
      panel {
        beside { share = 2, pane "p" { title = "P", key = "f9", responder = far, marks = true, filter = true, least = 5, fit = true,
          item { "away", title = span("One", "added"), subtitle = span("s", "quiet"), icon = span("●", "added") },
          menu "tree" { item "leaf" { "away" } },
          section "counted" { count = 1, value = function(i) return i end,
            row = function() return item "Counted" { "away" } end },
          section "cells" { items = { 1 }, row = function() return item { "away", cells = { "Two" } } end } },
          text "t" { of = "p", responder = "lines", follow = true, wrap = true, lines = function() return "a line" end },
          text "slow" { lines = function() sleep(100) end } },
      }
      function app.on:start_slow() app:text("slow") end
      function page.build:kind(m) m:insert_last("root", item "X" { "write(text: x)", id = "x" }) end
      focus(page)

      app:pick "p/tree"
      note("Registration", observe("*", function(e) note("Event", e) end))
      listen("unhandled", function(e) note("Event", e) end)
      listen("menu", function(changes) notes("Change", changes) end)
      listen("validation", function(changes) notes("Change", changes) end)

      note("Outcome", app:perform("write(text: b)"))
      note("Outcome", app:perform("away"))
      note("Outcome", app:perform("nobody"))
      note("Outcome", app:perform("no"))
      note("Failure", note("Outcome", app:perform("explode")).error)
      done = "end"
      note("Failure", app:perform("explode").error)
      done = "explode"
      note("Failure", app:perform("spend").error)
      note("Failure", app:perform("write(").error)
      local job = note("Outcome", app:perform("wait", nil, { wait = false })).job
      note("Progress", job.progress)
      job:wait()
      note("Validation", app:validate("write"))
      note("Validation", app:validate("no"))
      page.takes.asking = {
        a = { "integer", from = 1, to = 2, title = "A", help = "a", many = true, secret = true },
        b = { one_of = { 1 }, default = 1 }, c = { "any", optional = true }, d = { "integer", proposal = 1 }, l = { "string", lines = 2, wide = 9 },
        s = { "string", suggest = { "x" } }, w = { one_of = function() sleep(1) return { 1 } end },
      }
      function page.on:asking() end
      note("Outcome", app:perform("asking(a: x)"))
      note("Validation", app:validate("asking(a: x)"))
      note("Validation", app:validate("asking"))
      local asked = note("Outcome", app:perform("asking")).asks
      asked.confirm = "sure?"
      note("Question", asked)
      page.about.asking = { title = "T", help = "h", icon = "i" }
      page.confirm.asking = "sure?"
      page.keys = { ["ctrl+q"] = "asking" }
      function page.can:refusing() return false, "no" end
      function page.on:refusing() end
      notes("Reachable", app:actions())
      notes("Asked", asked.arguments)
      local why = note("Explanation", app:why("needy"))
      notes("Step", why.steps)
      notes("ContextKey", why.keys)
      notes("ContextKey", app:why("write(text: a)").keys)
      page.needs.named = "name"
      function page.on:named(ctx) return ctx.name end
      note("Explanation", app:why("named"))
      notes("ContextKey", app:why("named").keys)
      notes("Link", app:chain("write"))
      note("UndoTitles", app:undo_stack())
      local function snapshots(s)
        note("Snapshot", s)
        for _, child in ipairs(s.children or {}) do snapshots(child) end
      end
      snapshots(app:menu())
      app:mark({ "p/Two" })
      app:text("t")
      app:choose("p/Two")
      app:text("t")
      app:perform("start_slow")
      focus(page)
      snapshots(app:panel())
      local session = modal(page)
      snapshots(app:menu())
      session:close()
      app:perform("write(text: c)")
      app:rebuild()
      snapshots(app:menu())
      function page.on:who(ctx) note("Sender", ctx.sender) end
      page.on.write = function(self, ctx) note("Sender", ctx.sender) self.text = "d" end
      note("Outcome", app:pick("M/Write"))
      app:pick("M/Write", nil, { confirmed = true })
      local handle = page:define("more", { on = function() end })
      note("Registration", handle)
    end)
    """
}

extension LanguageEntry {
  fileprivate var isCall: Bool { if case .call = shape { true } else { false } }
}

extension MenuTree.Position {
  fileprivate static let all: [MenuTree.Position] = [.before, .after, .first, .last]
}
