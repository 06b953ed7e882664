import Floor
@_spi(Measuring) import ScriptHost

// What a perform costs, from the text of a reference in Swift to an outcome in Swift.

/// The Lua functions of a perform with so many providers.
struct PerformScript {
  var providers: Int

  /// What the provider of that number does; each supplies a key of its own.
  func provide(_ number: Int) -> String { "function(self, ctx) ctx.k\(number) = \(number) end" }
  let can = "function(self, ctx) return ctx.n ~= nil, 'no number' end"
  let on = "function(self, ctx) return ctx.n + 1 end"
  let other = "function(self, ctx) return ctx.n + 2 end"
  /// Takes whatever nobody takes.
  let unknown = "function(self, ctx) return ctx.n + 1 end"

  /// What a floor runs.
  func floor(can: String = "nil", on: String) -> String {
    let provide = (0..<providers).map { self.provide($0 + 1) }.joined(separator: ", ")
    let change = "function(on, f) on.act = f end"
    return """
      return { self = {}, provide = { \(provide) }, can = \(can), on = \(on), other = \(other), change = \(change) }
      """
  }

  /// What a host runs: a chain with the providers in it, ending with `taker`, which the given lines make what it is.
  func host(_ taker: String, length: Int? = nil) -> String {
    var lines: [String] = []
    for number in 0..<max(providers, length ?? 0) {
      let next = number == 0 ? "nil" : "'r\(number - 1)'"
      lines.append("r = responder 'r\(number)' { next = \(next) }")
      if number == 0 { lines.append("taker = r") }
      if number < providers { lines.append("r.provide = \(provide(number + 1))") }
    }
    if lines.isEmpty { lines = ["taker = responder 'r0'", "r = taker"] }
    return lines.joined(separator: "\n") + "\n\(taker)\nfocus(r)\n"
  }
}

func performRows() -> [Row] {
  let counts = [(1, 4000, 2), (5, 2500, 1.6), (20, 1000, 1.3), (100, 200, 1.3), (500, 40, 1.2)]
  return counts.map { providers, iterations, bound in
    Row(name: "perform-\(providers)", bound: bound, iterations: iterations, answer: { 2 * $0 }) {
      let script = PerformScript(providers: providers)
      return Sides(
        ours: try performing(script.host("taker.can.act = \(script.can)\ntaker.on.act = \(script.on)")),
        floor: try FloorCase(floor_perform(script.floor(can: script.can, on: script.on))).body)
    }
  }
}

/// One way of performing against another way of ours.
func wayRows() -> [Row] {
  let script = PerformScript(providers: 1)
  func row(_ name: String, bound: Double, _ taker: String, against direct: String = "on") -> Row {
    Row(name: name, bound: bound, opponent: .ours("direct"), iterations: 4000, answer: { 2 * $0 }) {
      Sides(
        ours: try performing(script.host(taker)),
        floor: try performing(script.host("taker.on.act = \(script.on)")))
    }
  }
  let elsewhere = "other = responder 'other'\nother.on.act = \(script.on)\n"
  return [
    row("catch-all", bound: 1.1, "app.unknown = \(script.unknown)"),
    row("redirect", bound: 1.1, elsewhere + "taker.redirect = 'other'"),
    row("resolve", bound: 1.1, "function taker:resolve(name) self.on[name] = \(script.on) return true end"),
    row("claims", bound: 1.1, "taker.claims = { 'act' }\ntaker.unknown = \(script.unknown)"),
  ] + askedRows(script)
}

/// Functions that are asked each time, against constants and one and a half bare calls.
private func askedRows(_ script: PerformScript) -> [Row] {
  let elsewhere = "other = responder 'other'\nother.on.act = \(script.on)\n"
  let ways = [
    ("redirect-asked", elsewhere + "function taker:redirect(name) if name == 'act' then return other end end"),
    ("claims-asked", "function taker:claims(name) return name == 'act' end\ntaker.unknown = \(script.unknown)"),
  ]
  return ways.map { name, taker in
    Row(name: name, bound: 1, opponent: .ours("direct + 1.5 calls"), iterations: 4000, answer: { 2 * $0 }) {
      let direct = try performing(script.host("taker.on.act = \(script.on)"))
      let calls = try FloorCase(floor_call("return function(t) end")).body
      return Sides(
        ours: try performing(script.host(taker)),
        floor: { count in
          let sum = try direct(count)
          _ = try calls(count * 3 / 2)
          return sum
        })
    }
  }
}

/// A long chain with the taker at its far end, against a chain of one; and the far end of the longest against its near end. As much
/// lives in both hosts of that, and the collector looks at as much. All have collected before: the larger the heap, the later that comes,
/// and until then what a perform needs is asked from the system.
func depthRows() -> [Row] {
  let on = PerformScript(providers: 0).on
  func row(
    _ name: String, against opponent: String, interpreters: Int?, _ make: @escaping () throws -> Sides
  ) -> Row {
    Row(
      name: name, bound: 1.1, opponent: .ours(opponent), iterations: 5000, interpreters: interpreters,
      answer: { 2 * $0 }, make: make)
  }
  let lengths = [(10, nil), (100, nil), (1000, 16), (10_000, 4)]
  return lengths.map { length, interpreters in
    row("depth-\(length)", against: "depth 1", interpreters: interpreters) {
      let taker = "taker.on.act = \(on)"
      return Sides(
        ours: try performing(long(taker, length), settled: true), floor: try performing(long(taker, 1), settled: true))
    }
  } + [
    row("depth-far", against: "the near end", interpreters: 4) {
      let script = long("taker.on.act = \(on)\nr.on.near = \(on)", 10_000)
      return Sides(ours: try performing(script), floor: try performing(script, "near(n: 1)"))
    }
  ]
}

/// A chain so long, made in a loop, with the taker at its far end.
private func long(_ taker: String, _ length: Int) -> String {
  """
  taker = responder 'r0'
  r = taker
  for i = 1, \(length - 1) do r = responder('r' .. i) { next = r } end
  \(taker)
  focus(r)
  """
}

/// Every perform preceded by a change of shape, in a chain of 20, against none.
func churnRows() -> [Row] {
  let script = PerformScript(providers: 1)
  let taker = """
    taker.can.act = \(script.can)
    taker.on.act = \(script.on)
    local handler, other = \(script.on), \(script.other)
    turn = false
    function replace() turn = not turn; taker.on.act = turn and other or handler end
    function reset() turn = false end
    """
  let chain = script.host(taker, length: 20)
  return [
    Row(
      name: "churn-handler", bound: 2.5, opponent: .ours("unchanged"), iterations: 2000,
      answer: { 2 * $0 + ($0 + 1) / 2 }
    ) {
      let changing = try performingHost(chain)
      let still = try performingHost(chain)
      let replace = try changing.globalFunction("replace")
      let reset = try changing.globalFunction("reset")
      return Sides(
        ours: { count in
          var sum = 0
          try reset()
          for _ in 0..<count {
            try replace()
            sum += try act(changing)
          }
          return sum
        },
        floor: { count in
          var sum = 0
          for n in 0..<count { sum += try act(still) + (n % 2 == 0 ? 1 : 0) }
          return sum
        })
    },
    Row(name: "churn-focus", bound: 2.5, opponent: .ours("unchanged"), iterations: 2000, answer: { 2 * $0 }) {
      let changing = try performingHost(chain)
      let still = try performingHost(chain)
      guard let one = changing.find("r19"), let two = changing.find("r18") else { throw RowError.notDone }
      return Sides(
        ours: { count in
          var sum = 0
          for n in 0..<count {
            try changing.focus(n % 2 == 0 ? one : two)
            sum += try act(changing)
          }
          return sum
        },
        floor: { count in
          var sum = 0
          for _ in 0..<count { sum += try act(still) }
          return sum
        })
    },
  ]
}

/// What needs no Lua.
func nativeRows() -> [Row] {
  let empty = "return function(t) end"
  return [
    Row(name: "native", bound: 3, iterations: 20_000, answer: { $0 }) {
      let host = ScriptHost()
      host.on("act") { (_: Command) -> Value in .integer(1) }
      return Sides(
        ours: { count in
          var sum = 0
          for _ in 0..<count {
            guard case .integer(let one) = host.perform("act(n: 1)").result else { return -1 }
            sum += one
          }
          return sum
        },
        floor: try FloorCase(floor_call(empty)).body)
    },
    Row(name: "reference-first", iterations: 2000, answer: { $0 }) {
      let text = "a.b.export(format: jpeg, \"n\": [1,2.5,true])"
      return Sides(
        ours: { count in
          var sum = 0
          for _ in 0..<count where try Reference.parse(text).arguments?.members.count == 2 { sum += 1 }
          return sum
        },
        floor: try FloorCase(floor_call(empty)).body)
    },
  ]
}

enum RowError: Error {
  case notDone
}

func performingHost(_ script: String) throws -> ScriptHost {
  // Counting instructions makes them slow: what a load may spend is not what is measured.
  let host = ScriptHost(limits: HostLimits(load: .milliseconds(600_000)))
  if Callgrind.isCounting { try host.keepPace() }
  try host.load(text: script, name: "bench.lua")
  return host
}

func act(_ host: ScriptHost, _ reference: String = "act(n: 1)") throws -> Int {
  let outcome = host.perform(reference)
  guard case .integer(let result) = outcome.result else { throw RowError.notDone }
  return result
}

/// Performs `act(n: 1)` in a host with the script; a settled one has collected garbage.
private func performing(
  _ script: String, _ reference: String = "act(n: 1)", settled: Bool = false
) throws -> Body {
  let host = try performingHost(script)
  // What is found out once is not what is measured.
  for _ in 0..<(settled ? 256 : 4) { _ = try act(host, reference) }
  if settled { try host.collectGarbage() }
  return { count in
    var sum = 0
    for _ in 0..<count { sum += try act(host, reference) }
    return sum
  }
}
