import CInside
import Expectations
import Testing

@testable import ScriptHost

@Suite("Undo and redo of changes that only set fields")
struct UndoSwappingTests {
  private func value(_ stage: ScriptStage) -> String? { stage.host.perform("shown").result.shownText }

  @Test("U2: A field that is set several times is undone and redone in the order of the writes")
  func order() throws {
    let stage = try ScriptStage(
      """
      t = { a = 0 }
      function app.on:act(ctx)
        for i = 1, 3 do
          ctx:set(t, "a", i)
          ctx:set(t, "b", i < 3 and i or nil)
        end
      end
      function app.on:shown() return tostring(t.a) .. " " .. tostring(t.b) end
      """)
    stage.host.perform("act")
    for _ in 0..<3 {
      expect(value(stage), is: "3 nil")
      expect(stage.host.undo().status, is: .handled)
      expect(value(stage), is: "0 nil")
      expect(stage.host.redo().status, is: .handled)
    }
    let group = try require(stage.host.app.undoStack?[.undo])
    expect(group.reversals.count, is: 1)
  }

  @Test("U6: Entries dropped from a full history are reused for new ones, and take back nothing of their old content")
  func usedAgain() throws {
    let stage = try ScriptStage(
      """
      app.undo = { levels = 2 }
      t = { a = 0 }
      seen = setmetatable({}, {
        __index = function(s, k) return rawget(s, "_" .. k) end,
        __newindex = function(s, k, v) rawset(s, "_" .. k, v) end,
      })
      function app.on:one(ctx) ctx:set(t, "a", t.a + 1) end
      function app.on:none(ctx) ctx:set(t, {}) end
      function app.on:several(ctx) ctx:set(t, { b = t.a, c = t.a }) end
      function app.on:behind(ctx) ctx:set(seen, "k", t.a) end
      function app.on:call(ctx) local a = t.a ctx:undo(function() t.d = a end) end
      function app.on:shown()
        return table.concat({ t.a, tostring(t.b), tostring(t.c), tostring(seen._k), tostring(t.d) }, " ")
      end
      """)
    for action in ["none", "several", "behind", "call"] {
      for _ in 0..<4 { stage.host.perform("one") }
      let before = value(stage)
      stage.host.perform(action)
      let after = value(stage)
      expect(stage.host.undo().status, is: .handled)
      if action == "none" || action == "several" { expect(value(stage), is: before) }
      // The function registers nothing, so there is nothing to redo.
      expect(stage.host.redo().status, is: (action == "call" ? .disabled : .handled))
      if action != "call" { expect(value(stage), is: after) }
    }
    expect(value(stage), is: "16 8 8 12 16")
  }

  @Test("U6: Undo and redo still work after a history's levels fall below its groups")
  func fewerLevels() throws {
    let stage = try ScriptStage(
      """
      t = { a = 0 }
      function app.on:one(ctx) ctx:set(t, "a", t.a + 1) end
      function app.on:fewer() app.undo = { levels = 2 } end
      function app.on:shown() return tostring(t.a) end
      """)
    for _ in 0..<6 { stage.host.perform("one") }
    for _ in 0..<3 { expect(stage.host.undo().status, is: .handled) }
    stage.host.perform("fewer")
    let undone = stage.host.undo()
    expect(undone.status == .handled && undone.by == "host" && undone.via == .native)
    expect(value(stage), is: "2")
    expect(stage.host.undoHistory.redo.count, is: 2)
    expect(stage.host.redo().status == .handled && value(stage) == "3")
  }

  @Test(
    "U2, U4: If an undo meets script code on its way, it begins again with a context, and is redone"
  )
  func codeBetween() throws {
    let stage = try ScriptStage(
      """
      t, log = { a = 0 }, {}
      behind = setmetatable({}, { __newindex = function(_, k, v) log[#log + 1] = tostring(v) .. t.a end })
      function app.on:act(ctx)
        ctx:set(t, "a", 1)
        ctx:set(behind, "k", "x")
        ctx:set(t, "a", 2)
      end
      function app.on:shown() return t.a .. " " .. table.concat(log, ",") end
      """)
    stage.host.perform("act")
    expect(value(stage), is: "2 x1")
    expect(stage.host.undo().status == .handled && value(stage) == "0 x1,nil1")
    expect(stage.host.redo().status == .handled && value(stage) == "2 x1,nil1,nil1")
  }

  @Test("U4: The host finds undo and redo again after it forgot the walk")
  func referencesAnew() throws {
    let stage = try ScriptStage(
      """
      t = { a = 0 }
      function app.on:act(ctx) ctx:set(t, "a", t.a + 1) end
      function app.on:other(ctx) return ctx.n end
      function app.on:shown() return t.a .. "" end
      """)
    let host = stage.host
    host.perform("act")
    expect(host.undo().status == .handled && host.redo().status == .handled && value(stage) == "1")
    for n in 0...Resolutions.countLimit { host.perform("other(n: \(n))") }
    expect(host.undo().status == .handled && value(stage) == "0")
    expect(host.redo().status == .handled && value(stage) == "1")
  }

  @Test("U4: If memory runs out in the middle of an undo, its changes are put back, and it can be done later")
  func refusedMemory() throws {
    // Each interpreter stores keys at other places, so now and then all of them fit.
    let refused = try (0..<5).map { _ in try refusedRedos() }
    expect(refused.contains { $0 > 0 } && refused.allSatisfy { $0 < 11 }, "\(refused)")
  }

  /// The number of refused redos of eleven. Each gets no memory from another point on.
  private func refusedRedos() throws -> Int {
    let stage = try ScriptStage(
      """
      t, other = {}, { v = "before" }
      function app.on:fill(ctx)
        for i = 1, 40 do ctx:set(t, "k" .. i, i) end
        ctx:set(other, "v", "after")
      end
      -- So that the keys have no room left where they were.
      function app.on:shrink()
        for i = 1, 1000 do t[-i] = true t[-i] = nil end
      end
      function app.on:shown()
        local sum = 0
        for _, v in pairs(t) do sum = sum + v end
        return other.v .. " " .. sum
      end
      """)
    let host = stage.host
    let L = try require(host.scripts).lua.L
    host.perform("fill")
    expect(host.undo().status, is: .handled)
    var refused = 0
    for point in 1..<12 as Range<UInt64> {
      host.perform("shrink")
      inside_failAllocation(L, point, true)
      let status = host.redo().status
      inside_failAllocation(L, 0, false)
      expect(value(stage), is: (status == .handled ? "after 820" : "before 0"), "at point \(point)")
      if status == .handled { host.undo() } else { refused += 1 }
    }
    expect(host.undoHistory.redo, is: ["fill"])
    expect(host.redo().status == .handled && value(stage) == "after 820")
    expect(host.undo().status == .handled && value(stage) == "before 0")
    return refused
  }
}
