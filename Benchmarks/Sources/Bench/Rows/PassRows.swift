import Floor
@_spi(Measuring) import ScriptHost

// What a validation pass costs.

/// The Lua functions of a pass: five providers, one can and one look for all items, which differ by their argument.
enum PassScript {
  static func provide(_ number: Int) -> String { "function(self, ctx) ctx.k\(number) = \(number) end" }
  /// Every fourth item is disabled, with a reason of 6 bytes.
  static let can = "function(self, ctx) return ctx.n % 4 ~= 0, 'fourth' end"
  /// Every second item is on, and all have a title of 4 bytes.
  static let look = "function(self, ctx) return { state = ctx.n % 2 == 0, title = 'Rate' } end"

  static var floor: String {
    let providers = (1...5).map(provide).joined(separator: ", ")
    return "return { self = {}, provide = { \(providers) }, can = \(can), look = \(look) }"
  }

  /// What a host runs.
  static func host(_ items: Int) -> String {
    let providers = (1...5).map { number in
      """
      r = responder 'r\(number)' { next = \(number == 1 ? "nil" : "'r\(number - 1)'") }
      r.provide = \(provide(number))
      """
    }
    return """
      local list = {}
      for n = 1, \(items) do list[n] = item("item " .. n) { "act(n: " .. n .. ")" } end
      menubar { menu "All" (list) }
      \(providers.joined(separator: "\n"))
      r.can.act = \(can)
      r.look.act = \(look)
      function r.on:act() end
      focus(r)
      """
  }

  /// What one pass over so many items sums up to: enabled + 2 × on + bytes of text.
  static func answer(_ items: Int) -> Int {
    let disabled = items / 4
    return items - disabled + 2 * (items / 2) + 6 * disabled + 4 * items
  }
}

/// A menu of so many items, validated to a snapshot.
func passRows() -> [Row] {
  [(50, 400, 1.6), (200, 100, 1.6), (1000, 20, 1.6), (10_000, 4, 1.6)].map { items, iterations, bound in
    Row(
      name: "pass-\(items)", bound: bound, iterations: iterations, interpreters: items < 10_000 ? nil : 4,
      answer: { $0 * PassScript.answer(items) }
    ) {
      let host = try passHost(items)
      return Sides(
        ours: { count in
          var sum = 0
          for _ in 0..<count { sum += host.menus().children[0].children.sumOfStates }
          return sum
        },
        floor: try FloorCase(floor_pass(PassScript.floor, Int32(items))).body)
    }
  }
}

/// A host with a menu of so many items, which has been drawn until there was garbage to collect.
private func passHost(_ items: Int) throws -> ScriptHost {
  let host = ScriptHost(limits: HostLimits(load: .milliseconds(600_000), perform: .milliseconds(600_000)))
  if Callgrind.isCounting { try host.keepPace() }
  try host.load(text: PassScript.host(items), name: "bench.lua")
  for _ in 0..<4 { _ = host.menus() }
  try host.collectGarbage()
  return host
}
