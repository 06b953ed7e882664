import Expectations
import Testing

@testable import ScriptHost

@Suite("Validation of menus, as scripts see it")
struct MenuValidationScriptTests {
  @Test(
    "V3, V12: Items without action and menus without visible children are disabled; every disabled item has a reason")
  func disabled() throws {
    let stage = try ScriptStage(
      """
      menubar {
        menu "A" {
          item "bare", item "none" {}, item "off" { "x", enabled = false }, item "why" { "x", enabled = "later" },
          item "on" { "x", enabled = true }, item "empty" { "x", enabled = "" }, item "no" { "no" }, item "nobody" { "nosuch" },
          item "claimed" { "caught" }, item "raises" { "raises" }, item "looks" { "looks" },
        },
        menu "B" { menu "C" {}, menu "D" { item "h" { "x", hidden = true } }, menu "E" { item "i" { "no" } } },
        menu "F" { menu "G" { hidden = true, item "x" { "x" } } },
      }
      function app.on:x() end
      app.on.no, app.on.raises, app.on.looks = app.on.x, app.on.x, app.on.x
      function app.can:no() return false end
      function app.can:raises() error("broken") end
      function app.look:looks() error("unseen") end
      """)
    expect(
      stage.drawn,
      is: """
        A
          bare {'bare' has no action}
          none {'none' has no action}
          off {item 'off' is declared disabled}
          why {later}
          on
          empty {item 'empty' is declared disabled}
          no {'app' refuses 'no'}
          nobody {nobody handles 'nosuch'}
          claimed {nobody handles 'caught'}
          raises {error: broken}
          looks {error: unseen}
        B
          C {there is nothing in 'C' to pick}
          D {there is nothing in 'D' to pick}
            ~h
          E
            i {'app' refuses 'no'}
        F {there is nothing in 'F' to pick}
          ~G
            x
        """)
    // D13: an item that is drawn disabled, for any reason, isn't performed.
    for (id, reason) in [
      ("A/bare", "'bare' has no action"), ("A/off", "item 'off' is declared disabled"), ("A/why", "later"),
      ("A/nobody", "nobody handles 'nosuch'"), ("A/looks", "error: unseen"),
    ] {
      expect(stage.host.pick(id).status == .disabled && stage.host.pick(id).reason == reason)
    }
    expect(stage.host.pick("A/on").status, is: .handled)
    expect(stage.host.pick("A/of").line, is: "failed! there is no element 'A/of'; did you mean 'A/off'?")
    expect(stage.host.pick("B").line, is: "failed! 'B' is a menu, which can't be picked")
  }

  @Test("V4, V7: Each pass starts from the declared values, and validates hidden items too")
  func looks() throws {
    let stage = try ScriptStage(
      """
      local looks, more
      menubar { menu "A" {
        look = function(ctx) return more end,
        item "T" { "x", subtitle = "s", icon = "i", state = "mixed", destructive = true }, item "h" { "y", hidden = true },
      } }
      function app.on:x() end
      function app.on:y() end
      function app.can:y() print "y"; return false, "hidden no" end
      function app.look:x() return looks end
      function app.on:set()
        looks = { title = "L", subtitle = "t", icon = "j", state = true, hidden = true, destructive = false }
        more = { title = "M", hidden = true }
      end
      function app.on:unset() looks, more = nil, nil end
      """)
    func item() throws -> String {
      let item = try require(stage.host.item("A/T"))
      return
        "\(item.title) \(item.subtitle ?? "") \(item.icon ?? "") \(item.state) \(item.isHidden) \(item.isDestructive)"
    }
    try expect(item(), is: "T s i mixed false true")
    expect(stage.takePrinted(), is: ["y"])
    _ = stage.perform("set")
    try expect(item(), is: "L t j on true false")
    expect(stage.drawn, is: "~M {there is nothing in 'M' to pick}\n  ~[x] L\n  ~h {hidden no}")
    _ = stage.perform("unset")
    try expect(item(), is: "T s i mixed false true")
    expect(stage.drawn, is: "A\n  [-] T\n  ~h {hidden no}")
  }

  @Test("V6: A menu's look that raises disables the menu, and the host validates the rest")
  func brokenMenuLook() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "A" { look = function() error("broken") end, item "x" { "x" } }, menu "B" { item "x" { "x" } } }
      function app.on:x() end
      """)
    expect(stage.drawn, is: "A {error: broken}\n  x\nB\n  x")
  }

  @Test("V10: In a single menu at most one item is on: the first that asks for it, submenus included")
  func single() throws {
    let stage = try ScriptStage(
      """
      local function i(title, on) return item(title) { "x", state = on } end
      menubar {
        menu "A" { single = true, i("a"), i("b", true), menu "S" { i("c", true) }, i("d", "mixed"), i("e", true) },
        menu "B" { menu "T" { single = true, i("a", true), i("b", true) }, i("c", true), menu "I" { inline = true, single = true, i("d", true), i("e", true) } },
        menu "C" { single = true, menu "U" { single = true, i("a"), i("b", true) }, i("c", true) },
        menu "D" { single = true, i("a", true), menu "V" { single = true, i("b", true) } },
      }
      function app.on:x() end
      """)
    expect(
      stage.drawn,
      is: """
        A
          a
          [x] b
          S
            c
          [-] d
          e
        B
          T
            [x] a
            b
          [x] c
          ---
          [x] d
          e
        C
          U
            a
            [x] b
          c
        D
          [x] a
          V
            b
        """)
  }

  @Test("V3: auto = false leaves enabling to explicit enabled")
  func auto() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "A" { auto = false, item "no" { "no" }, item "nobody" { "nosuch" }, item "off" { "no", enabled = false }, item "bare",
        menu "S" { item "no" { "no" } }, menu "I" { inline = true, auto = true, item "in" { "no" } } } }
      function app.on:no() end
      function app.can:no() return false, "no" end
      function app.look:no() return { state = true } end
      """)
    expect(
      stage.drawn,
      is: """
        A
          [x] no
          nobody
          [x] off {item 'off' is declared disabled}
          bare {'bare' has no action}
          S
            [x] no {no}
          ---
          [x] in {no}
        """)
    expect(stage.host.pick("A/no").line, is: "disabled by app via on: no")
  }

  @Test("V14: skip_validation in an item's arguments enables the item as declared, and a pick skips can")
  func skipping() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "A" { item "a" { "no(skip_validation: true)", state = true }, item "b" { "no", args = { skip_validation = 1 } },
        item "c" { "no(skip_validation: true)", enabled = "c" }, item "d" { "no(skip_validation: false)" } } }
      function app.on:no() return "done" end
      function app.can:no() return false, "no" end
      function app.look:no() return { state = false, title = "never" } end
      """)
    expect(stage.drawn, is: "A\n  [x] a\n  b\n  c {c}\n  never {no}")
    expect(stage.host.pick("A/b").line, is: "handled by app via on → text(\"done\")")
    expect(stage.host.pick("A/c").line, is: "disabled: c")
  }

  @Test("C6: Each provider runs once in a pass; no item's arguments reach the next item")
  func oneContext() throws {
    let stage = try ScriptStage(
      """
      local outer = responder "outer"
      local inner = responder "inner" { next = outer }
      local items = {}
      for i = 1, 5 do items[i] = item("i" .. i) { "x(n: " .. i .. ")", args = i == 3 and { k = "own" } or nil } end
      items[6] = item "plain" { "x" }
      menubar { menu "A"(items) }
      function outer:provide(ctx) print "outer"; ctx.k, ctx.n = "outer", 0; print(ctx.args, ctx.action, ctx.sender, ctx.info) end
      function inner:provide(ctx) print "inner"; ctx.j = ctx.k .. "!" end
      function app.on:x() end
      function app.can:x(ctx)
        ctx.args.left = true
        print(ctx.n, ctx.k, ctx.j, ctx.args.n, ctx.args.k, ctx.sender.id, ctx.sender.title)
        local count = 0
        for _ in pairs(ctx.args) do count = count + 1 end
        return count == (ctx.k == "own" and 3 or ctx.args.n and 2 or 1), "left over"
      end
      focus(inner)
      """)
    let expected = [
      "outer", "nil\tnil\tnil\tnil", "inner", "1\touter\touter!\t1\tnil\tA/i1\ti1",
      "2\touter\touter!\t2\tnil\tA/i2\ti2",
      "3\town\touter!\t3\town\tA/i3\ti3", "4\touter\touter!\t4\tnil\tA/i4\ti4", "5\touter\touter!\t5\tnil\tA/i5\ti5",
      "0\touter\touter!\tnil\tnil\tA/plain\tplain",
    ]
    for _ in 0..<3 {
      expect(stage.drawn, is: "A\n  i1\n  i2\n  i3\n  i4\n  i5\n  plain")
      expect(stage.takePrinted(), is: expected)
    }
  }

  @Test("V9: While the host validates or builds the menus, a question about them returns disabled, being validated")
  func asking() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "A" { item "x" { "x" }, section "s" {
        items = function() print("items", #app:menu().children); return { 1 } end, row = function() return item "r" { "x" } end } } }
      function app.on:x() end
      function app.can:x()
        print(app:item("A/x").reason, app:validate("x").reason)
        return true
      end
      """)
    expect(stage.drawn, is: "A\n  x\n  r")
    expect(
      stage.takePrinted(), is: ["items\t0", "being validated\tbeing validated", "being validated\tbeing validated"])
    expect(stage.host.validate("x").isEnabled)
  }

  @Test(
    "D2, V4: A table from claims replaces can and look: a reason disables, the item shows the other fields")
  func claimedByTable() throws {
    let stage = try ScriptStage(
      """
      local r = responder "r"
      local reason
      function r:claims(action)
        if action == "x" then return { title = "Now X", state = "on", subtitle = "small", reason = reason } end
        return action == "y"
      end
      function r:unknown(ctx) return "did " .. ctx.action end
      r.can.x = function() error("is not asked") end
      r.look.x = function() error("is not asked") end
      function app.on:block(ctx) reason = ctx.reason end
      menubar { menu "M" { item "X" { "x" }, item "Y" { "y" }, item "Z" { "z" } } }
      focus(r)
      """)
    let host = stage.host
    for _ in 0..<3 {
      let item = try require(host.item("M/X"))
      expect(
        item.title == "Now X" && item.state == .on && item.subtitle == "small" && item.isEnabled && item.by == "r")
      expect(host.perform("x").result.shownText == "did x" && host.pick("M/X").via == .claims)
      expect(host.perform("y").result.shownText, is: "did y")
      expect(host.item("M/Z")?.isEnabled, is: false)
      _ = host.perform("block(reason: busy)")
      expect(host.item("M/X")?.reason == "busy" && host.item("M/X")?.title == "Now X")
      expect(
        host.perform("x").status == .disabled && host.perform("x").reason == "busy"
          && host.validate("x").reason == "busy")
      _ = host.perform("block(reason: later)")
      expect(host.perform("x").reason == "later" && host.pick("M/X").reason == "later")
      let why = try host.why("x")
      expect(why.reason == "later" && why.steps.contains { "\($0.asked)".hasPrefix("can") })
      _ = host.perform("block")
    }
    expect(stage.host.takeDiagnostics().isEmpty)
  }

  @Test("D2: A table from claims has known fields; any other value disables the item with an error")
  func claimedWrongly() throws {
    for (answer, reason) in [
      ("{ reason = 5 }", "error: the 'reason' of claims must be a string, not a number"),
      ("{ title = {} }", "error: 'title' of a look must be a string, not a table"), ("{ reason = '' }", nil),
      ("{}", nil),
    ] {
      let stage = try ScriptStage(
        """
        local r = responder "r"
        function r:claims(action) if action == "x" then return \(answer) end end
        function r:unknown() return "done" end
        focus(r)
        """)
      for _ in 0..<2 {
        expect(stage.host.validate("x").reason, is: reason, "\(answer)")
        expect((stage.host.perform("x").status == .handled) == (reason == nil), "\(answer)")
      }
    }
  }

  @Test("D13: A pick doesn't perform an item drawn disabled, but its reference does, even after several tries")
  func drawnDisabled() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "M" { item "caught" { "caught" }, item "broken" { "broken" } } }
      function app:unknown(ctx) return "did " .. ctx.action end
      function app.on:broken() return "did broken" end
      function app.look:broken() error("no look", 0) end
      """)
    for _ in 0..<3 {
      for (action, reason) in [
        ("caught", "nobody handles 'caught' but the catch-all of 'app', which enables only claimed actions"),
        ("broken", "error: no look"),
      ] {
        expect(stage.host.item("M/\(action)")?.reason, is: reason)
        let picked = stage.host.pick("M/\(action)")
        expect(picked.status == .disabled && picked.reason == reason)
        expect(stage.host.perform(action).result.shownText, is: "did \(action)")
      }
    }
  }

  @Test("D13: After a handler passes, a pick doesn't call the next handler's look, since the drawing didn't use it")
  func passedOn() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "M" { item "broken" { "broken" } } }
      function app.on:broken() return "did broken" end
      function app.look:broken() error("no look", 0) end
      local near = responder "near"
      function near.on:broken() return pass end
      focus(near)
      """)
    for _ in 0..<3 {
      expect(stage.host.item("M/broken")?.isEnabled, is: true)
      expect(stage.host.pick("M/broken").result.shownText, is: "did broken")
    }
  }

  @Test("D11: In a pass the host calls claims and redirect functions once per node and action")
  func asksOnce() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "A" { item "a" { "x(n: 1)" }, item "b" { "x(n: 2)" }, item "c" { "y" }, item "d" { "x" } } }
      local r = responder "r"
      function r:claims(action) print("claims", action); return action == "x" end
      function r:unknown(ctx) end
      focus(r)
      """)
    expect(stage.drawn.hasPrefix("A\n  a\n  b\n  c {nobody handles 'y' but the catch-all of 'r'"))
    expect(stage.takePrinted(), is: ["claims\tx", "claims\ty"])
  }

  @Test("V6: An item whose can never ends is disabled, and the host validates the others")
  func endless() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "A" { item "a" { "endless" }, item "b" { "x" }, item "c" { "endless" } } }
      function app.on:endless() end
      function app.on:x() end
      function app.can:endless() while true do end end
      """)
    let children = stage.host.menus().children[0].children
    expect(children.map(\.isEnabled), is: [false, true, false])
    expect(
      children[0].reason, is: "error: the limit of 25000000 instructions is spent: does a loop never end?")
  }
}
