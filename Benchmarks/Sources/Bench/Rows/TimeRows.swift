import Floor
@_spi(Measuring) import ScriptHost

// What an action costs that waits, or that can be taken back.

func timeRows() -> [Row] { [undoRow(), sleepRow()] }

/// A perform that can be undone, undone and redone, against one that can't.
private func undoRow() -> Row {
  let script = PerformScript(providers: 1)
  func host(_ on: String) throws -> ScriptHost {
    let host = try patientHost(
      "object = { value = 0 }\n" + script.host("taker.can.act = \(script.can)\ntaker.on.act = \(on)"))
    for _ in 0..<4 { _ = host.perform("act(n: 1)") }
    return host
  }
  return Row(name: "undo", bound: 3.5, opponent: .ours("perform-1"), iterations: 1000, answer: { 2 * $0 }) {
    let ours = try host("function(self, ctx) ctx:set(object, 'value', object.value + 1) return ctx.n + 1 end")
    let floor = try host(script.on)
    return Sides(
      ours: { count in
        var sum = 0
        for _ in 0..<count {
          guard case .integer(let result) = ours.perform("act(n: 1)").result, ours.undo().status == .handled,
            ours.redo().status == .handled
          else { return -1 }
          sum += result
        }
        return sum
      },
      floor: { count in
        var sum = 0
        for _ in 0..<count {
          guard case .integer(let result) = floor.perform("act(n: 1)").result else { return -1 }
          sum += result
        }
        return sum
      })
  }
}

/// A handler that sleeps and is woken, against one that doesn't and five bare calls.
private func sleepRow() -> Row {
  let script = PerformScript(providers: 1)
  func host(_ on: String, _ clock: TestClock) throws -> ScriptHost {
    let host = try patientHost(script.host("taker.can.act = \(script.can)\ntaker.on.act = \(on)"), clock: clock)
    for _ in 0..<4 {
      _ = host.perform("act(n: 1)")
      try host.advance(by: .seconds(1))
    }
    return host
  }
  return Row(name: "sleep", bound: 1, opponent: .ours("5 calls more"), iterations: 1000, answer: { 2 * $0 }) {
    let ours = try host("function(self, ctx) sleep(1) return ctx.n + 1 end", TestClock())
    let floor = try host(script.on, TestClock())
    let calls = try FloorCase(floor_call("return function(t) end")).body
    return Sides(
      ours: { count in
        var sum = 0
        for _ in 0..<count {
          guard let job = ours.perform("act(n: 1)").job else { return -1 }
          try ours.advance(by: .seconds(1))
          guard case .integer(let result)? = job.outcome?.result else { return -1 }
          sum += result
        }
        return sum
      },
      floor: { count in
        var sum = 0
        for _ in 0..<count {
          guard case .integer(let result) = floor.perform("act(n: 1)").result else { return -1 }
          sum += result
          _ = try calls(5)
        }
        return sum
      })
  }
}
