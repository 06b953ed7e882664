import Floor
@_spi(Measuring) import ScriptHost

// What a call of a function of the program's costs, against a C function of Lua's own.

func functionRows() -> [Row] {
  [
    Row(name: "function", bound: 2, iterations: 20, answer: { 500_500 * $0 }) {
      let host = ScriptHost(limits: HostLimits(load: .milliseconds(600_000), perform: .milliseconds(600_000)))
      if Callgrind.isCounting { try host.keepPace() }
      host.function("numbers.larger", "one", "other", reads: true) { (one: Int, other: Int) in max(one, other) }
      try host.load(text: "app.on.act = \(thousand("numbers.larger"))", name: "bench.lua")
      return Sides(
        ours: { count in
          var sum = 0
          for _ in 0..<count { sum += try act(host, "act") }
          return sum
        }, floor: try FloorCase(floor_answer("return \(thousand("math.max"))")).body)
    }
  ]
}

/// A function that calls another a thousand times with two numbers, and returns the sum.
private func thousand(_ name: String) -> String {
  """
  (function()
    local larger = \(name)
    return function()
      local sum = 0
      for i = 1, 1000 do sum = sum + larger(i, 0) end
      return sum
    end
  end)()
  """
}
