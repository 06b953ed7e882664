import Floor

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

  /// What one pass over so many items sums up to: enabled + 2 × on + bytes of text.
  static func answer(_ items: Int) -> Int {
    let disabled = items / 4
    return items - disabled + 2 * (items / 2) + 6 * disabled + 4 * items
  }
}

func passRows() -> [Row] {
  [(50, 100), (1000, 5), (10_000, 1)].map { items, iterations in
    Row(name: "pass-\(items)", iterations: iterations, answer: { $0 * PassScript.answer(items) }) {
      try itself(FloorCase(floor_pass(PassScript.floor, Int32(items))))
    }
  }
}

/// A floor against itself: its own count is committed, and the ratio shows how far rows differ by chance.
func itself(_ floor: FloorCase) -> Sides { Sides(ours: floor.body, floor: floor.body) }
