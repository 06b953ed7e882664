import Floor
import ScriptHost

// What every crossing between Swift and Lua costs.

/// What each call of a row does in Lua; both sides run the same text.
private enum Script {
  static let empty = "return function(t) end"
  static let roundTrip = "return function(double, n) return double(n) + 1 end"
  static let raise = "return function(raise) raise() end"
  static let validate = "return function(ctx) return ctx.kind == 'photo' and ctx.place ~= nil end"
}

func callRows() -> [Row] {
  [
    Row(name: "call", bound: 1.25, iterations: 50_000, answer: { $0 }, make: call),
    Row(name: "limits-cost", iterations: 50_000, answer: { $0 }, make: limitedCall),
    Row(name: "round-trip", iterations: 10_000, answer: { $0 * $0 }, make: roundTrip),
    Row(name: "table-5", iterations: 10_000, answer: { 5 * $0 }, make: table),
    Row(name: "context", bound: 1.4, iterations: 10_000, answer: { $0 }, make: context),
    Row(name: "throw", iterations: 2_000, answer: { $0 }, make: raise),
  ]
}

/// A protected call of an empty function with one table: the fused call.
private func call() throws -> Sides {
  let lua = try LuaState()
  let empty = try lua.function(Script.empty)
  let table = lua.newTable()
  let floor = try FloorCase(floor_call(Script.empty, true))
  return Sides(
    ours: { count in
      for _ in 0..<count { try lua.invoke(empty, table) }
      return count
    },
    floor: floor.body)
}

/// The same within an allowance of its own, against bare C without a hook: what it costs to have limits on.
private func limitedCall() throws -> Sides {
  let lua = try LuaState()
  let empty = try lua.function(Script.empty)
  let table = lua.newTable()
  let floor = try FloorCase(floor_call(Script.empty, false))
  return Sides(
    ours: { count in
      for _ in 0..<count { try lua.within(.milliseconds(100)) { try lua.invoke(empty, table) } }
      return count
    },
    floor: floor.body)
}

/// Swift → Lua → Swift → Lua → Swift, against C in Swift's place.
private func roundTrip() throws -> Sides {
  let lua = try LuaState()
  let there = try lua.function(Script.roundTrip)
  let double = lua.function { call in
    guard case .integer(let n) = try call[0] else { throw LuaMisuse("a number was expected") }
    return .values([.integer(2 * n)])
  }
  let floor = try FloorCase(floor_roundTrip(Script.roundTrip))
  return Sides(
    ours: { count in
      var sum = 0
      for n in 0..<count {
        guard case .integer(let result)? = try lua.call(there, .function(double), .integer(n)).first else { return -1 }
        sum += result
      }
      return sum
    },
    floor: floor.body)
}

/// The keys of a context, made once.
private struct Keys {
  let kind, title, format, owner, place: LuaKey

  init(_ lua: LuaState) {
    kind = lua.key("kind")
    title = lua.key("title")
    format = lua.key("format")
    owner = lua.key("owner")
    place = lua.key("place")
  }

  @inline(__always)
  func pushContext(_ lua: LuaState) {
    lua.pushTable(fields: 5)
    lua.set(kind, "photo")
    lua.set(title, "sunset")
    lua.set(format, "jpeg")
    lua.set(owner, "ana")
    lua.set(place, "lisbon")
  }
}

/// A fresh table of five string keys with short strings, taken as a value and dropped.
private func table() throws -> Sides {
  let lua = try LuaState()
  let keys = Keys(lua)
  let floor = try FloorCase(floor_table())
  return Sides(
    ours: { count in
      for _ in 0..<count {
        keys.pushContext(lua)
        _ = lua.takeTable()
      }
      return 5 * count
    },
    floor: floor.body)
}

/// A context made, given to a function, and its answer read.
private func context() throws -> Sides {
  let lua = try LuaState()
  let keys = Keys(lua)
  let validate = try lua.function(Script.validate)
  let floor = try FloorCase(floor_context(Script.validate))
  return Sides(
    ours: { count in
      var yes = 0
      for _ in 0..<count {
        keys.pushContext(lua)
        if try lua.ask(validate) { yes += 1 }
      }
      return yes
    },
    floor: floor.body)
}

private struct Refusal: Error {
  var number: Int
}

/// A Swift error through a script and back: the very one comes out. The floor raises a plain pointer.
private func raise() throws -> Sides {
  let lua = try LuaState()
  let through = try lua.function(Script.raise)
  let raise = lua.function { _ in throw Refusal(number: 1) }
  let floor = try FloorCase(floor_throw(Script.raise))
  return Sides(
    ours: { count in
      var caught = 0
      for _ in 0..<count {
        do throws(LuaError) {
          _ = try lua.call(through, .function(raise))
        } catch {
          if let refusal = error.cause as? Refusal { caught += refusal.number }
        }
      }
      return caught
    },
    floor: floor.body)
}
