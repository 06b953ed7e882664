import CLua
import Expectations
import Testing

@testable import ScriptHost

@Suite("Lua values that elements hold")
struct ElementHoldingTests {
  @Test(
    "Lua collects elements that lead back to themselves",
    arguments: [
      "local t = {} t[1] = menu 'm' (t)",
      "local m; m = menu 'm' { look = function() return m end }",
      "local s; s = section 's' { items = {}, row = function() return s end }",
      "local l = {} l[1] = section 's' { items = l, row = function() end }",
      "local s; s = section 's' { items = function() return s end, id = function() return s end, row = function() end }",
      "local i; i = item 'i' { 'x', args = { f = function() return i end } }",
      "local i; i = item 'i' { 'x', alternates = { alt = item 'a' { 'y', args = { function() end, f = function() return i end } } } }",
    ].filter { !$0.contains("{ function() end, f") } + [
      "local i; i = item 'i' { 'x', alternates = { alt = item 'a' { 'y', args = { f = function() return i end } } } }",
      "local m = menu 'm' { item 'x' { 'x' } } for i = 1, 40 do m = menu 'm' { m } end",
    ])
  func cycles(_ made: String) throws {
    let stage = try ScriptStage("function app.on:go() \(made) end function app.on:rest() end")
    let lua = try require(stage.host.scripts?.lua)
    for _ in 0..<3 { _ = stage.perform("go") }
    _ = stage.perform("rest")
    for _ in 0..<3 { lua.collect() }
    let before = LuaHoldings(lua)
    for _ in 0..<50 { _ = stage.perform("go") }
    _ = stage.perform("rest")
    for _ in 0..<3 { lua.collect() }
    expect(LuaHoldings(lua), is: before)
  }

  @Test("An element holds one value, even if it holds nil")
  func nothingHeld() throws {
    let stage = try ScriptStage("")
    let lua = try require(stage.host.scripts?.lua)
    let top = clua_top(lua.L)
    defer { clua_setTop(lua.L, top) }
    clua_pushCallable(lua.L, Unmanaged.passRetained(LuaCallable()).toOpaque())
    clua_pushHeld(lua.L, -1, 1)
    expect(clua_top(lua.L), is: top + 2)
    expect(clua_type(lua.L, -1), is: CLUA_TNIL.rawValue)
    clua_pushHeld(lua.L, -1, 1)
    expect(clua_top(lua.L), is: top + 3)
  }

  @Test("A script that keeps its elements in globals leaves nothing behind after a reload")
  func globals() throws {
    let script = """
      places = section "places" { items = { 1, 2 }, id = function(n) return "p" .. n end, row = function(n) return item("P" .. n) { "x" } end }
      other = item "Other" { "x", id = "other", args = { f = function() return other end } }
      tools = menu "Tools" { look = function() return { title = "Tools " .. #big } end, places, other }
      menubar { tools }
      function app.build:main(m) found = m:find("other") end
      big = ("x"):rep(100000)
      """
    let stage = try ScriptStage(script)
    expect(stage.drawn.hasPrefix("Tools 100000\n"))
    let lua = try require(stage.host.scripts?.lua)
    try stage.host.reload(text: script, name: "app.lua")
    _ = stage.drawn
    for _ in 0..<3 { lua.collect() }
    let (before, memory) = (LuaHoldings(lua), lua.memory)
    for _ in 0..<5 {
      try stage.host.reload(text: script, name: "app.lua")
      _ = stage.drawn
    }
    for _ in 0..<3 { lua.collect() }
    expect(LuaHoldings(lua), is: before)
    expect(lua.memory < memory + 50_000)
  }

  @Test("A builder can move an element that it found, even a removed one, but only while its menu is made")
  func found() throws {
    let stage = try ScriptStage(
      """
      kept = nil
      menubar { menu "A" { item "One" { "x", id = "one" }, item "Two" { "x", id = "two" } }, menu "B" { id = "b" } }
      function app.on:x() end
      function app.on:again() app:rebuild() end
      function app.build:main(m)
        if kept then
          print(pcall(m.insert_last, m, "b", kept))
          print(kept.kind, kept.title, kept.id, kept.action)
        else
          kept = m:find("one")
          m:remove("one")
          print(m:insert_last("b", kept))
        end
      end
      """)
    expect(stage.drawn, is: "A\n  Two\nB\n  One")
    expect(stage.takePrinted(), is: ["true"])
    _ = stage.perform("again")
    _ = stage.drawn
    _ = stage.perform("again")
    _ = stage.takePrinted()
    _ = stage.drawn
    expect(
      stage.takePrinted(),
      is: [
        "false\titem 'One' is out of date, since the host built its menu again: find it again", "item\tOne\tone\tx",
      ])
  }
}
