import Floor

// What a perform costs: the functions of a responder chain, as both sides run them.

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
}

func performRows() -> [Row] {
  let counts = [(1, 4000), (5, 2500), (20, 1000), (500, 40)]
  return counts.map { providers, iterations in
    Row(name: "perform-\(providers)", iterations: iterations, answer: { 2 * $0 }) {
      let script = PerformScript(providers: providers)
      return try itself(FloorCase(floor_perform(script.floor(can: script.can, on: script.on))))
    }
  } + [
    Row(name: "catch-all", iterations: 4000, answer: { 2 * $0 }) {
      let script = PerformScript(providers: 1)
      return try itself(FloorCase(floor_perform(script.floor(on: script.unknown))))
    },
    Row(name: "depth", iterations: 5000, answer: { 2 * $0 }) {
      let script = PerformScript(providers: 0)
      return try itself(FloorCase(floor_perform(script.floor(on: script.on))))
    },
    // Handler and other in turns, the other first.
    Row(name: "churn", iterations: 4000, answer: { 2 * $0 + ($0 + 1) / 2 }) {
      let script = PerformScript(providers: 1)
      return try itself(FloorCase(floor_churn(script.floor(can: script.can, on: script.on))))
    },
  ]
}

/// A floor against itself: its own count is committed, and the ratio shows how far rows differ by chance.
func itself(_ floor: FloorCase) -> Sides { Sides(ours: floor.body, floor: floor.body) }
