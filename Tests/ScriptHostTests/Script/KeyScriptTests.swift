import Expectations
import Testing

@testable import ScriptHost

@Suite("Keys that scripts bind")
struct KeyScriptTests {
  @Test("K1: grid.keys binds strokes to references, at any time, and reads back in any spelling")
  func binding() throws {
    try expect(
      """
      local main = window "main"
      local grid = responder "grid" { next = main, keys = { ["Ctrl+K"] = "clear", ["g g"] = "go_to(row: 1)" } }
      function grid.on:clear() return "cleared" end
      function grid.on:go_to(ctx) return ctx.row end
      function app.on:far(ctx) return ctx.modifiers.ctrl end
      app.keys["ctrl+k"] = "far"
      app.keys["CTRL+J"] = "far"
      focus(grid)
      function app.on:go()
        for _, keys in ipairs { "ctrl+k", "g", "g", "g g", "ctrl+j", "q" } do print(line(app:press(keys))) end
        print(grid.keys["CTRL+k"], grid.keys.q, grid.keys["nonsense+k"], app.keys["ctrl+j"])
        grid.keys["ctrl+K"] = nil
        print(grid.keys["ctrl+k"], line(app:press("ctrl+k")))
        grid.keys = { x = "clear" }
        print(grid.keys["g g"], line(app:press("x")), line(app:press("g")))
      end
      """,
      prints: """
        handled by grid via on → cleared
        pending: 'g' waits for the rest of a sequence
        handled by grid via on → 1
        handled by grid via on → 1
        handled by app via on → true
        unhandled: nothing is bound to 'q'
        clear\tnil\tnil\tfar
        nil\thandled by app via on → true
        nil\thandled by grid via on → cleared\tunhandled: nothing is bound to 'g'
        """)
  }

  @Test("K1: classes and derived classes bind keys too")
  func classes() throws {
    try expect(
      """
      local base = class "base" { keys = { k = "act(who: base)", j = "act(who: base)" } }
      local grid = responder "grid" { class = "base" }
      grid.keys.j = "act(who: grid)"
      function grid.on:act(ctx) return ctx.who end
      focus(grid)
      function app.on:go()
        print(line(app:press("k")), line(app:press("j")))
        grid:derive("Special", { keys = { j = "act(who: special)" } })
        base.keys.k = "act(who: later)"
        print(line(app:press("k")), line(app:press("j")), base.keys.j)
      end
      """,
      prints: """
        handled by grid via on → base\thandled by grid via on → grid
        handled by grid via on → later\thandled by grid via on → special\tact(who: base)
        """)
  }

  @Test(
    "K5: A wrong binding is an error at its line",
    arguments: [
      (
        "r.keys['ctrl+enterr'] = 'x'", "app.lua:2: keys['ctrl+enterr']: there is no key 'enterr'; did you mean 'enter'?"
      ),
      ("r.keys['ctl+k'] = 'x'", "app.lua:2: keys['ctl+k']: there is no modifier 'ctl'; did you mean 'ctrl'?"),
      ("r.keys.k = {}", "app.lua:2: keys['k'] must be a reference or a list of 32 at most"),
      ("r.keys.k = { 'x', 5 }", "app.lua:2: keys['k'] must be a reference or a list of 32 at most"),
      ("r.keys[1] = 'x'", "app.lua:2: 'keys' is indexed by key strokes such as 'ctrl+k', not by a number"),
      ("r.keys.k = 'x('", "app.lua:2:15: keys['k']: expected a key or ')' but the reference ends"),
      ("r.keys['CTRL+k'] = 5", "app.lua:2: keys['ctrl+k'] must be an action reference, not a number"),
      (
        "r.keys.k = print",
        "app.lua:2: keys['k'] must be an action, not a function: write a handler, and here its action's name"
      ),
      ("r.keys = 'k'", "app.lua:2: 'keys' must be a table of action references, not a string"),
      (
        "r.keys = { ['ctrl+k'] = 'x', ['CTRL+K'] = 'y' }",
        "app.lua:2: 'keys' binds 'ctrl+k' twice, spelt in two ways: remove one"
      ),
      ("responder 'q' { keys = { kk = 'x' } }", "app.lua:2: keys['kk']: there is no key 'kk'"),
      ("class 'q' { keys = { k = 1 } }", "app.lua:2: keys['k'] must be an action reference, not a number"),
      ("r:define('x', { keys = {} })", "app.lua:2: a definition has no field 'keys'"),
    ])
  func errors(line: String, message: String) throws {
    let error = try loadError("r = responder 'r'\n\(line)")
    let (place, sentence) = (message.prefix(10), message.dropFirst(11))
    expect(error.hasPrefix(place) && error.contains(sentence.drop { $0 == " " }), "\(error)")
  }

  @Test(
    "K4: esc clears the sequence, a stroke that fits none acts alone; press takes strokes, and raises for no outcome"
  )
  func sequences() throws {
    try expect(
      """
      app.keys = { ["g g"] = "top", x = "x", ["ctrl+k ctrl+c"] = "top" }
      function app.on:top() return "top" end
      function app.on:x() return "x" end
      function app.on:go()
        for _, keys in ipairs { "g", "esc", "esc", "g x", "g ctrl+k ctrl+c", "ctrl+", "g" } do print(line(app:press(keys))) end
        fails(app.press, app, 5)
      end
      """,
      prints: """
        pending: 'g' waits for the rest of a sequence
        cancelled: 'g' was begun and then dropped
        unhandled: nothing is bound to 'esc'
        handled by app via on → x
        handled by app via on → top
        failed ! expected a key after 'ctrl+'
        pending: 'g' waits for the rest of a sequence
        the keys must be a string, not a number
        """)
  }
}
