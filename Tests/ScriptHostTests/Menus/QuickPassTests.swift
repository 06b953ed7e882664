import Expectations
import Testing

@testable import ScriptHost

/// The host asks the items of a menu in one go; the answers are the same as for each item alone.
@Suite("Passes in one go")
struct QuickPassTests {
  private static let script = """
    local grid = responder "grid"
    local page = responder "page" { next = "grid" }
    function grid:provide(ctx) ctx.shade = "grey" ctx.size = 3 ctx.on = turn % 2 == 0 end
    function page:provide(ctx) ctx:append("list", turn) ctx.page = self.page end

    for _, r in ipairs { page, grid } do
      local near = r == page
      function r.on:plain() end
      r.can.yes = function() return true end
      r.can.no = function() return false end
      r.can.reason = function(_, ctx) return ctx.n ~= turn % 3, "it is the turn of " .. ctx.n end
      r.can.number = function() return false, 1.5 end
      r.can.empty = function() return false, "" end
      r.can.bytes = function() return false, "\\xff" end
      r.can.long = function() return false, ("x"):rep(5000) end
      r.can.table = function() return false, {} end
      r.can.passes = function(_, ctx) if near and ctx.n == turn % 3 then return pass end return true end
      r.can.raises = function(_, ctx) if ctx.n == turn % 3 then error("oops") end return true end
      r.can.args = function(_, ctx) return ctx.shade == nil, tostring(ctx.shade) .. ctx.size .. tostring(ctx.on) end
      r.can.calls = function(_, ctx) return ctx:has("list") and ctx:flag("on"), #ctx:each("list") .. " of " .. turn end
      r.can.writes = function(_, ctx) ctx.n = 1 return true end
      r.can.host = function(_, ctx) return ctx.action == "other", ctx.action .. ctx.raw .. ctx.sender.id end
      r.can.helper = function(_, ctx) return helper(ctx), "the helper says no" end
      r.can.spins = function(_, ctx) while ctx.n == turn % 3 and turn > 3 do end return true end
      r.can.asks = function(_, ctx) return app:validate("asks(n: " .. ctx.n .. ")").enabled, app:validate("asks(n: " .. ctx.n .. ")").reason end
      r.can.mine = function(self, ctx) return self.page == turn % 3, "page " .. tostring(self.page) end
      for _, name in ipairs { "yes", "no", "reason", "number", "empty", "bytes", "long", "table", "passes", "raises", "args", "calls", "writes",
        "host", "helper", "spins", "asks", "mine", "looks", "odd", "needs", "worded" } do
        r.on[name] = function() end
        if not r.look[name] then
          r.look[name] = function(_, ctx)
            if name == "plain" then return nil end
            return { state = ctx.n == turn % 3, title = near and "near " .. turn or nil, hidden = ctx.n == 2, icon = "i", destructive = true }
          end
        end
      end
      r.look.odd = function(_, ctx)
        if ctx.n == 0 then return { state = "mixed", subtitle = "größer" } end
        if ctx.n == 1 then return { state = turn % 2 == 0 and "on" or 7 } end
        if turn % 2 == 0 then error("no look") end
        return { title = "\\1", unknown = true }
      end
      r.needs.needs = { "page", "shade" }
      r.needs.worded = { page = "turn a page first" }
    end
    function helper(ctx) return ctx.n == 1 end

    local items = {}
    for _, name in ipairs { "plain", "yes", "no", "reason", "number", "empty", "bytes", "long", "table", "passes", "raises", "args", "calls",
      "writes", "host", "helper", "spins", "asks", "mine", "looks", "odd", "needs", "worded", "nobody", "a.yes" } do
      local of = {}
      for n = 0, 2 do of[#of + 1] = item(name .. n) { name .. "(n: " .. n .. ")" } end
      of[#of + 1] = item(name .. " null") { name .. "(n: 1, shade: null, size: 7.5, on: true)" }
      of[#of + 1] = item(name .. " list") { name .. "(n: [1])", enabled = name == "yes" and "declared" or nil }
      of[#of + 1] = separator
      of[#of + 1] = item(name .. " alt") { name .. "(n: 0)", alternates = { alt = item "other" { name .. "(n: 1)" } } }
      items[#items + 1] = menu(name)(of)
    end
    items[#items + 1] = menu "single" { single = true, item "one" { "looks(n: 0)" }, item "two" { "looks(n: 0)" }, menu "in" { item "three" { "looks(n: 0)" } } }
    items[#items + 1] = menu "inline" { inline = true, item "four" { "looks(n: 1)" } }
    items[#items + 1] = menu "looking" { look = function() return { title = "turn " .. turn } end, item "five" { "looks(n: 1)" } }
    menubar(items)
    focus(page)
    turn = 0
    function app.on:next() turn = turn + 1 page.page = turn % 3 ~= 0 and turn or nil end
    """

  @Test("V5, V6, V9, C1: An item in a menu is the item drawn alone, for all answers, pass after pass")
  func same() throws {
    let stage = try ScriptStage(
      Self.script, limits: HostLimits(perform: .milliseconds(60_000, instructions: 4_000_000)))
    let host = stage.host
    host.onDiagnostic = { _ in }
    let trees = host.menuTrees
    var seen: Set<String> = []
    for turn in 0..<8 {
      let tree = trees.snapshotTree()
      let snapshots = [host.menus(), host.menus()]
      expect(snapshots[0], is: snapshots[1], "turn \(turn)")
      for node in tree.all where node.element.kind == .item && node.parent?.element.title != "single" {
        guard let drawn = snapshots[0].find(node.id), let found = trees.findInMain(node.id) else { continue }
        var alone = trees.validated(found)
        // An item isn't hidden by itself if only its menu is hidden.
        alone.isHidden = drawn.isHidden
        expect(
          drawn.alone == alone || node.id.hasPrefix("single/"), "turn \(turn), \(node.id): \(drawn) is not \(alone)")
        seen.insert("\(drawn.isEnabled) \(drawn.reason ?? "") \(drawn.state)")
      }
      _ = stage.perform("next")
    }
    expect(seen.count > 60)
  }

  @Test("V4, V5: If the first handler passes, only the next handler's look counts, again in each pass")
  func passed() throws {
    let stage = try ScriptStage(
      """
      local near = responder "near"
      local free = true
      function near.on:act() end
      function near.can:act() return pass end
      function near.look:act() print("near looks") end
      function app.on:act() end
      function app.can:act() return free, "it is taken" end
      function app.on:turn() free = not free end
      menubar { menu "M" { item "Act" { "act" } } }
      focus(near)
      """)
    for isFree in [true, false, true, false] {
      let item = stage.host.menus().children[0].children[0]
      expect(item.isEnabled, is: isFree)
      expect(item.reason, is: (isFree ? nil : "it is taken"))
      expect(stage.takePrinted().isEmpty)
      _ = stage.perform("turn")
    }
  }

  @Test(
    "V11, F3: Waiting and blocked items get the same answers in a pass as alone, until the wait or the session ends")
  func gated() throws {
    let stage = try ScriptStage(
      """
      local outside = responder "outside"
      local inside = responder "inside" { next = "outside" }
      for _, r in ipairs { outside, inside } do
        local name = r == inside and "near" or "far"
        r.on[name] = function() sleep(5) end
        r.can[name] = function(self, ctx) return ctx.n ~= 2, "two" end
        r.look[name] = function(self, ctx) return { title = name .. ctx.n, state = ctx.n == 0 } end
        r.on["plain" .. name] = function() sleep(5) end
      end
      menubar {
        menu "M" {
          item "A" { "near(n: 0)" }, item "B" { "near(n: 2)" }, item "C" { "far(n: 0)" }, item "D" { "far(n: 2)" },
          item "E" { "plainnear" }, item "F" { "plainfar" },
        }
      }
      focus(inside)
      """)
    let host = stage.host
    func told(_ when: String) -> [String] {
      let drawn = host.menus().children[0].children
      expect(drawn, is: host.menus().children[0].children, "\(when)")
      for item in drawn {
        guard let found = host.menuTrees.findInMain(item.id) else { continue }
        expect(item.alone, is: host.menuTrees.validated(found), "\(when): \(item.title)")
      }
      return drawn.map { "\($0.title): \($0.reason ?? "enabled"), \($0.state)" }
    }
    let free = told("before")
    expect(free.count == 6 && free[0] == "near0: enabled, on" && free[1] == "near2: two, off")
    for reference in ["near(n: 1)", "plainfar"] {
      let job = host.perform(reference).job
      let waiting = told(reference)
      expect(waiting.filter { $0.hasSuffix(": running, mixed") }.count, is: (reference == "plainfar" ? 1 : 2))
      job?.cancel()
      expect(told("after \(reference)"), is: free)
    }
    let session = try host.find("inside").flatMap { try host.modal($0, dismissable: false) }
    let blocked = told("modal")
    expect(blocked[0] == free[0] && blocked[4] == free[4])
    expect(zip(blocked, free).filter { $0 != $1 }.count, is: 3, "\(blocked)")
    session?.close()
    expect(told("after the session"), is: free)
  }

  @Test("V4: The host forgets an unusual answer in the next pass if that pass has none")
  func forgotten() throws {
    let stage = try ScriptStage(
      """
      local r = responder "r"
      local odd = true
      for _, name in ipairs { "raises", "words", "strange" } do r.on[name] = function() end end
      function r.look:raises() if odd then error("no look") end end
      function r.can:words() return false, odd and 1.5 or nil end
      function r.look:strange() if odd then return { state = 7 } end end
      function app.on:turn() odd = not odd end
      menubar { menu "M" { item "A" { "raises" }, item "B" { "words" }, item "C" { "strange" } } }
      focus(r)
      """)
    stage.host.onDiagnostic = { _ in }
    for isOdd in [true, false, true, false] {
      let reasons = stage.host.menus().children[0].children.map { $0.reason ?? "none" }
      expect((reasons[0] == "none") == !isOdd, "\(reasons)")
      expect((reasons[1] == "'r' refuses 'words'") == !isOdd, "\(reasons)")
      expect((reasons[2] == "none") == !isOdd, "\(reasons)")
      _ = stage.perform("turn")
    }
  }

  @Test("V4: Items that an inline menu's look hid appear as soon as the look stops hiding them")
  func hiddenFromAround() throws {
    let stage = try ScriptStage(
      """
      hides = false
      function app.on:mine() end
      function app.can:mine() return true end
      menubar { menu "M" { item "First" { "mine" }, menu "I" { inline = true, look = function() return { hidden = hides } end,
        item "Script" { "mine" }, item "Native" { "theirs" }, section "s" { items = { 1 }, row = function() return item "Row" { "mine" } end },
        menu "Deep" { inline = true, item "Deeper" { "theirs" } }, menu "Sub" { item "Below" { "mine" } } }, item "Last" { "theirs" } } }
      """)
    stage.host.on("theirs") { _ in }
    stage.host.can("theirs") { _ in .yes }
    for hides in [false, true, true, false, false, true, false] {
      _ = try stage.host.evaluate("hides = \(hides)")
      let shown = stage.host.menus().children[0].children.filter { !$0.isHidden && $0.kind != .separator }.map(\.title)
      expect(shown, is: (hides ? ["First", "Last"] : ["First", "Script", "Native", "Row", "Deeper", "Sub", "Last"]))
    }
  }

  @Test("V4, V5, V6: After any sequence of answers, a pass draws the current answers")
  func follows() throws {
    let stage = try ScriptStage(
      """
      turn = 0
      local cans = {
        function() return true end, function() return false end, function() return false, "busy" end, function() return false, "late" end,
        function() return false, 1.5 end, function() return false, {} end, function() return pass end, function() error("oops") end,
        function() return false, ("x"):rep(5000) end, function() return nil end,
      }
      local looks = {
        function() return nil end, function() return {} end, function() return { state = true } end, function() return { state = 7 } end,
        function() return { title = "one" } end, function() return { title = "two", hidden = true } end, function() error("no look") end,
        function() return { icon = "i", destructive = true } end, function() return { subtitle = ("y"):rep(5000) } end,
      }
      local function choose(list, n, salt) return list[1 + ((turn * 48271 + n * 16807 + salt * 69621) % 2147483647 >> 6) % #list] end
      local far = responder "far"
      local near = responder "near" { next = "far" }
      for salt, r in ipairs { near, far } do
        function r.on:act() end
        function r.can:act(ctx) return choose(cans, ctx.n, salt)() end
        function r.look:act(ctx) return choose(looks, ctx.n, salt + 2)() end
      end
      local items = {}
      for n = 1, 20 do items[n] = item("item " .. n) { "act(n: " .. n .. ")" } end
      menubar { menu "M" (items) }
      focus(near)
      """)
    stage.host.onDiagnostic = { _ in }
    var seen: Set<String> = []
    for turn in 1...200 {
      _ = try stage.host.evaluate("turn = \(turn)")
      let trees = stage.host.menuTrees
      for drawn in stage.host.menus().children[0].children {
        let alone = trees.validated(try require(trees.findInMain(drawn.id)))
        expect(drawn.alone, is: alone.alone, "turn \(turn), \(drawn.id)")
        seen.insert("\(alone.reason ?? "") \(alone.state) \(alone.title) \(alone.isHidden)")
      }
    }
    expect(seen.count > 100)
  }

  @Test("C6: The context forgets an item's arguments before the next item, even after an error")
  func takenOff() throws {
    let stage = try ScriptStage(
      """
      local r = responder "r"
      function r:provide(ctx) ctx.a = "given" end
      function r.on:x() end
      function r.can:x(ctx)
        print(tostring(ctx.a), tostring(ctx.b))
        if ctx.b == 1 then error("broken") end
        return true
      end
      menubar { menu "M" { item "1" { "x(a: 1)" }, item "2" { "x" }, item "3" { "x(a: null, b: 1)" }, item "4" { "x" }, item "5" { "x(b: 2)" } } }
      focus(r)
      """)
    stage.host.onDiagnostic = { _ in }
    for _ in 0..<2 {
      _ = stage.host.menus()
      expect(stage.takePrinted(), is: ["1\tnil", "given\tnil", "nil\t1", "given\tnil", "given\t2"])
    }
  }

  @Test("A drawn item stays until an answer changes, and no longer")
  func drawnAgain() throws {
    let stage = try ScriptStage(
      """
      local r = responder "r"
      local asked = 0
      function r.on:x() end
      function r.can:x(ctx) asked = asked + 1 return ctx.n ~= off, "off" end
      off = 0
      menubar { menu "A" { item "1" { "x(n: 1)" }, item "2" { "x(n: 2)" } }, menu "B" { item "3" { "x(n: 3)" } } }
      function app.on:set(ctx) off = ctx.n end
      function app.on:asked() return asked end
      function app.on:replace() r.can.x = function() return false, "never" end end
      function app.on:add() r.look.x = function(_, ctx) return { title = "x" .. ctx.n } end end
      focus(r)
      """)
    let host = stage.host
    func disabled() -> [String] { host.menus().children.flatMap(\.children).filter { !$0.isEnabled }.map(\.title) }
    expect(disabled() == [] && disabled() == [])
    expect(stage.perform("asked"), is: "handled by app via on → integer(6)", "each is asked in each pass")
    for (off, expected) in [(2, ["2"]), (2, ["2"]), (3, ["3"]), (0, [])] {
      host.perform("set(n: \(off))")
      expect(disabled(), is: expected)
    }
    host.perform("replace")
    expect(disabled(), is: ["1", "2", "3"])
    host.perform("add")
    expect(disabled(), is: ["x1", "x2", "x3"])
  }

  @Test("V9: A can that validates its own action in a pass gets being validated at once")
  func asksItself() throws {
    let stage = try ScriptStage(
      """
      local asked = 0
      function app.on:go() end
      function app.can:go()
        asked = asked + 1
        return false, app:validate("go").reason .. " " .. asked
      end
      menubar { menu "M" { item "Go" { "go" } } }
      """)
    for turn in 1...3 {
      let item = stage.host.menus().children[0].children[0]
      expect(item.reason, is: "being validated \(turn)")
    }
  }

  @Test("A host is freed even if its script holds an open menu that was read in one pass")
  func lifetime() throws {
    weak var host: ScriptHost?
    do {
      let stage = try ScriptStage(
        """
        function app.build:url(m, url) m:insert_last("root", item("Open") { "open(n: 1)" }) end
        function app.on:open(ctx) end
        function app.can:open(ctx) return ctx.n == 1 end
        local held
        function app.on:go() held = app:open_menu(app:context_menu("url", "u")) print(app:item("Open").enabled) end
        """)
      host = stage.host
      _ = stage.perform("go")
      expect(stage.takePrinted(), is: ["true"])
    }
    expect(host == nil)
  }
}
