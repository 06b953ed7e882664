import Expectations
import Testing

@testable import ScriptHost

/// Random programs of `ctx:set`, nested performs, failures and refusals over a few tables. Undo restores each earlier
/// state, redo each later one, and an unhandled perform leaves no trace.
@Suite("Undo restores earlier states, redo later ones")
struct UndoPropertyTests {
  /// The steps of an action in order, and its end.
  private indirect enum Step {
    case set(table: Int, key: Int, value: Int?)
    case setSeveral(table: Int, [Int])
    case call(table: Int, key: Int)
    case perform([Step], end: End)
  }

  private enum End: String {
    case handled, failed, refused, passed
  }

  /// The same seed makes the same program.
  private struct Generator {
    var random: Chance

    mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    mutating func program(depth: Int) -> [Step] {
      (0..<below(5)).map { _ in
        switch below(depth > 0 ? 10 : 7) {
        case ..<4: .set(table: below(3), key: below(4), value: below(4) == 0 ? nil : below(100))
        case ..<5: .setSeveral(table: below(3), (0..<4).map { _ in below(100) })
        case ..<7: .call(table: below(3), key: below(4))
        default: .perform(program(depth: depth - 1), end: end())
        }
      }
    }

    mutating func end() -> End {
      switch below(10) {
      case ..<6: .handled
      case ..<8: .failed
      case ..<9: .refused
      default: .passed
      }
    }
  }

  private static func lua(_ steps: [Step]) -> String {
    steps.map { step in
      switch step {
      case .set(let table, let key, let value): "{ 'set', \(table + 1), \(key), \(value.map(String.init) ?? "nil") }"
      case .setSeveral(let table, let values):
        "{ 'several', \(table + 1), { \(values.enumerated().map { "[\($0)] = \($1)" }.joined(separator: ", ")) } }"
      case .call(let table, let key): "{ 'call', \(table + 1), \(key) }"
      case .perform(let inner, let end): "{ 'perform', { \(lua(inner)) }, '\(end.rawValue)' }"
      }
    }.joined(separator: ", ")
  }

  private static let script = """
    local doc = responder "doc" { undo = { levels = 1000 } }
    tables = { {}, doc, setmetatable({}, { __index = { [0] = "inherited" } }) }
    focus(doc)
    -- Writes on its own, and registers the opposite.
    local function put(t, k, v, ctx)
      local old = rawget(t, k)
      rawset(t, k, v)
      ctx:undo(function(ctx) put(t, k, old, ctx) end)
    end
    local programs = {}
    function run(self, ctx)
      local program = programs[#programs]
      for _, step in ipairs(program.steps) do
        local t = tables[step[2]]
        if step[1] == "set" then ctx:set(t, step[3], step[4])
        elseif step[1] == "several" then ctx:set(t, step[3])
        elseif step[1] == "call" then put(t, step[3], (rawget(t, step[3]) or 0) + 1, ctx)
        else
          programs[#programs + 1] = { steps = step[2], ["end"] = step[3] }
          app:perform("run")
          programs[#programs] = nil
        end
      end
      if program["end"] == "failed" then error "failed" end
      if program["end"] == "refused" then ctx:refuse "refused" end
      if program["end"] == "passed" then return pass end
    end
    doc.on.run = run
    function app.on:start(ctx)
      programs = { { steps = load("return { " .. ctx.steps .. " }")(), ["end"] = ctx["end"] } }
    end
    function app.on:state()
      local shown = {}
      for i, t in ipairs(tables) do
        for k = 0, 3 do shown[#shown + 1] = tostring(rawget(t, k)) end
      end
      return table.concat(shown, " ")
    end
    """

  private func state(_ stage: ScriptStage) -> String { stage.host.perform("state").result.shownText ?? "nothing" }

  @Test(
    "2,000 random programs: handled actions can be undone and redone exactly; others leave no trace",
    arguments: [true, false])
  func random(isObserved: Bool) throws {
    let stage = try ScriptStage(Self.script)
    let host = stage.host
    if isObserved { host.observe { _ in } }
    for seed in 0..<(isObserved ? 40 : 160) as Range<UInt64> {
      var generator = Generator(random: Chance(seed: seed))
      var states = [state(stage)]
      for _ in 0..<10 {
        let (steps, end) = (Self.lua(generator.program(depth: 3)), generator.end())
        var options = PerformOptions()
        options.arguments = ["steps": .text(steps), "end": .text(end.rawValue)]
        host.perform("start", options)
        let before = host.undoHistory.undo.count
        let outcome = host.perform("run")
        let now = state(stage)
        if outcome.status == .handled {
          if host.undoHistory.undo.count > before { states.append(now) }
        } else {
          expect(now, is: states.last, "seed \(seed): \(end) after \(steps)")
        }
        expect(now, is: states.last, "seed \(seed): what is not registered changes nothing")
      }
      for (direction, wanted) in states.count == 1
        ? [] : [("undo", states.reversed()), ("redo", states), ("undo", states.reversed())]
      {
        for wanted in wanted.dropFirst() {
          expect(host.perform(direction).status, is: .handled)
          try require(state(stage) == wanted, "seed \(seed): \(direction)")
        }
        expect(host.perform(direction).status, is: .disabled)
      }
      _ = host.takeDiagnostics()
    }
  }
}
