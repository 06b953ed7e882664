import Floor
import ScriptHost

// What an interpreter costs.

func stateRows() -> [Row] {
  [Row(name: "open", iterations: 50, answer: { $0 }, make: open)]
}

/// An interpreter opened and closed.
private func open() throws -> Sides {
  let floor = try FloorCase(floor_open())
  return Sides(
    ours: { count in
      var open = 0
      for _ in 0..<count { open += try LuaState().memory > 0 ? 1 : 0 }
      return open
    },
    floor: floor.body)
}
