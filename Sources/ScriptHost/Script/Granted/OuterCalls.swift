import CLua
import CScript

// Calls outside of the host. The host may record them, or replay a recording (A9).

extension ScriptEngine {
  /// Makes a call outside of the host: runs the body and records its result, or returns the recorded result.
  /// `host.outside` decides which.
  func outer(_ name: String, _ call: LuaCall, _ body: () throws -> LuaReturn) throws -> LuaReturn {
    switch host.outside {
    case nil: return try body()
    case .given(let give): return .values(try values(of: try take(name, call, give)))
    case .noted:
      let noted = try noted(name, call)
      do {
        let result = try body()
        try noted?.end(try values(of: result, on: call))
        return result
      } catch {
        noted?.end(error)
        throw error
      }
    }
  }

  /// Begins the record of a call, if calls are recorded.
  func noted(_ name: String, _ call: LuaCall) throws -> NotedCall? {
    guard case .noted(let note) = host.outside else { return nil }
    let given = Given(name, try trees(call))
    note(given)
    return NotedCall(given, in: self)
  }

  /// Wraps a Lua function that reads a fact of the machine, for recording and replay as `host.outside` says.
  func outer(_ name: String, _ function: LuaFunction) -> LuaFunction {
    if host.outside == nil { return function }
    return lua.function { [unowned self] call in
      try self.outer(name, call) { .values(try lua.call(function, arguments: try call.arguments)) }
    }
  }

  /// Pushes a function that returns the recorded result after the recorded time.
  func pushGiven(_ name: String, _ give: @escaping (String, [LuaTree]) -> Given?) throws {
    let take = lua.function { [unowned self] call in
      let given = try self.take(name, call, give)
      var line = LuaValue.nil
      if !given.lines.isEmpty, case .table(let options) = try call[2] { line = try lua.rawGet("line", of: options) }
      let lines = LuaValue.table(try lua.newList(try given.lines.map { try value(stored: $0) }))
      let seconds = given.hasEnded ? given.seconds : Self.forEver
      return .values([.number(seconds), lines, line] + (try values(of: given)))
    }
    pushSleep()
    let sleep = LuaFunction(reference: lua.takeReference())
    let maker = try lua.load(own: Self.giver, name: "given")
    try lua.push(try lua.call(maker, .function(take), .function(sleep)).first ?? .nil, on: lua.L)
    clua_newWaiting(lua.L)
  }

  /// A number of seconds that nobody waits for.
  private static let forEver = 1e9

  private static let giver = """
    local take, sleep = ...
    local function given(seconds, lines, line, ...)
      if seconds > 0 then sleep(seconds) end
      if line then
        for index = 1, #lines do line(table.unpack(lines[index])) end
      end
      return ...
    end
    return function(...) return given(take(...)) end
    """

  private func take(_ name: String, _ call: LuaCall, _ give: (String, [LuaTree]) -> Given?) throws -> Given {
    guard let given = give(name, try trees(call)) else {
      let given = Given(name)
      given.values = [.null, .text("the result of \(name) was not recorded")]
      given.hasEnded = true
      return given
    }
    guard let failure = given.failure else { return given }
    if failure.code == .script { throw LuaMisuse(failure.message) }
    throw Failure(failure.code, failure.message, place: place(call.place ?? caller(call)))
  }

  func values(of given: Given) throws -> [LuaValue] {
    try given.values.map { if case .null = $0 { .nil } else { try value(stored: $0) } }
  }

  /// Returns the arguments of a call, as far as a record can hold them.
  func trees(_ call: LuaCall) throws -> [LuaTree] {
    try call.arguments.map { (try? lua.tree($0, depth: 8, size: 1000)) ?? .opaque("table") }
  }

  private func values(of result: LuaReturn, on call: LuaCall) throws -> [LuaValue] {
    switch result {
    case .values(let values): values
    case .pushed(let count): try lua.values(from: Int32(call.count - count + 1), on: call.L)
    case .call, .yield: []
    }
  }
}

/// A *noted call* is a running call outside of the host. Its results are recorded when it has ended.
final class NotedCall {
  private let given: Given
  private unowned let engine: ScriptEngine
  private let began: Int64
  /// The size of its recorded lines in bytes. Lines beyond the limit are not recorded.
  private var size = 0

  init(_ given: Given, in engine: ScriptEngine) {
    self.given = given
    self.engine = engine
    began = engine.dispatcher.scheduler.clock.nanoseconds
  }

  /// Records a line for the script.
  func take(_ line: WrittenLine) throws {
    let text = try literals([.of(line.text)])[0]
    if case .text(let text) = text { size += text.utf8.count }
    guard size <= engine.lua.limits.block else { return }
    given.lines.append(.list([text, .bool(line.isError)] + (line.replaces ? [.bool(true)] : [])))
  }

  func end(_ values: [LuaValue]) throws {
    given.values = try literals(values)
    given.hasEnded = true
  }

  /// Ends a call that waited, and records its duration.
  func end(waitingFor values: [LuaValue]) throws {
    given.seconds = Double(engine.dispatcher.scheduler.clock.nanoseconds - began) / 1e9
    try end(values)
  }

  func end(_ error: any Error) {
    given.failure =
      switch error {
      case let failure as Failure: (failure.code, failure.message)
      case let misuse as LuaMisuse: (.script, misuse.message)
      case let error as LuaError: (.script, error.message)
      default: (.script, "\(error)")
      }
    given.hasEnded = true
  }

  private func literals(_ values: [LuaValue]) throws -> [Literal] {
    // Both outputs of a program. Output that isn't UTF-8 takes twice as much.
    let limit = 4 * engine.mostWritten + engine.lua.limits.block
    var plain = PlainLiteral(engine.lua, limit: limit, rule: "it can't be written down", hasPairs: true)
    return try values.map { try plain.literal($0, "what is given") }
  }
}

// Replacements in tests for calls outside of the host: all scripts of the host get these functions.

extension ScriptEngine {
  /// The names that a test may replace: calls that need a grant or a person, time, and `math.random`'s seed.
  static let outerCalls = [
    "fs.read", "fs.list", "fs.stat", "fs.write", "fs.make", "fs.remove", "fs.rename", "exec", "open", "notify",
    "clipboard.get", "clipboard.set", "env", "watch", "ask", "os.time", "os.date", "os.clock", chance,
  ]

  /// Replaces the granted calls in an owner's scripts.
  func standIn(for script: ScriptOwner) throws {
    for (name, function) in standIns {
      if name == Self.chance {
        try seed(script, with: function)
        continue
      }
      let parts = name.split(separator: ".").map(String.init)
      if parts.count == 1 {
        try lua.rawSet(.text(name), .function(function), of: script.language)
      } else if case .table(let library) = try scriptName(parts[0], of: script) {
        try lua.rawSet(.text(parts[1]), .function(function), of: library)
      }
    }
  }
}

// Seeds `math.random` from outside, for runs that are to be repeatable.

extension ScriptEngine {
  /// The name of the seed in recordings and replacements.
  static let chance = "math.randomseed"

  /// Makes an owner's `math.random` begin with the seed of a function, when a script first reads `math.random`.
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
      // A recording without a seed returns none.
      if given.isEmpty, case .integer(let number)? = try lua.call(chosen).first { given = [.integer(number)] }
      return .values(try lua.call(randomseed, arguments: given))
    }
    // `math.random` itself stays Lua's own, with its speed and its errors.
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

  /// A function that chooses a random seed, and records it or replays it.
  var choosing: LuaFunction {
    lua.function { [unowned self] call in
      // Every reader of a recording can represent an integer of this size exactly.
      try outer(Self.chance, call) { .values([.integer(.random(in: 0..<1 << 53))]) }
    }
  }
}
