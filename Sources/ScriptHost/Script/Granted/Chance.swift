import CLua

// `math.random`, where what it gives is to come again: the number that it begins with is given from outside then.

extension ScriptEngine {
  /// What that number is called where it is noted, given, or stood in for.
  static let chance = "math.randomseed"

  /// Has an owner's `math.random` begin with a number that a function gives, once somebody wants to call it.
  func seed(_ script: ScriptOwner, with chosen: LuaFunction) throws {
    guard case .table(let math) = try lua.rawGet("math", of: lua.globals),
      case .function(let randomseed) = try lua.get("randomseed", of: math)
    else { return }
    let random = try lua.get("random", of: math)
    let copy = try lua.load(own: "local copy = {} for k, v in pairs(...) do copy[k] = v end return copy", name: "math")
    guard case .table(let seeded)? = try lua.call(copy, .table(math)).first else { return }
    var isSeeded = false
    let seed = lua.function { [unowned self] call in
      isSeeded = true
      var given = try call.arguments
      // What was not recorded gives none.
      if given.isEmpty, case .integer(let number)? = try lua.call(chosen).first { given = [.integer(number)] }
      return .values(try lua.call(randomseed, arguments: given))
    }
    // It is Lua's own: how fast it is and what it refuses is as ever.
    let read = lua.function { [unowned self] call in
      guard case .table(let seeded) = try call[0], case .text("random") = try call[1] else { return .values([.nil]) }
      if !isSeeded { try lua.call(seed) }
      try lua.rawSet("random", random, of: seeded)
      return .values([random])
    }
    try lua.rawSet("random", .nil, of: seeded)
    try lua.rawSet("randomseed", .function(seed), of: seeded)
    let behind = lua.newTable()
    try lua.rawSet("__index", .function(read), of: behind)
    try setMetatable(behind, of: seeded)
    try lua.rawSet("math", .table(try frozen(seeded)), of: script.language)
  }

  /// Chooses such a number, as the host has it.
  var choosing: LuaFunction {
    lua.function { [unowned self] call in
      // Whoever reads a recording has every integer of this size as it is.
      try outer(Self.chance, call) { .values([.integer(.random(in: 0..<1 << 53))]) }
    }
  }
}
