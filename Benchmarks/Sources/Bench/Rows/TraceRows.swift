import ScriptHost

// What it costs to be told how each action went.

func traceRows() -> [Row] {
  let script = PerformScript(providers: 5)
  let chain = script.host("taker.can.act = \(script.can)\ntaker.on.act = \(script.on)")
  return [
    Row(name: "trace", bound: 3, opponent: .ours("perform-5"), iterations: 1000, answer: { 2 * $0 }) {
      let (traced, plain) = (try performingHost(chain), try performingHost(chain))
      var traces = 0
      traced.onTrace = { trace in traces += trace.outcome?.status == .handled ? 1 : 0 }
      let (ours, floor) = (try performs(traced), try performs(plain))
      return Sides(
        ours: { count in
          traces = 0
          let sum = try ours(count)
          return traces == count ? sum : -1
        }, floor: floor)
    },
    Row(name: "trace-off", bound: 1.02, opponent: .ours("perform-5"), iterations: 2500, answer: { 2 * $0 }) {
      let (was, never) = (try performingHost(chain), try performingHost(chain))
      was.onTrace = { _ in }
      _ = try act(was)
      was.onTrace = nil
      return Sides(ours: try performs(was), floor: try performs(never))
    },
  ]
}

private func performs(_ host: ScriptHost) throws -> Body {
  for _ in 0..<4 { _ = try act(host) }
  return { count in
    var sum = 0
    for _ in 0..<count { sum += try act(host) }
    return sum
  }
}
