import CLua

// `math.random` for runs that are to be repeatable: its seed then comes from outside.

extension ScriptEngine {
  /// The name under which a seed is recorded, given back, or stood in for.
  static let chance = "math.randomseed"

  /// Makes an owner's `math.random` begin with a seed that a function gives, when a script first reads `math.random`.
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
      // A recording that has no seed gives none.
      if given.isEmpty, case .integer(let number)? = try lua.call(chosen).first { given = [.integer(number)] }
      return .values(try lua.call(randomseed, arguments: given))
    }
    // `math.random` itself is Lua's own, so its speed and its errors are as ever.
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

  /// A function that chooses a seed at random, and records it or takes it from a recording if the host says so.
  var choosing: LuaFunction {
    lua.function { [unowned self] call in
      // Every reader of a recording can represent an integer of this size exactly.
      try outer(Self.chance, call) { .values([.integer(.random(in: 0..<1 << 53))]) }
    }
  }
}
