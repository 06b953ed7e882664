import Expectations
import LiveHost
import ScriptHost
import Testing

@testable import menuctl

/// The host's walks over scripts' declarations have no limit, so each must take time in proportion to their number.
@Suite("Walks over scripts' declarations")
struct WalkTests {
  /// The declarations of a script in numbers, and the code that makes the host walk over them.
  struct Walk: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let script: String
    /// A factor for the number. A step of a nanosecond shows among many only.
    let scale: Int
    let deed: @Sendable (ScriptHost) throws -> Void

    init(_ name: String, scale: Int = 1, _ script: String, _ deed: @escaping @Sendable (ScriptHost) throws -> Void) {
      (testDescription, self.scale, self.script, self.deed) = (name, scale, script, deed)
    }
  }

  static let walks = [
    Walk(
      "a chain", "local last = app for i = 1, n do last = responder('r' .. i) { next = last } end focus(last)"
    ) { host in
      for _ in 0..<4 { _ = try host.chain(nil) }
      _ = host.perform("nobody")
      _ = try host.why("nobody")
    },
    Walk(
      "redirections",
      "for i = 1, n do responder('r' .. i) { redirect = 'r' .. (i + 1) } end function app.on:go() end focus 'r1'"
    ) { host in
      _ = host.perform("go")
      _ = try host.why("go")
    },
    Walk(
      "handlers in layers",
      "local r = responder 'r' {} for i = 1, n do r:define('go', { on = function(self, ctx) return ctx:super() end }) end focus(r)"
    ) { host in _ = host.perform("go") },
    Walk(
      "items",
      "local t = {} for i = 1, n do t[i] = item('I' .. i) { 'a' .. i } app.on['a' .. i] = print end menubar { menu 'M'(t) }"
    ) { host in
      _ = host.menus()
      for _ in 0..<4 { host.rebuild() }
      _ = host.changes()
      _ = host.check()
      for number in 1...4 { _ = host.pick("M/I\(number)") }
    },
    Walk(
      "menus within menus, many times over",
      "local t = {} for i = 1, n do t[i] = menu('M' .. i) { item 'I' { 'a' } , menu 'N' { item 'J' { 'a' } } } end menubar(t) function app.on:a() end"
    ) { host in
      _ = host.menus()
      host.perform("a")
      _ = host.changes()
      _ = host.check()
    },
    Walk(
      "a section of rows",
      "local t = {} for i = 1, n do t[i] = i end menubar { menu 'M' { section 's' { items = t, id = function(v) return 'i' .. v end, row = function(v) return item('I' .. v) { 'a' } end } } } function app.on:a() t[#t] = nil end"
    ) { host in
      _ = host.menus()
      host.perform("a")
      _ = host.changes()
    },
    Walk(
      "keys of items",
      "local t = {} for i = 1, n do t[i] = item('I' .. i) { 'a', key = 'g ' .. string.char(97 + i % 26) .. ' ' .. string.char(97 + i // 26 % 26) .. ' ' .. string.char(97 + i // 676 % 26) } end menubar { menu 'M'(t) } function app.on:a() end"
    ) { host in
      _ = host.keys()
      for stroke in ["g b b a", "g c c a", "g z"] { _ = host.press(stroke) }
      _ = host.check()
    },
    Walk(
      "observers and listeners",
      "for i = 1, math.min(n, 1000) do observe('x' .. i .. '.*', print) end for i = 1, n do listen('focus', function() end) end local r = responder 'r' {} function app.on:go() focus(r) end"
    ) { host in for _ in 0..<4 { _ = host.perform("go") } },
    Walk(
      "what can be undone",
      "app.undo = { levels = n } app.x = 0 function app.on:go(ctx) for i = 1, n do ctx:undo('u' .. i, function() app.x = i end) end end"
    ) { host in
      _ = host.perform("go")
      _ = host.undo()
      _ = host.redo()
    },
    Walk(
      "windows",
      "for i = 1, n do window('w' .. i) {} end function app.on:go() for i, w in ipairs(app:windows()) do if i % 100 == 0 then w:make_key() end end end"
    ) { host in
      _ = host.perform("go")
      _ = host.check()
    },
    Walk(
      "names of an app's",
      "local t = {} for i = 1, n do local r = responder('r' .. i) { on = { ['a' .. i] = print } } t[i] = item('I' .. i) { 'a1' } end function app.on:a1() end menubar { menu 'M'(t) }"
    ) { host in
      // As 'stubs' does.
      _ = Stubs(app: AppNames(of: host, source: "app.lua")).text
    },
    Walk(
      "actions of a long chain", scale: 10,
      "local last = app for i = 1, n do last = responder('r' .. i) { next = last } last.on['x' .. i] = print end focus(last)"
    ) { host in
      // As 'load' does where there are no menus.
      _ = HostSubject(host, source: "app.lua").app()
      _ = try host.actions()
      for _ in 0..<4 { _ = try host.chain("x1") }
    },
    Walk(
      "items that do the same", scale: 10,
      "local t = {} for i = 1, n do t[i] = item('I' .. i) { 'a', args = { i = i } } end menubar { menu 'M'(t) } function app.on:a() end"
    ) { host in _ = try host.actions() },
    Walk(
      "many with the same many actions",
      "local last for i = 1, 16 do local t = {} for j = 1, n // 16 do t['a' .. j .. 'x' .. i] = print end last = class('c' .. i) { class = last, on = t } end for i = 1, n do responder('r' .. i) { class = last } end"
    ) { host in
      let nodes = HostSubject(host, source: "app.lua").app().others
      expect(nodes.first?.actions.isEmpty == false && nodes.last?.hasMore == true)
      _ = Stubs(app: AppNames(of: host, source: "app.lua")).text
    },
  ]

  /// The time that this thread takes for so many.
  private func time(_ walk: Walk, _ count: Int) throws -> Double {
    let host = ScriptHost(
      limits: HostLimits(
        memory: 256 << 20, load: .milliseconds(0, instructions: 2_000_000_000),
        perform: .milliseconds(0, instructions: 2_000_000_000)))
    let began = threadTime()
    try host.load(text: "local n = \(count)\n\(walk.script)", name: "app.lua")
    try walk.deed(host)
    return Double(threadTime() - began)
  }

  @Test("S4: Eight times as many declarations take about eight times as long, for any kind", arguments: walks)
  func walked(_ walk: Walk) throws {
    // A search for each among all would take sixty-four times as long.
    var best = Double.infinity
    for _ in 0..<3 where best > 24 {
      best = try min(best, time(walk, 1600 * walk.scale) / time(walk, 200 * walk.scale))
    }
    expect(best < 24)
  }

  @Test(
    "S4: Work that grows with the existing declarations is charged to the script that causes it",
    arguments: ["r:derive('d' .. i, {})", "class('c' .. i) {}"])
  func charged(_ deed: String) throws {
    let host = ScriptHost(limits: HostLimits(perform: .milliseconds(60_000, instructions: 2_000_000)))
    try host.load(
      text: """
        local n, r = 0, responder "r" {}
        function app.on:count() return n end
        function app.on:go() for i = 1, 1e9 do n = i \(deed) end end
        """, name: "app.lua")
    expect(host.perform("go").error?.code, is: .limit)
    guard case .integer(let count) = host.perform("count").result else {
      Issue.record("no count")
      return
    }
    // The sum of 1…n is the work for n of them. By its instructions alone the script could make 100,000.
    expect(count > 200 && count < 2100)
  }

  @Test("S4: Many providers, whose context grows with each, end with the allowance of the question")
  func providers() throws {
    let host = ScriptHost(limits: HostLimits(perform: .milliseconds(100, instructions: 2_000_000_000)))
    try host.load(
      text: """
        local last = app
        for i = 1, 8000 do
          last = responder("r" .. i) { next = last }
          function last:provide(ctx) ctx["k" .. i] = i end
        end
        focus(last)
        """, name: "app.lua")
    let began = threadTime()
    _ = host.validate("nobody")
    _ = try host.context(nil)
    expect(threadTime() - began < 5_000_000_000)
    expect(host.takeDiagnostics().contains { $0.code == "limit" })
  }
}
